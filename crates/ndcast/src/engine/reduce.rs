//! Reductions: the values of a job folded along an axis, without ever being in memory.
//!
//! The elements of the job are in three nested axes: outer, reduced, inner. A fold is a tree whose form depends on
//! the reduced and the inner extent alone: not on where the operands lie, how many folds are done together, or how many
//! threads there are. Runs of [`RUN`] elements are folded in lanes, and what comes of the runs of a segment as a run again;
//! rows one after the other, at most [`ROWS`] of them, and what comes of these in pairs. So rounding errors grow with the
//! logarithm of the length. Where nothing is rounded, a run is as long as its elements lie in memory.

mod across;
mod cascade;
mod form;
mod lanes;

use std::sync::Mutex;

use super::gather::gather_bytes;
use super::job::{By, Job, Operand, RUN, Tiles};
use super::load;
use super::target::{Target, fetch, is_far};
use super::threads::share;
use super::walk::Walk;
use crate::buffer::{Buffer, MemoryError, Pool};
use crate::kernel::{Folding, OfRuns};
use across::{Across, folded_beside, runs_within};
use cascade::Cascade;
pub(crate) use form::{Extents, Form, SHORT, alike};

/// How many rows are folded one after the other.
const ROWS: usize = 64;
/// How many of them at a time: what is there so far is loaded and stored once for all of these.
const AT_ONCE: usize = 4;
/// The most elements of a row that are done together, where there are many rows.
const PANEL: usize = 2 * RUN;
/// The elements of a part that a thread claims, at least.
const PART: usize = 1 << 16;
/// The elements of a segment: a longer fold is cut into such, which many threads may do.
const SEGMENT: usize = 1 << 17;

/// How two elements become one, and many.
#[derive(Clone, Copy)]
pub(crate) struct Fold {
    pub(crate) folding: Folding,
    /// The kernel of the fold of what the job's last step makes, of that step's arguments, if there is one.
    pub(crate) of: Option<OfRuns>,
    /// The bytes of an element.
    pub(crate) size: usize,
    /// Whether every tree gives the same bits, in the end: then one run is as long as it lies in memory.
    pub(crate) any_order: bool,
    /// What makes bits the same that trees differ in.
    pub(crate) settle: Option<fn(&mut [u8])>,
}

impl Fold {
    /// The elements of a run, at most.
    fn run(&self) -> usize {
        if self.any_order { usize::MAX } else { RUN }
    }
}

/// Folds a job's values along the middle axis into `out`, which has `outer * inner` elements.
pub(crate) fn reduce(job: &Job<'_>, extents: Extents, fold: Fold, out: &mut [u8]) -> Result<(), MemoryError> {
    let Extents { outer, reduced, inner, form } = extents;
    if outer * inner == 0 {
        return Ok(());
    }
    // A whole number of runs, of interleaved runs, of rows.
    let segment = match form {
        Form::Runs | Form::Lanes => SEGMENT,
        Form::Interleaved(rows) => rows * (SEGMENT / (rows * inner)).max(1),
        Form::Panels => SEGMENT / RUN,
    };
    let segments = reduced.div_ceil(segment);
    if let Some(Across::WholeRuns(panels)) = Across::of(job, extents) {
        let mut runs = Pool::global().take(outer * (reduced / RUN) * fold.size)?;
        runs_within(job, extents, panels, fold, runs.bytes_mut())?;
        let mut results = Pool::global().take(outer * segments * fold.size)?;
        let mut to = results.bytes_mut().chunks_exact_mut(fold.size);
        for runs in runs.bytes().chunks_exact(reduced / RUN * fold.size) {
            for (runs, to) in runs.chunks(SEGMENT / RUN * fold.size).zip(&mut to) {
                (fold.folding.run)(runs, to);
            }
        }
        return of_segments(&results, segments, job, extents, fold, out);
    }
    if segments == 1 {
        folded(job, extents, Segments { length: reduced, count: 1 }, fold, out)?;
        if let Some(settle) = fold.settle {
            settle(out);
        }
        return Ok(());
    }
    let mut partial = Pool::global().take(outer * segments * inner * fold.size)?;
    folded(job, extents, Segments { length: segment, count: segments }, fold, partial.bytes_mut())?;
    of_segments(&partial, segments, job, extents, fold, out)
}

