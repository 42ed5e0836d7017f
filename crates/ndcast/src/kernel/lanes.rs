//! Kernels that fold a function of several arguments down columns that lie beside each other. Each column has the tree of a
//! contiguous run: [`BLOCK`] lanes, folded half with half.
//!
//! Some columns at a time are folded from the first row to the last, so that accumulators stay in registers. Lanes are visited
//! in bit-reversed order: two that are folded together follow one another, and few wait. Of few columns, all lanes stay in the
//! nearest cache, and rows are read in order.

use bytemuck::Pod;

use super::along::ArgumentRows;
use super::fold::folded;
use super::piecewise::{NARROW, Piecewise, WIDE, row_of};
use super::{BLOCK, Map, Map2};
use crate::simd::Isa;

/// Rows are prefetched this far ahead: they lie apart, where the hardware does not.
const AHEAD: usize = 16;

/// The most partial results that wait for another: one for each level of the tree.
const WAITING: usize = BLOCK.ilog2() as usize;

/// Folds each column of at least [`BLOCK`] rows to one element, in the first row of the result. That has room for `4 * WIDE`
/// elements and, behind these, for [`BLOCK`] rows of [`WIDE`].
pub(super) struct Lanes;

impl Piecewise for Lanes {
    #[inline(always)]
    fn fold<I: Isa, O, M, C, T: Pod, const N: usize, const ONES: u32>(
        arguments: &[ArgumentRows<'_, T>; N],
        [rows, columns]: [usize; 2],
        out: &mut [T],
    ) where
        O: Map2<C, T, Out = T>,
        M: Map<C, T, N, Out = T>,
    {
        // As many are read together as there are, so that memory is read in pieces of some lines of the cache.
        if columns >= 4 * WIDE {
            pieces::<T, { 4 * WIDE }>(&mut out[..columns], |column| {
                together::<I, O, M, C, T, N, ONES, WIDE, 4>(arguments, rows, column)
                    .as_flattened()
                    .first_chunk()
                    .copied()
            });
            return;
        }
        let (out, lanes) = out.split_at_mut(4 * WIDE);
        let out = &mut out[..columns];
        match columns {
            WIDE.. => pieces::<T, WIDE>(out, |column| {
                in_order::<I, O, M, C, T, N, ONES, WIDE>(arguments, rows, column, lanes)
            }),
            NARROW.. => pieces::<T, NARROW>(out, |column| {
                in_order::<I, O, M, C, T, N, ONES, NARROW>(arguments, rows, column, lanes)
            }),
            _ => pieces::<T, 1>(out, |column| {
                in_order::<I, O, M, C, T, N, ONES, 1>(arguments, rows, column, lanes)
            }),
        }
    }
}

/// Folds all columns, so many together. The last piece may begin in the one before it: its columns are the same again.
#[inline(always)]
fn pieces<T: Pod, const V: usize>(out: &mut [T], mut folded: impl FnMut(usize) -> Option<[T; V]>) {
    let Some(last) = out.len().checked_sub(V) else { return };
    for column in (0..out.len()).step_by(V) {
        let column = column.min(last);
        if let Some(folded) = folded(column) {
            out[column..][..V].copy_from_slice(&folded);
        }
    }
}

/// Folds so many columns, from one on, with their lanes in this memory.
#[inline(always)]
fn in_order<I: Isa, O, M, C, T: Pod, const N: usize, const ONES: u32, const V: usize>(
    arguments: &[ArgumentRows<'_, T>; N],
    rows: usize,
    column: usize,
    lanes: &mut [T],
) -> Option<[T; V]>
where
    O: Map2<C, T, Out = T>,
    M: Map<C, T, N, Out = T>,
{
    let lanes: &mut [[T; V]; BLOCK] = lanes.as_chunks_mut().0.first_chunk_mut()?;
    for (row, lane) in lanes.iter_mut().enumerate() {
        *lane = row_of::<I, M, C, T, N, ONES, V>(arguments, row, column);
    }
    for first in (BLOCK..rows).step_by(BLOCK) {
        for (row, lane) in (first..rows).zip(&mut *lanes) {
            let more = row_of::<I, M, C, T, N, ONES, V>(arguments, row, column);
            *lane = folded::<I, O, C, T, V>(lane, &more);
        }
    }
    let mut half = BLOCK / 2;
    while half > 0 {
        let (first, second) = lanes.split_at_mut(half);
        for (lane, other) in first.iter_mut().zip(second) {
            *lane = folded::<I, O, C, T, V>(lane, other);
        }
        half /= 2;
    }
    Some(lanes[0])
}

/// Folds so many times so many columns, from one on.
#[inline(always)]
fn together<I: Isa, O, M, C, T: Pod, const N: usize, const ONES: u32, const V: usize, const S: usize>(
    arguments: &[ArgumentRows<'_, T>; N],
    rows: usize,
    column: usize,
) -> [[T; V]; S]
where
    O: Map2<C, T, Out = T>,
    M: Map<C, T, N, Out = T>,
{
    let mut waiting = [[[T::zeroed(); V]; S]; WAITING];
    let mut height = 0;
    let ahead = AHEAD.div_ceil(rows.div_ceil(BLOCK));
    for number in 0..BLOCK {
        if number + ahead < BLOCK {
            for row in (lane(number + ahead)..rows).step_by(BLOCK) {
                for argument in arguments {
                    argument.prefetch(row, column, V * S);
                }
            }
        }
        let mut sofar = [[T::zeroed(); V]; S];
        for (times, sofar) in sofar.iter_mut().enumerate() {
            let column = column + times * V;
            let mut row = lane(number);
            *sofar = row_of::<I, M, C, T, N, ONES, V>(arguments, row, column);
            row += BLOCK;
            while row < rows {
                let more = row_of::<I, M, C, T, N, ONES, V>(arguments, row, column);
                *sofar = folded::<I, O, C, T, V>(sofar, &more);
                row += BLOCK;
            }
        }
        for _ in 0..number.trailing_ones() {
            height -= 1;
            for (before, sofar) in waiting[height % WAITING].iter().zip(&mut sofar) {
                *sofar = folded::<I, O, C, T, V>(before, sofar);
            }
        }
        // The last finds none left to wait for: it is the whole fold.
        waiting[height % WAITING] = sofar;
        height += 1;
    }
    waiting[0]
}

/// The lane visited after so many others: that number with its bits reversed. So lanes half of all apart follow one another, and
/// then pairs of them a quarter apart.
#[inline(always)]
fn lane(number: usize) -> usize {
    number.reverse_bits() >> (usize::BITS - BLOCK.ilog2())
}
