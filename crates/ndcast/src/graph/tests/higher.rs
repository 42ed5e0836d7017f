//! Gradients of gradients, where a formula that only gives the right numbers would be found out.

use super::super::kind::{Accumulate, Bitcast, Convert, Direction, Recur, Start};
use super::super::{Graph, Id, gradient};
use super::{counted, floats};
use crate::array::Array;
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// The graph of a function of `x`, whose output is `y`.
fn function(shape: &str, of: impl FnOnce(&mut Graph, Id) -> Id) -> Graph {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", shape);
    let y = of(&mut graph, x);
    graph.output("y", y).unwrap();
    graph
}

/// The graph of a derivative of the sum of `y`: by one element, or by a number.
fn derived(graph: &Graph, element: Option<usize>) -> Graph {
    let mut backwards = gradient(graph, "y", None).unwrap();
    let mut d = backwards.outputs()[0].id();
    if let Some(element) = element {
        let [from, to] = [element, element + 1].map(|place| Some(i64::try_from(place).unwrap()));
        d = backwards.part(d, 0, from, to).unwrap();
    }
    backwards.output("y", d).unwrap();
    backwards.cleaned().unwrap()
}

/// The sum of `y`.
fn value(graph: &Graph, x: &[f64], shape: &[usize]) -> f64 {
    let outputs = graph.run(&[Tensor::new(shape, x).unwrap()]).unwrap();
    outputs.last().unwrap().to_vec::<f64>().unwrap().iter().sum()
}

/// By how much something changes with one element, and that with another one. A polynomial of degree 1 in each is told exactly.
fn difference(of: &dyn Fn(&[f64]) -> f64, elements: &[usize], x: &[f64]) -> f64 {
    let Some((&element, rest)) = elements.split_last() else { return of(x) };
    let mut more = x.to_vec();
    more[element] += 1.0;
    difference(of, rest, &more) - difference(of, rest, x)
}

fn runs() -> impl Iterator<Item = Accumulate> {
    [Direction::Forward, Direction::Backward].into_iter().flat_map(|direction| {
        [Start::With, Start::Before].map(|start| Accumulate {
            reduction: Reduction::Prod,
            axis: 0,
            direction,
            start,
        })
    })
}

#[test]
fn running_products_at_zeros() {
    for run in runs() {
        let graph = function("?", |graph, x| graph.add(run.clone(), &[x]).unwrap());
        for x in [[2.0, 3.0, 5.0, 7.0], [2.0, 0.0, 3.0, 4.0], [0.0, 0.0, 3.0, 0.0], [1.0, 2.0, 0.0, 0.0]] {
            for elements in [[1, 2, 0], [0, 1, 3], [2, 3, 1], [3, 2, 0]] {
                let mut derivative = graph.clone();
                for order in 1..=3 {
                    derivative = derived(&derivative, Some(elements[order - 1]));
                    let expected = difference(&|x| value(&graph, x, &[4]), &elements[..order], &x);
                    let found = value(&derivative, &x, &[4]);
                    assert_eq!(found, expected, "{run:?} at {x:?} by {:?}", &elements[..order]);
                }
            }
        }
    }
}

/// What has no influence does no harm, however great it is; and what is too great for a half between others.
#[test]
fn running_products_beyond_what_is_used() {
    let run = runs().next().unwrap();
    let graph = function("?", |graph, x| {
        let y = graph.add(run.clone(), &[x]).unwrap();
        graph.part(y, 0, Some(1), Some(2)).unwrap()
    });
    let d = |graph: &Graph, x: Tensor| gradient(graph, "y", None).unwrap().run(&[x]).unwrap().remove(0);
    let far = Tensor::new(&[5], &[3.0, 2.0, 1e200, 1e200, 1e200]).unwrap();
    assert_eq!(d(&graph, far).to_vec::<f64>().unwrap(), [2.0, 3.0, 0.0, 0.0, 0.0]);
    let whole = function("?", |graph, x| graph.add(run.clone(), &[x]).unwrap());
    let zero = Tensor::new(&[4], &[0.0, 1.0, 1e200, 1e200]).unwrap();
    assert_eq!(d(&whole, zero).to_vec::<f64>().unwrap(), [f64::INFINITY, 0.0, 0.0, 0.0]);
    let mut halves = Graph::new();
    let x = halves.input("x", DType::F16, "?".parse().unwrap()).unwrap();
    let y = halves.add(run, &[x]).unwrap();
    halves.output("y", y).unwrap();
    let x = Array::new(&[4], &[1e-4f32, 1.0, 300.0, 300.0]).convert(DType::F16);
    let found = Array::from(d(&halves, x.eval().unwrap())).convert(DType::F32).to_vec::<f32>().unwrap();
    assert_eq!(found[0], f32::INFINITY);
    let error = (found[1] - 9.03).abs() + (found[2] - 0.0301).abs() + (found[3] - 0.03).abs();
    assert!(error < 0.02, "{found:?}");
}

/// What is written comes back; what it does not take is said.
#[test]
fn recurrences_as_text() {
    let graph = function("2x?", |graph, x| graph.add(Recur { axis: 1 }, &[x, x]).unwrap());
    let text = graph.to_string();
    assert!(text.contains("= recur(%0, %0) axis=1"), "{text}");
    assert_eq!(text.parse::<Graph>().unwrap().to_string(), text);
    let refused = |dtypes: [DType; 2], axis: usize| {
        let mut graph = Graph::new();
        let inputs = [("a", dtypes[0]), ("b", dtypes[1])]
            .map(|(name, dtype)| graph.input(name, dtype, "2x3".parse().unwrap()).unwrap());
        super::text(graph.add(Recur { axis }, &inputs))
    };
    assert!(refused([DType::F32; 2], 2).contains("axis 2"));
    assert!(refused([DType::I32; 2], 0).contains("i32"));
    assert!(refused([DType::F32, DType::F64], 0).contains("f64"));
}

