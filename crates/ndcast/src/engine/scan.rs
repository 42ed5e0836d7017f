//! Running folds: every element folded with all before it along an axis.

use super::reduce::{Extents, Fold};
use super::target::Target;
use super::threads::share;

/// The elements of a panel of the inner axis.
const PANEL: usize = 2048;
/// Below this many elements one thread does all.
const SHARE: usize = 1 << 16;

/// Folds each element along the middle axis with all before it, one after the other. `all` and `out` have the same
/// extents, and their elements lie one behind the other.
pub(crate) fn scan(all: &[u8], extents: Extents, fold: Fold, out: &mut [u8]) {
    let Extents { outer, reduced: steps, inner, .. } = extents;
    let size = fold.size;
    let elements = outer * steps * inner;
    if elements == 0 {
        return;
    }
    let panels = inner.div_ceil(PANEL);
    let units = outer * panels;
    let in_part = if elements < SHARE { units } else { (SHARE / (steps * PANEL.min(inner))).clamp(1, units) };
    let out = Target::new(out);
    share(units.div_ceil(in_part), &|claim| {
        while let Some(part) = claim.next() {
            for unit in part * in_part..units.min((part + 1) * in_part) {
                let (line, column) = (unit / panels, unit % panels * PANEL);
                let width = PANEL.min(inner - column) * size;
                let row = |step: usize| {
                    let first = ((line * steps + step) * inner + column) * size;
                    first..first + if inner == 1 { steps * size } else { width }
                };
                // SAFETY: each panel of each line is in one part, which one thread has, and its rows do not overlap.
                #[allow(unsafe_code, reason = "see there")]
                let to = |step| unsafe { out.part(row(step)) };
                if inner == 1 {
                    (fold.folding.scan)(&all[row(0)], to(0));
                    continue;
                }
                let mut before = to(0);
                before.copy_from_slice(&all[row(0)]);
                for step in 1..steps {
                    let next = to(step);
                    fold.folding.two.run(&[before, &all[row(step)]], next);
                    before = next;
                }
            }
        }
    });
}
