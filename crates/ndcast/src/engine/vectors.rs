//! Products of matrices and vectors: each element is the sum of the products along a row of a matrix.
//!
//! It is the same tree for every element, whichever way the matrix lies: every so-manieth product is added in a lane of its own,
//! the lanes in pairs, and what comes of stretches of [`DEEP`] products one after the other. It depends on the length of the row
//! alone; so do the bits.

use std::ops::Range;

use bytemuck::cast_slice_mut;

use super::matmul::Product;
use super::panel::Factor;
use super::target::Target;
use super::threads::try_share;
use super::walk::Position;
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

/// A matrix and a vector, each somewhere in its memory.
struct Sides<'a, T> {
    rows: usize,
    depth: usize,
    matrix: &'a [T],
    row_stride: isize,
    column_stride: isize,
    vector: &'a [T],
    vector_stride: isize,
}

/// Multiplies pairs of matrices of which one is a vector.
pub(super) fn multiply<T: Factor, const LANES: usize>(
    product: &Product<'_>,
    out: &mut [T],
) -> Result<(), MemoryError> {
    if product.depth == 0 {
        out.fill(T::zeroed());
        return Ok(());
    }
    let (left, right) = product.elements::<T>();
    let (l, r, depth) = (product.left, product.right, product.depth);
    let is_column = product.columns == 1;
    let sides = if is_column {
        let (row_stride, column_stride) = (l.row_stride, l.column_stride);
        let (rows, vector_stride) = (product.rows, r.row_stride);
        Sides { rows, depth, matrix: left, row_stride, column_stride, vector: right, vector_stride }
    } else {
        let (row_stride, column_stride) = (r.column_stride, r.row_stride);
        let (rows, vector_stride) = (product.columns, l.column_stride);
        Sides { rows, depth, matrix: right, row_stride, column_stride, vector: left, vector_stride }
    };
    let rows = sides.rows;
    let starts = |pair: usize| {
        let (left, right) = product.starts[pair];
        if is_column { (left, right) } else { (right, left) }
    };
    let stretches = depth.div_ceil(DEEP);
    let least = if sides.lies_along() { TOGETHER } else { BESIDE };
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
        let mut aside = Aside::<T>::take(LANES)?;
        while let Some(part) = claim.next() {
            for unit in part * together..units.min((part + 1) * together) {
                // The rows of a stretch follow one another, then the stretches, then the pairs.
                let (at, row) = (unit / down, unit % down * height);
                let (pair, stretch) = (at / stretches, at % stretches * DEEP);
                let (rows_of, along) = (row..rows.min(row + height), stretch..depth.min(stretch + DEEP));
                let first = (at * rows + row) * size_of::<T>();
                // SAFETY: each row of each stretch of each pair is in one unit, which one thread has.
                #[allow(unsafe_code, reason = "see there")]
                let out = unsafe { to.part(first..first + rows_of.len() * size_of::<T>()) };
                let (out, aside) = (cast_slice_mut(out), &mut aside);
                simd(Sums::<T, LANES> {
                    sides: &sides,
                    starts: starts(pair),
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
        let sums: &[T] = cast_slice_mut(memory.bytes_mut());
        for (out, sums) in out.chunks_exact_mut(rows).zip(sums.chunks_exact(stretches * rows)) {
            let (first, others) = sums.split_at(rows);
            out.copy_from_slice(first);
            for sums in others.chunks_exact(rows) {
                out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = out.plus(sum));
            }
        }
    }
    Ok(())
}

impl<T> Sides<'_, T> {
    /// Whether rows lie in one piece each.
    fn lies_along(&self) -> bool {
        self.column_stride == 1 || self.depth == 1
    }
}

/// Where a thread puts what it does not read or write as it lies.
struct Aside<T> {
    vector: Scratch,
    line: Scratch,
    lanes: Scratch,
    of: std::marker::PhantomData<T>,
}

impl<T> Aside<T> {
    fn take(lanes: usize) -> Result<Aside<T>, MemoryError> {
        let line = || Scratch::take(DEEP * size_of::<T>());
        let lanes = Scratch::take(lanes * BESIDE * size_of::<T>())?;
        Ok(Aside { vector: line()?, line: line()?, lanes, of: std::marker::PhantomData })
    }
}

/// The sums of a stretch of some rows.
struct Sums<'s, T, const LANES: usize> {
    sides: &'s Sides<'s, T>,
    starts: (Position, Position),
    rows: Range<usize>,
    along: Range<usize>,
    aside: &'s mut Aside<T>,
    out: &'s mut [T],
}

