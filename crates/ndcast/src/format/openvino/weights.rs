//! Elements as the `.bin` has them: little-endian, one constant behind the other, those of less than a byte packed.
//!
//! | bits | in a byte |
//! |---|---|
//! | 1 | 8, the first in the highest bit |
//! | 2, 4 | 4 or 2, the first in the lowest bits |
//! | 3, 6 | 8 or 4 in three bytes: their lower 2 or 4 bits, the first highest, then their upper ones |
//!
//! In memory each has a byte of its own; of signed ones the sign is filled up.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::layout::Layout;
use crate::tensor::Tensor;

/// Where constants are.
#[derive(Debug)]
pub(super) enum Weights<'w> {
    Memory(&'w [u8]),
    File {
        file: File,
        length: u64,
        path: PathBuf,
    },
    /// There is no such file.
    Missing(PathBuf),
}

impl Weights<'_> {
    fn length(&self) -> u64 {
        match self {
            Weights::Memory(bytes) => bytes.len() as u64,
            Weights::File { length, .. } => *length,
            Weights::Missing(_) => 0,
        }
    }

    /// Some of the bytes, which must be there.
    fn bytes(&mut self, offset: u64, size: u64, needed: usize) -> Result<Cow<'_, [u8]>, Error> {
        let length = self.length();
        let inside = offset.checked_add(size).is_some_and(|end| end <= length);
        if !inside && needed > 0 {
            let what = match self {
                Weights::Missing(path) => format!("there is no file {}", path.display()),
                _ => format!("there are {length}"),
            };
            return Err(Error::value(format!(
                "its elements are {size} bytes from byte {offset} on, and {what}"
            )));
        }
        match self {
            Weights::Memory(bytes) => {
                let first = usize::try_from(offset).unwrap_or(usize::MAX);
                Ok(Cow::Borrowed(bytes.get(first..first.saturating_add(needed)).unwrap_or_default()))
            }
            Weights::File { file, path, .. } => {
                let mut bytes = vec![0; needed];
                let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes));
                read.map_err(|error| Error::value(format!("{}: {error}", path.display())))?;
                Ok(Cow::Owned(bytes))
            }
            Weights::Missing(_) => Ok(Cow::Borrowed(&[])),
        }
    }

    /// The tensor of these elements.
    pub(super) fn tensor(
        &mut self,
        dtype: DType,
        shape: &[usize],
        offset: u64,
        size: u64,
    ) -> Result<Tensor, Error> {
        let count = Layout::row_major(shape)?.elements();
        let needed = packed_size(dtype, count)?;
        if size < needed as u64 {
            return Err(Error::value(format!(
                "{count} elements of {dtype} are {needed} bytes, and size is {size}"
            )));
        }
        let bytes = self.bytes(offset, size, needed)?;
        let bits = dtype.bits().unwrap_or(8);
        if bits < 8 {
            return Tensor::from_bytes(shape, dtype, &unpacked(&bytes, dtype, count));
        }
        let mut bytes = bytes;
        if dtype == DType::Bool && bytes.iter().any(|&byte| byte > 1) {
            bytes.to_mut().iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
        }
        in_order(&mut bytes, dtype);
        Tensor::from_bytes(shape, dtype, &bytes)
    }
}

