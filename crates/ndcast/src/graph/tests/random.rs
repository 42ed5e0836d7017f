//! Random graphs: what is inferred holds when they run, text comes back, and running fused is running node by node.

use super::super::kind::{
    Accumulate, Broadcast, Concatenate, Direction, Fit, Insert, Lay, MatMul, Reduce, Reshape, ReshapeTo,
    ShapeOf, Slice, SliceBy, Start, Take, Transpose,
};
use super::super::{Entry, Graph, Id, Kind, Runner};
use crate::array::{Array, Keep};
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;
use ndcast_shape::rule::onnx;
use ndcast_shape::{Extent, Shape, parse_index};

/// Numbers that look random (SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    /// Between -2 and 2, in steps that make equal numbers rare.
    pub(super) fn float(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 44).unwrap()) / f64::from(1u32 << 18) - 2.0
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A random graph of floats, and a tensor for each of its inputs.
pub(super) fn graph(random: &mut Random) -> (Graph, Vec<Tensor>) {
    // What may be declared of an extent.
    const DIMS: [(&str, usize); 9] =
        [("1", 1), ("2", 2), ("3", 3), ("N", 2), ("M", 3), ("?", 3), ("?", 1), ("1..4", 2), ("2..", 3)];
    let mut graph = Graph::new();
    let mut tensors = Vec::new();
    for input in 0..1 + random.below(3) {
        let dims: Vec<(&str, usize)> = (0..random.below(4)).map(|_| random.pick(&DIMS)).collect();
        let declared: Vec<&str> = dims.iter().map(|(name, _)| *name).collect();
        let extents: Vec<usize> = dims.iter().map(|(_, extent)| *extent).collect();
        let shape: Shape = format!("[{}]", declared.join(",")).parse().unwrap();
        let numbers: Vec<f64> = (0..extents.iter().product()).map(|_| random.float()).collect();
        graph.input(&format!("x{input}"), DType::F64, shape).unwrap();
        tensors.push(Tensor::new(&extents, &numbers).unwrap());
    }
    for _ in 0..2 + random.below(12) {
        // What does not go together is left out.
        let _ = step(&mut graph, random);
    }
    let values: Vec<Id> = floats(&graph);
    for output in 0..1 + random.below(3) {
        graph.output(&output.to_string(), random.pick(&values[values.len() / 2..])).unwrap();
    }
    (graph, tensors)
}

fn floats(graph: &Graph) -> Vec<Id> {
    graph.nodes().filter(|(_, node)| node.dtype() == DType::F64).map(|(id, _)| id).collect()
}

