//! `ndcast explain MODEL`: every broadcast in a model, which of its nodes needs it, on which line of the file, by which rule,
//! and what it costs; and what all of them cost.

use std::path::Path;

use clap::Args;
use ndcast::error::{Error, ErrorKind};
use ndcast::format;
use ndcast::graph::{Graph, Site};
use ndcast::shape::Request;
use ndcast::shape::explain::{Explanation, Style};
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
    /// With a model: explain only this node's broadcasts, in full
    #[arg(long, value_name = "NAME", conflicts_with_all = ["target", "axes", "axis", "index", "jsonl"])]
    pub(crate) node: Option<String>,
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

/// Reports a model that cannot be read: a failed broadcast is explained, and with --json every error is an object.
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
    let sites = match &wanted.node {
        None => graph.broadcasts(),
        Some(name) => graph.broadcasts_of(name).map_err(|error| match error.kind() {
            ErrorKind::NoName { .. } => Fault::usage(error),
            _ => error.into(),
        })?,
    };
    if json {
        let lines: Vec<String> = sites.iter().map(|site| to_json(site).to_string()).collect();
        return Ok(format!("[{}]\n", lines.join(",\n ")));
    }
    let mut text = format!("{path}: {}\n", Site::count_text(&sites));
    for site in &sites {
        let explanation = Explanation::new(&site.request);
        let style = Style { element: site.dtype.element(), ..*style };
        let shown = if wanted.node.is_some() { explanation.text(&style) } else { explanation.brief(&style) };
        text.push_str(&format!("\n{site}\n{shown}"));
    }
    if wanted.node.is_none() && !sites.is_empty() {
        text.push_str(&format!("\n{}\n", Site::total_text(&sites)));
    }
    Ok(text)
}

fn to_json(site: &Site) -> Value {
    json!({
        "node": site.node,
        "operation": site.operation,
        "line": site.line,
        "dtype": site.dtype.to_string(),
        "request": wire::request_value(&site.request),
        "answer": wire::to_value(&site.request.answer().map_err(Refusal::Rule)),
        "bytes": { "read": site.operand_bytes(), "written": site.result_bytes(), "materialised": site.materialised() },
    })
}
