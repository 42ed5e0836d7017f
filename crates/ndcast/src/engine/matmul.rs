//! Products of matrices in blocks that our own threads share: by the crate `gemm`, or in loops of our own.

#![allow(unsafe_code, reason = "the crate takes pointers and strides")]

use std::ops::Range;

use bytemuck::cast_slice_mut;
use gemm::{Parallelism, gemm};
use num_complex::Complex;

use super::panel::{Aside, Factor, View};
use super::sized::whole;
use super::target::Target;
use super::threads::{share, threads};
use super::vectors;
use super::walk::Position;
use crate::buffer::{MemoryError, Scratch};
use crate::dtype::DType;
use crate::simd::{Body, Isa, simd};

/// The rows of a block, if there are more.
const ROWS: usize = 128;
/// The most and the fewest columns of a block: they are halved while that makes more blocks for threads.
const COLUMNS: [usize; 2] = [256, 64];
/// The number of blocks that is enough.
const BLOCKS: usize = 8;
/// The fewest multiplications of a block that was halved.
const BLOCK: usize = 1 << 20;
/// So many blocks of rows are computed as one, if there is work enough for each thread to claim some: the columns of the right
/// matrix are copied aside for all of them at once.
const STACKED: [usize; 2] = [4, 2];
const CLAIMS: usize = 4;
/// Below this many multiplications one thread does all.
const SHARE: usize = 1 << 18;
/// The products that are added up before the sum is added to others, where a product of few elements is of long rows: parts
/// of them are work for several threads.
const DEEP: usize = 2048;
/// The most elements of such a product: the sums of its parts take little beside what they are made of.
const SMALL: usize = 1 << 14;
/// From so many rows on the crate adds the products of a block in one order, however many columns of it are left out.
const TALL: usize = 65;
/// The rows and columns that are mirrored at once.
const TILE: usize = 32;
/// The elements of a block up to which the crate has another way for matrices whose products lie one behind the other.
const FEW: usize = 256;

/// The blocks that a product is computed in: of one element each, if one of the matrices is a vector. They depend on its extents alone, so results do not depend on how many
/// threads there are; and the bits of an element depend on its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// How many products are added up before their sum is added to that of others.
    pub(crate) depth: usize,
}

impl Blocks {
    /// Whether each is of one element: rows of one matrix are multiplied by a vector.
    pub(crate) fn are_elements(self) -> bool {
        self.rows == 1 && self.columns == 1
    }

    /// Those of a product of these extents; a small one is one block.
    pub(crate) fn of(rows: usize, depth: usize, columns: usize) -> Blocks {
        if rows == 1 || columns == 1 {
            return Blocks { rows: 1, columns: 1, depth: usize::MAX };
        }
        let elements = rows.saturating_mul(columns);
        let sums = if elements <= SMALL { (depth / DEEP).max(1) } else { 1 };
        let depth_of_one = (depth / sums).max(1);
        if elements.saturating_mul(depth) < SHARE {
            return Blocks { rows: rows.max(1), columns: columns.max(1), depth: depth_of_one };
        }
        let [mut most, fewest] = COLUMNS;
        let width = |most: usize| columns.div_ceil(columns.div_ceil(most));
        let are_few = |width: usize| {
            rows.div_ceil(ROWS) * columns.div_ceil(width) < BLOCKS
                && rows.min(ROWS) * width * depth >= 2 * BLOCK
        };
        while most > fewest && are_few(width(most)) {
            most /= 2;
        }
        Blocks { rows: ROWS, columns: width(most), depth: depth_of_one }
    }
}

/// Where a matrix lies: in elements of its memory.
#[derive(Clone, Copy)]
pub(crate) struct Matrix {
    pub(crate) row_stride: isize,
    pub(crate) column_stride: isize,
}

impl Matrix {
    /// The part from a row and column on, of a matrix that begins at `start`.
    fn view<T>(self, memory: &[T], start: Position, [row, column]: [usize; 2]) -> View<'_, T> {
        let Matrix { row_stride, column_stride } = self;
        let start = start + row.cast_signed() * row_stride + column.cast_signed() * column_stride;
        View { memory, start, row_stride, column_stride }
    }
}

