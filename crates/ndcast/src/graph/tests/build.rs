//! Building: inference, the elements of shapes, what is refused and with which words, text.

use super::super::kind::{
    Accumulate, Bitcast, Broadcast, Concatenate, Direction, Find, Fit, Insert, Lay, MatMul, Range, Reduce,
    Reshape, ReshapeTo, Scatter, ShapeOf, Slice, SliceBy, Start, Take, TakeAlong, Transpose,
};
use super::super::{Entry, Graph, Id, Runner};
use super::{counted, floats, text};
use crate::array::Keep;
use crate::dtype::DType;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;
use ndcast_shape::rule::{onnx, openvino};
use ndcast_shape::{Shape, parse_index};

fn shape(graph: &Graph, id: Id) -> String {
    graph.node(id).unwrap().shape().to_string()
}

fn entries(graph: &Graph, id: Id) -> String {
    let entries = graph
        .node(id)
        .unwrap()
        .entries()
        .map(|entries| entries.iter().map(Entry::to_string).collect::<Vec<_>>());
    entries.map_or("nothing".to_owned(), |entries| entries.join(" "))
}

#[test]
fn what_is_known_is_inferred() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "Nx?x6");
    let sum = Reduce { reduction: Reduction::Sum, axes: vec![1], keep: Keep::Nothing };
    let [exp, row] = [graph.apply(Op::Exp, &[x]).unwrap(), floats(&mut graph, "row", "6")];
    let [a, b] = graph.joined([x, row]).unwrap();
    for (made, expected) in [
        (Ok(exp), "Nx?x6"),
        (graph.apply(Op::Add, &[a, b]), "Nx?x6"),
        (graph.add(sum, &[x]), "Nx6"),
        (graph.add(Transpose::new([2, 0, 1]), &[x]), "6xNx?"),
        (graph.add(Slice { index: parse_index("0, ..., ::2").unwrap() }, &[x]), "?x3"),
        (graph.add(Concatenate { axis: 2 }, &[x, x]), "Nx?x12"),
        (graph.add(Concatenate { axis: 0 }, &[x, x]), "?x?x6"),
        (graph.add(MatMul, &[x, row]), "Nx?"),
        (graph.add(ShapeOf(DType::I64), &[x]), "3"),
        (graph.add(Bitcast(DType::U16), &[x]), "Nx?x6x4"),
        (graph.add(Bitcast(DType::I64), &[x]), "Nx?x6"),
        (graph.add(Broadcast::new([Lay::New(2), Lay::Axis(0)]), &[row]), "2x6"),
        (graph.add(Find { which: Reduction::Max, axis: 2, keep: Keep::Axes, to: DType::I64 }, &[x]), "Nx?x1"),
    ] {
        assert_eq!(shape(&graph, made.unwrap()), expected);
    }
}

#[test]
fn shapes_that_are_computed_are_known() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "Nx2..5x6");
    let dims = graph.add(ShapeOf(DType::I64), &[x]).unwrap();
    assert_eq!(entries(&graph, dims), "N 2..5 6");
    let numbers = graph.integers(&[2, 0]).unwrap();
    let turned = graph.add(Take { axis: 0, batch: 0 }, &[dims, numbers]).unwrap();
    assert_eq!(entries(&graph, turned), "6 N");
    let minus = graph.integers(&[-1]).unwrap();
    let target = graph.add(Concatenate { axis: 0 }, &[turned, minus]).unwrap();
    assert_eq!(entries(&graph, target), "6 N -1");
    let two = graph.integers(&[2, 1, 1]).unwrap();
    let twice = graph.apply(Op::Multiply, &[dims, two]).unwrap();
    assert_eq!(entries(&graph, twice), "? 2..5 6");
    let less = graph.apply(Op::Subtract, &[dims, two]).unwrap();
    assert_eq!(entries(&graph, less), "? 1..4 5");
    let product = Reduce { reduction: Reduction::Prod, axes: vec![0], keep: Keep::Nothing };
    let known = graph.add(Slice { index: parse_index("1:").unwrap() }, &[dims]).unwrap();
    let count = graph.add(product, &[known]).unwrap();
    assert_eq!(entries(&graph, count), "12..30");
    // What is joined to something known is there too, as what is not.
    let later = graph.input("later", DType::I64, "2".parse().unwrap()).unwrap();
    let partly = graph.add(Concatenate { axis: 0 }, &[later, minus]).unwrap();
    assert_eq!(
        (entries(&graph, partly), entries(&graph, later)),
        ("? ? -1".to_owned(), "nothing".to_owned())
    );
    // A row laid over the shape of x, which is computed.
    let row = floats(&mut graph, "row", "6");
    let laid = graph.add(Fit::new(&onnx::EXPAND, 1, 0), &[row, dims]).unwrap();
    assert_eq!(shape(&graph, laid), "Nx2..5x6");
    let flat = graph.integers(&[0, 6]).unwrap();
    assert_eq!(
        text(graph.add(ReshapeTo, &[row, flat])),
        "reshape_to: the elements of 6 do not fill the shape [0, 6]"
    );
    let bounds =
        [graph.number(0i64, DType::I64), graph.number(7i64, DType::I64), graph.number(3i64, DType::I64)];
    let range = graph.add(Range, &bounds.map(Result::unwrap)).unwrap();
    assert_eq!((shape(&graph, range), entries(&graph, range)), ("3".to_owned(), "0 3 6".to_owned()));
}

