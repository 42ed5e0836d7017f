//! Layers that bring what lies along axes to a common measure: Softmax, LogSoftmax, MVN, NormalizeL2, and those by channels.

use super::{Builder, Call, Layer};
use crate::array::Keep;
use crate::dialect::normal::{self, Nearby};
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::ReshapeTo;
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
            let (x, own) = normal::widened(builder.graph, x)?;
            let squares = builder.op(Op::Multiply, &[x, x])?;
            let sum = builder.graph.fold(Reduction::Sum, squares, &axes, Keep::Axes)?;
            let sum = builder.graph.with_number(with, sum, eps)?;
            let norm = builder.op(Op::Sqrt, &[sum])?;
            let result = builder.op(Op::Divide, &[x, norm])?;
            Ok(vec![builder.convert(result, own)?])
        },
    },
    Layer {
        name: "GRN",
        since: 1,
        build: |builder, call| {
            call.takes(1, 1)?;
            let x = call.input(0)?;
            let channels = axis_of(1, builder.rank(x)?)?;
            let bias = needed(call, "bias")?;
            let (x, own) = normal::widened(builder.graph, x)?;
            let squares = builder.op(Op::Multiply, &[x, x])?;
            let sum = builder.graph.fold(Reduction::Sum, squares, &[channels], Keep::Axes)?;
            let norm = normal::deviation(builder.graph, sum, bias)?;
            let result = builder.op(Op::Divide, &[x, norm])?;
            Ok(vec![builder.convert(result, own)?])
        },
    },
    Layer {
        name: "LRN",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            Ok(vec![local_response(builder, call)?])
        },
    },
    Layer {
        name: "BatchNormInference",
        since: 1,
        build: |builder, call| {
            call.takes(5, 5)?;
            Ok(vec![batch(builder, call, [2, 0, 1, 3, 4])?])
        },
    },
    Layer {
        name: "BatchNormInference",
        since: 5,
        build: |builder, call| {
            call.takes(5, 5)?;
            Ok(vec![batch(builder, call, [0, 1, 2, 3, 4])?])
        },
    },
    Layer {
        name: "GroupNormalization",
        since: 12,
        build: |builder, call| {
            call.takes(3, 3)?;
            let (x, groups) = (call.input(0)?, call.attributes.needed_integer("num_groups")?);
            let epsilon = needed(call, "epsilon")?;
            let grouped = normal::in_groups(builder.graph, x, groups)?;
            let [standard, ..] = normal::standard(builder.graph, grouped, &[2], epsilon)?;
            let shape = builder.graph.shape_of(x)?;
            let standard = builder.graph.add(ReshapeTo, &[standard, shape])?;
            let [scale, bias] = [call.input(1)?, call.input(2)?];
            Ok(vec![scaled(builder, standard, scale, bias)?])
        },
    },
];

/// A number that must be there.
fn needed(call: &Call<'_>, name: &str) -> Result<f64, Error> {
    let number = call.attributes.number(name)?;
    number.ok_or_else(|| Error::value(format!("the attribute {name} is missing")))
}

/// By a factor, and then with an addend, both one a channel.
fn scaled(builder: &mut Builder<'_>, x: Id, scale: Id, bias: Id) -> Result<Id, Error> {
    let scale = normal::by_channel(builder.graph, scale, x)?;
    let bias = normal::by_channel(builder.graph, bias, x)?;
    let scaled = builder.op(Op::Multiply, &[x, scale])?;
    builder.op(Op::Add, &[scaled, bias])
}

/// By means and variances that are given, one a channel. The inputs stand at these places: the data, gamma, beta, the mean
/// and the variance.
fn batch(builder: &mut Builder<'_>, call: &Call<'_>, places: [usize; 5]) -> Result<Id, Error> {
    let mut given = [call.input(0)?; 5];
    for (given, place) in given.iter_mut().zip(places) {
        *given = call.input(place)?;
    }
    let [x, gamma, beta, mean, variance] = given;
    let mean = normal::by_channel(builder.graph, mean, x)?;
    let variance = normal::by_channel(builder.graph, variance, x)?;
    let deviation = normal::deviation(builder.graph, variance, needed(call, "epsilon")?)?;
    let centred = builder.op(Op::Subtract, &[x, mean])?;
    let standard = builder.op(Op::Divide, &[centred, deviation])?;
    scaled(builder, standard, gamma, beta)
}

/// By the squares of what is near along axes, as many as `size` in all, of which half are before.
fn local_response(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    let x = call.input(0)?;
    let axes = builder.known(call.input(1)?, "axes")?;
    let axes = axes_of(&axes, builder.rank(x)?)?;
    let size = call.attributes.needed_integer("size")?;
    if size < 1 {
        return Err(Error::value(format!("its size is {size}")));
    }
    let half = (size - 1) / 2;
    let (x, own) = normal::widened(builder.graph, x)?;
    let mut sum = builder.op(Op::Multiply, &[x, x])?;
    let mut each = needed(call, "alpha")?;
    for &axis in &axes {
        sum = normal::sum_nearby(builder.graph, sum, axis, Nearby { before: half, behind: half })?;
        each /= size as f64;
    }
    let sum = builder.graph.with_number(Op::Multiply, sum, each)?;
    let sum = builder.graph.with_number(Op::Add, sum, needed(call, "bias")?)?;
    let measure = builder.graph.with_number(Op::Pow, sum, needed(call, "beta")?)?;
    let result = builder.op(Op::Divide, &[x, measure])?;
    builder.convert(result, own)
}

/// The input and the attribute `axis`, which is 1 if it is left out.
fn along(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<(Id, usize), Error> {
    call.takes(1, 1)?;
    let x = call.input(0)?;
    let axis = axis_of(call.attributes.integer("axis")?.unwrap_or(1), builder.rank(x)?)?;
    Ok((x, axis))
}

/// Less the mean, and by the deviation: `eps` is added to its square, or to itself.
fn mvn(builder: &mut Builder<'_>, call: &Call<'_>, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let (x, own) = normal::widened(builder.graph, x)?;
    let (centred, _) = normal::centred(builder.graph, x, axes)?;
    if call.attributes.is_set("normalize_variance")? == Some(false) {
        return builder.convert(centred, own);
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
    let result = builder.op(Op::Divide, &[centred, deviation])?;
    builder.convert(result, own)
}

/// Where eps is added: the attribute `eps_mode`.
#[derive(Clone, Copy, Debug)]
enum Eps {
    Inside,
    Outside,
}
