//! Python's buffer protocol: an array's memory is shown as it is, with its strides, and read-only.

#![allow(unsafe_code, reason = "the protocol is one of pointers")]

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use ndcast::{DType, Tensor};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::array::PyArray;

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
        DType::I64 => c"q",
        DType::U16 | DType::Bf16 => c"H",
        DType::U32 => c"I",
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

#[pymethods]
impl PyArray {
    /// # Safety
    /// `view` is a buffer to be filled, as the protocol has it.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
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
        let py = slf.py();
        let mut tensor = slf.get().tensor(py)?;
        let wants_strides = flags & ffi::PyBUF_STRIDES == ffi::PyBUF_STRIDES;
        if !wants_strides && tensor.as_bytes().is_none() {
            let copy = slf.get().array().copy();
            tensor = crate::array::tensor(py, &copy)?;
        }
        let size = tensor.dtype().size().unwrap_or(1).cast_signed();
        let shape: Vec<isize> = tensor.shape().iter().map(|extent| extent.cast_signed()).collect();
        let strides = tensor.layout().strides().iter().map(|stride| stride * size).collect();
        let mut shown = Box::new(Shown { tensor, shape, strides });
        // SAFETY: as above. What the fields point to lives until the buffer is released, in `shown`.
        unsafe {
            (*view).buf = first(&shown.tensor).cast_mut().cast::<c_void>();
            (*view).len = shown.tensor.elements().cast_signed() * size;
            (*view).readonly = 1;
            (*view).itemsize = size;
            let formatted = flags & ffi::PyBUF_FORMAT == ffi::PyBUF_FORMAT;
            (*view).format =
                if formatted { format(shown.tensor.dtype()).as_ptr().cast_mut() } else { ptr::null_mut() };
            (*view).ndim = c_int::try_from(shown.shape.len()).unwrap_or(c_int::MAX);
            let shaped = flags & ffi::PyBUF_ND == ffi::PyBUF_ND;
            (*view).shape = if shaped { shown.shape.as_mut_ptr() } else { ptr::null_mut() };
            (*view).strides = if wants_strides { shown.strides.as_mut_ptr() } else { ptr::null_mut() };
            (*view).suboffsets = ptr::null_mut();
            (*view).internal = Box::into_raw(shown).cast::<c_void>();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }

    /// # Safety
    /// `view` was filled above.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: `__getbuffer__` put a box there, and each buffer is released once.
        drop(unsafe { Box::from_raw((*view).internal.cast::<Shown>()) });
    }
}
