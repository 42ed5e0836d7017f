//! The memory limit: what passes it is an error that says how much was wanted, and nothing else is lost.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use ndcast::buffer::Pool;
use ndcast::error::ErrorKind;
use ndcast::shape::parse_index;
use ndcast::{Array, DType, Keep, Place, Tensor};

/// One test, because the pool and its limit are everybody's.
#[test]
fn the_limit() {
    let pool = Pool::global();
    let x = Array::new(&[1000], &[1.5f32; 1000]);
    let before = pool.usage().in_use;
    assert_eq!(before, 4096);
    pool.set_limit(1 << 20);

    // Nothing is asked for before somebody looks; the error then names the shape and the bytes.
    let column = x.reshape(&[1000, 1]);
    let large = &column + &x;
    assert_eq!(large.shape().unwrap(), [1000, 1000]);
    let error = large.eval().unwrap_err();
    let text =
        "memory for 1000x1000 of f32: 4000000 bytes are wanted, and 4096 of the allowed 1048576 are in use";
    assert_eq!(error.to_string(), text);
    let ErrorKind::Memory { error: inner, shape, dtype } = error.kind() else { panic!("{error:?}") };
    assert_eq!((inner.wanted, inner.limit), (4_000_000, 1 << 20));
    assert_eq!((shape.as_deref(), *dtype), (Some(&[1000, 1000][..]), Some(DType::F32)));
    // It stays that error, and so does what is made of it.
    assert_eq!(large.eval().unwrap_err(), error);
    assert_eq!((&large + 1.0).eval().unwrap_err().kind(), error.kind());

    // What needs it on the way, and what does not: a fold goes without.
    let through = part(&(&column * &x), "5:, ::-1") + 1.0;
    assert!(through.eval().unwrap_err().to_string().starts_with("memory for 1000x1000 of f32: "));
    assert_eq!((&column + &x).sum(&[0, 1], Keep::Nothing).item::<f32>().unwrap(), 3_000_000.0);

    // Earlier arrays are as they were, smaller ones can be made.
    assert_eq!(x.to_vec::<f32>().unwrap(), [1.5; 1000]);
    assert_eq!((&x + 1.0).to_vec::<f32>().unwrap(), [2.5; 1000]);
    for _ in 0..50 {
        assert!((&column - &x).eval().is_err());
    }
    let mut copied = x.broadcast_to(&[500, 1000]);
    copied.set(&parse_index("0").unwrap(), 0.0);
    assert!(copied.eval().unwrap_err().to_string().starts_with("memory for 500x1000 of f32: 2000000 bytes"));
    // A part for whose new value there is no memory stays.
    let mut own = x.copy();
    own.eval().unwrap();
    let rows = (&column * &x).cumulative_sum(0);
    let wrong =
        own.try_update(None, Place::At(&parse_index("1:").unwrap()), part(&rows, "0, 1:")).unwrap_err();
    assert!(wrong.to_string().starts_with("memory for 1000x1000 of f32: "), "{wrong}");
    assert_eq!(own.to_vec::<f32>().unwrap(), [1.5; 1000]);
    drop((own, rows));
    assert!(Tensor::zeros(&[1 << 20], DType::F64).is_err());
    assert!(Array::iota(1 << 30, DType::U8).check().is_err());
    assert!(Array::concatenate(&[&column.broadcast_to(&[1000, 300]); 2], 1).eval().is_err());
    drop((large, through, copied));
    assert_eq!(pool.usage().in_use, before);

    // Not even a tile fits: an error too, and no thread hangs.
    pool.set_limit(before + 4096);
    let tiny = (&x * 2.0).exp() + &x;
    let error = tiny.eval().unwrap_err();
    assert!(error.to_string().contains("bytes are wanted"), "{error}");
    assert!((&x + 1.0).sum(&[0], Keep::Nothing).eval().is_err());
    drop(tiny);
    pool.set_limit(before);
    assert!((&x + 1.0).eval().is_err());
    assert!(Array::new(&[65], &[1u8; 65]).check().is_err());
    // A few bytes need no memory of the pool.
    assert_eq!((Array::scalar(1) + 1).item::<i32>().unwrap(), 2);

    // With room again all goes on.
    pool.set_limit(1 << 30);
    assert_eq!((&column + &x).max(&[0, 1], Keep::Nothing).item::<f32>().unwrap(), 3.0);
    drop((column, x));
    assert_eq!(pool.usage().in_use, 0);
}

fn part(x: &Array, index: &str) -> Array {
    x.select(&parse_index(index).unwrap())
}