#[test]
fn what_is_known_is_written_down() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "?x3");
    let row = floats(&mut graph, "row", "3");
    let target = graph.integers(&[2, 3]).unwrap();
    let one = graph.integers(&[1]).unwrap();
    let explicit = Fit { axes: Some(vec![1]), ..Fit::new(&openvino::BROADCAST_EXPLICIT, 1, 0) };
    let by_argument = Fit::new(&openvino::BROADCAST_EXPLICIT, 1, 0);
    assert_eq!(graph.add(Fit::join(2, 0), &[x, row]), Ok(x), "what lies as it is stays what it was");
    for (id, expected) in [
        (graph.add(Fit::join(2, 1), &[x, row]), "fit rule=array-api operands=2 operand=1"),
        (graph.add(explicit, &[row, target]), "broadcast axes=[:2, 0]"),
        (graph.add(by_argument, &[row, target, one]), "broadcast axes=[:2, 0]"),
        (
            graph.add(ReshapeTo, &[row, target]).or_else(|_| graph.add(ReshapeTo, &[x, target])),
            "reshape to=[2, 3]",
        ),
        (
            graph
                .add(SliceBy { axes: vec![1] }, &[x, one, target, one])
                .or_else(|_| graph.add(SliceBy { axes: vec![1] }, &[x, one, one, one])),
            "slice index=[:, 1:1]",
        ),
    ] {
        let line = graph.to_string().lines().nth(id.unwrap().place()).unwrap().to_owned();
        let (before, _) = line.split_once(" : ").unwrap();
        let kind = before.split_once(" = ").unwrap().1;
        let (name, rest) = kind.split_once('(').unwrap();
        assert_eq!(format!("{name}{}", rest.split_once(')').unwrap().1), expected);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "2x3");
    let y = floats(&mut graph, "y", "3x2");
    let truth = graph.input("truth", DType::Bool, "2x3".parse().unwrap()).unwrap();
    let half = graph.input("half", DType::F16, "2x3".parse().unwrap()).unwrap();
    let places = graph.input("places", DType::I64, "2x1".parse().unwrap()).unwrap();
    let mut other = Graph::new();
    let foreign = floats(&mut other, "x", "2x3");
    let before = graph.len();
    let sum = |axes: &[usize]| Reduce { reduction: Reduction::Sum, axes: axes.into(), keep: Keep::Nothing };
    for (made, message) in [
        (graph.apply(Op::Add, &[x, foreign]), "add: the node is of another graph"),
        (graph.apply(Op::Add, &[x]), "add: it takes 2 arguments, and 1 are given"),
        (graph.apply(Op::Add, &[x, y]), "add: the shapes must be equal, and they are 2x3 and 3x2"),
        (
            graph.apply(Op::Add, &[x, half]),
            "add: f64 and f16 have no common element type: the types must be equal; convert one of them",
        ),
        (graph.apply(Op::Where, &[x, x, x]), "where: the elements are f64, not bool"),
        (graph.add(sum(&[2]), &[x]), "sum: there is no axis 2: the rank is 2"),
        (graph.add(sum(&[0, 0]), &[x]), "sum: axis 0 is named twice"),
        (
            graph.add(Transpose::new([0, 0]), &[x]),
            "transpose: the order must name each of 2 axes once, and it is [0, 0]",
        ),
        (graph.add(Reshape::new(&[4]), &[x]), "reshape: the elements of 2x3 do not fill the shape [4]"),
        (
            graph.add(MatMul, &[x, x]),
            "matmul: the last axis of the left must be as long as the second last of the right, and the shapes are 2x3 and 2x3",
        ),
        (
            graph.add(Concatenate { axis: 0 }, &[x, y]),
            "concatenate: the shapes must be equal besides on axis 0, and they are 2x3 and 3x2",
        ),
        (
            graph.add(Broadcast::new([Lay::Stretched(0, 5), Lay::Axis(1)]), &[x]),
            "broadcast: axis 0 of the operand has extent 2, and only 1 is stretched to 5",
        ),
        (
            graph.add(Fit::join(2, 0), &[x, y]),
            "fit: array-api: 2x3 and 3x2 do not broadcast: on axis 1 of the result, axis 1 of operand 0 is 3 and axis 1 of operand 1 is 2; they must be equal, or one of them 1",
        ),
        (
            graph.add(Insert { index: parse_index("0").unwrap() }, &[x, y]),
            "insert: the part has shape 3x2, and its place 3",
        ),
        (
            graph.add(TakeAlong { axis: 0 }, &[x, places]),
            "take_along: the shapes must be equal besides on axis 0, and they are 2x3 and 2x1",
        ),
        (
            graph.add(Scatter { axis: 1, with: Some(Op::Less) }, &[x, places, places]),
            "scatter: f64 and i64 have no common element type: the types must be equal; convert one of them",
        ),
        (
            graph.add(Reduce { reduction: Reduction::Any, ..sum(&[0]) }, &[x]),
            "any: it takes no elements of type f64; convert them to one of bool",
        ),
        (
            graph.add(Take { axis: 0, batch: 0 }, &[x, truth]),
            "take: the numbers of the rows are integers, not bool",
        ),
        (
            graph.add(Bitcast(DType::C128), &[x]),
            "bitcast: 2 f64 make one c128, and the last axis of an array of shape 2x3 has not so many",
        ),
        (graph.add(Bitcast(DType::U8), &[truth]), "bitcast: the bits of bool are not read as u8"),
        (graph.input("x", DType::F32, Shape::UNRANKED), "input: there are two inputs called x"),
    ] {
        assert_eq!(text(made), message);
    }
    assert_eq!(graph.len(), before, "what is refused leaves nothing behind");
}

