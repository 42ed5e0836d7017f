//! Questions about numbers, which give truth values.

use super::{Body, Define, Names, Record, ResultType, X};
use crate::element::{self, Float, Integer, Real};
use crate::kernel::{Complexes, Floats, Integers, Map1, floats1, numbers1};
use crate::simd::Isa;

/// Whether a float is neither infinite nor NaN.
#[inline(always)]
fn finite<T: Float>(x: T) -> bool {
    // Infinity less itself is no number.
    x.sub(x) == T::ZERO
}

/// Whether a float is one of the infinities.
#[inline(always)]
fn infinite<T: Float>(x: T) -> bool {
    x == T::GREATEST || x == T::LEAST
}

macro_rules! questions {
    ($($op:ident $integer:literal $float:path, $parts:tt;)*) => {$(
        pub(super) struct $op;
        impl<T: Integer> Map1<Integers, T> for $op {
            type Out = u8;
            #[inline(always)]
            fn map<I: Isa>(_: T) -> u8 { $integer }
        }
        impl<T: Float> Map1<Floats, T> for $op {
            type Out = u8;
            #[inline(always)]
            fn map<I: Isa>(x: T) -> u8 { u8::from($float(x)) }
        }
        impl<Z: element::Complexes> Map1<Complexes, Z> for $op {
            type Out = u8;
            #[inline(always)]
            fn map<I: Isa>(x: Z) -> u8 { u8::from($float(x.re()) $parts $float(x.im())) }
        }
    )*};
}

questions! {
    Isfinite 1 finite, &;
    Isinf 0 infinite, |;
    Isnan 0 Real::is_nan, |;
}

impl Define for Isfinite {
    const RECORD: Record = Record {
        name: "isfinite",
        summary: "Whether it is neither infinite nor NaN; both parts of a complex number.",
        names: Names {
            array_api: "isfinite",
            openvino: "IsFinite",
            stablehlo: "is_finite",
            hlo: "is-finite",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Truth,
        body: Body::Kernel(numbers1::<Isfinite>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "f32: 1 -> true",
            "f32: -inf -> false",
            "f32: nan -> false",
            "c64: 1+infj -> false",
            "i8: 1 -> true",
        ],
    };
}

impl Define for Isinf {
    const RECORD: Record = Record {
        name: "isinf",
        summary: "Whether it is infinite; at least one part of a complex number.",
        names: Names {
            array_api: "isinf",
            onnx: "IsInf",
            openvino: "IsInf",
            stablehlo: "chlo.is_inf",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Truth,
        body: Body::Kernel(numbers1::<Isinf>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: -inf -> true", "f32: nan -> false", "c64: nan+infj -> true", "i8: 1 -> false"],
    };
}

impl Define for Isnan {
    const RECORD: Record = Record {
        name: "isnan",
        summary: "Whether it is no number; at least one part of a complex number.",
        names: Names { array_api: "isnan", onnx: "IsNaN", openvino: "IsNaN", ..Names::NONE },
        arguments: X,
        result: ResultType::Truth,
        body: Body::Kernel(numbers1::<Isnan>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: nan -> true", "f32: inf -> false", "c64: inf+nanj -> true", "u8: 1 -> false"],
    };
}

/// Infinity.
pub(super) struct IsPosInf;

impl<T: Float> Map1<Floats, T> for IsPosInf {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> u8 {
        u8::from(x == T::GREATEST)
    }
}

impl Define for IsPosInf {
    const RECORD: Record = Record {
        name: "is_pos_inf",
        summary: "Whether it is infinity.",
        names: Names {
            onnx: "IsInf[detect_negative=0]",
            openvino: "IsInf[detect_negative=false]",
            stablehlo: "chlo.is_pos_inf",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Truth,
        body: Body::Kernel(floats1::<IsPosInf>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: inf -> true", "f32: -inf -> false", "f16: 65504 -> false", "f32: nan -> false"],
    };
}

/// -infinity.
pub(super) struct IsNegInf;

impl<T: Float> Map1<Floats, T> for IsNegInf {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> u8 {
        u8::from(x == T::LEAST)
    }
}

impl Define for IsNegInf {
    const RECORD: Record = Record {
        name: "is_neg_inf",
        summary: "Whether it is -infinity.",
        names: Names {
            onnx: "IsInf[detect_positive=0]",
            openvino: "IsInf[detect_positive=false]",
            stablehlo: "chlo.is_neg_inf",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Truth,
        body: Body::Kernel(floats1::<IsNegInf>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: -inf -> true", "f32: inf -> false", "f32: nan -> false"],
    };
}
