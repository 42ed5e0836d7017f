//! Shapes as values, and the same elements in another shape.

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Extent, Shape};

use super::fit::{integers, target, vector};
use super::{Carries, Inferred, Operation, Settled};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::graph::Entry;
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::Node;

/// See [`Kind::ShapeOf`](super::Kind::ShapeOf): an array of one axis, of this type of integers.
#[derive(Clone, Debug)]
pub struct ShapeOf(pub DType);

impl ShapeOf {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<ShapeOf, Error> {
        attributes.get("to").map(ShapeOf)
    }
}

impl Operation for ShapeOf {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        if !self.0.is_integer() {
            let takes = |dtype: &DType| dtype.is_integer();
            return Err(Error::not_taken(self.0, DType::all().filter(takes).collect()));
        }
        let rank = arguments[0].shape.rank().map_or(Dim::UNKNOWN, Dim::Known);
        Ok(Inferred { dtype: self.0, shape: Shape::from([rank]) })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let Ok(shape) = arguments[0].shape() else { return arguments[0].clone() };
        let numbers: Vec<u64> = shape.iter().map(|&extent| extent as u64).collect();
        Array::new(&[numbers.len()], &numbers).convert(self.0)
    }

    fn write(&self, to: &mut Writer) {
        to.put("to", self.0);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        Ok(back.none())
    }
}

/// See [`Kind::Reshape`](super::Kind::Reshape): the extents, of which one may be left to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reshape {
    /// The extents; `None`, or -1 as text, is inferred.
    pub to: Vec<Option<usize>>,
}

impl Reshape {
    /// To these extents.
    pub fn new(to: &[usize]) -> Reshape {
        Reshape { to: to.iter().copied().map(Some).collect() }
    }

    /// To these extents, of which one may be -1: as much as there is.
    pub(crate) fn from_integers(to: &[i64]) -> Result<Reshape, Error> {
        let extent = |&n: &i64| match n {
            -1 => Ok(None),
            n => usize::try_from(n).map(Some).map_err(|_| Error::value(format!("there is no extent {n}"))),
        };
        Ok(Reshape { to: to.iter().map(extent).collect::<Result<_, _>>()? })
    }

    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Reshape, Error> {
        Reshape::from_integers(&attributes.list::<i64>("to")?)
    }

    /// The extents, with what is left to be found.
    fn found(&self, own: &[usize]) -> Result<Vec<usize>, Error> {
        let elements = product(own.iter().copied());
        let known = product(self.to.iter().flatten().copied());
        let wrong = || self.wrong(own.iter().copied().map(Dim::Known).collect());
        let (elements, known) = (elements.ok_or_else(wrong)?, known.ok_or_else(wrong)?);
        match self.to.iter().filter(|extent| extent.is_none()).count() {
            0 if known == elements => {}
            1 if known > 0 && elements.is_multiple_of(known) => {}
            _ => return Err(wrong()),
        }
        Ok(self.to.iter().map(|extent| extent.unwrap_or_else(|| elements / known)).collect())
    }

    fn wrong(&self, own: Shape) -> Error {
        Error::new(ErrorKind::Reshape { from: own, to: self.to.clone() })
    }

    /// The extent that is left to be found, if the partly known ones of the operand say it.
    fn left(&self, own: &[Dim]) -> Dim {
        let known = product(self.to.iter().flatten().copied());
        let of_own = product(own.iter().filter_map(|dim| dim.known()));
        let mut open = own.iter().filter(|dim| dim.known().is_none());
        match (known, of_own, open.next(), open.next()) {
            // One open extent on either side, and the same besides: they are the same.
            (Some(known), Some(of_own), Some(dim), None) if known == of_own && known > 0 => dim.clone(),
            _ => Dim::UNKNOWN,
        }
    }
}

fn product(mut extents: impl Iterator<Item = usize>) -> Option<usize> {
    extents.try_fold(1usize, usize::checked_mul)
}

