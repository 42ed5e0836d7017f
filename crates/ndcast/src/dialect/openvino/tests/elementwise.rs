//! Elementwise layers and `auto_broadcast`, against the tables of OpenVINO's rules.

use super::*;

#[test]
fn auto_broadcast_pdpd() {
    let mut wrong = Vec::new();
    for (a, b, axis, expected) in [
        ("2x3x4x5", "3x4", "1", "2x3x4x5"),
        ("2x3x4x5", "3x1", "1", "2x3x4x5"),
        ("2x3x4x5", "4x5", "-1", "2x3x4x5"),
        ("2x3x4x5", "4x5", "2", "2x3x4x5"),
        ("2x3x4x5", "1x3", "0", "2x3x4x5"),
        ("2x3x4x5", "scalar", "4", "2x3x4x5"),
        ("2x3x4x5", "5", "3", "2x3x4x5"),
        ("2x3x4x5", "5", "", "! 2x3x4x5 and 5"),
        ("2x3x4x5", "3x4", "2", "! Add: openvino.eltwise.pdpd"),
        ("2x3x4x5", "3x4", "-2", "! -2"),
        ("2x3", "2x3", "1", "! Add"),
        ("2x3", "2x3", "0", "2x3"),
        ("2x3", "2x3", "-1", "2x3"),
        ("3", "1x3", "0", "! Add"),
        ("1x3", "2x3", "0", "! Add"),
        ("2x1", "2x3", "0", "! Add"),
        ("2x3x4", "1", "2", "2x3x4"),
        ("2x3x4", "1", "3", "! Add"),
        ("?x3x4", "3", "1", "?x3x4"),
        ("?x?", "3", "1", "?x3"),
        ("?x1", "3", "1", "! Add"),
        ("?x3", "2", "0", "2x3"),
    ] {
        let mut attributes = vec![("auto_broadcast", "pdpd")];
        if !axis.is_empty() {
            attributes.push(("auto_broadcast.auto_broadcast_axis", axis));
        }
        let found = layer("Add", 1, &[a, b], &attributes);
        if !as_expected(&found, expected) {
            wrong.push(format!("{a} {b} {axis}: {found}"));
        }
    }
    none("pdpd", &wrong);
    // B with index 0 where its extent is 1.
    let attributes = [("auto_broadcast", "PDPD"), ("auto_broadcast.auto_broadcast_axis", "1")];
    assert_eq!(values("Subtract", 1, &["2x2x2", "2x1"], &attributes), [0., 1., 1., 2., 4., 5., 5., 6.]);
}

#[test]
fn auto_broadcast_numpy_and_none() {
    let mut wrong = Vec::new();
    for (inputs, auto, expected) in [
        (["2x3", "1x3"], "none", "! openvino.eltwise.none"),
        (["2x3", "2x3"], "none", "2x3"),
        (["2x3", "2x3"], "explicit", "2x3"),
        (["...", "2"], "none", "2"),
        (["2x?", "?x3"], "none", "2x3"),
        (["8x1x6x1", "7x1x5"], "numpy", "8x7x6x5"),
        (["0x3", "3"], "NUMPY", "0x3"),
        (["1", "0"], "numpy", "0"),
        (["2", "0"], "numpy", "! 2"),
        (["scalar", "0"], "numpy", "0"),
        (["?", "3"], "numpy", "3"),
        (["?", "1"], "numpy", "?"),
        (["1..3", "2..5"], "numpy", "2..5"),
        (["2..3", "2..5"], "numpy", "2..3"),
        (["0..3", "4..5"], "numpy", "4..5"),
        (["2..3", "4..5"], "numpy", "! 2..3"),
        (["...", "2"], "numpy", "..."),
        (["2", "2"], "wide", "! auto_broadcast=\"wide\" is none of numpy, none, explicit, pdpd"),
        (["i32:2", "2"], "numpy", "! no common element type"),
        (["i32:2", "f32:3"], "none", "! no common element type"),
        (["boolean:2", "boolean:2"], "numpy", "! it takes no elements of type bool"),
    ] {
        let found = layer("Multiply", 1, &inputs, &[("auto_broadcast", auto)]);
        if !as_expected(&found, expected) {
            wrong.push(format!("{inputs:?} {auto}: {found}"));
        }
    }
    none("auto_broadcast", &wrong);
}

