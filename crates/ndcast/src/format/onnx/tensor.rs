//! Tensors of a model: in one of the fields for numbers, as bytes, or in a file beside the model.

use std::path::{Component, Path, PathBuf};

use num_complex::Complex;

use super::proto::Tensor as Proto;
use crate::dialect::onnx as door;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::format::data::Source;
use crate::layout::Layout;
use crate::tensor::Tensor;

/// The tensor of a message.
pub(super) fn tensor(proto: &Proto<'_>, folder: Option<&Path>) -> Result<Tensor, Error> {
    let dtype = door::dtype(proto.dtype)?;
    let extent = |&extent: &u64| {
        // The file's integers have a sign.
        let extent = extent.cast_signed();
        let wrong = || Error::value(format!("the shape has the extent {extent}, and none is negative"));
        usize::try_from(extent).map_err(|_| wrong())
    };
    let shape = proto.dims.iter().map(extent).collect::<Result<Vec<usize>, _>>()?;
    let elements = Layout::row_major(&shape)?.elements();
    if dtype == DType::String || proto.texts > 0 {
        return Err(Error::no_memory_form(DType::String));
    }
    if proto.is_external {
        return external(proto, folder, &shape, dtype, elements);
    }
    if let Some(raw) = proto.raw {
        return of_bytes(raw, &shape, dtype, elements);
    }
    let found = Found { shape: &shape, elements };
    match dtype {
        DType::F32 => found.checked(&proto.floats),
        DType::C64 => found.pairs(&proto.floats),
        DType::F64 => found.checked(&proto.doubles),
        DType::C128 => found.pairs(&proto.doubles),
        DType::I64 => {
            let numbers: Vec<i64> = proto.int64s.iter().map(|n| n.cast_signed()).collect();
            found.checked(&numbers)
        }
        DType::U64 => found.checked(&proto.uint64s),
        DType::U32 => found.low(&proto.uint64s, dtype),
        _ => found.low(&proto.int32s, dtype),
    }
}

/// What a message says of its elements.
struct Found<'p> {
    shape: &'p [usize],
    elements: usize,
}

impl Found<'_> {
    /// Elements of their own type.
    fn checked<T: crate::element::Element>(&self, elements: &[T]) -> Result<Tensor, Error> {
        if elements.len() != self.elements {
            return Err(Error::count(self.shape, elements.len()));
        }
        Tensor::new(self.shape, elements)
    }

    /// Complex elements, each two numbers one behind the other.
    fn pairs<T: Copy>(&self, numbers: &[T]) -> Result<Tensor, Error>
    where
        Complex<T>: crate::element::Element,
    {
        let (pairs, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            let count = numbers.len();
            return Err(Error::value(format!(
                "complex elements are two numbers each, and there are {count}"
            )));
        }
        let elements: Vec<Complex<T>> = pairs.iter().map(|&[real, imag]| Complex::new(real, imag)).collect();
        self.checked(&elements)
    }

    /// Elements whose bits are the low ones of wider integers.
    fn low(&self, numbers: &[u64], dtype: DType) -> Result<Tensor, Error> {
        let size = dtype.size().unwrap_or(1);
        if dtype.bits().is_some_and(|bits| bits < 8) {
            // Two or four stand in one number, as in its bytes.
            let bytes: Vec<u8> = numbers.iter().map(|n| n.to_le_bytes()[0]).collect();
            return of_bytes(&bytes, self.shape, dtype, self.elements);
        }
        if numbers.len() != self.elements {
            return Err(Error::count(self.shape, numbers.len()));
        }
        if dtype == DType::Bool {
            let truths: Vec<u8> = numbers.iter().map(|&n| u8::from(n != 0)).collect();
            return Tensor::from_bytes(self.shape, dtype, &truths);
        }
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes().into_iter().take(size)).collect();
        of_bytes(&bytes, self.shape, dtype, self.elements)
    }
}

