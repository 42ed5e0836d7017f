//! Numbers as small ones times a scale.
//!
//! The scale and the zero point are one number, one for each place of an axis, or (since opset 21) one for each block
//! along it.

use super::call::{Built, Call};
use super::element;
use super::shape::between;
use crate::convert::Overflow;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Broadcast, Lay, ReshapeTo, Slice};
use crate::graph::steps::axis_of;
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;
use ndcast_shape::Index;

/// How a scale lies on the input.
struct Grain {
    axis: usize,
    block: i64,
}

fn grain(call: &mut Call<'_>, x: Id) -> Result<Grain, Error> {
    let rank = call.rank(x)?;
    let axis = if call.opset >= 13 { call.int("axis", 1)? } else { 1 };
    let block = if call.opset >= 21 { call.int("block_size", 0)? } else { 0 };
    // One number has no axis, and any will do.
    let axis = axis_of(axis, rank).unwrap_or(usize::MAX);
    if block < 0 {
        return Err(Error::value(format!("there are no blocks of {block}")));
    }
    Ok(Grain { axis, block })
}

/// A scale or a zero point in the shape of the input.
fn laid(call: &mut Call<'_>, x: Id, of: Id, grain: &Grain) -> Result<Id, Error> {
    let (rank, own) = (call.rank(x)?, call.rank(of)?);
    let single = call.node(of).shape().extents().is_some_and(|extents| extents.iter().all(|&n| n == 1));
    if own == 0 || (own == 1 && single) {
        let of = call.reshaped(of, &[])?;
        return call.laid(x, of);
    }
    if grain.axis >= rank {
        return Err(Error::value(format!("there is no axis of that number: the rank is {rank}")));
    }
    if grain.block == 0 {
        if own != 1 {
            return Err(Error::value(format!("its scale has rank {own}, and 0 or 1 without blocks")));
        }
        let of = call.graph.along(of, grain.axis, rank)?;
        return call.laid(x, of);
    }
    if own != rank {
        return Err(Error::value(format!("its scale has rank {own}, and its input {rank}")));
    }
    // Each so often along the axis; of the last block only as much as there is.
    let axis = grain.axis;
    let lay = (0..=rank).map(|place| match place {
        _ if place == axis + 1 => Lay::New(1),
        _ if place > axis => Lay::Axis(place - 1),
        _ => Lay::Axis(place),
    });
    let spread = call.add(Broadcast::new(lay), &[of])?;
    let (before, behind): (Vec<usize>, Vec<usize>) =
        (0..rank).filter(|&other| other != axis).partition(|&other| other < axis);
    let (before, behind) = (call.graph.extents_of(of, &before)?, call.graph.extents_of(of, &behind)?);
    let (blocks, block) = (call.graph.extents_of(of, &[axis])?, call.graph.integers(&[grain.block])?);
    let target = call.graph.listed(&[before, blocks, block, behind])?;
    let spread = call.graph.over(spread, target)?;
    let along = call.op(Op::Multiply, &[blocks, block])?;
    let to = call.graph.listed(&[before, along, behind])?;
    let spread = call.add(ReshapeTo, &[spread, to])?;
    let extent = as_i64(call.extent(x, axis)?);
    let mut index = vec![Index::WHOLE; rank];
    index[axis] = between(0, extent);
    call.add(Slice { index }, &[spread])
}

/// Rounded to even, the zero point added, and what does not fit as the nearest that does.
pub(super) fn quantise(call: &mut Call<'_>) -> Built {
    let (x, scale, zero) = (call.input(0)?, call.input(1)?, call.optional(2));
    let grain = grain(call, x)?;
    let saturate = if call.opset >= 19 { call.truth("saturate", 1)? } else { true };
    let named = if call.opset >= 21 { call.int("output_dtype", 0)? } else { 0 };
    let precision = if call.opset >= 23 { call.int("precision", 0)? } else { 0 };
    let to = match (zero, named) {
        (Some(zero), 0) => call.dtype(zero),
        (None, 0) => DType::U8,
        (zero, code) => {
            let to = element::dtype(code)?;
            if let Some(zero) = zero.filter(|&zero| call.dtype(zero) != to) {
                return Err(Error::other_type(call.dtype(zero), to));
            }
            to
        }
    };
    let own = call.dtype(scale);
    let within = match precision {
        0 if own == DType::F8E8M0 || own.class() != Class::Float => DType::F32,
        0 => own,
        code => element::dtype(code)?,
    };
    let scale = laid(call, x, scale, &grain)?;
    let (x_in, scale) = (call.convert(x, within)?, call.convert(scale, within)?);
    let quotient = call.graph.apply(Op::Divide, &[x_in, scale])?;
    let whole = to.is_integer();
    // Small floats round as they are converted.
    let mut result = if whole { call.graph.apply(Op::Round, &[quotient])? } else { quotient };
    if let Some(zero) = zero {
        // f16 does not hold every u16, so the sum is computed in f32.
        let wide = if matches!(within, DType::F16 | DType::Bf16) { DType::F32 } else { within };
        let zero = call.convert(zero, wide)?;
        let zero = laid(call, x, zero, &grain)?;
        result = call.convert(result, wide)?;
        result = call.graph.apply(Op::Add, &[result, zero])?;
    }
    if whole {
        return Ok(vec![saturated(call, result, to)?]);
    }
    let overflow = if saturate { Overflow::OnnxSaturate } else { Overflow::Numpy };
    Ok(vec![call.convert_as(result, to, overflow)?])
}

