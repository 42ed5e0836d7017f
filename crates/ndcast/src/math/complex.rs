//! Division, powers, exponentials, logarithms and roots of complex numbers.
//!
//! Results at infinities, NaN and signed zeros are those of C's Annex G, which the Python Array API standard repeats;
//! the sign of a zero says on which side of a branch cut a number is. Everything is computed in f64, of which f32
//! takes the rounded result: nothing overflows or cancels there that f32 would notice. Components of f64 are accurate
//! to 3 units of the last place, of `expm1` and the inverse functions to 5, unless a component is 2^900 times smaller
//! than the other; `pow` to 1e-14 of its magnitude, as far as the exponent and its product with the logarithm are
//! moderate.

use std::f64::consts::{LN_2, LN_10, LOG2_E, LOG10_E};

use num_complex::Complex;

use super::bits::{product, round32, sum};
use super::each::each;
use super::{ComplexMath, complex_near};
use crate::simd::{Baseline, Isa};

pub(super) type C = Complex<f64>;

/// z times the imaginary unit.
#[inline(always)]
pub(super) fn turned(z: C) -> C {
    C::new(-z.im, z.re)
}

/// z over the imaginary unit.
#[inline(always)]
pub(super) fn turned_back(z: C) -> C {
    C::new(z.im, -z.re)
}

/// `a * b + c * d`, with one rounding of what counts, even if the products cancel.
fn sum_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (first, first_low) = product::<Baseline, _>(a, b);
    let (second, second_low) = product::<Baseline, _>(c, d);
    let (total, low) = sum(first, second);
    let exact = total + (low + (first_low + second_low));
    // Where something overflows, the errors are no numbers.
    if exact.is_nan() { first + second } else { exact }
}

/// The same where nothing overflows.
#[inline(always)]
pub(super) fn sum_of_products_near<I: Isa>(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (first, first_low) = product::<I, _>(a, b);
    let (second, second_low) = product::<I, _>(c, d);
    let (total, low) = sum(first, second);
    total + (low + (first_low + second_low))
}

/// The exponent of a number; 0 for what has none.
fn exponent_of(x: f64) -> i32 {
    match i32::try_from((x.to_bits() >> 52) & 0x7ff).unwrap_or(0) {
        0x7ff => 0,
        0 if x == 0.0 => 0,
        0 => -1040,
        biased => biased - 1023,
    }
}

/// x * 2^n for an n up to 3000 in magnitude, in steps of one direction.
fn scaled(x: f64, n: i32) -> f64 {
    let third = 2f64.powi(n / 3);
    x * third * third * 2f64.powi(n - n / 3 * 2)
}

fn div(z: C, w: C) -> C {
    // Both are brought near 1, and the result back.
    let largest = w.re.abs().max(w.im.abs());
    let (above, below) = (exponent_of(z.re.abs().max(z.im.abs())), exponent_of(largest));
    let (a, b) = (scaled(z.re, -above), scaled(z.im, -above));
    let (c, d) = (scaled(w.re, -below), scaled(w.im, -below));
    let norm = sum_of_products(c, c, d, d);
    let re = sum_of_products(a, c, b, d) / norm;
    let im = sum_of_products(b, c, -a, d) / norm;
    if !(re.is_nan() && im.is_nan()) {
        return C::new(scaled(re, above - below), scaled(im, above - below));
    }
    // Annex G.5.1: infinities are recovered from what became NaN.
    let one_or_zero = |x: f64| if x.is_infinite() { 1f64.copysign(x) } else { 0f64.copysign(x) };
    let finite = |z: C| z.re.is_finite() && z.im.is_finite();
    if norm == 0.0 && !(z.re.is_nan() && z.im.is_nan()) {
        C::new(f64::INFINITY.copysign(w.re) * z.re, f64::INFINITY.copysign(w.re) * z.im)
    } else if (z.re.is_infinite() || z.im.is_infinite()) && finite(w) {
        let (a, b) = (one_or_zero(z.re), one_or_zero(z.im));
        C::new(f64::INFINITY * (a * w.re + b * w.im), f64::INFINITY * (b * w.re - a * w.im))
    } else if largest.is_infinite() && finite(z) {
        let (c, d) = (one_or_zero(w.re), one_or_zero(w.im));
        C::new(0.0 * (z.re * c + z.im * d), 0.0 * (z.im * c - z.re * d))
    } else {
        C::new(f64::NAN, f64::NAN)
    }
}

