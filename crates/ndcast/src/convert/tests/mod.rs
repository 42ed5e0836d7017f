//! Every pair of types against the definition, and against what other people's software answered.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "test values are made of bits"
)]

mod levels;
mod oracle;
mod speed;

use half::{bf16, f16};

use super::*;
use crate::dtype::Class;
use oracle::{Value, read, write};

const HOW: [Overflow; 4] = [Overflow::Numpy, Overflow::Xla, Overflow::OnnxSaturate, Overflow::OpenVino];

fn numbers() -> impl Iterator<Item = DType> {
    DType::all().filter(|dtype| *dtype != DType::String)
}

/// Memory that is aligned for every element type.
struct Aligned(Vec<u128>, usize);
impl Aligned {
    fn of(bytes: &[u8]) -> Aligned {
        let mut aligned = Aligned(vec![0; bytes.len().div_ceil(16)], bytes.len());
        aligned.bytes().copy_from_slice(bytes);
        aligned
    }
    fn bytes(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.0)[..self.1]
    }
}

fn converted(kernel: Kernel, from: DType, to: DType, bytes: &[u8]) -> Vec<u8> {
    let count = bytes.len() / from.size().unwrap();
    let mut result = Aligned::of(&vec![0xEE; count * to.size().unwrap()]);
    kernel.run(&[Aligned::of(bytes).bytes()], result.bytes());
    result.bytes().to_vec()
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Values where something happens: limits of types, halves between neighbours, and what is just beside them.
fn edges() -> Vec<f64> {
    let mut edges =
        vec![0.0, f64::INFINITY, f64::NAN, 1e300, 1e-300, f64::MIN_POSITIVE, 3.5e38, 0.3, 0.9, 200.7];
    for power in (-160..=130).chain([1000, -1000]) {
        for part in [1.0, 1.25, 1.5, 1.75, 1.875, 1.9375, 1.0625, 1.0 + 2f64.powi(-11), 1.0 + 2f64.powi(-8)] {
            edges.push(part * 2f64.powi(power));
        }
    }
    for limit in [7, 8, 15, 16, 31, 32, 63, 64] {
        edges.extend([2f64.powi(limit) - 1.0, 2f64.powi(limit) + 1.0, 2f64.powi(limit) - 0.5]);
    }
    edges.extend((0..300).map(|n| f64::from(n) / 4.0));
    edges.extend([464.0, 480.0, 61440.0, 65504.0, 65520.0, 5.0, 7.0]);
    let all = edges
        .iter()
        .flat_map(|x| [*x, f64::from_bits(x.to_bits() + 1), f64::from_bits(x.to_bits().saturating_sub(1))]);
    let near32 = edges.iter().flat_map(|x| {
        let bits = (*x as f32).to_bits();
        [bits + 1, bits.saturating_sub(1)].map(|bits| f64::from(f32::from_bits(bits)))
    });
    all.chain(near32).flat_map(|x| [x, -x]).collect()
}

/// The bytes of test elements of a type: all of them, if there are not too many.
fn samples(dtype: DType) -> Vec<u8> {
    let size = dtype.size().unwrap();
    let mut state = 0x9E37_79B9_7F4A_7C15;
    if let (Some((bits, signed)), 1) = (oracle::integer(dtype), size) {
        let codes = 0..1u32 << bits;
        let filled =
            |code: u32| if signed { ((code << (32 - bits)) as i32 >> (32 - bits)) as u8 } else { code as u8 };
        return codes.map(filled).collect();
    }
    if let Some(bits @ ..=8) = dtype.bits() {
        return (0..1u32 << bits).map(|code| code as u8).collect();
    }
    if size == 2 {
        // A stride that is prime to 2^16 and hits every kind; all of the floats are a test of their own.
        return (0..=u16::MAX)
            .step_by(7)
            .chain(0..64)
            .chain(0x7BF0..0x7C10)
            .flat_map(u16::to_le_bytes)
            .collect();
    }
    let mut bytes = Vec::new();
    match dtype.class() {
        Class::Float => {
            for x in edges() {
                bytes.extend(write(dtype, Value::Float(x), Overflow::Numpy));
            }
        }
        Class::Complex => {
            for x in edges() {
                bytes.extend(write(dtype, Value::Complex(x, 0.0), Overflow::Numpy));
                bytes.extend(write(dtype, Value::Complex(0.0, -x), Overflow::Numpy));
            }
        }
        _ => {
            for power in 0..size * 8 {
                for less in -3..=3 {
                    for part in [2i128, 3] {
                        let near = ((part << power) / 2 + less).to_le_bytes();
                        bytes.extend(&near[..size]);
                        bytes.extend(&(-i128::from_le_bytes(near)).to_le_bytes()[..size]);
                    }
                }
            }
        }
    }
    // Of random bits, few of whose exponents are moderate; so random mantissas on moderate exponents, too.
    for _ in 0..500 {
        let mantissa = (random(&mut state) as f64) / 2f64.powi(63);
        let x = mantissa * 2f64.powi((random(&mut state) % 64) as i32 - 32);
        bytes.extend(write(dtype, Value::Float(x), Overflow::Numpy));
        let wide = [random(&mut state).to_le_bytes(), random(&mut state).to_le_bytes()].concat();
        bytes.extend(&wide[..size]);
        let shift = random(&mut state) % (size as u64 * 8).min(64);
        let short = [(random(&mut state) >> shift).to_le_bytes(), [0; 8]].concat();
        bytes.extend(&short[..size]);
    }
    bytes
}

/// Whether they are the same element; every NaN is as good as another, but not where a code has no NaN.
fn same(dtype: DType, a: &[u8], b: &[u8]) -> bool {
    let nan = |value: Value| match value {
        Value::Int(_) => (false, false),
        Value::Float(x) => (x.is_nan(), false),
        Value::Complex(re, im) => (re.is_nan(), im.is_nan()),
    };
    let (x, y) = (read(dtype, a), read(dtype, b));
    match (nan(x), nan(y)) {
        ((false, false), _) | (_, (false, false)) => a == b,
        (one, other) => one == other,
    }
}

fn agree(from: DType, to: DType, how: Overflow, kernel: Kernel, bytes: &[u8]) {
    let (size, out) = (from.size().unwrap(), to.size().unwrap());
    let result = converted(kernel, from, to, bytes);
    for (element, result) in bytes.chunks_exact(size).zip(result.chunks_exact(out)) {
        let value = read(from, element);
        let expected = if from == to { element.to_vec() } else { write(to, value, how) };
        assert!(
            same(to, result, &expected),
            "{from} to {to}, {how:?}: {value:?} {element:02x?} became {result:02x?}, not {expected:02x?}"
        );
    }
}

#[test]
fn every_pair_follows_the_definition() {
    for from in numbers() {
        let bytes = samples(from);
        for to in numbers() {
            let mut known: Vec<usize> = Vec::new();
            for how in HOW {
                let kernel = kernel(from, to, how).unwrap();
                // Most pairs have one kernel for all dialects: then the oracle must agree for one.
                if !known.contains(&(kernel.id())) {
                    known.push(kernel.id());
                    agree(from, to, how, kernel, &bytes);
                }
            }
        }
    }
}

#[test]
fn text_is_not_converted() {
    for dtype in DType::all() {
        assert!(kernel(DType::String, dtype, Overflow::Numpy).is_none());
        assert!(kernel(dtype, DType::String, Overflow::Numpy).is_none());
    }
    assert!(power_kernel(DType::String, PowerRounding::Up, PowerEnds::Limits).is_none());
}

#[test]
fn all_halves_are_widened_and_come_back() {
    let codes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    for from in [DType::F16, DType::Bf16] {
        for to in [DType::F32, DType::F64, DType::C64, DType::Bool, DType::I8, DType::F8E4M3, DType::Bf16] {
            agree(from, to, Overflow::Numpy, kernel(from, to, Overflow::Numpy).unwrap(), &codes);
        }
        for over in [DType::F32, DType::F64, DType::C128] {
            let there = converted(kernel(from, over, Overflow::Numpy).unwrap(), from, over, &codes);
            let back = converted(kernel(over, from, Overflow::Numpy).unwrap(), over, from, &there);
            for (code, back) in codes.chunks_exact(2).zip(back.chunks_exact(2)) {
                assert!(same(from, code, back), "{from} through {over}: {code:02x?} {back:02x?}");
            }
        }
    }
}

/// A million f32, evenly over all of them; what is NaN stays NaN and keeps its sign, and is quiet.
#[test]
fn f32_is_narrowed_to_the_nearest() {
    let floats: Vec<f32> = (0..=u32::MAX).step_by(4093).map(f32::from_bits).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&floats);
    let narrow = |to| converted(kernel(DType::F32, to, Overflow::Numpy).unwrap(), DType::F32, to, bytes);
    for (x, code) in floats.iter().zip(narrow(DType::F16).chunks_exact(2)) {
        let (code, expected) = (f16::from_le_bytes([code[0], code[1]]), f16::from_f32(*x));
        let nan = expected.is_nan() && code.to_bits() & 0x7FFF == 0x7E00;
        assert!(code.to_bits() == expected.to_bits() || nan, "{x:e} {code:?} {expected:?}");
        assert_eq!(code.is_sign_negative(), x.is_sign_negative());
    }
    for (x, code) in floats.iter().zip(narrow(DType::Bf16).chunks_exact(2)) {
        let (code, expected) = (bf16::from_le_bytes([code[0], code[1]]), bf16::from_f32(*x));
        let nan = expected.is_nan() && code.to_bits() & 0x7FFF == 0x7FC0;
        assert!(code.to_bits() == expected.to_bits() || nan, "{x:e} {code:?} {expected:?}");
        assert_eq!(code.is_sign_negative(), x.is_sign_negative());
    }
    for to in [DType::F8E4M3, DType::F8E5M2, DType::F4E2M1, DType::F8E8M0] {
        for how in [Overflow::Numpy, Overflow::OnnxSaturate, Overflow::OpenVino] {
            agree(DType::F32, to, how, kernel(DType::F32, to, how).unwrap(), bytes);
        }
    }
}

