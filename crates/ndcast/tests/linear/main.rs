//! Products of matrices against index loops; and beside them folds and gathering.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

mod folds;
mod gathers;

use ndcast::dtype::Class;
use ndcast::shape::parse_index;
use ndcast::{Array, DType, Op};

/// Small whole numbers that look random: sums of their products are exact in every type.
fn numbers(shape: &[usize], seed: u64) -> (Array, Vec<i64>) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(state >> 61).unwrap() - 3
    };
    let elements: Vec<i64> = (0..shape.iter().product()).map(|_| next()).collect();
    (Array::new(shape, &elements), elements)
}

/// Numbers of no order, of which none is rounded as another.
fn waves(shape: &[usize], start: f64, dtype: DType) -> Array {
    let angle = Array::iota(shape.iter().product(), DType::F64) + start;
    let made = match dtype.class() {
        Class::Complex => Array::apply(Op::Complex, &[(&angle.sin()).into(), (&angle.cos()).into()]),
        _ => angle.sin(),
    };
    made.reshape(shape).convert(dtype).copy()
}

/// An array's elements as integers.
fn whole(array: &Array) -> Vec<i64> {
    let real =
        if array.dtype().unwrap().part() == array.dtype().unwrap() { array.clone() } else { array.real() };
    real.convert(DType::I64).to_vec().unwrap()
}

/// The place of an element in a shape that is stretched to another.
fn place(shape: &[usize], coordinate: &[usize]) -> usize {
    let missing = coordinate.len() - shape.len();
    shape
        .iter()
        .zip(&coordinate[missing..])
        .fold(0, |place, (&n, &at)| place * n + if n == 1 { 0 } else { at })
}

/// The coordinates of a shape, in order.
fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |all, &extent| {
        all.into_iter().flat_map(|c| (0..extent).map(move |at| [&c[..], &[at]].concat())).collect()
    })
}

const TYPES: [DType; 10] = [
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
    DType::F16,
    DType::Bf16,
    DType::I8,
    DType::I32,
    DType::I64,
    DType::U16,
];

#[test]
fn products() {
    for (left, right, batch) in [
        (&[2, 3][..], &[3, 4][..], &[][..]),
        (&[1, 1], &[1, 1], &[]),
        (&[5, 2, 3], &[3, 4], &[5]),
        (&[2, 1, 4, 3], &[5, 3, 2], &[2, 5]),
        (&[7, 0], &[0, 5], &[]),
        (&[0, 3], &[3, 2], &[]),
        (&[0, 2, 3], &[1, 3, 2], &[0]),
        (&[33, 65], &[65, 17], &[]),
    ] {
        let ((a, a_all), (b, b_all)) = (numbers(left, 1), numbers(right, 2));
        let (rows, depth) = (left[left.len() - 2], left[left.len() - 1]);
        let columns = right[right.len() - 1];
        let mut expected = vec![];
        for at in coordinates(batch) {
            let first = place(&left[..left.len() - 2], &at) * rows * depth;
            let second = place(&right[..right.len() - 2], &at) * depth * columns;
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let terms =
                    (0..depth).map(|k| a_all[first + row * depth + k] * b_all[second + k * columns + column]);
                expected.push(terms.sum::<i64>());
            }
        }
        for dtype in TYPES {
            let (a, b) = (a.abs().convert(dtype), b.convert(dtype));
            let signed = dtype != DType::U16 && dtype != DType::I8;
            let product = a.matmul(&b);
            assert_eq!(product.dtype(), Ok(dtype));
            assert_eq!(product.shape().unwrap(), [batch, &[rows, columns]].concat(), "{left:?} {right:?}");
            // The same of views: transposed, backwards, in steps.
            let turned = a
                .matrix_transpose()
                .copy()
                .matrix_transpose()
                .matmul(&b.flip([right.len() - 2]).copy().flip([right.len() - 2]));
            assert_eq!(whole(&turned), whole(&product), "{dtype}");
            if signed {
                let of_signs = numbers(left, 1).0.convert(dtype).matmul(&b);
                assert_eq!(whole(&of_signs), expected, "{dtype} {left:?} {right:?}");
            }
        }
    }
}

