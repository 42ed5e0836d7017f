//! What is taken of an axis, in extents: numbers where those are known, and values that the text computes where they are not.

use ndcast_shape::{Index, slice};

use super::extents::Size;
use super::{Says, Value, Writer};
use crate::dialect::hlo::Comparison;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::layout::as_i64;

/// What is taken of an axis: from a start to before a stop, by a step. The stop is the one behind the last that is taken,
/// unless the step is 1 and nothing is.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: Size,
    pub(super) stop: Size,
    pub(super) step: usize,
    /// All of it, in order.
    pub(super) whole: bool,
    /// The last first.
    pub(super) back: bool,
}

impl Span {
    /// The numbers, if they are known: the start, the stop and the step.
    pub(super) fn known(&self) -> Option<[i64; 3]> {
        match (self.start, self.stop) {
            (Size::Known(start), Size::Known(stop)) => Some([as_i64(start), as_i64(stop), as_i64(self.step)]),
            _ => None,
        }
    }

    /// How many are taken, if that is known.
    pub(super) fn count(&self) -> Option<usize> {
        match (self.start, self.stop) {
            (Size::Known(start), Size::Known(stop)) => Some(stop.saturating_sub(start).div_ceil(self.step)),
            _ => None,
        }
    }
}

/// What an index takes of all axes of an operand.
pub(super) struct Part {
    pub(super) spans: Vec<Span>,
    /// The axes of the part: those of the operand, and new ones.
    pub(super) axes: Vec<Option<usize>>,
}

impl Part {
    /// Of some axes, all of which it has.
    fn of(spans: Vec<Span>) -> Part {
        Part { axes: (0..spans.len()).map(Some).collect(), spans }
    }

    /// The numbers of all axes, if they are known.
    pub(super) fn known(&self) -> Option<Vec<[i64; 3]>> {
        self.spans.iter().map(Span::known).collect()
    }

    /// Whether the axes of the part are those of the operand, none more and none less.
    pub(super) fn has_all_axes(&self) -> bool {
        self.axes.iter().copied().eq((0..self.spans.len()).map(Some))
    }

    pub(super) fn backwards(&self) -> Vec<usize> {
        let is_back =
            |&axis: &usize| self.spans[axis].back && !matches!(self.spans[axis].count(), Some(0 | 1));
        (0..self.spans.len()).filter(is_back).collect()
    }
}

