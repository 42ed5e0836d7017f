//! What a rule does with shapes, for `ndcast/_explain.py` to show.

use ndcast::DType;
use ndcast::shape::explain::{Explanation, elsewhere, suggest};
use ndcast::shape::rule;
use ndcast::shape::{Dim, Index, Plan, Request, Shape, Source, parse_index};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

use crate::array::PyArray;
use crate::dtype::Type;
use crate::error::{fact_to_python, of_rule, shape_to_python};

/// The names of the rules, with what each does.
#[pyfunction]
fn rules() -> Vec<(&'static str, &'static str)> {
    rule::ALL.iter().map(|rule| (rule.name, rule.summary)).collect()
}

fn no_extent(object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("an extent is an integer, a name, an interval or None, not {object}"))
}

/// An extent as Python writes it: an integer, a text that is a name or an interval, or None. Each is read by itself: `"text_len"`
/// is one name, though a text of several extents is cut at every x.
fn extent(object: &Bound<'_, PyAny>) -> PyResult<Dim> {
    let text = if object.is_none() {
        return Ok(Dim::UNKNOWN);
    } else if let Ok(text) = object.cast::<PyString>() {
        text.to_cow()?.into_owned()
    } else if object.is_instance_of::<PyBool>() {
        return Err(no_extent(object));
    } else {
        object.call_method0("__index__").map_err(|_| no_extent(object))?.str()?.to_string()
    };
    text.parse().map_err(|error| of_rule(object.py(), &error))
}

/// A shape as Python writes it: a tuple of extents, or only one; a text; None for an unknown rank; or an array, whose shape it is.
fn shape(object: &Bound<'_, PyAny>) -> PyResult<Shape> {
    let py = object.py();
    if object.is_none() {
        Ok(Shape::UNRANKED)
    } else if let Ok(text) = object.cast::<PyString>() {
        text.to_cow()?.parse().map_err(|error| of_rule(py, &error))
    } else if let Ok(array) = object.cast::<PyArray>() {
        let array = array.get().array();
        array.shape().map(Shape::from).map_err(|error| crate::error::exception(py, &error))
    } else if object.hasattr("shape")? {
        shape(&object.getattr("shape")?)
    } else if object.hasattr("__index__")? {
        Ok(Shape::from([extent(object)?]))
    } else {
        object.try_iter()?.map(|one| extent(&one?)).collect()
    }
}

/// What an index selects: it is written as text, or as what stands between the brackets.
fn selection(index: &Bound<'_, PyAny>) -> PyResult<Vec<Index>> {
    match index.extract::<&str>() {
        Ok(text) => parse_index(text).map_err(|error| of_rule(index.py(), &error)),
        Err(_) => crate::index::basic(index),
    }
}

/// All that is known of a broadcast.
#[pyfunction]
#[pyo3(signature = (rule, shapes, *, target=None, axes=None, axis=None, index=None, dtype=None))]
fn explain<'py>(
    rule: &Bound<'py, PyString>,
    shapes: &Bound<'py, PyTuple>,
    target: Option<&Bound<'py, PyAny>>,
    axes: Option<Vec<i64>>,
    axis: Option<i64>,
    index: Option<&Bound<'py, PyAny>>,
    dtype: Option<Type>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = rule.py();
    let wrong = |error: ndcast::shape::Error| of_rule(py, &error);
    let found = rule::find(&rule.to_cow()?).map_err(wrong)?;
    let shapes = shapes.iter().map(|one| shape(&one)).collect::<PyResult<Vec<_>>>()?;
    let request = Request {
        target: target.map(shape).transpose()?,
        axes,
        axis,
        index: index.map(selection).transpose()?,
        ..Request::new(found, shapes)
    };
    entries(py, &request, dtype.map_or(DType::F32, |dtype| dtype.0))
}

/// The request, its answer, and both as text and as a drawing.
pub(crate) fn entries<'py>(py: Python<'py>, request: &Request, dtype: DType) -> PyResult<Bound<'py, PyDict>> {
    let element = dtype.element();
    let explanation = Explanation::new(request);
    let style = ndcast::shape::explain::Style { element, ..Default::default() };
    let entries = PyDict::new(py);
    entries.set_item("rule", request.rule.name)?;
    entries.set_item("summary", request.rule.summary)?;
    entries.set_item("text", explanation.text(&style))?;
    entries.set_item("html", explanation.html(&style))?;
    entries.set_item("shapes", tuple(py, &request.shapes)?)?;
    match explanation.result() {
        Ok(answer) => {
            entries.set_item("ok", true)?;
            entries.set_item("shape", shape_to_python(py, answer.shape())?)?;
            if let Some(plan) = answer.plan() {
                entries.set_item("operands", operands(py, plan)?)?;
                let texts = elsewhere(request, &element);
                let texts = texts.into_iter().map(|other| {
                    (
                        other.dialect.name(),
                        other.lines.unwrap_or_else(|why| vec![format!("cannot: {why}")]).join("\n"),
                    )
                });
                entries.set_item("elsewhere", texts.collect::<Vec<_>>())?;
            }
        }
        Err(error) => {
            entries.set_item("ok", false)?;
            entries.set_item("kind", error.kind().name())?;
            entries.set_item("message", error.to_string())?;
            let facts = PyDict::new(py);
            for (name, fact) in error.facts() {
                facts.set_item(name, fact_to_python(py, &fact)?)?;
            }
            entries.set_item("facts", facts)?;
            let suggestions = suggest(request);
            let suggestions = suggestions.iter().map(|one| (one.what.clone(), one.shape.brief().to_string()));
            entries.set_item("suggestions", suggestions.collect::<Vec<_>>())?;
        }
    }
    Ok(entries)
}

fn tuple<'py>(py: Python<'py>, shapes: &[Shape]) -> PyResult<Bound<'py, PyTuple>> {
    let shapes = shapes.iter().map(|shape| shape_to_python(py, shape)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, shapes)
}

/// For each operand and each axis of the result how it is read: the operand's axis, or None, or what it does there.
fn operands<'py>(py: Python<'py>, plan: &Plan<ndcast::shape::Dim>) -> PyResult<Bound<'py, PyList>> {
    let mut all = vec![];
    for sources in plan.operands() {
        let mut read = vec![];
        for source in sources {
            let named = |name: &str, axis: usize| {
                let entry = PyDict::new(py);
                entry.set_item(name, axis)?;
                Ok::<_, PyErr>(entry.into_any())
            };
            read.push(match *source {
                Source::Axis(axis) => axis.into_bound_py_any(py)?,
                Source::New => py.None().into_bound(py),
                Source::Stretched(axis) => named("stretch", axis)?,
                Source::Undecided(axis) => named("undecided", axis)?,
            });
        }
        all.push(read);
    }
    PyList::new(py, all)
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rules, module)?)?;
    module.add_function(wrap_pyfunction!(explain, module)?)
}
