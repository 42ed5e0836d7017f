//! The numbers that are computed with: always the same, and such that every result is finite.

use ndcast::{Array, Element, Tensor};

/// A linear congruential generator; only its upper bits are used.
#[derive(Clone, Debug)]
pub(crate) struct Source(u64);

impl Default for Source {
    fn default() -> Source {
        Source(0x9E37_79B9_7F4A_7C15)
    }
}

impl Source {
    /// The next of 2^24 numbers.
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 40).unwrap_or_default()
    }

    /// A number between 0 and 1.
    #[allow(clippy::cast_precision_loss, reason = "24 bits are exact")]
    fn unit(&mut self) -> f32 {
        self.next() as f32 / (1u32 << 24) as f32
    }

    /// An array, each element made of a number between 0 and 1.
    pub(crate) fn of<T: Element>(&mut self, shape: &[usize], each: impl Fn(f32) -> T) -> Array {
        let elements: Vec<T> = (0..shape.iter().product()).map(|_| each(self.unit())).collect();
        Array::new(shape, &elements)
    }

    /// Numbers between -1 and 1.
    pub(crate) fn floats(&mut self, shape: &[usize]) -> Array {
        self.of(shape, |unit| unit * 2.0 - 1.0)
    }

    /// Numbers between 0.5 and 1.5: sums of them are well-conditioned, and they may be divided by.
    pub(crate) fn positive(&mut self, shape: &[usize]) -> Array {
        self.of(shape, |unit| unit + 0.5)
    }

    /// Integers from 0 below a bound.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "the bounds are small")]
    pub(crate) fn integers(&mut self, shape: &[usize], bound: i32) -> Array {
        self.of(shape, |unit| (unit * bound as f32) as i32)
    }
}

/// The tensor of an array that is ready.
#[allow(clippy::expect_used, reason = "without data there is nothing to measure")]
pub(crate) fn ready(array: &Array) -> Tensor {
    array.eval().expect("the data is made")
}

/// The elements of a tensor of this type that lie one behind the other.
pub(crate) fn slice<T: Element>(tensor: &Tensor) -> &[T] {
    tensor.as_slice().unwrap_or_default()
}
