//! The exponential and its relatives: products of a real exponential or hyperbolic function and a sine or cosine.

use super::super::complex::{self, C, of_turned, sum_of_products_near, turned, turned_back};
use super::super::complex_trigonometric as one;
use super::super::exponential::{exp_f64, expm1_f64};
use super::super::hyperbolic::{cosh_f64, sinh_f64};
use super::super::trigonometric::{is_far_angle, sin_cos_near};
use super::of_real;
use crate::simd::Isa;

/// Beyond this real part something may overflow, or the exponential of its opposite be subnormal.
const GREAT: f64 = 700.0;
/// Below this magnitude a part that is not 0 may vanish in a product.
const SMALL: f64 = 1e-290;
/// From here on the hyperbolic tangent of a real number is 1.
const NEARLY_1: f64 = 22.0;

#[inline(always)]
fn is_far(z: C) -> bool {
    let lasts = |x: f64| (x.abs() > SMALL) | (x == 0.0);
    let moderate = lasts(z.re) & lasts(z.im) & (z.re.abs() < GREAT) & (z.im.abs() < f64::INFINITY);
    !moderate | is_far_angle(z.im)
}

#[inline(always)]
fn is_far_turned(z: C) -> bool {
    is_far(turned(z))
}

/// Of zeros, the sign is another.
#[inline(always)]
fn is_far_or_0(z: C) -> bool {
    is_far(z) | ((z.re == 0.0) & (z.im == 0.0))
}

#[inline(always)]
fn is_nearly_1(z: C) -> bool {
    is_far(z) | (z.re.abs() >= NEARLY_1)
}

of_real! {
    Exp: complex::exp, is_far, |z| {
        let (size, (sin, cos)) = (exp_f64::<I>(z.re), sin_cos_near::<I>(z.im));
        C::new(size * cos, size * sin)
    };
    Expm1: complex::expm1, is_far_or_0, |z| {
        let (more, (sin, cos), (half, _)) =
            (expm1_f64::<I>(z.re), sin_cos_near::<I>(z.im), sin_cos_near::<I>(0.5 * z.im));
        C::new(sum_of_products_near::<I>(more, cos, -2.0 * half, half), exp_f64::<I>(z.re) * sin)
    };
    Sinh: one::sinh, is_far, |z| {
        let (sin, cos) = sin_cos_near::<I>(z.im);
        C::new(sinh_f64::<I>(z.re) * cos, cosh_f64::<I>(z.re) * sin)
    };
    Cosh: one::cosh, is_far, |z| {
        let (sin, cos) = sin_cos_near::<I>(z.im);
        C::new(cosh_f64::<I>(z.re) * cos, sinh_f64::<I>(z.re) * sin)
    };
    // Kahan's, as of one number.
    Tanh: one::tanh, is_nearly_1, |z| {
        let (sinh, cosh) = (sinh_f64::<I>(z.re), cosh_f64::<I>(z.re));
        let (sin, cos) = sin_cos_near::<I>(z.im);
        let norm = sinh * sinh + cos * cos;
        C::new(sinh * cosh / norm, sin * cos / norm)
    };
    Sin: |z| of_turned(one::sinh, z), is_far_turned, |z| turned_back(Sinh::near::<I>(turned(z)));
    Cos: |z| one::cosh(turned(z)), is_far_turned, |z| Cosh::near::<I>(turned(z));
    Tan: |z| of_turned(one::tanh, z), |z| is_nearly_1(turned(z)), |z| turned_back(Tanh::near::<I>(turned(z)));
}
