//! `.npy`: NumPy's file of one array.
//!
//! A magic word, a version, the length of the header, the header as a literal of Python, the elements. Elements are those
//! of the machine's order of bytes where nothing else is said; others are turned round. `V2` is how bf16 is written,
//! which NumPy has no name for; `V1` may be any type of a byte, and is read as `u8`: see [`fitting`](super::fitting).
//!
//! Not here: fields, text, dates, and pickled objects, which would be programs.

use std::io::Write;

use super::source::{Source, bytes_of};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::tensor::Tensor;

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// What a header says.
#[derive(Debug, PartialEq)]
struct Header {
    descr: String,
    fortran: bool,
    shape: Vec<usize>,
}

/// A header is at most so long; NumPy's own are less than 200 bytes.
const MOST_HEADER: u64 = 1 << 16;

fn wrong(what: impl Into<String>) -> Error {
    Error::value(format!("the .npy header: {}", what.into()))
}

/// The array from this byte on, with so many in all.
pub(super) fn read(source: &Source<'_>, start: u64, count: u64) -> Result<Tensor, Error> {
    let head = source.bytes(start, count.min(12))?;
    if !head.starts_with(MAGIC) {
        return Err(wrong("it does not begin with \\x93NUMPY"));
    }
    let (length, before) = match *head {
        [_, _, _, _, _, _, 1, _, a, b, ..] => (u64::from(u16::from_le_bytes([a, b])), 10),
        [_, _, _, _, _, _, 2 | 3, _, a, b, c, d, ..] => (u64::from(u32::from_le_bytes([a, b, c, d])), 12),
        [_, _, _, _, _, _, 1..=3, ..] | [_, _, _, _, _, _] => return Err(wrong("the file ends within it")),
        [_, _, _, _, _, _, version, ..] => {
            return Err(wrong(format!("its version {version} is not 1, 2 or 3")));
        }
        _ => return Err(wrong("the file ends within it")),
    };
    if length > MOST_HEADER || before + length > count {
        return Err(wrong(format!(
            "it says it has {length} bytes, and there are {}",
            count - before.min(count)
        )));
    }
    let text = source.bytes(start + before, length)?;
    let text = std::str::from_utf8(&text).map_err(|_| wrong("it is no text"))?;
    let header = header(text)?;
    let (dtype, order) = element(&header.descr)?;
    let mut shape = header.shape.clone();
    if header.fortran {
        shape.reverse();
    }
    let (wanted, found) = (bytes_of(&shape, dtype)?, count - before - length);
    if wanted != found {
        let shape = ndcast_shape::Shape::from(&header.shape[..]);
        return Err(wrong(format!("{} of {dtype} have {wanted} bytes, and {found} follow", shape.brief())));
    }
    let at = start + before + length;
    let tensor = match order {
        Order::Own => source.tensor(at, &shape, dtype)?,
        Order::Other => {
            // Each part of a complex number is turned by itself.
            let size = dtype.part().size().unwrap_or(1);
            let mut bytes = source.bytes(at, wanted)?.into_owned();
            bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
            Tensor::from_bytes(&shape, dtype, &bytes)?
        }
    };
    if !header.fortran {
        return Ok(tensor);
    }
    let order: Vec<usize> = (0..shape.len()).rev().collect();
    tensor.transpose(&order)
}

/// Whether the bytes of a number lie as they do in this machine.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Own,
    Other,
}

/// NumPy's kinds and sizes.
const ELEMENTS: [(&str, DType); 17] = [
    ("b1", DType::Bool),
    ("i1", DType::I8),
    ("i2", DType::I16),
    ("i4", DType::I32),
    ("i8", DType::I64),
    ("u1", DType::U8),
    ("u2", DType::U16),
    ("u4", DType::U32),
    ("u8", DType::U64),
    ("f2", DType::F16),
    ("f4", DType::F32),
    ("f8", DType::F64),
    ("c8", DType::C64),
    ("c16", DType::C128),
    ("V2", DType::Bf16),
    ("V1", DType::U8),
    ("?", DType::Bool),
];