/// Products of pairs of matrices, one behind the other in the result.
pub(crate) struct Product<'a> {
    pub(crate) rows: usize,
    pub(crate) depth: usize,
    pub(crate) columns: usize,
    /// Those of the whole product, if this is a part of one; it begins where a block does.
    pub(crate) blocks: Blocks,
    pub(crate) left: Matrix,
    /// Its rows do not lie backwards.
    pub(crate) right: Matrix,
    pub(crate) left_memory: &'a [u8],
    pub(crate) right_memory: &'a [u8],
    /// Where the two matrices of each pair begin.
    pub(crate) starts: &'a [(Position, Position)],
    /// The right matrices are the left ones with rows and columns exchanged: the products are their own mirrors.
    pub(crate) mirrored: bool,
}

impl<'a> Product<'a> {
    /// The elements that lie in the two memories.
    pub(super) fn elements<T: Factor>(&self) -> (&'a [T], &'a [T]) {
        (whole(self.left_memory), whole(self.right_memory))
    }

    /// Checks that all matrices lie in their memory, and all products in a result of so many elements.
    fn check<T: Factor>(&self, out: usize) {
        let Product { rows, depth, columns, left, right, starts, .. } = *self;
        let (a, b) = self.elements::<T>();
        for &(start_a, start_b) in starts {
            check(a.len(), start_a, [(rows, left.row_stride), (depth, left.column_stride)]);
            check(b.len(), start_b, [(depth, right.row_stride), (columns, right.column_stride)]);
        }
        let elements = starts.len().checked_mul(rows).and_then(|rows| rows.checked_mul(columns));
        assert!(elements.is_some_and(|elements| out >= elements), "a result that is too short");
    }
}

/// The bytes of a row up to which folds, which take many of them at once, multiply it sooner.
const SHORT: usize = 24;

/// Whether matrices of such elements, with rows of so many, are multiplied by vectors in loops of their own.
pub(crate) fn has_vectors(dtype: DType, depth: usize) -> bool {
    let bytes = dtype.size().unwrap_or(0).saturating_mul(depth);
    matches!(dtype, DType::F32 | DType::F64 | DType::C64 | DType::C128) && bytes > SHORT
}

/// Multiplies matrices of numbers; whether it can.
pub(crate) fn multiply(dtype: DType, product: &Product<'_>, out: &mut [u8]) -> Result<bool, MemoryError> {
    let is_vector = product.blocks.are_elements();
    match dtype {
        DType::F32 if is_vector => vectors::multiply::<f32, 16, 1>(product, cast_slice_mut(out))?,
        DType::F64 if is_vector => vectors::multiply::<f64, 8, 1>(product, cast_slice_mut(out))?,
        DType::C64 if is_vector => vectors::multiply::<f32, 16, 2>(product, cast_slice_mut(out))?,
        DType::C128 if is_vector => vectors::multiply::<f64, 8, 2>(product, cast_slice_mut(out))?,
        DType::F32 => typed::<f32, 16>(product, cast_slice_mut(out))?,
        DType::F64 => typed::<f64, 8>(product, cast_slice_mut(out))?,
        DType::C64 => typed::<Complex<f32>, 8>(product, cast_slice_mut(out))?,
        DType::C128 => typed::<Complex<f64>, 4>(product, cast_slice_mut(out))?,
        // What wraps has the same bits with and without signs.
        DType::I8 | DType::U8 => typed::<u8, 32>(product, cast_slice_mut(out))?,
        DType::I16 | DType::U16 => typed::<u16, 32>(product, cast_slice_mut(out))?,
        DType::I32 | DType::U32 => typed::<u32, 16>(product, cast_slice_mut(out))?,
        DType::I64 | DType::U64 => typed::<u64, 8>(product, cast_slice_mut(out))?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// A block of one of the products: its elements in the result, and the rows and columns that they are made of.
struct Block<'a, T> {
    /// Where it begins in the result.
    first: usize,
    height: usize,
    width: usize,
    left: View<'a, T>,
    right: View<'a, T>,
}

impl<T> Block<'_, T> {
    /// Whether the crate adds its products in one order however the matrices lie, if the right one is not backwards.
    fn is_for_crate(&self) -> bool {
        self.height > 1 && self.width > 1 && self.height * self.width > FEW
    }
}