#[test]
fn large_products_in_parts() {
    let ((a, a_all), (b, b_all)) = (numbers(&[300, 70], 3), numbers(&[70, 1100], 4));
    let product = a.convert(DType::F32).matmul(&b.convert(DType::F32));
    let all: Vec<f32> = product.to_vec().unwrap();
    for (row, column) in [(0, 0), (127, 511), (128, 512), (299, 1099), (200, 1024)] {
        let exact: i64 = (0..70).map(|k| a_all[row * 70 + k] * b_all[k * 1100 + column]).sum();
        assert_eq!(f64::from(all[row * 1100 + column]), f64::from(i32::try_from(exact).unwrap()));
    }
    let integers: Vec<i64> = a.matmul(&b).to_vec().unwrap();
    assert_eq!(whole(&product), integers);
}

/// Sums of many products are added up in parts, which are exact as long as they are integers.
#[test]
fn products_of_long_rows() {
    for (rows, depth, columns) in
        [(2, 4096, 3), (8, 20_001, 8), (1, 5000, 6), (127, 4500, 129), (129, 4500, 127)]
    {
        let ((a, a_all), (b, b_all)) = (numbers(&[2, rows, depth], 5), numbers(&[depth, columns], 6));
        for dtype in [DType::F32, DType::F64, DType::C128, DType::I32] {
            let product = whole(&a.convert(dtype).matmul(&b.convert(dtype)));
            for (pair, row, column) in
                [(0, 0, 0), (1, rows - 1, columns - 1), (1, rows / 2, 1), (0, 0, columns / 2)]
            {
                let terms =
                    (0..depth).map(|k| a_all[(pair * rows + row) * depth + k] * b_all[k * columns + column]);
                let found = product[(pair * rows + row) * columns + column];
                assert_eq!(found, terms.sum::<i64>(), "{dtype} {rows}x{depth} with {depth}x{columns}");
            }
        }
    }
}

/// Those of the parts, which are exact.
#[test]
fn products_of_complex_numbers() {
    for (rows, depth, columns) in
        [(1, 1, 1), (1, 20, 1), (9, 7, 1), (1, 7, 9), (300, 33, 1), (1, 4200, 5), (7, 4200, 1), (6, 5, 4)]
    {
        for (of, part) in [(DType::C64, DType::F32), (DType::C128, DType::F64)] {
            let parts =
                |shape: &[usize], seed| [seed, seed + 1].map(|seed| numbers(shape, seed).0.convert(part));
            let ([a, b], [c, d]) = (parts(&[rows, depth], 1), parts(&[depth, columns], 3));
            let whole = |re: &Array, im: &Array| Array::apply(Op::Complex, &[re.into(), im.into()]).copy();
            let (left, right) = (whole(&a, &b), whole(&c, &d));
            let (re, im) = (a.matmul(&c) - b.matmul(&d), a.matmul(&d) + b.matmul(&c));
            for (left, right) in lying_otherwise(&left).iter().zip(&lying_otherwise(&right)) {
                let product = left.matmul(right);
                assert_eq!(product.dtype(), Ok(of));
                assert_eq!(product.real().to_vec::<f64>(), re.to_vec::<f64>(), "{rows}x{depth}x{columns}");
                assert_eq!(product.imag().to_vec::<f64>(), im.to_vec::<f64>(), "{rows}x{depth}x{columns}");
            }
        }
    }
}

