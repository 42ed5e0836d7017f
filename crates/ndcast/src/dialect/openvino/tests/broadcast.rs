//! Broadcast-1 and Broadcast-3 against OpenVINO's tests (`type_prop/broadcast.cpp`, `op_reference/broadcast.cpp`) and the page
//! of Broadcast-1.

use super::*;

/// Modes by their names, pdpd with its axis: `pdpd@1`.
fn mode(text: &str) -> Mode {
    match text {
        "explicit" => Mode::Explicit,
        "numpy" => Mode::Numpy,
        "bidirectional" => Mode::Bidirectional,
        other => Mode::Pdpd(other.strip_prefix("pdpd@").unwrap().parse().unwrap()),
    }
}

/// One row: data; target; axes or nothing; the mode; the shape expected, and `/ axes` where the broadcast axes are known.
fn check(versions: &[Version], rows: &[[&str; 5]]) {
    let mut wrong = Vec::new();
    for &version in versions {
        for row @ [data, target, axes, mode_name, expected] in rows {
            let mut graph = Graph::new();
            let mut inputs = vec![input(&mut graph, data), input(&mut graph, target)];
            if !axes.is_empty() {
                inputs.push(input(&mut graph, axes));
            }
            let broadcast = Broadcast { version, mode: mode(mode_name) };
            let inferred = broadcast.validate_and_infer_types(&graph, &inputs);
            let mut found = match inferred {
                Ok((_, shape)) => shape.to_string(),
                Err(error) => error.to_string(),
            };
            if let (true, Ok(Some(axes))) =
                (expected.contains('/'), broadcast.broadcast_axes(&graph, &inputs))
            {
                found = format!("{found} / {axes:?}");
            }
            // What is made is what was inferred.
            let made = match version {
                Version::One => Builder::new(&mut graph).broadcast_1(
                    inputs[0],
                    inputs[1],
                    inputs.get(2).copied(),
                    broadcast.mode,
                ),
                Version::Three => Builder::new(&mut graph).broadcast_3(
                    inputs[0],
                    inputs[1],
                    inputs.get(2).copied(),
                    broadcast.mode,
                ),
            };
            let made = outcome(&graph, made);
            let same = found.starts_with(&made) || made.ends_with(&found);
            if !as_expected(&found, expected) || !same {
                wrong.push(format!("{version:?} {row:?}: {found}; made {made}"));
            }
        }
    }
    none("Broadcast", &wrong);
}

const BOTH: &[Version] = &[Version::One, Version::Three];

