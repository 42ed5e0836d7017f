//! Einsum, which ONNX and OpenVINO have in common: products of arrays whose axes have letters, summed along those that the
//! result does not have.
//!
//! What two arrays share and the result does not have is a product of matrices, where it has that form; everything else is
//! one fused product and sum, of which nothing is made in memory but the result.

use ndcast_shape::{Dim, Extent};

use crate::array::Keep;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Lay, MatMul, Transpose};
use crate::graph::{Graph, Id};
use crate::op::Op;
use crate::reduction::Reduction;

/// What an axis is called: a letter, or its place from the end among those that an ellipsis stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Ellipsis(usize),
    Letter(char),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Equation {
    operands: Vec<Vec<Label>>,
    result: Vec<Label>,
}

/// The labels of one part of an equation, for so many axes.
fn labels(part: &str, rank: Option<usize>, ellipsis: usize) -> Result<Vec<Label>, Error> {
    let wrong = |why: String| Error::value(format!("in the equation's part \"{part}\" {why}"));
    if part.replace("...", "").contains('.') {
        return Err(wrong("there is a dot that is no ellipsis, which is \"...\"".to_owned()));
    }
    let letters = part.replace("...", ".");
    let count = letters.chars().filter(|&c| c != '.').count();
    let ellipses = letters.chars().filter(|&c| c == '.').count();
    let covered = match (rank, ellipses) {
        (_, 2..) => return Err(wrong("there is more than one ellipsis".to_owned())),
        (Some(rank), 0) if rank != count => {
            return Err(wrong(format!("there are {count} letters, and the rank is {rank}")));
        }
        (Some(rank), 1) => rank
            .checked_sub(count)
            .ok_or_else(|| wrong(format!("there are {count} letters, and the rank is {rank}")))?,
        _ => ellipsis,
    };
    let mut labels = Vec::new();
    for letter in letters.chars() {
        match letter {
            '.' => labels.extend((0..covered).rev().map(Label::Ellipsis)),
            letter if letter.is_ascii_alphabetic() => labels.push(Label::Letter(letter)),
            other => return Err(wrong(format!("'{other}' is no letter"))),
        }
    }
    Ok(labels)
}

impl Equation {
    fn read(text: &str, ranks: &[usize]) -> Result<Equation, Error> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (left, right) = match text.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (&text[..], None),
        };
        let parts: Vec<&str> = left.split(',').collect();
        if parts.len() != ranks.len() {
            return Err(Error::value(format!(
                "the equation \"{text}\" has {} operands, and {} are given",
                parts.len(),
                ranks.len()
            )));
        }
        let operands = parts
            .iter()
            .zip(ranks)
            .map(|(part, &rank)| labels(part, Some(rank), 0))
            .collect::<Result<Vec<_>, _>>()?;
        let all = || operands.iter().flatten().copied();
        let widest = all()
            .map(|label| if let Label::Ellipsis(place) = label { place + 1 } else { 0 })
            .max()
            .unwrap_or(0);
        let result = match right {
            Some(right) => labels(right, None, widest)?,
            // What the ellipsis stands for, then the letters that are there once, in order of the alphabet.
            None => {
                let once = |label: &Label| all().filter(|other| other == label).count() == 1;
                let mut letters: Vec<Label> =
                    all().filter(|label| matches!(label, Label::Letter(_)) && once(label)).collect();
                letters.sort_unstable();
                (0..widest).rev().map(Label::Ellipsis).chain(letters).collect()
            }
        };
        for (place, label) in result.iter().enumerate() {
            if result[..place].contains(label) {
                return Err(Error::value(format!(
                    "the equation \"{text}\" has a letter of the result twice"
                )));
            }
            if !all().any(|other| other == *label) {
                return Err(Error::value(format!(
                    "the equation \"{text}\" has a letter of the result that no operand has"
                )));
            }
        }
        Ok(Equation { operands, result })
    }
}

/// What an equation says of operands.
pub(super) fn einsum(graph: &mut Graph, equation: &str, inputs: &[Id]) -> Result<Id, Error> {
    Sums { graph }.einsum(equation, inputs)
}

struct Sums<'g> {
    graph: &'g mut Graph,
}

