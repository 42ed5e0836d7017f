//! CHLO's operations that broadcast by themselves.

use ndcast_shape::rule::stablehlo;

use super::Builder;
use crate::dialect::hlo::{self, Comparison, Direction};
use crate::dialect::lay;
use crate::error::Error;
use crate::graph::Id;
use crate::op::Op;

impl Builder<'_> {
    /// `chlo.broadcast_add` and the like, by the name without `chlo.broadcast_`. The axes of the operand of lower rank are
    /// the last ones of the other's, and extents of 1 stretch; `dims` may say no more than that.
    ///
    /// # Errors
    /// If there is no operation of the name, or not for such elements; if element types differ; as
    /// [`rule::stablehlo::chlo_broadcast`](ndcast_shape::rule::stablehlo::chlo_broadcast).
    pub fn broadcast_binary(
        &mut self,
        name: &str,
        operands: [Id; 2],
        dims: Option<&[i64]>,
    ) -> Result<Id, Error> {
        let dtype = hlo::check_same(self.graph, &operands)?;
        let find = |name: &str| hlo::operation(|names| names.stablehlo, name, &[], dtype);
        let own = format!("chlo.{name}");
        let is_chlo = Op::called(|names| names.stablehlo, &own, &[]).is_some();
        let op = if is_chlo { find(&own)? } else { find(name)? };
        self.joined(op, operands, dims)
    }

    /// `chlo.broadcast_compare`.
    ///
    /// # Errors
    /// As [`hlo::Builder::compare`]; as
    /// [`rule::stablehlo::chlo_broadcast`](ndcast_shape::rule::stablehlo::chlo_broadcast).
    pub fn broadcast_compare(
        &mut self,
        direction: Direction,
        comparison: Option<Comparison>,
        operands: [Id; 2],
        dims: Option<&[i64]>,
    ) -> Result<Id, Error> {
        hlo::check_same(self.graph, &operands)?;
        let op = self.hlo().comparison(direction, comparison, operands[0])?;
        self.joined(op, operands, dims)
    }

    fn joined(&mut self, op: Op, operands: [Id; 2], dims: Option<&[i64]>) -> Result<Id, Error> {
        let laid = lay::all(self.graph, &stablehlo::CHLO_BROADCAST, dims, operands);
        self.graph.apply(op, &laid.map_err(|error| error.called(op.record().name))?)
    }

    /// `chlo.broadcast_select`: all three broadcast as in NumPy.
    ///
    /// # Errors
    /// If the first is not of truth values, or the others differ in their element types; if shapes do not go together.
    pub fn broadcast_select(&mut self, operands: [Id; 3]) -> Result<Id, Error> {
        let called = |error: Error| error.called("broadcast_select");
        let laid = self.graph.joined(operands).map_err(called)?;
        self.graph.apply(Op::Where, &laid).map_err(called)
    }
}
