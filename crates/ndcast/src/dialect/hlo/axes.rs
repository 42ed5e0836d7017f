//! What instructions say of axes and extents, checked: in range, each once, not negative.

use ndcast_shape::{Dim, Index, Kind, Shape};

use crate::error::{Error, ErrorKind};
use crate::graph::{Graph, Id};
use crate::layout::as_i64;

/// An error of a kind that the rules have too.
fn kind(kind: Kind) -> Error {
    ndcast_shape::Error::from(kind).into()
}

/// An axis of an array of this rank.
pub(super) fn axis(axis: i64, rank: usize) -> Result<usize, Error> {
    at(axis, rank, None)
}

fn at(axis: i64, rank: usize, position: Option<usize>) -> Result<usize, Error> {
    match usize::try_from(axis) {
        Err(_) => Err(kind(Kind::AxisNegative { axis, position })),
        Ok(found) if found >= rank => Err(kind(Kind::AxisOutOfRange { axis, position, rank })),
        Ok(found) => Ok(found),
    }
}

/// Axes of an array of this rank, each once.
pub(in crate::dialect) fn axes(list: &[i64], rank: usize) -> Result<Vec<usize>, Error> {
    let mut found = Vec::with_capacity(list.len());
    for (position, &axis) in list.iter().enumerate() {
        let place = at(axis, rank, Some(position))?;
        if found.contains(&place) {
            return Err(kind(Kind::AxesRepeated { axis }));
        }
        found.push(place);
    }
    Ok(found)
}

/// A list must have an entry for each axis.
pub(in crate::dialect) fn count(expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(kind(Kind::AxesCount { expected, found })) }
}

/// An extent, which is not negative.
pub(super) fn extent(extent: i64) -> Result<usize, Error> {
    usize::try_from(extent).map_err(|_| kind(Kind::NegativeExtent { text: extent.to_string() }))
}

/// Extents, none of them negative.
pub(in crate::dialect) fn extents(list: &[i64]) -> Result<Vec<usize>, Error> {
    list.iter().map(|&one| extent(one)).collect()
}

/// What lies along an axis from one place to before another.
pub(super) fn span(start: usize, stop: usize) -> Index {
    Index::part(Some(as_i64(start)), Some(as_i64(stop)))
}

/// The extents of an array. HLO has none of unknown rank.
pub(in crate::dialect) fn dims(graph: &Graph, of: Id) -> Result<Vec<Dim>, Error> {
    let dims = graph.node(of)?.dims();
    dims.map(<[Dim]>::to_vec).ok_or_else(|| kind(Kind::RankUnknown { operand: None }))
}

/// The rank of an array.
pub(super) fn rank(graph: &Graph, of: Id) -> Result<usize, Error> {
    dims(graph, of).map(|dims| dims.len())
}

/// An array must be a scalar.
pub(super) fn scalar(graph: &Graph, of: Id) -> Result<(), Error> {
    match rank(graph, of)? {
        0 => Ok(()),
        _ => Err(Error::new(ErrorKind::Unequal {
            shapes: vec![graph.node(of)?.shape().clone(), Shape::from([0usize; 0])],
        })),
    }
}
