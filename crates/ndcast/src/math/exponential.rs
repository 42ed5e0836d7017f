//! `exp`, `exp2`, `expm1` and the logistic function.
//!
//! All of them write x as n ln 2 + r with |r| at most ln(2) / 2, and take exp(r) from a polynomial. f32 `exp` stays
//! in f32, which is the fastest; the others compute f32 in f64, where no care is needed.

use super::bits::{
    LN2_LOWER, LN2_UPPER, Power32, Power64, at_least, at_most, inverse46, poly32, poly64, round32,
    sum_greater_first,
};
use crate::simd::Isa;

// ln 2 in two parts of f32, the first with so few bits that its product with n is exact.
pub(super) const LN2_UPPER_F32: f32 = 0.693_359_4;
pub(super) const LN2_LOWER_F32: f32 = -2.121_944_4e-4;

// Made by tools/accuracy/minimax.py: "exp64", "exp32", "exp24".
const EXP64: [f64; 10] = [
    0.5000000000000011,
    0.16666666666666413,
    0.041666666666530155,
    0.008333333333494466,
    0.0013888888943630487,
    0.00019841269506569307,
    2.48014930985778e-05,
    2.7557586382339272e-06,
    2.763024848109667e-07,
    2.5000058855327366e-08,
];
const EXP32: [f64; 6] = [
    0.5000000046413602,
    0.16666666817102715,
    0.0416663546638544,
    0.008333273044490186,
    0.0013941008298132707,
    0.00019914172847132806,
];
/// The first is exact, so that its product is.
const EXP24: [f32; 6] = [0.5, 0.166_666_66, 0.041_666_463, 0.008_333_586, 0.001_393_523_4, 0.000_197_334_61];

/// exp(x) - 1 in the scale of 2^n: `exp(x) = 2^n (1 + upper + lower)`, and |upper| is less than 0.42.
#[derive(Clone, Copy)]
pub(super) struct Exp {
    pub(super) power: Power64,
    pub(super) upper: f64,
    pub(super) lower: f64,
}

impl Exp {
    /// For an x from -1400 to 1400, to about 60 bits; `low` is what x lacks.
    #[inline(always)]
    pub(super) fn new<I: Isa>(x: f64, low: f64) -> Exp {
        let power = Power64::nearest::<I>(x, std::f64::consts::LOG2_E);
        let a = I::fma64(power.n, -LN2_UPPER, x);
        let b = I::fma64(power.n, -LN2_LOWER, low);
        let (r, rest) = sum_greater_first(a, b);
        let q = poly64::<I, _>(r, EXP64);
        let (upper, lower) = sum_greater_first(r, r * r * q);
        // The derivative is 1 + upper.
        Exp { power, upper, lower: lower + I::fma64(rest, upper, rest) }
    }

    /// For an x from -1400 to 1400, to about 30 bits.
    #[inline(always)]
    pub(super) fn short<I: Isa>(x: f64) -> Exp {
        let power = Power64::nearest::<I>(x, std::f64::consts::LOG2_E);
        let r = I::fma64(power.n, -std::f64::consts::LN_2, x);
        Exp { power, upper: I::fma64(r * r, poly64::<I, _>(r, EXP32), r), lower: 0.0 }
    }

    /// exp(x) - 1, as an upper and a lower part; for an x that is at most 0 and at least -700.
    #[inline(always)]
    pub(super) fn minus_one(self) -> (f64, f64) {
        // 2^n (1 + p) - 1 = 2^n ((1 - 2^-n) + p), where the difference is 0 or greater than p.
        let (upper, lower) = sum_greater_first(1.0 - self.power.inverse(), self.upper);
        let scale = self.power.value();
        (upper * scale, (lower + self.lower) * scale)
    }
}

/// exp(r) to about 30 bits, for an |r| of at most ln(2) / 2.
#[inline(always)]
pub(super) fn exp_short<I: Isa>(r: f64) -> f64 {
    1.0 + I::fma64(r * r, poly64::<I, _>(r, EXP32), r)
}

