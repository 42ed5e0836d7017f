//! Elements put where numbers say.

use super::call::{Built, Call};
use super::gather::flattened;
use crate::dialect::beside::Beside;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Lay, ReshapeTo, Scatter};
use crate::graph::steps::axis_of;
use crate::op::Op;

/// How what is put goes with what is there: since opset 16 by an operation, since 18 by more.
fn reduction(call: &mut Call<'_>) -> Result<Option<Op>, Error> {
    let name = if call.opset >= 16 { call.text("reduction", "none")? } else { "none" };
    match name {
        "none" => Ok(None),
        "add" => Ok(Some(Op::Add)),
        "mul" => Ok(Some(Op::Multiply)),
        "max" if call.opset >= 18 => Ok(Some(Op::Maximum)),
        "min" if call.opset >= 18 => Ok(Some(Op::Minimum)),
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

/// The tuples of indices as one number each, the rows that they speak of as one axis.
pub(super) fn nd(call: &mut Call<'_>) -> Built {
    let (x, indices, values) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let with = reduction(call)?;
    let (flat, numbers) = flattened(call, x, indices, 0)?;
    let flat_rank = call.rank(flat)?;
    let behind: Vec<usize> = (1..flat_rank).collect();
    let rows = call.graph.count_along(flat, &[0], DType::I64)?;
    let columns = call.graph.count_along(flat, &behind, DType::I64)?;
    let (tuples, own) = (call.rank(numbers)?, call.rank(values)?);
    if own != tuples + flat_rank - 1 {
        return Err(Error::value(format!(
            "its updates have rank {own}, and {tuples} axes of tuples with {} axes of rows are {}",
            flat_rank - 1,
            tuples + flat_rank - 1
        )));
    }
    let axes: Vec<usize> = (0..tuples).collect();
    let count = call.graph.count_along(numbers, &axes, DType::I64)?;
    let to = call.graph.listed(&[rows, columns])?;
    let table = call.add(ReshapeTo, &[flat, to])?;
    let to = call.graph.listed(&[count, columns])?;
    let values = call.add(ReshapeTo, &[values, to])?;
    let to = call.graph.listed(&[count])?;
    let numbers = call.add(ReshapeTo, &[numbers, to])?;
    let numbers = call.add(Broadcast::new([Lay::Axis(0), Lay::New(1)]), &[numbers])?;
    let numbers = call.laid(values, numbers)?;
    let scattered = call.add(Scatter { axis: 0, with }, &[table, numbers, values])?;
    let shape = call.graph.shape_of(x)?;
    Ok(vec![call.add(ReshapeTo, &[scattered, shape])?])
}
