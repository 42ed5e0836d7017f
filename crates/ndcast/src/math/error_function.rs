//! The error function, its complement, and its inverse.
//!
//! `erf` near 0 is x times a polynomial of x^2, and beyond, 1 less its complement. The complement is
//! exp(-x^2) / (1 + 2x) times a polynomial of t = (x - 2) / (x + 2), which takes all positive numbers to -1..1; so it
//! is accurate as far as it is not 0. For `erf` of f32 its logarithm is enough, which is a short polynomial of x.
//!
//! The inverse is x times a polynomial of w = -log(1 - x^2), and of its root where that is great. For f64 it is so to 20 bits, from
//! which three terms of its series go on: in what the error function lacks, or its complement is too much.

use std::f64::consts::{FRAC_2_SQRT_PI, LN_2};

use super::bits::{
    Power, at_least, at_most, inverse46, poly, product, round32, sum, sum_greater_first, with_sign,
};
use super::exponential::{Exp, exp2_minus_one};
use super::logarithm::log_short;
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "erf24", "erfc_log2_24", "erfc32", "erf_inv_near32", "erf_inv_far32", "erf_inv_far64", "erf64", "erfc64".
const ERF24: [f32; 7] = [
    0.128_379_17,
    -0.376_126_3,
    0.112_836_6,
    -0.026_857_458,
    0.005_196_275,
    -0.000_808_960_1,
    0.000_081_500_35,
];
const ERFC_LOG2_24: [f32; 7] = [
    -2.668_416_7,
    -3.807_225,
    -1.216_360_8,
    -0.059_862_196,
    0.014_226_476,
    -0.002_586_465_7,
    0.000_251_125_18,
];
const ERFC32: [f64; 13] = [
    1.27697838182402,
    -0.0927638283833749,
    -0.16603043284838578,
    0.16405134681924963,
    -0.05421923659030039,
    -0.008034529713587405,
    0.008716416487140707,
    0.0012712546246284012,
    -0.0014335090306799383,
    -0.00044263048005223896,
    0.00016737879357502024,
    0.0001140155832928805,
    1.662952110890527e-05,
];
const ERF_INV_NEAR32: [f64; 12] = [
    1.501409351692686,
    0.24664027578606168,
    -0.0041773246379407155,
    -0.0012527048786507397,
    0.0002182635601345218,
    -4.998757756582048e-06,
    -3.4260135373745734e-06,
    4.796979609484814e-07,
    1.6457516117163303e-08,
    -1.1023045601293969e-08,
    4.370106464279635e-10,
    1.3284766573656455e-10,
];
const ERF_INV_FAR32: [f64; 11] = [
    2.8329768013570202,
    1.0016752361933856,
    0.009445309706346617,
    -0.00764274890414736,
    0.0056876318074049964,
    -0.003567199431334472,
    0.0014753580179529893,
    -0.00011978888673297307,
    -0.00027788685547522167,
    0.00016036036866012602,
    -2.927855560148168e-05,
];
const ERF_INV_FAR64: [f64; 9] = [
    2.832976696699801,
    1.0016935556020374,
    0.009449425173031451,
    -0.007794987140385604,
    0.005747635614459112,
    -0.0032443128579888823,
    0.001165858515038567,
    -0.00023059402425058815,
    1.897375890013549e-05,
];
/// 2 / sqrt(pi) - 1, which is added by itself, and the coefficients after it.
const ERF64: [f64; 11] = [
    0.1283791670955126,
    -0.37612638903183354,
    0.11283791670933009,
    -0.026866170640328965,
    0.005223977571929007,
    -0.0008548323540720379,
    0.00012055191407354306,
    -1.4921942482113322e-05,
    1.6399368212713432e-06,
    -1.569871046647632e-07,
    1.068010729506901e-08,
];
const ERFC64_FIRST: f64 = 1.2769783815525286;
const ERFC64: [f64; 24] = [
    -0.09276382658574596,
    -0.16603039761528923,
    0.16405128003343425,
    -0.05422000099204651,
    -0.008034015082054282,
    0.008722653875894935,
    0.001271338957823174,
    -0.0014568139478234965,
    -0.0004543407303143618,
    0.00020636719613423534,
    0.00015103838922377307,
    -1.5096112297702448e-06,
    -3.641922549049177e-05,
    -1.3494349556913871e-05,
    3.6959196244423186e-06,
    5.229040906997503e-06,
    1.5406497028109396e-06,
    -7.067332614699827e-07,
    -8.96672805690268e-07,
    -2.4725840851031014e-07,
    2.0619146501312135e-07,
    1.493153532401247e-07,
    -1.828143575485894e-08,
    -2.6943763196901272e-08,
];

