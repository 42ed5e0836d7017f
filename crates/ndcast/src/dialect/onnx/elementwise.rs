//! Elementwise operators: those of the records as they are, and what some do besides.
//!
//! Since opset 7 operands are broadcast against each other. Before, the second is laid on the first if the attribute
//! `broadcast` says so: last axis on last, or from the attribute `axis` on.

use ndcast_shape::rule::onnx;
use ndcast_shape::{Extent, Shape};

use super::call::{Built, Call};
use super::element;
use crate::convert::{Overflow, PowerEnds, PowerRounding};
use crate::dialect::normal;
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::graph::Id;
use crate::graph::kind::{Bitcast, Broadcast, Fit, Lay};
use crate::graph::steps::axis_of;
use crate::layout::as_i64;
use crate::op::{Op, condition, entries};

const NUMBERS: [Class; 3] = [Class::Signed, Class::Unsigned, Class::Float];

/// The operators that had the attributes `axis` and `broadcast` before opset 7.
const LEGACY: [&str; 10] = ["Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater"];

/// How many inputs an operator of the records takes.
pub(super) fn arity(name: &str) -> (usize, usize) {
    let named = |op: &&Op| entries(op.record().names.onnx).any(|(other, _)| other == name);
    let arguments = Op::ALL.iter().find(named).map_or(&[][..], |op| op.record().arguments);
    let arrays = arguments.iter().filter(|argument| argument.default.is_none()).count();
    (arrays, arrays)
}

/// The operation of an operator, by its attributes and its inputs' element types.
fn operation(call: &Call<'_>, name: &str) -> Result<Op, Error> {
    let mut conditions: Vec<String> =
        call.conditions().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    let class = condition(call.dtype(call.input(call.count() - 1)?));
    conditions.push(class.to_owned());
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    Op::called(|names| names.onnx, name, &conditions).ok_or_else(|| {
        Error::value(format!("with these attributes and {class} elements it is no operation here"))
    })
}

/// An operator that is a record's operation: its arrays are inputs, its numbers attributes.
pub(super) fn of_record(call: &mut Call<'_>, name: &'static str) -> Result<Id, Error> {
    let op = operation(call, name)?;
    let inputs = call.all()?;
    if matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor | Op::LogicalNot) {
        call.only(inputs[0], &[Class::Bool])?;
    }
    if name == "Gelu" {
        let approximate = call.text("approximate", "none")?;
        if !["none", "tanh"].contains(&approximate) {
            return Err(Error::value(format!("its approximation is none or tanh, not {approximate}")));
        }
    }
    let mut arguments = operands(call, name, &inputs)?;
    // Of integers a shrunk one is that of floats, cut off.
    let own = call.dtype(inputs[0]);
    let whole = op == Op::Shrink && own.is_integer();
    if whole {
        arguments[0] = call.convert(arguments[0], DType::F64)?;
    }
    for argument in &op.record().arguments[inputs.len()..] {
        let number = call.float(argument.name, argument.default.unwrap_or_default())?;
        arguments.push(call.graph.full_like(number, arguments[0])?);
    }
    // An attribute that opset 1 had for its runtime.
    if call.opset < 6 {
        call.attribute("consumed_inputs");
    }
    let result = call.graph.apply(op, &arguments)?;
    if whole { call.convert_as(result, own, Overflow::Numpy) } else { Ok(result) }
}

/// The inputs in one shape.
fn operands(call: &mut Call<'_>, name: &str, inputs: &[Id]) -> Result<Vec<Id>, Error> {
    if call.opset < 7 && inputs.len() == 2 && (LEGACY.contains(&name) || name == "Less") {
        return legacy(call, inputs[0], inputs[1]);
    }
    call.joined(inputs)
}

