//! Rules written out in plainer ones: with extents that come when the graph runs, the results are the same bit for bit, and so
//! are those of the gradients.

use ndcast_shape::rule::{Need, Rule, array_api, onnx, openvino, xla};
use ndcast_shape::{Extent, parse_index};

use super::super::kind::{Broadcast, Fit, Insert, InsertBy, Lay, ShapeOf, Slice};
use super::super::{Graph, Kind, gradient};
use super::{counted, floats};
use crate::dtype::DType;
use crate::op::Op;

/// A rule, its axes and its axis; the shapes of its operands, as declared and as they come; and the shape whose extents are the
/// target, where it takes one.
struct Sample {
    rule: &'static Rule,
    axes: Option<&'static [i64]>,
    axis: Option<i64>,
    declared: &'static [&'static str],
    runs: &'static [&'static [&'static [usize]]],
}

const SAMPLES: &[Sample] = &[
    Sample {
        rule: &array_api::JOIN,
        axes: None,
        axis: None,
        declared: &["?x3", "2x?x?"],
        runs: &[&[&[1, 3], &[2, 4, 1]], &[&[4, 3], &[2, 1, 3]], &[&[0, 3], &[2, 1, 1]]],
    },
    Sample {
        rule: &array_api::IN_PLACE,
        axes: None,
        axis: None,
        declared: &["?x?", "?"],
        runs: &[&[&[2, 3], &[3]], &[&[2, 3], &[1]]],
    },
    Sample {
        rule: &onnx::UNIDIRECTIONAL,
        axes: None,
        axis: None,
        declared: &["?x?", "?x1"],
        runs: &[&[&[2, 3], &[2, 1]], &[&[2, 3], &[1, 1]]],
    },
    Sample {
        rule: &openvino::ELTWISE_PDPD,
        axes: None,
        axis: Some(1),
        declared: &["?x?x?x5", "?x?"],
        runs: &[&[&[2, 3, 4, 5], &[3, 4]], &[&[2, 3, 4, 5], &[3, 1]]],
    },
    Sample {
        rule: &openvino::BROADCAST_EXPLICIT,
        axes: Some(&[1]),
        axis: None,
        declared: &["?", "?x?x?"],
        runs: &[&[&[3], &[2, 3, 4]], &[&[1], &[2, 3, 4]]],
    },
    Sample {
        rule: &openvino::BROADCAST_PDPD,
        axes: None,
        axis: Some(1),
        declared: &["?x?", "?x?x?"],
        runs: &[&[&[3, 1], &[2, 3, 4]], &[&[3, 4], &[2, 3, 4]]],
    },
    Sample {
        rule: &openvino::BROADCAST_BIDIRECTIONAL,
        axes: None,
        axis: None,
        declared: &["?x?", "?x1"],
        runs: &[&[&[3, 4], &[1, 1]], &[&[1, 4], &[3, 1]]],
    },
    Sample {
        rule: &xla::BINARY,
        axes: Some(&[1]),
        axis: None,
        declared: &["2x?x?", "?"],
        runs: &[&[&[2, 3, 4], &[3]], &[&[2, 3, 4], &[1]], &[&[2, 1, 4], &[3]]],
    },
];

/// The sum over the squares of what a rule lays, of every operand of it.
fn built(sample: &Sample) -> Graph {
    let mut graph = Graph::new();
    let mut arguments = Vec::new();
    for (place, shape) in sample.declared.iter().enumerate() {
        arguments.push(floats(&mut graph, &format!("x{place}"), shape));
    }
    let has_target = sample.rule.target != Need::Never;
    let operands = if has_target { 1 } else { arguments.len() };
    if has_target {
        arguments[1] = graph.add(ShapeOf(DType::I64), &[arguments[1]]).unwrap();
    }
    for operand in 0..operands {
        let fit = Fit {
            axes: sample.axes.map(<[i64]>::to_vec),
            axis: sample.axis,
            ..Fit::new(sample.rule, operands, operand)
        };
        let laid = graph.add(fit, &arguments).unwrap();
        let square = graph.apply(Op::Square, &[laid]).unwrap();
        graph.output(&format!("y{operand}"), square).unwrap();
    }
    graph
}

fn is_plain(graph: &Graph) -> bool {
    let plain = [&array_api::JOIN, &array_api::BROADCAST_TO, &onnx::EXPAND];
    graph.nodes().all(|(_, node)| match node.kind() {
        Kind::Fit(fit) => plain.contains(&fit.rule),
        Kind::Unfit(_) => false,
        _ => true,
    })
}

