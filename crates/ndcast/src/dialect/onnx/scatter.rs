//! Elements put where numbers say.

use super::call::{Built, Call};
use crate::dialect::beside::Beside;
use crate::dialect::tuples;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::Scatter;
use crate::graph::steps::axis_of;
use crate::op::Op;

/// How what is put goes with what is there: since opset 16 by an operation. The greatest and the least are there since 18, and
/// exporters write them before.
fn reduction(call: &mut Call<'_>) -> Result<Option<Op>, Error> {
    let name = if call.opset >= 16 { call.text("reduction", "none")? } else { "none" };
    match name {
        "none" => Ok(None),
        "add" => Ok(Some(Op::Add)),
        "mul" => Ok(Some(Op::Multiply)),
        "max" => Ok(Some(Op::Maximum)),
        "min" => Ok(Some(Op::Minimum)),
        other => Err(Error::value(format!("there is no reduction {other} in opset {}", call.opset))),
    }
}

pub(super) fn elements(call: &mut Call<'_>) -> Built {
    let (x, numbers, values) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let rank = call.rank(x)?;
    let axis = call.int("axis", 0)?;
    let axis = axis_of(axis, rank)?;
    let with = reduction(call)?;
    // Smaller extents on the other axes: only a part is changed.
    let beside = Beside::of(call.graph, x, numbers, axis)?;
    let part = beside.part(call.graph, x)?;
    let part = call.add(Scatter { axis, with }, &[part, numbers, values])?;
    Ok(vec![beside.put(call.graph, x, part)?])
}

/// Rows where tuples of indices say.
pub(super) fn nd(call: &mut Call<'_>) -> Built {
    let given = [call.input(0)?, call.input(1)?, call.input(2)?];
    let with = reduction(call)?;
    Ok(vec![tuples::scattered(call.graph, given, with)?])
}

/// A part put into a cache along one axis, for each of the batch from a place of its own on, which may pass the end and go on
/// at the start.
pub(super) fn into_cache(call: &mut Call<'_>) -> Built {
    let (cache, part) = (call.input(0)?, call.input(1)?);
    let rank = call.rank(cache)?;
    let axis = call.int("axis", -2)?;
    let axis = axis_of(axis, rank)?;
    if axis == 0 {
        return Err(Error::value("its axis is 0, which is the batch".to_owned()));
    }
    let own = call.rank(part)?;
    if own != rank {
        return Err(Error::value(format!("the cache has rank {rank}, and what is put into it {own}")));
    }
    let extent = call.graph.count_along(part, &[axis], DType::I64)?;
    let places = call.graph.counted(extent)?;
    let mut numbers = call.graph.along(places, axis, rank)?;
    if let Some(first) = call.optional(2) {
        if call.rank(first)? != 1 {
            let rank = call.rank(first)?;
            return Err(Error::value(format!("write_indices lie along one axis, and their rank is {rank}")));
        }
        let first = call.graph.along(first, 0, rank)?;
        numbers = call.op(Op::Add, &[numbers, first])?;
    }
    match call.text("mode", "linear")? {
        "linear" => {}
        "circular" => {
            let all = call.graph.count_along(cache, &[axis], DType::I64)?;
            numbers = call.op(Op::Remainder, &[numbers, all])?;
        }
        other => return Err(Error::value(format!("its mode is linear or circular, not {other}"))),
    }
    let shape = call.graph.shape_of(part)?;
    let numbers = call.graph.over(numbers, shape)?;
    Ok(vec![call.add(Scatter { axis, with: None }, &[cache, numbers, part])?])
}