impl Sums<'_> {
    fn einsum(&mut self, equation: &str, inputs: &[Id]) -> Result<Id, Error> {
        let ranks =
            inputs.iter().map(|&input| self.graph.known_rank(input)).collect::<Result<Vec<_>, _>>()?;
        let Equation { mut operands, result } = Equation::read(equation, &ranks)?;
        let mut values = inputs.to_vec();
        self.check_letters(&operands, &values)?;
        for (labels, value) in operands.iter_mut().zip(&mut values) {
            self.diagonal(labels, value)?;
        }
        // What one operand alone has is summed at once.
        for place in 0..operands.len() {
            let alone = |label: &Label| {
                let others = operands.iter().enumerate().filter(|(other, _)| *other != place);
                !result.contains(label) && !others.clone().any(|(_, labels)| labels.contains(label))
            };
            let axes: Vec<usize> =
                (0..operands[place].len()).filter(|&axis| alone(&operands[place][axis])).collect();
            if !axes.is_empty() {
                values[place] = self.graph.fold(Reduction::Sum, values[place], &axes, Keep::Nothing)?;
                let mut axis = 0..;
                operands[place].retain(|_| !axis.next().is_some_and(|axis| axes.contains(&axis)));
            }
        }
        if let ([left, right], &[a, b]) = (&operands[..], &values[..])
            && let Some(product) = self.product_of_matrices([(a, left), (b, right)], &result)?
        {
            return Ok(product);
        }
        self.fused_product(&operands, &values, &result)
    }

    /// Axes of one letter have one extent; those of an ellipsis broadcast.
    fn check_letters(&self, operands: &[Vec<Label>], values: &[Id]) -> Result<(), Error> {
        let mut known: Vec<(Label, Dim)> = Vec::new();
        for (labels, &value) in operands.iter().zip(values) {
            for (&label, dim) in labels.iter().zip(self.graph.known_dims(value)?) {
                let Label::Letter(letter) = label else { continue };
                match known.iter_mut().find(|(other, _)| *other == label) {
                    None => known.push((label, dim.clone())),
                    Some((_, before)) => {
                        *before = before.meet(dim).ok_or_else(|| {
                            Error::value(format!(
                                "an axis called {letter} has extent {before}, and another {dim}"
                            ))
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Where a letter is twice in one operand, that is its diagonal: elsewhere it counts as 0, and is summed.
    fn diagonal(&mut self, labels: &mut Vec<Label>, value: &mut Id) -> Result<(), Error> {
        while let Some(second) = (0..labels.len()).find(|&axis| labels[..axis].contains(&labels[axis])) {
            let first = labels.iter().position(|label| *label == labels[second]).unwrap_or(second);
            let sides = [self.graph.places_along(*value, first)?, self.graph.places_along(*value, second)?];
            let on_it = self.graph.op(Op::Equal, &sides)?;
            let zero = self.graph.number(0, self.graph.node(*value)?.dtype())?;
            let kept = self.graph.op(Op::Where, &[on_it, *value, zero])?;
            *value = self.graph.fold(Reduction::Sum, kept, &[second], Keep::Nothing)?;
            labels.remove(second);
        }
        Ok(())
    }

    /// As a product of matrices, where each side has at most one axis of its own and they share one that is summed.
    fn product_of_matrices(
        &mut self,
        [(a, left), (b, right)]: [(Id, &Vec<Label>); 2],
        result: &[Label],
    ) -> Result<Option<Id>, Error> {
        let only = |own: &Vec<Label>, other: &Vec<Label>| -> Vec<Label> {
            own.iter().copied().filter(|label| !other.contains(label)).collect()
        };
        let (rows, columns) = (only(left, right), only(right, left));
        let shared = |of_result: bool| -> Vec<Label> {
            let both = left.iter().copied().filter(|label| right.contains(label));
            both.filter(|label| result.contains(label) == of_result).collect()
        };
        let (batch, summed) = (shared(true), shared(false));
        let ([depth], [..=1, ..=1]) = (&summed[..], [rows.len(), columns.len()]) else { return Ok(None) };
        // Truth values are multiplied, but not as matrices.
        if self.graph.node(a)?.dtype() == DType::Bool {
            return Ok(None);
        }
        let order = |own: &[Label], wanted: &[Label]| -> Transpose {
            let place = |label: &Label| own.iter().position(|other| other == label).unwrap_or(0);
            Transpose::new(wanted.iter().map(place))
        };
        let wide = |first: &[Label], second: &[Label]| [&batch[..], first, second].concat();
        let a = self.graph.add(order(left, &wide(&rows, &[*depth])), &[a])?;
        let b = self.graph.add(order(right, &wide(&[*depth], &columns)), &[b])?;
        // A side without an axis of its own has one row, or one column.
        let a = if rows.is_empty() { self.graph.with_axes(a, &[batch.len()])? } else { a };
        let b = if columns.is_empty() { self.graph.with_axes(b, &[batch.len() + 1])? } else { b };
        let mut product = self.graph.add(MatMul, &[a, b])?;
        let alone: Vec<usize> = [(rows.is_empty(), 0), (columns.is_empty(), 1)]
            .into_iter()
            .filter(|(empty, _)| *empty)
            .map(|(_, place)| batch.len() + place)
            .collect();
        if !alone.is_empty() {
            product = self.graph.fold(Reduction::Sum, product, &alone, Keep::Nothing)?;
        }
        let made = wide(&rows, &columns);
        self.graph.add(order(&made, result), &[product]).map(Some)
    }

    /// Every operand over all axes, multiplied, and summed along those that the result does not have.
    fn fused_product(
        &mut self,
        operands: &[Vec<Label>],
        values: &[Id],
        result: &[Label],
    ) -> Result<Id, Error> {
        let mut all = result.to_vec();
        for label in operands.iter().flatten() {
            if !all.contains(label) {
                all.push(*label);
            }
        }
        let mut laid = Vec::new();
        for (labels, &value) in operands.iter().zip(values) {
            let lay = |label: &Label| match labels.iter().position(|other| other == label) {
                Some(axis) => Lay::Axis(axis),
                None => Lay::New(1),
            };
            laid.push(self.graph.add(Broadcast::new(all.iter().map(lay)), &[value])?);
        }
        let mut product = laid[0];
        for &other in &laid[1..] {
            product = self.graph.op(Op::Multiply, &[product, other])?;
        }
        let summed: Vec<usize> = (result.len()..all.len()).collect();
        if summed.is_empty() {
            // Nothing but an order of axes.
            let identity = Transpose::new(0..all.len());
            return self.graph.add(identity, &[product]);
        }
        self.graph.fold(Reduction::Sum, product, &summed, Keep::Nothing)
    }
}