#[test]
fn what_other_rules_lay_is_the_same_in_plain_ones() {
    for sample in SAMPLES {
        let whole = built(sample);
        let mut graphs = vec![whole.clone()];
        for output in whole.outputs() {
            graphs.push(gradient(&whole, output.name(), None).unwrap());
        }
        for graph in graphs {
            assert!(graph.nodes().any(|(_, node)| matches!(node.kind(), Kind::Fit(_) | Kind::Unfit(_))));
            let plain = graph.with_rules(&[]).unwrap();
            assert!(is_plain(&plain), "{}\n{graph}\n{}", sample.rule.name, *plain);
            for shapes in sample.runs {
                let inputs: Vec<_> = shapes.iter().map(|shape| counted(shape)).collect();
                let what = || format!("{} of {shapes:?}\n{graph}\n{}", sample.rule.name, *plain);
                let (wanted, found) = (graph.run(&inputs), plain.run(&inputs));
                let wanted = wanted.unwrap_or_else(|error| panic!("{error}: {}", what()));
                let found = found.unwrap_or_else(|error| panic!("{error}: {}", what()));
                for (wanted, found) in wanted.iter().zip(&found) {
                    assert_eq!(found.shape(), wanted.shape(), "{}", what());
                    assert_eq!(found.to_vec::<f64>(), wanted.to_vec::<f64>(), "{}", what());
                }
            }
        }
    }
}

/// Extents that do not go together are an error of the plain graph too, when it runs: of the rule that it has instead, with
/// the numbers.
#[test]
fn extents_that_do_not_go_together() {
    let refused: [(&Rule, &[&[usize]], &str); 6] = [
        (
            &openvino::ELTWISE_PDPD,
            &[&[2, 3, 4, 5], &[3, 7]],
            "array-api: 2x3x4x5 and 1x3x7x1 do not broadcast: on axis 2 of the result, axis 2 of operand 0 is 4 and axis 2 of \
             operand 1 is 7; they must be equal, or one of them 1",
        ),
        (
            &openvino::BROADCAST_EXPLICIT,
            &[&[3], &[2, 5, 4]],
            "array-api.broadcast-to: 1x3x1 does not broadcast to 2x5x4: on axis 1 of the result, axis 1 of operand 0 is 3 and \
             axis 1 of the target is 5; only 5 or 1 fits on the target",
        ),
        (
            &openvino::BROADCAST_PDPD,
            &[&[3, 2], &[2, 3, 4]],
            "array-api.broadcast-to: 1x3x2 does not broadcast to 2x3x4: on axis 2 of the result, axis 2 of operand 0 is 2 and \
             axis 2 of the target is 4; only 4 or 1 fits on the target",
        ),
        (
            &openvino::BROADCAST_BIDIRECTIONAL,
            &[&[3, 4], &[2, 1]],
            "onnx.expand: 3x4 does not broadcast to 2x1: on axis 0 of the result, axis 0 of operand 0 is 3 and axis 0 of the \
             target is 2; they must be equal, or one of them 1",
        ),
        (
            &xla::BINARY,
            &[&[2, 3, 4], &[5]],
            "array-api: 2x3x4 and 1x5x1 do not broadcast: on axis 1 of the result, axis 1 of operand 0 is 3 and axis 1 of \
             operand 1 is 5; they must be equal, or one of them 1",
        ),
        (
            &onnx::UNIDIRECTIONAL,
            &[&[2, 3], &[4, 1]],
            "array-api: 2x3 and 4x1 do not broadcast: on axis 0 of the result, axis 0 of operand 0 is 2 and axis 0 of \
             operand 1 is 4; they must be equal, or one of them 1",
        ),
    ];
    for (rule, shapes, message) in refused {
        let graph = built(SAMPLES.iter().find(|sample| sample.rule == rule).unwrap());
        let inputs: Vec<_> = shapes.iter().map(|shape| counted(shape)).collect();
        let own = graph.run(&inputs).unwrap_err().to_string();
        assert!(own.starts_with(&format!("fit: {}: ", rule.name)), "{own}");
        let plain = graph.with_rules(&[]).unwrap().run(&inputs).unwrap_err();
        assert_eq!(plain.to_string(), format!("fit: {message}"));
    }
}

/// Where the rule wants less to stretch than the plain ones do, there is no error.
#[test]
fn what_only_the_rule_refuses() {
    let sample = SAMPLES.iter().find(|sample| sample.rule == &onnx::UNIDIRECTIONAL).unwrap();
    let graph = built(sample);
    let inputs = [counted(&[1, 3]), counted(&[2, 1])];
    assert!(graph.run(&inputs).unwrap_err().to_string().contains("2x1"));
    assert_eq!(graph.with_rules(&[]).unwrap().run(&inputs).unwrap()[1].shape(), [2, 3]);
}

