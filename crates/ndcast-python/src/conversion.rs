//! Arrays from other objects.

use ndcast::{Array, DType, Number};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMemoryView, PyTuple};

use crate::arguments::Device;
use crate::array::{PyArray, converted, made, unlent};
use crate::dtype::{Type, real_or_complex};
use crate::error::{self, exception};
use crate::listed::{DEEPEST, Listed};
use crate::memory::{self, Import};
use crate::mixed;
use crate::numpy::{self, is_numpy};
use crate::operand::number;

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
    let wanted = dtype.map(|dtype| dtype.0);
    if let Ok(array) = obj.cast::<PyArray>() {
        let own = array.get().array().dtype().map_err(|error| exception(py, &error))?;
        let wanted = of_type(own, wanted, copy)?;
        return converted(array, wanted, copy == Some(true));
    }
    let array = if let Some(listed) = Listed::of(obj) {
        may_copy(copy)?;
        listed.array(py, wanted)?
    } else if let Some(number) = number(obj)?
        && !is_numpy(obj)?
    {
        may_copy(copy)?;
        of_number(number, wanted)?
    } else {
        let array = match Holder::of(obj)? {
            Holder::Capsule => crate::dlpack::import(obj, None, copy)?,
            Holder::NumPy(source) => {
                let lent = if copy == Some(false) { Import::OnlyLent } else { Import::Lent };
                memory::import(&source, if copy == Some(true) { Import::Copied } else { lent })?
            }
            Holder::Copy(source, of) => {
                may_copy(copy)?;
                of_copy(&of, source, wanted)?
            }
        };
        let own = array.dtype().map_err(|error| exception(py, &error))?;
        let wanted = of_type(own, wanted, copy)?;
        if wanted == own { array } else { py.detach(|| array.convert(wanted)) }
    };
    Bound::new(py, made(py, array)?)
}

/// What has the elements of an object that is no array of ours.
enum Holder<'py> {
    /// An array or a scalar of NumPy, in memory that is the object's.
    NumPy(Bound<'py, PyAny>),
    /// An array of NumPy that was made of the object, or of its like; and of what.
    Copy(Bound<'py, PyAny>, Bound<'py, PyAny>),
    /// The object itself, by DLPack.
    Capsule,
}

impl<'py> Holder<'py> {
    fn of(obj: &Bound<'py, PyAny>) -> PyResult<Holder<'py>> {
        if is_numpy(obj)? {
            return no_objects(obj, obj.clone()).map(Holder::NumPy);
        }
        let is_list = obj.is_exact_instance_of::<PyList>();
        if obj.is_instance_of::<PyMemoryView>() || !is_list && obj.hasattr("__array__")? {
            return match numpy::asarray(obj) {
                // NumPy has no elements of its type; they may be here.
                Err(_) if obj.hasattr("__dlpack__")? => Ok(Holder::Capsule),
                source => no_objects(obj, source?).map(Holder::NumPy),
            };
        }
        if obj.hasattr("__dlpack__")? {
            return Ok(Holder::Capsule);
        }
        let (source, of) = listed(obj)?;
        // What has a buffer is seen in its own memory.
        if source.getattr("base")?.is_none() {
            Ok(Holder::Copy(source, of))
        } else {
            no_objects(obj, source).map(Holder::NumPy)
        }
    }
}

/// An array of NumPy of an object, and of what it was made: NumPy does not look into arrays within lists whose types it has not
/// itself, so it gets its own.
fn listed<'py>(obj: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let made = numpy::asarray(obj);
    if let Ok(source) = &made
        && kind(source)? != "O"
    {
        return Ok((source.clone(), obj.clone()));
    }
    match with_numpys(obj, 0, &mut { MOST })? {
        Some(of) => Ok((numpy::asarray(&of)?, of)),
        None => Ok((made?, obj.clone())),
    }
}

/// So many parts of lists are looked at: there may be no end, where one is in itself.
const MOST: usize = 1 << 20;

/// A list with NumPy's arrays where there are ours; `None` if there are none among `left` parts.
fn with_numpys<'py>(
    obj: &Bound<'py, PyAny>,
    depth: usize,
    left: &mut usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if obj.is_instance_of::<PyArray>() {
        return numpy::asarray(obj).map(Some);
    }
    if depth > DEEPEST || !obj.is_instance_of::<PyList>() && !obj.is_instance_of::<PyTuple>() {
        return Ok(None);
    }
    let mut has_some = false;
    let parts = PyList::empty(obj.py());
    for part in obj.try_iter()? {
        let part = part?;
        *left = left.saturating_sub(1);
        let other = if *left > 0 { with_numpys(&part, depth + 1, left)? } else { None };
        has_some |= other.is_some();
        parts.append(other.unwrap_or(part))?;
    }
    Ok(has_some.then(|| parts.into_any()))
}

