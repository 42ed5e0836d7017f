//! `log`, `log2`, `log10` and `log1p`.
//!
//! x = 2^e m with m from sqrt(1/2) to sqrt(2), so that e ln 2 and log(m) never cancel, and near 1 only log(m) is left.
//! f32 takes a polynomial of f = m - 1 and keeps what the sums lose; where a fused multiply-add is no instruction it is
//! computed in f64, where no care is needed. f64 takes s = f / (2 + f), whose series needs half as many terms.

use super::bits::{ROUND64, Real, poly, round32, sum_greater_first};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "log24", "log32", "log64".
const LOG24: [f32; 8] = [
    0.333_333_17,
    -0.250_008_1,
    0.200_022_86,
    -0.166_245_54,
    0.141_811_9,
    -0.131_287_53,
    0.128_816_5,
    -0.078_596_18,
];
const LOG32: [f64; 10] = [
    -0.5000000000055437,
    0.33333310440823183,
    -0.24999986540157937,
    0.20002226535559642,
    -0.1666925276246362,
    0.1421866076228506,
    -0.12384323541879105,
    0.11872936790697385,
    -0.11789918627608773,
    0.06915571730548685,
];
const LOG64: [f64; 7] = [
    0.6666666666666734,
    0.3999999999941432,
    0.2857142874247459,
    0.22222198563511947,
    0.18183564865527965,
    0.15314035858239092,
    0.14796105271977447,
];

// The upper parts have so few bits that their products with an exponent, or with 21 bits, are exact.
const LOG2_E_UPPER: f64 = 1.442_695_040_721_446_3;
const LOG2_E_LOWER: f64 = 1.675_171_316_488_651_2e-10;
const LOG10_E_UPPER: f64 = 0.434_294_481_878_168_9;
const LOG10_E_LOWER: f64 = 2.508_294_671_164_527_5e-11;
const LOG10_2_UPPER: f64 = 0.301_029_995_663_611_77;
const LOG10_2_LOWER: f64 = 3.694_239_077_158_931e-13;

/// A factor in two parts: the logarithm of e in some base.
type Factor = (f32, f32);
const LOG2_E_F32: Factor = (std::f32::consts::LOG2_E, 1.925_963e-8);
const LOG10_E_F32: Factor = (std::f32::consts::LOG10_E, -1.010_305e-8);
/// The logarithm of 2 in some base; the upper part has so few bits that its product with an exponent is exact.
const LN_2_F32: Factor = (f32::LN2_UPPER, f32::LN2_LOWER);
const LOG2_2_F32: Factor = (1.0, 0.0);
const LOG10_2_F32: Factor = (0.301_025_4, 4.605_039e-6);

/// A normal positive number as `2^e m`, with m from sqrt(1/2) to sqrt(2); also 2^-e (0 where it is less than 2^-1022).
#[inline(always)]
pub(super) fn split(x: f64) -> (f64, f64) {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const BIAS: u64 = 2048;
    let bits = x.to_bits();
    // The exponent is shifted to be positive: there is no shift of signed 64 bits before AVX-512.
    let shifted = bits.wrapping_sub(SQRT_HALF).wrapping_add(BIAS << 52) >> 52;
    let m = f64::from_bits(bits.wrapping_sub(shifted << 52).wrapping_add(BIAS << 52));
    // 2^52 + n has n in its low bits.
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    let e = f64::from_bits(TWO_52 | shifted) - (4_503_599_627_370_496.0 + 2048.0);
    (e, m)
}

/// The logarithm of 0, of negative numbers, of infinity and of NaN; else the value given.
#[inline(always)]
fn of_edges<T: From<f32> + PartialOrd + Copy>(x: T, value: T) -> T {
    let zero = T::from(0.0);
    let edge = if x == zero { T::from(f32::NEG_INFINITY) } else { T::from(f32::NAN) };
    let value = if x == T::from(f32::INFINITY) { x } else { value };
    if x > zero { value } else { edge }
}

/// A normal positive number as `2^e m`, with m from sqrt(1/2) to sqrt(2).
#[inline(always)]
fn split_f32(x: f32) -> (i32, f32) {
    const SQRT_HALF: u32 = 0x3f35_04f3;
    let bits = x.to_bits();
    let e = bits.wrapping_sub(SQRT_HALF).cast_signed() >> 23;
    (e, f32::from_bits(bits.wrapping_sub(e.cast_unsigned() << 23)))
}

