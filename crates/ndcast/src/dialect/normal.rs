//! Means, and values brought to a common measure along axes, as all dialects have them: the steps of softmax and of
//! everything that has "normalisation" in its name.

use ndcast_shape::Extent;

use super::around::Around;
use crate::array::Keep;
use crate::convert::Overflow;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::{Convert, ReshapeTo};
use crate::graph::{Graph, Id};
use crate::op::Op;
use crate::reduction::Reduction;

/// The mean along axes; of integers as C++ divides them.
pub(super) fn mean(graph: &mut Graph, x: Id, axes: &[usize], keep: Keep) -> Result<Id, Error> {
    let (x, own) = widened(graph, x)?;
    let sum = graph.fold(Reduction::Sum, x, axes, keep)?;
    let within = graph.node(x)?.dtype();
    let count = graph.count_along(x, axes, within)?;
    let divide = if within.class() == Class::Float { Op::Divide } else { Op::DivideTowardZero };
    let mean = graph.op(divide, &[sum, count])?;
    converted(graph, mean, own)
}

/// The type that is computed with between the first step and the last: halves hold too few numbers for counts, squares
/// and sums, so all systems have f32 there.
pub(super) fn within(dtype: DType) -> DType {
    if matches!(dtype, DType::F16 | DType::Bf16) { DType::F32 } else { dtype }
}

/// Elements of the type to compute with, and that which the result has in the end.
pub(super) fn widened(graph: &mut Graph, x: Id) -> Result<(Id, DType), Error> {
    let own = graph.node(x)?.dtype();
    Ok((converted(graph, x, within(own))?, own))
}

/// As elements of a type, if they are others.
pub(super) fn converted(graph: &mut Graph, x: Id, to: DType) -> Result<Id, Error> {
    if graph.node(x)?.dtype() == to {
        return Ok(x);
    }
    graph.add(Convert { to, overflow: Overflow::Numpy }, &[x])
}

/// What is left of each number without the mean along axes, and that mean.
pub(super) fn centred(graph: &mut Graph, x: Id, axes: &[usize]) -> Result<(Id, Id), Error> {
    let mean = mean(graph, x, axes, Keep::Axes)?;
    Ok((graph.op(Op::Subtract, &[x, mean])?, mean))
}

/// The mean of the squares along axes: of what is centred the variance.
pub(super) fn mean_square(graph: &mut Graph, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let square = graph.apply(Op::Square, &[x])?;
    mean(graph, square, axes, Keep::Axes)
}

/// Standardised along axes; also the mean and the inverse standard deviation.
pub(super) fn standard(graph: &mut Graph, x: Id, axes: &[usize], epsilon: f64) -> Result<[Id; 3], Error> {
    let (x, own) = widened(graph, x)?;
    let (centred, mean) = centred(graph, x, axes)?;
    let (result, inverse) = unit(graph, centred, axes, epsilon)?;
    let [result, mean, inverse] = [result, mean, inverse].map(|id| converted(graph, id, own));
    Ok([result?, mean?, inverse?])
}

/// Divided by the root mean square along axes; also the inverse of that.
pub(super) fn unit(graph: &mut Graph, x: Id, axes: &[usize], epsilon: f64) -> Result<(Id, Id), Error> {
    let (x, own) = widened(graph, x)?;
    let variance = mean_square(graph, x, axes)?;
    let deviation = deviation(graph, variance, epsilon)?;
    let inverse = graph.apply(Op::Reciprocal, &[deviation])?;
    let result = graph.op(Op::Divide, &[x, deviation])?;
    Ok((converted(graph, result, own)?, converted(graph, inverse, own)?))
}

/// The root of a variance and a small number.
pub(super) fn deviation(graph: &mut Graph, variance: Id, epsilon: f64) -> Result<Id, Error> {
    let variance = graph.with_number(Op::Add, variance, epsilon)?;
    graph.apply(Op::Sqrt, &[variance])
}

