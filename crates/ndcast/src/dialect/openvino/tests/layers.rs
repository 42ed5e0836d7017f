//! Every other layer: shapes known and unknown, values of small examples, and what each check refuses.

use super::*;

#[test]
fn shapes() {
    let rows: &[Row<'_>] = &[
        ("ShapeOf", 1, &["2x?"], &[], "2"),
        ("Reshape", 1, &["2x3x4", "[6,-1]"], &[("special_zero", "false")], "6x4"),
        ("Reshape", 1, &["2x3x4", "[0,-1]"], &[("special_zero", "true")], "2x12"),
        ("Reshape", 1, &["2x?x4", "[0,0,2,2]"], &[("special_zero", "true")], "2x?x2x2"),
        ("Reshape", 1, &["?x?x4", "[0,0,2,2]"], &[("special_zero", "true")], "?x?x2x2"),
        ("Reshape", 1, &["2x3x4", "i64:2"], &[("special_zero", "true")], "?x?"),
        ("Reshape", 1, &["2x3x4", "i64:?"], &[("special_zero", "true")], "..."),
        ("Reshape", 1, &["0x3", "[0,5]"], &[("special_zero", "false")], "0x5"),
        ("Reshape", 1, &["2x3", "[4,-1]"], &[], "! the elements of 2x3 do not fill the shape [4, -1]"),
        ("Reshape", 1, &["2x3", "[1,2,0]"], &[("special_zero", "1")], "! the rank of the data is 2"),
        ("Reshape", 1, &["2x3", "f32:2"], &[], "! output_shape is of integers"),
        ("Transpose", 1, &["2x3x4", "[2,0,1]"], &[], "4x2x3"),
        ("Transpose", 1, &["2x3x4", "[]"], &[], "4x3x2"),
        ("Transpose", 1, &["2x3x4", "[0,0,1]"], &[], "! once"),
        ("Transpose", 1, &["2x3x4", "i64:3"], &[], "! input_order must be known"),
        ("Squeeze", 1, &["1x3x1", "[0,-1]"], &[], "3"),
        ("Squeeze", 1, &["1x3x1"], &[], "3"),
        ("Squeeze", 1, &["1x3x1", "[]"], &[], "3"),
        ("Squeeze", 1, &["2x3x1", "[0]"], &[], "2x3x1"),
        ("Squeeze", 1, &["?x3x1", "[0]"], &[], "3x1"),
        ("Squeeze", 1, &["?x3x1", "[2]"], &[], "?x3"),
        ("Squeeze", 1, &["?x3x1", "[3]"], &[], "! there is no axis 3: the rank is 3"),
        ("Unsqueeze", 1, &["3", "[0,2]"], &[], "1x3x1"),
        ("Unsqueeze", 1, &["3", "[0,0]"], &[], "! axis 0 is named twice"),
        ("MatMul", 1, &["2x3x4", "5x4"], &[("transpose_b", "true")], "2x3x5"),
        ("MatMul", 1, &["4", "4x5"], &[("transpose_a", "true")], "5"),
        ("MatMul", 1, &["2x3", "2x3"], &[], "! 2x3"),
        ("Range", 4, &["[0]", "[5]", "[1]"], &[("output_type", "f32")], "! scalars"),
        ("Range", 4, &["i64:scalar", "i64:scalar", "i64:scalar"], &[("output_type", "f32")], "?"),
        ("Range", 4, &["scalar", "scalar", "scalar"], &[], "! the attribute output_type is missing"),
        ("Concat", 1, &["2x3", "2x?"], &[("axis", "-1")], "2x3.."),
        ("Concat", 1, &["2x3", "3x3"], &[("axis", "1")], "! besides on axis 1"),
        ("Concat", 1, &["2x3"], &[], "! the attribute axis is missing"),
        ("Split", 1, &["6x4", "i32[1,0]"], &[("num_splits", "2")], "! axis is one integer"),
        ("Split", 1, &["6x4", "[-1]"], &[("num_splits", "2")], "6x2 6x2"),
        ("Split", 1, &["6x5", "[1]"], &[("num_splits", "2")], "! 2 equal parts do not make up"),
        ("Split", 1, &["6x?", "[1]"], &[("num_splits", "2")], "6x? 6x?"),
        ("Split", 1, &["6x5", "[1]"], &[("num_splits", "0")], "! num_splits is 0"),
        ("VariadicSplit", 1, &["6x5", "[0]", "[1,-1,2]"], &[], "1x5 3x5 2x5"),
        ("VariadicSplit", 1, &["6x5", "[0]", "[1,2]"], &[], "! axis 0 has extent 6"),
        ("VariadicSplit", 1, &["6x5", "[0]", "[-1,-1]"], &[], "! one of them may be -1"),
        ("VariadicSplit", 1, &["?x5", "[0]", "[1,2]"], &[], "1x5 2x5"),
        ("VariadicSplit", 1, &["?xN", "[0]", "[1,-1,2]"], &[], "1xN ?xN 2xN"),
        ("Reverse", 1, &["2x3", "f32[1]"], &[("mode", "index")], "! axes is of integers, and this is of f32"),
        ("StridedSlice", 1, &["4x5", "[1,0]", "[3,0]", "[1,2]"], &[("end_mask", "0,1")], "2x3"),
        (
            "StridedSlice",
            1,
            &["4x5", "[1,0]", "[3,0]", "[1,1]"],
            &[("shrink_axis_mask", "1"), ("end_mask", "0,1")],
            "5",
        ),
        ("StridedSlice", 1, &["4x5x6", "[0,1]", "[0,3]"], &[("ellipsis_mask", "1,0")], "4x5x2"),
        ("StridedSlice", 1, &["4x5", "[0,1]", "[0,3]"], &[("new_axis_mask", "1,0")], "1x2x5"),
        (
            "StridedSlice",
            1,
            &["4x5", "i64:2", "[3,0]"],
            &[("shrink_axis_mask", "1"), ("end_mask", "0,1")],
            "..5",
        ),
        ("StridedSlice", 1, &["4", "[0,0]", "[1,1]"], &[], "! 2 axes are sliced, and the rank is 1"),
        ("StridedSlice", 1, &["4", "[0]", "[1]", "[0]"], &[], "! a stride is 0"),
        ("StridedSlice", 1, &["4", "[0]", "[1,2]"], &[], "! there are 1 begins, and 2 of end"),
        ("StridedSlice", 1, &["4", "[0]", "[1]"], &[("begin_mask", "2")], "! begin_mask has 2"),
        ("Slice", 8, &["10x5", "[1]", "[9]", "[3]"], &[], "3x5"),
        ("Slice", 8, &["10x5", "[-1]", "[-100]", "[-1]", "[0]"], &[], "10x5"),
        ("Slice", 8, &["10x5", "[0]", "[2]", "[1]", "[-1]"], &[], "10x2"),
        ("Slice", 8, &["10x5", "[0,0]", "[2,2]", "[1,1]", "[0,-2]"], &[], "! axis 0 is named twice"),
        ("Slice", 8, &["10x5", "[0]", "[2]", "[0]", "[1]"], &[], "! a step is 0"),
        ("Reverse", 1, &["2x3", "[1]"], &[("mode", "index")], "2x3"),
        ("Gather", 1, &["4x5", "i32:2x3", "[1]"], &[], "4x2x3"),
        ("Gather", 7, &["2x5x3", "i32:2x4", "[1]"], &[("batch_dims", "1")], "2x4x3"),
        ("Gather", 8, &["2x5x3", "i32:2x4", "[-2]"], &[("batch_dims", "-1")], "2x4x3"),
        (
            "Gather",
            8,
            &["2x5x3", "i32:3x4", "[1]"],
            &[("batch_dims", "1")],
            "! must be equal and before axis 1",
        ),
        ("Gather", 8, &["2x5", "2", "[1]"], &[], "! the numbers of the rows are integers, not f32"),
        ("GatherElements", 6, &["2x5", "i64:2x7"], &[("axis", "1")], "2x7"),
        ("OneHot", 1, &["i64:2x3", "[4]", "scalar", "scalar"], &[("axis", "-1")], "2x3x4"),
        ("OneHot", 1, &["i64:2x3", "[4]", "scalar", "scalar"], &[("axis", "0")], "4x2x3"),
        ("ScatterElementsUpdate", 3, &["3x4", "i64:2x4", "2x4", "[0]"], &[], "3x4"),
        ("Pad", 1, &["2x3", "[1,0]", "[0,2]"], &[("pad_mode", "constant")], "3x5"),
        (
            "Pad",
            1,
            &["2x3", "[-1,0]", "[0,2]"],
            &[("pad_mode", "constant")],
            "! negative ones there are since opset12",
        ),
        ("Pad", 12, &["2x3", "[-1,0]", "[0,2]"], &[("pad_mode", "constant")], "1x5"),
        ("Pad", 12, &["2x3", "i64:2", "[0,2]"], &[("pad_mode", "constant")], "?x?"),
        ("Pad", 12, &["2x3", "[0,1]", "i32:2"], &[("pad_mode", "constant")], "?x?"),
        ("Pad", 12, &["2x3", "i64:3", "[0,2]"], &[], "! it takes 2 pads on each side, and 3 are given"),
        ("Pad", 12, &["2x3", "i64:2", "[0,2]"], &[("pad_mode", "edge")], "! pads_begin must be known"),
        ("Pad", 1, &["2x3", "[2,0]", "[0,0]"], &[("pad_mode", "reflect")], "! axis 0 has extent 2"),
        ("Pad", 1, &["?x3", "[2,1]", "[0,0]"], &[("pad_mode", "reflect")], "2..x4"),
        (
            "Pad",
            1,
            &["2x3", "[2]", "[0,0]"],
            &[("pad_mode", "edge")],
            "! pads_begin has 1 numbers, and the rank is 2",
        ),
        ("Tile", 1, &["2x3", "[2,1,2]"], &[], "2x2x6"),
        ("Tile", 1, &["2x3", "[2]"], &[], "2x6"),
        ("Tile", 1, &["?x3", "[2,2]"], &[], "?x6"),
        ("Tile", 1, &["2x3", "[-2]"], &[], "! there is a repeat of -2"),
        ("CumSum", 3, &["2x3", "[1]"], &[], "2x3"),
        ("Softmax", 8, &["2x?"], &[("axis", "-1")], "2x?"),
        ("Softmax", 1, &["2x3"], &[("axis", "-1")], "! may be negative since opset8"),
        ("LogSoftmax", 4, &["2x3"], &[], "! there is no layer LogSoftmax in opset4"),
        ("MVN", 6, &["2x3x4", "[1,2]"], &[("eps", "1e-5"), ("eps_mode", "inside_sqrt")], "2x3x4"),
        ("MVN", 2, &["2x3x4x5"], &[("across_channels", "true")], "2x3x4x5"),
        ("NormalizeL2", 1, &["2x3", "[1]"], &[("eps", "1e-5")], "2x3"),
        ("NormalizeL2", 1, &["2x3", "[1]"], &[], "! the attribute eps is missing"),
        ("FakeQuantize", 1, &["1x3x4", "scalar", "scalar", "3x1", "3x1"], &[("levels", "256")], "1x3x4"),
        ("FakeQuantize", 1, &["4", "1", "1", "1", "1"], &[("levels", "1")], "! there is one level"),
        ("ReduceSum", 1, &["2x3x4", "[-1,0]"], &[("keep_dims", "true")], "1x3x1"),
        ("ReduceSum", 1, &["2x3x4", "[-1,0]"], &[], "3"),
        ("ReduceMax", 1, &["2x?x4", "[1]"], &[], "2x4"),
        ("ReduceMean", 1, &["2x3x4", "[1,1]"], &[], "! axis 1 is named twice"),
        ("ReduceLogicalAnd", 1, &["2x3", "[1]"], &[], "! bool"),
        ("ReduceSum", 1, &["2x3x4", "i64:2"], &[], "! axes must be known when the model is read"),
        ("Einsum", 7, &["2x3", "3x4"], &[("equation", "ab,bc->ac")], "2x4"),
        ("Einsum", 7, &["2x3x3"], &[("equation", "abb->ab")], "2x3"),
        ("Einsum", 7, &["5x2x3", "5x3x4"], &[("equation", "...ab,...bc->...ac")], "5x2x4"),
        (
            "Einsum",
            7,
            &["2x3", "4x4"],
            &[("equation", "ab,bc->ac")],
            "! an axis called b has extent 3, and another 4",
        ),
        ("Einsum", 7, &["2x3"], &[("equation", "ab->ac")], "! a letter of the result that no operand has"),
        ("Einsum", 7, &["2x3"], &[("equation", "a+->a")], "! is no letter"),
        ("Einsum", 7, &["2x3"], &[("equation", "ab,b->a")], "! has 2 operands, and 1 are given"),
        ("Convert", 1, &["2"], &[("destination_type", "FP32")], "! there is no element type \"FP32\""),
        ("PRelu", 1, &["2x3x4", "3"], &[], "2x3x4"),
    ];
    have_shapes(rows);
}

