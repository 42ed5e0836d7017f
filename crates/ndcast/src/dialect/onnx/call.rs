//! One node as it is built: its inputs and attributes, each looked at by name, and what builders share to add nodes.

use std::collections::BTreeSet;

use ndcast_shape::rule::onnx;
use ndcast_shape::{Dim, Extent};

use super::attribute::{Attribute, Attributes};
use crate::convert::Overflow;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::{Convert, Fit, Reshape, ReshapeTo};
use crate::graph::{Graph, Id, Kind, Node};
use crate::op::Op;

/// A node being built.
pub(super) struct Call<'c> {
    pub(super) graph: &'c mut Graph,
    /// The version of the operators that the model is written in.
    pub(super) opset: i64,
    /// How many outputs are wanted.
    pub(super) outputs: usize,
    inputs: &'c [Option<Id>],
    attributes: &'c Attributes,
    /// The attributes that were looked at.
    taken: BTreeSet<&'static str>,
}

/// The nodes of an operator's outputs.
pub(super) type Built = Result<Vec<Id>, Error>;

impl<'c> Call<'c> {
    pub(super) fn new(
        graph: &'c mut Graph,
        opset: i64,
        inputs: &'c [Option<Id>],
        attributes: &'c Attributes,
        outputs: usize,
    ) -> Call<'c> {
        Call { graph, opset, outputs, inputs, attributes, taken: BTreeSet::new() }
    }

    /// An error if there is an attribute that nothing looked at.
    pub(super) fn finish(&self) -> Result<(), Error> {
        match self.attributes.names().find(|name| !self.taken.contains(name)) {
            Some(name) => Err(Error::value(format!("it has no attribute {name} in opset {}", self.opset))),
            None => Ok(()),
        }
    }

    // What the node was given.

    pub(super) fn input(&self, place: usize) -> Result<Id, Error> {
        self.optional(place).ok_or_else(|| Error::value(format!("its input {place} is missing")))
    }

    pub(super) fn optional(&self, place: usize) -> Option<Id> {
        self.inputs.get(place).copied().flatten()
    }

    /// How many inputs are listed, left out ones included.
    pub(super) fn count(&self) -> usize {
        self.inputs.len()
    }

    /// All inputs of an operator that takes any number; none may be left out.
    pub(super) fn all(&self) -> Result<Vec<Id>, Error> {
        (0..self.inputs.len()).map(|place| self.input(place)).collect()
    }

    pub(super) fn attribute(&mut self, name: &'static str) -> Option<&'c Attribute> {
        self.taken.insert(name);
        self.attributes.get(name)
    }

    /// All attributes that are integers or text, as conditions of an operation: `fmod=1`. They are not taken by it.
    pub(super) fn conditions(&self) -> Vec<(String, String)> {
        let text = |value: &Attribute| match value {
            Attribute::Int(n) => Some(n.to_string()),
            Attribute::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.attributes.iter().filter_map(|(name, value)| Some((name.to_owned(), text(value)?))).collect()
    }

    pub(super) fn int(&mut self, name: &'static str, default: i64) -> Result<i64, Error> {
        Ok(self.maybe_int(name)?.unwrap_or(default))
    }

    pub(super) fn maybe_int(&mut self, name: &'static str) -> Result<Option<i64>, Error> {
        match self.attribute(name) {
            None => Ok(None),
            Some(Attribute::Int(n)) => Ok(Some(*n)),
            Some(other) => Err(not_that(name, "an integer", other)),
        }
    }

    /// An attribute that is 0 or 1.
    pub(super) fn truth(&mut self, name: &'static str, default: i64) -> Result<bool, Error> {
        Ok(self.int(name, default)? != 0)
    }

    pub(super) fn ints(&mut self, name: &'static str) -> Result<Option<Vec<i64>>, Error> {
        match self.attribute(name) {
            None => Ok(None),
            Some(Attribute::Ints(list)) => Ok(Some(list.clone())),
            Some(other) => Err(not_that(name, "a list of integers", other)),
        }
    }

    pub(super) fn float(&mut self, name: &'static str, default: f64) -> Result<f64, Error> {
        match self.attribute(name) {
            None => Ok(default),
            Some(Attribute::Float(n)) => Ok(f64::from(*n)),
            Some(other) => Err(not_that(name, "a number", other)),
        }
    }

    pub(super) fn text(&mut self, name: &'static str, default: &'c str) -> Result<&'c str, Error> {
        match self.attribute(name) {
            None => Ok(default),
            Some(Attribute::Text(text)) => Ok(text),
            Some(other) => Err(not_that(name, "a text", other)),
        }
    }

    /// A list of integers that is an attribute up to some opset, and an input from then on; it must be known now.
    pub(super) fn list(
        &mut self,
        name: &'static str,
        since: i64,
        place: usize,
    ) -> Result<Option<Vec<i64>>, Error> {
        if self.opset < since {
            if self.optional(place).is_some() {
                return Err(Error::value(format!("its {name} are an attribute before opset {since}")));
            }
            return self.ints(name);
        }
        match self.optional(place) {
            None => Ok(None),
            Some(id) => self.known(id, name).map(Some),
        }
    }

    /// The integers of an input, which must be known now.
    pub(super) fn known(&self, id: Id, what: &str) -> Result<Vec<i64>, Error> {
        self.integers(id).ok_or_else(|| Error::value(format!("{what} must be known before it runs")))
    }

    pub(super) fn known_one(&self, id: Id, what: &str) -> Result<i64, Error> {
        match self.known(id, what)?[..] {
            [one] => Ok(one),
            ref list => Err(Error::value(format!("{what} is one number, and {} are given", list.len()))),
        }
    }

    /// The integers of a node, if they are known.
    pub(super) fn integers(&self, id: Id) -> Option<Vec<i64>> {
        self.node(id).integers()
    }

    // What is known of a node. An id that came in was checked when the node was.

    pub(super) fn node(&self, id: Id) -> &Node {
        self.graph.at(id)
    }

    pub(super) fn dtype(&self, id: Id) -> DType {
        self.node(id).dtype()
    }

    pub(super) fn dims(&self, id: Id) -> Result<Vec<Dim>, Error> {
        self.graph.known_dims(id).map(<[Dim]>::to_vec)
    }

    pub(super) fn rank(&self, id: Id) -> Result<usize, Error> {
        self.graph.known_rank(id)
    }

    /// An extent that must be known.
    pub(super) fn extent(&self, id: Id, axis: usize) -> Result<usize, Error> {
        let extent = self.maybe_extent(id, axis);
        extent.ok_or_else(|| Error::value(format!("the extent of axis {axis} must be known before it runs")))
    }

    pub(super) fn maybe_extent(&self, id: Id, axis: usize) -> Option<usize> {
        self.node(id).dims()?.get(axis)?.known()
    }

    // Nodes.

    pub(super) fn add(&mut self, kind: impl Into<Kind>, arguments: &[Id]) -> Result<Id, Error> {
        self.graph.add(kind, arguments)
    }

    /// An operation on operands that are broadcast against each other.
    pub(super) fn op(&mut self, op: Op, operands: &[Id]) -> Result<Id, Error> {
        let operands = self.joined(operands)?;
        self.graph.apply(op, &operands)
    }

    /// Operands in one shape: "multidirectional broadcasting".
    pub(super) fn joined(&mut self, operands: &[Id]) -> Result<Vec<Id>, Error> {
        self.graph.laid(operands, |operand| Fit::new(&onnx::MULTIDIRECTIONAL, operands.len(), operand))
    }

    /// The second operand in the shape of the first: "unidirectional broadcasting".
    pub(super) fn laid(&mut self, onto: Id, operand: Id) -> Result<Id, Error> {
        self.graph.add(Fit::new(&onnx::UNIDIRECTIONAL, 2, 1), &[onto, operand])
    }

    pub(super) fn convert(&mut self, x: Id, to: DType) -> Result<Id, Error> {
        self.convert_as(x, to, Overflow::OnnxSaturate)
    }

    pub(super) fn convert_as(&mut self, x: Id, to: DType, overflow: Overflow) -> Result<Id, Error> {
        if self.dtype(x) == to { Ok(x) } else { self.add(Convert { to, overflow }, &[x]) }
    }

    /// The same elements in these extents, of which one may be -1.
    pub(super) fn reshaped(&mut self, x: Id, to: &[i64]) -> Result<Id, Error> {
        let to = self.graph.integers(to)?;
        self.add(ReshapeTo, &[x, to])
    }

    /// Without axes whose extent is 1.
    pub(super) fn squeezed(&mut self, x: Id, axes: &[usize]) -> Result<Id, Error> {
        let dims = self.dims(x)?;
        if let Some(&axis) = axes.iter().find(|&&axis| dims[axis].known().is_some_and(|n| n != 1)) {
            return Err(Error::value(format!(
                "axis {axis} has extent {}, and only one of 1 can be taken away",
                dims[axis]
            )));
        }
        let rest: Vec<usize> = (0..dims.len()).filter(|axis| !axes.contains(axis)).collect();
        let extents: Option<Vec<usize>> = rest.iter().map(|&axis| dims[axis].known()).collect();
        match extents.filter(|_| axes.iter().all(|&axis| dims[axis].known().is_some())) {
            Some(extents) => self.add(Reshape::new(&extents), &[x]),
            None => {
                let to = self.graph.extents_of(x, &rest)?;
                self.add(ReshapeTo, &[x, to])
            }
        }
    }

    /// Refuses other element types than those of some classes.
    pub(super) fn only(&self, id: Id, classes: &[Class]) -> Result<(), Error> {
        let dtype = self.dtype(id);
        if classes.contains(&dtype.class()) {
            return Ok(());
        }
        let takes = DType::all().filter(|dtype| dtype.computes() && classes.contains(&dtype.class()));
        Err(Error::not_taken(dtype, takes.collect()))
    }
}

fn not_that(name: &str, wanted: &str, found: &Attribute) -> Error {
    Error::value(format!("its attribute {name} is {wanted}, and {} is given", found.kind()))
}
