//! Matrices with something for each row or each column: normalisation, softmax, in-place scaling.

use ndarray::Array2;
use ndcast::{Array, Keep};
use num_complex::Complex;

use super::{Case, Class, Workload};
use crate::data::{Source, ready, slice};
use crate::peer::{Close, filling, pieces, sum_of};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "layer norm apply",
        class: Class::Memory,
        what: "([4096,1024] - [4096,1]) * [4096,1] * [1024] + [1024]",
        leading: 4096,
        mib: 48,
        make: layer_norm_apply,
    },
    Workload {
        name: "layer norm",
        class: Class::Compute,
        what: "[4096,1024]: mean, variance, and all of the above",
        leading: 4096,
        mib: 48,
        make: layer_norm,
    },
    Workload {
        name: "softmax rows",
        class: Class::Compute,
        what: "[8192,1024]: exp(x - max), divided by its sum",
        leading: 8192,
        mib: 96,
        make: softmax,
    },
    Workload {
        name: "in place f32",
        class: Class::Memory,
        what: "[4096,1024] *= [4096,1]",
        leading: 4096,
        mib: 32,
        make: |n| in_place::<f32>(n, [1.0, -1.0]),
    },
    Workload {
        name: "in place f64",
        class: Class::Memory,
        what: "f64 [4096,1024] *= [4096,1]",
        leading: 4096,
        mib: 64,
        make: |n| in_place::<f64>(n, [1.0, -1.0]),
    },
    Workload {
        name: "in place c64",
        class: Class::Memory,
        what: "complex64 [4096,1024] *= [4096,1]",
        leading: 4096,
        mib: 64,
        make: |n| in_place(n, [Complex::new(1.0f32, 0.0), Complex::new(0.0, 1.0)]),
    },
];

const COLUMNS: usize = 1024;

fn layer_norm_apply(n: usize) -> Case {
    let mut data = Source::default();
    let (x, mean, factor) = (data.floats(&[n, COLUMNS]), data.floats(&[n, 1]), data.positive(&[n, 1]));
    let (gain, bias) = (data.floats(&[COLUMNS]), data.floats(&[COLUMNS]));
    let (px, pm, pf, pg, pb) = (ready(&x), ready(&mean), ready(&factor), ready(&gain), ready(&bias));
    let theirs = filling(Array2::zeros((n, COLUMNS)), move |out| {
        let (x, mean, factor) = (slice::<f32>(&px), slice::<f32>(&pm), slice::<f32>(&pf));
        let (gain, bias) = (slice::<f32>(&pg), slice::<f32>(&pb));
        pieces(out, COLUMNS, |at, to| {
            let (mean, factor) = (mean[at / COLUMNS], factor[at / COLUMNS]);
            for (((to, &x), &gain), &bias) in to.iter_mut().zip(&x[at..]).zip(gain).zip(bias) {
                *to = (x - mean) * factor * gain + bias;
            }
        });
    });
    Case::new(&[&x.clone()], move || (&x - &mean) * &factor * &gain + &bias, theirs)
}

fn layer_norm(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.positive(&[n, COLUMNS]);
    let (gain, bias) = (data.floats(&[COLUMNS]), data.floats(&[COLUMNS]));
    let (px, pg, pb) = (ready(&x), ready(&gain), ready(&bias));
    let theirs = filling(Array2::zeros((n, COLUMNS)), move |out| {
        let (x, gain, bias) = (slice::<f32>(&px), slice::<f32>(&pg), slice::<f32>(&pb));
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
        let distance = &x - &x.mean(&[1], Keep::Axes);
        let factor = (distance.square().mean(&[1], Keep::Axes) + 1e-5).rsqrt();
        distance * &factor * &gain + &bias
    };
    Case::new(&[&read], ours, theirs)
}

fn softmax(n: usize) -> Case {
    let x = Source::default().of(&[n, COLUMNS], |unit| unit * 8.0 - 4.0);
    let px = ready(&x);
    let theirs = filling(Array2::zeros((n, COLUMNS)), move |out| {
        let x = slice::<f32>(&px);
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
        let exponential = (&x - &x.max(&[1], Keep::Axes)).exp();
        &exponential / &exponential.sum(&[1], Keep::Axes)
    };
    Case::new(&[&read], ours, theirs)
}

/// Both sides change what they have, so they stay equal; the factors keep it finite.
fn in_place<T>(n: usize, factors: [T; 2]) -> Case
where
    T: Close + Default + From<f32> + std::ops::Mul<Output = T>,
{
    let mut data = Source::default();
    let mut x = data.of(&[n, COLUMNS], |unit| T::from(unit));
    let factor = data.of(&[n, 1], |unit| factors[usize::from(unit < 0.5)]);
    let (start, pf) = (slice::<T>(&ready(&x)).to_vec(), ready(&factor));
    let start = Array2::from_shape_vec((n, COLUMNS), start).unwrap_or_default();
    let theirs = filling(start, move |out| {
        let factor = slice::<T>(&pf);
        pieces(out, COLUMNS, |at, to| {
            let factor = factor[at / COLUMNS];
            to.iter_mut().for_each(|to| *to = *to * factor);
        });
    });
    let mut case = Case::new(&[&x], || Array::scalar(0), theirs);
    case.ours = Box::new(move || {
        x *= &factor;
        x.clone()
    });
    case
}
