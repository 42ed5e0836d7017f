//! The same elements in another shape, and shapes as values.

use std::num::NonZeroI64;

use ndcast_shape::rule::onnx;
use ndcast_shape::{Dim, Extent, Index};

use super::call::{Built, Call};
use crate::array::Keep;
use crate::dialect::around::tiled;
use crate::dialect::blocks::{self, First};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Concatenate, Fit, ReshapeTo, ShapeOf, Slice, Transpose};
use crate::graph::steps::{axes_of, axis_of};
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;

/// "It is similar to numpy.broadcast_to, except that the two shapes are broadcast to each other."
pub(super) fn expand(call: &mut Call<'_>) -> Built {
    let (x, shape) = (call.input(0)?, call.input(1)?);
    Ok(vec![call.add(Fit::new(&onnx::EXPAND, 1, 0), &[x, shape])?])
}

/// An extent of 0 is the input's own, unless `allowzero` (since opset 14) says that it is 0; one of -1 is what is left.
pub(super) fn reshape(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    if call.opset < 5 {
        call.attribute("consumed_inputs");
        let to = call.ints("shape")?.ok_or_else(|| Error::value("its shape is missing".to_owned()))?;
        let to = call.graph.integers(&to)?;
        return reshaped(call, x, to, Zeros::AreTheInputs);
    }
    let to = call.input(1)?;
    let plain = call.opset >= 14 && call.truth("allowzero", 0)?;
    reshaped(call, x, to, if plain { Zeros::AreZero } else { Zeros::AreTheInputs })
}

/// Stands for the extent of an axis that the input does not have: no shape takes it.
const NO_AXIS: i64 = -2;

/// A shape of more axes is none.
const MOST_AXES: usize = 1024;

/// What an extent of 0 is.
#[derive(Clone, Copy, PartialEq)]
enum Zeros {
    /// 0.
    AreZero,
    /// The input's extent of that axis.
    AreTheInputs,
}

fn reshaped(call: &mut Call<'_>, x: Id, to: Id, zeros: Zeros) -> Built {
    let known = call.integers(to);
    if known.iter().flatten().filter(|&&n| n == -1).count() > 1 {
        return Err(Error::value(format!(
            "at most one extent is -1, and the shape is {:?}",
            known.unwrap_or_default()
        )));
    }
    if zeros == Zeros::AreZero && known.as_ref().is_some_and(|list| list.contains(&0) && list.contains(&-1)) {
        return Err(Error::value("with allowzero a shape has not both 0 and -1".to_owned()));
    }
    let copies = known.as_ref().is_none_or(|list| list.contains(&0));
    if zeros == Zeros::AreZero || !copies {
        return Ok(vec![call.add(ReshapeTo, &[x, to])?]);
    }
    // What is 0 is taken from the input's shape, made as long as the other.
    let dims = call.dims(to)?;
    let length = match dims[..] {
        [ref length] => length.known().filter(|&length| length <= MOST_AXES),
        _ => None,
    };
    let length = length.ok_or_else(|| Error::value("the rank of its result must be known".to_owned()))?;
    let own = call.graph.shape_of(x)?;
    let rank = call.rank(x)?;
    let zero_behind = known.iter().flatten().skip(rank).any(|&n| n == 0);
    if zero_behind {
        return Err(Error::value(format!("an extent of 0 is the input's own, which has only {rank} axes")));
    }
    let own = if rank >= length {
        let stop = as_i64(length);
        call.add(Slice { index: vec![between(0, stop)] }, &[own])?
    } else {
        let more = call.graph.integers(&vec![NO_AXIS; length - rank])?;
        call.add(Concatenate { axis: 0 }, &[own, more])?
    };
    let to = call.convert(to, DType::I64)?;
    let zero = call.graph.full_like(0, to)?;
    let is_zero = call.graph.apply(Op::Equal, &[to, zero])?;
    let to = call.graph.apply(Op::Where, &[is_zero, own, to])?;
    Ok(vec![call.add(ReshapeTo, &[x, to])?])
}

/// From each to the next.
const ONE: NonZeroI64 = NonZeroI64::new(1).unwrap();

/// From one place to before another.
pub(super) fn between(start: i64, stop: i64) -> Index {
    Index::Slice { start: Some(start), stop: Some(stop), step: ONE }
}

pub(super) fn transpose(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    let order = match call.ints("perm")? {
        None => (0..rank).rev().collect(),
        Some(order) => order.iter().map(|&axis| axis_of(axis, rank)).collect::<Result<Vec<_>, _>>()?,
    };
    Ok(vec![call.add(Transpose { order }, &[x])?])
}

