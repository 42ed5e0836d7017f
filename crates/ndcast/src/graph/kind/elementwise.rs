//! Elementwise operations, conversions and bits read as another type: the operations are those of [`Op`], and their arguments have one shape.

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Extent, Shape};

use super::{Inferred, Kind, Operation};
use crate::array::{Array, Operand, equal_shapes};
use crate::convert::Overflow;
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::Node;
use crate::op::{Body, Op};
use crate::reduction::Reduction;

/// An elementwise operation on arguments of one shape and one type, but for the truth values of a selection.
#[derive(Clone, Debug)]
pub struct Apply(pub Op);

impl Apply {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Apply, Error> {
        let name: String = attributes.get("op")?;
        Op::named(&name).map(Apply).ok_or_else(|| Error::value(format!("there is no operation {name}")))
    }
}

/// An operation or a fold, by its own name.
pub(super) fn or_fold(name: &str, attributes: &mut Attributes<'_>) -> Result<Option<Kind>, Error> {
    if let Some(op) = Op::named(name) {
        return Ok(Some(Apply(op).into()));
    }
    match Reduction::named(name) {
        Some(reduction) => super::Reduce::read_of(reduction, attributes).map(|reduce| Some(reduce.into())),
        None => Ok(None),
    }
}

/// The element type that all arguments have.
pub(super) fn one_type(arguments: &[&Node]) -> Result<DType, Error> {
    let dtypes: Vec<DType> = arguments.iter().map(|argument| argument.dtype).collect();
    let dtype = crate::promote::same(&dtypes)?;
    dtype.ok_or_else(|| Error::value("there is no argument".to_owned()))
}

/// The shape that all arguments have, as far as it is known of one of them.
pub(super) fn one_shape(arguments: &[&Node]) -> Result<Shape, Error> {
    let unequal = || {
        let shapes = arguments.iter().map(|argument| argument.shape.clone()).collect();
        Error::new(ErrorKind::Unequal { shapes })
    };
    let mut common = Shape::UNRANKED;
    for argument in arguments {
        common = match (common.dims(), argument.dims()) {
            (None, _) => argument.shape.clone(),
            (_, None) => common,
            (Some(a), Some(b)) if a.len() == b.len() => {
                if a == b {
                    continue;
                }
                a.iter()
                    .zip(b)
                    .map(|(a, b)| a.meet(b))
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(unequal)?
                    .into()
            }
            _ => return Err(unequal()),
        };
    }
    Ok(common)
}

impl Operation for Apply {
    fn count(&self) -> Count {
        Count::Exactly(self.0.arity())
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let selects = matches!(self.0.record().body, Body::Select);
        if let (true, Some(condition)) = (selects, arguments.first())
            && condition.dtype != DType::Bool
        {
            return Err(Error::other_type(condition.dtype, DType::Bool));
        }
        let common = one_type(&arguments[usize::from(selects)..])?;
        Ok(Inferred { dtype: self.0.result_or(common)?, shape: one_shape(arguments)? })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        // Where a rank depends on a value, that is known only now; an array would broadcast.
        if let Err(error) = equal_shapes(arguments) {
            return Err(error.of(self.0.record().name)).into();
        }
        let operands: Vec<Operand> = arguments.iter().map(Operand::from).collect();
        Array::apply(self.0, &operands)
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        back.of_op(self.0)
    }
}

/// The elements as another type, with what does not fit as a dialect has it.
#[derive(Clone, Debug)]
pub struct Convert {
    /// The type.
    pub to: DType,
    /// What becomes of what it does not hold.
    pub overflow: Overflow,
}

impl Convert {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Convert, Error> {
        let overflow = attributes.optional("overflow")?.unwrap_or(Overflow::Numpy);
        Ok(Convert { to: attributes.get("to")?, overflow })
    }
}

impl Operation for Convert {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        if self.to.size().is_none() || arguments[0].dtype.size().is_none() {
            return Err(Error::no_memory_form(DType::String));
        }
        Ok(Inferred { dtype: self.to, shape: arguments[0].shape.clone() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        arguments[0].convert_as(self.to, self.overflow)
    }

    fn write(&self, to: &mut Writer) {
        to.put("to", self.to);
        if self.overflow != Overflow::Numpy {
            to.put("overflow", self.overflow);
        }
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let from = back.argument_dtype();
        if from.class() != Class::Float || self.to.class() != Class::Float {
            return Ok(back.none());
        }
        let d = back.d();
        let kind = Convert { to: from, overflow: self.overflow };
        let d = back.add(kind, &[d])?;
        Ok(back.only(0, d))
    }
}

/// The same bits as elements of another type. Of a narrower one there are several for each, along a new last axis, the
/// lowest bits first; of a wider one each is made of a whole last axis, which goes away.
#[derive(Clone, Debug)]
pub struct Bitcast(pub DType);

impl Bitcast {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Bitcast, Error> {
        attributes.get("to").map(Bitcast)
    }
}

impl Operation for Bitcast {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let from = arguments[0].dtype;
        let (before, after) = Array::bitcast_sizes(from, self.0)?;
        let Some(dims) = arguments[0].dims() else {
            return Ok(Inferred { dtype: self.0, shape: Shape::UNRANKED });
        };
        let mut dims = dims.to_vec();
        if before > after {
            dims.push(Dim::Known(before / after));
        } else if after > before {
            let last = dims.pop();
            if last.is_none_or(|last| !last.contains(after / before)) {
                let shape = arguments[0].shape.brief();
                return Err(Error::value(format!(
                    "{} {from} make one {}, and the last axis of an array of shape {shape} has not so many",
                    after / before,
                    self.0
                )));
            }
        }
        Ok(Inferred { dtype: self.0, shape: dims.into() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        arguments[0].bitcast(self.0)
    }

    fn write(&self, to: &mut Writer) {
        to.put("to", self.0);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        // What floats are made of by way of their bits follows them, but it is not known how.
        if back.follows_bits() {
            return Err(back.has_none("bitcast"));
        }
        Ok(back.none())
    }
}
