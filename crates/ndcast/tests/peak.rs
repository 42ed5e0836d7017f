//! A fold of a broadcast expression takes its result and little besides.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

use ndcast::buffer::Pool;
use ndcast::{Array, Keep};

/// Squared distances of 2000 points to 2000 others: written out, the differences alone would take a gigabyte.
#[test]
fn pairwise_distances_are_never_written_out() {
    let points: Vec<f32> = (0u16..2000 * 16).map(|n| f32::from(n % 97)).collect();
    let (a, b) = (Array::new(&[2000, 1, 16], &points), Array::new(&[1, 2000, 16], &points));
    let before = Pool::global().usage().in_use;
    let distances = (&a - &b).square().sum(&[2], Keep::Nothing);
    let all: usize = distances.eval().unwrap().elements() * size_of::<f32>();
    let beside = Pool::global().usage().peak - before - all;
    assert!(beside < 16 << 20, "{beside} bytes beside {all}");
    // A shared pool holds what the array holds, and no more, when it is done.
    drop(distances);
    assert_eq!(Pool::global().usage().in_use, before);
}
