//! What is computed takes its result and little besides.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

use ndcast::buffer::Pool;
use ndcast::{Array, DType, Keep};

/// One test, because the pool is everybody's, and what it remembers is the most that there ever was.
#[test]
fn what_is_in_use_at_once() {
    what_is_computed_in_is_kept_until_it_is_given_back();
    pairwise_distances_are_never_written_out();
    what_is_not_needed_any_more_is_free();
    many_threads_have_room_for_little();
}

/// What tiles and folds are computed in counts as kept, not as in use, and goes with the rest of what is kept.
fn what_is_computed_in_is_kept_until_it_is_given_back() {
    let (pool, threads) = (Pool::global(), ndcast::threads::threads());
    for (wanted, there_are) in [(usize::MAX, 1024), (0, 1)] {
        ndcast::threads::set_threads(wanted);
        assert_eq!(ndcast::threads::threads(), there_are);
    }
    ndcast::threads::set_threads(1);
    let x = Array::full(&[500, 300], 1.5, DType::F32).copy();
    let in_use = x.eval().map(|_| pool.usage().in_use).unwrap();
    assert!(((&x + 1.0).exp() / &x).sum([1], Keep::Nothing).sum([0], Keep::Nothing).eval().is_ok());
    let usage = pool.usage();
    assert!((usage.in_use, usage.kept > 0) == (in_use, true) && usage.peak > in_use, "{usage:?}");
    pool.trim();
    assert_eq!((pool.usage().in_use, pool.usage().kept), (in_use, 0));
    drop(x);
    ndcast::threads::set_threads(threads);
}

/// Squared distances of 2000 points to 2000 others: written out, the differences alone would take a gigabyte.
fn pairwise_distances_are_never_written_out() {
    let points: Vec<f32> = (0u16..2000 * 16).map(|n| f32::from(n % 97)).collect();
    let (a, b) = (Array::new(&[2000, 1, 16], &points), Array::new(&[1, 2000, 16], &points));
    let before = Pool::global().usage().in_use;
    let distances = (&a - &b).square().sum([2], Keep::Nothing);
    let all: usize = distances.eval().unwrap().elements() * size_of::<f32>();
    let beside = Pool::global().usage().peak - before - all;
    assert!(beside < 16 << 20, "{beside} bytes beside {all}");
    // A shared pool holds what the array holds, and no more, when it is done.
    drop(distances);
    assert_eq!(Pool::global().usage().in_use, before);
}

/// Twelve layers, each of which needs the one before as a whole: two of them are there at once, and a column or a row.
fn what_is_not_needed_any_more_is_free() {
    let before = Pool::global().usage().in_use;
    let x = Array::full(&[2048, 2048], 1.5, DType::F32).copy();
    let mut y = x.clone();
    for layer in 0..12 {
        let greatest = y.max([layer % 2], Keep::Axes);
        y = (&y - &greatest).exp();
    }
    let layer = 2048 * 2048 * size_of::<f32>();
    assert_eq!(y.eval().unwrap().to_vec::<f32>().unwrap()[..3], [1.0; 3]);
    let peak = Pool::global().usage().peak - before;
    assert!(
        peak < 3 * layer + (8 << 20),
        "{peak} bytes; {layer} each for x, what is read, and what is written"
    );
    drop((x, y));
    assert_eq!(Pool::global().usage().in_use, before);
}

/// What all threads together compute in is a few megabytes, however many they are.
fn many_threads_have_room_for_little() {
    let threads = ndcast::threads::threads();
    let points: Vec<f32> = (0u16..2000 * 16).map(|n| f32::from(n % 97)).collect();
    let (a, b) = (Array::new(&[2000, 1, 16], &points), Array::new(&[1, 2000, 16], &points));
    for many in [8, 16, 32] {
        Pool::global().trim();
        ndcast::threads::set_threads(many);
        let distances = (&a - &b).square().sum([2], Keep::Nothing).eval().unwrap();
        let kept = Pool::global().usage().kept;
        assert!(kept < 8 << 20, "{kept} bytes for {many} threads beside {:?}", distances.shape());
    }
    ndcast::threads::set_threads(threads);
}
