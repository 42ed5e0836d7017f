//! Loaders: where broadcasting happens. A loader makes any tile of an operand dense, so that kernels never see a
//! stride but that from row to row; often without moving anything.
//!
//! | the operand, along the result | the loader |
//! |---|---|
//! | one behind the other | a slice of its memory |
//! | always the same, or in each of its long rows | that element, which kernels take for as many |
//! | long rows, one behind the other | a slice each |
//! | a short block again and again | a block of the kernels for each row; or a row that begins with it, made once, for tiles of such rows; or the block and one tile more, of which every tile is a slice |
//! | rows across the order of memory | blocks as wide as a few lines of the cache, read along memory |
//! | many short loops, or anything else | looked up or gathered |

mod across;
mod kind;

use super::gather::gather_bytes;
use super::grid::{Apart, Span};
use super::nest::Nest;
use super::past::Repeated;
use super::pattern::is_in_blocks;
use super::repeat::{splat_bytes, spread};
use super::walk::{Axis, Place, Position, Walk};
use crate::buffer::{MemoryError, Scratch};
use crate::kernel::{Along, BLOCK};
use crate::simd::{LINE, prefetch, stream};
pub(crate) use across::{CROSS, PANEL, Panels};
use kind::Kind;
pub(super) use kind::{is_direct, is_in_every_block, is_pattern, is_rows};

/// Rows of so many bytes are asked for before they are read, if several elements lie in a line of the cache.
const FETCHED: usize = 1024;

/// What is read, and how.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// The memory; it begins on a multiple of the element's size, up to 8.
    pub(crate) bytes: &'a [u8],
    /// The bytes of an element.
    pub(crate) size: usize,
    pub(crate) walk: &'a Walk,
    /// The most elements of a tile.
    pub(crate) tile: usize,
    /// The length of the rows that tiles are made of, or are parts of.
    pub(crate) row: usize,
    /// Whether those who read it take row after row.
    pub(crate) by_rows: bool,
    /// How the tiles follow one another, if not one behind the other.
    pub(crate) panels: Option<Panels>,
}

