//! Parts of arrays, and arrays in the place of a part. Where extents are open, so are the ends of parts.

use ndcast_shape::{Dim, Extent, Index, Shape, slice};

use super::extents::Size;
use super::{Says, Typed, Value, Writer};
use crate::array::Number;
use crate::dialect::hlo::Comparison;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Lay};
use crate::graph::{Id, Kind, Node};
use crate::op::Op;

/// What is taken of an axis: from a start to before a stop, by a step. The stop is the one behind the last that is taken,
/// unless the step is 1 and nothing is.
#[derive(Clone, Copy)]
struct Span {
    start: Size,
    stop: Size,
    step: usize,
    /// All of it, in order.
    whole: bool,
    /// The last first.
    back: bool,
}

impl Span {
    /// The numbers, if they are known: the start, the stop and the step.
    fn known(&self) -> Option<[i64; 3]> {
        match (self.start, self.stop) {
            (Size::Known(start), Size::Known(stop)) => Some([signed(start), signed(stop), signed(self.step)]),
            _ => None,
        }
    }

    /// How many are taken, if that is known.
    fn count(&self) -> Option<usize> {
        match (self.start, self.stop) {
            (Size::Known(start), Size::Known(stop)) => Some(stop.saturating_sub(start).div_ceil(self.step)),
            _ => None,
        }
    }
}

/// What an index takes of all axes of an operand.
struct Part {
    spans: Vec<Span>,
    /// The axes of the part: those of the operand, and new ones.
    axes: Vec<Option<usize>>,
}

impl Part {
    /// Of some axes, all of which it has.
    fn of(spans: Vec<Span>) -> Part {
        Part { axes: (0..spans.len()).map(Some).collect(), spans }
    }

    /// The numbers of all axes, if they are known.
    fn known(&self) -> Option<Vec<[i64; 3]>> {
        self.spans.iter().map(Span::known).collect()
    }

    /// Whether the axes of the part are those of the operand, none more and none less.
    fn has_all_axes(&self) -> bool {
        self.axes.iter().copied().eq((0..self.spans.len()).map(Some))
    }

    fn backwards(&self) -> Vec<usize> {
        let is_back =
            |&axis: &usize| self.spans[axis].back && !matches!(self.spans[axis].count(), Some(0 | 1));
        (0..self.spans.len()).filter(is_back).collect()
    }
}

