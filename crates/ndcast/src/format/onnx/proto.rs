//! The messages of ONNX, as much of them as is looked at. They borrow the file's bytes.

use super::wire::{Fields, Value};
use crate::error::Error;

/// `ModelProto`.
#[derive(Debug, Default)]
pub(super) struct Model<'b> {
    pub(super) opsets: Vec<Opset<'b>>,
    pub(super) graph: Option<Graph<'b>>,
    pub(super) functions: Vec<Function<'b>>,
}

/// `OperatorSetIdProto`.
#[derive(Debug, Default)]
pub(super) struct Opset<'b> {
    pub(super) domain: &'b str,
    pub(super) version: i64,
}

/// `GraphProto`.
#[derive(Debug, Default)]
pub(super) struct Graph<'b> {
    pub(super) nodes: Vec<Node<'b>>,
    pub(super) initializers: Vec<Tensor<'b>>,
    pub(super) sparse: usize,
    pub(super) inputs: Vec<ValueInfo<'b>>,
    pub(super) outputs: Vec<ValueInfo<'b>>,
}

/// `NodeProto`.
#[derive(Debug, Default)]
pub(super) struct Node<'b> {
    pub(super) inputs: Vec<&'b str>,
    pub(super) outputs: Vec<&'b str>,
    pub(super) name: &'b str,
    pub(super) op_type: &'b str,
    pub(super) domain: &'b str,
    pub(super) overload: &'b str,
    pub(super) attributes: Vec<Attribute<'b>>,
}

/// `AttributeProto`.
#[derive(Debug, Default)]
pub(super) struct Attribute<'b> {
    pub(super) name: &'b str,
    /// `ref_attr_name`: the enclosing function's attribute that this one stands for.
    pub(super) refers_to: &'b str,
    pub(super) kind: i64,
    pub(super) float: f32,
    pub(super) int: i64,
    pub(super) text: &'b [u8],
    pub(super) tensor: Option<Tensor<'b>>,
    pub(super) graph: Option<Graph<'b>>,
    pub(super) floats: Vec<f32>,
    pub(super) ints: Vec<u64>,
    pub(super) texts: Vec<&'b [u8]>,
}

/// `TensorProto`.
#[derive(Debug, Default)]
pub(super) struct Tensor<'b> {
    pub(super) dims: Vec<u64>,
    pub(super) dtype: i64,
    pub(super) name: &'b str,
    pub(super) raw: Option<&'b [u8]>,
    pub(super) floats: Vec<f32>,
    pub(super) int32s: Vec<u64>,
    pub(super) int64s: Vec<u64>,
    pub(super) doubles: Vec<f64>,
    pub(super) uint64s: Vec<u64>,
    pub(super) texts: usize,
    pub(super) external: Vec<(&'b str, &'b str)>,
    pub(super) is_external: bool,
}

/// `ValueInfoProto`.
#[derive(Debug, Default)]
pub(super) struct ValueInfo<'b> {
    pub(super) name: &'b str,
    /// The element type and the shape, if it is a tensor.
    pub(super) tensor: Option<TensorType<'b>>,
}

/// `TypeProto.Tensor`.
#[derive(Debug, Default)]
pub(super) struct TensorType<'b> {
    pub(super) dtype: i64,
    pub(super) shape: Option<Vec<Dimension<'b>>>,
}

/// `TensorShapeProto.Dimension`.
#[derive(Debug)]
pub(super) enum Dimension<'b> {
    Value(i64),
    Param(&'b str),
    Unknown,
}

/// `FunctionProto`.
#[derive(Debug, Default)]
pub(super) struct Function<'b> {
    pub(super) name: &'b str,
    pub(super) domain: &'b str,
    pub(super) overload: &'b str,
    pub(super) inputs: Vec<&'b str>,
    pub(super) outputs: Vec<&'b str>,
    /// Attributes that a call gives.
    pub(super) attributes: Vec<&'b str>,
    /// Attributes with what they are if a call does not give them.
    pub(super) defaults: Vec<Attribute<'b>>,
    pub(super) nodes: Vec<Node<'b>>,
    pub(super) opsets: Vec<Opset<'b>>,
}

