//! ONNX files: read into a graph, and written from one.
//!
//! The messages of the file are decoded by hand, only what is looked at and without a copy: every length is checked
//! against the bytes that are there, unknown fields are passed over, and graphs lie within nodes only so deep.
//! Nodes become calls of [`Builder::node`](crate::dialect::onnx::Builder::node); the functions of a file are written out
//! where they are called, and the branches of `If` where it stands, and so are the rounds of `Loop` and `Scan`, which must be
//! known.
//!
//! Not here: models of another domain than ONNX's own (unless they are functions of the file), sparse tensors, sequences,
//! and what the front door does not have. All operators of a file that are not here are said at once.

mod branch;
mod declared;
mod proto;
mod reader;
mod rounds;
mod tensor;
#[cfg(test)]
mod tests;
mod wire;
mod write;

use std::path::Path;

pub use write::write;

use crate::error::Error;
use crate::graph::Graph;
use crate::tensor::Tensor;

/// The graph of a file, with what lies beside it.
///
/// # Errors
/// As [`read`]; the error holds the path.
pub fn open(path: impl AsRef<Path>) -> Result<Graph, Error> {
    let path = path.as_ref();
    let opened = || {
        let bytes = std::fs::read(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        read(&bytes, Some(folder.unwrap_or(Path::new("."))))
    };
    opened().map_err(|error| error.at(&path.display().to_string()))
}

/// The graph of a model's bytes. Tensors that lie beside it are looked for in this folder, and nowhere else.
///
/// # Errors
/// If the bytes are no model, or say what is not so; if there are operators that are not here, all of them; or if a node
/// is not as its operator wants it, with the node's name.
pub fn read(bytes: &[u8], folder: Option<&Path>) -> Result<Graph, Error> {
    read_given(bytes, folder, &[])
}

/// The same, with some inputs known already: they are constants, and no inputs of the graph. So a model can be read whose
/// axes are inputs. An input with a default has what is given instead.
///
/// # Errors
/// As [`read`]; or if there is no input of a name, or one does not have its declared element type.
pub fn read_given(bytes: &[u8], folder: Option<&Path>, given: &[(&str, Tensor)]) -> Result<Graph, Error> {
    let model = proto::Model::decode(bytes)?;
    reader::graph(&model, folder, given)
}
