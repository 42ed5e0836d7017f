//! Makes expressions of a part of what they are made of.

use std::collections::HashMap;

use smallvec::smallvec;

use super::super::{Array, Expression, Form};
use super::carried::{Carried, Last};
use super::cut::{Cut, Span, Spots};
use crate::engine;
use crate::error::Error;
use crate::layout::Layout;

/// Makes the expression of a part.
pub(super) struct Narrower<'c> {
    /// Memo: the narrowed array for an address and a cut. The original is kept alive, so that its address stays
    /// its own.
    made: HashMap<(usize, Cut), (Array, Array)>,
    /// What is needed as a whole. If one is not computed yet, this pass only looks for more, and its result is dropped.
    pub(super) whole: Vec<Array>,
    /// What the next part needs of this one.
    pub(super) lasts: Vec<Last>,
    pub(super) carried: &'c mut Carried,
    /// The bytes that a part has at most.
    pub(super) bytes: usize,
    /// How many rows are done together in any case.
    pub(super) together: Option<usize>,
}

impl Narrower<'_> {
    pub(super) fn new(carried: &mut Carried, bytes: usize) -> Narrower<'_> {
        Narrower { made: HashMap::new(), whole: vec![], lasts: vec![], carried, bytes, together: None }
    }

    /// Whether something that is needed as a whole is not computed yet.
    pub(super) fn waits(&self) -> bool {
        self.whole.iter().any(|array| !array.is_ready())
    }

    /// The part of an array that a cut leaves; all of it, computed first, if nothing is cut. Recursion is safe: the depth of
    /// expressions is limited.
    pub(super) fn narrowed(&mut self, array: &Array, cut: &Cut) -> Result<Array, Error> {
        if cut.is_none() {
            self.whole.push(array.clone());
            return Ok(array.clone());
        }
        let key = (array.node().address(), cut.clone());
        if let Some((_, made)) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let expression = match array.node().value() {
            Some(_) => None,
            None => array.node().expression().and_then(|own| own.clone()),
        };
        let made = match expression {
            Some(expression) => self.made_of(array, &expression, cut)?,
            // It is there, or somebody computed it meanwhile.
            None => cut.of(array, &Cut::none(cut.0.len())),
        };
        made.check()?;
        self.made.insert(key, (array.clone(), made.clone()));
        Ok(made)
    }

    fn made_of(&mut self, array: &Array, expression: &Expression, cut: &Cut) -> Result<Array, Error> {
        let arguments = &expression.arguments;
        let rank = |argument: &Array| argument.node().shape().len();
        let shape = cut.shape(array.node().shape());
        let mut narrow = arguments.clone();
        let mut form = expression.form.clone();
        match &expression.form {
            Form::Apply(_, read) => {
                for (place, argument) in arguments.iter().enumerate() {
                    let own = match read {
                        Some(read) => cut.through(&read[place], rank(argument)),
                        None => cut.clone(),
                    };
                    narrow[place] = self.narrowed(argument, &own)?;
                }
            }
            Form::Convert(_) => narrow[0] = self.narrowed(&arguments[0], cut)?,
            Form::Read(axes) => {
                let own = cut.through(axes, rank(&arguments[0]));
                return Ok(self.narrowed(&arguments[0], &own)?.laid(shape, axes.clone()));
            }
            Form::Reduce(_, folded) => return self.folded(array, expression, folded, cut),
            Form::View(layout) => {
                let Some((own, layout)) = viewed(layout, arguments[0].node().shape(), cut) else {
                    return Ok(self.cut_whole(array, cut));
                };
                narrow[0] = self.narrowed(&arguments[0], &own)?;
                form = Form::View(Box::new(layout));
            }
            Form::Update(place, op, read) => {
                if place.elements() == 0 {
                    return self.narrowed(&arguments[0], cut);
                }
                let Some(spots) = Spots::of(place, array.node().shape()) else {
                    return Ok(self.cut_whole(array, cut));
                };
                narrow[0] = self.narrowed(&arguments[0], cut)?;
                let Some((shown, layout)) = spots.shown(cut) else { return Ok(narrow[0].clone()) };
                let mut own = shown.through(read, rank(&arguments[1]));
                let spans = shown.0.iter().zip(read).zip(place.shape());
                let stretched =
                    spans.into_iter().any(|((span, own), &n)| span.is_some() && own.is_none() && n > 1);
                if own.is_none() && !stretched {
                    // All of it, but only here, so it is not computed ahead.
                    own = Cut::all(arguments[1].node().shape());
                }
                narrow[1] = self.narrowed(&arguments[1], &own)?;
                form = Form::Update(Box::new(layout), *op, read.clone());
            }
            Form::Call(call) => return self.called(array, call, arguments, cut),
        }
        Ok(Array::lazy(shape, array.node().dtype(), Expression { form, arguments: narrow }))
    }

    /// Some of the folds of a reduction. The form of a fold depends on how many elements are beside each other in its inner
    /// axes, so there are always enough of them.
    fn folded(
        &mut self,
        array: &Array,
        expression: &Expression,
        folded: &[usize],
        cut: &Cut,
    ) -> Result<Array, Error> {
        let argument = &expression.arguments[0];
        let (own, shape) = (argument.node().shape(), array.node().shape());
        let mut wide = cut.clone();
        for &axis in folded {
            wide.0[axis] = None;
        }
        let behind = folded.last().map_or(0, |axis| axis + 1);
        let reduced = folded.iter().map(|&axis| own[axis]).product();
        let inner = |cut: &Cut| cut.shape(shape)[behind..].iter().product::<usize>();
        let fewest = engine::alike(engine::Extents::new(1, reduced, inner(&Cut::none(shape.len()))));
        for axis in (behind..shape.len()).rev() {
            let Some(span) = wide.0[axis] else { continue };
            let length = span.stop - span.start;
            let beside = (inner(&wide) / length.max(1)).max(1);
            wide.0[axis] = Some(widened(span, fewest.div_ceil(beside), shape[axis]));
        }
        if wide.is_none() {
            return Ok(self.cut_whole(array, cut));
        }
        let arguments = smallvec![self.narrowed(argument, &wide)?];
        let made = Expression { form: expression.form.clone(), arguments };
        Ok(cut.of(&Array::lazy(wide.shape(shape), array.node().dtype(), made), &wide))
    }

    /// Some of what is computed whole.
    pub(super) fn cut_whole(&mut self, array: &Array, cut: &Cut) -> Array {
        self.whole.push(array.clone());
        cut.of(array, &Cut::none(cut.0.len()))
    }
}

