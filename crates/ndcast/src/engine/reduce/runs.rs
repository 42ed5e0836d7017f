//! Folds whose elements follow one another, run after run: short ones many at once, long ones piece by piece.

use super::super::grid::Grid;
use super::super::job::{By, Job, RUN};
use super::super::load::{CROSS, Panels};
use super::super::target::Target;
use super::super::threads::threads;
use super::{Across, Extents, Fold, Folder, Form, PART, Segments, Way, folders};
use crate::buffer::MemoryError;

/// The most long folds in the order of memory that are done together.
const GROUP: usize = 16;

/// Which long folds lie beside each other.
pub(super) struct Beside {
    across: Option<Across>,
    /// From one to the next, in folds.
    step: usize,
    /// How many lie beside each other.
    count: usize,
    /// How many of them are done together, at most.
    most: usize,
}

impl Beside {
    /// Those that lie across the order of memory.
    pub(super) fn across(panels: Panels, length: usize) -> Beside {
        let across = Some(Across::Beside(panels));
        Beside { across, step: panels.step / length, count: panels.cross, most: CROSS }
    }

    /// Those that follow one another; some are done together where the rows of each lie apart.
    pub(super) fn along(grid: Grid, extents: Extents) -> Beside {
        let Extents { outer, reduced, .. } = extents;
        let is_apart = grid.row < reduced;
        let most = if is_apart { (outer / (2 * threads())).clamp(1, GROUP) } else { 1 };
        Beside { across: None, step: 1, count: outer, most }
    }
}

/// How many elements come of the runs of a fold of this length, at most: a run of each row is cut short, and rows are no shorter
/// than runs but for the first and the last, or there are none.
pub(super) fn results_of(length: usize) -> usize {
    2 * length.div_ceil(RUN) + 2
}

/// Long folds of runs: a piece of each of some that lie beside each other, and only then the next pieces.
pub(super) fn long_folds(
    job: &Job<'_>,
    extents: Extents,
    segments: Segments,
    beside: Beside,
    fold: Fold,
    out: &mut [u8],
) -> Result<(), MemoryError> {
    let (Extents { outer, reduced, .. }, Beside { across, step, count, most }) = (extents, beside);
    let cut = fold.cut(job, extents);
    let groups = count.div_ceil(most);
    let units = outer / count * groups * segments.count;
    let small = job.by == By::Caller || job.elements < PART;
    let in_part = if small { units } else { (PART / (segments.length * most)).clamp(1, units) };
    let out = Target::new(out);
    let work = |folder: &mut Folder<'_>, part: usize| {
        for unit in part * in_part..units.min((part + 1) * in_part) {
            let (at, segment) = (unit / segments.count, unit % segments.count);
            let (at, group) = (at / groups, at % groups);
            let first = at / step * step * count + at % step + group * most * step;
            let folds = most.min(count - group * most);
            let steps = segment * segments.length..reduced.min((segment + 1) * segments.length);
            let results = folder.runs(first * reduced + steps.start, steps.len(), step * reduced, folds);
            for (number, result) in results.chunks_exact(fold.size).enumerate() {
                let place = (first + number * step) * segments.count + segment;
                // SAFETY: each segment of each fold is in one part, which one thread has.
                #[allow(unsafe_code, reason = "see there")]
                let to = unsafe { out.part(place * fold.size..(place + 1) * fold.size) };
                to.copy_from_slice(result);
            }
        }
    };
    let way = Way { form: Form::Runs, across, cut, length: segments.length, together: most };
    folders(job, fold, way, units.div_ceil(in_part), &work)
}

/// The elements of one row of a fold.
struct Row {
    /// Whether they are in memory as they are.
    lies_there: bool,
    /// Elements of an unfinished run, put aside before.
    aside: usize,
    /// Elements of this row that go on with that run.
    head: usize,
    /// Whether these finish it.
    has_whole: bool,
    /// Elements in whole runs.
    body: usize,
    /// Elements put aside for the next row.
    tail: usize,
}

