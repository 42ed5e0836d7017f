//! Which way an operand is read, by how it lies along the result.

use super::Reading;
use super::across::{Across, Panels};
use crate::engine::grid::is_long;
use crate::engine::pattern::{Pattern, is_in_blocks, is_in_rows, pattern};
use crate::engine::walk::{Axis, Walk};

/// The ways to read an operand.
pub(super) enum Kind {
    /// One behind the other.
    Dense,
    /// Long rows of this length, one behind the other.
    Rows(usize),
    /// Long rows of this length, each of one element. The buffer holds the one at this position, so many times.
    Steady(usize, Option<(isize, usize)>),
    /// A short block again and again; the buffer is a row that begins with it, or one of it and a tile more, or a block
    /// of the kernels.
    Pattern(Pattern),
    /// Across the order of memory.
    Across(Across),
    Other,
}

impl Kind {
    /// The way that moves least.
    pub(super) fn of(reading: Reading<'_>) -> Kind {
        let Reading { walk, tile, row, by_rows, size, panels, .. } = reading;
        if walk.is_constant() {
            return Kind::Steady(usize::MAX, None);
        }
        if walk.is_dense() {
            return Kind::Dense;
        }
        let inner = walk.inner();
        let in_rows = (by_rows || row >= tile / 2) && inner.extent.is_multiple_of(row);
        if inner.stride == 1 && in_rows {
            // Even if it is repeated: no tile goes over its end.
            return Kind::Rows(inner.extent);
        }
        if let Some((block, times)) = pattern(walk) {
            let row = if by_rows && row <= tile && is_in_rows(block, row) { row } else { 0 };
            return Kind::Pattern(Pattern::new(block, times, row));
        }
        if inner.stride == 1 && inner.extent >= tile {
            return Kind::Rows(inner.extent);
        }
        if inner.stride == 0 && (inner.extent >= tile / 4 || by_rows && in_rows) {
            return Kind::Steady(inner.extent, None);
        }
        match panels.filter(|panels| Panels::of(walk) == Some(*panels)) {
            Some(panels) => Kind::Across(Across::new(panels, size)),
            None => Kind::Other,
        }
    }
}

/// Whether tiles of it, in rows of this length, need no dense copy: slices of memory, or one short block.
pub(crate) fn is_direct(walk: &Walk, row: usize) -> bool {
    let Axis { extent, stride } = walk.inner();
    walk.is_dense()
        || walk.is_constant()
        || is_long(walk) && stride >= 0 && extent.is_multiple_of(row)
        || pattern(walk).is_some_and(|(block, _)| is_in_blocks(block) || is_in_rows(block, row))
}

/// Whether kernels see only one block of it, repeated, or one element.
pub(crate) fn is_in_every_block(walk: &Walk) -> bool {
    walk.is_constant() || pattern(walk).is_some_and(|(block, _)| is_in_blocks(block))
}

/// Whether it goes along memory in long rows that are read where they lie.
pub(crate) fn is_rows(walk: &Walk) -> bool {
    walk.inner().stride == 1 && is_long(walk) && !is_pattern(walk)
}

/// Whether a short block is repeated.
pub(crate) fn is_pattern(walk: &Walk) -> bool {
    pattern(walk).is_some()
}
