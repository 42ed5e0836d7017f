//! Folds along axes, and what is made of them: means, norms, the place of the greatest, running folds, softmax.

use ndcast_shape::Extent;

use super::call::{Built, Call};
use crate::array::Keep;
use crate::convert::Overflow;
use crate::dialect::normal;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Accumulate, Direction, Find, Start};
use crate::graph::steps::{axes_of, axis_of};
use crate::op::Op;
use crate::reduction::Reduction;

/// Along which axes, and whether they stay.
struct Along {
    axes: Vec<usize>,
    keep: Keep,
}

/// The axes are an attribute before this opset, then an input.
const AXES_ARE_INPUT: i64 = 18;

/// What a fold goes along. No axes are all of them, or none if `noop_with_empty_axes` says so.
fn along(call: &mut Call<'_>, x: Id, since: i64) -> Result<Along, Error> {
    let rank = call.rank(x)?;
    let axes = call.list("axes", since, 1)?.unwrap_or_default();
    let keep = if call.truth("keepdims", 1)? { Keep::Axes } else { Keep::Nothing };
    let none = call.opset >= since && call.truth("noop_with_empty_axes", 0)?;
    let axes = match (&axes[..], none) {
        ([], true) => Vec::new(),
        ([], false) => (0..rank).collect(),
        (axes, _) => axes_of(axes, rank)?,
    };
    Ok(Along { axes, keep })
}

/// A fold of the records.
pub(super) fn plain(call: &mut Call<'_>, reduction: Reduction) -> Built {
    let x = call.input(0)?;
    // The axes of the sum became an input first.
    let since = if reduction == Reduction::Sum { 13 } else { AXES_ARE_INPUT };
    let along = along(call, x, since)?;
    folded(call, reduction, x, &along).map(|id| vec![id])
}

fn folded(call: &mut Call<'_>, reduction: Reduction, x: Id, along: &Along) -> Result<Id, Error> {
    // Truth values have a greatest and a least since opset 20.
    let reduction = reduction.of(call.dtype(x));
    call.graph.fold(reduction, x, &along.axes, along.keep)
}

