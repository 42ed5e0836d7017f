//! Bytes of a file, of which only what is asked for is read; and large tensors as they lie in it, mapped.

// A file is mapped into memory.
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use memmap2::{MmapMut, MmapOptions};

use crate::buffer::{Buffer, Foreign};
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::Layout;
use crate::tensor::Tensor;

/// A file, or what of one is in memory.
pub(crate) enum Source<'b> {
    File(File, u64),
    Bytes(&'b [u8]),
}

/// Smaller tensors are read instead of mapped, which is faster.
const MAPPED: u64 = 1 << 16;

/// A part of a file as memory of the process's own: what is written there goes into no file.
struct Mapped(MmapMut);

impl Foreign for Mapped {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl fmt::Debug for Mapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of a file", self.0.len())
    }
}

impl<'b> Source<'b> {
    pub(crate) fn of_file(path: &Path) -> Result<Source<'static>, Error> {
        let file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.is_dir() {
            return Err(Error::value("it is a folder".to_owned()));
        }
        if meta.is_file() {
            return Ok(Source::File(file, meta.len()));
        }
        Err(Error::value("it is no file of which the size is known".to_owned()))
    }

    pub(super) fn of_bytes(bytes: &'b [u8]) -> Source<'b> {
        Source::Bytes(bytes)
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Source::File(_, len) => *len,
            Source::Bytes(bytes) => bytes.len() as u64,
        }
    }

    /// Checks that so many bytes are there.
    fn check(&self, start: u64, count: u64) -> Result<usize, Error> {
        let end = start.checked_add(count).filter(|&end| end <= self.len());
        let end_in = end.and_then(|_| usize::try_from(count).ok());
        end_in.ok_or_else(|| {
            let len = self.len();
            Error::value(format!("{count} bytes are said to be at {start}, and the file has {len}"))
        })
    }

    /// Some of its bytes.
    pub(crate) fn bytes(&self, start: u64, count: u64) -> Result<Cow<'_, [u8]>, Error> {
        let wanted = self.check(start, count)?;
        match self {
            Source::Bytes(bytes) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX);
                Ok(Cow::Borrowed(bytes.get(start..start + wanted).unwrap_or_default()))
            }
            Source::File(file, _) => {
                let mut file = file;
                file.seek(SeekFrom::Start(start))?;
                let mut bytes = Vec::new();
                file.take(count).read_to_end(&mut bytes)?;
                if bytes.len() != wanted {
                    return Err(Error::value("the file became shorter while it was read".to_owned()));
                }
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// A tensor whose elements lie here, the last axis fastest, in this machine's order of bytes.
    pub(crate) fn tensor(&self, start: u64, shape: &[usize], dtype: DType) -> Result<Tensor, Error> {
        let count = bytes_of(shape, dtype)?;
        self.check(start, count)?;
        if let Source::File(file, _) = self
            && count >= MAPPED
            // Truth values must be 0 or 1, and stay so: they are read and checked.
            && dtype != DType::Bool
            && let Some(tensor) = mapped(file, start, shape, dtype, count)?
        {
            return Ok(tensor);
        }
        Tensor::from_bytes(shape, dtype, &self.bytes(start, count)?)
    }
}

/// How many bytes a tensor has.
pub(super) fn bytes_of(shape: &[usize], dtype: DType) -> Result<u64, Error> {
    let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
    let elements = Layout::row_major(shape)?.elements();
    let bytes = elements.checked_mul(size).and_then(|bytes| u64::try_from(bytes).ok());
    bytes.ok_or_else(|| Error::value("it has more bytes than can be addressed".to_owned()))
}

/// The tensor as a mapping; `None` if its elements do not begin on a multiple of their size.
fn mapped(
    file: &File,
    start: u64,
    shape: &[usize],
    dtype: DType,
    count: u64,
) -> Result<Option<Tensor>, Error> {
    if !start.is_multiple_of(dtype.size().unwrap_or(1).max(1) as u64) {
        return Ok(None);
    }
    let Ok(len) = usize::try_from(count) else { return Ok(None) };
    let mut options = MmapOptions::new();
    options.offset(start).len(len);
    // SAFETY: the mapping is private, so nothing that we write is seen elsewhere, and every bit pattern is an element of
    // the types that are mapped (no truth values). What others write to the file meanwhile may be seen, or not, as other
    // numbers; that is said in the module's documentation, with what happens if the file is cut off.
    let map = unsafe { options.map_copy(file) };
    match map {
        Ok(map) => Ok(Some(Tensor::of_buffer(Buffer::of_foreign(Mapped(map)), shape, dtype)?)),
        // Some file systems cannot map; all can be read.
        Err(_) => Ok(None),
    }
}
