//! Non-temporal stores, past the cache: a result larger than it would only evict everything else.

#![allow(
    unsafe_code,
    reason = "the instructions write to an address, which has to begin on a line of the cache"
)]

use std::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128, _mm256_loadu_si256,
    _mm256_stream_si256, _mm512_loadu_si512, _mm512_stream_si512,
};

#[cfg(target_arch = "x86_64")]
use super::Level;

/// The bytes of a line of the cache.
pub(crate) const LINE: usize = 64;

/// Bytes that begin on a line of the cache.
#[repr(align(64))]
pub(crate) struct OnLine<const N: usize>(pub(crate) [u8; N]);

/// Where what is computed is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// Into the cache.
    Cached,
    /// Past it; see [`store_fence`].
    Streamed,
}

/// The bytes of the staging buffer.
pub(crate) const ASIDE: usize = 1 << 10;

/// A staging buffer, aligned to a cache line, from which results are streamed past the cache. Uninitialised until it is asked for:
/// ordinary stores do not need it.
#[repr(C, align(64))]
pub(crate) struct Aside {
    // First, so that it is aligned.
    bytes: MaybeUninit<[u8; ASIDE]>,
    is_there: bool,
}

impl Aside {
    pub(crate) const NOTHING: Aside = Aside { bytes: MaybeUninit::uninit(), is_there: false };

    /// The buffer, zeroed at its first use.
    #[inline(always)]
    pub(crate) fn bytes(&mut self) -> &mut [u8; ASIDE] {
        if !self.is_there {
            self.bytes = MaybeUninit::zeroed();
            self.is_there = true;
        }
        // SAFETY: it was written to.
        unsafe { self.bytes.assume_init_mut() }
    }
}

/// Prefetches memory that will be read soon.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it reads nothing, and SSE is in the baseline.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// Whether these bytes begin on a line of the cache.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn is_on_line(bytes: &[u8]) -> bool {
    bytes.as_ptr().addr().is_multiple_of(LINE)
}

/// For each instruction set: a copy past the cache of whole lines, and of any bytes.
macro_rules! stream {
    ($($lines:ident $any:ident $vector:ident $load:ident $stream:ident $($feature:literal)?;)*) => {$(
        #[cfg(target_arch = "x86_64")]
        $(#[target_feature(enable = $feature)])?
        #[inline]
        fn $lines(from: &[u8], to: &mut [u8]) {
            const STEP: usize = size_of::<$vector>();
            assert!(is_on_line(to), "only what begins on a line of the cache goes past it");
            let ((to, _), (from, _)) = (to.as_chunks_mut::<STEP>(), from.as_chunks::<STEP>());
            // By number: two iterators side by side are not always inlined, and this is run for each line.
            for number in 0..to.len().min(from.len()) {
                // SAFETY: both have a vector's bytes, and the one written begins on a multiple of them, because the
                // first does. The instructions are in the baseline, or there if this function may be called.
                unsafe { $stream(to[number].as_mut_ptr().cast(), $load(from[number].as_ptr().cast())) };
            }
        }

        #[cfg(target_arch = "x86_64")]
        $(#[target_feature(enable = $feature)])?
        #[inline]
        pub(super) fn $any(from: &[u8], to: &mut [u8]) {
            if is_on_line(to) && to.len().is_multiple_of(LINE) {
                $lines(from, to);
            } else {
                stream(from, to);
            }
        }
    )*};
}

stream! {
    lines_sse2 stream_sse2 __m128i _mm_loadu_si128 _mm_stream_si128;
    lines_avx2 stream_avx2 __m256i _mm256_loadu_si256 _mm256_stream_si256 "avx2";
    lines_avx512 stream_avx512 __m512i _mm512_loadu_si512 _mm512_stream_si512 "avx512f";
}

/// Copies bytes past the cache, but for those that are no whole line of it. Both slices have the same length. It is no part
/// of the loops that call it: most write lines, and have no room for what lies at the ends of others.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(crate) fn stream(from: &[u8], to: &mut [u8]) {
    let before = to.as_ptr().align_offset(LINE).min(to.len());
    let after = to.len() - (to.len() - before) % LINE;
    if before == after {
        return to.copy_from_slice(from);
    }
    let (from_lines, lines) = (&from[before..after], &mut to[before..after]);
    match Level::best() {
        Level::Baseline => lines_sse2(from_lines, lines),
        // SAFETY: the processor was just asked.
        Level::Avx2 => unsafe { lines_avx2(from_lines, lines) },
        // SAFETY: the processor was just asked.
        Level::Avx512 => unsafe { lines_avx512(from_lines, lines) },
    }
    to[..before].copy_from_slice(&from[..before]);
    to[after..].copy_from_slice(&from[after..]);
}

/// Copies bytes; where there are no stores past the cache.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn stream(from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(from);
}

/// Makes what was written past the cache visible to other threads before what follows.
pub(crate) fn store_fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is in the baseline.
    unsafe {
        _mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Body, Isa, Level, at};

    #[test]
    fn streams_any_part() {
        let from: Vec<u8> = (0..=255).collect();
        for start in 0..20 {
            for len in [0, 1, 15, 16, 17, 64, 200] {
                let mut to = vec![0; 256];
                stream(&from[start + 3..start + 3 + len], &mut to[start..start + len]);
                store_fence();
                assert_eq!(to[start..start + len], from[start + 3..start + 3 + len]);
                assert!(to[..start].iter().chain(&to[start + len..]).all(|&byte| byte == 0));
            }
        }
    }

    #[test]
    fn memory_aside_keeps_what_is_written() {
        let mut aside = Aside::NOTHING;
        assert_eq!(aside.bytes(), &[0; ASIDE]);
        aside.bytes()[ASIDE - 1] = 7;
        assert_eq!((aside.bytes()[0], aside.bytes()[ASIDE - 1]), (0, 7));
        assert!(aside.bytes().as_ptr().addr().is_multiple_of(LINE));
    }

    struct Streams<'a>(&'a [u8], &'a mut [u8]);
    impl Body for Streams<'_> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            I::stream(self.0, self.1);
        }
    }

    #[test]
    fn every_level_streams_lines_and_copies_what_is_none() {
        let from: Vec<u8> = (0..=255).collect();
        for level in Level::all() {
            for start in [0, 1, 16, 32, 64] {
                for len in [64, 128, 100] {
                    let mut to = vec![0; 512];
                    let first = to.as_ptr().align_offset(LINE) + start;
                    at(level, Streams(&from[..len], &mut to[first..first + len]));
                    store_fence();
                    assert_eq!(to[first..first + len], from[..len], "{level:?} {start} {len}");
                    assert_eq!(
                        to.iter().filter(|&&byte| byte != 0).count(),
                        len - 1,
                        "{level:?} {start} {len}"
                    );
                }
            }
        }
    }
}
