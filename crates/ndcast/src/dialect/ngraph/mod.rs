//! Intel nGraph: the operations of its Broadcast's page and their relatives, and the functions around them.
//!
//! An operation is a value of its own, as in nGraph: made of its arguments, validated against a graph, and added to it. Its
//! rules are those of [`crate::shape::rule::ngraph`]: no extent of 1 stretches in Broadcast itself. Elementwise
//! operations broadcast by an [`AutoBroadcastSpec`]; [`builder`] has what nGraph's importers use.

mod auto_broadcast;
pub mod builder;
mod elementwise;
pub mod op;
#[cfg(test)]
mod tests;

pub use auto_broadcast::{AutoBroadcastSpec, AutoBroadcastType};

use crate::error::Error;
use crate::graph::{Graph, Id};
use op::Operation;

/// Adds operations to a graph.
///
/// ```
/// use ndcast::dialect::ngraph::{Builder, op::Broadcast};
/// use ndcast::{DType, Tensor, graph::Graph};
/// let mut graph = Graph::new();
/// let arg = graph.input("arg", DType::F32, "3".parse()?)?;
/// // Broadcast(arg, Shape{2, 3}, AxisSet{0})
/// let rows = Builder::new(&mut graph).add(Broadcast::new(arg, &[2, 3], [0]))?;
/// graph.output("rows", rows)?;
/// let made = graph.run(&[Tensor::new(&[3], &[1.0f32, 2.0, 3.0])?])?;
/// assert_eq!(made[0].to_vec::<f32>()?, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder<'g> {
    graph: &'g mut Graph,
}

impl<'g> Builder<'g> {
    /// For this graph.
    pub fn new(graph: &'g mut Graph) -> Builder<'g> {
        Builder { graph }
    }

    /// The graph.
    pub fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    /// An operation, validated.
    ///
    /// # Errors
    /// Those of its `validate_and_infer_types`.
    #[allow(clippy::needless_pass_by_value, reason = "an operation is made where it is added")]
    pub fn add(&mut self, operation: impl Operation) -> Result<Id, Error> {
        operation.add_to(self.graph).map_err(|error| error.called(operation.description()))
    }
}
