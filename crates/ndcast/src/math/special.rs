//! Functions that are seldom applied to much: the inverse error function, those of the gamma function's family, and
//! a Bessel function.
//!
//! Most are those of the crate pxfm, one by one. Hurwitz' zeta function is the sum of its first terms and the
//! Euler-Maclaurin formula for the rest; `polygamma` is a multiple of it. Both are computed in f64 for f32 as well.

use super::bits::round32;
use crate::simd::Isa;

/// The inverse of the error function; infinite at -1 and 1, and NaN beyond. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn erf_inv_f32<I: Isa>(x: f32) -> f32 {
    round32(erf_inv_f64::<I>(f64::from(x)))
}

/// The inverse of the error function; infinite at -1 and 1, and NaN beyond. At most 0.8 ULP.
#[inline(always)]
pub(crate) fn erf_inv_f64<I: Isa>(x: f64) -> f64 {
    if x == 0.0 { x } else { pxfm::f_erfinv(x) }
}

/// log |gamma(x)|; infinite at 0, at the negative integers and at both infinities. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn lgamma_f32<I: Isa>(x: f32) -> f32 {
    round32(lgamma_f64::<I>(f64::from(x)))
}

/// log |gamma(x)|; infinite at 0, at the negative integers and at both infinities. At most 0.51 ULP, but for the few
/// floats next to its roots at negative numbers, where the error is 1e-19.
#[inline(always)]
pub(crate) fn lgamma_f64<I: Isa>(x: f64) -> f64 {
    pxfm::f_lgamma(x)
}

/// The derivative of [`lgamma_f32`]. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn digamma_f32<I: Isa>(x: f32) -> f32 {
    round32(digamma_f64::<I>(f64::from(x)))
}

/// The derivative of [`lgamma_f64`]: -infinity at 0, infinity at -0, and NaN at the negative integers, where it has
/// no limit. At most 1.0 ULP, but for the few floats next to its roots, where the error is 1e-17.
#[inline(always)]
pub(crate) fn digamma_f64<I: Isa>(x: f64) -> f64 {
    if x.abs() < 1e-20 { -1.0 / x } else { pxfm::f_digamma(x) }
}

/// exp(-|x|) I1(x), with the modified Bessel function of the first kind of order 1. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn bessel_i1e_f32<I: Isa>(x: f32) -> f32 {
    round32(bessel_i1e_f64::<I>(f64::from(x)))
}

/// exp(-|x|) I1(x), with the modified Bessel function of the first kind of order 1. At most 1.0 ULP.
#[inline(always)]
pub(crate) fn bessel_i1e_f64<I: Isa>(x: f64) -> f64 {
    // x / 2 - x |x| / 2 + ...: there pxfm takes the wrong sign for the second term.
    if x.abs() < 1e-15 {
        return 0.5 * x * (1.0 - x.abs());
    }
    if x.is_infinite() { 0.0f64.copysign(x) } else { pxfm::f_i1e(x) }
}

/// Hurwitz' zeta function, the sum of (q + k)^-x over all k from 0. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn zeta_f32<I: Isa>(x: f32, q: f32) -> f32 {
    round32(zeta_f64::<I>(f64::from(x), f64::from(q)))
}

/// Hurwitz' zeta function, the sum of (q + k)^-x over all k from 0. Infinite for x = 1, and where a term is; NaN for
/// x < 1, where the sum has no limit, and for a negative q unless x is an integer. Measured 5 ULP, which is 1e-15; the
/// terms of a negative q may cancel, and the error is relative to the greatest.
pub(crate) fn zeta_f64<I: Isa>(x: f64, q: f64) -> f64 {
    if x.is_nan() || q.is_nan() || x < 1.0 {
        return f64::NAN;
    }
    if x == 1.0 {
        return f64::INFINITY;
    }
    if q == f64::INFINITY {
        return 0.0;
    }
    if q > 0.0 {
        return zeta_of_positive(x, q);
    }
    if q == q.floor() {
        return f64::INFINITY;
    }
    if x != x.floor() {
        return f64::NAN;
    }
    // The terms of negative numbers, from q to that above -1, are those of positive ones from 1 - u to -q, but for
    // their signs, where u is what the first positive term has for a base.
    let u = q - q.floor();
    let (positive, negative) =
        (zeta_of_positive(x, u), zeta_of_positive(x, 1.0 - u) - zeta_of_positive(x, 1.0 - q));
    if x % 2.0 == 0.0 { positive + negative } else { positive - negative }
}

/// Bernoulli's number of 2k over the factorial of 2k, for k from 1.
const BERNOULLI: [f64; 12] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    -3617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    -174_611.0 / 802_857_662_698_291_200_000.0,
    77_683.0 / 14_101_100_039_391_805_440_000.0,
    -236_364_091.0 / 1_693_824_136_731_743_669_452_800_000.0,
];

/// For x > 1 and q > 0.
fn zeta_of_positive(x: f64, q: f64) -> f64 {
    let mut sum = 0.0;
    let mut base = q;
    // The formula for the rest is good where the base is great, also against the exponent.
    while base < 10.0 + 0.8 * x {
        let term = pxfm::f_pow(base, -x);
        sum += term;
        if term <= 1e-18 * sum || sum == f64::INFINITY {
            return sum;
        }
        base += 1.0;
    }
    let first = pxfm::f_pow(base, -x);
    // (integral from the base) + (half of the first term) + (the derivatives there).
    sum + (first * base / (x - 1.0) + 0.5 * first + derivatives(first, x, base))
}

