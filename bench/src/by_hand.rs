//! The harder of the other sides: loops over slices that know how each operand lies, which somebody writes who knows
//! the workload, Rust and rayon well.
//!
//! Rows are slices, so that the compiler makes vectors of the inner loops; three channels are written out.

use ndarray::parallel::prelude::*;
use ndarray::{Array, Axis, Dimension};

use crate::peer::is_shared;

/// Calls `each` for every piece of so many elements of an output, with where it begins; by all threads if it is large.
pub(crate) fn pieces<T, D, F>(output: &mut Array<T, D>, length: usize, each: F)
where
    T: Send + Sync,
    D: Dimension,
    F: Fn(usize, &mut [T]) + Send + Sync,
{
    let work = output.len() * size_of::<T>();
    pieces_of(output, length, work, each);
}

/// As [`pieces`], if the work is another number of bytes than the output has.
pub(crate) fn pieces_of<T, D, F>(output: &mut Array<T, D>, length: usize, work: usize, each: F)
where
    T: Send + Sync,
    D: Dimension,
    F: Fn(usize, &mut [T]) + Send + Sync,
{
    let elements = output.len();
    let Ok(mut flat) = output.view_mut().into_shape_with_order(elements) else { return };
    let each = |(number, mut piece): (usize, ndarray::ArrayViewMut1<'_, T>)| {
        if let Some(piece) = piece.as_slice_mut() {
            each(number * length, piece);
        }
    };
    if is_shared(work) {
        flat.axis_chunks_iter_mut(Axis(0), length).into_par_iter().enumerate().for_each(each);
    } else {
        flat.axis_chunks_iter_mut(Axis(0), length).enumerate().for_each(each);
    }
}

/// How many sums go on side by side, so that the compiler makes vectors of them.
const SUMS: usize = 32;

/// The sum of what is made of the elements.
pub(crate) fn sum_of(elements: &[f32], each: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0f32; SUMS];
    let parts = elements.chunks_exact(SUMS);
    let rest: f32 = parts.remainder().iter().map(|&a| each(a)).sum();
    for part in parts {
        for (sum, &a) in sums.iter_mut().zip(part) {
            *sum += each(a);
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// The sum of what is made of the elements of two slices.
pub(crate) fn sum_of_pairs(left: &[f32], right: &[f32], each: impl Fn(f32, f32) -> f32) -> f32 {
    let mut sums = [0.0f32; SUMS];
    let (a, b) = (left.chunks_exact(SUMS), right.chunks_exact(SUMS));
    let rest: f32 = a.remainder().iter().zip(b.remainder()).map(|(&a, &b)| each(a, b)).sum();
    for (a, b) in a.zip(b) {
        for ((sum, &a), &b) in sums.iter_mut().zip(a).zip(b) {
            *sum += each(a, b);
        }
    }
    sums.iter().sum::<f32>() + rest
}
