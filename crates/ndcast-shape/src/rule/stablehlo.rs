//! StableHLO's `broadcast_in_dim`, and the implicit broadcasting of its companion CHLO.
//!
//! <https://github.com/openxla/stablehlo/blob/main/docs/spec.md#broadcast_in_dim>

use super::call::{Call, Report};
use super::listed::{self, Side};
use super::xla::{bounded, size, sizes};
use super::{Count, Dialect, Need, Rule, plain};
use crate::error::{Error, Kind};
use crate::extent::Extent;
use crate::plan::Plan;
use crate::unify::{Laid, Party, Stretch};

/// `stablehlo.broadcast-in-dim`: see [`broadcast_in_dim`].
pub static BROADCAST_IN_DIM: Rule = Rule {
    name: "stablehlo.broadcast-in-dim",
    summary: "stablehlo.broadcast_in_dim: one way, in any order",
    target: Need::Required,
    axes: Need::Optional,
    answer: |call| to_target(call).map(Into::into),
    ..plain(Dialect::StableHlo)
};

/// `chlo.broadcast`: see [`chlo_broadcast`].
pub static CHLO_BROADCAST: Rule = Rule {
    name: "chlo.broadcast",
    summary: "chlo.broadcast_add and the like: as in NumPy, broadcast_dimensions may say no more than that",
    operands: Count::Exactly(2),
    axes: Need::Optional,
    answer: |call| chlo(call).map(Into::into),
    ..plain(Dialect::StableHlo)
};

/// `stablehlo.broadcast_in_dim`: operand axis `i` lies on axis `dims[i]`; the operand's extents of 1 stretch.
///
/// ```
/// use ndcast_shape::rule::stablehlo;
/// // The specification's own example transposes.
/// assert_eq!(stablehlo::broadcast_in_dim(&[1, 3], &[2, 3, 2], &[2, 1])?.shape(), [2, 3, 2]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// In this order: `extent-unknown` (the result is static or has one bounded axis); `axes-count` (C2);
/// `axes-repeated` (C4); for each dimension `axis-negative`, `axis-out-of-range` (C3), `extent-mismatch` (C5).
pub fn broadcast_in_dim<E: Extent>(operand: &[E], result: &[E], dims: &[i64]) -> Result<Plan<E>, Error> {
    to_target(&Call { target: Some(result), axes: Some(dims), ..Call::new(&BROADCAST_IN_DIM, &[operand]) })
}

fn to_target<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (operand, result) = (call.operands[0], call.target());
    let rank = result.len();
    // "must be statically shaped or single bounded dimension tensor"
    let mut bounds = 0;
    for (axis, extent) in result.iter().enumerate() {
        bounds += usize::from(extent.bound().is_some());
        if !size(extent).is_definite() || bounds > 1 {
            let extent = extent.clone().into();
            return Err(call.error(Kind::ExtentUnknown { party: Party::Target, axis, extent }));
        }
    }
    // (C2)
    listed::check_count(call, operand)?;
    // (C4), before the others
    listed::check_unique(call)?;
    // (C3), (C5) for one after the other. A bounded extent is a dynamic one here: it fits on any extent, and
    // only dynamic ones and 1 fit on it.
    let mapped = Side { party: Party::Operand(0), extents: operand, stretch: Stretch::Ones };
    let onto = Side { party: Party::Target, extents: result, stretch: Stretch::Nothing };
    let map = listed::each(call, rank, |i, to, map| {
        let (own, to) = (&operand[i], &result[to]);
        let fits = own.may_be_one() || !own.is_definite() || to.is_definite() && own.meet(to).is_some();
        if fits { Ok(()) } else { Err(listed::clash(call, &mapped, &onto, map)) }
    })?;
    let dynamic: Vec<E> = operand.iter().map(Extent::without_bounds).collect();
    let result_sizes = sizes(result);
    let laid = [
        Laid { extents: &dynamic, ..call.lay(0, listed::alignment(call, &map, rank)?, Stretch::Ones) },
        Laid { extents: &result_sizes, ..call.lay_target(rank, Stretch::Nothing) },
    ];
    let plan = call.unify(rank, &laid, Report::First)?;
    Ok(plan.with_shape(result))
}

/// `chlo.broadcast_*`: last axis on last axis, extents of 1 stretch, as in NumPy.
///
/// `broadcast_dimensions`, where given at different ranks, must name the last axes in order. At equal ranks
/// CHLO does not look at it.
///
/// ```
/// use ndcast_shape::rule::stablehlo;
/// assert_eq!(stablehlo::chlo_broadcast(&[1, 4], &[4, 1], None)?.shape(), [4, 4]);
/// assert_eq!(stablehlo::chlo_broadcast(&[2, 3], &[3], Some(&[1]))?.shape(), [2, 3]);
/// assert!(stablehlo::chlo_broadcast(&[2, 3], &[2], Some(&[0])).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `axes-suffix`; `extent-mismatch`; `dynamism-mismatch`.
pub fn chlo_broadcast<E: Extent>(
    lhs: &[E],
    rhs: &[E],
    broadcast_dimensions: Option<&[i64]>,
) -> Result<Plan<E>, Error> {
    chlo(&Call { axes: broadcast_dimensions, ..Call::new(&CHLO_BROADCAST, &[lhs, rhs]) })
}

fn chlo<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (lhs, rhs) = (call.operands[0], call.operands[1]);
    if let Some(axes) = call.axes
        && lhs.len() != rhs.len()
    {
        let rank = lhs.len().max(rhs.len());
        let first = rank - lhs.len().min(rhs.len());
        // DIFFERENCE: a negative dimension makes CHLO's verifier read out of bounds.
        let last_in_order =
            (first..rank).map(i64::try_from).map(Result::ok).eq(axes.iter().map(|&a| Some(a)));
        if !last_in_order {
            return Err(call.error(Kind::AxesSuffix { first, rank }));
        }
    }
    let rank = lhs.len().max(rhs.len());
    let all_sizes = [sizes(lhs), sizes(rhs)];
    let laid = [
        Laid { extents: &all_sizes[0], ..call.lay_right(0, rank, Stretch::Ones)? },
        Laid { extents: &all_sizes[1], ..call.lay_right(1, rank, Stretch::Ones)? },
    ];
    let plan = call.unify(rank, &laid, Report::First)?;
    no_mixing(call, &plan)?;
    Ok(bounded(plan, call.operands))
}

/// "cannot mix bounded and static dimensions in broadcast"
fn no_mixing<E: Extent>(call: &Call<'_, E>, plan: &Plan<E>) -> Result<(), Error> {
    for axis in 0..plan.rank() {
        let extent =
            |operand: usize| plan.operand(operand)[axis].axis().map(|own| &call.operands[operand][own]);
        let (Some(left), Some(right)) = (extent(0), extent(1)) else { continue };
        let mixed = |a: &E, b: &E| a.bound().is_some() && b.known().is_some_and(|extent| extent != 1);
        if mixed(left, right) || mixed(right, left) {
            let own = plan.operand(0)[axis].axis().unwrap_or(0);
            let (operand, target) = (left.clone().into(), right.clone().into());
            return Err(call.error(Kind::DynamismMismatch { axis, own, operand, target }));
        }
    }
    Ok(())
}
