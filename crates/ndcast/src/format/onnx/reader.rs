//! The graph of a model: its nodes in order, each a call of the front door.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use ndcast_shape::{Dim, Shape};

use super::branch;
use super::declared;
use super::proto::{
    self, Attribute as Proto, Dimension, Function, Graph as GraphProto, Model, Node, Opset, ValueInfo,
};
use super::tensor::tensor;
use crate::dialect::onnx::{Attribute, Attributes, Builder, NEWEST, dtype, lacks};
use crate::error::{Error, ErrorKind};
use crate::format::names::Names;
use crate::graph::{Graph, Id};
use crate::tensor::Tensor;

/// What functions are called by: domain, name and overload.
type Key<'m> = (&'m str, &'m str, &'m str);

/// So many nodes of functions, branches and loops are written out; a few functions that call each other twice could make any
/// number, and so could a loop.
const MOST_INLINED: usize = 1 << 18;

/// The opset of ONNX's own operators.
fn opset(opsets: &[Opset<'_>]) -> Result<i64, Error> {
    let own = opsets.iter().find(|opset| is_own(opset.domain));
    let version = own.map(|opset| opset.version);
    version.ok_or_else(|| Error::value("the opset of ONNX's operators is not said".to_owned()))
}

pub(super) fn is_own(domain: &str) -> bool {
    domain.is_empty() || domain == "ai.onnx"
}

/// A graph or function that is being built: its nodes, the next one, the values by name.
pub(super) struct Frame<'m> {
    pub(super) nodes: &'m [Node<'m>],
    pub(super) next: usize,
    pub(super) opset: i64,
    pub(super) values: HashMap<&'m str, Id>,
    /// What the call gives a function, by name; empty for the model's graph.
    pub(super) attributes: Attributes,
    /// The call, and the function that it is of.
    pub(super) call: Option<(&'m Node<'m>, &'m Function<'m>)>,
}

/// Reads one model.
pub(super) struct Reader<'m> {
    functions: HashMap<Key<'m>, &'m Function<'m>>,
    folder: Option<&'m Path>,
    /// Inputs that are known already.
    given: &'m [(&'m str, Tensor)],
    /// The model's tensors as they were read, by where they are: the body of a loop has its own in every round.
    tensors: HashMap<*const proto::Tensor<'m>, Tensor>,
    pub(super) graph: Graph,
    /// Values that are known before the graph runs, where it was asked for them.
    pub(super) computed: HashMap<Id, Tensor>,
    inlined: usize,
    /// How many nodes that hold graphs lie around what is being built.
    pub(super) depth: usize,
}

/// The graph of a model.
pub(super) fn graph<'m>(
    model: &'m Model<'m>,
    folder: Option<&'m Path>,
    given: &'m [(&'m str, Tensor)],
) -> Result<Graph, Error> {
    let proto = model
        .graph
        .as_ref()
        .ok_or_else(|| Error::value("it is no ONNX model: it has no graph".to_owned()))?;
    let opset = opset(&model.opsets);
    let mut functions = HashMap::new();
    for function in &model.functions {
        if functions.insert((function.domain, function.name, function.overload), function).is_some() {
            return Err(Error::value("there are two functions of this name".to_owned()).at(function.name));
        }
    }
    // A model of other operators alone need not say which of ONNX's own it means.
    unsupported(proto, opset.as_ref().copied().unwrap_or(NEWEST), &functions)?;
    let opset = opset?;
    let (tensors, computed) = (HashMap::new(), HashMap::new());
    let empty = Graph::new();
    let mut reader =
        Reader { functions, folder, given, tensors, graph: empty, computed, inlined: 0, depth: 0 };
    let values = reader.sources(proto)?;
    let frame =
        Frame { nodes: &proto.nodes, next: 0, opset, values, attributes: Attributes::new(), call: None };
    let values = reader.run(frame)?;
    for (output, name) in proto.outputs.iter().zip(declared::names(&proto.outputs)) {
        let at = |error: Error| error.at(output.name);
        let id = values.get(output.name).copied();
        let id = id.ok_or_else(|| at(Error::value("no node makes this output".to_owned())))?;
        declared::check(output, reader.graph.node(id)?).map_err(at)?;
        reader.graph.output(&name, id).map_err(at)?;
    }
    Ok(reader.graph)
}

