//! Lines sorted by the keys of their elements: short ones by sorting networks, many of them at once; long ones by quicksort,
//! radix sort or counting sort.

use std::ops::Not;

use bytemuck::{cast, cast_slice_mut};
use smallvec::SmallVec;

use super::Direction;
use super::counts::{counting_sort, is_counting_worth_it};
use super::order::Ordered;
use super::pivots::{has_partition, quicksort};
use super::radix::{DIGITS, FEW_DIGITS, radix_sort};
use crate::buffer::{MemoryError, Scratch};
use crate::engine::{Word, sort_lines};
use crate::simd::{Body, Isa, simd};

/// Shorter runs of words with equal digits are sorted by comparison.
const FEW: usize = 1024;

/// Puts the elements of each line of so many in order.
pub(super) fn sort<T: Ordered>(
    from: &[T],
    line: usize,
    direction: Direction,
    to: &mut [T],
) -> Result<(), MemoryError> {
    let mut are_told = false;
    if T::BITS > 0 {
        simd(Keys { from, direction, to: cast_slice_mut::<T, T::Key>(to), are_told: &mut are_told });
    }
    if !are_told {
        // Some have a key in common, so it has to be asked where they are.
        let mut room = Scratch::take(size_of::<i64>() * from.len())?;
        let order = &mut cast_slice_mut(room.bytes_mut())[..from.len()];
        places(from, line, direction, order)?;
        for ((from, order), to) in from.chunks(line).zip(order.chunks(line)).zip(to.chunks_mut(line)) {
            to.iter_mut().zip(order).for_each(|(to, &place)| *to = from[at(place)]);
        }
        return Ok(());
    }
    let keys = cast_slice_mut::<T, T::Key>(to);
    if is_short::<T::Key>(line) {
        sort_lines(keys, line);
    } else {
        keys.chunks_mut(line).try_for_each(sort_long)?;
    }
    simd(Told { elements: to, direction });
    Ok(())
}

/// The places that the elements of each line of so many have in it, in the order of the elements.
pub(super) fn places<T: Ordered>(
    elements: &[T],
    line: usize,
    direction: Direction,
    to: &mut [i64],
) -> Result<(), MemoryError> {
    let lines = elements.chunks(line);
    if T::BITS == 0 {
        lines.zip(to.chunks_mut(line)).for_each(|(line, to)| compared_places(line, direction, to));
        return Ok(());
    }
    let words = cast_slice_mut::<i64, u64>(to);
    let packings: SmallVec<[Packing; 1]> = lines.clone().map(|line| Packing::of(line, direction)).collect();
    for ((line, packing), words) in lines.clone().zip(&packings).zip(words.chunks_mut(line)) {
        simd(Packed { line, packing, direction, words });
    }
    if is_short::<u64>(line) {
        sort_lines(words, line);
    } else {
        for (words, packing) in words.chunks_mut(line).zip(&packings) {
            radix_sort(words, packing.kept, |word| word >> packing.places)?;
        }
    }
    for ((line, packing), words) in lines.zip(&packings).zip(words.chunks_mut(line)) {
        if packing.lost > 0 {
            packing.mend(line, words, direction)?;
        }
        words.iter_mut().for_each(|word| *word = packing.place(*word));
    }
    Ok(())
}

/// A place as an index.
pub(super) fn at(place: i64) -> usize {
    usize::try_from(place).unwrap_or_default()
}

/// How a word stands for an element of a line: the highest bits of its key, less the least key, and below these its
/// index.
struct Packing {
    least: u64,
    /// How many of the bits of a key are not in the word.
    lost: usize,
    /// How many are.
    kept: usize,
    /// The bits of a place.
    places: usize,
}

impl Packing {
    fn of<T: Ordered>(line: &[T], direction: Direction) -> Packing {
        let places = bits(line.len().saturating_sub(1) as u64);
        let room = if is_short::<u64>(line.len()) { 64 - places } else { DIGITS.min(64 - places) };
        if T::BITS <= room {
            return Packing { least: 0, lost: 0, kept: T::BITS, places };
        }
        let (mut least, mut most) = (0, 0);
        simd(Range { line, key: |element: &T| key(element, direction), least: &mut least, most: &mut most });
        let used = bits(most - least);
        let kept = used.min(room);
        Packing { least, lost: used - kept, kept, places }
    }

