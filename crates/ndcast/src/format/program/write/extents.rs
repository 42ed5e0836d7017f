//! Extents as values: where they are not known, shapes are arrays of integers that the text computes.

use ndcast_shape::{Extent, Shape};

use super::{Says, Typed, Value, Writer};
use crate::dialect::hlo::Comparison;
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::as_i64;

/// An extent of a shape that is computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Size {
    /// A number.
    Known(usize),
    /// A value of type i32 without axes.
    Value(Value),
}

impl Writer<'_> {
    /// The extent of an axis of a value.
    pub(super) fn size_of(&mut self, value: Value, axis: usize) -> Result<Size, Error> {
        let dims = self.dims(value)?;
        if let Some(extent) = dims.get(axis).and_then(Extent::known) {
            return Ok(Size::Known(extent));
        }
        let typed = (DType::I32, Shape::from([0usize; 0]));
        self.operation("get_dimension_size", &[value], &Says::Axis(axis), typed).map(Size::Value)
    }

    /// An extent as an integer without axes.
    pub(super) fn scalar(&mut self, size: Size) -> Result<Value, Error> {
        match size {
            Size::Known(extent) => self.number(as_i64(extent), DType::I32),
            Size::Value(value) => Ok(value),
        }
    }

    /// Extents as an array of integers.
    pub(super) fn shape_of(&mut self, sizes: &[Size]) -> Result<Value, Error> {
        let known: Option<Vec<i64>> = sizes
            .iter()
            .map(|size| if let Size::Known(extent) = size { Some(as_i64(*extent)) } else { None })
            .collect();
        if let Some(known) = known {
            return self.integers(&known, DType::I32);
        }
        let mut pieces = Vec::with_capacity(sizes.len());
        for &size in sizes {
            pieces.push(match size {
                Size::Known(extent) => self.integers(&[as_i64(extent)], DType::I32)?,
                Size::Value(value) => self.reshaped(value, &[1])?,
            });
        }
        let typed = (DType::I32, Shape::from([sizes.len()]));
        self.operation("concatenate", &pieces, &Says::Axis(0), typed)
    }

    /// In a shape of known extents, unless it has that.
    pub(super) fn reshaped(&mut self, value: Value, to: &[usize]) -> Result<Value, Error> {
        let (dtype, shape) = self.typed(value).clone();
        if shape.extents().is_some_and(|own| own == to) {
            return Ok(value);
        }
        self.operation("reshape", &[value], &Says::Nothing, (dtype, Shape::from(to)))
    }

    /// In a shape whose extents may be computed.
    pub(super) fn in_shape(&mut self, value: Value, sizes: &[Size], typed: Typed) -> Result<Value, Error> {
        if let (Some(extents), Some(_)) = (typed.1.extents(), self.typed(value).1.extents()) {
            return self.reshaped(value, &extents);
        }
        // Of an operand with open extents the text wants to be told the shape.
        let target = self.shape_of(sizes)?;
        self.operation("dynamic_reshape", &[value, target], &Says::Nothing, typed)
    }

    /// An operation of two extents, which is done here if both are known.
    pub(super) fn sizes(&mut self, name: &str, a: Size, b: Size) -> Result<Size, Error> {
        if let (Size::Known(a), Size::Known(b)) = (a, b) {
            let made = match name {
                "add" => a.checked_add(b),
                "subtract" => a.checked_sub(b),
                "minimum" => Some(a.min(b)),
                "maximum" => Some(a.max(b)),
                _ => None,
            };
            if let Some(made) = made {
                return Ok(Size::Known(made));
            }
        }
        let operands = [self.scalar(a)?, self.scalar(b)?];
        let typed = self.typed(operands[0]).clone();
        self.operation(name, &operands, &Says::Nothing, typed).map(Size::Value)
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
                (a, b) => self.sizes("multiply", a, b)?,
            };
        }
        Ok(product)
    }

    /// `other` if `size` is `number`, else `size`.
    pub(super) fn unless(&mut self, number: i64, size: Size, other: Size) -> Result<Size, Error> {
        let (size, other) = (self.scalar(size)?, self.scalar(other)?);
        let number = self.number(number, DType::I32)?;
        let scalar = self.typed(size).1.clone();
        let truth = (DType::Bool, scalar.clone());
        let is =
            self.operation("compare", &[size, number], &Says::Compare("EQ", Comparison::Signed), truth)?;
        let chosen = self.operation("select", &[is, other, size], &Says::Nothing, (DType::I32, scalar))?;
        Ok(Size::Value(chosen))
    }

    /// One of the numbers along the axis of a value of type i32.
    pub(super) fn element(&mut self, list: Value, place: usize) -> Result<Size, Error> {
        let part = self.piece(list, place)?;
        self.reshaped(part, &[]).map(Size::Value)
    }

    /// One of the elements of an array of one axis, which it keeps.
    pub(super) fn piece(&mut self, list: Value, place: usize) -> Result<Value, Error> {
        let one = (self.dtype(list), Shape::from([1usize]));
        let start = as_i64(place);
        self.operation("slice", &[list], &Says::Ranges(vec![[start, start + 1, 1]]), one)
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
        if let Some(to) = shape.extents() {
            if self.typed(value).1.extents().as_ref() == Some(&to) && axes.iter().copied().eq(0..to.len()) {
                return Ok(value);
            }
            let (value, axes) = self.unstretched(value, axes, &to)?;
            return self.operation("broadcast_in_dim", &[value], &Says::Axes(axes), typed);
        }
        let target = self.shape_of(sizes)?;
        self.operation("dynamic_broadcast_in_dim", &[value, target], &Says::Axes(axes.to_vec()), typed)
    }

    /// A value and where its axes lie, without those that stretch if the format has no broadcasts of such.
    fn unstretched(
        &mut self,
        value: Value,
        axes: &[usize],
        to: &[usize],
    ) -> Result<(Value, Vec<usize>), Error> {
        let own: Vec<Option<usize>> = self.dims(value)?.iter().map(Extent::known).collect();
        let stays = |&(axis, extent): &(usize, Option<usize>)| extent == to.get(axis).copied();
        let kept: Vec<(usize, Option<usize>)> = axes.iter().copied().zip(own).filter(stays).collect();
        if self.spelling.stretches() || kept.len() == axes.len() {
            return Ok((value, axes.to_vec()));
        }
        let extents: Vec<usize> = kept.iter().filter_map(|(_, extent)| *extent).collect();
        Ok((self.reshaped(value, &extents)?, kept.into_iter().map(|(axis, _)| axis).collect()))
    }
}
