//! The definition of conversion, element by element and as slow as it likes: a value is read from bytes as an exact
//! number, and the target's code for it is searched for.

use half::{bf16, f16};

use crate::convert::Overflow;
use crate::dtype::{Class, DType};

/// An element, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

/// The bits and the sign of an integer type that is stored in so many bytes.
pub(super) fn integer(dtype: DType) -> Option<(u32, bool)> {
    match dtype.class() {
        Class::Bool => Some((1, false)),
        Class::Signed => Some((dtype.bits().unwrap(), true)),
        Class::Unsigned => Some((dtype.bits().unwrap(), false)),
        _ => None,
    }
}

const NF4: [f32; 16] = [
    -1.0,
    -0.696_192_8,
    -0.525_073_05,
    -0.394_917_5,
    -0.284_441_38,
    -0.184_773_43,
    -0.091_050_036,
    0.0,
    0.079_580_3,
    0.160_930_2,
    0.246_112_3,
    0.337_915_24,
    0.440_709_83,
    0.562_617,
    0.722_956_84,
    1.0,
];

/// The value of a magnitude's code: exponent and mantissa by the formula of IEEE 754.
fn float_of(code: u32, mantissa: u32, bias: i32) -> f64 {
    let (exponent, rest) = ((code >> mantissa) as i32, f64::from(code & ((1 << mantissa) - 1)));
    let unit = 2f64.powi(-(mantissa as i32));
    if exponent == 0 {
        rest * unit * 2f64.powi(1 - bias)
    } else {
        (1.0 + rest * unit) * 2f64.powi(exponent - bias)
    }
}

/// Of a float with sign and magnitude: mantissa bits, bias, the first code that is no finite number, the sign's bit.
fn layout(dtype: DType) -> Option<(u32, i32, u32, u32)> {
    match dtype {
        DType::F16 => Some((10, 15, 0x7C00, 0x8000)),
        DType::Bf16 => Some((7, 127, 0x7F80, 0x8000)),
        DType::F8E4M3 => Some((3, 7, 0x7F, 0x80)),
        DType::F8E5M2 => Some((2, 15, 0x7C, 0x80)),
        DType::F4E2M1 => Some((1, 1, 8, 8)),
        _ => None,
    }
}

