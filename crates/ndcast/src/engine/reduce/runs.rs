//! Folds whose elements follow one another, run after run: short ones many at once, long ones piece by piece.

use super::super::job::{By, Job, RUN, Tiles};
use super::super::load::{CROSS, Panels};
use super::super::target::Target;
use super::super::threads::threads;
use super::{Across, Extents, Fold, Folder, Form, PART, Segments, folders};
use crate::buffer::MemoryError;

/// The most long folds in the order of memory that are done together.
const GROUP: usize = 16;

/// Which long folds lie beside each other.
pub(super) struct Beside {
    across: Option<Across>,
    /// From one to the next there are so many folds.
    step: usize,
    /// There are so many beside each other,
    count: usize,
    /// and so many of them are done together.
    most: usize,
}

impl Beside {
    /// Those that lie across the order of memory.
    pub(super) fn across(panels: Panels, length: usize) -> Beside {
        let across = Some(Across::Beside(panels));
        Beside { across, step: panels.step / length, count: panels.cross, most: CROSS }
    }

    /// Those that follow one another; some are done together where the rows of each lie apart.
    pub(super) fn along(job: &Job<'_>, extents: Extents) -> Beside {
        let Extents { outer, reduced, .. } = extents;
        let is_apart = job.grid().row < reduced;
        let most = if is_apart { (outer / (2 * threads())).clamp(1, GROUP) } else { 1 };
        Beside { across: None, step: 1, count: outer, most }
    }
}

/// How many elements come of the runs of a fold of this length, at most: none is cut short but the first and the last, or there
/// are no rows that are shorter than a run.
pub(super) fn results_of(length: usize) -> usize {
    length.div_ceil(RUN) + 2
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
    folders(job, fold, Form::Runs, (across, segments.length, most), units.div_ceil(in_part), &work)
}

