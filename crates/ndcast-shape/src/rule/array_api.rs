//! The Python array API standard (2025.12), "Broadcasting", and NumPy where it says the same.
//!
//! <https://data-apis.org/array-api/latest/API_specification/broadcasting.html>

use super::call::{Call, Report};
use super::selection::select;
use super::{Count, Dialect, Need, Rule, plain, unranked};
use crate::error::Error;
use crate::extent::{Dim, Extent};
use crate::index::Index;
use crate::plan::Plan;
use crate::shape::Shape;
use crate::unify::Stretch;

/// `array-api`: see [`join`].
pub static JOIN: Rule = Rule {
    name: "array-api",
    summary: "operands of an elementwise function, last axis on last axis, extents of 1 stretch",
    operands: Count::AtLeast(0),
    answer: |call| join_all(call).map(Into::into),
    unranked: unranked::nothing,
    ..plain(Dialect::ArrayApi)
};

/// `array-api.broadcast-to`: see [`broadcast_to`].
pub static BROADCAST_TO: Rule = Rule {
    name: "array-api.broadcast-to",
    summary: "one array to a given shape, which it does not change",
    target: Need::Required,
    answer: |call| to_target(call).map(Into::into),
    unranked: unranked::target,
    ..plain(Dialect::ArrayApi)
};

/// `array-api.in-place`: see [`in_place`] and [`set_item`].
pub static IN_PLACE: Rule = Rule {
    name: "array-api.in-place",
    summary: "the right side of an assignment to the left side, or to what an index selects of it",
    operands: Count::Exactly(2),
    index: Need::Optional,
    answer: |call| match call.index {
        None => onto_first(call, Report::Last).map(Into::into),
        Some(index) => set_item(call.operands[0], index, call.operands[1]).map(Into::into),
    },
    unranked: |request| match (&request.index, request.shapes[0].dims()) {
        (None, _) => unranked::first(request),
        (Some(_), None) => Ok(Shape::UNRANKED),
        (Some(index), Some(left)) => select(left, index).map(Into::into).map_err(|kind| request.error(kind)),
    },
    ..plain(Dialect::ArrayApi)
};

/// Broadcasts any number of operands against each other.
///
/// ```
/// use ndcast_shape::rule::array_api;
/// assert_eq!(array_api::join(&[&[8, 1, 6, 1][..], &[7, 1, 5]])?.shape(), [8, 7, 6, 5]);
/// assert_eq!(array_api::join(&[&[0][..], &[1], &[]])?.shape(), [0]);
/// assert_eq!(array_api::join::<usize>(&[])?.shape(), []);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `extent-mismatch` at the last axis that clashes: the algorithm runs from the right.
pub fn join<E: Extent>(operands: &[&[E]]) -> Result<Plan<E>, Error> {
    join_all(&Call::new(&JOIN, operands))
}

fn join_all<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    join_right(call, Report::Last)
}

/// Every operand laid with its last axis on the result's last, every extent of 1 stretches.
pub(super) fn join_right<E: Extent>(call: &Call<'_, E>, report: Report) -> Result<Plan<E>, Error> {
    // "Let N be the maximum value of N1 and N2."
    let rank = call.operands.iter().map(|operand| operand.len()).max().unwrap_or(0);
    let laid: Result<Vec<_>, _> =
        (0..call.operands.len()).map(|operand| call.lay_right(operand, rank, Stretch::Ones)).collect();
    call.unify(rank, &laid?, report)
}

/// Broadcasts one operand to a shape, one way: the result has exactly that shape.
///
/// ```
/// use ndcast_shape::rule::array_api;
/// assert_eq!(array_api::broadcast_to(&[1], &[0])?.shape(), [0]);
/// assert_eq!(array_api::broadcast_to(&[2, 2], &[2, 1, 2]).unwrap_err().kind().name(), "extent-mismatch");
/// assert_eq!(array_api::broadcast_to(&[1], &[]).unwrap_err().kind().name(), "rank-too-high");
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `rank-too-high`; `extent-mismatch` at the last axis that clashes.
pub fn broadcast_to<E: Extent>(operand: &[E], target: &[E]) -> Result<Plan<E>, Error> {
    to_target(&Call { target: Some(target), ..Call::new(&BROADCAST_TO, &[operand]) })
}

fn to_target<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let rank = call.target().len();
    let laid = [call.lay_right(0, rank, Stretch::Ones)?, call.lay_target(rank, Stretch::Nothing)];
    call.unify(rank, &laid, Report::Last)
}

/// Broadcasts the right side of an in-place operation or assignment to the left side, whose shape stays.
///
/// ```
/// use ndcast_shape::rule::array_api;
/// assert_eq!(array_api::in_place(&[2, 3, 4], &[1, 3, 4])?.shape(), [2, 3, 4]);
/// // Not even surplus axes of extent 1 are allowed.
/// assert_eq!(array_api::in_place(&[3, 4], &[1, 3, 4]).unwrap_err().kind().name(), "rank-too-high");
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `rank-too-high`; `extent-mismatch` at the last axis that clashes.
pub fn in_place<E: Extent>(left: &[E], right: &[E]) -> Result<Plan<E>, Error> {
    onto_first(&Call::new(&IN_PLACE, &[left, right]), Report::Last)
}

/// The second operand laid on the first, which does not change.
pub(super) fn onto_first<E: Extent>(call: &Call<'_, E>, report: Report) -> Result<Plan<E>, Error> {
    let rank = call.operands[0].len();
    let laid = [call.lay_right(0, rank, Stretch::Nothing)?, call.lay_right(1, rank, Stretch::Ones)?];
    call.unify(rank, &laid, report)
}

/// Broadcasts the right side of `left[index] = right` to what the index selects.
///
/// "Such operations should only be supported in the case where the right-hand operand can broadcast to the
/// shape of the left-hand operand, after any indexing operations are performed." The plan's first operand is
/// the selection.
///
/// DIFFERENCE: NumPy accepts surplus axes of extent 1 on the right; the standard's page does not.
///
/// ```
/// use ndcast_shape::{Shape, parse_index, rule::array_api};
/// let (x, a): (Shape, Shape) = ("2x3x4".parse()?, "1x3x4".parse()?);
/// let (x, a) = (x.dims().unwrap(), a.dims().unwrap());
/// assert!(array_api::set_item(x, &parse_index("...")?, a).is_ok());
/// assert!(array_api::set_item(x, &parse_index("1, ...")?, a).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// Those of [`in_place`]; `index-out-of-range`, `too-many-indices`.
pub fn set_item(left: &[Dim], index: &[Index], right: &[Dim]) -> Result<Plan<Dim>, Error> {
    let operands = [left, right];
    let call = Call { index: Some(index), ..Call::new(&IN_PLACE, &operands) };
    let selected = select(left, index).map_err(|kind| call.error(kind))?;
    in_place(&selected, right).map_err(|error| call.error(error.kind().clone().of_selection()))
}
