//! Arrays put together, elements found by number, and put where numbers say.

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Extent, Shape};

use super::{Accumulate, Apply, Carries, Convert, Direction, Inferred, Operation, Start};
use crate::array::Array;
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::{Id, Node};
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;

/// See [`Kind::Concatenate`](super::Kind::Concatenate).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concatenate {
    /// Along this axis.
    pub axis: usize,
}

impl Concatenate {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Concatenate, Error> {
        Ok(Concatenate { axis: attributes.get("axis")? })
    }
}

fn no_axis(axis: usize, rank: usize) -> Error {
    crate::layout::LayoutError::NoAxis { axis, rank }.into()
}

impl Operation for Concatenate {
    fn count(&self) -> Count {
        Count::AtLeast(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = super::elementwise::one_type(arguments)?;
        let mut common: Option<Vec<Dim>> = None;
        let mut along = Dim::Known(0);
        for argument in arguments {
            let Some(dims) = argument.dims() else {
                along = Dim::UNKNOWN;
                continue;
            };
            let extent = dims.get(self.axis).ok_or_else(|| no_axis(self.axis, dims.len()))?;
            along = sum(&along, extent);
            let Some(before) = &mut common else {
                common = Some(dims.to_vec());
                continue;
            };
            let unequal = || {
                let shapes = arguments.iter().map(|argument| argument.shape.clone()).collect();
                Error::new(ErrorKind::UnequalBesides { shapes, axis: self.axis })
            };
            if before.len() != dims.len() {
                return Err(unequal());
            }
            for (axis, (before, dim)) in before.iter_mut().zip(dims).enumerate() {
                if axis != self.axis {
                    *before = before.meet(dim).ok_or_else(unequal)?;
                }
            }
        }
        let Some(mut dims) = common else { return Ok(Inferred { dtype, shape: Shape::UNRANKED }) };
        dims[self.axis] = along;
        Ok(Inferred { dtype, shape: dims.into() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let arrays: Vec<&Array> = arguments.iter().collect();
        Array::concatenate(&arrays, self.axis)
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..usize::MAX)
    }

    fn write(&self, to: &mut Writer) {
        to.put("axis", self.axis);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let mut gradients = back.none();
        let mut start = back.integers(&[0])?;
        for (place, gradient) in gradients.iter_mut().enumerate() {
            let extent = back.extent_of_argument(place, self.axis)?;
            let stop = back.add(Apply(Op::Add), &[start, extent])?;
            *gradient = Some(back.between(self.axis, start, stop)?);
            start = stop;
        }
        Ok(gradients)
    }
}

/// What an extent is that is two together.
fn sum(a: &Dim, b: &Dim) -> Dim {
    let ends = |dim: &Dim| match dim {
        Dim::Known(n) => (*n, Some(*n)),
        Dim::Interval(interval) => (interval.min(), interval.max()),
        Dim::Symbol(_) => (0, None),
    };
    match (a, b) {
        (Dim::Known(0), other) | (other, Dim::Known(0)) => other.clone(),
        _ => {
            let ((a_least, a_most), (b_least, b_most)) = (ends(a), ends(b));
            let most = a_most.zip(b_most).and_then(|(a, b)| a.checked_add(b));
            Dim::between(a_least.saturating_add(b_least), most).unwrap_or(Dim::UNKNOWN)
        }
    }
}

/// See [`Kind::Take`](super::Kind::Take). The second argument's numbers may be negative, counted from the end; one that
/// is not there is an error when the graph runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// The axis of the first argument along which the rows lie.
    pub axis: usize,
    /// How many leading axes are batch axes, common to both arguments.
    pub batch: usize,
}

impl Take {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Take, Error> {
        Ok(Take { axis: attributes.get("axis")?, batch: attributes.optional("batch")?.unwrap_or(0) })
    }

    /// The extents of the result, in whatever they are known.
    fn shape<E: Clone>(&self, own: &[E], numbers: &[E]) -> Vec<E> {
        [&own[..self.axis], &numbers[self.batch..], &own[self.axis + 1..]].concat()
    }

