//! Rules written out in plainer ones: with extents that come when the graph runs, the results are the same bit for bit, and so
//! are those of the gradients.

use ndcast_shape::Extent;
use ndcast_shape::rule::{Need, Rule, array_api, onnx, openvino, xla};

use super::super::kind::{Fit, ShapeOf};
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
