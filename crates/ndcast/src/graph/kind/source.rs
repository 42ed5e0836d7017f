//! Where values come from: inputs, constants, and numbers in order.

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Shape};

use super::{Inferred, Operation};
use crate::array::{Array, Keep, count_integers};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::Node;
use crate::graph::text;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// See [`Kind::Input`](super::Kind::Input).
#[derive(Clone, Debug)]
pub struct Input {
    pub(crate) dtype: DType,
    pub(crate) shape: Shape,
}

impl Input {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Input, Error> {
        Ok(Input { dtype: attributes.get("dtype")?, shape: attributes.get("shape")? })
    }
}

impl Operation for Input {
    fn count(&self) -> Count {
        Count::Exactly(0)
    }

    fn infer(&self, _: &[&Node]) -> Result<Inferred, Error> {
        Ok(Inferred { dtype: self.dtype, shape: self.shape.clone() })
    }

    fn run(&self, _: &[Array]) -> Array {
        Err(Error::value("the input has no value".to_owned())).into()
    }

    fn write(&self, to: &mut Writer) {
        to.put("dtype", self.dtype);
        to.put("shape", &self.shape);
    }

    fn gradient(&self, _: &mut Backward<'_>) -> Result<Gradients, Error> {
        Ok(Gradients::new())
    }
}

/// See [`Kind::Constant`](super::Kind::Constant).
#[derive(Clone, Debug)]
pub struct Constant(pub Tensor);

impl Constant {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Constant, Error> {
        let dtype = attributes.get("dtype")?;
        let shape: Shape = attributes.get("shape")?;
        let values =
            attributes.text("values").ok_or_else(|| Error::value("`values=` is missing".to_owned()))?;
        text::read_elements(values, dtype, &shape).map(Constant)
    }
}

impl Operation for Constant {
    fn count(&self) -> Count {
        Count::Exactly(0)
    }

    fn infer(&self, _: &[&Node]) -> Result<Inferred, Error> {
        Ok(Inferred { dtype: self.0.dtype(), shape: self.0.shape().into() })
    }

    fn run(&self, _: &[Array]) -> Array {
        self.0.clone().into()
    }

    fn write(&self, to: &mut Writer) {
        to.put("dtype", self.0.dtype());
        to.put("shape", Shape::from(self.0.shape()));
        to.put("values", text::Elements(&self.0));
    }

    fn gradient(&self, _: &mut Backward<'_>) -> Result<Gradients, Error> {
        Ok(Gradients::new())
    }
}

/// Numbers from the first argument on, by the third, to before the second: all scalars of one type.
#[derive(Clone, Debug)]
pub struct Range;

impl Range {
    pub(super) fn read(_: &mut Attributes<'_>) -> Result<Range, Error> {
        Ok(Range)
    }
}

/// How many numbers there are from one to before another, by a step.
fn count(start: f64, stop: f64, step: f64) -> Result<usize, Error> {
    if step == 0.0 || !(stop - start).is_finite() || step.is_nan() {
        return Err(Error::value(format!("there is no range from {start} to {stop} by {step}")));
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative; too many end at the limit"
    )]
    Ok(((stop - start) / step).ceil().max(0.0) as usize)
}

impl Operation for Range {
    fn count(&self) -> Count {
        Count::Exactly(3)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = super::elementwise::one_type(arguments)?;
        if !dtype.computes() || matches!(dtype.class(), Class::Bool | Class::Complex) {
            let takes =
                |dtype: &DType| dtype.computes() && !matches!(dtype.class(), Class::Bool | Class::Complex);
            return Err(Error::not_taken(dtype, DType::all().filter(takes).collect()));
        }
        for argument in arguments {
            if argument.shape.rank().is_some_and(|rank| rank > 0) {
                let text =
                    format!("start, stop and step are scalars, and one has shape {}", argument.shape.brief());
                return Err(Error::value(text));
            }
        }
        let integers: Option<Vec<i64>> = arguments
            .iter()
            .map(|argument| argument.integers().filter(|n| n.len() == 1).map(|n| n[0]))
            .collect();
        let numbers: Option<Vec<f64>> = arguments.iter().map(|argument| argument.number()).collect();
        let extent = match (integers, numbers) {
            (Some(n), _) => Dim::Known(count_integers(n[0].into(), n[1].into(), n[2].into())?),
            (None, Some(n)) if dtype.class() == Class::Float => Dim::Known(count(n[0], n[1], n[2])?),
            // From 0 by 1 there are as many as the stop says.
            _ => match (
                arguments[0].integers().as_deref(),
                arguments[1].entries(),
                arguments[2].integers().as_deref(),
            ) {
                (Some([0]), Some([stop]), Some([1])) => stop.dim().unwrap_or(Dim::UNKNOWN),
                _ => Dim::UNKNOWN,
            },
        };
        Ok(Inferred { dtype, shape: Shape::from([extent]) })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        range(arguments).unwrap_or_else(|error| Err(error).into())
    }

    /// Each is the start and so many steps. How many there are changes by jumps.
    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let (d, result, own) = (back.d(), back.result(), back.argument_dtype());
        let mut gradients = back.none();
        if own.class() != Class::Float {
            return Ok(gradients);
        }
        let graph = back.graph();
        let count = graph.extents_of(result, &[0])?;
        let places = graph.counted(count)?;
        // Halves count only to 256 or 2048.
        let (d, places) = (graph.in_type(d, own.computed_in())?, graph.in_type(places, own.computed_in())?);
        let steps = graph.op(Op::Multiply, &[d, places])?;
        for (place, of) in [(0, d), (2, steps)] {
            let sum = graph.fold(Reduction::Sum, of, &[0], Keep::Nothing)?;
            gradients[place] = Some(graph.in_type(sum, own)?);
        }
        Ok(gradients)
    }
}

fn range(arguments: &[Array]) -> Result<Array, Error> {
    let dtype = arguments[0].dtype()?;
    if dtype.class() == Class::Float {
        let of = |place: usize| arguments[place].convert(DType::F64).item::<f64>();
        let (start, stop, step) = (of(0)?, of(1)?, of(2)?);
        let numbers = Array::iota(count(start, stop, step)?, DType::F64);
        return Ok((numbers * step + start).convert(dtype));
    }
    let of = |place: usize| -> Result<i128, Error> {
        match dtype {
            DType::U64 => Ok(arguments[place].item::<u64>()?.into()),
            _ => Ok(arguments[place].convert(DType::I64).item::<i64>()?.into()),
        }
    };
    let (start, stop, step) = (of(0)?, of(1)?, of(2)?);
    Ok(Array::range(start, stop, step, dtype))
}

impl From<Tensor> for Constant {
    fn from(tensor: Tensor) -> Constant {
        Constant(tensor)
    }
}
