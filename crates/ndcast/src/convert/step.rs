//! How conversions are put together: a map of one element becomes a kernel, and two kernels one behind the other
//! become a third.
//!
//! There are 27 element types and so 702 pairs of different ones. A loop for each, three times for the instruction
//! sets, would be a megabyte of code that hardly ever runs. So a loop exists only where a pair is frequent or cannot
//! be split; the others go through a block on the stack, which stays in the cache.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use crate::kernel::{Conversions, Kernel, Map1, OfOne};
use crate::simd::{Body, Isa, simd};

/// Elements between two steps: few enough for the first level of the cache beside the engine's own tiles, enough
/// that two calls more do not count.
const BLOCK: usize = 256;

/// A kernel of one argument with the types of what it reads and writes.
pub(super) trait Step {
    type In: Pod;
    type Out: Pod;
    const RUN: OfOne;
    const KERNEL: Kernel = Kernel::One(Self::RUN);
}

/// What happens to one element. It is `#[inline(always)]` and has no branches, so that the loop becomes vectors.
pub(crate) trait Map {
    type In: Pod;
    type Out: Pod;
    fn map<I: Isa>(x: Self::In) -> Self::Out;

    /// Of each element; another loop than this one only where that is faster.
    #[inline(always)]
    fn each<I: Isa>(x: &[Self::In], out: &mut [Self::Out]) {
        for (out, &x) in out.iter_mut().zip(x) {
            *out = Self::map::<I>(x);
        }
    }
}

/// A kernel of another operation may convert its argument or its result so.
impl<M: Map> Map1<Conversions, M::In> for M {
    type Out = M::Out;
    #[inline(always)]
    fn map<I: Isa>(x: M::In) -> M::Out {
        <M as Map>::map::<I>(x)
    }
    #[inline(always)]
    fn each<I: Isa>(x: &[M::In], out: &mut [M::Out]) {
        <M as Map>::each::<I>(x, out);
    }
}

impl<M: Map> Step for M {
    type In = M::In;
    type Out = M::Out;
    const RUN: OfOne = each::<M>;
}

/// The loop of a map.
pub(super) struct Each<'a, M: Map>(pub(super) &'a [M::In], pub(super) &'a mut [M::Out]);
impl<M: Map> Body for Each<'_, M> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        M::each::<I>(self.0, self.1);
    }
}

fn each<M: Map>(x: &[u8], result: &mut [u8]) {
    simd(Each::<M>(cast_slice(x), cast_slice_mut(result)));
}

/// The first step, then the second.
pub(super) struct Then<A, B>(PhantomData<(A, B)>);
impl<A: Step, B: Step<In = A::Out>> Step for Then<A, B> {
    type In = A::In;
    type Out = B::Out;
    const RUN: OfOne = then::<A, B>;
}

/// A kernel, and the bytes of an element on its side that is not the block.
struct Side(OfOne, usize);

fn then<A: Step, B: Step<In = A::Out>>(x: &[u8], result: &mut [u8]) {
    through::<A::Out>(&Side(A::RUN, size_of::<A::In>()), &Side(B::RUN, size_of::<B::Out>()), x, result);
}

/// Not generic over the steps, and never inlined: there are some hundred pairs of them.
#[inline(never)]
fn through<T: Pod>(first: &Side, second: &Side, x: &[u8], result: &mut [u8]) {
    let mut block = [T::zeroed(); BLOCK];
    let (Side(first, from), Side(second, to)) = (first, second);
    for (x, result) in x.chunks(BLOCK * from).zip(result.chunks_mut(BLOCK * to)) {
        let middle: &mut [u8] = cast_slice_mut(&mut block[..result.len() / to]);
        first(x, middle);
        second(middle, result);
    }
}

/// The conversion of elements to their own type, and between types of the same bytes.
pub(super) const COPY: Kernel = Kernel::One(copy);

fn copy(x: &[u8], result: &mut [u8]) {
    for (out, &x) in result.iter_mut().zip(x) {
        *out = x;
    }
}
