//! What is written: only operators on element types that ONNX's schemas let them take.

use std::collections::HashMap;

use super::super::proto::Model;
use super::super::write::taken::takes;
use super::super::{read, write};
use crate::array::{Keep, Number};
use crate::convert::Overflow;
use crate::dialect::onnx::dtype;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::formula::tests::of_one;
use crate::graph::kind::{
    Accumulate, Argsort, Bitcast, Broadcast, Convert, Direction, Find, Lay, MatMul, Order, Range, Reduce,
    Scatter, Start,
};
use crate::graph::{Graph, Id, Kind};
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// The nodes of a model whose operators do not take what they are given. Element types follow from the first to the last node.
fn refused(graph: &Graph) -> Result<Vec<String>, Error> {
    const MOVING: &str = "Cast Reshape Shape Unsqueeze";
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
            Some(number) => {
                // Of integers the end of their type is what an infinity is of floats.
                let number = match dtype.integers() {
                    Some(all) if number == f64::INFINITY => Number::Int(*all.end()),
                    Some(all) if number == f64::NEG_INFINITY => Number::Int(*all.start()),
                    _ => number.into(),
                };
                graph.full_like(number, x).unwrap()
            }
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

/// A graph in which elements are put into others with what is there.
fn scattered(dtype: DType) -> Option<Graph> {
    let mut graph = Graph::new();
    let [x, updates] = ["x", "updates"].map(|name| graph.input(name, dtype, "2x2".parse().unwrap()).unwrap());
    let places = graph.input("places", DType::I64, "2x2".parse().unwrap()).unwrap();
    let scatter = Scatter { axis: 0, with: Some(Op::Maximum) };
    let y = graph.add(scatter, &[x, places, updates]).ok()?;
    graph.output("y", y).unwrap();
    Some(graph)
}

#[test]
fn folds_are_on_types_that_their_operators_take() {
    let mut unsaid = Vec::new();
    let laid = Broadcast::new([Lay::New(3), Lay::Axis(0)]);
    for dtype in DType::all() {
        let mut graphs = vec![
            ("matmul", of_kind(MatMul, &[2, 2], dtype, 2)),
            ("range", of_kind(Range, &[], dtype, 3)),
            ("broadcast", of_kind(laid.clone(), &[2], dtype, 1).filter(|_| dtype.computes())),
            ("scatter", scattered(dtype)),
        ];
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
        assert_eq!(found, [before, &["TopK", "Identity"]].concat(), "{shape} {count:?}");
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
    assert_eq!(found, ["Add y_1 y_1", "Log  v1", "Div x_1 y"]);
    let again = write(&read(&bytes, None).unwrap()).unwrap();
    let model = Model::decode(&again).unwrap().graph.unwrap();
    assert_eq!(model.initializers[0].name, "layer.weight");
    for name in ["y_1", "v1", "y"] {
        assert!(model.nodes.iter().any(|node| node.outputs == [name]), "{name}");
    }
}

/// A graph of an operation of inputs of these shapes, which are laid as NumPy lays them.
fn of_shapes(op: Op, dtype: DType, shapes: &[&str]) -> Result<Graph, Error> {
    let mut graph = Graph::new();
    let mut inputs = Vec::new();
    for (place, shape) in shapes.iter().enumerate() {
        let dtype = if op == Op::Where && place == 0 { DType::Bool } else { dtype };
        inputs.push(graph.input(&format!("x{place}"), dtype, shape.parse().unwrap())?);
    }
    let laid = match inputs[..] {
        [a, b] => graph.joined([a, b])?.to_vec(),
        [a, b, c] => graph.joined([a, b, c])?.to_vec(),
        _ => inputs,
    };
    let y = graph.apply(op, &laid)?;
    graph.output("y", y)?;
    Ok(graph)
}

#[test]
fn broadcasts_are_left_to_operators() -> Result<(), Error> {
    let pairs = [["2x3", "3"], ["Nx3", "3"], ["Nx1", "1xM"], ["?x3", "2x1"], ["2x3", "scalar"], ["N", "N"]];
    for shapes in pairs {
        let bytes = write(&of_shapes(Op::Add, DType::F32, &shapes)?)?;
        let model = Model::decode(&bytes)?.graph.unwrap();
        let nodes: Vec<_> =
            model.nodes.iter().map(|node| (node.op_type, &node.inputs[..], node.outputs[0])).collect();
        assert_eq!(nodes, [("Add", &["x0", "x1"][..], "y")], "{shapes:?}");
        assert!(model.initializers.is_empty(), "{shapes:?}");
    }
    // Of a slope there may be less than of what it is for, but not more.
    for (shapes, count) in [(["2x3", "3"], 1), (["3", "2x3"], 3)] {
        let bytes = write(&of_shapes(Op::Prelu, DType::F32, &shapes)?)?;
        assert_eq!(Model::decode(&bytes)?.graph.unwrap().nodes.len(), count, "{shapes:?}");
    }
    // What is broadcast for another reason too is there once, for that.
    let mut graph = Graph::new();
    let [a, b] = ["2x3", "3"].map(|shape| graph.input(shape, DType::F32, shape.parse().unwrap()).unwrap());
    let [_, wide] = graph.joined([a, b])?;
    let sum = graph.apply(Op::Add, &[a, wide])?;
    graph.output("wide", wide)?;
    graph.output("sum", sum)?;
    graph.output("same", sum)?;
    graph.output("input", a)?;
    let bytes = write(&graph)?;
    let model = Model::decode(&bytes)?.graph.unwrap();
    let found: Vec<&str> = model.nodes.iter().map(|node| node.op_type).collect();
    assert_eq!(found, ["Unsqueeze", "Expand", "Add", "Identity", "Identity"]);
    let given = [Tensor::new(&[2, 3], &[1.0f32; 6])?, Tensor::new(&[3], &[1.0f32, 2.0, 3.0])?];
    let made = read(&bytes, None)?.run(&given)?;
    let made: Vec<Vec<f32>> = made.iter().map(|tensor| tensor.to_vec().unwrap()).collect();
    let sum = vec![2.0, 3.0, 4.0, 2.0, 3.0, 4.0];
    assert_eq!(made, [vec![1.0, 2.0, 3.0, 1.0, 2.0, 3.0], sum.clone(), sum, vec![1.0; 6]]);
    Ok(())
}

/// The operators broadcast as the graph did, also those that are written for what ONNX has no name for.
#[test]
fn operations_of_broadcast_arrays_stay_what_they_are() -> Result<(), Error> {
    let mut tried = 0;
    for &op in Op::ALL {
        let arguments = op.record().arguments;
        if arguments.len() < 2 || arguments.iter().any(|argument| argument.default.is_some()) {
            continue;
        }
        for dtype in [DType::F32, DType::I32, DType::U8, DType::Bool] {
            if op.result(dtype).is_none() {
                continue;
            }
            for shapes in [["2x1x3", "4x1", "scalar"], ["3", "2x4x1", "1x1x3"], ["2x1x3", "2x4x1", "4x3"]] {
                let graph = of_shapes(op, dtype, &shapes[..arguments.len()])?;
                let Ok(bytes) = write(&graph) else { continue };
                let again = read(&bytes, None)?;
                let mut given = Vec::new();
                for &id in graph.inputs() {
                    let node = graph.node(id)?;
                    let shape = node.shape().extents().unwrap();
                    let count: usize = shape.iter().product();
                    let numbers: Vec<f32> = (0..count).map(|n| (n % 4) as f32).collect();
                    given.push(crate::Array::new(&shape, &numbers).convert(node.dtype()).eval()?);
                }
                let [one, other] = [&graph, &again].map(|graph| {
                    let made = graph.run(&given).unwrap().remove(0);
                    let numbers = crate::Array::from(made.clone()).convert(DType::F64).eval().unwrap();
                    (made.shape().to_vec(), numbers.to_vec::<f64>().unwrap())
                });
                let what = format!("{op} {dtype} {shapes:?}");
                assert_eq!(one.0, other.0, "{what}");
                let near = |(a, b): (&f64, &f64)| {
                    a == b || (a - b).abs() <= 1e-5 * a.abs() || a.is_nan() && b.is_nan()
                };
                assert!(one.1.iter().zip(&other.1).all(near), "{what}: {one:?} {other:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 150, "{tried}");
    Ok(())
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

/// Bits as elements of another type are an operator of a later opset, if one element becomes one.
#[test]
fn bits_of_elements() -> Result<(), Error> {
    let of_bits = |to| -> Result<Vec<u8>, Error> {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "2".parse().unwrap())?;
        let bits = graph.add(Bitcast(to), &[x])?;
        graph.output("y", bits)?;
        write(&graph)
    };
    let bytes = of_bits(DType::I32)?;
    assert_eq!(Model::decode(&bytes)?.opsets[0].version, 26);
    let x = Tensor::new(&[2], &[1.0f32, -2.0])?;
    let y = read(&bytes, None)?.run(&[x])?.remove(0);
    assert_eq!(y.to_vec::<i32>()?, [0x3f80_0000, -0x4000_0000]);
    let text = of_bits(DType::F64).unwrap_err().to_string();
    assert!(text.contains("its BitCast makes one element of one, and not f64 of f32"), "{text}");
    Ok(())
}

/// onnxruntime drops an Expand to no elements, so that one element is left: a part of none is none.
#[test]
fn nothing_is_no_expand() -> Result<(), Error> {
    for (shape, given) in [("6x1", [6, 1]), ("Nx1", [2, 1])] {
        for (axes, expands, made) in [
            (vec![Lay::Axis(0), Lay::Axis(1), Lay::New(0)], 0, vec![given[0], 1, 0]),
            (vec![Lay::New(4), Lay::Axis(0), Lay::Stretched(1, 0)], 1, vec![4, given[0], 0]),
            (vec![Lay::Axis(0), Lay::Stretched(1, 3)], 1, vec![given[0], 3]),
        ] {
            let mut graph = Graph::new();
            let x = graph.input("x", DType::F32, shape.parse().unwrap())?;
            let y = graph.add(Broadcast::new(axes), &[x])?;
            graph.output("y", y)?;
            let bytes = write(&graph)?;
            let model = Model::decode(&bytes)?.graph.unwrap();
            let count = |op: &str| model.nodes.iter().filter(|node| node.op_type == op).count();
            assert_eq!((count("Expand"), count("Slice")), (expands, usize::from(made.contains(&0))));
            let x = Tensor::zeros(&given, DType::F32)?;
            assert_eq!(read(&bytes, None)?.run(&[x])?[0].shape(), made);
        }
    }
    Ok(())
}

/// Attributes are f32: an operation on f64 by a number that an f32 does not hold is written as a formula.
#[test]
fn numbers_that_no_attribute_holds() -> Result<(), Error> {
    for op in [Op::LeakyRelu, Op::Elu, Op::HardSigmoid, Op::Selu, Op::ThresholdedRelu] {
        for (number, named) in [(0.1, false), (0.25, true)] {
            let mut graph = Graph::new();
            let x = graph.input("x", DType::F64, "3".parse().unwrap())?;
            let numbers = op.record().arguments.iter().filter(|argument| argument.default.is_some());
            let numbers = numbers.map(|_| graph.full_like(number, x)).collect::<Result<Vec<_>, _>>()?;
            let y = graph.apply(op, &[&[x], &numbers[..]].concat())?;
            graph.output("y", y)?;
            let bytes = write(&graph)?;
            let model = Model::decode(&bytes)?.graph.unwrap();
            let name = op.entry(|names| names.onnx, DType::F64).unwrap().0;
            let found = model.nodes.iter().any(|node| node.op_type == name && !node.attributes.is_empty());
            assert_eq!(found, named, "{op} {number}");
            let x = [Tensor::new(&[3], &[-3.0, 0.15, 2.0])?];
            let [wanted, found] =
                [graph.run(&x)?, read(&bytes, None)?.run(&x)?].map(|mut made| made.remove(0));
            let (wanted, found) = (wanted.to_vec::<f64>()?, found.to_vec::<f64>()?);
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-15 * b.abs();
            assert!(found.iter().zip(&wanted).all(near), "{op} {number}: {found:?}, not {wanted:?}");
        }
    }
    Ok(())
}
