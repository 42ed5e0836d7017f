//! What extents that are not known must turn out to be, for the rule to let them pass.

use crate::extent::{Dim, Extent};
use crate::plan::{Plan, Source};
use crate::rule::Request;

/// At most this many conditions are listed; of the rest, the number.
const MOST_SHOWN: usize = 4;

/// A line for each condition; nothing if there is none.
pub(super) fn of_plan(plan: &Plan<Dim>, request: &Request) -> String {
    let all: Vec<String> =
        (0..plan.operand_count()).flat_map(|operand| of_operand(plan, request, operand)).collect();
    let mut text: String =
        all.iter().take(MOST_SHOWN).map(|condition| format!("  only if {condition}\n")).collect();
    if all.len() > MOST_SHOWN {
        text.push_str(&format!("  and {} conditions more\n", all.len() - MOST_SHOWN));
    }
    text
}

fn of_operand(plan: &Plan<Dim>, request: &Request, operand: usize) -> Vec<String> {
    let shape = request.read(operand);
    let own = |axis: usize| shape.dims().and_then(|dims| dims.get(axis));
    let condition = |(axis, source): (usize, &Source)| {
        let result = &plan.shape()[axis];
        let must = |own_axis: usize, what: String| {
            let extent = own(own_axis).filter(|extent| extent.known().is_none() && *extent != result)?;
            Some(format!("axis {own_axis} of operand {operand}, {extent}, is {what}"))
        };
        match *source {
            Source::Axis(a) => must(a, result.to_string()),
            Source::Stretched(a) => must(a, "1".to_owned()),
            Source::Undecided(a) if *result != Dim::UNKNOWN => must(a, format!("1 or {result}")),
            Source::Undecided(a) if plan.operand_count() > 1 => must(a, "1 or that of the others".to_owned()),
            Source::Undecided(a) => must(a, "1 or the target's".to_owned()),
            Source::New => None,
        }
    };
    plan.operand(operand).iter().enumerate().filter_map(condition).collect()
}
