//! Sorting along an axis: the elements, or their places.
//!
//! Both are stable: what is equal stays in its order, in either direction.

use bytemuck::{cast_slice, cast_slice_mut};

use super::evaluate::compact;
use super::lines::{axis_last, try_each_line};
use super::order::{ForOrdered, Ordered, check_ordered, for_ordered};
use super::{Array, Called, Extents, keys};
use crate::buffer::MemoryError;
use crate::dtype::DType;
use crate::engine::LANES;
use crate::tensor::Tensor;

/// Lines of up to so many elements are sorted several at once: as many as have so many, and whole numbers of what lies
/// beside each other in a network.
const TOGETHER: usize = 1 << 12;

/// Which end a sorted array begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The least first.
    Ascending,
    /// The greatest first.
    Descending,
}

impl Array {
    /// The elements in order along an axis; NaN is greater than all others.
    ///
    /// ```
    /// use ndcast::{Array, Direction};
    /// let x = Array::new(&[2, 3], &[3, 1, 2, 6, 5, 4]);
    /// assert_eq!(x.sort(1, Direction::Ascending).to_vec::<i32>()?, [1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.sort(0, Direction::Descending).to_vec::<i32>()?, [6, 5, 4, 3, 1, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn sort(&self, axis: usize, direction: Direction) -> Array {
        if self.is_watched() && axis < self.node().shape().len() {
            // So that it can be differentiated: which element comes from where.
            return self.take_along_axis(&self.argsort(axis, direction), axis);
        }
        self.by_lines(What::Elements, axis, direction)
    }

    /// The indices along an axis that would sort the array.
    ///
    /// ```
    /// use ndcast::{Array, Direction};
    /// let x = Array::new(&[4], &[30, 10, 20, 10]);
    /// assert_eq!(x.argsort(0, Direction::Ascending).to_vec::<i64>()?, [1, 3, 2, 0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn argsort(&self, axis: usize, direction: Direction) -> Array {
        self.by_lines(What::Places, axis, direction)
    }

    fn by_lines(&self, what: What, axis: usize, direction: Direction) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        let (own, dtype) = (self.node().shape(), self.node().dtype());
        if axis >= own.len() {
            return self.no_axis(what.name(), axis);
        }
        if let Err(error) = check_ordered(dtype) {
            return Array::of_error(error.of(what.name()));
        }
        // The axis is put last, and back.
        let last = own.len() - 1;
        let [order, back] = axis_last(own.len(), axis);
        let lines = self.transpose(&order);
        let shape: Extents = lines.node().shape().into();
        let line = shape[last];
        let result = if what == What::Places { DType::I64 } else { dtype };
        let walked = (0..own.len()).map(|axis| (axis < last).then_some(axis)).collect();
        let sorted =
            Array::call(Called::Other(what.name()), [(lines, walked)], shape, result, move |tensors, _| {
                let all = compact(&tensors[0])?;
                let mut out = Tensor::uninitialised(all.shape(), result)?;
                let (read, written) = (all.elements() * all.size(), all.elements() * out.size());
                if let (Some(to), true) = (out.memory_mut(), written > 0) {
                    let lines =
                        Lines { from: &all.memory()[..read], line, what, direction, to: &mut to[..written] };
                    for_ordered(dtype, lines)??;
                }
                Ok(out)
            });
        sorted.transpose(&back)
    }
}

/// What is asked of a sorted line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Elements,
    Places,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            What::Elements => "sort",
            What::Places => "argsort",
        }
    }
}

/// Lines of so many elements, of which each is sorted.
struct Lines<'l> {
    from: &'l [u8],
    line: usize,
    what: What,
    direction: Direction,
    to: &'l mut [u8],
}

impl ForOrdered for Lines<'_> {
    type Out = Result<(), MemoryError>;

    fn of<T: Ordered>(self) -> Result<(), MemoryError> {
        let Lines { from, line, what, direction, to } = self;
        let from: &[T] = cast_slice(from);
        let some = if line <= TOGETHER { line * (TOGETHER / line).next_multiple_of(LANES) } else { line };
        match what {
            What::Elements => {
                try_each_line((from, some), (cast_slice_mut(to), some), |from: &[T], to: &mut [T]| {
                    keys::sort(from, line, direction, to)
                })
            }
            What::Places => {
                try_each_line((from, some), (cast_slice_mut(to), some), |from: &[T], to: &mut [i64]| {
                    keys::places(from, line, direction, to)
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn both_directions_are_stable_and_nan_is_greatest() -> Result<(), Error> {
        let x = Array::new(&[5], &[1.0, f64::NAN, 0.0, 1.0, 0.0]);
        assert_eq!(x.argsort(0, Direction::Ascending).to_vec::<i64>()?, [2, 4, 0, 3, 1]);
        assert_eq!(x.argsort(0, Direction::Descending).to_vec::<i64>()?, [1, 0, 3, 2, 4]);
        assert!(x.sort(0, Direction::Descending).to_vec::<f64>()?[0].is_nan());
        Ok(())
    }

    #[test]
    fn any_axis_of_anything() -> Result<(), Error> {
        let x = Array::new(&[2, 0, 3], &[0u8; 0]);
        assert_eq!(x.sort(2, Direction::Ascending).shape()?, [2, 0, 3]);
        assert_eq!(x.argsort(1, Direction::Ascending).eval()?.shape(), [2, 0, 3]);
        assert!(x.sort(3, Direction::Ascending).eval().is_err());
        let truths = Array::new(&[3], &[true, false, true]);
        assert_eq!(truths.sort(0, Direction::Ascending).to_vec::<bool>()?, [false, true, true]);
        assert!(truths.convert(DType::F8E4M3).sort(0, Direction::Ascending).check().is_err());
        Ok(())
    }
}
