//! Arrays made from numbers, from other objects, and like other arrays.

use ndcast::{Array, DType, End, Number};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::arguments::{Count, Device, Numbers, Offset, shape};
use crate::array::{PyArray, converted, made, unlent};
use crate::dtype::{Type, in_type, real_or_complex};
use crate::error::{self, exception};
use crate::listed::Listed;
use crate::memory::{self, Import};
use crate::numpy::{self, is_numpy};
use crate::operand::{Given, Plain, number};

/// An array of anything: numbers, nested sequences of them, NumPy's arrays, and what has the buffer protocol or DLPack.
///
/// NumPy's memory is shared if that is possible and `copy` is not True: nothing is copied, and what NumPy writes later is
/// seen by this array, but by nothing that was computed from it. Changing this array never writes NumPy's memory.
///
/// >>> import ndcast
/// >>> ndcast.asarray([[1, 2], [3, 4]], dtype=ndcast.float32)
/// Array([[1., 2.],
///        [3., 4.]], dtype=float32)
#[pyfunction]
#[pyo3(signature = (obj, /, *, dtype=None, device=None, copy=None))]
fn asarray<'py>(
    obj: &Bound<'py, PyAny>,
    dtype: Option<Type>,
    device: Option<Device>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyArray>> {
    let (py, _) = (obj.py(), device);
    if let Ok(array) = obj.cast::<PyArray>() {
        let own = array.get().array().dtype().map_err(|error| exception(py, &error))?;
        let wanted = dtype.map_or(own, |dtype| dtype.0);
        real_or_complex(own, wanted)?;
        if wanted != own && copy == Some(false) {
            return Err(needs_copy());
        }
        return converted(array, wanted, copy == Some(true));
    }
    if let Some(listed) = Listed::of(obj) {
        if copy == Some(false) {
            return Err(needs_copy());
        }
        let array = listed.array(py, dtype.map(|dtype| dtype.0))?;
        return Bound::new(py, made(py, array)?);
    }
    if let Some(number) = number(obj)?
        && !is_numpy(obj)?
    {
        if copy == Some(false) {
            return Err(needs_copy());
        }
        let own = match number {
            // As NumPy has it.
            Number::Int(n) if i64::try_from(n).is_err() && u64::try_from(n).is_ok() => DType::U64,
            _ => number.default_dtype(),
        };
        let dtype = dtype.map_or(own, |dtype| dtype.0);
        real_or_complex(own, dtype)?;
        return Bound::new(py, made(py, element(number, dtype))?);
    }
    let (source, fresh) = if is_numpy(obj)? {
        (obj.clone(), false)
    } else if !obj.is_exact_instance_of::<PyList>() && obj.hasattr("__array__")?
        || obj.is_instance_of::<pyo3::types::PyMemoryView>()
    {
        match numpy::asarray(obj) {
            // NumPy has no elements of its type; they may be here.
            Err(_) if obj.hasattr("__dlpack__")? => return by_dlpack(obj, dtype, copy),
            made => (made?, false),
        }
    } else if obj.hasattr("__dlpack__")? {
        return by_dlpack(obj, dtype, copy);
    } else {
        let made = numpy::asarray(obj)?;
        let shares = !made.getattr("base")?.is_none();
        (made, !shares)
    };
    if fresh && copy == Some(false) {
        return Err(needs_copy());
    }
    let kind = |source: &Bound<'py, PyAny>| source.getattr("dtype")?.getattr("kind")?.extract::<String>();
    let source = match (dtype, kind(&source)?.as_str()) {
        // Of numbers that have no exact type in common; they may have one in the type that is asked for.
        (Some(Type(wanted)), "f") if fresh && wanted.is_integer() => numpy::as_type(obj, wanted)?,
        (Some(Type(wanted)), "O") if fresh => match numpy::as_type(obj, wanted) {
            Err(error) if !error.is_instance_of::<PyOverflowError>(py) => source,
            made => made?,
        },
        _ => source,
    };
    if kind(&source)? == "O" {
        if is_numpy(obj)? {
            return Err(PyTypeError::new_err(
                "there are no elements of the type object; astype() makes numbers of them",
            ));
        }
        let name = obj.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a {name} is no array of numbers, nor nested numbers of one shape"
        )));
    }
    let how = match copy {
        Some(true) => Import::Copied,
        _ if fresh => Import::Copied,
        Some(false) => Import::OnlyLent,
        None => Import::Lent,
    };
    let array = memory::import(&source, how)?;
    let own = array.dtype().map_err(|error| exception(py, &error))?;
    if let Some(Type(dtype)) = dtype {
        real_or_complex(own, dtype)?;
    }
    let array = match dtype {
        Some(Type(dtype)) if dtype != own && copy == Some(false) => return Err(needs_copy()),
        Some(Type(dtype)) => {
            if fresh {
                check_range(py, &source, dtype)?;
            }
            py.detach(|| array.convert(dtype))
        }
        // Python's own numbers become the default types.
        None => array,
    };
    Bound::new(py, made(py, array)?)
}

