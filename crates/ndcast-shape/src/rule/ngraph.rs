//! Intel nGraph: Broadcast, DynBroadcast and BroadcastLike, to the letter of the page of op::Broadcast.
//!
//! "The shape of arg must match shape with elements in broadcast_axes removed": no extent stretches. The axes
//! that a numpy or PDPD specification implies are those that the plan of `openvino.eltwise.*` repeats:
//! [`Plan::broadcast_axes`].

use super::call::{Call, Report};
use super::{Answer, Request};
use super::{Count, Dialect, Need, PLAIN, Rule, listed, unranked};
use crate::align::Alignment;
use crate::error::{Error, Kind, Ranks};
use crate::extent::{Dim, Extent};
use crate::plan::Plan;
use crate::shape::Shape;
use crate::unify::{Laid, Party, Stretch, unify};

/// `ngraph.broadcast`: see [`broadcast`].
pub static BROADCAST: Rule = Rule {
    name: "ngraph.broadcast",
    dialect: Dialect::NGraph,
    summary: "Broadcast(arg, shape, broadcast_axes): shape without these axes is that of arg",
    target: Need::Required,
    axes: Need::Optional,
    answer: |call| to_target(call).map(Into::into),
    unranked: |request| {
        check_axes_without_arg(request)?;
        unranked::target(request)
    },
    ..PLAIN
};

/// `ngraph.dyn-broadcast`: see [`dyn_broadcast`].
pub static DYN_BROADCAST: Rule = Rule {
    name: "ngraph.dyn-broadcast",
    dialect: Dialect::NGraph,
    summary: "DynBroadcast: as Broadcast, but shape and axes may be known only at run time",
    target: Need::Optional,
    axes: Need::Optional,
    answer: dynamic,
    unranked: unranked::target,
    ..PLAIN
};

/// `ngraph.broadcast-like`: see [`broadcast_like`].
pub static BROADCAST_LIKE: Rule = Rule {
    name: "ngraph.broadcast-like",
    dialect: Dialect::NGraph,
    summary: "BroadcastLike(arg, like, initial_axes): arg to the shape of like",
    operands: Count::Exactly(2),
    axes: Need::Optional,
    answer: |call| like(call).map(Into::into),
    unranked: |request| Ok(request.shapes[1].clone()),
    ..PLAIN
};

/// `Broadcast(arg, shape, broadcast_axes)`: `output[C] = arg[p(C)]`, where `p` removes the broadcast axes.
///
/// `broadcast_axes` is a set: order and repeats do not matter.
///
/// ```
/// use ndcast_shape::rule::ngraph;
/// assert_eq!(ngraph::broadcast(&[3], &[2, 3], &[0])?.broadcast_axes(0), [0]);
/// // No stretching of 1: that axis must be a broadcast axis, and then arg must not have it.
/// assert!(ngraph::broadcast(&[1, 3], &[2, 3], &[]).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// In this order: `axis-negative`, `axis-out-of-range`; `rank-mismatch`; `extent-mismatch`.
pub fn broadcast<E: Extent>(arg: &[E], shape: &[E], broadcast_axes: &[i64]) -> Result<Plan<E>, Error> {
    to_target(&Call { target: Some(shape), axes: Some(broadcast_axes), ..Call::new(&BROADCAST, &[arg]) })
}

fn to_target<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    lay(call, call.lay_target(call.target().len(), Stretch::Nothing))
}

/// Lays the first operand on the axes that are not broadcast.
fn lay<E: Extent>(call: &Call<'_, E>, shape: Laid<'_, E>) -> Result<Plan<E>, Error> {
    let rank = shape.extents.len();
    // "Broadcast axis index (3) exceeds specified output shape rank"
    let map = rest(&listed::positions(call, rank)?, rank);
    if map.len() != call.operands[0].len() {
        let ranks = vec![call.operands[0].len(), map.len()];
        return Err(call.error(Kind::RankMismatch { ranks, of: Ranks::OperandAndRest }));
    }
    // "Broadcast argument shape, specified output shape, and axes are incompatible"
    let extents = shape.extents;
    let arg = call.lay(0, listed::alignment(call, &map, rank)?, Stretch::Nothing);
    let plan = unify(rank, &[arg, shape]).map_err(|mismatch| call.mismatch(mismatch, Report::First))?;
    Ok(plan.with_shape(extents))
}

