//! Folds along axes: whole, running, and where the greatest is.

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Shape};

use super::{Apply, Broadcast, Carries, Convert, Fit, Inferred, Lay, Operation, Recur, Scatter};
use crate::array::{Array, Keep, Number};
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Graph;
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::{Id, Node};
use crate::layout::{LayoutError, as_i64};
use crate::op::Op;
use crate::reduction::Reduction;

/// See [`Kind::Reduce`](super::Kind::Reduce). The result has the operand's element type. The maximum of no elements is
/// the least value of the type, the minimum the greatest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduce {
    /// The fold.
    pub reduction: Reduction,
    /// The axes, each once.
    pub axes: Vec<usize>,
    /// Whether they stay, with extent 1.
    pub keep: Keep,
}

const KEEP: [(&str, Keep); 2] = [("axes", Keep::Axes), ("nothing", Keep::Nothing)];

impl Reduce {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Reduce, Error> {
        let name: String = attributes.get("with")?;
        let reduction =
            Reduction::named(&name).ok_or_else(|| Error::value(format!("there is no fold {name}")))?;
        Reduce::read_of(reduction, attributes)
    }

    pub(super) fn read_of(reduction: Reduction, attributes: &mut Attributes<'_>) -> Result<Reduce, Error> {
        let axes = attributes.list::<usize>("axes")?;
        Ok(Reduce { reduction, axes, keep: attributes.word("keep", &KEEP)? })
    }

    fn kept(&self) -> Reduce {
        Reduce { keep: Keep::Axes, ..self.clone() }
    }
}

/// The shape without axes, or with them as 1.
fn folded(shape: &Shape, axes: &[usize], keep: Keep) -> Result<Shape, Error> {
    let Some(dims) = shape.dims() else { return Ok(Shape::UNRANKED) };
    for (place, &axis) in axes.iter().enumerate() {
        if axis >= dims.len() {
            return Err(LayoutError::NoAxis { axis, rank: dims.len() }.into());
        }
        if axes[..place].contains(&axis) {
            return Err(Error::value(format!("axis {axis} is named twice")));
        }
    }
    let rest = dims.iter().enumerate().filter_map(|(axis, dim)| match (axes.contains(&axis), keep) {
        (false, _) => Some(dim.clone()),
        (true, Keep::Axes) => Some(Dim::Known(1)),
        (true, Keep::Nothing) => None,
    });
    Ok(rest.collect())
}

impl Operation for Reduce {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = arguments[0].dtype;
        let truths = matches!(self.reduction, Reduction::Any | Reduction::All);
        if self.reduction.result(dtype).is_none() || (truths && dtype != DType::Bool) {
            let takes = |&other: &DType| match truths {
                true => other == DType::Bool,
                false => self.reduction.result(other).is_some(),
            };
            return Err(Error::not_taken(dtype, DType::all().filter(takes).collect()));
        }
        Ok(Inferred { dtype, shape: folded(&arguments[0].shape, &self.axes, self.keep)? })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let x = &arguments[0];
        let (Ok(shape), Ok(dtype)) = (x.shape(), x.dtype()) else { return x.clone() };
        let empty = self.axes.iter().any(|&axis| shape.get(axis) == Some(&0));
        let extreme = matches!(self.reduction, Reduction::Max | Reduction::Min);
        if empty && extreme {
            let Ok(shape) = folded(&shape.into(), &self.axes, self.keep).map(|shape| shape.extents()) else {
                return x.reduce(self.reduction, &self.axes, self.keep);
            };
            return Array::full(&shape.unwrap_or_default(), nothing(self.reduction, dtype), dtype);
        }
        // Integers are folded in 64 bits; the low bits are those of a fold in their own.
        x.reduce(self.reduction, &self.axes, self.keep).convert(dtype)
    }

    fn write(&self, to: &mut Writer) {
        to.list("axes", &self.axes);
        to.word("keep", &KEEP, &self.keep);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let d = match self.reduction {
            Reduction::Sum => {
                let d = unfolded(back, self, back.d())?;
                stretched(back, d)?
            }
            Reduction::Max | Reduction::Min => extreme_gradient(self, back)?,
            Reduction::Prod => product_gradient(self, back)?,
            Reduction::Any | Reduction::All => return Ok(back.none()),
        };
        Ok(back.only(0, d))
    }
}

