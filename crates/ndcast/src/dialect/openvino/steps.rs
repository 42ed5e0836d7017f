//! The steps that layers are made of: what is known of inputs, and the nodes that most layers need.

use std::num::NonZeroI64;

use ndcast_shape::{Dim, Extent};

use super::Builder;
use super::broadcast::{AutoBroadcast, check_integers};
use crate::array::{Keep, Number};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Apply, Concatenate, Fit, Operation, ReshapeTo, ShapeOf, Take};
use crate::graph::{Entry, Id};
use crate::op::Op;
use crate::reduction::Reduction;

/// The step of a whole axis.
pub(super) const ONE: NonZeroI64 = NonZeroI64::new(1).unwrap();

pub(super) use crate::graph::steps::{axes_of, axis_of};

impl Builder<'_> {
    pub(super) fn dtype(&self, id: Id) -> Result<DType, Error> {
        Ok(self.graph.node(id)?.dtype())
    }

    /// The rank, which most layers must know.
    pub(super) fn rank(&self, id: Id) -> Result<usize, Error> {
        self.graph.known_rank(id)
    }

    /// The extents, as far as they are known, of a node whose rank must be.
    pub(super) fn dims(&self, id: Id) -> Result<Vec<Dim>, Error> {
        self.graph.known_dims(id).map(<[Dim]>::to_vec)
    }

    /// The integers of an input, which must be known when the layer is built.
    pub(super) fn known(&self, id: Id, name: &str) -> Result<Vec<i64>, Error> {
        let node = self.graph.node(id)?;
        check_integers(node, name)?;
        node.integers().ok_or_else(|| Error::value(format!("{name} must be known when the model is read")))
    }

    /// The only integer of an input.
    pub(super) fn known_one(&self, id: Id, name: &str) -> Result<i64, Error> {
        match self.known(id, name)?[..] {
            [n] => Ok(n),
            ref all => Err(Error::value(format!("{name} is one integer, and {} are given", all.len()))),
        }
    }

    /// What is known of the elements of an input of one axis.
    pub(super) fn entries(&self, id: Id) -> Result<Option<Vec<Entry>>, Error> {
        let node = self.graph.node(id)?;
        if let Some(entries) = node.entries() {
            return Ok(Some(entries.to_vec()));
        }
        let count = node.dims().and_then(|dims| if let [dim] = dims { dim.known() } else { None });
        Ok(count.filter(|&count| count <= 256).map(|count| vec![Entry::Unknown; count]))
    }

    /// An integer of an input of one axis, as an array of one axis.
    pub(super) fn element(&mut self, of: Id, place: usize) -> Result<Id, Error> {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        let place = self.graph.integers(&[place])?;
        self.graph.add(Take { axis: 0, batch: 0 }, &[of, place])
    }

    /// Operands over their common shape.
    pub(super) fn laid(&mut self, operands: &[Id], auto: AutoBroadcast) -> Result<Vec<Id>, Error> {
        if operands.len() == 1 {
            return Ok(operands.to_vec());
        }
        if auto == AutoBroadcast::None {
            // Nothing is laid; that unknown extents turn out to be equal the operation checks itself.
            let nodes = operands.iter().map(|&id| self.graph.node(id)).collect::<Result<Vec<_>, _>>()?;
            auto.fit(operands.len(), 0).infer(&nodes)?;
            return Ok(operands.to_vec());
        }
        let first = self.graph.node(operands[0])?.shape().clone();
        let definite = first.dims().is_some_and(|dims| dims.iter().all(Extent::is_definite));
        let pdpd = matches!(auto, AutoBroadcast::Pdpd(_));
        let mut equal = definite && !(pdpd && operands.len() > 1);
        for &operand in operands {
            equal &= *self.graph.node(operand)?.shape() == first;
        }
        if equal {
            return Ok(operands.to_vec());
        }
        // What lies as it is needs no node that says so, and gets none.
        (0..operands.len())
            .map(|operand| self.graph.add(auto.fit(operands.len(), operand), operands))
            .collect()
    }

    /// An operation on operands that broadcast as numpy does.
    pub(super) fn op(&mut self, op: Op, operands: &[Id]) -> Result<Id, Error> {
        let laid = self.laid(operands, AutoBroadcast::Numpy)?;
        self.graph.add(Apply(op), &laid)
    }

    /// An operation on an array and a number.
    pub(super) fn with_number(&mut self, op: Op, x: Id, number: impl Into<Number>) -> Result<Id, Error> {
        self.graph.with_number(op, x, number)
    }

    pub(super) fn fold(
        &mut self,
        reduction: Reduction,
        x: Id,
        axes: &[usize],
        keep: Keep,
    ) -> Result<Id, Error> {
        self.graph.fold(reduction, x, axes, keep)
    }

    /// The mean along axes.
    pub(super) fn mean(&mut self, x: Id, axes: &[usize], keep: Keep) -> Result<Id, Error> {
        let sum = self.fold(Reduction::Sum, x, axes, keep)?;
        let count = self.count(x, axes)?;
        let divide = match self.dtype(x)?.class() {
            crate::dtype::Class::Float => Op::Divide,
            // As integers of C++ are divided.
            _ => Op::DivideTowardZero,
        };
        self.op(divide, &[sum, count])
    }

    /// How many elements lie along axes, as a number of the array's own type.
    fn count(&mut self, x: Id, axes: &[usize]) -> Result<Id, Error> {
        let (dims, dtype) = (self.dims(x)?, self.dtype(x)?);
        let known = axes.iter().try_fold(1usize, |count, &axis| count.checked_mul(dims[axis].known()?));
        if let Some(count) = known {
            #[allow(
                clippy::cast_precision_loss,
                reason = "rounded to the nearest, as any count is in this type"
            )]
            return self.graph.number(Number::Float(count as f64), dtype);
        }
        let shape = self.shape_of(x)?;
        let places: Vec<i64> = axes.iter().filter_map(|&axis| i64::try_from(axis).ok()).collect();
        let places = self.graph.integers(&places)?;
        let extents = self.graph.add(Take { axis: 0, batch: 0 }, &[shape, places])?;
        let count = self.fold(Reduction::Prod, extents, &[0], Keep::Nothing)?;
        self.convert(count, dtype)
    }

    /// The extents as an array.
    pub(super) fn shape_of(&mut self, x: Id) -> Result<Id, Error> {
        self.graph.add(ShapeOf(DType::I64), &[x])
    }

    /// One extent, as an array of one axis.
    pub(super) fn extent(&mut self, x: Id, axis: usize) -> Result<Id, Error> {
        self.graph.extents_of(x, &[axis])
    }

    /// Arrays of one axis as one.
    pub(super) fn joined(&mut self, parts: &[Id]) -> Result<Id, Error> {
        self.graph.add(Concatenate { axis: 0 }, parts)
    }

    /// The elements in another shape, which is an array.
    pub(super) fn reshaped(&mut self, x: Id, to: Id) -> Result<Id, Error> {
        self.graph.add(ReshapeTo, &[x, to])
    }

    /// With axes of extent 1 put in: those of the result.
    pub(super) fn with_axes(&mut self, x: Id, new: &[usize]) -> Result<Id, Error> {
        self.graph.with_axes(x, new)
    }

    /// An array over the shape that is the elements of another: last axis on last axis.
    pub(super) fn over(&mut self, x: Id, target: Id) -> Result<Id, Error> {
        self.graph.add(Fit::new(&ndcast_shape::rule::openvino::BROADCAST_NUMPY, 1, 0), &[x, target])
    }

    /// What lies along one axis from one place to before another, by Python's rule.
    pub(super) fn part(
        &mut self,
        x: Id,
        axis: usize,
        start: Option<i64>,
        stop: Option<i64>,
    ) -> Result<Id, Error> {
        self.graph.part(x, axis, start, stop)
    }
}
