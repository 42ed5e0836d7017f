//! Python's buffer protocol: an array's memory is shown as it is, with its strides, and read-only.

#![allow(unsafe_code, reason = "the protocol is one of pointers")]

use std::ffi::{CStr, c_int, c_long, c_void};
use std::ptr;

use ndcast::{Array, DType, Tensor};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::array::{PyArray, tensor};
use crate::error::exception;
use crate::gradient::check_unwatched;
use crate::memory::is_foreign;

/// What a buffer points to as long as somebody has it.
struct Shown {
    /// Holds the memory: no array that is changed meanwhile writes it.
    tensor: Tensor,
    shape: Vec<isize>,
    /// In bytes.
    strides: Vec<isize>,
}

/// How Python's `struct` writes the type; types that it does not know are shown as their bits.
fn format(dtype: DType) -> &'static CStr {
    match dtype {
        DType::Bool => c"?",
        DType::I8 => c"b",
        DType::I16 => c"h",
        DType::I32 => c"i",
        // NumPy tells `long` from `long long`, though both may be 64 bits, and its int64 is the former if it can be.
        DType::I64 if size_of::<c_long>() == 8 => c"l",
        DType::I64 => c"q",
        DType::U16 | DType::Bf16 => c"H",
        DType::U32 => c"I",
        DType::U64 if size_of::<c_long>() == 8 => c"L",
        DType::U64 => c"Q",
        DType::F16 => c"e",
        DType::F32 => c"f",
        DType::F64 => c"d",
        DType::C64 => c"Zf",
        DType::C128 => c"Zd",
        _ => c"B",
    }
}

/// Where the first element is.
pub(crate) fn first(tensor: &Tensor) -> *const u8 {
    let size = tensor.dtype().size().unwrap_or(1);
    let offset = if tensor.elements() == 0 { 0 } else { tensor.layout().offset() * size };
    tensor.memory().as_ptr().wrapping_add(offset)
}

/// The bits of an array's elements, for types that the protocol does not know.
#[pyclass(frozen)]
pub(crate) struct Bits(pub(crate) Array);

/// A copy in the order that the flags ask for (C order without strides); `None` if the memory is already in it.
fn laid(py: Python<'_>, shared: &Tensor, asked: impl Fn(c_int) -> bool) -> PyResult<Option<Tensor>> {
    let array = Array::from(shared.clone());
    let backwards: Vec<usize> = (0..shared.rank()).rev().collect();
    let turned = |tensor: &Tensor| tensor.transpose(&backwards).map_err(|error| exception(py, &error));
    let (in_rows, in_columns) = (shared.as_bytes().is_some(), turned(shared)?.as_bytes().is_some());
    let rows = asked(ffi::PyBUF_C_CONTIGUOUS) || !asked(ffi::PyBUF_STRIDES);
    if (rows && !in_rows) || (asked(ffi::PyBUF_ANY_CONTIGUOUS) && !in_rows && !in_columns) {
        return tensor(py, &array.copy()).map(Some);
    }
    if asked(ffi::PyBUF_F_CONTIGUOUS) && !rows && !in_columns {
        return turned(&tensor(py, &array.transpose(&backwards).copy())?).map(Some);
    }
    Ok(None)
}

/// Fills a view. What had to be copied for it, and what it is a copy of, may be kept.
///
/// # Safety
/// `view` is a buffer to be filled, as the protocol has it.
unsafe fn fill(
    owner: Bound<'_, PyAny>,
    array: &Array,
    keep: impl FnOnce(&Tensor, &Tensor),
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("there is no view to fill"));
    }
    // SAFETY: the protocol gives a buffer that may be written; on failure its object is null.
    unsafe { (*view).obj = ptr::null_mut() };
    if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
        return Err(PyBufferError::new_err(
            "arrays are shown read-only, because others may share their memory; copy it to write",
        ));
    }
    let py = owner.py();
    check_unwatched(py, array)?;
    let asked = |flag: c_int| flags & flag == flag;
    let wants_strides = asked(ffi::PyBUF_STRIDES);
    let mut shared = tensor(py, array)?;
    if let Some(copy) = laid(py, &shared, asked)? {
        keep(&copy, &shared);
        shared = copy;
    }
    let size = shared.dtype().size().unwrap_or(1).cast_signed();
    let shape: Vec<isize> = shared.shape().iter().map(|extent| extent.cast_signed()).collect();
    let too_large = || PyBufferError::new_err("the array has more bytes than a buffer can");
    let bytes = shared.elements().cast_signed().checked_mul(size).ok_or_else(too_large)?;
    let strides = shared.layout().strides().iter().map(|stride| stride.checked_mul(size));
    let strides = strides.collect::<Option<_>>().ok_or_else(too_large)?;
    let mut shown = Box::new(Shown { tensor: shared, shape, strides });
    // SAFETY: as above. What the fields point to lives until the buffer is released, in `shown`.
    unsafe {
        (*view).buf = first(&shown.tensor).cast_mut().cast::<c_void>();
        (*view).len = bytes;
        (*view).readonly = 1;
        (*view).itemsize = size;
        (*view).format = if asked(ffi::PyBUF_FORMAT) {
            format(shown.tensor.dtype()).as_ptr().cast_mut()
        } else {
            ptr::null_mut()
        };
        // Without PyBUF_ND the consumer sees flat bytes.
        let shaped = asked(ffi::PyBUF_ND);
        (*view).ndim = if shaped { c_int::try_from(shown.shape.len()).unwrap_or(c_int::MAX) } else { 1 };
        (*view).shape = if shaped { shown.shape.as_mut_ptr() } else { ptr::null_mut() };
        (*view).strides = if wants_strides { shown.strides.as_mut_ptr() } else { ptr::null_mut() };
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = Box::into_raw(shown).cast::<c_void>();
        (*view).obj = owner.into_ptr();
    }
    Ok(())
}

/// Gives a view back.
///
/// # Safety
/// `view` was filled above, and this is called once.
unsafe fn release(view: *mut ffi::Py_buffer) {
    // SAFETY: `fill` put a box there.
    drop(unsafe { Box::from_raw((*view).internal.cast::<Shown>()) });
}

#[pymethods]
impl PyArray {
    /// # Safety
    /// As `fill`.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let array = slf.get().array();
        if let Ok(dtype) = array.dtype()
            && is_foreign(dtype)
        {
            return Err(PyBufferError::new_err(format!("buffers know no elements of type {dtype:#}")));
        }
        let own = slf.clone();
        // SAFETY: the caller's.
        unsafe { fill(slf.into_any(), &array, |copy, of| own.get().keep(copy, of), view, flags) }
    }

    /// # Safety
    /// As `release`.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: the caller's.
        unsafe { release(view) };
    }
}

impl PyArray {
    /// Takes the copy as its value, if it still is `of`: some consumers release the view and read on while they hold
    /// the array.
    fn keep(&self, copy: &Tensor, of: &Tensor) {
        let mut own = self.lock();
        let unchanged = own.is_ready()
            && !own.is_lent()
            && own.eval().is_ok_and(|tensor| {
                tensor.memory().as_ptr() == of.memory().as_ptr() && tensor.layout() == of.layout()
            });
        if unchanged {
            *own = Array::from(copy.clone());
        }
    }
}

#[pymethods]
impl Bits {
    /// # Safety
    /// As `fill`.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let array = slf.get().0.clone();
        // SAFETY: the caller's.
        unsafe { fill(slf.into_any(), &array, |_, _| (), view, flags) }
    }

    /// # Safety
    /// As `release`.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: the caller's.
        unsafe { release(view) };
    }
}
