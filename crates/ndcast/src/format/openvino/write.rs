//! A graph as a model: constants into the `.bin`, each once; nodes as layers; what an elementwise layer broadcasts by itself
//! left to it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use ndcast_shape::rule::openvino;
use ndcast_shape::{Dim, Shape};

use super::expand::{expanded, named, numbers};
use super::weights::packed;
use super::write_movement;
use super::xml::{Document, Layer, Output, Port};
use crate::array::{Array, Number};
use crate::convert::Overflow;
use crate::dialect::openvino::{AutoBroadcast, element_type_name};
use crate::dtype::DType;
use crate::error::Error;
use crate::format::names::Names;
use crate::format::{formula, implicit, output_names};
use crate::graph::{self, Graph, Id, Kind, Node};
use crate::op::{Argument, Op};
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// The operations of this opset are written: readers since 2023 have it.
pub(super) const OPSET: u32 = 13;

/// A layer as it is to be written: its type, its opset and its attributes.
pub(super) type Written<'l> = (&'l str, u32, Vec<(&'l str, String)>);

pub(super) struct Writer<'g> {
    pub(super) graph: &'g Graph,
    document: Document,
    bin: Vec<u8>,
    /// Where constants are, by a hash of their bytes.
    places: HashMap<u64, Vec<(usize, usize)>>,
    /// What was written of each node.
    ports: Vec<Option<Port>>,
    /// The names of layers that are taken.
    names: Names,
    /// The names of each node's tensor.
    tensors: Vec<Vec<String>>,
    /// For each Argsort: the values that its TopK gives too.
    pub(super) sorted: HashMap<Id, Sorted>,
    /// Which nodes are integers made of folds.
    of_folds: Vec<bool>,
}

/// Elements in order.
#[derive(Default)]
pub(super) struct Sorted {
    /// The names of their tensor.
    pub(super) names: Vec<String>,
    /// What they are, once they are written.
    pub(super) port: Option<Port>,
}

/// What Convert makes of what a type does not hold.
pub(super) const OWN_OVERFLOW: Overflow = Overflow::OpenVino;

pub(super) fn model(graph: &Graph) -> Result<(String, Vec<u8>), Error> {
    let graph = graph.with_rules(&write_movement::RULES)?;
    let graph = graph.with_doublings(|run| run.reduction != Reduction::Sum)?;
    let graph = graph.with_conversions(|convert, from| {
        convert.differs(from, OWN_OVERFLOW) || convert.ends_at_integers(from) || convert.tells_zeros(from)
    })?;
    let graph = graph.with_scatters(write_movement::is_scattered)?;
    let graph = expanded(&*graph.with_starts_inside()?)?;
    let mut tensors = vec![Vec::new(); graph.len()];
    for &id in graph.inputs() {
        tensors[id.place()].extend(graph.node(id)?.name().map(str::to_owned));
    }
    let names = output_names(&graph);
    for (output, name) in graph.outputs().iter().zip(&names) {
        tensors[output.id().place()].push(name.clone());
    }
    // What changes nothing is no layer: it is its argument, whose tensor has its names. Nor are elements in order, of which there
    // is one tensor.
    let mut sorted: HashMap<Id, Sorted> = HashMap::new();
    let nodes: Vec<(Id, &Node)> = graph.nodes().collect();
    for (id, node) in nodes.into_iter().rev() {
        if write_movement::passes(&graph, node) {
            let names = std::mem::take(&mut tensors[id.place()]);
            tensors[node.arguments()[0].place()].extend(names);
        } else if let Some(sort) = graph.sort_of(node) {
            sorted.entry(sort).or_default().names.append(&mut tensors[id.place()]);
        }
    }
    let mut writer = Writer {
        graph: &graph,
        document: Document::default(),
        bin: Vec::new(),
        places: HashMap::new(),
        ports: vec![None; graph.len()],
        names: Names::default(),
        tensors,
        sorted,
        of_folds: of_folds(&graph),
    };
    // All that outputs need becomes layers, but for what their takers lay themselves.
    let needed = graph.needed_by(graph.outputs().iter().map(graph::Output::id), |node| match node.kind() {
        Kind::Apply(apply) => elementwise_inputs(&graph, apply.0, node).0.into(),
        _ if write_movement::turned_constant(&graph, node).is_some() => Cow::Borrowed(&[]),
        _ => node.arguments().into(),
    });
    let mut missing = Vec::new();
    for (id, node) in graph.nodes() {
        if !needed[id.place()] && !matches!(node.kind(), Kind::Input(_)) {
            continue;
        }
        match writer.node(id, node) {
            Ok(port) => writer.ports[id.place()] = Some(port),
            Err(error) => {
                let called = node.name().map_or_else(String::new, |name| format!(" ({name})"));
                missing.push(format!("%{} = {}{called}: {error}", id.place(), node.kind().name()));
                // What is made of it is written all the same, so that everything missing is found.
                writer.ports[id.place()] = Some(writer.integers(&[])?);
            }
        }
    }
    if !missing.is_empty() {
        return Err(Error::value(format!("OpenVINO has no layers for {}", missing.join("; "))));
    }
    for (output, name) in graph.outputs().iter().zip(names) {
        let port = writer.port(output.id())?;
        let sink = writer.names.free(&format!("{name}/sink"));
        let attributes = [("output_names", name)];
        let layer = Layer { kind: "Result", opset: 1, attributes: &attributes, name: &sink, outputs: &[] };
        writer.document.layer(&layer, &[port])?;
    }
    // OpenVINO refuses an empty `.bin` if there is any constant, even an empty one.
    if writer.bin.is_empty() && !writer.places.is_empty() {
        writer.bin.push(0);
    }
    Ok((writer.document.finished("model"), writer.bin))
}

