//! `sinh`, `cosh`, `tanh` and their inverses.
//!
//! `sinh` and `cosh` come from those of r, with x = n ln 2 + r, by the addition theorem; so nothing cancels and no
//! division is needed. `tanh` is a polynomial near 0, and 1 less a quotient of exp(2|x|) beyond, where an error of that is
//! a third as large beside the result. The inverses are logarithms of 1 + x, with what the sums, roots and quotients in x lose.

use super::bits::{Power, at_most, poly, product, root, round32, sum, sum_greater_first, with_sign};
use super::exponential::ExpRest;
use super::logarithm::Log1p;
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "sinh64", "cosh64", "tanh64", "sinh24", "cosh24", "tanh24". The first of each for f64 is so near to
// its Taylor coefficient that it is that.
const SINH64: [f64; 5] = [
    0.16666666666666677,
    0.008333333333321615,
    0.0001984126988616031,
    2.755724418013526e-06,
    2.5109045507964164e-08,
];
const COSH64: [f64; 4] =
    [0.04166666666660284, 0.0013888888927245963, 2.4801508124112375e-05, 2.7625405463348974e-07];
const SINH24: [f32; 3] = [0.166_666_67, 0.008_333_289, 0.000_199_049_6];
const COSH24: [f32; 2] = [0.041_666_46, 0.001_393_540_5];
const TANH24: [f32; 7] = [
    -0.333_333_23,
    0.133_329_99,
    -0.053_930_926,
    0.021_669_48,
    -0.008_275_526,
    0.002_592_665_2,
    -0.000_459_019_85,
];
const TANH64: [f64; 14] = [
    -0.33333333333333026,
    0.13333333333298497,
    -0.0539682539542835,
    0.021869488252483887,
    -0.008863232106058992,
    0.003592101190808084,
    -0.0014556900360776373,
    0.0005894767366006874,
    -0.0002376073539034201,
    9.383640402612956e-05,
    -3.470268926390491e-05,
    1.0936790396230606e-05,
    -2.49032492418881e-06,
    2.93050696865152e-07,
];

/// The polynomials of the hyperbolic functions.
trait HyperbolicRest: ExpRest {
    /// q(z) of `sinh(r) = r + r z q(z)` with z = r^2, for an |r| of at most ln(2) / 2.
    fn sinh_rest<I: Isa>(z: Self) -> Self;
    /// q(z) of `cosh(r) = 1 + z / 2 + z^2 q(z)`.
    fn cosh_rest<I: Isa>(z: Self) -> Self;
    /// Up to here `tanh` is a polynomial.
    const TANH_NEAR: Self;
    /// From here on `tanh` is 1.
    const TANH_FAR: Self;
    /// q(z) of `tanh(x) = x + x z q(z)` with z = x^2.
    fn tanh_rest<I: Isa>(z: Self) -> Self;
}

impl HyperbolicRest for f32 {
    #[inline(always)]
    fn sinh_rest<I: Isa>(z: f32) -> f32 {
        poly::<I, _, _>(z, SINH24)
    }
    #[inline(always)]
    fn cosh_rest<I: Isa>(z: f32) -> f32 {
        poly::<I, _, _>(z, COSH24)
    }
    const TANH_NEAR: f32 = 0.9;
    const TANH_FAR: f32 = 10.0;
    #[inline(always)]
    fn tanh_rest<I: Isa>(z: f32) -> f32 {
        poly::<I, _, _>(z, TANH24)
    }
}

impl HyperbolicRest for f64 {
    #[inline(always)]
    fn sinh_rest<I: Isa>(z: f64) -> f64 {
        poly::<I, _, _>(z, SINH64)
    }
    #[inline(always)]
    fn cosh_rest<I: Isa>(z: f64) -> f64 {
        poly::<I, _, _>(z, COSH64)
    }
    const TANH_NEAR: f64 = 0.9;
    const TANH_FAR: f64 = 20.0;
    #[inline(always)]
    fn tanh_rest<I: Isa>(z: f64) -> f64 {
        poly::<I, _, _>(z, TANH64)
    }
}

/// What is added by the addition theorem, for an x = n ln 2 + r that is not negative.
struct Addends<T> {
    power: Power<T>,
    /// sinh(r) and what it lacks, and cosh(r) - 1.
    sinh: T,
    low: T,
    cosh: T,
    /// sinh and cosh of n ln 2, over 2^n: the greatest n does not overflow before the sum. And what both lack.
    sinh_of_n: T,
    cosh_of_n: T,
    small: T,
}

