//! `exp`, `exp2`, `expm1` and the logistic function.
//!
//! All of them write x as n ln 2 + r with |r| at most ln(2) / 2, and take exp(r) from a polynomial. What follows is
//! the same for f32 and f64: where that takes more bits than a float has, numbers have an upper and a lower part. For
//! f32 that is mostly faster than to compute in f64, of which a vector holds half as many.

use super::bits::{Power, Real, at_least, at_most, poly, product, round32, sum, sum_greater_first};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "exp64", "exp32", "expm1_24", "exp2_24".
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
const EXP24: [f32; 6] = [0.5, 0.166_666_67, 0.041_666_48, 0.008_333_282, 0.001_393_331_6, 0.000_199_096_92];
const EXP2_24: [f32; 5] = [0.240_226_48, 0.055_503_62, 0.009_618_527, 0.001_339_018_4, 0.000_153_211_24];

/// The polynomial of the exponential.
pub(super) trait ExpRest: Real {
    /// q(r) of `exp(r) = 1 + r + r^2 q(r)`, for an |r| of at most ln(2) / 2.
    fn exp_rest<I: Isa>(r: Self) -> Self;
}

impl ExpRest for f32 {
    #[inline(always)]
    fn exp_rest<I: Isa>(r: f32) -> f32 {
        poly::<I, _, _>(r, EXP24)
    }
}

impl ExpRest for f64 {
    #[inline(always)]
    fn exp_rest<I: Isa>(r: f64) -> f64 {
        poly::<I, _, _>(r, EXP64)
    }
}

/// exp(x) in the scale of 2^n: `exp(x) = 2^n (1 + upper + lower)`, and |upper| is less than 0.42.
#[derive(Clone, Copy)]
pub(super) struct Exp<T> {
    pub(super) power: Power<T>,
    pub(super) upper: T,
    pub(super) lower: T,
}

impl<T: ExpRest> Exp<T> {
    /// For an x from [`Real::VANISHES`] to 1400, to about 60 bits, or in f32 to 150, to about 30; `low` is what x lacks.
    #[inline(always)]
    pub(super) fn new<I: Isa>(x: T, low: T) -> Exp<T> {
        let power = Power::nearest::<I>(x, T::LOG2_E);
        let a = T::fma::<I>(power.n, -T::LN2_UPPER, x);
        let b = T::fma::<I>(power.n, -T::LN2_LOWER, low);
        let (r, rest) = sum_greater_first(a, b);
        let (upper, lower) = sum_greater_first(r, r * r * T::exp_rest::<I>(r));
        // The derivative is 1 + upper.
        Exp { power, upper, lower: lower + T::fma::<I>(rest, upper, rest) }
    }

    /// exp(x) - 1 in the scale of 2^n, as an upper and a lower part, from 1 - 2^-n as a number and what it lacks.
    #[inline(always)]
    fn minus_one_of(self, (difference, lost): (T, T)) -> (T, T) {
        // 2^n (1 + p) - 1 = 2^n ((1 - 2^-n) + p), where the difference is 0 or greater than p.
        let (upper, lower) = sum_greater_first(difference, self.upper);
        (upper, lower + self.lower + lost)
    }
}

impl Exp<f64> {
    /// For an x from [`Real::VANISHES`] to 1400, to about 30 bits.
    #[inline(always)]
    pub(super) fn short<I: Isa>(x: f64) -> Exp<f64> {
        let power = Power::nearest::<I>(x, std::f64::consts::LOG2_E);
        let r = I::fma64(power.n, -std::f64::consts::LN_2, x);
        Exp { power, upper: I::fma64(r * r, poly::<I, _, _>(r, EXP32), r), lower: 0.0 }
    }
}

/// exp(r) to about 30 bits, for an |r| of at most ln(2) / 2.
#[inline(always)]
pub(super) fn exp_short<I: Isa>(r: f64) -> f64 {
    1.0 + I::fma64(r * r, poly::<I, _, _>(r, EXP32), r)
}

/// 2^f - 1 to about 24 bits, for an |f| of at most 1/2.
#[inline(always)]
pub(super) fn exp2_minus_one<I: Isa>(f: f32) -> f32 {
    I::fma32(f * f, poly::<I, _, _>(f, EXP2_24), f * std::f32::consts::LN_2)
}

/// exp(r + low), for an |r| of at most ln(2) / 2.
#[inline(always)]
pub(super) fn exp_of_sum<I: Isa>(r: f64, low: f64) -> f64 {
    let (p, p_low) = sum_greater_first(r, r * r * f64::exp_rest::<I>(r));
    let (upper, lower) = sum_greater_first(1.0, p);
    // The derivative is the sum itself.
    upper + I::fma64(low, upper, lower + p_low)
}

/// exp(x), for an x from [`Real::VANISHES`] to 1400, or to 150 in f32.
#[inline(always)]
pub(super) fn exp<I: Isa, T: ExpRest>(x: T) -> T {
    let power = Power::nearest::<I>(x, T::LOG2_E);
    let r = T::fma::<I>(power.n, -T::LN2_UPPER, x);
    let r = T::fma::<I>(power.n, -T::LN2_LOWER, r);
    power.times(T::ONE + T::fma::<I>(r * r, T::exp_rest::<I>(r), r))
}

/// exp(x). At most 0.99 ULP.
#[inline(always)]
pub(crate) fn exp_f32<I: Isa>(x: f32) -> f32 {
    exp::<I, _>(at_least(at_most(x, 89.0), f32::VANISHES))
}

