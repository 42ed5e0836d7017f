//! Folds of what lies across the order of memory: it is read in blocks, and folded in the same form as if it did not.

use super::super::job::{By, Job, RUN};
use super::super::load::{CROSS, PANEL, Panels};
use super::super::target::Target;
use super::{Extents, Fold, Folder, Form, PART, Way, folders};
use crate::buffer::MemoryError;

/// How what lies across the order of memory is read in blocks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Across {
    /// Whole folds lie beside each other.
    Beside(Panels),
    /// Rows of a fold lie beside each other, and runs go along them.
    Within(Panels),
    /// The same, and the rows are whole runs.
    WholeRuns(Panels),
    /// The rows that are folded one after the other lie beside each other.
    Rows(Panels),
}

impl Across {
    pub(super) fn of(job: &Job<'_>, extents: Extents) -> Option<Across> {
        let panels = job.panels()?;
        let Extents { reduced, inner, form, .. } = extents;
        let adjacent = panels.step == panels.inner;
        match form {
            Form::Runs if panels.step.is_multiple_of(reduced) => Some(Across::Beside(panels)),
            Form::Runs if adjacent && reduced > PANEL && panels.step.is_multiple_of(RUN) => {
                Some(Across::WholeRuns(panels))
            }
            Form::Runs if adjacent && reduced > PANEL => Some(Across::Within(panels)),
            Form::Panels if adjacent && panels.inner == inner => Some(Across::Rows(panels)),
            _ => None,
        }
    }

    pub(super) fn panels(self) -> Panels {
        let (Across::Beside(panels)
        | Across::Within(panels)
        | Across::WholeRuns(panels)
        | Across::Rows(panels)) = self;
        panels
    }
}

/// What comes of each run of folds whose rows lie beside each other: a tile of each of some rows, and only then the next
/// tiles. Rows are whole runs.
pub(super) fn runs_within(
    job: &Job<'_>,
    extents: Extents,
    panels: Panels,
    fold: Fold,
    results: &mut [u8],
) -> Result<(), MemoryError> {
    let Panels { step, cross, .. } = panels;
    let across = Across::WholeRuns(panels);
    let tile = job.tile().min(PANEL);
    let (tiles, groups) = (step.div_ceil(tile), cross.div_ceil(CROSS));
    let units = job.elements / (step * cross) * groups * tiles;
    let in_part = if job.by == By::Caller || job.elements < PART { units } else { 1 };
    let results = Target::new(results);
    let work = |folder: &mut Folder<'_>, part: usize| {
        for unit in part * in_part..units.min((part + 1) * in_part) {
            let (column, group) = (unit % tiles * tile, unit / tiles);
            let first = group / groups * cross;
            for row in group % groups * CROSS..cross.min((group % groups + 1) * CROSS) {
                let (from, len) = ((first + row) * step + column, tile.min(step - column));
                let place = from / RUN * fold.size;
                // SAFETY: each run is in one tile, and each tile in one part, which one thread has.
                #[allow(unsafe_code, reason = "see there")]
                let to = unsafe { results.part(place..place + len / RUN * fold.size) };
                folder.tiles.fold(from, len, len.min(RUN), &fold, to);
            }
        }
    };
    let cut = fold.cut(job, extents);
    let way = Way { form: extents.form, across: Some(across), cut, length: 0, together: 0 };
    folders(job, fold, way, units.div_ceil(in_part), &work)
}

impl Folder<'_> {
    /// One long fold of rows of this length that lie beside each other: a tile of each is read, and only then the next tiles.
    pub(super) fn within(&mut self, from: usize, length: usize, row: usize, to: &mut [u8]) {
        let (size, end) = (self.fold.size, from + length);
        for column in (0..row).step_by(self.tile) {
            for first in (from - from % row..end).step_by(row) {
                let start = (first + column).max(from);
                let stop = (first + row.min(column + self.tile)).min(end);
                if start < stop {
                    let values = self.tiles.value(start, stop - start, &[]);
                    self.sofar.bytes_mut()[(start - from) * size..(stop - from) * size]
                        .copy_from_slice(values);
                }
            }
        }
        let Folder { fold, next, sofar, .. } = self;
        let (values, results) = (&sofar.bytes()[..length * size], next.bytes_mut());
        if length <= fold.most() {
            return fold.run(values, to);
        }
        let results = &mut results[..length.div_ceil(RUN) * size];
        fold.rows(values, length, results);
        fold.run(results, to);
    }
}
