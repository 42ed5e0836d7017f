//! Reductions, running folds, and what is made of them.

use ndcast::{Array, DType, Keep, Number, Operand, dtype::Class, reduction::Reduction};
use pyo3::prelude::*;

use crate::arguments::{Count, Numbers, axes, axis, axis_or_only, keep};
use crate::array::{PyArray, computed, made};
use crate::dtype::{Type, in_type, wanted};
use crate::error;
use crate::mixed;
use crate::operand::{Either, Given, Plain};

/// Functions of an array, axes and whether they are kept: their names, the library's methods, and what they say.
macro_rules! reductions {
    ($($name:ident $reduce:expr, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (x, /, *, axis=None, keepdims=false))]
            fn $name(py: Python<'_>, x: Given, axis: Option<Numbers>, keepdims: bool) -> PyResult<PyArray> {
                over(py, &x.0, axis, keepdims, $reduce)
            }
        )*

        fn add_reductions(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}

reductions! {
    max |x, axes, keep| x.max(axes, keep), "The greatest; NaN if one is. Of truth values it is true if one is.\n\n>>> import ndcast\n>>> ndcast.max(ndcast.asarray([1, 3, 2]))\nArray(3)";
    min |x, axes, keep| x.min(axes, keep), "The least; NaN if one is. Of truth values it is true if all are.\n\n>>> import ndcast\n>>> ndcast.min(ndcast.asarray([1, 3, 2]))\nArray(1)";
    any |x, axes, keep| x.any(axes, keep), "Whether one is true, or not 0.\n\n>>> import ndcast\n>>> bool(ndcast.any(ndcast.asarray([False, True])))\nTrue";
    all |x, axes, keep| x.all(axes, keep), "Whether all are true, or not 0.\n\n>>> import ndcast\n>>> bool(ndcast.all(ndcast.asarray([False, True])))\nFalse";
    count_nonzero |x, axes, keep| x.count_nonzero(axes, keep), "How many elements are not 0.\n\n>>> import ndcast\n>>> ndcast.count_nonzero(ndcast.asarray([0, 3, 2]))\nArray(2)";
    nanmax |x, axes, keep| x.nanmax(axes, keep), "The greatest of what is a number; NaN if nothing is.\n\n>>> import ndcast\n>>> ndcast.nanmax(ndcast.asarray([1.0, ndcast.nan]))\nArray(1.)";
    nanmin |x, axes, keep| x.nanmin(axes, keep), "The least of what is a number; NaN if nothing is.\n\n>>> import ndcast\n>>> ndcast.nanmin(ndcast.asarray([1.0, ndcast.nan]))\nArray(1.)";
}

/// A reduction over axes; all, if none are given.
fn over(
    py: Python<'_>,
    x: &Array,
    numbers: Option<Numbers>,
    keepdims: bool,
    reduce: impl FnOnce(&Array, &[usize], Keep) -> Array + Send,
) -> PyResult<PyArray> {
    let rank = rank(py, x)?;
    let axes = axes(py, numbers.as_ref(), rank)?;
    let (keep, lent) = (keep(keepdims), x.is_lent());
    let reduced = || Array::as_one_operation(&[x], || reduce(x, &axes, keep));
    computed(py, &if lent { py.detach(reduced) } else { reduced() })
}

/// How many axes an array has.
pub(crate) fn rank(py: Python<'_>, x: &Array) -> PyResult<usize> {
    x.rank().map_err(|error| crate::error::exception(py, &error))
}

/// A sum or product as elements of a type, computed in that type.
fn folded(x: &Array, fold: Reduction, dtype: Option<DType>, axes: &[usize], keep: Keep) -> Array {
    match dtype {
        Some(dtype) => x.convert(dtype).reduce(fold, axes, keep).convert(dtype),
        None => counted(x).reduce(fold, axes, keep),
    }
}

/// Truth values as the integers that they count as. The standard has no sum of them; NumPy has.
fn counted(x: &Array) -> Array {
    if x.dtype() == Ok(DType::Bool) { x.convert(DType::I64) } else { x.clone() }
}

/// A type that is asked for, or floats if there is none: what has no fractions has a mean with some. The standard has none; NumPy has.
fn fractions(py: Python<'_>, x: &Array, dtype: Option<Type>) -> PyResult<Option<DType>> {
    Ok(match (wanted(py, x, dtype)?, x.dtype().map(DType::class)) {
        (None, Ok(Class::Bool | Class::Signed | Class::Unsigned)) => Some(DType::F64),
        (dtype, _) => dtype,
    })
}