/// Folds what came of the segments of each fold.
fn of_segments(
    partial: &Buffer,
    segments: usize,
    job: &Job<'_>,
    extents: Extents,
    fold: Fold,
    out: &mut [u8],
) -> Result<(), MemoryError> {
    let elements = extents.outer * segments * extents.inner;
    let walk = Walk::new([elements].into_iter(), [1].into_iter(), 0);
    let operands = vec![Operand { bytes: partial.bytes(), size: fold.size, walk }];
    let rest = Job { elements, operands, steps: &[], by: job.by };
    reduce(&rest, extents.shorter(segments), fold, out)
}

/// Pieces of a fold that are done apart.
#[derive(Clone, Copy)]
struct Segments {
    length: usize,
    count: usize,
}

/// Folds each segment of each fold.
fn folded(
    job: &Job<'_>,
    extents: Extents,
    segments: Segments,
    fold: Fold,
    out: &mut [u8],
) -> Result<(), MemoryError> {
    let Extents { outer, reduced, inner, form } = extents;
    let across = Across::of(job, extents);
    if let Some(Across::Beside(panels)) = across {
        return folded_beside(job, extents, segments, panels, fold, out);
    }
    let panel = form.panel(inner, (job.tile(), fold.size), outer * segments.count);
    let panels = inner.div_ceil(panel);
    let units = outer * panels * segments.count;
    // Short folds are done many at once.
    let in_part = (PART / (segments.length * panel.min(inner))).clamp(1, units);
    let small = job.by == By::Caller || job.elements.saturating_mul(job.steps.len() + 1) < PART;
    let in_part = if small { units } else { in_part };
    let out = Target::new(out);
    let work = |folder: &mut Folder<'_>, part: usize| {
        let range = part * in_part..units.min((part + 1) * in_part);
        if let (Form::Runs, 1, true) = (form, segments.count, reduced <= folder.tile) {
            // SAFETY: each fold's result is one element, and each is in one part, which one thread has.
            #[allow(unsafe_code, reason = "see there")]
            let to = unsafe { out.part(range.start * fold.size..range.end * fold.size) };
            return folder.few_runs(range.start * reduced, reduced, to);
        }
        for unit in range {
            // The panels of one segment follow one another, then the segments, then the outer axis.
            let (at, column) = (unit / panels, unit % panels * panel);
            let (at, segment) = (at / segments.count, at % segments.count);
            let steps = segment * segments.length..reduced.min((segment + 1) * segments.length);
            let width = panel.min(inner - column);
            let first = (at * segments.count + segment) * inner + column;
            // SAFETY: each panel of each segment is in one part, which one thread has.
            #[allow(unsafe_code, reason = "see there")]
            let to = unsafe { out.part(first * fold.size..(first + width) * fold.size) };
            let from = (at * reduced + steps.start) * inner + column;
            match (form, across) {
                (Form::Runs, Some(Across::Within(panels))) => {
                    folder.within(from, steps.len(), panels.inner, to);
                }
                (Form::Runs, _) => folder.runs(from, steps.len(), to),
                (Form::Lanes, _) => folder.lanes(from, steps.len(), inner, width, to),
                (Form::Interleaved(rows), _) => folder.interleaved(from, steps.len(), inner, rows, to),
                (Form::Panels, _) => folder.rows(from, steps.len(), inner, width, to),
            }
        }
    };
    folders(job, fold, form, (across, segments.length), units.div_ceil(in_part), &work)
}

