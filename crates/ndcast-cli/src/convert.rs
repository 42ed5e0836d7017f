//! `ndcast convert`: a model from one format to another.

use std::path::PathBuf;

use clap::Args;
use ndcast::format;

use crate::fault::Fault;
use crate::inputs::model_help;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    ndcast convert model.onnx model.xml\n  \
    ndcast convert model.onnx model.mlir     for JAX and whatever else runs StableHLO\n  \
    ndcast convert model.onnx -              the graph as text\n\n\
    Exit status: 0 fine, 1 the model is at fault or cannot be said in the other format, 2 the command line is.")]
pub(crate) struct Arguments {
    #[arg(help = model_help())]
    from: PathBuf,

    /// The file to be written; its ending says the format, and `-` prints the graph's text
    to: PathBuf,
}

/// What is to be printed.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Fault> {
    let graph = format::open(&arguments.from)?;
    if arguments.to.as_os_str() == "-" {
        return Ok(graph.to_string());
    }
    format::save(&arguments.to, &graph)?;
    Ok(String::new())
}