#[test]
fn what_both_versions_infer() {
    check(
        BOTH,
        &[
            // The three examples of the page.
            ["16x1x1", "[1,16,50,50]", "", "numpy", "1x16x50x50 / [0, 2, 3]"],
            ["16", "[1,16,50,50]", "[1]", "explicit", "1x16x50x50 / [0, 2, 3]"],
            ["50x50", "[1,50,50,16]", "[1,2]", "explicit", "1x50x50x16 / [0, 3]"],
            // type_prop/broadcast.cpp
            ["3x1", "[2,3,6]", "", "numpy", "2x3x6"],
            ["3x1", "[2,3,1]", "[1,2]", "explicit", "2x3x1 / [0]"],
            ["3x1", "[2,3,1]", "[1,2,3]", "explicit", "! axes"],
            ["3x1", "[2,1,3]", "[2,1]", "explicit", "! must increase"],
            ["3x1", "[2,3,1]", "[1,3]", "explicit", "! 3, is out of range"],
            ["3x2", "[2,3,3]", "[1,2]", "explicit", "! is 2"],
            ["3x1", "[2,3,3]", "[1,2]", "explicit", "2x3x3"],
            ["3x1", "[2,3,1]", "i64:2x2", "explicit", "! axes_mapping has one axis, and this has 2"],
            ["3x1", "i64:scalar", "[1,2]", "explicit", "! target_shape has one axis, and this has 0"],
            ["3x1", "boolean:3", "[1,2]", "explicit", "! target_shape is of integers, and this is of bool"],
            ["3x1", "f32:3", "", "numpy", "! target_shape is of integers, and this is of f32"],
            ["3x1", "[2,3,1]", "f32:2", "explicit", "! axes_mapping is of integers, and this is of f32"],
            ["3x1", "i4:3", "", "numpy", "! target_shape is of integers, and this is of i4"],
            // Types come before ranks, those of the target before those of the axes.
            ["3x1", "f32:2x2", "f32:2x2", "explicit", "! target_shape is of integers"],
            ["3x1", "i64:2x2", "f32:2x2", "explicit", "! axes_mapping is of integers"],
            ["3x1", "i64:2x2", "i64:2x2", "explicit", "! target_shape has one axis"],
            ["2x3x?", "[1,2,3,4]", "", "numpy", "1x2x3x4"],
            ["?x?x?", "[1,2,3,4]", "", "numpy", "1x2x3x4"],
            ["?x999x3x4", "[1,2,3,4]", "", "numpy", "! 999"],
            ["?x?x?x888", "[1,2,3,4]", "", "numpy", "! 888"],
            ["5x?x?x?", "[1,2,3,4]", "", "numpy", "! 5"],
            ["3x1", "[2,3,6]", "", "pdpd@1", "2x3x6 / [0, 2]"],
            ["16x1x1", "[1,16]", "", "numpy", "! 2"],
            // Shapes that are not known.
            ["...", "[2,3]", "[9]", "explicit", "2x3"],
            ["...", "i64:4", "i64:3", "explicit", "?x?x?x?"],
            ["2", "i64:4", "[1]", "explicit", "?x?x?x?"],
            ["2x3x4", "i64:?", "[0,2,1]", "explicit", "..."],
            ["2x3x4", "i64:?", "[0,1,2,3]", "explicit", "! 4"],
            ["4..8x2..4", "[1,5]", "", "numpy", "1x5"],
            ["4x2", "[5,2]", "", "numpy", "! 4"],
            ["4..6", "[3]", "[0]", "explicit", "! 4..6"],
            ["2x1..8", "[2,7,40,5]", "[0,2]", "explicit", "2x7x40x5"],
            ["?x?x3", "[2,3]", "", "numpy", "! 3"],
            // Extents of 0 are extents; negative ones are none, and an axis is named once.
            ["1", "[0]", "", "numpy", "0"],
            ["0x3", "[2,0,3]", "", "numpy", "2x0x3"],
            ["3", "[0]", "", "numpy", "! 3"],
            ["0", "[5]", "", "numpy", "! 0"],
            ["3", "[-1,3]", "", "numpy", "! -1"],
            ["3", "[-2]", "", "numpy", "! -2"],
            ["3x1", "[2,3]", "[1,1]", "explicit", "! axis 1"],
            ["3", "[2,3]", "[-1]", "explicit", "! -1"],
            // A scalar.
            ["scalar", "[2,3]", "[]", "explicit", "2x3 / [0, 1]"],
            ["scalar", "[1,3]", "[0]", "explicit", "1x3"],
            ["scalar", "[2,3]", "[0]", "explicit", "! 1"],
            ["scalar", "[]", "", "numpy", "scalar"],
            // The data reaches the end of the target.
            ["3", "[2,3,6]", "", "pdpd@1", "! 2"],
            ["3x6", "[2,1,6]", "", "pdpd@-1", "2x3x6"],
            ["3x6", "[2,3,6]", "", "pdpd@-2", "! -2"],
        ],
    );
}

#[test]
fn what_broadcast_3_infers() {
    check(
        &[Version::Three],
        &[
            ["1x4x1", "[1,4]", "", "bidirectional", "1x4x4 / [2]"],
            ["3x1", "[2,1,6]", "", "bidirectional", "2x3x6 / [0, 2]"],
            ["2x1", "[2,4]", "", "bidirectional", "2x4 / [1]"],
            ["1x3x1", "[3,1]", "", "bidirectional", "1x3x1 / []"],
            ["16x1x1", "[1,1,50,50]", "", "bidirectional", "1x16x50x50 / [0, 2, 3]"],
            ["1x3x1", "[3,1,3]", "", "bidirectional", "3x3x3 / [0, 2]"],
            ["4x3x2", "[8,6,4]", "", "bidirectional", "! 4"],
            ["1x1x2", "[2,3]", "", "bidirectional", "! 2"],
            ["16x1x?", "[1,1,50,50]", "", "bidirectional", "1x16x50x50"],
            ["?x?x?x?", "[8,6,4]", "", "bidirectional", "?x8x6x4"],
            ["?x?x?x?", "[8,6,1,5,1]", "", "bidirectional", "?x8x6x?x5x?".trim_start_matches("?x")],
            ["1", "[0]", "", "bidirectional", "0"],
            ["5x2x3x1", "[1,3,6]", "", "bidirectional", "5x2x3x6"],
            ["5x2x3x1", "[4,3,6]", "", "numpy", "! 4"],
            ["3x1", "[2,3,1]", "[1,2]", "bidirectional", "! axes_mapping is given in mode explicit alone"],
            ["3x1", "[2,3,1]", "", "explicit", "! axes_mapping is given in mode explicit, and there is none"],
        ],
    );
    check(
        &[Version::One],
        &[
            ["1", "[2]", "", "bidirectional", "! Broadcast-1 has no mode bidirectional"],
            ["3x1", "[2,3,1]", "", "explicit", "! axes_mapping is given in mode explicit, and there is none"],
            ["3x1", "[2,3,1]", "[1,2]", "numpy", "! axes_mapping is given in mode explicit alone"],
        ],
    );
}

