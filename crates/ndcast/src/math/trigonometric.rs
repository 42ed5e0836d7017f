//! `sin`, `cos` and `tan`.
//!
//! The argument is taken modulo pi / 2. Up to 2^20 that is a subtraction of a multiple of pi / 2, which is given in
//! parts so short that the products are exact. Beyond it, a number of so many digits of 2 / pi matters that f32 takes
//! them from four words, as integers, in the same straight line; f64 would need 20 words, and goes one by one to the
//! crate pxfm: [`super::each`] keeps what is far out of the loop over an array. The sine and the cosine of an f32 are near
//! those of a number modulo pi: one polynomial, of one term more, in place of two.

use super::bits::{ROUND64, inverse46, poly, product, round32, sum, sum_greater_first};
use super::each::{NearAndFar, near_and_far, unless};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "sin32", "cos32", "sin36", "sin64", "cos64".
const SIN32: [f64; 4] =
    [-0.16666666641526934, 0.00833332937412906, -0.00019839330998819326, 2.718274486918844e-06];
const COS32: [f64; 4] =
    [0.04166666662265296, -0.001388888373804782, 2.4799515892994937e-05, -2.720989317160298e-07];
/// Up to pi / 2.
const SIN36: [f64; 5] = [
    -0.16666666631636415,
    0.008333331318799129,
    -0.00019840893401060333,
    2.752657883793666e-06,
    -2.3908480366512697e-08,
];
const SIN64: [f64; 6] = [
    -0.16666666666666632,
    0.00833333333332237,
    -0.0001984126982977117,
    2.7557313678666664e-06,
    -2.5050755961505852e-08,
    1.5896666511836536e-10,
];
const COS64: [f64; 6] = [
    0.0416666666666666,
    -0.0013888888888874064,
    2.480158728944347e-05,
    -2.755731434065755e-07,
    2.0875721623558312e-09,
    -1.1359559326126281e-11,
];

/// Up to here a multiple of pi / 2 has 20 bits.
const NEAR: f64 = 1_048_576.0;
const NEAR32: f32 = 1_048_576.0;
/// pi / 2 in parts of 33 bits, and what they leave.
const HALF_PI: [f64; 4] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_711_166_5e-21,
    8.478_427_660_368_9e-32,
];
/// What is left of pi / 2 after its first part.
const HALF_PI_REST: f64 = 6.077_100_506_506_192e-11;
/// The bits of (2 / pi) / 32 behind the point.
const TWO_OVER_PI: [u64; 4] =
    [0x0517_cc1b_7272_20a9, 0x4fe1_3abe_8fa9_a6ee, 0x06db_14ac_c9e2_1c82, 0x0ff2_8b1d_5ef5_de2b];

/// A number modulo pi / 2: `quarter * pi / 2 + r`, |r| at most pi / 4. Of the quarter, the two lowest bits count.
#[derive(Clone, Copy)]
struct Angle {
    quarter: u64,
    r: f64,
}

/// A positive f32 up to 2^20 modulo pi / 2.
#[inline(always)]
fn near_angle<I: Isa>(x: f64) -> Angle {
    let shifted = I::fma64(x, std::f64::consts::FRAC_2_PI, ROUND64);
    let n = shifted - ROUND64;
    let r = I::fma64(n, -HALF_PI_REST, I::fma64(n, -HALF_PI[0], x));
    Angle { quarter: shifted.to_bits(), r }
}

/// A positive f32 modulo pi / 2.
#[inline(always)]
fn angle_f32<I: Isa>(x: f64) -> Angle {
    let (near, far) = (near_angle::<I>(x), far_angle(x));
    if x < NEAR { near } else { far }
}

/// An f32 that is at least 2^20 modulo pi / 2; NaN for infinity.
#[inline(always)]
fn far_angle(x: f64) -> Angle {
    const TWO_84: f64 = 19_342_813_113_834_066_795_298_816.0;
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let bits = x.to_bits();
    let mantissa = ((bits >> 29) & 0x7f_ffff) | 0x80_0000;
    // x = mantissa * 2^(place - 3), and the words hold (2 / pi) / 32: so x / (2 pi) is the mantissa times what is
    // behind bit `place` of the words. Whole turns are above the 64 bits that are kept.
    let place = (bits >> 52).wrapping_sub(1023 + 20);
    let first = place < 64;
    let [w0, w1, w2, w3] = TWO_OVER_PI;
    let (a, b, c) = (if first { w0 } else { w1 }, if first { w1 } else { w2 }, if first { w2 } else { w3 });
    let (left, right) = (place & 63, 63 - (place & 63));
    let upper = (a << left) | ((b >> 1) >> right);
    let lower = ((b << left) | ((c >> 1) >> right)) >> 32;
    let turn = mantissa.wrapping_mul(upper).wrapping_add((mantissa * lower) >> 32);
    let quarter = turn.wrapping_add(1 << 61) >> 62;
    // The rest as a signed number of 64 bits; a vector of such is converted by halves.
    let rest = turn.wrapping_sub(quarter << 62) ^ (1 << 63);
    let upper = f64::from_bits((0x453 << 52) | (rest >> 32)) - (TWO_84 + TWO_63);
    let lower = f64::from_bits((0x433 << 52) | (rest & 0xffff_ffff)) - TWO_52;
    let r = (upper + lower) * (std::f64::consts::FRAC_PI_2 / 4_611_686_018_427_387_904.0);
    Angle { quarter, r: if x < f64::INFINITY { r } else { f64::NAN } }
}

