//! Where along an axis the greatest or the least element is.
//!
//! What is computed on the way is folded as it is computed: first to the greatest, then to the first place where that is,
//! and nothing but the result is in memory. Elements that are in memory are looked through line by line: the fold says which
//! stretch of a line has it, and only that is searched. If they do not lie in such lines, slabs of them are put into lines one
//! after the other.

use std::cmp::Reverse;

use bytemuck::{cast_slice, cast_slice_mut};
use smallvec::smallvec;

use super::evaluate::compact;
use super::lines::each_line;
use super::movement::along;
use super::order::{ForOrdered, Ordered, for_ordered};
use super::{Array, Called, Extents, Keep};
use crate::dtype::{Class, DType};
use crate::engine::Fold;
use crate::error::Error;
use crate::kernel::BLOCK;
use crate::reduction::Reduction;
use crate::simd::{Body, Isa, simd};
use crate::tensor::Tensor;

/// The elements of a stretch.
const STRETCH: usize = 4096;
/// The bytes that are put into lines at once, if there are not so few lines in them.
const SLAB: usize = 1 << 20;
/// The fewest steps of the outermost axis that are put into lines at once: they may lie in one line of the cache. And the most
/// short lines that are folded together.
const LINES: usize = 64;
/// In so many elements one is looked for one by one.
const FEW: usize = 8;
/// A longer line is looked through by several threads.
const LONG: usize = 1 << 16;

impl Array {
    /// Where along an axis the greatest element is: the first one, or the first NaN if there is one. Of truth values it is
    /// the first that is true, or 0 if none is.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[2, 3], &[1, 5, 5, 7, 2, 3]);
    /// assert_eq!(x.argmax(1, Keep::Nothing).to_vec::<i64>()?, [1, 0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn argmax(&self, axis: usize, keep: Keep) -> Array {
        self.place_of(Reduction::Max, "argmax", axis, keep)
    }

    /// Where along an axis the least element is: the first one, or the first NaN if there is one.
    pub fn argmin(&self, axis: usize, keep: Keep) -> Array {
        self.place_of(Reduction::Min, "argmin", axis, keep)
    }

    fn place_of(&self, reduction: Reduction, doing: &'static str, axis: usize, keep: Keep) -> Array {
        let Some(&extent) = self.node().shape().get(axis) else { return self.no_axis(doing, axis) };
        if let Some(fold) = self.in_memory(reduction) {
            let places = self.place_in_lines(Extreme { reduction, fold }, doing, axis);
            return if keep == Keep::Axes { places } else { places.squeeze([axis]) };
        }
        let extreme = self.reduce(reduction, [axis], Keep::Axes).called(reduction.record().name, doing);
        if let Err(error) = extreme.check() {
            return Array::of_error(error);
        }
        let is_it = self.equal(&extreme);
        let is_float = matches!(self.node().dtype().class(), Class::Float);
        let is_it = if is_float { is_it.logical_or(self.isnan()) } else { is_it };
        let after = self.node().shape().len() - axis - 1;
        let mut column: Extents = smallvec![extent];
        column.extend(std::iter::repeat_n(1, after));
        let places = Array::iota(extent, DType::I64).reshape(&column);
        let none = Array::full(&[], i64::MAX, DType::I64);
        is_it.choose(&places, &none).min([axis], keep)
    }

    /// How it is folded, if the elements are in memory.
    fn in_memory(&self, reduction: Reduction) -> Option<Fold> {
        let tensor = self.node().value()?.as_ref().ok()?;
        reduction.of(tensor.dtype()).fold(tensor.dtype()).filter(|_| tensor.elements() > 0)
    }

    fn place_in_lines(&self, extreme: Extreme, doing: &'static str, axis: usize) -> Array {
        let mut shape: Extents = self.node().shape().into();
        shape[axis] = 1;
        let walked = (0..shape.len()).map(|other| (other != axis).then_some(other)).collect();
        let arguments = [(self.clone(), walked)];
        Array::call(Called::Other(doing), arguments, shape, DType::I64, move |tensors, shape| {
            let all = &tensors[0];
            // The axis last, and the others in the order of memory.
            let mut order: Extents = (0..shape.len()).filter(|&other| other != axis).collect();
            order.sort_by_key(|&other| Reverse(all.layout().strides()[other].unsigned_abs()));
            order.push(axis);
            let turned = all.transpose(&order)?;
            let mut shape: Extents = turned.shape().into();
            let line = std::mem::replace(&mut shape[order.len() - 1], 1);
            let mut out = Tensor::uninitialised(&shape, DType::I64)?;
            let lines = out.elements();
            if let Some(to) = out.memory_mut() {
                extreme.places(&turned, line, cast_slice_mut(&mut to[..lines * size_of::<i64>()]))?;
            }
            let mut back = order.clone();
            order.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
            out.transpose(&back)
        })
    }
}

