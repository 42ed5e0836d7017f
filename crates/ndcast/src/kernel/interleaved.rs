//! Kernels of folds of what a function makes of two arguments, in rows of a few columns: as many rows as the result has are folded
//! with as many more, again and again, as if they were one long row; but what is one element along a row is never made as long.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice_mut};

use super::along::Along;
use super::fold::folded;
use super::lanes::{Lying, NARROW, WIDE, row_of};
use super::{Map, Map2};
use crate::simd::{Body, Isa, simd};

/// The fewest columns that are worth it.
pub(crate) const FEWEST: usize = NARROW;

/// So many of the last columns are folded at once, and those that are left one by one.
const LAST: usize = 4;

/// Computes rows of so many columns each, at least as many as the result has, and folds each with all that are a multiple of those
/// further. The arguments are as those of [`super::OfSeveral`].
pub(super) fn run<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize>(
    arguments: &[&Along<'_>],
    [rows, columns]: [usize; 2],
    result: &mut [u8],
) {
    let (out, maps) = (cast_slice_mut(result), PhantomData);
    simd(InterleavedOf::<O, M, C, T, N> { arguments, rows, columns, out, maps });
}

struct InterleavedOf<'a, O, M, C, T, const N: usize> {
    arguments: &'a [&'a Along<'a>],
    rows: usize,
    columns: usize,
    out: &'a mut [T],
    maps: PhantomData<(O, M, C)>,
}

impl<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize> Body
    for InterleavedOf<'_, O, M, C, T, N>
{
    #[inline(always)]
    fn run<I: Isa>(self) {
        let InterleavedOf { arguments, rows, columns, out, .. } = self;
        let Ok(arguments) = <&[&Along<'_>; N]>::try_from(arguments) else { return };
        let (lying, ones) = Lying::all(arguments, columns);
        // So nothing has to be asked for each row.
        match ones {
            0 => folded_rows::<I, O, M, C, T, N, 0>(&lying, [rows, columns], out),
            1 => folded_rows::<I, O, M, C, T, N, 1>(&lying, [rows, columns], out),
            2 => folded_rows::<I, O, M, C, T, N, 2>(&lying, [rows, columns], out),
            _ => folded_rows::<I, O, M, C, T, N, 3>(&lying, [rows, columns], out),
        }
    }
}

#[inline(always)]
fn folded_rows<I: Isa, O, M, C, T: Pod, const N: usize, const ONES: u32>(
    arguments: &[Lying<'_, T>; N],
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

/// So many columns of all rows, from one on.
#[inline(always)]
fn piece<I: Isa, O, M, C, T: Pod, const N: usize, const ONES: u32, const V: usize>(
    arguments: &[Lying<'_, T>; N],
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