/// An exponent as a float.
#[inline(always)]
#[allow(clippy::cast_precision_loss, reason = "it has 8 bits")]
fn exponent(e: i32) -> f32 {
    e as f32
}

/// log(1 + f) in two parts, for an f from sqrt(1/2) - 1 to sqrt(2) - 1.
#[inline(always)]
fn parts_f32<I: Isa>(f: f32) -> (f32, f32) {
    let z = f * f;
    let half = 0.5 * z;
    let upper = f - half;
    (upper, I::fma32(f * z, poly::<I, _, _>(f, LOG24), (f - upper) - half))
}

/// `e` logarithms of 2, and another logarithm in two parts.
#[inline(always)]
fn sum_f32<I: Isa>(e: f32, of_two: Factor, upper: f32, lower: f32) -> f32 {
    let scaled = e * of_two.0;
    let sum = scaled + upper;
    sum + I::fma32(e, of_two.1, ((scaled - sum) + upper) + lower)
}

/// The logarithm in a base in which those of e and of 2 are these; e has none where it is the base itself.
#[inline(always)]
fn log_of<I: Isa>(x: f32, of_e: Option<Factor>, of_two: Factor) -> f32 {
    const TWO_23: f32 = 8_388_608.0;
    let subnormal = x < f32::MIN_POSITIVE;
    let (e, m) = split_f32(if subnormal { x * TWO_23 } else { x });
    let e = exponent(e) - if subnormal { 23.0 } else { 0.0 };
    let (mut upper, mut lower) = parts_f32::<I>(m - 1.0);
    if let Some(of_e) = of_e {
        let product = upper * of_e.0;
        lower = I::fma32(lower, of_e.0, I::fma32(upper, of_e.1, I::fma32(upper, of_e.0, -product)));
        upper = product;
    }
    of_edges(x, sum_f32::<I>(e, of_two, upper, lower))
}

/// log(x) to about 30 bits, as e and log(m), for a normal f64.
#[inline(always)]
pub(super) fn log_short<I: Isa>(x: f64) -> (f64, f64) {
    let (e, m) = split(x);
    let f = m - 1.0;
    (e, I::fma64(f * f, poly::<I, _, _>(f, LOG32), f))
}

/// log(x). At most 0.75 ULP.
#[inline(always)]
pub(crate) fn log_f32<I: Isa>(x: f32) -> f32 {
    if I::FMA {
        return log_of::<I>(x, None, LN_2_F32);
    }
    let x = f64::from(x);
    let (e, log) = log_short::<I>(x);
    round32(of_edges(x, I::fma64(e, std::f64::consts::LN_2, log)))
}

/// The logarithm of base 2. At most 0.9 ULP.
#[inline(always)]
pub(crate) fn log2_f32<I: Isa>(x: f32) -> f32 {
    if I::FMA {
        return log_of::<I>(x, Some(LOG2_E_F32), LOG2_2_F32);
    }
    let x = f64::from(x);
    let (e, log) = log_short::<I>(x);
    round32(of_edges(x, I::fma64(log, std::f64::consts::LOG2_E, e)))
}

/// The logarithm of base 10. At most 0.8 ULP.
#[inline(always)]
pub(crate) fn log10_f32<I: Isa>(x: f32) -> f32 {
    if I::FMA {
        return log_of::<I>(x, Some(LOG10_E_F32), LOG10_2_F32);
    }
    let x = f64::from(x);
    let (e, log) = log_short::<I>(x);
    let log = log * std::f64::consts::LOG10_E;
    round32(of_edges(x, I::fma64(e, std::f64::consts::LOG10_2, log)))
}

/// log(1 + x) to about 30 bits, for an x that is not less than 2^-1000 in magnitude.
#[inline(always)]
fn log1p_wide<I: Isa>(x: f64) -> f64 {
    let y = x + 1.0;
    let (e, m) = split(y);
    // Near 1 the sum has lost bits of x.
    let f = if e == 0.0 { x } else { m - 1.0 };
    let log = I::fma64(f * f, poly::<I, _, _>(f, LOG32), f);
    of_edges(y, I::fma64(e, std::f64::consts::LN_2, log))
}

/// log(1 + x), of numbers in two parts.
pub(super) trait Log1p: Real {
    /// log(1 + x + low), for a low that is beyond the bits of x.
    fn log1p_of<I: Isa>(x: Self, low: Self) -> Self;
}

/// What `y = 1 + x` lost.
#[inline(always)]
fn lost_by_one<T: Real>(x: T, y: T) -> T {
    if x > T::ONE { T::ONE - (y - x) } else { x - (y - T::ONE) }
}

