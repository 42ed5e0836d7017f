//! How the elements of one operand follow one another while the result is walked through, element after element.
//!
//! The result is one long line of elements. Seen from there an operand is a nest of loops over its own memory: an
//! extent and a stride each, the innermost last. Loops of extent 1 are dropped, and two that can be one are one.
//! Operands are merged each for itself: nothing here needs them to agree.

use smallvec::SmallVec;

use crate::simd::LINE;

/// The position of one element in the memory of an operand, in elements.
pub(crate) type Position = isize;

/// One loop of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) extent: usize,
    /// What a step adds to the position.
    pub(crate) stride: isize,
}

/// A nest of loops over the memory of one operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    /// The innermost last; none of extent 1.
    pub(crate) axes: SmallVec<[Axis; 6]>,
    /// Where it begins.
    pub(crate) start: Position,
}

/// Where a walk is: the count in each loop, the innermost first.
pub(crate) type Counts = SmallVec<[usize; 6]>;

impl Walk {
    /// The walk over an operand with these strides, for a result of this shape without a 0.
    pub(crate) fn new(
        shape: impl Iterator<Item = usize>,
        strides: impl Iterator<Item = isize>,
        start: Position,
    ) -> Walk {
        let mut axes: SmallVec<[Axis; 6]> = SmallVec::new();
        for (extent, stride) in shape.zip(strides).filter(|&(extent, _)| extent != 1) {
            match axes.last_mut() {
                Some(last) if last.stride == stride.wrapping_mul(extent.cast_signed()) => {
                    *last = Axis { extent: last.extent * extent, stride };
                }
                _ => axes.push(Axis { extent, stride }),
            }
        }
        Walk { axes, start }
    }

    /// Whether element after element lies one behind the other.
    pub(crate) fn is_dense(&self) -> bool {
        matches!(self.axes[..], [] | [Axis { stride: 1, .. }])
    }

    /// Whether every element is the same one.
    pub(crate) fn is_constant(&self) -> bool {
        self.axes.iter().all(|axis| axis.stride == 0)
    }

    /// Whether no loop stays where it is, and so repeats what the loops inside it read.
    pub(crate) fn is_once(&self) -> bool {
        self.axes.iter().all(|axis| axis.stride != 0)
    }

    /// Whether the elements of a row lie in steps or backwards, and are read once.
    pub(crate) fn is_turned(&self) -> bool {
        self.inner().stride != 1 && self.is_once()
    }

    /// How many elements of the operand there are along it, each counted once.
    pub(crate) fn reached(&self) -> usize {
        self.axes.iter().filter(|axis| axis.stride != 0).map(|axis| axis.extent).product()
    }

    /// The bytes of the lines of the cache that its elements are in, each counted once, where these have so many bytes: with what
    /// lies between them, if they lie in steps.
    pub(crate) fn touched(&self, size: usize) -> usize {
        let strides = self.axes.iter().map(|axis| axis.stride.unsigned_abs());
        let step = strides.filter(|&stride| stride != 0).min().unwrap_or(1);
        self.reached().saturating_mul(step.saturating_mul(size).min(LINE.max(size)))
    }

    /// The innermost loop, which is one step of one element if there is none.
    pub(crate) fn inner(&self) -> Axis {
        self.axes.last().copied().unwrap_or(Axis { extent: 1, stride: 1 })
    }

    /// The position of one element, and the counts of the loops there.
    ///
    /// The counts are written one by one, and where they stay: a load that spans several stores waits until all stores before
    /// it are in the cache. After a tile that takes long, and nothing of the next one would be read meanwhile.
    #[inline]
    pub(crate) fn find(&self, element: usize, counts: &mut Counts) -> Position {
        counts.clear();
        let mut position = self.start;
        let mut rest = element;
        for axis in self.axes.iter().rev() {
            let count = rest % axis.extent;
            rest /= axis.extent;
            position += count.cast_signed() * axis.stride;
            counts.push(count);
        }
        position
    }

    /// Advances the loop around `inside` others, at most to its end, which carries outwards.
    #[inline]
    pub(super) fn go(&self, inside: usize, mut steps: usize, counts: &mut Counts, position: &mut Position) {
        for (count, axis) in counts.iter_mut().zip(self.axes.iter().rev()).skip(inside) {
            *count += steps;
            *position += steps.cast_signed() * axis.stride;
            if *count < axis.extent {
                break;
            }
            *position -= count.cast_signed() * axis.stride;
            *count = 0;
            steps = 1;
        }
    }

