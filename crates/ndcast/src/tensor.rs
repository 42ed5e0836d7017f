//! A tensor: memory, an element type, and how the elements lie in it.
//!
//! Its memory is shared by all its views, and written only by who holds it alone. Nothing here computes.

use std::fmt;
use std::sync::Arc;

use bytemuck::{Pod, cast_slice_mut};
use ndcast_shape::{Index, Plan, Shape};

use crate::buffer::{ALIGNMENT, Buffer, Lender, Pool};
use crate::dtype::DType;
use crate::element::Element;
use crate::error::Error;
use crate::layout::Layout;

/// An n-dimensional array of elements in memory.
///
/// ```
/// use ndcast::Tensor;
/// let matrix = Tensor::new(&[2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let transposed = matrix.transpose(&[1, 0])?;
/// assert_eq!(transposed.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
/// // The view is free: both are the same memory.
/// assert_eq!(transposed.layout().strides(), [1, 3]);
/// # Ok::<(), ndcast::Error>(())
/// ```
#[derive(Clone)]
pub struct Tensor {
    buffer: Arc<Buffer>,
    dtype: DType,
    layout: Layout,
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.written("Tensor", f)
    }
}

impl Tensor {
    /// As `Debug` prints it: `Tensor(f32 2 [0. 1.])`.
    pub(crate) fn written(&self, what: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.rank() > 1 { "\n" } else { " " };
        let shape = Shape::from(self.shape());
        write!(f, "{what}({} {}{between}", self.dtype, shape.brief())?;
        fmt::Display::fmt(self, f)?;
        f.write_str(")")
    }

    /// A tensor of these elements, the last axis fastest.
    ///
    /// # Errors
    /// If the shape has another number of elements, or memory for them would pass the limit.
    pub fn new<T: Element>(shape: &[usize], elements: &[T]) -> Result<Tensor, Error> {
        let mut tensor = Tensor::uninitialised(shape, T::DTYPE)?;
        if tensor.layout.elements() != elements.len() {
            return Err(Error::count(shape, elements.len()));
        }
        tensor.bytes_mut().copy_from_slice(bytemuck::cast_slice(elements));
        Ok(tensor)
    }

    /// A tensor of these elements, the last axis fastest, in the vector's own memory.
    ///
    /// That memory does not count against the limit. Truth values are copied, as are complex numbers that do not begin
    /// on a multiple of their size.
    ///
    /// ```
    /// use ndcast::Tensor;
    /// let elements = vec![1.0, 2.0, 3.0, 4.0];
    /// let place = elements.as_ptr();
    /// let tensor = Tensor::from_vec(&[2, 2], elements)?;
    /// assert_eq!(tensor.as_slice::<f64>().map(<[f64]>::as_ptr), Some(place));
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the shape has another number of elements, or memory for a copy would pass the limit.
    pub fn from_vec<T: Element>(shape: &[usize], elements: Vec<T>) -> Result<Tensor, Error> {
        let layout = Layout::row_major(shape)?;
        if layout.elements() != elements.len() {
            return Err(Error::count(shape, elements.len()));
        }
        match T::buffer(elements) {
            Ok(buffer) => Ok(Tensor { buffer: Arc::new(buffer), dtype: T::DTYPE, layout }),
            Err(elements) => Tensor::new(shape, &elements),
        }
    }

    /// A tensor of these bytes: its elements as they lie in memory, the last axis fastest.
    ///
    /// ```
    /// use ndcast::{DType, Tensor};
    /// let tensor = Tensor::from_bytes(&[2], DType::U16, &[1, 0, 0, 1])?;
    /// assert_eq!(tensor.to_vec::<u16>()?.iter().map(|n| n.to_le()).collect::<Vec<_>>(), [1, 256]);
    /// assert!(Tensor::from_bytes(&[1], DType::Bool, &[2]).is_err());
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are not as many as the shape has, if they are no such elements, or if memory would pass the limit.
    pub fn from_bytes(shape: &[usize], dtype: DType, bytes: &[u8]) -> Result<Tensor, Error> {
        let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
        let elements = Layout::row_major(shape)?.elements();
        if elements.checked_mul(size) != Some(bytes.len()) {
            return Err(Error::count(shape, bytes.len() / size));
        }
        if dtype == DType::Bool
            && let Some(wrong) = bytes.iter().find(|&&byte| byte > 1)
        {
            return Err(Error::no_truth_value(*wrong));
        }
        let mut tensor = Tensor::uninitialised(shape, dtype)?;
        tensor.bytes_mut().copy_from_slice(bytes);
        Ok(tensor)
    }

