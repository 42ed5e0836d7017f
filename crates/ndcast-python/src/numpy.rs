//! NumPy, asked for once: to import a module again takes as long as a small operation.

use ndcast::shape::Shape;
use ndcast::{Array, DType};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyMemoryView;

use crate::array::PyArray;
use crate::buffer::Bits;
use crate::{dtype, error, memory};

struct Numpy {
    module: Py<PyModule>,
    ndarray: Py<PyAny>,
    generic: Py<PyAny>,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

fn numpy(py: Python<'_>) -> PyResult<&Numpy> {
    NUMPY.get_or_try_init(py, || {
        let module = py.import("numpy")?;
        let (ndarray, generic) = (module.getattr("ndarray")?.unbind(), module.getattr("generic")?.unbind());
        Ok(Numpy { module: module.unbind(), ndarray, generic })
    })
}

/// The module.
pub(crate) fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    Ok(numpy(py)?.module.bind(py))
}

/// Whether it is an array or a scalar of NumPy. Not an array with a mask: its elements are not all that it says.
pub(crate) fn is_numpy(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (py, Numpy { ndarray, generic, .. }) = (object.py(), numpy(object.py())?);
    let is_array = object.get_type().is(ndarray)
        || object.is_instance(ndarray.bind(py))? && !object.hasattr(intern!(py, "mask"))?;
    Ok(is_array || object.is_instance(generic.bind(py))?)
}

/// An array of NumPy of anything that it makes one of; of an array itself it is that.
pub(crate) fn asarray<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let Numpy { module, ndarray, .. } = numpy(py)?;
    if object.get_type().is(ndarray) {
        return Ok(object.clone());
    }
    module.bind(py).call_method1(intern!(py, "asarray"), (object,))
}

/// An array of NumPy of a type, of anything that it makes one of: each number becomes one of that type.
pub(crate) fn as_type<'py>(object: &Bound<'py, PyAny>, dtype: DType) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let arguments = (object, dtype::to_python(py, dtype)?);
    numpy(py)?.module.bind(py).call_method1(intern!(py, "asarray"), arguments)
}

/// Whether it has more axes or bytes than an array of NumPy can have.
pub(crate) fn is_beyond(array: &Array) -> bool {
    const MOST_AXES: usize = 64;
    let (Ok(shape), Ok(dtype)) = (array.shape(), array.dtype()) else { return false };
    let size = dtype.size().unwrap_or(1);
    let bytes = shape.iter().try_fold(size, |bytes, &extent| bytes.checked_mul(extent));
    shape.len() > MOST_AXES || bytes.is_none_or(|bytes| isize::try_from(bytes).is_err())
}

/// The elements in the same memory as a read-only array of NumPy.
pub(crate) fn numpy_of<'py>(array: &Bound<'py, PyArray>) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let own = array.get().array();
    if is_beyond(&own) {
        let shape =
            own.shape().map_or_else(|_| String::new(), |shape| Shape::from(shape).brief().to_string());
        return Err(error::value(format!(
            "no array of NumPy has the shape {shape}: that is too many axes or bytes"
        )));
    }
    let dtype = array.get().element_type(py)?;
    let asarray = module(py)?.getattr("asarray")?;
    if memory::is_foreign(dtype) {
        let bits = asarray.call1((Bound::new(py, Bits(array.get().array()))?,))?;
        return bits.call_method1("view", (dtype::to_python(py, dtype)?,));
    }
    asarray.call1((PyMemoryView::from(array)?,))
}