/// Without axes all of extent 1 go away, so all extents must be known.
pub(super) fn squeeze(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let dims = call.dims(x)?;
    let axes = match call.list("axes", 13, 1)? {
        Some(axes) => axes_of(&axes, dims.len())?,
        None => {
            if let Some(axis) = dims.iter().position(|dim: &Dim| dim.known().is_none() && dim.may_be_one()) {
                return Err(Error::value(format!(
                    "which axes go away must be known before it runs, and axis {axis} has extent {}",
                    dims[axis]
                )));
            }
            (0..dims.len()).filter(|&axis| dims[axis].known() == Some(1)).collect()
        }
    };
    Ok(vec![call.squeezed(x, &axes)?])
}

/// The axes are the result's.
pub(super) fn unsqueeze(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axes = call.list("axes", 13, 1)?;
    let axes = axes.ok_or_else(|| Error::value("its axes are missing".to_owned()))?;
    let rank = call.rank(x)? + axes.len();
    let axes = axes_of(&axes, rank)?;
    Ok(vec![call.graph.with_axes(x, &axes)?])
}

/// As two axes: those before, and those from the attribute on.
pub(super) fn flatten(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    let axis = call.int("axis", 1)?;
    let axis = if usize::try_from(axis) == Ok(rank) { rank } else { axis_of(axis, rank)? };
    let (before, behind): (Vec<usize>, Vec<usize>) = (0..rank).partition(|&other| other < axis);
    let before = call.graph.count_along(x, &before, DType::I64)?;
    let behind = call.graph.count_along(x, &behind, DType::I64)?;
    let to = call.graph.listed(&[before, behind])?;
    Ok(vec![call.add(ReshapeTo, &[x, to])?])
}

/// All extents, or since opset 15 those from `start` to before `end`, which are clipped to the axes.
pub(super) fn shape(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let shape = call.add(ShapeOf(DType::I64), &[x])?;
    if call.opset < 15 {
        return Ok(vec![shape]);
    }
    let (start, end) = (call.int("start", 0)?, call.maybe_int("end")?);
    if (start, end) == (0, None) {
        return Ok(vec![shape]);
    }
    let index = between(start, end.unwrap_or(i64::MAX));
    Ok(vec![call.add(Slice { index: vec![index] }, &[shape])?])
}

pub(super) fn size(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let shape = call.add(ShapeOf(DType::I64), &[x])?;
    Ok(vec![call.graph.fold(Reduction::Prod, shape, &[0], Keep::Nothing)?])
}

/// Each axis so many times. Before opset 6 one axis so many times.
pub(super) fn tile(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    let times = call.input(1)?;
    let times = if call.opset < 6 {
        let (axis, tiles) = (call.input(2)?, call.known_one(times, "tiles")?);
        let axis = call.known_one(axis, "axis")?;
        let axis = axis_of(axis, rank)?;
        let mut times = vec![1; rank];
        times[axis] = tiles;
        call.graph.integers(&times)?
    } else if call.count() > 2 {
        return Err(Error::value("it takes 2 inputs since opset 6, and 3 are given".to_owned()));
    } else {
        times
    };
    let times = call.convert(times, DType::I64)?;
    Ok(vec![tiled(call.graph, x, times)?])
}

fn block(call: &mut Call<'_>) -> Result<i64, Error> {
    match call.maybe_int("blocksize")? {
        Some(block) if block > 0 && block < 1 << 16 => Ok(block),
        _ => Err(Error::value("its blocksize is missing or not positive".to_owned())),
    }
}

/// The input of an operator of images.
fn image(call: &Call<'_>) -> Result<Id, Error> {
    let x = call.input(0)?;
    match call.rank(x)? {
        4 => Ok(x),
        rank => Err(Error::value(format!("it takes an input of rank 4, and this has {rank}"))),
    }
}

/// "DCR" is depth, column, row; "CRD" column, row, depth.
fn first(call: &mut Call<'_>, since: i64) -> Result<First, Error> {
    match if call.opset >= since { call.text("mode", "DCR")? } else { "DCR" } {
        "DCR" => Ok(First::Block),
        "CRD" => Ok(First::Channel),
        other => Err(Error::value(format!("its mode is DCR or CRD, not {other}"))),
    }
}

pub(super) fn depth_to_space(call: &mut Call<'_>) -> Built {
    let (x, block, first) = (image(call)?, block(call)?, first(call, 11)?);
    Ok(vec![blocks::depth_to_space(call.graph, x, block, first)?])
}

pub(super) fn space_to_depth(call: &mut Call<'_>) -> Built {
    let (x, block, first) = (image(call)?, block(call)?, first(call, 28)?);
    Ok(vec![blocks::space_to_depth(call.graph, x, block, first)?])
}
