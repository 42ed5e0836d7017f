//! Matrices with something for each row or each column: normalisation, softmax, in-place scaling.

use ndarray::{Array2, Ix1, Ix2, azip};
use ndcast::{Array, Keep};
use num_complex::Complex;

use super::{Case, Class, Workload};
use crate::by_hand::{pieces, sum_of};
use crate::data::{Source, ready, slice};
use crate::idiom::{large, view, zip};
use crate::peer::{Close, changing, filling};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "layer norm apply",
        class: Class::Memory,
        what: "([4096,1024] - [4096,1]) * [4096,1] * [1024] + [1024]",
        leading: 4096,
        mib: 64,
        make: layer_norm_apply,
    },
    Workload {
        name: "layer norm",
        class: Class::Compute,
        what: "[4096,1024]: mean, variance, and all of the above",
        leading: 4096,
        mib: 64,
        make: layer_norm,
    },
    Workload {
        name: "softmax rows",
        class: Class::Compute,
        what: "[8192,1024]: exp(x - max), divided by its sum",
        leading: 8192,
        mib: 128,
        make: softmax,
    },
    Workload {
        name: "in place f32",
        class: Class::Memory,
        what: "[4096,1024] *= [4096,1]",
        leading: 4096,
        mib: 48,
        make: |n| in_place::<f32>(n, [1.0, -1.0]),
    },
    Workload {
        name: "in place f64",
        class: Class::Memory,
        what: "f64 [4096,1024] *= [4096,1]",
        leading: 4096,
        mib: 96,
        make: |n| in_place::<f64>(n, [1.0, -1.0]),
    },
    Workload {
        name: "in place c64",
        class: Class::Memory,
        what: "complex64 [4096,1024] *= [4096,1]",
        leading: 4096,
        mib: 96,
        make: |n| in_place(n, [Complex::new(1.0f32, 0.0), Complex::new(0.0, 1.0)]),
    },
];

const COLUMNS: usize = 1024;

fn layer_norm_apply(n: usize) -> Case {
    let mut data = Source::default();
    let (x, mean, factor) = (data.floats(&[n, COLUMNS]), data.floats(&[n, 1]), data.positive(&[n, 1]));
    let (gain, bias) = (data.floats(&[COLUMNS]), data.floats(&[COLUMNS]));
    let inputs = [&x, &mean, &factor, &gain, &bias];
    let idiom = filling(Array2::zeros((n, COLUMNS)), inputs, move |out, [x, mean, factor, gain, bias]| {
        let [x, mean, factor] = [x, mean, factor].map(view::<f32, Ix2>);
        let [gain, bias] = [gain, bias].map(view::<f32, Ix1>);
        let (mean, factor) = (mean.column(0), factor.column(0));
        zip!(large(out), (to in out.rows_mut(), x in x.rows(), &mean in mean, &factor in factor) {
            azip!((to in to, &x in x, &gain in gain, &bias in bias) *to = (x - mean) * factor * gain + bias);
        });
    });
    let loops = filling(
        Array2::zeros((n, COLUMNS)),
        [&x, &mean, &factor, &gain, &bias],
        move |out, [x, mean, factor, gain, bias]| {
            let (x, mean, factor) = (slice::<f32>(x), slice::<f32>(mean), slice::<f32>(factor));
            let (gain, bias) = (slice::<f32>(gain), slice::<f32>(bias));
            pieces(out, COLUMNS, |at, to| {
                let (mean, factor) = (mean[at / COLUMNS], factor[at / COLUMNS]);
                for (((to, &x), &gain), &bias) in to.iter_mut().zip(&x[at..]).zip(gain).zip(bias) {
                    *to = (x - mean) * factor * gain + bias;
                }
            });
        },
    );
    Case::new(&[&x.clone()], move || (&x - &mean) * &factor * &gain + &bias, idiom).by_hand(loops)
}

