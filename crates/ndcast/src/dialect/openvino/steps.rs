//! The steps that layers are made of: what is known of inputs, and the nodes that most layers need.

use ndcast_shape::{Dim, Extent};

use super::Builder;
use super::broadcast::{AutoBroadcast, check_integers};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Apply, Operation, Take};
use crate::graph::{Entry, Id};
use crate::layout::as_i64;
use crate::op::Op;

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
        let place = as_i64(place);
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
        self.graph.laid(operands, |operand| auto.fit(operands.len(), operand))
    }

    /// An operation on operands that broadcast as numpy does.
    pub(super) fn op(&mut self, op: Op, operands: &[Id]) -> Result<Id, Error> {
        let laid = self.laid(operands, AutoBroadcast::Numpy)?;
        self.graph.add(Apply(op), &laid)
    }
}