#[test]
fn small_examples() {
    let rows: &[Row<'_, &[f32]>] = &[
        ("Reverse", 1, &["2x3", "[1]"], &[("mode", "index")], &[3., 2., 1., 6., 5., 4.]),
        ("Reverse", 1, &["2x2", "boolean[1,0]"], &[("mode", "mask")], &[3., 4., 1., 2.]),
        ("Split", 1, &["4", "[0]"], &[("num_splits", "2")], &[1., 2., 3., 4.]),
        ("VariadicSplit", 1, &["5", "[0]", "[1,-1,0,2]"], &[], &[1., 2., 3., 4., 5.]),
        ("Gather", 8, &["3x2", "[-1,0]", "[0]"], &[], &[5., 6., 1., 2.]),
        ("GatherElements", 6, &["3", "[2,-3]"], &[("axis", "0")], &[3., 1.]),
        ("OneHot", 1, &["[0,2]", "[3]", "scalar", "scalar"], &[("axis", "-1")], &[1., 1., 1., 1., 1., 1.]),
        (
            "OneHot",
            16,
            &["[-3,1]", "[3]", "f32[5]", "f32[0]"],
            &[("axis", "-1"), ("negative_indices_mode", "normalize")],
            &[5., 0., 0., 0., 5., 0.],
        ),
        (
            "OneHot",
            16,
            &["[-3,1]", "[3]", "f32[5]", "f32[0]"],
            &[("axis", "-1"), ("negative_indices_mode", "ignore_negative")],
            &[0., 0., 0., 0., 5., 0.],
        ),
        // Older sets have no such attribute.
        (
            "OneHot",
            15,
            &["[-3,1]", "[3]", "f32[5]", "f32[0]"],
            &[("axis", "-1"), ("negative_indices_mode", "normalize")],
            &[0., 0., 0., 0., 5., 0.],
        ),
        ("ScatterElementsUpdate", 12, &["3", "[1,1]", "2", "[0]"], &[("reduction", "sum")], &[1., 5., 3.]),
        (
            "ScatterElementsUpdate",
            12,
            &["3", "[1,1]", "2", "[0]"],
            &[("reduction", "mean")],
            &[1., 5. / 3., 3.],
        ),
        (
            "ScatterElementsUpdate",
            12,
            &["3", "[1,1]", "2", "[0]"],
            &[("reduction", "max"), ("use_init_val", "false")],
            &[1., 2., 3.],
        ),
        ("Pad", 1, &["3", "[2]", "[2]"], &[("pad_mode", "reflect")], &[3., 2., 1., 2., 3., 2., 1.]),
        ("Pad", 1, &["3", "[2]", "[2]"], &[("pad_mode", "symmetric")], &[2., 1., 1., 2., 3., 3., 2.]),
        ("Pad", 1, &["3", "[2]", "[1]"], &[("pad_mode", "edge")], &[1., 1., 1., 2., 3., 3.]),
        ("Pad", 12, &["3", "[-1]", "[1]"], &[("pad_mode", "constant")], &[2., 3., 0.]),
        ("Pad", 12, &["3", "[-1]", "[1]"], &[("pad_mode", "reflect")], &[2., 3., 2.]),
        ("Tile", 1, &["2", "[2,2]"], &[], &[1., 2., 1., 2., 1., 2., 1., 2.]),
        ("CumSum", 3, &["3", "[0]"], &[("exclusive", "true"), ("reverse", "true")], &[5., 3., 0.]),
        ("ReduceMean", 1, &["i32[-5,2]", "[0]"], &[], &[-1.]),
        ("ReduceL2", 4, &["2", "[0]"], &[], &[2.236_068]),
        ("ReduceL2", 4, &["i32[3,-4,1]", "[0]"], &[], &[5.]),
        ("ReduceL1", 4, &["2", "[0]"], &[], &[3.]),
        ("Softmax", 8, &["2"], &[("axis", "0")], &[0.268_941_43, 0.731_058_6]),
        ("Einsum", 7, &["2x2", "2x2"], &[("equation", "ab,bc->ca")], &[7., 15., 10., 22.]),
        ("Einsum", 7, &["2x2", "2"], &[("equation", "ab,b")], &[5., 11.]),
        ("Einsum", 7, &["2x2"], &[("equation", "aa->a")], &[1., 4.]),
        ("Einsum", 7, &["2x2", "2x2", "2"], &[("equation", "ab,ab,a->b")], &[19., 36.]),
        ("Einsum", 7, &["2x1x2", "3x2"], &[("equation", "...a,...a->...")], &[5., 11., 17., 11., 25., 39.]),
        (
            "FakeQuantize",
            1,
            &["4", "f32[0]", "f32[4]", "f32[0]", "f32[8]"],
            &[("levels", "3")],
            &[0., 4., 8., 8.],
        ),
        (
            "StridedSlice",
            1,
            &["2x3", "[0,-1]", "[0,0]", "[1,-1]"],
            &[("begin_mask", "1,0"), ("end_mask", "1,1")],
            &[3., 2., 1., 6., 5., 4.],
        ),
        ("Squeeze", 1, &["1x2", "[0]"], &[], &[1., 2.]),
        ("Broadcast", 1, &["2", "[2,2]", "[0]"], &[("mode", "explicit")], &[1., 1., 2., 2.]),
    ];
    have_values(rows);
}

