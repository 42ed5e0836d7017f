//! Gradients: sums back to the shape that was broadcast.

use ndarray::parallel::prelude::*;
use ndarray::{Array1, Array3, Array4, ArrayView2, Axis, Ix2, Ix4, azip};
use ndcast::Keep;

use super::{Case, Class, Workload};
use crate::by_hand::{pieces_of, sum_of, sum_of_pairs};
use crate::data::{Source, slice};
use crate::idiom::{large, view, zip};
use crate::peer::filling;

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "sum nchw to c",
        class: Class::Reduce,
        what: "[32,64,56,56] over all axes but the second",
        leading: 32,
        mib: 25,
        make: nchw,
    },
    Workload {
        name: "sum of rows",
        class: Class::Reduce,
        what: "[16384,1024] over the first axis",
        leading: 16384,
        mib: 64,
        make: first_axis,
    },
    Workload {
        name: "sum of products to c",
        class: Class::Reduce,
        what: "[32,64,56,56] * [32,64,56,56] over all axes but the second",
        leading: 32,
        mib: 50,
        make: products,
    },
];

const PLANE: usize = 56 * 56;

fn nchw(n: usize) -> Case {
    let x = Source::default().positive(&[n, 64, 56, 56]);
    let idiom = filling(Array1::<f32>::zeros(64), [&x], move |out, [x]| {
        let x = view::<f32, Ix4>(x);
        let mut sums = Array4::zeros((n, 64, 1, 1));
        zip!(large(&x), (sum in &mut sums, x in x.exact_chunks((1, 1, 56, 56))) *sum = x.sum());
        out.assign(&sums.sum_axis(Axis(3)).sum_axis(Axis(2)).sum_axis(Axis(0)));
    });
    let loops = filling(Array1::<f32>::zeros(64), [&x], move |out, [x]| {
        let x = slice::<f32>(x);
        pieces_of(out, 1, size_of_val(x), |channel, to| {
            let planes = x.chunks_exact(PLANE).skip(channel).step_by(64);
            to[0] = planes.map(|plane| sum_of(plane, |x| x)).sum();
        });
    });
    Case::new(&[&x.clone()], move || x.sum([0, 2, 3], Keep::Nothing), idiom).by_hand(loops)
}

fn products(n: usize) -> Case {
    let mut data = Source::default();
    let (x, y) = (data.positive(&[n, 64, 56, 56]), data.positive(&[n, 64, 56, 56]));
    let idiom = filling(Array1::<f32>::zeros(64), [&x, &y], move |out, [x, y]| {
        let [x, y] = [x, y].map(view::<f32, Ix4>);
        let mut sums = Array3::zeros((n, 64, 56));
        zip!(large(&x), (sum in &mut sums, x in x.lanes(Axis(3)), y in y.lanes(Axis(3))) *sum = x.dot(&y));
        out.assign(&sums.sum_axis(Axis(2)).sum_axis(Axis(0)));
    });
    let loops = filling(Array1::<f32>::zeros(64), [&x, &y], move |out, [x, y]| {
        let (x, y) = (slice::<f32>(x), slice::<f32>(y));
        pieces_of(out, 1, 2 * size_of_val(x), |channel, to| {
            let planes = x.chunks_exact(PLANE).zip(y.chunks_exact(PLANE)).skip(channel).step_by(64);
            to[0] = planes.map(|(x, y)| sum_of_pairs(x, y, |x, y| x * y)).sum();
        });
    });
    let read = [x.clone(), y.clone()];
    Case::new(&[&read[0], &read[1]], move || (&x * &y).sum([0, 2, 3], Keep::Nothing), idiom).by_hand(loops)
}

fn first_axis(n: usize) -> Case {
    let x = Source::default().positive(&[n, 1024]);
    let idiom = filling(Array1::<f32>::zeros(1024), [&x], move |out, [x]| {
        let x = view::<f32, Ix2>(x);
        let part = n.div_ceil(rayon::current_num_threads());
        let sum =
            |x: ArrayView2<'_, f32>| x.rows().into_iter().fold(Array1::zeros(1024), |sum, row| sum + row);
        if large(&x) {
            let sums: Vec<_> = x.axis_chunks_iter(Axis(0), part).into_par_iter().map(sum).collect();
            out.fill(0.0);
            sums.iter().for_each(|sum| *out += sum);
        } else {
            out.assign(&sum(x));
        }
    });
    let loops = filling(Array1::zeros(1024), [&x], move |out, [x]| {
        let Ok(x) = ArrayView2::from_shape((n, 1024), slice::<f32>(x)) else { return };
        let parts = rayon::current_num_threads().max(1);
        let sums: Vec<Array1<f32>> =
            x.axis_chunks_iter(Axis(0), n.div_ceil(parts)).into_par_iter().map(|x| sum_rows(&x)).collect();
        out.fill(0.0);
        sums.iter().for_each(|sum| *out += sum);
    });
    Case::new(&[&x.clone()], move || x.sum([0], Keep::Nothing), idiom).by_hand(loops)
}

/// Four rows at a time, so that the sums are read and written once for four.
fn sum_rows(x: &ArrayView2<'_, f32>) -> Array1<f32> {
    let mut sums = Array1::zeros(x.ncols());
    for rows in x.axis_chunks_iter(Axis(0), 4) {
        if rows.nrows() == 4 {
            let (a, b, c, d) = (rows.row(0), rows.row(1), rows.row(2), rows.row(3));
            azip!((sum in &mut sums, &a in &a, &b in &b, &c in &c, &d in &d) *sum += (a + b) + (c + d));
        } else {
            rows.rows().into_iter().for_each(|row| sums += &row);
        }
    }
    sums
}
