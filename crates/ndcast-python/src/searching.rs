//! Sorting, searching and sets. What has as many elements as it finds is computed at once.

use ndcast::{Array, Direction, Keep, Operand, Side};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::array::{PyArray, made};
use crate::error::{self, exception};
use crate::index::{self, Wrong, checked};
use crate::mixed;
use crate::operand::{Either, Given};
use crate::reductions::rank;

fn direction(descending: bool) -> Direction {
    if descending { Direction::Descending } else { Direction::Ascending }
}

/// The elements in order along an axis; NaN is greater than all others. Always stable.
///
/// >>> import ndcast
/// >>> ndcast.sort(ndcast.asarray([3, 1, 2]), descending=True)
/// Array([3, 2, 1])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=-1, descending=false, stable=true), text_signature = "(x, /, *, axis=-1, descending=False, stable=True)")]
fn sort(py: Python<'_>, x: Given, axis: i64, descending: bool, stable: bool) -> PyResult<PyArray> {
    let _ = stable;
    let place = crate::arguments::axis(py, axis, rank(py, &x.0)?)?;
    made(py, py.detach(|| x.0.sort(place, direction(descending))))
}

/// The indices that sort an array along an axis. Always stable.
///
/// >>> import ndcast
/// >>> ndcast.argsort(ndcast.asarray([3, 1, 2]))
/// Array([1, 2, 0])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=-1, descending=false, stable=true), text_signature = "(x, /, *, axis=-1, descending=False, stable=True)")]
fn argsort(py: Python<'_>, x: Given, axis: i64, descending: bool, stable: bool) -> PyResult<PyArray> {
    let _ = stable;
    let place = crate::arguments::axis(py, axis, rank(py, &x.0)?)?;
    made(py, py.detach(|| x.0.argsort(place, direction(descending))))
}

/// Where each element would be put into a sorted line, so that it stays sorted.
///
/// >>> import ndcast
/// >>> ndcast.searchsorted(ndcast.asarray([1, 3, 5]), ndcast.asarray([0, 3]), side="right")
/// Array([0, 2])
#[pyfunction]
#[pyo3(signature = (x1, x2, /, *, side="left", sorter=None))]
fn searchsorted(
    py: Python<'_>,
    x1: Given,
    x2: Either,
    side: &str,
    sorter: Option<Given>,
) -> PyResult<PyArray> {
    let side = match side {
        "left" => Side::Left,
        "right" => Side::Right,
        _ => return Err(error::value(format!("a side is \"left\" or \"right\", not {side:?}"))),
    };
    let [line, values] = mixed::both(x1.0.into(), x2.0).map_err(|error| exception(py, &error))?;
    let line = match sorter {
        None => line,
        Some(order) => sorted_by(py, &line, &order.0)?,
    };
    made(py, py.detach(|| line.search_sorted(&values, side)))
}

/// A line in the order that places say, each of which is there and counted from the front.
fn sorted_by(py: Python<'_>, line: &Array, places: &Array) -> PyResult<Array> {
    let shape = |array: &Array| array.shape().map(<[usize]>::to_vec).map_err(|error| exception(py, &error));
    let (own, theirs) = (shape(line)?, shape(places)?);
    if own != theirs {
        return Err(error::value(format!("a sorter of shape {theirs:?} does not order a line of {own:?}")));
    }
    let sorted = taken(py, line, places, 0)?;
    let negative = py.detach(|| places.less(0).any(.., Keep::Nothing).item::<bool>());
    if negative.map_err(|error| exception(py, &error))? {
        return Err(error::value("a sorter has places from 0 on"));
    }
    Ok(sorted)
}

/// Whether each element of the first is an element of the second.
///
/// >>> import ndcast
/// >>> ndcast.isin(ndcast.asarray([1, 2, 3]), ndcast.asarray([3, 1]))
/// Array([ True, False,  True])
#[pyfunction]
#[pyo3(signature = (x1, x2, /, *, invert=false))]
fn isin(py: Python<'_>, x1: Either, x2: Either, invert: bool) -> PyResult<PyArray> {
    if matches!((&x1.0, &x2.0), (Operand::Number(_), Operand::Number(_))) {
        return Err(PyTypeError::new_err("at least one argument of isin() is an array"));
    }
    let [left, right] = mixed::both(x1.0, x2.0).map_err(|error| exception(py, &error))?;
    let found = py.detach(|| left.is_in(&right));
    made(py, if invert { found.logical_not() } else { found })
}

