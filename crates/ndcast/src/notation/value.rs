//! What a part of an expression can be.

use crate::array::{Array, Number, Operand};
use crate::dtype::DType;
use crate::error::Error;

#[derive(Clone, Debug)]
pub(super) enum Value {
    Array(Array),
    /// A number without an element type of its own.
    Number(Number),
    Text(String),
    /// A list or a tuple.
    List(Vec<Value>),
    Type(DType),
    None,
}

impl Value {
    /// What people call it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Value::Array(_) => "an array",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Type(_) => "an element type",
            Value::None => "None",
        }
    }

    /// A side of an operation: lists of numbers are arrays.
    pub(super) fn operand(&self) -> Result<Operand, Error> {
        match self {
            Value::Number(number) => Ok(Operand::Number(*number)),
            other => other.array().map(Operand::Array),
        }
    }

    /// An array: numbers have their default element type, and lists of numbers the common one.
    pub(super) fn array(&self) -> Result<Array, Error> {
        match self {
            Value::Array(array) => Ok(array.clone()),
            Value::Number(number) => Ok(number.tensor(number.default_dtype())?.into()),
            Value::List(items) => listed(items),
            other => Err(Error::value(format!("an array is expected, and this is {}", other.name()))),
        }
    }

    pub(super) fn int(&self) -> Result<i64, Error> {
        let number = match self {
            Value::Number(Number::Int(n)) => i64::try_from(*n).ok(),
            _ => None,
        };
        number.ok_or_else(|| Error::value(format!("an integer is expected, and this is {}", self.brief())))
    }

    /// One integer, or a list of them.
    pub(super) fn ints(&self) -> Result<Vec<i64>, Error> {
        match self {
            Value::List(items) => items.iter().map(Value::int).collect(),
            one => Ok(vec![one.int()?]),
        }
    }

    /// As it is said in an error.
    fn brief(&self) -> String {
        match self {
            Value::Number(Number::Int(n)) => n.to_string(),
            Value::Number(Number::Float(n)) => format!("{n:?}"),
            Value::Number(Number::Bool(truth)) => if *truth { "True" } else { "False" }.to_owned(),
            other => other.name().to_owned(),
        }
    }
}

/// The rows of nested lists, all of the type that holds the widest number in them.
fn listed(items: &[Value]) -> Result<Array, Error> {
    let rows = items.iter().map(Value::array).collect::<Result<Vec<_>, _>>()?;
    if rows.is_empty() {
        return Ok(Array::full(&[0], 0.0, DType::F64));
    }
    // Integers among floats are floats, as in NumPy.
    const ORDER: [DType; 4] = [DType::Bool, DType::I64, DType::F64, DType::C128];
    let mut types = rows.iter().map(Array::dtype).collect::<Result<Vec<_>, _>>()?;
    types.sort_by_key(|dtype| ORDER.iter().position(|other| other == dtype));
    let widest = types.last().copied().unwrap_or(DType::F64);
    let rows: Vec<Array> = match ORDER.contains(&widest) && types.iter().all(|dtype| ORDER.contains(dtype)) {
        true => rows.iter().map(|row| row.convert(widest)).collect(),
        false => rows,
    };
    let whole = Array::stack(&rows, 0);
    whole.check().map(|()| whole)
}
