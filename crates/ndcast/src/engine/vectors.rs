//! Products of matrices and vectors: each element is the sum of the products along a row of a matrix.
//!
//! It is the same tree for every element, whichever way the matrix lies: every so-manieth product is added in a lane of its own,
//! the lanes in pairs, and what comes of stretches of [`DEEP`] products one after the other. It depends on the length of the row
//! alone; so do the bits.
//!
//! A complex element is two numbers, which are summed as such: both with the real part of a factor, and both with the imaginary one.

use std::hint::black_box;
use std::ops::{Range, Sub};

use bytemuck::{cast_slice, cast_slice_mut};

use super::gather::gather_all;
use super::matmul::Product;
use super::panel::Factor;
use super::target::Target;
use super::threads::try_share;
use super::walk::{Position, Walk};
use crate::buffer::{MemoryError, Scratch};
use crate::simd::{Body, Isa, simd};

/// The products of a stretch.
const DEEP: usize = 4096;
/// So many rows are summed together, where each lies in one piece.
const TOGETHER: usize = 4;
/// So many are, where they lie beside each other: what is summed in one lane stays in the nearest cache.
const BESIDE: usize = 256;
/// The products that a thread claims, at least; twice as many are shared.
const CLAIM: usize = 1 << 16;

/// What elements are made of.
pub(super) trait Number: Factor + Sub<Output = Self> {
    /// A number of which all bits are set.
    const ALL: Self;

    /// The bits that are set in both.
    fn and(self, other: Self) -> Self;
}

macro_rules! numbers {
    ($($type:ty: $bits:ty;)*) => {$(
        impl Number for $type {
            const ALL: $type = <$type>::from_bits(<$bits>::MAX);

            #[inline(always)]
            fn and(self, other: $type) -> $type {
                <$type>::from_bits(self.to_bits() & other.to_bits())
            }
        }
    )*};
}

numbers! { f32: u32; f64: u64; }

/// A matrix and a vector, each somewhere in its memory: strides and positions are those of numbers.
struct Sides<'a, T> {
    /// Whether the vector is the right side.
    is_column: bool,
    rows: usize,
    depth: usize,
    matrix: &'a [T],
    row_stride: isize,
    column_stride: isize,
    vector: &'a [T],
    vector_stride: isize,
}

