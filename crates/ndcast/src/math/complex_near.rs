//! The exponential of complex numbers and its relatives, made by vectors for numbers of moderate size: products of a real
//! exponential or hyperbolic function and a sine or cosine; and the logarithm. Zeros, angles far from 0 and what overflows
//! are left to the functions of one number.

use num_complex::Complex;

use super::complex::{self, C, rounded, turned, turned_back, wide};
use super::complex_trigonometric;
use super::each::NearAndFar;
use super::exponential::{exp_f64, expm1_f64};
use super::hyperbolic::{cosh_f64, sinh_f64};
use super::inverse_trigonometric::atan2_f64;
use super::logarithm::{log_f64, log1p_f64};
use super::trigonometric::{is_far_angle, sin_cos_near};
use crate::simd::Isa;

/// Beyond this real part something may overflow, or the exponential of its opposite be subnormal.
const GREAT: f64 = 700.0;
/// Below this magnitude a part may vanish in a product.
const SMALL: f64 = 1e-290;

/// A function of complex numbers that is made of real ones where neither part is 0, small or great.
trait OfReal {
    /// The function of such a number.
    fn near<I: Isa>(z: C) -> C;
    /// The function of any.
    fn any(z: C) -> C;
    /// Whether it is no such number.
    #[inline(always)]
    fn is_far(z: C) -> bool {
        is_far(z)
    }
}

#[inline(always)]
fn is_far(z: C) -> bool {
    let moderate =
        (z.re.abs() > SMALL) & (z.re.abs() < GREAT) & (z.im.abs() > SMALL) & (z.im.abs() < f64::INFINITY);
    !moderate | is_far_angle(z.im)
}

pub(crate) struct Exp;
pub(crate) struct Expm1;
pub(crate) struct Sinh;
pub(crate) struct Cosh;
pub(crate) struct Sin;
pub(crate) struct Cos;
pub(crate) struct Log;

impl OfReal for Exp {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        let (size, (sin, cos)) = (exp_f64::<I>(z.re), sin_cos_near::<I>(z.im));
        C::new(size * cos, size * sin)
    }
    fn any(z: C) -> C {
        complex::exp(z)
    }
}

impl OfReal for Expm1 {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        let (more, (sin, cos), (half, _)) =
            (expm1_f64::<I>(z.re), sin_cos_near::<I>(z.im), sin_cos_near::<I>(0.5 * z.im));
        C::new(complex::sum_of_products_near::<I>(more, cos, -2.0 * half, half), exp_f64::<I>(z.re) * sin)
    }
    fn any(z: C) -> C {
        complex::expm1(z)
    }
}

impl OfReal for Sinh {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        let (sin, cos) = sin_cos_near::<I>(z.im);
        C::new(sinh_f64::<I>(z.re) * cos, cosh_f64::<I>(z.re) * sin)
    }
    fn any(z: C) -> C {
        complex_trigonometric::sinh(z)
    }
}

impl OfReal for Cosh {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        let (sin, cos) = sin_cos_near::<I>(z.im);
        C::new(cosh_f64::<I>(z.re) * cos, sinh_f64::<I>(z.re) * sin)
    }
    fn any(z: C) -> C {
        complex_trigonometric::cosh(z)
    }
}

impl OfReal for Sin {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        turned_back(<Sinh as OfReal>::near::<I>(turned(z)))
    }
    fn any(z: C) -> C {
        turned_back(Sinh::any(turned(z)))
    }
    #[inline(always)]
    fn is_far(z: C) -> bool {
        is_far(turned(z))
    }
}

impl OfReal for Cos {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        <Cosh as OfReal>::near::<I>(turned(z))
    }
    fn any(z: C) -> C {
        Cosh::any(turned(z))
    }
    #[inline(always)]
    fn is_far(z: C) -> bool {
        is_far(turned(z))
    }
}

