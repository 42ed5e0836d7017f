//! The bytes of protocol buffers: numbered fields, one behind the other.

use crate::error::Error;

/// A field's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'b> {
    /// An integer of any length.
    Varint(u64),
    /// Eight bytes.
    Fixed64(u64),
    /// Four bytes.
    Fixed32(u32),
    /// A text, a message, or a list of numbers.
    Bytes(&'b [u8]),
}

/// The fields of a message that are not read yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'b>(pub(super) &'b [u8]);

fn wrong(what: &str) -> Error {
    Error::value(format!("it is no ONNX model: {what}"))
}

impl<'b> Fields<'b> {
    fn split(&mut self, count: usize) -> Result<&'b [u8], Error> {
        let (first, rest) =
            self.0.split_at_checked(count).ok_or_else(|| wrong("a field is longer than its message"))?;
        self.0 = rest;
        Ok(first)
    }

    pub(super) fn varint(&mut self) -> Result<u64, Error> {
        let mut number = 0u64;
        for place in 0..10 {
            let &[byte] = self.split(1)? else { break };
            number |= u64::from(byte & 0x7f).checked_shl(7 * place).unwrap_or(0);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(wrong("a number has more than ten bytes"))
    }

    pub(super) fn fixed32(&mut self) -> Result<u32, Error> {
        let bytes = self.split(4)?;
        Ok(u32::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    pub(super) fn fixed64(&mut self) -> Result<u64, Error> {
        let bytes = self.split(8)?;
        Ok(u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    /// The next field with its number, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Value<'b>)>, Error> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Varint(self.varint()?),
            1 => Value::Fixed64(self.fixed64()?),
            2 => {
                let count = self.varint()?;
                let count =
                    usize::try_from(count).map_err(|_| wrong("a field is longer than its message"))?;
                Value::Bytes(self.split(count)?)
            }
            5 => Value::Fixed32(self.fixed32()?),
            _ => return Err(wrong("a field is of no known kind")),
        };
        match key >> 3 {
            0 => Err(wrong("a field has the number 0")),
            number => Ok(Some((number, value))),
        }
    }
}

impl<'b> Value<'b> {
    pub(super) fn bytes(self) -> Result<&'b [u8], Error> {
        match self {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(wrong("a field is a number where bytes are expected")),
        }
    }

    pub(super) fn text(self) -> Result<&'b str, Error> {
        std::str::from_utf8(self.bytes()?).map_err(|_| wrong("a text is not UTF-8"))
    }

    pub(super) fn int(self) -> Result<i64, Error> {
        match self {
            Value::Varint(n) => Ok(n.cast_signed()),
            _ => Err(wrong("a field is no integer")),
        }
    }

    pub(super) fn float(self) -> Result<f32, Error> {
        match self {
            Value::Fixed32(bits) => Ok(f32::from_bits(bits)),
            _ => Err(wrong("a field is no number of four bytes")),
        }
    }

    /// Integers, one or packed.
    pub(super) fn ints(self, to: &mut Vec<u64>) -> Result<(), Error> {
        match self {
            Value::Varint(n) => to.push(n),
            Value::Bytes(bytes) => {
                let mut fields = Fields(bytes);
                while !fields.0.is_empty() {
                    to.push(fields.varint()?);
                }
            }
            _ => return Err(wrong("a field is no integers")),
        }
        Ok(())
    }

    /// Numbers of four bytes, one or packed.
    pub(super) fn floats(self, to: &mut Vec<f32>) -> Result<(), Error> {
        match self {
            Value::Fixed32(bits) => to.push(f32::from_bits(bits)),
            Value::Bytes(bytes) => {
                let mut fields = Fields(bytes);
                while !fields.0.is_empty() {
                    to.push(f32::from_bits(fields.fixed32()?));
                }
            }
            _ => return Err(wrong("a field is no numbers of four bytes")),
        }
        Ok(())
    }

    /// Numbers of eight bytes, one or packed.
    pub(super) fn doubles(self, to: &mut Vec<f64>) -> Result<(), Error> {
        match self {
            Value::Fixed64(bits) => to.push(f64::from_bits(bits)),
            Value::Bytes(bytes) => {
                let mut fields = Fields(bytes);
                while !fields.0.is_empty() {
                    to.push(f64::from_bits(fields.fixed64()?));
                }
            }
            _ => return Err(wrong("a field is no numbers of eight bytes")),
        }
        Ok(())
    }
}

/// A message as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push((number & 0x7f) as u8);
    }

    pub(super) fn int(&mut self, field: u64, value: i64) {
        self.number(field << 3);
        self.number(value.cast_unsigned());
    }

    pub(super) fn float(&mut self, field: u64, value: f32) {
        self.number(field << 3 | 5);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, field: u64, value: &[u8]) {
        self.number(field << 3 | 2);
        self.number(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    pub(super) fn text(&mut self, field: u64, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    pub(super) fn message(&mut self, field: u64, value: &Message) {
        self.bytes(field, &value.0);
    }
}
