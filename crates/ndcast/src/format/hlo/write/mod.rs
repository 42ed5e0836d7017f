//! A graph as a module's text: a computation `main` of instructions, and one for each way in which it folds.
//!
//! What a graph becomes is [`program::write`](crate::format::program::write)'s, as for StableHLO; here is how it is
//! spelled. HLO says every extent in numbers, and lays an extent of 1 over others by leaving its axis out.

mod literal;

use std::collections::HashSet;

use crate::dialect::hlo::{Comparison, name_of};
use crate::dtype::DType;
use crate::error::Error;
use crate::format::program::write::{self, Named, Region, Says, Spelling, Step, Typed, commas, joined};
use crate::graph::Graph;
use crate::op::Op;

/// The text of a graph.
///
/// ```
/// use ndcast::{DType, Op, graph::Graph, format::hlo};
/// let mut graph = Graph::new();
/// let x = graph.input("x", DType::F32, "2x3".parse()?)?;
/// let y = graph.apply(Op::Exp, &[x])?;
/// graph.output("y", y)?;
/// let text = hlo::write(&graph)?;
/// assert!(text.contains("ROOT exponential.1 = f32[2,3] exponential(arg0)"));
/// assert_eq!(hlo::read(&text)?.inputs().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If HLO has no instructions for something in the graph, or an extent of it is not known: the error names all of it.
pub fn write(graph: &Graph) -> Result<String, Error> {
    write::write(graph, &mut Text { computations: Vec::new(), names: HashSet::new() })
}

/// A module that is being written.
struct Text {
    /// The computations beside the main one, each of another name.
    computations: Vec<String>,
    names: HashSet<String>,
}

/// Operations whose operands say a shape or places of one: what they give has no extents in a text.
const OPEN: &[&str] = &[
    "custom_call",
    "dynamic_broadcast_in_dim",
    "dynamic_gather",
    "dynamic_iota",
    "dynamic_pad",
    "dynamic_reshape",
    "real_dynamic_slice",
];

fn open() -> Error {
    let text = "its shape or its places are computed, and HLO has them as numbers";
    Error::value(text.to_owned())
}

/// The instruction of an operation, if there is one.
fn opcode(name: &str) -> Result<String, Error> {
    match name {
        "broadcast_in_dim" => Ok("broadcast".to_owned()),
        "dot_general" => Ok("dot".to_owned()),
        name if OPEN.contains(&name) => Err(open()),
        name => Ok(name.replace('_', "-")),
    }
}

/// `f32[2,3]`.
fn type_text((dtype, shape): &Typed) -> Result<String, Error> {
    let element = element(*dtype)?;
    let extents = shape.extents().ok_or_else(|| {
        Error::value(format!(
            "its shape {} has extents that are not known, and HLO says them all",
            shape.brief()
        ))
    })?;
    Ok(format!("{element}[{}]", joined(extents, ",")))
}

fn element(dtype: DType) -> Result<&'static str, Error> {
    dtype.element().hlo.ok_or_else(|| Error::value(format!("it has no elements of type {dtype}")))
}

/// One type, or a tuple's.
fn types<'t>(types: impl ExactSizeIterator<Item = &'t Typed>) -> Result<String, Error> {
    let one = types.len() == 1;
    let all = commas(types.map(type_text).collect::<Result<Vec<_>, _>>()?);
    Ok(if one { all } else { format!("({all})") })
}

fn names<'n>(values: impl IntoIterator<Item = &'n Named>) -> String {
    commas(values.into_iter().map(|value| &value.name))
}

/// In curly brackets.
fn list<T: std::fmt::Display>(all: impl IntoIterator<Item = T>) -> String {
    format!("{{{}}}", joined(all, ","))
}

/// Numbers of each axis, with `_` between them, and `x` between the axes.
fn by_axis<'a, const N: usize>(axes: impl IntoIterator<Item = &'a [i64; N]>) -> String {
    joined(axes.into_iter().map(|axis| joined(axis, "_")), "x")
}

