//! Pictures and feature maps: a number for each channel.

use half::bf16;
use ndarray::{Array2, Array3, Array4};
use ndcast::DType;

use super::{Case, Class, Workload};
use crate::data::{Source, ready, slice};
use crate::peer::{filling, pieces};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "nchw bias",
        class: Class::Memory,
        what: "[32,64,56,56] + [1,64,1,1]",
        leading: 32,
        mib: 74,
        make: nchw_bias,
    },
    Workload {
        name: "nchw scale shift",
        class: Class::Memory,
        what: "[32,64,56,56] * [1,64,1,1] + [1,64,1,1]",
        leading: 32,
        mib: 74,
        make: nchw_scale_shift,
    },
    Workload {
        name: "nchw clip",
        class: Class::Memory,
        what: "[32,64,56,56] between [64,1,1] and [64,1,1]",
        leading: 32,
        mib: 74,
        make: nchw_clip,
    },
    Workload {
        name: "rows of 3",
        class: Class::Memory,
        what: "[100000,3] + [3]",
        leading: 100_000,
        mib: 4,
        make: rows_of_3,
    },
    Workload {
        name: "hwc normalise",
        class: Class::Memory,
        what: "([1024,1024,3] - [3]) * [3]",
        leading: 1024,
        mib: 36,
        make: hwc_normalise,
    },
    Workload {
        name: "image u8 to f32",
        class: Class::Memory,
        what: "u8 [1080,1920,3] as f32: (x / 255 - [3]) / [3]",
        leading: 1080,
        mib: 54,
        make: image,
    },
    Workload {
        name: "nhwc bf16 scale shift",
        class: Class::Memory,
        what: "bf16 [32,56,56,256] * [256] + [256]",
        leading: 32,
        mib: 147,
        make: nhwc_bf16,
    },
];

/// The elements of a channel of a feature map.
const PLANE: usize = 56 * 56;

fn nchw_bias(n: usize) -> Case {
    let mut data = Source::default();
    let (x, bias) = (data.floats(&[n, 64, 56, 56]), data.floats(&[1, 64, 1, 1]));
    let (px, pb) = (ready(&x), ready(&bias));
    let theirs = filling(Array4::zeros((n, 64, 56, 56)), move |out| {
        let (x, bias) = (slice::<f32>(&px), slice::<f32>(&pb));
        pieces(out, PLANE, |at, to| {
            let bias = bias[at / PLANE % 64];
            to.iter_mut().zip(&x[at..]).for_each(|(to, &x)| *to = x + bias);
        });
    });
    Case::new(&[&x.clone(), &bias.clone()], move || &x + &bias, theirs)
}

fn nchw_scale_shift(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.floats(&[n, 64, 56, 56]);
    let (scale, shift) = (data.floats(&[1, 64, 1, 1]), data.floats(&[1, 64, 1, 1]));
    let (px, ps, pt) = (ready(&x), ready(&scale), ready(&shift));
    let theirs = filling(Array4::zeros((n, 64, 56, 56)), move |out| {
        let (x, scale, shift) = (slice::<f32>(&px), slice::<f32>(&ps), slice::<f32>(&pt));
        pieces(out, PLANE, |at, to| {
            let channel = at / PLANE % 64;
            let (scale, shift) = (scale[channel], shift[channel]);
            to.iter_mut().zip(&x[at..]).for_each(|(to, &x)| *to = x * scale + shift);
        });
    });
    Case::new(&[&x.clone()], move || &x * &scale + &shift, theirs)
}

fn nchw_clip(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.floats(&[n, 64, 56, 56]);
    let (low, high) = (data.of(&[64, 1, 1], |unit| unit - 1.0), data.of(&[64, 1, 1], |unit| unit));
    let (px, pl, ph) = (ready(&x), ready(&low), ready(&high));
    let theirs = filling(Array4::zeros((n, 64, 56, 56)), move |out| {
        let (x, low, high) = (slice::<f32>(&px), slice::<f32>(&pl), slice::<f32>(&ph));
        pieces(out, PLANE, |at, to| {
            let channel = at / PLANE % 64;
            let (low, high) = (low[channel], high[channel]);
            to.iter_mut().zip(&x[at..]).for_each(|(to, &x)| *to = x.max(low).min(high));
        });
    });
    Case::new(&[&x.clone()], move || x.clip(&low, &high), theirs)
}