impl<'a, T: Number> Sides<'a, T> {
    /// Those of matrices whose elements are of so many numbers.
    fn of<const PARTS: usize>(product: &Product<'a>) -> Sides<'a, T> {
        let (left, right) = product.elements::<T>();
        let (l, r) = (product.left, product.right);
        let is_column = product.columns == 1;
        // A row times a matrix is the matrix, turned, times a column.
        let (rows, matrix, strides, vector, vector_stride) = if is_column {
            (product.rows, left, [l.row_stride, l.column_stride], right, r.row_stride)
        } else {
            (product.columns, right, [r.column_stride, r.row_stride], left, l.column_stride)
        };
        let [row_stride, column_stride] = strides.map(numbers::<PARTS>);
        let (depth, vector_stride) = (product.depth, numbers::<PARTS>(vector_stride));
        Sides { is_column, rows, depth, matrix, row_stride, column_stride, vector, vector_stride }
    }

    /// Where the matrix and the vector of a pair begin.
    fn starts<const PARTS: usize>(&self, (left, right): (isize, isize)) -> (isize, isize) {
        let (left, right) = (numbers::<PARTS>(left), numbers::<PARTS>(right));
        if self.is_column { (left, right) } else { (right, left) }
    }
}

/// How many numbers so many elements are.
fn numbers<const PARTS: usize>(elements: isize) -> isize {
    elements * PARTS.cast_signed()
}

/// Multiplies pairs of matrices of which one is a vector, and whose elements are of so many numbers.
pub(super) fn multiply<T: Number, const LANES: usize, const PARTS: usize>(
    product: &Product<'_>,
    out: &mut [T],
) -> Result<(), MemoryError> {
    if product.depth == 0 {
        out.fill(T::zeroed());
        return Ok(());
    }
    let depth = product.depth;
    let sides = Sides::of::<PARTS>(product);
    let rows = sides.rows;
    let stretches = depth.div_ceil(DEEP);
    let least = if sides.lies_along::<PARTS>() { TOGETHER } else { BESIDE };
    let height = (CLAIM / depth.min(DEEP)).next_multiple_of(TOGETHER).max(least).min(rows);
    let down = rows.div_ceil(height);
    let units = product.starts.len() * stretches * down;
    let mut memory =
        Scratch::take(if stretches > 1 { size_of_val(out).saturating_mul(stretches) } else { 0 })?;
    let sums: &mut [T] = if stretches > 1 { cast_slice_mut(memory.bytes_mut()) } else { &mut *out };
    let to = Target::new(cast_slice_mut(sums));
    let in_unit = height * depth.min(DEEP);
    let is_small = units.saturating_mul(in_unit) < 2 * CLAIM;
    let together = if is_small { units } else { (CLAIM / in_unit).max(1) };
    try_share(units.div_ceil(together), |claim| {
        let mut aside = Aside::<T>::take(LANES, PARTS)?;
        while let Some(part) = claim.next() {
            for unit in part * together..units.min((part + 1) * together) {
                // The rows of a stretch follow one another, then the stretches, then the pairs.
                let (at, row) = (unit / down, unit % down * height);
                let (pair, stretch) = (at / stretches, at % stretches * DEEP);
                let (rows_of, along) = (row..rows.min(row + height), stretch..depth.min(stretch + DEEP));
                let row_size = PARTS * size_of::<T>();
                let first = (at * rows + row) * row_size;
                // SAFETY: each row of each stretch of each pair is in one unit, which one thread has.
                #[allow(unsafe_code, reason = "see there")]
                let out = unsafe { to.part(first..first + rows_of.len() * row_size) };
                let (out, aside) = (cast_slice_mut(out), &mut aside);
                simd(Sums::<T, LANES, PARTS> {
                    sides: &sides,
                    starts: sides.starts::<PARTS>(product.starts[pair]),
                    rows: rows_of,
                    along,
                    aside,
                    out,
                });
            }
        }
        Ok(())
    })?;
    if stretches > 1 {
        add_stretches(out, cast_slice_mut(memory.bytes_mut()), rows * PARTS, stretches);
    }
    Ok(())
}

/// Adds the sums of the stretches of each pair, in order.
fn add_stretches<T: Number>(out: &mut [T], sums: &[T], rows: usize, stretches: usize) {
    for (out, sums) in out.chunks_exact_mut(rows).zip(sums.chunks_exact(stretches * rows)) {
        let (first, others) = sums.split_at(rows);
        out.copy_from_slice(first);
        for sums in others.chunks_exact(rows) {
            out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = out.plus(sum));
        }
    }
}

impl<T> Sides<'_, T> {
    /// Whether rows lie in one piece each.
    fn lies_along<const PARTS: usize>(&self) -> bool {
        self.column_stride == PARTS.cast_signed() || self.depth == 1
    }
}

/// Where a thread puts what it does not read or write as it lies.
struct Aside<T> {
    factors: Scratch,
    line: Scratch,
    lanes: Scratch,
    of: std::marker::PhantomData<T>,
}

impl<T> Aside<T> {
    fn take(lanes: usize, parts: usize) -> Result<Aside<T>, MemoryError> {
        let room = |numbers: usize| Scratch::take(numbers * size_of::<T>());
        let (factors, line) = (room(parts * parts * DEEP)?, room(parts * DEEP)?);
        Ok(Aside { factors, line, lanes: room(parts * lanes * BESIDE)?, of: std::marker::PhantomData })
    }
}

