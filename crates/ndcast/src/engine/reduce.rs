//! Reductions: the values of a job folded along an axis, without ever being in memory.
//!
//! The elements of the job are in three nested axes: outer, reduced, inner. A fold is a tree whose form depends on
//! the reduced and the inner extent alone: not on where the operands lie, how many folds are done together, or how many
//! threads there are. Runs of [`RUN`] elements are folded in lanes, and what comes of the runs of a segment as a run again;
//! rows one after the other, at most [`ROWS`] of them, and what comes of these in pairs. So rounding errors grow with the
//! logarithm of the length. Where nothing is rounded, a run is as long as its elements lie in memory.

mod across;
mod cascade;
mod few;
mod form;
mod lanes;
mod rows;
mod runs;

use super::cache::is_far;
use super::grid::Grid;
use super::job::{By, Job, Operand, RUN};
use super::load;
use super::target::Target;
use super::threads::try_share;
use super::tile::Tiles;
use super::walk::Walk;
use crate::buffer::{Buffer, MemoryError, Pool, Scratch};
use crate::kernel::{BLOCK, Folding, FoldingOf, OfRuns, have_lanes};
use across::{Across, runs_within};
use cascade::Cascade;
pub(crate) use form::{Extents, Form, SHORT, alike};
use runs::{Beside, long_folds, results_of};

/// How many rows are folded one after the other: one that is there first, and as many more as are folded some at a time. To
/// fold one alone takes as long as several.
const ROWS: usize = 1 + 8 * FAR_AT_ONCE;
/// How many of them at a time: the accumulator is loaded and stored once for all.
const AT_ONCE: usize = 4;
/// The same of rows that follow one another and that no cache holds.
const FAR_AT_ONCE: usize = 8;
/// The most elements of a row that are done together, where there are many rows.
const WIDE: usize = 8 * RUN;
/// The elements of a part that a thread claims, at least.
const PART: usize = 1 << 16;
/// The elements of a segment: a longer fold is cut into such, which many threads may do.
const SEGMENT: usize = 1 << 17;

/// How the elements of a job are cut: into tiles of so many, at most, and into rows.
#[derive(Clone, Copy)]
struct Cut {
    tile: usize,
    grid: Grid,
}

/// How two elements become one, and many.
#[derive(Clone, Copy)]
pub(crate) struct Fold {
    pub(crate) folding: Folding,
    /// The kernels of the fold of what the job's last step makes, of that step's arguments, if there are any.
    pub(crate) of: Option<FoldingOf>,
    /// The bytes of an element.
    pub(crate) size: usize,
    /// Whether every tree gives the same bits, in the end: then one run is as long as it lies in memory.
    pub(crate) any_order: bool,
    /// Makes all NaN one, where the tree decides which comes out.
    pub(crate) one_nan: Option<fn(&mut [u8])>,
}

impl Fold {
    /// The elements of a run, at most.
    pub(super) fn most(&self) -> usize {
        if self.any_order { usize::MAX } else { RUN }
    }

    /// The kernel of the fold of the runs of what the last step makes, in rows of so many elements, if there is one.
    pub(super) fn of_runs(&self, row: usize) -> Option<OfRuns> {
        let has_blocks = row >= BLOCK && have_lanes([row, self.most()]);
        self.of.filter(|_| has_blocks).map(|of| of.runs)
    }

    /// How a job is cut. Values that a fused kernel folds are never stored. If operands are read in place as well, rows are whole
    /// folds, and nothing has to fit into the cache.
    fn cut(&self, job: &Job<'_>, extents: Extents) -> Cut {
        let Extents { reduced, form, .. } = extents;
        let (grid, of) = (job.grid(), self.of.and(job.steps.split_last()));
        if Across::of(job, extents).is_some() {
            return Cut { tile: job.tile().min(load::PANEL), grid };
        }
        let Some((_, earlier)) = of else { return Cut { tile: job.tile(), grid } };
        if let (Form::Runs, [], Some(_)) = (form, earlier, self.of_runs(reduced)) {
            let rows = Some(job.rows_of([reduced; 2])).filter(|rows| rows.row == reduced).unwrap_or(grid);
            if job.is_direct(rows) {
                return Cut { tile: job.direct_tile(), grid: rows };
            }
        }
        Cut { tile: job.tile_of(earlier), grid }
    }

