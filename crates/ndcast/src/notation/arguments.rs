//! The arguments of a function: laid on its parameters, and taken as what it needs.

use super::value::Value;
use crate::array::{Array, Keep, Number};
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::as_i64;

/// A function's arguments, one for each parameter; none for what is left out.
#[derive(Debug)]
pub(super) struct Arguments {
    parameters: Vec<Parameter>,
    values: Vec<Option<Value>>,
}

/// A parameter as a signature writes it: `x`, `axis=None`, `*shape`.
#[derive(Debug, PartialEq)]
struct Parameter {
    name: &'static str,
    optional: bool,
    /// Whether `None` may be given: it is what is left out.
    takes_none: bool,
    /// Whether it takes all that is left.
    rest: bool,
}

fn parameters(signature: &'static str) -> Vec<Parameter> {
    let parameter = |text: &'static str| {
        let text = text.trim();
        let (name, default) = text.split_once('=').unzip();
        let name = name.unwrap_or(text);
        let rest = name.starts_with('*');
        // Where a number alone is the default, None has no meaning.
        let takes_none = default.map_or(rest, |default| default.parse::<f64>().is_err());
        let optional = default.is_some() || rest;
        Parameter { name: name.trim_start_matches('*'), optional, takes_none, rest }
    };
    signature.split(',').map(parameter).collect()
}

impl Arguments {
    /// Lays values on the parameters of a signature such as `x, axis=None, keepdims=False`.
    pub(super) fn new(
        signature: &'static str,
        given: Vec<Value>,
        named: Vec<(String, Value)>,
    ) -> Result<Arguments, Error> {
        let parameters = parameters(signature);
        let mut values: Vec<Option<Value>> = Vec::new();
        let count = given.len();
        let mut given = given.into_iter();
        for parameter in &parameters {
            if parameter.rest {
                let mut rest: Vec<Value> = given.by_ref().collect();
                values.push(match (rest.len(), rest.first()) {
                    (0, _) => None,
                    // `reshape(x, (2, 3))` is `reshape(x, 2, 3)`.
                    (1, Some(Value::List(_))) => rest.pop(),
                    _ => Some(Value::List(rest)),
                });
            } else {
                values.push(given.next());
            }
        }
        if given.next().is_some() {
            let most = parameters.len();
            return Err(Error::value(format!("it takes {most} arguments at most, and {count} are given")));
        }
        for (name, value) in named {
            let Some(place) = parameters.iter().position(|parameter| parameter.name == name) else {
                let names = parameters.iter().map(|parameter| parameter.name);
                let meant = super::meant(&name, names);
                let text = format!("it takes ({signature}), and there is no {name} among them{meant}");
                return Err(Error::value(text));
            };
            if values[place].replace(value).is_some() {
                return Err(Error::value(format!("the argument {name} is given twice")));
            }
        }
        let missing = parameters.iter().zip(&values).find(|(own, value)| !own.optional && value.is_none());
        if let Some((parameter, _)) = missing {
            let text = format!("the argument {} is missing; it takes ({signature})", parameter.name);
            return Err(Error::value(text));
        }
        let none = |(own, value): &(&Parameter, &Option<Value>)| {
            !own.takes_none && matches!(value, Some(Value::None))
        };
        if let Some((parameter, _)) = parameters.iter().zip(&values).find(none) {
            let text = format!("{} cannot be None; it takes ({signature})", parameter.name);
            return Err(Error::value(text));
        }
        Ok(Arguments { parameters, values })
    }

    /// An argument that is there, and is not `None`.
    pub(super) fn given(&self, place: usize) -> Option<&Value> {
        self.values.get(place)?.as_ref().filter(|value| !matches!(value, Value::None))
    }

    /// What is made of an argument; the error says which it is.
    fn taken<T>(&self, place: usize, take: impl FnOnce(&Value) -> Result<T, Error>) -> Result<T, Error> {
        let name = self.parameters.get(place).map_or("", |parameter| parameter.name);
        let what = if self.is_none(place) { "cannot be None" } else { "is missing" };
        let value = self.given(place).ok_or_else(|| Error::value(format!("{name} {what}")))?;
        take(value).map_err(|error| Error::value(format!("{name}: {error}")))
    }

    /// Whether an argument is given as `None`.
    pub(super) fn is_none(&self, place: usize) -> bool {
        matches!(self.values.get(place), Some(Some(Value::None)))
    }

    pub(super) fn array(&self, place: usize) -> Result<Array, Error> {
        self.taken(place, Value::array)
    }

    /// A list of arrays.
    pub(super) fn arrays(&self, place: usize) -> Result<Vec<Array>, Error> {
        self.taken(place, |value| match value {
            Value::List(items) => items.iter().map(Value::array).collect(),
            other => Ok(vec![other.array()?]),
        })
    }

    pub(super) fn text(&self, place: usize) -> Result<String, Error> {
        self.taken(place, |value| match value {
            Value::Text(text) => Ok(text.clone()),
            other => Err(Error::value(format!("a text in quotes is expected, and this is {}", other.name()))),
        })
    }

