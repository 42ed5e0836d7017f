//! The arguments of a rule, and what every rule does with them: lay operands, make errors.

use super::Rule;
use super::selection::indexed;
use crate::align::Alignment;
use crate::error::{About, Error, Kind};
use crate::extent::{Dim, Extent};
use crate::index::Index;
use crate::shape::Shape;
use crate::unify::{Clash, Laid, Mismatch, Party, Stretch};

/// The arguments of a rule, borrowed: what a rule's function works on, and what its errors show.
pub(crate) struct Call<'a, E> {
    pub(crate) rule: &'static Rule,
    pub(crate) operands: &'a [&'a [E]],
    pub(crate) target: Option<&'a [E]>,
    pub(crate) axes: Option<&'a [i64]>,
    pub(crate) axis: Option<i64>,
    pub(crate) index: Option<&'a [Index]>,
}

/// Which of several clashing axes a dialect reports.
#[derive(Clone, Copy)]
pub(crate) enum Report {
    /// The first of the result.
    First,
    /// The last of the result.
    Last,
    /// The one of the first operand's first axis.
    FirstOfOperand,
}

impl<'a, E: Extent> Call<'a, E> {
    pub(crate) fn new(rule: &'static Rule, operands: &'a [&'a [E]]) -> Call<'a, E> {
        Call { rule, operands, target: None, axes: None, axis: None, index: None }
    }

    /// The target; the rule's record requires one.
    pub(crate) fn target(&self) -> &'a [E] {
        self.target.unwrap_or(&[])
    }

    /// The list of axes, empty if it was left out.
    pub(crate) fn axes(&self) -> &'a [i64] {
        self.axes.unwrap_or(&[])
    }

    /// One operand, laid.
    pub(crate) fn lay(&self, operand: usize, alignment: Alignment, stretch: Stretch) -> Laid<'a, E> {
        Laid { party: Party::Operand(operand), extents: self.operands[operand], alignment, stretch }
    }

    /// One operand, laid with its last axis on the result's last.
    pub(crate) fn lay_right(
        &self,
        operand: usize,
        rank: usize,
        stretch: Stretch,
    ) -> Result<Laid<'a, E>, Error> {
        let own = self.operands[operand].len();
        let too_high = || self.error(Kind::RankTooHigh { operand, rank: own, limit: rank });
        Ok(self.lay(operand, Alignment::right(own, rank).ok_or_else(too_high)?, stretch))
    }

    /// The target, laid with its last axis on the result's last, which must have room for it.
    pub(crate) fn lay_target(&self, rank: usize, stretch: Stretch) -> Laid<'a, E> {
        let extents = self.target();
        Laid { party: Party::Target, extents, alignment: Alignment::At(rank - extents.len()), stretch }
    }

    pub(crate) fn error(&self, kind: Kind) -> Error {
        let about = About {
            rule: Some(self.rule.name),
            shapes: self.operands.iter().map(|&operand| Shape::from(operand)).collect(),
            target: self.target.map(Shape::from),
            axes: self.axes.map(<[i64]>::to_vec),
            axis: self.axis,
            index: self.index.map(<[Index]>::to_vec),
            selected: self.selected(),
        };
        Error::new(kind, about)
    }

    /// What the index selects of the first operand.
    fn selected(&self) -> Option<Shape> {
        let left: Vec<Dim> = self.operands.first()?.iter().cloned().map(Into::into).collect();
        indexed(&left, self.index?).ok().map(Into::into)
    }

    /// The error of axes that clash.
    pub(crate) fn mismatch(&self, mismatch: Mismatch, report: Report) -> Error {
        let Mismatch { clashes, layout } = mismatch;
        let own_axis =
            |clash: &Clash| clash.found.iter().find(|f| f.party == Party::Operand(0)).map(|f| f.axis);
        let first = match report {
            Report::First => 0,
            Report::Last => clashes.len() - 1,
            Report::FirstOfOperand => (0..clashes.len()).min_by_key(|&c| own_axis(&clashes[c])).unwrap_or(0),
        };
        self.error(Kind::ExtentMismatch { clashes, first, layout })
    }
}
