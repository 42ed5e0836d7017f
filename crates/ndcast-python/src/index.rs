//! Python's indices: basic ones are views; masks and arrays of integers take elements one by one.
//!
//! Arrays of integers may be mixed with everything else, as in NumPy: integers and arrays are broadcast together, and
//! their axes stand where they stood if they were neighbours, else in front. Numbers are checked when they are given,
//! so an index that is not there is an error in that line.

use std::num::NonZeroI64;

use ndcast::promote::Scalar;
use ndcast::shape::Index;
use ndcast::{Array, DType, Error, Keep, Operand, Place, dtype::Class};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PyList, PyRange, PySlice, PyString, PyTuple};

use crate::array::PyArray;
use crate::conversion::listed_into;
use crate::error::{self, exception};
use crate::memory::{self, Import};
use crate::mixed;
use crate::numpy::{self, is_numpy};
use crate::operand::operand;
use crate::picked::{self, Picked, Rows};
use crate::policy;

/// What stands in the brackets.
pub(crate) struct Key(pub(crate) Vec<Part>);

pub(crate) enum Part {
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

/// The commonest parts: to ask others for a method takes longer than all of these.
fn common(object: &Bound<'_, PyAny>) -> PyResult<Option<Index>> {
    if let Ok(number) = object.cast_exact::<PyInt>()
        && let Ok(number) = number.extract()
    {
        return Ok(Some(Index::At(number)));
    }
    if let Ok(slice) = object.cast::<PySlice>() {
        return slice_part(slice).map(Some);
    }
    if object.is_none() {
        return Ok(Some(Index::New));
    }
    Ok(object.is_instance_of::<PyEllipsis>().then_some(Index::Ellipsis))
}

/// So many parts have room on the stack.
const ROOM: usize = 8;

/// The index, if it has only common parts and at most one ellipsis; `None` for any other key.
fn common_index<'r>(key: &Bound<'_, PyAny>, room: &'r mut [Index; ROOM]) -> PyResult<Option<&'r [Index]>> {
    let Ok(parts) = key.cast::<PyTuple>() else {
        let Some(index) = common(key)? else { return Ok(None) };
        room[0] = index;
        return Ok(Some(&room[..1]));
    };
    let count = parts.len();
    if count > ROOM {
        return Ok(None);
    }
    let mut ellipses = 0;
    for (place, part) in room.iter_mut().zip(parts.iter_borrowed()) {
        let Some(index) = common(&part)? else { return Ok(None) };
        ellipses += usize::from(matches!(index, Index::Ellipsis));
        *place = index;
    }
    Ok((ellipses <= 1).then_some(&room[..count]))
}

/// Whether it is a sequence of Python's own that NumPy makes an array of.
fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyList>()
        || object.is_instance_of::<PyTuple>()
        || object.is_instance_of::<PyRange>()
}

