//! The order of a stage's loops, and with it how the result lies in memory.
//!
//! A result is written as one line of elements. It lies as its operands do, if all that are as large as it lie alike:
//! the sum of two transposed matrices is read and written straight on, and is a transposed matrix itself. Which
//! elements it has does not depend on that.

use std::cmp::Reverse;

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::engine::Walk;
use crate::error::Error;
use crate::tensor::Tensor;

/// The loops of a stage: extents, outermost first.
pub(super) type Loops = SmallVec<[usize; 6]>;

/// What a step of each loop adds to the position in an operand.
pub(crate) type Strides = SmallVec<[isize; 6]>;

/// The order of a job's loops, the innermost last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) axes: SmallVec<[usize; 6]>,
    /// Whether each of them goes backwards.
    pub(super) backwards: SmallVec<[bool; 6]>,
}

impl Order {
    /// The loops in this order, all forwards.
    pub(crate) fn of(axes: impl Iterator<Item = usize>) -> Order {
        let axes: SmallVec<[usize; 6]> = axes.collect();
        Order { backwards: smallvec::smallvec![false; axes.len()], axes }
    }

    /// The order in which operands with these strides lie in memory; that of the loops, if they do not agree.
    pub(crate) fn alike<'s>(loops: &[usize], operands: impl Iterator<Item = &'s Strides>) -> Order {
        let straight = Order::of(0..loops.len());
        if loops.contains(&0) {
            // Nothing lies anywhere.
            return straight;
        }
        let mut common: Option<SmallVec<[usize; 6]>> = None;
        for strides in operands {
            let is_repeated = loops.iter().zip(strides).any(|(&extent, &stride)| extent > 1 && stride == 0);
            if is_repeated {
                continue;
            }
            // Where a loop of one step stands does not matter.
            let mut axes: SmallVec<[usize; 6]> = (0..loops.len()).filter(|&axis| loops[axis] > 1).collect();
            if axes.is_sorted_by_key(|&axis| Reverse(strides[axis].unsigned_abs())) {
                return straight;
            }
            axes.sort_by_key(|&axis| Reverse(strides[axis].unsigned_abs()));
            if common.as_ref().is_some_and(|common| *common != axes) {
                return straight;
            }
            common = Some(axes);
        }
        common.map_or(straight, |common| {
            Order::of((0..loops.len()).filter(|&axis| loops[axis] == 1).chain(common))
        })
    }

    /// The order of a fold's result, in which the folded axes have extent 1: that of the kept loops.
    pub(super) fn without(&self, axes: &[usize], loops: &[usize]) -> Order {
        let is_long = |axis: &usize| loops[*axis] > 1 && !axes.contains(axis);
        let long: Loops = self.axes.iter().copied().filter(is_long).collect();
        if long.is_sorted() {
            return Order::of(0..loops.len());
        }
        Order::of((0..loops.len()).filter(|axis| !is_long(axis)).chain(long))
    }

    /// The walk over memory with these strides, from the position of the first loops' first steps on.
    pub(super) fn walk(&self, loops: &[usize], strides: &[isize], start: isize) -> Walk {
        let mut start = start;
        let strides: Strides = (self.axes.iter().zip(&self.backwards))
            .map(|(&axis, &backwards)| {
                if backwards {
                    start += strides[axis] * (loops[axis].cast_signed() - 1);
                }
                if backwards { -strides[axis] } else { strides[axis] }
            })
            .collect();
        Walk::new(self.axes.iter().map(|&axis| loops[axis]), strides.iter().copied(), start)
    }

    /// A new tensor of this shape, whose elements `write` stores contiguously in this order.
    pub(crate) fn tensor(
        &self,
        shape: &[usize],
        dtype: DType,
        write: impl FnOnce(&mut Tensor) -> Result<(), Error>,
    ) -> Result<Tensor, Error> {
        if self.axes.is_sorted() {
            let mut tensor = Tensor::uninitialised(shape, dtype)?;
            write(&mut tensor)?;
            return Ok(tensor);
        }
        let extents: Loops = self.axes.iter().map(|&axis| shape[axis]).collect();
        let mut tensor = Tensor::uninitialised(&extents, dtype)?;
        write(&mut tensor)?;
        let mut places: Loops = smallvec::smallvec![0; shape.len()];
        for (place, &axis) in self.axes.iter().enumerate() {
            places[axis] = place;
        }
        tensor.transpose(&places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(loops: &[usize], operands: &[&[isize]]) -> Vec<usize> {
        let operands: Vec<Strides> = operands.iter().map(|strides| Strides::from_slice(strides)).collect();
        Order::alike(loops, operands.iter()).axes.to_vec()
    }

    #[test]
    fn a_result_lies_as_its_operands_do() {
        assert_eq!(alike(&[3, 4], &[&[4, 1], &[4, 1]]), [0, 1]);
        assert_eq!(alike(&[3, 4], &[&[1, 3], &[1, 3]]), [1, 0]);
        // Who is repeated has no say.
        assert_eq!(alike(&[3, 4], &[&[1, 3], &[0, 1]]), [1, 0]);
        assert_eq!(alike(&[3, 4], &[&[0, 1], &[1, 0]]), [0, 1]);
        // Nor do they that do not agree.
        assert_eq!(alike(&[3, 4], &[&[1, 3], &[4, 1]]), [0, 1]);
        assert_eq!(alike(&[2, 3, 4], &[&[1, 8, 2], &[12, 1, 3]]), [0, 1, 2]);
        // A loop of one step stands anywhere.
        assert_eq!(alike(&[3, 1, 4], &[&[1, 99, 3]]), [1, 2, 0]);
        assert_eq!(alike(&[1, 4], &[&[1, 7]]), [0, 1]);
        assert_eq!(alike(&[3, 0, 4], &[&[1, 3, 3]]), [0, 1, 2]);
        assert_eq!(alike(&[3, 4], &[&[-1, -3]]), [1, 0]);
    }
}
