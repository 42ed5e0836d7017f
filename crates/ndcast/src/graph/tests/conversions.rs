//! Conversions written out: what they make does not hang on what a plain conversion makes of numbers that do not fit.

use super::super::kind::Convert;
use super::super::{Graph, Id, Kind};
use crate::array::Array;
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::tensor::Tensor;

const INTEGERS: [DType; 8] =
    [DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32, DType::I64, DType::U64];
const FLOATS: [DType; 4] = [DType::F16, DType::Bf16, DType::F32, DType::F64];

/// Numbers around every limit, as a type of floats.
fn samples(dtype: DType) -> Result<Tensor, Error> {
    let mut numbers =
        vec![0.0, -0.0, 0.5, -0.9, 2.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e30, -1e30];
    for bits in [7, 8, 15, 16, 31, 32, 63, 64] {
        let limit = 2f64.powi(bits);
        numbers.extend([
            limit - 1.0,
            limit - 0.1,
            limit,
            limit + 1.0,
            -limit - 1.0,
            -limit - 0.9,
            -limit,
            1.0 - limit,
        ]);
    }
    Array::new(&[numbers.len()], &numbers).convert(dtype).eval()
}

/// The graph with plain conversions to integers that make 77 of what does not fit.
fn careless(graph: &Graph) -> Result<Graph, Error> {
    graph.copied(
        |_, node| node.shape().clone(),
        |to, node, ids| {
            let kind = node.kind().clone();
            let Kind::Convert(Convert { to: integer, .. }) = kind else { return to.add(kind, ids) };
            // What is cut to the least is more than 1 below it, as far as a float tells.
            let ends = [f64::MIN, f64::MAX]
                .map(|end| Array::scalar(end).convert(integer).convert(DType::F64).item());
            let (least, most): (f64, f64) = (ends[0].clone()?, ends[1].clone()?);
            let low = (least - 1.0).min(least.next_down());
            let high = (most + 1.0).floor();
            let x = to.add(Convert { to: DType::F64, overflow: Overflow::Numpy }, &[ids[0]])?;
            let (is_above, is_below) =
                (to.with_number(Op::Greater, x, low)?, to.with_number(Op::Less, x, high)?);
            let fits = to.apply(Op::LogicalAnd, &[is_above, is_below])?;
            let other = to.number(77, DType::F64)?;
            let x = to.op(Op::Where, &[fits, x, other])?;
            to.add(kind, &[x])
        },
    )
}

/// What the graph of one input and one conversion gives, by itself and written out, where plain conversions are careless.
fn compare(x: &Tensor, make: impl Fn(&mut Graph, Id) -> Result<Id, Error>) -> Result<Graph, Error> {
    let mut graph = Graph::new();
    let input = graph.input("x", x.dtype(), x.shape().into())?;
    let y = make(&mut graph, input)?;
    graph.output("y", y)?;
    let plain = graph.with_conversions(Convert::ends_at_integers)?.into_owned();
    let [expected, found] = [&graph, &careless(&plain)?].map(|graph| graph.run(std::slice::from_ref(x)));
    assert_eq!(format!("{:?}", found?), format!("{:?}", expected?), "{plain}");
    Ok(plain)
}

fn count(graph: &Graph, op: Op) -> usize {
    graph.nodes().filter(|(_, node)| matches!(node.kind(), Kind::Apply(apply) if apply.0 == op)).count()
}

#[test]
fn floats_end_at_the_limits_of_integers_and_nan_is_0() -> Result<(), Error> {
    for (from, to) in FLOATS.into_iter().flat_map(|from| INTEGERS.map(|to| (from, to))) {
        compare(&samples(from)?, |graph, x| graph.add(Convert { to, overflow: Overflow::Xla }, &[x]))?;
    }
    Ok(())
}

#[test]
fn what_was_clamped_is_not_clamped_again() -> Result<(), Error> {
    // NaN as a byte is 0 everywhere.
    let x = Array::from(samples(DType::F32)?);
    let x = x.isnan().choose(Array::scalar(3.0f32), &x).eval()?;
    let convert = Convert { to: DType::I8, overflow: Overflow::Xla };
    let within = |low: f64, high: f64| {
        let convert = convert.clone();
        move |graph: &mut Graph, x: Id| {
            let rounded = graph.apply(Op::Round, &[x])?;
            let (low, high) = (graph.number(low, DType::F32)?, graph.number(high, DType::F32)?);
            let raised = graph.op(Op::Maximum, &[low, rounded])?;
            let both = graph.op(Op::Minimum, &[raised, high])?;
            graph.add(convert.clone(), &[both])
        }
    };
    assert_eq!(count(&compare(&x, within(-128.0, 127.0))?, Op::Clip), 0);
    assert_eq!(count(&compare(&x, within(-129.0, 127.0))?, Op::Clip), 1);
    assert_eq!(count(&compare(&x, within(-128.0, 127.5))?, Op::Clip), 1);
    // A chain of operations on the same twice is not looked at to its end.
    let deep = compare(&x, |graph, mut x| {
        for _ in 0..100 {
            x = graph.apply(Op::Maximum, &[x, x])?;
        }
        graph.add(convert.clone(), &[x])
    })?;
    assert_eq!(count(&deep, Op::Clip), 1);
    Ok(())
}

#[test]
fn conversions_of_other_dialects_stay() -> Result<(), Error> {
    let x = samples(DType::F32)?;
    for overflow in [Overflow::Numpy, Overflow::OnnxSaturate, Overflow::OpenVino] {
        let mut graph = Graph::new();
        let input = graph.input("x", x.dtype(), x.shape().into())?;
        let y = graph.add(Convert { to: DType::I32, overflow }, &[input])?;
        graph.output("y", y)?;
        assert_eq!(graph.with_conversions(Convert::ends_at_integers)?.len(), graph.len());
    }
    Ok(())
}
