//! The Python module `ndcast`: an Array API namespace over lazy arrays.
//!
//! Here is only what Python needs to reach the library: its objects as arrays and numbers, its arguments as axes and
//! shapes, errors as its exceptions, memory both ways. What arrays can do is in the crate `ndcast`. Functions that are an
//! operation each are made from the one list of them, names, arguments and text included.
//!
//! Arrays are values, also here: a handle may be changed in place, but no other handle sees it, and memory that is shown
//! to Python is never written. An operation that cannot be done raises at once; nothing else is computed before
//! somebody looks, and then without the interpreter's lock.

#![allow(
    clippy::needless_pass_by_value,
    reason = "arguments of functions for Python are values made for them"
)]

mod arguments;
mod array;
mod buffer;
mod conversion;
mod creation;
mod dlpack;
mod dtype;
mod elementwise;
mod error;
mod explain;
mod gradient;
mod index;
mod iteration;
mod linear;
mod listed;
mod manipulation;
mod memory;
mod mixed;
mod model;
mod numpy;
mod operand;
mod operators;
mod parts;
mod picked;
mod policy;
mod reductions;
mod scalar;
mod searching;
mod system;
mod text;

use pyo3::prelude::*;

/// What `ndcast/__init__.py` is assembled from.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // The interpreter's lock is not held while something is computed.
    ndcast::leave_overdue();
    module.add_class::<array::PyArray>()?;
    elementwise::add_to(module)?;
    reductions::add_to(module)?;
    conversion::add_to(module)?;
    creation::add_to(module)?;
    manipulation::add_to(module)?;
    searching::add_to(module)?;
    linear::add_to(module)?;
    explain::add_to(module)?;
    gradient::add_to(module)?;
    model::add_to(module)?;
    policy::add_to(module)?;
    system::add_to(module)
}
