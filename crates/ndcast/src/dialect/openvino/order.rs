//! The same elements in another order: Roll, ReverseSequence, channels shuffled, channels and batches made of places and places of them.

use ndcast_shape::Extent;

use super::{Builder, Call, Layer};
use crate::dialect::around::Around;
use crate::dialect::blocks::{self, First};
use crate::dialect::turned;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{ReshapeTo, Take, Transpose};
use crate::graph::steps::axis_of;
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Roll",
        since: 7,
        build: |builder, call| {
            call.takes(3, 3)?;
            Ok(vec![roll(builder, call)?])
        },
    },
    Layer {
        name: "ReverseSequence",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let (x, lengths) = (call.input(0)?, call.input(1)?);
            let rank = builder.rank(x)?;
            let batch = axis_of(call.attributes.integer("batch_axis")?.unwrap_or(0), rank)?;
            let axis = axis_of(call.attributes.integer("seq_axis")?.unwrap_or(1), rank)?;
            Ok(vec![turned::beginnings(builder.graph, x, lengths, batch, axis)?])
        },
    },
    Layer {
        name: "ShuffleChannels",
        since: 1,
        build: |builder, call| {
            call.takes(1, 1)?;
            Ok(vec![shuffle_channels(builder, call)?])
        },
    },
    Layer {
        name: "DepthToSpace",
        since: 1,
        build: |builder, call| {
            call.takes(1, 1)?;
            let (block, first) = block(call)?;
            Ok(vec![blocks::depth_to_space(builder.graph, call.input(0)?, block, first)?])
        },
    },
    Layer {
        name: "SpaceToDepth",
        since: 1,
        build: |builder, call| {
            call.takes(1, 1)?;
            let (block, first) = block(call)?;
            Ok(vec![blocks::space_to_depth(builder.graph, call.input(0)?, block, first)?])
        },
    },
    Layer {
        name: "BatchToSpace",
        since: 2,
        build: |builder, call| {
            call.takes(4, 4)?;
            Ok(vec![batch_to_space(builder, call)?])
        },
    },
    Layer {
        name: "SpaceToBatch",
        since: 2,
        build: |builder, call| {
            call.takes(4, 4)?;
            Ok(vec![space_to_batch(builder, call)?])
        },
    },
];

/// Each axis so far on, what passes its end from its start on; one shift for all axes, or one for each.
fn roll(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    let (mut x, shift) = (call.input(0)?, call.input(1)?);
    super::broadcast::check_integers(builder.graph.node(shift)?, "shift")?;
    let rank = builder.rank(x)?;
    let axes = builder.known(call.input(2)?, "axes")?;
    let shift = builder.convert(shift, DType::I64)?;
    let alone = match builder.dims(shift)?[..] {
        [] => true,
        [ref count] if count.meet(&axes.len().into()).is_some() => false,
        ref dims => {
            let shape = ndcast_shape::Shape::from(dims.to_vec());
            let text =
                format!("shift is one number or one for each axis, and it is {shape} for {}", axes.len());
            return Err(Error::value(text));
        }
    };
    for (place, &axis) in axes.iter().enumerate() {
        let axis = axis_of(axis, rank)?;
        let shift = if alone { shift } else { builder.element(shift, place)? };
        let extent = builder.graph.count_along(x, &[axis], DType::I64)?;
        let places = builder.graph.counted(extent)?;
        let from = builder.op(Op::Subtract, &[places, shift])?;
        let from = builder.op(Op::Remainder, &[from, extent])?;
        x = builder.graph.add(Take { axis, batch: 0 }, &[x, from])?;
    }
    Ok(x)
}

/// Groups of channels by channels of a group, turned.
fn shuffle_channels(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    let x = call.input(0)?;
    let dims = builder.dims(x)?;
    let rank = dims.len();
    let axis = axis_of(call.attributes.integer("axis")?.unwrap_or(1), rank)?;
    let groups = call.attributes.integer("group")?.unwrap_or(1);
    if groups < 1 {
        return Err(Error::value(format!("there are {groups} groups")));
    }
    if let Some(extent) = dims[axis].known()
        && i64::try_from(extent).is_ok_and(|extent| extent % groups != 0)
    {
        return Err(Error::value(format!("{extent} channels along axis {axis} are no {groups} groups")));
    }
    let [before, behind] = [(0..axis), (axis + 1..rank)].map(Vec::from_iter);
    let before = builder.graph.extents_of(x, &before)?;
    let behind = builder.graph.extents_of(x, &behind)?;
    let channels = builder.graph.count_along(x, &[axis], DType::I64)?;
    let each = builder.graph.with_number(Op::DivideTowardZero, channels, groups)?;
    let groups = builder.graph.number(groups, DType::I64)?;
    let apart = builder.graph.listed(&[before, groups, each, behind])?;
    let apart = builder.graph.add(ReshapeTo, &[x, apart])?;
    let order = (0..axis).chain([axis + 1, axis]).chain(axis + 2..rank + 1);
    let turned = builder.graph.add(Transpose::new(order), &[apart])?;
    let to = builder.graph.shape_of(x)?;
    builder.graph.add(ReshapeTo, &[turned, to])
}

