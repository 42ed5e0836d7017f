//! Logarithms, the square root, and the inverse functions that are made of both.

use std::f64::consts::{LOG2_E, LOG10_E};

use super::super::complex::{self, C, of_turned, square_sum, turned, turned_back};
use super::super::complex_inverse as one;
use super::super::hyperbolic::asinh_f64;
use super::super::inverse_trigonometric::atan2_f64;
use super::super::logarithm::{log_f64, log1p_f64, log2_f64, log10_f64};
use super::of_real;
use crate::simd::Isa;

/// Whether squares of a number neither overflow nor lose digits.
#[inline(always)]
fn is_moderate(x: f64) -> bool {
    (x.abs() > 1e-140) & (x.abs() < 1e140)
}

#[inline(always)]
fn is_far(z: C) -> bool {
    !(is_moderate(z.re) & is_moderate(z.im))
}

#[inline(always)]
fn is_far_turned(z: C) -> bool {
    is_far(turned(z))
}

/// The same where one part may be 0.
#[inline(always)]
fn is_far_or_0(z: C) -> bool {
    let (re, im) = (is_moderate(z.re), is_moderate(z.im));
    !((re & im) | (re & (z.im == 0.0)) | (im & (z.re == 0.0)))
}

/// The logarithm of a magnitude, given what that of a number is, and how many there are of base e.
#[inline(always)]
fn log_of_magnitude<I: Isa>(z: C, log: impl Fn(f64) -> f64, of_e: f64) -> f64 {
    let (x, y) = (z.re.abs(), z.im.abs());
    // Near the unit circle the squares less 1 tell more.
    let more = square_sum(x, y, -1.0, 0.0);
    let near = log1p_f64::<I>(more) * of_e;
    0.5 * if (more > -0.5) & (more < 1.0) { near } else { log(I::fma64(x, x, y * y)) }
}

of_real! {
    Log: complex::log, is_far_or_0, |z| {
        C::new(log_of_magnitude::<I>(z, log_f64::<I>, 1.0), atan2_f64::<I>(z.im, z.re))
    };
    Log2: complex::log2, is_far_or_0, |z| {
        C::new(log_of_magnitude::<I>(z, log2_f64::<I>, LOG2_E), atan2_f64::<I>(z.im, z.re) * LOG2_E)
    };
    Log10: complex::log10, is_far_or_0, |z| {
        C::new(log_of_magnitude::<I>(z, log10_f64::<I>, LOG10_E), atan2_f64::<I>(z.im, z.re) * LOG10_E)
    };
    Log1p: complex::log1p, is_far, |z| {
        // |1 + z|^2 - 1, where the sum loses what counts.
        let more = square_sum(z.re, z.im, 2.0 * z.re, 0.0);
        let is_near = (z.re.abs() < 3.0) & (z.im.abs() < 3.0) & (more > -0.5);
        let sum = 1.0 + z.re;
        let (near, far) = (log1p_f64::<I>(more), log_f64::<I>(I::fma64(sum, sum, z.im * z.im)));
        C::new(0.5 * if is_near { near } else { far }, atan2_f64::<I>(z.im, sum))
    };
    Sqrt: complex::sqrt, is_far_or_0, |z| {
        let (x, y) = (z.re.abs(), z.im.abs());
        let greater = (0.5 * (x + I::fma64(x, x, y * y).sqrt())).sqrt();
        let smaller = y / greater * 0.5;
        let (re, im) = if z.re >= 0.0 { (greater, smaller) } else { (smaller, greater) };
        C::new(re, im.copysign(z.im))
    };
    Asinh: one::asinh, is_far, |z| {
        let (a, b) = (Sqrt::near::<I>(C::new(1.0 + z.im, -z.re)), Sqrt::near::<I>(C::new(1.0 - z.im, z.re)));
        let re = asinh_f64::<I>(a.re * b.im - b.re * a.im);
        C::new(re, atan2_f64::<I>(z.im, a.re * b.re - a.im * b.im))
    };
    Acosh: one::acosh, is_far, |z| {
        let (a, b) = (Sqrt::near::<I>(C::new(z.re - 1.0, z.im)), Sqrt::near::<I>(C::new(z.re + 1.0, z.im)));
        C::new(asinh_f64::<I>(a.re * b.re + a.im * b.im), 2.0 * atan2_f64::<I>(a.im, b.re))
    };
    Atanh: one::atanh, is_far, |z| {
        // Of the image in the right half.
        let (x, y) = (z.re.abs(), if z.re < 0.0 { -z.im } else { z.im });
        let beside = 1.0 - x;
        let re = 0.25 * log1p_f64::<I>(4.0 * x / (beside * beside + y * y));
        let im = 0.5 * atan2_f64::<I>(2.0 * y, beside * (1.0 + x) - y * y);
        if z.re < 0.0 { C::new(-re, -im) } else { C::new(re, im) }
    };
    Asin: |z| of_turned(one::asinh, z), is_far_turned, |z| turned_back(Asinh::near::<I>(turned(z)));
    Acos: one::acos, is_far, |z| {
        let (a, b) = (Sqrt::near::<I>(C::new(1.0 - z.re, -z.im)), Sqrt::near::<I>(C::new(1.0 + z.re, z.im)));
        C::new(2.0 * atan2_f64::<I>(a.re, b.re), asinh_f64::<I>(b.re * a.im - b.im * a.re))
    };
    Atan: |z| of_turned(one::atanh, z), is_far_turned, |z| turned_back(Atanh::near::<I>(turned(z)));
}
