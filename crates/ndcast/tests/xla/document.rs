//! Every example of "Broadcasting semantics", through the builder.

use super::{counted, kind, made};
use ndcast::Tensor;

fn tensor(shape: &[usize], numbers: &[f32]) -> Tensor {
    Tensor::new(shape, numbers).unwrap()
}

/// The sum of two tensors with broadcast dimensions.
fn sum(lhs: &Tensor, rhs: &Tensor, dimensions: &[i64]) -> Result<(Vec<usize>, Vec<f64>), &'static str> {
    made(&[lhs.clone(), rhs.clone()], |xla, ids| xla.add(ids[0], ids[1], dimensions))
        .map_err(|error| kind(&error))
}

#[test]
fn examples_with_values() {
    let matrix = counted(&[2, 3]);
    let square = tensor(&[3, 3], &[0.0; 9]);
    let vector = tensor(&[3], &[7.0, 8.0, 9.0]);
    let seven = tensor(&[], &[7.0]);
    let two = [2, 3].to_vec();
    for (what, result, shape, numbers) in [
        ("X + v", sum(&matrix, &vector, &[1]), &two, vec![8.0, 10.0, 12.0, 11.0, 13.0, 15.0]),
        ("X + 7", sum(&matrix, &seven, &[]), &two, vec![8.0, 9.0, 10.0, 11.0, 12.0, 13.0]),
        ("7 + X", sum(&seven, &matrix, &[]), &two, vec![8.0, 9.0, 10.0, 11.0, 12.0, 13.0]),
        (
            "dimension 1: each element becomes a column",
            sum(&square, &vector, &[1]),
            &vec![3, 3],
            vec![7.0, 8.0, 9.0, 7.0, 8.0, 9.0, 7.0, 8.0, 9.0],
        ),
        (
            "dimension 0: each element becomes a row",
            sum(&square, &vector, &[0]),
            &vec![3, 3],
            vec![7.0, 7.0, 7.0, 8.0, 8.0, 8.0, 9.0, 9.0, 9.0],
        ),
        (
            "composition: 1 2 3 4 and [5 6] with (0)",
            sum(&counted(&[4]), &tensor(&[1, 2], &[5.0, 6.0]), &[0]),
            &vec![4, 2],
            vec![6.0, 7.0, 7.0, 8.0, 8.0, 9.0, 9.0, 10.0],
        ),
    ] {
        assert_eq!(result, Ok((shape.clone(), numbers)), "{what}");
    }
}

#[test]
fn examples_with_shapes() {
    let shape_of = |lhs: &[usize], rhs: &[usize], dimensions: &[i64]| {
        sum(&counted(lhs), &counted(rhs), dimensions).map(|(shape, _)| shape)
    };
    // MxNxPxQ, with numbers of their own.
    let all = [2, 3, 4, 5];
    for (lhs, rhs, dimensions, expected) in [
        (&[2, 3, 4][..], &[3, 4][..], &[1, 2][..], Ok(vec![2, 3, 4])),
        (&all, &[5], &[3], Ok(all.to_vec())),
        (&all, &[4], &[2], Ok(all.to_vec())),
        (&all, &[3], &[1], Ok(all.to_vec())),
        (&all, &[2], &[0], Ok(all.to_vec())),
        (&all, &[4, 5], &[2, 3], Ok(all.to_vec())),
        (&all, &[3, 4], &[1, 2], Ok(all.to_vec())),
        (&all, &[2, 5], &[0, 3], Ok(all.to_vec())),
        // "it is illegal to match V to N and T to P; it is also illegal to match V to both P and N"
        (&[4, 4, 4, 4], &[4, 4], &[2, 1], Err("axes-order")),
        (&[4, 4, 4, 4], &[4, 4], &[1, 1], Err("axes-order")),
        (&[2, 1], &[2, 3], &[], Ok(vec![2, 3])),
        (&[1, 2, 5], &[7, 2, 5], &[], Ok(vec![7, 2, 5])),
        (&[7, 2, 5], &[7, 1, 5], &[], Ok(vec![7, 2, 5])),
        (&[7, 2, 5], &[7, 2, 6], &[], Err("extent-mismatch")),
        (&[2, 1], &[1, 3], &[], Ok(vec![2, 3])),
        (&[1, 2], &[4, 3, 1], &[1, 2], Ok(vec![4, 3, 2])),
        (&[2, 3], &[3], &[], Err("rank-mismatch")),
        (&[2, 3], &[3], &[0], Err("extent-mismatch")),
    ] {
        assert_eq!(shape_of(lhs, rhs, dimensions), expected, "{lhs:?} {rhs:?} {dimensions:?}");
    }
}
