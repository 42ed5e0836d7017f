//! What JAX gave for its programs, in both texts.

use super::*;
use crate::format::hlo;
use crate::format::program::recorded::recorded;

#[test]
fn programs_give_what_jax_gives() {
    let mut wrong = Vec::new();
    let all = names("mlir");
    assert!(all.len() >= 50);
    for name in all {
        match read(&text(&format!("{name}.mlir"))) {
            Ok(graph) => wrong.extend(differences(&graph, &name)),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    none("programs", &wrong);
}

#[test]
fn programs_of_hlo_give_what_jax_gives() {
    let mut wrong = Vec::new();
    let all = names("hlo");
    assert!(all.len() >= 20);
    for name in all {
        match hlo::read(&text(&format!("{name}.hlo"))) {
            Ok(graph) => wrong.extend(differences(&graph, &name)),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    none("programs", &wrong);
}

/// An extent that is open in the text is so in the graph, and every part that follows from it.
#[test]
fn open_extents_stay_open() {
    let graph = read(&text("poly_softmax.mlir")).unwrap();
    let shape = |id| graph.node(id).unwrap().shape().to_string();
    assert_eq!(shape(graph.inputs()[0]), "?x4");
    assert_eq!(shape(graph.outputs()[0].id()), "?x4");
    assert!(!graph.to_string().contains("shape_assertion"));
}

/// The sum of the first output, as an output.
fn sum_of(mut graph: Graph) -> Graph {
    let first = graph.outputs()[0].id();
    let sum = graph.fold(crate::reduction::Reduction::Sum, first, &[0], crate::array::Keep::Nothing).unwrap();
    graph.output("sum", sum).unwrap();
    graph
}

/// The gradient of a logarithm of sums of exponentials: parts of 1 in each row.
#[test]
fn a_program_has_a_gradient() {
    let graph = read(&text("logsumexp.mlir")).unwrap();
    let softmax = crate::graph::gradient(&sum_of(graph), "sum", Some(&["arg0"])).unwrap();
    let [inputs, _] = recorded("logsumexp");
    let found = softmax.run(&inputs).unwrap();
    let sums = Array::from(found.last().unwrap().clone()).sum([1], crate::array::Keep::Nothing);
    for sum in sums.to_vec::<f32>().unwrap() {
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    }
}
