//! `ndcast list`: the rules, operations, models' operators, element types and file formats there are, as tables and as JSON.

use std::cell::RefCell;
use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use ndcast::op::{Argument, Body, Names};
use ndcast::reduction::Reduction;
use ndcast::shape::rule;
use ndcast::{DType, Op, format};
use serde_json::{Value, json};

use crate::explain::signature;
use crate::fault::Fault;
use crate::table::Table;
use crate::terminal::width;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    ndcast list ops\n  \
    ndcast list ops mod                  what is called so, in any dialect\n  \
    ndcast list operators softmax        whether a model may have it\n  \
    ndcast list dtypes --json\n\n\
    Exit status: 0 fine, 1 nothing is called so, 2 the command line is at fault.")]
pub(crate) struct Arguments {
    /// What is listed
    what: What,

    /// Only entries with this text in one of their names
    word: Option<String>,

    /// As JSON, with all that is known of each
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The broadcasting rules, with what each takes
    Rules,
    /// The elementwise operations and the reductions, with what each dialect calls them
    Ops,
    /// The operators that models are read from, of each format, with the first opset that has them
    Operators,
    /// The element types
    Dtypes,
    /// The formats of files
    Formats,
}

/// What is to be printed.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Fault> {
    let word = arguments.word.as_deref().unwrap_or_default().to_lowercase();
    // All names that were looked at, for who is told that none is so.
    let seen = RefCell::new(BTreeMap::new());
    let listed = |names: &[&str]| {
        let named = names.iter().filter(|name| !name.is_empty());
        // Once, in whatever letters.
        seen.borrow_mut().extend(named.map(|name| (name.to_lowercase(), (*name).to_owned())));
        names.iter().any(|name| name.to_lowercase().contains(&word))
    };
    let (text, json) = match arguments.what {
        What::Rules => rules(&listed),
        What::Ops => ops(&listed),
        What::Operators => operators(&listed),
        What::Dtypes => dtypes(&listed),
        What::Formats => formats(&listed),
    };
    if json.is_empty() {
        return Err(nothing(arguments, &seen.into_inner()));
    }
    if !arguments.json {
        return Ok(text);
    }
    let lines: Vec<String> = json.iter().map(Value::to_string).collect();
    Ok(format!("[{}]\n", lines.join(",\n ")))
}

/// That nothing has the word in a name, and which names are like it.
fn nothing(arguments: &Arguments, names: &BTreeMap<String, String>) -> Fault {
    let word = arguments.word.as_deref().unwrap_or_default();
    let what = match arguments.what {
        What::Rules => "rule",
        What::Ops => "operation or reduction",
        What::Operators => "operator of models",
        What::Dtypes => "element type",
        What::Formats => "format",
    };
    // What is no operation of its own may be an operator all the same, as a softmax is.
    let holds = |name: &str| name.to_lowercase().contains(&word.to_lowercase());
    if let What::Ops = arguments.what
        && format::ALL.iter().any(|format| (format.operators)().iter().any(|(name, _)| holds(name)))
    {
        let text = format!(
            "no {what} has {word} in one of its names, but models have: ndcast list operators {word}"
        );
        return Fault::data(text);
    }
    let near = ndcast::shape::nearest(word, names.values().map(String::as_str));
    let near = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    Fault::data(format!("no {what} has {word} in one of its names{near}"))
}

/// Whether something of these names is wanted.
type Listed<'l> = &'l dyn Fn(&[&str]) -> bool;

