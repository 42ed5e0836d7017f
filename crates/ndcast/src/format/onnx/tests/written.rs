//! What is written: only operators on element types that ONNX's schemas let them take.

use std::collections::HashMap;

use super::super::proto::Model;
use super::super::write::taken::takes;
use super::super::{read, write};
use crate::array::Keep;
use crate::convert::Overflow;
use crate::dialect::onnx::dtype;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::formula::tests::of_one;
use crate::graph::kind::{
    Accumulate, Argsort, Convert, Direction, Find, MatMul, Order, Range, Reduce, Start,
};
use crate::graph::{Graph, Id, Kind};
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// The nodes of a model whose operators do not take what they are given. Element types follow from the first to the last node.
fn refused(graph: &Graph) -> Result<Vec<String>, Error> {
    const MOVING: &str = "Cast Expand Reshape Shape Unsqueeze";
    let bytes = write(graph)?;
    let model = Model::decode(&bytes)?.graph.unwrap();
    let mut types: HashMap<&str, DType> = HashMap::new();
    for input in &model.inputs {
        types.insert(input.name, dtype(input.tensor.as_ref().unwrap().dtype)?);
    }
    for tensor in &model.initializers {
        types.insert(tensor.name, dtype(tensor.dtype)?);
    }
    let mut refused = Vec::new();
    for node in &model.nodes {
        let from = types[node.inputs[usize::from(node.op_type == "Where")]];
        if !MOVING.split(' ').any(|moving| moving == node.op_type) && !takes(node.op_type, from) {
            refused.push(format!("{} of {from}", node.op_type));
        }
        let to = match node.op_type {
            "Cast" => dtype(node.attributes.iter().find(|one| one.name == "to").unwrap().int)?,
            "ArgMax" | "ArgMin" | "Shape" => DType::I64,
            "Equal" | "Greater" | "GreaterOrEqual" | "IsInf" | "IsNaN" | "Less" | "LessOrEqual" => {
                DType::Bool
            }
            _ => from,
        };
        types.insert(node.outputs[0], to);
        if let [_, places] = node.outputs[..] {
            types.insert(places, DType::I64);
        }
    }
    read(&bytes, None)?;
    Ok(refused)
}

/// The same operation with its numbers, and not with arrays for them.
fn with_numbers(op: Op, dtype: DType) -> Graph {
    let mut graph = Graph::new();
    let x = graph.input("x", dtype, "4".parse().unwrap()).unwrap();
    let truth = graph.input("truth", DType::Bool, "4".parse().unwrap()).unwrap();
    let arguments: Vec<Id> = (0..)
        .zip(op.record().arguments)
        .map(|(place, argument)| match argument.default {
            Some(number) => graph.full_like(number, x).unwrap(),
            None if op == Op::Where && place == 0 => truth,
            None => x,
        })
        .collect();
    let y = graph.apply(op, &arguments).unwrap();
    graph.output("y", y).unwrap();
    graph
}

#[test]
fn operations_are_on_types_that_their_operators_take() {
    let mut unsaid: Vec<String> = Vec::new();
    for &op in Op::ALL {
        for dtype in DType::all().filter(|&dtype| op.result(dtype).is_some()) {
            for graph in [of_one(op, dtype), with_numbers(op, dtype)] {
                match refused(&graph) {
                    Ok(found) => assert_eq!(found, [""; 0], "{op} {dtype}"),
                    Err(error) => {
                        let error = error.to_string();
                        assert!(error.contains("ONNX cannot say it"), "{op} {dtype}: {error}");
                        // What is of integers and has no operator; of floats another test has the list.
                        let listed = op == Op::Pow || op.record().names.onnx.contains("Bit");
                        if listed && dtype.class() != Class::Complex {
                            unsaid.push(format!("{op} {dtype}"));
                        }
                    }
                }
            }
        }
    }
    unsaid.dedup();
    let shifts = ["left", "right"]
        .map(|side| ["i8", "i16", "i32", "i64"].map(|dtype| format!("bitwise_{side}_shift {dtype}")));
    let mut known: Vec<String> = shifts.concat();
    known.push("pow u64".to_owned());
    unsaid.sort();
    known.sort();
    assert_eq!(unsaid, known);
}

/// A graph of one node of inputs of an element type.
fn of_kind(kind: impl Into<Kind>, shape: &[usize], dtype: DType, count: usize) -> Option<Graph> {
    let mut graph = Graph::new();
    let inputs: Vec<Id> =
        (0..count).map(|place| graph.input(&format!("x{place}"), dtype, shape.into()).unwrap()).collect();
    let y = graph.add(kind, &inputs).ok()?;
    graph.output("y", y).unwrap();
    Some(graph)
}

