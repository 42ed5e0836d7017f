//! Python's indices: basic ones are views; masks and arrays of integers take elements one by one.
//!
//! Arrays of integers may be mixed with everything else, as in NumPy: integers and arrays are broadcast together, and
//! their axes stand where they stood if they were neighbours, else in front. Numbers are checked when they are given,
//! so an index that is not there is an error in that line.

use std::num::NonZeroI64;

use ndcast::shape::rule::array_api;
use ndcast::shape::{Index, Kind};
use ndcast::{Array, DType, Error, Operand, Place, dtype::Class};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PySlice, PyTuple};

use crate::array::{PyArray, made};
use crate::error::{self, exception};
use crate::memory::{self, Import};
use crate::mixed;
use crate::operand::{is_numpy, operand};
use crate::policy;

/// What stands in the brackets.
pub(crate) struct Key(Vec<Part>);

enum Part {
    Basic(Index),
    /// Integers: elements one by one.
    Numbers(Array),
    /// Truth values: the elements where they are true.
    Mask(Array),
}

impl<'py> FromPyObject<'_, 'py> for Key {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Key> {
        let Ok(parts) = object.cast::<PyTuple>() else { return Ok(Key(vec![part(&object)?])) };
        let parts = parts.iter().map(|item| part(&item)).collect::<PyResult<Vec<_>>>()?;
        let ellipses = parts.iter().filter(|part| matches!(part, Part::Basic(Index::Ellipsis))).count();
        if ellipses > 1 {
            let text = format!("an index has one ellipsis at most, and this has {ellipses}");
            return Err(error::own(object.py(), "IndexingError", "several-ellipses", &text));
        }
        Ok(Key(parts))
    }
}

fn part(object: &Bound<'_, PyAny>) -> PyResult<Part> {
    let py = object.py();
    if let Ok(slice) = object.cast::<PySlice>() {
        return slice_part(slice).map(Part::Basic);
    }
    if object.is_none() {
        return Ok(Part::Basic(Index::New));
    }
    if object.is_instance_of::<PyEllipsis>() {
        return Ok(Part::Basic(Index::Ellipsis));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Part::Mask(Array::scalar(truth.is_true())));
    }
    if object.is_instance_of::<PyInt>() {
        return at(object).map(Part::Basic);
    }
    let array = if let Ok(array) = object.cast::<PyArray>() {
        array.get().array()
    } else if is_numpy(object)? {
        memory::import(object, Import::AsItIs)?
    } else if object.hasattr("__index__")? {
        return at(object).map(Part::Basic);
    } else if object.is_instance_of::<pyo3::types::PyList>() {
        let whole = py.import("numpy")?.call_method1("asarray", (object,))?;
        // An empty list is of floats to NumPy.
        let empty = whole.getattr("size")?.extract::<usize>()? == 0;
        let whole = if empty { whole.call_method1("astype", ("int64",))? } else { whole };
        memory::import(&whole, Import::Copied)?
    } else {
        let name = object.get_type().name()?;
        return Err(error::own(py, "IndexingError", "index-type", &format!("a {name} is no index")));
    };
    match array.dtype().map_err(|error| exception(py, &error))?.class() {
        Class::Bool => Ok(Part::Mask(array)),
        Class::Signed | Class::Unsigned if array.rank().is_ok_and(|rank| rank == 0) => {
            let number = py.detach(|| array.convert(DType::I64).item::<i64>());
            Ok(Part::Basic(Index::At(number.map_err(|error| exception(py, &error))?)))
        }
        Class::Signed | Class::Unsigned => Ok(Part::Numbers(array)),
        _ => Err(error::own(
            py,
            "IndexingError",
            "index-type",
            "an array that is an index holds integers or truth values",
        )),
    }
}

fn at(object: &Bound<'_, PyAny>) -> PyResult<Index> {
    let number = object.call_method0("__index__")?;
    match number.extract::<i64>() {
        Ok(number) => Ok(Index::At(number)),
        Err(_) => {
            let text = format!("there is no element {number}");
            Err(error::own(object.py(), "IndexingError", "index-out-of-range", &text))
        }
    }
}

