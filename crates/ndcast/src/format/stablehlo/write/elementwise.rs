//! Elementwise operations: by their names in StableHLO or CHLO, else as formulas of those.

use std::f64::consts::{LN_2, LN_10};

use super::{Value, Writer};
use crate::array::Array;
use crate::dialect::hlo::Comparison;
use crate::dialect::stablehlo::name_of;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::{Formula, Graph, Id, Kind, Node};
use crate::op::{Algebra, Body, Op, Value as Term};

impl Writer<'_> {
    pub(super) fn elementwise(&mut self, op: Op, node: &Node, operands: &[Value]) -> Result<Value, Error> {
        let dtype = operands.last().map_or(DType::Bool, |&operand| self.dtype(operand));
        let typed = (node.dtype(), node.shape().clone());
        let named = name_of(op, dtype);
        let (name, conditions) = named
            .ok_or_else(|| Error::value(format!("no operation does this with elements of type {dtype}")))?;
        match name {
            "compare" => {
                let total = conditions.contains(&"TOTALORDER");
                let comparison = if total { Comparison::TotalOrder } else { Comparison::of(dtype) };
                let head = format!("stablehlo.compare {},", conditions[0]);
                self.operation(&head, operands, &format!(", {comparison}"), typed)
            }
            "reduce_precision" => {
                let number = |place: usize| number(self.graph, node.arguments()[place]);
                let (Some(exponent), Some(mantissa)) = (number(1), number(2)) else {
                    return Err(Error::value("the bits of its format are no constants".to_owned()));
                };
                let format = format!(", format = e{exponent}m{mantissa}");
                self.operation("stablehlo.reduce_precision", &operands[..1], &format, typed)
            }
            name if name.starts_with("chlo.") => self.generic(name, operands, "", typed),
            name => self.operation(&format!("stablehlo.{name}"), operands, "", typed),
        }
    }
}

/// The number that a node is everywhere, if that can be seen.
fn number(graph: &Graph, id: Id) -> Option<f64> {
    let mut node = graph.node(id).ok()?;
    while let Kind::Broadcast(_) | Kind::Fit(_) = node.kind() {
        let place = if let Kind::Fit(fit) = node.kind() { fit.operand } else { 0 };
        node = graph.node(*node.arguments().get(place)?).ok()?;
    }
    let tensor = node.constant().filter(|tensor| tensor.elements() == 1)?;
    Array::from(tensor.clone()).convert(DType::F64).to_vec::<f64>().ok()?.first().copied()
}

/// The same graph, with formulas for what has no name.
pub(super) fn expanded(graph: &Graph) -> Result<Graph, Error> {
    let mut graph = graph.pruned()?;
    // What a formula is made of may be made of others in its turn, never of itself.
    for _ in 0..6 {
        if !graph.nodes().any(|(_, node)| formula(&graph, node).is_some()) {
            break;
        }
        graph = graph.with_formulas(formula)?;
    }
    Ok(graph)
}

fn formula(graph: &Graph, node: &Node) -> Option<Formula> {
    let Kind::Apply(apply) = node.kind() else { return None };
    let dtype = graph.node(*node.arguments().last()?).ok()?.dtype();
    let (op, class) = (apply.0, dtype.class());
    let of_class: &[(Op, Formula)] = match class {
        Class::Float => &[],
        Class::Complex => OF_COMPLEX,
        Class::Bool => OF_TRUTHS,
        Class::Unsigned if op == Op::BitwiseRightShift => {
            return Some(|g, x| g.apply(Op::ShiftRightLogical, x));
        }
        _ => OF_INTEGERS,
    };
    // Where StableHLO takes no such elements though the name is there.
    let unsigned = matches!(class, Class::Unsigned | Class::Bool) && op == Op::Abs;
    if !unsigned && name_of(op, dtype).is_some() {
        return None;
    }
    let mut formulas = of_class.iter().chain(FORMULAS);
    let found = formulas.find(|(other, _)| *other == op).map(|(_, formula)| *formula);
    found.or(match op.record().body {
        Body::Formula(formula) => Some(formula),
        _ => None,
    })
}

