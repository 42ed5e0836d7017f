//! Element types as `numpy.dtype` objects: everybody in Python understands those.

use ndcast::{Array, DType, dtype::Class};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use crate::error::exception;
use crate::numpy;

/// Each type with its object; without `ml_dtypes` only NumPy's own.
static OBJECTS: PyOnceLock<Vec<(DType, Py<PyAny>)>> = PyOnceLock::new();

fn objects(py: Python<'_>) -> PyResult<&Vec<(DType, Py<PyAny>)>> {
    OBJECTS.get_or_try_init(py, || {
        // Importing it makes its names known to NumPy.
        let extra = py.import("ml_dtypes").ok();
        let make = numpy::module(py)?.getattr("dtype")?;
        let mut objects = vec![];
        for dtype in DType::all() {
            let Some(name) = dtype.numpy_name() else { continue };
            let of_extra = || extra.as_ref()?.getattr(name).ok().and_then(|kind| make.call1((kind,)).ok());
            if let Some(object) = make.call1((name,)).ok().or_else(of_extra) {
                objects.push((dtype, object.unbind()));
            }
        }
        Ok(objects)
    })
}

/// The type as Python has it; `None` if neither NumPy has it nor `ml_dtypes`, which may not be there.
pub(crate) fn object(py: Python<'_>, dtype: DType) -> PyResult<Option<Bound<'_, PyAny>>> {
    let found = objects(py)?.iter().find(|(own, _)| *own == dtype);
    Ok(found.map(|(_, object)| object.bind(py).clone()))
}

/// The type as Python has it.
pub(crate) fn to_python(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyAny>> {
    object(py, dtype)?.ok_or_else(|| {
        PyTypeError::new_err(format!("NumPy has no element type {dtype:#}; the package ml_dtypes may add it"))
    })
}

/// The type whose object it is: one of NumPy's own, with its bytes in this machine's order.
pub(crate) fn known(object: &Bound<'_, PyAny>) -> PyResult<Option<DType>> {
    Ok(objects(object.py())?.iter().find(|(_, own)| own.is(object)).map(|(dtype, _)| *dtype))
}

/// The type of anything that NumPy takes for one: a dtype, a name, a type of its own.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<DType> {
    if let Some(dtype) = known(object)? {
        return Ok(dtype);
    }
    if object.is_none() {
        return Err(PyTypeError::new_err("None is no element type"));
    }
    let made = numpy::module(object.py())?.getattr("dtype")?.call1((object,))?;
    let name = made.getattr("name")?;
    let name = name.cast::<PyString>()?;
    name.to_cow()?
        .parse()
        .map_err(|_| PyTypeError::new_err(format!("there are no arrays of NumPy's {name}; convert them")))
}

/// An argument that is an element type.
#[derive(Clone, Copy)]
pub(crate) struct Type(pub(crate) DType);

impl<'py> FromPyObject<'_, 'py> for Type {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Type> {
        of(&object).map(Type)
    }
}

/// Complex numbers do not become real ones.
pub(crate) fn real_or_complex(own: DType, dtype: DType) -> PyResult<()> {
    let real = matches!(dtype.class(), Class::Signed | Class::Unsigned | Class::Float);
    if own.class() == Class::Complex && real {
        return Err(PyTypeError::new_err("a complex number is no real one; take real(x) or imag(x)"));
    }
    Ok(())
}

/// An array with elements of a type, or as it is.
pub(crate) fn in_type(array: &Array, dtype: Option<DType>) -> Array {
    dtype.map_or_else(|| array.clone(), |dtype| array.convert(dtype))
}

/// The type that an array's elements are computed as, if one is wanted; an error if they do not become that.
pub(crate) fn wanted(py: Python<'_>, x: &Array, dtype: Option<Type>) -> PyResult<Option<DType>> {
    let Some(Type(dtype)) = dtype else { return Ok(None) };
    real_or_complex(x.dtype().map_err(|error| exception(py, &error))?, dtype)?;
    Ok(Some(dtype))
}