    fn other_batch(&self, shapes: Vec<Shape>) -> Error {
        Error::new(ErrorKind::Batch { shapes, batch: self.batch, axis: self.axis })
    }

    fn taken(&self, x: &Array, numbers: &Array) -> Result<Array, Error> {
        if self.batch == 0 {
            return Ok(x.take(numbers, self.axis));
        }
        // The rows of all batches one behind the other, with the numbers counted on.
        let (own, theirs) = (x.shape()?, numbers.shape()?);
        if self.axis >= own.len() {
            return Err(no_axis(self.axis, own.len()));
        }
        if self.batch > self.axis || theirs.get(..self.batch) != Some(&own[..self.batch]) {
            return Err(self.other_batch(vec![own.into(), theirs.into()]));
        }
        let batches: usize = own[..self.batch].iter().product();
        let extent = own[self.axis];
        let signed = as_i64(extent);
        let mut order: Vec<usize> = (0..own.len()).filter(|&axis| axis != self.axis).collect();
        order.insert(self.batch, self.axis);
        let rest: Vec<usize> = order[self.batch + 1..].iter().map(|&axis| own[axis]).collect();
        let rows = x.transpose(&order).reshape(&[&[batches * extent], &rest[..]].concat());
        let mut firsts = own[..self.batch].to_vec();
        firsts.resize(theirs.len(), 1);
        let firsts = Array::iota(batches, DType::I64).reshape(&firsts) * signed;
        let numbers = numbers.places_from_start(extent, self.axis, "take") + firsts;
        let taken = rows.take(&numbers, 0);
        // The axes between the batch and the rows' axis go before the numbers'.
        let count = theirs.len() - self.batch;
        let between = self.axis - self.batch;
        let rank = theirs.len() + rest.len();
        let back: Vec<usize> = (0..self.batch)
            .chain(theirs.len()..theirs.len() + between)
            .chain(self.batch..self.batch + count)
            .chain(theirs.len() + between..rank)
            .collect();
        Ok(taken.transpose(&back))
    }
}

/// Checks that numbers of rows are integers.
fn check_numbers(node: &Node) -> Result<(), Error> {
    if node.dtype.is_integer() {
        return Ok(());
    }
    Err(Error::value(format!("the numbers of the rows are integers, not {}", node.dtype)))
}

impl Operation for Take {
    fn count(&self) -> Count {
        Count::Exactly(2)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        check_numbers(arguments[1])?;
        let dtype = arguments[0].dtype;
        if let Some(rank) = arguments[0].shape.rank()
            && self.axis >= rank
        {
            return Err(no_axis(self.axis, rank));
        }
        let (Some(own), Some(numbers)) = (arguments[0].dims(), arguments[1].dims()) else {
            return Ok(Inferred { dtype, shape: Shape::UNRANKED });
        };
        let in_common =
            |axis: usize| numbers.get(axis).is_some_and(|extent| own[axis].meet(extent).is_some());
        if self.batch > self.axis || !(0..self.batch).all(in_common) {
            return Err(self.other_batch(vec![arguments[0].shape.clone(), arguments[1].shape.clone()]));
        }
        Ok(Inferred { dtype, shape: self.shape(own, numbers).into() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        self.taken(&arguments[0], &arguments[1]).unwrap_or_else(|error| Err(error.of("take")).into())
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..1)
    }

    fn write(&self, to: &mut Writer) {
        to.put("axis", self.axis);
        if self.batch > 0 {
            to.put("batch", self.batch);
        }
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        back.untaken(self.axis, self.batch)
    }
}

/// See [`Kind::TakeAlong`](super::Kind::TakeAlong): the other axes of both arguments are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeAlong {
    /// Along this axis.
    pub axis: usize,
}

/// Checks that arrays have equal extents besides along an axis.
fn alike_besides(axis: usize, nodes: [&Node; 2]) -> Result<(), Error> {
    let [Some(a), Some(b)] = nodes.map(Node::dims) else { return Ok(()) };
    let meet = |axis: usize| a[axis].meet(&b[axis]).is_some();
    if a.len() != b.len() || axis >= a.len() || !(0..a.len()).all(|other| other == axis || meet(other)) {
        let shapes = nodes.iter().map(|node| node.shape.clone()).collect();
        return Err(Error::new(ErrorKind::UnequalBesides { shapes, axis }));
    }
    Ok(())
}

impl TakeAlong {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<TakeAlong, Error> {
        Ok(TakeAlong { axis: attributes.get("axis")? })
    }
}

impl Operation for TakeAlong {
    fn count(&self) -> Count {
        Count::Exactly(2)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        check_numbers(arguments[1])?;
        alike_besides(self.axis, [arguments[0], arguments[1]])?;
        Ok(Inferred { dtype: arguments[0].dtype, shape: arguments[1].shape.clone() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        arguments[0].take_along_axis(&arguments[1], self.axis)
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..1)
    }

    fn write(&self, to: &mut Writer) {
        to.put("axis", self.axis);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let (zeros, numbers, d) = (back.zeros_like_argument(0)?, back.argument(1), back.d());
        let d = back.add(Scatter { axis: self.axis, with: Some(Op::Add) }, &[zeros, numbers, d])?;
        Ok(back.only(0, d))
    }
}

/// See [`Kind::Scatter`](super::Kind::Scatter): the second argument holds the index along the axis of each element of the
/// third; both have the shape of the first but along the axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scatter {
    /// Along this axis.
    pub axis: usize,
    /// The operation with the old element; `None` replaces it. Several for one place are applied in order.
    pub with: Option<Op>,
}

impl Scatter {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Scatter, Error> {
        let with = match attributes.text("with") {
            None => None,
            Some(name) => {
                Some(Op::named(name).ok_or_else(|| Error::value(format!("there is no operation {name}")))?)
            }
        };
        Ok(Scatter { axis: attributes.get("axis")?, with })
    }
}

impl Operation for Scatter {
    fn count(&self) -> Count {
        Count::Exactly(3)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = super::elementwise::one_type(&[arguments[0], arguments[2]])?;
        check_numbers(arguments[1])?;
        super::elementwise::one_shape(&arguments[1..])?;
        alike_besides(self.axis, [arguments[0], arguments[1]])?;
        if let Some(op) = self.with
            && (op.arity() != 2 || op.result(dtype) != Some(dtype))
        {
            return Err(Error::value(format!("{op} does not make {dtype} of two {dtype}")));
        }
        Ok(Inferred { dtype, shape: arguments[0].shape.clone() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        arguments[0].put_along_axis(&arguments[1], &arguments[2], self.axis, self.with)
    }

    fn write(&self, to: &mut Writer) {
        to.put("axis", self.axis);
        if let Some(op) = self.with {
            to.put("with", op);
        }
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let (d, numbers) = (back.d(), back.argument(1));
        let part = back.add(TakeAlong { axis: self.axis }, &[d, numbers])?;
        let into = match self.with {
            Some(Op::Add) => d,
            // What is replaced does not matter.
            None => {
                let zeros = back.zeros_like_argument(2)?;
                let into = back.add(self.clone(), &[d, numbers, zeros])?;
                let part = self.of_the_last(back, part, zeros)?;
                return Ok(into_and_of(back, into, part));
            }
            Some(Op::Maximum | Op::Minimum) => return self.extreme_gradient(back),
            Some(Op::Multiply) => return self.product_gradient(back),
            Some(op) => return Err(back.has_none(&format!("putting elements with {op}"))),
        };
        Ok(into_and_of(back, into, part))
    }
}

/// The gradients of what is put into, and of what is put there.
fn into_and_of(back: &Backward<'_>, into: Id, of: Id) -> Gradients {
    let mut gradients = back.none();
    (gradients[0], gradients[2]) = (Some(into), Some(of));
    gradients
}

/// Whether no number is there twice, as far as it is known.
fn are_distinct(numbers: &Node) -> bool {
    let all = match numbers.constant() {
        Some(tensor) => Array::from(tensor.clone()).convert(DType::I64).to_vec::<i64>().ok(),
        None => numbers.integers(),
    };
    all.is_some_and(|mut all| {
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        // What counts from the end may be one of the others.
        all.len() == count && all.first().is_none_or(|&least| least >= 0)
    })
}

impl Scatter {
    fn adding(&self) -> Scatter {
        Scatter { with: Some(Op::Add), ..*self }
    }

    /// Of several that replace one element only the last stays, and has a gradient: each says which one it is, and is the last if
    /// that is what stays where it goes.
    fn of_the_last(&self, back: &mut Backward<'_>, part: Id, zeros: Id) -> Result<Id, Error> {
        let numbers = back.argument(1);
        if are_distinct(back.graph().at(numbers)) {
            return Ok(part);
        }
        let into = back.zeros_like_argument(0)?;
        let graph = back.graph();
        let (into, wide) = (graph.in_type(into, DType::I64)?, graph.in_type(numbers, DType::I64)?);
        let ones = graph.full_like(1, wide)?;
        let (axis, direction) = (self.axis, Direction::Forward);
        let run = Accumulate { reduction: Reduction::Sum, axis, direction, start: Start::With };
        let own = graph.add(run, &[ones])?;
        let last = graph.add(self.clone(), &[into, numbers, own])?;
        let last = graph.add(TakeAlong { axis }, &[last, numbers])?;
        let is_last = graph.apply(Op::Equal, &[last, own])?;
        graph.apply(Op::Where, &[is_last, part, zeros])
    }

    /// Equal ones have equal parts of it.
    fn extreme_gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let (x, numbers, y, d) = (back.argument(0), back.argument(1), back.result(), back.d());
        let number = Convert { to: back.argument_dtype(), overflow: Overflow::Numpy };
        let along = TakeAlong { axis: self.axis };
        let put = back.argument(2);
        let ones = |back: &mut Backward<'_>, a, b| {
            let is_it = back.add(Apply(Op::Equal), &[a, b])?;
            back.add(number.clone(), &[is_it])
        };
        let there = ones(back, x, y)?;
        let extreme = back.add(along.clone(), &[y, numbers])?;
        let put = ones(back, put, extreme)?;
        let count = back.add(self.adding(), &[there, numbers, put])?;
        let part = back.add(Apply(Op::Divide), &[d, count])?;
        let taken = back.add(along, &[part, numbers])?;
        let into = back.add(Apply(Op::Multiply), &[part, there])?;
        let of = back.add(Apply(Op::Multiply), &[taken, put])?;
        Ok(into_and_of(back, into, of))
    }

