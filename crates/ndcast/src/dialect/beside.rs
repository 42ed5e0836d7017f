//! GatherElements and ScatterElements whose indices are smaller than the data on the other axes: the part of the data that they cover.

use ndcast_shape::{Extent, Index, Shape};

use crate::error::{Error, ErrorKind};
use crate::graph::kind::{Insert, InsertBy, Slice, SliceBy};
use crate::graph::{Graph, Id};

/// The part of the data that the indices cover.
pub(super) enum Beside {
    /// All of it.
    Whole,
    /// What this index selects.
    At(Vec<Index>),
    /// What starts, stops and steps along these axes select.
    By(Vec<usize>, [Id; 3]),
}

impl Beside {
    pub(super) fn of(graph: &mut Graph, x: Id, numbers: Id, axis: usize) -> Result<Beside, Error> {
        let (own, theirs) = (graph.known_dims(x)?.to_vec(), graph.known_dims(numbers)?.to_vec());
        if own.len() != theirs.len() {
            let shapes = vec![Shape::from(own), Shape::from(theirs)];
            return Err(Error::new(ErrorKind::UnequalBesides { shapes, axis }));
        }
        let others: Vec<usize> = (0..own.len()).filter(|&place| place != axis).collect();
        if others.iter().all(|&place| own[place].same(&theirs[place])) {
            return Ok(Beside::Whole);
        }
        let known: Option<Vec<(usize, usize)>> =
            others.iter().map(|&place| Some((own[place].known()?, theirs[place].known()?))).collect();
        if let Some(known) = known {
            let mut index = vec![Index::WHOLE; own.len()];
            for (&place, (own, theirs)) in others.iter().zip(known) {
                if theirs < own {
                    index[place] = Index::part(None, i64::try_from(theirs).ok());
                }
            }
            return Ok(Beside::At(index));
        }
        let starts = graph.integers(&vec![0; others.len()])?;
        let stops = graph.extents_of(numbers, &others)?;
        let steps = graph.integers(&vec![1; others.len()])?;
        Ok(Beside::By(others, [starts, stops, steps]))
    }

    /// The part.
    pub(super) fn part(&self, graph: &mut Graph, x: Id) -> Result<Id, Error> {
        match self {
            Beside::Whole => Ok(x),
            Beside::At(index) => graph.add(Slice { index: index.clone() }, &[x]),
            Beside::By(axes, [starts, stops, steps]) => {
                graph.add(SliceBy { axes: axes.clone() }, &[x, *starts, *stops, *steps])
            }
        }
    }

    /// The whole with another part.
    pub(super) fn put(&self, graph: &mut Graph, x: Id, part: Id) -> Result<Id, Error> {
        match self {
            Beside::Whole => Ok(part),
            Beside::At(index) => graph.add(Insert { index: index.clone() }, &[x, part]),
            Beside::By(axes, [starts, stops, steps]) => {
                graph.add(InsertBy { axes: axes.clone() }, &[x, part, *starts, *stops, *steps])
            }
        }
    }
}
