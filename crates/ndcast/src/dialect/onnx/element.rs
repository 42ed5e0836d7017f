//! ONNX's numbers for element types: `TensorProto.DataType`.

use crate::dtype::DType;
use crate::error::Error;

/// Each element type with its number. Those that are missing have no counterpart: 18 and 20 are the 8-bit floats
/// without a negative zero, which no other system here has.
const CODES: [(i64, DType); 24] = [
    (1, DType::F32),
    (2, DType::U8),
    (3, DType::I8),
    (4, DType::U16),
    (5, DType::I16),
    (6, DType::I32),
    (7, DType::I64),
    (8, DType::String),
    (9, DType::Bool),
    (10, DType::F16),
    (11, DType::F64),
    (12, DType::U32),
    (13, DType::U64),
    (14, DType::C64),
    (15, DType::C128),
    (16, DType::Bf16),
    (17, DType::F8E4M3),
    (19, DType::F8E5M2),
    (21, DType::U4),
    (22, DType::I4),
    (23, DType::F4E2M1),
    (24, DType::F8E8M0),
    (25, DType::U2),
    (26, DType::I2),
];

/// The element type of a number.
///
/// # Errors
/// If there is none.
pub(crate) fn dtype(code: i64) -> Result<DType, Error> {
    let found = CODES.iter().find(|(other, _)| *other == code);
    found.map(|(_, dtype)| *dtype).ok_or_else(|| {
        let name = match code {
            18 => " (float8e4m3fnuz)",
            20 => " (float8e5m2fnuz)",
            27 => " (float6e2m3)",
            28 => " (float6e3m2)",
            _ => "",
        };
        Error::value(format!("there is no element type of ONNX's number {code}{name} here"))
    })
}

/// The number of an element type, if ONNX has it.
pub(crate) fn code(dtype: DType) -> Option<i64> {
    CODES.iter().find(|(_, other)| *other == dtype).map(|(code, _)| *code)
}
