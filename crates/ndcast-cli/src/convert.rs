//! `ndcast convert`: a model from one format to another.

use std::path::{Path, PathBuf};

use clap::Args;
use ndcast::format;
use ndcast::graph::Graph;

use crate::fault::Fault;
use crate::inputs::{extent_named, model_help, opened, with_extents};

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    ndcast convert model.onnx model.xml\n  \
    ndcast convert model.onnx model.mlir     for JAX and whatever else runs StableHLO\n  \
    ndcast convert model.onnx -              the graph as text\n  \
    ndcast convert model.onnx model.hlo --extent N=32\n\n\
    Exit status: 0 fine, 1 the model is at fault or cannot be said in the other format, 2 the command line is.")]
pub(crate) struct Arguments {
    #[arg(help = model_help())]
    from: PathBuf,

    /// The file to be written; its ending says the format, and `-` prints the graph's text
    to: PathBuf,

    /// Fixes an open extent: N=32 by its name, ?=8 for all without one. Others stay open
    #[arg(long = "extent", value_name = "NAME=N", value_parser = extent_named)]
    extents: Vec<(String, usize)>,
}

/// What is to be printed.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Fault> {
    check_ending(&arguments.to)?;
    let graph = with_extents(opened(&arguments.from)?, &arguments.from, &arguments.extents)?;
    saved(&arguments.to, &graph)
}

/// Where a graph's text is printed, and no file written.
const PRINTED: &str = "-";

/// What is wrong with the ending of a model's file is said before anything is done for it.
pub(crate) fn check_ending(path: &Path) -> Result<(), Fault> {
    if path.as_os_str() != PRINTED {
        format::of_ending(path).map_err(Fault::usage)?;
    }
    Ok(())
}

/// Writes a model; what is to be printed, which is its text if it is not for a file.
pub(crate) fn saved(path: &Path, graph: &Graph) -> Result<String, Fault> {
    if path.as_os_str() == PRINTED {
        return Ok(graph.to_string());
    }
    format::save(path, graph)?;
    Ok(String::new())
}
