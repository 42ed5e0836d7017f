//! Which keys count for which queries, as ONNX and OpenVINO have it in attention: queries lie along the last axis but one of
//! scores, keys along the last.

use crate::error::Error;
use crate::graph::{Graph, Id};
use crate::op::Op;

/// Key position minus query position; `first`, if given, is the first query's position among the keys.
pub(super) fn places_before(graph: &mut Graph, scores: Id, first: Option<Id>) -> Result<Id, Error> {
    let rank = graph.known_rank(scores)?;
    let (mut query, key) = (graph.places_along(scores, rank - 2)?, graph.places_along(scores, rank - 1)?);
    if let Some(first) = first {
        query = graph.op(Op::Add, &[query, first])?;
    }
    graph.op(Op::Subtract, &[key, query])
}

/// The mask to add to scores: 0 where `counts` is true, else minus infinity.
pub(super) fn bias_of(graph: &mut Graph, counts: Id, scores: Id) -> Result<Id, Error> {
    let dtype = graph.node(scores)?.dtype();
    let (nothing, never) = (graph.number(0, dtype)?, graph.number(f64::NEG_INFINITY, dtype)?);
    graph.op(Op::Where, &[counts, nothing, never])
}
