//! Elementwise layers. What a type of layer is, the records of operations say; the rows here are those few that broadcast
//! in a way of their own, convert, are newer than their operations, or may be none.
//!
//! An operation takes as many inputs as its record has arrays. What a record calls a number is an input here
//! (HardSigmoid), or an attribute of the same name (Elu, Clamp).

use super::broadcast::AutoBroadcast;
use super::{Builder, Call, Layer};
use crate::array::Number;
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::graph::Id;
use crate::graph::kind::Convert;
use crate::op::{Body, Op, condition, entries};

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Convert",
        since: 1,
        build: |builder, call| {
            let Some(to) = call.attributes.dtype("destination_type")? else {
                return Err(Error::value("the attribute destination_type is missing".to_owned()));
            };
            call.takes(1, 1)?;
            Ok(vec![builder.convert(call.input(0)?, to)?])
        },
    },
    Layer {
        name: "ConvertLike",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            let to = builder.dtype(call.input(1)?)?;
            Ok(vec![builder.convert(call.input(0)?, to)?])
        },
    },
    Layer {
        name: "PRelu",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            Ok(vec![builder.prelu(call.input(0)?, call.input(1)?)?])
        },
    },
    Layer {
        name: "IsInf",
        since: 1,
        build: |builder, call| {
            let looked_for = |name| Ok::<bool, Error>(call.attributes.is_set(name)?.unwrap_or(true));
            if looked_for("detect_negative")? || looked_for("detect_positive")? {
                return Ok(vec![build(builder, "IsInf", call)?]);
            }
            // Neither is: a number is not less than itself.
            call.takes(1, 1)?;
            let x = call.input(0)?;
            Ok(vec![builder.graph.apply(Op::Less, &[x, x])?])
        },
    },
    Layer {
        name: "Identity",
        since: 16,
        build: |_, call| {
            call.takes(1, 1)?;
            Ok(vec![call.input(0)?])
        },
    },
    Layer {
        name: "ErfInv",
        since: 17,
        build: |builder, call| {
            call.takes(1, 1)?;
            Ok(vec![builder.op(Op::ErfInv, call.inputs)?])
        },
    },
];

/// The names in a record, without their conditions.
fn names(op: Op) -> impl Iterator<Item = &'static str> {
    entries(op.record().names.openvino).map(|(name, _)| name)
}

/// The name of an elementwise type of layer as the records have it; `None` if it is none.
pub(super) fn name_of(layer_type: &str) -> Option<&'static str> {
    Op::ALL.iter().flat_map(|&op| names(op)).find(|name| *name == layer_type)
}

/// Every type of layer that a [`Builder`] knows, in order of the alphabet.
///
/// ```
/// let types = ndcast::dialect::openvino::layer_types();
/// assert!(["Add", "Broadcast", "ReduceSum", "StridedSlice"].iter().all(|name| types.contains(name)));
/// ```
pub fn layer_types() -> Vec<&'static str> {
    let rows = Layer::ALL.iter().copied().flatten().map(|layer| layer.name);
    let mut types: Vec<&str> =
        rows.chain(Op::ALL.iter().flat_map(|&op| names(op))).chain(super::fold::names()).collect();
    types.sort_unstable();
    types.dedup();
    types
}

/// An elementwise layer of this type.
pub(super) fn build(builder: &mut Builder<'_>, name: &str, call: &Call<'_>) -> Result<Id, Error> {
    let last = call.inputs.last().copied();
    let last = last.ok_or_else(|| Error::value("there is no input".to_owned()))?;
    // Words of attributes are read whatever their case, truth values as numbers too.
    let mut conditions = vec![condition(builder.dtype(last)?).to_owned()];
    for (attribute, value) in call.attributes.iter() {
        let value = match value.trim() {
            "0" => "false".to_owned(),
            "1" => "true".to_owned(),
            value => value.to_ascii_lowercase(),
        };
        conditions.push(format!("{attribute}={value}"));
    }
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    let op = Op::called(|names| names.openvino, name, &conditions).ok_or_else(|| {
        Error::value(format!("there is no such operation with the attributes {}", conditions[1..].join(" ")))
    })?;
    let arguments = op.record().arguments;
    let arrays = arguments.iter().filter(|argument| argument.default.is_none()).count();
    call.takes(arrays, arguments.len())?;
    let auto = if arrays > 1 { AutoBroadcast::of(call.attributes)? } else { AutoBroadcast::Numpy };
    let mut inputs = call.inputs.to_vec();
    let dtype = builder.dtype(call.inputs[0])?;
    for argument in &arguments[inputs.len()..] {
        // An attribute, or what it is if left out.
        let number = call.attributes.number(argument.name)?.or(argument.default);
        let Some(number) = number else { continue };
        inputs.push(builder.graph.number(limit(number, dtype, argument.name), dtype)?);
    }
    builder.operation(op, &inputs, auto)
}