/// Floats as integers, clipped to what the type holds.
fn saturated(call: &mut Call<'_>, x: Id, to: DType) -> Result<Id, Error> {
    let bits = to.bits().unwrap_or(8);
    if bits >= 32 {
        // Floats do not hold their limits: a conversion ends there.
        return call.convert_as(x, to, Overflow::Xla);
    }
    let (least, most) = match to.class() {
        Class::Signed => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        _ => (0, (1i64 << bits) - 1),
    };
    let x = if matches!(call.dtype(x), DType::F16 | DType::Bf16) { call.convert(x, DType::F32)? } else { x };
    let x = call.graph.with_number(Op::Maximum, x, least)?;
    let x = call.graph.with_number(Op::Minimum, x, most)?;
    // By way of i32, because a small type is not converted to from floats everywhere.
    let x = call.convert(x, DType::I32)?;
    call.convert_as(x, to, Overflow::Numpy)
}

/// `(x - zero) * scale`, in the scale's type or the one that `output_dtype` says (since opset 23).
pub(super) fn dequantise(call: &mut Call<'_>) -> Built {
    let (x, scale, zero) = (call.input(0)?, call.input(1)?, call.optional(2));
    let grain = grain(call, x)?;
    let named = if call.opset >= 23 { call.int("output_dtype", 0)? } else { 0 };
    let own = call.dtype(scale);
    let to = if named == 0 { own } else { element::dtype(named)? };
    let dtype = call.dtype(x);
    // Integers are taken off exactly; what is left is a number of the scale's type.
    let within = if dtype.class() == Class::Float { DType::F32 } else { DType::I32 };
    let mut plain = call.convert(x, within)?;
    if let Some(zero) = zero {
        let zero = call.convert(zero, within)?;
        let zero = laid(call, x, zero, &grain)?;
        plain = call.graph.apply(Op::Subtract, &[plain, zero])?;
    }
    let scale = laid(call, x, scale, &grain)?;
    let computed = if to.computes() { to } else { DType::F32 };
    let (plain, scale) = (call.convert(plain, computed)?, call.convert(scale, computed)?);
    let product = call.graph.apply(Op::Multiply, &[plain, scale])?;
    Ok(vec![call.convert(product, to)?])
}

/// As u8, with the scale and the zero point that the least and the greatest give, 0 included.
pub(super) fn dynamic(call: &mut Call<'_>) -> Built {
    use crate::array::Keep;
    let x = call.input(0)?;
    let axes: Vec<usize> = (0..call.rank(x)?).collect();
    let zero = call.graph.number(0, DType::F32)?;
    let least = call.graph.fold(Reduction::Min, x, &axes, Keep::Nothing)?;
    let least = call.op(Op::Minimum, &[least, zero])?;
    let most = call.graph.fold(Reduction::Max, x, &axes, Keep::Nothing)?;
    let most = call.op(Op::Maximum, &[most, zero])?;
    let range = call.op(Op::Subtract, &[most, least])?;
    let scale = call.graph.with_number(Op::Divide, range, 255)?;
    let negative = call.graph.apply(Op::Negative, &[least])?;
    let point = call.op(Op::Divide, &[negative, scale])?;
    let point = call.graph.with_number(Op::Maximum, point, 0)?;
    let point = call.graph.with_number(Op::Minimum, point, 255)?;
    let point = call.graph.apply(Op::Round, &[point])?;
    let quotient = call.op(Op::Divide, &[x, scale])?;
    let rounded = call.graph.apply(Op::Round, &[quotient])?;
    let moved = call.op(Op::Add, &[rounded, point])?;
    let result = saturated(call, moved, DType::U8)?;
    let point = saturated(call, point, DType::U8)?;
    Ok(vec![result, scale, point])
}