/// The lines of a computation between its arguments and its results, which are one value or a tuple.
fn computation(
    head: &str,
    arguments: &[&Named],
    lines: &[String],
    results: &[&Named],
) -> Result<String, Error> {
    let mut all = Vec::with_capacity(arguments.len() + lines.len() + 1);
    for (place, argument) in arguments.iter().enumerate() {
        all.push(format!("{} = {} parameter({place})", argument.name, type_text(&argument.typed)?));
    }
    all.extend_from_slice(lines);
    let root = match results {
        [one] => {
            let begins = format!("{} = ", one.name);
            all.iter().position(|line| line.starts_with(&begins))
        }
        _ => None,
    };
    let root = root.map_or_else(
        || {
            let typed = types(results.iter().map(|result| &result.typed))?;
            all.push(format!("results = {typed} tuple({})", names(results.iter().copied())));
            Ok::<usize, Error>(all.len() - 1)
        },
        Ok,
    )?;
    let line = |(place, line): (usize, &String)| {
        let mark = if place == root { "ROOT " } else { "" };
        format!("  {mark}{line}\n")
    };
    let lines: String = all.iter().enumerate().map(line).collect();
    Ok(format!("{head} {{\n{lines}}}\n"))
}

impl Text {
    /// `, to_apply=add_f32`, with the computation.
    fn applied(&mut self, region: &Region) -> Result<String, Error> {
        // The types of the first half of what it takes say those of the rest.
        let first = &region.arguments()[..region.arguments().len() / 2];
        let types = first.iter().map(|value| element(value.typed.0)).collect::<Result<Vec<_>, _>>()?;
        let name = format!("{}_{}", region.name, joined(types, "_"));
        if !self.names.contains(&name) {
            let lines = region.lines(self)?;
            let arguments: Vec<&Named> = region.arguments().iter().collect();
            self.computations.push(computation(&name, &arguments, &lines, &region.results())?);
            self.names.insert(name.clone());
        }
        Ok(format!(", to_apply={name}"))
    }

