//! How an array lies in its buffer: a shape, a stride for each axis, and where the first element is.
//!
//! All counts are of elements. Every view (a slice, a transpose, a broadcast) is another layout of the same buffer;
//! what cannot be said with strides is a copy, and that is decided by the caller. Strides may be negative (a flip)
//! or 0 (a broadcast). A layout does not know how long the buffer is: [`Layout::reach`] says how far it goes.

mod error;

use std::ops::Range;

pub use error::LayoutError;
use ndcast_shape::{Error, Index, Kind, Plan, Source, slice};
use smallvec::SmallVec;

/// Most arrays have at most six axes.
type Axes<T> = SmallVec<[T; 6]>;

/// How an array lies in its buffer.
///
/// ```
/// use ndcast::Layout;
/// let matrix = Layout::row_major(&[3, 4])?;
/// let transposed = matrix.transpose(&[1, 0])?;
/// assert_eq!((transposed.shape(), transposed.strides()), (&[4, 3][..], &[1, 4][..]));
/// assert_eq!(transposed.position(&[3, 2]), 11);
/// # Ok::<(), ndcast::layout::LayoutError>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    shape: Axes<usize>,
    strides: Axes<isize>,
    offset: usize,
    /// What follows from the rest, and is asked for again and again.
    elements: usize,
    is_row_major: bool,
}

/// How many elements a shape has, if that many can be addressed.
///
/// Extents of 0 do not count there: so no product of extents and no stride is beyond what can be addressed, even of an
/// array without elements.
fn count(shape: &[usize]) -> Option<usize> {
    let nonzero = |&extent: &usize| (extent > 0).then_some(extent);
    let count = shape.iter().filter_map(nonzero).try_fold(1usize, usize::checked_mul)?;
    let addressable = count <= isize::MAX.unsigned_abs();
    addressable.then(|| if shape.contains(&0) { 0 } else { count })
}

/// How many elements a shape has, or the error that nobody can count them.
pub(crate) fn checked_count(shape: &[usize]) -> Result<usize, LayoutError> {
    count(shape).ok_or_else(|| LayoutError::TooLarge { shape: shape.to_vec() })
}

/// How many elements extents have; more than can be counted are as many as can be.
pub(crate) fn saturating_count(extents: &[usize]) -> usize {
    extents.iter().fold(1, |count, &extent| count.saturating_mul(extent))
}

/// How far the elements of a shape with these strides reach below and above the first, if addresses reach so far. There must be
/// elements.
#[doc(hidden)]
#[must_use]
pub fn reach(shape: &[usize], strides: &[isize]) -> Option<(isize, isize)> {
    shape.iter().zip(strides).try_fold((0isize, 0isize), |(below, above), (&extent, &stride)| {
        let end = isize::try_from(extent.checked_sub(1)?).ok()?.checked_mul(stride)?;
        Some((below.checked_add(end.min(0))?, above.checked_add(end.max(0))?))
    })
}