/// The identity element of a fold.
pub(crate) fn nothing(reduction: Reduction, dtype: DType) -> Number {
    match reduction {
        Reduction::Sum => Number::Int(0),
        Reduction::Prod => Number::Int(1),
        Reduction::Any => Number::Bool(false),
        Reduction::All => Number::Bool(true),
        Reduction::Max => least(dtype),
        Reduction::Min => greatest(dtype),
    }
}

/// The least number of a type: minus infinity if it has one.
fn least(dtype: DType) -> Number {
    match dtype.integers() {
        Some(integers) => Number::Int(*integers.start()),
        None if dtype == DType::Bool => Number::Bool(false),
        None => Number::Float(f64::NEG_INFINITY),
    }
}

/// The greatest number of a type: infinity if it has one.
pub(super) fn greatest(dtype: DType) -> Number {
    match dtype.integers() {
        Some(integers) => Number::Int(*integers.end()),
        None if dtype == DType::Bool => Number::Bool(true),
        None => Number::Float(f64::INFINITY),
    }
}

/// A result of the fold with its axes as 1.
fn unfolded(back: &mut Backward<'_>, reduce: &Reduce, of: Id) -> Result<Id, Error> {
    if reduce.keep == Keep::Axes {
        return Ok(of);
    }
    let rank = back.argument_rank(0)?;
    let mut own = 0..;
    let lay = |axis: usize| {
        if reduce.axes.contains(&axis) { Lay::New(1) } else { Lay::Axis(own.next().unwrap_or(0)) }
    };
    back.add(Broadcast::new((0..rank).map(lay)), &[of])
}

/// Something with the folded axes as 1, over the shape of the argument.
fn stretched(back: &mut Backward<'_>, of: Id) -> Result<Id, Error> {
    let x = back.argument(0);
    back.add(Fit::join(2, 0), &[of, x])
}

/// Equal extremes share the gradient equally.
fn extreme_gradient(reduce: &Reduce, back: &mut Backward<'_>) -> Result<Id, Error> {
    let (x, dtype) = (back.argument(0), back.argument_dtype());
    let (result, d) = (back.result(), back.d());
    let extreme = unfolded(back, reduce, result)?;
    let extreme = stretched(back, extreme)?;
    let is_it = back.add(Apply(Op::Equal), &[x, extreme])?;
    let ones = back.add(Convert { to: dtype, overflow: Overflow::Numpy }, &[is_it])?;
    let count = back.add(Reduce { reduction: Reduction::Sum, ..reduce.kept() }, &[ones])?;
    let d = unfolded(back, reduce, d)?;
    let part = back.add(Apply(Op::Divide), &[d, count])?;
    let part = stretched(back, part)?;
    back.add(Apply(Op::Multiply), &[part, ones])
}

/// A product of products: what is too great beside a 0 has no influence.
fn product_of(graph: &mut Graph, one: Id, other: Id) -> Result<Id, Error> {
    let product = graph.apply(Op::Multiply, &[one, other])?;
    let zeros = graph.full_like(0, product)?;
    let mut is_none = |one, other| {
        let is_zero = graph.add(Apply(Op::Equal), &[one, zeros])?;
        let is_great = graph.add(Apply(Op::Isinf), &[other])?;
        graph.add(Apply(Op::LogicalAnd), &[is_zero, is_great])
    };
    let (first, second) = (is_none(one, other)?, is_none(other, one)?);
    let is_none = graph.apply(Op::LogicalOr, &[first, second])?;
    graph.apply(Op::Where, &[is_none, zeros, product])
}

/// The product of all others, by exclusive scans from both sides: nothing is divided by 0. Axis by axis.
fn product_gradient(reduce: &Reduce, back: &mut Backward<'_>) -> Result<Id, Error> {
    let (x, d, own) = (back.argument(0), back.d(), back.argument_dtype());
    let d = unfolded(back, reduce, d)?;
    let graph = back.graph();
    // Of halves too, what lies between is seldom too great for f32.
    let (mut x, mut d) = (graph.in_type(x, own.computed_in())?, graph.in_type(d, own.computed_in())?);
    let mut folded = vec![x];
    for &axis in &reduce.axes {
        let one = Reduce { reduction: Reduction::Prod, axes: vec![axis], keep: Keep::Axes };
        x = graph.add(one, &[x])?;
        folded.push(x);
    }
    for (place, &axis) in reduce.axes.iter().enumerate().rev() {
        let x = folded[place];
        let run =
            |direction| Accumulate { reduction: Reduction::Prod, axis, direction, start: Start::Before };
        let before = graph.add(run(Direction::Forward), &[x])?;
        let behind = graph.add(run(Direction::Backward), &[x])?;
        let others = product_of(graph, before, behind)?;
        d = graph.add(Fit::join(2, 0), &[d, x])?;
        d = product_of(graph, d, others)?;
    }
    graph.in_type(d, own)
}

