//! Graphs: programs of named inputs and outputs, checked as they are built, whose inputs may have unknown extents.
//!
//! Every node's element type and shape is inferred when it is added, as far as they can be known, and with them the
//! elements of the small arrays of integers that are shapes and axes. So a graph that exists is valid: [`Graph::add`]
//! is the one place where nodes are checked, whoever builds them: a dialect's builder, a file, a gradient, a rewrite.
//!
//! Nothing here broadcasts by itself: all rules of all dialects become [`kind::Broadcast`], or [`kind::Fit`] where the
//! extents are not known yet. Running a graph writes it down as lazy arrays, so there is one evaluator.

mod asked;
mod attributes;
mod branch;
mod conversions;
mod doubled;
mod entry;
mod gradient;
pub mod kind;
mod node;
mod pieces;
mod plain;
mod read;
mod rewrite;
mod run;
mod site;
pub(crate) mod steps;
mod tape;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ndcast_shape::Shape;
use smallvec::{SmallVec, smallvec};

pub use asked::Asked;
pub use entry::Entry;
pub use gradient::gradient;
pub use kind::Kind;
use node::Origin;
pub use node::{Arguments, Id, Node};
pub use rewrite::Rewrite;
pub use run::Runner;
pub use site::Site;
pub use tape::Tape;

use crate::array::Number;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::op::Op;
use crate::tensor::Tensor;
use kind::{Apply, Broadcast, Constant, Fit, Inferred, Input, Settled};

/// A program of named inputs and outputs.
///
/// ```
/// use ndcast::{DType, Op, Tensor, graph::Graph};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "?x3".parse()?)?;
/// let bias = graph.constant(Tensor::new(&[3], &[10.0f32, 20.0, 30.0])?)?;
/// let [x, bias] = graph.joined([x, bias])?;
/// let sum = graph.apply(Op::Add, &[x, bias])?;
/// graph.output("y", sum)?;
/// assert_eq!(graph.node(sum)?.shape().to_string(), "?x3");
///
/// let x = Tensor::new(&[1, 3], &[1.0f32, 2.0, 3.0])?;
/// assert_eq!(graph.run(&[x])?[0].to_vec::<f32>()?, [11.0, 22.0, 33.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    /// To tell its ids from another graph's.
    tag: u32,
    nodes: Vec<Node>,
    inputs: Vec<Id>,
    outputs: Vec<Output>,
    /// The inputs and the outputs by their names: their places in the order of each.
    input_places: HashMap<Arc<str>, usize>,
    output_places: HashMap<Arc<str>, usize>,
    /// Where in the file being read added nodes come from.
    origin: Origin,
}

/// A named result of a graph.
#[derive(Clone, Debug)]
pub struct Output {
    name: Arc<str>,
    id: Id,
}

impl Output {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The node.
    pub fn id(&self) -> Id {
        self.id
    }
}

/// What a node is, once its arguments are known.
enum Checked {
    /// One of its kind, with what is known of it.
    Plain(Inferred, Option<Arc<[Entry]>>),
    /// Other nodes.
    Settled(Box<Settled>),
}

impl Default for Graph {
    fn default() -> Graph {
        Graph::new()
    }
}

impl Graph {
    /// A graph of nothing.
    pub fn new() -> Graph {
        static TAGS: AtomicU32 = AtomicU32::new(0);
        let tag = TAGS.fetch_add(1, Ordering::Relaxed);
        Graph {
            tag,
            nodes: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            input_places: HashMap::new(),
            output_places: HashMap::new(),
            origin: Origin::default(),
        }
    }

    /// A node with these arguments: the one place where a graph grows.
    ///
    /// Where what the kind takes as arguments is known by now, the node is added in its plain form, and arguments that this
    /// does not need are left out; see [`kind`].
    ///
    /// # Errors
    /// If there cannot be such a node: another number of arguments, of other element types, of shapes that do not go
    /// together; or an argument is another graph's.
    pub fn add(&mut self, kind: impl Into<Kind>, arguments: &[Id]) -> Result<Id, Error> {
        let kind = kind.into();
        let name = kind.name();
        self.added(kind, arguments).map_err(|error| error.of(name))
    }