    /// The product of all others: that of what is not 0 divided by it, if no other one is 0.
    ///
    /// DIFFERENCE: where several are 0 that go to one place, the derivatives of this gradient lack what they are beside each other.
    fn product_gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let (x, numbers, put, d) = (back.argument(0), back.argument(1), back.argument(2), back.d());
        let number = Convert { to: back.argument_dtype(), overflow: Overflow::Numpy };
        let along = TakeAlong { axis: self.axis };
        let ones = back.graph().full_like(1, x)?;
        let by = back.add(self.clone(), &[ones, numbers, put])?;
        let into = back.add(Apply(Op::Multiply), &[d, by])?;
        let (zeros, none) = (back.zeros_like_argument(2)?, back.zeros_like_argument(0)?);
        let is_zero = back.add(Apply(Op::Equal), &[put, zeros])?;
        let zero = back.add(number, &[is_zero])?;
        let one = back.graph().full_like(1, put)?;
        let factors = back.add(Apply(Op::Where), &[is_zero, one, put])?;
        let product = back.add(self.clone(), &[x, numbers, factors])?;
        let product = back.add(Apply(Op::Multiply), &[d, product])?;
        let product = back.add(along.clone(), &[product, numbers])?;
        let quotient = back.add(Apply(Op::Divide), &[product, factors])?;
        let count = back.add(self.adding(), &[none, numbers, zero])?;
        let count = back.add(along, &[count, numbers])?;
        let is_product = back.add(Apply(Op::Equal), &[count, zero])?;
        let of = back.add(Apply(Op::Where), &[is_product, quotient, zeros])?;
        Ok(into_and_of(back, into, of))
    }
}
