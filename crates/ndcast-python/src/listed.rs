//! Lists and tuples of Python's numbers, in others of the same length or not: the commonest of them are read here, which
//! takes a fraction of the time that NumPy takes. Whatever else there may be in lists is left to NumPy.

use ndcast::{Array, DType, Number};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyTuple};

use crate::dtype::in_type;
use crate::error::exception;

/// So many lists in lists are read; NumPy has the same limit.
pub(crate) const DEEPEST: usize = 64;

/// Numbers of one kind, and their shape.
pub(crate) struct Listed {
    shape: Vec<usize>,
    numbers: Numbers,
}

enum Numbers {
    Truths(Vec<bool>),
    Integers(Vec<i64>),
    Floats(Vec<f64>),
}

impl Listed {
    /// The numbers of a list; `None` if there are none, or not of one kind, or not of one shape.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> Option<Listed> {
        let mut shape = vec![];
        let mut first = object.clone();
        while let Some(extent) = extent(&first) {
            shape.push(extent);
            if extent == 0 || shape.len() > DEEPEST {
                return None;
            }
            first = first.get_item(0).ok()?;
        }
        if shape.is_empty() {
            return None;
        }
        let numbers = if first.is_exact_instance_of::<PyFloat>() {
            let float =
                |item: &Bound<'_, PyAny>| item.cast_exact::<PyFloat>().ok().map(PyFloatMethods::value);
            Numbers::Floats(all(object, &shape, float)?)
        } else if first.is_exact_instance_of::<PyInt>() {
            let integer = |item: &Bound<'_, PyAny>| item.cast_exact::<PyInt>().ok()?.extract().ok();
            Numbers::Integers(all(object, &shape, integer)?)
        } else {
            let truth =
                |item: &Bound<'_, PyAny>| item.cast_exact::<PyBool>().ok().map(PyBoolMethods::is_true);
            Numbers::Truths(all(object, &shape, truth)?)
        };
        Some(Listed { shape, numbers })
    }

    /// NumPy's type for such numbers.
    pub(crate) fn dtype(&self) -> DType {
        match self.numbers {
            Numbers::Truths(_) => DType::Bool,
            Numbers::Integers(_) => DType::I64,
            Numbers::Floats(_) => DType::F64,
        }
    }

    /// As an array, of that type or of another.
    ///
    /// # Errors
    /// If a number is none of an integer type.
    pub(crate) fn array(self, py: Python<'_>, dtype: Option<DType>) -> PyResult<Array> {
        let integers = |dtype: &DType| dtype.is_integer();
        if let Some(dtype) = dtype.filter(integers) {
            let mut ends = [i128::MAX, i128::MIN];
            let mut add = |n: i128| ends = [ends[0].min(n), ends[1].max(n)];
            match &self.numbers {
                Numbers::Truths(_) => {}
                Numbers::Integers(all) => all.iter().for_each(|&n| add(n.into())),
                Numbers::Floats(all) => {
                    if let Some(&none) = all.iter().find(|number| !number.is_finite()) {
                        Number::Float(none).tensor(dtype).map_err(|error| exception(py, &error))?;
                    }
                    #[allow(clippy::cast_possible_truncation, reason = "what is beyond stays beyond")]
                    all.iter().for_each(|&number| add(number as i128));
                }
            }
            for end in ends.into_iter().filter(|_| ends[0] <= ends[1]) {
                Number::Int(end).tensor(dtype).map_err(|error| exception(py, &error))?;
            }
        }
        let array = match &self.numbers {
            Numbers::Truths(all) => Array::new(&self.shape, all),
            Numbers::Integers(all) => Array::new(&self.shape, all),
            Numbers::Floats(all) => Array::new(&self.shape, all),
        };
        Ok(in_type(&array, dtype))
    }
}

/// How many parts a list or a tuple has.
fn extent(object: &Bound<'_, PyAny>) -> Option<usize> {
    let of_list = object.cast_exact::<PyList>().ok().map(PyListMethods::len);
    of_list.or_else(|| object.cast_exact::<PyTuple>().ok().map(PyTupleMethods::len))
}

/// All numbers in a list of a shape, one behind the other; `None` if it has another shape, or one is of another kind.
fn all<'py, T>(
    object: &Bound<'py, PyAny>,
    shape: &[usize],
    number: impl Fn(&Bound<'py, PyAny>) -> Option<T> + Copy,
) -> Option<Vec<T>> {
    let mut found = Vec::with_capacity(shape.last().copied().unwrap_or(0));
    add(object, shape, number, &mut found)?;
    Some(found)
}

fn add<'py, T>(
    object: &Bound<'py, PyAny>,
    shape: &[usize],
    number: impl Fn(&Bound<'py, PyAny>) -> Option<T> + Copy,
    found: &mut Vec<T>,
) -> Option<()> {
    let Some((&extent, rest)) = shape.split_first() else {
        found.push(number(object)?);
        return Some(());
    };
    if self::extent(object) != Some(extent) {
        return None;
    }
    if let Ok(list) = object.cast_exact::<PyList>() {
        return list.iter().try_for_each(|part| add(&part, rest, number, found));
    }
    object.cast_exact::<PyTuple>().ok()?.iter().try_for_each(|part| add(&part, rest, number, found))
}
