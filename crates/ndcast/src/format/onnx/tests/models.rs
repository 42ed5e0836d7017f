//! Models made by hand: what is read of them, what is refused, and bytes changed at random.

use std::path::Path;

use num_complex::Complex;

use super::super::proto::Tensor as Proto;
use super::super::tensor::tensor;
use super::super::{open, read, write};
use super::by_hand::{
    Parts, call, float, floats, function, info, int, integers, model, node, refers, simple,
};
use super::{Field, message};
use crate::error::Error;
use crate::graph::Graph;
use crate::tensor::Tensor;

use Field::{Bytes, Float, Int, Message as Inner, Text};

/// The shape of x with its first extent 2, computed: `Expand(row, Concat([2], Gather(Shape(x), 1)))`.
fn chain() -> Parts {
    Parts {
        nodes: vec![
            simple("Shape", &["x"], "shape"),
            simple("Gather", &["shape", "one"], "last"),
            node("target", "Concat", &["two", "last"], &["target"], vec![int("axis", 0)]),
            simple("Expand", &["row", "target"], "laid"),
            node("join", "Add", &["laid", "x"], &["y"], vec![]),
        ],
        tensors: vec![integers("one", &[1]), integers("two", &[2])],
        inputs: vec![info("x", 1, Some(&["1", "batch size"])), info("row", 1, Some(&["batch size"]))],
        outputs: vec![info("y", 1, None)],
        ..Parts::default()
    }
}

#[test]
fn shapes_that_a_model_computes() {
    let graph = read(&model(chain()), None).unwrap();
    let y = graph.node(graph.output_named("y").unwrap()).unwrap();
    assert_eq!((y.shape().to_string().as_str(), y.name()), ("2xbatch_size", Some("join")));
    let found = graph.run(&[floats(&[1, 3], &[1.0, 2.0, 3.0]), floats(&[3], &[10.0, 20.0, 30.0])]).unwrap();
    assert_eq!(found[0].to_vec::<f32>().unwrap(), [11.0, 22.0, 33.0, 11.0, 22.0, 33.0]);
}

#[test]
fn names_of_extents_are_words() {
    let inputs = vec![info("x", 1, Some(&["a+b", "a-b", "a+b", "", "3d"])), info("y", 6, None)];
    let outputs = vec![info("x", 1, None)];
    let graph = read(&model(Parts { inputs, outputs, ..Parts::default() }), None).unwrap();
    let shape = |name: &str| graph.node(graph.input_named(name).unwrap()).unwrap().shape().to_string();
    assert_eq!(shape("x"), "a_bxa_b_1xa_bx?x_3d");
    assert_eq!(shape("y"), "...");
    // Words that say nothing of an extent elsewhere are names here, and are read again when they are printed.
    let inputs = vec![info("x", 1, Some(&["None", "null", "None", "_None"]))];
    let graph = read(&model(Parts { inputs, outputs: vec![info("x", 1, None)], ..Parts::default() }), None);
    let graph = graph.unwrap();
    assert_eq!(graph.node(graph.inputs()[0]).unwrap().shape().to_string(), "_Nonex_nullx_Nonex_None_1");
    assert_eq!(graph.to_string().parse::<Graph>().unwrap().to_string(), graph.to_string());
    // Some programs write -1 for what is not known.
    let inputs = vec![info("x", 1, Some(&["-1", "3"]))];
    let graph = read(&model(Parts { inputs, outputs: vec![info("x", 1, None)], ..Parts::default() }), None);
    let graph = graph.unwrap();
    assert_eq!(graph.node(graph.inputs()[0]).unwrap().shape().to_string(), "?x3");
}

#[test]
fn functions_are_written_out() {
    // scaled(x) = x * factor + 1, with a factor that a call may give; twice(x) = scaled(scaled(x)).
    let constant = node("", "Constant", &[], &["f"], vec![refers("value_float", "factor")]);
    let one = node("", "Constant", &[], &["one"], vec![float("value_float", 1.0)]);
    let mut scaled = function(
        "scaled",
        &["x"],
        &["y"],
        &[],
        vec![constant, one, simple("Mul", &["x", "f"], "product"), simple("Add", &["product", "one"], "y")],
    );
    scaled.message(11, &float("factor", 2.0));
    let inner = call("scaled", &["x"], &["z"], vec![]);
    let outer = call("scaled", &["z"], &["y"], vec![refers("factor", "factor")]);
    let twice = function("twice", &["x"], &["y"], &["factor"], vec![inner, outer]);
    let parts = |attributes| Parts {
        nodes: vec![call("twice", &["x"], &["y"], attributes)],
        inputs: vec![info("x", 1, Some(&["1"]))],
        outputs: vec![info("y", 1, None)],
        functions: vec![scaled.clone(), twice.clone()],
        opsets: vec![("", 17), ("own", 1)],
        ..Parts::default()
    };
    for (attributes, expected) in [(vec![], 15.0), (vec![float("factor", 10.0)], 71.0)] {
        let graph = read(&model(parts(attributes)), None).unwrap();
        assert_eq!(graph.run(&[floats(&[1], &[3.0])]).unwrap()[0].to_vec::<f32>().unwrap(), [expected]);
    }
    let text = read(&model(parts(vec![float("other", 1.0)])), None).unwrap_err().to_string();
    assert!(text.contains("the function has no attribute other"), "{text}");
}