/// One unit in the last place of an f64 beside a tie of the target, where rounding by way of f32 goes wrong.
#[test]
fn f64_is_rounded_once() {
    let tie = |mantissa: i32| 1.0 + 2f64.powi(-mantissa - 1);
    let above = |x: f64| f64::from_bits(x.to_bits() + 1);
    let narrow = |to, x: f64| {
        converted(kernel(DType::F64, to, Overflow::Numpy).unwrap(), DType::F64, to, &x.to_le_bytes())
    };
    assert_eq!(narrow(DType::F16, tie(10)), [0x00, 0x3C]);
    assert_eq!(narrow(DType::F16, above(tie(10))), [0x01, 0x3C]);
    assert_eq!(narrow(DType::Bf16, above(tie(7))), [0x81, 0x3F]);
    assert_eq!(narrow(DType::F8E4M3, above(tie(3))), [0x39]);
    assert_eq!(narrow(DType::F8E5M2, above(61439.0)), [0x7B]);
    let integer = (1i64 << 62) + (1 << 54) + 1;
    let kernel = kernel(DType::I64, DType::Bf16, Overflow::Numpy).unwrap();
    assert_eq!(converted(kernel, DType::I64, DType::Bf16, &integer.to_le_bytes()), [0x81, 0x5E]);
}