/// A number that limits elements of a type: of integers the least is rounded up, the greatest down, and what lies beyond all of
/// the type is that end.
fn limit(number: f64, dtype: DType, name: &str) -> Number {
    let whole = match (condition(dtype), name) {
        ("int", "min") => number.ceil(),
        ("int", "max") => number.floor(),
        _ => return Number::Float(number),
    };
    match dtype.integers() {
        #[allow(clippy::cast_possible_truncation, reason = "what an i128 does not hold becomes its end")]
        Some(all) if !number.is_nan() => Number::Int((whole as i128).clamp(*all.start(), *all.end())),
        _ => Number::Float(number),
    }
}

impl Builder<'_> {
    /// An elementwise operation, with what the others of its inputs are to the first said by `auto_broadcast`.
    ///
    /// ```
    /// use ndcast::dialect::openvino::{AutoBroadcast, Builder};
    /// use ndcast::{DType, Op, graph::Graph};
    /// let mut graph = Graph::new();
    /// let a = graph.input("a", DType::F32, "2x3x4x5".parse()?)?;
    /// let b = graph.input("b", DType::F32, "3x4".parse()?)?;
    /// let sum = Builder::new(&mut graph).elementwise(Op::Add, &[a, b], AutoBroadcast::Pdpd(1))?;
    /// assert_eq!(graph.node(sum)?.shape().to_string(), "2x3x4x5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If OpenVINO has no such operation; if the inputs have not one element type; if their shapes do not go together;
    /// if the operation does not take the type: in this order.
    pub fn elementwise(&mut self, op: Op, inputs: &[Id], auto_broadcast: AutoBroadcast) -> Result<Id, Error> {
        let Some(name) = names(op).next() else {
            return Err(Error::value(format!("OpenVINO has no operation {op}")));
        };
        self.operation(op, inputs, auto_broadcast).map_err(|error| error.called(name))
    }

    fn operation(&mut self, op: Op, inputs: &[Id], auto: AutoBroadcast) -> Result<Id, Error> {
        if inputs.len() != op.arity() {
            let count = op.arity();
            return Err(Error::new(ErrorKind::ArgumentCount {
                least: count,
                most: Some(count),
                found: inputs.len(),
            }));
        }
        let selects = matches!(op.record().body, Body::Select);
        let dtypes = inputs.iter().map(|&id| self.dtype(id)).collect::<Result<Vec<_>, _>>()?;
        if selects && dtypes[0] != DType::Bool {
            return Err(Error::other_type(dtypes[0], DType::Bool));
        }
        // "Arguments do not have the same element type", before anything is said of shapes.
        crate::promote::same(&dtypes[usize::from(selects)..])?;
        // "Operands for logical operators must have boolean element type".
        let logical = matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor | Op::LogicalNot);
        if let Some(&other) = dtypes.iter().find(|&&dtype| logical && dtype != DType::Bool) {
            return Err(Error::other_type(other, DType::Bool));
        }
        let laid = if selects && matches!(auto, AutoBroadcast::Pdpd(_)) {
            // What is chosen first has the result's shape; the condition is laid on it.
            let laid = self.laid(&[inputs[1], inputs[0], inputs[2]], auto)?;
            vec![laid[1], laid[0], laid[2]]
        } else {
            self.laid(inputs, auto)?
        };
        self.graph.apply(op, &laid)
    }

    pub(super) fn convert(&mut self, x: Id, to: DType) -> Result<Id, Error> {
        if self.dtype(x)? == to {
            return Ok(x);
        }
        self.graph.add(Convert { to, overflow: Overflow::OpenVino }, &[x])
    }

    /// A slope of one axis as long as the data's channels lies on these; any other as numpy lays it.
    fn prelu(&mut self, data: Id, slope: Id) -> Result<Id, Error> {
        use ndcast_shape::Extent;
        let mut slope = slope;
        let channel = |dims: &[ndcast_shape::Dim]| usize::from(dims.len() > 1);
        let along = match (self.graph.node(data)?.dims(), self.graph.node(slope)?.dims()) {
            (Some(dims), Some([extent])) if !dims.is_empty() => {
                let axis = channel(dims);
                dims[axis].meet(extent).map(|_| (axis, dims.len()))
            }
            _ => None,
        };
        if let Some((axis, rank)) = along {
            slope = self.graph.along(slope, axis, rank)?;
        }
        self.operation(Op::Prelu, &[data, slope], AutoBroadcast::Numpy)
    }
}
