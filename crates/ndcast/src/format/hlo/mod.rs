//! HLO's text: what XLA writes of its own programs, as `.hlo`.
//!
//! Instructions are calls of the [dialect](crate::dialect::hlo), which holds what they mean; they go the way of
//! [StableHLO's](super::stablehlo) operations, whose names of attributes they are given. Computations that are called or
//! fused are written out where they are, and so are the branches of a `conditional` and the counted rounds of a `while`.
//! Metadata and what else says how to compute is passed over; layouts count only where memory becomes another array
//! (`bitcast`). Inputs are called `arg0`, `arg1`, ... by the numbers of the parameters, those of a tuple one after the
//! other, outputs `0`, `1`, ...
//!
//! What is written is plain: no layouts, no fusions, a computation for each way in which something is folded.
//!
//! Not read: what the dialect does not have, tuples within tuples, and constants that were left out of a dump. All
//! instructions of a file that are not here are said at once.

mod attributes;
mod literal;
mod syntax;
#[cfg(test)]
mod tests;
mod write;

pub use write::write;

use crate::error::Error;
use crate::format::program::build;
use crate::graph::Graph;

/// The graph of a module's text.
///
/// ```
/// let text = r#"
/// HloModule example
/// ENTRY main {
///   x = f32[2,3]{1,0} parameter(0)
///   row = f32[3]{0} constant({10, 20, 30})
///   laid = f32[2,3]{1,0} broadcast(row), dimensions={1}
///   ROOT sum = f32[2,3]{1,0} add(x, laid)
/// }"#;
/// let graph = ndcast::format::hlo::read(text)?;
/// let x = ndcast::Tensor::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(graph.run(&[x])?[0].to_vec::<f32>()?, [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
/// # Ok::<(), ndcast::Error>(())
/// ```
///
/// # Errors
/// If the text is no module, with the line and the column; if there are instructions that are not here, with all of them;
/// if an instruction is not as it must be, with its line.
pub fn read(text: &str) -> Result<Graph, Error> {
    build::graph(&syntax::program(text)?)
}