#[test]
fn inputs_are_checked_when_it_runs() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "Nx3");
    let y = floats(&mut graph, "y", "2..4xN");
    graph.output("x", x).unwrap();
    graph.output("y", y).unwrap();
    let run = |x: &[usize], y: &[usize]| graph.run(&[counted(x), counted(y)]);
    assert!(run(&[5, 3], &[2, 5]).is_ok());
    for (made, message) in [
        (run(&[5, 4], &[2, 5]), "the input x has shape Nx3, and 5x4 was given: axis 1 does not fit"),
        (run(&[5, 3], &[5, 5]), "the input y has shape 2..4xN, and 5x5 was given: axis 0 does not fit"),
        (
            run(&[5, 3], &[2, 6]),
            "the input y has shape 2..4xN, and 2x6 was given: axis 1 does not fit; N is 5, as the input x has it",
        ),
        (run(&[5], &[2, 5]), "the input x has shape Nx3, and 5 was given: the ranks differ"),
        (graph.run(&[counted(&[5, 3])]), "run: it takes 2 arguments, and 1 are given"),
        (
            graph.run(&[Tensor::zeros(&[5, 3], DType::F32).unwrap(), counted(&[2, 5])]),
            "the input x is f64, and f32 was given; convert it first",
        ),
    ] {
        assert_eq!(text(made), message);
    }
    assert_eq!(text(graph.output_named("z")), "there is no output called z; there is x, y");
}

