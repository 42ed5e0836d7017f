//! Words sorted by networks: which of them are compared does not depend on what they are, so that the compiler makes
//! vectors of the comparisons.
//!
//! Everything is compared the same way round: the less goes to the place before. So whatever would be behind the last
//! row, were there as many as a power of two, is never moved, and need not be there.

mod line;
mod turned;

use bytemuck::Pod;

use crate::simd::{Body, Isa, SQUARE, simd};
use line::sort_line;
use turned::Turned;

/// So many columns lie beside each other: the lines that are sorted together.
pub(crate) const LANES: usize = 16;
/// So many rows are sorted in registers.
const BASE: usize = SQUARE;
/// The rows that are sorted by one body: they stay in the nearest cache. A power of two.
const NEAR: usize = 64;
/// From so many of them on, lines are sorted together even if there are fewer than there is room for.
const TOGETHER: usize = LANES / 2;
/// Lines of fewer words than this that are not sorted together are compared one by one.
const FEW: usize = 64;

type Row<W> = [W; LANES];

/// What is sorted: an integer without a sign.
pub(crate) trait Word: Pod + Ord + Send + Sync {
    /// What no word is greater than.
    const MOST: Self;
    /// The next greater one, if there is one.
    fn next(self) -> Option<Self>;
}

macro_rules! words {
    ($($word:ident)*) => {$(
        impl Word for $word {
            const MOST: $word = $word::MAX;

            fn next(self) -> Option<$word> {
                self.checked_add(1)
            }
        }
    )*};
}
words! { u8 u16 u32 u64 }

/// Sorts each line of so many words.
pub(crate) fn sort_lines<W: Word>(words: &mut [W], line: usize) {
    if line < 2 {
        return;
    }
    let mut rows: Vec<Row<W>> = vec![];
    for lines in words.chunks_mut(LANES * line) {
        if lines.len() >= TOGETHER * line {
            rows.clear();
            rows.resize(line.next_multiple_of(BASE), [W::MOST; LANES]);
            simd(Turned::LinesToRows(lines, line, &mut rows));
            sort_columns(&mut rows);
            simd(Turned::RowsToLines(&rows, line, lines));
        } else {
            for line in lines.chunks_mut(line) {
                if line.len() < FEW {
                    line.sort_unstable();
                } else {
                    sort_line(line, &mut rows);
                }
            }
        }
    }
}

/// Sorts every column of rows, of which there are whole [`BASE`]s.
fn sort_columns<W: Word>(rows: &mut [Row<W>]) {
    if rows.len() <= NEAR {
        return simd(Step::Sort(rows));
    }
    let block = rows.len().next_power_of_two();
    let (first, second) = rows.split_at_mut(block / 2);
    sort_columns(first);
    sort_columns(second);
    second.reverse();
    if second.len() == first.len() {
        return clean(rows, block);
    }
    // Reversed, the missing rows would come first.
    let beside = first.len() - second.len();
    simd(Step::Two(first[beside..].as_flattened_mut(), second.as_flattened_mut()));
    clean(first, block / 2);
    clean(second, block / 2);
}

/// Sorts every column, each bitonic (rising, then falling), of a block of rows of which the last may be missing.
fn clean<W: Word>(rows: &mut [Row<W>], block: usize) {
    if block <= NEAR {
        simd(Step::Clean(rows, block));
    } else if rows.len() == block {
        let parts = quarters(rows).map(|part| part.as_flattened_mut());
        simd(Step::Four(parts));
        rows.chunks_mut(block / 4).for_each(|part| clean(part, block / 4));
    } else if rows.len() <= block / 2 {
        clean(rows, block / 2);
    } else {
        let (first, second) = rows.split_at_mut(block / 2);
        simd(Step::Two(first.as_flattened_mut(), second.as_flattened_mut()));
        clean(first, block / 2);
        clean(second, block / 2);
    }
}

/// Four equal parts.
#[inline(always)]
fn quarters<T>(all: &mut [T]) -> [&mut [T]; 4] {
    let (first, second) = all.split_at_mut(all.len() / 2);
    let (a, b) = first.split_at_mut(first.len() / 2);
    let (c, d) = second.split_at_mut(second.len() / 2);
    [a, b, c, d]
}

/// What is compiled for the instructions of the machine.
enum Step<'s, W> {
    /// Sorts the columns of a few rows.
    Sort(&'s mut [Row<W>]),
    /// As [`clean`], of a few rows.
    Clean(&'s mut [Row<W>], usize),
    /// Orders pairs: the less goes first.
    Two(&'s mut [W], &'s mut [W]),
    /// Compares the words of four quarters: those of the two halves, and then those of each half.
    Four([&'s mut [W]; 4]),
}

impl<W: Word> Body for Step<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        match self {
            Step::Sort(rows) => sort_near(rows),
            Step::Clean(rows, block) => clean_near(rows, block),
            Step::Two(first, second) => two(first, second),
            Step::Four(quarters) => four(quarters),
        }
    }
}

#[inline(always)]
fn ordered<W: Word>(a: W, b: W) -> (W, W) {
    (a.min(b), a.max(b))
}

#[inline(always)]
fn two<W: Word>(first: &mut [W], second: &mut [W]) {
    for (a, b) in first.iter_mut().zip(second) {
        (*a, *b) = ordered(*a, *b);
    }
}

#[inline(always)]
fn four<W: Word>([a, b, c, d]: [&mut [W]; 4]) {
    for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
        let ((first, third), (second, fourth)) = (ordered(*a, *c), ordered(*b, *d));
        (*a, *b) = ordered(first, second);
        (*c, *d) = ordered(third, fourth);
    }
}

