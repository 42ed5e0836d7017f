//! What XLA's compiler writes, and what older programs have: tables, calls, branches, tuples, layouts, comparisons of bits.

use super::*;

/// What XLA says of where instructions come from, and of the devices that values lie on.
#[test]
fn tables_of_places_and_devices() {
    let text = "HloModule jit_f, is_scheduled=true

FileNames
1 \"/tmp/a \\\"b\\\".py\"

FunctionNames
1 \"<module>\"
2 \"f\"

FileLocations
1 {file_name_id=1 function_name_id=1 line=9 end_line=9 column=31 end_column=46}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY main {
  a = f32[2] parameter(0), metadata={op_name=\"a\"}
  b = f32[2] custom-call(a), custom_call_target=\"Sharding\", sharding={replicated}
  ROOT c = f32[2] add(a, b), metadata={op_name=\"c\" stack_frame_id=1}
}
";
    let given = [Tensor::new(&[2], &[1.0f32, 2.0]).unwrap()];
    assert_eq!(parts(&read(text).unwrap().run(&given).unwrap()[0]), [2.0, 4.0]);
}

/// Calls of what is elsewhere are named by what they call.
#[test]
fn foreign_calls_are_named() {
    let text = "HloModule calls
ENTRY main {
  a = f32[8] parameter(0)
  t = (f32[2], s32[2]) custom-call(a), custom_call_target=\"elsewhere\"
  ROOT r = f32[2] get-tuple-element(t), index=0
}
";
    let message = "the model has operators that are not here: hlo.custom-call @elsewhere (line 4)";
    assert_eq!(read(text).unwrap_err().to_string(), message);
}

/// Which instruction is run first is not what it computes.
#[test]
fn control_predecessors_are_passed_over() {
    let text = "HloModule m\n\nENTRY e {\n  %a = f32[3]{0} parameter(0)\n  %b = f32[3]{0} negate(%a)\n  \
                %c = f32[3]{0} copy(%a), control-predecessors={%b}\n  ROOT %r = f32[3]{0} add(%b, %c), \
                control-predecessors={%b, %c}\n}\n";
    let graph = read(text).unwrap();
    let x = Tensor::new(&[3], &[1.0f32, 2.0, 3.0]).unwrap();
    assert_eq!(graph.run(&[x]).unwrap()[0].to_vec::<f32>().unwrap(), [0.0; 3]);
}

/// Which branch is a number or a truth value; each is a computation of one parameter, which may be a tuple.
#[test]
fn conditionals() {
    let text = |which: &str, given: &str, named: &str| {
        format!(
            "HloModule branches

sum {{
  both = (f32[2], f32[2]) parameter(0)
  x = f32[2] get-tuple-element(both), index=0
  y = f32[2] get-tuple-element(both), index=1
  z = f32[2] add(x, y)
  is = pred[] constant(true)
  ROOT made = (f32[2], pred[]) tuple(z, is)
}}

twice {{
  x = f32[2] parameter(0)
  y = f32[2] add(x, x)
  is = pred[] constant(false)
  ROOT made = (f32[2], pred[]) tuple(y, is)
}}

ENTRY main {{
  n = s32[] parameter(0)
  p = pred[] parameter(1)
  x = f32[2] parameter(2)
  y = f32[2] negate(x)
  both = (f32[2], f32[2]) tuple(x, y)
  made = (f32[2], pred[]) conditional({which}{given}), {named}
  ROOT first = f32[2] get-tuple-element(made), index=0
}}
"
        )
    };
    let (both, listed) = (", both, x", "branch_computations={sum, twice}");
    let by_truth = "true_computation=%sum, false_computation=%twice";
    for (which, named, of) in [
        ("n", listed, [[2.0, 4.0], [0.0, 0.0], [2.0, 4.0]]),
        ("p", listed, [[2.0, 4.0], [0.0, 0.0], [0.0, 0.0]]),
        ("p", by_truth, [[2.0, 4.0], [0.0, 0.0], [0.0, 0.0]]),
    ] {
        let graph = read(&text(which, both, named)).unwrap();
        for (n, expected) in [-1i32, 0, 9].into_iter().zip(of) {
            let given = [
                Tensor::scalar(n).unwrap(),
                Tensor::scalar(n >= 0).unwrap(),
                Tensor::new(&[2], &[1.0f32, 2.0]).unwrap(),
            ];
            assert_eq!(parts(&graph.run(&given).unwrap()[0]), expected, "{which} {named} {n}");
        }
    }
    for (which, given, named, message) in [
        ("n", "", listed, "line 25, column 3: twice takes 1 values, and is given 0"),
        ("n", ", x, x", listed, "line 25, column 3: sum takes 2 values, and is given 1"),
        ("n", both, "branch_computations={sum, other}", "line 25, column 3: there is no function other"),
        ("n", both, "branch_computations={sum", "line 26, column 3: there is `ROOT first"),
        ("n", both, "metadata={}", "line 25, column 3: there must be one operand, and a branch"),
        ("p", both, "branch_computations={sum}", "line 25, column 3: there must be two branches"),
        ("x", both, listed, "line 25, column 3: "),
    ] {
        let error = read(&text(which, given, named)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// A parameter of the program that is a tuple is as many inputs.
#[test]
fn tuples_of_inputs() {
    let text = "HloModule tuples
ENTRY main {
  n = f32[] parameter(1)
  both = (f32[2], f32[2]) parameter(0)
  x = f32[2] get-tuple-element(both), index=1
  row = f32[2] broadcast(n), dimensions={}
  ROOT y = f32[2] subtract(x, row)
}
";
    let graph = read(text).unwrap();
    let row = |numbers: &[f32]| Tensor::new(&[2], numbers).unwrap();
    let given = [row(&[1.0, 2.0]), row(&[3.0, 4.0]), Tensor::scalar(1.0f32).unwrap()];
    assert_eq!(parts(&graph.run(&given).unwrap()[0]), [2.0, 3.0]);
}

/// A computation that compares two floats by the whole order of them, of their bits, as the compiler writes it; with more parameters.
fn compared(bits: &str, most: &str, direction: &str, parameters: &str) -> String {
    format!(
        "HloModule compared
before {{
  a = f32[] parameter(0)
  b = f32[] parameter(1){parameters}
  zero = {bits}[] constant(0)
  most = {bits}[] constant({most})
  i = {bits}[] bitcast(a)
  j = {bits}[] bitcast-convert(b)
  i_turned = {bits}[] xor(most, i)
  j_turned = {bits}[] xor(j, most)
  i_below = pred[] compare(i, zero), direction=LT
  j_below = pred[] compare(zero, j), direction=GT
  k = {bits}[] select(i_below, i_turned, i)
  l = {bits}[] select(j_below, j_turned, j)
  ROOT is = pred[] compare(k, l), direction={direction}
}}
"
    )
}

/// Of bits that have no sign it is another order.
#[test]
fn sorts_as_they_are_compiled() {
    let text = |bits: &str, most: &str| {
        compared(bits, most, "LT", "")
            + "ENTRY main {\n  x = f32[5] parameter(0)
  ROOT y = f32[5] sort(x), dimensions={0}, to_apply=before\n}\n"
    };
    let given = [Tensor::new(&[5], &[1.0f32, 0.0, -3.0, -0.0, -1.0]).unwrap()];
    let made = read(&text("s32", "2147483647")).unwrap().run(&given).unwrap();
    assert_eq!(parts(&made[0]), [-3.0, -1.0, -0.0, 0.0, 1.0]);
    assert!(made[0].to_vec::<f32>().unwrap()[2].is_sign_negative());
    for (bits, most) in [("u32", "2147483647"), ("s32", "2147483646"), ("s64", "2147483647")] {
        let error = read(&text(bits, most)).unwrap_err().to_string();
        assert!(error.contains("is none of the comparisons that are known"), "{error}");
    }
}

/// Where nobody reads the places of the greatest elements, what compares these does not know them.
#[test]
fn the_greatest_without_their_places() {
    let text = |direction: &str, parameters: &str, output: &str| {
        let before = compared("s32", "2147483647", direction, parameters);
        format!(
            "{before}ENTRY main {{
  x = f32[2,3] parameter(0)
  both = (f32[2,2], s32[2,2]) custom-call(x), custom_call_target=\"TopK\", called_computations={{before}}
  ROOT y = {output}
}}
"
        )
    };
    let given = [Tensor::new(&[2, 3], &[1.0f32, 3.0, 2.0, -1.0, -3.0, -2.0]).unwrap()];
    let (values, places) =
        ("f32[2,2] get-tuple-element(both), index=0", "s32[2,2] get-tuple-element(both), index=1");
    let made = read(&text("GT", "", values)).unwrap().run(&given).unwrap();
    assert_eq!(made[0].to_vec::<f32>().unwrap(), [3.0, 2.0, -1.0, -2.0]);
    let known = "\n  p = s32[] parameter(2)\n  q = s32[] parameter(3)";
    let made = read(&text("GT", known, places)).unwrap().run(&given).unwrap();
    assert_eq!(made[0].to_vec::<i32>().unwrap(), [1, 2, 0, 2]);
    let error = read(&text("GE", "", values)).unwrap_err().to_string();
    assert!(error.contains("is none of the comparisons that are known"), "{error}");
}

/// The place of the first true or false one, as the compiler leaves it.
#[test]
fn places_of_truth_values() {
    let text = |direction: &str, of_both: &str| {
        format!(
            "HloModule m
region {{
  a = pred[] parameter(0)
  i = s32[] parameter(1)
  b = pred[] parameter(2)
  j = s32[] parameter(3)
  beyond = pred[] compare(a, b), direction={direction}
  value = pred[] {of_both}(a, b)
  same = pred[] compare(a, b), direction=EQ
  before = pred[] compare(i, j), direction=LT
  first = pred[] and(same, before)
  is = pred[] or(beyond, first)
  place = s32[] select(is, i, j)
  ROOT both = (pred[], s32[]) tuple(value, place)
}}
ENTRY main {{
  x = pred[2,3] parameter(0)
  i = s32[2,3] iota(), iota_dimension=1
  no = pred[] constant({})
  zero = s32[] constant(0)
  both = (pred[2], s32[2]) reduce(x, i, no, zero), dimensions={{1}}, to_apply=region
  ROOT y = s32[2] get-tuple-element(both), index=1
}}
",
            of_both == "and"
        )
    };
    let given = [Tensor::new(&[2, 3], &[false, true, true, true, true, false]).unwrap()];
    for (direction, of_both, expected) in [("GT", "or", [1, 0]), ("LT", "and", [0, 2])] {
        let made = read(&text(direction, of_both)).unwrap().run(&given).unwrap();
        assert_eq!(made[0].to_vec::<i32>().unwrap(), expected);
    }
    // The value of one and the place of the other.
    let error = read(&text("GT", "and")).unwrap_err().to_string();
    assert!(error.contains("is none of the folds that are known"), "{error}");
}

/// The same memory: what lies in another order than its axes stand is not what a reshape would give.
#[test]
fn bitcasts_go_by_memory() {
    let made = |operand: &str, result: &str| {
        let text = format!(
            "HloModule cast
ENTRY main {{
  x = f32[2,3] parameter(0)
  y = {operand} copy(x)
  ROOT z = {result} bitcast(y)
}}
"
        );
        let x = Tensor::new(&[2, 3], &[0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        Ok::<_, Error>(parts(&read(&text)?.run(&[x])?[0]))
    };
    for (operand, result, expected) in [
        ("f32[2,3]{1,0}", "f32[3,2]{1,0}", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ("f32[2,3]", "f32[3,2]{0,1:T(8,128)}", [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]),
        ("f32[2,3]{0,1}", "f32[6]{0}", [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]),
        ("f32[2,3]{0,1}", "f32[3,2]{1,0}", [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]),
        ("f32[2,3]{0,1}", "f32[1,2,3]{1,2,0}", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ("f32[2,3]{0,1}", "f32[2,1,3]{0,1,2}", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
    ] {
        assert_eq!(made(operand, result).unwrap(), expected, "{operand} {result}");
    }
    // The upper halves of the numbers; the lower ones are 0.
    let bits: Vec<f64> = [0u32, 0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0].into_iter().map(f64::from).collect();
    let halves = made("f32[2,3]{1,0}", "u16[2,6]{1,0}").unwrap();
    assert_eq!(halves, bits.iter().flat_map(|&high| [0.0, high]).collect::<Vec<_>>());
    let pairs = made("f32[2,3]{1,0}", "u64[3]{0}").unwrap();
    let word = |place: usize| bits[place] * 65536.0;
    assert_eq!(pairs, [0, 2, 4].map(|place| word(place) + word(place + 1) * 4_294_967_296.0));
    for (result, message) in [
        ("f32[3,2]{0,0}", "line 5, column 8: its layout has not each of its 2 axes once"),
        ("f32[3,2]{0,1,2}", "line 5, column 8: its layout has not each of its 2 axes once"),
        ("f32[3,3]{0,1}", "line 5, column 8: "),
    ] {
        let error = made("f32[2,3]", result).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// bf16 as it is compiled for a processor that has none: in f32, and rounded around each step within the region.
#[test]
fn folds_of_rounded_numbers() {
    let text = |opcode: &str, first: &str, short: &str| {
        format!(
            "HloModule m
region {{
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] {opcode}(a, b)
  d = {short}[] convert(c)
  ROOT e = f32[] convert(d)
}}
ENTRY main {{
  x = f32[2,3] parameter(0)
  first = f32[] constant({first})
  ROOT y = f32[2] reduce(x, first), dimensions={{1}}, to_apply=region
}}
"
        )
    };
    let x = Tensor::new(&[2, 3], &[1.001f32, -5.0, 0.5, 256.0, 1.0, 3.0]).unwrap();
    for (opcode, first, short, expected) in [
        ("maximum", "-inf", "bf16", [1.0, 256.0]),
        ("maximum", "-inf", "f16", [1.000_976_6, 256.0]),
        ("minimum", "inf", "bf16", [-5.0, 1.0]),
        ("add", "0", "bf16", [-3.5, 260.0]),
    ] {
        let made = read(&text(opcode, first, short)).unwrap().run(std::slice::from_ref(&x)).unwrap();
        assert_eq!(made[0].to_vec::<f32>().unwrap(), expected, "{opcode} {short}");
    }
    // What is no f32 is not rounded.
    let integers = text("add", "0", "bf16").replace("f32[2", "s32[2").replace("first = f32", "first = s32");
    let error = read(&integers).unwrap_err().to_string();
    assert!(error.contains("the elements are i32, not f32"), "{error}");
    // A type that nothing is computed in says something else, and what is rounded before it is added has a sum that is not.
    let rounded = "  q = bf16[] convert(b)\n  r = f32[] convert(q)\n  ROOT e = f32[] add(a, r)\n}\nENTRY";
    let sum = text("add", "0", "bf16");
    let (head, rest) = sum.split_once("  c = ").unwrap();
    for region in
        [text("add", "0", "f8e5m2"), format!("{head}{rounded}{}", rest.split_once("}\nENTRY").unwrap().1)]
    {
        let error = read(&region).unwrap_err().to_string();
        assert!(error.contains("is none of the folds that are known"), "{error}");
    }
}

/// What is sorted keeps its values where only their comparison is rounded.
#[test]
fn sorts_by_rounded_numbers() {
    let text = "HloModule m
before {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = bf16[] convert(a)
  d = bf16[] convert(b)
  ROOT is = pred[] compare(c, d), direction=LT
}
ENTRY main {
  x = f32[4] parameter(0)
  ROOT y = f32[4] sort(x), dimensions={0}, is_stable=true, to_apply=before
}
";
    let x = Tensor::new(&[4], &[2.0f32, 1.002, 1.001, -1.0]).unwrap();
    let made = read(text).unwrap().run(&[x]).unwrap();
    assert_eq!(made[0].to_vec::<f32>().unwrap(), [-1.0, 1.002, 1.001, 2.0]);
    let one =
        text.replace("  d = bf16[] convert(b)\n", "  c2 = f32[] convert(c)\n").replace("(c, d)", "(c2, b)");
    let error = read(&one).unwrap_err().to_string();
    assert!(error.contains("is none of the comparisons that are known"), "{error}");
}

/// What is done with each element is done with all.
#[test]
fn maps() {
    let text = |region: &str, to: &str| {
        format!(
            "HloModule m
region {{
  a = f32[] parameter(0)
  b = f32[] parameter(1)
{region}
}}
ENTRY main {{
  x = f32[2,2] parameter(0)
  y = f32[2,2] parameter(1)
  ROOT z = {to}[2,2] map(x, y), dimensions={{0,1}}, to_apply=region
}}
"
        )
    };
    let x = Tensor::new(&[2, 2], &[1.0f32, -2.0, 0.004, 256.0]).unwrap();
    let y = Tensor::new(&[2, 2], &[0.004f32, 2.0, 1.0, 1.0]).unwrap();
    let run = |region: &str, to: &str| {
        read(&text(region, to)).unwrap().run(&[x.clone(), y.clone()]).unwrap().remove(0)
    };
    let rounded = "  c = f32[] add(a, b)\n  d = bf16[] convert(c)\n  ROOT e = f32[] convert(d)";
    assert_eq!(parts(&run(rounded, "f32")), [1.007_812_5, 0.0, 1.007_812_5, 256.0]);
    let chosen = "  one = f32[] constant(1)\n  c = pred[] compare(a, one), direction=LT\n  ROOT d = f32[] select(c, b, one)";
    assert_eq!(parts(&run(chosen, "f32")), [1.0, 2.0, 1.0, 1.0]);
    assert_eq!(parts(&run("  ROOT c = s32[] constant(7)", "s32")), [7.0; 4]);
    for (region, expected) in [
        (
            "  c = f32[2] broadcast(a), dimensions={}\n  ROOT d = f32[] slice(c), slice={}",
            "line 6, column 8: ",
        ),
        (
            "  ROOT c = f32[2,2] map(a, b), dimensions={}, to_apply=region",
            "functions, branches and loops lie within",
        ),
        ("  ROOT c = f64[] add(a, b)", "it is f32 of shape scalar, and the text says f64"),
    ] {
        let error = read(&text(region, "f32")).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let other = text("  ROOT c = f32[] add(a, b)", "f32").replace("a = f32[]", "a = s32[]");
    let error = read(&other).unwrap_err().to_string();
    assert!(error.contains("its region takes i32 of shape scalar, and the elements are f32"), "{error}");
}
