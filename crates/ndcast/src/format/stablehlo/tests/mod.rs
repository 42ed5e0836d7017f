//! Programs that JAX wrote, with what it gives for them; and texts that are not as they must be.

mod branches;
mod loops;
mod malformed;
mod models;
mod parts;
mod sorts;
mod spellings;
mod written;

use super::*;
use crate::Array;
use crate::dtype::DType;
use crate::format::program::recorded::{differences, names, none, numbers, parts, text};
use crate::tensor::Tensor;

/// The graph of a function's body, which is given what stands before its operations.
fn of(head: &str, body: &str) -> Result<Graph, Error> {
    read(&format!("func.func @main({head}) -> tensor<f32> {{\n{body}\n}}\n"))
}

/// The one output of a program without inputs.
fn value(body: &str) -> Tensor {
    let graph = of("", body).unwrap_or_else(|error| panic!("{error}\n{body}"));
    graph.run(&[]).unwrap().remove(0)
}

/// A graph written and read again: both texts.
fn again(graph: &Graph) -> (String, Graph) {
    let text = write(graph).unwrap_or_else(|error| panic!("{error}\n{graph}"));
    let read = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, read)
}
