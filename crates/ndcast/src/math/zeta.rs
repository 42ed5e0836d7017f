//! Hurwitz' zeta function, and `polygamma`, which is a multiple of it: the sum of the first terms, and the
//! Euler-Maclaurin formula for the rest.
//!
//! Sums and products are computed with twice the digits, and so are powers to an integer, which all of `polygamma`'s
//! are; what is left is the rounding of a power to any other number. Both are computed in f64 for f32 as well.

use super::bits::{product, round32, sum, sum_greater_first};
use super::reflected::digamma_f64;
use crate::simd::{Baseline, Isa};

/// The sum of (q + k)^-x over all k from 0. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn zeta_f32<I: Isa>(x: f32, q: f32) -> f32 {
    round32(zeta_f64::<I>(f64::from(x), f64::from(q)))
}

/// The sum of (q + k)^-x over all k from 0. Infinite for x = 1, and where a term is; NaN for x < 1, where the sum has
/// no limit, and for a negative q unless x is an integer. At most 1.5 ULP; the terms of a negative q may cancel, and
/// the error is then relative to the greatest, of twice the digits.
pub(crate) fn zeta_f64<I: Isa>(x: f64, q: f64) -> f64 {
    zeta(x, q).nearest()
}

/// The derivative of order n of [`super::reflected::digamma_f32`]. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn polygamma_f32<I: Isa>(n: f32, x: f32) -> f32 {
    round32(polygamma_f64::<I>(f64::from(n), f64::from(x)))
}

/// The derivative of order n of [`digamma_f64`]; NaN unless n is an integer that is not negative. At most 0.51 ULP, for
/// an n up to [`MOST`]; beyond, about n log(n) ULP.
pub(crate) fn polygamma_f64<I: Isa>(n: f64, x: f64) -> f64 {
    if n.is_nan() || x.is_nan() || n < 0.0 || n != n.floor() || n == f64::INFINITY {
        return f64::NAN;
    }
    if n == 0.0 {
        return digamma_f64::<I>(x);
    }
    let magnitude = if x > 0.0 && x < f64::INFINITY && n > 40.0 {
        // n! and x^-(n + 1) may be out of range where the product is not.
        let sum = of_positive(n + 1.0, Twice::of(x), x);
        if n <= MOST {
            Scaled::power_by_factorial(n, x).times(sum)
        } else {
            pxfm::f_exp(pxfm::f_lgamma(n + 1.0) - (n + 1.0) * pxfm::f_log(x)) * sum.nearest()
        }
    } else {
        // Of a greater n only infinities and zeros come to this.
        Scaled::power_by_factorial(n.min(MOST), 1.0).times(zeta(n + 1.0, x))
    };
    if n % 2.0 == 0.0 { -magnitude } else { magnitude }
}

/// So many factors of a factorial are multiplied one by one; the greatest exponent of a power that is made of products,
/// a power of 2.
const MOST: f64 = 4096.0;

