//! Tensors as text, as NumPy 2.4 prints arrays: nested brackets, one width for all elements, rows wrapped at 75
//! columns, and `...` in place of most of an array of more than 1000 elements.
//!
//! Only the elements that are shown are read, through the layout. Of NumPy's options there is the precision: with `{:.2}`
//! each float has two digits behind the point; who wants other text reads the elements.
//!
//! DIFFERENCE: Of an array with so many axes that even its ends are more than a million elements only the counts are
//! shown; NumPy writes them all.
//!
//! DIFFERENCE: `ml_dtypes` prints bf16 and the floats of a byte or less with six digits, each as wide as it is. Here they
//! are floats among floats: bf16 with the fewest digits that tell it from other bf16, the small ones as the f32 that
//! they are, both laid out as NumPy lays out f32. Their integers have one width too.

mod float;
#[cfg(test)]
mod tests;

use std::fmt;

use bytemuck::{AnyBitPattern, bytes_of_mut, pod_read_unaligned};
use half::{bf16, f16};

use crate::array::Array;
use crate::convert::{Overflow, kernel};
use crate::dtype::{Class, DType};
use crate::tensor::Tensor;
use float::{Float, Format, Plus, scalar};

/// The columns of a line.
const WIDTH: usize = 75;
/// The most elements that are all shown.
const THRESHOLD: usize = 1000;
/// How many are shown at each end of an axis of a larger array.
const EDGE: usize = 3;
/// NumPy has no more axes.
const AXES: usize = 64;
/// Of an array of many axes even the ends can be more than memory holds.
const MOST: usize = 1 << 20;

/// As NumPy's `print` shows it.
///
/// ```
/// use ndcast::Tensor;
/// let tensor = Tensor::new(&[2, 2], &[1.0, -0.5, 100.25, f64::NAN])?;
/// assert_eq!(tensor.to_string(), "[[  1.    -0.5 ]\n [100.25    nan]]");
/// assert_eq!(Tensor::scalar(0.1f32)?.to_string(), "0.1");
/// assert_eq!(format!("{tensor:.1}"), "[[  1.0  -0.5]\n [100.2   nan]]");
/// # Ok::<(), ndcast::Error>(())
/// ```
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.elements() == 0 {
            return f.write_str("[]");
        }
        let shown = Shown::of(self);
        if self.rank() > AXES || shown.count().is_none_or(|count| count > MOST) {
            let (rank, dtype) = (self.rank(), self.dtype());
            return write!(f, "Tensor({rank} axes, {} elements of {dtype})", self.elements());
        }
        let words = words(self, &shown.positions(self), f.precision());
        let mut writer = Writer { f, shown: &shown, words: words.iter() };
        match self.rank() {
            0 => writer.word(),
            _ => writer.axis(0),
        }
    }
}

/// As its tensor; it is computed if it was not yet, and if it cannot be, the error is shown.
///
/// ```
/// use ndcast::Array;
/// let x = Array::new(&[3], &[1, 20, 300]);
/// assert_eq!((&x + 1).to_string(), "[  2  21 301]");
/// let wrong = x + Array::new(&[2], &[1, 2]);
/// assert!(wrong.to_string().starts_with("Array(error: add: "));
/// ```
impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.eval() {
            Ok(tensor) => tensor.fmt(f),
            Err(error) => write!(f, "Array(error: {error})"),
        }
    }
}

/// How much of each axis is shown.
struct Shown(Vec<Part>);

#[derive(Clone, Copy)]
enum Part {
    /// All of so many.
    All(usize),
    /// The ends of so many.
    Ends(usize),
}

impl Part {
    /// How many are shown.
    fn count(self) -> usize {
        match self {
            Part::All(extent) => extent,
            Part::Ends(_) => 2 * EDGE,
        }
    }

    /// Which is the `n`th shown.
    fn at(self, n: usize) -> usize {
        match self {
            Part::Ends(extent) if n >= EDGE => extent - 2 * EDGE + n,
            _ => n,
        }
    }

