//! Exponentials and logarithms.

use std::f64::consts::{LN_2, LN_10};

use super::term::chain;
use super::{Body, Define, Law, Names, Record, ResultType, X, X1_X2};
use crate::element::{self, Float};
use crate::kernel::{Complexes, Floats, Map1, Map2, analytic1, floats1, floats2};
use crate::math::of_one;
use crate::simd::Isa;

functions! { floats1 Exp exp Exp2 exp2 Expm1 expm1 Log log Log1p log1p Log2 log2 Log10 log10 Sigmoid logistic }
functions! { complexes1 Exp exp_each Expm1 expm1_each Log log_each Log1p log1p_each Log2 log2_each Log10 log10_each }
functions! { floats2 Logaddexp logaddexp }

impl<Z: element::Complexes> Map1<Complexes, Z> for Sigmoid {
    type Out = Z;
    #[inline(always)]
    fn map<I: Isa>(x: Z) -> Z {
        Z::ONE.div(Z::ONE.add(of_one(x.neg(), Z::exp_each::<I>)))
    }
}

impl Define for Exp {
    const RECORD: Record = Record {
        name: "exp",
        summary: "The exponential, e to the power x.",
        names: Names {
            array_api: "exp",
            onnx: "Exp",
            openvino: "Exp",
            stablehlo: "exponential",
            hlo: "exponential",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Exp>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [y])),
        examples: &[
            "f32: 1 -> 2.7182817",
            "f32: -inf -> 0",
            "f32: 100 -> inf",
            "c64: 1+2j -> -1.1312044+2.4717267j",
        ],
    };
}

impl Define for Exp2 {
    const RECORD: Record = Record {
        name: "exp2",
        summary: "2 to the power x.",
        names: Names::NONE,
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<Exp2>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [y * LN_2])),
        examples: &[
            "f32: 10 -> 1024",
            "f32: -149 -> 1e-45",
            "f64: 0.5 -> 1.4142135623730951",
            "f32: nan -> nan",
        ],
    };
}

impl Define for Expm1 {
    const RECORD: Record = Record {
        name: "expm1",
        summary: "exp(x) - 1, accurate near 0.",
        names: Names {
            array_api: "expm1",
            stablehlo: "exponential_minus_one",
            hlo: "exponential-minus-one",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Expm1>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [y + 1.0])),
        examples: &[
            "f32: 0.001 -> 0.0010005002",
            "f32: -0 -> -0",
            "f32: -inf -> -1",
            "c64: 1+2j -> -2.1312044+2.4717267j",
        ],
    };
}

impl Define for Log {
    const RECORD: Record = Record {
        name: "log",
        summary: "The natural logarithm.",
        names: Names { array_api: "log", onnx: "Log", openvino: "Log", stablehlo: "log", hlo: "log" },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Log>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [x.reciprocal()])),
        examples: &[
            "f32: 2 -> 0.6931472",
            "f32: 0 -> -inf",
            "f32: -1 -> nan",
            "c64: 1+2j -> 0.804719+1.1071488j",
        ],
    };
}

impl Define for Log1p {
    const RECORD: Record = Record {
        name: "log1p",
        summary: "log(1 + x), accurate near 0.",
        names: Names { array_api: "log1p", stablehlo: "log_plus_one", hlo: "log-plus-one", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Log1p>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [(x + 1.0).reciprocal()])),
        examples: &[
            "f32: 0.001 -> 0.0009995003",
            "f32: -0 -> -0",
            "f32: -1 -> -inf",
            "c64: 1+2j -> 1.0397208+0.7853982j",
        ],
    };
}

impl Define for Log2 {
    const RECORD: Record = Record {
        name: "log2",
        summary: "The logarithm to base 2.",
        names: Names { array_api: "log2", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Log2>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [(x * LN_2).reciprocal()])),
        examples: &[
            "f32: 8 -> 3",
            "f32: 0.25 -> -2",
            "f32: 3 -> 1.5849625",
            "c64: 1+2j -> 1.160964+1.597278j",
        ],
    };
}

impl Define for Log10 {
    const RECORD: Record = Record {
        name: "log10",
        summary: "The logarithm to base 10.",
        names: Names { array_api: "log10", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Log10>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [(x * LN_10).reciprocal()])),
        examples: &[
            "f32: 1000 -> 3",
            "f32: -0 -> -inf",
            "f32: 2 -> 0.30103",
            "c64: 1+2j -> 0.349485+0.48082858j",
        ],
    };
}

impl Define for Logaddexp {
    const RECORD: Record = Record {
        name: "logaddexp",
        summary: "The logarithm of the sum of the exponentials, without overflow on the way.",
        names: Names { array_api: "logaddexp", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(floats2::<Logaddexp>),
        laws: &[Law::Commutative],
        accuracy: "1 ULP in f32, 2 in f64; relative to the arguments where these nearly cancel",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[a, b], _| [(a - b).sigmoid(), (b - a).sigmoid()])),
        examples: &[
            "f32: 1, 2 -> 2.3132617",
            "f32: 1000, 1000 -> 1000.6932",
            "f32: -inf, -inf -> -inf",
            "f32: inf, nan -> nan",
        ],
    };
}

impl Define for Sigmoid {
    const RECORD: Record = Record {
        name: "sigmoid",
        summary: "The logistic function, 1 / (1 + exp(-x)).",
        names: Names {
            onnx: "Sigmoid",
            openvino: "Sigmoid",
            stablehlo: "logistic",
            hlo: "logistic",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Sigmoid>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [y * (1.0 - y)])),
        examples: &[
            "f32: 0 -> 0.5",
            "f32: 1 -> 0.7310586",
            "f32: -inf -> 0",
            "f32: 100 -> 1",
            "c64: 1+2j -> 1.0214154+0.40343872j",
        ],
    };
}