/// The sum divided by the number of elements.
///
/// >>> import ndcast
/// >>> ndcast.mean(ndcast.asarray([[1.0, 2.0], [3.0, 5.0]]), axis=0)
/// Array([2. , 3.5])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, keepdims=false))]
fn mean(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    dtype: Option<Type>,
    keepdims: bool,
) -> PyResult<PyArray> {
    let dtype = fractions(py, &x.0, dtype)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| in_type(x, dtype).mean(axes, keep))
}

/// The sum. Small integers are added as 64 bits.
///
/// >>> import ndcast
/// >>> ndcast.sum(ndcast.asarray([[1, 2], [3, 4]]), axis=1, keepdims=True)
/// Array([[3],
///        [7]])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, keepdims=false))]
fn sum(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    dtype: Option<Type>,
    keepdims: bool,
) -> PyResult<PyArray> {
    let dtype = wanted(py, &x.0, dtype)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| folded(x, Reduction::Sum, dtype, axes, keep))
}

/// The product. Small integers are multiplied as 64 bits.
///
/// >>> import ndcast
/// >>> ndcast.prod(ndcast.asarray([2, 3, 4]))
/// Array(24)
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, keepdims=false))]
fn prod(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    dtype: Option<Type>,
    keepdims: bool,
) -> PyResult<PyArray> {
    let dtype = wanted(py, &x.0, dtype)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| folded(x, Reduction::Prod, dtype, axes, keep))
}

/// The sum of what is a number.
///
/// >>> import ndcast
/// >>> ndcast.nansum(ndcast.asarray([1.0, ndcast.nan, 2.0]))
/// Array(3.)
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, keepdims=false))]
fn nansum(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    dtype: Option<Type>,
    keepdims: bool,
) -> PyResult<PyArray> {
    let dtype = wanted(py, &x.0, dtype)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| match dtype {
        Some(dtype) => x.convert(dtype).nansum(axes, keep).convert(dtype),
        None => counted(x).nansum(axes, keep),
    })
}

/// The variance: the mean of the squared distances from the mean. The divisor is the number of elements less `correction`.
///
/// >>> import ndcast
/// >>> ndcast.var(ndcast.asarray([1.0, 2.0, 3.0, 6.0]), correction=1)
/// Array(4.66666667)
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, correction=0.0, keepdims=false))]
fn var(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    correction: f64,
    keepdims: bool,
) -> PyResult<PyArray> {
    let dtype = fractions(py, &x.0, None)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| in_type(x, dtype).var(axes, correction, keep))
}

/// The square root of the variance.
///
/// >>> import ndcast
/// >>> ndcast.std(ndcast.asarray([1.0, 3.0]))
/// Array(1.)
#[pyfunction]
#[pyo3(name = "std", signature = (x, /, *, axis=None, correction=0.0, keepdims=false))]
fn deviation(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    correction: f64,
    keepdims: bool,
) -> PyResult<PyArray> {
    let dtype = fractions(py, &x.0, None)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| in_type(x, dtype).std(axes, correction, keep))
}

/// The mean of what is a number; NaN if nothing is.
///
/// >>> import ndcast
/// >>> ndcast.nanmean(ndcast.asarray([1.0, ndcast.nan, 2.0]))
/// Array(1.5)
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, keepdims=false))]
fn nanmean(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    dtype: Option<Type>,
    keepdims: bool,
) -> PyResult<PyArray> {
    let dtype = fractions(py, &x.0, dtype)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| in_type(x, dtype).nanmean(axes, keep))
}

/// The variance without NaNs; NaN if no more elements than `correction` are left. `ddof` is NumPy's name for it.
///
/// >>> import ndcast
/// >>> ndcast.nanvar(ndcast.asarray([1.0, ndcast.nan, 3.0]))
/// Array(1.)
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, correction=0.0, ddof=None, keepdims=false))]
fn nanvar(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    dtype: Option<Type>,
    correction: f64,
    ddof: Option<f64>,
    keepdims: bool,
) -> PyResult<PyArray> {
    let correction = ddof.unwrap_or(correction);
    let dtype = fractions(py, &x.0, dtype)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| in_type(x, dtype).nanvar(axes, correction, keep))
}

