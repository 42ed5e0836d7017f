//! `If`: which branch is taken is known when the model is read, or only when it runs.

use super::super::read;
use super::super::wire::Message;
use super::by_hand::{
    Parts, call, float, floats, function, graph, info, int, integers, model, node, refers, simple,
};
use super::{Field, message};
use crate::error::Error;
use crate::graph::Graph;
use crate::tensor::Tensor;

use Field::{Int, Message as Inner, Text};

/// An attribute that is a graph.
fn branch(name: &str, parts: &Parts) -> Message {
    message(&[(1, Text(name)), (6, Inner(graph(parts))), (20, Int(5))])
}

/// What a branch makes, by its last node.
fn made(nodes: Vec<Message>) -> Parts {
    Parts { nodes, outputs: vec![info("made", 1, None)], ..Parts::default() }
}

/// `If(condition)` of two branches.
fn choice(condition: &str, output: &str, then: &Parts, otherwise: &Parts) -> Message {
    let branches = vec![branch("else_branch", otherwise), branch("then_branch", then)];
    node("", "If", &[condition], &[output], branches)
}

fn of(nodes: Vec<Message>, x: &[&str]) -> Result<Graph, Error> {
    let parts = Parts {
        nodes,
        tensors: vec![integers("zero", &[0]), integers("one", &[1])],
        inputs: vec![info("p", 9, Some(&["1"])), info("x", 1, Some(x))],
        outputs: vec![info("y", 1, None)],
        ..Parts::default()
    };
    read(&model(parts), None)
}

fn run(graph: &Graph, truth: bool, x: &Tensor) -> Tensor {
    graph.run(&[Tensor::new(&[1], &[truth]).unwrap(), x.clone()]).unwrap().swap_remove(0)
}

/// As exporters write a squeeze: only one of the branches fits.
#[test]
fn the_branch_that_is_known_is_the_only_one() {
    let nodes = || {
        vec![
            simple("Shape", &["x"], "shape"),
            simple("Gather", &["shape", "zero"], "first"),
            simple("Equal", &["first", "one"], "is_one"),
            choice(
                "is_one",
                "y",
                &made(vec![simple("Squeeze", &["x", "zero"], "made")]),
                &made(vec![simple("Identity", &["x"], "made")]),
            ),
        ]
    };
    for (extents, expected) in [(["1", "3"], &[3][..]), (["2", "3"], &[2, 3])] {
        let graph = of(nodes(), &extents).unwrap();
        let first: usize = extents[0].parse().unwrap();
        let x = floats(&[first, 3], &vec![1.0; first * 3]);
        assert_eq!(run(&graph, true, &x).shape(), expected);
    }
    let error = of(nodes(), &["N", "3"]).unwrap_err().to_string();
    assert!(error.contains("node 3, which makes y"), "{error}");
}

#[test]
fn both_are_computed_where_that_comes_later() {
    // Both have a tensor of their own by one name, and see what stands around them.
    let with = |number: &[i64], op: &str| {
        let cast = node("", "Cast", &["own"], &["number"], vec![int("to", 1)]);
        Parts {
            tensors: vec![integers("own", number)],
            ..made(vec![cast, simple(op, &["x", "number"], "made")])
        }
    };
    let inner = made(vec![choice("p", "made", &with(&[2], "Mul"), &with(&[3], "Mul"))]);
    let outer = vec![simple("Not", &["p"], "not"), choice("not", "y", &with(&[10], "Add"), &inner)];
    let graph = of(outer, &["N"]).unwrap();
    for x in [vec![1.0f32, 2.0], vec![5.0]] {
        let given = floats(&[x.len()], &x);
        let twice: Vec<f32> = x.iter().map(|x| x * 2.0).collect();
        let more: Vec<f32> = x.iter().map(|x| x + 10.0).collect();
        assert_eq!(run(&graph, true, &given).to_vec::<f32>().unwrap(), twice);
        assert_eq!(run(&graph, false, &given).to_vec::<f32>().unwrap(), more);
    }
}

