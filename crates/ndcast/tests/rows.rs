//! Rows of every length beside a column and a row, few that are computed at once and many: what lies behind the last whole block
//! of each is computed as all of it.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

use ndcast::Array;

/// Rows of so many columns: for each of these counts.
fn each(run: impl Fn(usize, usize)) {
    for columns in (1..=20).chain(44..=84).chain(110..=145).chain([160, 191, 200, 255]) {
        for rows in [1, 3, 20_000 / columns + 1] {
            run(rows, columns);
        }
    }
}

/// As many numbers, of which neighbours differ.
fn numbers(count: usize, first: i32) -> Vec<i32> {
    (first..).take(count).map(|n| n.wrapping_mul(7919) % 1009 - 400).collect()
}

#[test]
fn floats_and_truth_values() {
    each(|rows, columns| {
        let floats =
            |count, first| -> Vec<f64> { numbers(count, first).into_iter().map(f64::from).collect() };
        let [all, one, row] =
            [(rows * columns, 1), (rows, 2), (columns, 3)].map(|(count, first)| floats(count, first));
        let x = Array::new(&[rows, columns], &all);
        let (m, b) = (Array::new(&[rows, 1], &one), Array::new(&[columns], &row));
        let of = |made: fn(f64, f64, f64) -> f64| -> Vec<f64> {
            let each = all.iter().enumerate();
            each.map(|(place, &x)| made(x, one[place / columns], row[place % columns])).collect()
        };
        assert_eq!((&x - &m).to_vec::<f64>().unwrap(), of(|x, m, _| x - m), "{rows}x{columns}");
        assert_eq!(((&x - &m) * &m).to_vec::<f64>().unwrap(), of(|x, m, _| (x - m) * m), "{rows}x{columns}");
        let fused = (&m - &x) * &m * &b + &b;
        assert_eq!(fused.to_vec::<f64>().unwrap(), of(|x, m, b| (m - x) * m * b + b), "{rows}x{columns}");
        let larger: Vec<bool> =
            of(|x, m, _| f64::from(u8::from(x > m))).into_iter().map(|truth| truth == 1.0).collect();
        assert_eq!(x.greater(&m).to_vec::<bool>().unwrap(), larger, "{rows}x{columns}");
        let mut changed = x.copy();
        changed -= &m;
        changed *= &b;
        assert_eq!(changed.to_vec::<f64>().unwrap(), of(|x, m, b| (x - m) * b), "{rows}x{columns}");
        assert_eq!(x.to_vec::<f64>().unwrap(), all);
    });
}

#[test]
fn quotients_of_integers() {
    each(|rows, columns| {
        let (all, mut one) = (numbers(rows * columns, 1), numbers(rows, 2));
        one.iter_mut().filter(|n| **n == 0).for_each(|n| *n = 3);
        let (x, m) = (Array::new(&[rows, columns], &all), Array::new(&[rows, 1], &one));
        let expected: Vec<i32> = all
            .iter()
            .enumerate()
            .map(|(place, &x)| {
                let m = one[place / columns];
                x.div_euclid(m) - i32::from(m < 0 && x.rem_euclid(m) != 0)
            })
            .collect();
        assert_eq!(x.floor_divide(&m).to_vec::<i32>().unwrap(), expected, "{rows}x{columns}");
        let rest: Vec<i32> = all
            .iter()
            .zip(&expected)
            .enumerate()
            .map(|(place, (x, q))| x - q * one[place / columns])
            .collect();
        let mut changed = x.copy();
        changed %= &m;
        assert_eq!(changed.to_vec::<i32>().unwrap(), rest, "{rows}x{columns}");
    });
}
