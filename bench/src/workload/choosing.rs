//! Masks and comparisons, and the smallest arrays.

use ndarray::{Array1, Array2, Array4, Ix1, Ix2};
use ndcast::{Array, DType};

use super::{Case, Class, Workload};
use crate::data::{Source, ready, slice};
use crate::peer::{filling, pieces};

pub(super) static ALL: &[Workload] = &[
    Workload {
        name: "attention mask",
        class: Class::Memory,
        what: "[8,12,512,512] + [8,1,1,512]",
        leading: 8,
        mib: 288,
        make: attention,
    },
    Workload {
        name: "causal mask",
        class: Class::Memory,
        what: "where(bool [512,512], [8,12,512,512], -1e9)",
        leading: 8,
        mib: 288,
        make: causal,
    },
    Workload {
        name: "one-hot",
        class: Class::Memory,
        what: "i32 [65536,1] == i32 [32]",
        leading: 65536,
        mib: 5,
        make: |n| equal(n, 32),
    },
    Workload {
        name: "vocabulary mask",
        class: Class::Memory,
        what: "i32 [1024,1] == i32 [32000]",
        leading: 1024,
        mib: 63,
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

fn attention(n: usize) -> Case {
    let mut data = Source::default();
    let (x, mask) = (data.floats(&[n, 12, 512, 512]), data.floats(&[n, 1, 1, 512]));
    let (px, pm) = (ready(&x), ready(&mask));
    let theirs = filling(Array4::zeros((n, 12, 512, 512)), move |out| {
        let (x, mask) = (slice::<f32>(&px), slice::<f32>(&pm));
        pieces(out, 64 * 512, |at, to| {
            let mask = &mask[at / (12 * 512 * 512) * 512..][..512];
            for (to, x) in to.chunks_exact_mut(512).zip(x[at..].chunks_exact(512)) {
                to.iter_mut().zip(x).zip(mask).for_each(|((to, x), mask)| *to = x + mask);
            }
        });
    });
    Case::new(&[&x.clone()], move || &x + &mask, theirs)
}

fn causal(n: usize) -> Case {
    let mut data = Source::default();
    let x = data.floats(&[n, 12, 512, 512]);
    let mask: Vec<bool> = (0..512 * 512).map(|place| place % 512 <= place / 512).collect();
    let own = Array::new(&[512, 512], &mask);
    let px = ready(&x);
    let theirs = filling(Array4::zeros((n, 12, 512, 512)), move |out| {
        let x = slice::<f32>(&px);
        pieces(out, 64 * 512, |at, to| {
            let mask = &mask[at % (512 * 512)..];
            for ((to, &x), &mask) in to.iter_mut().zip(&x[at..]).zip(mask) {
                *to = if mask { x } else { -1e9 };
            }
        });
    });
    Case::new(&[&x.clone()], move || own.choose(&x, -1e9), theirs)
}

fn equal(n: usize, width: usize) -> Case {
    let mut data = Source::default();
    let (labels, classes) = (data.integers(&[n, 1], 32), Array::iota(width, DType::I32));
    let (pl, pc) = (ready(&labels), ready(&classes));
    let theirs = filling(Array2::from_elem((n, width), false), move |out| {
        let (labels, classes) = (slice::<i32>(&pl), slice::<i32>(&pc));
        // Pieces of some thousand elements: whole rows.
        let rows = 8192usize.div_ceil(width);
        pieces(out, rows * width, |at, to| {
            for (to, label) in to.chunks_exact_mut(width).zip(&labels[at / width..]) {
                to.iter_mut().zip(classes).for_each(|(to, class)| *to = label == class);
            }
        });
    });
    Case::new(&[&labels.clone()], move || labels.equal(&classes), theirs)
}

fn tiny(n: usize) -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[n]), data.floats(&[n]));
    let own = |array: &Array| Array1::from(slice::<f32>(&ready(array)).to_vec());
    let (pa, pb) = (own(&a), own(&b));
    let theirs = filling(Array1::zeros(Ix1(n)), move |out| *out = &pa + &pb);
    Case::new(&[&a.clone()], move || &a + &b, theirs)
}

fn tiny_matrix() -> Case {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[64, 64]), data.floats(&[64]));
    let pa = Array2::from_shape_vec(Ix2(64, 64), slice::<f32>(&ready(&a)).to_vec()).unwrap_or_default();
    let pb = Array1::from(slice::<f32>(&ready(&b)).to_vec());
    let theirs = filling(Array2::zeros(Ix2(64, 64)), move |out| *out = &pa + &pb);
    Case::new(&[&a.clone()], move || &a + &b, theirs)
}

fn tiny_scalar() -> Case {
    let a = Source::default().floats(&[1]);
    let pa = Array1::from(slice::<f32>(&ready(&a)).to_vec());
    let theirs = filling(Array1::zeros(Ix1(1)), move |out| *out = &pa + 2.0);
    Case::new(&[&a.clone()], move || 2.0 + &a, theirs)
}
