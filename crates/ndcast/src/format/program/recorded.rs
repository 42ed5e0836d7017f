//! For tests: the programs under `cases/stablehlo`, in both texts, and what JAX gives for them.

use std::fs;
use std::path::PathBuf;

use crate::Array;
use crate::dtype::{Class, DType};
use crate::format::data;
use crate::graph::Graph;
use crate::tensor::Tensor;

/// The folder of programs.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases/stablehlo")
}

/// The names of all programs of this ending, in order of the alphabet.
pub(in crate::format) fn names(ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let programs = entries.filter(|path| path.extension().is_some_and(|own| own == ending));
    let mut names: Vec<String> =
        programs.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort_unstable();
    names
}

pub(in crate::format) fn text(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap()
}

/// The inputs and the outputs of a program.
pub(in crate::format) fn recorded(name: &str) -> [Vec<Tensor>; 2] {
    let all = data::open(folder().join(format!("{name}.npz"))).unwrap();
    let numbered = |prefix: &str| {
        let find = |at: usize| all.iter().find(|(name, _)| *name == format!("{prefix}{at}"));
        (0..).map_while(|at| find(at).map(|(_, tensor)| tensor.clone())).collect()
    };
    [numbered("arg"), numbered("")]
}

pub(in crate::format) fn numbers(tensor: &Tensor) -> Vec<f64> {
    Array::from(tensor.clone()).convert(DType::F64).to_vec::<f64>().unwrap()
}

/// Both parts of complex numbers, and others as they are.
pub(in crate::format) fn parts(tensor: &Tensor) -> Vec<f64> {
    if tensor.dtype().class() != Class::Complex {
        return numbers(tensor);
    }
    let array = Array::from(tensor.clone());
    let [real, imag] = [array.real(), array.imag()].map(|part| numbers(&part.eval().unwrap()));
    real.into_iter().chain(imag).collect()
}

/// What of a graph's outputs is not as it was recorded.
pub(in crate::format) fn differences(graph: &Graph, name: &str) -> Vec<String> {
    let [inputs, outputs] = recorded(name);
    let made = match graph.run(&inputs) {
        Ok(made) => made,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    if made.len() != outputs.len() {
        return vec![format!("{name}: there are {} outputs, and JAX has {}", made.len(), outputs.len())];
    }
    let mut wrong = Vec::new();
    for (place, (found, expected)) in made.iter().zip(&outputs).enumerate() {
        let near = match found.dtype() {
            DType::F16 => 2e-3,
            DType::F64 | DType::C128 => 1e-12,
            _ => 1e-5,
        };
        let near = |(a, b): (&f64, &f64)| {
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= near * (0.1 + b.abs())
        };
        let (values, wanted) = (parts(found), parts(expected));
        let same = found.shape() == expected.shape() && found.dtype() == expected.dtype();
        if !same || !values.iter().zip(&wanted).all(near) {
            wrong.push(format!(
                "{name}: {place} is {} {:?} {:?}, and JAX gives {} {:?} {:?}",
                found.dtype(),
                found.shape(),
                &values[..values.len().min(8)],
                expected.dtype(),
                expected.shape(),
                &wanted[..wanted.len().min(8)]
            ));
        }
    }
    wrong
}

pub(in crate::format) fn none(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{what}:\n  {}", wrong.join("\n  "));
}

/// Whether what is written of a program is shorter when it was read once: parts of arrays of numbers are written in steps, of
/// which some are nothing when they are read again; so are shapes that were open; and numbers of rows that are computed are
/// moved into range once more.
pub(in crate::format) fn is_shorter(name: &str) -> bool {
    const SHORTER: &[&str] = &[
        "indexing",
        "pads",
        "slices",
        "scatters",
        "gather_gradients",
        "branches",
        "branches_beyond",
        "sorting",
        "sorting_pairs",
        "topk",
        "halves",
    ];
    let name = name.strip_suffix("_compiled").unwrap_or(name);
    SHORTER.contains(&name) || name.starts_with("poly_")
}
