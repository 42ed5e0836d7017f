//! What is written as either text is read again as it was.

use crate::Array;
use crate::array::Keep;
use crate::dtype::DType;
use crate::error::Error;
use crate::format::program::recorded::numbers;
use crate::format::{hlo, stablehlo};
use crate::graph::Graph;
use crate::graph::kind::{
    Accumulate, Direction, Find, Insert, InsertBy, Scatter, Slice, Start, Take, TakeAlong,
};
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

#[derive(Clone, Copy)]
struct Format {
    name: &'static str,
    write: fn(&Graph) -> Result<String, Error>,
    read: fn(&str) -> Result<Graph, Error>,
}

const BOTH: [Format; 2] = [
    Format { name: "StableHLO", write: stablehlo::write, read: stablehlo::read },
    Format { name: "HLO", write: hlo::write, read: hlo::read },
];

/// A graph written and read again: both texts.
fn again(graph: &Graph, format: Format) -> (String, Graph) {
    let text = (format.write)(graph).unwrap_or_else(|error| panic!("{error}\n{graph}"));
    let read = (format.read)(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, read)
}

#[test]
fn folds_and_places_are_written() {
    let x = "2x5".parse::<ndcast_shape::Shape>().unwrap();
    let values =
        Tensor::new(&[2, 5], &[3.0f32, -1.0, f32::NAN, 7.0, 7.0, 0.5, 2.0, -4.0, 2.0, -4.0]).unwrap();
    let mut graph = Graph::new();
    let id = graph.input("x", DType::F32, x).unwrap();
    let mut outputs = Vec::new();
    for reduction in [Reduction::Sum, Reduction::Prod, Reduction::Max, Reduction::Min] {
        for direction in [Direction::Forward, Direction::Backward] {
            for start in [Start::With, Start::Before] {
                outputs.push(graph.add(Accumulate { reduction, axis: 1, direction, start }, &[id]).unwrap());
            }
        }
        for keep in [Keep::Axes, Keep::Nothing] {
            outputs.push(graph.fold(reduction, id, &[0], keep).unwrap());
        }
    }
    for which in [Reduction::Max, Reduction::Min] {
        for keep in [Keep::Axes, Keep::Nothing] {
            outputs.push(graph.add(Find { which, axis: 1, keep, to: DType::I64 }, &[id]).unwrap());
        }
    }
    for (place, id) in outputs.iter().enumerate() {
        graph.output(&place.to_string(), *id).unwrap();
    }
    for format in BOTH {
        let (_, second) = again(&graph, format);
        let (a, b) = (
            graph.run(std::slice::from_ref(&values)).unwrap(),
            second.run(std::slice::from_ref(&values)).unwrap(),
        );
        for (place, (a, b)) in a.iter().zip(&b).enumerate() {
            assert_eq!(format!("{:?}", numbers(a)), format!("{:?}", numbers(b)), "{} {place}", format.name);
        }
    }
}

/// Elements put where numbers say, one upon the other or as a sum.
#[test]
fn scatters_are_written() {
    let mut graph = Graph::new();
    let [x, n, u] = [("x", DType::F32), ("n", DType::I32), ("u", DType::F32)]
        .map(|(name, dtype)| graph.input(name, dtype, "2x3".parse().unwrap()).unwrap());
    for (place, with) in [Some(Op::Add), None].into_iter().enumerate() {
        let y = graph.add(Scatter { axis: 1, with }, &[x, n, u]).unwrap();
        graph.output(&place.to_string(), y).unwrap();
    }
    let inputs = [
        Tensor::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap(),
        Tensor::new(&[2, 3], &[0, 0, -1, 2, 1, 0]).unwrap(),
        Tensor::new(&[2, 3], &[10.0f32, 20.0, 30.0, 40.0, 50.0, 60.0]).unwrap(),
    ];
    for format in BOTH {
        let (text, second) = again(&graph, format);
        assert!(text.contains("scatter_indices_batching_dims"), "{text}");
        for graph in [&graph, &second] {
            let made = graph.run(&inputs).unwrap();
            assert_eq!(numbers(&made[0]), [31.0, 2.0, 33.0, 64.0, 55.0, 46.0]);
            assert_eq!(numbers(&made[1]), [20.0, 2.0, 30.0, 60.0, 50.0, 40.0]);
        }
    }
}

