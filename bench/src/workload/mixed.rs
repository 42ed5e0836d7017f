//! Small integers, and two element types in one expression.

use half::f16;
use half::slice::HalfFloatSliceExt;
use ndarray::{Array2, Ix1, Ix2, azip};
use ndcast::DType;

use super::{Case, Class, Workload};
use crate::by_hand::pieces;
use crate::data::{Source, slice};
use crate::idiom::{large, stretched, view, zip};
use crate::peer::filling;

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "int8 + row",
        class: Class::Memory,
        what: "i8 [4096,1024] + i8 [1024]",
        leading: 4096,
        mib: 16,
        make: bytes,
    },
    Workload {
        name: "quantise",
        class: Class::Memory,
        what: "[4096,1024] * [1024], rounded, clipped, as i8",
        leading: 4096,
        mib: 28,
        make: quantise,
    },
    Workload {
        name: "u8 + f32 row",
        class: Class::Memory,
        what: "u8 [4096,1024] as f32 + [1024]",
        leading: 4096,
        mib: 52,
        make: u8_and_f32,
    },
    Workload {
        name: "i32 * f64 row",
        class: Class::Memory,
        what: "i32 [4096,1024] as f64 * f64 [1024]",
        leading: 4096,
        mib: 112,
        make: i32_and_f64,
    },
    Workload {
        name: "f16 + f32 row",
        class: Class::Memory,
        what: "f16 [4096,1024] + f32 [1024]",
        leading: 4096,
        mib: 56,
        make: f16_and_f32,
    },
];

const COLUMNS: usize = 1024;

#[allow(clippy::cast_possible_truncation, reason = "from -128 to 127")]
fn bytes(n: usize) -> Case {
    let mut data = Source::default();
    let make = |unit: f32| (unit * 255.0 - 128.0) as i8;
    let (x, row) = (data.of(&[n, COLUMNS], make), data.of(&[COLUMNS], make));
    let idiom = filling(Array2::zeros((n, COLUMNS)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (view::<i8, Ix2>(x), view::<i8, Ix1>(row));
        let row = stretched(&row, x.dim());
        zip!(large(out), (to in out, &x in x, &row in row) *to = x.wrapping_add(row));
    });
    let loops = filling(Array2::zeros((n, COLUMNS)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (slice::<i8>(x), slice::<i8>(row));
        pieces(out, COLUMNS, |at, to| {
            to.iter_mut().zip(&x[at..]).zip(row).for_each(|((to, x), row)| *to = x.wrapping_add(*row));
        });
    });
    Case::new(&[&x.clone()], move || &x + &row, idiom).by_hand(loops)
}

/// To add 1.5 * 2^23 rounds to the nearest, ties to even, and leaves the integer in the lowest bits. It is for both
/// peers: to round and to convert takes them seven times as long.
fn quantised(x: f32, scale: f32) -> i8 {
    let rounded = (x * scale).clamp(-128.0, 127.0) + 12_582_912.0;
    let [lowest, ..] = rounded.to_le_bytes();
    lowest.cast_signed()
}

fn quantise(n: usize) -> Case {
    let mut data = Source::default();
    let (x, scale) = (data.of(&[n, COLUMNS], |unit| unit * 300.0 - 150.0), data.positive(&[COLUMNS]));
    let idiom = filling(Array2::zeros((n, COLUMNS)), [&x, &scale], move |out, [x, scale]| {
        let (x, scale) = (view::<f32, Ix2>(x), view::<f32, Ix1>(scale));
        let scale = stretched(&scale, x.dim());
        zip!(large(out), (to in out, &x in x, &scale in scale) *to = quantised(x, scale));
    });
    let loops = filling(Array2::zeros((n, COLUMNS)), [&x, &scale], move |out, [x, scale]| {
        let (x, scale) = (slice::<f32>(x), slice::<f32>(scale));
        pieces(out, COLUMNS, |at, to| {
            to.iter_mut().zip(&x[at..]).zip(scale).for_each(|((to, &x), &scale)| *to = quantised(x, scale));
        });
    });
    let ours = {
        let x = x.clone();
        move || (&x * &scale).round().clip(-128.0, 127.0).convert(DType::I8)
    };
    Case::new(&[&x], ours, idiom).by_hand(loops)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
fn u8_and_f32(n: usize) -> Case {
    let mut data = Source::default();
    let (x, row) = (data.of(&[n, COLUMNS], |unit| (unit * 255.0) as u8), data.floats(&[COLUMNS]));
    let idiom = filling(Array2::zeros((n, COLUMNS)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (view::<u8, Ix2>(x), view::<f32, Ix1>(row));
        zip!(large(out), (to in out.rows_mut(), x in x.rows()) {
            azip!((to in to, &x in x, &row in row) *to = f32::from(x) + row);
        });
    });
    let loops = filling(Array2::zeros((n, COLUMNS)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (slice::<u8>(x), slice::<f32>(row));
        pieces(out, COLUMNS, |at, to| {
            to.iter_mut().zip(&x[at..]).zip(row).for_each(|((to, &x), row)| *to = f32::from(x) + row);
        });
    });
    Case::new(&[&x.clone()], move || x.convert(DType::F32) + &row, idiom).by_hand(loops)
}

fn i32_and_f64(n: usize) -> Case {
    let mut data = Source::default();
    let (x, row) = (data.integers(&[n, COLUMNS], 1000), data.of(&[COLUMNS], f64::from));
    let idiom = filling(Array2::zeros((n, COLUMNS)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (view::<i32, Ix2>(x), view::<f64, Ix1>(row));
        let row = stretched(&row, x.dim());
        zip!(large(out), (to in out, &x in x, &row in row) *to = f64::from(x) * row);
    });
    let loops = filling(Array2::zeros((n, COLUMNS)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (slice::<i32>(x), slice::<f64>(row));
        pieces(out, COLUMNS, |at, to| {
            to.iter_mut().zip(&x[at..]).zip(row).for_each(|((to, &x), row)| *to = f64::from(x) * row);
        });
    });
    Case::new(&[&x.clone()], move || x.convert(DType::F64) * &row, idiom).by_hand(loops)
}

fn f16_and_f32(n: usize) -> Case {
    let mut data = Source::default();
    let (x, row) = (data.of(&[n, COLUMNS], f16::from_f32), data.floats(&[COLUMNS]));
    let idiom = filling(Array2::zeros((n, COLUMNS)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (view::<f16, Ix2>(x), view::<f32, Ix1>(row));
        let row = stretched(&row, x.dim());
        zip!(large(out), (to in out, &x in x, &row in row) *to = f32::from(x) + row);
    });
    let loops = filling(Array2::zeros((n, COLUMNS)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (slice::<f16>(x), slice::<f32>(row));
        pieces(out, COLUMNS, |at, to| {
            // A row at once, because that asks once for the instructions that convert.
            x[at..][..COLUMNS].convert_to_f32_slice(to);
            to.iter_mut().zip(row).for_each(|(to, row)| *to += row);
        });
    });
    Case::new(&[&x.clone()], move || &x + &row, idiom).by_hand(loops)
}
