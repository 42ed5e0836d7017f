//! Layers that find elements by their places, put them there, or bring them into another order, and those of channels.

use super::*;

const FIRST: &[(&str, &str)] = &[("mode", "blocks_first"), ("block_size", "2")];

#[test]
fn shapes() {
    let rows: &[Row<'_>] = &[
        ("GatherND", 8, &["2x3x4", "i64:5x2"], &[], "5x4"),
        ("GatherND", 8, &["2x3x4", "i64:2x3x1"], &[("batch_dims", "2")], "2x3"),
        ("GatherND", 5, &["2x3x4", "i64:2x3x1"], &[("batch_dims", "2")], "6"),
        ("GatherND", 5, &["?x3x4", "i64:?x3x1"], &[("batch_dims", "2")], "?"),
        ("GatherND", 8, &["2x3x4", "i64:5x4"], &[], "! its indices are tuples of 4, and there are 3 axes"),
        ("GatherND", 8, &["2x3x4", "i64:5x0"], &[], "! its indices are tuples of 0"),
        ("GatherND", 8, &["2x3", "i64:5x?"], &[], "! axis 1 of the indices must be known"),
        ("GatherND", 8, &["2x3", "i64:5x1"], &[("batch_dims", "2")], "! batch_dims is 2, and the ranks"),
        ("GatherND", 8, &["2x3x3", "i64:5x1"], &[("batch_dims", "1")], "! 2x3x3"),
        ("ScatterUpdate", 3, &["3x4", "i32:2x5", "2x5x4", "[0]"], &[], "3x4"),
        ("ScatterUpdate", 3, &["3x?", "i32:?", "3x?", "[-1]"], &[], "3x?"),
        ("ScatterUpdate", 3, &["3x4", "i32:2", "4x2", "[0]"], &[], "! the updates are 4x2, and must be 2x4"),
        ("ScatterUpdate", 3, &["3x4", "i32:2", "2", "[0]"], &[], "! the updates are 2, and must be 2x4"),
        ("ScatterUpdate", 3, &["3x4", "i32:2", "2x4", "i64:1"], &[], "! axis must be known"),
        ("ScatterUpdate", 3, &["3x4", "2", "2x4", "[0]"], &[], "! the numbers of the rows are integers"),
        ("ScatterNDUpdate", 3, &["3x4", "i64:5x1", "5x4"], &[], "3x4"),
        ("ScatterNDUpdate", 15, &["3x4x2", "i64:5x6x2", "5x6x2"], &[("reduction", "sub")], "3x4x2"),
        ("ScatterNDUpdate", 3, &["3x4", "i64:5x1", "5x3"], &[], "! the updates are 5x3"),
        ("ScatterNDUpdate", 3, &["3x4", "i64:5x1", "5"], &[], "! the updates have rank 1"),
        ("ScatterNDUpdate", 15, &["3x4", "i64:5x1", "5x4"], &[("reduction", "mean")], "! is none of none"),
        ("NonZero", 3, &["2x3"], &[], "2x?"),
        ("NonZero", 3, &["scalar"], &[("output_type", "i32")], "1x?"),
        ("Bucketize", 3, &["2x3", "4"], &[("output_type", "i32")], "2x3"),
        ("Bucketize", 3, &["2x3", "4x1"], &[], "! buckets lie along one axis, and their rank is 2"),
        ("SearchSorted", 15, &["2x5", "2x3"], &[], "2x3"),
        ("SearchSorted", 15, &["5", "2x3"], &[], "2x3"),
        ("SearchSorted", 15, &["4x5", "2x3"], &[], "! extent 4 along axis 0, and the values 2"),
        ("SearchSorted", 15, &["2x5", "3"], &[], "! the ranks are 2 and 1"),
        ("Roll", 7, &["2x?", "i64:2", "[0,1]"], &[], "2x?"),
        ("Roll", 7, &["2x3", "[1]", "[0,1]"], &[], "! and it is 1 for 2"),
        ("Roll", 7, &["2x3", "[1]", "[2]"], &[], "! there is no axis 2"),
        ("Roll", 7, &["2x3", "f32[1]", "[0]"], &[], "! shift is of integers"),
        ("ReverseSequence", 1, &["2x3", "i32:2"], &[], "2x3"),
        ("ReverseSequence", 1, &["2x3", "[1,4]"], &[], "! a length is 4, and axis 1 has extent 3"),
        ("ReverseSequence", 1, &["2x3", "i32:2"], &[("seq_axis", "0")], "! axis 0 is that of the batch"),
        ("ReverseSequence", 1, &["2x3", "i32:3"], &[], "! must be equal and before axis 1"),
        ("ShuffleChannels", 1, &["2x6x3"], &[("group", "3")], "2x6x3"),
        ("ShuffleChannels", 1, &["2x6x3"], &[("group", "4")], "! 6 channels along axis 1 are no 4 groups"),
        ("DepthToSpace", 1, &["?x8x3x?"], FIRST, "?x2x6x?"),
        ("DepthToSpace", 1, &["1x6x3x4"], FIRST, "! the extent 6 of axis 1 is no multiple of 4"),
        ("DepthToSpace", 1, &["1x6"], FIRST, "! it takes an input of rank 3 or more, and this has 2"),
        ("DepthToSpace", 1, &["1x8x3x4"], &[("block_size", "2")], "! the attribute mode is missing"),
        (
            "DepthToSpace",
            1,
            &["1x8x3x4"],
            &[("mode", "depth_first"), ("block_size", "9000000000")],
            "! blocks of 9000000000 along 2 axes cannot be",
        ),
        ("SpaceToDepth", 1, &["1x2x4x6x2"], FIRST, "1x16x2x3x1"),
        ("SpaceToDepth", 1, &["1x2x3x6"], FIRST, "! the extent 3 of axis 2 is no multiple of 2"),
        ("BatchToSpace", 2, &["4x2x3", "[1,2,2]", "[0,1,0]", "[0,0,2]"], &[], "1x3x4"),
        ("BatchToSpace", 2, &["3x2", "[1,2]", "[0,0]", "[0,0]"], &[], "! 3 batches are no blocks of 2"),
        (
            "BatchToSpace",
            2,
            &["2x2", "[2,1]", "[0,0]", "[0,0]"],
            &[],
            "! a block has 1 batch, and this is [2, 1]",
        ),
        ("BatchToSpace", 2, &["scalar", "[]", "[]", "[]"], &[], "! a block has 1 batch, and this is []"),
        ("SpaceToBatch", 2, &["1x3x4", "[1,2,2]", "[0,1,0]", "[0,0,2]"], &[], "4x2x3"),
        ("SpaceToBatch", 2, &["1x3", "[1,2]", "[0,0]", "[0,0]"], &[], "! axis 1 has extent 3 with what"),
        (
            "SpaceToBatch",
            2,
            &["1x3", "[1]", "[0,0]", "[0,0]"],
            &[],
            "! block_shape has a number of 1 or more",
        ),
        ("ErfInv", 17, &["2x?"], &[], "2x?"),
        ("ErfInv", 16, &["2x?"], &[], "! there is no layer ErfInv in opset16"),
        (
            "ScatterElementsUpdate",
            12,
            &["boolean:3", "i64:3", "boolean:3", "[0]"],
            &[("reduction", "mean")],
            "! truth values have no mean",
        ),
        ("Eye", 9, &["[2]", "[3]", "[0]"], &[("output_type", "f32")], "2x3"),
        ("Eye", 9, &["i32:scalar", "[3]", "[0]", "[4,5]"], &[("output_type", "i8")], "4x5x?x3"),
        ("Eye", 9, &["[2]", "[3]", "[0]"], &[], "! the attribute output_type is missing"),
        ("GroupNormalization", 12, &["2x6x3", "6", "6"], &[("num_groups", "3"), ("epsilon", "0.1")], "2x6x3"),
        (
            "GroupNormalization",
            12,
            &["2x6x3", "6", "6"],
            &[("num_groups", "4"), ("epsilon", "0.1")],
            "! 6 channels are no 4 groups",
        ),
        (
            "GroupNormalization",
            12,
            &["2x6x3", "3", "6"],
            &[("num_groups", "3"), ("epsilon", "0.1")],
            "! axis 1 of 2x6x3, and these are 3",
        ),
        (
            "GroupNormalization",
            12,
            &["6", "6", "6"],
            &[("num_groups", "1"), ("epsilon", "0.1")],
            "! rank is 1",
        ),
        ("BatchNormInference", 5, &["2x3x4", "3", "3", "3", "3"], &[("epsilon", "0.1")], "2x3x4"),
        ("BatchNormInference", 1, &["3", "3", "2x3x4", "3", "3"], &[("epsilon", "0.1")], "2x3x4"),
        ("BatchNormInference", 5, &["2x3x4", "3", "3", "3", "3"], &[], "! the attribute epsilon is missing"),
        ("BatchNormInference", 5, &["2x3", "3", "4", "3", "3"], &[("epsilon", "0.1")], "! and these are 4"),
        ("LRN", 1, &["2x3", "[1]"], &[("size", "3"), ("alpha", "1"), ("beta", "1"), ("bias", "1")], "2x3"),
        ("LRN", 1, &["2x3", "[1]"], &[("size", "0")], "! its size is 0"),
        ("GRN", 1, &["2x3x4"], &[("bias", "1")], "2x3x4"),
        ("ScaledDotProductAttention", 13, &["2x3x4x5", "2x1x6x5", "2x1x6x7"], &[], "2x3x4x7"),
        ("ScaledDotProductAttention", 13, &["?x?x5", "?x?x5", "?x?x7"], &[("causal", "true")], "?x?x7"),
        (
            "ScaledDotProductAttention",
            13,
            &["4x5", "6x5", "6x7"],
            &[],
            "! the rank of the query is 3 or more",
        ),
        ("ScaledDotProductAttention", 13, &["2x4x5", "2x6x4", "2x6x7"], &[], "! 2x4x5"),
        ("ScaledDotProductAttention", 13, &["2x4x5", "2x6x5", "2x6x7", "i32:4x6"], &[], "! f32"),
    ];
    have_shapes(rows);
}