    /// A tensor in memory that somebody lends, with these strides and this first element, counted in elements.
    ///
    /// Nothing is copied, and what the lender writes later is seen: an expression that reads the memory is computed
    /// when it is written down, so that it does not see it. Truth values are bytes that are 0 or 1.
    ///
    /// # Errors
    /// If the elements do not lie in the memory, do not begin on a multiple of their size, or have no fixed size.
    pub fn lent(
        lender: Box<dyn Lender>,
        dtype: DType,
        shape: &[usize],
        strides: &[isize],
        offset: usize,
    ) -> Result<Tensor, Error> {
        let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
        let buffer = Buffer::lent(lender);
        if shape.contains(&0) {
            return Tensor::zeros(shape, dtype);
        }
        if !buffer.bytes().as_ptr().addr().is_multiple_of(size.clamp(1, ALIGNMENT)) {
            return Err(Error::value(format!("the memory does not begin on a multiple of {size} bytes")));
        }
        let layout = Layout::strided(shape, strides, offset, buffer.len() / size)
            .ok_or_else(|| Error::value(format!("the strides {strides:?} leave the memory")))?;
        Ok(Tensor { buffer: Arc::new(buffer), dtype, layout })
    }

    /// Whether its memory is lent by somebody who may write it.
    pub fn is_lent(&self) -> bool {
        self.buffer.is_lent()
    }

    /// A tensor of shape `[]`.
    ///
    /// # Errors
    /// If the memory limit does not allow even that.
    pub fn scalar<T: Element>(element: T) -> Result<Tensor, Error> {
        Tensor::new(&[], &[element])
    }

    /// A tensor of zeros.
    ///
    /// # Errors
    /// If the memory would pass the limit, or the elements are strings.
    pub fn zeros(shape: &[usize], dtype: DType) -> Result<Tensor, Error> {
        let mut tensor = Tensor::uninitialised(shape, dtype)?;
        tensor.bytes_mut().fill(0);
        Ok(tensor)
    }

    /// A tensor that holds anything: zeros, or what another tensor left.
    pub(crate) fn uninitialised(shape: &[usize], dtype: DType) -> Result<Tensor, Error> {
        Tensor::written_by(shape, dtype, |_| {})
    }

    /// A new row-major tensor, whose bytes `write` fills; before that they are unspecified.
    pub(crate) fn written_by(
        shape: &[usize],
        dtype: DType,
        write: impl FnOnce(&mut [u8]),
    ) -> Result<Tensor, Error> {
        let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
        let layout = Layout::row_major(shape)?;
        let bytes = layout.elements().checked_mul(size);
        let mut buffer = Pool::global()
            .take(bytes.unwrap_or(usize::MAX))
            .map_err(|error| Error::memory(error, shape, dtype))?;
        write(buffer.bytes_mut());
        Ok(Tensor { buffer: Arc::new(buffer), dtype, layout })
    }

    /// A tensor in a buffer of just its bytes, the last axis fastest. Every bit pattern must be an element.
    pub(crate) fn of_buffer(buffer: Buffer, shape: &[usize], dtype: DType) -> Result<Tensor, Error> {
        let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
        let layout = Layout::row_major(shape)?;
        if layout.elements().checked_mul(size) != Some(buffer.len()) {
            return Err(Error::count(shape, buffer.len() / size));
        }
        Ok(Tensor { buffer: Arc::new(buffer), dtype, layout })
    }

    /// The bytes of an element.
    pub(crate) fn size(&self) -> usize {
        self.dtype.size().unwrap_or(1)
    }

    /// All of the memory that it shares with its views; the layout says where its elements are.
    pub fn memory(&self) -> &[u8] {
        self.buffer.bytes()
    }

    /// The memory to be written, if nobody else has it.
    pub(crate) fn memory_mut(&mut self) -> Option<&mut [u8]> {
        Arc::get_mut(&mut self.buffer).filter(|buffer| !buffer.is_lent()).map(Buffer::bytes_mut)
    }

    /// Whether nobody else has the memory.
    pub(crate) fn is_alone(&mut self) -> bool {
        self.memory_mut().is_some()
    }

