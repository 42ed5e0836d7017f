//! The form of a fold: which tree its elements are folded in. The extents of the operand as it is written decide it, so that
//! it is the same wherever the elements lie; how the axes are nested when they are walked through is another matter.

use super::super::job::RUN;
use super::super::threads::threads;
use super::{WIDE, lanes};

/// Fewer elements than this are folded one after the other.
pub(crate) const SHORT: usize = 32;

/// The extents of the three nested axes of a job that is reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extents {
    pub(crate) outer: usize,
    /// The axis that goes away; not 0.
    pub(crate) reduced: usize,
    pub(crate) inner: usize,
    pub(crate) form: Form,
}

/// How the elements are folded, and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The reduced axis is the innermost: run after run.
    Runs,
    /// The same tree, of folds that lie beside each other.
    Lanes,
    /// The inner axis is short: runs of so many steps of the reduced axis, all inner elements beside each other.
    Interleaved(usize),
    /// The inner axis is long, or the reduced one short: a row of a panel of it after another.
    Panels,
}

impl Extents {
    /// Those of an operand as it is written, and the form that its folds have.
    pub(crate) fn new(outer: usize, reduced: usize, inner: usize) -> Extents {
        let form = match inner {
            0 | 1 => Form::Runs,
            inner if inner <= RUN / 2 => Form::Interleaved(RUN / inner),
            _ => Form::Panels,
        };
        Extents { outer, reduced, inner, form }.shorter(reduced)
    }

    /// Those of folds of so many elements, of which each came of a part of a fold.
    pub(super) fn shorter(self, reduced: usize) -> Extents {
        Extents { reduced, form: if reduced < SHORT { Form::Panels } else { self.form }, ..self }
    }
}

impl Form {
    /// How much of the inner axis one thread does at once: of a long one a panel, as wide as a tile has room for if
    /// there are so many parts besides that threads do not wait for one another.
    pub(super) fn panel(self, inner: usize, (tile, size): (usize, usize), parts: usize) -> usize {
        let (wide, narrow) = match self {
            Form::Lanes => (lanes::together(size), lanes::together(size) / 4),
            Form::Panels => (WIDE.min(tile), RUN),
            Form::Runs | Form::Interleaved(_) => return inner,
        };
        let most = if parts * inner.div_ceil(wide) >= 2 * threads() { wide } else { narrow };
        // Of lanes none should be much narrower than the others.
        if let Form::Lanes = self { inner.div_ceil(inner.div_ceil(most.max(1))) } else { most }
    }
}

/// The fewest inner elements that may be folded by themselves and still have the form, and so the bits, of all.
pub(crate) fn alike(extents: Extents) -> usize {
    match extents.form {
        Form::Panels if extents.reduced < SHORT => 1,
        Form::Panels => RUN / 2 + 1,
        Form::Lanes => 1,
        Form::Runs | Form::Interleaved(_) => extents.inner,
    }
}