/// Numbers of Python that an integer type does not hold are an error, and not wrapped.
fn check_range(py: Python<'_>, source: &Bound<'_, PyAny>, dtype: DType) -> PyResult<()> {
    let kind: String = source.getattr("dtype")?.getattr("kind")?.extract()?;
    let integers = dtype.is_integer() && matches!(kind.as_str(), "i" | "u");
    if !integers || source.getattr("size")?.extract::<usize>()? == 0 {
        return Ok(());
    }
    for end in ["min", "max"] {
        let n: i128 = source.call_method0(end)?.call_method0("item")?.extract()?;
        Number::Int(n).tensor(dtype).map_err(|error| exception(py, &error))?;
    }
    Ok(())
}

fn needs_copy() -> PyErr {
    error::value("this takes a copy, which copy=False does not allow")
}

/// A number as an array of a type.
fn element(number: Number, dtype: DType) -> Array {
    Array::from(number.tensor(dtype))
}

/// The elements as another type: floats become integers by cutting off the fraction.
///
/// >>> import ndcast
/// >>> ndcast.astype(ndcast.asarray([1.7, -1.7]), ndcast.int8)
/// Array([ 1, -1], dtype=int8)
#[pyfunction]
#[pyo3(signature = (x, dtype, /, *, copy=true, device=None))]
fn astype<'py>(
    x: &Bound<'py, PyArray>,
    dtype: Type,
    copy: bool,
    device: Option<Device>,
) -> PyResult<Bound<'py, PyArray>> {
    let own = x.get().array().dtype().map_err(|error| exception(x.py(), &error))?;
    real_or_complex(own, dtype.0)?;
    let _ = device;
    converted(x, dtype.0, copy)
}

/// The numbers from `start` on, a step apart, up to before `stop`.
///
/// >>> import ndcast
/// >>> ndcast.arange(3)
/// Array([0, 1, 2])
/// >>> ndcast.arange(1, 2, 0.25)
/// Array([1.  , 1.25, 1.5 , 1.75])
#[pyfunction]
#[pyo3(signature = (start, /, stop=None, step=Plain(Number::Int(1)), *, dtype=None, device=None), text_signature = "(start, /, stop=None, step=1, *, dtype=None, device=None)")]
fn arange(
    py: Python<'_>,
    start: Plain,
    stop: Option<Plain>,
    step: Plain,
    dtype: Option<Type>,
    device: Option<Device>,
) -> PyResult<PyArray> {
    let _ = device;
    let (start, stop) = stop.map_or((Plain(Number::Int(0)), start), |stop| (start, stop));
    let default = || {
        let whole = [start, stop, step].iter().all(|n| matches!(n.0, Number::Int(_) | Number::Bool(_)));
        if whole { DType::I64 } else { DType::F64 }
    };
    made(py, Array::range(start.0, stop.0, step.0, dtype.map_or_else(default, |dtype| dtype.0)))
}

