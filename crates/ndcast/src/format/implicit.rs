//! Which broadcasts the operator of an elementwise node makes by itself, so that none is written for it.

use ndcast_shape::rule::{Rule, array_api, onnx, openvino};
use ndcast_shape::{Request, Shape};

use crate::graph::kind::{Broadcast, Fit, Lay};
use crate::graph::{Graph, Id, Kind, Node};

/// The node's arguments before broadcasting, if the format's NumPy-like rule would broadcast them in the same way.
pub(super) fn by_numpy(graph: &Graph, node: &Node, rule: &'static Rule) -> Option<Vec<Id>> {
    let own = node.arguments();
    if let Some((fit, operands)) = by_one_rule(graph, own)
        && is_numpy(fit.rule)
    {
        return Some(operands.to_vec());
    }
    let sources: Vec<Source> = own.iter().map(|&id| source(graph, id)).collect();
    let ids: Vec<Id> = sources.iter().map(|source| source.id).collect();
    // An argument that was broadcast against others needs these here too, unless all extents are known.
    let partners = sources.iter().flat_map(|source| &source.partners).all(|id| ids.contains(id));
    let shapes = ids.iter().map(|&id| graph.at(id).shape().clone()).collect::<Vec<Shape>>();
    let answer = (ids != own).then(|| Request::new(rule, shapes).answer())?.ok()?;
    let is_same = answer.shape() == node.shape() && (partners || node.shape().extents().is_some());
    is_same.then_some(ids)
}

/// What an argument is before it is laid as NumPy lays it.
struct Source {
    id: Id,
    partners: Vec<Id>,
}

fn source(graph: &Graph, id: Id) -> Source {
    let itself = Source { id, partners: Vec::new() };
    let node = graph.at(id);
    match node.kind() {
        Kind::Broadcast(broadcast) if is_right(broadcast) => {
            Source { id: node.arguments()[0], partners: Vec::new() }
        }
        Kind::Fit(fit) if is_numpy(fit.rule) => {
            let partners = node.arguments()[..fit.operands].to_vec();
            node.arguments().get(fit.operand).map_or(itself, |&id| Source { id, partners })
        }
        _ => itself,
    }
}

/// Whether the operand's last axis lies on the result's last, and so on.
fn is_right(broadcast: &Broadcast) -> bool {
    let first = broadcast.axes.iter().take_while(|lay| matches!(lay, Lay::New(_))).count();
    broadcast.axes[first..].iter().enumerate().all(|(place, lay)| lay.axis() == Some(place))
}

fn is_numpy(rule: &Rule) -> bool {
    [&array_api::JOIN, &openvino::ELTWISE_NUMPY, &onnx::MULTIDIRECTIONAL].contains(&rule)
}

/// If all arguments are laid by one rule, each as the operand of its place: how the first is, and the rule's operands.
pub(super) fn by_one_rule<'g>(graph: &'g Graph, own: &[Id]) -> Option<(&'g Fit, &'g [Id])> {
    let mut first: Option<(&Fit, &[Id])> = None;
    for (place, &id) in own.iter().enumerate() {
        let node = graph.at(id);
        let Kind::Fit(fit) = node.kind() else { return None };
        let (like, operands) = *first.get_or_insert((fit, node.arguments()));
        let is_same = operands == node.arguments() && (like.rule, like.axis) == (fit.rule, fit.axis);
        if fit.operand != place || fit.operands != own.len() || operands.len() != own.len() || !is_same {
            return None;
        }
    }
    first
}
