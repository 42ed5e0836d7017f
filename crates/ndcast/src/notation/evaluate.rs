//! The value of an expression: that of each step, from the first to the last.

use std::num::NonZeroI64;

use ndcast_shape::Index;

use super::parse::{Operator, Part, Step, What};
use super::value::Value;
use super::{Wrong, functions, number};
use crate::array::{Array, Number, Operand};
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::as_i64;
use crate::op::Op;

/// Names that are always there.
static CONSTANTS: [(&str, Value); 11] = [
    ("pi", Value::Number(Number::Float(std::f64::consts::PI))),
    ("inf", Value::Number(Number::Float(f64::INFINITY))),
    ("nan", Value::Number(Number::Float(f64::NAN))),
    ("True", Value::Number(Number::Bool(true))),
    ("False", Value::Number(Number::Bool(false))),
    ("None", Value::None),
    ("newaxis", Value::None),
    ("bool", Value::Type(DType::Bool)),
    ("int", Value::Type(DType::I64)),
    ("float", Value::Type(DType::F64)),
    ("complex", Value::Type(DType::C128)),
];

/// The value of the last step.
pub(super) fn result(steps: &[Step], arrays: &[(String, Array)]) -> Result<Array, Wrong> {
    let mut values: Vec<Value> = Vec::with_capacity(steps.len());
    for step in steps {
        let value = value(&step.what, &values, arrays);
        let checked = value.and_then(|value| match &value {
            Value::Array(array) => array.check().map(|()| value),
            _ => Ok(value),
        });
        values.push(
            checked.map_err(|error| Wrong { place: step.place.clone(), error: error.by_standard_name() })?,
        );
    }
    let place = steps.last().map_or(0..0, |step| step.place.clone());
    values.last().unwrap_or(&Value::None).array().map_err(|error| Wrong { place, error })
}

fn value(what: &What, values: &[Value], arrays: &[(String, Array)]) -> Result<Value, Error> {
    match what {
        What::Number(number) => Ok(Value::Number(*number)),
        What::Text(text) => Ok(Value::Text(text.clone())),
        What::Name(name) => named(name, arrays),
        What::List(items) => Ok(Value::List(items.iter().map(|&item| values[item].clone()).collect())),
        What::Operator(operator, sides) => {
            let sides: Vec<&Value> = sides.iter().map(|&side| &values[side]).collect();
            match (operator, &sides[..]) {
                (Operator::MatMul, [left, right]) => Ok(Value::Array(left.array()?.matmul(&right.array()?))),
                (Operator::MatMul, _) => Err(Error::value("a product has two sides".to_owned())),
                (Operator::Elementwise(op), sides) => {
                    let operands = sides.iter().map(|side| side.operand()).collect::<Result<Vec<_>, _>>()?;
                    applied(*op, &operands)
                }
            }
        }
        What::Call { function, arguments, named } => {
            let given = arguments.iter().map(|&place| values[place].clone()).collect();
            let named = named.iter().map(|(name, place)| (name.clone(), values[*place].clone())).collect();
            called(function, given, named, arrays)
        }
        What::Attribute(of, name) => attribute(&values[*of], name),
        What::Index(of, parts) => indexed(&values[*of], parts, values),
    }
}

fn named(name: &str, arrays: &[(String, Array)]) -> Result<Value, Error> {
    if let Some((_, array)) = arrays.iter().find(|(own, _)| own == name) {
        return Ok(Value::Array(array.clone()));
    }
    if let Some((_, value)) = CONSTANTS.iter().find(|(own, _)| *own == name) {
        return Ok(value.clone());
    }
    if let Ok(dtype) = name.parse() {
        return Ok(Value::Type(dtype));
    }
    if functions::signature(name).is_some() {
        return Err(Error::value(format!("{name} is a function, and there is no bracket behind it")));
    }
    let own = arrays.iter().map(|(own, _)| own.as_str());
    let meant = super::meant(name, own.clone().chain(CONSTANTS.iter().map(|(own, _)| *own)));
    let there: Vec<&str> = own.collect();
    let there = if there.is_empty() {
        "no arrays are given".to_owned()
    } else {
        format!("the arrays are {}", there.join(", "))
    };
    Err(Error::value(format!(
        "there is no {name}{}",
        if meant.is_empty() { format!("; {there}") } else { meant }
    )))
}

