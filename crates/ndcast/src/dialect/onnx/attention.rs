//! Attention, and positions turned into rotations for it.
//!
//! Heads are the second of four axes: batch, heads, sequence, and what a head has of each element. An input of three axes has
//! the heads side by side along its last. Several heads of queries may share one of keys and values.

use std::num::NonZeroI64;

use ndcast_shape::{Extent, Index};

use super::call::{Built, Call};
use super::element;
use crate::array::Keep;
use crate::dialect::{attention, normal};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Concatenate, MatMul, ReshapeTo, Slice, Take, Transpose};
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;

/// With the axes of the heads and the sequence in each other's place.
fn turned(call: &mut Call<'_>, x: Id) -> Result<Id, Error> {
    call.add(Transpose::new([0, 2, 1, 3]), &[x])
}

/// What lies along the last of three axes as so many heads, still behind the sequence.
fn in_heads(call: &mut Call<'_>, x: Id, heads: i64) -> Result<Id, Error> {
    if heads < 1 {
        return Err(Error::value(format!("there are {heads} heads")));
    }
    if let Some(all) = call.maybe_extent(x, 2)
        && i64::try_from(all).is_ok_and(|all| all % heads != 0)
    {
        return Err(Error::value(format!("{all} elements along axis 2 are no {heads} heads")));
    }
    let before = call.graph.extents_of(x, &[0, 1])?;
    let all = call.graph.count_along(x, &[2], DType::I64)?;
    let each = call.graph.with_number(Op::DivideTowardZero, all, heads)?;
    let heads = call.graph.number(heads, DType::I64)?;
    let to = call.graph.listed(&[before, heads, each])?;
    call.add(ReshapeTo, &[x, to])
}

/// The last two of four axes as one.
fn side_by_side(call: &mut Call<'_>, x: Id) -> Result<Id, Error> {
    let before = call.graph.extents_of(x, &[0, 1])?;
    let all = call.graph.count_along(x, &[2, 3], DType::I64)?;
    let to = call.graph.listed(&[before, all])?;
    call.add(ReshapeTo, &[x, to])
}

pub(super) fn attention(call: &mut Call<'_>) -> Built {
    let mut given = [call.input(0)?, call.input(1)?, call.input(2)?];
    let rank = call.rank(given[0])?;
    if !matches!(rank, 3 | 4) || given.iter().any(|&id| call.rank(id) != Ok(rank)) {
        return Err(Error::value("queries, keys and values all have 3 axes, or all have 4".to_owned()));
    }
    let heads = [call.maybe_int("q_num_heads")?, call.maybe_int("kv_num_heads")?];
    if rank == 3 {
        let [Some(own), Some(theirs)] = heads else {
            return Err(Error::value("of 3 axes q_num_heads and kv_num_heads must be given".to_owned()));
        };
        for (id, heads) in given.iter_mut().zip([own, theirs, theirs]) {
            let apart = in_heads(call, *id, heads)?;
            *id = turned(call, apart)?;
        }
    } else if call.opset >= 25 && heads != [None, None] {
        return Err(Error::value("q_num_heads and kv_num_heads are for inputs of 3 axes".to_owned()));
    }
    let [query, mut key, mut value] = given;
    let first = first_place(call, query)?;
    if let (Some(past_key), Some(past_value)) = (call.optional(4), call.optional(5)) {
        key = call.add(Concatenate { axis: 2 }, &[past_key, key])?;
        value = call.add(Concatenate { axis: 2 }, &[past_value, value])?;
    }
    let scores = scores(call, query, key)?;
    let softcap = call.float("softcap", 0.0)?;
    let capped = match softcap > 0.0 {
        false => scores,
        true => {
            let within = call.graph.with_number(Op::Divide, scores, softcap)?;
            let within = call.graph.apply(Op::Tanh, &[within])?;
            call.graph.with_number(Op::Multiply, within, softcap)?
        }
    };
    let bias = bias(call, capped, first)?;
    let biased = match bias {
        None => capped,
        Some(bias) => call.op(Op::Add, &[capped, bias])?,
    };
    let weights = weights(call, biased, bias)?;
    let shown = match call.int("qk_matmul_output_mode", 0)? {
        0 => scores,
        1 => capped,
        2 => biased,
        3 => weights,
        other => return Err(Error::value(format!("its qk_matmul_output_mode is 0 to 3, not {other}"))),
    };
    let mut made = by_heads(call, weights, value)?;
    if rank == 3 {
        let behind = turned(call, made)?;
        made = side_by_side(call, behind)?;
    }
    Ok(vec![made, key, value, shown])
}