#[test]
fn powers_of_two_are_rounded_as_told() {
    use PowerEnds::{Limits, NoNumber};
    use PowerRounding::{Down, Even, Nearest, Up};
    let least = 2f32.powi(-127);
    let inputs =
        [1.0, 1.25, 1.5, 2.9, 3.0, 6.0, least, least * 1.25, least * 1.5, least * 0.5, 1.9e38, 2.9e38];
    let ends = [0.0, -0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -f32::NAN];
    let floats: Vec<f32> = inputs.iter().chain(&ends).copied().collect();
    let codes = |rounding, ends| {
        let kernel = power_kernel(DType::F32, rounding, ends).unwrap();
        converted(kernel, DType::F32, DType::F8E8M0, bytemuck::cast_slice(&floats))
    };
    let finite = |rounding, last: [u8; 2]| {
        let codes = codes(rounding, Limits);
        assert_eq!(codes[10..12], last);
        codes[..10].to_vec()
    };
    assert_eq!(finite(Up, [254, 254]), [127, 128, 128, 129, 129, 130, 0, 1, 1, 0]);
    assert_eq!(finite(Down, [254, 254]), [127, 127, 127, 128, 128, 129, 0, 0, 0, 0]);
    assert_eq!(finite(Nearest, [254, 254]), [127, 127, 128, 128, 129, 130, 0, 0, 1, 0]);
    assert_eq!(finite(Even, [254, 254]), [127, 127, 128, 128, 128, 130, 0, 0, 0, 0]);
    assert_eq!(codes(Nearest, Limits)[12..], [0, 0, 0, 255, 254, 0, 255]);
    assert_eq!(codes(Nearest, NoNumber)[10..], [254, 255, 255, 255, 255, 255, 255, 255, 255]);
    assert_eq!(codes(Down, NoNumber)[10..12], [254, 254]);
}

