//! Reading of rows that lie across the order of memory: in blocks, as wide as a few lines of the cache.

use super::super::gather::stretches;
use super::super::transpose::{Corner, is_along, transpose_bytes};
use super::super::walk::{Axis, Walk};
use super::{Kind, Loader};

/// From this length on rows across the order of memory are read in blocks.
const ACROSS: usize = 256;

/// One panel has so many steps of the cross axis: the elements of a line of the cache, of any size.
pub(crate) const CROSS: usize = 64;
/// And tiles of at most so many elements, so that a block of them stays in the nearer caches.
pub(crate) const PANEL: usize = 1024;
/// A panel reads so many bytes along memory at a time: two lines of the cache, which come together. With more, what is made of
/// them leaves the nearest caches before it is read again.
const ALONG: usize = 128;

/// Reading of rows across the order of memory: a block is as many of the `cross` axis's steps as a few lines of the cache
/// have elements, times a tile of the rows.
pub(super) struct Across {
    panels: Panels,
    /// How many steps of the cross axis a block has.
    width: usize,
    /// The first element and the length of the rows of the block in the buffer, and how many rows it has.
    block: Option<(usize, usize, usize)>,
}

/// How a result is walked through so that an operand across the order of memory is read in blocks: in panels, that is
/// a tile of the innermost axis for all of a few steps of a second axis, and only then on. Short axes that follow one another
/// are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panels {
    /// The extent of the innermost axis.
    pub(crate) inner: usize,
    /// How many elements of the result lie between two steps of the cross axis.
    pub(crate) step: usize,
    /// The extent of the cross axis.
    pub(crate) cross: usize,
    /// What a step along the cross axis adds to the position in the operand.
    pub(crate) stride: isize,
}

impl Across {
    pub(super) fn new(panels: Panels, size: usize) -> Across {
        Across { panels, width: (ALONG / size).min(CROSS), block: None }
    }

    /// The elements that the buffer has room for. Behind the last row there is as much as between two.
    pub(super) fn room(&self, tile: usize) -> usize {
        (self.width + 1) * self.pitch(tile)
    }

    /// The elements from one row of a block to the next: not a power of 2, or all rows would want the same lines of
    /// the cache.
    fn pitch(&self, tile: usize) -> usize {
        tile + self.width
    }
}

impl Panels {
    /// How a walk should be read, if it goes across the order of memory.
    pub(crate) fn of(walk: &Walk) -> Option<Panels> {
        if walk.inner().stride.unsigned_abs() < 8 {
            return None;
        }
        let cross = walk.axes.iter().rposition(|axis| is_along(axis.stride) && axis.extent >= 4)?;
        let mut inner = 1;
        for axis in walk.axes[cross + 1..].iter().rev().take_while(|axis| axis.stride != 0) {
            inner *= axis.extent;
            if inner >= PANEL {
                break;
            }
        }
        if inner < ACROSS {
            return None;
        }
        let step = walk.axes[cross + 1..].iter().map(|axis| axis.extent).product();
        let Axis { extent: cross, stride } = walk.axes[cross];
        Some(Panels { inner, step, cross, stride })
    }
}

impl Loader<'_> {
    /// A piece of a row, from the block that holds it.
    pub(super) fn across(&mut self, from: usize, len: usize) -> &[u8] {
        let tile = self.tile;
        let Kind::Across(across) = &mut self.kind else { return &[] };
        let pitch = across.pitch(tile);
        let (Panels { inner, step, cross, stride }, width) = (across.panels, across.width);
        if from % inner + len > inner {
            across.block = None;
            return self.gathered(from, len);
        }
        let row = from / step % cross;
        let first_row = row - row % width;
        let first = from - (row - first_row) * step;
        let rows = width.min(cross - first_row);
        if across.block != Some((first, len, rows)) {
            across.block = Some((first, len, rows));
            let (bytes, size, buffer) = (self.bytes, self.size, self.buffer.bytes_mut());
            stretches(self.walk, first, len, |at, position, columns, along| {
                let (corner, _) = Corner { position, stride, along }.forwards(rows);
                transpose_bytes(size, bytes, corner, [rows, columns, pitch], &mut buffer[at * size..]);
            });
        }
        let row = if stride < 0 { first_row + rows - 1 - row } else { row - first_row };
        self.made(row * pitch, len)
    }
}
