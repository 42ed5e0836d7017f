//! Conversions between f32 and the floats that Rust does not compute with, as maps.

#![allow(clippy::cast_possible_truncation, reason = "the codes are computed in more bits than they have")]

use std::marker::PhantomData;

use super::step::Map;
pub(crate) use crate::math::small_float::F16;
use crate::math::small_float::{Beyond, code, of_bf16, of_f16, to_bf16, to_f16, to_f16s, widened};
pub(super) use crate::math::small_float::{E2M1, E4M3, E5M2, Greatest, Special};
use crate::simd::Isa;

/// From a small float to f32, exactly.
pub(crate) struct Widen<F>(PhantomData<F>);
/// From f32 to a small float.
pub(super) struct Narrow<F, B>(PhantomData<(F, B)>);

macro_rules! stored {
    ($($format:ident $stored:ident;)*) => {$(
        impl Map for Widen<$format> {
            type In = $stored;
            type Out = f32;
            #[inline(always)]
            fn map<I: Isa>(x: $stored) -> f32 { widened::<$format>(u32::from(x)) }
        }
        impl<B: Beyond<$format>> Map for Narrow<$format, B> {
            type In = f32;
            type Out = $stored;
            #[inline(always)]
            fn map<I: Isa>(x: f32) -> $stored { code::<$format, B>(x) as $stored }
        }
    )*};
}

stored! { E4M3 u8; E5M2 u8; E2M1 u8; }

/// The upper half of an f32.
pub(crate) struct Bf16;

macro_rules! halves {
    ($($format:ident [$widened:expr] $narrowed:ident $($each:ident)?;)*) => {$(
        impl Map for Widen<$format> {
            type In = u16;
            type Out = f32;
            #[inline(always)]
            fn map<I: Isa>(x: u16) -> f32 { $widened(x) }
        }
        impl Map for Narrow<$format, Special> {
            type In = f32;
            type Out = u16;
            #[inline(always)]
            fn map<I: Isa>(x: f32) -> u16 { $narrowed(x) }
            $(
                #[inline(always)]
                fn each<I: Isa>(x: &[f32], out: &mut [u16]) { $each::<I>(x, out); }
            )?
        }
    )*};
}

halves! { F16 [of_f16::<I>] to_f16 to_f16s; Bf16 [of_bf16] to_bf16; }

/// An f32 as near as a small float comes to it: to that, and back.
pub(super) struct Rounded<F>(PhantomData<F>);
impl<F> Map for Rounded<F>
where
    Narrow<F, Special>: Map<In = f32>,
    Widen<F>: Map<In = <Narrow<F, Special> as Map>::Out, Out = f32>,
{
    type In = f32;
    type Out = f32;
    #[inline(always)]
    fn map<I: Isa>(x: f32) -> f32 {
        Widen::<F>::map::<I>(Narrow::<F, Special>::map::<I>(x))
    }
}

/// Whether an f16 or a bf16 is something else than 0.
pub(super) struct HalfTruth;
impl Map for HalfTruth {
    type In = u16;
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: u16) -> u8 {
        u8::from(x & 0x7FFF != 0)
    }
}
