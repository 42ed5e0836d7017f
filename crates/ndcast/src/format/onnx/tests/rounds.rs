//! `Loop` and `Scan`: written out round by round, and those that cannot be.

use super::super::read;
use super::super::wire::Message;
use super::by_hand::{Parts, floats, graph, info, int, integers, model, node, simple};
use super::{Field, message};
use crate::tensor::Tensor;

use Field::{Int, Message as Inner, Text};

/// The attribute that a loop goes through.
fn body(nodes: Vec<Message>, inputs: &[&str], outputs: &[&str]) -> Message {
    let all = |names: &[&str]| names.iter().map(|name| info(name, 1, None)).collect();
    let parts = Parts { nodes, inputs: all(inputs), outputs: all(outputs), ..Parts::default() };
    message(&[(1, Text("body")), (6, Inner(graph(&parts))), (20, Int(5))])
}

fn list(name: &str, numbers: &[i64]) -> Message {
    let mut made = message(&[(1, Text(name)), (20, Int(7))]);
    numbers.iter().for_each(|&n| made.int(8, n));
    made
}

/// A model of one node, of `x` and of numbers, with outputs of these names.
fn of(node: Message, outputs: &[&str]) -> Vec<u8> {
    model(Parts {
        nodes: vec![node],
        tensors: vec![integers("none", &[0]), integers("one", &[1]), integers("three", &[3])],
        inputs: vec![
            info("x", 1, Some(&["2", "3"])),
            info("row", 1, Some(&["3"])),
            info("n", 7, Some(&["1"])),
        ],
        outputs: outputs.iter().map(|name| info(name, 1, None)).collect(),
        ..Parts::default()
    })
}

fn run(model: &[u8]) -> Vec<(Vec<usize>, Vec<f32>)> {
    let given = [
        floats(&[2, 3], &[1.0, 2.0, 3.0, 10.0, 20.0, 30.0]),
        floats(&[3], &[0.5, 0.5, 0.5]),
        Tensor::new(&[1], &[2i64]).unwrap(),
    ];
    let made = read(model, None).unwrap().run(&given).unwrap();
    made.iter().map(|tensor| (tensor.shape().to_vec(), tensor.to_vec::<f32>().unwrap())).collect()
}

/// The sum with a value around, and what was before it.
fn summing(again: Message) -> Message {
    let nodes =
        vec![again, simple("Add", &["before", "row"], "behind"), simple("Identity", &["before"], "kept")];
    body(nodes, &["round", "goes_on", "before"], &["again", "behind", "kept"])
}

#[test]
fn a_loop_of_a_number_of_rounds() {
    let again = || summing(simple("Identity", &["goes_on"], "again"));
    let node = |count: &str| node("", "Loop", &[count, "", "row"], &["last", "rows"], vec![again()]);
    let made = run(&of(node("three"), &["last", "rows"]));
    assert_eq!(made[0], (vec![3], vec![2.0; 3]));
    assert_eq!(made[1], (vec![3, 3], [[0.5; 3], [1.0; 3], [1.5; 3]].concat()));
    let wrong = |count: &str| read(&of(node(count), &["last"]), None).unwrap_err().to_string();
    assert!(
        wrong("n").contains("must be known when the model is read, and their number is not"),
        "{}",
        wrong("n")
    );
    assert!(wrong("none").contains("it has no rounds, so that the shape"), "{}", wrong("none"));
}

#[test]
fn a_loop_as_long_as_its_condition_holds() {
    let until = |bound: &str| summing(simple("Less", &["round", bound], "again"));
    let of_bound = |bound: &str| node("", "Loop", &["", "", "row"], &["last"], vec![until(bound)]);
    assert_eq!(run(&of(of_bound("one"), &["last"])), [(vec![3], vec![1.5; 3])]);
    let error = read(&of(of_bound("n"), &["last"]), None).unwrap_err().to_string();
    assert!(error.contains("must be known when the model is read, and its condition is not"), "{error}");
    let for_ever = node(
        "",
        "Loop",
        &["", "", "row"],
        &["last"],
        vec![summing(simple("Identity", &["goes_on"], "again"))],
    );
    let error = read(&of(for_ever, &["last"]), None).unwrap_err().to_string();
    assert!(error.contains("the functions and loops are more than 262144 nodes together"), "{error}");
}

#[test]
fn a_scan_along_an_axis() {
    let halves = || {
        let nodes =
            vec![simple("Add", &["before", "element"], "behind"), simple("Mul", &["behind", "row"], "made")];
        body(nodes, &["before", "element"], &["behind", "made"])
    };
    let scan = |more: Vec<Message>| {
        let attributes = [vec![halves(), int("num_scan_inputs", 1)], more].concat();
        node("", "Scan", &["row", "x"], &["last", "rows"], attributes)
    };
    let made = run(&of(scan(vec![]), &["last", "rows"]));
    assert_eq!(made[0], (vec![3], vec![11.5, 22.5, 33.5]));
    assert_eq!(made[1], (vec![2, 3], vec![0.75, 1.25, 1.75, 5.75, 11.25, 16.75]));
    let back = vec![
        list("scan_input_directions", &[1]),
        list("scan_output_axes", &[-1]),
        list("scan_output_directions", &[1]),
    ];
    let made = run(&of(scan(back), &["rows"]));
    assert_eq!(made[0], (vec![3, 2], vec![5.75, 5.25, 11.25, 10.25, 16.75, 15.25]));
    for (more, expected) in [
        (list("scan_input_axes", &[2]), "axis 2"),
        (list("scan_input_axes", &[0, 1]), "scan_input_axes holds 2 numbers, and not 1"),
    ] {
        let error = read(&of(scan(vec![more]), &["last"]), None).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let none = node("", "Scan", &["row", "x"], &["last"], vec![halves(), int("num_scan_inputs", 3)]);
    let error = read(&of(none, &["last"]), None).unwrap_err().to_string();
    assert!(error.contains("it cannot go through 3 of 2 inputs"), "{error}");
    let shadows = body(vec![simple("Add", &["row", "element"], "behind")], &["row", "element"], &["behind"]);
    let shadows = node("", "Scan", &["row", "x"], &["last"], vec![shadows, int("num_scan_inputs", 1)]);
    let error = read(&of(shadows, &["last"]), None).unwrap_err().to_string();
    assert!(error.contains("the graph around it both have a value called \"row\""), "{error}");
}
