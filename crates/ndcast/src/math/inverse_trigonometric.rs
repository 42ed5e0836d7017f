//! `asin`, `acos`, `atan` and `atan2`.
//!
//! The argument is brought near 0 by the half-angle formula, or by the addition theorem of the tangent. f32 is computed
//! in f64; f64 keeps what a root and the parts of a turn lack.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::bits::{at_least, at_most, poly, product, round32, sum_greater_first, with_sign};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "asin32", "atan32", "asin64", "atan64".
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

const ASIN64: [f64; 16] = [
    0.16666666666666666,
    0.07500000000000018,
    0.04464285714282785,
    0.030381944446846717,
    0.022372158973341705,
    0.017352768180729394,
    0.013964760838384188,
    0.011553109317583113,
    0.009746515029496394,
    0.008519108153860587,
    0.006498394843284361,
    0.010231646215526519,
    -0.00692488538364536,
    0.03440919240006474,
    -0.03819900531535675,
    0.036610821976113775,
];
const ATAN64: [f64; 14] = [
    -0.3333333333333333,
    0.19999999999999996,
    -0.14285714285713239,
    0.11111111111011884,
    -0.09090909085331668,
    0.07692307489045387,
    -0.06666661601029511,
    0.05882263740478275,
    -0.05262027236399365,
    0.04751512437544848,
    -0.0427877738342971,
    0.03673118186819584,
    -0.02631508024869672,
    0.01114414493600528,
];

/// What pi / 2 is more than its f64.
const HALF_PI_LOWER: f64 = 6.123_233_995_736_766e-17;
/// Where the angle is taken from pi / 4, and from pi / 2.
const TAN_PI_8: f64 = 0.414_213_562_373_095_05;
const TAN_3_PI_8: f64 = 2.414_213_562_373_095;

/// asin(|x|), and pi / 2 - asin(|x|).
#[inline(always)]
fn asin_and_acos<I: Isa>(x: f64) -> (f64, f64) {
    let a = x.abs();
    let steep = a > 0.5;
    // asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)).
    let z = if steep { 0.5 - 0.5 * a } else { a * a };
    let root = if steep { z.sqrt() } else { a };
    let y = I::fma64(root * z, poly::<I, _, _>(z, ASIN32), root);
    if steep { (FRAC_PI_2 - 2.0 * y, 2.0 * y) } else { (y, FRAC_PI_2 - y) }
}

/// asin(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn asin_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    round32(with_sign(asin_and_acos::<I>(wide).0, wide))
}

/// acos(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn acos_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    let acos = asin_and_acos::<I>(wide).1;
    round32(if wide < 0.0 { PI - acos } else { acos })
}

/// The angle in the first quadrant whose tangent is `y / x`; neither is negative.
#[inline(always)]
fn first_quadrant<I: Isa>(y: f64, x: f64) -> f64 {
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
    base + I::fma64(t * z, poly::<I, _, _>(z, ATAN32), t)
}

/// atan(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn atan_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    round32(with_sign(first_quadrant::<I>(wide.abs(), 1.0), wide))
}

/// The angle of the point (x, y), where `self` of the trait is y. At most 0.51 ULP.
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

/// asin(|x|), and acos(x) from it, of f64.
#[inline(always)]
fn asin_and_acos_long<I: Isa>(x: f64) -> (f64, f64) {
    let a = x.abs();
    let steep = a > 0.5;
    let z = if steep { 0.5 - 0.5 * a } else { a * a };
    // The root and what it lacks.
    let root = z.sqrt();
    let (square, square_low) = product::<I, _>(root, root);
    let lost = ((z - square) - square_low) * 0.5 / at_least(root, 1e-300);
    let (root, lost) = if steep { (root, lost) } else { (a, 0.0) };
    let rest = I::fma64(root * z, poly::<I, _, _>(z, ASIN64), lost);
    // pi / 2 - 2 (root + rest), or root + rest, and what is left of a half or whole turn.
    let asin = if steep { FRAC_PI_2 - (2.0 * root - (HALF_PI_LOWER - 2.0 * rest)) } else { root + rest };
    let flat = if x < 0.0 {
        FRAC_PI_2 + (root + (HALF_PI_LOWER + rest))
    } else {
        FRAC_PI_2 - (root - (HALF_PI_LOWER - rest))
    };
    let twice = 2.0 * (root + rest);
    let acos = if x < 0.0 { PI - (2.0 * root - (2.0 * HALF_PI_LOWER - 2.0 * rest)) } else { twice };
    (asin, if steep { acos } else { flat })
}

/// asin(x). At most 1.1 ULP.
#[inline(always)]
pub(crate) fn asin_f64<I: Isa>(x: f64) -> f64 {
    with_sign(asin_and_acos_long::<I>(x).0, x)
}

/// acos(x). At most 0.8 ULP.
#[inline(always)]
pub(crate) fn acos_f64<I: Isa>(x: f64) -> f64 {
    asin_and_acos_long::<I>(x).1
}

/// The angle in the first quadrant whose tangent is `y / x`, in two parts; neither is negative or greater than 1e300.
#[inline(always)]
fn first_quadrant_long<I: Isa>(y: f64, x: f64) -> (f64, f64) {
    let steep = y > TAN_3_PI_8 * x;
    let middle = y > TAN_PI_8 * x;
    let numerator = if middle { y - x } else { y };
    let numerator = if steep { -x } else { numerator };
    let denominator = if middle { y + x } else { x };
    let denominator = if steep { y } else { denominator };
    let base = if middle { FRAC_PI_4 } else { 0.0 };
    let base = if steep { FRAC_PI_2 } else { base };
    let base_low = base * (HALF_PI_LOWER / FRAC_PI_2);
    let t = numerator / denominator;
    let z = t * t;
    let (upper, lower) = sum_greater_first(base, t);
    (upper, lower + I::fma64(t * z, poly::<I, _, _>(z, ATAN64), base_low))
}

/// atan(x). At most 1.5 ULP.
#[inline(always)]
pub(crate) fn atan_f64<I: Isa>(x: f64) -> f64 {
    // Beyond, the angle does not change; and the sums do not overflow.
    let (upper, lower) = first_quadrant_long::<I>(at_most(x.abs(), 1e300), 1.0);
    with_sign(upper + lower, x)
}

/// The angle of the point (x, y), given y first. At most 1.8 ULP.
#[inline(always)]
pub(crate) fn atan2_f64<I: Isa>(y: f64, x: f64) -> f64 {
    let both_infinite = (y.abs() == f64::INFINITY) & (x.abs() == f64::INFINITY);
    let scale = if (y.abs() > 1e300) | (x.abs() > 1e300) { 0.25 } else { 1.0 };
    let (up, right) = (y.abs() * scale, if (y == 0.0) & (x == 0.0) { 1.0 } else { x.abs() * scale });
    let (up, right) = (if both_infinite { 1.0 } else { up }, if both_infinite { 1.0 } else { right });
    let (upper, lower) = first_quadrant_long::<I>(up, right);
    let (back, back_low) = sum_greater_first(PI, -upper);
    let left = back + (back_low + (2.0 * HALF_PI_LOWER - lower));
    let angle = if x.is_sign_negative() { left } else { upper + lower };
    with_sign(if x.is_nan() { f64::NAN } else { angle }, y)
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
