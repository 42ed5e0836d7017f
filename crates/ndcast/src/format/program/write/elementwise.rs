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
        let typed = (node.dtype(), node.shape().clone());
        let named = self.spelling.name_of(op, dtype);
        let (name, conditions) = named
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

/// The same graph, with formulas for what has no name.
pub(super) fn expanded(graph: &Graph, spelling: &dyn Spelling) -> Result<Graph, Error> {
    formula::expanded(graph, |_, _, op, dtype| {
        // Neither takes such elements though the name is there.
        let unsigned = matches!(dtype.class(), Class::Unsigned | Class::Bool) && op == Op::Abs;
        !unsigned && spelling.name_of(op, dtype).is_some()
    })
}
