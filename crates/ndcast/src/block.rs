//! One block of memory: asked for, looked at and given back; and what somebody else promises who lends his.
//! Everything else about memory is safe code.

#![allow(unsafe_code, reason = "memory is asked for, viewed and given back here")]

use std::alloc::{alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Where every block begins: on a line of the cache, which is the widest vector too.
pub const ALIGNMENT: usize = 64;
/// Blocks from this size on have a mapping of their own.
pub(crate) const LARGE: usize = 4 << 20;
/// The size of a huge page.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// Whoever lends memory, and keeps it as long as this value lives. It may be written by others, but not while something
/// is computed; it is never written here.
///
/// # Safety
/// Every call of `bytes` gives the same slice, its bytes are initialised, and nobody writes them while a reference to them is used.
pub unsafe trait Lender: std::fmt::Debug + Send + Sync {
    /// All bytes that are lent.
    fn bytes(&self) -> &[u8];
}

/// Memory that is this value's own, and given back with it.
#[derive(Debug)]
pub(crate) struct Block {
    start: NonNull<u8>,
    /// Never 0.
    size: usize,
}

// SAFETY: a block is the only owner of its memory, and memory belongs to no thread.
unsafe impl Send for Block {}
// SAFETY: through a shared block nothing can be written.
unsafe impl Sync for Block {}

impl Block {
    /// A zeroed block; `None` if the system has no more, or if it is of no bytes. A size from [`LARGE`] on is whole huge
    /// pages.
    pub(crate) fn new(size: usize) -> Option<Block> {
        let start = match size {
            0 => return None,
            _ if is_mapped(size) => map(size)?,
            _ => {
                // SAFETY: the size is not 0.
                NonNull::new(unsafe { alloc_zeroed(heap_layout(size)?) })?
            }
        };
        Some(Block { start, size })
    }

    /// How many bytes it has.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the block has so many bytes, all initialised when it was made. While the slice lives the block is
        // borrowed, so nobody writes or frees them.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.size) }
    }

    /// Its bytes, to be written.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; and the block is its memory's only owner and is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.size) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if is_mapped(self.size) {
            unmap(self.start, self.size);
        } else if let Some(layout) = heap_layout(self.size) {
            // SAFETY: it came from `alloc_zeroed` with this layout, and nobody else has it.
            unsafe { dealloc(self.start.as_ptr(), layout) };
        }
    }
}

fn heap_layout(size: usize) -> Option<std::alloc::Layout> {
    std::alloc::Layout::from_size_align(size, ALIGNMENT).ok()
}

fn is_mapped(size: usize) -> bool {
    cfg!(target_os = "linux") && size >= LARGE
}

/// A mapping of its own that begins on a huge page.
#[cfg(target_os = "linux")]
fn map(size: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};
    if !size.is_multiple_of(HUGE_PAGE) {
        return None;
    }
    let whole = size.checked_add(HUGE_PAGE)?;
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new anonymous mapping anywhere overlaps nothing.
    let base = unsafe { mmap_anonymous(std::ptr::null_mut(), whole, access, MapFlags::PRIVATE) }.ok()?;
    let before = base.addr().next_multiple_of(HUGE_PAGE) - base.addr();
    let start = base.wrapping_byte_add(before);
    let after = start.wrapping_byte_add(size);
    // SAFETY: both ends lie in the mapping just made, outside the part that is kept; they are whole pages, because
    // the size and the page on which it begins are multiples of huge ones. What cannot be given back, because there would be
    // too many mappings, is address space that nobody touches.
    unsafe {
        if before > 0 {
            let _ = munmap(base, before);
        }
        if HUGE_PAGE > before {
            let _ = munmap(after, HUGE_PAGE - before);
        }
    }
    // SAFETY: the range is this mapping's own; the advice changes no contents. It may be refused without harm.
    let _ = unsafe { madvise(start, size, Advice::LinuxHugepage) };
    NonNull::new(start.cast())
}

#[cfg(target_os = "linux")]
fn unmap(start: NonNull<u8>, size: usize) {
    // SAFETY: `map` made exactly this range, and its block was its only owner. It may fail where a hole would make too many
    // mappings; then the memory is lost, which is no reason to end.
    let _ = unsafe { rustix::mm::munmap(start.as_ptr().cast(), size) };
}

#[cfg(not(target_os = "linux"))]
fn map(_: usize) -> Option<NonNull<u8>> {
    None
}

#[cfg(not(target_os = "linux"))]
fn unmap(_: NonNull<u8>, _: usize) {}