/// For an x up to 1400, or to 150 in f32.
#[inline(always)]
fn addends<I: Isa, T: HyperbolicRest>(x: T) -> Addends<T> {
    let power = Power::nearest::<I>(x, T::LOG2_E);
    let upper = T::fma::<I>(power.n, -T::LN2_UPPER, x);
    let (r, low) = sum_greater_first(upper, power.n * -T::LN2_LOWER);
    let z = r * r;
    let (sinh, lost) = sum_greater_first(r, r * z * T::sinh_rest::<I>(z));
    let cosh = T::fma::<I>(z * z, T::cosh_rest::<I>(z), T::HALF * z);
    let small = if x > T::GREAT { T::ZERO } else { T::HALF * power.inverse() * power.inverse() };
    let (sinh_of_n, cosh_of_n) = (T::HALF - small, T::HALF + small);
    Addends { power, sinh, low: low + lost, cosh, sinh_of_n, cosh_of_n, small }
}

/// sinh(x), for an |x| up to `most`.
#[inline(always)]
fn sinh<I: Isa, T: HyperbolicRest>(x: T, most: T) -> T {
    let of = addends::<I, _>(at_most(x.abs(), most));
    let (more, more_low) = product::<I, _>(of.cosh_of_n, of.sinh);
    let (sum, lost) = sum_greater_first(of.sinh_of_n, more);
    let rest = T::fma::<I>(of.sinh_of_n, of.cosh, of.cosh_of_n * of.low);
    let lost = lost + ((T::HALF - of.sinh_of_n) - of.small);
    with_sign(of.power.times(sum + (rest + (lost + more_low))), x)
}

/// cosh(x), for an |x| up to `most`.
#[inline(always)]
fn cosh<I: Isa, T: HyperbolicRest>(x: T, most: T) -> T {
    let of = addends::<I, _>(at_most(x.abs(), most));
    let lost = of.small - (of.cosh_of_n - T::HALF);
    let rest = T::fma::<I>(of.cosh_of_n, of.cosh, of.sinh_of_n * of.low) + lost;
    let (more, more_low) = product::<I, _>(of.sinh_of_n, of.sinh);
    of.power.times(of.cosh_of_n + (more + (rest + more_low)))
}

/// tanh(x).
#[inline(always)]
fn tanh<I: Isa, T: HyperbolicRest>(x: T) -> T {
    let a = at_most(x.abs(), T::TANH_FAR);
    let z = a * a;
    let near = T::fma::<I>(a * z, T::tanh_rest::<I>(z), a);
    // 1 - 2 / (1 + exp(2 a)), with a = n ln 2 / 2 + r / 2.
    let power = Power::nearest::<I>(a, T::TWO * T::LOG2_E);
    let half = T::fma::<I>(power.n, -T::HALF * T::LN2_UPPER, a);
    let r = T::TWO * T::fma::<I>(power.n, -T::HALF * T::LN2_LOWER, half);
    let minus_one = T::fma::<I>(r * r, T::exp_rest::<I>(r), r);
    let scale = power.value();
    let far = T::ONE - T::TWO / T::fma::<I>(scale, minus_one, scale + T::ONE);
    with_sign(if a < T::TANH_NEAR { near } else { far }, x)
}

/// sinh(x). At most 0.6 ULP.
#[inline(always)]
pub(crate) fn sinh_f64<I: Isa>(x: f64) -> f64 {
    sinh::<I, _>(x, 712.0)
}

/// sinh(x). At most 0.9 ULP.
#[inline(always)]
pub(crate) fn sinh_f32<I: Isa>(x: f32) -> f32 {
    sinh::<I, _>(x, 90.0)
}

/// cosh(x). At most 0.7 ULP.
#[inline(always)]
pub(crate) fn cosh_f64<I: Isa>(x: f64) -> f64 {
    cosh::<I, _>(x, 712.0)
}

/// cosh(x). At most 0.9 ULP.
#[inline(always)]
pub(crate) fn cosh_f32<I: Isa>(x: f32) -> f32 {
    cosh::<I, _>(x, 90.0)
}

/// tanh(x). At most 1.1 ULP.
#[inline(always)]
pub(crate) fn tanh_f64<I: Isa>(x: f64) -> f64 {
    tanh::<I, _>(x)
}

