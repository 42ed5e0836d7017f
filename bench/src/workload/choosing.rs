//! Masks and comparisons, and the smallest arrays.

use ndarray::{Array1, Array2, Array4, Axis, Ix1, Ix2, Ix4, azip};
use ndcast::{Array, DType};

use super::{Case, Class, Workload};
use crate::by_hand::pieces;
use crate::data::{Source, ready, slice};
use crate::idiom::{large, stretched, view, zip};
use crate::peer::{changing, filling};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "attention mask",
        class: Class::Memory,
        what: "[8,12,512,512] + [8,1,1,512]",
        leading: 8,
        mib: 384,
        make: attention,
    },
    Workload {
        name: "causal mask",
        class: Class::Memory,
        what: "where(bool [512,512], [8,12,512,512], -1e9)",
        leading: 8,
        mib: 384,
        make: causal,
    },
    Workload {
        name: "one-hot",
        class: Class::Memory,
        what: "i32 [65536,1] == i32 [32]",
        leading: 65536,
        mib: 7,
        make: |n| equal(n, 32),
    },
    Workload {
        name: "vocabulary mask",
        class: Class::Memory,
        what: "i32 [1024,1] == i32 [32000]",
        leading: 1024,
        mib: 94,
        make: |n| equal(n, 32_000),
    },
    Workload {
        name: "tiny 64x64 + 64",
        class: Class::Latency,
        what: "[64,64] + [64]",
        leading: 0,
        mib: 1,
        make: |_| tiny_matrix(),
    },
    Workload {
        name: "tiny 3 + 3",
        class: Class::Latency,
        what: "[3] + [3]",
        leading: 0,
        mib: 1,
        make: |_| tiny(3),
    },
    Workload {
        name: "tiny scalar + 1",
        class: Class::Latency,
        what: "a number + [1]",
        leading: 0,
        mib: 1,
        make: |_| tiny_scalar(),
    },
];

/// What belongs to one head, as a part of the whole.
const PLANES: (usize, usize, usize, usize) = (1, 1, 512, 512);

fn attention(n: usize) -> Case {
    let mut data = Source::default();
    let (x, mask) = (data.floats(&[n, 12, 512, 512]), data.floats(&[n, 1, 1, 512]));
    let idiom = filling(Array4::zeros((n, 12, 512, 512)), [&x, &mask], move |out, [x, mask]| {
        let [x, mask] = [x, mask].map(view::<f32, Ix4>);
        let mask = stretched(&mask, x.dim());
        let (x, mask) = (x.lanes(Axis(3)), mask.lanes(Axis(3)));
        zip!(large(out), (to in out.lanes_mut(Axis(3)), x in x, mask in mask) {
            azip!((to in to, &x in x, &mask in mask) *to = x + mask);
        });
    });
    let loops = filling(Array4::zeros((n, 12, 512, 512)), [&x, &mask], move |out, [x, mask]| {
        let (x, mask) = (slice::<f32>(x), slice::<f32>(mask));
        pieces(out, 64 * 512, |at, to| {
            let mask = &mask[at / (12 * 512 * 512) * 512..][..512];
            for (to, x) in to.chunks_exact_mut(512).zip(x[at..].chunks_exact(512)) {
                to.iter_mut().zip(x).zip(mask).for_each(|((to, x), mask)| *to = x + mask);
            }
        });
    });
    Case::new(&[&x.clone()], move || &x + &mask, idiom).by_hand(loops)
}

fn causal(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.floats(&[n, 12, 512, 512]);
    let mask: Vec<bool> = (0..512 * 512).map(|place| place % 512 <= place / 512).collect();
    let own = Array::new(&[512, 512], &mask);
    let idiom = filling(Array4::zeros((n, 12, 512, 512)), [&x, &own], move |out, [x, mask]| {
        let (x, mask) = (view::<f32, Ix4>(x), view::<bool, Ix2>(mask));
        let mask = stretched(&mask, PLANES);
        zip!(large(out), (to in out.exact_chunks_mut(PLANES), x in x.exact_chunks(PLANES)) {
            azip!((to in to, &x in x, &mask in mask) *to = if mask { x } else { -1e9 });
        });
    });
    let loops = filling(Array4::zeros((n, 12, 512, 512)), [&x], move |out, [x]| {
        let x = slice::<f32>(x);
        pieces(out, 64 * 512, |at, to| {
            let mask = &mask[at % (512 * 512)..];
            for ((to, &x), &mask) in to.iter_mut().zip(&x[at..]).zip(mask) {
                *to = if mask { x } else { -1e9 };
            }
        });
    });
    Case::new(&[&x.clone()], move || own.choose(&x, -1e9), idiom).by_hand(loops)
}

fn equal(n: usize, width: usize) -> Case {
    let mut data = Source::default();
    let (labels, classes) = (data.integers(&[n, 1], 32), Array::iota(width, DType::I32));
    let none = Array2::from_elem((n, width), false);
    let idiom = filling(none.clone(), [&labels, &classes], move |out, [labels, classes]| {
        let (labels, classes) = (view::<i32, Ix2>(labels), view::<i32, Ix1>(classes));
        zip!(large(out), (to in out.rows_mut(), &label in labels.column(0)) {
            azip!((to in to, &class in classes) *to = label == class);
        });
    });
    let loops = filling(none, [&labels, &classes], move |out, [labels, classes]| {
        let (labels, classes) = (slice::<i32>(labels), slice::<i32>(classes));
        // Pieces of some thousand elements: whole rows.
        let rows = 8192usize.div_ceil(width);
        pieces(out, rows * width, |at, to| {
            for (to, label) in to.chunks_exact_mut(width).zip(&labels[at / width..]) {
                to.iter_mut().zip(classes).for_each(|(to, class)| *to = label == class);
            }
        });
    });
    Case::new(&[&labels.clone()], move || labels.equal(&classes), idiom).by_hand(loops)
}

fn tiny(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n]), data.floats(&[n]));
    let own = |array: &Array| view::<f32, Ix1>(&ready(array)).to_owned();
    let (pa, pb) = (own(&a), own(&b));
    let idiom = changing(Array1::zeros(Ix1(n)), [], move |out, []| *out = &pa + &pb);
    Case::new(&[&a.clone()], move || &a + &b, idiom)
}

fn tiny_matrix() -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[64, 64]), data.floats(&[64]));
    let (pa, pb) = (view::<f32, Ix2>(&ready(&a)).to_owned(), view::<f32, Ix1>(&ready(&b)).to_owned());
    let idiom = changing(Array2::zeros(Ix2(64, 64)), [], move |out, []| *out = &pa + &pb);
    Case::new(&[&a.clone()], move || &a + &b, idiom)
}

fn tiny_scalar() -> Case {
    let a = Source::default().floats(&[1]);
    let pa = view::<f32, Ix1>(&ready(&a)).to_owned();
    let idiom = changing(Array1::zeros(Ix1(1)), [], move |out, []| *out = &pa + 2.0);
    Case::new(&[&a.clone()], move || 2.0 + &a, idiom)
}
