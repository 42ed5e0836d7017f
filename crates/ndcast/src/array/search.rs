//! Elements looked up in others: where they would stand in a sorted line, and whether they are there at all.

use bytemuck::{cast_slice, cast_slice_mut};
use smallvec::smallvec;

use super::evaluate::compact;
use super::lines::each_line;
use super::order::{ForOrdered, Ordered, for_ordered};
use super::{Array, Called, Direction, Extents};
use crate::dtype::DType;
use crate::error::Error;
use crate::promote::promote;
use crate::simd::{Body, Isa, simd};
use crate::tensor::Tensor;

/// So many elements are looked up by one thread.
const SOME: usize = 1 << 10;
/// So few others are compared with each.
const FEW: usize = 32;
/// The most elements of a table: it stays in a near cache.
const TABLE: usize = 1 << 20;

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

    /// Whether each element is among the others; NaN never is.
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
                each_element(values, cast_slice_mut(self.to), |value| {
                    place(value).try_into().unwrap_or(i64::MAX)
                });
            }
            What::Whether if line.len() <= FEW => each_line((values, SOME), (self.to, SOME), |values, to| {
                simd(OneOf { few: line, values, to });
            }),
            What::Whether => match Table::of(line, values.len()) {
                Some(table) => each_element(values, self.to, |value| table.has(value)),
                None => each_element(values, self.to, |value| {
                    u8::from(line.get(before(value)).is_some_and(|element| element == value))
                }),
            },
        }
    }
}

/// Makes something of each element, with all threads.
fn each_element<T: Sync, R: Send>(values: &[T], to: &mut [R], make: impl Fn(&T) -> R + Sync) {
    each_line((values, SOME), (to, SOME), |values, to| {
        to.iter_mut().zip(values).for_each(|(to, value)| *to = make(value));
    });
}

/// Whether each value is one of a few.
struct OneOf<'l, T> {
    few: &'l [T],
    values: &'l [T],
    to: &'l mut [u8],
}

impl<T: Ordered> Body for OneOf<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        // Values whose answers stay in registers, as good as.
        const BLOCK: usize = 64;
        for (to, values) in self.to.chunks_mut(BLOCK).zip(self.values.chunks(BLOCK)) {
            to.fill(0);
            for one in self.few {
                to.iter_mut().zip(values).for_each(|(to, value)| *to |= u8::from(value == one));
            }
        }
    }
}

/// Which of the elements from a least to a greatest one are there, if there are few of them, as of integers near each other.
struct Table {
    least: u64,
    has: Vec<u8>,
}

impl Table {
    /// That of a sorted line in which so many are looked up, if it is worth it and keys tell its elements.
    fn of<T: Ordered>(line: &[T], values: usize) -> Option<Table> {
        let key = |element: &T| element.key().into();
        let (least, most): (u64, u64) = (key(line.first()?), key(line.last()?));
        let elements = usize::try_from(most - least).ok()?.checked_add(1)?;
        if T::BITS == 0 || elements > TABLE.min(4 * values) || !line.iter().all(T::is_told) {
            return None;
        }
        let mut has = vec![0; elements];
        #[allow(clippy::cast_possible_truncation, reason = "it is less than the elements are many")]
        line.iter().for_each(|element| has[(key(element) - least) as usize] = 1);
        Some(Table { least, has })
    }

    fn has<T: Ordered>(&self, value: &T) -> u8 {
        let place = usize::try_from(value.key().into().wrapping_sub(self.least));
        place.ok().and_then(|place| self.has.get(place)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Near each other, so that there is a table of them, and far from each other.
    #[test]
    fn whether_as_by_comparing_with_each() -> Result<(), Error> {
        for (count, step) in [(5, 1), (3000, 1), (3000, 1 << 40), (100_000, 3)] {
            let all: Vec<i64> = (0..count).map(|n| (n * 7919 % 1013 - 500) * step).collect();
            let few: Vec<i64> =
                (0..40).map(|n| (n * 31 % 97 - 50) * step).chain([i64::MIN, i64::MAX]).collect();
            for few in [&few[..40], &few[..41], &few, &few[40..], &few[7..8]] {
                for dtype in [DType::I64, DType::I32, DType::I8, DType::U8, DType::F64, DType::F32] {
                    let [all, few] = [&all, few].map(|all| Array::new(&[all.len()], all).convert(dtype));
                    let (found, of) =
                        (all.is_in(&few).to_vec::<bool>()?, few.convert(DType::F64).to_vec::<f64>()?);
                    let each = all.convert(DType::F64).to_vec::<f64>()?;
                    let expected: Vec<bool> = each.iter().map(|element| of.contains(element)).collect();
                    assert!(found == expected, "{count} by {step} of {} {dtype}", of.len());
                }
            }
        }
        Ok(())
    }

    #[test]
    fn nothing_and_what_is_no_number() -> Result<(), Error> {
        let nan = f64::NAN;
        let x = Array::new(&[2, 2], &[nan, 1.0, -0.0, 5.0]);
        assert_eq!(
            x.is_in(&Array::new(&[3], &[0.0, nan, 1.0])).to_vec::<bool>()?,
            [false, true, true, false]
        );
        assert_eq!(x.is_in(&Array::new(&[0], &[0.0; 0])).to_vec::<bool>()?, [false; 4]);
        let many: Vec<f64> = (0..40).map(f64::from).chain([nan]).collect();
        assert_eq!(x.is_in(&Array::new(&[41], &many)).to_vec::<bool>()?, [false, true, true, true]);
        let line = Array::new(&[3], &[0.0, 1.0, nan]);
        assert_eq!(line.search_sorted(&x, Side::Left).to_vec::<i64>()?, [2, 1, 0, 2]);
        assert!(x.search_sorted(&line, Side::Left).check().is_err());
        Ok(())
    }
}
