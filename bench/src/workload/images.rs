//! Pictures and feature maps: a number for each channel.

use half::{bf16, f16};
use ndarray::parallel::prelude::*;
use ndarray::{Array2, Array3, Array4, ArrayView2, ArrayViewMut2, Axis, Ix1, Ix2, Ix3, Ix4, azip};
use ndcast::DType;

use super::{Case, Class, Workload};
use crate::by_hand::pieces;
use crate::data::{Source, slice};
use crate::idiom::{large, stretched, view, zip};
use crate::peer::filling;

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "nchw bias",
        class: Class::Memory,
        what: "[32,64,56,56] + [1,64,1,1]",
        leading: 32,
        mib: 98,
        make: nchw_bias,
    },
    Workload {
        name: "nchw scale shift",
        class: Class::Memory,
        what: "[32,64,56,56] * [1,64,1,1] + [1,64,1,1]",
        leading: 32,
        mib: 98,
        make: nchw_scale_shift,
    },
    Workload {
        name: "nchw clip",
        class: Class::Memory,
        what: "[32,64,56,56] between [64,1,1] and [64,1,1]",
        leading: 32,
        mib: 98,
        make: nchw_clip,
    },
    Workload {
        name: "rows of 3",
        class: Class::Memory,
        what: "[100000,3] + [3]",
        leading: 100_000,
        mib: 5,
        make: rows_of_3,
    },
    Workload {
        name: "hwc normalise",
        class: Class::Memory,
        what: "([1024,1024,3] - [3]) * [3]",
        leading: 1024,
        mib: 48,
        make: hwc_normalise,
    },
    Workload {
        name: "image u8 to f32",
        class: Class::Memory,
        what: "u8 [1080,1920,3] as f32: (x / 255 - [3]) / [3]",
        leading: 1080,
        mib: 78,
        make: image,
    },
    Workload {
        name: "nhwc bf16 scale shift",
        class: Class::Memory,
        what: "bf16 [32,56,56,256] * [256] + [256]",
        leading: 32,
        mib: 196,
        make: nhwc_bf16,
    },
    Workload {
        name: "nhwc f16 scale shift",
        class: Class::Memory,
        what: "f16 [32,56,56,256] * [256] + [256]",
        leading: 32,
        mib: 196,
        make: nhwc_f16,
    },
];

/// The elements of a channel of a feature map.
const PLANE: usize = 56 * 56;

/// A channel of one as a part of the whole.
const PLANES: (usize, usize, usize, usize) = (1, 1, 56, 56);

fn nchw_bias(n: usize) -> Case {
    let mut data = Source::default();
    let (x, bias) = (data.floats(&[n, 64, 56, 56]), data.floats(&[1, 64, 1, 1]));
    let idiom = filling(Array4::zeros((n, 64, 56, 56)), [&x, &bias], move |out, [x, bias]| {
        let (x, bias) = (view::<f32, Ix4>(x), view::<f32, Ix4>(bias));
        let bias = stretched(&bias, (n, 64, 1, 1));
        zip!(large(out), (to in out.exact_chunks_mut(PLANES), x in x.exact_chunks(PLANES), &bias in bias) {
            azip!((to in to, &x in x) *to = x + bias);
        });
    });
    let loops = filling(Array4::zeros((n, 64, 56, 56)), [&x, &bias], move |out, [x, bias]| {
        let (x, bias) = (slice::<f32>(x), slice::<f32>(bias));
        pieces(out, PLANE, |at, to| {
            let bias = bias[at / PLANE % 64];
            to.iter_mut().zip(&x[at..]).for_each(|(to, &x)| *to = x + bias);
        });
    });
    Case::new(&[&x.clone(), &bias.clone()], move || &x + &bias, idiom).by_hand(loops)
}

fn nchw_scale_shift(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.floats(&[n, 64, 56, 56]);
    let (scale, shift) = (data.floats(&[1, 64, 1, 1]), data.floats(&[1, 64, 1, 1]));
    let idiom =
        filling(Array4::zeros((n, 64, 56, 56)), [&x, &scale, &shift], move |out, [x, scale, shift]| {
            let [x, scale, shift] = [x, scale, shift].map(view::<f32, Ix4>);
            let (scale, shift) = (stretched(&scale, (n, 64, 1, 1)), stretched(&shift, (n, 64, 1, 1)));
            let shared = large(out);
            let (to, x) = (out.exact_chunks_mut(PLANES), x.exact_chunks(PLANES));
            zip!(shared, (to in to, x in x, &scale in scale, &shift in shift) {
                azip!((to in to, &x in x) *to = x * scale + shift);
            });
        });
    let loops =
        filling(Array4::zeros((n, 64, 56, 56)), [&x, &scale, &shift], move |out, [x, scale, shift]| {
            let (x, scale, shift) = (slice::<f32>(x), slice::<f32>(scale), slice::<f32>(shift));
            pieces(out, PLANE, |at, to| {
                let channel = at / PLANE % 64;
                let (scale, shift) = (scale[channel], shift[channel]);
                to.iter_mut().zip(&x[at..]).for_each(|(to, &x)| *to = x * scale + shift);
            });
        });
    Case::new(&[&x.clone()], move || &x * &scale + &shift, idiom).by_hand(loops)
}

