//! Elements and rows by their numbers.

use super::call::{Built, Call};
use crate::dialect::beside::Beside;
use crate::dialect::{nonzero, tuples};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Take, TakeAlong};
use crate::graph::steps::axis_of;

/// Negative numbers count from the end.
pub(super) fn gather(call: &mut Call<'_>) -> Built {
    let (x, numbers) = (call.input(0)?, call.input(1)?);
    let axis = call.int("axis", 0)?;
    let axis = axis_of(axis, call.rank(x)?)?;
    Ok(vec![call.add(Take { axis, batch: 0 }, &[x, numbers])?])
}

pub(super) fn elements(call: &mut Call<'_>) -> Built {
    let (x, numbers) = (call.input(0)?, call.input(1)?);
    let rank = call.rank(x)?;
    let axis = call.int("axis", 0)?;
    let axis = axis_of(axis, rank)?;
    let part = Beside::of(call.graph, x, numbers, axis)?.part(call.graph, x)?;
    Ok(vec![call.add(TakeAlong { axis }, &[part, numbers])?])
}

/// The last axis of the indices says where in so many leading axes of the input, behind those of the batch.
pub(super) fn nd(call: &mut Call<'_>) -> Built {
    let (x, indices) = (call.input(0)?, call.input(1)?);
    let batch = if call.opset >= 12 { call.int("batch_dims", 0)? } else { 0 };
    Ok(vec![tuples::gathered(call.graph, x, indices, batch)?])
}

/// A row for each axis, and a column for each element that is not 0.
pub(super) fn nonzero(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    Ok(vec![nonzero::coordinates(call.graph, x)?])
}

/// The rows for which a condition is true, or the elements one by one without an axis. "The condition may be shorter."
pub(super) fn compress(call: &mut Call<'_>) -> Built {
    let (mut x, condition) = (call.input(0)?, call.input(1)?);
    let axis = match call.maybe_int("axis")? {
        Some(axis) => axis_of(axis, call.rank(x)?)?,
        None => {
            x = nonzero::flat(call.graph, x)?;
            0
        }
    };
    if call.rank(condition)? != 1 || call.dtype(condition) != DType::Bool {
        let (rank, dtype) = (call.rank(condition)?, call.dtype(condition));
        return Err(Error::value(format!(
            "its condition is truth values along one axis, and this is {dtype} of rank {rank}"
        )));
    }
    let places = nonzero::places(call.graph, condition)?;
    Ok(vec![call.add(Take { axis, batch: 0 }, &[x, places])?])
}