/// Has every part done by some thread, each with what it needs to fold.
fn folders(
    job: &Job<'_>,
    fold: Fold,
    form: Form,
    across: (Option<Across>, usize),
    parts: usize,
    work: &(dyn Fn(&mut Folder<'_>, usize) + Sync),
) -> Result<(), MemoryError> {
    let failed = Mutex::new(None);
    share(parts, &|claim| match Folder::new(job, fold, form, across) {
        Ok(mut folder) => {
            while let Some(part) = claim.next() {
                work(&mut folder, part);
            }
        }
        Err(error) => {
            if let Ok(mut failed) = failed.lock() {
                *failed = Some(error);
            }
        }
    });
    failed.into_inner().ok().flatten().map_or(Ok(()), Err)
}

/// Elements over the ends of rows, put together of what lies in memory, if all of it does.
fn joined<'t>(
    tiles: &Tiles<'_>,
    from: usize,
    len: usize,
    size: usize,
    into: &'t mut [u8],
) -> Option<&'t [u8]> {
    let mut at = 0;
    while at < len {
        let piece = tiles.straight(from + at).min(len - at);
        into[at * size..(at + piece) * size].copy_from_slice(tiles.memory(from + at, piece)?);
        at += piece;
    }
    Some(&into[..len * size])
}

/// What one thread needs to fold.
struct Folder<'j> {
    tiles: Tiles<'j>,
    tile: usize,
    across: Option<Across>,
    /// Whether what is computed from has to be asked for.
    far: bool,
    fold: Fold,
    cascade: Cascade,
    /// What is there so far, and what it becomes with more: a kernel never writes what it reads.
    sofar: Buffer,
    next: Buffer,
}

