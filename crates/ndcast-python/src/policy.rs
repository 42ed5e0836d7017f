//! Whether somebody wants to hear of implicit broadcasting.
//!
//! What is allowed is decided in `ndcast/_policy.py`; here is only the question whether to ask there, which costs one
//! load before there was a policy anywhere.

use ndcast::{Array, Operand};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

/// The context variable with the policy of this thread and task, from the first policy on.
static CURRENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Whether there is a policy here.
#[inline]
pub(crate) fn is_in_force(py: Python<'_>) -> bool {
    CURRENT.get(py).is_some_and(|current| is_set(current.bind(py)))
}

#[cold]
fn is_set(current: &Bound<'_, PyAny>) -> bool {
    current.call_method0(intern!(current.py(), "get")).is_ok_and(|policy| !policy.is_none())
}

/// Asks whether these may be broadcast.
#[inline]
pub(crate) fn check(py: Python<'_>, name: &str, operands: &[Operand]) -> PyResult<()> {
    if is_in_force(py) { ask(py, name, operands) } else { Ok(()) }
}

#[cold]
fn ask(py: Python<'_>, name: &str, operands: &[Operand]) -> PyResult<()> {
    let shape = |operand: &Operand| match operand {
        Operand::Array(array) => array.shape().ok().map(<[usize]>::to_vec),
        Operand::Number(_) => None,
    };
    told(py, name, &operands.iter().filter_map(shape).collect::<Vec<_>>(), 0)
}

/// As [`check`], of shapes.
pub(crate) fn check_shapes(py: Python<'_>, name: &str, shapes: &[&[usize]]) -> PyResult<()> {
    if is_in_force(py) { told(py, name, shapes, 0) } else { Ok(()) }
}

/// As [`check`], of all but the `last` axes, which are not broadcast.
pub(crate) fn check_but(py: Python<'_>, name: &str, arrays: [&Array; 2], last: usize) -> PyResult<()> {
    let shapes = arrays.map(|array| array.shape().unwrap_or_default());
    if is_in_force(py) { told(py, name, &shapes, last) } else { Ok(()) }
}

fn told<S: AsRef<[usize]>>(py: Python<'_>, name: &str, shapes: &[S], but: usize) -> PyResult<()> {
    let shapes = shapes.iter().map(|shape| PyTuple::new(py, shape.as_ref())).collect::<PyResult<Vec<_>>>()?;
    py.import("ndcast._policy")?.call_method1("check", (name, shapes, but))?;
    Ok(())
}

/// Says which context variable has the policies.
#[pyfunction]
fn has_policies(py: Python<'_>, current: Py<PyAny>) {
    // Whoever comes first says the same.
    let _ = CURRENT.set(py, current);
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(has_policies, module)?)
}
