//! StableHLO and CHLO: what they say otherwise than [`hlo`], or what HLO does not have.
//!
//! <https://github.com/openxla/stablehlo/blob/main/docs/spec.md>
//!
//! The operations of both that are HLO's under other names are [`hlo::Builder`]'s. Here are the elementwise ones by
//! StableHLO's names, `broadcast_in_dim`, CHLO's implicit broadcasts, and the dynamic operations, whose shapes and places
//! are operands.

mod chlo;
mod dynamic;
#[cfg(test)]
mod tests;
mod window;

use ndcast_shape::rule::stablehlo;
use ndcast_shape::{Dim, Shape};

pub use window::WindowOperands;

use super::{hlo, lay};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::{Graph, Id};
use crate::op::Op;

/// What an elementwise operation is called for elements of a type, and the conditions of that name, if StableHLO or CHLO
/// has it.
pub(crate) fn name_of(op: Op, dtype: DType) -> Option<(&'static str, Vec<&'static str>)> {
    hlo::called(|names| names.stablehlo, op, dtype)
}

/// Adds operations to a graph.
///
/// ```
/// use ndcast::{DType, Tensor, dialect::stablehlo::Builder, graph::Graph};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "1x3".parse()?)?;
/// let mut stablehlo = Builder::new(&mut graph);
/// // The specification's own example: axes in another order, and an extent of 1 that stretches.
/// let laid = stablehlo.broadcast_in_dim(x, &"2x3x2".parse()?, &[2, 1])?;
/// let erf = stablehlo.elementwise("chlo.erf", &[laid])?;
/// graph.output("y", erf)?;
/// let x = Tensor::new(&[1, 3], &[0.0f32, 1.0, 2.0])?;
/// assert_eq!(graph.run(&[x])?[0].shape(), [2, 3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder<'g> {
    graph: &'g mut Graph,
}

impl<'g> Builder<'g> {
    /// To this graph.
    pub fn new(graph: &'g mut Graph) -> Builder<'g> {
        Builder { graph }
    }

    /// The graph.
    pub fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    /// The operations that HLO has too.
    pub fn hlo(&mut self) -> hlo::Builder<'_> {
        hlo::Builder::new(self.graph)
    }

    /// The elementwise operation of this name, with `chlo.` before it if it is CHLO's, on operands of one shape and one
    /// element type.
    ///
    /// # Errors
    /// If there is none of the name, or it does not take the element type; if element types or shapes differ.
    pub fn elementwise(&mut self, name: &str, operands: &[Id]) -> Result<Id, Error> {
        let first = operands.first().ok_or_else(|| Error::value(format!("{name} of nothing")))?;
        let dtype = self.graph.node(*first)?.dtype();
        let op = hlo::operation(|names| names.stablehlo, name, &[], dtype)?;
        self.graph.apply(op, operands)
    }

    /// `broadcast_in_dim`: axis `i` of the operand lies on axis `dims[i]` of the result, in any order, and an extent of 1
    /// stretches.
    ///
    /// # Errors
    /// As [`rule::stablehlo::broadcast_in_dim`](ndcast_shape::rule::stablehlo::broadcast_in_dim).
    pub fn broadcast_in_dim(&mut self, operand: Id, shape: &Shape, dims: &[i64]) -> Result<Id, Error> {
        let bounded = shape.dims().is_some_and(|dims| dims.iter().any(|dim| matches!(dim, Dim::Interval(_))));
        let laid = if bounded {
            self.bounded(operand, shape, dims)
        } else {
            lay::over(self.graph, &stablehlo::BROADCAST_IN_DIM, operand, shape, Some(dims))
        };
        laid.map_err(|error| error.called("broadcast_in_dim"))
    }

    /// Over a shape with a bounded extent, which is that of the operand's axis that lies there.
    fn bounded(&mut self, operand: Id, shape: &Shape, axes: &[i64]) -> Result<Id, Error> {
        let own = hlo::dims(self.graph, operand)?;
        let on = |place: usize| {
            let at = axes.iter().position(|&axis| usize::try_from(axis) == Ok(place))?;
            own.get(at).filter(|dim| matches!(dim, Dim::Interval(_))).cloned()
        };
        let dims = shape.dims().unwrap_or_default();
        let known = dims.iter().enumerate().map(|(place, dim)| match dim {
            Dim::Interval(_) => on(place).unwrap_or_else(|| dim.clone()),
            dim => dim.clone(),
        });
        let target: Shape = known.collect();
        lay::over(self.graph, &stablehlo::BROADCAST_IN_DIM, operand, &target, Some(axes))
    }
}
