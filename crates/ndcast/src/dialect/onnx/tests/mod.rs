//! Nodes by name: against what the reference computes, the differences between opsets, and malformed use.

mod halves;
mod malformed;
mod opsets;
mod quantise;
mod reference;

use super::{Attributes, Builder};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::{Graph, Id};
use crate::tensor::Tensor;

/// A node of inputs that are declared so, run on these tensors.
struct Try<'t> {
    opset: i64,
    op: &'t str,
    attributes: Attributes,
    inputs: Vec<Option<Tensor>>,
    outputs: usize,
}

/// How the tensors come into a graph.
#[derive(Clone, Copy, PartialEq)]
enum Given {
    /// As inputs of known shapes, but for integers along an axis, which are constants.
    Known,
    /// The same with unknown extents.
    Unknown,
    /// All as constants.
    Constant,
}

impl<'t> Try<'t> {
    fn new(opset: i64, op: &'t str, inputs: Vec<Tensor>, attributes: Attributes) -> Try<'t> {
        Try { opset, op, attributes, inputs: inputs.into_iter().map(Some).collect(), outputs: 1 }
    }

    fn run(&self, given: Given) -> Result<Vec<Tensor>, Error> {
        let mut graph = Graph::new();
        let mut ids: Vec<Option<Id>> = Vec::new();
        let mut bound = Vec::new();
        for (place, tensor) in self.inputs.iter().enumerate() {
            let Some(tensor) = tensor else {
                ids.push(None);
                continue;
            };
            let says_where =
                matches!(tensor.dtype(), DType::I64 | DType::I32) && tensor.rank() < 2 && place > 0;
            if given == Given::Constant || says_where {
                ids.push(Some(graph.constant(tensor.clone())?));
                continue;
            }
            let shape = match given {
                Given::Unknown => vec![ndcast_shape::Dim::UNKNOWN; tensor.rank()].into(),
                _ => tensor.shape().into(),
            };
            ids.push(Some(graph.input(&format!("i{place}"), tensor.dtype(), shape)?));
            bound.push(tensor.clone());
        }
        let made =
            Builder::new(&mut graph, self.opset)?.node(self.op, &ids, &self.attributes, self.outputs)?;
        for (place, id) in made.iter().take(self.outputs).enumerate() {
            graph.output(&format!("o{place}"), *id)?;
        }
        graph.run(&bound)
    }

    fn floats(&self) -> Result<Vec<f64>, Error> {
        numbers(&self.run(Given::Known)?[0])
    }
}

/// The elements as numbers.
fn numbers(tensor: &Tensor) -> Result<Vec<f64>, Error> {
    crate::array::Array::from(tensor.clone()).convert(DType::F64).to_vec()
}

fn floats(shape: &[usize], elements: &[f32]) -> Tensor {
    Tensor::new(shape, elements).unwrap()
}

fn integers(elements: &[i64]) -> Tensor {
    Tensor::new(&[elements.len()], elements).unwrap()
}
