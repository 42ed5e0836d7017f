//! The elements that are different from each other, in order. How many there are depends on the elements, so the array is
//! computed.

use bytemuck::cast_slice;

use super::evaluate::compact;
use super::keys::{at, places};
use super::order::{ForOrdered, Ordered, for_ordered};
use super::{Array, Direction};
use crate::buffer::MemoryError;
use crate::error::Error;

/// The different elements of an array, in order.
///
/// Elements are equal if they compare so: -0 and 0 are one, and no NaN is equal to another.
#[derive(Clone, Debug)]
pub struct Unique {
    /// Each element once.
    pub values: Array,
    /// Where each is first, among the elements one behind the other.
    pub first: Array,
    /// For each element of the array its number among the values.
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
        let Groups { first, inverse, counts } =
            for_ordered(all.dtype(), Grouping(bytes)).map_err(|error| error.of("unique"))??;
        let first = Array::new(&[first.len()], &first);
        Ok(Unique {
            values: self.reshape(&[all.elements()]).take(&first, 0),
            inverse: Array::new(all.shape(), &inverse),
            counts: Array::new(&[counts.len()], &counts),
            first,
        })
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
        let signed = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
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
            groups.inverse[place] = signed(groups.first.len()) - 1;
        }
        Ok(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
