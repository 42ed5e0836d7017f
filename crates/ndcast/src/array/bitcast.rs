//! Bits read as elements of another type.

use super::evaluate::compact;
use super::{Array, Called, Extents};
use crate::dtype::DType;
use crate::error::Error;
use crate::tensor::Tensor;

impl Array {
    /// The same bits as elements of another type, in the order of this machine's memory. Of a narrower type there are
    /// several for each, along a new last axis; of a wider one each is made of a whole last axis, which goes away.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// let x = Array::new(&[1], &[1.0f32]);
    /// assert_eq!(x.bitcast(DType::U32).to_vec::<u32>()?, [0x3f80_0000]);
    /// assert_eq!(x.bitcast(DType::U16).shape()?, [1, 2]);
    /// assert_eq!(x.bitcast(DType::U16).bitcast(DType::F32).to_vec::<f32>()?, [1.0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn bitcast(&self, dtype: DType) -> Array {
        self.bits_as(dtype).unwrap_or_else(|error| Array::of_error(error.of("bitcast")))
    }

    fn bits_as(&self, dtype: DType) -> Result<Array, Error> {
        let from = self.dtype()?;
        let (before, after) = Array::bitcast_sizes(from, dtype)?;
        let mut shape: Extents = self.shape()?.into();
        if before > after {
            shape.push(before / after);
        } else if after > before && shape.pop() != Some(after / before) {
            let found = ndcast_shape::Shape::from(self.shape()?);
            return Err(Error::value(format!(
                "{} {from} make one {dtype}, and the last axis of an array of shape {} has not so many",
                after / before,
                found.brief()
            )));
        }
        super::apply::addressable(&shape)?;
        let own = self.rank()?;
        let walked = (0..shape.len()).map(|axis| (axis < own).then_some(axis)).collect();
        let arguments = [(self.clone(), walked)];
        Ok(Array::call(Called::Other("bitcast"), arguments, shape, dtype, move |tensors, shape| {
            let all = compact(&tensors[0])?;
            Tensor::from_bytes(shape, dtype, all.as_bytes().unwrap_or_default())
        }))
    }

    /// The bytes of the elements of two types of which one can be read as the other.
    pub(crate) fn bitcast_sizes(from: DType, to: DType) -> Result<(usize, usize), Error> {
        let whole = |dtype: DType| match (dtype, dtype.bits()) {
            (DType::Bool, _) | (_, None) => None,
            (_, Some(bits)) => bits.is_multiple_of(8).then(|| dtype.size()).flatten(),
        };
        match (whole(from), whole(to)) {
            (Some(before), Some(after)) => Ok((before, after)),
            _ if from == to && from.size().is_some() => Ok((1, 1)),
            _ => Err(Error::value(format!("the bits of {from} are not read as {to}"))),
        }
    }
}
