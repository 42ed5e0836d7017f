//! Runs a job for every element of a result: in tiles, by all threads, into memory.

use std::sync::{Mutex, PoisonError};

use bytemuck::cast_slice_mut;

use super::cache::{cached, is_far};
use super::gather::{gather_bytes, scatter_bytes};
use super::grid::Grid;
use super::job::{By, Job, RUN};
use super::load::{CROSS, PANEL, Panels};
use super::nest::Nest;
use super::target::Target;
use super::threads::{share, threads};
use super::tile::Tiles;
use super::walk::Walk;
use crate::buffer::MemoryError;
use crate::kernel::BLOCK;
use crate::simd::{LINE, Stores, store_fence, stream};

/// The fewest and the most bytes of a part that a thread claims, of its widest operand or the result. At the end of a part
/// memory is waited for.
const PART: [usize; 2] = [128 << 10, 1 << 20];
/// The parts for each thread, if they are not too short, so that none waits long for the others at the end.
const PARTS: usize = 8;
/// Work of less than this many element operations is done by one thread.
const SHARE: usize = 1 << 16;

/// Where the elements of a result go.
pub(crate) struct Out<'a> {
    pub(crate) bytes: &'a mut [u8],
    /// The bytes of an element.
    pub(crate) size: usize,
    /// Where the elements are. No two are one; the strides are positive, and each loop lies within a step of the one
    /// around it, so that positions only grow.
    pub(crate) walk: Walk,
    /// The bytes of the whole result, of which this may be a part.
    pub(crate) whole: usize,
}

/// Computes every element of a result.
///
/// # Errors
/// If there is not enough memory; then nothing is written.
pub(crate) fn map(job: &Job<'_>, out: Out<'_>) -> Result<(), MemoryError> {
    if job.elements == 0 {
        return Ok(());
    }
    let Out { bytes, size, walk, whole } = out;
    let way = Way::of(job, &walk, size, whole);
    let store = Storing {
        way: &way,
        reads_before: job.reads_before(),
        in_place: job.changes_in_place(),
        size,
        walk: &walk,
        target: Target::new(bytes),
    };
    // The caller has its memory before anything is written: an array is changed in place as a whole, or not at all.
    let own = Mutex::new(way.tiles(job)?);
    let asks_ahead =
        way.panels.is_none() && is_far(job.read()) && job.operands.iter().any(|one| one.walk.is_turned());
    share(way.order.parts, &|claim| {
        let (mut callers, mut helpers);
        let tiles = if claim.is_callers() {
            callers = own.lock().unwrap_or_else(PoisonError::into_inner);
            &mut *callers
        } else {
            // If there is no memory for one, the others do the work.
            let Ok(tiles) = way.tiles(job) else { return };
            helpers = tiles;
            &mut helpers
        };
        let mut held = vec![];
        while let Some(part) = claim.next() {
            way.order.tiles(part, |from, len| {
                if asks_ahead {
                    tiles.prefetch_turned(from + len, len.min(job.elements - from - len));
                }
                store.tile(tiles, &mut held, from, len);
            });
        }
        store_fence();
    });
    Ok(())
}

/// In which way a result is made.
struct Way {
    /// Its rows and columns, if operands are read across it.
    panels: Option<Panels>,
    /// What kernels are given at a time.
    grid: Grid,
    /// The most elements of a tile.
    tile: usize,
    order: Order,
    /// Whether its elements lie one behind the other.
    dense: bool,
    stores: Stores,
    /// Whether rows are whole lines of the cache.
    ends_on_lines: bool,
    /// Whether rows are long but not whole lines: then a tile is a part of one, written in place by its only kernel.
    in_long_rows: bool,
}

