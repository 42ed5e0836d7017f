//! The elementwise functions: one object for each operation of the list, made from its record.
//!
//! Nothing here is written for one of them: their names, arguments, defaults and texts are the record's.

use ndcast::op::Body;
use ndcast::{Array, Number, Op, Operand};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::array::{PyArray, made};
use crate::error::exception;
use crate::operand::{operand, refused};
use crate::{mixed, policy};

/// Arrays of so many elements and more are computed without the interpreter's lock, if they are computed at once.
const LARGE: usize = 1 << 12;

// A function of the namespace that is one elementwise operation. (Each says what it does itself, so the class has no text
// for Python.)
#[pyclass(frozen, name = "Function", module = "ndcast")]
pub(crate) struct Function {
    op: Op,
}

/// The result of an operation: a lazy array, or an error.
#[inline]
pub(crate) fn apply(py: Python<'_>, op: Op, operands: &mut [Operand]) -> PyResult<Array> {
    policy::check(py, op.record().name, operands)?;
    // The condition of `where` keeps its own type.
    let own = usize::from(matches!(op.record().body, Body::Select)).min(operands.len());
    let at_once = |operand: &Operand| match operand {
        Operand::Array(array) => {
            array.is_lent() && array.shape().is_ok_and(|shape| shape.iter().product::<usize>() >= LARGE)
        }
        Operand::Number(_) => false,
    };
    let at_once = operands.iter().any(at_once);
    Array::as_operands(|| {
        mixed::truths(op, operands);
        mixed::beyond(op, operands);
        mixed::alike(&mut operands[own..]);
    });
    Ok(if at_once { py.detach(|| Array::apply(op, operands)) } else { Array::apply(op, operands) })
}

impl Function {
    /// The name in the namespace: the Array API's, or the library's own.
    fn name(&self) -> &'static str {
        let record = self.op.record();
        if record.names.array_api.is_empty() { record.name } else { record.names.array_api }
    }

    /// The fast path: all arguments by position. `None` if one is no operand or none is an array; `__call__` reports that.
    fn of_all<const N: usize>(&self, given: &Bound<'_, PyTuple>) -> PyResult<Option<PyArray>> {
        let mut operands = [const { Operand::Number(Number::Int(0)) }; N];
        for (place, argument) in operands.iter_mut().zip(given.iter_borrowed()) {
            let Some(operand) = operand(&argument)? else { return Ok(None) };
            *place = operand;
        }
        if !operands.iter().any(|operand| matches!(operand, Operand::Array(_))) {
            return Ok(None);
        }
        made(given.py(), apply(given.py(), self.op, &mut operands)?).map(Some)
    }

    /// The arguments in their order.
    fn arguments<'py>(
        &self,
        given: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        let expected = self.op.record().arguments;
        if given.len() > expected.len() {
            let (name, most, found) = (self.name(), expected.len(), given.len());
            let arguments = if most == 1 { "argument" } else { "arguments" };
            let text = format!("{name}() takes {most} {arguments}, and {found} are given");
            return Err(PyTypeError::new_err(text));
        }
        let mut arguments: Vec<Option<Bound<'py, PyAny>>> = given.iter().map(Some).collect();
        arguments.resize(expected.len(), None);
        for (name, value) in named.into_iter().flatten() {
            let name = name.cast::<PyString>()?.to_cow()?.into_owned();
            let place =
                expected.iter().position(|argument| argument.name == name && argument.default.is_some());
            match place {
                Some(place) if place >= given.len() => arguments[place] = Some(value),
                Some(_) => {
                    let text = format!("{}() has the argument {name:?} twice", self.name());
                    return Err(PyTypeError::new_err(text));
                }
                None => {
                    let text = format!("{}() takes no argument named {name:?} here", self.name());
                    return Err(PyTypeError::new_err(text));
                }
            }
        }
        for (place, argument) in arguments.iter_mut().enumerate() {
            *argument = argument.take().filter(|argument| !argument.is_none());
            if argument.is_none() && expected[place].default.is_none() {
                let text = format!("{}() lacks the argument {}", self.name(), expected[place].name);
                return Err(PyTypeError::new_err(text));
            }
        }
        Ok(arguments)
    }
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*given, **named))]
    fn __call__(&self, given: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<PyArray> {
        let py = given.py();
        if named.is_none() && given.len() == self.op.record().arguments.len() {
            let made = match given.len() {
                1 => self.of_all::<1>(given)?,
                2 => self.of_all::<2>(given)?,
                3 => self.of_all::<3>(given)?,
                _ => None,
            };
            if let Some(made) = made {
                return Ok(made);
            }
        }
        let mut arguments = self.arguments(given, named)?;
        while arguments.last().is_some_and(Option::is_none) {
            arguments.pop();
        }
        let mut operands: Vec<Option<Operand>> = vec![];
        for argument in &arguments {
            operands.push(match argument {
                None => None,
                Some(argument) => match operand(argument)? {
                    Some(operand) => Some(operand),
                    None => {
                        return Err(refused(
                            argument,
                            &format!("{}() takes arrays and numbers", self.name()),
                        ));
                    }
                },
            });
        }
        let is_array = |operand: &Option<Operand>| matches!(operand, Some(Operand::Array(_)));
        let Some(Operand::Array(first)) =
            operands.iter().find(|operand| is_array(operand)).cloned().flatten()
        else {
            let text = format!("at least one argument of {}() is an array", self.name());
            return Err(PyTypeError::new_err(text));
        };
        // What is left out before others is a number of the type that the others have together.
        let mut given: Vec<Operand> = operands.iter().flatten().cloned().collect();
        mixed::alike(&mut given);
        let of_array =
            |operand: &Operand| if let Operand::Array(array) = operand { array.dtype().ok() } else { None };
        let own = first.dtype().map_err(|error| exception(py, &error))?;
        let dtype = given.iter().find_map(of_array).unwrap_or(own);
        let left_out = |place: usize| Operand::Array(Array::default_argument(self.op, place, dtype));
        let mut operands: Vec<Operand> = operands
            .into_iter()
            .enumerate()
            .map(|(place, own)| own.unwrap_or_else(|| left_out(place)))
            .collect();
        made(py, apply(py, self.op, &mut operands)?)
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.name()
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.name()
    }

    #[getter]
    fn __doc__(&self) -> String {
        text(self.op, self.name())
    }

    /// For `inspect.signature`.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let parameter = inspect.getattr("Parameter")?;
        let mut parameters = vec![];
        for argument in self.op.record().arguments {
            let (kind, named) = match argument.default {
                None => ("POSITIONAL_ONLY", PyDict::new(py)),
                Some(_) => ("POSITIONAL_OR_KEYWORD", PyDict::new(py)),
            };
            if argument.default.is_some() {
                named.set_item("default", py.None())?;
            }
            parameters.push(parameter.call((argument.name, parameter.getattr(kind)?), Some(&named))?);
        }
        inspect.getattr("Signature")?.call1((parameters,))
    }

    /// Pickled by its name.
    fn __reduce__(&self) -> &'static str {
        self.name()
    }

    fn __repr__(&self) -> String {
        format!("<function ndcast.{}>", self.name())
    }
}