/// tanh(x). At most 0.99 ULP.
#[inline(always)]
pub(crate) fn tanh_f32<I: Isa>(x: f32) -> f32 {
    // Without a fused multiply-add the sums of f32 would lose more.
    if I::FMA { tanh::<I, _>(x) } else { round32(tanh::<I, _>(f64::from(x))) }
}

/// A float type whose hyperbolic functions have inverses.
trait Area: Log1p {
    /// From here on a^2 + 1 and a^2 - 1 are a^2, and log(1 + a) is log(a); its square is finite.
    const FAR: Self;
}

impl Area for f32 {
    const FAR: f32 = 1_073_741_824.0;
}

impl Area for f64 {
    const FAR: f64 = 1_152_921_504_606_846_976.0;
}

/// log(1 + x + low), or log(2 far) for a number that is so far from 0.
#[inline(always)]
fn log1p_or_of_twice<I: Isa, T: Area>(x: T, low: T, far: T) -> T {
    // One logarithm of what is chosen: two, of which one is chosen, would both be computed.
    let is_far = far > T::FAR;
    let (x, low, more) = if is_far { (far, T::ZERO, T::LN_2) } else { (x, low, T::ZERO) };
    T::log1p_of::<I>(x, low) + more
}

#[inline(always)]
fn asinh<I: Isa, T: Area>(x: T) -> T {
    // log(1 + a + (sqrt(a^2 + 1) - 1)): near 0, what the root lacks is all of the last term.
    let a = at_most(x.abs(), T::FAR);
    let (square, square_low) = product::<I, _>(a, a);
    let (total, lost) = sum(square, T::ONE);
    let (root, root_low) = root::<I, _>(total, lost + square_low);
    let (upper, lower) = sum_greater_first(a, root - T::ONE);
    let (upper, lower) = sum_greater_first(upper, lower + root_low);
    with_sign(log1p_or_of_twice::<I, _>(upper, lower, x.abs()), x)
}

#[inline(always)]
fn acosh<I: Isa, T: Area>(x: T) -> T {
    // log(1 + t + sqrt(x^2 - 1)), with t = x - 1.
    let near = at_most(x, T::FAR);
    let t = near - T::ONE;
    let (more, more_low) = sum_greater_first(near, T::ONE);
    let (square, square_low) = product::<I, _>(t, more);
    let (root, root_low) = root::<I, _>(square, T::fma::<I>(t, more_low, square_low));
    let (upper, lower) = sum_greater_first(root, t);
    let y = log1p_or_of_twice::<I, _>(upper, lower + root_low, x);
    if t < T::ZERO { T::NAN } else { y }
}

#[inline(always)]
fn atanh<I: Isa, T: Log1p>(x: T) -> T {
    // log(1 + 2 a / (1 - a)) / 2.
    let a = x.abs();
    let twice = T::TWO * a;
    let (divisor, lost) = sum_greater_first(T::ONE, -a);
    let quotient = twice / divisor;
    // The inverse of the divisor is half the quotient more than 1: of what lacks, a few bits are enough.
    let (product, error) = product::<I, _>(quotient, divisor);
    let low = (((twice - product) - error) - quotient * lost) * (T::HALF * quotient + T::ONE);
    let y = T::HALF * T::log1p_of::<I>(quotient, low);
    let y = if a == T::ONE { T::INFINITY } else { y };
    with_sign(if a > T::ONE { T::NAN } else { y }, x)
}

/// asinh(x). At most 0.9 ULP.
#[inline(always)]
pub(crate) fn asinh_f32<I: Isa>(x: f32) -> f32 {
    asinh::<I, _>(x)
}

/// asinh(x). At most 1 ULP.
#[inline(always)]
pub(crate) fn asinh_f64<I: Isa>(x: f64) -> f64 {
    asinh::<I, _>(x)
}

/// acosh(x). At most 0.9 ULP.
#[inline(always)]
pub(crate) fn acosh_f32<I: Isa>(x: f32) -> f32 {
    acosh::<I, _>(x)
}

/// acosh(x). At most 1 ULP.
#[inline(always)]
pub(crate) fn acosh_f64<I: Isa>(x: f64) -> f64 {
    acosh::<I, _>(x)
}

/// atanh(x). At most 0.78 ULP.
#[inline(always)]
pub(crate) fn atanh_f32<I: Isa>(x: f32) -> f32 {
    atanh::<I, _>(x)
}

/// atanh(x). At most 0.8 ULP.
#[inline(always)]
pub(crate) fn atanh_f64<I: Isa>(x: f64) -> f64 {
    atanh::<I, _>(x)
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