/// Half of the product of a matrix with itself is the mirror of the other half; nobody sees it.
#[test]
fn products_of_a_matrix_with_itself() {
    let few = [(100, 30), (129, 40), (144, 40), (145, 300), (300, 600)];
    for (rows, depth) in few.into_iter().chain([(330, 1500), (530, 20), (700, 64), (1050, 9)]) {
        for dtype in [DType::F32, DType::F64, DType::C64, DType::I32, DType::U8] {
            let bytes =
                |left: &Array, right: &Array| left.matmul(right).eval().unwrap().as_bytes().unwrap().to_vec();
            for shape in [&[rows, depth][..], &[depth, rows], &[3, rows, depth]] {
                // The same numbers twice in memory, of which one does not know of the other.
                let [x, other] = [0, 1].map(|_| {
                    let all = waves(shape, 0.5, DType::F64) * 100.0;
                    Array::from(all.convert(dtype).eval().unwrap())
                });
                let turned = x.matrix_transpose();
                assert!(bytes(&x, &turned) == bytes(&x, &other.matrix_transpose()), "{dtype} {shape:?}");
                assert!(bytes(&turned, &x) == bytes(&turned, &other), "{dtype} {shape:?}");
                let flipped = x.flip([shape.len() - 2]);
                let expected = bytes(&flipped, &other.matrix_transpose());
                assert!(bytes(&flipped, &turned) == expected, "{dtype} {shape:?}");
            }
        }
    }
}

/// The same matrix as others would have it in memory: transposed, backwards, in steps.
fn lying_otherwise(x: &Array) -> Vec<Array> {
    let axes = [x.rank().unwrap() - 2, x.rank().unwrap() - 1];
    let mut all = vec![x.matrix_transpose().copy().matrix_transpose()];
    for axes in [&axes[..1], &axes[1..], &axes[..]] {
        all.push(x.flip(axes).copy().flip(axes));
        all.push(x.flip(axes).matrix_transpose().copy().matrix_transpose().flip(axes));
    }
    let [.., rows, columns] = *x.shape().unwrap() else { return all };
    let shape = [&x.shape().unwrap()[..axes[0]], &[rows, 2 * columns]].concat();
    let mut wide = Array::full(&shape, 7.0, x.dtype().unwrap());
    wide.set(&parse_index("..., ::2").unwrap(), x);
    all.push(wide.select(&parse_index("..., ::2").unwrap()));
    all
}

/// Neither the order in which products are added nor anything else that one could see depends on it.
#[test]
fn bits_do_not_depend_on_how_matrices_lie() {
    for (rows, depth, columns) in [
        (1, 700, 40),
        (40, 700, 1),
        (1, 9, 1),
        (1, 1, 40),
        (1, 9000, 300),
        (300, 4500, 1),
        (5, 9000, 1),
        (3, 3, 3),
        (4, 2, 4),
        (9, 12, 11),
        (6, 8, 20),
        (16, 1500, 16),
        (17, 300, 16),
        (7, 520, 100),
        (130, 40, 514),
        (257, 40, 65),
        (260, 300, 513),
        (200, 600, 20),
        (3, 4100, 5),
        (20, 9000, 30),
    ] {
        for dtype in [DType::F32, DType::F64, DType::C64, DType::C128, DType::F16] {
            let (a, b) = (waves(&[rows, depth], 0.5, dtype), waves(&[2, depth, columns], 0.3, dtype));
            let bytes = |product: &Array| product.eval().unwrap().as_bytes().unwrap().to_vec();
            let expected = bytes(&a.matmul(&b));
            for (a, b) in lying_otherwise(&a).into_iter().flat_map(|a| {
                [(a.clone(), b.clone())]
                    .into_iter()
                    .chain(lying_otherwise(&b).into_iter().map(move |b| (a.clone(), b)))
            }) {
                assert!(bytes(&a.matmul(&b)) == expected, "{dtype} {rows}x{depth} with {depth}x{columns}");
            }
        }
    }
}

