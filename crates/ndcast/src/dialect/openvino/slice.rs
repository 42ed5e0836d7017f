//! Parts: Split, VariadicSplit, StridedSlice, Slice, Reverse.

use std::num::NonZeroI64;

use ndcast_shape::{Extent, Index};

use super::{Builder, Call, Layer};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{InsertBy, ReshapeTo, Slice, SliceBy, Take};
use crate::graph::steps::{axes_as_listed, axes_of, axis_of};
use crate::layout::as_i64;
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Split",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let x = call.input(0)?;
            let axis = axis_of(builder.known_one(call.input(1)?, "axis")?, builder.rank(x)?)?;
            let parts = call.attributes.needed_integer("num_splits")?;
            builder.split(x, axis, parts)
        },
    },
    Layer {
        name: "VariadicSplit",
        since: 1,
        build: |builder, call| {
            call.takes(3, 3)?;
            let x = call.input(0)?;
            let axis = axis_of(builder.known_one(call.input(1)?, "axis")?, builder.rank(x)?)?;
            let lengths = builder.known(call.input(2)?, "split_lengths")?;
            builder.variadic_split(x, axis, &lengths)
        },
    },
    Layer { name: "StridedSlice", since: 1, build: |builder, call| Ok(vec![strided_slice(builder, call)?]) },
    Layer {
        name: "Slice",
        since: 8,
        build: |builder, call| {
            call.takes(4, 5)?;
            let axes = slice_axes(builder, call, 1)?;
            Ok(vec![builder.graph.add(SliceBy { axes }, &call.inputs[..4])?])
        },
    },
    Layer {
        name: "SliceScatter",
        since: 15,
        build: |builder, call| {
            call.takes(5, 6)?;
            let axes = slice_axes(builder, call, 2)?;
            Ok(vec![builder.graph.add(InsertBy { axes }, &call.inputs[..5])?])
        },
    },
    Layer {
        name: "Reverse",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let x = call.input(0)?;
            let rank = builder.rank(x)?;
            let axes = call.input(1)?;
            let mask = call.attributes.word("mode", &[("index", false), ("mask", true)])?;
            let axes: Vec<usize> = match (mask, builder.dtype(axes)?) {
                (Some(true), DType::Bool) => {
                    let mask = builder.graph.node(axes)?.integers();
                    let mask = mask.filter(|mask| mask.len() == rank);
                    let mask =
                        mask.ok_or_else(|| Error::value(format!("the mask is {rank} truth values")))?;
                    (0..rank).filter(|&axis| mask[axis] != 0).collect()
                }
                (Some(true), other) => return Err(Error::other_type(other, DType::Bool)),
                _ => {
                    super::broadcast::check_integers(builder.graph.node(axes)?, "axes")?;
                    axes_of(&builder.known(axes, "axes")?, rank)?
                }
            };
            let index = (0..rank)
                .map(|axis| if axes.contains(&axis) { Index::FLIPPED } else { Index::WHOLE })
                .collect();
            Ok(vec![builder.graph.add(Slice { index }, &[x])?])
        },
    },
];

/// The axes of Slice and SliceScatter: the input behind starts, stops and steps, of which the first is this one; all axes from
/// the first on if it is left out.
fn slice_axes(builder: &mut Builder<'_>, call: &Call<'_>, starts: usize) -> Result<Vec<usize>, Error> {
    let rank = builder.rank(call.input(0)?)?;
    let axes = match call.optional(starts + 3) {
        Some(axes) => builder.known(axes, "axes")?,
        None => {
            let count = builder.entries(call.input(starts)?)?.map(|entries| entries.len());
            let count =
                count.ok_or_else(|| Error::value("how many starts there are must be known".to_owned()))?;
            (0..as_i64(count)).collect()
        }
    };
    axes_as_listed(&axes, rank)
}

/// No more outputs than this are made of one input.
const MOST_PARTS: i64 = 65536;

