//! What an operation of a text says, as the doors want to be called: its operands, its attributes, and its result's type.

use ndcast_shape::Extent;

use super::build::Values;
use super::{Attribute, Operation, Program, Region, TensorType, Type};
use crate::array::Array;
use crate::dialect::hlo::{Comparison, Direction};
use crate::dialect::{hlo, stablehlo};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::{Graph, Id, Kind};

/// An operation that is to be built.
pub(super) struct Call<'c> {
    pub(super) graph: &'c mut Graph,
    pub(super) program: &'c Program,
    pub(super) operation: &'c Operation,
    pub(super) operands: Vec<Id>,
    /// The values that its regions see, by their names.
    pub(super) values: &'c Values<'c>,
}

impl<'c> Call<'c> {
    pub(super) fn hlo(&mut self) -> hlo::Builder<'_> {
        hlo::Builder::new(self.graph)
    }

    pub(super) fn stablehlo(&mut self) -> stablehlo::Builder<'_> {
        stablehlo::Builder::new(self.graph)
    }

    /// So many operands.
    pub(super) fn exactly<const N: usize>(&self) -> Result<[Id; N], Error> {
        <[Id; N]>::try_from(&self.operands[..]).map_err(|_| {
            Error::value(format!("it takes {N} operands, and there are {}", self.operands.len()))
        })
    }

    /// The first operand and the others.
    pub(super) fn first(&self) -> Result<(Id, Vec<Id>), Error> {
        let parts = self.operands.split_first();
        let (first, rest) = parts.ok_or_else(|| Error::value("there is no operand".to_owned()))?;
        Ok((*first, rest.to_vec()))
    }

    /// An f32 value in the narrower type that the region rounds it to, if any; a conversion from that type is undone.
    pub(super) fn rounded(&mut self, id: Id, to: Option<DType>) -> Result<Id, Error> {
        let Some(to) = to else { return Ok(id) };
        let node = self.graph.node(id)?;
        if ![DType::F32, to].contains(&node.dtype()) {
            return Err(Error::other_type(node.dtype(), DType::F32));
        }
        if let (Kind::Convert(_), &[from]) = (node.kind(), node.arguments())
            && self.graph.node(from)?.dtype() == to
        {
            return Ok(from);
        }
        // From which number a fold begins must be seen.
        if let Some(tensor) = node.constant().filter(|tensor| tensor.elements() == 1) {
            let rounded = Array::from(tensor.clone()).convert(to).eval()?;
            return self.graph.constant(rounded);
        }
        self.converted(id, to)
    }

    /// A value in the type of another one.
    pub(super) fn in_type_of(&mut self, id: Id, other: Id) -> Result<Id, Error> {
        let to = self.graph.node(other)?.dtype();
        self.converted(id, to)
    }

    /// A value converted to a type; itself if it has that type.
    pub(super) fn converted(&mut self, id: Id, to: DType) -> Result<Id, Error> {
        if self.graph.node(id)?.dtype() == to { Ok(id) } else { self.hlo().convert(id, to) }
    }

    /// What the text says of the result.
    pub(super) fn result(&self) -> Result<&'c TensorType, Error> {
        match self.operation.result_types.first() {
            Some(Type::Tensor(tensor)) => Ok(tensor),
            Some(Type::Other(text)) => Err(Error::value(format!("there are no values of {text} here"))),
            _ => Err(Error::value("the type of its result is not said".to_owned())),
        }
    }

    pub(super) fn result_dtype(&self) -> Result<DType, Error> {
        self.result().map(|result| result.dtype)
    }

    pub(super) fn result_sizes(&self) -> Result<Vec<i64>, Error> {
        let shape = &self.result()?.shape;
        let sizes = shape.dims().and_then(|dims| {
            dims.iter().map(|dim| i64::try_from(dim.known()?).ok()).collect::<Option<Vec<_>>>()
        });
        sizes.ok_or_else(|| {
            Error::value(format!("the extents of its result {} must be numbers", shape.brief()))
        })
    }

    /// The bits of an array's elements, one behind the other, as elements of another type in this shape.
    pub(super) fn reinterpreted(&mut self, x: Id, to: DType, sizes: &[i64]) -> Result<Id, Error> {
        let from = self.graph.node(x)?.dtype();
        let mut hlo = self.hlo();
        if from == to {
            return hlo.reshape(x, sizes);
        }
        // Several elements may become one, or one several: along an axis of their own.
        let parts = to.size().unwrap_or(1) / from.size().unwrap_or(1).max(1);
        let x = match i64::try_from(parts) {
            Ok(parts @ 2..) => hlo.reshape(x, &[sizes, &[parts]].concat())?,
            _ => x,
        };
        let x = hlo.bitcast_convert(x, to)?;
        hlo.reshape(x, sizes)
    }

    pub(super) fn missing(name: &str) -> Error {
        Error::value(format!("the attribute {name} is missing"))
    }

    pub(super) fn integers(&self, name: &str) -> Result<Vec<i64>, Error> {
        let attribute = self.operation.attribute(name).ok_or_else(|| Call::missing(name))?;
        attribute.integers().ok_or_else(|| Error::value(format!("{name} is no list of integers")))
    }

    pub(super) fn integers_or(
        &self,
        name: &str,
        default: impl FnOnce() -> Vec<i64>,
    ) -> Result<Vec<i64>, Error> {
        match self.operation.attribute(name) {
            None => Ok(default()),
            Some(_) => self.integers(name),
        }
    }

    pub(super) fn integer(&self, name: &str) -> Result<i64, Error> {
        let attribute = self.operation.attribute(name).ok_or_else(|| Call::missing(name))?;
        attribute.integer().ok_or_else(|| Error::value(format!("{name} is no integer")))
    }

    pub(super) fn broadcast_dimensions(&self) -> Result<Option<Vec<i64>>, Error> {
        match self.operation.attribute("broadcast_dimensions") {
            None => Ok(None),
            Some(_) => self.integers("broadcast_dimensions").map(Some),
        }
    }

    pub(super) fn comparison(&self) -> Result<(Direction, Option<Comparison>), Error> {
        let word = |name: &str| self.operation.attribute(name).and_then(Attribute::text);
        let direction = word("comparison_direction").ok_or_else(|| Call::missing("comparison_direction"))?;
        let comparison = word("compare_type").filter(|word| *word != "NOTYPE").map(str::parse).transpose()?;
        Ok((direction.parse()?, comparison))
    }

    /// `format = e5m10`, or two attributes.
    pub(super) fn precision(&self) -> Result<[i64; 2], Error> {
        if let Some(Attribute::Word(format)) = self.operation.attribute("format") {
            let parts = format.strip_prefix('e').and_then(|format| format.split_once('m'));
            let parts = parts.and_then(|(e, m)| Some([e.parse().ok()?, m.parse().ok()?]));
            return parts.ok_or_else(|| Error::value(format!("there is no format {format}")));
        }
        Ok([self.integer("exponent_bits")?, self.integer("mantissa_bits")?])
    }

    /// The number that a value of this name is, if it is a constant without axes.
    pub(super) fn constant(&self, name: &str) -> Option<f64> {
        let [id] = self.values.get(name)?[..] else { return None };
        self.graph.node(id).ok().filter(|node| node.shape().rank() == Some(0))?.number()
    }

    /// The region of a fold: its own, or the function that it names.
    pub(super) fn region(&self) -> Option<&'c Region> {
        self.program.region_of(self.operation)
    }
}
