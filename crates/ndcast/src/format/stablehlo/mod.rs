//! StableHLO's text, with CHLO's operations: what JAX, PyTorch/XLA and others write, as `.mlir`.
//!
//! All forms are read: each operation's own and the generic one, locations, aliases, private functions, regions of folds.
//! Operations are calls of the [dialect](crate::dialect::stablehlo), which holds what they mean. Functions that are called
//! are written out where they are, and so are loops whose rounds are counted. Inputs are called `arg0`, `arg1`, ..., outputs `0`, `1`, ..., where the attribute
//! `ndcast.name`, which is written of other names, does not say otherwise.
//!
//! DIFFERENCE: `custom_call @shape_assertion`, in which JAX checks the extents of a polymorphic program, is passed over:
//! extents that do not go together are found where they meet.
//!
//! Not here: loops that go on by what they compute, regions that are no known fold or comparison, quantized types, MLIR's
//! bytecode. All operations of a file that are not here are said at once.

mod attribute;
mod literal;
mod pretty;
mod syntax;
#[cfg(test)]
mod tests;
mod types;
mod write;

pub use write::write;

use std::fs;
use std::path::Path;

use crate::error::Error;
use crate::format::program::build;
use crate::graph::Graph;

/// The attribute of an input or an output of the main function that is its name.
const NAME: &str = "ndcast.name";

/// The graph of a module's text.
///
/// ```
/// let text = r#"
/// func.func @main(%x: tensor<?x3xf32>, %row: tensor<3xf32>) -> tensor<?x3xf32> {
///   %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
///   %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
///   %1 = stablehlo.constant dense<3> : tensor<1xi32>
///   %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
///   %3 = stablehlo.dynamic_broadcast_in_dim %row, %2, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
///   %4 = stablehlo.add %x, %3 : tensor<?x3xf32>
///   return %4 : tensor<?x3xf32>
/// }"#;
/// let graph = ndcast::format::stablehlo::read(text)?;
/// let x = ndcast::Tensor::new(&[1, 3], &[1.0f32, 2.0, 3.0])?;
/// let row = ndcast::Tensor::new(&[3], &[10.0f32, 20.0, 30.0])?;
/// assert_eq!(graph.run(&[x, row])?[0].to_vec::<f32>()?, [11.0, 22.0, 33.0]);
/// # Ok::<(), ndcast::Error>(())
/// ```
///
/// # Errors
/// If the text is no module, with the line and the column; if there are operations that are not here, with all of them;
/// if an operation is not as it must be, with its line.
pub fn read(text: &str) -> Result<Graph, Error> {
    build::graph(&syntax::program(text)?)
}

/// The graph of a file.
pub(super) fn open(path: &Path) -> Result<Graph, Error> {
    let bytes = fs::read(path)?;
    // Before it is found not to be UTF-8.
    syntax::check_is_text(&bytes)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        Error::value(format!("it is no text: byte {} is not UTF-8", error.utf8_error().valid_up_to()))
    })?;
    read(&text)
}
