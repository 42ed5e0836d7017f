//! A graph as text, a line a node, which [`Graph`]'s `FromStr` reads again:
//!
//! ```text
//! %0 = input "x" dtype=f32 shape=?x3
//! %1 = constant dtype=f32 shape=3 values=[10.0, 20.0, 30.0]
//! %2 = fit(%1, %0) rule=array-api operands=2 operand=0 : f32 ?x3
//! %3 = add(%0, %2) : f32 ?x3
//! output "y" = %3
//! ```
//!
//! Behind the colon stands what was inferred, for people: it is inferred again when the text is read, and must be the
//! same. The elements of a tensor are numbers where all can be written so, else bytes: a NaN can where it has no sign and no bit
//! set but the first.

use std::fmt;

use half::{bf16, f16};
use ndcast_shape::Shape;

use super::attributes::Writer;
use super::{Graph, Id, Kind, Node};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::tensor::Tensor;

/// Elements of a tensor as text: all of them.
pub(super) struct Elements<'t>(pub(super) &'t Tensor);

/// Above this many elements they are written as bytes.
const NUMBERS: usize = 4096;

impl fmt::Display for Elements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tensor = self.0;
        let few = tensor.elements() <= NUMBERS && !has_other_nan(tensor);
        match (tensor.dtype().class(), tensor.dtype()) {
            (Class::Bool, _) if few => list(f, tensor.to_vec::<bool>()),
            (Class::Signed, dtype) if few && dtype.computes() => list(f, wide::<i64>(tensor, DType::I64)),
            (Class::Unsigned, dtype) if few && dtype.computes() => list(f, wide::<u64>(tensor, DType::U64)),
            (_, DType::F32) if few => floats(f, &tensor.to_vec::<f32>().map_err(|_| fmt::Error)?),
            (_, DType::F64) if few => floats(f, &tensor.to_vec::<f64>().map_err(|_| fmt::Error)?),
            (_, DType::F16 | DType::Bf16) if few => {
                floats(f, &wide::<f32>(tensor, DType::F32).map_err(|_| fmt::Error)?)
            }
            _ => bytes(f, tensor),
        }
    }
}

/// Whether it has a NaN that is not the one that the word `NaN` is read as.
fn has_other_nan(tensor: &Tensor) -> bool {
    fn any<T: crate::element::Element, B: PartialEq>(
        tensor: &Tensor,
        bits: fn(T) -> B,
        usual: T,
        is_nan: fn(T) -> bool,
    ) -> bool {
        tensor
            .to_vec::<T>()
            .is_ok_and(|all| all.into_iter().any(|one| is_nan(one) && bits(one) != bits(usual)))
    }
    match tensor.dtype() {
        DType::F16 => any(tensor, f16::to_bits, f16::NAN, f16::is_nan),
        DType::Bf16 => any(tensor, bf16::to_bits, bf16::NAN, bf16::is_nan),
        DType::F32 => any(tensor, f32::to_bits, f32::NAN, f32::is_nan),
        DType::F64 => any(tensor, f64::to_bits, f64::NAN, f64::is_nan),
        _ => false,
    }
}

/// The elements as a type that holds them.
fn wide<T: crate::element::Element>(tensor: &Tensor, dtype: DType) -> Result<Vec<T>, Error> {
    crate::array::Array::from(tensor.clone()).convert(dtype).to_vec::<T>()
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: Result<Vec<T>, Error>) -> fmt::Result {
    f.write_str("[")?;
    for (place, item) in items.map_err(|_| fmt::Error)?.iter().enumerate() {
        write!(f, "{}{item}", if place == 0 { "" } else { ", " })?;
    }
    f.write_str("]")
}

/// The shortest numbers that are read as the same.
fn floats<T: fmt::Debug>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    f.write_str("[")?;
    for (place, item) in items.iter().enumerate() {
        write!(f, "{}{item:?}", if place == 0 { "" } else { ", " })?;
    }
    f.write_str("]")
}

fn bytes(f: &mut fmt::Formatter<'_>, tensor: &Tensor) -> fmt::Result {
    f.write_str("0x")?;
    let compact = crate::array::Array::from(tensor.clone()).copy().eval().map_err(|_| fmt::Error)?;
    for byte in compact.as_bytes().unwrap_or_default() {
        write!(f, "{byte:02x}")?;
    }
    Ok(())
}

