//! XLA's builder, as "Broadcasting semantics" and the operations' pages describe it, and as it is implemented.
//!
//! <https://openxla.org/xla/broadcasting>, <https://openxla.org/xla/operation_semantics>
//!
//! It is HLO with implicit broadcasts: a binary operation takes `broadcast_dimensions` for the operand of lower rank and
//! stretches extents of 1 on both sides; `Select` and `Clamp` take scalars anywhere. These are written down as explicit
//! nodes, and the rest is [`hlo`]. The operations of one name there are methods of the same names here; those
//! that the C++ builder calls otherwise have its names.
//!
//! DIFFERENCE: an operation that the builder makes and the compiler refuses (floats of two precisions, an order of complex
//! numbers, shifts of floats) is refused when it is added. Where extents are unknown the builder ignores
//! `broadcast_dimensions`; here they are honoured.

mod binary;
mod movement;
mod source;
mod ternary;
mod unary;

use super::hlo;
use crate::graph::Graph;

/// Adds the builder's operations to a graph.
///
/// ```
/// use ndcast::{DType, Tensor, dialect::xla::Builder, graph::Graph};
/// // "a vector of size 4 and a matrix of size 1x2 can be added together using broadcast dimensions value of (0)"
/// let mut graph = Graph::new();
/// let mut xla = Builder::new(&mut graph);
/// let vector = xla.parameter(0, DType::F32, "4".parse()?, "vector")?;
/// let matrix = xla.constant_r2(&[&[5.0f32, 6.0]])?;
/// let sum = xla.add(vector, matrix, &[0])?;
/// graph.output("sum", sum)?;
/// let vector = Tensor::new(&[4], &[1.0f32, 2.0, 3.0, 4.0])?;
/// assert_eq!(graph.run(&[vector])?[0].to_vec::<f32>()?, [6.0, 7.0, 7.0, 8.0, 8.0, 9.0, 9.0, 10.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder<'g> {
    graph: &'g mut Graph,
}

impl<'g> Builder<'g> {
    /// To this graph.
    pub fn new(graph: &'g mut Graph) -> Builder<'g> {
        Builder { graph }
    }

    /// The graph.
    pub fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    /// The instructions that operations become.
    pub fn hlo(&mut self) -> hlo::Builder<'_> {
        hlo::Builder::new(self.graph)
    }
}
