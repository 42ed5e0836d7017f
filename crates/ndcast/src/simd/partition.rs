//! Words put apart: those that are less than another, and those that are not.

use bytemuck::Pod;

/// Stable partition: words less than `than` to the front, the others into `others`. Returns how many are less. One word after the
/// other.
#[inline(always)]
pub(super) fn partition<W: Pod + Ord>(words: &mut [W], than: W, others: &mut [W]) -> usize {
    assert!(others.len() >= words.len(), "too little room for what is not less");
    one_by_one(words, than, others, (0, 0))
}

/// The same from a word on, where so many are less among those before it.
#[inline(always)]
fn one_by_one<W: Pod + Ord>(
    words: &mut [W],
    than: W,
    others: &mut [W],
    (first, mut less): (usize, usize),
) -> usize {
    for at in first..words.len() {
        let word = words[at];
        // Both are written, so that no branch is mispredicted.
        words[less] = word;
        others[at - less] = word;
        less += usize::from(word < than);
    }
    less
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m512i, __mmask8, __mmask16, _mm512_cmplt_epu32_mask, _mm512_cmplt_epu64_mask,
    _mm512_maskz_compress_epi32, _mm512_maskz_compress_epi64, _mm512_set1_epi32, _mm512_set1_epi64,
};

#[cfg(target_arch = "x86_64")]
use bytemuck::{bytes_of, cast_slice_mut};

/// The bytes of a vector.
#[cfg(target_arch = "x86_64")]
const VECTOR: usize = 64;

/// The same with the instructions of AVX-512, of words of 4 and 8 bytes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,popcnt")]
#[inline]
pub(super) fn partition_avx512<W: Pod + Ord>(words: &mut [W], than: W, others: &mut [W]) -> usize {
    assert!(others.len() >= words.len(), "too little room for what is not less");
    let (size, lanes) = (size_of::<W>(), VECTOR / size_of::<W>());
    let (mut at, mut less) = (0, 0);
    macro_rules! vectors {
        ($mask:ident $number:ident $set:ident $less:ident $compress:ident) => {{
            let limit = $set(bytemuck::cast::<W, $number>(than));
            let (from, to) = (cast_slice_mut::<W, u8>(words), cast_slice_mut::<W, u8>(others));
            while let Some(bytes) = from[at * size..].first_chunk::<VECTOR>() {
                let vector: __m512i = bytemuck::cast(*bytes);
                let mask: $mask = $less(vector, limit);
                // All of a vector is written, and what is too much of it written over: what was there has been read.
                from[less * size..][..VECTOR].copy_from_slice(bytes_of(&$compress(mask, vector)));
                to[(at - less) * size..][..VECTOR].copy_from_slice(bytes_of(&$compress(!mask, vector)));
                less += mask.count_ones() as usize;
                at += lanes;
            }
        }};
    }
    match size_of::<W>() {
        4 => vectors!(__mmask16 i32 _mm512_set1_epi32 _mm512_cmplt_epu32_mask _mm512_maskz_compress_epi32),
        8 => vectors!(__mmask8 i64 _mm512_set1_epi64 _mm512_cmplt_epu64_mask _mm512_maskz_compress_epi64),
        _ => return partition(words, than, others),
    }
    one_by_one(words, than, others, (at, less))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Body, Isa, Level, at};

    struct Apart<'a, W>(&'a mut [W], W, &'a mut [W], &'a mut usize);
    impl<W: Pod + Ord> Body for Apart<'_, W> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            *self.3 = I::partition(self.0, self.1, self.2);
        }
    }

    fn checked<W: Pod + Ord + std::fmt::Debug>(of: impl Fn(u64) -> W) {
        for count in [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 100, 1000] {
            let words: Vec<W> = (0..count).map(|n: u64| of(n.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
            for than in [of(0), of(u64::MAX), of(u64::MAX / 2), words.first().copied().unwrap_or(of(7))] {
                let (first, second): (Vec<W>, Vec<W>) = words.iter().partition(|word| **word < than);
                for level in Level::all() {
                    let (mut words, mut others, mut less) = (words.clone(), words.clone(), 0);
                    at(level, Apart(&mut words, than, &mut others, &mut less));
                    assert_eq!((&words[..less], &others[..words.len() - less]), (&first[..], &second[..]));
                }
            }
        }
    }

    #[test]
    #[allow(clippy::cast_possible_truncation, reason = "any bits will do")]
    fn every_level_puts_the_same_apart() {
        checked(|n| n as u8);
        checked(|n| (n >> 16) as u16);
        checked(|n| (n >> 32) as u32);
        checked(|n| n);
    }

    #[test]
    #[should_panic(expected = "too little room")]
    fn there_is_room_for_all() {
        let mut less = 0;
        at(Level::best(), Apart(&mut [1u32, 2], 2, &mut [0], &mut less));
    }
}
