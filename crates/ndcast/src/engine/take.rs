//! Rows taken by number, and put there.

use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::{Pod, cast_slice_mut, try_cast_slice};

use super::gather::gather_all;
use super::sized::{Moved, by_size, whole};
use super::target::share_pieces;
use super::walk::{Axis, Walk};

/// The bytes of a part that a thread claims.
const PART: usize = 256 << 10;

/// So many places are looked up, and then taken from.
const SOME: usize = 256;
/// Fewer elements than these are taken one by one: to begin with more of them takes as long.
const SHORT: usize = 32;

/// What is taken from: blocks of so many rows of so many elements.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// The rows of a block.
    pub(crate) rows: usize,
    /// The elements of a row.
    pub(crate) inner: usize,
    /// The bytes of an element.
    pub(crate) size: usize,
}

/// Copies the rows with these numbers, of every block. Negative numbers count from the end. Returns whether all rows are
/// there; if not, `out` holds anything.
#[must_use]
pub(crate) fn take(from: &[u8], rows: Rows, numbers: &[i64], out: &mut [u8]) -> bool {
    if rows.rows == 0 {
        return numbers.is_empty();
    }
    let bytes = rows.inner * rows.size;
    let in_piece = (PART / bytes.max(1)).max(1);
    let fit = AtomicBool::new(true);
    share_pieces(out, in_piece * bytes.max(1), |pieces| {
        for (piece, mut to) in pieces {
            for (block, along) in in_blocks(piece * in_piece, to.len() / bytes, numbers.len()) {
                let from = &from[block * rows.rows * bytes..][..rows.rows * bytes];
                let (now, later) = to.split_at_mut(along.len() * bytes);
                if !taken(from, rows.rows, &numbers[along], bytes, now) {
                    fit.store(false, Ordering::Relaxed);
                    return;
                }
                to = later;
            }
        }
    });
    fit.into_inner()
}

/// So many places from the first on, in blocks of so many: each block's number, and which of its places are among them.
fn in_blocks(first: usize, count: usize, block: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
    let (mut at, last) = (first, first + count);
    iter::from_fn(move || {
        let (number, along) = (at / block, at % block);
        let count = (block - along).min(last - at);
        at += count;
        (count > 0).then_some((number, along..along + count))
    })
}

/// Of one block the rows of these numbers, each of so many bytes; and whether they are there.
fn taken(from: &[u8], rows: usize, numbers: &[i64], bytes: usize, to: &mut [u8]) -> bool {
    match bytes {
        1 => single::<u8>(from, rows, numbers, to),
        2 => single::<u16>(from, rows, numbers, to),
        4 => single::<u32>(from, rows, numbers, to),
        8 => single::<u64>(from, rows, numbers, to),
        _ => several(from, rows, numbers, bytes, to),
    }
}

fn several(from: &[u8], rows: usize, numbers: &[i64], bytes: usize, to: &mut [u8]) -> bool {
    numbers.iter().zip(to.chunks_exact_mut(bytes)).all(|(&number, to)| {
        let row = from_start(number, rows);
        let is_there = row < rows;
        if is_there {
            to.copy_from_slice(&from[row * bytes..][..bytes]);
        }
        is_there
    })
}

/// Which of so many a number means.
#[inline]
fn from_start(number: i64, rows: usize) -> usize {
    let number = if number < 0 { number.wrapping_add_unsigned(rows as u64) } else { number };
    place(number)
}

/// A number that is not negative.
#[inline]
fn place(number: i64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Rows that are as large as one word.
fn single<W: Pod>(from: &[u8], rows: usize, numbers: &[i64], to: &mut [u8]) -> bool {
    // A row of several elements need not lie as a word does.
    let (Ok(from), Some(last)) = (try_cast_slice::<u8, W>(from), rows.checked_sub(1)) else {
        return several(from, rows, numbers, size_of::<W>(), to);
    };
    let (from, mut are_there) = (&from[..rows], true);
    for (&number, to) in numbers.iter().zip(cast_slice_mut::<u8, W>(to)) {
        let row = from_start(number, rows);
        are_there &= row < rows;
        *to = from[row.min(last)];
    }
    are_there
}

/// Numbers along an axis of what is taken from.
pub(crate) struct Numbers<'a> {
    pub(crate) numbers: &'a [i64],
    pub(crate) extent: usize,
    pub(crate) stride: isize,
}