impl Folder<'_> {
    /// Whole folds of a few runs each, as many at once as fit into a tile or lie in memory one behind the other.
    pub(super) fn few_runs(&mut self, from: usize, length: usize, to: &mut [u8]) {
        let Folder { tiles, fold, next, .. } = self;
        let (size, runs) = (fold.size, length.div_ceil(fold.run()));
        let (mut from, mut to) = (from, to);
        while !to.is_empty() {
            let left = to.len() / size;
            let mut count = left.min(self.tile / runs);
            if tiles.memory(from, count * length).is_none() {
                count = left.min(self.tile / length).min(tiles.in_rows(from, length) / length).max(1);
                if self.far {
                    tiles.fetch(from + count * length, count.min(left - count) * length);
                }
            }
            let (now, later) = to.split_at_mut(count * size);
            if runs == 1 {
                each_run(tiles, fold, from, length, now);
            } else {
                let results = &mut next.bytes_mut()[..count * runs * size];
                each_run(tiles, fold, from, length, results);
                (fold.folding.run)(results, now);
            }
            (from, to) = (from + count * length, later);
        }
    }

    /// Some long folds, each so many elements after the one before; what comes of the runs of one is a run itself.
    fn runs(&mut self, from: usize, length: usize, apart: usize, folds: usize) -> &[u8] {
        let straight = self.tiles.straight(from).min(length);
        let count = match self.tiles.memory(from, straight) {
            Some(_) => self.rows_there(from, length, apart, folds),
            None => self.pieces(from, length, apart, folds),
        };
        let Folder { fold, next, sofar, .. } = self;
        let (size, room) = (fold.size, results_of(length) * fold.size);
        let to = &mut sofar.bytes_mut()[..folds * size];
        for (results, to) in next.bytes().chunks_exact(room).zip(to.chunks_exact_mut(size)) {
            match count {
                1 => to.copy_from_slice(&results[..size]),
                _ => (fold.folding.run)(&results[..count * size], to),
            }
        }
        to
    }

    /// Each run of what is in memory, row by row: a row of each fold, and then the next row of each, because where the rows of
    /// one fold lie apart, those of the folds beside it lie between them. A run over the end of a row is put together.
    /// How many there are of each fold.
    fn rows_there(&mut self, from: usize, length: usize, apart: usize, folds: usize) -> usize {
        let (size, run, room) = (self.fold.size, self.fold.folding.run, results_of(length) * self.fold.size);
        let bytes = self.fold.run().saturating_mul(size);
        let Folder { tiles, next, sofar, .. } = self;
        // How many elements of a run are put aside, and how many results there are.
        let (mut at, mut aside, mut done) = (0, 0, 0);
        while at < length {
            let len = tiles.straight(from + at).min(length - at);
            let head = if aside > 0 { (RUN * size - aside).min(len * size) } else { 0 };
            let (has_whole, body) = (head > 0 && aside + head == RUN * size, len * size - head);
            let (runs, tail) = if bytes == usize::MAX { (1, 0) } else { (body / bytes, body % bytes) };
            let starts = (from + at..).step_by(apart).take(folds);
            let places =
                next.bytes_mut().chunks_exact_mut(room).zip(sofar.bytes_mut().chunks_mut(RUN * size));
            for (from, (results, put_aside)) in starts.zip(places) {
                if folds == 1 {
                    // The processor does not look ahead over the end of a row.
                    let ahead = if self.far { len.min(self.tile) } else { RUN };
                    tiles.fetch(from + len, ahead.min(length - at - len));
                }
                let (first, values) = tiles.memory(from, len).unwrap_or_default().split_at(head);
                let mut to = &mut results[done * size..];
                put_aside[aside..aside + head].copy_from_slice(first);
                if has_whole {
                    run(put_aside, &mut to[..size]);
                    to = &mut to[size..];
                }
                let (values, last) = values.split_at(body - tail);
                if runs > 0 {
                    run(values, &mut to[..runs * size]);
                }
                if tail > 0 {
                    put_aside[..tail].copy_from_slice(last);
                }
            }
            aside = if has_whole { tail } else { aside + head + tail };
            done += runs + usize::from(has_whole);
            at += len;
        }
        if aside > 0 {
            let places =
                next.bytes_mut().chunks_exact_mut(room).zip(sofar.bytes().chunks(RUN * size)).take(folds);
            for (results, put_aside) in places {
                run(&put_aside[..aside], &mut results[done * size..(done + 1) * size]);
            }
            done += 1;
        }
        done
    }

    /// Each run of what is computed: a piece of each fold, and then the next piece of each. How many there are of each fold.
    fn pieces(&mut self, from: usize, length: usize, apart: usize, folds: usize) -> usize {
        let (size, most, room) = (self.fold.size, self.fold.run(), results_of(length) * self.fold.size);
        let Folder { tiles, next, .. } = self;
        let (mut at, mut done) = (0, 0);
        while at < length {
            let left = length - at;
            // As many whole runs as lie in one row of the operands; what goes over its end is a run alone.
            let straight = tiles.straight(from + at).min(left);
            let len = match most {
                usize::MAX => straight,
                run if straight >= run => straight - straight % run,
                run => run.min(left),
            };
            let len = len.min(self.tile);
            let runs = len.div_ceil(most);
            let starts = (from + at..).step_by(apart).take(folds);
            for (from, results) in starts.zip(next.bytes_mut().chunks_exact_mut(room)) {
                if len <= straight {
                    let ahead = if self.far { straight.min(self.tile) } else { RUN };
                    tiles.fetch(from + straight, ahead.min(left - straight));
                }
                if self.far {
                    tiles.fetch(from + len, len.min(left - len));
                }
                tiles.fold(
                    from,
                    len,
                    len.min(most),
                    &self.fold,
                    &mut results[done * size..(done + runs) * size],
                );
            }
            at += len;
            done += runs;
        }
        done
    }
}

/// Folds each run of some whole folds of one length, from one element on: as many runs as there are results.
fn each_run(tiles: &mut Tiles<'_>, fold: &Fold, from: usize, length: usize, results: &mut [u8]) {
    let (size, run, most) = (fold.size, fold.folding.run, fold.run());
    let runs = length.div_ceil(most);
    let len = results.len() / size / runs * length;
    let memory = tiles.memory(from, len);
    if runs == 1 || length.is_multiple_of(most) {
        return match memory {
            Some(values) => run(values, results),
            None => tiles.fold(from, len, length.min(most), fold, results),
        };
    }
    // The last run of each is shorter.
    let values = memory.unwrap_or_else(|| tiles.value(from, len, &[]));
    for (values, results) in values.chunks_exact(length * size).zip(results.chunks_exact_mut(runs * size)) {
        let (whole, short) = values.split_at((runs - 1) * RUN * size);
        let (of_whole, of_short) = results.split_at_mut((runs - 1) * size);
        run(whole, of_whole);
        run(short, of_short);
    }
}
