//! Which operations are OpenVINO layers, and formulas of layers for the others.

use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::formula;
use crate::graph::{Graph, Node};
use crate::op::Op;

/// A layer that an operation is: its type, and attributes that say which.
pub(super) type Named = (&'static str, Vec<(&'static str, String)>);

/// The layer that an operation on elements of a type is, if it is one.
pub(super) fn named(op: Op, dtype: DType) -> Option<Named> {
    // OpenVINO's logic is of truth values alone, and order is of numbers.
    let logical = matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor | Op::LogicalNot);
    let ordered = matches!(op, Op::Maximum | Op::Minimum);
    if (logical && dtype != DType::Bool) || (ordered && dtype == DType::Bool) {
        return None;
    }
    // Only floats are asked whether they are numbers, and what has no sign is not negated.
    let asked = matches!(op, Op::Isnan | Op::Isinf | Op::Isfinite | Op::IsPosInf | Op::IsNegInf);
    let negated = op == Op::Negative && dtype.class() == Class::Unsigned;
    if (asked && dtype.is_integer()) || negated {
        return None;
    }
    let (name, conditions) = op.entry(|names| names.openvino, dtype)?;
    let pair = |one: &'static str| one.split_once('=').map(|(name, value)| (name, value.to_owned()));
    Some((name, conditions.into_iter().filter_map(pair).collect()))
}

/// The values of an operation's parameters (arguments with a default), if all are constants.
pub(super) fn numbers(graph: &Graph, op: Op, node: &Node) -> Option<Vec<f64>> {
    let arguments = op.record().arguments.iter().zip(node.arguments());
    arguments
        .filter(|(argument, _)| argument.default.is_some())
        .map(|(_, &id)| formula::number(graph, id))
        .collect()
}

/// The same graph, with formulas for what is no layer.
pub(super) fn expanded(graph: &Graph) -> Result<Graph, Error> {
    formula::expanded(graph, |graph, node, op, dtype| {
        // OpenVINO has no complex numbers, so what is of them stays, and is named.
        let complex = dtype.class() == Class::Complex;
        // A slope that is laid when the model runs gives wrong values: OpenVINO 2026.4 takes it for one of a shape that is known.
        let unknown = op == Op::Prelu && node.shape().extents().is_none();
        complex || (!unknown && named(op, dtype).is_some() && numbers(graph, op, node).is_some())
    })
}
