//! Means, and values brought to a common measure along axes, as all dialects have them: the steps of softmax and of
//! everything that has "normalisation" in its name.

use crate::array::Keep;
use crate::convert::Overflow;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::Convert;
use crate::graph::{Graph, Id};
use crate::op::Op;
use crate::reduction::Reduction;

/// The mean along axes; of integers as C++ divides them.
pub(super) fn mean(graph: &mut Graph, x: Id, axes: &[usize], keep: Keep) -> Result<Id, Error> {
    let dtype = graph.node(x)?.dtype();
    let sum = graph.fold(Reduction::Sum, x, axes, keep)?;
    if dtype.class() != Class::Float {
        let count = graph.count_along(x, axes, dtype)?;
        return graph.op(Op::DivideTowardZero, &[sum, count]);
    }
    // So many as f16 does not count are counted in f32.
    let within = if matches!(dtype, DType::F16 | DType::Bf16) { DType::F32 } else { dtype };
    let count = graph.count_along(x, axes, within)?;
    let sum = converted(graph, sum, within)?;
    let mean = graph.op(Op::Divide, &[sum, count])?;
    converted(graph, mean, dtype)
}

fn converted(graph: &mut Graph, x: Id, to: DType) -> Result<Id, Error> {
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

/// What is left of each number without the greatest along axes: none is positive, so no power is too great.
fn below_greatest(graph: &mut Graph, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let greatest = graph.fold(Reduction::Max, x, axes, Keep::Axes)?;
    graph.op(Op::Subtract, &[x, greatest])
}

/// Powers of e by their sum along axes.
pub(super) fn softmax(graph: &mut Graph, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let below = below_greatest(graph, x, axes)?;
    let powers = graph.apply(Op::Exp, &[below])?;
    let sum = graph.fold(Reduction::Sum, powers, axes, Keep::Axes)?;
    graph.op(Op::Divide, &[powers, sum])
}

/// The logarithm of [`softmax`].
pub(super) fn log_softmax(graph: &mut Graph, x: Id, axes: &[usize]) -> Result<Id, Error> {
    let below = below_greatest(graph, x, axes)?;
    let powers = graph.apply(Op::Exp, &[below])?;
    let sum = graph.fold(Reduction::Sum, powers, axes, Keep::Axes)?;
    let log = graph.apply(Op::Log, &[sum])?;
    graph.op(Op::Subtract, &[below, log])
}
