//! DLPack: memory exchanged with every library of arrays, without a copy.
//!
//! Exported memory is flagged read-only, which only versioned capsules can. An unversioned capsule holds a writable
//! copy; with copy=False it shares memory, and its consumer must not write. Imported memory stays the exporter's, as
//! NumPy's does.

#![allow(unsafe_code, reason = "the exchange is one of structures of C")]

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use ndcast::buffer::Lender;
use ndcast::layout::reach;
use ndcast::{Array, DType, Layout, Tensor};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::arguments::Device;
use crate::array::{PyArray, tensor, unlent};
use crate::buffer::first;
use crate::error::{self, exception};
use crate::gradient::check_unwatched;
use crate::memory::{OTHER_TRUTHS, has_other_truths, refused};

const OLD: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
/// What capsules are called whose tensor somebody took.
const USED: [(&CStr, &CStr); 2] = [(VERSIONED, c"used_dltensor_versioned"), (OLD, c"used_dltensor")];
/// The kind of device that is the processor.
const CPU: i32 = 1;
const READ_ONLY: u64 = 1;
const COPIED: u64 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
struct DlDataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    dtype: DlDataType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct OldTensor {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut OldTensor)>,
}

#[repr(C)]
struct VersionedTensor {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut VersionedTensor)>,
    flags: u64,
    tensor: DlTensor,
}

/// What the structures point to.
struct Given {
    tensor: Tensor,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

/// DLPack's numbers for the kinds of elements.
fn code(dtype: DType) -> Option<DlDataType> {
    use ndcast::dtype::Class;
    let code = match dtype.class() {
        _ if !dtype.computes() => return None,
        Class::Signed => 0,
        Class::Unsigned => 1,
        Class::Float if dtype == DType::Bf16 => 4,
        Class::Float => 2,
        Class::Complex => 5,
        Class::Bool => 6,
        Class::Text => return None,
    };
    Some(DlDataType { code, bits: u8::try_from(dtype.bits()?).ok()?, lanes: 1 })
}

fn of_code(wanted: DlDataType) -> Option<DType> {
    let same = |own: DlDataType| (own.code, own.bits, own.lanes) == (wanted.code, wanted.bits, wanted.lanes);
    DType::all().find(|&dtype| code(dtype).is_some_and(same))
}

impl Given {
    fn new(tensor: Tensor) -> Box<Given> {
        let signed = |n: &usize| i64::try_from(*n).unwrap_or(i64::MAX);
        let shape = tensor.shape().iter().map(signed).collect();
        let strides = tensor.layout().strides().iter().map(|stride| *stride as i64).collect();
        Box::new(Given { tensor, shape, strides })
    }

    fn described(&mut self, dtype: DlDataType) -> DlTensor {
        DlTensor {
            data: first(&self.tensor).cast_mut().cast(),
            device_type: CPU,
            device_id: 0,
            ndim: i32::try_from(self.shape.len()).unwrap_or(i32::MAX),
            dtype,
            shape: self.shape.as_mut_ptr(),
            strides: self.strides.as_mut_ptr(),
            byte_offset: 0,
        }
    }
}

/// # Safety
/// `own` was made by `__dlpack__`, and this is called once.
unsafe extern "C" fn delete_old(own: *mut OldTensor) {
    // SAFETY: both boxes were given away by `__dlpack__`.
    unsafe {
        drop(Box::from_raw((*own).context.cast::<Given>()));
        drop(Box::from_raw(own));
    }
}

/// # Safety
/// As above.
unsafe extern "C" fn delete_versioned(own: *mut VersionedTensor) {
    // SAFETY: as above.
    unsafe {
        drop(Box::from_raw((*own).context.cast::<Given>()));
        drop(Box::from_raw(own));
    }
}

/// # Safety
/// For Python, when a capsule made by `__dlpack__` goes away.
unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
    // SAFETY: the capsule is alive here. Who took the tensor renamed it, and deletes it.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) != 0 {
            let own = ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast::<VersionedTensor>();
            delete_versioned(own);
        } else if ffi::PyCapsule_IsValid(capsule, OLD.as_ptr()) != 0 {
            delete_old(ffi::PyCapsule_GetPointer(capsule, OLD.as_ptr()).cast::<OldTensor>());
        }
    }
}