/// What is not known when a layer is built is computed when it runs, and is the same.
#[test]
fn unknown_extents_give_the_same() {
    let rows: &[Row<'_>] = &[
        ("Reshape", 1, &["2x3x4", "[0,-1]"], &[("special_zero", "true")], ""),
        ("Squeeze", 1, &["1x3x1", "[0]"], &[], ""),
        ("Split", 1, &["6x4", "[0]"], &[("num_splits", "3")], ""),
        ("VariadicSplit", 1, &["6x4", "[0]", "[1,-1,2]"], &[], ""),
        ("VariadicSplit", 1, &["6x4", "[0]", "[1,3,2]"], &[], ""),
        ("StridedSlice", 1, &["4x5", "[1,-1]", "[3,0]", "[1,-2]"], &[("end_mask", "0,1")], ""),
        ("Slice", 8, &["10x5", "[-1]", "[-100]", "[-1]", "[0]"], &[], ""),
        ("Pad", 1, &["2x3", "[1,0]", "[0,2]"], &[("pad_mode", "constant")], ""),
        ("Pad", 1, &["2x3", "[1,2]", "[0,1]"], &[("pad_mode", "reflect")], ""),
        ("Pad", 12, &["2x3", "[-1,2]", "[3,1]"], &[("pad_mode", "edge")], ""),
        ("Tile", 1, &["2x3", "[2,1,2]"], &[], ""),
        ("ReduceMean", 1, &["2x3x4", "[0,2]"], &[], ""),
        ("Softmax", 8, &["2x3"], &[("axis", "-1")], ""),
        ("MVN", 6, &["2x3x4", "[1,2]"], &[("eps", "1e-5")], ""),
        ("Einsum", 7, &["2x3", "3x4"], &[("equation", "ab,bc->ac")], ""),
        ("FakeQuantize", 1, &["1x3x4", "f32[0]", "f32[5]", "3x1", "3x1"], &[("levels", "16")], ""),
        ("OneHot", 1, &["i64:2x3", "[4]", "f32[1]", "f32[0]"], &[("axis", "1")], ""),
        ("Select", 1, &["boolean:3", "2x3", "2x1"], &[], ""),
    ];
    are_the_same_unknown(rows);
}

