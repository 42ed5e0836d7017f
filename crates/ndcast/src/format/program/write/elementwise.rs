//! Elementwise operations: by the names that the format has for them, else as formulas of those it has.

use super::{Says, Spelling, Value, Writer};
use crate::dialect::hlo::Comparison;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::formula;
use crate::graph::{Graph, Node};
use crate::op::Op;

impl Writer<'_> {
    pub(super) fn elementwise(&mut self, op: Op, node: &Node, operands: &[Value]) -> Result<Value, Error> {
        let dtype = operands.last().map_or(DType::Bool, |&operand| self.dtype(operand));
        let typed = self.typed_of(node);
        let (name, conditions) = taken(self.spelling, op, dtype)
            .ok_or_else(|| Error::value(format!("no operation does this with elements of type {dtype}")))?;
        match (op, &conditions[..]) {
            (_, [direction, rest @ ..]) if name == "compare" => {
                let total = rest.contains(&"TOTALORDER");
                let comparison = if total { Comparison::TotalOrder } else { Comparison::of(dtype) };
                self.operation(name, operands, &Says::Compare(direction, comparison), typed)
            }
            (Op::ReducePrecision, _) => {
                let number = |place: usize| formula::number(self.graph, node.arguments()[place]);
                let (Some(exponent), Some(mantissa)) = (number(1), number(2)) else {
                    return Err(Error::value("the bits of its format are no constants".to_owned()));
                };
                self.operation(name, &operands[..1], &Says::Precision([exponent, mantissa]), typed)
            }
            _ => self.operation(name, operands, &Says::Nothing, typed),
        }
    }
}

/// Names that are not written for some classes, though the format has them: StableHLO's verifier refuses them, or XLA
/// parses them and cannot run them unless they were expanded before.
const NOT_TAKEN: &[(&[&str], &[Class])] = &[
    // Of constants XLA takes a sum of truth values for an exclusive or; `or` and `and` are what they are.
    (&["add", "multiply"], &[Class::Bool]),
    (&["abs"], &[Class::Bool, Class::Unsigned]),
    (&["sign"], &[Class::Unsigned]),
    (&["chlo.square", "chlo.conj"], &[Class::Bool, Class::Signed, Class::Unsigned]),
    (&["chlo.is_inf"], &[Class::Bool, Class::Signed, Class::Unsigned, Class::Complex]),
    // JAX knows no such instruction of HLO.
    (&["mulhi"], &[Class::Signed, Class::Unsigned]),
    (&["acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh"], &[Class::Float, Class::Complex]),
];

/// What the format calls an operation for elements of a type that it takes, and the conditions of that name.
fn taken(spelling: &dyn Spelling, op: Op, dtype: DType) -> Option<(&'static str, Vec<&'static str>)> {
    let class = dtype.class();
    let refuses =
        |name: &str| NOT_TAKEN.iter().any(|(names, of)| names.contains(&name) && of.contains(&class));
    spelling.name_of(op, dtype).filter(|(name, _)| !refuses(name))
}

/// The same graph, with formulas for what has no name.
pub(super) fn expanded(graph: &Graph, spelling: &dyn Spelling) -> Result<Graph, Error> {
    formula::expanded(graph, |_, _, op, dtype| taken(spelling, op, dtype).is_some())
}
