//! Models made by hand, field by field.

use super::super::wire::Message;
use super::{Field, message};
use crate::tensor::Tensor;

use Field::{Bytes, Float, Int, Message as Inner, Text};

/// `name op(inputs) -> outputs` of these attributes.
pub(super) fn node(
    name: &str,
    op: &str,
    inputs: &[&str],
    outputs: &[&str],
    attributes: Vec<Message>,
) -> Message {
    let mut fields: Vec<(u64, Field<'_>)> = Vec::new();
    fields.extend(inputs.iter().map(|input| (1, Text(input))));
    fields.extend(outputs.iter().map(|output| (2, Text(output))));
    fields.extend([(3, Text(name)), (4, Text(op))]);
    fields.extend(attributes.into_iter().map(|attribute| (5, Inner(attribute))));
    message(&fields)
}

pub(super) fn simple(op: &str, inputs: &[&str], output: &str) -> Message {
    node("", op, inputs, &[output], vec![])
}

pub(super) fn int(name: &str, value: i64) -> Message {
    message(&[(1, Text(name)), (3, Int(value)), (20, Int(2))])
}

pub(super) fn float(name: &str, value: f32) -> Message {
    message(&[(1, Text(name)), (2, Float(value)), (20, Int(1))])
}

/// An attribute that is the function's own of another name.
pub(super) fn refers(name: &str, to: &str) -> Message {
    message(&[(1, Text(name)), (21, Text(to)), (20, Int(1))])
}

/// An input or an output: `f32 Nx3`, or without a shape.
pub(super) fn info(name: &str, dtype: i64, dims: Option<&[&str]>) -> Message {
    let mut tensor = message(&[(1, Int(dtype))]);
    if let Some(dims) = dims {
        let dim = |dim: &&str| match dim.parse::<i64>() {
            Ok(n) => message(&[(1, Int(n))]),
            Err(_) if dim.is_empty() => Message::default(),
            Err(_) => message(&[(2, Text(dim))]),
        };
        let dims: Vec<(u64, Field<'_>)> = dims.iter().map(|one| (1, Inner(dim(one)))).collect();
        tensor.message(2, &message(&dims));
    }
    message(&[(1, Text(name)), (2, Inner(message(&[(1, Inner(tensor))])))])
}

pub(super) fn integers(name: &str, values: &[i64]) -> Message {
    let raw: Vec<u8> = values.iter().flat_map(|n| n.to_le_bytes()).collect();
    let extent = i64::try_from(values.len()).unwrap();
    message(&[(1, Int(extent)), (2, Int(7)), (8, Text(name)), (9, Bytes(&raw))])
}

/// What a graph is made of.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) nodes: Vec<Message>,
    pub(super) tensors: Vec<Message>,
    pub(super) inputs: Vec<Message>,
    pub(super) outputs: Vec<Message>,
    pub(super) functions: Vec<Message>,
    pub(super) opsets: Vec<(&'static str, i64)>,
}

/// The nodes, the tensors, the inputs and the outputs.
pub(super) fn graph(parts: &Parts) -> Message {
    let mut graph = Message::default();
    for (field, messages) in
        [(1, &parts.nodes), (5, &parts.tensors), (11, &parts.inputs), (12, &parts.outputs)]
    {
        messages.iter().for_each(|inner| graph.message(field, inner));
    }
    graph
}

pub(super) fn model(parts: Parts) -> Vec<u8> {
    let graph = graph(&parts);
    let mut model = message(&[(1, Int(8)), (2, Text("by hand")), (7, Inner(graph))]);
    let opsets = if parts.opsets.is_empty() { vec![("", 17)] } else { parts.opsets };
    for (domain, version) in opsets {
        model.message(8, &message(&[(1, Text(domain)), (2, Int(version))]));
    }
    parts.functions.iter().for_each(|function| model.message(25, function));
    model.0
}

pub(super) fn function(
    name: &str,
    inputs: &[&str],
    outputs: &[&str],
    attributes: &[&str],
    nodes: Vec<Message>,
) -> Message {
    let mut fields: Vec<(u64, Field<'_>)> = vec![(1, Text(name)), (10, Text("own"))];
    fields.extend(inputs.iter().map(|input| (4, Text(input))));
    fields.extend(outputs.iter().map(|output| (5, Text(output))));
    fields.extend(attributes.iter().map(|attribute| (6, Text(attribute))));
    fields.extend(nodes.into_iter().map(|node| (7, Inner(node))));
    fields.push((9, Inner(message(&[(2, Int(17))]))));
    message(&fields)
}

pub(super) fn call(name: &str, inputs: &[&str], outputs: &[&str], attributes: Vec<Message>) -> Message {
    let mut node = node("", name, inputs, outputs, attributes);
    node.text(7, "own");
    node
}

pub(super) fn floats(shape: &[usize], elements: &[f32]) -> Tensor {
    Tensor::new(shape, elements).unwrap()
}