impl Builder<'_> {
    /// Equal parts.
    fn split(&mut self, x: Id, axis: usize, parts: i64) -> Result<Vec<Id>, Error> {
        if !(1..=MOST_PARTS).contains(&parts) {
            return Err(Error::value(format!("num_splits is {parts}")));
        }
        if let Some(extent) = self.dims(x)?[axis].known() {
            let extent = as_i64(extent);
            if extent % parts != 0 {
                return Err(Error::value(format!(
                    "axis {axis} has extent {extent}, which {parts} equal parts do not make up"
                )));
            }
            let length = extent / parts;
            return (0..parts)
                .map(|n| self.graph.part(x, axis, Some(n * length), Some((n + 1) * length)))
                .collect();
        }
        // The parts as an axis of their own, which fails if they are not equal.
        let (rank, shape) = (self.rank(x)?, self.graph.shape_of(x)?);
        let count = self.graph.integers(&[parts])?;
        let whole = self.graph.part(shape, 0, Some(i64::try_from(axis).unwrap_or(0)), None)?;
        let extent = self.element(whole, 0)?;
        let length = self.op(Op::FloorDivide, &[extent, count])?;
        let mut pieces = Vec::with_capacity(rank + 1);
        for own in 0..rank {
            if own == axis {
                pieces.extend([count, length]);
            } else {
                pieces.push(self.graph.extents_of(x, &[own])?);
            }
        }
        let to = self.graph.listed(&pieces)?;
        let apart = self.graph.add(ReshapeTo, &[x, to])?;
        let piece = |n: i64| {
            (0..=axis).map(|own| if own == axis { Index::At(n) } else { Index::WHOLE }).collect::<Vec<_>>()
        };
        (0..parts).map(|n| self.graph.add(Slice { index: piece(n) }, &[apart])).collect()
    }

    /// Parts of these lengths, of which one may be -1: what is left.
    fn variadic_split(&mut self, x: Id, axis: usize, lengths: &[i64]) -> Result<Vec<Id>, Error> {
        let wrong = |why: String| Error::value(format!("split_lengths are {lengths:?}: {why}"));
        let open = lengths.iter().filter(|&&length| length == -1).count();
        if open > 1 || lengths.iter().any(|&length| length < -1) {
            return Err(wrong("one of them may be -1, and none less".to_owned()));
        }
        let sum = lengths.iter().filter(|&&length| length >= 0).try_fold(0i64, |sum, &n| sum.checked_add(n));
        let sum = sum.ok_or_else(|| wrong("their sum is too large".to_owned()))?;
        let extent = self.dims(x)?[axis].known().map(as_i64);
        if let Some(extent) = extent
            && (sum > extent || (open == 0 && sum != extent))
        {
            return Err(wrong(format!("axis {axis} has extent {extent}")));
        }
        if extent.is_none() && !lengths.is_empty() {
            // As many as there are parts of, or as many at least.
            let mut total = self.graph.integers(&[sum])?;
            if open > 0 {
                let own = self.graph.extents_of(x, &[axis])?;
                total = self.graph.apply(Op::Maximum, &[own, total])?;
            }
            let whole = self.graph.of_extent(x, axis, total)?;
            return self.parts(whole, axis, lengths);
        }
        self.parts(x, axis, lengths)
    }

    fn parts(&mut self, x: Id, axis: usize, lengths: &[i64]) -> Result<Vec<Id>, Error> {
        let mut parts = Vec::with_capacity(lengths.len());
        let (mut start, mut rest) = (0i64, lengths);
        while let [length, others @ ..] = rest {
            rest = others;
            let left: i64 = rest.iter().sum();
            if *length == -1 {
                // From here on places are counted from the end.
                parts.push(self.graph.part(x, axis, Some(start), (left > 0).then_some(-left))?);
                start = -left;
                continue;
            }
            let stop = start + length;
            // 0 counted from the end is the end, which no number says.
            let ends = start < 0 && stop == 0;
            parts.push(self.graph.part(x, axis, Some(start), (!ends).then_some(stop))?);
            start = stop;
        }
        Ok(parts)
    }
}