fn part(object: &Bound<'_, PyAny>) -> PyResult<Part> {
    let py = object.py();
    if let Some(index) = common(object)? {
        return Ok(Part::Basic(index));
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
    } else if is_sequence(object) {
        let whole = numpy::asarray(object)?;
        // An empty list is of floats to NumPy.
        let empty = whole.getattr("size")?.extract::<usize>()? == 0;
        let whole = if empty { whole.call_method1("astype", ("int64",))? } else { whole };
        memory::import(&whole, Import::Copied)?
    } else {
        let text = format!("{} is no index", error::named(object)?);
        return Err(error::own(py, "IndexingError", "index-type", &text));
    };
    match array.dtype().map_err(|error| exception(py, &error))?.class() {
        Class::Bool => Ok(Part::Mask(array)),
        Class::Signed | Class::Unsigned if array.rank().is_ok_and(|rank| rank == 0) => {
            let number = py.detach(|| array.as_places().item::<i64>());
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
    let py = slice.py();
    let end = |name: &Bound<'_, PyString>| -> PyResult<Option<i64>> {
        let value = slice.getattr(name)?;
        if value.is_none() {
            return Ok(None);
        }
        if let Ok(number) = value.cast_exact::<PyInt>()
            && let Ok(number) = number.extract()
        {
            return Ok(Some(number));
        }
        if !value.hasattr("__index__")? {
            let text = format!("a slice goes from integer to integer, and this is {}", error::named(&value)?);
            return Err(PyTypeError::new_err(text));
        }
        let value = value.call_method0("__index__")?;
        // What is beyond 64 bits is beyond every axis.
        Ok(Some(match value.extract::<i64>() {
            Ok(value) => value,
            Err(_) if value.lt(0)? => i64::MIN + 1,
            Err(_) => i64::MAX,
        }))
    };
    let step = NonZeroI64::new(end(intern!(py, "step"))?.unwrap_or(1));
    let step = step.ok_or_else(|| error::value("the step of a slice is not 0"))?;
    Ok(Index::Slice { start: end(intern!(py, "start"))?, stop: end(intern!(py, "stop"))?, step })
}

impl Key {
    /// The index, if it has no arrays.
    fn basic(&self) -> Option<Vec<Index>> {
        let index = |part: &Part| if let Part::Basic(index) = part { Some(*index) } else { None };
        self.0.iter().map(index).collect()
    }

    /// The mask, if the index is a mask alone, of all of an array that gets one value there.
    fn mask_of(&self, array: &Array, value: &Operand) -> Option<&Array> {
        let is_one = match value {
            Operand::Number(_) => true,
            Operand::Array(value) => value.rank().is_ok_and(|rank| rank == 0),
        };
        match &self.0[..] {
            [Part::Mask(mask)] if is_one && mask.shape() == array.shape() => Some(mask),
            _ => None,
        }
    }
}

/// A key of numbers, slices, new axes and an ellipsis alone.
pub(crate) fn basic(key: &Bound<'_, PyAny>) -> PyResult<Vec<Index>> {
    let parts: Key = key.extract()?;
    parts.basic().ok_or_else(|| error::value("an index of arrays is none of a rule"))
}

/// `x[key]`.
pub(crate) fn get(array: &Array, key: &Bound<'_, PyAny>) -> PyResult<Array> {
    let py = key.py();
    if let Some(index) = common_index(key, &mut [Index::New; ROOM])? {
        return Ok(array.select(index));
    }
    let key: Key = key.extract()?;
    match key.basic() {
        Some(index) => Ok(array.select(&index)),
        None => py.detach(|| picked::get(array, key)).map_err(|failure| failure.raised(py)),
    }
}

/// `x[key] = value`.
pub(crate) fn set(array: &PyArray, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = key.py();
    array.release_parts(py);
    let value = match operand(value)? {
        Some(value) => value,
        None if is_sequence(value) => listed_into(value, array.lock().dtype().ok())?.into(),
        None => {
            let text = format!("{} is nothing that can be assigned", error::named(value)?);
            return Err(PyTypeError::new_err(text));
        }
    };
    let value = match value {
        Operand::Number(number) if number.kind() != Scalar::Bool => value,
        value => {
            let dtype = array.lock().dtype();
            if let Ok(dtype) = dtype { mixed::into(dtype, value) } else { value }
        }
    };
    if let (false, Some(index)) = (policy::is_in_force(py), common_index(key, &mut [Index::New; ROOM])?) {
        return array.change(py, None, Place::At(index), value);
    }
    let key: Key = key.extract()?;
    if let Some(index) = key.basic() {
        if policy::is_in_force(py) {
            asked(py, &array.array().select(&index), &value)?;
        }
        return array.change(py, None, Place::At(&index), value);
    }
    // While it is changed nobody else may have it.
    let mask = key.mask_of(&array.array(), &value);
    if let Some(mask) = mask {
        // One value where a mask of the whole array is true: put there at once, or one more choice in an expression.
        asked(py, &array.array(), &value)?;
        let changed = py.detach(|| array.lock().try_set_where(mask, value));
        return changed.map_err(|error| exception(py, &error));
    }
    if let (&Operand::Number(number), false) = (&value, policy::is_in_force(py)) {
        let put = |rows: Rows| py.detach(|| rows.put(&mut array.lock(), number));
        let rows = py.detach(|| Rows::of(&array.array(), &key)).map_err(|failure| failure.raised(py))?;
        if let Some(put) = rows.map(put) {
            return put.map_err(|failure| failure.raised(py));
        }
    }
    let picked =
        py.detach(|| Picked::of(&array.array(), key)?.known()).map_err(|failure| failure.raised(py))?;
    if policy::is_in_force(py) {
        asked(py, &Array::full(&picked.shape(), 0, DType::I8), &value)?;
    }
    py.detach(|| picked.put(&mut array.lock(), value)).map_err(|failure| failure.raised(py))
}

/// Asks whether a value may be broadcast to what is assigned.
fn asked(py: Python<'_>, selected: &Array, value: &Operand) -> PyResult<()> {
    policy::check(py, "assign", &[selected.into(), value.clone()])
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

/// Up to this many indices are checked one by one.
const FEW: usize = 1024;

/// Numbers of elements, counted from the front of an axis of this extent, each of which is there.
pub(crate) fn checked(numbers: &Array, extent: usize) -> Result<Array, Wrong> {
    let numbers = numbers.as_places();
    let end = i64::try_from(extent).unwrap_or(i64::MAX);
    let is_outside = |number: i64| number < -end || number >= end;
    if numbers.shape()?.iter().product::<usize>() <= FEW {
        let mut all = numbers.to_vec::<i64>()?;
        for number in &mut all {
            if is_outside(*number) {
                return Err(Wrong::Number(*number));
            }
            *number += if *number < 0 { end } else { 0 };
        }
        return Ok(Array::new(numbers.shape()?, &all));
    }
    // Along a stride-0 axis the first index stands for all.
    let one = |&stride: &isize| if stride == 0 { Index::part(Some(0), Some(1)) } else { Index::WHOLE };
    let index: Vec<Index> = numbers.eval()?.layout().strides().iter().map(one).collect();
    let each = numbers.select(&index);
    let (least, greatest) = (each.min(.., Keep::Nothing), each.max(.., Keep::Nothing));
    ndcast::eval(&[&least, &greatest])?;
    let (least, greatest) = (least.item::<i64>()?, greatest.item::<i64>()?);
    if is_outside(least) || is_outside(greatest) {
        let first = each.to_vec::<i64>()?.into_iter().find(|&number| is_outside(number));
        return Err(Wrong::Number(first.unwrap_or(greatest)));
    }
    Ok(if least < 0 { numbers.less(0).choose(numbers.clone() + end, numbers) } else { numbers })
}

/// A take, done at once if everything is ready, so that it checks the indices itself. `None` if one is out of range
/// or something is not ready.
pub(crate) fn taken<'n>(
    array: &Array,
    numbers: impl IntoIterator<Item = &'n Array>,
    take: impl FnOnce() -> Array,
) -> Option<Array> {
    if !array.is_ready() || !numbers.into_iter().all(Array::is_ready) || array.is_watched() {
        return None;
    }
    let taken = take();
    taken.eval().is_ok().then_some(taken)
}
