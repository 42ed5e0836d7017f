//! The elements that are different from each other, in order. How many there are depends on the elements, so the array is
//! computed.

use bytemuck::{cast_slice, cast_slice_mut};

use super::evaluate::compact;
use super::keys::{at, places};
use super::order::{ForOrdered, Ordered, for_ordered};
use super::{Array, Direction};
use crate::buffer::{MemoryError, Pool, Scratch};
use crate::error::Error;
use crate::layout::as_i64;
use crate::tensor::Tensor;

/// The different elements of an array, in order.
///
/// Elements are equal if they compare so: -0 and 0 are one, and no NaN is equal to another.
#[derive(Clone, Debug)]
pub struct Unique {
    /// Each element once.
    pub values: Array,
    /// The flat (row-major) index at which each first occurs.
    pub first: Array,
    /// For each element of the array its index in `values`.
    pub inverse: Array,
    /// How often each is there.
    pub counts: Array,
}

impl Array {
    /// The elements that are different from each other.
    ///
    /// ```
    /// use ndcast::Array;
    /// let unique = Array::new(&[4], &[3, 1, 3, 2]).unique()?;
    /// assert_eq!(unique.values.to_vec::<i32>()?, [1, 2, 3]);
    /// assert_eq!(unique.first.to_vec::<i64>()?, [1, 3, 0]);
    /// assert_eq!(unique.inverse.to_vec::<i64>()?, [2, 0, 2, 1]);
    /// assert_eq!(unique.counts.to_vec::<i64>()?, [1, 1, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Array::eval`]; or if the elements have no order.
    pub fn unique(&self) -> Result<Unique, Error> {
        let tensor = self.eval()?;
        let all = compact(&tensor)?;
        let bytes = &all.memory()[..all.elements() * all.size()];
        // For the order of the elements, and for the group of each.
        let numbers = all.elements().saturating_mul(2 * size_of::<i64>());
        let allowed = Pool::global().allows(numbers).map_err(Error::from);
        let Groups { first, inverse, counts } = allowed
            .and_then(|()| for_ordered(all.dtype(), Grouping(bytes)))
            .and_then(|groups| Ok(groups?))
            .map_err(|error| error.computing(all.shape(), all.dtype()).of("unique"))?;
        let line = |numbers: Vec<i64>| Array::from(Tensor::from_vec(&[numbers.len()], numbers));
        let (first, counts) = (line(first), line(counts));
        Ok(Unique {
            values: self.reshape(&[all.elements()]).take(&first, 0),
            inverse: Tensor::from_vec(all.shape(), inverse).into(),
            counts,
            first,
        })
    }
}

impl Array {
    /// The different elements, in order, and how often each is there: sooner found than all of [`Array::unique`].
    ///
    /// ```
    /// use ndcast::Array;
    /// let (values, counts) = Array::new(&[4], &[3, 1, 3, 2]).unique_counts()?;
    /// assert_eq!(values.to_vec::<i32>()?, [1, 2, 3]);
    /// assert_eq!(counts.to_vec::<i64>()?, [1, 1, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Array::unique`].
    pub fn unique_counts(&self) -> Result<(Array, Array), Error> {
        if self.is_watched() {
            // Which elements they are is written down.
            return self.unique().map(|unique| (unique.values, unique.counts));
        }
        let all = self.in_order()?;
        let elements = all.elements();
        let bytes = &all.memory()[..elements * all.size()];
        let mut starts = for_ordered(all.dtype(), Starts(bytes)).map_err(|error| error.of("unique"))?;
        let count = starts.len();
        let values = Array::from(all).take(&Array::new(&[count], &starts), 0);
        starts.push(as_i64(elements));
        let counts: Vec<i64> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        Ok((values, Array::new(&[count], &counts)))
    }

    /// The different elements, in order: sooner found than how often each is there.
    ///
    /// ```
    /// use ndcast::Array;
    /// assert_eq!(Array::new(&[4], &[3, 1, 3, 2]).unique_values()?.to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Array::unique`].
    pub fn unique_values(&self) -> Result<Array, Error> {
        if self.is_watched() {
            return self.unique().map(|unique| unique.values);
        }
        let all = self.in_order()?;
        if all.elements() == 0 {
            return Ok(all.into());
        }
        let (dtype, bytes) = (all.dtype(), &all.memory()[..all.elements() * all.size()]);
        let no_memory = |error: MemoryError| Error::memory(error, all.shape(), dtype).of("unique");
        let mut room = Scratch::take(bytes.len()).map_err(no_memory)?;
        let different = Different { all: bytes, to: room.bytes_mut() };
        let count = for_ordered(dtype, different).map_err(|error| error.of("unique"))?;
        let mut values = Tensor::uninitialised(&[count], dtype)?;
        let bytes = count * values.size();
        if let Some(to) = values.memory_mut() {
            to[..bytes].copy_from_slice(&room.bytes()[..bytes]);
        }
        Ok(values.into())
    }