    /// Whether something is left out before the `n`th shown.
    fn gap(self, n: usize) -> bool {
        matches!(self, Part::Ends(_)) && n == EDGE
    }
}

impl Shown {
    fn of(tensor: &Tensor) -> Shown {
        let long = tensor.elements() > THRESHOLD;
        let part = |&extent: &usize| {
            if long && extent > 2 * EDGE { Part::Ends(extent) } else { Part::All(extent) }
        };
        Shown(tensor.shape().iter().map(part).collect())
    }

    /// How many elements are shown, if they can be counted.
    fn count(&self) -> Option<usize> {
        self.0.iter().try_fold(1usize, |count, part| count.checked_mul(part.count()))
    }

    /// Where what is shown lies in memory, in order.
    fn positions(&self, tensor: &Tensor) -> Vec<usize> {
        let mut positions = vec![tensor.layout().offset().cast_signed()];
        for (part, stride) in self.0.iter().zip(tensor.layout().strides()) {
            let steps = |&from: &isize| {
                let step = move |n| from + part.at(n).cast_signed() * stride;
                (0..part.count()).map(step)
            };
            positions = positions.iter().flat_map(steps).collect();
        }
        positions.into_iter().map(isize::cast_unsigned).collect()
    }
}

/// The elements at these positions, as text of one width if there are axes; floats have so many digits behind the point, if
/// that is said.
fn words(tensor: &Tensor, positions: &[usize], digits: Option<usize>) -> Vec<String> {
    let dtype = tensor.dtype();
    match dtype.class() {
        Class::Bool => {
            let word = |byte: u8| if byte == 0 { "False" } else { "True" };
            aligned(read(tensor, positions, 0).map(|byte| word(byte).to_owned()).collect())
        }
        Class::Signed | Class::Unsigned => {
            let numbers = match dtype {
                DType::I16 => texts::<i16>(tensor, positions),
                DType::I32 => texts::<i32>(tensor, positions),
                DType::I64 => texts::<i64>(tensor, positions),
                DType::U16 => texts::<u16>(tensor, positions),
                DType::U32 => texts::<u32>(tensor, positions),
                DType::U64 => texts::<u64>(tensor, positions),
                // All others are a byte each, signed ones with their sign filled up.
                _ if dtype.class() == Class::Signed => texts::<i8>(tensor, positions),
                _ => texts::<u8>(tensor, positions),
            };
            aligned(numbers)
        }
        Class::Float => {
            let floats = floats(tensor, positions, 0);
            if let Some(digits) = digits {
                let word = |float: &Float| float.fixed(digits, Plus::Hidden);
                return aligned(floats.iter().map(word).collect());
            }
            match floats[..] {
                [float] if tensor.rank() == 0 => vec![scalar(float)],
                _ => {
                    let format = Format::of(&floats, Plus::Hidden);
                    floats.iter().map(|&float| format.word(float)).collect()
                }
            }
        }
        Class::Complex => {
            let real = floats(tensor, positions, 0);
            let imaginary = floats(tensor, positions, tensor.size() / 2);
            if let Some(digits) = digits {
                let word = |(re, im): (&Float, &Float)| {
                    format!("{}{}j", re.fixed(digits, Plus::Hidden), im.fixed(digits, Plus::Shown))
                };
                return aligned(real.iter().zip(&imaginary).map(word).collect());
            }
            match (&real[..], &imaginary[..]) {
                ([re], [im]) if tensor.rank() == 0 => vec![float::complex_scalar(*re, *im)],
                _ => {
                    let (re_format, im_format) =
                        (Format::of(&real, Plus::Hidden), Format::of(&imaginary, Plus::Shown));
                    let word = |(&re, &im): (&Float, &Float)| {
                        let im = im_format.word(im);
                        // The letter stands before the spaces that fill the width.
                        let digits = im.trim_end();
                        format!("{}{digits}j{}", re_format.word(re), &im[digits.len()..])
                    };
                    real.iter().zip(&imaginary).map(word).collect()
                }
            }
        }
        // There is no tensor of text.
        Class::Text => vec![String::new(); positions.len()],
    }
}

