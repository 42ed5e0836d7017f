//! Gradients at the corners of what is moved and folded: several for one place, nothing at all, and what is too great on the way.

use super::super::kind::{Accumulate, Direction, Range, Reduce, Scatter, Start, Take};
use super::super::{Graph, Tape, gradient};
use super::{counted, floats};
use crate::array::{Array, Keep};
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// The elements of a tensor, whatever their type.
fn numbers(tensor: &Tensor) -> Vec<f64> {
    Array::from(tensor.clone()).convert(DType::F64).to_vec::<f64>().unwrap()
}

/// Of several that replace one element the last stays, and the others do nothing.
#[test]
fn several_for_one_place() {
    let put = |numbers: Tensor, is_known: bool| {
        let mut graph = Graph::new();
        let (x, put) = (floats(&mut graph, "x", "2x3"), floats(&mut graph, "put", "2x4"));
        let weights = floats(&mut graph, "weights", "2x3");
        let places = match is_known {
            true => graph.constant(numbers.clone()).unwrap(),
            false => graph.input("places", numbers.dtype(), "2x?".parse().unwrap()).unwrap(),
        };
        let y = graph.add(Scatter { axis: 1, with: None }, &[x, places, put]).unwrap();
        let y = graph.apply(Op::Multiply, &[y, weights]).unwrap();
        graph.output("y", y).unwrap();
        let mut given = vec![counted(&[2, 3]), counted(&[2, 4]), counted(&[2, 3])];
        given.extend((!is_known).then_some(numbers));
        let d = gradient(&graph, "y", Some(&["x", "put"])).unwrap().run(&given).unwrap();
        [d[0].to_vec::<f64>().unwrap(), d[1].to_vec::<f64>().unwrap()]
    };
    // Of these the last ones are the third and fourth, and the second and fourth.
    let places = [0i64, 2, 0, -1, 1, 1, 0, 0];
    let wanted = [vec![0.0, 2.0, 0.0, 0.0, 0.0, 6.0], vec![0.0, 0.0, 1.0, 3.0, 0.0, 5.0, 0.0, 4.0]];
    for is_known in [true, false] {
        for dtype in [DType::I64, DType::I8] {
            let numbers = Array::new(&[2, 4], &places).convert(dtype).eval().unwrap();
            assert_eq!(put(numbers, is_known), wanted, "{dtype} {is_known}");
        }
    }
}

/// The same of arrays; and where no two go to one place nothing is asked.
#[test]
fn several_for_one_place_of_an_array() -> Result<(), Error> {
    let put = |places: &[i64]| -> Result<Vec<f64>, Error> {
        let tape = Tape::new(&[&Array::new(&[2], &[5.0, 7.0])])?;
        let zeros = Array::full(&[3], 0, DType::F64);
        let y = zeros.put_along_axis(&Array::new(&[2], places), &tape.watched()[0], 0, None);
        tape.gradients(&y.sum([0], Keep::Nothing))?[0].to_vec()
    };
    assert_eq!(put(&[0, 0])?, [0.0, 1.0]);
    assert_eq!(put(&[2, -1])?, [0.0, 1.0]);
    assert_eq!(put(&[2, 0])?, [1.0, 1.0]);
    let asks = |places: &[i64]| {
        let mut graph = Graph::new();
        let (x, put) = (floats(&mut graph, "x", "3"), floats(&mut graph, "put", "2"));
        let places = graph.integers(places).unwrap();
        let y = graph.add(Scatter { axis: 0, with: None }, &[x, places, put]).unwrap();
        graph.output("y", y).unwrap();
        gradient(&graph, "y", None).unwrap().to_string().contains("where")
    };
    assert!(!asks(&[2, 0]) && asks(&[0, 0]) && asks(&[2, -1]));
    Ok(())
}

/// A range is its start and so many steps; how many there are changes by jumps.
#[test]
fn ranges() {
    for dtype in [DType::F64, DType::F32, DType::F16] {
        let mut graph = Graph::new();
        let ends = ["start", "stop", "step"]
            .map(|name| graph.input(name, dtype, "scalar".parse().unwrap()).unwrap());
        let y = graph.add(Range, &ends).unwrap();
        let y = graph.apply(Op::Square, &[y]).unwrap();
        graph.output("y", y).unwrap();
        let given = [1.0, 2.9, 0.5].map(|n| Array::scalar(n).convert(dtype).eval().unwrap());
        // 1, 1.5, 2, 2.5: twice their sum, and twice that of each by its place.
        let d = gradient(&graph, "y", None).unwrap().run(&given).unwrap();
        assert_eq!([numbers(&d[0]), numbers(&d[1]), numbers(&d[2])], [[14.0], [0.0], [26.0]], "{dtype}");
        let none = [3.0, 1.0, 1.0].map(|n| Array::scalar(n).convert(dtype).eval().unwrap());
        let d = gradient(&graph, "y", None).unwrap().run(&none).unwrap();
        assert_eq!([numbers(&d[0]), numbers(&d[2])], [[0.0], [0.0]], "{dtype}");
    }
    // A half counts no further than 2048 by one.
    let mut graph = Graph::new();
    let step = graph.input("step", DType::F16, "scalar".parse().unwrap()).unwrap();
    let [start, stop] = [0.0, 3.0].map(|n| graph.number(n, DType::F16).unwrap());
    let y = graph.add(Range, &[start, stop, step]).unwrap();
    let last = graph.part(y, 0, Some(-1), None).unwrap();
    graph.output("y", last).unwrap();
    let step = Array::scalar(0.000_976_562_5).convert(DType::F16).eval().unwrap();
    let d = gradient(&graph, "y", None).unwrap().run(&[step]).unwrap();
    assert_eq!(numbers(&d[0]), [3072.0]);
}

