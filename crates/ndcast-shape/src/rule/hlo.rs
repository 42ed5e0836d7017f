//! HLO: the `broadcast` instruction, and the only two that take scalars beside arrays, `select` and `clamp`.
//!
//! <https://openxla.org/xla/operation_semantics>
//!
//! There is no implicit broadcasting in HLO; the checks are those of its verifier and shape inference.

use super::call::{Call, Report};
use super::listed::{self, Side};
use super::xla::{bounded, require_size, size, sizes};
use super::{Count, Dialect, Need, Rule, plain};
use crate::align::Alignment;
use crate::error::{Error, Kind, Ranks};
use crate::extent::Extent;
use crate::plan::Plan;
use crate::unify::{Laid, Party, Stretch};

/// `hlo.broadcast`: see [`broadcast`].
pub static BROADCAST: Rule = Rule {
    name: "hlo.broadcast",
    summary: "broadcast(operand), dimensions={..}: in any order, nothing stretches",
    target: Need::Required,
    axes: Need::Optional,
    answer: |call| to_target(call).map(Into::into),
    ..plain(Dialect::Hlo)
};

/// `hlo.select`: see [`select`].
pub static SELECT: Rule = Rule {
    name: "hlo.select",
    summary: "select(pred, on_true, on_false): one shape, but pred may be a scalar",
    operands: Count::Exactly(3),
    answer: |call| select_call(call).map(Into::into),
    ..plain(Dialect::Hlo)
};

/// `hlo.clamp`: see [`clamp`].
pub static CLAMP: Rule = Rule {
    name: "hlo.clamp",
    summary: "clamp(min, operand, max): one shape, but min and max may be scalars",
    operands: Count::Exactly(3),
    answer: |call| clamp_call(call).map(Into::into),
    ..plain(Dialect::Hlo)
};

/// `broadcast(operand), dimensions={..}`: operand axis `i` lies on axis `dimensions[i]`, with equal extents.
///
/// DIFFERENCE: XLA's verifier does not look for repeated dimensions; what they would read is a diagonal.
///
/// ```
/// use ndcast_shape::{Source, rule::hlo};
/// let transposed = hlo::broadcast(&[2, 3], &[3, 2], &[1, 0])?;
/// assert_eq!(transposed.operand(0), [Source::Axis(1), Source::Axis(0)]);
/// assert!(hlo::broadcast(&[1], &[3], &[0]).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// In this order: `extent-unknown`; `axes-count`; for each dimension `axis-negative`, `axis-out-of-range`,
/// `extent-mismatch`; `axes-repeated`.
pub fn broadcast<E: Extent>(operand: &[E], shape: &[E], dimensions: &[i64]) -> Result<Plan<E>, Error> {
    to_target(&Call { target: Some(shape), axes: Some(dimensions), ..Call::new(&BROADCAST, &[operand]) })
}

fn to_target<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (operand, shape) = (call.operands[0], call.target());
    let rank = shape.len();
    require_size(call, Party::Target, shape)?;
    listed::check_count(call, operand)?;
    let mapped = Side { party: Party::Operand(0), extents: operand, stretch: Stretch::Nothing };
    let onto = Side { party: Party::Target, extents: shape, stretch: Stretch::Nothing };
    let map = listed::each(call, rank, |i, to, map| {
        let fits = size(&operand[i]).meet(&size(&shape[to])).is_some();
        if fits { Ok(()) } else { Err(listed::clash(call, &mapped, &onto, map)) }
    })?;
    let (operand_sizes, shape_sizes) = (sizes(operand), sizes(shape));
    let laid = [
        Laid {
            extents: &operand_sizes,
            ..call.lay(0, listed::alignment(call, &map, rank)?, Stretch::Nothing)
        },
        Laid { extents: &shape_sizes, ..call.lay_target(rank, Stretch::Nothing) },
    ];
    let plan = call.unify(rank, &laid, Report::First)?;
    Ok(plan.with_shape(shape))
}

/// `select(pred, on_true, on_false)`: the branches have one shape, the predicate has it too or is a scalar.
///
/// ```
/// use ndcast_shape::rule::hlo;
/// assert_eq!(hlo::select(&[], &[2, 3], &[2, 3])?.shape(), [2, 3]);
/// assert!(hlo::select(&[3], &[2, 3], &[2, 3]).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `rank-mismatch`; `extent-mismatch`.
pub fn select<E: Extent>(pred: &[E], on_true: &[E], on_false: &[E]) -> Result<Plan<E>, Error> {
    select_call(&Call::new(&SELECT, &[pred, on_true, on_false]))
}

fn select_call<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    same_or_scalar(call, &[0], 1).map(|plan| bounded(plan, call.operands))
}

/// `clamp(min, operand, max)`: the result has the operand's shape; each limit has it too or is a scalar.
///
/// ```
/// use ndcast_shape::rule::hlo;
/// assert_eq!(hlo::clamp(&[], &[64, 48], &[])?.shape(), [64, 48]);
/// assert!(hlo::clamp(&[64, 48], &[], &[64, 48]).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `rank-mismatch`; `extent-mismatch`.
pub fn clamp<E: Extent>(min: &[E], operand: &[E], max: &[E]) -> Result<Plan<E>, Error> {
    clamp_call(&Call::new(&CLAMP, &[min, operand, max]))
}

fn clamp_call<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    same_or_scalar(call, &[0, 2], 1).map(|plan| plan.with_shape(call.operands[1]))
}

/// All operands have the shape of operand `whole`, except that those of `scalars` may have rank 0.
fn same_or_scalar<E: Extent>(call: &Call<'_, E>, scalars: &[usize], whole: usize) -> Result<Plan<E>, Error> {
    let rank = call.operands[whole].len();
    let fits =
        |(i, operand): (usize, &&[E])| operand.len() == rank || operand.is_empty() && scalars.contains(&i);
    if !call.operands.iter().enumerate().all(fits) {
        let ranks = call.operands.iter().map(|operand| operand.len()).collect();
        return Err(call.error(Kind::RankMismatch { ranks, of: Ranks::OperandsOrScalars }));
    }
    let all_sizes: Vec<Vec<E>> = call.operands.iter().map(|operand| sizes(operand)).collect();
    let laid: Vec<_> = (0..call.operands.len())
        .map(|i| Laid { extents: &all_sizes[i], ..call.lay(i, Alignment::LEFT, Stretch::Nothing) })
        .collect();
    call.unify(rank, &laid, Report::First)
}