/// The logarithm of a magnitude, for parts that are far from overflow and from what is subnormal.
#[inline(always)]
fn log_of_magnitude<I: Isa>(z: C) -> f64 {
    let (x, y) = (z.re.abs(), z.im.abs());
    // Near the unit circle the squares less 1 tell more.
    let more = complex::square_sum(x, y, -1.0, 0.0);
    let near = log1p_f64::<I>(more);
    0.5 * if (more > -0.5) & (more < 1.0) { near } else { log_f64::<I>(I::fma64(x, x, y * y)) }
}

/// Whether squares of a part overflow or lose digits.
#[inline(always)]
fn is_far_from_1(z: C) -> bool {
    let moderate = |x: f64| (x.abs() > 1e-140) & (x.abs() < 1e140);
    !(moderate(z.re) & moderate(z.im))
}

impl OfReal for Log {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        C::new(log_of_magnitude::<I>(z), atan2_f64::<I>(z.im, z.re))
    }
    fn any(z: C) -> C {
        complex::log(z)
    }
    #[inline(always)]
    fn is_far(z: C) -> bool {
        is_far_from_1(z)
    }
}

impl<F: OfReal> NearAndFar<C> for F {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        <F as OfReal>::near::<I>(z)
    }
    fn far<I: Isa>(z: C) -> C {
        F::any(z)
    }
    #[inline(always)]
    fn is_far(z: C) -> bool {
        <F as OfReal>::is_far(z)
    }
}

impl<F: OfReal> NearAndFar<Complex<f32>> for F {
    #[inline(always)]
    fn near<I: Isa>(z: Complex<f32>) -> Complex<f32> {
        rounded(<F as OfReal>::near::<I>(wide(z)))
    }
    fn far<I: Isa>(z: Complex<f32>) -> Complex<f32> {
        rounded(F::any(wide(z)))
    }
    #[inline(always)]
    fn is_far(z: Complex<f32>) -> bool {
        <F as OfReal>::is_far(wide(z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Body, Level, at};

    struct All<'a, F>(&'a [C], &'a mut [C], std::marker::PhantomData<F>);

    impl<F: OfReal> Body for All<'_, F> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            super::super::each::each::<I, C, F>(self.0, self.1);
        }
    }

    /// At every level near to what the function of any number gives, and the same for what is far.
    fn many_are_as_each_alone<F: OfReal>(name: &str) {
        let parts = [0.0, -0.0, 1e-300, 1e-8, -0.3, 0.7, 1.5, -3.2, 20.0, -39.0, 300.0, 705.0, -720.0, 1e9];
        let parts = parts.into_iter().chain([1e200, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
        let parts: Vec<f64> = parts.collect();
        let all: Vec<C> = parts.iter().flat_map(|&re| parts.iter().map(move |&im| C::new(re, im))).collect();
        let mut out = vec![C::new(0.0, 0.0); all.len()];
        for level in Level::all() {
            at(level, All::<F>(&all, &mut out, std::marker::PhantomData));
            for (&z, found) in all.iter().zip(&out) {
                let exact = F::any(z);
                for (found, exact) in [(found.re, exact.re), (found.im, exact.im)] {
                    let near = (found - exact).abs()
                        <= 1e-15 * exact.abs() + 1e-15 * f64::from(u8::from(name == "expm1"));
                    let same = found.to_bits() == exact.to_bits() || found.is_nan() && exact.is_nan();
                    assert!(
                        same || near && !<F as OfReal>::is_far(z),
                        "{name} {z} {level:?}: {found}, not {exact}"
                    );
                }
            }
        }
    }

    #[test]
    fn at_every_level() {
        many_are_as_each_alone::<Exp>("exp");
        many_are_as_each_alone::<Expm1>("expm1");
        many_are_as_each_alone::<Sinh>("sinh");
        many_are_as_each_alone::<Cosh>("cosh");
        many_are_as_each_alone::<Sin>("sin");
        many_are_as_each_alone::<Cos>("cos");
        many_are_as_each_alone::<Log>("log");
    }
}