#[test]
fn small_examples() {
    let epsilon = &[("num_groups", "1"), ("epsilon", "0")];
    let all = &[("size", "3"), ("alpha", "3"), ("beta", "1"), ("bias", "1")];
    let rows: &[Row<'_, &[f32]>] = &[
        ("ScatterUpdate", 3, &["4", "[2,-4]", "2", "[0]"], &[], &[2., 2., 1., 4.]),
        ("ScatterNDUpdate", 15, &["3", "i64:1x1", "1"], &[("reduction", "sub")], &[1., 1., 3.]),
        (
            "ScatterElementsUpdate",
            12,
            &["boolean:3", "[1,1]", "boolean:2", "[0]"],
            &[("reduction", "sum")],
            &[1., 1., 1.],
        ),
        ("NonZero", 3, &["i64[0,3,0,-1]"], &[], &[1., 3.]),
        ("Identity", 16, &["2"], &[], &[1., 2.]),
        ("Bucketize", 3, &["f32[1,2,3]", "f32[2]"], &[("with_right_bound", "true")], &[0., 0., 1.]),
        ("Bucketize", 3, &["f32[1,2,3]", "f32[2]"], &[("with_right_bound", "false")], &[0., 1., 1.]),
        ("SearchSorted", 15, &["2x2", "2x2"], &[("right_mode", "true")], &[1., 2., 1., 2.]),
        ("Roll", 7, &["2x3", "[1,-1]", "[1,0]"], &[], &[6., 4., 5., 3., 1., 2.]),
        ("Roll", 7, &["5", "i64[7]", "[0]"], &[], &[4., 5., 1., 2., 3.]),
        ("ReverseSequence", 1, &["2x3", "[2,3]"], &[], &[2., 1., 3., 6., 5., 4.]),
        ("ShuffleChannels", 1, &["1x4"], &[("group", "2")], &[1., 3., 2., 4.]),
        ("Eye", 9, &["[2]", "[2]", "[1]"], &[("output_type", "f32")], &[0., 1., 0., 0.]),
        ("GroupNormalization", 12, &["1x2", "2", "2"], epsilon, &[0., 4.]),
        ("LRN", 1, &["1x3", "[1]"], all, &[1. / 6., 2. / 15., 3. / 14.]),
    ];
    have_values(rows);
}

