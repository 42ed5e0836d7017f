//! `ndcast explain`: one request from the command line, or many as JSON lines.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use clap::Args;
use ndcast::DType;
use ndcast::format;
use ndcast::shape::explain::{Explanation, Style};
use ndcast::shape::rule::{self, Need, Rule};
use ndcast::shape::{Error, Request, Shape, parse_axes, parse_index};

use crate::explain_model::{self, Wanted, is_model};
use crate::fault::Fault;
use crate::terminal::{Color, print, tell, width};
use crate::wire::{self, Refusal};
use crate::{Outcome, told};

#[derive(Args)]
#[command(after_help = "Run with --help for the list of rules and examples.", after_long_help = long_help())]
pub(crate) struct Arguments {
    /// The rule, such as `array-api` or `xla.binary`; or a model's file, of which every broadcast is explained
    #[arg(value_name = "RULE|MODEL", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    rule: Option<String>,

    /// The operands' shapes: 8x1x6x1, ?x3, Nx3, 2..5x3, scalar; also 8,1,6,1 or (8, 1, 6, 1)
    #[arg(value_name = "SHAPE", conflicts_with = "jsonl")]
    shapes: Vec<String>,

    #[command(flatten)]
    wanted: Wanted,

    /// The target shape; for xla.broadcast the extents put in front
    #[arg(long, value_name = "SHAPE", allow_hyphen_values = true)]
    target: Option<String>,

    /// The rule's list of axes: axes_mapping, broadcast_axes, broadcast_dimensions
    #[arg(long, value_name = "0,1,..", allow_hyphen_values = true)]
    axes: Option<String>,

    /// The axis on which PDPD broadcasting begins
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    axis: Option<i64>,

    /// For array-api.in-place: the index of the left side, such as '1, ...'
    #[arg(long, value_name = "INDEX", allow_hyphen_values = true)]
    index: Option<String>,

    /// The element type, for byte counts and the text in other dialects; f32 by default
    #[arg(long, value_name = "TYPE")]
    dtype: Option<DType>,

    /// Answer with one line of JSON
    #[arg(long)]
    json: bool,

    /// Read requests from stdin, one JSON object per line, and answer each with a line
    #[arg(long, conflicts_with_all = ["target", "axes", "axis", "index", "json"])]
    jsonl: bool,

