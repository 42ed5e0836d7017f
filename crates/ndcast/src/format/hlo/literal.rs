//! Constants: a number, or lists within lists in curly brackets.

use crate::array::Number;
use crate::dtype::Class;
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
    // `nan(0x7ff)` says which.
    if text.ends_with("nan") && c.rest().starts_with('(') {
        c.balanced()?;
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
