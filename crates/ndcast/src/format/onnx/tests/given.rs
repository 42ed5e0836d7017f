//! What is known when a model is read: inputs that are given, numbers computed of them, tensors as they lie in the file; and models
//! of the first opsets.

use super::super::wire::Message;
use super::super::{read, read_given};
use super::by_hand::{Parts, float, floats, graph, info, int, integers, model, node, simple};
use super::{Field, message};
use crate::tensor::Tensor;

use Field::{Bytes, Int, Message as Inner, Text};

/// `x` gathered at `at`, which is an input with a default.
fn gathering() -> Vec<u8> {
    model(Parts {
        nodes: vec![simple("Gather", &["x", "at"], "y")],
        tensors: vec![integers("at", &[0])],
        inputs: vec![info("x", 1, Some(&["3"])), info("at", 7, Some(&["1"]))],
        outputs: vec![info("y", 1, None)],
        ..Parts::default()
    })
}

#[test]
fn what_is_given_is_used_instead_of_a_default() {
    let x = || floats(&[3], &[1.0, 2.0, 3.0]);
    let at = Tensor::new(&[1], &[2i64]).unwrap();
    for (given, inputs, expected) in [
        (vec![], vec![x()], 1.0),
        (vec![("at", at.clone())], vec![x()], 3.0),
        (vec![("x", x())], vec![], 1.0),
    ] {
        let graph = read_given(&gathering(), None, &given).unwrap();
        assert_eq!(graph.run(&inputs).unwrap()[0].to_vec::<f32>().unwrap(), [expected]);
    }
    let error = read_given(&gathering(), None, &[("axis", at)]).unwrap_err().to_string();
    assert_eq!(error, "there is no input called axis; there is x, at");
}

/// Rounds that are computed with floats from an input that is given.
#[test]
fn numbers_of_rounds_may_be_computed() {
    let all = |names: &[&str]| names.iter().map(|name| info(name, 1, None)).collect();
    let body = graph(&Parts {
        nodes: vec![simple("Add", &["before", "x"], "behind"), simple("Identity", &["goes_on"], "again")],
        inputs: all(&["round", "goes_on", "before"]),
        outputs: all(&["again", "behind"]),
        ..Parts::default()
    });
    let body = message(&[(1, Text("body")), (6, Inner(body)), (20, Int(5))]);
    let model = model(Parts {
        nodes: vec![
            node("", "Cast", &["n"], &["float"], vec![int("to", 1)]),
            node("", "Constant", &[], &["two"], vec![float("value_float", 2.0)]),
            simple("Div", &["float", "two"], "half"),
            simple("Ceil", &["half"], "ceil"),
            node("", "Cast", &["ceil"], &["count"], vec![int("to", 7)]),
            node("", "Cast", &["ceil"], &["any"], vec![int("to", 9)]),
            node("", "Loop", &["count", "any", "x"], &["y"], vec![body]),
        ],
        inputs: vec![info("x", 1, Some(&["1"])), info("n", 7, Some(&[]))],
        outputs: vec![info("y", 1, None)],
        ..Parts::default()
    });
    for (n, expected) in [(0i64, 1.0), (1, 2.0), (5, 4.0)] {
        let given = [("n", Tensor::scalar(n).unwrap())];
        let made = read_given(&model, None, &given).unwrap().run(&[floats(&[1], &[1.0])]).unwrap();
        assert_eq!(made[0].to_vec::<f32>().unwrap(), [expected], "{n}");
    }
    let error = read(&model, None).unwrap_err().to_string();
    assert!(error.contains("their number is not computed from constants"), "{error}");
}

/// A condition that is computed with floats, round after round: what was known of one round is not computed again in the next.
#[test]
fn conditions_of_many_rounds_are_computed_once_each() {
    let all = |names: &[&str]| names.iter().map(|name| info(name, 1, None)).collect();
    let body = graph(&Parts {
        nodes: vec![
            simple("Add", &["before", "step"], "behind"),
            simple("Less", &["behind", "bound"], "again"),
        ],
        inputs: all(&["round", "goes_on", "before"]),
        outputs: all(&["again", "behind"]),
        ..Parts::default()
    });
    let body = message(&[(1, Text("body")), (6, Inner(body)), (20, Int(5))]);
    let number = |name, n| node("", "Constant", &[], &[name], vec![float("value_float", n)]);
    let model = model(Parts {
        nodes: vec![
            number("step", 0.5),
            number("bound", 5000.0),
            node("", "Loop", &["", "", "step"], &["y"], vec![body]),
        ],
        outputs: vec![info("y", 1, None)],
        ..Parts::default()
    });
    let made = read(&model, None).unwrap().run(&[]).unwrap();
    assert_eq!(made[0].to_vec::<f32>().unwrap(), [5000.0]);
}

