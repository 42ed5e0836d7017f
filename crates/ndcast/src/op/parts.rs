//! Complex numbers and their parts. A real number is a complex one whose imaginary part is 0.

use super::term::gradients;
use super::{Argument, Body, Define, Law, Names, Record, ResultType, X};
use crate::element::{self, Float, Integer, Number};
use crate::kernel::{Complexes, Floats, Integers, Map1, Map2, floats2, numbers1};
use crate::simd::Isa;

macro_rules! of_parts {
    ($($op:ident $out:ty, |$real:ident| $of_real:expr, |$complex:ident| $of_complex:expr;)*) => {$(
        pub(super) struct $op;
        impl<T: Integer> Map1<Integers, T> for $op {
            type Out = T;
            #[inline(always)]
            fn map<I: Isa>($real: T) -> T { $of_real }
        }
        impl<T: Float> Map1<Floats, T> for $op {
            type Out = T;
            #[inline(always)]
            fn map<I: Isa>($real: T) -> T { $of_real }
        }
        impl<Z: element::Complexes> Map1<Complexes, Z> for $op {
            type Out = $out;
            #[inline(always)]
            fn map<I: Isa>($complex: Z) -> $out { $of_complex }
        }
    )*};
}

of_parts! {
    Real Z::Part, |x| x, |z| z.re();
    Imag Z::Part, |_x| T::ZERO, |z| z.im();
    Conj Z, |x| x, |z| Z::new(z.re(), z.im().neg());
}

impl Define for Real {
    const RECORD: Record = Record {
        name: "real",
        summary: "The real part.",
        names: Names { array_api: "real", stablehlo: "real", hlo: "real", ..Names::NONE },
        arguments: X,
        result: ResultType::Part,
        body: Body::Kernel(numbers1::<Real>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        gradient: Some(|_, _, _, d| vec![Some(d)]),
        examples: &["c64: 1-2j -> 1", "f32: -0 -> -0", "c128: nan+1j -> nan"],
    };
}

impl Define for Imag {
    const RECORD: Record = Record {
        name: "imag",
        summary: "The imaginary part, which is 0 for a real number.",
        names: Names { array_api: "imag", stablehlo: "imag", hlo: "imag", ..Names::NONE },
        arguments: X,
        result: ResultType::Part,
        body: Body::Kernel(numbers1::<Imag>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["c64: 1-2j -> -2", "f32: 3 -> 0", "c64: 1-0j -> -0"],
    };
}

impl Define for Conj {
    const RECORD: Record = Record {
        name: "conj",
        summary: "The complex conjugate: the imaginary part has the other sign.",
        names: Names { array_api: "conj", stablehlo: "chlo.conj", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(numbers1::<Conj>),
        laws: &[Law::Involution],
        accuracy: "exact",
        gradient: Some(|_, _, _, d| vec![Some(d)]),
        examples: &["c64: 1-2j -> 1+2j", "c64: 1 -> 1-0j", "f32: 3 -> 3"],
    };
}

/// The number with these parts.
pub(super) struct Complex;

impl<T: Float> Map2<Floats, T> for Complex
where
    num_complex::Complex<T>: bytemuck::Pod,
{
    type Out = num_complex::Complex<T>;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> num_complex::Complex<T> {
        num_complex::Complex::new(a, b)
    }
}

impl Define for Complex {
    const RECORD: Record = Record {
        name: "complex",
        summary: "The complex number with this real and this imaginary part.",
        names: Names { stablehlo: "complex", hlo: "complex", ..Names::NONE },
        arguments: &[Argument::array("re"), Argument::array("im")],
        result: ResultType::Pair,
        body: Body::Kernel(floats2::<Complex>),
        laws: &[],
        accuracy: "exact",
        // The gradient of a complex number is here the one of its real part and i times the one of its imaginary part.
        gradient: Some(|g, x, y, d| gradients(g, (x, y, d), |[_, _], _, d| [Some(d.real()), Some(d.imag())])),
        examples: &["f32: 1, -2 -> 1-2j", "f64: -0, inf -> -0+infj"],
    };
}
