//! Operations on numbers alone, which give numbers: they are exact integers, or computed as f64 by the library's own.

use num_complex::Complex;

use crate::array::{Array, Number, Operand};
use crate::dtype::DType;
use crate::error::Error;
use crate::op::{Body, Op};

/// The result of an operation on numbers.
pub(super) fn apply(op: Op, numbers: &[Number]) -> Result<Number, Error> {
    if let Some(integer) = integers(op, numbers)? {
        return Ok(Number::Int(integer));
    }
    // What a selection asks is a truth value, whatever it selects.
    let own = usize::from(matches!(op.record().body, Body::Select)).min(numbers.len());
    let (condition, numbers) = numbers.split_at(own);
    let is_bool = |number: &Number| matches!(number, Number::Bool(_));
    let is_int = |number: &Number| matches!(number, Number::Int(_) | Number::Bool(_));
    // An integer divided, or to a negative power, is a fraction.
    let fraction = match (op, numbers) {
        (Op::Pow, [_, Number::Int(exponent)]) => *exponent < 0,
        _ => op.result(DType::I64).is_none() && op.result(DType::Bool).is_none(),
    };
    // Numbers of several kinds are of the widest, as in Python.
    let float = fraction || !numbers.iter().all(is_int);
    let int = !numbers.iter().all(is_bool);
    let operands = numbers.iter().map(|number| {
        Operand::Number(match *number {
            Number::Int(n) if float => Number::Float(as_float(n)),
            Number::Bool(truth) if float => Number::Float(f64::from(u8::from(truth))),
            Number::Bool(truth) if int => Number::Int(truth.into()),
            other => other,
        })
    });
    let operands = condition.iter().copied().map(Operand::Number).chain(operands);
    item(&Array::apply(op, &operands.collect::<Vec<_>>()))
}

/// What needs no element type: integers as Python has them, as far as 128 bits go.
fn integers(op: Op, numbers: &[Number]) -> Result<Option<i128>, Error> {
    let mut ints = [0i128; 2];
    for (number, int) in numbers.iter().zip(&mut ints) {
        let Number::Int(n) = number else { return Ok(None) };
        *int = *n;
    }
    let [a, b] = ints;
    let result = match (op, numbers.len()) {
        (Op::Add, 2) => a.checked_add(b),
        (Op::Subtract, 2) => a.checked_sub(b),
        (Op::Multiply, 2) => a.checked_mul(b),
        (Op::Pow, 2) if b >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        (Op::Negative, 1) => a.checked_neg(),
        (Op::Positive, 1) => Some(a),
        _ => return Ok(None),
    };
    match result {
        Some(result) => Ok(Some(result)),
        None => Err(Error::value("the integer has more than 128 bits".to_owned()).of(op.record().name)),
    }
}

#[allow(clippy::cast_precision_loss, reason = "rounded to the nearest")]
fn as_float(n: i128) -> f64 {
    n as f64
}

/// The only element of an array, as a number.
fn item(array: &Array) -> Result<Number, Error> {
    Ok(match array.dtype()? {
        DType::Bool => Number::Bool(array.item()?),
        DType::I64 => Number::Int(array.item::<i64>()?.into()),
        DType::C128 => Number::Complex(array.item::<Complex<f64>>()?),
        _ => Number::Float(array.convert(DType::F64).item()?),
    })
}
