//! Reads across the order of memory: blocks whose columns become rows.

use std::array::from_fn;

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::cache::is_far;
use super::sized::{Moved, by_size, whole};
use crate::simd::{Body, Isa, SQUARE, fetch, simd};

/// Where a block lies that is read along its columns.
#[derive(Clone, Copy)]
pub(crate) struct Corner {
    /// The position of its first element.
    pub(crate) position: isize,
    /// What a step down a column adds: 1 or -1.
    pub(crate) stride: isize,
    /// What a step along a row adds.
    pub(crate) along: isize,
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

/// So many columns ahead of those that are read are asked for.
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
        let squares = if stride == 1 { (down, across) } else { (0, 0) };
        // Down first: the lines of the cache that a column lies in are read once.
        for column in (0..squares.1).step_by(SQUARE) {
            // They lie too far apart for the processor to look ahead.
            let ahead = if far { column + AHEAD } else { squares.1 };
            for next in ahead..squares.1.min(ahead + SQUARE) {
                let first = at(0, next).cast_unsigned();
                fetch(cast_slice(&source[first..first + squares.0]));
            }
            // So that nothing is left to be checked for each square.
            let count = squares.0 / SQUARE;
            let columns: [&[[W; SQUARE]]; SQUARE] = from_fn(|next| {
                let first = at(0, column + next).cast_unsigned();
                &source[first..first + squares.0].as_chunks().0[..count]
            });
            for row in 0..count {
                let square = I::columns(from_fn(|next| &columns[next][row]));
                let mut below = &mut run[row * SQUARE * pitch..];
                for line in &square {
                    let (to, rest) = below.split_at_mut(pitch);
                    to[column..column + SQUARE].copy_from_slice(line);
                    below = rest;
                }
            }
        }
        // What is left of whole squares.
        for row in 0..rows {
            let from = if row < squares.0 { squares.1 } else { 0 };
            for column in from..columns {
                run[row * pitch + column] = source[at(row, column).cast_unsigned()];
            }
        }
    }
}