    /// Folds runs of equal length, at least one element, as many as the result has elements, each to one.
    pub(crate) fn run(&self, runs: &[u8], result: &mut [u8]) {
        let length = runs.len() / result.len().max(1);
        (self.folding.rows)(runs, [length; 2], result);
    }

    /// Folds each run of rows of so many elements to one.
    pub(crate) fn rows(&self, rows: &[u8], row: usize, result: &mut [u8]) {
        let most = self.most().min(row);
        if have_lanes([row, most]) {
            return (self.folding.rows)(rows, [row, most], result);
        }
        // The last of each by itself.
        let (whole, results) = ((row - row % most) * self.size, row.div_ceil(most) * self.size);
        for (row, result) in rows.chunks_exact(row * self.size).zip(result.chunks_exact_mut(results)) {
            let (of_whole, of_last) = result.split_at_mut(results - self.size);
            self.run(&row[..whole], of_whole);
            self.run(&row[whole..], of_last);
        }
    }
}

/// Folds a job's values along the middle axis into `out`, which has `outer * inner` elements.
pub(crate) fn reduce(job: &Job<'_>, extents: Extents, fold: Fold, out: &mut [u8]) -> Result<(), MemoryError> {
    let Extents { outer, reduced, inner, form } = extents;
    if outer * inner == 0 {
        return Ok(());
    }
    if few::folded(job, extents, &fold, out)? {
        return Ok(());
    }
    // A whole number of runs, of interleaved runs, of rows.
    let segment = match form {
        Form::Runs | Form::Lanes => SEGMENT,
        Form::Interleaved(rows) => rows * (SEGMENT / (rows * inner)).max(1),
        Form::Panels => SEGMENT / RUN,
    };
    if let Some(Across::WholeRuns(panels)) = Across::of(job, extents) {
        let mut runs = Pool::global().take(outer * (reduced / RUN) * fold.size)?;
        runs_within(job, extents, panels, fold, runs.bytes_mut())?;
        let segments = reduced.div_ceil(segment);
        let mut results = Pool::global().take(outer * segments * fold.size)?;
        let mut to = results.bytes_mut().chunks_exact_mut(fold.size);
        for runs in runs.bytes().chunks_exact(reduced / RUN * fold.size) {
            for (runs, to) in runs.chunks(SEGMENT / RUN * fold.size).zip(&mut to) {
                fold.run(runs, to);
            }
        }
        return reduce(&of_memory(&results, job.by, &fold), extents.shorter(segments), fold, out);
    }
    if form == Form::Lanes && reduced > RUN {
        // Each run is done apart, so that there are enough of them for all threads; what comes of those of a segment is a run.
        let runs = Segments { length: RUN, count: reduced.div_ceil(RUN) };
        let mut results = Pool::global().take(outer * runs.count * inner * fold.size)?;
        folded(job, extents, runs, fold, results.bytes_mut())?;
        let (rest, extents) =
            (of_memory(&results, job.by, &fold), Extents { reduced: runs.count, ..extents });
        return in_segments(&rest, extents, segment / RUN, fold, out);
    }
    in_segments(job, extents, segment, fold, out)
}

/// Folds segments of this length, and what comes of those of each fold.
fn in_segments(
    job: &Job<'_>,
    extents: Extents,
    segment: usize,
    fold: Fold,
    out: &mut [u8],
) -> Result<(), MemoryError> {
    let Extents { outer, reduced, inner, .. } = extents;
    let segments = reduced.div_ceil(segment);
    if segments == 1 {
        folded(job, extents, Segments { length: reduced, count: 1 }, fold, out)?;
        if let Some(one_nan) = fold.one_nan {
            one_nan(out);
        }
        return Ok(());
    }
    let mut partial = Pool::global().take(outer * segments * inner * fold.size)?;
    folded(job, extents, Segments { length: segment, count: segments }, fold, partial.bytes_mut())?;
    reduce(&of_memory(&partial, job.by, &fold), extents.shorter(segments), fold, out)
}

