//! NumPy's memory as an array's.
//!
//! It is lent, not copied: NumPy keeps it, and what it writes is seen by this array and its views, as by NumPy's own.
//! The library computes what it reads of lent memory at once, or copies it, so nothing that was computed changes later.

#![allow(unsafe_code, reason = "another object's memory is looked at")]

use ndcast::buffer::Lender;
use ndcast::layout::reach;
use ndcast::{Array, DType, Tensor};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

use crate::error::exception;
use crate::{dtype, numpy};

/// Arrays of so many bytes at most are copied as operands: that costs less than to lend them.
const SMALL: usize = 4096;

/// What is to become of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Import {
    /// As it is cheapest, for an operand.
    AsItIs,
    /// It is lent if it can be, and copied if not.
    Lent,
    /// It is lent, or that is an error.
    OnlyLent,
    /// It is copied.
    Copied,
}

/// Memory of a Python object.
#[derive(Debug)]
struct Lent {
    /// A view holds the object's buffer. Dropping it needs no lock of the interpreter: it is put off until there is one.
    _view: Py<PyMemoryView>,
    start: *const u8,
    bytes: usize,
}

// SAFETY: memory belongs to no thread, and the view is only dropped.
unsafe impl Send for Lent {}
// SAFETY: as above; nothing is written through it.
unsafe impl Sync for Lent {}

// SAFETY: the range does not change, and the view keeps it.
unsafe impl Lender for Lent {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the exporter promises these bytes as long as its buffer is held, which the view does. That others do
        // not write them while they are read is asked of whoever writes them, as NumPy asks it of threads.
        unsafe { std::slice::from_raw_parts(self.start, self.bytes) }
    }
}

/// How elements lie in an object's memory.
struct Buffer {
    start: *const u8,
    shape: Vec<usize>,
    /// In bytes.
    strides: Vec<isize>,
}

/// An array of NumPy, or a scalar, as one of ours.
pub(crate) fn import(object: &Bound<'_, PyAny>, how: Import) -> PyResult<Array> {
    let py = object.py();
    // A scalar becomes an array of rank 0.
    let mut array = numpy::asarray(object)?;
    let mut kind = array.getattr(intern!(py, "dtype"))?;
    let known = dtype::known(&kind)?;
    let dtype = known.map_or_else(|| dtype::of(&kind), Ok)?;
    if known.is_none() && !kind.getattr("isnative")?.extract::<bool>()? {
        if how == Import::OnlyLent {
            return Err(refused(py, "its bytes are in the other order"));
        }
        kind = kind.call_method1("newbyteorder", ("=",))?;
        array = array.call_method1("astype", (kind,))?;
    }
    let size = dtype.size().unwrap_or(1);
    if is_foreign(dtype) {
        // Buffers know no such types, so their bits are looked at.
        array = array.call_method1("view", (if size == 1 { "uint8" } else { "uint16" },))?;
    }
    let tensor = match how {
        Import::Copied => copied(&array, dtype)?,
        Import::AsItIs if array.getattr(intern!(py, "nbytes"))?.extract::<usize>()? <= SMALL => {
            copied(&array, dtype)?
        }
        _ => match lent(&array, dtype)? {
            Ok(tensor) => tensor,
            Err(why) if how == Import::OnlyLent => return Err(refused(py, why)),
            Err(_) => copied(&array, dtype)?,
        },
    };
    Ok(tensor.into())
}

/// What is said of truth values that are not shared.
pub(crate) const OTHER_TRUTHS: &str = "not all of its truth values are 0 or 1";

/// Whether there are bytes that are true to others and no truth values here.
pub(crate) fn has_other_truths(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte > 1)
}

pub(crate) fn refused(py: Python<'_>, why: &str) -> PyErr {
    crate::error::own(py, "ArrayError", "copy-needed", &format!("the memory cannot be shared: {why}"))
}

/// Whether it is a type that `ml_dtypes` adds to NumPy.
pub(crate) fn is_foreign(dtype: DType) -> bool {
    dtype == DType::Bf16 || !dtype.computes()
}

