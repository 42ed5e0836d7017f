//! `asin`, `acos`, `atan` and `atan2`.
//!
//! The argument is brought near 0 by the half-angle formula, or by the addition theorem of the tangent; what roots,
//! quotients and the parts of a turn lack is kept. `atan2` of f32 is computed in f64.

use std::f64::consts::PI;

use super::bits::{Real, at_most, poly, product, root, round32, sum, sum_greater_first, with_sign};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "asin24", "atan24", "atan32", "asin64", "atan64".
const ASIN24: [f32; 5] = [0.166_667_54, 0.074_952_33, 0.045_478_344, 0.024_140_99, 0.042_230_55];
const ATAN24: [f32; 5] = [-0.333_332_36, 0.199_943_13, -0.141_760_29, 0.101_647_95, -0.051_403_306];
const ATAN32: [f64; 7] = [
    -0.3333333293673711,
    0.1999995841213105,
    -0.14284232898213847,
    0.11085874246081737,
    -0.08857070261560937,
    0.0645927771089971,
    -0.02996866304989684,
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
    0.1999999999999955,
    -0.14285714285656106,
    0.11111111107308962,
    -0.09090908943322419,
    0.07692303974873953,
    -0.06666602557997665,
    0.05881570392928501,
    -0.0525626378993439,
    0.04717682297844699,
    -0.0414138597315038,
    0.03305150601643386,
    -0.02045892467644996,
    0.00694323530839318,
];

/// The angles of a float type, and the polynomials of the functions that give them.
trait Arc: Real {
    const PI: Self;
    const HALF_PI: Self;
    /// What pi / 2 is more than its float.
    const HALF_PI_LOWER: Self;
    /// The inverse of so great a number is none of the bits of pi / 2, and its double is finite.
    const FAR: Self;

    /// q(z) of `asin(x) = x + x z q(z)` with z = x^2, for an |x| of at most 1/2.
    fn asin_rest<I: Isa>(z: Self) -> Self;
    /// q(z) of `atan(x) = x + x z q(z)`, for the same.
    fn atan_rest<I: Isa>(z: Self) -> Self;
}

impl Arc for f32 {
    const PI: f32 = std::f32::consts::PI;
    const HALF_PI: f32 = std::f32::consts::FRAC_PI_2;
    const HALF_PI_LOWER: f32 = -4.371_139e-8;
    const FAR: f32 = 1e30;

    #[inline(always)]
    fn asin_rest<I: Isa>(z: f32) -> f32 {
        poly::<I, _, _>(z, ASIN24)
    }

    #[inline(always)]
    fn atan_rest<I: Isa>(z: f32) -> f32 {
        poly::<I, _, _>(z, ATAN24)
    }
}

impl Arc for f64 {
    const PI: f64 = PI;
    const HALF_PI: f64 = std::f64::consts::FRAC_PI_2;
    const HALF_PI_LOWER: f64 = 6.123_233_995_736_766e-17;
    const FAR: f64 = 1e300;

    #[inline(always)]
    fn asin_rest<I: Isa>(z: f64) -> f64 {
        poly::<I, _, _>(z, ASIN64)
    }

    #[inline(always)]
    fn atan_rest<I: Isa>(z: f64) -> f64 {
        poly::<I, _, _>(z, ATAN64)
    }
}

/// pi / 2 less an angle that is not greater.
#[inline(always)]
fn from_half_pi<T: Arc>(upper: T, lower: T) -> T {
    let (sum, lost) = sum_greater_first(T::HALF_PI, -upper);
    sum + (lost + (T::HALF_PI_LOWER - lower))
}

/// asin(|x|), and acos(x).
#[inline(always)]
fn asin_and_acos<I: Isa, T: Arc>(x: T) -> (T, T) {
    let a = x.abs();
    let steep = a > T::HALF;
    // asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)).
    let z = if steep { T::HALF - T::HALF * a } else { a * a };
    let (root, root_low) = root::<I, _>(z, T::ZERO);
    let (upper, lower) = if steep { (root, root_low) } else { (a, T::ZERO) };
    let lower = T::fma::<I>(upper * z, T::asin_rest::<I>(z), lower);
    let (twice, twice_lower) = (T::TWO * upper, T::TWO * lower);
    let asin = if steep { from_half_pi(twice, twice_lower) } else { upper + lower };
    let flat = from_half_pi(with_sign(upper, x), with_sign(T::ONE, x) * lower);
    let left = T::PI - (twice - (T::TWO * T::HALF_PI_LOWER - twice_lower));
    let acos = if x < T::ZERO { left } else { twice + twice_lower };
    (asin, if steep { acos } else { flat })
}

/// asin(x). At most 0.7 ULP.
#[inline(always)]
pub(crate) fn asin_f32<I: Isa>(x: f32) -> f32 {
    with_sign(asin_and_acos::<I, _>(x).0, x)
}

/// asin(x). At most 0.6 ULP.
#[inline(always)]
pub(crate) fn asin_f64<I: Isa>(x: f64) -> f64 {
    with_sign(asin_and_acos::<I, _>(x).0, x)
}

/// acos(x). At most 0.8 ULP.
#[inline(always)]
pub(crate) fn acos_f32<I: Isa>(x: f32) -> f32 {
    asin_and_acos::<I, _>(x).1
}