/// So many numbers at equal distances from `start` to `stop`.
///
/// >>> import ndcast
/// >>> ndcast.linspace(0, 1, 5)
/// Array([0.  , 0.25, 0.5 , 0.75, 1.  ])
#[pyfunction]
#[pyo3(signature = (start, stop, /, num, *, dtype=None, device=None, endpoint=true))]
fn linspace(
    py: Python<'_>,
    start: Plain,
    stop: Plain,
    num: Count,
    dtype: Option<Type>,
    device: Option<Device>,
    endpoint: bool,
) -> PyResult<PyArray> {
    let _ = device;
    let complex = [start, stop].iter().any(|n| matches!(n.0, Number::Complex(_)));
    let default = if complex { DType::C128 } else { DType::F64 };
    let dtype = dtype.map_or(default, |dtype| dtype.0);
    real_or_complex(default, dtype)?;
    let end = if endpoint { End::Included } else { End::Excluded };
    made(py, Array::linspace(start.0, stop.0, num.0, end, dtype))
}

/// 1 on a diagonal, `k` columns to the right, and 0 elsewhere.
///
/// >>> import ndcast
/// >>> ndcast.eye(2, dtype=ndcast.int8)
/// Array([[1, 0],
///        [0, 1]], dtype=int8)
#[pyfunction]
#[pyo3(signature = (n_rows, n_cols=None, /, *, k=Offset(0), dtype=None, device=None), text_signature = "(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None)")]
fn eye(
    py: Python<'_>,
    n_rows: Count,
    n_cols: Option<Count>,
    k: Offset,
    dtype: Option<Type>,
    device: Option<Device>,
) -> PyResult<PyArray> {
    let _ = device;
    made(py, Array::eye(n_rows.0, n_cols.unwrap_or(n_rows).0, k.0, dtype.map_or(DType::F64, |dtype| dtype.0)))
}

/// An array that is one number everywhere; only one element is in memory.
///
/// >>> import ndcast
/// >>> ndcast.full((2, 2), 7)
/// Array([[7, 7],
///        [7, 7]])
#[pyfunction]
#[pyo3(signature = (shape, fill_value, *, dtype=None, device=None))]
fn full(
    py: Python<'_>,
    shape: Numbers,
    fill_value: Fill,
    dtype: Option<Type>,
    device: Option<Device>,
) -> PyResult<PyArray> {
    let _ = device;
    made(py, fill_value.over(&self::shape(&shape)?, dtype.map(|dtype| dtype.0)))
}

/// What an array is filled with: a number, or an array of one, which the standard does not ask for and SciPy relies on.
enum Fill {
    Number(Number),
    Array(Array),
}

impl<'py> FromPyObject<'_, 'py> for Fill {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Fill> {
        let Ok(array) = object.cast::<PyArray>() else {
            return object.extract().map(|Plain(number)| Fill::Number(number));
        };
        let array = array.get().array();
        match array.shape() {
            Ok(&[]) => Ok(Fill::Array(unlent(&array))),
            Ok(shape) => {
                let text =
                    format!("an array is filled with one number, not with an array of shape {shape:?}");
                Err(error::value(text))
            }
            Err(error) => Err(exception(object.py(), &error)),
        }
    }
}

impl Fill {
    /// An array of it; without an element type, of its own.
    fn over(self, shape: &[usize], dtype: Option<DType>) -> Array {
        match self {
            Fill::Number(number) => {
                Array::full(shape, number, dtype.unwrap_or_else(|| number.default_dtype()))
            }
            Fill::Array(array) => in_type(&array, dtype).broadcast_to(shape),
        }
    }
}

