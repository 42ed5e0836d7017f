//! Operations that move elements, fold them, or multiply arrays: those of HLO, with the builder's names.

use ndcast_shape::rule::xla;
use ndcast_shape::{Dim, Shape};

use super::{Builder, hlo};
use crate::dialect::hlo::{DotDimensions, GatherDimensions, Padding};
use crate::dialect::lay;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::ReshapeTo;
use crate::layout::saturating_count;

/// Sizes as a shape; a negative one is none.
fn shape(sizes: &[i64]) -> Result<Shape, Error> {
    hlo::extents(sizes).map(|extents| extents.into_iter().map(Dim::Known).collect())
}

impl Builder<'_> {
    /// `Broadcast(operand, sizes)`: new axes of these extents in front.
    ///
    /// # Errors
    /// If a size is negative, or an extent of the operand is not known.
    pub fn broadcast(&mut self, operand: Id, sizes: &[i64]) -> Result<Id, Error> {
        let laid =
            shape(sizes).and_then(|sizes| lay::over(self.graph, &xla::BROADCAST, operand, &sizes, None));
        laid.map_err(|error| error.called("broadcast"))
    }

    /// `BroadcastInDim(operand, sizes, broadcast_dimensions)`: axis `i` of the operand lies on axis
    /// `broadcast_dimensions[i]` of the result, and an extent of 1 stretches.
    ///
    /// # Errors
    /// If a size is negative; as
    /// [`rule::xla::broadcast_in_dim`](ndcast_shape::rule::xla::broadcast_in_dim).
    pub fn broadcast_in_dim(
        &mut self,
        operand: Id,
        sizes: &[i64],
        broadcast_dimensions: &[i64],
    ) -> Result<Id, Error> {
        let axes = Some(broadcast_dimensions);
        let laid = shape(sizes)
            .and_then(|sizes| lay::over(self.graph, &xla::BROADCAST_IN_DIM, operand, &sizes, axes));
        laid.map_err(|error| error.called("broadcast_in_dim"))
    }

    /// `Reshape`: the same elements in the same order in another shape.
    ///
    /// # Errors
    /// As [`hlo::Builder::reshape`].
    pub fn reshape(&mut self, operand: Id, sizes: &[i64]) -> Result<Id, Error> {
        self.hlo().reshape(operand, sizes)
    }

    /// `Collapse`: axes that follow one another as one.
    ///
    /// # Errors
    /// If there is no such axis, or one does not follow the one before it.
    pub fn collapse(&mut self, operand: Id, dimensions: &[i64]) -> Result<Id, Error> {
        let rank = self.hlo().rank(operand)?;
        let found = hlo::axes(dimensions, rank).map_err(|error| error.of("collapse"))?;
        // "Collapsed dimensions not in consecutive order"
        if let Some(pair) = found.windows(2).find(|pair| pair[1] != pair[0] + 1) {
            let text = format!("axis {} does not follow axis {}", pair[1], pair[0]);
            return Err(Error::value(text).of("collapse"));
        }
        let (&[first, .., last] | &[first @ last]) = &found[..] else { return Ok(operand) };
        if first == last {
            return Ok(operand);
        }
        let mut pieces = Vec::new();
        for axis in (0..first).chain([rank]).chain(last + 1..rank) {
            pieces.push(match axis == rank {
                true => self.graph.integers(&[-1])?,
                false => self.graph.extent_of(operand, axis)?,
            });
        }
        if let Some(extents) = self.graph.node(operand)?.shape().extents() {
            let whole = saturating_count(&extents[first..=last]);
            let sizes = [&extents[..first], &[whole], &extents[last + 1..]].concat();
            return self.hlo().sized(operand, &sizes);
        }
        let to = self.hlo().concatenate(&pieces, 0)?;
        self.graph.add(ReshapeTo, &[operand, to])
    }

    /// `Transpose`: axis `i` of the result is axis `permutation[i]` of the operand.
    ///
    /// # Errors
    /// As [`hlo::Builder::transpose`].
    pub fn transpose(&mut self, operand: Id, permutation: &[i64]) -> Result<Id, Error> {
        self.hlo().transpose(operand, permutation)
    }

    /// `Rev`: some axes backwards.
    ///
    /// # Errors
    /// As [`hlo::Builder::reverse`].
    pub fn rev(&mut self, operand: Id, dimensions: &[i64]) -> Result<Id, Error> {
        self.hlo().reverse(operand, dimensions)
    }

    /// `Slice`: along each axis from a start to before a limit by a stride.
    ///
    /// # Errors
    /// As [`hlo::Builder::slice`].
    pub fn slice(
        &mut self,
        operand: Id,
        starts: &[i64],
        limits: &[i64],
        strides: &[i64],
    ) -> Result<Id, Error> {
        self.hlo().slice(operand, starts, limits, strides)
    }

    /// `Pad`: elements of a value before, after and between.
    ///
    /// # Errors
    /// As [`hlo::Builder::pad`].
    pub fn pad(&mut self, operand: Id, value: Id, padding: &[Padding]) -> Result<Id, Error> {
        self.hlo().pad(operand, value, padding)
    }

    /// `ConcatInDim`: the operands one behind the other along an axis.
    ///
    /// # Errors
    /// As [`hlo::Builder::concatenate`].
    pub fn concat_in_dim(&mut self, operands: &[Id], dimension: i64) -> Result<Id, Error> {
        self.hlo().concatenate(operands, dimension)
    }

    /// `DynamicSlice`: of each axis so much from a start on.
    ///
    /// # Errors
    /// As [`hlo::Builder::dynamic_slice`].
    pub fn dynamic_slice(&mut self, operand: Id, starts: &[Id], sizes: &[i64]) -> Result<Id, Error> {
        self.hlo().dynamic_slice(operand, starts, sizes)
    }

    /// `DynamicUpdateSlice`: the operand with the update in it from a start on.
    ///
    /// # Errors
    /// As [`hlo::Builder::dynamic_update_slice`].
    pub fn dynamic_update_slice(&mut self, operand: Id, update: Id, starts: &[Id]) -> Result<Id, Error> {
        self.hlo().dynamic_update_slice(operand, update, starts)
    }

    /// `Reduce`: the elements along some axes, and a first value, folded by a binary operation that is named by its
    /// opcode: `add`, `multiply`, `maximum`, `minimum`, `and`, `or`.
    ///
    /// # Errors
    /// As [`hlo::Builder::reduce`].
    pub fn reduce(&mut self, operand: Id, init: Id, opcode: &str, dimensions: &[i64]) -> Result<Id, Error> {
        self.hlo().reduce(operand, init, opcode, dimensions)
    }

    /// `Dot`: of two vectors, of a matrix and a vector, or of two matrices: the second axis of the left, or its only one,
    /// and the first of the right are contracted.
    ///
    /// DIFFERENCE: the builder also takes operands of two element types.
    ///
    /// # Errors
    /// If there is no such axis; as [`hlo::Builder::dot_general`].
    pub fn dot(&mut self, lhs: Id, rhs: Id) -> Result<Id, Error> {
        let left = self.hlo().rank(lhs)?;
        let dimensions = DotDimensions {
            left_contracting: vec![i64::from(left != 1)],
            right_contracting: vec![0],
            ..DotDimensions::default()
        };
        self.hlo().dot_general(lhs, rhs, &dimensions, None).map_err(|error| error.called("dot"))
    }

    /// `DotGeneral`: products with axes batched and contracted.
    ///
    /// # Errors
    /// As [`hlo::Builder::dot_general`].
    pub fn dot_general(
        &mut self,
        lhs: Id,
        rhs: Id,
        dimensions: &DotDimensions,
        preferred: Option<DType>,
    ) -> Result<Id, Error> {
        self.hlo().dot_general(lhs, rhs, dimensions, preferred)
    }

    /// `Gather`: for each start a slice of these sizes.
    ///
    /// # Errors
    /// As [`hlo::Builder::gather`].
    pub fn gather(
        &mut self,
        operand: Id,
        starts: Id,
        dimensions: &GatherDimensions,
        sizes: &[i64],
    ) -> Result<Id, Error> {
        self.hlo().gather(operand, starts, dimensions, sizes)
    }

    /// `GetDimensionSize`: an extent, as an s32.
    ///
    /// # Errors
    /// As [`hlo::Builder::get_dimension_size`].
    pub fn get_dimension_size(&mut self, operand: Id, dimension: i64) -> Result<Id, Error> {
        self.hlo().get_dimension_size(operand, dimension)
    }
}
