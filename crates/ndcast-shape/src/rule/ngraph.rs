//! Intel nGraph: Broadcast, DynBroadcast and BroadcastLike, to the letter of the page of op::Broadcast.
//!
//! "The shape of arg must match shape with elements in broadcast_axes removed": no extent stretches. Where an
//! elementwise operation has an AutoBroadcastSpec, nGraph first drops the operand's extents of 1 that would
//! stretch, then makes a Broadcast: [`numpy_axes`] and [`pdpd_axes`] say along which axes.

use super::call::{Call, Report};
use super::xla::require_size;
use super::{Answer, Request};
use super::{Count, Dialect, Need, Rule, listed, openvino, plain, unranked};
use crate::align::Alignment;
use crate::error::{Error, Kind, Ranks};
use crate::extent::{Dim, Extent};
use crate::plan::Plan;
use crate::shape::Shape;
use crate::unify::{Laid, Party, Stretch};

/// `ngraph.broadcast`: see [`broadcast`].
pub static BROADCAST: Rule = Rule {
    name: "ngraph.broadcast",
    summary: "Broadcast(arg, shape, broadcast_axes): shape without these axes is that of arg",
    target: Need::Required,
    axes: Need::Optional,
    answer: |call| {
        // "shape: the shape of the output", a Shape, which holds numbers.
        require_size(call, Party::Target, call.target())?;
        to_target(call).map(Into::into)
    },
    unranked: |request| {
        let target = unranked::target(request)?;
        check_axes_without_arg(request, &target)?;
        Ok(target)
    },
    ..plain(Dialect::NGraph)
};

/// `ngraph.dyn-broadcast`: see [`dyn_broadcast`].
pub static DYN_BROADCAST: Rule = Rule {
    name: "ngraph.dyn-broadcast",
    summary: "DynBroadcast: as Broadcast, but shape and axes may be known only at run time",
    target: Need::Optional,
    axes: Need::Optional,
    answer: dynamic,
    unranked: unranked::target,
    ..plain(Dialect::NGraph)
};

/// `ngraph.broadcast-like`: see [`broadcast_like`].
pub static BROADCAST_LIKE: Rule = Rule {
    name: "ngraph.broadcast-like",
    summary: "BroadcastLike(arg, like, initial_axes): arg to the shape of like",
    operands: Count::Exactly(2),
    axes: Need::Optional,
    answer: |call| like(call).map(Into::into),
    unranked: |request| {
        check_axes_without_arg(request, &request.shapes[1])?;
        Ok(request.shapes[1].clone())
    },
    ..plain(Dialect::NGraph)
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
    let plan = call.unify(rank, &[arg, shape], Report::First)?;
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
fn check_axes_without_arg(request: &Request, shape: &Shape) -> Result<(), Error> {
    let Some(rank) = shape.rank() else { return Ok(()) };
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
        alignment: Alignment::LEFT,
        stretch: Stretch::Nothing,
    };
    if !call.axes().is_empty() {
        return lay(call, shape);
    }
    let axes: Vec<i64> = (0..like.len()).filter(added).filter_map(|axis| i64::try_from(axis).ok()).collect();
    let found = Call { axes: Some(&axes), ..Call::new(call.rule, call.operands) };
    lay(&found, shape).map_err(|error| call.error(error.kind().clone()))
}

/// The broadcast axes that AutoBroadcastSpec NUMPY implies for each operand, beside the shape of the result.
///
/// ```
/// use ndcast_shape::rule::ngraph;
/// let (shape, axes) = ngraph::numpy_axes(&[&[2, 1, 4, 5][..], &[3, 4, 1]])?;
/// assert_eq!((shape, axes), (vec![2, 3, 4, 5], vec![vec![1], vec![0, 3]]));
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `extent-mismatch`, as in [`eltwise_numpy`](super::openvino::eltwise_numpy).
pub fn numpy_axes(operands: &[&[usize]]) -> Result<(Vec<usize>, Vec<Vec<usize>>), Error> {
    let plan = openvino::eltwise_numpy(operands)?;
    let axes = (0..operands.len()).map(|operand| plan.broadcast_axes(operand)).collect();
    Ok((plan.shape().to_vec(), axes))
}

