//! Smooth activations and their approximations by straight lines.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use super::term::{Term, formula};
use super::{Argument, Body, Define, Names, Record, ResultType, X};

/// The slope at 0 of the hyperbolic tangent that is nearly the normal distribution: the square root of 2/pi.
const SLOPE: f64 = FRAC_1_SQRT_2 * FRAC_2_SQRT_PI;

/// From here on that tangent is 1 in every type; its argument, and what its gradient is multiplied with, would soon be too
/// great for a half.
const FAR: f64 = 30.0;

/// Between 0 and 1.
fn within_unit<'a>(x: Term<'a>) -> Term<'a> {
    x.maximum(x.number(0.0)).minimum(x.number(1.0))
}

/// `max(0, min(1, alpha * x + beta))`.
pub(super) struct HardSigmoid;

impl Define for HardSigmoid {
    const RECORD: Record = Record {
        name: "hard_sigmoid",
        summary: "A straight line between 0 and 1 in place of the sigmoid.",
        names: Names { onnx: "HardSigmoid", openvino: "HardSigmoid", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::number("alpha", 0.2), Argument::number("beta", 0.5)],
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x, alpha, beta]| within_unit(alpha * x + beta))),
        laws: &[],
        accuracy: "2 roundings",
        gradient: None,
        examples: &["f32: 1 -> 0.7", "f32: -3 -> 0", "f32: 1, 0.5, 0.25 -> 0.75", "f32: nan -> nan"],
    };
}

/// `min(max(x + 3, 0), 6) / 6`.
pub(super) struct Hsigmoid;

impl Define for Hsigmoid {
    const RECORD: Record = Record {
        name: "hsigmoid",
        summary: "A straight line from 0 at -3 to 1 at 3 in place of the sigmoid.",
        names: Names { openvino: "HSigmoid", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Formula(|g, x| {
            formula(g, x, |[x]| (x + 3.0).maximum(x.number(0.0)).minimum(x.number(6.0)) / 6.0)
        }),
        laws: &[],
        accuracy: "2 roundings",
        gradient: None,
        examples: &["f32: 0 -> 0.5", "f32: -4 -> 0", "f32: 4 -> 1", "f32: -1 -> 0.33333334"],
    };
}

/// `x * min(max(x + 3, 0), 6) / 6`.
pub(super) struct Hswish;

impl Define for Hswish {
    const RECORD: Record = Record {
        name: "hswish",
        summary: "The number times the straight line from 0 at -3 to 1 at 3.",
        names: Names { onnx: "HardSwish", openvino: "HSwish", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Formula(|g, x| {
            formula(g, x, |[x]| x * (x + 3.0).maximum(x.number(0.0)).minimum(x.number(6.0)) / 6.0)
        }),
        laws: &[],
        accuracy: "3 roundings",
        gradient: None,
        examples: &["f32: -4 -> -0", "f32: -1 -> -0.33333334", "f32: 4 -> 4", "f32: nan -> nan"],
    };
}

/// `x / (1 + exp(-beta * x))`.
pub(super) struct Swish;

impl Define for Swish {
    const RECORD: Record = Record {
        name: "swish",
        summary: "x * sigmoid(beta * x).",
        names: Names { onnx: "Swish", openvino: "Swish", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::number("beta", 1.0)],
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x, beta]| x * (beta * x).sigmoid())),
        laws: &[],
        accuracy: "that of its formula",
        gradient: None,
        examples: &[
            "f32: 1 -> 0.7310586",
            "f32: -1 -> -0.26894143",
            "f32: 1, 2 -> 0.880797",
            "f32: 100 -> 100",
        ],
    };
}

/// `x * tanh(log(1 + exp(x)))`.
pub(super) struct Mish;

impl Define for Mish {
    const RECORD: Record = Record {
        name: "mish",
        summary: "x * tanh(softplus(x)).",
        names: Names { onnx: "Mish", openvino: "Mish", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x]| x * x.logaddexp(x.number(0.0)).tanh())),
        laws: &[],
        accuracy: "that of its formula",
        gradient: None,
        examples: &["f32: 1 -> 0.8650984", "f32: -1 -> -0.30340147", "f32: 0 -> 0", "f32: 100 -> 100"],
    };
}

/// `log(1 + exp(x))`.
pub(super) struct Softplus;

impl Define for Softplus {
    const RECORD: Record = Record {
        name: "softplus",
        summary: "The smooth form of the rectifier, without overflow on the way.",
        names: Names { onnx: "Softplus", openvino: "SoftPlus", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x]| x.logaddexp(x.number(0.0)))),
        laws: &[],
        accuracy: "that of its formula",
        gradient: None,
        examples: &["f32: 1 -> 1.3132616", "f32: 0 -> 0.6931472", "f32: 1000 -> 1000", "f32: -inf -> 0"],
    };
}

/// `x / (1 + |x|)`.
pub(super) struct Softsign;

impl Define for Softsign {
    const RECORD: Record = Record {
        name: "softsign",
        summary: "x / (1 + |x|).",
        names: Names { onnx: "Softsign", openvino: "SoftSign", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x]| x / (x.abs() + 1.0))),
        laws: &[],
        accuracy: "2 roundings",
        gradient: None,
        examples: &["f32: 1 -> 0.5", "f32: -3 -> -0.75", "f32: -0 -> -0", "f32: inf -> nan"],
    };
}

/// `x * (1 + erf(x / sqrt(2))) / 2`.
pub(super) struct Gelu;

impl Define for Gelu {
    const RECORD: Record = Record {
        name: "gelu",
        summary: "The number times the probability that a normal value is less.",
        names: Names { onnx: "Gelu", openvino: "Gelu", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x]| 0.5 * x * (x * -FRAC_1_SQRT_2).erfc())),
        laws: &[],
        accuracy: "that of its formula",
        // The complement is exact where 1 + erf cancels.
        gradient: None,
        examples: &[
            "f32: 1 -> 0.8413448",
            "f32: -1 -> -0.15865526",
            "f32: 0 -> 0",
            "f64: 2 -> 1.9544997361036416",
        ],
    };
}

/// `x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x))) / 2`.
pub(super) struct GeluTanh;

impl Define for GeluTanh {
    const RECORD: Record = Record {
        name: "gelu_tanh",
        summary: "Gelu with a hyperbolic tangent that is nearly the normal distribution.",
        names: Names {
            onnx: "Gelu[approximate=tanh]",
            openvino: "Gelu[approximation_mode=tanh]",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Formula(|g, x| {
            formula(g, x, |[x]| {
                let near = x.maximum(x.number(-FAR)).minimum(x.number(FAR));
                0.5 * x * (((near + near * near.square() * 0.044_715) * SLOPE).tanh() + 1.0)
            })
        }),
        laws: &[],
        accuracy: "that of its formula",
        gradient: None,
        examples: &[
            "f32: 1 -> 0.841192",
            "f32: -1 -> -0.15880801",
            "f32: 0 -> 0",
            "f64: 2 -> 1.954597694087775",
        ],
    };
}
