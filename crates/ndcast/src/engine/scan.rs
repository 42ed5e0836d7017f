//! Running folds: every element folded with all before it along an axis.

use smallvec::SmallVec;

use super::job::Operand;
use super::load::{Loader, Panels, Reading};
use super::reduce::{Extents, Fold};
use super::target::Target;
use super::threads::{threads, try_share};
use super::walk::Walk;
use crate::buffer::MemoryError;
use crate::kernel::SCANNED;

/// The elements of a line, or of a panel of the inner axis, that are read at once.
const TILE: usize = 2048;
/// Below this many elements one thread does all.
const SHARE: usize = 1 << 16;

/// Whether what lies so is better put in order first: it would be read across the order of memory.
pub(crate) fn is_scanned_in_order(walk: &Walk) -> bool {
    Panels::of(walk).is_some()
}

/// Folds each element along the middle axis with all before it, one after the other. `all` has these extents, and so has `out`,
/// whose elements lie one behind the other.
///
/// # Errors
/// If there is not enough memory; then `out` holds anything.
pub(crate) fn scan(
    all: &Operand<'_>,
    extents: Extents,
    fold: Fold,
    out: &mut [u8],
) -> Result<(), MemoryError> {
    let Extents { outer, reduced: steps, inner, .. } = extents;
    let elements = outer * steps * inner;
    if elements == 0 {
        return Ok(());
    }
    // What is done at once: some lines, if there are so many for each thread; or a panel, step after step.
    let (is_lines, lines) = (inner == 1, outer.div_ceil(threads()).min(SCANNED));
    let panels = inner.div_ceil(TILE);
    let (units, together) = if is_lines {
        (outer.div_ceil(lines), lines * steps)
    } else {
        (outer * panels, steps * TILE.min(inner))
    };
    let in_part = if elements < SHARE { units } else { (SHARE / together).clamp(1, units) };
    let out = Target::new(out);
    try_share(units.div_ceil(in_part), |claim| {
        let mut scanner = Scanner::new(all, if is_lines { lines } else { 1 }, extents, fold, &out)?;
        while let Some(part) = claim.next() {
            for unit in part * in_part..units.min((part + 1) * in_part) {
                if is_lines {
                    scanner.lines(unit * lines, lines.min(outer - unit * lines));
                } else {
                    scanner.panel(unit / panels, unit % panels * TILE);
                }
            }
        }
        Ok(())
    })
}

/// What one thread needs to scan.
struct Scanner<'s> {
    /// One for each of the lines that are done at once, or one for a panel.
    loaders: SmallVec<[Loader<'s>; SCANNED]>,
    extents: Extents,
    fold: Fold,
    out: &'s Target<'s>,
}

impl<'s> Scanner<'s> {
    fn new(
        all: &'s Operand<'_>,
        loaders: usize,
        extents: Extents,
        fold: Fold,
        out: &'s Target<'s>,
    ) -> Result<Scanner<'s>, MemoryError> {
        let Operand { bytes, size, ref walk } = *all;
        let tile = TILE.min(if extents.inner == 1 { extents.reduced } else { extents.inner });
        let reading = Reading { bytes, size, walk, tile, row: usize::MAX, by_rows: false, panels: None };
        let loaders = (0..loaders).map(|_| Loader::new(reading)).collect::<Result<_, _>>()?;
        Ok(Scanner { loaders, extents, fold, out })
    }

    /// Some whole lines, whose elements lie one behind the other in the result: a tile of each, and then the next.
    fn lines(&mut self, first: usize, count: usize) {
        let Scanner { ref mut loaders, extents: Extents { reduced: steps, .. }, fold, out } = *self;
        let bytes = steps * fold.size;
        // SAFETY: each line is in one unit, and each unit in one part, which one thread has.
        #[allow(unsafe_code, reason = "see there")]
        let all = unsafe { out.part(first * bytes..(first + count) * bytes) };
        for at in (0..steps).step_by(TILE) {
            let len = TILE.min(steps - at);
            let mut lines = [&[][..]; SCANNED];
            for (number, (loader, line)) in loaders.iter_mut().zip(&mut lines).take(count).enumerate() {
                *line = loader.dense((first + number) * steps + at, len);
            }
            // The last element that was scanned is the first of what goes on.
            let before = usize::from(at > 0);
            let mut results: [&mut [u8]; SCANNED] = Default::default();
            for (line, result) in all.chunks_exact_mut(bytes).zip(&mut results) {
                *result = &mut line[(at - before) * fold.size..(at + len) * fold.size];
            }
            (fold.folding.scan)(&lines[..count], &mut results[..count]);
        }
    }

    /// A panel of the inner axis from a column on: row after row, each with the one before it.
    fn panel(&mut self, line: usize, column: usize) {
        let Scanner { ref mut loaders, extents: Extents { reduced: steps, inner, .. }, fold, out } = *self;
        let Some(loader) = loaders.first_mut() else { return };
        let width = TILE.min(inner - column);
        let mut before: &[u8] = &[];
        for step in 0..steps {
            let first = (line * steps + step) * inner + column;
            // SAFETY: each panel of each line is in one part, which one thread has, and its rows do not overlap.
            #[allow(unsafe_code, reason = "see there")]
            let to = unsafe { out.part(first * fold.size..(first + width) * fold.size) };
            if step == 0 {
                loader.put(first, width, to);
            } else {
                fold.folding.two.run(&[before, loader.dense(first, width)], to);
            }
            before = to;
        }
    }
}