/// At which place among the keys the first query stands: behind those of the past, or so that the last query stands at the
/// last key that is none of padding. `None` is at the first.
fn first_place(call: &mut Call<'_>, query: Id) -> Result<Option<Id>, Error> {
    let past = [call.optional(4), call.optional(5)];
    match (past, call.optional(6)) {
        ([None, None], None) => Ok(None),
        ([Some(past), Some(_)], None) => {
            let rank = call.rank(past)?;
            if rank != 4 {
                return Err(Error::value(format!("what is past has 4 axes, and the rank is {rank}")));
            }
            Ok(Some(call.graph.count_along(past, &[2], DType::I64)?))
        }
        ([None, None], Some(lengths)) => {
            let lengths = by_batch(call, lengths)?;
            let queries = call.graph.count_along(query, &[2], DType::I64)?;
            Ok(Some(call.op(Op::Subtract, &[lengths, queries])?))
        }
        ([Some(_), Some(_)], Some(_)) => {
            Err(Error::value("it takes a past or nonpad_kv_seqlen, and both are given".to_owned()))
        }
        _ => Err(Error::value("of past_key and past_value one is given without the other".to_owned())),
    }
}

/// One number for each of the batch, along the first of four axes.
fn by_batch(call: &mut Call<'_>, lengths: Id) -> Result<Id, Error> {
    let rank = call.rank(lengths)?;
    if rank != 1 {
        return Err(Error::value(format!("nonpad_kv_seqlen lies along one axis, and its rank is {rank}")));
    }
    let lengths = call.convert(lengths, DType::I64)?;
    call.graph.along(lengths, 0, 4)
}

/// Products of queries and keys, each by the root of the scale before.
fn scores(call: &mut Call<'_>, query: Id, key: Id) -> Result<Id, Error> {
    let dtype = call.dtype(query);
    let root = if call.attribute("scale").is_some() {
        let scale = call.float("scale", 0.0)?;
        call.graph.number(scale.sqrt(), dtype)?
    } else {
        let length = call.graph.count_along(query, &[3], DType::F64)?;
        let root = call.graph.apply(Op::Sqrt, &[length])?;
        let root = call.graph.apply(Op::Sqrt, &[root])?;
        let root = call.graph.apply(Op::Reciprocal, &[root])?;
        call.convert(root, dtype)?
    };
    let query = call.graph.op(Op::Multiply, &[query, root])?;
    let key = call.graph.op(Op::Multiply, &[key, root])?;
    let turned = call.add(Transpose::new([0, 1, 3, 2]), &[key])?;
    by_heads(call, query, turned)
}

/// A product of matrices, head by head; each of the second may go with several heads of the first in a row.
fn by_heads(call: &mut Call<'_>, a: Id, b: Id) -> Result<Id, Error> {
    let dims = [call.dims(a)?, call.dims(b)?].map(|dims| dims[1].clone());
    if dims[0].same(&dims[1]) {
        return call.add(MatMul, &[a, b]);
    }
    if let [Some(own), Some(theirs)] = [&dims[0], &dims[1]].map(Extent::known)
        && (theirs == 0 || own % theirs != 0)
    {
        return Err(Error::value(format!("{own} heads of queries do not share {theirs} of keys and values")));
    }
    // Heads that do not go into those of the first turn out to be too many.
    let (own, theirs) =
        (call.graph.count_along(a, &[1], DType::I64)?, call.graph.count_along(b, &[1], DType::I64)?);
    let each = call.graph.apply(Op::FloorDivide, &[own, theirs])?;
    let before = call.graph.extents_of(a, &[0])?;
    let behind = call.graph.extents_of(a, &[2, 3])?;
    let to = call.graph.listed(&[before, theirs, each, behind])?;
    let a = call.add(ReshapeTo, &[a, to])?;
    let b = call.graph.with_axes(b, &[2])?;
    let made = call.add(MatMul, &[a, b])?;
    let behind = call.graph.extents_of(made, &[3, 4])?;
    let to = call.graph.listed(&[before, own, behind])?;
    call.add(ReshapeTo, &[made, to])
}

