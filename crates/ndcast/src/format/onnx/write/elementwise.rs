//! Elementwise operations: by the name that ONNX has for them, else by their formula, else by one that is written here.

use super::{OPSET, Value as Written, Writer, cannot};
use crate::array::{Array, Number};
use crate::dialect::onnx::lacks;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::{Graph, Id, Kind, Node};
use crate::op::{Algebra, Body, Op, Value};

/// A formula of operations that ONNX has.
type Formula = fn(&mut dyn Algebra, &[Value]) -> Value;

/// What ONNX has no name for and what has no formula of its own, with those that it has. They round more than once.
const FORMULAS: &[(Op, Formula)] = &[
    (Op::NotEqual, |to, x| {
        let equal = to.apply(Op::Equal, x);
        to.apply(Op::LogicalNot, &[equal])
    }),
    (Op::Square, |to, x| to.apply(Op::Multiply, &[x[0], x[0]])),
    (Op::SquaredDifference, |to, x| {
        let difference = to.apply(Op::Subtract, x);
        to.apply(Op::Multiply, &[difference, difference])
    }),
    (Op::Rsqrt, |to, x| {
        let root = to.apply(Op::Sqrt, x);
        to.apply(Op::Reciprocal, &[root])
    }),
    (Op::Expm1, |to, x| {
        let (exp, one) = (to.apply(Op::Exp, x), to.number(1.0));
        to.apply(Op::Subtract, &[exp, one])
    }),
    (Op::Log1p, |to, x| {
        let one = to.number(1.0);
        let sum = to.apply(Op::Add, &[x[0], one]);
        to.apply(Op::Log, &[sum])
    }),
    (Op::Exp2, |to, x| {
        let two = to.number(2.0);
        to.apply(Op::Pow, &[two, x[0]])
    }),
    (Op::Log2, |to, x| {
        let (log, by) = (to.apply(Op::Log, x), to.number(std::f64::consts::LN_2));
        to.apply(Op::Divide, &[log, by])
    }),
    (Op::Log10, |to, x| {
        let (log, by) = (to.apply(Op::Log, x), to.number(std::f64::consts::LN_10));
        to.apply(Op::Divide, &[log, by])
    }),
    (Op::Trunc, |to, x| {
        let zero = to.number(0.0);
        let negative = to.apply(Op::Less, &[x[0], zero]);
        let (up, down) = (to.apply(Op::Ceil, x), to.apply(Op::Floor, x));
        to.apply(Op::Where, &[negative, up, down])
    }),
    (Op::RoundAway, |to, x| {
        let (half, abs, sign) = (to.number(0.5), to.apply(Op::Abs, x), to.apply(Op::Sign, x));
        let sum = to.apply(Op::Add, &[abs, half]);
        let whole = to.apply(Op::Floor, &[sum]);
        to.apply(Op::Multiply, &[whole, sign])
    }),
    (Op::Isfinite, |to, x| {
        let difference = to.apply(Op::Subtract, &[x[0], x[0]]);
        to.apply(Op::Equal, &[difference, difference])
    }),
    (Op::Clip, |to, x| {
        let least = to.apply(Op::Maximum, &[x[0], x[1]]);
        to.apply(Op::Minimum, &[least, x[2]])
    }),
    (Op::Clamp, |to, x| {
        let least = to.apply(Op::Maximum, &[x[1], x[0]]);
        to.apply(Op::Minimum, &[least, x[2]])
    }),
    (Op::Hypot, |to, x| {
        let (a, b) = (to.apply(Op::Square, &[x[0]]), to.apply(Op::Square, &[x[1]]));
        let sum = to.apply(Op::Add, &[a, b]);
        to.apply(Op::Sqrt, &[sum])
    }),
    (Op::Erfc, |to, x| {
        let (one, erf) = (to.number(1.0), to.apply(Op::Erf, x));
        to.apply(Op::Subtract, &[one, erf])
    }),
    (Op::Logaddexp, |to, x| {
        let (most, least) = (to.apply(Op::Maximum, x), to.apply(Op::Minimum, x));
        let difference = to.apply(Op::Subtract, &[least, most]);
        let exp = to.apply(Op::Exp, &[difference]);
        let log = to.apply(Op::Log1p, &[exp]);
        to.apply(Op::Add, &[most, log])
    }),
];