/// An array of a list, of which the elements become those of an array of this type: Python's numbers are as weak as one alone is.
pub(crate) fn listed_into(list: &Bound<'_, PyAny>, dtype: Option<DType>) -> PyResult<Array> {
    let py = list.py();
    if let Some(listed) = Listed::of(list) {
        let own = listed.dtype();
        return listed.array(py, dtype.filter(|&dtype| mixed::holds(dtype, own)));
    }
    let (source, of) = self::listed(list)?;
    if dtype.is_some() && kind(&source)? == "O" {
        return of_copy(&of, source, dtype);
    }
    let array = of_copy(&of, source.clone(), None)?;
    let own = array.dtype().map_err(|error| exception(py, &error))?;
    match dtype.filter(|&dtype| is_of_numbers(own) && mixed::holds(dtype, own)) {
        Some(dtype) => {
            if dtype.is_integer() {
                check_range(&source, dtype)?;
            }
            Ok(array.convert(dtype))
        }
        None => Ok(array),
    }
}

/// Whether NumPy makes elements of this type of Python's numbers.
fn is_of_numbers(dtype: DType) -> bool {
    matches!(dtype, DType::Bool | DType::I64 | DType::F64 | DType::C128)
}

/// The letter that NumPy has for the kind of an array's elements.
fn kind(source: &Bound<'_, PyAny>) -> PyResult<String> {
    source.getattr("dtype")?.getattr("kind")?.extract()
}

/// An array of NumPy of an object, unless its elements are objects.
fn no_objects<'py>(obj: &Bound<'py, PyAny>, source: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if kind(&source)? != "O" {
        return Ok(source);
    }
    if is_numpy(obj)? {
        return Err(PyTypeError::new_err(
            "there are no elements of the type object; astype() makes numbers of them",
        ));
    }
    for item in source.getattr("flat")?.try_iter()? {
        // An integer that no type holds is why NumPy has objects.
        if let Some(Number::Int(n)) = number(&item?)? {
            let widest = if n < 0 { DType::I64 } else { DType::U64 };
            Number::Int(n).tensor(widest).map_err(|error| exception(obj.py(), &error))?;
        }
    }
    let name = error::named(obj)?;
    Err(PyTypeError::new_err(format!("{name} is no array of numbers, nor nested numbers of one shape")))
}

/// An array of what NumPy made of an object, or makes of it when it knows which type is wanted.
fn of_copy<'py>(
    obj: &Bound<'py, PyAny>,
    source: Bound<'py, PyAny>,
    wanted: Option<DType>,
) -> PyResult<Array> {
    let py = obj.py();
    let source = match (wanted, kind(&source)?.as_str()) {
        // Of numbers that have no exact type in common; they may have one in the type that is asked for.
        (Some(wanted), "f") if wanted.is_integer() => numpy::as_type(obj, wanted)?,
        (Some(wanted), "O") => match numpy::as_type(obj, wanted) {
            Err(error) if !error.is_instance_of::<PyOverflowError>(py) => source,
            made => made?,
        },
        _ => source,
    };
    let source = no_objects(obj, source)?;
    if let Some(wanted) = wanted.filter(|wanted| wanted.is_integer()) {
        check_range(&source, wanted)?;
    }
    memory::import(&source, Import::Copied)
}

/// Numbers of Python that an integer type does not hold are an error, and not wrapped.
fn check_range(source: &Bound<'_, PyAny>, dtype: DType) -> PyResult<()> {
    if !matches!(kind(source)?.as_str(), "i" | "u") || source.getattr("size")?.extract::<usize>()? == 0 {
        return Ok(());
    }
    for end in ["min", "max"] {
        let n: i128 = source.call_method0(end)?.call_method0("item")?.extract()?;
        Number::Int(n).tensor(dtype).map_err(|error| exception(source.py(), &error))?;
    }
    Ok(())
}

/// A number as an array: of the type that is wanted, or of its own.
fn of_number(number: Number, wanted: Option<DType>) -> PyResult<Array> {
    let own = match number {
        // As NumPy has it.
        Number::Int(n) if i64::try_from(n).is_err() && u64::try_from(n).is_ok() => DType::U64,
        _ => number.default_dtype(),
    };
    let dtype = of_type(own, wanted, None)?;
    Ok(number.tensor(dtype).into())
}

/// The type that elements become, which may need a copy.
fn of_type(own: DType, wanted: Option<DType>, copy: Option<bool>) -> PyResult<DType> {
    let wanted = wanted.unwrap_or(own);
    real_or_complex(own, wanted)?;
    if wanted != own {
        may_copy(copy)?;
    }
    Ok(wanted)
}

/// An error if no copy may be made.
fn may_copy(copy: Option<bool>) -> PyResult<()> {
    match copy {
        Some(false) => Err(error::value("this takes a copy, which copy=False does not allow")),
        _ => Ok(()),
    }
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

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(asarray, module)?)?;
    module.add_function(wrap_pyfunction!(from_dlpack, module)?)
}
