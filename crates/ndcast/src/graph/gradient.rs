//! Gradients: from a graph a graph that computes them, by what each kind of node and the record of each operation says.
//!
//! Broadcasting is undone where it was done, in [`Broadcast`](super::kind::Broadcast) and [`Fit`]: the sum over what was
//! repeated. Nothing is materialised on the way back that was not on the way there.

use std::collections::BTreeMap;

use smallvec::{SmallVec, smallvec};

use super::branch::Conditions;
use super::kind::{Apply, Broadcast, Concatenate, Fit, Lay, Reshape, ReshapeTo, Scatter, ShapeOf, SliceBy};
use super::{Arguments, Graph, Id, Kind, Node};
use crate::array::{Keep, Number};
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::layout::as_i64;
use crate::op::{Algebra, Body, Formula, Op, Value};
use crate::reduction::Reduction;

/// The gradients of a node's arguments; `None` for one that has none.
pub(crate) type Gradients = SmallVec<[Option<Id>; 3]>;

/// A node whose arguments' gradients are wanted, in the graph that grows backwards.
pub(crate) struct Backward<'g> {
    graph: &'g mut Graph,
    node: Id,
    d: Id,
    follows_bits: bool,
}

/// The gradient of the sum of an output, by inputs: a graph of the same inputs, with an output for each of those named,
/// in their order and with their names. Without names it is by every input of floats, and one that the output does not
/// depend on has zeros.
///
/// ```
/// use ndcast::{DType, Op, Tensor, graph::{Graph, gradient}};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "2x3".parse()?)?;
/// let row = graph.input("row", DType::F32, "3".parse()?)?;
/// let [a, b] = graph.joined([x, row])?;
/// let product = graph.apply(Op::Multiply, &[a, b])?;
/// graph.output("y", product)?;
/// let by_row = gradient(&graph, "y", Some(&["row"]))?;
/// let x = Tensor::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let row = Tensor::zeros(&[3], DType::F32)?;
/// // What was repeated is summed.
/// assert_eq!(by_row.run(&[x, row])?[0].to_vec::<f32>()?, [5.0, 7.0, 9.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the output, or without names every input, is not of real floats; if an input that is named is not, or does not reach the output other than through
/// integers, truth values or jumps; if an operation on the way has no gradient, or is of complex numbers.
pub fn gradient(graph: &Graph, of: &str, by: Option<&[&str]>) -> Result<Graph, Error> {
    let output = graph.output_named(of)?;
    let dtype = graph.at(output).dtype();
    if dtype.class() != Class::Float {
        let text = format!("the output {of} is {dtype}, and there are gradients of floats alone");
        return Err(Error::value(text).of("gradient"));
    }
    let wanted: Vec<Id> = match by {
        Some(names) => names.iter().map(|name| graph.input_named(name)).collect::<Result<_, _>>()?,
        None => {
            let floats = graph.inputs().iter().copied();
            floats.filter(|&id| graph.at(id).dtype().class() == Class::Float).collect()
        }
    };
    if by.is_none() && wanted.is_empty() {
        let said =
            |&id: &Id| format!("{} is {}", graph.at(id).name().unwrap_or_default(), graph.at(id).dtype());
        let inputs: Vec<String> = graph.inputs().iter().map(said).collect();
        let text = match &inputs[..] {
            [] => "there are no inputs".to_owned(),
            inputs => format!(
                "no input is of floats, and there are gradients of floats alone: {}",
                inputs.join(", ")
            ),
        };
        return Err(Error::value(text).of("gradient"));
    }
    for &id in &wanted {
        let (node, dtype) = (graph.at(id), graph.at(id).dtype());
        if dtype.class() != Class::Float {
            let name = node.name().unwrap_or_default();
            let text = format!("the input {name} is {dtype}, and there are gradients of floats alone");
            return Err(Error::value(text).of("gradient"));
        }
    }
    let Differentiated { graph: mut to, result, by: found } = differentiated(graph, output, &wanted)?;
    for (&id, (copy, d)) in wanted.iter().zip(found) {
        let name = graph.at(id).name().unwrap_or_default();
        let d = match d {
            Some(d) => d,
            None if by.is_some() && to.needed([result])[copy.place()] => {
                return Err(Error::new(ErrorKind::NoPath { input: name.to_owned(), output: of.to_owned() }));
            }
            None => to.full_like(0, copy)?,
        };
        to.output(name, d)?;
    }
    to.pruned()
}

