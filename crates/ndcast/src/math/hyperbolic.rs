//! `sinh`, `cosh`, `tanh` and their inverses.
//!
//! `sinh` and `cosh` come from those of r, with x = n ln 2 + r, by the addition theorem; so nothing cancels and no
//! division is needed. `tanh` is a quotient of exp(-2|x|) - 1, which is between -1 and 0. The inverses are logarithms of
//! 1 + x: for f32 in f64, for f64 with what the sums and quotients in x lose.

use super::bits::{
    LN2_LOWER, LN2_UPPER, Power64, at_least, at_most, inverse46, poly64, product, round32, sum_greater_first,
    with_sign,
};
use super::exponential::Exp;
use super::logarithm::{log1p_of, log1p_wide};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "sinh64", "cosh64". The first of each is so near to its Taylor coefficient that
// it is that.
const SINH: [f64; 5] = [
    0.16666666666666677,
    0.008333333333321615,
    0.0001984126988616031,
    2.755724418013526e-06,
    2.5109045507964164e-08,
];
const COSH: [f64; 4] =
    [0.04166666666660284, 0.0013888888927245963, 2.4801508124112375e-05, 2.7625405463348974e-07];

/// sinh(r) and what it lacks, cosh(r) - 1, and n, of x = n ln 2 + r.
#[inline(always)]
fn reduced<I: Isa>(x: f64) -> (f64, f64, f64, Power64) {
    let power = Power64::nearest::<I>(x, std::f64::consts::LOG2_E);
    let upper = I::fma64(power.n, -LN2_UPPER, x);
    let (r, low) = sum_greater_first(upper, power.n * -LN2_LOWER);
    let z = r * r;
    let (sinh, lost) = sum_greater_first(r, r * z * poly64::<I, _>(z, SINH));
    let cosh = I::fma64(z * z, poly64::<I, _>(z, COSH), 0.5 * z);
    (sinh, low + lost, cosh, power)
}

/// 2^-2n / 2, which has no part in a sum with 1/2 when n is great.
#[inline(always)]
fn half_inverse_square(x: f64, power: Power64) -> f64 {
    if x > 40.0 { 0.0 } else { 0.5 * power.inverse() * power.inverse() }
}

/// sinh(x). At most 1.15 ULP.
#[inline(always)]
pub(crate) fn sinh_f64<I: Isa>(x: f64) -> f64 {
    let magnitude = at_most(x.abs(), 712.0);
    let (sinh, low, cosh, power) = reduced::<I>(magnitude);
    // sinh and cosh of n ln 2, over 2^n: the greatest n does not overflow before the sum.
    let small = half_inverse_square(magnitude, power);
    let (of_sinh, of_cosh) = (0.5 - small, 0.5 + small);
    let rest = I::fma64(of_sinh, cosh, of_cosh * low);
    with_sign(power.times(of_sinh + I::fma64(of_cosh, sinh, rest)), x)
}

/// cosh(x). At most 1.2 ULP.
#[inline(always)]
pub(crate) fn cosh_f64<I: Isa>(x: f64) -> f64 {
    let magnitude = at_most(x.abs(), 712.0);
    let (sinh, low, cosh, power) = reduced::<I>(magnitude);
    let small = half_inverse_square(magnitude, power);
    let (of_sinh, of_cosh) = (0.5 - small, 0.5 + small);
    let rest = I::fma64(of_cosh, cosh, of_sinh * low);
    power.times(of_cosh + I::fma64(of_sinh, sinh, rest))
}

/// sinh(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn sinh_f32<I: Isa>(x: f32) -> f32 {
    round32(sinh_f64::<I>(f64::from(x)))
}

/// cosh(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn cosh_f32<I: Isa>(x: f32) -> f32 {
    round32(cosh_f64::<I>(f64::from(x)))
}

/// tanh(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn tanh_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    let magnitude = if x.abs() > 20.0 { 20.0 } else { x.abs() };
    let exp = Exp::short::<I>(f64::from(-2.0 * magnitude));
    let scale = exp.power.value();
    let t = I::fma64(scale, exp.upper, scale - 1.0);
    round32(with_sign(-t * inverse46::<I>(t + 2.0), wide))
}

/// tanh(x). At most 1.3 ULP.
#[inline(always)]
pub(crate) fn tanh_f64<I: Isa>(x: f64) -> f64 {
    let (t, t_low) = Exp::new::<I>(at_least(-2.0 * x.abs(), -60.0), 0.0).minus_one();
    let (denominator, denominator_low) = sum_greater_first(2.0, t);
    let quotient = -t / denominator;
    // tanh = 2 / denominator - 1: a few bits of 1 / denominator are enough for the errors.
    let inverse = 0.5 * (1.0 + quotient);
    let error = -t_low - quotient * (denominator_low + t_low);
    with_sign(I::fma64(error, inverse, quotient), x)
}

/// asinh(x). At most 0.52 ULP.
#[inline(always)]
pub(crate) fn asinh_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    let a = wide.abs();
    let square = a * a;
    // log(a + sqrt(a^2 + 1)), so that nothing cancels near 0.
    let more = a + square / (1.0 + (square + 1.0).sqrt());
    let y = with_sign(log1p_wide::<I>(more), wide);
    round32(if a == f64::INFINITY { wide } else { y })
}

