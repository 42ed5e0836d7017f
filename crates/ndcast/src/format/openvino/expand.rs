//! Operations that OpenVINO has no layer for, as formulas of those it has.

use std::f64::consts::{LN_2, LN_10};

use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::{Formula, Graph, Id, Kind, Node};
use crate::op::{Algebra, Body, Op, Value};

/// A layer that an operation is: its type, and attributes that say which.
pub(super) type Named = (&'static str, Vec<(&'static str, String)>);

/// The layer that an operation on elements of a type is, if it is one.
pub(super) fn named(op: Op, dtype: DType) -> Option<Named> {
    // OpenVINO's are of truth values alone.
    let logical = matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor | Op::LogicalNot);
    if logical && dtype != DType::Bool {
        return None;
    }
    let (name, conditions) = op.entry(|names| names.openvino, dtype)?;
    let pair = |one: &'static str| one.split_once('=').map(|(name, value)| (name, value.to_owned()));
    Some((name, conditions.into_iter().filter_map(pair).collect()))
}

/// The number that a node is everywhere, if that can be seen.
pub(super) fn number(graph: &Graph, id: Id) -> Option<f64> {
    let mut id = id;
    loop {
        let node = graph.node(id).ok()?;
        match node.kind() {
            Kind::Broadcast(_) => id = node.arguments()[0],
            Kind::Fit(fit) => id = *node.arguments().get(fit.operand)?,
            _ => {
                let tensor = node.constant().filter(|tensor| tensor.elements() == 1)?;
                let numeric = !matches!(tensor.dtype().class(), Class::Complex | Class::Text);
                return numeric
                    .then(|| Array::from(tensor.clone()).convert(DType::F64).to_vec::<f64>().ok())
                    .flatten()?
                    .first()
                    .copied();
            }
        }
    }
}

/// The numbers behind the arrays of a node's arguments, if each is one.
pub(super) fn numbers(graph: &Graph, op: Op, node: &Node) -> Option<Vec<f64>> {
    let arguments = op.record().arguments.iter().zip(node.arguments());
    arguments.filter(|(argument, _)| argument.default.is_some()).map(|(_, &id)| number(graph, id)).collect()
}

/// The element type that decides what an operation is.
pub(super) fn dtype_of(graph: &Graph, node: &Node) -> Option<DType> {
    graph.node(*node.arguments().last()?).ok().map(Node::dtype)
}

/// The same graph, with formulas for what is no layer.
pub(super) fn expanded(graph: &Graph) -> Result<Graph, Error> {
    let mut graph = graph.pruned()?;
    // What a formula is made of may be made of others in its turn, never of itself.
    for _ in 0..4 {
        let open = graph.nodes().any(|(_, node)| formula(&graph, node).is_some());
        if !open {
            break;
        }
        graph = graph.with_formulas(formula)?;
    }
    Ok(graph)
}

fn formula(graph: &Graph, node: &Node) -> Option<Formula> {
    let Kind::Apply(apply) = node.kind() else { return None };
    let op = apply.0;
    // OpenVINO has no complex numbers, so what is of them stays, and is named.
    if dtype_of(graph, node)?.class() == Class::Complex {
        return None;
    }
    if named(op, dtype_of(graph, node)?).is_some() && numbers(graph, op, node).is_some() {
        return None;
    }
    let found = FORMULAS.iter().find(|(other, _)| *other == op).map(|(_, formula)| *formula);
    found.or(match op.record().body {
        Body::Formula(formula) => Some(formula),
        _ => None,
    })
}

fn one(g: &mut dyn Algebra, op: Op, x: Value) -> Value {
    g.apply(op, &[x])
}

/// What has a kernel of its own here.
const FORMULAS: &[(Op, Formula)] = &[
    (Op::Positive, |_, x| x[0]),
    // Of real numbers.
    (Op::Real, |_, x| x[0]),
    (Op::Conj, |_, x| x[0]),
    (Op::SignKeepingZero, |g, x| {
        let (zero, sign) = (g.number(0.0), one(g, Op::Sign, x[0]));
        let is_zero = g.apply(Op::Equal, &[x[0], zero]);
        g.apply(Op::Where, &[is_zero, x[0], sign])
    }),
    (Op::Cbrt, |g, x| {
        let (size, third) = (one(g, Op::Abs, x[0]), g.number(1.0 / 3.0));
        let (root, sign) = (g.apply(Op::Pow, &[size, third]), one(g, Op::Sign, x[0]));
        g.apply(Op::Multiply, &[root, sign])
    }),
    (Op::Square, |g, x| g.apply(Op::Multiply, &[x[0], x[0]])),
    (Op::Reciprocal, |g, x| {
        let one = g.number(1.0);
        g.apply(Op::Divide, &[one, x[0]])
    }),
    (Op::Rsqrt, |g, x| {
        let (root, number) = (one(g, Op::Sqrt, x[0]), g.number(1.0));
        g.apply(Op::Divide, &[number, root])
    }),
    (Op::Hypot, |g, x| {
        let squares = [g.apply(Op::Multiply, &[x[0], x[0]]), g.apply(Op::Multiply, &[x[1], x[1]])];
        let sum = g.apply(Op::Add, &squares);
        one(g, Op::Sqrt, sum)
    }),
    (Op::Exp2, |g, x| {
        let two = g.number(2.0);
        g.apply(Op::Pow, &[two, x[0]])
    }),
    (Op::Expm1, |g, x| {
        let (power, number) = (one(g, Op::Exp, x[0]), g.number(1.0));
        g.apply(Op::Subtract, &[power, number])
    }),
    (Op::Log1p, |g, x| {
        let number = g.number(1.0);
        let sum = g.apply(Op::Add, &[x[0], number]);
        one(g, Op::Log, sum)
    }),
    (Op::Log2, |g, x| {
        let (log, number) = (one(g, Op::Log, x[0]), g.number(LN_2));
        g.apply(Op::Divide, &[log, number])
    }),
    (Op::Log10, |g, x| {
        let (log, number) = (one(g, Op::Log, x[0]), g.number(LN_10));
        g.apply(Op::Divide, &[log, number])
    }),
    (Op::Logaddexp, |g, x| {
        let greatest = g.apply(Op::Maximum, x);
        let parts = [x[0], x[1]].map(|x| {
            let below = g.apply(Op::Subtract, &[x, greatest]);
            one(g, Op::Exp, below)
        });
        let sum = g.apply(Op::Add, &parts);
        let log = one(g, Op::Log, sum);
        g.apply(Op::Add, &[greatest, log])
    }),
    (Op::Erfc, |g, x| {
        let (erf, number) = (one(g, Op::Erf, x[0]), g.number(1.0));
        g.apply(Op::Subtract, &[number, erf])
    }),
    (Op::Trunc, |g, x| {
        let size = one(g, Op::Abs, x[0]);
        let (whole, sign) = (one(g, Op::Floor, size), one(g, Op::Sign, x[0]));
        g.apply(Op::Multiply, &[whole, sign])
    }),
    (Op::FloorDivide, |g, x| {
        let quotient = g.apply(Op::Divide, x);
        one(g, Op::Floor, quotient)
    }),
    (Op::Clip, |g, x| {
        let above = g.apply(Op::Maximum, &[x[0], x[1]]);
        g.apply(Op::Minimum, &[above, x[2]])
    }),
    (Op::Clamp, |g, x| {
        let above = g.apply(Op::Maximum, &[x[1], x[0]]);
        g.apply(Op::Minimum, &[above, x[2]])
    }),
];