/// The attributes of DepthToSpace and SpaceToDepth.
fn block(call: &Call<'_>) -> Result<(i64, First), Error> {
    let block = call.attributes.integer("block_size")?.unwrap_or(1);
    let words = [("blocks_first", First::Block), ("depth_first", First::Channel)];
    let first = call.attributes.word("mode", &words)?;
    Ok((block, first.ok_or_else(|| Error::value("the attribute mode is missing".to_owned()))?))
}

/// Three lists of a number for each axis: the extents of blocks, and how much is before and behind.
fn blocks_around(builder: &Builder<'_>, call: &Call<'_>, names: [&str; 3]) -> Result<[Vec<i64>; 3], Error> {
    let rank = builder.rank(call.input(0)?)?;
    let mut lists = [const { Vec::new() }; 3];
    for (place, name) in names.into_iter().enumerate() {
        let list = builder.known(call.input(place + 1)?, name)?;
        let least = i64::from(place == 0);
        if list.len() != rank || list.iter().any(|&number| number < least) {
            return Err(Error::value(format!(
                "{name} has a number of {least} or more for each of {rank} axes, and is {list:?}"
            )));
        }
        lists[place] = list;
    }
    if lists[0].first() != Some(&1) {
        return Err(Error::value(format!("a block has 1 batch, and this is {:?}", lists[0])));
    }
    Ok(lists)
}

/// How many elements a block has.
fn elements(block: &[i64]) -> Result<i64, Error> {
    let product = block.iter().try_fold(1i64, |all, &side| all.checked_mul(side));
    product.ok_or_else(|| Error::value(format!("a block of {block:?} cannot be")))
}

/// Places of a block that are batches become places, and then some are cut off.
fn batch_to_space(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    let x = call.input(0)?;
    let dims = builder.dims(x)?;
    let [block, before, behind] = blocks_around(builder, call, ["block_shape", "crops_begin", "crops_end"])?;
    let each = elements(&block)?;
    if let Some(batch) = dims.first().and_then(Extent::known)
        && i64::try_from(batch).is_ok_and(|batch| batch % each != 0)
    {
        return Err(Error::value(format!("{batch} batches are no blocks of {each}")));
    }
    let rank = dims.len();
    let sides = builder.graph.integers(&block[1..])?;
    let batch = builder.graph.count_along(x, &[0], DType::I64)?;
    let batch = builder.graph.with_number(Op::DivideTowardZero, batch, each)?;
    let rest: Vec<usize> = (1..rank).collect();
    let rest = builder.graph.extents_of(x, &rest)?;
    let apart = builder.graph.listed(&[sides, batch, rest])?;
    let apart = builder.graph.add(ReshapeTo, &[x, apart])?;
    let pairs = (1..rank).flat_map(|axis| [rank - 1 + axis, axis - 1]);
    let turned = builder.graph.add(Transpose::new([rank - 1].into_iter().chain(pairs)), &[apart])?;
    let mut to = vec![batch];
    for (axis, &side) in block.iter().enumerate().skip(1) {
        let extent = builder.graph.count_along(x, &[axis], DType::I64)?;
        to.push(builder.graph.with_number(Op::Multiply, extent, side)?);
    }
    let to = builder.graph.listed(&to)?;
    let mut made = builder.graph.add(ReshapeTo, &[turned, to])?;
    let zero = builder.graph.number(false, builder.dtype(x)?)?;
    for axis in 0..rank {
        let cut = Around { axis, before: -before[axis], behind: -behind[axis] };
        made = cut.filled(builder.graph, made, zero)?;
    }
    Ok(made)
}

/// Zeros are put around, and then the places of blocks become batches.
fn space_to_batch(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    let mut x = call.input(0)?;
    let rank = builder.rank(x)?;
    let [block, before, behind] = blocks_around(builder, call, ["block_shape", "pads_begin", "pads_end"])?;
    let each = elements(&block)?;
    let zero = builder.graph.number(false, builder.dtype(x)?)?;
    for axis in 0..rank {
        x = Around { axis, before: before[axis], behind: behind[axis] }.filled(builder.graph, x, zero)?;
    }
    let dims = builder.dims(x)?;
    let batch = builder.graph.count_along(x, &[0], DType::I64)?;
    let (mut apart, mut to) = (vec![batch], vec![builder.graph.with_number(Op::Multiply, batch, each)?]);
    for (axis, &side) in block.iter().enumerate().skip(1) {
        if let Some(extent) = dims[axis].known()
            && i64::try_from(extent).is_ok_and(|extent| extent % side != 0)
        {
            let text = format!(
                "axis {axis} has extent {extent} with what is around, which is no multiple of {side}"
            );
            return Err(Error::value(text));
        }
        let extent = builder.graph.count_along(x, &[axis], DType::I64)?;
        let fewer = builder.graph.with_number(Op::DivideTowardZero, extent, side)?;
        apart.extend([fewer, builder.graph.number(side, DType::I64)?]);
        to.push(fewer);
    }
    let apart = builder.graph.listed(&apart)?;
    let apart = builder.graph.add(ReshapeTo, &[x, apart])?;
    let order = (1..rank).map(|axis| 2 * axis).chain([0]).chain((1..rank).map(|axis| 2 * axis - 1));
    let turned = builder.graph.add(Transpose::new(order), &[apart])?;
    let to = builder.graph.listed(&to)?;
    builder.graph.add(ReshapeTo, &[turned, to])
}
