//! Reductions of every form: short and long ones, many and few, with axes behind the reduced one and without.

use ndcast::dtype::Class;
use ndcast::reduction::Reduction;
use ndcast::shape::parse_index;
use ndcast::{Array, DType, Keep, Op};
use num_complex::Complex;

use super::bits::Random;
use super::both::Both;
use super::listed::Listed;

/// Extents before, along and behind the reduced axis.
const EXTENTS: &[[usize; 3]] = &[
    // Short folds of what lies one behind the other.
    [1, 1, 1],
    [700, 1, 1],
    [700, 2, 1],
    [3000, 3, 1],
    [513, 31, 1],
    // Runs, many in a tile and many tiles in a run.
    [300, 32, 1],
    [70, 33, 1],
    [40, 511, 1],
    [40, 512, 1],
    [40, 513, 1],
    [40, 577, 1],
    [9, 1001, 1],
    [9, 1024, 1],
    [3, 5000, 1],
    [70, 1025, 1],
    // Cut into segments.
    [1, 65_535, 1],
    [1, 65_536, 1],
    [1, 65_537, 1],
    [1, 200_001, 1],
    [3, 70_000, 1],
    [65, 1100, 1],
    // A few columns beside each other.
    [1, 1, 2],
    [9, 5, 2],
    [9, 255, 2],
    [9, 256, 2],
    [9, 257, 2],
    [3, 700, 3],
    [70, 40, 4],
    [1, 9000, 16],
    [2, 1999, 17],
    [3, 400, 100],
    [2, 130, 255],
    [2, 129, 256],
    [1, 40_000, 3],
    [1, 70_000, 2],
    [1, 300, 256],
    [2, 600, 128],
    // Many columns.
    [1, 1, 257],
    [2, 63, 257],
    [2, 64, 257],
    [2, 65, 257],
    [1, 200, 512],
    [1, 129, 513],
    [2, 4, 5000],
    [1, 30, 3001],
    [1, 260, 700],
    [70, 3, 300],
];

fn check(dtype: DType, reductions: &[Reduction]) {
    for (seed, &[outer, reduced, inner]) in (0..).zip(EXTENTS) {
        let mut random = Random(seed);
        let x = Both::finite(&[outer, reduced, inner], dtype, &mut random);
        for &reduction in reductions {
            let name = format!("{reduction} of {dtype}, {outer} {reduced} {inner}");
            x.reduce(reduction, &[1], Keep::Nothing).unwrap().check(&name);
        }
    }
}

#[test]
fn sums_of_integers() {
    check(DType::I32, &[Reduction::Sum]);
    check(DType::U64, &[Reduction::Sum]);
}

#[test]
fn sums_of_floats() {
    check(DType::F32, &[Reduction::Sum]);
    check(DType::F64, &[Reduction::Sum]);
}

#[test]
fn sums_of_small_and_large_floats() {
    check(DType::F16, &[Reduction::Sum]);
    check(DType::Bf16, &[Reduction::Sum]);
    check(DType::C64, &[Reduction::Sum]);
    check(DType::C128, &[Reduction::Sum]);
}

#[test]
fn extremes() {
    check(DType::I8, &[Reduction::Max, Reduction::Min]);
    check(DType::F32, &[Reduction::Max, Reduction::Min]);
}

#[test]
fn truths_and_products() {
    check(DType::Bool, &[Reduction::Any, Reduction::All]);
    check(DType::U16, &[Reduction::Prod]);
}

/// Along several axes that lie apart, of an expression that is never in memory, of operands across.
#[test]
fn several_axes_of_an_expression() {
    for (shape, order) in [
        (vec![5, 7, 11], vec![0, 1, 2]),
        (vec![20, 3, 300], vec![2, 0, 1]),
        (vec![2, 3, 4, 5, 6], vec![4, 2, 0, 1, 3]),
        (vec![300, 2, 1, 40], vec![3, 1, 2, 0]),
        (vec![33, 70, 9], vec![1, 2, 0]),
        (vec![3, 5, 2, 300], vec![0, 1, 2, 3]),
        (vec![3, 1, 5, 513], vec![3, 0, 1, 2]),
    ] {
        let mut memory = vec![0; shape.len()];
        order.iter().enumerate().for_each(|(place, &axis): (usize, &usize)| memory[axis] = shape[place]);
        for dtype in [DType::F32, DType::I16, DType::F16] {
            let mut random = Random(3);
            let x = Both::finite(&memory, dtype, &mut random).transpose(&order);
            let row = Both::finite(&shape[shape.len() - 1..], dtype, &mut random);
            let mut column = vec![1; shape.len()];
            column[0] = shape[0];
            let column = Both::finite(&column, dtype, &mut random);
            let product = Both::apply(Op::Multiply, &[&x, &column]).unwrap();
            let value = Both::apply(Op::Subtract, &[&product, &row]).unwrap();
            for chosen in 0u32..1 << shape.len() {
                let axes: Vec<usize> =
                    (0..shape.len()).rev().filter(|&axis| chosen >> axis & 1 == 1).collect();
                let name = format!("{dtype} {shape:?} {axes:?}");
                let folded = value.reduce(Reduction::Sum, &axes, Keep::Axes).unwrap();
                folded.check(&name);
                // And the result goes on beside what it was made of.
                Both::apply(Op::Add, &[&folded, &x]).unwrap().check(&name);
                value.reduce(Reduction::Min, &axes, Keep::Nothing).unwrap().check(&name);
            }
        }
    }
}

