//! ONNX: "Broadcasting in ONNX" and the Expand operator.
//!
//! <https://github.com/onnx/onnx/blob/main/docs/Broadcasting.md>

use super::array_api::{join_right, onto_first};
use super::call::{Call, Report};
use super::{Count, Dialect, Need, Rule, plain, unranked};
use crate::error::Error;
use crate::extent::Extent;
use crate::plan::Plan;
use crate::unify::Stretch;

/// `onnx.multidirectional`: see [`multidirectional`].
pub static MULTIDIRECTIONAL: Rule = Rule {
    name: "onnx.multidirectional",
    summary: "operands of an elementwise operator since opset 7, as in NumPy",
    operands: Count::AtLeast(1),
    answer: |call| join_right(call, Report::First).map(Into::into),
    unranked: unranked::nothing,
    ..plain(Dialect::Onnx)
};

/// `onnx.unidirectional`: see [`unidirectional`].
pub static UNIDIRECTIONAL: Rule = Rule {
    name: "onnx.unidirectional",
    summary: "the second operand to the first, whose shape the result has (PRelu, Gemm's C)",
    operands: Count::Exactly(2),
    answer: |call| onto_first(call, Report::First).map(Into::into),
    unranked: unranked::first,
    ..plain(Dialect::Onnx)
};

/// `onnx.expand`: see [`expand`].
pub static EXPAND: Rule = Rule {
    name: "onnx.expand",
    summary: "one tensor and a shape, each stretched to the other: the result may exceed the shape",
    target: Need::Required,
    answer: |call| both_ways(call).map(Into::into),
    unranked: unranked::nothing,
    ..plain(Dialect::Onnx)
};

/// Broadcasts tensors against each other.
///
/// ```
/// let plan = ndcast_shape::rule::onnx::multidirectional(&[&[2, 3, 4, 5][..], &[4, 5]])?;
/// assert_eq!(plan.shape(), [2, 3, 4, 5]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `extent-mismatch` at the first axis that clashes.
pub fn multidirectional<E: Extent>(operands: &[&[E]]) -> Result<Plan<E>, Error> {
    join_right(&Call::new(&MULTIDIRECTIONAL, operands), Report::First)
}

/// Broadcasts `b` to `a`.
///
/// DIFFERENCE: onnxruntime lets PRelu's slope be the larger; the specification does not.
///
/// ```
/// use ndcast_shape::rule::onnx;
/// assert_eq!(onnx::unidirectional(&[2, 3, 4], &[3, 1])?.shape(), [2, 3, 4]);
/// assert!(onnx::unidirectional(&[3, 1], &[2, 3, 4]).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `rank-too-high`; `extent-mismatch` at the first axis that clashes.
pub fn unidirectional<E: Extent>(a: &[E], b: &[E]) -> Result<Plan<E>, Error> {
    onto_first(&Call::new(&UNIDIRECTIONAL, &[a, b]), Report::First)
}

/// Expands a tensor by a shape: "it is similar to `numpy.broadcast_to`, except that the two dimensions can be
/// broadcast to each other".
///
/// ```
/// use ndcast_shape::rule::onnx;
/// assert_eq!(onnx::expand(&[3, 1], &[2, 1, 6])?.shape(), [2, 3, 6]);
/// assert_eq!(onnx::expand(&[3, 4], &[1])?.shape(), [3, 4]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `extent-mismatch` at the first axis that clashes.
pub fn expand<E: Extent>(operand: &[E], shape: &[E]) -> Result<Plan<E>, Error> {
    both_ways(&Call { target: Some(shape), ..Call::new(&EXPAND, &[operand]) })
}

/// One operand and a target, each stretched to the other.
pub(super) fn both_ways<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let rank = call.operands[0].len().max(call.target().len());
    let laid = [call.lay_right(0, rank, Stretch::Ones)?, call.lay_target(rank, Stretch::Ones)];
    call.unify(rank, &laid, Report::First)
}
