//! Broadcast-1 and Broadcast-3, and how elementwise layers broadcast: `auto_broadcast`.

use ndcast_shape::rule::{Rule, openvino};
use ndcast_shape::{Extent, Shape};

use super::{Attributes, Builder, Call, Layer};
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::graph::kind::{Fit, Lay, Operation};
use crate::graph::{Graph, Id, Kind, Node};

/// The attribute `auto_broadcast` of elementwise layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutoBroadcast {
    /// `none`, or `explicit`: the shapes are equal.
    None,
    /// `numpy`: last axis on last axis, extents of 1 stretch.
    #[default]
    Numpy,
    /// `pdpd`: the others are laid on the first from this axis on; -1 is last axis on last axis.
    Pdpd(i64),
}

impl AutoBroadcast {
    /// The rule.
    pub fn rule(self) -> &'static Rule {
        match self {
            AutoBroadcast::None => &openvino::ELTWISE_NONE,
            AutoBroadcast::Numpy => &openvino::ELTWISE_NUMPY,
            AutoBroadcast::Pdpd(_) => &openvino::ELTWISE_PDPD,
        }
    }

    /// As the attributes say. An axis that they leave out is 0, as in every reader.
    pub(super) fn of(attributes: &Attributes) -> Result<AutoBroadcast, Error> {
        let axis = attributes.integer("auto_broadcast.auto_broadcast_axis")?.unwrap_or(0);
        let words = [
            ("numpy", AutoBroadcast::Numpy),
            ("none", AutoBroadcast::None),
            ("explicit", AutoBroadcast::None),
            ("pdpd", AutoBroadcast::Pdpd(axis)),
        ];
        Ok(attributes.word("auto_broadcast", &words)?.unwrap_or_default())
    }

    /// How one of some operands is laid.
    pub(super) fn fit(self, operands: usize, operand: usize) -> Fit {
        let axis = if let AutoBroadcast::Pdpd(axis) = self { Some(axis) } else { None };
        Fit { axis, ..Fit::new(self.rule(), operands, operand) }
    }
}

/// The attribute `mode` of Broadcast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// `explicit`, which Broadcast-1 calls `none` too: each axis of the data goes where axes_mapping says.
    Explicit,
    /// `numpy`: last axis on last axis, one way.
    #[default]
    Numpy,
    /// `pdpd`: the data from this axis of the target to its end; -1 is last axis on last axis.
    Pdpd(i64),
    /// `bidirectional`, of Broadcast-3 alone: data and target stretched to each other.
    Bidirectional,
}

/// Which Broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Broadcast-1: of opset1 and opset2.
    One,
    /// Broadcast-3: since opset3.
    Three,
}

/// Broadcast-1 or Broadcast-3: data, a target shape and perhaps axes_mapping.
///
/// ```
/// use ndcast::dialect::openvino::{Broadcast, Mode, Version};
/// use ndcast::{DType, graph::Graph};
/// let mut graph = Graph::new();
/// let data = graph.input("data", DType::F32, "16x1x1".parse()?)?;
/// let target = graph.integers(&[1, 16, 50, 50])?;
/// let broadcast = Broadcast { version: Version::One, mode: Mode::Numpy };
/// let (dtype, shape) = broadcast.validate_and_infer_types(&graph, &[data, target])?;
/// assert_eq!((dtype, shape.to_string()), (DType::F32, "1x16x50x50".to_owned()));
/// assert_eq!(broadcast.broadcast_axes(&graph, &[data, target])?, Some(vec![0, 2, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// Which it is.
    pub version: Version,
    /// How axes are mapped.
    pub mode: Mode,
}

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Broadcast",
        since: 1,
        build: |builder, call| {
            let mode = Broadcast::mode_of(Version::One, call)?;
            // What a file gives as a third input to another mode, OpenVINO writes itself and does not look at.
            let mode = if mode == Mode::Explicit && call.inputs.len() < 3 { Mode::Numpy } else { mode };
            let count = if mode == Mode::Explicit { 3 } else { 2 };
            let inputs = &call.inputs[..count.min(call.inputs.len())];
            Ok(vec![Broadcast { version: Version::One, mode }.add(builder.graph, inputs)?])
        },
    },
    Layer {
        name: "Broadcast",
        since: 3,
        build: |builder, call| {
            let mode = Broadcast::mode_of(Version::Three, call)?;
            Ok(vec![Broadcast { version: Version::Three, mode }.add(builder.graph, call.inputs)?])
        },
    },
];

impl Broadcast {
    fn mode_of(version: Version, call: &Call<'_>) -> Result<Mode, Error> {
        let axis = match version {
            Version::One => "mode.auto_broadcast_axis",
            Version::Three => "mode.mode.axis",
        };
        let axis = call.attributes.integer(axis)?.unwrap_or(0);
        let words = [
            ("explicit", Mode::Explicit),
            ("none", Mode::Explicit),
            ("numpy", Mode::Numpy),
            ("pdpd", Mode::Pdpd(axis)),
            ("bidirectional", Mode::Bidirectional),
        ];
        let words = if version == Version::One { &words[..4] } else { &words };
        Ok(call.attributes.word("mode", words)?.unwrap_or_default())
    }

    fn fit(self) -> Fit {
        let (rule, axis) = match self.mode {
            Mode::Explicit => (&openvino::BROADCAST_EXPLICIT, None),
            Mode::Numpy => (&openvino::BROADCAST_NUMPY, None),
            Mode::Pdpd(axis) => (&openvino::BROADCAST_PDPD, Some(axis)),
            Mode::Bidirectional => (&openvino::BROADCAST_BIDIRECTIONAL, None),
        };
        Fit { axis, ..Fit::new(rule, 1, 0) }
    }

