//! Errors as Python's exceptions, with what they know as attributes.
//!
//! Their classes are in `ndcast/_errors.py`; here each kind of error finds its class.

use ndcast::error::ErrorKind;
use ndcast::layout::LayoutError;
use ndcast::shape::{Dim, Fact, Kind, Shape};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The exception for an error.
pub(crate) fn exception(py: Python<'_>, error: &ndcast::Error) -> PyErr {
    raised(py, error).unwrap_or_else(|failure| failure)
}

/// The exception for an error of a rule.
pub(crate) fn of_rule(py: Python<'_>, error: &ndcast::shape::Error) -> PyErr {
    exception(py, &ndcast::Error::from(error.clone()))
}

fn raised(py: Python<'_>, error: &ndcast::Error) -> PyResult<PyErr> {
    let facts = PyDict::new(py);
    let (class, kind) = match error.kind() {
        ErrorKind::Shape(error) => {
            for (name, fact) in error.facts() {
                facts.set_item(name, fact_to_python(py, &fact)?)?;
            }
            let is_index = matches!(error.kind(), Kind::IndexOutOfRange { .. } | Kind::TooManyIndices { .. });
            (if is_index { "IndexingError" } else { "BroadcastError" }, error.kind().name())
        }
        ErrorKind::Layout(error) => layout(py, error, &facts)?,
        ErrorKind::Promotion(_) => ("DTypeError", "no-common-dtype"),
        ErrorKind::NotTaken { .. } => ("DTypeError", "dtype-not-taken"),
        ErrorKind::OtherType { .. } => ("DTypeError", "other-dtype"),
        ErrorKind::Memory { shape, .. } => {
            if let Some(shape) = shape {
                facts.set_item("shapes", (PyTuple::new(py, shape)?,))?;
            }
            ("MemoryLimitError", "memory")
        }
        ErrorKind::Count { shape, .. } => {
            facts.set_item("shapes", (PyTuple::new(py, shape)?,))?;
            ("ArrayError", "element-count")
        }
        ErrorKind::Range { .. } => ("RangeError", "out-of-range"),
        _ => ("ArrayError", "value"),
    };
    make(py, class, &error.to_string(), kind, &facts)
}

fn layout(
    py: Python<'_>,
    error: &LayoutError,
    facts: &Bound<'_, PyDict>,
) -> PyResult<(&'static str, &'static str)> {
    Ok(match error {
        LayoutError::NoAxis { axis, rank } => {
            facts.set_item("axis", axis)?;
            facts.set_item("rank", rank)?;
            ("AxisError", "axis-out-of-range")
        }
        LayoutError::NotOne { axis, extent } => {
            facts.set_item("axis", axis)?;
            facts.set_item("extent", extent)?;
            ("ArrayError", "extent-not-one")
        }
        LayoutError::NoOrder { order, .. } => {
            facts.set_item("axes", order)?;
            ("ArrayError", "axes-order")
        }
        LayoutError::OtherCount { from, to } => {
            facts.set_item("shapes", (PyTuple::new(py, from)?, PyTuple::new(py, to)?))?;
            ("ArrayError", "element-count")
        }
        LayoutError::TooLarge { shape } => {
            facts.set_item("shapes", (PyTuple::new(py, shape)?,))?;
            ("MemoryLimitError", "too-large")
        }
        LayoutError::OtherPlan { .. } => ("ArrayError", "plan"),
    })
}

/// An exception that is made here and not by the library.
pub(crate) fn own(py: Python<'_>, class: &str, kind: &str, message: &str) -> PyErr {
    make(py, class, message, kind, &PyDict::new(py)).unwrap_or_else(|failure| failure)
}

/// An axis that is not there, as the caller wrote it.
pub(crate) fn axis(py: Python<'_>, axis: i64, rank: usize) -> PyErr {
    let made = || {
        let facts = PyDict::new(py);
        facts.set_item("axis", axis)?;
        facts.set_item("rank", rank)?;
        let message = format!("there is no axis {axis}: the rank is {rank}");
        make(py, "AxisError", &message, "axis-out-of-range", &facts)
    };
    made().unwrap_or_else(|failure| failure)
}

fn make(
    py: Python<'_>,
    class: &str,
    message: &str,
    kind: &str,
    facts: &Bound<'_, PyDict>,
) -> PyResult<PyErr> {
    let class = py.import("ndcast._errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call1((message, kind, facts))?))
}

/// A fact as Python has it: shapes are tuples, unknown extents None, named ones and intervals texts.
pub(crate) fn fact_to_python<'py>(py: Python<'py>, fact: &Fact) -> PyResult<Bound<'py, PyAny>> {
    match fact {
        Fact::Number(n) => n.into_bound_py_any(py),
        Fact::Numbers(numbers) => numbers.into_bound_py_any(py),
        Fact::Extent(dim) => dim_to_python(py, dim),
        Fact::Shape(shape) => shape_to_python(py, shape),
        Fact::Shapes(shapes) => {
            let shapes = shapes.iter().map(|shape| shape_to_python(py, shape));
            PyTuple::new(py, shapes.collect::<PyResult<Vec<_>>>()?)?.into_bound_py_any(py)
        }
        Fact::Text(text) => text.into_bound_py_any(py),
        Fact::Texts(texts) => texts.into_bound_py_any(py),
        Fact::Clash(clash) => {
            let mut found = vec![];
            for side in &clash.found {
                use ndcast::shape::Party;
                let party = match side.party {
                    Party::Operand(operand) => operand.into_bound_py_any(py)?,
                    Party::Target => "target".into_bound_py_any(py)?,
                    Party::Selection => "selection".into_bound_py_any(py)?,
                };
                let entry = PyDict::new(py);
                entry.set_item("operand", party)?;
                entry.set_item("axis", side.axis)?;
                entry.set_item("extent", dim_to_python(py, &side.extent)?)?;
                found.push(entry);
            }
            found.into_bound_py_any(py)
        }
    }
}

/// A shape as a tuple; None if its rank is unknown.
pub(crate) fn shape_to_python<'py>(py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyAny>> {
    let Some(dims) = shape.dims() else { return Ok(py.None().into_bound(py)) };
    let dims = dims.iter().map(|dim| dim_to_python(py, dim)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, dims)?.into_bound_py_any(py)
}

fn dim_to_python<'py>(py: Python<'py>, dim: &Dim) -> PyResult<Bound<'py, PyAny>> {
    match dim {
        Dim::Known(extent) => extent.into_bound_py_any(py),
        Dim::Symbol(symbol) => symbol.name().into_bound_py_any(py),
        dim if *dim == Dim::UNKNOWN => Ok(py.None().into_bound(py)),
        interval => interval.to_string().into_bound_py_any(py),
    }
}
