//! Products of matrices in a loop of our own: of integers, and of floats in blocks so small that `gemm` would add their
//! products in an order that depends on how the matrices lie.
//!
//! Both matrices are copied aside as they are read, some rows of the left and some columns of the right at a time, but for small
//! ones that need not be, so how they lie decides only how long that takes. An element's products are added one after the
//! other, [`DEEP`] at a time.

use std::hint::black_box;

use bytemuck::Pod;
use num_complex::Complex;

use super::walk::Position;
use crate::simd::Isa;

/// The rows of the left matrix that are multiplied at once: with a vector of columns, their sums fill the registers. Of six
/// rows the compiler makes vectors for AVX-512 that go down a column, and gathers them from memory.
const ROWS: usize = 5;
/// The products that are added up before the sum is added to those before: what is copied aside of a vector of columns stays
/// in the nearest cache.
const DEEP: usize = 256;

/// What matrices are made of.
pub(super) trait Factor: Pod + Send + Sync {
    /// 0 and 1 of a type that the crate `gemm` has.
    const CRATES: Option<[Self; 2]>;
    /// Whether `a * b + sum` has the bits of `b * a + sum`.
    const MIRRORS: bool;
    /// `a * b + sum`.
    fn with_product<I: Isa>(self, a: Self, b: Self) -> Self;
    /// `self + other`.
    fn plus(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Factor for $type {
            const CRATES: Option<[$type; 2]> = None;
            const MIRRORS: bool = true;

            #[inline(always)]
            fn with_product<I: Isa>(self, a: $type, b: $type) -> $type {
                self.wrapping_add(a.wrapping_mul(b))
            }
            #[inline(always)]
            fn plus(self, other: $type) -> $type {
                self.wrapping_add(other)
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 }

macro_rules! floats {
    ($($type:ty: $fused:ident;)*) => {$(
        impl Factor for $type {
            const CRATES: Option<[$type; 2]> = Some([0.0, 1.0]);
            const MIRRORS: bool = true;

            #[inline(always)]
            fn with_product<I: Isa>(self, a: $type, b: $type) -> $type {
                I::$fused(a, b, self)
            }
            #[inline(always)]
            fn plus(self, other: $type) -> $type {
                self + other
            }
        }

        impl Factor for Complex<$type> {
            const CRATES: Option<[Self; 2]> = Some([Complex::new(0.0, 0.0), Complex::new(1.0, 0.0)]);
            const MIRRORS: bool = false;

            #[inline(always)]
            fn with_product<I: Isa>(self, a: Self, b: Self) -> Self {
                let re = I::$fused(a.re, b.re, self.re);
                let im = I::$fused(a.re, b.im, self.im);
                Complex::new(I::$fused(-a.im, b.im, re), I::$fused(a.im, b.re, im))
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
        }
    )*};
}

floats! { f32: fma32; f64: fma64; }

/// A matrix, or a block of it: where it begins in its memory, and how its rows and columns follow each other there.
#[derive(Clone, Copy)]
pub(super) struct View<'a, T> {
    pub(super) memory: &'a [T],
    pub(super) start: Position,
    pub(super) row_stride: isize,
    pub(super) column_stride: isize,
}

impl<T: Copy> View<'_, T> {
    #[inline(always)]
    fn place(&self, row: usize, column: usize) -> Position {
        self.start + row.cast_signed() * self.row_stride + column.cast_signed() * self.column_stride
    }

    /// Copies `count` elements of each of some rows, from this row and column on. What follows them in memory may come along,
    /// up to `N`: its sums are not used.
    #[inline(always)]
    fn rows_to<const N: usize>(&self, [row, column]: [usize; 2], count: usize, to: &mut [[T; N]]) {
        if self.column_stride == 1 {
            for (step, to) in to.iter_mut().enumerate() {
                let from = &self.memory[self.place(row + step, column).cast_unsigned()..];
                match from.first_chunk() {
                    Some(from) => *to = *from,
                    None => to[..count].copy_from_slice(&from[..count]),
                }
            }
            return;
        }
        for place in 0..count {
            let first = self.place(row, column + place);
            if self.row_stride == 1 {
                let from = &self.memory[first.cast_unsigned()..][..to.len()];
                to.iter_mut().zip(from).for_each(|(to, &from)| to[place] = from);
            } else {
                for (step, to) in to.iter_mut().enumerate() {
                    to[place] = self.memory[(first + step.cast_signed() * self.row_stride).cast_unsigned()];
                }
            }
        }
    }

    /// What is rows here is columns there.
    #[inline(always)]
    fn transposed(self) -> Self {
        View { row_stride: self.column_stride, column_stride: self.row_stride, ..self }
    }
}

/// What is copied aside of both matrices; kept from block to block.
pub(super) struct Aside<T, const COLUMNS: usize> {
    left: Vec<[T; ROWS]>,
    right: Vec<[T; COLUMNS]>,
}

/// So many multiplications take less time than to copy aside what is multiplied.
const SMALL: usize = 1 << 11;
/// The columns of matrices that are narrower than a vector.
const NARROW: usize = 4;

/// Multiplies a small block as it lies, the elements of a row of the right matrix one behind the other, with vectors of so many
/// columns. Each element's products are added in the same order as otherwise.
#[inline(always)]
fn as_it_lies<'o, I: Isa, T: Factor, const COLUMNS: usize>(
    [height, depth, width]: [usize; 3],
    (left, right): (View<'_, T>, View<'_, T>),
    out: &mut impl FnMut(usize) -> &'o mut [T],
) {
    for column in (0..width).step_by(COLUMNS) {
        let columns = COLUMNS.min(width - column);
        let mut row = 0;
        while row + 4 <= height {
            rows_as_they_lie::<I, T, COLUMNS, 4>([row, depth, column, columns], (left, right), out);
            row += 4;
        }
        while row < height {
            rows_as_they_lie::<I, T, COLUMNS, 1>([row, depth, column, columns], (left, right), out);
            row += 1;
        }
    }
}

/// The same of some rows.
#[inline(always)]
fn rows_as_they_lie<'o, I: Isa, T: Factor, const COLUMNS: usize, const HEIGHT: usize>(
    [row, depth, column, columns]: [usize; 4],
    (left, right): (View<'_, T>, View<'_, T>),
    out: &mut impl FnMut(usize) -> &'o mut [T],
) {
    let mut sums = [[T::zeroed(); COLUMNS]; HEIGHT];
    for step in 0..depth {
        let from = &right.memory[right.place(step, column).cast_unsigned()..];
        let from = from.first_chunk().copied().unwrap_or_else(|| {
            let mut last = [T::zeroed(); COLUMNS];
            last[..columns].copy_from_slice(&from[..columns]);
            last
        });
        for (down, sums) in sums.iter_mut().enumerate() {
            let factor = left.memory[left.place(row + down, step).cast_unsigned()];
            for (sum, from) in sums.iter_mut().zip(from) {
                *sum = sum.with_product::<I>(factor, from);
            }
        }
    }
    for (down, sums) in sums.iter().enumerate() {
        let to = &mut out(row + down)[column..column + columns];
        match to.first_chunk_mut() {
            Some(to) => *to = *sums,
            // A copy is a call, which takes longer than a few elements do.
            None if columns < NARROW => to.iter_mut().zip(sums).for_each(|(to, &sum)| *to = black_box(sum)),
            None => to.copy_from_slice(&sums[..columns]),
        }
    }
}

