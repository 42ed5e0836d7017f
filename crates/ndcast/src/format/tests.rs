//! Graphs that every format of models says, and that are the same when they are read again.

mod conversions;

use super::{hlo, onnx, openvino, stablehlo};
use crate::array::Array;
use crate::convert::Overflow;
use crate::dialect::onnx::{Attributes, Builder};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Bitcast, Convert, Insert, Slice, TakeAlong, Transpose};
use crate::graph::{Graph, Id, gradient};
use crate::op::Op;
use crate::tensor::Tensor;
use ndcast_shape::parse_index;

type Again = fn(&Graph) -> Result<Graph, Error>;

/// Ways to write a graph and to read it again.
const FORMATS: [(&str, Again); 4] = [
    ("ONNX", |graph| onnx::read(&onnx::write(graph)?, None)),
    ("OpenVINO", |graph| {
        let (xml, bin) = openvino::write(graph)?;
        openvino::read(&xml, &bin)
    }),
    ("StableHLO", |graph| stablehlo::read(&stablehlo::write(graph)?)),
    ("HLO", |graph| hlo::read(&hlo::write(graph)?)),
];

/// Runs a graph of these inputs, and what each format makes of it; what the graph gives as floats.
fn everywhere(
    inputs: &[Tensor],
    but: &[&str],
    make: impl Fn(&mut Graph, &[Id]) -> Result<Id, Error>,
) -> Result<Vec<f64>, Error> {
    let mut graph = Graph::new();
    let mut ids = Vec::new();
    for (place, input) in inputs.iter().enumerate() {
        ids.push(graph.input(&format!("x{place}"), input.dtype(), input.shape().into())?);
    }
    let y = make(&mut graph, &ids)?;
    graph.output("y", y)?;
    let result = |graph: &Graph| -> Result<(Vec<usize>, Vec<f64>), Error> {
        let made = graph.run(inputs)?[0].clone();
        Ok((made.shape().to_vec(), Array::from(made).convert(DType::F64).to_vec()?))
    };
    let expected = result(&graph)?;
    for (name, again) in FORMATS.into_iter().filter(|(name, _)| !but.contains(name)) {
        let again = again(&graph).unwrap_or_else(|error| panic!("{name}: {error}\n{graph}"));
        let found = result(&again).unwrap_or_else(|error| panic!("{name}: {error}\n{again}"));
        let bits = |(shape, elements): &(Vec<usize>, Vec<f64>)| {
            (shape.clone(), elements.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
        };
        assert_eq!(bits(&found), bits(&expected), "{name}\n{again}");
    }
    Ok(expected.1)
}

#[test]
fn what_is_too_great_for_eight_bits_stays_the_greatest() -> Result<(), Error> {
    for (short, greatest) in [(DType::F8E4M3, 448.0), (DType::F8E5M2, 57344.0)] {
        for dtype in [DType::F32, DType::F64, DType::F16, DType::I32] {
            let x = Array::new(&[5], &[1e9, -1e9, 3.0, 0.0, -0.0]).convert(dtype).eval()?;
            let found = everywhere(&[x], &[], |graph, ids| {
                let short = graph.add(Convert { to: short, overflow: Overflow::OnnxSaturate }, ids)?;
                graph.add(Convert { to: DType::F32, overflow: Overflow::Numpy }, &[short])
            })?;
            assert_eq!(found[..3], [greatest, -greatest, 3.0]);
        }
        let other = if short == DType::F8E4M3 { DType::F8E5M2 } else { DType::F8E4M3 };
        let x = Array::new(&[3], &[1e9, -3.0, 0.5]).convert_as(other, Overflow::OnnxSaturate).eval()?;
        everywhere(&[x], &[], |graph, ids| {
            let short = graph.add(Convert { to: short, overflow: Overflow::OnnxSaturate }, ids)?;
            graph.add(Convert { to: DType::F32, overflow: Overflow::Numpy }, &[short])
        })?;
    }
    Ok(())
}

#[test]
fn floats_end_at_the_limits_of_integers() -> Result<(), Error> {
    let x = Tensor::new(&[5], &[f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 2.5, -0.5])?;
    for to in [DType::I8, DType::U16, DType::I32, DType::U64] {
        let found = everywhere(std::slice::from_ref(&x), &[], |graph, ids| {
            graph.add(Convert { to, overflow: Overflow::Xla }, ids)
        })?;
        let ends = [f64::MIN, f64::MAX].map(|end| Array::scalar(end).convert(to).convert(DType::F64).item());
        assert_eq!(found, [ends[1].clone()?, ends[0].clone()?, 0.0, 2.0, 0.0]);
    }
    Ok(())
}

#[test]
fn all_but_zeros_are_true() -> Result<(), Error> {
    let x = Array::new(&[5], &[0.0, -0.0, 0.5, f64::NAN, f64::INFINITY]);
    for from in [DType::F16, DType::F32, DType::F64] {
        let x = x.convert(from).eval()?;
        let found = everywhere(&[x], &[], |graph, ids| {
            graph.add(Convert { to: DType::Bool, overflow: Overflow::Numpy }, ids)
        })?;
        assert_eq!(found, [0.0, 0.0, 1.0, 1.0, 1.0]);
    }
    Ok(())
}

#[test]
fn the_bits_of_a_type_as_that_type() -> Result<(), Error> {
    let x = Tensor::new(&[2], &[1u8, 255])?;
    // The other two have no such operation.
    let found = everywhere(&[x], &["ONNX", "OpenVINO"], |graph, ids| graph.add(Bitcast(DType::U8), ids))?;
    assert_eq!(found, [1.0, 255.0]);
    Ok(())
}

#[test]
fn angles_of_zeros() -> Result<(), Error> {
    let (y, x) = ([0.0, -0.0, 0.0, -0.0, 1.0, -1.0, -0.0, 0.0], [1.0, 1.0, -1.0, -1.0, -0.0, 0.0, -0.0, 0.0]);
    let (inputs, exact): (Vec<Tensor>, Vec<f64>) = (
        vec![Tensor::new(&[8], &y)?, Tensor::new(&[8], &x)?],
        y.iter().zip(x).map(|(y, x)| f64::atan2(*y, x)).collect(),
    );
    let found = everywhere(&inputs, &[], |graph, ids| graph.apply(Op::Atan2, ids))?;
    assert_eq!(found, exact);
    assert!(
        found.iter().zip(exact).all(|(found, exact)| found.is_sign_negative() == exact.is_sign_negative())
    );
    Ok(())
}

#[test]
fn elements_taken_along_an_axis_beside_none() -> Result<(), Error> {
    for (shape, axis) in [([0, 3], 1), ([2, 0], 0), ([2, 3], 1)] {
        let count = shape.iter().product();
        let x = Array::iota(count, DType::F32).reshape(&shape).eval()?;
        let mut theirs = shape;
        theirs[axis] = 2;
        let numbers = Array::zeros(&theirs, DType::I64).copy().eval()?;
        everywhere(&[x, numbers], &[], |graph, ids| graph.add(TakeAlong { axis }, ids))?;
    }
    Ok(())
}

/// Backwards from beyond every extent is from the last element on, and there is none at that place.
#[test]
fn parts_from_the_greatest_number() -> Result<(), Error> {
    let of = |index: &str| -> Result<Graph, Error> {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "?x3".parse()?)?;
        let part = graph.add(Slice { index: parse_index(index)? }, &[x])?;
        graph.output("y", part)?;
        Ok(graph)
    };
    let x = [Array::iota(6, DType::F32).reshape(&[2, 3]).eval()?];
    // HLO has places only as numbers.
    for (name, again) in FORMATS.into_iter().filter(|(name, _)| *name != "HLO") {
        for index in ["9223372036854775807::-1", "9223372036854775807::-2", "9223372036854775806::-1"] {
            let graph = of(index)?;
            let made = [&graph, &again(&graph)?].map(|graph| graph.run(&x));
            let [wanted, found] =
                made.map(|made| made.map(|made| (made[0].shape().to_vec(), made[0].to_vec::<f32>())));
            assert_eq!(format!("{:?}", found?), format!("{:?}", wanted?), "{name}: {index}");
        }
        let graph = of("9223372036854775807")?;
        assert!(graph.run(&x).is_err() && again(&graph).and_then(|graph| graph.run(&x)).is_err(), "{name}");
    }
    Ok(())
}

