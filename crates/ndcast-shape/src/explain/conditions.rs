//! What extents that are not known must turn out to be, for the rule to let them pass.

use crate::extent::{Dim, Extent};
use crate::plan::{Plan, Source};
use crate::rule::Request;

/// Of more conditions than this only the number is told.
const MOST_SHOWN: usize = 4;

/// A line for each condition; nothing if there is none.
pub(super) fn of_plan(plan: &Plan<Dim>, request: &Request) -> String {
    let each = (0..plan.operand_count()).flat_map(|operand| of_operand(plan, request, operand));
    let all: Vec<String> =
        each.chain((0..plan.shape().len()).filter_map(|axis| of_axis(plan, request, axis))).collect();
    let mut text: String =
        all.iter().take(MOST_SHOWN).map(|condition| format!("  only if {condition}\n")).collect();
    if all.len() > MOST_SHOWN {
        text.push_str(&format!("  and {} conditions more\n", all.len() - MOST_SHOWN));
    }
    text
}

fn of_operand(plan: &Plan<Dim>, request: &Request, operand: usize) -> Vec<String> {
    let condition = |(axis, source): (usize, &Source)| {
        let result = &plan.shape()[axis];
        let must = |own_axis: usize, what: String| {
            let extent = extent(request, operand, own_axis)
                .filter(|extent| extent.known().is_none() && extent != result)?;
            Some(format!("axis {own_axis} of operand {operand}, {extent}, is {what}"))
        };
        match *source {
            Source::Axis(a) => must(a, result.to_string()),
            Source::Stretched(a) => must(a, "1".to_owned()),
            Source::Undecided(a) if *result != Dim::UNKNOWN => must(a, format!("1 or {result}")),
            Source::Undecided(_) | Source::New => None,
        }
    };
    plan.operand(operand).iter().enumerate().filter_map(condition).collect()
}

/// What extents must be that make one of which nothing is known.
fn of_axis(plan: &Plan<Dim>, request: &Request, axis: usize) -> Option<String> {
    if plan.shape()[axis] != Dim::UNKNOWN {
        return None;
    }
    let undecided = |operand: usize| match plan.operand(operand)[axis] {
        Source::Undecided(own) => Some((operand, own, extent(request, operand, own)?)),
        _ => None,
    };
    let all: Vec<_> = (0..plan.operand_count()).filter_map(undecided).collect();
    // Of extents that are written alike that says nothing.
    let (_, _, first) = all.first()?;
    if all.iter().all(|(_, _, extent)| extent == first) {
        return None;
    }
    let names: Vec<String> = all
        .iter()
        .map(|(operand, own, extent)| format!("axis {own} of operand {operand}, {extent}"))
        .collect();
    Some(format!("those that are not 1 are equal: {}", names.join("; ")))
}

fn extent(request: &Request, operand: usize, axis: usize) -> Option<Dim> {
    request.read(operand).dims()?.get(axis).cloned()
}
