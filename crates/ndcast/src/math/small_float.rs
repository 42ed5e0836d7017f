//! The binary floats that Rust does not compute with: f16, bf16, f8e4m3, f8e5m2 and f4e2m1, to and from f32.
//!
//! They are a sign, an exponent and a mantissa of few bits, so one piece of arithmetic is for all of them; it has no
//! branches and no tables, and the compiler makes vectors of it. Where the processor reads an f16 by itself, that is done.
//!
//! Rounding is to the nearest, ties to even, by the machine's own addition: a power of two is added that pushes the
//! bits that do not fit off the end of the f32. NaN stays NaN, with its sign; what else it holds is lost on the way
//! down, but for an f16, and kept on the way up. That of an f16 becomes quiet both ways, as processors have it.

use crate::simd::{HALVES, Isa};

/// The sign bit of an f32.
const SIGN: u32 = 0x8000_0000;
/// An f32's infinity; greater magnitudes are NaN.
const INFINITY: u32 = 0x7F80_0000;
/// The bit by which an f32's NaN is quiet.
const QUIET: u32 = 0x0040_0000;
/// Bits of an f32's mantissa.
const MANTISSA: u32 = 23;

/// The layout of a small float, and what its codes beyond the finite ones mean.
pub(crate) trait Format {
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
pub(crate) struct F16;
impl Format for F16 {
    const MANTISSA: u32 = 10;
    const LEAST: u32 = 127 - 14;
    const SIGN: u32 = 0x8000;
    const SPECIAL: u32 = 0x7C00;
    // From the exponent 143, which 31 became, to 255.
    const LIFT: u32 = 112 << MANTISSA;
}

/// 4 bits of exponent, 3 of mantissa; a NaN and no infinities.
pub(crate) struct E4M3;
impl Format for E4M3 {
    const MANTISSA: u32 = 3;
    const LEAST: u32 = 127 - 6;
    const SIGN: u32 = 0x80;
    const SPECIAL: u32 = 0x7F;
    // From the exponent 135 to 255.
    const LIFT: u32 = 120 << MANTISSA;
}

/// 5 bits of exponent, 2 of mantissa.
pub(crate) struct E5M2;
impl Format for E5M2 {
    const MANTISSA: u32 = 2;
    const LEAST: u32 = 127 - 14;
    const SIGN: u32 = 0x80;
    const SPECIAL: u32 = 0x7C;
    const LIFT: u32 = 112 << MANTISSA;
}

/// 2 bits of exponent, 1 of mantissa; nothing but finite numbers.
pub(crate) struct E2M1;
impl Format for E2M1 {
    const MANTISSA: u32 = 1;
    const LEAST: u32 = 127;
    const SIGN: u32 = 0x8;
    const SPECIAL: u32 = 0x8;
    const LIFT: u32 = 0;
}

/// The f32 of a code.
#[inline(always)]
pub(crate) fn widened<F: Format>(code: u32) -> f32 {
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
pub(crate) trait Beyond<F> {
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
pub(crate) struct Special;
/// The greatest number.
pub(crate) struct Greatest;

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

/// The code of an f32, rounded.
#[inline(always)]
pub(crate) fn code<F: Format, B: Beyond<F>>(x: f32) -> u32 {
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    let sign = if bits & SIGN == 0 { 0 } else { F::SIGN };
    let number = narrowed::<F>(magnitude, B::LIMIT).min(B::GREATEST) | sign;
    if magnitude > INFINITY { B::NAN | (sign ^ B::TURN) } else { number }
}

/// The f32 of an f16's code.
#[inline(always)]
pub(crate) fn of_f16<I: Isa>(code: u16) -> f32 {
    let computed = |code: u32| {
        let quiet = if code & (F16::SIGN - 1) > F16::SPECIAL { QUIET } else { 0 };
        f32::from_bits(widened::<F16>(code).to_bits() | quiet)
    };
    I::of_f16(code).unwrap_or_else(|| computed(u32::from(code)))
}

/// The code of the f16 next to an f32.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the code is computed in more bits than it has")]
pub(crate) fn to_f16(x: f32) -> u16 {
    const LOST: u32 = MANTISSA - F16::MANTISSA;
    let held = if x.is_nan() { (x.to_bits() >> LOST) & ((1 << F16::MANTISSA) - 1) } else { 0 };
    (code::<F16, Special>(x) | held) as u16
}

/// The codes of the f16 next to each of as many f32.
#[inline(always)]
pub(crate) fn to_f16s<I: Isa>(numbers: &[f32], codes: &mut [u16]) {
    let (blocks, rest) = numbers.as_chunks::<HALVES>();
    let (coded, few) = codes.as_chunks_mut::<HALVES>();
    for (coded, block) in coded.iter_mut().zip(blocks) {
        if let Some(made) = I::to_f16s(block) {
            *coded = made;
        } else {
            for place in 0..HALVES {
                coded[place] = to_f16(block[place]);
            }
        }
    }
    for (code, &number) in few.iter_mut().zip(rest) {
        *code = to_f16(number);
    }
}

/// The f32 of a bf16's code, which is its upper half.
#[inline(always)]
pub(crate) fn of_bf16(code: u16) -> f32 {
    f32::from_bits(u32::from(code) << 16)
}

/// The code of the bf16 next to an f32.
#[inline(always)]
pub(crate) fn to_bf16(x: f32) -> u16 {
    let nan = upper_half((x.to_bits() & SIGN) | INFINITY | QUIET);
    if x.is_nan() { nan } else { number_to_bf16(x) }
}

/// The code of the bf16 next to an f32 that is a number, or a NaN with nothing in its lower half.
#[inline(always)]
pub(crate) fn number_to_bf16(x: f32) -> u16 {
    upper_half(rounded_to_bf16(x))
}

/// Bits of which the upper half is the code of the bf16 next to such an f32.
#[inline(always)]
pub(crate) fn rounded_to_bf16(x: f32) -> u32 {
    let bits = x.to_bits();
    // Half a unit less a little, and that little if the last bit is odd. Another NaN could overflow.
    bits.wrapping_add(0x7FFF + ((bits >> 16) & 1))
}

#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "it was shifted to have so many bits")]
fn upper_half(bits: u32) -> u16 {
    (bits >> 16) as u16
}