/// The elements there, or what lies so many bytes behind where they begin.
fn read<'t, T: AnyBitPattern>(
    tensor: &'t Tensor,
    positions: &'t [usize],
    behind: usize,
) -> impl Iterator<Item = T> + 't {
    let size = tensor.size();
    let element = move |&position: &usize| &tensor.memory()[position * size + behind..][..size_of::<T>()];
    positions.iter().map(element).map(pod_read_unaligned)
}

fn texts<T: AnyBitPattern + fmt::Display>(tensor: &Tensor, positions: &[usize]) -> Vec<String> {
    read::<T>(tensor, positions, 0).map(|number| number.to_string()).collect()
}

/// Filled with spaces from the left.
fn aligned(words: Vec<String>) -> Vec<String> {
    let width = words.iter().map(String::len).max().unwrap_or(0);
    words.into_iter().map(|word| format!("{word:>width$}")).collect()
}

/// The floats there, or the parts of complex numbers.
fn floats(tensor: &Tensor, positions: &[usize], behind: usize) -> Vec<Float> {
    match tensor.dtype().part() {
        DType::F16 => read(tensor, positions, behind).map(|bits| Float::half(f16::from_bits(bits))).collect(),
        DType::Bf16 => {
            read(tensor, positions, behind).map(|b| Float::upper_half(bf16::from_bits(b))).collect()
        }
        DType::F32 => read(tensor, positions, behind).map(Float::single).collect(),
        DType::F64 => read(tensor, positions, behind).map(Float::double).collect(),
        carried => {
            let widen = kernel(carried, DType::F32, Overflow::Numpy);
            let widened = |byte: u8| {
                let mut wide = 0f32;
                if let Some(widen) = widen {
                    widen.run(&[&[byte]], bytes_of_mut(&mut wide));
                }
                Float::single(wide)
            };
            read(tensor, positions, behind).map(widened).collect()
        }
    }
}

/// Writes words with brackets around them.
struct Writer<'w, 'f> {
    f: &'w mut fmt::Formatter<'f>,
    shown: &'w Shown,
    words: std::slice::Iter<'w, String>,
}

impl Writer<'_, '_> {
    fn word(&mut self) -> fmt::Result {
        self.words.next().map_or(Ok(()), |word| self.f.write_str(word))
    }

    /// What lies along an axis and all behind it.
    fn axis(&mut self, axis: usize) -> fmt::Result {
        let (part, axes) = (self.shown.0[axis], self.shown.0.len());
        self.f.write_str("[")?;
        if axis + 1 == axes {
            self.row(part, axes)?;
        } else {
            let between = |writer: &mut Self| {
                let lines = axes - axis - 1;
                write!(writer.f, "{:\n<lines$}{:indent$}", "", "", indent = axis + 1)
            };
            for n in 0..part.count() {
                if n > 0 {
                    between(self)?;
                }
                if part.gap(n) {
                    self.f.write_str("...")?;
                    between(self)?;
                }
                self.axis(axis + 1)?;
            }
        }
        self.f.write_str("]")
    }

    /// The last of so many axes, in lines that are not too long. Every outer bracket that closes takes a column of
    /// them.
    fn row(&mut self, part: Part, axes: usize) -> fmt::Result {
        let width = WIDTH.saturating_sub(axes);
        // Spaces at the end of a line are not written; those of the last word are.
        let (mut column, mut spaces, mut first) = (axes, 0, true);
        for n in 0..part.count() {
            let word = self.words.next().map_or("", String::as_str);
            let gap = part.gap(n).then_some("...");
            for word in gap.into_iter().chain([word]) {
                let digits = word.trim_end();
                if !first {
                    spaces += 1;
                }
                let wraps = column + spaces + word.len() > width && column + spaces > axes;
                if wraps {
                    write!(self.f, "\n{:axes$}", "")?;
                    (column, spaces) = (axes, 0);
                }
                write!(self.f, "{:spaces$}{digits}", "")?;
                column += spaces + digits.len();
                spaces = word.len() - digits.len();
                first = false;
            }
        }
        write!(self.f, "{:spaces$}", "")
    }
}
