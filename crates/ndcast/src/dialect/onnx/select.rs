//! Elements chosen by where they stand.

use super::call::{Built, Call};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::Slice;
use crate::graph::steps::axis_of;
use crate::op::Op;
use ndcast_shape::Index;

/// A new axis on which the second of two values stands at the number's place, and the first elsewhere. A number outside
/// of the axis stands nowhere; a negative one counts from the end since opset 11.
pub(super) fn one_hot(call: &mut Call<'_>) -> Built {
    let (numbers, depth, values) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let rank = call.rank(numbers)? + 1;
    let axis = call.int("axis", -1)?;
    let axis = axis_of(axis, rank)?;
    let depth = match call.graph.node(depth)?.constant() {
        // It may be of any type, and is to be known as an extent.
        Some(depth) => {
            let depth = Array::from(depth.clone()).convert(DType::I64).eval()?;
            call.graph.constant(depth)?
        }
        None => call.convert(depth, DType::I64)?,
    };
    let depth = call.reshaped(depth, &[])?;
    let numbers = call.convert(numbers, DType::I64)?;
    let mut numbers = call.graph.with_axes(numbers, &[axis])?;
    if call.opset >= 11 {
        let zero = call.graph.full_like(0, numbers)?;
        let negative = call.graph.apply(Op::Less, &[numbers, zero])?;
        let counted = call.op(Op::Add, &[numbers, depth])?;
        numbers = call.op(Op::Where, &[negative, counted, numbers])?;
    }
    let places = call.graph.counted(depth)?;
    let places = call.graph.along(places, axis, rank)?;
    let there = call.op(Op::Equal, &[numbers, places])?;
    let value = |call: &mut Call<'_>, place| call.add(Slice { index: vec![Index::At(place)] }, &[values]);
    let (off, on) = (value(call, 0)?, value(call, 1)?);
    Ok(vec![call.op(Op::Where, &[there, on, off])?])
}

/// The upper or the lower triangle of matrices, from a diagonal on; the rest is 0.
pub(super) fn trilu(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    if rank < 2 {
        return Err(Error::value(format!("it takes matrices, and its input has rank {rank}")));
    }
    let upper = call.truth("upper", 1)?;
    let diagonal = match call.optional(1) {
        Some(diagonal) => {
            let diagonal = call.reshaped(diagonal, &[])?;
            call.convert(diagonal, DType::I64)?
        }
        None => call.graph.number(0, DType::I64)?,
    };
    let distance = distance(call, x, rank)?;
    let op = if upper { Op::GreaterEqual } else { Op::LessEqual };
    let stays = call.op(op, &[distance, diagonal])?;
    let zero = call.graph.number(false, call.dtype(x))?;
    Ok(vec![call.op(Op::Where, &[stays, x, zero])?])
}

/// How far each place of a matrix is to the right of the diagonal.
pub(super) fn distance(call: &mut Call<'_>, x: Id, rank: usize) -> Result<Id, Error> {
    let (row, column) = (call.graph.places_along(x, rank - 2)?, call.graph.places_along(x, rank - 1)?);
    call.op(Op::Subtract, &[column, row])
}
