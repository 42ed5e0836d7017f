//! OpenVINO IR, versions 10 and 11: an `.xml` of layers and edges, and a `.bin` of constants beside it.
//!
//! What the layers are is the dialect's: [`Builder::layer`](crate::dialect::openvino::Builder::layer) is called for each, in
//! an order in which its inputs are there. Shapes in ports are not read: they are inferred. Inputs and outputs are called by
//! the names of their tensors.
//!
//! DIFFERENCE: an input port without an edge, an edge to nothing, a cycle and a port number that is there twice are
//! errors, of which OpenVINO notices some by crashing.

mod document;
mod expand;
mod read;
#[cfg(test)]
mod tests;
mod weights;
mod write;
mod write_movement;
mod write_sort;
mod xml;

use std::fs::{self, File};
use std::path::Path;

use crate::error::Error;
use crate::graph::Graph;
use weights::Weights;

/// The graph of a model: the text of its `.xml`, and what is in its `.bin`.
///
/// ```
/// let xml = r#"<net name="twice" version="11">
///   <layers>
///     <layer id="0" name="x" type="Parameter" version="opset1">
///       <data shape="?,2" element_type="f32"/>
///       <output><port id="0" precision="FP32" names="x"/></output>
///     </layer>
///     <layer id="1" name="two" type="Const" version="opset1">
///       <data element_type="f32" shape="" offset="0" size="4"/>
///       <output><port id="0" precision="FP32"/></output>
///     </layer>
///     <layer id="2" name="mul" type="Multiply" version="opset1">
///       <data auto_broadcast="numpy"/>
///       <input><port id="0"/><port id="1"/></input>
///       <output><port id="2" precision="FP32" names="y"/></output>
///     </layer>
///     <layer id="3" name="y/sink" type="Result" version="opset1"><input><port id="0"/></input></layer>
///   </layers>
///   <edges>
///     <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
///     <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
///     <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
///   </edges>
/// </net>"#;
/// let graph = ndcast::format::openvino::read(xml, &2.0f32.to_le_bytes())?;
/// let x = ndcast::Tensor::new(&[1, 2], &[1.0f32, 2.0])?;
/// assert_eq!(graph.run(&[x])?[0].to_vec::<f32>()?, [2.0, 4.0]);
/// assert_eq!(graph.outputs()[0].name(), "y");
/// # Ok::<(), ndcast::Error>(())
/// ```
///
/// # Errors
/// If the text is no such model, with the line; if there are layers that are not known, with all of them; if a layer's inputs
/// are not as they must be, with its name.
pub fn read(xml: &str, weights: &[u8]) -> Result<Graph, Error> {
    read::graph(&document::Model::read(xml)?, &mut Weights::Memory(weights))
}

/// The graph of a model in files: the `.xml`, with the `.bin` of the same name beside it. Constants are read from that one
/// by one, so no more than they is in memory.
///
/// # Errors
/// Those of [`read`], and if a file cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<Graph, Error> {
    let path = path.as_ref();
    let wrong = |path: &Path, error: std::io::Error| Error::from(error).at(&path.display().to_string());
    let xml = fs::read_to_string(path).map_err(|error| wrong(path, error))?;
    let beside = path.with_extension("bin");
    let mut weights = match File::open(&beside) {
        Ok(file) => {
            let length = file.metadata().map_err(|error| wrong(&beside, error))?.len();
            Weights::File { file, length, path: beside }
        }
        // A model without constants may have none.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Weights::Missing(beside),
        Err(error) => return Err(wrong(&beside, error)),
    };
    read::graph(&document::Model::read(&xml)?, &mut weights)
}

/// A graph as a model: the text of an `.xml`, and what goes into the `.bin`.
///
/// Broadcasts that an elementwise layer makes by itself are left to it; all others become Broadcast layers.
///
/// # Errors
/// If OpenVINO has no layers for something in the graph: the error names all of it.
pub fn write(graph: &Graph) -> Result<(String, Vec<u8>), Error> {
    write::model(graph)
}
