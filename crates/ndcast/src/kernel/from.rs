//! Kernels that convert their first argument as they read it.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice_mut};

use super::along::{Past, Row};
use super::{Along, BLOCK, Kernel, Map, Map1, at, with_first};
use crate::simd::{Body, Isa, Stores, simd};

/// The class of what is only converted.
pub(crate) struct Conversions;

/// The kernel of a map on so many elements of one type, of which the first is made of one of another. It never finds that
/// in its result.
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
        let Ok(arguments) = <&[&Along<'_>; N]>::try_from(arguments) else { return };
        let Some((&first, _)) = arguments.split_first() else { return };
        let others = with_first(&Along::NONE, *arguments);
        let (mut alike_first, mut alike, mut past) = ([None], [None; N], Past::new(stores));
        for (row, out) in out.chunks_mut(columns).enumerate() {
            let firsts = Row::of(&[first], row, out.len(), &mut alike_first);
            let others = Row::of(&others, row, out.len(), &mut alike);
            let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
            for (place, out) in rest.iter_mut().enumerate() {
                let [first] = firsts.rest(place);
                *out = O::map::<I>(with_first(W::map::<I>(first), others.rest(place)));
            }
            let mut firsts = firsts.blocks;
            for (others, out) in others.blocks.beside(blocks) {
                if let Some([first]) = firsts.next() {
                    block::<I, W, U, O, C, T, N>(first, others, past.aside(out));
                    past.write::<I>(out);
                }
            }
        }
        past.finish::<I>();
    }
}

/// A block; a function, because the compiler knows of its parameters that none lies on another.
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
