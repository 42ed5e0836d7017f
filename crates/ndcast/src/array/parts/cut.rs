//! What of an array a part has, and where views of it lie.

use ndcast_shape::Index;
use smallvec::{SmallVec, smallvec};

use super::super::{Array, Extents};
use crate::layout::{Layout, as_i64};

/// What of an axis a part has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) stop: usize,
}

/// What of an array a part has: a span for each axis that is cut, which may be all of the axis. An axis that is not cut is the
/// same in all parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cut(pub(super) SmallVec<[Option<Span>; 6]>);

impl Cut {
    /// Of so many axes, none of which is cut.
    pub(super) fn none(rank: usize) -> Cut {
        Cut(smallvec![None; rank])
    }

    /// All of an array, as what it is made of for one part.
    pub(super) fn all(shape: &[usize]) -> Cut {
        Cut(shape.iter().map(|&extent| (extent > 1).then_some(Span { start: 0, stop: extent })).collect())
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// The extents of what is left.
    pub(super) fn shape(&self, whole: &[usize]) -> Extents {
        self.0.iter().zip(whole).map(|(span, &extent)| span.map_or(extent, |s| s.stop - s.start)).collect()
    }

    /// The cut of an argument with so many axes, of which these are walked along with those of the result.
    pub(super) fn through(&self, walked: &[Option<usize>], rank: usize) -> Cut {
        let mut cut = Cut::none(rank);
        for (span, own) in self.0.iter().zip(walked) {
            if let (Some(span), Some(own)) = (span, own) {
                cut.0[*own] = Some(*span);
            }
        }
        cut
    }

    /// What this cut leaves of an array that has been cut less.
    pub(super) fn of(&self, array: &Array, already: &Cut) -> Array {
        let index = self.index(already);
        if index.iter().all(|index| *index == Index::WHOLE) { array.clone() } else { array.select(&index) }
    }

    /// What an index selects of an array that has been cut less.
    pub(super) fn index(&self, already: &Cut) -> Vec<Index> {
        let index = |(span, before): (&Option<Span>, &Option<Span>)| match span {
            Some(span) if *before != Some(*span) => {
                let first = before.map_or(0, |before| before.start);
                Index::part(Some(place(span.start - first)), Some(place(span.stop - first)))
            }
            _ => Index::WHOLE,
        };
        self.0.iter().zip(&already.0).map(index).collect()
    }
}

/// A place on an axis as an index has it.
fn place(n: usize) -> i64 {
    as_i64(n)
}

/// A layout over row-major elements, taken apart into a start and a step for each of their axes, as slices and transposes
/// can be. A reshape may not: its rows go on in the next ones.
pub(super) struct Spots {
    /// The extents of the elements' own axes.
    own: Extents,
    /// The place of the layout's first element on each of these.
    first: Extents,
    /// For each axis of the layout, along which own axis it goes, and how far a step is.
    steps: SmallVec<[Option<(usize, isize)>; 6]>,
    shape: Extents,
}

impl Spots {
    pub(super) fn of(layout: &Layout, own: &[usize]) -> Option<Spots> {
        if layout.elements() == 0 {
            return None;
        }
        let row_major = Layout::row_major(own).ok()?;
        let strides: Extents = row_major.strides().iter().map(|stride| stride.unsigned_abs()).collect();
        let first: Extents =
            own.iter().zip(&strides).map(|(&extent, &stride)| layout.offset() / stride % extent).collect();
        let mut steps = SmallVec::new();
        let mut taken: SmallVec<[bool; 6]> = smallvec![false; own.len()];
        for (&extent, &stride) in layout.shape().iter().zip(layout.strides()) {
            if extent == 1 || stride == 0 {
                steps.push(None);
                continue;
            }
            let axis =
                (0..own.len()).find(|&axis| own[axis] > 1 && strides[axis] <= stride.unsigned_abs())?;
            if stride.unsigned_abs() % strides[axis] != 0 || std::mem::replace(&mut taken[axis], true) {
                return None;
            }
            let step = stride / strides[axis].cast_signed();
            let last = first[axis].cast_signed() + step * (extent - 1).cast_signed();
            if last < 0 || last >= own[axis].cast_signed() {
                return None;
            }
            steps.push(Some((axis, step)));
        }
        Some(Spots { own: own.into(), first, steps, shape: layout.shape().into() })
    }

    /// Which axis of the layout goes along this own axis, and how far a step is.
    pub(super) fn along(&self, own: usize) -> Option<(usize, isize)> {
        let mut axes = self.steps.iter().enumerate();
        axes.find_map(|(axis, step)| step.filter(|step| step.0 == own).map(|(_, step)| (axis, step)))
    }

    /// What the layout touches of an own axis.
    fn touched(&self, own: usize) -> Span {
        let first = self.first[own];
        let Some((axis, step)) = self.along(own) else { return Span { start: first, stop: first + 1 } };
        let last = (first.cast_signed() + step * (self.shape[axis] - 1).cast_signed()).cast_unsigned();
        Span { start: first.min(last), stop: first.max(last) + 1 }
    }

    /// With fewer elements along an axis of the layout.
    fn narrow(&mut self, axis: usize, span: Span) {
        if let Some((own, step)) = self.steps[axis] {
            let first = self.first[own].cast_signed() + step * span.start.cast_signed();
            self.first[own] = first.cast_unsigned();
        }
        self.shape[axis] = span.stop - span.start;
    }

    /// With only this of the elements along an own axis, which must be all that is touched.
    fn within(&mut self, own: usize, span: Span) {
        self.first[own] -= span.start;
        self.own[own] = span.stop - span.start;
    }

