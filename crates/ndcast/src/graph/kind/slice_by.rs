//! Parts of an array by starts, stops and steps that are arguments: computed on the way, or a file's constants.

use std::num::NonZeroI64;

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Extent, Index, Shape, indexed};

use super::fit::{integers, vector};
use super::slice::check_part;
use super::{Carries, Inferred, Insert, Kind, Operation, Settled, Slice};
use crate::array::Array;
use crate::error::Error;
use crate::graph::Entry;
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::Node;
use crate::layout::as_i64;

/// See [`Kind::SliceBy`]. Its arguments: the operand, starts, stops and steps, an integer of each for every one of the
/// axes. Negative starts and stops count from the end; beyond an end they are that end, so that backwards the first element is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceBy {
    /// The axes.
    pub axes: Vec<usize>,
}

/// See [`Kind::InsertBy`]. Its arguments: the operand, the part, then as those of [`SliceBy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsertBy {
    /// The axes.
    pub axes: Vec<usize>,
}

/// Checks that an argument is integers along one axis.
pub(super) fn check_vector(node: &Node) -> Result<(), Error> {
    if !node.dtype.is_integer() {
        return Err(Error::value(format!("extents and places are integers, and these are {}", node.dtype)));
    }
    match node.shape.rank() {
        None | Some(1) => Ok(()),
        Some(_) => {
            let shape = node.shape.brief();
            Err(Error::value(format!("extents and places lie along one axis, and these have shape {shape}")))
        }
    }
}

/// The index of starts, stops and steps of an operand of these extents, as far as they are known; none where one must be that is
/// not.
fn index(
    axes: &[usize],
    extents: &[Option<usize>],
    [starts, stops, steps]: [&[i64]; 3],
) -> Result<Option<Vec<Index>>, Error> {
    let rank = extents.len();
    let mut index = vec![Index::WHOLE; rank];
    for (place, &axis) in axes.iter().enumerate() {
        let (start, stop, step) = (starts[place], stops[place], steps[place]);
        let step = NonZeroI64::new(step).ok_or_else(|| Error::value("a step is 0".to_owned()))?;
        // Backwards the least number is before the first element, which no negative number says otherwise.
        let stop = if step.get() < 0 && stop <= -(i64::MAX / 2) { None } else { Some(stop) };
        let slot = index
            .get_mut(axis)
            .ok_or_else(|| Error::value(format!("there is no axis {axis}: the operand has {rank} axes")))?;
        // DIFFERENCE: what begins before the first element and goes backwards is empty in Python. ONNX clamps a start "to range
        // [0, dims[axes[i]]-1] for negative stepping", and OpenVINO does as ONNX.
        let start = match extents[axis] {
            _ if step.get() > 0 || start >= -1 => start,
            Some(extent) => start.max(-as_i64(extent)),
            None => return Ok(None),
        };
        *slot = Index::Slice { start: Some(start), stop, step };
    }
    Ok(Some(index))
}

/// Checks the arguments that say where, and that there is one of each for every axis.
fn check(axes: &[usize], places: &[&Node]) -> Result<(), Error> {
    for node in places {
        check_vector(node)?;
        if let Some(found) = node.dims().and_then(|dims| dims[0].known())
            && found != axes.len()
        {
            return Err(Error::value(format!("{found} numbers are given for {} axes", axes.len())));
        }
    }
    Ok(())
}

/// The index, if all numbers are known.
fn known(axes: &[usize], operand: &Node, places: &[&Node]) -> Result<Option<Vec<Index>>, Error> {
    let Some(dims) = operand.dims() else { return Ok(None) };
    let extents: Vec<Option<usize>> = dims.iter().map(Dim::known).collect();
    let numbers: Option<Vec<Vec<i64>>> = places.iter().map(|node| node.integers()).collect();
    let Some(numbers) = numbers else { return Ok(None) };
    if numbers.iter().any(|numbers| numbers.len() != axes.len()) {
        return Ok(None);
    }
    index(axes, &extents, [&numbers[0], &numbers[1], &numbers[2]])
}

/// The index, now that all is there.
fn bound(axes: &[usize], operand: &Array, places: &[Array]) -> Result<Vec<Index>, Error> {
    let numbers = places.iter().map(integers).collect::<Result<Vec<_>, _>>()?;
    if let Some(numbers) = numbers.iter().find(|numbers| numbers.len() != axes.len()) {
        return Err(Error::value(format!("{} numbers are given for {} axes", numbers.len(), axes.len())));
    }
    let extents: Vec<Option<usize>> = operand.shape()?.iter().copied().map(Some).collect();
    let index = index(axes, &extents, [&numbers[0], &numbers[1], &numbers[2]])?;
    index.ok_or_else(|| Error::value("the extents are not known".to_owned()))
}

