//! What the functions of this folder are made of: polynomials, rounding and scaling by the bits of a float, sums and
//! products with their rounding errors.
//!
//! Everything is straight-line code. A conversion of a float to an integer saturates in Rust, which takes
//! instructions that do not exist for vectors of 64 bits; adding a number so great that no bits are left behind the
//! point rounds as well, and leaves the integer in the low bits of the sum.

use crate::simd::Isa;

/// ln 2 in two parts, the first with so few bits that its product with an integer up to 2^21 is exact.
pub(super) const LN2_UPPER: f64 = 0.693_147_180_369_123_8;
pub(super) const LN2_LOWER: f64 = 1.908_214_929_270_587_7e-10;

/// 1.5 * 2^52: a number of this size has no bits behind the point, and its low bits hold a small addend in two's
/// complement.
pub(super) const ROUND64: f64 = 6_755_399_441_055_744.0;
/// 1.5 * 2^23, the same for f32.
const ROUND32: f32 = 12_582_912.0;
/// What [`Power64`] adds to an exponent, so that it is positive and even: twice the bias, 2 * 1023.
const SHIFTED64: f64 = ROUND64 + 2046.0;
const SHIFTED32: f32 = ROUND32 + 254.0;

/// The value of a polynomial, whose constant comes first, by Horner's rule.
#[inline(always)]
pub(super) fn poly64<I: Isa, const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    for k in (0..N - 1).rev() {
        sum = I::fma64(sum, x, coefficients[k]);
    }
    sum
}

/// The value of a polynomial, whose constant comes first, by Horner's rule.
#[inline(always)]
pub(super) fn poly32<I: Isa, const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    let mut sum = coefficients[N - 1];
    for k in (0..N - 1).rev() {
        sum = I::fma32(sum, x, coefficients[k]);
    }
    sum
}

/// An integer n nearest to a float, and 2^n as two factors, so that neither overflows nor is subnormal.
#[derive(Clone, Copy)]
pub(super) struct Power64 {
    /// The integer, as a float.
    pub(super) n: f64,
    bits: u64,
}

impl Power64 {
    /// The nearest integer to `x * factor`, which is from -2000 to 2000.
    #[inline(always)]
    pub(super) fn nearest<I: Isa>(x: f64, factor: f64) -> Power64 {
        let shifted = I::fma64(x, factor, SHIFTED64);
        Power64 { n: shifted - SHIFTED64, bits: shifted.to_bits() }
    }

    /// `x * 2^n`, rounded once: the first product is exact.
    #[inline(always)]
    pub(super) fn times(self, x: f64) -> f64 {
        // The low bits are n + 2 * 1023: half of it, rounded down and up, are two exponents with their biases.
        let lower = f64::from_bits((self.bits >> 1) << 52);
        let upper = f64::from_bits((self.bits.wrapping_add(1) >> 1) << 52);
        x * lower * upper
    }

    /// 2^n, for an n from -1022 to 1023.
    #[inline(always)]
    pub(super) fn value(self) -> f64 {
        f64::from_bits(self.bits.wrapping_sub(1023) << 52)
    }

    /// 2^-n, for an n from -1023 to 1022.
    #[inline(always)]
    pub(super) fn inverse(self) -> f64 {
        f64::from_bits(3069_u64.wrapping_sub(self.bits) << 52)
    }
}

/// An integer n nearest to a float, and 2^n as two factors, so that neither overflows nor is subnormal.
#[derive(Clone, Copy)]
pub(super) struct Power32 {
    /// The integer, as a float.
    pub(super) n: f32,
    bits: u32,
}

impl Power32 {
    /// The nearest integer to `x * factor`, which is from -250 to 250.
    #[inline(always)]
    pub(super) fn nearest<I: Isa>(x: f32, factor: f32) -> Power32 {
        let shifted = I::fma32(x, factor, SHIFTED32);
        Power32 { n: shifted - SHIFTED32, bits: shifted.to_bits() }
    }

    /// `x * 2^n`, rounded once: the first product is exact.
    #[inline(always)]
    pub(super) fn times(self, x: f32) -> f32 {
        let lower = f32::from_bits((self.bits >> 1) << 23);
        let upper = f32::from_bits((self.bits.wrapping_add(1) >> 1) << 23);
        x * lower * upper
    }
}

/// The smaller of a number and a limit; NaN stays.
#[inline(always)]
pub(super) fn at_most(x: f64, limit: f64) -> f64 {
    if x > limit { limit } else { x }
}

/// The greater of a number and a limit; NaN stays.
#[inline(always)]
pub(super) fn at_least(x: f64, limit: f64) -> f64 {
    if x < limit { limit } else { x }
}

/// The sign of one number on another.
#[inline(always)]
pub(super) fn with_sign(magnitude: f64, sign: f64) -> f64 {
    let mask = 1 << 63;
    f64::from_bits((magnitude.to_bits() & !mask) | (sign.to_bits() & mask))
}

/// A sum and its rounding error, for a first number that is the greater one or 0.
#[inline(always)]
pub(super) fn sum_greater_first(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, (a - sum) + b)
}

/// A sum and its rounding error (Knuth's).
#[inline(always)]
pub(super) fn sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// A number rounded to 26 bits and the rest, which has as many.
#[inline(always)]
pub(super) fn halves(x: f64) -> (f64, f64) {
    let upper = f64::from_bits(x.to_bits().wrapping_add(1 << 26) & (!0 << 27));
    (upper, x - upper)
}

/// A product and its rounding error.
#[inline(always)]
pub(super) fn product<I: Isa>(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    if I::FMA {
        return (product, I::fma64(a, b, -product));
    }
    // Dekker's: the products of halves are exact.
    let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
    (product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2)
}

/// The nearest f32.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "rounded to the nearest")]
pub(super) fn round32(x: f64) -> f32 {
    x as f32
}

/// `1 / x` to about 46 bits, for an x that is a normal f32 and whose inverse is one: a division of f32 takes a third
/// of the time of one of f64. For more bits the division itself is as fast.
#[inline(always)]
pub(super) fn inverse46<I: Isa>(x: f64) -> f64 {
    let near = f64::from(1.0 / round32(x));
    I::fma64(near, I::fma64(-x, near, 1.0), near)
}