/// The sums of a stretch of some rows.
struct Sums<'s, T, const LANES: usize, const PARTS: usize> {
    sides: &'s Sides<'s, T>,
    starts: (Position, Position),
    rows: Range<usize>,
    along: Range<usize>,
    aside: &'s mut Aside<T>,
    out: &'s mut [T],
}

impl<T: Number, const LANES: usize, const PARTS: usize> Body for Sums<'_, T, LANES, PARTS> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Sums { sides, starts: (start, vector_start), rows, along, aside, out } = self;
        let depth = along.len();
        let first = start + along.start.cast_signed() * sides.column_stride;
        let vector_first = vector_start + along.start.cast_signed() * sides.vector_stride;
        let factors: [&[T]; PARTS] = factors(sides, vector_first, depth, &mut aside.factors);
        let begin = |row: usize| first + row.cast_signed() * sides.row_stride;
        if sides.lies_along::<PARTS>() {
            let line = |row: usize| &sides.matrix[begin(rows.start + row).cast_unsigned()..];
            along_rows::<I, T, LANES, PARTS>(&factors.map(Factors::of), line, out);
        } else if sides.row_stride == PARTS.cast_signed() {
            let lanes: &mut [T] = cast_slice_mut(aside.lanes.bytes_mut());
            for (out, row) in out.chunks_mut(PARTS * BESIDE).zip(rows.step_by(BESIDE)) {
                let width = out.len();
                let line =
                    |k: usize| piece(sides.matrix, begin(row) + k.cast_signed() * sides.column_stride, width);
                beside_rows::<I, T, LANES, PARTS>(line, factors, &mut lanes[..LANES * width], out);
            }
        } else {
            let (factors, numbers) = (factors.map(Factors::of), PARTS * depth);
            let together = (DEEP / depth).max(1);
            for (out, row) in out.chunks_mut(PARTS * together).zip(rows.step_by(together)) {
                let extents = [out.len() / PARTS, depth];
                let elements = |numbers: isize| numbers / PARTS.cast_signed();
                let strides = [elements(sides.row_stride), elements(sides.column_stride)];
                let walk = Walk::new(extents.into_iter(), strides.into_iter(), elements(begin(row)));
                let bytes = &mut aside.line.bytes_mut()[..extents[0] * numbers * size_of::<T>()];
                gather_all(PARTS * size_of::<T>(), cast_slice(sides.matrix), &walk, bytes);
                let lines: &[T] = cast_slice(bytes);
                along_rows::<I, T, LANES, PARTS>(&factors, |row| &lines[row * numbers..], out);
            }
        }
    }
}

/// The elements of rows that lie in one piece each, of which this says where it begins.
#[inline(always)]
fn along_rows<'m, I: Isa, T: Number, const LANES: usize, const PARTS: usize>(
    factors: &[Factors<'_, T, LANES>; PARTS],
    line: impl Fn(usize) -> &'m [T],
    out: &mut [T],
) {
    let (out, last) = out.as_chunks_mut::<PARTS>().0.as_chunks_mut::<TOGETHER>();
    let mut row = 0;
    for out in out {
        *out = elements::<I, T, LANES, PARTS, TOGETHER>(factors, std::array::from_fn(|of| line(row + of)));
        row += TOGETHER;
    }
    for out in last {
        [*out] = elements::<I, T, LANES, PARTS, 1>(factors, [line(row)]);
        row += 1;
    }
}

/// So many numbers from a position on.
#[inline(always)]
fn piece<T>(memory: &[T], first: Position, count: usize) -> &[T] {
    &memory[first.cast_unsigned()..][..count]
}

