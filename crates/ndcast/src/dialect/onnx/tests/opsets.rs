//! What changed from one opset to the next.

use super::super::{Attributes, Builder};
use super::{Given, Try, floats, integers, numbers};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Graph;
use crate::tensor::Tensor;

fn attributes() -> Attributes {
    Attributes::new()
}

fn counted(shape: &[usize]) -> Tensor {
    let elements: Vec<f32> = (1u16..).take(shape.iter().product()).map(f32::from).collect();
    floats(shape, &elements)
}

/// Before opset 7 the second operand is laid on the first where the attributes say so.
#[test]
fn legacy_broadcasting() {
    let a = || counted(&[2, 3, 2]);
    let add = |b: Tensor, attributes: Attributes| Try::new(6, "Add", vec![a(), b], attributes);
    let broadcast = || attributes().with("broadcast", 1);
    // Last axis on last.
    let found = add(floats(&[2], &[10.0, 20.0]), broadcast()).floats().unwrap();
    assert_eq!(found[..4], [11.0, 22.0, 13.0, 24.0]);
    // From an axis on.
    let found = add(floats(&[3], &[10.0, 20.0, 30.0]), broadcast().with("axis", 1)).floats().unwrap();
    assert_eq!(found[..6], [11.0, 12.0, 23.0, 24.0, 35.0, 36.0]);
    let found = add(floats(&[2, 3], &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]), broadcast().with("axis", 0));
    assert_eq!(found.floats().unwrap()[..6], [11.0, 12.0, 23.0, 24.0, 35.0, 36.0]);
    // One element of any rank that the first has.
    for shape in [&[][..], &[1], &[1, 1, 1]] {
        let found = add(floats(shape, &[10.0]), broadcast()).floats().unwrap();
        assert_eq!(found[..2], [11.0, 12.0]);
    }
    // Extents of 1 are stretched, wherever they are.
    for (shape, axis, expected) in [
        (&[3, 1][..], 1, [11.0, 12.0, 23.0, 24.0, 35.0, 36.0]),
        (&[1, 3], 0, [11.0, 12.0, 23.0, 24.0, 35.0, 36.0]),
        (&[1, 3, 1], 0, [11.0, 12.0, 23.0, 24.0, 35.0, 36.0]),
    ] {
        let found = add(floats(shape, &[10.0, 20.0, 30.0]), broadcast().with("axis", axis)).floats().unwrap();
        assert_eq!(found[..6], expected, "{shape:?} from axis {axis} on");
    }
    for (b, attributes, message) in [
        (floats(&[2], &[1.0, 2.0]), attributes(), "Add: the shapes must be equal, and they are 2x3x2 and 2"),
        (counted(&[2, 1]), broadcast().with("axis", 1), "Add: "),
        (counted(&[3]), broadcast(), "do not broadcast"),
        (counted(&[3]), broadcast().with("axis", 3), "Add: there is no axis 3: the rank is 3"),
        (
            counted(&[3, 2]),
            broadcast().with("axis", 2),
            "Add: the shapes must be equal, and they are 2x3x2 and 3x2",
        ),
    ] {
        let text = add(b, attributes).floats().unwrap_err().to_string();
        assert!(text.contains(message), "{text}");
    }
    // Never the first on the second.
    let onto = Try::new(6, "Mul", vec![counted(&[2]), a()], broadcast()).floats().unwrap_err();
    assert!(onto.to_string().contains("Mul: "), "{onto}");
    // From opset 7 on there are no such attributes.
    let late = Try::new(7, "Add", vec![a(), counted(&[2])], broadcast());
    assert_eq!(late.floats().unwrap_err().to_string(), "Add: it has no attribute broadcast in opset 7");
    assert!(Try::new(7, "Add", vec![counted(&[2]), a()], attributes()).floats().is_ok());
}

