//! Padding and tiling, as ONNX and OpenVINO have them: one axis after the other.

use ndcast_shape::Extent;

use super::hlo;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Concatenate, Lay, ReshapeTo};
use crate::graph::{Graph, Id};
use crate::layout::as_i64;
use crate::op::Op;

/// So many before and behind one axis; negative counts take away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) axis: usize,
    pub(super) before: i64,
    pub(super) behind: i64,
}

impl Around {
    /// A number around an array.
    pub(super) fn filled(self, graph: &mut Graph, x: Id, value: Id) -> Result<Id, Error> {
        let x = self.taken(graph, x)?;
        let mut parts = vec![x];
        if self.before > 0 {
            parts.insert(0, self.slab(graph, x, self.before, value)?);
        }
        if self.behind > 0 {
            parts.push(self.slab(graph, x, self.behind, value)?);
        }
        if parts.len() == 1 { Ok(x) } else { graph.add(Concatenate { axis: self.axis }, &parts) }
    }

    /// Without what negative counts take away.
    fn taken(self, graph: &mut Graph, x: Id) -> Result<Id, Error> {
        let [before, behind] = [self.before, self.behind].map(|n| n.min(0).saturating_neg());
        if (before, behind) == (0, 0) {
            return Ok(x);
        }
        if let Some(extent) = graph.known_dims(x)?[self.axis].known()
            && before.saturating_add(behind) > as_i64(extent)
        {
            return Err(Error::value(format!(
                "{before} before and {behind} behind are taken off axis {}, which has extent {extent}",
                self.axis
            )));
        }
        graph.part(x, self.axis, Some(before), (behind > 0).then_some(-behind))
    }

    /// A number in the shape of an array, but for this extent of the axis.
    fn slab(self, graph: &mut Graph, x: Id, extent: i64, value: Id) -> Result<Id, Error> {
        let (before, behind): (Vec<usize>, Vec<usize>) =
            (0..graph.known_rank(x)?).filter(|&axis| axis != self.axis).partition(|&axis| axis < self.axis);
        let parts =
            [graph.extents_of(x, &before)?, graph.integers(&[extent])?, graph.extents_of(x, &behind)?];
        let shape = graph.listed(&parts)?;
        graph.over(value, shape)
    }
}

/// A number around an array, by so many as are computed when the graph runs: one integer for each axis, before and behind. Negative
/// ones take away.
pub(super) fn filled_by(graph: &mut Graph, x: Id, value: Id, [before, behind]: [Id; 2]) -> Result<Id, Error> {
    let rank = graph.known_rank(x)?;
    for side in [before, behind] {
        let extent = graph.known_dims(side)?.first().and_then(|extent| extent.known());
        if let Some(found) = extent.filter(|&found| found != rank) {
            return Err(Error::value(format!("it takes {rank} pads on each side, and {found} are given")));
        }
    }
    let between = graph.integers(&vec![0; rank])?;
    hlo::Builder::new(graph).pad_by(x, value, [before, behind, between])
}

/// Each axis so many times, of which there is one 64-bit integer an axis: laid over a new axis before it, then the two as one.
pub(super) fn tiled(graph: &mut Graph, x: Id, times: Id) -> Result<Id, Error> {
    let rank = graph.known_rank(x)?;
    if let Some(list) = graph.node(times)?.integers()
        && (list.len() != rank || list.iter().any(|&n| n < 0))
    {
        return Err(Error::value(format!(
            "it takes one count for each of {rank} axes, and they are {list:?}"
        )));
    }
    if rank == 0 {
        return Ok(x);
    }
    // One by one, as all shapes are listed that somebody else may have to follow.
    let mut pairs = Vec::with_capacity(2 * rank);
    for axis in 0..rank {
        let place = as_i64(axis);
        pairs.push(graph.part(times, 0, Some(place), Some(place + 1))?);
        pairs.push(graph.extents_of(x, &[axis])?);
    }
    let target = graph.listed(&pairs)?;
    let shape = graph.shape_of(x)?;
    let lay = |place: usize| if place.is_multiple_of(2) { Lay::New(1) } else { Lay::Axis(place / 2) };
    let spread = graph.add(Broadcast::new((0..2 * rank).map(lay)), &[x])?;
    let laid = graph.over(spread, target)?;
    let to = graph.op(Op::Multiply, &[times, shape])?;
    graph.add(ReshapeTo, &[laid, to])
}