/// What a function's documentation says.
fn text(op: Op, name: &str) -> String {
    let record = op.record();
    let mut text = format!("{name}({})\n\n{}\n", signature(op), record.summary);
    if record.accuracy != "exact" {
        text += &format!("\nHow near the result is to the exact one: {}.\n", record.accuracy);
    }
    for argument in record.arguments {
        if let Some(default) = argument.default {
            let default = match default {
                f64::INFINITY => "no limit".to_owned(),
                f64::NEG_INFINITY => "no limit".to_owned(),
                number => number.to_string(),
            };
            text += &format!("\nIf {} is left out, it is {default}.\n", argument.name);
        }
    }
    if !record.examples.is_empty() {
        text += "\nExamples, by element type:\n\n";
        for example in record.examples {
            text += &format!("    {example}\n");
        }
    }
    text
}

fn signature(op: Op) -> String {
    let arguments = op.record().arguments;
    let arrays = arguments.iter().filter(|argument| argument.default.is_none());
    let mut parts: Vec<String> = arrays.map(|argument| argument.name.to_owned()).collect();
    parts.push("/".to_owned());
    let numbers = arguments.iter().filter(|argument| argument.default.is_some());
    parts.extend(numbers.map(|argument| format!("{}=None", argument.name)));
    parts.join(", ")
}

/// Names and records of all functions, for the stubs.
#[pyfunction]
fn elementwise_functions() -> Vec<(&'static str, String, &'static str)> {
    let entry = |op: &Op| (Function { op: *op }.name(), signature(*op), op.record().summary);
    Op::ALL.iter().map(entry).collect()
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for &op in Op::ALL {
        let function = Function { op };
        module.add(function.name(), Py::new(module.py(), function)?)?;
    }
    module.add_class::<Function>()?;
    module.add_function(wrap_pyfunction!(elementwise_functions, module)?)
}
