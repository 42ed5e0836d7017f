//! The functions that are neither elementwise operations nor plain reductions, which are named by their records.

use super::arguments::Arguments;
use super::value::Value;
use crate::array::{Array, Direction, End, Keep, Number, Operand};
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::reduction::Reduction;

/// A function of an expression; it can also be written as a method of its first argument.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What it takes: `x, axis=None`; a star takes all that is left.
    pub signature: &'static str,
    pub(super) call: fn(&Arguments) -> Result<Array, Error>,
}

const fn function(
    name: &'static str,
    signature: &'static str,
    call: fn(&Arguments) -> Result<Array, Error>,
) -> Function {
    Function { name, signature, call }
}

/// What reductions take.
const FOLD: &str = "x, axis=None, keepdims=False";
/// What those take that say how far elements are apart.
const SPREAD: &str = "x, axis=None, correction=0, keepdims=False";

/// Every function but for the elementwise operations and the reductions that have records.
pub const FUNCTIONS: &[Function] = &[
    function("mean", FOLD, |a| fold(a, Array::mean)),
    function("var", SPREAD, |a| spread(a, Array::var)),
    function("std", SPREAD, |a| spread(a, Array::std)),
    function("logsumexp", FOLD, |a| fold(a, Array::logsumexp)),
    function("count_nonzero", FOLD, |a| fold(a, Array::count_nonzero)),
    function("nansum", FOLD, |a| fold(a, Array::nansum)),
    function("nanmax", FOLD, |a| fold(a, Array::nanmax)),
    function("nanmin", FOLD, |a| fold(a, Array::nanmin)),
    function("nanmean", FOLD, |a| fold(a, Array::nanmean)),
    function("nanvar", SPREAD, |a| spread(a, Array::nanvar)),
    function("nanstd", SPREAD, |a| spread(a, Array::nanstd)),
    function("vector_norm", "x, axis=None, keepdims=False, ord=2 or None", |a| {
        let power = a.real(3, 2.0)?;
        fold(a, |x, axes, keep| x.vector_norm(axes, power, keep))
    }),
    function("argmax", FOLD, |a| place_of(a, Array::argmax)),
    function("argmin", FOLD, |a| place_of(a, Array::argmin)),
    function("cumulative_sum", "x, axis=-1", |a| along(a, 1, Array::cumulative_sum)),
    function("cumulative_prod", "x, axis=-1", |a| along(a, 1, Array::cumulative_prod)),
    function("sort", "x, axis=-1", |a| along(a, 1, |x, axis| x.sort(axis, Direction::Ascending))),
    function("argsort", "x, axis=-1", |a| along(a, 1, |x, axis| x.argsort(axis, Direction::Ascending))),
    function("diff", "x, axis=-1", |a| along(a, 1, Array::diff)),
    function("matmul", "x1, x2", |a| Ok(a.array(0)?.matmul(&a.array(1)?))),
    function("outer", "x1, x2", |a| Ok(a.array(0)?.outer(&a.array(1)?))),
    function("einsum", "subscripts, *arrays", |a| {
        let arrays = a.arrays(1)?;
        Ok(Array::einsum(&a.text(0)?, &arrays))
    }),
    function("astype", "x, dtype", |a| {
        let dtype = a.dtype(1)?.ok_or_else(|| Error::value("dtype is missing".to_owned()))?;
        Ok(a.array(0)?.convert(dtype))
    }),
    function("broadcast_to", "x, *shape", |a| Ok(a.array(0)?.broadcast_to(&a.extents(1)?))),
    function("reshape", "x, *shape", reshape),
    function("transpose", "x, *axes", |a| {
        let x = a.array(0)?;
        let rank = x.rank()?;
        let reversed = (0..rank).rev().collect();
        Ok(x.transpose(&if a.given(1).is_some() { a.axes(1, rank)? } else { reversed }))
    }),
    function("permute_dims", "x, axes", |a| {
        let x = a.array(0)?;
        Ok(x.transpose(&a.axes(1, x.rank()?)?))
    }),
    function("matrix_transpose", "x", |a| Ok(a.array(0)?.matrix_transpose())),
    function("expand_dims", "x, axis", |a| {
        let x = a.array(0)?;
        let rank = x.rank()?;
        Ok(x.expand(a.axis(1, 0, rank + 1)?))
    }),
    function("squeeze", "x, axis=None", |a| {
        let x = a.array(0)?;
        let ones = || -> Result<Vec<usize>, Error> {
            Ok(x.shape()?
                .iter()
                .enumerate()
                .filter(|(_, extent)| **extent == 1)
                .map(|(axis, _)| axis)
                .collect())
        };
        let axes = if a.given(1).is_some() { a.axes(1, x.rank()?)? } else { ones()? };
        Ok(x.squeeze(&axes))
    }),
    function("flip", "x, axis=None", |a| {
        let x = a.array(0)?;
        Ok(x.flip(&a.axes(1, x.rank()?)?))
    }),
    function("roll", "x, shift, axis=None", |a| {
        let x = a.array(0)?;
        let shift = a.int(1, 0)?;
        if a.given(2).is_none() {
            return Ok(flat(&x)?.roll(shift, 0).reshape(x.shape()?));
        }
        Ok(x.roll(shift, a.axis(2, 0, x.rank()?)?))
    }),
    function("tile", "x, *repetitions", |a| Ok(a.array(0)?.tile(&a.extents(1)?))),
    function("repeat", "x, repeats, axis=None", |a| {
        let (x, count) = (a.array(0)?, a.count(1)?);
        if a.given(2).is_none() {
            return Ok(flat(&x)?.repeat(count, 0));
        }
        Ok(x.repeat(count, a.axis(2, 0, x.rank()?)?))
    }),
    function("concat", "arrays, axis=0 or None", |a| {
        let mut arrays = a.arrays(0)?;
        let axis = if a.is_none(1) {
            for array in &mut arrays {
                *array = flat(array)?;
            }
            0
        } else {
            a.axis(1, 0, arrays.first().map_or(Ok(0), Array::rank)?)?
        };
        Ok(Array::concatenate(&arrays, axis))
    }),
    function("stack", "arrays, axis=0", |a| {
        let arrays = a.arrays(0)?;
        let rank = arrays.first().map_or(Ok(0), Array::rank)?;
        Ok(Array::stack(&arrays, a.axis(1, 0, rank + 1)?))
    }),
    function("take", "x, indices, axis=0", |a| {
        let x = a.array(0)?;
        Ok(x.take(&a.array(1)?, a.axis(2, 0, x.rank()?)?))
    }),
    function("take_along_axis", "x, indices, axis=-1", |a| {
        let x = a.array(0)?;
        Ok(x.take_along_axis(&a.array(1)?, a.axis(2, -1, x.rank()?)?))
    }),
    function("tril", "x, k=0", |a| Ok(a.array(0)?.lower_triangle(a.int(1, 0)?))),
    function("triu", "x, k=0", |a| Ok(a.array(0)?.upper_triangle(a.int(1, 0)?))),
    function("arange", "start, stop=None, step=1 or None, dtype=None", |a| {
        let (zero, one) = (Number::Int(0), Number::Int(1));
        let (first, step) = (a.number(0, zero)?, a.number(2, one)?);
        let (start, stop) = if a.given(1).is_some() { (first, a.number(1, zero)?) } else { (zero, first) };
        let is_int = [start, stop, step].iter().all(|number| matches!(number, Number::Int(_)));
        let dtype = a.dtype(3)?.unwrap_or(if is_int { DType::I64 } else { DType::F64 });
        Ok(Array::range(start, stop, step, dtype))
    }),
    function("linspace", "start, stop, num, dtype=None", |a| {
        let zero = Number::Int(0);
        let (start, stop) = (a.number(0, zero)?, a.number(1, zero)?);
        let is_complex = [start, stop].iter().any(|number| matches!(number, Number::Complex(_)));
        let dtype = a.dtype(3)?.unwrap_or(if is_complex { DType::C128 } else { DType::F64 });
        Ok(Array::linspace(start, stop, a.count(2)?, End::Included, dtype))
    }),
    function("zeros", "shape, dtype=float64", |a| filled(a, 1, Array::zeros)),
    function("ones", "shape, dtype=float64", |a| filled(a, 1, Array::ones)),
    function("full", "shape, value, dtype=None", |a| {
        let value = a.number(1, Number::Int(0))?;
        Ok(Array::full(&a.extents(0)?, value, a.dtype(2)?.unwrap_or(value.default_dtype())))
    }),
    function("eye", "n, dtype=float64", |a| {
        let n = a.count(0)?;
        Ok(Array::eye(n, n, 0, a.dtype(1)?.unwrap_or(DType::F64)))
    }),
];