fn nchw_clip(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.floats(&[n, 64, 56, 56]);
    let (low, high) = (data.of(&[64, 1, 1], |unit| unit - 1.0), data.of(&[64, 1, 1], |unit| unit));
    let idiom = filling(Array4::zeros((n, 64, 56, 56)), [&x, &low, &high], move |out, [x, low, high]| {
        let (x, low, high) = (view::<f32, Ix4>(x), view::<f32, Ix3>(low), view::<f32, Ix3>(high));
        let (low, high) = (stretched(&low, (n, 64, 1, 1)), stretched(&high, (n, 64, 1, 1)));
        let shared = large(out);
        let (to, x) = (out.exact_chunks_mut(PLANES), x.exact_chunks(PLANES));
        zip!(shared, (to in to, x in x, &low in low, &high in high) {
            azip!((to in to, &x in x) *to = x.max(low).min(high));
        });
    });
    let loops = filling(Array4::zeros((n, 64, 56, 56)), [&x, &low, &high], move |out, [x, low, high]| {
        let (x, low, high) = (slice::<f32>(x), slice::<f32>(low), slice::<f32>(high));
        pieces(out, PLANE, |at, to| {
            let channel = at / PLANE % 64;
            let (low, high) = (low[channel], high[channel]);
            to.iter_mut().zip(&x[at..]).for_each(|(to, &x)| *to = x.max(low).min(high));
        });
    });
    Case::new(&[&x.clone()], move || x.clip(&low, &high), idiom).by_hand(loops)
}

/// How many pixels are done in one piece.
const PIXELS: usize = 1024;

fn rows_of_3(n: usize) -> Case {
    let mut data = Source::default();
    let (x, row) = (data.floats(&[n, 3]), data.floats(&[3]));
    let idiom = filling(Array2::zeros((n, 3)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (view::<f32, Ix2>(x), view::<f32, Ix1>(row));
        let add = |mut out: ArrayViewMut2<'_, f32>, x: ArrayView2<'_, f32>| {
            azip!((to in out.columns_mut(), x in x.columns(), &row in row) {
                azip!((to in to, &x in x) *to = x + row);
            });
        };
        if large(out) {
            let parts = out.axis_chunks_iter_mut(Axis(0), PIXELS).into_par_iter();
            parts.zip(x.axis_chunks_iter(Axis(0), PIXELS)).for_each(|(out, x)| add(out, x));
        } else {
            add(out.view_mut(), x);
        }
    });
    let loops = filling(Array2::zeros((n, 3)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (slice::<f32>(x), slice::<f32>(row));
        let [a, b, c] = [row[0], row[1], row[2]];
        pieces(out, 3 * PIXELS, |at, to| {
            for (to, x) in to.chunks_exact_mut(3).zip(x[at..].chunks_exact(3)) {
                (to[0], to[1], to[2]) = (x[0] + a, x[1] + b, x[2] + c);
            }
        });
    });
    Case::new(&[&x.clone()], move || &x + &row, idiom).by_hand(loops)
}

