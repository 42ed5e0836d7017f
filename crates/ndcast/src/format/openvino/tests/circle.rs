//! Models by way of ONNX and back: what they give stays what OpenVINO gives. Their gradients in every format, too.

use super::*;
use ndcast_shape::Shape;

use crate::format::{hlo, onnx, stablehlo};
use crate::graph::gradient;

type There = (&'static str, fn(&Graph) -> Result<Graph, Error>);

/// A graph written in a format and read again.
const FORMATS: [There; 4] = [
    ("ONNX", |graph| onnx::read(&onnx::write(graph)?, None)),
    ("OpenVINO", |graph| {
        let (xml, bin) = write(graph)?;
        read(&xml, &bin)
    }),
    // Which has no names of its own for inputs and outputs.
    ("StableHLO", |graph| stablehlo::read(&stablehlo::write(graph)?)),
    // Nor has this.
    ("HLO", |graph| hlo::read(&hlo::write(graph)?)),
];

/// The same graph with the extents of what it is given, which HLO wants.
fn settled(graph: &Graph, given: &[Tensor]) -> Graph {
    let shapes: Vec<Shape> = given.iter().map(|input| Shape::from(input.shape())).collect();
    graph.with_shapes(&shapes).unwrap()
}

#[test]
fn models_are_the_same_by_way_of_onnx() {
    let mut wrong = Vec::new();
    // ONNX has no elements of 3 or 6 bits.
    for name in names().into_iter().filter(|name| name != "element_types") {
        let (xml, bin) = files(&name);
        let mut graph = read(&xml, &bin).unwrap();
        for (format, there) in &FORMATS[..2] {
            graph = match there(&graph) {
                Ok(again) => again,
                Err(error) => {
                    wrong.push(format!("{name} as {format}: {error}"));
                    break;
                }
            };
            wrong.extend(differences(&graph, &name).into_iter().map(|text| format!("as {format}: {text}")));
        }
    }
    none("by way of ONNX", &wrong);
}

/// What HLO cannot say: elements of types, targets that are inputs, and how many elements are not 0.
const UNSAID_IN_HLO: &[(&str, &str)] = &[
    ("broadcast_3", "has extents that are not known"),
    ("by_tuples", "has extents that are not known"),
    ("element_types", "it has no elements of type u6"),
];

/// Here shapes that are computed, and padding of arrays of one number, are nothing when they are read again; numbers of
/// places are counted from the start once more; and how many are sorted is a slice.
const SHORTER_IN_HLO: &[&str] = &[
    "by_number",
    "channels",
    "folds",
    "fused_attention",
    "movement",
    "movement_dynamic",
    "places",
    "sorting",
];

#[test]
fn models_are_the_same_as_hlo() {
    let mut wrong = Vec::new();
    for name in names() {
        let (xml, bin) = files(&name);
        let graph = read(&xml, &bin).unwrap();
        let [inputs, _] = recorded(&name);
        let find = |wanted: &str| inputs.iter().find(|one| one.name == wanted).unwrap().tensor.clone();
        let given: Vec<Tensor> =
            graph.inputs().iter().map(|&id| find(graph.node(id).unwrap().name().unwrap())).collect();
        let graph = settled(&graph, &given);
        let unsaid = UNSAID_IN_HLO.iter().find(|(other, _)| *other == name);
        match (hlo::write(&graph), unsaid) {
            (Err(error), Some((_, words))) if error.to_string().contains(words) => continue,
            (Err(error), _) => wrong.push(format!("{name}: {error}")),
            (Ok(_), Some(_)) => wrong.push(format!("{name}: it is said now")),
            (Ok(text), None) => {
                let second = hlo::read(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
                let made = [&graph, &second].map(|graph| graph.run(&given).unwrap());
                for (place, (a, b)) in made[0].iter().zip(&made[1]).enumerate() {
                    let near = |(a, b): (f64, f64)| {
                        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-6 + 1e-5 * b.abs()
                    };
                    let same = (a.dtype(), a.shape()) == (b.dtype(), b.shape())
                        && numbers(a).into_iter().zip(numbers(b)).all(near);
                    if !same {
                        wrong.push(format!("{name}: output {place} is {b}\nand not {a}"));
                    }
                }
                let twice = hlo::write(&second).unwrap();
                let line = text.lines().zip(twice.lines()).find(|(a, b)| a != b);
                if let Some((a, b)) = line.filter(|_| !SHORTER_IN_HLO.contains(&&name[..])) {
                    wrong.push(format!("{name}: written at first and then\n    {a}\n    {b}"));
                }
            }
        }
    }
    none("as HLO", &wrong);
}

#[test]
fn gradients_are_written() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for name in names() {
        let (xml, bin) = files(&name);
        let graph = read(&xml, &bin).unwrap();
        let output = graph.outputs()[0].name().to_owned();
        // Where there is none, of integers or because nobody knows it, is not asked here.
        let Ok(back) = gradient(&graph, &output, None) else { continue };
        let [inputs, _] = recorded(&name);
        let given: Vec<Tensor> = inputs.iter().map(|one| one.tensor.clone()).collect();
        let wanted = back.run(&given).unwrap();
        for (format, there) in FORMATS {
            let known = settled(&back, &given);
            let again = match there(if format == "HLO" { &known } else { &back }) {
                Ok(again) => again,
                Err(error) => {
                    wrong.push(format!("{name} as {format}: {error}"));
                    continue;
                }
            };
            let found = again.run(&given).unwrap_or_else(|error| panic!("{name}: {error}\n{back}\n{again}"));
            for (found, wanted) in found.iter().zip(&wanted) {
                let near =
                    |(a, b): (f64, f64)| (a - b).abs() <= 1e-6 + 1e-5 * b.abs() || a.is_nan() && b.is_nan();
                let same = found.shape() == wanted.shape()
                    && numbers(found).into_iter().zip(numbers(wanted)).all(near);
                if !same {
                    wrong.push(format!("{name} as {format}: {found}\nis not\n{wanted}"));
                }
                checked += 1;
            }
        }
    }
    none("gradients", &wrong);
    assert!(checked >= 10, "only {checked} were checked");
}
