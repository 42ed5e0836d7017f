//! Constants: `dense<..>` in every spelling (one element for all, nested lists, bits in hexadecimal, a block of bytes), and
//! `dense_resource<..>`, whose bytes stand at the end of the file.
//!
//! No more memory is asked for than the text is long: one element for all stays one element. Floats are spelled as MLIR
//! wants them, so `1` and `inf` are none.

use super::attribute::Aliases;
use super::types;
use crate::array::Number;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::program::elements::{Elements, count, nested};
use crate::format::program::{Cursor, Literal, Type};
use crate::tensor::Tensor;

/// A constant and its type, which stands behind it.
pub(super) fn read(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<(Literal, Type), Error> {
    let resource = c.eat("dense_resource");
    if !resource {
        c.expect("dense")?;
    }
    let start = c.start();
    c.balanced()?;
    c.expect(":")?;
    let place = c.place();
    let type_ = types::read(c, aliases)?;
    let end = c.mark();
    let (dtype, shape) = match &type_ {
        Type::Tensor(tensor) => match tensor.shape.extents() {
            Some(shape) => (tensor.dtype, shape),
            None => return Err(place.wrong("the extents of a constant are numbers")),
        },
        Type::Other(text) => return Err(place.wrong(format!("there are no elements of {text} here"))),
        _ => return Err(place.wrong("a constant is a tensor")),
    };
    c.back(start);
    c.expect("<")?;
    let place = c.place();
    let elements = if resource {
        let name = c.name()?;
        let digits = aliases.resources.get(name);
        let digits = digits.ok_or_else(|| place.wrong(format!("the file has no bytes called {name}")))?;
        // The first four bytes say how the others lie in memory.
        let bytes = digits.get(8..).unwrap_or_default();
        blob(bytes, dtype, &shape).map_err(|error| place.of(error))?
    } else if c.sees("\"") {
        let text = c.raw_string()?;
        let digits = text.strip_prefix("0x").ok_or_else(|| place.wrong("bytes begin with 0x"))?;
        blob(digits, dtype, &shape).map_err(|error| place.of(error))?
    } else {
        list(c, dtype, &shape)?
    };
    c.expect(">")?;
    c.back(end);
    Ok((Literal { elements, shape }, type_))
}

/// Nothing, one element for all, or lists within lists as deep as there are axes.
fn list(c: &mut Cursor<'_>, dtype: DType, shape: &[usize]) -> Result<Tensor, Error> {
    let place = c.place();
    let mut elements = Elements::new(dtype);
    if c.sees(">") {
        if count(shape) != Some(0) {
            return Err(place.wrong("there is no element, and the shape has some"));
        }
        return elements.tensor(shape);
    }
    if !c.sees("[") {
        element(c, &mut elements)?;
        return elements.tensor(&[]).map_err(|error| place.of(error));
    }
    nested(c, ["[", "]"], shape, &mut elements, element)?;
    elements.tensor(shape).map_err(|error| place.of(error))
}

/// One element: a number, truth value, or pair of parts.
fn element(c: &mut Cursor<'_>, elements: &mut Elements) -> Result<(), Error> {
    if c.eat("(") {
        let place = c.place();
        for close in [",", ")"] {
            number(c, elements)?;
            c.expect(close)?;
        }
        return if elements.is_complex() { Ok(()) } else { Err(place.wrong("these are no complex numbers")) };
    }
    if elements.is_complex() {
        return Err(c.expected("a complex number, as in `(1.0,2.0)`,"));
    }
    number(c, elements)
}

fn number(c: &mut Cursor<'_>, elements: &mut Elements) -> Result<(), Error> {
    let (mark, place) = (c.start(), c.place());
    let class = elements.part().class();
    if class == Class::Bool && (c.sees("true") || c.sees("false")) {
        let truth = c.eat("true");
        c.eat("false");
        return elements.push(Number::Bool(truth));
    }
    let minus = c.eat("-");
    if c.rest().starts_with("0x") && !minus {
        c.step();
        c.step();
        let digits = c.run(|c| c.is_ascii_hexdigit());
        let bits = u64::from_str_radix(digits, 16);
        let bits = bits.map_err(|_| place.wrong("there are one to 16 hexadecimal digits behind 0x"))?;
        return elements.push_bits(bits).map_err(|error| place.of(error));
    }
    let digits = c.run(|c| c.is_ascii_digit());
    let whole = !digits.is_empty();
    let mut dot = false;
    if whole && c.rest().starts_with('.') {
        dot = true;
        c.step();
        c.run(|c| c.is_ascii_digit());
        if c.rest().starts_with(['e', 'E']) {
            c.step();
            if c.rest().starts_with(['+', '-']) {
                c.step();
            }
            c.run(|c| c.is_ascii_digit());
        }
    }
    let text = c.since(mark);
    let number = match (class, dot) {
        (Class::Float, true) => text.parse().ok().map(Number::Float),
        (Class::Float, false) => None,
        (_, false) => text.parse().ok().map(Number::Int),
        (_, true) => None,
    };
    let Some(number) = number else {
        c.back(mark);
        return Err(c.expected(match class {
            Class::Float => "a float, with a dot in it or as 0x and its bits,",
            Class::Bool => "a truth value",
            _ => "a whole number",
        }));
    };
    elements.push(number).map_err(|error| place.of(error))
}

/// Bytes in hexadecimal, the last byte of each element being the greatest: all elements, or one for all. Truth values are
/// a byte each in newer texts and a bit each in older ones: the length says which.
fn blob(digits: &str, dtype: DType, shape: &[usize]) -> Result<Tensor, Error> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let wrong = || Error::value("bytes are pairs of hexadecimal digits".to_owned());
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    for pair in digits.as_bytes().chunks(2) {
        let [high, low] = pair else { return Err(wrong()) };
        let (Some(high), Some(low)) = (digit(high), digit(low)) else { return Err(wrong()) };
        bytes.push(high << 4 | low);
    }
    let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
    let whole = count(shape);
    if dtype == DType::Bool {
        // All bits of the one byte say whether all are true.
        if bytes == [0xFF] {
            let splat = whole != Some(8);
            return if splat { Tensor::scalar(true) } else { Tensor::new(shape, &[true; 8]) };
        }
        if whole != Some(bytes.len()) && whole.map(|whole| whole.div_ceil(8)) == Some(bytes.len()) {
            let bit = |place: usize| bytes[place / 8] >> (place % 8) & 1 == 1;
            let all: Vec<bool> = (0..whole.unwrap_or(0)).map(bit).collect();
            return Tensor::new(shape, &all);
        }
    }
    let part = dtype.part().size().unwrap_or(1);
    if cfg!(target_endian = "big") {
        bytes.chunks_exact_mut(part).for_each(<[u8]>::reverse);
    }
    if dtype.bits().is_some_and(|bits| bits < 8) {
        let mut elements = Elements::new(dtype);
        let mask = (1u8 << dtype.bits().unwrap_or(8)) - 1;
        for byte in &bytes {
            elements.push_bits(u64::from(byte & mask))?;
        }
        return elements.tensor(if bytes.len() == 1 { &[] } else { shape });
    }
    let splat = bytes.len() == size && whole != Some(1);
    let found = bytes.len();
    Tensor::from_bytes(if splat { &[] } else { shape }, dtype, &bytes).map_err(|error| match whole {
        Some(whole) if whole.checked_mul(size) == Some(found) => error,
        _ => {
            let shape = ndcast_shape::Shape::from(shape);
            Error::value(format!(
                "there are {found} bytes for elements of type {dtype} and shape {}",
                shape.brief()
            ))
        }
    })
}
