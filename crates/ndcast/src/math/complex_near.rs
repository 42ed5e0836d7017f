//! Functions of complex numbers that are made by vectors where neither part is small or great: of the real functions
//! of both. What is far from that (where something overflows, vanishes or has no angle) is left to the functions of one
//! number.

mod exponential;
mod logarithm;

use num_complex::Complex;

use super::complex::{C, rounded, wide};
use super::each::{NearAndFar, unless};
use crate::simd::Isa;
pub(crate) use exponential::{Cos, Cosh, Exp, Expm1, Sin, Sinh, Tan, Tanh};
pub(crate) use logarithm::{Acos, Acosh, Asin, Asinh, Atan, Atanh, Log, Log1p, Log2, Log10, Sqrt};

/// A function of complex numbers that is made of real ones where nothing is lost by it.
trait OfReal {
    /// Whether something is.
    fn is_far(z: C) -> bool;
    /// The function of a number that is not far: straight-line code.
    fn near<I: Isa>(z: C) -> C;
    /// The function of any.
    fn any(z: C) -> C;
}

/// Each function: of any number, where it is far, and of a number that is not.
macro_rules! of_real {
    ($($name:ident: $any:expr, $far:expr, |$z:ident| $near:expr;)*) => {$(
        pub(crate) struct $name;

        impl super::OfReal for $name {
            #[inline(always)]
            fn is_far(z: C) -> bool {
                ($far)(z)
            }
            #[inline(always)]
            fn near<I: Isa>($z: C) -> C {
                $near
            }
            fn any(z: C) -> C {
                ($any)(z)
            }
        }
    )*};
}
use of_real;

impl<F: OfReal> NearAndFar<C> for F {
    #[inline(always)]
    fn near<I: Isa>(z: C) -> C {
        <F as OfReal>::near::<I>(z)
    }
    fn far<I: Isa>(z: C) -> C {
        F::any(z)
    }
    #[inline(always)]
    fn distance(z: C, _near: C) -> u32 {
        unless(<F as OfReal>::is_far(z))
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
    fn distance(z: Complex<f32>, _near: Complex<f32>) -> u32 {
        unless(<F as OfReal>::is_far(wide(z)))
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
        many_are_as_each_alone::<Tanh>("tanh");
        many_are_as_each_alone::<Sin>("sin");
        many_are_as_each_alone::<Cos>("cos");
        many_are_as_each_alone::<Tan>("tan");
        many_are_as_each_alone::<Log>("log");
        many_are_as_each_alone::<Log1p>("log1p");
        many_are_as_each_alone::<Log2>("log2");
        many_are_as_each_alone::<Log10>("log10");
        many_are_as_each_alone::<Sqrt>("sqrt");
        many_are_as_each_alone::<Asinh>("asinh");
        many_are_as_each_alone::<Acosh>("acosh");
        many_are_as_each_alone::<Atanh>("atanh");
        many_are_as_each_alone::<Asin>("asin");
        many_are_as_each_alone::<Acos>("acos");
        many_are_as_each_alone::<Atan>("atan");
    }
}