/// The standard deviation without NaNs; NaN if no more elements than `correction` are left. `ddof` is NumPy's name for it.
///
/// >>> import ndcast
/// >>> ndcast.nanstd(ndcast.asarray([1.0, ndcast.nan, 5.0]))
/// Array(2.)
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, correction=0.0, ddof=None, keepdims=false))]
fn nanstd(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    dtype: Option<Type>,
    correction: f64,
    ddof: Option<f64>,
    keepdims: bool,
) -> PyResult<PyArray> {
    let correction = ddof.unwrap_or(correction);
    let dtype = fractions(py, &x.0, dtype)?;
    over(py, &x.0, axis, keepdims, |x, axes, keep| in_type(x, dtype).nanstd(axes, correction, keep))
}

/// Where the greatest element is: the first, or the first NaN.
///
/// >>> import ndcast
/// >>> ndcast.argmax(ndcast.asarray([[1, 5, 5], [7, 2, 3]]), axis=1)
/// Array([1, 0])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, keepdims=false))]
fn argmax(py: Python<'_>, x: Given, axis: Option<i64>, keepdims: bool) -> PyResult<PyArray> {
    place_of(py, &x.0, axis, keepdims, Array::argmax)
}

/// Where the least element is: the first, or the first NaN.
///
/// >>> import ndcast
/// >>> ndcast.argmin(ndcast.asarray([3, 1, 2]))
/// Array(1)
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, keepdims=false))]
fn argmin(py: Python<'_>, x: Given, axis: Option<i64>, keepdims: bool) -> PyResult<PyArray> {
    place_of(py, &x.0, axis, keepdims, Array::argmin)
}

fn place_of(
    py: Python<'_>,
    x: &Array,
    number: Option<i64>,
    keepdims: bool,
    find: fn(&Array, usize, Keep) -> Array,
) -> PyResult<PyArray> {
    let rank = rank(py, x)?;
    let Some(number) = number else {
        let line = py.detach(|| find(&x.reshape(&[elements(x)]), 0, Keep::Nothing));
        return made(py, if keepdims { line.reshape(&vec![1; rank]) } else { line });
    };
    let axis = axis(py, number, rank)?;
    made(py, py.detach(|| find(x, axis, keep(keepdims))))
}

/// How many elements an array has.
pub(crate) fn elements(x: &Array) -> usize {
    x.shape().map_or(0, |shape| shape.iter().product())
}

/// The running sum along an axis: each element with all before it.
///
/// >>> import ndcast
/// >>> ndcast.cumulative_sum(ndcast.asarray([1, 2, 3]), include_initial=True)
/// Array([0, 1, 3, 6])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, include_initial=false))]
fn cumulative_sum(
    py: Python<'_>,
    x: Given,
    axis: Option<i64>,
    dtype: Option<Type>,
    include_initial: bool,
) -> PyResult<PyArray> {
    running(py, "cumulative_sum", &x.0, axis, dtype, include_initial.then_some(0), Array::cumulative_sum)
}

/// The running product along an axis: each element times all before it.
///
/// >>> import ndcast
/// >>> ndcast.cumulative_prod(ndcast.asarray([1, 2, 3]))
/// Array([1, 2, 6])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, dtype=None, include_initial=false))]
fn cumulative_prod(
    py: Python<'_>,
    x: Given,
    axis: Option<i64>,
    dtype: Option<Type>,
    include_initial: bool,
) -> PyResult<PyArray> {
    running(py, "cumulative_prod", &x.0, axis, dtype, include_initial.then_some(1), Array::cumulative_prod)
}

fn running(
    py: Python<'_>,
    name: &str,
    x: &Array,
    number: Option<i64>,
    dtype: Option<Type>,
    initial: Option<i128>,
    run: fn(&Array, usize) -> Array,
) -> PyResult<PyArray> {
    let axis = axis_or_only(py, name, number, rank(py, x)?)?;
    let dtype = wanted(py, x, dtype)?;
    made(
        py,
        py.detach(|| {
            let sums = Array::as_one_operation(&[x], || match dtype {
                Some(dtype) => run(&x.convert(dtype), axis).convert(dtype),
                None => run(&counted(x), axis),
            });
            match (initial, sums.shape(), sums.dtype()) {
                (Some(initial), Ok(shape), Ok(dtype)) => {
                    let mut shape = shape.to_vec();
                    shape[axis] = 1;
                    let first = if dtype.class() == Class::Bool {
                        Array::full(&shape, initial != 0, dtype)
                    } else {
                        Array::full(&shape, Number::Int(initial), dtype)
                    };
                    Array::concatenate(&[&first, &sums], axis)
                }
                _ => sums,
            }
        }),
    )
}