/// Parts of arrays, taken and put, backwards and with steps between.
#[test]
fn parts_are_written() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::I32, "3x5".parse().unwrap()).unwrap();
    let zero = graph.number(0, DType::I32).unwrap();
    let mut outputs = Vec::new();
    for index in ["::2, 1:4", "::-1, 4:0:-2", "1, ...", "..., -1", "0:0, :", "::2, ::-2"] {
        let index = ndcast_shape::parse_index(index).unwrap();
        let part = graph.add(Slice { index: index.clone() }, &[x]).unwrap();
        // The same part, put where it was among zeros and among what was there doubled.
        let double = graph.apply(Op::Add, &[x, x]).unwrap();
        let among = graph.add(Insert { index: index.clone() }, &[double, part]).unwrap();
        let zeros = graph.add(crate::graph::kind::Broadcast::scalar(&[3, 5]), &[zero]).unwrap();
        let padded = graph.add(Insert { index }, &[zeros, part]).unwrap();
        outputs.extend([part, among, padded]);
    }
    // Of no axes the part is all.
    let [one, two] = [1, 2].map(|n| graph.number(n, DType::I32).unwrap());
    outputs.push(graph.add(Insert { index: Vec::new() }, &[one, two]).unwrap());
    for (place, id) in outputs.iter().enumerate() {
        graph.output(&place.to_string(), *id).unwrap();
    }
    let values = Tensor::new(&[3, 5], &(1..16).collect::<Vec<i32>>()).unwrap();
    let wanted = graph.run(std::slice::from_ref(&values)).unwrap();
    for format in BOTH {
        let found = again(&graph, format).1.run(std::slice::from_ref(&values)).unwrap();
        for (place, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert_eq!(found.shape(), wanted.shape(), "{} {place}", format.name);
            assert_eq!(numbers(found), numbers(wanted), "{} {place}", format.name);
        }
    }
}

#[test]
fn constants_are_read_as_they_were() {
    let floats = [0.1f32, -0.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::INFINITY, f32::NAN, 16_777_216.0];
    let many: Vec<i16> = (-100..100).collect();
    let truths: Vec<bool> = (0..300).map(|n| n % 3 == 0).collect();
    let tensors = [
        Tensor::new(&[2, 2, 2], &floats).unwrap(),
        Tensor::new(&[1], &[0.1f64]).unwrap(),
        Tensor::new(&[100, 2], &many).unwrap(),
        Tensor::new(&[300], &truths).unwrap(),
        Tensor::new(&[0, 3], &[] as &[f32]).unwrap(),
        Tensor::new(&[2, 0, 3], &[] as &[i32]).unwrap(),
        // Every NaN is the one that it was.
        Tensor::new(&[3], &[0xFFC0_0000u32, 0x7F80_0001, 0xFFC0_0005].map(f32::from_bits)).unwrap(),
        Tensor::new(&[2], &[0xFFF8_0000_0000_0000u64, 0x7FF0_0000_0000_0001].map(f64::from_bits)).unwrap(),
        Array::new(&[3], &[-8, 7, 0]).convert(DType::I4).eval().unwrap(),
        Array::new(&[3], &[1.5, -2.0, 448.0]).convert(DType::F8E4M3).eval().unwrap(),
        Array::new(&[3], &[f64::NAN, f64::INFINITY, 5e-5]).convert(DType::F8E5M2).eval().unwrap(),
        Array::new(&[3], &[0.25, 1.0, 1024.0]).convert(DType::F8E8M0).eval().unwrap(),
        Array::new(&[3], &[0.5, -6.0, 3.0]).convert(DType::F4E2M1).eval().unwrap(),
        Array::new(&[2], &[0.1, -3.0]).convert(DType::Bf16).eval().unwrap(),
        Array::new(&[4], &[0.1, 6e-8, f64::NAN, -65504.0]).convert(DType::F16).eval().unwrap(),
        Array::new(&[2], &[0.1, -3.0]).convert(DType::C128).eval().unwrap(),
        Tensor::scalar(u64::MAX).unwrap(),
        Tensor::scalar(i64::MIN).unwrap(),
    ];
    for tensor in tensors {
        let mut graph = Graph::new();
        let id = graph.constant(tensor.clone()).unwrap();
        graph.output("0", id).unwrap();
        for format in BOTH {
            let (text, second) = again(&graph, format);
            let found = second.run(&[]).unwrap().remove(0);
            assert_eq!((found.dtype(), found.shape()), (tensor.dtype(), tensor.shape()), "{text}");
            assert_eq!(found.as_bytes(), tensor.as_bytes(), "{text}");
        }
    }
}