#[inline(always)]
fn sort_near<W: Word>(rows: &mut [Row<W>]) {
    for rows in rows.as_chunks_mut().0 {
        sort_base(rows);
    }
    let mut block = 2 * BASE;
    while block / 2 < rows.len() {
        for part in rows.chunks_mut(block).filter(|part| part.len() > block / 2) {
            let (first, second) = part.split_at_mut(block / 2);
            second.reverse();
            let beside = first.len() - second.len();
            two(first[beside..].as_flattened_mut(), second.as_flattened_mut());
            clean_near(first, block / 2);
            clean_near(second, block / 2);
        }
        block *= 2;
    }
}

#[inline(always)]
fn clean_near<W: Word>(rows: &mut [Row<W>], block: usize) {
    let mut block = block;
    while block >= 4 * BASE {
        for part in rows.chunks_mut(block) {
            if part.len() == block {
                four(quarters(part.as_flattened_mut()));
            } else {
                halves(part, block);
                part.chunks_mut(block / 2).for_each(|part| halves(part, block / 2));
            }
        }
        block /= 4;
    }
    if block > BASE {
        rows.chunks_mut(block).for_each(|part| halves(part, block));
    }
    for rows in rows.as_chunks_mut().0 {
        clean_base(rows);
    }
}

/// Compares what there is of a block's second half with the first.
#[inline(always)]
fn halves<W: Word>(part: &mut [Row<W>], block: usize) {
    let (first, second) = part.split_at_mut(part.len().min(block / 2));
    two(first.as_flattened_mut(), second.as_flattened_mut());
}

/// Networks over the columns of [`BASE`] rows: the pairs that are compared, one after the other.
macro_rules! networks {
    ($($(#[$doc:meta])* $name:ident: $([$first:literal $second:literal])*;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name<W: Word, const COLUMNS: usize>(rows: &mut [[W; COLUMNS]; BASE]) {
            let [a, b, c, d, e, f, g, h] = rows;
            for n in 0..COLUMNS {
                let mut column = [a[n], b[n], c[n], d[n], e[n], f[n], g[n], h[n]];
                $((column[$first], column[$second]) = ordered(column[$first], column[$second]);)*
                [a[n], b[n], c[n], d[n], e[n], f[n], g[n], h[n]] = column;
            }
        }
    )*};
}

networks! {
    /// Sorts them.
    sort_base: [0 2] [1 3] [4 6] [5 7] [0 4] [1 5] [2 6] [3 7] [0 1] [2 3] [4 5] [6 7] [2 4] [3 5] [1 4] [3 6]
        [1 2] [3 4] [5 6];
    /// Sorts those that are rising and then falling.
    clean_base: [0 4] [1 5] [2 6] [3 7] [0 2] [1 3] [4 6] [5 7] [0 1] [2 3] [4 5] [6 7];
    /// Sorts each half, if it is rising and then falling.
    clean_halves: [0 2] [1 3] [4 6] [5 7] [0 1] [2 3] [4 5] [6 7];
    /// Sorts each two.
    clean_pairs: [0 1] [2 3] [4 5] [6 7];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, at};

    /// Pseudorandom words, many of them equal.
    fn some<W: Word>(count: usize, of: impl Fn(u64) -> W) -> Vec<W> {
        let mut state = count as u64 + 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            of(state >> 20)
        };
        (0..count).map(|_| next()).collect()
    }

    fn lines_are_sorted<W: Word + std::fmt::Debug>(of: impl Fn(u64) -> W + Copy) {
        for line in [1, 2, 7, 8, 9, 63, 64, 65, 100, 127, 128, 129, 300, 512, 513, 1100, 5000] {
            for count in [1, TOGETHER - 1, TOGETHER, LANES, LANES + 1, 2 * LANES - 1] {
                let mut words = some(line * count, of);
                let mut expected = words.clone();
                expected.chunks_mut(line).for_each(<[W]>::sort_unstable);
                sort_lines(&mut words, line);
                assert_eq!(words, expected, "{count} lines of {line}");
            }
        }
        sort_lines::<W>(&mut [], 0);
        sort_lines::<W>(&mut [], 3);
    }

    #[test]
    #[allow(clippy::cast_possible_truncation, reason = "any bits will do")]
    fn lines_of_any_length_and_number() {
        lines_are_sorted(|n| n as u8);
        lines_are_sorted(|n| n as u16 % 99);
        lines_are_sorted(|n| if n % 3 == 0 { u32::MAX } else { n as u32 });
        lines_are_sorted(|n| n << 20);
    }

    #[test]
    fn every_level_sorts_the_same() {
        for level in Level::all() {
            let words = some(NEAR * LANES, |n| n);
            let mut rows: Vec<Row<u64>> = words.as_chunks().0.to_vec();
            at(level, Step::Sort(&mut rows));
            for lane in 0..LANES {
                let mut expected: Vec<u64> = words.iter().skip(lane).step_by(LANES).copied().collect();
                expected.sort_unstable();
                assert!(rows.iter().map(|row| row[lane]).eq(expected), "{level:?}");
            }
        }
    }
}
