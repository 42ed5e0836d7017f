//! Where elements are true: places of which nobody knows the number before a graph runs.
//!
//! Each true element puts its place where its number among them says, into an array that is one longer; all others put
//! theirs into its last element, which is taken away.

use crate::array::Keep;
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Accumulate, Concatenate, Convert, Direction, ReshapeTo, Scatter, Start};
use crate::graph::{Graph, Id};
use crate::op::Op;
use crate::reduction::Reduction;

/// The same elements along one axis.
pub(super) fn flat(graph: &mut Graph, x: Id) -> Result<Id, Error> {
    let to = graph.integers(&[-1])?;
    graph.add(ReshapeTo, &[x, to])
}

/// The places of the elements that are not 0 along the only axis, in order.
pub(super) fn places(graph: &mut Graph, x: Id) -> Result<Id, Error> {
    let zero = graph.full_like(false, x)?;
    let counts = graph.apply(Op::NotEqual, &[x, zero])?;
    let ones = graph.add(Convert { to: DType::I64, overflow: Overflow::Numpy }, &[counts])?;
    let all = graph.fold(Reduction::Sum, ones, &[0], Keep::Axes)?;
    let running = Accumulate {
        reduction: Reduction::Sum,
        axis: 0,
        direction: Direction::Forward,
        start: Start::Before,
    };
    let number = graph.add(running, &[ones])?;
    let number = graph.op(Op::Where, &[counts, number, all])?;
    let (one, zero) = (graph.integers(&[1])?, graph.number(0, DType::I64)?);
    let room = graph.apply(Op::Add, &[all, one])?;
    let into = graph.over(zero, room)?;
    let places = graph.places_along(x, 0)?;
    let made = graph.add(Scatter { axis: 0, with: None }, &[into, number, places])?;
    graph.part(made, 0, None, Some(-1))
}

/// The places of the elements that are not 0, a column each, with a row for each axis.
pub(super) fn coordinates(graph: &mut Graph, x: Id) -> Result<Id, Error> {
    let rank = graph.known_rank(x)?;
    let along = flat(graph, x)?;
    let mut place = places(graph, along)?;
    let mut rows = Vec::with_capacity(rank);
    for axis in (0..rank).rev() {
        let extent = graph.count_along(x, &[axis], DType::I64)?;
        let row = graph.op(Op::Remainder, &[place, extent])?;
        rows.push(graph.with_axes(row, &[0])?);
        place = graph.op(Op::FloorDivide, &[place, extent])?;
    }
    rows.reverse();
    match rows.is_empty() {
        true => graph.with_axes(place, &[0]),
        false => graph.add(Concatenate { axis: 0 }, &rows),
    }
}