/// Which way a running fold goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the first to the last.
    Forward,
    /// From the last to the first.
    Backward,
}

/// Whether a running fold is inclusive or exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Inclusive: each element with all before it.
    With,
    /// Exclusive: only those before it, and the identity element for the first.
    Before,
}

/// See [`Kind::Accumulate`](super::Kind::Accumulate): a sum, a product, the greatest or the least so far. The result has
/// the operand's element type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulate {
    /// The fold.
    pub reduction: Reduction,
    /// Along this axis.
    pub axis: usize,
    /// Which way.
    pub direction: Direction,
    /// Inclusive or exclusive.
    pub start: Start,
}

const DIRECTIONS: [(&str, Direction); 2] =
    [("forward", Direction::Forward), ("backward", Direction::Backward)];
const STARTS: [(&str, Start); 2] = [("with", Start::With), ("before", Start::Before)];

impl Accumulate {
    /// The sums the other way, of what has an element in it.
    fn back(&self) -> Accumulate {
        let direction = match self.direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
        Accumulate { reduction: Reduction::Sum, direction, ..self.clone() }
    }

    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Accumulate, Error> {
        let name: String = attributes.get("with")?;
        let reduction =
            Reduction::named(&name).ok_or_else(|| Error::value(format!("there is no fold {name}")))?;
        let direction = attributes.word("direction", &DIRECTIONS)?;
        Ok(Accumulate {
            reduction,
            axis: attributes.get("axis")?,
            direction,
            start: attributes.word("start", &STARTS)?,
        })
    }

    fn accumulated(&self, x: &Array) -> Result<Array, Error> {
        let dtype = x.dtype()?;
        let extent = x.shape()?.get(self.axis).copied();
        let extent = extent.ok_or(LayoutError::NoAxis { axis: self.axis, rank: x.rank()? })?;
        let turned = |array: &Array| match self.direction {
            Direction::Forward => array.clone(),
            Direction::Backward => array.flip([self.axis]),
        };
        let running = turned(x).accumulate(self.reduction, self.axis).convert(dtype);
        let running = match self.start {
            Start::With => running,
            Start::Before if extent == 0 => running,
            Start::Before => {
                let mut first = x.shape()?.to_vec();
                first[self.axis] = 1;
                let first = Array::full(&first, nothing(self.reduction, dtype), dtype);
                let last = as_i64(extent) - 1;
                Array::concatenate(&[&first, &running.between(self.axis, 0, last)], self.axis)
            }
        };
        Ok(turned(&running))
    }
}

