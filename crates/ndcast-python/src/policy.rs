//! Whether somebody wants to hear of implicit broadcasting.
//!
//! What is allowed is decided in `ndcast/_policy.py`; here is only the question whether to ask there, which costs one
//! load where nobody wants to.

use std::sync::atomic::{AtomicUsize, Ordering};

use ndcast::{Array, Operand};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// How many policies are in force, in any thread.
static ENTERED: AtomicUsize = AtomicUsize::new(0);

/// Whether there is a policy in any thread.
#[inline]
pub(crate) fn is_in_force() -> bool {
    ENTERED.load(Ordering::Relaxed) != 0
}

/// Asks whether these may be broadcast.
#[inline]
pub(crate) fn check(py: Python<'_>, name: &str, operands: &[Operand]) -> PyResult<()> {
    if is_in_force() { ask(py, name, operands) } else { Ok(()) }
}

#[cold]
fn ask(py: Python<'_>, name: &str, operands: &[Operand]) -> PyResult<()> {
    let shape = |operand: &Operand| match operand {
        Operand::Array(array) => array.shape().ok().map(<[usize]>::to_vec),
        Operand::Number(_) => None,
    };
    told(py, name, &operands.iter().filter_map(shape).collect::<Vec<_>>())
}

/// As [`check`], of shapes.
pub(crate) fn check_shapes(py: Python<'_>, name: &str, shapes: &[&[usize]]) -> PyResult<()> {
    if is_in_force() { told(py, name, shapes) } else { Ok(()) }
}

/// As [`check`], of all but the `last` axes, which are not broadcast.
pub(crate) fn check_but(py: Python<'_>, name: &str, arrays: [&Array; 2], last: usize) -> PyResult<()> {
    let outer = |array: &Array| {
        array.shape().map_or_else(|_| vec![], |shape| shape[..shape.len().saturating_sub(last)].to_vec())
    };
    let shapes = arrays.map(outer);
    check_shapes(py, name, &shapes.each_ref().map(Vec::as_slice))
}

fn told<S: AsRef<[usize]>>(py: Python<'_>, name: &str, shapes: &[S]) -> PyResult<()> {
    let shapes = shapes.iter().map(|shape| PyTuple::new(py, shape.as_ref())).collect::<PyResult<Vec<_>>>()?;
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