/// A copy of a graph, without outputs, with the gradients of the sum of a node.
pub(super) struct Differentiated {
    pub(super) graph: Graph,
    /// The copy of the node.
    pub(super) result: Id,
    /// The copies of the inputs by which the gradients are, with these; `None` where the node does not change with it.
    pub(super) by: Vec<(Id, Option<Id>)>,
}

/// The gradients of the sum of a node by inputs.
pub(super) fn differentiated(graph: &Graph, of: Id, by: &[Id]) -> Result<Differentiated, Error> {
    let (mut to, ids) = forward(graph, of)?;
    let copied = |id: &Id| ids[id.place()].ok_or_else(|| Error::new(ErrorKind::OtherGraph));
    let result = copied(&of)?;
    let copies = by.iter().map(copied).collect::<Result<Vec<_>, _>>()?;
    let found = backward(&mut to, result, &copies)?;
    let by = copies.into_iter().map(|copy| (copy, found.get(&copy).copied())).collect();
    Ok(Differentiated { graph: to, result, by })
}

/// A copy of what one output needs, with operations that have no gradient of their own as the formulas that they are.
fn forward(graph: &Graph, output: Id) -> Result<(Graph, Vec<Option<Id>>), Error> {
    let (to, ids) = graph.copied_for(
        &[output],
        |_, node| node.shape().clone(),
        |to, node, ids| match node.kind() {
            Kind::Apply(Apply(op)) if op.record().gradient.is_none() => match op.record().body {
                Body::Formula(formula) => Builder::over(to, ids).formula(formula),
                _ => to.add(Apply(*op), ids),
            },
            kind => to.add(kind.clone(), ids),
        },
    )?;
    Ok((to, ids))
}

impl Graph {
    /// The same graph, of what its outputs need, with formulas of other operations in place of those nodes for which the
    /// function has one.
    pub(crate) fn with_formulas(
        &self,
        formula: impl Fn(&Graph, &Node) -> Option<Formula>,
    ) -> Result<Graph, Error> {
        self.copied(
            |_, node| node.shape().clone(),
            |to, node, ids| match formula(self, node) {
                Some(formula) => Builder::over(to, ids).formula(formula),
                None => to.add(node.kind().clone(), ids),
            },
        )
    }
}

/// The gradients of a node's sum by each of some nodes that it is made of, as far as there are any.
fn backward(graph: &mut Graph, of: Id, by: &[Id]) -> Result<BTreeMap<Id, Id>, Error> {
    let count = of.place() + 1;
    // Only what depends on one of these has a gradient.
    let mut between = vec![false; count];
    for &id in by {
        if id.place() < count {
            between[id.place()] = true;
        }
    }
    // What follows floats by way of their bits.
    let mut by_bits = vec![false; count];
    for (place, node) in graph.nodes[..count].iter().enumerate() {
        let of = |argument: &Id| graph.at(*argument).dtype().class();
        let bits = matches!(node.kind, Kind::Bitcast(_)) && of(&node.arguments[0]) == Class::Float;
        by_bits[place] = bits || node.arguments.iter().any(|argument| by_bits[argument.place()]);
        between[place] |= node.arguments.iter().any(|argument| between[argument.place()]);
    }
    // What is to be summed for each node.
    let mut found: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    if !between[of.place()] {
        return Ok(BTreeMap::new());
    }
    let one = graph.full_like(1, of)?;
    let mut conditions = Conditions::default();
    found.insert(of, vec![one]);
    for place in (0..count).rev() {
        let id = Id { graph: graph.tag, place: u32::try_from(place).unwrap_or(u32::MAX) };
        let arguments = graph.nodes[place].arguments.clone();
        if !between[place] || arguments.is_empty() {
            continue;
        }
        let Some(d) = graph.sum_of(&found.remove(&id).unwrap_or_default())? else { continue };
        if by.contains(&id) {
            found.insert(id, vec![d]);
        }
        let kind = graph.nodes[place].kind.clone();
        let name = kind.name();
        let is_complex = |argument: &Id| {
            between[argument.place()] && graph.at(*argument).dtype().class() == Class::Complex
        };
        if arguments.iter().any(is_complex) {
            return Err(Error::value("there is no gradient of complex numbers".to_owned()).of(name));
        }
        graph.add_conditions(id, &mut conditions);
        let mut back = Backward { graph: &mut *graph, node: id, d, follows_bits: by_bits[place] };
        let gradients = kind.operation().gradient(&mut back).map_err(|error| error.of(name))?;
        for (&argument, gradient) in arguments.iter().zip(gradients) {
            let Some(d) = gradient.filter(|_| between[argument.place()]) else { continue };
            let d = graph.leaving(id, argument, d, &conditions).map_err(|error| error.of(name))?;
            found.entry(argument).or_default().push(d);
        }
    }
    let sum = |(id, all): (Id, Vec<Id>)| Some(graph.sum_of(&all).transpose()?.map(|d| (id, d)));
    found.into_iter().filter_map(sum).collect()
}