/// The part of the Euler-Maclaurin formula with the derivatives of base^-x, which is the first term.
fn derivatives(first: f64, x: f64, base: f64) -> f64 {
    let mut rest = 0.0;
    let mut derivative = first * x / base;
    let mut order = x;
    for factor in BERNOULLI {
        let term = derivative * factor;
        rest += term;
        if term.abs() <= 1e-18 * first {
            break;
        }
        derivative *= (order + 1.0) / base * ((order + 2.0) / base);
        order += 2.0;
    }
    rest
}

/// The derivative of order n of [`digamma_f32`]. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn polygamma_f32<I: Isa>(n: f32, x: f32) -> f32 {
    round32(polygamma_f64::<I>(f64::from(n), f64::from(x)))
}

/// The derivative of order n of [`digamma_f64`]; NaN unless n is an integer that is not negative.
/// Measured 6 ULP, as for the zeta function; for an n beyond 170, whose factorial overflows, about n log(n) ULP.
pub(crate) fn polygamma_f64<I: Isa>(n: f64, x: f64) -> f64 {
    if n.is_nan() || x.is_nan() || n < 0.0 || n != n.floor() || n == f64::INFINITY {
        return f64::NAN;
    }
    if n == 0.0 {
        return digamma_f64::<I>(x);
    }
    let factorial = if n <= 170.0 { pxfm::f_tgamma(n + 1.0) } else { f64::INFINITY };
    let magnitude = if x > 0.0 && x < f64::INFINITY && n > 40.0 {
        // n! and x^-(n + 1) may be out of range where the product is not.
        let power = if n <= 170.0 {
            let half = (0.5 * n).floor();
            factorial * pxfm::f_pow(x, -half) * pxfm::f_pow(x, half - n) / x
        } else {
            pxfm::f_exp(pxfm::f_lgamma(n + 1.0) - (n + 1.0) * pxfm::f_log(x))
        };
        power * zeta_over_first(n + 1.0, x)
    } else {
        factorial * zeta_f64::<I>(n + 1.0, x)
    };
    if n % 2.0 == 0.0 { -magnitude } else { magnitude }
}

/// The sum of (q / (q + k))^x for x > 40: the zeta function over its first term.
fn zeta_over_first(x: f64, q: f64) -> f64 {
    let mut sum = 1.0;
    let mut base = q;
    // As for the zeta function; the terms vanish long before the base is so great, unless q is.
    while base < 10.0 + 0.8 * x {
        base += 1.0;
        let term = pxfm::f_pow(q / base, x);
        sum += term;
        if term < 1e-18 * sum {
            return sum;
        }
    }
    // The last term counts half here, and its rest begins with the integral.
    let last = pxfm::f_pow(q / base, x);
    sum - 0.5 * last + last * base / (x - 1.0) + derivatives(last, x, base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    #[test]
    fn edges() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert_eq!(
            (erf_inv_f64::<B>(1.0), erf_inv_f64::<B>(-1.0), erf_inv_f32::<B>(1.0)),
            (inf, -inf, f32::INFINITY)
        );
        assert!(erf_inv_f64::<B>(1.1).is_nan() && erf_inv_f64::<B>(-0.0).is_sign_negative());
        for x in [0.0, -0.0, -1.0, -7.0, inf, -inf] {
            assert_eq!(lgamma_f64::<B>(x), inf, "{x}");
        }
        assert_eq!((lgamma_f64::<B>(1.0), lgamma_f64::<B>(2.0)), (0.0, 0.0));
        assert_eq!((digamma_f64::<B>(0.0), digamma_f64::<B>(-0.0), digamma_f64::<B>(inf)), (-inf, inf, inf));
        assert!(
            digamma_f64::<B>(-3.0).is_nan()
                && digamma_f64::<B>(nan).is_nan()
                && lgamma_f64::<B>(nan).is_nan()
        );
        assert_eq!((bessel_i1e_f64::<B>(inf), bessel_i1e_f64::<B>(0.0)), (0.0, 0.0));
        assert!(bessel_i1e_f64::<B>(-0.0).is_sign_negative() && bessel_i1e_f64::<B>(nan).is_nan());
    }

    #[test]
    fn edges_of_two() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let pi = std::f64::consts::PI;
        assert!((zeta_f64::<B>(2.0, 1.0) - pi * pi / 6.0).abs() < 1e-15);
        assert_eq!(
            (zeta_f64::<B>(1.0, 2.0), zeta_f64::<B>(2.5, 0.0), zeta_f64::<B>(2.0, -3.0)),
            (inf, inf, inf)
        );
        assert!(
            zeta_f64::<B>(0.5, 1.0).is_nan()
                && zeta_f64::<B>(2.5, -0.5).is_nan()
                && zeta_f64::<B>(nan, 1.0).is_nan()
        );
        assert_eq!((zeta_f64::<B>(inf, 2.0), zeta_f64::<B>(2.0, inf)), (0.0, 0.0));
        assert!(polygamma_f64::<B>(-1.0, 1.0).is_nan() && polygamma_f64::<B>(0.5, 1.0).is_nan());
        assert_eq!(polygamma_f64::<B>(0.0, 3.0), digamma_f64::<B>(3.0));
        assert!((polygamma_f32::<B>(1.0, 1.0) - 1.644_934).abs() < 1e-6);
        assert!((zeta_f32::<B>(3.0, 1.0) - 1.202_056_9).abs() < 1e-6);
    }

    /// Where every part is out of range, the loops still end.
    #[test]
    fn great_arguments() {
        for x in [1.000_001, 2.0, 50.0, 1e3, 1e10, 1e300] {
            for q in [-1e300, -1e10 - 0.5, -1e3 - 0.5, 1e-300, 0.5, 1e3, 1e10, 1e300] {
                let _ = (zeta_f64::<B>(x, q), polygamma_f64::<B>(x, q), polygamma_f64::<B>(q, x));
            }
        }
    }
}
