//! Memory that several threads write, each its own part, and stores past the cache.

#![allow(unsafe_code, reason = "disjoint parts of one buffer are written by several threads")]

use std::marker::PhantomData;
use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use crate::simd::Level;

/// The bytes of a line of the cache.
pub(super) const LINE: usize = 64;

/// Bytes that are written in parts.
pub(crate) struct Target<'a> {
    start: *mut u8,
    len: usize,
    borrowed: PhantomData<&'a mut [u8]>,
}

// SAFETY: a target is a `&mut [u8]` of which each part is written by one thread; see `part`.
unsafe impl Send for Target<'_> {}
// SAFETY: as above.
unsafe impl Sync for Target<'_> {}

impl<'a> Target<'a> {
    pub(crate) fn new(bytes: &'a mut [u8]) -> Target<'a> {
        Target { start: bytes.as_mut_ptr(), len: bytes.len(), borrowed: PhantomData }
    }

    /// Where it begins.
    pub(crate) fn start(&self) -> *mut u8 {
        self.start
    }

    /// Asks for memory that will be written soon, as [`fetch`] does for what will be read.
    pub(crate) fn fetch(&self, range: Range<usize>) {
        #[cfg(target_arch = "x86_64")]
        for line in (range.start..range.end.min(self.len)).step_by(LINE) {
            // SAFETY: nothing is read or written; a processor that does not know the instruction does nothing.
            unsafe {
                std::arch::asm!("prefetchw [{}]", in(reg) self.start.wrapping_add(line), options(nostack, preserves_flags));
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = range;
    }

    /// A part of it.
    ///
    /// # Safety
    /// While the part lives, nobody else has a part that overlaps it.
    #[allow(clippy::mut_from_ref, reason = "that is what the promise is for")]
    pub(crate) unsafe fn part(&self, range: Range<usize>) -> &mut [u8] {
        assert!(range.start <= range.end && range.end <= self.len, "a part outside its buffer");
        // SAFETY: the range lies in the borrowed bytes, and by the promise nobody else has it.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }
}

/// Copies bytes past the cache, which a result that does not fit into it would only sweep out. Both slices have the
/// same length.
#[cfg(target_arch = "x86_64")]
pub(crate) fn stream(to: &mut [u8], from: &[u8]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    const STEP: usize = size_of::<__m128i>();
    let before = to.as_ptr().align_offset(LINE).min(to.len());
    let after = before + (to.len() - before) / LINE * LINE;
    to[..before].copy_from_slice(&from[..before]);
    let (middle_to, middle_from) = (&mut to[before..after], &from[before..after]);
    if Level::best() == Level::Avx512 {
        // SAFETY: the processor was just asked, and what is written is whole lines of the cache.
        unsafe { stream_lines(middle_to, middle_from) };
    } else {
        for (to, from) in middle_to.chunks_exact_mut(STEP).zip(middle_from.chunks_exact(STEP)) {
            // SAFETY: both chunks have 16 bytes, and the one written begins on a multiple of 16. SSE2 is in the
            // baseline.
            unsafe { _mm_stream_si128(to.as_mut_ptr().cast(), _mm_loadu_si128(from.as_ptr().cast())) };
        }
    }
    to[after..].copy_from_slice(&from[after..]);
}

/// As [`stream`], of whole lines of the cache, a line at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn stream_lines(to: &mut [u8], from: &[u8]) {
    use std::arch::x86_64::{_mm512_loadu_si512, _mm512_stream_si512};
    for (to, from) in to.chunks_exact_mut(LINE).zip(from.chunks_exact(LINE)) {
        // SAFETY: both chunks have 64 bytes, and the caller begins on a multiple of 64.
        unsafe { _mm512_stream_si512(to.as_mut_ptr().cast(), _mm512_loadu_si512(from.as_ptr().cast())) };
    }
}

/// Copies bytes; where there are no stores past the cache.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn stream(to: &mut [u8], from: &[u8]) {
    to.copy_from_slice(from);
}

/// From so many bytes on that are read in pieces that lie apart, and so in an order that the processor does not foresee,
/// they have to come from memory, and are better asked for a piece ahead.
const FAR: usize = 20 << 20;

/// Whether so many bytes are that many. Along a piece the processor itself looks ahead, and to ask would only cost.
pub(crate) fn is_far(read: usize) -> bool {
    read >= FAR
}

/// Asks for memory that will be read soon, so that it comes while something else is computed.
pub(crate) fn fetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it reads nothing, and SSE is in the baseline.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// Makes what was streamed visible to other threads before what follows.
pub(crate) fn settle() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is in the baseline.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_any_part() {
        let from: Vec<u8> = (0..=255).collect();
        for start in 0..20 {
            for len in [0, 1, 15, 16, 17, 64, 200] {
                let mut to = vec![0; 256];
                stream(&mut to[start..start + len], &from[start + 3..start + 3 + len]);
                settle();
                assert_eq!(to[start..start + len], from[start + 3..start + 3 + len]);
                assert!(to[..start].iter().chain(&to[start + len..]).all(|&byte| byte == 0));
            }
        }
    }
}