/// An error that holds every operator that is not here, of the graph and of the functions that are called.
fn unsupported<'m>(
    proto: &'m GraphProto<'m>,
    opset_of_graph: i64,
    functions: &HashMap<Key<'m>, &'m Function<'m>>,
) -> Result<(), Error> {
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut seen: HashSet<Key<'m>> = HashSet::new();
    let mut left: Vec<(&[Node<'m>], i64)> = vec![(&proto.nodes, opset_of_graph)];
    while let Some((nodes, version)) = left.pop() {
        for (place, node) in nodes.iter().enumerate() {
            let key = (node.domain, node.op_type, node.overload);
            if let Some(function) = functions.get(&key) {
                if seen.insert(key) {
                    left.push((&function.nodes, opset(&function.opsets).unwrap_or(version)));
                }
                continue;
            }
            let why = match is_own(node.domain) {
                true => lacks(node.op_type, version),
                false => Some(format!("{}.{}", node.domain, node.op_type)),
            };
            left.extend(branch::graphs(node).map(|graph| (&graph.nodes[..], version)));
            if let Some(name) = why {
                found.entry(name).or_insert_with(|| (0, called(node, place))).0 += 1;
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let text = |(name, (count, first)): (String, (usize, String))| match count {
        1 => format!("{name} ({first})"),
        _ => format!("{name} ({count} times, first {first})"),
    };
    Err(Error::new(ErrorKind::Unsupported { operators: found.into_iter().map(text).collect() }))
}

/// What a node is called in errors.
fn called(node: &Node<'_>, place: usize) -> String {
    match (node.name, node.outputs.iter().find(|name| !name.is_empty())) {
        ("", None) => format!("node {place}"),
        ("", Some(output)) => format!("node {place}, which makes {output}"),
        (name, _) => format!("node {name}"),
    }
}

impl<'m> Reader<'m> {
    /// The inputs and the tensors of the model. An initializer that is also an input is that input's default, which is used
    /// unless the input is given.
    fn sources(&mut self, proto: &'m GraphProto<'m>) -> Result<HashMap<&'m str, Id>, Error> {
        check_dense(proto)?;
        let inputs: HashSet<&str> = proto.inputs.iter().map(|input| input.name).collect();
        if let Some((name, _)) = self.given.iter().find(|(name, _)| !inputs.contains(name)) {
            let names = proto.inputs.iter().map(|input| input.name.to_owned()).collect();
            return Err(Error::new(ErrorKind::NoName { what: "input", name: (*name).to_owned(), names }));
        }
        let given: HashSet<&str> = self.given.iter().map(|(name, _)| *name).collect();
        let used = || proto.initializers.iter().filter(|tensor| !given.contains(tensor.name));
        let there: HashSet<&str> = used().map(|tensor| tensor.name).collect();
        let mut values = HashMap::new();
        let mut names = Symbols::default();
        for input in proto.inputs.iter().filter(|input| !there.contains(input.name)) {
            let id = self.input(input, &mut names).map_err(|error| error.at(input.name))?;
            new(&mut values, input.name, id)?;
        }
        self.initial(used(), &mut values)?;
        Ok(values)
    }

    /// A tensor of the model.
    fn tensor(&mut self, proto: &'m proto::Tensor<'m>) -> Result<Tensor, Error> {
        if let Some(read) = self.tensors.get(&std::ptr::from_ref(proto)) {
            return Ok(read.clone());
        }
        let read = tensor(proto, self.folder)?;
        self.tensors.insert(proto, read.clone());
        Ok(read)
    }

    /// The tensors of a graph.
    pub(super) fn initial(
        &mut self,
        initializers: impl IntoIterator<Item = &'m proto::Tensor<'m>>,
        values: &mut HashMap<&'m str, Id>,
    ) -> Result<(), Error> {
        for initializer in initializers {
            let id = self.tensor(initializer).and_then(|tensor| self.graph.constant(tensor));
            let id = id.map_err(|error| error.at(initializer.name))?;
            self.named(id, initializer.name)?;
            new(values, initializer.name, id)?;
        }
        Ok(())
    }

    fn input(&mut self, info: &ValueInfo<'m>, names: &mut Symbols<'m>) -> Result<Id, Error> {
        let tensor = info.tensor.as_ref();
        let tensor = tensor.ok_or_else(|| Error::value("the input is no tensor".to_owned()))?;
        let shape = match &tensor.shape {
            None => Shape::UNRANKED,
            Some(dims) => dims.iter().map(|dim| names.dim(dim)).collect::<Result<Vec<_>, _>>()?.into(),
        };
        let declared = dtype(tensor.dtype)?;
        match self.given.iter().find(|(name, _)| *name == info.name) {
            None => self.graph.input(info.name, declared, shape),
            Some((_, given)) if given.dtype() == declared => self.graph.constant(given.clone()),
            Some((_, given)) => Err(Error::other_type(given.dtype(), declared)),
        }
    }

    /// Builds the nodes of a frame and of all functions that they call; the values of the frame.
    pub(super) fn run(&mut self, first: Frame<'m>) -> Result<HashMap<&'m str, Id>, Error> {
        let mut frames = vec![first];
        while let Some(frame) = frames.last_mut() {
            let (nodes, place) = (frame.nodes, frame.next);
            frame.next += 1;
            if let Some(node) = nodes.get(place) {
                let at = |error: Error| error.at(&called(node, place));
                let key = (node.domain, node.op_type, node.overload);
                match self.functions.get(&key).copied() {
                    None if branch::holds_graphs(node) => self.written_out(frame, node).map_err(at)?,
                    None => self.node(frame, node).map_err(at)?,
                    Some(function) => {
                        let inner = self.entered(frame, node, function).map_err(at)?;
                        let again = |frame: &Frame<'m>| {
                            frame.call.is_some_and(|(_, other)| std::ptr::eq(other, function))
                        };
                        if frames.iter().any(again) {
                            return Err(at(Error::value("the function calls itself".to_owned())));
                        }
                        frames.push(inner);
                    }
                }
                continue;
            }
            let Some(done) = frames.pop() else { break };
            match (done.call, frames.last_mut()) {
                (Some((node, function)), Some(outer)) => {
                    left(&done.values, node, function, outer)
                        .map_err(|error| error.at(&called(node, outer.next - 1)))?;
                }
                _ => return Ok(done.values),
            }
        }
        Ok(HashMap::new())
    }

    /// Counts what is written out of functions, branches and loops.
    pub(super) fn count_one(&mut self) -> Result<(), Error> {
        self.inlined += 1;
        if self.inlined <= MOST_INLINED {
            return Ok(());
        }
        Err(Error::value(format!("the functions and loops are more than {MOST_INLINED} nodes together")))
    }

    /// A node of an operator.
    fn node(&mut self, frame: &mut Frame<'m>, node: &'m Node<'m>) -> Result<(), Error> {
        if frame.call.is_some() || self.depth > 0 {
            self.count_one()?;
        }
        let mut inputs = Vec::with_capacity(node.inputs.len());
        for &name in &node.inputs {
            inputs.push(match name {
                "" => None,
                name => found(&frame.values, name)?,
            });
        }
        // Inputs that are left out at the end are as good as none.
        while inputs.last() == Some(&None) {
            inputs.pop();
        }
        let attributes = self.attributes(node, &frame.attributes)?;
        let wanted = node.outputs.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let output = node.outputs.iter().find(|name| !name.is_empty());
        self.graph.of_operator(if node.name.is_empty() {
            output.copied().unwrap_or_default()
        } else {
            node.name
        });
        let made =
            Builder::new(&mut self.graph, frame.opset)?.node(node.op_type, &inputs, &attributes, wanted)?;
        for (&name, id) in node.outputs.iter().zip(made) {
            if !name.is_empty() {
                self.named(id, if node.name.is_empty() { name } else { node.name })?;
                new(&mut frame.values, name, id)?;
            }
        }
        Ok(())
    }

    /// Names a node that has no name yet: an operator that does nothing gives what it was given.
    fn named(&mut self, id: Id, name: &str) -> Result<(), Error> {
        if self.graph.node(id)?.name().is_none() { self.graph.name(id, name) } else { Ok(()) }
    }

    /// The attributes of a node; those of a function's node may be the function's own.
    fn attributes(&mut self, node: &'m Node<'m>, around: &Attributes) -> Result<Attributes, Error> {
        let mut attributes = Attributes::new();
        for proto in &node.attributes {
            let at = |error: Error| error.at(proto.name);
            let value = if proto.refers_to.is_empty() {
                Some(self.attribute(proto).map_err(at)?)
            } else {
                // One that the call does not give is not given here either.
                around.get(proto.refers_to).cloned()
            };
            if let Some(value) = value
                && !attributes.put(proto.name, value)
            {
                return Err(at(Error::value("there are two attributes of this name".to_owned())));
            }
        }
        Ok(attributes)
    }

    fn attribute(&mut self, proto: &'m Proto<'m>) -> Result<Attribute, Error> {
        let text = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).map(str::to_owned);
            text.map_err(|_| Error::value("a text is not UTF-8".to_owned()))
        };
        Ok(match proto.kind {
            1 => Attribute::Float(proto.float),
            2 => Attribute::Int(proto.int),
            3 => Attribute::Text(text(proto.text)?),
            4 => {
                let found =
                    proto.tensor.as_ref().ok_or_else(|| Error::value("the tensor is missing".to_owned()))?;
                Attribute::Tensor(self.tensor(found)?)
            }
            6 => Attribute::Floats(proto.floats.clone()),
            7 => Attribute::Ints(proto.ints.iter().map(|n| n.cast_signed()).collect()),
            8 => Attribute::Texts(proto.texts.iter().map(|bytes| text(bytes)).collect::<Result<_, _>>()?),
            other => {
                let what = match other {
                    5 | 10 => "a graph",
                    9 => "a list of tensors",
                    11 | 12 => "a sparse tensor",
                    _ => "of no known kind",
                };
                return Err(Error::value(format!("the attribute is {what}, which is not read")));
            }
        })
    }

    /// The frame of a function's call.
    fn entered(
        &mut self,
        outer: &Frame<'m>,
        node: &'m Node<'m>,
        function: &'m Function<'m>,
    ) -> Result<Frame<'m>, Error> {
        if node.inputs.len() > function.inputs.len() || node.outputs.len() > function.outputs.len() {
            let (inputs, outputs) = (function.inputs.len(), function.outputs.len());
            return Err(Error::value(format!("the function has {inputs} inputs and {outputs} outputs")));
        }
        let mut values = HashMap::new();
        for (&name, &given) in function.inputs.iter().zip(&node.inputs) {
            if let Some(id) = found(&outer.values, given)? {
                new(&mut values, name, id)?;
            }
        }
        let mut attributes = self.attributes(node, &outer.attributes)?;
        let known = |name: &str| {
            function.attributes.contains(&name) || function.defaults.iter().any(|other| other.name == name)
        };
        if let Some(name) = attributes.names().find(|name| !known(name)) {
            return Err(Error::value(format!("the function has no attribute {name}")));
        }
        for default in &function.defaults {
            if attributes.get(default.name).is_none() {
                let value = self.attribute(default).map_err(|error| error.at(default.name))?;
                attributes.put(default.name, value);
            }
        }
        let version = if function.opsets.is_empty() { outer.opset } else { opset(&function.opsets)? };
        Ok(Frame {
            nodes: &function.nodes,
            next: 0,
            opset: version,
            values,
            attributes,
            call: Some((node, function)),
        })
    }
}

pub(super) fn check_dense(proto: &GraphProto<'_>) -> Result<(), Error> {
    match proto.sparse {
        0 => Ok(()),
        sparse => Err(Error::value(format!("{sparse} tensors are sparse, which are not read"))),
    }
}

/// What a name stands for; an input that is left out has none.
pub(super) fn found(values: &HashMap<&str, Id>, name: &str) -> Result<Option<Id>, Error> {
    if name.is_empty() {
        return Ok(None);
    }
    let id = values.get(name).copied();
    id.map(Some).ok_or_else(|| Error::value(format!("no input and no node before it makes {name:?}")))
}

/// Defines a value; its name must be new.
pub(super) fn new<'m>(values: &mut HashMap<&'m str, Id>, name: &'m str, id: Id) -> Result<(), Error> {
    match values.insert(name, id) {
        None => Ok(()),
        Some(_) => Err(Error::value(format!("there are two values called {name:?}"))),
    }
}

