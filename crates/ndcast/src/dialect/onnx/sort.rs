//! The greatest or the least along an axis, in order, and where they are.

use super::call::{Built, Call};
use crate::Direction;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::{Argsort, Order};
use crate::graph::steps::axis_of;

/// Before opset 10 k is an attribute, and before opset 11 they are the greatest. "Given two equivalent values, the one with
/// the lower index appears first"; NaN, of which the page says nothing, is greater than all numbers, as onnxruntime has it.
pub(super) fn top_k(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    call.only(x, &[Class::Float, Class::Signed, Class::Unsigned])?;
    let axis = call.int("axis", -1)?;
    let axis = axis_of(axis, call.rank(x)?)?;
    let k = match call.opset {
        ..10 => {
            if call.optional(1).is_some() {
                return Err(Error::value("its k is an attribute before opset 10".to_owned()));
            }
            let k = call.maybe_int("k")?;
            let k = k.ok_or_else(|| Error::value("its attribute k is missing".to_owned()))?;
            call.graph.integers(&[k])?
        }
        _ => call.input(1)?,
    };
    let mut largest = true;
    if call.opset >= 11 {
        largest = call.truth("largest", 1)?;
        // If they need not be sorted, any order will do.
        call.truth("sorted", 1)?;
    }
    let direction = if largest { Direction::Descending } else { Direction::Ascending };
    let sort = Argsort { axis, direction, order: Order::Numbers, to: DType::I64 };
    call.graph.sorted(x, sort, Some(k)).map(Vec::from)
}