#[test]
fn the_place_of_the_greatest() {
    for shape in [vec![1], vec![700], vec![5, 40], vec![40, 5], vec![300, 3], vec![3, 4, 5]] {
        for dtype in [DType::F32, DType::I8, DType::U64, DType::F16] {
            let x = Both::new(&shape, dtype, &mut Random(5));
            for axis in 0..shape.len() {
                for keep in [Keep::Axes, Keep::Nothing] {
                    x.argmax(axis, keep).unwrap().check("argmax");
                    x.flip(&[axis]).argmax(axis, keep).unwrap().check("argmax");
                }
            }
        }
    }
}

#[test]
fn folds_of_whole_runs_are_those_of_computed_ones() {
    for (rows, columns) in [(1, 512), (7, 1024), (300, 1536), (3, 512 * 200)] {
        let numbers: Vec<f32> = (0..rows * columns)
            .map(|n: usize| 1.0 / f32::from(u16::try_from(1 + n * 7919 % 10_007).unwrap()))
            .collect();
        let x = Array::new(&[rows, columns], &numbers);
        for fold in [Array::sum, Array::max] {
            let in_memory = fold(&x, &[1], Keep::Nothing).to_vec::<f32>().unwrap();
            // Computed tile by tile: the same runs in the same order.
            let computed = fold(&-(-&x), &[1], Keep::Nothing).to_vec::<f32>().unwrap();
            assert_eq!(in_memory, computed, "{rows} rows of {columns}");
            // What lies behind one another is not all of it.
            let behind = x.flip([0]);
            let mut behind = fold(&behind, &[1], Keep::Nothing).to_vec::<f32>().unwrap();
            behind.reverse();
            assert_eq!(in_memory, behind, "{rows} rows of {columns}, from behind");
        }
    }
}

#[test]
fn short_integers_are_added_as_they_are_read() {
    let types = [DType::Bool, DType::U8, DType::I8, DType::U16, DType::I16, DType::U32, DType::I32];
    for (rows, columns) in [(1, 512), (9, 64), (300, 1536), (70, 513), (2, 512 * 300), (40, 100)] {
        let count = i32::try_from(rows * columns).unwrap();
        // Every part of each type's range, negative ones first.
        let numbers = (0..count).map(|n| n.wrapping_mul(0x9E37_79B9_u32.cast_signed()));
        let x = Array::new(&[rows, columns], &numbers.collect::<Vec<i32>>());
        for dtype in types {
            let short = x.convert(dtype);
            let in_memory = Array::from(short.copy().eval().unwrap());
            // The same in 64 bits before they are added.
            let long = Array::from(in_memory.convert(DType::I64).copy().eval().unwrap());
            let ways: [fn(&Array) -> Array; 5] = [
                |x| x.clone(),
                |x| x.flip([0]),
                |x| x.flip([1]),
                |x| x.transpose(&[1, 0]),
                |x| x.select(&parse_index(":, 64:").unwrap()),
            ];
            for (number, way) in ways.into_iter().enumerate() {
                for axes in [&[0][..], &[1], &[0, 1]] {
                    let expected = way(&long).sum(axes, Keep::Nothing).to_vec::<i64>().unwrap();
                    for source in [&in_memory, &short] {
                        let added = way(source).convert(DType::I64).sum(axes, Keep::Nothing);
                        let place = format!("{dtype}, {rows} rows of {columns}, way {number}, {axes:?}");
                        assert_eq!(added.to_vec::<i64>().unwrap(), expected, "{place}");
                    }
                }
            }
        }
    }
}