impl Writer<'_> {
    /// What an index takes of a value.
    pub(super) fn taken_by(&mut self, index: &[Index], x: Value) -> Result<Part, Error> {
        let dims = self.dims(x)?;
        let laid = Index::on_axes(index, dims.len()).map_err(|found| {
            Error::value(format!("the index speaks of {found} axes, and there are {}", dims.len()))
        })?;
        let mut part = Part { spans: Vec::with_capacity(dims.len()), axes: Vec::new() };
        for (of_axis, axis) in laid {
            match of_axis {
                Index::New | Index::Ellipsis => part.axes.push(None),
                Index::At(at) => {
                    let stop = if at == -1 { None } else { Some(at.saturating_add(1)) };
                    part.spans.push(self.span(x, axis, [Some(at), stop], 1)?);
                }
                Index::Slice { start, stop, step } => {
                    part.spans.push(self.span(x, axis, [start, stop], step.get())?);
                    part.axes.push(Some(axis));
                }
            }
        }
        Ok(part)
    }

    /// What `start:stop:step` takes of an axis.
    fn span(&mut self, x: Value, axis: usize, ends: [Option<i64>; 2], step: i64) -> Result<Span, Error> {
        let own = self.size_of(x, axis)?;
        let back = step < 0;
        let by = usize::try_from(step.unsigned_abs()).unwrap_or(usize::MAX);
        if let Size::Known(extent) = own {
            let step = std::num::NonZeroI64::new(step).unwrap_or(std::num::NonZeroI64::MIN);
            let taken = slice(extent, ends[0], ends[1], step);
            let reach = taken.count.saturating_sub(1).saturating_mul(by);
            let start = if back { taken.first.saturating_sub(reach) } else { taken.first };
            let stop = if taken.count == 0 { start } else { start + reach + 1 };
            let whole = taken.count == extent && by == 1 && !back;
            return Ok(Span { start: Size::Known(start), stop: Size::Known(stop), step: by, whole, back });
        }
        if ends == [None, None] && by == 1 {
            return Ok(Span { start: Size::Known(0), stop: own, step: 1, whole: !back, back });
        }
        // Backwards, `start` is the inclusive upper end and `stop` the exclusive lower one: as a forward range [stop + 1, start + 1).
        let [low, high] = match (back, ends) {
            (false, ends) => ends,
            (true, [start, stop]) => {
                let behind = |end: i64| if end == -1 { None } else { Some(end.saturating_add(1)) };
                [stop.map_or(Some(0), |stop| behind(stop).or(Some(i64::MAX))), start.and_then(behind)]
            }
        };
        let start = low.map_or(Ok(Size::Known(0)), |low| self.end(low, own))?;
        let stop = high.map_or(Ok(own), |high| self.end(high, own))?;
        self.between(start, stop, by, back)
    }

    /// From a start to a stop, neither of which is beyond an end of the axis.
    fn between(&mut self, start: Size, stop: Size, step: usize, back: bool) -> Result<Span, Error> {
        let stop = match start {
            Size::Known(0) => stop,
            _ => self.sizes("maximum", stop, start)?,
        };
        let span = Span { start, stop, step, whole: false, back };
        if step == 1 {
            return Ok(span);
        }
        // As far as the last that is taken: what is left of a step is not.
        let length = self.sizes("subtract", stop, start)?;
        let more = self.sizes("add", length, Size::Known(step - 1))?;
        let rest = self.sizes("remainder", more, Size::Known(step))?;
        let reach = self.sizes("subtract", length, rest)?;
        let reach = self.sizes("maximum", reach, Size::Known(0))?;
        Ok(match back {
            true => Span { start: self.sizes("subtract", stop, reach)?, ..span },
            false => Span { stop: self.sizes("add", start, reach)?, ..span },
        })
    }

    /// An end of a part, which counts from the axis's end if it is negative and lies within the axis.
    fn end(&mut self, end: i64, own: Size) -> Result<Size, Error> {
        let places = usize::try_from(end.unsigned_abs()).unwrap_or(usize::MAX);
        match own {
            _ if end == 0 => Ok(Size::Known(0)),
            // No extent is as long as that.
            _ if places > i32::MAX as usize => Ok(if end < 0 { Size::Known(0) } else { own }),
            _ if end < 0 => {
                let from_end = self.sizes("subtract", own, Size::Known(places))?;
                self.sizes("maximum", from_end, Size::Known(0))
            }
            _ => self.sizes("minimum", own, Size::Known(places)),
        }
    }

    /// What starts, stops and steps take of some axes, which are computed when the graph runs but for the steps.
    pub(super) fn computed(
        &mut self,
        axes: &[usize],
        x: Value,
        places: &[Value],
        steps: Id,
    ) -> Result<Part, Error> {
        let steps = self.graph.at(steps).integers().filter(|steps| steps.iter().all(|&step| step > 0));
        let steps = steps.ok_or_else(|| {
            Error::value(
                "steps that are known only when the graph runs, or go backwards, are not written".to_owned(),
            )
        })?;
        let rank = self.dims(x)?.len();
        let mut spans = Vec::with_capacity(rank);
        for axis in 0..rank {
            let Some(place) = axes.iter().position(|&other| other == axis) else {
                spans.push(self.span(x, axis, [None, None], 1)?);
                continue;
            };
            let own = self.size_of(x, axis)?;
            let (start, stop) = (self.end_of(places[0], place, own)?, self.end_of(places[1], place, own)?);
            let step = steps.get(place).and_then(|&step| usize::try_from(step).ok()).unwrap_or(1);
            spans.push(self.between(start, stop, step, false)?);
        }
        Ok(Part::of(spans))
    }

    /// [`Writer::end`] of an end that is computed: one of some integers.
    fn end_of(&mut self, ends: Value, place: usize, own: Size) -> Result<Size, Error> {
        let ends = self.convert(ends, DType::I64)?;
        let end = self.piece(ends, place)?;
        let end = self.reshaped(end, &[])?;
        let scalar = self.typed(end).clone();
        let own = self.scalar(own)?;
        let own = self.convert(own, DType::I64)?;
        let zero = self.number(0, DType::I64)?;
        let truth = (DType::Bool, scalar.1.clone());
        let negative =
            self.operation("compare", &[end, zero], &Says::Compare("LT", Comparison::Signed), truth)?;
        let counted = self.operation("add", &[end, own], &Says::Nothing, scalar.clone())?;
        let end = self.operation("select", &[negative, counted, end], &Says::Nothing, scalar.clone())?;
        let end = self.operation("clamp", &[zero, end, own], &Says::Nothing, scalar)?;
        self.convert(end, DType::I32).map(Size::Value)
    }
}
