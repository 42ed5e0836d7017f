//! A graph as a module's text: a function `main`, whose operations are in their own forms as far as those are short.
//!
//! What a graph becomes is [`program::write`](crate::format::program::write)'s; here is how it is spelled.

mod generic;
mod literal;

use std::fmt::Write as _;

use ndcast_shape::Dim;

use crate::dialect::stablehlo::name_of;
use crate::dtype::DType;
use crate::error::Error;
use crate::format::program::write::{self, Named, Says, Spelling, Step, Typed, commas};
use crate::format::stablehlo::NAME;
use crate::graph::{Graph, Node};
use crate::op::Op;

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
    let inputs =
        graph.inputs().iter().map(|&id| graph.node(id).ok().and_then(Node::name).unwrap_or_default());
    let inputs = inputs.enumerate().map(|(place, name)| named(name, &format!("arg{place}"))).collect();
    let outputs = graph.outputs().iter().enumerate();
    let outputs = outputs.map(|(place, output)| named(output.name(), &place.to_string())).collect();
    write::write(graph, &mut Text { functions: Vec::new(), inputs, outputs })
}

/// What says a name of an input or an output that is another than its text gives it.
fn named(name: &str, given: &str) -> String {
    if name == given {
        return String::new();
    }
    let mut text = format!(" {{{NAME} = \"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(text, "\\{byte:02X}");
                }
            }
            c => text.push(c),
        }
    }
    text + "\"}"
}

/// A module that is being written.
struct Text {
    /// The functions beside the main one.
    functions: Vec<String>,
    /// What stands behind the type of each input, and of each output.
    inputs: Vec<String>,
    outputs: Vec<String>,
}

/// `%a, %b`.
fn names<'n>(values: impl IntoIterator<Item = &'n Named>) -> String {
    commas(values.into_iter().map(|value| format!("%{}", value.name)))
}

/// `tensor<2xf32>, tensor<f32>`.
fn types<'t>(types: impl IntoIterator<Item = &'t Typed>) -> Result<String, Error> {
    Ok(commas(types.into_iter().map(type_text).collect::<Result<Vec<_>, _>>()?))
}