/// A rule may demand of an extent more than is known of it; that holds when the graph runs, or is an error.
#[test]
fn what_a_rule_demands_is_not_forgotten() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "2..5");
    let target = graph.integers(&[2, 3]).unwrap();
    let rule = Fit { axes: Some(vec![1]), ..Fit::new(&openvino::BROADCAST_EXPLICIT, 1, 0) };
    let laid = graph.add(rule, &[x, target]).unwrap();
    assert_eq!(shape(&graph, laid), "2x3");
    graph.output("y", laid).unwrap();
    assert_eq!(graph.run(&[counted(&[3])]).unwrap()[0].shape(), [2, 3]);
    assert!(text(graph.run(&[counted(&[4])])).contains("4 does not broadcast to 2x3"));
}

#[test]
fn a_target_may_come_when_it_runs() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "3");
    let target = graph.input("target", DType::I64, "?".parse().unwrap()).unwrap();
    let laid = graph.add(Fit::new(&onnx::EXPAND, 1, 0), &[x, target]).unwrap();
    let shape = graph.add(ShapeOf(DType::I64), &[laid]).unwrap();
    let y = graph.apply(Op::Negative, &[laid]).unwrap();
    graph.output("y", y).unwrap();
    graph.output("shape", shape).unwrap();
    let run = |target: &[i64]| graph.run(&[counted(&[3]), Tensor::new(&[target.len()], target).unwrap()]);
    let out = run(&[2, 1]).unwrap();
    assert_eq!(out[0].to_vec::<f64>().unwrap(), [-1.0, -2.0, -3.0, -1.0, -2.0, -3.0]);
    assert_eq!(out[1].to_vec::<i64>().unwrap(), [2, 3]);
    assert!(
        text(run(&[2, 4])).contains("onnx.expand: 3 does not broadcast to 2x4"),
        "{}",
        text(run(&[2, 4]))
    );
    assert!(text(run(&[-1])).contains("the target has the extent -1, and none is negative"));
}

/// A NaN that is another than the usual one keeps its sign and its bits: it is written as bytes.
#[test]
fn other_nans_are_read_as_they_are_written() {
    for (dtype, size, usual) in [
        (DType::F16, 2, 0x7e00u64),
        (DType::Bf16, 2, 0x7fc0),
        (DType::F32, 4, 0x7fc0_0000),
        (DType::F64, 8, 0x7ff8_0000_0000_0000),
    ] {
        let sign = 1 << (8 * size - 1);
        for (bits, word) in [(usual, true), (usual | sign, false), (usual | 5, false), (0, true)] {
            let bytes = [&bits.to_ne_bytes()[..size], &[0; 8][..size]].concat();
            let tensor = Tensor::from_bytes(&[2], dtype, &bytes).unwrap();
            let mut graph = Graph::new();
            let id = graph.constant(tensor).unwrap();
            graph.output("y", id).unwrap();
            let text = graph.to_string();
            assert_eq!(text.contains("values=["), word, "{text}");
            let read: Graph = text.parse().unwrap();
            assert_eq!(read.run(&[]).unwrap()[0].as_bytes().unwrap(), bytes, "{text}");
        }
    }
}

