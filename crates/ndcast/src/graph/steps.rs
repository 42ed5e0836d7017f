//! The steps that composite operations are made of, whichever dialect's: what must be known of a node, and the few nodes
//! that nearly all need.

use ndcast_shape::rule::array_api;
use ndcast_shape::{Dim, Extent, Index};

use super::kind::{
    Apply, Argsort, Broadcast, Concatenate, Convert, Fit, Lay, Range, Reduce, Reshape, ReshapeTo, ShapeOf,
    Slice, Take, TakeAlong,
};
use super::{Graph, Id, Kind, Node};
use crate::array::{Keep, Number};
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::{LayoutError, as_i64};
use crate::op::Op;
use crate::reduction::Reduction;

/// The axis that a number means, which counts from the end if it is negative.
pub(crate) fn axis_of(axis: i64, rank: usize) -> Result<usize, Error> {
    let signed = as_i64(rank);
    let found = usize::try_from(if axis < 0 { axis.saturating_add(signed) } else { axis }).ok();
    found.filter(|&found| found < rank).ok_or_else(|| match usize::try_from(axis) {
        Ok(axis) => LayoutError::NoAxis { axis, rank }.into(),
        Err(_) => Error::value(format!("there is no axis {axis}: the rank is {rank}")),
    })
}

/// The axes that numbers mean, each once, as they are listed.
pub(crate) fn axes_as_listed(axes: &[i64], rank: usize) -> Result<Vec<usize>, Error> {
    let mut found = Vec::with_capacity(axes.len().min(rank));
    for &axis in axes {
        let axis = axis_of(axis, rank)?;
        if found.contains(&axis) {
            return Err(Error::value(format!("axis {axis} is named twice")));
        }
        found.push(axis);
    }
    Ok(found)
}

/// The axes that numbers mean, each once, in order.
pub(crate) fn axes_of(axes: &[i64], rank: usize) -> Result<Vec<usize>, Error> {
    let mut found = axes_as_listed(axes, rank)?;
    found.sort_unstable();
    Ok(found)
}

impl Graph {
    /// The extents, as far as they are known, of a node whose rank must be.
    pub(crate) fn known_dims(&self, id: Id) -> Result<&[Dim], Error> {
        let dims = self.node(id)?.dims();
        dims.ok_or_else(|| Error::value("the rank of its input must be known".to_owned()))
    }

    /// The rank, which must be known.
    pub(crate) fn known_rank(&self, id: Id) -> Result<usize, Error> {
        self.known_dims(id).map(<[Dim]>::len)
    }

    /// Operands broadcast to one shape as the Array API does.
    pub(crate) fn joined_all(&mut self, operands: &[Id]) -> Result<Vec<Id>, Error> {
        let mut first = None;
        let mut equal = true;
        for &id in operands {
            let shape = self.node(id)?.shape();
            equal &= shape.dims().is_some_and(|dims| dims.iter().all(Extent::is_definite));
            equal &= *first.get_or_insert(shape) == shape;
        }
        if equal {
            return Ok(operands.to_vec());
        }
        self.laid(operands, |operand| Fit::join(operands.len(), operand))
    }

    /// Operands over the shape that they have together; what lies as it is gets no node.
    pub(crate) fn laid(&mut self, operands: &[Id], fit: impl Fn(usize) -> Fit) -> Result<Vec<Id>, Error> {
        (0..operands.len()).map(|operand| self.add(fit(operand), operands)).collect()
    }

    /// An array over a target that is an array: last axis on last axis.
    pub(crate) fn over(&mut self, x: Id, target: Id) -> Result<Id, Error> {
        self.add(Fit::new(&array_api::BROADCAST_TO, 1, 0), &[x, target])
    }

    /// An operation on operands that are broadcast as the Array API does.
    pub(crate) fn op(&mut self, op: Op, operands: &[Id]) -> Result<Id, Error> {
        let joined = self.joined_all(operands)?;
        self.add(Apply(op), &joined)
    }

    /// An operation on a node and a number.
    pub(crate) fn with_number(&mut self, op: Op, x: Id, number: impl Into<Number>) -> Result<Id, Error> {
        let number = self.full_like(number, x)?;
        self.add(Apply(op), &[x, number])
    }