impl Backward<'_> {
    /// The gradient of the node.
    pub(crate) fn d(&self) -> Id {
        self.d
    }

    /// The node.
    pub(crate) fn result(&self) -> Id {
        self.node
    }

    /// What the node is made of.
    pub(crate) fn arguments(&self) -> Arguments {
        self.graph.at(self.node).arguments.clone()
    }

    /// One of what the node is made of.
    pub(crate) fn argument(&self, place: usize) -> Id {
        self.graph.at(self.node).arguments[place]
    }

    /// The element type of the first argument.
    pub(crate) fn argument_dtype(&self) -> DType {
        self.graph.at(self.argument(0)).dtype()
    }

    /// The rank of an argument, which a gradient must know.
    pub(crate) fn argument_rank(&self, place: usize) -> Result<usize, Error> {
        self.rank(self.argument(place))
    }

    /// The rank of the result, which a gradient must know.
    pub(crate) fn result_rank(&self) -> Result<usize, Error> {
        self.rank(self.node)
    }

    pub(crate) fn rank(&self, of: Id) -> Result<usize, Error> {
        let rank = self.graph.at(of).shape().rank();
        rank.ok_or_else(|| Error::value("there is no gradient as long as the rank is not known".to_owned()))
    }

    /// No argument has a gradient.
    pub(crate) fn none(&self) -> Gradients {
        smallvec![None; self.graph.at(self.node).arguments.len()]
    }

    /// Whether the node, or what it is made of, is a bitcast of floats.
    pub(crate) fn follows_bits(&self) -> bool {
        self.follows_bits
    }

    /// One argument has this gradient.
    pub(crate) fn only(&self, place: usize, d: Id) -> Gradients {
        let mut gradients = self.none();
        gradients[place] = Some(d);
        gradients
    }

    /// Why there is no gradient.
    pub(crate) fn has_none(&self, what: &str) -> Error {
        Error::value(format!("there is no gradient of {what}"))
    }

    /// The graph that grows.
    pub(crate) fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    pub(crate) fn add(&mut self, kind: impl Into<Kind>, arguments: &[Id]) -> Result<Id, Error> {
        self.graph.add(kind, arguments)
    }

    pub(crate) fn add_all(&mut self, kind: impl Into<Kind>, arguments: &Arguments) -> Result<Id, Error> {
        self.graph.add(kind, arguments)
    }

    pub(crate) fn integers(&mut self, integers: &[i64]) -> Result<Id, Error> {
        self.graph.integers(integers)
    }

    /// Zeros in an argument's shape.
    pub(crate) fn zeros_like_argument(&mut self, place: usize) -> Result<Id, Error> {
        let like = self.argument(place);
        self.graph.full_like(0, like)
    }

    /// The extent of an argument's axis, as an array of one integer.
    pub(crate) fn extent_of_argument(&mut self, place: usize, axis: usize) -> Result<Id, Error> {
        let of = self.argument(place);
        self.graph.extent_of(of, axis)
    }

    /// A part of an array of one axis.
    fn part(&mut self, of: Id, from: usize, to: usize) -> Result<Id, Error> {
        let at = |n: usize| Some(as_i64(n));
        self.graph.part(of, 0, at(from), at(to))
    }

    /// What lies along an axis of the gradient from one place to before another, which are arrays of one integer.
    pub(crate) fn between(&mut self, axis: usize, start: Id, stop: Id) -> Result<Id, Error> {
        let one = self.graph.integers(&[1])?;
        self.graph.add(SliceBy { axes: vec![axis] }, &[self.d, start, stop, one])
    }

    /// The gradient of something that only changed its shape.
    pub(crate) fn reshaped(&mut self) -> Result<Gradients, Error> {
        let x = self.argument(0);
        let d = match self.graph.at(x).shape().extents() {
            Some(extents) => self.graph.add(Reshape::new(&extents), &[self.d])?,
            None => {
                let shape = self.graph.add(ShapeOf(DType::I64), &[x])?;
                self.graph.add(ReshapeTo, &[self.d, shape])?
            }
        };
        Ok(self.only(0, d))
    }

    /// The adjoint of taking rows: a scatter that adds them up.
    pub(crate) fn untaken(&mut self, axis: usize, batch: usize) -> Result<Gradients, Error> {
        let (x, numbers) = (self.argument(0), self.argument(1));
        let rank = self.rank(numbers)?;
        let own_rank = self.rank(x)?;
        // The numbers' own axes as one, in the gradient and in themselves.
        let count = rank - batch;
        let mut d = self.d;
        let mut flat = numbers;
        if count != 1 {
            let numbers_shape = self.graph.add(ShapeOf(DType::I64), &[numbers])?;
            let d_shape = self.graph.add(ShapeOf(DType::I64), &[d])?;
            // Of no elements nothing would be left for -1.
            let own = self.part(numbers_shape, batch, rank)?;
            let all = self.graph.fold(Reduction::Prod, own, &[0], Keep::Axes)?;
            let batches = self.part(numbers_shape, 0, batch)?;
            let flat_shape = self.graph.add(Concatenate { axis: 0 }, &[batches, all])?;
            flat = self.graph.add(ReshapeTo, &[numbers, flat_shape])?;
            let before = self.part(d_shape, 0, axis)?;
            let behind = self.part(d_shape, axis + count, own_rank - 1 + count)?;
            let d_flat = self.graph.add(Concatenate { axis: 0 }, &[before, all, behind])?;
            d = self.graph.add(ReshapeTo, &[d, d_flat])?;
        }
        // The numbers over the gradient's shape: the batch, then nothing, then the rows, then nothing.
        let lay = |place| match place {
            _ if place < batch => Lay::Axis(place),
            _ if place == axis => Lay::Axis(batch),
            _ => Lay::New(1),
        };
        let laid = self.graph.add(Broadcast::new((0..own_rank).map(lay)), &[flat])?;
        let laid = self.graph.add(Fit::join(2, 0), &[laid, d])?;
        let zeros = self.zeros_like_argument(0)?;
        let d = self.graph.add(Scatter { axis, with: Some(Op::Add) }, &[zeros, laid, d])?;
        Ok(self.only(0, d))
    }

    /// By the record of an operation.
    pub(crate) fn of_op(&mut self, op: Op) -> Result<Gradients, Error> {
        let dtype = self.graph.at(self.node).dtype();
        if dtype.class() == Class::Complex {
            return Err(self.has_none("complex numbers"));
        }
        let Some(gradient) = op.record().gradient else { return Ok(self.none()) };
        if dtype.class() != Class::Float {
            return Ok(self.none());
        }
        let arguments = self.arguments();
        let (node, d) = (self.node, self.d);
        let mut builder = Builder::over(self.graph, &arguments);
        let places: Vec<Value> = builder.arguments.clone();
        let (result, d) = (builder.node(node), builder.node(d));
        let gradients = gradient(&mut builder, &places, result, d);
        let mut found = Gradients::new();
        for (value, argument) in gradients.into_iter().zip(&arguments) {
            found.push(value.map(|value| builder.id(value, *argument)).transpose()?);
        }
        builder.finish()?;
        Ok(found)
    }
}