fn element(descr: &str) -> Result<(DType, Order), Error> {
    let (order, kind) = match descr.as_bytes().first() {
        Some(b'<') => ("<", &descr[1..]),
        Some(b'>') => (">", &descr[1..]),
        Some(b'|' | b'=') => ("=", &descr[1..]),
        _ => ("=", descr),
    };
    let found = ELEMENTS.iter().find(|(name, _)| *name == kind);
    let (_, dtype) = found.ok_or_else(|| {
        wrong(match kind.as_bytes().first() {
            Some(b'O') => "it holds pickled objects, which are programs and not read".to_owned(),
            Some(b'U' | b'S' | b'a') => format!("its elements {descr:?} are text, which is not read"),
            _ => format!("there is no element type {descr:?} here"),
        })
    })?;
    let other =
        (order == "<" && cfg!(target_endian = "big")) || (order == ">" && cfg!(target_endian = "little"));
    let turned = other && dtype.size() > Some(1);
    Ok((*dtype, if turned { Order::Other } else { Order::Own }))
}

/// A reader of the header's literal: a dictionary of three entries in any order.
struct Literal<'t>(&'t str);

impl<'t> Literal<'t> {
    fn space(&mut self) {
        self.0 = self.0.trim_start();
    }

    fn take(&mut self, wanted: char) -> bool {
        self.space();
        match self.0.strip_prefix(wanted) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), Error> {
        if self.take(wanted) {
            return Ok(());
        }
        let found: String = self.0.chars().take(12).collect();
        Err(wrong(format!("`{wanted}` is expected before {found:?}")))
    }

    fn text(&mut self) -> Result<&'t str, Error> {
        self.space();
        let quote = self.0.chars().next().filter(|quote| ['\'', '"'].contains(quote));
        let quote = quote.ok_or_else(|| wrong("a name in quotes is expected; fields are not read"))?;
        let inside = &self.0[1..];
        let (text, rest) = inside.split_once(quote).ok_or_else(|| wrong("a quote does not end"))?;
        if text.contains('\\') {
            return Err(wrong("a name has a backslash"));
        }
        self.0 = rest;
        Ok(text)
    }

    fn word(&mut self) -> &'t str {
        self.space();
        let end = self.0.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    fn extents(&mut self) -> Result<Vec<usize>, Error> {
        self.expect('(')?;
        let mut extents = Vec::new();
        loop {
            if self.take(')') {
                return Ok(extents);
            }
            let word = self.word();
            // What Python 2 wrote of large numbers.
            let number = word.strip_suffix('L').unwrap_or(word);
            let extent = number.parse().map_err(|_| {
                let rest = self.0.split([',', ')']).next().unwrap_or_default();
                wrong(format!("\"{word}{rest}\" is no extent"))
            })?;
            extents.push(extent);
            if !self.take(',') {
                self.expect(')')?;
                return Ok(extents);
            }
        }
    }
}

fn header(text: &str) -> Result<Header, Error> {
    let mut literal = Literal(text);
    let (mut descr, mut fortran, mut shape) = (None, None, None);
    literal.expect('{')?;
    while !literal.take('}') {
        let key = literal.text()?;
        literal.expect(':')?;
        let twice = match key {
            "descr" => descr.replace(literal.text()?.to_owned()).is_some(),
            "fortran_order" => {
                let order = match literal.word() {
                    "True" => true,
                    "False" => false,
                    other => return Err(wrong(format!("fortran_order is {other:?}"))),
                };
                fortran.replace(order).is_some()
            }
            "shape" => shape.replace(literal.extents()?).is_some(),
            other => return Err(wrong(format!("there is no entry {other:?}"))),
        };
        if twice {
            return Err(wrong(format!("there are two entries {key:?}")));
        }
        if !literal.take(',') {
            literal.expect('}')?;
            break;
        }
    }
    literal.space();
    if !literal.0.is_empty() {
        return Err(wrong("more follows its last brace"));
    }
    match (descr, fortran, shape) {
        (Some(descr), Some(fortran), Some(shape)) => Ok(Header { descr, fortran, shape }),
        _ => Err(wrong("it lacks descr, fortran_order or shape")),
    }
}

