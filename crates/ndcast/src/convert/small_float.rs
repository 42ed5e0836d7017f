//! The binary floats that Rust does not compute with: f16, bf16, f8e4m3, f8e5m2 and f4e2m1, to and from f32.
//!
//! They are a sign, an exponent and a mantissa of few bits, so one piece of arithmetic is for all of them; it has no
//! branches and no tables, and the compiler makes vectors of it. The conversion instructions that many machines have
//! for f16 are not used: the compiler knows no such operation, and calling them by name is unsafe code.
//!
//! Rounding is to the nearest, ties to even, by the machine's own addition: a power of two is added that pushes the
//! bits that do not fit off the end of the f32. NaN stays NaN, with its sign; what else it holds is lost on the way
//! down and kept on the way up.

#![allow(clippy::cast_possible_truncation, reason = "the codes are computed in more bits than they have")]

use std::marker::PhantomData;

use super::step::Map;

/// The sign bit of an f32.
const SIGN: u32 = 0x8000_0000;
/// An f32's infinity; greater magnitudes are NaN.
const INFINITY: u32 = 0x7F80_0000;
/// Bits of an f32's mantissa.
const MANTISSA: u32 = 23;

/// The layout of a small float, and what its codes beyond the finite ones mean.
pub(super) trait Format {
    /// Bits of the mantissa.
    const MANTISSA: u32;
    /// The exponent of the least normal number, as an f32 has it: plus 127.
    const LEAST: u32;
    /// Where the sign is.
    const SIGN: u32;
    /// The first magnitude that means no finite number, and what an f32 adds to the bits of it and beyond.
    const SPECIAL: u32;
    const LIFT: u32;
}

/// 5 bits of exponent, 10 of mantissa.
pub(super) struct F16;
impl Format for F16 {
    const MANTISSA: u32 = 10;
    const LEAST: u32 = 127 - 14;
    const SIGN: u32 = 0x8000;
    const SPECIAL: u32 = 0x7C00;
    // From the exponent 143, which 31 became, to 255.
    const LIFT: u32 = 112 << MANTISSA;
}

/// 4 bits of exponent, 3 of mantissa; a NaN and no infinities.
pub(super) struct E4M3;
impl Format for E4M3 {
    const MANTISSA: u32 = 3;
    const LEAST: u32 = 127 - 6;
    const SIGN: u32 = 0x80;
    const SPECIAL: u32 = 0x7F;
    // From the exponent 135 to 255.
    const LIFT: u32 = 120 << MANTISSA;
}

/// 5 bits of exponent, 2 of mantissa.
pub(super) struct E5M2;
impl Format for E5M2 {
    const MANTISSA: u32 = 2;
    const LEAST: u32 = 127 - 14;
    const SIGN: u32 = 0x80;
    const SPECIAL: u32 = 0x7C;
    const LIFT: u32 = 112 << MANTISSA;
}

/// 2 bits of exponent, 1 of mantissa; nothing but finite numbers.
pub(super) struct E2M1;
impl Format for E2M1 {
    const MANTISSA: u32 = 1;
    const LEAST: u32 = 127;
    const SIGN: u32 = 0x8;
    const SPECIAL: u32 = 0x8;
    const LIFT: u32 = 0;
}

/// The f32 of a code.
#[inline(always)]
fn widened<F: Format>(code: u32) -> f32 {
    let magnitude = code & (F::SIGN - 1);
    let sign = if code & F::SIGN == 0 { 0 } else { SIGN };
    let shifted = (magnitude << (MANTISSA - F::MANTISSA)) + ((F::LEAST - 1) << MANTISSA);
    // Without the leading 1 that normal numbers have: with it, and then less it.
    let least = f32::from_bits(F::LEAST << MANTISSA);
    let subnormal = f32::from_bits(shifted + (1 << MANTISSA)) - least;
    let special = if magnitude >= F::SPECIAL { F::LIFT } else { 0 };
    let bits =
        if magnitude >> F::MANTISSA == 0 { subnormal.to_bits() } else { shifted.wrapping_add(special) };
    f32::from_bits(bits | sign)
}

/// The magnitude's code for the bits of a magnitude up to `limit`, to which the greater ones are cut.
#[inline(always)]
fn narrowed<F: Format>(magnitude: u32, limit: u32) -> u32 {
    let magnitude = magnitude.min(limit);
    let exponent = (magnitude & INFINITY).max(F::LEAST << MANTISSA);
    // One unit of this number's last place is one unit of the code's.
    let coarse = exponent + ((MANTISSA - F::MANTISSA) << MANTISSA);
    let rounded = f32::from_bits(magnitude) + f32::from_bits(coarse);
    let code = rounded.to_bits().wrapping_sub(coarse);
    // The leading 1 is in there already, as one unit of the exponent.
    code.wrapping_add((exponent >> (MANTISSA - F::MANTISSA)) - (F::LEAST << F::MANTISSA))
}

