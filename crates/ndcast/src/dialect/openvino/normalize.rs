//! Layers that bring what lies along axes to a common measure: Softmax, LogSoftmax, MVN, NormalizeL2.

use super::steps::{axes_of, axis_of};
use super::{Builder, Call, Layer};
use crate::array::Keep;
use crate::error::Error;
use crate::graph::Id;
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
            Ok(vec![builder.softmax(x, axis)?])
        },
    },
    Layer {
        name: "Softmax",
        since: 8,
        build: |builder, call| {
            let (x, axis) = along(builder, call)?;
            Ok(vec![builder.softmax(x, axis)?])
        },
    },
    Layer {
        name: "LogSoftmax",
        since: 5,
        build: |builder, call| {
            let (x, axis) = along(builder, call)?;
            let centred = builder.below_greatest(x, axis)?;
            let powers = builder.op(Op::Exp, &[centred])?;
            let sum = builder.fold(Reduction::Sum, powers, &[axis], Keep::Axes)?;
            let log = builder.op(Op::Log, &[sum])?;
            Ok(vec![builder.op(Op::Subtract, &[centred, log])?])
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
            let sum = builder.fold(Reduction::Sum, squares, &axes, Keep::Axes)?;
            let sum = builder.with_number(with, sum, eps)?;
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

impl Builder<'_> {
    /// What is left of each number without the greatest along an axis: none is positive, so no power is too great.
    fn below_greatest(&mut self, x: Id, axis: usize) -> Result<Id, Error> {
        let greatest = self.fold(Reduction::Max, x, &[axis], Keep::Axes)?;
        self.op(Op::Subtract, &[x, greatest])
    }

    fn softmax(&mut self, x: Id, axis: usize) -> Result<Id, Error> {
        let centred = self.below_greatest(x, axis)?;
        let powers = self.op(Op::Exp, &[centred])?;
        let sum = self.fold(Reduction::Sum, powers, &[axis], Keep::Axes)?;
        self.op(Op::Divide, &[powers, sum])
    }
}

/// Less the mean, and by the deviation: `eps` is added to its square, or to itself.
fn mvn(builder: &mut Builder<'_>, call: &Call<'_>, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let mean = builder.mean(x, axes, Keep::Axes)?;
    let centred = builder.op(Op::Subtract, &[x, mean])?;
    if call.attributes.is_set("normalize_variance")? == Some(false) {
        return Ok(centred);
    }
    let eps = call.attributes.number("eps")?.unwrap_or(1e-9);
    let squares = builder.op(Op::Multiply, &[centred, centred])?;
    let variance = builder.mean(squares, axes, Keep::Axes)?;
    let inside =
        call.attributes.word("eps_mode", &[("inside_sqrt", Eps::Inside), ("outside_sqrt", Eps::Outside)])?;
    let deviation = match inside.unwrap_or(Eps::Inside) {
        Eps::Inside => {
            let variance = builder.with_number(Op::Add, variance, eps)?;
            builder.op(Op::Sqrt, &[variance])?
        }
        Eps::Outside => {
            let deviation = builder.op(Op::Sqrt, &[variance])?;
            builder.with_number(Op::Add, deviation, eps)?
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
