//! A graph as a module's text: a function `main`, whose operations are in their own forms as far as those are short.
//!
//! Broadcasts are explicit, as they are in the graph. Elementwise operations that neither StableHLO nor CHLO has are written
//! as formulas of those they have. Where extents are open, shapes are computed by `get_dimension_size`.

mod elementwise;
mod extents;
mod fold;
mod gather;
mod literal;
mod movement;
mod part;
mod reshape;

use std::fmt::Write as _;

use ndcast_shape::{Dim, Shape, rule};

use crate::dtype::DType;
use crate::error::Error;
use crate::graph::{Graph, Id, Kind, Node, Output};

/// A value that is written: its place among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value(usize);

/// The type of a value.
type Typed = (DType, Shape);

struct Writer<'g> {
    graph: &'g Graph,
    text: String,
    /// The functions beside the main one.
    functions: Vec<String>,
    /// The names and the types of all values.
    values: Vec<(String, Typed)>,
    /// What each node is.
    made: Vec<Option<Value>>,
}

/// The text of a graph.
///
/// ```
/// use ndcast::{DType, Op, graph::Graph, format::stablehlo};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "2x3".parse()?)?;
/// let y = graph.apply(Op::Exp, &[x])?;
/// graph.output("y", y)?;
/// let text = stablehlo::write(&graph)?;
/// assert!(text.contains("stablehlo.exponential %arg0 : tensor<2x3xf32>"));
/// assert_eq!(stablehlo::read(&text)?.inputs().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If StableHLO has no operations for something in the graph: the error names all of it.
pub fn write(graph: &Graph) -> Result<String, Error> {
    // It has every rule, but nothing that undoes one.
    let graph = elementwise::expanded(&*graph.with_rules(rule::ALL)?)?;
    let made = vec![None; graph.len()];
    let mut writer =
        Writer { graph: &graph, text: String::new(), functions: Vec::new(), values: Vec::new(), made };
    let mut missing = Vec::new();
    for (place, &id) in graph.inputs().iter().enumerate() {
        let node = graph.node(id)?;
        let typed = (node.dtype(), node.shape().clone());
        if let Err(error) = type_text(&typed) {
            missing.push(format!("the input {}: {error}", node.name().unwrap_or_default()));
        }
        writer.made[id.place()] = Some(writer.value(format!("arg{place}"), typed));
    }
    let needed = graph.needed(graph.outputs().iter().map(Output::id));
    for (id, node) in graph.nodes() {
        if !needed[id.place()] || matches!(node.kind(), Kind::Input(_)) {
            continue;
        }
        let written = writer.node(node).unwrap_or_else(|error| {
            missing.push(format!("%{} = {}: {error}", id.place(), node.kind().name()));
            // What is made of it is written all the same, so that everything missing is found.
            writer.value("missing".to_owned(), (node.dtype(), node.shape().clone()))
        });
        writer.made[id.place()] = Some(written);
    }
    if !missing.is_empty() {
        return Err(Error::value(format!("StableHLO has no operations for {}", missing.join("; "))));
    }
    writer.finished()
}

/// What stands between commas.
fn commas<T: std::fmt::Display>(all: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = all.into_iter().map(|one| one.to_string()).collect();
    all.join(", ")
}

/// `tensor<2x3xf32>`.
fn type_text((dtype, shape): &Typed) -> Result<String, Error> {
    let element = dtype.element().stablehlo;
    let element = element.ok_or_else(|| Error::value(format!("it has no elements of type {dtype}")))?;
    let dims = shape.dims();
    let dims = dims
        .ok_or_else(|| Error::value("it has no arrays of unknown rank that it computes with".to_owned()))?;
    let mut text = "tensor<".to_owned();
    for dim in dims {
        match dim {
            Dim::Known(extent) => text.push_str(&extent.to_string()),
            Dim::Interval(_) | Dim::Symbol(_) => text.push('?'),
        }
        text.push('x');
    }
    text.push_str(element);
    // A least extent is not said of a type; the greatest is.
    let bound = |dim: &Dim| match dim {
        Dim::Interval(interval) if interval.min() == 0 => interval.max(),
        _ => None,
    };
    if dims.iter().any(|dim| bound(dim).is_some()) {
        let bounds = dims.iter().map(|dim| bound(dim).map_or("?".to_owned(), |bound| bound.to_string()));
        let _ = write!(text, ", #stablehlo.bounds<{}>", commas(bounds));
    }
    text.push('>');
    Ok(text)
}

impl<'g> Writer<'g> {
    fn value(&mut self, name: String, typed: Typed) -> Value {
        self.values.push((name, typed));
        Value(self.values.len() - 1)
    }

    fn fresh(&mut self, typed: Typed) -> Value {
        let name = self.values.len().to_string();
        self.value(name, typed)
    }

