//! What the real XlaBuilder makes of its operations, and what it refuses: `cases/xla_operations.jsonl`.

use ndcast::dialect::hlo::{DotDimensions, GatherDimensions, Padding};
use ndcast::dialect::xla::Builder;
use ndcast::graph::Id;
use ndcast::{Array, DType, Error, Tensor};
use serde_json::Value;

use super::tables::{integers, rows};

fn dtype(name: &str) -> DType {
    match name {
        "pred" => DType::Bool,
        "s8" => DType::I8,
        "s32" => DType::I32,
        "s64" => DType::I64,
        other => other.parse().unwrap(),
    }
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::String(text) => text.parse().unwrap(),
        value => value.as_f64().unwrap(),
    }
}

/// A tensor and its numbers, those of a complex one part by part.
fn tensor(value: &Value) -> (Tensor, Vec<f64>) {
    let dtype = dtype(value[0].as_str().unwrap());
    let shape: Vec<usize> = integers(&value[1]).iter().map(|&n| usize::try_from(n).unwrap()).collect();
    let parts = |value: &Value| match value {
        Value::Array(parts) => parts.iter().map(number).collect(),
        value => vec![number(value)],
    };
    let numbers: Vec<f64> = value[2].as_array().unwrap().iter().flat_map(parts).collect();
    let made = if dtype == DType::C64 {
        let complex = |pair: &[f64]| num_complex::Complex::new(pair[0], pair[1]);
        Array::new(&shape, &numbers.chunks(2).map(complex).collect::<Vec<_>>())
    } else {
        Array::new(&shape, &numbers)
    };
    // Integers of 64 bits are small enough here.
    (made.convert(dtype).eval().unwrap(), numbers)
}

fn parts(tensor: &Tensor) -> Vec<f64> {
    let array = Array::from(tensor.clone());
    if tensor.dtype() == DType::C64 {
        let numbers = array.convert(DType::C128).to_vec::<num_complex::Complex<f64>>().unwrap();
        return numbers.into_iter().flat_map(|n| [n.re, n.im]).collect();
    }
    array.convert(DType::F64).to_vec().unwrap()
}

