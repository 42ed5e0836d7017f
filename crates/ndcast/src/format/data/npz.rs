//! `.npz`: an archive of `.npy` files.

use std::collections::HashSet;
use std::io::Write;

use super::source::Source;
use super::zip::{Content, Writer, content, members};
use super::{Named, npy};
use crate::array::Array;
use crate::error::Error;

/// Whether members are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As they are; they can be mapped.
    Stored,
    /// Deflated.
    Deflated,
}

pub(super) fn read(source: &Source<'_>) -> Result<Vec<Named>, Error> {
    let mut names = HashSet::new();
    let mut found = Vec::new();
    for member in members(source)? {
        let name = member.name.strip_suffix(".npy").unwrap_or(&member.name).to_owned();
        if !names.insert(name.clone()) {
            return Err(Error::value("there are two arrays of this name".to_owned()).at(&name));
        }
        let tensor = match content(source, &member) {
            Ok(Content::Stored(at)) => npy::read(source, at, member.size),
            Ok(Content::Packed(bytes)) => npy::read(&Source::of_bytes(&bytes), 0, member.size),
            Err(error) => Err(error),
        };
        found.push((name.clone(), tensor.map_err(|error| error.at(&name))?));
    }
    Ok(found)
}

/// Writes tensors by their names.
///
/// # Errors
/// If two have one name, there are elements of text, or it cannot be written.
pub fn write(to: &mut dyn Write, tensors: &[Named], packing: Packing) -> Result<(), Error> {
    let mut writer = Writer::new(to);
    let mut names = HashSet::new();
    for (name, tensor) in tensors {
        if !names.insert(name) {
            return Err(Error::value("there can be no two arrays of this name".to_owned()).at(name));
        }
        let head = npy::head(tensor.shape(), tensor.dtype()).map_err(|error| error.at(name))?;
        let compact;
        let elements = match tensor.as_bytes() {
            Some(bytes) => bytes,
            None => {
                compact = Array::from(tensor.clone()).copy().eval()?;
                compact.as_bytes().unwrap_or_default()
            }
        };
        let member = format!("{name}.npy");
        match packing {
            Packing::Stored => writer.stored(&member, &[&head, elements])?,
            Packing::Deflated => writer.deflated(&member, &[&head, elements])?,
        }
    }
    writer.finish()
}