impl<'j> Folder<'j> {
    /// For folds that are as long at most.
    fn new(
        job: &'j Job<'j>,
        fold: Fold,
        form: Form,
        (across, length): (Option<Across>, usize),
    ) -> Result<Folder<'j>, MemoryError> {
        let panels = across.map(Across::panels);
        let tile = match panels {
            Some(_) => job.tile().min(load::PANEL),
            // Of what is only folded nothing has to stay near.
            None if fold.of.is_some() && job.steps.len() <= 1 => 2 * job.tile(),
            None => job.tile(),
        };
        let bytes = tile * fold.size;
        // Besides a tile: what comes of runs, and what is folded.
        let (results, values) = match (form, across) {
            (Form::Lanes, _) => lanes::room(fold.size, length),
            (_, Some(across)) => across.room(length),
            (_, None) => (0, 0),
        };
        let is_apart = matches!(form, Form::Panels) || job.reads_apart();
        Ok(Folder {
            tiles: Tiles::new(job, tile, job.grid(), panels)?,
            tile,
            across,
            far: job.by == By::Threads && is_apart && is_far(job.read()),
            fold,
            cascade: Cascade::new(fold.folding.two),
            sofar: Pool::global().take(bytes.max(values * fold.size))?,
            next: Pool::global().take(bytes.max(results * fold.size))?,
        })
    }

    /// Whole folds of a few runs each, as many at once as fit into a tile or lie in memory one behind the other.
    fn few_runs(&mut self, from: usize, length: usize, to: &mut [u8]) {
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

    /// One long fold: what comes of its runs is a run itself.
    fn runs(&mut self, from: usize, length: usize, to: &mut [u8]) {
        let (size, run, most) = (self.fold.size, self.fold.folding.run, self.fold.run());
        let Folder { tiles, next, sofar, .. } = self;
        let results = next.bytes_mut();
        let (mut at, mut count) = (0, 0);
        while at < length {
            let left = length - at;
            // As many whole runs as lie in one row of the operands; what goes over its end is a run alone.
            let straight = tiles.straight(from + at).min(left);
            let len = match most {
                usize::MAX => straight,
                run if straight >= run => straight - straight % run,
                run => run.min(left),
            };
            let memory = if len <= straight {
                // The processor does not look ahead over the end of a row.
                let ahead = if self.far { straight.min(self.tile) } else { RUN };
                tiles.fetch(from + at + straight, ahead.min(left - straight));
                tiles.memory(from + at, len)
            } else {
                joined(tiles, from + at, len, size, sofar.bytes_mut())
            };
            let len = if memory.is_some() { len } else { len.min(self.tile) };
            let runs = len.div_ceil(most);
            let to = &mut results[count * size..(count + runs) * size];
            match memory {
                Some(values) => run(values, to),
                None => {
                    if self.far {
                        tiles.fetch(from + at + len, len.min(left - len));
                    }
                    tiles.fold(from + at, len, len.min(most), &self.fold, to);
                }
            }
            at += len;
            count += runs;
        }
        if count == 1 {
            to.copy_from_slice(&results[..size]);
        } else {
            run(&results[..count * size], to);
        }
    }

    /// One fold for each column of a panel, row after row.
    fn rows(&mut self, from: usize, rows: usize, step: usize, width: usize, to: &mut [u8]) {
        for first in (0..rows).step_by(ROWS) {
            self.one_after_the_other(from + first * step, ROWS.min(rows - first), step, width);
            self.cascade.push(&self.sofar.bytes()[..width * self.fold.size]);
        }
        self.cascade.finish(to);
    }

    /// Folds rows of one width one after the other into `sofar`, some of them at a time.
    fn one_after_the_other(&mut self, from: usize, rows: usize, step: usize, width: usize) {
        let bytes = width * self.fold.size;
        let sofar = &mut self.sofar.bytes_mut()[..bytes];
        let computed_at_once =
            if step == width && self.across.is_none() { (self.tile / width).clamp(1, AT_ONCE) } else { 1 };
        let mut row = 0;
        while row < rows {
            let mut values = [&[][..]; AT_ONCE];
            let mut count = AT_ONCE.min(rows - row);
            let tiles = &self.tiles;
            let in_memory = values[..count].iter_mut().zip(row..).all(|(values, row)| {
                let memory = tiles.memory(from + row * step, width);
                *values = memory.unwrap_or_default();
                memory.is_some()
            });
            if in_memory {
                // Rows that lie apart are too far for the processor to look ahead, and those that no cache holds.
                let ahead = if self.far || step != width { 2 * count } else { 0 };
                for next in row + count..rows.min(row + ahead) {
                    fetch(tiles.memory(from + next * step, width).unwrap_or_default());
                }
            } else {
                count = computed_at_once.min(count);
                if self.far && row + count < rows {
                    self.tiles.fetch(from + (row + count) * step, count.min(rows - row - count) * width);
                }
                let all = self.tiles.value(from + row * step, count * width, &[]);
                for (values, all) in values.iter_mut().zip(all.chunks_exact(bytes)) {
                    *values = all;
                }
            }
            let mut values = &values[..count];
            if let (0, Some((first, others))) = (row, values.split_first()) {
                sofar.copy_from_slice(first);
                values = others;
            }
            (self.fold.folding.more)(values, sofar);
            row += count;
        }
    }

    /// One fold for each of a few columns: runs of `rows` rows of them are folded as if each were one row, and what
    /// is left, `rows` of each column, at the end.
    fn interleaved(&mut self, from: usize, length: usize, inner: usize, rows: usize, to: &mut [u8]) {
        let size = self.fold.size;
        let whole = length / rows;
        let (run, bytes) = (rows * inner, rows * inner * size);
        for first in (0..whole).step_by(ROWS) {
            let count = ROWS.min(whole - first);
            self.one_after_the_other(from + first * run, count, run, run);
            self.cascade.push(&self.sofar.bytes()[..bytes]);
        }
        let left = length - whole * rows;
        let values = self.tiles.value(from + whole * run, left * inner, &[]);
        let have = if whole > 0 {
            self.cascade.finish(&mut self.sofar.bytes_mut()[..bytes]);
            let (both, bytes) = (values.len(), bytes);
            self.fold
                .folding
                .two
                .run(&[&self.sofar.bytes()[..both], values], &mut self.next.bytes_mut()[..both]);
            self.next.bytes_mut()[both..bytes].copy_from_slice(&self.sofar.bytes()[both..bytes]);
            rows
        } else {
            self.next.bytes_mut()[..values.len()].copy_from_slice(values);
            left
        };
        // Column after column, each a run.
        let (columns, beside) = (&mut self.sofar.bytes_mut()[..inner * have * size], self.next.bytes());
        let walk = Walk::new([inner, have].into_iter(), [1, inner.cast_signed()].into_iter(), 0);
        gather_bytes(size, beside, &walk, None, 0, columns);
        (self.fold.folding.run)(columns, to);
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
