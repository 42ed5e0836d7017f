//! Lines sorted by the digits of their keys: stable, and without a comparison.
//!
//! A key is an integer without a sign that has the elements' order. Its bytes are the digits, the lowest first; one that all
//! keys have in common is left out.

use std::cmp::Ordering;

use super::Direction;
use super::order::Ordered;

/// Fewer elements than this are compared.
const FEW: usize = 96;
/// The values of a digit.
const VALUES: usize = 256;

/// The elements in order.
pub(super) fn sort<T: Ordered>(line: &mut [T], direction: Direction) {
    if T::DIGITS == 0 || line.len() < FEW {
        return line.sort_by(|a, b| compared(a, b, direction));
    }
    let key = |element: &T| key(element, direction);
    if line.is_sorted_by_key(key) {
        return;
    }
    by_digits(line, T::DIGITS, key);
}

/// The places of elements in their order.
pub(super) fn places<T: Ordered>(elements: &[T], direction: Direction) -> Vec<usize> {
    if T::DIGITS == 0 || elements.len() < FEW {
        let mut places: Vec<usize> = (0..elements.len()).collect();
        places.sort_by(|&a, &b| compared(&elements[a], &elements[b], direction));
        return places;
    }
    if let (1..=4, Ok(_)) = (T::DIGITS, u32::try_from(elements.len())) {
        // Key and place in one word.
        let word = |(element, place): (&T, u64)| key(element, direction) << 32 | place;
        let mut words: Vec<u64> = elements.iter().zip(0..).map(word).collect();
        by_digits(&mut words, T::DIGITS, |word| word >> 32);
        #[allow(clippy::cast_possible_truncation, reason = "the lower half is meant")]
        return words.into_iter().map(|word| word as u32 as usize).collect();
    }
    let mut keys: Vec<(u64, usize)> =
        elements.iter().enumerate().map(|(place, element)| (key(element, direction), place)).collect();
    by_digits(&mut keys, T::DIGITS, |&(key, _)| key);
    keys.into_iter().map(|(_, place)| place).collect()
}

fn compared<T: Ordered>(a: &T, b: &T, direction: Direction) -> Ordering {
    match direction {
        Direction::Ascending => a.order(b),
        Direction::Descending => b.order(a),
    }
}

fn key<T: Ordered>(element: &T, direction: Direction) -> u64 {
    match direction {
        Direction::Ascending => element.key(),
        Direction::Descending => !element.key(),
    }
}

/// Sorts by the lowest digits of keys.
fn by_digits<E: Copy>(line: &mut [E], digits: usize, key: impl Fn(&E) -> u64) {
    let digit = |element: &E, number: usize| usize::from(key(element).to_le_bytes()[number]);
    // How many elements have each value of each digit.
    let mut counts = vec![[0usize; VALUES]; digits];
    for element in &*line {
        for (number, counts) in counts.iter_mut().enumerate() {
            counts[digit(element, number)] += 1;
        }
    }
    let mut other = line.to_vec();
    let (mut from, mut to) = (line, &mut other[..]);
    let mut is_in_line = true;
    for (number, counts) in counts.iter_mut().enumerate() {
        if counts.contains(&from.len()) {
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
            to[*place] = *element;
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
        for count in [0, 1, FEW - 1, FEW, 500, 3000] {
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
