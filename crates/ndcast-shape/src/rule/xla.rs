//! XLA: what the builder does with operands of different shapes ("Broadcasting semantics"), as implemented.
//!
//! <https://openxla.org/xla/broadcasting>
//!
//! A bounded extent (`<=5`) counts as its bound, and the result is bounded where an operand that walks is.
//! "Explicit broadcasting specifications on operations between arrays of different ranks is required."

use super::call::{Call, Report};
use super::listed::{self, Side};
use super::{Count, Dialect, Need, Rule, plain};
use crate::align::Alignment;
use crate::error::{Error, Kind, Ranks};
use crate::extent::Extent;
use crate::plan::{Plan, Source};
use crate::unify::{Laid, Party, Stretch};

/// `xla.binary`: see [`binary`].
pub static BINARY: Rule = Rule {
    name: "xla.binary",
    summary: "a binary operation with broadcast_dimensions for the operand of lower rank",
    operands: Count::Exactly(2),
    axes: Need::Optional,
    answer: |call| binary_call(call).map(Into::into),
    ..plain(Dialect::Xla)
};

/// `xla.broadcast`: see [`broadcast`].
pub static BROADCAST: Rule = Rule {
    name: "xla.broadcast",
    summary: "Broadcast(operand, sizes): new axes of these extents in front",
    target: Need::Required,
    answer: |call| in_front(call).map(Into::into),
    ..plain(Dialect::Xla)
};

/// `xla.broadcast-in-dim`: see [`broadcast_in_dim`].
pub static BROADCAST_IN_DIM: Rule = Rule {
    name: "xla.broadcast-in-dim",
    summary: "BroadcastInDim(operand, shape, broadcast_dimensions): one way, in increasing order",
    target: Need::Required,
    axes: Need::Optional,
    answer: |call| in_dim(call).map(Into::into),
    ..plain(Dialect::Xla)
};

/// A binary operation: `broadcast_dimensions` says on which axes of the operand of higher rank the axes of the
/// other lie; then extents of 1 stretch, on both sides.
///
/// ```
/// use ndcast_shape::rule::xla;
/// assert_eq!(xla::binary(&[2, 3], &[3], &[1])?.shape(), [2, 3]);
/// assert_eq!(xla::binary(&[1, 2], &[4, 3, 1], &[1, 2])?.shape(), [4, 3, 2]);
/// assert_eq!(xla::binary(&[2, 3], &[], &[])?.shape(), [2, 3]);
/// assert_eq!(xla::binary(&[2, 3], &[3], &[]).unwrap_err().kind().name(), "rank-mismatch");
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// At equal ranks: `axes-identity`; `extent-mismatch`. Else, in this order: `rank-mismatch` if there are no
/// dimensions; `axes-count`; then for each dimension `axis-negative`, `axis-out-of-range`, `extent-mismatch`,
/// `dynamism-mismatch`, `axes-order`.
pub fn binary<E: Extent>(lhs: &[E], rhs: &[E], broadcast_dimensions: &[i64]) -> Result<Plan<E>, Error> {
    binary_call(&Call { axes: Some(broadcast_dimensions), ..Call::new(&BINARY, &[lhs, rhs]) })
}

fn binary_call<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (lhs, rhs) = (call.operands[0], call.operands[1]);
    let rank = lhs.len().max(rhs.len());
    if lhs.len() == rhs.len() {
        // "Broadcast dimensions field must either be not set or be the identity on binary operations with
        // operands of the same rank."
        let identity = call.axes().iter().enumerate().all(|(i, &axis)| usize::try_from(axis) == Ok(i));
        if !(call.axes().is_empty() || identity && call.axes().len() == rank) {
            return Err(call.error(Kind::AxesIdentity { rank }));
        }
    }
    let mut alignments = [Alignment::LEFT, Alignment::LEFT];
    if lhs.len() != rhs.len() {
        let smaller = usize::from(rhs.len() < lhs.len());
        let map = check_in_dim(call, smaller, 1 - smaller)?;
        alignments[smaller] = listed::alignment(call, &map, rank)?;
    }
    // "Degenerate dimension broadcasting", which also makes up for the axes that the smaller does not have.
    let sizes = [sizes(lhs), sizes(rhs)];
    let [left, right] = alignments;
    let laid = [
        Laid { extents: &sizes[0], ..call.lay(0, left, Stretch::Ones) },
        Laid { extents: &sizes[1], ..call.lay(1, right, Stretch::Ones) },
    ];
    let plan = call.unify(rank, &laid, Report::First)?;
    Ok(bounded(plan, call.operands))
}