    /// All elements along one axis, in order.
    fn in_order(&self) -> Result<Tensor, Error> {
        let elements: usize = self.shape()?.iter().product();
        let sorted = self.reshape(&[elements]).sort(0, Direction::Ascending);
        compact(&sorted.eval().map_err(|error| error.called("unique"))?)
    }
}

/// Of sorted elements each that is not equal to the one before it: how many they are.
struct Different<'d> {
    all: &'d [u8],
    to: &'d mut [u8],
}

impl ForOrdered for Different<'_> {
    type Out = usize;

    fn of<T: Ordered>(self) -> usize {
        let (all, to): (&[T], &mut [T]) = (cast_slice(self.all), cast_slice_mut(self.to));
        let (Some((first, others)), Some((to_first, to))) = (all.split_first(), to.split_first_mut()) else {
            return 0;
        };
        *to_first = *first;
        let mut count = 0;
        for (before, element) in all.iter().zip(others) {
            // Each is written, and the next over it unless it counts: which do is not foreseen.
            to[count] = *element;
            count += usize::from(before != element);
        }
        count + 1
    }
}

/// Where in sorted elements each begins that is not equal to the one before it.
struct Starts<'s>(&'s [u8]);

impl ForOrdered for Starts<'_> {
    type Out = Vec<i64>;

    fn of<T: Ordered>(self) -> Vec<i64> {
        let elements: &[T] = cast_slice(self.0);
        let Some((_, others)) = elements.split_first() else { return vec![] };
        let is_other = || elements.iter().zip(others).map(|(before, element)| before != element);
        let mut starts = vec![0; 1 + is_other().filter(|&other| other).count()];
        // Whether one begins is not foreseen, so nothing branches on it.
        let (last, mut next) = (starts.len() - 1, 1);
        for (place, is_other) in (1..).zip(is_other()) {
            let start = &mut starts[next.min(last)];
            *start = if is_other { place } else { *start };
            next += usize::from(is_other);
        }
        starts
    }
}

struct Groups {
    first: Vec<i64>,
    inverse: Vec<i64>,
    counts: Vec<i64>,
}

struct Grouping<'g>(&'g [u8]);

impl ForOrdered for Grouping<'_> {
    type Out = Result<Groups, MemoryError>;

    fn of<T: Ordered>(self) -> Result<Groups, MemoryError> {
        let elements: &[T] = cast_slice(self.0);
        let mut groups = Groups { first: vec![], inverse: vec![0; elements.len()], counts: vec![] };
        let mut before: Option<T> = None;
        // The sort is stable, so the first of equal ones is the first there is.
        let mut order = vec![0; elements.len()];
        places(elements, elements.len().max(1), Direction::Ascending, &mut order)?;
        for first in order {
            let place = at(first);
            let element = elements[place];
            if before != Some(element) {
                groups.first.push(first);
                groups.counts.push(0);
                before = Some(element);
            }
            if let Some(count) = groups.counts.last_mut() {
                *count += 1;
            }
            groups.inverse[place] = as_i64(groups.first.len()) - 1;
        }
        Ok(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    #[test]
    fn zeros_are_one_and_nans_are_many() -> Result<(), Error> {
        let nan = f32::NAN;
        let unique = Array::new(&[2, 3], &[nan, 0.0, -0.0, 1.0, nan, 0.0]).unique()?;
        assert_eq!(unique.values.to_vec::<f32>()?[..2], [0.0, 1.0]);
        assert_eq!(unique.counts.to_vec::<i64>()?, [3, 1, 1, 1]);
        assert_eq!(unique.inverse.shape()?, [2, 3]);
        assert_eq!(unique.inverse.to_vec::<i64>()?, [2, 0, 0, 1, 3, 0]);
        assert_eq!(Array::new(&[0], &[0u8; 0]).unique()?.values.shape()?, [0]);
        Ok(())
    }

    #[test]
    fn counts_are_those_of_all() -> Result<(), Error> {
        let all = |numbers: &Array| -> Result<(), Error> {
            let unique = numbers.unique()?;
            let (values, counts) = numbers.unique_counts()?;
            let bytes = |array: &Array| -> Result<_, Error> {
                Ok(array.copy().eval()?.as_bytes().map(<[u8]>::to_vec))
            };
            assert_eq!(bytes(&values)?, bytes(&unique.values)?);
            assert_eq!(counts.to_vec::<i64>()?, unique.counts.to_vec::<i64>()?);
            assert_eq!(bytes(&numbers.unique_values()?)?, bytes(&unique.values)?);
            Ok(())
        };
        let nan = f64::NAN;
        for zeros in [[0.0, -0.0], [-0.0, 0.0]] {
            all(&Array::new(&[7], &[nan, zeros[0], 2.0, zeros[1], nan, -1.0, 2.0]))?;
        }
        for dtype in DType::all().filter(|dtype| dtype.computes()) {
            for count in [0, 1, 2, 700, 40_000] {
                let numbers = (Array::iota(count, DType::F64) * 0.37).sin() * 50.0;
                all(&numbers.convert(dtype).reshape(&[1, count]))?;
            }
        }
        Ok(())
    }
}
