//! Products of matrices, running folds and gathering against index loops.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

use ndcast::dtype::Class;
use ndcast::shape::{Index, parse_index};
use ndcast::{Array, DType, Keep, Op};

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
                .matmul(&b.flip(&[right.len() - 2]).copy().flip(&[right.len() - 2]));
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
                let flipped = x.flip(&[shape.len() - 2]);
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
            let made = |shape: &[usize], start: f64| {
                let count = shape.iter().product();
                ((Array::iota(count, DType::F64) + start).sin().reshape(shape)).convert(dtype).copy()
            };
            let (a, b) = (made(&[rows, depth], 0.5), made(&[2, depth, columns], 0.3));
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

/// Folds of what is computed of rows or columns, many beside each other: with a vector, with another matrix, of one alone.
#[test]
fn folds_of_few_columns_have_the_bits_of_what_is_in_memory() {
    for columns in [1, 3, 8, 9, 16, 27, 32, 64, 100, 200, 255] {
        for rows in [31, 200, 3000, 20_000] {
            for dtype in [DType::F32, DType::F64, DType::C64, DType::C128] {
                let of = |shape: &[usize], start: f64| waves(shape, start, dtype);
                let m = of(&[rows, columns], 0.5);
                let others =
                    [of(&[rows, 1], 0.3), of(&[columns], 0.1), of(&[rows, columns], 0.2), of(&[1], 0.7)];
                for (number, other) in others.iter().enumerate() {
                    for product in [&m * other, other * &m] {
                        let folded = || product.sum(&[0], Keep::Nothing).eval().unwrap();
                        let made = folded();
                        product.eval().unwrap();
                        assert!(made.as_bytes() == folded().as_bytes(), "{number}: {dtype} {rows}x{columns}");
                    }
                }
            }
        }
    }
}

#[test]
fn folds_of_a_block_that_is_repeated_along_a_row() {
    for (times, block) in [(4, 32), (3, 64), (9, 8), (16, 16), (2, 48), (30, 4)] {
        for dtype in [DType::F32, DType::F64, DType::C128] {
            let column = waves(&[3000, 1, 1], 0.5, dtype);
            let row = waves(&[block], 0.1, dtype).broadcast_to(&[times, block]);
            for axes in [&[0][..], &[0, 1], &[1]] {
                let product = &column * &row;
                let folded = || product.sum(axes, Keep::Nothing).eval().unwrap();
                let made = folded();
                product.eval().unwrap();
                assert!(made.as_bytes() == folded().as_bytes(), "{dtype} {times}x{block} along {axes:?}");
            }
        }
    }
}