    /// Whether somebody else has the memory.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.buffer) > 1
    }

    /// Whether this and another tensor are views of one memory.
    pub fn shares_memory(&self, other: &Tensor) -> bool {
        Arc::ptr_eq(&self.buffer, &other.buffer)
    }

    /// Where the memory is, to tell one from another.
    pub(crate) fn address(&self) -> usize {
        self.buffer.bytes().as_ptr().addr()
    }

    /// The bytes of a tensor just made.
    fn bytes_mut(&mut self) -> &mut [u8] {
        self.memory_mut().unwrap_or_default()
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The extents.
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// How many axes there are.
    pub fn rank(&self) -> usize {
        self.layout.rank()
    }

    /// How many elements there are.
    pub fn elements(&self) -> usize {
        self.layout.elements()
    }

    /// How the elements lie in memory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The elements as a slice, if they lie one behind the other and have this type.
    ///
    /// ```
    /// use ndcast::Tensor;
    /// let tensor = Tensor::new(&[3], &[true, false, true])?;
    /// assert_eq!(tensor.as_slice::<bool>(), Some(&[true, false, true][..]));
    /// assert_eq!(tensor.flip(0)?.as_slice::<bool>(), None);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        let bytes = self.as_bytes().filter(|_| self.dtype == T::DTYPE)?;
        bytemuck::checked::try_cast_slice(bytes).ok()
    }

    /// The bytes of the elements, if they lie one behind the other.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        self.layout.is_row_major().then(|| &self.memory()[self.byte_range()])
    }

    /// The elements as a slice to be written, if they lie one behind the other, have this type, and nobody else has
    /// the memory. Truth values are not written so.
    pub fn as_slice_mut<T: Element + Pod>(&mut self) -> Option<&mut [T]> {
        let fits = self.layout.is_row_major() && self.dtype == T::DTYPE;
        let range = self.byte_range();
        self.memory_mut().filter(|_| fits).map(|memory| cast_slice_mut(&mut memory[range]))
    }

    fn byte_range(&self) -> std::ops::Range<usize> {
        let first = self.layout.offset() * self.size();
        first..first + self.elements() * self.size()
    }

    /// The elements in order, the last axis fastest.
    ///
    /// # Errors
    /// If they have another type; or of a view, which may have more elements than there is memory, if the memory limit does
    /// not allow as many.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, Error> {
        if self.dtype != T::DTYPE {
            return Err(Error::other_type(self.dtype, T::DTYPE));
        }
        if let Some(elements) = self.as_slice() {
            return Ok(elements.to_vec());
        }
        let size = self.size();
        let wanted = self.elements().saturating_mul(size);
        Pool::global().allows(wanted).map_err(|error| Error::memory(error, self.shape(), self.dtype))?;
        let mut elements = Vec::with_capacity(self.elements());
        for position in self.positions() {
            let bytes = &self.memory()[position * size..][..size];
            // Of all types only truth values are not any bits: who lends memory may write others there.
            let element = bytemuck::checked::try_pod_read_unaligned(bytes);
            elements.push(element.map_err(|_| Error::no_truth_value(bytes[0]))?);
        }
        Ok(elements)
    }

    /// The position of every element in memory, in order.
    pub(crate) fn positions(&self) -> impl Iterator<Item = usize> {
        let mut counts = vec![0; self.rank()];
        let mut left = self.elements();
        let mut position = self.layout.offset().cast_signed();
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let this = position.cast_unsigned();
            for ((count, &extent), &stride) in
                counts.iter_mut().zip(self.shape()).zip(self.layout.strides()).rev()
            {
                *count += 1;
                position = position.wrapping_add(stride);
                if *count < extent {
                    break;
                }
                position = position.wrapping_sub(stride.wrapping_mul(extent.cast_signed()));
                *count = 0;
            }
            Some(this)
        })
    }

    /// Another view of the same memory.
    pub(crate) fn with_layout(&self, layout: Layout) -> Tensor {
        debug_assert!(layout.elements() == 0 || layout.reach().end * self.size() <= self.memory().len());
        Tensor { buffer: Arc::clone(&self.buffer), dtype: self.dtype, layout }
    }

    /// The axes in another order: axis `i` of the view is axis `order[i]`.
    ///
    /// # Errors
    /// If the order does not name each axis once.
    pub fn transpose(&self, order: &[usize]) -> Result<Tensor, Error> {
        Ok(self.with_layout(self.layout.transpose(order)?))
    }

    /// One axis backwards.
    ///
    /// # Errors
    /// If there is no such axis.
    pub fn flip(&self, axis: usize) -> Result<Tensor, Error> {
        Ok(self.with_layout(self.layout.flip(axis)?))
    }

    /// With an axis of extent 1 before this one; `rank()` puts it last.
    ///
    /// # Errors
    /// If there is no such axis.
    pub fn expand(&self, axis: usize) -> Result<Tensor, Error> {
        Ok(self.with_layout(self.layout.expand(axis)?))
    }

    /// Without this axis, whose extent must be 1.
    ///
    /// # Errors
    /// If there is no such axis or its extent is another.
    pub fn squeeze(&self, axis: usize) -> Result<Tensor, Error> {
        Ok(self.with_layout(self.layout.squeeze(axis)?))
    }

    /// What an index selects.
    ///
    /// ```
    /// use ndcast::{Tensor, shape::parse_index};
    /// let matrix = Tensor::new(&[2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(matrix.select(&parse_index("1, ::-2")?)?.to_vec::<i32>()?, [6, 4]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the index speaks of more axes than there are, or of an element that is not there.
    pub fn select(&self, index: &[Index]) -> Result<Tensor, Error> {
        Ok(self.with_layout(self.layout.select(index)?))
    }

    /// Another shape of the same elements in the same order, if a view can be; else `None`, and it takes a copy.
    ///
    /// # Errors
    /// If the other shape has not as many elements.
    pub fn reshape(&self, shape: &[usize]) -> Result<Option<Tensor>, Error> {
        Ok(self.layout.reshape(shape)?.map(|layout| self.with_layout(layout)))
    }

    /// This tensor read as one operand of a plan. Nothing is copied; what is stretched is one element in memory.
    ///
    /// # Errors
    /// If the plan reads an operand of another shape there.
    pub fn broadcast(&self, plan: &Plan, operand: usize) -> Result<Tensor, Error> {
        Ok(self.with_layout(self.layout.broadcast(plan, operand)?))
    }
}