/// What is added to scores: a mask of floats, and minus infinity where a key does not count for a query.
fn bias(call: &mut Call<'_>, scores: Id, first: Option<Id>) -> Result<Option<Id>, Error> {
    let mask = call.optional(3).map(|mask| as_long(call, mask, scores)).transpose()?;
    let (mut counts, added) = match mask {
        Some(mask) if call.dtype(mask) == DType::Bool => (vec![mask], None),
        mask => (Vec::new(), mask),
    };
    let causal = call.truth("is_causal", 0)?;
    let window = |call: &mut Call<'_>, name| {
        let size = if call.opset >= 25 { call.int(name, -1)? } else { -1 };
        if size < -1 { Err(Error::value(format!("its {name} is {size}"))) } else { Ok(size) }
    };
    let (left, right) = (window(call, "left_window_size")?, window(call, "right_window_size")?);
    if causal || left >= 0 || right >= 0 {
        let before = attention::places_before(call.graph, scores, first)?;
        let most = if causal { Some(0) } else { None };
        let most = [most, (right >= 0).then_some(right)].into_iter().flatten().min();
        if let Some(most) = most {
            counts.push(call.graph.with_number(Op::LessEqual, before, most)?);
        }
        if left >= 0 {
            counts.push(call.graph.with_number(Op::GreaterEqual, before, -left)?);
        }
    }
    if let Some(lengths) = call.optional(6) {
        let lengths = by_batch(call, lengths)?;
        let places = call.graph.places_along(scores, 3)?;
        counts.push(call.op(Op::Less, &[places, lengths])?);
    }
    let Some(&one) = counts.first() else { return Ok(added) };
    let counts = counts[1..].iter().try_fold(one, |all, &other| call.op(Op::LogicalAnd, &[all, other]))?;
    let bias = attention::bias_of(call.graph, counts, scores)?;
    match added {
        None => Ok(Some(bias)),
        Some(added) => call.op(Op::Add, &[bias, added]).map(Some),
    }
}

/// A mask that may be shorter than there are keys: those that it does not reach do not count.
fn as_long(call: &mut Call<'_>, mask: Id, scores: Id) -> Result<Id, Error> {
    let rank = call.rank(mask)?;
    if rank > 4 {
        return Err(Error::value(format!("a mask has at most 4 axes, and the rank is {rank}")));
    }
    let Some(last) = rank.checked_sub(1) else { return Ok(mask) };
    if call.dims(mask)?[last].same(&call.dims(scores)?[3]) {
        return Ok(mask);
    }
    let before: Vec<usize> = (0..last).collect();
    let before = call.graph.extents_of(mask, &before)?;
    let (own, all) = (call.graph.extents_of(mask, &[last])?, call.graph.extents_of(scores, &[3])?);
    let missing = call.op(Op::Subtract, &[all, own])?;
    let missing = call.graph.with_number(Op::Maximum, missing, 0)?;
    let shape = call.graph.listed(&[before, missing])?;
    let never = match call.dtype(mask) {
        DType::Bool => call.graph.number(false, DType::Bool)?,
        dtype => call.graph.number(f64::NEG_INFINITY, dtype)?,
    };
    let rest = call.graph.over(never, shape)?;
    call.add(Concatenate { axis: last }, &[mask, rest])
}

/// The softmax of the scores along the keys, with nothing for a query for which no key counts.
fn weights(call: &mut Call<'_>, scores: Id, bias: Option<Id>) -> Result<Id, Error> {
    let dtype = call.dtype(scores);
    let within = match call.maybe_int("softmax_precision")? {
        None => dtype,
        Some(code) => element::dtype(code)?,
    };
    let mut scores = call.convert(scores, within)?;
    // For which queries there is a key.
    let mut some = None;
    if let Some(bias) = bias
        && let Some(last) = call.rank(bias)?.checked_sub(1)
    {
        let never = call.graph.full_like(f64::NEG_INFINITY, bias)?;
        let counts = call.graph.apply(Op::NotEqual, &[bias, never])?;
        let any = call.graph.fold(Reduction::Any, counts, &[last], Keep::Axes)?;
        // The softmax of nothing is no number, and neither are its gradients.
        let zero = call.graph.number(0, within)?;
        scores = call.op(Op::Where, &[any, scores, zero])?;
        some = Some(any);
    }
    let weights = normal::softmax(call.graph, scores, &[3])?;
    let weights = call.convert(weights, dtype)?;
    let Some(some) = some else { return Ok(weights) };
    let zero = call.graph.number(0, dtype)?;
    call.op(Op::Where, &[some, weights, zero])
}

