//! Channels that become blocks of places, and blocks that become channels, as ONNX and OpenVINO have them: the first axis is
//! the batch, the second the channels, all others are places.

use ndcast_shape::Extent;

use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{ReshapeTo, Transpose};
use crate::graph::{Graph, Id};
use crate::op::Op;

/// The major part of a channel's number: `blocks_first` or `depth_first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// The place in the block.
    Block,
    /// The channel that there is with blocks of places.
    Channel,
}

/// How many axes are places, and how many channels a block becomes.
fn measured(graph: &Graph, x: Id, block: i64) -> Result<(usize, i64), Error> {
    let rank = graph.known_rank(x)?;
    let places = rank
        .checked_sub(2)
        .filter(|&places| places > 0)
        .ok_or_else(|| Error::value(format!("it takes an input of rank 3 or more, and this has {rank}")))?;
    let power = u32::try_from(places).ok().and_then(|places| block.checked_pow(places));
    let each = power.filter(|_| block > 0);
    let each =
        each.ok_or_else(|| Error::value(format!("blocks of {block} along {places} axes cannot be")))?;
    Ok((places, each))
}

/// The extent of an axis, so many times smaller.
fn divided(graph: &mut Graph, x: Id, axis: usize, by: i64) -> Result<Id, Error> {
    if let Some(extent) = graph.known_dims(x)?[axis].known()
        && i64::try_from(extent).is_ok_and(|extent| extent % by != 0)
    {
        return Err(Error::value(format!("the extent {extent} of axis {axis} is no multiple of {by}")));
    }
    let extent = graph.count_along(x, &[axis], DType::I64)?;
    graph.with_number(Op::DivideTowardZero, extent, by)
}

/// The extent of an axis, so many times greater.
fn multiplied(graph: &mut Graph, x: Id, axis: usize, by: i64) -> Result<Id, Error> {
    let extent = graph.count_along(x, &[axis], DType::I64)?;
    graph.with_number(Op::Multiply, extent, by)
}

/// Reshaped, its axes put in an order, and reshaped again.
fn regrouped(graph: &mut Graph, x: Id, apart: &[Id], order: Vec<usize>, to: &[Id]) -> Result<Id, Error> {
    let apart = graph.listed(apart)?;
    let apart = graph.add(ReshapeTo, &[x, apart])?;
    let turned = graph.add(Transpose::new(order), &[apart])?;
    let to = graph.listed(to)?;
    graph.add(ReshapeTo, &[turned, to])
}

/// Each block of places is made of channels.
pub(super) fn depth_to_space(graph: &mut Graph, x: Id, block: i64, first: First) -> Result<Id, Error> {
    let (places, each) = measured(graph, x, block)?;
    let (batch, channels) = (graph.extents_of(x, &[0])?, divided(graph, x, 1, each)?);
    let sides = vec![graph.number(block, DType::I64)?; places];
    let own: Vec<usize> = (2..2 + places).collect();
    let own = graph.extents_of(x, &own)?;
    // Where the channels and the first side of a block stand when they are apart.
    let (parts, channel, side) = match first {
        First::Block => ([&[batch][..], &sides[..], &[channels, own]].concat(), 1 + places, 1),
        First::Channel => ([&[batch, channels][..], &sides[..], &[own]].concat(), 1, 2),
    };
    let pairs = (0..places).flat_map(|place| [2 + places + place, side + place]);
    let order = [0, channel].into_iter().chain(pairs).collect();
    let mut to = vec![batch, channels];
    for axis in 2..2 + places {
        to.push(multiplied(graph, x, axis, block)?);
    }
    regrouped(graph, x, &parts, order, &to)
}

/// Channels are made of each block of places.
pub(super) fn space_to_depth(graph: &mut Graph, x: Id, block: i64, first: First) -> Result<Id, Error> {
    let (places, each) = measured(graph, x, block)?;
    let (batch, channels) = (graph.extents_of(x, &[0])?, graph.extents_of(x, &[1])?);
    let side = graph.number(block, DType::I64)?;
    let mut parts = vec![batch, channels];
    let mut to = vec![batch, multiplied(graph, x, 1, each)?];
    for axis in 2..2 + places {
        let fewer = divided(graph, x, axis, block)?;
        parts.extend([fewer, side]);
        to.push(fewer);
    }
    let sides = (0..places).map(|place| 3 + 2 * place);
    let rest = (0..places).map(|place| 2 + 2 * place);
    let order = match first {
        First::Block => [0].into_iter().chain(sides).chain([1]).chain(rest).collect(),
        First::Channel => [0, 1].into_iter().chain(sides).chain(rest).collect(),
    };
    regrouped(graph, x, &parts, order, &to)
}