/// Binds a finished function's outputs to the names that its call gives them.
fn left<'m>(
    values: &HashMap<&'m str, Id>,
    node: &'m Node<'m>,
    function: &Function<'m>,
    outer: &mut Frame<'m>,
) -> Result<(), Error> {
    for (&name, &inner) in node.outputs.iter().zip(&function.outputs) {
        if let (false, Some(id)) = (name.is_empty(), found(values, inner)?) {
            new(&mut outer.values, name, id)?;
        }
    }
    Ok(())
}

/// The names of extents. ONNX allows any text, and they are words here, so that a graph can be written as text.
#[derive(Default)]
struct Symbols<'m> {
    words: HashMap<&'m str, Dim>,
    taken: Names,
}

impl<'m> Symbols<'m> {
    fn dim(&mut self, dimension: &Dimension<'m>) -> Result<Dim, Error> {
        match *dimension {
            // Runtimes take -1 for an extent that is not known, too.
            Dimension::Unknown | Dimension::Param("") | Dimension::Value(-1) => Ok(Dim::UNKNOWN),
            Dimension::Value(n) => usize::try_from(n)
                .map(Dim::Known)
                .map_err(|_| Error::value(format!("the shape has the extent {n}, and none is negative"))),
            Dimension::Param(name) => Ok(self.symbol(name)),
        }
    }

    fn symbol(&mut self, name: &'m str) -> Dim {
        if let Some(dim) = self.words.get(name) {
            return dim.clone();
        }
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let mut word: String = name.chars().map(letter).take(48).collect();
        // It begins with a digit, or is a word such as `None`, which is not a name.
        if !word.is_empty() && Dim::symbol(&word).is_none() {
            word.insert(0, '_');
        }
        let dim = Dim::symbol(&self.taken.free(&word)).unwrap_or(Dim::UNKNOWN);
        self.words.insert(name, dim.clone());
        dim
    }
}
