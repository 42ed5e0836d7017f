//! Elements put at places that are numbers in an array: what cannot be said as a view.

use std::sync::Arc;

use smallvec::smallvec;

use super::evaluate::compact;
use super::{Array, Axes, Called, Extents, Operand};
use crate::error::Error;
use crate::promote::{fits, scalar_fits};
use crate::tensor::Tensor;

impl Array {
    /// The array with elements replaced: each value at its number, counted one behind the other. Of several values for
    /// one number the last stays.
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

    fn with_put(&self, numbers: &[usize], values: Operand) -> Result<Array, Error> {
        let dtype = self.dtype()?;
        let elements = self.shape()?.iter().product();
        if let Some(number) = numbers.iter().find(|&&number| number >= elements) {
            return Err(Error::value(format!("there is no element {number}: there are {elements}")));
        }
        let values = match values {
            Operand::Array(values) => {
                fits(values.dtype()?, dtype)?;
                values.convert(dtype)
            }
            Operand::Number(number) => {
                scalar_fits(number.kind(), dtype)?;
                number.tensor(dtype)?.into()
            }
        };
        let values = values.broadcast_to(&[numbers.len()]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_or_does_not_fit() -> Result<(), Error> {
        let x = Array::new(&[3], &[1u8, 2, 3]);
        assert!(x.put(&[3], 1).check().is_err());
        assert!(x.put(&[0], 300).check().is_err());
        assert!(x.put(&[0], Array::new(&[1], &[1.5f32])).check().is_err());
        assert!(x.put(&[0, 1], Array::new(&[3], &[1u8, 1, 1])).check().is_err());
        assert_eq!(x.put(&[2, 2], Array::new(&[2], &[5u8, 6])).to_vec::<u8>()?, [1, 2, 6]);
        assert_eq!(x.put(&[0, 1], 9).to_vec::<u8>()?, [9, 9, 3]);
        assert_eq!(x.put(&[], 9).to_vec::<u8>()?, [1, 2, 3]);
        Ok(())
    }
}
