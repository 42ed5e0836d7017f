//! Constants: a number, or lists within lists in curly brackets.

use crate::array::Number;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::program::elements::{Elements, nested};
use crate::format::program::{Cursor, Place, Type};
use crate::tensor::Tensor;

/// `({ { 1, -2.5, inf }, { nan, -inf, 1e-3 } })` of a type.
pub(super) fn read(
    c: &mut Cursor<'_>,
    type_: Option<&Type>,
    place: Place,
) -> Result<(Tensor, Vec<usize>), Error> {
    let (dtype, shape) = match type_ {
        Some(Type::Tensor(tensor)) => match tensor.shape.extents() {
            Some(shape) => (tensor.dtype, shape),
            None => return Err(place.wrong("the extents of a constant are numbers")),
        },
        Some(Type::Other(text)) => return Err(place.wrong(format!("there are no elements of {text} here"))),
        _ => return Err(place.wrong("a constant is an array")),
    };
    c.expect("(")?;
    let at = c.place();
    if c.eat("{...}") {
        return Err(at.wrong("the elements of the constant were left out when the text was written"));
    }
    let mut elements = Elements::new(dtype);
    if shape.is_empty() {
        element(c, &mut elements)?;
    } else {
        nested(c, ["{", "}"], &shape, &mut elements, element)?;
    }
    c.expect(")")?;
    Ok((elements.tensor(&shape).map_err(|error| at.of(error))?, shape))
}

fn element(c: &mut Cursor<'_>, elements: &mut Elements) -> Result<(), Error> {
    if !elements.is_complex() {
        return number(c, elements);
    }
    for close in ["(", ",", ")"] {
        c.expect(close)?;
        if close != ")" {
            number(c, elements)?;
        }
    }
    Ok(())
}

fn number(c: &mut Cursor<'_>, elements: &mut Elements) -> Result<(), Error> {
    let (mark, place) = (c.start(), c.place());
    let class = elements.part().class();
    c.run(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
    let text = c.since(mark);
    if text.ends_with("nan") && c.rest().starts_with('(') {
        return not_a_number(c, text.starts_with('-'), elements);
    }
    let number = match (class, text) {
        (Class::Bool, "true") => Some(Number::Bool(true)),
        (Class::Bool, "false") => Some(Number::Bool(false)),
        (Class::Float, _) => text.parse().ok().map(Number::Float),
        (_, _) => text.parse().ok().map(Number::Int),
    };
    let Some(number) = number else {
        c.back(mark);
        return Err(c.expected(&format!("an element of type {}", elements.part())));
    };
    elements.push(number).map_err(|error| place.of(error))
}

/// How many bits a float's mantissa has, if its type has many NaN.
pub(super) fn mantissa(dtype: DType) -> Option<u32> {
    match dtype {
        DType::F64 => Some(52),
        DType::F32 => Some(23),
        DType::F16 => Some(10),
        DType::Bf16 => Some(7),
        DType::F8E5M2 => Some(2),
        _ => None,
    }
}

/// What stands behind `nan`: `(0x400001)`, the mantissa of one of many.
fn not_a_number(c: &mut Cursor<'_>, negative: bool, elements: &mut Elements) -> Result<(), Error> {
    c.expect("(")?;
    let (mark, place) = (c.start(), c.place());
    c.run(|c| c.is_ascii_alphanumeric());
    let digits = c.since(mark).strip_prefix("0x");
    let payload = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let payload = payload.ok_or_else(|| place.wrong("which NaN it is is a number as in `nan(0x400001)`"))?;
    c.expect(")")?;
    let part = elements.part();
    let (Some(width), Some(bits)) = (mantissa(part), part.bits()) else {
        return elements.push(Number::Float(f64::NAN.copysign(if negative { -1.0 } else { 1.0 })));
    };
    if payload == 0 || payload >> width != 0 {
        let text = format!("0x{payload:x} is no NaN of type {part}, whose mantissa has {width} bits");
        return Err(place.wrong(text));
    }
    // All of the exponent's bits are ones.
    let exponent = ((1u64 << (bits - 1)) - 1) >> width << width;
    let sign = if negative { 1 << (bits - 1) } else { 0 };
    elements.push_bits(sign | exponent | payload)
}