/// Which element is looked for.
#[derive(Clone, Copy)]
struct Extreme {
    reduction: Reduction,
    /// The fold that finds it.
    fold: Fold,
}

impl Extreme {
    /// The places of it along the last axis, whose extent is `line`.
    fn places<'t>(self, all: &Tensor, line: usize, mut to: &'t mut [i64]) -> Result<(), Error> {
        let steps = all.shape()[0];
        let is_whole = all.layout().is_row_major() || all.shape().len() == 1;
        let slab = if is_whole { steps } else { (SLAB / (all.elements() / steps * all.size())).max(LINES) };
        for first in (0..steps).step_by(slab) {
            let [first, last] = [first, steps.min(first + slab)].map(|step| i64::try_from(step).ok());
            let part = compact(&all.select(&along(0, first, last))?)?;
            let from = &part.memory()[..part.elements() * part.size()];
            let now: &'t mut [i64];
            (now, to) = to.split_at_mut(part.elements() / line);
            for_ordered(part.dtype(), Lines { from, line, extreme: self, to: now })?;
        }
        Ok(())
    }

    /// What it is in some elements of a line, and the first of the stretch in which it is.
    fn stretch<T: Ordered>(self, line: &[T]) -> (T, usize) {
        let mut all = line.chunks(STRETCH).zip((0..).step_by(STRETCH)).map(|(stretch, first)| {
            let mut found = [T::zeroed()];
            self.fold.run(cast_slice(stretch), cast_slice_mut(&mut found));
            (found[0], first)
        });
        self.first(&mut all)
    }

    /// The first extreme of all; a NaN wins.
    fn first<T: Ordered>(self, all: &mut impl Iterator<Item = (T, usize)>) -> (T, usize) {
        let mut best = all.next().unwrap_or((T::zeroed(), 0));
        for found in all {
            if is_nan(&best.0) {
                break;
            }
            let order = found.0.order(&best.0);
            if is_nan(&found.0)
                || if self.reduction == Reduction::Max { order.is_gt() } else { order.is_lt() }
            {
                best = found;
            }
        }
        best
    }

    /// The first place of it in a line.
    fn place<T: Ordered>(self, line: &[T]) -> usize {
        let (found, first) = if line.len() <= LONG {
            self.stretch(line)
        } else {
            let mut parts = vec![(T::zeroed(), 0); line.len().div_ceil(LONG)];
            each_line((line, LONG), (&mut parts, 1), |part, found| found[0] = self.stretch(part));
            self.first(
                &mut parts
                    .into_iter()
                    .zip((0..).step_by(LONG))
                    .map(|((found, at), first)| (found, first + at)),
            )
        };
        first + first_place(&line[first..], found)
    }

    /// The places of it in some short lines, which are folded together.
    fn each_place<T: Ordered>(self, lines: &[T], line: usize, to: &mut [i64]) {
        let mut all = [T::zeroed(); LINES];
        let found = &mut all[..to.len()];
        self.fold.rows(cast_slice(lines), line, cast_slice_mut(found));
        simd(Places { lines, line, found, to });
    }
}

/// The first place in each line of what was found there.
struct Places<'l, T> {
    lines: &'l [T],
    line: usize,
    found: &'l [T],
    to: &'l mut [i64],
}

impl<T: Ordered> Body for Places<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        for ((line, &found), to) in self.lines.chunks(self.line).zip(self.found).zip(self.to) {
            *to = first_place(line, found).try_into().unwrap_or(i64::MAX);
        }
    }
}

/// The first place of an element, looked for in so many at a time, and then in fewer. If it is not a number, neither is any
/// other in question.
#[inline(always)]
fn first_place<T: Ordered>(line: &[T], found: T) -> usize {
    if is_nan(&found) { first_of(line, is_nan) } else { first_of(line, |element| *element == found) }
}

#[inline(always)]
fn first_of<T>(line: &[T], is_it: impl Fn(&T) -> bool) -> usize {
    let has_it = |block: &[T]| block.iter().fold(false, |any, element| any | is_it(element));
    let blocks = line.chunks_exact(BLOCK).take_while(|block| !has_it(block)).count() * BLOCK;
    let few = line[blocks..].chunks_exact(FEW).take_while(|few| !has_it(few)).count() * FEW;
    let before = blocks + few;
    before + line[before..].iter().position(is_it).unwrap_or_default()
}

/// Only what is not a number is not equal to itself.
#[allow(clippy::eq_op, reason = "that is what is asked")]
fn is_nan<T: Ordered>(element: &T) -> bool {
    element != element
}