/// `%a: tensor<f32>, %b: tensor<f32>`.
fn typed_names<'n>(values: impl IntoIterator<Item = &'n Named>) -> Result<String, Error> {
    let typed = |value: &Named| Ok(format!("%{}: {}", value.name, type_text(&value.typed)?));
    Ok(commas(values.into_iter().map(typed).collect::<Result<Vec<_>, Error>>()?))
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

/// An operation in its own form: the name and what stands before its operands, they, and what stands behind.
fn own_form(step: &Step<'_>, head: &str, tail: &str) -> Result<String, Error> {
    let operands = step.operands;
    let own = operands.iter().map(|operand| &operand.typed);
    let (all, result) = (types(own.clone())?, types(step.types)?);
    let one_type = tail.is_empty() && step.name != "select";
    let same = one_type && own.clone().all(|own| step.types.iter().all(|typed| typed == own));
    let signature = if same { result } else { format!("({all}) -> {result}") };
    let space = if operands.is_empty() { "" } else { " " };
    let names = names(operands.iter().copied());
    Ok(format!("%{} = stablehlo.{}{head}{space}{names}{tail} : {signature}", step.result, step.name))
}

/// In square brackets.
fn list<T: std::fmt::Display>(all: impl IntoIterator<Item = T>) -> String {
    format!("[{}]", commas(all))
}

impl Spelling for Text {
    fn format(&self) -> &'static str {
        "StableHLO"
    }

    fn name_of(&self, op: Op, dtype: DType) -> Option<(&'static str, Vec<&'static str>)> {
        name_of(op, dtype)
    }

    fn stretches(&self) -> bool {
        true
    }

    fn value_name(&self, _: &str, place: usize) -> String {
        place.to_string()
    }

    fn type_text(&self, typed: &Typed) -> Result<String, Error> {
        type_text(typed)
    }

    fn step(&mut self, step: &Step<'_>) -> Result<String, Error> {
        let own = |tail: String| own_form(step, "", &tail);
        match step.says {
            Says::Nothing if step.name.starts_with("chlo.") || step.name == "dynamic_update_slice" => {
                generic::form(step, "")
            }
            Says::Nothing => own(String::new()),
            Says::Constant(tensor) => {
                let typed = types(step.types)?;
                Ok(format!(
                    "%{} = stablehlo.constant dense<{}> : {typed}",
                    step.result,
                    literal::dense(tensor)?
                ))
            }
            Says::Compare(direction, comparison) => {
                own_form(step, &format!(" {direction},"), &format!(", {comparison}"))
            }
            Says::Precision([exponent, mantissa]) => own(format!(", format = e{exponent}m{mantissa}")),
            Says::Axis(axis) if step.name == "iota" => own_form(step, &format!(" dim = {axis}"), ""),
            Says::Axis(axis) => own(format!(", dim = {axis}")),
            Says::Axes(axes) => own(format!(", dims = {}", list(axes))),
            Says::Ranges(ranges) => {
                let range = |&[start, stop, step]: &[i64; 3]| match step {
                    1 => format!("{start}:{stop}"),
                    step => format!("{start}:{stop}:{step}"),
                };
                own(format!(" {}", list(ranges.iter().map(range))))
            }
            Says::Sizes(sizes) => own(format!(", sizes = {}", list(sizes))),
            Says::Padding(axes) => {
                let [low, high, interior] = [0, 1, 2].map(|which| list(axes.iter().map(|axis| axis[which])));
                own(format!(", low = {low}, high = {high}, interior = {interior}"))
            }
            Says::Dot(dot) => {
                let batch = list(&dot.batch);
                let batching = match dot.batch.is_empty() {
                    true => String::new(),
                    false => format!(", batching_dims = {batch} x {batch}"),
                };
                let [left, right] = dot.contracting;
                own(format!("{batching}, contracting_dims = [{left}] x [{right}]"))
            }
            Says::Gather(lies, sizes) => generic::gather(step, lies, sizes.as_deref()),
            Says::Scatter(lies, region) => generic::scatter(self, step, lies, region),
            Says::Sort(axis, region) => generic::sort(self, step, *axis, region),
            Says::Reduce(axes, region) => generic::reduce(self, step, axes, region),
            Says::Window(sizes, padding, region) => generic::window(self, step, sizes, padding, region),
            Says::OpenWindow(region) => {
                let name = format!("fold_{}", self.functions.len());
                let function = generic::function(self, &name, region)?;
                self.functions.push(function);
                let middle = format!(
                    " <{{api_version = 2 : i32, call_target_name = \"stablehlo.dynamic_reduce_window\", \
                     called_computations = [@{name}]}}>"
                );
                generic::form(step, &middle)
            }
        }
    }

    fn taken(&self, step: &str, of: usize, _: &Typed, _: usize) -> Result<(String, Option<String>), Error> {
        Ok((format!("{step}#{of}"), None))
    }

    fn module(&self, inputs: &[&Named], lines: &[String], outputs: &[&Named]) -> Result<String, Error> {
        let results = types(outputs.iter().map(|output| &output.typed))?;
        let returned = match outputs.is_empty() {
            true => "return".to_owned(),
            false => format!("return {} : {results}", names(outputs.iter().copied())),
        };
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        let named =
            |value: &Named, name: &String| Ok(format!("%{}: {}{name}", value.name, type_text(&value.typed)?));
        let inputs = inputs.iter().zip(&self.inputs).map(|(value, name)| named(value, name));
        let inputs = commas(inputs.collect::<Result<Vec<_>, Error>>()?);
        let outputs =
            outputs.iter().zip(&self.outputs).map(|(value, name)| Ok(type_text(&value.typed)? + name));
        let outputs = commas(outputs.collect::<Result<Vec<_>, Error>>()?);
        Ok(format!(
            "module @ndcast {{\n  func.func public @main({inputs}) -> ({outputs}) {{\n{lines}    {returned}\n  }}\n{}}}\n",
            self.functions.concat()
        ))
    }
}
