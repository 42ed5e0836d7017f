//! Exchange with the crate `ndarray`, without a copy: its arrays become tensors that own their memory, and tensors are
//! looked at as its views.
//!
//! Views are made of a slice, strides without signs and then axes turned around, so nothing here is unsafe: `ndarray`
//! checks that the strides stay in the slice.

use ndarray::{ArrayViewD, Axis, Dimension, IxDyn, ShapeBuilder};

use crate::array::Array;
use crate::element::Element;
use crate::error::Error;
use crate::layout::Layout;
use crate::tensor::Tensor;

impl Tensor {
    /// The elements as a view of `ndarray`, however they lie: nothing is copied.
    ///
    /// ```
    /// use ndcast::Tensor;
    /// let matrix = Tensor::new(&[2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let flipped = matrix.flip(1)?;
    /// let view = flipped.view_ndarray::<i32>()?;
    /// assert_eq!((view[[0, 0]], view[[1, 2]]), (3, 4));
    /// assert_eq!(view.strides(), [3, -1]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// If they have another type.
    pub fn view_ndarray<T: Element>(&self) -> Result<ArrayViewD<'_, T>, Error> {
        if self.dtype() != T::DTYPE {
            return Err(Error::other_type(self.dtype(), T::DTYPE));
        }
        let (layout, size) = (self.layout(), self.size());
        let reach = layout.reach();
        let bytes = &self.memory()[reach.start * size..reach.end * size];
        let elements = bytemuck::checked::try_cast_slice(bytes)
            .map_err(|error| Error::value(format!("the memory holds no {}: {error}", T::DTYPE)))?;
        let shape = IxDyn(layout.shape());
        let view = if layout.elements() == 0 {
            // Their strides lead nowhere.
            ArrayViewD::from_shape(shape, elements)
        } else {
            let strides: Vec<usize> = layout.strides().iter().map(|stride| stride.unsigned_abs()).collect();
            ArrayViewD::from_shape(shape.strides(IxDyn(&strides)), elements)
        };
        let mut view = view.map_err(|error| Error::value(format!("ndarray has no such view: {error}")))?;
        for (axis, &stride) in layout.strides().iter().enumerate() {
            if stride < 0 {
                view.invert_axis(Axis(axis));
            }
        }
        Ok(view)
    }

    /// A tensor in the memory of an array of `ndarray`, with its strides.
    ///
    /// It is copied only where [`Tensor::from_vec`] copies.
    ///
    /// ```
    /// use ndcast::Tensor;
    /// let array = ndarray::array![[1, 2, 3], [4, 5, 6]].reversed_axes();
    /// let place = array.as_ptr();
    /// let tensor = Tensor::from_ndarray(array)?;
    /// assert_eq!(tensor.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
    /// assert_eq!(tensor.view_ndarray::<i32>()?.as_ptr(), place);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// If memory for a copy would pass the limit.
    pub fn from_ndarray<T: Element, D: Dimension>(array: ndarray::Array<T, D>) -> Result<Tensor, Error> {
        let (shape, strides) = (array.shape().to_vec(), array.strides().to_vec());
        let (elements, offset) = array.into_raw_vec_and_offset();
        let Some(offset) = offset else { return Tensor::new::<T>(&shape, &[]) };
        let layout = Layout::strided(&shape, &strides, offset, elements.len())
            .ok_or_else(|| Error::value(format!("the strides {strides:?} leave the array's memory")))?;
        // Elements that the array does not show are kept, because those that it shows may lie among them.
        Ok(Tensor::from_vec(&[elements.len()], elements)?.with_layout(layout))
    }
}

impl<T: Element, D: Dimension> TryFrom<ndarray::Array<T, D>> for Tensor {
    type Error = Error;

    fn try_from(array: ndarray::Array<T, D>) -> Result<Tensor, Error> {
        Tensor::from_ndarray(array)
    }
}

/// ```
/// use ndcast::Array;
/// let x = Array::from(ndarray::array![[1.0, 2.0], [3.0, 4.0]]);
/// assert_eq!((x * 2).to_vec::<f64>()?, [2.0, 4.0, 6.0, 8.0]);
/// # Ok::<(), ndcast::Error>(())
/// ```
impl<T: Element, D: Dimension> From<ndarray::Array<T, D>> for Array {
    fn from(array: ndarray::Array<T, D>) -> Array {
        Tensor::from_ndarray(array).into()
    }
}
