//! The elements of a constant as they are read, one after the other: numbers, or the bits of numbers.

use super::Cursor;
use crate::array::Number;
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::tensor::Tensor;

/// Elements of one type, as bytes. Of a complex type they are parts of numbers.
pub(in crate::format) struct Elements {
    dtype: DType,
    bytes: Vec<u8>,
}

impl Elements {
    pub(in crate::format) fn new(dtype: DType) -> Elements {
        Elements { dtype, bytes: Vec::new() }
    }

    /// What one that is read is: the type, or that of a complex number's parts.
    pub(in crate::format) fn part(&self) -> DType {
        self.dtype.part()
    }

    pub(in crate::format) fn is_complex(&self) -> bool {
        self.dtype.class() == Class::Complex
    }

    /// A number, which the type must hold; a float is rounded.
    pub(in crate::format) fn push(&mut self, number: Number) -> Result<(), Error> {
        match (self.part(), number) {
            (DType::F64, Number::Float(n)) => self.bytes.extend(n.to_ne_bytes()),
            #[allow(clippy::cast_possible_truncation, reason = "rounded to the nearest")]
            (DType::F32, Number::Float(n)) => self.bytes.extend((n as f32).to_ne_bytes()),
            (DType::Bool, Number::Bool(truth)) => self.bytes.push(u8::from(truth)),
            (part, Number::Int(n)) if part.class() == Class::Bool => {
                let truth = u8::try_from(n).ok().filter(|&n| n < 2);
                let wrong = ErrorKind::Range { number: n, dtype: part, least: 0, greatest: 1 };
                self.bytes.push(truth.ok_or_else(|| Error::new(wrong))?);
            }
            (part, number) => {
                let tensor = number.tensor(part)?;
                self.bytes.extend(tensor.as_bytes().unwrap_or_default());
            }
        }
        Ok(())
    }

    /// An element by its bits, of which there may be no more than the type has.
    pub(in crate::format) fn push_bits(&mut self, bits: u64) -> Result<(), Error> {
        let part = self.part();
        let width = part.bits().unwrap_or(64);
        if width < 64 && bits >> width != 0 {
            return Err(Error::value(format!("0x{bits:X} has more bits than an element of type {part}")));
        }
        // Signed ones of less than a byte lie with their sign filled up.
        let filled = match part.class() {
            Class::Signed if width < 8 && bits >> (width - 1) == 1 => bits | u64::MAX << width,
            _ => bits,
        };
        let size = part.size().unwrap_or(8);
        let bytes = filled.to_le_bytes();
        if cfg!(target_endian = "big") {
            self.bytes.extend(bytes[..size].iter().rev());
        } else {
            self.bytes.extend(&bytes[..size]);
        }
        Ok(())
    }

    /// The tensor of this shape, which has so many elements.
    pub(in crate::format) fn tensor(self, shape: &[usize]) -> Result<Tensor, Error> {
        Tensor::from_bytes(shape, self.dtype, &self.bytes)
    }
}

/// How many elements a shape has, if that is a number.
pub(in crate::format) fn count(shape: &[usize]) -> Option<usize> {
    crate::layout::checked_count(shape).ok()
}

/// Lists within lists, as deep as there are axes and each as long as its axis. Of a shape without elements the lists may be
/// left out where they are empty.
pub(in crate::format) fn nested(
    c: &mut Cursor<'_>,
    [open, close]: [&str; 2],
    shape: &[usize],
    elements: &mut Elements,
    mut element: impl FnMut(&mut Cursor<'_>, &mut Elements) -> Result<(), Error>,
) -> Result<(), Error> {
    // How many there are so far in each of the lists that are open.
    let mut lists: Vec<usize> = Vec::new();
    loop {
        let place = c.place();
        if c.eat(open) {
            if lists.len() == shape.len() {
                return Err(
                    place.wrong(format!("lists lie deeper here than there are axes: {}", shape.len()))
                );
            }
            lists.push(0);
            if !c.sees(close) {
                continue;
            }
        } else if lists.len() == shape.len() {
            element(c, elements)?;
            *lists.last_mut().unwrap_or(&mut 0) += 1;
        } else {
            return Err(c.expected(&format!("`{open}`, because there are {} axes,", shape.len())));
        }
        // Behind an element, or a list that is closed.
        loop {
            let place = c.place();
            if c.eat(close) {
                let found = lists.pop().unwrap_or(0);
                let axis = lists.len();
                if shape.get(axis) != Some(&found) && count(shape) != Some(0) {
                    let extent = shape.get(axis).copied().unwrap_or(0);
                    return Err(
                        place.wrong(format!("the list has {found} elements, and axis {axis} has {extent}"))
                    );
                }
                match lists.last_mut() {
                    Some(outer) => *outer += 1,
                    None => return Ok(()),
                }
            } else if c.eat(",") {
                break;
            } else {
                return Err(c.expected(&format!("`,` or `{close}`")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_type_does_not_hold() {
        let push = |dtype, n| Elements::new(dtype).push(Number::Int(n)).unwrap_err();
        for (dtype, n) in [(DType::U8, -1), (DType::Bool, 2)] {
            let error = push(dtype, n);
            let is_it = matches!(error.kind(), ErrorKind::Range { number, dtype: of, .. } if (*number, *of) == (n, dtype));
            assert!(is_it, "{error}");
        }
        let error = Elements::new(DType::F16).push_bits(0x1_0000).unwrap_err().to_string();
        assert!(error.contains("0x10000 has more bits than an element of type f16"), "{error}");
        let mut small = Elements::new(DType::I4);
        small.push_bits(0xF).unwrap();
        small.push(Number::Int(-8)).unwrap();
        let error = small.push(Number::Int(8)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Range { number: 8, dtype: DType::I4, .. }), "{error}");
        let tensor = small.tensor(&[2]).unwrap();
        assert_eq!(tensor.as_bytes().unwrap(), [0xFF, 0xF8]);
    }
}
