//! Models by way of ONNX and back: what they give stays what OpenVINO gives. Their gradients in every format, too.

use super::*;
use crate::format::{onnx, stablehlo};
use crate::graph::gradient;

type There = (&'static str, fn(&Graph) -> Result<Graph, Error>);

/// A graph written in a format and read again.
const FORMATS: [There; 3] = [
    ("ONNX", |graph| onnx::read(&onnx::write(graph)?, None)),
    ("OpenVINO", |graph| {
        let (xml, bin) = write(graph)?;
        read(&xml, &bin)
    }),
    // Which has no names of its own for inputs and outputs.
    ("StableHLO", |graph| stablehlo::read(&stablehlo::write(graph)?)),
];

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
            // Elements put by number are a scatter, which is written and not read.
            if (name.as_str(), format) == ("by_number", "StableHLO") {
                continue;
            }
            let again = match there(&back) {
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
