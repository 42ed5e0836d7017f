//! Rows of which the first elements are turned round, as many in each as a number says: ReverseSequence of ONNX and OpenVINO.

use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Convert, Take, Transpose};
use crate::graph::{Graph, Id};
use crate::op::Op;

/// So many elements along an axis from the last of them to the first, the rest as it is; the counts lie along the batch.
pub(super) fn beginnings(
    graph: &mut Graph,
    x: Id,
    counts: Id,
    batch: usize,
    axis: usize,
) -> Result<Id, Error> {
    let rank = graph.known_rank(x)?;
    if batch == axis {
        return Err(Error::value(format!("axis {axis} is that of the batch and that of the sequences")));
    }
    let found = graph.known_rank(counts)?;
    if found != 1 {
        return Err(Error::value(format!("the lengths lie along one axis, and their rank is {found}")));
    }
    let extent = ndcast_shape::Extent::known(&graph.known_dims(x)?[axis]);
    if let Some(counts) = graph.node(counts)?.integers()
        && let Some(&count) = counts.iter().find(|&&count| {
            !usize::try_from(count).is_ok_and(|count| extent.is_none_or(|extent| count <= extent))
        })
    {
        let extent = graph.known_dims(x)?[axis].clone();
        return Err(Error::value(format!("a length is {count}, and axis {axis} has extent {extent}")));
    }
    let counts = match graph.node(counts)?.dtype() {
        DType::I64 => counts,
        _ => graph.add(Convert { to: DType::I64, overflow: Overflow::Numpy }, &[counts])?,
    };
    // Sequences by places: the element of which each place is.
    let counts = graph.along(counts, 0, 2)?;
    let extent = graph.extents_of(x, &[axis])?;
    let places = graph.counted(extent)?;
    let places = graph.along(places, 1, 2)?;
    let last = graph.with_number(Op::Subtract, counts, 1)?;
    let from_end = graph.op(Op::Subtract, &[last, places])?;
    let inside = graph.op(Op::Less, &[places, counts])?;
    let numbers = graph.op(Op::Where, &[inside, from_end, places])?;
    let rest = (0..rank).filter(|&other| other != batch && other != axis);
    let order: Vec<usize> = [batch, axis].into_iter().chain(rest).collect();
    let back: Vec<usize> =
        (0..rank).filter_map(|axis| order.iter().position(|&other| other == axis)).collect();
    let rows = graph.add(Transpose::new(order), &[x])?;
    let taken = graph.add(Take { axis: 1, batch: 1 }, &[rows, numbers])?;
    graph.add(Transpose::new(back), &[taken])
}
