//! A column against a row.

use ndarray::{Array2, Axis, Ix2, Ix3, azip};
use ndcast::Keep;

use super::{Case, Class, Workload};
use crate::by_hand::{pieces, pieces_of, sum_of_pairs};
use crate::data::{Source, slice};
use crate::idiom::{large, view, zip};
use crate::peer::{filling, is_shared};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "outer product",
        class: Class::Memory,
        what: "[4096,1] * [1,4096]",
        leading: 4096,
        mib: 192,
        make: outer,
    },
    Workload {
        name: "rbf kernel",
        class: Class::Compute,
        what: "exp(-([4096,1] - [1,4096])^2)",
        leading: 4096,
        mib: 192,
        make: rbf,
    },
    Workload {
        name: "hoisted sin and exp",
        class: Class::Memory,
        what: "sin [1,2048] + exp [2048,1]",
        leading: 2048,
        mib: 48,
        make: hoisted,
    },
    Workload {
        name: "positional encoding",
        class: Class::Compute,
        what: "sin([2048,1] * [1,512])",
        leading: 2048,
        mib: 12,
        make: positional,
    },
    Workload {
        name: "pairwise distances",
        class: Class::Compute,
        what: "sum of ([1024,1,128] - [1,1024,128])^2 over the last axis",
        leading: 1024,
        mib: 13,
        make: pairwise,
    },
];

fn outer(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n, 1]), data.floats(&[1, 4096]));
    let idiom = filling(Array2::zeros((n, 4096)), [&a, &b], move |out, [a, b]| {
        let [a, b] = [a, b].map(view::<f32, Ix2>);
        zip!(large(out), (to in out.rows_mut(), &a in a.column(0)) {
            azip!((to in to, &b in b.row(0)) *to = a * b);
        });
    });
    let loops = filling(Array2::zeros((n, 4096)), [&a, &b], move |out, [a, b]| {
        let (a, b) = (slice::<f32>(a), slice::<f32>(b));
        pieces(out, 4096, |at, to| {
            let a = a[at / 4096];
            to.iter_mut().zip(b).for_each(|(to, b)| *to = a * b);
        });
    });
    Case::new(&[&a.clone()], move || &a * &b, idiom).by_hand(loops)
}

fn rbf(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n, 1]), data.floats(&[1, 4096]));
    let idiom = filling(Array2::zeros((n, 4096)), [&a, &b], move |out, [a, b]| {
        let [a, b] = [a, b].map(view::<f32, Ix2>);
        zip!(large(out), (to in out.rows_mut(), &a in a.column(0)) {
            azip!((to in to, &b in b.row(0)) *to = (-(a - b) * (a - b)).exp());
        });
    });
    let loops = filling(Array2::zeros((n, 4096)), [&a, &b], move |out, [a, b]| {
        let (a, b) = (slice::<f32>(a), slice::<f32>(b));
        pieces(out, 4096, |at, to| {
            let a = a[at / 4096];
            to.iter_mut().zip(b).for_each(|(to, b)| *to = (-(a - b) * (a - b)).exp());
        });
    });
    Case::new(&[&a.clone()], move || (-(&a - &b).square()).exp(), idiom).by_hand(loops)
}

fn hoisted(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[1, 2048]), data.floats(&[n, 1]));
    let idiom = filling(Array2::zeros((n, 2048)), [&a, &b], move |out, [a, b]| {
        let [a, b] = [a, b].map(view::<f32, Ix2>);
        let sines = a.mapv(f32::sin);
        zip!(large(out), (to in out.rows_mut(), &b in b.column(0)) {
            let exponential = b.exp();
            azip!((to in to, &sine in sines.row(0)) *to = sine + exponential);
        });
    });
    let loops = filling(Array2::zeros((n, 2048)), [&a, &b], move |out, [a, b]| {
        let sines: Vec<f32> = slice::<f32>(a).iter().map(|a| a.sin()).collect();
        let exponentials: Vec<f32> = slice::<f32>(b).iter().map(|b| b.exp()).collect();
        pieces(out, 2048, |at, to| {
            let exponential = exponentials[at / 2048];
            to.iter_mut().zip(&sines).for_each(|(to, sine)| *to = sine + exponential);
        });
    });
    Case::new(&[&b.clone()], move || a.sin() + &b.exp(), idiom).by_hand(loops)
}

fn positional(n: usize) -> Case {
    let mut data = Source::default();
    let (positions, frequencies) = (data.of(&[n, 1], |unit| unit * 2048.0), data.floats(&[1, 512]));
    let idiom =
        filling(Array2::zeros((n, 512)), [&positions, &frequencies], move |out, [positions, frequencies]| {
            let [positions, frequencies] = [positions, frequencies].map(view::<f32, Ix2>);
            zip!(large(out), (to in out.rows_mut(), &position in positions.column(0)) {
                azip!((to in to, &f in frequencies.row(0)) *to = (position * f).sin());
            });
        });
    let loops =
        filling(Array2::zeros((n, 512)), [&positions, &frequencies], move |out, [positions, frequencies]| {
            let (positions, frequencies) = (slice::<f32>(positions), slice::<f32>(frequencies));
            pieces(out, 512, |at, to| {
                let position = positions[at / 512];
                to.iter_mut().zip(frequencies).for_each(|(to, f)| *to = (position * f).sin());
            });
        });
    Case::new(&[&positions.clone()], move || (&positions * &frequencies).sin(), idiom).by_hand(loops)
}

fn pairwise(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n, 1, 128]), data.floats(&[1, 1024, 128]));
    let idiom = filling(Array2::zeros((n, 1024)), [&a, &b], move |out, [a, b]| {
        let [a, b] = [a, b].map(view::<f32, Ix3>);
        let (a, b) = (a.index_axis(Axis(1), 0), b.index_axis(Axis(0), 0));
        let work = a.len() * 1024 * size_of::<f32>();
        zip!(is_shared(work), (mut to in out.rows_mut(), a in a.rows()) {
            // A sum along an axis is of vectors, where folding each pair of rows adds one after the other.
            let squares = (&a - &b).mapv_into(|distance| distance * distance);
            to.assign(&squares.sum_axis(Axis(1)));
        });
    });
    let loops = filling(Array2::zeros((n, 1024)), [&a, &b], move |out, [a, b]| {
        let (a, b) = (slice::<f32>(a), slice::<f32>(b));
        let work = a.len() * 1024 * size_of::<f32>();
        pieces_of(out, 1024, work, |at, to| {
            let a = &a[at / 1024 * 128..][..128];
            for (to, b) in to.iter_mut().zip(b.chunks_exact(128)) {
                *to = sum_of_pairs(a, b, |a, b| (a - b) * (a - b));
            }
        });
    });
    let read = [a.clone(), b.clone()];
    let ours = move || (&a - &b).square().sum([2], Keep::Nothing);
    Case::new(&[&read[0], &read[1]], ours, idiom).by_hand(loops)
}
