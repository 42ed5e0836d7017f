//! Elements found by number, and numbers as rows of ones.
//!
//! DIFFERENCE: a number of a row that is not there is an error; OpenVINO gives 0 for it, and so does its CPU plugin for a negative
//! one of a Gather before opset 8, which counts from the end here. Limits, comparisons and a choice around each gather would say
//! the same, and would stand in every model that takes rows by computed numbers.

use super::{Builder, Call, Layer};
use crate::dialect::tuples;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Concatenate, ReshapeTo, Take, TakeAlong};
use crate::graph::steps::axis_of;
use crate::layout::as_i64;
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Gather",
        since: 1,
        build: |builder, call| {
            call.takes(3, 3)?;
            Ok(vec![gather(builder, call, 0)?])
        },
    },
    Layer {
        name: "Gather",
        since: 7,
        build: |builder, call| {
            call.takes(3, 3)?;
            let batch = call.attributes.integer("batch_dims")?.unwrap_or(0);
            Ok(vec![gather(builder, call, batch)?])
        },
    },
    Layer {
        name: "GatherElements",
        since: 6,
        build: |builder, call| {
            call.takes(2, 2)?;
            let data = call.input(0)?;
            let axis = axis_of(call.attributes.needed_integer("axis")?, builder.rank(data)?)?;
            Ok(vec![builder.graph.add(TakeAlong { axis }, call.inputs)?])
        },
    },
    Layer {
        name: "GatherND",
        since: 5,
        build: |builder, call| {
            call.takes(2, 2)?;
            let batch = call.attributes.integer("batch_dims")?.unwrap_or(0);
            let rows = tuples::gathered(builder.graph, call.input(0)?, call.input(1)?, batch)?;
            Ok(vec![one_batch(builder, rows, batch)?])
        },
    },
    Layer {
        name: "GatherND",
        since: 8,
        build: |builder, call| {
            call.takes(2, 2)?;
            let batch = call.attributes.integer("batch_dims")?.unwrap_or(0);
            Ok(vec![tuples::gathered(builder.graph, call.input(0)?, call.input(1)?, batch)?])
        },
    },
    Layer {
        name: "Concat",
        since: 1,
        build: |builder, call| {
            call.takes(1, usize::MAX)?;
            let rank = call.inputs.iter().find_map(|&input| builder.rank(input).ok());
            let rank = rank.map_or_else(|| builder.rank(call.input(0)?), Ok)?;
            let axis = axis_of(call.attributes.needed_integer("axis")?, rank)?;
            Ok(vec![builder.graph.add(Concatenate { axis }, call.inputs)?])
        },
    },
    Layer {
        name: "OneHot",
        since: 1,
        build: |builder, call| {
            call.takes(4, 4)?;
            Ok(vec![one_hot(builder, call, Negative::Nowhere)?])
        },
    },
    Layer {
        name: "OneHot",
        since: 16,
        build: |builder, call| {
            call.takes(4, 4)?;
            let modes = [("ignore_negative", Negative::Nowhere), ("normalize", Negative::FromEnd)];
            let negative = call.attributes.word("negative_indices_mode", &modes)?;
            Ok(vec![one_hot(builder, call, negative.unwrap_or(Negative::Nowhere))?])
        },
    },
];

/// Where a negative number is.
#[derive(Clone, Copy, Debug)]
enum Negative {
    Nowhere,
    FromEnd,
}

fn gather(builder: &mut Builder<'_>, call: &Call<'_>, batch: i64) -> Result<Id, Error> {
    let (data, numbers) = (call.input(0)?, call.input(1)?);
    let rank = builder.rank(data)?;
    let axis = axis_of(builder.known_one(call.input(2)?, "axis")?, rank)?;
    let numbers_rank = builder.rank(numbers)?;
    let batch = match batch {
        0 => 0,
        batch => {
            let signed = as_i64(numbers_rank);
            let found = usize::try_from(if batch < 0 { batch.saturating_add(signed) } else { batch }).ok();
            let wrong =
                || Error::value(format!("batch_dims is {batch}, and the rank of indices {numbers_rank}"));
            found.filter(|&batch| batch <= numbers_rank).ok_or_else(wrong)?
        }
    };
    builder.graph.add(Take { axis, batch }, &[data, numbers])
}

/// The axes of the batch as one, as opset5 has them.
fn one_batch(builder: &mut Builder<'_>, x: Id, batch: i64) -> Result<Id, Error> {
    let rank = builder.rank(x)?;
    let batch = usize::try_from(batch).unwrap_or(0);
    if batch < 2 {
        return Ok(x);
    }
    let (before, behind): (Vec<usize>, Vec<usize>) = (0..rank).partition(|&axis| axis < batch);
    let all = builder.graph.count_along(x, &before, DType::I64)?;
    let behind = builder.graph.extents_of(x, &behind)?;
    let to = builder.graph.listed(&[all, behind])?;
    builder.graph.add(ReshapeTo, &[x, to])
}

/// `on` where the place along a new axis is the number, else `off`.
fn one_hot(builder: &mut Builder<'_>, call: &Call<'_>, negative: Negative) -> Result<Id, Error> {
    let (numbers, depth, on, off) = (call.input(0)?, call.input(1)?, call.input(2)?, call.input(3)?);
    let rank = builder.rank(numbers)? + 1;
    let axis = axis_of(call.attributes.integer("axis")?.unwrap_or(-1), rank)?;
    let depth = builder.convert(depth, DType::I64)?;
    if let Some([depth]) = builder.graph.node(depth)?.integers().as_deref()
        && *depth < 0
    {
        return Err(Error::value(format!("the depth is {depth}")));
    }
    let places = builder.graph.counted(depth)?;
    let others: Vec<usize> = (0..rank).filter(|&other| other != axis).collect();
    let places = builder.graph.with_axes(places, &others)?;
    let mut numbers = builder.convert(numbers, DType::I64)?;
    if let Negative::FromEnd = negative {
        let from_end = builder.op(Op::Add, &[numbers, depth])?;
        let is_negative = builder.graph.with_number(Op::Less, numbers, 0)?;
        numbers = builder.op(Op::Where, &[is_negative, from_end, numbers])?;
    }
    let numbers = builder.graph.with_axes(numbers, &[axis])?;
    let is_it = builder.op(Op::Equal, &[numbers, places])?;
    builder.op(Op::Where, &[is_it, on, off])
}
