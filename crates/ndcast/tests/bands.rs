//! Stages that are run together, block after block, give what they give one after the other, bit for bit.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

use ndcast::shape::parse_index;
use ndcast::{Array, DType, Keep, Tensor};

/// Numbers that look random.
fn numbers(shape: &[usize]) -> Array {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f32::from(u16::try_from(state >> 48).unwrap()) / 8192.0 - 4.0
    };
    let count = shape.iter().product();
    Tensor::new(shape, &(0..count).map(|_| next()).collect::<Vec<f32>>()).unwrap().into()
}

/// The bits of an array's elements.
fn bits(array: &Array) -> Vec<u32> {
    array.to_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect()
}

/// Computes an expression as one, and with every step computed before the next.
fn same(name: &str, of: impl Fn(&dyn Fn(Array) -> Array) -> Array) {
    let at_once = of(&|array| array);
    let one_by_one = of(&|array: Array| {
        array.eval().unwrap();
        array
    });
    assert_eq!(at_once.shape().unwrap(), one_by_one.shape().unwrap(), "{name}");
    assert_eq!(bits(&at_once), bits(&one_by_one), "{name}");
}

fn softmax(x: &Array, axes: &[usize], step: &dyn Fn(Array) -> Array) -> Array {
    let greatest = step(x.max(axes, Keep::Axes));
    let moved = step(x - &greatest);
    let e = step(moved.exp());
    let sum = step(e.sum(axes, Keep::Axes));
    step(&e / &sum)
}

fn layer_norm(x: &Array, axes: &[usize], step: &dyn Fn(Array) -> Array) -> Array {
    let mean = step(x.mean(axes, Keep::Axes));
    let distance = step(x - &mean);
    let variance = step(step(distance.square()).mean(axes, Keep::Axes));
    step(step(distance * &step((variance + 1e-5).rsqrt())) * 2.0 + 0.5)
}

#[test]
fn rows() {
    for shape in [[700, 1024], [3000, 129], [257, 4097], [100_000, 3]] {
        let x = numbers(&shape);
        same("softmax", |step| softmax(&x, &[1], step));
        same("layer norm", |step| layer_norm(&x, &[1], step));
    }
}

#[test]
fn several_leading_axes() {
    let x = numbers(&[5, 7, 33, 500]);
    same("softmax", |step| softmax(&x, &[3], step));
    same("of two axes", |step| layer_norm(&x, &[2, 3], step));
    same("of other axes", |step| softmax(&x, &[1, 3], step));
    same("of the first", |step| softmax(&x, &[0], step));
    let turned = x.transpose(&[2, 0, 3, 1]);
    same("turned", |step| softmax(&turned, &[2], step));
    same("backwards", |step| layer_norm(&x.flip([0, 3]), &[3], step));
}

#[test]
fn results_that_are_wanted_twice() {
    let x = numbers(&[900, 700]);
    let e = x.exp();
    let sum = e.sum([1], Keep::Axes);
    let (y, z) = (&e / &sum, &sum * &x.cos());
    ndcast::eval(&[&y, &z, &sum]).unwrap();
    let own = x.exp();
    own.eval().unwrap();
    let own_sum = own.sum([1], Keep::Axes);
    assert_eq!(bits(&sum), bits(&own_sum));
    assert_eq!(bits(&y), bits(&(&own / &own_sum)));
    assert_eq!(bits(&z), bits(&(&own_sum * &x.cos())));
    // What was only needed on the way is computed if somebody looks.
    assert_eq!(bits(&e), bits(&own));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let x = numbers(&[2000, 300]);
    let all: Vec<Vec<u32>> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            ndcast::threads::set_threads(threads);
            bits(&softmax(&x, &[1], &|array| array))
        })
        .collect();
    assert!(all.iter().all(|one| *one == all[0]));
}

/// What is repeated is converted once if there is much of the rest, and what is rounded between two operations stays in
/// the wider type: neither can be seen.
#[test]
fn small_floats() {
    for dtype in [DType::F16, DType::Bf16] {
        let [x, row, column] = [&[300, 128][..], &[128], &[300, 1]].map(|shape| {
            let array = numbers(shape).convert(dtype);
            array.eval().unwrap();
            array
        });
        let of = |x: &Array, column: &Array, step: &dyn Fn(Array) -> Array| {
            let product = step(x * &row);
            let sum = step(step(product + column) * x);
            step(sum - &row).convert(DType::F32)
        };
        same("small floats", |step| of(&x, &column, step));
        let whole = bits(&of(&x, &column, &|array| array));
        for line in [0, 1, 150, 299] {
            let at = parse_index(&format!("{line}:{}", line + 1)).unwrap();
            let [x, column] =
                [&x, &column].map(|array| Array::from(array.eval().unwrap().select(&at).unwrap()));
            assert_eq!(bits(&of(&x, &column, &|array| array)), whole[line * 128..][..128], "{dtype} {line}");
        }
    }
}

#[test]
fn bytes_with_a_row() {
    let bytes: Vec<u8> = (0..300 * 100u32).map(|n| u8::try_from(n * 7 % 256).unwrap()).collect();
    let (x, row) = (Array::new(&[300, 100], &bytes), numbers(&[100]));
    let sums = (x.convert(DType::F32) / 255.0 - &row) / &row;
    let (sums, row) = (sums.to_vec::<f32>().unwrap(), row.to_vec::<f32>().unwrap());
    for (place, (sum, &byte)) in sums.iter().zip(&bytes).enumerate() {
        let number = row[place % 100];
        assert_eq!(sum.to_bits(), ((f32::from(byte) / 255.0 - number) / number).to_bits(), "{place}");
    }
    let small = Array::new(&[100], &bytes[..100]);
    let sums = (&numbers(&[300, 100]) * &small.convert(DType::F32)).to_vec::<f32>().unwrap();
    let numbers = numbers(&[300, 100]).to_vec::<f32>().unwrap();
    for (place, (sum, number)) in sums.iter().zip(&numbers).enumerate() {
        assert_eq!(sum.to_bits(), (number * f32::from(bytes[place % 100])).to_bits(), "{place}");
    }
}