/// What goes backwards from before the first element is empty, and the operators of formats would begin at the first one; so is what
/// is put there.
#[test]
fn parts_from_before_the_first_element() -> Result<(), Error> {
    for (index, expected) in
        [("-10::-1", &[][..]), ("-3::-1", &[1.0]), ("-2::-1", &[2.0, 1.0]), ("-4:-9:-2", &[])]
    {
        let index = parse_index(index)?;
        let given = Tensor::new(&[3], &[1.0f32, 2.0, 3.0])?;
        let part = everywhere(std::slice::from_ref(&given), &[], |graph, ids| {
            graph.add(Slice { index: index.clone() }, ids)
        })?;
        assert_eq!(part, expected);
        let nines = Tensor::new(&[expected.len()], &vec![9.0f32; expected.len()])?;
        let put = everywhere(&[given.clone(), nines], &[], |graph, ids| {
            graph.add(Insert { index: index.clone() }, ids)
        })?;
        let places: Vec<f64> = [1.0, 2.0, 3.0].map(|n| if expected.contains(&n) { 9.0 } else { n }).into();
        assert_eq!(put, places);
        // Without the extent; HLO's parts are of extents that are known.
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "N".parse()?)?;
        let y = graph.add(Slice { index }, &[x])?;
        graph.output("y", y)?;
        for (name, again) in FORMATS.into_iter().filter(|(name, _)| *name != "HLO") {
            let made = again(&graph)?.run(std::slice::from_ref(&given))?;
            let made = Array::from(made[0].clone()).convert(DType::F64).to_vec::<f64>()?;
            assert_eq!(made, expected, "{name}");
        }
    }
    Ok(())
}