    /// A cut of the view: what of the elements it needs, and how it lies in that.
    pub(super) fn viewed(mut self, cut: &Cut) -> Option<(Cut, Layout)> {
        let mut needed = Cut::none(self.own.len());
        for (axis, span) in cut.0.iter().enumerate() {
            let Some(span) = *span else { continue };
            self.narrow(axis, span);
            if let Some((own, step)) = self.steps[axis] {
                let mut touched = self.touched(own);
                if let Ok(step) = usize::try_from(step) {
                    // Up to where the next part begins, so that nothing is left out between two.
                    touched.stop = (touched.stop + step - 1).min(self.own[own]);
                }
                needed.0[own] = Some(touched);
            }
        }
        for own in 0..self.own.len() {
            let touched = self.touched(own);
            if needed.0[own].is_none() && (touched.stop - touched.start) * 2 <= self.own[own] {
                needed.0[own] = Some(touched);
            }
            if let Some(span) = needed.0[own] {
                self.within(own, span);
            }
        }
        Some((needed, self.layout()?))
    }

    /// A cut of the elements: what of the layout lies in it, and how; none if nothing does.
    pub(super) fn shown(mut self, cut: &Cut) -> Option<(Cut, Layout)> {
        let mut shown = Cut::none(self.shape.len());
        for (own, span) in cut.0.iter().enumerate() {
            let Some(span) = *span else { continue };
            let first = self.first[own];
            let Some((axis, step)) = self.along(own) else {
                if first < span.start || first >= span.stop {
                    return None;
                }
                self.within(own, span);
                continue;
            };
            // How many steps lie before a place, counted along the layout.
            let before = |place: usize| {
                let far =
                    if step > 0 { place.saturating_sub(first) } else { (first + 1).saturating_sub(place) };
                far.div_ceil(step.unsigned_abs()).min(self.shape[axis])
            };
            let (start, stop) = if step > 0 {
                (before(span.start), before(span.stop))
            } else {
                (before(span.stop), before(span.start))
            };
            if start >= stop {
                return None;
            }
            let part = Span { start, stop };
            shown.0[axis] = Some(part);
            self.narrow(axis, part);
            self.within(own, span);
        }
        let layout = self.layout()?;
        Some((shown, layout))
    }

    fn layout(&self) -> Option<Layout> {
        let row_major = Layout::row_major(&self.own).ok()?;
        let strides = row_major.strides();
        let offset = self.first.iter().zip(strides).map(|(&at, stride)| at * stride.unsigned_abs()).sum();
        let steps: SmallVec<[isize; 6]> =
            self.steps.iter().map(|step| step.map_or(0, |(own, step)| step * strides[own])).collect();
        Layout::strided(&self.shape, &steps, offset, self.own.iter().product())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test says what must hold")]

    use super::*;
    use crate::dtype::DType;

    /// Every cut of an index of an array, from both sides, against the numbers of its elements.
    #[test]
    fn cuts_of_what_an_index_selects() {
        let own = [4, 1, 7, 3];
        let numbers = Array::iota(84, DType::I64).reshape(&own);
        for index in
            ["", "1:3", "::-2", "2, :, 5:0:-3", "..., 1", ":, :, ::2, ::-1", "None, :, 0, 3:6", "3, :, 2, 1"]
        {
            let index = ndcast_shape::parse_index(index).unwrap();
            let layout = Layout::row_major(&own).unwrap().select(&index).unwrap();
            let view = numbers.select(&index);
            for axis in 0..layout.rank() {
                for start in 0..layout.shape()[axis] {
                    for stop in start + 1..=layout.shape()[axis] {
                        let mut cut = Cut::none(layout.rank());
                        cut.0[axis] = Some(Span { start, stop });
                        let expected = cut.of(&view, &Cut::none(layout.rank())).to_vec::<i64>().unwrap();
                        let (needed, layout) = Spots::of(&layout, &own).unwrap().viewed(&cut).unwrap();
                        let part = needed.of(&numbers, &Cut::none(4)).copy().eval().unwrap();
                        assert_eq!(part.with_layout(layout).to_vec::<i64>().unwrap(), expected);
                    }
                }
            }
            for axis in [0, 2, 3] {
                for start in 0..own[axis] {
                    for stop in start + 1..=own[axis] {
                        let mut cut = Cut::none(4);
                        cut.0[axis] = Some(Span { start, stop });
                        let part = cut.of(&numbers, &Cut::none(4)).copy().eval().unwrap();
                        let there = part.to_vec::<i64>().unwrap();
                        let all = view.to_vec::<i64>().unwrap();
                        let expected: Vec<i64> = all.into_iter().filter(|n| there.contains(n)).collect();
                        let found = match Spots::of(&layout, &own).unwrap().shown(&cut) {
                            None => vec![],
                            Some((shown, layout)) => {
                                let same = shown.of(&view, &Cut::none(view.rank().unwrap()));
                                assert_eq!(same.to_vec::<i64>().unwrap(), expected);
                                part.with_layout(layout).to_vec::<i64>().unwrap()
                            }
                        };
                        assert_eq!(found, expected);
                    }
                }
            }
        }
        // Rows that go on in the next one.
        assert!(Spots::of(&Layout::row_major(&[2, 3]).unwrap(), &[6]).is_none());
        assert!(Spots::of(&Layout::row_major(&[3, 3]).unwrap().diagonal(0).unwrap(), &[3, 3]).is_none());
    }
}
