//! Reductions: the values of a job folded along an axis, without ever being in memory.
//!
//! The elements of the job are in three nested axes: outer, reduced, inner. A fold is a tree whose form depends on
//! the reduced and the inner extent alone: not on where the operands lie, how many folds are done together, or how many
//! threads there are. Runs of [`RUN`] elements are folded in lanes, and what comes of the runs of a segment as a run again;
//! rows one after the other, at most [`ROWS`] of them, and what comes of these in pairs. So rounding errors grow with the
//! logarithm of the length. Where nothing is rounded, a run is as long as its elements lie in memory.

mod across;
mod cascade;
mod lanes;

use std::sync::Mutex;

use super::job::{By, Job, Operand, RUN, Tiles};
use super::load;
use super::target::{Target, fetch, is_far};
use super::threads::{share, threads};
use super::walk::Walk;
use crate::buffer::{Buffer, MemoryError, Pool};
use crate::kernel::{Folding, OfRuns};
use across::{Across, folded_beside};
use cascade::Cascade;

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
/// Fewer elements than this are folded one after the other.
pub(crate) const SHORT: usize = 32;

/// How two elements become one, and many.
#[derive(Clone, Copy)]
pub(crate) struct Fold {
    pub(crate) folding: Folding,
    /// The kernel of the fold of what the job's last step makes, of that step's arguments, if there is one.
    pub(crate) of: Option<OfRuns>,
    /// The bytes of an element.
    pub(crate) size: usize,
    /// Whether every tree gives the same bits: then one run is as long as it lies in memory.
    pub(crate) any_order: bool,
}

impl Fold {
    /// The elements of a run, at most.
    fn run(&self) -> usize {
        if self.any_order { usize::MAX } else { RUN }
    }
}

/// The extents of the three nested axes of a job that is reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extents {
    pub(crate) outer: usize,
    /// The axis that goes away; not 0.
    pub(crate) reduced: usize,
    pub(crate) inner: usize,
    /// Whether the inner axis is one that would be an outer one: the folds have the form of those without an inner axis.
    pub(crate) beside: bool,
}

/// Folds a job's values along the middle axis into `out`, which has `outer * inner` elements.
pub(crate) fn reduce(job: &Job<'_>, extents: Extents, fold: Fold, out: &mut [u8]) -> Result<(), MemoryError> {
    let Extents { outer, reduced, inner, .. } = extents;
    if outer * inner == 0 {
        return Ok(());
    }
    let form = Form::of(extents);
    // A whole number of runs, of interleaved runs, of rows.
    let segment = match form {
        Form::Runs | Form::Lanes => SEGMENT,
        Form::Interleaved(rows) => rows * (SEGMENT / (rows * inner)).max(1),
        Form::Panels => SEGMENT / RUN,
    };
    let segments = reduced.div_ceil(segment);
    if segments == 1 {
        return folded(job, extents, Segments { length: reduced, count: 1 }, form, fold, out);
    }
    let mut partial = Pool::global().take(outer * segments * inner * fold.size)?;
    folded(job, extents, Segments { length: segment, count: segments }, form, fold, partial.bytes_mut())?;
    let elements = outer * segments * inner;
    let walk = Walk::new([elements].into_iter(), [1].into_iter(), 0);
    let operands = vec![Operand { bytes: partial.bytes(), size: fold.size, walk }];
    let rest = Job { elements, operands, steps: &[], by: job.by };
    reduce(&rest, Extents { reduced: segments, ..extents }, fold, out)
}

/// The fewest inner elements whose folds have the same form as those of all of them: so many or more may be folded alone.
pub(crate) fn alike(extents: Extents) -> usize {
    match Form::of(extents) {
        Form::Panels if extents.reduced < SHORT => 1,
        Form::Panels => RUN / 2 + 1,
        Form::Lanes => 1,
        Form::Runs | Form::Interleaved(_) => extents.inner,
    }
}

/// How the elements are read.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// The reduced axis is the innermost: run after run.
    Runs,
    /// The same, of folds that lie beside each other.
    Lanes,
    /// The inner axis is short: runs of so many steps of the reduced axis, all inner elements beside each other.
    Interleaved(usize),
    /// The inner axis is long: a row of a panel of it after another.
    Panels,
}

impl Form {
    fn of(extents: Extents) -> Form {
        match extents.inner {
            _ if extents.reduced < SHORT => Form::Panels,
            _ if extents.beside => Form::Lanes,
            1 => Form::Runs,
            inner if inner <= RUN / 2 => Form::Interleaved(RUN / inner),
            _ => Form::Panels,
        }
    }

    /// How much of the inner axis one thread does at once: of a long one a panel, as wide as a tile has room for if
    /// there are so many parts besides that threads do not wait for one another.
    fn panel(self, inner: usize, (tile, size): (usize, usize), parts: usize) -> usize {
        let (wide, narrow) = match self {
            Form::Lanes => (lanes::together(size), lanes::together(size) / 4),
            Form::Panels => (PANEL.min(tile), RUN),
            Form::Runs | Form::Interleaved(_) => return inner,
        };
        let most = if parts * inner.div_ceil(wide) >= 2 * threads() { wide } else { narrow };
        // Of lanes none should be much narrower than the others.
        if let Form::Lanes = self { inner.div_ceil(inner.div_ceil(most.max(1))) } else { most }
    }
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
    form: Form,
    fold: Fold,
    out: &mut [u8],
) -> Result<(), MemoryError> {
    let Extents { outer, reduced, inner, .. } = extents;
    let across = Across::of(job, extents, form);
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
        let (columns, beside) = (self.sofar.bytes_mut(), self.next.bytes());
        for column in 0..inner {
            for row in 0..have {
                let (to, from) = ((column * have + row) * size, (row * inner + column) * size);
                columns[to..to + size].copy_from_slice(&beside[from..from + size]);
            }
        }
        (self.fold.folding.run)(&columns[..inner * have * size], to);
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
