//! `reduce` of two operands: the greatest or the least of the first, and what of the second lies where it is.

use super::elementwise::check_same;
use super::{Builder, axes};
use crate::array::{Array, Keep};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Find, Lay, Reduce, TakeAlong};
use crate::graph::{Id, Kind, Node};
use crate::reduction::Reduction;
use ndcast_shape::Index;

impl Builder<'_> {
    /// `reduce` along an axis by what XLA's clients write for the place of the greatest or the least: of equal ones the first
    /// counts, and the first NaN before all. Where the second operand counts along the axis, its values are the places.
    ///
    /// # Errors
    /// If shapes differ, or an element type from that of its first value; if the first values are not those that change
    /// nothing: the least or the greatest there is, and 0; if there is no such axis.
    pub fn reduce_place(
        &mut self,
        operands: [Id; 2],
        inits: [Id; 2],
        which: Reduction,
        axis: i64,
    ) -> Result<[Id; 2], Error> {
        self.placed(operands, inits, which, axis).map_err(|error| error.called("reduce"))
    }

    fn placed(
        &mut self,
        [operand, places]: [Id; 2],
        [init, first]: [Id; 2],
        which: Reduction,
        axis: i64,
    ) -> Result<[Id; 2], Error> {
        let axis = axes::axis(axis, axes::rank(self.graph, operand)?)?;
        for (operand, init) in [(operand, init), (places, first)] {
            check_same(self.graph, &[operand, init])?;
            axes::scalar(self.graph, init)?;
        }
        let dtype = self.graph.node(operand)?.dtype();
        let reduction = which.of(dtype);
        if !self.is_nothing(init, reduction)? || !self.is_zero(first)? {
            let text = "the place of the greatest is known only from the least number on, and of the least from the \
                        greatest on, both at place 0";
            return Err(Error::value(text.to_owned()));
        }
        let value = Reduce { reduction, axes: vec![axis], keep: Keep::Nothing };
        let value = self.graph.add(value, &[operand])?;
        // The places of truth values are those of numbers.
        let operand = if dtype == DType::Bool { self.convert(operand, DType::U8)? } else { operand };
        let to = self.graph.node(places)?.dtype();
        if self.counts_along(places, axis)? {
            let found = self.graph.add(Find { which, axis, keep: Keep::Nothing, to }, &[operand])?;
            return Ok([value, found]);
        }
        let found = self.graph.add(Find { which, axis, keep: Keep::Axes, to: DType::I64 }, &[operand])?;
        let taken = self.graph.add(TakeAlong { axis }, &[places, found])?;
        let mut index = vec![Index::WHOLE; axis];
        index.push(Index::At(0));
        Ok([value, self.graph.add(crate::graph::kind::Slice { index }, &[taken])?])
    }

    fn is_zero(&self, value: Id) -> Result<bool, Error> {
        let node = self.graph.node(value)?;
        let Some(tensor) = node.constant().filter(|tensor| tensor.elements() == 1) else { return Ok(false) };
        let element = Array::from(tensor.clone()).reshape(&[]).convert(DType::F64);
        Ok(element.item::<f64>()? == 0.0)
    }

    /// Whether an array is 0, 1, 2, ... along an axis, as it was built.
    pub(super) fn counts_along(&self, array: Id, axis: usize) -> Result<bool, Error> {
        let mut node: &Node = self.graph.node(array)?;
        let mut along = node.shape().rank() == Some(1) && axis == 0;
        if let Kind::Broadcast(broadcast) = node.kind() {
            along = broadcast.axes.iter().enumerate().all(|(place, lay)| {
                if place == axis { *lay == Lay::Axis(0) } else { matches!(lay, Lay::New(_)) }
            });
            node = self.graph.node(node.arguments()[0])?;
        }
        if let Kind::Convert(_) = node.kind() {
            node = self.graph.node(node.arguments()[0])?;
        }
        let Kind::Range(_) = node.kind() else { return Ok(false) };
        let number = |place: usize| -> Result<Option<Vec<i64>>, Error> {
            Ok(self.graph.node(node.arguments()[place])?.integers())
        };
        Ok(along && number(0)? == Some(vec![0]) && number(2)? == Some(vec![1]))
    }
}