/// A graph as an algebra: numbers become constants where they meet a node.
struct Builder<'g> {
    graph: &'g mut Graph,
    values: Vec<Made>,
    arguments: Vec<Value>,
    error: Option<Error>,
}

#[derive(Clone, Copy)]
enum Made {
    Node(Id),
    Number(f64),
}

impl<'g> Builder<'g> {
    fn over(graph: &'g mut Graph, arguments: &[Id]) -> Builder<'g> {
        let mut builder = Builder { graph, values: Vec::new(), arguments: Vec::new(), error: None };
        builder.arguments = arguments.iter().map(|&id| builder.node(id)).collect();
        builder
    }

    fn node(&mut self, id: Id) -> Value {
        self.made(Made::Node(id))
    }

    /// The node whose type numbers take if they meet no other.
    fn like(&self) -> Result<Id, Error> {
        let numbers = |made: &Made| match made {
            Made::Node(id) if self.graph.at(*id).dtype() != DType::Bool => Some(*id),
            _ => None,
        };
        // Where there are truth values alone, numbers beside them are truth values too.
        let any = |made: &Made| if let Made::Node(id) = made { Some(*id) } else { None };
        let found = self.values.iter().find_map(numbers);
        let found = found.or_else(|| self.values.iter().find_map(any));
        found.ok_or_else(|| Error::value("an operation on truth values alone has no gradient".to_owned()))
    }

    fn made(&mut self, made: Made) -> Value {
        self.values.push(made);
        Value(u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX))
    }

