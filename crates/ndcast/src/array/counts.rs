//! Counting sort, for words of few distinct values.

use crate::engine::Word;

/// So many words are counted beside each other: to count one again that was just counted takes longer.
const BESIDE: usize = 2;
/// So many equal words are written at once, if there is room.
const AT_ONCE: usize = 8;

/// Whether counting sort is worth it for words from a least to a greatest one, and `u32` counts suffice.
pub(super) fn is_counting_worth_it<W>(words: &[W], least: u64, most: u64) -> bool {
    let is_worth_it = size_of::<W>() <= 2 && (most - least) / 2 < words.len() as u64;
    is_worth_it && u32::try_from(words.len()).is_ok()
}

/// Puts words in order that are from a least one to a greatest one.
pub(super) fn counting_sort<W: Word + Into<u64>>(words: &mut [W], least: u64, most: u64) {
    let values = usize::try_from(most - least).unwrap_or(usize::MAX) + 1;
    let mut counts = vec![[0u32; BESIDE]; values];
    #[allow(clippy::cast_possible_truncation, reason = "it is less than the values are many")]
    let number = |word: W| (word.into() - least) as usize;
    let (pairs, last) = words.as_chunks::<BESIDE>();
    for pair in pairs {
        for (beside, &word) in pair.iter().enumerate() {
            counts[number(word)][beside] += 1;
        }
    }
    last.iter().for_each(|&word| counts[number(word)][0] += 1);
    let mut value = words.iter().copied().min();
    let mut rest = words;
    for counts in counts {
        let (count, Some(word)) = (counts.map(|count| count as usize).iter().sum(), value) else { return };
        match rest.first_chunk_mut::<AT_ONCE>() {
            Some(some) if count <= AT_ONCE => *some = [word; AT_ONCE],
            _ => rest[..count].fill(word),
        }
        rest = &mut rest[count..];
        value = word.next();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_comparisons() {
        for (values, first) in [(1u16, 0u16), (3, 7), (300, 65_000), (65_535, 0)] {
            for count in [1u64, 2, 9, 1000, 200_001] {
                let word =
                    |n: u64| first + u16::try_from(((n * 0x9E37_79B9) >> 7) % u64::from(values)).unwrap();
                let mut words: Vec<u16> = (0..count).map(word).collect();
                let mut expected = words.clone();
                expected.sort_unstable();
                counting_sort(&mut words, expected[0].into(), expected[expected.len() - 1].into());
                assert!(words == expected, "{count} of {values}");
            }
        }
        let mut bytes = [255u8, 0, 255, 7];
        counting_sort(&mut bytes, 0, 255);
        assert_eq!(bytes, [0, 7, 255, 255]);
    }
}