/// A table, of 120 columns where there is no terminal.
fn text<const N: usize>(head: [&'static str; N], rows: Vec<[String; N]>) -> String {
    Table { head, rows }.text(width(120))
}

fn rules(listed: Listed<'_>) -> (String, Vec<Value>) {
    let rules: Vec<_> = rule::ALL.iter().filter(|rule| listed(&[rule.name])).collect();
    let takes = |name: &str, signature: String| signature[name.len()..].trim_start().to_owned();
    let rows = rules
        .iter()
        .map(|rule| [rule.name.to_owned(), takes(rule.name, signature(rule)), rule.summary.to_owned()]);
    let text = text(["rule", "takes", "what it does"], rows.collect());
    let json = rules.iter().map(|rule| {
        let (least, most) = rule.operands.range();
        json!({
            "name": rule.name,
            "dialect": rule.dialect.name(),
            "operands": { "least": least, "most": most },
            "target": need(rule.target),
            "axes": need(rule.axes),
            "axis": need(rule.axis),
            "index": need(rule.index),
            "summary": rule.summary,
        })
    });
    (text, json.collect())
}

fn need(need: rule::Need) -> &'static str {
    match need {
        rule::Need::Required => "required",
        rule::Need::Optional => "optional",
        rule::Need::Never => "never",
    }
}

/// A dialect that has names for operations: its column's head, its key in JSON, and its names.
type Dialect = (&'static str, &'static str, fn(&Names) -> &'static str);

/// Those, in the columns' order.
const DIALECTS: [Dialect; 5] = [
    ("standard", "array_api", |names| names.array_api),
    ("onnx", "onnx", |names| names.onnx),
    ("openvino", "openvino", |names| names.openvino),
    ("stablehlo", "stablehlo", |names| names.stablehlo),
    ("hlo", "hlo", |names| names.hlo),
];

fn ops(listed: Listed<'_>) -> (String, Vec<Value>) {
    let called = |name: &'static str, names: &Names| {
        let entries = DIALECTS.iter().flat_map(|(_, _, of)| of(names).split_whitespace());
        // Not the conditions behind a name.
        let names = entries.filter_map(|entry| entry.split('[').next());
        listed(&names.chain([name]).collect::<Vec<_>>())
    };
    let ops: Vec<_> = Op::ALL.iter().filter(|op| called(op.record().name, &op.record().names)).collect();
    let folds = Reduction::ALL.iter().filter(|fold| called(fold.record().name, &fold.record().names));
    let folds: Vec<_> = folds.collect();
    let row = |name: &str, names: &Names| {
        let [array_api, b, c, d, e] = DIALECTS.map(|(_, _, of)| of(names).to_owned());
        // The own name is the standard's where that has one.
        let array_api = if array_api == name { "same".to_owned() } else { array_api };
        [name.to_owned(), array_api, b, c, d, e]
    };
    let head = |first| {
        let [a, b, c, d, e] = DIALECTS.map(|(title, _, _)| title);
        [first, a, b, c, d, e]
    };
    let mut tables = Vec::new();
    if !ops.is_empty() {
        let rows = ops.iter().map(|op| row(op.record().name, &op.record().names)).collect();
        tables.push(text(head("operation"), rows));
    }
    if !folds.is_empty() {
        let rows = folds.iter().map(|fold| row(fold.record().name, &fold.record().names)).collect();
        tables.push(text(head("reduction"), rows));
    }
    let mut json: Vec<Value> = ops.iter().map(|op| op_json(**op)).collect();
    json.extend(folds.iter().map(|fold| {
        let record = fold.record();
        json!({
            "name": record.name,
            "kind": "reduction",
            "summary": record.summary,
            "names": names_json(&record.names),
            "takes": types(|dtype| fold.result(dtype)),
        })
    }));
    (tables.join("\n"), json)
}

fn op_json(op: Op) -> Value {
    let record = op.record();
    let argument = |argument: &Argument| {
        // An infinity is the greatest or the least number of the type, and no number of JSON.
        let default = argument.default.map(|n| if n.is_finite() { json!(n) } else { json!(n.to_string()) });
        json!({ "name": argument.name, "default": default })
    };
    json!({
        "name": record.name,
        "kind": if matches!(record.body, Body::Formula(_)) { "formula" } else { "operation" },
        "summary": record.summary,
        "names": names_json(&record.names),
        "arguments": record.arguments.iter().map(argument).collect::<Vec<_>>(),
        "takes": types(|dtype| op.result(dtype)),
        "accuracy": record.accuracy,
        "differentiable": record.gradient.is_some() || matches!(record.body, Body::Formula(_)),
        "examples": record.examples,
    })
}

