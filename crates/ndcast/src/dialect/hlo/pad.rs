//! `pad`: elements of a value before, after and between those of an operand; negative ones take elements away.
//!
//! It is the value over the shape of the result, with the operand inserted: no node of its own.

use std::num::NonZeroI64;

use ndcast_shape::rule::{array_api, onnx};
use ndcast_shape::{Dim, Index};

use super::elementwise::check_same;
use super::{Builder, axes};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Fit, Insert, InsertBy, ShapeOf, Slice, SliceBy};
use crate::graph::{Entry, Id, Node};
use crate::layout::as_i64;
use crate::op::Op;

/// How one axis is padded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Padding {
    /// So many before the first; negative ones take elements away.
    pub low: i64,
    /// So many after the last; negative ones take elements away.
    pub high: i64,
    /// So many between two.
    pub interior: i64,
}

impl Padding {
    /// That of every axis, from the lists of what lies before, behind and between.
    ///
    /// # Errors
    /// If the lists are not of one length.
    pub fn of_axes([low, high, interior]: [&[i64]; 3]) -> Result<Vec<Padding>, Error> {
        if low.len() != high.len() || low.len() != interior.len() {
            let (low, high, interior) = (low.len(), high.len(), interior.len());
            let text = format!("there are {low} low, {high} high and {interior} interior paddings");
            return Err(Error::value(text));
        }
        let all = low.iter().zip(high).zip(interior);
        Ok(all.map(|((&low, &high), &interior)| Padding { low, high, interior }).collect())
    }
}

/// One axis: what of the operand stays, where it goes, and the extent of the result if that is known.
struct Axis {
    from: Index,
    to: Index,
    extent: Option<usize>,
}

fn part(start: i64, stop: Option<i64>, step: i64) -> Index {
    let step = NonZeroI64::new(step).unwrap_or(NonZeroI64::MIN);
    Index::Slice { start: Some(start), stop, step }
}

impl Padding {
    /// Of an extent that is known: the places of the operand's elements that lie within the result.
    fn known(self, extent: usize) -> Result<Axis, Error> {
        let wrong = || Error::value(format!("an extent of {extent} is not padded by {self:?}"));
        let (n, step) = (i128::try_from(extent).map_err(|_| wrong())?, i128::from(self.interior) + 1);
        let between = (n - 1).max(0) * (step - 1);
        let (low, high) = (i128::from(self.low), i128::from(self.high));
        let size = n + between + low + high;
        let result = usize::try_from(size).map_err(|_| {
            Error::value(format!(
                "an extent of {extent} padded by {low}, {high} and {} between would be {size}",
                step - 1
            ))
        })?;
        // The first that is not before the result, and the first that is behind it.
        let first = if low < 0 { (-low + step - 1) / step } else { 0 }.min(n);
        let end = if size > low { ((size - low - 1) / step + 1).min(n) } else { 0 }.max(first);
        let signed = |n: i128| i64::try_from(n).map_err(|_| wrong());
        let start = low + first * step;
        let stop = if end > first { start + (end - first - 1) * step + 1 } else { start };
        let whole = first == 0 && end == n;
        Ok(Axis {
            from: if whole { Index::WHOLE } else { part(signed(first)?, Some(signed(end)?), 1) },
            to: if size == n && whole && low == 0 && step == 1 {
                Index::WHOLE
            } else {
                part(signed(start.min(size))?, Some(signed(stop.min(size))?), signed(step)?)
            },
            extent: Some(result),
        })
    }

    /// Of an extent that is not known.
    fn unknown(self) -> Result<Axis, Error> {
        if self == Padding::default() {
            return Ok(Axis { from: Index::WHOLE, to: Index::WHOLE, extent: None });
        }
        let Padding { low, high, interior } = self;
        // No result is as long as that, and no operand has so much to take away.
        let numbers = (low.checked_neg(), high.checked_neg(), interior.checked_add(1), low.checked_add(high));
        let (Some(before), Some(behind), Some(step), Some(_)) = numbers else {
            return Err(Error::value(format!(
                "an extent is not padded by {low}, {high} and {interior} between: both sides together, and a step \
                 from one element to the next, are {} at most",
                i64::MAX
            )));
        };
        let from_end = |n: i64| if n < 0 { Some(n) } else { None };
        Ok(Axis {
            from: part(before.max(0), from_end(high), 1),
            to: part(low.max(0), from_end(behind), step),
            extent: None,
        })
    }
}

fn check_between(interior: i64) -> Result<(), Error> {
    if interior < 0 {
        return Err(Error::value(format!("{interior} elements between two")));
    }
    Ok(())
}

