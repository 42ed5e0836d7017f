//! Constants: a number, or lists within lists in curly brackets.

use crate::array::Array;
use crate::buffer::Pool;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::hlo::literal::mantissa;
use crate::format::program::write::literal::{elements, nested};
use crate::layout::saturating_count;
use crate::tensor::Tensor;

/// What stands in `constant(..)`.
pub(super) fn text(tensor: &Tensor) -> Result<String, Error> {
    // Floats of fewer bits have the digits of an f32 that is the same number.
    let narrow = tensor.dtype().class() == Class::Float && !matches!(tensor.dtype(), DType::F32 | DType::F64);
    let wide = match narrow {
        true => Array::from(tensor.clone()).convert(DType::F32).to_vec::<f32>()?,
        false => Vec::new(),
    };
    let elements = elements(tensor, &|place, bits, dtype| {
        let number = match (wide.get(place), u32::try_from(bits)) {
            (Some(number), _) => format!("{number:?}"),
            (None, Ok(bits)) if dtype == DType::F32 => format!("{:?}", f32::from_bits(bits)),
            _ => format!("{:?}", f64::from_bits(bits)),
        };
        if number == "NaN" { not_a_number(bits, dtype) } else { number }
    })?;
    // Lists are as deep as the first axis along which there is nothing.
    let shape = tensor.shape();
    let (shape, elements) = match shape.iter().position(|&extent| extent == 0) {
        Some(axis) => {
            let shape = &shape[..axis];
            // There may be more of them than there is memory for, though nothing is in them.
            let lists = saturating_count(shape);
            let bytes = lists.saturating_mul(size_of::<String>());
            Pool::global()
                .allows(bytes)
                .map_err(|error| Error::memory(error, tensor.shape(), tensor.dtype()))?;
            (shape, vec!["{}".to_owned(); lists])
        }
        None => (shape, elements),
    };
    Ok(nested(shape, ["{", "}"], &elements))
}

/// Which NaN it is: its sign, and its mantissa if that is not the usual one.
fn not_a_number(bits: u64, dtype: DType) -> String {
    let sign = if bits >> (dtype.bits().unwrap_or(64) - 1) == 1 { "-" } else { "" };
    let unusual = mantissa(dtype).map(|width| (bits & ((1 << width) - 1), 1 << (width - 1)));
    match unusual {
        Some((payload, usual)) if payload != usual => format!("{sign}nan(0x{payload:x})"),
        _ => format!("{sign}nan"),
    }
}