#[test]
fn sums_of_nothing_but_other_axes() -> Result<(), Error> {
    for (equation, shape) in [("ij->ji", &[2, 3][..]), ("->", &[]), ("ijk->kij", &[2, 3, 4])] {
        let x = Array::iota(shape.iter().product(), DType::F32).reshape(shape).eval()?;
        let found = everywhere(&[x], &[], |graph, ids| {
            let attributes = Attributes::new().with("equation", equation);
            Ok(Builder::new(graph, 21)?.node("Einsum", &[Some(ids[0])], &attributes, 1)?[0])
        })?;
        assert_eq!(found.len(), shape.iter().product::<usize>());
    }
    Ok(())
}

#[test]
fn labels_that_do_not_count_and_queries_without_keys() -> Result<(), Error> {
    let far = f32::NEG_INFINITY;
    let scores = Tensor::new(&[2, 2], &[far, -1.0, -2.0, -0.5])?;
    let labels = Tensor::new(&[2], &[-1i64, 1])?;
    for reduction in ["sum", "mean"] {
        let found = everywhere(&[scores.clone(), labels.clone()], &[], |graph, ids| {
            let attributes = Attributes::new().with("ignore_index", -1).with("reduction", reduction);
            let inputs = [Some(ids[0]), Some(ids[1])];
            Ok(Builder::new(graph, 22)?.node("NegativeLogLikelihoodLoss", &inputs, &attributes, 1)?[0])
        })?;
        assert_eq!(found, [0.5]);
    }
    // The first query has no key.
    let some = Array::iota(12, DType::F32).multiply(0.1).reshape(&[1, 1, 3, 4]).eval()?;
    let mask = Tensor::new(&[3, 3], &[false, false, false, true, false, true, true, true, true])?;
    let attend = |graph: &mut Graph, ids: &[Id]| -> Result<Id, Error> {
        let inputs = [Some(ids[0]), Some(ids[1]), Some(ids[2]), Some(ids[3])];
        Ok(Builder::new(graph, 23)?.node("Attention", &inputs, &Attributes::new(), 1)?[0])
    };
    let inputs = [some.clone(), some.clone(), some, mask];
    let found = everywhere(&inputs, &[], attend)?;
    assert_eq!(found[..4], [0.0; 4]);
    let mut graph = Graph::new();
    let mut ids = Vec::new();
    for (place, input) in inputs.iter().enumerate() {
        ids.push(graph.input(&format!("x{place}"), input.dtype(), input.shape().into())?);
    }
    let y = attend(&mut graph, &ids)?;
    graph.output("y", y)?;
    for d in gradient(&graph, "y", None)?.run(&inputs)? {
        let finite = Array::from(d).convert(DType::F64).to_vec::<f64>()?;
        assert!(finite.iter().all(|d| d.is_finite()), "{finite:?}");
    }
    Ok(())
}

#[test]
fn nothing_is_taken_back_where_nothing_was_taken() -> Result<(), Error> {
    let x = Tensor::new(&[0, 5, 3], &[0f32; 0])?;
    let mut graph = Graph::new();
    let input = graph.input("x", DType::F32, x.shape().into())?;
    let number = graph.number(1, DType::I64)?;
    let taken = graph.add(crate::graph::kind::Take { axis: 1, batch: 0 }, &[input, number])?;
    let turned = graph.add(Transpose { order: vec![1, 0] }, &[taken])?;
    graph.output("y", turned)?;
    assert_eq!(gradient(&graph, "y", None)?.run(&[x])?[0].shape(), [0, 5, 3]);
    Ok(())
}