/// sin(r) and cos(r), to about 36 bits.
#[inline(always)]
fn both_short<I: Isa>(r: f64) -> (f64, f64) {
    let z = r * r;
    let sin = I::fma64(r * z, poly::<I, _, _>(z, SIN32), r);
    let cos = I::fma64(z * z, poly::<I, _, _>(z, COS32), I::fma64(z, -0.5, 1.0));
    (sin, cos)
}

/// sin(x) of the number whose magnitude is at an angle.
#[inline(always)]
fn sin_at<I: Isa>(x: f32, angle: Angle) -> f32 {
    let (sin, cos) = both_short::<I>(angle.r);
    let value = if angle.quarter & 1 == 0 { sin } else { cos };
    let sign = ((angle.quarter & 2) << 62) ^ (f64::from(x).to_bits() & (1 << 63));
    round32(f64::from_bits(value.to_bits() ^ sign))
}

/// cos(x) of the number whose magnitude is at an angle.
#[inline(always)]
fn cos_at<I: Isa>(angle: Angle) -> f32 {
    let (sin, cos) = both_short::<I>(angle.r);
    let value = if angle.quarter & 1 == 0 { cos } else { sin };
    let sign = (angle.quarter.wrapping_add(1) & 2) << 62;
    round32(f64::from_bits(value.to_bits() ^ sign))
}

/// The sine of what so many times pi leave of a number: it is at most pi / 2.
#[inline(always)]
fn sin_of_rest<I: Isa>(x: f64, times: f64) -> f64 {
    let r = I::fma64(times, -2.0 * HALF_PI_REST, I::fma64(times, -2.0 * HALF_PI[0], x));
    let z = r * r;
    I::fma64(r * z, poly::<I, _, _>(z, SIN36), r)
}

/// sin(x), of an f32 that is not far.
#[inline(always)]
fn sin_near32<I: Isa>(x: f32) -> f32 {
    let from = f64::from(x.abs());
    let shifted = I::fma64(from, std::f64::consts::FRAC_1_PI, ROUND64);
    let sin = sin_of_rest::<I>(from, shifted - ROUND64);
    // Each time it has the other sign; that of the number is put on what has half the bits.
    let sin = round32(f64::from_bits(sin.to_bits() ^ (shifted.to_bits() << 63)));
    f32::from_bits(sin.to_bits() ^ (x.to_bits() & (1 << 31)))
}

/// cos(x), of an f32 that is not far: a sine of what is half pi more.
#[inline(always)]
fn cos_near32<I: Isa>(x: f32) -> f32 {
    let from = f64::from(x.abs());
    let shifted = I::fma64(from, std::f64::consts::FRAC_1_PI, -0.5) + ROUND64;
    let sin = sin_of_rest::<I>(from, (shifted - ROUND64) + 0.5);
    round32(f64::from_bits(sin.to_bits() ^ (!shifted.to_bits() << 63)))
}

/// sin(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn sin_f32<I: Isa>(x: f32) -> f32 {
    let (near, far) = (sin_near32::<I>(x), sin_at::<I>(x, far_angle(f64::from(x).abs())));
    if is_far_angle(f64::from(x)) { far } else { near }
}

/// cos(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn cos_f32<I: Isa>(x: f32) -> f32 {
    let (near, far) = (cos_near32::<I>(x), cos_at::<I>(far_angle(f64::from(x).abs())));
    if is_far_angle(f64::from(x)) { far } else { near }
}

/// tan(x) of the number whose magnitude is at an angle.
#[inline(always)]
fn tan_at<I: Isa>(x: f32, angle: Angle) -> f32 {
    let (sin, cos) = both_short::<I>(angle.r);
    let even = angle.quarter & 1 == 0;
    let value = (if even { sin } else { cos }) * inverse46::<I>(if even { cos } else { sin });
    let sign = (angle.quarter << 63) ^ (f64::from(x).to_bits() & (1 << 63));
    round32(f64::from_bits(value.to_bits() ^ sign))
}