/// Floats only: what ONNX has of integers alone, or not of floats before a later opset.
const OF_FLOATS: &[(Op, Formula)] = &[
    (Op::FloorDivide, |to, x| {
        let quotient = to.apply(Op::Divide, x);
        to.apply(Op::Floor, &[quotient])
    }),
    (Op::DivideTowardZero, |to, x| {
        let quotient = to.apply(Op::Divide, x);
        to.apply(Op::Trunc, &[quotient])
    }),
    // What has the other sign than the divisor is one divisor further.
    (Op::Remainder, |to, x| {
        let (rest, zero) = (to.apply(Op::RemainderTowardZero, x), to.number(0.0));
        let (left, right) = (to.apply(Op::Less, &[rest, zero]), to.apply(Op::Less, &[x[1], zero]));
        let other = to.apply(Op::LogicalXor, &[left, right]);
        let some = to.apply(Op::NotEqual, &[rest, zero]);
        let further = to.apply(Op::LogicalAnd, &[other, some]);
        let sum = to.apply(Op::Add, &[rest, x[1]]);
        to.apply(Op::Where, &[further, sum, rest])
    }),
];

/// Integers only: the quotient that ONNX has of them is cut off.
const OF_INTEGERS: &[(Op, Formula)] = &[(Op::FloorDivide, |to, x| {
    let rest = to.apply(Op::Remainder, x);
    let whole = to.apply(Op::Subtract, &[x[0], rest]);
    to.apply(Op::DivideTowardZero, &[whole, x[1]])
})];

/// An operand: its name, its element type, and the number that it is everywhere, if it is one.
#[derive(Clone)]
struct Operand {
    name: String,
    dtype: DType,
    number: Option<f64>,
}