/// Pairs of elements turned by angles whose cosines and sines are given: the first half with the second, or one with the next.
pub(super) fn rotary(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let heads = call.int("num_heads", 0)?;
    // The axis of the heads: before the sequence, or behind it.
    let (whole, axis) = match call.rank(x)? {
        4 => (x, 1),
        3 => (in_heads(call, x, heads)?, 2),
        rank => return Err(Error::value(format!("it takes an input of rank 3 or 4, and this has {rank}"))),
    };
    let all = call.extent(whole, 3)?;
    let signed = as_i64(all);
    let turns = match call.int("rotary_embedding_dim", 0)? {
        0 => signed,
        some => some,
    };
    if !(1..=signed).contains(&turns) || turns % 2 != 0 {
        return Err(Error::value(format!("{turns} of {all} elements of a head are turned in pairs")));
    }
    let [cosine, sine] = [angles(call, 1, axis, turns / 2)?, angles(call, 2, axis, turns / 2)?];
    let turned = call.graph.part(whole, 3, None, Some(turns))?;
    let alternating = call.truth("interleaved", 0)?;
    let [a, b] = if alternating {
        let every_second = |start| Index::Slice { start: Some(start), stop: None, step: TWO };
        let index = |start| vec![Index::WHOLE, Index::WHOLE, Index::WHOLE, every_second(start)];
        [call.add(Slice { index: index(0) }, &[turned])?, call.add(Slice { index: index(1) }, &[turned])?]
    } else {
        [
            call.graph.part(turned, 3, None, Some(turns / 2))?,
            call.graph.part(turned, 3, Some(turns / 2), None)?,
        ]
    };
    let product = |call: &mut Call<'_>, a, b| call.op(Op::Multiply, &[a, b]);
    let (ac, bs) = (product(call, cosine, a)?, product(call, sine, b)?);
    let (a_s, bc) = (product(call, sine, a)?, product(call, cosine, b)?);
    let real = call.op(Op::Subtract, &[ac, bs])?;
    let imaginary = call.op(Op::Add, &[a_s, bc])?;
    let mut made = if alternating {
        let parts = [call.graph.with_axes(real, &[4])?, call.graph.with_axes(imaginary, &[4])?];
        let pairs = call.add(Concatenate { axis: 4 }, &parts)?;
        let shape = call.graph.shape_of(turned)?;
        call.add(ReshapeTo, &[pairs, shape])?
    } else {
        call.add(Concatenate { axis: 3 }, &[real, imaginary])?
    };
    if turns < signed {
        let rest = call.graph.part(whole, 3, Some(turns), None)?;
        made = call.add(Concatenate { axis: 3 }, &[made, rest])?;
    }
    if axis == 2 {
        made = side_by_side(call, made)?;
    }
    Ok(vec![made])
}

const TWO: NonZeroI64 = NonZeroI64::new(2).unwrap();

/// Cosines or sines for each place of each sequence: given so, or found by positions. The heads have them in common.
fn angles(call: &mut Call<'_>, place: usize, heads: usize, count: i64) -> Result<Id, Error> {
    let table = call.input(place)?;
    let by_place = match call.optional(3) {
        None => table,
        Some(positions) => call.add(Take { axis: 0, batch: 0 }, &[table, positions])?,
    };
    let dims = call.dims(by_place)?;
    let fits = |extent: usize| i64::try_from(extent) == Ok(count);
    if dims.len() != 3 || !dims[2].known().is_none_or(fits) {
        let shape = ndcast_shape::Shape::from(dims);
        return Err(Error::value(format!(
            "there are {count} angles for each place of each sequence, and those given are {shape}"
        )));
    }
    call.graph.with_axes(by_place, &[heads])
}
