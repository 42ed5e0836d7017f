//! Sorting: inference, what is refused, values in both orders, and gradients of what is taken in order.

use super::super::kind::{Argsort, Order};
use super::super::{Graph, Id, gradient};
use super::{counted, floats, text};
use crate::array::{Array, Direction};
use crate::dtype::DType;
use crate::error::Error;
use crate::tensor::Tensor;

fn argsort(axis: usize, direction: Direction) -> Argsort {
    Argsort { axis, direction, order: Order::Numbers, to: DType::I64 }
}

fn shape(graph: &Graph, id: Id) -> String {
    graph.node(id).unwrap().shape().to_string()
}

/// What a sort of this array gives: the elements as numbers, and their places.
fn sorted(x: &Tensor, sort: &Argsort, count: Option<i64>) -> Result<(Vec<f64>, Vec<i64>), Error> {
    let mut graph = Graph::new();
    let input = graph.input("x", x.dtype(), vec![ndcast_shape::Dim::UNKNOWN; x.rank()].into())?;
    let count = count.map(|count| graph.number(count, DType::I64)).transpose()?;
    let [elements, places] = graph.sorted(input, sort.clone(), count)?;
    graph.output("elements", elements)?;
    graph.output("places", places)?;
    let found = graph.run(std::slice::from_ref(x))?;
    let numbers = |tensor: &Tensor| Array::from(tensor.clone());
    Ok((numbers(&found[0]).convert(DType::F64).to_vec()?, numbers(&found[1]).convert(DType::I64).to_vec()?))
}

#[test]
fn what_is_known_is_inferred() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "Nx2..5x6");
    let later = graph.input("k", DType::I32, "1".parse().unwrap()).unwrap();
    let [four, six] = [4, 6].map(|k| graph.number(k, DType::I64).unwrap());
    let rows = graph.extents_of(x, &[0]).unwrap();
    let sort = |axis| argsort(axis, Direction::Ascending);
    for (axis, count, expected) in [
        (0, None, "Nx2..5x6"),
        (0, Some(four), "4x2..5x6"),
        (0, Some(rows), "Nx2..5x6"),
        (1, Some(four), "Nx4x6"),
        (1, Some(later), "Nx?x6"),
        (2, Some(later), "Nx2..5x..6"),
        (2, Some(six), "Nx2..5x6"),
    ] {
        let arguments: Vec<Id> = std::iter::once(x).chain(count).collect();
        let made = graph.add(sort(axis), &arguments).unwrap();
        assert_eq!(shape(&graph, made), expected, "{axis}");
        // All of them are what is sorted without a number.
        assert_eq!(
            graph.node(made).unwrap().arguments().len(),
            if count == Some(six) { 1 } else { arguments.len() }
        );
    }
    let before = graph.len();
    for (sort, arguments, message) in [
        (sort(3), &[x][..], "argsort: there is no axis 3: the rank is 3"),
        (sort(2), &[x, rows, rows], "argsort: it takes 1 to 2 arguments, and 3 are given"),
        (sort(0), &[], "argsort: it takes 1 or more arguments, and 0 are given"),
        (sort(0), &[x, x], "argsort: how many are wanted is an integer, and no f64"),
        (Argsort { to: DType::F32, ..sort(0) }, &[x], "argsort: the places are integers, and no f32"),
    ] {
        assert_eq!(text(graph.add(sort, arguments)), message);
    }
    let [seven, minus] = [7, -1].map(|k| graph.number(k, DType::I64).unwrap());
    for (axis, count, message) in [
        (2, seven, "argsort: 7 elements are wanted along axis 2, which has extent 6"),
        (1, seven, "argsort: 7 elements are wanted along axis 1, which has extent 2..5"),
        (0, minus, "argsort: -1 elements are wanted"),
    ] {
        assert_eq!(text(graph.add(sort(axis), &[x, count])), message);
    }
    let pair = graph.integers(&[1, 2]).unwrap();
    let message = "argsort: how many are wanted is one number, and no array of 2";
    assert_eq!(text(graph.add(sort(0), &[x, pair])), message);
    let z = graph.input("z", DType::C64, "2".parse().unwrap()).unwrap();
    let total = Argsort { order: Order::Total, ..sort(0) };
    assert_eq!(text(graph.add(total, &[z])), "argsort: complex numbers have no total order");
    let small = graph.input("small", DType::F8E4M3, "2".parse().unwrap()).unwrap();
    assert!(text(graph.add(sort(0), &[small])).starts_with("argsort: it takes no elements of type f8e4m3"));
    assert_eq!(graph.len(), before + 5, "what is refused leaves nothing behind");
}