/// The numbers that are attributes of a layer, and not inputs.
const ATTRIBUTES: [Op; 2] = [Op::Elu, Op::Clip];

/// The inputs of an elementwise layer, and how it lays them.
fn elementwise_inputs(graph: &Graph, op: Op, node: &Node) -> (Vec<Id>, AutoBroadcast) {
    let arguments = op.record().arguments;
    let arrays = arguments.iter().filter(|argument| argument.default.is_none()).count();
    if arrays == arguments.len() && arrays > 1 {
        return implicit_inputs(graph, node);
    }
    if ATTRIBUTES.contains(&op) {
        return (node.arguments()[..arrays].to_vec(), AutoBroadcast::Numpy);
    }
    let inputs = arguments.iter().zip(node.arguments());
    let input =
        |(argument, &id): (&Argument, &Id)| if argument.default.is_some() { scalar(graph, id) } else { id };
    (inputs.map(input).collect(), AutoBroadcast::Numpy)
}

/// The inputs of a layer that may broadcast by itself, and how it does.
fn implicit_inputs(graph: &Graph, node: &Node) -> (Vec<Id>, AutoBroadcast) {
    let own = node.arguments();
    if let Some((fit, operands)) = implicit::by_one_rule(graph, own)
        && *fit.rule == openvino::ELTWISE_PDPD
    {
        return (operands.to_vec(), AutoBroadcast::Pdpd(fit.axis.unwrap_or(0)));
    }
    if let Some(operands) = implicit::by_numpy(graph, node, &openvino::ELTWISE_NUMPY) {
        return (operands, AutoBroadcast::Numpy);
    }
    let known = own.iter().all(|&id| graph.at(id).shape().extents().is_some());
    (own.to_vec(), if known { AutoBroadcast::Numpy } else { AutoBroadcast::None })
}

/// Which nodes are integers that are folds, products of matrices, or made of such in any number of steps. A Maximum is none, since
/// it is what stands between (see [`Writer::by_itself`]).
fn of_folds(graph: &Graph) -> Vec<bool> {
    let mut found = vec![false; graph.len()];
    for (id, node) in graph.nodes() {
        found[id.place()] = node.dtype().is_integer()
            && match node.kind() {
                Kind::Reduce(_) | Kind::MatMul(_) => true,
                Kind::Apply(apply) if apply.0 == Op::Maximum => false,
                _ => node.arguments().iter().any(|argument| found[argument.place()]),
            };
    }
    found
}

/// The scalar constant behind broadcasts, else the node itself.
fn scalar(graph: &Graph, id: Id) -> Id {
    let mut from = id;
    while let Ok(node) = graph.node(from) {
        from = match node.kind() {
            Kind::Broadcast(_) => node.arguments()[0],
            Kind::Fit(fit) => node.arguments()[fit.operand],
            Kind::Constant(constant) if constant.0.rank() == 0 => return from,
            _ => return id,
        };
    }
    id
}

