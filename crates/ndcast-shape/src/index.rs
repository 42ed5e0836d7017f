//! Basic indexing, of what is read and of the left side of an assignment: integers, slices, new axes and an ellipsis.

use std::fmt;
use std::num::NonZeroI64;
use std::ops::{Range, RangeFrom, RangeFull, RangeTo};

/// One part of an index: [read from text](crate::parse_index), or made from a number or a range.
///
/// ```
/// use ndcast_shape::{Index, parse_index};
/// let index: [Index; 4] = [(-1).into(), (1..3).into(), (2..).into(), (..).into()];
/// assert_eq!(parse_index("-1, 1:3, 2:, :")?, index);
/// let row: usize = 5;
/// assert_eq!(Index::from(row), Index::At(5));
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// One element: the axis goes away. A negative number counts from the end.
    At(i64),
    /// Elements from `start` to before `stop`, every `step`-th.
    Slice {
        /// The first; if left out, where the axis begins.
        start: Option<i64>,
        /// Where to stop; if left out, where the axis ends.
        stop: Option<i64>,
        /// The distance from one to the next.
        step: NonZeroI64,
    },
    /// An axis of extent 1.
    New,
    /// All the axes that no other part speaks of.
    Ellipsis,
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |end: &Option<i64>| end.map_or(String::new(), |n| n.to_string());
        match self {
            Index::At(i) => write!(f, "{i}"),
            Index::Slice { start, stop, step } if step.get() == 1 => {
                write!(f, "{}:{}", text(start), text(stop))
            }
            Index::Slice { start, stop, step } => write!(f, "{}:{}:{step}", text(start), text(stop)),
            Index::New => f.write_str("None"),
            Index::Ellipsis => f.write_str("..."),
        }
    }
}

/// Numbers, and ranges of them, as parts of an index.
macro_rules! from_numbers {
    ($($number:ty: $place:expr;)*) => {$(
        impl From<$number> for Index {
            fn from(at: $number) -> Index {
                Index::At($place(at))
            }
        }

        impl From<Range<$number>> for Index {
            fn from(Range { start, end }: Range<$number>) -> Index {
                Index::part(Some($place(start)), Some($place(end)))
            }
        }

        impl From<RangeFrom<$number>> for Index {
            fn from(RangeFrom { start }: RangeFrom<$number>) -> Index {
                Index::part(Some($place(start)), None)
            }
        }

        impl From<RangeTo<$number>> for Index {
            fn from(RangeTo { end }: RangeTo<$number>) -> Index {
                Index::part(None, Some($place(end)))
            }
        }
    )*};
}

from_numbers! {
    i64: i64::from;
    i32: i64::from;
    // What is beyond an i64 is beyond every axis.
    usize: |place| i64::try_from(place).unwrap_or(i64::MAX);
}

impl From<RangeFull> for Index {
    fn from(_: RangeFull) -> Index {
        Index::WHOLE
    }
}

/// The step of a whole axis.
const ONE: NonZeroI64 = NonZeroI64::new(1).unwrap();

impl Index {
    /// All of an axis.
    pub const WHOLE: Index = Index::Slice { start: None, stop: None, step: ONE };

    /// All of an axis, from the last to the first.
    pub const FLIPPED: Index = Index::Slice { start: None, stop: None, step: NonZeroI64::new(-1).unwrap() };

    /// The elements of an axis from one to before another.
    ///
    /// ```
    /// use ndcast_shape::Index;
    /// assert_eq!(Index::part(Some(1), None).to_string(), "1:");
    /// ```
    pub const fn part(start: Option<i64>, stop: Option<i64>) -> Index {
        Index::Slice { start, stop, step: ONE }
    }

    /// Lays an index on the axes of an array: each part with the axis that it speaks of, or would stand before. An
    /// ellipsis, or the end where there is none, becomes the whole axes that nothing else speaks of.
    ///
    /// ```
    /// use ndcast_shape::{Index, parse_index};
    /// let laid = Index::on_axes(&parse_index("0, ..., None")?, 3).unwrap();
    /// assert_eq!(laid, [(Index::At(0), 0), (Index::WHOLE, 1), (Index::WHOLE, 2), (Index::New, 3)]);
    /// assert_eq!(Index::on_axes(&parse_index("0, 0")?, 1), Err(2));
    /// # Ok::<(), ndcast_shape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it speaks of more axes than there are: of how many.
    pub fn on_axes(index: &[Index], rank: usize) -> Result<Vec<(Index, usize)>, usize> {
        let takes = |part: &Index| matches!(part, Index::At(_) | Index::Slice { .. });
        let taken = index.iter().filter(|part| takes(part)).count();
        let rest = rank.checked_sub(taken).ok_or(taken)?;
        let ellipsis = index.iter().position(|part| *part == Index::Ellipsis).unwrap_or(index.len());
        let (before, after) = index.split_at(ellipsis);
        // A second ellipsis has no axis left.
        let after = after.iter().filter(|part| **part != Index::Ellipsis);
        let mut axis = 0;
        let parts = before.iter().chain(std::iter::repeat_n(&Index::WHOLE, rest)).chain(after);
        let lay = |part: &Index| {
            let here = axis;
            axis += usize::from(takes(part));
            (*part, here)
        };
        Ok(parts.map(lay).collect())
    }
}

/// What a slice takes of an axis: `count` elements from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first element taken; 0 if there is none.
    pub first: usize,
    /// How many are taken.
    pub count: usize,
}

/// What `start:stop:step` takes of an axis, by Python's rule: both ends count from the axis's end if they are
/// negative, then are clipped to the axis.
///
/// ```
/// use ndcast_shape::{Span, slice};
/// let step = |n| std::num::NonZeroI64::new(n).unwrap();
/// assert_eq!(slice(10, Some(1), None, step(3)), Span { first: 1, count: 3 });
/// assert_eq!(slice(10, None, None, step(-1)), Span { first: 9, count: 10 });
/// assert_eq!(slice(10, Some(20), None, step(1)), Span { first: 0, count: 0 });
/// ```
pub fn slice(extent: usize, start: Option<i64>, stop: Option<i64>, step: NonZeroI64) -> Span {
    let (extent, step) = (extent as i128, i128::from(step.get()));
    // Going backwards, the place before the first element is an end too.
    let (lowest, highest) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let clip = |end: i64| {
        let end = i128::from(end);
        (if end < 0 { end + extent } else { end }).clamp(lowest, highest)
    };
    let (first, last) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let first = start.map_or(first, clip);
    let distance = stop.map_or(last, clip) - first;
    let count = ((distance + step - step.signum()) / step).max(0);
    let first = if count == 0 { 0 } else { first };
    // Both are between 0 and the extent.
    Span { first: usize::try_from(first).unwrap_or(0), count: usize::try_from(count).unwrap_or(0) }
}
