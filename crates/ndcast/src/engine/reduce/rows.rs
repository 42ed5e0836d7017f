//! Folds of rows, one after the other: one fold for each column, or for each of a few that lie beside each other.

use super::super::gather::gather_bytes;
use super::super::grid::Apart;
use super::super::walk::Walk;
use super::{AT_ONCE, FAR_AT_ONCE, Folder, ROWS};
use crate::kernel::FEWEST_INTERLEAVED;
use crate::simd::prefetch;

impl Folder<'_> {
    /// One fold for each column of a panel, row after row.
    pub(super) fn rows(&mut self, from: usize, rows: usize, step: usize, width: usize, to: &mut [u8]) {
        for first in (0..rows).step_by(ROWS) {
            self.one_after_the_other(from + first * step, ROWS.min(rows - first), step, [width; 2]);
            self.cascade.push(&self.sofar.bytes()[..width * self.fold.size]);
        }
        self.cascade.finish(to);
    }

    /// Folds rows of one width one after the other into `sofar`, some of them at a time. Each may be rows of a few columns, one
    /// behind the other.
    fn one_after_the_other(&mut self, from: usize, rows: usize, step: usize, [width, columns]: [usize; 2]) {
        let bytes = width * self.fold.size;
        let sofar = &mut self.sofar.bytes_mut()[..bytes];
        let computed_at_once =
            if step == width && self.across.is_none() { (self.tile / width).clamp(1, AT_ONCE) } else { 1 };
        if let (None, Some(of)) = (self.across, self.fold.of) {
            let all = Apart { rows, columns: width, step, whole: false };
            let few = Apart { rows: rows * (width / columns), columns, step: columns, whole: true };
            let interleaved = of.interleaved.filter(|_| columns < width && columns >= FEWEST_INTERLEAVED);
            if self.tiles.fold_rows(from, all, of.rows, sofar)
                || self.tiles.fold_rows(from, few, interleaved, sofar)
            {
                return;
            }
        }
        let mut row = 0;
        while row < rows {
            let mut values = [&[][..]; 1 + FAR_AT_ONCE];
            // What no cache holds comes fastest from several places at a time, without being asked for.
            let at_once = if self.ahead > 0 && step == width { FAR_AT_ONCE } else { AT_ONCE };
            // The first is there before as many as usual are folded with it.
            let first = usize::from(row == 0);
            let mut count = (first + at_once).min(rows - row);
            let tiles = &self.tiles;
            let in_memory = values[..count].iter_mut().zip(row..).all(|(values, row)| {
                let memory = tiles.memory(from + row * step, width);
                *values = memory.unwrap_or_default();
                memory.is_some()
            });
            if in_memory {
                // Rows that lie apart are too far for the processor to look ahead.
                let ahead = if step == width { 0 } else { 2 * count };
                for next in row + count..rows.min(row + ahead) {
                    prefetch(tiles.memory(from + next * step, width).unwrap_or_default());
                }
            } else {
                count = computed_at_once.min(rows - row);
                if self.ahead > 0 && step != width && row + count < rows {
                    self.tiles.prefetch(from + (row + count) * step, count.min(rows - row - count) * width);
                }
                let all = self.tiles.value(from + row * step, count * width, &[]);
                for (values, all) in values.iter_mut().zip(all.chunks_exact(bytes)) {
                    *values = all;
                }
            }
            let mut values = &values[..count];
            if let (0, Some((first, others))) = (row, values.split_first()) {
                sofar.copy_from_slice(first);
                values = others;
            }
            (self.fold.folding.more)(values, sofar);
            row += count;
        }
    }

    /// One fold for each of a few columns: runs of `rows` rows of them are folded as if each were one row, and what
    /// is left, `rows` of each column, at the end.
    pub(super) fn interleaved(
        &mut self,
        from: usize,
        length: usize,
        inner: usize,
        rows: usize,
        to: &mut [u8],
    ) {
        let size = self.fold.size;
        let whole = length / rows;
        let (run, bytes) = (rows * inner, rows * inner * size);
        for first in (0..whole).step_by(ROWS) {
            let count = ROWS.min(whole - first);
            self.one_after_the_other(from + first * run, count, run, [run, inner]);
            self.cascade.push(&self.sofar.bytes()[..bytes]);
        }
        let left = length - whole * rows;
        let values = self.tiles.value(from + whole * run, left * inner, &[]);
        let have = if whole > 0 {
            self.cascade.finish(&mut self.sofar.bytes_mut()[..bytes]);
            let (both, bytes) = (values.len(), bytes);
            self.fold
                .folding
                .two
                .run(&[&self.sofar.bytes()[..both], values], &mut self.next.bytes_mut()[..both]);
            self.next.bytes_mut()[both..bytes].copy_from_slice(&self.sofar.bytes()[both..bytes]);
            rows
        } else {
            self.next.bytes_mut()[..values.len()].copy_from_slice(values);
            left
        };
        // Column after column, each a run.
        let (columns, beside) = (&mut self.sofar.bytes_mut()[..inner * have * size], self.next.bytes());
        let walk = Walk::new([inner, have].into_iter(), [1, inner.cast_signed()].into_iter(), 0);
        gather_bytes(size, beside, &walk, None, 0, columns);
        self.fold.run(columns, to);
    }
}
