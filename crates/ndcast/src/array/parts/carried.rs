//! The last rows of running folds: what the next part goes on from.

use std::collections::{BTreeMap, HashMap};

use super::cut::{Cut, Span};
use super::{Array, part};
use crate::error::Error;

/// A running fold, and what of its other axes is asked for. The array is kept, so that its address stays its own.
#[derive(Clone)]
pub(super) struct Fold {
    pub(super) array: Array,
    pub(super) axis: usize,
    pub(super) others: Cut,
}

impl Fold {
    fn key(&self) -> (usize, Cut) {
        (self.array.node().address(), self.others.clone())
    }
}

/// The last row of a part of a running fold.
pub(super) struct Last {
    pub(super) fold: Fold,
    pub(super) span: Span,
    pub(super) row: Array,
}

/// The last rows of the parts that are done, by the places behind them.
#[derive(Default)]
pub(super) struct Carried(HashMap<(usize, Cut), (Fold, BTreeMap<usize, Array>)>);

impl Carried {
    /// Keeps the last rows of a part; what was there from its beginning on is not needed again.
    pub(super) fn keep(&mut self, lasts: Vec<Last>) {
        for Last { fold, span, row } in lasts {
            let rows = self.rows(&fold);
            rows.split_off(&span.start);
            rows.insert(span.stop, row);
        }
    }

    /// The row before a span. If the parts do not go forwards, one behind the other, it is not there: then the fold is done
    /// from the nearest place that is, as many rows at a time as the span has. The places on the way are for spans further
    /// back; their rows take so many bytes at most.
    pub(super) fn before(&mut self, fold: &Fold, span: Span, bytes: usize) -> Result<Array, Error> {
        loop {
            let nearest = self.rows(fold).range(..=span.start).next_back();
            let at = match nearest {
                Some((&at, row)) if at == span.start => return Ok(row.clone()),
                nearest => nearest.map_or(0, |(&at, _)| at),
            };
            let mut cut = fold.others.clone();
            cut.0[fold.axis] = Some(Span { start: at, stop: (at + span.stop - span.start).min(span.start) });
            let lasts = part(&fold.array, &cut, bytes, self)?.lasts;
            if lasts.is_empty() {
                // Another thread has computed all of it meanwhile.
                cut.0[fold.axis] = Some(Span { start: span.start - 1, stop: span.start });
                return Ok(cut.of(&fold.array, &Cut::none(cut.0.len())));
            }
            crate::array::eval(&lasts.iter().map(|last| &last.row).collect::<Vec<_>>())?;
            for Last { fold, span, row } in lasts {
                let size = row.eval()?.elements() * row.eval()?.size();
                let rows = self.rows(&fold);
                if size.saturating_mul(rows.len()) > bytes {
                    rows.remove(&span.start);
                }
                rows.insert(span.stop, row);
            }
        }
    }

    fn rows(&mut self, fold: &Fold) -> &mut BTreeMap<usize, Array> {
        &mut self.0.entry(fold.key()).or_insert_with(|| (fold.clone(), BTreeMap::new())).1
    }
}