/// InDim broadcasting: the checks, dimension by dimension, and where the smaller operand's axes lie.
fn check_in_dim<E: Extent>(call: &Call<'_, E>, smaller: usize, larger: usize) -> Result<Vec<usize>, Error> {
    let (small, large, dimensions) = (call.operands[smaller], call.operands[larger], call.axes());
    // "Shapes must be equal rank, but are f32[3] and f32[2,3]"
    if dimensions.is_empty() && !small.is_empty() {
        let ranks = call.operands.iter().map(|operand| operand.len()).collect();
        return Err(call.error(Kind::RankMismatch { ranks, of: Ranks::Operands }));
    }
    // "Size of broadcast_dimensions has to match lower-rank operand's rank"
    listed::check_count(call, small)?;
    let mapped = Side { party: Party::Operand(smaller), extents: small, stretch: Stretch::Ones };
    let onto = Side { party: Party::Operand(larger), extents: large, stretch: Stretch::Ones };
    // "Broadcast dimension number (-1) cannot be negative", "... too large"
    listed::each(call, large.len(), |i, to, map| {
        let (own, other) = (&small[i], &large[to]);
        // "Broadcast dimension 0 mismatch: 3 != 2". Sizes are compared as written, so ? is only equal to ?.
        let (mine, theirs) = (size(own), size(other));
        if mine != theirs && !mine.is_one() && !theirs.is_one() {
            return Err(listed::clash(call, &mapped, &onto, map));
        }
        // "Broadcast dimension %d dynamism mismatch"
        let dynamic = own.is_definite() != other.is_definite();
        if dynamic && mine != theirs && !own.is_one() && !other.is_one() {
            let (operand, target) = (own.clone().into(), other.clone().into());
            return Err(call.error(Kind::DynamismMismatch { axis: to, own: i, operand, target }));
        }
        // "Broadcast dimensions order is wrong: 1 comes after 2."
        listed::check_order(call, i)
    })
}

/// An extent as XLA compares it: a bounded one is its bound.
pub(super) fn size<E: Extent>(extent: &E) -> E {
    extent.bound().unwrap_or_else(|| extent.clone())
}

pub(super) fn sizes<E: Extent>(shape: &[E]) -> Vec<E> {
    shape.iter().map(size).collect()
}

/// A plan that was made of sizes, with the bounds of the operands that walk.
pub(super) fn bounded<E: Extent>(plan: Plan<E>, operands: &[&[E]]) -> Plan<E> {
    let mut shape = plan.shape().to_vec();
    for (sources, extents) in plan.operands().zip(operands) {
        for (axis, source) in sources.iter().enumerate() {
            if let Source::Axis(own) | Source::Undecided(own) = *source
                && extents[own].bound().is_some()
            {
                shape[axis] = extents[own].clone();
            }
        }
    }
    plan.with_shape(&shape)
}

/// `Broadcast(operand, sizes)`: the result's extents are `sizes`, then those of the operand.
///
/// ```
/// use ndcast_shape::rule::xla;
/// assert_eq!(xla::broadcast(&[3], &[2, 0])?.shape(), [2, 0, 3]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `extent-unknown`.
pub fn broadcast<E: Extent>(operand: &[E], sizes: &[E]) -> Result<Plan<E>, Error> {
    in_front(&Call { target: Some(sizes), ..Call::new(&BROADCAST, &[operand]) })
}

