//! Why there is no such layout.

use std::fmt;

use ndcast_shape::Shape;

/// Why there is no such layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// An axis that is not there.
    NoAxis {
        /// The axis.
        axis: usize,
        /// How many there are.
        rank: usize,
    },
    /// Only an axis of extent 1 can be dropped.
    NotOne {
        /// The axis.
        axis: usize,
        /// Its extent.
        extent: usize,
    },
    /// The order does not name each axis once.
    NoOrder {
        /// The order.
        order: Vec<usize>,
        /// How many axes there are.
        rank: usize,
    },
    /// Another shape must have as many elements.
    OtherCount {
        /// The shape.
        from: Vec<usize>,
        /// The other shape.
        to: Vec<usize>,
    },
    /// There are more elements than memory has addresses.
    TooLarge {
        /// The shape.
        shape: Vec<usize>,
    },
    /// The plan reads an operand of another shape.
    OtherPlan {
        /// This shape.
        shape: Vec<usize>,
        /// The shape that the plan reads, if it has such an operand.
        plan: Option<Vec<usize>>,
    },
}

impl std::error::Error for LayoutError {}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |shape: &[usize]| Shape::from(shape).brief().to_string();
        match self {
            LayoutError::NoAxis { axis, rank } => write!(f, "there is no axis {axis}: the rank is {rank}"),
            LayoutError::NotOne { axis, extent } => {
                write!(f, "axis {axis} has extent {extent}; only an axis of extent 1 can be dropped")
            }
            LayoutError::NoOrder { order, rank } => {
                write!(f, "{order:?} does not name each of the {rank} axes once")
            }
            LayoutError::OtherCount { from, to } => {
                write!(f, "{} and {} have not the same number of elements", text(from), text(to))
            }
            LayoutError::TooLarge { shape } => {
                write!(f, "{} has more elements than can be addressed", text(shape))
            }
            LayoutError::OtherPlan { shape, plan: Some(plan) } => {
                write!(f, "the plan reads an operand of shape {}, not {}", text(plan), text(shape))
            }
            LayoutError::OtherPlan { shape, plan: None } => {
                write!(f, "the plan has no such operand to read {} as", text(shape))
            }
        }
    }
}
