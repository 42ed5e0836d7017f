//! Conversions to short types in every format: what is read again makes the same of every number, or nothing was written.

use super::FORMATS;
use crate::array::Array;
use crate::convert::{Overflow, PowerEnds, PowerRounding};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Graph;
use crate::graph::kind::Convert;
use crate::tensor::Tensor;

const SHORT: [DType; 12] = [
    DType::F8E4M3,
    DType::F8E5M2,
    DType::F8E8M0,
    DType::F4E2M1,
    DType::Nf4,
    DType::I4,
    DType::U4,
    DType::I2,
    DType::U2,
    DType::U1,
    DType::U3,
    DType::U6,
];

const FROM: [DType; 8] =
    [DType::F16, DType::Bf16, DType::F32, DType::F64, DType::F8E5M2, DType::I32, DType::U8, DType::Bool];

/// What each format says of conversions to f8e8m0, by the names of their overflows.
const POWERS: [(&str, &str); 4] = [
    ("ONNX", "numpy xla onnx-saturate up-nan up-limits down-nan down-limits nearest-nan nearest-limits"),
    ("OpenVINO", "openvino even-limits"),
    ("StableHLO", "numpy xla nearest-nan"),
    ("HLO", "numpy xla nearest-nan"),
];

fn every_overflow() -> Vec<Overflow> {
    let mut all = vec![Overflow::Numpy, Overflow::Xla, Overflow::OnnxSaturate, Overflow::OpenVino];
    for rounding in [PowerRounding::Up, PowerRounding::Down, PowerRounding::Nearest, PowerRounding::Even] {
        all.extend([PowerEnds::NoNumber, PowerEnds::Limits].map(|ends| Overflow::Power(rounding, ends)));
    }
    all
}

/// No number, numbers beyond the range of each type, and numbers between two neighbours.
fn samples(dtype: DType) -> Result<Tensor, Error> {
    let mut numbers =
        vec![f64::NAN, f64::INFINITY, 0.0, 1e-45, 1e-40, 0.1, 0.3, 0.5, 0.75, 1.0, 1.1, 1.5, 1.9];
    numbers
        .extend([2.0, 2.5, 2.7, 3.0, 3.5, 4.5, 5.0, 6.0, 7.0, 7.9, 8.0, 12.0, 15.9, 16.0, 63.5, 64.0, 100.0]);
    numbers.extend([448.0, 463.0, 464.0, 465.0, 480.0, 1000.0, 57344.0, 61440.0, 65504.0, 1e6, 2147483649.0]);
    numbers.extend([3e9, 1e19, 1e30, 1.6e38, 2.6e38, 3.4e38, 1e300]);
    let below: Vec<f64> = numbers.iter().filter(|x| !x.is_nan()).map(|x| -x).collect();
    numbers.extend(below);
    Array::new(&[numbers.len()], &numbers).convert(dtype).eval()
}

/// The graph of one conversion.
fn converting(from: DType, convert: Convert) -> Result<Graph, Error> {
    let mut graph = Graph::new();
    let x = graph.input("x", from, samples(from)?.shape().into())?;
    let y = graph.add(convert, &[x])?;
    graph.output("y", y)?;
    Ok(graph)
}

/// What a graph gives, without the sign of NaN.
fn given(graph: &Graph, x: &Tensor) -> Result<Vec<String>, Error> {
    let made = Array::from(graph.run(std::slice::from_ref(x))?.remove(0)).convert(DType::F64);
    Ok(made.to_vec::<f64>()?.iter().map(|x| format!("{x:?}")).collect())
}

#[test]
fn what_a_short_type_does_not_hold_is_the_same_when_it_is_read_again() -> Result<(), Error> {
    for (format, again) in FORMATS {
        for to in SHORT {
            let mut moved = Graph::new();
            let x = moved.input("x", to, "3".parse().unwrap())?;
            moved.output("y", x)?;
            if again(&moved).is_err() {
                // It does not have the type.
                continue;
            }
            let mut written = Vec::new();
            for overflow in every_overflow() {
                let mut refused = 0;
                for from in FROM {
                    let graph = converting(from, Convert { to, overflow })?;
                    let what = format!("{format}: {from} to {to} by {overflow}");
                    let read = match again(&graph) {
                        Ok(read) => read,
                        Err(error) => {
                            let error = error.to_string();
                            assert!(error.contains("converts to f8e8m0 by"), "{what}: {error}");
                            refused += 1;
                            continue;
                        }
                    };
                    let x = samples(from)?;
                    assert_eq!(given(&read, &x)?, given(&graph, &x)?, "{what}\n{read}");
                }
                assert!(refused == 0 || refused == FROM.len(), "{format}: some to {to} by {overflow}");
                if refused == 0 {
                    written.push(overflow.to_string());
                }
            }
            let all = every_overflow().iter().map(Overflow::to_string).collect::<Vec<_>>().join(" ");
            let powers = POWERS.iter().find(|(other, _)| *other == format).map_or("", |(_, powers)| powers);
            assert_eq!(written.join(" "), if to == DType::F8E8M0 { powers } else { &all }, "{format}: {to}");
        }
    }
    Ok(())
}

#[test]
fn a_rounding_that_a_format_does_not_have_names_the_one_that_it_has() -> Result<(), Error> {
    for (place, overflow, texts) in [
        (
            0,
            Overflow::OpenVino,
            ["ONNX cannot say it", "by openvino, which is even-limits", "overflow=nearest-limits"],
        ),
        (
            1,
            Overflow::Xla,
            ["OpenVINO has no layers", "by xla, which is nearest-nan", "overflow=even-limits"],
        ),
        (
            2,
            Overflow::OnnxSaturate,
            ["StableHLO has no operations", "by onnx-saturate, which is up-limits", "overflow=nearest-nan"],
        ),
    ] {
        let graph = converting(DType::F32, Convert { to: DType::F8E8M0, overflow })?;
        let error = FORMATS[place].1(&graph).unwrap_err().to_string();
        assert!(texts.iter().all(|text| error.contains(text)), "{error}");
    }
    Ok(())
}
