//! Instructions that move elements, and the one that makes them of nothing.

use std::num::NonZeroI64;

use ndcast_shape::rule::hlo;
use ndcast_shape::{Dim, Index, Shape};

use super::{Builder, axes};
use crate::dialect::lay;
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::graph::Id;
use crate::graph::kind::{Broadcast, Concatenate, Lay, Range, Reshape, Slice, Transpose};
use crate::layout::as_i64;

impl Builder<'_> {
    /// `broadcast`: axis `i` of the operand lies on axis `dimensions[i]` of the result, with the same extent.
    ///
    /// # Errors
    /// As [`rule::hlo::broadcast`](ndcast_shape::rule::hlo::broadcast).
    pub fn broadcast(&mut self, operand: Id, shape: &Shape, dimensions: &[i64]) -> Result<Id, Error> {
        lay::over(self.graph, &hlo::BROADCAST, operand, shape, Some(dimensions))
            .map_err(|error| error.called("broadcast"))
    }

    /// `reshape`: the same elements in the same order in another shape.
    ///
    /// # Errors
    /// If that has not as many elements, or a negative extent.
    pub fn reshape(&mut self, operand: Id, sizes: &[i64]) -> Result<Id, Error> {
        let sizes = axes::extents(sizes).map_err(|error| error.of("reshape"))?;
        self.sized(operand, &sizes)
    }

    /// In the shape of these extents; as it is if that is known to be its shape.
    pub(in crate::dialect) fn sized(&mut self, operand: Id, sizes: &[usize]) -> Result<Id, Error> {
        if self.graph.node(operand)?.shape().extents().is_some_and(|own| own == sizes) {
            return Ok(operand);
        }
        self.graph.add(Reshape::new(sizes), &[operand])
    }

    /// `transpose`: axis `i` of the result is axis `permutation[i]` of the operand.
    ///
    /// # Errors
    /// If the permutation does not name each axis once.
    pub fn transpose(&mut self, operand: Id, permutation: &[i64]) -> Result<Id, Error> {
        let rank = axes::rank(self.graph, operand)?;
        let order: Result<Vec<usize>, _> = permutation.iter().map(|&axis| usize::try_from(axis)).collect();
        let order = order.map_err(|_| {
            Error::new(ErrorKind::Order { order: permutation.to_vec(), rank }).of("transpose")
        })?;
        self.graph.add(Transpose::new(order), &[operand])
    }

    /// `reverse`: some axes backwards.
    ///
    /// # Errors
    /// If there is no such axis, or one is named twice.
    pub fn reverse(&mut self, operand: Id, dimensions: &[i64]) -> Result<Id, Error> {
        let rank = axes::rank(self.graph, operand)?;
        let reversed = axes::axes(dimensions, rank).map_err(|error| error.of("reverse"))?;
        let index =
            (0..rank).map(|axis| if reversed.contains(&axis) { Index::FLIPPED } else { Index::WHOLE });
        self.graph.add(Slice { index: index.collect() }, &[operand])
    }

    /// `slice`: along each axis from a start to before a limit by a stride.
    ///
    /// # Errors
    /// If there is not one of each for every axis; if a start is negative or beyond its limit, a limit beyond its
    /// extent, or a stride less than 1.
    pub fn slice(
        &mut self,
        operand: Id,
        starts: &[i64],
        limits: &[i64],
        strides: &[i64],
    ) -> Result<Id, Error> {
        let (index, sizes) =
            self.strided(operand, [starts, limits, strides]).map_err(|error| error.of("slice"))?;
        let part = self.graph.add(Slice { index }, &[operand])?;
        // Where the extent was not known, that there is so much of it is checked when the graph runs.
        self.sized(part, &sizes)
    }

    fn strided(&self, operand: Id, lists: [&[i64]; 3]) -> Result<(Vec<Index>, Vec<usize>), Error> {
        let dims = axes::dims(self.graph, operand)?;
        for list in lists {
            axes::count(dims.len(), list.len())?;
        }
        let [starts, limits, strides] = lists;
        let (mut index, mut sizes) = (Vec::new(), Vec::new());
        for (axis, dim) in dims.iter().enumerate() {
            let (start, limit, stride) = (starts[axis], limits[axis], strides[axis]);
            let most = match dim {
                Dim::Known(extent) => Some(as_i64(*extent)),
                Dim::Interval(interval) => interval.max().map(as_i64),
                Dim::Symbol(_) => None,
            };
            let wrong = if start < 0 {
                Some("the start is negative")
            } else if most.is_some_and(|most| limit > most) {
                Some("the limit is beyond the extent")
            } else if limit < start {
                Some("the limit is before the start")
            } else if stride < 1 {
                Some("the stride is less than 1")
            } else {
                None
            };
            if let Some(wrong) = wrong {
                return Err(Error::value(format!(
                    "on axis {axis}, of extent {dim}, from {start} to {limit} by {stride}: {wrong}"
                )));
            }
            let step = NonZeroI64::new(stride).unwrap_or(NonZeroI64::MIN);
            let whole = Some(limit) == most && start == 0 && stride == 1 && matches!(dim, Dim::Known(_));
            index.push(match whole {
                true => Index::WHOLE,
                false => Index::Slice { start: Some(start), stop: Some(limit), step },
            });
            let size = (limit - start).checked_add(stride - 1).unwrap_or(i64::MAX) / stride;
            sizes.push(usize::try_from(size).unwrap_or(usize::MAX));
        }
        Ok((index, sizes))
    }

    /// `concatenate`: the operands one behind the other along an axis.
    ///
    /// # Errors
    /// If there is no such axis, or element types or other extents differ.
    pub fn concatenate(&mut self, operands: &[Id], dimension: i64) -> Result<Id, Error> {
        let Some(&first) = operands.first() else {
            return Err(Error::value("there is no operand".to_owned()).of("concatenate"));
        };
        let axis =
            axes::axis(dimension, axes::rank(self.graph, first)?).map_err(|error| error.of("concatenate"))?;
        self.graph.add(Concatenate { axis }, operands)
    }

    /// `iota`: the numbers 0, 1, 2, ... along an axis.
    ///
    /// # Errors
    /// If there is no such axis, an extent is negative, or there is no arithmetic on the type.
    pub fn iota(&mut self, dtype: DType, sizes: &[i64], dimension: i64) -> Result<Id, Error> {
        let wrong = |error: Error| error.of("iota");
        let sizes = axes::extents(sizes).map_err(wrong)?;
        let axis = axes::axis(dimension, sizes.len()).map_err(wrong)?;
        let count = self.graph.number(as_i64(sizes[axis]), DType::I64)?;
        let numbers = self.counted(dtype, count).map_err(wrong)?;
        let lay = |place: usize| if place == axis { Lay::Axis(0) } else { Lay::New(sizes[place]) };
        if sizes.len() == 1 {
            return Ok(numbers);
        }
        self.graph.add(Broadcast::new((0..sizes.len()).map(lay)), &[numbers])
    }

    /// The first numbers of a type, so many: an array of one axis.
    pub(in crate::dialect) fn counted(&mut self, dtype: DType, count: Id) -> Result<Id, Error> {
        let takes = |dtype: &DType| dtype.computes() && dtype.class() != Class::Bool;
        if !takes(&dtype) {
            return Err(Error::not_taken(dtype, DType::all().filter(takes).collect()));
        }
        let [zero, one] = [0, 1].map(|n: i64| self.graph.number(n, DType::I64));
        let numbers = self.graph.add(Range, &[zero?, count, one?])?;
        if dtype == DType::I64 { Ok(numbers) } else { self.convert(numbers, dtype) }
    }
}