/// See the head of the file for whose answers these are.
#[test]
fn other_software_answers_the_same() {
    let mut heads: Vec<(Overflow, DType)> = Vec::new();
    let hex = |text: &str| u32::from_str_radix(text, 16).unwrap();
    for line in include_str!("../peers.txt").lines() {
        let mut words = line.split(' ');
        match words.next().unwrap() {
            "decode" => {
                let from: DType = words.next().unwrap().parse().unwrap();
                let first = hex(words.next().unwrap());
                let codes: Vec<u8> = (first..first + 16).map(|code| code as u8).collect();
                let kernel = kernel(from, DType::F32, Overflow::Numpy).unwrap();
                let floats = converted(kernel, from, DType::F32, &codes);
                for ((code, float), word) in codes.iter().zip(floats.chunks_exact(4)).zip(words) {
                    let expected = hex(word).to_le_bytes();
                    assert!(same(DType::F32, float, &expected), "{from} {code:02x} {float:02x?} {word}");
                }
            }
            "heads" => heads.extend(words.map(|head| {
                let (how, to) = head.split_once('/').unwrap();
                let how = match how {
                    "numpy" => Overflow::Numpy,
                    "onnx-saturate" => Overflow::OnnxSaturate,
                    _ => Overflow::Xla,
                };
                (how, to.parse().unwrap())
            })),
            "encode" => {
                let bits = hex(words.next().unwrap());
                for ((how, to), word) in heads.iter().zip(words) {
                    let kernel = kernel(DType::F32, *to, *how).unwrap();
                    let code = converted(kernel, DType::F32, *to, &bits.to_le_bytes());
                    let expected = hex(word).to_le_bytes();
                    let equal = match to {
                        DType::I4 | DType::U4 => code[0] & 15 == expected[0],
                        DType::I2 | DType::U2 => code[0] & 3 == expected[0],
                        _ => same(*to, &code, &expected[..code.len()]),
                    };
                    assert!(
                        equal,
                        "{:e} ({bits:08x}) to {to}, {how:?}: {code:02x?}, not {word}",
                        f32::from_bits(bits)
                    );
                }
            }
            _ => {}
        }
    }
    assert_eq!(heads.len(), 16);
}
