//! Functions of angles, which are in radians.

use super::term::{chain, gradients};
use super::{Body, Define, Names, Record, ResultType, X, X1_X2};
use crate::element::{self, Float};
use crate::kernel::{Complexes, Floats, Map1, Map2, analytic1, floats2};
use crate::simd::Isa;

functions! { floats1 Asin asin Acos acos Atan atan }
functions! { each1 Sin sin sin_each Cos cos cos_each Tan tan tan_each }
functions! { complexes1 Sin sin_each Cos cos_each Tan tan_each Asin asin_each Acos acos_each Atan atan_each }
functions! { floats2 Atan2 atan2 }

impl Define for Sin {
    const RECORD: Record = Record {
        name: "sin",
        summary: "The sine.",
        names: Names { array_api: "sin", onnx: "Sin", openvino: "Sin", stablehlo: "sine", hlo: "sine" },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Sin>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [x.cos()])),
        examples: &[
            "f32: 1 -> 0.84147096",
            "f32: -0 -> -0",
            "f32: inf -> nan",
            "c64: 1+2j -> 3.1657784+1.959601j",
        ],
    };
}

impl Define for Cos {
    const RECORD: Record = Record {
        name: "cos",
        summary: "The cosine.",
        names: Names { array_api: "cos", onnx: "Cos", openvino: "Cos", stablehlo: "cosine", hlo: "cosine" },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Cos>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [-x.sin()])),
        examples: &[
            "f32: 1 -> 0.5403023",
            "f32: 0 -> 1",
            "f32: -inf -> nan",
            "c64: 1+2j -> 2.032723-3.0518978j",
        ],
    };
}

impl Define for Tan {
    const RECORD: Record = Record {
        name: "tan",
        summary: "The tangent.",
        names: Names {
            array_api: "tan",
            onnx: "Tan",
            openvino: "Tan",
            stablehlo: "tan chlo.tan",
            hlo: "tan",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Tan>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [y.square() + 1.0])),
        examples: &[
            "f32: 1 -> 1.5574077",
            "f32: -0 -> -0",
            "f32: inf -> nan",
            "c64: 1+2j -> 0.033812825+1.0147936j",
        ],
    };
}

impl Define for Asin {
    const RECORD: Record = Record {
        name: "asin",
        summary: "The inverse sine, from -pi/2 to pi/2.",
        names: Names {
            array_api: "asin",
            onnx: "Asin",
            openvino: "Asin",
            stablehlo: "chlo.asin",
            hlo: "asin",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Asin>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [((1.0 - x) * (1.0 + x)).rsqrt()])),
        examples: &[
            "f32: 0.5 -> 0.5235988",
            "f32: -0 -> -0",
            "f32: 2 -> nan",
            "c64: 1+2j -> 0.42707857+1.5285709j",
        ],
    };
}

impl Define for Acos {
    const RECORD: Record = Record {
        name: "acos",
        summary: "The inverse cosine, from 0 to pi.",
        names: Names {
            array_api: "acos",
            onnx: "Acos",
            openvino: "Acos",
            stablehlo: "chlo.acos",
            hlo: "acos",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Acos>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [-((1.0 - x) * (1.0 + x)).rsqrt()])),
        examples: &[
            "f32: 0.5 -> 1.0471976",
            "f32: 1 -> 0",
            "f32: -1 -> 3.1415927",
            "f32: 2 -> nan",
            "c64: 1+2j -> 1.1437178-1.5285709j",
        ],
    };
}

impl Define for Atan {
    const RECORD: Record = Record {
        name: "atan",
        summary: "The inverse tangent, from -pi/2 to pi/2.",
        names: Names {
            array_api: "atan",
            onnx: "Atan",
            openvino: "Atan",
            stablehlo: "chlo.atan",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Atan>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| {
            gradients(g, (x, y, d), |[x], _, d| {
                // Its square may be too small where what it is multiplied with is not.
                let part = x.hypot(x.number(1.0)).reciprocal();
                [Some(d * part * part)]
            })
        }),
        examples: &[
            "f32: 1 -> 0.7853982",
            "f32: -0 -> -0",
            "f32: -inf -> -1.5707964",
            "c64: 1+2j -> 1.3389726+0.4023595j",
        ],
    };
}

impl Define for Atan2 {
    const RECORD: Record = Record {
        name: "atan2",
        summary: "The angle from -pi to pi of the point (x2, x1) with the positive axis.",
        names: Names { array_api: "atan2", stablehlo: "atan2", hlo: "atan2", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(floats2::<Atan2>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
        gradient: Some(|g, x, y, d| {
            chain(g, (x, y, d), |[a, b], _| {
                let distance = a.hypot(b);
                [b / distance / distance, -a / distance / distance]
            })
        }),
        examples: &[
            "f32: 1, -1 -> 2.3561945",
            "f32: 0, -1 -> 3.1415927",
            "f32: -0, -1 -> -3.1415927",
            "f32: -inf, inf -> -0.7853982",
            "f32: 0, 0 -> 0",
        ],
    };
}
