//! What the functions of this folder are made of: polynomials, rounding and scaling by the bits of a float, sums and
//! products with their rounding errors.
//!
//! Everything is straight-line code. A conversion of a float to an integer saturates in Rust, which takes
//! instructions that do not exist for vectors of 64 bits; adding a number so great that no bits are left behind the
//! point rounds as well, and leaves the integer in the low bits of the sum.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::simd::Isa;

/// 1.5 * 2^52: a number of this size has no bits behind the point, and its low bits hold a small addend in two's
/// complement.
pub(super) const ROUND64: f64 = 6_755_399_441_055_744.0;
/// 1.5 * 2^23, the same for f32.
const ROUND32: f32 = 12_582_912.0;

/// A float, f32 or f64, for what is computed alike in both.
pub(super) trait Real:
    Copy
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    const ZERO: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    const INFINITY: Self;
    const NAN: Self;
    /// The least normal number.
    const LEAST: Self;
    const LOG2_E: Self;
    const LN_2: Self;
    /// ln 2 in two parts, the first with so few bits that its product with an exponent, or with an integer up to 2^21
    /// in f64, is exact.
    const LN2_UPPER: Self;
    const LN2_LOWER: Self;
    /// From here on, 1 is no part of a sum with 2^x or exp(x).
    const GREAT: Self;
    /// The exponent n for which both factors of 2^n are 0. So is what they are multiplied with then, at once: for a product that
    /// is too small for a float, and not 0, processors take many times as long.
    const LEAST_POWER: Self;
    /// An x of which exp(x) has that exponent.
    const VANISHES: Self;
    /// What [`Power`] adds to an exponent, so that it is in the low bits, positive and even: twice the bias.
    const SHIFT: Self;

    /// `a * b + c`.
    fn fma<I: Isa>(a: Self, b: Self, c: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// The sign of another number on this one.
    fn with_sign(self, sign: Self) -> Self;
    /// A number rounded to half of its bits, and the rest, which has as many.
    fn halves(self) -> (Self, Self);
    /// 2^n as two factors, of n + [`Self::SHIFT`].
    fn factors_of_power(shifted: Self) -> (Self, Self);
    /// 2^n, of n + [`Self::SHIFT`].
    fn power(shifted: Self) -> Self;
    /// 2^-n, of n + [`Self::SHIFT`].
    fn inverse_power(shifted: Self) -> Self;
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const HALF: f32 = 0.5;
    const ONE: f32 = 1.0;
    const TWO: f32 = 2.0;
    const INFINITY: f32 = f32::INFINITY;
    const NAN: f32 = f32::NAN;
    const LEAST: f32 = f32::MIN_POSITIVE;
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    const LN_2: f32 = std::f32::consts::LN_2;
    const LN2_UPPER: f32 = 0.693_359_4;
    const LN2_LOWER: f32 = -2.121_944_4e-4;
    const GREAT: f32 = 60.0;
    const LEAST_POWER: f32 = -254.0;
    const VANISHES: f32 = -176.0;
    const SHIFT: f32 = ROUND32 - f32::LEAST_POWER;

    #[inline(always)]
    fn fma<I: Isa>(a: f32, b: f32, c: f32) -> f32 {
        I::fma32(a, b, c)
    }

    #[inline(always)]
    fn abs(self) -> f32 {
        self.abs()
    }

    #[inline(always)]
    fn sqrt(self) -> f32 {
        self.sqrt()
    }

    #[inline(always)]
    fn with_sign(self, sign: f32) -> f32 {
        let mask = 1 << 31;
        f32::from_bits((self.to_bits() & !mask) | (sign.to_bits() & mask))
    }

    #[inline(always)]
    fn halves(self) -> (f32, f32) {
        let upper = f32::from_bits(self.to_bits().wrapping_add(1 << 11) & (!0 << 12));
        (upper, self - upper)
    }

    #[inline(always)]
    fn factors_of_power(shifted: f32) -> (f32, f32) {
        let bits = shifted.to_bits();
        (f32::from_bits((bits >> 1) << 23), f32::from_bits((bits.wrapping_add(1) >> 1) << 23))
    }

    #[inline(always)]
    fn power(shifted: f32) -> f32 {
        f32::from_bits(shifted.to_bits().wrapping_sub(127) << 23)
    }

    #[inline(always)]
    fn inverse_power(shifted: f32) -> f32 {
        f32::from_bits(381_u32.wrapping_sub(shifted.to_bits()) << 23)
    }
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const HALF: f64 = 0.5;
    const ONE: f64 = 1.0;
    const TWO: f64 = 2.0;
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    const LEAST: f64 = f64::MIN_POSITIVE;
    const LOG2_E: f64 = std::f64::consts::LOG2_E;
    const LN_2: f64 = std::f64::consts::LN_2;
    const LN2_UPPER: f64 = 0.693_147_180_369_123_8;
    const LN2_LOWER: f64 = 1.908_214_929_270_587_7e-10;
    const GREAT: f64 = 60.0;
    const LEAST_POWER: f64 = -2046.0;
    const VANISHES: f64 = -1418.0;
    const SHIFT: f64 = ROUND64 - f64::LEAST_POWER;

    #[inline(always)]
    fn fma<I: Isa>(a: f64, b: f64, c: f64) -> f64 {
        I::fma64(a, b, c)
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        self.abs()
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        self.sqrt()
    }

    #[inline(always)]
    fn with_sign(self, sign: f64) -> f64 {
        let mask = 1 << 63;
        f64::from_bits((self.to_bits() & !mask) | (sign.to_bits() & mask))
    }

    #[inline(always)]
    fn halves(self) -> (f64, f64) {
        let upper = f64::from_bits(self.to_bits().wrapping_add(1 << 26) & (!0 << 27));
        (upper, self - upper)
    }

    #[inline(always)]
    fn factors_of_power(shifted: f64) -> (f64, f64) {
        let bits = shifted.to_bits();
        (f64::from_bits((bits >> 1) << 52), f64::from_bits((bits.wrapping_add(1) >> 1) << 52))
    }

    #[inline(always)]
    fn power(shifted: f64) -> f64 {
        f64::from_bits(shifted.to_bits().wrapping_sub(1023) << 52)
    }

    #[inline(always)]
    fn inverse_power(shifted: f64) -> f64 {
        f64::from_bits(3069_u64.wrapping_sub(shifted.to_bits()) << 52)
    }
}