fn one(g: &mut dyn Algebra, op: Op, x: Term) -> Term {
    g.apply(op, &[x])
}

/// Whether a remainder has another sign than the divisor, and is not 0.
fn crosses(g: &mut dyn Algebra, rest: Term, by: Term) -> Term {
    let zero = g.number(0.0);
    let (left, right) = (g.apply(Op::Less, &[rest, zero]), g.apply(Op::Less, &[by, zero]));
    let (other, some) = (g.apply(Op::NotEqual, &[left, right]), g.apply(Op::NotEqual, &[rest, zero]));
    g.apply(Op::BitwiseAnd, &[other, some])
}

fn truth(g: &mut dyn Algebra, x: Term) -> Term {
    let zero = g.number(0.0);
    g.apply(Op::NotEqual, &[x, zero])
}

fn truths(g: &mut dyn Algebra, op: Op, x: &[Term]) -> Term {
    let (a, b) = (truth(g, x[0]), truth(g, x[1]));
    g.apply(op, &[a, b])
}

/// What is otherwise of truth values, which are no numbers.
const OF_TRUTHS: &[(Op, Formula)] = &[
    (Op::LogicalNot, |g, x| g.apply(Op::BitwiseInvert, x)),
    (Op::LogicalXor, |g, x| g.apply(Op::BitwiseXor, x)),
];

/// What is otherwise of complex numbers: of both parts.
const OF_COMPLEX: &[(Op, Formula)] = &[
    (Op::Round, |g, x| {
        let parts = [Op::Real, Op::Imag].map(|part| one(g, part, x[0]));
        let rounded = parts.map(|part| one(g, Op::Round, part));
        g.apply(Op::Complex, &rounded)
    }),
    (Op::Isfinite, |g, x| {
        let parts = [Op::Real, Op::Imag].map(|part| one(g, part, x[0]));
        let finite = parts.map(|part| one(g, Op::Isfinite, part));
        g.apply(Op::BitwiseAnd, &finite)
    }),
];

/// What is otherwise of integers.
const OF_INTEGERS: &[(Op, Formula)] = &[
    (Op::Abs, |_, x| x[0]),
    (Op::Floor, |_, x| x[0]),
    (Op::Ceil, |_, x| x[0]),
    (Op::Trunc, |_, x| x[0]),
    (Op::Round, |_, x| x[0]),
    (Op::RoundAway, |_, x| x[0]),
    (Op::Isfinite, |g, x| g.apply(Op::Equal, &[x[0], x[0]])),
    (Op::Imag, |g, x| g.apply(Op::Subtract, &[x[0], x[0]])),
    (Op::Isinf, |g, x| g.apply(Op::NotEqual, &[x[0], x[0]])),
    (Op::SignKeepingZero, |g, x| {
        let one = g.number(1.0);
        g.apply(Op::Minimum, &[x[0], one])
    }),
    (Op::Sign, |g, x| one(g, Op::SignKeepingZero, x[0])),
    (Op::FloorDivide, |g, x| {
        let (quotient, rest) = (g.apply(Op::DivideTowardZero, x), g.apply(Op::RemainderTowardZero, x));
        let (crosses, one) = (crosses(g, rest, x[1]), g.number(1.0));
        let below = g.apply(Op::Subtract, &[quotient, one]);
        g.apply(Op::Where, &[crosses, below, quotient])
    }),
];

