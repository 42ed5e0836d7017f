//! A graph as an ONNX model, in an opset that today's runtimes have.
//!
//! What an elementwise operator broadcasts by itself is left to it, and other broadcasts are written out (Unsqueeze, Expand);
//! operations that ONNX does not have are written with those that it has. What it cannot say at all is an error that names the
//! node.

mod elementwise;
mod movement;
mod sort;
pub(super) mod taken;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::wire::Message;
use crate::convert::{Beyond, Overflow, PowerEnds, PowerRounding};
use crate::dialect::onnx::code;
use crate::dtype::DType;
use crate::error::Error;
use crate::format::names::Names;
use crate::format::{implicit, output_names};
use crate::graph::kind::{Apply, Convert};
use crate::graph::{Graph, Id, Kind, Node, Output};
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;
use ndcast_shape::rule::onnx;
use ndcast_shape::{Dim, Shape};

/// The opset that is written.
pub(super) const OPSET: i64 = 21;

/// The version of the file format that goes with it.
const IR_VERSION: i64 = 10;

/// The model of a graph.
///
/// ```
/// use ndcast::{DType, Op, graph::Graph, format::onnx};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "Nx3".parse()?)?;
/// let y = graph.apply(Op::Exp, &[x])?;
/// graph.output("y", y)?;
/// let again = onnx::read(&onnx::write(&graph)?, None)?;
/// assert_eq!(again.node(again.input_named("x")?)?.shape().to_string(), "Nx3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is something that ONNX cannot say; the error names the node.
pub fn write(graph: &Graph) -> Result<Vec<u8>, Error> {
    let graph = graph.with_rules(&movement::RULES)?;
    let graph = graph.with_doublings(|run| run.reduction != Reduction::Sum)?;
    let graph = graph.with_conversions(|convert, from| {
        convert.differs(from, own_overflow(convert)) || convert.ends_at_integers(from)
    })?;
    // It has no node that puts a part into an array.
    let graph = graph.with_scatters(|_| true)?;
    let graph = &*graph.with_starts_inside()?;
    let mut writer = Writer::new(graph);
    let needed = graph.needed_by(graph.outputs().iter().map(Output::id), |node| inputs(graph, node));
    let outputs = output_names(graph);
    let first: HashMap<Id, &str> =
        graph.outputs().iter().map(Output::id).zip(outputs.iter().map(String::as_str)).rev().collect();
    for (id, node) in graph.nodes() {
        if needed[id.place()] || matches!(node.kind(), Kind::Input(_)) {
            let written = writer.written(id, node);
            let value = written.map_err(|error| match node.name() {
                Some(name) => error.at(name),
                None => error.at(&format!("%{} = {}", id.place(), node.kind().name())),
            })?;
            writer.names[id.place()] = writer.finished(value, node.name(), first.get(&id).copied());
        }
    }
    for (output, name) in graph.outputs().iter().zip(&outputs) {
        // What is an input, or an output already, or what its own argument is.
        let from = writer.name(output.id()).to_owned();
        if from != *name {
            writer.named_node("Identity", &[&from], &[], name);
        }
        let node = graph.node(output.id())?;
        let info = value_info(name, node)?;
        writer.body.message(12, &info);
    }
    writer.finished(String::new(), None, None);
    writer.body.text(2, "ndcast");
    let mut opset = Message::default();
    opset.text(1, "");
    let written =
        graph.nodes().filter(|(id, node)| needed[id.place()] || matches!(node.kind(), Kind::Input(_)));
    let versions = written.map(|(_, node)| versions(node)).max().unwrap_or((OPSET, IR_VERSION));
    opset.int(2, versions.0);
    let mut model = Message::default();
    model.int(1, versions.1);
    model.text(2, "ndcast");
    model.message(7, &writer.body);
    model.message(8, &opset);
    Ok(model.0)
}