    /// The result of a formula.
    fn formula(mut self, formula: fn(&mut dyn Algebra, &[Value]) -> Value) -> Result<Id, Error> {
        let arguments = self.arguments.clone();
        let result = formula(&mut self, &arguments);
        let id = self.like().and_then(|like| self.id(result, like));
        self.finish().and(id)
    }

    /// The node of a value; a number is one everywhere in the shape of another node.
    fn id(&mut self, value: Value, like: Id) -> Result<Id, Error> {
        match self.values[value.0 as usize] {
            Made::Node(id) => Ok(id),
            Made::Number(n) => {
                let dtype = self.graph.at(like).dtype();
                // Beside truth values a number is one of them.
                let number = if dtype == DType::Bool { Number::Bool(n != 0.0) } else { Number::Float(n) };
                self.graph.full_like(number, like)
            }
        }
    }

    fn finish(self) -> Result<(), Error> {
        self.error.map_or(Ok(()), Err)
    }

    fn applied(&mut self, op: Op, arguments: &[Value]) -> Result<Id, Error> {
        let made = |builder: &Builder<'_>, value: &Value| builder.values[value.0 as usize];
        // Numbers take the type of the last node among what has one type.
        let own = usize::from(matches!(op.record().body, Body::Select));
        let nodes = || arguments[own.min(arguments.len())..].iter().rev().chain(arguments);
        let like =
            nodes().find_map(|value| if let Made::Node(id) = made(self, value) { Some(id) } else { None });
        let like = match like {
            // What is chosen by truth values is no truth value.
            Some(like) if self.graph.at(like).dtype() != DType::Bool => like,
            _ => self.like()?,
        };
        let mut ids = Arguments::new();
        for value in arguments {
            ids.push(self.id(*value, like)?);
        }
        self.graph.apply(op, &ids)
    }
}

impl Algebra for Builder<'_> {
    fn apply(&mut self, op: Op, arguments: &[Value]) -> Value {
        let made = match self.applied(op, arguments) {
            Ok(id) => Made::Node(id),
            Err(error) => {
                self.error.get_or_insert(error);
                Made::Number(f64::NAN)
            }
        };
        self.made(made)
    }

    fn number(&mut self, n: f64) -> Value {
        self.made(Made::Number(n))
    }
}
