//! Kernels that convert their first argument as they read it.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice_mut};

use super::along::{ArgumentRows, Staging, columns_of, exactly, splats};
use super::{Along, BLOCK, Kernel, Map, Map1, at, with_first};
use crate::simd::{Body, Isa, Stores, simd};

/// The class of what is only converted.
pub(crate) struct Conversions;

/// The kernel of a map of `N` arguments, the first of which is converted from another type as it is read. It never works in
/// place.
pub(crate) fn from<W, U, O, C, T, const N: usize>() -> Kernel
where
    W: Map1<Conversions, U, Out = T>,
    O: Map<C, T, N>,
    U: Pod,
    T: Pod,
{
    Kernel::Several(of_several::<W, U, O, C, T, N>)
}

pub(super) struct Run<'a, W, U, O, C, T, R, const N: usize> {
    pub(super) arguments: &'a [&'a Along<'a>],
    pub(super) columns: usize,
    pub(super) stores: Stores,
    pub(super) out: &'a mut [R],
    pub(super) map: PhantomData<(W, U, O, C, T)>,
}

impl<W, U, O, C, T, const N: usize> Body for Run<'_, W, U, O, C, T, O::Out, N>
where
    W: Map1<Conversions, U, Out = T>,
    O: Map<C, T, N>,
    U: Pod,
    T: Pod,
{
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Run { arguments, columns, stores, out, .. } = self;
        let Some(arguments) = exactly(arguments) else { return };
        let Some(columns) = columns_of(columns, out.len()) else { return };
        let first = ArgumentRows::all(&[arguments[0]], columns);
        let others = ArgumentRows::all(&with_first(&Along::NONE, *arguments), columns);
        let (mut splats_first, mut splats, mut staging) = (splats(), splats(), Staging::new(stores));
        for (row, out) in out.chunks_mut(columns).enumerate() {
            let mut firsts = ArgumentRows::together(&first, row, &mut splats_first);
            let mut others = ArgumentRows::together(&others, row, &mut splats);
            let (blocks, behind) = out.as_chunks_mut::<BLOCK>();
            let (rest_of_first, rest) = (firsts.rest(), others.rest());
            for (place, out) in behind.iter_mut().enumerate() {
                let [first] = rest_of_first.at(place);
                *out = O::map::<I>(with_first(W::map::<I>(first), rest.at(place)));
            }
            for out in blocks.chunks_mut(staging.batch::<O::Out>()) {
                for (others, to) in others.split(out.len()).beside(staging.blocks(out)) {
                    if let Some([first]) = firsts.next() {
                        block::<I, W, U, O, C, T, N>(first, others, to);
                    }
                }
                staging.flush::<I, _>(out);
            }
        }
    }
}

/// A block. A function, because the compiler knows that its parameters do not alias.
#[inline(always)]
fn block<I: Isa, W, U, O, C, T, const N: usize>(
    first: &[U; BLOCK],
    others: [&[T; BLOCK]; N],
    out: &mut [O::Out; BLOCK],
) where
    W: Map1<Conversions, U, Out = T>,
    O: Map<C, T, N>,
    U: Pod,
    T: Pod,
{
    if O::EACH {
        let mut firsts = [T::zeroed(); BLOCK];
        for place in 0..BLOCK {
            firsts[place] = W::map::<I>(first[place]);
        }
        return O::each::<I, BLOCK>(with_first(&firsts, others), out);
    }
    for place in 0..BLOCK {
        let first = W::map::<I>(first[place]);
        out[place] = O::map::<I>(with_first(first, at(&others, place)));
    }
}

pub(super) fn of_several<W, U, O, C, T, const N: usize>(
    arguments: &[&Along<'_>],
    columns: usize,
    stores: Stores,
    result: &mut [u8],
) where
    W: Map1<Conversions, U, Out = T>,
    O: Map<C, T, N>,
    U: Pod,
    T: Pod,
{
    let (out, map) = (cast_slice_mut(result), PhantomData);
    simd(Run::<W, U, O, C, T, O::Out, N> { arguments, columns, stores, out, map });
}
