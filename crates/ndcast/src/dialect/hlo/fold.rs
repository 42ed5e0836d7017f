//! `reduce` with a named operation.

use super::elementwise::check_same;
use super::{Builder, axes};
use crate::array::{Array, Keep};
use crate::dialect::lay;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Reduce, nothing};
use crate::op::condition;
use crate::reduction::Reduction;
use ndcast_shape::rule::xla;

impl Builder<'_> {
    /// `reduce`: the elements along some axes, and a first value, folded by the instruction of this opcode: `add`,
    /// `multiply`, `maximum`, `minimum`, `and`, `or`.
    ///
    /// # Errors
    /// If there is no fold of the opcode for the element type; if the value has another one or is no scalar; if there is
    /// no such axis, or one is named twice.
    pub fn reduce(&mut self, operand: Id, init: Id, opcode: &str, dimensions: &[i64]) -> Result<Id, Error> {
        self.reduced(operand, init, opcode, dimensions).map_err(|error| error.of("reduce"))
    }

    fn reduced(&mut self, operand: Id, init: Id, opcode: &str, dimensions: &[i64]) -> Result<Id, Error> {
        let rank = axes::rank(self.graph, operand)?;
        let found = axes::axes(dimensions, rank)?;
        check_same(self.graph, &[operand, init])?;
        axes::scalar(self.graph, init)?;
        let reduction = self.reduction(operand, opcode)?;
        // Along no axis nothing is folded, not even the first value: so XLA.
        if found.is_empty() {
            return Ok(operand);
        }
        let folded = self.graph.add(Reduce { reduction, axes: found, keep: Keep::Nothing }, &[operand])?;
        if self.is_nothing(init, reduction)? {
            return Ok(folded);
        }
        let [init, folded] = lay::all(self.graph, &xla::BINARY, None, [init, folded])?;
        self.elementwise(opcode, &[init, folded])
    }

    /// The fold of an opcode for the elements of an operand.
    pub(in crate::dialect) fn reduction(&self, operand: Id, opcode: &str) -> Result<Reduction, Error> {
        let dtype = self.graph.node(operand)?.dtype();
        let found = Reduction::called(|names| names.hlo, "reduce", &[opcode, condition(dtype)]);
        // `or` and `and` fold only booleans; over integers they would be bitwise, which there is not.
        let of_truths = |found: &Reduction| matches!(found, Reduction::Any | Reduction::All);
        let found = found.filter(|found| dtype == DType::Bool || !of_truths(found));
        found.ok_or_else(|| Error::value(format!("there is no fold by {opcode} of elements of type {dtype}")))
    }

    /// Whether a value is the fold's neutral element.
    pub(super) fn is_nothing(&self, value: Id, reduction: Reduction) -> Result<bool, Error> {
        let node = self.graph.node(value)?;
        let Some(tensor) = node.constant().filter(|tensor| tensor.elements() == 1) else { return Ok(false) };
        let neutral = nothing(reduction, node.dtype()).tensor(node.dtype())?;
        let equal = Array::from(tensor.clone()).reshape(&[]).equal(Array::from(neutral));
        equal.item::<bool>()
    }
}
