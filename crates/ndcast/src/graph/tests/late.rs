//! What is found out only when a graph runs, because a rank or an extent depends on a value; and what is known of values before.

use super::super::Graph;
use super::text;
use crate::tensor::Tensor;

/// `%6` is an array of a shape that is known only when the graph runs: as many of the extents 2, 3, 4 as `n` says.
const RANK: &str = "%0 = input \"x\" dtype=f32 shape=1
%1 = input \"s\" dtype=i64 shape=3
%2 = input \"n\" dtype=i64 shape=1
%3 = constant dtype=i64 shape=1 values=[0]
%4 = constant dtype=i64 shape=1 values=[1]
%5 = slice_by(%1, %3, %2, %4) axes=[0]
%6 = fit(%0, %5) rule=array-api.broadcast-to operands=1 operand=0
";

/// Runs these lines behind those above with so many of the extents, and one more input.
fn run(lines: &str, axes: i64, more: Tensor) -> Result<Vec<f32>, crate::error::Error> {
    let graph: Graph = format!("{RANK}{lines}output \"y\" = %8\n").parse()?;
    let inputs =
        [Tensor::new(&[1], &[7f32])?, Tensor::new(&[3], &[2i64, 3, 4])?, Tensor::new(&[1], &[axes])?, more];
    graph.run(&inputs)?[0].to_vec()
}

#[test]
fn rows_of_batches_that_are_not_there() {
    let numbers = || Tensor::new(&[2, 2], &[0i64, 1, 1, 0]).unwrap();
    let lines = "%7 = input \"k\" dtype=i64 shape=2x2\n%8 = take(%6, %7) axis=1 batch=1\n";
    assert_eq!(run(lines, 2, numbers()).unwrap(), [7.0; 4]);
    let error = text(run(lines, 1, numbers()));
    assert!(error.contains("take: there is no axis 1"), "{error}");
    let lines = "%7 = input \"k\" dtype=i64 shape=3x2\n%8 = take(%6, %7) axis=1 batch=1\n";
    let error = text(run(lines, 2, Tensor::new(&[3, 2], &[0i64; 6]).unwrap()));
    assert!(
        error.contains("the first 1 axes must be equal and before axis 1, and the shapes are 2x3 and 3x2"),
        "{error}"
    );
}

#[test]
fn recurrences_of_what_does_not_fit() {
    let lines = "%7 = input \"f\" dtype=f32 shape=2\n%8 = recur(%6, %7) axis=0\n";
    let factors = |count: usize| Tensor::new(&[count], &vec![2f32; count]).unwrap();
    assert_eq!(run(lines, 1, factors(2)).unwrap(), [7.0, 21.0]);
    let error = text(run(lines, 2, factors(2)));
    assert!(error.contains("recur: the shapes must be equal, and they are 2x3 and 2"), "{error}");
    let lines = "%7 = input \"f\" dtype=f32 shape=2\n%8 = recur(%6, %6) axis=1\n";
    let error = text(run(lines, 1, factors(2)));
    assert!(error.contains("recur: there is no axis 1"), "{error}");
}

#[test]
fn nothing_broadcasts_by_itself() {
    let lines = "%7 = input \"f\" dtype=f32 shape=3\n%8 = multiply(%6, %7)\n";
    let error = text(run(lines, 2, Tensor::new(&[3], &[1f32, 2.0, 3.0]).unwrap()));
    assert!(error.contains("multiply: the shapes must be equal, and they are 2x3 and 3"), "{error}");
    let lines = "%7 = input \"f\" dtype=f32 shape=2x3\n%8 = insert(%7, %6) index=[:, :]\n";
    let into = || Tensor::new(&[2, 3], &[0f32; 6]).unwrap();
    assert_eq!(run(lines, 2, into()).unwrap(), [7.0; 6]);
    let lines = "%7 = input \"f\" dtype=f32 shape=2x2\n%8 = insert(%7, %6) index=[:, :]\n";
    let error = text(run(lines, 1, Tensor::new(&[2, 2], &[0f32; 4]).unwrap()));
    assert!(error.contains("the part has shape 2, and its place 2x2"), "{error}");
}

