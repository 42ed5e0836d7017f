//! `sort` and `topk`: arrays in the order of some of them, and the greatest or the least of each row.

use ndcast_shape::{Extent, Shape};

use super::{Builder, axes};
use crate::array::Direction as End;
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::graph::Id;
use crate::graph::kind::{Argsort, Convert, Order, TakeAlong};
use crate::layout::as_i64;

/// One sort key; ties are broken by the next key.
#[derive(Clone, Copy, Debug)]
pub struct SortKey {
    /// The array whose elements are compared.
    pub of: Id,
    /// Which end is first.
    pub direction: End,
    /// In which order the elements are.
    pub order: Order,
}

/// Checks that two arrays may have one shape.
fn check_alike(a: &Shape, b: &Shape) -> Result<(), Error> {
    let (own, theirs) = (a.dims().unwrap_or_default(), b.dims().unwrap_or_default());
    if own.len() == theirs.len() && own.iter().zip(theirs).all(|(own, dim)| own.meet(dim).is_some()) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Unequal { shapes: vec![a.clone(), b.clone()] }))
}

impl Builder<'_> {
    /// `sort` of arrays of one shape along an axis, all in the order of the keys. What is equal stays in its order, whether it
    /// must or not.
    ///
    /// ```
    /// use ndcast::graph::kind::Order;
    /// use ndcast::{DType, Direction, Tensor, graph::Graph};
    /// use ndcast::dialect::hlo::{Builder, SortKey};
    /// let mut graph = Graph::new();
    /// let x = graph.input("x", DType::F32, "3".parse()?)?;
    /// let names = graph.input("names", DType::I32, "3".parse()?)?;
    /// let key = SortKey { of: x, direction: Direction::Ascending, order: Order::Numbers };
    /// let sorted = Builder::new(&mut graph).sort(&[x, names], 0, &[key])?;
    /// graph.output("names", sorted[1])?;
    /// let x = Tensor::new(&[3], &[2.5f32, -1.0, 2.0])?;
    /// let names = Tensor::new(&[3], &[7, 8, 9])?;
    /// assert_eq!(graph.run(&[x, names])?[0].to_vec::<i32>()?, [8, 9, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no operand or no key; if shapes differ; if there is no such axis, or no such order of a key's elements.
    pub fn sort(&mut self, operands: &[Id], axis: i64, keys: &[SortKey]) -> Result<Vec<Id>, Error> {
        self.sorted(operands, axis, keys).map_err(|error| error.called("sort"))
    }

    fn sorted(&mut self, operands: &[Id], axis: i64, keys: &[SortKey]) -> Result<Vec<Id>, Error> {
        let (Some(&first), Some((last, others))) = (operands.first(), keys.split_last()) else {
            return Err(Error::value("there is nothing to sort, or to sort by".to_owned()));
        };
        let axis = axes::axis(axis, axes::rank(self.graph, first)?)?;
        let shape = self.graph.node(first)?.shape().clone();
        for id in operands.iter().copied().chain(keys.iter().map(|key| key.of)) {
            check_alike(&shape, self.graph.node(id)?.shape())?;
        }
        // An operand that counts the places becomes them; they are of its type, or of XLA's own unless that is too narrow.
        let mut counting = Vec::with_capacity(operands.len());
        for &operand in operands {
            counting.push(self.counts_along(operand, axis)?.then_some(self.graph.node(operand)?.dtype()));
        }
        let extent = shape.dims().and_then(|dims| dims[axis].known());
        let own =
            if extent.is_some_and(|extent| i32::try_from(extent).is_ok()) { DType::I32 } else { DType::I64 };
        let mut types = counting.iter().copied().flatten();
        let to = types.find(|dtype| matches!(dtype, DType::I32 | DType::I64)).unwrap_or(own);
        let argsort = |key: &SortKey| Argsort { axis, direction: key.direction, order: key.order, to };
        let mut places = self.graph.add(argsort(last), &[last.of])?;
        for key in others.iter().rev() {
            let taken = self.graph.add(TakeAlong { axis }, &[key.of, places])?;
            let again = self.graph.add(argsort(key), &[taken])?;
            places = self.graph.add(TakeAlong { axis }, &[places, again])?;
        }
        let made = operands.iter().zip(counting).map(|(&operand, counts)| match counts {
            Some(dtype) if dtype == to => Ok(places),
            Some(to) => self.graph.add(Convert { to, overflow: Overflow::Numpy }, &[places]),
            None => self.graph.add(TakeAlong { axis }, &[operand, places]),
        });
        made.collect()
    }

    /// `topk` along the last axis, and where they are, as XLA computes it: floats in their total order, the first of equal
    /// ones first.
    ///
    /// # Errors
    /// If the operand has no axis, or elements without an order; if there are fewer.
    pub fn top_k(&mut self, operand: Id, k: i64, direction: End) -> Result<[Id; 2], Error> {
        let called = |error: Error| error.called("topk");
        let rank = axes::rank(self.graph, operand).map_err(called)?;
        let axis = axes::axis(as_i64(rank) - 1, rank).map_err(called)?;
        let k = self.graph.number(k, DType::I64)?;
        let sort = Argsort { axis, direction, order: Order::Total, to: DType::I32 };
        self.graph.sorted(operand, sort, Some(k)).map_err(called)
    }
}