#[test]
fn functions_without_an_end() {
    let own = function("a", &["x"], &["y"], &[], vec![call("b", &["x"], &["y"], vec![])]);
    let other = function("b", &["x"], &["y"], &[], vec![call("a", &["x"], &["y"], vec![])]);
    let parts = |functions| Parts {
        nodes: vec![call("a", &["x"], &["y"], vec![])],
        inputs: vec![info("x", 1, None)],
        outputs: vec![info("y", 1, None)],
        functions,
        ..Parts::default()
    };
    let text = read(&model(parts(vec![own, other])), None).unwrap_err().to_string();
    assert!(text.contains("the function calls itself"), "{text}");
    // Each calls the one before it four times: the last is nobody's to write out.
    let mut functions = vec![function("f0", &["x"], &["y"], &[], vec![simple("Neg", &["x"], "y")])];
    for depth in 1..20 {
        let before = format!("f{}", depth - 1);
        let step = |from: &str, to: &str| call(&before, &[from], &[to], vec![]);
        let nodes = vec![step("x", "a"), step("a", "b"), step("b", "c"), step("c", "y")];
        let name = if depth == 19 { "a".to_owned() } else { format!("f{depth}") };
        functions.push(function(&name, &["x"], &["y"], &[], nodes));
    }
    let text = read(&model(parts(functions)), None).unwrap_err().to_string();
    assert!(text.contains("nodes together"), "{text}");
}