/// What has a kernel of its own here. Some round more than once.
const FORMULAS: &[(Op, Formula)] = &[
    (Op::Positive, |_, x| x[0]),
    (Op::Real, |_, x| x[0]),
    (Op::Conj, |_, x| x[0]),
    // -0 and 0 are 0.
    (Op::Sign, |g, x| {
        let (sign, zero) = (one(g, Op::SignKeepingZero, x[0]), g.number(0.0));
        g.apply(Op::Add, &[sign, zero])
    }),
    (Op::Signbit, |g, x| {
        let zero = g.number(0.0);
        g.apply(Op::TotalLess, &[x[0], zero])
    }),
    (Op::Copysign, |g, x| {
        let (size, sign) = (one(g, Op::Abs, x[0]), one(g, Op::Signbit, x[1]));
        let negative = one(g, Op::Negative, size);
        g.apply(Op::Where, &[sign, negative, size])
    }),
    (Op::Isnan, |g, x| g.apply(Op::NotEqual, &[x[0], x[0]])),
    (Op::SquaredDifference, |g, x| {
        let difference = g.apply(Op::Subtract, x);
        g.apply(Op::Multiply, &[difference, difference])
    }),
    (Op::Reciprocal, |g, x| {
        let one = g.number(1.0);
        g.apply(Op::Divide, &[one, x[0]])
    }),
    (Op::FloorDivide, |g, x| {
        let quotient = g.apply(Op::Divide, x);
        one(g, Op::Floor, quotient)
    }),
    (Op::DivideTowardZero, |g, x| {
        let quotient = g.apply(Op::Divide, x);
        one(g, Op::Trunc, quotient)
    }),
    (Op::Remainder, |g, x| {
        let rest = g.apply(Op::RemainderTowardZero, x);
        let (crosses, further) = (crosses(g, rest, x[1]), g.apply(Op::Add, &[rest, x[1]]));
        g.apply(Op::Where, &[crosses, further, rest])
    }),
    (Op::Trunc, |g, x| {
        let size = one(g, Op::Abs, x[0]);
        let (whole, sign) = (one(g, Op::Floor, size), one(g, Op::SignKeepingZero, x[0]));
        g.apply(Op::Multiply, &[whole, sign])
    }),
    (Op::Exp2, |g, x| {
        let two = g.number(2.0);
        g.apply(Op::Pow, &[two, x[0]])
    }),
    (Op::Log2, |g, x| {
        let (log, number) = (one(g, Op::Log, x[0]), g.number(LN_2));
        g.apply(Op::Divide, &[log, number])
    }),
    (Op::Log10, |g, x| {
        let (log, number) = (one(g, Op::Log, x[0]), g.number(LN_10));
        g.apply(Op::Divide, &[log, number])
    }),
    // Of two equal infinities the difference is NaN, and the sum is what they are.
    (Op::Logaddexp, |g, x| {
        let (difference, sum, greatest) =
            (g.apply(Op::Subtract, x), g.apply(Op::Add, x), g.apply(Op::Maximum, x));
        let size = one(g, Op::Abs, difference);
        let below = one(g, Op::Negative, size);
        let power = one(g, Op::Exp, below);
        let log = one(g, Op::Log1p, power);
        let made = g.apply(Op::Add, &[greatest, log]);
        let none = g.apply(Op::NotEqual, &[difference, difference]);
        g.apply(Op::Where, &[none, sum, made])
    }),
    (Op::Hypot, |g, x| {
        let squares = [g.apply(Op::Multiply, &[x[0], x[0]]), g.apply(Op::Multiply, &[x[1], x[1]])];
        let sum = g.apply(Op::Add, &squares);
        one(g, Op::Sqrt, sum)
    }),
    (Op::Relu, |g, x| {
        let zero = g.number(0.0);
        g.apply(Op::Maximum, &[x[0], zero])
    }),
    (Op::Clip, |g, x| {
        let above = g.apply(Op::Maximum, &[x[0], x[1]]);
        g.apply(Op::Minimum, &[above, x[2]])
    }),
    (Op::BitwiseRightShift, |g, x| g.apply(Op::ShiftRightArithmetic, x)),
    (Op::LogicalNot, |g, x| {
        let zero = g.number(0.0);
        g.apply(Op::Equal, &[x[0], zero])
    }),
    (Op::LogicalAnd, |g, x| truths(g, Op::BitwiseAnd, x)),
    (Op::LogicalOr, |g, x| truths(g, Op::BitwiseOr, x)),
    (Op::LogicalXor, |g, x| truths(g, Op::BitwiseXor, x)),
];
