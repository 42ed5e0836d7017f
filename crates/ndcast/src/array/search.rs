//! Elements looked up in others: where they would stand in a sorted line, and whether they are there at all.

use bytemuck::{cast_slice, cast_slice_mut};
use smallvec::smallvec;

use super::evaluate::compact;
use super::order::{ForOrdered, Ordered, for_ordered};
use super::{Array, Called, Direction, Extents};
use crate::dtype::DType;
use crate::error::Error;
use crate::promote::promote;
use crate::tensor::Tensor;

/// On which side of equal elements another is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Before the first of them.
    Left,
    /// Behind the last of them.
    Right,
}

/// What is asked of an element and a sorted line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Place(Side),
    Whether,
}

impl Array {
    /// Where each element would be put into this sorted line, so that it stays sorted.
    ///
    /// ```
    /// use ndcast::{Array, Side};
    /// let line = Array::new(&[4], &[1, 3, 3, 5]);
    /// let values = Array::new(&[3], &[0, 3, 9]);
    /// assert_eq!(line.search_sorted(&values, Side::Left).to_vec::<i64>()?, [0, 1, 4]);
    /// assert_eq!(line.search_sorted(&values, Side::Right).to_vec::<i64>()?, [0, 3, 4]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "searchsorted")]
    pub fn search_sorted(&self, values: &Array, side: Side) -> Array {
        let made = self.looked_up(values, What::Place(side));
        made.unwrap_or_else(|error| Array::of_error(error.of("search_sorted")))
    }

    /// Whether each element is one of the others; what is no number is none of them.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[3], &[1, 2, 3]);
    /// assert_eq!(x.is_in(&Array::new(&[2], &[3, 1])).to_vec::<bool>()?, [true, false, true]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "isin")]
    pub fn is_in(&self, others: &Array) -> Array {
        let made = others.shape().map(|shape| shape.iter().product()).and_then(|elements| {
            let line = others.reshape(&[elements]).sort(0, Direction::Ascending);
            line.looked_up(self, What::Whether)
        });
        made.unwrap_or_else(|error| Array::of_error(error.called("is_in")))
    }

    fn looked_up(&self, values: &Array, what: What) -> Result<Array, Error> {
        if self.rank()? != 1 {
            return Err(Error::shapes("the sorted line has one axis", &[self.shape()?], None));
        }
        let dtype = promote(self.dtype()?, values.dtype()?)?;
        let result = if what == What::Whether { DType::Bool } else { DType::I64 };
        let shape: Extents = values.shape()?.into();
        let rank = shape.len();
        let line = (self.convert(dtype), smallvec![None; rank]);
        let arguments = [line, (values.convert(dtype), (0..rank).map(Some).collect())];
        Ok(Array::call(Called::Other("searchsorted"), arguments, shape, result, move |tensors, _| {
            let (line, values) = (compact(&tensors[0])?, compact(&tensors[1])?);
            let bytes = |tensor: &Tensor| tensor.elements() * tensor.size();
            let mut out = Tensor::uninitialised(values.shape(), result)?;
            let written = bytes(&out);
            if let Some(to) = out.memory_mut() {
                let (line, values) = (&line.memory()[..bytes(&line)], &values.memory()[..bytes(&values)]);
                for_ordered(dtype, Lookup { line, values, what, to: &mut to[..written] })?;
            }
            Ok(out)
        }))
    }
}

struct Lookup<'l> {
    line: &'l [u8],
    values: &'l [u8],
    what: What,
    to: &'l mut [u8],
}

impl ForOrdered for Lookup<'_> {
    type Out = ();

    fn of<T: Ordered>(self) {
        let (line, values): (&[T], &[T]) = (cast_slice(self.line), cast_slice(self.values));
        let before = |value: &T| line.partition_point(|element| element.order(value).is_lt());
        match self.what {
            What::Place(side) => {
                let place = |value: &T| match side {
                    Side::Left => before(value),
                    Side::Right => line.partition_point(|element| element.order(value).is_le()),
                };
                for (value, to) in values.iter().zip(cast_slice_mut::<u8, i64>(self.to)) {
                    *to = place(value).try_into().unwrap_or(i64::MAX);
                }
            }
            What::Whether => {
                for (value, to) in values.iter().zip(self.to) {
                    *to = u8::from(line.get(before(value)).is_some_and(|element| element == value));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_what_is_no_number() -> Result<(), Error> {
        let nan = f64::NAN;
        let x = Array::new(&[2, 2], &[nan, 1.0, -0.0, 5.0]);
        assert_eq!(
            x.is_in(&Array::new(&[3], &[0.0, nan, 1.0])).to_vec::<bool>()?,
            [false, true, true, false]
        );
        assert_eq!(x.is_in(&Array::new(&[0], &[0.0; 0])).to_vec::<bool>()?, [false; 4]);
        let line = Array::new(&[3], &[0.0, 1.0, nan]);
        assert_eq!(line.search_sorted(&x, Side::Left).to_vec::<i64>()?, [2, 1, 0, 2]);
        assert!(x.search_sorted(&line, Side::Left).check().is_err());
        Ok(())
    }
}
