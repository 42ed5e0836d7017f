//! Elements put at places that are numbers in an array: what cannot be said as a view.

use std::sync::Arc;

use ndcast_shape::Index;
use smallvec::smallvec;

use super::evaluate::{compact, fresh};
use super::{Array, Axes, Called, Extents, Operand};
use crate::dtype::DType;
use crate::engine;
use crate::error::Error;
use crate::promote::{fits, scalar_fits};
use crate::tensor::Tensor;

impl Array {
    /// The array with elements replaced: each value at its flat (row-major) index. Where an index is repeated, the last
    /// value stays.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 2], &[0, 0, 0, 0]);
    /// let y = x.put(&[3, 0], Array::new(&[2], &[7, 8]));
    /// assert_eq!(y.to_vec::<i32>()?, [8, 0, 0, 7]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn put(&self, numbers: &[usize], values: impl Into<Operand>) -> Array {
        self.with_put(numbers, values.into()).unwrap_or_else(|error| Array::of_error(error.of("put")))
    }

    /// Replaces runs of `run` elements, each from a flat (row-major) index on, at once, and in place if nobody else has the
    /// memory. The values are broadcast to one row for each run; where runs overlap, the last stays. On an error the array
    /// stays as it is.
    ///
    /// ```
    /// use ndcast::Array;
    /// let mut x = Array::new(&[3, 2], &[0, 0, 0, 0, 0, 0]);
    /// let starts = Array::new(&[2], &[4i64, 0]);
    /// x.put_runs(&starts, 2, &Array::new(&[2, 1], &[7, 8]))?;
    /// assert_eq!(x.to_vec::<i32>()?, [8, 8, 0, 0, 7, 7]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a run does not lie within the elements, or the values do not go to the shape or the element type; or as
    /// [`Array::eval`].
    pub fn put_runs(&mut self, starts: &Array, run: usize, values: impl Into<Operand>) -> Result<(), Error> {
        self.with_runs(starts, run, values.into()).map_err(|error| error.of("put"))
    }

    fn with_runs(&mut self, starts: &Array, run: usize, values: Operand) -> Result<(), Error> {
        let elements: usize = self.shape()?.iter().product();
        let starts = compact(&starts.as_numbers()?.eval()?)?;
        let starts = starts.as_slice::<i64>().unwrap_or_default();
        let last = elements.checked_sub(run).and_then(|last| i64::try_from(last).ok()).unwrap_or(-1);
        // The sign of what is less than 0 or greater than the last; most of the time there is none.
        let signs = starts.iter().fold(0, |signs, &start| signs | start | last.wrapping_sub(start));
        if signs < 0
            && let Some(start) = starts.iter().find(|&&start| start < 0 || start > last)
        {
            let text = format!("there are no {run} elements from {start} on: there are {elements}");
            return Err(Error::value(text));
        }
        let values = values_for(values, self.dtype()?)?.broadcast_to(&[starts.len(), run]);
        values.check()?;
        if starts.is_empty() || run == 0 {
            return Ok(());
        }
        super::eval(&[self, &values])?;
        let (Some(Ok(_)), Some(Ok(from))) = (self.node().at_hand(), values.node().at_hand()) else {
            // It is written down what is done to it, element by element.
            let starts = starts.iter().map(|&start| usize::try_from(start).unwrap_or_default());
            let numbers: Vec<usize> = starts.flat_map(|start| start..start + run).collect();
            let put = self.put(&numbers, values.reshape(&[numbers.len()]));
            put.check()?;
            *self = put;
            return Ok(());
        };
        let (from, step) = rows(from)?;
        if self.own_memory().is_none() {
            *self = fresh(&self.eval()?)?.into();
        }
        if let Some(to) = self.own_memory() {
            engine::put(to, starts, run, from.size(), (from.memory(), step));
        }
        Ok(())
    }

    fn with_put(&self, numbers: &[usize], values: Operand) -> Result<Array, Error> {
        let dtype = self.dtype()?;
        let elements = self.shape()?.iter().product();
        if let Some(number) = numbers.iter().find(|&&number| number >= elements) {
            return Err(Error::value(format!("there is no element {number}: there are {elements}")));
        }
        let values = values_for(values, dtype)?.broadcast_to(&[numbers.len()]);
        values.check()?;
        let shape: Extents = self.shape()?.into();
        let numbers: Arc<[usize]> = numbers.into();
        let called = Called::Put(Arc::clone(&numbers));
        // Which of the numbers are in which row is known only to whoever reads them.
        let none: Axes = smallvec![None; shape.len()];
        let arguments = [(self.clone(), none.clone()), (values, none)];
        Ok(Array::call(called, arguments, shape, dtype, move |tensors, _| {
            let (all, values) = (compact(&tensors[0])?, compact(&tensors[1])?);
            let mut out = Tensor::uninitialised(all.shape(), dtype)?;
            let (size, bytes) = (out.size(), all.elements() * all.size());
            if let Some(to) = out.memory_mut() {
                to[..bytes].copy_from_slice(&all.memory()[..bytes]);
                for (&number, value) in numbers.iter().zip(values.memory().chunks_exact(size)) {
                    to[number * size..][..size].copy_from_slice(value);
                }
            }
            Ok(out)
        }))
    }
}