/// A constant of one line, as most are: the places of its elements are not counted from the beginning of it for each.
#[test]
fn long_constants_are_read() {
    let numbers: Vec<i32> = (0..300_000).map(|n| n % 10).collect();
    let list = numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
    let stablehlo = |list: &str| {
        format!(
            "func.func @main() -> tensor<300000xi32> {{\n  \
             %0 = stablehlo.constant dense<[{list}]> : tensor<300000xi32>\n  return %0 : tensor<300000xi32>\n}}\n"
        )
    };
    let hlo = |list: &str| {
        format!("HloModule m\n\nENTRY main {{\n  ROOT c = s32[300000]{{0}} constant({{{list}}})\n}}\n")
    };
    for (format, text) in BOTH.into_iter().zip([&stablehlo as &dyn Fn(&str) -> String, &hlo]) {
        let made = (format.read)(&text(&list)).unwrap().run(&[]).unwrap();
        assert_eq!(made[0].to_vec::<i32>().unwrap(), numbers, "{}", format.name);
        let wrong = text(&format!("{}x", &list[..list.len() - 1]));
        let (line, column) =
            wrong.lines().zip(1..).find_map(|(text, line)| Some((line, text.find(", x")? + 3))).unwrap();
        let error = (format.read)(&wrong).unwrap_err().to_string();
        assert!(error.starts_with(&format!("line {line}, column {column}: there is `x")), "{error}");
    }
}

/// A type of a byte does not hold the extent that is added to what counts from the end.
#[test]
fn places_of_a_byte_among_more_elements() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "200".parse().unwrap()).unwrap();
    let inputs = [("i", DType::I8), ("u", DType::U8)]
        .map(|(name, dtype)| graph.input(name, dtype, "2".parse().unwrap()).unwrap());
    for (place, numbers) in inputs.into_iter().enumerate() {
        let rows = graph.add(Take { axis: 0, batch: 0 }, &[x, numbers]).unwrap();
        let along = graph.add(TakeAlong { axis: 0 }, &[x, numbers]).unwrap();
        let double = graph.apply(Op::Add, &[rows, along]).unwrap();
        let put = graph.add(Scatter { axis: 0, with: None }, &[x, numbers, double]).unwrap();
        for (name, id) in [("rows", rows), ("along", along), ("put", put)] {
            graph.output(&format!("{name} {place}"), id).unwrap();
        }
    }
    let values: Vec<f32> = (0..200u8).map(f32::from).collect();
    let given = [
        Tensor::new(&[200], &values).unwrap(),
        Tensor::new(&[2], &[-1i8, 100]).unwrap(),
        Tensor::new(&[2], &[199u8, 100]).unwrap(),
    ];
    let wanted = graph.run(&given).unwrap();
    assert_eq!(numbers(&wanted[0]), [199.0, 100.0]);
    for format in BOTH {
        let (text, second) = again(&graph, format);
        for (found, wanted) in second.run(&given).unwrap().iter().zip(&wanted) {
            assert_eq!(numbers(found), numbers(wanted), "{text}");
        }
    }
}

/// HLO has paddings and places as numbers: parts whose ends are computed are refused there, and not misspelled.
#[test]
fn parts_by_computed_ends_are_no_hlo() {
    let mut graph = Graph::new();
    let [x, part] = [("x", "6"), ("part", "3")]
        .map(|(name, shape)| graph.input(name, DType::F32, shape.parse().unwrap()).unwrap());
    let [starts, stops] =
        ["starts", "stops"].map(|name| graph.input(name, DType::I64, "1".parse().unwrap()).unwrap());
    let step = graph.integers(&[1]).unwrap();
    let put = graph.add(InsertBy { axes: vec![0] }, &[x, part, starts, stops, step]).unwrap();
    graph.output("0", put).unwrap();
    assert!(stablehlo::write(&graph).unwrap().contains("stablehlo.dynamic_pad"));
    let error = hlo::write(&graph).unwrap_err().to_string();
    assert!(error.contains("its shape or its places are computed, and HLO has them as numbers"), "{error}");
}
