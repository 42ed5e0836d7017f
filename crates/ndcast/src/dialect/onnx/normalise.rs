//! Values made to have mean 0 and variance 1 along axes, and what is nothing when a model only runs.

use super::call::{Built, Call};
use super::element;
use super::fold::spatial;
use crate::array::Keep;
use crate::dialect::normal::{self, Nearby};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::ReshapeTo;
use crate::graph::steps::{axes_of, axis_of};
use crate::op::Op;
use crate::reduction::Reduction;

/// The type in which the first stage is computed; f32 unless `stash_type` says another.
fn stash(call: &mut Call<'_>) -> Result<DType, Error> {
    let code = call.int("stash_type", 1)?;
    element::dtype(code)
}

/// `x * scale + bias`, both laid on x.
fn scaled(call: &mut Call<'_>, x: Id, scale: Id, bias: Option<Id>) -> Result<Id, Error> {
    let scale = call.laid(x, scale)?;
    let scaled = call.graph.apply(Op::Multiply, &[x, scale])?;
    match bias {
        None => Ok(scaled),
        Some(bias) => {
            let bias = call.laid(x, bias)?;
            call.graph.apply(Op::Add, &[scaled, bias])
        }
    }
}

/// From an axis on. The optional outputs are the mean and 1 by the deviation, in the type of the first stage.
pub(super) fn layer(call: &mut Call<'_>) -> Built {
    let (x, scale, bias) = (call.input(0)?, call.input(1)?, call.optional(2));
    let (dtype, rank) = (call.dtype(x), call.rank(x)?);
    let axis = call.int("axis", -1)?;
    let axes: Vec<usize> = (axis_of(axis, rank)?..rank).collect();
    let epsilon = call.float("epsilon", 1e-5)?;
    let within = stash(call)?;
    let x = call.convert(x, within)?;
    let [normal, mean, inverse] = normal::standard(call.graph, x, &axes, epsilon)?;
    let normal = call.convert(normal, dtype)?;
    Ok(vec![scaled(call, normal, scale, bias)?, mean, inverse])
}

pub(super) fn root_mean_square(call: &mut Call<'_>) -> Built {
    let (x, scale) = (call.input(0)?, call.input(1)?);
    let (dtype, rank) = (call.dtype(x), call.rank(x)?);
    let axis = call.int("axis", -1)?;
    let axes: Vec<usize> = (axis_of(axis, rank)?..rank).collect();
    let epsilon = call.float("epsilon", 1e-5)?;
    let within = stash(call)?;
    let x = call.convert(x, within)?;
    let (normal, _) = normal::unit(call.graph, x, &axes, epsilon)?;
    // "The output has the type of the scale."
    let normal = call.convert(normal, dtype)?;
    let normal = call.convert(normal, call.dtype(scale))?;
    Ok(vec![scaled(call, normal, scale, None)?])
}

pub(super) fn instance(call: &mut Call<'_>) -> Built {
    let (x, scale, bias) = (call.input(0)?, call.input(1)?, call.input(2)?);
    if call.opset < 6 {
        call.attribute("consumed_inputs");
    }
    let axes = spatial(call, x)?;
    let epsilon = call.float("epsilon", 1e-5)?;
    let [normal, ..] = normal::standard(call.graph, x, &axes, epsilon)?;
    let [scale, bias] = by_channel(call, [scale, bias], x)?;
    Ok(vec![scaled(call, normal, scale, Some(bias))?])
}

/// One number a channel, each laid on the second axis.
fn by_channel<const N: usize>(call: &mut Call<'_>, mut of: [Id; N], x: Id) -> Result<[Id; N], Error> {
    for one in &mut of {
        *one = normal::by_channel(call.graph, *one, x)?;
    }
    Ok(of)
}

/// Channels in groups, each normalised with its places. The scale and the bias are one a channel, but one a group before
/// opset 21.
pub(super) fn group(call: &mut Call<'_>) -> Built {
    let (x, scale, bias) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let dtype = call.dtype(x);
    spatial(call, x)?;
    let groups = call.maybe_int("num_groups")?.filter(|&groups| groups > 0);
    let groups = groups.ok_or_else(|| Error::value("num_groups is missing or not positive".to_owned()))?;
    let epsilon = call.float("epsilon", 1e-5)?;
    let within = if call.opset >= 21 { stash(call)? } else { dtype };
    let shape = call.graph.shape_of(x)?;
    let grouped = normal::in_groups(call.graph, x, groups)?;
    let grouped = call.convert(grouped, within)?;
    let [normal, ..] = normal::standard(call.graph, grouped, &[2], epsilon)?;
    let mut normal = call.convert(normal, dtype)?;
    if call.opset < 21 {
        let [scale, bias] = by_channel(call, [scale, bias], normal)?;
        normal = scaled(call, normal, scale, Some(bias))?;
        return Ok(vec![call.add(ReshapeTo, &[normal, shape])?]);
    }
    normal = call.add(ReshapeTo, &[normal, shape])?;
    let [scale, bias] = by_channel(call, [scale, bias], x)?;
    Ok(vec![scaled(call, normal, scale, Some(bias))?])
}