/// Folds of a few elements are done on the spot; what is put off and computed before gives the same bits.
#[test]
fn bits_on_the_spot() {
    let mut random = Random(11);
    for &[before, along, behind] in EXTENTS.iter().filter(|extents| extents.iter().product::<usize>() <= 8192)
    {
        for dtype in [DType::F32, DType::F64, DType::C64, DType::I16] {
            let x = Both::finite(&[before, along, behind], dtype, &mut random).array;
            let ways: [fn(&Array) -> Array; 4] = [
                |x| x.clone(),
                |x| x.flip([1]),
                |x| x.transpose(&[2, 1, 0]),
                |x| x.transpose(&[1, 0, 2]).copy().transpose(&[1, 0, 2]),
            ];
            for (number, way) in ways.into_iter().enumerate() {
                let x = Array::from(way(&x).eval().unwrap());
                let computed = x.copy().negative().negative();
                for reduction in [Reduction::Sum, Reduction::Prod, Reduction::Max] {
                    for axes in [&[1][..], &[0, 1], &[1, 2], &[0], &[0, 1, 2]] {
                        let bytes = |x: &Array| {
                            let folded = x.reduce(reduction, axes, Keep::Axes);
                            let tensor = folded.check().and_then(|()| folded.copy().eval()).ok()?;
                            Some(tensor.as_bytes().unwrap().to_vec())
                        };
                        let place =
                            format!("{reduction} {dtype} {before} {along} {behind} {number} {axes:?}");
                        assert_eq!(bytes(&x), bytes(&computed), "{place}");
                    }
                }
            }
        }
    }
}

/// What is multiplied by itself is a square, of which a fold knows more.
#[test]
fn products_of_equals_are_folded_as_squares() {
    let mut random = Random(7);
    for dtype in [DType::I8, DType::U32, DType::F16, DType::F32, DType::F64, DType::C64] {
        let mut numbers = |count: usize| {
            let numbers =
                (0..count).map(|_| f64::from(u8::try_from(random.below(256)).unwrap()) * 0.37 - 47.0);
            Array::new(&[count], &numbers.collect::<Vec<f64>>()).convert(dtype)
        };
        let (a, b) = (numbers(30 * 128).reshape(&[30, 1, 128]), numbers(17 * 128).reshape(&[17, 128]));
        let difference = &a - &b;
        let ready = Array::from(difference.copy().eval().unwrap());
        let expected = Array::from((&ready * &ready.copy()).eval().unwrap()).sum([2], Keep::Nothing);
        let expected = expected.convert(DType::C128).to_vec::<Complex<f64>>().unwrap();
        for folded in [&difference * &difference, &ready * &ready, difference.square()] {
            let folded = folded.sum([2], Keep::Nothing).convert(DType::C128);
            assert_eq!(folded.to_vec::<Complex<f64>>().unwrap(), expected, "{dtype}");
        }
    }
}

/// The terms of a sum may be of another type than what they are made of.
#[test]
fn absolute_values_of_complex_numbers_are_added() {
    let mut random = Random(11);
    for dtype in [DType::C64, DType::C128] {
        for shape in [[4, 3], [5, 64], [7, 600], [70, 300]] {
            let x = Both::finite(&shape, dtype, &mut random).array;
            // What is made of a copy is put off, also if it is small.
            let made = x.copy().abs();
            let ready = Array::from(made.copy().eval().unwrap());
            for axis in [0, 1] {
                let added = [made.sum([axis], Keep::Nothing), ready.sum([axis], Keep::Nothing)];
                let [at_once, apart] = added.map(|sums| Listed::of(&sums));
                assert_eq!(at_once.difference(&apart), None, "{dtype} {shape:?} along {axis}");
            }
        }
    }
}

/// The elements of a text, as complex numbers, of which all others are some.
fn parsed(text: &str) -> Vec<Complex<f64>> {
    let element = |text: &str| match text.trim() {
        "true" => Complex::new(1.0, 0.0),
        "false" => Complex::new(0.0, 0.0),
        // Of an infinity or a NaN there is no imaginary part to be found.
        real if real.parse::<f64>().is_ok() => Complex::new(real.parse().unwrap(), 0.0),
        other => other.parse().unwrap(),
    };
    text.split(',').map(element).collect()
}

#[test]
fn folds_give_what_their_records_say() {
    let mut examples = 0;
    for reduction in Reduction::ALL {
        for example in reduction.record().examples {
            let (dtype, rest) = example.split_once(": ").unwrap();
            let (elements, expected) = rest.split_once(" -> ").unwrap();
            let (dtype, elements) = (dtype.parse::<DType>().unwrap(), parsed(elements));
            let x = if dtype.class() == Class::Complex {
                Array::new(&[elements.len()], &elements).convert(dtype)
            } else {
                let parts: Vec<f64> = elements.iter().map(|element| element.re).collect();
                Array::new(&[parts.len()], &parts).convert(dtype)
            };
            let folded = x.reduce(reduction, [0], Keep::Nothing);
            assert_eq!(folded.dtype().unwrap(), reduction.result(dtype).unwrap(), "{reduction} {example}");
            let found = folded.convert(DType::C128).item::<Complex<f64>>().unwrap();
            let bits = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
            let expected = parsed(expected)[0];
            assert_eq!(bits(found.re), bits(expected.re), "{reduction} {example}: {found}");
            assert_eq!(bits(found.im), bits(expected.im), "{reduction} {example}: {found}");
            examples += 1;
        }
        assert!(!reduction.record().accuracy.is_empty());
    }
    assert!(examples > 20, "{examples}");
}
