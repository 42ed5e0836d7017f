//! The inverse hyperbolic functions of complex numbers, and `acos`; the others are turned images.
//!
//! Kahan's formulas ("Branch cuts for complex elementary functions", 1987), by square roots of z + 1 and z - 1 and
//! real inverses, so that the zeros' signs are carried along and nothing cancels. Great numbers take the logarithm.

use std::f64::consts::{FRAC_PI_2, LN_2};

use super::complex::{C, hypot, sqrt};

/// From here on z^2 + 1 and z^2 are the same, and z^2 may overflow.
const GREAT: f64 = 1e150;

/// Whether the logarithm is as good, or the number is infinite.
fn is_great(z: C) -> bool {
    z.re.abs() > GREAT || z.im.abs() > GREAT
}

/// log |2 z| of a great number.
fn log_of_double(z: C) -> f64 {
    pxfm::f_log(hypot(0.25 * z.re, 0.25 * z.im)) + 3.0 * LN_2
}

pub(super) fn asinh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if is_great(z) {
        return C::new(log_of_double(z).copysign(x), pxfm::f_atan2(y, x.abs()));
    }
    if y == 0.0 {
        return C::new(pxfm::f_asinh(x), y);
    }
    let (a, b) = (sqrt(C::new(1.0 + y, -x)), sqrt(C::new(1.0 - y, x)));
    C::new(pxfm::f_asinh(a.re * b.im - b.re * a.im), pxfm::f_atan2(y, a.re * b.re - a.im * b.im))
}

pub(super) fn acos(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if is_great(z) {
        let log = log_of_double(z);
        return C::new(pxfm::f_atan2(y.abs(), x), if y.is_sign_negative() { log } else { -log });
    }
    if x == 0.0 && y.is_nan() {
        return C::new(FRAC_PI_2, y);
    }
    let (a, b) = (sqrt(C::new(1.0 - x, -y)), sqrt(C::new(1.0 + x, y)));
    C::new(2.0 * pxfm::f_atan2(a.re, b.re), pxfm::f_asinh(b.re * a.im - b.im * a.re))
}

pub(super) fn acosh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if is_great(z) {
        return C::new(log_of_double(z), pxfm::f_atan2(y, x));
    }
    if x == 0.0 && y.is_nan() {
        return C::new(y, FRAC_PI_2);
    }
    let (a, b) = (sqrt(C::new(x - 1.0, y)), sqrt(C::new(x + 1.0, y)));
    C::new(pxfm::f_asinh(a.re * b.re + a.im * b.im), 2.0 * pxfm::f_atan2(a.im, b.re))
}

pub(super) fn atanh(z: C) -> C {
    // An odd function; the right half has all of its cases.
    if z.re.is_sign_negative() {
        let image = atanh(C::new(-z.re, -z.im));
        return C::new(-image.re, -image.im);
    }
    let (x, y) = (z.re, z.im);
    if x.is_nan() && y.is_finite() {
        return C::new(x, x);
    }
    if is_great(z) {
        let h = 0.5 * hypot(0.5 * x, 0.5 * y);
        let re = if h.is_infinite() { 0.0 } else { 0.0625 * x / h / h };
        let im = if y.is_nan() { y } else { FRAC_PI_2.copysign(y) };
        return C::new(re, im);
    }
    if y == 0.0 && x <= 1.0 {
        return C::new(pxfm::f_atanh(x), y);
    }
    if x == 0.0 && y.is_nan() {
        return C::new(x, y);
    }
    if x == 1.0 && y.abs() < 1e-150 {
        // The square of y vanishes.
        let re = 0.5 * (LN_2 - pxfm::f_log(y.abs()));
        return C::new(re, (0.5 * pxfm::f_atan2(2.0, -y.abs())).copysign(y));
    }
    let beside = 1.0 - x;
    let re = 0.25 * pxfm::f_log1p(4.0 * x / (beside * beside + y * y));
    let im = 0.5 * pxfm::f_atan2(2.0 * y, beside * (1.0 + x) - y * y);
    C::new(re, im)
}