/// Makes tiles of an operand dense.
pub(crate) struct Loader<'a> {
    bytes: &'a [u8],
    /// The bytes of an element.
    size: usize,
    walk: &'a Walk,
    place: Place,
    tile: usize,
    by_rows: bool,
    kind: Kind,
    /// The walk's short loops, where they are gathered.
    nest: Option<Nest>,
    /// How its repeated elements are streamed, if the walk has that form; found at first use.
    repeated: Option<Option<Repeated>>,
    /// Whether no element is read twice.
    once: bool,
    /// What was last made dense. It begins on a line of the cache, so that no vector of a kernel lies in two.
    buffer: Scratch,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(reading: Reading<'a>) -> Result<Loader<'a>, MemoryError> {
        let Reading { bytes, size, walk, tile, by_rows, .. } = reading;
        let kind = Kind::of(reading);
        let room = match &kind {
            Kind::Dense => 0,
            Kind::Pattern(pattern) => pattern.block + tile,
            Kind::Across(across) => across.room(tile),
            Kind::Rows(_) | Kind::Steady(..) | Kind::Other => tile,
        };
        let buffer = Scratch::take(room * size)?;
        let nest = if let Kind::Pattern(_) | Kind::Other = kind { Nest::of(walk, size) } else { None };
        let once = walk.is_once();
        let place = Place::new(walk);
        Ok(Loader { bytes, size, walk, place, tile, by_rows, kind, nest, repeated: None, once, buffer })
    }

    /// The elements of a tile from one on, as kernels read them: what repeats is there once, or as a block.
    #[inline]
    pub(crate) fn load(&mut self, from: usize, span: Span) -> Along<'_> {
        // Most are this, of which the rest need not be called.
        if let Kind::Dense = self.kind {
            return Along::run(self.slice(self.walk.start + from.cast_signed(), span.len));
        }
        if let Kind::Pattern(pattern) = &self.kind
            && span.columns == pattern.row
        {
            // Each row begins with the block, and so does the tile.
            return Along {
                width: span.columns * self.size,
                ..Along::run(self.elements(from, span.columns, BLOCK))
            };
        }
        if let Kind::Pattern(pattern) = &self.kind
            && self.by_rows
            && span.columns < span.len
            && span.columns == pattern.whole
            && is_in_blocks(pattern.block)
        {
            return self.blocks(from, span);
        }
        if let Some((first, step, width)) = self.rows(from, span) {
            return self.there(first, step, width);
        }
        Along::run(self.elements(from, span.len, BLOCK))
    }

    /// Rows that each repeat a block of their own, a constant step apart in memory: each filled up to [`BLOCK`] elements.
    fn blocks(&mut self, from: usize, Span { len, columns }: Span) -> Along<'_> {
        let Kind::Pattern(pattern) = &mut self.kind else { return Along::NONE };
        pattern.made = None;
        let Loader { bytes, walk, size, nest, buffer, .. } = self;
        let (size, block) = (*size, pattern.block);
        let first = walk.position(from);
        let step = walk.position(from + columns) - first;
        let is_run = (Axis { extent: block, stride: 1 }) == walk.inner();
        let width = BLOCK * size;
        let made = &mut buffer.bytes_mut()[..len / columns * width];
        for (row, made) in made.chunks_exact_mut(width).enumerate() {
            let one = &mut made[..block * size];
            if is_run {
                let position = first + row.cast_signed() * step;
                one.copy_from_slice(&bytes[position.cast_unsigned() * size..][..block * size]);
            } else {
                gather_bytes(size, bytes, walk, nest.as_ref(), from + row * columns, one);
            }
            spread(made, block * size);
        }
        Along { bytes: made, first: 0, step: width.cast_signed(), width }
    }

    /// The position of a tile's first row, the step to the next, and the width of each: all columns or one element. Of a tile
    /// within one row of the operand, that part of it.
    #[inline]
    fn rows(&mut self, from: usize, span: Span) -> Option<(Position, isize, usize)> {
        let Span { len, columns } = span;
        let (row, goes_on) = match self.kind {
            Kind::Rows(row) => (row, true),
            // Of one element a block is made once.
            Kind::Steady(row, _) if row < usize::MAX => (row, false),
            _ => return None,
        };
        if !self.by_rows {
            return None;
        }
        let at = self.place.find(self.walk, row, from);
        let position = self.place.position;
        if at + len <= row {
            // A part of one of its rows.
            return Some(if goes_on { (position + at.cast_signed(), 0, len) } else { (position, 0, 1) });
        }
        let step = self.walk.axes.iter().rev().nth(1)?.stride;
        (at == 0 && columns == row && len <= self.place.left(self.walk) * row).then_some((
            position,
            step,
            if goes_on { columns } else { 1 },
        ))
    }

    /// Rows a constant step apart, from an element on, as kernels read them; `None` if they had to be gathered.
    pub(crate) fn apart(&mut self, from: usize, all: Apart) -> Option<Along<'_>> {
        let Apart { rows, columns, step, whole } = all;
        match &mut self.kind {
            Kind::Dense => {
                Some(self.there(self.walk.start + from.cast_signed(), step.cast_signed(), columns))
            }
            Kind::Steady(usize::MAX, _) => Some(self.there(self.walk.start, 0, 1)),
            &mut (Kind::Rows(row) | Kind::Steady(row, _)) => self.along(row, from, all),
            Kind::Other => self.along(self.walk.inner().extent, from, all),
            Kind::Pattern(pattern) => {
                let is_alike = step.is_multiple_of(pattern.block)
                    && pattern.find(from, (rows - 1) * step + columns).is_some();
                let least = if whole { columns } else { BLOCK };
                is_alike.then(|| Along::run(self.elements(from, columns, least)))
            }
            Kind::Across(_) => None,
        }
    }

    /// The same, if each lies within one of the walk's rows of `row` elements.
    fn along(&mut self, row: usize, from: usize, all: Apart) -> Option<Along<'a>> {
        let Apart { rows, columns, step, .. } = all;
        let at = self.place.find(self.walk, row, from);
        let last = (rows - 1) * (step / row);
        if at + columns > row || rows > 1 && (!step.is_multiple_of(row) || last >= self.place.left(self.walk))
        {
            return None;
        }
        let around = self.walk.axes.iter().rev().nth(1).map_or(0, |axis| axis.stride);
        let further = around * (step / row).cast_signed();
        match self.walk.inner().stride {
            1 => Some(self.there(self.place.position + at.cast_signed(), further, columns)),
            0 => Some(self.there(self.place.position, further, 1)),
            _ => None,
        }
    }

    /// Rows in the operand's memory: the first position, the step between them, and their width in elements.
    fn there(&self, first: Position, step: isize, width: usize) -> Along<'a> {
        let size = self.size.cast_signed();
        let (first, step) = ((first * size).cast_unsigned(), step * size);
        Along { bytes: self.bytes, first, step, width: width * self.size }
    }

    /// All of the elements, contiguous.
    pub(crate) fn dense(&mut self, from: usize, len: usize) -> &[u8] {
        self.elements(from, len, len)
    }

    /// All of the elements, where they lie in memory one behind the other.
    pub(crate) fn memory(&self, from: usize, len: usize) -> Option<&'a [u8]> {
        let first = match self.kind {
            Kind::Dense => self.walk.start + from.cast_signed(),
            Kind::Rows(row) if from % row + len <= row => self.walk.position(from),
            _ => return None,
        };
        Some(self.slice(first, len))
    }

    /// Whether the hardware prefetcher does not follow it.
    pub(crate) fn is_turned(&self) -> bool {
        self.walk.is_turned()
    }

    /// Asks for elements that lie in long rows, some in each line of the cache; what is read again and again is near already.
    pub(crate) fn prefetch(&self, from: usize, len: usize) {
        let Axis { extent: row, stride } = self.walk.inner();
        let step = stride.unsigned_abs() * self.size;
        if !self.once || step > LINE / 4 || row.saturating_mul(step) < FETCHED {
            return;
        }
        let (mut at, end) = (from, from + len);
        while at < end {
            let in_row = (row - at % row).min(end - at);
            let first = self.walk.position(if stride < 0 { at + in_row - 1 } else { at });
            prefetch(self.slice(first, (in_row - 1) * stride.unsigned_abs() + 1));
            at += in_row;
        }
    }

    /// All of the elements, put somewhere.
    pub(crate) fn put(&mut self, from: usize, len: usize, into: &mut [u8]) {
        if let Kind::Rows(_) | Kind::Steady(..) | Kind::Other = self.kind {
            // Not by way of the buffer, and many rows at once.
            return gather_bytes(self.size, self.bytes, self.walk, self.nest.as_ref(), from, into);
        }
        into.copy_from_slice(self.dense(from, len));
    }

    /// All of the elements, put past the cache.
    pub(crate) fn put_past(&mut self, from: usize, len: usize, into: &mut [u8]) {
        if let Kind::Rows(_) | Kind::Steady(..) | Kind::Other = self.kind {
            let repeated = self.repeated.get_or_insert_with(|| Repeated::of(self.walk, self.size));
            if let Some(repeated) = repeated
                && repeated.write(self.bytes, self.walk, from, into)
            {
                return;
            }
        }
        stream(self.dense(from, len), into);
    }

    /// A slice of the memory.
    #[inline]
    fn slice(&self, position: Position, len: usize) -> &'a [u8] {
        &self.bytes[position.cast_unsigned() * self.size..][..len * self.size]
    }

    /// Elements of the buffer.
    #[inline]
    fn made(&self, from: usize, len: usize) -> &[u8] {
        &self.buffer.bytes()[from * self.size..][..len * self.size]
    }

    /// Any elements, into the buffer.
    fn gathered(&mut self, from: usize, len: usize) -> &[u8] {
        let run = &mut self.buffer.bytes_mut()[..len * self.size];
        gather_bytes(self.size, self.bytes, self.walk, self.nest.as_ref(), from, run);
        run
    }

    /// The elements; of one that is repeated, or of a short block, the first `least` will do.
    fn elements(&mut self, from: usize, len: usize, least: usize) -> &[u8] {
        match &mut self.kind {
            Kind::Dense => self.slice(self.walk.start + from.cast_signed(), len),
            Kind::Rows(row) => {
                let along = self.place.find(self.walk, *row, from);
                if along + len <= *row {
                    self.slice(self.place.position + along.cast_signed(), len)
                } else {
                    self.gathered(from, len)
                }
            }
            Kind::Steady(row, held) => {
                if self.place.find(self.walk, *row, from) + len > *row {
                    *held = None;
                    return self.gathered(from, len);
                }
                let position = self.place.position;
                if held.is_none_or(|(at, count)| at != position || count < least.min(len)) {
                    let count = least.min(self.tile);
                    *held = Some((position, count));
                    let element = &self.bytes[position.cast_unsigned() * self.size..][..self.size];
                    splat_bytes(element, &mut self.buffer.bytes_mut()[..count * self.size]);
                }
                self.made(0, least.min(len))
            }
            Kind::Pattern(pattern) => {
                let Some(along) = pattern.find(from, len) else {
                    // The buffer is no pattern any more.
                    pattern.made = None;
                    return self.gathered(from, len);
                };
                let block = pattern.block;
                let (len, most) =
                    if is_in_blocks(block) { (least.min(len), least) } else { (len, self.tile) };
                let end = along + len;
                let count = if pattern.row > 0 && end <= pattern.row {
                    pattern.row
                } else {
                    block + most.min(self.tile)
                };
                let count = count.min(pattern.whole);
                if pattern.made.is_none_or(|(first, made)| first != pattern.first || made < end) {
                    pattern.made = Some((pattern.first, count));
                    let size = self.size;
                    let made = &mut self.buffer.bytes_mut()[..count * size];
                    let one = &mut made[..block * size];
                    if (Axis { extent: block, stride: 1 }) == self.walk.inner() {
                        let from = self.walk.position(pattern.first).cast_unsigned() * size;
                        one.copy_from_slice(&self.bytes[from..from + block * size]);
                    } else {
                        gather_bytes(size, self.bytes, self.walk, self.nest.as_ref(), pattern.first, one);
                    }
                    spread(made, block * size);
                }
                self.made(along, len)
            }
            Kind::Across(_) => self.across(from, len),
            Kind::Other => self.gathered(from, len),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::grid::Grid;

    /// What a kernel sees of an argument, for so many elements in rows.
    fn seen(argument: Along<'_>, len: usize, columns: usize) -> Vec<u32> {
        let mut seen = vec![];
        let columns = if argument.width == 4 * len { len } else { columns };
        for row in 0..len / columns {
            let first = argument.first.wrapping_add_signed(row.cast_signed() * argument.step);
            let held = bytemuck::cast_slice::<u8, u32>(&argument.bytes[first..first + argument.width]);
            assert!([1, BLOCK, columns].contains(&held.len()));
            seen.extend(held.iter().cycle().take(columns));
        }
        seen
    }

    /// Every way of reading, forwards, over the ends of rows, and back again to what was made before.
    #[test]
    fn tiles_in_any_order() {
        let source: Vec<u32> = (0..9000).collect();
        let axes: [&[(usize, isize)]; 12] = [
            &[(4000, 1)],
            &[(3, 900), (700, 1)],
            &[(5, 7), (600, 0)],
            &[(3, 40), (200, 0), (4, 1)],
            &[(2, 3000), (300, 0), (3, 2)],
            &[(50, 1), (40, 50)],
            &[(30, 150), (100, 1)],
            &[(6, 1), (5, 300), (90, 1)],
            &[(12, -90), (80, 1)],
            &[(7, 1), (8, -70), (64, 0)],
            &[(3, 900), (4, 40), (200, 0), (4, 1)],
            &[(5, -60), (160, 0), (2, 3), (2, 1)],
        ];
        for (axes, tile) in axes.into_iter().flat_map(|axes| [(axes, 512), (axes, 2048)]) {
            let (extents, strides) = (axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1));
            let walk = Walk::new(extents.clone(), strides, 2000);
            let elements: usize = extents.product();
            let bytes = bytemuck::cast_slice(&source);
            let grid = Grid::of([(&walk, true)].into_iter(), elements);
            let repeating = grid.repeating([&walk].into_iter(), elements, [tile / 2; 2]);
            let reading =
                |row, by_rows| Reading { bytes, size: 4, walk: &walk, tile, row, by_rows, panels: None };
            let mut loader = Loader::new(reading(usize::MAX, false)).unwrap();
            let row = grid.row.min(elements / 2);
            for (grid, mut by_rows) in
                [grid, repeating].map(|grid| (grid, Loader::new(reading(grid.row, true)).unwrap()))
            {
                let short = if grid.row < tile { grid.row } else { 5 };
                let ends = [
                    0,
                    row - 5,
                    row.saturating_sub(200),
                    3,
                    row - 1,
                    row,
                    0,
                    2 * short,
                    row + 7,
                    elements - 100,
                ];
                for from in ends.map(|from| from.min(elements - 1)) {
                    for len in [100, 7, 3 * row, short, 2 * short] {
                        let len = len.min(elements - from).min(tile);
                        let expected: Vec<u32> =
                            (from..from + len).map(|at| source[walk.position(at).cast_unsigned()]).collect();
                        let place = format!("{axes:?} {tile} {grid:?} {from} {len}");
                        assert_eq!(
                            bytemuck::cast_slice::<u8, u32>(loader.dense(from, len)),
                            expected,
                            "{place}"
                        );
                        assert_eq!(
                            seen(loader.load(from, Span { len, columns: len }), len, len),
                            expected,
                            "{place}"
                        );
                        let span = grid.span(from, len);
                        assert_eq!(seen(by_rows.load(from, span), len, span.columns), expected, "{place}");
                    }
                }
            }
        }
    }
}
