//! The rows of `cases/onnx_nodes.txt`: what the reference implementation of ONNX makes of small nodes. Each is run with
//! known extents, with unknown ones as far as the operator takes them, and of constants alone.

use ndcast_shape::Shape;

use super::super::{Attribute, Attributes};
use super::{Given, Try, numbers};
use crate::array::Array;
use crate::dtype::DType;
use crate::tensor::Tensor;

const ROWS: &str = include_str!("../../../../../../cases/onnx_nodes.txt");

/// `f32 2x3 1,2,3,4,5,6`
fn tensor(text: &str) -> Tensor {
    let fields: Vec<&str> = text.split(' ').collect();
    let dtype: DType = fields[0].parse().unwrap();
    let shape = fields[1].parse::<Shape>().unwrap().extents().unwrap();
    let elements: Vec<&str> = fields[2].split(',').filter(|text| !text.is_empty()).collect();
    let array = match elements.iter().map(|text| text.parse().ok()).collect::<Option<Vec<i64>>>() {
        Some(integers) => Array::new(&shape, &integers),
        None => Array::new(&shape, &elements.iter().map(|text| text.parse().unwrap()).collect::<Vec<f64>>()),
    };
    array.convert(dtype).eval().unwrap()
}

fn attribute(text: &str) -> Attribute {
    if let Some(text) = text.strip_prefix('"') {
        return text.trim_end_matches('"').into();
    }
    if let Some(list) = text.strip_prefix('[') {
        let items: Vec<&str> =
            list.trim_end_matches(']').split(',').filter(|item| !item.is_empty()).collect();
        return match items
            .iter()
            .map(|item| item.strip_suffix('f')?.parse().ok())
            .collect::<Option<Vec<f32>>>()
        {
            Some(floats) if !floats.is_empty() => floats.into(),
            _ => items.iter().map(|item| item.parse().unwrap()).collect::<Vec<i64>>().into(),
        };
    }
    match (text.strip_prefix('<'), text.strip_suffix('f')) {
        (Some(text), _) => tensor(text).into(),
        (_, Some(text)) => text.parse::<f32>().unwrap().into(),
        _ => text.parse::<i64>().unwrap().into(),
    }
}

/// Why a result is not what it must be.
fn differs(found: &Tensor, expected: &Tensor) -> Option<String> {
    if found.dtype() != expected.dtype() || found.shape() != expected.shape() {
        let of = |tensor: &Tensor| format!("{} {:?}", tensor.dtype(), tensor.shape());
        return Some(format!("{}, not {}", of(found), of(expected)));
    }
    let tolerance = match found.dtype() {
        DType::F16 | DType::Bf16 => 2e-3,
        DType::F32 => 3e-6,
        _ => 0.0,
    };
    let (a, b) = (numbers(found).unwrap(), numbers(expected).unwrap());
    let near = |(a, b): (&f64, &f64)| {
        a.to_bits() == b.to_bits()
            || (a.is_nan() && b.is_nan())
            || (a - b).abs() <= tolerance * b.abs().max(1.0)
    };
    (!a.iter().zip(&b).all(near)).then(|| format!("{a:?}, not {b:?}"))
}

/// Operators that want numbers from some input before they run, or extents: in one of the rows.
const WANT_KNOWN: [&str; 12] = [
    "Squeeze",
    "Split",
    "GatherND",
    "ScatterND",
    "CenterCropPad",
    "RotaryEmbedding",
    "QuantizeLinear",
    "DequantizeLinear",
    "Pad",
    "Reshape",
    "GatherElements",
    "ScatterElements",
];

#[test]
fn as_the_reference() {
    let mut wrong = Vec::new();
    let mut unknown = 0;
    for (line, text) in ROWS.lines().enumerate() {
        let fields: Vec<&str> = text.split('\t').collect();
        let op = fields[0];
        let mut node = Try::new(fields[1].parse().unwrap(), op, Vec::new(), Attributes::new());
        let mut expected: Vec<Tensor> = Vec::new();
        for field in &fields[2..] {
            match field.split_at(1) {
                ("@", text) => {
                    let (name, value) = text.split_once('=').unwrap();
                    node.attributes.put(name, attribute(value));
                }
                ("<", "") => node.inputs.push(None),
                ("<", text) => node.inputs.push(Some(tensor(text))),
                (_, text) => expected.push(tensor(text)),
            }
        }
        node.outputs = expected.len();
        for given in [Given::Known, Given::Unknown, Given::Constant] {
            let found = match node.run(given) {
                Ok(found) => found,
                Err(error) if given == Given::Unknown && error.to_string().contains("must be known") => {
                    assert!(WANT_KNOWN.contains(&op), "{op} wants to know something: {error}");
                    continue;
                }
                Err(error) => {
                    wrong.push(format!("{}: {op}: {error}", line + 1));
                    continue;
                }
            };
            unknown += usize::from(given == Given::Unknown);
            for (found, expected) in found.iter().zip(&expected) {
                if let Some(why) = differs(found, expected) {
                    wrong.push(format!("{}: {op}: {why}", line + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
    assert!(unknown > 300, "{unknown} rows were run with unknown extents");
}
