//! Arrays made from numbers, and like other arrays.

use ndcast::{Array, DType, End, Number};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{Count, Device, Numbers, Offset, shape};
use crate::array::{PyArray, converted, made, unlent};
use crate::dtype::{Type, in_type, real_or_complex};
use crate::error::{self, exception};
use crate::operand::{Given, Plain};

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
    module.add_function(wrap_pyfunction!(astype, module)?)?;
    module.add_function(wrap_pyfunction!(arange, module)?)?;
    module.add_function(wrap_pyfunction!(linspace, module)?)?;
    module.add_function(wrap_pyfunction!(eye, module)?)?;
    module.add_function(wrap_pyfunction!(full, module)?)?;
    module.add_function(wrap_pyfunction!(full_like, module)?)?;
    module.add_function(wrap_pyfunction!(tril, module)?)?;
    module.add_function(wrap_pyfunction!(triu, module)?)?;
    module.add_function(wrap_pyfunction!(meshgrid, module)?)
}