/// One node of every kind, through the text and back.
#[test]
fn every_kind_is_read_as_it_is_printed() {
    let text = r#"
        // Inputs of all that there is.
        %x = input "x" dtype=f32 shape=Nx?x6
        %y = input "a \"quoted\" name" dtype=f32 shape=...
        %i = input "i" dtype=i64 shape=[N,max]
        %t = input "t" dtype=i64 shape=?
        %c = constant dtype=bf16 shape=2x2 values=[1.5, -inf, NaN, 0.0]
        %h = constant dtype=f8e4m3 shape=2 values=0x0138
        %s = constant dtype=i64 shape=scalar values=[2]
        %e = exp(%x) "layer"
        %m = maximum(%x, %e)
        %k = convert(%m) to=f8e5m2 overflow=onnx-saturate
        %bits = bitcast(%x) to=u8
        %b = broadcast(%s) axes=[:2, :1]
        %f = fit(%x, %y) rule=array-api operands=2 operand=0
        %g = unfit(%f, %x, %y) rule=array-api operands=2 operand=0
        %n = shape_of(%x) to=i64
        %r = reshape(%x) to=[-1, 6]
        %q = reshape_to(%x, %t)
        %p = transpose(%x) order=[2, 0, 1]
        %l = slice(%x) index=[:, 0, ::-2]
        %o = slice_by(%x, %t, %t, %t) axes=[0, 1]
        %w = insert(%x, %l) index=[:, 0, ::-2]
        %v = insert_by(%x, %x, %t, %t, %t) axes=[0]
        %u = concatenate(%x, %x) axis=1
        %d = take(%x, %i) axis=1 batch=1
        %j = take_along(%x, %z) axis=1
        %a = scatter(%x, %z, %x) axis=1 with=add
        %sum = sum(%x) axes=[0, 2] keep=nothing
        %cum = accumulate(%x) with=sum axis=1 direction=backward start=before
        %arg = find(%x) which=min axis=1 keep=axes to=i32
        %order = argsort(%x, %i0) axis=1 direction=descending order=total to=i64
        %mm = matmul(%x, %y)
        %one = range(%s, %i0, %s)
        output "out" = %mm
    "#;
    let text = text.replace(
        "%i = input",
        "%z = input \"z\" dtype=i64 shape=Nx?x6\n%i0 = input \"n\" dtype=i64 shape=scalar\n%i = input",
    );
    let graph: Graph = text.parse().unwrap();
    let printed = graph.to_string();
    assert_eq!(printed.parse::<Graph>().unwrap().to_string(), printed);
    let mut families: Vec<&str> = graph.nodes().map(|(_, node)| node.kind().name()).collect();
    families.sort_unstable();
    families.dedup();
    assert_eq!(families.len(), 27, "{families:?}");
    for line in
        ["%10 = maximum(%0, %9) : f32 Nx?x6", "values=[1.5, -inf, NaN, 0.0]", "\"a \\\"quoted\\\" name\""]
    {
        assert!(printed.contains(line), "{line} in\n{printed}");
    }
    // What falls out of a cumulative sum: a start before.
    let cum = Accumulate {
        reduction: Reduction::Sum,
        axis: 0,
        direction: Direction::Forward,
        start: Start::Before,
    };
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "4");
    let y = graph.add(cum, &[x]).unwrap();
    graph.output("y", y).unwrap();
    assert_eq!(graph.run(&[counted(&[4])]).unwrap()[0].to_vec::<f64>().unwrap(), [0.0, 1.0, 3.0, 6.0]);
}

#[test]
fn text_that_is_no_graph_is_refused_with_its_line() {
    let first = "%0 = input \"x\" dtype=f32 shape=2x3\n";
    for (line, message) in [
        ("%0 = exp(%0)", "line 2: %0 is there twice"),
        ("%1 = exp(%2)", "line 2: %2 is not there before this line"),
        ("%1 = exq(%0)", "line 2: there is nothing called exq"),
        ("%1 = exp(%0) axis=1", "line 2: exp: there is no `axis=` here"),
        ("%1 = exp(%0, %0)", "line 2: exp: it takes 1 argument, and 2 are given"),
        ("%1 = exp(%0) : f32 2x4", "line 2: it is f32 2x3, and not f32 2x4 as is written"),
        ("%1 = transpose(%0) order=[0, x]", "line 2: `order=[0, x]`: invalid digit found in string"),
        ("%1 = transpose(%0)", "line 2: `order=` is missing"),
        ("%1 = sum(%0) axes=[0] keep=some", "line 2: `keep=some`: it is one of axes, nothing"),
        ("%1 = exp(%0", "line 2: `,` is expected, and the line ends"),
        ("%1 = exp(%0) and", "line 2: `=` is expected, and the line ends"),
        ("output x = %0", "line 2: a name in quotes is expected before `x = %0`"),
        ("%1 = constant dtype=i8 shape=2 values=[1, 300]", "line 2: `values=`: i8 does not hold all of them"),
        (
            "%1 = constant dtype=i8 shape=2 values=0x0",
            "line 2: `values=`: bytes are pairs of the digits 0 to f",
        ),
        ("%1 = constant dtype=i8 shape=3 values=[1]", "line 2: 3 has 3 elements, and 1 were given"),
    ] {
        assert_eq!(text(format!("{first}{line}\n").parse::<Graph>()), message);
    }
}

