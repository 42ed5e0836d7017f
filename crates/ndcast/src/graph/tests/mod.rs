//! Graphs: built, inferred, printed, read, run, rewritten, differentiated.

mod build;
mod conversions;
mod corners;
mod gradients;
mod higher;
mod large;
mod late;
mod lent;
mod plain;
mod random;
mod rewrites;
mod sort;
mod tape;

use super::{Graph, Id};
use crate::dtype::DType;
use crate::tensor::Tensor;

/// An input of floats.
fn floats(graph: &mut Graph, name: &str, shape: &str) -> Id {
    graph.input(name, DType::F64, shape.parse().unwrap()).unwrap()
}

/// The numbers 1, 2, 3, ... in a shape.
fn counted(shape: &[usize]) -> Tensor {
    let numbers: Vec<f64> = (1..).take(shape.iter().product()).map(f64::from).collect();
    Tensor::new(shape, &numbers).unwrap()
}

/// The text of an error.
fn text<T: std::fmt::Debug>(result: Result<T, crate::error::Error>) -> String {
    result.unwrap_err().to_string()
}