impl Way {
    fn of(job: &Job<'_>, walk: &Walk, size: usize, whole: usize) -> Way {
        let (panels, dense) = (job.panels(), walk.is_dense());
        // A small result is better kept for who reads it.
        let is_large = || moved(job, size, whole) >= cached() && whole >= cached() / 4;
        let streams = dense && !job.reads_before() && is_large();
        let stores = if streams { Stores::Streamed } else { Stores::Cached };
        let ends_on_lines = |grid: Grid| grid.row == usize::MAX || (grid.row * size).is_multiple_of(LINE);
        let grid = match (panels, job.rows()) {
            (Some(_), _) => job.grid(),
            // Lines of the cache are written past it as a whole: rather than to cut them, what is repeated is made straight on.
            (None, rows) if streams && !ends_on_lines(rows) && ends_on_lines(job.grid()) => job.grid(),
            (None, rows) => rows,
        };
        let (ends_on_lines, part) = (ends_on_lines(grid), part(job, size));
        // What is written in long pieces that lie apart is written piece by piece.
        let inner = walk.inner();
        let by_pieces = !dense && panels.is_none() && inner.stride == 1 && inner.extent >= RUN;
        let piece = if by_pieces { inner.extent } else { usize::MAX };
        let cuts = Grid { row: grid.row.min(piece), cut: grid.cut.min(piece) };
        let is_direct = panels.is_none() && job.is_direct(grid);
        let in_long_rows = streams && !ends_on_lines && is_direct && grid.row >= job.tile();
        let is_put_there = (dense || by_pieces)
            && (!job.reads_before() || job.changes_in_place())
            && (!streams || ends_on_lines || in_long_rows);
        let tile = match panels {
            Some(_) => job.tile().min(PANEL),
            None if is_put_there && is_direct => {
                let most = job.direct_tile().min(part).min(job.elements);
                if in_long_rows { most.min(grid.row) } else { most }
            }
            None => job.tile(),
        };
        let order = Order::new(job.elements, tile, cuts, panels, part);
        Way { panels, grid, tile, order, dense, stores, ends_on_lines, in_long_rows }
    }

    /// The memory of one thread.
    fn tiles<'a>(&self, job: &'a Job<'a>) -> Result<Tiles<'a>, MemoryError> {
        Tiles::new(job, self.tile, self.grid, self.panels)
    }
}

/// The elements of a part that a thread claims.
fn part(job: &Job<'_>, size: usize) -> usize {
    // To move an element of several words takes as long as several operations.
    let work = job.elements.saturating_mul((job.steps.len() + 1).max(size / 4));
    if work < SHARE || job.by == By::Caller {
        return usize::MAX;
    }
    let widest = job.operands.iter().map(|operand| operand.size).chain([size]).max().unwrap_or(size);
    let part = (job.elements / (PARTS * threads())).clamp(PART[0] / widest, PART[1] / widest);
    part.next_multiple_of(BLOCK)
}

/// The bytes that are read and written for the whole result, of which the job may be for a part.
fn moved(job: &Job<'_>, size: usize, whole: usize) -> usize {
    whole.saturating_add(job.touched().saturating_mul(whole / (job.elements * size)))
}

/// In which order the tiles of a result are computed, and how they are parted among threads.
struct Order {
    elements: usize,
    /// The most elements of a tile.
    tile: usize,
    /// Tiles are whole rows of this length, or parts of one.
    row: usize,
    /// Tiles do not go over a multiple of this.
    cut: usize,
    panels: Option<Panels>,
    /// The elements of a part; with panels, how many panels it has.
    part: usize,
    parts: usize,
}

impl Order {
    fn new(elements: usize, tile: usize, grid: Grid, panels: Option<Panels>, part: usize) -> Order {
        let Grid { row, cut } = grid;
        // Equal parts of each row, or as equal numbers of rows as there can be. A part is whole tiles, so that none is shorter,
        // no kernel has a rest but at the end of a row, and what begins on a line of the cache goes on so.
        let (unit, units, most, cut) = if tile < row {
            (1, row, tile, row)
        } else {
            (row, (cut.min(elements) / row).max(1), tile / row, cut)
        };
        let tile = match units.div_ceil(units.div_ceil(most)) {
            _ if row == usize::MAX => tile,
            equal if unit == 1 => equal.next_multiple_of(BLOCK),
            equal => unit * equal,
        };
        let order = |part, units: usize| {
            let parts = units.div_ceil(part);
            Order { elements, tile, row, cut, panels, part, parts }
        };
        match panels {
            None => order(if part < elements { (part / tile).max(1) * tile } else { elements }, elements),
            Some(panels) => {
                let units = panels.blocks(elements) * panels.inner.div_ceil(tile);
                order((part / (tile * CROSS.min(panels.cross))).clamp(1, units), units)
            }
        }
    }