    fn added(&mut self, kind: Kind, arguments: &[Id]) -> Result<Id, Error> {
        let (inferred, entries) = match self.checked(&kind, arguments)? {
            Checked::Plain(inferred, entries) => (inferred, entries),
            Checked::Settled(settled) => {
                let asked = self.question(&kind, arguments).filter(|_| !settled.kinds.is_empty());
                let mut next: Arguments = settled.arguments.iter().map(|&place| arguments[place]).collect();
                for kind in settled.kinds {
                    let id = self.added(kind, &next)?;
                    next = smallvec![id];
                }
                self.answers(next[0], asked);
                return Ok(next[0]);
            }
        };
        let place = u32::try_from(self.nodes.len())
            .map_err(|_| Error::value("a graph has at most 2^32 nodes".to_owned()))?;
        let (dtype, shape) = (inferred.dtype, inferred.shape);
        self.nodes.push(Node {
            kind,
            arguments: arguments.into(),
            dtype,
            shape,
            entries,
            name: None,
            asked: None,
            origin: self.origin.clone(),
        });
        Ok(Id { graph: self.tag, place })
    }

    /// The nodes that are added from now on stand on this line of a file.
    pub(crate) fn at_line(&mut self, line: usize) {
        self.origin.line = Some(line);
    }

    /// The nodes that are added from now on are those of this operator of a file.
    pub(crate) fn of_operator(&mut self, name: &str) {
        self.origin.operator = Some(name).filter(|name| !name.is_empty()).map(Into::into);
    }

    /// What a node would be.
    fn checked(&self, kind: &Kind, arguments: &[Id]) -> Result<Checked, Error> {
        let nodes = arguments.iter().map(|&id| self.node(id)).collect::<Result<SmallVec<[&Node; 4]>, _>>()?;
        let operation = kind.operation();
        let count = operation.count();
        if !count.allows(nodes.len()) {
            let (least, most) = count.range();
            return Err(Error::new(ErrorKind::ArgumentCount { least, most, found: nodes.len() }));
        }
        let inferred = operation.infer(&nodes)?.within_reach()?;
        if let Some(settled) = operation.settled(&nodes)? {
            return Ok(Checked::Settled(Box::new(settled)));
        }
        let entries = entry::entries(kind, &nodes, inferred.dtype, &inferred.shape);
        Ok(Checked::Plain(inferred, entries))
    }

    /// A value that is given when the graph runs.
    ///
    /// # Errors
    /// If there is an input of this name already.
    pub fn input(&mut self, name: &str, dtype: DType, shape: Shape) -> Result<Id, Error> {
        if self.input_places.contains_key(name) {
            return Err(Error::value(format!("there are two inputs called {name}")).of("input"));
        }
        let id = self.add(Input { dtype, shape }, &[])?;
        let name: Arc<str> = name.into();
        self.nodes[id.place()].name = Some(Arc::clone(&name));
        self.input_places.insert(name, self.inputs.len());
        self.inputs.push(id);
        Ok(id)
    }

    /// A tensor.
    ///
    /// # Errors
    /// If the graph is full.
    pub fn constant(&mut self, tensor: Tensor) -> Result<Id, Error> {
        self.add(Constant(tensor), &[])
    }

    /// A number of an element type, as a constant of shape `[]`.
    ///
    /// # Errors
    /// If the type does not hold it.
    pub fn number(&mut self, number: impl Into<Number>, dtype: DType) -> Result<Id, Error> {
        let tensor = number.into().tensor(dtype).map_err(|error| error.of("constant"))?;
        self.constant(tensor)
    }

    /// Integers along one axis, as a shape or axes are given.
    ///
    /// # Errors
    /// If memory for them would pass the limit.
    pub fn integers(&mut self, integers: &[i64]) -> Result<Id, Error> {
        self.constant(Tensor::new(&[integers.len()], integers)?)
    }

