//! ONNX's own tests of nodes and of models that PyTorch wrote, from a folder that `tools/onnx/nodes.py` makes.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::{proto, read, read_given, tensor, write};
use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::graph::Graph;
use crate::tensor::Tensor;

/// Cases of operators that are here, which do not pass; with the reason.
const KNOWN: [(&str, &str); 10] = [
    ("test_batchnorm_epsilon_training_mode", TRAINING),
    ("test_batchnorm_example_training_mode", TRAINING),
    ("test_training_dropout", TRAINING),
    ("test_training_dropout_default", TRAINING),
    ("test_training_dropout_default_mask", TRAINING),
    ("test_training_dropout_mask", TRAINING),
    ("test_equal_string", TEXT),
    ("test_equal_string_broadcast", TEXT),
    ("test_identity_opt", NO_TENSOR),
    ("test_identity_sequence", NO_TENSOR),
];

const TRAINING: &str = "models run and do not train";
const TEXT: &str = "there are no tensors of text";
const NO_TENSOR: &str = "an input is a sequence or an optional value";

fn tensors(folder: &Path, kind: &str) -> Result<Vec<Tensor>, Error> {
    let mut found = Vec::new();
    loop {
        let path = folder.join(format!("{kind}_{}.pb", found.len()));
        let Ok(bytes) = std::fs::read(path) else { return Ok(found) };
        found.push(tensor::tensor(&proto::Tensor::decode(&bytes)?, None)?);
    }
}

/// The elements as numbers, complex ones as two.
fn numbers(tensor: &Tensor) -> Vec<f64> {
    let array = Array::from(tensor.clone());
    if tensor.dtype().class() == Class::Complex {
        let whole = array.convert(DType::C128).to_vec::<num_complex::Complex<f64>>().unwrap();
        return whole.into_iter().flat_map(|z| [z.re, z.im]).collect();
    }
    array.convert(DType::F64).to_vec().unwrap()
}

/// Why a result is not what it must be: ONNX's own tolerance, and of halves two of their last bits, because the reference rounds after fewer operations.
fn differs(found: &Tensor, expected: &Tensor) -> Option<String> {
    if found.dtype() != expected.dtype() || found.shape() != expected.shape() {
        let of = |tensor: &Tensor| format!("{} {:?}", tensor.dtype(), tensor.shape());
        return Some(format!("{}, not {}", of(found), of(expected)));
    }
    let (a, b) = (numbers(found), numbers(expected));
    let part = match found.dtype() {
        DType::F16 => 2f64.powi(-9),
        DType::Bf16 => 2f64.powi(-6),
        _ => 1e-3,
    };
    let near = |(a, b): &(&f64, &f64)| {
        let near = (*a - *b).abs() <= 1e-7 + part.max(1e-3) * b.abs();
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) || near
    };
    let wrong = a.iter().zip(&b).find(|pair| !near(pair));
    wrong.map(|(a, b)| format!("{a}, not {b}"))
}

fn run(graph: &Graph, case: &Path, given: &[(&str, Tensor)]) -> Result<Option<String>, Error> {
    let mut inputs = tensors(case, "input")?;
    if !given.is_empty() {
        inputs.retain(|input| !given.iter().any(|(_, tensor)| same(tensor, input)));
    }
    inputs.truncate(graph.inputs().len());
    let found = graph.run(&inputs)?;
    let expected = tensors(case, "output")?;
    let wrong = found.iter().zip(&expected).find_map(|(found, expected)| differs(found, expected));
    Ok(wrong.or_else(|| (found.len() != expected.len()).then(|| format!("{} outputs", found.len()))))
}

fn same(a: &Tensor, b: &Tensor) -> bool {
    (a.dtype(), a.shape(), a.as_bytes()) == (b.dtype(), b.shape(), b.as_bytes())
}

/// What becomes of a case.
enum Outcome {
    Passes,
    /// If its axes and the like are known when it is read.
    PassesGiven,
    /// The operators that are not here.
    OutOfScope(String),
    Fails(String),
}