/// An extent, an axis or a place as a number of an index. What is beyond an i64 is beyond every array.
pub(crate) fn as_i64(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// An extent or a position as a stride: both are below `isize::MAX` in every layout.
fn signed(n: usize) -> isize {
    n.cast_signed()
}

impl Clone for Layout {
    fn clone(&self) -> Layout {
        // Numbers are copied at once, where a clone takes them one by one.
        let (shape, strides) = (Axes::from_slice(&self.shape), Axes::from_slice(&self.strides));
        Layout { shape, strides, ..*self }
    }
}

impl Layout {
    /// The layout of a new array: the last axis fastest.
    ///
    /// # Errors
    /// If there are more elements than memory has addresses.
    pub fn row_major(shape: &[usize]) -> Result<Layout, LayoutError> {
        let elements = checked_count(shape)?;
        let (shape, strides) = (Axes::from_slice(shape), row_major_strides(shape));
        Ok(Layout { shape, strides, offset: 0, elements, is_row_major: true })
    }

    /// The layout of a shape whose elements can be counted.
    fn of(shape: Axes<usize>, strides: Axes<isize>, offset: usize) -> Layout {
        let elements = count(&shape).unwrap_or(usize::MAX);
        let mut expected = 1;
        let is_row_major = elements == 0
            || shape.iter().zip(&strides).rev().all(|(&extent, &stride)| {
                let fits = extent == 1 || stride == expected;
                expected = isize::wrapping_mul(expected, signed(extent));
                fits
            });
        Layout { shape, strides, offset, elements, is_row_major }
    }

    /// The layout with these strides and this first position, if it has elements and all of them lie before the position `len`. The
    /// stride of an axis of extent 1 says nothing and becomes 0: it may be any number.
    pub(crate) fn strided(shape: &[usize], strides: &[isize], offset: usize, len: usize) -> Option<Layout> {
        if count(shape)? == 0 || shape.len() != strides.len() {
            return None;
        }
        let (below, above) = reach(shape, strides)?;
        let offset_there = isize::try_from(offset).ok()?;
        let (first, last) = (offset_there.checked_add(below)?, offset_there.checked_add(above)?);
        let inside = first >= 0 && last < isize::try_from(len).ok()?;
        let strides =
            shape.iter().zip(strides).map(|(&extent, &stride)| if extent == 1 { 0 } else { stride });
        inside.then(|| Layout::of(shape.into(), strides.collect(), offset))
    }

    /// The extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// What a step along each axis adds to the position.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The position of the first element.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many axes there are.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// How many elements there are.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Whether the elements lie one behind the other, the last axis fastest.
    pub fn is_row_major(&self) -> bool {
        self.is_row_major
    }

    /// Whether that is so from the memory's beginning on.
    pub(crate) fn is_compact(&self) -> bool {
        self.is_row_major && self.offset == 0
    }

    /// Whether an axis repeats its elements, as after a broadcast.
    pub fn repeats(&self) -> bool {
        self.elements() > 0
            && self.shape.iter().zip(&self.strides).any(|(&extent, &stride)| extent > 1 && stride == 0)
    }

    /// The positions from the first to behind the last one it touches; empty if it has no elements.
    pub fn reach(&self) -> Range<usize> {
        if self.elements() == 0 {
            return self.offset..self.offset;
        }
        let (below, above) = reach(&self.shape, &self.strides).unwrap_or_default();
        self.offset.wrapping_add_signed(below)..self.offset.wrapping_add_signed(above) + 1
    }

    /// The position of one element.
    ///
    /// # Panics
    /// If the coordinate has not a number for each axis, or one is not below the extent.
    pub fn position(&self, coordinate: &[usize]) -> usize {
        assert_eq!(coordinate.len(), self.rank(), "one number for each axis");
        let mut position = signed(self.offset);
        for ((&at, &extent), &stride) in coordinate.iter().zip(&self.shape).zip(&self.strides) {
            assert!(at < extent, "{at} is not below the extent {extent}");
            position += signed(at) * stride;
        }
        position.cast_unsigned()
    }

    /// The axes in another order: axis `i` of the result is axis `order[i]`.
    ///
    /// # Errors
    /// If the order does not name each axis once.
    pub fn transpose(&self, order: &[usize]) -> Result<Layout, LayoutError> {
        let mut named: Axes<usize> = order.into();
        named.sort_unstable();
        if order.len() != self.rank() || named.iter().enumerate().any(|(i, &axis)| i != axis) {
            return Err(LayoutError::NoOrder { order: order.to_vec(), rank: self.rank() });
        }
        let shape = order.iter().map(|&axis| self.shape[axis]).collect();
        let strides = order.iter().map(|&axis| self.strides[axis]).collect();
        Ok(Layout::of(shape, strides, self.offset))
    }

    /// One axis backwards.
    ///
    /// # Errors
    /// If there is no such axis.
    pub fn flip(&self, axis: usize) -> Result<Layout, LayoutError> {
        self.check(axis)?;
        let Layout { shape, mut strides, mut offset, elements, .. } = self.clone();
        if elements > 0 {
            offset = (signed(offset) + signed(shape[axis] - 1) * strides[axis]).cast_unsigned();
        }
        strides[axis] = -strides[axis];
        Ok(Layout::of(shape, strides, offset))
    }

    /// With an axis of extent 1 before this one; `rank()` puts it last.
    ///
    /// # Errors
    /// If there is no such axis.
    pub fn expand(&self, axis: usize) -> Result<Layout, LayoutError> {
        if axis > self.rank() {
            return Err(LayoutError::NoAxis { axis, rank: self.rank() });
        }
        // An axis of extent 1 has no say in what follows from the others.
        let mut expanded = self.clone();
        expanded.shape.insert(axis, 1);
        expanded.strides.insert(axis, 0);
        Ok(expanded)
    }

    /// Without this axis, whose extent must be 1.
    ///
    /// # Errors
    /// If there is no such axis or its extent is another.
    pub fn squeeze(&self, axis: usize) -> Result<Layout, LayoutError> {
        self.check(axis)?;
        if self.shape[axis] != 1 {
            return Err(LayoutError::NotOne { axis, extent: self.shape[axis] });
        }
        let mut squeezed = self.clone();
        squeezed.shape.remove(axis);
        squeezed.strides.remove(axis);
        Ok(squeezed)
    }

    fn check(&self, axis: usize) -> Result<(), LayoutError> {
        if axis < self.rank() { Ok(()) } else { Err(LayoutError::NoAxis { axis, rank: self.rank() }) }
    }

    /// The diagonal of the last two axes, `offset` columns to the right of where it begins, as one axis.
    ///
    /// ```
    /// use ndcast::Layout;
    /// let matrix = Layout::row_major(&[3, 4])?;
    /// let above = matrix.diagonal(1)?;
    /// assert_eq!((above.shape(), above.strides(), above.offset()), (&[3][..], &[5][..], 1));
    /// # Ok::<(), ndcast::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// If there are not two axes.
    pub fn diagonal(&self, offset: isize) -> Result<Layout, LayoutError> {
        let rank = self.rank();
        let (Some(row), Some(column)) = (rank.checked_sub(2), rank.checked_sub(1)) else {
            return Err(LayoutError::NoAxis { axis: 1, rank });
        };
        let (down, right) = (offset.min(0).unsigned_abs(), offset.max(0).unsigned_abs());
        let (rows, columns) = (self.shape[row], self.shape[column]);
        let extent = rows.saturating_sub(down).min(columns.saturating_sub(right));
        let (mut shape, mut strides) =
            (Axes::from_slice(&self.shape[..row]), Axes::from_slice(&self.strides[..row]));
        shape.push(extent);
        strides.push(self.strides[row] + self.strides[column]);
        let diagonal = Layout::of(shape, strides, self.offset);
        if diagonal.elements == 0 {
            return Ok(diagonal);
        }
        let first =
            signed(self.offset) + signed(down) * self.strides[row] + signed(right) * self.strides[column];
        Ok(Layout { offset: first.cast_unsigned(), ..diagonal })
    }

    /// What an index selects.
    ///
    /// ```
    /// use ndcast::{Layout, shape::parse_index};
    /// let matrix = Layout::row_major(&[3, 4]).unwrap();
    /// let column = matrix.select(&parse_index("::-1, 1")?)?;
    /// assert_eq!((column.shape(), column.strides(), column.offset()), (&[3][..], &[-4][..], 9));
    /// # Ok::<(), ndcast::shape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `index-out-of-range`, `too-many-indices`.
    pub fn select(&self, index: &[Index]) -> Result<Layout, Error> {
        let too_many = |found| Error::from(Kind::TooManyIndices { found, rank: self.rank() });
        let parts = Index::on_axes(index, self.rank()).map_err(too_many)?;
        let (mut shape, mut strides) = (Axes::new(), Axes::new());
        let mut position = signed(self.offset);
        for (part, axis) in parts {
            match part {
                Index::New => {
                    shape.push(1);
                    strides.push(0);
                }
                Index::Ellipsis => {}
                Index::At(i) => {
                    let extent = self.shape[axis];
                    let from_end = if i < 0 { extent as i128 } else { 0 };
                    let at = usize::try_from(i128::from(i) + from_end).ok().filter(|&at| at < extent);
                    let at =
                        at.ok_or_else(|| Kind::IndexOutOfRange { index: i, axis, extent: extent.into() })?;
                    position += signed(at) * self.strides[axis];
                }
                Index::Slice { start, stop, step } => {
                    let span = slice(self.shape[axis], start, stop, step);
                    position += signed(span.first) * self.strides[axis];
                    // Of one element no step is taken, however long it is.
                    let step = if span.count > 1 { isize::try_from(step.get()).unwrap_or(0) } else { 0 };
                    shape.push(span.count);
                    strides.push(self.strides[axis] * step);
                }
            }
        }
        let selected = Layout::of(shape, strides, self.offset);
        let offset = if selected.elements > 0 { position.cast_unsigned() } else { self.offset };
        Ok(Layout { offset, ..selected })
    }

    /// Another shape of the same elements in the same order, if strides can say it; else `None`, and a copy is
    /// needed.
    ///
    /// ```
    /// use ndcast::Layout;
    /// let matrix = Layout::row_major(&[4, 6])?;
    /// assert_eq!(matrix.reshape(&[2, 2, 6])?.unwrap().strides(), [12, 6, 1]);
    /// assert_eq!(matrix.transpose(&[1, 0])?.reshape(&[24])?, None);
    /// # Ok::<(), ndcast::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// If the other shape has not as many elements.
    pub fn reshape(&self, shape: &[usize]) -> Result<Option<Layout>, LayoutError> {
        if count(shape) != Some(self.elements()) {
            return Err(LayoutError::OtherCount { from: self.shape.to_vec(), to: shape.to_vec() });
        }
        if self.elements() == 0 {
            return Ok(Some(Layout::of(shape.into(), row_major_strides(shape), self.offset)));
        }
        let mut strides: Axes<isize> = smallvec::smallvec![0; shape.len()];
        // Runs of axes that together have as many elements as runs of the new ones, from the front.
        let old: Axes<(usize, isize)> = self
            .shape
            .iter()
            .copied()
            .zip(self.strides.iter().copied())
            .filter(|&(extent, _)| extent != 1)
            .collect();
        let (mut from, mut to) = (0, 0);
        while from < old.len() {
            let (mut from_end, mut to_end) = (from + 1, to + 1);
            let (mut have, mut want) = (old[from].0, shape[to]);
            while have != want {
                if have < want {
                    have *= old[from_end].0;
                    from_end += 1;
                } else {
                    want *= shape[to_end];
                    to_end += 1;
                }
            }
            // The old axes of the run must lie one behind the other.
            let joined = |pair: &[(usize, isize)]| pair[0].1 == pair[1].1 * signed(pair[1].0);
            if !old[from..from_end].windows(2).all(joined) {
                return Ok(None);
            }
            let mut stride = old[from_end - 1].1;
            for axis in (to..to_end).rev() {
                strides[axis] = stride;
                stride *= signed(shape[axis]);
            }
            (from, to) = (from_end, to_end);
        }
        Ok(Some(Layout::of(shape.into(), strides, self.offset)))
    }

    /// This array under another shape: for each axis of that the own axis it walks, or none to repeat.
    pub(crate) fn read(&self, shape: &[usize], axes: &[Option<usize>]) -> Layout {
        let strides = axes.iter().map(|axis| axis.map_or(0, |axis| self.strides[axis])).collect();
        Layout::of(shape.into(), strides, self.offset)
    }

    /// This array read as one operand of a plan: the plan's shape, with stride 0 along what is new or stretched.
    ///
    /// ```
    /// use ndcast::{Layout, shape::rule::array_api};
    /// let plan = array_api::join(&[&[2, 1][..], &[3]])?;
    /// let column = Layout::row_major(&[2, 1]).unwrap().broadcast(&plan, 0).unwrap();
    /// assert_eq!((column.shape(), column.strides()), (&[2, 3][..], &[1, 0][..]));
    /// # Ok::<(), ndcast::shape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the plan reads an operand of another shape there, or its shape has more elements than memory has addresses.
    pub fn broadcast(&self, plan: &Plan, operand: usize) -> Result<Layout, LayoutError> {
        let read = (operand < plan.operand_count()).then(|| plan.operand_shape(operand));
        if read.as_deref() != Some(self.shape()) {
            return Err(LayoutError::OtherPlan { shape: self.shape.to_vec(), plan: read });
        }
        checked_count(plan.shape())?;
        let stride = |source: &Source| if let Source::Axis(own) = source { self.strides[*own] } else { 0 };
        let strides = plan.operand(operand).iter().map(stride).collect();
        Ok(Layout::of(plan.shape().into(), strides, self.offset))
    }
}

fn row_major_strides(shape: &[usize]) -> Axes<isize> {
    let mut strides: Axes<isize> = smallvec::smallvec![0; shape.len()];
    let mut stride = 1isize;
    for (axis, &extent) in shape.iter().enumerate().rev() {
        strides[axis] = stride;
        stride = stride.wrapping_mul(signed(extent.max(1)));
    }
    strides
}
