//! Lines sorted by the digits of their keys: stable, and without a comparison.
//!
//! A digit is some of a key's bits, the lowest first; one that all keys have in common is left out.

use std::cmp::Ordering;
use std::ops::Not;

use super::Direction;
use super::order::Ordered;

/// Fewer elements than this are compared.
const FEW: usize = 1024;
/// The bits of a digit: as many counts as the first level of cache holds.
const DIGIT: usize = 11;

/// The elements in order.
pub(super) fn sort<T: Ordered>(line: &mut [T], direction: Direction) {
    if T::BITS == 0 {
        return line.sort_by(|a, b| compared(a, b, direction));
    }
    if line.is_sorted_by_key(|element| key(element, direction)) {
        return;
    }
    if line.iter().all(T::is_told) {
        // What has a key is one and the same, so the keys are all there is to sort.
        let mut keys: Vec<T::Key> = line.iter().map(|element| key(element, direction)).collect();
        match by_digits_suits(keys.len()) {
            true => by_digits(&mut keys, T::BITS, |&key| key.into()),
            false => keys.sort_unstable(),
        }
        for (element, key) in line.iter_mut().zip(keys) {
            *element = T::of_key(turned(key, direction));
        }
    } else if by_digits_suits(line.len()) {
        by_digits(line, T::BITS, |element| key(element, direction).into());
    } else {
        line.sort_by_key(|element| key(element, direction));
    }
}

/// The places of elements in their order.
pub(super) fn places<T: Ordered>(elements: &[T], direction: Direction) -> Vec<usize> {
    if T::BITS == 0 {
        let mut places: Vec<usize> = (0..elements.len()).collect();
        places.sort_by(|&a, &b| compared(&elements[a], &elements[b], direction));
        return places;
    }
    if let (1..=32, Ok(_)) = (T::BITS, u32::try_from(elements.len())) {
        // Key and place in one word.
        let word = |(element, place): (&T, u64)| key(element, direction).into() << 32 | place;
        let mut words: Vec<u64> = elements.iter().zip(0..).map(word).collect();
        match by_digits_suits(words.len()) {
            true => by_digits(&mut words, T::BITS, |word| word >> 32),
            false => words.sort_unstable(),
        }
        #[allow(clippy::cast_possible_truncation, reason = "the lower half is meant")]
        return words.into_iter().map(|word| word as u32 as usize).collect();
    }
    let mut keys: Vec<(T::Key, usize)> =
        elements.iter().enumerate().map(|(place, element)| (key(element, direction), place)).collect();
    match by_digits_suits(keys.len()) {
        true => by_digits(&mut keys, T::BITS, |&(key, _)| key.into()),
        false => keys.sort_unstable(),
    }
    keys.into_iter().map(|(_, place)| place).collect()
}

fn compared<T: Ordered>(a: &T, b: &T, direction: Direction) -> Ordering {
    match direction {
        Direction::Ascending => a.order(b),
        Direction::Descending => b.order(a),
    }
}

fn key<T: Ordered>(element: &T, direction: Direction) -> T::Key {
    turned(element.key(), direction)
}

fn turned<K: Not<Output = K>>(key: K, direction: Direction) -> K {
    match direction {
        Direction::Ascending => key,
        Direction::Descending => !key,
    }
}

/// Whether so many elements are sorted by digits: enough, and not more than are counted.
fn by_digits_suits(elements: usize) -> bool {
    elements >= FEW && u32::try_from(elements).is_ok()
}

/// Sorts by the lowest bits of keys.
fn by_digits<E: Copy>(line: &mut [E], bits: usize, key: impl Fn(&E) -> u64) {
    // The loop that counts is as fast as this only where it knows how many digits there are.
    match bits.div_ceil(DIGIT) {
        1 => by_number_of_digits::<1, E>(line, key),
        2 => by_number_of_digits::<2, E>(line, key),
        3 => by_number_of_digits::<3, E>(line, key),
        _ => by_number_of_digits::<6, E>(line, key),
    }
}

fn by_number_of_digits<const DIGITS: usize, E: Copy>(line: &mut [E], key: impl Fn(&E) -> u64) {
    #[allow(clippy::cast_possible_truncation, reason = "a few bits are left")]
    let digit = |element: &E, number: usize| (key(element) >> (number * DIGIT)) as usize % (1 << DIGIT);
    // How many elements have each value of each digit.
    let mut counts = [[0u32; 1 << DIGIT]; DIGITS];
    for element in &*line {
        for (number, counts) in counts.iter_mut().enumerate() {
            counts[digit(element, number)] += 1;
        }
    }
    let mut other = line.to_vec();
    let (mut from, mut to) = (line, &mut other[..]);
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

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;

    /// Elements of a type in both orders, compared one by one, and by their digits.
    fn checked<T: Ordered + std::fmt::Debug>(of: impl Fn(u64) -> T) {
        let mut state = 1u64;
        for count in [0, 1, 500, FEW - 1, FEW, 3000] {
            let line: Vec<T> = (0..count)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                    of(state >> 20)
                })
                .collect();
            for direction in [Direction::Ascending, Direction::Descending] {
                let mut expected: Vec<usize> = (0..count).collect();
                expected.sort_by(|&a, &b| compared(&line[a], &line[b], direction));
                assert_eq!(places(&line, direction), expected);
                let mut sorted = line.clone();
                sort(&mut sorted, direction);
                let expected: Vec<T> = expected.iter().map(|&place| line[place]).collect();
                assert_eq!(bytemuck::cast_slice::<T, u8>(&sorted), bytemuck::cast_slice::<T, u8>(&expected));
                sort(&mut sorted, direction);
                assert_eq!(bytemuck::cast_slice::<T, u8>(&sorted), bytemuck::cast_slice::<T, u8>(&expected));
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
        checked(|n| [0.0, -0.0, 1.0, f32::NAN, -f32::NAN, f32::INFINITY][n as usize % 6]);
        checked(|n| f64::from_bits(n << 20));
        checked(|n| num_complex::Complex::new((n % 3) as f32, (n % 5) as f32));
    }
}