/// The broadcast axes that AutoBroadcastSpec PDPD implies for `b` laid on `a` from axis `axis` on (-1: last axis on
/// last axis). The result has the shape of `a`.
///
/// Not OpenVINO's rule of the same name: equal shapes fit from any axis, extents of 1 at the end of `b` are dropped
/// before it is laid, and others do not stretch.
///
/// ```
/// use ndcast_shape::rule::ngraph;
/// assert_eq!(ngraph::pdpd_axes(&[2, 3, 4, 5], &[3, 4], 1)?, [0, 3]);
/// assert_eq!(ngraph::pdpd_axes(&[2, 3, 4, 5], &[4, 5, 1], 2)?, [0, 1]);
/// assert_eq!(ngraph::pdpd_axes(&[2, 3], &[2, 3], 1)?, []);
/// assert!(ngraph::pdpd_axes(&[2, 3, 4, 5], &[3, 1, 5], 1).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `rank-too-high`; `axis-negative` below -1; `extent-mismatch`. They speak of `ngraph.broadcast`, which is what is
/// made: `b` without its last extents of 1, to the shape of `a`.
pub fn pdpd_axes(a: &[usize], b: &[usize], axis: i64) -> Result<Vec<usize>, Error> {
    if a == b {
        return Ok(vec![]);
    }
    let kept = b.iter().rposition(|&extent| extent != 1).map_or(0, |last| last + 1);
    let trimmed = &b[..kept];
    let operands = [b];
    let call = Call { target: Some(a), axis: Some(axis), ..Call::new(&BROADCAST, &operands) };
    let too_high = |limit| call.error(Kind::RankTooHigh { operand: 0, rank: kept, limit });
    let first = match usize::try_from(axis) {
        Ok(first) => first,
        Err(_) if axis == -1 => a.len().checked_sub(b.len()).ok_or_else(|| too_high(a.len()))?,
        Err(_) => return Err(call.error(Kind::AxisNegative { axis, position: None })),
    };
    if first + kept > a.len() {
        return Err(too_high(a.len().saturating_sub(first)));
    }
    let axes: Vec<usize> = (0..a.len()).filter(|axis| !(first..first + kept).contains(axis)).collect();
    let listed: Vec<i64> = axes.iter().filter_map(|&axis| i64::try_from(axis).ok()).collect();
    broadcast(trimmed, a, &listed)?;
    Ok(axes)
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

    /// The cases of nGraph's builder_autobroadcast tests.
    #[test]
    fn the_axes_of_auto_broadcast() {
        for (a, b, shape, axes) in [
            (&[2, 3][..], &[2, 3][..], &[2, 3][..], [&[][..], &[][..]]),
            (&[3], &[2, 3], &[2, 3], [&[0], &[]]),
            (&[3, 4], &[2, 3, 4], &[2, 3, 4], [&[0], &[]]),
            (&[2, 1, 4, 5], &[2, 3, 4, 1], &[2, 3, 4, 5], [&[1], &[3]]),
            (&[2, 3, 1, 5], &[3, 1, 5], &[2, 3, 1, 5], [&[], &[0]]),
        ] {
            let (found, found_axes) = numpy_axes(&[a, b]).unwrap();
            assert_eq!(
                (&found[..], &found_axes[0][..], &found_axes[1][..]),
                (shape, axes[0], axes[1]),
                "{a:?} {b:?}"
            );
        }
        assert!(numpy_axes(&[&[2, 3, 4, 5], &[6, 7, 8, 9]]).is_err());
        let lhs = [2, 3, 4, 5];
        for (b, axis, axes) in [
            (&[][..], 3, Some(&[0, 1, 2, 3][..])),
            (&[1, 1, 1], 1, Some(&[0, 1, 2, 3])),
            (&[5], 3, Some(&[0, 1, 2])),
            (&[4, 5], -1, Some(&[0, 1])),
            (&[3, 4], 1, Some(&[0, 3])),
            (&[2], 0, Some(&[1, 2, 3])),
            (&[3, 4], 2, None),
            (&[5], 4, None),
            (&[5], -2, None),
            (&[1, 2, 3, 4, 5], -1, None),
            (&[1, 3], 0, None),
        ] {
            assert_eq!(pdpd_axes(&lhs, b, axis).ok().as_deref(), axes, "{b:?} at {axis}");
        }
    }
}
