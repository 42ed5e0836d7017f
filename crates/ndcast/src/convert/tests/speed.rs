//! How long an element takes; run by hand, in a release build:
//! `cargo test --release -p ndcast convert::tests::speed -- --ignored --nocapture`.

use std::hint::black_box;
use std::time::Instant;

use bytemuck::{cast_slice, cast_slice_mut};

use super::{Aligned, random};
use crate::convert::carried::*;
use crate::convert::plain::*;
use crate::convert::small_float::*;
use crate::convert::step::{Each, Map};
use crate::convert::{Overflow, kernel};
use crate::dtype::DType;
use crate::simd::{Level, at};

/// Elements a call: they fit the first level of the cache.
const COUNT: usize = 4096;

/// The least of some measurements, in nanoseconds an element.
fn least(mut call: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        (0..100).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e9 / (100 * COUNT) as f64
    };
    (0..30).map(time).fold(f64::INFINITY, f64::min)
}

/// Ordinary numbers: of moderate size, some negative.
fn input<T>() -> Aligned {
    let mut state = 0x2545_F491_4F6C_DD1D;
    let number = |state: &mut u64| (random(state) % 200) as f64 - 50.0;
    let bytes: Vec<u8> = match std::any::type_name::<T>() {
        "f32" => (0..COUNT).flat_map(|_| (number(&mut state) as f32).to_le_bytes()).collect(),
        "f64" => (0..COUNT).flat_map(|_| number(&mut state).to_le_bytes()).collect(),
        _ => (0..COUNT * size_of::<T>()).map(|_| random(&mut state) as u8).collect(),
    };
    Aligned::of(&bytes)
}

fn measure<M: Map>() {
    let mut from = input::<M::In>();
    let mut to = Aligned::of(&vec![0; COUNT * size_of::<M::Out>()]);
    let mut line = String::new();
    for level in Level::all() {
        let time = least(|| {
            at(level, Each::<M>(cast_slice(black_box(from.bytes())), cast_slice_mut(black_box(to.bytes()))));
        });
        line += &format!("{time:8.3}");
    }
    println!("{line}  {}", std::any::type_name::<M>().replace("ndcast::convert::", ""));
}

#[test]
#[ignore = "a measurement"]
fn nanoseconds_an_element() {
    macro_rules! each {
        ($($map:ty),* $(,)?) => { $(measure::<$map>();)* };
    }
    println!("{}", Level::all().map(|level| format!("{:>8}", format!("{level:?}"))).collect::<String>());
    each! {
        Widen<F16>, Widen<Bf16>, Cast<u8, f32>, Narrow<F16, Special>, Narrow<Bf16, Special>,
        Cast<f32, i8>, Cast<f32, u8>, Cast<f32, i16>, Cast<f32, i32>, Cast<f32, u32>, Cast<f32, i64>, Cast<f32, u64>,
        Cast<f64, i8>, Cast<f64, u8>, Cast<f64, i32>, Cast<f64, u32>, Cast<f64, i64>, Cast<f64, u64>,
        Cast<f32, f64>, Cast<f64, f32>, Cast<i8, f32>, Cast<i16, f32>, Cast<i32, f32>, Cast<u32, f32>,
        Cast<i64, f32>, Cast<u64, f32>, Cast<i32, f64>, Cast<u32, f64>, Cast<i64, f64>, Cast<u64, f64>, Cast<u8, f64>,
        Cast<i8, u32>, Cast<u8, u16>, Cast<u32, u8>, Cast<u64, u32>, Cast<u64, u8>, Cast<i32, u64>,
        Truth<u8>, Truth<u32>, Truth<u64>, Truth<f32>, Truth<f64>, HalfTruth, Truth<super::Complex<f32>>,
        Odd<i32>, Odd<u32>, Odd<i64>, Odd<u64>, Odd<f64>,
        Widen<E4M3>, Widen<E5M2>, Widen<E2M1>, FromPower, FromNormal,
        Narrow<E4M3, Special>, Narrow<E4M3, Greatest>, Narrow<E5M2, Special>, Narrow<E2M1, Special>,
        ToPower<Up, Limits>, ToPower<Nearest, NoNumber>, ToNormal, LowByte<f32>, LowByte<f64>, Fit<I4>, Clamp<I4>,
        RealPart<f32>, WithZero<f32>, Parts<f32, f64>, Parts<f64, f32>,
    }
    for (from, to) in [
        (DType::F32, DType::F16),
        (DType::F16, DType::F32),
        (DType::F16, DType::Bf16),
        (DType::F16, DType::I8),
        (DType::I32, DType::F16),
        (DType::F64, DType::F16),
        (DType::I8, DType::Bf16),
        (DType::F8E4M3, DType::F16),
        (DType::F32, DType::I4),
        (DType::C64, DType::I64),
        (DType::U8, DType::I8),
    ] {
        let kernel = kernel(from, to, Overflow::Numpy).unwrap();
        let mut x = input::<u8>();
        let mut bytes = Aligned::of(&x.bytes().repeat(from.size().unwrap()));
        if from == DType::F32 {
            bytes = input::<f32>();
        }
        let mut result = Aligned::of(&vec![0; COUNT * to.size().unwrap()]);
        let time = least(|| kernel.run(&[black_box(bytes.bytes())], black_box(result.bytes())));
        println!("{time:8.3}  {from} to {to}, as a kernel");
    }
}