/// What a node is made of in a model: an elementwise operator lays its inputs itself.
fn inputs<'g>(graph: &'g Graph, node: &'g Node) -> Cow<'g, [Id]> {
    let unlaid = match node.kind() {
        Kind::Apply(apply) if lays(apply.0) => implicit::by_numpy(graph, node, &onnx::MULTIDIRECTIONAL),
        _ => None,
    };
    // ONNX's PRelu broadcasts only the slope.
    let is_laid = |ids: &Vec<Id>| {
        !matches!(node.kind(), Kind::Apply(Apply(Op::Prelu))) || graph.at(ids[0]).shape() == node.shape()
    };
    unlaid.filter(is_laid).map_or_else(|| node.arguments().into(), Cow::Owned)
}

/// Whether all arguments of an operation are arrays, and several.
fn lays(op: Op) -> bool {
    let arguments = op.record().arguments;
    arguments.len() > 1 && arguments.iter().all(|argument| argument.default.is_none())
}

/// The first opset that has a node and its type, from [`OPSET`] on, and the version of the file format that goes with it.
fn versions(node: &Node) -> (i64, i64) {
    match (node.kind(), node.dtype()) {
        (Kind::Bitcast(_), _) => (26, 13),
        (_, DType::F4E2M1) => (23, 11),
        (_, DType::F8E8M0) => (24, 12),
        (_, DType::I2 | DType::U2) => (25, 13),
        _ => (OPSET, IR_VERSION),
    }
}

/// What a Cast makes of what a type does not hold, as near to a conversion as its attributes come: `saturate` to floats of
/// 8 bits, and to f8e8m0, which needs opset 24 anyway, `round_mode` of that opset, which knows no ties to even.
fn own_overflow(convert: &Convert) -> Overflow {
    match (convert.to, convert.overflow.beyond(convert.to)) {
        (_, Beyond::Power(PowerRounding::Even, ends)) => Overflow::Power(PowerRounding::Nearest, ends),
        (DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0, _) => convert.overflow,
        _ => Overflow::OnnxSaturate,
    }
}

/// The value of an attribute.
pub(super) enum Value<'v> {
    Int(i64),
    Float(f64),
    Text(&'v str),
    Ints(Vec<i64>),
}

/// What is written so far.
pub(super) struct Writer<'g> {
    graph: &'g Graph,
    /// `GraphProto`.
    body: Message,
    /// What each node is called in the file.
    names: Vec<String>,
    /// For each Argsort, by its place in the graph: the name of the values that its TopK gives too.
    sorted: HashMap<usize, String>,
    /// The last node, which is not in the body yet, because it may get another name.
    last: Option<Last>,
    /// The names that values have, those of the graph's inputs and outputs from the beginning.
    taken: Names,
    /// What people call the graph's nodes: names that are made up are others.
    own: HashSet<&'g str>,
    count: usize,
}

/// A node without its last output: what it is, and the name that this output has so far.
struct Last {
    node: Message,
    output: String,
}

fn cannot(what: impl Into<String>) -> Error {
    Error::value(format!("ONNX cannot say it: {}", what.into()))
}

/// The number of an element type.
fn number_of(dtype: DType) -> Result<i64, Error> {
    code(dtype).ok_or_else(|| cannot(format!("it has no elements of type {dtype}")))
}

