//! A graph for those who know few rules of broadcasting: what other rules lay is written out as axes put where they lie and
//! one of the plainest rules, and what undoes a broadcast as sums. And parts put into arrays as scatters, and parts that go
//! backwards from before the first element as two.
//!
//! Writers of files need it where extents are known only when the graph runs; all other broadcasts are settled already.

use std::borrow::Cow;

use ndcast_shape::rule::{Rule, array_api, onnx, openvino};
use ndcast_shape::{Dim, Extent, Index};

use super::kind::{
    Broadcast, Concatenate, Convert, Fit, Lay, Reduce, Reshape, ReshapeTo, Scatter, Slice, SliceBy, Transpose,
};
use super::{Graph, Id, Kind, Node};
use crate::array::Keep;
use crate::convert::Overflow;
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;

/// No element of an axis.
const NOTHING: Index = Index::part(Some(0), Some(0));

/// A part of an index, and the extent that it is of, as far as that is known.
type Laid = (Index, Option<usize>);

/// Where a part of an index begins that goes backwards from so many elements before the last one.
fn backwards(part: &Index) -> Option<i64> {
    match *part {
        Index::Slice { start: Some(start), step, .. } if step.get() < 0 && start < -1 => Some(start),
        _ => None,
    }
}

/// Whether a part of an index goes backwards from before the first element, or may do so.
fn begins_before((part, extent): &Laid) -> bool {
    backwards(part).is_some_and(|start| extent.is_none_or(|extent| start < -as_i64(extent)))
}

/// An index as two, one after the other: up to where what goes backwards begins, and from there on.
fn as_two(index: &[Index]) -> [Vec<Index>; 2] {
    let upto = index.iter().filter(|part| **part != Index::New).map(|part| match part {
        Index::Ellipsis => Index::Ellipsis,
        part => backwards(part).map_or(Index::WHOLE, |start| Index::part(None, Some(start + 1))),
    });
    let from = index.iter().map(|part| match (backwards(part), *part) {
        // It stops before it begins.
        (Some(start), Index::Slice { stop: Some(stop), .. }) if (start..0).contains(&stop) => NOTHING,
        // What counts from the end counts from what is the end now.
        (Some(start), Index::Slice { stop, step, .. }) => {
            let stop = stop.map(|stop| if stop < 0 { stop - (start + 1) } else { stop });
            Index::Slice { start: None, stop, step }
        }
        (_, part) => part,
    });
    [upto.collect(), from.collect()]
}

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

    /// The same graph with parts put into arrays as scatters, for those nodes for which the function says so and those whose
    /// place goes backwards from before the first element.
    pub(crate) fn with_scatters(&self, other: impl Fn(&Kind) -> bool) -> Result<Cow<'_, Graph>, Error> {
        let other = |graph: &Graph, node: &Node| match node.kind() {
            kind @ Kind::Insert(insert) => {
                other(kind) || graph.parts_of(node, &insert.index).iter().any(begins_before)
            }
            kind @ Kind::InsertBy(_) => other(kind),
            _ => false,
        };
        if !self.nodes().any(|(_, node)| other(self, node)) {
            return Ok(Cow::Borrowed(self));
        }
        let copied = self.copied(
            |_, node| node.shape().clone(),
            |to, node, ids| match node.kind() {
                kind if other(self, node) => to.scattered(kind, ids),
                kind => to.add(kind.clone(), ids),
            },
        );
        copied.map(Cow::Owned)
    }

    /// The same graph without slices that go backwards from before the first element: by Python's rule they are empty, and formats
    /// begin at the first element. As long as the extent is not known they are two: what lies up to where they begin, and a slice
    /// of that from its last element on.
    pub(crate) fn with_starts_inside(&self) -> Result<Cow<'_, Graph>, Error> {
        let other = |node: &Node| match node.kind() {
            Kind::Slice(slice) => self.parts_of(node, &slice.index).iter().any(begins_before),
            _ => false,
        };
        if !self.nodes().any(|(_, node)| other(node)) {
            return Ok(Cow::Borrowed(self));
        }
        let copied = self.copied(
            |_, node| node.shape().clone(),
            |to, node, ids| match node.kind() {
                Kind::Slice(slice) if other(node) => {
                    let parts = self.parts_of(node, &slice.index);
                    let is_nothing = |part: &Laid| part.1.is_some() && begins_before(part);
                    let part = |part: &Laid| if is_nothing(part) { NOTHING } else { part.0 };
                    let index: Vec<Index> = parts.iter().map(part).collect();
                    if parts.iter().all(|part| is_nothing(part) || !begins_before(part)) {
                        return to.add(Slice { index }, ids);
                    }
                    let [upto, from] = as_two(&index);
                    let part = to.add(Slice { index: upto }, ids)?;
                    to.add(Slice { index: from }, &[part])
                }
                kind => to.add(kind.clone(), ids),
            },
        );
        copied.map(Cow::Owned)
    }

    /// The parts of an index of a node's first argument. Without a rank it is not known which axes they are of.
    fn parts_of(&self, node: &Node, index: &[Index]) -> Vec<Laid> {
        let dims = self.at(node.arguments()[0]).dims();
        match dims.map(|dims| (dims, Index::on_axes(index, dims.len()))) {
            Some((dims, Ok(laid))) => {
                laid.into_iter().map(|(part, axis)| (part, dims.get(axis).and_then(Extent::known))).collect()
            }
            _ => index.iter().map(|part| (*part, None)).collect(),
        }
    }

    /// A part at the places that are found as it would be: the same part of an array of all places, counted through.
    fn scattered(&mut self, kind: &Kind, ids: &[Id]) -> Result<Id, Error> {
        let (x, part) = (ids[0], ids[1]);
        if self.node(part)?.dims().is_some_and(|dims| dims.iter().any(|dim| dim.known() == Some(0))) {
            // Nothing is put.
            return Ok(x);
        }
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