/// The operation of a row.
fn build(xla: &mut Builder<'_>, op: &str, ids: &[Id], arguments: &Value) -> Result<Id, Error> {
    type Binary = fn(&mut Builder<'_>, Id, Id) -> Result<Id, Error>;
    type Unary = fn(&mut Builder<'_>, Id) -> Result<Id, Error>;
    macro_rules! binary {
        ($($method:ident)*) => { &[$((stringify!($method), |xla, a, b| xla.$method(a, b, &[]))),*] };
    }
    macro_rules! unary {
        ($($method:ident)*) => { &[$((stringify!($method), |xla, x| xla.$method(x))),*] };
    }
    const BINARY: &[(&str, Binary)] = binary!(add sub mul div rem max min pow atan2 and or xor shift_left
        shift_right_arithmetic shift_right_logical eq ne lt le gt ge complex);
    const UNARY: &[(&str, Unary)] = unary!(abs neg sign floor ceil round exp expm1 log log1p logistic sqrt rsqrt
        cbrt sin cos tan tanh erf real imag not population_count clz is_finite);
    if let Some((_, method)) = BINARY.iter().find(|(name, _)| *name == op) {
        return method(xla, ids[0], ids[1]);
    }
    if let Some((_, method)) = UNARY.iter().find(|(name, _)| *name == op) {
        return method(xla, ids[0]);
    }
    let list = || integers(arguments);
    let lists = |place: usize| integers(&arguments[place]);
    let word = |value: &Value| dtype(value.as_str().unwrap());
    match op {
        "select" => xla.select(ids[0], ids[1], ids[2]),
        "clamp" => xla.clamp(ids[0], ids[1], ids[2]),
        "broadcast" => xla.broadcast(ids[0], &list()),
        "broadcast_in_dim" => xla.broadcast_in_dim(ids[0], &lists(0), &lists(1)),
        "convert_element_type" => xla.convert_element_type(ids[0], word(arguments)),
        "bitcast_convert_type" => xla.bitcast_convert_type(ids[0], word(arguments)),
        "reshape" => xla.reshape(ids[0], &list()),
        "collapse" => xla.collapse(ids[0], &list()),
        "transpose" => xla.transpose(ids[0], &list()),
        "rev" => xla.rev(ids[0], &list()),
        "slice" => xla.slice(ids[0], &lists(0), &lists(1), &lists(2)),
        "pad" => {
            let padding = |one: &Value| {
                let numbers = integers(one);
                Padding { low: numbers[0], high: numbers[1], interior: numbers[2] }
            };
            let paddings: Vec<Padding> = arguments.as_array().unwrap().iter().map(padding).collect();
            xla.pad(ids[0], ids[1], &paddings)
        }
        "concat_in_dim" => xla.concat_in_dim(ids, arguments.as_i64().unwrap()),
        "dynamic_slice" => xla.dynamic_slice(ids[0], &ids[1..], &list()),
        "dynamic_update_slice" => xla.dynamic_update_slice(ids[0], ids[1], &ids[2..]),
        "reduce" => xla.reduce(ids[0], ids[1], arguments[0].as_str().unwrap(), &lists(1)),
        "iota" => xla.iota(word(&arguments[0]), &lists(1), arguments[2].as_i64().unwrap()),
        "dot" => xla.dot(ids[0], ids[1]),
        "dot_general" => {
            let dimensions = DotDimensions {
                left_batch: lists(0),
                right_batch: lists(1),
                left_contracting: lists(2),
                right_contracting: lists(3),
            };
            xla.dot_general(ids[0], ids[1], &dimensions, None)
        }
        "gather" => {
            let dimensions = GatherDimensions {
                offset: integers(&arguments["offset"]),
                collapsed: integers(&arguments["collapsed"]),
                start_index_map: integers(&arguments["map"]),
                index_vector: arguments["vector"].as_i64().unwrap(),
                ..GatherDimensions::default()
            };
            xla.gather(ids[0], ids[1], &dimensions, &integers(&arguments["sizes"]))
        }
        "get_dimension_size" => xla.get_dimension_size(ids[0], arguments.as_i64().unwrap()),
        "reduce_precision" => xla.reduce_precision(ids[0], list()[0], list()[1]),
        other => panic!("a row of an operation that is not known here: {other}"),
    }
}

/// Functions that are not computed to the last bit, and differ by a little.
const ROUNDED: &str =
    "pow atan2 exp expm1 log log1p logistic sqrt rsqrt cbrt sin cos tan tanh erf rem div sign abs mul";

fn alike(op: &str, dtype: DType, found: f64, expected: f64) -> bool {
    if expected == 0.0 && found.abs() < f64::from(f32::MIN_POSITIVE) {
        // XLA has no subnormal results, and complex numbers have zeros of either sign.
        return found != 0.0
            || dtype == DType::C64
            || found.is_sign_negative() == expected.is_sign_negative();
    }
    // -1 to a negative power is 0 in this version, and not in today's.
    if op == "pow" && dtype == DType::I8 && expected == 0.0 && found.abs() == 1.0 {
        return true;
    }
    if found.is_nan() || expected.is_nan() {
        return found.is_nan() && expected.is_nan();
    }
    if found == expected {
        return true;
    }
    // What JSON says is not read to the last bit.
    let near = if ROUNDED.split(' ').any(|other| other == op) { 2e-6 } else { 1e-15 };
    (found - expected).abs() <= near * expected.abs()
}

/// What is known to differ, with the reason.
fn known(op: &str, types: &[&str], arguments: &Value) -> Option<&'static str> {
    match (op, types) {
        ("atan2", ["c64", _]) => Some("there is none of complex numbers"),
        ("dot", ["f32", "s32"]) => Some("element types are equal here"),
        ("collapse", _) if integers(arguments).contains(&3) => Some("an axis that is not there is told here"),
        ("reduce_precision", _) if integers(arguments) == [1, 0] => Some("NaN stays NaN here"),
        _ => None,
    }
}

#[test]
fn the_real_builder_agrees() {
    let mut faults = Vec::new();
    let mut seen = 0;
    for row in rows("xla_operations") {
        let op = row["op"].as_str().unwrap();
        let given = row["inputs"].as_array().unwrap();
        let types: Vec<&str> = given.iter().map(|input| input[0].as_str().unwrap()).collect();
        if known(op, &types, &row["arguments"]).is_some() {
            continue;
        }
        seen += 1;
        let inputs: Vec<Tensor> = given.iter().map(|input| tensor(input).0).collect();
        let mut graph = ndcast::graph::Graph::new();
        let mut xla = Builder::new(&mut graph);
        let ids: Vec<Id> = inputs
            .iter()
            .enumerate()
            .map(|(n, input)| {
                xla.parameter(n, input.dtype(), input.shape().into(), &format!("p{n}")).unwrap()
            })
            .collect();
        let what = || {
            let shapes: Vec<String> = given.iter().map(|input| format!("{}{}", input[0], input[1])).collect();
            format!("{op}({}) {}", shapes.join(", "), row["arguments"])
        };
        let built = build(&mut xla, op, &ids, &row["arguments"]);
        match (built, row["error"].as_str()) {
            (Err(_), Some(_)) => {}
            (Ok(_), Some(error)) => faults.push(format!("{}: taken, and {error}", what())),
            (Err(error), None) => faults.push(format!("{}: {error}", what())),
            (Ok(id), None) => {
                graph.output("out", id).unwrap();
                let out = match graph.run(&inputs) {
                    Ok(mut out) => out.remove(0),
                    Err(error) => {
                        faults.push(format!("{}: {error}", what()));
                        continue;
                    }
                };
                let (expected, numbers) = tensor(&row["out"]);
                let inferred = graph.node(id).unwrap().shape().extents();
                if (out.shape(), out.dtype()) != (expected.shape(), expected.dtype())
                    || inferred.as_deref() != Some(out.shape())
                {
                    faults.push(format!("{}: {out:?} is not {expected:?}", what()));
                    continue;
                }
                for (place, (found, expected)) in parts(&out).into_iter().zip(numbers).enumerate() {
                    if !alike(op, out.dtype(), found, expected) {
                        let given: Vec<String> =
                            given.iter().map(|input| input[2][place].to_string()).collect();
                        faults.push(format!("{} of {given:?}: {found} is not {expected}", what()));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} of {seen} fail:\n  {}", faults.len(), faults.join("\n  "));
    assert!(seen > 500);
}