/// The same, bit for bit, of numbers that are [near](is_near) and a divisor that is not 0.
#[inline(always)]
fn div_near<I: Isa>(z: C, w: C) -> C {
    let both = sum_of_products_near::<I>;
    let norm = both(w.re, w.re, w.im, w.im);
    C::new(both(z.re, w.re, z.im, w.im) / norm, both(z.im, w.re, -z.re, w.im) / norm)
}

/// The same of numbers of so few digits that their products are exact.
#[inline(always)]
fn div_short(z: C, w: C) -> C {
    let norm = w.re * w.re + w.im * w.im;
    // What a sum of products lacks is 0 then, and with it no sum is -0.
    C::new((z.re * w.re + z.im * w.im + 0.0) / norm, (z.im * w.re - z.re * w.im + 0.0) / norm)
}

/// Whether both parts are 0 or of such a size that products of four such numbers neither overflow nor lose digits.
#[inline(always)]
fn is_near(z: C) -> bool {
    const GREAT: f64 = 1e60;
    let near = |x: f64| (x == 0.0) | ((x.abs() < GREAT) & (x.abs() > 1.0 / GREAT));
    near(z.re) & near(z.im)
}

/// z^n by squarings.
fn whole_power(z: C, n: u32) -> C {
    let times = |z: C, w: C| {
        C::new(sum_of_products(z.re, w.re, -z.im, w.im), sum_of_products(z.re, w.im, z.im, w.re))
    };
    let (mut result, mut square, mut left) = (C::new(1.0, 0.0), z, n);
    while left > 0 {
        if left % 2 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        left /= 2;
    }
    result
}

fn pow(z: C, w: C) -> C {
    if w.re == 0.0 && w.im == 0.0 {
        return C::new(1.0, 0.0);
    }
    if z.re == 0.0 && z.im == 0.0 {
        // No limit for imaginary exponents; infinite in all directions for negative ones.
        return if w.re > 0.0 {
            C::new(0.0, 0.0)
        } else if w.re < 0.0 && w.im == 0.0 {
            C::new(f64::INFINITY, f64::NAN)
        } else {
            C::new(f64::NAN, f64::NAN)
        };
    }
    // Squares of Gaussian integers are to be such.
    if w.im == 0.0 && w.re == w.re.trunc() && w.re.abs() <= 32.0 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer up to 32")]
        let power = whole_power(z, w.re.abs() as u32);
        if power.re.is_finite() && power.im.is_finite() && (power.re != 0.0 || power.im != 0.0) {
            return if w.re < 0.0 { div(C::new(1.0, 0.0), power) } else { power };
        }
    }
    let log = log(z);
    exp(C::new(sum_of_products(w.re, log.re, -w.im, log.im), sum_of_products(w.re, log.im, w.im, log.re)))
}

pub(super) fn exp(z: C) -> C {
    if z.im == 0.0 {
        return C::new(pxfm::f_exp(z.re), z.im);
    }
    if !z.im.is_finite() && z.re.is_infinite() {
        return if z.re < 0.0 { C::new(0.0, 0f64.copysign(z.im)) } else { C::new(f64::INFINITY, f64::NAN) };
    }
    let (sin, cos) = (pxfm::f_sin(z.im), pxfm::f_cos(z.im));
    if z.re > 709.0 {
        // The exponential alone may overflow.
        let (part, rest) = (pxfm::f_exp(700.0), pxfm::f_exp(z.re - 700.0));
        return C::new(part * cos * rest, part * sin * rest);
    }
    let e = pxfm::f_exp(z.re);
    C::new(e * cos, e * sin)
}

