//! `sqrt`, `rsqrt`, `cbrt` and `hypot`.
//!
//! The square root is an instruction. The cube root is x y^2 with y = x^(-1/3), which is found without a division: a
//! third of the exponent from the bits, then steps of fourth or fifth order.

use super::bits::{Real, poly, product, round32, sum_greater_first, with_sign};
use crate::simd::Isa;

/// The square root: correctly rounded.
#[inline(always)]
pub(crate) fn sqrt_f32<I: Isa>(x: f32) -> f32 {
    x.sqrt()
}

/// The square root: correctly rounded.
#[inline(always)]
pub(crate) fn sqrt_f64<I: Isa>(x: f64) -> f64 {
    x.sqrt()
}

/// 1 / sqrt(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn rsqrt_f32<I: Isa>(x: f32) -> f32 {
    // One step of Newton's in f64 for a root and a division in f32.
    let near = 1.0 / x.sqrt();
    let (y, wide) = (f64::from(near), f64::from(x));
    let better = round32(I::fma64(0.5 * y, I::fma64(-wide * y, y, 1.0), y));
    // 0 and infinity: their products are no numbers.
    if better.is_nan() { near } else { better }
}

/// 1 / sqrt(x). At most 1.4 ULP.
#[inline(always)]
pub(crate) fn rsqrt_f64<I: Isa>(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// What the cube root takes of a float type.
trait CubeRoot: Real {
    const THIRD: Self;
    /// The cube of a power of two, by which subnormal numbers become normal, and the inverse of the power.
    const UP: Self;
    const DOWN: Self;

    /// x^(-1/3) to about 50 bits, in f32 to about 19, for a normal positive number.
    ///
    /// The bits of a float are a logarithm, so their negative third is one of the inverse root: within 3.5%. The
    /// constant makes the errors of both signs equal.
    fn inverse_cbrt<I: Isa>(self) -> Self;
}

// (1 - error)^(-1/3) - 1, the beginning of its series.
const SERIES: [f64; 3] = [1.0 / 3.0, 2.0 / 9.0, 14.0 / 81.0];
const SERIES_F32: [f32; 4] = [1.0 / 3.0, 2.0 / 9.0, 14.0 / 81.0, 35.0 / 243.0];

impl CubeRoot for f32 {
    const THIRD: f32 = 1.0 / 3.0;
    const UP: f32 = 16_777_216.0;
    const DOWN: f32 = 1.0 / 256.0;

    #[inline(always)]
    fn inverse_cbrt<I: Isa>(self) -> f32 {
        // A third of the upper 23 bits as a float: 2^23 + n has n in its low bits.
        const TWO_23: f32 = 8_388_608.0;
        let upper = f32::from_bits(TWO_23.to_bits() | (self.to_bits() >> 8)) - TWO_23;
        let third = I::fma32(upper, -f32::THIRD, 5_546_547.0 + TWO_23);
        let y = f32::from_bits(third.to_bits() << 8);
        let error = I::fma32(-(self * y * y), y, 1.0);
        I::fma32(y * error, poly::<I, _, _>(error, SERIES_F32), y)
    }
}

impl CubeRoot for f64 {
    const THIRD: f64 = 1.0 / 3.0;
    const UP: f64 = 18_014_398_509_481_984.0;
    const DOWN: f64 = 1.0 / 262_144.0;

    #[inline(always)]
    fn inverse_cbrt<I: Isa>(self) -> f64 {
        let third = ((self.to_bits() >> 32) * 0x5555_5556) >> 32;
        let mut y = f64::from_bits(0x553e_f0ff_u64.wrapping_sub(third) << 32);
        for _ in 0..2 {
            let error = I::fma64(-(self * y * y), y, 1.0);
            y = I::fma64(y * error, poly::<I, _, _>(error, SERIES), y);
        }
        y
    }
}

#[inline(always)]
fn cbrt<I: Isa, T: CubeRoot>(x: T) -> T {
    let subnormal = x.abs() < T::LEAST;
    let magnitude = if subnormal { x.abs() * T::UP } else { x.abs() };
    let y = magnitude.inverse_cbrt::<I>();
    // Of half of the bits, the square is exact, and so are the products of its halves.
    let (root, _) = (magnitude * y * y).halves();
    let (upper, lower) = (root * root).halves();
    let left = (magnitude - upper * root) - lower * root;
    // root^3 = x (1 - 3 error), so the cube root is root (1 + error + 2 error^2 + ...).
    let error = left * y * y * y * T::THIRD;
    let root = T::fma::<I>(root, T::fma::<I>(error, T::TWO * error, error), root);
    let root = with_sign(if subnormal { root * T::DOWN } else { root }, x);
    // 0, infinity and NaN are their own.
    if (x.abs() > T::ZERO) & (x.abs() < T::INFINITY) { root } else { x }
}

/// The cube root. At most 0.67 ULP.
#[inline(always)]
pub(crate) fn cbrt_f32<I: Isa>(x: f32) -> f32 {
    cbrt::<I, _>(x)
}

/// The cube root. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn cbrt_f64<I: Isa>(x: f64) -> f64 {
    cbrt::<I, _>(x)
}

