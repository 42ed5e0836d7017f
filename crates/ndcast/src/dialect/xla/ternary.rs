//! `Select` and `Clamp`: the builder lays scalars over the one shape that the others have, whichever operand they are.

use ndcast_shape::rule::xla;

use super::Builder;
use crate::dialect::lay;
use crate::error::Error;
use crate::graph::Id;

impl Builder<'_> {
    /// `Select`: the second operand where the predicate is true, and the third elsewhere.
    ///
    /// # Errors
    /// As [`hlo::Builder::select`](super::hlo::Builder::select), of operands that are no scalars beside others.
    pub fn select(&mut self, predicate: Id, on_true: Id, on_false: Id) -> Result<Id, Error> {
        let [predicate, on_true, on_false] =
            self.scalars_laid([predicate, on_true, on_false]).map_err(|error| error.called("select"))?;
        self.hlo().select(predicate, on_true, on_false)
    }

    /// `Clamp`: the operand, at least the first limit, then at most the second.
    ///
    /// # Errors
    /// As [`hlo::Builder::clamp`](super::hlo::Builder::clamp), of operands that are no scalars beside others.
    pub fn clamp(&mut self, min: Id, operand: Id, max: Id) -> Result<Id, Error> {
        let [min, operand, max] =
            self.scalars_laid([min, operand, max]).map_err(|error| error.called("clamp"))?;
        self.hlo().clamp(min, operand, max)
    }

    /// Scalars over the shape of the first operand that is none. If shapes differ besides, HLO says so.
    fn scalars_laid(&mut self, operands: [Id; 3]) -> Result<[Id; 3], Error> {
        let mut whole = None;
        for id in operands {
            if self.graph.node(id)?.shape().rank() != Some(0) {
                whole = whole.or(Some(id));
            }
        }
        let Some(whole) = whole else { return Ok(operands) };
        let mut laid = operands;
        for id in &mut laid {
            if self.graph.node(*id)?.shape().rank() == Some(0) {
                [*id, _] = lay::all(self.graph, &xla::BINARY, None, [*id, whole])?;
            }
        }
        Ok(laid)
    }
}