#[test]
fn both_orders() {
    let nan = f32::NAN;
    let x = Tensor::new(&[7], &[1.0, nan, 0.0, -0.0, -nan, -1.0, 1.0]).unwrap();
    for (order, direction, expected) in [
        (Order::Numbers, Direction::Ascending, [5, 2, 3, 0, 6, 1, 4]),
        (Order::Numbers, Direction::Descending, [1, 4, 0, 6, 2, 3, 5]),
        (Order::Total, Direction::Ascending, [4, 5, 3, 2, 0, 6, 1]),
        (Order::Total, Direction::Descending, [1, 0, 6, 2, 3, 5, 4]),
    ] {
        for dtype in [DType::F16, DType::Bf16, DType::F32, DType::F64] {
            let x = Array::from(x.clone()).convert(dtype).eval().unwrap();
            let sort = Argsort { order, ..argsort(0, direction) };
            assert_eq!(sorted(&x, &sort, None).unwrap().1, expected, "{dtype} {order:?} {direction:?}");
            assert_eq!(sorted(&x, &sort, Some(3)).unwrap().1, expected[..3]);
        }
    }
}

#[test]
fn every_type_and_axis() {
    let numbers = Array::new(&[2, 3], &[1, 0, 1, 0, 1, 1]);
    for dtype in DType::all().filter(|dtype| crate::array::check_ordered(*dtype).is_ok()) {
        let x = numbers.convert(dtype).eval().unwrap();
        let found = sorted(&x, &argsort(1, Direction::Descending), Some(2)).unwrap();
        assert_eq!(found, (vec![1.0, 1.0, 1.0, 1.0], vec![0, 2, 1, 2]), "{dtype}");
        let order = if dtype.class() == crate::dtype::Class::Complex { Order::Numbers } else { Order::Total };
        let sort = Argsort { order, to: DType::U8, ..argsort(0, Direction::Ascending) };
        assert_eq!(sorted(&x, &sort, None).unwrap().1, [1, 0, 0, 0, 1, 1], "{dtype}");
    }
    // Nothing of something, and something of nothing.
    let x = numbers.eval().unwrap();
    assert_eq!(sorted(&x, &argsort(1, Direction::Ascending), Some(0)).unwrap(), (vec![], vec![]));
    let none = Tensor::zeros(&[2, 0], DType::F32).unwrap();
    for count in [None, Some(0)] {
        assert_eq!(sorted(&none, &argsort(1, Direction::Ascending), count).unwrap(), (vec![], vec![]));
        assert_eq!(sorted(&none, &argsort(0, Direction::Ascending), count).unwrap(), (vec![], vec![]));
    }
    assert_eq!(
        text(sorted(&x, &argsort(1, Direction::Ascending), Some(4))),
        "argsort: 4 elements are wanted along axis 1, which has extent 3"
    );
}

/// How many are wanted may come when the graph runs.
#[test]
fn a_count_that_is_computed() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "?");
    let k = graph.input("k", DType::I64, "scalar".parse().unwrap()).unwrap();
    let [elements, _] = graph.sorted(x, argsort(0, Direction::Descending), Some(k)).unwrap();
    graph.output("y", elements).unwrap();
    let run = |k: i64| graph.run(&[counted(&[4]), Tensor::scalar(k).unwrap()]);
    assert_eq!(run(2).unwrap()[0].to_vec::<f64>().unwrap(), [4.0, 3.0]);
    assert_eq!(run(4).unwrap()[0].shape(), [4]);
    assert_eq!(text(run(5)), "argsort: 5 elements are wanted along axis 0, which has extent 4");
    assert_eq!(text(run(-1)), "argsort: -1 elements are wanted");
}

#[test]
fn gradients_go_where_elements_came_from() {
    let x = Tensor::new(&[2, 3], &[3.0, 1.0, 2.0, -1.0, 5.0, 0.0]).unwrap();
    let mut graph = Graph::new();
    let input = floats(&mut graph, "x", "2x?");
    let two = graph.number(2, DType::I64).unwrap();
    let [elements, _] = graph.sorted(input, argsort(1, Direction::Descending), Some(two)).unwrap();
    let weights = graph.constant(Tensor::new(&[1, 2], &[10.0, 1.0]).unwrap()).unwrap();
    let y = graph.op(crate::op::Op::Multiply, &[elements, weights]).unwrap();
    graph.output("y", y).unwrap();
    let found = gradient(&graph, "y", None).unwrap().run(&[x]).unwrap();
    assert_eq!(found[0].to_vec::<f64>().unwrap(), [10.0, 0.0, 1.0, 0.0, 10.0, 1.0]);
}