fn zeta(x: f64, q: f64) -> Twice {
    if x.is_nan() || q.is_nan() || x < 1.0 {
        return Twice::of(f64::NAN);
    }
    if x == 1.0 {
        return Twice::of(f64::INFINITY);
    }
    if q == f64::INFINITY {
        return Twice::of(0.0);
    }
    if q > 0.0 {
        return of_positive(x, Twice::of(q), 1.0);
    }
    if q == q.floor() {
        return Twice::of(f64::INFINITY);
    }
    if x != x.floor() {
        return Twice::of(f64::NAN);
    }
    // The terms of negative numbers, from q to that above -1, are those of positive ones from 1 - u to -q, but for
    // their signs, where u is what the first positive term has for a base.
    let u = Twice::of(q).plus(Twice::of(-q.floor()));
    let first = Twice::of(1.0).plus(u.negative());
    let negative = if q > -64.0 {
        let mut negative = Twice::of(0.0);
        let mut base = first;
        while base.value <= -q {
            negative = negative.plus(base.power(-x));
            base = base.plus(Twice::of(1.0));
        }
        negative
    } else {
        of_positive(x, first, 1.0).plus(of_positive(x, Twice::of(1.0).plus(Twice::of(-q)), 1.0).negative())
    };
    let positive = of_positive(x, u, 1.0);
    positive.plus(if x % 2.0 == 0.0 { negative } else { negative.negative() })
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

/// The sum of ((q + k) / unit)^-x for x > 1 and q > 0.
fn of_positive(x: f64, q: Twice, unit: f64) -> Twice {
    let term = |base: Twice| base.over(Twice::of(unit)).power(-x);
    let mut sum = Twice::of(0.0);
    let mut base = q;
    // The formula for the rest is good where the base is great, also against the exponent.
    while base.value < 10.0 + 0.8 * x {
        let term = term(base);
        sum = sum.plus(term);
        if term.value <= 1e-18 * sum.value || sum.value == f64::INFINITY {
            return sum;
        }
        base = base.plus(Twice::of(1.0));
    }
    // (integral from the base) + (half of the first term) + (the derivatives there).
    let first = term(base);
    let integral = first.times(base).over(Twice::of(x - 1.0));
    let rest = derivatives(first.value, x, base.value);
    sum.plus(integral).plus(Twice { value: 0.5 * first.value, rest: 0.5 * first.rest }).plus(Twice::of(rest))
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

/// A number with twice the digits: a float, and what is to be added to it. If the float is infinite, NaN or too small for
/// a rest, that is 0.
#[derive(Clone, Copy, Debug)]
struct Twice {
    value: f64,
    rest: f64,
}

impl Twice {
    fn of(value: f64) -> Twice {
        Twice { value, rest: 0.0 }
    }

    fn nearest(self) -> f64 {
        self.value + self.rest
    }

    /// Of a float, and of what is less than it.
    fn of_both(value: f64, rest: f64) -> Twice {
        let (sum, rest) = sum_greater_first(value, rest);
        if rest.is_finite() { Twice { value: sum, rest } } else { Twice::of(value) }
    }

    fn negative(self) -> Twice {
        Twice { value: -self.value, rest: -self.rest }
    }

    fn plus(self, other: Twice) -> Twice {
        let (sum, rest) = sum(self.value, other.value);
        Twice::of_both(sum, rest + (self.rest + other.rest))
    }

    fn times(self, other: Twice) -> Twice {
        let (value, rest) = product::<Baseline, _>(self.value, other.value);
        Twice::of_both(value, rest + (self.value * other.rest + self.rest * other.value))
    }

    fn over(self, other: Twice) -> Twice {
        let value = self.value / other.value;
        let (product, rest) = product::<Baseline, _>(value, other.value);
        let left = (self.value - product) - rest + (self.rest - value * other.rest);
        Twice::of_both(value, left / other.value)
    }

    /// A power of a positive number to a negative one: with twice the digits to an integer that is not too great, if
    /// the power is not near the ends of the range; else rounded as that of a float.
    fn power(self, exponent: f64) -> Twice {
        let near = pxfm::f_pow(self.value, exponent);
        let is_short = exponent == exponent.floor() && exponent >= -MOST;
        if !is_short || !(1e-250..1e250).contains(&near) {
            return Twice::of_both(near, near * pxfm::f_expm1(exponent * (self.rest / self.value)));
        }
        // From the first digit of the exponent on, so that what there is on the way is not beyond the power.
        let mut power = Twice::of(1.0);
        let (mut left, mut digit) = (-exponent, MOST);
        while digit >= 1.0 {
            power = power.times(power);
            if left >= digit {
                left -= digit;
                power = power.times(self);
            }
            digit *= 0.5;
        }
        Twice::of(1.0).over(power)
    }
}

/// A number and a power of 2 that it is to be multiplied by.
struct Scaled {
    number: Twice,
    exponent: i32,
}

impl Scaled {
    /// n! x^-(n + 1).
    fn power_by_factorial(n: f64, x: f64) -> Scaled {
        const STEP: i32 = 400;
        let mut scaled = Scaled { number: Twice::of(1.0).over(Twice::of(x)), exponent: 0 };
        let mut factor = 1.0;
        while factor <= n {
            scaled.number = scaled.number.times(Twice::of(factor)).over(Twice::of(x));
            let by = match scaled.number.value {
                small if small < 1e-100 => STEP,
                great if great > 1e100 => -STEP,
                _ => 0,
            };
            scaled.number = scaled.number.times(Twice::of(2f64.powi(by)));
            scaled.exponent -= by;
            factor += 1.0;
        }
        scaled
    }

    fn times(self, other: Twice) -> f64 {
        let number = self.number.times(other).nearest();
        let half = self.exponent.clamp(-4000, 4000) / 4;
        (0..4).fold(number, |number, _| number * 2f64.powi(half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

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

    /// What is great beside nothing is not lost, and what overflows on the way is not lost either.
    #[test]
    fn far_from_one() {
        // The term of 1 - 1e-20 and that of -1e-20, which is as much greater as it can be.
        assert!((zeta_f64::<B>(2.0, -1e-20) / 1e40 - 1.0).abs() < 1e-15);
        assert!((zeta_f64::<B>(60.0, 1e5) / 1.695_415_304_24e-297 - 1.0).abs() < 1e-11);
        // Of mpmath; the factorial of 4000 is 1e12673.
        assert_eq!(polygamma_f64::<B>(200.0, 80.5), -7.412_271_893_700_056e-9);
        assert_eq!(polygamma_f64::<B>(1000.0, 400.0), -9.546_328_660_228_91e-38);
        assert_eq!(polygamma_f64::<B>(3000.0, 1200.0), -1.077_145_920_345_785_8e-110);
        assert_eq!(polygamma_f64::<B>(4000.0, 1500.25), -2.902_439_067_011_721_6e-35);
        assert_eq!(polygamma_f64::<B>(200.0, 1e300), 0.0);
        assert_eq!(polygamma_f64::<B>(200.0, f64::INFINITY), 0.0);
        assert_eq!(polygamma_f64::<B>(201.0, 1e-5), f64::INFINITY);
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
