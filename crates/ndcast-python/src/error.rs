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
    let error = &error.clone().by_standard_name();
    let facts = PyDict::new(py);
    for (name, fact) in error.facts() {
        facts.set_item(name, fact_to_python(py, &fact)?)?;
    }
    if let (ErrorKind::At { name, .. }, ErrorKind::File { .. }) = (error.kind(), error.innermost().kind()) {
        facts.set_item("filename", name)?;
    }
    let class = match error.innermost().kind() {
        ErrorKind::Shape(error) => match error.kind() {
            Kind::IndexOutOfRange { .. } | Kind::TooManyIndices { .. } => "IndexingError",
            _ => "BroadcastError",
        },
        // One shape alone may be wrong, and goes together with no other.
        ErrorKind::Shapes { shapes, .. } if shapes.len() == 1 => "ArrayError",
        ErrorKind::Shapes { .. }
        | ErrorKind::Unequal { .. }
        | ErrorKind::UnequalBesides { .. }
        | ErrorKind::MatMul { .. }
        | ErrorKind::Batch { .. } => "BroadcastError",
        ErrorKind::Layout(LayoutError::NoAxis { .. }) => "AxisError",
        ErrorKind::Promotion(_)
        | ErrorKind::NotTaken { .. }
        | ErrorKind::OtherType { .. }
        | ErrorKind::InputType { .. } => "DTypeError",
        ErrorKind::Memory { .. } | ErrorKind::Layout(LayoutError::TooLarge { .. }) => "MemoryLimitError",
        ErrorKind::Range { .. } => "RangeError",
        ErrorKind::File { kind: std::io::ErrorKind::NotFound, .. } => "MissingFileError",
        ErrorKind::File { .. } => "FileError",
        _ => "ArrayError",
    };
    make(py, class, &format!("{error:#}"), error.name(), &facts)
}

/// An exception that is made here and not by the library.
pub(crate) fn own(py: Python<'_>, class: &str, kind: &str, message: &str) -> PyErr {
    make(py, class, message, kind, &PyDict::new(py)).unwrap_or_else(|failure| failure)
}

/// An object's type, with its article.
pub(crate) fn named(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = object.get_type().name()?.to_string();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']) { "an" } else { "a" };
    Ok(format!("{article} {name}"))
}

/// A value that is not as it must be.
pub(crate) fn value(message: impl AsRef<str>) -> PyErr {
    Python::attach(|py| own(py, "ArrayError", "value", message.as_ref()))
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

/// Arrays that are an index together, and do not broadcast.
pub(crate) fn index_shapes(py: Python<'_>, shapes: &[Vec<usize>]) -> PyErr {
    let made = || {
        let tuples = shapes.iter().map(|shape| PyTuple::new(py, shape)).collect::<PyResult<Vec<_>>>()?;
        let texts: Vec<String> =
            shapes.iter().map(|shape| Shape::from(&shape[..]).brief().to_string()).collect();
        let facts = PyDict::new(py);
        facts.set_item("shapes", PyTuple::new(py, tuples)?)?;
        let message = format!("the arrays of the index do not broadcast: {}", texts.join(" and "));
        make(py, "IndexingError", &message, "index-shapes", &facts)
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
