//! Elements and rows by their numbers.

use ndcast_shape::{Extent, Index};

use super::call::{Built, Call};
use super::shape::between;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Insert, InsertBy, Slice, SliceBy, Take, TakeAlong};
use crate::op::Op;

/// Negative numbers count from the end.
pub(super) fn gather(call: &mut Call<'_>) -> Built {
    let (x, numbers) = (call.input(0)?, call.input(1)?);
    let axis = call.int("axis", 0)?;
    let axis = call.axis(axis, call.rank(x)?)?;
    Ok(vec![call.add(Take { axis, batch: 0 }, &[x, numbers])?])
}

pub(super) fn elements(call: &mut Call<'_>) -> Built {
    let (x, numbers) = (call.input(0)?, call.input(1)?);
    let rank = call.rank(x)?;
    let axis = call.int("axis", 0)?;
    let axis = call.axis(axis, rank)?;
    let part = Beside::of(call, x, numbers, axis)?.part(call, x)?;
    Ok(vec![call.add(TakeAlong { axis }, &[part, numbers])?])
}

/// What of an array lies beside numbers that may have smaller extents on the other axes.
pub(super) enum Beside {
    /// All of it.
    Whole,
    /// What this index selects.
    At(Vec<Index>),
    /// What starts, stops and steps along these axes select.
    By(Vec<usize>, [Id; 3]),
}

impl Beside {
    pub(super) fn of(call: &mut Call<'_>, x: Id, numbers: Id, axis: usize) -> Result<Beside, Error> {
        let (own, theirs) = (call.dims(x)?, call.dims(numbers)?);
        if own.len() != theirs.len() {
            let (a, b) = (own.len(), theirs.len());
            return Err(Error::value(format!("the ranks must be equal, and they are {a} and {b}")));
        }
        let others: Vec<usize> = (0..own.len()).filter(|&place| place != axis).collect();
        if others.iter().all(|&place| own[place].same(&theirs[place])) {
            return Ok(Beside::Whole);
        }
        let known: Option<Vec<(usize, usize)>> =
            others.iter().map(|&place| Some((own[place].known()?, theirs[place].known()?))).collect();
        if let Some(known) = known {
            let mut index = vec![Index::WHOLE; own.len()];
            for (&place, (own, theirs)) in others.iter().zip(known) {
                if theirs < own {
                    index[place] = between(0, i64::try_from(theirs).unwrap_or(i64::MAX));
                }
            }
            return Ok(Beside::At(index));
        }
        let starts = call.graph.integers(&vec![0; others.len()])?;
        let stops = call.extents(numbers, &others)?;
        let steps = call.graph.integers(&vec![1; others.len()])?;
        Ok(Beside::By(others, [starts, stops, steps]))
    }

    /// The part.
    pub(super) fn part(&self, call: &mut Call<'_>, x: Id) -> Result<Id, Error> {
        match self {
            Beside::Whole => Ok(x),
            Beside::At(index) => call.add(Slice { index: index.clone() }, &[x]),
            Beside::By(axes, [starts, stops, steps]) => {
                call.add(SliceBy { axes: axes.clone() }, &[x, *starts, *stops, *steps])
            }
        }
    }

    /// The whole with another part.
    pub(super) fn put(&self, call: &mut Call<'_>, x: Id, part: Id) -> Result<Id, Error> {
        match self {
            Beside::Whole => Ok(part),
            Beside::At(index) => call.add(Insert { index: index.clone() }, &[x, part]),
            Beside::By(axes, [starts, stops, steps]) => {
                call.add(InsertBy { axes: axes.clone() }, &[x, part, *starts, *stops, *steps])
            }
        }
    }
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

/// The axes of which tuples of indices speak as one, and the indices as one number each. What is outside of an axis is
/// outside of all.
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
    let extents = (batch..batch + count).map(|axis| call.extent(x, axis)).collect::<Result<Vec<_>, _>>()?;
    let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let indices = call.convert(indices, DType::I64)?;
    let mut number: Option<Id> = None;
    let mut inside: Option<Id> = None;
    for (place, &extent) in extents.iter().enumerate() {
        let mut index = vec![Index::WHOLE; depth];
        index[last] = Index::At(signed(place));
        let one = call.add(Slice { index }, &[indices])?;
        let zero = call.graph.full_like(0, one)?;
        let negative = call.graph.apply(Op::Less, &[one, zero])?;
        let counted = call.with_number(Op::Add, one, signed(extent))?;
        let one = call.graph.apply(Op::Where, &[negative, counted, one])?;
        let least = call.graph.apply(Op::GreaterEqual, &[one, zero])?;
        let most = call.with_number(Op::Less, one, signed(extent))?;
        let here = call.graph.apply(Op::LogicalAnd, &[least, most])?;
        inside = Some(match inside {
            None => here,
            Some(before) => call.graph.apply(Op::LogicalAnd, &[before, here])?,
        });
        number = Some(match number {
            None => one,
            Some(before) => {
                let before = call.with_number(Op::Multiply, before, signed(extent))?;
                call.graph.apply(Op::Add, &[before, one])?
            }
        });
    }
    let (Some(number), Some(inside)) = (number, inside) else {
        return Err(Error::value("its indices are tuples of nothing".to_owned()));
    };
    let outside = call.graph.full_like(i64::MAX, number)?;
    let number = call.graph.apply(Op::Where, &[inside, number, outside])?;
    if count == 1 {
        return Ok((x, number));
    }
    let before: Vec<usize> = (0..batch).collect();
    let behind: Vec<usize> = (batch + count..rank).collect();
    let before = call.extents(x, &before)?;
    let behind = call.extents(x, &behind)?;
    let all = extents.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent));
    let all = call.graph.integers(&[all.map_or(i64::MAX, signed)])?;
    let to = super::shape::together(call, &[before, all, behind])?;
    let flat = call.add(crate::graph::kind::ReshapeTo, &[x, to])?;
    Ok((flat, number))
}
