//! What is written: read again it is the same, and gives the same. That jaxlib runs it is `tools/xla/written.py`'s to say.

use super::*;
use crate::array::Keep;
use crate::format::program::recorded::is_shorter;
use crate::graph::kind::{
    Accumulate, Concatenate, Direction, Range, Reshape, ReshapeTo, ShapeOf, Slice, Start, Take,
};
use crate::op::Op;
use crate::reduction::Reduction;

#[test]
fn programs_are_the_same_when_they_are_read_again() {
    let mut wrong = Vec::new();
    for name in names("mlir") {
        let graph = read(&text(&format!("{name}.mlir"))).unwrap();
        let written = match write(&graph) {
            Ok(written) => written,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let second = match read(&written) {
            Ok(second) => second,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        wrong.extend(differences(&second, &name));
        // What is written of what was read is the same text again.
        let twice = write(&second).unwrap();
        let line = written.lines().zip(twice.lines()).find(|(a, b)| a != b);
        if let Some((a, b)) = line.filter(|_| !is_shorter(&name)) {
            wrong.push(format!("{name}: written at first and then\n    {a}\n    {b}"));
        }
    }
    none("programs written", &wrong);
}

#[test]
fn open_ranges_are_written() {
    let mut graph = Graph::new();
    let stop = graph.input("n", DType::I32, "scalar".parse().unwrap()).unwrap();
    let [zero, one] = [0i64, 1].map(|n| graph.number(n, DType::I32).unwrap());
    let range = graph.add(Range, &[zero, stop, one]).unwrap();
    graph.output("0", range).unwrap();
    let (text, second) = again(&graph);
    assert!(text.contains("stablehlo.dynamic_iota"));
    let made = second.run(&[Tensor::scalar(4i32).unwrap()]).unwrap();
    assert_eq!(numbers(&made[0]), [0.0, 1.0, 2.0, 3.0]);
}

/// StableHLO has no -1 in a shape: what is left is counted, where it is known to be one and where it may be.
#[test]
fn shapes_with_an_extent_that_is_left() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "?x?x4".parse().unwrap()).unwrap();
    let to = graph.input("to", DType::I64, "3".parse().unwrap()).unwrap();
    let any = graph.add(ReshapeTo, &[x, to]).unwrap();
    let shape = graph.add(ShapeOf(DType::I64), &[x]).unwrap();
    let first = graph.add(Slice { index: ndcast_shape::parse_index("0:1").unwrap() }, &[shape]).unwrap();
    let rest = graph.integers(&[2, -1]).unwrap();
    let to = graph.add(Concatenate { axis: 0 }, &[first, rest]).unwrap();
    let left = graph.add(ReshapeTo, &[x, to]).unwrap();
    let one = graph.add(Reshape { to: vec![Some(2), None] }, &[x]).unwrap();
    for (place, id) in [any, left, one].into_iter().enumerate() {
        graph.output(&place.to_string(), id).unwrap();
    }
    let (text, second) = again(&graph);
    assert!(text.contains("stablehlo.divide"), "{text}");
    let x = Array::new(&[2, 3, 4], &[0.5f32; 24]).eval().unwrap();
    for (to, wanted) in [([-1, 2, 3], [4, 2, 3]), ([24, 1, 1], [24, 1, 1]), ([3, 8, -1], [3, 8, 1])] {
        let inputs = [x.clone(), Tensor::new(&[3], &to.map(i64::from)).unwrap()];
        for graph in [&graph, &second] {
            let found = graph.run(&inputs).unwrap();
            let shapes: Vec<&[usize]> = found.iter().map(Tensor::shape).collect();
            assert_eq!(shapes, [&wanted[..], &[2, 2, 6], &[2, 12]]);
        }
    }
    // Nothing is left of no elements, and nothing is divided by the 0.
    let none = Array::new(&[0, 3, 4], &[0.0f32; 0]).eval().unwrap();
    let inputs = [none, Tensor::new(&[3], &[0i64, 5, 2]).unwrap()];
    let mut open = Graph::new();
    let x = open.input("x", DType::F32, "?x?x4".parse().unwrap()).unwrap();
    let to = open.input("to", DType::I64, "3".parse().unwrap()).unwrap();
    let any = open.add(ReshapeTo, &[x, to]).unwrap();
    open.output("0", any).unwrap();
    assert_eq!(again(&open).1.run(&inputs).unwrap()[0].shape(), [0, 5, 2]);
}

/// Rows of which several extents are open, or one is 0.
#[test]
fn rows_of_open_extents() {
    for (shape, axis, numbers_shape, extents) in [
        ("?x2x?", 1, &[][..], [3usize, 2, 4]),
        ("?x2x?", 1, &[2], [3, 2, 4]),
        ("?x0x?", 0, &[2], [3, 0, 4]),
        ("?x?x?", 2, &[2], [2, 3, 2]),
    ] {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, shape.parse().unwrap()).unwrap();
        let count = numbers_shape.iter().product();
        let places = Tensor::new(numbers_shape, &[1i64, 0][..count]).unwrap();
        let places = graph.constant(places).unwrap();
        let rows = graph.add(Take { axis, batch: 0 }, &[x, places]).unwrap();
        graph.output("0", rows).unwrap();
        let (_, second) = again(&graph);
        let count = u16::try_from(extents.iter().product::<usize>()).unwrap();
        let x = Tensor::new(&extents, &(0..count).map(f32::from).collect::<Vec<_>>()).unwrap();
        let [a, b] = [&graph, &second].map(|graph| graph.run(std::slice::from_ref(&x)).unwrap().remove(0));
        assert_eq!((a.shape(), numbers(&a)), (b.shape(), numbers(&b)), "{shape} {axis}");
    }
}