/// The span, grown to so many at least within the axis.
fn widened(span: Span, least: usize, extent: usize) -> Span {
    let least = least.max(span.stop - span.start).min(extent);
    let start = span.start.min(extent - least);
    Span { start, stop: start + least }
}

/// A cut of a view: what of the elements it needs, and how it lies in that; none if some of it reaches all of them.
fn viewed(layout: &Layout, own: &[usize], cut: &Cut) -> Option<(Cut, Layout)> {
    if let Some(spots) = Spots::of(layout, own) {
        return spots.viewed(cut);
    }
    // Rows go on in the next ones: what lies between the first element and the last, as far as that is said by a span.
    let part = layout.select(&cut.index(&Cut::none(cut.0.len()))).ok()?;
    let reach = part.reach();
    let mut needed = Cut::none(own.len());
    let (mut first, mut row) = (0, own.iter().product::<usize>());
    let (all, mut count) = (row, row);
    for (span, &extent) in needed.0.iter_mut().zip(own).filter(|(_, extent)| **extent != 1) {
        row /= extent;
        let (start, stop) = ((reach.start - first) / row, (reach.end - first).div_ceil(row));
        *span = Some(Span { start, stop });
        first += start * row;
        count = (stop - start) * row;
        if stop - start > 1 {
            break;
        }
    }
    // What lies together goes over an end only now and then.
    let together = reach.len() == part.elements();
    if count == all && !together && part.elements() < layout.elements() {
        return None;
    }
    Some((needed, Layout::strided(part.shape(), part.strides(), part.offset() - first, count)?))
}
