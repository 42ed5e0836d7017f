//! Where an array is not 0. How many places there are depends on the elements, so the array is computed.

use super::evaluate::compact;
use super::{Array, Keep, Over};
use crate::dtype::DType;
use crate::error::Error;
use crate::tensor::Tensor;

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
        let mut numbers = self.nonzero_numbers()?;
        let count = numbers.len();
        let mut places = vec![];
        let Some((_, inner)) = self.shape()?.split_first() else { return Ok(places) };
        for &extent in inner.iter().rev() {
            let extent = i64::try_from(extent).unwrap_or(i64::MAX);
            let mut along = vec![0; count];
            for (number, along) in numbers.iter_mut().zip(&mut along) {
                (*number, *along) = (*number / extent, *number % extent);
            }
            places.push(Array::from(Tensor::from_vec(&[count], along)));
        }
        places.push(Array::from(Tensor::from_vec(&[count], numbers)));
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
        let truths = compact(&self.truths("nonzero").eval()?)?;
        let truths = truths.as_bytes().unwrap_or_default();
        let count: usize = truths.iter().map(|&truth| usize::from(truth)).sum();
        // Every number is written, and the next over it unless it counts: which do is not foreseen.
        let mut numbers = vec![0; count + 1];
        let mut at = 0;
        for (number, &truth) in (0..).zip(truths) {
            numbers[at] = number;
            at += usize::from(truth);
        }
        numbers.truncate(count);
        Ok(numbers)
    }

    /// How many elements along axes are not 0.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[2, 2], &[0, 1, 2, 3]);
    /// assert_eq!(x.count_nonzero(&[1], Keep::Nothing).to_vec::<i64>()?, [1, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn count_nonzero(&self, axes: impl Into<Over>, keep: Keep) -> Array {
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
