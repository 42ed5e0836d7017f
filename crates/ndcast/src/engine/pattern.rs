//! Short blocks of elements that are repeated again and again, as most small operands are.

use super::walk::Walk;
use crate::kernel::BLOCK;

/// The longest block that is made into a pattern, in elements.
pub(super) const PATTERN: usize = 4096;
/// A block is made into a pattern if it is repeated for so many elements.
const OFTEN: usize = 512;

/// A block that is repeated.
pub(super) struct Pattern {
    /// The elements of the block.
    pub(super) block: usize,
    /// The elements of all its repetitions; what follows is another block.
    pub(super) whole: usize,
    /// The length of rows that begin with the block each; none if it is 0.
    pub(super) row: usize,
    /// The first element of the repetitions that were asked for last.
    pub(super) first: usize,
    /// The first element of those that the buffer is made of, and how many it holds.
    pub(super) made: Option<(usize, usize)>,
    /// The element that was asked for last, and its place in the block.
    last: (usize, usize),
}

impl Pattern {
    pub(super) fn new(block: usize, times: usize, row: usize) -> Pattern {
        Pattern { block, whole: block * times, row, first: 0, made: None, last: (0, 0) }
    }

    /// Where in the block an element is, if it and so many more are of the same repetitions.
    #[inline]
    pub(super) fn find(&mut self, from: usize, len: usize) -> Option<usize> {
        if from.wrapping_sub(self.first) >= self.whole {
            self.first = from - from % self.whole;
            self.last = (self.first, 0);
        }
        if from - self.first + len > self.whole {
            return None;
        }
        // Most often one block further, at most.
        let along = self.last.1.wrapping_add(from.wrapping_sub(self.last.0));
        let along = match along.wrapping_sub(self.block) {
            _ if along < self.block => along,
            further if further < self.block => further,
            _ => (from - self.first) % self.block,
        };
        self.last = (from, along);
        Some(along)
    }
}

/// The longest block that is repeated and short enough, if it is repeated often, and how often.
pub(super) fn pattern(walk: &Walk) -> Option<(usize, usize)> {
    let mut block = 1;
    let mut pattern = None;
    for axis in walk.axes.iter().rev() {
        if block > PATTERN {
            break;
        }
        if axis.stride == 0 && block > 1 && block * axis.extent >= OFTEN {
            pattern = Some((block, axis.extent));
        }
        block *= axis.extent;
    }
    pattern
}

/// Whether what is repeated is so in every block that kernels work in.
pub(super) fn is_in_blocks(period: usize) -> bool {
    BLOCK.is_multiple_of(period)
}

/// Whether every row of this length begins with the block, and is not too long to be made of it.
pub(super) fn is_in_rows(block: usize, row: usize) -> bool {
    row <= PATTERN && row.is_multiple_of(block) && !is_in_blocks(block)
}
