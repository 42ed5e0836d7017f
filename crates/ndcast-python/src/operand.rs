//! What Python objects are as operands: arrays, NumPy's arrays and scalars, and Python's own numbers, which are weak.

use ndcast::{Array, Number, Operand};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyList, PyTuple};

use crate::array::PyArray;
use crate::error;
use crate::memory::{self, Import};
use crate::numpy::is_numpy;

/// An operand; None if it is nothing that can be computed with.
pub(crate) fn operand(object: &Bound<'_, PyAny>) -> PyResult<Option<Operand>> {
    if let Ok(array) = object.cast::<PyArray>() {
        return Ok(Some(array.get().array().into()));
    }
    if let Ok(n) = object.cast_exact::<PyFloat>() {
        return Ok(Some(Number::Float(n.value()).into()));
    }
    if let Ok(n) = object.cast_exact::<PyInt>() {
        return integer(n).map(|n| Some(n.into()));
    }
    if let Ok(truth) = object.cast_exact::<PyBool>() {
        return Ok(Some(Number::Bool(truth.is_true()).into()));
    }
    // NumPy's float64 is a Python float too, so it is asked for before those.
    if is_numpy(object)? {
        return memory::import(object, Import::AsItIs).map(|array| Some(array.into()));
    }
    number(object).map(|number| number.map(Operand::from))
}

/// A number of Python; None if it is none.
pub(crate) fn number(object: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
    Ok(if let Ok(truth) = object.cast::<PyBool>() {
        Some(Number::Bool(truth.is_true()))
    } else if let Ok(n) = object.cast::<PyInt>() {
        Some(integer(n)?)
    } else if let Ok(n) = object.cast::<PyFloat>() {
        Some(Number::Float(n.value()))
    } else if let Ok(n) = object.cast::<PyComplex>() {
        Some(Number::Complex(n.extract()?))
    } else {
        None
    })
}

fn integer(n: &Bound<'_, PyInt>) -> PyResult<Number> {
    if let Ok(n) = n.extract::<i64>() {
        return Ok(Number::Int(n.into()));
    }
    n.extract::<i128>().map(Number::Int).map_err(|_| {
        PyOverflowError::new_err(
            "an integer of more than 128 bits goes with no element type; as a float it may",
        )
    })
}

/// The error of an argument that is not what is expected, and what would be if it is a list of numbers.
pub(crate) fn refused(object: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let is_list = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    let hint = if is_list && expected.contains("array") { "; asarray() makes an array of it" } else { "" };
    match error::named(object) {
        Ok(name) => PyTypeError::new_err(format!("{expected}, not {name}{hint}")),
        Err(error) => error,
    }
}

/// An argument that is an array: one of ours or of NumPy.
#[derive(Clone)]
pub(crate) struct Given(pub(crate) Array);

impl<'py> FromPyObject<'_, 'py> for Given {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Given> {
        if let Ok(array) = object.cast::<PyArray>() {
            return Ok(Given(array.get().array()));
        }
        if is_numpy(&object)? {
            return memory::import(&object, Import::AsItIs).map(Given);
        }
        Err(refused(&object, "an array is expected here"))
    }
}

/// An argument that is an array or a number.
pub(crate) struct Either(pub(crate) Operand);

impl<'py> FromPyObject<'_, 'py> for Either {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Either> {
        match operand(&object)? {
            Some(operand) => Ok(Either(operand)),
            None => Err(refused(&object, "an array or a number is expected here")),
        }
    }
}

/// An argument that is a number of Python, or an array without axes.
#[derive(Clone, Copy)]
pub(crate) struct Plain(pub(crate) Number);

impl<'py> FromPyObject<'_, 'py> for Plain {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Plain> {
        let is_one = |array: &PyArray| array.array().rank() == Ok(0);
        let is_array = is_numpy(&object)? || object.cast::<PyArray>().is_ok_and(|array| is_one(array.get()));
        let unpacked = if is_array { object.call_method0("item")? } else { object.to_owned() };
        match number(&unpacked)? {
            Some(number) => Ok(Plain(number)),
            None => Err(refused(&object, "a number is expected here")),
        }
    }
}
