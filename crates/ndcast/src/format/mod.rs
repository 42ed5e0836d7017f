//! Files: models, read into a [`Graph`] and written from one, and arrays.
//!
//! A format of models holds no semantics: names become operations through their records, and attributes become calls of the
//! [`dialect`] whose files these are, which checks them. What a file claims is checked against its size before
//! memory is asked for, nothing here recurses by what a file says, and errors name the layer and the line, or the node.

pub mod data;
mod formula;
pub mod hlo;
mod implicit;
mod names;
pub mod onnx;
pub mod openvino;
mod program;
pub mod stablehlo;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::dialect;
use crate::error::Error;
use crate::graph::{Graph, Id, Output};
use names::Names;

/// A format of models, by the ending of its files.
#[derive(Debug)]
pub struct Format {
    /// What people call it.
    pub name: &'static str,
    /// How the names of its files end, without the dot.
    pub ending: &'static str,
    /// What its models may be made of: the operators that are read, each with the first opset that has it if there are opsets.
    /// A model that has others is refused, with all of them.
    pub operators: fn() -> Vec<Operator>,
    open: fn(&Path) -> Result<Graph, Error>,
    save: fn(&Path, &Graph) -> Result<(), Error>,
}

/// An operator by the name that a format has for it, and the first opset that has it.
pub type Operator = (String, Option<u32>);

/// Every format of models.
///
/// ```
/// use ndcast::format;
/// let onnx = format::of_ending("model.onnx")?;
/// assert!((onnx.operators)().contains(&("Einsum".to_owned(), Some(12))));
/// # Ok::<(), ndcast::Error>(())
/// ```
pub const ALL: &[Format] = &[
    Format {
        name: "OpenVINO IR",
        ending: "xml",
        operators: || {
            let since = |name| {
                dialect::openvino::OPSETS.into_iter().find(|&opset| dialect::openvino::knows(name, opset))
            };
            dialect::openvino::layer_types().into_iter().map(|name| (name.to_owned(), since(name))).collect()
        },
        open: |path| openvino::open(path),
        save: save_openvino,
    },
    Format {
        name: "ONNX",
        ending: "onnx",
        operators: || {
            let all = dialect::onnx::op_types().into_iter();
            all.map(|(name, since)| (name.to_owned(), u32::try_from(since).ok())).collect()
        },
        open: |path| onnx::open(path),
        save: |path, graph| whole(path, &onnx::write(graph)?),
    },
    Format {
        name: "StableHLO",
        ending: "mlir",
        operators: || program::names(false).into_iter().map(|name| (name, None)).collect(),
        open: |path| stablehlo::open(path),
        save: |path, graph| whole(path, stablehlo::write(graph)?.as_bytes()),
    },
    Format {
        name: "HLO",
        ending: "hlo",
        operators: || program::names(true).into_iter().map(|name| (name, None)).collect(),
        open: |path| hlo::read(&fs::read_to_string(path)?),
        save: |path, graph| whole(path, hlo::write(graph)?.as_bytes()),
    },
    Format {
        name: "a graph's text",
        ending: "graph",
        // Of nodes by names of their own.
        operators: Vec::new,
        open: |path| fs::read_to_string(path)?.parse(),
        save: |path, graph| whole(path, graph.to_string().as_bytes()),
    },
];

/// The model of a file, by its ending.
///
/// ```
/// use ndcast::format;
/// let path = std::env::temp_dir().join(format!("ndcast-{}.graph", std::process::id()));
/// std::fs::write(&path, "%0 = input \"x\" dtype=f32 shape=3\noutput \"y\" = %0\n")?;
/// assert_eq!(format::open(&path)?.inputs().len(), 1);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no format of such files; if the file cannot be read, or is no model of that format. The error holds the path.
pub fn open(path: impl AsRef<Path>) -> Result<Graph, Error> {
    let path = path.as_ref();
    let opened = || (of_ending(path)?.open)(path);
    opened().map_err(|error| named(error, path))
}

/// Writes a model as the path's ending says. A file is written aside first, so that none is there by half.
///
/// # Errors
/// If there is no format of such files, if it cannot say what the graph does, or if the file cannot be written.
pub fn save(path: impl AsRef<Path>, graph: &Graph) -> Result<(), Error> {
    let path = path.as_ref();
    let saved = || (of_ending(path)?.save)(path, graph);
    saved().map_err(|error| named(error, path))
}

/// The error with the path before it, unless it has that already.
fn named(error: Error, path: &Path) -> Error {
    // The second file of a model lies beside the first.
    let has_one = [path, &path.with_extension("bin")]
        .iter()
        .any(|path| error.to_string().starts_with(&format!("at {}", path.display())));
    if has_one { error } else { error.at(&path.display().to_string()) }
}

/// Output names for formats in which inputs and outputs share a namespace: none is an input's name.
fn output_names(graph: &Graph) -> Vec<String> {
    let name_of = |&id: &Id| graph.at(id).name();
    let inputs: HashSet<&str> = graph.inputs().iter().filter_map(name_of).collect();
    let mut taken: Names = inputs.iter().copied().chain(graph.outputs().iter().map(Output::name)).collect();
    let apart = |output: &Output| match output.name() {
        name if !inputs.contains(name) => name.to_owned(),
        // A gradient is called as what it is of.
        name => taken.free(&format!("{name}_out")),
    };
    graph.outputs().iter().map(apart).collect()
}

/// The format of a model's file, by the path's ending.
///
/// # Errors
/// If the ending is another.
pub fn of_ending(path: impl AsRef<Path>) -> Result<&'static Format, Error> {
    let path = path.as_ref();
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ALL.iter().find(|format| format.ending.eq_ignore_ascii_case(ending)).ok_or_else(|| {
        let known: Vec<String> = ALL.iter().map(|format| format!(".{}", format.ending)).collect();
        let error = Error::value(format!("a model's file ends in {}", known.join(", ")));
        error.at(&path.display().to_string())
    })
}

fn whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    data::aside(path, &mut |file| Ok(file.write_all(bytes)?))
}

/// The `.xml`, with the `.bin` beside it.
fn save_openvino(path: &Path, graph: &Graph) -> Result<(), Error> {
    let (xml, weights) = openvino::write(graph)?;
    let beside = path.with_extension("bin");
    // Neither is put in its place where the other cannot be: both are written aside before.
    if let Some(folder) = [path, &beside].into_iter().find(|file| file.is_dir()) {
        return Err(named(std::io::Error::from(std::io::ErrorKind::IsADirectory).into(), folder));
    }
    data::aside(path, &mut |file| {
        file.write_all(xml.as_bytes())?;
        file.flush()?;
        // The model last, so that one that is there has its weights.
        whole(&beside, &weights).map_err(|error| named(error, &beside))
    })
}