#[test]
fn products_of_integers_wrap() {
    for (rows, depth, columns) in [(2, 1, 2), (6, 256, 64), (7, 257, 65), (13, 520, 70), (140, 3, 600)] {
        let ((a, a_all), (b, b_all)) = (numbers(&[rows, depth], 8), numbers(&[depth, columns], 9));
        let (a, b) = (a * 1_000_003i64, b * 99_991i64);
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let exact: Vec<i64> = places
            .map(|(row, column)| {
                let terms = (0..depth)
                    .map(|k| a_all[row * depth + k] * 1_000_003 * b_all[k * columns + column] * 99_991);
                terms.sum()
            })
            .collect();
        let exact = Array::new(&[rows, columns], &exact);
        for dtype in
            [DType::I8, DType::I16, DType::I32, DType::I64, DType::U8, DType::U16, DType::U32, DType::U64]
        {
            let product = a.convert(dtype).matmul(&b.convert(dtype));
            assert_eq!(product.dtype(), Ok(dtype));
            assert_eq!(whole(&product), whole(&exact.convert(dtype)), "{dtype}");
        }
    }
}

#[test]
fn vectors_and_what_does_not_fit() {
    let (v, m) = (Array::new(&[2], &[1.0, 10.0]), Array::new(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(v.matmul(&m).to_vec::<f64>().unwrap(), [41.0, 52.0, 63.0]);
    assert_eq!(v.matmul(&v).item::<f64>(), Ok(101.0));
    assert_eq!(v.matmul(&v).shape().unwrap(), []);
    for (product, text) in [
        (
            m.matmul(&m),
            "matmul: the last axis of the left must be as long as the second last of the right, and the shapes are 2x3 and 2x3",
        ),
        (
            m.matmul(&v),
            "matmul: the last axis of the left must be as long as the only one of the right, and the shapes are 2x3 and 2",
        ),
        (
            Array::scalar(1.0).matmul(&m),
            "matmul: it takes arrays of at least one axis; the shapes are scalar and 2x3",
        ),
    ] {
        assert_eq!(product.check().unwrap_err().to_string(), text);
    }
    assert!(Array::new(&[1], &[true]).matmul(&Array::new(&[1], &[true])).eval().is_err());
    let bytes = Array::new(&[2, 3], &[1u8, 2, 3, 4, 5, 255]);
    assert_eq!(v.matmul_as(&bytes, DType::F32).to_vec::<f32>().unwrap(), [41.0, 52.0, 2553.0]);
    assert!(bytes.matmul_as(&m.select(&parse_index("0").unwrap()), DType::Bool).check().is_err());
    let text = bytes.matmul_as(&v, DType::F64).check().unwrap_err().to_string();
    assert!(text.ends_with("the shapes are 2x3 and 2"), "{text}");
    assert!(m.expand(0).matmul(&Array::full(&[2, 3, 1], 1, DType::I64)).eval().is_err());
}

/// What is behind the end of a row is none of its products, also if it is no number.
#[test]
fn rows_beside_what_is_no_number() {
    for (rows, depth) in [(3, 9), (9, 5), (5, 17), (2, 4097), (6, 1)] {
        for dtype in [DType::F32, DType::F64] {
            let all: Vec<f64> = (0..rows * depth)
                .map(|at| if at / depth % 2 == 1 { [f64::NAN, f64::INFINITY][at % 2] } else { 1.0 })
                .collect();
            let (m, v) = (Array::new(&[rows, depth], &all).convert(dtype), Array::full(&[depth], 1.0, dtype));
            for m in lying_otherwise(&m).into_iter().chain([m.copy()]) {
                let turned = v.matmul(&m.matrix_transpose()).convert(DType::F64).to_vec::<f64>().unwrap();
                for (row, sum) in m.matmul(&v).convert(DType::F64).to_vec::<f64>().unwrap().iter().enumerate()
                {
                    let exact = f64::from(u32::try_from(depth).unwrap());
                    assert!(
                        if row % 2 == 0 { *sum == exact } else { !sum.is_finite() },
                        "{row} of {rows}x{depth}"
                    );
                    assert_eq!(sum.to_bits(), turned[row].to_bits());
                }
            }
        }
    }
}
