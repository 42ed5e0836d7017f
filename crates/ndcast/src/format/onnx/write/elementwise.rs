//! Elementwise operations: by the name that ONNX has for them, else as formulas of what it has names for.

use super::taken::{takes, within};
use super::{OPSET, Value as Written, Writer, cannot};
use crate::array::Number;
use crate::dialect::onnx::lacks;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::formula::number;
use crate::graph::Id;
use crate::op::{Algebra, Body, Op, Value};

/// An operand: its name, its element type, and the number that it is everywhere, if it is one.
#[derive(Clone)]
struct Operand {
    name: String,
    dtype: DType,
    number: Option<f64>,
}

impl Writer<'_> {
    pub(super) fn elementwise(&mut self, op: Op, ids: &[Id], inputs: &[&str]) -> Result<String, Error> {
        let operand = |(&id, &name): (&Id, &&str)| Operand {
            name: name.to_owned(),
            dtype: self.graph.at(id).dtype(),
            number: number(self.graph, id),
        };
        let operands: Vec<Operand> = ids.iter().zip(inputs).map(operand).collect();
        self.apply(op, &operands)
    }

    fn apply(&mut self, op: Op, operands: &[Operand]) -> Result<String, Error> {
        let own = usize::from(matches!(op.record().body, Body::Select));
        let dtype = operands.get(own).map_or(DType::Bool, |operand| operand.dtype);
        if dtype == DType::Bf16 {
            // Half of the operators do not take bf16 in this opset.
            return self.wide(op, operands, dtype, DType::F32);
        }
        // Complex numbers are carried, and chosen, and no more.
        if dtype.class() == Class::Complex && op != Op::Where {
            return Err(cannot(format!("it does not compute with {dtype}")));
        }
        // Bounds are inputs of one element; and in this opset there are no remainders of floats with the divisor's sign.
        let by_name = match op {
            Op::Clip => false,
            Op::Remainder => dtype.class() != Class::Float,
            _ => true,
        };
        if by_name && let Some(name) = self.named(op, dtype, operands) {
            return Ok(name);
        }
        let Some(formula) = op.otherwise(dtype) else {
            let name = op.entry(|names| names.onnx, dtype).map(|(name, _)| name);
            let wider = name.and_then(|name| within(name, dtype)).filter(|&wider| wider != dtype);
            let wider = wider.ok_or_else(|| cannot(format!("it has no operator for {op} of {dtype}")))?;
            return self.wide(op, operands, dtype, wider);
        };
        let mut algebra = Nodes { writer: self, values: operands.to_vec(), dtype, error: None };
        let values: Vec<Value> = (0..).map(Value).take(operands.len()).collect();
        let result = formula(&mut algebra, &values);
        match algebra.error {
            Some(error) => Err(error),
            None => Ok(algebra.values[result.0 as usize].name.clone()),
        }
    }

    /// In a wider type that has the same numbers.
    fn wide(&mut self, op: Op, operands: &[Operand], dtype: DType, wider: DType) -> Result<String, Error> {
        let mut widened = operands.to_vec();
        // The condition of a selection has a type of its own.
        for operand in widened.iter_mut().filter(|operand| operand.dtype == dtype) {
            operand.name = self.cast(&operand.name, wider)?;
            operand.dtype = wider;
        }
        let made = self.apply(op, &widened)?;
        if op.result(wider) == Some(wider) { self.cast(&made, dtype) } else { Ok(made) }
    }

    /// The node by the name that ONNX has for it, if it takes such elements, with what its entry wants as attributes.
    fn named(&mut self, op: Op, dtype: DType, operands: &[Operand]) -> Option<String> {
        let record = op.record();
        let (name, conditions) = op.entry(|names| names.onnx, dtype)?;
        if lacks(name, OPSET).is_some() || !takes(name, dtype) {
            return None;
        }
        let mut attributes = Vec::new();
        for condition in conditions {
            let Some((attribute, value)) = condition.split_once('=') else { continue };
            let value = value.parse().map_or(Written::Text(value), Written::Int);
            attributes.push((attribute, value));
        }
        // Arrays are inputs. Numbers are attributes, so they must be numbers, and such as an f32 holds, also beside f64.
        let arrays = record.arguments.iter().filter(|argument| argument.default.is_none()).count();
        for (argument, operand) in record.arguments.iter().zip(operands).skip(arrays) {
            let number = operand.number?;
            #[allow(clippy::cast_possible_truncation, reason = "this asks whether it would be another one")]
            if dtype == DType::F64 && !number.is_nan() && f64::from(number as f32) != number {
                return None;
            }
            attributes.push((argument.name, Written::Float(number)));
        }
        let inputs: Vec<&str> = operands.iter().take(arrays).map(|operand| operand.name.as_str()).collect();
        Some(self.node(name, &inputs, &attributes))
    }
}

/// Nodes of a formula. ONNX broadcasts what it is given, so numbers are written as such.
struct Nodes<'w, 'g> {
    writer: &'w mut Writer<'g>,
    values: Vec<Operand>,
    dtype: DType,
    error: Option<Error>,
}

impl Nodes<'_, '_> {
    /// What was made: its name, its element type, and the number that it is everywhere. Of the errors the first is kept, and what
    /// is made of it goes on.
    fn put(&mut self, name: Result<String, Error>, dtype: DType, number: Option<f64>) -> Value {
        let place = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let name = name.unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            String::new()
        });
        self.values.push(Operand { name, dtype, number });
        Value(place)
    }
}

impl Algebra for Nodes<'_, '_> {
    fn apply(&mut self, op: Op, arguments: &[Value]) -> Value {
        let operands: Vec<Operand> =
            arguments.iter().map(|value| self.values[value.0 as usize].clone()).collect();
        let common = operands.last().map_or(self.dtype, |operand| operand.dtype);
        // What is made of what cannot be said is not tried.
        let made = match self.error {
            None => self.writer.apply(op, &operands),
            Some(_) => Ok(String::new()),
        };
        self.put(made, op.result(common).unwrap_or(common), None)
    }

    fn number(&mut self, n: f64) -> Value {
        let tensor = Number::Float(n).tensor(self.dtype);
        let name = tensor.and_then(|tensor| self.writer.tensor(&tensor));
        self.put(name, self.dtype, Some(n))
    }
}
