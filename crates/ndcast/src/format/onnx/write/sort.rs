//! Sorting: TopK, of all elements along the axis or of the first so many.

use ndcast_shape::Extent;

use super::{Value, Writer};
use crate::Direction;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::Argsort;
use crate::graph::{Id, Node};
use crate::layout::as_i64;

impl Writer<'_> {
    /// The places; the elements themselves are the TopK's other output.
    ///
    /// DIFFERENCE: of both zeros and of NaN ONNX leaves the order open, so there is no total one.
    pub(super) fn argsort(
        &mut self,
        sort: &Argsort,
        id: Id,
        node: &Node,
        inputs: &[&str],
    ) -> Result<String, Error> {
        let of = |place: usize| self.graph.at(node.arguments()[place]);
        let (dtype, extent) = (of(0).dtype(), of(0).dims().and_then(|dims| dims.get(sort.axis)?.known()));
        let k = match (inputs, extent) {
            ([_, count], _) if of(1).dtype() == DType::I64 && of(1).shape().extents() == Some(vec![1]) => {
                (*count).to_owned()
            }
            ([_, count], _) => {
                let count = self.cast(count, DType::I64)?;
                let one = self.integers(&[1])?;
                self.node("Reshape", &[&count, &one], &[])
            }
            (_, Some(extent)) => self.integers(&[as_i64(extent)])?,
            _ => {
                let axis = as_i64(sort.axis);
                let part = [("start", Value::Int(axis)), ("end", Value::Int(axis + 1))];
                self.node("Shape", &inputs[..1], &part)
            }
        };
        let (x, wider) = self.taken("TopK", dtype, &inputs[..1])?;
        let largest = i64::from(sort.direction == Direction::Descending);
        let attributes = [("axis", Value::Int(as_i64(sort.axis))), ("largest", Value::Int(largest))];
        let [elements, places] = self.node_of_two("TopK", &[&x[0], &k], &attributes);
        if wider == dtype {
            self.sorted.insert(id.place(), elements);
        }
        if sort.to == DType::I64 { Ok(places) } else { self.cast(&places, sort.to) }
    }

    /// What a TopK gives beside these places, if the elements of a node are that.
    pub(super) fn elements_in_order(&self, node: &Node) -> Option<String> {
        self.graph.sort_of(node).and_then(|id| self.sorted.get(&id.place()).cloned())
    }
}
