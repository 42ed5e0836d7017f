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
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Party::Operand(operand) => write!(f, "operand {operand}"),
            Party::Target => f.write_str("the target"),
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
pub struct Mismatch {
    /// Every axis of the result that clashes, in order.
    pub clashes: Vec<Clash>,
    /// Where the axes lay.
    pub layout: Vec<Under>,
}

/// Where one operand, or the target, lay: for each axis of the result, its own axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Under {
    /// Whose axes.
    pub party: Party,
    /// For each axis of the result, the axis that lies under it.
    pub axes: Vec<Option<usize>>,
}

/// Extents on one axis of the result that do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The axis of the result.
    pub axis: usize,
    /// What is at odds on it.
    pub found: Vec<Found>,
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
/// let laid = |operand, extents, first| Laid {
///     party: Party::Operand(operand),
///     extents,
///     alignment: Alignment::At(first),
///     stretch: Stretch::Ones,
/// };
/// let plan = unify(2, &[laid(0, &[2, 1][..], 0), laid(1, &[3], 1)]).unwrap();
/// assert_eq!(plan.shape(), [2, 3]);
/// assert_eq!(plan.operand(0), [Source::Axis(0), Source::Stretched(1)]);
/// assert_eq!(plan.operand(1), [Source::New, Source::Axis(0)]);
/// ```
///
/// # Errors
/// All the axes of the result that clash, in order.
pub fn unify<E: Extent>(rank: usize, laid: &[Laid<'_, E>]) -> Result<Plan<E>, Mismatch> {
    let operands = laid.iter().filter(|l| l.party != Party::Target).count();
    let mut shape = Vec::with_capacity(rank);
    let mut sources = vec![Source::New; operands * rank];
    let mut clashes = vec![];
    for axis in 0..rank {
        let Some((extent, laid_here)) = settle(axis, laid) else {
            clashes.push(clash(axis, laid));
            continue;
        };
        for l in laid {
            if let (Party::Operand(operand), Some(a)) = (l.party, l.alignment.under(axis, l.extents.len())) {
                let own = &l.extents[a];
                sources[operand * rank + axis] = if laid_here == 1 || own.same(&extent) {
                    Source::Axis(a)
                } else if own.is_one() {
                    Source::Stretched(a)
                } else if l.stretch == Stretch::Nothing || !own.may_be_one() {
                    Source::Axis(a)
                } else {
                    Source::Undecided(a)
                };
            }
        }
        shape.push(extent);
    }
    if clashes.is_empty() {
        Ok(Plan::from_parts(shape, sources, operands))
    } else {
        Err(Mismatch { clashes, layout: layout(rank, laid) })
    }
}

/// Where everything lies, for an error.
pub(crate) fn layout<E: Extent>(rank: usize, laid: &[Laid<'_, E>]) -> Vec<Under> {
    let under = |l: &Laid<'_, E>| (0..rank).map(|axis| l.alignment.under(axis, l.extents.len())).collect();
    laid.iter().map(|l| Under { party: l.party, axes: under(l) }).collect()
}

/// The extent of one axis of the result, and how many extents lie on it.
fn settle<E: Extent>(axis: usize, laid: &[Laid<'_, E>]) -> Option<(E, usize)> {
    let mut settled: Option<(E, Stretch)> = None;
    let mut count = 0;
    for l in laid {
        let Some(a) = l.alignment.under(axis, l.extents.len()) else { continue };
        let next = &l.extents[a];
        count += 1;
        settled = Some(match settled {
            None => (next.clone(), l.stretch),
            Some((extent, stretch)) => {
                // Where an extent may be 1 and may grow, it is no limit to the other.
                let may_grow = |e: &E, stretch| stretch == Stretch::Ones && e.may_be_one();
                let joined = match (may_grow(&extent, stretch), may_grow(next, l.stretch)) {
                    (true, true) if extent.is_one() => next.clone(),
                    (true, true) if next.is_one() => extent,
                    (true, true) => extent.hull(next),
                    (true, false) => next.clone(),
                    (false, true) => extent,
                    (false, false) => extent.meet(next)?,
                };
                (joined, if l.stretch == Stretch::Nothing { l.stretch } else { stretch })
            }
        });
    }
    // An axis that nothing lies on holds one element.
    Some(settled.map_or((E::ONE, 0), |(extent, _)| (extent, count)))
}

/// What clashes on one axis: of equal extents the first, without those that agree with all others.
fn clash<E: Extent>(axis: usize, laid: &[Laid<'_, E>]) -> Clash {
    let mut different: Vec<(usize, &Laid<'_, E>, &E)> = vec![];
    for l in laid {
        let Some(own) = l.alignment.under(axis, l.extents.len()) else { continue };
        let extent = &l.extents[own];
        let known = different.iter().any(|(_, other, e)| *e == extent && other.stretch == l.stretch);
        // A few are enough to show; this also keeps thousands of operands from taking thousands squared.
        if !known && different.len() < 16 {
            different.push((own, l, extent));
        }
    }
    let at_odds = |a: &Laid<'_, E>, b: &Laid<'_, E>| settle(axis, &[a.clone(), b.clone()]).is_none();
    let guilty = different.iter().filter(|(_, l, _)| different.iter().any(|(_, other, _)| at_odds(l, other)));
    let mut found: Vec<_> = guilty.collect();
    if found.is_empty() {
        found = different.iter().collect();
    }
    let found = found.into_iter().map(|&(own, l, extent)| Found {
        party: l.party,
        axis: own,
        extent: extent.clone().into(),
        stretch: l.stretch,
    });
    Clash { axis, found: found.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One axis with these extents on it; an extent that must not stretch is written with a `!`.
    fn on_one_axis(extents: &str) -> Result<String, usize> {
        let dims: Vec<_> =
            extents.split(' ').map(|e| [e.trim_end_matches('!').parse::<Dim>().unwrap()]).collect();
        let laid: Vec<_> = extents
            .split(' ')
            .zip(&dims)
            .enumerate()
            .map(|(operand, (text, extents))| Laid {
                party: Party::Operand(operand),
                extents,
                alignment: Alignment::At(0),
                stretch: if text.ends_with('!') { Stretch::Nothing } else { Stretch::Ones },
            })
            .collect();
        unify(1, &laid)
            .map(|plan| plan.shape()[0].to_string())
            .map_err(|mismatch| mismatch.clashes[0].found.len())
    }

    #[test]
    fn extents_on_one_axis() {
        for (extents, result) in [
            ("3 3", Ok("3")),
            ("1 3", Ok("3")),
            ("1 0", Ok("0")),
            ("0 0", Ok("0")),
            ("2 0", Err(2)),
            ("2 1 3", Err(2)),
            ("3 1!", Err(2)),
            ("1 3!", Ok("3")),
            ("1! 1!", Ok("1")),
            ("? 3", Ok("3")),
            ("? 1", Ok("?")),
            ("? ?", Ok("?")),
            ("N N", Ok("N")),
            ("N M", Ok("?")),
            ("N 1", Ok("N")),
            ("N 4", Ok("4")),
            ("N! 4!", Ok("4")),
            ("1..3 2..5", Ok("2..5")),
            ("2..3 2..5", Ok("2..3")),
            ("2..3 4..5", Err(2)),
            ("..3 4..5", Ok("4..5")),
            ("1..8 1..9", Ok("1..9")),
            ("1..10 3..19", Ok("3..19")),
            ("2..3! ?", Ok("2..3")),
            ("?! ..4!", Ok("..4")),
        ] {
            assert_eq!(on_one_axis(extents), result.map(str::to_owned), "{extents}");
        }
    }
}
