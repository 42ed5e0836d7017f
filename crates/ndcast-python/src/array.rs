//! The class `ndcast.Array`: a handle to a lazy value, which may be given another value in place.
//!
//! It is behind a lock that is only held to read or replace the handle's value, so threads may share it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ndcast::{Array, DType, Tensor};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyComplex, PyDict, PyFloat, PyInt, PyTuple};

use crate::arguments::Device;
use crate::dtype::{self, Type};
use crate::error::{self, exception};
use crate::gradient::check_unwatched;
use crate::index::{get, set};
use crate::iteration::Parts;
use crate::parts::{self, Value};
use crate::{numpy, scalar, text};

/// A lazy n-dimensional array. Operators and functions broadcast and promote as the Array API does.
///
/// Nothing is computed before somebody looks at elements; then whole expressions are, at a time. (Small results of
/// ready arrays are computed at once.)
///
/// Arrays are values: `x += 1` and `x[0] = 1` change this array and no other, not even one that was made as a view of it.
///
/// >>> import ndcast
/// >>> x = ndcast.asarray([[1.0, 2.0], [3.0, 4.0]])
/// >>> x - ndcast.mean(x, axis=0)
/// Array([[-1., -1.],
///        [ 1.,  1.]])
#[pyclass(frozen, weakref, name = "Array", module = "ndcast")]
pub(crate) struct PyArray {
    handle: Handle,
}

enum Handle {
    Own(Value),
    /// Shares memory with other arrays, and is registered in `parts`, so that a write there finds it.
    Part(Arc<Value>),
}

/// The array for Python; an error is raised.
#[inline]
pub(crate) fn made(py: Python<'_>, array: Array) -> PyResult<PyArray> {
    if ndcast::has_overdue() {
        py.detach(ndcast::compute_overdue);
    }
    match array.check() {
        Ok(()) => Ok(PyArray { handle: Handle::of(array) }),
        Err(error) => Err(exception(py, &error)),
    }
}

impl Handle {
    #[inline]
    fn of(array: Array) -> Handle {
        match parts::place(&array) {
            None => Handle::Own(Mutex::new(array)),
            Some(place) => Handle::shared(array, place),
        }
    }

    fn shared(mut array: Array, place: usize) -> Handle {
        if array.rank() == Ok(0) {
            // A scalar does not keep the whole array's memory.
            array.part_from(&array.clone());
            return Handle::Own(Mutex::new(array));
        }
        let value = Arc::new(Mutex::new(array));
        parts::add(place, &value);
        Handle::Part(value)
    }
}

impl PyArray {
    /// The value. Cheap.
    #[inline]
    pub(crate) fn array(&self) -> Array {
        self.lock().clone()
    }

    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, Array> {
        // A value is replaced in one step.
        self.value().lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn value(&self) -> &Value {
        match &self.handle {
            Handle::Own(value) => value,
            Handle::Part(value) => value,
        }
    }

    /// Before a write: other handles' views of this memory become copies, if that is less than to copy this array.
    pub(crate) fn release_parts(&self, py: Python<'_>) {
        let shared = |own: MutexGuard<'_, Array>| parts::place(&own).map(|_| own.clone());
        let Some(own) = shared(self.lock()) else { return };
        let release = || parts::release(&own, self.value());
        if is_long(&own) { py.detach(release) } else { release() }
    }

    /// The value, without waiting; `None` while another thread holds the lock.
    #[inline]
    pub(crate) fn look(&self) -> Option<MutexGuard<'_, Array>> {
        self.value().try_lock().ok()
    }

    fn extents(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.array().shape().map(<[usize]>::to_vec).map_err(|error| exception(py, &error))
    }

    pub(crate) fn element_type(&self, py: Python<'_>) -> PyResult<DType> {
        self.array().dtype().map_err(|error| exception(py, &error))
    }

    /// The only element of an array without axes.
    fn only<'py>(&self, py: Python<'py>, wanted: &str) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array();
        let shape = array.shape().map_err(|error| exception(py, &error))?;
        if !shape.is_empty() {
            let shape = PyTuple::new(py, shape)?;
            return Err(PyTypeError::new_err(format!(
                "only an array without axes is {wanted}, and this has the shape {shape}"
            )));
        }
        scalar::item(py, &array)
    }
}

/// The elements of an array in memory, computed without the interpreter's lock.
pub(crate) fn tensor(py: Python<'_>, array: &Array) -> PyResult<Tensor> {
    let tensor = if array.is_ready() { array.eval() } else { py.detach(|| array.eval()) };
    tensor.map_err(|error| exception(py, &error))
}

/// Whether a change takes so long that the interpreter's lock should be released; for a short one that would take
/// longer than the change.
pub(crate) fn is_long(array: &Array) -> bool {
    const LONG: usize = 16 << 10;
    array.is_lent() || array.shape().is_ok_and(|shape| shape.iter().product::<usize>() > LONG)
}

