//! Rewrites, row by row: what becomes of a graph, and that it computes the same.

use super::super::{Graph, Rewrite};
use super::counted;
use crate::array::Array;
use crate::dtype::DType;
use crate::tensor::Tensor;

/// Each row: its name, a graph, and what it is after the row alone. Without what was inferred, which comes again.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "drop-identities",
        "%1 = broadcast(%0) axes=[0, 1]\n%2 = transpose(%1) order=[0, 1]\n%3 = reshape(%2) to=[2, 3]\n\
         %4 = convert(%3) to=f64\n%5 = slice(%4) index=[:, :]\n%6 = concatenate(%5) axis=0\n\
         %7 = sum(%6) axes=[] keep=axes\n%8 = positive(%7)\n%9 = exp(%8)",
        "%1 = exp(%0)",
    ),
    (
        "drop-neutral-numbers",
        "%1 = constant dtype=f64 shape=scalar values=[1.0]\n%2 = broadcast(%1) axes=[:2, :3]\n\
         %3 = multiply(%2, %0)\n%4 = divide(%3, %2)\n%5 = exp(%4)",
        "%1 = exp(%0)",
    ),
    (
        // -0 + 0 is 0, so a sum of floats stays; 1 / x is not x.
        "drop-neutral-numbers",
        "%1 = constant dtype=f64 shape=scalar values=[0.0]\n%2 = broadcast(%1) axes=[:2, :3]\n\
         %3 = add(%0, %2)\n%4 = subtract(%3, %2)\n%5 = subtract(%2, %4)",
        "%1 = constant dtype=f64 shape=scalar values=[0.0]\n%2 = broadcast(%1) axes=[:2, :3]\n\
         %3 = add(%0, %2)\n%4 = subtract(%2, %3)",
    ),
    ("undo-involutions", "%1 = negative(%0)\n%2 = negative(%1)\n%3 = negative(%2)", "%1 = negative(%0)"),
    (
        "merge-broadcasts",
        "%1 = broadcast(%0) axes=[1, :1, 0]\n%2 = broadcast(%1) axes=[2, 0, 1:4, :5]",
        "%1 = broadcast(%0) axes=[0, 1, :4, :5]",
    ),
    (
        "merge-transposes",
        "%1 = broadcast(%0) axes=[0, :2, 1]\n%2 = transpose(%1) order=[1, 2, 0]\n%3 = transpose(%2) order=[1, 2, 0]",
        "%1 = broadcast(%0) axes=[0, :2, 1]\n%2 = transpose(%1) order=[2, 0, 1]",
    ),
    ("merge-reshapes", "%1 = reshape(%0) to=[6]\n%2 = reshape(%1) to=[3, 2]", "%1 = reshape(%0) to=[3, 2]"),
    (
        "merge-conversions",
        "%1 = convert(%0) to=f16\n%2 = convert(%1) to=f32\n%3 = convert(%2) to=f64",
        "%1 = convert(%0) to=f16\n%2 = convert(%1) to=f64",
    ),
    (
        "fold-constants",
        "%1 = constant dtype=f64 shape=2x3 values=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]\n%2 = exp(%1)\n\
         %3 = sum(%2) axes=[0, 1] keep=axes\n%4 = subtract(%3, %3)\n%5 = broadcast(%4) axes=[0:2, 1:3]\n\
         %6 = maximum(%0, %5)",
        "%1 = constant dtype=f64 shape=1x1 values=[0.0]\n%2 = broadcast(%1) axes=[0:2, 1:3]\n%3 = maximum(%0, %2)",
    ),
    (
        // More than a few elements stay as they are made.
        "fold-constants",
        "%1 = constant dtype=f64 shape=1x1 values=[2.0]\n%2 = broadcast(%1) axes=[:100, 0:2, 1:3]\n%3 = exp(%2)\n\
         %4 = broadcast(%0) axes=[:100, 0, 1]\n%5 = add(%3, %4)",
        "%1 = constant dtype=f64 shape=1x1 values=[2.0]\n%2 = broadcast(%1) axes=[:100, 0:2, 1:3]\n%3 = exp(%2)\n\
         %4 = broadcast(%0) axes=[:100, 0, 1]\n%5 = add(%3, %4)",
    ),
    (
        "lower-broadcasts",
        "%1 = constant dtype=f64 shape=scalar values=[2.0]\n%2 = broadcast(%1) axes=[:5, :2, :3]\n\
         %3 = broadcast(%0) axes=[:5, 0, 1]\n%4 = multiply(%3, %2)\n%5 = exp(%4)",
        "%1 = constant dtype=f64 shape=scalar values=[2.0]\n%2 = broadcast(%1) axes=[:2, :3]\n\
         %3 = multiply(%0, %2)\n%4 = exp(%3)\n%5 = broadcast(%4) axes=[:5, 0, 1]",
    ),
];

/// A graph with one input, as it prints without what was inferred.
fn plain(graph: &Graph) -> String {
    let text = graph.to_string();
    let lines = text.lines().skip(1).filter(|line| !line.starts_with("output"));
    lines.map(|line| line.split_once(" : ").map_or(line, |(line, _)| line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_row_makes_what_it_says_and_computes_the_same() {
    let mut failed = Vec::new();
    for (name, before, after) in ROWS {
        let last = before.lines().last().unwrap().split_once(" =").unwrap().0;
        let text = format!("%0 = input \"x\" dtype=f64 shape=2x3\n{before}\noutput \"y\" = {last}\n");
        let graph: Graph = text.parse().unwrap();
        let rewrite = Rewrite::ALL.iter().position(|rewrite| rewrite.name == *name).unwrap();
        let rewritten = graph.rewritten(&Rewrite::ALL[rewrite..=rewrite]).unwrap();
        if plain(&rewritten) != *after {
            failed.push(format!("{name}:\n{}\nnot\n{after}", plain(&rewritten)));
        }
        let inputs = [counted(&[2, 3])];
        let expected = graph.run(&inputs).unwrap()[0].to_vec::<f64>().unwrap();
        for graph in [&rewritten, &graph.cleaned().unwrap()] {
            assert_eq!(graph.run(&inputs).unwrap()[0].to_vec::<f64>().unwrap(), expected, "{name}");
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    for rewrite in Rewrite::ALL {
        assert!(ROWS.iter().any(|(name, ..)| *name == rewrite.name), "no test of {}", rewrite.name);
        assert!(!rewrite.why.is_empty());
    }
}

/// A large constant is never made of a small one.
#[test]
fn nothing_large_is_folded() {
    let mut graph = Graph::new();
    let row = Array::iota(3, DType::F64).eval().unwrap();
    let row = graph.constant(row).unwrap();
    let [row, other] = {
        let column = graph.constant(Tensor::zeros(&[1_000_000, 1], DType::F64).unwrap()).unwrap();
        graph.joined([row, column]).unwrap()
    };
    let sum = graph.apply(crate::op::Op::Add, &[row, other]).unwrap();
    graph.output("y", sum).unwrap();
    let largest =
        |graph: &Graph| graph.nodes().filter_map(|(_, node)| node.constant()).map(Tensor::elements).max();
    assert_eq!(largest(&graph.cleaned().unwrap()), Some(1_000_000));
}
