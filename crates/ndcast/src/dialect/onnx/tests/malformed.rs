//! What is wrong with a node is said with its numbers.

use super::super::{Attributes, Builder, OPERATORS};
use super::{Given, Try, floats, integers};
use crate::dtype::DType;
use crate::graph::Graph;
use crate::tensor::Tensor;

#[test]
fn what_cannot_be_is_refused() {
    let x = || floats(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let none = Attributes::new;
    let scalar = |n: i64| Tensor::scalar(n).unwrap();
    let mut wrong = Vec::new();
    for (op, inputs, attributes, message) in [
        ("Conv", vec![x()], none(), "there is no operator Conv here"),
        ("", vec![x()], none(), "there is no operator  here"),
        ("Add", vec![x()], none(), "Add: it takes 2 arguments, and 1 are given"),
        ("Exp", vec![x(), x()], none(), "Exp: it takes 1 argument, and 2 are given"),
        ("Exp", vec![x()], none().with("alpha", 1f32), "Exp: it has no attribute alpha in opset 21"),
        (
            "Elu",
            vec![x()],
            none().with("alpha", 1),
            "Elu: its attribute alpha is a number, and an integer is given",
        ),
        ("Add", vec![x(), floats(&[2], &[1.0, 2.0])], none(), "2x3 and 2 do not broadcast"),
        ("And", vec![x(), x()], none(), "And: it takes no elements of type f32; convert them to one of bool"),
        ("PRelu", vec![floats(&[3], &[1.0; 3]), x()], none(), "PRelu: onnx.unidirectional: "),
        ("Mod", vec![x(), x()], none(), "Mod: of floats fmod must be 1 before opset 28"),
        (
            "BitShift",
            vec![integers(&[1]), integers(&[1])],
            none(),
            "BitShift: its direction is LEFT or RIGHT",
        ),
        (
            "TopK",
            vec![x(), integers(&[4])],
            none(),
            "TopK: 4 elements are wanted along axis 1, which has extent 3",
        ),
        ("TopK", vec![x(), integers(&[-1])], none(), "TopK: -1 elements are wanted"),
        ("TopK", vec![x(), integers(&[1, 2])], none(), "TopK: how many are wanted is one number"),
        (
            "TopK",
            vec![x(), integers(&[1])],
            none().with("axis", 2),
            "TopK: there is no axis 2: the rank is 2",
        ),
        ("TopK", vec![x()], none().with("k", 1), "TopK: its input 1 is missing"),
        (
            "TopK",
            vec![Tensor::new(&[2], &[true, false]).unwrap(), integers(&[1])],
            none(),
            "TopK: it takes no elements of type bool",
        ),
        ("Softmax", vec![x()], none().with("axis", 2), "Softmax: there is no axis 2: the rank is 2"),
        ("ReduceSum", vec![x(), integers(&[0, -2])], none(), "ReduceSum: axis 0 is named twice"),
        ("ReduceSum", vec![x(), integers(&[-3])], none(), "ReduceSum: there is no axis -3: the rank is 2"),
        (
            "Reshape",
            vec![x(), integers(&[4, 2])],
            none(),
            "Reshape: the elements of 2x3 do not fill the shape [4, 2]",
        ),
        ("Reshape", vec![x(), integers(&[-1, -1])], none(), "Reshape: "),
        ("Reshape", vec![x(), integers(&[2, 3, 0])], none(), "Reshape: an extent of 0 is the input's own"),
        (
            "Reshape",
            vec![x(), integers(&[0, -1])],
            none().with("allowzero", 1),
            "Reshape: with allowzero a shape has not both 0 and -1",
        ),
        ("Squeeze", vec![x(), integers(&[0])], none(), "Squeeze: axis 0 has extent 2, and only one of 1"),
        ("Unsqueeze", vec![x(), integers(&[0, 0])], none(), "Unsqueeze: axis 0 is named twice"),
        (
            "Transpose",
            vec![x()],
            none().with("perm", [0, 0]),
            "Transpose: the order must name each of 2 axes once",
        ),
        ("Expand", vec![x(), integers(&[4])], none(), "Expand: onnx.expand: "),
        ("Expand", vec![x(), integers(&[-1])], none(), "negative"),
        (
            "Concat",
            vec![x(), floats(&[3], &[1.0; 3])],
            none().with("axis", 0),
            "Concat: the shapes must be equal",
        ),
        ("Concat", vec![x()], none(), "Concat: its axis is missing"),
        (
            "Split",
            vec![x(), integers(&[1, 1])],
            none().with("axis", 1),
            "Split: the parts [1, 1] are 2 together",
        ),
        ("Split", vec![x(), integers(&[-1, 4])], none().with("axis", 1), "Split: the parts have extents"),
        (
            "Slice",
            vec![x(), integers(&[0]), integers(&[1]), integers(&[0]), integers(&[0])],
            none(),
            "Slice: a step is 0",
        ),
        (
            "Slice",
            vec![x(), integers(&[0, 0, 0]), integers(&[1, 1, 1])],
            none(),
            "Slice: 3 starts are given for 2 axes",
        ),
        ("Gather", vec![x(), x()], none(), "Gather: the numbers of the rows are integers"),
        ("Gather", vec![x(), scalar(2)], none(), "there is no"),
        ("GatherND", vec![x(), integers(&[5, 0])], none(), "there is no"),
        ("Tile", vec![x(), integers(&[2])], none(), "Tile: it takes one count for each of 2 axes"),
        (
            "Pad",
            vec![x(), integers(&[1, 1])],
            none(),
            "Pad: it takes 4 pads, two for an axis, and 2 are given",
        ),
        ("Pad", vec![x(), integers(&[0, 0, 0, 0])], none().with("mode", "round"), ""),
        (
            "Pad",
            vec![x(), integers(&[1, 0, 0, 0])],
            none().with("mode", "round"),
            "Pad: there is no mode round",
        ),
        (
            "Pad",
            vec![x(), integers(&[-3, 0, 0, 0])],
            none(),
            "Pad: 3 before and 0 behind are taken off axis 0, which has extent 2",
        ),
        ("Pad", vec![x(), integers(&[i64::MAX, 0, 0, 0])], none(), ""),
        ("Pad", vec![x(), integers(&[i64::MIN, 0, 0, 0])], none().with("mode", "wrap"), ""),
        ("Cast", vec![x()], none().with("to", 99), "Cast: there is no element type of ONNX's number 99"),
        ("Cast", vec![x()], none().with("to", 18), "(float8e4m3fnuz)"),
        ("Cast", vec![x()], none(), "Cast: its attribute to is missing"),
        ("MatMul", vec![x(), x()], none(), "MatMul: the last axis of the left must be as long"),
        ("Gemm", vec![x(), x()], none(), "Gemm: the last axis of the left must be as long"),
        (
            "Einsum",
            vec![x()],
            none().with("equation", "ij,jk->ik"),
            "Einsum: the equation \"ij,jk->ik\" has 2 operands, and 1 are given",
        ),
        ("Einsum", vec![x()], none().with("equation", "ijk->i"), "there are 3 letters, and the rank is 2"),
        ("Einsum", vec![x()], none().with("equation", "ij->z"), "a letter of the result that no operand has"),
        ("Einsum", vec![x()], none().with("equation", "ij->ii"), "a letter of the result twice"),
        (
            "Einsum",
            vec![x()],
            none().with("equation", "ii->i"),
            "an axis called i has extent 2, and another 3",
        ),
        ("Einsum", vec![x()], none().with("equation", "i1->i"), "'1' is no letter"),
        ("Einsum", vec![x()], none().with("equation", "i.->.i"), "\"i.\" there is a dot that is no ellipsis"),
        ("Einsum", vec![x()], none().with("equation", "i...->..i"), "\"..i\" there is a dot"),
        ("Einsum", vec![x()], none().with("equation", "i....->i"), "\"i....\" there is a dot"),
        ("Constant", vec![], none(), "Constant: it has no value that is a tensor or numbers"),
        ("Constant", vec![], none().with("value_int", 1).with("value_float", 1f32), "several are given"),
        ("EyeLike", vec![integers(&[1])], none(), "EyeLike: it takes a matrix, and its input has rank 1"),
        ("ConstantOfShape", vec![integers(&[-1])], none(), "negative"),
        ("ConstantOfShape", vec![integers(&[1 << 40, 1 << 40])], none(), ""),
        ("Range", vec![scalar(0), scalar(1), scalar(0)], none(), "there is no range"),
        (
            "Range",
            vec![scalar(i64::MIN), scalar(6), scalar(1)],
            none(),
            "its axis 0 has extent 9223372036854775814, and can have 9223372036854775807 at most",
        ),
        ("Trilu", vec![integers(&[1])], none(), "Trilu: it takes matrices, and its input has rank 1"),
        (
            "Dropout",
            vec![x(), Tensor::scalar(0.5f32).unwrap(), Tensor::scalar(true).unwrap()],
            none(),
            "does not train",
        ),
        ("DepthToSpace", vec![x()], none().with("blocksize", 2), "DepthToSpace: it takes an input of rank 4"),
        (
            "DepthToSpace",
            vec![floats(&[1, 6, 1, 1], &[0.0; 6])],
            none().with("blocksize", 2),
            "DepthToSpace: the extent 6 of axis 1 is no multiple of 4",
        ),
        (
            "SpaceToDepth",
            vec![floats(&[1, 1, 2, 3], &[0.0; 6])],
            none().with("blocksize", 2),
            "SpaceToDepth: the extent 3 of axis 3 is no multiple of 2",
        ),
    ] {
        let node = Try::new(21, op, inputs, attributes);
        // What says nothing wrong must still end well, one way or the other.
        match (node.run(Given::Constant), message) {
            (_, "") => {}
            (Ok(_), _) => wrong.push(format!("{op}: is taken, not {message}")),
            (Err(error), _) if error.to_string().contains(message) => {}
            (Err(error), _) => wrong.push(format!("{error}\n  not {message}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_bound_of_more_elements_than_a_number_holds() {
    for extents in [[1 << 32, 1 << 32, 2], [1 << 32, 1 << 32, 0], [1 << 62, 4, 1]] {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "2".parse().unwrap()).unwrap();
        let bound = graph.input("min", DType::F32, extents[..].into()).unwrap();
        let clip = Builder::new(&mut graph, 21).unwrap().node(
            "Clip",
            &[Some(x), Some(bound)],
            &Attributes::new(),
            1,
        );
        let text = clip.unwrap_err().to_string();
        assert!(text.contains("Clip: its bounds are numbers, and one has shape "), "{text}");
    }
}

#[test]
fn opsets_and_outputs() {
    let mut graph = Graph::new();
    let newest = super::super::NEWEST;
    for opset in [0, newest + 1] {
        let error = Builder::new(&mut graph, opset).err().map(|error| error.to_string());
        assert_eq!(error.unwrap_or_default(), format!("opset {opset} is not known; 1 to {newest} are"));
    }
    let x = graph.input("x", DType::F32, "2".parse().unwrap()).unwrap();
    let mut other = Graph::new();
    let foreign = other.input("x", DType::F32, "2".parse().unwrap()).unwrap();
    let mut builder = Builder::new(&mut graph, 13).unwrap();
    let none = Attributes::new();
    for (made, message) in [
        (builder.node("Exp", &[Some(foreign)], &none, 1), "the node is of another graph"),
        (builder.node("Exp", &[Some(x)], &none, 2), "Exp: it has 1 outputs here, and 2 are wanted"),
        (builder.node("Add", &[Some(x), None], &none, 1), "Add: its input 1 is missing"),
    ] {
        assert_eq!(made.unwrap_err().to_string(), message);
    }
}

/// Every operator with nothing, with too much, and with inputs of odd ranks and types: an answer or an error, never a
/// panic.
#[test]
fn nothing_panics() {
    let odd = [
        Tensor::scalar(0i64).unwrap(),
        Tensor::scalar(true).unwrap(),
        integers(&[]),
        integers(&[-1, 2, 7]),
        floats(&[0, 2], &[]),
        floats(&[2, 0, 3], &[]),
        floats(&[1, 2, 1, 2], &[1.0, -1.0, 0.5, 2.0]),
        Tensor::new(&[2, 2], &[1u8, 2, 3, 4]).unwrap(),
        Tensor::zeros(&[2], DType::F8E4M3).unwrap(),
    ];
    let names = OPERATORS.iter().map(|operator| operator.name);
    let elementwise = ["Add", "Where", "Elu", "Not", "Gelu", "ReduceSum", "ReduceMax"];
    for op in names.chain(elementwise) {
        for opset in [1, 6, 7, 11, 13, 18, 21, 28] {
            for count in 0..6 {
                for first in 0..odd.len() {
                    let inputs =
                        (0..count).map(|n| odd[(first + n * (first % 3)) % odd.len()].clone()).collect();
                    let node = Try { outputs: 2, ..Try::new(opset, op, inputs, Attributes::new()) };
                    let _ = node.run(Given::Known);
                    let node = Try { outputs: 1, ..node };
                    let _ = node.run(Given::Unknown);
                }
            }
        }
    }
}

#[test]
fn what_attention_and_sequences_do_not_take_is_refused() {
    let of = |shape: &[usize]| floats(shape, &vec![1.0; shape.iter().product()]);
    let none = Attributes::new;
    let heads = |own: i64, theirs: i64| none().with("q_num_heads", own).with("kv_num_heads", theirs);
    let three = |shape: &[usize]| vec![of(shape), of(shape), of(shape)];
    let truths = |count: usize| Tensor::new(&[count], &vec![true; count]).unwrap();
    let mut wrong = Vec::new();
    for (op, inputs, attributes, message) in [
        ("Attention", three(&[2, 3]), none(), "Attention: queries, keys and values all have 3 axes, or all"),
        ("Attention", three(&[2, 3, 4]), none(), "Attention: of 3 axes q_num_heads and kv_num_heads must be"),
        ("Attention", three(&[2, 3, 4]), heads(3, 3), "Attention: 4 elements along axis 2 are no 3 heads"),
        ("Attention", three(&[2, 3, 4]), heads(0, 1), "Attention: there are 0 heads"),
        (
            "Attention",
            three(&[2, 3, 12]),
            heads(3, 2),
            "Attention: 3 heads of queries do not share 2 of keys",
        ),
        ("Attention", three(&[1, 2, 3, 4]), heads(2, 2), "are for inputs of 3 axes"),
        (
            "Attention",
            [three(&[1, 2, 3, 4]), vec![of(&[3, 3]), of(&[1, 2, 1, 4])]].concat(),
            none(),
            "Attention: of past_key and past_value one is given without the other",
        ),
        (
            "Attention",
            three(&[1, 2, 3, 4]),
            none().with("qk_matmul_output_mode", 4),
            "its qk_matmul_output_mode is 0 to 3, not 4",
        ),
        (
            "Attention",
            three(&[1, 2, 3, 4]),
            none().with("left_window_size", -2),
            "Attention: its left_window_size is -2",
        ),
        (
            "RotaryEmbedding",
            vec![of(&[1, 2, 3, 5]), of(&[1, 3, 2]), of(&[1, 3, 2])],
            none(),
            "RotaryEmbedding: 5 of 5 elements of a head are turned in pairs",
        ),
        (
            "RotaryEmbedding",
            vec![of(&[1, 2, 3, 6]), of(&[1, 3, 2]), of(&[1, 3, 2])],
            none(),
            "there are 3 angles for each place of each sequence, and those given are 1x3x2",
        ),
        ("RotaryEmbedding", vec![of(&[1, 3, 4]), of(&[3, 2]), of(&[3, 2])], none(), "there are 0 heads"),
        (
            "ReverseSequence",
            vec![of(&[2, 3]), integers(&[1, 2, 3])],
            none(),
            "ReverseSequence: a length is 3, and axis 0 has extent 2",
        ),
        (
            "ReverseSequence",
            vec![of(&[2, 3]), integers(&[1, 1, 1])],
            none().with("batch_axis", 0),
            "ReverseSequence: axis 0 is that of the batch and that of the sequences",
        ),
        (
            "Compress",
            vec![of(&[2, 3]), truths(4)],
            none().with("axis", 1),
            "there is no row 3: axis 1 has extent 3",
        ),
        ("Compress", vec![of(&[2, 3]), of(&[3])], none(), "and this is f32 of rank 1"),
        (
            "TensorScatter",
            vec![of(&[2, 3]), of(&[2, 2]), integers(&[0, 2])],
            none().with("axis", 1),
            "there is no row 3: axis 1 has extent 3",
        ),
        ("TensorScatter", vec![of(&[2, 3]), of(&[2, 2])], none(), "its axis is 0, which is the batch"),
        ("TensorScatter", vec![of(&[2, 3, 1]), of(&[2, 2])], none(), "has rank 3, and what is put into it 2"),
        (
            "Attention",
            [three(&[1, 2, 3, 4]), vec![of(&[1, 1, 1, 1, 3])]].concat(),
            none(),
            "Attention: a mask has at most 4 axes, and the rank is 5",
        ),
        ("LRN", vec![of(&[2, 3, 4])], none(), "LRN: its size is missing or not positive"),
        ("LRN", vec![of(&[2, 9000, 1])], none().with("size", 8000), "a sum over 7999 neighbours is too long"),
        (
            "NegativeLogLikelihoodLoss",
            vec![of(&[2, 3]), of(&[2, 1])],
            none(),
            "the ranks of the scores and of the labels are 2 and 2",
        ),
        ("BitCast", vec![of(&[2, 3])], none().with("to", 7), "BitCast: f32 has 32 bits, and i64 has 64"),
        (
            "ScatterND",
            vec![of(&[3, 4]), Tensor::new(&[2, 1], &[0i64, 1]).unwrap(), of(&[4, 2])],
            none(),
            "ScatterND: the updates are 4x2, and the rows that are spoken of 2x4",
        ),
    ] {
        let text = match Try::new(26, op, inputs, attributes).run(Given::Known) {
            Ok(found) => format!("{found:?}"),
            Err(error) => error.to_string(),
        };
        if !text.contains(message) {
            wrong.push(format!("{op}: {text}, not {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_number_that_is_not_there_is_named_with_its_axis() {
    let rows = || floats(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let pairs = Tensor::new(&[2, 2], &[1i64, 2, -1, 3]).unwrap();
    let batches = Tensor::new(&[2, 1], &[0i64, -4]).unwrap();
    for (inputs, attributes, message) in [
        (vec![rows(), pairs], Attributes::new(), "there is no row 3: axis 1 has extent 3"),
        (
            vec![rows(), batches],
            Attributes::new().with("batch_dims", 1),
            "there is no row -4: axis 1 has extent 3",
        ),
    ] {
        let text = Try::new(21, "GatherND", inputs, attributes).run(Given::Known).unwrap_err().to_string();
        assert!(text.contains(message), "{text}");
    }
}

/// A shape that is computed copies the extents of axes that the input has, and of no others.
#[test]
fn a_zero_of_a_computed_shape_is_the_extent_of_an_axis() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "?x?".parse().unwrap()).unwrap();
    let shape = graph.input("shape", DType::I64, "3".parse().unwrap()).unwrap();
    let mut builder = Builder::new(&mut graph, 21).unwrap();
    let made = builder.node("Reshape", &[Some(x), Some(shape)], &Attributes::new(), 1).unwrap();
    graph.output("y", made[0]).unwrap();
    let x = floats(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    for (shape, expected) in [([0, 0, 1], [2, 3, 1]), ([0, 1, -1], [2, 1, 3]), ([1, 2, -1], [1, 2, 3])] {
        assert_eq!(graph.run(&[x.clone(), integers(&shape)]).unwrap()[0].shape(), expected);
    }
    for shape in [[2, 3, 0], [0, -1, 0]] {
        let text = graph.run(&[x.clone(), integers(&shape)]).unwrap_err().to_string();
        assert!(text.contains("-2"), "{text}");
    }
}

/// Parts of an extent that comes when the graph runs.
#[test]
fn parts_that_are_not_the_whole() {
    let split = || Attributes::new().with("axis", 1);
    let x = || floats(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    for (opset, attributes, fits) in [
        (11, split().with("split", [1, 2]), true),
        (11, split().with("split", [1, 1]), false),
        (11, split().with("split", [2, 2]), false),
        (11, split(), false),
        (18, split().with("num_outputs", 2), true),
    ] {
        let node = Try { outputs: 2, ..Try::new(opset, "Split", vec![x()], attributes.clone()) };
        for given in [Given::Known, Given::Unknown] {
            let made = node.run(given);
            let shapes = made.as_ref().map(|made| made.iter().map(Tensor::elements).sum::<usize>());
            assert_eq!(shapes.ok(), fits.then_some(6), "{opset} {attributes:?}: {made:?}");
        }
    }
}
