//! `gather`: slices of an operand, from starts that are computed when the graph runs, as rows taken by their numbers.
//!
//! The axes that starts speak of become one axis, and the starts numbers along it; an axis of which a slice has more than
//! one element brings an axis of numbers of its own. So every form is one [`Take`]. Starts are moved into range.

use ndcast_shape::{Dim, Extent, Index};

use super::{Builder, axes};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Fit, Lay, Reshape, ReshapeTo, Slice, Take, Transpose};
use crate::graph::{Arguments, Id};
use crate::layout::as_i64;
use crate::op::Op;

/// Which axes are which in a `gather`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatherDimensions {
    /// `offset_dims`: the axes of the result that run within a slice, in order.
    pub offset: Vec<i64>,
    /// `collapsed_slice_dims`: axes of the operand of slice size 1 that the result drops.
    pub collapsed: Vec<i64>,
    /// `operand_batching_dims`: axes of the operand that run together with `starts_batching`.
    pub operand_batching: Vec<i64>,
    /// `start_indices_batching_dims`: axes of the starts that run together with them.
    pub starts_batching: Vec<i64>,
    /// `start_index_map`: for each component of a start, the axis of the operand that it indexes.
    pub start_index_map: Vec<i64>,
    /// `index_vector_dim`: the axis of the starts that holds the components of one start; their rank if each is a scalar.
    pub index_vector: i64,
}

impl GatherDimensions {
    /// Whether the result has no axis for this one of the operand.
    pub(in crate::dialect) fn goes(&self, axis: i64) -> bool {
        self.collapsed.contains(&axis) || self.operand_batching.contains(&axis)
    }
}

/// What lies along an axis on the way to the result.
#[derive(Clone, Copy, PartialEq)]
enum Along {
    /// The starts, by their own axis without that of the numbers of one.
    Starts(usize),
    /// A slice, by the operand's axis.
    Slice(usize),
}

/// The dimensions, checked against the operands.
pub(super) struct Plan {
    operand: Id,
    pub(super) starts: Id,
    pub(super) dims: Vec<Dim>,
    pub(super) sizes: Vec<usize>,
    pub(super) offset: Vec<usize>,
    collapsed: Vec<usize>,
    pub(super) batching: Vec<usize>,
    pub(super) starts_batching: Vec<usize>,
    pub(super) map: Vec<usize>,
    /// The axis of the numbers of one start, if there is one.
    vector: Option<usize>,
    /// How many other axes the starts have.
    pub(super) batch_rank: usize,
}

impl Plan {
    /// The operand's axes that starts or batches speak of, in order.
    fn indexed(&self) -> Vec<usize> {
        (0..self.dims.len()).filter(|axis| self.map.contains(axis) || self.batching.contains(axis)).collect()
    }

    /// Whether the result has an axis for one of the operand.
    pub(super) fn stays(&self, axis: usize) -> bool {
        !self.collapsed.contains(&axis) && !self.batching.contains(&axis)
    }

    /// Whether an axis of the starts is another than that of the numbers of one start.
    pub(super) fn is_batch(&self, axis: usize) -> bool {
        self.vector != Some(axis)
    }

    /// An axis of the starts, without the one of the numbers of one start.
    pub(super) fn starts_axis(&self, axis: usize) -> usize {
        if self.vector.is_some_and(|vector| vector < axis) { axis - 1 } else { axis }
    }

    /// What lies along each axis of the result.
    fn result(&self) -> Vec<Along> {
        let mut kept = (0..self.dims.len()).filter(|&axis| self.stays(axis));
        let mut batches = 0..self.batch_rank;
        let rank = self.offset.len() + self.batch_rank;
        (0..rank)
            .filter_map(|place| match self.offset.contains(&place) {
                true => kept.next().map(Along::Slice),
                false => batches.next().map(Along::Starts),
            })
            .collect()
    }
}

