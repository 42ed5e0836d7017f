//! Pad: by a number, by the border, by the elements mirrored or wrapped.

use ndcast_shape::Extent;

use super::call::{Built, Call};
use crate::dialect::around::{self, Around};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Range, Take};
use crate::graph::steps::axes_as_listed;
use crate::layout::as_i64;
use crate::op::Op;

/// How many around: an attribute before opset 11 (`paddings` in opset 1), then an input; since opset 18 of some axes.
pub(super) fn pad(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    let counts = match call.opset {
        1 => call.ints("paddings")?,
        2..11 => call.ints("pads")?,
        _ => call.integers(call.input(1)?),
    };
    let mode = call.text("mode", "constant")?;
    let value = match (call.opset, call.optional(2)) {
        (..11, _) => {
            let value = call.float("value", 0.0)?;
            call.graph.number(value, call.dtype(x))?
        }
        (_, Some(value)) => call.reshaped(value, &[])?,
        (_, None) => call.graph.number(false, call.dtype(x))?,
    };
    let axes = match call.optional(3) {
        Some(axes) if call.opset >= 18 => {
            let axes = call.known(axes, "axes")?;
            axes_as_listed(&axes, rank)?
        }
        Some(_) => return Err(Error::value("it has no axes before opset 18".to_owned())),
        None => (0..rank).collect(),
    };
    let Some(counts) = counts else {
        if call.opset < 11 {
            return Err(Error::value("its pads are missing".to_owned()));
        }
        if mode != "constant" {
            return Err(Error::value(format!("pads of the mode {mode} must be known before it runs")));
        }
        let pads = call.input(1)?;
        if let Some(found) = call.graph.known_dims(pads)?.first().and_then(|extent| extent.known())
            && found != 2 * axes.len()
        {
            return Err(wrong_count(found, axes.len()));
        }
        let sides = [0, axes.len()].map(|first| one_side(call, pads, &axes, first, rank));
        let [before, behind] = sides;
        return Ok(vec![around::filled_by(call.graph, x, value, [before?, behind?])?]);
    };
    if counts.len() != 2 * axes.len() {
        return Err(wrong_count(counts.len(), axes.len()));
    }
    let mut padded = x;
    for (place, &axis) in axes.iter().enumerate() {
        let around = Around { axis, before: counts[place], behind: counts[axes.len() + place] };
        padded = match mode {
            "constant" => around.filled(call.graph, padded, value)?,
            _ => mirrored(call, padded, &around, mode)?,
        };
    }
    Ok(vec![padded])
}

fn wrong_count(found: usize, axes: usize) -> Error {
    Error::value(format!("it takes {} pads, two for an axis, and {found} are given", 2 * axes))
}

/// The pads on one side of all axes, of those of some that are computed: these begin at a place.
fn one_side(call: &mut Call<'_>, pads: Id, axes: &[usize], first: usize, rank: usize) -> Result<Id, Error> {
    let mut parts = Vec::with_capacity(rank);
    for axis in 0..rank {
        parts.push(match axes.iter().position(|&other| other == axis) {
            Some(place) => {
                let at = as_i64(first + place);
                call.graph.part(pads, 0, Some(at), Some(at + 1))?
            }
            None => call.graph.integers(&[0])?,
        });
    }
    call.graph.listed(&parts)
}

/// For each place the one whose element it repeats, counted from the array's first.
fn mirrored(call: &mut Call<'_>, x: Id, around: &Around, mode: &str) -> Result<Id, Error> {
    if (around.before, around.behind) == (0, 0) {
        return Ok(x);
    }
    let extent = call.graph.count_along(x, &[around.axis], DType::I64)?;
    let start = call.graph.number(around.before.checked_neg().unwrap_or(i64::MAX), DType::I64)?;
    let behind = call.graph.number(around.behind, DType::I64)?;
    let (zero, one) = (call.graph.number(0, DType::I64)?, call.graph.number(1, DType::I64)?);
    let end = call.op(Op::Add, &[extent, behind])?;
    let places = call.add(Range, &[start, end, one])?;
    let last = call.op(Op::Subtract, &[extent, one])?;
    let numbers = match mode {
        "edge" => {
            let least = call.op(Op::Maximum, &[places, zero])?;
            call.op(Op::Minimum, &[least, last])?
        }
        // A mode since opset 19, which exporters write before.
        "wrap" => call.op(Op::Remainder, &[places, extent])?,
        // There and back again without the ends: 0 1 2 3 2 1. Of one element there is no way back.
        "reflect" => {
            let round = call.op(Op::Add, &[last, last])?;
            let round = call.op(Op::Maximum, &[round, one])?;
            let there = call.op(Op::Remainder, &[places, round])?;
            let back = call.op(Op::Subtract, &[round, there])?;
            call.op(Op::Minimum, &[there, back])?
        }
        other => {
            return Err(Error::value(format!("there is no mode {other} in opset {}", call.opset)));
        }
    };
    call.add(Take { axis: around.axis, batch: 0 }, &[x, numbers])
}

/// Cut to extents around the middle, or filled up with 0 around it.
pub(super) fn center_crop(call: &mut Call<'_>) -> Built {
    let (x, shape) = (call.input(0)?, call.input(1)?);
    let rank = call.rank(x)?;
    let shape = call.known(shape, "shape")?;
    let axes = match call.ints("axes")? {
        Some(axes) => axes_as_listed(&axes, rank)?,
        None => (0..rank).collect(),
    };
    if axes.len() != shape.len() {
        let (found, wanted) = (shape.len(), axes.len());
        return Err(Error::value(format!("{found} extents are given for {wanted} axes")));
    }
    let value = call.graph.number(false, call.dtype(x))?;
    let mut made = x;
    for (&axis, &to) in axes.iter().zip(&shape) {
        let extent = as_i64(call.extent(made, axis)?);
        let more = to.checked_sub(extent).filter(|_| to >= 0);
        let more = more.ok_or_else(|| Error::value(format!("there is no extent {to}")))?;
        let before = more.div_euclid(2) + i64::from(more < 0 && more % 2 != 0);
        let around = Around { axis, before, behind: more - before };
        made = around.filled(call.graph, made, value)?;
    }
    Ok(vec![made])
}