impl Operation for Reshape {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = arguments[0].dtype;
        if self.to.iter().filter(|extent| extent.is_none()).count() > 1 {
            return Err(self.wrong(arguments[0].shape.clone()));
        }
        if let Some(own) = arguments[0].shape.extents() {
            let found = self.found(&own)?;
            return Ok(Inferred { dtype, shape: Shape::from(&found[..]) });
        }
        let left = || arguments[0].dims().map_or(Dim::UNKNOWN, |own| self.left(own));
        let shape = self.to.iter().map(|extent| extent.map_or_else(left, Dim::Known)).collect();
        Ok(Inferred { dtype, shape })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let Ok(own) = arguments[0].shape() else { return arguments[0].clone() };
        match self.found(own) {
            Ok(to) => arguments[0].reshape(&to),
            Err(error) => Err(error.of("reshape")).into(),
        }
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..1)
    }

    fn write(&self, to: &mut Writer) {
        to.list("to", self.to.iter().map(|extent| extent.map_or("-1".to_owned(), |n| n.to_string())));
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        back.reshaped()
    }
}

/// The only extent of a shape that is no number, if it is a name and a target has it as well, and besides it as many
/// elements as the shape.
fn left_over<'d>(dims: &'d [Dim], target: &[Entry]) -> Option<&'d Dim> {
    let mut open = dims.iter().filter(|dim| dim.known().is_none());
    let (Some(left @ Dim::Symbol(_)), None) = (open.next(), open.next()) else { return None };
    let numbers = dims.iter().filter_map(Dim::known).try_fold(1usize, usize::checked_mul)?;
    let wanted = target.iter().try_fold(1usize, |product, entry| match entry {
        Entry::Int(n) => product.checked_mul(usize::try_from(*n).ok()?),
        _ => Some(product),
    })?;
    let names = target.iter().filter(|entry| !matches!(entry, Entry::Int(_))).count();
    (names == 1 && numbers == wanted && numbers > 0).then_some(left)
}

/// See [`Kind::ReshapeTo`](super::Kind::ReshapeTo): the operand, and the extents as an array of one axis; one of them may
/// be -1.
#[derive(Clone, Debug)]
pub struct ReshapeTo;

impl ReshapeTo {
    pub(super) fn read(_: &mut Attributes<'_>) -> Result<ReshapeTo, Error> {
        Ok(ReshapeTo)
    }
}

impl Operation for ReshapeTo {
    fn count(&self) -> Count {
        Count::Exactly(2)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        super::slice_by::check_vector(arguments[1])?;
        let entries = vector(arguments[1]);
        let entries = entries.map(|entries| {
            entries
                .into_iter()
                .map(|entry| if entry == Entry::Int(-1) { Entry::Unknown } else { entry })
                .collect()
        });
        Ok(Inferred { dtype: arguments[0].dtype, shape: target(entries)? })
    }

    fn settled(&self, arguments: &[&Node]) -> Result<Option<Settled>, Error> {
        let Some(entries) = arguments[1].entries() else { return Ok(None) };
        // What is not known may not fit, which is an error when it runs; but for an extent that is what is left for sure.
        let left = arguments[0].dims().and_then(|dims| left_over(dims, entries));
        let to: Option<Vec<i64>> = entries
            .iter()
            .map(|entry| match entry {
                Entry::Int(n) => Some(*n),
                Entry::Extent(dim) => (left == Some(dim)).then_some(-1),
                Entry::Unknown => None,
            })
            .collect();
        Ok(match to {
            Some(to) => Some(Settled::first(1, Reshape::from_integers(&to)?)),
            None => None,
        })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let reshape = integers(&arguments[1]).and_then(|to| Reshape::from_integers(&to));
        match reshape {
            Ok(reshape) => reshape.run(&arguments[..1]),
            Err(error) => Err(error.of("reshape_to")).into(),
        }
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..1)
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        back.reshaped()
    }
}
