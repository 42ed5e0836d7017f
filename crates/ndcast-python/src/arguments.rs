//! Arguments that many functions take: axes, which may be counted from the end, shapes, and a device.

use ndcast::Keep;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PySequence, PyTuple};

use crate::error;
use crate::operand::refused;

/// One number or several.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(pub(crate) Vec<i64>);

impl<'py> FromPyObject<'_, 'py> for Numbers {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Numbers> {
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("a truth value is no number of an axis or an extent"));
        }
        // Most are tuples, and to ask any sequence for its items takes several times as long.
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return tuple.iter_borrowed().map(|item| item.extract()).collect::<PyResult<_>>().map(Numbers);
        }
        // That a list is no number would be an error made for nothing.
        if !object.is_instance_of::<PyList>()
            && let Ok(one) = object.extract::<i64>()
        {
            return Ok(Numbers(vec![one]));
        }
        if object.is_instance_of::<PyInt>() {
            return Err(error::value(format!(
                "{} is beyond what an axis, an extent or a shift can be",
                object.str()?
            )));
        }
        let sequence = object
            .cast::<PySequence>()
            .map_err(|_| refused(&object, "an integer or a tuple of integers is expected here"))?;
        sequence.try_iter()?.map(|item| item?.extract()).collect::<PyResult<_>>().map(Numbers)
    }
}

/// An axis counted from the front.
pub(crate) fn axis(py: Python<'_>, number: i64, rank: usize) -> PyResult<usize> {
    let signed = i64::try_from(rank).unwrap_or(i64::MAX);
    let from_front = if number < 0 { number.saturating_add(signed) } else { number };
    let found = usize::try_from(from_front).ok().filter(|&axis| axis < rank);
    found.ok_or_else(|| error::axis(py, number, rank))
}

/// The axis that is named, or the only one there is.
pub(crate) fn axis_or_only(
    py: Python<'_>,
    function: &str,
    number: Option<i64>,
    rank: usize,
) -> PyResult<usize> {
    match number {
        Some(number) => axis(py, number, rank),
        None if rank == 1 => Ok(0),
        None => Err(error::value(format!(
            "{function}: axis= says along which axis, and may be left out only of an array of one axis; this has {rank}"
        ))),
    }
}

/// Axes counted from the front; all, if none are given.
pub(crate) fn axes(py: Python<'_>, numbers: Option<&Numbers>, rank: usize) -> PyResult<Vec<usize>> {
    let Some(Numbers(numbers)) = numbers else { return Ok((0..rank).collect()) };
    let axes = numbers.iter().map(|&number| axis(py, number, rank)).collect::<PyResult<Vec<_>>>()?;
    distinct(&axes)?;
    Ok(axes)
}

/// Checks that no axis is there twice.
fn distinct(axes: &[usize]) -> PyResult<()> {
    let twice = (1..axes.len()).find(|&n| axes[..n].contains(&axes[n]));
    twice.map_or(Ok(()), |n| Err(error::value(format!("axis {} is named twice", axes[n]))))
}

/// A shape, which has no negative extents.
pub(crate) fn shape(numbers: &Numbers) -> PyResult<Vec<usize>> {
    let extent = |&n: &i64| {
        usize::try_from(n).map_err(|_| error::value(format!("an extent is not negative, and {n} is")))
    };
    numbers.0.iter().map(extent).collect()
}

/// The integer that an object is, however large.
fn integer<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    object.call_method0("__index__").map_err(|_| refused(&object, "an integer is expected here"))
}

/// How many columns to the right a diagonal is; one beyond all matrices stands for those that are further.
#[derive(Clone, Copy)]
pub(crate) struct Offset(pub(crate) i64);

impl Offset {
    pub(crate) fn signed(self) -> isize {
        isize::try_from(self.0).unwrap_or(if self.0 < 0 { -isize::MAX } else { isize::MAX })
    }
}

impl<'py> FromPyObject<'_, 'py> for Offset {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Offset> {
        let offset = integer(object)?;
        let far = if offset.lt(0)? { -i64::MAX } else { i64::MAX };
        Ok(Offset(offset.extract().unwrap_or(far)))
    }
}

/// How many of something.
#[derive(Clone, Copy)]
pub(crate) struct Count(pub(crate) usize);

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Count> {
        let number = integer(object)?;
        if number.lt(0)? {
            return Err(error::value(format!("a count is not negative, and {number} is")));
        }
        number.extract().map(Count)
    }
}

/// Whether axes are kept.
pub(crate) fn keep(keepdims: bool) -> Keep {
    if keepdims { Keep::Axes } else { Keep::Nothing }
}

/// An argument that names the device; there is only one.
#[derive(Clone, Copy)]
pub(crate) struct Device;

impl<'py> FromPyObject<'_, 'py> for Device {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Device> {
        if object.extract::<String>().is_ok_and(|name| name == "cpu") {
            return Ok(Device);
        }
        Err(error::value(format!("there is only the device \"cpu\", not {}", object.repr()?)))
    }
}