    fn typed(&self, value: Value) -> &Typed {
        &self.values[value.0].1
    }

    fn dtype(&self, value: Value) -> DType {
        self.typed(value).0
    }

    /// The extents of a value, as far as they are known.
    fn dims(&self, value: Value) -> Result<Vec<Dim>, Error> {
        let dims = self.typed(value).1.dims();
        dims.map(<[Dim]>::to_vec).ok_or_else(|| Error::value("the rank is not known".to_owned()))
    }

    fn type_of(&self, value: Value) -> Result<String, Error> {
        type_text(self.typed(value))
    }

    /// `%a, %b`.
    fn names(&self, values: &[Value]) -> String {
        commas(values.iter().map(|value| format!("%{}", self.values[value.0].0)))
    }

    fn types(&self, values: &[Value]) -> Result<String, Error> {
        let all = values.iter().map(|&value| self.type_of(value)).collect::<Result<Vec<_>, _>>()?;
        Ok(all.join(", "))
    }

    /// What a node was written as.
    fn of(&self, id: Id) -> Result<Value, Error> {
        self.made[id.place()].ok_or_else(|| Error::value(format!("%{} is not there", id.place())))
    }

    /// An operation in its own form: the name and what stands before its operands, they, and what stands behind.
    fn operation(
        &mut self,
        head: &str,
        operands: &[Value],
        tail: &str,
        typed: Typed,
    ) -> Result<Value, Error> {
        let (names, types) = (self.names(operands), self.types(operands)?);
        let result = type_text(&typed)?;
        let value = self.fresh(typed);
        let one_type = tail.is_empty() && head != "stablehlo.select";
        let same = one_type && operands.iter().all(|&operand| self.typed(operand) == self.typed(value));
        let signature = if same { result } else { format!("({types}) -> {result}") };
        let space = if names.is_empty() { "" } else { " " };
        let _ = writeln!(self.text, "    %{} = {head}{space}{names}{tail} : {signature}", value.0);
        Ok(value)
    }

    /// An operation in the generic form, with what stands between its operands and its type.
    fn generic(
        &mut self,
        name: &str,
        operands: &[Value],
        middle: &str,
        typed: Typed,
    ) -> Result<Value, Error> {
        let (names, types) = (self.names(operands), self.types(operands)?);
        let result = type_text(&typed)?;
        let value = self.fresh(typed);
        let _ = writeln!(self.text, "    %{} = \"{name}\"({names}){middle} : ({types}) -> {result}", value.0);
        Ok(value)
    }

    /// As another element type, unless it has it.
    fn convert(&mut self, value: Value, to: DType) -> Result<Value, Error> {
        if self.dtype(value) == to {
            return Ok(value);
        }
        let shape = self.typed(value).1.clone();
        self.operation("stablehlo.convert", &[value], "", (to, shape))
    }

    fn node(&mut self, node: &Node) -> Result<Value, Error> {
        let operands = node.arguments().iter().map(|&id| self.of(id)).collect::<Result<Vec<_>, _>>()?;
        let typed = (node.dtype(), node.shape().clone());
        match node.kind() {
            Kind::Constant(constant) => self.constant(&constant.0),
            Kind::Apply(apply) => self.elementwise(apply.0, node, &operands),
            Kind::Convert(convert) => self.convert(operands[0], convert.to),
            Kind::Bitcast(_) => self.operation("stablehlo.bitcast_convert", &operands, "", typed),
            Kind::Reduce(_) | Kind::Accumulate(_) | Kind::Find(_) | Kind::MatMul(_) => {
                self.folded(node, &operands, typed)
            }
            Kind::Slice(_) | Kind::SliceBy(_) | Kind::Insert(_) | Kind::InsertBy(_) => {
                self.part(node, &operands, typed)
            }
            _ => self.moved(node, &operands, typed),
        }
    }

    fn finished(self) -> Result<String, Error> {
        let inputs = self.graph.inputs().iter().map(|&id| {
            let value = self.of(id)?;
            Ok(format!("%{}: {}", self.values[value.0].0, self.type_of(value)?))
        });
        let inputs = inputs.collect::<Result<Vec<_>, Error>>()?;
        let outputs = self.graph.outputs().iter().map(|output| self.of(output.id()));
        let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        let types = self.types(&outputs)?;
        let returned = match outputs.is_empty() {
            true => "return".to_owned(),
            false => format!("return {} : {types}", self.names(&outputs)),
        };
        Ok(format!(
            "module @ndcast {{\n  func.func public @main({}) -> ({types}) {{\n{}    {returned}\n  }}\n{}}}\n",
            inputs.join(", "),
            self.text,
            self.functions.concat()
        ))
    }
}
