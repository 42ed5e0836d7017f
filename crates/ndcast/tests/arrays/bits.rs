//! Elements of any type as their bits, so that one oracle does for all types; and random numbers, the same in every
//! run.

use half::{bf16, f16};
use ndcast::dtype::Class;
use ndcast::{Array, DType, Element, Tensor};
use num_complex::Complex;

/// The types that are computed with.
pub const DTYPES: [DType; 15] = [
    DType::Bool,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::F16,
    DType::Bf16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
];

/// Calls `$body` with `$type` as the element of a type.
macro_rules! by_dtype {
    ($dtype:expr, $type:ident => $body:expr) => {
        by_dtype!(@ $dtype, $type, $body,
            Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64,
            F16 f16, Bf16 bf16, F32 f32, F64 f64, C64 Complex<f32>, C128 Complex<f64>)
    };
    (@ $dtype:expr, $type:ident, $body:expr, $($name:ident $rust:ty),*) => {
        match $dtype {
            $(DType::$name => { type $type = $rust; $body })*
            other => panic!("{other} is not computed with"),
        }
    };
}

/// The bits of an element, in the lower part.
pub fn bits<T: Element>(element: &T) -> u128 {
    let mut bytes = [0; 16];
    let own = bytemuck::bytes_of(element);
    bytes[..own.len()].copy_from_slice(own);
    u128::from_le_bytes(bytes)
}

fn element<T: Element>(bits: u128) -> T {
    bytemuck::checked::try_pod_read_unaligned(&bits.to_le_bytes()[..size_of::<T>()]).unwrap()
}

/// A ready array of these elements, one behind the other.
pub fn array(shape: &[usize], dtype: DType, elements: &[u128]) -> Array {
    by_dtype!(dtype, T => {
        let elements: Vec<T> = elements.iter().map(|&bits| element(bits)).collect();
        Array::new(shape, &elements)
    })
}

/// The elements of a tensor in order.
pub fn elements(tensor: &Tensor) -> Vec<u128> {
    by_dtype!(tensor.dtype(), T => tensor.to_vec::<T>().unwrap().iter().map(bits).collect())
}

/// An element as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

/// What an element is.
pub fn value(dtype: DType, bits: u128) -> Value {
    match dtype {
        DType::Bool => Value::Int(i128::from(element::<bool>(bits))),
        DType::I8 => Value::Int(element::<i8>(bits).into()),
        DType::I16 => Value::Int(element::<i16>(bits).into()),
        DType::I32 => Value::Int(element::<i32>(bits).into()),
        DType::I64 => Value::Int(element::<i64>(bits).into()),
        DType::U8 => Value::Int(element::<u8>(bits).into()),
        DType::U16 => Value::Int(element::<u16>(bits).into()),
        DType::U32 => Value::Int(element::<u32>(bits).into()),
        DType::U64 => Value::Int(element::<u64>(bits).into()),
        DType::F16 => Value::Float(element::<f16>(bits).into()),
        DType::Bf16 => Value::Float(element::<bf16>(bits).into()),
        DType::F32 => Value::Float(element::<f32>(bits).into()),
        DType::F64 => Value::Float(element::<f64>(bits)),
        DType::C64 => {
            let z = element::<Complex<f32>>(bits);
            Value::Complex(z.re.into(), z.im.into())
        }
        _ => {
            let z = element::<Complex<f64>>(bits);
            Value::Complex(z.re, z.im)
        }
    }
}

/// The bits of an integer as a type that wraps.
pub fn wrapped(n: i128, dtype: DType) -> u128 {
    let width = dtype.bits().unwrap();
    n.cast_unsigned() & ((1u128 << width) - 1)
}

/// Whether two elements are the same: bit for bit, and NaN is NaN.
pub fn same(dtype: DType, a: u128, b: u128) -> bool {
    let alike = |a: f64, b: f64| (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits();
    match (value(dtype, a), value(dtype, b)) {
        (Value::Float(a), Value::Float(b)) => alike(a, b),
        (Value::Complex(a, b), Value::Complex(c, d)) => alike(a, c) && alike(b, d),
        _ => a == b,
    }
}

/// Numbers that look random (SplitMix64).
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to before `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }

    pub fn between(&mut self, least: i64, greatest: i64) -> i64 {
        let span = usize::try_from(greatest - least + 1).unwrap();
        least + i64::try_from(self.below(span)).unwrap()
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn of<T: Clone>(&mut self, choice: &[T]) -> T {
        choice[self.below(choice.len())].clone()
    }

    pub fn order(&mut self, rank: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rank).collect();
        for i in (1..rank).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }

    /// Some of the axes, in any order.
    pub fn axes(&mut self, rank: usize) -> Vec<usize> {
        self.order(rank).into_iter().filter(|_| self.once_in(2)).collect()
    }

    /// An element that is a number, and finite.
    pub fn finite(&mut self, dtype: DType) -> u128 {
        loop {
            let element = self.element(dtype);
            let is_finite = match value(dtype, element) {
                Value::Int(_) => true,
                Value::Float(x) => x.is_finite(),
                Value::Complex(re, im) => re.is_finite() && im.is_finite(),
            };
            if is_finite {
                return element;
            }
        }
    }

    /// An element: small numbers mostly, and every bit pattern now and then.
    pub fn element(&mut self, dtype: DType) -> u128 {
        match dtype.class() {
            Class::Bool => u128::from(self.once_in(2)),
            Class::Signed | Class::Unsigned if self.once_in(4) => wrapped(self.next().into(), dtype),
            Class::Signed | Class::Unsigned => wrapped(self.between(-9, 9).into(), dtype),
            Class::Complex => {
                let part = dtype.part();
                self.element(part) | self.element(part) << part.bits().unwrap()
            }
            _ => {
                const SPECIAL: [f64; 7] = [0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-40];
                #[allow(clippy::cast_precision_loss, reason = "any number will do")]
                let mut x = self.between(-4_000_000, 4_000_000) as f64 / 1_048_576.0;
                if self.once_in(16) {
                    x = self.of(&SPECIAL);
                }
                #[allow(clippy::cast_possible_truncation, reason = "rounded to the nearest")]
                match dtype {
                    DType::F16 => bits(&f16::from_f64(x)),
                    DType::Bf16 => bits(&bf16::from_f64(x)),
                    DType::F32 => bits(&(x as f32)),
                    _ => bits(&x),
                }
            }
        }
    }
}
