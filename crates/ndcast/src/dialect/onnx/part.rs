//! Parts of an array, and arrays put together.

use ndcast_shape::Index;

use super::call::{Built, Call};
use super::shape::between;
use crate::dialect::turned;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Concatenate, Slice, SliceBy};
use crate::graph::steps::{axes_as_listed, axis_of};
use crate::layout::as_i64;
use crate::op::Op;

/// Starts, ends, axes and steps: attributes before opset 10 (without steps), then inputs.
pub(super) fn slice(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    let missing = |name| Error::value(format!("its {name} are missing"));
    let (starts, ends, axes, steps) = if call.opset < 10 {
        let starts = call.ints("starts")?.ok_or_else(|| missing("starts"))?;
        let ends = call.ints("ends")?.ok_or_else(|| missing("ends"))?;
        (call.graph.integers(&starts)?, call.graph.integers(&ends)?, call.ints("axes")?, None)
    } else {
        let axes = call.optional(3).map(|axes| call.known(axes, "axes")).transpose()?;
        (call.input(1)?, call.input(2)?, axes, call.optional(4))
    };
    // "If the axes are omitted, they are [0, ..., so many starts as there are - 1]."
    let axes = match axes {
        Some(axes) => axes,
        None => {
            let count = call.extent(starts, 0)?;
            if count > rank {
                return Err(Error::value(format!("{count} starts are given for {rank} axes")));
            }
            (0..as_i64(count)).collect()
        }
    };
    let axes = axes_as_listed(&axes, rank)?;
    let steps = match steps {
        Some(steps) => steps,
        None => call.graph.integers(&vec![1; axes.len()])?,
    };
    Ok(vec![call.add(SliceBy { axes }, &[x, starts, ends, steps])?])
}

pub(super) fn concat(call: &mut Call<'_>) -> Built {
    let inputs = call.all()?;
    let axis = match (call.maybe_int("axis")?, call.opset) {
        (Some(axis), _) => axis,
        // Opset 1 has a default.
        (None, ..4) => 1,
        (None, _) => return Err(Error::value("its axis is missing".to_owned())),
    };
    let axis = axis_of(axis, call.rank(inputs[0])?)?;
    Ok(vec![call.add(Concatenate { axis }, &inputs)?])
}

/// Into parts of given extents: an attribute (in opset 1 an input too), since opset 13 an input; or into equal ones, of which
/// the last may be smaller since opset 18, that says how many there are.
pub(super) fn split(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    let axis = call.int("axis", 0)?;
    let axis = axis_of(axis, rank)?;
    let parts = match (call.opset, call.optional(1)) {
        (1, Some(parts)) => Some(call.known(parts, "split")?),
        _ => call.list("split", 13, 1)?,
    };
    let count = if call.opset >= 18 { call.maybe_int("num_outputs")? } else { None };
    if let Some(parts) = parts {
        if count.is_some() {
            return Err(Error::value("it takes split or num_outputs, and both are given".to_owned()));
        }
        return listed(call, x, axis, rank, &parts);
    }
    let count = match count {
        Some(count) => match usize::try_from(count) {
            Ok(count) if count == call.outputs => count,
            _ => {
                let outputs = call.outputs;
                return Err(Error::value(format!("num_outputs is {count}, and it has {outputs}")));
            }
        },
        None if call.opset >= 18 => {
            return Err(Error::value("neither split nor num_outputs is given".to_owned()));
        }
        None => call.outputs,
    };
    if count == 0 {
        return Err(Error::value("it is split into no parts".to_owned()));
    }
    equal(call, x, axis, rank, count)
}

fn listed(call: &mut Call<'_>, x: Id, axis: usize, rank: usize, parts: &[i64]) -> Built {
    let mut ends = Vec::with_capacity(parts.len());
    let mut end = 0i64;
    for &part in parts {
        end = end
            .checked_add(part)
            .filter(|_| part >= 0)
            .ok_or_else(|| Error::value(format!("the parts have extents, and these are {parts:?}")))?;
        ends.push(end);
    }
    let x = match call.maybe_extent(x, axis) {
        Some(extent) if usize::try_from(end) == Ok(extent) => x,
        Some(extent) => {
            return Err(Error::value(format!(
                "the parts {parts:?} are {end} together, and axis {axis} has extent {extent}"
            )));
        }
        None => {
            let end = call.graph.integers(&[end])?;
            call.graph.of_extent(x, axis, end)?
        }
    };
    ends.iter().zip(parts).map(|(&end, &part)| cut(call, x, axis, rank, end - part, end)).collect()
}

fn cut(call: &mut Call<'_>, x: Id, axis: usize, rank: usize, start: i64, end: i64) -> Result<Id, Error> {
    let mut index = vec![Index::WHOLE; rank];
    index[axis] = between(start, end);
    call.add(Slice { index }, &[x])
}

fn equal(call: &mut Call<'_>, x: Id, axis: usize, rank: usize, count: usize) -> Built {
    if let Some(extent) = call.maybe_extent(x, axis) {
        if call.opset < 18 && !extent.is_multiple_of(count) {
            return Err(Error::value(format!("axis {axis} of extent {extent} has no {count} equal parts")));
        }
        let part = extent.div_ceil(count);
        let signed = |n: usize| as_i64(n.min(extent));
        return (0..count)
            .map(|n| {
                cut(call, x, axis, rank, signed(n.saturating_mul(part)), signed((n + 1).saturating_mul(part)))
            })
            .collect();
    }
    let extent = call.graph.count_along(x, &[axis], DType::I64)?;
    let signed = as_i64(count);
    let (count_id, less) =
        (call.graph.number(signed, DType::I64)?, call.graph.number(signed - 1, DType::I64)?);
    let up = call.op(Op::Add, &[extent, less])?;
    let part = call.op(Op::FloorDivide, &[up, count_id])?;
    let mut x = x;
    if call.opset < 18 {
        let all = call.op(Op::Multiply, &[part, count_id])?;
        let all = call.graph.listed(&[all])?;
        x = call.graph.of_extent(x, axis, all)?;
    }
    let step = call.graph.integers(&[1])?;
    let mut starts = call.graph.integers(&[0])?;
    let part = call.graph.listed(&[part])?;
    let mut parts = Vec::with_capacity(count);
    for _ in 0..count {
        let ends = call.op(Op::Add, &[starts, part])?;
        parts.push(call.add(SliceBy { axes: vec![axis] }, &[x, starts, ends, step])?);
        starts = ends;
    }
    Ok(parts)
}

/// The first elements of each sequence turned round, as many as its length.
pub(super) fn reverse_sequence(call: &mut Call<'_>) -> Built {
    let (x, lengths) = (call.input(0)?, call.input(1)?);
    let rank = call.rank(x)?;
    let (batch, axis) = (call.int("batch_axis", 1)?, call.int("time_axis", 0)?);
    let (batch, axis) = (axis_of(batch, rank)?, axis_of(axis, rank)?);
    Ok(vec![turned::beginnings(call.graph, x, lengths, batch, axis)?])
}