/// An elementwise operation; of numbers alone it is a number.
fn applied(op: Op, operands: &[Operand]) -> Result<Value, Error> {
    let numbers: Option<Vec<Number>> = operands
        .iter()
        .map(|operand| if let Operand::Number(number) = operand { Some(*number) } else { None })
        .collect();
    match numbers {
        Some(numbers) => number::apply(op, &numbers).map(Value::Number),
        None => Ok(Value::Array(Array::apply(op, operands))),
    }
}

fn called(
    function: &str,
    given: Vec<Value>,
    named: Vec<(String, Value)>,
    arrays: &[(String, Array)],
) -> Result<Value, Error> {
    if let Some(op) = Op::named(function) {
        let operands = functions::elementwise(op, given, named);
        return applied(op, &operands.map_err(|error| error.of(op.record().name))?);
    }
    if let Some(result) = functions::call(function, given, named) {
        return result;
    }
    if arrays.iter().any(|(name, _)| name == function) {
        return Err(Error::value(format!(
            "{function} is an array and no function; an index has square brackets"
        )));
    }
    Err(Error::value(format!(
        "there is no function {function}{}",
        super::meant(function, functions::names())
    )))
}

/// What can stand behind a dot without a bracket.
const ATTRIBUTES: [&str; 6] = ["T", "mT", "shape", "ndim", "size", "dtype"];

fn attribute(of: &Value, name: &str) -> Result<Value, Error> {
    let array = of.array()?;
    let int = |n: usize| Value::Number(Number::Int(i128::try_from(n).unwrap_or(i128::MAX)));
    Ok(match name {
        "T" => Value::Array(array.transpose(&(0..array.rank()?).rev().collect::<Vec<_>>())),
        "mT" => Value::Array(array.matrix_transpose()),
        "shape" => Value::List(array.shape()?.iter().copied().map(int).collect()),
        "ndim" => int(array.rank()?),
        "size" => int(array.shape()?.iter().product()),
        "dtype" => Value::Type(array.dtype()?),
        _ if functions::signature(name).is_some() => {
            return Err(Error::value(format!("{name} is a function, and there is no bracket behind it")));
        }
        _ => {
            let meant = super::meant(name, ATTRIBUTES.into_iter().chain(functions::names()));
            return Err(Error::value(format!("an array has no {name}{meant}")));
        }
    })
}

fn indexed(of: &Value, parts: &[Part], values: &[Value]) -> Result<Value, Error> {
    if let (Value::List(items), [Part::At(at)]) = (of, parts) {
        let at = values[*at].int()?;
        let count = as_i64(items.len());
        let place = usize::try_from(if at < 0 { at + count } else { at }).ok();
        let item = place.and_then(|place| items.get(place)).cloned();
        return item.ok_or_else(|| Error::value(format!("there is no {at}: the list has {count}")));
    }
    let end =
        |end: &Option<usize>| end.map(|place| optional(&values[place])).transpose().map(Option::flatten);
    let part = |part: &Part| -> Result<Index, Error> {
        Ok(match part {
            Part::Ellipsis => Index::Ellipsis,
            Part::Slice([start, stop, step]) => {
                let step = NonZeroI64::new(end(step)?.unwrap_or(1));
                let step = step.ok_or_else(|| Error::value("the step of a slice cannot be 0".to_owned()))?;
                Index::Slice { start: end(start)?, stop: end(stop)?, step }
            }
            Part::At(place) => match &values[*place] {
                Value::None => Index::New,
                Value::Array(_) | Value::List(_) => {
                    return Err(Error::value(
                        "an index has integers, slices, None and ...; rows by an array of numbers are \
                         take(x, numbers, axis=0), and a choice by truth values is where(truth, a, b)"
                            .to_owned(),
                    ));
                }
                other => Index::At(other.int()?),
            },
        })
    };
    let index = parts.iter().map(part).collect::<Result<Vec<Index>, Error>>()?;
    if index.iter().filter(|part| **part == Index::Ellipsis).count() > 1 {
        return Err(Error::value("an index has one ... at most".to_owned()));
    }
    Ok(Value::Array(of.array()?.select(&index)))
}

/// An end of a slice, which may be `None`.
fn optional(value: &Value) -> Result<Option<i64>, Error> {
    if matches!(value, Value::None) { Ok(None) } else { value.int().map(Some) }
}