/// The factors of a row, laid out as its numbers: for each part of a factor, that part for every number of an element.
#[inline(always)]
fn factors<'f, T: Number, const PARTS: usize>(
    sides: &Sides<'f, T>,
    first: Position,
    depth: usize,
    aside: &'f mut Scratch,
) -> [&'f [T]; PARTS] {
    if PARTS == 1 && sides.vector_stride == 1 {
        return [piece(sides.vector, first, depth); PARTS];
    }
    let length = PARTS * depth;
    let all: &mut [T] = &mut cast_slice_mut(aside.bytes_mut())[..PARTS * length];
    for (part, factors) in (0..).zip(all.chunks_exact_mut(length)) {
        for (step, to) in (0..).zip(factors.as_chunks_mut::<PARTS>().0) {
            to.fill(sides.vector[(first + step * sides.vector_stride + part).cast_unsigned()]);
        }
    }
    let all = &*all;
    std::array::from_fn(|part| &all[part * length..][..length])
}

/// An element, of the sums of products with each part of the factors. None is -0, which the zeros behind a row would change.
#[inline(always)]
fn element<T: Number, const PARTS: usize>(sums: [[T; PARTS]; PARTS]) -> [T; PARTS] {
    std::array::from_fn(|part| match (PARTS, part) {
        (1, _) => sums[0][0].plus(T::zeroed()),
        (_, 0) => (sums[0][0] - sums[1][1]).plus(T::zeroed()),
        _ => sums[0][1].plus(sums[1][0]).plus(T::zeroed()),
    })
}

/// The elements of rows that begin here, each in one piece.
#[inline(always)]
fn elements<I: Isa, T: Number, const LANES: usize, const PARTS: usize, const ROWS: usize>(
    factors: &[Factors<'_, T, LANES>; PARTS],
    rows: [&[T]; ROWS],
) -> [[T; PARTS]; ROWS] {
    // No closure multiplies: one that is not inlined would be compiled for the baseline.
    let mut sums = [[[T::zeroed(); PARTS]; ROWS]; PARTS];
    for (sums, factors) in sums.iter_mut().zip(factors) {
        *sums = factors.sums::<I, ROWS, PARTS>(rows);
    }
    std::array::from_fn(|row| element(std::array::from_fn(|part| sums[part][row])))
}

/// What rows are multiplied with: whole vectors, and the last numbers with zeros behind them.
struct Factors<'v, T, const LANES: usize> {
    whole: &'v [[T; LANES]],
    last: [T; LANES],
    /// The bits of the last ones.
    mask: [T; LANES],
    /// How many of the last there are.
    rest: usize,
}

impl<T: Number, const LANES: usize> Factors<'_, T, LANES> {
    #[inline(always)]
    fn of(vector: &[T]) -> Factors<'_, T, LANES> {
        let (whole, rest) = vector.as_chunks();
        let mut mask = [T::zeroed(); LANES];
        mask[..rest.len()].fill(T::ALL);
        Factors { whole, last: filled(rest), mask, rest: rest.len() }
    }

    /// The sums of products of rows that begin here, each in one piece: one for each number of an element.
    #[inline(always)]
    fn sums<I: Isa, const ROWS: usize, const PARTS: usize>(&self, rows: [&[T]; ROWS]) -> [[T; PARTS]; ROWS] {
        // The compiler would make shorter vectors of all if it saw what is done with lanes afterwards.
        let mut lanes = black_box(self.whole::<I, ROWS>(&rows));
        if self.rest > 0 {
            for (lanes, row) in lanes.iter_mut().zip(&rows) {
                *lanes = black_box(self.with_last::<I>(*lanes, &row[self.whole.len() * LANES..]));
            }
        }
        // No closure, as above.
        let mut sums = [[T::zeroed(); PARTS]; ROWS];
        for (sums, lanes) in sums.iter_mut().zip(&mut lanes) {
            *sums = tree(lanes);
        }
        sums
    }

    /// The lanes of whole vectors.
    #[inline(always)]
    fn whole<I: Isa, const ROWS: usize>(&self, rows: &[&[T]; ROWS]) -> [[T; LANES]; ROWS] {
        let mut lanes = [[T::zeroed(); LANES]; ROWS];
        let pieces = rows.map(|row| &row.as_chunks::<LANES>().0[..self.whole.len()]);
        for (step, factors) in self.whole.iter().enumerate() {
            for (lanes, piece) in lanes.iter_mut().zip(&pieces) {
                for ((lane, &element), &factor) in lanes.iter_mut().zip(&piece[step]).zip(factors) {
                    *lane = lane.with_product::<I>(element, factor);
                }
            }
        }
        lanes
    }

    /// Lanes with the last products, of elements that begin here.
    #[inline(always)]
    fn with_last<I: Isa>(&self, mut lanes: [T; LANES], row: &[T]) -> [T; LANES] {
        // To copy some is a call, which takes longer than to read what is behind them.
        let elements: [T; LANES] = row.first_chunk().copied().unwrap_or_else(|| filled(&row[..self.rest]));
        for lane in 0..LANES {
            lanes[lane] = lanes[lane].with_product::<I>(elements[lane].and(self.mask[lane]), self.last[lane]);
        }
        lanes
    }
}