#[test]
fn what_a_shape_is_to_be_is_checked_when_it_is_computed() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "?x3");
    let rows = graph.input("rows", DType::I64, "1".parse().unwrap()).unwrap();
    let three = graph.constant(Tensor::new(&[1], &[3i64]).unwrap()).unwrap();
    let target = graph.add(Concatenate { axis: 0 }, &[rows, three]).unwrap();
    let y = graph.add(ReshapeTo, &[x, target]).unwrap();
    graph.output("y", y).unwrap();
    let run = |rows: i64| graph.run(&[counted(&[5, 3]), Tensor::new(&[1], &[rows]).unwrap()]);
    assert_eq!(run(5).unwrap()[0].shape(), [5, 3]);
    assert_eq!(run(-1).unwrap()[0].shape(), [5, 3]);
    // Not what is left over, but what was asked for.
    assert_eq!(text(run(6)), "reshape: the elements of 5x3 do not fill the shape [6, 3]");

    // An extent that goes by its name is what is left, and nothing else needs to be known.
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "Nx3x4");
    let first = graph.extents_of(x, &[0]).unwrap();
    let twelve = graph.constant(Tensor::new(&[1], &[12i64]).unwrap()).unwrap();
    let target = graph.add(Concatenate { axis: 0 }, &[first, twelve]).unwrap();
    let y = graph.add(ReshapeTo, &[x, target]).unwrap();
    graph.output("y", y).unwrap();
    assert!(matches!(graph.node(y).unwrap().kind(), super::super::Kind::Reshape(_)), "{graph}");
    assert_eq!(graph.run(&[counted(&[2, 3, 4])]).unwrap()[0].shape(), [2, 12]);
}

/// What is changed in place is not what the new part is still made of.
#[test]
fn a_part_of_itself_is_put_into_it_again_and_again() {
    for (index, part) in [(":", "0:4"), ("1:3", "0:2"), (":2", "2:4")] {
        let mut graph = Graph::new();
        let x = floats(&mut graph, "x", "4");
        let y = graph.apply(Op::Exp, &[x]).unwrap();
        let part = graph.add(Slice { index: parse_index(part).unwrap() }, &[y]).unwrap();
        let two = graph.full_like(2.0, part).unwrap();
        let twice = graph.apply(Op::Multiply, &[part, two]).unwrap();
        let whole = graph.apply(Op::Multiply, &[y, y]).unwrap();
        let put = if index == ":" { whole } else { twice };
        let new = graph.add(Insert { index: parse_index(index).unwrap() }, &[y, put]).unwrap();
        graph.output("new", new).unwrap();
        let runner = Runner::new(graph.clone());
        let expected = graph.run(&[counted(&[4])]).unwrap()[0].to_vec::<f64>().unwrap();
        for _ in 0..3 {
            assert_eq!(runner.run(&[counted(&[4])]).unwrap()[0].to_vec::<f64>().unwrap(), expected);
        }
    }
}

/// What fails only when it is computed is found among all that is computed together: its name, and its line.
#[test]
fn what_fails_while_it_runs_is_named() {
    let text = "%0 = input \"x\" dtype=f64 shape=Nx3
%1 = input \"rows\" dtype=i64 shape=2
%2 = exp(%0)
%3 = take(%2, %1) axis=1 batch=0
// The sum of what is taken.
%4 = sum(%3) axes=[1] keep=nothing
%5 = take(%4, %1) axis=0 batch=0
output \"y\" = %5
";
    let graph: Graph = text.parse().unwrap();
    let runner = Runner::new(graph.clone());
    let x = counted(&[2, 3]);
    for (rows, message) in [
        ([0i64, 7], "line 4: take: there is no row 7: axis 1 has extent 3"),
        ([0, 2], "line 7: take: there is no row 2: axis 0 has extent 2"),
        ([-1, -3], "line 7: take: there is no row -3: axis 0 has extent 2"),
    ] {
        let inputs = [x.clone(), Tensor::new(&[2], &rows).unwrap()];
        for _ in 0..2 {
            assert_eq!(runner.run(&inputs).unwrap_err().to_string(), message);
        }
        assert_eq!(graph.run(&inputs).unwrap_err().to_string(), message);
    }
    let inputs = [x, Tensor::new(&[2], &[0i64, 1]).unwrap()];
    assert!(runner.run(&inputs).is_ok());
}
