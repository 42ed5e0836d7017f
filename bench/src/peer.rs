//! The other sides: each workload in the own idiom of `ndarray` (`idiom.rs`), and as loops by hand (`by_hand.rs`).
//!
//! Of both, threads share what is large enough, and element types are converted in the same pass. They cannot choose
//! their instructions when they run, so they are compiled for the baseline unless RUSTFLAGS say otherwise. An output is
//! a new one, as ours is, or is there before.

#![allow(
    unsafe_code,
    reason = "an output that is not zeroed before it is filled, as `Zip::map_collect` has it"
)]

use ndarray::{Array, Dimension};
use ndcast::{Element, Tensor};

use crate::data::ready;

/// A computation into an output of its own, which can be compared.
pub(crate) trait Peer {
    /// Computes the output, in memory that is there.
    fn run(&mut self);

    /// Computes another output and drops it.
    fn run_new(&mut self);

    /// The bytes of the output.
    fn bytes(&self) -> usize;

    /// Compares the output with ours.
    ///
    /// # Errors
    /// Where they differ.
    fn compare(&self, ours: &Tensor) -> Result<(), String>;
}

/// Computes an output from inputs.
pub(crate) struct Filling<T, D: Dimension, F, const N: usize> {
    output: Array<T, D>,
    inputs: [Tensor; N],
    fill: F,
    keeps: Keeps,
}

/// Whether it needs the output that is there.
#[derive(Clone, Copy, PartialEq)]
enum Keeps {
    Nothing,
    Output,
}

/// A computation that changes this output, or puts another in its place by itself.
pub(crate) fn changing<T, D, F, const N: usize>(
    output: Array<T, D>,
    inputs: [&ndcast::Array; N],
    change: F,
) -> Filling<T, D, F, N>
where
    T: Close,
    D: Dimension,
    F: FnMut(&mut Array<T, D>, [&Tensor; N]),
{
    Filling { keeps: Keeps::Output, ..filling(output, inputs, change) }
}

/// A computation that fills this output, or another of its shape, from these inputs, in the memory that ours reads too.
/// It reads nothing of the output that it did not write.
pub(crate) fn filling<T, D, F, const N: usize>(
    output: Array<T, D>,
    inputs: [&ndcast::Array; N],
    fill: F,
) -> Filling<T, D, F, N>
where
    T: Close,
    D: Dimension,
    F: FnMut(&mut Array<T, D>, [&Tensor; N]),
{
    Filling { output, inputs: inputs.map(ready), fill, keeps: Keeps::Nothing }
}

impl<T, D, F, const N: usize> Peer for Filling<T, D, F, N>
where
    T: Close,
    D: Dimension,
    F: FnMut(&mut Array<T, D>, [&Tensor; N]),
{
    fn run(&mut self) {
        (self.fill)(&mut self.output, self.inputs.each_ref());
    }

    fn run_new(&mut self) {
        if self.keeps == Keeps::Output {
            return self.run();
        }
        // SAFETY: every bit pattern that fills it is written before it is read, as `filling` demands of each computation.
        let mut output = unsafe { Array::<T, D>::uninit(self.output.raw_dim()).assume_init() };
        (self.fill)(&mut output, self.inputs.each_ref());
        drop(std::hint::black_box(output));
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

macro_rules! halves {
    ($($half:ident $near:literal;)*) => {$(
        impl Close for half::$half {
            fn is_close(self, other: half::$half) -> bool {
                // Ours rounds after every operation, as the type says; the peer once.
                let (a, b) = (self.to_f32(), other.to_f32());
                (a - b).abs() <= $near + $near * a.abs()
            }
        }
    )*};
}

halves! { bf16 0.02; f16 0.0025; }

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

/// Whether work on so many bytes is for all threads.
pub(crate) fn is_shared(bytes: usize) -> bool {
    bytes >= SHARE && rayon::current_num_threads() > 1
}
