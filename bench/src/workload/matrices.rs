//! A column against a row, and matrices that lie across or apart in memory.

use ndarray::{Array2, Array4, Array6};
use ndcast::Keep;
use ndcast::shape::{Index, parse_index};

use super::{Case, Class, Workload};
use crate::data::{Source, ready, slice};
use crate::peer::{filling, pieces, pieces_of, sum_of_pairs};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "outer product",
        class: Class::Memory,
        what: "[4096,1] * [1,4096]",
        leading: 4096,
        mib: 128,
        make: outer,
    },
    Workload {
        name: "rbf kernel",
        class: Class::Compute,
        what: "exp(-([4096,1] - [1,4096])^2)",
        leading: 4096,
        mib: 128,
        make: rbf,
    },
    Workload {
        name: "hoisted sin and exp",
        class: Class::Memory,
        what: "sin [1,2048] + exp [2048,1]",
        leading: 2048,
        mib: 32,
        make: hoisted,
    },
    Workload {
        name: "positional encoding",
        class: Class::Compute,
        what: "sin([2048,1] * [1,512])",
        leading: 2048,
        mib: 8,
        make: positional,
    },
    Workload {
        name: "pairwise distances",
        class: Class::Compute,
        what: "sum of ([1024,1,128] - [1,1024,128])^2 over the last axis",
        leading: 1024,
        mib: 9,
        make: pairwise,
    },
    Workload {
        name: "inner axis of 2",
        class: Class::Memory,
        what: "[1,32,32,2] - [1024,1,1,2]",
        leading: 1024,
        mib: 16,
        make: inner_2,
    },
    Workload {
        name: "plus transposed",
        class: Class::Memory,
        what: "x + y.T of [2048,2048]",
        leading: 2048,
        mib: 64,
        make: transposed,
    },
    Workload {
        name: "strided slice",
        class: Class::Memory,
        what: "x[::2, ::3] + [1366] of [4096,4096]",
        leading: 4096,
        mib: 86,
        make: strided,
    },
    Workload {
        name: "alternating 6-d",
        class: Class::Memory,
        what: "[8,1,16,1,32,1] * [1,8,1,16,1,32]",
        leading: 8,
        mib: 128,
        make: alternating,
    },
];

fn outer(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n, 1]), data.floats(&[1, 4096]));
    let (pa, pb) = (ready(&a), ready(&b));
    let theirs = filling(Array2::zeros((n, 4096)), move |out| {
        let (a, b) = (slice::<f32>(&pa), slice::<f32>(&pb));
        pieces(out, 4096, |at, to| {
            let a = a[at / 4096];
            to.iter_mut().zip(b).for_each(|(to, b)| *to = a * b);
        });
    });
    Case::new(&[&a.clone()], move || &a * &b, theirs)
}

fn rbf(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n, 1]), data.floats(&[1, 4096]));
    let (pa, pb) = (ready(&a), ready(&b));
    let theirs = filling(Array2::zeros((n, 4096)), move |out| {
        let (a, b) = (slice::<f32>(&pa), slice::<f32>(&pb));
        pieces(out, 4096, |at, to| {
            let a = a[at / 4096];
            to.iter_mut().zip(b).for_each(|(to, b)| *to = (-(a - b) * (a - b)).exp());
        });
    });
    Case::new(&[&a.clone()], move || (-(&a - &b).square()).exp(), theirs)
}

fn hoisted(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[1, 2048]), data.floats(&[n, 1]));
    let (pa, pb) = (ready(&a), ready(&b));
    let theirs = filling(Array2::zeros((n, 2048)), move |out| {
        let sines: Vec<f32> = slice::<f32>(&pa).iter().map(|a| a.sin()).collect();
        let exponentials: Vec<f32> = slice::<f32>(&pb).iter().map(|b| b.exp()).collect();
        pieces(out, 2048, |at, to| {
            let exponential = exponentials[at / 2048];
            to.iter_mut().zip(&sines).for_each(|(to, sine)| *to = sine + exponential);
        });
    });
    Case::new(&[&b.clone()], move || a.sin() + &b.exp(), theirs)
}

fn positional(n: usize) -> Case {
    let mut data = Source::default();
    let (positions, frequencies) = (data.of(&[n, 1], |unit| unit * 2048.0), data.floats(&[1, 512]));
    let (pp, pf) = (ready(&positions), ready(&frequencies));
    let theirs = filling(Array2::zeros((n, 512)), move |out| {
        let (positions, frequencies) = (slice::<f32>(&pp), slice::<f32>(&pf));
        pieces(out, 512, |at, to| {
            let position = positions[at / 512];
            to.iter_mut().zip(frequencies).for_each(|(to, f)| *to = (position * f).sin());
        });
    });
    Case::new(&[&positions.clone()], move || (&positions * &frequencies).sin(), theirs)
}