/// One number a channel, laid on the second axis of an array.
pub(super) fn by_channel(graph: &mut Graph, of: Id, x: Id) -> Result<Id, Error> {
    let (dims, own) = (graph.known_dims(x)?, graph.known_dims(of)?);
    let rank = dims.len();
    if rank < 2 || own.len() != 1 || own[0].meet(&dims[1]).is_none() {
        let [shape, own] = [x, of].map(|id| graph.at(id).shape().to_string());
        return Err(Error::value(format!(
            "it takes one number a channel, which are along axis 1 of {shape}, and these are {own}"
        )));
    }
    graph.along(of, 1, rank)
}

/// Reshaped to batch × groups × (a group's channels and places).
pub(super) fn in_groups(graph: &mut Graph, x: Id, groups: i64) -> Result<Id, Error> {
    let dims = graph.known_dims(x)?;
    let rank = dims.len();
    if rank < 2 || groups < 1 {
        return Err(Error::value(format!(
            "{groups} groups of channels, which are along axis 1, and the rank is {rank}"
        )));
    }
    if let Some(channels) = dims[1].known()
        && i64::try_from(channels).is_ok_and(|channels| channels % groups != 0)
    {
        return Err(Error::value(format!("{channels} channels are no {groups} groups")));
    }
    let places: Vec<usize> = (2..rank).collect();
    let batch = graph.count_along(x, &[0], DType::I64)?;
    let channels = graph.count_along(x, &[1], DType::I64)?;
    let places = graph.count_along(x, &places, DType::I64)?;
    let groups = graph.number(groups, DType::I64)?;
    // Channels that do not make up the groups turn out to be too many.
    let together = graph.apply(Op::FloorDivide, &[channels, groups])?;
    let each = graph.apply(Op::Multiply, &[together, places])?;
    let to = graph.listed(&[batch, groups, each])?;
    graph.add(ReshapeTo, &[x, to])
}

/// So many places before and behind each one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearby {
    pub(super) before: i64,
    pub(super) behind: i64,
}

/// No more places than this are near one, because each is a node.
const MOST_NEARBY: i64 = 4096;

/// The sum over the places near each one along an axis; there is nothing beyond the ends.
pub(super) fn sum_nearby(graph: &mut Graph, x: Id, axis: usize, nearby: Nearby) -> Result<Id, Error> {
    let extent = graph.known_dims(x)?[axis].known().and_then(|extent| i64::try_from(extent).ok());
    let [before, behind] = [nearby.before, nearby.behind].map(|n| n.min(extent.unwrap_or(n)).max(0));
    let all = before.saturating_add(behind);
    if all > MOST_NEARBY {
        return Err(Error::value(format!("a sum over {all} neighbours is too long for here")));
    }
    let zero = graph.number(0, graph.node(x)?.dtype())?;
    let around = Around { axis, before, behind }.filled(graph, x, zero)?;
    let mut sum = None;
    for start in 0..=all {
        let end = start - all;
        let part = graph.part(around, axis, Some(start), (end < 0).then_some(end))?;
        sum = Some(match sum {
            None => part,
            Some(sum) => graph.op(Op::Add, &[sum, part])?,
        });
    }
    sum.ok_or_else(|| Error::value("there is nothing to be summed".to_owned()))
}

/// What is left of each number without the greatest along axes: none is positive, so no power is too great.
fn below_greatest(graph: &mut Graph, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let greatest = graph.fold(Reduction::Max, x, axes, Keep::Axes)?;
    graph.op(Op::Subtract, &[x, greatest])
}

/// Powers of e by their sum along axes.
pub(super) fn softmax(graph: &mut Graph, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let (x, own) = widened(graph, x)?;
    let below = below_greatest(graph, x, axes)?;
    let powers = graph.apply(Op::Exp, &[below])?;
    let sum = graph.fold(Reduction::Sum, powers, axes, Keep::Axes)?;
    let result = graph.op(Op::Divide, &[powers, sum])?;
    converted(graph, result, own)
}

/// The logarithm of [`softmax`].
pub(super) fn log_softmax(graph: &mut Graph, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let (x, own) = widened(graph, x)?;
    let below = below_greatest(graph, x, axes)?;
    let powers = graph.apply(Op::Exp, &[below])?;
    let sum = graph.fold(Reduction::Sum, powers, axes, Keep::Axes)?;
    let log = graph.apply(Op::Log, &[sum])?;
    let result = graph.op(Op::Subtract, &[below, log])?;
    converted(graph, result, own)
}
