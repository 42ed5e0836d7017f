//! Scans and recurrences for formats that have none, by recursive doubling along known extents: as many steps as the extent
//! has bits, each over twice the distance.

use std::borrow::Cow;

use ndcast_shape::Extent;

use super::kind::{Accumulate, Concatenate, Direction, Recur, Start, nothing};
use super::{Graph, Id, Kind};
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;

impl Graph {
    /// The same graph without recurrences, and without those running folds of which the function says so, where the extents
    /// along them are known.
    ///
    /// DIFFERENCE: sums and products are rounded in another order. And a recurrence multiplies factors with each other first: where
    /// their product is infinite and what it is multiplied with is 0, the result is NaN.
    pub(crate) fn with_doublings(
        &self,
        other: impl Fn(&Accumulate) -> bool,
    ) -> Result<Cow<'_, Graph>, Error> {
        let other = |kind: &Kind| match kind {
            Kind::Recur(_) => true,
            Kind::Accumulate(run) => other(run) && run.reduction.op().is_some(),
            _ => false,
        };
        if !self.nodes().any(|(_, node)| other(node.kind())) {
            return Ok(Cow::Borrowed(self));
        }
        let copied = self.copied(
            |_, node| node.shape().clone(),
            |to, node, ids| match node.kind() {
                kind if !other(kind) || node.dtype() == DType::Bool => to.add(kind.clone(), ids),
                Kind::Recur(recur) => to.recurred(recur, ids),
                Kind::Accumulate(run) => to.accumulated(run, ids[0]),
                kind => to.add(kind.clone(), ids),
            },
        );
        copied.map(Cow::Owned)
    }

    fn recurred(&mut self, recur: &Recur, ids: &[Id]) -> Result<Id, Error> {
        let (mut y, mut factors, axis) = (ids[0], ids[1], recur.axis);
        let Some(extent) = self.extent_along(y, axis)? else { return self.add(recur.clone(), ids) };
        let mut apart = 1;
        while apart < extent {
            let [own, before] = self.apart(factors, y, axis, apart)?;
            let more = self.op(Op::Multiply, &[own, before])?;
            let behind = self.part(y, axis, Some(apart), None)?;
            let behind = self.op(Op::Add, &[behind, more])?;
            y = self.behind_first(y, axis, apart, behind)?;
            let [own, before] = self.apart(factors, factors, axis, apart)?;
            let more = self.op(Op::Multiply, &[own, before])?;
            factors = self.behind_first(factors, axis, apart, more)?;
            apart *= 2;
        }
        Ok(y)
    }

    fn accumulated(&mut self, run: &Accumulate, x: Id) -> Result<Id, Error> {
        let (axis, dtype) = (run.axis, self.node(x)?.dtype());
        let (Some(extent), Some(op)) = (self.extent_along(x, axis)?, run.reduction.op()) else {
            return self.add(run.clone(), &[x]);
        };
        let backwards = run.direction == Direction::Backward;
        let mut y = if backwards { self.flipped(x, axis)? } else { x };
        if run.start == Start::Before {
            y = self.before(y, axis, nothing(run.reduction, dtype))?;
        }
        let mut apart = 1;
        while apart < extent {
            let [own, before] = self.apart(y, y, axis, apart)?;
            let folded = self.op(op, &[before, own])?;
            y = self.behind_first(y, axis, apart, folded)?;
            apart *= 2;
        }
        if backwards { self.flipped(y, axis) } else { Ok(y) }
    }

    fn extent_along(&self, x: Id, axis: usize) -> Result<Option<i64>, Error> {
        let extent = self.node(x)?.dims().and_then(|dims| dims.get(axis)?.known());
        Ok(extent.and_then(|extent| i64::try_from(extent).ok()))
    }

    /// All of one but so many at the front, and of another those that lie so far before them.
    fn apart(&mut self, one: Id, other: Id, axis: usize, by: i64) -> Result<[Id; 2], Error> {
        Ok([self.part(one, axis, Some(by), None)?, self.part(other, axis, None, Some(-by))?])
    }

    /// The first so many, and something behind them.
    fn behind_first(&mut self, x: Id, axis: usize, count: i64, behind: Id) -> Result<Id, Error> {
        let first = self.part(x, axis, None, Some(count))?;
        self.add(Concatenate { axis }, &[first, behind])
    }
}