fn signed(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

impl Writer<'_> {
    pub(super) fn part(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        let fixed = |starts, limits, axes: &[usize], rank: usize| {
            if axes.iter().copied().eq(0..rank) { self.fixed_sizes(starts, limits) } else { None }
        };
        match node.kind() {
            Kind::Slice(part) => {
                let part = self.taken_by(&part.index, operands[0])?;
                self.cut(operands[0], &part, typed)
            }
            Kind::Insert(insert) => {
                let part = self.taken_by(&insert.index, operands[0])?;
                self.insert(&part, node, operands, typed)
            }
            Kind::SliceBy(by) => {
                let rank = self.dims(operands[0])?.len();
                let Some(sizes) = fixed(node.arguments()[1], node.arguments()[2], &by.axes, rank) else {
                    let part = self.computed(&by.axes, operands[0], &operands[1..], node.arguments()[3])?;
                    return self.cut(operands[0], &part, typed);
                };
                let starts = self.starts(operands[1], rank)?;
                let all: Vec<Value> = std::iter::once(operands[0]).chain(starts).collect();
                let typed = (typed.0, Shape::from(&sizes[..]));
                self.operation("dynamic_slice", &all, &Says::Sizes(sizes), typed)
            }
            Kind::InsertBy(by) => {
                let rank = self.dims(operands[0])?.len();
                if fixed(node.arguments()[2], node.arguments()[3], &by.axes, rank).is_none() {
                    let part = self.computed(&by.axes, operands[0], &operands[2..], node.arguments()[4])?;
                    return self.insert(&part, node, operands, typed);
                }
                let starts = self.starts(operands[2], rank)?;
                let all: Vec<Value> = [operands[0], operands[1]].into_iter().chain(starts).collect();
                self.operation("dynamic_update_slice", &all, &Says::Nothing, typed)
            }
            _ => Err(Error::value("there is none".to_owned())),
        }
    }

    /// What an index takes of a value.
    fn taken_by(&mut self, index: &[Index], x: Value) -> Result<Part, Error> {
        let dims = self.dims(x)?;
        let laid = Index::on_axes(index, dims.len()).map_err(|found| {
            Error::value(format!("the index speaks of {found} axes, and there are {}", dims.len()))
        })?;
        let mut part = Part { spans: Vec::with_capacity(dims.len()), axes: Vec::new() };
        for (of_axis, axis) in laid {
            match of_axis {
                Index::New | Index::Ellipsis => part.axes.push(None),
                Index::At(at) => {
                    let stop = if at == -1 { None } else { Some(at + 1) };
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
        // Backwards the first is the one before the end above, and the last not before the one below.
        let [low, high] = match (back, ends) {
            (false, ends) => ends,
            (true, [start, stop]) => {
                let behind = |end: i64| if end == -1 { None } else { Some(end + 1) };
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
    fn computed(&mut self, axes: &[usize], x: Value, places: &[Value], steps: Id) -> Result<Part, Error> {
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

    /// A part of a value.
    fn cut(&mut self, x: Value, part: &Part, typed: Typed) -> Result<Value, Error> {
        let mut dims: Vec<Dim> =
            part.spans.iter().map(|span| span.count().map_or(Dim::UNKNOWN, Dim::Known)).collect();
        for (&axis, dim) in part.axes.iter().zip(typed.1.dims().unwrap_or_default()) {
            if let Some(axis) = axis
                && dims[axis].known().is_none()
            {
                dims[axis] = dim.clone();
            }
        }
        let typed_part = (typed.0, Shape::from(dims));
        let mut made = x;
        if !part.spans.iter().all(|span| span.whole) {
            made = match part.known() {
                Some(ranges) if self.typed(x).1.extents().is_some() => {
                    self.operation("slice", &[x], &Says::Ranges(ranges), typed_part.clone())?
                }
                _ => {
                    let step = |span: &Span| Size::Known(span.step);
                    let starts: Vec<Size> = part.spans.iter().map(|span| span.start).collect();
                    let stops: Vec<Size> = part.spans.iter().map(|span| span.stop).collect();
                    let steps: Vec<Size> = part.spans.iter().map(step).collect();
                    let mut operands = vec![x];
                    for list in [starts, stops, steps] {
                        operands.push(self.shape_of(&list)?);
                    }
                    self.operation("real_dynamic_slice", &operands, &Says::Nothing, typed_part.clone())?
                }
            };
        }
        let back = part.backwards();
        if !back.is_empty() {
            made = self.operation("reverse", &[made], &Says::Axes(back), typed_part)?;
        }
        if part.has_all_axes() {
            return Ok(made);
        }
        let sizes = part.axes.iter().map(|axis| match axis {
            None => Ok(Size::Known(1)),
            Some(axis) => self.size_of(made, *axis),
        });
        let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
        self.in_shape(made, &sizes, typed)
    }

    /// The value everywhere but in a part: padding, if it is one number; else what lies in the part is chosen there.
    fn insert(&mut self, part: &Part, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        let dims = self.dims(operands[0])?;
        if dims.is_empty() {
            return Ok(operands[1]);
        }
        let mut inner = operands[1];
        if !part.has_all_axes() {
            let mut sizes = vec![Size::Known(1); dims.len()];
            for (place, axis) in part.axes.iter().enumerate() {
                if let Some(axis) = *axis {
                    sizes[axis] = self.size_of(inner, place)?;
                }
            }
            let known = |size: &Size| if let Size::Known(n) = size { Dim::Known(*n) } else { Dim::UNKNOWN };
            let typed = (typed.0, sizes.iter().map(known).collect());
            inner = self.in_shape(inner, &sizes, typed)?;
        }
        let back = part.backwards();
        if !back.is_empty() {
            let typed = self.typed(inner).clone();
            inner = self.operation("reverse", &[inner], &Says::Axes(back), typed)?;
        }
        if let Some(value) = self.everywhere(node.arguments()[0])? {
            return self.padded(inner, value, operands[0], part, typed);
        }
        let zero = self.number(Number::Int(0), typed.0)?;
        let laid = self.padded(inner, zero, operands[0], part, typed.clone())?;
        let (no, yes) = (self.number(false, DType::Bool)?, self.number(true, DType::Bool)?);
        let sizes = (0..dims.len()).map(|axis| self.size_of(inner, axis)).collect::<Result<Vec<_>, _>>()?;
        let shape = self.typed(inner).1.clone();
        let mask = self.laid(yes, &[], &sizes, &shape)?;
        let mask = self.padded(mask, no, operands[0], part, (DType::Bool, typed.1.clone()))?;
        self.operation("select", &[mask, laid, operands[0]], &Says::Nothing, typed)
    }

    /// A part where it is of an array, and a value everywhere else.
    fn padded(
        &mut self,
        inner: Value,
        value: Value,
        around: Value,
        part: &Part,
        typed: Typed,
    ) -> Result<Value, Error> {
        let mut behind = Vec::with_capacity(part.spans.len());
        for (axis, span) in part.spans.iter().enumerate() {
            let own = self.size_of(around, axis)?;
            behind.push(match span.whole {
                true => Size::Known(0),
                false => self.sizes("subtract", own, span.stop)?,
            });
        }
        let known = |(span, behind): (&Span, &Size)| match (span.start, behind) {
            (Size::Known(start), Size::Known(behind)) => {
                Some([signed(start), signed(*behind), signed(span.step - 1)])
            }
            _ => None,
        };
        if let Some(padding) = part.spans.iter().zip(&behind).map(known).collect() {
            return self.operation("pad", &[inner, value], &Says::Padding(padding), typed);
        }
        let before: Vec<Size> = part.spans.iter().map(|span| span.start).collect();
        let between: Vec<Size> = part.spans.iter().map(|span| Size::Known(span.step - 1)).collect();
        let mut operands = vec![inner, value];
        for list in [before, behind, between] {
            operands.push(self.shape_of(&list)?);
        }
        self.operation("dynamic_pad", &operands, &Says::Nothing, typed)
    }

    /// What a node is everywhere, as a value without axes.
    fn everywhere(&self, id: Id) -> Result<Option<Value>, Error> {
        let node = self.graph.at(id);
        match node.kind() {
            Kind::Broadcast(Broadcast { axes }) if axes.iter().all(|lay| matches!(lay, Lay::New(_))) => {
                self.of(node.arguments()[0]).map(Some)
            }
            Kind::Fit(fit) => {
                let operand = node.arguments()[fit.operand];
                let scalar = self.graph.at(operand).shape().rank() == Some(0);
                if scalar { self.of(operand).map(Some) } else { Ok(None) }
            }
            _ => Ok(None),
        }
    }

    /// The lengths of a part that lies from starts on, wherever these are: limits that are starts and numbers.
    fn fixed_sizes(&self, starts: Id, limits: Id) -> Option<Vec<usize>> {
        let node = self.graph.at(limits);
        match node.kind() {
            Kind::Apply(apply) if apply.0 == Op::Add && node.arguments()[0] == starts => {
                let sizes = self.graph.at(node.arguments()[1]).integers()?;
                sizes.into_iter().map(|size| usize::try_from(size).ok()).collect()
            }
            _ => None,
        }
    }

    /// Starts one by one.
    fn starts(&mut self, starts: Value, rank: usize) -> Result<Vec<Value>, Error> {
        let mut all = Vec::with_capacity(rank);
        for place in 0..rank {
            let one = self.piece(starts, place)?;
            all.push(self.reshaped(one, &[])?);
        }
        Ok(all)
    }
}
