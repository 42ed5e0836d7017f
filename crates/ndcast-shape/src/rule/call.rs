//! The arguments of a rule, and what every rule does with them: lay operands, make errors.

use super::Rule;
use super::selection::select;
use crate::align::Alignment;
use crate::error::{About, Error, Kind};
use crate::extent::{Dim, Extent};
use crate::index::Index;
use crate::plan::Plan;
use crate::shape::Shape;
use crate::unify::{Clash, Laid, Mismatch, Party, Stretch, Under, unify};

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
}

/// An error shows the alignment of at most this many operands.
const MOST_SHOWN: usize = 16;

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
        let alignment = Alignment::right(extents.len(), rank).unwrap_or(Alignment::LEFT);
        Laid { party: Party::Target, extents, alignment, stretch }
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
        select(&left, self.index?).ok().map(Into::into)
    }

    /// Unifies what was laid.
    pub(crate) fn unify(&self, rank: usize, laid: &[Laid<'_, E>], report: Report) -> Result<Plan<E>, Error> {
        unify(rank, laid).map_err(|mismatch| match mismatch {
            Mismatch::TooLarge => self.error(Kind::PlanTooLarge { operands: self.operands.len(), rank }),
            Mismatch::Clash { axes, first, last } => {
                let clash = match report {
                    Report::First => first,
                    Report::Last => last,
                };
                self.clash(*clash, axes, layout(rank, laid))
            }
        })
    }

    /// The error of axes that clash. Their extents are shown as they were given, whatever they count as.
    pub(crate) fn clash(&self, mut clash: Clash, axes: Vec<usize>, layout: Vec<Under>) -> Error {
        for found in &mut clash.found {
            let given = match found.party {
                Party::Operand(operand) => self.operands.get(operand).copied(),
                Party::Target => self.target,
                Party::Selection => None,
            };
            if let Some(extent) = given.and_then(|given| given.get(found.axis)) {
                found.extent = extent.clone().into();
            }
        }
        self.error(Kind::ExtentMismatch { clash: Box::new(clash), axes, layout })
    }
}

/// Where the first operands and the target lay.
pub(super) fn layout<E>(rank: usize, laid: &[Laid<'_, E>]) -> Vec<Under> {
    let under = |l: &Laid<'_, E>| {
        let mut axes = vec![None; rank];
        for own in 0..l.extents.len() {
            axes[l.alignment.over(own)] = Some(own);
        }
        Under { party: l.party, axes }
    };
    let shown = |(n, l): &(usize, &Laid<'_, E>)| *n < MOST_SHOWN || l.party == Party::Target;
    laid.iter().enumerate().filter(shown).map(|(_, l)| under(l)).collect()
}
