//! Where an array is not 0. How many places there are depends on the elements, so the array is computed.

use super::evaluate::compact;
use super::{Array, Keep, Over};
use crate::buffer::Pool;
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::as_i64;
use crate::simd::{Body, Isa, simd};
use crate::tensor::Tensor;

/// So many truth values are counted by one thread,
const MOST: usize = 1 << 17;
/// so many beside each other.
const BESIDE: usize = 64;

impl Array {
    /// The indices of the elements that are not 0, in row-major order: an array for each axis.
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
        allowed(count.saturating_mul(self.rank()?.saturating_sub(1)), "nonzero")?;
        let mut places = vec![];
        let Some((_, inner)) = self.shape()?.split_first() else { return Ok(places) };
        for &extent in inner.iter().rev() {
            let extent = as_i64(extent);
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

    /// The flat (row-major) indices of the elements that are not 0.
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
        let count = count(truths);
        // Every number is written, and the next over it unless it counts: which do is not foreseen.
        allowed(count + 1, "nonzero")?;
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
        let (truths, axes) = (self.truths("count_nonzero"), axes.into());
        if let Some(count) = truths.count_at_hand(&axes) {
            let count = Array::full(&[], count, DType::I64);
            return if keep == Keep::Axes {
                count.reshape(&vec![1; truths.node().shape().len()])
            } else {
                count
            };
        }
        truths.convert(DType::I64).sum(axes, keep).called("sum", "count_nonzero")
    }

    /// How many of all truth values that are in memory are true, unless there are so many that it is work for several threads.
    fn count_at_hand(&self, axes: &Over) -> Option<i64> {
        if *axes != Over::from(..) || self.check().is_err() {
            return None;
        }
        let truths = self.node().at_hand()?.as_ref().ok()?;
        let bytes = truths.as_bytes().filter(|bytes| bytes.len() <= MOST && truths.dtype() == DType::Bool)?;
        Some(as_i64(count(bytes)))
    }

    /// Whether each element is not 0.
    pub(super) fn truths(&self, doing: &'static str) -> Array {
        match self.dtype() {
            // Who lends memory may write other bytes than 0 and 1.
            Ok(DType::Bool) if self.reads_lent() => self.not_equal(self.zero()).called("not_equal", doing),
            Ok(DType::Bool) | Err(_) => self.clone(),
            Ok(_) => self.not_equal(self.zero()).called("not_equal", doing),
        }
    }
}

/// Whether the memory limit allows so many numbers besides, for an operation that holds them outside of the pool.
pub(super) fn allowed(numbers: usize, doing: &'static str) -> Result<(), Error> {
    let bytes = numbers.saturating_mul(size_of::<i64>());
    Pool::global().allows(bytes).map_err(|error| Error::memory(error, &[numbers], DType::I64).of(doing))
}

/// How many truth values are true.
fn count(truths: &[u8]) -> usize {
    let mut count = 0;
    simd(Count { truths, count: &mut count });
    count
}

struct Count<'t> {
    truths: &'t [u8],
    count: &'t mut usize,
}

impl Body for Count<'_> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let (blocks, rest) = self.truths.as_chunks::<BESIDE>();
        // As many as one byte counts.
        for blocks in blocks.chunks(usize::from(u8::MAX)) {
            let mut sums = [0u8; BESIDE];
            for block in blocks {
                sums.iter_mut().zip(block).for_each(|(sum, &truth)| *sum += truth);
            }
            *self.count += sums.iter().map(|&sum| usize::from(sum)).sum::<usize>();
        }
        *self.count += rest.iter().map(|&truth| usize::from(truth)).sum::<usize>();
    }
}