/// Functions that make an array of one number: of a shape, and like another array.
macro_rules! constants {
    ($($name:ident $like:ident $of:ident $doc:literal $like_doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (shape, *, dtype=None, device=None))]
            fn $name(
                py: Python<'_>,
                shape: Numbers,
                dtype: Option<Type>,
                device: Option<Device>,
            ) -> PyResult<PyArray> {
                let _ = device;
                let dtype = dtype.map_or(DType::F64, |dtype| dtype.0);
                made(py, Array::$of(&self::shape(&shape)?, dtype))
            }

            #[doc = $like_doc]
            #[pyfunction]
            #[pyo3(signature = (x, /, *, dtype=None, device=None))]
            fn $like(
                py: Python<'_>,
                x: Given,
                dtype: Option<Type>,
                device: Option<Device>,
            ) -> PyResult<PyArray> {
                let _ = device;
                let dtype = like(py, &x.0, dtype)?;
                made(py, Array::$of(x.0.shape().unwrap_or_default(), dtype))
            }
        )*

        fn add_constants(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_function(wrap_pyfunction!($name, module)?)?;
                module.add_function(wrap_pyfunction!($like, module)?)?;
            )*
            Ok(())
        }
    };
}

constants! {
    zeros zeros_like zeros "An array of zeros.\n\n>>> import ndcast\n>>> ndcast.zeros(2)\nArray([0., 0.])" "Zeros, as many as another array has elements.\n\n>>> import ndcast\n>>> ndcast.zeros_like(ndcast.asarray([1, 2]))\nArray([0, 0])";
    ones ones_like ones "An array of ones.\n\n>>> import ndcast\n>>> ndcast.ones(2)\nArray([1., 1.])" "Ones, as many as another array has elements.\n\n>>> import ndcast\n>>> ndcast.ones_like(ndcast.asarray([1, 2]))\nArray([1, 1])";
    empty empty_like zeros "An array to be filled. It is zeros, of which only one is in memory before it is changed.\n\n>>> import ndcast\n>>> ndcast.empty((2, 3)).shape\n(2, 3)" "An array to be filled, of the shape of another.\n\n>>> import ndcast\n>>> ndcast.empty_like(ndcast.asarray([1, 2])).shape\n(2,)";
}

/// The element type of an array like another.
fn like(py: Python<'_>, x: &Array, dtype: Option<Type>) -> PyResult<DType> {
    dtype.map_or_else(|| x.dtype().map_err(|error| exception(py, &error)), |dtype| Ok(dtype.0))
}

/// One number everywhere, in the shape of another array.
///
/// >>> import ndcast
/// >>> ndcast.full_like(ndcast.asarray([1, 2]), 5)
/// Array([5, 5])
#[pyfunction]
#[pyo3(signature = (x, /, fill_value, *, dtype=None, device=None))]
fn full_like(
    py: Python<'_>,
    x: Given,
    fill_value: Fill,
    dtype: Option<Type>,
    device: Option<Device>,
) -> PyResult<PyArray> {
    let _ = device;
    let dtype = like(py, &x.0, dtype)?;
    made(py, fill_value.over(x.0.shape().unwrap_or_default(), Some(dtype)))
}

/// The elements on and below a diagonal of the last two axes, `k` columns to the right; 0 above it.
///
/// >>> import ndcast
/// >>> ndcast.tril(ndcast.ones((2, 3)))
/// Array([[1., 0., 0.],
///        [1., 1., 0.]])
#[pyfunction]
#[pyo3(signature = (x, /, *, k=Offset(0)), text_signature = "(x, /, *, k=0)")]
fn tril(py: Python<'_>, x: Given, k: Offset) -> PyResult<PyArray> {
    made(py, py.detach(|| x.0.lower_triangle(k.0)))
}