/// A tensor of bytes as they lie in a file: the least byte first, and elements of less than a byte packed, the first
/// in the low bits.
fn of_bytes(bytes: &[u8], shape: &[usize], dtype: DType, elements: usize) -> Result<Tensor, Error> {
    let bits = dtype.bits().and_then(|bits| usize::try_from(bits).ok()).unwrap_or(8);
    if bits < 8 {
        return Tensor::from_bytes(shape, dtype, &unpacked(bytes, dtype, bits, elements)?);
    }
    if dtype == DType::Bool && bytes.iter().any(|&byte| byte > 1) {
        // Whoever wrote them meant every one that is not 0, as onnxruntime reads them.
        let truths: Vec<u8> = bytes.iter().map(|&byte| u8::from(byte != 0)).collect();
        return Tensor::from_bytes(shape, dtype, &truths);
    }
    if cfg!(target_endian = "big") {
        let mut turned = bytes.to_vec();
        turned.chunks_exact_mut(dtype.part().size().unwrap_or(1)).for_each(<[u8]>::reverse);
        return Tensor::from_bytes(shape, dtype, &turned);
    }
    Tensor::from_bytes(shape, dtype, bytes)
}

/// Elements of less than a byte, a byte each; signed ones fill it with their sign.
fn unpacked(bytes: &[u8], dtype: DType, bits: usize, elements: usize) -> Result<Vec<u8>, Error> {
    let each = 8 / bits;
    if bytes.len() != elements.div_ceil(each) {
        let found = bytes.len();
        return Err(Error::value(format!("{elements} of {dtype} do not lie in {found} bytes")));
    }
    let free = 8 - bits;
    let one = |place: usize| {
        let raised = bytes[place / each] >> (bits * (place % each)) << free;
        match dtype.class() {
            Class::Signed => (raised.cast_signed() >> free).cast_unsigned(),
            _ => raised >> free,
        }
    };
    Ok((0..elements).map(one).collect())
}

/// A tensor in a file of the model's folder.
fn external(
    proto: &Proto<'_>,
    folder: Option<&Path>,
    shape: &[usize],
    dtype: DType,
    elements: usize,
) -> Result<Tensor, Error> {
    let value = |key: &str| proto.external.iter().find(|(other, _)| *other == key).map(|(_, value)| *value);
    let number = |key: &str| {
        let wrong = |text: &str| Error::value(format!("its {key} {text:?} is no number of bytes"));
        value(key).map(|text| text.parse::<u64>().map_err(|_| wrong(text))).transpose()
    };
    let location = value("location").ok_or_else(|| Error::value("its file is not named".to_owned()))?;
    let folder = folder.ok_or_else(|| {
        Error::value(format!("it lies in the file {location:?}, and the model has no folder"))
    })?;
    let path = inside(folder, location)?;
    let at = |error: Error| error.at(&path.display().to_string());
    let source = Source::of_file(&path).map_err(at)?;
    let offset = number("offset")?.unwrap_or(0);
    let bits = u64::from(dtype.bits().unwrap_or(8));
    let wanted = (elements as u64).checked_mul(bits).map(|bits| bits.div_ceil(8));
    let wanted = wanted.ok_or_else(|| Error::value("it has more bytes than can be addressed".to_owned()))?;
    if let Some(length) = number("length")?
        && length != wanted
    {
        return Err(Error::value(format!("it has {wanted} bytes, and its length is said to be {length}")));
    }
    if bits < 8 || cfg!(target_endian = "big") {
        let bytes = source.bytes(offset, wanted).map_err(at)?;
        return of_bytes(&bytes, shape, dtype, elements);
    }
    source.tensor(offset, shape, dtype).map_err(at)
}

/// A path in a folder: not out of it by its words, nor by a link.
fn inside(folder: &Path, location: &str) -> Result<PathBuf, Error> {
    let outside = || Error::value(format!("its file {location:?} is not in the model's folder"));
    let relative = Path::new(location);
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if location.is_empty() || !relative.components().all(plain) {
        return Err(outside());
    }
    let path = folder.join(relative);
    let at = |error: std::io::Error| Error::from(error).at(&path.display().to_string());
    let (real, root) = (path.canonicalize().map_err(at)?, folder.canonicalize().map_err(at)?);
    if real.starts_with(root) { Ok(path) } else { Err(outside()) }
}