/// The value of a polynomial, whose constant comes first, by Horner's rule.
#[inline(always)]
pub(super) fn poly<I: Isa, T: Real, const N: usize>(x: T, coefficients: [T; N]) -> T {
    let mut sum = coefficients[N - 1];
    for k in (0..N - 1).rev() {
        sum = T::fma::<I>(sum, x, coefficients[k]);
    }
    sum
}

/// An integer n nearest to a float, and 2^n.
#[derive(Clone, Copy)]
pub(super) struct Power<T> {
    /// The integer, as a float.
    pub(super) n: T,
    /// The same, shifted by [`Real::SHIFT`].
    shifted: T,
}

impl<T: Real> Power<T> {
    /// The nearest integer to `x * factor`, which is from -2000 to 2000, or from -250 to 250 in f32.
    #[inline(always)]
    pub(super) fn nearest<I: Isa>(x: T, factor: T) -> Power<T> {
        let shifted = T::fma::<I>(x, factor, T::SHIFT);
        Power { n: shifted - T::SHIFT, shifted }
    }

    /// `x * 2^n`, rounded once: the first product is exact. In two factors, neither overflows nor is subnormal; both are 0 for
    /// [`Real::LEAST_POWER`].
    #[inline(always)]
    pub(super) fn times(self, x: T) -> T {
        // The low bits are n and twice the bias: half of it, rounded down and up, are two exponents with theirs.
        let (lower, upper) = T::factors_of_power(self.shifted);
        x * lower * upper
    }

    /// 2^n, for an n from -1022 to 1023, or from -126 to 127 in f32.
    #[inline(always)]
    pub(super) fn value(self) -> T {
        T::power(self.shifted)
    }

    /// 2^-n, for an n from -1023 to 1022, or from -127 to 126 in f32.
    #[inline(always)]
    pub(super) fn inverse(self) -> T {
        T::inverse_power(self.shifted)
    }
}

/// The smaller of a number and a limit; NaN stays.
#[inline(always)]
pub(super) fn at_most<T: Real>(x: T, limit: T) -> T {
    if x > limit { limit } else { x }
}

/// The greater of a number and a limit; NaN stays.
#[inline(always)]
pub(super) fn at_least<T: Real>(x: T, limit: T) -> T {
    if x < limit { limit } else { x }
}

/// The sign of one number on another.
#[inline(always)]
pub(super) fn with_sign<T: Real>(magnitude: T, sign: T) -> T {
    magnitude.with_sign(sign)
}

/// A sum and its rounding error, for a first number that is the greater one or 0.
#[inline(always)]
pub(super) fn sum_greater_first<T: Real>(a: T, b: T) -> (T, T) {
    let sum = a + b;
    (sum, (a - sum) + b)
}

/// A sum and its rounding error (Knuth's).
#[inline(always)]
pub(super) fn sum<T: Real>(a: T, b: T) -> (T, T) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// A product and its rounding error.
#[inline(always)]
pub(super) fn product<I: Isa, T: Real>(a: T, b: T) -> (T, T) {
    let product = a * b;
    if I::FMA {
        return (product, T::fma::<I>(a, b, -product));
    }
    // Dekker's: the products of halves are exact.
    let ((a1, a2), (b1, b2)) = (a.halves(), b.halves());
    (product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2)
}

/// The square root of a number in two parts, and what it lacks.
#[inline(always)]
pub(super) fn root<I: Isa, T: Real>(x: T, low: T) -> (T, T) {
    let root = x.sqrt();
    let (square, square_low) = product::<I, _>(root, root);
    (root, ((x - square) + (low - square_low)) * T::HALF / at_least(root, T::LEAST))
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
