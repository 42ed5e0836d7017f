//! Arrays as text: as NumPy prints them, with its own settings.

use pyo3::prelude::*;

use crate::array::{PyArray, made, tensor};
use crate::numpy::{self, is_beyond, numpy_of};

/// `repr(x)`.
pub(crate) fn repr(array: &Bound<'_, PyArray>) -> PyResult<String> {
    let py = array.py();
    let own = array.get().array().unwatched();
    if is_beyond(&own) {
        tensor(py, &own)?;
        return Ok(format!("{own:?}"));
    }
    let text: String = numpy::module(py)?.call_method1("array_repr", (shown(array)?,))?.extract()?;
    Ok(match text.strip_prefix("array(") {
        Some(rest) => format!("Array({rest}"),
        None => text,
    })
}

/// `str(x)`.
pub(crate) fn str(array: &Bound<'_, PyArray>) -> PyResult<String> {
    let own = array.get().array().unwatched();
    if is_beyond(&own) {
        return Ok(tensor(array.py(), &own)?.to_string());
    }
    shown(array)?.str()?.extract()
}

/// The elements as an array of NumPy that is only printed.
fn shown<'py>(array: &Bound<'py, PyArray>) -> PyResult<Bound<'py, PyAny>> {
    let own = array.get().array();
    if own.is_watched() {
        return numpy_of(&Bound::new(array.py(), made(array.py(), own.unwatched())?)?);
    }
    numpy_of(array)
}