/// Values as elements of a type that they fit.
fn values_for(values: Operand, dtype: DType) -> Result<Array, Error> {
    match values {
        Operand::Array(values) => {
            fits(values.dtype()?, dtype)?;
            Ok(values.convert(dtype))
        }
        Operand::Number(number) => {
            scalar_fits(number.kind(), dtype)?;
            Ok(number.tensor(dtype)?.into())
        }
    }
}

/// The elements of as many runs, and how many bytes it is from each to the next: 0 if all are one.
fn rows(values: &Tensor) -> Result<(Tensor, usize), Error> {
    let [step, _] = *values.layout().strides() else { return Ok((values.clone(), 0)) };
    if step == 0 {
        return Ok((compact(&values.select(&[Index::At(0)])?)?, 0));
    }
    Ok((compact(values)?, values.shape()[1] * values.size()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_or_does_not_fit() -> Result<(), Error> {
        let x = Array::new(&[3], &[1u8, 2, 3]);
        let floats = Array::new(&[1], &[1.5f32]);
        let three = Array::new(&[3], &[1u8, 1, 1]);
        for (wrong, reason) in [
            (x.put(&[3], 1), "put: there is no element 3: there are 3"),
            (x.put(&[0], 300), "put: 300 is not between 0 and 255, which u8 holds"),
            (x.put(&[0], floats), "put: f32 does not fit into u8"),
            (x.put(&[0, 1], three), "3 does not broadcast to 2"),
        ] {
            let error = wrong.check().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!(x.put(&[2, 2], Array::new(&[2], &[5u8, 6])).to_vec::<u8>()?, [1, 2, 6]);
        assert_eq!(x.put(&[0, 1], 9).to_vec::<u8>()?, [9, 9, 3]);
        assert_eq!(x.put(&[], 9).to_vec::<u8>()?, [1, 2, 3]);
        Ok(())
    }

    #[test]
    fn runs() -> Result<(), Error> {
        let before: Vec<u16> = (0..24).collect();
        let x = Array::new(&[4, 6], &before);
        for run in 1..=6 {
            for starts in [&[18usize, 0, 7][..], &[3], &[2, 2], &[]] {
                let values =
                    Array::new(&[starts.len(), run], &(100..).take(starts.len() * run).collect::<Vec<u16>>());
                let row = Array::new(&[run], &(200..).take(run).collect::<Vec<u16>>());
                let each = values.select(&[Index::WHOLE, Index::At(0)]).expand(1);
                for values in [values.clone(), row, each, Array::scalar(300u16), values.flip([1])] {
                    let mut expected = before.clone();
                    let all = values.broadcast_to(&[starts.len(), run]).to_vec::<u16>()?;
                    for (start, values) in starts.iter().zip(all.chunks(run)) {
                        expected[*start..start + run].copy_from_slice(values);
                    }
                    let (mut own, mut shared) = (Array::new(&[4, 6], &before), x.clone());
                    let signed: Vec<i64> = starts.iter().map(|&n| i64::try_from(n).unwrap_or(-1)).collect();
                    let numbers = Array::new(&[starts.len()], &signed);
                    own.put_runs(&numbers, run, &values)?;
                    shared.put_runs(&numbers, run, &values)?;
                    assert_eq!(own.to_vec::<u16>()?, expected, "{starts:?} {run}");
                    assert_eq!(shared.to_vec::<u16>()?, expected);
                    let mut lazy = x.copy();
                    lazy.put_runs(&numbers, run, values.copy())?;
                    assert_eq!(lazy.to_vec::<u16>()?, expected);
                }
            }
        }
        assert_eq!(x.to_vec::<u16>()?, before);
        let mut own = x.clone();
        let at = |numbers: &[i64]| Array::new(&[numbers.len()], numbers);
        let wrong = own.put_runs(&at(&[3, 20]), 5, 1).unwrap_err().to_string();
        assert_eq!(wrong, "put: there are no 5 elements from 20 on: there are 24");
        let three = Array::new(&[3], &[1u16, 2, 3]);
        for (wrong, reason) in [
            (own.put_runs(&at(&[-1]), 1, 1), "there are no 1 elements from -1 on: there are 24"),
            (own.put_runs(&at(&[0]), 25, 1), "there are no 25 elements from 0 on: there are 24"),
            (
                own.put_runs(&at(&[i64::MAX]), usize::MAX, 1),
                "elements from 9223372036854775807 on: there are 24",
            ),
            (own.put_runs(&at(&[0, 6]), 6, three), "3 does not broadcast to 2x6"),
            (own.put_runs(&at(&[0]), 1, 1.5), "put: a real number does not fit into u16"),
        ] {
            let error = wrong.unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!(own.to_vec::<u16>()?, before);
        Ok(())
    }
}
