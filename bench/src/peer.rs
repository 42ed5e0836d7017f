//! The other side: `ndarray`, as somebody would write it who knows it well.
//!
//! Outputs are there before, rows are slices so that the compiler makes vectors of the inner loops, threads share
//! what is large enough, and element types are converted in the same pass. It cannot choose its instructions when it
//! runs, so it is compiled for the baseline unless RUSTFLAGS say otherwise.

use ndarray::parallel::prelude::*;
use ndarray::{Array, Axis, Dimension};
use ndcast::{Element, Tensor};

/// A computation into an output of its own, which can be compared.
pub(crate) trait Peer {
    /// Computes the output.
    fn run(&mut self);

    /// The bytes of the output.
    fn bytes(&self) -> usize;

    /// Compares the output with ours.
    ///
    /// # Errors
    /// Where they differ.
    fn compare(&self, ours: &Tensor) -> Result<(), String>;
}

/// Fills an output that is there before.
pub(crate) struct Filling<T, D: Dimension, F> {
    output: Array<T, D>,
    fill: F,
}

/// A computation that fills this output.
pub(crate) fn filling<T, D, F>(output: Array<T, D>, fill: F) -> Filling<T, D, F>
where
    T: Close,
    D: Dimension,
    F: FnMut(&mut Array<T, D>),
{
    Filling { output, fill }
}

impl<T: Close, D: Dimension, F: FnMut(&mut Array<T, D>)> Peer for Filling<T, D, F> {
    fn run(&mut self) {
        (self.fill)(&mut self.output);
    }

    fn bytes(&self) -> usize {
        self.output.len() * size_of::<T>()
    }

    fn compare(&self, ours: &Tensor) -> Result<(), String> {
        if ours.shape() != self.output.shape() {
            return Err(format!("the shape is {:?}, and should be {:?}", ours.shape(), self.output.shape()));
        }
        let own = self.output.as_slice().unwrap_or_default();
        let ours = ours.to_vec::<T>().map_err(|error| error.to_string())?;
        match (0..own.len()).find(|&place| !own[place].is_close(ours[place])) {
            None => Ok(()),
            Some(place) => Err(format!(
                "element {place} is {:?}, and should be {:?}; shape {:?}",
                ours[place],
                own[place],
                self.output.shape()
            )),
        }
    }
}

/// Whether two results are the same but for rounding.
pub(crate) trait Close: Element + Copy {
    fn is_close(self, other: Self) -> bool;
}

macro_rules! exact {
    ($($type:ty)*) => {$(
        impl Close for $type {
            fn is_close(self, other: Self) -> bool { self == other }
        }
    )*};
}

exact! { bool i8 u8 i16 i32 }

impl Close for f64 {
    fn is_close(self, other: f64) -> bool {
        (self - other).abs() <= 1e-12 + 1e-12 * self.abs()
    }
}

impl Close for f32 {
    fn is_close(self, other: f32) -> bool {
        // Sums of a hundred thousand are added in another order.
        (self - other).abs() <= 1e-5 + 1e-4 * self.abs()
    }
}

impl Close for half::bf16 {
    fn is_close(self, other: half::bf16) -> bool {
        // Ours rounds after every operation, as the type says; the peer once.
        let (a, b) = (self.to_f32(), other.to_f32());
        (a - b).abs() <= 0.02 + 0.02 * a.abs()
    }
}

impl Close for num_complex::Complex<f32> {
    fn is_close(self, other: Self) -> bool {
        self.re.is_close(other.re) && self.im.is_close(other.im)
    }
}

impl Close for num_complex::Complex<f64> {
    fn is_close(self, other: Self) -> bool {
        self.re.is_close(other.re) && self.im.is_close(other.im)
    }
}

/// To share less than so many bytes costs more than it brings.
const SHARE: usize = 512 << 10;

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
    if work >= SHARE && rayon::current_num_threads() > 1 {
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
