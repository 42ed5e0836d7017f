//! OpenVINO's operation sets: layers by their type and opset, and Broadcast and the elementwise operations as methods.
//!
//! What an elementwise layer or a fold is, is read from the records of [`Op`](crate::Op) and
//! [`Reduction`](crate::reduction::Reduction); everything else is a row of a [`Layer`] table, from which lists and dispatch
//! derive. Broadcasting is decided by the rules of [`crate::shape::rule::openvino`]. Checks happen in the order of
//! `validate_and_infer_types`.
//!
//! DIFFERENCE: where OpenVINO accepts what it then computes wrongly (negative extents of a target, an axis named twice, a
//! target that comes when the model runs and does not fit) there is an error here.

mod attention;
mod attributes;
mod broadcast;
mod einsum;
mod element_type;
mod elementwise;
mod fold;
mod gather;
mod normalize;
mod order;
mod pad;
mod quantize;
mod scatter;
mod search;
mod shape;
mod slice;
mod sort;
mod steps;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

pub use attributes::Attributes;
pub use broadcast::{AutoBroadcast, Broadcast, Mode, Version};
pub use element_type::{element_type, element_type_name, precision_name};
pub use elementwise::layer_types;

use crate::error::Error;
use crate::graph::{Graph, Id};

/// The operation sets there are: `opset1` to `opset17`.
pub const OPSETS: RangeInclusive<u32> = 1..=17;

/// Adds layers to a graph.
///
/// ```
/// use ndcast::dialect::openvino::{Attributes, Builder, Mode};
/// use ndcast::{DType, Tensor, graph::Graph};
/// let mut graph = Graph::new();
/// let data = graph.input("data", DType::F32, "16".parse()?)?;
/// let (target, axes) = (graph.integers(&[1, 16, 50, 50])?, graph.integers(&[1])?);
/// let mut builder = Builder::new(&mut graph);
/// let laid = builder.broadcast_1(data, target, Some(axes), Mode::Explicit)?;
/// let mean = builder.layer(
///     "Softmax",
///     8,
///     &[laid],
///     &Attributes::from([("axis", "-1")]),
/// )?[0];
/// graph.output("y", mean)?;
/// assert_eq!(graph.node(mean)?.shape().to_string(), "1x16x50x50");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder<'g> {
    graph: &'g mut Graph,
}

/// A type of layer that is neither elementwise nor a fold.
#[derive(Debug)]
pub struct Layer {
    /// The type, as model files write it.
    pub name: &'static str,
    /// The first opset with this definition.
    pub since: u32,
    build: Build,
}

type Build = fn(&mut Builder<'_>, &Call<'_>) -> Result<Vec<Id>, Error>;

/// What a layer is built of.
struct Call<'a> {
    inputs: &'a [Id],
    attributes: &'a Attributes,
}

impl Call<'_> {
    /// An input that must be there.
    fn input(&self, place: usize) -> Result<Id, Error> {
        self.optional(place)
            .ok_or_else(|| Error::value(format!("input {place} is missing: {} are given", self.inputs.len())))
    }

    /// An input that may be left out.
    fn optional(&self, place: usize) -> Option<Id> {
        self.inputs.get(place).copied()
    }

    /// Checks how many inputs there are.
    fn takes(&self, least: usize, most: usize) -> Result<(), Error> {
        let found = self.inputs.len();
        if (least..=most).contains(&found) {
            return Ok(());
        }
        let most = (most != usize::MAX).then_some(most);
        Err(Error::new(crate::error::ErrorKind::ArgumentCount { least, most, found }))
    }
}

impl Layer {
    /// Every row, those of one type by their opsets.
    pub const ALL: &'static [&'static [Layer]] = &[
        broadcast::LAYERS,
        elementwise::LAYERS,
        fold::LAYERS,
        shape::LAYERS,
        slice::LAYERS,
        sort::LAYERS,
        gather::LAYERS,
        scatter::LAYERS,
        search::LAYERS,
        order::LAYERS,
        pad::LAYERS,
        normalize::LAYERS,
        quantize::LAYERS,
        einsum::LAYERS,
        attention::LAYERS,
    ];

    /// What a type is in an opset.
    fn find(name: &str, opset: u32) -> Option<&'static Layer> {
        let rows = Layer::ALL.iter().copied().flatten();
        rows.filter(|layer| layer.name == name && layer.since <= opset).max_by_key(|layer| layer.since)
    }
}

/// Types that model files write otherwise than the operation sets do.
const IN_FILES: [(&str, &str); 3] = [("SoftMax", "Softmax"), ("PReLU", "PRelu"), ("Relu", "ReLU")];

/// A type of layer as the operation sets call it.
fn own_name(layer_type: &str) -> &str {
    IN_FILES.iter().find(|(file, _)| *file == layer_type).map_or(layer_type, |(_, own)| own)
}

/// Whether there is such a layer: a row of the table, an elementwise operation or a fold.
///
/// ```
/// use ndcast::dialect::openvino;
/// assert!(openvino::knows("Add", 1) && openvino::knows("ReduceSum", 1));
/// // Softmax has been there always, LogSoftmax since opset5.
/// assert!(openvino::knows("Softmax", 1) && !openvino::knows("LogSoftmax", 4));
/// ```
pub fn knows(layer_type: &str, opset: u32) -> bool {
    let layer_type = own_name(layer_type);
    OPSETS.contains(&opset)
        && (Layer::find(layer_type, opset).is_some()
            || elementwise::name_of(layer_type).is_some()
            || fold::named(layer_type).is_some())
}

impl<'g> Builder<'g> {
    /// For this graph.
    pub fn new(graph: &'g mut Graph) -> Builder<'g> {
        Builder { graph }
    }

    /// The graph.
    pub fn graph(&mut self) -> &mut Graph {
        self.graph
    }

    /// A layer by its type, as a model file has it: attributes as text, of which those that the layer does not have are
    /// ignored; its outputs.
    ///
    /// An operation of an opset is the newest one at or before it. What readers of files let pass is let pass:
    /// Broadcast-1 in mode numpy with axes_mapping, or in mode explicit without.
    ///
    /// # Errors
    /// If there is no such layer, or its inputs or attributes are not as they must be.
    pub fn layer(
        &mut self,
        layer_type: &str,
        opset: u32,
        inputs: &[Id],
        attributes: &Attributes,
    ) -> Result<Vec<Id>, Error> {
        if !OPSETS.contains(&opset) {
            return Err(Error::value(format!("there is no opset{opset}")));
        }
        let (layer_type, call) = (own_name(layer_type), Call { inputs, attributes });
        if let Some(layer) = Layer::find(layer_type, opset) {
            return (layer.build)(self, &call).map_err(|error| error.called(layer.name));
        }
        if let Some(name) = elementwise::name_of(layer_type) {
            let made = elementwise::build(self, name, &call);
            return made.map(|id| vec![id]).map_err(|error| error.called(name));
        }
        if let Some((name, reduction)) = fold::named(layer_type) {
            let made = fold::build(self, reduction, &call);
            return made.map(|id| vec![id]).map_err(|error| error.called(name));
        }
        Err(Error::value(format!("there is no layer {layer_type} in opset{opset}")))
    }
}