impl Operation for Accumulate {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = arguments[0].dtype;
        let takes = |dtype: DType| self.reduction.result(dtype).is_some();
        if !takes(dtype) {
            return Err(Error::not_taken(dtype, DType::all().filter(|&other| takes(other)).collect()));
        }
        if let Some(rank) = arguments[0].shape.rank()
            && self.axis >= rank
        {
            return Err(LayoutError::NoAxis { axis: self.axis, rank }.into());
        }
        Ok(Inferred { dtype, shape: arguments[0].shape.clone() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        self.accumulated(&arguments[0]).unwrap_or_else(|error| Err(error.of("accumulate")).into())
    }

    fn write(&self, to: &mut Writer) {
        to.put("with", self.reduction);
        to.put("axis", self.axis);
        to.word("direction", &DIRECTIONS, &self.direction);
        to.word("start", &STARTS, &self.start);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let d = back.d();
        let d = match self.reduction {
            Reduction::Sum => back.add(self.back(), &[d])?,
            Reduction::Prod => running_product_gradient(self, back)?,
            Reduction::Max | Reduction::Min => running_extreme_gradient(self, back)?,
            Reduction::Any | Reduction::All => return Ok(back.none()),
        };
        Ok(back.only(0, d))
    }
}

/// The gradient goes to the latest element that equals the extreme; places count from 1 in the scan's direction.
fn running_extreme_gradient(run: &Accumulate, back: &mut Backward<'_>) -> Result<Id, Error> {
    let (x, y, mut d, axis) = (back.argument(0), back.result(), back.d(), run.axis);
    let along = |reduction, start| Accumulate { reduction, start, ..run.clone() };
    let extreme = match run.start {
        Start::With => y,
        Start::Before => back.add(along(run.reduction, Start::With), &[x])?,
    };
    let is_it = back.add(Apply(Op::Equal), &[x, extreme])?;
    let is_nan = back.add(Apply(Op::Isnan), &[x])?;
    let is_it = back.add(Apply(Op::LogicalOr), &[is_it, is_nan])?;
    let is_it = back.add(Convert { to: DType::I64, overflow: Overflow::Numpy }, &[is_it])?;
    let ones = back.graph().full_like(1, is_it)?;
    let places = back.add(along(Reduction::Sum, Start::With), &[ones])?;
    let places = back.add(Apply(Op::Multiply), &[is_it, places])?;
    let mut places = back.add(along(Reduction::Max, run.start), &[places])?;
    if run.start == Start::Before {
        // The first is of no element.
        let is_one = back.add(Apply(Op::GreaterEqual), &[places, ones])?;
        let zeros = back.zeros_like_argument(0)?;
        d = back.add(Apply(Op::Where), &[is_one, d, zeros])?;
        places = back.add(Apply(Op::Maximum), &[places, ones])?;
    }
    let numbers = match run.direction {
        Direction::Forward => back.add(Apply(Op::Subtract), &[places, ones])?,
        Direction::Backward => back.add(Apply(Op::Negative), &[places])?,
    };
    let zeros = back.zeros_like_argument(0)?;
    back.add(Scatter { axis, with: Some(Op::Add) }, &[zeros, numbers, d])
}

/// The product of those before each, times what the products from it on are multiplied with behind it. Nothing is divided.
fn running_product_gradient(run: &Accumulate, back: &mut Backward<'_>) -> Result<Id, Error> {
    let (x, d, axis, own) = (back.argument(0), back.d(), run.axis, back.argument_dtype());
    let graph = back.graph();
    // Of halves too, what lies between is seldom too great for f32.
    let (mut x, mut d) = (graph.in_type(x, own.computed_in())?, graph.in_type(d, own.computed_in())?);
    if run.direction == Direction::Backward {
        (x, d) = (graph.flipped(x, axis)?, graph.flipped(d, axis)?);
    }
    if run.start == Start::Before {
        d = graph.behind(d, axis, 0)?;
    }
    let before = Accumulate { direction: Direction::Forward, start: Start::Before, ..run.clone() };
    let before = graph.add(before, &[x])?;
    let behind = Recur { axis }.backwards(graph, d, x)?;
    let mut product = product_of(graph, before, behind)?;
    if run.direction == Direction::Backward {
        product = graph.flipped(product, axis)?;
    }
    graph.in_type(product, own)
}

/// See [`Kind::Find`](super::Kind::Find): where along an axis the greatest ([`Reduction::Max`]) or the least
/// ([`Reduction::Min`]) is, the first of equal ones, or the first NaN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find {
    /// The greatest or the least.
    pub which: Reduction,
    /// Along this axis.
    pub axis: usize,
    /// Whether the axis stays, with extent 1.
    pub keep: Keep,
    /// The type of the result.
    pub to: DType,
}

impl Find {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Find, Error> {
        let which = attributes.word("which", &[("max", Reduction::Max), ("min", Reduction::Min)])?;
        let keep = attributes.word("keep", &KEEP)?;
        Ok(Find { which, axis: attributes.get("axis")?, keep, to: attributes.get("to")? })
    }
}

impl Operation for Find {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let takes = |dtype: DType| dtype.computes() && self.which.result(dtype).is_some();
        let dtype = arguments[0].dtype;
        if !matches!(self.which, Reduction::Max | Reduction::Min) || !takes(dtype) {
            return Err(Error::not_taken(dtype, DType::all().filter(|&other| takes(other)).collect()));
        }
        Ok(Inferred { dtype: self.to, shape: folded(&arguments[0].shape, &[self.axis], self.keep)? })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let found = match self.which {
            Reduction::Max => arguments[0].argmax(self.axis, self.keep),
            _ => arguments[0].argmin(self.axis, self.keep),
        };
        found.convert(self.to)
    }

    fn carries(&self) -> Carries {
        Carries::Nothing
    }

    fn write(&self, to: &mut Writer) {
        to.put("which", self.which);
        to.put("axis", self.axis);
        to.word("keep", &KEEP, &self.keep);
        to.put("to", self.to);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        Ok(back.none())
    }
}
