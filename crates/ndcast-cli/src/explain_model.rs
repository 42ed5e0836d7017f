//! `ndcast explain MODEL`: every broadcast in a model, which of its nodes needs it, on which line of the file, by which rule,
//! and what it costs; and what all of them cost.

use std::path::Path;

use clap::Args;
use ndcast::error::{Error, ErrorKind};
use ndcast::format;
use ndcast::graph::{Asked, Graph, Id, Kind, Node};
use ndcast::shape::explain::{Explanation, Style, human_bytes};
use ndcast::shape::{Dim, Plan, Request, Shape};
use serde_json::{Value, json};

use crate::Outcome;
use crate::fault::Fault;
use crate::wire::{self, Refusal};

/// Whether this names a model's file and no rule: its ending is a model's, or there is such a file.
pub(crate) fn is_model(text: &str) -> bool {
    let path = Path::new(text);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    format::ALL.iter().any(|format| format.ending.eq_ignore_ascii_case(ending)) || path.is_file()
}

/// What is wanted of a model.
#[derive(Args)]
pub(crate) struct Wanted {
    /// Of a model: only the broadcasts of this node, in full
    #[arg(long, value_name = "NAME", conflicts_with_all = ["target", "axes", "axis", "index", "jsonl"])]
    pub(crate) node: Option<String>,
}

/// One broadcast of a model, of all its operands.
struct Found {
    /// The node that needs it: what its file calls it, or its number in the graph's text.
    node: String,
    /// What that node does with what is broadcast; nothing if it only broadcasts.
    operation: Option<&'static str>,
    /// The line of the file that says it, if that is a text.
    line: Option<usize>,
    asked: Asked,
    /// Whose elements are laid out.
    of: Id,
}

impl Found {
    /// What it is of: `add`, `%3 (multiply, line 12)`.
    fn title(&self) -> String {
        let operation = self.operation.filter(|operation| *operation != self.node).map(str::to_owned);
        let line = self.line.map(|line| format!("line {line}"));
        let details: Vec<String> = operation.into_iter().chain(line).collect();
        if details.is_empty() { self.node.clone() } else { format!("{} ({})", self.node, details.join(", ")) }
    }
}

/// What is to be printed, and whether the model is at fault.
pub(crate) fn run(
    path: &str,
    wanted: &Wanted,
    json: bool,
    style: &Style,
) -> Result<(Outcome, String), Fault> {
    match format::open(path) {
        Ok(graph) => Ok((Outcome::Fine, of_graph(path, &graph, wanted, json, style)?)),
        Err(error) => Ok((Outcome::Fault, refused(error, json, style)?)),
    }
}

/// Why a model is none, if it is for a broadcast that there is not, or that is to be read by tools.
fn refused(error: Error, json: bool, style: &Style) -> Result<String, Fault> {
    let inner = error.innermost();
    let message = error.to_string();
    if let ErrorKind::Shape(shape) = inner.kind()
        && let Some(request) = Request::refused(shape)
    {
        if json {
            let mut answer = wire::to_value(&Err(Refusal::Rule(shape.clone())));
            answer["error"]["message"] = message.into();
            return Ok(format!("{answer}\n"));
        }
        let place = message.strip_suffix(&inner.to_string()).unwrap_or_default().trim_end();
        return Ok(format!("{place}\n{}", Explanation::new(&request).text(style)));
    }
    if json {
        return Ok(format!(
            "{}\n",
            json!({ "ok": false, "error": { "kind": error.name(), "message": message } })
        ));
    }
    Err(error.into())
}

/// What is to be printed of a model that is one.
fn of_graph(path: &str, graph: &Graph, wanted: &Wanted, json: bool, style: &Style) -> Result<String, Fault> {
    let mut found = broadcasts(graph)?;
    if let Some(name) = &wanted.node {
        let names: Vec<String> = found.iter().map(|found| found.node.clone()).collect();
        found.retain(|found| found.node == *name);
        if found.is_empty() {
            return Err(nothing_at(name, &names, graph));
        }
    }
    if json {
        let all: Vec<Value> =
            found.iter().map(|found| to_json(found, graph)).collect::<Result<_, Fault>>()?;
        let lines: Vec<String> = all.iter().map(Value::to_string).collect();
        return Ok(format!("[{}]\n", lines.join(",\n ")));
    }
    let count = match found.len() {
        0 => "no broadcasts".to_owned(),
        1 => "1 broadcast".to_owned(),
        many => format!("{many} broadcasts"),
    };
    let mut text = format!("{path}: {count}\n");
    for broadcast in &found {
        let element = graph.node(broadcast.of)?.dtype().element();
        let explanation = Explanation::new(&broadcast.asked.request);
        let style = Style { element, ..*style };
        let name = broadcast.title();
        let shown = if wanted.node.is_some() { explanation.text(&style) } else { explanation.brief(&style) };
        text.push_str(&format!("\n{name}\n{shown}"));
    }
    if wanted.node.is_none() && !found.is_empty() {
        text.push_str(&format!("\n{}\n", total(&found, graph, &count)?));
    }
    Ok(text)
}