/// Lines of so many elements, looked through one by one.
struct Lines<'l> {
    from: &'l [u8],
    line: usize,
    extreme: Extreme,
    to: &'l mut [i64],
}

impl ForOrdered for Lines<'_> {
    type Out = ();

    fn of<T: Ordered>(self) {
        let Lines { from, line, extreme, to } = self;
        let from: &[T] = cast_slice(from);
        let make = |line: &[T]| extreme.place(line).try_into().unwrap_or(i64::MAX);
        if line > LONG {
            from.chunks(line).zip(to).for_each(|(line, to)| *to = make(line));
        } else if line > STRETCH {
            each_line((from, line), (to, 1), |line, to| to[0] = make(line));
        } else {
            let some = (STRETCH / line).min(LINES);
            each_line((from, some * line), (to, some), |lines, to| extreme.each_place(lines, line, to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of the greatest and the least as they are in memory, and as they are computed.
    fn checked(x: &Array, axis: usize) -> Result<(), Error> {
        let lazy = || x.copy();
        for keep in [Keep::Axes, Keep::Nothing] {
            for places in [Array::argmax, Array::argmin] {
                let (ready, computed) = (places(x, axis, keep), places(&lazy(), axis, keep));
                assert!(x.is_ready() && ready.shape()? == computed.shape()?);
                assert_eq!(ready.to_vec::<i64>()?, computed.to_vec::<i64>()?);
            }
        }
        Ok(())
    }

    #[test]
    fn lines_in_memory_as_computed_ones() -> Result<(), Error> {
        let nan = f32::NAN;
        let kinds = [0.0, -0.0, 1.0, -1.0, 5.0, -5.0, 3.0, 2.0, 5.0, f32::INFINITY, nan];
        for (shape, axis) in
            [([1, 1, 7], 2), ([2, 3, 1000], 2), ([3, 5, 1], 1), ([1, 200_000, 1], 1), ([3, 70_000, 1], 1)]
        {
            let count: usize = shape.iter().product();
            for kinds in [&kinds[..2], &kinds[..9], &kinds[2..10], &kinds] {
                let mut state = 7u32;
                let mut next = || {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    // NaN and infinity are rare.
                    let at = (state >> 12) as usize;
                    kinds[if at.is_multiple_of(1009) { kinds.len() - 1 } else { at % (kinds.len() - 1) }]
                };
                let elements: Vec<f32> = (0..count).map(|_| next()).collect();
                let x = Array::new(&shape, &elements);
                checked(&x, axis)?;
                checked(&x.convert(DType::F64).copy().eval()?.into(), axis)?;
                checked(&x.convert(DType::I8).eval()?.into(), axis)?;
                checked(&x.convert(DType::U64).eval()?.into(), axis)?;
                checked(&x.equal(5).eval()?.into(), axis)?;
            }
        }
        Ok(())
    }

    /// However the elements lie, along every axis.
    #[test]
    fn lines_put_together() -> Result<(), Error> {
        for shape in [[1, 7, 40], [70, 3, 5], [300, 40, 30], [1, 2, 70_000]] {
            let count: i64 = shape.iter().product::<usize>().try_into().unwrap_or_default();
            let elements: Vec<i64> = (0..count).map(|at| at * 7919 % 1013).collect();
            let x = Array::new(&shape, &elements).convert(DType::F32).eval()?;
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let turned = Array::from(x.transpose(&order)?);
                for axis in 0..3 {
                    checked(&turned, axis)?;
                }
                checked(&turned.flip([1]), 1)?;
            }
        }
        checked(&Array::new(&[600], &[2f32; 600]).flip([0]), 0)
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let x = Array::new(&[2, 0], &[0f32; 0]);
        assert!(x.argmax(2, Keep::Axes).check().is_err());
        assert!(Array::new(&[1], &[1f32]).convert(DType::C64).argmin(0, Keep::Axes).check().is_err());
    }

    #[test]
    fn the_first_that_is_true() -> Result<(), Error> {
        let x = Array::new(&[2, 3], &[false, true, true, false, false, false]);
        assert_eq!(x.argmax(1, Keep::Nothing).to_vec::<i64>()?, [1, 0]);
        assert_eq!(x.argmin(0, Keep::Nothing).to_vec::<i64>()?, [0, 1, 1]);
        assert_eq!(x.max(1, Keep::Nothing).to_vec::<bool>()?, [true, false]);
        assert_eq!(x.min(.., Keep::Nothing).to_vec::<bool>()?, [false]);
        let empty = Array::new(&[2, 0], &[false; 0]).max(1, Keep::Nothing).check().unwrap_err();
        assert_eq!(
            empty.to_string(),
            "max: axis 1 has extent 0, and of no elements there is none; the shape is 2x0"
        );
        Ok(())
    }
}
