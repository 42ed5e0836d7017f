//! XLA's builder: its document's examples, the tables under `cases/`, the results of the real one, and what it refuses.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

mod document;
mod operations;
mod refused;
mod tables;

use ndcast::dialect::xla::Builder;
use ndcast::error::ErrorKind;
use ndcast::graph::{Graph, Id};
use ndcast::{DType, Error, Tensor};

/// The numbers 1, 2, 3, ... in a shape.
fn counted(shape: &[usize]) -> Tensor {
    let numbers: Vec<f32> = (1u16..).take(shape.iter().product()).map(f32::from).collect();
    Tensor::new(shape, &numbers).unwrap()
}

/// What the operations make of tensors: the shape and the numbers.
fn made(
    inputs: &[Tensor],
    build: impl FnOnce(&mut Builder<'_>, &[Id]) -> Result<Id, Error>,
) -> Result<(Vec<usize>, Vec<f64>), Error> {
    let mut graph = Graph::new();
    let mut xla = Builder::new(&mut graph);
    let mut ids = Vec::new();
    for (number, tensor) in inputs.iter().enumerate() {
        let name = format!("p{number}");
        ids.push(xla.parameter(number, tensor.dtype(), tensor.shape().into(), &name)?);
    }
    let id = build(&mut xla, &ids)?;
    graph.output("result", id)?;
    let out = graph.run(inputs)?.remove(0);
    let inferred = graph.node(id)?.shape().extents();
    assert_eq!(inferred.as_deref(), Some(out.shape()), "what is inferred is what comes out");
    let numbers = ndcast::Array::from(out.clone()).convert(DType::F64).to_vec::<f64>()?;
    Ok((out.shape().to_vec(), numbers))
}

/// The stable name of a rule's error, or of another one.
fn kind(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Shape(error) => error.kind().name(),
        ErrorKind::Promotion(_) => "element-types",
        ErrorKind::NotTaken { .. } => "not-taken",
        ErrorKind::OtherType { .. } => "other-type",
        ErrorKind::Order { .. } => "order",
        ErrorKind::Reshape { .. } => "reshape",
        ErrorKind::Unequal { .. } => "unequal",
        ErrorKind::UnequalBesides { .. } => "unequal-besides",
        ErrorKind::OtherGraph => "other-graph",
        _ => "value",
    }
}