#[pymethods]
impl PyArray {
    /// The array as a capsule of DLPack.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i64, i64)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if stream.is_some() {
            return Err(PyBufferError::new_err("the device \"cpu\" has no streams"));
        }
        if dl_device.is_some_and(|device| device != (i64::from(CPU), 0)) {
            return Err(PyBufferError::new_err("arrays are on the device \"cpu\" and go to no other"));
        }
        let versioned = max_version.is_some_and(|(major, _)| major >= 1);
        // An old capsule cannot say that memory is read-only. Who asks for one and for no copy must know.
        let mut copied = copy == Some(true) || (!versioned && copy.is_none());
        let array = self.array();
        check_unwatched(py, &array)?;
        let mut shared = tensor(py, &if copied { array.copy() } else { array.clone() })?;
        // Some libraries refuse negative strides, and some write to stride-0 memory; both are copied, unless copy=
        // says otherwise.
        let strides = shared.layout().strides();
        let is_one = shared.elements() > 1 && strides.iter().all(|&stride| stride == 0);
        if copy.is_none() && (is_one || strides.iter().any(|&stride| stride < 0)) {
            copied = true;
            shared = tensor(py, &array.copy())?;
        }
        let Some(dtype) = code(shared.dtype()) else {
            let text = format!("DLPack has no elements of type {:#}", shared.dtype());
            return Err(PyBufferError::new_err(text));
        };
        let mut given = Given::new(shared);
        let described = given.described(dtype);
        let context = Box::into_raw(given).cast::<c_void>();
        let (own, name) = if versioned {
            let flags = if copied { COPIED } else { READ_ONLY };
            let own = VersionedTensor {
                major: 1,
                minor: 0,
                context,
                deleter: Some(delete_versioned),
                flags,
                tensor: described,
            };
            (Box::into_raw(Box::new(own)).cast::<c_void>(), VERSIONED)
        } else {
            let own = OldTensor { tensor: described, context, deleter: Some(delete_old) };
            (Box::into_raw(Box::new(own)).cast::<c_void>(), OLD)
        };
        // SAFETY: the pointer is that of a box that `destroy` or whoever takes it frees; the name lives for ever.
        unsafe {
            let capsule = ffi::PyCapsule_New(own, name.as_ptr(), Some(destroy));
            Bound::from_owned_ptr_or_err(py, capsule)
        }
    }

    /// The device as DLPack names it.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (CPU, 0)
    }
}

/// A tensor that was taken out of its capsule, and is given back when it is dropped.
#[derive(Debug)]
enum Owned {
    Old(NonNull<OldTensor>),
    Versioned(NonNull<VersionedTensor>),
}

impl Owned {
    /// Takes the tensor, so that nobody else can.
    fn of(capsule: &Bound<'_, PyCapsule>) -> PyResult<Owned> {
        for (name, used) in USED {
            // SAFETY: the capsule is alive, and its name says what it points to; a name lives for ever.
            unsafe {
                let object = capsule.as_ptr();
                if ffi::PyCapsule_IsValid(object, name.as_ptr()) == 0 {
                    continue;
                }
                let pointer = ffi::PyCapsule_GetPointer(object, name.as_ptr());
                if ffi::PyCapsule_SetName(object, used.as_ptr()) != 0 {
                    return Err(PyErr::fetch(capsule.py()));
                }
                let owned = if name == OLD {
                    NonNull::new(pointer.cast()).map(Owned::Old)
                } else {
                    NonNull::new(pointer.cast()).map(Owned::Versioned)
                };
                return owned.ok_or_else(|| PyBufferError::new_err("the capsule points nowhere"));
            }
        }
        // SAFETY: as above.
        let name = unsafe { ffi::PyCapsule_GetName(capsule.as_ptr()) };
        // SAFETY: a name that is there ends with a 0, and is the capsule's.
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) });
        Err(if USED.iter().any(|(_, used)| name == Some(used)) {
            PyBufferError::new_err("somebody took the capsule's tensor already; each capsule is for one")
        } else {
            PyTypeError::new_err("the capsule holds no tensor of DLPack")
        })
    }

    fn described(&self) -> PyResult<&DlTensor> {
        // SAFETY: the exporter made the structure, which is nobody else's until it is given back.
        unsafe {
            match self {
                Owned::Old(own) => Ok(&own.as_ref().tensor),
                Owned::Versioned(own) if own.as_ref().major > 1 => {
                    let major = own.as_ref().major;
                    Err(PyBufferError::new_err(format!("DLPack {major} is not known here")))
                }
                Owned::Versioned(own) => Ok(&own.as_ref().tensor),
            }
        }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the deleter is the structure's own, and called once; it may be from any thread.
        unsafe {
            match self {
                Owned::Old(own) => own.as_ref().deleter.map(|delete| delete(own.as_ptr())),
                Owned::Versioned(own) => own.as_ref().deleter.map(|delete| delete(own.as_ptr())),
            };
        }
    }
}

// SAFETY: memory belongs to no thread, and DLPack's deleters may be called by any.
unsafe impl Send for Owned {}

/// Another library's memory, freed when this is dropped. A capsule holds the tensor, so the interpreter calls the
/// deleter, under its own lock: this may be dropped without that lock and while others are held.
#[derive(Debug)]
struct Taken {
    _owned: Py<PyCapsule>,
    start: *const u8,
    bytes: usize,
}

// SAFETY: memory belongs to no thread, and DLPack's deleters may be called by any.
unsafe impl Send for Taken {}
// SAFETY: as above; nothing is written through it.
unsafe impl Sync for Taken {}

