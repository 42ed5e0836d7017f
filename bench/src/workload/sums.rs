//! Gradients: sums back to the shape that was broadcast.

use ndarray::parallel::prelude::*;
use ndarray::{Array1, ArrayView2, Axis, azip};
use ndcast::Keep;

use super::{Case, Class, Workload};
use crate::data::{Source, ready, slice};
use crate::peer::{filling, pieces_of, sum_of, sum_of_pairs};

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
    let px = ready(&x);
    let theirs = filling(Array1::<f32>::zeros(64), move |out| {
        let x = slice::<f32>(&px);
        pieces_of(out, 1, size_of_val(x), |channel, to| {
            let planes = x.chunks_exact(PLANE).skip(channel).step_by(64);
            to[0] = planes.map(|plane| sum_of(plane, |x| x)).sum();
        });
    });
    Case::new(&[&x.clone()], move || x.sum(&[0, 2, 3], Keep::Nothing), theirs)
}

fn products(n: usize) -> Case {
    let mut data = Source::default();
    let (x, y) = (data.positive(&[n, 64, 56, 56]), data.positive(&[n, 64, 56, 56]));
    let (px, py) = (ready(&x), ready(&y));
    let theirs = filling(Array1::<f32>::zeros(64), move |out| {
        let (x, y) = (slice::<f32>(&px), slice::<f32>(&py));
        pieces_of(out, 1, 2 * size_of_val(x), |channel, to| {
            let planes = x.chunks_exact(PLANE).zip(y.chunks_exact(PLANE)).skip(channel).step_by(64);
            to[0] = planes.map(|(x, y)| sum_of_pairs(x, y, |x, y| x * y)).sum();
        });
    });
    let read = [x.clone(), y.clone()];
    Case::new(&[&read[0], &read[1]], move || (&x * &y).sum(&[0, 2, 3], Keep::Nothing), theirs)
}

fn first_axis(n: usize) -> Case {
    let x = Source::default().positive(&[n, 1024]);
    let px = ready(&x);
    let theirs = filling(Array1::zeros(1024), move |out| {
        let Ok(x) = ArrayView2::from_shape((n, 1024), slice::<f32>(&px)) else { return };
        let parts = rayon::current_num_threads().max(1);
        let sums: Vec<Array1<f32>> =
            x.axis_chunks_iter(Axis(0), n.div_ceil(parts)).into_par_iter().map(|x| sum_rows(&x)).collect();
        out.fill(0.0);
        sums.iter().for_each(|sum| *out += sum);
    });
    Case::new(&[&x.clone()], move || x.sum(&[0], Keep::Nothing), theirs)
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
