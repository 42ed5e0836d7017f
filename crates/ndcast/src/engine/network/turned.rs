//! Lines that become the columns of rows, and columns that become lines.

use std::array::from_fn;

use super::{Row, Word};
use crate::simd::{Body, Isa, SQUARE};

/// What is turned: some lines of so many words, one behind the other, or rows that have as many at least.
pub(super) enum Turned<'t, W> {
    LinesToRows(&'t [W], usize, &'t mut [Row<W>]),
    RowsToLines(&'t [Row<W>], usize, &'t mut [W]),
}

impl<W: Word> Body for Turned<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        match self {
            Turned::LinesToRows(words, line, rows) => {
                let eights = words.len() / line / SQUARE * SQUARE;
                for first in (0..eights).step_by(SQUARE) {
                    let lines: [&[[W; SQUARE]]; SQUARE] =
                        from_fn(|lane| words[(first + lane) * line..][..line].as_chunks().0);
                    for (place, rows) in
                        rows.as_chunks_mut::<SQUARE>().0[..line / SQUARE].iter_mut().enumerate()
                    {
                        let columns = I::transpose(from_fn(|lane| &lines[lane][place]));
                        for (row, column) in rows.iter_mut().zip(&columns) {
                            row[first..first + SQUARE].copy_from_slice(column);
                        }
                    }
                }
                for (lane, words) in words.chunks(line).enumerate() {
                    let done = if lane < eights { line / SQUARE * SQUARE } else { 0 };
                    for (word, row) in words.iter().zip(rows.iter_mut()).skip(done) {
                        row[lane] = *word;
                    }
                }
            }
            Turned::RowsToLines(rows, line, words) => {
                let eights = words.len() / line / SQUARE * SQUARE;
                for first in (0..eights).step_by(SQUARE) {
                    let mut lines = words[first * line..][..SQUARE * line].chunks_mut(line);
                    let mut lines: [&mut [[W; SQUARE]]; SQUARE] =
                        from_fn(|_| lines.next().unwrap_or_default().as_chunks_mut().0);
                    for (place, rows) in rows.as_chunks::<SQUARE>().0[..line / SQUARE].iter().enumerate() {
                        let columns = I::transpose(from_fn(|row| &rows[row].as_chunks().0[first / SQUARE]));
                        for (line, column) in lines.iter_mut().zip(columns) {
                            line[place] = column;
                        }
                    }
                }
                for (lane, words) in words.chunks_mut(line).enumerate() {
                    let done = if lane < eights { line / SQUARE * SQUARE } else { 0 };
                    for (word, row) in words.iter_mut().zip(rows).skip(done) {
                        *word = row[lane];
                    }
                }
            }
        }
    }
}
