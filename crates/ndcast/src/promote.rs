//! Which element type two operands have in common: the Array API's type promotion, and the graph dialects', which
//! have none.
//!
//! <https://data-apis.org/array-api/latest/API_specification/type_promotion.html>
//!
//! What the standard leaves undefined is an error here, with what to do about it, and not a guess: libraries guess
//! differently. bfloat16 is not in the standard; with float16 it meets in float32, which holds both.

use std::fmt;

use crate::dtype::{Class, DType};

/// Two element types without a common one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCommonDType {
    left: Side,
    right: DType,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Array(DType),
    Scalar(Scalar),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// The standard leaves a mixture of these kinds undefined.
    Kinds,
    /// No integer type holds both.
    NoInteger,
    /// There is no arithmetic on the type.
    Carried,
    /// The dialect does not promote.
    Strict,
    /// The array keeps its type, which does not hold the other's elements.
    Kept,
}

/// A number without an element type of its own, as a literal is: it takes the array's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// True or false.
    Bool,
    /// An integer.
    Int,
    /// A real number.
    Float,
    /// A complex number.
    Complex,
}

/// With `{:#}` element types are called as NumPy calls them.
impl fmt::Display for NoCommonDType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoCommonDType { left, right, why } = self;
        let is_numpy = f.alternate();
        let right = right.called(is_numpy);
        if *why == Why::Kept {
            return match left {
                Side::Array(left) => {
                    let left = left.called(is_numpy);
                    write!(f, "{left} does not fit into {right}, which the left side stays; convert it")
                }
                Side::Scalar(scalar) => {
                    write!(f, "{scalar} does not fit into {right}, which the left side stays")
                }
            };
        }
        match left {
            Side::Array(left) => {
                write!(f, "{} and {right} have no common element type: ", left.called(is_numpy))?;
            }
            Side::Scalar(scalar) => write!(f, "{scalar} does not go with {right}: ")?,
        }
        match why {
            Why::Kinds => f.write_str("the Array API leaves mixed kinds undefined; convert one of them"),
            Why::NoInteger => f.write_str("no integer type holds both; convert one of them"),
            Why::Carried => f.write_str("there is no arithmetic on both; convert to a type that has it"),
            Why::Strict => f.write_str("the types must be equal; convert one of them"),
            Why::Kept => Ok(()),
        }
    }
}

impl std::error::Error for NoCommonDType {}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scalar::Bool => "a truth value",
            Scalar::Int => "an integer",
            Scalar::Float => "a real number",
            Scalar::Complex => "a complex number",
        })
    }
}

/// The element type that two arrays' elements are converted to before they are computed with.
///
/// ```
/// use ndcast::{DType, promote::promote};
/// assert_eq!(promote(DType::U8, DType::I8), Ok(DType::I16));
/// assert_eq!(promote(DType::F64, DType::C64), Ok(DType::C128));
/// assert_eq!(
///     promote(DType::U64, DType::I8).unwrap_err().to_string(),
///     "u64 and i8 have no common element type: no integer type holds both; convert one of them"
/// );
/// ```
///
/// # Errors
/// If the standard leaves it undefined, or there is no arithmetic on one of them.
pub fn promote(left: DType, right: DType) -> Result<DType, NoCommonDType> {
    use Class::{Bool, Complex, Float, Signed, Text, Unsigned};
    if left == right {
        return Ok(left);
    }
    let refused = |why| Err(NoCommonDType { left: Side::Array(left), right, why });
    if !(left.computes() && right.computes()) {
        return refused(Why::Carried);
    }
    let wider = if left.bits() < right.bits() { right } else { left };
    match (left.class(), right.class()) {
        (Signed, Signed) | (Unsigned, Unsigned) | (Complex, Complex) => Ok(wider),
        // Of equal width there are only float16 and bfloat16.
        (Float, Float) if left.bits() == right.bits() => Ok(DType::F32),
        (Float, Float) => Ok(wider),
        (Float, Complex) | (Complex, Float) => {
            let parts = [left, right].contains(&DType::F64) || [left, right].contains(&DType::C128);
            Ok(if parts { DType::C128 } else { DType::C64 })
        }
        (Signed, Unsigned) => signed_for(left, right).map_or_else(|| refused(Why::NoInteger), Ok),
        (Unsigned, Signed) => signed_for(right, left).map_or_else(|| refused(Why::NoInteger), Ok),
        (Bool | Text, _) | (_, Bool | Text) | (Float | Complex, _) | (_, Float | Complex) => {
            refused(Why::Kinds)
        }
    }
}

/// The smallest signed type that holds a signed and an unsigned one.
fn signed_for(signed: DType, unsigned: DType) -> Option<DType> {
    let enough = |dtype: &DType| dtype.bits() >= signed.bits() && dtype.bits() > unsigned.bits();
    [DType::I8, DType::I16, DType::I32, DType::I64].into_iter().find(enough)
}

/// The element type of an array with a scalar: the array's, if it holds such numbers.
///
/// ```
/// use ndcast::{DType, promote::{Scalar, with_scalar}};
/// assert_eq!(with_scalar(DType::F16, Scalar::Int), Ok(DType::F16));
/// assert_eq!(with_scalar(DType::F32, Scalar::Complex), Ok(DType::C64));
/// assert!(with_scalar(DType::I32, Scalar::Float).is_err());
/// ```
///
/// # Errors
/// If the standard leaves it undefined, or there is no arithmetic on the array's type.
pub fn with_scalar(array: DType, scalar: Scalar) -> Result<DType, NoCommonDType> {
    let refused = |why| Err(NoCommonDType { left: Side::Scalar(scalar), right: array, why });
    if !array.computes() {
        return refused(Why::Carried);
    }
    match (scalar, array.class()) {
        (Scalar::Bool, Class::Bool)
        | (Scalar::Int, Class::Signed | Class::Unsigned)
        | (Scalar::Int | Scalar::Float, Class::Float | Class::Complex)
        | (Scalar::Complex, Class::Complex) => Ok(array),
        (Scalar::Complex, Class::Float) => Ok(if array == DType::F64 { DType::C128 } else { DType::C64 }),
        _ => refused(Why::Kinds),
    }
}

