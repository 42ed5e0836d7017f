//! A graph for those who know few rules of broadcasting: what other rules lay is written out as axes put where they lie and
//! one of the plainest rules, and what undoes a broadcast as sums. And parts put into arrays as scatters.
//!
//! Writers of files need it where extents are known only when the graph runs; all other broadcasts are settled already.

use std::borrow::Cow;

use ndcast_shape::rule::{Rule, array_api, onnx, openvino};
use ndcast_shape::{Dim, Extent};

use super::kind::{
    Broadcast, Concatenate, Convert, Fit, Lay, Reduce, Reshape, ReshapeTo, Scatter, Slice, SliceBy, Transpose,
};
use super::{Graph, Id, Kind, Node};
use crate::array::Keep;
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::reduction::Reduction;

impl Graph {
    /// The same graph without other rules than these and [`array_api::JOIN`], [`array_api::BROADCAST_TO`] and
    /// [`onnx::EXPAND`], as far as the ranks are known that it takes to say so.
    ///
    /// DIFFERENCE: where extents turn out not to go together by the rule, but do by the plain ones, there is no error.
    pub(crate) fn with_rules(&self, own: &[&'static Rule]) -> Result<Cow<'_, Graph>, Error> {
        let plain = [&array_api::JOIN, &array_api::BROADCAST_TO, &onnx::EXPAND];
        let other = |kind: &Kind| match kind {
            Kind::Fit(fit) => !own.contains(&fit.rule) && !plain.contains(&fit.rule),
            Kind::Unfit(_) => true,
            _ => false,
        };
        if !self.nodes().any(|(_, node)| other(node.kind())) {
            return Ok(Cow::Borrowed(self));
        }
        let copied = self.copied(
            |_, node| node.shape().clone(),
            |to, node, ids| match node.kind() {
                Kind::Fit(fit) if other(node.kind()) => to.fitted(fit, ids),
                Kind::Unfit(unfit) => to.unfitted(&unfit.0, ids),
                kind => to.add(kind.clone(), ids),
            },
        );
        copied.map(Cow::Owned)
    }

    /// The same graph with parts put into arrays as scatters, for those nodes for which the function says so.
    pub(crate) fn with_scatters(&self, other: impl Fn(&Kind) -> bool) -> Result<Cow<'_, Graph>, Error> {
        let other = |kind: &Kind| matches!(kind, Kind::Insert(_) | Kind::InsertBy(_)) && other(kind);
        if !self.nodes().any(|(_, node)| other(node.kind())) {
            return Ok(Cow::Borrowed(self));
        }
        let copied = self.copied(
            |_, node| node.shape().clone(),
            |to, node, ids| match node.kind() {
                kind if other(kind) => to.scattered(kind, ids),
                kind => to.add(kind.clone(), ids),
            },
        );
        copied.map(Cow::Owned)
    }

    /// A part at the places that are found as it would be: the same part of an array of all places, counted through.
    fn scattered(&mut self, kind: &Kind, ids: &[Id]) -> Result<Id, Error> {
        let (x, part) = (ids[0], ids[1]);
        let shape = self.shape_of(x)?;
        let count = self.fold(Reduction::Prod, shape, &[0], Keep::Nothing)?;
        let places = self.counted(count)?;
        let places = self.add(ReshapeTo, &[places, shape])?;
        let places = match kind {
            Kind::Insert(insert) => self.add(Slice { index: insert.index.clone() }, &[places])?,
            Kind::InsertBy(insert) => {
                let by: Vec<Id> = std::iter::once(places).chain(ids[2..].iter().copied()).collect();
                self.add(SliceBy { axes: insert.axes.clone() }, &by)?
            }
            kind => return self.add(kind.clone(), ids),
        };
        let flat = || Reshape { to: vec![None] };
        let (x, places, part) =
            (self.add(flat(), &[x])?, self.add(flat(), &[places])?, self.add(flat(), &[part])?);
        let made = self.add(Scatter { axis: 0, with: None }, &[x, places, part])?;
        self.add(ReshapeTo, &[made, shape])
    }

    fn fitted(&mut self, fit: &Fit, ids: &[Id]) -> Result<Id, Error> {
        if *fit.rule == openvino::BROADCAST_BIDIRECTIONAL {
            return self.add(Fit::new(&onnx::EXPAND, 1, 0), ids);
        }
        let nodes = ids.iter().map(|&id| self.node(id)).collect::<Result<Vec<_>, _>>()?;
        let Some(places) = fit.places(&nodes)? else { return self.add(fit.clone(), ids) };
        let mut laid = Vec::with_capacity(fit.operands);
        for (&id, places) in ids.iter().zip(&places) {
            let lay = places.iter().map(|place| place.map_or(Lay::New(1), Lay::Axis));
            laid.push(self.add(Broadcast::new(lay), &[id])?);
        }
        let x = laid[fit.operand];
        match ids.get(fit.operands).filter(|_| fit.has_target()) {
            None => self.add(Fit::join(fit.operands, fit.operand), &laid),
            Some(&target) => self.over(x, target),
        }
    }

    /// What lies over the result of a broadcast, summed to the shape of the operand.
    fn unfitted(&mut self, fit: &Fit, ids: &[Id]) -> Result<Id, Error> {
        let (d, operand) = (ids[0], ids[1 + fit.operand]);
        let nodes = ids[1..].iter().map(|&id| self.node(id)).collect::<Result<Vec<&Node>, _>>()?;
        let whole = Kind::Unfit(super::kind::Unfit(fit.clone()));
        let (Some(places), Some(dims)) = (fit.places(&nodes)?, nodes[fit.operand].dims()) else {
            return self.add(whole, ids);
        };
        let Some(over) = self.node(d)?.dims() else { return self.add(whole, ids) };
        let (places, dims, over) = (&places[fit.operand], dims.to_vec(), over.to_vec());
        let new: Vec<usize> = (0..places.len()).filter(|&place| places[place].is_none()).collect();
        let walked: Vec<(usize, Dim)> =
            places.iter().zip(over).filter_map(|(place, dim)| Some(((*place)?, dim))).collect();
        let mut d = d;
        if !new.is_empty() {
            d = self.add(Reduce { reduction: Reduction::Sum, axes: new, keep: Keep::Nothing }, &[d])?;
        }
        if walked.windows(2).any(|pair| pair[0].0 > pair[1].0) {
            let mut order: Vec<usize> = (0..walked.len()).collect();
            order.sort_by_key(|&place| walked[place].0);
            d = self.add(Transpose::new(order), &[d])?;
        }
        for (axis, over) in walked {
            let own = &dims[axis];
            if own.is_one() && !over.is_one() {
                d = self.fold(Reduction::Sum, d, &[axis], Keep::Axes)?;
            } else if own.may_be_one() && !own.same(&over) {
                d = self.perhaps_summed(d, operand, axis)?;
            }
        }
        Ok(d)
    }

    /// The sum along an axis if the operand's extent there turns out to be 1, else what is there: the one before the other, and of
    /// both the part that it is.
    fn perhaps_summed(&mut self, d: Id, operand: Id, axis: usize) -> Result<Id, Error> {
        let sum = self.fold(Reduction::Sum, d, &[axis], Keep::Axes)?;
        let both = self.add(Concatenate { axis }, &[sum, d])?;
        let extent = self.extents_of(operand, &[axis])?;
        let one = self.integers(&[1])?;
        let is_other = self.apply(Op::NotEqual, &[extent, one])?;
        let start = self.add(Convert { to: DType::I64, overflow: Overflow::Numpy }, &[is_other])?;
        let stop = self.apply(Op::Add, &[start, extent])?;
        self.add(SliceBy { axes: vec![axis] }, &[both, start, stop, one])
    }
}
