//! Memory that several threads write, each its own part.

#![allow(unsafe_code, reason = "disjoint parts of one buffer are written by several threads")]

use std::marker::PhantomData;
use std::ops::Range;

use super::threads::{Claim, share};

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

/// Has the threads write all of `out`, in pieces of so many bytes, of which the last may be shorter. `work` is called by
/// each thread that takes part, with the pieces that it gets.
pub(crate) fn share_pieces(out: &mut [u8], bytes: usize, work: impl Fn(Pieces<'_>) + Sync) {
    let (parts, target) = (out.len().div_ceil(bytes), &Target::new(out));
    share(parts, &|claim| work(Pieces { target, bytes, claim }));
}

/// The pieces that one thread gets, with their numbers.
pub(crate) struct Pieces<'a> {
    target: &'a Target<'a>,
    /// The bytes of a piece.
    bytes: usize,
    claim: &'a Claim<'a>,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = (usize, &'a mut [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.claim.next()?;
        let first = number * self.bytes;
        // SAFETY: pieces of different numbers do not overlap, and each number is claimed once.
        Some((number, unsafe { self.target.part(first..self.target.len.min(first + self.bytes)) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_in_one_piece() {
        for len in [0, 1, 6, 7, 8, 3000] {
            let mut out = vec![0; len];
            share_pieces(&mut out, 7, |pieces| {
                for (number, piece) in pieces {
                    assert_eq!(piece.len(), 7.min(len - 7 * number));
                    piece.iter_mut().for_each(|byte| *byte += 1);
                }
            });
            assert!(out.iter().all(|&times| times == 1), "{len} bytes");
        }
    }
}
