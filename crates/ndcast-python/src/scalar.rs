//! The only element of an array as a number of Python.

use half::{bf16, f16};
use ndcast::{Array, DType, Element};
use num_complex::Complex;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::error::exception;

/// The element; an error if there is not exactly one.
pub(crate) fn item<'py>(py: Python<'py>, array: &Array) -> PyResult<Bound<'py, PyAny>> {
    match array.dtype().map_err(|error| exception(py, &error))? {
        DType::Bool => element::<bool>(py, array)?.into_bound_py_any(py),
        DType::I8 => element::<i8>(py, array)?.into_bound_py_any(py),
        DType::I16 => element::<i16>(py, array)?.into_bound_py_any(py),
        DType::I32 => element::<i32>(py, array)?.into_bound_py_any(py),
        DType::I64 => element::<i64>(py, array)?.into_bound_py_any(py),
        DType::U8 => element::<u8>(py, array)?.into_bound_py_any(py),
        DType::U16 => element::<u16>(py, array)?.into_bound_py_any(py),
        DType::U32 => element::<u32>(py, array)?.into_bound_py_any(py),
        DType::U64 => element::<u64>(py, array)?.into_bound_py_any(py),
        DType::F16 => element::<f16>(py, array)?.to_f64().into_bound_py_any(py),
        DType::Bf16 => element::<bf16>(py, array)?.to_f64().into_bound_py_any(py),
        DType::F32 => f64::from(element::<f32>(py, array)?).into_bound_py_any(py),
        DType::F64 => element::<f64>(py, array)?.into_bound_py_any(py),
        DType::C64 => {
            let z = element::<Complex<f32>>(py, array)?;
            Complex::new(f64::from(z.re), f64::from(z.im)).into_bound_py_any(py)
        }
        DType::C128 => element::<Complex<f64>>(py, array)?.into_bound_py_any(py),
        _ => item(py, &array.convert(DType::F32)),
    }
}

fn element<T: Element>(py: Python<'_>, array: &Array) -> PyResult<T> {
    let item = if array.is_ready() { array.item() } else { py.detach(|| array.item()) };
    item.map_err(|error| exception(py, &error))
}