/// Sums of so many products side by side, and then added one after the other.
fn in_sums<T: Factor, const COLUMNS: usize>(product: &Product<'_>, out: &mut [T]) -> Result<(), MemoryError> {
    let Product { rows, depth, columns, blocks, left, right, starts, .. } = *product;
    let (sums, elements) = (depth / blocks.depth, rows * columns);
    let begins_at = |&(a, b): &(Position, Position), sum: usize| {
        let steps = (sum * blocks.depth).cast_signed();
        (a + steps * left.column_stride, b + steps * right.row_stride)
    };
    let begins: Vec<_> =
        starts.iter().flat_map(|pair| (0..sums).map(move |sum| begins_at(pair, sum))).collect();
    let rest: Vec<_> = starts.iter().map(|pair| begins_at(pair, sums)).collect();
    let bytes = begins.len().saturating_mul(elements).saturating_mul(size_of::<T>());
    let mut memory = Scratch::take(bytes)?;
    let each: &mut [T] = cast_slice_mut(memory.bytes_mut());
    let part = |depth, starts| Product { depth, starts, ..*product };
    typed::<T, COLUMNS>(&part(blocks.depth, &begins), each)?;
    typed::<T, COLUMNS>(&part(depth % blocks.depth, &rest), out)?;
    for (out, each) in out.chunks_exact_mut(elements).zip(each.chunks_exact(sums * elements)) {
        for sum in each.chunks_exact(elements) {
            out.iter_mut().zip(sum).for_each(|(out, &sum)| *out = out.plus(sum));
        }
    }
    Ok(())
}

/// Computes with vectors of so many columns.
fn typed<T: Factor, const COLUMNS: usize>(product: &Product<'_>, out: &mut [T]) -> Result<(), MemoryError> {
    let Product { rows, depth, columns, blocks, left, right, starts, .. } = *product;
    if depth > blocks.depth {
        return in_sums::<T, COLUMNS>(product, out);
    }
    if depth == 0 {
        out.fill(T::zeroed());
        return Ok(());
    }
    product.check::<T>(out.len());
    let (a, b) = product.elements::<T>();
    let cut = Cut::of(product, T::MIRRORS);
    let to = Target::new(cast_slice_mut(out));
    let compute =
        |pair: usize, rows_of: Range<usize>, columns_of: Range<usize>, aside: &mut Aside<T, COLUMNS>| {
            let (row, column) = (rows_of.start, columns_of.start);
            let block = Block {
                first: (pair * rows + row) * columns + column,
                height: rows_of.len(),
                width: columns_of.len(),
                left: left.view(a, starts[pair].0, [row, 0]),
                right: right.view(b, starts[pair].1, [0, column]),
            };
            match T::CRATES {
                // SAFETY: blocks do not overlap, and each is one thread's. Every element of the two matrices lies in its memory,
                // which was checked above.
                Some(numbers) if block.is_for_crate() => unsafe {
                    by_crate(&block, depth, columns, numbers, &to);
                },
                _ => simd(Own { block: &block, depth, columns, out: &to, aside }),
            }
        };
    // Small blocks are claimed several at a time.
    let (count, multiplications) = (cut.count, cut.multiplications());
    let together = (SHARE / 4 / multiplications.max(1)).clamp(1, count);
    let parts = if count.saturating_mul(multiplications) < SHARE { 1 } else { count.div_ceil(together) };
    let together = count.div_ceil(parts);
    share(parts, &|claim| {
        let mut aside = Aside::new();
        while let Some(part) = claim.next() {
            for number in part * together..count.min((part + 1) * together) {
                cut.blocks(number, |pair, rows, columns| compute(pair, rows, columns, &mut aside));
            }
        }
    });
    if cut.mirrored {
        out.chunks_exact_mut(rows * columns).for_each(|out| mirror(out, columns, blocks.rows));
    }
    Ok(())
}

/// How products are cut into blocks that threads claim.
struct Cut<'a> {
    product: &'a Product<'a>,
    /// The rows of what is claimed at a time, one block or several below one another.
    height: usize,
    /// How many of these lie below one another in a product, and beside one another.
    down: usize,
    across: usize,
    /// How many there are in all products.
    count: usize,
    /// Whether only blocks above the diagonal are computed.
    mirrored: bool,
}