/// What becomes of numbers that a small float does not hold.
pub(super) trait Beyond<F> {
    /// To what larger magnitudes are cut before they are rounded.
    const LIMIT: u32;
    /// The greatest code that is left.
    const GREATEST: u32;
    /// The code of NaN.
    const NAN: u32;
    /// What is added to the sign of NaN: the sign bit where it is turned around.
    const TURN: u32 = 0;
}

/// An infinity, or NaN where there is none, or the greatest number where there is neither: `ml_dtypes` does so.
pub(super) struct Special;
/// The greatest number.
pub(super) struct Greatest;

impl Beyond<F16> for Special {
    // 2^16, whose code is the infinity's.
    const LIMIT: u32 = 143 << MANTISSA;
    const GREATEST: u32 = 0x7C00;
    const NAN: u32 = 0x7E00;
}
impl Beyond<E4M3> for Special {
    // 480, whose code is NaN's.
    const LIMIT: u32 = 0x43F0_0000;
    const GREATEST: u32 = 0x7F;
    const NAN: u32 = 0x7F;
}
impl Beyond<E4M3> for Greatest {
    const LIMIT: u32 = 0x43F0_0000;
    const GREATEST: u32 = 0x7E;
    const NAN: u32 = 0x7F;
}
impl Beyond<E5M2> for Special {
    const LIMIT: u32 = 143 << MANTISSA;
    const GREATEST: u32 = 0x7C;
    const NAN: u32 = 0x7E;
}
impl Beyond<E5M2> for Greatest {
    const LIMIT: u32 = 143 << MANTISSA;
    const GREATEST: u32 = 0x7B;
    const NAN: u32 = 0x7E;
}
impl Beyond<E2M1> for Special {
    // 6.
    const LIMIT: u32 = 0x40C0_0000;
    const GREATEST: u32 = 7;
    // There is no NaN. `ml_dtypes` makes -0 of it, and ONNX's tests want that; of a negative one it makes 0.
    const NAN: u32 = 0;
    const TURN: u32 = E2M1::SIGN;
}
impl Beyond<E2M1> for Greatest {
    const LIMIT: u32 = 0x40C0_0000;
    const GREATEST: u32 = 7;
    // As OpenVINO does.
    const NAN: u32 = 7;
}

#[inline(always)]
fn code<F: Format, B: Beyond<F>>(x: f32) -> u32 {
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    let sign = if bits & SIGN == 0 { 0 } else { F::SIGN };
    let number = narrowed::<F>(magnitude, B::LIMIT).min(B::GREATEST) | sign;
    if magnitude > INFINITY { B::NAN | (sign ^ B::TURN) } else { number }
}

/// From a small float to f32, exactly.
pub(super) struct Widen<F>(PhantomData<F>);
/// From f32 to a small float.
pub(super) struct Narrow<F, B>(PhantomData<(F, B)>);

macro_rules! stored {
    ($($format:ident $stored:ident;)*) => {$(
        impl Map for Widen<$format> {
            type In = $stored;
            type Out = f32;
            #[inline(always)]
            fn map(x: $stored) -> f32 { widened::<$format>(u32::from(x)) }
        }
        impl<B: Beyond<$format>> Map for Narrow<$format, B> {
            type In = f32;
            type Out = $stored;
            #[inline(always)]
            fn map(x: f32) -> $stored { code::<$format, B>(x) as $stored }
        }
    )*};
}

stored! { F16 u16; E4M3 u8; E5M2 u8; E2M1 u8; }

/// The upper half of an f32: its conversions need less.
pub(super) struct Bf16;

impl Map for Widen<Bf16> {
    type In = u16;
    type Out = f32;
    #[inline(always)]
    fn map(x: u16) -> f32 {
        f32::from_bits(u32::from(x) << 16)
    }
}

impl Map for Narrow<Bf16, Special> {
    type In = f32;
    type Out = u16;
    #[inline(always)]
    fn map(x: f32) -> u16 {
        let bits = x.to_bits();
        // Half a unit less a little, and that little if the last bit is odd. NaN could overflow; it is not used.
        let rounded = bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) >> 16;
        let nan = ((bits & SIGN) | 0x7FC0_0000) >> 16;
        (if x.is_nan() { nan } else { rounded }) as u16
    }
}

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
    fn map(x: f32) -> f32 {
        Widen::<F>::map(Narrow::<F, Special>::map(x))
    }
}

/// Whether an f16 or a bf16 is something else than 0.
pub(super) struct HalfTruth;
impl Map for HalfTruth {
    type In = u16;
    type Out = u8;
    #[inline(always)]
    fn map(x: u16) -> u8 {
        u8::from(x & 0x7FFF != 0)
    }
}