/// How many pixels are done in one piece.
const PIXELS: usize = 1024;

fn rows_of_3(n: usize) -> Case {
    let mut data = Source::default();
    let (x, row) = (data.floats(&[n, 3]), data.floats(&[3]));
    let (px, pr) = (ready(&x), ready(&row));
    let theirs = filling(Array2::zeros((n, 3)), move |out| {
        let (x, row) = (slice::<f32>(&px), slice::<f32>(&pr));
        let [a, b, c] = [row[0], row[1], row[2]];
        pieces(out, 3 * PIXELS, |at, to| {
            for (to, x) in to.chunks_exact_mut(3).zip(x[at..].chunks_exact(3)) {
                (to[0], to[1], to[2]) = (x[0] + a, x[1] + b, x[2] + c);
            }
        });
    });
    Case::new(&[&x.clone()], move || &x + &row, theirs)
}

fn hwc_normalise(n: usize) -> Case {
    let mut data = Source::default();
    let (x, mean, scale) = (data.floats(&[n, 1024, 3]), data.floats(&[3]), data.positive(&[3]));
    let (px, pm, ps) = (ready(&x), ready(&mean), ready(&scale));
    let theirs = filling(Array3::zeros((n, 1024, 3)), move |out| {
        let (x, m, s) = (slice::<f32>(&px), slice::<f32>(&pm), slice::<f32>(&ps));
        let ([ma, mb, mc], [sa, sb, sc]) = ([m[0], m[1], m[2]], [s[0], s[1], s[2]]);
        pieces(out, 3 * PIXELS, |at, to| {
            for (to, x) in to.chunks_exact_mut(3).zip(x[at..].chunks_exact(3)) {
                (to[0], to[1], to[2]) = ((x[0] - ma) * sa, (x[1] - mb) * sb, (x[2] - mc) * sc);
            }
        });
    });
    Case::new(&[&x.clone()], move || (&x - &mean) * &scale, theirs)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
fn image(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.of(&[n, 1920, 3], |unit| (unit * 255.0) as u8);
    let (mean, deviation) = (data.floats(&[3]), data.positive(&[3]));
    let (px, pm, ps) = (ready(&x), ready(&mean), ready(&deviation));
    let theirs = filling(Array3::zeros((n, 1920, 3)), move |out| {
        let (x, m, s) = (slice::<u8>(&px), slice::<f32>(&pm), slice::<f32>(&ps));
        let ([ma, mb, mc], [sa, sb, sc]) = ([m[0], m[1], m[2]], [s[0], s[1], s[2]]);
        pieces(out, 3 * PIXELS, |at, to| {
            for (to, x) in to.chunks_exact_mut(3).zip(x[at..].chunks_exact(3)) {
                let [a, b, c] = [f32::from(x[0]), f32::from(x[1]), f32::from(x[2])];
                (to[0], to[1], to[2]) = ((a / 255.0 - ma) / sa, (b / 255.0 - mb) / sb, (c / 255.0 - mc) / sc);
            }
        });
    });
    Case::new(&[&x.clone()], move || (x.convert(DType::F32) / 255.0 - &mean) / &deviation, theirs)
}

fn nhwc_bf16(n: usize) -> Case {
    let mut data = Source::default();
    let make = |unit: f32| bf16::from_f32(unit * 2.0 - 1.0);
    let (x, scale) = (data.of(&[n, 56, 56, 256], make), data.of(&[256], make));
    let shift = data.of(&[256], make);
    let (px, ps, pt) = (ready(&x), ready(&scale), ready(&shift));
    let theirs = filling(Array4::from_elem((n, 56, 56, 256), bf16::ZERO), move |out| {
        let x = slice::<bf16>(&px);
        let wide = |tensor| slice::<bf16>(tensor).iter().map(|n| n.to_f32()).collect::<Vec<f32>>();
        let (scale, shift) = (wide(&ps), wide(&pt));
        pieces(out, 256 * 56, |at, to| {
            for (to, x) in to.chunks_exact_mut(256).zip(x[at..].chunks_exact(256)) {
                for (((to, x), scale), shift) in to.iter_mut().zip(x).zip(&scale).zip(&shift) {
                    *to = bf16::from_f32(x.to_f32() * scale + shift);
                }
            }
        });
    });
    Case::new(&[&x.clone()], move || &x * &scale + &shift, theirs)
}
