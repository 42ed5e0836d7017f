//! Products.

use ndcast::{Array, DType};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{Offset, axes};
use crate::array::{PyArray, made};
use crate::dtype::{Type, wanted};
use crate::error;
use crate::mixed;
use crate::operand::Given;
use crate::operators::product;
use crate::policy;
use crate::reductions::rank;

/// The product of matrices: of the last two axes; the others are broadcast.
///
/// >>> import ndcast
/// >>> ndcast.matmul(ndcast.asarray([[1, 2], [3, 4]]), ndcast.asarray([10, 1]))
/// Array([12, 34])
#[pyfunction]
#[pyo3(signature = (x1, x2, /))]
fn matmul(py: Python<'_>, x1: Given, x2: Given) -> PyResult<PyArray> {
    made(py, product(py, x1.0, x2.0)?)
}

/// A negative axis as its distance from the end (1 is the last); checked against the lower rank.
fn from_end(py: Python<'_>, x1: &Array, x2: &Array, axis: i64) -> PyResult<usize> {
    let least = rank(py, x1)?.min(rank(py, x2)?);
    let place = usize::try_from(axis.unsigned_abs()).unwrap_or(usize::MAX);
    if axis < 0 && place <= least { Ok(place) } else { Err(crate::error::axis(py, axis, least)) }
}

/// The sums of the products of two arrays' vectors, the first one's conjugated; the other axes are broadcast.
///
/// >>> import ndcast
/// >>> ndcast.vecdot(ndcast.asarray([[1, 2], [3, 4]]), ndcast.asarray([10, 1]))
/// Array([12, 34])
#[pyfunction]
#[pyo3(signature = (x1, x2, /, *, axis=-1), text_signature = "(x1, x2, /, *, axis=-1)")]
fn vecdot(py: Python<'_>, x1: Given, x2: Given, axis: i64) -> PyResult<PyArray> {
    let [x1, x2] = Array::as_operands(|| mixed::pair(x1.0, x2.0));
    let place = match (axis, rank(py, &x1)?, rank(py, &x2)?) {
        // NumPy takes axes from the front too, where both count alike.
        (0.., left, right) if left == right => left - crate::arguments::axis(py, axis, left)?,
        _ => from_end(py, &x1, &x2, axis)?,
    };
    policy::check_shapes(py, "vecdot", &[x1.shape().unwrap_or(&[]), x2.shape().unwrap_or(&[])])?;
    made(py, py.detach(|| x1.vecdot(&x2, place)))
}

/// The cross product of vectors of 3 elements; the other axes are broadcast.
///
/// >>> import ndcast
/// >>> ndcast.linalg.cross(ndcast.asarray([1, 0, 0]), ndcast.asarray([0, 1, 0]))
/// Array([0, 0, 1])
#[pyfunction]
#[pyo3(signature = (x1, x2, /, *, axis=-1), text_signature = "(x1, x2, /, *, axis=-1)")]
fn cross(py: Python<'_>, x1: Given, x2: Given, axis: i64) -> PyResult<PyArray> {
    let [x1, x2] = Array::as_operands(|| mixed::pair(x1.0, x2.0));
    let place = match (axis, rank(py, &x1)?, rank(py, &x2)?) {
        (0.., left, right) if left == right => left - crate::arguments::axis(py, axis, left)?,
        _ => from_end(py, &x1, &x2, axis)?,
    };
    policy::check_shapes(py, "cross", &[x1.shape().unwrap_or(&[]), x2.shape().unwrap_or(&[])])?;
    made(py, py.detach(|| x1.cross(&x2, place)))
}

/// The products of every element of one vector with every element of another.
///
/// >>> import ndcast
/// >>> ndcast.linalg.outer(ndcast.asarray([1, 2]), ndcast.asarray([3, 4]))
/// Array([[3, 4],
///        [6, 8]])
#[pyfunction]
#[pyo3(signature = (x1, x2, /))]
fn outer(py: Python<'_>, x1: Given, x2: Given) -> PyResult<PyArray> {
    let [x1, x2] = Array::as_operands(|| mixed::pair(x1.0, x2.0));
    made(py, py.detach(|| x1.outer(&x2)))
}

