//! Tuples of numbers along the last axis of an array, each of which says where a row lies: gathered and scattered as ONNX
//! and OpenVINO do.
//!
//! The axes that tuples speak of become one, and each tuple one number, so they are what numbers of rows are everywhere.

use ndcast_shape::{Dim, Extent, Index, Shape};

use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Convert, Lay, ReshapeTo, Scatter, Slice, Take};
use crate::graph::{Graph, Id};
use crate::layout::as_i64;
use crate::op::Op;

/// The rows that tuples speak of, behind so many axes that both arrays have in common.
pub(super) fn gathered(graph: &mut Graph, x: Id, tuples: Id, batch: i64) -> Result<Id, Error> {
    let (rank, depth) = (graph.known_rank(x)?, graph.known_rank(tuples)?);
    let common = usize::try_from(batch).ok().filter(|&batch| batch < rank.min(depth));
    let batch = common.ok_or_else(|| {
        Error::value(format!(
            "batch_dims is {batch}, and the ranks of the data and of the indices are {rank} and {depth}"
        ))
    })?;
    let (flat, numbers) = flattened(graph, x, tuples, batch)?;
    graph.add(Take { axis: batch, batch }, &[flat, numbers])
}

/// The array with other rows where tuples say, or with what an operation makes of the rows that are there and these.
pub(super) fn scattered(
    graph: &mut Graph,
    [x, tuples, rows]: [Id; 3],
    with: Option<Op>,
) -> Result<Id, Error> {
    let (flat, numbers) = flattened(graph, x, tuples, 0)?;
    check_rows(graph, flat, numbers, rows)?;
    let behind: Vec<usize> = (1..graph.known_rank(flat)?).collect();
    let all: Vec<usize> = (0..graph.known_rank(numbers)?).collect();
    let lines = graph.count_along(flat, &[0], DType::I64)?;
    let columns = graph.count_along(flat, &behind, DType::I64)?;
    let count = graph.count_along(numbers, &all, DType::I64)?;
    let to = graph.listed(&[lines, columns])?;
    let table = graph.add(ReshapeTo, &[flat, to])?;
    let to = graph.listed(&[count, columns])?;
    let rows = graph.add(ReshapeTo, &[rows, to])?;
    let to = graph.listed(&[count])?;
    let numbers = graph.add(ReshapeTo, &[numbers, to])?;
    let numbers = graph.add(Broadcast::new([Lay::Axis(0), Lay::New(1)]), &[numbers])?;
    let shape = graph.shape_of(rows)?;
    let numbers = graph.over(numbers, shape)?;
    let made = graph.add(Scatter { axis: 0, with }, &[table, numbers, rows])?;
    let shape = graph.shape_of(x)?;
    graph.add(ReshapeTo, &[made, shape])
}

/// There is a row for each tuple, and it is as long as those of the array.
fn check_rows(graph: &Graph, flat: Id, numbers: Id, rows: Id) -> Result<(), Error> {
    let own = graph.known_dims(rows)?;
    let expected: Vec<Dim> = [graph.known_dims(numbers)?, &graph.known_dims(flat)?[1..]].concat();
    if own.len() != expected.len() {
        return Err(Error::value(format!(
            "the updates have rank {}, and {} axes of tuples with {} axes of rows are {}",
            own.len(),
            graph.known_rank(numbers)?,
            graph.known_rank(flat)? - 1,
            expected.len()
        )));
    }
    match own.iter().zip(&expected).all(|(own, expected)| own.meet(expected).is_some()) {
        true => Ok(()),
        false => {
            let [own, expected] = [own.to_vec(), expected].map(|dims| Shape::from(dims).to_string());
            Err(Error::value(format!("the updates are {own}, and the rows that are spoken of {expected}")))
        }
    }
}

/// The axes of which tuples speak as one, and the tuples as one number each.
fn flattened(graph: &mut Graph, x: Id, tuples: Id, batch: usize) -> Result<(Id, Id), Error> {
    let (rank, depth) = (graph.known_rank(x)?, graph.known_rank(tuples)?);
    let Some(last) = depth.checked_sub(1) else {
        let text = "its indices are tuples along their last axis, and they have none";
        return Err(Error::value(text.to_owned()));
    };
    let count = graph.known_dims(tuples)?[last].known().ok_or_else(|| {
        let text = format!("the extent of axis {last} of the indices must be known before it runs");
        Error::value(text)
    })?;
    if count == 0 || count > rank.saturating_sub(batch) {
        return Err(Error::value(format!(
            "its indices are tuples of {count}, and there are {} axes",
            rank - batch.min(rank)
        )));
    }
    let tuples = match graph.node(tuples)?.dtype() {
        DType::I64 => tuples,
        _ => graph.add(Convert { to: DType::I64, overflow: Overflow::Numpy }, &[tuples])?,
    };
    let mut number: Option<Id> = None;
    for place in 0..count {
        let mut index = vec![Index::WHOLE; depth];
        index[last] = Index::At(as_i64(place));
        let one = graph.add(Slice { index }, &[tuples])?;
        // The place that it means, found among the axis's own: so each is checked against its axis.
        let places = graph.places_along(x, batch + place)?;
        let found = graph.add(Take { axis: batch + place, batch: 0 }, &[places, one])?;
        let shape = graph.shape_of(one)?;
        let one = graph.add(ReshapeTo, &[found, shape])?;
        number = Some(match number {
            None => one,
            Some(before) => {
                let extent = graph.count_along(x, &[batch + place], DType::I64)?;
                let before = graph.op(Op::Multiply, &[before, extent])?;
                graph.apply(Op::Add, &[before, one])?
            }
        });
    }
    let number = number.ok_or_else(|| Error::value("its indices are tuples of nothing".to_owned()))?;
    if count == 1 {
        return Ok((x, number));
    }
    let [before, behind] = [(0..batch), (batch + count..rank)].map(Vec::from_iter);
    let spoken_of: Vec<usize> = (batch..batch + count).collect();
    let before = graph.extents_of(x, &before)?;
    let all = graph.count_along(x, &spoken_of, DType::I64)?;
    let behind = graph.extents_of(x, &behind)?;
    let to = graph.listed(&[before, all, behind])?;
    Ok((graph.add(ReshapeTo, &[x, to])?, number))
}
