//! Cache lines assembled in registers from bytes that lie near each other, and written past the cache.

#![allow(
    unsafe_code,
    reason = "the instruction writes to an address, which has to begin on a line of the cache"
)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm256_permutevar8x32_epi32, _mm256_shuffle_epi8, _mm256_stream_si256, _mm512_permutexvar_epi32,
    _mm512_shuffle_epi8, _mm512_stream_si512,
};
use std::array::from_fn;

#[cfg(target_arch = "x86_64")]
use bytemuck::cast;

use super::LINE;
#[cfg(target_arch = "x86_64")]
use super::stores::is_on_line;

/// The bytes that a line is made of.
pub(crate) const WINDOW: usize = 64;
/// The bytes of an AVX2 register.
const HALF: usize = 32;
/// The bytes of a lane, within which bytes are shuffled.
const LANE: usize = 16;
/// The bytes of a word; words are permuted over a whole register.
const WORD: usize = 4;

/// How a line is made of a window: words are permuted into the lanes that need bytes of them, then bytes are shuffled within each
/// lane.
pub(crate) struct Shuffle {
    /// For each word of the line, the word of the window.
    words: [[u32; HALF / WORD]; 2],
    /// The same for AVX2's second half: the byte where its half of the window begins, and words from there.
    second: (usize, [u32; HALF / WORD]),
    /// For each byte of the line, which byte of its lane by then.
    bytes: [[u8; HALF]; 2],
}

impl Shuffle {
    /// The line whose byte `n` is the window's byte `place(n)`. Places never fall, and rise by less than 32 in each half.
    pub(crate) fn of(place: impl Fn(usize) -> usize) -> Shuffle {
        // The first word of what a lane is made of.
        let first = |lane: usize| place(lane * LANE) / WORD;
        let second = first(2).min((WINDOW - HALF) / WORD);
        let word = |to: usize, begin: usize| {
            let in_lane = LANE / WORD;
            u32::try_from(first(to / in_lane) + to % in_lane - begin).unwrap_or_default()
        };
        let byte = |to: usize| {
            let byte = place(to) - first(to / LANE) * WORD;
            assert!(byte < LANE, "a lane is made of as many bytes");
            u8::try_from(byte).unwrap_or_default()
        };
        let of_half = HALF / WORD;
        Shuffle {
            words: [0, 1].map(|half| from_fn(|to| word(half * of_half + to, 0))),
            second: (second * WORD, from_fn(|to| word(of_half + to, second))),
            bytes: [0, 1].map(|half| from_fn(|to| byte(half * HALF + to))),
        }
    }
}

/// Whether there are instructions for it.
pub(crate) fn shuffles() -> bool {
    #[cfg(target_arch = "x86_64")]
    return super::Level::best() >= super::Level::Avx2;
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Writes the line that is made of a window, byte by byte.
#[inline(always)]
pub(super) fn shuffle(window: &[u8; WINDOW], shuffle: &Shuffle, to: &mut [u8; LINE]) {
    for (at, to) in to.iter_mut().enumerate() {
        let word = shuffle.words[at / HALF][at % HALF / LANE * (LANE / WORD)] as usize;
        *to = window[word * WORD + usize::from(shuffle.bytes[at / HALF][at % HALF])];
    }
}

/// Writes the line that is made of a window past the cache, with the instructions of AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn shuffle_avx2(window: &[u8; WINDOW], shuffle: &Shuffle, to: &mut [u8; LINE]) {
    assert!(is_on_line(to), "only what begins on a line of the cache goes past it");
    let (second, words) = &shuffle.second;
    let from = [0, *second].map(|begin| window[begin..].first_chunk().copied().unwrap_or([0; HALF]));
    let (halves, _) = to.as_chunks_mut::<HALF>();
    for (half, (to, words)) in halves.iter_mut().zip([&shuffle.words[0], words]).enumerate() {
        let words = _mm256_permutevar8x32_epi32(cast(from[half]), cast(*words));
        let bytes = _mm256_shuffle_epi8(words, cast(shuffle.bytes[half]));
        // SAFETY: the half has as many bytes, and begins on a multiple of them, because the line does.
        unsafe { _mm256_stream_si256(to.as_mut_ptr().cast(), bytes) };
    }
}

/// The same with those of AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn shuffle_avx512(window: &[u8; WINDOW], shuffle: &Shuffle, to: &mut [u8; LINE]) {
    assert!(is_on_line(to), "only what begins on a line of the cache goes past it");
    let words = _mm512_permutexvar_epi32(cast(shuffle.words), cast(*window));
    let bytes = _mm512_shuffle_epi8(words, cast(shuffle.bytes));
    // SAFETY: a line has as many bytes, and begins on a multiple of them.
    unsafe { _mm512_stream_si512(to.as_mut_ptr().cast(), bytes) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Body, Isa, Level, at, store_fence};

    struct Shuffled<'a>(&'a [u8; WINDOW], &'a Shuffle, &'a mut [u8]);
    impl Body for Shuffled<'_> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            I::shuffle(self.0, self.1, self.2.first_chunk_mut().unwrap());
        }
    }

    #[test]
    fn every_level_makes_the_same_line() {
        let window: [u8; WINDOW] = std::array::from_fn(|at| u8::try_from(100 + at).unwrap());
        let ways: [fn(usize) -> usize; 8] = [
            |at| at,
            |at| at / 2,
            |at| at / 3,
            |at| (at + 5) / 7,
            |at| at / 32 * 16 + at % 16,
            |at| (at / 4 + 2) / 5 * 4 + at % 4,
            |at| (at / 8 + 3) / 5 * 8 + at % 8,
            |at| (at / 16 + 2) / 4 * 16 + at % 16,
        ];
        for way in ways {
            let shuffle = Shuffle::of(way);
            for level in Level::all() {
                let mut memory = [0; 2 * LINE];
                let first = memory.as_ptr().align_offset(LINE);
                at(level, Shuffled(&window, &shuffle, &mut memory[first..first + LINE]));
                store_fence();
                let line: [u8; LINE] = std::array::from_fn(|at| window[way(at)]);
                assert_eq!(memory[first..first + LINE], line, "{level:?}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "a lane is made")]
    fn a_lane_is_made_of_bytes_that_are_near() {
        let _ = Shuffle::of(|at| at * 2);
    }
}