#[pymethods]
impl PyArray {
    /// The extents, a tuple.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.extents(py)?)
    }

    /// How many axes there are.
    #[getter]
    fn ndim(&self, py: Python<'_>) -> PyResult<usize> {
        self.array().rank().map_err(|error| exception(py, &error))
    }

    /// How many elements there are.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.extents(py)?.iter().product())
    }

    /// The element type, a `numpy.dtype`.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dtype::to_python(py, self.element_type(py)?)
    }

    /// The bytes of an element.
    #[getter]
    fn itemsize(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.element_type(py)?.size().unwrap_or(0))
    }

    /// The bytes that the elements take, one behind the other.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.size(py)?.saturating_mul(self.itemsize(py)?))
    }

    /// Where the elements are: always `"cpu"`.
    #[getter]
    fn device(&self) -> &'static str {
        "cpu"
    }

    /// A matrix with its axes exchanged.
    #[getter(T)]
    fn transposed(&self, py: Python<'_>) -> PyResult<PyArray> {
        let array = self.array();
        match array.rank() {
            Ok(2) => made(py, array.matrix_transpose()),
            Ok(rank) => Err(error::value(format!("T is of arrays of two axes, and this has {rank}; see mT"))),
            Err(error) => Err(exception(py, &error)),
        }
    }

    /// The last two axes exchanged.
    #[getter(mT)]
    fn matrices_transposed(&self, py: Python<'_>) -> PyResult<PyArray> {
        made(py, self.array().matrix_transpose())
    }

    /// The real parts.
    #[getter]
    fn real(&self, py: Python<'_>) -> PyResult<PyArray> {
        made(py, self.array().real())
    }

    /// The imaginary parts.
    #[getter]
    fn imag(&self, py: Python<'_>) -> PyResult<PyArray> {
        made(py, self.array().imag())
    }

    /// The array itself: there is only the device `"cpu"`.
    ///
    /// >>> import ndcast
    /// >>> ndcast.asarray([1, 2]).to_device("cpu")
    /// Array([1, 2])
    #[pyo3(signature = (device, /, *, stream=None))]
    fn to_device<'py>(
        slf: Bound<'py, Self>,
        device: Device,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let Device = device;
        if stream.is_some() {
            return Err(error::value("the device \"cpu\" has no streams"));
        }
        Ok(slf)
    }

    /// The namespace of the functions that take these arrays.
    #[pyo3(signature = (*, api_version=None))]
    fn __array_namespace__<'py>(
        &self,
        py: Python<'py>,
        api_version: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        const VERSIONS: [&str; 5] = ["2021.12", "2022.12", "2023.12", "2024.12", "2025.12"];
        match api_version {
            Some(version) if !VERSIONS.contains(&version) => {
                let text = format!("{version:?} is no version of the Array API; there are {VERSIONS:?}");
                Err(error::value(text))
            }
            _ => Ok(py.import("ndcast")?.into_any()),
        }
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        self.only(py, "true or false")?.is_truthy()
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<PyInt>().call1((self.only(py, "an integer")?,))
    }

    fn __float__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        check_unwatched(py, &self.array())?;
        py.get_type::<PyFloat>().call1((self.only(py, "a real number")?,))
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        check_unwatched(py, &self.array())?;
        py.get_type::<PyComplex>().call1((self.only(py, "a complex number")?,))
    }

    fn __index__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.element_type(py)?.is_integer() {
            return Err(PyTypeError::new_err("only an array of integers is an index"));
        }
        self.only(py, "an index")
    }

    /// The only element as a number of Python.
    ///
    /// >>> import ndcast
    /// >>> ndcast.sum(ndcast.asarray([1.5, 2.0])).item()
    /// 3.5
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array();
        check_unwatched(py, &array)?;
        scalar::item(py, &array)
    }

    /// The only element of an array without axes, rounded as Python rounds numbers.
    ///
    /// >>> import ndcast
    /// >>> round(ndcast.asarray(2.675), 1), round(ndcast.asarray(2.5))
    /// (2.7, 2)
    #[pyo3(signature = (ndigits=None))]
    fn __round__<'py>(&self, py: Python<'py>, ndigits: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        check_unwatched(py, &self.array())?;
        let number = self.only(py, "rounded to a number")?;
        match ndigits {
            Some(digits) => number.call_method1("__round__", (digits,)),
            None => number.call_method0("__round__"),
        }
    }

    /// The elements as nested lists of Python's numbers.
    ///
    /// >>> import ndcast
    /// >>> ndcast.ones((2, 2), dtype="int8").tolist()
    /// [[1, 1], [1, 1]]
    fn tolist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        numpy::numpy_of(slf)?.call_method0("tolist")
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let shape = self.extents(py)?;
        shape.first().copied().ok_or_else(|| PyTypeError::new_err("an array without axes has no length"))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array();
        let Some(&extent) = array.shape().map_err(|error| exception(py, &error))?.first() else {
            return Err(PyTypeError::new_err("an array without axes has no parts"));
        };
        // Computed once, and not for each part.
        tensor(py, &array)?;
        Ok(Bound::new(py, Parts::of(array, extent))?.into_any())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array();
        match array.rank() {
            Ok(1..) => made(py, array.flip(0))?.__iter__(py),
            _ => self.__iter__(py),
        }
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let equal = self.__richcmp__(value, pyo3::pyclass::CompareOp::Eq)?;
        let Ok(equal) = equal.bind(py).cast::<PyArray>() else { return Ok(false) };
        let equal = equal.get().array();
        let axes: Vec<usize> = (0..equal.rank().unwrap_or(0)).collect();
        scalar::item(py, &equal.any(&axes, ndcast::Keep::Nothing))?.is_truthy()
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<PyArray> {
        made(key.py(), get(&self.array(), key)?)
    }

    fn __setitem__(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        set(self, key, value)
    }

    /// The same value in a handle of its own: what is put into one is not in the other.
    ///
    /// >>> import ndcast
    /// >>> x = ndcast.asarray([1, 2])
    /// >>> y = x.copy()
    /// >>> y[0] = 5
    /// >>> x
    /// Array([1, 2])
    fn copy(&self, py: Python<'_>) -> PyResult<PyArray> {
        made(py, unlent(&self.array()))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<PyArray> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<PyArray> {
        self.copy(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let array = self.array().copy();
        check_unwatched(py, &array)?;
        let whole = tensor(py, &array)?;
        let restore = py.import("ndcast._native")?.getattr("restore")?;
        let bytes = PyBytes::new(py, whole.as_bytes().unwrap_or_default());
        let arguments = (whole.dtype().to_string(), PyTuple::new(py, whole.shape())?, bytes);
        Ok((restore, arguments.into_pyobject(py)?))
    }

    /// What is asked for that there is not: functions are the namespace's.
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        // Whoever looks for a protocol asks often.
        if name.starts_with('_') {
            return Err(PyAttributeError::new_err(format!("an array has no {name}")));
        }
        let missing = py.import("ndcast._otherwise")?.call_method1("missing_method", (name,))?;
        Err(PyErr::from_value(missing))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        text::repr(slf)
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        text::str(slf)
    }

    fn __format__(slf: &Bound<'_, Self>, spec: &str) -> PyResult<String> {
        let array = slf.get().array();
        if array.rank().is_ok_and(|rank| rank == 0) {
            return scalar::item(slf.py(), &array)?.call_method1("__format__", (spec,))?.extract();
        }
        if !spec.is_empty() {
            return Err(PyTypeError::new_err("an array with axes has no other format"));
        }
        PyArray::__str__(slf)
    }

    /// The elements as another type; `astype` of the namespace as a method, for those who expect NumPy's.
    ///
    /// >>> import ndcast
    /// >>> ndcast.asarray([1.5, -2.5]).astype("int32")
    /// Array([ 1, -2], dtype=int32)
    #[pyo3(signature = (dtype, /, *, copy=true))]
    fn astype<'py>(slf: &Bound<'py, Self>, dtype: Type, copy: bool) -> PyResult<Bound<'py, Self>> {
        converted(slf, dtype.0, copy)
    }

    /// As an array of NumPy, in the same memory, which is read-only there.
    #[pyo3(signature = (dtype=None, *, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = numpy::numpy_of(slf)?;
        let wanted = match dtype {
            Some(dtype) if !dtype.eq(array.getattr("dtype")?)? => dtype,
            _ if copy == Some(true) => return array.call_method0("copy"),
            _ => return Ok(array),
        };
        if copy == Some(false) {
            return Err(error::value("another element type takes a copy, which is not allowed"));
        }
        array.call_method1("astype", (wanted,))
    }

    /// A function of NumPy with such an array among its arguments gives such an array.
    #[pyo3(signature = (ufunc, method, *inputs, **named))]
    fn __array_ufunc__<'py>(
        &self,
        ufunc: &Bound<'py, PyAny>,
        method: &str,
        inputs: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let handle = ufunc.py().import("ndcast._numpy")?.getattr("array_ufunc")?;
        handle.call1((ufunc, method, inputs, named))
    }
}

/// The same value in the library's own memory: lent memory is copied.
pub(crate) fn unlent(array: &Array) -> Array {
    if array.is_lent() { array.copy() } else { array.clone() }
}

/// An array that is computed from others: nobody else's memory, even if there was nothing to do.
pub(crate) fn computed(py: Python<'_>, array: &Array) -> PyResult<PyArray> {
    made(py, unlent(array))
}

/// The same elements as another type; the same object, if there is nothing to do and no copy is wanted.
pub(crate) fn converted<'py>(
    slf: &Bound<'py, PyArray>,
    dtype: DType,
    copy: bool,
) -> PyResult<Bound<'py, PyArray>> {
    let py = slf.py();
    let array = slf.get().array();
    let is_own = array.dtype().is_ok_and(|own| own == dtype);
    if is_own && !copy {
        return Ok(slf.clone());
    }
    let array = if is_own { unlent(&array) } else { array.convert(dtype) };
    Bound::new(py, made(py, array)?)
}