#[test]
fn what_turns_out_wrong_is_an_error_when_it_runs() {
    for (name, opset, inputs, attributes) in [
        ("Squeeze", 1, &["?x3", "[0]"][..], &[][..]),
        ("Split", 1, &["?x3", "[0]"], &[("num_splits", "2")]),
        ("VariadicSplit", 1, &["?x3", "[0]", "[1,1]"], &[]),
        ("VariadicSplit", 1, &["?x3", "[0]", "[4,-1,2]"], &[]),
        ("Einsum", 7, &["?x3", "2x4"], &[("equation", "ab,ac->bc")]),
    ] {
        let mut graph = Graph::new();
        let ids: Vec<Id> = inputs.iter().map(|text| input(&mut graph, text)).collect();
        let attributes = attributes.iter().copied().collect();
        for (place, id) in
            Builder::new(&mut graph).layer(name, opset, &ids, &attributes).unwrap().into_iter().enumerate()
        {
            graph.output(&place.to_string(), id).unwrap();
        }
        let given: Vec<Tensor> =
            [counted(&[5, 3]), counted(&[2, 4])].into_iter().take(graph.inputs().len()).collect();
        assert!(graph.run(&given).is_err(), "{name}");
    }
}

/// What goes backwards from before the first element begins at that one, whether the begins are constants, and whether the extent is
/// known.
#[test]
fn strided_slices_begin_inside() {
    for (begin, end, step, end_mask, expected) in [
        (-10, 0, -1, "1", &[1.0f32][..]),
        (-10, -100, -2, "0", &[1.0]),
        (-10, -2, -1, "0", &[]),
        (-3, 0, -1, "1", &[1.0]),
        (-2, 0, -1, "1", &[2.0, 1.0]),
        (10, -100, -1, "0", &[3.0, 2.0, 1.0]),
        (-10, 2, 1, "0", &[1.0, 2.0]),
    ] {
        for (shape, is_input) in [("3", false), ("3", true), ("?", false), ("?", true)] {
            let mut graph = Graph::new();
            let x = input(&mut graph, shape);
            let begins = if is_input { "i64:1".to_owned() } else { format!("[{begin}]") };
            let ids = [begins, format!("[{end}]"), format!("[{step}]")].map(|text| input(&mut graph, &text));
            let attributes = [("begin_mask", "0"), ("end_mask", end_mask)].into_iter().collect();
            let inputs = [&[x], &ids[..]].concat();
            let made = Builder::new(&mut graph).layer("StridedSlice", 1, &inputs, &attributes).unwrap();
            graph.output("y", made[0]).unwrap();
            let given = [counted(&[3]), Tensor::new(&[1], &[i64::from(begin)]).unwrap()];
            let made = graph.run(&given[..graph.inputs().len()]).unwrap();
            let found = made[0].to_vec::<f32>().unwrap();
            assert_eq!(found, expected, "{begin}:{end}:{step} of {shape}, {is_input}");
        }
    }
}
