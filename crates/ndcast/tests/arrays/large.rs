//! Results so large that they are written past the cache, beside the same in parts that are written into it.

use ndcast::shape::parse_index;
use ndcast::{Array, DType};

/// The bytes of a matrix of floats, more than the limit from which on results go past the cache.
const BYTES: usize = 21 << 20;
const PARTS: usize = 6;

/// Numbers without a pattern that a part would share with another.
fn numbers(count: usize) -> Vec<f32> {
    (0..count as u32).map(|n| (n.wrapping_mul(2_654_435_769) >> 8) as f32 / 65536.0 - 100.0).collect()
}

/// Some rows of an array that has as many as the matrix, or all of it.
fn rows(array: &Array, from: usize, to: usize) -> Array {
    match array.shape().unwrap()[0] {
        1 => array.clone(),
        _ => array.select(&parse_index(&format!("{from}:{to}")).unwrap()),
    }
}

/// A name, and what is made of a matrix, another one of bytes, a row and a column.
type Case = (&'static str, fn([&Array; 4]) -> Array);

const CASES: [Case; 16] = [
    ("a kernel of one argument", |[x, ..]| x.abs()),
    ("of one, and wider", |[x, ..]| x.convert(DType::F64)),
    ("of one, and narrower", |[x, ..]| x.convert(DType::I8)),
    ("of a number", |[x, ..]| x * 1.5),
    ("of a row", |[x, _, row, _]| x + row),
    ("of a column", |[x, _, _, column]| column - x),
    ("of a row and a column", |[_, _, row, column]| row * column),
    ("of four", |[x, _, row, column]| (x - column) * row + 2.0),
    ("truth values", |[x, _, row, _]| x.greater(row)),
    ("a choice", |[x, _, row, column]| x.less(column).choose(row, x)),
    ("bytes, converted and scaled", |[_, bytes, row, _]| bytes.convert(DType::F32) * row),
    ("several steps", |[x, _, row, column]| ((x * row).abs().sqrt() - column).convert(DType::F16)),
    ("of two bytes", |[x, _, row, _]| x.convert(DType::Bf16) * row.convert(DType::Bf16)),
    ("complex numbers", |[x, _, row, _]| x.convert(DType::C128) * row.convert(DType::C128)),
    ("only copied", |[x, ..]| x.copy()),
    ("only repeated", |[x, _, row, _]| row.broadcast_to(x.shape().unwrap()).copy()),
];

#[test]
fn past_the_cache_and_into_it() {
    // Rows of whole lines of the cache, of none, of a block, and fewer than that; and long ones.
    for columns in [2048, 1000, 999, 64, 6, 4501] {
        let height = BYTES / 4 / columns;
        let x = Array::new(&[height, columns], &numbers(height * columns));
        let bytes: Vec<u8> = (0..height * columns).map(|n| (n * 7 / 3) as u8).collect();
        let bytes = Array::new(&[height, columns], &bytes);
        let (row, column) = (numbers(columns), numbers(height));
        let (row, column) = (Array::new(&[1, columns], &row), Array::new(&[height, 1], &column));
        for (name, made) in CASES {
            let whole = made([&x, &bytes, &row, &column]);
            let part = height.div_ceil(PARTS);
            for from in (0..height).step_by(part) {
                let to = height.min(from + part);
                let [x, bytes, column] = [&x, &bytes, &column].map(|array| rows(array, from, to));
                let expected = made([&x, &bytes, &row, &column]).eval().unwrap();
                let found = rows(&whole, from, to).eval().unwrap();
                assert_eq!(found.shape(), expected.shape(), "{name}, {columns} columns");
                assert!(
                    found.as_bytes() == expected.as_bytes(),
                    "{name}, {columns} columns, from row {from}"
                );
            }
        }
    }
}

/// What is written behind something else need not begin on a line of the cache.
#[test]
fn past_the_cache_from_any_element_on() {
    for columns in [4501, 4096, 999] {
        let height = BYTES / 4 / columns;
        let x = Array::new(&[height, columns], &numbers(height * columns));
        let row = Array::new(&[1, columns], &numbers(columns));
        let column = Array::new(&[height, 1], &numbers(height));
        let all: [fn([&Array; 3]) -> Array; 3] =
            [|[x, row, _]| x * row, |[x, _, column]| column - x, |[_, row, column]| column * row];
        for (number, made) in all.into_iter().enumerate() {
            let made = || made([&x, &row, &column]);
            let expected = made().eval().unwrap();
            for (begin, axis) in [(&row, 0), (&column, 1)] {
                let both = Array::concatenate(&[begin, &made()], axis);
                let behind = both.select(&parse_index(["1:", ":, 1:"][axis]).unwrap());
                let found = behind.copy().eval().unwrap();
                assert!(found.as_bytes() == expected.as_bytes(), "{number}, {columns} columns, {axis}");
            }
        }
    }
}
