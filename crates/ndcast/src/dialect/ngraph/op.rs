//! Operations as values: Broadcast with the interface of its page, BroadcastLike, DynBroadcast and Sum.
//!
//! In C++ a constructor validates at once. Here an operation does not know its graph before it is validated against one, or
//! added to one.

use std::collections::BTreeSet;

use ndcast_shape::Shape;
use ndcast_shape::rule::ngraph;

pub use super::elementwise::Elementwise;
use crate::array::Keep;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::graph::kind::{Fit, Operation as _, Reduce};
use crate::graph::{Graph, Id, Node};
use crate::layout::as_i64;
use crate::reduction::Reduction;

/// Axes without order, each once: nGraph's `AxisSet`.
pub type AxisSet = BTreeSet<usize>;

/// The element type and the shape of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The type of its elements.
    pub element_type: DType,
    /// Its shape, as far as it is known.
    pub shape: Shape,
}

/// What every operation has.
pub trait Operation {
    /// The name of its type.
    fn description(&self) -> &'static str;

    /// What it is made of.
    fn inputs(&self) -> Vec<Id>;

    /// Its attributes by their names, as text.
    fn attributes(&self) -> Vec<(&'static str, String)>;

    /// What it gives.
    ///
    /// # Errors
    /// If the node is invalid.
    fn infer(&self, graph: &Graph) -> Result<Output, Error>;

    /// Adds it to a graph.
    ///
    /// # Errors
    /// If the node is invalid.
    fn add_to(&self, graph: &mut Graph) -> Result<Id, Error>;
}

/// An argument of an operation that was made without any.
fn given(arg: Option<Id>) -> Result<Id, Error> {
    arg.ok_or_else(|| Error::new(ErrorKind::ArgumentCount { least: 1, most: Some(1), found: 0 }))
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

fn signed<'n>(numbers: impl IntoIterator<Item = &'n usize>) -> Vec<i64> {
    numbers.into_iter().map(|&n| as_i64(n)).collect()
}

fn inferred(fit: &Fit, nodes: &[&Node]) -> Result<Output, Error> {
    let inferred = fit.infer(nodes)?;
    Ok(Output { element_type: inferred.dtype, shape: inferred.shape })
}

/// "Operation whose output tensor ignores axes not in the arg tensor": `output[C] = arg[p(C)]`, where `p` removes the
/// broadcast axes.
///
/// ```
/// use ndcast::dialect::ngraph::op::{Broadcast, Operation};
/// use ndcast::{DType, graph::Graph};
/// let mut graph = Graph::new();
/// let arg = graph.input("arg", DType::F32, "2x4".parse()?)?;
/// let mut broadcast = Broadcast::new(arg, &[2, 3, 4], [1]);
/// assert_eq!(broadcast.description(), "Broadcast");
/// broadcast.validate_and_infer_types(&graph)?;
/// assert_eq!(broadcast.output().unwrap().shape.to_string(), "2x3x4");
/// // The axis 3 is none of the shape's.
/// broadcast.set_broadcast_axes([1, 3]);
/// assert!(broadcast.validate_and_infer_types(&graph).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broadcast {
    arg: Option<Id>,
    shape: Vec<usize>,
    broadcast_axes: AxisSet,
    output: Option<Output>,
}

impl Broadcast {
    /// Of `arg`, to `shape`, along `broadcast_axes`: "the remaining axes in shape must be the same as the shape of arg".
    pub fn new(arg: Id, shape: &[usize], broadcast_axes: impl IntoIterator<Item = usize>) -> Broadcast {
        let broadcast_axes = broadcast_axes.into_iter().collect();
        Broadcast { arg: Some(arg), shape: shape.to_vec(), broadcast_axes, output: None }
    }

    /// Of nothing yet, to the shape of a scalar: the constructor without arguments.
    pub fn new_default() -> Broadcast {
        Broadcast::default()
    }

    /// "A set containing the indices of the broadcast axes (0-based)."
    pub fn broadcast_axes(&self) -> &AxisSet {
        &self.broadcast_axes
    }

    /// Other broadcast axes; the operation must be validated again.
    pub fn set_broadcast_axes(&mut self, broadcast_axes: impl IntoIterator<Item = usize>) {
        self.broadcast_axes = broadcast_axes.into_iter().collect();
        self.output = None;
    }

    /// The shape of the output.
    pub fn broadcast_shape(&self) -> &[usize] {
        &self.shape
    }

    /// Another shape of the output; the operation must be validated again.
    pub fn set_broadcast_shape(&mut self, shape: &[usize]) {
        self.shape = shape.to_vec();
        self.output = None;
    }

    /// Another argument; the operation must be validated again.
    pub fn set_argument(&mut self, arg: Id) {
        self.arg = Some(arg);
        self.output = None;
    }

    /// "Throws if the node is invalid": an axis that the shape does not have, then a shape that does not match.
    ///
    /// # Errors
    /// So.
    pub fn validate_and_infer_types(&mut self, graph: &Graph) -> Result<(), Error> {
        self.output = None;
        self.output = Some(self.infer(graph).map_err(|error| error.called("Broadcast"))?);
        Ok(())
    }

    /// What it gives, once it was validated.
    pub fn output(&self) -> Option<&Output> {
        self.output.as_ref()
    }

    fn fit(&self) -> Fit {
        Fit { axes: Some(signed(&self.broadcast_axes)), ..Fit::new(&ngraph::BROADCAST, 1, 0) }
    }
}