/// "If set to 1 the second is broadcast": it has one element, or its shape is a part of the first's without gaps.
///
/// DIFFERENCE: "1-dim expansion doesn't work yet", the specification says; but models that PyTorch wrote ask for it, ONNX's own
/// test data among them. So extents of 1 are stretched.
fn legacy(call: &mut Call<'_>, a: Id, b: Id) -> Result<Vec<Id>, Error> {
    let axis = call.maybe_int("axis")?;
    if !call.truth("broadcast", 0)? {
        // The graph wants equal shapes by itself.
        return Ok(vec![a, b]);
    }
    let (own, theirs) = (call.dims(a)?, call.dims(b)?);
    let mut laid = b;
    let single = theirs.iter().all(|extent| extent.known() == Some(1));
    if let (Some(axis), false) = (axis, single) {
        let first = axis_of(axis, own.len().max(1))?;
        if first + theirs.len() > own.len() {
            return Err(Error::new(ErrorKind::Unequal { shapes: shapes_of(call, a, b) }));
        }
        let behind = (first + theirs.len()..own.len()).map(|_| Lay::New(1));
        laid = call.add(Broadcast::new((0..theirs.len()).map(Lay::Axis).chain(behind)), &[b])?;
    }
    let laid = call.laid(a, laid)?;
    Ok(vec![a, laid])
}

fn shapes_of(call: &Call<'_>, a: Id, b: Id) -> Vec<Shape> {
    vec![call.node(a).shape().clone(), call.node(b).shape().clone()]
}

/// The same value. It may be of any element type, so it is no operation.
pub(super) fn identity(call: &mut Call<'_>) -> Built {
    Ok(vec![call.input(0)?])
}

/// The inputs of an operator that joins any number of them, each in the shape of all. Before opset 8 they have one shape.
fn all_alike(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let inputs = call.all()?;
    if call.opset < 6 {
        call.attribute("consumed_inputs");
    }
    call.only(inputs[0], &NUMBERS)?;
    if call.opset < 8 { Ok(inputs) } else { call.joined(&inputs) }
}

fn joining(call: &mut Call<'_>, op: Op) -> Result<Id, Error> {
    let operands = all_alike(call)?;
    joined_by(call, op, &operands)
}

fn joined_by(call: &mut Call<'_>, op: Op, operands: &[Id]) -> Result<Id, Error> {
    let (&first, rest) = operands.split_first().ok_or_else(|| Error::value("it has no input".to_owned()))?;
    rest.iter().try_fold(first, |joined, &operand| call.graph.apply(op, &[joined, operand]))
}

pub(super) fn max(call: &mut Call<'_>) -> Built {
    Ok(vec![joining(call, Op::Maximum)?])
}

pub(super) fn min(call: &mut Call<'_>) -> Built {
    Ok(vec![joining(call, Op::Minimum)?])
}

pub(super) fn sum(call: &mut Call<'_>) -> Built {
    Ok(vec![joining(call, Op::Add)?])
}

pub(super) fn mean(call: &mut Call<'_>) -> Built {
    let own = call.dtype(call.input(0)?);
    let mut operands = all_alike(call)?;
    for operand in &mut operands {
        *operand = normal::converted(call.graph, *operand, normal::within(own))?;
    }
    let sum = joined_by(call, Op::Add, &operands)?;
    let count = as_i64(call.count());
    let mean = call.graph.with_number(Op::Divide, sum, count)?;
    Ok(vec![normal::converted(call.graph, mean, own)?])
}

/// "The fmod attribute must be 1 for floats" before opset 28.
pub(super) fn modulo(call: &mut Call<'_>) -> Built {
    let (a, b) = (call.input(0)?, call.input(1)?);
    call.only(a, &NUMBERS)?;
    let fmod = call.truth("fmod", 0)?;
    if !fmod && call.opset < 28 && call.dtype(a).class() == Class::Float {
        return Err(Error::value("of floats fmod must be 1 before opset 28".to_owned()));
    }
    let op = if fmod { Op::RemainderTowardZero } else { Op::Remainder };
    Ok(vec![call.op(op, &[a, b])?])
}