/// From here on, `erf` of f64 is 1 less its complement.
const MIDDLE: f64 = 0.85;
/// Below, the complement of f64 is 1 less `erf`: there that loses no bits.
const SMALL: f64 = 0.3;

/// The error function. At most 0.95 ULP.
#[inline(always)]
pub(crate) fn erf_f32<I: Isa>(x: f32) -> f32 {
    // Without a fused multiply-add the sums of f32 would lose more.
    if !I::FMA {
        return round32(erf_f64::<I>(f64::from(x)));
    }
    let a = at_most(x.abs(), 3.95);
    let near = I::fma32(a, poly::<I, _, _>(a * a, ERF24), a);
    let log2 = poly::<I, _, _>(a - 1.0, ERFC_LOG2_24);
    let power = Power::nearest::<I>(log2, 1.0);
    let scale = power.value();
    let far = I::fma32(-scale, exp2_minus_one::<I>(log2 - power.n), 1.0 - scale);
    with_sign(if a < 0.96 { near } else { far }, x)
}

/// 1 - erf(x). At most 0.51 ULP.
#[inline(always)]
pub(crate) fn erfc_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    let a = at_most(wide.abs(), 10.4);
    // Both quotients from one division.
    let (plus, twice) = (a + 2.0, I::fma64(2.0, a, 1.0));
    let inverse = inverse46::<I>(plus * twice);
    let t = (a - 2.0) * (inverse * twice);
    let exp = Exp::short::<I>(-a * a);
    let scale = exp.power.value();
    let tail = I::fma64(scale, exp.upper, scale) * (poly::<I, _, _>(t, ERFC32) * (inverse * plus));
    round32(if x < 0.0 { 2.0 - tail } else { tail })
}

/// erf(x) for |x| up to [`MIDDLE`].
#[inline(always)]
fn erf_near<I: Isa>(x: f64) -> f64 {
    I::fma64(x, poly::<I, _, _>(x * x, ERF64), x)
}

/// erfc(x) for x from [`SMALL`], as a number and a power of two to scale it by.
#[inline(always)]
fn erfc_tail<I: Isa>(x: f64) -> (f64, Power<f64>) {
    let t = (x - 2.0) / (x + 2.0);
    let (square, square_low) = product::<I, _>(x, x);
    let exp = Exp::new::<I>(-square, -square_low);
    let (e, e_low) = sum_greater_first(1.0, exp.upper);
    let (denominator, denominator_low) = sum(2.0 * x, 1.0);
    let (factor, factor_low) = sum_greater_first(ERFC64_FIRST, t * poly::<I, _, _>(t, ERFC64));
    let quotient = factor / denominator;
    // The relative errors; of the inverses a few bits are enough. The factor is from 0.97 to 1.28.
    let rough = f64::from(1.0 / round32(denominator));
    let low = I::fma64(e, 0.88 * factor_low - denominator_low * rough, e_low + exp.lower);
    let (tail, tail_low) = product::<I, _>(e, quotient);
    (tail + I::fma64(quotient, low, tail_low), exp.power)
}

/// The error function. At most 1.05 ULP.
#[inline(always)]
pub(crate) fn erf_f64<I: Isa>(x: f64) -> f64 {
    let a = x.abs();
    let (tail, power) = erfc_tail::<I>(at_least(at_most(a, 6.0), SMALL));
    let far = with_sign(1.0 - tail * power.value(), x);
    if a < MIDDLE { erf_near::<I>(x) } else { far }
}

/// 1 - erf(x). At most 1.9 ULP.
#[inline(always)]
pub(crate) fn erfc_f64<I: Isa>(x: f64) -> f64 {
    let (tail, power) = erfc_tail::<I>(at_least(at_most(x.abs(), 28.0), SMALL));
    let tail = power.times(tail);
    let near = 1.0 - erf_near::<I>(x);
    let far = if x < 0.0 { 2.0 - tail } else { tail };
    if (x < SMALL) & (x > -MIDDLE) { near } else { far }
}

