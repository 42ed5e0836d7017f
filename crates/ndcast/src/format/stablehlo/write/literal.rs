//! Constants as text: one element for all, lists, or bytes where there are many elements.

use super::{Value, Writer};
use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::tensor::Tensor;
use ndcast_shape::Shape;

/// As many elements are written one by one; more as bytes. Truth values always are: readers differ in their bytes.
const FEW: usize = 100;

impl Writer<'_> {
    pub(super) fn constant(&mut self, tensor: &Tensor) -> Result<Value, Error> {
        let typed = (tensor.dtype(), Shape::from(tensor.shape()));
        let text = super::type_text(&typed)?;
        let value = self.fresh(typed);
        let elements = dense(tensor)?;
        self.text.push_str(&format!("    %{} = stablehlo.constant dense<{elements}> : {text}\n", value.0));
        Ok(value)
    }

    /// Integers along one axis.
    pub(super) fn integers(&mut self, integers: &[i64], dtype: DType) -> Result<Value, Error> {
        let tensor = Array::new(&[integers.len()], integers).convert(dtype).eval()?;
        self.constant(&tensor)
    }

    /// A number without axes.
    pub(super) fn number(
        &mut self,
        number: impl Into<crate::array::Number>,
        dtype: DType,
    ) -> Result<Value, Error> {
        self.constant(&number.into().tensor(dtype)?)
    }
}

/// What stands in `dense<..>`.
fn dense(tensor: &Tensor) -> Result<String, Error> {
    let tensor = Array::from(tensor.clone()).copy().eval()?;
    let dtype = tensor.dtype();
    let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
    let bytes = tensor.as_bytes().unwrap_or_default();
    let part = dtype.part().size().unwrap_or(1);
    let whole = dtype.bits().is_some_and(|bits| bits >= 8) && dtype != DType::Bool;
    if tensor.elements() > FEW && whole {
        let mut hex = String::with_capacity(2 * bytes.len() + 4);
        hex.push_str("\"0x");
        for part in bytes.chunks(part) {
            let digits = |byte: &u8| format!("{byte:02X}");
            // The last byte of an element is its greatest.
            if cfg!(target_endian = "big") {
                hex.extend(part.iter().rev().map(digits));
            } else {
                hex.extend(part.iter().map(digits));
            }
        }
        hex.push('"');
        return Ok(hex);
    }
    let mut elements = bytes.chunks(size).map(|element| match dtype.class() {
        Class::Complex => {
            let (real, imag) = element.split_at(part);
            format!("({},{})", number(real, dtype.part()), number(imag, dtype.part()))
        }
        _ => number(element, dtype),
    });
    let mut text = String::new();
    nested(tensor.shape(), &mut elements, &mut text);
    Ok(text)
}

/// Lists within lists, as deep as there are axes.
fn nested(shape: &[usize], elements: &mut dyn Iterator<Item = String>, text: &mut String) {
    let count: usize = shape.iter().product();
    if count == 0 {
        return;
    }
    // Each element opens the lists that begin with it, and closes those that end.
    for place in 0..count {
        let begins = |axis: usize| place % shape[axis..].iter().product::<usize>() == 0;
        let opened = (0..shape.len()).filter(|&axis| begins(axis)).count();
        if place > 0 {
            text.push_str(", ");
        }
        text.push_str(&"[".repeat(opened));
        text.push_str(&elements.next().unwrap_or_default());
        let ends = |axis: usize| (place + 1) % shape[axis..].iter().product::<usize>() == 0;
        text.push_str(&"]".repeat((0..shape.len()).filter(|&axis| ends(axis)).count()));
    }
}

/// One element: floats so that they are read again as they are.
fn number(bytes: &[u8], dtype: DType) -> String {
    let mut wide = [0u8; 8];
    if cfg!(target_endian = "big") {
        wide[..bytes.len()].iter_mut().zip(bytes.iter().rev()).for_each(|(to, from)| *to = *from);
    } else {
        wide[..bytes.len()].copy_from_slice(bytes);
    }
    let bits = u64::from_le_bytes(wide);
    let width = 8 * u32::try_from(bytes.len()).unwrap_or(8);
    let digits = 2 * bytes.len();
    match dtype.class() {
        Class::Bool => (bits != 0).to_string(),
        Class::Signed => ((bits << (64 - width)).cast_signed() >> (64 - width)).to_string(),
        Class::Unsigned => bits.to_string(),
        _ => {
            let float = match dtype {
                DType::F64 => {
                    Some(format!("{:e}", f64::from_bits(bits))).filter(|_| f64::from_bits(bits).is_finite())
                }
                DType::F32 => u32::try_from(bits)
                    .ok()
                    .map(f32::from_bits)
                    .filter(|n| n.is_finite())
                    .map(|n| format!("{n:e}")),
                // Others by their bits, which say them in full.
                _ => None,
            };
            match float.as_deref().map(|text| text.split_once('e').unwrap_or((text, "0"))) {
                Some((mantissa, power)) => {
                    let dot = if mantissa.contains('.') { "" } else { ".0" };
                    format!(
                        "{mantissa}{dot}e{}",
                        if power.starts_with('-') { power.to_owned() } else { format!("+{power}") }
                    )
                }
                None => format!("0x{bits:0digits$X}"),
            }
        }
    }
}