impl Builder<'_> {
    /// `pad`: see [`Padding`].
    ///
    /// # Errors
    /// If the value is no scalar, or has another element type; if there is not a padding for each axis; if an axis would
    /// be padded between by a negative number, or have a negative extent.
    pub fn pad(&mut self, operand: Id, value: Id, padding: &[Padding]) -> Result<Id, Error> {
        self.padded(operand, value, padding).map_err(|error| error.called("pad"))
    }

    fn padded(&mut self, operand: Id, value: Id, padding: &[Padding]) -> Result<Id, Error> {
        axes::scalar(self.graph, value)?;
        let dims = axes::dims(self.graph, operand)?;
        axes::count(dims.len(), padding.len())?;
        check_same(self.graph, &[operand, value])?;
        let mut parts = Vec::with_capacity(dims.len());
        for (dim, padding) in dims.iter().zip(padding) {
            check_between(padding.interior)?;
            parts.push(match dim {
                Dim::Known(extent) => padding.known(*extent)?,
                _ => padding.unknown()?,
            });
        }
        // Which elements are lost of those between depends on the extent.
        let loses = |padding: &Padding| padding.interior > 0 && (padding.low < 0 || padding.high < 0);
        if parts.iter().zip(padding).any(|(part, padding)| part.extent.is_none() && loses(padding)) {
            let sides: [fn(&Padding) -> i64; 3] = [|all| all.low, |all| all.high, |all| all.interior];
            let [low, high, interior] = sides.map(|side| {
                let numbers: Vec<i64> = padding.iter().map(side).collect();
                self.graph.integers(&numbers)
            });
            return self.pad_by(operand, value, [low?, high?, interior?]);
        }
        if parts.iter().all(|part| part.to == Index::WHOLE && part.from == Index::WHOLE) {
            return Ok(operand);
        }
        let from: Vec<Index> = parts.iter().map(|part| part.from).collect();
        let kept = if from.iter().all(|part| *part == Index::WHOLE) {
            operand
        } else {
            self.graph.add(Slice { index: from }, &[operand])?
        };
        let all = match parts.iter().map(|part| part.extent).collect::<Option<Vec<_>>>() {
            Some(extents) => self.graph.add(Broadcast::scalar(&extents), &[value])?,
            None => {
                let target = self.padded_shape(operand, &parts, padding)?;
                self.graph.add(Fit::new(&onnx::EXPAND, 1, 0), &[value, target])?
            }
        };
        self.graph.add(Insert { index: parts.iter().map(|part| part.to).collect() }, &[all, kept])
    }

    /// The same with paddings that are computed when the graph runs: so many integers as there are axes, of what lies
    /// before, behind and between.
    pub(in crate::dialect) fn pad_by(
        &mut self,
        operand: Id,
        value: Id,
        paddings: [Id; 3],
    ) -> Result<Id, Error> {
        axes::scalar(self.graph, value)?;
        check_same(self.graph, &[operand, value])?;
        let rank = axes::rank(self.graph, operand)?;
        let [low, high, interior] = paddings.map(|padding| self.index_number(padding));
        let (low, high, interior) = (low?, high?, interior?);
        for entry in self.graph.node(interior)?.entries().unwrap_or_default() {
            if let Entry::Int(between) = entry {
                check_between(*between)?;
            }
        }
        let [zero, one] = [0, 1].map(|n| self.graph.integers(&vec![n; rank]));
        let (zero, one) = (zero?, one?);
        let axes: Vec<usize> = (0..rank).collect();
        let graph = &mut *self.graph;
        let step = graph.apply(Op::Add, &[interior, one])?;
        let extents = graph.add(ShapeOf(DType::I64), &[operand])?;
        // An element, and a step to each other one.
        let others = graph.apply(Op::Subtract, &[extents, one])?;
        let others = graph.apply(Op::Maximum, &[others, zero])?;
        let others = graph.apply(Op::Multiply, &[others, step])?;
        let any = graph.apply(Op::Minimum, &[extents, one])?;
        let reach = graph.apply(Op::Add, &[any, others])?;
        let start = graph.apply(Op::Maximum, &[low, zero])?;
        let behind = graph.apply(Op::Maximum, &[high, zero])?;
        let stop = graph.apply(Op::Add, &[start, reach])?;
        let size = graph.apply(Op::Add, &[stop, behind])?;
        let all = graph.add(Fit::new(&array_api::BROADCAST_TO, 1, 0), &[value, size])?;
        let padded = graph.add(InsertBy { axes: axes.clone() }, &[all, operand, start, stop, step])?;
        let is_kept = |side: Id| {
            let entries = graph.node(side).ok().and_then(Node::entries);
            let not_negative = |entry: &Entry| matches!(entry, Entry::Int(0..) | Entry::Extent(_));
            entries.is_some_and(|entries| entries.iter().all(not_negative))
        };
        if is_kept(low) && is_kept(high) {
            return Ok(padded);
        }
        // What negative paddings take away, which is not more than there is.
        let [before, after] = [low, high].map(|side| graph.apply(Op::Minimum, &[side, zero]));
        let (before, after) = (before?, after?);
        let first = graph.apply(Op::Negative, &[before])?;
        let end = graph.apply(Op::Add, &[size, after])?;
        let kept = graph.add(SliceBy { axes }, &[padded, first, end, one])?;
        let size = graph.apply(Op::Add, &[end, before])?;
        graph.add(Fit::new(&array_api::BROADCAST_TO, 1, 0), &[kept, size])
    }

    /// The extents of the result, as they are computed when the graph runs.
    fn padded_shape(&mut self, operand: Id, parts: &[Axis], padding: &[Padding]) -> Result<Id, Error> {
        let mut pieces = Vec::with_capacity(parts.len());
        for (axis, (part, padding)) in parts.iter().zip(padding).enumerate() {
            if let Some(extent) = part.extent {
                pieces.push(self.graph.integers(&[as_i64(extent)])?);
                continue;
            }
            let mut extent = self.graph.extent_of(operand, axis)?;
            if padding.interior > 0 {
                let [one, zero, step] = [1, 0, padding.interior].map(|n| self.graph.integers(&[n]));
                let between = self.graph.apply(Op::Subtract, &[extent, one?])?;
                let between = self.graph.apply(Op::Maximum, &[between, zero?])?;
                let between = self.graph.apply(Op::Multiply, &[between, step?])?;
                extent = self.graph.apply(Op::Add, &[extent, between])?;
            }
            // That does not overflow: see `Padding::unknown`.
            let around = padding.low.saturating_add(padding.high);
            if around != 0 {
                let around = self.graph.integers(&[around])?;
                extent = self.graph.apply(Op::Add, &[extent, around])?;
            }
            pieces.push(extent);
        }
        self.concatenate(&pieces, 0)
    }
}
