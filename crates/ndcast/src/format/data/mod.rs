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
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use npy::write as write_npy;
pub use npz::{Packing, write as write_npz};
pub use safetensors::write as write_safetensors;
pub(crate) use source::Source;

use crate::array::Array;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::tensor::Tensor;

/// A tensor of a file, with its name there; that of an `.npy` file is empty.
pub type Named = (String, Tensor);

/// A format of files of tensors. A file's format is known by how it begins; its name decides only how it is written.
#[derive(Debug)]
pub struct Format {
    /// What people call it.
    pub name: &'static str,
    /// How the names of its files end, without the dot.
    pub ending: &'static str,
    begins: fn(&[u8]) -> bool,
    read: fn(&Source<'_>) -> Result<Vec<Named>, Error>,
    write: fn(&mut dyn Write, &[Named]) -> Result<(), Error>,
}

/// Every format of tensors.
pub const ALL: &[Format] = &[
    Format {
        name: "NumPy's array",
        ending: "npy",
        begins: |first| first.starts_with(npy::MAGIC),
        read: |source| Ok(vec![(String::new(), npy::read(source, 0, source.len())?)]),
        write: |to, tensors| match tensors {
            [(_, tensor)] => npy::write(to, tensor),
            many => {
                let count = many.len();
                Err(Error::value(format!("an .npy file has one tensor, and there are {count}")))
            }
        },
    },
    Format {
        name: "NumPy's archive of arrays",
        ending: "npz",
        begins: |first| first.starts_with(zip::LOCAL) || first.starts_with(zip::END),
        read: npz::read,
        write: |to, tensors| npz::write(to, tensors, Packing::Stored),
    },
    Format {
        name: "safetensors",
        ending: "safetensors",
        // Eight bytes of a length, then JSON.
        begins: |first| first.get(8) == Some(&b'{'),
        read: safetensors::read,
        write: safetensors::write,
    },
];

/// The tensors of a file, in its order.
///
/// Large tensors are mapped, and read when they are needed. So in an `.npz` file the CRC of a deflated member is
/// checked; that of a stored member, which may be larger than memory, is not.
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
/// If the file cannot be read, is none of the formats, or is inconsistent. The error holds the path.
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
    match ALL.iter().find(|format| (format.begins)(&first)) {
        Some(format) => (format.read)(source),
        None => Err(Error::value(format!("it does not begin as a file of {} does", endings()))),
    }
}

/// Writes tensors as the path's ending says: `.npy` (one, without a name), `.npz` or `.safetensors`.
///
/// The file is written under a temporary name and renamed, so it is never half written. A replaced file's permissions
/// are kept, and a symbolic link stays one.
///
/// # Errors
/// If the ending is another, there is not just one tensor for an `.npy` file, the format does not have an element type, or
/// the file cannot be written.
pub fn save(path: impl AsRef<Path>, tensors: &[Named]) -> Result<(), Error> {
    let path = path.as_ref();
    let format = of_ending(path)?;
    let written = aside(path, &mut |to| (format.write)(to, tensors));
    written.map_err(|error| error.at(&path.display().to_string()))
}

/// The format in which [`save`] writes a file, by the path's ending.
///
/// # Errors
/// If the ending is another.
pub fn of_ending(path: impl AsRef<Path>) -> Result<&'static Format, Error> {
    let path = path.as_ref();
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let found = ALL.iter().find(|format| format.ending.eq_ignore_ascii_case(ending));
    found.ok_or_else(|| {
        let error = Error::value(format!("a file of tensors ends in {}", endings()));
        error.at(&path.display().to_string())
    })
}

/// Writes an array to an `.npy` file as it is computed, part by part, so that it may be larger than memory.
///
/// ```
/// use ndcast::{Array, DType, format::data};
/// let path = std::env::temp_dir().join(format!("ndcast-parts-{}.npy", std::process::id()));
/// data::save_in_parts(&path, &(Array::iota(3, DType::I32) * 2))?;
/// assert_eq!(data::open(&path)?[0].1.to_vec::<i32>()?, [0, 2, 4]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Array::in_parts`]; or if the format does not have the element type, or the file cannot be written, with the path.
pub fn save_in_parts(path: impl AsRef<Path>, array: &Array) -> Result<(), Error> {
    let path = path.as_ref();
    let written = || {
        let head = npy::head(array.shape()?, array.dtype()?)?;
        aside(path, &mut |to| {
            to.write_all(&head)?;
            array.in_parts(&mut |part| npy::elements(to, part))
        })
    };
    written().map_err(|error| error.at(&path.display().to_string()))
}

/// The endings of all formats: `.npy, .npz or .safetensors`.
fn endings() -> String {
    let all: Vec<String> = ALL.iter().map(|format| format!(".{}", format.ending)).collect();
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => all.concat(),
    }
}

/// Writes a temporary file beside the path and renames it when it is complete: onto the target of a link, with the
/// permissions that the old file had.
pub(crate) fn aside(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    let there = path.canonicalize().ok().filter(|path| path.is_file());
    let permissions = there.as_ref().and_then(|path| Some(std::fs::metadata(path).ok()?.permissions()));
    let path = there.as_deref().unwrap_or(path);
    let name = path.file_name().ok_or_else(|| Error::value("the path names no file".to_owned()))?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    // Several threads may write to one path; whose file is put there last stays.
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    beside.push(format!(".{}.{number}.part", std::process::id()));
    let beside = path.with_file_name(beside);
    let unfinished = Unfinished::new(&beside);
    let mut made = || {
        let file = File::create(&beside)?;
        if let Some(permissions) = permissions.clone() {
            // Where there are none to be set, there are none to be kept.
            let _ = file.set_permissions(permissions);
        }
        let mut to = BufWriter::new(file);
        write(&mut to)?;
        to.flush()?;
        drop(to);
        Ok(std::fs::rename(&beside, path)?)
    };
    let result = made().inspect_err(|_| {
        // What is left of it is nobody's; that there may be nothing does not matter.
        let _ = std::fs::remove_file(&beside);
    });
    drop(unfinished);
    result
}

/// The files that are written aside now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    // Whoever holds it changes it in one step.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is written aside, as long as this lives.
struct Unfinished<'p>(&'p Path);

impl Unfinished<'_> {
    fn new(path: &Path) -> Unfinished<'_> {
        unfinished().push(path.to_owned());
        Unfinished(path)
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        unfinished().retain(|path| path != self.0);
    }
}

/// Removes the files that are written aside at this moment, for a program that is about to end because it was interrupted.
/// What writes them fails, or goes on writing what has no name any more.
pub fn remove_unfinished() {
    for path in unfinished().iter() {
        // It may have been put in its place meanwhile.
        let _ = std::fs::remove_file(path);
    }
}

/// A tensor in the element type that an input declares: files may hold bf16 and 8-bit floats as integers of the same
/// bits, or as f32.
///
/// # Errors
/// If the element type is another, and is not how files hold the wanted one: with the input's name.
pub fn fitting(input: &str, tensor: Tensor, wanted: DType) -> Result<Tensor, Error> {
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
        _ => {
            let name = input.to_owned();
            Err(Error::new(ErrorKind::InputType { name, declared: wanted, given: found }))
        }
    }
}

/// The same bytes as elements of another type.
fn bits(array: &Array, dtype: DType) -> Result<Tensor, Error> {
    let tensor = array.copy().eval()?;
    Tensor::from_bytes(tensor.shape(), dtype, tensor.as_bytes().unwrap_or_default())
}