#[test]
fn arguments_and_attributes() {
    let mut wrong = Vec::new();
    for (layer_type, inputs, attributes, expected) in [
        ("Divide", &["i32[-7,7,8]", "i32[2]"][..], &[][..], &[-4., 3., 4.][..]),
        ("Divide", &["i32[-7,7,8]", "i32[2]"], &[("m_pythondiv", "false")], &[-3., 3., 4.]),
        ("Divide", &["3", "i32:1"].map(|_| "3"), &[], &[1., 1., 1.]),
        ("FloorMod", &["i32[-7,7]", "i32[4]"], &[], &[1., 3.]),
        ("Mod", &["i32[-7,7]", "i32[4]"], &[], &[-3., 3.]),
        ("Add", &["u8[250]", "u8[10]"], &[], &[4.]),
        ("Clamp", &["4"], &[("min", "1.5"), ("max", "3")], &[1.5, 2., 3., 3.]),
        ("Clamp", &["i32[-5,5]"], &[("min", "-1.5"), ("max", "2.5")], &[-1., 2.]),
        ("Clamp", &["i32[-5,7]"], &[("min", "0"), ("max", "3.4e38")], &[0., 7.]),
        ("Clamp", &["i64[-5,7]"], &[("min", "-inf"), ("max", "inf")], &[-5., 7.]),
        ("Clamp", &["i8[5,7]"], &[("min", "300"), ("max", "400")], &[127., 127.]),
        ("Clamp", &["u8[5,7]"], &[("min", "-5"), ("max", "300")], &[5., 7.]),
        ("Elu", &["2"], &[("alpha", "2")], &[1., 2.]),
        ("HardSigmoid", &["2", "scalar", "scalar"], &[], &[1., 1.]),
        ("Swish", &["scalar", "scalar"], &[], &[0.731_058_6]),
        ("Select", &["boolean[1,0]", "2", "2"], &[], &[1., 2.]),
        ("IsInf", &["2"], &[("detect_negative", "false")], &[0., 0.]),
        ("IsInf", &["2"], &[("detect_negative", "false"), ("detect_positive", "0")], &[0., 0.]),
        ("Round", &["2"], &[("mode", "HALF_AWAY_FROM_ZERO")], &[1., 2.]),
        ("LogicalNot", &["boolean[1,0]"], &[], &[0., 1.]),
        ("Negative", &["2"], &[], &[-1., -2.]),
        ("PRelu", &["1x2x2", "2"], &[], &[1., 2., 3., 4.]),
        ("Sqrt", &["1"], &[], &[1.]),
        ("ConvertLike", &["2", "i8[1]"], &[], &[1., 2.]),
        ("Convert", &["2"], &[("destination_type", "boolean")], &[1., 1.]),
    ] {
        let found = values(layer_type, 7, inputs, attributes);
        if found != expected {
            wrong.push(format!("{layer_type} {inputs:?} {attributes:?}: {found:?}"));
        }
    }
    none("values", &wrong);
}

#[test]
fn select_lays_the_condition_on_what_is_chosen() {
    let pdpd = [("auto_broadcast", "pdpd"), ("auto_broadcast.auto_broadcast_axis", "0")];
    assert_eq!(layer("Select", 1, &["boolean:2", "2x3", "2x1"], &pdpd), "2x3");
    assert!(layer("Select", 1, &["boolean:2x3", "2", "2"], &pdpd).contains("pdpd"));
    assert!(layer("Select", 1, &["2", "2", "2"], &[]).contains("the elements are f32, not bool"));
    assert!(layer("LogicalAnd", 1, &["2", "2"], &[]).contains("the elements are f32, not bool"));
}

#[test]
fn every_operation_with_a_name_is_a_layer() {
    let types = layer_types();
    assert!(types.len() > 100, "{}", types.len());
    for name in &types {
        assert!(knows(name, 17), "{name}");
    }
    assert!(!knows("Add", 0) && !knows("Adder", 1));
    let mut graph = Graph::new();
    let x = input(&mut graph, "2x3");
    let error = Builder::new(&mut graph).layer("Adder", 1, &[x], &Attributes::default()).unwrap_err();
    assert_eq!(error.to_string(), "there is no layer Adder in opset1");
    let error = Builder::new(&mut graph).elementwise(crate::Op::Cbrt, &[x], AutoBroadcast::None).unwrap_err();
    assert_eq!(error.to_string(), "OpenVINO has no operation cbrt");
    let error = Builder::new(&mut graph).elementwise(crate::Op::Add, &[x], AutoBroadcast::None).unwrap_err();
    assert_eq!(error.to_string(), "Add: it takes 2 arguments, and 1 are given");
}