/// Checks that an array of a type, which it keeps, can take elements of another.
///
/// ```
/// use ndcast::{DType, promote::fits};
/// assert!(fits(DType::F32, DType::F64).is_ok());
/// assert!(fits(DType::F64, DType::F32).is_err());
/// ```
///
/// # Errors
/// If their common type is not the one that is kept, or there is none.
pub fn fits(found: DType, kept: DType) -> Result<(), NoCommonDType> {
    if found == kept {
        return Ok(());
    }
    stays(promote(kept, found), Side::Array(found), kept)
}

/// Checks that an array of a type, which it keeps, can take a number.
///
/// # Errors
/// If it would become another type with such a number.
pub fn scalar_fits(found: Scalar, kept: DType) -> Result<(), NoCommonDType> {
    if !kept.computes() {
        return Ok(());
    }
    stays(with_scalar(kept, found), Side::Scalar(found), kept)
}

/// Whether the common type is the one that is kept; why it is another does not matter to whom keeps it.
fn stays(common: Result<DType, NoCommonDType>, found: Side, kept: DType) -> Result<(), NoCommonDType> {
    match common {
        Ok(common) if common == kept => Ok(()),
        Err(error) if error.why == Why::Carried => Err(error),
        _ => Err(NoCommonDType { left: found, right: kept, why: Why::Kept }),
    }
}

/// The element type of operands in a graph dialect: all must have the same.
///
/// ```
/// use ndcast::{DType, promote::same};
/// assert_eq!(same(&[DType::F32, DType::F32]), Ok(Some(DType::F32)));
/// assert!(same(&[DType::F32, DType::F64]).is_err());
/// ```
///
/// # Errors
/// The first that differs from the one before it.
pub fn same(dtypes: &[DType]) -> Result<Option<DType>, NoCommonDType> {
    match dtypes.windows(2).find(|pair| pair[0] != pair[1]) {
        Some(pair) => Err(NoCommonDType { left: Side::Array(pair[0]), right: pair[1], why: Why::Strict }),
        None => Ok(dtypes.first().copied()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of the standard, and what they leave out.
    #[test]
    fn the_standards_tables() {
        let dtype = |name: &str| name.parse::<DType>().unwrap();
        for (row, columns) in [
            ("i8", ["i8", "i16", "i32", "i64", "i16", "i32", "i64", "-"]),
            ("i16", ["i16", "i16", "i32", "i64", "i16", "i32", "i64", "-"]),
            ("i32", ["i32", "i32", "i32", "i64", "i32", "i32", "i64", "-"]),
            ("i64", ["i64", "i64", "i64", "i64", "i64", "i64", "i64", "-"]),
            ("u8", ["i16", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]),
            ("u16", ["i32", "i32", "i32", "i64", "u16", "u16", "u32", "u64"]),
            ("u32", ["i64", "i64", "i64", "i64", "u32", "u32", "u32", "u64"]),
            ("u64", ["-", "-", "-", "-", "u64", "u64", "u64", "u64"]),
        ] {
            for (column, common) in
                ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"].into_iter().zip(columns)
            {
                let expected = if common == "-" { None } else { Some(dtype(common)) };
                assert_eq!(promote(dtype(row), dtype(column)).ok(), expected, "{row} {column}");
            }
        }
        for (left, right, common) in [
            ("f32", "f64", Some("f64")),
            ("f32", "c64", Some("c64")),
            ("f64", "c64", Some("c128")),
            ("f32", "c128", Some("c128")),
            ("c64", "c128", Some("c128")),
            ("f16", "bf16", Some("f32")),
            ("bf16", "f32", Some("f32")),
            ("bf16", "c64", Some("c64")),
            ("bool", "i8", None),
            ("i32", "f32", None),
            ("i32", "c64", None),
            ("f8e4m3", "f32", None),
            ("u4", "u8", None),
            ("string", "f32", None),
        ] {
            assert_eq!(promote(dtype(left), dtype(right)).ok(), common.map(dtype), "{left} {right}");
        }
    }

    /// Order does not matter, nor how three are grouped where both ways are defined.
    #[test]
    fn laws() {
        for a in DType::all() {
            assert_eq!(promote(a, a), Ok(a));
            for b in DType::all() {
                assert_eq!(promote(a, b).ok(), promote(b, a).ok(), "{a} {b}");
                for c in DType::all() {
                    let left = promote(a, b).and_then(|ab| promote(ab, c)).ok();
                    let right = promote(b, c).and_then(|bc| promote(a, bc)).ok();
                    if let (Some(left), Some(right)) = (left, right) {
                        assert_eq!(left, right, "{a} {b} {c}");
                    }
                }
            }
        }
    }

    #[test]
    fn scalars_are_weak() {
        for dtype in DType::all() {
            for (scalar, classes) in [
                (Scalar::Bool, &[Class::Bool][..]),
                (Scalar::Int, &[Class::Signed, Class::Unsigned, Class::Float, Class::Complex]),
                (Scalar::Float, &[Class::Float, Class::Complex]),
                (Scalar::Complex, &[Class::Float, Class::Complex]),
            ] {
                let fits = dtype.computes() && classes.contains(&dtype.class());
                assert_eq!(with_scalar(dtype, scalar).is_ok(), fits, "{scalar} {dtype}");
            }
        }
    }
}
