//! ScaledDotProductAttention: rows of values, each by how alike a query and its key are.

use super::{Builder, Call, Layer};
use crate::dialect::{attention, normal};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Concatenate, MatMul, ReshapeTo, Transpose};
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[Layer {
    name: "ScaledDotProductAttention",
    since: 13,
    build: |builder, call| {
        call.takes(3, 6)?;
        Ok(vec![scaled_dot_product(builder, call)?])
    },
}];

fn scaled_dot_product(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    let given = [call.input(0)?, call.input(1)?, call.input(2)?];
    for (id, name) in given.into_iter().zip(["query", "key", "value"]) {
        let rank = builder.rank(id)?;
        if rank < 3 {
            return Err(Error::value(format!("the rank of the {name} is 3 or more, and this is {rank}")));
        }
    }
    let [query, key, value] = given;
    let scale = match call.optional(4) {
        Some(scale) => {
            let to = builder.graph.integers(&[])?;
            builder.graph.add(ReshapeTo, &[scale, to])?
        }
        None => one_by_root(builder, query)?,
    };
    let query = builder.op(Op::Multiply, &[query, scale])?;
    let mut scores = products(builder, query, key)?;
    let bias = if call.attributes.is_set("causal")? == Some(true) {
        // "If causal is set, the mask is ignored."
        let before = attention::places_before(builder.graph, scores, None)?;
        let counts = builder.graph.with_number(Op::LessEqual, before, 0)?;
        Some(attention::bias_of(builder.graph, counts, scores)?)
    } else {
        match call.optional(3) {
            Some(mask) if builder.dtype(mask)? == DType::Bool => {
                Some(attention::bias_of(builder.graph, mask, scores)?)
            }
            mask => mask,
        }
    };
    if let Some(bias) = bias {
        scores = builder.op(Op::Add, &[scores, bias])?;
    }
    let last = builder.rank(scores)? - 1;
    let weights = match call.optional(5) {
        None => normal::softmax(builder.graph, scores, &[last])?,
        Some(sink) => {
            let with_sink = beside_sink(builder, scores, sink, last)?;
            let weights = normal::softmax(builder.graph, with_sink, &[last])?;
            builder.graph.part(weights, last, None, Some(-1))?
        }
    };
    builder.graph.add(MatMul, &[weights, value])
}

/// The product of each query and each key.
fn products(builder: &mut Builder<'_>, query: Id, key: Id) -> Result<Id, Error> {
    let rank = builder.rank(key)?;
    let key = builder.graph.add(Transpose::new((0..rank - 2).chain([rank - 1, rank - 2])), &[key])?;
    builder.graph.add(MatMul, &[query, key])
}

/// Scores with one more behind them that no value belongs to, and that only takes its share.
fn beside_sink(builder: &mut Builder<'_>, scores: Id, sink: Id, last: usize) -> Result<Id, Error> {
    let found = builder.rank(sink)?;
    if found != last + 1 {
        return Err(Error::value(format!(
            "the rank of the sink is that of the query, {}, not {found}",
            last + 1
        )));
    }
    let before: Vec<usize> = (0..last).collect();
    let before = builder.graph.extents_of(scores, &before)?;
    let one = builder.graph.integers(&[1])?;
    let shape = builder.graph.listed(&[before, one])?;
    let sink = builder.graph.over(sink, shape)?;
    builder.graph.add(Concatenate { axis: last }, &[scores, sink])
}

/// 1 by the root of how long queries are.
fn one_by_root(builder: &mut Builder<'_>, query: Id) -> Result<Id, Error> {
    let (dtype, last) = (builder.dtype(query)?, builder.rank(query)? - 1);
    let length = builder.graph.count_along(query, &[last], DType::F64)?;
    let root = builder.graph.apply(Op::Sqrt, &[length])?;
    let scale = builder.graph.apply(Op::Reciprocal, &[root])?;
    builder.convert(scale, dtype)
}
