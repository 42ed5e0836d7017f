//! The loop of the kernels of several arguments.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable, cast};

use super::along::{Along, ArgumentRows, Staging, columns_of, exactly, splats};
use super::{BLOCK, Map, PIECE};
use crate::simd::{Body, Isa, Stores, Together};

/// Computes rows of so many elements.
pub(super) struct Run<'a, O, C, T, R, const N: usize> {
    pub(super) arguments: &'a [&'a Along<'a>],
    pub(super) columns: usize,
    pub(super) stores: Stores,
    pub(super) out: &'a mut [R],
    pub(super) map: PhantomData<(O, C, T)>,
}

impl<O: Map<C, T, N>, C, T: Pod, const N: usize> Body for Run<'_, O, C, T, O::Out, N> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Run { arguments, columns, stores, out, .. } = self;
        let Some(arguments) = exactly(arguments) else { return };
        let Some(columns) = columns_of(columns, out.len()) else { return };
        let in_place = O::FITS && arguments[0].is_empty();
        let (decoded, mut splats, mut staging) =
            (ArgumentRows::all(arguments, columns), splats(), Staging::new(stores));
        for (row, out) in out.chunks_mut(columns).enumerate() {
            let mut all = ArgumentRows::together(&decoded, row, &mut splats);
            let (blocks, behind) = out.as_chunks_mut::<BLOCK>();
            let (pieces, few) = behind.as_chunks_mut::<PIECE>();
            let (rest, before_few) = (all.rest(), pieces.len() * PIECE);
            for (number, out) in pieces.iter_mut().enumerate() {
                let mut arguments = rest.piece(number * PIECE);
                // Always copied: that costs less than a branch.
                let held = if O::FITS { cast(*out) } else { [T::zeroed(); PIECE] };
                if in_place {
                    arguments[0] = &held;
                }
                each::<I, O, C, T, N, PIECE>(arguments, out);
            }
            if O::IS_LONG && !few.is_empty() {
                // As one more piece, whose code is there: it is padded with the last element.
                let (mut held, mut made) = ([[T::zeroed(); PIECE]; N], [O::Out::zeroed(); PIECE]);
                for place in 0..PIECE {
                    let place_of = place.min(few.len() - 1);
                    let mut arguments = rest.at(before_few + place_of);
                    if O::FITS && in_place {
                        arguments[0] = cast(few[place_of]);
                    }
                    for n in 0..N {
                        held[n][place] = arguments[n];
                    }
                }
                each::<I, O, C, T, N, PIECE>(held.each_ref(), &mut made);
                few.copy_from_slice(&made[..few.len()]);
            } else {
                for (place, out) in few.iter_mut().enumerate() {
                    let mut arguments = rest.at(before_few + place);
                    if O::FITS && in_place {
                        arguments[0] = cast(*out);
                    }
                    *out = O::map::<I>(arguments);
                }
            }
            if O::FITS && in_place {
                for (others, out) in all.beside(blocks) {
                    change::<I, O, C, T, N>(others, out);
                }
                continue;
            }
            for out in blocks.chunks_mut(staging.batch::<O::Out>()) {
                let some = Blocks::<O, C, T, N>(all.split(out.len()), staging.blocks(out));
                if N > FEW {
                    I::called(some);
                } else {
                    some.run::<I>();
                }
                staging.flush::<I, _>(out);
            }
        }
    }
}

/// The element at one place of each block. Neither this nor the next takes a closure: the compiler would make one for each op
/// and type.
#[inline(always)]
pub(super) fn at<T: Copy, const N: usize, const V: usize>(blocks: &[&[T; V]; N], place: usize) -> [T; N] {
    let mut all = [blocks[0][place]; N];
    for n in 1..N {
        all[n] = blocks[n][place];
    }
    all
}

/// An array with its first item replaced.
#[inline(always)]
pub(super) fn with_first<T, const N: usize>(first: T, mut all: [T; N]) -> [T; N] {
    all[0] = first;
    all
}

/// With more arguments than this, the loop over blocks is a function of its own: a pointer and a step for each argument take all
/// registers.
const FEW: usize = 3;

/// Some blocks of a row.
struct Blocks<'a, 'o, O: Map<C, T, N>, C, T, const N: usize>(
    Together<'a, T, N, BLOCK>,
    &'o mut [[O::Out; BLOCK]],
);

impl<O: Map<C, T, N>, C, T: Copy, const N: usize> Body for Blocks<'_, '_, O, C, T, N> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        for (arguments, to) in self.0.beside(self.1) {
            each::<I, O, C, T, N, BLOCK>(arguments, to);
        }
    }
}

/// So many elements.
struct Each<'a, O: Map<C, T, N>, C, T, const N: usize, const V: usize>([&'a [T; V]; N], &'a mut [O::Out; V]);

impl<O: Map<C, T, N>, C, T: Copy, const N: usize, const V: usize> Body for Each<'_, O, C, T, N, V> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        O::each::<I, V>(self.0, self.1);
    }
}

/// Maps `V` elements. A function, because the compiler knows that its parameters do not alias.
#[inline(always)]
fn each<I: Isa, O: Map<C, T, N>, C, T: Copy, const N: usize, const V: usize>(
    arguments: [&[T; V]; N],
    out: &mut [O::Out; V],
) {
    if O::IS_LONG {
        I::called(Each::<O, C, T, N, V>(arguments, out));
    } else {
        O::each::<I, V>(arguments, out);
    }
}

/// [`each`] in place: the first argument is what the result holds. `others[0]` is never read.
#[inline(always)]
fn change<I: Isa, O: Map<C, T, N>, C, T: Pod, const N: usize>(
    others: [&[T; BLOCK]; N],
    out: &mut [O::Out; BLOCK],
) {
    if O::EACH || O::IS_LONG {
        let before: [T; BLOCK] = cast(*out);
        return each::<I, O, C, T, N, BLOCK>(with_first(&before, others), out);
    }
    for place in 0..BLOCK {
        out[place] = O::map::<I>(with_first(cast(out[place]), at(&others, place)));
    }
}

/// Whether it holds for any pair.
#[inline(always)]
pub(crate) fn any<T: Copy, const V: usize>(a: &[T; V], b: &[T; V], is_so: impl Fn(T, T) -> bool) -> bool {
    let mut any = false;
    for place in 0..V {
        any |= is_so(a[place], b[place]);
    }
    any
}