/// acosh(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn acosh_f32<I: Isa>(x: f32) -> f32 {
    let t = f64::from(x) - 1.0;
    let y = log1p_wide::<I>(t + (t * (t + 2.0)).sqrt());
    round32(if t < 0.0 { f64::NAN } else { y })
}

/// atanh(x). At most 0.52 ULP.
#[inline(always)]
pub(crate) fn atanh_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    let a = wide.abs();
    let y = 0.5 * log1p_wide::<I>(2.0 * a / (1.0 - a));
    let y = if a == 1.0 { f64::INFINITY } else { y };
    round32(with_sign(if a > 1.0 { f64::NAN } else { y }, wide))
}

/// From here on a^2 + 1 and a^2 - 1 are a^2, and log(1 + a) is log(a).
const GREAT: f64 = 1_152_921_504_606_846_976.0;

/// log(1 + x + low), and ln 2 more if the number it is made for is great: then x is that number.
#[inline(always)]
fn log1p_or_twice<I: Isa>(is_great: bool, x: f64, low: f64) -> f64 {
    let log = log1p_of::<I>(x, low);
    if is_great { log + std::f64::consts::LN_2 } else { log }
}

/// asinh(x). At most 1.6 ULP.
#[inline(always)]
pub(crate) fn asinh_f64<I: Isa>(x: f64) -> f64 {
    let a = x.abs();
    let is_great = a > GREAT;
    let b = at_most(a, GREAT);
    let square = b * b;
    // log(a + sqrt(a^2 + 1)), so that nothing cancels near 0.
    let (more, low) = sum_greater_first(b, square / (1.0 + (square + 1.0).sqrt()));
    let (more, low) = if is_great { (a, 0.0) } else { (more, low) };
    with_sign(log1p_or_twice::<I>(is_great, more, low), x)
}

/// acosh(x). At most 1.6 ULP.
#[inline(always)]
pub(crate) fn acosh_f64<I: Isa>(x: f64) -> f64 {
    let is_great = x > GREAT;
    let t = at_most(x, GREAT) - 1.0;
    let (more, low) = sum_greater_first((t * (t + 2.0)).sqrt(), t);
    let (more, low) = if is_great { (x, 0.0) } else { (more, low) };
    let y = log1p_or_twice::<I>(is_great, more, low);
    if t < 0.0 { f64::NAN } else { y }
}

/// atanh(x). At most 1 ULP.
#[inline(always)]
pub(crate) fn atanh_f64<I: Isa>(x: f64) -> f64 {
    let a = x.abs();
    let twice = 2.0 * a;
    let (divisor, lost) = sum_greater_first(1.0, -a);
    let quotient = twice / divisor;
    // The inverse of the divisor is half the quotient more than 1: of what lacks, a few bits are enough.
    let (product, error) = product::<I>(quotient, divisor);
    let low = (((twice - product) - error) - quotient * lost) * (0.5 * quotient + 1.0);
    let y = 0.5 * log1p_of::<I>(quotient, low);
    let y = if a == 1.0 { f64::INFINITY } else { y };
    with_sign(if a > 1.0 { f64::NAN } else { y }, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    #[test]
    fn edges() {
        let inf = f64::INFINITY;
        assert_eq!((sinh_f64::<B>(-inf), cosh_f64::<B>(-inf), tanh_f64::<B>(-inf)), (-inf, inf, -1.0));
        assert_eq!((sinh_f64::<B>(711.0), cosh_f64::<B>(-711.0), tanh_f64::<B>(1e-310)), (inf, inf, 1e-310));
        assert_eq!(
            (tanh_f32::<B>(f32::INFINITY), tanh_f32::<B>(-50.0), sinh_f32::<B>(90.0)),
            (1.0, -1.0, f32::INFINITY)
        );
        let odd: [fn(f64) -> f64; 4] = [sinh_f64::<B>, tanh_f64::<B>, asinh_f64::<B>, atanh_f64::<B>];
        for function in odd {
            assert!(function(f64::NAN).is_nan());
            assert!(function(-0.0) == 0.0 && function(-0.0).is_sign_negative());
        }
        let odd: [fn(f32) -> f32; 4] = [sinh_f32::<B>, tanh_f32::<B>, asinh_f32::<B>, atanh_f32::<B>];
        for function in odd {
            assert!(function(f32::NAN).is_nan());
            assert!(function(-0.0) == 0.0 && function(-0.0).is_sign_negative());
        }
        assert_eq!((acosh_f64::<B>(1.0), acosh_f64::<B>(inf), asinh_f64::<B>(-inf)), (0.0, inf, -inf));
        assert_eq!((acosh_f32::<B>(1.0), acosh_f32::<B>(f32::INFINITY)), (0.0, f32::INFINITY));
        assert!(
            acosh_f64::<B>(0.9).is_nan() && acosh_f32::<B>(0.9).is_nan() && acosh_f32::<B>(f32::NAN).is_nan()
        );
        assert_eq!((atanh_f64::<B>(-1.0), atanh_f32::<B>(-1.0)), (-inf, f32::NEG_INFINITY));
        assert!(atanh_f64::<B>(1.1).is_nan() && atanh_f32::<B>(-1.1).is_nan());
        assert_eq!(asinh_f32::<B>(f32::NEG_INFINITY), f32::NEG_INFINITY);
    }
}