    /// When to colour the output
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

fn long_help() -> String {
    let mut text = "Rules:\n".to_owned();
    for rule in rule::ALL {
        text.push_str(&format!("  {}\n      {}\n", signature(rule), rule.summary));
    }
    text.push_str(
        "\nExamples:\n  \
         ndcast explain array-api 8x1x6x1 7x1x5\n  \
         ndcast explain xla.binary 4 1x2 --axes 0\n  \
         ndcast explain openvino.broadcast.explicit 16 --target 1x16x50x50 --axes 1\n  \
         ndcast explain array-api.in-place 2x3x4 1x3x4 --index '1, ...'\n  \
         ndcast explain model.onnx\n  \
         ndcast explain model.xml --node add\n  \
         echo '{\"rule\":\"onnx.expand\",\"shapes\":[[3,1]],\"target\":[2,1,6]}' | ndcast explain --jsonl\n\n\
         Exit status: 0 it broadcasts, 1 it does not or the model is at fault, 2 the command line is wrong; with --jsonl 0.",
    );
    text
}

/// What the answer is, and whether it could be written.
pub(crate) fn run(arguments: &Arguments) -> (Outcome, io::Result<()>) {
    if arguments.jsonl {
        let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
        return (Outcome::Fine, answer_lines(input, io::stdout().lock()));
    }
    let style = Style {
        paint: arguments.color.paint(),
        element: arguments.dtype.unwrap_or(DType::F32).element(),
        width: width(80),
    };
    if let Some(model) = arguments.rule.as_deref().filter(|text| rule::find(text).is_err() && is_model(text))
    {
        return match of_model(model, arguments, &style) {
            Ok((outcome, text)) => (outcome, print(&text)),
            Err(fault) => told(Err(fault)),
        };
    }
    if arguments.wanted.node.is_some() {
        return told(Err(Fault::usage("--node needs a model, and this is none".to_owned())));
    }
    if let Some(path) =
        arguments.rule.as_deref().filter(|text| rule::find(text).is_err() && Path::new(text).is_dir())
    {
        return told(Err(Fault::usage(format!("{path} is a folder, and no rule and no model"))));
    }
    let request = match to_request(arguments) {
        Ok(request) => request,
        Err(error) => return refuse(arguments, error),
    };
    let spelled = |text: &String| text.trim().to_owned();
    let shapes = arguments.shapes.iter().map(spelled).collect();
    let explanation = Explanation::new(&request).spelled(shapes, arguments.target.as_ref().map(spelled));
    let outcome = match explanation.result() {
        Ok(_) => Outcome::Fine,
        Err(error) if error.kind().is_usage() => return refuse(arguments, error.clone()),
        Err(_) => Outcome::Fault,
    };
    let text = if arguments.json {
        wire::to_json(&explanation.result().clone().map_err(Refusal::Rule)) + "\n"
    } else {
        explanation.text(&style)
    };
    (outcome, print(&text))
}

fn of_model(model: &str, arguments: &Arguments, style: &Style) -> Result<(Outcome, String), Fault> {
    format::of_ending(model).map_err(Fault::usage)?;
    let of_a_rule = [
        (!arguments.shapes.is_empty(), "shapes"),
        (arguments.target.is_some(), "--target"),
        (arguments.axes.is_some(), "--axes"),
        (arguments.axis.is_some(), "--axis"),
        (arguments.index.is_some(), "--index"),
        (arguments.dtype.is_some(), "--dtype"),
    ];
    if let Some((_, what)) = of_a_rule.iter().find(|(given, _)| *given) {
        return Err(Fault::usage(format!("{model} is a model, which takes no {what}")));
    }
    explain_model::run(model, &arguments.wanted, arguments.json, style)
}

/// A request that cannot even be asked.
fn refuse(arguments: &Arguments, error: Error) -> (Outcome, io::Result<()>) {
    if arguments.json {
        return (Outcome::Usage, print(&(wire::to_json(&Err(Refusal::Rule(error))) + "\n")));
    }
    let rule = error.rule().and_then(|name| rule::find(name).ok());
    match rule {
        Some(rule) => tell(&format_args!("error: {error}\n\nUsage: ndcast explain {}", signature(rule))),
        None => tell(&format_args!(
            "error: {error}\n\nFor the rules and what they take, try 'ndcast explain --help'."
        )),
    }
    (Outcome::Usage, Ok(()))
}

/// `xla.binary SHAPE SHAPE [--axes ..]`
pub(crate) fn signature(rule: &Rule) -> String {
    let (least, most) = rule.operands.range();
    let mut text = rule.name.to_owned() + &" SHAPE".repeat(least);
    if most.is_none() {
        text.push_str(" [SHAPE]...");
    }
    let options = [("--target SHAPE", rule.target), ("--axes 0,1,..", rule.axes), ("--axis N", rule.axis)];
    for (option, need) in options.into_iter().chain([("--index INDEX", rule.index)]) {
        match need {
            Need::Required => text.push_str(&format!(" {option}")),
            Need::Optional => text.push_str(&format!(" [{option}]")),
            Need::Never => {}
        }
    }
    text
}

fn to_request(arguments: &Arguments) -> Result<Request, Error> {
    Ok(Request {
        rule: rule::find(arguments.rule.as_deref().unwrap_or_default())?,
        shapes: arguments.shapes.iter().map(|shape| shape.parse()).collect::<Result<Vec<Shape>, _>>()?,
        target: arguments.target.as_deref().map(str::parse).transpose()?,
        axes: arguments.axes.as_deref().map(parse_axes).transpose()?,
        axis: arguments.axis,
        index: arguments.index.as_deref().map(parse_index).transpose()?,
    })
}

/// Answers each line with a line, in order; a line that is no request gets an error as its answer.
fn answer_lines(mut input: BufReader<impl Read>, output: impl Write) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let mut line = vec![];
    loop {
        line.clear();
        let told = |error: io::Error| io::Error::new(error.kind(), format!("cannot read stdin: {error}"));
        if input.read_until(b'\n', &mut line).map_err(told)? == 0 {
            return output.flush();
        }
        while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            line.pop();
        }
        output.write_all(wire::answer_line(&line).as_bytes())?;
        output.write_all(b"\n")?;
        // Somebody may wait for this answer before asking again.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}