// SAFETY: the range does not change, and the tensor keeps it.
unsafe impl Lender for Taken {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the exporter promises these bytes until the tensor is given back.
        unsafe { std::slice::from_raw_parts(self.start, self.bytes) }
    }
}

/// An array of an object that has DLPack.
pub(crate) fn import(
    object: &Bound<'_, PyAny>,
    device: Option<Device>,
    copy: Option<bool>,
) -> PyResult<Array> {
    let py = object.py();
    if !object.hasattr("__dlpack__")? {
        return Err(PyTypeError::new_err(format!("{} has no DLPack", error::named(object)?)));
    }
    let (kind, _): (i64, i64) = object.call_method0("__dlpack_device__")?.extract()?;
    let named = PyDict::new(py);
    named.set_item("max_version", (1, 0))?;
    if device.is_some() {
        // It may bring it here.
        named.set_item("dl_device", (CPU, 0))?;
    } else if kind != i64::from(CPU) {
        return Err(PyBufferError::new_err(format!(
            "the memory is on a device of kind {kind}, not on the processor"
        )));
    }
    if copy.is_some() {
        named.set_item("copy", copy)?;
    }
    let capsule = match object.call_method("__dlpack__", (), Some(&named)) {
        // Older libraries take no such arguments.
        Err(error) if error.is_instance_of::<PyTypeError>(py) => object.call_method0("__dlpack__")?,
        other => other?,
    };
    let array = Array::from(taken(&capsule, copy)?);
    Ok(if copy == Some(true) { unlent(&array) } else { array })
}

/// The tensor of a capsule, in the exporter's memory if that can be.
fn taken(capsule: &Bound<'_, PyAny>, copy: Option<bool>) -> PyResult<Tensor> {
    let py = capsule.py();
    let owned = Owned::of(capsule.cast::<PyCapsule>()?)?;
    let described = owned.described()?;
    if described.device_type != CPU {
        let kind = described.device_type;
        return Err(PyBufferError::new_err(format!(
            "the memory is on a device of kind {kind}, not on the processor"
        )));
    }
    let DlDataType { code, bits, lanes } = described.dtype;
    let dtype = of_code(described.dtype).ok_or_else(|| {
        PyBufferError::new_err(format!(
            "there are no elements of DLPack's kind {code}, {bits} bits, {lanes} lanes"
        ))
    })?;
    let impossible =
        || PyBufferError::new_err("the tensor has an extent, a stride or an offset that no memory has");
    let rank = usize::try_from(described.ndim).map_err(|_| impossible())?;
    let numbers = |start: *const i64| -> Option<Vec<i64>> {
        let start = NonNull::new(start.cast_mut())?;
        // SAFETY: there is an entry for each axis.
        Some(unsafe { std::slice::from_raw_parts(start.as_ptr(), rank) }.to_vec())
    };
    let extents = if rank == 0 { vec![] } else { numbers(described.shape).ok_or_else(impossible)? };
    let shape: Vec<usize> =
        extents.into_iter().map(usize::try_from).collect::<Result<_, _>>().map_err(|_| impossible())?;
    if shape.contains(&0) {
        return Tensor::zeros(&shape, dtype).map_err(|error| exception(py, &error));
    }
    let strides: Vec<isize> = match numbers(described.strides).filter(|_| rank > 0) {
        Some(own) => {
            own.into_iter().map(isize::try_from).collect::<Result<_, _>>().map_err(|_| impossible())?
        }
        None => Layout::row_major(&shape).map_err(|error| exception(py, &error.into()))?.strides().to_vec(),
    };
    let size = dtype.size().unwrap_or(1).cast_signed();
    // Strides may be negative, so the first element need not be the first in memory.
    let reached = reach(&shape, &strides).and_then(|(below, above)| {
        let bytes = above.checked_sub(below)?.checked_add(1)?.checked_mul(size)?;
        Some((below, usize::try_from(bytes).ok()?))
    });
    let (below, bytes) = reached.ok_or_else(impossible)?;
    let offset = usize::try_from(described.byte_offset).map_err(|_| impossible())?;
    let data = described.data.cast_const().cast::<u8>();
    if data.is_null() {
        return Err(PyBufferError::new_err("the tensor points nowhere"));
    }
    let start = data.wrapping_add(offset).wrapping_offset(below * size);
    let lender =
        Taken { _owned: PyCapsule::new_with_value(py, owned, c"ndcast.lent")?.unbind(), start, bytes };
    let is_other = dtype == DType::Bool && has_other_truths(lender.bytes());
    if is_other && copy == Some(false) {
        return Err(refused(py, OTHER_TRUTHS));
    }
    let there = if is_other { DType::U8 } else { dtype };
    let tensor = Tensor::lent(Box::new(lender), there, &shape, &strides, (-below).cast_unsigned());
    let tensor = tensor.and_then(|tensor| {
        // Any byte that is not 0 is true to others.
        if is_other { Array::from(tensor).convert(DType::Bool).eval() } else { Ok(tensor) }
    });
    tensor.map_err(|error| exception(py, &error))
}
