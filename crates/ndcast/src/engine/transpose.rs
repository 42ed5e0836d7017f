//! Reads across the order of memory: blocks whose columns become rows.

use std::array::from_fn;

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::cache::is_far;
use super::sized::{Moved, by_size, whole};
use crate::simd::{Body, Isa, SQUARE, prefetch, simd};

/// Where a block lies that is read along its columns.
#[derive(Clone, Copy)]
pub(crate) struct Corner {
    /// The position of its first element.
    pub(crate) position: isize,
    /// What a step down a column adds: [along memory](is_along), and [forwards](Corner::forwards) where it is read.
    pub(crate) stride: isize,
    /// What a step along a row adds.
    pub(crate) along: isize,
}

impl Corner {
    /// The corner from which so many rows are read forwards along memory, as whole squares have to be, and whether that turns
    /// the order of the rows round.
    pub(crate) fn forwards(self, rows: usize) -> (Corner, bool) {
        let Corner { position, stride, along } = self;
        if stride < 0 {
            let last = position + (rows - 1).cast_signed() * stride;
            (Corner { position: last, stride: -stride, along }, true)
        } else {
            (self, false)
        }
    }
}

/// Whether steps that add so much, forwards or backwards, go along memory: several lie in a line of the cache.
pub(crate) fn is_along(stride: isize) -> bool {
    matches!(stride.unsigned_abs(), 1..=4)
}

/// Reads a block of `rows` by `columns` along its columns, and writes it row by row, `pitch` elements from one to the
/// next; an element has so many bytes.
pub(super) fn transpose_bytes(
    size: usize,
    source: &[u8],
    corner: Corner,
    [rows, columns, pitch]: [usize; 3],
    run: &mut [u8],
) {
    by_size(size, Transpose { source, corner, rows, columns, pitch, run });
}

impl Moved for Transpose<'_, u8> {
    fn of<W: Pod>(self) {
        let Transpose { source, corner, rows, columns, pitch, run } = self;
        simd(Transpose::<W> {
            source: whole(source),
            corner,
            rows,
            columns,
            pitch,
            run: cast_slice_mut(run),
        });
    }
}

pub(super) struct Transpose<'a, W> {
    pub(super) source: &'a [W],
    pub(super) corner: Corner,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) pitch: usize,
    pub(super) run: &'a mut [W],
}

/// Columns are prefetched this far ahead.
const AHEAD: usize = 2 * SQUARE;

impl<W: Pod> Body for Transpose<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Transpose { source, corner, rows, columns, pitch, run } = self;
        let Corner { position, stride, along } = corner;
        // This and a result as large.
        let far = is_far(2 * size_of_val(source));
        let down = rows - rows % SQUARE;
        let across = columns - columns % SQUARE;
        let at =
            |row: usize, column: usize| position + row.cast_signed() * stride + column.cast_signed() * along;
        let squares = if stride == 1 && down > 0 { [down, across] } else { [0; 2] };
        // Columns lie too far apart for the processor to look ahead.
        let ask = |column: usize, [rows, columns]: [usize; 2]| {
            let ahead = if far { column + AHEAD } else { columns };
            for next in ahead..columns.min(ahead + SQUARE) {
                let [first, last] = [at(0, next), at(rows - 1, next)].map(isize::cast_unsigned);
                prefetch(cast_slice(&source[first..=last]));
            }
        };
        // Down first: the lines of the cache that a column lies in are read once.
        for column in (0..squares[1]).step_by(SQUARE) {
            ask(column, squares);
            // So that nothing is left to be checked for each square.
            let count = squares[0] / SQUARE;
            let columns: [&[[W; SQUARE]]; SQUARE] = from_fn(|next| {
                let first = at(0, column + next).cast_unsigned();
                &source[first..first + squares[0]].as_chunks().0[..count]
            });
            for row in 0..count {
                let square = I::transpose(from_fn(|next| &columns[next][row]));
                let mut below = &mut run[row * SQUARE * pitch..];
                for line in &square {
                    let (to, rest) = below.split_at_mut(pitch);
                    to[column..column + SQUARE].copy_from_slice(line);
                    below = rest;
                }
            }
        }
        // What is left of whole squares, or all: some columns at a time, down as well.
        let done = if squares[0] == rows { squares[1] } else { 0 };
        for column in (done..columns).step_by(SQUARE) {
            let first: [isize; SQUARE] = from_fn(|next| at(0, columns.min(column + next)));
            let is_whole = columns - column >= SQUARE;
            if squares[0] == 0 {
                ask(column, [rows, columns]);
            }
            for row in if column < squares[1] { squares[0] } else { 0 }..rows {
                let element = |first: isize| source[(first + row.cast_signed() * stride).cast_unsigned()];
                let to = &mut run[row * pitch + column..];
                if is_whole {
                    to[..SQUARE].copy_from_slice(&first.map(element));
                } else {
                    let left = first.iter().zip(column..columns);
                    left.zip(to).for_each(|((&first, _), to)| *to = element(first));
                }
            }
        }
    }
}
