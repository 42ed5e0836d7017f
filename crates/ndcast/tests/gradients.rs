//! Gradients against JAX's: `gradients.txt`, which `tools/gradients` wrote.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use ndcast::Tensor;
use ndcast::graph::{Graph, gradient};

/// The numbers of a list in brackets.
fn numbers(text: &str) -> Vec<f64> {
    let inside = text.trim().strip_prefix('[').unwrap().strip_suffix(']').unwrap();
    inside.split(", ").map(|number| number.parse().unwrap()).collect()
}

#[test]
fn gradients_are_those_of_jax() {
    let mut failed = Vec::new();
    let mut compared = 0;
    for block in include_str!("gradients.txt").split("\n\n").filter(|block| !block.trim().is_empty()) {
        let (title, rest) = block.trim_start().split_once('\n').unwrap();
        let (mut text, mut inputs, mut expected) = (String::new(), Vec::new(), Vec::new());
        for line in rest.lines() {
            match line.split_once(" = ").unwrap() {
                (name, _) if name.starts_with(['%', 'o']) => text.extend([line, "\n"]),
                (name, list) if name.starts_with("d ") => expected.push(numbers(list)),
                (_, list) => inputs.push(numbers(list)),
            }
        }
        let graph: Graph = text.parse().unwrap_or_else(|error| panic!("{title}: {error}"));
        let inputs: Vec<Tensor> = graph
            .inputs()
            .iter()
            .zip(&inputs)
            .map(|(&id, numbers)| {
                let shape = graph.node(id).unwrap().shape().extents().unwrap();
                Tensor::new(&shape, numbers).unwrap()
            })
            .collect();
        let found = gradient(&graph, "y", None).unwrap().run(&inputs).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            for (found, expected) in found.to_vec::<f64>().unwrap().iter().zip(expected) {
                compared += 1;
                if (found - expected).abs() > 1e-12 * (1.0 + expected.abs()) {
                    failed.push(format!("{title}: {found}, not {expected}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(compared > 200, "only {compared}");
}