/// What NumPy calls an element type; those that it does not know are bytes to it.
fn descr(dtype: DType) -> Option<String> {
    let order = if cfg!(target_endian = "big") { '>' } else { '<' };
    let size = dtype.size()?;
    let found = ELEMENTS.iter().find(|(name, other)| *other == dtype && !name.starts_with('V'));
    Some(match found {
        Some((name, _)) if size > 1 => format!("{order}{name}"),
        Some((name, _)) => format!("|{name}"),
        // As ml_dtypes writes them.
        None => format!("{order}V{size}"),
    })
}

/// Writes a tensor as NumPy does: version 1, the elements on a multiple of 64.
///
/// # Errors
/// If there are elements of text, or they cannot be written.
pub fn write(to: &mut dyn Write, tensor: &Tensor) -> Result<(), Error> {
    to.write_all(&head(tensor.shape(), tensor.dtype())?)?;
    elements(to, tensor)
}

/// The elements, the last axis fastest.
pub(super) fn elements(to: &mut dyn Write, tensor: &Tensor) -> Result<(), Error> {
    match tensor.as_bytes() {
        Some(bytes) => to.write_all(bytes)?,
        None => {
            let compact = Array::from(tensor.clone()).copy().eval()?;
            to.write_all(compact.as_bytes().unwrap_or_default())?;
        }
    }
    Ok(())
}

/// All before the elements.
pub(super) fn head(shape: &[usize], dtype: DType) -> Result<Vec<u8>, Error> {
    let descr = descr(dtype).ok_or_else(|| Error::no_memory_form(dtype))?;
    let size = dtype.size().unwrap_or(1);
    let bytes = shape.iter().try_fold(size, |bytes, &extent| bytes.checked_mul(extent));
    if bytes.and_then(|bytes| i64::try_from(bytes).ok()).is_none() && !shape.contains(&0) {
        let shape = ndcast_shape::Shape::from(shape);
        return Err(Error::value(format!("no file is so large: {} {dtype}", shape.brief())));
    }
    let extents: Vec<String> = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let shape = match &extents[..] {
        [one] => one.trim_end().to_owned(),
        many => many.concat().trim_end_matches(", ").to_owned(),
    };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let length = |text: &str, before: usize| (before + text.len() + 1).next_multiple_of(64) - before;
    let (version, before) = if length(&text, 10) <= usize::from(u16::MAX) { (1, 10) } else { (2, 12) };
    let length = length(&text, before);
    text.extend(std::iter::repeat_n(' ', length - text.len() - 1));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([version, 0]);
    let length = u32::try_from(length).map_err(|_| wrong("it would be too long"))?.to_le_bytes();
    bytes.extend_from_slice(if version == 1 { &length[..2] } else { &length });
    bytes.extend_from_slice(text.as_bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_in_other_words() {
        let plain = || Header { descr: "<f4".to_owned(), fortran: false, shape: vec![3, 4] };
        for text in [
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }  \n",
            "{\"shape\":(3,4),'fortran_order':False,'descr':'<f4'}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L), }",
            " { 'shape' : ( 3 , 4 , ) , 'descr' : '<f4' , 'fortran_order' : False } ",
        ] {
            assert_eq!(header(text).unwrap(), plain(), "{text}");
        }
        for (text, message) in [
            ("", "`{` is expected before \"\""),
            ("{'descr': '<f4'", "`}` is expected"),
            ("{'descr': '<f4'}", "it lacks"),
            ("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "fields are not read"),
            ("{'descr': '<f4', 'descr': '<f4'}", "two entries \"descr\""),
            ("{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}", "fortran_order is \"Maybe\""),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "\"-1\" is no extent"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "is no extent"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': 3}", "`(` is expected"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", "more follows"),
            ("{'other': 1}", "there is no entry \"other\""),
            ("{'descr", "a quote does not end"),
        ] {
            let error = header(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