/// By the mean and the variance of training, which are given: only that, and not training itself.
pub(super) fn batch(call: &mut Call<'_>) -> Built {
    let (x, scale, bias) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let (mean, variance) = (call.input(3)?, call.input(4)?);
    let epsilon = call.float("epsilon", 1e-5)?;
    call.float("momentum", 0.9)?;
    if call.opset < 9 {
        call.int("spatial", 1)?;
    }
    let training = match call.opset {
        ..7 => {
            call.attribute("consumed_inputs");
            !call.truth("is_test", 0)?
        }
        7..14 => call.outputs > 1,
        _ => call.truth("training_mode", 0)?,
    };
    if training || call.outputs > 1 {
        return Err(Error::value("it is not trained here; its only output is the first".to_owned()));
    }
    let (rank, dtype) = (call.rank(x)?, call.dtype(x));
    let within = call.dtype(mean);
    let mut by = [mean, variance, scale, bias];
    for one in &mut by {
        let widened = call.convert(*one, within)?;
        // An input of one axis has only its batch, and one channel.
        *one = if rank == 1 { widened } else { normal::by_channel(call.graph, widened, x)? };
    }
    let [mean, variance, scale, bias] = by;
    let x = call.convert(x, within)?;
    let mean = call.laid(x, mean)?;
    let centred = call.graph.apply(Op::Subtract, &[x, mean])?;
    let deviation = normal::deviation(call.graph, variance, epsilon)?;
    let normal = call.op(Op::Divide, &[centred, deviation])?;
    let result = scaled(call, normal, scale, Some(bias))?;
    Ok(vec![call.convert(result, dtype)?])
}

pub(super) fn mean_variance(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axes = call.ints("axes")?.unwrap_or_else(|| vec![0, 2, 3]);
    let axes = axes_of(&axes, call.rank(x)?)?;
    let (x, own) = normal::widened(call.graph, x)?;
    let (centred, _) = normal::centred(call.graph, x, &axes)?;
    let variance = normal::mean_square(call.graph, centred, &axes)?;
    let deviation = call.graph.apply(Op::Sqrt, &[variance])?;
    // The function that defines it adds 1e-9 to the deviation itself.
    let deviation = call.graph.with_number(Op::Add, deviation, 1e-9)?;
    let result = call.op(Op::Divide, &[centred, deviation])?;
    Ok(vec![normal::converted(call.graph, result, own)?])
}

/// By the squares of so many channels near each one, of which the greater half is behind it.
pub(super) fn local_response(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    spatial(call, x)?;
    let size = call.maybe_int("size")?.filter(|&size| size > 0);
    let size = size.ok_or_else(|| Error::value("its size is missing or not positive".to_owned()))?;
    let (alpha, beta, bias) =
        (call.float("alpha", 1e-4)?, call.float("beta", 0.75)?, call.float("bias", 1.0)?);
    let nearby = Nearby { before: (size - 1) / 2, behind: size / 2 };
    let (x, own) = normal::widened(call.graph, x)?;
    let squares = call.graph.apply(Op::Square, &[x])?;
    let sum = normal::sum_nearby(call.graph, squares, 1, nearby)?;
    let sum = call.graph.with_number(Op::Multiply, sum, alpha / size as f64)?;
    let sum = call.graph.with_number(Op::Add, sum, bias)?;
    let measure = call.graph.with_number(Op::Pow, sum, beta)?;
    let result = call.op(Op::Divide, &[x, measure])?;
    Ok(vec![normal::converted(call.graph, result, own)?])
}

/// By the sum of the distances from 0, or the root of the sum of the squares; where that is 0 the result is 0.
pub(super) fn lp(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let axis = call.int("axis", -1)?;
    let axis = axis_of(axis, call.rank(x)?)?;
    let (x, own) = normal::widened(call.graph, x)?;
    let p = call.int("p", 2)?;
    let size = match p {
        1 => Op::Abs,
        2 => Op::Square,
        other => return Err(Error::value(format!("its p is 1 or 2, not {other}"))),
    };
    let sizes = call.graph.apply(size, &[x])?;
    let sum = call.graph.fold(Reduction::Sum, sizes, &[axis], Keep::Axes)?;
    let (zero, one) = (call.graph.full_like(0, sum)?, call.graph.full_like(1, sum)?);
    let none = call.graph.apply(Op::Equal, &[sum, zero])?;
    // A root of 0 has no gradient, also where it is not chosen.
    let some = call.graph.apply(Op::Where, &[none, one, sum])?;
    let norm = if p == 2 { call.graph.apply(Op::Sqrt, &[some])? } else { some };
    let quotient = call.op(Op::Divide, &[x, norm])?;
    let result = call.op(Op::Where, &[none, zero, quotient])?;
    Ok(vec![normal::converted(call.graph, result, own)?])
}

/// Nothing when a model only runs. The second output says that all stays.
pub(super) fn dropout(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    if call.opset < 12 {
        call.float("ratio", 0.5)?;
        if call.opset < 7 && !call.truth("is_test", 0)? {
            return Err(Error::value("it does not train here, and is_test is not 1".to_owned()));
        }
        if call.opset < 6 {
            call.attribute("consumed_inputs");
        }
    } else {
        call.int("seed", 0)?;
        // Without anything to drop, training does nothing either.
        if let Some(training) = call.optional(2)
            && call.integers(training) != Some(vec![0])
            && !nothing_dropped(call)
        {
            let what = if call.integers(training).is_some() { "is not false" } else { "must be known" };
            return Err(Error::value(format!("it does not train here, and training_mode {what}")));
        }
    }
    if call.outputs < 2 {
        return Ok(vec![x]);
    }
    let mask = call.graph.number(true, DType::Bool)?;
    let mask = call.laid(x, mask)?;
    // Before opset 10 the mask had the input's type.
    let dtype = if call.opset < 10 { call.dtype(x) } else { DType::Bool };
    Ok(vec![x, call.convert(mask, dtype)?])
}

/// Whether the ratio is known to be 0.
fn nothing_dropped(call: &Call<'_>) -> bool {
    let ratio = call.optional(1).and_then(|ratio| call.node(ratio).constant().cloned());
    let ratio = ratio.map(|ratio| crate::array::Array::from(ratio).convert(DType::F64).item::<f64>());
    matches!(ratio, Some(Ok(ratio)) if ratio == 0.0)
}
