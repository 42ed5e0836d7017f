//! Operations whose shapes and places are operands: what `jax.export` writes where an extent is not known.

use ndcast_shape::rule::array_api;
use ndcast_shape::{Dim, Index, Shape};

use super::Builder;
use crate::dialect::hlo::{self, GatherDimensions, Padding};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Concatenate, Fit, Lay, ReshapeTo, Slice, SliceBy, Transpose};
use crate::graph::{Entry, Id, Kind, Node};
use crate::layout::as_i64;
use crate::op::Op;

impl Builder<'_> {
    /// `dynamic_broadcast_in_dim`: as [`Builder::broadcast_in_dim`], the shape being an operand.
    ///
    /// # Errors
    /// If the shape is not integers along one axis, or there are not as many axes as it has; if there is not an axis of the
    /// result for each of the operand's, or one twice; if an extent does not fit, as far as they are known.
    pub fn dynamic_broadcast_in_dim(&mut self, operand: Id, shape: Id, dims: &[i64]) -> Result<Id, Error> {
        self.laid_over(operand, shape, dims).map_err(|error| error.called("dynamic_broadcast_in_dim"))
    }

    fn laid_over(&mut self, operand: Id, shape: Id, dims: &[i64]) -> Result<Id, Error> {
        let rank = self.length(shape)?;
        if let Some(known) = self.graph.node(shape)?.integers() {
            let target: Shape = hlo::extents(&known)?.into_iter().map(Dim::Known).collect();
            return self.broadcast_in_dim(operand, &target, dims);
        }
        let own = hlo::dims(self.graph, operand)?.len();
        hlo::count(own, dims.len())?;
        let places = hlo::axes(dims, rank)?;
        let lay = |axis: usize| places.iter().position(|&place| place == axis).map_or(Lay::New(1), Lay::Axis);
        let aligned = Broadcast::new((0..rank).map(lay));
        let operand = if aligned.is_identity() { operand } else { self.graph.add(aligned, &[operand])? };
        self.graph.add(Fit::new(&array_api::BROADCAST_TO, 1, 0), &[operand, shape])
    }

    /// How many numbers an operand has that says a shape or places.
    fn length(&self, numbers: Id) -> Result<usize, Error> {
        let dims = hlo::dims(self.graph, numbers)?;
        match dims[..] {
            [Dim::Known(count)] if count <= 1024 => Ok(count),
            _ => {
                let shape = Shape::from(dims);
                Err(Error::value(format!(
                    "a shape is integers along one axis, and this has shape {}",
                    shape.brief()
                )))
            }
        }
    }

    /// `dynamic_reshape`: the same elements in the same order in the shape that an operand says.
    ///
    /// # Errors
    /// If the shape is not integers along one axis; if there is another number of elements.
    pub fn dynamic_reshape(&mut self, operand: Id, shape: Id) -> Result<Id, Error> {
        self.graph.add(ReshapeTo, &[operand, shape]).map_err(|error| error.called("dynamic_reshape"))
    }

    /// `dynamic_iota`: the numbers 0, 1, 2, ... along an axis of the shape that an operand says.
    ///
    /// # Errors
    /// If the shape is not integers along one axis; if there is no such axis, or no arithmetic on the type.
    pub fn dynamic_iota(&mut self, dtype: DType, shape: Id, axis: i64) -> Result<Id, Error> {
        let called = |error: Error| error.called("dynamic_iota");
        let rank = self.length(shape).map_err(called)?;
        let axis = hlo::axes(&[axis], rank).map_err(called)?[0];
        let numbers = self.hlo().index_number(shape)?;
        let place = as_i64(axis);
        let extent = self.graph.add(Slice { index: vec![Index::At(place)] }, &[numbers])?;
        let counted = self.hlo().counted(dtype, extent).map_err(called)?;
        if rank == 1 { Ok(counted) } else { self.laid_over(counted, shape, &[place]) }
    }

    /// `real_dynamic_slice`: along each axis from a start to before a limit by a stride, all of which are operands.
    ///
    /// # Errors
    /// If these are not integers along one axis, one for each axis of the operand.
    pub fn real_dynamic_slice(&mut self, operand: Id, places: [Id; 3]) -> Result<Id, Error> {
        let called = |error: Error| error.called("real_dynamic_slice");
        let rank = hlo::dims(self.graph, operand).map_err(called)?.len();
        let [starts, limits, strides] = places;
        let slice = SliceBy { axes: (0..rank).collect() };
        self.graph.add(slice, &[operand, starts, limits, strides]).map_err(called)
    }

    /// `dynamic_pad`: [`hlo::Builder::pad`] with paddings that are operands.
    ///
    /// # Errors
    /// If the paddings are not as many low as high and interior ones; as [`hlo::Builder::pad`].
    pub fn dynamic_pad(&mut self, operand: Id, value: Id, paddings: [Id; 3]) -> Result<Id, Error> {
        let called = |error: Error| error.called("dynamic_pad");
        let [low, high, interior] = paddings.map(|id| self.graph.node(id).map(Node::integers));
        if let (Some(low), Some(high), Some(interior)) = (low?, high?, interior?) {
            let padding = Padding::of_axes([&low, &high, &interior]).map_err(called)?;
            return self.hlo().pad(operand, value, &padding);
        }
        let rank = hlo::dims(self.graph, operand).map_err(called)?.len();
        for padding in paddings {
            let count = self.length(padding).map_err(called)?;
            hlo::count(rank, count).map_err(called)?;
        }
        self.hlo().pad_by(operand, value, paddings).map_err(called)
    }

    /// `dynamic_gather`: [`hlo::Builder::gather`] with sizes that are an operand.
    ///
    /// # Errors
    /// If the sizes along two axes that starts speak of cannot be known before the graph runs; as
    /// [`hlo::Builder::gather`].
    pub fn dynamic_gather(
        &mut self,
        operand: Id,
        starts: Id,
        sizes: Id,
        dimensions: &GatherDimensions,
    ) -> Result<Id, Error> {
        self.gathered(operand, starts, sizes, dimensions).map_err(|error| error.called("dynamic_gather"))
    }

    fn gathered(
        &mut self,
        operand: Id,
        starts: Id,
        sizes: Id,
        dimensions: &GatherDimensions,
    ) -> Result<Id, Error> {
        let unknown = || Error::value("the sizes of slices are known only when the graph runs".to_owned());
        let entries = self.graph.node(sizes)?.entries().ok_or_else(unknown)?.to_vec();
        let open: Vec<usize> =
            (0..entries.len()).filter(|&axis| !matches!(entries[axis], Entry::Int(_))).collect();
        let mut known: Vec<Option<i64>> =
            entries.iter().map(|entry| if let Entry::Int(n) = entry { Some(*n) } else { None }).collect();
        let (mut operand, mut of_starts) = (operand, Vec::new());
        for axis in open {
            let signed = as_i64(axis);
            if dimensions.goes(signed) {
                let text = format!("axis {axis} goes away, so the size of slices along it is 1");
                return Err(Error::value(text));
            }
            if dimensions.start_index_map.contains(&signed) {
                of_starts.push(axis);
                known[axis] = Some(1);
            } else if !self.is_extent(sizes, operand, axis)? {
                // No start speaks of it: all slices have its first places.
                operand = self.cut(operand, sizes, axis)?;
            }
        }
        match of_starts[..] {
            [] => self.hlo().gather_along(operand, starts, dimensions, &known),
            [axis] => self.with_open_size(operand, starts, (axis, sizes), dimensions, &known),
            _ => Err(unknown()),
        }
    }

    /// Whether one of some numbers is seen to be the extent of an operand's axis.
    fn is_extent(&self, numbers: Id, operand: Id, axis: usize) -> Result<bool, Error> {
        let mut node = self.graph.node(numbers)?;
        if matches!(node.kind(), Kind::Convert(_)) {
            node = self.graph.node(node.arguments()[0])?;
        }
        if let (Kind::Concatenate(_), Some(&piece)) = (node.kind(), node.arguments().get(axis)) {
            let before = &node.arguments()[..=axis];
            let single =
                |id: &Id| self.graph.node(*id).is_ok_and(|node| node.shape().extents() == Some(vec![1]));
            if !before.iter().all(single) {
                return Ok(false);
            }
            node = self.graph.node(piece)?;
            while let Kind::Reshape(_) | Kind::Convert(_) | Kind::Broadcast(_) = node.kind() {
                node = self.graph.node(node.arguments()[0])?;
            }
            let Kind::Slice(part) = node.kind() else { return Ok(false) };
            if part.index != [Index::At(as_i64(axis))] {
                return Ok(false);
            }
            node = self.graph.node(node.arguments()[0])?;
        }
        Ok(matches!(node.kind(), Kind::ShapeOf(_)) && node.arguments() == [operand])
    }

    /// The first places along an axis, as many as one of some numbers says.
    fn cut(&mut self, operand: Id, numbers: Id, axis: usize) -> Result<Id, Error> {
        let numbers = self.hlo().index_number(numbers)?;
        let place = as_i64(axis);
        let limit = self.graph.part(numbers, 0, Some(place), Some(place + 1))?;
        let (start, step) = (self.graph.integers(&[0])?, self.graph.integers(&[1])?);
        self.graph.add(SliceBy { axes: vec![axis] }, &[operand, start, limit, step])
    }

    /// A gather whose slices have a size along one axis that is computed: each of their places there is a start of its own,
    /// along a new first axis of the starts.
    fn with_open_size(
        &mut self,
        operand: Id,
        starts: Id,
        (axis, sizes): (usize, Id),
        dimensions: &GatherDimensions,
        known: &[Option<i64>],
    ) -> Result<Id, Error> {
        let signed = as_i64(axis);
        // Which axis of the result it is: those of slices are the operand's that stay, in order.
        let place = (0..signed).filter(|&other| !dimensions.goes(other)).count();
        let own = dimensions.offset.get(place).copied();
        let own = own.ok_or_else(|| Error::value(format!("the result has no axis for axis {axis}")))?;
        let numbers = self.hlo().index_number(sizes)?;
        let size = self.graph.add(Slice { index: vec![Index::At(signed)] }, &[numbers])?;
        let starts = self.starts_along(operand, starts, (axis, size), dimensions)?;
        let rank = hlo::dims(self.graph, starts)?.len();
        let others = dimensions.start_index_map.iter().copied().filter(|&other| other != signed);
        let behind = |by: i64| move |&other: &i64| if other > by { other } else { other + 1 };
        let inner = GatherDimensions {
            // The new axis is the first of the result, and its own is none.
            offset: dimensions.offset.iter().filter(|&&other| other != own).map(behind(own)).collect(),
            collapsed: [&dimensions.collapsed[..], &[signed]].concat(),
            operand_batching: dimensions.operand_batching.clone(),
            starts_batching: dimensions.starts_batching.iter().map(behind(dimensions.index_vector)).collect(),
            start_index_map: others.chain([signed]).collect(),
            index_vector: as_i64(rank) - 1,
        };
        let gathered = self.hlo().gather_along(operand, starts, &inner, known)?;
        let rank = hlo::dims(self.graph, gathered)?.len();
        let mut order: Vec<usize> = (1..rank).collect();
        order.insert(usize::try_from(own).unwrap_or(0).min(order.len()), 0);
        if order.iter().copied().eq(0..rank) {
            return Ok(gathered);
        }
        self.graph.add(Transpose::new(order), &[gathered])
    }

    /// Starts with a new first axis, along which the number for one axis of the operand counts up so far as a size says.
    /// The numbers of a start go along the last axis, that one last.
    fn starts_along(
        &mut self,
        operand: Id,
        starts: Id,
        (axis, size): (usize, Id),
        dimensions: &GatherDimensions,
    ) -> Result<Id, Error> {
        let starts = self.hlo().index_number(starts)?;
        let rank = hlo::dims(self.graph, starts)?.len();
        let vector = usize::try_from(dimensions.index_vector).ok().filter(|&vector| vector <= rank);
        let vector =
            vector.ok_or_else(|| Error::value("there is no axis of the numbers of starts".to_owned()))?;
        // All axes but that of the numbers, then that one, or a new one.
        let others = (0..rank).filter(|&other| other != vector).map(Lay::Axis);
        let last = if vector < rank { Lay::Axis(vector) } else { Lay::New(1) };
        let last_place = others.clone().count() + 1;
        let laid = Broadcast::new(std::iter::once(Lay::New(1)).chain(others).chain([last]));
        let starts = self.graph.add(laid, &[starts])?;
        let count = self.graph.counted(size)?;
        let steps = (0..=last_place).map(|place| if place == 0 { Lay::Axis(0) } else { Lay::New(1) });
        let steps = self.graph.add(Broadcast::new(steps), &[count])?;
        let mut pieces = Vec::new();
        let mut own = None;
        for (place, &of) in dimensions.start_index_map.iter().enumerate() {
            let at = as_i64(place);
            let number = self.graph.part(starts, last_place, Some(at), Some(at + 1))?;
            if usize::try_from(of) == Ok(axis) { own = Some(number) } else { pieces.push(number) }
        }
        let number = match own {
            // Moved into range as a whole slice.
            Some(number) => {
                let extent = self.graph.extent_of(operand, axis)?;
                let extent = self.graph.add(Slice { index: vec![Index::At(0)] }, &[extent])?;
                let greatest = self.graph.apply(Op::Subtract, &[extent, size])?;
                let zero = self.graph.number(0, DType::I64)?;
                let number = self.hlo().clamp(zero, number, greatest)?;
                self.graph.op(Op::Add, &[number, steps])?
            }
            None => steps,
        };
        pieces.push(number);
        // All as long as the longest: without numbers there is no axis of starts but those of others.
        let like = self.graph.part(starts, last_place, Some(0), Some(1))?;
        let like = self.graph.op(Op::Add, &[like, steps])?;
        for piece in &mut pieces {
            *piece = self.graph.add(Fit::join(2, 0), &[*piece, like])?;
        }
        self.graph.add(Concatenate { axis: last_place }, &pieces)
    }
}
