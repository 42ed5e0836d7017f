//! Elements of which only the size matters: what moves them is compiled once for each size, not for each type.

use bytemuck::{Pod, cast_slice};

/// A move of elements that are plain words.
pub(super) trait Moved {
    /// Moves words of this type.
    fn of<W: Pod>(self);
}

/// Moves elements of 1, 2, 4, 8 or 16 bytes.
#[inline]
pub(super) fn by_size(size: usize, moved: impl Moved) {
    match size {
        1 => moved.of::<u8>(),
        2 => moved.of::<u16>(),
        4 => moved.of::<u32>(),
        8 => moved.of::<u64>(),
        _ => moved.of::<[u64; 2]>(),
    }
}

/// Bytes as words: an allocation's last bytes need not be a whole one.
pub(super) fn whole<W: Pod>(bytes: &[u8]) -> &[W] {
    cast_slice(&bytes[..bytes.len() - bytes.len() % size_of::<W>()])
}