#[test]
fn models_that_are_refused() {
    let x = || vec![info("x", 1, Some(&["2", "3"]))];
    let y = || vec![info("y", 1, None)];
    let with = |nodes| Parts { nodes, inputs: x(), outputs: y(), ..Parts::default() };
    let far = |location: &str| {
        let entry = message(&[(1, Text("location")), (2, Text(location))]);
        let tensor = message(&[(1, Int(1)), (2, Int(1)), (8, Text("w")), (13, Inner(entry)), (14, Int(1))]);
        Parts { tensors: vec![tensor], ..with(vec![]) }
    };
    let tensor = |fields: &[(u64, Field<'_>)]| Parts { tensors: vec![message(fields)], ..with(vec![]) };
    for (parts, message) in [
        (
            with(vec![
                simple("Conv", &["x"], "a"),
                simple("Conv", &["x"], "b"),
                node("rnn", "LSTM", &["x"], &["y"], vec![]),
            ]),
            "the model has operators that are not here: Conv (2 times, first node 0, which makes a), LSTM (node rnn)",
        ),
        (with(vec![call("Odd", &["x"], &["y"], vec![])]), "own.Odd (node 0, which makes y)"),
        (
            with(vec![simple("Mish", &["x"], "y")]),
            "not here: Mish is there since opset 18, and this is 17 (node 0",
        ),
        (
            with(vec![simple("Neg", &["z"], "y")]),
            "at node 0, which makes y: no input and no node before it makes \"z\"",
        ),
        (with(vec![simple("Neg", &["x"], "x")]), "there are two values called \"x\""),
        (
            with(vec![node("n", "Add", &["x"], &["y"], vec![])]),
            "at node n: Add: it takes 2 arguments, and 1 are given",
        ),
        (
            with(vec![node("n", "Softmax", &["x"], &["y"], vec![int("axis", 7)])]),
            "at node n: Softmax: there is no axis 7",
        ),
        (with(vec![]), "at y: no node makes this output"),
        (Parts { inputs: [x(), x()].concat(), ..with(vec![]) }, "two inputs called x"),
        (Parts { opsets: vec![("own", 1)], ..with(vec![]) }, "the opset of ONNX's operators is not said"),
        (
            Parts { opsets: vec![("", 0)], ..with(vec![simple("Neg", &["x"], "y")]) },
            "Neg is there since opset 1, and this is 0",
        ),
        (
            Parts { opsets: vec![("", 999)], ..with(vec![simple("Neg", &["x"], "y")]) },
            "opset 999 is not known",
        ),
        (
            Parts { inputs: vec![info("x", 1, Some(&["-5"]))], ..with(vec![]) },
            "the extent -5, and none is negative",
        ),
        (Parts { inputs: vec![info("x", 18, None)], ..with(vec![]) }, "(float8e4m3fnuz)"),
        (far("/etc/passwd"), "is not in the model's folder"),
        (far("../secret"), "is not in the model's folder"),
        (far("a/../../secret"), "is not in the model's folder"),
        (far(""), "is not in the model's folder"),
        (
            tensor(&[(1, Int(3)), (2, Int(1)), (8, Text("w")), (9, Bytes(&[0; 8]))]),
            "at w: 3 has 3 elements, and 2 were given",
        ),
        (
            tensor(&[(1, Int(3)), (2, Int(1)), (8, Text("w")), (4, Float(1.0))]),
            "at w: 3 has 3 elements, and 1 were given",
        ),
        (tensor(&[(1, Int(1 << 40)), (1, Int(1 << 40)), (2, Int(1)), (8, Text("w"))]), "at w: "),
        (
            tensor(&[(1, Int(-3)), (2, Int(1)), (8, Text("w"))]),
            "at w: the shape has the extent -3, and none is negative",
        ),
        (tensor(&[(2, Int(8)), (8, Text("w")), (6, Text("text"))]), "have no fixed size"),
        (
            tensor(&[(1, Int(3)), (2, Int(22)), (8, Text("w")), (9, Bytes(&[0]))]),
            "3 of i4 do not lie in 1 bytes",
        ),
    ] {
        let text = read(&model(parts), Some(Path::new("."))).unwrap_err().to_string();
        assert!(text.contains(message), "{text}\n  not {message}");
    }
    for (bytes, message) in [
        (&b""[..], "it has no graph"),
        (b"hello world", "it is no ONNX model"),
        (b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x01", "a field is longer than its message"),
        (&[0xff; 20], "a number has more than ten bytes"),
    ] {
        let text = read(bytes, None).unwrap_err().to_string();
        assert!(text.contains(message), "{text}\n  not {message}");
    }
}

#[test]
fn tensors_beside_the_model() {
    let folder = std::env::temp_dir().join(format!("ndcast-onnx-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inside")).unwrap();
    let bytes: Vec<u8> = [9.0f32, 1.0, 2.0, 3.0].iter().flat_map(|n| n.to_le_bytes()).collect();
    std::fs::write(folder.join("w.bin"), &bytes).unwrap();
    let save = |location: &str, offset: &str, length: Option<&str>| -> Result<Graph, Error> {
        let entry = |key, value| (13, Inner(message(&[(1, Text(key)), (2, Text(value))])));
        let mut fields = vec![(1, Int(3)), (2, Int(1)), (8, Text("w")), (14, Int(1))];
        fields.extend([entry("location", location), entry("offset", offset)]);
        fields.extend(length.map(|length| entry("length", length)));
        let parts =
            Parts { tensors: vec![message(&fields)], outputs: vec![info("w", 1, None)], ..Parts::default() };
        let path = folder.join("inside/model.onnx");
        std::fs::write(&path, model(parts)).unwrap();
        open(path)
    };
    std::fs::copy(folder.join("w.bin"), folder.join("inside/w.bin")).unwrap();
    let graph = save("w.bin", "4", Some("12")).unwrap();
    assert_eq!(graph.run(&[]).unwrap()[0].to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0]);
    assert!(save("./w.bin", "4", None).is_ok());
    for (location, offset, length, message) in [
        ("w.bin", "8", None, "12 bytes are said to be at 8, and the file has 16"),
        ("w.bin", "4", Some("8"), "it has 12 bytes, and its length is said to be 8"),
        ("w.bin", "18446744073709551615", None, "bytes are said to be at"),
        ("w.bin", "x", None, "its offset \"x\" is no number of bytes"),
        ("missing.bin", "0", None, "missing.bin"),
        ("../w.bin", "4", None, "is not in the model's folder"),
        #[cfg(unix)]
        ("link.bin", "4", None, "is not in the model's folder"),
    ] {
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(folder.join("w.bin"), folder.join("inside/link.bin"));
        let text = save(location, offset, length).unwrap_err().to_string();
        assert!(text.contains(message), "{text}\n  not {message}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What is written and read again computes the same.
#[test]
fn what_is_written_is_read() {
    let text = r#"
        %0 = input "x" dtype=f32 shape=Nx2x6
        %1 = input "row" dtype=f32 shape=6
        %2 = constant dtype=i64 shape=2 values=[1, -1]
        %3 = fit(%1, %0) rule=array-api operands=2 operand=0
        %4 = multiply(%0, %3)
        %5 = slice(%4) index=[:, None, 0, ::-2]
        %6 = insert(%0, %21) index=[:, 0, ::2]
        %7 = reduce(%6) with=sum axes=[2] keep=axes
        %8 = accumulate(%0) with=sum axis=1 direction=backward start=before
        %9 = find(%0) which=max axis=2 keep=nothing to=i32
        %10 = take(%0, %2) axis=1
        %11 = transpose(%0) order=[2, 0, 1]
        %12 = constant dtype=f32 shape=scalar values=[0.5]
        %13 = broadcast(%12) axes=[:2, :6]
        %14 = broadcast(%1) axes=[:2, 0]
        %15 = elu(%14, %13)
        %16 = expm1(%1)
        %17 = convert(%1) to=bf16
        %18 = concatenate(%0, %0) axis=2
        %19 = reshape(%0) to=[-1, 12]
        %20 = shape_of(%0) to=i32
        %22 = logaddexp(%1, %16)
        %23 = swish(%14, %13)
        %24 = remainder(%14, %13)
        %25 = matmul(%0, %1)
        output "a" = %5
        output "b" = %7
        output "c" = %8
        output "d" = %9
        output "e" = %10
        output "f" = %11
        output "g" = %15
        output "h" = %22
        output "i" = %17
        output "j" = %18
        output "k" = %19
        output "l" = %20
        output "m" = %23
        output "n" = %24
        output "o" = %25
    "#;
    let text = text.replace("        %6 =", "        %21 = slice(%0) index=[:, 1, 1::2]\n        %6 =");
    let graph: Graph = text.parse().unwrap();
    let again = read(&write(&graph).unwrap(), None).unwrap();
    let x: Vec<f32> = (0u16..36).map(|n| f32::from(n % 7) - 2.5).collect();
    let inputs = [floats(&[3, 2, 6], &x), floats(&[6], &[0.5, -1.0, 2.0, 0.25, -3.0, 1.0])];
    let (first, second) = (graph.run(&inputs).unwrap(), again.run(&inputs).unwrap());
    for ((a, b), output) in first.iter().zip(&second).zip(graph.outputs()) {
        let name = output.name();
        assert_eq!((a.dtype(), a.shape()), (b.dtype(), b.shape()), "{name}");
        let numbers = |tensor: &Tensor| {
            crate::array::Array::from(tensor.clone()).convert(crate::DType::F64).to_vec::<f64>()
        };
        for (a, b) in numbers(a).unwrap().iter().zip(&numbers(b).unwrap()) {
            assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{name}: {a}, not {b}");
        }
    }
}

#[test]
fn what_onnx_cannot_say() {
    for (line, message) in [
        (
            "%1 = bessel_i1e(%0) \"layer\"",
            "at layer: ONNX cannot say it: it has no operator for bessel_i1e of f32",
        ),
        ("%1 = accumulate(%0) with=max axis=0 direction=forward start=with", "it has no running max"),
    ] {
        let text = format!("%0 = input \"x\" dtype=f32 shape=N\n{line}\noutput \"y\" = %1\n");
        let text = write(&text.parse().unwrap()).unwrap_err().to_string();
        assert!(text.contains(message), "{text}\n  not {message}");
    }
}

/// Every model cut off anywhere, and with bytes changed.
#[test]
fn changed_bytes_do_not_panic() {
    let function = function("f", &["x"], &["y"], &[], vec![simple("Neg", &["x"], "y")]);
    let calls = Parts {
        nodes: vec![call("f", &["x"], &["y"], vec![])],
        inputs: vec![info("x", 1, Some(&["2"]))],
        outputs: vec![info("y", 1, None)],
        functions: vec![function],
        ..Parts::default()
    };
    let mut state = 1u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below.max(1)
    };
    for seed in [model(chain()), model(calls)] {
        for cut in 0..seed.len() {
            let _ = read(&seed[..cut], None);
        }
        for _ in 0..8000 {
            let mut bytes = seed.clone();
            for _ in 0..=next(3) {
                let place = next(bytes.len());
                let values = [0, 1, 0x7f, 0xff, u8::try_from(next(256)).unwrap()];
                bytes[place] = values[next(values.len())];
            }
            let _ = read(&bytes, None);
        }
    }
}

/// A complex number is two.
#[test]
fn half_of_a_complex_number() {
    let of = |floats: &[f32]| {
        let proto = Proto { dims: vec![1], dtype: 14, floats: floats.to_vec(), ..Proto::default() };
        tensor(&proto, None)
    };
    assert_eq!(of(&[1.0, 2.0]).unwrap().to_vec::<Complex<f32>>().unwrap(), [Complex::new(1.0, 2.0)]);
    let error = of(&[1.0, 2.0, 3.0]).unwrap_err().to_string();
    assert_eq!(error, "complex elements are two numbers each, and there are 3");
}
