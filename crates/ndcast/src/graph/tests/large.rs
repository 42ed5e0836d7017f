//! Graphs of 100,000 nodes: nothing recurses, and nothing takes more than its share.

use super::super::{Graph, Runner, gradient};
use super::{counted, floats};
use crate::op::Op;
use crate::tensor::Tensor;

const NODES: usize = 100_000;

/// Builds, prints, reads, cleans, differentiates and runs.
fn through_all(graph: &Graph, inputs: &[Tensor]) -> (Vec<Tensor>, Vec<Tensor>) {
    let text = graph.to_string();
    assert_eq!(text.parse::<Graph>().unwrap().to_string(), text);
    let cleaned = graph.cleaned().unwrap();
    let values = Runner::new(graph.clone()).run(inputs).unwrap();
    for (value, cleaned) in values.iter().zip(cleaned.run(inputs).unwrap()) {
        assert_eq!(value.to_vec::<f64>().unwrap(), cleaned.to_vec::<f64>().unwrap());
    }
    let backwards = gradient(graph, graph.outputs()[0].name(), None).unwrap();
    (values, backwards.run(inputs).unwrap())
}

#[test]
fn a_chain() {
    let mut graph = Graph::new();
    let mut x = floats(&mut graph, "x", "?x3");
    let one = graph.full_like(1.0, x).unwrap();
    for place in 0..NODES {
        let op = if place % 2 == 0 { Op::Add } else { Op::Subtract };
        x = graph.apply(op, &[x, one]).unwrap();
    }
    graph.output("y", x).unwrap();
    let (values, gradients) = through_all(&graph, &[counted(&[2, 3])]);
    assert_eq!(values[0].to_vec::<f64>().unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(gradients[0].to_vec::<f64>().unwrap(), [1.0; 6]);
}

#[test]
fn a_wide_one() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "3");
    let mut row: Vec<_> = (0..NODES / 2)
        .map(|place| {
            let n = graph.full_like(f64::from(u32::try_from(place % 7).unwrap()), x).unwrap();
            graph.apply(Op::Multiply, &[x, n]).unwrap()
        })
        .collect();
    while row.len() > 1 {
        row = row
            .chunks(2)
            .map(|pair| if let &[a, b] = pair { graph.apply(Op::Add, &[a, b]).unwrap() } else { pair[0] })
            .collect();
    }
    graph.output("y", row[0]).unwrap();
    let (values, gradients) = through_all(&graph, &[counted(&[3])]);
    let sum: f64 = (0..NODES / 2).map(|place| f64::from(u32::try_from(place % 7).unwrap())).sum();
    assert_eq!(values[0].to_vec::<f64>().unwrap(), [sum, 2.0 * sum, 3.0 * sum]);
    assert_eq!(gradients[0].to_vec::<f64>().unwrap(), [sum; 3]);
}

#[test]
fn many_inputs_and_outputs() {
    let mut graph = Graph::new();
    let mut inputs = Vec::new();
    for place in 0..NODES / 5 {
        let x = floats(&mut graph, &format!("x{place}"), "2");
        let y = graph.apply(Op::Negative, &[x]).unwrap();
        graph.output(&format!("y{place}"), y).unwrap();
        inputs.push(counted(&[2]));
    }
    let values = graph.run(&inputs).unwrap();
    assert!(values.iter().all(|value| value.to_vec::<f64>().unwrap() == [-1.0, -2.0]));
}
