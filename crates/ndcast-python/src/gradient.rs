//! Watching arrays, for `ndcast/_grad.py` to differentiate functions; and what must not be done to those that are watched.

use std::sync::{Mutex, PoisonError};

use ndcast::Array;
use ndcast::graph;
use pyo3::prelude::*;

use crate::array::{PyArray, made};
use crate::error::{exception, own};
use crate::operand::Given;

/// Arrays that are watched, until their gradients are asked for.
#[pyclass(frozen, module = "ndcast")]
pub(crate) struct Tape(Mutex<Option<graph::Tape>>);

/// Watches arrays: the tape, and what is to be computed with instead of them.
#[pyfunction]
fn watch(py: Python<'_>, arrays: Vec<Given>) -> PyResult<(Tape, Vec<PyArray>)> {
    let arrays: Vec<&Array> = arrays.iter().map(|given| &given.0).collect();
    let tape = graph::Tape::new(&arrays).map_err(|error| exception(py, &error))?;
    let watched = tape.watched().iter().map(|array| made(py, array.clone())).collect::<PyResult<_>>()?;
    Ok((Tape(Mutex::new(Some(tape))), watched))
}

#[pymethods]
impl Tape {
    /// The gradients of `of` by the watched arrays; the tape is then used up.
    fn gradients(&self, py: Python<'_>, of: Given) -> PyResult<Vec<PyArray>> {
        let tape = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(tape) = tape else { return Ok(vec![]) };
        let gradients = py.detach(|| tape.gradients(&of.0)).map_err(|error| exception(py, &error))?;
        gradients.into_iter().map(|gradient| made(py, gradient)).collect()
    }
}

/// The same value as a constant for whoever differentiates: no gradient goes through it.
///
/// >>> import ndcast
/// >>> ndcast.grad(lambda x: x * ndcast.stop_gradient(x))(3.0)
/// Array(3.)
#[pyfunction]
#[pyo3(signature = (x, /))]
fn stop_gradient(py: Python<'_>, x: Given) -> PyResult<PyArray> {
    made(py, x.0.unwatched())
}

/// An error if the array's gradient is wanted, and would be lost in numbers.
pub(crate) fn check_unwatched(py: Python<'_>, array: &Array) -> PyResult<()> {
    if !array.is_watched() {
        return Ok(());
    }
    Err(own(
        py,
        "ArrayError",
        "watched",
        "an array that is being differentiated would become numbers, through which no gradient goes: compute with the \
         array itself (ndcast.stack puts arrays together), or make it a constant with ndcast.stop_gradient",
    ))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Tape>()?;
    module.add_function(wrap_pyfunction!(watch, module)?)?;
    module.add_function(wrap_pyfunction!(stop_gradient, module)?)
}
