//! Shapes as values, the same elements in another shape or order, and numbers in order.

use ndcast_shape::Extent;

use super::{Builder, Call, Layer};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::{
    Apply, Broadcast, Lay, MatMul, Range, Reshape, ReshapeTo, ShapeOf, Slice, Take, Transpose,
};
use crate::graph::steps::{axes_of, axis_of};
use crate::graph::{Entry, Id};
use crate::layout::as_i64;
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "ShapeOf",
        since: 1,
        build: |builder, call| {
            call.takes(1, 1)?;
            Ok(vec![builder.graph.add(ShapeOf(DType::I64), &[call.input(0)?])?])
        },
    },
    Layer {
        name: "ShapeOf",
        since: 3,
        build: |builder, call| {
            call.takes(1, 1)?;
            let to = call.attributes.dtype("output_type")?.unwrap_or(DType::I64);
            Ok(vec![builder.graph.add(ShapeOf(to), &[call.input(0)?])?])
        },
    },
    Layer {
        name: "Reshape",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let special = call.attributes.is_set("special_zero")? == Some(true);
            let zero = if special { Zero::OwnExtent } else { Zero::Extent };
            Ok(vec![builder.reshape(call.input(0)?, call.input(1)?, zero)?])
        },
    },
    Layer {
        name: "Transpose",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let x = call.input(0)?;
            let rank = builder.rank(x)?;
            let order = builder.known(call.input(1)?, "input_order")?;
            let order = match order.is_empty() {
                true => (0..rank).rev().collect(),
                false => order.iter().map(|&axis| axis_of(axis, rank)).collect::<Result<Vec<_>, _>>()?,
            };
            Ok(vec![builder.graph.add(Transpose::new(order), &[x])?])
        },
    },
    Layer {
        name: "Squeeze",
        since: 1,
        build: |builder, call| {
            call.takes(1, 2)?;
            let axes = call.optional(1).map(|axes| builder.known(axes, "axes")).transpose()?;
            Ok(vec![builder.squeeze(call.input(0)?, axes)?])
        },
    },
    Layer {
        name: "Unsqueeze",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let x = call.input(0)?;
            let axes = builder.known(call.input(1)?, "axes")?;
            let axes = axes_of(&axes, builder.rank(x)? + axes.len())?;
            Ok(vec![builder.graph.with_axes(x, &axes)?])
        },
    },
    Layer {
        name: "MatMul",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let mut inputs = [call.input(0)?, call.input(1)?];
            for (input, name) in inputs.iter_mut().zip(["transpose_a", "transpose_b"]) {
                // "If rank of the input tensor is 1, transpose is ignored."
                let rank = builder.rank(*input)?;
                if call.attributes.is_set(name)? == Some(true) && rank > 1 {
                    let order = (0..rank - 2).chain([rank - 1, rank - 2]);
                    *input = builder.graph.add(Transpose::new(order), &[*input])?;
                }
            }
            Ok(vec![builder.graph.add(MatMul, &inputs)?])
        },
    },
    Layer {
        name: "Range",
        since: 1,
        build: |builder, call| {
            call.takes(3, 3)?;
            Ok(vec![builder.graph.add(Range, call.inputs)?])
        },
    },
    Layer {
        name: "Range",
        since: 4,
        build: |builder, call| {
            call.takes(3, 3)?;
            let Some(to) = call.attributes.dtype("output_type")? else {
                return Err(Error::value("the attribute output_type is missing".to_owned()));
            };
            let inputs =
                call.inputs.iter().map(|&input| builder.convert(input, to)).collect::<Result<Vec<_>, _>>()?;
            Ok(vec![builder.graph.add(Range, &inputs)?])
        },
    },
    Layer {
        name: "Eye",
        since: 9,
        build: |builder, call| {
            call.takes(3, 4)?;
            let Some(to) = call.attributes.dtype("output_type")? else {
                return Err(Error::value("the attribute output_type is missing".to_owned()));
            };
            Ok(vec![builder.eye(call, to)?])
        },
    },
];

/// What 0 is among the extents of Reshape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zero {
    /// An extent of 0.
    Extent,
    /// The extent that the data has on this axis.
    OwnExtent,
}