    fn place(&self, word: u64) -> u64 {
        word & ((1 << self.places) - 1)
    }

    /// Sorts runs of words whose kept key bits are equal by their full keys.
    fn mend<T: Ordered>(
        &self,
        line: &[T],
        words: &mut [u64],
        direction: Direction,
    ) -> Result<(), MemoryError> {
        #[allow(clippy::cast_possible_truncation, reason = "it is less than a line is long")]
        let element = |word: u64| line[self.place(word) as usize];
        for alike in words.chunk_by_mut(|a, b| a >> self.places == b >> self.places) {
            if alike.len() >= FEW {
                let elements: Vec<T> = alike.iter().map(|&word| element(word)).collect();
                let mut order = vec![0; alike.len()];
                places(&elements, elements.len(), direction, &mut order)?;
                let sorted: Vec<u64> = order.into_iter().map(|place| alike[at(place)]).collect();
                alike.copy_from_slice(&sorted);
            } else if alike.len() > 1 {
                alike.sort_by_key(|&word| key(&element(word), direction));
            }
        }
        Ok(())
    }
}

/// Puts the keys of a long line in order.
fn sort_long<K: Word + Into<u64>>(keys: &mut [K]) -> Result<(), MemoryError> {
    if keys.is_sorted() {
        return Ok(());
    }
    let (mut least, mut most) = (0, 0);
    simd(Range { line: keys, key: |key: &K| *key, least: &mut least, most: &mut most });
    if is_counting_worth_it(keys, least, most) {
        counting_sort(keys, least, most);
        return Ok(());
    }
    let used = bits(most - least);
    if used > FEW_DIGITS && has_partition::<K>() {
        return quicksort(keys);
    }
    let lost = used.saturating_sub(DIGITS);
    let kept = |key: &K| ((*key).into() - least) >> lost;
    radix_sort(keys, used - lost, kept)?;
    if lost > 0 {
        for alike in keys.chunk_by_mut(|a, b| kept(a) == kept(b)) {
            if alike.len() < FEW { alike.sort_unstable() } else { sort_long(alike)? }
        }
    }
    Ok(())
}

/// Makes the keys of elements, and asks whether each is of one element only.
struct Keys<'k, T: Ordered> {
    from: &'k [T],
    direction: Direction,
    to: &'k mut [T::Key],
    are_told: &'k mut bool,
}

impl<T: Ordered> Body for Keys<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Keys { from, direction, to, are_told } = self;
        let mut untold = 0_u32;
        for (to, element) in to.iter_mut().zip(from) {
            *to = key(element, direction);
            untold |= u32::from(!element.is_told());
        }
        *are_told = untold == 0;
    }
}

/// Makes elements of the keys that are in their place.
struct Told<'k, T> {
    elements: &'k mut [T],
    direction: Direction,
}

impl<T: Ordered> Body for Told<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        for element in self.elements {
            *element = T::of_key(turned(cast(*element), self.direction));
        }
    }
}

/// The least and the most of keys.
struct Range<'k, T, F> {
    line: &'k [T],
    key: F,
    least: &'k mut u64,
    most: &'k mut u64,
}

impl<T, K: Word + Into<u64>, F: Fn(&T) -> K> Body for Range<'_, T, F> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let (mut least, mut most) = (K::MOST, K::zeroed());
        for element in self.line {
            let key = (self.key)(element);
            (least, most) = (least.min(key), most.max(key));
        }
        (*self.least, *self.most) = (least.into(), most.into());
    }
}

/// Makes the words of a line.
struct Packed<'k, T> {
    line: &'k [T],
    packing: &'k Packing,
    direction: Direction,
    words: &'k mut [u64],
}

impl<T: Ordered> Body for Packed<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Packed { line, packing: &Packing { least, lost, places, .. }, direction, words } = self;
        for ((word, element), place) in words.iter_mut().zip(line).zip(0..) {
            *word = (key(element, direction).into() - least) >> lost << places | place;
        }
    }
}

