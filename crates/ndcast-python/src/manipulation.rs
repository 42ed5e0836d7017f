//! The same elements elsewhere: shapes, orders of axes, parts put together.

use ndcast::shape::rule::array_api;
use ndcast::shape::{Dim, Index, Shape};
use ndcast::{Array, DType, Number};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{Numbers, Offset, axes, axis, shape};
use crate::array::{PyArray, made, unlent};
use crate::error::{self, exception};
use crate::mixed;
use crate::operand::{Given, Plain};
use crate::reductions::{elements, rank};

/// Arrays stretched to their common shape: a tuple of read-only views.
///
/// >>> import ndcast
/// >>> ndcast.broadcast_arrays(ndcast.asarray([1, 2]), ndcast.asarray([[3]]))
/// (Array([[1, 2]]), Array([[3, 3]]))
#[pyfunction]
#[pyo3(signature = (*arrays))]
fn broadcast_arrays<'py>(arrays: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let py = arrays.py();
    let given = arrays.iter().map(|array| array.extract::<Given>()).collect::<PyResult<Vec<_>>>()?;
    let shapes = given.iter().map(|array| array.0.shape()).collect::<Result<Vec<_>, _>>();
    let plan = array_api::join(&shapes.map_err(|error| exception(py, &error))?);
    let plan = plan.map_err(|error| error::of_rule(py, &error))?;
    let views = given.iter().map(|array| Py::new(py, made(py, array.0.broadcast_to(plan.shape()))?));
    PyTuple::new(py, views.collect::<PyResult<Vec<_>>>()?)
}

/// The common shape. None is an extent that is not known.
///
/// >>> import ndcast
/// >>> ndcast.broadcast_shapes((8, 1, 6, 1), (7, 1, 5))
/// (8, 7, 6, 5)
#[pyfunction]
#[pyo3(signature = (*shapes))]
fn broadcast_shapes<'py>(shapes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    let py = shapes.py();
    let mut all: Vec<Vec<Dim>> = vec![];
    for shape in shapes {
        let sequence: Vec<Option<i64>> = match shape.extract::<i64>() {
            Ok(one) => vec![Some(one)],
            Err(_) => shape.extract()?,
        };
        let dim = |extent: &Option<i64>| match extent {
            None => Ok(Dim::UNKNOWN),
            Some(extent) => usize::try_from(*extent)
                .map(Dim::Known)
                .map_err(|_| PyValueError::new_err(format!("an extent is not negative, and {extent} is"))),
        };
        all.push(sequence.iter().map(dim).collect::<PyResult<_>>()?);
    }
    let all: Vec<&[Dim]> = all.iter().map(Vec::as_slice).collect();
    let plan = array_api::join(&all).map_err(|error| error::of_rule(py, &error))?;
    error::shape_to_python(py, &Shape::from(plan.shape()))
}

/// An array stretched to a shape, one way: a view.
///
/// >>> import ndcast
/// >>> ndcast.broadcast_to(ndcast.asarray([1, 2]), (2, 2))
/// Array([[1, 2],
///        [1, 2]])
#[pyfunction]
#[pyo3(signature = (x, /, shape))]
fn broadcast_to(py: Python<'_>, x: Given, shape: Numbers) -> PyResult<PyArray> {
    made(py, x.0.broadcast_to(&crate::arguments::shape(&shape)?))
}

fn several(arrays: &Bound<'_, PyAny>) -> PyResult<Vec<Array>> {
    arrays.try_iter()?.map(|array| Ok(array?.extract::<Given>()?.0)).collect()
}

/// Arrays one behind the other along an axis; without an axis all their elements.
///
/// >>> import ndcast
/// >>> ndcast.concat([ndcast.asarray([1, 2]), ndcast.asarray([3])])
/// Array([1, 2, 3])
#[pyfunction]
#[pyo3(signature = (arrays, /, *, axis=Some(0)), text_signature = "(arrays, /, *, axis=0)")]
fn concat(arrays: &Bound<'_, PyAny>, axis: Option<i64>) -> PyResult<PyArray> {
    let py = arrays.py();
    let mut arrays = several(arrays)?;
    let Some(first) = arrays.first() else { return Err(PyValueError::new_err("there is no array")) };
    let place = match axis {
        Some(number) => crate::arguments::axis(py, number, rank(py, first)?)?,
        None => {
            for array in &mut arrays {
                *array = array.reshape(&[elements(array)]);
            }
            0
        }
    };
    let arrays = mixed::arrays_alike(arrays);
    let parts: Vec<&Array> = arrays.iter().collect();
    made(py, py.detach(|| Array::concatenate(&parts, place)))
}