/// acos(x). At most 0.7 ULP.
#[inline(always)]
pub(crate) fn acos_f64<I: Isa>(x: f64) -> f64 {
    asin_and_acos::<I, _>(x).1
}

/// An angle of the first quadrant, less a quarter or a half of pi, or nothing, so that its tangent is from -1/2 to 1/2.
struct Turned<T> {
    /// The tangent of what is left, as a quotient, and what the denominator lacks.
    numerator: T,
    denominator: T,
    denominator_low: T,
    /// Whether it is pi / 2, and whether it is any.
    is_half: bool,
    is_turned: bool,
}

impl<T: Arc> Turned<T> {
    /// The angle whose tangent is `y / x`. Neither is negative, and their sum is finite unless one of them is infinite;
    /// then what the denominator lacks may be NaN, and is not to be used.
    #[inline(always)]
    fn of(y: T, x: T) -> Turned<T> {
        let is_turned = y > T::HALF * x;
        let is_half = y > T::TWO * x;
        let (total, lost) = sum(x, y);
        let numerator = if is_turned { y - x } else { y };
        let numerator = if is_half { -x } else { numerator };
        let denominator = if is_turned { total } else { x };
        let denominator = if is_half { y } else { denominator };
        let denominator_low = if is_turned { lost } else { T::ZERO };
        let denominator_low = if is_half { T::ZERO } else { denominator_low };
        Turned { numerator, denominator, denominator_low, is_half, is_turned }
    }

    /// What it was turned by, of a half.
    #[inline(always)]
    fn part(&self, half: T) -> T {
        let part = if self.is_turned { T::HALF * half } else { T::ZERO };
        if self.is_half { half } else { part }
    }

    /// The whole angle, of the tangent and what that lacks; in two parts.
    #[inline(always)]
    fn angle<I: Isa>(&self, t: T, low: T) -> (T, T) {
        let z = t * t;
        let (upper, lower) = sum_greater_first(self.part(T::HALF_PI), t);
        (upper, lower + T::fma::<I>(t * z, T::atan_rest::<I>(z), low + self.part(T::HALF_PI_LOWER)))
    }
}

#[inline(always)]
fn atan<I: Isa, T: Arc>(x: T) -> T {
    let turned = Turned::of(at_most(x.abs(), T::FAR), T::ONE);
    let t = turned.numerator / turned.denominator;
    // What the quotient lacks. The inverse of the denominator follows from it; a denominator of 1 lacks nothing.
    let (product, error) = product::<I, _>(t, turned.denominator);
    let inverse = if turned.is_half { -t } else { T::HALF - T::HALF * t };
    let low = (((turned.numerator - product) - error) - t * turned.denominator_low) * inverse;
    let (upper, lower) = turned.angle::<I>(t, low);
    with_sign(upper + lower, x)
}

/// atan(x). At most 0.8 ULP.
#[inline(always)]
pub(crate) fn atan_f32<I: Isa>(x: f32) -> f32 {
    atan::<I, _>(x)
}

/// atan(x). At most 0.6 ULP.
#[inline(always)]
pub(crate) fn atan_f64<I: Isa>(x: f64) -> f64 {
    atan::<I, _>(x)
}

/// The angle of the point (x, y), given y first. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn atan2_f32<I: Isa>(y: f32, x: f32) -> f32 {
    let (wide_y, wide_x) = (f64::from(y), f64::from(x));
    let both_infinite = (y.abs() == f32::INFINITY) & (x.abs() == f32::INFINITY);
    let (up, right) = (wide_y.abs(), if (y == 0.0) & (x == 0.0) { 1.0 } else { wide_x.abs() });
    let (up, right) = (if both_infinite { 1.0 } else { up }, if both_infinite { 1.0 } else { right });
    let turned = Turned::of(up, right);
    let t = turned.numerator / turned.denominator;
    let z = t * t;
    let angle = turned.part(f64::HALF_PI) + I::fma64(t * z, poly::<I, _, _>(z, ATAN32), t);
    let angle = if x.is_sign_negative() { PI - angle } else { angle };
    let angle = if x.is_nan() { f64::NAN } else { angle };
    round32(with_sign(angle, wide_y))
}

/// The angle of the point (x, y), given y first. At most 1.1 ULP.
#[inline(always)]
pub(crate) fn atan2_f64<I: Isa>(y: f64, x: f64) -> f64 {
    let both_infinite = (y.abs() == f64::INFINITY) & (x.abs() == f64::INFINITY);
    let scale = if (y.abs() > f64::FAR) | (x.abs() > f64::FAR) { 0.25 } else { 1.0 };
    let (up, right) = (y.abs() * scale, if (y == 0.0) & (x == 0.0) { 1.0 } else { x.abs() * scale });
    let (up, right) = (if both_infinite { 1.0 } else { up }, if both_infinite { 1.0 } else { right });
    let turned = Turned::of(up, right);
    let (upper, lower) = turned.angle::<I>(turned.numerator / turned.denominator, 0.0);
    let (back, back_low) = sum_greater_first(PI, -upper);
    let left = back + (back_low + (2.0 * f64::HALF_PI_LOWER - lower));
    let angle = if x.is_sign_negative() { left } else { upper + lower };
    with_sign(if x.is_nan() { f64::NAN } else { angle }, y)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

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
