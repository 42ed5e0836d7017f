//! Words sorted by their digits: stable, and without a comparison.
//!
//! A digit is some of a key's bits, the lowest first; one that all keys have in common is left out.

use bytemuck::{Pod, cast_slice_mut};

use crate::buffer::{MemoryError, Pool};

/// The bits of a digit: as many counts as the first level of cache holds.
const DIGIT: usize = 11;
/// The bits of three digits: more would take as long as to compare what is alike in these.
pub(super) const DIGITS: usize = 3 * DIGIT;

/// Sorts by so many lowest bits of keys, of [`DIGITS`] at most.
pub(super) fn by_digits<E: Pod>(
    line: &mut [E],
    bits: usize,
    key: impl Fn(&E) -> u64,
) -> Result<(), MemoryError> {
    if u32::try_from(line.len()).is_err() {
        // More than are counted.
        line.sort_by_key(key);
        return Ok(());
    }
    let mut other = Pool::global().take(size_of_val(line))?;
    let other = &mut cast_slice_mut(other.bytes_mut())[..line.len()];
    // The loop that counts is as fast as this only where it knows how many digits there are.
    match bits.div_ceil(DIGIT) {
        1 => by_number_of_digits::<1, E>(line, other, key),
        2 => by_number_of_digits::<2, E>(line, other, key),
        _ => by_number_of_digits::<3, E>(line, other, key),
    }
    Ok(())
}

fn by_number_of_digits<const DIGITS: usize, E: Pod>(
    line: &mut [E],
    other: &mut [E],
    key: impl Fn(&E) -> u64,
) {
    #[allow(clippy::cast_possible_truncation, reason = "a few bits are left")]
    let digit = |element: &E, number: usize| (key(element) >> (number * DIGIT)) as usize % (1 << DIGIT);
    // How many elements have each value of each digit.
    let mut counts = [[0u32; 1 << DIGIT]; DIGITS];
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