impl<T: Factor, const COLUMNS: usize> Aside<T, COLUMNS> {
    pub(super) fn new() -> Self {
        Aside { left: vec![], right: vec![] }
    }

    /// Multiplies a block of so many rows, so deep, and so wide. `out` gives the elements of a row of the result.
    #[inline(always)]
    pub(super) fn multiply<'o, I: Isa>(
        &mut self,
        [height, depth, width]: [usize; 3],
        (left, right): (View<'_, T>, View<'_, T>),
        mut out: impl FnMut(usize) -> &'o mut [T],
    ) {
        if right.column_stride == 1 && depth <= DEEP && height * depth * width <= SMALL {
            return match width {
                ..=NARROW => as_it_lies::<I, T, NARROW>([height, depth, width], (left, right), &mut out),
                _ => as_it_lies::<I, T, COLUMNS>([height, depth, width], (left, right), &mut out),
            };
        }
        for deep in (0..depth).step_by(DEEP) {
            let steps = DEEP.min(depth - deep);
            self.left.resize(height.div_ceil(ROWS) * steps, [T::zeroed(); ROWS]);
            for (group, to) in self.left.chunks_exact_mut(steps).enumerate() {
                let rows = ROWS.min(height - group * ROWS);
                left.transposed().rows_to([deep, group * ROWS], rows, to);
            }
            self.right.resize(steps, [T::zeroed(); COLUMNS]);
            for column in (0..width).step_by(COLUMNS) {
                let columns = COLUMNS.min(width - column);
                right.rows_to([deep, column], columns, &mut self.right);
                for (group, left) in self.left.chunks_exact(steps).enumerate() {
                    let sums = sums::<I, T, COLUMNS>(left, &self.right);
                    for (row, sums) in (group * ROWS..height).zip(&sums) {
                        let to = &mut out(row)[column..column + columns];
                        for (to, &sum) in to.iter_mut().zip(sums) {
                            *to = if deep == 0 { sum } else { to.plus(sum) };
                        }
                    }
                }
            }
        }
    }
}

/// The sums of the products of each row with each column.
#[inline(always)]
fn sums<I: Isa, T: Factor, const COLUMNS: usize>(
    left: &[[T; ROWS]],
    right: &[[T; COLUMNS]],
) -> [[T; COLUMNS]; ROWS] {
    let mut sums = [[T::zeroed(); COLUMNS]; ROWS];
    for (left, right) in left.iter().zip(right) {
        // Keeps the compiler from vectorising integer sums over several steps: no sum would stay in a register.
        black_box(());
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                sums[row][column] = sums[row][column].with_product::<I>(left[row], right[column]);
            }
        }
    }
    sums
}