impl Folder<'_> {
    /// Whole folds of a few runs each, as many at once as fit into a tile or lie in memory one behind the other.
    pub(super) fn few_runs(&mut self, from: usize, length: usize, to: &mut [u8]) {
        let Folder { tiles, fold, next, .. } = self;
        let (size, runs) = (fold.size, length.div_ceil(fold.most()));
        let (mut from, mut to) = (from, to);
        while !to.is_empty() {
            let left = to.len() / size;
            let mut count = left.min(self.tile / runs);
            if tiles.memory(from, count * length).is_none() {
                count = left.min(self.tile / length).min(tiles.in_rows(from, length) / length).max(1);
                // Along rows that are folded where they lie the processor looks ahead, but not over their ends.
                let ahead = if tiles.folds_there(from, length, fold) { RUN } else { usize::MAX };
                tiles.prefetch(from + count * length, ahead.min(self.ahead).min((left - count) * length));
            }
            let (now, later) = to.split_at_mut(count * size);
            let results = if runs == 1 { &mut *now } else { &mut next.bytes_mut()[..count * runs * size] };
            match tiles.memory(from, count * length) {
                Some(values) => fold.rows(values, length, results),
                None => tiles.fold(from, count * length, length, fold, results),
            }
            if runs > 1 {
                fold.run(&next.bytes()[..count * runs * size], now);
            }
            (from, to) = (from + count * length, later);
        }
    }

    /// Some long folds, each so many elements after the one before; what comes of the runs of one is a run itself.
    fn runs(&mut self, from: usize, length: usize, apart: usize, folds: usize) -> &[u8] {
        let count = match self.across {
            Some(_) => self.tile_by_tile(from, length, apart, folds),
            None => self.row_by_row(from, length, apart, folds),
        };
        let Folder { fold, next, sofar, .. } = self;
        let (size, room) = (fold.size, results_of(length) * fold.size);
        let to = &mut sofar.bytes_mut()[..folds * size];
        for (results, to) in next.bytes().chunks_exact(room).zip(to.chunks_exact_mut(size)) {
            match count {
                1 => to.copy_from_slice(&results[..size]),
                _ => fold.run(&results[..count * size], to),
            }
        }
        to
    }

    /// Each run of what is read in blocks: a tile of each fold, and then the next tiles. How many there are of each fold.
    fn tile_by_tile(&mut self, from: usize, length: usize, apart: usize, folds: usize) -> usize {
        let Folder { tiles, fold, next, .. } = self;
        let (size, room) = (fold.size, results_of(length) * fold.size);
        let mut at = 0;
        while at < length {
            let left = length - at;
            let len = if left < RUN { left } else { (left - left % RUN).min(self.tile) };
            for (number, results) in next.bytes_mut().chunks_exact_mut(room).take(folds).enumerate() {
                let to = &mut results[at / RUN * size..][..len.div_ceil(RUN) * size];
                tiles.fold(from + number * apart + at, len, len.min(RUN), fold, to);
            }
            at += len;
        }
        length.div_ceil(RUN)
    }

    /// Each run, row by row: a row of each fold, and then the next row of each, because where the rows of one fold lie apart,
    /// those of the folds beside it lie between them. A run over the end of a row is put together. How many there are of each
    /// fold.
    fn row_by_row(&mut self, from: usize, length: usize, apart: usize, folds: usize) -> usize {
        let (size, most, room) = (self.fold.size, self.fold.most(), results_of(length) * self.fold.size);
        // How many elements of a run are put aside, and how many results there are.
        let (mut at, mut aside, mut done) = (0, 0, 0);
        while at < length {
            let len = self.tiles.straight(from + at).min(length - at);
            let head = if aside > 0 { (RUN - aside).min(len) } else { 0 };
            let has_whole = head > 0 && aside + head == RUN;
            let tail = if most == usize::MAX { 0 } else { (len - head) % most };
            let lies_there = self.tiles.memory(from + at, len).is_some();
            let row = Row { lies_there, aside, head, has_whole, body: len - head - tail, tail };
            let mut count = 0;
            for number in 0..folds {
                let from = from + at + number * apart;
                if folds == 1 {
                    // The processor does not look ahead over the end of a row.
                    let ahead = if self.ahead > 0 { len.min(self.ahead) } else { RUN };
                    self.tiles.prefetch(from + len, ahead.min(length - at - len));
                }
                count = self.row(&row, number, from, number * room + done * size);
            }
            aside = if has_whole || head == 0 { tail } else { aside + head };
            done += count;
            at += len;
        }
        if aside > 0 {
            let places =
                self.next.bytes_mut().chunks_exact_mut(room).zip(self.sofar.bytes().chunks(RUN * size));
            for (to, put_aside) in places.take(folds) {
                self.fold.run(&put_aside[..aside * size], &mut to[done * size..(done + 1) * size]);
            }
            done += 1;
        }
        done
    }

    /// What comes of the runs of one row of one fold, and what is put aside of it; how many runs there are.
    fn row(&mut self, row: &Row, number: usize, from: usize, to: usize) -> usize {
        let Folder { tiles, fold, next, sofar, .. } = self;
        let (size, most) = (fold.size, fold.most());
        let put_aside = &mut sofar.bytes_mut()[number * RUN * size..][..RUN * size];
        let results = &mut next.bytes_mut()[to..];
        let len = row.head + row.body + row.tail;
        let (behind, with_head) = (row.aside * size, (row.aside + row.head) * size);
        let whole = usize::from(row.has_whole);
        if row.lies_there || fold.of.is_none() && len <= self.tile {
            let values = match row.lies_there {
                true => tiles.memory(from, len).unwrap_or_default(),
                false => tiles.value(from, len, &[]),
            };
            let (head, values) = values.split_at(row.head * size);
            let (body, tail) = values.split_at(row.body * size);
            put_aside[behind..with_head].copy_from_slice(head);
            if row.has_whole {
                fold.run(put_aside, &mut results[..size]);
            }
            let runs = row.body.div_ceil(most);
            if runs > 0 {
                fold.run(body, &mut results[whole * size..(whole + runs) * size]);
            }
            if row.tail > 0 {
                put_aside[..row.tail * size].copy_from_slice(tail);
            }
            return whole + runs;
        }
        if row.head > 0 {
            put_aside[behind..with_head].copy_from_slice(tiles.value(from, row.head, &[]));
        }
        if row.has_whole {
            fold.run(put_aside, &mut results[..size]);
        }
        let (mut done, end) = (whole, from + row.head + row.body);
        for first in (from + row.head..end).step_by(self.tile) {
            let count = self.tile.min(end - first);
            tiles.prefetch(first + count, self.ahead.min(end - first - count));
            let runs = count.div_ceil(most);
            tiles.fold(first, count, count, fold, &mut results[done * size..(done + runs) * size]);
            done += runs;
        }
        if row.tail > 0 {
            put_aside[..row.tail * size].copy_from_slice(tiles.value(end, row.tail, &[]));
        }
        done
    }
}