/// tan(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn tan_f32<I: Isa>(x: f32) -> f32 {
    tan_at::<I>(x, angle_f32::<I>(f64::from(x).abs()))
}

/// A positive number up to 2^20 modulo pi / 2, and what r lacks.
#[inline(always)]
fn angle_f64<I: Isa>(x: f64) -> (Angle, f64) {
    let shifted = I::fma64(x, std::f64::consts::FRAC_2_PI, ROUND64);
    let n = shifted - ROUND64;
    // The products with the first three parts are exact, and so is the first difference.
    let first = I::fma64(n, -HALF_PI[0], x);
    let (r, low) = sum(first, n * -HALF_PI[1]);
    let low = I::fma64(n, -HALF_PI[2], low);
    let low = I::fma64(n, -HALF_PI[3], low);
    let (r, low) = sum_greater_first(r, low);
    (Angle { quarter: shifted.to_bits(), r }, low)
}

/// sin(r + low) and cos(r + low), each with what it lacks.
#[inline(always)]
fn both_parts<I: Isa>(r: f64, low: f64) -> ((f64, f64), (f64, f64)) {
    let z = r * r;
    let sin = sum_greater_first(r, I::fma64(r * z, poly::<I, _, _>(z, SIN64), low) - 0.5 * z * low);
    let half = 0.5 * z;
    let upper = 1.0 - half;
    let lost = (1.0 - upper) - half;
    let cos = sum_greater_first(upper, I::fma64(z * z, poly::<I, _, _>(z, COS64), lost) - r * low);
    (sin, cos)
}

/// sin(r + low) and cos(r + low).
#[inline(always)]
fn both<I: Isa>(r: f64, low: f64) -> (f64, f64) {
    let ((sin, _), (cos, _)) = both_parts::<I>(r, low);
    (sin, cos)
}

/// Whether the functions for near numbers err for it. Not for NaN and infinity.
#[inline(always)]
pub(super) fn is_far_angle(x: f64) -> bool {
    (x.abs() >= NEAR) & (x.abs() < f64::INFINITY)
}

/// The bits of the first f32 that is far, and of infinity, without their signs.
const FAR32: [u32; 2] = [NEAR32.to_bits() << 1, f32::INFINITY.to_bits() << 1];

/// How far the bits of an f32 are behind those of the first that is far; all those before are farther.
#[inline(always)]
fn distance32(x: f32) -> u32 {
    (x.to_bits() << 1).wrapping_sub(FAR32[0])
}

/// sin(x) and cos(x), of an f64 that is not far.
#[inline(always)]
pub(super) fn sin_cos_near<I: Isa>(x: f64) -> (f64, f64) {
    let (angle, low) = angle_f64::<I>(x.abs());
    let (sin, cos) = both::<I>(angle.r, low);
    let even = angle.quarter & 1 == 0;
    let (for_sin, for_cos) = (if even { sin } else { cos }, if even { cos } else { sin });
    let sin_sign = ((angle.quarter & 2) << 62) ^ (x.to_bits() & (1 << 63));
    let cos_sign = (angle.quarter.wrapping_add(1) & 2) << 62;
    (f64::from_bits(for_sin.to_bits() ^ sin_sign), f64::from_bits(for_cos.to_bits() ^ cos_sign))
}

/// sin(x), of an f64 that is not far.
#[inline(always)]
fn sin_near<I: Isa>(x: f64) -> f64 {
    sin_cos_near::<I>(x).0
}

/// cos(x), of an f64 that is not far.
#[inline(always)]
fn cos_near<I: Isa>(x: f64) -> f64 {
    sin_cos_near::<I>(x).1
}

/// sin(x). A loop over it is not made of vectors: see [`super::each`]. At most 0.75 ULP.
#[inline(always)]
pub(crate) fn sin_f64<I: Isa>(x: f64) -> f64 {
    if is_far_angle(x) { pxfm::f_sin(x) } else { sin_near::<I>(x) }
}

/// cos(x). A loop over it is not made of vectors: see [`super::each`]. At most 0.75 ULP.
#[inline(always)]
pub(crate) fn cos_f64<I: Isa>(x: f64) -> f64 {
    if is_far_angle(x) { pxfm::f_cos(x) } else { cos_near::<I>(x) }
}