/// exp(r + low), for an |r| of at most ln(2) / 2.
#[inline(always)]
pub(super) fn exp_of_sum<I: Isa>(r: f64, low: f64) -> f64 {
    let (p, p_low) = sum_greater_first(r, r * r * poly64::<I, _>(r, EXP64));
    let (upper, lower) = sum_greater_first(1.0, p);
    // The derivative is the sum itself.
    upper + I::fma64(low, upper, lower + p_low)
}

/// exp(x). At most 0.98 ULP.
#[inline(always)]
pub(crate) fn exp_f32<I: Isa>(x: f32) -> f32 {
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.5 { -104.5 } else { x };
    let power = Power32::nearest::<I>(x, std::f32::consts::LOG2_E);
    let r = I::fma32(power.n, -LN2_UPPER_F32, x);
    let r = I::fma32(power.n, -LN2_LOWER_F32, r);
    let p = I::fma32(r * r, poly32::<I, _>(r, EXP24), r);
    power.times(1.0 + p)
}

/// exp(x). At most 1.0 ULP.
#[inline(always)]
pub(crate) fn exp_f64<I: Isa>(x: f64) -> f64 {
    let x = at_least(at_most(x, 710.0), -746.0);
    let power = Power64::nearest::<I>(x, std::f64::consts::LOG2_E);
    let r = I::fma64(power.n, -LN2_UPPER, x);
    let r = I::fma64(power.n, -LN2_LOWER, r);
    power.times(1.0 + I::fma64(r * r, poly64::<I, _>(r, EXP64), r))
}

/// 2^x. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn exp2_f32<I: Isa>(x: f32) -> f32 {
    let x = at_least(at_most(f64::from(x), 129.0), -151.0);
    let power = Power64::nearest::<I>(x, 1.0);
    let r = (x - power.n) * std::f64::consts::LN_2;
    round32(power.value() * exp_short::<I>(r))
}

/// 2^x. At most 1.0 ULP.
#[inline(always)]
pub(crate) fn exp2_f64<I: Isa>(x: f64) -> f64 {
    let x = at_least(at_most(x, 1025.0), -1076.0);
    let power = Power64::nearest::<I>(x, 1.0);
    let r = (x - power.n) * std::f64::consts::LN_2;
    power.times(1.0 + I::fma64(r * r, poly64::<I, _>(r, EXP64), r))
}

/// exp(x) - 1. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn expm1_f32<I: Isa>(x: f32) -> f32 {
    let exp = Exp::short::<I>(at_least(at_most(f64::from(x), 89.0), -40.0));
    let scale = exp.power.value();
    let y = round32(I::fma64(scale, exp.upper, scale - 1.0));
    // -0, which the sum with 0 loses.
    if x == 0.0 { x } else { y }
}

/// exp(x) - 1. At most 0.85 ULP.
#[inline(always)]
pub(crate) fn expm1_f64<I: Isa>(x: f64) -> f64 {
    let exp = Exp::new::<I>(at_least(at_most(x, 710.0), -60.0), 0.0);
    // 2^n (1 + p) - 1 = 2^n ((1 - 2^-n) + p), where the difference is 0 or greater than p. 2^-1024 has no inverse.
    let one = if x > 100.0 { 0.0 } else { exp.power.inverse() };
    let (upper, lower) = sum_greater_first(1.0 - one, exp.upper);
    let y = exp.power.times(upper + (lower + exp.lower));
    if x == 0.0 { x } else { y }
}

/// 1 / (1 + exp(-x)). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn logistic_f32<I: Isa>(x: f32) -> f32 {
    let magnitude = if x.abs() > 150.0 { 150.0 } else { x.abs() };
    let exp = Exp::short::<I>(f64::from(-magnitude));
    let t = I::fma64(exp.power.value(), exp.upper, exp.power.value());
    // The exponential of what is negative never overflows; 1 / (1 + 1/t) = t / (1 + t).
    let numerator = if x < 0.0 { t } else { 1.0 };
    round32(numerator * inverse46::<I>(1.0 + t))
}

