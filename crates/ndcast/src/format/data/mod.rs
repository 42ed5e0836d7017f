//! Files of tensors: `.npy`, `.npz` and `.safetensors`, which are known by how they begin and not by their names.
//!
//! Large elements are not read but mapped: they come from the file as somebody looks at them. A mapping is the process's own,
//! so what changes the tensor changes no file; but whoever cuts the file off while it is mapped ends the process, as
//! with every mapped file.

mod json;
mod npy;
mod npz;
mod safetensors;
mod source;
#[cfg(test)]
mod tests;
mod zip;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

pub use npy::write as write_npy;
pub use npz::{Packing, write as write_npz};
pub use safetensors::write as write_safetensors;
pub(crate) use source::Source;

use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::tensor::Tensor;

/// A tensor of a file, with its name there; that of an `.npy` file is empty.
pub type Named = (String, Tensor);

/// The tensors of a file, in its order.
///
/// ```
/// use ndcast::{Tensor, format::data};
/// let path = std::env::temp_dir().join(format!("ndcast-{}.npy", std::process::id()));
/// data::save(&path, &[(String::new(), Tensor::new(&[2], &[1.5, 2.5])?)])?;
/// let tensors = data::open(&path)?;
/// assert_eq!(tensors[0].1.to_vec::<f64>()?, [1.5, 2.5]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be read, is none of the formats, or says what is not so. The error holds the path.
pub fn open(path: impl AsRef<Path>) -> Result<Vec<Named>, Error> {
    let path = path.as_ref();
    let opened = || read_from(&Source::of_file(path)?);
    opened().map_err(|error| error.at(&path.display().to_string()))
}

/// The tensors of a file that is in memory.
///
/// # Errors
/// As [`open`].
pub fn read(bytes: &[u8]) -> Result<Vec<Named>, Error> {
    read_from(&Source::of_bytes(bytes))
}

fn read_from(source: &Source<'_>) -> Result<Vec<Named>, Error> {
    let first = source.bytes(0, source.len().min(9))?;
    if first.starts_with(npy::MAGIC) {
        return Ok(vec![(String::new(), npy::read(source, 0, source.len())?)]);
    }
    if first.starts_with(zip::LOCAL) || first.starts_with(zip::END) {
        return npz::read(source);
    }
    // Eight bytes of a length, then JSON.
    if first.get(8) == Some(&b'{') {
        return safetensors::read(source);
    }
    Err(Error::value("it does not begin as an .npy, .npz or .safetensors file does".to_owned()))
}

/// Writes tensors as the path's ending says: `.npy` (one, without a name), `.npz` or `.safetensors`.
///
/// The file is written aside first, so that none is there by half.
///
/// # Errors
/// If the ending is another, there is not just one tensor for an `.npy` file, the format does not have an element type, or
/// the file cannot be written.
pub fn save(path: impl AsRef<Path>, tensors: &[Named]) -> Result<(), Error> {
    let path = path.as_ref();
    let written = || {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match (ending, tensors) {
            ("npy", [(_, tensor)]) => aside(path, &|to| npy::write(to, tensor)),
            ("npy", _) => {
                let count = tensors.len();
                Err(Error::value(format!("an .npy file has one tensor, and there are {count}")))
            }
            ("npz", _) => aside(path, &|to| npz::write(to, tensors, Packing::Stored)),
            ("safetensors", _) => aside(path, &|to| safetensors::write(to, tensors)),
            (other, _) => {
                let text = format!("its ending is .npy, .npz or .safetensors, and not {other:?}");
                Err(Error::value(text))
            }
        }
    };
    written().map_err(|error| error.at(&path.display().to_string()))
}

/// Writes a file beside the path, and puts it there when it is whole.
pub(crate) fn aside(path: &Path, write: &dyn Fn(&mut dyn Write) -> Result<(), Error>) -> Result<(), Error> {
    let name = path.file_name().ok_or_else(|| Error::value("the path names no file".to_owned()))?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(beside);
    let made = || {
        let mut to = BufWriter::new(File::create(&beside)?);
        write(&mut to)?;
        to.flush()?;
        drop(to);
        Ok(std::fs::rename(&beside, path)?)
    };
    made().inspect_err(|_| {
        // What is left of it is nobody's; that there may be nothing does not matter.
        let _ = std::fs::remove_file(&beside);
    })
}

/// A tensor as a program wants its elements: files hold bf16 as what has its bits or as f32, and the 8-bit floats
/// likewise.
///
/// # Errors
/// If the element type is another, and is not how files hold the wanted one.
pub fn fitting(tensor: Tensor, wanted: DType) -> Result<Tensor, Error> {
    let found = tensor.dtype();
    if found == wanted {
        return Ok(tensor);
    }
    let carried = !wanted.computes() || matches!(wanted, DType::Bf16 | DType::F16);
    let array = Array::from(tensor);
    match (found, wanted.size()) {
        (DType::U16, Some(2)) if wanted == DType::Bf16 => bits(&array, wanted),
        (DType::U8, Some(1)) if !wanted.computes() => bits(&array, wanted),
        (DType::F32, Some(_)) if carried && wanted.class() == found.class() => array.convert(wanted).eval(),
        _ => Err(Error::other_type(found, wanted)),
    }
}

/// The same bytes as elements of another type.
fn bits(array: &Array, dtype: DType) -> Result<Tensor, Error> {
    let tensor = array.copy().eval()?;
    Tensor::from_bytes(tensor.shape(), dtype, tensor.as_bytes().unwrap_or_default())
}