/// How many bits a number needs.
fn bits(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// Whether a line of so many words is sorted faster by a network than in another way.
fn is_short<W>(line: usize) -> bool {
    let most = match size_of::<W>() {
        1 => 512,
        2 => 4096,
        4 => 1 << 14,
        _ => 1 << 13,
    };
    line <= most
}

fn compared_places<T: Ordered>(line: &[T], direction: Direction, to: &mut [i64]) {
    to.iter_mut().zip(0..).for_each(|(to, place)| *to = place);
    to.sort_by(|&a, &b| {
        let (a, b) = (&line[at(a)], &line[at(b)]);
        match direction {
            Direction::Ascending => a.order(b),
            Direction::Descending => b.order(a),
        }
    });
}

#[inline(always)]
fn key<T: Ordered>(element: &T, direction: Direction) -> T::Key {
    turned(element.key(), direction)
}

#[inline(always)]
fn turned<K: Not<Output = K>>(key: K, direction: Direction) -> K {
    match direction {
        Direction::Ascending => key,
        Direction::Descending => !key,
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};
    use num_complex::Complex;

    use super::*;

    /// Elements of a type in both orders: short lines, many of them, and long ones.
    fn checked<T: Ordered + std::fmt::Debug>(of: impl Fn(u64) -> T) {
        let mut state = 1u64;
        for (line, count) in [(1, 3), (2, 40), (70, 1), (500, 9), (1300, 2), (8193, 1), (20_000, 1)] {
            let elements: Vec<T> = (0..line * count)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                    of(state >> 20)
                })
                .collect();
            for direction in [Direction::Ascending, Direction::Descending] {
                let mut expected = vec![0; elements.len()];
                let lines = elements.chunks(line).zip(expected.chunks_mut(line));
                lines.for_each(|(line, to)| compared_places(line, direction, to));
                let mut found = vec![0; elements.len()];
                places(&elements, line, direction, &mut found).unwrap();
                assert_eq!(found, expected, "{line}");
                let expected: Vec<T> = expected
                    .iter()
                    .enumerate()
                    .map(|(number, place)| elements[number / line * line + at(*place)])
                    .collect();
                let (mut sorted, mut again) = (elements.clone(), elements.clone());
                sort(&elements, line, direction, &mut sorted).unwrap();
                sort(&sorted, line, direction, &mut again).unwrap();
                for sorted in [sorted, again] {
                    assert_eq!(
                        bytemuck::cast_slice::<T, u8>(&sorted),
                        bytemuck::cast_slice::<T, u8>(&expected)
                    );
                }
            }
        }
    }

    #[test]
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "any bits will do")]
    fn the_order_of_comparisons() {
        checked(|n| n as u8);
        checked(|n| n as i8);
        checked(|n| n as i16);
        checked(|n| n as u16);
        checked(|n| n as i32);
        checked(|n| n as u32 % 7);
        checked(|n| (n << 20) as i64);
        checked(|n| n << 20);
        checked(|n| f16::from_bits(n as u16));
        checked(|n| bf16::from_bits(n as u16));
        checked(|n| f32::from_bits(n as u32));
        checked(|n| n as f32);
        checked(|n| [0.0, -0.0, 1.0, f32::NAN, -f32::NAN, f32::INFINITY][n as usize % 6]);
        checked(|n| f64::from_bits(n << 20));
        checked(|n| n as f64 / 1e9);
        checked(|n| Complex::new((n % 3) as f32, (n % 5) as f32));
    }

    #[test]
    #[allow(clippy::cast_possible_wrap, reason = "any bits will do")]
    fn one_far_away_from_many() {
        // All but a few are alike in the digits that are looked at first.
        checked(|n| if n.is_multiple_of(997) { i64::MIN } else { (n % 100_000) as i64 });
        checked(|n| if n.is_multiple_of(997) { 1e300 } else { 1.0 + (n % 100_000) as f64 * f64::EPSILON });
        checked(|n| if n.is_multiple_of(97) { n << 20 } else { n % 3 });
        checked(|n| u64::MAX - n % 2);
    }

    #[test]
    fn lines_that_are_sorted_in_parts() {
        // Enough for several parts, whose last is shorter.
        let line: Vec<u64> = (0..300_001u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20).collect();
        let (mut sorted, mut order) = (line.clone(), vec![0; line.len()]);
        sort(&line, line.len(), Direction::Ascending, &mut sorted).unwrap();
        places(&line, line.len(), Direction::Ascending, &mut order).unwrap();
        let mut expected: Vec<i64> = (0..).take(line.len()).collect();
        expected.sort_by_key(|&place| line[at(place)]);
        assert_eq!(order, expected);
        assert!(
            sorted.is_sorted() && order.iter().zip(&sorted).all(|(&place, word)| line[at(place)] == *word)
        );
    }
}