/// tan(x), of an f64 that is not far.
#[inline(always)]
fn tan_near<I: Isa>(x: f64) -> f64 {
    let (angle, low) = angle_f64::<I>(x.abs());
    let ((sin, sin_low), (cos, cos_low)) = both_parts::<I>(angle.r, low);
    let even = angle.quarter & 1 == 0;
    let (upper, upper_low) = if even { (sin, sin_low) } else { (cos, cos_low) };
    let (divisor, divisor_low) = if even { (cos, cos_low) } else { (sin, sin_low) };
    let quotient = upper / divisor;
    let (product, error) = product::<I, _>(quotient, divisor);
    let lacks = ((upper - product) - error) + (upper_low - quotient * divisor_low);
    // Of what lacks, a few bits are enough.
    let value = I::fma64(lacks, f64::from(1.0 / round32(divisor)), quotient);
    let sign = (angle.quarter << 63) ^ (x.to_bits() & (1 << 63));
    f64::from_bits(value.to_bits() ^ sign)
}

/// tan(x). A loop over it is not made of vectors: see [`super::each`]. At most 1 ULP.
#[inline(always)]
pub(crate) fn tan_f64<I: Isa>(x: f64) -> f64 {
    if is_far_angle(x) { pxfm::f_tan(x) } else { tan_near::<I>(x) }
}

/// sin, for [`super::each`].
pub(crate) struct Sin;
/// cos, for [`super::each`].
pub(crate) struct Cos;
/// tan, for [`super::each`].
pub(crate) struct Tan;

near_and_far! { |x, _near| distance32(x), below FAR32[1] - FAR32[0];
    Sin f32: sin_near32::<I>(x), sin_f32::<I>(x);
    Cos f32: cos_near32::<I>(x), cos_f32::<I>(x);
    Tan f32: tan_at::<I>(x, near_angle::<I>(f64::from(x).abs())), tan_f32::<I>(x);
}

near_and_far! { |x, _near| unless(is_far_angle(x)), below 1;
    Sin f64: sin_near::<I>(x), pxfm::f_sin(x);
    Cos f64: cos_near::<I>(x), pxfm::f_cos(x);
    Tan f64: tan_near::<I>(x), pxfm::f_tan(x);
}

#[cfg(test)]
mod tests {
    use super::super::each::each;
    use super::*;
    use crate::simd::{Body, Level, at};

    struct All<'a, T, F>(&'a [T], &'a mut [T], F);

    impl<T: Copy, F: NearAndFar<T>> Body for All<'_, T, F> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            each::<I, T, F>(self.0, self.1);
        }
    }

    fn numbers() -> Vec<f64> {
        let small = (0..3000_i32).map(|k| f64::from(k - 1500) * 0.37);
        let mut numbers: Vec<f64> = small.collect();
        numbers.extend([
            1e6,
            1_048_576.0,
            -1_048_577.0,
            1e15,
            -3e22,
            1e30,
            3e38,
            f64::INFINITY,
            f64::NAN,
            -0.0,
        ]);
        numbers
    }

    #[test]
    fn many_are_as_each_alone() {
        let x = numbers();
        let short: Vec<f32> = x.iter().map(|&x| round32(x)).collect();
        for level in Level::all() {
            let mut out = vec![0.0; x.len()];
            at(level, All(&x, &mut out, Sin));
            for (&x, &out) in x.iter().zip(&out) {
                let exact = pxfm::f_sin(x);
                assert!((out - exact).abs() <= 5e-16 * exact.abs() || !x.is_finite(), "{x}: {out}");
            }
            let mut out = vec![0.0; x.len()];
            at(level, All(&short, &mut out, Cos));
            for (&x, &out) in short.iter().zip(&out) {
                let exact = pxfm::f_cos(f64::from(x));
                assert!(
                    (f64::from(out) - exact).abs() <= 1.2e-7 * exact.abs() || !x.is_finite(),
                    "{x}: {out}"
                );
            }
        }
    }

    #[test]
    fn edges() {
        for x in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            assert!(
                sin_f32::<crate::simd::Baseline>(x).is_nan() && tan_f32::<crate::simd::Baseline>(x).is_nan()
            );
            let x = f64::from(x);
            assert!(
                cos_f64::<crate::simd::Baseline>(x).is_nan() && sin_f64::<crate::simd::Baseline>(x).is_nan()
            );
        }
        let zeros = (sin_f32::<crate::simd::Baseline>(-0.0), tan_f32::<crate::simd::Baseline>(-0.0));
        assert!(zeros.0 == 0.0 && zeros.0.is_sign_negative() && zeros.1.is_sign_negative());
        assert!(sin_f64::<crate::simd::Baseline>(-0.0).is_sign_negative());
        assert_eq!(cos_f64::<crate::simd::Baseline>(-0.0), 1.0);
    }
}