/// exp(x). At most 1.0 ULP.
#[inline(always)]
pub(crate) fn exp_f64<I: Isa>(x: f64) -> f64 {
    exp::<I, _>(at_least(at_most(x, 710.0), f64::VANISHES))
}

/// 2^x. At most 0.84 ULP.
#[inline(always)]
pub(crate) fn exp2_f32<I: Isa>(x: f32) -> f32 {
    /// What ln 2 is more than its f32.
    const LN_2_REST: f32 = -1.904_654_2e-9;
    let x = at_least(at_most(x, 129.0), f32::LEAST_POWER);
    let power = Power::nearest::<I>(x, 1.0);
    let f = x - power.n;
    let rest = f * I::fma32(f, poly::<I, _, _>(f, EXP2_24), LN_2_REST);
    let (line, low) = product::<I, _>(f, std::f32::consts::LN_2);
    power.times(1.0 + (line + (low + rest)))
}

/// 2^x. At most 1.0 ULP.
#[inline(always)]
pub(crate) fn exp2_f64<I: Isa>(x: f64) -> f64 {
    let x = at_least(at_most(x, 1025.0), f64::LEAST_POWER);
    let power = Power::nearest::<I>(x, 1.0);
    let r = (x - power.n) * std::f64::consts::LN_2;
    power.times(1.0 + I::fma64(r * r, f64::exp_rest::<I>(r), r))
}

/// exp(x) - 1. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn expm1_f32<I: Isa>(x: f32) -> f32 {
    // In f64: the sums that f32 would take cost more.
    let exp = Exp::short::<I>(at_least(at_most(f64::from(x), 89.0), -40.0));
    let scale = exp.power.value();
    let y = round32(I::fma64(scale, exp.upper, scale - 1.0));
    // -0, which a sum with 0 loses.
    if x == 0.0 { x } else { y }
}

/// exp(x) - 1. At most 0.6 ULP.
#[inline(always)]
pub(crate) fn expm1_f64<I: Isa>(x: f64) -> f64 {
    let exp = Exp::new::<I>(at_least(at_most(x, 710.0), -60.0), 0.0);
    // The greatest powers have no inverse, and 1 is no part of the sum.
    let inverse = if exp.power.n > f64::GREAT { 0.0 } else { exp.power.inverse() };
    let (upper, lower) = exp.minus_one_of(sum(1.0, -inverse));
    let y = exp.power.times(upper + lower);
    if x == 0.0 { x } else { y }
}

/// 1 / (1 + exp(-x)); below `least`, at least -1400 or in f32 -150, exp(-|x|) is 0.
#[inline(always)]
fn logistic<I: Isa, T: ExpRest>(x: T) -> T {
    // The exponential t of what is negative never overflows; 1 / (1 + 1 / t) = t / (1 + t).
    let exp = Exp::new::<I>(at_least(-x.abs(), T::VANISHES), T::ZERO);
    let (t, t_low) = sum_greater_first(T::ONE, exp.upper);
    let t_low = t_low + exp.lower;
    let negative = x < T::ZERO;
    // Where it is no part of the sum it may have no power.
    let scale = if exp.power.n < -T::GREAT { T::ZERO } else { exp.power.value() };
    let divisor = T::fma::<I>(scale, t, T::ONE);
    let divisor_low = T::fma::<I>(scale, t_low, T::fma::<I>(scale, t, T::ONE - divisor));
    // In the scale of t, as the result may be subnormal.
    let (dividend, dividend_low) = if negative { (t, t_low) } else { (T::ONE, T::ZERO) };
    let quotient = dividend / divisor;
    let (back, back_low) = product::<I, _>(quotient, divisor);
    let left = ((dividend - back) - back_low) + T::fma::<I>(-quotient, divisor_low, dividend_low);
    // Of 1 / divisor a few bits are enough.
    let inverse = if negative { T::fma::<I>(-scale, quotient, T::ONE) } else { quotient };
    let quotient = T::fma::<I>(left, inverse, quotient);
    if negative { exp.power.times(quotient) } else { quotient }
}

/// 1 / (1 + exp(-x)). At most 0.78 ULP.
#[inline(always)]
pub(crate) fn logistic_f32<I: Isa>(x: f32) -> f32 {
    logistic::<I, _>(x)
}

/// 1 / (1 + exp(-x)). At most 0.6 ULP.
#[inline(always)]
pub(crate) fn logistic_f64<I: Isa>(x: f64) -> f64 {
    logistic::<I, _>(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    /// Where both factors of a power are 0, and shortly before.
    #[test]
    fn what_vanishes_is_nothing() {
        for x in [-103.98, -120.0, -175.0, -176.0, -177.0, -1e9, f32::NEG_INFINITY] {
            assert_eq!((exp_f32::<B>(x).to_bits(), logistic_f32::<B>(x).to_bits()), (0, 0), "{x}");
            assert_eq!(exp2_f32::<B>(1.5 * x).to_bits(), 0, "{x}");
        }
        for x in [-745.2, -1000.0, -1417.0, -1418.0, -1419.0, -1e300, f64::NEG_INFINITY] {
            assert_eq!((exp_f64::<B>(x).to_bits(), logistic_f64::<B>(x).to_bits()), (0, 0), "{x}");
            assert_eq!(exp2_f64::<B>(1.5 * x).to_bits(), 0, "{x}");
        }
    }

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