    pub(super) fn int(&self, place: usize, default: i64) -> Result<i64, Error> {
        if self.given(place).is_some() { self.taken(place, Value::int) } else { Ok(default) }
    }

    pub(super) fn ints(&self, place: usize) -> Result<Vec<i64>, Error> {
        self.taken(place, Value::ints)
    }

    pub(super) fn number(&self, place: usize, default: Number) -> Result<Number, Error> {
        if self.given(place).is_none() {
            return Ok(default);
        }
        self.taken(place, |value| match value {
            Value::Number(number) => Ok(*number),
            other => Err(Error::value(format!("a number is expected, and this is {}", other.name()))),
        })
    }

    /// A number that is real.
    pub(super) fn real(&self, place: usize, default: f64) -> Result<f64, Error> {
        Ok(match self.number(place, Number::Float(default))? {
            Number::Bool(truth) => f64::from(u8::from(truth)),
            #[allow(clippy::cast_precision_loss, reason = "rounded to the nearest")]
            Number::Int(n) => n as f64,
            Number::Float(n) => n,
            Number::Complex(_) => return Err(Error::value("a real number is expected".to_owned())),
        })
    }

    /// Extents: none is negative.
    pub(super) fn extents(&self, place: usize) -> Result<Vec<usize>, Error> {
        let extent = |n: i64| {
            usize::try_from(n).map_err(|_| Error::value(format!("an extent cannot be negative, and {n} is")))
        };
        self.ints(place)?.into_iter().map(extent).collect()
    }

    /// How many times, or how many: not negative.
    pub(super) fn count(&self, place: usize) -> Result<usize, Error> {
        let n = self.taken(place, Value::int)?;
        usize::try_from(n).map_err(|_| Error::value(format!("a count cannot be negative, and {n} is")))
    }

    /// One axis of so many; a negative one is counted from the end.
    pub(super) fn axis(&self, place: usize, default: i64, rank: usize) -> Result<usize, Error> {
        axis(self.int(place, default)?, rank)
    }

    /// Some axes of so many, or all if none are given.
    pub(super) fn axes(&self, place: usize, rank: usize) -> Result<Vec<usize>, Error> {
        match self.given(place) {
            None => Ok((0..rank).collect()),
            Some(_) => self.ints(place)?.into_iter().map(|n| axis(n, rank)).collect(),
        }
    }

    pub(super) fn keep(&self, place: usize) -> Result<Keep, Error> {
        match self.given(place) {
            None | Some(Value::Number(Number::Bool(false))) => Ok(Keep::Nothing),
            Some(Value::Number(Number::Bool(true))) => Ok(Keep::Axes),
            Some(other) => {
                Err(Error::value(format!("keepdims is True or False, and this is {}", other.name())))
            }
        }
    }

    pub(super) fn dtype(&self, place: usize) -> Result<Option<DType>, Error> {
        if self.given(place).is_none() {
            return Ok(None);
        }
        self.taken(place, |value| match value {
            Value::Type(dtype) => Ok(Some(*dtype)),
            Value::Text(name) => {
                let dtype: DType = name
                    .parse()
                    .map_err(|error: crate::dtype::UnknownDType| Error::value(error.to_string()))?;
                match other_in_numpy(name) {
                    Some(other) => Err(Error::value(format!(
                        "\"{name}\" would be {other} in NumPy, and {name} is a type of {} bits here: write {other}, or {name} \
                         without quotes",
                        dtype.bits().unwrap_or(0)
                    ))),
                    None => Ok(Some(dtype)),
                }
            }
            other => Err(Error::value(format!("an element type is expected, and this is {}", other.name()))),
        })
    }
}

fn axis(n: i64, rank: usize) -> Result<usize, Error> {
    let from_end = if n < 0 { as_i64(rank) } else { 0 };
    let axis = usize::try_from(n.saturating_add(from_end)).ok().filter(|&axis| axis < rank);
    axis.ok_or_else(|| Error::value(format!("there is no axis {n}: the rank is {rank}")))
}

/// What NumPy takes a name of a type in quotes for where that is another type: there a code counts bytes, and here bits.
fn other_in_numpy(name: &str) -> Option<String> {
    let (kind, bytes) = name.split_at_checked(1)?;
    let bits = bytes.parse::<u32>().ok().filter(|bytes| [1, 2, 4, 8].contains(bytes))? * 8;
    match kind {
        "i" => Some(format!("int{bits}")),
        "u" => Some(format!("uint{bits}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures() {
        let parameter =
            |name, [optional, takes_none, rest]: [bool; 3]| Parameter { name, optional, takes_none, rest };
        assert_eq!(
            parameters("x, axis=None, k=-1, which=0 or None, *shape"),
            [
                parameter("x", [false, false, false]),
                parameter("axis", [true, true, false]),
                parameter("k", [true, false, false]),
                parameter("which", [true, true, false]),
                parameter("shape", [true, true, true]),
            ]
        );
    }
}