#[test]
fn unknown_extents_give_the_same() {
    let rows: &[Row<'_>] = &[
        ("ScatterUpdate", 3, &["3x4", "[1,0]", "3x2", "[1]"], &[], ""),
        ("NonZero", 3, &["2x3"], &[], ""),
        ("Bucketize", 3, &["2x3", "4"], &[], ""),
        ("SearchSorted", 15, &["2x5", "2x3"], &[], ""),
        ("Roll", 7, &["2x3", "[1,5]", "[0,-1]"], &[], ""),
        ("ReverseSequence", 1, &["2x3x2", "[1,3]"], &[], ""),
        ("ShuffleChannels", 1, &["2x6x3"], &[("group", "3")], ""),
        ("DepthToSpace", 1, &["2x8x3x2"], FIRST, ""),
        ("SpaceToDepth", 1, &["2x1x4x2"], FIRST, ""),
        ("BatchToSpace", 2, &["4x2x3", "[1,2,2]", "[0,1,0]", "[0,0,2]"], &[], ""),
        ("SpaceToBatch", 2, &["1x3x4", "[1,2,2]", "[0,1,0]", "[0,0,2]"], &[], ""),
        ("GroupNormalization", 12, &["2x6x3", "6", "6"], &[("num_groups", "3"), ("epsilon", "0.1")], ""),
        ("BatchNormInference", 5, &["2x3x4", "3", "3", "3", "3"], &[("epsilon", "0.1")], ""),
        ("LRN", 1, &["2x3x5", "[1,2]"], &[("size", "4"), ("alpha", "1"), ("beta", "0.5"), ("bias", "2")], ""),
        ("ScaledDotProductAttention", 13, &["2x3x4", "2x5x4", "2x5x2"], &[("causal", "true")], ""),
        ("ScaledDotProductAttention", 13, &["2x3x4", "2x5x4", "2x5x2", "3x5"], &[], ""),
    ];
    are_the_same_unknown(rows);
}

