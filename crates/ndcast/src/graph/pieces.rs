//! Parts that lie one behind the other along an axis: put into an array one by one, or into zeros that are summed, they are one
//! concatenation. Whoever puts them in copies all of the array each time, as loops over rows and their gradients do.

use std::collections::BTreeMap;

use ndcast_shape::{Index, slice};

use super::kind::{Broadcast, Concatenate};
use super::rewrite::everywhere;
use super::{Graph, Id, Kind};
use crate::error::Error;
use crate::op::Op;

/// Where a part lies that fills all axes but one.
#[derive(Clone, Copy)]
struct Place {
    axis: usize,
    start: usize,
    length: usize,
    /// Whether the part does not have the axis.
    drops: bool,
}

/// The place of what an index selects. What is everything lies along the first axis.
fn place(index: &[Index], extents: &[usize]) -> Option<Place> {
    let mut found = None;
    for (part, axis) in Index::on_axes(index, extents.len()).ok()? {
        let extent = *extents.get(axis)?;
        let here = match part {
            Index::At(at) => {
                let at = if at < 0 { at.checked_add(i64::try_from(extent).ok()?)? } else { at };
                let start = usize::try_from(at).ok().filter(|&start| start < extent)?;
                Place { axis, start, length: 1, drops: true }
            }
            Index::Slice { start, stop, step } if step.get() == 1 => {
                let span = slice(extent, start, stop, step);
                if span.count == extent {
                    continue;
                }
                Place { axis, start: span.first, length: span.count, drops: false }
            }
            _ => return None,
        };
        if found.replace(here).is_some() {
            return None;
        }
    }
    let whole = || extents.first().map(|&length| Place { axis: 0, start: 0, length, drops: false });
    found.or_else(whole).filter(|place| place.length > 0)
}

impl Graph {
    /// A chain of insertions that fills a value along one axis, as one concatenation.
    pub(crate) fn filled(&mut self, id: Id) -> Result<Id, Error> {
        let Some(extents) = self.at(id).shape().extents() else { return Ok(id) };
        let (mut parts, mut along, mut sum, mut into) = (BTreeMap::new(), None, 0, id);
        while let Some((place, before, part)) = self.put(into, &extents)
            && *along.get_or_insert(place.axis) == place.axis
            && sum < extents[place.axis]
        {
            // What is put in twice is there as it was put last.
            if parts.insert(place.start, (place, part)).is_some() {
                return Ok(id);
            }
            sum += place.length;
            into = before;
        }
        let Some(axis) = along else { return Ok(id) };
        let mut next = 0;
        let goes_on = |(start, (place, _)): (&usize, &(Place, Id))| {
            std::mem::replace(&mut next, start + place.length) == *start
        };
        if !parts.iter().all(goes_on) || next != extents[axis] {
            return Ok(id);
        }
        let parts = parts.into_values().map(|(place, part)| self.with_axis(place, part));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        self.add(Concatenate { axis }, &parts)
    }

    /// The sum of values of one shape; parts that were inserted into zeros are concatenated first.
    pub(super) fn sum_of(&mut self, values: &[Id]) -> Result<Option<Id>, Error> {
        let Some((&first, rest)) = values.split_first() else { return Ok(None) };
        let mut others = Vec::new();
        match self.at(first).shape().extents().filter(|_| !rest.is_empty()) {
            None => others.extend_from_slice(values),
            Some(extents) => {
                let (mut parts, mut along) = (BTreeMap::new(), None);
                for &value in values {
                    let put = self.put(value, &extents);
                    let put = put.filter(|&(_, zeros, _)| everywhere(self, zeros) == Some(0.0));
                    match put {
                        Some((place, _, part)) if *along.get_or_insert(place.axis) == place.axis => {
                            let part = self.with_axis(place, part)?;
                            if !self.placed(&mut parts, place, part)? {
                                others.push(value);
                            }
                        }
                        _ => others.push(value),
                    }
                }
                if let Some(axis) = along {
                    others.push(self.in_zeros(first, axis, &extents, parts)?);
                }
            }
        }
        let mut sum: Option<Id> = None;
        for other in others {
            sum = Some(match sum {
                None => other,
                Some(sum) => self.apply(Op::Add, &[sum, other])?,
            });
        }
        Ok(sum)
    }

    /// What was put where into what, if a value is that.
    fn put(&self, value: Id, extents: &[usize]) -> Option<(Place, Id, Id)> {
        let Kind::Insert(insert) = self.at(value).kind() else { return None };
        let &[into, part] = self.at(value).arguments() else { return None };
        Some((place(&insert.index, extents)?, into, part))
    }

    fn with_axis(&mut self, place: Place, part: Id) -> Result<Id, Error> {
        if place.drops { self.with_axes(part, &[place.axis]) } else { Ok(part) }
    }

    /// Adds a part to others, if it lies beside them or just where one does.
    fn placed(
        &mut self,
        parts: &mut BTreeMap<usize, (usize, Id)>,
        place: Place,
        part: Id,
    ) -> Result<bool, Error> {
        let end = place.start + place.length;
        if let Some((length, before)) = parts.get_mut(&place.start)
            && *length == place.length
        {
            *before = self.apply(Op::Add, &[*before, part])?;
            return Ok(true);
        }
        let last = parts.range(..end).next_back();
        if last.is_some_and(|(start, (length, _))| start + length > place.start) {
            return Ok(false);
        }
        parts.insert(place.start, (place.length, part));
        Ok(true)
    }

    /// Parts one behind the other, with zeros between them.
    fn in_zeros(
        &mut self,
        like: Id,
        axis: usize,
        extents: &[usize],
        parts: BTreeMap<usize, (usize, Id)>,
    ) -> Result<Id, Error> {
        let dtype = self.at(like).dtype();
        let (mut all, mut next) = (Vec::new(), 0);
        let end = (extents[axis], (0, like));
        for (start, (length, part)) in parts.into_iter().chain([end]) {
            if start > next {
                let mut gap = extents.to_vec();
                gap[axis] = start - next;
                let zero = self.number(0, dtype)?;
                all.push(self.add(Broadcast::scalar(&gap), &[zero])?);
            }
            if length > 0 {
                all.push(part);
            }
            next = start + length;
        }
        self.add(Concatenate { axis }, &all)
    }
}