/// Before opset 8 what joins any number of inputs wants them of one shape.
#[test]
fn inputs_of_one_shape() {
    let node = |opset| Try::new(opset, "Max", vec![counted(&[2, 2]), counted(&[2])], attributes());
    assert_eq!(
        node(7).floats().unwrap_err().to_string(),
        "Max: the shapes must be equal, and they are 2x2 and 2"
    );
    assert_eq!(node(8).floats().unwrap(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn bounds_and_axes_moved() {
    let x = || counted(&[2, 3]);
    let clip = |opset| Try::new(opset, "Clip", vec![x()], attributes().with("min", 2f32).with("max", 5f32));
    assert_eq!(clip(10).floats().unwrap(), [2.0, 2.0, 3.0, 4.0, 5.0, 5.0]);
    assert_eq!(clip(11).floats().unwrap_err().to_string(), "Clip: it has no attribute max in opset 11");
    let bound = || Tensor::scalar(2f32).unwrap();
    let clip = |opset| Try::new(opset, "Clip", vec![x(), bound()], attributes());
    assert!(clip(11).floats().is_ok() && clip(10).floats().is_err());

    let by_attribute = |op, opset| Try::new(opset, op, vec![x()], attributes().with("axes", [1]));
    let by_input = |op, opset| Try::new(opset, op, vec![x(), integers(&[1])], attributes());
    for (op, since) in [("ReduceSum", 13), ("ReduceMean", 18), ("ReduceMax", 18), ("ReduceL2", 18)] {
        assert!(by_attribute(op, since - 1).floats().is_ok(), "{op}");
        assert!(by_attribute(op, since).floats().is_err(), "{op}");
        assert!(by_input(op, since - 1).floats().is_err(), "{op}");
        assert!(by_input(op, since).floats().is_ok(), "{op}");
    }
    for (op, since) in [("Squeeze", 13), ("Unsqueeze", 13)] {
        let column = || counted(&[2, 1]);
        let by_attribute = |opset| Try::new(opset, op, vec![column()], attributes().with("axes", [1]));
        let by_input = |opset| Try::new(opset, op, vec![column(), integers(&[1])], attributes());
        assert!(by_attribute(since - 1).floats().is_ok() && by_attribute(since).floats().is_err(), "{op}");
        assert!(by_input(since - 1).floats().is_err(), "{op}");
        assert!(by_input(since).floats().is_ok(), "{op}");
    }
    let slice = attributes().with("starts", [0, 1]).with("ends", [2, 9]);
    assert_eq!(Try::new(9, "Slice", vec![x()], slice.clone()).floats().unwrap(), [2.0, 3.0, 5.0, 6.0]);
    assert!(Try::new(10, "Slice", vec![x()], slice).floats().is_err());
    let pads = attributes().with("pads", [0, 1, 0, 0]).with("value", 9f32);
    assert_eq!(
        Try::new(10, "Pad", vec![x()], pads).floats().unwrap(),
        [9.0, 1.0, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0]
    );
    let reshape = attributes().with("shape", [3, -1]);
    assert_eq!(Try::new(1, "Reshape", vec![x()], reshape).run(Given::Known).unwrap()[0].shape(), [3, 2]);
    let split = attributes().with("split", [1, 2]).with("axis", 1);
    let node = Try { outputs: 2, ..Try::new(11, "Split", vec![x()], split) };
    assert_eq!(node.run(Given::Known).unwrap()[1].shape(), [2, 2]);
}

/// How many are wanted is an attribute before opset 10, and that it is the least may be said since opset 11.
#[test]
fn the_greatest_and_the_least() {
    let x = || floats(&[4], &[3.0, 1.0, 4.0, 2.0]);
    let by_attribute = |opset| Try::new(opset, "TopK", vec![x()], attributes().with("k", 2));
    let by_input = |opset| Try::new(opset, "TopK", vec![x(), integers(&[2])], attributes());
    for opset in [1, 9] {
        assert_eq!(by_attribute(opset).floats().unwrap(), [4.0, 3.0]);
        let text = by_input(opset).floats().unwrap_err().to_string();
        assert_eq!(text, "TopK: its k is an attribute before opset 10");
        let text = Try::new(opset, "TopK", vec![x()], attributes()).floats().unwrap_err().to_string();
        assert_eq!(text, "TopK: its attribute k is missing");
    }
    for opset in [10, 11, 24] {
        assert_eq!(by_input(opset).floats().unwrap(), [4.0, 3.0]);
        assert!(by_attribute(opset).floats().is_err());
    }
    let least = |opset| {
        let least = attributes().with("largest", 0).with("sorted", 0);
        Try::new(opset, "TopK", vec![x(), integers(&[2])], least).floats()
    };
    assert_eq!(least(10).unwrap_err().to_string(), "TopK: it has no attribute largest in opset 10");
    assert_eq!(least(11).unwrap(), [1.0, 2.0]);
}

/// Before opset 13 a softmax goes along all axes from the attribute on, and by default from the second.
#[test]
fn softmax_of_several_axes() {
    let x = || floats(&[1, 2, 2], &[1.0, 1.0, 1.0, 1.0]);
    for (opset, expected) in [(12, 0.25), (13, 0.5)] {
        assert_eq!(Try::new(opset, "Softmax", vec![x()], attributes()).floats().unwrap(), [expected; 4]);
    }
    let x = || floats(&[1, 2, 2], &[1.0, 3.0, 3.0, 2.0]);
    let hard = |opset| Try::new(opset, "Hardmax", vec![x()], attributes()).floats().unwrap();
    assert_eq!(hard(12), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(hard(13), [0.0, 1.0, 1.0, 0.0]);
    let flat = Try::new(12, "Hardmax", vec![x()], attributes()).run(Given::Unknown).unwrap();
    assert_eq!(super::numbers(&flat[0]).unwrap(), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn operators_come_and_go() {
    let x = || counted(&[2]);
    for (op, first) in [("Mish", 18), ("Gelu", 20), ("CastLike", 15), ("Celu", 12), ("Sign", 9)] {
        let inputs = |op| if op == "CastLike" { vec![x(), x()] } else { vec![x()] };
        let node = |opset| Try::new(opset, op, inputs(op), attributes()).floats();
        let early = node(first - 1).unwrap_err().to_string();
        assert_eq!(early, format!("{op}: {op} is there since opset {first}, and this is {}", first - 1));
        assert!(node(first).is_ok(), "{op}");
    }
    let scatter = |opset| {
        let inputs = vec![x(), integers(&[1]), floats(&[1], &[9.0])];
        Try::new(opset, "Scatter", inputs, attributes()).floats()
    };
    assert!(scatter(8).is_err() && scatter(11).is_err());
    assert_eq!(scatter(10).unwrap(), [1.0, 9.0]);
}

/// Before opset 21 the scale of a group normalisation is one number a group.
#[test]
fn groups_or_channels() {
    let x = || floats(&[1, 4, 1], &[1.0, 3.0, 2.0, 6.0]);
    let node = |opset, scale: &[f32]| {
        let by = || floats(&[scale.len()], scale);
        let inputs = vec![x(), by(), by()];
        Try::new(opset, "GroupNormalization", inputs, attributes().with("num_groups", 2)).floats()
    };
    let by_group = node(18, &[1.0, 2.0]).unwrap();
    let by_channel = node(21, &[1.0, 1.0, 2.0, 2.0]).unwrap();
    assert_eq!(by_group, by_channel);
    assert!((by_group[0] - 0.0).abs() < 1e-4 && (by_group[3] - 4.0).abs() < 1e-4, "{by_group:?}");
    assert!(node(21, &[1.0, 2.0]).is_err());
}

/// The reference does not know it: the root of the sum of cubes. The exponent is a number in opset 1.
#[test]
fn roots_of_sums_of_powers() {
    let x = || floats(&[1, 2, 2], &[1.0, -2.0, 3.0, 0.0]);
    let node = |opset, p: Attributes| Try::new(opset, "GlobalLpPool", vec![x()], p).floats().unwrap();
    for found in [node(1, attributes().with("p", 3f32)), node(22, attributes().with("p", 3))] {
        assert!((found[0] - 9f64.cbrt()).abs() < 1e-5 && (found[1] - 3.0).abs() < 1e-5, "{found:?}");
    }
}

/// A start before the first element is the first element, where the step goes backwards: also if the extent is not known.
#[test]
fn slices_that_begin_before_the_first_element() {
    let x = || Tensor::new(&[3], &[0.0f32, 1.0, 2.0]).unwrap();
    let one = |n: i64| Tensor::new(&[1], &[n]).unwrap();
    for (start, stop, step, expected) in [
        (-5, -9999, -1, &[0.0][..]),
        (-4, -9999, -2, &[0.0]),
        (-3, -9999, -1, &[0.0]),
        (-1, -9999, -1, &[2.0, 1.0, 0.0]),
        (-2, -9999, -1, &[1.0, 0.0]),
        (-5, 1, -1, &[]),
        (-5, 2, 1, &[0.0, 1.0]),
        (9, i64::MIN, -2, &[2.0, 0.0]),
    ] {
        let inputs = vec![x(), one(start), one(stop), one(0), one(step)];
        for given in [Given::Known, Given::Unknown, Given::Constant] {
            let made = Try::new(13, "Slice", inputs.clone(), Attributes::new()).run(given).unwrap();
            assert_eq!(made[0].to_vec::<f32>().unwrap(), expected, "{start}:{stop}:{step}");
        }
    }
}

/// How long the new axis is may be said by any number.
#[test]
fn depths_of_any_type() {
    for dtype in [DType::F32, DType::I32, DType::U8] {
        let mut graph = Graph::new();
        let numbers = graph.input("numbers", DType::I64, "2".parse().unwrap()).unwrap();
        let depth = crate::Array::scalar(3.0).convert(dtype).eval().unwrap();
        let depth = graph.constant(depth).unwrap();
        let values = graph.constant(Tensor::new(&[2], &[0.0f32, 1.0]).unwrap()).unwrap();
        let mut onnx = Builder::new(&mut graph, 13).unwrap();
        let made = onnx.one("OneHot", &[numbers, depth, values], &Attributes::new()).unwrap();
        assert_eq!(graph.node(made).unwrap().shape().to_string(), "2x3", "{dtype}");
    }
}

#[test]
fn of_no_elements_none_is_the_greatest() {
    let none = Try::new(13, "Hardmax", vec![floats(&[0, 4], &[])], Attributes::new().with("axis", 0));
    assert_eq!(none.run(Given::Known).unwrap()[0].shape(), [0, 4]);
}

/// What a product of matrices adds times 0 is not added, whatever it is; its shape must fit all the same.
#[test]
fn nothing_is_added_to_products() {
    let given = |c: Tensor| vec![counted(&[1, 2]), counted(&[2, 2]), c];
    let gemm = |c, beta: f32| Try::new(13, "Gemm", given(c), attributes().with("beta", beta)).floats();
    let c = || floats(&[2], &[f32::NAN, 1.0]);
    assert_eq!(gemm(c(), 0.0).unwrap(), [7.0, 10.0]);
    assert_eq!(gemm(c(), 2.0).unwrap()[1], 12.0);
    assert!(gemm(c(), 2.0).unwrap()[0].is_nan());
    assert!(gemm(floats(&[3], &[0.0; 3]), 0.0).unwrap_err().to_string().contains("do not broadcast"));
}

/// Pads that are computed when the graph runs, on some axes, negative ones too: as those that are known.
#[test]
fn pads_that_are_computed() {
    for (pads, axes) in [
        (vec![1i64, 0, 0, 2], vec![0i64, 1]),
        (vec![-1, 2, 3, -1], vec![0, 1]),
        (vec![2, 1], vec![-1]),
        (vec![0, 1, 2, 0], vec![1, 0]),
    ] {
        let of = |is_known: bool| -> Result<Tensor, Error> {
            let mut graph = Graph::new();
            let x = graph.input("x", DType::F32, "2x?".parse()?)?;
            let pads = integers(&pads);
            let mut inputs = vec![counted(&[2, 3])];
            let pads = if is_known {
                graph.constant(pads)?
            } else {
                inputs.push(pads.clone());
                graph.input("pads", DType::I64, pads.shape().into())?
            };
            let (value, axes) = (graph.constant(Tensor::scalar(9f32)?)?, graph.constant(integers(&axes))?);
            let ids = [x, pads, value, axes].map(Some);
            let padded = Builder::new(&mut graph, 18)?.node("Pad", &ids, &attributes(), 1)?;
            graph.output("y", padded[0])?;
            Ok(graph.run(&inputs)?.swap_remove(0))
        };
        let (known, computed) = (of(true).unwrap(), of(false).unwrap());
        assert_eq!(known.shape(), computed.shape(), "{pads:?}");
        assert_eq!(numbers(&known).unwrap(), numbers(&computed).unwrap(), "{pads:?}");
    }
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "2x3".parse().unwrap()).unwrap();
    for (pads, mode, text) in [
        ("3", "constant", "it takes 4 pads, two for an axis, and 3 are given"),
        ("4", "reflect", "Pad: pads of the mode reflect must be known before it runs"),
    ] {
        let pads = graph.input(mode, DType::I64, pads.parse().unwrap()).unwrap();
        let attributes = attributes().with("mode", mode);
        let wrong = Builder::new(&mut graph, 18).unwrap().node("Pad", &[Some(x), Some(pads)], &attributes, 1);
        assert!(wrong.unwrap_err().to_string().contains(text));
    }
}

/// What exporters write in opsets that are older than it.
#[test]
fn modes_before_their_opset() {
    let wrapped = attributes().with("mode", "wrap");
    let pad = |opset| Try::new(opset, "Pad", vec![counted(&[3]), integers(&[1, 2])], wrapped.clone());
    for opset in [18, 19] {
        assert_eq!(pad(opset).floats().unwrap(), [3.0, 1.0, 2.0, 3.0, 1.0, 2.0]);
    }
    for (opset, reduction, expected) in
        [(16, "max", [9.0, 2.0]), (17, "min", [1.0, 2.0]), (18, "max", [9.0, 2.0])]
    {
        let inputs = vec![counted(&[2]), integers(&[0, 0]), floats(&[2], &[9.0, 1.5])];
        let scatter = Try::new(opset, "ScatterElements", inputs, attributes().with("reduction", reduction));
        assert_eq!(scatter.floats().unwrap(), expected, "{opset}");
    }
    let unknown = attributes().with("reduction", "mean");
    let inputs = vec![counted(&[2]), integers(&[0]), floats(&[1], &[9.0])];
    let text = Try::new(17, "ScatterElements", inputs, unknown).floats().unwrap_err().to_string();
    assert_eq!(text, "ScatterElements: there is no reduction mean in opset 17");
}

/// A number of a range may be an array of one.
#[test]
fn ranges_of_arrays_of_one_number() {
    let one = |n: i64| integers(&[n]);
    let range = Try::new(17, "Range", vec![one(1), Tensor::scalar(7i64).unwrap(), one(2)], attributes());
    assert_eq!(range.floats().unwrap(), [1.0, 3.0, 5.0]);
}
