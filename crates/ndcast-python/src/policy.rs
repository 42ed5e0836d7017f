//! Whether somebody wants to hear of implicit broadcasting.
//!
//! What is allowed is decided in `ndcast/_policy.py`; here is only the question whether to ask there, which costs one
//! load where nobody wants to.

use std::sync::atomic::{AtomicUsize, Ordering};

use ndcast::Operand;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// How many policies are in force, in any thread.
static ENTERED: AtomicUsize = AtomicUsize::new(0);

/// Asks whether these may be broadcast.
#[inline]
pub(crate) fn check(py: Python<'_>, name: &str, operands: &[Operand]) -> PyResult<()> {
    if ENTERED.load(Ordering::Relaxed) == 0 { Ok(()) } else { ask(py, name, operands) }
}

#[cold]
fn ask(py: Python<'_>, name: &str, operands: &[Operand]) -> PyResult<()> {
    let mut shapes = vec![];
    for operand in operands {
        if let Operand::Array(array) = operand
            && let Ok(shape) = array.shape()
        {
            shapes.push(PyTuple::new(py, shape)?);
        }
    }
    py.import("ndcast._policy")?.call_method1("check", (name, shapes))?;
    Ok(())
}

#[pyfunction]
fn enter_policy() {
    ENTERED.fetch_add(1, Ordering::Relaxed);
}

#[pyfunction]
fn leave_policy() {
    ENTERED.fetch_sub(1, Ordering::Relaxed);
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(enter_policy, module)?)?;
    module.add_function(wrap_pyfunction!(leave_policy, module)?)
}
