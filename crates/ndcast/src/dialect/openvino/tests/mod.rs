//! Tests of the builder, as tables: what OpenVINO's own tests expect, what its operations' pages show, and what each check
//! refuses.

mod broadcast;
mod elementwise;
mod layers;
mod nothing_panics;
mod places;
mod sort;

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

/// A layer by its name and opset, its inputs, its attributes, and what comes of it.
type Row<'a, E = &'a str> = (&'a str, u32, &'a [&'a str], &'a [(&'a str, &'a str)], E);

/// What is known of the shapes that layers give, or why they give none.
fn have_shapes(rows: &[Row<'_>]) {
    let mut wrong = Vec::new();
    for (name, opset, inputs, attributes, expected) in rows {
        let found = layer(name, *opset, inputs, attributes);
        if !as_expected(&found, expected) {
            wrong.push(format!("{name}-{opset} {inputs:?} {attributes:?}: {found}, not {expected}"));
        }
    }
    none("layers", &wrong);
}

/// The numbers that layers give for counted inputs.
fn have_values(rows: &[Row<'_, &[f32]>]) {
    let mut wrong = Vec::new();
    for (name, opset, inputs, attributes, expected) in rows {
        let found = values(name, *opset, inputs, attributes);
        let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-6 * b.abs();
        if found.len() != expected.len() || !found.iter().zip(*expected).all(near) {
            wrong.push(format!("{name}-{opset} {inputs:?} {attributes:?}: {found:?}"));
        }
    }
    none("values", &wrong);
}

/// What is not known when a layer is built is computed when it runs, and is the same.
fn are_the_same_unknown(rows: &[Row<'_>]) {
    for (name, opset, inputs, attributes, _) in rows {
        let known = run(name, *opset, inputs, attributes, |shape| shape.into());
        let unknown = run(name, *opset, inputs, attributes, |shape| {
            vec![ndcast_shape::Dim::UNKNOWN; shape.len()].into()
        });
        assert_eq!(known, unknown, "{name} {inputs:?}");
    }
}

/// The outputs of a layer for counted inputs, whose declared shapes may say less than is given.
fn run(
    name: &str,
    opset: u32,
    inputs: &[&str],
    attributes: &[(&str, &str)],
    declared: impl Fn(&[usize]) -> ndcast_shape::Shape,
) -> Vec<(Vec<usize>, Vec<f32>)> {
    let mut graph = Graph::new();
    let mut given = Vec::new();
    let mut ids = Vec::new();
    for (place, text) in inputs.iter().enumerate() {
        if text.ends_with(']') {
            ids.push(input(&mut graph, text));
            continue;
        }
        let (dtype, shape) = text.split_once(':').unwrap_or(("f32", text));
        let extents = shape.parse::<ndcast_shape::Shape>().unwrap().extents().unwrap();
        let dtype = element_type(dtype).unwrap();
        given.push(crate::Array::from(counted(&extents)).convert(dtype).eval().unwrap());
        ids.push(graph.input(&place.to_string(), dtype, declared(&extents)).unwrap());
    }
    let attributes = attributes.iter().copied().collect();
    let made = Builder::new(&mut graph).layer(name, opset, &ids, &attributes);
    for (place, id) in made.unwrap_or_else(|error| panic!("{name}: {error}")).into_iter().enumerate() {
        graph.output(&place.to_string(), id).unwrap();
    }
    let made = graph.run(&given).unwrap_or_else(|error| panic!("{name}: {error}"));
    let read = |tensor: Tensor| {
        let shape = tensor.shape().to_vec();
        (shape, crate::Array::from(tensor).convert(DType::F32).to_vec::<f32>().unwrap())
    };
    made.into_iter().map(read).collect()
}
