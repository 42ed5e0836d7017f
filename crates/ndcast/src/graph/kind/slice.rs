//! Parts of an array, the place of a part, and axes in another order.

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Index, Shape, indexed, parse_index};

use super::{Carries, Inferred, Operation};
use crate::array::Array;
use crate::error::{Error, ErrorKind};
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::Node;
use crate::layout::as_i64;

/// See [`Kind::Transpose`](super::Kind::Transpose): axis `i` of the result is axis `order[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transpose {
    /// The operand's axes in the order of the result's.
    pub order: Vec<usize>,
}

impl Transpose {
    /// In this order.
    pub fn new(order: impl IntoIterator<Item = usize>) -> Transpose {
        Transpose { order: order.into_iter().collect() }
    }

    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Transpose, Error> {
        attributes.list::<usize>("order").map(Transpose::new)
    }

    /// The order that undoes it.
    pub(crate) fn inverse(&self) -> Transpose {
        let place = |axis| self.order.iter().position(|&from| from == axis).unwrap_or(axis);
        Transpose::new((0..self.order.len()).map(place))
    }
}

impl Operation for Transpose {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let mut sorted = self.order.clone();
        sorted.sort_unstable();
        let rank = arguments[0].shape.rank().unwrap_or(self.order.len());
        if sorted.len() != rank || sorted.iter().enumerate().any(|(place, &axis)| place != axis) {
            let order: Vec<i64> = self.order.iter().map(|&axis| as_i64(axis)).collect();
            return Err(Error::new(ErrorKind::Order { order, rank }));
        }
        let shape = match arguments[0].dims() {
            Some(dims) => self.order.iter().map(|&axis| dims[axis].clone()).collect(),
            None => Shape::from(vec![Dim::UNKNOWN; rank]),
        };
        Ok(Inferred { dtype: arguments[0].dtype, shape })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        arguments[0].transpose(&self.order)
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..1)
    }

    fn write(&self, to: &mut Writer) {
        to.list("order", &self.order);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let d = back.d();
        let d = back.add(self.inverse(), &[d])?;
        Ok(back.only(0, d))
    }
}

/// See [`Kind::Slice`](super::Kind::Slice): basic indexing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The basic index.
    pub index: Vec<Index>,
}

fn read_index(attributes: &mut Attributes<'_>) -> Result<Vec<Index>, Error> {
    let text = attributes.text("index").ok_or_else(|| Error::value("`index=` is missing".to_owned()))?;
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    Ok(parse_index(inside)?)
}

/// The shape of what an index selects of a node.
fn selected(node: &Node, index: &[Index]) -> Result<Shape, Error> {
    match node.dims() {
        Some(dims) => Ok(indexed(dims, index)?.into()),
        None => Ok(Shape::UNRANKED),
    }
}

impl Slice {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Slice, Error> {
        Ok(Slice { index: read_index(attributes)? })
    }
}

impl Operation for Slice {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        Ok(Inferred { dtype: arguments[0].dtype, shape: selected(arguments[0], &self.index)? })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        arguments[0].select(&self.index)
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..1)
    }

    fn write(&self, to: &mut Writer) {
        to.list("index", &self.index);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let zeros = back.zeros_like_argument(0)?;
        let d = back.d();
        let d = back.add(Insert { index: self.index.clone() }, &[zeros, d])?;
        Ok(back.only(0, d))
    }
}

/// See [`Kind::Insert`](super::Kind::Insert).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insert {
    /// The place of the second argument in the first.
    pub index: Vec<Index>,
}

impl Insert {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Insert, Error> {
        Ok(Insert { index: read_index(attributes)? })
    }
}

impl Operation for Insert {
    fn count(&self) -> Count {
        Count::Exactly(2)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = super::elementwise::one_type(arguments)?;
        let place = selected(arguments[0], &self.index)?;
        check_part(&place, arguments[1])?;
        Ok(Inferred { dtype, shape: arguments[0].shape.clone() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let mut into = arguments[0].clone();
        let (place, part) = (into.select(&self.index), &arguments[1]);
        match (place.shape(), part.shape()) {
            (Ok(place), Ok(part)) if place != part => Err(other_shape(&place.into(), &part.into())).into(),
            _ => {
                into.set(&self.index, part);
                into
            }
        }
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..2)
    }

    fn write(&self, to: &mut Writer) {
        to.list("index", &self.index);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let d = back.d();
        let zeros = back.zeros_like_argument(1)?;
        let into = back.add(self.clone(), &[d, zeros])?;
        let part = back.add(Slice { index: self.index.clone() }, &[d])?;
        Ok(smallvec::smallvec![Some(into), Some(part)])
    }
}

/// Checks that a part has the shape of its place.
pub(super) fn check_part(place: &Shape, part: &Node) -> Result<(), Error> {
    use ndcast_shape::Extent;
    let fits = match (place.dims(), part.dims()) {
        (Some(place), Some(part)) => {
            place.len() == part.len() && place.iter().zip(part).all(|(a, b)| a.meet(b).is_some())
        }
        _ => true,
    };
    if fits {
        return Ok(());
    }
    Err(other_shape(place, &part.shape))
}

fn other_shape(place: &Shape, part: &Shape) -> Error {
    Error::value(format!("the part has shape {}, and its place {}", part.brief(), place.brief()))
}