/// The inverse of the error function of a number between -1 and 1, by a polynomial of the root of what is great of -log(1 - x^2).
#[inline(always)]
fn erf_inv_short<I: Isa, const N: usize>(x: f64, far: [f64; N]) -> f64 {
    let (e, log) = log_short::<I>((1.0 - x) * (1.0 + x));
    let w = -I::fma64(e, LN_2, log);
    let near = poly::<I, _, _>(w - 2.5, ERF_INV_NEAR32);
    let far = poly::<I, _, _>(w.sqrt() - 3.0, far);
    x * if w < 5.0 { near } else { far }
}

/// The inverse of the error function at -1, 1 and beyond; else the value given.
#[inline(always)]
fn of_ends(x: f64, value: f64) -> f64 {
    let end = if x.abs() > 1.0 { f64::NAN } else { with_sign(f64::INFINITY, x) };
    if x.abs() >= 1.0 { end } else { value }
}

/// The inverse of the error function; infinite at -1 and 1, and NaN beyond. At most 0.54 ULP.
#[inline(always)]
pub(crate) fn erf_inv_f32<I: Isa>(x: f32) -> f32 {
    let x = f64::from(x);
    round32(of_ends(x, erf_inv_short::<I, _>(x, ERF_INV_FAR32)))
}

/// The inverse of the error function; infinite at -1 and 1, and NaN beyond. At most 1.9 ULP.
#[inline(always)]
pub(crate) fn erf_inv_f64<I: Isa>(x: f64) -> f64 {
    const HALF_ROOT_OF_PI: f64 = 1.0 / FRAC_2_SQRT_PI;
    let a = x.abs();
    let y = erf_inv_short::<I, _>(a, ERF_INV_FAR64);
    let (tail, power) = erfc_tail::<I>(at_least(at_most(y, 6.0), SMALL));
    let rest = if y < MIDDLE { a - erf_near::<I>(y) } else { tail * power.value() - (1.0 - a) };
    let exp = Exp::short::<I>(y * y);
    let scale = exp.power.value();
    let step = rest * HALF_ROOT_OF_PI * I::fma64(scale, exp.upper, scale);
    // The series of the inverse around y.
    let third = I::fma64(y * y, 4.0 / 3.0, 1.0 / 3.0);
    let value = I::fma64(step, I::fma64(step, I::fma64(step, third, y), 1.0), y);
    of_ends(x, with_sign(value, x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    #[test]
    fn edges() {
        let inf = f64::INFINITY;
        assert_eq!((erf_f64::<B>(inf), erf_f64::<B>(-inf), erf_f64::<B>(7.0)), (1.0, -1.0, 1.0));
        assert_eq!((erfc_f64::<B>(inf), erfc_f64::<B>(-inf), erfc_f64::<B>(0.0)), (0.0, 2.0, 1.0));
        assert_eq!(
            (erf_f32::<B>(f32::NEG_INFINITY), erfc_f32::<B>(f32::INFINITY), erfc_f32::<B>(0.0)),
            (-1.0, 0.0, 1.0)
        );
        assert_eq!(
            (erf_inv_f64::<B>(1.0), erf_inv_f64::<B>(-1.0), erf_inv_f32::<B>(1.0)),
            (inf, -inf, f32::INFINITY)
        );
        assert!(erf_inv_f64::<B>(1.1).is_nan() && erf_inv_f32::<B>(-1.1).is_nan());
        assert!(erf_inv_f64::<B>(f64::NAN).is_nan() && erf_inv_f32::<B>(f32::NAN).is_nan());
        assert!(erf_inv_f64::<B>(-0.0).is_sign_negative() && erf_inv_f32::<B>(-0.0).is_sign_negative());
        assert_eq!(erf_inv_f64::<B>(5e-324), 5e-324);
        assert!(erf_f64::<B>(-0.0).is_sign_negative() && erf_f32::<B>(-0.0).is_sign_negative());
        assert!(erf_f64::<B>(f64::NAN).is_nan() && erfc_f64::<B>(f64::NAN).is_nan());
        assert!(erf_f32::<B>(f32::NAN).is_nan() && erfc_f32::<B>(f32::NAN).is_nan());
    }
}
