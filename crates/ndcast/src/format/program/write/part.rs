//! Parts of arrays, and arrays in the place of a part.

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

/// What an index takes of an axis, in numbers: the first, how many, and the distance from one to the next.
#[derive(Clone, Copy)]
struct Taken {
    first: usize,
    count: usize,
    step: i64,
}

fn signed(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

impl Taken {
    /// The least place taken, and the one behind the greatest.
    fn range(self) -> (i64, i64) {
        let (first, reach) = (signed(self.first), signed(self.count.max(1) - 1) * self.step);
        let least = first.min(first + reach);
        (least, if self.count == 0 { least } else { first.max(first + reach) + 1 })
    }
}

/// What an index takes of all axes, if their extents are known.
fn taken(index: &[Index], dims: &[Dim]) -> Result<Option<Vec<Taken>>, Error> {
    let laid = Index::on_axes(index, dims.len()).map_err(|found| {
        Error::value(format!("the index speaks of {found} axes, and there are {}", dims.len()))
    })?;
    let mut all = Vec::new();
    for (part, axis) in laid {
        let (start, stop, step) = match part {
            Index::New | Index::Ellipsis => continue,
            Index::At(at) => (Some(at), if at == -1 { None } else { Some(at + 1) }, 1),
            Index::Slice { start, stop, step } => (start, stop, step.get()),
        };
        let Some(extent) = dims[axis].known() else { return Ok(None) };
        let span =
            slice(extent, start, stop, std::num::NonZeroI64::new(step).unwrap_or(std::num::NonZeroI64::MIN));
        all.push(Taken { first: span.first, count: span.count, step });
    }
    Ok(Some(all))
}

impl Writer<'_> {
    pub(super) fn part(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        match node.kind() {
            Kind::Slice(part) => self.slice(&part.index, operands[0], typed),
            Kind::Insert(insert) => self.insert(&insert.index, node, operands, typed),
            Kind::SliceBy(part) => {
                let [starts, limits, steps] = [1, 2, 3].map(|place| node.arguments()[place]);
                let steps = self.graph.at(steps).integers();
                self.dynamic_slice(&part.axes, [starts, limits], steps, operands, typed)
            }
            _ => {
                let (starts, limits) = (node.arguments()[2], node.arguments()[3]);
                let sizes = self.fixed_sizes(starts, limits)?;
                let rank = self.dims(operands[0])?.len();
                let starts = self.starts(operands[2], rank)?;
                if sizes.len() != rank {
                    return Err(Error::value("it does not speak of all axes in order".to_owned()));
                }
                let all: Vec<Value> = [operands[0], operands[1]].into_iter().chain(starts).collect();
                self.operation("dynamic_update_slice", &all, &Says::Nothing, typed)
            }
        }
    }

    fn slice(&mut self, index: &[Index], x: Value, typed: Typed) -> Result<Value, Error> {
        let dims = self.dims(x)?;
        let Some(all) = taken(index, &dims)? else { return self.open_slice(index, x, typed) };
        let mut made = x;
        let sizes: Vec<usize> = all.iter().map(|taken| taken.count).collect();
        let known: Option<Vec<usize>> = dims.iter().map(Extent::known).collect();
        let whole = known == Some(sizes.clone()) && all.iter().all(|taken| taken.step == 1);
        let typed_part = (typed.0, Shape::from(&sizes[..]));
        if !whole {
            let range = |taken: &Taken| {
                let (start, stop) = taken.range();
                [start, stop, taken.step.abs()]
            };
            let ranges = Says::Ranges(all.iter().map(range).collect());
            made = self.operation("slice", &[made], &ranges, typed_part.clone())?;
        }
        let back: Vec<usize> =
            (0..all.len()).filter(|&axis| all[axis].step < 0 && all[axis].count > 1).collect();
        if !back.is_empty() {
            made = self.operation("reverse", &[made], &Says::Axes(back), typed_part)?;
        }
        let to = typed.1.extents().unwrap_or_default();
        self.reshaped(made, &to)
    }

    /// Of extents that are open: from starts to before limits that are computed.
    fn open_slice(&mut self, index: &[Index], x: Value, typed: Typed) -> Result<Value, Error> {
        let dims = self.dims(x)?;
        let laid = Index::on_axes(index, dims.len()).unwrap_or_default();
        let mut lists: [Vec<Size>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        let (mut back, mut gone) = (Vec::new(), Vec::new());
        for (part, axis) in laid {
            let own = self.size_of(x, axis)?;
            let (start, stop, step) = match part {
                Index::New | Index::Ellipsis => {
                    return Err(Error::value("a new axis beside an open extent is not written".to_owned()));
                }
                Index::Slice { start: None, stop: None, step } if step.get() == -1 => {
                    back.push(axis);
                    (Size::Known(0), own, 1)
                }
                Index::At(at) => {
                    gone.push(axis);
                    let start = self.end(at, own)?;
                    let stop = if at == -1 { own } else { self.end(at + 1, own)? };
                    (start, stop, 1)
                }
                Index::Slice { start, stop, step } => {
                    let step = usize::try_from(step.get()).map_err(|_| {
                        Error::value("steps backwards along an open extent are not written".to_owned())
                    })?;
                    let start = start.map_or(Ok(Size::Known(0)), |start| self.end(start, own))?;
                    (start, stop.map_or(Ok(own), |stop| self.stop(stop, start, own))?, step)
                }
            };
            for (list, size) in lists.iter_mut().zip([start, stop, Size::Known(step)]) {
                list.push(size);
            }
        }
        let kept: Vec<Dim> = {
            // As the result has them, with an axis of 1 for each that goes away.
            let mut own = typed.1.dims().unwrap_or_default().iter().cloned();
            let of = |axis: usize| if gone.contains(&axis) { Some(Dim::Known(1)) } else { own.next() };
            (0..dims.len()).filter_map(of).collect()
        };
        let mut operands = vec![x];
        for list in &lists {
            operands.push(self.shape_of(list)?);
        }
        let typed_part = (typed.0, Shape::from(kept));
        let mut made = self.operation("real_dynamic_slice", &operands, &Says::Nothing, typed_part.clone())?;
        if !back.is_empty() {
            made = self.operation("reverse", &[made], &Says::Axes(back), typed_part)?;
        }
        if gone.is_empty() {
            return Ok(made);
        }
        let rest: Vec<usize> = (0..dims.len()).filter(|axis| !gone.contains(axis)).collect();
        let sizes = rest.iter().map(|&axis| self.size_of(made, axis)).collect::<Result<Vec<_>, _>>()?;
        let target = self.shape_of(&sizes)?;
        self.operation("dynamic_reshape", &[made, target], &Says::Nothing, typed)
    }

    /// An end of a part, which counts from the axis's end if it is negative and lies within the axis.
    fn end(&mut self, end: i64, own: Size) -> Result<Size, Error> {
        let places = usize::try_from(end.unsigned_abs()).unwrap_or(usize::MAX);
        match own {
            Size::Known(extent) if end < 0 => Ok(Size::Known(extent.saturating_sub(places))),
            Size::Known(extent) => Ok(Size::Known(places.min(extent))),
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

    /// The end behind a part, which is empty if it would end before it begins.
    fn stop(&mut self, stop: i64, start: Size, own: Size) -> Result<Size, Error> {
        match (start, self.end(stop, own)?) {
            (Size::Known(0), stop) => Ok(stop),
            (Size::Known(start), Size::Known(stop)) => Ok(Size::Known(stop.max(start))),
            (start, stop) => self.sizes("maximum", start, stop),
        }
    }

    /// Padding of open extents: the place says how much lies before it, and from the end how much behind.
    fn open_insert(
        &mut self,
        index: &[Index],
        node: &Node,
        operands: &[Value],
        typed: Typed,
    ) -> Result<Value, Error> {
        let cannot = || Error::value("the place has an open extent".to_owned());
        let value = self.everywhere(node.arguments()[0])?.ok_or_else(cannot)?;
        let dims = self.dims(operands[0])?;
        let mut padding = Vec::with_capacity(dims.len());
        for (part, axis) in Index::on_axes(index, dims.len()).map_err(|_| cannot())? {
            let Index::Slice { start, stop, step } = part else { return Err(cannot()) };
            let high = match (stop, dims[axis].known()) {
                (None, _) => 0,
                (Some(stop), _) if stop < 0 => -stop,
                (Some(stop), Some(extent)) => signed(extent) - stop,
                (Some(_), None) => return Err(cannot()),
            };
            let low = start.unwrap_or(0);
            if low < 0 || step.get() < 1 {
                return Err(cannot());
            }
            padding.push([low, high, step.get() - 1]);
        }
        self.operation("pad", &[operands[1], value], &Says::Padding(padding), typed)
    }

    /// The value everywhere but in a part: padding, if it is one number; else what lies in the part is chosen there.
    fn insert(
        &mut self,
        index: &[Index],
        node: &Node,
        operands: &[Value],
        typed: Typed,
    ) -> Result<Value, Error> {
        let dims = self.dims(operands[0])?;
        let Some(all) = taken(index, &dims)? else {
            return self.open_insert(index, node, operands, typed);
        };
        if dims.is_empty() {
            return Ok(operands[1]);
        }
        let sizes: Vec<usize> = all.iter().map(|taken| taken.count).collect();
        let extents: Vec<usize> = dims.iter().filter_map(Extent::known).collect();
        let mut part = self.reshaped(operands[1], &sizes)?;
        let back: Vec<usize> = (0..all.len()).filter(|&axis| all[axis].step < 0 && sizes[axis] > 1).collect();
        if !back.is_empty() {
            let typed = self.typed(part).clone();
            part = self.operation("reverse", &[part], &Says::Axes(back), typed)?;
        }
        let padding = || {
            let of_axis = |(taken, &extent): (&Taken, &usize)| {
                let (start, stop) = taken.range();
                [start, signed(extent) - stop, taken.step.abs() - 1]
            };
            Says::Padding(all.iter().zip(&extents).map(of_axis).collect())
        };
        if let Some(value) = self.everywhere(node.arguments()[0])? {
            return self.operation("pad", &[part, value], &padding(), typed);
        }
        let zero = self.number(Number::Int(0), typed.0)?;
        let laid = self.operation("pad", &[part, zero], &padding(), typed.clone())?;
        let (no, yes) = (self.number(false, DType::Bool)?, self.number(true, DType::Bool)?);
        let mask = self.laid(yes, &[], &[], &Shape::from(&sizes[..]))?;
        let mask = self.operation("pad", &[mask, no], &padding(), (DType::Bool, typed.1.clone()))?;
        self.operation("select", &[mask, laid, operands[0]], &Says::Nothing, typed)
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
    fn fixed_sizes(&self, starts: Id, limits: Id) -> Result<Vec<i64>, Error> {
        let node = self.graph.at(limits);
        let lengths = match node.kind() {
            Kind::Apply(apply) if apply.0 == Op::Add && node.arguments()[0] == starts => {
                self.graph.at(node.arguments()[1]).integers()
            }
            _ => None,
        };
        lengths.ok_or_else(|| {
            Error::value("the length of the part is known only when the graph runs".to_owned())
        })
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

    fn dynamic_slice(
        &mut self,
        axes: &[usize],
        [starts, limits]: [Id; 2],
        steps: Option<Vec<i64>>,
        operands: &[Value],
        typed: Typed,
    ) -> Result<Value, Error> {
        let rank = self.dims(operands[0])?.len();
        if axes.iter().copied().eq(0..rank)
            && let Ok(sizes) = self.fixed_sizes(starts, limits)
        {
            let starts = self.starts(operands[1], rank)?;
            let all: Vec<Value> = std::iter::once(operands[0]).chain(starts).collect();
            let sizes: Vec<usize> = sizes.iter().filter_map(|&size| usize::try_from(size).ok()).collect();
            let typed = (typed.0, Shape::from(&sizes[..]));
            return self.operation("dynamic_slice", &all, &Says::Sizes(sizes), typed);
        }
        let [starts, limits] = [operands[1], operands[2]];
        let mut lists: [Vec<Size>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        let steps = steps.filter(|steps| steps.iter().all(|&step| step > 0));
        let steps = steps.ok_or_else(|| {
            Error::value(
                "steps that are known only when the graph runs, or go backwards, are not written".to_owned(),
            )
        })?;
        for axis in 0..rank {
            let own = self.size_of(operands[0], axis)?;
            let parts = match axes.iter().position(|&other| other == axis) {
                None => [Size::Known(0), own, Size::Known(1)],
                Some(place) => {
                    let (start, stop) = (self.end_of(starts, place, own)?, self.end_of(limits, place, own)?);
                    let stop = self.sizes("maximum", start, stop)?;
                    [start, stop, Size::Known(usize::try_from(steps[place]).unwrap_or(1))]
                }
            };
            for (list, size) in lists.iter_mut().zip(parts) {
                list.push(size);
            }
        }
        let mut all = vec![operands[0]];
        for list in &lists {
            all.push(self.shape_of(list)?);
        }
        self.operation("real_dynamic_slice", &all, &Says::Nothing, typed)
    }

    /// The same of an end that is computed: one of some integers.
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
