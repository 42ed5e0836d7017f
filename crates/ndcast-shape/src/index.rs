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
