//! Activations that treat positive and negative numbers differently: the rectifier and its relatives.
//!
//! A formula that chooses between two branches keeps each of them finite where the other is chosen, so that its
//! gradient is too.

use super::term::{Term, chain, formula};
use super::{Argument, Body, Define, Law, Names, Record, ResultType, X};
use crate::element::Real;
use crate::kernel::{Map1, reals1};
use crate::simd::Isa;

/// `exp(x / scale) - 1` for negative `x`, and 0 for others.
fn expm1_below_zero<'a>(x: Term<'a>, scale: Term<'a>) -> Term<'a> {
    let zero = x.number(0.0);
    (x.greater(zero).select(zero, x) / scale).expm1()
}

/// `0` or `x`.
pub(super) struct Relu;

impl<C, T: Real> Map1<C, T> for Relu {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        if x < T::ZERO { T::ZERO } else { x }
    }
}

impl Define for Relu {
    const RECORD: Record = Record {
        name: "relu",
        summary: "0 for negative numbers, and the number itself otherwise.",
        names: Names { onnx: "Relu", openvino: "ReLU", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(reals1::<Relu>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        gradient: Some(|g, x, y, d| {
            chain(g, (x, y, d), |[x], _| {
                let zero = x.number(0.0);
                [x.greater(zero).select(x.number(1.0), zero)]
            })
        }),
        examples: &["f32: -2 -> 0", "f32: 3 -> 3", "f32: nan -> nan", "f32: -0 -> -0", "i8: -128 -> 0"],
    };
}

/// `x` or `alpha * x`.
pub(super) struct LeakyRelu;

impl Define for LeakyRelu {
    const RECORD: Record = Record {
        name: "leaky_relu",
        summary: "Negative numbers times alpha.",
        names: Names { onnx: "LeakyRelu", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::number("alpha", 0.01)],
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x, alpha]| x.less(x.number(0.0)).select(alpha * x, x))),
        laws: &[],
        accuracy: "rounded once",
        gradient: None,
        examples: &["f32: -2 -> -0.02", "f32: 3 -> 3", "f32: -2, 0.5 -> -1", "f32: nan -> nan"],
    };
}

/// `x` or `slope * x`.
pub(super) struct Prelu;

impl Define for Prelu {
    const RECORD: Record = Record {
        name: "prelu",
        summary: "Negative numbers times the slope.",
        names: Names { onnx: "PRelu", openvino: "PRelu", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::array("slope")],
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x, slope]| x.less(x.number(0.0)).select(slope * x, x))),
        laws: &[],
        accuracy: "rounded once",
        gradient: None,
        examples: &["f32: -2, 0.5 -> -1", "f32: 3, 0.5 -> 3", "f32: -0, 2 -> -0", "f32: nan, 2 -> nan"],
    };
}

/// `x` or `0`.
pub(super) struct ThresholdedRelu;

impl Define for ThresholdedRelu {
    const RECORD: Record = Record {
        name: "thresholded_relu",
        summary: "The number if it is greater than alpha, and 0 otherwise.",
        names: Names { onnx: "ThresholdedRelu", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::number("alpha", 1.0)],
        result: ResultType::Same,
        body: Body::Formula(|g, x| formula(g, x, |[x, alpha]| x.greater(alpha).select(x, x.number(0.0)))),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: 1.5 -> 1.5", "f32: 1 -> 0", "f32: -2, -3 -> -2", "f32: nan -> 0"],
    };
}

/// `x` or `alpha * (exp(x) - 1)`.
pub(super) struct Elu;

impl Define for Elu {
    const RECORD: Record = Record {
        name: "elu",
        summary: "The number if it is positive, and alpha * (exp(x) - 1) otherwise.",
        names: Names { onnx: "Elu", openvino: "Elu", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::number("alpha", 1.0)],
        result: ResultType::Same,
        body: Body::Formula(|g, x| {
            formula(g, x, |[x, alpha]| {
                let zero = x.number(0.0);
                x.greater(zero).select(x, alpha * expm1_below_zero(x, x.number(1.0)))
            })
        }),
        laws: &[],
        accuracy: "that of its formula",
        gradient: None,
        examples: &[
            "f32: -1 -> -0.63212055",
            "f32: 100 -> 100",
            "f32: -inf, 2 -> -2",
            "f32: -0 -> -0",
            "f32: nan -> nan",
        ],
    };
}

/// `gamma * x` or `gamma * alpha * (exp(x) - 1)`.
pub(super) struct Selu;

impl Define for Selu {
    const RECORD: Record = Record {
        name: "selu",
        summary: "gamma times elu, with constants that keep mean and variance of layers.",
        names: Names { onnx: "Selu", openvino: "Selu", ..Names::NONE },
        arguments: &[
            Argument::array("x"),
            Argument::number("alpha", 1.673_263_192_176_818_8),
            Argument::number("gamma", 1.050_701_022_148_132_3),
        ],
        result: ResultType::Same,
        body: Body::Formula(|g, x| {
            formula(g, x, |[x, alpha, gamma]| {
                let zero = x.number(0.0);
                gamma * x.greater(zero).select(x, alpha * expm1_below_zero(x, x.number(1.0)))
            })
        }),
        laws: &[],
        accuracy: "that of its formula",
        gradient: None,
        examples: &[
            "f32: 1 -> 1.050701",
            "f32: -1 -> -1.1113307",
            "f32: -1, 2, 3 -> -3.7927232",
            "f32: 0 -> 0",
        ],
    };
}

/// `max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0)`.
pub(super) struct Celu;

impl Define for Celu {
    const RECORD: Record = Record {
        name: "celu",
        summary: "The number if it is positive, and alpha * (exp(x / alpha) - 1) otherwise.",
        names: Names { onnx: "Celu", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::number("alpha", 1.0)],
        result: ResultType::Same,
        body: Body::Formula(|g, x| {
            formula(g, x, |[x, alpha]| {
                let zero = x.number(0.0);
                x.greater(zero).select(x, alpha * expm1_below_zero(x, alpha))
            })
        }),
        laws: &[],
        accuracy: "that of its formula",
        gradient: None,
        examples: &[
            "f32: -1, 2 -> -0.7869387",
            "f32: 100 -> 100",
            "f32: -inf -> -1",
            "f32: -1 -> -0.63212055",
        ],
    };
}

/// `x - bias`, `x + bias` or `0`.
pub(super) struct Shrink;

impl Define for Shrink {
    const RECORD: Record = Record {
        name: "shrink",
        summary: "Nearer to 0 by the bias; 0 between -lambd and lambd.",
        names: Names { onnx: "Shrink", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::number("bias", 0.0), Argument::number("lambd", 0.5)],
        result: ResultType::Same,
        body: Body::Formula(|g, x| {
            formula(g, x, |[x, bias, lambd]| {
                // Of a negative lambd both may be so; ONNX asks in this order.
                let inner = x.greater(lambd).select(x - bias, x.number(0.0));
                x.less(-lambd).select(x + bias, inner)
            })
        }),
        laws: &[],
        accuracy: "rounded once",
        gradient: None,
        examples: &[
            "f32: 2, 0.5, 1 -> 1.5",
            "f32: -2, 0.5, 1 -> -1.5",
            "f32: 1, 0.5, 1 -> 0",
            "f32: 0.25, 0.5, -1 -> 0.75",
            "f32: 0.75 -> 0.75",
        ],
    };
}