/// A file's layer lets pass what OpenVINO lets pass, and its modes are read as OpenVINO reads them.
#[test]
fn as_files_have_it() {
    let mut wrong = Vec::new();
    for (opset, inputs, attributes, expected) in [
        (1, &["3x1", "[2,3,6]", "u8:scalar"][..], &[("mode", "numpy")][..], "2x3x6"),
        (1, &["3x1", "[2,3,6]", "f32:7x7"], &[], "2x3x6"),
        (2, &["3x1", "[2,3,6]"], &[("mode", "explicit")], "2x3x6"),
        (1, &["16", "[1,16,5]", "[1]"], &[("mode", "none")], "1x16x5"),
        (1, &["16", "[1,16,5]", "[1]"], &[("mode", "EXPLICIT"), ("other", "7")], "1x16x5"),
        (1, &["3x1", "[2,3,6]"], &[("mode", "pdpd"), ("mode.auto_broadcast_axis", "1")], "2x3x6"),
        (1, &["3x1", "[2,3,6]"], &[("mode", "pdpd"), ("axis", "1")], "! 3x1"),
        (3, &["3x1", "[2,3,6]"], &[("mode", "pdpd"), ("mode.mode.axis", "1")], "2x3x6"),
        (
            1,
            &["3x1", "[2,3,6]"],
            &[("mode", "bidirectional")],
            "! mode=\"bidirectional\" is none of explicit",
        ),
        (3, &["3x1", "[2,1,6]"], &[("mode", "bidirectional")], "2x3x6"),
        (
            16,
            &["3x1", "[2,3,6]", "[1]"],
            &[("mode", "numpy")],
            "! axes_mapping is given in mode explicit alone",
        ),
        (99, &["3x1", "[2,3,6]"], &[], "! there is no opset99"),
        (1, &["3x1"], &[], "! it takes 2 arguments, and 1 are given"),
        (1, &[], &[], "! it takes 2 arguments, and 0 are given"),
    ] {
        let found = layer("Broadcast", opset, inputs, attributes);
        if !as_expected(&found, expected) {
            wrong.push(format!("opset{opset} {inputs:?} {attributes:?}: {found}"));
        }
    }
    none("layers", &wrong);
}

/// `out[c] = data[d]`, as a loop over every index.
fn by_definition(data: &[usize], target: &[usize], axes: &[usize]) -> Vec<f32> {
    let count: usize = target.iter().product();
    let at = |mut place: usize| {
        let mut coordinate = vec![0; target.len()];
        for axis in (0..target.len()).rev() {
            coordinate[axis] = place % target[axis];
            place /= target[axis];
        }
        let mut from = 0;
        for (own, &axis) in axes.iter().enumerate() {
            from = from * data[own] + if data[own] == 1 { 0 } else { coordinate[axis] };
        }
        (from + 1) as f32
    };
    (0..count).map(at).collect()
}

/// The shapes of `op_reference/broadcast.cpp`, with targets of each type of integers, known and given when it runs.
#[test]
fn the_values_are_those_of_the_definition() {
    let rows: &[(&[usize], &[usize], &[usize])] = &[
        (&[], &[1, 2], &[]),
        (&[3], &[3, 4], &[0]),
        (&[4], &[3, 4], &[1]),
        (&[1], &[3, 1], &[1]),
        (&[2, 2], &[2, 2, 2], &[0, 2]),
        (&[2, 2], &[2, 2, 2], &[0, 1]),
        (&[2, 2], &[2, 2, 2], &[1, 2]),
        (&[2], &[3, 2, 4], &[1]),
        (&[2], &[5, 4, 3, 2], &[3]),
        (&[2], &[2, 3, 4, 5], &[0]),
        (&[4, 5], &[2, 3, 4, 5], &[2, 3]),
        (&[3, 5], &[2, 3, 4, 5], &[1, 3]),
        (&[3, 4], &[2, 3, 4, 5], &[1, 2]),
        (&[2, 4], &[2, 3, 4, 5], &[0, 2]),
        (&[2, 3, 4], &[5, 2, 3, 4], &[1, 2, 3]),
        (&[2, 3, 4], &[2, 5, 3, 4], &[0, 2, 3]),
        (&[2, 3, 4], &[2, 3, 5, 4], &[0, 1, 3]),
        (&[3, 1], &[2, 3, 3], &[1, 2]),
        (&[2, 3, 1, 1], &[2, 3, 4, 5], &[0, 1, 2, 3]),
        (&[16, 1, 1], &[1, 16, 5, 5], &[1, 2, 3]),
        // Seven axes that do not merge, which OpenVINO's processor gets wrong.
        (&[2, 3, 2, 2], &[2, 2, 3, 2, 2, 2, 2], &[0, 2, 4, 6]),
        (&[0, 3], &[2, 0, 3], &[1, 2]),
    ];
    for &(data, target, axes) in rows {
        let expected = by_definition(data, target, axes);
        for dtype in
            [DType::I8, DType::I16, DType::I32, DType::I64, DType::U8, DType::U16, DType::U32, DType::U64]
        {
            let list = |numbers: &[usize]| {
                let numbers: Vec<i64> = numbers.iter().map(|&n| i64::try_from(n).unwrap()).collect();
                crate::Array::new(&[numbers.len()], &numbers).convert(dtype).eval().unwrap()
            };
            let mut graph = Graph::new();
            let x = graph.input("x", DType::F32, data.into()).unwrap();
            let given = [list(target), list(axes)];
            let known = given.clone().map(|tensor| graph.constant(tensor).unwrap());
            let later =
                ["target", "axes"].map(|name| graph.input(name, dtype, "?".parse().unwrap()).unwrap());
            let mut builder = Builder::new(&mut graph);
            let at_once = builder.broadcast_1(x, known[0], Some(known[1]), Mode::Explicit).unwrap();
            let then = builder.broadcast_3(x, later[0], Some(later[1]), Mode::Explicit).unwrap();
            graph.output("at once", at_once).unwrap();
            graph.output("then", then).unwrap();
            let [target, axes] = given;
            for made in graph.run(&[counted(data), target, axes]).unwrap() {
                assert_eq!(made.to_vec::<f32>().unwrap(), expected, "{data:?} {dtype}");
            }
        }
    }
}