/// The body of a loop has a tensor of its own, which is the same memory in every round.
#[test]
fn tensors_in_loops_are_read_once() {
    let raw = vec![0; 1 << 16];
    let large = message(&[(1, Int(1 << 14)), (2, Int(1)), (8, Text("large")), (9, Bytes(&raw))]);
    let inner = graph(&Parts {
        nodes: vec![simple("Add", &["before", "large"], "behind")],
        tensors: vec![large],
        inputs: vec![info("before", 1, None), info("element", 1, None)],
        outputs: vec![info("behind", 1, None)],
        ..Parts::default()
    });
    let body = message(&[(1, Text("body")), (6, Inner(inner)), (20, Int(5))]);
    let scan = node("", "Scan", &["x", "rows"], &["y"], vec![body, int("num_scan_inputs", 1)]);
    let model = model(Parts {
        nodes: vec![scan],
        inputs: vec![info("x", 1, Some(&["16384"])), info("rows", 1, Some(&["5"]))],
        outputs: vec![info("y", 1, None)],
        ..Parts::default()
    });
    let graph = read(&model, None).unwrap();
    let large = |tensor: &&Tensor| tensor.elements() == 1 << 14;
    let constants: Vec<&Tensor> =
        graph.nodes().filter_map(|(_, node)| node.constant()).filter(large).collect();
    assert_eq!(constants.len(), 5);
    assert!(constants.iter().all(|constant| constant.shares_memory(constants[0])));
}

/// A byte that is not 0 is true, in whichever field it stands.
#[test]
fn truth_values_of_other_bytes() {
    let raw = message(&[(1, Int(3)), (2, Int(9)), (8, Text("w")), (9, Bytes(&[0, 2, 255]))]);
    let mut numbers = message(&[(1, Int(3)), (2, Int(9)), (8, Text("w"))]);
    [0, 2, -256].iter().for_each(|&n| numbers.int(5, n));
    for tensor in [raw, numbers] {
        let model = model(Parts {
            nodes: vec![simple("Not", &["w"], "y")],
            tensors: vec![tensor],
            outputs: vec![info("y", 9, None)],
            ..Parts::default()
        });
        let made = read(&model, None).unwrap().run(&[]).unwrap();
        assert_eq!(made[0].to_vec::<bool>().unwrap(), [true, false, false]);
    }
}

/// In the first opsets attributes say what is broadcast, and from which axis on.
#[test]
fn models_of_the_first_opsets() {
    let parts = |opset, attributes: Vec<Message>| Parts {
        nodes: vec![node("", "Add", &["x", "b"], &["y"], attributes)],
        inputs: vec![info("x", 1, Some(&["2", "3"])), info("b", 1, Some(&["2"]))],
        outputs: vec![info("y", 1, None)],
        opsets: vec![("", opset)],
        ..Parts::default()
    };
    let given = [floats(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), floats(&[2], &[10.0, 20.0])];
    for opset in [1, 6] {
        let attributes = vec![int("broadcast", 1), int("axis", 0)];
        let made = read(&model(parts(opset, attributes)), None).unwrap().run(&given).unwrap();
        assert_eq!(made[0].to_vec::<f32>().unwrap(), [11.0, 12.0, 13.0, 24.0, 25.0, 26.0]);
    }
    let inputs = vec![info("x", 1, Some(&["2", "3"])), info("b", 1, Some(&["3"]))];
    let late = Parts { inputs, ..parts(7, vec![int("axis", 1)]) };
    let error = read(&model(late), None).unwrap_err().to_string();
    assert!(error.ends_with("Add: it has no attribute axis in opset 7"), "{error}");
}