/// Swaps between the file's little-endian byte order and the machine's.
fn in_order(bytes: &mut Cow<'_, [u8]>, dtype: DType) {
    if let (true, Some(size)) = (cfg!(target_endian = "big"), dtype.size()) {
        bytes.to_mut().chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
}

/// The packing group: how many elements, and how many bytes they share.
fn group(dtype: DType) -> Result<(usize, usize), Error> {
    let bits = dtype.bits().ok_or_else(|| Error::no_memory_form(dtype))?;
    Ok(match bits {
        1 => (8, 1),
        2 => (4, 1),
        3 => (8, 3),
        4 => (2, 1),
        6 => (4, 3),
        bits => (1, usize::try_from(bits / 8).unwrap_or(1)),
    })
}

/// The bytes of so many elements in the file.
fn packed_size(dtype: DType, count: usize) -> Result<usize, Error> {
    let (elements, bytes) = group(dtype)?;
    let size = count.div_ceil(elements).checked_mul(bytes);
    size.ok_or_else(|| Error::value(format!("{count} elements of {dtype} are too many")))
}

/// Where an element's bits are in its group, lowest first: up to two pieces, each (byte, shift, width).
fn parts(bits: u32, place: usize) -> [(usize, usize, u32); 2] {
    match bits {
        1 => [(0, 7 - place, 1), (0, 0, 0)],
        2 => [(0, 2 * place, 2), (0, 0, 0)],
        3 => [(place / 4, 6 - 2 * (place % 4), 2), (2, 7 - place, 1)],
        6 => [(place / 2, 4 - 4 * (place % 2), 4), (2, 6 - 2 * place, 2)],
        _ => [(0, 4 * place, 4), (0, 0, 0)],
    }
}

fn unpacked(packed: &[u8], dtype: DType, count: usize) -> Vec<u8> {
    let bits = dtype.bits().unwrap_or(8);
    let (elements, bytes) = group(dtype).unwrap_or((1, 1));
    let signed = dtype.class() == Class::Signed;
    let mut made = Vec::with_capacity(count);
    for (number, group) in packed.chunks(bytes).enumerate() {
        for place in 0..elements.min(count.saturating_sub(number * elements)) {
            let (mut code, mut have) = (0u8, 0);
            for (byte, shift, width) in parts(bits, place) {
                let part = (group.get(byte).copied().unwrap_or(0) >> shift) & ((1u8 << width) - 1);
                code |= part << have;
                have += width;
            }
            // The sign of an i4 is its fourth bit.
            let negative = signed && code >> (bits - 1) == 1;
            made.push(if negative { code | (0xff << bits) } else { code });
        }
    }
    made
}

/// A tensor's elements as the file has them.
pub(super) fn packed(tensor: &Tensor) -> Result<Vec<u8>, Error> {
    let dtype = tensor.dtype();
    let compact = crate::array::Array::from(tensor.clone()).copy().eval()?;
    let mut all = Cow::Borrowed(compact.as_bytes().unwrap_or_default());
    let bits = dtype.bits().unwrap_or(8);
    if bits >= 8 {
        in_order(&mut all, dtype);
        return Ok(all.into_owned());
    }
    let (elements, bytes) = group(dtype)?;
    let mut made = vec![0u8; packed_size(dtype, all.len())?];
    for (codes, group) in all.chunks(elements).zip(made.chunks_mut(bytes)) {
        for (place, &code) in codes.iter().enumerate() {
            let mut had = 0;
            for (byte, shift, width) in parts(bits, place) {
                group[byte] |= ((code >> had) & ((1u8 << width) - 1)) << shift;
                had += width;
            }
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What OpenVINO writes for these elements.
    #[test]
    fn elements_of_less_than_a_byte() {
        for (dtype, elements, bytes) in [
            (DType::U1, &[1u8, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1][..], &[0xb1u8, 0xa0][..]),
            (DType::U2, &[1, 2, 3, 0, 2], &[0x39, 0x02]),
            (DType::U3, &[1, 2, 3, 4, 5, 6, 7, 0, 5], &[0x6c, 0x6c, 0x1e, 0x40, 0x00, 0x80]),
            (DType::U6, &[1, 2, 3, 4, 60], &[0x12, 0x34, 0x00, 0xc0, 0x00, 0xc0]),
            (DType::U4, &[1, 2, 15], &[0x21, 0x0f]),
            (DType::I4, &[1, 0xfe, 3], &[0xe1, 0x03]),
            (DType::F4E2M1, &[1, 11, 7], &[0xb1, 0x07]),
            (DType::F8E8M0, &[0x7f, 0x80], &[0x7f, 0x80]),
            (DType::Bool, &[1, 0], &[1, 0]),
            (DType::I16, &[1, 2, 3, 4], &[1, 2, 3, 4]),
        ] {
            let count = if dtype == DType::I16 { 2 } else { elements.len() };
            let size = bytes.len() as u64;
            let read = Weights::Memory(bytes).tensor(dtype, &[count], 0, size).unwrap();
            assert_eq!(read.as_bytes(), Some(elements), "{dtype}");
            assert_eq!(packed(&read).unwrap(), bytes, "{dtype}");
        }
    }

    #[test]
    fn every_code_of_every_type_comes_back() {
        for dtype in [DType::U1, DType::U2, DType::U3, DType::U6, DType::U4, DType::Nf4, DType::I4] {
            let bits = dtype.bits().unwrap();
            let codes: Vec<u8> = (0..1u8 << bits)
                .map(|code| {
                    let negative = dtype == DType::I4 && code >= 8;
                    if negative { code | 0xf0 } else { code }
                })
                .chain([1])
                .collect();
            let tensor = Tensor::from_bytes(&[codes.len()], dtype, &codes).unwrap();
            let bytes = packed(&tensor).unwrap();
            let read = Weights::Memory(&bytes).tensor(dtype, &[codes.len()], 0, bytes.len() as u64).unwrap();
            assert_eq!(read.as_bytes(), Some(&codes[..]), "{dtype}");
        }
    }

    #[test]
    fn what_is_not_there_is_not_read() {
        for (shape, offset, size, part) in [
            (&[2][..], 0, 4, "2 elements of f32 are 8 bytes, and size is 4"),
            (&[2], 4, 8, "8 bytes from byte 4 on, and there are 10"),
            (&[2], u64::MAX, 8, "from byte 18446744073709551615 on"),
            (&[1 << 40, 1 << 40], 0, 8, ""),
            (&[1 << 40], 0, u64::MAX, "and there are 10"),
        ] {
            let error = Weights::Memory(&[0; 10]).tensor(DType::F32, shape, offset, size).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
        // A constant of nothing has a size of 1, wherever it is; and more may be given than is needed.
        assert_eq!(Weights::Memory(&[]).tensor(DType::F32, &[0], 7, 1).unwrap().elements(), 0);
        assert!(Weights::Memory(&[0; 10]).tensor(DType::F32, &[2], 1, 9).is_ok());
        let text = Weights::Memory(&[0; 10]).tensor(DType::String, &[2], 0, 10).unwrap_err().to_string();
        assert!(text.contains("string"), "{text}");
    }
}