/// A random node.
fn step(graph: &mut Graph, random: &mut Random) -> Result<Id, Error> {
    let values = floats(graph);
    let (x, y) = (random.pick(&values), random.pick(&values));
    let rank = graph.at(x).shape().rank().unwrap_or(0);
    let axis = if rank == 0 { 0 } else { random.below(rank) };
    match random.below(20) {
        0 | 1 => graph.apply(random.pick(&[Op::Tanh, Op::Negative, Op::Sigmoid, Op::Square]), &[x]),
        2..=5 => {
            let [x, y] = graph.joined([x, y])?;
            graph.apply(random.pick(&[Op::Add, Op::Subtract, Op::Multiply, Op::Maximum]), &[x, y])
        }
        6 => {
            let [x, y] = graph.joined([x, y])?;
            let less = graph.apply(Op::Less, &[x, y])?;
            graph.apply(Op::Where, &[less, y, x])
        }
        7 | 8 => {
            let reduction = random.pick(&[Reduction::Sum, Reduction::Max, Reduction::Prod, Reduction::Min]);
            let keep = random.pick(&[Keep::Axes, Keep::Nothing]);
            graph.add(Reduce { reduction, axes: vec![axis], keep }, &[x])
        }
        9 => {
            let mut order: Vec<usize> = (0..rank).collect();
            (0..rank).for_each(|place| order.swap(place, axis));
            graph.add(Transpose { order }, &[x])
        }
        10 => {
            graph.add(Reshape::from_integers(random.pick(&[&[-1][..], &[1, -1], &[-1, 2], &[3, -1]]))?, &[x])
        }
        11 => {
            let shape = graph.add(ShapeOf(DType::I64), &[x])?;
            let y = graph.apply(Op::Tanh, &[y])?;
            let flat = graph.add(Reshape::from_integers(&[-1])?, &[y])?;
            graph.add(ReshapeTo, &[flat, shape])
        }
        12 => graph
            .add(Slice { index: parse_index(random.pick(&["::-1", "...,:2", "0", "...,-1,None"]))? }, &[x]),
        13 => graph.add(Concatenate { axis }, &[x, x]),
        14 => {
            let mut axes: Vec<Lay> = (0..rank).map(Lay::Axis).collect();
            axes.insert(axis, Lay::New(2));
            graph.add(Broadcast { axes }, &[x])
        }
        15 => {
            let shape = graph.add(ShapeOf(DType::I64), &[y])?;
            graph.add(Fit::new(&onnx::EXPAND, 1, 0), &[x, shape])
        }
        16 => {
            let numbers = graph.constant(Tensor::new(&[2, 2], &[0i64, -1, 0, 0])?)?;
            graph.add(Take { axis, batch: 0 }, &[x, numbers])
        }
        17 => {
            let direction = random.pick(&[Direction::Forward, Direction::Backward]);
            let start = random.pick(&[Start::With, Start::Before]);
            graph.add(Accumulate { reduction: Reduction::Sum, axis, direction, start }, &[x])
        }
        18 => {
            // All but the last along an axis, by its extent, and put back at the end.
            let (zero, one) = (graph.integers(&[0])?, graph.integers(&[1])?);
            let shape = graph.add(ShapeOf(DType::I64), &[x])?;
            let index = parse_index(&format!("{axis}:{}", axis + 1))?;
            let extent = graph.add(Slice { index }, &[shape])?;
            let last = graph.apply(Op::Subtract, &[extent, one])?;
            let part = graph.add(SliceBy { axes: vec![axis] }, &[x, zero, last, one])?;
            let index = parse_index(&[vec![":"; axis], vec!["1:"]].concat().join(", "))?;
            graph.add(Insert { index }, &[x, part])
        }
        _ => {
            let order = (0..rank).rev();
            let turned = graph.add(Transpose::new(order), &[x])?;
            graph.add(MatMul, &[x, turned])
        }
    }
}

/// Every value that the outputs need, each computed by itself.
fn one_by_one(graph: &Graph, inputs: &[Tensor]) -> Result<Vec<Option<Tensor>>, Error> {
    let needed = graph.needed(graph.outputs().iter().map(super::super::Output::id));
    let mut values: Vec<Option<Tensor>> = vec![None; graph.len()];
    for (&id, tensor) in graph.inputs().iter().zip(inputs) {
        values[id.place()] = Some(tensor.clone());
    }
    for (id, node) in graph.nodes().filter(|(id, _)| needed[id.place()]) {
        if !matches!(node.kind(), Kind::Input(_)) {
            let arguments: Vec<Array> =
                node.arguments().iter().map(|id| values[id.place()].clone().unwrap().into()).collect();
            values[id.place()] = Some(node.kind().operation().run(&arguments).eval()?);
        }
    }
    Ok(values)
}

fn bits(tensor: &Tensor) -> (Vec<usize>, Vec<u64>) {
    (tensor.shape().to_vec(), tensor.to_vec::<f64>().unwrap().into_iter().map(f64::to_bits).collect())
}

/// The same elements from behind.
fn turned(tensor: &Tensor) -> Tensor {
    let array = Array::from(tensor.clone());
    let axes: Vec<usize> = (0..tensor.rank()).collect();
    array.flip(&axes).eval().unwrap()
}