pub(super) fn bit_shift(call: &mut Call<'_>) -> Built {
    let op = match call.text("direction", "")? {
        "LEFT" => Op::BitwiseLeftShift,
        "RIGHT" => Op::BitwiseRightShift,
        other => return Err(Error::value(format!("its direction is LEFT or RIGHT, not {other:?}"))),
    };
    let (a, b) = (call.input(0)?, call.input(1)?);
    if call.opset < 28 {
        call.only(a, &[Class::Unsigned])?;
    }
    Ok(vec![call.op(op, &[a, b])?])
}

/// The exponent may have another type since opset 12; the result has the base's.
pub(super) fn pow(call: &mut Call<'_>) -> Built {
    let (base, exponent) = (call.input(0)?, call.input(1)?);
    let (own, other) = (call.dtype(base), call.dtype(exponent));
    if own == other || call.opset < 12 {
        let operands = operands(call, "Pow", &[base, exponent])?;
        return Ok(vec![call.graph.apply(Op::Pow, &operands)?]);
    }
    // Integers to the power of floats are computed in floats that hold them.
    let within = match (own.class(), other.class()) {
        (Class::Float, _) => own,
        (_, Class::Float) => DType::F64,
        _ => DType::I64,
    };
    let (base, exponent) = (call.convert(base, within)?, call.convert(exponent, within)?);
    let power = call.op(Op::Pow, &[base, exponent])?;
    Ok(vec![call.convert_as(power, own, Overflow::Numpy)?])
}

/// The slope is laid on the input. Before opset 7 it has one element or one for each channel.
pub(super) fn prelu(call: &mut Call<'_>) -> Built {
    let (x, mut slope) = (call.input(0)?, call.input(1)?);
    if call.opset < 6 {
        call.attribute("consumed_inputs");
    }
    let rank = call.rank(x)?;
    if call.opset < 7 && call.maybe_extent(slope, 0) != Some(1) && rank > 1 {
        slope = call.graph.along(slope, 1, rank)?;
    }
    let slope = call.laid(x, slope)?;
    if call.dtype(x).class() != Class::Float {
        // Of integers the operation is written out.
        let zero = call.graph.full_like(0, x)?;
        let negative = call.graph.apply(Op::Less, &[x, zero])?;
        let scaled = call.graph.apply(Op::Multiply, &[x, slope])?;
        return Ok(vec![call.graph.apply(Op::Where, &[negative, scaled, x])?]);
    }
    Ok(vec![call.graph.apply(Op::Prelu, &[x, slope])?])
}

/// The bounds are attributes before opset 11, then inputs; either may be left out.
pub(super) fn clip(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    if call.opset < 11 {
        if call.opset < 6 {
            call.attribute("consumed_inputs");
        }
        if call.count() > 1 {
            let found = call.count();
            return Err(Error::new(ErrorKind::ArgumentCount { least: 1, most: Some(1), found }));
        }
        let bounds = [("min", Op::Maximum), ("max", Op::Minimum)];
        let mut clipped = x;
        for (name, op) in bounds {
            if call.attribute(name).is_some() {
                let bound = call.float(name, 0.0)?;
                clipped = call.graph.with_number(op, clipped, bound)?;
            }
        }
        return Ok(vec![clipped]);
    }
    let mut clipped = x;
    for (place, op) in [(1, Op::Maximum), (2, Op::Minimum)] {
        if let Some(bound) = call.optional(place) {
            // "The minimum value has the shape []"; runtimes take one element of any rank.
            if call.node(bound).shape().extents().is_some_and(|extents| extents.iter().any(|&n| n != 1)) {
                let shape = call.node(bound).shape().brief().to_string();
                return Err(Error::value(format!("its bounds are numbers, and one has shape {shape}")));
            }
            let bound = call.reshaped(bound, &[])?;
            let bound = call.add(Fit::new(&onnx::UNIDIRECTIONAL, 2, 1), &[clipped, bound])?;
            clipped = call.graph.apply(op, &[clipped, bound])?;
        }
    }
    Ok(vec![clipped])
}