impl Builder<'_> {
    /// "-1" is as much as there is, "0" with special_zero the data's own extent.
    pub(super) fn reshape(&mut self, x: Id, pattern: Id, zero: Zero) -> Result<Id, Error> {
        super::broadcast::check_integers(self.graph.node(pattern)?, "output_shape")?;
        let pattern = match self.graph.node(pattern)?.shape().rank() {
            Some(0) => self.graph.with_axes(pattern, &[0])?,
            _ => pattern,
        };
        let mut to = self.convert(pattern, DType::I64)?;
        if zero == Zero::OwnExtent {
            to = match self.entries(pattern)? {
                Some(entries) => self.own_extents(x, to, &entries)?,
                None => self.own_extents_of_any(x, to)?,
            };
        }
        self.graph.add(ReshapeTo, &[x, to])
    }

    /// The extents with zeros replaced, one by one.
    fn own_extents(&mut self, x: Id, to: Id, entries: &[Entry]) -> Result<Id, Error> {
        // What is an extent already is what it says, though it be 0.
        let open = |entry: &Entry| matches!(entry, Entry::Int(0) | Entry::Unknown);
        if !entries.iter().any(open) {
            return Ok(to);
        }
        let rank = self.rank(x)?;
        let mut parts = Vec::with_capacity(entries.len());
        for (place, entry) in entries.iter().enumerate() {
            parts.push(match entry {
                Entry::Int(0) if place >= rank => {
                    return Err(Error::value(format!(
                        "extent {place} is 0, which copies that of the data, and the rank of the data is {rank}"
                    )));
                }
                Entry::Int(0) => self.graph.extents_of(x, &[place])?,
                Entry::Unknown if place < rank => {
                    let (own, given) = (self.graph.extents_of(x, &[place])?, self.element(to, place)?);
                    let zero = self.graph.with_number(Op::Equal, given, 0i64)?;
                    self.graph.add(Apply(Op::Where), &[zero, own, given])?
                }
                _ => self.element(to, place)?,
            });
        }
        self.graph.listed(&parts)
    }

    /// The same where not even their number is known.
    fn own_extents_of_any(&mut self, x: Id, to: Id) -> Result<Id, Error> {
        let rank = as_i64(self.rank(x)?);
        let (shape, zero) = (self.graph.shape_of(x)?, self.graph.integers(&[0])?);
        let own = self.graph.listed(&[shape, zero])?;
        let count = self.graph.extents_of(to, &[0])?;
        let places = self.graph.counted(count)?;
        let places = self.graph.with_number(Op::Minimum, places, rank)?;
        let own = self.graph.add(Take { axis: 0, batch: 0 }, &[own, places])?;
        let is_zero = self.graph.with_number(Op::Equal, to, 0i64)?;
        self.op(Op::Where, &[is_zero, own, to])
    }

    /// Without axes of extent 1: those named, or all. "Specified dimension should be equal to 1, otherwise it will be
    /// ignored." An extent that is not known must turn out to be 1.
    fn squeeze(&mut self, x: Id, axes: Option<Vec<i64>>) -> Result<Id, Error> {
        use ndcast_shape::Index;
        let dims = self.dims(x)?;
        let axes = match axes {
            Some(axes) if !axes.is_empty() => axes_of(&axes, dims.len())?,
            // No axes, given or not, are all that have extent 1.
            _ if dims.iter().all(|dim| dim.known().is_some()) => (0..dims.len()).collect(),
            _ => {
                let text = "without axes its extents must be known when the model is read";
                return Err(Error::value(text.to_owned()));
            }
        };
        let drops = |axis: usize| axes.contains(&axis) && dims[axis].may_be_one();
        let certain = |axis: usize| !drops(axis) || dims[axis].is_one();
        let extents = dims.iter().enumerate().filter(|(axis, _)| !drops(*axis)).map(|(_, dim)| dim.known());
        if let Some(extents) = extents.collect::<Option<Vec<usize>>>()
            && (0..dims.len()).all(certain)
        {
            return self.graph.add(Reshape::new(&extents), &[x]);
        }
        let lay = |axis| if certain(axis) { Lay::Axis(axis) } else { Lay::Stretched(axis, 1) };
        let checked = self.graph.add(Broadcast::new((0..dims.len()).map(lay)), &[x])?;
        let index = (0..dims.len()).map(|axis| if drops(axis) { Index::At(0) } else { Index::WHOLE });
        self.graph.add(Slice { index: index.collect() }, &[checked])
    }

    /// Matrices with ones where the column is so far behind the row, one for each place of a batch.
    fn eye(&mut self, call: &Call<'_>, to: DType) -> Result<Id, Error> {
        let mut numbers = [call.input(0)?, call.input(1)?, call.input(2)?];
        for (number, name) in numbers.iter_mut().zip(["num_rows", "num_columns", "diagonal_index"]) {
            super::broadcast::check_integers(self.graph.node(*number)?, name)?;
            *number = self.convert(*number, DType::I64)?;
            *number = self.graph.add(Reshape::new(&[]), &[*number])?;
        }
        let [rows, columns, diagonal] = numbers;
        let (down, right) = (self.graph.counted(rows)?, self.graph.counted(columns)?);
        let (down, right) = (self.graph.along(down, 0, 2)?, self.graph.along(right, 1, 2)?);
        let distance = self.op(Op::Subtract, &[right, down])?;
        let there = self.op(Op::Equal, &[distance, diagonal])?;
        let eye = self.convert(there, to)?;
        let Some(batch) = call.optional(3) else { return Ok(eye) };
        let batch = self.convert(batch, DType::I64)?;
        let shape = self.graph.listed(&[batch, rows, columns])?;
        self.graph.over(eye, shape)
    }

    /// Whether elements are floats.
    pub(super) fn is_float(&self, x: Id) -> Result<bool, Error> {
        Ok(self.dtype(x)?.class() == Class::Float)
    }
}
