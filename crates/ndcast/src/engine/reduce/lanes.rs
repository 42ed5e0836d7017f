//! Folds that lie beside each other. Each has the form of one whose elements lie one behind the other; but where that has a
//! lane, here is a row of as many elements as there are folds.

use super::super::grid::Apart;
use super::super::tile::Tiles;
use super::{AT_ONCE, Fold, Folder};
use crate::kernel::BLOCK;
use crate::simd::prefetch;

/// The bytes of a row, at most: so all lanes stay in a near cache.
const ROW: usize = 2048;

/// How many folds of elements with so many bytes are done together.
pub(super) fn together(size: usize) -> usize {
    (ROW / size).max(1)
}

/// How many elements the lanes have.
pub(super) fn room(size: usize) -> usize {
    BLOCK * together(size)
}

/// Rows of so many elements, computed from an element on, one a step after the other.
struct Rows<'r, 'j> {
    tiles: &'r mut Tiles<'j>,
    tile: usize,
    first: usize,
    step: usize,
    count: usize,
    width: usize,
}

impl Rows<'_, '_> {
    /// Folds them to one, which is then the first of the lanes.
    fn fold(mut self, fold: &Fold, lanes: &mut [u8]) {
        let bytes = self.width * fold.size;
        if self.at_once(fold, lanes) {
            return;
        }
        if !self.lane_by_lane(fold, lanes) {
            self.row_by_row(fold, bytes, lanes);
        }
        let mut count = self.count.min(BLOCK);
        while count > 1 {
            // What there is more than a power of two goes with the last of these.
            let half = count.next_power_of_two() / 2;
            let (first, second) = lanes[..count * bytes].split_at_mut(half * bytes);
            let with = first.len() - second.len();
            (fold.folding.more)(&[second], &mut first[with..]);
            count = half;
        }
    }

    /// Folds all rows to the result as they are computed, if there is a kernel for that.
    fn at_once(&mut self, fold: &Fold, lanes: &mut [u8]) -> bool {
        let apart = Apart { rows: self.count, columns: self.width, step: self.step, whole: true };
        let kernel = fold.of.and_then(|of| of.lanes).filter(|_| self.count >= BLOCK);
        self.tiles.fold_rows(self.first, apart, kernel, lanes)
    }

    /// Folds all rows of a lane at once and then those of the next, if they lie so that this is better.
    fn lane_by_lane(&mut self, fold: &Fold, lanes: &mut [u8]) -> bool {
        let &mut Rows { ref tiles, first, step, width, .. } = self;
        if step != width && tiles.memory(first, width).is_some() {
            let row = |row: usize| tiles.memory(first + row * step, width).unwrap_or_default();
            lane_by_lane(self.count, row, fold, lanes.chunks_exact_mut(width * fold.size));
            return true;
        }
        false
    }

    fn row_by_row(&mut self, fold: &Fold, bytes: usize, lanes: &mut [u8]) {
        let width = self.width;
        let at_once = if self.step == width { (self.tile / width).max(1) } else { 1 };
        let mut row = 0;
        while row < self.count {
            let lane = row % BLOCK;
            let count = at_once.min(BLOCK - lane).min(self.count - row);
            let (from, len) = (self.first + row * self.step, count * width);
            let values = match self.tiles.memory(from, len) {
                Some(values) => values,
                None => self.tiles.value(from, len, &[]),
            };
            let lanes = &mut lanes[lane * bytes..(lane + count) * bytes];
            if row < BLOCK {
                lanes.copy_from_slice(values);
            } else {
                (fold.folding.more)(&[values], lanes);
            }
            row += count;
        }
    }
}

/// Folds all rows of a lane, some at a time, and then those of the next, which the processor does not foresee.
fn lane_by_lane<'r>(
    rows: usize,
    row: impl Fn(usize) -> &'r [u8],
    fold: &Fold,
    lanes: std::slice::ChunksExactMut<'_, u8>,
) {
    for (first, lane) in (0..rows).zip(lanes.take(BLOCK)) {
        lane.copy_from_slice(row(first));
        let mut others = (first..rows).step_by(BLOCK).skip(1).peekable();
        while others.peek().is_some() {
            let mut values = [&[][..]; AT_ONCE];
            let mut count = 0;
            for (values, other) in values.iter_mut().zip(others.by_ref()) {
                *values = row(other);
                if other + 1 < rows {
                    prefetch(row(other + 1));
                }
                count += 1;
            }
            (fold.folding.more)(&values[..count], lane);
        }
    }
}

impl Folder<'_> {
    /// One run of so many folds beside each other, whose elements are a step after one another.
    pub(super) fn lanes(&mut self, from: usize, length: usize, step: usize, width: usize, to: &mut [u8]) {
        let Folder { tiles, tile, fold, sofar, .. } = self;
        let lanes = sofar.bytes_mut();
        Rows { tiles, tile: *tile, first: from, step, count: length, width }.fold(fold, lanes);
        to.copy_from_slice(&lanes[..to.len()]);
    }
}