impl Log1p for f32 {
    #[inline(always)]
    fn log1p_of<I: Isa>(x: f32, low: f32) -> f32 {
        let value = if I::FMA {
            let y = 1.0 + x;
            let (e, m) = split_f32(y);
            let near = e == 0;
            let f = if near { x } else { m - 1.0 };
            // What the sum lost, over y. Of 1 / m a few bits are enough: a quadratic polynomial errs by 3%.
            let lost = low + if near { 0.0 } else { lost_by_one(x, y) };
            let power = f32::from_bits((127 - e.min(126)).cast_unsigned() << 23);
            let inverse = poly::<I, _, _>(f, [0.99, -0.98, 0.85]) * power;
            let (upper, lower) = parts_f32::<I>(f);
            of_edges(y, sum_f32::<I>(exponent(e), LN_2_F32, upper, lower + lost * inverse))
        } else {
            round32(log1p_wide::<I>(f64::from(x) + f64::from(low)))
        };
        // -0 and what is so small that its square vanishes.
        if x.abs() < 1e-18 { x } else { value }
    }
}

impl Log1p for f64 {
    #[inline(always)]
    fn log1p_of<I: Isa>(x: f64, low: f64) -> f64 {
        let y = 1.0 + x;
        let (e, m) = split(y);
        let near = e == 0.0;
        let f = if near { x } else { m - 1.0 };
        // What the sum lost, over y: as for f32.
        let lost = low + if near { 0.0 } else { lost_by_one(x, y) };
        let lost = lost * (poly::<I, _, _>(f, [0.99, -0.98, 0.85]) * inverse_power(e));
        let (rest, half_square) = series::<I>(f);
        let lower = half_square - (I::fma64(e, f64::LN2_LOWER, lost) + rest);
        let value = of_edges(y, I::fma64(e, f64::LN2_UPPER, -(lower - f)));
        // -0 and the subnormal numbers, whose squares vanish.
        if x.abs() < 1e-290 { x } else { value }
    }
}

/// log(1 + x). At most 0.75 ULP.
#[inline(always)]
pub(crate) fn log1p_f32<I: Isa>(x: f32) -> f32 {
    f32::log1p_of::<I>(x, 0.0)
}

/// log(1 + x). At most 0.75 ULP.
#[inline(always)]
pub(crate) fn log1p_f64<I: Isa>(x: f64) -> f64 {
    f64::log1p_of::<I>(x, 0.0)
}

/// `s (f^2 / 2 + R)` and `f^2 / 2` for f = m - 1: log(m) is `f - f^2 / 2 + s (f^2 / 2 + R)`.
#[inline(always)]
fn series<I: Isa>(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    (s * I::fma64(z, poly::<I, _, _>(z, LOG64), half_square), half_square)
}

/// A positive number as `2^e m`, subnormal or not.
#[inline(always)]
pub(super) fn split_any(x: f64) -> (f64, f64) {
    const TWO_54: f64 = 18_014_398_509_481_984.0;
    let subnormal = x < f64::MIN_POSITIVE;
    let (e, m) = split(if subnormal { x * TWO_54 } else { x });
    (if subnormal { e - 54.0 } else { e }, m)
}

/// log(x). At most 0.8 ULP.
#[inline(always)]
pub(crate) fn log_f64<I: Isa>(x: f64) -> f64 {
    let (e, m) = split_any(x);
    let f = m - 1.0;
    let (rest, half_square) = series::<I>(f);
    let lower = half_square - I::fma64(e, f64::LN2_LOWER, rest);
    of_edges(x, I::fma64(e, f64::LN2_UPPER, -(lower - f)))
}

/// 2^-e for an e from -54 to 1024, and 0 for the last two.
#[inline(always)]
fn inverse_power(e: f64) -> f64 {
    let bits = (e + ROUND64).to_bits();
    let power = f64::from_bits(1023_u64.wrapping_sub(bits) << 52);
    if e > 1000.0 { 0.0 } else { power }
}

/// log(m) in two parts, the first of 21 bits.
#[inline(always)]
fn log_parts<I: Isa>(m: f64) -> (f64, f64) {
    let f = m - 1.0;
    let (rest, half_square) = series::<I>(f);
    let upper = f64::from_bits((f - half_square).to_bits() & (!0 << 32));
    (upper, ((f - upper) - half_square) + rest)
}

