//! Numbers without an element type of their own, as literals of Rust are: they take the array's.

use num_complex::Complex;

use super::Array;
use crate::dtype::{Class, DType};
use crate::element::Element;
use crate::error::{Error, ErrorKind};
use crate::promote::{Scalar, scalar_fits};
use crate::tensor::Tensor;

/// A number that takes the element type of the array it meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A real number.
    Float(f64),
    /// A complex number.
    Complex(Complex<f64>),
}

impl Number {
    /// What kind of number it is.
    pub fn kind(self) -> Scalar {
        match self {
            Number::Bool(_) => Scalar::Bool,
            Number::Int(_) => Scalar::Int,
            Number::Float(_) => Scalar::Float,
            Number::Complex(_) => Scalar::Complex,
        }
    }

    /// The element type that an array of it alone has.
    pub fn default_dtype(self) -> DType {
        match self {
            Number::Bool(_) => DType::Bool,
            Number::Int(_) => DType::I64,
            Number::Float(_) => DType::F64,
            Number::Complex(_) => DType::C128,
        }
    }

    /// The number as a tensor of shape `[]`.
    ///
    /// # Errors
    /// If the type is one of integers and does not hold it without its fraction, or it is a complex number and the type a real one.
    pub fn tensor(self, dtype: DType) -> Result<Tensor, Error> {
        let element = self.element(dtype)?;
        Tensor::written_by(&[], dtype, |bytes| {
            bytes.copy_from_slice(&bytemuck::cast_slice(&element)[..bytes.len()]);
        })
    }

    /// An error if an element of a type would not be all of it: an integer has no fraction, and a real number no imaginary part.
    pub(super) fn kept(self, dtype: DType) -> Result<(), Error> {
        match self.kind() {
            Scalar::Bool | Scalar::Int => Ok(()),
            kind => scalar_fits(kind, dtype)
                .map_err(|_| Error::value(format!("{kind} does not fit into {dtype}"))),
        }
    }

    /// The number as an element of a type; its bytes, and more behind them.
    pub(super) fn element(self, dtype: DType) -> Result<Room, Error> {
        match self {
            Number::Bool(truth) => converted(truth, dtype),
            Number::Int(n) if dtype.is_integer() => integer(n, dtype),
            #[allow(clippy::cast_precision_loss, reason = "rounded to the nearest")]
            Number::Int(n) => converted(n as f64, dtype),
            Number::Float(n) if dtype.is_integer() => {
                if !n.is_finite() {
                    return Err(Error::value(format!("{n} is no integer")));
                }
                #[allow(clippy::cast_possible_truncation, reason = "what is beyond stays beyond")]
                integer(n as i128, dtype)
            }
            Number::Float(n) => converted(n, dtype),
            Number::Complex(n) if matches!(dtype.class(), Class::Complex | Class::Bool) => {
                converted(n, dtype)
            }
            Number::Complex(n) => Err(Error::value(format!("{n} is complex, and {dtype} is not"))),
        }
    }
}

/// Room for an element of any type.
pub(super) type Room = [u64; 2];

/// An integer, if the type holds it.
fn integer(n: i128, dtype: DType) -> Result<Room, Error> {
    let element = match i64::try_from(n) {
        Ok(n) => converted(n, dtype)?,
        Err(_) => converted(u64::try_from(n).unwrap_or(u64::MAX), dtype)?,
    };
    match dtype.integers() {
        Some(all) if !all.contains(&n) => {
            let (least, greatest) = all.into_inner();
            Err(Error::new(ErrorKind::Range { number: n, dtype, least, greatest }))
        }
        _ => Ok(element),
    }
}

/// One element as another type.
fn converted<T: Element>(element: T, dtype: DType) -> Result<Room, Error> {
    let kernel = crate::convert::kernel(T::DTYPE, dtype, crate::convert::Overflow::Numpy)
        .ok_or_else(|| Error::no_memory_form(dtype))?;
    let size = dtype.size().ok_or_else(|| Error::no_memory_form(dtype))?;
    let mut room = Room::default();
    kernel.run(&[bytemuck::bytes_of(&element)], &mut bytemuck::cast_slice_mut(&mut room)[..size]);
    Ok(room)
}

/// One side of an operation: an array, or a number that takes the other side's element type.
#[derive(Clone, Debug)]
pub enum Operand {
    /// An array.
    Array(Array),
    /// A number.
    Number(Number),
}

impl From<Array> for Operand {
    fn from(array: Array) -> Operand {
        Operand::Array(array)
    }
}

impl From<&Array> for Operand {
    fn from(array: &Array) -> Operand {
        Operand::Array(array.clone())
    }
}

impl<T: Into<Number>> From<T> for Operand {
    fn from(number: T) -> Operand {
        Operand::Number(number.into())
    }
}

macro_rules! numbers {
    ($($type:ty: $kind:ident;)*) => {
        $(impl From<$type> for Number {
            fn from(n: $type) -> Number {
                Number::$kind(n.into())
            }
        })*
    };
}

numbers! {
    bool: Bool;
    i8: Int; i16: Int; i32: Int; i64: Int; i128: Int; u8: Int; u16: Int; u32: Int; u64: Int;
    f32: Float; f64: Float; half::f16: Float; half::bf16: Float;
}

macro_rules! sizes {
    ($($type:ty)*) => {
        $(impl From<$type> for Number {
            fn from(n: $type) -> Number {
                Number::Int(n as i128)
            }
        })*
    };
}

sizes! { usize isize }

impl From<Complex<f32>> for Number {
    fn from(n: Complex<f32>) -> Number {
        Number::Complex(Complex::new(n.re.into(), n.im.into()))
    }
}

impl From<Complex<f64>> for Number {
    fn from(n: Complex<f64>) -> Number {
        Number::Complex(n)
    }
}
