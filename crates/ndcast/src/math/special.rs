//! Functions that are seldom applied to much: Bessel functions. They are those of the crate pxfm, one by one; f32 is computed in f64.

use super::bits::round32;
use crate::simd::Isa;

/// exp(-|x|) I0(x), with the modified Bessel function of the first kind of order 0. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn bessel_i0e_f32<I: Isa>(x: f32) -> f32 {
    round32(bessel_i0e_f64::<I>(f64::from(x)))
}

/// exp(-|x|) I0(x), with the modified Bessel function of the first kind of order 0. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn bessel_i0e_f64<I: Isa>(x: f64) -> f64 {
    // It is even; below 0 pxfm takes the wrong sign for the second term of 1 - |x| + ....
    if x.is_infinite() { 0.0 } else { pxfm::f_i0e(x.abs()) }
}

/// exp(-|x|) I1(x), with the modified Bessel function of the first kind of order 1. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn bessel_i1e_f32<I: Isa>(x: f32) -> f32 {
    round32(bessel_i1e_f64::<I>(f64::from(x)))
}

/// exp(-|x|) I1(x), with the modified Bessel function of the first kind of order 1. At most 1.0 ULP.
#[inline(always)]
pub(crate) fn bessel_i1e_f64<I: Isa>(x: f64) -> f64 {
    // x / 2 - x |x| / 2 + ...: there pxfm takes the wrong sign for the second term.
    if x.abs() < 1e-15 {
        return 0.5 * x * (1.0 - x.abs());
    }
    if x.is_infinite() { 0.0f64.copysign(x) } else { pxfm::f_i1e(x) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    #[test]
    fn edges() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert_eq!((bessel_i0e_f64::<B>(-inf), bessel_i0e_f64::<B>(-0.0)), (0.0, 1.0));
        assert_eq!((bessel_i1e_f64::<B>(inf), bessel_i1e_f64::<B>(0.0)), (0.0, 0.0));
        assert!(bessel_i1e_f64::<B>(-0.0).is_sign_negative() && bessel_i1e_f64::<B>(nan).is_nan());
    }
}
