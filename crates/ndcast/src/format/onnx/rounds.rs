//! Loops, written out round by round: `Loop`, whose rounds must be known when the model is read, and `Scan`, which has one for
//! each element along an axis.

use ndcast_shape::{Extent, Index};

use super::branch::graph_of;
use super::proto::{Attribute, Node};
use super::reader::{Frame, Reader, found};
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Concatenate, Slice};
use crate::graph::steps::axis_of;
use crate::layout::as_i64;
use crate::tensor::Tensor;

/// The error if the number of rounds is known only at run time.
fn unknown(what: &str) -> Error {
    Error::value(format!(
        "how many rounds it takes must be known when the model is read, and {what} is not computed from constants"
    ))
}

/// An attribute of integers, one for each of some values; 0 for each if it is left out.
fn integers(node: &Node<'_>, name: &str, count: usize) -> Result<Vec<i64>, Error> {
    let attribute = node.attributes.iter().find(|attribute| attribute.name == name);
    let Some(Attribute { ints, .. }) = attribute else { return Ok(vec![0; count]) };
    match ints.len() == count {
        true => Ok(ints.iter().map(|n| n.cast_signed()).collect()),
        false => Err(Error::value(format!("{name} holds {} numbers, and not {count}", ints.len()))),
    }
}

impl<'m> Reader<'m> {
    /// The loop-carried values after the last round of a `Loop`, then its scan outputs, stacked.
    pub(super) fn rounds(&mut self, frame: &Frame<'m>, node: &'m Node<'m>) -> Result<Vec<Id>, Error> {
        let body = graph_of(node, "body")?;
        let [most, condition, carried @ ..] = &node.inputs[..] else {
            return Err(Error::value("it takes a number of rounds and a condition".to_owned()));
        };
        let most = match found(&frame.values, most)? {
            None => i64::MAX,
            Some(id) => match self.integers(id)?.as_deref() {
                Some([most]) => *most,
                _ => return Err(unknown("their number")),
            },
        };
        let known = |truth: Option<bool>| truth.ok_or_else(|| unknown("its condition"));
        let mut goes_on = match found(&frame.values, condition)? {
            None => true,
            Some(id) => known(self.truth(id)?)?,
        };
        let mut carried = self.given(frame, carried)?;
        let scans = body.outputs.len().checked_sub(1 + carried.len());
        let scans = scans.ok_or_else(|| {
            let (found, least) = (body.outputs.len(), 1 + carried.len());
            Error::value(format!("its body gives {found} values, and must give {least} or more"))
        })?;
        let mut rows = vec![Vec::new(); scans];
        let mut round = 0;
        while goes_on && round < most {
            let number = self.graph.constant(Tensor::scalar(round)?)?;
            let truth = self.graph.constant(Tensor::scalar(true)?)?;
            let given: Vec<Id> = [number, truth].into_iter().chain(carried.iter().copied()).collect();
            let mut made = self.within(frame, body, &given)?.into_iter();
            let Some(again) = made.next() else { break };
            goes_on = known(self.truth(again)?)?;
            carried.iter_mut().zip(made.by_ref()).for_each(|(before, made)| *before = made);
            rows.iter_mut().zip(made).for_each(|(rows, made)| rows.push(made));
            round += 1;
        }
        for rows in rows {
            carried.push(self.stacked(rows, 0)?);
        }
        Ok(carried)
    }

    /// The values behind the last element of a `Scan`, and what was made of each, one behind the other.
    pub(super) fn scanned(&mut self, frame: &Frame<'m>, node: &'m Node<'m>) -> Result<Vec<Id>, Error> {
        let body = graph_of(node, "body")?;
        let inputs = self.given(frame, &node.inputs)?;
        let count = node.attributes.iter().find(|attribute| attribute.name == "num_scan_inputs");
        let count = count.and_then(|attribute| usize::try_from(attribute.int).ok()).unwrap_or(0);
        let states = inputs.len().checked_sub(count).filter(|_| count > 0);
        let states = states.ok_or_else(|| {
            Error::value(format!("it cannot go through {count} of {} inputs", inputs.len()))
        })?;
        let (first, through) = inputs.split_at(states);
        let outputs = body.outputs.len().checked_sub(states);
        let outputs = outputs.ok_or_else(|| {
            Error::value(format!(
                "its body gives {} values, and must give {states} or more",
                body.outputs.len()
            ))
        })?;
        let axes = integers(node, "scan_input_axes", count)?;
        let backwards = integers(node, "scan_input_directions", count)?;
        let mut lengths = Vec::with_capacity(count);
        let mut places = Vec::with_capacity(count);
        for (&x, axis) in through.iter().zip(axes) {
            let axis = axis_of(axis, self.graph.known_rank(x)?)?;
            let length = self.graph.known_dims(x)?[axis].known();
            lengths.push(length.ok_or_else(|| unknown(&format!("the extent of axis {axis}")))?);
            places.push(axis);
        }
        let length = lengths[0];
        if lengths.iter().any(|other| *other != length) {
            return Err(Error::value(format!("what it goes through has different lengths: {lengths:?}")));
        }
        let mut carried = first.to_vec();
        let mut rows = vec![Vec::new(); outputs];
        for round in 0..length {
            let mut given = carried.clone();
            for ((&x, &axis), &backwards) in through.iter().zip(&places).zip(&backwards) {
                let at = if backwards == 1 { length - 1 - round } else { round };
                let mut index = vec![Index::WHOLE; axis];
                index.push(Index::At(as_i64(at)));
                given.push(self.graph.add(Slice { index }, &[x])?);
            }
            let mut made = self.within(frame, body, &given)?.into_iter();
            carried.iter_mut().zip(made.by_ref()).for_each(|(before, made)| *before = made);
            rows.iter_mut().zip(made).for_each(|(rows, made)| rows.push(made));
        }
        let axes = integers(node, "scan_output_axes", outputs)?;
        let backwards = integers(node, "scan_output_directions", outputs)?;
        for ((mut rows, axis), backwards) in rows.into_iter().zip(axes).zip(backwards) {
            if backwards == 1 {
                rows.reverse();
            }
            carried.push(self.stacked(rows, axis)?);
        }
        Ok(carried)
    }

    /// What inputs stand for, none of which may be left out.
    fn given(&self, frame: &Frame<'m>, names: &[&'m str]) -> Result<Vec<Id>, Error> {
        let given = names.iter().map(|name| {
            found(&frame.values, name)?
                .ok_or_else(|| Error::value("a value that it carries is left out".to_owned()))
        });
        given.collect()
    }

    /// Values one behind the other along a new axis.
    fn stacked(&mut self, rows: Vec<Id>, axis: i64) -> Result<Id, Error> {
        let Some(&first) = rows.first() else {
            return Err(Error::value(
                "it has no rounds, so that the shape of what they make is not known".to_owned(),
            ));
        };
        let axis = axis_of(axis, self.graph.known_rank(first)? + 1)?;
        let rows =
            rows.into_iter().map(|row| self.graph.with_axes(row, &[axis])).collect::<Result<Vec<_>, _>>()?;
        self.graph.add(Concatenate { axis }, &rows)
    }
}
