//! What a model declares of its outputs.

use super::super::read;
use super::by_hand::{Parts, info, model, node, simple};
use crate::error::Error;
use crate::graph::Graph;

/// `y` of a node of `x`, which is `f32 Nx3`, with these outputs.
fn of(op: &str, outputs: &[(&str, i64, Option<&[&str]>)]) -> Result<Graph, Error> {
    let outputs = outputs.iter().map(|(name, dtype, dims)| info(name, *dtype, *dims)).collect();
    let parts = Parts {
        nodes: vec![simple(op, &["x"], "y")],
        inputs: vec![info("x", 1, Some(&["N", "3"]))],
        outputs,
        ..Parts::default()
    };
    read(&model(parts), None)
}

#[test]
fn what_contradicts_the_nodes_is_refused() {
    for (op, dtype, message) in [
        ("Exp", 7, "at y: the output is declared to be i64, and its node makes f32"),
        ("IsNaN", 1, "at y: the output is declared to be f32, and its node makes bool"),
        ("Exp", 99, "at y: there is no element type of ONNX's number 99 here"),
    ] {
        let error = of(op, &[("y", dtype, None)]).unwrap_err().to_string();
        assert_eq!(error, message);
    }
}

#[test]
fn what_may_be_so_is_not() {
    // Nor are other shapes.
    for dims in [&["N", "3"][..], &["M", "K"], &["2", "3"], &["-1", ""], &["5", "5"], &["M"]] {
        let graph = of("Exp", &[("y", 1, Some(dims))]).unwrap();
        assert_eq!(graph.node(graph.outputs()[0].id()).unwrap().shape().to_string(), "Nx3");
    }
    // Neither a type nor a shape.
    of("Exp", &[("y", 0, None)]).unwrap();
}

#[test]
fn a_value_is_listed_twice() {
    let names = |graph: &Graph| -> Vec<String> {
        graph.outputs().iter().map(|output| output.name().to_owned()).collect()
    };
    let graph = of("Exp", &[("y", 1, None), ("y", 1, None), ("y", 1, None)]).unwrap();
    assert_eq!(names(&graph), ["y", "y_1", "y_2"]);
    assert_eq!(graph.outputs()[0].id(), graph.outputs()[2].id());
    let parts = Parts {
        nodes: vec![simple("Exp", &["x"], "y"), node("", "Neg", &["x"], &["y_1"], vec![])],
        inputs: vec![info("x", 1, None)],
        outputs: ["y", "y_1", "y"].map(|name| info(name, 1, None)).into(),
        ..Parts::default()
    };
    assert_eq!(names(&read(&model(parts), None).unwrap()), ["y", "y_1", "y_2"]);
}