    /// The position of one element.
    pub(crate) fn position(&self, element: usize) -> Position {
        let mut position = self.start;
        let mut rest = element;
        for axis in self.axes.iter().rev() {
            position += (rest % axis.extent).cast_signed() * axis.stride;
            rest /= axis.extent;
        }
        position
    }
}

/// The row of a walk that was last read. The next one is found without a division.
pub(super) struct Place {
    /// Its first element.
    first: usize,
    counts: Counts,
    pub(super) position: Position,
}

impl Place {
    pub(super) fn new(walk: &Walk) -> Place {
        Place { first: 0, counts: smallvec::smallvec![0; walk.axes.len()], position: walk.start }
    }

    /// Goes to the row, of `row` elements, that has an element. Returns where in it that is.
    #[inline]
    pub(super) fn find(&mut self, walk: &Walk, row: usize, element: usize) -> usize {
        let along = element.wrapping_sub(self.first);
        if along < row {
            return along;
        }
        let rows = if along - row < row { 1 } else { along / row };
        if rows <= self.left(walk) {
            walk.go(1, rows, &mut self.counts, &mut self.position);
            self.first += rows * row;
        } else {
            self.first = element - element % row;
            self.position = walk.find(self.first, &mut self.counts);
        }
        element - self.first
    }

    /// How many rows the loop around them has left, this one included: they lie a constant step apart.
    #[inline]
    pub(super) fn left(&self, walk: &Walk) -> usize {
        match (&walk.axes[..], &self.counts[..]) {
            ([.., axis, _], [_, count, ..]) => axis.extent - count,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(shape: &[usize], strides: &[isize]) -> Vec<(usize, isize)> {
        let walk = Walk::new(shape.iter().copied(), strides.iter().copied(), 0);
        walk.axes.iter().map(|axis| (axis.extent, axis.stride)).collect()
    }

    #[test]
    fn loops_that_can_be_one_are_one() {
        assert_eq!(walk(&[2, 3, 4], &[12, 4, 1]), [(24, 1)]);
        assert_eq!(walk(&[2, 3, 4], &[0, 0, 1]), [(6, 0), (4, 1)]);
        assert_eq!(walk(&[2, 1, 4], &[4, 99, 1]), [(8, 1)]);
        assert_eq!(walk(&[32, 64, 56, 56], &[0, 1, 0, 0]), [(32, 0), (64, 1), (3136, 0)]);
        assert_eq!(walk(&[3, 4], &[1, 3]), [(3, 1), (4, 3)]);
        assert_eq!(walk(&[3, 4], &[-4, -1]), [(12, -1)]);
        assert_eq!(walk(&[1, 1], &[7, 7]), []);
    }

    #[test]
    fn lines_that_are_touched() {
        let touched = |axes: &[(usize, isize)], size| {
            Walk::new(axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1), 0).touched(size)
        };
        assert_eq!(touched(&[], 4), 4);
        assert_eq!(touched(&[(100, 1)], 4), 400);
        assert_eq!(touched(&[(9, 0), (100, -3)], 4), 1200);
        assert_eq!(touched(&[(10, 1), (20, 500)], 4), 800);
        assert_eq!(touched(&[(10, 500), (20, 100)], 8), 200 * 64);
        assert_eq!(touched(&[(10, 500), (20, 100)], 16), 200 * 64);
    }

    #[test]
    fn finds_every_element() {
        let walk = Walk::new([4, 3, 2].into_iter(), [1, -8, 0].into_iter(), 20);
        let positions: Vec<isize> = (0..24).map(|element| walk.position(element)).collect();
        for (element, &position) in positions.iter().enumerate() {
            let (a, b) = (element / 6, element / 2 % 3);
            assert_eq!(position, 20 + a.cast_signed() - 8 * b.cast_signed());
            let mut counts = Counts::new();
            assert_eq!(walk.find(element, &mut counts), position);
            assert_eq!(counts[..], [element % 2, element / 2 % 3, element / 6]);
        }
    }
}
