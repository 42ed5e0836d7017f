//! Kernels of folds of what a function makes of several arguments, of rows that are folded some columns at a time.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice_mut};

use super::along::{Along, ArgumentRows, exactly};
use super::{Map, Map2};
use crate::simd::{Body, Isa, simd};

/// Columns folded at once, in registers.
pub(super) const WIDE: usize = 16;
/// The same, where there are fewer.
pub(super) const NARROW: usize = 8;

/// A way of folding rows.
pub(super) trait Piecewise {
    /// Folds so many rows of so many columns each. The bits of `ONES` say which arguments are one element along each row.
    fn fold<I: Isa, O, M, C, T: Pod, const N: usize, const ONES: u32>(
        arguments: &[ArgumentRows<'_, T>; N],
        sizes: [usize; 2],
        out: &mut [T],
    ) where
        O: Map2<C, T, Out = T>,
        M: Map<C, T, N, Out = T>;
}

/// Computes rows and folds them as `P` does. `sizes` are the rows and the columns. An argument has one
/// element per row or one per column.
pub(super) fn run<
    P: Piecewise,
    O: Map2<C, T, Out = T>,
    M: Map<C, T, N, Out = T>,
    C,
    T: Pod,
    const N: usize,
>(
    arguments: &[&Along<'_>],
    sizes: [usize; 2],
    result: &mut [u8],
) {
    let (out, maps) = (cast_slice_mut(result), PhantomData);
    simd(OfRows::<P, O, M, C, T, N> { arguments, sizes, out, maps });
}

struct OfRows<'a, P, O, M, C, T, const N: usize> {
    arguments: &'a [&'a Along<'a>],
    sizes: [usize; 2],
    out: &'a mut [T],
    maps: PhantomData<(P, O, M, C)>,
}

impl<P: Piecewise, O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize> Body
    for OfRows<'_, P, O, M, C, T, N>
{
    #[inline(always)]
    fn run<I: Isa>(self) {
        let OfRows { arguments, sizes, out, .. } = self;
        let Some(arguments) = exactly(arguments) else { return };
        const { assert!(N <= 2, "a case for each set of arguments") };
        let decoded = ArgumentRows::all(arguments, sizes[1]);
        // A bit for each that is one element along each row.
        let mut ones = 0;
        for (n, decoded) in decoded.iter().enumerate() {
            ones |= u32::from(decoded.is_one()) << n;
        }
        // A constant, so that no row branches on it.
        match ones {
            1 => P::fold::<I, O, M, C, T, N, 1>(&decoded, sizes, out),
            2 if const { N > 1 } => P::fold::<I, O, M, C, T, N, 2>(&decoded, sizes, out),
            3 if const { N > 1 } => P::fold::<I, O, M, C, T, N, 3>(&decoded, sizes, out),
            _ => P::fold::<I, O, M, C, T, N, 0>(&decoded, sizes, out),
        }
    }
}

/// What the function makes of so many elements of a row.
#[inline(always)]
pub(super) fn row_of<I: Isa, M, C, T: Pod, const N: usize, const ONES: u32, const V: usize>(
    arguments: &[ArgumentRows<'_, T>; N],
    row: usize,
    column: usize,
) -> [T; V]
where
    M: Map<C, T, N, Out = T>,
{
    let mut all = [[T::zeroed(); V]; N];
    for n in 0..N {
        if ONES >> n & 1 == 1 {
            all[n] = [arguments[n].elements(row, 0, 1)[0]; V];
        } else {
            all[n].copy_from_slice(arguments[n].elements(row, column, V));
        }
    }
    let mut made = [T::zeroed(); V];
    M::each::<I, V>(all.each_ref(), &mut made);
    made
}