/// What is known of the shape of the part.
fn part(axes: &[usize], operand: &Node, places: &[&Node]) -> Result<Shape, Error> {
    check(axes, places)?;
    let Some(dims) = operand.dims() else { return Ok(Shape::UNRANKED) };
    if let Some(index) = known(axes, operand, places)? {
        return Ok(indexed(dims, &index)?.into());
    }
    let mut shape = dims.to_vec();
    let entries: Vec<Option<Vec<Entry>>> = places.iter().map(|node| vector(node)).collect();
    for (place, &axis) in axes.iter().enumerate() {
        let entry = |of: usize| entries[of].as_ref().and_then(|entries| entries.get(place));
        let extent = shape.get_mut(axis).ok_or_else(|| {
            Error::value(format!("there is no axis {axis}: the operand has {} axes", dims.len()))
        })?;
        let (from_first, by_one) = (entry(0) == Some(&Entry::Int(0)), entry(2) == Some(&Entry::Int(1)));
        let one = match [entry(0), entry(1), entry(2)] {
            [Some(&Entry::Int(start)), Some(&Entry::Int(stop)), Some(&Entry::Int(step))] => {
                index(&[0], &[extent.known()], [&[start], &[stop], &[step]])?
            }
            _ => None,
        };
        *extent = match [entry(0), entry(1), entry(2)] {
            // Of this axis all is known.
            _ if let Some(one) = &one => indexed(std::slice::from_ref(extent), one)?[0].clone(),
            // All of it, up to what is known to be its end.
            [_, Some(Entry::Extent(stop)), _] if from_first && by_one && stop.same(extent) => extent.clone(),
            _ => Dim::between(0, extent.known().or_else(|| extent.bound()?.known())).unwrap_or(Dim::UNKNOWN),
        };
    }
    Ok(shape.into())
}

impl SliceBy {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<SliceBy, Error> {
        Ok(SliceBy { axes: attributes.list("axes")? })
    }
}

impl Operation for SliceBy {
    fn count(&self) -> Count {
        Count::Exactly(4)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        Ok(Inferred { dtype: arguments[0].dtype, shape: part(&self.axes, arguments[0], &arguments[1..])? })
    }

    fn settled(&self, arguments: &[&Node]) -> Result<Option<Settled>, Error> {
        let index = known(&self.axes, arguments[0], &arguments[1..])?;
        Ok(index.map(|index| Settled::first(1, Slice { index })))
    }

    fn run(&self, arguments: &[Array]) -> Array {
        match bound(&self.axes, &arguments[0], &arguments[1..]) {
            Ok(index) => arguments[0].select(&index),
            Err(error) => Err(error.of("slice_by")).into(),
        }
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..1)
    }

    fn write(&self, to: &mut Writer) {
        to.list("axes", &self.axes);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let zeros = back.zeros_like_argument(0)?;
        let mut arguments = back.arguments();
        let d = back.d();
        arguments[0] = zeros;
        arguments.insert(1, d);
        let d = back.add_all(Kind::from(InsertBy { axes: self.axes.clone() }), &arguments)?;
        Ok(back.only(0, d))
    }
}

impl InsertBy {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<InsertBy, Error> {
        Ok(InsertBy { axes: attributes.list("axes")? })
    }
}

impl Operation for InsertBy {
    fn count(&self) -> Count {
        Count::Exactly(5)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = super::elementwise::one_type(&arguments[..2])?;
        let place = part(&self.axes, arguments[0], &arguments[2..])?;
        check_part(&place, arguments[1])?;
        Ok(Inferred { dtype, shape: arguments[0].shape.clone() })
    }

    fn settled(&self, arguments: &[&Node]) -> Result<Option<Settled>, Error> {
        let index = known(&self.axes, arguments[0], &arguments[2..])?;
        Ok(index.map(|index| Settled::first(2, Insert { index })))
    }

    fn run(&self, arguments: &[Array]) -> Array {
        match bound(&self.axes, &arguments[0], &arguments[2..]) {
            Ok(index) => Insert { index }.run(&arguments[..2]),
            Err(error) => Err(error.of("insert_by")).into(),
        }
    }

    fn write(&self, to: &mut Writer) {
        to.list("axes", &self.axes);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let (d, zeros) = (back.d(), back.zeros_like_argument(1)?);
        let mut into = back.arguments();
        let mut part = into.clone();
        (into[0], into[1]) = (d, zeros);
        part[0] = d;
        part.remove(1);
        let into = back.add_all(self.clone(), &into)?;
        let part = back.add_all(Kind::from(SliceBy { axes: self.axes.clone() }), &part)?;
        let mut gradients = back.none();
        (gradients[0], gradients[1]) = (Some(into), Some(part));
        Ok(gradients)
    }
}