/// sqrt(x^2 + y^2), infinite if one is, even if the other is NaN. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn hypot_f32<I: Isa>(x: f32, y: f32) -> f32 {
    let (wide_x, wide_y) = (f64::from(x), f64::from(y));
    let root = round32(I::fma64(wide_x, wide_x, wide_y * wide_y).sqrt());
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { root }
}

/// sqrt(x^2 + y^2), infinite if one is, even if the other is NaN. At most 0.85 ULP.
#[inline(always)]
pub(crate) fn hypot_f64<I: Isa>(x: f64, y: f64) -> f64 {
    // Scaled by a power of two so that no square overflows or vanishes.
    const UP: f64 = f64::from_bits((1023 + 600) << 52);
    const DOWN: f64 = f64::from_bits((1023 - 600) << 52);
    let (large, small) = if x.abs() < y.abs() { (y.abs(), x.abs()) } else { (x.abs(), y.abs()) };
    let (scale, back) = if large > 1e150 { (DOWN, UP) } else { (1.0, 1.0) };
    let (scale, back) = if large < 1e-140 { (UP, DOWN) } else { (scale, back) };
    let (large, small) = (large * scale, small * scale);
    let (square, low) = product::<I, _>(large, large);
    let (other, other_low) = product::<I, _>(small, small);
    let (total, lost) = sum_greater_first(square, other);
    let root = (total + (lost + low + other_low)).sqrt();
    let infinite = (x.abs() == f64::INFINITY) | (y.abs() == f64::INFINITY);
    if infinite { f64::INFINITY } else { root * back }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    #[test]
    fn edges() {
        let inf = f64::INFINITY;
        assert!(sqrt_f64::<B>(-1.0).is_nan() && sqrt_f32::<B>(-0.0).is_sign_negative());
        assert_eq!((rsqrt_f64::<B>(0.0), rsqrt_f64::<B>(-0.0), rsqrt_f64::<B>(inf)), (inf, -inf, 0.0));
        let (zero, far) = (rsqrt_f32::<B>(0.0), rsqrt_f32::<B>(f32::INFINITY));
        assert_eq!((zero, rsqrt_f32::<B>(-0.0), far), (f32::INFINITY, f32::NEG_INFINITY, 0.0));
        assert!(rsqrt_f32::<B>(-1.0).is_nan() && rsqrt_f64::<B>(f64::NAN).is_nan());
        assert_eq!((cbrt_f64::<B>(-27.0), cbrt_f64::<B>(-inf), cbrt_f64::<B>(1e-300)), (-3.0, -inf, 1e-100));
        assert_eq!((cbrt_f32::<B>(8.0), cbrt_f32::<B>(f32::NEG_INFINITY)), (2.0, f32::NEG_INFINITY));
        assert!(cbrt_f32::<B>(-0.0).is_sign_negative() && cbrt_f64::<B>(-0.0).is_sign_negative());
        assert!(cbrt_f32::<B>(f32::NAN).is_nan() && cbrt_f64::<B>(f64::NAN).is_nan());
    }

    #[test]
    fn edges_of_two() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert_eq!(
            (hypot_f64::<B>(-inf, nan), hypot_f64::<B>(nan, inf), hypot_f64::<B>(3.0, -4.0)),
            (inf, inf, 5.0)
        );
        assert_eq!((hypot_f64::<B>(-0.0, -0.0), hypot_f64::<B>(5e-324, 0.0)), (0.0, 5e-324));
        assert_eq!((hypot_f64::<B>(3e307, 4e307), hypot_f64::<B>(1.7e308, 1.7e308)), (5e307, inf));
        assert!(hypot_f64::<B>(nan, 1.0).is_nan() && hypot_f64::<B>(1.0, nan).is_nan());
        assert_eq!(
            (hypot_f32::<B>(f32::INFINITY, f32::NAN), hypot_f32::<B>(3e38, 3e38)),
            (f32::INFINITY, f32::INFINITY)
        );
        assert!(hypot_f32::<B>(f32::NAN, 1.0).is_nan());
    }
}
