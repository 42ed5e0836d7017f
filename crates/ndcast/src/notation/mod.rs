//! Expressions as text, in NumPy's notation: `(x - x.mean(axis=0)) / x.std(axis=0)`.
//!
//! Operators have Python's precedence, and functions are the library's own: every elementwise operation and reduction by the
//! name in its record, and what is listed in [`FUNCTIONS`]. A text becomes steps, of which none is before those it needs, so
//! computing one is a loop; the value of each is a lazy [`Array`], so a whole expression is fused. Errors say where in the
//! text they are.
//!
//! Not here: statements, `and`, `or` and `not` (which ask one truth of an array), chained comparisons (which are an `and`),
//! and indices that are arrays, which [`take`](Array::take) is for.
//!
//! DIFFERENCE: functions of numbers alone give numbers, which take the element type of what they meet: `x * sqrt(2)` is f32
//! if `x` is, where NumPy's `sqrt(2)` is f64.
//!
//! DIFFERENCE: integers divided by 0 and powers of integers with a negative exponent are numbers, as the operations' records
//! say, where NumPy warns of the one and refuses the other.

mod arguments;
mod evaluate;
mod functions;
mod lex;
mod number;
mod parse;
mod value;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::array::Array;
use crate::error::{Error, ErrorKind};
pub use functions::{FUNCTIONS, Function, signature};
use parse::{Step, What};

/// An expression that was read, to be computed with values for its names.
///
/// ```
/// use ndcast::{Array, notation::Expression};
/// let expression: Expression = "(x - x.mean(axis=1, keepdims=True)) ** 2 + pi".parse()?;
/// assert_eq!(expression.names(), ["x", "True", "pi"]);
/// let x = Array::new(&[1, 3], &[1.0f32, 2.0, 3.0]);
/// let y = expression.compute(&[("x".to_owned(), x)])?;
/// assert_eq!((y.dtype()?, y.shape()?), (ndcast::DType::F32, &[1, 3][..]));
/// # Ok::<(), ndcast::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    steps: Vec<Step>,
}

impl FromStr for Expression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Expression, Error> {
        let steps = parse::steps(text).map_err(|wrong| wrong.of(text))?;
        Ok(Expression { text: text.to_owned(), steps })
    }
}

impl Expression {
    /// The names in it that are no functions, each once, in order: arrays, and constants such as `pi` and
    /// `True`.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for step in &self.steps {
            if let What::Name(name) = &step.what
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        }
        names
    }

    /// What it is with these arrays for its names. Nothing is computed yet, but shapes and element types are checked.
    ///
    /// # Errors
    /// If a name or a function is not known, or something cannot be done: the error shows where in the text.
    pub fn compute(&self, arrays: &[(String, Array)]) -> Result<Array, Error> {
        evaluate::result(&self.steps, arrays).map_err(|wrong| wrong.of(&self.text))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is wrong, and where in the text: from this byte to before that one.
#[derive(Debug)]
struct Wrong {
    place: Range<usize>,
    error: Error,
}

impl Wrong {
    fn at(place: &Range<usize>, text: impl Into<String>) -> Wrong {
        Wrong { place: place.clone(), error: Error::value(text.into()) }
    }

    fn of(self, text: &str) -> Error {
        let Wrong { place, error } = self;
        Error::new(ErrorKind::Text { text: text.to_owned(), place, error: Box::new(error) })
    }
}

/// What NumPy has other names for, or the standard had, with what is written here, in expressions and in Python.
///
/// ```
/// use ndcast::notation::OTHER_NAMES;
/// assert!(OTHER_NAMES.contains(&("concatenate", "concat")));
/// ```
pub const OTHER_NAMES: &[(&str, &str)] = &[
    ("absolute", "abs"),
    ("amax", "max"),
    ("amin", "min"),
    ("arccos", "acos"),
    ("arccosh", "acosh"),
    ("arcsin", "asin"),
    ("arcsinh", "asinh"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arctanh", "atanh"),
    ("around", "round"),
    ("bitwise_not", "bitwise_invert, or ~"),
    ("concatenate", "concat"),
    ("conjugate", "conj"),
    ("cumprod", "cumulative_prod"),
    ("cumsum", "cumulative_sum"),
    ("fabs", "abs"),
    ("invert", "bitwise_invert, or ~"),
    ("left_shift", "bitwise_left_shift, or <<"),
    ("mod", "remainder, or %"),
    ("power", "pow, or **"),
    ("right_shift", "bitwise_right_shift, or >>"),
    ("rint", "round"),
    ("true_divide", "divide, or /"),
];

/// What is written in expressions alone.
const OTHERWISE: &[(&str, &str)] = &[
    ("np", "mean(x), float32 or newaxis without it"),
    ("numpy", "mean(x), float32 or newaxis without it"),
    ("xp", "mean(x), float32 or newaxis without it"),
    ("array", "[1, 2, 3]"),
    ("vstack", "concat([a, b], axis=0)"),
    ("hstack", "concat([a, b], axis=1)"),
    ("swapaxes", "transpose"),
    ("ravel", "reshape(-1)"),
    ("flatten", "reshape(-1)"),
    ("ddof", "correction"),
];

/// Says what somebody may have meant by a name that there is not: nothing, `; did you mean a or b?`, or what is written
/// instead.
fn meant<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    if let Some((_, instead)) = OTHER_NAMES.iter().chain(OTHERWISE).find(|(other, _)| *other == name) {
        return format!("; write {instead}");
    }
    let near = ndcast_shape::nearest(name, names);
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_otherwise_is_no_name_here() {
        for (name, _) in OTHER_NAMES.iter().chain(OTHERWISE) {
            assert!(functions::signature(name).is_none(), "{name}");
        }
        for (_, instead) in OTHER_NAMES {
            let function = instead.split(',').next().unwrap_or_default();
            assert!(functions::signature(function).is_some(), "{function}");
        }
        assert_eq!(meant("cumsum", functions::names()), "; write cumulative_sum");
    }
}
