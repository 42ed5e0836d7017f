//! Kernels that fold a function of two arguments over rows of a few columns. As many rows as the result has are folded with as
//! many more as if they were one long row; but an argument with one element per row is never expanded to it.

use bytemuck::Pod;

use super::along::ArgumentRows;
use super::fold::folded;
use super::piecewise::{NARROW, Piecewise, WIDE, row_of};
use super::{Map, Map2};
use crate::simd::Isa;

/// The fewest columns that are worth it.
pub(crate) const FEWEST: usize = NARROW;

/// The last columns are folded this many at once, and then one by one.
const LAST: usize = 4;

/// Row `n` of the `m` that the result holds is the fold of the rows `n`, `n + m`, `n + 2m` and so on.
pub(super) struct Interleaved;

impl Piecewise for Interleaved {
    #[inline(always)]
    fn fold<I: Isa, O, M, C, T: Pod, const N: usize, const ONES: u32>(
        arguments: &[ArgumentRows<'_, T>; N],
        sizes: [usize; 2],
        out: &mut [T],
    ) where
        O: Map2<C, T, Out = T>,
        M: Map<C, T, N, Out = T>,
    {
        let columns = sizes[1];
        let mut column = 0;
        while column + WIDE <= columns {
            piece::<I, O, M, C, T, N, ONES, WIDE>(arguments, sizes, column, out);
            column += WIDE;
        }
        while column + NARROW <= columns {
            piece::<I, O, M, C, T, N, ONES, NARROW>(arguments, sizes, column, out);
            column += NARROW;
        }
        while column + LAST <= columns {
            piece::<I, O, M, C, T, N, ONES, LAST>(arguments, sizes, column, out);
            column += LAST;
        }
        while column < columns {
            piece::<I, O, M, C, T, N, ONES, 1>(arguments, sizes, column, out);
            column += 1;
        }
    }
}

/// So many columns of all rows, from one on.
#[inline(always)]
fn piece<I: Isa, O, M, C, T: Pod, const N: usize, const ONES: u32, const V: usize>(
    arguments: &[ArgumentRows<'_, T>; N],
    [rows, columns]: [usize; 2],
    column: usize,
    out: &mut [T],
) where
    O: Map2<C, T, Out = T>,
    M: Map<C, T, N, Out = T>,
{
    let beside = out.len() / columns;
    for (row, sofar) in (0..rows).zip(out.chunks_exact_mut(columns)) {
        sofar[column..][..V].copy_from_slice(&row_of::<I, M, C, T, N, ONES, V>(arguments, row, column));
    }
    for first in (beside..rows).step_by(beside) {
        for (row, sofar) in (first..rows).zip(out.chunks_exact_mut(columns)) {
            let more = row_of::<I, M, C, T, N, ONES, V>(arguments, row, column);
            if let Some(sofar) = sofar[column..].first_chunk_mut::<V>() {
                *sofar = folded::<I, O, C, T, V>(sofar, &more);
            }
        }
    }
}