fn slice_part(slice: &Bound<'_, PySlice>) -> PyResult<Index> {
    let end = |name: &str| -> PyResult<Option<i64>> {
        let value = slice.getattr(name)?;
        if value.is_none() {
            return Ok(None);
        }
        let value = value.call_method0("__index__")?;
        // What is beyond 64 bits is beyond every axis.
        Ok(Some(match value.extract::<i64>() {
            Ok(value) => value,
            Err(_) if value.lt(0)? => i64::MIN + 1,
            Err(_) => i64::MAX,
        }))
    };
    let step = NonZeroI64::new(end("step")?.unwrap_or(1));
    let step = step.ok_or_else(|| error::value("the step of a slice is not 0"))?;
    Ok(Index::Slice { start: end("start")?, stop: end("stop")?, step })
}

impl Key {
    /// The index, if it has no arrays.
    fn basic(&self) -> Option<Vec<Index>> {
        let index = |part: &Part| if let Part::Basic(index) = part { Some(*index) } else { None };
        self.0.iter().map(index).collect()
    }

    /// The mask, if the index is a mask alone.
    fn mask(&self) -> Option<&Array> {
        if let [Part::Mask(mask)] = &self.0[..] { Some(mask) } else { None }
    }
}

/// `x[key]`.
pub(crate) fn get(py: Python<'_>, array: &Array, key: Key) -> PyResult<PyArray> {
    let selected = match key.basic() {
        Some(index) => array.select(&index),
        None => py.detach(|| taken(array, key)).map_err(|failure| raised(py, failure))?,
    };
    made(py, selected)
}

/// `x[key] = value`.
pub(crate) fn set(py: Python<'_>, array: &PyArray, key: Key, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let value = match operand(value)? {
        Some(value) => value,
        None if value.is_instance_of::<pyo3::types::PyList>() || value.is_instance_of::<PyTuple>() => {
            let whole = py.import("numpy")?.call_method1("asarray", (value,))?;
            memory::import(&whole, Import::Copied)?.into()
        }
        None => {
            let name = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a {name} is nothing that can be assigned")));
        }
    };
    let value = array.array().dtype().map_or(value.clone(), |dtype| mixed::into(dtype, value));
    if let Some(index) = key.basic() {
        if policy::is_in_force() {
            asked(py, &array.array().select(&index), &value)?;
        }
        return array.change(py, None, Place::At(&index), value);
    }
    let own = array.array();
    let (changed, selected) =
        py.detach(|| put(&own, key, value.clone())).map_err(|failure| raised(py, failure))?;
    asked(py, &selected, &value)?;
    changed.check().map_err(|error| exception(py, &error))?;
    *array.lock() = changed;
    Ok(())
}

/// Asks whether a value may be broadcast to what is assigned.
fn asked(py: Python<'_>, selected: &Array, value: &Operand) -> PyResult<()> {
    policy::check(py, "assign", &[selected.into(), value.clone()])
}

/// What can be wrong with an index of arrays.
enum Failure {
    Library(Error),
    /// A mask of another shape than the axes it lies on.
    Mask {
        mask: Vec<usize>,
        shape: Vec<usize>,
    },
    /// A number that is not there.
    Number {
        number: i64,
        axis: usize,
        extent: usize,
    },
    TooMany {
        found: usize,
        rank: usize,
    },
    /// Arrays that index together and do not broadcast.
    Apart {
        shapes: Vec<Vec<usize>>,
    },
}

/// What can be wrong with numbers of elements.
pub(crate) enum Wrong {
    /// This one is not there.
    Number(i64),
    Library(Error),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong::Library(error)
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Library(error.into())
    }
}

fn raised(py: Python<'_>, failure: Failure) -> PyErr {
    let kind = match failure {
        Failure::Library(error) => return exception(py, &error),
        Failure::Mask { mask, shape } => {
            let text =
                format!("a mask of shape {mask:?} does not lie on the axes of an array of shape {shape:?}");
            return error::own(py, "IndexingError", "mask-mismatch", &text);
        }
        Failure::Number { number, axis, extent } => {
            Kind::IndexOutOfRange { index: number, axis, extent: extent.into() }
        }
        Failure::Apart { shapes } => return error::index_shapes(py, &shapes),
        Failure::TooMany { found, rank } => Kind::TooManyIndices { found, rank },
    };
    error::of_rule(py, &kind.into())
}

