//! Parts of arrays, and arrays in the place of a part. Where extents are open, so are the ends of parts.

use ndcast_shape::{Dim, Extent, Index, Shape};

use super::extents::Size;
use super::span::{Part, Span};
use super::{Says, Typed, Value, Writer};
use crate::array::Number;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Apply, Broadcast, Lay};
use crate::graph::{Entry, Id, Kind, Node};
use crate::layout::as_i64;
use crate::op::Op;

impl Writer<'_> {
    pub(super) fn part(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
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
                let Some(sizes) = self.fixed_sizes(node, 1, &by.axes, rank) else {
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
                if self.fixed_sizes(node, 2, &by.axes, rank).is_none() {
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
                Some([as_i64(start), as_i64(*behind), as_i64(span.step - 1)])
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

    /// The sizes of a part of all axes in order, one element behind the other, whose limits are `starts + constants`, and
    /// whose starts leave that much: `dynamic_slice` and `dynamic_update_slice` move a start that does not, where the graph
    /// takes less. Starts are clamped so where either is read.
    fn fixed_sizes(&self, node: &Node, starts: usize, axes: &[usize], rank: usize) -> Option<Vec<usize>> {
        let [start, limits, steps] = [0, 1, 2].map(|place| self.graph.at(node.arguments()[starts + place]));
        let is_sum = matches!(limits.kind(), Kind::Apply(Apply(Op::Add)))
            && limits.arguments()[0] == node.arguments()[starts];
        let is_dense = steps.integers().is_some_and(|steps| steps.iter().all(|&step| step == 1));
        if !is_sum || !is_dense || !axes.iter().copied().eq(0..rank) {
            return None;
        }
        let sizes = self.graph.at(limits.arguments()[1]).integers()?;
        let sizes: Vec<usize> =
            sizes.into_iter().map(|size| usize::try_from(size).ok()).collect::<Option<_>>()?;
        self.are_clamped(start, node.arguments()[0], &sizes).then_some(sizes)
    }

    /// Whether starts were clamped to what leaves parts of these sizes of an operand: from 0 to its extents without them.
    fn are_clamped(&self, starts: &Node, operand: Id, sizes: &[usize]) -> bool {
        let (Kind::Apply(Apply(Op::Clamp)), &[least, _, most]) = (starts.kind(), starts.arguments()) else {
            return false;
        };
        let dims = self.graph.at(operand).dims().unwrap_or_default();
        let is_last = |(axis, (dim, &size)): (usize, (&Dim, &usize))| match dim {
            Dim::Known(extent) => {
                let numbers = self.graph.at(most).entries().and_then(|entries| entries.get(axis));
                let last = extent.checked_sub(size).and_then(|last| i64::try_from(last).ok());
                matches!((numbers, last), (Some(Entry::Int(most)), Some(last)) if *most == last)
            }
            _ => self.is_extent_without(most, operand, axis, size),
        };
        let is_zero = self.graph.at(least).integers().is_some_and(|least| least.iter().all(|&n| n == 0));
        is_zero && dims.len() == sizes.len() && dims.iter().zip(sizes).enumerate().all(is_last)
    }

    /// Whether a number of a list is what an operand's open extent has besides a size.
    fn is_extent_without(&self, list: Id, operand: Id, axis: usize, size: usize) -> bool {
        let node = self.graph.at(list);
        let piece = match node.kind() {
            Kind::Concatenate(_) => node.arguments().get(axis).map(|&id| self.graph.at(id)),
            _ => Some(node).filter(|_| axis == 0),
        };
        let Some(piece) = piece.filter(|piece| piece.shape().extents().as_deref() == Some(&[1])) else {
            return false;
        };
        let (Kind::Apply(Apply(Op::Subtract)), &[extent, other]) = (piece.kind(), piece.arguments()) else {
            return false;
        };
        let extent = self.graph.at(extent);
        let own = Index::part(Some(as_i64(axis)), Some(as_i64(axis + 1)));
        let shape = match extent.kind() {
            Kind::Slice(part) if part.index == [own] => self.graph.at(extent.arguments()[0]),
            // All of the shape of an operand of one axis.
            _ => extent,
        };
        matches!(shape.kind(), Kind::ShapeOf(_))
            && shape.arguments() == [operand]
            && self.graph.at(other).integers() == Some(vec![as_i64(size)])
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
