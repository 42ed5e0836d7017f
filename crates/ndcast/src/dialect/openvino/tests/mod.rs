//! Tests of the builder, as tables: what OpenVINO's own tests expect, what its operations' pages show, and what each check
//! refuses.

mod broadcast;
mod elementwise;
mod layers;
mod nothing_panics;

use super::*;
use crate::dtype::DType;
use crate::tensor::Tensor;

/// The numbers from 1 on in a shape.
fn counted(shape: &[usize]) -> Tensor {
    let numbers: Vec<f32> = (1..=shape.iter().product::<usize>()).map(|n| n as f32).collect();
    Tensor::new(shape, &numbers).unwrap()
}

/// An input of floats, or of another type: `i32:2x3`. Integers in brackets are a constant: `[1, 2]`, or `i32[1]`.
fn input(graph: &mut Graph, text: &str) -> Id {
    if let Some((dtype, list)) = text.split_once('[').filter(|(_, list)| list.ends_with(']')) {
        let inside = list.trim_end_matches(']');
        let numbers: Vec<i64> =
            inside.split(',').filter(|n| !n.trim().is_empty()).map(|n| n.trim().parse().unwrap()).collect();
        let dtype = if dtype.is_empty() { DType::I64 } else { element_type(dtype).unwrap() };
        let array = crate::Array::new(&[numbers.len()], &numbers).convert(dtype);
        return graph.constant(array.eval().unwrap()).unwrap();
    }
    let (dtype, shape) = text.split_once(':').unwrap_or(("f32", text));
    let name = format!("x{}", graph.inputs().len());
    graph.input(&name, element_type(dtype).unwrap(), shape.parse().unwrap()).unwrap()
}

/// What is known of the shape of something that was made, or why it was not.
fn outcome(graph: &Graph, made: Result<Id, Error>) -> String {
    match made {
        Ok(id) => graph.node(id).unwrap().shape().to_string(),
        Err(error) => error.to_string(),
    }
}

/// Whether an outcome is as expected: a shape, or `! part of a message`.
fn as_expected(found: &str, expected: &str) -> bool {
    match expected.strip_prefix("! ") {
        Some(part) => found.contains(part),
        None => found == expected,
    }
}

/// A layer with inputs as texts.
fn layer(layer_type: &str, opset: u32, inputs: &[&str], attributes: &[(&str, &str)]) -> String {
    let mut graph = Graph::new();
    let inputs: Vec<Id> = inputs.iter().map(|text| input(&mut graph, text)).collect();
    let attributes = attributes.iter().copied().collect();
    let made = Builder::new(&mut graph).layer(layer_type, opset, &inputs, &attributes);
    match made {
        Ok(ids) => {
            let shapes: Vec<String> =
                ids.iter().map(|&id| graph.node(id).unwrap().shape().to_string()).collect();
            shapes.join(" ")
        }
        Err(error) => error.to_string(),
    }
}

/// The numbers that a layer makes of counted inputs, where all of these are known shapes of floats.
fn values(layer_type: &str, opset: u32, inputs: &[&str], attributes: &[(&str, &str)]) -> Vec<f32> {
    let mut graph = Graph::new();
    let inputs: Vec<Id> = inputs.iter().map(|text| input(&mut graph, text)).collect();
    let attributes = attributes.iter().copied().collect();
    let made = Builder::new(&mut graph).layer(layer_type, opset, &inputs, &attributes).unwrap();
    for (place, id) in made.into_iter().enumerate() {
        graph.output(&place.to_string(), id).unwrap();
    }
    let given = graph.inputs().iter().map(|&id| {
        let node = graph.node(id).unwrap();
        let counted = counted(&node.shape().extents().unwrap());
        crate::Array::from(counted).convert(node.dtype()).eval().unwrap()
    });
    let made = graph.run(&given.collect::<Vec<_>>()).unwrap();
    made.into_iter()
        .flat_map(|tensor| crate::Array::from(tensor).convert(DType::F32).to_vec::<f32>().unwrap())
        .collect()
}

fn none(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{what}:\n  {}", wrong.join("\n  "));
}
