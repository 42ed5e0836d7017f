//! `ndcast grad`: the gradient of the sum of a model's output, computed, or as a model.

use std::path::PathBuf;

use clap::Args;
use ndcast::format::data;
use ndcast::graph::gradient;

use crate::convert::{check_ending, saved};
use crate::fault::Fault;
use crate::inputs::{Inputs, model_help, opened, place};
use crate::progress::Progress;
use crate::run::summary;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    ndcast grad model.onnx --inputs in.npz --outputs gradients.npz\n  \
    ndcast grad model.xml --of loss --wrt weights -o gradient.onnx\n\n\
    Exit status: 0 fine, 1 the model or the data is at fault, 2 the command line is.")]
pub(crate) struct Arguments {
    #[arg(help = model_help())]
    model: PathBuf,

    /// The output; needed if there are several
    #[arg(long, value_name = "OUTPUT")]
    of: Option<String>,

    /// An input by which to differentiate; without any, every input of floats
    #[arg(long, value_name = "NAME")]
    wrt: Vec<String>,

    #[command(flatten)]
    inputs: Inputs,

    /// Where the gradients go, by the inputs' names
    #[arg(long, value_name = "FILE.npz")]
    outputs: Option<PathBuf>,

    /// Write the gradient as a model, and do not run it; `-` prints the graph's text
    #[arg(short = 'o', value_name = "FILE", conflicts_with_all = ["outputs", "single", "archive", "random"])]
    model_out: Option<PathBuf>,
}

/// What is to be printed.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Fault> {
    if let Some(path) = &arguments.model_out {
        check_ending(path)?;
    }
    if let Some(path) = &arguments.outputs {
        data::of_ending(path).map_err(Fault::usage)?;
    }
    let mut graph = opened(&arguments.model)?;
    if arguments.model_out.is_some() {
        graph = arguments.inputs.with_extents(graph, &arguments.model)?;
    }
    let names: Vec<String> = graph.outputs().iter().map(|output| output.name().to_owned()).collect();
    let of = match (&arguments.of, &names[..]) {
        (Some(name), _) => place(name, &names).map(|place| names[place].clone()).ok_or_else(|| {
            Fault::usage(format!("there is no output {name}; the model's outputs: {}", names.join(", ")))
        })?,
        (None, [only]) => only.clone(),
        (None, names) => {
            let text =
                format!("say with --of which output is meant; the model's outputs: {}", names.join(", "));
            return Err(Fault::usage(text));
        }
    };
    let inputs = graph.inputs().iter().map(|&id| Ok(graph.node(id)?.name().unwrap_or_default().to_owned()));
    let inputs = inputs.collect::<Result<Vec<String>, ndcast::Error>>()?;
    let mut by = Vec::new();
    for name in &arguments.wrt {
        let found = place(name, &inputs).ok_or_else(|| {
            Fault::usage(format!("there is no input {name}; the model's inputs: {}", inputs.join(", ")))
        })?;
        if by.contains(&inputs[found].as_str()) {
            return Err(Fault::usage(format!("the input {} is given twice with --wrt", inputs[found])));
        }
        by.push(inputs[found].as_str());
    }
    let at_model = Fault::of_model(&arguments.model);
    let backwards = gradient(&graph, &of, (!by.is_empty()).then_some(&by)).map_err(&at_model)?;
    if let Some(path) = &arguments.model_out {
        return saved(path, &backwards.cleaned()?);
    }
    let progress = Progress::of(format!("differentiating {}", arguments.model.display()));
    let values = backwards.run(&arguments.inputs.bound(&graph)?).map_err(&at_model)?;
    drop(progress);
    let named: Vec<_> =
        backwards.outputs().iter().map(|output| output.name().to_owned()).zip(values).collect();
    if let Some(path) = &arguments.outputs {
        data::save(path, &named)?;
        return Ok(String::new());
    }
    let mut text = String::new();
    for (name, tensor) in &named {
        summary(&mut text, Some(name), tensor)?;
    }
    Ok(text)
}