fn outcome(folder: &Path, again: &mut BTreeMap<String, String>, name: &str) -> Outcome {
    let case = folder.join("test_data_set_0");
    let bytes = std::fs::read(folder.join("model.onnx")).unwrap();
    let mut opened = read(&bytes, Some(folder));
    let mut given = Vec::new();
    let is_open = |error: &Error| {
        ["must be known", "is known only when"].iter().any(|what| error.to_string().contains(what))
    };
    if opened.as_ref().is_err_and(is_open) {
        // Axes and the like are inputs of these models.
        let model = proto::Model::decode(&bytes).unwrap();
        let names = model.graph.as_ref().unwrap().inputs.iter().map(|input| input.name);
        let small = |tensor: &Tensor| tensor.dtype() == DType::I64 && tensor.rank() < 2 || tensor.rank() == 0;
        given = names.zip(tensors(&case, "input").unwrap()).filter(|(_, tensor)| small(tensor)).collect();
        opened = read_given(&bytes, Some(folder), &given);
        if let Ok(graph) = opened {
            return match run(&graph, &case, &given) {
                Ok(None) => Outcome::PassesGiven,
                Ok(Some(wrong)) => Outcome::Fails(wrong),
                Err(error) => Outcome::Fails(error.to_string()),
            };
        }
    }
    let graph = match opened {
        Ok(graph) => graph,
        Err(error) => {
            let mut inner = &error;
            while let ErrorKind::At { error, .. } = inner.kind() {
                inner = error;
            }
            return match inner.kind() {
                ErrorKind::Unsupported { operators } => Outcome::OutOfScope(operators.join(", ")),
                // Two 8-bit floats without a negative zero.
                _ if error.to_string().contains("fnuz") => Outcome::OutOfScope("elements".to_owned()),
                _ => Outcome::Fails(error.to_string()),
            };
        }
    };
    match run(&graph, &case, &given) {
        Ok(None) => {}
        Ok(Some(wrong)) => return Outcome::Fails(wrong),
        Err(error) => return Outcome::Fails(error.to_string()),
    }
    // What is written of it and read again gives the same.
    let written = write(&graph).and_then(|bytes| {
        if let Ok(folder) = std::env::var("NDCAST_ONNX_WRITTEN") {
            std::fs::create_dir_all(&folder)?;
            std::fs::write(Path::new(&folder).join(name).with_extension("onnx"), &bytes)?;
        }
        run(&read(&bytes, None)?, &case, &[])
    });
    match written {
        Ok(None) => {}
        Ok(Some(wrong)) => drop(again.insert(name.to_owned(), format!("WRONG {wrong}"))),
        Err(error) => drop(again.insert(name.to_owned(), error.to_string())),
    }
    Outcome::Passes
}

#[test]
#[ignore = "it needs a folder that tools/onnx/nodes.py makes"]
#[allow(clippy::print_stdout, reason = "the figures are what it is run for")]
fn onnx_node_tests() {
    let folder = std::env::var("NDCAST_ONNX_NODES").expect("NDCAST_ONNX_NODES names the folder");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let (mut passed, mut given, mut wrong, mut known) = (0, 0, Vec::new(), 0);
    let mut out_of_scope: BTreeMap<String, usize> = BTreeMap::new();
    let mut again = BTreeMap::new();
    for name in &names {
        let listed = KNOWN.iter().find(|(other, _)| other == name);
        match (outcome(&Path::new(&folder).join(name), &mut again, name), listed) {
            (Outcome::Passes, None) => passed += 1,
            (Outcome::PassesGiven, None) => given += 1,
            (Outcome::Passes | Outcome::PassesGiven, Some(_)) => {
                wrong.push(format!("{name}: passes, and is listed as one that does not"));
            }
            (Outcome::OutOfScope(operators), _) => {
                let operator = operators.split(' ').next().unwrap_or_default().to_owned();
                *out_of_scope.entry(operator).or_default() += 1;
            }
            (Outcome::Fails(_), Some(_)) => known += 1,
            (Outcome::Fails(why), None) => wrong.push(format!("{name}: {why}")),
        }
    }
    let out: usize = out_of_scope.values().sum();
    println!(
        "{} cases: {passed} pass, and {given} with their axes and the like given when they are read;",
        names.len()
    );
    println!("{known} are known not to; {out} are of other operators:");
    println!("{out_of_scope:?}");
    println!("{} are not written, or not as they were: {again:#?}", again.len());
    assert!(wrong.is_empty(), "{} fail:\n{}", wrong.len(), wrong.join("\n"));
}