    /// What is checked before the mode's own rule.
    fn nodes<'g>(self, graph: &'g Graph, inputs: &[Id]) -> Result<Vec<&'g Node>, Error> {
        if self.version == Version::One && self.mode == Mode::Bidirectional {
            return Err(Error::value("Broadcast-1 has no mode bidirectional".to_owned()));
        }
        let nodes = inputs.iter().map(|&id| graph.node(id)).collect::<Result<Vec<_>, _>>()?;
        let explicit = self.mode == Mode::Explicit;
        let needed = if explicit { 3 } else { 2 };
        match (nodes.len(), explicit) {
            (2, true) => {
                let text = "axes_mapping is given in mode explicit, and there is none";
                return Err(Error::value(text.to_owned()));
            }
            (3, false) => {
                let text = "axes_mapping is given in mode explicit alone, and the mode is another";
                return Err(Error::value(text.to_owned()));
            }
            (found, _) if found != needed => {
                let (least, most) = (needed, Some(needed));
                return Err(Error::new(ErrorKind::ArgumentCount { least, most, found }));
            }
            _ => {}
        }
        let lists = ["target_shape", "axes_mapping"];
        // "Broadcast shape must be an integral number", then the axes.
        for (node, name) in nodes[1..].iter().zip(lists) {
            check_integers(node, name)?;
        }
        // "Broadcast shape rank must be 1", then that of the axes.
        for (node, name) in nodes[1..].iter().zip(lists) {
            if let Some(rank) = node.shape().rank().filter(|&rank| rank != 1) {
                return Err(Error::value(format!("{name} has one axis, and this has {rank}")));
            }
        }
        Ok(nodes)
    }

    /// The element type and the shape of the result.
    ///
    /// # Errors
    /// If the inputs are not as they must be, in OpenVINO's order: how many, their element types, their ranks, then what
    /// the mode's rule says.
    pub fn validate_and_infer_types(self, graph: &Graph, inputs: &[Id]) -> Result<(DType, Shape), Error> {
        let nodes = self.nodes(graph, inputs)?;
        let inferred = self.fit().infer(&nodes)?;
        Ok((inferred.dtype, inferred.shape))
    }

    /// The axes of the result along which the data is repeated, where they are known: in mode explicit all that
    /// axes_mapping does not name.
    ///
    /// # Errors
    /// Those of [`Broadcast::validate_and_infer_types`].
    pub fn broadcast_axes(self, graph: &Graph, inputs: &[Id]) -> Result<Option<Vec<usize>>, Error> {
        let nodes = self.nodes(graph, inputs)?;
        let fit = self.fit();
        fit.infer(&nodes)?;
        let Some(settled) = fit.settled(&nodes)? else { return Ok(None) };
        // What lies as it is is repeated nowhere.
        let Some(Kind::Broadcast(laid)) = settled.kinds.first() else { return Ok(Some(vec![])) };
        let repeats = |lay: &Lay| match *lay {
            Lay::New(_) => true,
            Lay::Stretched(_, extent) => self.mode != Mode::Explicit && !extent.is_one(),
            Lay::Axis(_) => false,
        };
        Ok(Some((0..laid.axes.len()).filter(|&place| repeats(&laid.axes[place])).collect()))
    }

    fn add(self, graph: &mut Graph, inputs: &[Id]) -> Result<Id, Error> {
        self.nodes(graph, inputs)?;
        graph.add(self.fit(), inputs)
    }
}

/// Checks that a node is of integers that OpenVINO reads as such. It lets those of less than a byte pass, and reads others.
pub(super) fn check_integers(node: &Node, name: &str) -> Result<(), Error> {
    let dtype = node.dtype();
    if dtype.computes() && dtype.is_integer() {
        return Ok(());
    }
    Err(Error::value(format!("{name} is of integers, and this is of {dtype}")))
}

impl Builder<'_> {
    /// Broadcast-1.
    ///
    /// # Errors
    /// Those of [`Broadcast::validate_and_infer_types`]; axes_mapping in another mode than explicit is one, which OpenVINO
    /// ignores, and so is mode explicit without, which OpenVINO takes for numpy.
    pub fn broadcast_1(
        &mut self,
        data: Id,
        target_shape: Id,
        axes_mapping: Option<Id>,
        mode: Mode,
    ) -> Result<Id, Error> {
        self.broadcast(Version::One, [data, target_shape], axes_mapping, mode)
    }

    /// Broadcast-3.
    ///
    /// # Errors
    /// Those of [`Broadcast::validate_and_infer_types`].
    pub fn broadcast_3(
        &mut self,
        data: Id,
        target_shape: Id,
        axes_mapping: Option<Id>,
        mode: Mode,
    ) -> Result<Id, Error> {
        self.broadcast(Version::Three, [data, target_shape], axes_mapping, mode)
    }

    fn broadcast(
        &mut self,
        version: Version,
        inputs: [Id; 2],
        axes_mapping: Option<Id>,
        mode: Mode,
    ) -> Result<Id, Error> {
        let inputs: Vec<Id> = inputs.into_iter().chain(axes_mapping).collect();
        Broadcast { version, mode }.add(self.graph, &inputs).map_err(|error| error.called("Broadcast"))
    }
}
