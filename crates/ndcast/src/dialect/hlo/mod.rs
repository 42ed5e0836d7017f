//! HLO: the instructions that the XLA builder makes, and that StableHLO has under other names. Strict: nothing is
//! broadcast unless an instruction says so; only the predicate of `select` and the limits of `clamp` may be scalars.
//!
//! <https://openxla.org/xla/operation_semantics>
//!
//! Which elementwise instructions and folds there are, and what each is, stands in the records of [`Op`](crate::Op) and
//! [`Reduction`](crate::reduction::Reduction). The checks are those of XLA's shape inference and verifier.
//!
//! DIFFERENCE: XLA infers the type of an operation on floats of two precisions, and its compiler refuses it later. Here
//! it is refused when the node is added.

mod axes;
mod dot;
mod dynamic;
mod elementwise;
mod fold;
mod gather;
mod movement;
mod pad;
mod place;
mod scatter;
mod sort;
mod window;

pub(super) use axes::{axes, count, dims, extents};
pub use dot::DotDimensions;
pub(crate) use elementwise::name_of;
pub use elementwise::{Comparison, Direction};
pub(super) use elementwise::{called, check_same, operation};
pub use gather::GatherDimensions;
pub use pad::Padding;
pub use sort::SortKey;
pub use window::Window;

use crate::error::Error;
use crate::graph::{Graph, Id};

/// Adds instructions to a graph.
///
/// ```
/// use ndcast::{DType, Tensor, dialect::hlo::Builder, graph::Graph};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "2x3".parse()?)?;
/// let row = graph.input("row", DType::F32, "3".parse()?)?;
/// let mut hlo = Builder::new(&mut graph);
/// assert!(hlo.elementwise("add", &[x, row]).is_err());
/// let laid = hlo.broadcast(row, &"2x3".parse()?, &[1])?;
/// let sum = hlo.elementwise("add", &[x, laid])?;
/// graph.output("sum", sum)?;
/// let x = Tensor::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let row = Tensor::new(&[3], &[7.0f32, 8.0, 9.0])?;
/// assert_eq!(graph.run(&[x, row])?[0].to_vec::<f32>()?, [8.0, 10.0, 12.0, 11.0, 13.0, 15.0]);
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

    /// The rank of an operand. HLO has no arrays of unknown rank.
    pub(super) fn rank(&self, of: Id) -> Result<usize, Error> {
        axes::rank(self.graph, of)
    }
}
