//! Folds of what is computed as it is folded give the bits of folds of what was computed before, however the operands lie.

use ndcast::dtype::Class;
use ndcast::reduction::Reduction;
use ndcast::shape::parse_index;
use ndcast::{Array, DType, Keep};

use super::listed::Listed;

/// Rows and columns, with lengths about those of runs and tiles.
const EXTENTS: [[usize; 2]; 12] = [
    [4, 511],
    [9, 513],
    [65, 514],
    [4, 1023],
    [64, 1024],
    [7, 1025],
    [3, 5000],
    [40, 2048],
    [65, 1537],
    [1024, 64],
    [2000, 300],
    [2, 40_000],
];

/// Small whole numbers, so that many are equal.
fn numbers(shape: &[usize], dtype: DType, modulus: i64) -> Array {
    let numbers = Array::iota(shape.iter().product(), DType::I64).remainder(modulus);
    let part = if dtype.class() == Class::Float { 0.37 } else { 1.0 };
    let numbers = (numbers.convert(DType::F64) * part).convert(dtype).reshape(shape);
    Array::from(numbers.copy().eval().unwrap())
}

/// An operand of this shape, in each way in which it can lie.
fn operands([rows, columns]: [usize; 2], dtype: DType) -> Vec<(&'static str, Array)> {
    let select = |array: Array, index: &str| array.select(&parse_index(index).unwrap());
    vec![
        ("as it is", numbers(&[rows, columns], dtype, 89)),
        ("across", numbers(&[columns, rows], dtype, 89).transpose(&[1, 0])),
        ("in padded rows", select(numbers(&[rows, columns + 3], dtype, 89), ":, 2:-1")),
        ("backwards", select(numbers(&[rows, columns], dtype, 89), "::-1, ::-1")),
        ("with steps", select(numbers(&[rows, 2 * columns], dtype, 89), ":, ::2")),
        ("a row", numbers(&[columns], dtype, 89)),
        ("a column", numbers(&[rows, 1], dtype, 89)),
    ]
}

/// What is folded of an operand and another, made anew each time: nothing of it is computed yet.
type Made = fn(&Array, &Array) -> Array;
const MADE: [(&str, Made); 4] = [
    ("a sum", |a, b| a + b),
    ("a comparison", |a, b| a.equal(b)),
    ("an absolute value", |a, b| (a - b).abs()),
    ("a product and a sum", |a, b| a * b + a),
];

type Fold = fn(&Array, &[usize]) -> Array;
const FOLDS: [(&str, Fold); 8] = [
    ("sum", |x, axes| x.reduce(Reduction::Sum, axes, Keep::Nothing)),
    ("prod", |x, axes| x.reduce(Reduction::Prod, axes, Keep::Nothing)),
    ("max", |x, axes| x.reduce(Reduction::Max, axes, Keep::Nothing)),
    ("min", |x, axes| x.reduce(Reduction::Min, axes, Keep::Nothing)),
    ("any", |x, axes| x.convert(DType::Bool).reduce(Reduction::Any, axes, Keep::Nothing)),
    ("all", |x, axes| x.not_equal(1).reduce(Reduction::All, axes, Keep::Nothing)),
    ("count_nonzero", |x, axes| x.count_nonzero(axes, Keep::Nothing)),
    ("argmax", |x, axes| x.argmax(axes[0], Keep::Nothing)),
];

fn check(dtype: DType) {
    for extents in EXTENTS {
        let first = numbers(&extents, dtype, 97);
        for (way, operand) in operands(extents, dtype) {
            for (what, made) in MADE {
                if made(&first, &operand).dtype().is_err() {
                    continue;
                }
                let ready = Array::from(made(&first, &operand).copy().eval().unwrap());
                for (name, fold) in FOLDS {
                    for axes in [&[1][..], &[0], &[0, 1]] {
                        let at_once = fold(&made(&first, &operand), axes);
                        let apart = fold(&ready, axes);
                        let place = format!("{name} of {what} of {dtype}, {extents:?} {way}, along {axes:?}");
                        match (at_once.eval(), apart.eval()) {
                            (Ok(_), Ok(_)) => {
                                let difference = Listed::of(&at_once).difference(&Listed::of(&apart));
                                assert_eq!(difference, None, "{place}");
                            }
                            (at_once, apart) => assert_eq!(at_once.err(), apart.err(), "{place}"),
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn folds_of_computed_short_integers() {
    check(DType::U8);
    check(DType::I16);
}

#[test]
fn folds_of_computed_integers() {
    check(DType::I32);
    check(DType::I64);
}

#[test]
fn folds_of_computed_floats() {
    check(DType::F32);
    check(DType::F64);
}

#[test]
fn folds_of_computed_halves_and_complex_numbers() {
    check(DType::F16);
    check(DType::C128);
}
