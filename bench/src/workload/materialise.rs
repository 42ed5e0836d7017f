//! Broadcasts that are written out, for those who need the memory.
//!
//! Both sides write into an array that is there before: a broadcast alone is free, and computes nothing.

use ndarray::{Array1, Array2, Array4};
use ndcast::{Array, DType, Tensor};

use super::{Case, Class, Workload};
use crate::data::{Source, ready, slice};
use crate::peer::{Peer, filling, pieces};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "repeat a row",
        class: Class::Materialise,
        what: "[64] to [65536,64]",
        leading: 65536,
        mib: 32,
        make: row,
    },
    Workload {
        name: "repeat a column",
        class: Class::Materialise,
        what: "[65536,1] to [65536,64]",
        leading: 65536,
        mib: 32,
        make: column,
    },
    Workload {
        name: "repeat hw1",
        class: Class::Materialise,
        what: "[224,224,1] to [32,224,224,3]",
        leading: 32,
        mib: 37,
        make: picture,
    },
    Workload {
        name: "fill",
        class: Class::Materialise,
        what: "a number to [16777216]",
        leading: 16_777_216,
        mib: 128,
        make: number,
    },
    Workload {
        name: "repeat a mask",
        class: Class::Materialise,
        what: "bool [512,512] to [8,12,512,512]",
        leading: 8,
        mib: 48,
        make: mask,
    },
];

/// A workload that writes `from` into memory of this shape.
fn into(from: Array, shape: &[usize], dtype: DType, theirs: impl Peer + 'static) -> Case {
    let mut to = Array::from(Tensor::zeros(shape, dtype));
    Case::new(
        &[&from.clone()],
        move || {
            to.assign(&from);
            to.clone()
        },
        theirs,
    )
}

fn row(n: usize) -> Case {
    let row = Source::default().floats(&[64]);
    let own = ready(&row);
    let theirs = filling(Array2::<f32>::zeros((n, 64)), move |out| {
        let row = slice::<f32>(&own);
        pieces(out, 64 * 64, |_, to| to.chunks_exact_mut(64).for_each(|to| to.copy_from_slice(row)));
    });
    into(row, &[n, 64], DType::F32, theirs)
}

fn column(n: usize) -> Case {
    let column = Source::default().floats(&[n, 1]);
    let own = ready(&column);
    let theirs = filling(Array2::<f32>::zeros((n, 64)), move |out| {
        let column = slice::<f32>(&own);
        pieces(out, 64 * 64, |at, to| {
            to.chunks_exact_mut(64).zip(&column[at / 64..]).for_each(|(to, &from)| to.fill(from));
        });
    });
    into(column, &[n, 64], DType::F32, theirs)
}

fn picture(n: usize) -> Case {
    let picture = Source::default().floats(&[224, 224, 1]);
    let own = ready(&picture);
    let theirs = filling(Array4::<f32>::zeros((n, 224, 224, 3)), move |out| {
        let picture = slice::<f32>(&own);
        pieces(out, 8 * 224 * 3, |at, to| {
            let from = &picture[at / 3 % (224 * 224)..];
            for (to, &from) in to.chunks_exact_mut(3).zip(from) {
                (to[0], to[1], to[2]) = (from, from, from);
            }
        });
    });
    into(picture, &[n, 224, 224, 3], DType::F32, theirs)
}

fn number(n: usize) -> Case {
    let number = Array::scalar(1.5f32);
    let theirs = filling(Array1::<f32>::zeros(n), |out| pieces(out, 64 << 10, |_, to| to.fill(1.5)));
    into(number, &[n], DType::F32, theirs)
}

fn mask(n: usize) -> Case {
    let mask = Source::default().of(&[512, 512], |unit| unit < 0.5);
    let own = slice::<bool>(&ready(&mask)).to_vec();
    let theirs = filling(Array4::from_elem((n, 12, 512, 512), false), move |out| {
        pieces(out, 512 * 512, |_, to| to.copy_from_slice(&own));
    });
    into(mask, &[n, 12, 512, 512], DType::Bool, theirs)
}
