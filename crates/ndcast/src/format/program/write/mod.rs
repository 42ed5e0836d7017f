//! A graph as operations of StableHLO or HLO, each spelled by the format: the walk over its nodes, and what they become.
//!
//! Broadcasts are explicit, as they are in the graph. Elementwise operations that a format does not have are written as
//! formulas of those it has. Where extents are open, shapes are computed by `get_dimension_size`.

mod elementwise;
mod extents;
mod fold;
mod gather;
pub(in crate::format) mod literal;
mod movement;
mod part;
mod region;
mod reshape;
mod sort;
mod span;
mod step;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use ndcast_shape::{Dim, rule};

pub(in crate::format) use region::Region;
pub(in crate::format) use step::{
    Dot, GatherLies, Named, Says, ScatterLies, Spelling, Step, Typed, commas, joined,
};

use crate::array::{Array, Number};
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::{Graph, Id, Kind, Node, Output};

/// A value that is written: its place among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value(usize);

struct Writer<'g> {
    graph: &'g Graph,
    spelling: &'g mut dyn Spelling,
    /// The operations as they are spelled.
    lines: Vec<String>,
    values: Vec<Named>,
    /// What each node is.
    made: Vec<Option<Value>>,
    /// For each Argsort, the name of its sort operation.
    sorted: HashMap<Id, String>,
    /// Whether bounds of extents are said: only where an input has one. XLA takes a bounded extent for one that it need
    /// not know, and refuses to compile it.
    bounds: bool,
}

/// What `convert` makes of what a type does not hold.
const OWN_OVERFLOW: Overflow = Overflow::Xla;

/// The text of a graph, as a format spells it.
///
/// # Errors
/// If the format has no operations for something in the graph: the error names all of it.
pub(in crate::format) fn write(graph: &Graph, spelling: &mut dyn Spelling) -> Result<String, Error> {
    // Both formats express every rule, but not `Unfit`, a rule's adjoint.
    let graph = graph.with_rules(rule::ALL)?;
    let graph = graph.with_doublings(|_| false)?;
    let graph = elementwise::expanded(
        &*graph.with_conversions(|convert, from| convert.differs(from, OWN_OVERFLOW))?,
        spelling,
    )?;
    let made = vec![None; graph.len()];
    let (lines, values, sorted) = (Vec::new(), Vec::new(), HashMap::new());
    let bounds = graph.inputs().iter().any(|&id| graph.at(id).dims().into_iter().flatten().any(is_bounded));
    let mut writer = Writer { graph: &graph, spelling, lines, values, made, sorted, bounds };
    let mut missing = Vec::new();
    for (place, &id) in graph.inputs().iter().enumerate() {
        let node = graph.node(id)?;
        let typed = (node.dtype(), node.shape().clone());
        if let Err(error) = writer.spelling.type_text(&typed) {
            missing.push(format!("the input {}: {error}", node.name().unwrap_or_default()));
        }
        writer.made[id.place()] = Some(writer.value(format!("arg{place}"), typed));
    }
    let needed = graph.needed(graph.outputs().iter().map(Output::id));
    for (id, node) in graph.nodes() {
        if !needed[id.place()] || matches!(node.kind(), Kind::Input(_)) {
            continue;
        }
        let written = match writer.node(id, node) {
            Ok(written) => written,
            Err(error) => {
                if !writer.is_told(node) {
                    missing.push(format!("%{} = {}: {error}", id.place(), node.kind().name()));
                }
                // What is made of it is written all the same, so that everything missing is found.
                writer.value("missing".to_owned(), writer.typed_of(node))
            }
        };
        writer.made[id.place()] = Some(written);
    }
    if !missing.is_empty() {
        let format = writer.spelling.format();
        return Err(Error::value(format!("{format} has no operations for {}", missing.join("; "))));
    }
    let outputs = graph.outputs().iter().map(|output| writer.of(output.id()));
    let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
    let inputs = graph.inputs().iter().map(|&id| writer.of(id)).collect::<Result<Vec<_>, _>>()?;
    let [inputs, outputs] = [&inputs, &outputs].map(|all| writer.named(all));
    writer.spelling.module(&inputs, &writer.lines, &outputs)
}

/// Whether a greatest extent is known, and the extent is not.
fn is_bounded(dim: &Dim) -> bool {
    matches!(dim, Dim::Interval(interval) if interval.max().is_some())
}

