//! Arrays in parts: under a memory limit several times smaller than the result, the same bytes as at once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use ndcast::buffer::Pool;
use ndcast::error::ErrorKind;
use ndcast::notation::Expression;
use ndcast::{Array, DType, Error};

const LIMIT: usize = 1 << 20;

fn compute(text: &str, arrays: &[(String, Array)]) -> Array {
    text.parse::<Expression>().unwrap().compute(arrays).unwrap()
}

/// The bytes, part by part, and how many parts there were.
fn parts(array: &Array) -> Result<(Vec<u8>, usize), Error> {
    let (mut bytes, mut count) = (Vec::new(), 0);
    array.in_parts(&mut |part| {
        bytes.extend_from_slice(Array::from(part.clone()).copy().eval()?.as_bytes().unwrap());
        count += 1;
        Ok(())
    })?;
    Ok((bytes, count))
}

/// One test, because the pool and its limit are everybody's.
#[test]
fn under_a_limit() {
    let pool = Pool::global();
    let ready = |array: Array| Array::from(array.eval().unwrap());
    let column = ready((Array::iota(2000, DType::F64) * 0.37).sin().reshape(&[2000, 1]));
    let row = ready((Array::iota(500, DType::F64) * 0.73).cos());
    let cube = ready((Array::iota(40 * 30 * 50, DType::F32) * 0.1).sin().reshape(&[40, 30, 50]));
    let wide = ready((Array::iota(400_000, DType::F64) * 0.21).sin().reshape(&[4, 100_000]));
    let arrays =
        [("c", column), ("r", row), ("k", cube), ("w", wide)].map(|(name, array)| (name.to_owned(), array));
    let whole = |text: &str| {
        let array = compute(text, &arrays).copy().eval().unwrap();
        array.as_bytes().unwrap().to_vec()
    };
    // Results of 4 MB and more, but for those of folds.
    let texts = [
        "c * r + 1",
        "exp(c) * exp(r) - (c + r)",
        "where(c > r, c, r * 2)",
        "(c + r).astype(float32) * 3",
        "(c * r)[::-1, ::2] + 0.5",
        "(c * r)[1:-1][::3].T * 2",
        "(c * r - r.mean()) / (c * r + 3).std(axis=1, keepdims=True)",
        "exp(c * r) / exp(c * r).sum(axis=1, keepdims=True)",
        "c * r - (c * r).mean(axis=0)",
        "(c * r).reshape(1000, 1000) * 2",
        "(c * r).reshape(100, 20, 500).sum(axis=1) * c.reshape(1, 2000)[:, :1]",
        "(c * r)[None] + 1",
        "(c * r).reshape(1, -1) + 1",
        "broadcast_to(r, (2000, 500))",
        "k[:, None] * k[None, :, :, :]",
        "(c * r > 0) & (c > r)",
        "concat([c * r, exp(c * r), c - r])",
        "concat([c * r, exp(c), c - r], axis=1) * 2",
        "stack([c * r, c - r, c + r], axis=1)",
        "stack([c * r, c - r])[::-1, 3:, ::2]",
        "roll(c * r, 777, axis=0) + roll(c * r, -3, axis=1)",
        "flip(c * r) + 1",
        "tile(c * r, (2, 2))",
        "repeat(c * r, 3, axis=0)",
        "sort(c * r, axis=1)",
        "argsort(c * r, axis=1)",
        "cumulative_sum(c * r, axis=0) + 1",
        "cumulative_sum(c * r, axis=1)",
        "cumulative_prod(1 + c * r / 100, axis=0)",
        "flip(cumulative_sum(flip(c * r, axis=0), axis=0), axis=0)",
        "cumulative_sum((c * r).reshape(-1)) * 2",
        "cumulative_sum(c * r, axis=0)[7:1990:3] - c[7:1990:3]",
        "take(exp(c * r), argsort(c[:, 0]) // 50 + 3, axis=0)",
        "take(c * r, argsort(r), axis=1)",
        "take_along_axis(c * r, argsort(c * r, axis=1), axis=1)",
        "diff(c * r, axis=0)",
        "tril(c * r)",
        "argmax(c * r, axis=1, keepdims=True).astype(float64) * r",
        "c @ r[None]",
        "(c * r).astype(float32) @ exp(r[:, None] * r[None, :140]).astype(float32)",
        "exp(c[:12].reshape(3, 4)) @ w",
        "einsum('ij,jk->ik', c * r[:20], exp(c[:20] * r))",
    ];
    let expected: Vec<Vec<u8>> = texts.iter().map(|text| whole(text)).collect();
    pool.trim();
    let before = pool.usage().in_use;
    pool.set_limit(before + LIMIT);
    for (text, expected) in texts.iter().zip(&expected) {
        let array = compute(text, &arrays);
        let result = parts(&array);
        let (bytes, count) = result.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(bytes == *expected, "{text}: other bytes");
        if expected.len() > LIMIT && !text.starts_with("broadcast_to") {
            assert!(array.eval().is_err(), "{text} fits as a whole");
            assert!(count > 1, "{text}");
        }
        drop(array);
        assert_eq!(pool.usage().in_use, before, "{text}: memory is kept");
    }

    // What is needed as a whole, and too large for that, is an error that says so, and leaves nothing behind.
    for text in [
        "sort(c * r, axis=0)",
        "concat([sort(c * r, axis=0), c * r], axis=1)",
        "(c * r)[::-1] - sort(c * r, axis=0)",
    ] {
        let expression: Expression = text.parse().unwrap();
        let error = expression.compute(&arrays).and_then(|array| parts(&array)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NeededWhole { .. }), "{text}: {error}");
        assert!(
            error.to_string().contains("cannot be computed in parts: memory for 2000x500 of f64"),
            "{text}: {error}"
        );
        assert_eq!(pool.usage().in_use, before, "{text}: memory is kept");
    }
    // An error that is not of memory is what it is.
    let error = parts(&compute("take(c * r, (c[:, 0] * 0).astype(int64) + 4000, axis=0)[:, 0]", &arrays))
        .unwrap_err();
    assert!(error.to_string().contains("there is no row 4000: axis 0 has extent 2000"), "{error}");
    // Those that fit as a whole are taken apart.
    let (bytes, count) = parts(&compute("cumulative_sum(c, axis=0) * r", &arrays)).unwrap();
    pool.set_limit(1 << 30);
    assert!(bytes == whole("cumulative_sum(c, axis=0) * r"));
    assert!(count > 1);
    // One row that is too large is taken apart along the next axis.
    let text = "(c[:2] * broadcast_to(r[:1], (1, 500)))[:, :, None] * broadcast_to(r, (1, 1, 500))";
    let expected = whole(text);
    pool.set_limit(before + (1 << 18) + (1 << 17));
    let (bytes, _) = parts(&compute(text, &arrays)).unwrap();
    assert!(bytes == expected);
}