/// A rule's axes are no target: where they are computed and there is no target, nothing is known of the result.
#[test]
fn axes_that_are_computed() {
    let graph: Graph = "%0 = input \"x\" dtype=f32 shape=2x3\n%1 = input \"y\" dtype=f32 shape=2\n\
                        %2 = input \"axes\" dtype=i64 shape=1\n\
                        %3 = fit(%0, %1, %2) rule=xla.binary operands=2 operand=1\noutput \"y\" = %3\n"
        .parse()
        .unwrap();
    assert_eq!(graph.node(graph.outputs()[0].id).unwrap().shape.to_string(), "...");
    let given = [
        Tensor::new(&[2, 3], &[0f32; 6]).unwrap(),
        Tensor::new(&[2], &[1f32, 2.0]).unwrap(),
        Tensor::new(&[1], &[0i64]).unwrap(),
    ];
    let made = graph.run(&given).unwrap();
    assert_eq!(made[0].to_vec::<f32>().unwrap(), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
}

#[test]
fn any_number_of_operands_is_read() {
    for kind in ["unfit() rule=array-api", "fit() rule=array-api.broadcast-to"] {
        let graph = format!("%0 = {kind} operands=18446744073709551615 operand=0\n").parse::<Graph>();
        assert!(text(graph).contains("arguments"), "{kind}");
    }
}

/// What is said of the shape of `%5`.
fn shape(lines: &str) -> String {
    let graph: Graph = format!("{lines}output \"y\" = %5\n").parse().unwrap();
    graph.node(graph.outputs()[0].id).unwrap().shape.to_string()
}

#[test]
fn extents_are_known_through_types_that_hold_them() {
    let through = |types: [&str; 2]| {
        shape(&format!(
            "%0 = input \"x\" dtype=f32 shape=300xN\n%1 = shape_of(%0) to={}\n%2 = convert(%1) to={}\n%3 = convert(%2) to=i64\n\
             %4 = input \"z\" dtype=f32 shape=1x1\n%5 = fit(%4, %3) rule=array-api.broadcast-to operands=1 operand=0\n",
            types[0], types[1]
        ))
    };
    assert_eq!(through(["i64", "i64"]), "300xN");
    assert_eq!(through(["i64", "i32"]), "300xN");
    assert_eq!(through(["i32", "i64"]), "300xN");
    assert_eq!(through(["i64", "u16"]), "300x?");
    assert_eq!(through(["i64", "u8"]), "?x?");
    assert_eq!(through(["i64", "bool"]), "?x?");
}

#[test]
fn a_fold_along_no_axis_leaves_all_extents() {
    let lines = "%0 = input \"x\" dtype=f32 shape=3xN\n%1 = shape_of(%0) to=i64\n%2 = sum(%1) axes=[] keep=nothing\n\
                 %3 = input \"z\" dtype=f32 shape=1x1\n%4 = constant dtype=i64 shape=1 values=[0]\n\
                 %5 = fit(%3, %2) rule=array-api.broadcast-to operands=1 operand=0\n";
    assert_eq!(shape(lines), "?x?");
}

#[test]
fn ranges_of_large_numbers() {
    let graph: Graph = "%0 = input \"a\" dtype=u64 shape=scalar\n%1 = input \"b\" dtype=u64 shape=scalar\n\
                        %2 = constant dtype=u64 shape=scalar values=[1]\n%3 = range(%0, %1, %2)\noutput \"y\" = %3\n"
        .parse()
        .unwrap();
    let one = |n: u64| Tensor::new(&[], &[n]).unwrap();
    let numbers = graph.run(&[one((1 << 63) - 2), one((1 << 63) + 2)]).unwrap()[0].to_vec::<u64>().unwrap();
    assert_eq!(numbers, [(1 << 63) - 2, (1 << 63) - 1, 1 << 63, (1 << 63) + 1]);
    assert_eq!(graph.run(&[one(5), one(3)]).unwrap()[0].shape(), [0]);
}
