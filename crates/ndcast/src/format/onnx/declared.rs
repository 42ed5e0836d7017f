//! What a model declares of its outputs: their names, and types, which must not contradict what its nodes make. Shapes may: whoever
//! wrote the model may have run it with others since, and onnxruntime only warns of them.

use std::collections::{HashMap, HashSet};

use super::proto::ValueInfo;
use crate::dialect::onnx::{code, dtype};
use crate::error::Error;
use crate::graph::Node;

/// The number of no element type.
const UNDEFINED: i64 = 0;

/// The names of outputs. A value may be listed again, and is another output here, whose name has a number.
pub(super) fn names<'m>(outputs: &[ValueInfo<'m>]) -> Vec<String> {
    let listed: HashSet<&str> = outputs.iter().map(|output| output.name).collect();
    let mut again: HashMap<&str, usize> = HashMap::new();
    let name = |output: &ValueInfo<'m>| match again.get_mut(output.name) {
        None => {
            again.insert(output.name, 0);
            output.name.to_owned()
        }
        Some(number) => loop {
            *number += 1;
            let numbered = format!("{}_{number}", output.name);
            if !listed.contains(numbered.as_str()) {
                break numbered;
            }
        },
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
