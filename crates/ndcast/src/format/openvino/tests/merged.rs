//! What OpenVINO's CPU plugin merges or drops as it must not is written so that it does not.

use super::*;
use crate::array::Keep;
use crate::graph::Id;
use crate::graph::kind::*;
use crate::op::Op;
use crate::reduction::Reduction;

/// A graph of one input, written.
fn written(dtype: DType, shape: &str, make: impl Fn(&mut Graph, Id) -> Result<Id, Error>) -> (Graph, String) {
    let mut graph = Graph::new();
    let x = graph.input("x", dtype, shape.parse().unwrap()).unwrap();
    let y = make(&mut graph, x).unwrap();
    graph.output("y", y).unwrap();
    let (xml, bin) = write(&graph).unwrap();
    (read(&xml, &bin).unwrap(), xml)
}

/// The mean along the first axis.
fn mean(graph: &mut Graph, x: Id, divide: Op) -> Result<Id, Error> {
    let sum = graph.fold(Reduction::Sum, x, &[0], Keep::Nothing)?;
    let dtype = graph.node(x)?.dtype();
    let count = graph.count_along(x, &[0], dtype)?;
    graph.op(divide, &[sum, count])
}

/// A fold and a division behind it are one kernel, which rounds to the nearest integer: between them stands a Maximum.
#[test]
fn quotients_of_folds_are_divided_by_themselves() {
    type Make = fn(&mut Graph, Id) -> Result<Id, Error>;
    let rows: &[(&str, Make, usize, [i64; 2])] = &[
        ("a mean", |g, x| mean(g, x, Op::DivideTowardZero), 1, [-1, 7]),
        (
            "arithmetic between",
            |g, x| {
                let most = g.fold(Reduction::Max, x, &[0], Keep::Nothing)?;
                let sum = g.with_number(Op::Add, most, 1)?;
                g.with_number(Op::DivideTowardZero, sum, 3)
            },
            1,
            [1, 3],
        ),
        (
            "a quotient by a fold",
            |g, x| {
                let sum = g.fold(Reduction::Sum, x, &[0], Keep::Nothing)?;
                let number = g.full_like(100, sum)?;
                g.apply(Op::DivideTowardZero, &[number, sum])
            },
            1,
            [-33, 6],
        ),
        (
            "both are folds, rounded down",
            |g, x| {
                let (sum, least) = (
                    g.fold(Reduction::Sum, x, &[0], Keep::Nothing)?,
                    g.fold(Reduction::Min, x, &[0], Keep::Nothing)?,
                );
                g.apply(Op::FloorDivide, &[sum, least])
            },
            2,
            [0, 3],
        ),
        (
            "a product of matrices",
            |g, x| {
                let turned = g.add(Transpose::new([1, 0]), &[x])?;
                let product = g.add(MatMul, &[turned, x])?;
                let product = g.with_number(Op::DivideTowardZero, product, 7)?;
                g.add(Slice { index: ndcast_shape::parse_index("0")? }, &[product])
            },
            1,
            [4, -5],
        ),
        (
            "no fold",
            |g, x| {
                let row = g.add(Slice { index: ndcast_shape::parse_index("0")? }, &[x])?;
                g.with_number(Op::DivideTowardZero, row, 2)
            },
            0,
            [1, 2],
        ),
        (
            "no quotient",
            |g, x| {
                let sum = g.fold(Reduction::Sum, x, &[0], Keep::Nothing)?;
                g.with_number(Op::RemainderTowardZero, sum, 7)
            },
            0,
            [-3, 1],
        ),
    ];
    for dtype in [DType::I32, DType::I64] {
        for shape in ["2x2", "?x?"] {
            for (name, make, count, expected) in rows {
                let (again, xml) = written(dtype, shape, make);
                assert_eq!(xml.matches("type=\"Maximum\"").count(), *count, "{name}: {xml}");
                let twice = write(&again).unwrap().0;
                assert_eq!(twice.matches("type=\"Maximum\"").count(), *count, "{name}: {twice}");
                let x = crate::Array::new(&[2, 2], &[2i64, 5, -5, 10]).convert(dtype).eval().unwrap();
                let found = numbers(&again.run(&[x]).unwrap()[0]);
                assert_eq!(found, expected.map(|n| n as f64), "{name} {dtype} {shape}");
            }
        }
    }
    // Floats are divided as they are.
    let (_, xml) = written(DType::F32, "2x2", |g, x| mean(g, x, Op::Divide));
    assert!(!xml.contains("Maximum"), "{xml}");
}

/// The count of elements along one axis is its extent, and no product.
#[test]
fn an_extent_is_no_fold() {
    let (again, xml) = written(DType::F32, "?x3", |g, x| g.count_along(x, &[0], DType::I64));
    assert!(!xml.contains("Reduce"), "{xml}");
    let x = Tensor::zeros(&[4, 3], DType::F32).unwrap();
    assert_eq!(numbers(&again.run(&[x]).unwrap()[0]), [4.0]);
}

/// A Slice from the first place on is dropped before GatherElements, though the indices are shorter than the data; one from before
/// the first place is not.
#[test]
fn elements_of_a_part() {
    let numbers_of = |graph: &Graph, inputs: &[Tensor]| numbers(&graph.run(inputs).unwrap()[0]);
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "?x?".parse().unwrap()).unwrap();
    let indices = graph.input("i", DType::I64, "?x?".parse().unwrap()).unwrap();
    let extent = graph.extents_of(indices, &[0]).unwrap();
    let (zero, one) = (graph.integers(&[0]).unwrap(), graph.integers(&[1]).unwrap());
    let rows = graph.add(SliceBy { axes: vec![0] }, &[x, zero, extent, one]).unwrap();
    let y = graph.add(TakeAlong { axis: 1 }, &[rows, indices]).unwrap();
    graph.output("y", y).unwrap();
    let (xml, bin) = write(&graph).unwrap();
    let first = i64::from(i32::MIN).to_le_bytes();
    assert!(bin.chunks_exact(8).any(|bytes| bytes == first), "{xml}");
    let x = Tensor::new(&[3, 2], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let indices = Tensor::new(&[2, 3], &[0i64, 1, 1, 1, -1, 0]).unwrap();
    let again = read(&xml, &bin).unwrap();
    assert_eq!(numbers_of(&again, &[x, indices]), [1.0, 2.0, 2.0, 4.0, 4.0, 3.0]);
    // Of a part that nothing takes elements of the starts stay.
    let (_, bin) = write(&{
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "?x?".parse().unwrap()).unwrap();
        let stop = graph.input("stop", DType::I64, "1".parse().unwrap()).unwrap();
        let (zero, one) = (graph.integers(&[0]).unwrap(), graph.integers(&[1]).unwrap());
        let rows = graph.add(SliceBy { axes: vec![0] }, &[x, zero, stop, one]).unwrap();
        graph.output("y", rows).unwrap();
        graph
    })
    .unwrap();
    assert!(!bin.chunks_exact(8).any(|bytes| bytes == first));
}