/// The sum of products over pairs of axes. `axes`: how many (the last of `x1` with the first of `x2`; 2 by default), or two lists of axes.
///
/// >>> import ndcast
/// >>> ndcast.tensordot(ndcast.ones((2, 3)), ndcast.ones((3, 4)), axes=1)[0, 0]
/// Array(3.)
#[pyfunction]
#[pyo3(signature = (x1, x2, /, *, axes=None))]
fn tensordot(py: Python<'_>, x1: Given, x2: Given, axes: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
    let [x1, x2] = Array::as_operands(|| mixed::pair(x1.0, x2.0));
    let (left, right) = (rank(py, &x1)?, rank(py, &x2)?);
    let count = match axes {
        None => Some(2),
        Some(axes) => axes.extract::<i64>().ok(),
    };
    let (left_axes, right_axes) = match (count, axes) {
        (Some(count), _) => {
            let held = usize::try_from(count).ok().filter(|&count| count <= left.min(right));
            let count = held.ok_or_else(|| {
                error::value(format!("axes={count}: the arrays have {left} and {right} axes to contract"))
            })?;
            ((left - count..left).collect(), (0..count).collect())
        }
        (None, Some(axes)) => {
            let (l, r): (crate::arguments::Numbers, crate::arguments::Numbers) = axes.extract()?;
            (self::axes(py, Some(&l), left)?, self::axes(py, Some(&r), right)?)
        }
        (None, None) => (vec![], vec![]),
    };
    made(py, py.detach(|| x1.tensordot(&x2, &left_axes, &right_axes)))
}

/// The sum of the diagonal of the last two axes. Small integers are added as 64 bits.
///
/// >>> import ndcast
/// >>> ndcast.linalg.trace(ndcast.asarray([[1, 2], [3, 4]]))
/// Array(5)
#[pyfunction]
#[pyo3(signature = (x, /, *, offset=Offset(0), dtype=None), text_signature = "(x, /, *, offset=0, dtype=None)")]
fn trace(py: Python<'_>, x: Given, offset: Offset, dtype: Option<Type>) -> PyResult<PyArray> {
    let dtype = wanted(py, &x.0, dtype)?;
    let converted = |dtype: DType| x.0.convert(dtype).trace(offset.signed()).convert(dtype);
    made(py, py.detach(|| dtype.map_or_else(|| x.0.trace(offset.signed()), converted)))
}

/// The sum that a text such as `"ij,jk->ik"` says: letters name axes, and those that the result lacks are summed over.
/// The order of the products is found here, so `optimize`, which NumPy's callers give, changes nothing.
///
/// >>> import ndcast
/// >>> ndcast.einsum("ij,j->i", ndcast.asarray([[1, 2], [3, 4]]), ndcast.asarray([10, 1]))
/// Array([12, 34])
#[pyfunction]
#[pyo3(signature = (subscripts, *operands, optimize=None), text_signature = "(subscripts, *operands, optimize=True)")]
fn einsum(
    subscripts: &str,
    operands: &Bound<'_, PyTuple>,
    optimize: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyArray> {
    let (py, _) = (operands.py(), optimize);
    let given = operands.iter().map(|operand| operand.extract::<Given>()).collect::<PyResult<Vec<_>>>()?;
    let arrays = Array::as_operands(|| mixed::arrays_alike(given.into_iter().map(|given| given.0).collect()));
    let arrays: Vec<&Array> = arrays.iter().collect();
    made(py, py.detach(|| Array::einsum(subscripts, &arrays)))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(matmul, module)?)?;
    module.add_function(wrap_pyfunction!(vecdot, module)?)?;
    module.add_function(wrap_pyfunction!(cross, module)?)?;
    module.add_function(wrap_pyfunction!(outer, module)?)?;
    module.add_function(wrap_pyfunction!(tensordot, module)?)?;
    module.add_function(wrap_pyfunction!(trace, module)?)?;
    module.add_function(wrap_pyfunction!(einsum, module)?)
}