impl<'a> Cut<'a> {
    fn of(product: &'a Product<'a>, mirrors: bool) -> Cut<'a> {
        let Product { rows, columns, blocks, starts, mirrored, .. } = *product;
        let (down, across) = (rows.div_ceil(blocks.rows), columns.div_ceil(blocks.columns));
        // Whether a block's rows may be computed with others, and its columns in part, in the same order.
        let is_wide = (columns - across.saturating_sub(1) * blocks.columns) * TALL > FEW;
        let mirrored = mirrored && mirrors && is_wide;
        let count = |stacked: usize| starts.len() * down.div_ceil(stacked) * across;
        let stacked = STACKED.into_iter().find(|&stacked| count(stacked) >= CLAIMS * threads());
        let stacked = stacked.filter(|_| !mirrored && is_wide).unwrap_or(1);
        let (height, down, count) = (blocks.rows * stacked, down.div_ceil(stacked), count(stacked));
        Cut { product, height, down, across, count, mirrored }
    }

    /// The multiplications of one, at most.
    fn multiplications(&self) -> usize {
        let Product { rows, depth, columns, blocks, .. } = *self.product;
        self.height.min(rows).saturating_mul(blocks.columns.min(columns)).saturating_mul(depth)
    }

    /// The blocks of the one of this number: its pair of matrices, rows and columns.
    fn blocks(&self, number: usize, mut each: impl FnMut(usize, Range<usize>, Range<usize>)) {
        let Product { rows, columns, blocks, .. } = *self.product;
        let (pair, place) = (number / (self.down * self.across), number % (self.down * self.across));
        let (row, first) = (place / self.across * self.height, place % self.across * blocks.columns);
        let (below, end) = (rows.min(row + self.height), columns.min(first + blocks.columns));
        // A last block of few rows is added in an order of its own.
        let rest = (below - row) % blocks.rows;
        let whole = if rest < TALL { below - rest } else { below };
        for rows in [row..whole, whole..below] {
            // So are few columns.
            let is_mirrored = self.mirrored && rows.len() >= TALL;
            let column = if is_mirrored { first.max(row.min(end.saturating_sub(TALL))) } else { first };
            if !rows.is_empty() && (!is_mirrored || row < end) {
                each(pair, rows, column..end);
            }
        }
    }
}

/// Mirrors the blocks above the diagonal to below it.
fn mirror<T: Factor>(out: &mut [T], columns: usize, height: usize) {
    for row in (height..columns).step_by(height).filter(|row| columns - row >= TALL) {
        for first in (row..columns.min(row + height)).step_by(TILE) {
            for column in (0..row).step_by(TILE) {
                for below in first..columns.min(row + height).min(first + TILE) {
                    for left in column..row.min(column + TILE) {
                        out[below * columns + left] = out[left * columns + below];
                    }
                }
            }
        }
    }
}

/// Multiplies a block by the crate.
///
/// # Safety
/// The matrices lie in their memory and the block in the result, and nobody else has the block.
unsafe fn by_crate<T: Factor>(
    block: &Block<'_, T>,
    depth: usize,
    columns: usize,
    [zero, one]: [T; 2],
    out: &Target<'_>,
) {
    let Block { first, height, width, left, right } = *block;
    // SAFETY: as promised.
    unsafe {
        gemm(
            height,
            width,
            depth,
            out.start().cast::<T>().add(first),
            1,
            columns.cast_signed(),
            false,
            left.memory.as_ptr().offset(left.start),
            left.column_stride,
            left.row_stride,
            right.memory.as_ptr().offset(right.start),
            right.column_stride,
            right.row_stride,
            zero,
            one,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

/// A block in a loop of our own.
struct Own<'a, T, const COLUMNS: usize> {
    block: &'a Block<'a, T>,
    depth: usize,
    columns: usize,
    out: &'a Target<'a>,
    aside: &'a mut Aside<T, COLUMNS>,
}

impl<T: Factor, const COLUMNS: usize> Body for Own<'_, T, COLUMNS> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Own { block, depth, columns, out, aside } = self;
        let Block { first, height, width, left, right } = *block;
        let size = size_of::<T>();
        aside.multiply::<I>([height, depth, width], (left, right), |row| {
            let start = (first + row * columns) * size;
            // SAFETY: blocks do not overlap, and each is one thread's.
            cast_slice_mut(unsafe { out.part(start..start + width * size) })
        });
    }
}

/// Checks that a matrix lies in its memory.
fn check(len: usize, start: Position, axes: [(usize, isize); 2]) {
    // In numbers that hold whatever comes of these: on it rests that only this memory is read.
    let (mut first, mut last) = (start as i128, start as i128);
    for (extent, stride) in axes {
        let end = extent.saturating_sub(1) as i128 * stride as i128;
        first += end.min(0);
        last += end.max(0);
    }
    let empty = axes.iter().any(|(extent, _)| *extent == 0);
    assert!(empty || (first >= 0 && last < len as i128), "a matrix outside its memory");
}