/// What a mask says of one place; places behind its end are 0.
fn mask(call: &Call<'_>, name: &str) -> Result<Vec<bool>, Error> {
    let mask = call.attributes.integers(name)?.unwrap_or_default();
    if let Some(wrong) = mask.iter().find(|n| !(0..=1).contains(*n)) {
        return Err(Error::value(format!("{name} has {wrong}, and is of 0 and 1")));
    }
    Ok(mask.into_iter().map(|n| n == 1).collect())
}

/// One place of StridedSlice's lists, of which all but the axis comes from the masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A new axis.
    New,
    /// One element of an axis, which goes away.
    Shrink { place: usize, axis: usize },
    /// A slice of an axis.
    Slice { place: usize, axis: usize },
}

fn strided_slice(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    call.takes(3, 4)?;
    let (x, begin, end) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let rank = builder.rank(x)?;
    for (input, name) in call.inputs[1..].iter().zip(["begin", "end", "strides"]) {
        super::broadcast::check_integers(builder.graph.node(*input)?, name)?;
    }
    let count = builder.entries(begin)?.map(|entries| entries.len());
    let count = count.ok_or_else(|| Error::value("how many begins there are must be known".to_owned()))?;
    let steps = call.optional(3).map(|steps| builder.known(steps, "strides")).transpose()?;
    let steps = steps.unwrap_or_else(|| vec![1; count]);
    for (name, found) in [("end", builder.entries(end)?.map(|all| all.len())), ("strides", Some(steps.len()))]
    {
        if found.is_some_and(|found| found != count) {
            let found = found.unwrap_or(0);
            return Err(Error::value(format!("there are {count} begins, and {found} of {name}")));
        }
    }
    let masks = ["begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"];
    let masks = masks.map(|name| mask(call, name));
    let [begin_mask, end_mask, new, shrink, ellipsis] = masks;
    let (begin_mask, end_mask, new, shrink, ellipsis) = (begin_mask?, end_mask?, new?, shrink?, ellipsis?);
    let set = |mask: &[bool], place: usize| mask.get(place) == Some(&true);
    // Which places take an axis, and how many axes the ellipsis takes.
    let ellipses: Vec<usize> = (0..count).filter(|&place| set(&ellipsis, place)).collect();
    if ellipses.len() > 1 {
        return Err(Error::value("ellipsis_mask has more than one 1".to_owned()));
    }
    let takes = |place: usize| !set(&ellipsis, place) && !set(&new, place);
    let taken = (0..count).filter(|&place| takes(place)).count();
    let left = rank
        .checked_sub(taken)
        .ok_or_else(|| Error::value(format!("{taken} axes are sliced, and the rank is {rank}")))?;
    let (mut parts, mut axis) = (Vec::new(), 0);
    for place in 0..count {
        if set(&ellipsis, place) {
            parts.extend(std::iter::repeat_n(None, left));
            axis += left;
        } else if set(&new, place) {
            parts.push(Some(Part::New));
        } else {
            let shrinks = set(&shrink, place);
            parts.push(Some(if shrinks {
                Part::Shrink { place, axis }
            } else {
                Part::Slice { place, axis }
            }));
            axis += 1;
        }
    }
    let starts = builder.graph.node(begin)?.integers();
    let stops = builder.graph.node(end)?.integers();
    let dims = builder.dims(x)?.to_vec();
    // What goes backwards from before the first element begins there, and where that is takes the extent; so as for Slice.
    let inside = |start: i64, place: usize, axis: usize| match dims[axis].known() {
        _ if steps[place] > 0 || start >= -1 => Some(start),
        extent => extent.map(|extent| start.max(-as_i64(extent))),
    };
    // Masks count what they leave out as the end that the step comes from, or goes to.
    let begins: Option<Vec<Option<i64>>> = starts.and_then(|starts| {
        let begin = |part: &Option<Part>| match *part {
            Some(Part::Shrink { place, .. }) if !set(&begin_mask, place) => Some(Some(starts[place])),
            Some(Part::Slice { place, axis }) if !set(&begin_mask, place) => {
                inside(starts[place], place, axis).map(Some)
            }
            _ => Some(None),
        };
        parts.iter().map(begin).collect()
    });
    if let (Some(begins), Some(stops)) = (begins, stops) {
        let index = parts.iter().zip(begins).map(|(part, begin)| match *part {
            None => Ok(Index::WHOLE),
            Some(Part::New) => Ok(Index::New),
            Some(Part::Shrink { .. }) => Ok(Index::At(begin.unwrap_or(0))),
            Some(Part::Slice { place, .. }) => Ok(Index::Slice {
                start: begin,
                stop: (!set(&end_mask, place)).then_some(stops[place]),
                step: NonZeroI64::new(steps[place])
                    .ok_or_else(|| Error::value("a stride is 0".to_owned()))?,
            }),
        });
        let index = index.collect::<Result<Vec<_>, Error>>()?;
        return builder.graph.add(Slice { index }, &[x]);
    }
    by_inputs(builder, [x, begin, end], &parts, &steps, [&begin_mask, &end_mask])
}

