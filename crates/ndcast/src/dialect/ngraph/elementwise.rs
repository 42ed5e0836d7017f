//! Elementwise operations with an [`AutoBroadcastSpec`].

use ndcast_shape::Shape;
use ndcast_shape::rule::{ngraph, openvino};

use super::op::{Broadcast, Operation, Output};
use super::{AutoBroadcastSpec, AutoBroadcastType};
use crate::error::{Error, ErrorKind};
use crate::graph::kind::{Apply, Fit, Reshape};
use crate::graph::{Graph, Id};
use crate::op::Op;

/// An elementwise operation and how its arguments broadcast.
///
/// ```
/// use ndcast::dialect::ngraph::{AutoBroadcastType, Builder, op::Elementwise};
/// use ndcast::{DType, Op, graph::Graph};
/// let mut graph = Graph::new();
/// let a = graph.input("a", DType::F32, "2x3".parse()?)?;
/// let b = graph.input("b", DType::F32, "3".parse()?)?;
/// let add = |auto: AutoBroadcastType| Elementwise::new(Op::Add, &[a, b], auto);
/// let sum = Builder::new(&mut graph).add(add(AutoBroadcastType::Numpy))?;
/// assert_eq!(graph.node(sum)?.shape().to_string(), "2x3");
/// assert!(Builder::new(&mut graph).add(add(AutoBroadcastType::None)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elementwise {
    op: Op,
    arguments: Vec<Id>,
    auto_broadcast: AutoBroadcastSpec,
}

impl Elementwise {
    /// An operation on these arguments.
    pub fn new(op: Op, arguments: &[Id], auto_broadcast: impl Into<AutoBroadcastSpec>) -> Elementwise {
        Elementwise { op, arguments: arguments.to_vec(), auto_broadcast: auto_broadcast.into() }
    }

    /// How its arguments broadcast.
    pub fn auto_broadcast(&self) -> AutoBroadcastSpec {
        self.auto_broadcast
    }
}

impl Operation for Elementwise {
    /// Its name here: nGraph's own are in no record.
    fn description(&self) -> &'static str {
        self.op.record().name
    }

    fn inputs(&self) -> Vec<Id> {
        self.arguments.clone()
    }

    fn attributes(&self) -> Vec<(&'static str, String)> {
        let AutoBroadcastSpec { broadcast_type, axis } = self.auto_broadcast;
        let name = format!("{broadcast_type:?}").to_ascii_uppercase();
        vec![("auto_broadcast", format!("{name} {axis}"))]
    }

    fn infer(&self, graph: &Graph) -> Result<Output, Error> {
        // On a copy of the arguments' shapes, which nothing else sees.
        let mut scratch = Graph::new();
        let mut arguments = Vec::new();
        for (place, &id) in self.arguments.iter().enumerate() {
            let node = graph.node(id)?;
            arguments.push(scratch.input(&place.to_string(), node.dtype(), node.shape().clone())?);
        }
        let id = Elementwise { arguments, ..self.clone() }.add_to(&mut scratch)?;
        let node = scratch.node(id)?;
        Ok(Output { element_type: node.dtype(), shape: node.shape().clone() })
    }

    fn add_to(&self, graph: &mut Graph) -> Result<Id, Error> {
        let count = self.op.arity();
        if self.arguments.len() != count {
            let found = self.arguments.len();
            return Err(Error::new(ErrorKind::ArgumentCount { least: count, most: Some(count), found }));
        }
        let laid = laid(graph, &self.arguments, self.auto_broadcast)?;
        graph.add(Apply(self.op), &laid)
    }
}

/// Arguments as the rules lay them. What has the shape of the result already is itself.
pub(super) fn laid(graph: &mut Graph, arguments: &[Id], auto: AutoBroadcastSpec) -> Result<Vec<Id>, Error> {
    let count = arguments.len();
    match auto.broadcast_type {
        AutoBroadcastType::None => {
            graph.laid(arguments, |place| Fit::new(&openvino::ELTWISE_NONE, count, place))
        }
        AutoBroadcastType::Numpy => {
            graph.laid(arguments, |place| Fit::new(&openvino::ELTWISE_NUMPY, count, place))
        }
        AutoBroadcastType::Pdpd => pdpd(graph, arguments, auto.axis),
    }
}

/// The others laid on the first from an axis on: without their last extents of 1, by a Broadcast.
///
/// DIFFERENCE: where extents are not known yet, those of 1 stretch as OpenVINO's do, wherever they are.
fn pdpd(graph: &mut Graph, arguments: &[Id], axis: i64) -> Result<Vec<Id>, Error> {
    let Some((&first, others)) = arguments.split_first() else { return Ok(Vec::new()) };
    let mut laid = vec![first];
    for &other in others {
        let shapes = [graph.node(first)?.shape().extents(), graph.node(other)?.shape().extents()];
        let [Some(a), Some(b)] = shapes else {
            return graph.laid(arguments, |place| Fit {
                axis: Some(axis),
                ..Fit::new(&openvino::ELTWISE_PDPD, arguments.len(), place)
            });
        };
        let axes = ngraph::pdpd_axes(&a, &b, axis)?;
        if a == b {
            laid.push(other);
            continue;
        }
        let kept = b.iter().rposition(|&extent| extent != 1).map_or(0, |last| last + 1);
        let trimmed = if kept == b.len() { other } else { graph.add(Reshape::new(&b[..kept]), &[other])? };
        laid.push(Broadcast::new(trimmed, &a, axes).add_to(graph)?);
    }
    Ok(laid)
}

/// The shapes of nodes, which the builder's functions must know.
pub(super) fn extents(graph: &Graph, id: Id) -> Result<Vec<usize>, Error> {
    let shape: &Shape = graph.node(id)?.shape();
    let text = || format!("its shape must be known, and is {}", shape.brief());
    shape.extents().ok_or_else(|| Error::value(text()))
}
