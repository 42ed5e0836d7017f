//! Parts of arrays whose places are computed when the graph runs. Starts are moved into range, as XLA has it.

use ndcast_shape::{Dim, Kind};

use super::{Builder, axes};
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::graph::kind::{InsertBy, Reshape, SliceBy};
use crate::graph::{Arguments, Id};
use crate::layout::as_i64;
use crate::op::Op;

impl Builder<'_> {
    /// `dynamic-slice`: of each axis so much from a start on, which is a scalar of integers.
    ///
    /// # Errors
    /// If there is not a start and a size for each axis; if a start is no integer or no scalar; if a size is negative or
    /// beyond its extent.
    pub fn dynamic_slice(&mut self, operand: Id, starts: &[Id], sizes: &[i64]) -> Result<Id, Error> {
        self.sliced(operand, starts, sizes).map_err(|error| error.called("dynamic_slice"))
    }

    fn sliced(&mut self, operand: Id, starts: &[Id], sizes: &[i64]) -> Result<Id, Error> {
        let dims = axes::dims(self.graph, operand)?;
        axes::count(dims.len(), starts.len())?;
        axes::count(dims.len(), sizes.len())?;
        let sizes = axes::extents(sizes)?;
        for (axis, (dim, &size)) in dims.iter().zip(&sizes).enumerate() {
            check_fits(axis, dim, size)?;
        }
        if dims.is_empty() {
            return Ok(operand);
        }
        let [starts, stops] = self.places(operand, starts, &sizes)?;
        let ones = self.graph.integers(&vec![1; dims.len()])?;
        let part = SliceBy { axes: (0..dims.len()).collect() };
        let part = self.graph.add(part, &[operand, starts, stops, ones])?;
        self.sized(part, &sizes)
    }

    /// `dynamic-update-slice`: the operand with the update in it from a start on, which is a scalar for each axis.
    ///
    /// # Errors
    /// If there is not a start for each axis; if a start is no integer or no scalar; if the update has another element
    /// type or rank, or is longer than the operand.
    pub fn dynamic_update_slice(&mut self, operand: Id, update: Id, starts: &[Id]) -> Result<Id, Error> {
        self.updated(operand, update, starts).map_err(|error| error.called("dynamic_update_slice"))
    }

    fn updated(&mut self, operand: Id, update: Id, starts: &[Id]) -> Result<Id, Error> {
        super::check_same(self.graph, &[operand, update])?;
        let (dims, parts) = (axes::dims(self.graph, operand)?, axes::dims(self.graph, update)?);
        axes::count(dims.len(), parts.len())?;
        axes::count(dims.len(), starts.len())?;
        let mut sizes = Vec::with_capacity(parts.len());
        for (axis, (dim, part)) in dims.iter().zip(&parts).enumerate() {
            let Dim::Known(size) = *part else {
                return Err(Error::value(format!("the extent of axis {axis} of the update is not known")));
            };
            check_fits(axis, dim, size)?;
            sizes.push(size);
        }
        if dims.is_empty() {
            return Ok(update);
        }
        let [starts, stops] = self.places(operand, starts, &sizes)?;
        let ones = self.graph.integers(&vec![1; dims.len()])?;
        let insert = InsertBy { axes: (0..dims.len()).collect() };
        self.graph.add(insert, &[operand, update, starts, stops, ones])
    }

    /// Where a part of these sizes starts and stops, moved into the operand: integers along one axis each.
    fn places(&mut self, operand: Id, starts: &[Id], sizes: &[usize]) -> Result<[Id; 2], Error> {
        let mut pieces = Arguments::new();
        for &start in starts {
            axes::scalar(self.graph, start)?;
            let number = self.index_number(start)?;
            pieces.push(self.graph.add(Reshape::new(&[1]), &[number])?);
        }
        let starts = self.concatenate(&pieces, 0)?;
        let mut last = Arguments::new();
        for (axis, &size) in sizes.iter().enumerate() {
            let extent = self.graph.extent_of(operand, axis)?;
            let size = self.graph.integers(&[as_i64(size)])?;
            last.push(self.graph.apply(Op::Subtract, &[extent, size])?);
        }
        let last = self.concatenate(&last, 0)?;
        let zeros = self.graph.integers(&vec![0; sizes.len()])?;
        let starts = self.graph.apply(Op::Clamp, &[zeros, starts, last])?;
        let lengths: Vec<i64> = sizes.iter().map(|&size| as_i64(size)).collect();
        let lengths = self.graph.integers(&lengths)?;
        let stops = self.graph.apply(Op::Add, &[starts, lengths])?;
        Ok([starts, stops])
    }

    /// Integers that say where, as i64. What that does not hold is its greatest, and so beyond every extent.
    pub(in crate::dialect) fn index_number(&mut self, numbers: Id) -> Result<Id, Error> {
        let dtype = self.graph.node(numbers)?.dtype();
        if !dtype.is_integer() || !dtype.computes() {
            let integers = |dtype: &DType| dtype.computes() && dtype.is_integer();
            return Err(Error::not_taken(dtype, DType::all().filter(integers).collect()));
        }
        if dtype == DType::I64 {
            return Ok(numbers);
        }
        let numbers = if dtype == DType::U64 {
            let most = self.graph.full_like(i64::MAX, numbers)?;
            self.graph.apply(Op::Minimum, &[numbers, most])?
        } else {
            numbers
        };
        self.convert(numbers, DType::I64)
    }
}

/// A part may not be longer than what it is of.
fn check_fits(axis: usize, dim: &Dim, size: usize) -> Result<(), Error> {
    let most = match dim {
        Dim::Known(extent) => Some(*extent),
        Dim::Interval(interval) => interval.max(),
        Dim::Symbol(_) => None,
    };
    match most {
        Some(most) if size > most => Err(Error::new(ErrorKind::Shape(
            Kind::IndexOutOfRange { index: as_i64(size), axis, extent: dim.clone() }.into(),
        ))),
        _ => Ok(()),
    }
}