impl Writer<'_> {
    /// The type of a node as it is said.
    fn typed_of(&self, node: &Node) -> Typed {
        let open = |dim: &Dim| if is_bounded(dim) { Dim::UNKNOWN } else { dim.clone() };
        match node.dims() {
            Some(dims) if !self.bounds => (node.dtype(), dims.iter().map(open).collect()),
            _ => (node.dtype(), node.shape().clone()),
        }
    }

    fn value(&mut self, name: String, typed: Typed) -> Value {
        self.values.push(Named { name, typed });
        Value(self.values.len() - 1)
    }

    fn typed(&self, value: Value) -> &Typed {
        &self.values[value.0].typed
    }

    fn dtype(&self, value: Value) -> DType {
        self.typed(value).0
    }

    /// The extents of a value, as far as they are known.
    fn dims(&self, value: Value) -> Result<Vec<Dim>, Error> {
        let dims = self.typed(value).1.dims();
        dims.map(<[Dim]>::to_vec).ok_or_else(|| Error::value("the rank is not known".to_owned()))
    }

    fn named(&self, values: &[Value]) -> Vec<&Named> {
        values.iter().map(|value| &self.values[value.0]).collect()
    }

    /// What a node was written as.
    fn of(&self, id: Id) -> Result<Value, Error> {
        self.made[id.place()].ok_or_else(|| Error::value(format!("%{} is not there", id.place())))
    }

    /// Whether an argument's type has been reported, which may be all that is wrong with this node.
    fn is_told(&self, node: &Node) -> bool {
        let is_said = |node: &Node| self.spelling.type_text(&(node.dtype(), node.shape().clone())).is_ok();
        node.arguments().iter().any(|&id| !is_said(self.graph.at(id)))
    }

    /// An operation of one value.
    fn operation(
        &mut self,
        name: &str,
        operands: &[Value],
        says: &Says,
        typed: Typed,
    ) -> Result<Value, Error> {
        let result = self.step(name, operands, says, std::slice::from_ref(&typed))?;
        Ok(self.value(result, typed))
    }

    /// The second of the two values of an operation.
    fn second(
        &mut self,
        name: &str,
        operands: &[Value],
        says: &Says,
        types: [Typed; 2],
    ) -> Result<Value, Error> {
        let result = self.step(name, operands, says, &types)?;
        let [_, typed] = types;
        self.taken(&result, 1, typed)
    }

    /// One of the values that an operation of this name gave.
    fn taken(&mut self, step: &str, of: usize, typed: Typed) -> Result<Value, Error> {
        let (name, line) = self.spelling.taken(step, of, &typed, self.values.len())?;
        self.lines.extend(line);
        Ok(self.value(name, typed))
    }

    /// The name of what an operation gives, which is written.
    fn step(
        &mut self,
        name: &str,
        operands: &[Value],
        says: &Says,
        types: &[Typed],
    ) -> Result<String, Error> {
        let result = self.spelling.value_name(name, self.values.len());
        let operands: Vec<&Named> = operands.iter().map(|value| &self.values[value.0]).collect();
        let step = Step { name, operands: &operands, says, result: &result, types };
        self.lines.push(self.spelling.step(&step)?);
        Ok(result)
    }

    fn constant(&mut self, tensor: &crate::tensor::Tensor) -> Result<Value, Error> {
        let typed = (tensor.dtype(), ndcast_shape::Shape::from(tensor.shape()));
        self.operation("constant", &[], &Says::Constant(tensor.clone()), typed)
    }

    /// Integers along one axis.
    fn integers(&mut self, integers: &[i64], dtype: DType) -> Result<Value, Error> {
        let tensor = Array::new(&[integers.len()], integers).convert(dtype).eval()?;
        self.constant(&tensor)
    }

    /// A number without axes.
    fn number(&mut self, number: impl Into<Number>, dtype: DType) -> Result<Value, Error> {
        self.constant(&number.into().tensor(dtype)?)
    }

    /// As another element type, unless it has it.
    fn convert(&mut self, value: Value, to: DType) -> Result<Value, Error> {
        if self.dtype(value) == to {
            return Ok(value);
        }
        let shape = self.typed(value).1.clone();
        self.operation("convert", &[value], &Says::Nothing, (to, shape))
    }

    fn node(&mut self, id: Id, node: &Node) -> Result<Value, Error> {
        let operands = node.arguments().iter().map(|&id| self.of(id)).collect::<Result<Vec<_>, _>>()?;
        let typed = self.typed_of(node);
        match node.kind() {
            Kind::Constant(constant) => self.constant(&constant.0),
            Kind::Apply(apply) => self.elementwise(apply.0, node, &operands),
            Kind::Convert(convert) => {
                convert.check_own(self.dtype(operands[0]), OWN_OVERFLOW)?;
                self.convert(operands[0], convert.to)
            }
            Kind::Bitcast(_) if self.dtype(operands[0]) == node.dtype() => Ok(operands[0]),
            Kind::Bitcast(_) => self.operation("bitcast_convert", &operands, &Says::Nothing, typed),
            Kind::Reduce(_) | Kind::Accumulate(_) | Kind::Find(_) | Kind::MatMul(_) => {
                self.folded(node, &operands, typed)
            }
            Kind::Argsort(sort) => self.argsort(id, sort, &operands, &typed),
            Kind::Slice(_) | Kind::SliceBy(_) | Kind::Insert(_) | Kind::InsertBy(_) => {
                self.part(node, &operands, typed)
            }
            _ => self.moved(node, &operands, typed),
        }
    }
}
