//! Elements and rows by their numbers.

use ndcast_shape::Index;

use super::call::{Built, Call};
use crate::dialect::beside::Beside;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{ReshapeTo, Slice, Take, TakeAlong};
use crate::graph::steps::axis_of;
use crate::op::Op;

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
    let (rank, depth) = (call.rank(x)?, call.rank(indices)?);
    let batch = usize::try_from(batch).ok().filter(|&batch| batch < rank.min(depth));
    let batch = batch.ok_or_else(|| Error::value("there are too many axes in its batch".to_owned()))?;
    let (flat, numbers) = flattened(call, x, indices, batch)?;
    Ok(vec![call.add(Take { axis: batch, batch }, &[flat, numbers])?])
}

/// The axes of which tuples of indices speak as one, and the indices as one number each.
pub(super) fn flattened(call: &mut Call<'_>, x: Id, indices: Id, batch: usize) -> Result<(Id, Id), Error> {
    let (rank, depth) = (call.rank(x)?, call.rank(indices)?);
    let Some(last) = depth.checked_sub(1) else {
        return Err(Error::value(
            "its indices are tuples along their last axis, and they have none".to_owned(),
        ));
    };
    let count = call.extent(indices, last)?;
    if count == 0 || count > rank.saturating_sub(batch) {
        return Err(Error::value(format!(
            "its indices are tuples of {count}, and there are {} axes",
            rank - batch.min(rank)
        )));
    }
    let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let indices = call.convert(indices, DType::I64)?;
    let mut number: Option<Id> = None;
    for place in 0..count {
        let mut index = vec![Index::WHOLE; depth];
        index[last] = Index::At(signed(place));
        let one = call.add(Slice { index }, &[indices])?;
        // The place that it means, found among the axis's own: so each is checked against its axis.
        let places = call.graph.places_along(x, batch + place)?;
        let found = call.add(Take { axis: batch + place, batch: 0 }, &[places, one])?;
        let shape = call.graph.shape_of(one)?;
        let one = call.add(ReshapeTo, &[found, shape])?;
        number = Some(match number {
            None => one,
            Some(before) => {
                let extent = call.graph.count_along(x, &[batch + place], DType::I64)?;
                let before = call.graph.op(Op::Multiply, &[before, extent])?;
                call.graph.apply(Op::Add, &[before, one])?
            }
        });
    }
    let number = number.ok_or_else(|| Error::value("its indices are tuples of nothing".to_owned()))?;
    if count == 1 {
        return Ok((x, number));
    }
    let before: Vec<usize> = (0..batch).collect();
    let behind: Vec<usize> = (batch + count..rank).collect();
    let before = call.graph.extents_of(x, &before)?;
    let behind = call.graph.extents_of(x, &behind)?;
    let spoken_of: Vec<usize> = (batch..batch + count).collect();
    let all = call.graph.count_along(x, &spoken_of, DType::I64)?;
    let to = call.graph.listed(&[before, all, behind])?;
    let flat = call.add(ReshapeTo, &[x, to])?;
    Ok((flat, number))
}