fn layer_norm(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.positive(&[n, COLUMNS]);
    let (gain, bias) = (data.floats(&[COLUMNS]), data.floats(&[COLUMNS]));
    let idiom = filling(Array2::zeros((n, COLUMNS)), [&x, &gain, &bias], move |out, [x, gain, bias]| {
        let x = view::<f32, Ix2>(x);
        let [gain, bias] = [gain, bias].map(view::<f32, Ix1>);
        zip!(large(out), (mut to in out.rows_mut(), x in x.rows()) {
            let mean = x.sum() / 1024.0;
            azip!((to in &mut to, &x in x) *to = x - mean);
            let variance = to.dot(&to) / 1024.0;
            let factor = 1.0 / (variance + 1e-5).sqrt();
            azip!((to in to, &gain in gain, &bias in bias) *to = *to * factor * gain + bias);
        });
    });
    let loops = filling(Array2::zeros((n, COLUMNS)), [&x, &gain, &bias], move |out, [x, gain, bias]| {
        let (x, gain, bias) = (slice::<f32>(x), slice::<f32>(gain), slice::<f32>(bias));
        pieces(out, COLUMNS, |at, to| {
            let x = &x[at..][..COLUMNS];
            let mean = sum_of(x, |x| x) / 1024.0;
            let variance = sum_of(x, |x| (x - mean) * (x - mean)) / 1024.0;
            let factor = 1.0 / (variance + 1e-5).sqrt();
            for (((to, &x), &gain), &bias) in to.iter_mut().zip(x).zip(gain).zip(bias) {
                *to = (x - mean) * factor * gain + bias;
            }
        });
    });
    let read = x.clone();
    let ours = move || {
        let distance = &x - &x.mean([1], Keep::Axes);
        let factor = (distance.square().mean([1], Keep::Axes) + 1e-5).rsqrt();
        distance * &factor * &gain + &bias
    };
    Case::new(&[&read], ours, idiom).by_hand(loops)
}

fn softmax(n: usize) -> Case {
    let x = Source::default().of(&[n, COLUMNS], |unit| unit * 8.0 - 4.0);
    let idiom = filling(Array2::zeros((n, COLUMNS)), [&x], move |out, [x]| {
        let x = view::<f32, Ix2>(x);
        zip!(large(out), (mut to in out.rows_mut(), x in x.rows()) {
            let greatest = x.fold(f32::NEG_INFINITY, |greatest, &x| greatest.max(x));
            azip!((to in &mut to, &x in x) *to = (x - greatest).exp());
            let factor = 1.0 / to.sum();
            to *= factor;
        });
    });
    let loops = filling(Array2::zeros((n, COLUMNS)), [&x], move |out, [x]| {
        let x = slice::<f32>(x);
        pieces(out, COLUMNS, |at, to| {
            let x = &x[at..][..COLUMNS];
            let greatest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            to.iter_mut().zip(x).for_each(|(to, &x)| *to = (x - greatest).exp());
            let factor = 1.0 / sum_of(to, |e| e);
            to.iter_mut().for_each(|to| *to *= factor);
        });
    });
    let read = x.clone();
    let ours = move || {
        let exponential = (&x - &x.max([1], Keep::Axes)).exp();
        &exponential / &exponential.sum([1], Keep::Axes)
    };
    Case::new(&[&read], ours, idiom).by_hand(loops)
}

/// Both sides change what they have, so they stay equal; the factors keep it finite.
fn in_place<T>(n: usize, factors: [T; 2]) -> Case
where
    T: Close + Default + From<f32> + std::ops::Mul<Output = T>,
{
    let mut data = Source::default();
    let mut x = data.of(&[n, COLUMNS], |unit| T::from(unit));
    let factor = data.of(&[n, 1], |unit| factors[usize::from(unit < 0.5)]);
    let start = view::<T, Ix2>(&ready(&x)).to_owned();
    let idiom = changing(start.clone(), [&factor], move |out, [factor]| {
        let factor = view::<T, Ix2>(factor);
        zip!(large(out), (mut row in out.rows_mut(), &factor in factor.column(0)) {
            row.mapv_inplace(|x| x * factor);
        });
    });
    let loops = changing(start, [&factor], move |out, [factor]| {
        let factor = slice::<T>(factor);
        pieces(out, COLUMNS, |at, to| {
            let factor = factor[at / COLUMNS];
            to.iter_mut().for_each(|to| *to = *to * factor);
        });
    });
    let mut case = Case::new(&[&x], || Array::scalar(0), idiom).by_hand(loops);
    case.ours = Box::new(move || {
        x *= &factor;
        x.clone()
    });
    case
}