    /// An elementwise operation. Its arguments have one shape: see [`Graph::joined`] to broadcast them.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn apply(&mut self, op: Op, arguments: &[Id]) -> Result<Id, Error> {
        self.add(Apply(op), arguments)
    }

    /// Operands broadcast to one shape as the Array API does.
    ///
    /// # Errors
    /// If their shapes do not go together.
    pub fn joined<const N: usize>(&mut self, operands: [Id; N]) -> Result<[Id; N], Error> {
        let mut joined = operands;
        let shapes =
            operands.iter().map(|&id| self.node(id).map(Node::shape)).collect::<Result<Vec<_>, _>>()?;
        let definite = |shape: &Shape| {
            shape.dims().is_some_and(|dims| dims.iter().all(ndcast_shape::Extent::is_definite))
        };
        if shapes.iter().all(|shape| *shape == shapes[0] && definite(shape)) {
            return Ok(joined);
        }
        for (operand, joined) in joined.iter_mut().enumerate() {
            *joined = self.add(Fit::join(N, operand), &operands)?;
        }
        Ok(joined)
    }

    /// A number everywhere in the shape of another node.
    ///
    /// # Errors
    /// If its element type does not hold it.
    pub fn full_like(&mut self, number: impl Into<Number>, other: Id) -> Result<Id, Error> {
        let dtype = self.node(other)?.dtype();
        let number = self.number(number, dtype)?;
        match self.node(other)?.shape().extents() {
            Some(extents) if extents.is_empty() => Ok(number),
            Some(extents) => self.add(Broadcast::scalar(&extents), &[number]),
            None => self.add(Fit::join(2, 0), &[number, other]),
        }
    }

    /// Names a result.
    ///
    /// # Errors
    /// If there is one of the name already.
    pub fn output(&mut self, name: &str, id: Id) -> Result<(), Error> {
        self.node(id)?;
        if self.output_places.contains_key(name) {
            return Err(Error::value(format!("there are two outputs called {name}")).of("output"));
        }
        let name: Arc<str> = name.into();
        self.output_places.insert(Arc::clone(&name), self.outputs.len());
        self.outputs.push(Output { name, id });
        Ok(())
    }

    /// Names a node. An input keeps its name.
    ///
    /// # Errors
    /// If the node is another graph's.
    pub fn name(&mut self, id: Id, name: &str) -> Result<(), Error> {
        self.node(id)?;
        let node = &mut self.nodes[id.place()];
        if !matches!(node.kind, Kind::Input(_)) {
            node.name = Some(name.into());
        }
        Ok(())
    }

    /// The node of an id.
    ///
    /// # Errors
    /// If the id is another graph's.
    pub fn node(&self, id: Id) -> Result<&Node, Error> {
        let own = id.graph == self.tag;
        self.nodes.get(id.place()).filter(|_| own).ok_or_else(|| Error::new(ErrorKind::OtherGraph))
    }

    /// The node of an id of its own.
    pub(crate) fn at(&self, id: Id) -> &Node {
        &self.nodes[id.place()]
    }

    /// Every node with its id, each behind those it is made of.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (Id, &Node)> {
        let id = |place| Id { graph: self.tag, place: u32::try_from(place).unwrap_or(u32::MAX) };
        self.nodes.iter().enumerate().map(move |(place, node)| (id(place), node))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The inputs, in order.
    pub fn inputs(&self) -> &[Id] {
        &self.inputs
    }

    /// The outputs, in order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The input of this name.
    ///
    /// # Errors
    /// If there is none; the error holds the names there are.
    pub fn input_named(&self, name: &str) -> Result<Id, Error> {
        let found = self.input_places.get(name).map(|&place| self.inputs[place]);
        found.ok_or_else(|| {
            let names = self.inputs.iter().filter_map(|&id| self.at(id).name().map(str::to_owned)).collect();
            Error::new(ErrorKind::NoName { what: "input", name: name.to_owned(), names })
        })
    }

    /// The output of this name.
    ///
    /// # Errors
    /// If there is none; the error holds the names there are.
    pub fn output_named(&self, name: &str) -> Result<Id, Error> {
        let found = self.output_places.get(name).map(|&place| self.outputs[place].id());
        found.ok_or_else(|| {
            let names = self.outputs.iter().map(|output| output.name().to_owned()).collect();
            Error::new(ErrorKind::NoName { what: "output", name: name.to_owned(), names })
        })
    }

    /// Which nodes the given ones are made of, and they themselves.
    pub(crate) fn needed(&self, ids: impl IntoIterator<Item = Id>) -> Vec<bool> {
        self.needed_by(ids, |node| Cow::Borrowed(&node.arguments))
    }

    /// The same where nodes are made of others than their arguments: of nodes before them, as these are.
    pub(crate) fn needed_by<'g>(
        &'g self,
        ids: impl IntoIterator<Item = Id>,
        made_of: impl Fn(&'g Node) -> Cow<'g, [Id]>,
    ) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for id in ids {
            needed[id.place()] = true;
        }
        for (place, node) in self.nodes.iter().enumerate().rev() {
            if needed[place] {
                for &argument in &*made_of(node) {
                    needed[argument.place()] = true;
                }
            }
        }
        needed
    }

    /// A copy, node by node, of what some nodes need: all inputs first, then each node as the function makes it of its
    /// arguments' copies. Without outputs; with the copies of all nodes that were copied.
    pub(crate) fn copied_for(
        &self,
        wanted: &[Id],
        shape: impl Fn(usize, &Node) -> Shape,
        mut copy: impl FnMut(&mut Graph, &Node, &[Id]) -> Result<Id, Error>,
    ) -> Result<(Graph, Vec<Option<Id>>), Error> {
        let mut to = Graph::new();
        let mut ids: Vec<Option<Id>> = vec![None; self.nodes.len()];
        for (number, &id) in self.inputs.iter().enumerate() {
            let node = self.at(id);
            let input = to.input(node.name().unwrap_or_default(), node.dtype(), shape(number, node))?;
            to.nodes[input.place()].origin = node.origin.clone();
            ids[id.place()] = Some(input);
        }
        let needed = self.needed(wanted.iter().copied());
        for (place, node) in self.nodes.iter().enumerate() {
            if !needed[place] || ids[place].is_some() {
                continue;
            }
            let arguments: Arguments = node.arguments.iter().filter_map(|id| ids[id.place()]).collect();
            let before = to.nodes.len();
            let id = copy(&mut to, node, &arguments)?;
            for made in &mut to.nodes[before..] {
                made.origin = node.origin.clone();
            }
            if let Some(name) = &node.name
                && to.at(id).name.is_none()
            {
                to.nodes[id.place()].name = Some(Arc::clone(name));
            }
            ids[place] = Some(id);
        }
        Ok((to, ids))
    }

    /// The same of what the outputs need, with the outputs.
    pub(crate) fn copied(
        &self,
        shape: impl Fn(usize, &Node) -> Shape,
        copy: impl FnMut(&mut Graph, &Node, &[Id]) -> Result<Id, Error>,
    ) -> Result<Graph, Error> {
        let wanted: Vec<Id> = self.outputs.iter().map(Output::id).collect();
        let (mut to, ids) = self.copied_for(&wanted, shape, copy)?;
        for output in &self.outputs {
            if let Some(id) = ids[output.id.place()] {
                to.output(&output.name, id)?;
            }
        }
        Ok(to)
    }

    /// The same graph without what no output needs.
    ///
    /// # Errors
    /// None that the graph as it is does not have.
    pub fn pruned(&self) -> Result<Graph, Error> {
        self.copied(
            |_, node| node.shape.clone(),
            |to, node, ids| {
                let id = to.add(node.kind.clone(), ids)?;
                to.answers(id, node.asked.as_deref().cloned());
                Ok(id)
            },
        )
    }

    /// The same graph with more specific shapes of its inputs, in their order, each within the declared one. Nodes take their
    /// plain form where these shapes decide it.
    ///
    /// ```
    /// use ndcast::{DType, graph::{Graph, kind::ShapeOf}};
    /// let mut graph = Graph::new();
    /// let x = graph.input("x", DType::F32, "?x3".parse()?)?;
    /// let shape = graph.add(ShapeOf(DType::I64), &[x])?;
    /// graph.output("shape", shape)?;
    /// let known = graph.with_shapes(&["5x3".parse()?])?;
    /// let shape = known.node(known.outputs()[0].id())?;
    /// assert_eq!(shape.integers(), Some(vec![5, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a shape lies outside of the declared one, or the graph does not work with these shapes.
    pub fn with_shapes(&self, shapes: &[Shape]) -> Result<Graph, Error> {
        self.bind(shapes)?;
        let copied = self.copied(
            |number, node| shapes.get(number).unwrap_or(&node.shape).clone(),
            |to, node, ids| to.add(node.kind.clone(), ids).map_err(|error| node.placed(error)),
        );
        copied?.pruned()
    }
}
