//! Hyperbolic functions.

use super::term::chain;
use super::{Body, Define, Names, Record, ResultType, X};
use crate::element::{self, Float};
use crate::kernel::{Complexes, Floats, Map1, analytic1};
use crate::simd::Isa;

functions! { floats1 Sinh sinh Cosh cosh Tanh tanh Asinh asinh Acosh acosh Atanh atanh }
functions! { complexes1 Sinh sinh_each Cosh cosh_each Tanh tanh_each Asinh asinh_each Acosh acosh_each Atanh atanh_each }

impl Define for Sinh {
    const RECORD: Record = Record {
        name: "sinh",
        summary: "The hyperbolic sine.",
        names: Names {
            array_api: "sinh",
            onnx: "Sinh",
            openvino: "Sinh",
            stablehlo: "chlo.sinh",
            hlo: "sinh",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Sinh>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [x.cosh()])),
        examples: &[
            "f32: 1 -> 1.1752012",
            "f32: -0 -> -0",
            "f32: -inf -> -inf",
            "c64: 1+2j -> -0.48905626+1.4031192j",
        ],
    };
}

impl Define for Cosh {
    const RECORD: Record = Record {
        name: "cosh",
        summary: "The hyperbolic cosine.",
        names: Names {
            array_api: "cosh",
            onnx: "Cosh",
            openvino: "Cosh",
            stablehlo: "chlo.cosh",
            hlo: "cosh",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Cosh>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [x.sinh()])),
        examples: &[
            "f32: 1 -> 1.5430807",
            "f32: 0 -> 1",
            "f32: -inf -> inf",
            "c64: 1+2j -> -0.64214814+1.0686074j",
        ],
    };
}

impl Define for Tanh {
    const RECORD: Record = Record {
        name: "tanh",
        summary: "The hyperbolic tangent.",
        names: Names { array_api: "tanh", onnx: "Tanh", openvino: "Tanh", stablehlo: "tanh", hlo: "tanh" },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Tanh>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [1.0 - y.square()])),
        examples: &[
            "f32: 1 -> 0.7615942",
            "f32: -0 -> -0",
            "f32: -inf -> -1",
            "c64: 1+2j -> 1.1667362-0.2434582j",
        ],
    };
}

impl Define for Asinh {
    const RECORD: Record = Record {
        name: "asinh",
        summary: "The inverse hyperbolic sine.",
        names: Names {
            array_api: "asinh",
            onnx: "Asinh",
            openvino: "Asinh",
            stablehlo: "chlo.asinh",
            hlo: "asinh",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Asinh>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [x.hypot(x.number(1.0)).reciprocal()])),
        examples: &[
            "f32: 1 -> 0.8813736",
            "f32: -0 -> -0",
            "f32: inf -> inf",
            "c64: 1+2j -> 1.4693518+1.06344j",
        ],
    };
}

impl Define for Acosh {
    const RECORD: Record = Record {
        name: "acosh",
        summary: "The inverse hyperbolic cosine.",
        names: Names {
            array_api: "acosh",
            onnx: "Acosh",
            openvino: "Acosh",
            stablehlo: "chlo.acosh",
            hlo: "acosh",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Acosh>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [(x - 1.0).rsqrt() * (x + 1.0).rsqrt()])),
        examples: &[
            "f32: 2 -> 1.316958",
            "f32: 1 -> 0",
            "f32: 0.5 -> nan",
            "c64: 1+2j -> 1.5285709+1.1437178j",
        ],
    };
}

impl Define for Atanh {
    const RECORD: Record = Record {
        name: "atanh",
        summary: "The inverse hyperbolic tangent.",
        names: Names {
            array_api: "atanh",
            onnx: "Atanh",
            openvino: "Atanh",
            stablehlo: "chlo.atanh",
            hlo: "atanh",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Atanh>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [((1.0 - x) * (1.0 + x)).reciprocal()])),
        examples: &[
            "f32: 0.5 -> 0.54930615",
            "f32: -1 -> -inf",
            "f32: 2 -> nan",
            "f32: -0 -> -0",
            "c64: 1+2j -> 0.1732868+1.1780972j",
        ],
    };
}