/// A whole product, and the last of a running one: what is too great beside a 0 does no harm, nor what is for a half on the way.
#[test]
fn products_beyond_what_is_used() {
    let derivatives = |dtype: DType, of: &[f64]| {
        let shape = ndcast_shape::Shape::from([of.len()]);
        let x = Array::new(&[of.len()], of).convert(dtype).eval().unwrap();
        [true, false].map(|is_whole| {
            let mut graph = Graph::new();
            let id = graph.input("x", dtype, shape.clone()).unwrap();
            let y = if is_whole {
                graph.fold(Reduction::Prod, id, &[0], Keep::Nothing).unwrap()
            } else {
                let (reduction, direction, start) = (Reduction::Prod, Direction::Forward, Start::With);
                let run = graph.add(Accumulate { reduction, axis: 0, direction, start }, &[id]).unwrap();
                graph.part(run, 0, Some(-1), None).unwrap()
            };
            graph.output("y", y).unwrap();
            numbers(&gradient(&graph, "y", None).unwrap().run(std::slice::from_ref(&x)).unwrap()[0])
        })
    };
    let inf = f64::INFINITY;
    assert_eq!(derivatives(DType::F16, &[0.0, 2.0, 300.0, 300.0]), [[inf, 0.0, 0.0, 0.0]; 2]);
    assert_eq!(derivatives(DType::F64, &[0.0, 2.0, 1e200, 1e200]), [[inf, 0.0, 0.0, 0.0]; 2]);
    // Of no element the product of the others is too great for a half, and 2^8 times 2^8 on the way is.
    let [whole, run] = derivatives(DType::F16, &[0.000_976_562_5, 0.5, 256.0, 256.0]);
    assert_eq!((&whole, whole[0]), (&run, 32768.0));
    // Along several axes.
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "3x2");
    let all = Reduce { reduction: Reduction::Prod, axes: vec![0, 1], keep: Keep::Nothing };
    let y = graph.add(all, &[x]).unwrap();
    graph.output("y", y).unwrap();
    let x = Tensor::new(&[3, 2], &[0.0, 2.0, 1e200, 1e200, 1e200, 1e200]).unwrap();
    let d = gradient(&graph, "y", None).unwrap().run(&[x]).unwrap();
    assert_eq!(numbers(&d[0]), [inf, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

/// What is found to be empty when the graph runs: no numbers, no batches, or rows of nothing.
#[test]
fn rows_of_nothing() {
    for (take, declared, x, places) in [
        (Take { axis: 0, batch: 0 }, ["3x2", "?x?"], &[3, 2][..], &[0, 2][..]),
        (Take { axis: 0, batch: 0 }, ["3x2", "?x?"], &[3, 2], &[2, 0]),
        (Take { axis: 0, batch: 0 }, ["3x2", "?x?"], &[3, 2], &[2, 2]),
        (Take { axis: 0, batch: 0 }, ["3x?", "?x?"], &[3, 0], &[2, 2]),
        (Take { axis: 1, batch: 0 }, ["?x3", "2x?"], &[0, 3], &[2, 2]),
        (Take { axis: 1, batch: 1 }, ["?x3x?", "?x?x2"], &[2, 3, 0], &[2, 0, 2]),
        (Take { axis: 1, batch: 1 }, ["?x3x?", "?x?x2"], &[0, 3, 2], &[0, 2, 2]),
    ] {
        let mut graph = Graph::new();
        let rows = floats(&mut graph, "x", declared[0]);
        let numbers = graph.input("places", DType::I64, declared[1].parse().unwrap()).unwrap();
        let y = graph.add(take.clone(), &[rows, numbers]).unwrap();
        graph.output("y", y).unwrap();
        let ones = Array::full(places, 1, DType::I64).copy().eval().unwrap();
        let d = gradient(&graph, "y", Some(&["x"])).unwrap().run(&[counted(x), ones]).unwrap();
        assert_eq!(d[0].shape(), x, "{take:?} {declared:?}");
        let sum: f64 = d[0].to_vec::<f64>().unwrap().iter().sum();
        let taken = if places == [2, 2] && x == [3, 2] { 8.0 } else { 0.0 };
        assert_eq!(sum, taken, "{take:?} of {x:?} at {places:?}");
    }
}

/// In f16, whose squares are soon too great.
#[test]
fn inverse_functions_of_halves() -> Result<(), Error> {
    let slopes = |of: fn(&Array) -> Array, at: f64| -> Result<f64, Error> {
        let tape = Tape::new(&[&Array::new(&[1], &[at]).convert(DType::F16)])?;
        let y = of(&tape.watched()[0]).sum([0], Keep::Nothing);
        Ok(tape.gradients(&y)?[0].convert(DType::F64).to_vec::<f64>()?[0])
    };
    let near = |found: f64, wanted: f64| (found - wanted).abs() <= 0.005 * wanted;
    assert!(near(slopes(Array::asinh, 300.0)?, 1.0 / 300.0));
    assert!(near(slopes(Array::acosh, 300.0)?, 1.0 / 300.0));
    // A multiple of the slope, which alone is too small.
    let many = slopes(|x| x.atan() * 60000.0, 300.0)?;
    assert!(near(many, 60000.0 / 90001.0), "{many}");
    let turned = slopes(|x| Array::apply(Op::Atan2, &[x.into(), 300.0.into()]), 300.0)?;
    assert!(near(turned, 1.0 / 600.0), "{turned}");
    Ok(())
}