/// The places of the elements that are not 0: an array of numbers for each axis.
///
/// >>> import ndcast
/// >>> ndcast.nonzero(ndcast.asarray([[0, 1], [2, 0]]))
/// (Array([0, 1]), Array([1, 0]))
#[pyfunction]
#[pyo3(signature = (x, /))]
fn nonzero(py: Python<'_>, x: Given) -> PyResult<Bound<'_, PyTuple>> {
    if rank(py, &x.0)? == 0 {
        return Err(error::value("an array without axes has no places"));
    }
    let places = py.detach(|| x.0.nonzero()).map_err(|error| exception(py, &error))?;
    let places = places.into_iter().map(|place| Py::new(py, made(py, place)?));
    PyTuple::new(py, places.collect::<PyResult<Vec<_>>>()?)
}

/// The elements that are different from each other, in order; where each is first; the number of each element among
/// them; and how often each is there. The namespace's functions name those that are asked for.
#[pyfunction]
#[pyo3(signature = (x, /))]
fn unique(py: Python<'_>, x: Given) -> PyResult<(PyArray, PyArray, PyArray, PyArray)> {
    let unique = py.detach(|| x.0.unique()).map_err(|error| exception(py, &error))?;
    Ok((
        made(py, unique.values)?,
        made(py, unique.first)?,
        made(py, unique.inverse)?,
        made(py, unique.counts)?,
    ))
}

/// The elements that are different from each other, in order, and how often each is there.
#[pyfunction]
#[pyo3(signature = (x, /))]
fn different(py: Python<'_>, x: Given) -> PyResult<(PyArray, PyArray)> {
    let (values, counts) = py.detach(|| x.0.unique_counts()).map_err(|error| exception(py, &error))?;
    Ok((made(py, values)?, made(py, counts)?))
}

/// The elements that are different from each other, in order.
#[pyfunction]
#[pyo3(signature = (x, /))]
fn different_values(py: Python<'_>, x: Given) -> PyResult<PyArray> {
    made(py, py.detach(|| x.0.unique_values()).map_err(|error| exception(py, &error))?)
}

/// Elements along an axis by their numbers, which may be counted from the end.
///
/// >>> import ndcast
/// >>> ndcast.take(ndcast.asarray([10, 20, 30]), ndcast.asarray([2, 0]))
/// Array([30, 10])
#[pyfunction]
#[pyo3(signature = (x, indices, /, *, axis=None))]
fn take(py: Python<'_>, x: Given, indices: Either, axis: Option<i64>) -> PyResult<PyArray> {
    let place = crate::arguments::axis_or_only(py, "take", axis, rank(py, &x.0)?)?;
    // One number takes one row, as in NumPy: its axis goes away.
    let indices = match indices.0 {
        Operand::Array(indices) => indices,
        Operand::Number(number) => Array::full(&[], number, number.default_dtype()),
    };
    made(py, taken(py, &x.0, &indices, place)?)
}

fn taken(py: Python<'_>, x: &Array, indices: &Array, place: usize) -> PyResult<Array> {
    if let Some(rows) = py.detach(|| index::taken(x, [indices], || x.take(indices, place))) {
        return Ok(rows);
    }
    let indices = known(py, x, indices, place)?;
    Ok(py.detach(|| x.take(&indices, place)))
}

/// Numbers, each of which is there.
fn known(py: Python<'_>, x: &Array, indices: &Array, place: usize) -> PyResult<Array> {
    let dtype = indices.dtype().map_err(|error| exception(py, &error))?;
    if !dtype.is_integer() {
        return Err(error::own(
            py,
            "IndexingError",
            "index-type",
            &format!("indices are integers, not {dtype:#}"),
        ));
    }
    let shape = x.shape().map_err(|error| exception(py, &error))?;
    let Some(&extent) = shape.get(place) else {
        return Err(error::axis(py, i64::try_from(place).unwrap_or(i64::MAX), shape.len()));
    };
    py.detach(|| checked(indices, extent)).map_err(|wrong| match wrong {
        Wrong::Number(index) => {
            let kind = ndcast::shape::Kind::IndexOutOfRange { index, axis: place, extent: extent.into() };
            error::of_rule(py, &kind.into())
        }
        Wrong::Library(error) => exception(py, &error),
    })
}

/// For each place of `indices` the element at that index along the axis; the other axes are broadcast.
///
/// >>> import ndcast
/// >>> ndcast.take_along_axis(ndcast.asarray([[1, 2], [3, 4]]), ndcast.asarray([[1], [0]]))
/// Array([[2],
///        [3]])
#[pyfunction]
#[pyo3(signature = (x, indices, /, *, axis=-1), text_signature = "(x, indices, /, *, axis=-1)")]
fn take_along_axis(py: Python<'_>, x: Given, indices: Given, axis: i64) -> PyResult<PyArray> {
    let place = crate::arguments::axis(py, axis, rank(py, &x.0)?)?;
    let indices = known(py, &x.0, &indices.0, place)?;
    made(py, py.detach(|| x.0.take_along_axis(&indices, place)))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sort, module)?)?;
    module.add_function(wrap_pyfunction!(argsort, module)?)?;
    module.add_function(wrap_pyfunction!(searchsorted, module)?)?;
    module.add_function(wrap_pyfunction!(isin, module)?)?;
    module.add_function(wrap_pyfunction!(nonzero, module)?)?;
    module.add_function(wrap_pyfunction!(unique, module)?)?;
    module.add_function(wrap_pyfunction!(different, module)?)?;
    module.add_function(wrap_pyfunction!(different_values, module)?)?;
    module.add_function(wrap_pyfunction!(take, module)?)?;
    module.add_function(wrap_pyfunction!(take_along_axis, module)?)
}