/// Arrays of one shape along a new axis.
///
/// >>> import ndcast
/// >>> ndcast.stack([ndcast.asarray([1, 2]), ndcast.asarray([3, 4])], axis=1)
/// Array([[1, 3],
///        [2, 4]])
#[pyfunction]
#[pyo3(signature = (arrays, /, *, axis=0))]
fn stack(arrays: &Bound<'_, PyAny>, axis: i64) -> PyResult<PyArray> {
    let py = arrays.py();
    let arrays = several(arrays)?;
    let Some(first) = arrays.first() else { return Err(PyValueError::new_err("there is no array")) };
    let place = crate::arguments::axis(py, axis, rank(py, first)? + 1)?;
    let arrays = mixed::arrays_alike(arrays);
    let parts: Vec<&Array> = arrays.iter().collect();
    made(py, py.detach(|| Array::stack(&parts, place)))
}

/// The parts of an array along an axis, which goes away.
///
/// >>> import ndcast
/// >>> ndcast.unstack(ndcast.asarray([[1, 2], [3, 4]]))
/// (Array([1, 2]), Array([3, 4]))
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=0))]
fn unstack(py: Python<'_>, x: Given, axis: i64) -> PyResult<Bound<'_, PyTuple>> {
    let place = crate::arguments::axis(py, axis, rank(py, &x.0)?)?;
    let extent = x.0.shape().map_err(|error| exception(py, &error))?[place];
    let part = |at: usize| {
        let mut index = vec![Index::WHOLE; place];
        index.push(Index::At(i64::try_from(at).unwrap_or(i64::MAX)));
        Py::new(py, made(py, x.0.select(&index))?)
    };
    PyTuple::new(py, (0..extent).map(part).collect::<PyResult<Vec<_>>>()?)
}

/// With axes of extent 1; their numbers are those of the result.
///
/// >>> import ndcast
/// >>> ndcast.expand_dims(ndcast.asarray([1, 2]), axis=1)
/// Array([[1],
///        [2]])
#[pyfunction]
#[pyo3(signature = (x, /, axis))]
fn expand_dims(py: Python<'_>, x: Given, axis: Numbers) -> PyResult<PyArray> {
    let rank = rank(py, &x.0)? + axis.0.len();
    let mut new = axes(py, Some(&axis), rank)?;
    new.sort_unstable();
    made(py, new.iter().fold(x.0, |array, &axis| array.expand(axis)))
}

/// Without axes of extent 1.
///
/// >>> import ndcast
/// >>> ndcast.squeeze(ndcast.asarray([[1, 2]]), axis=0)
/// Array([1, 2])
#[pyfunction]
#[pyo3(signature = (x, /, axis))]
fn squeeze(py: Python<'_>, x: Given, axis: Numbers) -> PyResult<PyArray> {
    made(py, x.0.squeeze(&axes(py, Some(&axis), rank(py, &x.0)?)?))
}

/// Some axes backwards; all, if none are given. A view.
///
/// >>> import ndcast
/// >>> ndcast.flip(ndcast.asarray([1, 2, 3]))
/// Array([3, 2, 1])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None))]
fn flip(py: Python<'_>, x: Given, axis: Option<Numbers>) -> PyResult<PyArray> {
    made(py, x.0.flip(&axes(py, axis.as_ref(), rank(py, &x.0)?)?))
}

/// Axes put elsewhere; the others keep their order. A view.
///
/// >>> import ndcast
/// >>> ndcast.moveaxis(ndcast.zeros((2, 3, 4)), 0, -1).shape
/// (3, 4, 2)
#[pyfunction]
#[pyo3(signature = (x, source, destination, /))]
fn moveaxis(py: Python<'_>, x: Given, source: Numbers, destination: Numbers) -> PyResult<PyArray> {
    let rank = rank(py, &x.0)?;
    let (from, to) = (axes(py, Some(&source), rank)?, axes(py, Some(&destination), rank)?);
    if from.len() != to.len() {
        let text = format!("{} axes cannot be put at {} places", from.len(), to.len());
        return Err(PyValueError::new_err(text));
    }
    let mut order: Vec<usize> = (0..rank).filter(|axis| !from.contains(axis)).collect();
    let mut moves: Vec<(usize, usize)> = to.into_iter().zip(from).collect();
    moves.sort_unstable();
    for (place, axis) in moves {
        order.insert(place, axis);
    }
    made(py, x.0.transpose(&order))
}

/// The axes in another order. A view.
///
/// >>> import ndcast
/// >>> ndcast.permute_dims(ndcast.zeros((2, 3, 4)), (2, 0, 1)).shape
/// (4, 2, 3)
#[pyfunction]
#[pyo3(signature = (x, /, axes))]
fn permute_dims(py: Python<'_>, x: Given, axes: Numbers) -> PyResult<PyArray> {
    let rank = rank(py, &x.0)?;
    let order = axes.0.iter().map(|&number| axis(py, number, rank)).collect::<PyResult<Vec<_>>>()?;
    made(py, x.0.transpose(&order))
}

/// Another shape of the same elements in the same order; -1 is what is left.
///
/// >>> import ndcast
/// >>> ndcast.reshape(ndcast.arange(6), (2, -1))
/// Array([[0, 1, 2],
///        [3, 4, 5]])
#[pyfunction]
#[pyo3(signature = (x, /, shape, *, copy=None))]
fn reshape(py: Python<'_>, x: Given, shape: Numbers, copy: Option<bool>) -> PyResult<PyArray> {
    let extents = whole(&shape, elements(&x.0))?;
    if copy == Some(false)
        && let Ok(tensor) = x.0.eval()
        && matches!(tensor.reshape(&extents), Ok(None))
    {
        return Err(PyValueError::new_err(
            "another shape of these strides takes a copy, which copy=False forbids",
        ));
    }
    let array = if copy == Some(true) { unlent(&x.0) } else { x.0 };
    made(py, py.detach(|| array.reshape(&extents)))
}

/// A shape in which one extent may be -1, which is what the others leave.
fn whole(numbers: &Numbers, elements: usize) -> PyResult<Vec<usize>> {
    if numbers.0.iter().filter(|&&extent| extent == -1).count() != 1 {
        return shape(numbers);
    }
    let rest = Numbers(numbers.0.iter().map(|&extent| if extent == -1 { 1 } else { extent }).collect());
    let mut extents = shape(&rest)?;
    let others: usize = extents.iter().product();
    if others == 0 || !elements.is_multiple_of(others) {
        let text = format!("{elements} elements leave no extent for -1 in the shape {:?}", numbers.0);
        return Err(PyValueError::new_err(text));
    }
    let place = numbers.0.iter().position(|&extent| extent == -1).unwrap_or(0);
    extents[place] = elements / others;
    Ok(extents)
}

/// Elements moved along axes; those that fall off the end come in at the beginning.
///
/// >>> import ndcast
/// >>> ndcast.roll(ndcast.arange(4), 1)
/// Array([3, 0, 1, 2])
#[pyfunction]
#[pyo3(signature = (x, /, shift, *, axis=None))]
fn roll(py: Python<'_>, x: Given, shift: Numbers, axis: Option<Numbers>) -> PyResult<PyArray> {
    let Some(numbers) = axis else {
        let own = x.0.shape().map_err(|error| exception(py, &error))?.to_vec();
        let [shift] = shift.0[..] else {
            return Err(PyValueError::new_err("without axes there is one shift"));
        };
        return made(py, py.detach(|| x.0.reshape(&[elements(&x.0)]).roll(shift, 0).reshape(&own)));
    };
    let rank = rank(py, &x.0)?;
    let shifts = match shift.0[..] {
        [shift] => vec![shift; numbers.0.len()],
        _ => shift.0,
    };
    // An axis may be named twice, and is shifted twice.
    let places = match (numbers.0.len(), shifts.len()) {
        (1, several) => vec![numbers.0[0]; several],
        _ => numbers.0,
    };
    if places.len() != shifts.len() {
        return Err(PyValueError::new_err(format!("{} shifts for {} axes", shifts.len(), places.len())));
    }
    let mut array = x.0;
    for (number, shift) in places.into_iter().zip(shifts) {
        let axis = crate::arguments::axis(py, number, rank)?;
        array = py.detach(|| array.roll(shift, axis));
    }
    made(py, array)
}

/// Each element so many times, along an axis or of all elements in order.
///
/// >>> import ndcast
/// >>> ndcast.repeat(ndcast.asarray([1, 2]), ndcast.asarray([1, 3]))
/// Array([1, 2, 2, 2])
#[pyfunction]
#[pyo3(signature = (x, repeats, /, *, axis=None))]
fn repeat(py: Python<'_>, x: Given, repeats: &Bound<'_, PyAny>, axis: Option<i64>) -> PyResult<PyArray> {
    let (array, place) = match axis {
        Some(number) => (x.0.clone(), crate::arguments::axis(py, number, rank(py, &x.0)?)?),
        None => (x.0.reshape(&[elements(&x.0)]), 0),
    };
    if let Ok(times) = repeats.extract::<i64>() {
        let times = usize::try_from(times)
            .map_err(|_| PyValueError::new_err(format!("{times} is no number of times")))?;
        return made(py, py.detach(|| array.repeat(times, place)));
    }
    let counts = match repeats.extract::<Given>() {
        Ok(counts) => counts.0.convert(DType::I64).to_vec::<i64>().map_err(|error| exception(py, &error))?,
        Err(_) => repeats.extract::<Vec<i64>>()?,
    };
    let extent = array.shape().map_err(|error| exception(py, &error))?[place];
    let counts = if let [count] = counts[..] { vec![count; extent] } else { counts };
    if counts.len() != extent {
        let text = format!("{} numbers of times for axis {place} of extent {extent}", counts.len());
        return Err(PyValueError::new_err(text));
    }
    let mut numbers = vec![];
    for (at, &count) in (0i64..).zip(&counts) {
        let count = usize::try_from(count)
            .map_err(|_| PyValueError::new_err(format!("{count} is no number of times")))?;
        numbers.extend(std::iter::repeat_n(at, count));
    }
    made(py, py.detach(|| array.take(&Array::new(&[numbers.len()], &numbers), place)))
}

/// The whole array so many times along each axis.
///
/// >>> import ndcast
/// >>> ndcast.tile(ndcast.asarray([1, 2]), (2,))
/// Array([1, 2, 1, 2])
#[pyfunction]
#[pyo3(signature = (x, repetitions, /))]
fn tile(py: Python<'_>, x: Given, repetitions: Numbers) -> PyResult<PyArray> {
    let times = shape(&repetitions)?;
    made(py, py.detach(|| x.0.tile(&times)))
}

/// With elements of a number around it. The widths are a number, a pair, or a pair for each axis.
///
/// >>> import ndcast
/// >>> ndcast.pad(ndcast.asarray([1, 2]), (1, 2), constant_values=9)
/// Array([9, 1, 2, 9, 9])
#[pyfunction]
#[pyo3(signature = (x, pad_width, mode="constant", *, constant_values=Plain(Number::Int(0))), text_signature = "(x, pad_width, mode=\"constant\", *, constant_values=0)")]
fn pad(
    py: Python<'_>,
    x: Given,
    pad_width: &Bound<'_, PyAny>,
    mode: &str,
    constant_values: Plain,
) -> PyResult<PyArray> {
    if mode != "constant" {
        return Err(PyValueError::new_err(format!("arrays are padded with a constant, not by {mode:?}")));
    }
    let rank = rank(py, &x.0)?;
    let pairs: Vec<(usize, usize)> = if let Ok(one) = pad_width.extract::<usize>() {
        vec![(one, one); rank]
    } else if let Ok(pair) = pad_width.extract::<(usize, usize)>() {
        vec![pair; rank]
    } else {
        let pairs: Vec<(usize, usize)> = pad_width.extract().map_err(|_| {
            PyTypeError::new_err("the widths are a number, a pair of them, or a pair for each axis")
        })?;
        if pairs.len() == 1 { vec![pairs[0]; rank] } else { pairs }
    };
    let value = match (constant_values.0, x.0.dtype()) {
        (Number::Int(n), Ok(DType::Bool)) => Number::Bool(n != 0),
        (value, _) => value,
    };
    made(py, py.detach(|| x.0.pad(&pairs, value)))
}

/// The diagonal of the last two axes, `offset` columns to the right, as the last axis. A view.
#[pyfunction]
#[pyo3(signature = (x, /, *, offset=Offset(0)), text_signature = "(x, /, *, offset=0)")]
fn diagonal(py: Python<'_>, x: Given, offset: Offset) -> PyResult<PyArray> {
    made(py, x.0.diagonal(offset.signed()))
}

/// The last two axes exchanged. A view.
///
/// >>> import ndcast
/// >>> ndcast.matrix_transpose(ndcast.zeros((5, 2, 3))).shape
/// (5, 3, 2)
#[pyfunction]
#[pyo3(signature = (x, /))]
fn matrix_transpose(py: Python<'_>, x: Given) -> PyResult<PyArray> {
    made(py, x.0.matrix_transpose())
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(broadcast_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast_to, module)?)?;
    module.add_function(wrap_pyfunction!(concat, module)?)?;
    module.add_function(wrap_pyfunction!(stack, module)?)?;
    module.add_function(wrap_pyfunction!(unstack, module)?)?;
    module.add_function(wrap_pyfunction!(expand_dims, module)?)?;
    module.add_function(wrap_pyfunction!(squeeze, module)?)?;
    module.add_function(wrap_pyfunction!(flip, module)?)?;
    module.add_function(wrap_pyfunction!(moveaxis, module)?)?;
    module.add_function(wrap_pyfunction!(permute_dims, module)?)?;
    module.add_function(wrap_pyfunction!(reshape, module)?)?;
    module.add_function(wrap_pyfunction!(roll, module)?)?;
    module.add_function(wrap_pyfunction!(repeat, module)?)?;
    module.add_function(wrap_pyfunction!(tile, module)?)?;
    module.add_function(wrap_pyfunction!(pad, module)?)?;
    module.add_function(wrap_pyfunction!(diagonal, module)?)?;
    module.add_function(wrap_pyfunction!(matrix_transpose, module)?)
}
