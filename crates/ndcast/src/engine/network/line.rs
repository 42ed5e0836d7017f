//! One line of words sorted by networks: first as columns that lie beside each other, which are then one behind the
//! other and merged by twos.

use std::array::from_fn;

use super::{
    BASE, LANES, Row, Step, Turned, Word, clean_base, clean_halves, clean_pairs, quarters, sort_columns,
};
use crate::simd::{Body, Isa, SQUARE, simd};

/// The words of a square.
const WORDS: usize = SQUARE * SQUARE;
/// The words of two squares whose columns lie beside each other.
const TWO: usize = 2 * WORDS;
/// The rows in which squares are turned together: so many that none is read before it is in the cache.
const TURNED: usize = 64;

/// Sorts a line. The rows are room that is used again.
pub(super) fn sort_line<W: Word>(line: &mut [W], rows: &mut Vec<Row<W>>) {
    let count = line.len().div_ceil(LANES).next_power_of_two().max(BASE);
    rows.clear();
    rows.resize(count, [W::MOST; LANES]);
    rows.as_flattened_mut()[..line.len()].copy_from_slice(line);
    sort_columns(rows);
    let mut all = vec![W::MOST; count * LANES];
    simd(Turned::RowsToLines(rows, count, &mut all));
    let room = &mut rows[..count.min(TURNED)];
    let mut block = 2 * count;
    while block <= all.len() {
        for part in all.chunks_mut(block) {
            part[block / 2..].reverse();
            clean_far(part);
        }
        simd(Clean { words: &mut all, part: block, room });
        block *= 2;
    }
    line.copy_from_slice(&all[..line.len()]);
}

/// Of words that are rising and then falling, compares those that lie far apart: what is left to do is within squares.
fn clean_far<W: Word>(words: &mut [W]) {
    let count = words.len();
    if count >= 4 * WORDS {
        simd(Step::Four(quarters(words)));
        words.chunks_mut(count / 4).for_each(clean_far);
    } else if count > WORDS {
        let (first, second) = words.split_at_mut(count / 2);
        simd(Step::Two(first, second));
    }
}

/// Sorts parts of so many words that are rising and then falling, or the squares that are left to do of them.
struct Clean<'s, W> {
    words: &'s mut [W],
    part: usize,
    room: &'s mut [Row<W>],
}

impl<W: Word> Body for Clean<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Clean { words, part, room } = self;
        for words in words.chunks_mut(room.len() * LANES) {
            clean_squares(words, part);
            clean_within::<I, W>(words, room);
        }
    }
}

/// Compares words whose distance is a whole number of the squares' rows.
#[inline(always)]
fn clean_squares<W: Word>(words: &mut [W], part: usize) {
    if part <= SQUARE {
        return;
    }
    for square in words.as_chunks_mut::<WORDS>().0 {
        let Some(rows) = square.as_chunks_mut::<SQUARE>().0.first_chunk_mut() else { return };
        match part / SQUARE {
            2 => clean_pairs(rows),
            4 => clean_halves(rows),
            _ => clean_base(rows),
        }
    }
}

/// Sorts the rows of squares, as columns.
#[inline(always)]
fn clean_within<I: Isa, W: Word>(words: &mut [W], room: &mut [Row<W>]) {
    let (blocks, rooms) = (words.as_chunks_mut::<TWO>().0, room.as_chunks_mut::<BASE>().0);
    for (block, room) in blocks.iter().zip(&mut *rooms) {
        let rows = block.as_chunks::<SQUARE>().0;
        for half in 0..2 {
            let columns = I::transpose(from_fn(|row| &rows[SQUARE * half + row]));
            for (column, room) in columns.iter().zip(&mut *room) {
                room[SQUARE * half..][..SQUARE].copy_from_slice(column);
            }
        }
    }
    // Not at once: what was just written by halves is waited for where it is read as a whole.
    rooms[..blocks.len()].iter_mut().for_each(clean_base);
    for (block, room) in blocks.iter_mut().zip(rooms) {
        let rows = block.as_chunks_mut::<SQUARE>().0;
        for half in 0..2 {
            let line = |row: usize| room[row].as_chunks().0;
            let turned = I::transpose(from_fn(|row| &line(row)[half]));
            rows[SQUARE * half..][..SQUARE].copy_from_slice(&turned);
        }
    }
}