/// Where one of two branches is chosen, the other one does no harm.
#[test]
fn powers_at_zero() {
    let derivatives = |power: f64, x: f64| {
        let mut graph = function("scalar", |graph, x| {
            let power = graph.full_like(power, x).unwrap();
            graph.apply(Op::Pow, &[x, power]).unwrap()
        });
        [(); 5].map(|()| {
            let found = value(&graph, &[x], &[]);
            graph = derived(&graph, None);
            found
        })
    };
    assert_eq!(derivatives(0.0, 0.0), [1.0, 0.0, 0.0, 0.0, 0.0]);
    // Whose inverse is infinite.
    assert_eq!(derivatives(0.0, 1e-310), [1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(derivatives(1.0, 0.0), [0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(derivatives(3.0, 0.0), [0.0, 0.0, 0.0, 6.0, 0.0]);
    assert_eq!(derivatives(3.0, 2.0), [8.0, 12.0, 12.0, 6.0, 0.0]);
}

/// Floats made of the bits of floats follow them; those made of other bits do not.
#[test]
fn bits_of_floats() {
    let bits = |of_floats: bool| {
        function("3", |graph, x| {
            let bits = if of_floats {
                graph.add(Bitcast(DType::I64), &[x]).unwrap()
            } else {
                graph.add(Convert { to: DType::I64, overflow: Overflow::Numpy }, &[x]).unwrap()
            };
            let back = graph.add(Bitcast(DType::F64), &[bits]).unwrap();
            graph.apply(Op::Add, &[x, back]).unwrap()
        })
    };
    let error = gradient(&bits(true), "y", None).unwrap_err().to_string();
    assert!(error.contains("there is no gradient of bitcast"), "{error}");
    let d = gradient(&bits(false), "y", None).unwrap().run(&[counted(&[3])]).unwrap();
    assert_eq!(d[0].to_vec::<f64>().unwrap(), [1.0; 3]);
}

/// Recurrences and running folds in steps are what they are one by one.
#[test]
fn in_doubled_steps() {
    for extent in [0, 1, 2, 3, 7, 8, 9] {
        let mut graph = Graph::new();
        let shape = format!("2x{extent}x3");
        let [x, factors] = ["x", "factors"].map(|name| floats(&mut graph, name, &shape));
        let y = graph.add(Recur { axis: 1 }, &[x, factors]).unwrap();
        graph.output("y", y).unwrap();
        for run in runs() {
            for reduction in [Reduction::Sum, Reduction::Prod, Reduction::Max, Reduction::Min] {
                let run = Accumulate { axis: 1, reduction, ..run.clone() };
                let name = format!("{reduction} {:?} {:?}", run.direction, run.start);
                let y = graph.add(run, &[x]).unwrap();
                graph.output(&name, y).unwrap();
            }
        }
        let doubled = graph.with_doublings(|_| true).unwrap();
        assert!(!doubled.to_string().contains("accumulate"), "{doubled}");
        assert!(!doubled.to_string().contains("recur"), "{doubled}");
        let whole = |start: i64| {
            let all: Vec<f64> = (0..6 * extent).map(|n| ((n * 7 + start) % 5 - 2) as f64).collect();
            let shape = [2, usize::try_from(extent).unwrap(), 3];
            Tensor::new(&shape, &all).unwrap()
        };
        let inputs = [whole(1), whole(3)];
        let [expected, found] = [&graph, &*doubled].map(|graph| graph.run(&inputs).unwrap());
        for ((output, expected), found) in graph.outputs().iter().zip(&expected).zip(&found) {
            let [expected, found] = [expected, found].map(|tensor| tensor.to_vec::<f64>().unwrap());
            assert_eq!(found, expected, "{extent} {}", output.name());
        }
    }
    // The least and the greatest of integers, where nothing lies before; and halves.
    for dtype in [DType::I8, DType::U16, DType::F16] {
        let mut graph = Graph::new();
        let x = graph.input("x", dtype, "Nx5".parse().unwrap()).unwrap();
        for run in runs() {
            for reduction in [Reduction::Max, Reduction::Min] {
                let name = format!("{reduction} {:?} {:?}", run.direction, run.start);
                let run = Accumulate { axis: 1, reduction, ..run.clone() };
                let y = graph.add(run, &[x]).unwrap();
                graph.output(&name, y).unwrap();
            }
        }
        let x = Array::new(&[2, 5], &[3, 1, 4, 1, 5, 9, 2, 6, 5, 3]).convert(dtype).eval().unwrap();
        let doubled = graph.with_doublings(|_| true).unwrap();
        let [expected, found] = [&graph, &*doubled].map(|graph| {
            let outputs = graph.run(std::slice::from_ref(&x)).unwrap().into_iter();
            outputs.map(|y| Array::from(y).convert(DType::F64).to_vec::<f64>().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(found, expected, "{dtype}");
    }
    // The first factor does nothing, whatever it is.
    let mut graph = Graph::new();
    let [x, factors] = ["x", "factors"].map(|name| floats(&mut graph, name, "2"));
    let y = graph.add(Recur { axis: 0 }, &[x, factors]).unwrap();
    graph.output("y", y).unwrap();
    let inputs = [Tensor::new(&[2], &[1.0, 2.0]).unwrap(), Tensor::new(&[2], &[f64::INFINITY, 3.0]).unwrap()];
    for graph in [&graph, &*graph.with_doublings(|_| false).unwrap()] {
        assert_eq!(graph.run(&inputs).unwrap()[0].to_vec::<f64>().unwrap(), [1.0, 5.0]);
    }
}