/// The differences of neighbours along an axis, taken `n` times, with `prepend` and `append` put before and behind first.
///
/// >>> import ndcast
/// >>> ndcast.diff(ndcast.asarray([1, 4, 9]))
/// Array([3, 5])
/// >>> ndcast.diff(ndcast.asarray([1, 4, 9]), prepend=0)
/// Array([1, 3, 5])
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=-1, n=Count(1), prepend=None, append=None), text_signature = "(x, /, *, axis=-1, n=1, prepend=None, append=None)")]
fn diff(
    py: Python<'_>,
    x: Given,
    axis: i64,
    n: Count,
    prepend: Option<Either>,
    append: Option<Either>,
) -> PyResult<PyArray> {
    let place = crate::arguments::axis(py, axis, rank(py, &x.0)?)?;
    if n.0 == 0 {
        return made(py, x.0);
    }
    let x = x.0;
    let both = x.shape().and_then(|shape| Ok((shape.to_vec(), x.dtype()?)));
    let (mut one, dtype) = both.map_err(|error| crate::error::exception(py, &error))?;
    one[place] = 1;
    // One number is put before or behind each line.
    let beside = |given: Either| match given.0 {
        Operand::Array(array) if array.rank() == Ok(0) => array.broadcast_to(&one),
        Operand::Array(array) => array,
        Operand::Number(number) => {
            Array::full(&one, number, mixed::with_number(dtype, number.kind()).unwrap_or(dtype))
        }
    };
    let parts = [prepend.map(beside), Some(x), append.map(beside)];
    let parts = mixed::arrays_alike(parts.into_iter().flatten().collect());
    let parts: Vec<&Array> = parts.iter().collect();
    made(
        py,
        py.detach(|| {
            let mut array = match parts[..] {
                [only] => only.clone(),
                _ => Array::concatenate(&parts, place).called("concatenate", "diff"),
            };
            for _ in 0..n.0 {
                array = array.diff(place);
            }
            array
        }),
    )
}

/// The norm of the vectors along axes: of powers, or the greatest (`inf`) or least (`-inf`) absolute value.
///
/// >>> import ndcast
/// >>> ndcast.linalg.vector_norm(ndcast.asarray([3.0, 4.0]))
/// Array(5.)
#[pyfunction]
#[pyo3(signature = (x, /, *, axis=None, keepdims=false, ord=Plain(Number::Int(2))), text_signature = "(x, /, *, axis=None, keepdims=False, ord=2)")]
fn vector_norm(
    py: Python<'_>,
    x: Given,
    axis: Option<Numbers>,
    keepdims: bool,
    ord: Plain,
) -> PyResult<PyArray> {
    #[allow(clippy::cast_precision_loss, reason = "rounded to the nearest")]
    let power = match ord.0 {
        Number::Int(n) => n as f64,
        Number::Float(n) => n,
        _ => return Err(error::value("the order of a norm is a real number")),
    };
    over(py, &x.0, axis, keepdims, |x, axes, keep| x.vector_norm(axes, power, keep))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_reductions(module)?;
    module.add_function(wrap_pyfunction!(sum, module)?)?;
    module.add_function(wrap_pyfunction!(prod, module)?)?;
    module.add_function(wrap_pyfunction!(nansum, module)?)?;
    module.add_function(wrap_pyfunction!(mean, module)?)?;
    module.add_function(wrap_pyfunction!(var, module)?)?;
    module.add_function(wrap_pyfunction!(deviation, module)?)?;
    module.add_function(wrap_pyfunction!(nanmean, module)?)?;
    module.add_function(wrap_pyfunction!(nanvar, module)?)?;
    module.add_function(wrap_pyfunction!(nanstd, module)?)?;
    module.add_function(wrap_pyfunction!(argmax, module)?)?;
    module.add_function(wrap_pyfunction!(argmin, module)?)?;
    module.add_function(wrap_pyfunction!(cumulative_sum, module)?)?;
    module.add_function(wrap_pyfunction!(cumulative_prod, module)?)?;
    module.add_function(wrap_pyfunction!(diff, module)?)?;
    module.add_function(wrap_pyfunction!(vector_norm, module)?)
}
