//! Models that OpenVINO made, with what it gives for them; models that are not as they must be; and models there and back.

mod circle;
mod fragments;
mod malformed;
mod merged;
mod models;
mod mutations;
mod written;

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::dtype::DType;
use crate::tensor::Tensor;

/// The folder of models.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases/openvino")
}

/// The names of all models, in order of the alphabet.
fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let models = entries.filter(|path| path.extension().is_some_and(|ending| ending == "xml"));
    let mut names: Vec<String> =
        models.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort_unstable();
    names
}

/// The text and the constants of a model.
fn files(name: &str) -> (String, Vec<u8>) {
    let path = folder().join(format!("{name}.xml"));
    (fs::read_to_string(&path).unwrap(), fs::read(path.with_extension("bin")).unwrap())
}

/// A tensor that a model is given, or gives.
struct Recorded {
    name: String,
    tensor: Tensor,
}

/// The inputs and the outputs of a model: a line each, `input NAME DTYPE SHAPE VALUES...`.
fn recorded(name: &str) -> [Vec<Recorded>; 2] {
    let text = fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
    let mut all = [Vec::new(), Vec::new()];
    for line in text.lines() {
        let mut words = line.split(' ');
        let place = usize::from(words.next() == Some("output"));
        let name = words.next().unwrap().to_owned();
        let dtype: DType = words.next().unwrap().parse().unwrap();
        let shape = words.next().unwrap().parse::<ndcast_shape::Shape>().unwrap().extents().unwrap();
        let values: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        let tensor = crate::Array::new(&shape, &values).convert(dtype).eval().unwrap();
        all[place].push(Recorded { name, tensor });
    }
    all
}

fn numbers(tensor: &Tensor) -> Vec<f64> {
    crate::Array::from(tensor.clone()).convert(DType::F64).to_vec::<f64>().unwrap()
}

/// What of a graph's outputs is not as it was recorded.
fn differences(graph: &Graph, name: &str) -> Vec<String> {
    let [inputs, outputs] = recorded(name);
    let find = |wanted: &str| inputs.iter().find(|one| one.name == wanted).map(|one| one.tensor.clone());
    let given: Option<Vec<Tensor>> =
        graph.inputs().iter().map(|&id| find(graph.node(id).unwrap().name().unwrap())).collect();
    let Some(given) = given else { return vec![format!("{name}: the inputs are called otherwise")] };
    let made = match graph.run(&given) {
        Ok(made) => made,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let mut wrong = Vec::new();
    for Recorded { name: output, tensor } in &outputs {
        let Some(place) = graph.outputs().iter().position(|one| one.name() == output) else {
            wrong.push(format!("{name}: there is no output {output}"));
            continue;
        };
        let found = &made[place];
        let near = |(a, b): (&f64, &f64)| {
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-6 + 1e-5 * b.abs()
        };
        let (values, expected) = (numbers(found), numbers(tensor));
        if found.shape() != tensor.shape()
            || found.dtype() != tensor.dtype()
            || !values.iter().zip(&expected).all(near)
        {
            wrong.push(format!(
                "{name}: {output} is {} {:?} {:?}, and OpenVINO gives {} {:?} {:?}",
                found.dtype(),
                found.shape(),
                &values[..values.len().min(8)],
                tensor.dtype(),
                tensor.shape(),
                &expected[..expected.len().min(8)]
            ));
        }
    }
    wrong
}

fn none(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{what}:\n  {}", wrong.join("\n  "));
}
