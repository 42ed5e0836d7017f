//! Broadcasts that are written out, for those who need the memory.
//!
//! Both sides write into an array that is there before: a broadcast alone is free, and computes nothing.

use ndarray::parallel::prelude::*;
use ndarray::{Array1, Array2, Array4, Axis, Ix1, Ix2, Ix3};
use ndcast::{Array, DType, Tensor};

use super::{Case, Class, Workload};
use crate::by_hand::pieces;
use crate::data::{Source, slice};
use crate::idiom::{large, stretched, view, zip};
use crate::peer::{Peer, filling};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "repeat a row",
        class: Class::Materialise,
        what: "[64] to [65536,64]",
        leading: 65536,
        mib: 48,
        make: row,
    },
    Workload {
        name: "repeat a column",
        class: Class::Materialise,
        what: "[65536,1] to [65536,64]",
        leading: 65536,
        mib: 48,
        make: column,
    },
    Workload {
        name: "repeat hw1",
        class: Class::Materialise,
        what: "[224,224,1] to [32,224,224,3]",
        leading: 32,
        mib: 55,
        make: picture,
    },
    Workload {
        name: "fill",
        class: Class::Materialise,
        what: "a number to [16777216]",
        leading: 16_777_216,
        mib: 192,
        make: number,
    },
    Workload {
        name: "repeat a mask",
        class: Class::Materialise,
        what: "bool [512,512] to [8,12,512,512]",
        leading: 8,
        mib: 72,
        make: mask,
    },
];

/// A workload that writes `from` into memory of this shape.
fn into(from: Array, shape: &[usize], dtype: DType, idiom: impl Peer + 'static) -> Case {
    let mut to = Array::from(Tensor::zeros(shape, dtype));
    Case::new(
        &[&from.clone()],
        move || {
            to.assign(&from);
            to.clone()
        },
        idiom,
    )
}

fn row(n: usize) -> Case {
    let row = Source::default().floats(&[64]);
    let idiom = filling(Array2::<f32>::zeros((n, 64)), [&row], move |out, [row]| {
        let row = view::<f32, Ix1>(row);
        if large(out) {
            out.axis_chunks_iter_mut(Axis(0), 1024).into_par_iter().for_each(|mut to| to.assign(&row));
        } else {
            out.assign(&row);
        }
    });
    let loops = filling(Array2::<f32>::zeros((n, 64)), [&row], move |out, [row]| {
        let row = slice::<f32>(row);
        pieces(out, 64 * 64, |_, to| to.chunks_exact_mut(64).for_each(|to| to.copy_from_slice(row)));
    });
    into(row, &[n, 64], DType::F32, idiom).by_hand(loops)
}

fn column(n: usize) -> Case {
    let column = Source::default().floats(&[n, 1]);
    let idiom = filling(Array2::<f32>::zeros((n, 64)), [&column], move |out, [column]| {
        let column = view::<f32, Ix2>(column);
        zip!(large(out), (mut row in out.rows_mut(), &from in column.column(0)) row.fill(from));
    });
    let loops = filling(Array2::<f32>::zeros((n, 64)), [&column], move |out, [column]| {
        let column = slice::<f32>(column);
        pieces(out, 64 * 64, |at, to| {
            to.chunks_exact_mut(64).zip(&column[at / 64..]).for_each(|(to, &from)| to.fill(from));
        });
    });
    into(column, &[n, 64], DType::F32, idiom).by_hand(loops)
}

fn picture(n: usize) -> Case {
    let picture = Source::default().floats(&[224, 224, 1]);
    let idiom = filling(Array4::<f32>::zeros((n, 224, 224, 3)), [&picture], move |out, [picture]| {
        let picture = view::<f32, Ix3>(picture);
        let picture = stretched(&picture, out.dim());
        zip!(large(out), (mut to in out.lanes_mut(Axis(2)), from in picture.lanes(Axis(2))) to.assign(&from));
    });
    let loops = filling(Array4::<f32>::zeros((n, 224, 224, 3)), [&picture], move |out, [picture]| {
        let picture = slice::<f32>(picture);
        pieces(out, 8 * 224 * 3, |at, to| {
            let from = &picture[at / 3 % (224 * 224)..];
            for (to, &from) in to.chunks_exact_mut(3).zip(from) {
                (to[0], to[1], to[2]) = (from, from, from);
            }
        });
    });
    into(picture, &[n, 224, 224, 3], DType::F32, idiom).by_hand(loops)
}

fn number(n: usize) -> Case {
    let number = Array::scalar(1.5f32);
    let idiom = filling(Array1::<f32>::zeros(n), [], |out, []| zip!(large(out), (to in out) *to = 1.5));
    let loops = filling(Array1::<f32>::zeros(n), [], |out, []| pieces(out, 64 << 10, |_, to| to.fill(1.5)));
    into(number, &[n], DType::F32, idiom).by_hand(loops)
}

fn mask(n: usize) -> Case {
    let mask = Source::default().of(&[512, 512], |unit| unit < 0.5);
    let none = Array4::from_elem((n, 12, 512, 512), false);
    let idiom = filling(none.clone(), [&mask], move |out, [mask]| {
        let mask = view::<bool, Ix2>(mask);
        zip!(large(out), (mut to in out.exact_chunks_mut((1, 1, 512, 512))) to.assign(&mask));
    });
    let loops = filling(none, [&mask], move |out, [mask]| {
        let mask = slice::<bool>(mask);
        pieces(out, 512 * 512, |_, to| to.copy_from_slice(mask));
    });
    into(mask, &[n, 12, 512, 512], DType::Bool, idiom).by_hand(loops)
}
