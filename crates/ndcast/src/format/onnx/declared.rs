//! What a model declares of its outputs: their names, and types, which must not contradict what its nodes make. Shapes may: whoever
//! wrote the model may have run it with others since, and onnxruntime only warns of them.

use std::collections::HashSet;

use super::proto::ValueInfo;
use crate::dialect::onnx::{code, dtype};
use crate::error::Error;
use crate::format::names::Names;
use crate::graph::Node;

/// The number of no element type.
const UNDEFINED: i64 = 0;

/// The names of outputs. A value may be listed again, and is another output here, whose name has a number.
pub(super) fn names<'m>(outputs: &[ValueInfo<'m>]) -> Vec<String> {
    let mut taken: Names = outputs.iter().map(|output| output.name).collect();
    let mut seen = HashSet::new();
    let name = |output: &ValueInfo<'m>| match seen.insert(output.name) {
        true => output.name.to_owned(),
        false => taken.free(output.name),
    };
    outputs.iter().map(name).collect()
}

/// Checks a node against what is declared of the output that it makes.
pub(super) fn check(output: &ValueInfo<'_>, node: &Node) -> Result<(), Error> {
    let Some(tensor) = &output.tensor else { return Ok(()) };
    if tensor.dtype != UNDEFINED && code(node.dtype()) != Some(tensor.dtype) {
        let (declared, made) = (dtype(tensor.dtype)?, node.dtype());
        return Err(Error::value(format!(
            "the output is declared to be {declared}, and its node makes {made}"
        )));
    }
    Ok(())
}