/// Branches of functions see the function's attributes, and a function must not come back to itself through one.
#[test]
fn branches_within_functions() {
    let parts = |nodes: Vec<Message>| {
        let constant = node("", "Constant", &[], &["f"], vec![refers("value_float", "factor")]);
        let scaled = made(vec![constant, simple("Mul", &["x", "f"], "made")]);
        let scaled = choice("p", "y", &scaled, &made(nodes));
        Parts {
            nodes: vec![call("scaled", &["p", "x"], &["y"], vec![float("factor", 4.0)])],
            inputs: vec![info("p", 9, Some(&["1"])), info("x", 1, Some(&["2"]))],
            outputs: vec![info("y", 1, None)],
            functions: vec![function("scaled", &["p", "x"], &["y"], &["factor"], vec![scaled])],
            opsets: vec![("", 17), ("own", 1)],
            ..Parts::default()
        }
    };
    let graph = read(&model(parts(vec![simple("Neg", &["x"], "made")])), None).unwrap();
    let x = floats(&[2], &[1.0, 2.0]);
    assert_eq!(run(&graph, true, &x).to_vec::<f32>().unwrap(), [4.0, 8.0]);
    assert_eq!(run(&graph, false, &x).to_vec::<f32>().unwrap(), [-1.0, -2.0]);
    let again = call("scaled", &["p", "x"], &["made"], vec![float("factor", 4.0)]);
    let error = read(&model(parts(vec![again])), None).unwrap_err().to_string();
    assert!(error.contains("the function calls itself"), "{error}");
}

#[test]
fn branches_that_cannot_be() {
    let (kept, turned) =
        (made(vec![simple("Neg", &["x"], "made")]), made(vec![simple("Cos", &["x"], "made")]));
    let two = Parts {
        outputs: vec![info("made", 1, None), info("x", 1, None)],
        ..made(vec![simple("Neg", &["x"], "made")])
    };
    let with_input = Parts { inputs: vec![info("z", 1, None)], ..made(vec![simple("Neg", &["z"], "made")]) };
    let longer = made(vec![node("", "Concat", &["x", "x"], &["made"], vec![int("axis", 0)])]);
    let rows = made(vec![simple("Unsqueeze", &["x", "zero"], "made")]);
    let shadows = made(vec![simple("Neg", &["p"], "x"), simple("Neg", &["x"], "made")]);
    let whole = made(vec![simple("Shape", &["x"], "made")]);
    let lone = node("", "If", &["p"], &["y"], vec![branch("then_branch", &kept)]);
    let many = node(
        "",
        "If",
        &["p"],
        &["y", "z"],
        vec![branch("then_branch", &kept), branch("else_branch", &turned)],
    );
    for (node, message) in [
        (lone, "there is no graph else_branch"),
        (many, "it has 2 outputs, and its graph gives 1"),
        (choice("p", "y", &kept, &two), "one branch gives 1 values, and the other 2"),
        (choice("p", "y", &with_input, &kept), "a graph of it takes 1 inputs, and is given 0"),
        (choice("x", "y", &kept, &turned), "the elements are f32, not bool"),
        (choice("q", "y", &kept, &turned), "no input and no node before it makes \"q\""),
        (
            choice("p", "y", &kept, &longer),
            "at node 0, which makes y: its branches must agree, since it is known only when the model runs which one is \
             taken: then_branch gives f32 2, and else_branch f32 4",
        ),
        (choice("p", "y", &kept, &whole), "then_branch gives f32 2, and else_branch i64 1"),
        (choice("p", "y", &rows, &kept), "then_branch gives f32 1x2, and else_branch f32 2"),
        (
            choice("p", "y", &kept, &shadows),
            "a graph of it and the graph around it both have a value called \"x\", and names in both must differ",
        ),
        (
            choice("p", "y", &kept, &made(vec![simple("NonZeroed", &["x"], "made")])),
            "operators that are not here: NonZeroed",
        ),
    ] {
        let error = of(vec![node], &["2"]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}\n  not {message}");
    }
    let mut deep = kept;
    for _ in 0..40 {
        deep = made(vec![choice("p", "made", &deep, &turned)]);
    }
    let error = of(vec![choice("p", "y", &deep, &turned)], &["2"]).unwrap_err().to_string();
    assert!(error.contains("more than 32 graphs lie within each other"), "{error}");
}

#[test]
fn nothing_comes_of_a_branch_that_is_not_taken() {
    let graph = of(
        vec![choice(
            "p",
            "y",
            &made(vec![simple("Log", &["x"], "made")]),
            &made(vec![simple("Neg", &["x"], "made")]),
        )],
        &["2"],
    )
    .unwrap();
    let by_x = crate::graph::gradient(&graph, "y", Some(&["x"])).unwrap();
    let found =
        |truth, x: [f32; 2]| run(&by_x, truth, &Tensor::new(&[2], &x).unwrap()).to_vec::<f32>().unwrap();
    assert_eq!(found(false, [0.0, 2.0]), [-1.0, -1.0]);
    assert_eq!(found(true, [0.5, 2.0]), [2.0, 0.5]);
}
