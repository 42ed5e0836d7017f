//! Rows and elements by their numbers, against index loops.

use ndcast::shape::parse_index;
use ndcast::{Array, DType};

use super::{coordinates, numbers, place, whole};

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