/// Reads a message: each field by its number.
fn each<'b>(bytes: &'b [u8], mut take: impl FnMut(u64, Value<'b>) -> Result<(), Error>) -> Result<(), Error> {
    let mut fields = Fields(bytes);
    while let Some((number, value)) = fields.next()? {
        take(number, value)?;
    }
    Ok(())
}

impl<'b> Model<'b> {
    pub(super) fn decode(bytes: &'b [u8]) -> Result<Model<'b>, Error> {
        let mut model = Model::default();
        each(bytes, |number, value| {
            match number {
                7 => model.graph = Some(Graph::decode(value.bytes()?, DEEPEST)?),
                8 => model.opsets.push(Opset::decode(value.bytes()?)?),
                25 => model.functions.push(Function::decode(value.bytes()?)?),
                _ => {}
            }
            Ok(())
        })?;
        Ok(model)
    }
}

impl<'b> Opset<'b> {
    fn decode(bytes: &'b [u8]) -> Result<Opset<'b>, Error> {
        let mut opset = Opset::default();
        each(bytes, |number, value| {
            match number {
                1 => opset.domain = value.text()?,
                2 => opset.version = value.int()?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(opset)
    }
}

/// Graphs lie within nodes of graphs no deeper than this.
const DEEPEST: usize = 32;

impl<'b> Graph<'b> {
    /// With graphs in it as deep as this.
    fn decode(bytes: &'b [u8], deep: usize) -> Result<Graph<'b>, Error> {
        let mut graph = Graph::default();
        each(bytes, |number, value| {
            match number {
                1 => graph.nodes.push(Node::decode(value.bytes()?, deep)?),
                5 => graph.initializers.push(Tensor::decode(value.bytes()?)?),
                11 => graph.inputs.push(ValueInfo::decode(value.bytes()?)?),
                12 => graph.outputs.push(ValueInfo::decode(value.bytes()?)?),
                15 => graph.sparse += 1,
                _ => {}
            }
            Ok(())
        })?;
        Ok(graph)
    }
}

impl<'b> Node<'b> {
    fn decode(bytes: &'b [u8], deep: usize) -> Result<Node<'b>, Error> {
        let mut node = Node::default();
        each(bytes, |number, value| {
            match number {
                1 => node.inputs.push(value.text()?),
                2 => node.outputs.push(value.text()?),
                3 => node.name = value.text()?,
                4 => node.op_type = value.text()?,
                5 => node.attributes.push(Attribute::decode(value.bytes()?, deep)?),
                7 => node.domain = value.text()?,
                8 => node.overload = value.text()?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(node)
    }
}

/// `AttributeProto.AttributeType.UNDEFINED`.
pub(super) const UNDEFINED: i64 = 0;

impl<'b> Attribute<'b> {
    fn decode(bytes: &'b [u8], deep: usize) -> Result<Attribute<'b>, Error> {
        let mut attribute = Attribute::default();
        // Old files have no `type` field; the kind follows from the field that is set.
        let mut seen = UNDEFINED;
        each(bytes, |number, value| {
            seen = match number {
                2 => 1,
                3 => 2,
                4 => 3,
                5 => 4,
                6 => 5,
                7 => 6,
                8 => 7,
                9 => 8,
                _ => seen,
            };
            match number {
                1 => attribute.name = value.text()?,
                2 => attribute.float = value.float()?,
                3 => attribute.int = value.int()?,
                4 => attribute.text = value.bytes()?,
                5 => attribute.tensor = Some(Tensor::decode(value.bytes()?)?),
                6 => {
                    let within = deep.checked_sub(1).ok_or_else(|| {
                        Error::value(format!("more than {DEEPEST} graphs lie within each other"))
                    })?;
                    attribute.graph = Some(Graph::decode(value.bytes()?, within)?);
                }
                7 => value.floats(&mut attribute.floats)?,
                8 => value.ints(&mut attribute.ints)?,
                9 => attribute.texts.push(value.bytes()?),
                20 => attribute.kind = value.int()?,
                21 => attribute.refers_to = value.text()?,
                _ => {}
            }
            Ok(())
        })?;
        if attribute.kind == UNDEFINED {
            attribute.kind = seen;
        }
        Ok(attribute)
    }
}

impl<'b> Tensor<'b> {
    pub(super) fn decode(bytes: &'b [u8]) -> Result<Tensor<'b>, Error> {
        let mut tensor = Tensor::default();
        each(bytes, |number, value| {
            match number {
                1 => value.ints(&mut tensor.dims)?,
                2 => tensor.dtype = value.int()?,
                3 => return Err(Error::value("a tensor is in segments, which is not read".to_owned())),
                4 => value.floats(&mut tensor.floats)?,
                5 => value.ints(&mut tensor.int32s)?,
                6 => tensor.texts += 1,
                7 => value.ints(&mut tensor.int64s)?,
                8 => tensor.name = value.text()?,
                9 => tensor.raw = Some(value.bytes()?),
                10 => value.doubles(&mut tensor.doubles)?,
                11 => value.ints(&mut tensor.uint64s)?,
                13 => tensor.external.push(pair(value.bytes()?)?),
                14 => tensor.is_external = value.int()? == 1,
                _ => {}
            }
            Ok(())
        })?;
        Ok(tensor)
    }
}

/// `StringStringEntryProto`.
fn pair(bytes: &[u8]) -> Result<(&str, &str), Error> {
    let mut found = ("", "");
    each(bytes, |number, value| {
        match number {
            1 => found.0 = value.text()?,
            2 => found.1 = value.text()?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

impl<'b> ValueInfo<'b> {
    fn decode(bytes: &'b [u8]) -> Result<ValueInfo<'b>, Error> {
        let mut info = ValueInfo::default();
        each(bytes, |number, value| {
            match number {
                1 => info.name = value.text()?,
                // TypeProto, of which only a tensor is looked at.
                2 => each(value.bytes()?, |number, value| {
                    if number == 1 {
                        info.tensor = Some(TensorType::decode(value.bytes()?)?);
                    }
                    Ok(())
                })?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(info)
    }
}

impl<'b> TensorType<'b> {
    fn decode(bytes: &'b [u8]) -> Result<TensorType<'b>, Error> {
        let mut found = TensorType::default();
        each(bytes, |number, value| {
            match number {
                1 => found.dtype = value.int()?,
                2 => {
                    let dims = found.shape.get_or_insert_default();
                    each(value.bytes()?, |number, value| {
                        if number == 1 {
                            dims.push(dimension(value.bytes()?)?);
                        }
                        Ok(())
                    })?;
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(found)
    }
}

fn dimension(bytes: &[u8]) -> Result<Dimension<'_>, Error> {
    let mut found = Dimension::Unknown;
    each(bytes, |number, value| {
        match number {
            1 => found = Dimension::Value(value.int()?),
            2 => found = Dimension::Param(value.text()?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

impl<'b> Function<'b> {
    fn decode(bytes: &'b [u8]) -> Result<Function<'b>, Error> {
        let mut function = Function::default();
        each(bytes, |number, value| {
            match number {
                1 => function.name = value.text()?,
                4 => function.inputs.push(value.text()?),
                5 => function.outputs.push(value.text()?),
                6 => function.attributes.push(value.text()?),
                7 => function.nodes.push(Node::decode(value.bytes()?, DEEPEST)?),
                9 => function.opsets.push(Opset::decode(value.bytes()?)?),
                10 => function.domain = value.text()?,
                11 => function.defaults.push(Attribute::decode(value.bytes()?, DEEPEST)?),
                13 => function.overload = value.text()?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(function)
    }
}
