//! Einsum: operands laid on the axes that an equation names, multiplied, and summed over the axes that its result does not
//! have. Two matrices (with what batches they have) are multiplied as such.

use super::call::{Built, Call};
use crate::array::Keep;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Broadcast, Lay, MatMul, Transpose};
use crate::op::Op;
use crate::reduction::Reduction;

/// An axis of the equation: a letter, or the so manieth from the right of those behind the dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    /// The higher, the further to the left.
    Dots(usize),
    Letter(char),
}

/// A term with how many axes its dots stand for.
fn labels(term: &str, rank: Option<usize>) -> Result<Vec<Label>, Error> {
    let wrong = || Error::value(format!("the term {term:?} is no list of letters with at most one `...`"));
    let (before, behind, dots) = match term.split_once("...") {
        Some((before, behind)) => (before, behind, true),
        None => (term, "", false),
    };
    let letters = before.chars().chain(behind.chars()).filter(|letter| *letter != ' ');
    if letters.clone().any(|letter| !letter.is_ascii_alphabetic()) {
        return Err(wrong());
    }
    let count = letters.count();
    let hidden = match rank {
        Some(rank) if dots && rank >= count => rank - count,
        Some(rank) if !dots && rank == count => 0,
        Some(rank) => {
            return Err(Error::value(format!(
                "the term {term:?} does not name the axes of an input of rank {rank}"
            )));
        }
        None => 0,
    };
    let letter =
        |text: &str| text.chars().filter(|letter| *letter != ' ').map(Label::Letter).collect::<Vec<_>>();
    Ok([letter(before), (0..hidden).rev().map(Label::Dots).collect(), letter(behind)].concat())
}

/// What an equation says of operands.
pub(super) fn einsum(call: &mut Call<'_>) -> Built {
    let equation = call.text("equation", "")?;
    let inputs = call.all()?;
    let (terms, result) = match equation.split_once("->") {
        Some((terms, result)) => (terms, Some(result)),
        None => (equation, None),
    };
    let terms: Vec<&str> = terms.split(',').collect();
    if terms.len() != inputs.len() {
        let (found, wanted) = (inputs.len(), terms.len());
        return Err(Error::value(format!(
            "the equation {equation:?} has {wanted} terms, and {found} are given"
        )));
    }
    let mut operands = Vec::with_capacity(inputs.len());
    for (&input, term) in inputs.iter().zip(&terms) {
        let labels = labels(term, Some(call.rank(input)?))?;
        operands.push(diagonal(call, input, labels)?);
    }
    let mut hidden: Vec<Label> = Vec::new();
    let mut letters: Vec<Label> = Vec::new();
    for (_, labels) in &operands {
        for &label in labels {
            let list = if matches!(label, Label::Dots(_)) { &mut hidden } else { &mut letters };
            if !list.contains(&label) {
                list.push(label);
            }
        }
    }
    hidden.sort_unstable_by(|a, b| b.cmp(a));
    letters.sort_unstable();
    let wanted = match result {
        // "The output has the letters that appear once, in the order of the alphabet", behind the hidden axes.
        None => {
            let letters_of = |term: &&str| term.chars().collect::<Vec<_>>();
            let all: Vec<char> = terms.iter().flat_map(letters_of).collect();
            let once = |label: &Label| matches!(label, Label::Letter(own) if all.iter().filter(|other| *other == own).count() == 1);
            hidden.iter().copied().chain(letters.iter().copied().filter(once)).collect()
        }
        Some(result) => {
            let plain = labels(result, None)?;
            let dots = if result.contains("...") { &hidden[..] } else { &[] };
            let before = result.split("...").next().unwrap_or_default();
            let first = before.chars().filter(|letter| *letter != ' ').count();
            [&plain[..first], dots, &plain[first..]].concat()
        }
    };
    for (place, label) in wanted.iter().enumerate() {
        let known = letters.contains(label) || hidden.contains(label);
        if !known || wanted[..place].contains(label) {
            return Err(Error::value(format!(
                "the equation {equation:?} has a result of axes it does not have"
            )));
        }
    }
    if let Some(product) = matrices(call, &operands, &wanted)? {
        return Ok(vec![product]);
    }
    let summed: Vec<Label> =
        hidden.into_iter().chain(letters).filter(|label| !wanted.contains(label)).collect();
    let all = [&wanted[..], &summed].concat();
    let laid = operands
        .iter()
        .map(|(operand, labels)| on(call, *operand, labels, &all))
        .collect::<Result<Vec<_>, _>>()?;
    let joined = call.joined(&laid)?;
    let (&first, rest) = joined.split_first().ok_or_else(|| Error::value("it has no input".to_owned()))?;
    let product =
        rest.iter().try_fold(first, |product, &other| call.graph.apply(Op::Multiply, &[product, other]))?;
    if summed.is_empty() {
        return Ok(vec![product]);
    }
    let axes: Vec<usize> = (wanted.len()..all.len()).collect();
    Ok(vec![call.reduce(Reduction::Sum, product, &axes, Keep::Nothing)?])
}