/// The same by begins and ends that are computed: slices, then single elements, then new axes.
fn by_inputs(
    builder: &mut Builder<'_>,
    [x, begin, end]: [Id; 3],
    parts: &[Option<Part>],
    steps: &[i64],
    [begin_mask, end_mask]: [&[bool]; 2],
) -> Result<Id, Error> {
    let set = |mask: &[bool], place: usize| mask.get(place) == Some(&true);
    let (begin, end) = (builder.convert(begin, DType::I64)?, builder.convert(end, DType::I64)?);
    let (mut axes, mut starts, mut stops, mut taken_steps) = (vec![], vec![], vec![], vec![]);
    for part in parts.iter().flatten() {
        let Part::Slice { place, axis } = *part else { continue };
        let forward = steps[place] > 0;
        axes.push(axis);
        starts.push(match set(begin_mask, place) {
            true => builder.graph.integers(&[if forward { 0 } else { i64::MAX }])?,
            false => builder.element(begin, place)?,
        });
        stops.push(match set(end_mask, place) {
            true => builder.graph.integers(&[if forward { i64::MAX } else { i64::MIN }])?,
            false => builder.element(end, place)?,
        });
        taken_steps.push(steps[place]);
    }
    let mut made = x;
    if !axes.is_empty() {
        let (starts, stops) = (builder.graph.listed(&starts)?, builder.graph.listed(&stops)?);
        let steps = builder.graph.integers(&taken_steps)?;
        made = builder.graph.add(SliceBy { axes }, &[made, starts, stops, steps])?;
    }
    // From the last on, so that the axes before them stay where they are.
    for part in parts.iter().rev().flatten() {
        let Part::Shrink { place, axis } = *part else { continue };
        let number = match set(begin_mask, place) {
            true => builder.graph.integers(&[0])?,
            false => builder.element(begin, place)?,
        };
        let number = builder.graph.add(crate::graph::kind::Reshape::new(&[]), &[number])?;
        made = builder.graph.add(Take { axis, batch: 0 }, &[made, number])?;
    }
    let kept = parts.iter().filter(|part| !matches!(part, Some(Part::Shrink { .. })));
    let new: Vec<usize> =
        kept.enumerate().filter(|(_, part)| **part == Some(Part::New)).map(|(place, _)| place).collect();
    if new.is_empty() { Ok(made) } else { builder.graph.with_axes(made, &new) }
}
