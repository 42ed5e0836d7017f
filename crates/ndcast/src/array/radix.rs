//! Radix sort, least significant digit first: stable, and without comparisons.
//!
//! A digit is some of a key's bits, the lowest first; one that all keys have in common is left out.

use bytemuck::{Pod, cast_slice_mut};

use super::lines::each_part;
use crate::buffer::{MemoryError, Pool};
use crate::engine::threads::threads;

/// The bits of a digit: as many counts as the first level of cache holds.
const DIGIT: usize = 11;
/// The elements of a part that a thread claims.
const PART: usize = 1 << 16;
/// The bits of two digits: nothing sorts by so few as fast as digits do.
pub(super) const FEW_DIGITS: usize = 2 * DIGIT;
/// The bits of three digits: more would take as long as to compare what is alike in these.
pub(super) const DIGITS: usize = 3 * DIGIT;

/// Sorts by so many lowest bits of keys, of [`DIGITS`] at most; long lines in parts, which are merged.
pub(super) fn radix_sort<E: Pod + Send + Sync>(
    line: &mut [E],
    bits: usize,
    key: impl Fn(&E) -> u64 + Sync,
) -> Result<(), MemoryError> {
    if bits == 0 {
        return Ok(());
    }
    if u32::try_from(line.len()).is_err() {
        // More than are counted.
        line.sort_by_key(key);
        return Ok(());
    }
    let mut other = Pool::global().take(size_of_val(line))?;
    let other = &mut cast_slice_mut(other.bytes_mut())[..line.len()];
    // To merge takes as long as one digit.
    let parts = if bits > FEW_DIGITS { (line.len() / PART).clamp(1, threads()) } else { 1 };
    let mut run = line.len().div_ceil(parts).max(1);
    // The loop that counts is as fast as this only where it knows how many digits there are.
    let sort = |(line, other): (&mut [E], &mut [E])| match bits.div_ceil(DIGIT) {
        1 => radix_sort_digits::<1, E>(line, other, &key),
        2 => radix_sort_digits::<2, E>(line, other, &key),
        _ => radix_sort_digits::<3, E>(line, other, &key),
    };
    each_part(line.chunks_mut(run).zip(other.chunks_mut(run)), sort);
    let (mut from, mut to) = (line, other);
    let mut is_in_line = true;
    while run < from.len() {
        let pairs = from.chunks(2 * run).zip(to.chunks_mut(2 * run));
        let parts = pairs.flat_map(|(pair, to)| {
            let (first, second) = pair.split_at(run.min(pair.len()));
            to.chunks_mut(PART).zip((0..).step_by(PART)).map(move |(to, at)| (first, second, at, to))
        });
        each_part(parts, |(first, second, at, to)| merge(first, second, at, to, &key));
        (from, to) = (to, from);
        is_in_line = !is_in_line;
        run *= 2;
    }
    if !is_in_line {
        each_part(to.chunks_mut(PART).zip(from.chunks(PART)), |(to, from)| to.copy_from_slice(from));
    }
    Ok(())
}

/// What two sorted lines have together from a place on, those of the first before equal ones of the second.
fn merge<E: Copy>(first: &[E], second: &[E], at: usize, to: &mut [E], key: impl Fn(&E) -> u64) {
    // So many of the first are before the place.
    let (mut least, mut most) = (at.saturating_sub(second.len()), at.min(first.len()));
    while least < most {
        let middle = usize::midpoint(least, most);
        if key(&first[middle]) <= key(&second[at - middle - 1]) { least = middle + 1 } else { most = middle }
    }
    let (first, second) = (&first[least..], &second[at - least..]);
    let (mut a, mut b, mut done) = (0, 0, 0);
    while done < to.len() && a < first.len() && b < second.len() {
        // Both are read, so that nothing has to be foreseen.
        let (one, other) = (first[a], second[b]);
        let is_one = key(&one) <= key(&other);
        to[done] = if is_one { one } else { other };
        a += usize::from(is_one);
        b += usize::from(!is_one);
        done += 1;
    }
    let (to, rest) = (&mut to[done..], if a < first.len() { &first[a..] } else { &second[b..] });
    to.copy_from_slice(&rest[..to.len()]);
}

fn radix_sort_digits<const COUNT: usize, E: Pod>(line: &mut [E], other: &mut [E], key: impl Fn(&E) -> u64) {
    #[allow(clippy::cast_possible_truncation, reason = "a few bits are left")]
    let digit = |element: &E, number: usize| (key(element) >> (number * DIGIT)) as usize % (1 << DIGIT);
    // How many elements have each value of each digit.
    let mut counts = [[0u32; 1 << DIGIT]; COUNT];
    for element in &*line {
        for (number, counts) in counts.iter_mut().enumerate() {
            counts[digit(element, number)] += 1;
        }
    }
    let (mut from, mut to) = (line, other);
    let mut is_in_line = true;
    for (number, counts) in counts.iter_mut().enumerate() {
        let Some(first) = from.first() else { return };
        if counts[digit(first, number)] as usize == from.len() {
            continue;
        }
        let mut place = 0;
        for count in counts.iter_mut() {
            let first = place;
            place += *count;
            *count = first;
        }
        for element in &*from {
            let place = &mut counts[digit(element, number)];
            to[*place as usize] = *element;
            *place += 1;
        }
        (from, to) = (to, from);
        is_in_line = !is_in_line;
    }
    if !is_in_line {
        to.copy_from_slice(from);
    }
}