/// Numbers of elements, from the front of an axis, each of which is there.
pub(crate) fn checked(numbers: &Array, extent: usize) -> Result<Array, Wrong> {
    let shape = numbers.shape()?.to_vec();
    let mut all = numbers.convert(DType::I64).to_vec::<i64>()?;
    let signed = i64::try_from(extent).unwrap_or(i64::MAX);
    for number in &mut all {
        let from_front = if *number < 0 { *number + signed } else { *number };
        if from_front < 0 || from_front >= signed {
            return Err(Wrong::Number(*number));
        }
        *number = from_front;
    }
    Ok(Array::new(&shape, &all))
}

/// Elements taken one by one.
fn taken(array: &Array, key: Key) -> Result<Array, Failure> {
    if let Some(mask) = key.mask() {
        check_mask(mask, array.shape()?)?;
    }
    let rank = array.shape()?.len();
    // Every part on its axes, masks as arrays of numbers.
    let takes = |part: &Part| match part {
        Part::Basic(Index::At(_) | Index::Slice { .. }) | Part::Numbers(_) => 1,
        Part::Basic(_) => 0,
        Part::Mask(mask) => mask.rank().unwrap_or(0),
    };
    let found: usize = key.0.iter().map(takes).sum();
    let rest = rank.checked_sub(found).ok_or(Failure::TooMany { found, rank })?;
    let has_ellipsis = key.0.iter().any(|part| matches!(part, Part::Basic(Index::Ellipsis)));
    let mut parts = key.0;
    if !has_ellipsis {
        parts.push(Part::Basic(Index::Ellipsis));
    }
    let (mut axis, mut basic, mut out, mut rest) = (0, vec![], 0, Some(rest));
    // Of each array: its numbers, the axis it is on, and that axis in what the basic parts select.
    let mut numbers: Vec<(Array, usize, usize)> = vec![];
    // Whether all arrays are neighbours, and before which axis of the rest they stand.
    let (mut places, mut before) = (vec![], vec![]);
    for (place, part) in parts.into_iter().enumerate() {
        match part {
            Part::Basic(Index::Ellipsis) => {
                for _ in 0..rest.take().unwrap_or(0) {
                    basic.push(Index::WHOLE);
                    (axis, out) = (axis + 1, out + 1);
                }
            }
            Part::Basic(Index::New) => {
                basic.push(Index::New);
                out += 1;
            }
            Part::Basic(slice @ Index::Slice { .. }) => {
                basic.push(slice);
                (axis, out) = (axis + 1, out + 1);
            }
            // An integer is an array without axes here.
            Part::Basic(Index::At(number)) => {
                numbers.push((Array::scalar(number), axis, out));
                (places, before) = marked(places, before, place, out - (numbers.len() - 1));
                basic.push(Index::WHOLE);
                (axis, out) = (axis + 1, out + 1);
            }
            Part::Numbers(array) => {
                numbers.push((array, axis, out));
                (places, before) = marked(places, before, place, out - (numbers.len() - 1));
                basic.push(Index::WHOLE);
                (axis, out) = (axis + 1, out + 1);
            }
            Part::Mask(mask) if mask.rank()? == 0 => {
                // One more axis, of extent 1 or 0.
                let count = usize::from(mask.item::<bool>()?);
                numbers.push((Array::new(&[count], &vec![0i64; count]), axis, out));
                (places, before) = marked(places, before, place, out - (numbers.len() - 1));
                basic.push(Index::New);
                out += 1;
            }
            Part::Mask(mask) => {
                let own = &array.shape()?[axis..axis + mask.rank()?];
                check_mask(&mask, own)?;
                for along in mask.nonzero()? {
                    numbers.push((along, axis, out));
                    (places, before) = marked(places, before, place, out - (numbers.len() - 1));
                    basic.push(Index::WHOLE);
                    (axis, out) = (axis + 1, out + 1);
                }
            }
        }
    }
    let view = array.select(&basic);
    let shape = view.shape()?.to_vec();
    let mut checked_numbers = vec![];
    for (array, axis, out) in &numbers {
        let extent = shape[*out];
        checked_numbers.push(checked(array, extent).map_err(|wrong| match wrong {
            Wrong::Number(number) => Failure::Number { number, axis: *axis, extent },
            Wrong::Library(error) => Failure::Library(error),
        })?);
    }
    let shapes = checked_numbers.iter().map(Array::shape).collect::<Result<Vec<_>, _>>()?;
    let apart = |_| Failure::Apart { shapes: shapes.iter().map(|shape| shape.to_vec()).collect() };
    let together = array_api::join(&shapes).map_err(apart)?;
    // The axes that arrays are on in front, as one; and the number of each element on it.
    let taken: Vec<usize> = numbers.iter().map(|(_, _, out)| *out).collect();
    let others: Vec<usize> = (0..shape.len()).filter(|axis| !taken.contains(axis)).collect();
    let lines = view.transpose(&[&taken[..], &others[..]].concat());
    let extents: Vec<usize> = taken.iter().map(|&axis| shape[axis]).collect();
    let inner: Vec<usize> = others.iter().map(|&axis| shape[axis]).collect();
    let mut all = vec![extents.iter().product::<usize>()];
    all.extend_from_slice(&inner);
    let mut number = Array::full(together.shape(), 0, DType::I64);
    for (array, &extent) in checked_numbers.iter().zip(&extents) {
        number = number * i64::try_from(extent).unwrap_or(i64::MAX) + array;
    }
    let result = lines.reshape(&all).take(&number, 0);
    result.check()?;
    // Neighbours' axes stand where they stood.
    let neighbours = places.windows(2).all(|pair| pair[1] <= pair[0] + 1);
    let front = if neighbours { before.first().copied().unwrap_or(0) } else { 0 };
    let new = together.rank();
    let order: Vec<usize> = (new..new + front).chain(0..new).chain(new + front..new + inner.len()).collect();
    Ok(result.transpose(&order))
}