fn operators(listed: Listed<'_>) -> (String, Vec<Value>) {
    let of = |format: &'static format::Format| {
        (format.operators)().into_iter().map(move |operator| (format.name, operator))
    };
    let found: Vec<_> = format::ALL.iter().flat_map(of).filter(|(_, (name, _))| listed(&[name])).collect();
    let rows = found.iter().map(|(format, (name, since))| {
        [name.clone(), (*format).to_owned(), since.map_or(String::new(), |since| format!("opset {since}"))]
    });
    let json =
        found.iter().map(|(format, (name, since))| json!({ "name": name, "format": format, "since": since }));
    (text(["operator", "format", "since"], rows.collect()), json.collect())
}

/// What each dialect calls it: all its names.
fn names_json(names: &Names) -> Value {
    let of = |name: fn(&Names) -> &'static str| name(names).split_whitespace().collect::<Vec<_>>();
    DIALECTS.iter().map(|(_, key, name)| ((*key).to_owned(), json!(of(*name)))).collect()
}

/// The element types that something takes, each with that of the result.
fn types(result: impl Fn(DType) -> Option<DType>) -> Value {
    let taken = DType::all().filter_map(|dtype| Some((dtype.to_string(), json!(result(dtype)?.to_string()))));
    taken.collect()
}

fn dtypes(listed: Listed<'_>) -> (String, Vec<Value>) {
    let names = |dtype: DType| {
        let element = dtype.element();
        [
            element.name,
            dtype.numpy_name().unwrap_or_default(),
            element.stablehlo.unwrap_or_default(),
            element.hlo.unwrap_or_default(),
        ]
    };
    let dtypes: Vec<DType> = DType::all().filter(|&dtype| listed(&names(dtype))).collect();
    let class = |dtype: DType| format!("{:?}", dtype.class()).to_lowercase();
    let rows = dtypes.iter().map(|&dtype| {
        let [name, numpy, stablehlo, hlo] = names(dtype).map(str::to_owned);
        let bits = dtype.bits().map_or(String::new(), |bits| bits.to_string());
        let arithmetic = if dtype.computes() { "yes" } else { "moved, converted, in files" };
        [name, bits, class(dtype), numpy, stablehlo, hlo, arithmetic.to_owned()]
    });
    let head = ["dtype", "bits", "class", "numpy", "stablehlo", "hlo", "arithmetic"];
    let json = dtypes.iter().map(|&dtype| {
        let element = dtype.element();
        json!({
            "name": element.name,
            "bits": element.bits,
            "class": class(dtype),
            "numpy": dtype.numpy_name(),
            "stablehlo": element.stablehlo,
            "hlo": element.hlo,
            "computes": dtype.computes(),
        })
    });
    (text(head, rows.collect()), json.collect())
}

fn formats(listed: Listed<'_>) -> (String, Vec<Value>) {
    let models = format::ALL.iter().map(|format| (format.name, format.ending, "models"));
    let tensors = format::data::ALL.iter().map(|format| (format.name, format.ending, "tensors"));
    let formats: Vec<_> = models.chain(tensors).filter(|(name, ending, _)| listed(&[name, ending])).collect();
    let rows =
        formats.iter().map(|(name, ending, of)| [format!(".{ending}"), (*name).to_owned(), (*of).to_owned()]);
    let json = formats
        .iter()
        .map(|(name, ending, of)| json!({ "ending": format!(".{ending}"), "name": name, "holds": of }));
    (text(["ending", "format", "holds"], rows.collect()), json.collect())
}