/// What is taken from, however it lies: as many numbers along each of some axes say together where something begins.
pub(crate) struct Places<'a> {
    /// The axes around all of that.
    pub(crate) outer: Walk,
    pub(crate) along: &'a [Numbers<'a>],
    /// What begins there.
    pub(crate) each: Walk,
    /// The elements of it, and the bytes of an element.
    pub(crate) inner: usize,
    pub(crate) size: usize,
}

impl Places<'_> {
    /// Where in a block what begins at each of some places lies, those from `first` on; and whether all is there.
    fn positions(&self, block: usize, first: usize, positions: &mut [isize]) -> bool {
        positions.fill(self.outer.position(block) + self.each.start);
        let mut are_there = true;
        for Numbers { numbers, extent, stride } in self.along {
            for (position, &number) in positions.iter_mut().zip(&numbers[first..]) {
                let row = from_start(number, *extent);
                are_there &= row < *extent;
                *position = position.wrapping_add(row.cast_signed().wrapping_mul(*stride));
            }
        }
        are_there
    }
}

/// For every step of the outer axes what begins at each place, one behind the other. Says whether all is there, as [`take`].
#[must_use]
pub(crate) fn take_at(from: &[u8], places: &Places<'_>, out: &mut [u8]) -> bool {
    let fit = AtomicBool::new(true);
    by_size(places.size, TakeAt { from, places, out, fit: &fit });
    fit.into_inner()
}

struct TakeAt<'a> {
    from: &'a [u8],
    places: &'a Places<'a>,
    out: &'a mut [u8],
    fit: &'a AtomicBool,
}

impl Moved for TakeAt<'_> {
    fn of<W: Pod>(self) {
        let TakeAt { from, places, out, fit } = self;
        let Places { along, ref each, inner, .. } = *places;
        let (bytes, count) = (inner * size_of::<W>(), along.first().map_or(1, |along| along.numbers.len()));
        let in_piece = (PART / bytes).max(1);
        share_pieces(out, in_piece * bytes, |pieces| {
            let words = whole::<W>(from);
            let mut positions = [0; SOME];
            for (piece, to) in pieces {
                let mut to: &mut [W] = cast_slice_mut(to);
                for (block, along) in in_blocks(piece * in_piece, to.len() / inner, count) {
                    for first in along.clone().step_by(SOME) {
                        let positions = &mut positions[..SOME.min(along.end - first)];
                        if !places.positions(block, first, positions) {
                            fit.store(false, Ordering::Relaxed);
                            return;
                        }
                        let (now, later) = to.split_at_mut(positions.len() * inner);
                        begin_at(positions, now, (from, words), (each, inner));
                        to = later;
                    }
                }
            }
        });
    }
}

/// What begins at each of these positions, in order.
fn begin_at<W: Pod>(
    positions: &[isize],
    to: &mut [W],
    (from, words): (&[u8], &[W]),
    (each, inner): (&Walk, usize),
) {
    let begins = positions.iter().map(|position| position.cast_unsigned());
    match each.axes[..] {
        [] => to.iter_mut().zip(begins).for_each(|(to, begin)| *to = words[begin]),
        [Axis { stride: 1, .. }] => {
            to.chunks_exact_mut(inner)
                .zip(begins)
                .for_each(|(to, begin)| to.copy_from_slice(&words[begin..][..inner]));
        }
        [Axis { stride, .. }] if inner < SHORT => {
            for (to, &position) in to.chunks_exact_mut(inner).zip(positions) {
                for (step, to) in (0..).zip(to) {
                    *to = words[(position + step * stride).cast_unsigned()];
                }
            }
        }
        _ => {
            for (to, &start) in to.chunks_exact_mut(inner).zip(positions) {
                let walk = Walk { axes: each.axes.clone(), start };
                gather_all(size_of::<W>(), from, &walk, cast_slice_mut(to));
            }
        }
    }
}

