//! Moves elements between a dense run and a walk over memory: the loops at the bottom of every load and store that
//! is not a plain slice. They know the size of an element, not its type.

use std::array::from_fn;

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::nest::Nest;
use super::repeat::{again, fill, repeat};
use super::sized::{Moved, by_size, whole};
use super::transpose::{Corner, Transpose, is_along};
use super::walk::{Axis, Counts, Walk};
use crate::simd::{Body, Isa, SQUARE, simd};

/// Fills `run` with all elements of a walk; an element has so many bytes.
pub(crate) fn gather_all(size: usize, source: &[u8], walk: &Walk, run: &mut [u8]) {
    gather_bytes(size, source, walk, None, 0, run);
}

/// Puts `run` where the elements of a walk are, which are as many; an element has so many bytes.
pub(crate) fn scatter_all(size: usize, target: &mut [u8], walk: &Walk, run: &[u8]) {
    scatter_bytes(size, target, walk, 0, run);
}

/// Fills `run` with the elements of a walk from one on; an element has so many bytes. The nest is the walk's, if it has
/// one.
pub(super) fn gather_bytes(
    size: usize,
    source: &[u8],
    walk: &Walk,
    nest: Option<&Nest>,
    from: usize,
    run: &mut [u8],
) {
    by_size(size, Gather { source, walk, nest, from, run });
}

struct Gather<'a> {
    source: &'a [u8],
    walk: &'a Walk,
    nest: Option<&'a Nest>,
    from: usize,
    run: &'a mut [u8],
}

impl Moved for Gather<'_> {
    fn of<W: Pod>(self) {
        gather::<W>(whole(self.source), self.walk, self.nest, self.from, cast_slice_mut(self.run));
    }
}

/// Puts `run` where the elements of a walk from one on are; an element has so many bytes.
pub(super) fn scatter_bytes(size: usize, target: &mut [u8], walk: &Walk, from: usize, run: &[u8]) {
    by_size(size, Scatter { target, walk, from, run });
}

struct Scatter<'a> {
    target: &'a mut [u8],
    walk: &'a Walk,
    from: usize,
    run: &'a [u8],
}

impl Moved for Scatter<'_> {
    fn of<W: Pod>(self) {
        scatter::<W>(cast_slice_mut(self.target), self.walk, self.from, cast_slice(self.run));
    }
}

/// Fills `run` with the elements of a walk from one on.
pub(super) fn gather<W: Pod>(source: &[W], walk: &Walk, nest: Option<&Nest>, from: usize, run: &mut [W]) {
    if let Some(nest) = nest.filter(|nest| nest.is_for(run.len())) {
        return nest.gather(source, walk, from, run);
    }
    pieces(walk, from, run.len(), |piece| {
        let part = &mut run[piece.at..piece.at + piece.rows * piece.columns];
        let Piece { position, rows, row_stride, columns, column_stride, .. } = piece;
        if piece.is_across() {
            // The one loop over squares that there is: a second one in the other body would not be inlined whole.
            let corner = Corner { position, stride: row_stride, along: column_stride };
            let (corner, is_turned) = corner.forwards(rows);
            simd(Transpose { source, corner, rows, columns, pitch: columns, run: part });
            if is_turned {
                turn(part, columns);
            }
        } else {
            simd(Load { source, piece, run: part });
        }
    });
}

/// Puts `run` where the elements of a walk from one on are. No two elements of the walk are one.
fn scatter<W: Pod>(target: &mut [W], walk: &Walk, from: usize, run: &[W]) {
    pieces(walk, from, run.len(), |piece| {
        let part = &run[piece.at..piece.at + piece.rows * piece.columns];
        simd(Store { target, piece, run: part });
    });
}

/// The stretches of one stride that some elements of a walk are: where in them each begins, its position, how many
/// elements it has, and the stride.
pub(super) fn stretches(
    walk: &Walk,
    from: usize,
    len: usize,
    mut each: impl FnMut(usize, isize, usize, isize),
) {
    pieces(walk, from, len, |piece| {
        let Piece { at, position, rows, row_stride, columns, column_stride } = piece;
        for row in 0..rows {
            each(at + row * columns, position + row.cast_signed() * row_stride, columns, column_stride);
        }
    });
}

/// Some elements of a walk that follow one another: a rectangle over its two innermost loops.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where it begins in the run.
    at: usize,
    /// The position of its first element.
    position: isize,
    rows: usize,
    row_stride: isize,
    columns: usize,
    column_stride: isize,
}

impl Piece {
    /// Whether its columns lie along memory, and are long enough for squares.
    fn is_across(&self) -> bool {
        let is_across = self.column_stride.unsigned_abs() > self.row_stride.unsigned_abs();
        is_along(self.row_stride) && is_across && self.rows.min(self.columns) >= SQUARE
    }
}