pub(super) fn expm1(z: C) -> C {
    if z.im == 0.0 {
        // Of a zero of either sign it is 0, as exp(z) - 1 is.
        return C::new(pxfm::f_expm1(z.re) + 0.0, z.im);
    }
    if z.re.is_nan() || z.re.abs() > 40.0 || !z.im.is_finite() {
        let exp = exp(z);
        return C::new(exp.re - 1.0, exp.im);
    }
    // exp(x) cos(y) - 1 = (exp(x) - 1) cos(y) - (1 - cos(y)).
    let half = pxfm::f_sin(0.5 * z.im);
    let re = sum_of_products(pxfm::f_expm1(z.re), pxfm::f_cos(z.im), -2.0 * half, half);
    C::new(re, pxfm::f_exp(z.re) * pxfm::f_sin(z.im))
}

/// x^2 + y^2 + first + second, where much may cancel.
#[inline(always)]
pub(super) fn square_sum(x: f64, y: f64, first: f64, second: f64) -> f64 {
    let (x, x_low) = product::<Baseline, _>(x, x);
    let (y, y_low) = product::<Baseline, _>(y, y);
    let (total, low) = sum(first, second);
    let (total, low2) = sum(total, x);
    let (total, low3) = sum(total, y);
    // Near the unit circle all of it may cancel but the last bits of the squares.
    let add = |(total, lost): (f64, f64), part: f64| {
        let (total, low) = sum(total, part);
        (total, lost + low)
    };
    let (total, lost) = [low, low2, low3, x_low, y_low].into_iter().fold((total, 0.0), add);
    total + lost
}

/// log |z| of a base, given the real logarithm and log(1 + x) of it.
fn log_of_magnitude(z: C, log: fn(f64) -> f64, of_e: f64, of_2: f64) -> f64 {
    let (x, y) = (z.re.abs(), z.im.abs());
    let largest = if x > y { x } else { y };
    if largest > 0.5 && largest < 2.0 && x < 2.0 {
        let more = square_sum(x, y, -1.0, 0.0);
        if more > -0.5 && more < 1.0 {
            return 0.5 * pxfm::f_log1p(more) * of_e;
        }
    }
    if largest > 1e300 && largest < f64::INFINITY {
        return log(pxfm::f_hypot(x * 0.25, y * 0.25)) + 2.0 * of_2;
    }
    if largest < 1e-290 && largest > 0.0 {
        return log(pxfm::f_hypot(x * 2f64.powi(100), y * 2f64.powi(100))) - 100.0 * of_2;
    }
    log(hypot(x, y))
}

/// Infinite if one is.
pub(super) fn hypot(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() { f64::INFINITY } else { pxfm::f_hypot(x, y) }
}

pub(super) fn log(z: C) -> C {
    C::new(log_of_magnitude(z, pxfm::f_log, 1.0, LN_2), pxfm::f_atan2(z.im, z.re))
}

pub(super) fn log2(z: C) -> C {
    C::new(log_of_magnitude(z, pxfm::f_log2, LOG2_E, 1.0), pxfm::f_atan2(z.im, z.re) * LOG2_E)
}

pub(super) fn log10(z: C) -> C {
    C::new(log_of_magnitude(z, pxfm::f_log10, LOG10_E, LN_2 / LN_10), pxfm::f_atan2(z.im, z.re) * LOG10_E)
}

pub(super) fn log1p(z: C) -> C {
    if z.im == 0.0 && z.re >= -1.0 {
        return C::new(pxfm::f_log1p(z.re), z.im);
    }
    if z.re.abs() < 3.0 && z.im.abs() < 3.0 {
        // |1 + z|^2 - 1.
        let more = square_sum(z.re, z.im, 2.0 * z.re, 0.0);
        if more > -0.5 {
            // The errors of the squares vanish for subnormal numbers.
            let re = if more.abs() < 1e-280 { 0.5 * more } else { 0.5 * pxfm::f_log1p(more) };
            return C::new(re, pxfm::f_atan2(z.im, 1.0 + z.re));
        }
    }
    log(C::new(1.0 + z.re, z.im))
}