pub(super) fn is_inf(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let negative = call.truth("detect_negative", 1)?;
    let positive = call.truth("detect_positive", 1)?;
    let op = match (negative, positive) {
        (true, true) => Op::Isinf,
        (true, false) => Op::IsNegInf,
        (false, true) => Op::IsPosInf,
        // Neither is looked for: a number is not less than itself.
        (false, false) => return Ok(vec![call.graph.apply(Op::Less, &[x, x])?]),
    };
    // An infinity of an 8-bit float is one of a larger type too.
    let x = if call.dtype(x).computes() { x } else { call.convert(x, DType::F32)? };
    Ok(vec![call.graph.apply(op, &[x])?])
}

pub(super) fn swish(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let alpha = call.float("alpha", 1.0)?;
    let alpha = call.graph.full_like(alpha, x)?;
    Ok(vec![call.graph.apply(Op::Swish, &[x, alpha])?])
}

/// The first through Swish, times the second; "broadcasting is not applied".
pub(super) fn swiglu(call: &mut Call<'_>) -> Built {
    let gate = swish(call)?[0];
    let value = call.input(1)?;
    Ok(vec![call.graph.apply(Op::Multiply, &[gate, value])?])
}

pub(super) fn cast(call: &mut Call<'_>) -> Built {
    let to = match call.opset {
        // "The data type to which the elements are cast, strictly of the names in DataType."
        ..6 => {
            let name = call.text("to", "")?.to_lowercase();
            let name = match name.as_str() {
                "float" => "f32",
                "double" => "f64",
                other => other,
            };
            name.parse::<DType>().map_err(|error| Error::value(error.to_string()))?
        }
        _ => {
            let code = call.maybe_int("to")?;
            element::dtype(code.ok_or_else(|| Error::value("its attribute to is missing".to_owned()))?)?
        }
    };
    let x = call.input(0)?;
    converted(call, x, to)
}

/// The same bits as elements of another type of the same width.
pub(super) fn bit_cast(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let code = call.maybe_int("to")?.ok_or_else(|| Error::value("its attribute to is missing".to_owned()))?;
    let (from, to) = (call.dtype(x), element::dtype(code)?);
    let [own, wanted] = [from, to].map(|dtype| dtype.bits().unwrap_or(0));
    if own != wanted {
        return Err(Error::value(format!("{from} has {own} bits, and {to} has {wanted}")));
    }
    // Truth values are bytes of 0 and 1.
    let x = if from == DType::Bool { call.convert(x, DType::U8)? } else { x };
    if call.dtype(x) == to {
        return Ok(vec![x]);
    }
    Ok(vec![call.add(Bitcast(to), &[x])?])
}

pub(super) fn cast_like(call: &mut Call<'_>) -> Built {
    let to = call.dtype(call.input(1)?);
    let x = call.input(0)?;
    converted(call, x, to)
}

fn converted(call: &mut Call<'_>, x: Id, to: DType) -> Built {
    let overflow = overflow(call, to)?;
    Ok(vec![call.convert_as(x, to, overflow)?])
}

/// What becomes of what the type does not hold: `saturate` since opset 19, `round_mode` since 24.
fn overflow(call: &mut Call<'_>, to: DType) -> Result<Overflow, Error> {
    let saturate = if call.opset >= 19 { call.truth("saturate", 1)? } else { true };
    let rounding = if call.opset >= 24 { call.text("round_mode", "up")? } else { "up" };
    if to == DType::F8E8M0 {
        let rounding = match rounding {
            "up" => PowerRounding::Up,
            "down" => PowerRounding::Down,
            "nearest" => PowerRounding::Nearest,
            other => return Err(Error::value(format!("it rounds up, down or nearest, not {other}"))),
        };
        let ends = if saturate { PowerEnds::Limits } else { PowerEnds::NoNumber };
        return Ok(Overflow::Power(rounding, ends));
    }
    Ok(if saturate { Overflow::OnnxSaturate } else { Overflow::Numpy })
}