/// The elements on and above a diagonal of the last two axes, `k` columns to the right; 0 below it.
///
/// >>> import ndcast
/// >>> ndcast.triu(ndcast.ones((2, 3)), k=1)
/// Array([[0., 1., 1.],
///        [0., 0., 1.]])
#[pyfunction]
#[pyo3(signature = (x, /, *, k=Offset(0)), text_signature = "(x, /, *, k=0)")]
fn triu(py: Python<'_>, x: Given, k: Offset) -> PyResult<PyArray> {
    made(py, py.detach(|| x.0.upper_triangle(k.0)))
}

fn by_dlpack<'py>(
    obj: &Bound<'py, PyAny>,
    dtype: Option<Type>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyArray>> {
    let py = obj.py();
    let array = crate::dlpack::import(obj, None, copy)?;
    Bound::new(py, made(py, in_type(&array, dtype.map(|dtype| dtype.0)))?)
}

/// An array of anything that has DLPack. Memory is shared if that is possible and `copy` is not True.
///
/// >>> import ndcast
/// >>> import numpy
/// >>> ndcast.from_dlpack(numpy.arange(3.0))
/// Array([0., 1., 2.])
#[pyfunction]
#[pyo3(signature = (x, /, *, device=None, copy=None))]
fn from_dlpack(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    device: Option<Device>,
    copy: Option<bool>,
) -> PyResult<PyArray> {
    if let Ok(array) = x.cast::<PyArray>() {
        let array = array.get().array();
        return made(py, if copy == Some(true) { unlent(&array) } else { array });
    }
    made(py, crate::dlpack::import(x, device, copy)?)
}

/// Grids of coordinates, from lines of them. Nothing is copied.
///
/// >>> import ndcast
/// >>> ndcast.meshgrid(ndcast.asarray([1, 2]), ndcast.asarray([3]))
/// (Array([[1, 2]]), Array([[3, 3]]))
#[pyfunction]
#[pyo3(signature = (*arrays, indexing="xy"))]
fn meshgrid<'py>(arrays: &Bound<'py, PyTuple>, indexing: &str) -> PyResult<Bound<'py, PyTuple>> {
    let py = arrays.py();
    if !matches!(indexing, "xy" | "ij") {
        return Err(error::value(format!("indexing is \"xy\" or \"ij\", not {indexing:?}")));
    }
    let mut lines = vec![];
    for array in arrays {
        lines.push(array.extract::<Given>()?.0);
    }
    let mut extents = vec![];
    for line in &lines {
        match line.shape() {
            Ok(&[extent]) => extents.push(extent),
            Ok(&[]) => extents.push(1),
            Ok(_) => return Err(error::value("meshgrid takes arrays of one axis")),
            Err(error) => return Err(exception(py, &error)),
        }
    }
    let swapped = indexing == "xy" && lines.len() > 1;
    let place = |line: usize| if swapped && line < 2 { 1 - line } else { line };
    let mut grid = extents.clone();
    for (line, &extent) in extents.iter().enumerate() {
        grid[place(line)] = extent;
    }
    let mut grids = vec![];
    for (line, array) in lines.iter().enumerate() {
        let mut own = vec![1; grid.len()];
        own[place(line)] = extents[line];
        grids.push(Py::new(py, made(py, array.reshape(&own).broadcast_to(&grid))?)?);
    }
    PyTuple::new(py, grids)
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_constants(module)?;
    module.add_function(wrap_pyfunction!(asarray, module)?)?;
    module.add_function(wrap_pyfunction!(astype, module)?)?;
    module.add_function(wrap_pyfunction!(arange, module)?)?;
    module.add_function(wrap_pyfunction!(linspace, module)?)?;
    module.add_function(wrap_pyfunction!(eye, module)?)?;
    module.add_function(wrap_pyfunction!(full, module)?)?;
    module.add_function(wrap_pyfunction!(full_like, module)?)?;
    module.add_function(wrap_pyfunction!(tril, module)?)?;
    module.add_function(wrap_pyfunction!(triu, module)?)?;
    module.add_function(wrap_pyfunction!(from_dlpack, module)?)?;
    module.add_function(wrap_pyfunction!(meshgrid, module)?)
}