/// What comes when it runs and does not fit is an error, where OpenVINO gives garbage.
#[test]
fn a_target_that_comes_too_late_is_checked() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "?".parse().unwrap()).unwrap();
    let target = graph.input("target", DType::I64, "?".parse().unwrap()).unwrap();
    let axes = graph.input("axes", DType::I64, "?".parse().unwrap()).unwrap();
    let laid = Builder::new(&mut graph).broadcast_3(x, target, Some(axes), Mode::Explicit).unwrap();
    graph.output("y", laid).unwrap();
    let list = |numbers: &[i64]| Tensor::new(&[numbers.len()], numbers).unwrap();
    for (target, axes, part) in [
        (&[2, 4][..], &[1][..], "3"),
        (&[2, -3], &[1], "-3"),
        (&[2, 3], &[2], "2, is out of range"),
        (&[2, 3], &[-1], "-1"),
        (&[2, 3], &[0, 1], "axes"),
        (&[3, 3], &[1, 1], "ax"),
    ] {
        let error = graph.run(&[counted(&[3]), list(target), list(axes)]).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(graph.run(&[counted(&[3]), list(&[0, 3]), list(&[1])]).unwrap()[0].shape(), [0, 3]);
}

/// The first extents of a target that is joined together of known and unknown ones are known.
#[test]
fn targets_that_are_computed() {
    let mut graph = Graph::new();
    let data = input(&mut graph, "16");
    let parts = ["i64:1", "[16]", "[50]", "[50]"].map(|text| input(&mut graph, text));
    let axes = input(&mut graph, "[1]");
    let x = input(&mut graph, "2x?x4x5");
    let mut builder = Builder::new(&mut graph);
    let attributes = Attributes::from([("axis", "0")]);
    let target = builder.layer("Concat", 1, &parts, &attributes).unwrap()[0];
    let laid = builder.broadcast_1(data, target, Some(axes), Mode::Explicit);
    assert_eq!(outcome(builder.graph(), laid), "?x16x50x50");
    let shape = builder.layer("ShapeOf", 3, &[x], &Attributes::default()).unwrap()[0];
    let two = builder.graph().input("two", DType::F32, "5".parse().unwrap()).unwrap();
    let laid = builder.broadcast_3(two, shape, None, Mode::Bidirectional);
    assert_eq!(outcome(builder.graph(), laid), "2x?x4x5");
    // type_prop/broadcast.cpp, v3 with intervals: extents of the data and of the array whose shape is the target.
    let mut graph = Graph::new();
    let data = input(&mut graph, "?x2x1x4..8x?x4..8x?x1..8x1..10x4..18");
    let like = input(&mut graph, "?x2x3..9x1x3..9x?x1..9x?x3..19x1..10");
    let mut builder = Builder::new(&mut graph);
    let target = builder.layer("ShapeOf", 3, &[like], &Attributes::default()).unwrap()[0];
    let laid = builder.broadcast_3(data, target, None, Mode::Bidirectional);
    assert_eq!(outcome(builder.graph(), laid), "?x2x3..9x4..8x3..9x4..8x?x?x3..19x4..18");
}