/// The axes, and the input as floats: of integers it is computed in f64, and cut off at the end, of halves in f32.
fn in_floats(
    call: &mut Call<'_>,
    make: impl FnOnce(&mut Call<'_>, Id, &Along) -> Result<Id, Error>,
) -> Built {
    let x = call.input(0)?;
    let along = along(call, x, AXES_ARE_INPUT)?;
    let dtype = call.dtype(x);
    let within = if dtype.class() == Class::Float { normal::within(dtype) } else { DType::F64 };
    let x = call.convert(x, within)?;
    let made = make(call, x, &along)?;
    Ok(vec![call.convert_as(made, dtype, Overflow::Numpy)?])
}

pub(super) fn l1(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let along = along(call, x, AXES_ARE_INPUT)?;
    // Numbers without a sign are their own distance from 0.
    let x = if call.dtype(x).class() == Class::Unsigned { x } else { call.graph.apply(Op::Abs, &[x])? };
    Ok(vec![folded(call, Reduction::Sum, x, &along)?])
}

pub(super) fn l2(call: &mut Call<'_>) -> Built {
    in_floats(call, |call, x, along| {
        let square = call.graph.apply(Op::Square, &[x])?;
        let sum = folded(call, Reduction::Sum, square, along)?;
        call.graph.apply(Op::Sqrt, &[sum])
    })
}

pub(super) fn sum_square(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let along = along(call, x, AXES_ARE_INPUT)?;
    let (x, own) = normal::widened(call.graph, x)?;
    let square = call.graph.apply(Op::Square, &[x])?;
    let sum = folded(call, Reduction::Sum, square, &along)?;
    Ok(vec![normal::converted(call.graph, sum, own)?])
}

pub(super) fn log_sum(call: &mut Call<'_>) -> Built {
    in_floats(call, |call, x, along| {
        let sum = folded(call, Reduction::Sum, x, along)?;
        call.graph.apply(Op::Log, &[sum])
    })
}

/// With the greatest taken off first, so that no exponential is infinite; an infinite greatest is not taken off.
pub(super) fn log_sum_exp(call: &mut Call<'_>) -> Built {
    in_floats(call, |call, x, along| {
        let greatest = call.graph.fold(Reduction::Max, x, &along.axes, Keep::Axes)?;
        let finite = call.graph.apply(Op::Isfinite, &[greatest])?;
        let zero = call.graph.full_like(0, greatest)?;
        let off = call.graph.apply(Op::Where, &[finite, greatest, zero])?;
        let less = call.op(Op::Subtract, &[x, off])?;
        let exp = call.graph.apply(Op::Exp, &[less])?;
        let sum = call.graph.fold(Reduction::Sum, exp, &along.axes, Keep::Axes)?;
        let log = call.graph.apply(Op::Log, &[sum])?;
        let result = call.graph.apply(Op::Add, &[log, off])?;
        if along.keep == Keep::Axes { Ok(result) } else { call.squeezed(result, &along.axes) }
    })
}

pub(super) fn mean(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let along = along(call, x, AXES_ARE_INPUT)?;
    Ok(vec![normal::mean(call.graph, x, &along.axes, along.keep)?])
}

/// Over all axes behind the first two: batch and channel.
pub(super) fn spatial(call: &Call<'_>, x: Id) -> Result<Vec<usize>, Error> {
    let rank = call.rank(x)?;
    if rank < 2 {
        return Err(Error::value(format!(
            "its input has a batch and channels, and this one has rank {rank}"
        )));
    }
    Ok((2..rank).collect())
}

pub(super) fn global_average(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axes = spatial(call, x)?;
    Ok(vec![normal::mean(call.graph, x, &axes, Keep::Axes)?])
}

pub(super) fn global_max(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axes = spatial(call, x)?;
    Ok(vec![call.graph.fold(Reduction::Max, x, &axes, Keep::Axes)?])
}

/// The root of the sum of powers of distances from 0.
pub(super) fn global_lp(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axes = spatial(call, x)?;
    let p = if call.opset < 2 { call.float("p", 2.0)? } else { call.int("p", 2)? as f64 };
    let (x, own) = normal::widened(call.graph, x)?;
    let abs = call.graph.apply(Op::Abs, &[x])?;
    let powers = call.graph.with_number(Op::Pow, abs, p)?;
    let sum = call.graph.fold(Reduction::Sum, powers, &axes, Keep::Axes)?;
    let root = call.graph.with_number(Op::Pow, sum, 1.0 / p)?;
    Ok(vec![normal::converted(call.graph, root, own)?])
}

pub(super) fn arg_max(call: &mut Call<'_>) -> Built {
    find(call, Reduction::Max)
}

pub(super) fn arg_min(call: &mut Call<'_>) -> Built {
    find(call, Reduction::Min)
}

/// The first place of equal ones, or the last if `select_last_index` says so (since opset 12).
fn find(call: &mut Call<'_>, which: Reduction) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    let axis = call.int("axis", 0)?;
    let axis = axis_of(axis, rank)?;
    let keep = if call.truth("keepdims", 1)? { Keep::Axes } else { Keep::Nothing };
    let last = call.opset >= 12 && call.truth("select_last_index", 0)?;
    let kind = Find { which, axis, keep, to: DType::I64 };
    if !last {
        return Ok(vec![call.add(kind, &[x])?]);
    }
    let turned = call.graph.flipped(x, axis)?;
    let found = call.add(kind, &[turned])?;
    let count = call.graph.count_along(x, &[axis], DType::I64)?;
    let one = call.graph.number(1, DType::I64)?;
    let last = call.graph.apply(Op::Subtract, &[count, one])?;
    Ok(vec![call.op(Op::Subtract, &[last, found])?])
}

pub(super) fn cumulative_sum(call: &mut Call<'_>) -> Built {
    running(call, Reduction::Sum)
}

pub(super) fn cumulative_product(call: &mut Call<'_>) -> Built {
    running(call, Reduction::Prod)
}

fn running(call: &mut Call<'_>, reduction: Reduction) -> Built {
    let (x, axis) = (call.input(0)?, call.input(1)?);
    let axis = call.known_one(axis, "axis")?;
    let axis = axis_of(axis, call.rank(x)?)?;
    let start = if call.truth("exclusive", 0)? { Start::Before } else { Start::With };
    let direction = if call.truth("reverse", 0)? { Direction::Backward } else { Direction::Forward };
    Ok(vec![call.add(Accumulate { reduction, axis, direction, start }, &[x])?])
}

/// Along which axes a softmax goes: before opset 13 all from the attribute on (1 by default), since then that one (the
/// last by default).
fn softmax_axes(call: &mut Call<'_>, x: Id) -> Result<Vec<usize>, Error> {
    let rank = call.rank(x)?;
    if call.opset < 13 {
        let axis = call.int("axis", 1)?;
        // "The input is coerced into two axes": those before and those from the axis on, which may be none.
        let axis = if usize::try_from(axis) == Ok(rank) { rank } else { axis_of(axis, rank)? };
        return Ok((axis..rank).collect());
    }
    let axis = call.int("axis", -1)?;
    Ok(vec![axis_of(axis, rank)?])
}

pub(super) fn softmax(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axes = softmax_axes(call, x)?;
    Ok(vec![normal::softmax(call.graph, x, &axes)?])
}

pub(super) fn log_softmax(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axes = softmax_axes(call, x)?;
    Ok(vec![normal::log_softmax(call.graph, x, &axes)?])
}

/// 1 where the first greatest is, 0 elsewhere.
pub(super) fn hardmax(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axes = softmax_axes(call, x)?;
    let dims = call.graph.node(x)?.dims().unwrap_or_default();
    if axes.iter().any(|&axis| dims.get(axis).is_some_and(|dim| dim.known() == Some(0))) {
        // Of no elements none is the greatest, and there is none to say so of.
        return Ok(vec![x]);
    }
    let dtype = call.dtype(x);
    // Of several axes as one: the first place among all.
    let flat = match axes[..] {
        [_] => x,
        _ => {
            let rank = call.rank(x)?;
            let before: Vec<usize> = (0..rank - axes.len()).collect();
            let rows = call.graph.count_along(x, &before, DType::I64)?;
            let columns = call.graph.count_along(x, &axes, DType::I64)?;
            let to = call.graph.listed(&[rows, columns])?;
            call.add(crate::graph::kind::ReshapeTo, &[x, to])?
        }
    };
    let axis = if axes.len() == 1 { axes[0] } else { 1 };
    let find = Find { which: Reduction::Max, axis, keep: Keep::Axes, to: DType::I64 };
    let found = call.add(find, &[flat])?;
    let places = call.graph.places_along(flat, axis)?;
    let there = call.op(Op::Equal, &[places, found])?;
    let there = call.convert(there, dtype)?;
    if axes.len() == 1 {
        return Ok(vec![there]);
    }
    let shape = call.graph.shape_of(x)?;
    Ok(vec![call.add(crate::graph::kind::ReshapeTo, &[there, shape])?])
}
