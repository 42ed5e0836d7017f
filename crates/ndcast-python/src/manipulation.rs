//! The same elements elsewhere: shapes, orders of axes, parts put together.

use ndcast::shape::rule::array_api;
use ndcast::shape::{Dim, Shape};
use ndcast::{Array, DType, Number, Padding, dtype::Class};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{Numbers, Offset, axes, axis, shape};
use crate::array::{PyArray, computed, made, unlent};
use crate::error::{self, exception};
use crate::mixed;
use crate::operand::{Given, Plain, refused};
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
                .map_err(|_| error::value(format!("an extent is not negative, and {extent} is"))),
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
    let Some(first) = arrays.first() else { return Err(error::value("there is no array")) };
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
    let Some(first) = arrays.first() else { return Err(error::value("there is no array")) };
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
    let parts = x.0.unstack(place).map_err(|error| exception(py, &error))?;
    let parts = parts.into_iter().map(|part| Py::new(py, made(py, part)?));
    PyTuple::new(py, parts.collect::<PyResult<Vec<_>>>()?)
}

/// Inserts axes of extent 1, at these places of the result.
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

/// Removes axes of extent 1.
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
    made(py, x.0.move_axes(&from, &to))
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
        && let Ok(tensor) = py.detach(|| x.0.eval())
        && matches!(tensor.reshape(&extents), Ok(None))
    {
        return Err(error::value("another shape of these strides takes a copy, which copy=False forbids"));
    }
    let array = if copy == Some(true) { unlent(&x.0) } else { x.0 };
    made(py, py.detach(|| array.reshape(&extents)))
}

/// A shape in which one extent may be -1, which is what the others leave.
fn whole(numbers: &Numbers, elements: usize) -> PyResult<Vec<usize>> {
    match numbers.0.iter().filter(|&&extent| extent == -1).count() {
        0 => return shape(numbers),
        1 => {}
        several => {
            let text = format!("one extent of a shape may be -1, and {several} of {:?} are", numbers.0);
            return Err(error::value(text));
        }
    }
    let rest = Numbers(numbers.0.iter().map(|&extent| if extent == -1 { 1 } else { extent }).collect());
    let mut extents = shape(&rest)?;
    let others = extents.iter().try_fold(1usize, |others, &extent| others.checked_mul(extent));
    let Some(others) = others.filter(|&others| others != 0 && elements.is_multiple_of(others)) else {
        return Err(error::value(format!(
            "{elements} elements leave no extent for -1 in the shape {:?}",
            numbers.0
        )));
    };
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
            return Err(error::value("without axes there is one shift"));
        };
        let rolled = py.detach(|| x.0.reshape(&[elements(&x.0)]).roll(shift, 0).reshape(&own));
        return computed(py, &rolled);
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
        return Err(error::value(format!("{} shifts for {} axes", shifts.len(), places.len())));
    }
    let mut array = x.0;
    for (number, shift) in places.into_iter().zip(shifts) {
        let axis = crate::arguments::axis(py, number, rank)?;
        array = py.detach(|| array.roll(shift, axis));
    }
    computed(py, &array)
}

/// Each element repeated, along an axis; without one, the elements of the flattened array.
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
        let times =
            usize::try_from(times).map_err(|_| error::value(format!("{times} is no number of times")))?;
        return computed(py, &py.detach(|| array.repeat(times, place)));
    }
    let counts = match repeats.extract::<Given>() {
        Ok(Given(counts)) => {
            let dtype = counts.dtype().map_err(|error| exception(py, &error))?;
            if !matches!(dtype.class(), Class::Signed | Class::Unsigned | Class::Bool) {
                return Err(PyTypeError::new_err(format!("numbers of times are integers, not {dtype:#}")));
            }
            py.detach(|| counts.convert(DType::I64).to_vec::<i64>()).map_err(|error| exception(py, &error))?
        }
        Err(_) => repeats
            .extract::<Vec<i64>>()
            .map_err(|_| refused(repeats, "repeats is an integer, or an array or a list of integers"))?,
    };
    let extent = array.shape().map_err(|error| exception(py, &error))?[place];
    let counts = if let [count] = counts[..] { vec![count; extent] } else { counts };
    let times = |&count: &i64| {
        usize::try_from(count).map_err(|_| error::value(format!("{count} is no number of times")))
    };
    let counts = counts.iter().map(times).collect::<PyResult<Vec<_>>>()?;
    made(py, py.detach(|| array.repeat_each(&counts, place)))
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
    computed(py, &py.detach(|| x.0.tile(&times)))
}