    /// The first so many elements along an axis in order, if not all, and where they are.
    pub(crate) fn sorted(&mut self, x: Id, sort: Argsort, count: Option<Id>) -> Result<[Id; 2], Error> {
        let axis = sort.axis;
        let arguments: Vec<Id> = std::iter::once(x).chain(count).collect();
        let places = self.add(sort, &arguments)?;
        Ok([self.add(TakeAlong { axis }, &[x, places])?, places])
    }

    /// The node of the places, if a node is elements in order: those that these places take.
    pub(crate) fn sort_of(&self, node: &Node) -> Option<Id> {
        let (Kind::TakeAlong(take), &[x, places]) = (node.kind(), node.arguments()) else { return None };
        let found = self.at(places);
        let Kind::Argsort(sort) = found.kind() else { return None };
        // Places of a narrower type may be others.
        let whole = sort.to.size().is_some_and(|size| size >= 4);
        (whole && sort.axis == take.axis && found.arguments().first() == Some(&x)).then_some(places)
    }

    /// The same in another element type, which gets no node if it is its own.
    pub(crate) fn in_type(&mut self, x: Id, to: DType) -> Result<Id, Error> {
        if self.node(x)?.dtype() == to {
            return Ok(x);
        }
        self.add(Convert { to, overflow: Overflow::Numpy }, &[x])
    }

    /// A fold along axes.
    pub(crate) fn fold(
        &mut self,
        reduction: Reduction,
        x: Id,
        axes: &[usize],
        keep: Keep,
    ) -> Result<Id, Error> {
        self.add(Reduce { reduction, axes: axes.to_vec(), keep }, &[x])
    }

    /// With axes of extent 1 put in: those of the result.
    pub(crate) fn with_axes(&mut self, x: Id, new: &[usize]) -> Result<Id, Error> {
        let rank = self.known_rank(x)? + new.len();
        let mut own = 0..;
        let lay = |place: usize| {
            if new.contains(&place) { Lay::New(1) } else { Lay::Axis(own.next().unwrap_or(0)) }
        };
        self.add(Broadcast::new((0..rank).map(lay)), &[x])
    }

    /// What has one axis, along this axis of so many; the others have extent 1.
    pub(crate) fn along(&mut self, x: Id, axis: usize, rank: usize) -> Result<Id, Error> {
        let lay = |place: usize| if place == axis { Lay::Axis(0) } else { Lay::New(1) };
        self.add(Broadcast::new((0..rank).map(lay)), &[x])
    }

    /// Numbers one behind the other along one axis: scalars, and arrays of one axis.
    pub(crate) fn listed(&mut self, numbers: &[Id]) -> Result<Id, Error> {
        let mut parts = Vec::with_capacity(numbers.len());
        for &number in numbers {
            parts.push(match self.known_rank(number)? {
                0 => self.with_axes(number, &[0])?,
                _ => number,
            });
        }
        self.add(Concatenate { axis: 0 }, &parts)
    }

    /// The shape, as an array of 64-bit integers.
    pub(crate) fn shape_of(&mut self, x: Id) -> Result<Id, Error> {
        let known = self.node(x)?.shape().extents();
        let known = known.and_then(|extents| {
            extents.into_iter().map(|extent| i64::try_from(extent).ok()).collect::<Option<Vec<_>>>()
        });
        match known {
            Some(known) => self.integers(&known),
            None => self.add(ShapeOf(DType::I64), &[x]),
        }
    }

    /// How many elements lie along some axes, as a number of a type.
    pub(crate) fn count_along(&mut self, x: Id, axes: &[usize], dtype: DType) -> Result<Id, Error> {
        let dims = self.known_dims(x)?;
        let known = axes.iter().try_fold(1usize, |count, &axis| count.checked_mul(dims.get(axis)?.known()?));
        if let Some(known) = known.and_then(|known| i64::try_from(known).ok()) {
            return self.number(known, dtype);
        }
        let extents = self.extents_of(x, axes)?;
        let count = match axes {
            [_] => self.add(Reshape::new(&[]), &[extents])?,
            _ => self.fold(Reduction::Prod, extents, &[0], Keep::Nothing)?,
        };
        self.in_type(count, dtype)
    }