/// The sums of lanes, added in pairs.
#[inline(always)]
fn tree<T: Number, const LANES: usize, const PARTS: usize>(lanes: &mut [T; LANES]) -> [T; PARTS] {
    let mut half = LANES / 2;
    while half >= PARTS {
        for lane in 0..half {
            lanes[lane] = lanes[lane].plus(lanes[lane + half]);
        }
        half /= 2;
    }
    std::array::from_fn(|part| lanes[part])
}

/// Some numbers, and zeros behind them.
#[inline(always)]
fn filled<T: Number, const LANES: usize>(some: &[T]) -> [T; LANES] {
    let mut all = [T::zeroed(); LANES];
    all[..some.len()].copy_from_slice(some);
    all
}

/// The same of rows that lie beside each other: `line` gives one element of each.
#[inline(always)]
fn beside_rows<'m, I: Isa, T: Number, const LANES: usize, const PARTS: usize>(
    line: impl Fn(usize) -> &'m [T],
    factors: [&[T]; PARTS],
    lanes: &mut [T],
    out: &mut [T],
) {
    let (width, depth, apart) = (out.len(), factors[0].len() / PARTS, LANES / PARTS);
    lanes.fill(T::zeroed());
    for (first, sums) in lanes.chunks_exact_mut(PARTS * width).enumerate() {
        let mut place = first;
        while place + 3 * apart < depth {
            let places = [0, 1, 2, 3].map(|step| place + step * apart);
            let [a, b, c, d] = places.map(&line);
            for (sums, factors) in sums.chunks_exact_mut(width).zip(factors) {
                let [p, q, r, s] = places.map(|place| factors[PARTS * place]);
                for ((((sum, &a), &b), &c), &d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                    let two = sum.with_product::<I>(a, p).with_product::<I>(b, q);
                    *sum = two.with_product::<I>(c, r).with_product::<I>(d, s);
                }
            }
            place += 4 * apart;
        }
        while place < depth {
            let a = line(place);
            for (sums, factors) in sums.chunks_exact_mut(width).zip(factors) {
                let p = factors[PARTS * place];
                for (sum, &a) in sums.iter_mut().zip(a) {
                    *sum = sum.with_product::<I>(a, p);
                }
            }
            place += apart;
        }
    }
    let mut half = apart / 2;
    while half > 0 {
        let size = half * PARTS * width;
        let (sums, others) = lanes[..2 * size].split_at_mut(size);
        sums.iter_mut().zip(others).for_each(|(sum, other)| *sum = sum.plus(*other));
        half /= 2;
    }
    let sums: [&[[T; PARTS]]; PARTS] =
        std::array::from_fn(|part| lanes[part * width..][..width].as_chunks().0);
    for (row, out) in out.as_chunks_mut::<PARTS>().0.iter_mut().enumerate() {
        *out = element(std::array::from_fn(|part| sums[part][row]));
    }
}