fn marked(
    mut places: Vec<usize>,
    mut before: Vec<usize>,
    place: usize,
    others: usize,
) -> (Vec<usize>, Vec<usize>) {
    places.push(place);
    before.push(others);
    (places, before)
}

/// A mask lies on axes of its extents; an extent of 0 lies on any.
fn check_mask(mask: &Array, shape: &[usize]) -> Result<(), Failure> {
    let own = mask.shape()?;
    let fits =
        own.len() <= shape.len() && own.iter().zip(shape).all(|(&own, &extent)| own == extent || own == 0);
    if fits { Ok(()) } else { Err(Failure::Mask { mask: own.to_vec(), shape: shape.to_vec() }) }
}

/// Elements replaced one by one; and what was selected, of which only the shape counts.
fn put(array: &Array, key: Key, value: Operand) -> Result<(Array, Array), Failure> {
    let shape = array.shape()?.to_vec();
    let single = match &value {
        Operand::Number(_) => true,
        Operand::Array(value) => value.shape()?.is_empty(),
    };
    // One value where a mask of the whole array is true: that stays one fused expression.
    if let Some(mask) = key.mask()
        && single
        && mask.shape()? == shape
    {
        let mut filled = array.copy();
        filled.assign(value);
        return Ok((mask.choose(&filled, array), array.clone()));
    }
    let all = Array::iota(shape.iter().product(), DType::I64).reshape(&shape);
    let places = taken(&all, key)?;
    let count = places.shape()?.iter().product();
    let numbers: Vec<usize> =
        places.to_vec::<i64>()?.into_iter().map(|number| usize::try_from(number).unwrap_or(0)).collect();
    let value = match value {
        Operand::Array(value) => {
            array_api::in_place(places.shape()?, value.shape()?)?;
            Operand::Array(value.broadcast_to(places.shape()?).reshape(&[count]))
        }
        number @ Operand::Number(_) => number,
    };
    Ok((array.put(&numbers, value), places))
}