fn hwc_normalise(n: usize) -> Case {
    let mut data = Source::default();
    let (x, mean, scale) = (data.floats(&[n, 1024, 3]), data.floats(&[3]), data.positive(&[3]));
    let idiom = filling(Array3::zeros((n, 1024, 3)), [&x, &mean, &scale], move |out, [x, mean, scale]| {
        let (x, mean, scale) = (view::<f32, Ix3>(x), view::<f32, Ix1>(mean), view::<f32, Ix1>(scale));
        let (mean, scale) = (stretched(&mean, (n, 3)), stretched(&scale, (n, 3)));
        // The lanes are the rows of a channel.
        zip!(large(out), (to in out.lanes_mut(Axis(1)), x in x.lanes(Axis(1)), &mean in mean, &scale in scale) {
            azip!((to in to, &x in x) *to = (x - mean) * scale);
        });
    });
    let loops = filling(Array3::zeros((n, 1024, 3)), [&x, &mean, &scale], move |out, [x, mean, scale]| {
        let (x, m, s) = (slice::<f32>(x), slice::<f32>(mean), slice::<f32>(scale));
        let ([ma, mb, mc], [sa, sb, sc]) = ([m[0], m[1], m[2]], [s[0], s[1], s[2]]);
        pieces(out, 3 * PIXELS, |at, to| {
            for (to, x) in to.chunks_exact_mut(3).zip(x[at..].chunks_exact(3)) {
                (to[0], to[1], to[2]) = ((x[0] - ma) * sa, (x[1] - mb) * sb, (x[2] - mc) * sc);
            }
        });
    });
    Case::new(&[&x.clone()], move || (&x - &mean) * &scale, idiom).by_hand(loops)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
fn image(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.of(&[n, 1920, 3], |unit| (unit * 255.0) as u8);
    let (mean, deviation) = (data.floats(&[3]), data.positive(&[3]));
    let idiom =
        filling(Array3::zeros((n, 1920, 3)), [&x, &mean, &deviation], move |out, [x, mean, deviation]| {
            let (x, mean, deviation) =
                (view::<u8, Ix3>(x), view::<f32, Ix1>(mean), view::<f32, Ix1>(deviation));
            let (mean, deviation) = (stretched(&mean, (n, 3)), stretched(&deviation, (n, 3)));
            let shared = large(out);
            let (to, x) = (out.lanes_mut(Axis(1)), x.lanes(Axis(1)));
            zip!(shared, (to in to, x in x, &mean in mean, &deviation in deviation) {
                azip!((to in to, &x in x) *to = (f32::from(x) / 255.0 - mean) / deviation);
            });
        });
    let loops =
        filling(Array3::zeros((n, 1920, 3)), [&x, &mean, &deviation], move |out, [x, mean, deviation]| {
            let (x, m, s) = (slice::<u8>(x), slice::<f32>(mean), slice::<f32>(deviation));
            let ([ma, mb, mc], [sa, sb, sc]) = ([m[0], m[1], m[2]], [s[0], s[1], s[2]]);
            pieces(out, 3 * PIXELS, |at, to| {
                for (to, x) in to.chunks_exact_mut(3).zip(x[at..].chunks_exact(3)) {
                    let [a, b, c] = [f32::from(x[0]), f32::from(x[1]), f32::from(x[2])];
                    (to[0], to[1], to[2]) =
                        ((a / 255.0 - ma) / sa, (b / 255.0 - mb) / sb, (c / 255.0 - mc) / sc);
                }
            });
        });
    Case::new(&[&x.clone()], move || (x.convert(DType::F32) / 255.0 - &mean) / &deviation, idiom)
        .by_hand(loops)
}

/// A feature map of each type of 16 bits.
macro_rules! nhwc_halves {
    ($($name:ident: $half:ident;)*) => {$(
        fn $name(n: usize) -> Case {
            let mut data = Source::default();
            let make = |unit: f32| $half::from_f32(unit * 2.0 - 1.0);
            let (x, scale) = (data.of(&[n, 56, 56, 256], make), data.of(&[256], make));
            let shift = data.of(&[256], make);
            let zeros = Array4::from_elem((n, 56, 56, 256), $half::ZERO);
            let idiom = filling(zeros.clone(), [&x, &scale, &shift], move |out, [x, scale, shift]| {
                let (x, scale, shift) = (view::<$half, Ix4>(x), view::<$half, Ix1>(scale), view::<$half, Ix1>(shift));
                let (scale, shift) = (stretched(&scale, x.dim()), stretched(&shift, x.dim()));
                zip!(large(out), (to in out, &x in x, &scale in scale, &shift in shift) {
                    *to = $half::from_f32(f32::from(x) * f32::from(scale) + f32::from(shift));
                });
            });
            let loops = filling(zeros, [&x, &scale, &shift], move |out, [x, scale, shift]| {
                let x = slice::<$half>(x);
                let wide = |tensor| slice::<$half>(tensor).iter().map(|n| n.to_f32()).collect::<Vec<f32>>();
                let (scale, shift) = (wide(scale), wide(shift));
                pieces(out, 256 * 56, |at, to| {
                    for (to, x) in to.chunks_exact_mut(256).zip(x[at..].chunks_exact(256)) {
                        for (((to, x), scale), shift) in to.iter_mut().zip(x).zip(&scale).zip(&shift) {
                            *to = $half::from_f32(x.to_f32() * scale + shift);
                        }
                    }
                });
            });
            Case::new(&[&x.clone()], move || &x * &scale + &shift, idiom).by_hand(loops)
        }
    )*};
}

nhwc_halves! { nhwc_bf16: bf16; nhwc_f16: f16; }
