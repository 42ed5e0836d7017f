//! Sorting: where along an axis the elements are that a sorted array has, all of them or the first so many. The elements
//! themselves are taken by these places, so there is one kind for both, and their gradient is that of what is taken.

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Extent, Shape};

use super::fit::integers;
use super::{Inferred, Operation, Settled};
use crate::array::{Array, Direction, check_ordered};
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::Node;
use crate::layout::LayoutError;

/// In which order elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As numbers: both zeros are equal, and NaN is greater than all others.
    Numbers,
    /// As IEEE 754 orders floats totally: -0 before 0, and NaN of either sign at its own end.
    Total,
}

/// See [`Kind::Argsort`](super::Kind::Argsort). What is equal stays in its order, in either direction. The second argument, if
/// there is one, is one integer: of the places only the first so many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argsort {
    /// Along this axis.
    pub axis: usize,
    /// Which end is first.
    pub direction: Direction,
    /// In which order the elements are.
    pub order: Order,
    /// The type of the result.
    pub to: DType,
}

const DIRECTIONS: [(&str, Direction); 2] =
    [("ascending", Direction::Ascending), ("descending", Direction::Descending)];
const ORDERS: [(&str, Order); 2] = [("numbers", Order::Numbers), ("total", Order::Total)];

impl Argsort {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Argsort, Error> {
        let direction = attributes.word("direction", &DIRECTIONS)?;
        let order = attributes.word("order", &ORDERS)?;
        Ok(Argsort { axis: attributes.get("axis")?, direction, order, to: attributes.get("to")? })
    }

    /// The extent of the result along the axis, of which the operand has this one.
    fn extent(&self, own: &Dim, count: &Node) -> Result<Dim, Error> {
        if !count.dtype.is_integer() {
            return Err(Error::value(format!("how many are wanted is an integer, and no {}", count.dtype)));
        }
        if let Some(dims) = count.dims()
            && (dims.len() > 1 || dims.first().is_some_and(|dim| dim.meet(&Dim::Known(1)).is_none()))
        {
            let shape = count.shape.brief();
            return Err(Error::value(format!("how many are wanted is one number, and no array of {shape}")));
        }
        let Some([entry]) = count.entries() else {
            return Ok(Dim::between(0, own.known()).unwrap_or(Dim::UNKNOWN));
        };
        let wanted = entry.dim().ok_or_else(|| Error::value(format!("{entry} elements are wanted")))?;
        let most = match own {
            Dim::Known(extent) => Some(*extent),
            Dim::Interval(interval) => interval.max(),
            Dim::Symbol(_) => None,
        };
        match wanted.known().zip(most) {
            Some((wanted, most)) if wanted > most => Err(self.too_many(wanted, own)),
            _ => Ok(wanted),
        }
    }

    fn too_many(&self, wanted: usize, own: &Dim) -> Error {
        let axis = self.axis;
        Error::value(format!("{wanted} elements are wanted along axis {axis}, which has extent {own}"))
    }

    fn places(&self, x: &Array, count: Option<&Array>) -> Result<Array, Error> {
        let keys = if self.order == Order::Total { total(x)? } else { x.clone() };
        let places = keys.argsort(self.axis, self.direction);
        let Some(count) = count else { return Ok(places) };
        let [count] = integers(count)?[..] else {
            return Err(Error::value("how many are wanted is one number".to_owned()));
        };
        let extent = x.shape()?.get(self.axis).copied();
        let extent = extent.ok_or(LayoutError::NoAxis { axis: self.axis, rank: x.rank()? })?;
        let wanted = usize::try_from(count);
        let wanted = wanted.map_err(|_| Error::value(format!("{count} elements are wanted")))?;
        if wanted > extent {
            return Err(self.too_many(wanted, &Dim::Known(extent)));
        }
        Ok(places.between(self.axis, 0, count))
    }
}

/// Integers that are in order as floats are totally: the bits, those but the sign turned where that is set.
fn total(x: &Array) -> Result<Array, Error> {
    let bits = match x.dtype()? {
        DType::F16 | DType::Bf16 => DType::I16,
        DType::F32 => DType::I32,
        DType::F64 => DType::I64,
        _ => return Ok(x.clone()),
    };
    let greatest = match super::fold::greatest(bits) {
        crate::array::Number::Int(n) => i64::try_from(n).unwrap_or(i64::MAX),
        _ => i64::MAX,
    };
    let x = x.bitcast(bits);
    Ok(x.less(0).choose(&(&x ^ greatest), &x))
}

impl Operation for Argsort {
    fn count(&self) -> Count {
        Count::AtLeast(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        if arguments.len() > 2 {
            let found = arguments.len();
            return Err(Error::new(ErrorKind::ArgumentCount { least: 1, most: Some(2), found }));
        }
        let dtype = arguments[0].dtype;
        check_ordered(dtype)?;
        if self.order == Order::Total && dtype.class() == Class::Complex {
            return Err(Error::value("complex numbers have no total order".to_owned()));
        }
        if !self.to.is_integer() {
            return Err(Error::value(format!("the places are integers, and no {}", self.to)));
        }
        let Some(dims) = arguments[0].dims() else {
            return Ok(Inferred { dtype: self.to, shape: Shape::UNRANKED });
        };
        let rank = dims.len();
        let own = dims.get(self.axis).ok_or(LayoutError::NoAxis { axis: self.axis, rank })?;
        let mut shape = dims.to_vec();
        if let Some(count) = arguments.get(1) {
            shape[self.axis] = self.extent(own, count)?;
        }
        Ok(Inferred { dtype: self.to, shape: shape.into() })
    }

    fn settled(&self, arguments: &[&Node]) -> Result<Option<Settled>, Error> {
        let [x, count] = arguments else { return Ok(None) };
        let own = x.dims().and_then(|dims| i64::try_from(dims.get(self.axis)?.known()?).ok());
        let all = own.is_some() && own == count.integers().and_then(|all| all.first().copied());
        Ok(all.then(|| Settled::first(1, self.clone())))
    }

    fn run(&self, arguments: &[Array]) -> Array {
        match self.places(&arguments[0], arguments.get(1)) {
            Ok(places) => places.convert(self.to),
            Err(error) => Err(error.of("argsort")).into(),
        }
    }

    fn write(&self, to: &mut Writer) {
        to.put("axis", self.axis);
        to.word("direction", &DIRECTIONS, &self.direction);
        to.word("order", &ORDERS, &self.order);
        to.put("to", self.to);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        Ok(back.none())
    }
}