#[test]
fn folds_beside_each_other_have_the_bits_of_each() {
    type Folded = fn(&Array, &Array, &Array) -> Array;
    let folds: [Folded; 8] = [
        |m, _, v| m.matmul(v),
        |m, other, _| (m * other).sum(&[1], Keep::Nothing),
        |m, _, _| m.square().sum(&[1], Keep::Nothing),
        |m, _, _| m.abs().sum(&[1], Keep::Nothing),
        |m, _, v| (m - v).square().sum(&[1], Keep::Nothing),
        |m, other, _| (m - other).abs().sum(&[1], Keep::Nothing),
        |m, _, _| (m * 3.0).sum(&[1], Keep::Nothing),
        |m, other, _| (m - other.select(&parse_index(":, :1").unwrap())).square().sum(&[1], Keep::Nothing),
    ];
    let few = [(2, 64), (5, 63), (9, 65), (8, 300), (16, 700), (32, 600), (33, 128), (13, 1300)];
    let many = [(64, 1200), (70, 511), (100, 600), (130, 512), (200, 513), (67, 700), (300, 1100)];
    for (rows, depth) in few.into_iter().chain(many) {
        for dtype in [DType::F32, DType::F64, DType::C64, DType::C128] {
            let made = |shape: &[usize], start: f64| waves(shape, start, dtype);
            let (m, other, v) = (made(&[rows, depth], 0.5), made(&[rows, depth], 0.3), made(&[depth], 0.1));
            let bytes = |folded: &Array| folded.eval().unwrap().as_bytes().unwrap().to_vec();
            for (number, fold) in folds.iter().enumerate() {
                let expected = bytes(&fold(&m, &other, &v));
                // Each of them by itself has no other beside it.
                for row in [0, rows / 2, rows - 1] {
                    let row = i64::try_from(row).unwrap();
                    let one = |x: &Array| x.select(&[Index::part(Some(row), Some(row + 1))]).copy();
                    let alone = bytes(&fold(&one(&m), &one(&other), &v));
                    let at = usize::try_from(row).unwrap() * alone.len();
                    assert!(
                        alone == expected[at..][..alone.len()],
                        "{number}: {dtype} {rows}x{depth}, {row}"
                    );
                }
                for m in lying_otherwise(&m) {
                    let turned = other.matrix_transpose().copy().matrix_transpose();
                    for other in [&other, &turned] {
                        let found = bytes(&fold(&m, other, &v));
                        assert!(found == expected, "{number}: {dtype} {rows}x{depth}");
                    }
                }
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

#[test]
fn running_folds() {
    for shape in [&[5][..], &[3, 4], &[2, 3, 5], &[2, 3000], &[70, 2100], &[5, 41], &[0, 3], &[3, 0]] {
        let (x, all) = numbers(shape, 5);
        for axis in 0..shape.len() {
            let inner: usize = shape[axis + 1..].iter().product();
            let mut expected = all.clone();
            for at in 0..all.len() {
                if !(at / inner.max(1)).is_multiple_of(shape[axis]) {
                    expected[at] += expected[at - inner];
                }
            }
            for dtype in [DType::F32, DType::F64, DType::C64, DType::I64] {
                let sums = x.convert(dtype).cumulative_sum(axis);
                assert_eq!(whole(&sums), expected, "{shape:?} {axis} {dtype}");
            }
            // However the elements lie: in steps, and turned.
            let order: Vec<usize> = (0..shape.len()).rev().collect();
            let turned = Array::from(x.transpose(&order).copy().eval().unwrap()).transpose(&order);
            let twice = Array::stack(&[&x, &x], shape.len()).eval().unwrap();
            let stepped = Array::from(twice).select(&parse_index("..., 1").unwrap());
            for view in [turned, stepped] {
                assert_eq!(whole(&view.cumulative_sum(axis)), expected, "{shape:?} {axis}");
            }
            let backwards = x.flip(&[axis]).cumulative_sum(axis);
            let total = x.sum(&[axis], Keep::Axes);
            // What is before an element and what is from it on are everything.
            let both = backwards.flip(&[axis]) + x.cumulative_sum(axis) - &x;
            assert_eq!(whole(&both), whole(&total.broadcast_to(shape)));
        }
    }
    let x = Array::new(&[4], &[1i8, 2, 3, 100]);
    assert_eq!(x.cumulative_prod(0).to_vec::<i64>().unwrap(), [1, 2, 6, 600]);
    assert!(Array::new(&[1], &[true]).cumulative_sum(0).check().is_err());
    assert_eq!(
        x.cumulative_sum(1).check().unwrap_err().to_string(),
        "cumulative_sum: there is no axis 1: the rank is 1"
    );
}

#[test]
fn rows_by_their_numbers() {
    let shape = [4, 5, 6];
    let (x, all) = numbers(&shape, 6);
    let numbers: Vec<i64> = vec![3, 0, -1, 1, -4, 3];
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64, DType::C128] {
        let x = x.abs().convert(dtype);
        for axis in 0..3 {
            let taken = x.take(&Array::new(&[2, 3], &numbers), axis);
            let mut expected = vec![];
            for at in coordinates(&[&shape[..axis], &[6], &shape[axis + 1..]].concat()) {
                let mut from = at.clone();
                let number = numbers[at[axis]];
                let extent = i64::try_from(shape[axis]).unwrap();
                from[axis] = usize::try_from(if number < 0 { number + extent } else { number }).unwrap();
                expected.push(all[place(&shape, &from)].abs());
            }
            assert_eq!(whole(&taken), expected, "{dtype} {axis}");
            assert_eq!(taken.rank(), Ok(4));
        }
    }
    let outside = x.take(&Array::new(&[1], &[6i64]), 1);
    assert_eq!(outside.eval().unwrap_err().to_string(), "take: there is no row 6: axis 1 has extent 5");
    assert!(x.take(&Array::new(&[1], &[1.0]), 1).check().is_err());
    assert_eq!(x.take(&Array::new::<i64>(&[0], &[]), 0).to_vec::<i64>().unwrap(), []);
}

/// Along every axis, of arrays that lie anyhow and are stretched, against index loops.
#[test]
fn along_every_axis() {
    for dtype in [DType::U8, DType::I16, DType::F32, DType::F64, DType::C128] {
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let shape: Vec<usize> = order.iter().map(|&axis| [5usize, 70, 6][axis]).collect();
            let mut back = [0; 3];
            order.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
            let x = numbers(&shape, 3).0.transpose(&back).flip(&[1]);
            let all = whole(&x);
            let x = Array::from(x.convert(dtype).eval().unwrap());
            for axis in 0..3 {
                for stretched in [None, Some((axis + 1) % 3), Some((axis + 2) % 3)] {
                    let mut extents = [5, 70, 6];
                    let along = [5i64, 70, 6][axis];
                    extents[axis] = 11;
                    let mut own = extents;
                    if let Some(other) = stretched {
                        own[other] = 1;
                    }
                    // From -3 to 4: from both ends.
                    let places = numbers(&own, 5).0;
                    let taken = x.take_along_axis(&places, axis);
                    assert_eq!(taken.shape().unwrap(), extents);
                    let places = whole(&places.broadcast_to(&extents));
                    let mut expected = vec![];
                    for i in 0..extents[0] {
                        for j in 0..extents[1] {
                            for k in 0..extents[2] {
                                let mut at = [i, j, k];
                                let number = places[(i * extents[1] + j) * extents[2] + k];
                                let from_start = if number < 0 { number + along } else { number };
                                at[axis] = usize::try_from(from_start).unwrap();
                                expected.push(all[(at[0] * 70 + at[1]) * 6 + at[2]]);
                            }
                        }
                    }
                    let found = whole(&taken);
                    if dtype == DType::U8 {
                        let wrapped = expected.iter().map(|n| n.rem_euclid(256)).collect::<Vec<i64>>();
                        assert_eq!(found, wrapped, "{dtype} {order:?} {axis} {stretched:?}");
                    } else {
                        assert_eq!(found, expected, "{dtype} {order:?} {axis} {stretched:?}");
                    }
                }
            }
        }
    }
    let x = Array::new(&[0, 3], &[0i32; 0]);
    assert_eq!(x.take_along_axis(&Array::new(&[0, 3], &[0i64; 0]), 0).to_vec::<i32>().unwrap().len(), 0);
}

#[test]
fn along_an_axis() {
    let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    let numbers = Array::new(&[2, 4], &[0i64, -1, 2, 1, 2, 2, 0, -3]);
    assert_eq!(x.take_along_axis(&numbers, 1).to_vec::<i32>().unwrap(), [1, 3, 3, 2, 6, 6, 4, 4]);
    // The other axes are broadcast.
    let one_row = numbers.select(&parse_index("1:").unwrap());
    assert_eq!(x.take_along_axis(&one_row, 1).to_vec::<i32>().unwrap(), [3, 3, 1, 1, 6, 6, 4, 4]);
    let columns = Array::new(&[1, 3], &[1i64, 0, 1]);
    assert_eq!(x.take_along_axis(&columns, 0).to_vec::<i32>().unwrap(), [4, 2, 6]);
    let outside = x.take_along_axis(&Array::new(&[2, 1], &[1i64, -4]), 1).eval();
    assert_eq!(outside.unwrap_err().to_string(), "take_along_axis: there is no row -4: axis 1 has extent 3");
    assert!(x.take_along_axis(&Array::new(&[1], &[0i64]), 1).check().is_err());
}
