//! Memory that several threads write, each its own part.

#![allow(unsafe_code, reason = "disjoint parts of one buffer are written by several threads")]

use std::marker::PhantomData;
use std::ops::Range;

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
