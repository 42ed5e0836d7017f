//! Layers that bring what lies along axes to a common measure: Softmax, LogSoftmax, MVN, NormalizeL2.

use super::{Builder, Call, Layer};
use crate::array::Keep;
use crate::dialect::normal;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::steps::{axes_of, axis_of};
use crate::op::Op;
use crate::reduction::Reduction;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Softmax",
        since: 1,
        build: |builder, call| {
            let (x, axis) = along(builder, call)?;
            if call.attributes.integer("axis")?.is_some_and(|axis| axis < 0) {
                return Err(Error::value("its axis may be negative since opset8".to_owned()));
            }
            Ok(vec![normal::softmax(builder.graph, x, &[axis])?])
        },
    },
    Layer {
        name: "Softmax",
        since: 8,
        build: |builder, call| {
            let (x, axis) = along(builder, call)?;
            Ok(vec![normal::softmax(builder.graph, x, &[axis])?])
        },
    },
    Layer {
        name: "LogSoftmax",
        since: 5,
        build: |builder, call| {
            let (x, axis) = along(builder, call)?;
            Ok(vec![normal::log_softmax(builder.graph, x, &[axis])?])
        },
    },
    Layer {
        name: "MVN",
        since: 1,
        build: |builder, call| {
            call.takes(1, 1)?;
            let x = call.input(0)?;
            let rank = builder.rank(x)?;
            let axes = match call.attributes.integers("reduction_axes")? {
                Some(axes) => axes_of(&axes, rank)?,
                // Over all behind the channels, or with them.
                None if call.attributes.is_set("across_channels")? == Some(true) => (1..rank).collect(),
                None => (2..rank).collect(),
            };
            Ok(vec![mvn(builder, call, x, &axes)?])
        },
    },
    Layer {
        name: "MVN",
        since: 6,
        build: |builder, call| {
            call.takes(2, 2)?;
            let x = call.input(0)?;
            let axes = builder.known(call.input(1)?, "axes")?;
            let axes = axes_of(&axes, builder.rank(x)?)?;
            Ok(vec![mvn(builder, call, x, &axes)?])
        },
    },
    Layer {
        name: "NormalizeL2",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let x = call.input(0)?;
            let axes = builder.known(call.input(1)?, "axes")?;
            let axes = axes_of(&axes, builder.rank(x)?)?;
            let eps = call
                .attributes
                .number("eps")?
                .ok_or_else(|| Error::value("the attribute eps is missing".to_owned()))?;
            let with = call
                .attributes
                .word("eps_mode", &[("add", Op::Add), ("max", Op::Maximum)])?
                .unwrap_or(Op::Add);
            let squares = builder.op(Op::Multiply, &[x, x])?;
            let sum = builder.graph.fold(Reduction::Sum, squares, &axes, Keep::Axes)?;
            let sum = builder.graph.with_number(with, sum, eps)?;
            let norm = builder.op(Op::Sqrt, &[sum])?;
            Ok(vec![builder.op(Op::Divide, &[x, norm])?])
        },
    },
];

/// The input and the attribute `axis`, which is 1 if it is left out.
fn along(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<(Id, usize), Error> {
    call.takes(1, 1)?;
    let x = call.input(0)?;
    let axis = axis_of(call.attributes.integer("axis")?.unwrap_or(1), builder.rank(x)?)?;
    Ok((x, axis))
}

/// Less the mean, and by the deviation: `eps` is added to its square, or to itself.
fn mvn(builder: &mut Builder<'_>, call: &Call<'_>, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let (centred, _) = normal::centred(builder.graph, x, axes)?;
    if call.attributes.is_set("normalize_variance")? == Some(false) {
        return Ok(centred);
    }
    let eps = call.attributes.number("eps")?.unwrap_or(1e-9);
    let variance = normal::mean_square(builder.graph, centred, axes)?;
    let inside =
        call.attributes.word("eps_mode", &[("inside_sqrt", Eps::Inside), ("outside_sqrt", Eps::Outside)])?;
    let deviation = match inside.unwrap_or(Eps::Inside) {
        Eps::Inside => {
            let variance = builder.graph.with_number(Op::Add, variance, eps)?;
            builder.op(Op::Sqrt, &[variance])?
        }
        Eps::Outside => {
            let deviation = builder.op(Op::Sqrt, &[variance])?;
            builder.graph.with_number(Op::Add, deviation, eps)?
        }
    };
    builder.op(Op::Divide, &[centred, deviation])
}

/// Where eps is added: the attribute `eps_mode`.
#[derive(Clone, Copy, Debug)]
enum Eps {
    Inside,
    Outside,
}
