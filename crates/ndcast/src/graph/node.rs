//! A node of a graph: what it does, with what, and what is known of its value before anything runs.

use std::sync::Arc;

use ndcast_shape::{Dim, Shape};
use smallvec::SmallVec;

use super::Entry;
use super::asked::Asked;
use super::branch::{Branch, Choice};
use super::kind::Kind;
use crate::array::Array;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::tensor::Tensor;

/// A node's place in its graph.
///
/// Ids are made by the graph alone, and it refuses another graph's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id {
    pub(super) graph: u32,
    pub(super) place: u32,
}

impl Id {
    /// Where the node stands in its graph: behind all that it is made of.
    pub fn place(self) -> usize {
        self.place as usize
    }
}

/// What a node is made of.
pub type Arguments = SmallVec<[Id; 3]>;

/// One value of a graph.
#[derive(Clone, Debug)]
pub struct Node {
    pub(super) kind: Kind,
    pub(super) arguments: Arguments,
    pub(super) dtype: DType,
    pub(super) shape: Shape,
    pub(super) entries: Option<Arc<[Entry]>>,
    pub(super) name: Option<Arc<str>>,
    /// What a broadcast was made of.
    pub(super) asked: Option<Arc<Asked>>,
    pub(super) origin: Origin,
}

/// Where the file that a node was read from says it.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    pub(super) line: Option<usize>,
    /// The operator there, of whose nodes only the last has its name.
    pub(super) operator: Option<Arc<str>>,
    /// The branch that it was written out of.
    pub(super) branch: Option<Arc<Branch>>,
    /// Of which branches it chooses the values.
    pub(super) choice: Option<Arc<Choice>>,
}

impl Node {
    /// What it does.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The nodes that are its arguments.
    pub fn arguments(&self) -> &[Id] {
        &self.arguments
    }

    /// The type of its elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// What is known of its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What is known of its elements, if it is a small array of integers: sizes, axes, a shape to be broadcast to.
    pub fn entries(&self) -> Option<&[Entry]> {
        self.entries.as_deref()
    }

    /// What people call it: an input's name, or the layer's that it was made of.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The line of the file that it was read from, counted from 1, if that is a text.
    ///
    /// ```
    /// use ndcast::graph::Graph;
    /// let graph: Graph = "// A program.\n%0 = input \"x\" dtype=f32 shape=3\noutput \"y\" = %0\n".parse()?;
    /// assert_eq!(graph.node(graph.inputs()[0])?.line(), Some(2));
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn line(&self) -> Option<usize> {
        self.origin.line
    }

    /// What it is found by in its file: its name, or that of the operator that it is a part of.
    ///
    /// ```
    /// use ndcast::format::stablehlo;
    /// let text = "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n\
    ///     %sum = stablehlo.add %a, %a : tensor<3xf32>\n  return %sum : tensor<3xf32>\n}";
    /// let graph = stablehlo::read(text)?;
    /// let sum = graph.node(graph.outputs()[0].id())?;
    /// assert_eq!((sum.name(), sum.called()), (None, Some("%sum")));
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn called(&self) -> Option<&str> {
        self.name().or(self.origin.operator.as_deref())
    }

    /// An error that this node is at: with what it is called, and its line.
    pub(super) fn placed(&self, error: Error) -> Error {
        let error = match self.called() {
            Some(name) => error.at(name),
            None => error,
        };
        match self.line() {
            Some(line) => Error::new(ErrorKind::Line { line, error: Box::new(error) }),
            None => error,
        }
    }

    /// The extents, if the rank is known.
    pub fn dims(&self) -> Option<&[Dim]> {
        self.shape.dims()
    }

    /// The tensor, if it is a constant.
    pub fn constant(&self) -> Option<&Tensor> {
        match &self.kind {
            Kind::Constant(constant) => Some(&constant.0),
            _ => None,
        }
    }

    /// Its only element, if it is a constant of one.
    pub(crate) fn number(&self) -> Option<f64> {
        let tensor = self.constant().filter(|tensor| tensor.shape().iter().all(|&extent| extent == 1))?;
        Array::from(tensor.clone()).convert(DType::F64).item().ok()
    }

    /// Its elements as integers, if all are known.
    pub fn integers(&self) -> Option<Vec<i64>> {
        self.entries
            .as_ref()?
            .iter()
            .map(|entry| if let Entry::Int(n) = entry { Some(*n) } else { None })
            .collect()
    }
}
