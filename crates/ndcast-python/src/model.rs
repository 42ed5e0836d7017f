//! Models from files, for `ndcast/_model.py` to show: read, run, differentiated, written.

use std::path::PathBuf;

use ndcast::Array;
use ndcast::format::{self, data};
use ndcast::graph::{Graph, Runner, Site, gradient};
use ndcast::shape::explain::{Explanation, Style};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::array::{PyArray, made, tensor, unlent};
use crate::error::{exception, shape_to_python};
use crate::operand::Given;
use crate::{dtype, explain};

/// A program of named inputs and outputs, which remembers what it needs to run again with inputs of shapes that it has seen.
#[pyclass(frozen, module = "ndcast")]
pub(crate) struct Program(Runner);

/// The model of a file.
#[pyfunction]
fn open_model(py: Python<'_>, path: PathBuf) -> PyResult<Program> {
    let opened = py.detach(|| format::open(&path));
    opened.map(Program::of).map_err(|error| exception(py, &error))
}

/// The model of a graph's text.
#[pyfunction]
fn parsed_model(py: Python<'_>, text: &str) -> PyResult<Program> {
    let parsed = py.detach(|| text.parse());
    parsed.map(Program::of).map_err(|error| exception(py, &error))
}

/// A name, an element type and a shape.
type Port<'py> = (String, Bound<'py, PyAny>, Bound<'py, PyAny>);

impl Program {
    fn of(graph: Graph) -> Program {
        Program(Runner::new(graph))
    }

    fn graph(&self) -> &Graph {
        self.0.graph()
    }

    fn port<'py>(&self, py: Python<'py>, name: &str, id: ndcast::graph::Id) -> PyResult<Port<'py>> {
        let node = self.graph().node(id).map_err(|error| exception(py, &error))?;
        Ok((name.to_owned(), dtype::to_python(py, node.dtype())?, shape_to_python(py, node.shape())?))
    }

    /// The inputs; one of 16-bit or 8-bit floats may be given as its bits.
    fn bound(&self, py: Python<'_>, given: &[Given]) -> PyResult<Vec<Array>> {
        let graph = self.graph();
        let mut inputs = Vec::with_capacity(given.len());
        for (place, given) in given.iter().enumerate() {
            let wanted = graph.inputs().get(place).and_then(|&id| graph.node(id).ok());
            inputs.push(match wanted {
                Some(node) if !given.0.is_watched() => {
                    let name = node.name().unwrap_or_default();
                    let fitting = data::fitting(name, tensor(py, &given.0)?, node.dtype());
                    fitting.map_err(|error| exception(py, &error))?.into()
                }
                _ => given.0.clone(),
            });
        }
        Ok(inputs)
    }
}

#[pymethods]
impl Program {
    /// The inputs, in order.
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Vec<Port<'py>>> {
        let name = |id| self.graph().node(id).ok().and_then(ndcast::graph::Node::name).unwrap_or_default();
        self.graph().inputs().iter().map(|&id| self.port(py, name(id), id)).collect()
    }

    /// The outputs, in order.
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Vec<Port<'py>>> {
        self.graph().outputs().iter().map(|output| self.port(py, output.name(), output.id())).collect()
    }

    /// The outputs for inputs, in order.
    fn run(&self, py: Python<'_>, given: Vec<Given>) -> PyResult<Vec<PyArray>> {
        let inputs = self.bound(py, &given)?;
        let run = || {
            if !inputs.iter().any(Array::is_watched) {
                let inputs = inputs.iter().map(Array::eval).collect::<Result<Vec<_>, _>>()?;
                return Ok(self.0.run(&inputs)?.into_iter().map(Array::from).collect());
            }
            // Watched inputs run as arrays, so that the tape sees each step.
            let outputs = self.0.arrays(inputs)?;
            ndcast::eval(&outputs)?;
            Ok(outputs)
        };
        let outputs: Vec<Array> = py.detach(run).map_err(|error: ndcast::Error| exception(py, &error))?;
        outputs.iter().map(|output| made(py, unlent(output))).collect()
    }

    /// The gradient of the sum of an output, as a program.
    fn gradient(&self, py: Python<'_>, of: &str, wrt: Option<Vec<String>>) -> PyResult<Program> {
        let wrt: Option<Vec<&str>> = wrt.as_ref().map(|names| names.iter().map(String::as_str).collect());
        let made = gradient(self.graph(), of, wrt.as_deref()).and_then(|graph| graph.cleaned());
        made.map(Program::of).map_err(|error| exception(py, &error))
    }

    /// Every broadcast, or those of the node that is called so: what `explain` says of it, and whose it is.
    fn broadcasts<'py>(
        &self,
        py: Python<'py>,
        node: Option<&str>,
    ) -> PyResult<(Vec<Bound<'py, PyDict>>, String)> {
        let sites = match node {
            None => self.graph().broadcasts(),
            Some(name) => self.graph().broadcasts_of(name).map_err(|error| exception(py, &error))?,
        };
        let all = sites.iter().map(|site| {
            let entries = explain::entries(py, &site.request, site.dtype)?;
            let style = Style { element: site.dtype.element(), ..Style::default() };
            entries.set_item("brief", Explanation::new(&site.request).brief(&style))?;
            entries.set_item("title", site.to_string())?;
            entries.set_item("node", &site.node)?;
            entries.set_item("operation", site.operation)?;
            entries.set_item("line", site.line)?;
            entries.set_item("dtype", dtype::object(py, site.dtype)?)?;
            let bytes = PyDict::new(py);
            bytes.set_item("read", site.operand_bytes())?;
            bytes.set_item("written", site.result_bytes())?;
            bytes.set_item("materialised", site.materialised())?;
            entries.set_item("bytes", bytes)?;
            Ok(entries)
        });
        let total = if sites.is_empty() { Site::count_text(&sites) } else { Site::total_text(&sites) };
        Ok((all.collect::<PyResult<_>>()?, total))
    }

    /// Writes it as the path's ending says.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| format::save(&path, self.graph())).map_err(|error| exception(py, &error))
    }

    /// Its nodes as text.
    fn text(&self) -> String {
        self.graph().to_string()
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Program>()?;
    module.add_function(wrap_pyfunction!(open_model, module)?)?;
    module.add_function(wrap_pyfunction!(parsed_model, module)?)
}