/// What is taken from along an axis: where each line begins, and how far it is from one of its elements to the next.
pub(crate) struct Lines {
    /// The axes around the axis, and those inside of it.
    pub(crate) outer: Walk,
    pub(crate) inner: Walk,
    /// How many elements it has.
    pub(crate) extent: usize,
    pub(crate) stride: isize,
    /// The bytes of an element.
    pub(crate) size: usize,
}

/// For each element of `out` the one that its number says along the axis: `len` for each step of the outer axes, `inner` of
/// them for each step of the axis. Neither numbers nor emptiness are checked here.
pub(crate) fn take_along(
    from: &[u8],
    lines: &Lines,
    len: usize,
    inner: usize,
    numbers: &[i64],
    out: &mut [u8],
) {
    by_size(lines.size, Along { from, lines, len, inner, numbers, out });
}

struct Along<'a> {
    from: &'a [u8],
    lines: &'a Lines,
    len: usize,
    inner: usize,
    numbers: &'a [i64],
    out: &'a mut [u8],
}

impl Moved for Along<'_> {
    fn of<W: Pod>(self) {
        let Along { from, lines, len, inner, numbers, out } = self;
        let begins: Vec<isize> = (0..inner).map(|element| lines.inner.position(element)).collect();
        // Some rows of the inner axes at a time.
        let (row, rows) = (inner * size_of::<W>(), len / inner);
        let in_piece = (PART / row).max(1);
        share_pieces(out, in_piece * row, |pieces| {
            let from = whole::<W>(from);
            for (piece, to) in pieces {
                let mut to: &mut [W] = cast_slice_mut(to);
                for (line, along) in in_blocks(piece * in_piece, to.len() / inner, rows) {
                    let numbers = &numbers[line * len..][along.start * inner..along.end * inner];
                    let (now, later) = to.split_at_mut(numbers.len());
                    let begin = lines.outer.position(line);
                    for (to, numbers) in now.chunks_exact_mut(inner).zip(numbers.chunks_exact(inner)) {
                        for ((to, &number), at) in to.iter_mut().zip(numbers).zip(&begins) {
                            let along = from_start(number, lines.extent).cast_signed() * lines.stride;
                            *to = from[(begin + at + along).cast_unsigned()];
                        }
                    }
                    to = later;
                }
            }
        });
    }
}

/// Copies rows to where runs of so many elements begin. Rows lie `step` bytes apart; with 0 each is the first.
pub(crate) fn put(to: &mut [u8], starts: &[i64], run: usize, size: usize, (rows, step): (&[u8], usize)) {
    match (run, size) {
        (1, 1) => put_single::<u8>(to, starts, rows, step),
        (1, 2) => put_single::<u16>(to, starts, rows, step),
        (1, 4) => put_single::<u32>(to, starts, rows, step),
        (1, 8) => put_single::<u64>(to, starts, rows, step),
        _ => {
            let bytes = run * size;
            for (number, &start) in starts.iter().enumerate() {
                to[place(start) * size..][..bytes].copy_from_slice(&rows[number * step..][..bytes]);
            }
        }
    }
}

/// Single elements that are as large as one word, one for all or one for each. By itself it keeps in registers what it would
/// read from the stack for each element among the others.
#[inline(never)]
fn put_single<W: Pod>(to: &mut [u8], starts: &[i64], values: &[u8], step: usize) {
    let (to, values): (&mut [W], &[W]) = (cast_slice_mut(to), whole(values));
    match (step, values) {
        (0, &[value, ..]) => starts.iter().for_each(|&start| to[place(start)] = value),
        _ => starts.iter().zip(values).for_each(|(&start, &value)| to[place(start)] = value),
    }
}
