//! Sorting: an array beside the numbers of its places, of which those are taken that are wanted.

use std::iter::zip;

use ndcast_shape::{Dim, Shape};

use super::extents::Size;
use super::region::Region;
use super::{Says, Typed, Value, Writer};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::Argsort;
use crate::graph::{Id, Node};
use crate::layout::as_i64;

impl Writer<'_> {
    /// The places; the elements themselves are the operation's other value.
    pub(super) fn argsort(
        &mut self,
        id: Id,
        sort: &Argsort,
        operands: &[Value],
        typed: &Typed,
    ) -> Result<Value, Error> {
        let x = operands[0];
        let (dtype, shape) = self.typed(x).clone();
        if dtype.class() == Class::Complex {
            return Err(Error::value("complex numbers are not compared as a whole".to_owned()));
        }
        let to = DType::I32;
        let places = self.places_along(x, sort.axis)?;
        let says = Says::Sort(sort.axis, Region::of_order(sort.direction, sort.order, dtype, to)?);
        let types = [(dtype, shape.clone()), (to, shape)];
        let step = self.step("sort", &[x, places], &says, &types)?;
        let [_, places] = types;
        let places = self.taken(&step, 1, places)?;
        let first = self.first(places, sort.axis, operands.get(1).copied(), &typed.1)?;
        self.sorted.insert(id, step);
        self.convert(first, sort.to)
    }

    /// The numbers 0, 1, 2, ... along an axis, in an array's shape.
    pub(super) fn places_along(&mut self, x: Value, axis: usize) -> Result<Value, Error> {
        let typed = (DType::I32, self.typed(x).1.clone());
        if typed.1.extents().is_some() {
            return self.operation("iota", &[], &Says::Axis(axis), typed);
        }
        let rank = self.dims(x)?.len();
        let sizes = (0..rank).map(|axis| self.size_of(x, axis)).collect::<Result<Vec<_>, _>>()?;
        let target = self.shape_of(&sizes)?;
        self.operation("dynamic_iota", &[target], &Says::Axis(axis), typed)
    }

    /// The elements in order, if those of a node are that: what the sort of their places gave beside these.
    pub(super) fn elements_in_order(
        &mut self,
        axis: usize,
        node: &Node,
        typed: &Typed,
    ) -> Result<Option<Value>, Error> {
        let Some(sort) = self.graph.sort_of(node) else { return Ok(None) };
        let Some(step) = self.sorted.get(&sort).cloned() else { return Ok(None) };
        let arguments = self.graph.at(sort).arguments();
        let count = arguments.get(1).map(|&count| self.of(count)).transpose()?;
        let whole = self.typed(self.of(arguments[0])?).clone();
        let elements = self.taken(&step, 0, whole)?;
        self.first(elements, axis, count, &typed.1).map(Some)
    }

    /// The first so many along an axis.
    fn first(
        &mut self,
        value: Value,
        axis: usize,
        count: Option<Value>,
        shape: &Shape,
    ) -> Result<Value, Error> {
        let Some(count) = count else { return Ok(value) };
        let typed = (self.dtype(value), shape.clone());
        let dims = self.dims(value)?;
        let known = shape.extents().filter(|_| dims.iter().all(|dim| matches!(dim, Dim::Known(_))));
        if let Some(extents) = known {
            let ranges = extents.iter().map(|&extent| [0, as_i64(extent), 1]);
            return self.operation("slice", &[value], &Says::Ranges(ranges.collect()), typed);
        }
        let mut limits = Vec::with_capacity(dims.len());
        for (own, dim) in zip(0.., shape.dims().unwrap_or_default()) {
            limits.push(match dim {
                Dim::Known(extent) if own == axis => Size::Known(*extent),
                _ if own == axis => {
                    let count = self.convert(count, DType::I32)?;
                    Size::Value(self.reshaped(count, &[])?)
                }
                _ => self.size_of(value, own)?,
            });
        }
        let rank = dims.len();
        let [starts, strides] = [0, 1].map(|number| self.shape_of(&vec![Size::Known(number); rank]));
        let (starts, strides, limits) = (starts?, strides?, self.shape_of(&limits)?);
        let operands = [value, starts, limits, strides];
        self.operation("real_dynamic_slice", &operands, &Says::Nothing, typed)
    }
}