/// Cuts `len` elements of a walk into rectangles.
#[inline]
fn pieces(walk: &Walk, from: usize, len: usize, mut each: impl FnMut(Piece)) {
    let Axis { extent: columns, stride: column_stride } = walk.inner();
    let mut counts = Counts::new();
    let mut position = walk.find(from, &mut counts);
    let mut at = 0;
    while at < len {
        let column = counts.first().copied().unwrap_or(0);
        let rest = len - at;
        let piece = match (&walk.axes[..], &counts[..]) {
            // Whole rows, as many as there are.
            ([.., next, _], [0, count, ..]) if rest >= columns => {
                let rows = (next.extent - count).min(rest / columns);
                Piece { at, position, rows, row_stride: next.stride, columns, column_stride }
            }
            // What is left of a row, or its beginning.
            _ => {
                let columns = (columns - column).min(rest);
                Piece { at, position, rows: 1, row_stride: 0, columns, column_stride }
            }
        };
        each(piece);
        at += piece.rows * piece.columns;
        if at == len {
            break;
        }
        // On to the first element behind the piece.
        if column + piece.columns < columns {
            walk.go(0, piece.columns, &mut counts, &mut position);
            continue;
        }
        if let Some(count) = counts.first_mut() {
            position -= count.cast_signed() * column_stride;
            *count = 0;
        }
        walk.go(1, piece.rows, &mut counts, &mut position);
    }
}

/// Puts rows of so many elements the other way round, the last one first.
fn turn<W: Pod>(mut rows: &mut [W], columns: usize) {
    while rows.len() > columns {
        let (first, rest) = rows.split_at_mut(columns);
        let (rest, last) = rest.split_at_mut(rest.len() - columns);
        first.swap_with_slice(last);
        rows = rest;
    }
}

/// The memory that `count` steps of a stride cover, from a position on; of a negative stride, up to that position.
#[inline(always)]
fn line<W>(memory: &[W], position: isize, stride: isize, count: usize) -> &[W] {
    let reach = (count - 1) * stride.unsigned_abs();
    let first = position.cast_unsigned() - if stride < 0 { reach } else { 0 };
    &memory[first..=first + reach]
}

struct Load<'a, W> {
    source: &'a [W],
    piece: Piece,
    run: &'a mut [W],
}

impl<W: Pod> Body for Load<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Load { source, piece, run } = self;
        let Piece { position, rows, row_stride, columns, column_stride, .. } = piece;
        if rows == 1 {
            return load_line(source, position, column_stride, run);
        }
        if columns == 1 {
            return load_line(source, position, row_stride, run);
        }
        match (row_stride, column_stride) {
            (0, _) => {
                let (first, rest) = run.split_at_mut(columns);
                load_line(source, position, column_stride, first);
                again(first, rest);
            }
            (1, 0) => {
                let first = position.cast_unsigned();
                repeat(&source[first..first + rows], columns, run);
            }
            (1, stride) if columns == 2 => beside::<2, W>(source, position, stride, run),
            (1, stride) if columns == 3 => beside::<3, W>(source, position, stride, run),
            (1, stride) if columns == 4 => beside::<4, W>(source, position, stride, run),
            // Short rows one beside the other: column after column reads them in the order of memory.
            _ if columns < 8 || rows >= 8 && column_stride.unsigned_abs() > row_stride.unsigned_abs() => {
                for column in 0..columns {
                    let at = position + column.cast_signed() * column_stride;
                    let line = line(source, at, row_stride, rows);
                    let to = run[column..].iter_mut().step_by(columns);
                    match row_stride {
                        1 => to.zip(line).for_each(|(to, &from)| *to = from),
                        s if s > 0 => {
                            to.zip(line.iter().step_by(s.unsigned_abs())).for_each(|(to, &from)| *to = from);
                        }
                        s => to
                            .zip(line.iter().rev().step_by(s.unsigned_abs()))
                            .for_each(|(to, &from)| *to = from),
                    }
                }
            }
            _ => {
                for (row, run) in run.chunks_exact_mut(columns).enumerate() {
                    load_line(source, position + row.cast_signed() * row_stride, column_stride, run);
                }
            }
        }
    }
}

/// Interleaves `C` contiguous columns into rows.
#[inline(always)]
fn beside<const C: usize, W: Pod>(source: &[W], position: isize, stride: isize, run: &mut [W]) {
    let (rows, _) = run.as_chunks_mut::<C>();
    let count = rows.len();
    let columns: [&[W]; C] =
        from_fn(|column| line(source, position + column.cast_signed() * stride, 1, count));
    for (number, row) in rows.iter_mut().enumerate() {
        *row = from_fn(|column| columns[column][number]);
    }
}

