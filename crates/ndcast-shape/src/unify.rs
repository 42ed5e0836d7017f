//! The one place where aligned extents become a plan.
//!
//! Every rule ends here: it says where the operands' axes lie and which operands may stretch an extent of 1,
//! and gets a [`Plan`] or all the axes that clash. For partial extents each answer holds for every number
//! that the extents may turn out to be: see the laws in `tests/laws.rs`.

use std::fmt;

use crate::align::Alignment;
use crate::extent::{Dim, Extent};
use crate::plan::{Plan, Source};

/// Whether an operand's extents of 1 may grow to what lies beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// An extent of 1 takes any extent.
    Ones,
    /// Extents stay as they are.
    Nothing,
}

/// Whose extents they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The operand of this number.
    Operand(usize),
    /// The shape that the operands must take; the plan does not read it.
    Target,
    /// What an index selects of operand 0.
    Selection,
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Party::Operand(operand) => write!(f, "operand {operand}"),
            Party::Target => f.write_str("the target"),
            Party::Selection => f.write_str("the selection"),
        }
    }
}

/// An operand, or the target, laid under the result.
#[derive(Clone, Debug)]
pub struct Laid<'a, E> {
    /// Whose extents.
    pub party: Party,
    /// The extents.
    pub extents: &'a [E],
    /// Where they lie.
    pub alignment: Alignment,
    /// Whether those of 1 grow.
    pub stretch: Stretch,
}

/// Why aligned operands do not unify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Extents on some axes of the result do not go together.
    Clash {
        /// All these axes, in order.
        axes: Vec<usize>,
        /// What clashes on the first of them.
        first: Box<Clash>,
        /// What clashes on the last of them.
        last: Box<Clash>,
    },
    /// The plan would have more entries than [`MOST_SOURCES`].
    TooLarge,
}

/// The most entries a plan may have: operands times axes of the result.
pub const MOST_SOURCES: usize = 1 << 26;

/// Two extents on one axis of the result that do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The axis of the result.
    pub axis: usize,
    /// The two.
    pub found: [Found; 2],
}

/// How one operand, or the target, was aligned: its own axis for each axis of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Under {
    /// Whose axes.
    pub party: Party,
    /// For each axis of the result, the axis that lies under it.
    pub axes: Vec<Option<usize>>,
}

/// One extent that lies on the axis of a [`Clash`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whose it is.
    pub party: Party,
    /// The axis in its own shape.
    pub axis: usize,
    /// The extent.
    pub extent: Dim,
    /// Whether it would stretch if it were 1.
    pub stretch: Stretch,
}

