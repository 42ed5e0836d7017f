//! `asin`, `acos`, `atan` and `atan2`.
//!
//! f32 is computed in f64 in a straight line: the argument is brought near 0 by the half-angle formula, or by the
//! addition theorem of the tangent. f64 is that of the crate pxfm, one by one.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::bits::{poly64, round32, with_sign};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "asin32", "atan32".
const ASIN32: [f64; 7] = [
    0.16666667191550227,
    0.07499948008387418,
    0.044660205537627326,
    0.03010970814793016,
    0.024621909978512713,
    0.007457824024323156,
    0.03470698005011235,
];
const ATAN32: [f64; 7] = [
    -0.3333333329622295,
    0.19999994379146951,
    -0.14285425485006403,
    0.11104033957846417,
    -0.08997084448875138,
    0.06992187155455858,
    -0.037939250327680835,
];

/// asin(|x|), and pi / 2 - asin(|x|).
#[inline(always)]
fn asin_and_acos<I: Isa>(x: f64) -> (f64, f64) {
    let a = x.abs();
    let steep = a > 0.5;
    // asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)).
    let z = if steep { 0.5 - 0.5 * a } else { a * a };
    let root = if steep { z.sqrt() } else { a };
    let y = I::fma64(root * z, poly64::<I, _>(z, ASIN32), root);
    if steep { (FRAC_PI_2 - 2.0 * y, 2.0 * y) } else { (y, FRAC_PI_2 - y) }
}

/// asin(x).
#[inline(always)]
pub(crate) fn asin_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    round32(with_sign(asin_and_acos::<I>(wide).0, wide))
}

/// acos(x).
#[inline(always)]
pub(crate) fn acos_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    let acos = asin_and_acos::<I>(wide).1;
    round32(if wide < 0.0 { PI - acos } else { acos })
}

/// The angle in the first quadrant whose tangent is `y / x`; neither is negative.
#[inline(always)]
fn first_quadrant<I: Isa>(y: f64, x: f64) -> f64 {
    const TAN_PI_8: f64 = 0.414_213_562_373_095_05;
    const TAN_3_PI_8: f64 = 2.414_213_562_373_095;
    let steep = y > TAN_3_PI_8 * x;
    let middle = y > TAN_PI_8 * x;
    let numerator = if steep {
        -x
    } else if middle {
        y - x
    } else {
        y
    };
    let denominator = if steep {
        y
    } else if middle {
        y + x
    } else {
        x
    };
    let base = if steep {
        FRAC_PI_2
    } else if middle {
        FRAC_PI_4
    } else {
        0.0
    };
    let t = numerator / denominator;
    let z = t * t;
    base + I::fma64(t * z, poly64::<I, _>(z, ATAN32), t)
}

/// atan(x).
#[inline(always)]
pub(crate) fn atan_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    round32(with_sign(first_quadrant::<I>(wide.abs(), 1.0), wide))
}

/// The angle of the point (x, y), where `self` of the trait is y.
#[inline(always)]
pub(crate) fn atan2_f32<I: Isa>(y: f32, x: f32) -> f32 {
    let (wide_y, wide_x) = (f64::from(y), f64::from(x));
    let both_infinite = (y.abs() == f32::INFINITY) & (x.abs() == f32::INFINITY);
    let (up, right) = (wide_y.abs(), if (y == 0.0) & (x == 0.0) { 1.0 } else { wide_x.abs() });
    let (up, right) = (if both_infinite { 1.0 } else { up }, if both_infinite { 1.0 } else { right });
    let angle = first_quadrant::<I>(up, right);
    let angle = if x.is_sign_negative() { PI - angle } else { angle };
    let angle = if x.is_nan() { f64::NAN } else { angle };
    round32(with_sign(angle, wide_y))
}

/// asin(x): at most 0.51 ULP.
#[inline(always)]
pub(crate) fn asin_f64<I: Isa>(x: f64) -> f64 {
    pxfm::f_asin(x)
}

/// acos(x): at most 0.51 ULP.
#[inline(always)]
pub(crate) fn acos_f64<I: Isa>(x: f64) -> f64 {
    pxfm::f_acos(x)
}

/// atan(x): at most 0.51 ULP.
#[inline(always)]
pub(crate) fn atan_f64<I: Isa>(x: f64) -> f64 {
    pxfm::f_atan(x)
}

/// The angle of the point (x, y).
#[inline(always)]
pub(crate) fn atan2_f64<I: Isa>(y: f64, x: f64) -> f64 {
    pxfm::f_atan2(y, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    #[test]
    fn edges() {
        for x in [1.1, f64::NAN, f64::INFINITY] {
            assert!(asin_f64::<B>(x).is_nan() && acos_f64::<B>(-x).is_nan());
            assert!(asin_f32::<B>(round32(x)).is_nan() && acos_f32::<B>(round32(-x)).is_nan());
        }
        assert!(asin_f32::<B>(-0.0).is_sign_negative() && atan_f32::<B>(-0.0).is_sign_negative());
        assert!(asin_f64::<B>(-0.0).is_sign_negative() && atan_f64::<B>(-0.0).is_sign_negative());
        assert_eq!((acos_f32::<B>(1.0), acos_f32::<B>(-1.0)), (0.0, round32(PI)));
        assert_eq!(
            (atan_f32::<B>(f32::NEG_INFINITY), atan_f64::<B>(f64::INFINITY)),
            (-round32(FRAC_PI_2), FRAC_PI_2)
        );
    }

    /// C's list, for both types.
    #[test]
    fn edges_of_two() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let cases = [
            (0.0, -0.0, PI),
            (-0.0, -0.0, -PI),
            (0.0, 0.0, 0.0),
            (-0.0, 0.0, -0.0),
            (0.0, -1.0, PI),
            (-0.0, -1.0, -PI),
            (0.0, 1.0, 0.0),
            (-0.0, 1.0, -0.0),
            (-1.0, 0.0, -FRAC_PI_2),
            (1.0, -0.0, FRAC_PI_2),
            (1.0, -inf, PI),
            (-1.0, -inf, -PI),
            (1.0, inf, 0.0),
            (-1.0, inf, -0.0),
            (inf, 1.0, FRAC_PI_2),
            (-inf, 0.0, -FRAC_PI_2),
            (inf, -inf, 3.0 * FRAC_PI_4),
            (-inf, -inf, -3.0 * FRAC_PI_4),
            (inf, inf, FRAC_PI_4),
            (-inf, inf, -FRAC_PI_4),
            (nan, 1.0, nan),
            (1.0, nan, nan),
            (0.0, nan, nan),
            (inf, nan, nan),
            (nan, inf, nan),
        ];
        for (y, x, exact) in cases {
            let same = |got: f64, exact: f64| {
                (got.is_nan() && exact.is_nan())
                    || (got == exact && got.is_sign_negative() == exact.is_sign_negative())
            };
            assert!(same(atan2_f64::<B>(y, x), exact), "{y} {x}: {}", atan2_f64::<B>(y, x));
            let single = atan2_f32::<B>(round32(y), round32(x));
            assert!(same(f64::from(single), f64::from(round32(exact))), "{y} {x}: {single}");
        }
    }
}
