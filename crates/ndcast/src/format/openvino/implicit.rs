//! Which broadcasts an elementwise layer makes by itself, so that none is written for it.

use ndcast_shape::rule::{array_api, onnx, openvino};
use ndcast_shape::{Request, Shape};

use crate::dialect::openvino::AutoBroadcast;
use crate::graph::kind::{Broadcast, Lay};
use crate::graph::{Graph, Id, Kind, Node};

/// The inputs of an elementwise layer, and how it lays them.
pub(super) fn inputs(graph: &Graph, node: &Node) -> (Vec<Id>, AutoBroadcast) {
    let own = node.arguments().to_vec();
    if let Some(found) = by_one_rule(graph, &own) {
        return found;
    }
    let sources: Vec<Source> = own.iter().map(|&id| source(graph, id)).collect();
    let ids: Vec<Id> = sources.iter().map(|source| source.id).collect();
    // What was laid with others needs them here too, unless everything is known.
    let partners = sources.iter().flat_map(|source| &source.partners).all(|id| ids.contains(id));
    let shapes = ids.iter().map(|&id| graph.node(id).map(|node| node.shape().clone()));
    if let (Ok(shapes), true) = (shapes.collect::<Result<Vec<Shape>, _>>(), ids != own)
        && let Ok(answer) = Request::new(&openvino::ELTWISE_NUMPY, shapes).answer()
        && answer.shape() == node.shape()
        && (partners || node.shape().extents().is_some())
    {
        return (ids, AutoBroadcast::Numpy);
    }
    let known = own.iter().all(|&id| graph.node(id).is_ok_and(|node| node.shape().extents().is_some()));
    (own, if known { AutoBroadcast::Numpy } else { AutoBroadcast::None })
}

/// What an argument is before it is laid as NumPy lays it.
struct Source {
    id: Id,
    partners: Vec<Id>,
}

fn source(graph: &Graph, id: Id) -> Source {
    let itself = Source { id, partners: Vec::new() };
    let Ok(node) = graph.node(id) else { return itself };
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

fn is_numpy(rule: &ndcast_shape::rule::Rule) -> bool {
    [&array_api::JOIN, &openvino::ELTWISE_NUMPY, &onnx::MULTIDIRECTIONAL].contains(&rule)
}

/// All arguments laid by one rule of `auto_broadcast`, each the operand of its place.
fn by_one_rule(graph: &Graph, own: &[Id]) -> Option<(Vec<Id>, AutoBroadcast)> {
    let mut found: Option<(Vec<Id>, AutoBroadcast)> = None;
    for (place, &id) in own.iter().enumerate() {
        let node = graph.node(id).ok()?;
        let Kind::Fit(fit) = node.kind() else { return None };
        let auto = match fit.rule {
            rule if is_numpy(rule) => AutoBroadcast::Numpy,
            rule if *rule == openvino::ELTWISE_PDPD => AutoBroadcast::Pdpd(fit.axis.unwrap_or(0)),
            _ => return None,
        };
        let same = found.as_ref().is_none_or(|(ids, other)| ids[..] == *node.arguments() && *other == auto);
        if fit.operand != place || fit.operands != own.len() || !same {
            return None;
        }
        found = Some((node.arguments().to_vec(), auto));
    }
    found
}