    /// The extent of an axis, as an array of one 64-bit integer.
    pub(crate) fn extent_of(&mut self, x: Id, axis: usize) -> Result<Id, Error> {
        let known = self.node(x)?.dims().and_then(|dims| dims.get(axis)?.known());
        if let Some(extent) = known {
            return self.integers(&[as_i64(extent)]);
        }
        let shape = self.add(ShapeOf(DType::I64), &[x])?;
        self.part(shape, 0, Some(as_i64(axis)), Some(as_i64(axis + 1)))
    }

    /// The extents of some axes, as an array of 64-bit integers.
    pub(crate) fn extents_of(&mut self, x: Id, axes: &[usize]) -> Result<Id, Error> {
        if let &[axis] = axes {
            return self.extent_of(x, axis);
        }
        let known: Option<Vec<i64>> = match self.node(x)?.dims() {
            Some(dims) => axes.iter().map(|&axis| i64::try_from(dims.get(axis)?.known()?).ok()).collect(),
            None => None,
        };
        if let Some(known) = known {
            return self.integers(&known);
        }
        let shape = self.add(ShapeOf(DType::I64), &[x])?;
        let axes: Vec<i64> = axes.iter().filter_map(|&axis| i64::try_from(axis).ok()).collect();
        let axes = self.integers(&axes)?;
        self.add(Take { axis: 0, batch: 0 }, &[shape, axes])
    }

    /// The array, whose axis must have this extent, an array of one integer, when it runs: only then are there so many
    /// elements.
    pub(crate) fn of_extent(&mut self, x: Id, axis: usize, extent: Id) -> Result<Id, Error> {
        let rank = self.known_rank(x)?;
        let mut pieces = Vec::with_capacity(rank);
        for own in 0..rank {
            pieces.push(if own == axis { extent } else { self.extent_of(x, own)? });
        }
        let to = self.listed(&pieces)?;
        self.add(ReshapeTo, &[x, to])
    }

    /// The numbers 0, 1, 2, ... to before one, which is one integer of any rank.
    pub(crate) fn counted(&mut self, stop: Id) -> Result<Id, Error> {
        let stop = match self.node(stop)?.shape().rank() {
            Some(0) => stop,
            _ => self.add(Reshape::new(&[]), &[stop])?,
        };
        let dtype = self.node(stop)?.dtype();
        let (start, step) = (self.number(0i64, dtype)?, self.number(1i64, dtype)?);
        self.add(Range, &[start, stop, step])
    }

    /// The places along an axis, 0, 1, 2, ..., with the other axes as 1.
    pub(crate) fn places_along(&mut self, x: Id, axis: usize) -> Result<Id, Error> {
        let rank = self.known_rank(x)?;
        let extent = self.extent_of(x, axis)?;
        let places = self.counted(extent)?;
        self.along(places, axis, rank)
    }

    /// What lies along one axis from one place to before another, by Python's rule.
    pub(crate) fn part(
        &mut self,
        x: Id,
        axis: usize,
        start: Option<i64>,
        stop: Option<i64>,
    ) -> Result<Id, Error> {
        let mut index = vec![Index::WHOLE; axis];
        index.push(Index::part(start, stop));
        self.add(Slice { index }, &[x])
    }

    /// Shifted along an axis by one, with a number in the first place.
    pub(crate) fn before(&mut self, x: Id, axis: usize, first: impl Into<Number>) -> Result<Id, Error> {
        let nothing = self.one_along(x, axis, first)?;
        let before = self.part(x, axis, None, Some(-1))?;
        self.add(Concatenate { axis }, &[nothing, before])
    }

    /// Shifted back along an axis by one, with a number in the last place.
    pub(crate) fn behind(&mut self, x: Id, axis: usize, last: impl Into<Number>) -> Result<Id, Error> {
        let nothing = self.one_along(x, axis, last)?;
        let behind = self.part(x, axis, Some(1), None)?;
        self.add(Concatenate { axis }, &[behind, nothing])
    }

    /// A number in the place of the first along an axis, if there is one.
    fn one_along(&mut self, x: Id, axis: usize, number: impl Into<Number>) -> Result<Id, Error> {
        let first = self.part(x, axis, None, Some(1))?;
        self.full_like(number, first)
    }

    /// From the last to the first along an axis.
    pub(crate) fn flipped(&mut self, x: Id, axis: usize) -> Result<Id, Error> {
        let mut index = vec![Index::WHOLE; axis];
        index.push(Index::FLIPPED);
        self.add(Slice { index }, &[x])
    }
}
