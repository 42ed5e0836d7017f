//! Recurrences, of which the gradients of running products are made.

use ndcast_shape::rule::Count;

use super::{Apply, Inferred, Operation, elementwise};
use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::Graph;
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::{Id, Node};
use crate::layout::LayoutError;
use crate::op::Op;

/// See [`Kind::Recur`](super::Kind::Recur): `y[k] = x[k] + factor[k] * y[k - 1]` of the arguments `x` and `factor`, which
/// have one type, of real floats, and one shape. There is nothing before the first, so its factor does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recur {
    /// Along this axis.
    pub axis: usize,
}

impl Recur {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Recur, Error> {
        Ok(Recur { axis: attributes.get("axis")? })
    }

    /// The same from the last to the first, with what lies between two at the later one:
    /// `y[k] = x[k] + between[k + 1] * y[k + 1]`.
    pub(super) fn backwards(&self, graph: &mut Graph, x: Id, between: Id) -> Result<Id, Error> {
        let factors = graph.behind(between, self.axis, 0)?;
        let (x, factors) = (graph.flipped(x, self.axis)?, graph.flipped(factors, self.axis)?);
        let made = graph.add(self.clone(), &[x, factors])?;
        graph.flipped(made, self.axis)
    }
}

impl Operation for Recur {
    fn count(&self) -> Count {
        Count::Exactly(2)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = elementwise::one_type(arguments)?;
        let takes = |dtype: DType| dtype.computes() && dtype.class() == Class::Float;
        if !takes(dtype) {
            return Err(Error::not_taken(dtype, DType::all().filter(|&other| takes(other)).collect()));
        }
        let shape = elementwise::one_shape(arguments)?;
        if let Some(rank) = shape.rank()
            && self.axis >= rank
        {
            return Err(LayoutError::NoAxis { axis: self.axis, rank }.into());
        }
        Ok(Inferred { dtype, shape })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let made = arguments[0].recurrence(&arguments[1], self.axis);
        made.unwrap_or_else(|error| Err(error.of("recur")).into())
    }

    fn write(&self, to: &mut Writer) {
        to.put("axis", self.axis);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let (factors, y, d) = (back.argument(1), back.result(), back.d());
        let of_x = self.backwards(back.graph(), d, factors)?;
        let before = back.graph().before(y, self.axis, 0)?;
        let of_factors = back.add(Apply(Op::Multiply), &[of_x, before])?;
        let mut gradients = back.none();
        (gradients[0], gradients[1]) = (Some(of_x), Some(of_factors));
        Ok(gradients)
    }
}
