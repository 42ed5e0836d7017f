//! Constants as text: one element for all, lists, or bytes where there are many elements.

use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::format::program::write::literal::{elements, nested};
use crate::tensor::Tensor;

/// As many elements are written one by one; more as bytes. Truth values always are: readers differ in their bytes.
const FEW: usize = 100;

/// What stands in `dense<..>`.
pub(super) fn dense(tensor: &Tensor) -> Result<String, Error> {
    let dtype = tensor.dtype();
    let whole = dtype.bits().is_some_and(|bits| bits >= 8) && dtype != DType::Bool;
    if tensor.elements() <= FEW || !whole {
        return Ok(nested(
            tensor.shape(),
            ["[", "]"],
            &elements(tensor, &|_, bits, dtype| float(bits, dtype))?,
        ));
    }
    let tensor = Array::from(tensor.clone()).copy().eval()?;
    let bytes = tensor.as_bytes().unwrap_or_default();
    let mut hex = String::with_capacity(2 * bytes.len() + 4);
    hex.push_str("\"0x");
    for part in bytes.chunks(dtype.part().size().unwrap_or(1)) {
        let digits = |byte: &u8| format!("{byte:02X}");
        // The last byte of an element is its greatest.
        if cfg!(target_endian = "big") {
            hex.extend(part.iter().rev().map(digits));
        } else {
            hex.extend(part.iter().map(digits));
        }
    }
    hex.push('"');
    Ok(hex)
}

/// A float so that it is read again as it is.
fn float(bits: u64, dtype: DType) -> String {
    let finite = match dtype {
        DType::F64 => Some(f64::from_bits(bits)).filter(|n| n.is_finite()).map(|n| format!("{n:e}")),
        DType::F32 => {
            let float = u32::try_from(bits).ok().map(f32::from_bits);
            float.filter(|n| n.is_finite()).map(|n| format!("{n:e}"))
        }
        // Others by their bits, which say them in full.
        _ => None,
    };
    match finite.as_deref().map(|text| text.split_once('e').unwrap_or((text, "0"))) {
        Some((mantissa, power)) => {
            let dot = if mantissa.contains('.') { "" } else { ".0" };
            let sign = if power.starts_with('-') { "" } else { "+" };
            format!("{mantissa}{dot}e{sign}{power}")
        }
        None => {
            let digits = 2 * dtype.size().unwrap_or(8);
            format!("0x{bits:0digits$X}")
        }
    }
}
