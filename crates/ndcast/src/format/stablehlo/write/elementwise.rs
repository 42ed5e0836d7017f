//! Elementwise operations: by their names in StableHLO or CHLO, else as formulas of those.

use super::{Value, Writer};
use crate::dialect::hlo::Comparison;
use crate::dialect::stablehlo::name_of;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::formula;
use crate::graph::{Graph, Node};
use crate::op::Op;

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
                let number = |place: usize| formula::number(self.graph, node.arguments()[place]);
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

/// The same graph, with formulas for what has no name.
pub(super) fn expanded(graph: &Graph) -> Result<Graph, Error> {
    formula::expanded(graph, |_, _, op, dtype| {
        // StableHLO takes no such elements though the name is there.
        let unsigned = matches!(dtype.class(), Class::Unsigned | Class::Bool) && op == Op::Abs;
        !unsigned && name_of(op, dtype).is_some()
    })
}
