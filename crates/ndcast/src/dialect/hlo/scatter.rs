//! `scatter`: elements put, or folded in, where starts say. It is a gather the other way, with the same dimensions: what
//! that takes out of the operand, this puts into it.
//!
//! The axes that are always there as a whole are rows; the others become one axis of rows, and each element of the updates
//! gets the number of its row. Updates that do not lie within the operand as a whole are left out, as XLA has it: they go
//! to one row more, which is taken away again.

use ndcast_shape::Extent;

use super::elementwise::check_same;
use super::gather::Plan;
use super::{Builder, GatherDimensions, Padding, axes};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Broadcast, Fit, Lay, Reshape, ReshapeTo, Scatter, Transpose};
use crate::layout::as_i64;
use crate::op::Op;

impl Builder<'_> {
    /// `scatter`: the operand with slices of the updates written at each start, combined by this opcode (old value,
    /// update), or replacing the old value without one. Several updates of one place are applied in order.
    ///
    /// ```
    /// use ndcast::{DType, Tensor, dialect::hlo::{Builder, GatherDimensions}, graph::Graph};
    /// let mut graph = Graph::new();
    /// let x = graph.input("x", DType::F32, "4".parse()?)?;
    /// let numbers = graph.input("numbers", DType::I32, "3".parse()?)?;
    /// let updates = graph.input("updates", DType::F32, "3".parse()?)?;
    /// let each = GatherDimensions {
    ///     collapsed: vec![0],
    ///     start_index_map: vec![0],
    ///     index_vector: 1,
    ///     ..GatherDimensions::default()
    /// };
    /// let sums = Builder::new(&mut graph).scatter(x, numbers, updates, &each, Some("add"))?;
    /// graph.output("sums", sums)?;
    /// let x = Tensor::zeros(&[4], DType::F32)?;
    /// let numbers = Tensor::new(&[3], &[1, 1, 7])?;
    /// let updates = Tensor::new(&[3], &[1.0f32, 2.0, 3.0])?;
    /// assert_eq!(graph.run(&[x, numbers, updates])?[0].to_vec::<f32>()?, [0.0, 3.0, 0.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the dimensions do not say one thing of every axis, the updates do not fit, or have another element type than the
    /// operand; if starts are no integers; if there is no such instruction for the element type.
    pub fn scatter(
        &mut self,
        operand: Id,
        starts: Id,
        updates: Id,
        dimensions: &GatherDimensions,
        opcode: Option<&str>,
    ) -> Result<Id, Error> {
        self.scattered(operand, [starts, updates], dimensions, opcode)
            .map_err(|error| error.called("scatter"))
    }

    fn scattered(
        &mut self,
        operand: Id,
        [starts, updates]: [Id; 2],
        dimensions: &GatherDimensions,
        opcode: Option<&str>,
    ) -> Result<Id, Error> {
        let dtype = check_same(self.graph, &[operand, updates])?;
        let with = opcode.map(|opcode| self.op(opcode, &[], &[operand])).transpose()?;
        let starts = self.index_number(starts)?;
        let (sizes, whole) = self.window_sizes(operand, updates, dimensions)?;
        let plan = self.gather_plan(operand, starts, dimensions, &sizes)?;
        self.check_updates(&plan, updates)?;
        let (rest, spoken_of): (Vec<usize>, Vec<usize>) = (0..plan.dims.len()).partition(|&axis| whole[axis]);
        let rest_at: Vec<usize> = rest.iter().filter_map(|&axis| update_axis(&plan, axis)).collect();
        let lead: Vec<usize> =
            (0..plan.offset.len() + plan.batch_rank).filter(|axis| !rest_at.contains(axis)).collect();

        let (number, inside) = self.row_of_each(&plan, operand, updates, &spoken_of)?;
        let mut number = number;
        let mut table = self.rows(operand, &spoken_of, &rest)?;
        if let Some(inside) = inside {
            let count = self.graph.count_along(operand, &spoken_of, DType::I64)?;
            number = self.graph.op(Op::Where, &[inside, number, count])?;
            let mut padding = vec![Padding::default(); rest.len() + 1];
            padding[0].high = 1;
            let zero = self.graph.number(0, dtype)?;
            table = self.pad(table, zero, &padding)?;
        }
        let numbers = self.graph.add(Fit::join(2, 0), &[number, updates])?;
        let numbers = self.rows(numbers, &lead, &rest_at)?;
        let updates = self.rows(updates, &lead, &rest_at)?;
        let mut made = self.graph.add(Scatter { axis: 0, with }, &[table, numbers, updates])?;
        if inside.is_some() {
            made = self.graph.part(made, 0, None, Some(-1))?;
        }
        self.back(made, operand, &[spoken_of, rest].concat())
    }

    /// The sizes of the windows that updates are, and the axes of the operand that all of them have as a whole. An extent
    /// that is not known is whole.
    fn window_sizes(
        &self,
        operand: Id,
        updates: Id,
        dimensions: &GatherDimensions,
    ) -> Result<(Vec<i64>, Vec<bool>), Error> {
        let (dims, theirs) = (axes::dims(self.graph, operand)?, axes::dims(self.graph, updates)?);
        let offset = axes::axes(&dimensions.offset, theirs.len())?;
        let (mut sizes, mut whole) = (vec![1; dims.len()], vec![false; dims.len()]);
        let mut windows = offset.into_iter();
        for (axis, dim) in dims.iter().enumerate() {
            let signed = as_i64(axis);
            if dimensions.collapsed.contains(&signed) || dimensions.operand_batching.contains(&signed) {
                continue;
            }
            let Some(at) = windows.next() else { break };
            let started = dimensions.start_index_map.contains(&signed);
            match (theirs[at].known(), dim.known()) {
                (Some(size), extent) => {
                    sizes[axis] = as_i64(size);
                    whole[axis] = extent == Some(size) && !started;
                }
                (None, None) if !started => whole[axis] = true,
                (None, _) => {
                    return Err(Error::value(format!(
                        "the extent of axis {at} of the updates, which lies along axis {axis}, must be known"
                    )));
                }
            }
        }
        Ok((sizes, whole))
    }

    /// There must be an update for each start.
    fn check_updates(&self, plan: &Plan, updates: Id) -> Result<(), Error> {
        let theirs = axes::dims(self.graph, updates)?;
        axes::count(plan.offset.len() + plan.batch_rank, theirs.len())?;
        let starts = axes::dims(self.graph, plan.starts)?;
        let batch = batch_axes(plan);
        for (axis, dim) in starts.iter().enumerate().filter(|(axis, _)| plan.is_batch(*axis)) {
            let at = batch[plan.starts_axis(axis)];
            if theirs[at].meet(dim).is_none() {
                return Err(Error::value(format!(
                    "there are {dim} starts along axis {axis}, and {} updates along axis {at}",
                    theirs[at]
                )));
            }
        }
        Ok(())
    }

    /// The number of its row for each element of the updates, with axes of extent 1 where it does not depend on the axis,
    /// and whether it is there.
    fn row_of_each(
        &mut self,
        plan: &Plan,
        operand: Id,
        updates: Id,
        spoken_of: &[usize],
    ) -> Result<(Id, Option<Id>), Error> {
        let rank = axes::rank(self.graph, updates)?;
        let batch = batch_axes(plan);
        let mut sum: Option<Id> = None;
        let mut inside: Option<Id> = None;
        for &axis in spoken_of {
            let mut number = None;
            if let Some(place) = plan.map.iter().position(|&other| other == axis) {
                let start = self.component(plan, Some(place))?;
                let lay =
                    |at: usize| batch.iter().position(|&other| other == at).map_or(Lay::New(1), Lay::Axis);
                let start = self.graph.add(Broadcast::new((0..rank).map(lay)), &[start])?;
                let within = self.within(start, operand, axis, plan.sizes[axis])?;
                inside = Some(match inside {
                    None => within,
                    Some(before) => self.graph.op(Op::LogicalAnd, &[before, within])?,
                });
                number = Some(start);
            } else if let Some(place) = plan.batching.iter().position(|&other| other == axis) {
                let at = batch[plan.starts_axis(plan.starts_batching[place])];
                let extent = self.graph.extent_of(operand, axis)?;
                let places = self.graph.counted(extent)?;
                number = Some(self.graph.along(places, at, rank)?);
            }
            if let Some(at) = update_axis(plan, axis).filter(|_| plan.sizes[axis] != 1) {
                let size = self.graph.number(as_i64(plan.sizes[axis]), DType::I64)?;
                let steps = self.graph.counted(size)?;
                let steps = self.graph.along(steps, at, rank)?;
                number = Some(match number {
                    None => steps,
                    Some(start) => self.graph.op(Op::Add, &[start, steps])?,
                });
            }
            sum = match (sum, number) {
                (None, number) => number,
                (Some(before), number) => {
                    // What was before counts in whole extents of this axis.
                    let extent = self.graph.count_along(operand, &[axis], DType::I64)?;
                    let before = self.graph.op(Op::Multiply, &[before, extent])?;
                    Some(match number {
                        None => before,
                        Some(number) => self.graph.op(Op::Add, &[before, number])?,
                    })
                }
            };
        }
        let sum = match sum {
            Some(sum) => sum,
            // There is one row.
            None => self.graph.number(0, DType::I64)?,
        };
        Ok((sum, inside))
    }

    /// Whether a window of this size lies within the operand.
    fn within(&mut self, start: Id, operand: Id, axis: usize, size: usize) -> Result<Id, Error> {
        let extent = self.graph.count_along(operand, &[axis], DType::I64)?;
        let size = self.graph.number(as_i64(size), DType::I64)?;
        let last = self.graph.apply(Op::Subtract, &[extent, size])?;
        let zero = self.graph.number(0, DType::I64)?;
        let behind = self.graph.op(Op::GreaterEqual, &[start, zero])?;
        let before = self.graph.op(Op::LessEqual, &[start, last])?;
        self.graph.op(Op::LogicalAnd, &[behind, before])
    }

    /// Rows as the operand's axes, which lie in them in this order.
    fn back(&mut self, rows: Id, operand: Id, order: &[usize]) -> Result<Id, Error> {
        let dims = axes::dims(self.graph, operand)?;
        let known: Option<Vec<usize>> = order.iter().map(|&axis| dims[axis].known()).collect();
        let apart = match known {
            Some(known) => self.graph.add(Reshape::new(&known), &[rows])?,
            None => {
                let to = self.graph.extents_of(operand, order)?;
                self.graph.add(ReshapeTo, &[rows, to])?
            }
        };
        if order.is_sorted() {
            return Ok(apart);
        }
        let places = (0..order.len()).filter_map(|axis| order.iter().position(|&other| other == axis));
        self.graph.add(Transpose::new(places), &[apart])
    }
}

/// The axis of the updates along which a window lies on an axis of the operand.
fn update_axis(plan: &Plan, axis: usize) -> Option<usize> {
    let place = (0..axis).filter(|&other| plan.stays(other)).count();
    if plan.stays(axis) { plan.offset.get(place).copied() } else { None }
}

/// The axes of the updates that are those of the starts, in order.
fn batch_axes(plan: &Plan) -> Vec<usize> {
    (0..plan.offset.len() + plan.batch_rank).filter(|axis| !plan.offset.contains(axis)).collect()
}