fn in_front<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (operand, sizes) = (call.operands[0], call.target());
    // "Non-broadcast dimensions must not be dynamic."
    if let Some(axis) = sizes.iter().position(|size| !size.is_definite()) {
        let extent = sizes[axis].clone().into();
        return Err(call.error(Kind::ExtentUnknown { party: Party::Target, axis, extent }));
    }
    require_size(call, Party::Operand(0), operand)?;
    let rank = sizes.len() + operand.len();
    let sizes_first = Laid { alignment: Alignment::LEFT, ..call.lay_target(rank, Stretch::Nothing) };
    let behind = Alignment::right(operand.len(), rank).unwrap_or(Alignment::LEFT);
    let laid = [call.lay(0, behind, Stretch::Nothing), sizes_first];
    call.unify(rank, &laid, Report::First)
}

/// Every extent must be a number, or have a name or a bound.
pub(super) fn require_size<E: Extent>(call: &Call<'_, E>, party: Party, shape: &[E]) -> Result<(), Error> {
    match shape.iter().position(|extent| !size(extent).is_definite()) {
        Some(axis) => {
            let extent = shape[axis].clone().into();
            Err(call.error(Kind::ExtentUnknown { party, axis, extent }))
        }
        None => Ok(()),
    }
}

/// `BroadcastInDim(operand, shape, broadcast_dimensions)`: the operand's extents of 1 stretch, the shape's
/// do not.
///
/// ```
/// use ndcast_shape::rule::xla;
/// assert_eq!(xla::broadcast_in_dim(&[2, 1, 4], &[2, 3, 4], &[0, 1, 2])?.shape(), [2, 3, 4]);
/// assert_eq!(xla::broadcast_in_dim(&[2, 3], &[3, 2], &[1, 0]).unwrap_err().kind().name(), "axes-order");
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// In this order: `extent-unknown` (of the shape); `axes-count`; `axis-negative`, `axis-out-of-range`;
/// `rank-too-high`; then for each dimension `extent-mismatch`, `dynamism-mismatch`, `axes-order`.
pub fn broadcast_in_dim<E: Extent>(
    operand: &[E],
    shape: &[E],
    broadcast_dimensions: &[i64],
) -> Result<Plan<E>, Error> {
    in_dim(&Call {
        target: Some(shape),
        axes: Some(broadcast_dimensions),
        ..Call::new(&BROADCAST_IN_DIM, &[operand])
    })
}

fn in_dim<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (operand, shape) = (call.operands[0], call.target());
    let rank = shape.len();
    require_size(call, Party::Target, shape)?;
    // "Size of broadcast_dimensions has to match operand's rank"
    listed::check_count(call, operand)?;
    // "Broadcast dimension 2 is out of bound"
    let map = listed::positions(call, rank)?;
    // "InDim style broadcast must be to an equal or higher ranked shape"
    if operand.len() > rank {
        return Err(call.error(Kind::RankTooHigh { operand: 0, rank: operand.len(), limit: rank }));
    }
    let mapped = Side { party: Party::Operand(0), extents: operand, stretch: Stretch::Ones };
    let onto = Side { party: Party::Target, extents: shape, stretch: Stretch::Nothing };
    for (i, &to) in map.iter().enumerate() {
        let (mine, theirs) = (size(&operand[i]), size(&shape[to]));
        // "Input dimension should be either 1 or equal to the output dimension it is broadcasting into"
        if !mine.may_be_one() && mine.meet(&theirs).is_none() {
            return Err(listed::clash(call, &mapped, &onto, &map[..=i]));
        }
        // "Broadcast input and output dynamism mismatch": the builder itself copies the operand's bounds, and
        // unknown extents are not looked at.
        if shape[to].bound().is_some() && operand[i].is_definite() {
            let (operand, target) = (operand[i].clone().into(), shape[to].clone().into());
            return Err(call.error(Kind::DynamismMismatch { axis: to, own: i, operand, target }));
        }
        listed::check_order(call, i)?;
    }
    let (operand_sizes, shape_sizes) = (sizes(operand), sizes(shape));
    let alignment = listed::alignment(call, &map, rank)?;
    let laid = [
        Laid { extents: &operand_sizes, ..call.lay(0, alignment, Stretch::Ones) },
        Laid { extents: &shape_sizes, ..call.lay_target(rank, Stretch::Nothing) },
    ];
    let plan = call.unify(rank, &laid, Report::First)?;
    Ok(bounded(plan.with_shape(shape), call.operands))
}
