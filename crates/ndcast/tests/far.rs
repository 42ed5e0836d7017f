//! Matrices that no cache holds, which are read some rows at a time, and asked for ahead: sums of their rows, and what is read
//! backwards and in steps. Of whole numbers every order of a sum gives the same bits.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

use ndcast::shape::parse_index;
use ndcast::{Array, Keep, threads};

/// More than 20 MiB even of every third element, in rows of which some are left over however many are read at a time.
const SHAPE: [usize; 2] = [8011, 1001];

fn number(place: usize) -> f64 {
    let whole = u32::try_from(place.wrapping_mul(7919) % 2003).unwrap();
    f64::from(whole) - 1000.0
}

#[test]
fn is_read_as_what_is_near() {
    let [rows, columns] = SHAPE;
    let all: Vec<f64> = (0..rows * columns).map(number).collect();
    let (x, b) = (Array::new(&SHAPE, &all), Array::new(&[columns], &all[..columns]));
    let mut sums = vec![0.0; columns];
    for row in all.chunks(columns) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    let most = |column: usize| all.iter().skip(column).step_by(columns).copied().fold(f64::MIN, f64::max);
    for count in [1, 2] {
        threads::set_threads(count);
        assert_eq!(x.sum([0], Keep::Nothing).to_vec::<f64>().unwrap(), sums, "{count} threads");
        let greatest = x.max([0], Keep::Nothing).to_vec::<f64>().unwrap();
        assert_eq!(greatest, (0..columns).map(most).collect::<Vec<_>>(), "{count} threads");
        for (index, from, step, many) in
            [("::-1", columns - 1, -1, columns), ("::2", 0, 2, 501), ("::-3", columns - 1, -3, 334)]
        {
            let part = x.select(&parse_index(&format!("::-1, {index}")).unwrap());
            let row = b.select(&parse_index(&format!(":{many}")).unwrap());
            let expected: Vec<f64> = (0..rows * many)
                .map(|place| {
                    let (row, at) = (rows - 1 - place / many, place % many);
                    let column = from.checked_add_signed(step * at.cast_signed()).unwrap();
                    all[row * columns + column] + all[at]
                })
                .collect();
            assert!((&part + &row).to_vec::<f64>().unwrap() == expected, "{index}, {count} threads");
            let columns =
                (0..many).map(|at| all[from.checked_add_signed(step * at.cast_signed()).unwrap()..].iter());
            let turned = columns.flat_map(|column| column.step_by(SHAPE[1]).rev());
            let copied = part.transpose(&[1, 0]).reshape(&[many * rows]).to_vec::<f64>().unwrap();
            assert!(turned.copied().eq(copied), "{index}, turned, {count} threads");
        }
    }
}