/// A tensor of these elements.
pub(super) fn read_elements(text: &str, dtype: DType, shape: &Shape) -> Result<Tensor, Error> {
    let wrong = |why: &str| Error::value(format!("`values=`: {why}"));
    let extents = shape.extents().ok_or_else(|| wrong("the shape must be known"))?;
    if let Some(digits) = text.strip_prefix("0x") {
        let pair = |pair: &[u8]| {
            let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            match *pair {
                [high, low] => Some(digit(high)? << 4 | digit(low)?),
                _ => None,
            }
        };
        let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(pair).collect();
        let bytes = bytes.ok_or_else(|| wrong("bytes are pairs of the digits 0 to f"))?;
        return Tensor::from_bytes(&extents, dtype, &bytes);
    }
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let inside = inside.ok_or_else(|| wrong("elements stand in brackets, or are bytes behind 0x"))?.trim();
    let items: Vec<&str> =
        if inside.is_empty() { Vec::new() } else { inside.split(',').map(str::trim).collect() };
    let tensor = match (dtype.class(), dtype) {
        (Class::Bool, _) => Tensor::new(&extents, &parsed::<bool>(&items)?)?,
        (Class::Signed, _) => narrowed(Tensor::new(&extents, &parsed::<i64>(&items)?)?, dtype)?,
        (Class::Unsigned, _) => narrowed(Tensor::new(&extents, &parsed::<u64>(&items)?)?, dtype)?,
        (_, DType::F64) => Tensor::new(&extents, &parsed::<f64>(&items)?)?,
        (Class::Float, _) => narrowed(Tensor::new(&extents, &parsed::<f32>(&items)?)?, dtype)?,
        _ => return Err(wrong("of this type elements are written as bytes behind 0x")),
    };
    Ok(tensor)
}

fn parsed<T: std::str::FromStr>(items: &[&str]) -> Result<Vec<T>, Error> {
    let read =
        |item: &&str| item.parse().map_err(|_| Error::value(format!("`values=`: {item} is no such element")));
    items.iter().map(read).collect()
}

/// The same numbers as another type, if that holds them.
fn narrowed(tensor: Tensor, dtype: DType) -> Result<Tensor, Error> {
    let from = tensor.dtype();
    if from == dtype {
        return Ok(tensor);
    }
    let wide = crate::array::Array::from(tensor);
    let narrow = wide.convert(dtype);
    let same = narrow.convert(from).equal(&wide).logical_or(wide.not_equal(&wide));
    let axes: Vec<usize> = (0..wide.rank()?).collect();
    if dtype.class() != Class::Float && !same.all(&axes, crate::array::Keep::Nothing).item::<bool>()? {
        return Err(Error::value(format!("`values=`: {dtype} does not hold all of them")));
    }
    narrow.eval()
}

/// A line for people: `%3 = add(%0, %2) : f32 ?x3`.
struct Line<'g>(Id, &'g Node);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line(id, node) = self;
        write!(f, "%{} = {}", id.place, node.kind().name())?;
        if !node.arguments().is_empty() {
            f.write_str("(")?;
            for (place, argument) in node.arguments().iter().enumerate() {
                write!(f, "{}%{}", if place == 0 { "" } else { ", " }, argument.place)?;
            }
            f.write_str(")")?;
        }
        if let Some(name) = node.name() {
            write!(f, " {name:?}")?;
        }
        let mut attributes = Writer::default();
        node.kind().operation().write(&mut attributes);
        for (name, value) in attributes.0 {
            write!(f, " {name}={value}")?;
        }
        if !matches!(node.kind(), Kind::Input(_) | Kind::Constant(_)) {
            write!(f, " : {} {}", node.dtype(), node.shape())?;
        }
        Ok(())
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, node) in self.nodes() {
            writeln!(f, "{}", Line(id, node))?;
        }
        for output in self.outputs() {
            writeln!(f, "output {:?} = %{}", output.name(), output.id().place)?;
        }
        Ok(())
    }
}