/// The elements in memory of our own.
fn copied(array: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Tensor> {
    let py = array.py();
    let mut whole = array.clone();
    let mut seen = look(&whole)?;
    let shape = seen.shape.clone();
    let size = dtype.size().unwrap_or(1);
    if !seen.is_in_order(size) {
        whole = numpy::module(py)?.call_method1("ascontiguousarray", (array,))?;
        seen = look(&whole)?;
    }
    let bytes = shape.iter().product::<usize>() * size;
    // SAFETY: the elements lie one behind the other from there on, and nobody moves an array's memory that another array or
    // this function has; the interpreter's lock is held while they are copied.
    let bytes = if bytes == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(seen.start, bytes) } };
    let each = |make: fn(u8) -> u8| -> Vec<u8> { bytes.iter().map(|&byte| make(byte)).collect() };
    let made = match dtype {
        // Any byte that is not 0 is true to NumPy.
        DType::Bool => Tensor::from_bytes(&shape, dtype, &each(|byte| u8::from(byte != 0))),
        // The upper bits are unspecified; sign-extend.
        DType::I4 => {
            Tensor::from_bytes(&shape, dtype, &each(|byte| (byte.cast_signed() << 4 >> 4).cast_unsigned()))
        }
        DType::I2 => {
            Tensor::from_bytes(&shape, dtype, &each(|byte| (byte.cast_signed() << 6 >> 6).cast_unsigned()))
        }
        _ => Tensor::from_bytes(&shape, dtype, bytes),
    };
    drop(whole);
    made.map_err(|error| exception(py, &error))
}

/// The elements where they are; or why that cannot be.
fn lent(array: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Result<Tensor, &'static str>> {
    if matches!(dtype, DType::I4 | DType::I2) {
        return Ok(Err("its numbers have fewer bits than a byte"));
    }
    let view = PyMemoryView::from(array)?;
    let Buffer { start, shape, strides } = look(view.as_any())?;
    let size = dtype.size().unwrap_or(1);
    let signed = size.cast_signed();
    if strides.iter().zip(&shape).any(|(stride, &extent)| extent > 1 && stride % signed != 0) {
        return Ok(Err("its strides are no multiples of the element's size"));
    }
    let is_empty = shape.contains(&0);
    // From the lowest byte of an element to behind the highest.
    let reached = if is_empty { Some((0, 0)) } else { reach(&shape, &strides) };
    let span =
        reached.and_then(|(below, above)| Some((below, above.checked_sub(below)?.checked_add(signed)?)));
    let Some((below, bytes)) = span else { return Ok(Err("its strides reach beyond what has addresses")) };
    let bytes = if is_empty { 0 } else { bytes.cast_unsigned() };
    if bytes > 0 && !start.addr().is_multiple_of(size) {
        return Ok(Err("it does not begin on a multiple of the element's size"));
    }
    let lender = Lent { _view: view.unbind(), start: start.wrapping_offset(below), bytes };
    if dtype == DType::Bool && bytes > 0 && has_other_truths(lender.bytes()) {
        return Ok(Err(OTHER_TRUTHS));
    }
    let strides: Vec<isize> = strides
        .iter()
        .zip(&shape)
        .map(|(stride, &extent)| if extent > 1 { stride / signed } else { 0 })
        .collect();
    let offset = (-below / signed).cast_unsigned();
    let tensor = Tensor::lent(Box::new(lender), dtype, &shape, &strides, offset);
    Ok(Ok(tensor.map_err(|error| exception(array.py(), &error))?))
}

impl Buffer {
    /// Whether the elements, of so many bytes, lie one behind the other.
    fn is_in_order(&self, size: usize) -> bool {
        let mut expected = size.cast_signed();
        self.shape.iter().zip(&self.strides).rev().all(|(&extent, &stride)| {
            let fits = extent == 1 || stride == expected;
            expected = expected.wrapping_mul(extent.cast_signed());
            fits
        }) || self.shape.contains(&0)
    }
}

/// Reads how the elements lie that an object shows: where they are as long as it is there.
fn look(view: &Bound<'_, PyAny>) -> PyResult<Buffer> {
    let mut buffer = ffi::Py_buffer::new();
    // SAFETY: the view is alive and the buffer is ours to be filled.
    if unsafe { ffi::PyObject_GetBuffer(view.as_ptr(), &raw mut buffer, ffi::PyBUF_STRIDED_RO) } != 0 {
        return Err(PyErr::fetch(view.py()));
    }
    let rank = usize::try_from(buffer.ndim).unwrap_or(0);
    // SAFETY: with these flags there are as many extents and strides as axes, if there are any.
    let (shape, strides) = unsafe {
        if rank == 0 {
            (vec![], vec![])
        } else {
            (
                std::slice::from_raw_parts(buffer.shape, rank).iter().map(|n| n.cast_unsigned()).collect(),
                std::slice::from_raw_parts(buffer.strides, rank).to_vec(),
            )
        }
    };
    let start = buffer.buf.cast_const().cast();
    // SAFETY: it was filled above; whoever looks keeps the object, and a view holds a buffer of its own.
    unsafe { ffi::PyBuffer_Release(&raw mut buffer) };
    Ok(Buffer { start, shape, strides })
}
