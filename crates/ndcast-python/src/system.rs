//! Computing now, memory, threads, common element types, other names, and how arrays are pickled.

use ndcast::buffer::Pool;
use ndcast::notation::OTHER_NAMES;
use ndcast::promote::{NoCommonDType, Scalar, with_scalar};
use ndcast::{Array, DType, Tensor};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyTuple};

use crate::arguments::Count;
use crate::array::{PyArray, made};
use crate::dtype;
use crate::error::{self, exception};
use crate::mixed;
use crate::numpy::is_numpy;
use crate::operand::Plain;

/// Computes arrays now, together: what they have in common is computed once.
///
/// >>> import ndcast
/// >>> x = ndcast.asarray([1.0, 2.0])
/// >>> y, z = x + 1, (x + 1) * 2
/// >>> ndcast.eval(y, z)
/// >>> z
/// Array([4., 6.])
#[pyfunction]
#[pyo3(signature = (array = First::Absent, /, *arrays), text_signature = "(*arrays)")]
fn eval(array: First<'_, '_>, arrays: &Bound<'_, PyTuple>) -> PyResult<()> {
    let First::Given(first) = array else { return Ok(()) };
    let mut later: Vec<Array> = vec![];
    for array in std::iter::once(first).chain(arrays.iter_borrowed()) {
        let array = array.cast::<PyArray>()?.get().lock();
        if !array.is_ready() || array.check().is_err() {
            later.push(array.clone());
        }
    }
    if later.is_empty() {
        return Ok(());
    }
    let later: Vec<&Array> = later.iter().collect();
    let py = arrays.py();
    py.detach(|| ndcast::eval(&later)).map_err(|error| exception(py, &error))
}

/// The first argument, apart from `*arrays`: so a call with one makes no tuple.
enum First<'a, 'py> {
    Given(Borrowed<'a, 'py, PyAny>),
    Absent,
}

impl<'a, 'py> FromPyObject<'a, 'py> for First<'a, 'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<First<'a, 'py>> {
        Ok(First::Given(object))
    }
}

/// Sets the limit on the bytes of all arrays and returns the old one; None is the default, three quarters of the
/// machine's memory. Whoever would exceed it gets a MemoryLimitError (a MemoryError), and nothing is lost.
///
/// >>> import ndcast
/// >>> before = ndcast.set_memory_limit(1 << 20)
/// >>> ndcast.eval(ndcast.ones((1024, 1024)) + 1)
/// Traceback (most recent call last):
/// ...
/// ndcast.MemoryLimitError: memory for 1024x1024 of float64: 8388608 bytes are wanted, ...
/// >>> _ = ndcast.set_memory_limit(before)
#[pyfunction]
#[pyo3(signature = (bytes))]
fn set_memory_limit(bytes: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let limit = match bytes {
        None => ndcast::buffer::default_limit(),
        Some(bytes) => bytes.extract::<usize>().map_err(|_| {
            error::value(format!("a limit is a number of bytes from 0 on, or None, not {bytes}"))
        })?,
    };
    let before = Pool::global().limit();
    Pool::global().set_limit(limit);
    Ok(before)
}

/// What memory arrays take: bytes in use, the most that were, bytes kept for later, and the limit.
///
/// >>> import ndcast
/// >>> sorted(ndcast.memory_usage())
/// ['in_use', 'kept', 'limit', 'peak']
#[pyfunction]
fn memory_usage(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let usage = Pool::global().usage();
    let entries = PyDict::new(py);
    entries.set_item("in_use", usage.in_use)?;
    entries.set_item("peak", usage.peak)?;
    entries.set_item("kept", usage.kept)?;
    entries.set_item("limit", Pool::global().limit())?;
    Ok(entries)
}

/// Sets how many threads large work uses. Results do not depend on it, except which of two different NaNs remains.
///
/// >>> import ndcast
/// >>> ndcast.set_threads(2)
#[pyfunction]
fn set_threads(threads: Count) {
    ndcast::threads::set_threads(threads.0);
}

/// The element type that these have in common; Python's numbers take that of the others.
///
/// >>> import ndcast
/// >>> ndcast.result_type(ndcast.int8, ndcast.uint8)
/// dtype('int16')
#[pyfunction]
#[pyo3(signature = (*arrays_and_dtypes))]
fn result_type<'py>(arrays_and_dtypes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    let py = arrays_and_dtypes.py();
    let failed = |error: NoCommonDType| exception(py, &error.into());
    let dtypes = arrays_and_dtypes.iter_borrowed().filter_map(|given| element_type(&given).transpose());
    let mut common = mixed::join(dtypes.collect::<PyResult<_>>()?).map_err(failed)?;
    for given in arrays_and_dtypes.iter_borrowed().filter(|given| is_number(given)) {
        let Plain(number) = given.extract()?;
        let dtype = common.map_or_else(
            || Ok(number.default_dtype()),
            |dtype| match mixed::with_number(dtype, number.kind()) {
                Some(both) => Ok(both),
                None if number.kind() == Scalar::Bool => Ok(dtype),
                None => with_scalar(dtype, number.kind()),
            },
        );
        common = Some(dtype.map_err(failed)?);
    }
    let common = common.ok_or_else(|| error::value("there is no array and no element type"))?;
    dtype::to_python(py, common)
}

/// The type of an array or of what names one; none of Python's numbers.
fn element_type(given: &Bound<'_, PyAny>) -> PyResult<Option<DType>> {
    if let Ok(array) = given.cast::<PyArray>() {
        return array.get().element_type(given.py()).map(Some);
    }
    if is_number(given) {
        return Ok(None);
    }
    let named = if is_numpy(given)? { given.getattr(intern!(given.py(), "dtype"))? } else { given.clone() };
    dtype::of(&named).map(Some)
}

/// Whether it is one of Python's own numbers.
fn is_number(given: &Bound<'_, PyAny>) -> bool {
    given.is_exact_instance_of::<PyFloat>()
        || given.is_exact_instance_of::<PyInt>()
        || given.is_exact_instance_of::<PyBool>()
        || given.is_exact_instance_of::<PyComplex>()
}

/// An array as it was pickled.
#[pyfunction]
fn restore(py: Python<'_>, dtype: &str, shape: Vec<usize>, bytes: &[u8]) -> PyResult<PyArray> {
    let dtype: DType = dtype.parse().map_err(|_| error::value(format!("no element type {dtype}")))?;
    made(py, Tensor::from_bytes(&shape, dtype, bytes).into())
}

/// NumPy's names for what has another here, with what is written instead.
#[pyfunction]
fn other_names() -> Vec<(&'static str, &'static str)> {
    OTHER_NAMES.to_vec()
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(eval, module)?)?;
    module.add_function(wrap_pyfunction!(set_memory_limit, module)?)?;
    module.add_function(wrap_pyfunction!(memory_usage, module)?)?;
    module.add_function(wrap_pyfunction!(set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(result_type, module)?)?;
    module.add_function(wrap_pyfunction!(restore, module)?)?;
    module.add_function(wrap_pyfunction!(other_names, module)?)
}