pub(super) fn sqrt(z: C) -> C {
    let (x, y) = (z.re.abs(), z.im.abs());
    if y.is_infinite() {
        return C::new(f64::INFINITY, z.im);
    }
    if x.is_infinite() {
        let other = if y.is_nan() { y } else { 0.0 };
        return if z.re > 0.0 { C::new(x, other.copysign(z.im)) } else { C::new(other, x.copysign(z.im)) };
    }
    if x == 0.0 && y == 0.0 {
        return C::new(0.0, z.im);
    }
    // Scaled by a power of four, so that the sum neither overflows nor loses bits of subnormal numbers.
    let (scale, back) =
        if x < 1e-290 && y < 1e-290 { (2f64.powi(108), 2f64.powi(-54)) } else { (0.0625, 4.0) };
    let (x, y) = (x * scale, y * scale);
    let greater = (0.5 * (x + pxfm::f_hypot(x, y))).sqrt();
    let smaller = y / greater * 0.5;
    let (greater, smaller) = (greater * back, smaller * back);
    if z.re >= 0.0 {
        C::new(greater, smaller.copysign(z.im))
    } else {
        C::new(smaller, greater.copysign(z.im))
    }
}

/// A function of the plane turned by a quarter.
pub(super) fn of_turned(function: fn(C) -> C, z: C) -> C {
    turned_back(function(turned(z)))
}

/// The functions of f64, and for f32 the rounded results of the same.
macro_rules! complexes {
    (each $complex:ty: $($each:ident $near:ident;)*) => {
        $(
            #[inline(always)]
            fn $each<I: Isa>(x: &[Self], out: &mut [Self]) {
                each::<I, $complex, complex_near::$near>(x, out);
            }
        )*
    };
    ($($each:ident $near:ident;)*) => {
        impl ComplexMath for Complex<f64> {
            complexes! { each Complex<f64>: $($each $near;)* }
            fn div(self, other: Self) -> Self {
                div(self, other)
            }
            #[inline(always)]
            fn div_near<I: Isa>(self, other: Self) -> Self {
                div_near::<I>(self, other)
            }
            #[inline(always)]
            fn is_far_quotient(self, other: Self) -> bool {
                is_far(self, other)
            }
            fn pow(self, other: Self) -> Self {
                pow(self, other)
            }
        }

        impl ComplexMath for Complex<f32> {
            complexes! { each Complex<f32>: $($each $near;)* }
            fn div(self, other: Self) -> Self {
                rounded(div(wide(self), wide(other)))
            }
            #[inline(always)]
            fn div_near<I: Isa>(self, other: Self) -> Self {
                rounded(div_short(wide(self), wide(other)))
            }
            #[inline(always)]
            fn is_far_quotient(self, other: Self) -> bool {
                is_far(wide(self), wide(other))
            }
            fn pow(self, other: Self) -> Self {
                rounded(pow(wide(self), wide(other)))
            }
        }
    };
}

/// Whether [`div_near`] errs.
#[inline(always)]
fn is_far(z: C, w: C) -> bool {
    !(is_near(z) & is_near(w)) | ((w.re == 0.0) & (w.im == 0.0))
}

#[inline(always)]
pub(super) fn wide(z: Complex<f32>) -> C {
    C::new(f64::from(z.re), f64::from(z.im))
}

#[inline(always)]
pub(super) fn rounded(z: C) -> Complex<f32> {
    Complex::new(round32(z.re), round32(z.im))
}

complexes! {
    exp_each Exp;
    expm1_each Expm1;
    log_each Log;
    log1p_each Log1p;
    log2_each Log2;
    log10_each Log10;
    sqrt_each Sqrt;
    sin_each Sin;
    cos_each Cos;
    tan_each Tan;
    asin_each Asin;
    acos_each Acos;
    atan_each Atan;
    sinh_each Sinh;
    cosh_each Cosh;
    tanh_each Tanh;
    asinh_each Asinh;
    acosh_each Acosh;
    atanh_each Atanh;
}
