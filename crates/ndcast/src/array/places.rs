//! Where an array is not 0. How many places there are depends on the elements, so the array is computed.

use super::{Array, Keep};
use crate::dtype::DType;
use crate::error::Error;

impl Array {
    /// The places of the elements that are not 0, in order: an array of numbers for each axis.
    ///
    /// ```
    /// use ndcast::Array;
    /// let places = Array::new(&[2, 2], &[0, 1, 2, 0]).nonzero()?;
    /// assert_eq!(places[0].to_vec::<i64>()?, [0, 1]);
    /// assert_eq!(places[1].to_vec::<i64>()?, [1, 0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Array::eval`].
    pub fn nonzero(&self) -> Result<Vec<Array>, Error> {
        let numbers = self.nonzero_numbers()?;
        let mut behind: i64 = 1;
        let mut places = vec![];
        for &extent in self.shape()?.iter().rev() {
            let extent = i64::try_from(extent).unwrap_or(i64::MAX);
            let along: Vec<i64> = numbers.iter().map(|number| number / behind % extent).collect();
            places.push(Array::new(&[along.len()], &along));
            behind = behind.saturating_mul(extent);
        }
        places.reverse();
        Ok(places)
    }

    /// The numbers of the elements that are not 0, counted one behind the other.
    ///
    /// ```
    /// use ndcast::Array;
    /// assert_eq!(Array::new(&[2, 2], &[0, 1, 2, 0]).nonzero_numbers()?, [1, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Array::eval`].
    pub fn nonzero_numbers(&self) -> Result<Vec<i64>, Error> {
        let truths = self.truths("nonzero").to_vec::<bool>()?;
        Ok((0..).zip(truths).filter_map(|(number, truth)| truth.then_some(number)).collect())
    }

    /// How many elements along axes are not 0.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[2, 2], &[0, 1, 2, 3]);
    /// assert_eq!(x.count_nonzero(&[1], Keep::Nothing).to_vec::<i64>()?, [1, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn count_nonzero(&self, axes: &[usize], keep: Keep) -> Array {
        self.truths("count_nonzero").convert(DType::I64).sum(axes, keep).called("sum", "count_nonzero")
    }

    /// Whether each element is not 0.
    pub(super) fn truths(&self, doing: &'static str) -> Array {
        match self.dtype() {
            Ok(DType::Bool) | Err(_) => self.clone(),
            Ok(_) => self.not_equal(self.zero()).called("not_equal", doing),
        }
    }
}