impl Operation for Broadcast {
    fn description(&self) -> &'static str {
        "Broadcast"
    }

    fn inputs(&self) -> Vec<Id> {
        self.arg.into_iter().collect()
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("shape", list(&self.shape)), ("broadcast_axes", list(&self.broadcast_axes))]
    }

    fn infer(&self, graph: &Graph) -> Result<Output, Error> {
        let arg = graph.node(given(self.arg)?)?;
        // The shape as a node, which nothing but the rule reads.
        let mut shape = Graph::new();
        let shape_id = shape.integers(&signed(&self.shape))?;
        inferred(&self.fit(), &[arg, shape.node(shape_id)?])
    }

    fn add_to(&self, graph: &mut Graph) -> Result<Id, Error> {
        self.infer(graph)?;
        let shape = graph.integers(&signed(&self.shape))?;
        graph.add(self.fit(), &[given(self.arg)?, shape])
    }
}

/// To the shape of another node. Without initial axes they are found from the left.
///
/// ```
/// use ndcast::dialect::ngraph::{Builder, op::BroadcastLike};
/// use ndcast::{DType, graph::Graph};
/// let mut graph = Graph::new();
/// let arg = graph.input("arg", DType::F32, "3".parse()?)?;
/// let like = graph.input("like", DType::F32, "3x4".parse()?)?;
/// let laid = Builder::new(&mut graph).add(BroadcastLike { arg, like, initial_axes: [].into() })?;
/// assert_eq!(graph.node(laid)?.shape().to_string(), "3x4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroadcastLike {
    /// What is broadcast.
    pub arg: Id,
    /// What has the shape.
    pub like: Id,
    /// The broadcast axes; none if they are to be found.
    pub initial_axes: AxisSet,
}

impl BroadcastLike {
    fn fit(&self) -> Fit {
        Fit { axes: Some(signed(&self.initial_axes)), ..Fit::new(&ngraph::BROADCAST_LIKE, 2, 0) }
    }
}

impl Operation for BroadcastLike {
    fn description(&self) -> &'static str {
        "BroadcastLike"
    }

    fn inputs(&self) -> Vec<Id> {
        vec![self.arg, self.like]
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("initial_axes", list(&self.initial_axes))]
    }

    fn infer(&self, graph: &Graph) -> Result<Output, Error> {
        inferred(&self.fit(), &[graph.node(self.arg)?, graph.node(self.like)?])
    }

    fn add_to(&self, graph: &mut Graph) -> Result<Id, Error> {
        graph.add(self.fit(), &[self.arg, self.like])
    }
}

/// Broadcast whose shape and axes are nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynBroadcast {
    /// What is broadcast.
    pub arg: Id,
    /// The shape of the output: an array of i64 with one axis.
    pub shape: Id,
    /// The broadcast axes, the same.
    pub broadcast_axes: Id,
}

impl DynBroadcast {
    fn nodes<'g>(&self, graph: &'g Graph) -> Result<[&'g Node; 3], Error> {
        let nodes = [graph.node(self.arg)?, graph.node(self.shape)?, graph.node(self.broadcast_axes)?];
        let lists = [("shape", nodes[1]), ("axes", nodes[2])];
        // "DynBroadcast shape must have element type i64", for the shape and then for the axes.
        for (name, node) in lists {
            if node.dtype() != DType::I64 {
                return Err(Error::value(format!("{name} is of i64, and this is of {}", node.dtype())));
            }
        }
        // "DynBroadcast shape rank must be 1", likewise.
        for (name, node) in lists {
            if let Some(rank) = node.shape().rank().filter(|&rank| rank != 1) {
                return Err(Error::value(format!("{name} has one axis, and this has {rank}")));
            }
        }
        Ok(nodes)
    }

    fn fit() -> Fit {
        Fit::new(&ngraph::DYN_BROADCAST, 1, 0)
    }
}

impl Operation for DynBroadcast {
    fn description(&self) -> &'static str {
        "DynBroadcast"
    }

    fn inputs(&self) -> Vec<Id> {
        vec![self.arg, self.shape, self.broadcast_axes]
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn infer(&self, graph: &Graph) -> Result<Output, Error> {
        inferred(&DynBroadcast::fit(), &self.nodes(graph)?)
    }

    fn add_to(&self, graph: &mut Graph) -> Result<Id, Error> {
        self.nodes(graph)?;
        graph.add(DynBroadcast::fit(), &self.inputs())
    }
}

/// The sum along axes, which go away: the adjoint of [`Broadcast`].
///
/// ```
/// use ndcast::dialect::ngraph::{Builder, op::Sum};
/// use ndcast::{DType, graph::Graph};
/// let mut graph = Graph::new();
/// let arg = graph.input("arg", DType::F32, "2x3x4".parse()?)?;
/// let sum = Builder::new(&mut graph).add(Sum { arg, reduction_axes: [0, 2].into() })?;
/// assert_eq!(graph.node(sum)?.shape().to_string(), "3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// What is summed.
    pub arg: Id,
    /// Along which axes.
    pub reduction_axes: AxisSet,
}

impl Sum {
    fn kind(&self) -> Reduce {
        let axes = self.reduction_axes.iter().copied().collect();
        Reduce { reduction: Reduction::Sum, axes, keep: Keep::Nothing }
    }
}

impl Operation for Sum {
    fn description(&self) -> &'static str {
        "Sum"
    }

    fn inputs(&self) -> Vec<Id> {
        vec![self.arg]
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        vec![("reduction_axes", list(&self.reduction_axes))]
    }

    fn infer(&self, graph: &Graph) -> Result<Output, Error> {
        let inferred = self.kind().infer(&[graph.node(self.arg)?])?;
        Ok(Output { element_type: inferred.dtype, shape: inferred.shape })
    }

    fn add_to(&self, graph: &mut Graph) -> Result<Id, Error> {
        graph.add(self.kind(), &[self.arg])
    }
}