/// How many broadcasts there are, and the bytes of copies of all that they lay out.
fn total(found: &[Found], graph: &Graph, count: &str) -> Result<String, Fault> {
    let (mut bytes, mut open) = (0u128, 0);
    for broadcast in found {
        match Copies::of(broadcast, graph)?.bytes() {
            Some(own) => bytes = bytes.saturating_add(own),
            None => open += 1,
        }
    }
    let all = human_bytes(bytes);
    let cost = match found.len() - open {
        0 => "none of known extents".to_owned(),
        _ if open == 0 => format!("materialised, they would take {all}"),
        known => format!("materialised, {known} would take {all}, and the extents of {open} are not known"),
    };
    Ok(format!("In all {count}; {cost}"))
}

/// What would be written if a broadcast's operands were copied.
struct Copies {
    /// How many operands are not read as they are.
    operands: usize,
    /// The bytes of each copy, if they are known.
    each: Option<usize>,
}

impl Copies {
    fn of(found: &Found, graph: &Graph) -> Result<Copies, Fault> {
        let request = &found.asked.request;
        let size = graph.node(found.of)?.dtype().size();
        let Ok(answer) = request.answer() else { return Ok(Copies { operands: 0, each: None }) };
        let copied = |plan: &Plan<Dim>| {
            (0..request.shapes.len()).filter(|&operand| !plan.reads_as_it_is(operand)).count()
        };
        let operands = answer.plan().map_or(1, copied);
        Ok(Copies { operands, each: bytes(answer.shape(), size) })
    }

    fn bytes(&self) -> Option<u128> {
        Some(u128::try_from(self.each?).ok()?.saturating_mul(u128::try_from(self.operands).ok()?))
    }
}

/// The bytes of an array, if its shape is known and its elements have a size.
fn bytes(shape: &Shape, size: Option<usize>) -> Option<usize> {
    let elements = shape.extents()?.into_iter().try_fold(1usize, usize::checked_mul)?;
    elements.checked_mul(size?)
}

/// There is no such node, or it broadcasts nothing.
fn nothing_at(name: &str, names: &[String], graph: &Graph) -> Fault {
    if graph.nodes().any(|(id, node)| called(id, node) == name) {
        return Fault::data(format!("nothing is broadcast for the node {name}"));
    }
    let near = ndcast::shape::nearest(name, names.iter().map(String::as_str));
    let text = match &near[..] {
        [] if names.is_empty() => "nothing in the model is broadcast".to_owned(),
        [] => format!("those that broadcast: {}", names.join(", ")),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    Fault::usage(format!("there is no node {name}; {text}"))
}

/// What a node is called in its file, or its number as the graph's text has it.
fn called(id: Id, node: &Node) -> String {
    node.called().map_or_else(|| format!("%{}", id.place()), str::to_owned)
}

/// Every broadcast, once for all its operands, in the graph's order.
fn broadcasts(graph: &Graph) -> Result<Vec<Found>, Fault> {
    let mut found: Vec<Found> = Vec::new();
    let needing = needing(graph);
    for (id, node) in graph.nodes() {
        let Some(asked) = graph.asked(id)? else { continue };
        let plan = asked.request.answer().ok().and_then(|answer| answer.plan().cloned());
        if plan.is_some_and(|plan| plan.reads_as_it_is(asked.operand)) {
            continue;
        }
        let needed = needing[id.place()];
        let for_node = graph.node(needed)?;
        let (node, of) = (called(needed, for_node), node.arguments().get(asked.operand).copied());
        let same = |other: &Found| other.node == node && other.asked.request == asked.request;
        if !found.iter().any(same) {
            let of = of.unwrap_or(id);
            let operation = (needed != id).then(|| for_node.kind().name());
            let line = graph.node(id)?.line();
            found.push(Found { node, operation, line, asked, of });
        }
    }
    Ok(found)
}

/// For each broadcast the node that needs it: the next one with a name, or if none has one that which is made of it. For a
/// node with a name itself.
fn needing(graph: &Graph) -> Vec<Id> {
    let nodes: Vec<(Id, &Node)> = graph.nodes().collect();
    let mut needing: Vec<Id> = nodes.iter().map(|(id, _)| *id).collect();
    let has_name = |id: Id| nodes[id.place()].1.name().is_some();
    let broadcasts = |id: Id| matches!(nodes[id.place()].1.kind(), Kind::Broadcast(_) | Kind::Fit(_));
    // From the end, so that what a node leads to is known before it; of several the first stays.
    for &(id, node) in nodes.iter().rev() {
        for &argument in node.arguments().iter().filter(|&&argument| !has_name(argument)) {
            if has_name(needing[id.place()]) || (broadcasts(argument) && broadcasts(id)) {
                needing[argument.place()] = needing[id.place()];
            } else if broadcasts(argument) {
                needing[argument.place()] = id;
            }
        }
    }
    needing
}

fn to_json(found: &Found, graph: &Graph) -> Result<Value, Fault> {
    let request = &found.asked.request;
    let result = request.answer();
    let size = graph.node(found.of)?.dtype().size();
    let copies = Copies::of(found, graph)?;
    let answer = wire::to_value(&result.map_err(Refusal::Rule));
    Ok(json!({
        "node": found.node,
        "operation": found.operation,
        "line": found.line,
        "dtype": graph.node(found.of)?.dtype().to_string(),
        "request": wire::request_value(request),
        "answer": answer,
        "bytes": {
            "read": request.shapes.iter().map(|shape| bytes(shape, size)).collect::<Vec<_>>(),
            "written": copies.each,
            "materialised": copies.each.map(|bytes| bytes.saturating_mul(copies.operands)),
        },
    }))
}
