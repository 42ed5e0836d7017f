//! Basic indexing of the left side of an assignment: integers, slices, new axes and an ellipsis.

use std::fmt;
use std::num::NonZeroI64;

/// One part of an index.
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
