//! Rows and elements taken by their numbers along an axis.

use ndcast_shape::rule::array_api;

use super::evaluate::compact;
use super::linear::around;
use super::together::{few_or_compact, take_at};
use super::{Array, Axes, Called, Extents};
use crate::dtype::DType;
use crate::engine::{self, Lines, Rows, Walk};
use crate::error::Error;
use crate::layout::as_i64;
use crate::tensor::Tensor;

impl Array {
    /// Rows along an axis, picked by index; negative indices count from the end.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[3, 2], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.take(&Array::new(&[2], &[2i64, 0]), 0).to_vec::<i32>()?, [5, 6, 1, 2]);
    /// // A number that is not there is an error when the array is computed.
    /// assert!(x.take(&Array::new(&[1], &[3i64]), 0).eval().is_err());
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn take(&self, numbers: &Array, axis: usize) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        if numbers.check().is_err() {
            return numbers.clone();
        }
        let doing = "take";
        let own = self.node().shape();
        if axis >= own.len() {
            return self.no_axis(doing, axis);
        }
        let places = match numbers.as_numbers() {
            Ok(places) => places,
            Err(error) => return Array::of_error(error.of(doing)),
        };
        let mut shape: Extents = own[..axis].into();
        shape.extend_from_slice(numbers.node().shape());
        shape.extend_from_slice(&own[axis + 1..]);
        if let Err(error) = super::apply::addressable(&shape) {
            return Array::of_error(error.of(doing));
        }
        let dtype = self.node().dtype();
        let theirs = axis..axis + numbers.node().shape().len();
        let own = (0..shape.len()).map(|other| match other {
            _ if other < axis => Some(other),
            _ if theirs.contains(&other) => None,
            _ => Some(other - theirs.len() + 1),
        });
        let of_numbers = (0..shape.len()).map(|other| theirs.contains(&other).then(|| other - axis));
        let arguments = [(self.clone(), own.collect()), (places, of_numbers.collect())];
        Array::call(Called::Take(axis), arguments, shape, dtype, move |tensors, shape| {
            let numbers = compact(&tensors[1])?;
            let numbers = numbers.as_slice().unwrap_or_default();
            let mut out = Tensor::uninitialised(shape, dtype)?;
            let all = few_or_compact(&tensors[0], out.elements())?;
            let (size, bytes) = (out.size(), out.elements() * out.size());
            // They are looked at as they are read.
            let taken = match (all.as_bytes(), out.memory_mut()) {
                (Some(from), Some(to)) if bytes > 0 && (axis == 0 || numbers.len() >= MANY) => {
                    let engine::Extents { reduced: rows, inner, .. } = around(all.shape(), axis);
                    engine::take(from, Rows { rows, inner, size }, numbers, &mut to[..bytes])
                }
                _ => take_at(&all, 0..axis, std::iter::once((axis, numbers)), &mut out),
            };
            if !taken {
                check(numbers, all.shape()[axis], axis).map_err(|error| error.of(doing))?;
            }
            Ok(out)
        })
    }

    /// The numbers of rows or elements, if they are integers, as they are looked up.
    pub(super) fn as_numbers(&self) -> Result<Array, Error> {
        let dtype = self.dtype()?;
        if !dtype.is_integer() {
            return Err(Error::value(format!("the numbers are integers, not {dtype}")));
        }
        Ok(self.as_places())
    }

    /// Numbers of rows or elements as they are looked up. One that is beyond every axis stays so.
    #[doc(hidden)]
    #[must_use]
    pub fn as_places(&self) -> Array {
        let within = if self.dtype() == Ok(DType::U64) { &self.minimum(i64::MAX) } else { self };
        within.convert(DType::I64)
    }

    /// Numbers along an axis of this extent, all counted from its start; an error if one is not there.
    pub(crate) fn places_from_start(&self, extent: usize, axis: usize, doing: &'static str) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        let shape: Extents = self.node().shape().into();
        let walked = (0..shape.len()).map(Some).collect();
        let arguments = [(self.as_places(), walked)];
        Array::call(Called::Other(doing), arguments, shape, DType::I64, move |tensors, shape| {
            super::places::allowed(tensors[0].elements(), doing)?;
            let mut numbers = tensors[0].to_vec::<i64>()?;
            for number in &mut numbers {
                let row = row(*number, extent, axis).map_err(|error| error.of(doing))?;
                *number = as_i64(row);
            }
            Tensor::from_vec(shape, numbers)
        })
    }

    /// For each position the element at its index along the axis; the other axes are broadcast.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// let numbers = Array::new(&[2, 1], &[2i64, 0]);
    /// assert_eq!(x.take_along_axis(&numbers, 1).to_vec::<i32>()?, [3, 4]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn take_along_axis(&self, numbers: &Array, axis: usize) -> Array {
        self.taken_along(numbers, axis).unwrap_or_else(|error| Array::of_error(error.of("take_along_axis")))
    }

    fn taken_along(&self, numbers: &Array, axis: usize) -> Result<Array, Error> {
        let (own, theirs) = (self.shape()?, numbers.shape()?);
        if axis >= own.len() {
            return Ok(self.no_axis("take_along_axis", axis));
        }
        if own.len() != theirs.len() {
            let what = "the array and the numbers have as many axes";
            return Err(Error::shapes(what, &[own, theirs], None));
        }
        let numbers = numbers.as_numbers()?;
        // The axis itself is not broadcast.
        let without = |shape: &[usize]| -> Extents {
            (0..shape.len()).map(|a| if a == axis { 1 } else { shape[a] }).collect()
        };
        let plan = array_api::join(&[&without(own)[..], &without(theirs)])?;
        let with = |extent: usize| -> Extents {
            (0..own.len()).map(|a| if a == axis { extent } else { plan.shape()[a] }).collect()
        };
        let (all, numbers) = (self.broadcast_to(&with(own[axis])), numbers.broadcast_to(&with(theirs[axis])));
        let shape = with(theirs[axis]);
        let dtype = self.dtype()?;
        let walked = Axes::from_iter((0..own.len()).map(|other| (other != axis).then_some(other)));
        let arguments = [all, numbers].map(|array| (array, walked.clone()));
        Ok(Array::call(Called::TakeAlong(axis), arguments, shape, dtype, move |tensors, shape| {
            let all = &tensors[0];
            let extent = all.shape()[axis];
            let numbers = compact(&tensors[1])?;
            let numbers = numbers.as_slice().unwrap_or_default();
            check(numbers, extent, axis).map_err(|error| error.of("take_along_axis"))?;
            let mut out = Tensor::uninitialised(shape, dtype)?;
            let (size, bytes) = (out.size(), out.elements() * out.size());
            if let (Some(to), true) = (out.memory_mut(), bytes > 0) {
                let strides = all.layout().strides();
                let around = |axes: std::ops::Range<usize>, start: isize| {
                    Walk::new(shape[axes.clone()].iter().copied(), strides[axes].iter().copied(), start)
                };
                let lines = Lines {
                    outer: around(0..axis, all.layout().offset().cast_signed()),
                    inner: around(axis + 1..shape.len(), 0),
                    extent,
                    stride: strides[axis],
                    size,
                };
                let inner = shape[axis + 1..].iter().product();
                engine::take_along(
                    all.memory(),
                    &lines,
                    shape[axis] * inner,
                    inner,
                    numbers,
                    &mut to[..bytes],
                );
            }
            Ok(out)
        }))
    }
}

