//! Operands that lie across or apart in memory, and axes that alternate.

use ndarray::parallel::prelude::*;
use ndarray::{Array2, Array4, Array6, ArrayView2, ArrayViewMut2, Axis, Ix1, Ix2, Ix4, Ix6, azip, s};
use ndcast::shape::{Index, parse_index};

use super::{Case, Class, Workload};
use crate::by_hand::pieces;
use crate::data::{Source, slice};
use crate::idiom::{large, stretched, view, zip};
use crate::peer::filling;

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "inner axis of 2",
        class: Class::Memory,
        what: "[1,32,32,2] - [1024,1,1,2]",
        leading: 1024,
        mib: 24,
        make: inner_2,
    },
    Workload {
        name: "plus transposed",
        class: Class::Memory,
        what: "x + y.T of [2048,2048]",
        leading: 2048,
        mib: 80,
        make: transposed,
    },
    Workload {
        name: "strided slice",
        class: Class::Memory,
        what: "x[::2, ::3] + [1366] of [4096,4096]",
        leading: 4096,
        mib: 97,
        make: strided,
    },
    Workload {
        name: "alternating 6-d",
        class: Class::Memory,
        what: "[8,1,16,1,32,1] * [1,8,1,16,1,32]",
        leading: 8,
        mib: 192,
        make: alternating,
    },
];

fn inner_2(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[1, 32, 32, 2]), data.floats(&[n, 1, 1, 2]));
    let idiom = filling(Array4::zeros((n, 32, 32, 2)), [&a, &b], move |out, [a, b]| {
        let [a, b] = [a, b].map(view::<f32, Ix4>);
        let a = a.index_axis(Axis(0), 0);
        zip!(large(out), (mut out in out.outer_iter_mut(), b in b.outer_iter()) {
            azip!((to in out.axis_iter_mut(Axis(2)), a in a.axis_iter(Axis(2)), &b in b.slice(s![0, 0, ..])) {
                azip!((to in to, &a in a) *to = a - b);
            });
        });
    });
    let loops = filling(Array4::zeros((n, 32, 32, 2)), [&a, &b], move |out, [a, b]| {
        let (a, b) = (slice::<f32>(a), slice::<f32>(b));
        pieces(out, 2048, |at, to| {
            let (x, y) = (b[at / 1024], b[at / 1024 + 1]);
            for (to, a) in to.chunks_exact_mut(2).zip(a.chunks_exact(2)) {
                (to[0], to[1]) = (a[0] - x, a[1] - y);
            }
        });
    });
    Case::new(&[&b.clone()], move || &a - &b, idiom).by_hand(loops)
}

/// The side of the squares that the loops by hand read a transposed matrix in.
const SQUARE: usize = 32;

/// And of those that `ndarray` does: 32 takes it 1.4 times as long, and no squares at all five times.
const SIDE: usize = 16;

/// Adds square after square of a band of rows.
fn add_squares(mut out: ArrayViewMut2<'_, f32>, x: &ArrayView2<'_, f32>, y: &ArrayView2<'_, f32>) {
    let squares = out.axis_chunks_iter_mut(Axis(1), SIDE).zip(x.axis_chunks_iter(Axis(1), SIDE));
    squares.zip(y.axis_chunks_iter(Axis(1), SIDE)).for_each(|((to, x), y)| {
        azip!((to in to, &x in x, &y in y) *to = x + y);
    });
}

fn transposed(n: usize) -> Case {
    let mut data = Source::default();
    let (x, y) = (data.floats(&[n, 2048]), data.floats(&[2048, n]));
    let idiom = filling(Array2::zeros((n, 2048)), [&x, &y], move |out, [x, y]| {
        let [x, y] = [x, y].map(view::<f32, Ix2>);
        let y = y.t();
        if large(out) {
            let bands = out.axis_chunks_iter_mut(Axis(0), SIDE).into_par_iter();
            let bands = bands.zip(x.axis_chunks_iter(Axis(0), SIDE)).zip(y.axis_chunks_iter(Axis(0), SIDE));
            bands.for_each(|((out, x), y)| add_squares(out, &x, &y));
        } else {
            add_squares(out.view_mut(), &x, &y);
        }
    });
    let loops = filling(Array2::zeros((n, 2048)), [&x, &y], move |out, [x, y]| {
        let (x, y) = (slice::<f32>(x), slice::<f32>(y));
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
    Case::new(&[&read[0], &read[1]], move || &x + &y.transpose(&[1, 0]), idiom).by_hand(loops)
}

/// Every second row and every third column.
fn apart() -> Vec<Index> {
    parse_index("::2, ::3").unwrap_or_default()
}

fn strided(n: usize) -> Case {
    let mut data = Source::default();
    let (x, row) = (data.floats(&[n, 4096]), data.floats(&[1366]));
    let idiom = filling(Array2::zeros((n.div_ceil(2), 1366)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (view::<f32, Ix2>(x), view::<f32, Ix1>(row));
        let row = stretched(&row, out.dim());
        zip!(large(out), (to in out, &x in x.slice(s![..;2, ..;3]), &row in row) *to = x + row);
    });
    let loops = filling(Array2::zeros((n.div_ceil(2), 1366)), [&x, &row], move |out, [x, row]| {
        let (x, row) = (slice::<f32>(x), slice::<f32>(row));
        pieces(out, 1366, |at, to| {
            let x = x[at / 1366 * 2 * 4096..].iter().step_by(3);
            to.iter_mut().zip(x).zip(row).for_each(|((to, x), row)| *to = x + row);
        });
    });
    let mut case = Case::new(&[&x.clone()], move || x.select(&apart()) + &row, idiom).by_hand(loops);
    // Of every second row each line of the cache.
    case.traffic.read /= 2;
    case
}

fn alternating(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n, 1, 16, 1, 32, 1]), data.floats(&[1, 8, 1, 16, 1, 32]));
    let idiom = filling(Array6::zeros((n, 8, 16, 16, 32, 32)), [&a, &b], move |out, [a, b]| {
        let [a, b] = [a, b].map(view::<f32, Ix6>);
        let (a, b) = (stretched(&a, out.raw_dim()), stretched(&b, out.raw_dim()));
        let (a, b) = (a.index_axis(Axis(5), 0), b.lanes(Axis(5)));
        zip!(large(out), (to in out.lanes_mut(Axis(5)), &a in a, b in b) azip!((to in to, &b in b) *to = a * b));
    });
    let loops = filling(Array6::zeros((n, 8, 16, 16, 32, 32)), [&a, &b], move |out, [a, b]| {
        let (a, b) = (slice::<f32>(a), slice::<f32>(b));
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
    Case::new(&[&a.clone()], move || &a * &b, idiom).by_hand(loops)
}