pub(super) fn read(dtype: DType, bytes: &[u8]) -> Value {
    if let Some((_, signed)) = integer(dtype) {
        let mut wide = [if signed && bytes[bytes.len() - 1] >= 0x80 { 0xFF } else { 0 }; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        return Value::Int(i128::from_le_bytes(wide));
    }
    let float32 = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    let float64 = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    match dtype {
        DType::F16 => Value::Float(f16::from_le_bytes([bytes[0], bytes[1]]).to_f64()),
        DType::Bf16 => Value::Float(bf16::from_le_bytes([bytes[0], bytes[1]]).to_f64()),
        DType::F32 => Value::Float(float32(0)),
        DType::F64 => Value::Float(float64(0)),
        DType::C64 => Value::Complex(float32(0), float32(4)),
        DType::C128 => Value::Complex(float64(0), float64(8)),
        DType::Nf4 => Value::Float(f64::from(NF4[usize::from(bytes[0])])),
        DType::F8E8M0 if bytes[0] == 0xFF => Value::Float(f64::NAN),
        DType::F8E8M0 => Value::Float(2f64.powi(i32::from(bytes[0]) - 127)),
        _ => {
            let (mantissa, bias, special, sign) = layout(dtype).unwrap();
            let magnitude = u32::from(bytes[0]) & (sign - 1);
            let value = match magnitude {
                _ if magnitude < special => float_of(magnitude, mantissa, bias),
                0x7C if dtype == DType::F8E5M2 => f64::INFINITY,
                _ => f64::NAN,
            };
            Value::Float(if u32::from(bytes[0]) & sign != 0 { -value } else { value })
        }
    }
}

/// An integer as an f64 that lies on the same side of every number of 50 bits or less.
fn squeezed(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let shift = (128 - magnitude.leading_zeros()).saturating_sub(52);
    let sticky = u128::from((magnitude >> shift) << shift != magnitude);
    let float = ((magnitude >> shift) | sticky) as f64 * 2f64.powi(shift as i32);
    if value < 0 { -float } else { float }
}

/// The code of the nearest of ascending values to a magnitude; of two, the even code. The last one stands for beyond.
fn nearest(count: u32, value: impl Fn(u32) -> f64, magnitude: f64) -> u32 {
    let (mut low, mut high) = (0, count - 1);
    if magnitude >= value(high) {
        return high;
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if value(middle) <= magnitude { low = middle } else { high = middle }
    }
    let half = f64::midpoint(value(low), value(high));
    match magnitude.partial_cmp(&half).unwrap() {
        std::cmp::Ordering::Less => low,
        std::cmp::Ordering::Greater => high,
        std::cmp::Ordering::Equal => low + (low & 1),
    }
}

fn power(x: f64, how: Overflow) -> u8 {
    let ends = matches!(how, Overflow::OnnxSaturate | Overflow::OpenVino);
    if x.is_nan() {
        return 0xFF;
    }
    if x <= 0.0 {
        return if ends { 0 } else { 0xFF };
    }
    let value = |code: u32| 2f64.powi(code as i32 - 127);
    let below = (0..=254).rev().find(|&code| value(code) <= x).unwrap_or(0);
    let ratio = x / value(below);
    let up = match how {
        Overflow::Numpy | Overflow::Xla => ratio >= 1.5,
        Overflow::OnnxSaturate => ratio > 1.0,
        Overflow::OpenVino => ratio > 1.5 || ratio == 1.5 && below % 2 == 1,
        Overflow::Power(..) => panic!("its own test has it"),
    };
    let code = below + u32::from(up);
    if code > 254 { if ends { 0xFE } else { 0xFF } } else { code as u8 }
}

/// The bytes of a value in a type.
pub(super) fn write(dtype: DType, value: Value, how: Overflow) -> Vec<u8> {
    if dtype == DType::Bool {
        let truth = match value {
            Value::Int(n) => n != 0,
            Value::Float(x) => x != 0.0,
            Value::Complex(re, im) => re != 0.0 || im != 0.0,
        };
        return vec![u8::from(truth)];
    }
    let real = match value {
        Value::Complex(re, _) => Value::Float(re),
        other => other,
    };
    if let Some((bits, signed)) = integer(dtype) {
        let (low, high) =
            if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let whole = match real {
            Value::Int(n) => n,
            // A cast of Rust cuts towards 0, and makes 0 of NaN.
            Value::Float(x) if bits >= 8 || how == Overflow::Xla => (x as i128).clamp(low, high),
            Value::Float(x) if x.abs() < 2f64.powi(31) => x as i128,
            _ => 0,
        };
        let wrapped = (whole - low).rem_euclid(1 << bits) + low;
        return wrapped.to_le_bytes()[..dtype.size().unwrap()].to_vec();
    }
    let (as32, as64) = match real {
        Value::Int(n) => (n as f32, n as f64),
        Value::Float(x) | Value::Complex(x, _) => (x as f32, x),
    };
    let imaginary = if let Value::Complex(_, im) = value { im } else { 0.0 };
    match dtype {
        DType::F32 => as32.to_le_bytes().to_vec(),
        DType::F64 => as64.to_le_bytes().to_vec(),
        DType::C64 => [as32.to_le_bytes(), (imaginary as f32).to_le_bytes()].concat(),
        DType::C128 => [as64.to_le_bytes(), imaginary.to_le_bytes()].concat(),
        DType::Nf4 => {
            let boundary = |i: &usize| as32 > f32::midpoint(NF4[*i], NF4[*i + 1]);
            vec![(0..15).take_while(boundary).count() as u8]
        }
        _ => {
            let exact = if let Value::Int(n) = real { squeezed(n) } else { as64 };
            if dtype == DType::F8E8M0 {
                return vec![power(exact, how)];
            }
            let (mantissa, bias, special, sign) = layout(dtype).unwrap();
            let negative = if exact.is_sign_negative() { sign } else { 0 };
            let code = if exact.is_nan() {
                match dtype {
                    DType::F4E2M1 if how == Overflow::OpenVino => 7 | negative,
                    DType::F4E2M1 => sign ^ negative,
                    _ => (sign - 1) | negative,
                }
            } else {
                let found = nearest(special + 1, |code| float_of(code, mantissa, bias), exact.abs());
                let saturate =
                    dtype == DType::F4E2M1 || how == Overflow::OnnxSaturate && dtype.bits() == Some(8);
                found.min(if saturate { special - 1 } else { special }) | negative
            };
            code.to_le_bytes()[..dtype.size().unwrap()].to_vec()
        }
    }
}