impl Writer<'_> {
    pub(super) fn elementwise(&mut self, op: Op, node: &Node, inputs: &[&str]) -> Result<String, Error> {
        let operand = |(&id, &name): (&Id, &&str)| Operand {
            name: name.to_owned(),
            dtype: self.graph.at(id).dtype(),
            number: number_of(self.graph, id),
        };
        let operands: Vec<Operand> = node.arguments().iter().zip(inputs).map(operand).collect();
        self.apply(op, &operands)
    }

    fn apply(&mut self, op: Op, operands: &[Operand]) -> Result<String, Error> {
        let own = usize::from(matches!(op.record().body, Body::Select));
        let dtype = operands.get(own).map_or(DType::Bool, |operand| operand.dtype);
        if dtype == DType::Bf16 && !matches!(op.record().body, Body::Select) {
            return self.wide(op, operands);
        }
        // Bounds are inputs of one element; and in this opset there are no remainders of floats with the divisor's sign, and
        // no shifts of numbers with one.
        let by_name = match op {
            Op::Clip => false,
            Op::Remainder => dtype.class() != Class::Float,
            Op::BitwiseLeftShift | Op::BitwiseRightShift => dtype.class() == Class::Unsigned,
            Op::Celu => dtype == DType::F32,
            _ => true,
        };
        if by_name && let Some(name) = self.named(op, dtype, operands) {
            return Ok(name);
        }
        let of_class: &[_] = match dtype.class() {
            Class::Float => OF_FLOATS,
            Class::Signed | Class::Unsigned => OF_INTEGERS,
            _ => &[],
        };
        let found = FORMULAS.iter().chain(of_class).find(|(other, _)| *other == op);
        let formula = match (op.record().body, found) {
            (_, Some((_, formula))) => *formula,
            (Body::Formula(formula), None) => formula,
            _ => return Err(cannot(format!("it has no operator for {op} of {dtype}"))),
        };
        let mut algebra = Nodes { writer: self, values: operands.to_vec(), dtype, error: None };
        let values: Vec<Value> = (0..).map(Value).take(operands.len()).collect();
        let result = formula(&mut algebra, &values);
        match algebra.error {
            Some(error) => Err(error),
            None => Ok(algebra.values[result.0 as usize].name.clone()),
        }
    }

    /// In f32, in which bf16 is computed here too: half of the operators do not take bf16 in this opset.
    fn wide(&mut self, op: Op, operands: &[Operand]) -> Result<String, Error> {
        let mut widened = operands.to_vec();
        for operand in &mut widened {
            operand.name = self.cast(&operand.name, DType::F32)?;
            operand.dtype = DType::F32;
        }
        let made = self.apply(op, &widened)?;
        if op.result(DType::F32) == Some(DType::F32) { self.cast(&made, DType::Bf16) } else { Ok(made) }
    }

    /// The node by the name that ONNX has for it, with what its entry wants as attributes.
    fn named(&mut self, op: Op, dtype: DType, operands: &[Operand]) -> Option<String> {
        let record = op.record();
        let (name, conditions) = op.entry(|names| names.onnx, dtype)?;
        if lacks(name, OPSET).is_some() {
            return None;
        }
        let mut attributes = Vec::new();
        for condition in conditions {
            let Some((attribute, value)) = condition.split_once('=') else { continue };
            let value = value.parse().map_or(Written::Text(value), Written::Int);
            attributes.push((attribute, value));
        }
        // Arrays are inputs. Numbers are attributes, so they must be numbers.
        let arrays = record.arguments.iter().filter(|argument| argument.default.is_none()).count();
        for (argument, operand) in record.arguments.iter().zip(operands).skip(arrays) {
            attributes.push((argument.name, Written::Float(operand.number?)));
        }
        let inputs: Vec<&str> = operands.iter().take(arrays).map(|operand| operand.name.as_str()).collect();
        Some(self.node(name, &inputs, &attributes))
    }
}

/// The number that a node is everywhere: a constant of one element, or one laid over a shape.
fn number_of(graph: &Graph, id: Id) -> Option<f64> {
    let node = graph.at(id);
    match node.kind() {
        Kind::Constant(constant) if constant.0.elements() == 1 => {
            Array::from(constant.0.clone()).convert(DType::F64).to_vec().ok()?.first().copied()
        }
        // Laid over another once, or once more.
        Kind::Broadcast(_) | Kind::Fit(_) => {
            let from = graph.at(*node.arguments().first()?);
            match from.kind() {
                Kind::Constant(constant) if constant.0.elements() == 1 => {
                    Array::from(constant.0.clone()).convert(DType::F64).to_vec().ok()?.first().copied()
                }
                _ => None,
            }
        }
        _ => None,
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
    fn put(&mut self, made: Result<Operand, Error>) -> Value {
        let place = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        match made {
            Ok(operand) => self.values.push(operand),
            Err(error) => {
                self.error.get_or_insert(error);
                self.values.push(Operand { name: String::new(), dtype: self.dtype, number: None });
            }
        }
        Value(place)
    }
}

impl Algebra for Nodes<'_, '_> {
    fn apply(&mut self, op: Op, arguments: &[Value]) -> Value {
        let operands: Vec<Operand> =
            arguments.iter().map(|value| self.values[value.0 as usize].clone()).collect();
        let common = operands.last().map_or(self.dtype, |operand| operand.dtype);
        let made = self.writer.apply(op, &operands);
        let dtype = op.result(common).unwrap_or(common);
        self.put(made.map(|name| Operand { name, dtype, number: None }))
    }

    fn number(&mut self, n: f64) -> Value {
        let tensor = Number::Float(n).tensor(self.dtype);
        let name = tensor.and_then(|tensor| self.writer.tensor(&tensor));
        let dtype = self.dtype;
        self.put(name.map(|name| Operand { name, dtype, number: Some(n) }))
    }
}