impl<T: Factor, const LANES: usize> Body for Sums<'_, T, LANES> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Sums { sides, starts: (start, vector_start), rows, along, aside, out } = self;
        let depth = along.len();
        let first = start + along.start.cast_signed() * sides.column_stride;
        let vector_first = vector_start + along.start.cast_signed() * sides.vector_stride;
        let vector: &[T] = if sides.vector_stride == 1 {
            piece(sides.vector, vector_first, depth)
        } else {
            gathered(sides.vector, vector_first, sides.vector_stride, depth, &mut aside.vector)
        };
        let begin = |row: usize| first + row.cast_signed() * sides.row_stride;
        let factors = || Factors::<T, LANES>::of(vector);
        if sides.lies_along() {
            let (factors, mut row) = (factors(), rows.start);
            let line = |row: usize| &sides.matrix[begin(row).cast_unsigned()..];
            let (out, last) = out.as_chunks_mut::<TOGETHER>();
            for out in out {
                *out = factors.sums::<I, TOGETHER>(std::array::from_fn(|of| line(row + of)));
                row += TOGETHER;
            }
            for out in last {
                [*out] = factors.sums::<I, 1>([line(row)]);
                row += 1;
            }
        } else if sides.row_stride == 1 {
            let lanes: &mut [T] = cast_slice_mut(aside.lanes.bytes_mut());
            for (out, row) in out.chunks_mut(BESIDE).zip(rows.step_by(BESIDE)) {
                let width = out.len();
                let line =
                    |k: usize| piece(sides.matrix, begin(row) + k.cast_signed() * sides.column_stride, width);
                beside_rows::<I, T, LANES>(line, vector, &mut lanes[..LANES * width], out);
            }
        } else {
            let factors = factors();
            for (out, row) in out.iter_mut().zip(rows) {
                let line = gathered(sides.matrix, begin(row), sides.column_stride, depth, &mut aside.line);
                [*out] = factors.sums::<I, 1>([line]);
            }
        }
    }
}

/// So many elements from a position on.
#[inline(always)]
fn piece<T>(memory: &[T], first: Position, count: usize) -> &[T] {
    &memory[first.cast_unsigned()..][..count]
}

/// So many elements from a position on, put one behind the other.
#[inline(always)]
fn gathered<'l, T: Factor>(
    memory: &[T],
    first: Position,
    stride: isize,
    count: usize,
    line: &'l mut Scratch,
) -> &'l [T] {
    let line: &mut [T] = &mut cast_slice_mut(line.bytes_mut())[..count];
    for (step, to) in (0..).zip(&mut *line) {
        *to = memory[(first + step * stride).cast_unsigned()];
    }
    line
}

/// What rows are multiplied with: whole vectors, and the last elements with zeros behind them.
struct Factors<'v, T, const LANES: usize> {
    whole: &'v [[T; LANES]],
    last: [T; LANES],
    /// How many of the last there are.
    rest: usize,
}

impl<T: Factor, const LANES: usize> Factors<'_, T, LANES> {
    #[inline(always)]
    fn of(vector: &[T]) -> Factors<'_, T, LANES> {
        let (whole, rest) = vector.as_chunks();
        Factors { whole, last: filled(rest), rest: rest.len() }
    }

    /// The sums of products of rows that begin here, each in one piece.
    #[inline(always)]
    fn sums<I: Isa, const ROWS: usize>(&self, rows: [&[T]; ROWS]) -> [T; ROWS] {
        let mut lanes = self.whole::<I, ROWS>(&rows);
        if self.rest > 0 {
            for (lanes, row) in lanes.iter_mut().zip(&rows) {
                *lanes = self.with_last::<I>(*lanes, &row[self.whole.len() * LANES..]);
            }
        }
        lanes.map(|mut lanes| {
            let mut half = LANES / 2;
            while half > 0 {
                for lane in 0..half {
                    lanes[lane] = lanes[lane].plus(lanes[lane + half]);
                }
                half /= 2;
            }
            lanes[0]
        })
    }

    /// The lanes of whole vectors. In a function of its own: beside what follows, those of f32 would be in no registers.
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
    fn with_last<I: Isa>(&self, lanes: [T; LANES], row: &[T]) -> [T; LANES] {
        // To copy some is a call, which takes longer than to read what is behind them.
        let elements: [T; LANES] = row.first_chunk().copied().unwrap_or_else(|| filled(&row[..self.rest]));
        std::array::from_fn(|lane| {
            let sum = lanes[lane].with_product::<I>(elements[lane], self.last[lane]);
            if lane < self.rest { sum } else { lanes[lane] }
        })
    }
}

/// Some elements, and zeros behind them.
#[inline(always)]
fn filled<T: Factor, const LANES: usize>(some: &[T]) -> [T; LANES] {
    let mut all = [T::zeroed(); LANES];
    all[..some.len()].copy_from_slice(some);
    all
}

/// The same of rows that lie beside each other: `line` gives one element of each.
#[inline(always)]
fn beside_rows<'m, I: Isa, T: Factor, const LANES: usize>(
    line: impl Fn(usize) -> &'m [T],
    vector: &[T],
    lanes: &mut [T],
    out: &mut [T],
) {
    let width = out.len();
    lanes.fill(T::zeroed());
    for (first, sums) in lanes.chunks_exact_mut(width).enumerate() {
        let mut place = first;
        while place + 3 * LANES < vector.len() {
            let places = [0, 1, 2, 3].map(|step| place + step * LANES);
            let ([a, b, c, d], [p, q, r, s]) = (places.map(&line), places.map(|place| vector[place]));
            for ((((sum, &a), &b), &c), &d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                let two = sum.with_product::<I>(a, p).with_product::<I>(b, q);
                *sum = two.with_product::<I>(c, r).with_product::<I>(d, s);
            }
            place += 4 * LANES;
        }
        while place < vector.len() {
            let (a, p) = (line(place), vector[place]);
            for (sum, &a) in sums.iter_mut().zip(a) {
                *sum = sum.with_product::<I>(a, p);
            }
            place += LANES;
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        let (sums, others) = lanes[..2 * half * width].split_at_mut(half * width);
        sums.iter_mut().zip(others).for_each(|(sum, other)| *sum = sum.plus(*other));
        half /= 2;
    }
    out.copy_from_slice(&lanes[..width]);
}