/// A shape as attributes have it. Names of extents are none of OpenVINO's.
fn shape_text(shape: &Shape) -> String {
    let Some(dims) = shape.dims() else { return "...".to_owned() };
    let text = |dim: &Dim| if let Dim::Symbol(_) = dim { "?".to_owned() } else { dim.to_string() };
    dims.iter().map(text).collect::<Vec<_>>().join(",")
}

impl Writer<'_> {
    /// What was written of a node.
    pub(super) fn port(&self, id: Id) -> Result<Port, Error> {
        let port = self.ports.get(id.place()).and_then(Option::as_ref);
        port.cloned().ok_or_else(|| Error::value(format!("%{} is not there", id.place())))
    }

    pub(super) fn ports(&self, ids: &[Id]) -> Result<Vec<Port>, Error> {
        ids.iter().map(|&id| self.port(id)).collect()
    }

    /// A layer on the way to a node, with a name of its own.
    pub(super) fn step(
        &mut self,
        (kind, opset, attributes): Written<'_>,
        inputs: &[Port],
        dtype: DType,
        shape: Shape,
    ) -> Result<Port, Error> {
        let name = self.names.free(&format!("{kind}_{}", self.document.count()));
        let outputs = [Output { dtype, shape, names: &[] }];
        let layer = Layer { kind, opset, attributes: &attributes, name: &name, outputs: &outputs };
        only(self.document.layer(&layer, inputs)?)
    }

    /// The layer that is a node.
    pub(super) fn last(&mut self, id: Id, written: Written<'_>, inputs: &[Port]) -> Result<Port, Error> {
        let names = std::mem::take(&mut self.tensors[id.place()]);
        let node = self.graph.node(id)?;
        let output = Output { dtype: node.dtype(), shape: node.shape().clone(), names: &names };
        only(self.last_of(id, written, inputs, &[output])?)
    }

    /// The layer that is a node, of these outputs.
    pub(super) fn last_of(
        &mut self,
        id: Id,
        (kind, opset, attributes): Written<'_>,
        inputs: &[Port],
        outputs: &[Output<'_>],
    ) -> Result<Vec<Port>, Error> {
        let name = match self.graph.node(id)?.name() {
            Some(name) => self.names.free(name),
            None => self.names.free(&format!("{kind}_{}", self.document.count())),
        };
        let layer = Layer { kind, opset, attributes: &attributes, name: &name, outputs };
        self.document.layer(&layer, inputs)
    }

    /// The names of a node's tensor.
    pub(super) fn names(&self, id: Id) -> Vec<String> {
        self.tensors[id.place()].clone()
    }

    /// Integers along one axis.
    pub(super) fn integers(&mut self, integers: &[i64]) -> Result<Port, Error> {
        let tensor = Tensor::new(&[integers.len()], integers)?;
        let attributes = self.constant(&tensor)?;
        self.step(("Const", 1, attributes), &[], DType::I64, Shape::from([integers.len()]))
    }

    /// One integer, without an axis.
    pub(super) fn integer(&mut self, integer: i64) -> Result<Port, Error> {
        let attributes = self.constant(&Tensor::scalar(integer)?)?;
        self.step(("Const", 1, attributes), &[], DType::I64, Shape::from(Vec::<Dim>::new()))
    }

    /// Puts a constant's elements where they are, if they are there already, or behind the others.
    fn constant(&mut self, tensor: &Tensor) -> Result<Vec<(&'static str, String)>, Error> {
        let bytes = packed(tensor)?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let places = self.places.entry(hasher.finish()).or_default();
        let found = places.iter().find(|&&(at, size)| self.bin[at..at + size] == bytes[..]);
        let offset = match found {
            Some(&(at, _)) => at,
            None => {
                let at = self.bin.len();
                places.push((at, bytes.len()));
                self.bin.extend_from_slice(&bytes);
                at
            }
        };
        Ok(vec![
            ("element_type", element_type_name(tensor.dtype())?),
            ("shape", shape_text(&tensor.shape().into())),
            ("offset", offset.to_string()),
            ("size", bytes.len().to_string()),
        ])
    }

    /// A node that is this constant.
    pub(super) fn constant_layer(&mut self, id: Id, tensor: &Tensor) -> Result<Port, Error> {
        let attributes = self.constant(tensor)?;
        self.last(id, ("Const", 1, attributes), &[])
    }

    fn node(&mut self, id: Id, node: &Node) -> Result<Port, Error> {
        if write_movement::passes(self.graph, node) {
            return self.port(node.arguments()[0]);
        }
        match node.kind() {
            Kind::Input(_) => {
                let attributes = vec![
                    ("shape", shape_text(node.shape())),
                    ("element_type", element_type_name(node.dtype())?),
                ];
                self.last(id, ("Parameter", 1, attributes), &[])
            }
            Kind::Constant(constant) => self.constant_layer(id, &constant.0),
            Kind::Apply(apply) => self.elementwise(id, apply.0, node),
            _ => write_movement::node(self, id, node),
        }
    }

    fn elementwise(&mut self, id: Id, op: Op, node: &Node) -> Result<Port, Error> {
        let dtype = formula::dtype_of(self.graph, node);
        let found = dtype.and_then(|dtype| named(op, dtype));
        let (kind, mut attributes) =
            found.ok_or_else(|| Error::value("no layer does this with such elements".to_owned()))?;
        let (inputs, auto) = elementwise_inputs(self.graph, op, node);
        if ATTRIBUTES.contains(&op) {
            let names = op.record().arguments.iter().filter(|argument| argument.default.is_some());
            for (argument, number) in names.zip(numbers(self.graph, op, node).unwrap_or_default()) {
                attributes.push((argument.name, format!("{number:?}")));
            }
        } else if inputs.len() > 1 && numbers(self.graph, op, node).is_some_and(|all| all.is_empty()) {
            attributes.extend(auto_broadcast(auto));
        }
        if op == Op::Gelu {
            attributes.push(("approximation_mode", "erf".to_owned()));
        }
        if op == Op::Round {
            attributes.push(("mode", "half_to_even".to_owned()));
        }
        let opset = if kind.ends_with("Shift") { 15 } else { OPSET };
        // Files spell this one in their own way.
        let kind = if op == Op::Prelu { "PReLU" } else { kind };
        let mut ports = self.ports(&inputs)?;
        if matches!(op, Op::FloorDivide | Op::DivideTowardZero) {
            for (port, input) in ports.iter_mut().zip(&inputs) {
                if self.of_folds[input.place()] {
                    *port = self.by_itself(port.clone())?;
                }
            }
        }
        self.last(id, (kind, opset, attributes), &ports)
    }

    /// Integers with a layer behind them that no other is merged with: OpenVINO 2026.4 makes one kernel of a fold and the division
    /// behind it, also with other arithmetic between them, and that computes floats, which it rounds to the nearest integer; and
    /// it exchanges both where a number is divided by a fold. The greater of an integer and the least one is that integer.
    fn by_itself(&mut self, port: Port) -> Result<Port, Error> {
        let (dtype, shape) = (port.dtype, port.shape.clone());
        let least = dtype.integers().map_or(0, |integers| *integers.start());
        let least = Array::full(&[], Number::Int(least), dtype).eval()?;
        let attributes = self.constant(&least)?;
        let least = self.step(("Const", 1, attributes), &[], dtype, Shape::from(Vec::<Dim>::new()))?;
        let maximum = ("Maximum", OPSET, auto_broadcast(AutoBroadcast::Numpy));
        self.step(maximum, &[port, least], dtype, shape)
    }
}

/// The only output of a layer.
fn only(ports: Vec<Port>) -> Result<Port, Error> {
    ports.into_iter().next().ok_or_else(|| Error::value("a layer gives nothing".to_owned()))
}

fn auto_broadcast(auto: AutoBroadcast) -> Vec<(&'static str, String)> {
    let (name, axis) = match auto {
        AutoBroadcast::None => ("none", None),
        AutoBroadcast::Numpy => ("numpy", None),
        AutoBroadcast::Pdpd(axis) => ("pdpd", Some(axis)),
    };
    let axis = axis.map(|axis| ("auto_broadcast.auto_broadcast_axis", axis.to_string()));
    [("auto_broadcast", name.to_owned())].into_iter().chain(axis).collect()
}