impl Builder<'_> {
    /// `gather`: for each start a slice of these sizes.
    ///
    /// # Errors
    /// If the dimensions do not say one thing of every axis, the sizes do not fit, or starts are no integers.
    pub fn gather(
        &mut self,
        operand: Id,
        starts: Id,
        dimensions: &GatherDimensions,
        sizes: &[i64],
    ) -> Result<Id, Error> {
        let sizes: Vec<Option<i64>> = sizes.iter().copied().map(Some).collect();
        self.gather_along(operand, starts, dimensions, &sizes).map_err(|error| error.called("gather"))
    }

    /// The same; along an axis without a size, of which no start may speak, lies all of it.
    pub(in crate::dialect) fn gather_along(
        &mut self,
        operand: Id,
        starts: Id,
        dimensions: &GatherDimensions,
        sizes: &[Option<i64>],
    ) -> Result<Id, Error> {
        let starts = self.index_number(starts)?;
        let whole: Vec<usize> = (0..sizes.len()).filter(|&axis| sizes[axis].is_none()).collect();
        let sizes: Vec<i64> = sizes.iter().map(|size| size.unwrap_or(0)).collect();
        let plan = self.gather_plan(operand, starts, dimensions, &sizes)?;
        let indexed = plan.indexed();
        let operand = self.cut(&plan, &[&indexed[..], &whole].concat())?;
        let (numbers, mut lies) = self.row_numbers(&plan, &indexed)?;
        let rest: Vec<usize> = (0..plan.dims.len()).filter(|axis| !indexed.contains(axis)).collect();
        let along = rest.iter().map(|&axis| Along::Slice(axis));
        let taken = if let [axis] = indexed[..] {
            let before = along.clone().take(axis);
            lies = before.chain(lies).chain(along.clone().skip(axis)).collect();
            self.graph.add(Take { axis, batch: 0 }, &[operand, numbers])?
        } else {
            let rows = self.rows(operand, &indexed, &rest)?;
            lies.extend(along);
            self.graph.add(Take { axis: 0, batch: 0 }, &[rows, numbers])?
        };
        let order = plan.result().into_iter().filter_map(|one| lies.iter().position(|&along| along == one));
        let order = Transpose::new(order);
        let identity = order.order.iter().copied().eq(0..lies.len());
        if identity { Ok(taken) } else { self.graph.add(order, &[taken]) }
    }

    pub(super) fn gather_plan(
        &self,
        operand: Id,
        starts: Id,
        dimensions: &GatherDimensions,
        sizes: &[i64],
    ) -> Result<Plan, Error> {
        let dims = axes::dims(self.graph, operand)?;
        let starts_dims = axes::dims(self.graph, starts)?;
        axes::count(dims.len(), sizes.len())?;
        let sizes = axes::extents(sizes)?;
        let vector = axes::axis(dimensions.index_vector, starts_dims.len() + 1)?;
        let vector = (vector < starts_dims.len()).then_some(vector);
        let numbers = vector.map_or(Some(1), |vector| starts_dims[vector].known());
        axes::count(numbers.unwrap_or(0), dimensions.start_index_map.len())?;
        let batch_rank = starts_dims.len() - usize::from(vector.is_some());
        let offset = axes::axes(&dimensions.offset, batch_rank + dimensions.offset.len())?;
        let map = axes::axes(&dimensions.start_index_map, dims.len())?;
        let gone =
            axes::axes(&[&dimensions.collapsed[..], &dimensions.operand_batching].concat(), dims.len())?;
        let (collapsed, batching) = gone.split_at(dimensions.collapsed.len());
        let starts_batching = axes::axes(&dimensions.starts_batching, starts_dims.len())?;
        axes::count(batching.len(), starts_batching.len())?;
        axes::count(dims.len() - gone.len(), offset.len())?;
        let wrong = if !offset.is_sorted() {
            Some("the axes of the result that lie within a slice are not in order")
        } else if batching.iter().any(|axis| map.contains(axis)) {
            Some("an axis is batched, and a start speaks of it")
        } else if starts_batching.iter().any(|&axis| Some(axis) == vector) {
            Some("the axis of the numbers of a start is batched")
        } else if gone.iter().any(|&axis| sizes[axis] > 1) {
            Some("a slice has more than one element along an axis that goes away")
        } else if batching
            .iter()
            .zip(&starts_batching)
            .any(|(&a, &b)| dims[a].meet(&starts_dims[b]).is_none())
        {
            Some("axes that are batched together have different extents")
        } else {
            None
        };
        if let Some(wrong) = wrong {
            return Err(Error::value(wrong.to_owned()));
        }
        for (axis, (dim, &size)) in dims.iter().zip(&sizes).enumerate() {
            if dim.known().is_some_and(|extent| size > extent) {
                let text = format!("a slice has {size} elements along axis {axis}, whose extent is {dim}");
                return Err(Error::value(text));
            }
        }
        let (collapsed, batching) = (collapsed.to_vec(), batching.to_vec());
        Ok(Plan {
            operand,
            starts,
            dims,
            sizes,
            offset,
            collapsed,
            batching,
            starts_batching,
            map,
            vector,
            batch_rank,
        })
    }

    /// The operand without what no slice has along all but these axes, and without those that go away.
    fn cut(&mut self, plan: &Plan, without: &[usize]) -> Result<Id, Error> {
        let part = |axis: usize| {
            let whole = without.contains(&axis) || plan.dims[axis].known() == Some(plan.sizes[axis]);
            if whole { Index::WHOLE } else { axes::span(0, plan.sizes[axis]) }
        };
        let index: Vec<Index> = (0..plan.dims.len()).map(part).collect();
        if index.iter().all(|part| *part == Index::WHOLE) {
            return Ok(plan.operand);
        }
        self.graph.add(Slice { index }, &[plan.operand])
    }

    /// The axes that starts speak of as one, before the others.
    pub(super) fn rows(&mut self, operand: Id, indexed: &[usize], rest: &[usize]) -> Result<Id, Error> {
        let order = [indexed, rest].concat();
        let mut turned = operand;
        if !order.iter().copied().eq(0..order.len()) {
            turned = self.graph.add(Transpose::new(order), &[turned])?;
        }
        let dims = axes::dims(self.graph, turned)?;
        let (first, behind) = dims.split_at(indexed.len());
        let count: Option<usize> =
            first.iter().map(Extent::known).try_fold(1usize, |all, one| all.checked_mul(one?));
        match (count, behind.iter().map(Extent::known).collect::<Option<Vec<_>>>()) {
            (Some(count), Some(behind)) => {
                self.graph.add(Reshape::new(&[&[count], &behind[..]].concat()), &[turned])
            }
            _ => {
                // Beside an extent of 0 a -1 would be left open.
                let mut all = self.graph.integers(&[1])?;
                for axis in 0..indexed.len() {
                    let extent = self.graph.extent_of(turned, axis)?;
                    all = self.graph.apply(Op::Multiply, &[all, extent])?;
                }
                let mut pieces = Arguments::from_slice(&[all]);
                for axis in indexed.len()..dims.len() {
                    pieces.push(self.graph.extent_of(turned, axis)?);
                }
                let to = self.concatenate(&pieces, 0)?;
                self.graph.add(ReshapeTo, &[turned, to])
            }
        }
    }

    /// The numbers of the rows: with an axis for each of the starts, then one for each axis of a slice that starts speak
    /// of and that stays.
    fn row_numbers(&mut self, plan: &Plan, indexed: &[usize]) -> Result<(Id, Vec<Along>), Error> {
        let within: Vec<usize> = indexed.iter().copied().filter(|&axis| plan.stays(axis)).collect();
        let mut lies: Vec<Along> = (0..plan.batch_rank).map(Along::Starts).collect();
        lies.extend(within.iter().map(|&axis| Along::Slice(axis)));
        let mut sum: Option<Id> = None;
        for &axis in indexed {
            let start = self.start_along(plan, axis, lies.len())?;
            let mut number = start;
            if let Some(place) =
                within.iter().position(|&other| other == axis).filter(|_| plan.sizes[axis] != 1)
            {
                let count = self.graph.number(as_i64(plan.sizes[axis]), DType::I64)?;
                let steps = self.counted(DType::I64, count)?;
                let steps = self.graph.along(steps, plan.batch_rank + place, lies.len())?;
                let [start, steps] = self.graph.joined([number, steps])?;
                number = self.graph.apply(Op::Add, &[start, steps])?;
            }
            sum = Some(match sum {
                None => number,
                Some(before) => {
                    // What was before counts in whole extents of this axis.
                    let mut extent = self.graph.extent_of(plan.operand, axis)?;
                    if lies.is_empty() {
                        // Beside a number without axes it is one too.
                        extent = self.graph.add(Reshape::new(&[]), &[extent])?;
                    }
                    let [before, extent] = self.graph.joined([before, extent])?;
                    let before = self.graph.apply(Op::Multiply, &[before, extent])?;
                    let [before, number] = self.graph.joined([before, number])?;
                    self.graph.apply(Op::Add, &[before, number])?
                }
            });
        }
        let sum = match sum {
            Some(sum) => sum,
            // No start speaks of anything: each is the one row there is.
            None => {
                let like = self.component(plan, None)?;
                self.graph.full_like(0, like)?
            }
        };
        if !plan.map.is_empty() {
            return Ok((sum, lies));
        }
        // Batches that no number has brought are missing.
        let shape = self.component(plan, None)?;
        let lay = |at: usize| if at < plan.batch_rank { Lay::Axis(at) } else { Lay::New(1) };
        let shape = self.graph.add(Broadcast::new((0..lies.len()).map(lay)), &[shape])?;
        let sum = self.graph.add(Fit::join(2, 0), &[sum, shape])?;
        Ok((sum, lies))
    }

    /// The starts along one axis of the operand, in range, with axes of extent 1 up to a rank.
    fn start_along(&mut self, plan: &Plan, axis: usize, rank: usize) -> Result<Id, Error> {
        if let Some(batch) = plan.batching.iter().position(|&other| other == axis) {
            let along = plan.starts_axis(plan.starts_batching[batch]);
            let extent = self.graph.extent_of(plan.operand, axis)?;
            let numbers = self.graph.counted(extent)?;
            return self.graph.along(numbers, along, rank);
        }
        let place = plan.map.iter().position(|&other| other == axis);
        let start = self.component(plan, place)?;
        let extent = self.graph.extent_of(plan.operand, axis)?;
        let size = self.graph.integers(&[as_i64(plan.sizes[axis])])?;
        let last = self.graph.apply(Op::Subtract, &[extent, size])?;
        let last = self.graph.add(Reshape::new(&[]), &[last])?;
        let zero = self.graph.number(0, DType::I64)?;
        let start = self.clamp(zero, start, last)?;
        if rank == plan.batch_rank {
            return Ok(start);
        }
        let lay = |at: usize| if at < plan.batch_rank { Lay::Axis(at) } else { Lay::New(1) };
        self.graph.add(Broadcast::new((0..rank).map(lay)), &[start])
    }

    /// One number of every start; the first, if it is for its shape alone.
    pub(super) fn component(&mut self, plan: &Plan, place: Option<usize>) -> Result<Id, Error> {
        let Some(vector) = plan.vector else { return Ok(plan.starts) };
        let mut index = vec![Index::WHOLE; plan.batch_rank + 1];
        if place.is_none() && plan.map.is_empty() {
            // There is no number at all: a 0 is put in its place.
            let mut sizes = Vec::new();
            for (axis, dim) in axes::dims(self.graph, plan.starts)?.iter().enumerate() {
                let extent = dim.known().filter(|_| axis != vector);
                if axis != vector && extent.is_none() {
                    return Err(Error::value("starts without numbers have a shape that is known".to_owned()));
                }
                sizes.extend(extent);
            }
            let zero = self.graph.number(0, DType::I64)?;
            return self.graph.add(Broadcast::scalar(&sizes), &[zero]);
        }
        index[vector] = Index::At(as_i64(place.unwrap_or(0)));
        self.graph.add(Slice { index }, &[plan.starts])
    }
}