#[test]
fn folds_are_on_types_that_their_operators_take() {
    let mut unsaid = Vec::new();
    for dtype in DType::all() {
        let mut graphs =
            vec![("matmul", of_kind(MatMul, &[2, 2], dtype, 2)), ("range", of_kind(Range, &[], dtype, 3))];
        for reduction in Reduction::ALL {
            let reduce = Reduce { reduction, axes: vec![1], keep: Keep::Nothing };
            graphs.push((reduction.record().name, of_kind(reduce, &[2, 2], dtype, 1)));
            let find = Find { which: reduction, axis: 0, keep: Keep::Axes, to: DType::I32 };
            graphs.push(("find", of_kind(find, &[2, 2], dtype, 1)));
        }
        let (direction, start) = (Direction::Forward, Start::With);
        let running = Accumulate { reduction: Reduction::Sum, axis: 0, direction, start };
        graphs.push(("running", of_kind(running, &[2, 2], dtype, 1)));
        let (direction, order) = (crate::Direction::Ascending, Order::Numbers);
        let sort = Argsort { axis: 1, direction, order, to: DType::I32 };
        graphs.push(("sort", of_kind(sort, &[2, 2], dtype, 1)));
        for (name, graph) in graphs {
            let Some(graph) = graph else { continue };
            match refused(&graph) {
                Ok(found) => assert_eq!(found, [""; 0], "{name} {dtype}"),
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.contains("ONNX cannot say it: its "), "{name} {dtype}: {error}");
                    unsaid.push(format!("{name} {dtype}"));
                }
            }
        }
    }
    let known = [
        "range u64",
        "matmul c64",
        "sum c64",
        "prod c64",
        "running c64",
        "sort c64",
        "matmul c128",
        "sum c128",
        "prod c128",
        "running c128",
        "sort c128",
    ];
    assert_eq!(unsaid, known);
}

/// Elements in order and their places are one node, whose k is what is there: a number, an input, or the extent.
#[test]
fn elements_and_places_are_one_node() {
    for (shape, count, before) in [
        ("?x3", None, &[][..]),
        ("1x?", None, &["Shape"]),
        ("?x?", Some("1"), &[]),
        ("?x?", Some("scalar"), &["Cast", "Reshape"]),
    ] {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, shape.parse().unwrap()).unwrap();
        let k = count.map(|shape| graph.input("k", DType::I64, shape.parse().unwrap()).unwrap());
        let (direction, order) = (crate::Direction::Descending, Order::Numbers);
        let sort = Argsort { axis: 1, direction, order, to: DType::I64 };
        for (name, id) in ["elements", "places"].into_iter().zip(graph.sorted(x, sort, k).unwrap()) {
            graph.output(name, id).unwrap();
        }
        let bytes = write(&graph).unwrap();
        let model = Model::decode(&bytes).unwrap().graph.unwrap();
        let found: Vec<&str> = model.nodes.iter().map(|node| node.op_type).collect();
        assert_eq!(found, [before, &["TopK", "Identity", "Identity"]].concat(), "{shape} {count:?}");
        let mut given = vec![Tensor::new(&[1, 3], &[1.0f32, 3.0, 2.0]).unwrap()];
        given.extend(count.map(|shape| Tensor::new(if shape == "1" { &[1] } else { &[] }, &[3i64]).unwrap()));
        let made = read(&bytes, None).unwrap().run(&given).unwrap();
        assert_eq!(made[0].to_vec::<f32>().unwrap(), [3.0, 2.0, 1.0]);
        assert_eq!(made[1].to_vec::<i64>().unwrap(), [1, 2, 0]);
    }
}

#[test]
fn names_are_kept() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "3".parse().unwrap()).unwrap();
    let weight = graph.constant(Tensor::new(&[3], &[1.0f32, 2.0, 3.0]).unwrap()).unwrap();
    graph.name(weight, "layer.weight").unwrap();
    let sum = graph.apply(Op::Add, &[x, weight]).unwrap();
    graph.name(sum, "y").unwrap();
    let root = graph.apply(Op::Log2, &[sum]).unwrap();
    graph.name(root, "x").unwrap();
    graph.output("y", root).unwrap();
    let bytes = write(&graph).unwrap();
    let model = Model::decode(&bytes).unwrap().graph.unwrap();
    assert_eq!(model.initializers[0].name, "layer.weight");
    let names = |node: &crate::format::onnx::proto::Node<'_>| {
        format!("{} {} {}", node.op_type, node.name, node.outputs[0])
    };
    let found: Vec<String> = model.nodes.iter().map(names).collect();
    // The names of inputs and outputs are theirs, and a formula's are those of its last node.
    assert_eq!(found, ["Add y_1 y_1", "Log  v1", "Div x_1 x_1", "Identity  y"]);
    let again = write(&read(&bytes, None).unwrap()).unwrap();
    let model = Model::decode(&again).unwrap().graph.unwrap();
    assert_eq!(model.initializers[0].name, "layer.weight");
    for name in ["y_1", "v1", "x_1", "y"] {
        assert!(model.nodes.iter().any(|node| node.outputs == [name]), "{name}");
    }
}

#[test]
fn types_of_later_opsets() -> Result<(), Error> {
    for (dtype, version) in
        [(DType::F16, 21), (DType::F4E2M1, 23), (DType::F8E8M0, 24), (DType::U2, 25), (DType::I2, 25)]
    {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "2".parse().unwrap())?;
        let short = graph.add(Convert { to: dtype, overflow: Overflow::Numpy }, &[x])?;
        graph.output("y", short)?;
        let bytes = write(&graph)?;
        assert_eq!(Model::decode(&bytes)?.opsets[0].version, version, "{dtype}");
        read(&bytes, None)?;
    }
    Ok(())
}