impl<'g> Writer<'g> {
    fn new(graph: &'g Graph) -> Writer<'g> {
        let inputs = graph.inputs().iter().filter_map(|&id| graph.at(id).name());
        let outputs = graph.outputs().iter().map(Output::name);
        let taken = inputs.chain(outputs).collect();
        let own = graph.nodes().filter_map(|(_, node)| node.name()).collect();
        let names = vec![String::new(); graph.len()];
        let sorted = HashMap::new();
        Writer { graph, body: Message::default(), names, sorted, last: None, taken, own, count: 0 }
    }

    fn name(&self, id: Id) -> &str {
        &self.names[id.place()]
    }

    /// A name that no value has.
    fn fresh(&mut self) -> String {
        loop {
            let name = format!("v{}", self.count);
            self.count += 1;
            if !self.own.contains(name.as_str()) && self.taken.take(&name) {
                return name;
            }
        }
    }

    /// Writes the pending node. If it makes `value`, both take the graph node's name; an output of the graph takes
    /// the output's name.
    fn finished(&mut self, value: String, name: Option<&str>, output: Option<&str>) -> String {
        let Some(Last { mut node, output: made }) = self.last.take() else { return value };
        let is_own = made == value;
        let name = name.filter(|name| is_own && !name.is_empty()).map(|name| self.taken.free(name));
        if let Some(name) = &name {
            node.text(3, name);
        }
        let value = match (output, name) {
            (Some(output), _) if is_own => output.to_owned(),
            (_, Some(name)) => name,
            (_, None) => value,
        };
        node.text(2, if is_own { &value } else { &made });
        self.body.message(1, &node);
        value
    }

    /// A node of one output; its name.
    fn node(&mut self, op_type: &str, inputs: &[&str], attributes: &[(&str, Value<'_>)]) -> String {
        let output = self.fresh();
        self.named_node(op_type, inputs, attributes, &output);
        output
    }

    /// A node of two outputs; their names.
    fn node_of_two(
        &mut self,
        op_type: &str,
        inputs: &[&str],
        attributes: &[(&str, Value<'_>)],
    ) -> [String; 2] {
        let (first, second) = (self.fresh(), self.fresh());
        self.named_node(op_type, inputs, attributes, &second);
        if let Some(last) = &mut self.last {
            last.node.text(2, &first);
        }
        [first, second]
    }

    fn named_node(&mut self, op_type: &str, inputs: &[&str], attributes: &[(&str, Value<'_>)], output: &str) {
        self.finished(String::new(), None, None);
        let mut node = Message::default();
        inputs.iter().for_each(|input| node.text(1, input));
        node.text(4, op_type);
        for (name, value) in attributes {
            let mut attribute = Message::default();
            attribute.text(1, name);
            let kind = match value {
                Value::Float(n) => {
                    #[allow(clippy::cast_possible_truncation, reason = "attributes are f32")]
                    attribute.float(2, *n as f32);
                    1
                }
                Value::Int(n) => {
                    attribute.int(3, *n);
                    2
                }
                Value::Text(text) => {
                    attribute.text(4, text);
                    3
                }
                Value::Ints(list) => {
                    list.iter().for_each(|n| attribute.int(8, *n));
                    7
                }
            };
            attribute.int(20, kind);
            node.message(5, &attribute);
        }
        self.last = Some(Last { node, output: output.to_owned() });
    }

    /// A tensor of the model; its name.
    fn tensor(&mut self, tensor: &Tensor) -> Result<String, Error> {
        let name = self.fresh();
        self.tensor_called(tensor, name)
    }

    fn tensor_called(&mut self, tensor: &Tensor, name: String) -> Result<String, Error> {
        let dtype = tensor.dtype();
        let mut proto = Message::default();
        for &extent in tensor.shape() {
            proto.int(1, as_i64(extent));
        }
        proto.int(2, number_of(dtype)?);
        proto.text(8, &name);
        let compact = crate::array::Array::from(tensor.clone()).copy().eval()?;
        proto.bytes(9, &packed(compact.as_bytes().unwrap_or_default(), dtype));
        self.body.message(5, &proto);
        Ok(name)
    }

    /// Integers along one axis.
    fn integers(&mut self, integers: &[i64]) -> Result<String, Error> {
        self.tensor(&Tensor::new(&[integers.len()], integers)?)
    }

    /// Axes as integers.
    fn axes(&mut self, axes: &[usize]) -> Result<String, Error> {
        let axes: Vec<i64> = axes.iter().map(|&axis| as_i64(axis)).collect();
        self.integers(&axes)
    }

    fn cast(&mut self, x: &str, to: DType) -> Result<String, Error> {
        let to = number_of(to)?;
        Ok(self.node("Cast", &[x], &[("to", Value::Int(to))]))
    }

    /// A node of the graph; what it is called.
    fn written(&mut self, id: Id, node: &Node) -> Result<String, Error> {
        let own = inputs(self.graph, node);
        let inputs: Vec<String> = own.iter().map(|&id| self.name(id).to_owned()).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        match node.kind() {
            Kind::Input(_) => {
                let name = node.name().unwrap_or_default();
                let info = value_info(name, node)?;
                self.body.message(11, &info);
                Ok(name.to_owned())
            }
            Kind::Constant(constant) => {
                let name = match node.name() {
                    Some(name) if !name.is_empty() => self.taken.free(name),
                    _ => self.fresh(),
                };
                self.tensor_called(&constant.0, name)
            }
            Kind::Apply(apply) => self.elementwise(apply.0, &own, &inputs),
            Kind::Convert(convert) => {
                convert
                    .check_own(self.graph.at(own[0]).dtype(), own_overflow(convert))
                    .map_err(|error| cannot(error.to_string()))?;
                let to = number_of(convert.to)?;
                let mut attributes = vec![("to", Value::Int(to))];
                let saturate = |is: bool| ("saturate", Value::Int(i64::from(is)));
                match (convert.to, convert.overflow.beyond(convert.to)) {
                    (DType::F8E4M3 | DType::F8E5M2, beyond) => {
                        attributes.push(saturate(beyond == Beyond::Limit));
                    }
                    (_, Beyond::Power(rounding, ends)) => {
                        attributes.push(saturate(ends == PowerEnds::Limits));
                        attributes.push(("round_mode", Value::Text(rounding.name())));
                    }
                    _ => {}
                }
                Ok(self.node("Cast", &inputs, &attributes))
            }
            Kind::Argsort(sort) => self.argsort(sort, id, node, &inputs),
            _ => self.moved(node, &inputs),
        }
    }
}

/// Elements as they lie in a file: those of less than a byte packed.
fn packed(bytes: &[u8], dtype: DType) -> Vec<u8> {
    let bits = dtype.bits().and_then(|bits| usize::try_from(bits).ok()).unwrap_or(8);
    if bits < 8 {
        let mask = (1u8 << bits) - 1;
        let fold = |packed: u8, (place, byte): (usize, &u8)| packed | (byte & mask) << (bits * place);
        return bytes.chunks(8 / bits).map(|few| few.iter().enumerate().fold(0, fold)).collect();
    }
    let mut bytes = bytes.to_vec();
    if cfg!(target_endian = "big") {
        bytes.chunks_exact_mut(dtype.part().size().unwrap_or(1)).for_each(<[u8]>::reverse);
    }
    bytes
}

/// `ValueInfoProto`.
fn value_info(name: &str, node: &Node) -> Result<Message, Error> {
    let mut tensor = Message::default();
    tensor.int(1, number_of(node.dtype())?);
    if let Some(dims) = node.dims() {
        tensor.message(2, &shape(dims));
    }
    let mut kind = Message::default();
    kind.message(1, &tensor);
    let mut info = Message::default();
    info.text(1, name);
    info.message(2, &kind);
    Ok(info)
}

/// `TensorShapeProto`. Intervals are unknown to it.
fn shape(dims: &[Dim]) -> Message {
    let mut shape = Message::default();
    for dim in dims {
        let mut one = Message::default();
        match dim {
            Dim::Known(n) => one.int(1, as_i64(*n)),
            Dim::Symbol(symbol) => one.text(2, symbol.name()),
            Dim::Interval(_) => {}
        }
        shape.message(1, &one);
    }
    shape
}

/// Extents in a sentence.
fn brief(shape: &Shape) -> String {
    shape.brief().to_string()
}