/// A part is put at the places where it would be, wherever that is.
#[test]
fn parts_that_are_put_are_the_same_as_scatters() {
    let mut graph = Graph::new();
    let (x, part) = (floats(&mut graph, "x", "?x?"), floats(&mut graph, "part", "?x?"));
    let shape = graph.add(ShapeOf(DType::I64), &[part]).unwrap();
    let (first, step) = (graph.integers(&[-1, 0]).unwrap(), graph.integers(&[-1, 2]).unwrap());
    let twos = graph.integers(&[-1, 2]).unwrap();
    let stops = graph.apply(Op::Multiply, &[shape, twos]).unwrap();
    let ones = graph.integers(&[-1, 0]).unwrap();
    let stops = graph.apply(Op::Add, &[stops, ones]).unwrap();
    let by = graph.add(InsertBy { axes: vec![0, 1] }, &[x, part, first, stops, step]).unwrap();
    let row = graph.add(Slice { index: parse_index("0").unwrap() }, &[part]).unwrap();
    let index = parse_index("None, -1, ::2").unwrap();
    let row = graph.add(Broadcast::new([Lay::New(1), Lay::Axis(0)]), &[row]).unwrap();
    let new = graph.add(Insert { index }, &[by, row]).unwrap();
    let square = graph.apply(Op::Square, &[new]).unwrap();
    graph.output("y", square).unwrap();
    for graph in [gradient(&graph, "y", None).unwrap(), graph] {
        let puts = |graph: &Graph| {
            graph.nodes().any(|(_, node)| matches!(node.kind(), Kind::Insert(_) | Kind::InsertBy(_)))
        };
        let plain = graph.with_scatters(|_| true).unwrap();
        assert!(puts(&graph) && !puts(&plain), "{graph}\n{}", *plain);
        assert!(matches!(graph.with_scatters(|_| false).unwrap(), std::borrow::Cow::Borrowed(_)));
        for (x, part) in [([4, 6], [3, 3]), ([1, 2], [1, 1]), ([5, 4], [4, 2])] {
            let inputs = [counted(&x), counted(&part)];
            for (wanted, found) in graph.run(&inputs).unwrap().iter().zip(plain.run(&inputs).unwrap()) {
                assert_eq!(found.shape(), wanted.shape());
                assert_eq!(found.to_vec::<f64>(), wanted.to_vec::<f64>(), "{graph}\n{}", *plain);
            }
        }
    }
}

/// What goes backwards from before the first element is empty; as two slices none does, and all are what they were.
#[test]
fn starts_are_inside() {
    let indices = [
        "-10::-1",
        "-3::-1",
        "-4:1:-1",
        "-10:-12:-1",
        "-3:-9:-2",
        "-5:-5:-1",
        "-9:-2:-3",
        "None, -4::-1, ..., -1",
        "-2::-1, -3::-2",
    ];
    for shape in ["?x?", "3x5", "..."] {
        for text in indices {
            let mut graph = Graph::new();
            let x = floats(&mut graph, "x", shape);
            let index = parse_index(text).unwrap();
            let part = graph.add(Slice { index: index.clone() }, &[x]).unwrap();
            graph.output("part", part).unwrap();
            let plain = graph.with_starts_inside().unwrap().into_owned();
            assert!(matches!(plain.with_starts_inside().unwrap(), std::borrow::Cow::Borrowed(_)), "{plain}");
            let zeros = graph.full_like(0, x).unwrap();
            let put = graph.add(Insert { index }, &[zeros, part]).unwrap();
            graph.output("put", put).unwrap();
            let scattered = graph.with_scatters(|_| false).unwrap();
            let scattered = scattered.with_starts_inside().unwrap();
            for given in [[3, 5], [12, 4], [2, 2], [0, 6], [1, 1]] {
                if shape == "3x5" && given != [3, 5] {
                    continue;
                }
                let inputs = [counted(&given)];
                let Ok(wanted) = graph.run(&inputs) else { continue };
                let found = [plain.run(&inputs).unwrap(), scattered.run(&inputs).unwrap()].concat();
                let wanted = [&wanted[0], &wanted[0], &wanted[1]];
                for (found, wanted) in found.iter().zip(wanted) {
                    assert_eq!(found.shape(), wanted.shape(), "{text} of {given:?}");
                    assert_eq!(found.to_vec::<f64>(), wanted.to_vec::<f64>(), "{text} of {given:?}");
                }
            }
        }
    }
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "3x?");
    let y = graph.add(Slice { index: parse_index("-3::-1, -1::-1").unwrap() }, &[x]).unwrap();
    graph.output("y", y).unwrap();
    assert!(matches!(graph.with_starts_inside().unwrap(), std::borrow::Cow::Borrowed(_)));
}

#[test]
fn a_graph_of_plain_rules_is_not_copied() {
    let mut graph = Graph::new();
    let (x, y) = (floats(&mut graph, "x", "?x3"), floats(&mut graph, "y", "?"));
    let sum = graph.op(Op::Add, &[x, y]).unwrap();
    graph.output("sum", sum).unwrap();
    assert!(matches!(graph.with_rules(&[]).unwrap(), std::borrow::Cow::Borrowed(_)));
    // An unknown rank says too little to be written out, and stays.
    let mut graph = Graph::new();
    let (x, y) = (floats(&mut graph, "x", "..."), floats(&mut graph, "y", "?"));
    let laid = graph.add(Fit::new(&onnx::UNIDIRECTIONAL, 2, 1), &[x, y]).unwrap();
    graph.output("laid", laid).unwrap();
    let plain = graph.with_rules(&[]).unwrap();
    assert!(!is_plain(&plain));
    assert!(plain.node(plain.outputs()[0].id()).unwrap().dims().is_none_or(|dims| dims[0].known().is_none()));
}