/// What came of parts of folds, to be folded in turn.
fn of_memory<'b>(results: &'b Buffer, by: By, fold: &Fold) -> Job<'b> {
    let elements = results.bytes().len() / fold.size;
    let walk = Walk::new([elements].into_iter(), [1].into_iter(), 0);
    let operands = vec![Operand { bytes: results.bytes(), size: fold.size, walk }];
    Job { elements, operands, steps: &[], by }
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
    let (across, cut) = (Across::of(job, extents), fold.cut(job, extents));
    match (form, across) {
        (_, Some(Across::Beside(panels))) => {
            return long_folds(job, extents, segments, Beside::across(panels, reduced), fold, out);
        }
        (Form::Runs, None) if segments.count > 1 || reduced > cut.tile && !job.lies_there() => {
            return long_folds(job, extents, segments, Beside::along(cut.grid, extents), fold, out);
        }
        _ => {}
    }
    let panel = form.panel(inner, (cut.tile, fold.size), outer * segments.count);
    let panels = inner.div_ceil(panel);
    let units = outer * panels * segments.count;
    // Short folds are done many at once.
    let in_part = (PART / (segments.length * panel.min(inner))).clamp(1, units);
    let small = job.by == By::Caller || job.elements.saturating_mul(job.steps.len() + 1) < PART;
    let in_part = if small { units } else { in_part };
    let out = Target::new(out);
    let work = |folder: &mut Folder<'_>, part: usize| {
        let range = part * in_part..units.min((part + 1) * in_part);
        if let (Form::Runs, None) = (form, across) {
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
                (Form::Runs, _) => {
                    let row = across.map_or(reduced, |across| across.panels().inner);
                    folder.within(from, steps.len(), row, to);
                }
                (Form::Lanes, _) => folder.lanes(from, steps.len(), inner, width, to),
                (Form::Interleaved(rows), _) => folder.interleaved(from, steps.len(), inner, rows, to),
                (Form::Panels, _) => folder.rows(from, steps.len(), inner, width, to),
            }
        }
    };
    let way = Way { form, across, cut, length: segments.length, together: 0 };
    folders(job, fold, way, units.div_ceil(in_part), &work)
}

/// In which way folds are done.
#[derive(Clone, Copy)]
struct Way {
    form: Form,
    across: Option<Across>,
    cut: Cut,
    /// The most elements of one.
    length: usize,
    /// How many long ones are done together.
    together: usize,
}

/// Has every part done by some thread, each with what it needs to fold.
fn folders(
    job: &Job<'_>,
    fold: Fold,
    way: Way,
    parts: usize,
    work: &(dyn Fn(&mut Folder<'_>, usize) + Sync),
) -> Result<(), MemoryError> {
    try_share(parts, |claim| {
        let mut folder = Folder::new(job, fold, way)?;
        while let Some(part) = claim.next() {
            work(&mut folder, part);
        }
        Ok(())
    })
}

/// What one thread needs to fold.
struct Folder<'j> {
    tiles: Tiles<'j>,
    tile: usize,
    across: Option<Across>,
    /// How many elements are prefetched ahead; 0 if that does not help.
    ahead: usize,
    fold: Fold,
    cascade: Cascade,
    /// The accumulator, and what comes of it: a kernel never writes what it reads.
    sofar: Scratch,
    next: Scratch,
}

impl<'j> Folder<'j> {
    fn new(job: &'j Job<'j>, fold: Fold, way: Way) -> Result<Folder<'j>, MemoryError> {
        let Way { form, across, cut, length, together } = way;
        let panels = across.map(Across::panels);
        let tile = cut.tile;
        let bytes = tile.min(job.tile_of(&[])) * fold.size;
        // Besides a tile: what comes of runs, and what is folded.
        let (results, values) = match (form, across) {
            (Form::Lanes, _) => (0, lanes::room(fold.size)),
            (_, Some(Across::Within(_))) => (0, length),
            _ => (together * results_of(length), together * RUN),
        };
        let is_apart = matches!(form, Form::Panels) || job.reads_apart();
        let far = job.by == By::Threads && is_apart && is_far(job.read());
        Ok(Folder {
            tiles: Tiles::new(job, tile, cut.grid, panels)?,
            tile,
            across,
            ahead: if far { tile.min(job.tile()) } else { 0 },
            fold,
            cascade: Cascade::new(fold.folding.two),
            sofar: Scratch::take(bytes.max(values * fold.size))?,
            next: Scratch::take(bytes.max(results * fold.size))?,
        })
    }
}
