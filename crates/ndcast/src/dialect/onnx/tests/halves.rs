//! Halves: what is computed on the way may be greater than they are, or smaller, as long as the result is one of them.

use super::*;

/// A node of f16 and of bf16 gives what the same node of f32 gives, rounded, and what is expected.
fn is_rounded_once(op: &str, opset: i64, inputs: &[Tensor], attributes: &Attributes, expected: f64) {
    let made = |dtype: DType| {
        let inputs = inputs.iter().map(|tensor| {
            let array = crate::array::Array::from(tensor.clone());
            if tensor.dtype() == DType::F32 { array.convert(dtype).eval().unwrap() } else { tensor.clone() }
        });
        let node = Try::new(opset, op, inputs.collect(), attributes.clone());
        let made = node.run(Given::Known).unwrap().swap_remove(0);
        assert_eq!(made.dtype(), dtype, "{op}");
        numbers(&crate::array::Array::from(made).convert(DType::F16).eval().unwrap()).unwrap()[0]
    };
    let of_floats = made(DType::F32);
    for dtype in [DType::F16, DType::Bf16] {
        let found = made(dtype);
        // A half has 11 bits, of bfloats 8.
        assert!(
            (found - of_floats).abs() <= of_floats.abs() / 100.0,
            "{op} of {dtype}: {found} and {of_floats}"
        );
    }
    assert!((of_floats - expected).abs() <= expected.abs() / 100.0, "{op}: {of_floats}");
}

#[test]
fn sums_and_squares_may_be_too_great_for_them() {
    let all = |count: usize, number: f32| floats(&[1, count], &vec![number; count]);
    let image = |number: f32, step: f32| {
        let elements: Vec<f32> = (0..16u8).map(|place| number + step * f32::from(place)).collect();
        floats(&[1, 1, 4, 4], &elements)
    };
    let none = Attributes::new();
    for (op, opset, x, attributes, expected) in [
        ("ReduceMean", 13, all(4096, 20.0), none.clone().with("axes", [1]), 20.0),
        ("ReduceL2", 13, all(4096, 20.0), none.clone().with("axes", [1]), 1280.0),
        ("ReduceSumSquare", 13, all(2, 150.0), none.clone().with("axes", [1]), 45000.0),
        ("LpNormalization", 1, all(4096, 20.0), none.clone(), 1.0 / 64.0),
        ("Softmax", 13, all(70_000, 1.0), none.clone(), 1.0 / 70_000.0),
        ("LogSoftmax", 13, all(70_000, 1.0), none.clone(), -11.156),
        ("GlobalAveragePool", 1, image(20_000.0, 0.0), none.clone(), 20_000.0),
        ("GlobalLpPool", 2, image(500.0, 0.0), none.clone(), 2000.0),
        ("LRN", 13, image(300.0, 0.0), none.clone().with("size", 1), 300.0 / 10f64.powf(0.75)),
        ("MeanVarianceNormalization", 13, image(-4000.0, 512.0), none.clone(), -1.6271),
    ] {
        is_rounded_once(op, opset, &[x], &attributes, expected);
    }
    let one = || floats(&[1], &[1.0]);
    let zero = || floats(&[1], &[0.0]);
    is_rounded_once("InstanceNormalization", 6, &[image(-4000.0, 512.0), one(), zero()], &none, -1.6271);
    is_rounded_once("Mean", 13, &[all(1, 4e4), all(1, 4e4), all(1, 4e4)], &none, 4e4);
    let labels = Tensor::new(&[5000], &vec![0i64; 5000]).unwrap();
    let scores = floats(&[5000, 2], &[0.0f32, 50.0].repeat(5000));
    is_rounded_once("SoftmaxCrossEntropyLoss", 13, &[scores, labels], &none, 50.0);
}

/// Of whole numbers it is computed with floats, and cut off.
#[test]
fn whole_numbers_are_shrunk() {
    let x = Tensor::new(&[5], &[-3, -1, 0, 1, 3]).unwrap();
    let attributes = Attributes::new().with("lambd", 1.5f32).with("bias", 1.5f32);
    let made = Try::new(9, "Shrink", vec![x], attributes).run(Given::Known).unwrap();
    assert_eq!(made[0].to_vec::<i32>().unwrap(), [-1, 0, 0, 0, 1]);
}
