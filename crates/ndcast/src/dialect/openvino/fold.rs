//! Folds along axes. What a type of fold is, the records of reductions say; the rows here are what is made of them.

use super::{Builder, Call, Layer};
use crate::array::Keep;
use crate::dialect::normal;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Accumulate, Direction, Start};
use crate::graph::steps::{axes_of, axis_of};
use crate::op::Op;
use crate::reduction::Reduction;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "ReduceMean",
        since: 1,
        build: |builder, call| {
            let (x, axes, keep) = arguments(builder, call)?;
            Ok(vec![normal::mean(builder.graph, x, &axes, keep)?])
        },
    },
    Layer {
        name: "ReduceL1",
        since: 4,
        build: |builder, call| {
            let (x, axes, keep) = arguments(builder, call)?;
            let x = builder.op(Op::Abs, &[x])?;
            Ok(vec![builder.graph.fold(Reduction::Sum, x, &axes, keep)?])
        },
    },
    Layer {
        name: "ReduceL2",
        since: 4,
        build: |builder, call| {
            let (x, axes, keep) = arguments(builder, call)?;
            let (x, own) = normal::widened(builder.graph, x)?;
            let x = builder.op(Op::Multiply, &[x, x])?;
            let sum = builder.graph.fold(Reduction::Sum, x, &axes, keep)?;
            // The root of a whole number is cut off to one.
            let sum = if own.class() == Class::Float { sum } else { builder.convert(sum, DType::F64)? };
            let root = builder.op(Op::Sqrt, &[sum])?;
            Ok(vec![builder.convert(root, own)?])
        },
    },
    Layer {
        name: "CumSum",
        since: 3,
        build: |builder, call| {
            call.takes(1, 2)?;
            let x = call.input(0)?;
            let axis = call.optional(1).map_or(Ok(0), |axis| builder.known_one(axis, "axis"))?;
            let axis = axis_of(axis, builder.rank(x)?)?;
            let set = |name| call.attributes.is_set(name).map(|set| set == Some(true));
            let start = if set("exclusive")? { Start::Before } else { Start::With };
            let direction = if set("reverse")? { Direction::Backward } else { Direction::Forward };
            let sum = Accumulate { reduction: Reduction::Sum, axis, direction, start };
            Ok(vec![builder.graph.add(sum, &[x])?])
        },
    },
];

/// Every fold's type of layer.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    Reduction::ALL.into_iter().map(|reduction| reduction.record().names.openvino)
}

/// The fold that OpenVINO calls so.
pub(super) fn named(layer_type: &str) -> Option<(&'static str, Reduction)> {
    let named = |reduction: Reduction| (reduction.record().names.openvino, reduction);
    Reduction::ALL.into_iter().map(named).find(|(name, _)| *name == layer_type)
}

/// What is folded, along which axes, and whether they stay: "keep_dims", false if it is left out.
fn arguments(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<(Id, Vec<usize>, Keep), Error> {
    call.takes(2, 2)?;
    let x = call.input(0)?;
    let axes = builder.known(call.input(1)?, "axes")?;
    let axes = axes_of(&axes, builder.rank(x)?)?;
    let keep = if call.attributes.is_set("keep_dims")? == Some(true) { Keep::Axes } else { Keep::Nothing };
    Ok((x, axes, keep))
}

pub(super) fn build(builder: &mut Builder<'_>, reduction: Reduction, call: &Call<'_>) -> Result<Id, Error> {
    let (x, axes, keep) = arguments(builder, call)?;
    builder.graph.fold(reduction, x, &axes, keep)
}