/// A letter that is there twice means the diagonal: the sum over one of the two axes of what is 0 besides it.
fn diagonal(call: &mut Call<'_>, input: Id, mut labels: Vec<Label>) -> Result<(Id, Vec<Label>), Error> {
    let mut x = input;
    while let Some(second) = (1..labels.len()).find(|&place| labels[..place].contains(&labels[place])) {
        let first = labels.iter().position(|label| *label == labels[second]).unwrap_or_default();
        if let (Some(a), Some(b)) = (call.maybe_extent(x, first), call.maybe_extent(x, second))
            && a != b
        {
            return Err(Error::value(format!("a letter names axes of the extents {a} and {b}")));
        }
        let (row, column) = (call.places(x, first)?, call.places(x, second)?);
        let on_it = call.op(Op::Equal, &[row, column])?;
        let zero = call.graph.number(false, call.dtype(x))?;
        let only = call.op(Op::Where, &[on_it, x, zero])?;
        x = call.reduce(Reduction::Sum, only, &[second], Keep::Nothing)?;
        labels.remove(second);
    }
    Ok((x, labels))
}

/// An operand with its axes in the order of all, those that it does not have with extent 1.
fn on(call: &mut Call<'_>, operand: Id, labels: &[Label], all: &[Label]) -> Result<Id, Error> {
    let lay = |label: &Label| match labels.iter().position(|own| own == label) {
        Some(axis) => Lay::Axis(axis),
        None => Lay::New(1),
    };
    call.add(Broadcast::new(all.iter().map(lay)), &[operand])
}

/// Two operands with one letter that is summed and one that each has alone are matrices; what both have besides, their
/// batch.
fn matrices(
    call: &mut Call<'_>,
    operands: &[(Id, Vec<Label>)],
    wanted: &[Label],
) -> Result<Option<Id>, Error> {
    let [(a, a_labels), (b, b_labels)] = operands else { return Ok(None) };
    let all: Vec<Label> =
        a_labels.iter().chain(b_labels.iter().filter(|label| !a_labels.contains(label))).copied().collect();
    let pick = |in_a: bool, in_b: bool, in_result: bool| -> Vec<Label> {
        let is = |label: &&Label| {
            (a_labels.contains(label), b_labels.contains(label), wanted.contains(label))
                == (in_a, in_b, in_result)
        };
        all.iter().filter(is).copied().collect()
    };
    let (rows, columns, depth) = (pick(true, false, true), pick(false, true, true), pick(true, true, false));
    let batch = pick(true, true, true);
    let ([row], [column], [depth]) = (&rows[..], &columns[..], &depth[..]) else { return Ok(None) };
    if batch.len() + 3 != all.len() || !matches!(depth, Label::Letter(_)) {
        return Ok(None);
    }
    let order = |last: [Label; 2]| [&batch[..], &last].concat();
    let (a, b) =
        (on(call, *a, a_labels, &order([*row, *depth]))?, on(call, *b, b_labels, &order([*depth, *column]))?);
    if !multiplies(call.dtype(a)) {
        return Ok(None);
    }
    // An extent of 1 is no reason to stretch what is summed: the equation's letters are equal.
    let product = call.add(MatMul, &[a, b])?;
    let made = order([*row, *column]);
    let order: Option<Vec<usize>> =
        wanted.iter().map(|label| made.iter().position(|own| own == label)).collect();
    match order {
        Some(order) => call.add(Transpose { order }, &[product]).map(Some),
        None => Ok(None),
    }
}

fn multiplies(dtype: DType) -> bool {
    dtype.computes() && dtype != DType::Bool
}
