//! ONNX: nodes by the names of its operators, with the attributes and inputs that they have in the model's opset.
//!
//! The elementwise operators and the plain folds are those that the records of operations name. All others stand in one
//! table ([`OPERATORS`]): a name, since when it is there, how many inputs it takes, and what builds it. What an operator
//! is does not depend on the opset unless its builder asks for it, so what changed from one to the next is written where it
//! matters.
//!
//! Not here: files (see the module `format`), operators with a graph inside (If, Loop, Scan), sequences and strings,
//! random numbers, and what looks at windows (Conv, MaxPool, Resize).

mod attention;
mod attribute;
mod call;
mod element;
mod elementwise;
mod fold;
mod gather;
mod loss;
mod matrix;
mod normalise;
mod operator;
mod pad;
mod part;
mod quantise;
mod scatter;
mod select;
mod shape;
mod sort;
mod source;
#[cfg(test)]
mod tests;

pub use attribute::{Attribute, Attributes};
pub(crate) use element::{code, dtype};
pub use operator::{OPERATORS, Operator, op_types};

use crate::error::Error;
use crate::graph::{Graph, Id};
use call::Call;

/// The newest opset whose operators are known.
pub const NEWEST: i64 = 28;

/// Adds nodes of ONNX to a graph.
///
/// ```
/// use ndcast::dialect::onnx::{Attributes, Builder};
/// use ndcast::{DType, Tensor, graph::Graph};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "2x3".parse()?)?;
/// let mut onnx = Builder::new(&mut graph, 13)?;
/// let mean = onnx.node("ReduceMean", &[Some(x)], &Attributes::new().with("axes", [1]), 1)?[0];
/// let y = onnx.node("Sub", &[Some(x), Some(mean)], &Attributes::new(), 1)?[0];
/// graph.output("y", y)?;
/// let x = Tensor::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(graph.run(&[x])?[0].to_vec::<f32>()?, [-1.0, 0.0, 1.0, -1.0, 0.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder<'g> {
    graph: &'g mut Graph,
    opset: i64,
}

impl<'g> Builder<'g> {
    /// For a model in this opset.
    ///
    /// # Errors
    /// If the opset is not known.
    pub fn new(graph: &'g mut Graph, opset: i64) -> Result<Builder<'g>, Error> {
        if !(1..=NEWEST).contains(&opset) {
            let text = format!("opset {opset} is not known; 1 to {NEWEST} are");
            return Err(Error::value(text));
        }
        Ok(Builder { graph, opset })
    }

    /// The graph.
    pub fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    /// The model's opset.
    pub fn opset(&self) -> i64 {
        self.opset
    }

    /// A node: its outputs, of which so many are wanted. An input that is left out is `None`.
    ///
    /// # Errors
    /// If there is no such operator in this opset; if it does not take what it is given; as
    /// [`Graph::add`](crate::graph::Graph::add).
    pub fn node(
        &mut self,
        op_type: &str,
        inputs: &[Option<Id>],
        attributes: &Attributes,
        outputs: usize,
    ) -> Result<Vec<Id>, Error> {
        for id in inputs.iter().flatten() {
            self.graph.node(*id)?;
        }
        let operator = operator::find(op_type)?;
        let name = operator.name();
        let mut call = Call::new(self.graph, self.opset, inputs, attributes, outputs);
        operator.build(&mut call).map_err(|error| error.called(name))
    }

    /// A node of one output.
    ///
    /// # Errors
    /// As [`Builder::node`].
    pub fn one(&mut self, op_type: &str, inputs: &[Id], attributes: &Attributes) -> Result<Id, Error> {
        let inputs: Vec<Option<Id>> = inputs.iter().copied().map(Some).collect();
        self.node(op_type, &inputs, attributes, 1)?
            .first()
            .copied()
            .ok_or_else(|| Error::value(format!("{op_type} has no output")))
    }
}

/// Why an operator of this name cannot be built, if so: it is not there at all, or not in this opset.
pub(crate) fn lacks(op_type: &str, opset: i64) -> Option<String> {
    operator::find(op_type).map_or_else(|_| Some(op_type.to_owned()), |operator| operator.elsewhere(opset))
}
