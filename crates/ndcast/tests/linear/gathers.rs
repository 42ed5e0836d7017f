//! Rows and elements by their numbers, against index loops.

use ndcast::shape::parse_index;
use ndcast::{Array, DType};

use super::{coordinates, lying_otherwise, numbers, place, whole};

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
            let x = numbers(&shape, 3).0.transpose(&back).flip([1]);
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

/// Few of many, which are read as they lie, and more than there are, which are put in order first.
#[test]
fn rows_of_views() {
    let wide = numbers(&[41, 32, 25], 8).0;
    let part = |text: &str| wide.select(&parse_index(text).unwrap());
    for view in
        [part("1:"), part(":, 2:"), part("::-1, ::3"), part("5, ..., ::2"), wide.transpose(&[2, 0, 1])]
    {
        for dtype in [DType::U8, DType::I16, DType::F32, DType::F64, DType::C128] {
            let view = view.abs().convert(dtype);
            let view = Array::from(view.eval().unwrap());
            for (axis, count) in (0..view.rank().unwrap()).flat_map(|axis| [(axis, 3), (axis, 100)]) {
                let places = numbers(&[count], 4).0;
                let taken = view.take(&places, axis);
                assert_eq!(whole(&taken), whole(&view.copy().take(&places, axis)), "{dtype} {axis} {count}");
                let outside = view.take(&(places - 300i64), axis).eval().unwrap_err().to_string();
                assert!(outside.starts_with("take: there is no row -"), "{outside}");
            }
        }
    }
}

/// Along several axes, of arrays that lie anyhow, against index loops.
#[test]
fn elements_by_several_numbers() {
    let shape = [7, 6, 9];
    let (x, all) = numbers(&shape, 9);
    let shapes: [&[usize]; 4] = [&[], &[2], &[3, 1], &[5, 3, 2]];
    for dtype in [DType::I8, DType::F16, DType::I32, DType::I64, DType::C128] {
        for x in lying_otherwise(&x.convert(dtype).copy()) {
            for (axes, own) in [
                (&[0, 1][..], [1, 2, 0]),
                (&[2, 0], [2, 1, 0]),
                (&[1, 2], [0, 0, 0]),
                (&[0, 1, 2], [1, 2, 3]),
                (&[1], [3, 0, 0]),
                (&[], [0, 0, 0]),
            ] {
                let each: Vec<Array> = (0..axes.len()).map(|n| numbers(shapes[own[n]], 10).0).collect();
                let along: Vec<(usize, &Array)> = axes.iter().copied().zip(&each).collect();
                let taken = x.take_together(&along);
                let mut together = vec![];
                for of in &own[..axes.len()] {
                    let longer = if shapes[*of].len() > together.len() { shapes[*of] } else { &together };
                    let shorter =
                        if shapes[*of].len() > together.len() { &together[..] } else { shapes[*of] };
                    let missing = longer.len() - shorter.len();
                    let stretched = |n: usize| if n < missing { 1 } else { shorter[n - missing] };
                    together = (0..longer.len()).map(|n| longer[n].max(stretched(n))).collect();
                }
                let others: Vec<usize> = (0..3).filter(|axis| !axes.contains(axis)).collect();
                let rest: Vec<usize> = others.iter().map(|&axis| shape[axis]).collect();
                let mut expected = vec![];
                for at in coordinates(&[&together[..], &rest].concat()) {
                    let mut from = [0; 3];
                    for (n, &axis) in axes.iter().enumerate() {
                        let number = whole(&each[n])[place(shapes[own[n]], &at[..together.len()])];
                        from[axis] =
                            usize::try_from(number.rem_euclid(shape[axis].try_into().unwrap())).unwrap();
                    }
                    others.iter().zip(&at[together.len()..]).for_each(|(&axis, &count)| from[axis] = count);
                    expected.push(all[place(&shape, &from)]);
                }
                assert_eq!(taken.shape().unwrap(), [&together[..], &rest].concat(), "{axes:?} {own:?}");
                assert_eq!(whole(&taken), expected, "{dtype} {axes:?} {own:?}");
                // The same of what is still to be computed.
                assert_eq!(
                    whole(&(x.clone() + 0).take_together(&along)),
                    expected,
                    "{dtype} {axes:?} {own:?}"
                );
            }
        }
    }
}

#[test]
fn numbers_that_do_not_go_together() {
    let x = numbers(&[4, 5], 1).0;
    let (two, three) = (Array::new(&[2], &[0i64, 1]), Array::new(&[3], &[0i64, 1, 4]));
    let error = |numbers: &[(usize, &Array)]| x.take_together(numbers).eval().unwrap_err().to_string();
    assert_eq!(error(&[(0, &three), (1, &three)]), "take_together: there is no row 4: axis 0 has extent 4");
    assert_eq!(
        error(&[(1, &two), (0, &(two.clone() - 6i64))]),
        "take_together: there is no row -6: axis 0 has extent 4"
    );
    assert_eq!(error(&[(1, &two), (1, &two)]), "take_together: axis 1 is named twice");
    assert_eq!(error(&[(2, &two)]), "take_together: there is no axis 2: the rank is 2");
    assert_eq!(error(&[(0, &two.convert(DType::F32))]), "take_together: the numbers are integers, not f32");
    assert_eq!(
        error(&[(0, &two), (1, &three)]),
        "take_together: array-api: 2 and 3 do not broadcast: on axis 0 of the result, axis 0 of operand 0 is 2 and \
         axis 0 of operand 1 is 3; they must be equal, or one of them 1"
    );
    let empty = numbers(&[0, 3], 1)
        .0
        .take_together(&[(0, &Array::new::<i64>(&[0], &[])), (1, &two.select(&parse_index("0:1").unwrap()))]);
    assert_eq!(empty.shape().unwrap(), [0]);
    assert_eq!(empty.to_vec::<i64>().unwrap(), []);
}

/// Each element's gradient is how often it was taken.
#[test]
fn gradients_of_what_is_taken_together() {
    let x = numbers(&[3, 4, 2], 2).0.convert(DType::F64);
    let (i, j) = (Array::new(&[2, 1], &[0i64, -1]), Array::new(&[3], &[3i64, 0, 3]));
    let tape = ndcast::graph::Tape::new(&[&x]).unwrap();
    let taken = tape.watched()[0].take_together(&[(1, &j), (0, &i)]);
    assert_eq!(taken.shape().unwrap(), [2, 3, 2]);
    assert_eq!(whole(&taken), whole(&x.take_together(&[(1, &j), (0, &i)])));
    let gradient = &tape.gradients(&taken.sum(.., ndcast::Keep::Nothing)).unwrap()[0];
    let mut expected = [0; 24];
    for (row, column) in [(0, 3), (0, 0), (0, 3), (2, 3), (2, 0), (2, 3)] {
        expected[row * 8 + column * 2] += 1;
        expected[row * 8 + column * 2 + 1] += 1;
    }
    assert_eq!(whole(gradient), expected);
}
