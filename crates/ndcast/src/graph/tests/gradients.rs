//! Gradients: against finite differences on random graphs, the adjoint law, and what has none.

use super::super::kind::{
    Accumulate, Apply, Broadcast, Convert, Direction, Find, Fit, Lay, Reduce, Scatter, Start,
};
use super::super::{Graph, Kind, gradient};
use super::random::{Random, graph};
use super::{counted, floats, text};
use crate::array::{Array, Keep};
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// The sum of an output.
fn total(graph: &Graph, output: usize, inputs: &[Tensor]) -> f64 {
    graph.run(inputs).unwrap()[output].to_vec::<f64>().unwrap().iter().sum()
}

/// A tensor with one element moved.
fn moved(tensor: &Tensor, element: usize, by: f64) -> Tensor {
    let mut elements = tensor.to_vec::<f64>().unwrap();
    elements[element] += by;
    Tensor::new(tensor.shape(), &elements).unwrap()
}

/// The gradient of an output by every input against differences. How many elements were compared.
fn check(graph: &Graph, inputs: &[Tensor], what: &str) -> usize {
    let mut compared = 0;
    for (place, output) in graph.outputs().iter().enumerate() {
        let backwards =
            gradient(graph, output.name(), None).unwrap_or_else(|error| panic!("{what}: {error}\n{graph}"));
        let found = backwards.run(inputs).unwrap_or_else(|error| panic!("{what}: {error}\n{backwards}"));
        for (input, d) in found.iter().enumerate() {
            assert_eq!(d.shape(), inputs[input].shape(), "{what}");
            for (element, &d) in d.to_vec::<f64>().unwrap().iter().enumerate() {
                let at = |by| {
                    let mut inputs = inputs.to_vec();
                    inputs[input] = moved(&inputs[input], element, by);
                    total(graph, place, &inputs)
                };
                const STEP: f64 = 1e-5;
                let (before, behind) = (at(-STEP), at(STEP));
                let slope = (behind - before) / (2.0 * STEP);
                // At a kink both sides have slopes of their own.
                let here = at(0.0);
                let kink = ((behind - here) - (here - before)).abs() > 1e-3 * STEP * (1.0 + slope.abs());
                if kink || !slope.is_finite() {
                    continue;
                }
                let error = (d - slope).abs() / (1.0 + slope.abs());
                assert!(
                    error < 1e-4,
                    "{what}: element {element} of x{input}: {d}, not {slope}\n{graph}\n{backwards}"
                );
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn gradients_of_random_graphs_are_differences() {
    let mut compared = 0;
    for seed in 5000..5400 {
        let (graph, inputs) = graph(&mut Random(seed));
        if graph.run(&inputs).is_ok_and(|outputs| outputs.iter().all(|out| out.elements() < 500)) {
            compared += check(&graph, &inputs, &format!("seed {seed}"));
        }
    }
    assert!(compared > 2000, "only {compared}");
}

#[test]
fn second_derivatives() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "?x3");
    let y = floats(&mut graph, "y", "3");
    let [a, b] = graph.joined([x, y]).unwrap();
    let product = graph.apply(Op::Multiply, &[a, b]).unwrap();
    let cube = graph.apply(Op::Tanh, &[product]).unwrap();
    graph.output("z", cube).unwrap();
    let first = gradient(&graph, "z", Some(&["y"])).unwrap();
    assert!(check(&first, &[counted(&[2, 3]), counted(&[3])], "second") > 5);
}

/// `<Bx, d> = <x, B'd>`: what a broadcast repeats, its gradient sums.
#[test]
fn a_broadcast_and_its_gradient_are_adjoint() {
    for lays in [
        vec![Lay::New(2), Lay::Axis(1), Lay::Axis(0)],
        vec![Lay::Axis(0), Lay::New(3), Lay::Axis(1), Lay::New(1)],
        vec![Lay::Axis(1), Lay::Axis(0)],
    ] {
        let mut graph = Graph::new();
        let (x, d) = (floats(&mut graph, "x", "2x3"), Broadcast { axes: lays.clone() });
        let laid = graph.add(d, &[x]).unwrap();
        let weights = graph.add(Kind::from(Apply(Op::Square)), &[laid]).unwrap();
        let weights = graph.apply(Op::Exp, &[weights]).unwrap();
        let weighed = graph.apply(Op::Multiply, &[laid, weights]).unwrap();
        graph.output("y", weighed).unwrap();
        let x = Tensor::new(&[2, 3], &[0.1, -0.2, 0.3, 0.4, -0.5, 0.6]).unwrap();
        assert_eq!(check(&graph, &[x], &format!("{lays:?}")), 6);
    }
}

/// The way back of a broadcast that is stretched, of unknown extents too.
#[test]
fn what_was_stretched_stays_as_one() {
    for (declared, extents) in [("1x3", [1, 3]), ("?x3", [1, 3]), ("?x3", [4, 3])] {
        let mut graph = Graph::new();
        let (x, y) = (floats(&mut graph, "x", declared), floats(&mut graph, "y", "4x3"));
        let [a, b] = graph.joined([x, y]).unwrap();
        let product = graph.apply(Op::Multiply, &[a, b]).unwrap();
        graph.output("z", product).unwrap();
        let backwards = gradient(&graph, "z", Some(&["x"])).unwrap();
        let d = &backwards.run(&[counted(&extents), counted(&[4, 3])]).unwrap()[0];
        assert_eq!(d.shape(), extents);
        if extents[0] == 1 {
            assert_eq!(d.to_vec::<f64>().unwrap(), [22.0, 26.0, 30.0]);
        }
    }
}

/// Equal elements share the gradient of a maximum, and a zero does no harm to that of a product.
#[test]
fn folds_at_their_corners() {
    let fold = |reduction, axes: &[usize], x: &[f64], shape: &[usize]| {
        let mut graph = Graph::new();
        let text: Vec<String> = shape.iter().map(usize::to_string).collect();
        let node = floats(&mut graph, "x", &text.join("x"));
        let y = graph.add(Reduce { reduction, axes: axes.to_vec(), keep: Keep::Nothing }, &[node]).unwrap();
        graph.output("y", y).unwrap();
        let d = gradient(&graph, "y", None).unwrap().run(&[Tensor::new(shape, x).unwrap()]).unwrap();
        d[0].to_vec::<f64>().unwrap()
    };
    assert_eq!(fold(Reduction::Max, &[0], &[1.0, 5.0, 5.0, 2.0], &[4]), [0.0, 0.5, 0.5, 0.0]);
    assert_eq!(fold(Reduction::Prod, &[0], &[2.0, 0.0, 5.0], &[3]), [0.0, 10.0, 0.0]);
    assert_eq!(fold(Reduction::Prod, &[0, 1], &[2.0, 0.0, 0.0, 5.0], &[2, 2]), [0.0; 4]);
    assert_eq!(fold(Reduction::Prod, &[0, 1], &[2.0, 3.0, 0.0, 5.0], &[2, 2]), [0.0, 0.0, 30.0, 0.0]);
}

/// Each result is of the last element so far that is as great, or of the last NaN; before any there is none.
#[test]
fn running_extremes_at_their_corners() {
    let x = [2.0, 5.0, 5.0, 1.0, f64::NAN, 7.0];
    for (reduction, sign) in [(Reduction::Max, 1.0), (Reduction::Min, -1.0)] {
        for (direction, start, expected) in [
            (Direction::Forward, Start::With, [1.0, 2.0, 7.0, 0.0, 11.0, 0.0]),
            (Direction::Forward, Start::Before, [2.0, 3.0, 9.0, 0.0, 6.0, 0.0]),
            (Direction::Backward, Start::With, [0.0, 0.0, 0.0, 0.0, 15.0, 6.0]),
            (Direction::Backward, Start::Before, [0.0, 0.0, 0.0, 0.0, 10.0, 5.0]),
        ] {
            let mut graph = Graph::new();
            let (node, weights) = (floats(&mut graph, "x", "?x1"), floats(&mut graph, "w", "?x1"));
            let y = graph.add(Accumulate { reduction, axis: 0, direction, start }, &[node]).unwrap();
            let y = graph.apply(Op::Multiply, &[y, weights]).unwrap();
            graph.output("y", y).unwrap();
            let [x, weights] = [x.map(|x| x * sign), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]
                .map(|all| Tensor::new(&[6, 1], &all).unwrap());
            let d = gradient(&graph, "y", Some(&["x"])).unwrap().run(&[x, weights]).unwrap();
            assert_eq!(d[0].to_vec::<f64>().unwrap(), expected, "{reduction} {direction:?} {start:?}");
        }
    }
}

/// What is put somewhere by a product, or as the greatest or the least: several for one place, and zeros among them.
#[test]
fn what_is_put_by_an_operation() {
    let mut compared = 0;
    for op in [Op::Add, Op::Multiply, Op::Maximum, Op::Minimum] {
        for zeros in 0..4 {
            let mut graph = Graph::new();
            let (x, put) = (floats(&mut graph, "x", "2x?"), floats(&mut graph, "put", "2x?"));
            let weights = floats(&mut graph, "weights", "2x3");
            let numbers = Array::new(&[2, 4], &[0i64, 2, 2, -1, 1, 1, 1, 0]).eval().unwrap();
            let numbers = graph.constant(numbers).unwrap();
            let y = graph.add(Scatter { axis: 1, with: Some(op) }, &[x, numbers, put]).unwrap();
            let y = graph.apply(Op::Multiply, &[y, weights]).unwrap();
            graph.output("y", y).unwrap();
            let x = Tensor::new(&[2, 3], &[0.5, 1.5, -1.0, 0.3, 0.0, 2.0]).unwrap();
            let mut put = [0.7, -2.0, 3.0, 0.4, 1.2, -0.6, 0.9, 0.2];
            // None, one, two and three of those for one place.
            for place in [2, 3, 1].into_iter().take(zeros) {
                put[place] = 0.0;
            }
            let put = Tensor::new(&[2, 4], &put).unwrap();
            compared += check(&graph, &[x, put, counted(&[2, 3])], &format!("{op} {zeros}"));
        }
    }
    assert!(compared > 270, "{compared}");
    let extreme = |op| {
        let mut graph = Graph::new();
        let (x, put) = (floats(&mut graph, "x", "2"), floats(&mut graph, "put", "3"));
        let numbers = graph.integers(&[0, 0, 1]).unwrap();
        let y = graph.add(Scatter { axis: 0, with: Some(op) }, &[x, numbers, put]).unwrap();
        graph.output("y", y).unwrap();
        let given = [Tensor::new(&[2], &[4.0, 1.0]).unwrap(), Tensor::new(&[3], &[4.0, 3.0, 1.0]).unwrap()];
        let d = gradient(&graph, "y", None).unwrap().run(&given).unwrap();
        d.iter().map(|d| d.to_vec::<f64>().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(extreme(Op::Maximum), [vec![0.5, 0.5], vec![0.5, 0.0, 0.5]]);
    assert_eq!(extreme(Op::Minimum), [vec![0.0, 0.5], vec![0.0, 1.0, 0.5]]);
}

/// What a running product changes by, of each element by differences: a polynomial of degree 1 in each, so they are exact.
#[test]
fn running_products_at_their_corners() {
    for x in
        [[2.0, 3.0, -1.0, 4.0], [2.0, 0.0, 5.0, 3.0], [0.0, 2.0, 0.0, 7.0], [0.0; 4], [3.0, 1.0, 2.0, 0.0]]
    {
        for (direction, start) in [Direction::Forward, Direction::Backward]
            .into_iter()
            .flat_map(|direction| [Start::With, Start::Before].map(|start| (direction, start)))
        {
            let mut graph = Graph::new();
            let node = floats(&mut graph, "x", "4");
            let run = Accumulate { reduction: Reduction::Prod, axis: 0, direction, start };
            let y = graph.add(run, &[node]).unwrap();
            graph.output("y", y).unwrap();
            let tensor = |x: [f64; 4]| Tensor::new(&[4], &x).unwrap();
            let value = |x: [f64; 4]| -> f64 {
                graph.run(&[tensor(x)]).unwrap()[0].to_vec::<f64>().unwrap().iter().sum()
            };
            let d = gradient(&graph, "y", None).unwrap().run(&[tensor(x)]).unwrap();
            let expected: Vec<f64> = (0..4)
                .map(|place| {
                    let mut more = x;
                    more[place] += 1.0;
                    value(more) - value(x)
                })
                .collect();
            assert_eq!(d[0].to_vec::<f64>().unwrap(), expected, "{x:?} {direction:?} {start:?}");
        }
    }
}

/// Every operation of the table, through a graph, as arrays and not as plain numbers.
#[test]
fn operations_have_the_gradients_of_their_records() {
    let mut checked = 0;
    for &op in Op::ALL {
        let floats_only = (0..op.arity()).map(|_| DType::F64).collect::<Vec<_>>();
        if op.result(DType::F64) != Some(DType::F64) || matches!(op, Op::Where | Op::Polygamma | Op::Zeta) {
            continue;
        }
        let mut graph = Graph::new();
        let ids: Vec<_> = floats_only
            .iter()
            .enumerate()
            .map(|(place, _)| floats(&mut graph, &format!("x{place}"), "3"))
            .collect();
        let y = graph.apply(op, &ids).unwrap();
        graph.output("y", y).unwrap();
        let inputs: Vec<Tensor> = (0..ids.len())
            .map(|place| {
                let by = 0.1 * f64::from(u8::try_from(place).unwrap());
                Tensor::new(&[3], &[0.31 + by, 0.42 + 0.7 * by, 0.53 - by]).unwrap()
            })
            .collect();
        // What rounds has a gradient that differences do not show, or none.
        if matches!(op, Op::ReducePrecision | Op::Nextafter) {
            continue;
        }
        check(&graph, &inputs, op.record().name);
        checked += 1;
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn what_has_no_gradient_says_so() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "3");
    let i = graph.input("i", DType::I64, "3".parse().unwrap()).unwrap();
    let unused = floats(&mut graph, "unused", "2");
    let cut = graph.add(Convert { to: DType::I64, overflow: Overflow::Numpy }, &[x]).unwrap();
    let sum = graph.apply(Op::Add, &[cut, i]).unwrap();
    let back = graph.add(Convert { to: DType::F64, overflow: Overflow::Numpy }, &[sum]).unwrap();
    let place = graph
        .add(Find { which: Reduction::Max, axis: 0, keep: Keep::Nothing, to: DType::I64 }, &[x])
        .unwrap();
    graph.output("back", back).unwrap();
    graph.output("place", place).unwrap();
    let _ = unused;
    let mut whole = Graph::new();
    let n = whole.input("n", DType::I64, "3".parse().unwrap()).unwrap();
    let halves = whole.add(Convert { to: DType::F32, overflow: Overflow::Numpy }, &[n]).unwrap();
    whole.output("halves", halves).unwrap();
    for (made, message) in [
        (
            gradient(&whole, "halves", None),
            "gradient: no input is of floats, and there are gradients of floats alone: n is i64",
        ),
        (
            gradient(&graph, "place", None),
            "gradient: the output place is i64, and there are gradients of floats alone",
        ),
        (
            gradient(&graph, "back", Some(&["i"])),
            "gradient: the input i is i64, and there are gradients of floats alone",
        ),
        (gradient(&graph, "back", Some(&["z"])), "there is no input called z; there is x, i, unused"),
        (gradient(&graph, "y", None), "there is no output called y; there is back, place"),
        (
            gradient(&graph, "back", Some(&["x"])),
            "the output back depends on the input x only through integers, truth values or what changes by jumps, so it has no gradient there",
        ),
    ] {
        assert_eq!(text(made), message);
    }
    // Of all inputs it is zeros where there is nothing.
    let all = gradient(&graph, "back", None).unwrap();
    let inputs = [counted(&[3]), Tensor::new(&[3], &[1i64, 2, 3]).unwrap(), counted(&[2])];
    let found = all.run(&inputs).unwrap();
    assert_eq!(
        found.iter().map(|d| d.to_vec::<f64>().unwrap()).collect::<Vec<_>>(),
        [vec![0.0; 3], vec![0.0; 2]]
    );
    assert_eq!(all.outputs().iter().map(|output| output.name()).collect::<Vec<_>>(), ["x", "unused"]);
}

/// The gradient of rows that were taken is added up where they came from, with a batch too.
#[test]
fn rows_that_were_taken() {
    use super::super::kind::{Take, TakeAlong};
    for (take, shape, numbers) in [
        (Take { axis: 0, batch: 0 }, "3x2", (vec![2usize], vec![2i64, 2])),
        (Take { axis: 1, batch: 0 }, "2x3", (vec![2, 2], vec![0, -1, 0, 1])),
        (Take { axis: 0, batch: 0 }, "3x2", (vec![], vec![1])),
        (Take { axis: 1, batch: 1 }, "2x3", (vec![2, 2], vec![0, 2, 1, 1])),
        (Take { axis: 2, batch: 1 }, "2x2x3", (vec![2, 1, 2], vec![0, 2, 1, 1])),
    ] {
        let mut graph = Graph::new();
        let x = floats(&mut graph, "x", shape);
        let numbers = graph.constant(Tensor::new(&numbers.0, &numbers.1).unwrap()).unwrap();
        let y = graph.add(take.clone(), &[x, numbers]).unwrap();
        let y = graph.apply(Op::Square, &[y]).unwrap();
        graph.output("y", y).unwrap();
        let extents = graph.node(x).unwrap().shape().extents().unwrap();
        assert!(check(&graph, &[counted(&extents)], &format!("{take:?}")) >= 6);
    }
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "2x3");
    let numbers = graph.constant(Tensor::new(&[2, 2], &[0i64, 0, 2, -1]).unwrap()).unwrap();
    let y = graph.add(TakeAlong { axis: 1 }, &[x, numbers]).unwrap();
    let y = graph.apply(Op::Square, &[y]).unwrap();
    graph.output("y", y).unwrap();
    assert_eq!(check(&graph, &[counted(&[2, 3])], "take along"), 6);
}

/// Nothing is materialised on the way back: the gradient of a pairwise expression needs little beside its result.
#[test]
fn the_way_back_is_fused() {
    let mut graph = Graph::new();
    let (a, b) = (floats(&mut graph, "a", "600x1x8"), floats(&mut graph, "b", "1x600x8"));
    let [x, y] = graph.joined([a, b]).unwrap();
    let difference = graph.apply(Op::SquaredDifference, &[x, y]).unwrap();
    let sum = Reduce { reduction: Reduction::Sum, axes: vec![2], keep: Keep::Nothing };
    let distance = graph.add(sum, &[difference]).unwrap();
    graph.output("d", distance).unwrap();
    let backwards = gradient(&graph, "d", Some(&["a"])).unwrap();
    let ones = Array::full(&[600, 1, 8], 0.5, DType::F64).copy().eval().unwrap();
    let inputs = [ones, counted(&[1, 600, 8])];
    let found = backwards.run(&inputs).unwrap();
    let expected: f64 = (0..600).map(|row| 2.0 * (0.5 - (f64::from(row) * 8.0 + 1.0))).sum();
    assert!((found[0].to_vec::<f64>().unwrap()[0] - expected).abs() < 1e-6 * expected.abs());
    let fits = backwards.nodes().filter(|(_, node)| matches!(node.kind(), Kind::Fit(_))).count();
    assert_eq!(fits, 0, "all is known, so nothing is left to be found\n{backwards}");
    let _ = Fit::join(2, 0);
}

#[test]
fn complex_numbers_have_none() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "3".parse().unwrap()).unwrap();
    let z = graph.apply(Op::Complex, &[x, x]).unwrap();
    let y = graph.apply(Op::Abs, &[z]).unwrap();
    graph.output("y", y).unwrap();
    // What does not change with it may be complex.
    let real = graph.apply(Op::Multiply, &[x, x]).unwrap();
    graph.output("real", real).unwrap();
    assert_eq!(text(gradient(&graph, "y", None)), "abs: there is no gradient of complex numbers");
    assert!(gradient(&graph, "real", None).is_ok());
}

/// What is made of parts of an array one by one has one gradient of them together, and not an array with zeros for each.
#[test]
fn gradients_of_rows_are_one_concatenation() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F64, "5x2".parse().unwrap()).unwrap();
    let mut sum = None;
    for row in ["3", "0", "1:3", "0"] {
        let index = ndcast_shape::parse_index(row).unwrap();
        let part = graph.add(crate::graph::kind::Slice { index }, &[x]).unwrap();
        let part = graph.apply(Op::Square, &[part]).unwrap();
        let all: Vec<usize> = (0..graph.known_rank(part).unwrap()).collect();
        let part = graph.fold(Reduction::Sum, part, &all, Keep::Nothing).unwrap();
        sum = Some(match sum {
            None => part,
            Some(sum) => graph.apply(Op::Add, &[sum, part]).unwrap(),
        });
    }
    graph.output("y", sum.unwrap()).unwrap();
    let backwards = gradient(&graph, "y", Some(&["x"])).unwrap();
    let text = backwards.to_string();
    assert!(text.contains("concatenate") && !text.contains("insert"), "{text}");
    let made = backwards.run(&[counted(&[5, 2])]).unwrap();
    assert_eq!(made[0].to_vec::<f64>().unwrap(), [4.0, 8.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 0.0, 0.0]);
}