/// Pads with numbers, or with the array's own elements (`"edge"`, `"reflect"`, `"symmetric"`, `"wrap"`). Widths and
/// numbers are one, a pair, or a pair for each axis.
///
/// >>> import ndcast
/// >>> ndcast.pad(ndcast.asarray([1, 2]), (1, 2), constant_values=9)
/// Array([9, 1, 2, 9, 9])
/// >>> ndcast.pad(ndcast.asarray([1, 2, 3]), 2, mode="reflect")
/// Array([3, 2, 1, 2, 3, 2, 1])
#[pyfunction]
#[pyo3(signature = (x, pad_width, mode="constant", *, constant_values=None), text_signature = "(x, pad_width, mode=\"constant\", *, constant_values=0)")]
fn pad(
    py: Python<'_>,
    x: Given,
    pad_width: &Bound<'_, PyAny>,
    mode: &str,
    constant_values: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyArray> {
    let rank = rank(py, &x.0)?;
    let widths = pairs::<usize>(pad_width, rank).ok_or_else(|| {
        PyTypeError::new_err("the widths are a number from 0 on, a pair of them, or a pair for each axis")
    })?;
    if mode == "constant" {
        let numbers = match constant_values {
            Some(numbers) => pairs::<Plain>(numbers, rank).ok_or_else(|| {
                PyTypeError::new_err("the numbers are one, a pair of them, or a pair for each axis")
            })?,
            None => vec![(Plain(Number::Int(0)), Plain(Number::Int(0))); rank],
        };
        if numbers.len() != rank {
            return Err(error::value(format!(
                "constant_values= has {} pairs for {rank} axes; it is a number, a pair of them, or a pair for each axis",
                numbers.len()
            )));
        }
        return made(py, py.detach(|| padded(x.0, &widths, &numbers)));
    }
    let Some((_, padding)) = Padding::ALL.into_iter().find(|(name, _)| *name == mode) else {
        let names = Padding::ALL.map(|(name, _)| name).join(", ");
        return Err(error::value(format!("there is no padding {mode:?}; there is constant, {names}")));
    };
    if constant_values.is_some() {
        return Err(error::value(format!("{mode:?} takes its elements from the array, not a number")));
    }
    made(py, py.detach(|| x.0.pad_with(&widths, padding)))
}

/// A pair for each axis: of one thing, of a pair, or as they are given; of an array too.
fn pairs<T: Copy + for<'a, 'py> FromPyObject<'a, 'py>>(
    given: &Bound<'_, PyAny>,
    rank: usize,
) -> Option<Vec<(T, T)>> {
    let given = if given.hasattr("tolist").ok()? { &given.call_method0("tolist").ok()? } else { given };
    if let Ok(one) = given.extract::<T>() {
        return Some(vec![(one, one); rank]);
    }
    let pair = |numbers: &[T]| match *numbers {
        [one] => Some((one, one)),
        [before, after] => Some((before, after)),
        _ => None,
    };
    if let Ok(numbers) = given.extract::<Vec<T>>() {
        return Some(vec![pair(&numbers)?; rank]);
    }
    let each = given.extract::<Vec<Vec<T>>>().ok()?;
    let pairs = each.iter().map(|numbers| pair(numbers)).collect::<Option<Vec<_>>>()?;
    Some(if let [pair] = pairs[..] { vec![pair; rank] } else { pairs })
}

/// With numbers around it, axis after axis, so that corners are the last one's.
fn padded(array: Array, widths: &[(usize, usize)], numbers: &[(Plain, Plain)]) -> Array {
    let number = |Plain(number): Plain| match (number, array.dtype()) {
        (Number::Int(n), Ok(DType::Bool)) => Number::Bool(n != 0),
        (number, _) => number,
    };
    if let Some((Plain(first), _)) = numbers.first()
        && numbers.iter().all(|(before, after)| before.0 == *first && after.0 == *first)
    {
        return array.pad(widths, number(Plain(*first)));
    }
    if numbers.len() != widths.len() {
        // The widths are for other axes than there are, and the error says so.
        return array.pad(widths, 0);
    }
    let mut result = array.clone();
    for (axis, (&(before, after), &(left, right))) in widths.iter().zip(numbers).enumerate() {
        let on = |pair| {
            (0..widths.len()).map(|other| if other == axis { pair } else { (0, 0) }).collect::<Vec<_>>()
        };
        result = result.pad(&on((before, 0)), number(left)).pad(&on((0, after)), number(right));
    }
    result
}

/// The diagonal of the last two axes, `offset` columns to the right, as the last axis. A view.
///
/// >>> import ndcast
/// >>> ndcast.linalg.diagonal(ndcast.asarray([[1, 2], [3, 4]]))
/// Array([1, 4])
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