/// From so many indices on rows are taken block by block; for fewer, to begin a block takes longer than all of them.
const MANY: usize = 8;

/// An error if one of the numbers means no row.
pub(super) fn check(numbers: &[i64], rows: usize, axis: usize) -> Result<(), Error> {
    /// So many are looked at before it is asked whether one is not there.
    const MANY: usize = 1024;
    let end = as_i64(rows);
    let is_outside = |number: i64| number < -end || number >= end;
    let mut outside = numbers
        .chunks(MANY)
        .filter(|numbers| numbers.iter().fold(false, |any, &number| any | is_outside(number)))
        .flat_map(|numbers| numbers.iter().copied().filter(|&number| is_outside(number)));
    outside.next().map_or(Ok(()), |number| row(number, rows, axis).map(drop))
}

/// Which row a number means, which counts from the end if it is negative.
pub(super) fn row(number: i64, rows: usize, axis: usize) -> Result<usize, Error> {
    let from_end = if number < 0 { as_i64(rows) } else { 0 };
    let row = usize::try_from(number + from_end).ok().filter(|&row| row < rows);
    row.ok_or_else(|| {
        // Numbers beyond an i64 became the last one.
        let or_more = if number == i64::MAX { " or more" } else { "" };
        Error::value(format!("there is no row {number}{or_more}: axis {axis} has extent {rows}"))
    })
}