/// 1 / (1 + exp(-x)). At most 1.05 ULP.
#[inline(always)]
pub(crate) fn logistic_f64<I: Isa>(x: f64) -> f64 {
    let exp = Exp::new::<I>(at_least(-x.abs(), -800.0), 0.0);
    let (t, t_low) = sum_greater_first(1.0, exp.upper);
    let t_low = t_low + exp.lower;
    // In two steps, as the result may be subnormal: here t may not be.
    let t_scaled = exp.power.times(t);
    let (denominator, denominator_low) = sum_greater_first(1.0, t_scaled);
    let denominator_low = denominator_low + exp.power.times(t_low);
    let negative = x < 0.0;
    let quotient = (if negative { t } else { 1.0 }) / denominator;
    // The relative errors of both; for them a few bits of 1 / denominator and of 1 / t are enough.
    let inverse = if negative { 1.0 - exp.power.times(quotient) } else { quotient };
    let u = exp.upper;
    let low = if negative { t_low * I::fma64(u, u, 1.0 - u) } else { 0.0 };
    let quotient = I::fma64(quotient, low - denominator_low * inverse, quotient);
    if negative { exp.power.times(quotient) } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    #[test]
    fn edges() {
        let inf = f64::INFINITY;
        assert_eq!((exp_f64::<B>(inf), exp_f64::<B>(-inf), exp_f64::<B>(-0.0)), (inf, 0.0, 1.0));
        assert_eq!((exp_f64::<B>(709.8), exp_f64::<B>(-745.2), exp_f64::<B>(-745.1)), (inf, 0.0, 5e-324));
        assert_eq!(
            (exp_f32::<B>(88.73), exp_f32::<B>(-104.0), exp_f32::<B>(-103.9)),
            (f32::INFINITY, 0.0, 1e-45)
        );
        assert_eq!(
            (exp2_f64::<B>(1024.0), exp2_f64::<B>(-1074.0), exp2_f64::<B>(10.0)),
            (inf, 5e-324, 1024.0)
        );
        assert_eq!(
            (exp2_f32::<B>(-149.0), exp2_f32::<B>(127.0), exp2_f32::<B>(1e30)),
            (1e-45, 2f32.powi(127), f32::INFINITY)
        );
        assert_eq!((expm1_f64::<B>(inf), expm1_f64::<B>(-inf), expm1_f32::<B>(-200.0)), (inf, -1.0, -1.0));
        assert!(expm1_f64::<B>(-0.0).is_sign_negative() && expm1_f32::<B>(-0.0).is_sign_negative());
        assert_eq!(
            (logistic_f64::<B>(inf), logistic_f64::<B>(-inf), logistic_f64::<B>(0.0)),
            (1.0, 0.0, 0.5)
        );
        assert_eq!((logistic_f32::<B>(f32::INFINITY), logistic_f32::<B>(f32::NEG_INFINITY)), (1.0, 0.0));
        // As small as exp(x) itself.
        assert_eq!(logistic_f64::<B>(-745.0), exp_f64::<B>(-745.0));
    }

    #[test]
    fn nan_stays() {
        let of_f64: [fn(f64) -> f64; 4] = [exp_f64::<B>, exp2_f64::<B>, expm1_f64::<B>, logistic_f64::<B>];
        // Of the second, all bits are ones.
        for nan in [f64::NAN, f64::from_bits(u64::MAX)] {
            assert!(of_f64.iter().all(|function| function(nan).is_nan()));
        }
        let of_f32: [fn(f32) -> f32; 4] = [exp_f32::<B>, exp2_f32::<B>, expm1_f32::<B>, logistic_f32::<B>];
        for nan in [f32::NAN, f32::from_bits(u32::MAX)] {
            assert!(of_f32.iter().all(|function| function(nan).is_nan()));
        }
    }
}