/// The axes of a shape that are not in a set: the coordinates that the page's `p(C)` keeps.
fn rest(set: &[usize], rank: usize) -> Vec<usize> {
    let mut broadcast = vec![false; rank];
    for &axis in set {
        broadcast[axis] = true;
    }
    (0..rank).filter(|&axis| !broadcast[axis]).collect()
}

/// The axes are checked even if the rank of `arg` is unknown.
fn check_axes_without_arg(request: &Request) -> Result<(), Error> {
    let Some(rank) = request.target.as_ref().and_then(Shape::rank) else { return Ok(()) };
    let call = Call::<Dim> { axes: request.axes.as_deref(), ..Call::new(&BROADCAST, &[]) };
    listed::positions(&call, rank).map(|_| ()).map_err(|error| request.error(error.kind().clone()))
}

/// `DynBroadcast(arg, shape, axes)`, where `shape` and `axes` are inputs: `None` is what is not known yet.
///
/// ```
/// use ndcast_shape::{Dim, rule::ngraph};
/// let arg = [Dim::Known(2)];
/// let shape = [Dim::Known(3), Dim::Known(2)];
/// assert_eq!(ngraph::dyn_broadcast(&arg, Some(&shape), Some(&[0]))?.shape().to_string(), "3x2");
/// assert_eq!(ngraph::dyn_broadcast(&arg, Some(&shape), None)?.shape().to_string(), "3x2");
/// assert_eq!(ngraph::dyn_broadcast(&arg, None, Some(&[0]))?.shape().rank(), None);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// Those of [`broadcast`], if everything is known.
pub fn dyn_broadcast(arg: &[Dim], shape: Option<&[Dim]>, axes: Option<&[i64]>) -> Result<Answer, Error> {
    dynamic(&Call { target: shape, axes, ..Call::new(&DYN_BROADCAST, &[arg]) })
}

fn dynamic(call: &Call<'_, Dim>) -> Result<Answer, Error> {
    match (call.target, call.axes) {
        (Some(_), Some(_)) => to_target(call).map(Into::into),
        (Some(shape), None) => Ok(Answer::of_shape(shape.into())),
        (None, _) => Ok(Answer::of_shape(Shape::UNRANKED)),
    }
}

/// `BroadcastLike(arg, like, initial_axes)`: to the shape of `like`.
///
/// Without initial axes they are found from the left: those where `arg` is 1 and `like` is longer, and those
/// beyond the rank of `arg`. The former never fit, because [`broadcast`] does not stretch.
///
/// ```
/// use ndcast_shape::rule::ngraph;
/// assert_eq!(ngraph::broadcast_like(&[3], &[3, 4], &[])?.broadcast_axes(0), [1]);
/// assert!(ngraph::broadcast_like(&[3], &[2, 3], &[]).is_err());
/// assert!(ngraph::broadcast_like(&[3], &[2, 3], &[0]).is_ok());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// Those of [`broadcast`].
pub fn broadcast_like<E: Extent>(
    arg: &[E],
    like_shape: &[E],
    initial_axes: &[i64],
) -> Result<Plan<E>, Error> {
    like(&Call { axes: Some(initial_axes), ..Call::new(&BROADCAST_LIKE, &[arg, like_shape]) })
}

fn like<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (arg, like) = (call.operands[0], call.operands[1]);
    let longer = |axis: usize| like[axis].known().is_some_and(|extent| extent > 1);
    let added = |&axis: &usize| arg.get(axis).is_none_or(|extent| extent.is_one() && longer(axis));
    let shape = Laid {
        party: Party::Operand(1),
        extents: like,
        alignment: Alignment::At(0),
        stretch: Stretch::Nothing,
    };
    if !call.axes().is_empty() {
        return lay(call, shape);
    }
    let axes: Vec<i64> = (0..like.len()).filter(added).filter_map(|axis| i64::try_from(axis).ok()).collect();
    let found = Call { axes: Some(&axes), ..Call::new(call.rule, call.operands) };
    lay(&found, shape).map_err(|error| call.error(error.kind().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_removes_the_broadcast_axes() {
        // "if broadcast_axes = {1,3} then p([d0,d1,d2,d3,d4]) = [d0,d2,d4]"
        assert_eq!(rest(&[1, 3], 5), [0, 2, 4]);
        assert_eq!(rest(&[3, 1, 3], 5), [0, 2, 4]);
    }
}