    /// The tiles of one part: the first element of each, and how many there are.
    fn tiles(&self, part: usize, mut each: impl FnMut(usize, usize)) {
        let Some(panels) = self.panels else {
            let end = self.elements.min((part + 1) * self.part);
            let mut from = part * self.part;
            let mut along = from % self.cut;
            while from < end {
                let len = self.tile.min(end - from).min(self.cut - along);
                // The end need not be that of a row.
                let len = if len > self.row { len - len % self.row } else { len };
                each(from, len);
                from += len;
                along = if along + len < self.cut { along + len } else { 0 };
            }
            return;
        };
        let in_row = panels.inner.div_ceil(self.tile);
        let units = panels.blocks(self.elements) * in_row;
        for unit in part * self.part..units.min((part + 1) * self.part) {
            let (block, column) = (unit / in_row, unit % in_row * self.tile);
            let (first, rows) = panels.block(block);
            for row in 0..rows {
                each(first + row * panels.step + column, self.tile.min(panels.inner - column));
            }
        }
    }
}

impl Panels {
    /// How many blocks of rows there are: [`CROSS`] steps of the cross axis each, for every step of the others.
    fn blocks(self, elements: usize) -> usize {
        elements / (self.inner * self.cross) * self.cross.div_ceil(CROSS)
    }

    /// The first element of a block, and how many rows it has.
    fn block(self, block: usize) -> (usize, usize) {
        let in_cross = self.cross.div_ceil(CROSS);
        let (other, cross) = (block / in_cross, block % in_cross * CROSS);
        // The other axes: those between the cross axis and the innermost one, and those around the cross axis.
        let between = self.step / self.inner;
        let first =
            other / between * self.step * self.cross + other % between * self.inner + cross * self.step;
        (first, CROSS.min(self.cross - cross))
    }
}

/// How tiles are stored.
struct Storing<'a> {
    way: &'a Way,
    target: Target<'a>,
    walk: &'a Walk,
    size: usize,
    reads_before: bool,
    /// Whether what was there before may stay there until the last kernel reads it.
    in_place: bool,
}

impl Storing<'_> {
    fn tile(&self, tiles: &mut Tiles<'_>, held: &mut Vec<u64>, from: usize, len: usize) {
        let (first, last) = if self.way.dense {
            let first = self.walk.start.cast_unsigned() + from;
            (first, first + len)
        } else {
            let last = self.walk.position(from + len - 1).cast_unsigned();
            (self.walk.position(from).cast_unsigned(), last + 1)
        };
        // SAFETY: positions only grow with the elements, and each element is in one tile of one part, which one
        // thread has: so the range between this tile's first and last position is this thread's alone.
        #[allow(unsafe_code, reason = "see there")]
        let part = unsafe { self.target.part(first * self.size..last * self.size) };
        let bytes = len * self.size;
        // Positions only grow, so what has no gaps lies one behind the other.
        let straight = self.way.dense || last - first == len;
        let copied = self.reads_before && !(straight && self.in_place);
        if copied {
            held.resize(bytes.div_ceil(8).max(held.len()), 0);
        }
        let before = &mut cast_slice_mut::<u64, u8>(held)[..if copied { bytes } else { 0 }];
        if straight {
            if copied {
                before.copy_from_slice(part);
            }
            let head = part.as_ptr().align_offset(LINE).min(bytes);
            if self.way.stores == Stores::Cached || self.way.ends_on_lines && head == 0 {
                return tiles.put(from, len, before, self.way.stores, part);
            }
            // A cache line that two blocks share would be read first; a whole tile has only two such.
            if !self.way.in_long_rows || !head.is_multiple_of(self.size) {
                return stream(tiles.value(from, len, before), part);
            }
            let ((head, lines), first) = (part.split_at_mut(head), head / self.size);
            if first > 0 {
                tiles.put(from, first, before, Stores::Cached, head);
            }
            if first < len {
                tiles.put(from + first, len - first, before, Stores::Streamed, lines);
            }
            return;
        }
        // The same walk, seen from the part.
        let walk = Walk { axes: self.walk.axes.clone(), start: self.walk.start - first.cast_signed() };
        if copied {
            gather_bytes(self.size, part, &walk, Nest::of(&walk, self.size).as_ref(), from, before);
        }
        scatter_bytes(self.size, part, &walk, from, tiles.value(from, len, before));
    }
}
