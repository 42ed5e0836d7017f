//! The functions of tensors, of a part of what they are called with.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::super::{Array, Call, Called, Expression, Extents, Form};
use super::carried::{Fold, Last};
use super::cut::{Cut, Span};
use super::narrower::Narrower;
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::as_i64;

impl Narrower<'_> {
    pub(super) fn called(
        &mut self,
        array: &Array,
        call: &Arc<Call>,
        arguments: &[Array],
        cut: &Cut,
    ) -> Result<Array, Error> {
        let (shape, dtype) = (array.node().shape(), array.node().dtype());
        let mut wide = cut.clone();
        match &call.called {
            Called::Unwritten => return Ok(Array::unwritten(&cut.shape(shape), dtype)),
            Called::Put(numbers) => return self.put(shape, numbers, arguments, cut),
            Called::Take(axis) => return self.taken(array, (call, *axis), arguments, cut),
            Called::Accumulate(_, axis) => {
                if let Some(span) = cut.0[*axis] {
                    let mut others = cut.clone();
                    others.0[*axis] = None;
                    let fold = Fold { array: array.clone(), axis: *axis, others };
                    return self.run_on(call, &arguments[0], fold, span);
                }
            }
            Called::MatMul(blocks) => {
                let rows = shape.len() - 2;
                for (axis, block) in [(rows, blocks.rows), (rows + 1, blocks.columns)] {
                    wide.0[axis] = wide.0[axis].map(|span| in_blocks(span, block, shape[axis]));
                }
                if wide.0[rows] != cut.0[rows] {
                    self.together = Some(blocks.rows);
                }
            }
            Called::Recur(_) | Called::TakeAlong(_) | Called::PutAlong(..) | Called::Other(_) => {}
        }
        for (axis, span) in wide.0.iter_mut().enumerate() {
            if call.walked.iter().all(|walked| walked[axis].is_none()) {
                *span = None;
            }
        }
        if wide.is_none() {
            return Ok(self.cut_whole(array, cut));
        }
        let mut narrow: SmallVec<[Array; 3]> = smallvec![];
        for (argument, walked) in arguments.iter().zip(&call.walked) {
            narrow.push(self.narrowed(argument, &wide.through(walked, argument.node().shape().len()))?);
        }
        Ok(cut.of(&again(call, narrow, wide.shape(shape), dtype), &wide))
    }

    /// Some steps of a running fold, which goes on from the one before. It is done one after the other in any case, so its
    /// bits are those of the whole.
    fn run_on(&mut self, call: &Arc<Call>, argument: &Array, fold: Fold, span: Span) -> Result<Array, Error> {
        let (axis, dtype) = (fold.axis, fold.array.node().dtype());
        let mut cut = fold.others.clone();
        cut.0[axis] = Some(span);
        let rows = self.narrowed(argument, &cut)?;
        if self.waits() {
            return Ok(rows);
        }
        let steps = as_i64(span.stop - span.start);
        let made = if span.start == 0 {
            let shape = rows.node().shape().into();
            again(call, smallvec![rows], shape, dtype)
        } else {
            let before = self.carried.before(&fold, span, self.bytes)?;
            let joined = Array::concatenate(&[&before, &rows], axis);
            let shape = joined.shape()?.into();
            again(call, smallvec![joined], shape, dtype).between(axis, 1, steps + 1)
        };
        if span.stop < fold.array.node().shape()[axis] {
            let row = made.between(axis, steps - 1, steps).copy();
            self.lasts.push(Last { fold, span, row });
        }
        Ok(made)
    }

    /// Some rows by their numbers. If all that they are taken of is larger than a part, it is only what lies between the
    /// least and the greatest number.
    fn taken(
        &mut self,
        array: &Array,
        (call, axis): (&Arc<Call>, usize),
        arguments: &[Array],
        cut: &Cut,
    ) -> Result<Array, Error> {
        let [all, numbers] = arguments else { return Ok(self.cut_whole(array, cut)) };
        let (own, dtype) = (all.node().shape(), all.node().dtype());
        let among = cut.through(&call.walked[1], numbers.node().shape().len());
        let mut numbers = self.narrowed(numbers, &among)?;
        let mut of_all = cut.through(&call.walked[0], own.len());
        let bytes = of_all.shape(own).iter().fold(dtype.size().unwrap_or(1), |all, &n| all.saturating_mul(n));
        if bytes > self.bytes && !all.is_ready() && !among.is_none() {
            if self.waits() {
                return Ok(cut.of(array, &Cut::none(cut.0.len())));
            }
            let places = numbers.places_from_start(own[axis], axis, "take");
            let found = places.to_vec::<i64>()?;
            let [least, greatest] = [found.iter().min(), found.iter().max()].map(|n| n.copied().unwrap_or(0));
            let place = |n: i64| usize::try_from(n).unwrap_or(0);
            of_all.0[axis] = Some(Span { start: place(least), stop: place(greatest) + 1 });
            numbers = places - Array::scalar(least);
        }
        let narrow = smallvec![self.narrowed(all, &of_all)?, numbers];
        Ok(again(call, narrow, cut.shape(array.node().shape()), dtype))
    }

    /// What is put into a part.
    fn put(
        &mut self,
        shape: &[usize],
        numbers: &[usize],
        arguments: &[Array],
        cut: &Cut,
    ) -> Result<Array, Error> {
        let into = self.narrowed(&arguments[0], cut)?;
        let values = self.narrowed(&arguments[1], &Cut::none(1))?;
        let part = cut.shape(shape);
        let (mut here, mut which) = (vec![], vec![]);
        for (value, &number) in (0i64..).zip(numbers) {
            let (mut rest, mut row, mut place) = (number, 1, Some(0));
            for axis in (0..shape.len()).rev() {
                let start = cut.0[axis].map_or(0, |span| span.start);
                let at = (rest % shape[axis]).checked_sub(start).filter(|&at| at < part[axis]);
                place = place.zip(at).map(|(place, at)| place + at * row);
                rest /= shape[axis];
                row *= part[axis];
            }
            if let Some(place) = place {
                here.push(place);
                which.push(value);
            }
        }
        if here.is_empty() {
            return Ok(into);
        }
        Ok(into.put(&here, values.take(&Array::new(&[which.len()], &which), 0)))
    }
}

/// The same function of other arguments.
fn again(call: &Arc<Call>, arguments: SmallVec<[Array; 3]>, shape: Extents, dtype: DType) -> Array {
    Array::lazy(shape, dtype, Expression { form: Form::Call(Arc::clone(call)), arguments })
}

/// The span grown to whole blocks, and never to a single row if there are more: a product of one row takes another path,
/// depending on its strides.
fn in_blocks(span: Span, block: usize, extent: usize) -> Span {
    let start = span.start / block * block;
    let stop = span.stop.next_multiple_of(block).min(extent);
    Span { start: if stop - start == 1 { start.saturating_sub(block) } else { start }, stop }
}
