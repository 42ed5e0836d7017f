//! The hyperbolic functions of complex numbers, of which the trigonometric ones are turned images.

use super::complex::C;

/// exp(x) cos(y) / 2 and exp(x) sin(y) / 2 for an x so great that cosh and sinh are the same; the exponential alone
/// may overflow.
fn half_exp(x: f64, y: f64) -> (f64, f64) {
    let (part, rest) = (0.5 * pxfm::f_exp(700.0), pxfm::f_exp(x - 700.0));
    (part * pxfm::f_cos(y) * rest, part * pxfm::f_sin(y) * rest)
}

/// pxfm's loses the sign of -0.
fn real_sinh(x: f64) -> f64 {
    if x == 0.0 { x } else { pxfm::f_sinh(x) }
}

pub(super) fn sinh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if !y.is_finite() {
        // No angle: a zero stays, an infinity has no direction.
        return if x == 0.0 || x.is_infinite() { C::new(x, f64::NAN) } else { C::new(f64::NAN, f64::NAN) };
    }
    if y == 0.0 {
        return C::new(real_sinh(x), y);
    }
    if x.abs() > 700.0 && x.is_finite() {
        let (cos, sin) = half_exp(x.abs(), y);
        return C::new(cos * 1f64.copysign(x), sin);
    }
    C::new(real_sinh(x) * pxfm::f_cos(y), pxfm::f_cosh(x) * pxfm::f_sin(y))
}

pub(super) fn cosh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if !y.is_finite() {
        return if x == 0.0 {
            C::new(f64::NAN, 0.0)
        } else if x.is_infinite() {
            C::new(f64::INFINITY, f64::NAN)
        } else {
            C::new(f64::NAN, f64::NAN)
        };
    }
    if y == 0.0 || x == 0.0 {
        // The product of zeros and of a zero with infinity: its sign is that of both.
        let re = if y == 0.0 { pxfm::f_cosh(x) } else { pxfm::f_cos(y) };
        let sign = if x == 0.0 {
            pxfm::f_sin(y) * x
        } else if x.is_nan() {
            y
        } else {
            y * 1f64.copysign(x)
        };
        return C::new(re, 0f64.copysign(sign));
    }
    if x.abs() > 700.0 && x.is_finite() {
        let (cos, sin) = half_exp(x.abs(), y);
        return C::new(cos, sin * 1f64.copysign(x));
    }
    C::new(pxfm::f_cosh(x) * pxfm::f_cos(y), real_sinh(x) * pxfm::f_sin(y))
}

pub(super) fn tanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_infinite() {
        // DIFFERENCE: C gives the zero the sign of sin(2y); the Array API lists 0 for every angle above 0.
        let zero = if y.is_nan() { 0.0 } else { 0f64.copysign(y) };
        return C::new(1f64.copysign(x), zero);
    }
    if !y.is_finite() {
        return C::new(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    if y == 0.0 {
        return C::new(pxfm::f_tanh(x), y);
    }
    if x.abs() > 22.0 {
        let e = pxfm::f_exp(-x.abs());
        return C::new(1f64.copysign(x), 4.0 * pxfm::f_sin(y) * pxfm::f_cos(y) * e * e);
    }
    // Kahan's: (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2).
    let (sinh, cosh) = (real_sinh(x), pxfm::f_cosh(x));
    let (sin, cos) = (pxfm::f_sin(y), pxfm::f_cos(y));
    let norm = sinh * sinh + cos * cos;
    C::new(sinh * cosh / norm, sin * cos / norm)
}
