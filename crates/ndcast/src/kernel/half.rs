//! Kernels of f16 and bf16: what is computed in f32, each operation rounded, in one pass.

use std::marker::PhantomData;

use half::{bf16, f16};

use super::{Floats, Kernel, Map, Map2, several};
use crate::dtype::DType;
use crate::element::Half;
use crate::simd::Isa;

/// The class of f16 and bf16.
pub(crate) struct Halves;

/// A function of f32, and what comes of it rounded.
pub(crate) struct Rounded<O>(PhantomData<O>);

impl<H: Half, O: Map2<Floats, f32, Out = f32>> Map2<Halves, H> for Rounded<O> {
    type Out = H;
    #[inline(always)]
    fn map<I: Isa>(a: H, b: H) -> H {
        H::rounded(O::map::<I>(a.widened::<I>(), b.widened::<I>()))
    }
}

/// The kernel of a map on so many arguments that are all f16 or all bf16; `None` for another type.
pub(crate) fn halves<O, const N: usize>(dtype: DType) -> Option<Kernel>
where
    O: Map<Halves, f16, N> + Map<Halves, bf16, N>,
{
    match dtype {
        DType::F16 => Some(several::<O, Halves, f16, N>()),
        DType::Bf16 => Some(several::<O, Halves, bf16, N>()),
        _ => None,
    }
}

/// The kernel of an op on f16 or bf16; `None` for another type.
pub(crate) fn rounded2<O: Map2<Floats, f32, Out = f32>>(dtype: DType) -> Option<Kernel> {
    halves::<Rounded<O>, 2>(dtype)
}
