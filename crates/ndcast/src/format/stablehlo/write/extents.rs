//! Extents as values: where they are not known, shapes are arrays of integers that the text computes.

use ndcast_shape::{Extent, Shape};

use super::{Value, Writer, commas};
use crate::dtype::DType;
use crate::error::Error;

/// An extent of a shape that is computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Size {
    /// A number.
    Known(usize),
    /// A value of type i32 without axes.
    Value(Value),
}

fn signed(extent: usize) -> i64 {
    i64::try_from(extent).unwrap_or(i64::MAX)
}

impl Writer<'_> {
    /// The extent of an axis of a value.
    pub(super) fn size_of(&mut self, value: Value, axis: usize) -> Result<Size, Error> {
        let dims = self.dims(value)?;
        if let Some(extent) = dims.get(axis).and_then(Extent::known) {
            return Ok(Size::Known(extent));
        }
        let typed = (DType::I32, Shape::from([0usize; 0]));
        let tail = format!(", dim = {axis}");
        self.operation("stablehlo.get_dimension_size", &[value], &tail, typed).map(Size::Value)
    }

    /// An extent as an integer without axes.
    pub(super) fn scalar(&mut self, size: Size) -> Result<Value, Error> {
        match size {
            Size::Known(extent) => self.number(signed(extent), DType::I32),
            Size::Value(value) => Ok(value),
        }
    }

    /// Extents as an array of integers.
    pub(super) fn shape_of(&mut self, sizes: &[Size]) -> Result<Value, Error> {
        let known: Option<Vec<i64>> = sizes
            .iter()
            .map(|size| if let Size::Known(extent) = size { Some(signed(*extent)) } else { None })
            .collect();
        if let Some(known) = known {
            return self.integers(&known, DType::I32);
        }
        let mut pieces = Vec::with_capacity(sizes.len());
        for &size in sizes {
            pieces.push(match size {
                Size::Known(extent) => self.integers(&[signed(extent)], DType::I32)?,
                Size::Value(value) => self.reshaped(value, &[1])?,
            });
        }
        let typed = (DType::I32, Shape::from([sizes.len()]));
        self.operation("stablehlo.concatenate", &pieces, ", dim = 0", typed)
    }

    /// In a shape of known extents, unless it has that.
    pub(super) fn reshaped(&mut self, value: Value, to: &[usize]) -> Result<Value, Error> {
        let (dtype, shape) = self.typed(value).clone();
        if shape.extents().is_some_and(|own| own == to) {
            return Ok(value);
        }
        self.operation("stablehlo.reshape", &[value], "", (dtype, Shape::from(to)))
    }

    /// An operation of two extents.
    pub(super) fn sizes(&mut self, name: &str, a: Size, b: Size) -> Result<Size, Error> {
        let operands = [self.scalar(a)?, self.scalar(b)?];
        let typed = self.typed(operands[0]).clone();
        self.operation(name, &operands, "", typed).map(Size::Value)
    }

    /// The product of extents.
    pub(super) fn product(&mut self, sizes: &[Size]) -> Result<Size, Error> {
        let mut product = Size::Known(1);
        for &size in sizes {
            product = match (product, size) {
                (Size::Known(a), Size::Known(b)) => Size::Known(a.checked_mul(b).ok_or_else(|| {
                    Error::value(format!("so many elements cannot be counted: {a} times {b}"))
                })?),
                (Size::Known(1), size) | (size, Size::Known(1)) => size,
                (a, b) => self.sizes("stablehlo.multiply", a, b)?,
            };
        }
        Ok(product)
    }

    /// An extent, unless it is this number: then the other.
    pub(super) fn unless(&mut self, number: i64, size: Size, other: Size) -> Result<Size, Error> {
        let (size, other) = (self.scalar(size)?, self.scalar(other)?);
        let number = self.number(number, DType::I32)?;
        let scalar = self.typed(size).1.clone();
        let truth = (DType::Bool, scalar.clone());
        let is = self.operation("stablehlo.compare EQ,", &[size, number], ", SIGNED", truth)?;
        let chosen = self.operation("stablehlo.select", &[is, other, size], "", (DType::I32, scalar))?;
        Ok(Size::Value(chosen))
    }

    /// One of the numbers along the axis of a value of type i32.
    pub(super) fn element(&mut self, list: Value, place: usize) -> Result<Size, Error> {
        let tail = format!(" [{place}:{}]", place + 1);
        let one = (DType::I32, Shape::from([1usize]));
        let part = self.operation("stablehlo.slice", &[list], &tail, one)?;
        self.reshaped(part, &[]).map(Size::Value)
    }

    /// Laid over a shape: the operand's axes lie on these of the result, whose extents are computed where they are open.
    pub(super) fn laid(
        &mut self,
        value: Value,
        axes: &[usize],
        sizes: &[Size],
        shape: &Shape,
    ) -> Result<Value, Error> {
        let typed = (self.dtype(value), shape.clone());
        let tail = format!(", dims = [{}]", commas(axes));
        if shape.extents().is_some() {
            return self.operation("stablehlo.broadcast_in_dim", &[value], &tail, typed);
        }
        let target = self.shape_of(sizes)?;
        self.operation("stablehlo.dynamic_broadcast_in_dim", &[value, target], &tail, typed)
    }
}