/// What a function takes, whichever it is: `add(x1, x2)`. None if there is no such function.
///
/// ```
/// use ndcast::notation::signature;
/// assert_eq!(signature("clip").as_deref(), Some("clip(x, min=-inf, max=inf)"));
/// assert_eq!(signature("sum").as_deref(), Some("sum(x, axis=None, keepdims=False)"));
/// ```
pub fn signature(name: &str) -> Option<String> {
    if let Some(op) = Op::named(name) {
        let argument = |argument: &crate::op::Argument| match argument.default {
            Some(default) => format!("{}={default}", argument.name),
            None => argument.name.to_owned(),
        };
        let arguments: Vec<String> = op.record().arguments.iter().map(argument).collect();
        return Some(format!("{name}({})", arguments.join(", ")));
    }
    let own = FUNCTIONS.iter().find(|function| function.name == name).map(|function| function.signature);
    let signature = own.or_else(|| Reduction::named(name).map(|_| FOLD))?;
    Some(format!("{name}({signature})"))
}

/// The names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let ops = Op::ALL.iter().map(|op| op.record().name);
    let folds = Reduction::ALL.into_iter().map(|fold| fold.record().name);
    ops.chain(folds).chain(FUNCTIONS.iter().map(|function| function.name))
}

/// The value of a function that is no elementwise operation; none if there is no such function.
pub(super) fn call(
    name: &str,
    given: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Option<Result<Value, Error>> {
    if let Some(reduction) = Reduction::named(name) {
        let arguments = Arguments::new(FOLD, given, named);
        let folded =
            arguments.and_then(|arguments| fold(&arguments, |x, axes, keep| x.reduce(reduction, axes, keep)));
        return Some(folded.map_err(|error| error.of(reduction.record().name)).map(Value::Array));
    }
    let function = FUNCTIONS.iter().find(|function| function.name == name)?;
    let called =
        Arguments::new(function.signature, given, named).and_then(|arguments| (function.call)(&arguments));
    Some(called.map_err(|error| error.of(function.name)).map(Value::Array))
}

/// An elementwise operation, of which numbers with a default may be left out or named.
pub(super) fn elementwise(
    op: Op,
    given: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Vec<Operand>, Error> {
    let expected = op.record().arguments;
    if given.len() > expected.len() {
        let (most, count) = (expected.len(), given.len());
        return Err(Error::value(format!("it takes {most} arguments at most, and {count} are given")));
    }
    let mut values: Vec<Option<Value>> = given.into_iter().map(Some).collect();
    values.resize_with(expected.len(), || None);
    for (name, value) in named {
        let Some(place) = expected.iter().position(|argument| argument.name == name) else {
            let meant = super::meant(&name, expected.iter().map(|argument| argument.name));
            return Err(Error::value(format!("it takes no argument {name}{meant}")));
        };
        if values[place].replace(value).is_some() {
            return Err(Error::value(format!("the argument {name} is given twice")));
        }
    }
    while values.last().is_some_and(|value| matches!(value, None | Some(Value::None))) {
        values.pop();
    }
    let mut operands = Vec::new();
    for value in &values {
        operands.push(match value {
            None | Some(Value::None) => None,
            Some(value) => Some(value.operand()?),
        });
    }
    let dtype = operands.iter().find_map(|operand| match operand {
        Some(Operand::Array(array)) => array.dtype().ok(),
        _ => None,
    });
    let missing = |place: usize| match expected[place].default {
        // What is left out before others is a number of the arrays' type.
        Some(default) => Ok(match dtype {
            Some(dtype) => Operand::Array(Array::default_argument(op, place, dtype)),
            None => Operand::Number(Number::Float(default)),
        }),
        None => Err(Error::value(format!("the argument {} is missing", expected[place].name))),
    };
    let filled = operands.into_iter().enumerate().map(|(place, own)| own.map_or_else(|| missing(place), Ok));
    filled.collect()
}

/// A reduction of the first argument over the axes of the second.
fn fold(a: &Arguments, of: impl FnOnce(&Array, Vec<usize>, Keep) -> Array) -> Result<Array, Error> {
    let x = a.array(0)?;
    Ok(of(&x, a.axes(1, x.rank()?)?, a.keep(2)?))
}

fn spread(a: &Arguments, of: fn(&Array, Vec<usize>, f64, Keep) -> Array) -> Result<Array, Error> {
    let x = a.array(0)?;
    Ok(of(&x, a.axes(1, x.rank()?)?, a.real(2, 0.0)?, a.keep(3)?))
}

/// All elements one behind the other.
fn flat(x: &Array) -> Result<Array, Error> {
    Ok(x.reshape(&[x.shape()?.iter().product()]))
}

/// Where the greatest or the least is: along an axis, or of all elements one behind the other.
fn place_of(a: &Arguments, of: fn(&Array, usize, Keep) -> Array) -> Result<Array, Error> {
    let x = a.array(0)?;
    let (rank, keep) = (x.rank()?, a.keep(2)?);
    if a.given(1).is_some() {
        return Ok(of(&x, a.axis(1, 0, rank)?, keep));
    }
    let place = of(&flat(&x)?, 0, Keep::Nothing);
    Ok(if keep == Keep::Axes { place.reshape(&vec![1; rank]) } else { place })
}

fn along(a: &Arguments, place: usize, of: impl FnOnce(&Array, usize) -> Array) -> Result<Array, Error> {
    let x = a.array(0)?;
    let axis = a.axis(place, -1, x.rank()?)?;
    Ok(of(&x, axis))
}

fn filled(a: &Arguments, dtype: usize, of: fn(&[usize], DType) -> Array) -> Result<Array, Error> {
    Ok(of(&a.extents(0)?, a.dtype(dtype)?.unwrap_or(DType::F64)))
}

/// Another shape, of which one extent may be -1: it is what is left.
fn reshape(a: &Arguments) -> Result<Array, Error> {
    let x = a.array(0)?;
    let wanted = a.ints(1)?;
    let known = wanted.iter().filter(|&&extent| extent != -1).map(|&extent| usize::try_from(extent));
    let known = known.collect::<Result<Vec<usize>, _>>();
    let known = known.map_err(|_| Error::value("an extent is not negative, but for one -1".to_owned()))?;
    let unknown = wanted.len() - known.len();
    let own: usize = x.shape()?.iter().product();
    let others = known.iter().try_fold(1usize, |all, &extent| all.checked_mul(extent)).unwrap_or(usize::MAX);
    let rest = match unknown {
        0 => 0,
        1 if others > 0 && own.is_multiple_of(others) => own / others,
        1 => {
            let shape = ndcast_shape::Shape::from(x.shape()?);
            return Err(Error::value(format!(
                "no extent in place of -1 makes {} elements of {wanted:?}",
                shape.brief()
            )));
        }
        _ => return Err(Error::value("only one extent can be -1".to_owned())),
    };
    let shape: Vec<usize> = wanted.iter().map(|&extent| usize::try_from(extent).unwrap_or(rest)).collect();
    Ok(x.reshape(&shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_there_twice() {
        let mut names: Vec<&str> = names().collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
        assert!(names.iter().all(|name| signature(name).is_some()));
    }
}