/// Fills a run with elements of one stride.
#[inline(always)]
fn load_line<W: Pod>(source: &[W], position: isize, stride: isize, run: &mut [W]) {
    let line = line(source, position, stride, run.len());
    match stride {
        1 => run.copy_from_slice(line),
        0 => fill(line[0], run),
        -1 => run.iter_mut().zip(line.iter().rev()).for_each(|(to, &from)| *to = from),
        2 => every::<2, W>(line, run),
        3 => every::<3, W>(line, run),
        4 => every::<4, W>(line, run),
        stride if stride > 0 => {
            let from = line.iter().step_by(stride.unsigned_abs());
            run.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
        }
        stride => {
            let from = line.iter().rev().step_by(stride.unsigned_abs());
            run.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
        }
    }
}

/// Every `S`-th element; a step known to the compiler becomes shuffles.
#[inline(always)]
fn every<const S: usize, W: Pod>(line: &[W], run: &mut [W]) {
    let (chunks, _) = line.as_chunks::<S>();
    let (most, last) = run.split_at_mut(chunks.len().min(run.len()));
    most.iter_mut().zip(chunks).for_each(|(to, chunk)| *to = chunk[0]);
    for (at, to) in last.iter_mut().enumerate() {
        *to = line[(chunks.len() + at) * S];
    }
}

struct Store<'a, W> {
    target: &'a mut [W],
    piece: Piece,
    run: &'a [W],
}

impl<W: Pod> Body for Store<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Store { target, piece, run } = self;
        let Piece { position, rows, row_stride, columns, column_stride, .. } = piece;
        let by_rows = columns >= 8 || rows == 1;
        if by_rows {
            for (row, run) in run.chunks_exact(columns).enumerate() {
                store_line(target, position + row.cast_signed() * row_stride, column_stride, run.iter());
            }
        } else {
            for column in 0..columns {
                let at = position + column.cast_signed() * column_stride;
                store_line(target, at, row_stride, run[column..].iter().step_by(columns));
            }
        }
    }
}

/// Puts elements at positions of one stride.
#[inline(always)]
fn store_line<'a, W: Pod>(
    target: &mut [W],
    position: isize,
    stride: isize,
    run: impl ExactSizeIterator<Item = &'a W>,
) {
    let reach = (run.len() - 1) * stride.unsigned_abs();
    let first = position.cast_unsigned() - if stride < 0 { reach } else { 0 };
    let line = &mut target[first..=first + reach];
    match stride {
        1 => line.iter_mut().zip(run).for_each(|(to, &from)| *to = from),
        s if s >= 0 => {
            line.iter_mut().step_by(s.unsigned_abs().max(1)).zip(run).for_each(|(to, &from)| *to = from);
        }
        s => line.iter_mut().rev().step_by(s.unsigned_abs()).zip(run).for_each(|(to, &from)| *to = from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeated<W: Pod + PartialEq + std::fmt::Debug>(of: impl Fn(usize) -> W) {
        for times in (1..=40).chain([63, 64, 65, 100]) {
            for count in [1, 2, 15, 16, 17, 33, 100] {
                let source: Vec<W> = (0..count).map(&of).collect();
                let walk = Walk::new([count, times].into_iter(), [1, 0].into_iter(), 0);
                for (from, len) in [(0, count * times), (times / 2, count * times - times / 2)] {
                    let mut run = vec![W::zeroed(); len];
                    gather(&source, &walk, Nest::of(&walk, size_of::<W>()).as_ref(), from, &mut run);
                    let expected: Vec<W> = (from..from + len).map(|at| source[at / times]).collect();
                    assert_eq!(run, expected, "{count} elements {times} times from {from} on");
                }
            }
        }
    }

    #[test]
    fn elements_are_repeated() {
        repeated(|at| u8::try_from(at % 251).unwrap_or_default());
        repeated(|at| u16::try_from(at).unwrap_or_default());
        repeated(|at| u32::try_from(at).unwrap_or_default());
        repeated(|at| at as u64);
        repeated(|at| [at as u64, 7]);
    }

    #[test]
    fn columns_along_memory_become_rows() {
        let source: Vec<u32> = (0..31_000).collect();
        for columns in (1..=20).chain([63, 64, 100]) {
            for (rows, stride) in
                [(1, 1), (7, 1), (8, 1), (50, 1), (101, 1), (50, -1), (50, 2), (57, -3), (101, 4), (50, 5)]
            {
                for along in [150, -150] {
                    let walk = Walk::new([rows, columns].into_iter(), [stride, along].into_iter(), 15_500);
                    for (from, len) in [(0, rows * columns), (columns / 2, rows * columns - columns / 2)] {
                        let mut run = vec![0; len];
                        gather(&source, &walk, None, from, &mut run);
                        let expected = (from..from + len).map(|at| source[walk.position(at).cast_unsigned()]);
                        assert_eq!(run, expected.collect::<Vec<u32>>(), "{rows} {columns} {stride} {along}");
                    }
                }
            }
        }
    }
}