    /// What stands behind the operands.
    fn attributes(&mut self, step: &Step<'_>) -> Result<String, Error> {
        Ok(match step.says {
            Says::Nothing | Says::Constant(_) => String::new(),
            // As what else elements are compared their type says.
            Says::Compare(direction, Comparison::TotalOrder) => {
                format!(", direction={direction}, type={}", Comparison::TotalOrder)
            }
            Says::Compare(direction, _) => format!(", direction={direction}"),
            Says::Precision([exponent, mantissa]) => {
                format!(", exponent_bits={exponent}, mantissa_bits={mantissa}")
            }
            Says::Axis(axis) if step.name == "iota" => format!(", iota_dimension={axis}"),
            Says::Axis(axis) => format!(", dimensions={{{axis}}}"),
            Says::Axes(axes) => format!(", dimensions={}", list(axes)),
            Says::Ranges(ranges) => {
                let range = |&[start, stop, step]: &[i64; 3]| match step {
                    1 => format!("[{start}:{stop}]"),
                    step => format!("[{start}:{stop}:{step}]"),
                };
                format!(", slice={{{}}}", commas(ranges.iter().map(range)))
            }
            Says::Sizes(sizes) => format!(", dynamic_slice_sizes={}", list(sizes)),
            Says::Padding(axes) if axes.iter().all(|axis| axis[2] == 0) => {
                let ends: Vec<[i64; 2]> = axes.iter().map(|&[low, high, _]| [low, high]).collect();
                format!(", padding={}", by_axis(&ends))
            }
            Says::Padding(axes) => format!(", padding={}", by_axis(axes)),
            Says::Dot(dot) => {
                let batch = list(&dot.batch);
                let batch = match dot.batch.is_empty() {
                    true => String::new(),
                    false => format!(", lhs_batch_dims={batch}, rhs_batch_dims={batch}"),
                };
                let [left, right] = dot.contracting;
                format!("{batch}, lhs_contracting_dims={{{left}}}, rhs_contracting_dims={{{right}}}")
            }
            Says::Gather(lies, sizes) => {
                let batch = list(&lies.batch);
                let batch = match lies.batch.is_empty() {
                    true => String::new(),
                    false => format!(", operand_batching_dims={batch}, start_indices_batching_dims={batch}"),
                };
                format!(
                    ", offset_dims={}, collapsed_slice_dims={{{axis}}}, start_index_map={{{axis}}}{batch}, \
                     index_vector_dim={}, slice_sizes={}",
                    list(&lies.offset),
                    lies.vector,
                    list(sizes.as_deref().unwrap_or_default()),
                    axis = lies.axis,
                )
            }
            Says::Scatter(lies, region) => {
                let batch = list(&lies.batch);
                let batch = match lies.batch.is_empty() {
                    true => String::new(),
                    false => format!(", input_batching_dims={batch}, scatter_indices_batching_dims={batch}"),
                };
                format!(
                    ", update_window_dims={{}}, inserted_window_dims={{{axis}}}, \
                     scatter_dims_to_operand_dims={{{axis}}}{batch}, index_vector_dim={}{}",
                    lies.vector,
                    self.applied(region)?,
                    axis = lies.axis,
                )
            }
            Says::Sort(axis, region) => {
                format!(", dimensions={{{axis}}}, is_stable=true{}", self.applied(region)?)
            }
            Says::Reduce(axes, region) => format!(", dimensions={}{}", list(axes), self.applied(region)?),
            Says::Window(sizes, padding, region) => {
                let (sizes, padding) = (joined(sizes, "x"), by_axis(padding));
                format!(", window={{size={sizes} pad={padding}}}{}", self.applied(region)?)
            }
            Says::OpenWindow(_) => return Err(open()),
        })
    }
}

impl Spelling for Text {
    fn format(&self) -> &'static str {
        "HLO"
    }

    fn name_of(&self, op: Op, dtype: DType) -> Option<(&'static str, Vec<&'static str>)> {
        let (name, conditions) = name_of(op, dtype)?;
        // Conditions are written as attributes are: `direction=LT`.
        let value = |condition: &'static str| condition.split_once('=').map_or(condition, |(_, value)| value);
        Some((name, conditions.into_iter().map(value).collect()))
    }

    fn stretches(&self) -> bool {
        false
    }

    fn value_name(&self, name: &str, place: usize) -> String {
        format!("{}.{place}", opcode(name).unwrap_or_default())
    }

    fn type_text(&self, typed: &Typed) -> Result<String, Error> {
        type_text(typed)
    }

    fn step(&mut self, step: &Step<'_>) -> Result<String, Error> {
        let (typed, opcode) = (types(step.types.iter())?, opcode(step.name)?);
        let operands = match step.says {
            Says::Constant(tensor) => literal::text(tensor)?,
            _ => names(step.operands.iter().copied()),
        };
        Ok(format!("{} = {typed} {opcode}({operands}){}", step.result, self.attributes(step)?))
    }

    fn taken(
        &self,
        step: &str,
        of: usize,
        typed: &Typed,
        place: usize,
    ) -> Result<(String, Option<String>), Error> {
        let name = format!("get-tuple-element.{place}");
        let line = format!("{name} = {} get-tuple-element({step}), index={of}", type_text(typed)?);
        Ok((name, Some(line)))
    }

    fn module(&self, inputs: &[&Named], lines: &[String], outputs: &[&Named]) -> Result<String, Error> {
        let main = computation("ENTRY main", inputs, lines, outputs)?;
        let computations = self.computations.iter().chain([&main]).map(|one| format!("\n{one}"));
        Ok(format!("HloModule ndcast\n{}", computations.collect::<String>()))
    }
}
