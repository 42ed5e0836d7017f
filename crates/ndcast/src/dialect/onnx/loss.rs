//! How far scores of classes are from labels: the negative logarithm of what the right class has.

use super::call::{Built, Call};
use crate::array::Keep;
use crate::dialect::normal;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Take, TakeAlong};
use crate::op::Op;
use crate::reduction::Reduction;

pub(super) fn negative_log_likelihood(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    Ok(vec![of_labels(call, x)?])
}

/// The same of the logarithm of the softmax, which is its second output.
pub(super) fn softmax_cross_entropy(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    if call.rank(x)? < 2 {
        return Err(Error::value(format!(
            "scores have a batch and classes, and the rank is {}",
            call.rank(x)?
        )));
    }
    let log = normal::log_softmax(call.graph, x, &[1])?;
    Ok(vec![of_labels(call, log)?, log])
}

/// What logarithms say of the labels, with a weight for each class; a label that is ignored has none.
fn of_labels(call: &mut Call<'_>, log: Id) -> Result<Id, Error> {
    let (labels, classes) = (call.input(1)?, call.optional(2));
    let (rank, theirs) = (call.rank(log)?, call.rank(labels)?);
    if rank < 2 || theirs + 1 != rank {
        return Err(Error::value(format!(
            "labels have no axis of classes, and the ranks of the scores and of the labels are {rank} and {theirs}"
        )));
    }
    let dtype = call.dtype(log);
    let mut labels = call.convert(labels, DType::I64)?;
    let counts = match call.maybe_int("ignore_index")? {
        None => None,
        Some(ignored) => {
            let counts = call.graph.with_number(Op::NotEqual, labels, ignored)?;
            let zero = call.graph.full_like(0, labels)?;
            labels = call.graph.apply(Op::Where, &[counts, labels, zero])?;
            Some(counts)
        }
    };
    let mut weights = match classes {
        None => call.graph.full_like(1, labels)?,
        Some(classes) => call.add(Take { axis: 0, batch: 0 }, &[classes, labels])?,
    };
    weights = call.convert(weights, dtype)?;
    if let Some(counts) = counts {
        let zero = call.graph.full_like(0, weights)?;
        weights = call.op(Op::Where, &[counts, weights, zero])?;
    }
    let numbers = call.graph.with_axes(labels, &[1])?;
    let right = call.add(TakeAlong { axis: 1 }, &[log, numbers])?;
    let right = call.squeezed(right, &[1])?;
    let far = call.graph.apply(Op::Negative, &[right])?;
    let mut far = call.op(Op::Multiply, &[far, weights])?;
    if let Some(counts) = counts {
        // Also of what is no number.
        let zero = call.graph.full_like(0, far)?;
        far = call.op(Op::Where, &[counts, far, zero])?;
    }
    let all: Vec<usize> = (0..theirs).collect();
    let sum = |call: &mut Call<'_>, x| call.graph.fold(Reduction::Sum, x, &all, Keep::Nothing);
    match call.text("reduction", "mean")? {
        "none" => Ok(far),
        "sum" => sum(call, far),
        "mean" => {
            // Of halves the sums may be too great, and their quotient not.
            let (far, own) = normal::widened(call.graph, far)?;
            let (weights, _) = normal::widened(call.graph, weights)?;
            let (far, weights) = (sum(call, far)?, sum(call, weights)?);
            let mean = call.op(Op::Divide, &[far, weights])?;
            normal::converted(call.graph, mean, own)
        }
        other => Err(Error::value(format!("its reduction is none, sum or mean, not {other}"))),
    }
}