#[test]
fn random_graphs() {
    let (mut ran, mut refused, mut scheduled_once) = (0, 0, 0);
    for seed in 0..1500 {
        let (graph, inputs) = graph(&mut Random(seed));
        let text = graph.to_string();
        assert_eq!(text.parse::<Graph>().unwrap().to_string(), text, "seed {seed}");
        let runner = Runner::new(graph.clone());
        let values = match one_by_one(&graph, &inputs) {
            Ok(values) => values,
            Err(error) => {
                assert!(runner.run(&inputs).is_err(), "seed {seed}: {error}, and not when it runs\n{text}");
                refused += 1;
                continue;
            }
        };
        ran += 1;
        for (id, node) in graph.nodes() {
            let Some(value) = &values[id.place()] else { continue };
            let holds = match node.dims() {
                None => true,
                Some(dims) => {
                    dims.len() == value.rank()
                        && dims.iter().zip(value.shape()).all(|(dim, &n)| dim.contains(n))
                }
            };
            assert!(
                holds,
                "seed {seed}: {:?} is not in {} of %{}\n{text}",
                value.shape(),
                node.shape(),
                id.place()
            );
            if let Some(entries) = node.entries() {
                let numbers = Array::from(value.clone()).convert(DType::I64).to_vec::<i64>().unwrap();
                let possible = |(entry, &number): (&Entry, &i64)| match entry {
                    Entry::Int(n) => *n == number,
                    Entry::Extent(dim) => usize::try_from(number).is_ok_and(|number| dim.contains(number)),
                    Entry::Unknown => true,
                };
                assert!(
                    entries.iter().zip(&numbers).all(possible),
                    "seed {seed}: {entries:?} {numbers:?}\n{text}"
                );
            }
        }
        let known: Vec<Shape> = inputs.iter().map(|tensor| tensor.shape().into()).collect();
        for (way, got) in [
            ("fused", runner.run(&inputs)),
            ("again", runner.run(&inputs)),
            ("cleaned", graph.cleaned().unwrap().run(&inputs)),
            ("of known shapes", graph.with_shapes(&known).unwrap().run(&inputs)),
        ] {
            let got = got.unwrap_or_else(|error| panic!("seed {seed}, {way}: {error}\n{text}"));
            for (output, got) in graph.outputs().iter().zip(&got) {
                let expected = values[output.id().place()].as_ref().unwrap();
                assert_eq!(bits(got), bits(expected), "seed {seed}, {way}, {}\n{text}", output.name());
            }
        }
        // Other values of the same shapes, by the schedule of the first.
        let others: Vec<Tensor> = inputs.iter().map(turned).collect();
        match (graph.run(&others), runner.run(&others)) {
            (Ok(expected), Ok(got)) => {
                for (expected, got) in expected.iter().zip(&got) {
                    assert_eq!(bits(got), bits(expected), "seed {seed}, other values\n{text}");
                }
            }
            (Err(expected), Err(got)) => assert_eq!(got.to_string(), expected.to_string(), "seed {seed}"),
            (expected, got) => panic!("seed {seed}: {expected:?}, and {got:?} again\n{text}"),
        }
        scheduled_once += usize::from(format!("{runner:?}").contains("Prepared("));
        // Where all shapes are known, they are exactly those.
        let known = graph.with_shapes(&known).unwrap();
        for (output, old) in known.outputs().iter().zip(graph.outputs()) {
            let shape = known.node(output.id()).unwrap().dims().unwrap();
            let value = values[old.id().place()].as_ref().unwrap();
            assert!(
                shape.iter().zip(value.shape()).all(|(dim, n)| dim.known() == Some(*n)),
                "seed {seed}\n{known}"
            );
        }
    }
    assert!(ran > 1000 && refused > 5, "{ran} ran, {refused} were refused");
    // The others look at values before all is written down.
    assert!(scheduled_once > ran / 2, "{scheduled_once} of {ran}");
}