fn pairwise(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n, 1, 128]), data.floats(&[1, 1024, 128]));
    let (pa, pb) = (ready(&a), ready(&b));
    let theirs = filling(Array2::zeros((n, 1024)), move |out| {
        let (a, b) = (slice::<f32>(&pa), slice::<f32>(&pb));
        let work = a.len() * 1024 * size_of::<f32>();
        pieces_of(out, 1024, work, |at, to| {
            let a = &a[at / 1024 * 128..][..128];
            for (to, b) in to.iter_mut().zip(b.chunks_exact(128)) {
                *to = sum_of_pairs(a, b, |a, b| (a - b) * (a - b));
            }
        });
    });
    let read = [a.clone(), b.clone()];
    let ours = move || (&a - &b).square().sum(&[2], Keep::Nothing);
    Case::new(&[&read[0], &read[1]], ours, theirs)
}

fn inner_2(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[1, 32, 32, 2]), data.floats(&[n, 1, 1, 2]));
    let (pa, pb) = (ready(&a), ready(&b));
    let theirs = filling(Array4::zeros((n, 32, 32, 2)), move |out| {
        let (a, b) = (slice::<f32>(&pa), slice::<f32>(&pb));
        pieces(out, 2048, |at, to| {
            let (x, y) = (b[at / 1024], b[at / 1024 + 1]);
            for (to, a) in to.chunks_exact_mut(2).zip(a.chunks_exact(2)) {
                (to[0], to[1]) = (a[0] - x, a[1] - y);
            }
        });
    });
    Case::new(&[&b.clone()], move || &a - &b, theirs)
}

/// The side of the squares that a transposed matrix is read in.
const SQUARE: usize = 32;

fn transposed(n: usize) -> Case {
    let mut data = Source::default();
    let (x, y) = (data.floats(&[n, 2048]), data.floats(&[2048, n]));
    let (px, py) = (ready(&x), ready(&y));
    let theirs = filling(Array2::zeros((n, 2048)), move |out| {
        let (x, y) = (slice::<f32>(&px), slice::<f32>(&py));
        pieces(out, SQUARE * 2048, |at, to| {
            let first = at / 2048;
            for left in (0..2048).step_by(SQUARE) {
                for (row, to) in to.chunks_exact_mut(2048).enumerate() {
                    let to = &mut to[left..][..SQUARE];
                    let x = &x[at + row * 2048 + left..][..SQUARE];
                    let y = y[left * n + first + row..].iter().step_by(n);
                    to.iter_mut().zip(x).zip(y).for_each(|((to, x), y)| *to = x + y);
                }
            }
        });
    });
    let read = [x.clone(), y.clone()];
    Case::new(&[&read[0], &read[1]], move || &x + &y.transpose(&[1, 0]), theirs)
}

/// Every second row and every third column.
fn apart() -> Vec<Index> {
    parse_index("::2, ::3").unwrap_or_default()
}

fn strided(n: usize) -> Case {
    let mut data = Source::default();
    let (x, row) = (data.floats(&[n, 4096]), data.floats(&[1366]));
    let (px, pr) = (ready(&x), ready(&row));
    let theirs = filling(Array2::zeros((n.div_ceil(2), 1366)), move |out| {
        let (x, row) = (slice::<f32>(&px), slice::<f32>(&pr));
        pieces(out, 1366, |at, to| {
            let x = x[at / 1366 * 2 * 4096..].iter().step_by(3);
            to.iter_mut().zip(x).zip(row).for_each(|((to, x), row)| *to = x + row);
        });
    });
    let mut case = Case::new(&[&x.clone()], move || x.select(&apart()) + &row, theirs);
    // Of every second row each line of the cache.
    case.traffic.read /= 2;
    case
}

fn alternating(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n, 1, 16, 1, 32, 1]), data.floats(&[1, 8, 1, 16, 1, 32]));
    let (pa, pb) = (ready(&a), ready(&b));
    let theirs = filling(Array6::zeros((n, 8, 16, 16, 32, 32)), move |out| {
        let (a, b) = (slice::<f32>(&pa), slice::<f32>(&pb));
        // The last three axes are one piece: the first operand changes along one of them, the second along two.
        pieces(out, 16 * 32 * 32, |at, to| {
            let outer = at / (16 * 32 * 32);
            let a = &a[(outer / 128 * 16 + outer % 16) * 32..][..32];
            let b = &b[outer / 16 % 8 * 16 * 32..][..16 * 32];
            for (to, b) in to.chunks_exact_mut(32 * 32).zip(b.chunks_exact(32)) {
                for (to, a) in to.chunks_exact_mut(32).zip(a) {
                    to.iter_mut().zip(b).for_each(|(to, b)| *to = a * b);
                }
            }
        });
    });
    Case::new(&[&a.clone()], move || &a * &b, theirs)
}