/// Lays aligned operands upon each other; the operands must be numbered from 0 in order.
///
/// ```
/// use ndcast_shape::{Alignment, Laid, Party, Source, Stretch, unify};
/// let laid = |operand, extents: &'static [usize], first| Laid {
///     party: Party::Operand(operand),
///     extents,
///     alignment: Alignment::at(first, extents.len(), 2).unwrap(),
///     stretch: Stretch::Ones,
/// };
/// let plan = unify(2, &[laid(0, &[2, 1][..], 0), laid(1, &[3], 1)]).unwrap();
/// assert_eq!(plan.shape(), [2, 3]);
/// assert_eq!(plan.operand(0), [Source::Axis(0), Source::Stretched(1)]);
/// assert_eq!(plan.operand(1), [Source::New, Source::Axis(0)]);
/// ```
///
/// # Errors
/// The axes of the result that clash; or that the plan is too large.
///
/// # Panics
/// If an operand is aligned beyond the result, or the operands are not numbered from 0 in order.
pub fn unify<E: Extent>(rank: usize, laid: &[Laid<'_, E>]) -> Result<Plan<E>, Mismatch> {
    let mut settled: Vec<Settled<E>> = vec![Settled::Nothing; rank];
    for (position, l) in laid.iter().enumerate() {
        for (own, extent) in l.extents.iter().enumerate() {
            let here = &mut settled[l.alignment.over(own)];
            let before = std::mem::replace(here, Settled::Nothing);
            *here = match before {
                Settled::Clash { .. } => before,
                before => before.and(extent, l.stretch).unwrap_or(Settled::Clash { position, own }),
            };
        }
    }
    let clash = |axis: usize| match settled[axis] {
        Settled::Clash { position, own } => Some(clash(axis, laid, position, own)),
        _ => None,
    };
    if let Some(first) = (0..rank).find_map(clash) {
        let axes: Vec<usize> =
            (0..rank).filter(|&axis| matches!(settled[axis], Settled::Clash { .. })).collect();
        let last = (0..rank).rev().find_map(clash).unwrap_or_else(|| first.clone());
        return Err(Mismatch::Clash { axes, first: Box::new(first), last: Box::new(last) });
    }
    let operands: Vec<&Laid<'_, E>> = laid.iter().filter(|l| l.party != Party::Target).collect();
    if operands.len().checked_mul(rank).is_none_or(|entries| entries > MOST_SOURCES) {
        return Err(Mismatch::TooLarge);
    }
    let mut sources = vec![Source::New; operands.len() * rank];
    for (operand, l) in operands.iter().enumerate() {
        assert_eq!(l.party, Party::Operand(operand), "operands are numbered from 0 in order");
        for (own, extent) in l.extents.iter().enumerate() {
            let axis = l.alignment.over(own);
            sources[operand * rank + axis] = settled[axis].read_by(own, extent, l.stretch);
        }
    }
    let shape = settled.into_iter().map(Settled::extent).collect();
    Ok(Plan::from_parts(shape, sources, operands.len()))
}

/// What is known of one axis of the result, after some of what lies on it.
#[derive(Clone, Debug)]
enum Settled<E> {
    /// Nothing lies on it: it holds one element.
    Nothing,
    Extent {
        extent: E,
        /// Whether all that lies on it may grow.
        stretch: Stretch,
        /// How many of the extents on it are not certainly 1.
        not_one: usize,
    },
    /// The extents on it clash; the first that does not fit is axis `own` of `laid[position]`.
    Clash { position: usize, own: usize },
}

impl<E: Extent> Settled<E> {
    /// Adds an extent; `None` if it clashes with those before.
    fn and(self, next: &E, next_stretch: Stretch) -> Option<Settled<E>> {
        let one_more = usize::from(!next.is_one());
        let (extent, stretch, not_one) = match self {
            Settled::Clash { .. } => return None,
            Settled::Nothing => {
                return Some(Settled::Extent {
                    extent: next.clone(),
                    stretch: next_stretch,
                    not_one: one_more,
                });
            }
            Settled::Extent { extent, stretch, not_one } => (extent, stretch, not_one),
        };
        // Where an extent may be 1 and may grow, it is no limit to the other.
        let may_grow = |e: &E, stretch| stretch == Stretch::Ones && e.may_be_one();
        let joined = match (may_grow(&extent, stretch), may_grow(next, next_stretch)) {
            (true, true) if extent.is_one() => next.clone(),
            (true, true) if next.is_one() => extent,
            (true, true) => extent.hull(next),
            (true, false) => next.clone(),
            (false, true) => extent,
            (false, false) => extent.meet(next)?,
        };
        let stretch = if next_stretch == Stretch::Nothing { next_stretch } else { stretch };
        Some(Settled::Extent { extent: joined, stretch, not_one: not_one + one_more })
    }

    fn extent(self) -> E {
        match self {
            Settled::Extent { extent, .. } => extent,
            Settled::Nothing | Settled::Clash { .. } => E::ONE,
        }
    }

    /// How the operand's axis `own`, which lies here with this extent, is read.
    fn read_by(&self, own: usize, own_extent: &E, stretch: Stretch) -> Source {
        let Settled::Extent { extent, not_one, .. } = self else { return Source::Axis(own) };
        let others_are_one = *not_one == usize::from(!own_extent.is_one());
        if own_extent.same(extent) || (others_are_one && !own_extent.is_one()) {
            return Source::Axis(own);
        }
        if own_extent.is_one() {
            return Source::Stretched(own);
        }
        if stretch == Stretch::Nothing || !own_extent.may_be_one() {
            return Source::Axis(own);
        }
        match own_extent.meet(extent) {
            // It is 1, or the extents would clash.
            None => Source::Stretched(own),
            Some(both) if both.is_one() && !extent.is_one() => Source::Stretched(own),
            Some(_) => Source::Undecided(own),
        }
    }
}

/// The pair to report: axis `own` of `laid[position]`, and the first before it that clashes with it alone, else the
/// last before it.
fn clash<E: Extent>(axis: usize, laid: &[Laid<'_, E>], position: usize, own: usize) -> Clash {
    let culprit = &laid[position];
    let here = |l: &Laid<'_, E>| (0..l.extents.len()).find(|&own| l.alignment.over(own) == axis);
    let before = || laid[..position].iter().filter_map(|l| Some((l, here(l)?)));
    let at_odds = |(other, other_own): &(&Laid<'_, E>, usize)| {
        let first = Settled::Nothing.and(&other.extents[*other_own], other.stretch);
        first.and_then(|first| first.and(&culprit.extents[own], culprit.stretch)).is_none()
    };
    let (other, other_own) =
        before().find(at_odds).or_else(|| before().next_back()).unwrap_or((culprit, own));
    let found = |l: &Laid<'_, E>, own: usize| Found {
        party: l.party,
        axis: own,
        extent: l.extents[own].clone().into(),
        stretch: l.stretch,
    };
    Clash { axis, found: [found(other, other_own), found(culprit, own)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Extents on one axis; one that must not stretch is written with a `!`.
    fn on_one_axis<T>(extents: &str, then: impl Fn(&[Laid<'_, Dim>]) -> T) -> T {
        let dims: Vec<_> =
            extents.split(' ').map(|e| [e.trim_end_matches('!').parse::<Dim>().unwrap()]).collect();
        let laid = |(operand, (text, extents)): (usize, (&str, _))| Laid {
            party: Party::Operand(operand),
            extents,
            alignment: Alignment::LEFT,
            stretch: if text.ends_with('!') { Stretch::Nothing } else { Stretch::Ones },
        };
        let extents = extents.split(' ').zip(dims.iter().map(|d| &d[..])).enumerate();
        then(&extents.map(laid).collect::<Vec<_>>())
    }

    #[test]
    fn extents_on_one_axis() {
        for (extents, result) in [
            ("3 3", "3"),
            ("1 3", "3"),
            ("1 0", "0"),
            ("0 0", "0"),
            ("2 0", "operand 0 and operand 1"),
            ("2 1 3", "operand 0 and operand 2"),
            ("1 3 3 4 5", "operand 1 and operand 3"),
            ("3 1!", "operand 0 and operand 1"),
            ("1 3!", "3"),
            ("1! 1!", "1"),
            ("? 3", "3"),
            ("? 1", "?"),
            ("? ?", "?"),
            ("N N", "N"),
            ("N M", "?"),
            ("N 1", "N"),
            ("N 4", "4"),
            ("N! 4!", "4"),
            ("N! 3..5! 7!", "operand 1 and operand 2"),
            ("3..5! 7! N!", "operand 0 and operand 1"),
            ("1..3 2..5", "2..5"),
            ("2..3 2..5", "2..3"),
            ("2..3 4..5", "operand 0 and operand 1"),
            ("..3 4..5", "4..5"),
            ("1..8 1..9", "1..9"),
            ("1..10 3..19", "3..19"),
            ("2..3! ?", "2..3"),
            ("?! ..4!", "..4"),
        ] {
            let found = on_one_axis(extents, |laid| match unify(1, laid) {
                Ok(plan) => plan.shape()[0].to_string(),
                Err(Mismatch::Clash { first, .. }) => {
                    first.found.map(|found| found.party.to_string()).join(" and ")
                }
                Err(Mismatch::TooLarge) => unreachable!(),
            });
            assert_eq!(found, result, "{extents}");
        }
    }

    /// What is said of three extents on one axis is exactly what their fillings can be.
    #[test]
    fn partial_answers_are_tight() {
        let texts = ["0", "1", "2", "3", "?", "..1", "..2", "1..2", "2..3", "2..", "N"];
        for a in texts {
            for b in texts {
                for c in ["1", "2", "?", "1..3", "N"] {
                    let extents = [a, b, c].join(" ");
                    on_one_axis(&extents, |laid| check_tight(&extents, laid));
                }
            }
        }
    }

    fn check_tight(extents: &str, laid: &[Laid<'_, Dim>]) {
        let mut results = vec![];
        let mut sources = vec![vec![]; laid.len()];
        for number in 0..6usize.pow(3) {
            let filling = [number % 6, number / 6 % 6, number / 36];
            let fits = |(l, &n): (&Laid<'_, Dim>, &usize)| l.extents[0].contains(n);
            let named: Vec<_> =
                laid.iter().zip(&filling).filter(|(l, _)| matches!(l.extents[0], Dim::Symbol(_))).collect();
            if !laid.iter().zip(&filling).all(fits) || named.windows(2).any(|pair| pair[0].1 != pair[1].1) {
                continue;
            }
            let dims = filling.map(|n| [n]);
            let known = laid.iter().zip(&dims).map(|(l, extents)| Laid {
                party: l.party,
                extents: &extents[..],
                alignment: Alignment::LEFT,
                stretch: l.stretch,
            });
            if let Ok(plan) = unify(1, &known.collect::<Vec<_>>()) {
                results.push(plan.shape()[0]);
                for (operand, sources) in sources.iter_mut().enumerate() {
                    // Whether it walks where that is not the same as staying.
                    sources.extend((plan.shape()[0] != 1).then_some(plan.operand(operand)[0]));
                }
            }
        }
        let Ok(plan) = unify(1, laid) else {
            assert!(results.is_empty(), "{extents}");
            return;
        };
        assert!(!results.is_empty(), "{extents} is refused by every filling");
        for result in &results {
            assert!(plan.shape()[0].contains(*result), "{extents}");
        }
        for (operand, found) in sources.iter().enumerate() {
            let both = found.contains(&Source::Axis(0)) && found.contains(&Source::Stretched(0));
            let said = plan.operand(operand)[0];
            assert_eq!(
                said == Source::Undecided(0),
                both,
                "{extents}: operand {operand} is {said:?}, {found:?}"
            );
        }
    }
}