/// A number that is not there, groups that do not go into the channels, a length beyond the end.
#[test]
fn what_turns_out_wrong_is_an_error_when_it_runs() {
    let sequences = [("batch_axis", "0"), ("seq_axis", "1")];
    let rows: &[Row<'_, [&[usize]; 2]>] = &[
        ("ScatterUpdate", 17, &["?x3", "[9]", "1x3", "[0]"], &[], [&[5, 3], &[1, 3]]),
        ("ReverseSequence", 17, &["?x3", "i64:?"], &sequences, [&[5, 3], &[5]]),
        ("ShuffleChannels", 17, &["?x3"], &[("axis", "0"), ("group", "2")], [&[5, 3], &[]]),
        ("SpaceToBatch", 17, &["?x?", "[1,2]", "[0,0]", "[0,0]"], &[], [&[5, 3], &[]]),
        ("DepthToSpace", 17, &["?x?x?"], FIRST, [&[1, 3, 2], &[]]),
    ];
    for (name, opset, inputs, attributes, extents) in rows {
        let mut graph = Graph::new();
        let ids: Vec<Id> = inputs.iter().map(|text| input(&mut graph, text)).collect();
        let attributes = attributes.iter().copied().collect();
        let made = Builder::new(&mut graph).layer(name, *opset, &ids, &attributes);
        graph.output("y", made.unwrap_or_else(|error| panic!("{name}: {error}"))[0]).unwrap();
        let given = graph.inputs().iter().zip(extents).map(|(&id, extents)| {
            let dtype = graph.node(id).unwrap().dtype();
            crate::Array::from(counted(extents)).convert(dtype).eval().unwrap()
        });
        assert!(graph.run(&given.collect::<Vec<_>>()).is_err(), "{name}");
    }
}