/// log(x) in two parts, to about 55 bits, for a finite positive x.
#[inline(always)]
pub(super) fn log_long<I: Isa>(x: f64) -> (f64, f64) {
    let (e, m) = split_any(x);
    let (upper, lower) = log_parts::<I>(m);
    let (log, low) = sum_greater_first(e * f64::LN2_UPPER, upper);
    (log, low + I::fma64(e, f64::LN2_LOWER, lower))
}

/// The logarithm of base 2. At most 0.75 ULP.
#[inline(always)]
pub(crate) fn log2_f64<I: Isa>(x: f64) -> f64 {
    let (e, m) = split_any(x);
    let (upper, lower) = log_parts::<I>(m);
    let log = upper * LOG2_E_UPPER;
    let low = I::fma64(lower + upper, LOG2_E_LOWER, lower * LOG2_E_UPPER);
    let sum = e + log;
    of_edges(x, sum + (low + ((e - sum) + log)))
}

/// The logarithm of base 10. At most 0.65 ULP.
#[inline(always)]
pub(crate) fn log10_f64<I: Isa>(x: f64) -> f64 {
    let (e, m) = split_any(x);
    let (upper, lower) = log_parts::<I>(m);
    let log = upper * LOG10_E_UPPER;
    let low = I::fma64(lower + upper, LOG10_E_LOWER, lower * LOG10_E_UPPER);
    let low = I::fma64(e, LOG10_2_LOWER, low);
    let e = e * LOG10_2_UPPER;
    let sum = e + log;
    of_edges(x, sum + (low + ((e - sum) + log)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    #[test]
    fn edges() {
        let inf = f64::INFINITY;
        let of_f64: [fn(f64) -> f64; 3] = [log_f64::<B>, log2_f64::<B>, log10_f64::<B>];
        for log in of_f64 {
            assert_eq!((log(0.0), log(-0.0), log(inf), log(1.0)), (-inf, -inf, inf, 0.0));
            assert!(log(-1.0).is_nan() && log(-inf).is_nan() && log(f64::NAN).is_nan());
            assert!(log(1.0).is_sign_positive());
        }
        assert_eq!((log1p_f64::<B>(-1.0), log1p_f64::<B>(inf), log1p_f64::<B>(5e-324)), (-inf, inf, 5e-324));
        assert!(log1p_f64::<B>(-1.1).is_nan() && log1p_f64::<B>(-0.0).is_sign_negative());
    }

    /// Where a fused multiply-add is an instruction; that it is a call here changes no bit.
    struct Fused;
    impl Isa for Fused {
        const FMA: bool = true;
    }

    fn edges_of_f32<I: Isa>() {
        let inf = f32::INFINITY;
        let all: [fn(f32) -> f32; 3] = [log_f32::<I>, log2_f32::<I>, log10_f32::<I>];
        for log in all {
            assert_eq!((log(0.0), log(-0.0), log(inf), log(1.0)), (-inf, -inf, inf, 0.0));
            assert!(log(-1e-45).is_nan() && log(-inf).is_nan() && log(f32::NAN).is_nan());
            assert!(log(1.0).is_sign_positive());
        }
        for n in -149_i16..128 {
            assert_eq!(log2_f32::<I>(round32(exact_power(n.into()))), f32::from(n));
        }
        let log = log1p_f32::<I>;
        assert_eq!((log(-1.0), log(inf), log(1e-45), log(f32::MAX)), (-inf, inf, 1e-45, 88.722_84));
        assert!(log(-1.1).is_nan() && log(-inf).is_nan() && log(f32::NAN).is_nan());
        assert!(log(-0.0) == 0.0 && log(-0.0).is_sign_negative() && log(0.0).is_sign_positive());
    }

    #[test]
    fn edges_of_f32_with_and_without_fused_sums() {
        edges_of_f32::<B>();
        edges_of_f32::<Fused>();
    }

    #[test]
    fn powers_are_exact() {
        for n in -1074..1024 {
            assert_eq!(log2_f64::<B>(exact_power(n)), f64::from(n));
        }
        for (n, power) in [1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e15, 1e22].into_iter().zip(1_u8..) {
            let exponent = match n {
                1e15 => 15.0,
                1e22 => 22.0,
                _ => f64::from(power),
            };
            assert_eq!(log10_f64::<B>(n), exponent);
        }
    }

    fn exact_power(n: i32) -> f64 {
        2f64.powi(n / 2) * 2f64.powi(n - n / 2)
    }
}