/// XLA follows slices and arithmetic where extents are computed, and no gathers and folds.
#[test]
fn extents_are_computed_in_plain_steps() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "?x?x3".parse().unwrap()).unwrap();
    let shape = graph.add(ShapeOf(DType::I64), &[x]).unwrap();
    let place = graph.number(-1, DType::I64).unwrap();
    let last = graph.add(Take { axis: 0, batch: 0 }, &[shape, place]).unwrap();
    let last = graph.add(Reshape::new(&[1]), &[last]).unwrap();
    let first = graph.add(Slice { index: ndcast_shape::parse_index("0:2").unwrap() }, &[shape]).unwrap();
    let first = graph.fold(Reduction::Prod, first, &[0], Keep::Axes).unwrap();
    let to = graph.add(Concatenate { axis: 0 }, &[first, last]).unwrap();
    let flat = graph.add(ReshapeTo, &[x, to]).unwrap();
    graph.output("0", flat).unwrap();
    let (text, second) = again(&graph);
    assert!(!text.contains("gather") && !text.contains("stablehlo.reduce"), "{text}");
    let x = Array::new(&[2, 4, 3], &[0.5f32; 24]).eval().unwrap();
    assert_eq!(second.run(&[x]).unwrap()[0].shape(), [8, 3]);
}

/// Ranges between numbers that are computed: nothing is negative.
#[test]
fn what_is_empty_is_no_less_than_that() {
    for step in [1i64, 2, -3] {
        let mut graph = Graph::new();
        let [start, stop] =
            ["a", "b"].map(|name| graph.input(name, DType::I64, "scalar".parse().unwrap()).unwrap());
        let step = graph.number(step, DType::I64).unwrap();
        let range = graph.add(Range, &[start, stop, step]).unwrap();
        graph.output("0", range).unwrap();
        let (_, second) = again(&graph);
        for (start, stop) in [(-2i64, 5i64), (5, -2), (0, 4), (4, 0), (3, 3)] {
            let inputs = [start, stop].map(|n| Tensor::scalar(n).unwrap());
            let [a, b] = [&graph, &second].map(|graph| numbers(&graph.run(&inputs).unwrap()[0]));
            assert_eq!(a, b, "from {start} to {stop}");
        }
    }
}

/// Bounds are said where an input has one.
#[test]
fn bounds_of_inputs() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "..5x3".parse().unwrap()).unwrap();
    let y = graph.apply(Op::Exp, &[x]).unwrap();
    graph.output("0", y).unwrap();
    assert!(again(&graph).0.contains("exponential %arg0 : tensor<?x3xf32, #stablehlo.bounds<5, ?>>"));
}

#[test]
fn names_are_read_again() {
    let mut graph = Graph::new();
    let names = ["x", "arg1", "a \"b\" \\ \n\u{e9}"];
    let inputs = names.map(|name| graph.input(name, DType::F32, "2".parse().unwrap()).unwrap());
    for (name, id) in ["y", "1", "0"].into_iter().zip(inputs) {
        let id = graph.apply(Op::Negative, &[id]).unwrap();
        graph.output(name, id).unwrap();
    }
    let (text, second) = again(&graph);
    assert!(text.contains("%arg1: tensor<2xf32>, %arg2"), "{text}");
    let found: Vec<_> = second.inputs().iter().map(|&id| second.node(id).unwrap().name().unwrap()).collect();
    assert_eq!(found, names);
    let found: Vec<_> = second.outputs().iter().map(|output| output.name()).collect();
    assert_eq!(found, ["y", "1", "0"]);
    // Two that are the same are none.
    let same = text.replace("\"x\"", "\"arg1\"");
    assert!(read(&same).unwrap().input_named("arg2").is_ok());
}

/// Everything that cannot be said is told at once.
#[test]
fn what_cannot_be_said_is_told_at_once() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "3".parse().unwrap()).unwrap();
    let small = graph.input("small", DType::U3, "3".parse().unwrap()).unwrap();
    let i0e = graph.apply(Op::BesselI0e, &[x]).unwrap();
    let exp = graph.apply(Op::Exp, &[i0e]).unwrap();
    let open = graph.input("open", DType::F32, "2x?".parse().unwrap()).unwrap();
    let (reduction, axis) = (Reduction::Sum, 1);
    let running = Accumulate { reduction, axis, direction: Direction::Forward, start: Start::Before };
    let running = graph.add(running, &[open]).unwrap();
    graph.output("0", exp).unwrap();
    graph.output("1", small).unwrap();
    graph.output("2", running).unwrap();
    let error = write(&graph).unwrap_err().to_string();
    assert_eq!(
        error,
        "StableHLO has no operations for the input small: it has no elements of type u3; %3 = bessel_i0e: no operation \
         does this with elements of type f32; %5 = accumulate: the extent along which it \
         runs must be known where it begins with nothing"
    );
}
