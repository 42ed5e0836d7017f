//! `.safetensors`: the length of a header, the header as JSON, the elements of all tensors one behind the other.
//!
//! What the format promises is checked: every byte behind the header belongs to exactly one tensor.

use std::collections::HashSet;
use std::io::Write;

use super::Named;
use super::json::{Json, Object, objects, quoted};
use super::npy::elements;
use super::source::{Source, bytes_of};
use crate::dtype::DType;
use crate::error::Error;

const ELEMENTS: [(&str, DType); 18] = [
    ("BOOL", DType::Bool),
    ("U8", DType::U8),
    ("I8", DType::I8),
    ("F8_E5M2", DType::F8E5M2),
    ("F8_E4M3", DType::F8E4M3),
    ("F8_E8M0", DType::F8E8M0),
    ("I16", DType::I16),
    ("U16", DType::U16),
    ("F16", DType::F16),
    ("BF16", DType::Bf16),
    ("I32", DType::I32),
    ("U32", DType::U32),
    ("F32", DType::F32),
    ("C64", DType::C64),
    ("F64", DType::F64),
    ("I64", DType::I64),
    ("U64", DType::U64),
    ("C128", DType::C128),
];

/// Under this name stand words about the file, and no tensor.
const METADATA: &str = "__metadata__";

/// The format's own limit.
const MOST_HEADER: u64 = 100_000_000;

/// A tensor's entry.
struct Entry {
    name: String,
    dtype: DType,
    shape: Vec<usize>,
    from: u64,
    to: u64,
}

pub(super) fn read(source: &Source<'_>) -> Result<Vec<Named>, Error> {
    let head = source.bytes(0, 8)?;
    let length = u64::from_le_bytes(head.as_ref().try_into().unwrap_or_default());
    if length > MOST_HEADER || length > source.len() - 8 {
        let found = source.len() - 8;
        return Err(Error::value(format!("the header is said to have {length} bytes, and {found} follow")));
    }
    let text = source.bytes(8, length)?;
    let text = std::str::from_utf8(&text).map_err(|_| Error::value("the header is no text".to_owned()))?;
    let mut entries = Vec::new();
    let mut names = HashSet::new();
    for (name, object) in objects(text)? {
        if !names.insert(name.clone()) {
            return Err(Error::value("the name is there twice".to_owned()).at(&name));
        }
        if name != METADATA {
            entries.push(entry(name.clone(), object).map_err(|error| error.at(&name))?);
        }
    }
    covered(&entries, source.len() - 8 - length)?;
    let tensor = |entry: Entry| {
        let tensor = source.tensor(8 + length + entry.from, &entry.shape, entry.dtype);
        Ok((entry.name.clone(), tensor.map_err(|error| error.at(&entry.name))?))
    };
    entries.into_iter().map(tensor).collect()
}

fn entry(name: String, object: Object) -> Result<Entry, Error> {
    let (mut dtype, mut shape, mut offsets) = (None, None, None);
    for (key, value) in object {
        match (key.as_str(), value) {
            ("dtype", Json::Text(text)) => {
                let found = ELEMENTS.iter().find(|(name, _)| *name == text);
                let found =
                    found.ok_or_else(|| Error::value(format!("there is no element type {text:?} here")))?;
                dtype = Some(found.1);
            }
            ("shape", Json::Numbers(numbers)) => {
                let extents = numbers.iter().map(|&extent| usize::try_from(extent).ok()).collect();
                shape = Some(Option::<Vec<usize>>::ok_or_else(extents, || {
                    Error::value("an extent is too large".to_owned())
                })?);
            }
            ("data_offsets", Json::Numbers(numbers)) => offsets = Some(numbers),
            (other, _) => return Err(Error::value(format!("there is no entry {other:?} of this kind"))),
        }
    }
    let (Some(dtype), Some(shape), Some([from, to])) = (dtype, shape, offsets.as_deref()) else {
        return Err(Error::value("it lacks dtype, shape or two data_offsets".to_owned()));
    };
    let wanted = bytes_of(&shape, dtype)?;
    if to.checked_sub(*from) != Some(wanted) {
        let shape = ndcast_shape::Shape::from(&shape[..]);
        return Err(Error::value(format!(
            "{} of {dtype} have {wanted} bytes, and the offsets are {from} and {to}",
            shape.brief()
        )));
    }
    Ok(Entry { name, dtype, shape, from: *from, to: *to })
}

/// Checks that the tensors lie one behind the other and are all that there is.
fn covered(entries: &[Entry], bytes: u64) -> Result<(), Error> {
    let mut order: Vec<&Entry> = entries.iter().collect();
    order.sort_by_key(|entry| (entry.from, entry.to));
    let mut end = 0;
    for entry in order {
        if entry.from != end {
            let text = format!("it begins at {}, and what lies before it ends at {end}", entry.from);
            return Err(Error::value(text).at(&entry.name));
        }
        end = entry.to;
    }
    if end != bytes {
        return Err(Error::value(format!(
            "the tensors have {end} bytes together, and {bytes} follow the header"
        )));
    }
    Ok(())
}

/// Writes tensors, each on a multiple of its elements' size.
///
/// # Errors
/// If two have one name, the format does not have an element type, or it cannot be written.
pub fn write(to: &mut dyn Write, tensors: &[Named]) -> Result<(), Error> {
    // The widest elements first, so that all begin where they may be looked at without a copy.
    let mut order: Vec<&Named> = tensors.iter().collect();
    order.sort_by_key(|(_, tensor)| std::cmp::Reverse(tensor.dtype().size()));
    let mut names = HashSet::new();
    let mut header = String::from("{");
    let mut end = 0;
    for (name, tensor) in &order {
        if name == METADATA {
            return Err(Error::value("this name is the format's own, and no tensor's".to_owned()).at(name));
        }
        if !names.insert(name) {
            return Err(Error::value("there can be no two tensors of this name".to_owned()).at(name));
        }
        let found = ELEMENTS.iter().find(|(_, dtype)| *dtype == tensor.dtype());
        let (dtype, _) = found.ok_or_else(|| {
            Error::value(format!(".safetensors has no elements of type {}", tensor.dtype())).at(name)
        })?;
        let from = end;
        end += bytes_of(tensor.shape(), tensor.dtype())?;
        let comma = if header.len() == 1 { "" } else { "," };
        let shape: Vec<String> = tensor.shape().iter().map(usize::to_string).collect();
        header.push_str(&format!(
            "{comma}{}:{{\"dtype\":\"{dtype}\",\"shape\":[{}],\"data_offsets\":[{from},{end}]}}",
            quoted(name),
            shape.join(",")
        ));
    }
    header.push('}');
    let length = header.len().next_multiple_of(8);
    header.extend(std::iter::repeat_n(' ', length - header.len()));
    to.write_all(&(length as u64).to_le_bytes())?;
    to.write_all(header.as_bytes())?;
    order.into_iter().try_for_each(|(_, tensor)| elements(to, tensor))
}
