//! The memory limit: what passes it is an error that says how much was wanted, and nothing else is lost.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use ndcast::buffer::Pool;
use ndcast::error::ErrorKind;
use ndcast::shape::parse_index;
use ndcast::{Array, DType, Keep, Op, Place, Tensor};

/// What fails because there is no memory for it, and for no other reason.
fn lacks<T>(result: Result<T, ndcast::Error>) {
    let error = result.err().expect("there is memory for it");
    assert!(matches!(error.kind(), ErrorKind::Memory { .. }), "{error}");
}

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
    // It is that error again, and so is what is made of it.
    assert_eq!(large.eval().unwrap_err(), error);
    assert_eq!((&large + 1.0).eval().unwrap_err().kind(), error.kind());

    // Nothing needs nothing, however many there are of it.
    let empty = Array::zeros(&[1 << 40, 0, 4], DType::F32).matmul(&Array::zeros(&[4, 3], DType::F32));
    assert_eq!(empty.eval().unwrap().shape(), [1 << 40, 0, 3]);
    // The sums of a long product are made side by side.
    let long = Array::ones(&[128, 1], DType::F32).broadcast_to(&[128, 1 << 24]);
    let error = long.matmul(&long.transpose(&[1, 0])).eval().unwrap_err().to_string();
    assert!(error.starts_with("memory to compute 128x128 of f32: "), "{error}");

    // What needs it on the way, and what does not: a fold goes without.
    let through = part(&(&column * &x), "5:, ::-1") + 1.0;
    assert!(through.eval().unwrap_err().to_string().starts_with("memory for 1000x1000 of f32: "));
    assert_eq!((&column + &x).sum([0, 1], Keep::Nothing).item::<f32>().unwrap(), 3_000_000.0);

    // Earlier arrays are as they were, smaller ones can be made.
    assert_eq!(x.to_vec::<f32>().unwrap(), [1.5; 1000]);
    assert_eq!((&x + 1.0).to_vec::<f32>().unwrap(), [2.5; 1000]);
    for _ in 0..50 {
        lacks((&column - &x).eval());
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
    lacks(Tensor::zeros(&[1 << 20], DType::F64));
    lacks(Array::iota(1 << 30, DType::I32).eval());
    // More than there are addresses for.
    let error = Array::zeros(&[1 << 62], DType::F64).copy().eval().unwrap_err().to_string();
    assert!(error.starts_with("memory for 4611686018427387904 of f64: "), "{error}");
    lacks(Array::concatenate(&[&column.broadcast_to(&[1000, 300]); 2], 1).eval());
    drop((large, through, copied));
    assert_eq!(pool.usage().in_use, before);

    // Not even a tile fits: an error too, and no thread hangs.
    pool.set_limit(before + 4096);
    let tiny = (&x * 2.0).exp() + &x;
    let error = tiny.eval().unwrap_err();
    assert!(error.to_string().starts_with("memory for 1000 of f32: 4000 bytes are wanted"), "{error}");
    lacks((&x + 1.0).sum([0], Keep::Nothing).eval());
    drop(tiny);
    pool.set_limit(before);
    lacks((&x + 1.0).eval());
    lacks(Array::new(&[65], &[1u8; 65]).check());
    // A few bytes need no memory of the pool.
    assert_eq!((Array::scalar(1) + 1).item::<i32>().unwrap(), 2);
    // Numbers that are found count as what somebody asks for.
    pool.set_limit(pool.usage().in_use + (1 << 16));
    let truths = Array::new(&[100, 500], &[true; 50_000]);
    let wrong = truths.nonzero_numbers().unwrap_err().to_string();
    assert!(wrong.starts_with("nonzero: memory for 50001 of i64: 400008 bytes are wanted"), "{wrong}");
    lacks(truths.nonzero());
    drop(truths);
    // So do lists of places, of matrices or of elements, whatever comes of these.
    pool.set_limit(pool.usage().in_use + (1 << 16));
    let matrices = Array::new(&[2, 2], &[1i8; 4]).broadcast_to(&[10_000, 2, 2]);
    let wrong = matrices.matmul(&matrices).eval().unwrap_err().to_string();
    assert!(wrong.contains("matmul: memory") && wrong.contains("160000 bytes are wanted"), "{wrong}");
    let (places, values) = (Array::new(&[5000], &[0i64; 5000]), Array::new(&[5000], &[1i8; 5000]));
    pool.set_limit(pool.usage().in_use + (1 << 15));
    let wrong =
        Array::new(&[1], &[1i8]).put_along_axis(&places, &values, 0, None).eval().unwrap_err().to_string();
    assert!(wrong.contains("put_along_axis: memory") && wrong.contains("40000 bytes are wanted"), "{wrong}");
    drop((matrices, places, values));

    // What there is no memory for now, or was none for a part of.
    pool.set_limit(1 << 30);
    let short = Array::new(&[147, 52], &[1i16; 147 * 52]);
    let many = x.broadcast_to(&[100, 1000]);
    let mut own = many.copy();
    own.eval().unwrap();
    let values = &many * 2.0;
    pool.set_limit(pool.usage().in_use);
    let sum = short.sum([0], Keep::Nothing);
    let several = [&x + 1.0, short.convert(DType::F64), &column + &x, sum.clone(), part(&sum, "5:") + 1];
    for array in &several {
        let error = array.eval().unwrap_err();
        let ErrorKind::Memory { shape: Some(shape), dtype: Some(dtype), .. } = error.kind() else {
            panic!("{error:?}")
        };
        // What is named is on the way to it.
        assert!(shape.iter().product::<usize>() >= 52 && dtype.computes(), "{error}");
    }
    // A sum of all needs room for the sums of its parts, and says of which shape the result was to be.
    let error = many.sum([0, 1], Keep::Axes).eval().unwrap_err();
    assert!(error.to_string().starts_with("memory to compute 1x1 of f32: "), "{error}");
    let error = own.unique().unwrap_err().to_string();
    assert!(error.starts_with("unique: memory to compute 100x1000 of f32: "), "{error}");
    // A change needs some memory, unless the thread has as much left: it is made as a whole, or not.
    let mut expected = vec![1.5f32; 100_000];
    for (place, first, step) in [("::2", 0, 2), ("1:", 1, 1), (":, ::2", 0, 1)] {
        let index = parse_index(place).unwrap();
        let add = |expected: &mut Vec<f32>| {
            for (at, element) in expected.iter_mut().enumerate() {
                let (row, column) = (at / 1000, at % 1000);
                let is_there =
                    row >= first && (row - first) % step == 0 && (place != ":, ::2" || column % 2 == 0);
                *element += if is_there { 3.0 } else { 0.0 };
            }
        };
        if own.try_update(Some(Op::Add), Place::At(&index), part(&values, place)).is_ok() {
            add(&mut expected);
        }
        assert!(own.to_vec::<f32>().unwrap() == expected, "{place}");
        // As Python does it: a part that is changed and put back.
        let mut changed = part(&own, place);
        changed += part(&values, place);
        if own.try_update(None, Place::At(&index), &changed).is_ok() {
            add(&mut expected);
        }
        assert!(own.to_vec::<f32>().unwrap() == expected, "{place}");
    }

    // With room again all goes on, and nothing is lost.
    pool.set_limit(1 << 30);
    let sums: Vec<f64> = several.iter().map(|array| total(&array.convert(DType::F64))).collect();
    assert_eq!(sums, [2500.0, 7644.0, 3_000_000.0, 7644.0, 47.0 * 148.0]);
    own += &values;
    assert!(own.to_vec::<f32>().unwrap().iter().zip(&expected).all(|(own, before)| *own == before + 3.0));
    drop((short, own, many, values, sum, several));
    assert_eq!((&column + &x).max([0, 1], Keep::Nothing).item::<f32>().unwrap(), 3.0);
    drop((column, x));
    assert_eq!(pool.usage().in_use, 0);

    // What nobody looked at yet does not hold all that it is of.
    pool.set_limit(64 << 20);
    let of_large = |k: u16| {
        let large = Array::from((Array::iota(1 << 20, DType::F32) + f32::from(k)).eval().unwrap());
        (&large.max(.., Keep::Nothing) + 1.0, large.reshape(&[1 << 10, 1 << 10]).max(0, Keep::Nothing))
    };
    let results: Vec<(Array, Array)> = (0..40).map(of_large).collect();
    assert!(pool.usage().in_use <= 24 << 20);
    assert!(!results[39].1.is_ready());
    for (k, (greatest, columns)) in (0u16..).zip(&results) {
        assert_eq!(greatest.item::<f32>().unwrap(), f32::from(k) + 1_048_576.0);
        assert_eq!(columns.to_vec::<f32>().unwrap()[5], f32::from(k) + 1_047_557.0);
    }
    // Nor does it lose its gradient.
    let large = Array::from(Array::ones(&[1 << 20], DType::F32).copy().eval().unwrap());
    let tape = ndcast::graph::Tape::new(&[&large]).unwrap();
    let sums: Vec<Array> =
        (0..4).map(|k| (&tape.watched()[0] * f64::from(k)).sum(.., Keep::Nothing)).collect();
    let gradient = &tape.gradients(&(&sums[1] * &sums[3])).unwrap()[0];
    assert_eq!(gradient.max(.., Keep::Nothing).item::<f32>().unwrap(), 6.0 * 1_048_576.0);
    // And it is written where it is, once it is computed.
    let wide = Array::from(Array::ones(&[8, 1 << 18], DType::F32).copy().eval().unwrap());
    let mut row = part(&wide, "0") * 2.0;
    row.eval().unwrap();
    pool.set_limit(pool.usage().in_use + (64 << 10));
    row.try_update(None, Place::At(&parse_index("5").unwrap()), 7.0).unwrap();
    assert_eq!(row.to_vec::<f32>().unwrap()[4..7], [2.0, 7.0, 2.0]);
    pool.set_limit(1 << 30);
    drop((results, sums, large, wide, row));
}

fn total(x: &Array) -> f64 {
    x.to_vec::<f64>().unwrap().iter().sum()
}

fn part(x: &Array, index: &str) -> Array {
    x.select(&parse_index(index).unwrap())
}
