//! The elements of constants as text.

use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::tensor::Tensor;

/// A float as text: the place of the element, its bits and its type.
type Float<'f> = &'f dyn Fn(usize, u64, DType) -> String;

/// Elements one by one: truth values and integers as both formats have them, floats as the function says.
pub(in crate::format) fn elements(tensor: &Tensor, float: Float<'_>) -> Result<Vec<String>, Error> {
    let tensor = Array::from(tensor.clone()).copy().eval()?;
    let dtype = tensor.dtype();
    let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
    let part = dtype.part();
    let element = |(place, element): (usize, &[u8])| {
        let number = |bytes: &[u8]| number(bytes, part, &|bits| float(place, bits, part));
        match dtype.class() {
            Class::Complex => {
                let (real, imag) = element.split_at(part.size().unwrap_or(1));
                format!("({},{})", number(real), number(imag))
            }
            _ => number(element),
        }
    };
    Ok(tensor.as_bytes().unwrap_or_default().chunks(size).enumerate().map(element).collect())
}

/// Lists within lists, as deep as there are axes.
pub(in crate::format) fn nested(shape: &[usize], [open, close]: [&str; 2], elements: &[String]) -> String {
    let mut text = String::new();
    // Each element opens the lists that begin with it, and closes those that end.
    for (place, element) in elements.iter().enumerate() {
        let begins = |axis: usize| place % shape[axis..].iter().product::<usize>() == 0;
        let opened = (0..shape.len()).filter(|&axis| begins(axis)).count();
        if place > 0 {
            text.push_str(", ");
        }
        text.push_str(&open.repeat(opened));
        text.push_str(element);
        let ends = |axis: usize| (place + 1) % shape[axis..].iter().product::<usize>() == 0;
        text.push_str(&close.repeat((0..shape.len()).filter(|&axis| ends(axis)).count()));
    }
    text
}

/// One element, or a part of a complex one.
fn number(bytes: &[u8], dtype: DType, float: &dyn Fn(u64) -> String) -> String {
    let mut wide = [0u8; 8];
    if cfg!(target_endian = "big") {
        wide[..bytes.len()].iter_mut().zip(bytes.iter().rev()).for_each(|(to, from)| *to = *from);
    } else {
        wide[..bytes.len()].copy_from_slice(bytes);
    }
    let bits = u64::from_le_bytes(wide);
    let width = 8 * u32::try_from(bytes.len()).unwrap_or(8);
    match dtype.class() {
        Class::Bool => (bits != 0).to_string(),
        Class::Signed => ((bits << (64 - width)).cast_signed() >> (64 - width)).to_string(),
        Class::Unsigned => bits.to_string(),
        _ => float(bits),
    }
}
