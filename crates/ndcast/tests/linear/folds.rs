//! Folds that are computed as rows or columns lie, and running ones.

use ndcast::shape::{Index, parse_index};
use ndcast::{Array, DType, Keep};

use super::{lying_otherwise, numbers, waves, whole};

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
                        let folded = || product.sum([0], Keep::Nothing).eval().unwrap();
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
        |m, other, _| (m * other).sum([1], Keep::Nothing),
        |m, _, _| m.square().sum([1], Keep::Nothing),
        |m, _, _| m.abs().sum([1], Keep::Nothing),
        |m, _, v| (m - v).square().sum([1], Keep::Nothing),
        |m, other, _| (m - other).abs().sum([1], Keep::Nothing),
        |m, _, _| (m * 3.0).sum([1], Keep::Nothing),
        |m, other, _| (m - other.select(&parse_index(":, :1").unwrap())).square().sum([1], Keep::Nothing),
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
            let backwards = x.flip([axis]).cumulative_sum(axis);
            let total = x.sum([axis], Keep::Axes);
            // What is before an element and what is from it on are everything.
            let both = backwards.flip([axis]) + x.cumulative_sum(axis) - &x;
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
