//! Products of matrices, by the crate `gemm`, in blocks that our own threads share.

#![allow(unsafe_code, reason = "the crate takes pointers and strides")]

use bytemuck::Pod;
use gemm::{Parallelism, gemm};
use num_complex::Complex;

use super::target::Target;
use super::threads::share;
use super::walk::Position;
use crate::dtype::DType;

/// Rows of a product that a thread claims.
const ROWS: usize = 128;
/// Columns of a product that a thread claims.
const COLUMNS: usize = 512;
/// Below this many multiplications one thread does all.
const SHARE: usize = 1 << 18;

/// The blocks that a product is computed in. They depend on its extents alone, so results do not depend on how many
/// threads there are; and the bits of an element depend on its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Blocks {
    /// Those of a product of these extents; a small one is one block.
    pub(crate) fn of(rows: usize, depth: usize, columns: usize) -> Blocks {
        if rows.saturating_mul(columns).saturating_mul(depth) < SHARE {
            Blocks { rows: rows.max(1), columns: columns.max(1) }
        } else {
            Blocks { rows: ROWS, columns: COLUMNS }
        }
    }
}

/// Where a matrix lies: in elements of its memory.
#[derive(Clone, Copy)]
pub(crate) struct Matrix {
    pub(crate) row_stride: isize,
    pub(crate) column_stride: isize,
}

/// Products of pairs of matrices, one behind the other in the result.
pub(crate) struct Product<'a> {
    pub(crate) rows: usize,
    pub(crate) depth: usize,
    pub(crate) columns: usize,
    /// Those of the whole product, if this is a part of one; it begins where a block does.
    pub(crate) blocks: Blocks,
    pub(crate) left: Matrix,
    pub(crate) right: Matrix,
    pub(crate) left_memory: &'a [u8],
    pub(crate) right_memory: &'a [u8],
    /// Where the two matrices of each pair begin.
    pub(crate) starts: &'a [(Position, Position)],
}

/// Multiplies matrices of floats or complex numbers; whether it can.
pub(crate) fn multiply(dtype: DType, product: &Product<'_>, out: &mut [u8]) -> bool {
    match dtype {
        DType::F32 => typed::<f32>(product, out, [0.0, 1.0]),
        DType::F64 => typed::<f64>(product, out, [0.0, 1.0]),
        DType::C64 => typed::<Complex<f32>>(product, out, [Complex::new(0.0, 0.0), Complex::new(1.0, 0.0)]),
        DType::C128 => typed::<Complex<f64>>(product, out, [Complex::new(0.0, 0.0), Complex::new(1.0, 0.0)]),
        _ => return false,
    }
    true
}

fn typed<T: Pod + Send + Sync>(product: &Product<'_>, out: &mut [u8], [zero, one]: [T; 2]) {
    let Product { rows, depth, columns, blocks, left, right, starts, .. } = *product;
    if depth == 0 {
        bytemuck::cast_slice_mut::<u8, T>(out).fill(zero);
        return;
    }
    let (a, b) = (
        bytemuck::cast_slice::<u8, T>(whole::<T>(product.left_memory)),
        bytemuck::cast_slice::<u8, T>(whole::<T>(product.right_memory)),
    );
    for &(start_a, start_b) in starts {
        check(a.len(), start_a, [(rows, left.row_stride), (depth, left.column_stride)]);
        check(b.len(), start_b, [(depth, right.row_stride), (columns, right.column_stride)]);
    }
    let size = size_of::<T>();
    assert!(out.len() >= starts.len() * rows * columns * size, "a result that is too short");
    let (down, across) = (rows.div_ceil(blocks.rows), columns.div_ceil(blocks.columns));
    let out = Target::new(out);
    let start = |at: Position, row: usize, column: usize, matrix: Matrix| {
        at + row.cast_signed() * matrix.row_stride + column.cast_signed() * matrix.column_stride
    };
    let parts = starts.len() * down * across;
    let work = |part: usize| {
        let (pair, block) = (part / (down * across), part % (down * across));
        let (row, column) = (block / across * blocks.rows, block % across * blocks.columns);
        let (height, width) = (blocks.rows.min(rows - row), blocks.columns.min(columns - column));
        let (start_a, start_b) = starts[pair];
        let first = (pair * rows + row) * columns + column;
        // SAFETY: blocks do not overlap, and each is one part's. The pointers stay within their memory for every row
        // and column of the block, which was checked for the whole matrices above.
        unsafe {
            gemm(
                height,
                width,
                depth,
                out.start().cast::<T>().add(first),
                1,
                columns.cast_signed(),
                false,
                a.as_ptr().offset(start(start_a, row, 0, left)),
                left.column_stride,
                left.row_stride,
                b.as_ptr().offset(start(start_b, 0, column, right)),
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
    };
    if parts.saturating_mul(rows.saturating_mul(columns).saturating_mul(depth)) < SHARE {
        (0..parts).for_each(work);
        return;
    }
    share(parts, &|claim| {
        while let Some(part) = claim.next() {
            work(part);
        }
    });
}

/// Memory without the last bytes that are not a whole element.
fn whole<T>(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len() - bytes.len() % size_of::<T>()]
}

/// Checks that a matrix lies in its memory.
fn check(len: usize, start: Position, axes: [(usize, isize); 2]) {
    let (mut first, mut last) = (start, start);
    for (extent, stride) in axes {
        let end = extent.saturating_sub(1).cast_signed() * stride;
        first += end.min(0);
        last += end.max(0);
    }
    let empty = axes.iter().any(|(extent, _)| *extent == 0);
    assert!(empty || (first >= 0 && last.cast_unsigned() < len), "a matrix outside its memory");
}
