//! What OpenVINO calls the element types: in attributes (`f32`, `boolean`), and in the ports of model files (`FP32`, `BOOL`).
//!
//! Most names are ours; what differs is the table.

use crate::dtype::{Class, DType};
use crate::error::Error;

/// Where the names differ from ours, and from ours in capitals: the type, its name, and that in ports.
const OTHERS: [(DType, &str, &str); 5] = [
    (DType::Bool, "boolean", "BOOL"),
    (DType::U1, "u1", "BIN"),
    (DType::F16, "f16", "FP16"),
    (DType::F32, "f32", "FP32"),
    (DType::F64, "f64", "FP64"),
];

fn other(dtype: DType) -> Option<(&'static str, &'static str)> {
    OTHERS.iter().find(|(other, ..)| *other == dtype).map(|(_, name, precision)| (*name, *precision))
}

/// The types that OpenVINO has.
fn has(dtype: DType) -> bool {
    dtype.class() != Class::Complex && dtype != DType::I2
}

/// The type of this name, as attributes have it.
///
/// ```
/// use ndcast::{DType, dialect::openvino::element_type};
/// assert_eq!(element_type("boolean")?, DType::Bool);
/// assert_eq!(element_type("f8e5m2")?, DType::F8E5M2);
/// assert!(element_type("FP32").is_err());
/// # Ok::<(), ndcast::Error>(())
/// ```
///
/// # Errors
/// If there is none.
pub fn element_type(name: &str) -> Result<DType, Error> {
    let found = DType::all().filter(|&dtype| has(dtype)).find(|&dtype| match other(dtype) {
        Some((own, _)) => own == name,
        None => dtype.to_string() == name,
    });
    found.ok_or_else(|| match name {
        "dynamic" | "undefined" => Error::value("the element type must be known".to_owned()),
        _ => Error::value(format!("there is no element type \"{name}\"")),
    })
}

/// What attributes call a type.
///
/// # Errors
/// If OpenVINO does not have it.
pub fn element_type_name(dtype: DType) -> Result<String, Error> {
    if !has(dtype) {
        return Err(Error::value(format!("OpenVINO has no elements of type {dtype}")));
    }
    Ok(other(dtype).map_or_else(|| dtype.to_string(), |(name, _)| name.to_owned()))
}

/// What ports of model files call a type.
///
/// # Errors
/// If OpenVINO does not have it.
pub fn precision_name(dtype: DType) -> Result<String, Error> {
    let name = element_type_name(dtype)?;
    Ok(other(dtype).map_or_else(|| name.to_ascii_uppercase(), |(_, precision)| precision.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_found_by_its_name() {
        for dtype in DType::all().filter(|&dtype| has(dtype)) {
            assert_eq!(element_type(&element_type_name(dtype).unwrap()).unwrap(), dtype);
        }
        for (dtype, name, precision) in [
            (DType::Bool, "boolean", "BOOL"),
            (DType::Bf16, "bf16", "BF16"),
            (DType::U1, "u1", "BIN"),
            (DType::F8E8M0, "f8e8m0", "F8E8M0"),
            (DType::I64, "i64", "I64"),
        ] {
            assert_eq!(element_type_name(dtype).unwrap(), name);
            assert_eq!(precision_name(dtype).unwrap(), precision);
        }
        assert!(element_type_name(DType::C64).is_err() && element_type("c64").is_err());
        assert!(element_type("dynamic").unwrap_err().to_string().contains("must be known"));
    }
}
