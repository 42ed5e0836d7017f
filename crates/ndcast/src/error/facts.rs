//! What an error knows, by name, for those who do not read its text.

use ndcast_shape::{Fact, Shape};

use super::{Error, ErrorKind};
use crate::dtype::DType;
use crate::layout::{LayoutError, as_i64};

impl Error {
    /// The error itself, of one that says where in something else it is: at a node, in a line of a file.
    pub fn innermost(&self) -> &Error {
        match self.kind() {
            ErrorKind::At { error, .. }
            | ErrorKind::Line { error, .. }
            | ErrorKind::NeededWhole { error }
            | ErrorKind::Text { error, .. }
            | ErrorKind::Place { error, .. } => error.innermost(),
            _ => self,
        }
    }

    /// The stable name of what went wrong, wherever that is.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.matmul(&x).eval().unwrap_err().name(), "contracted-extents");
    /// ```
    pub fn name(&self) -> &'static str {
        match self.innermost().kind() {
            ErrorKind::Shape(error) => error.kind().name(),
            ErrorKind::Layout(error) => match error {
                LayoutError::NoAxis { .. } => "axis-out-of-range",
                LayoutError::NotOne { .. } => "extent-not-one",
                LayoutError::NoOrder { .. } => "axes-order",
                LayoutError::OtherCount { .. } => "element-count",
                LayoutError::TooLarge { .. } => "too-large",
                LayoutError::OtherPlan { .. } => "plan",
            },
            ErrorKind::Promotion(_) => "no-common-dtype",
            ErrorKind::NotTaken { .. } => "dtype-not-taken",
            ErrorKind::OtherType { .. } | ErrorKind::InputType { .. } => "other-dtype",
            ErrorKind::Memory { .. } => "memory",
            ErrorKind::Count { .. } | ErrorKind::Reshape { .. } => "element-count",
            ErrorKind::Range { .. } => "out-of-range",
            ErrorKind::Shapes { .. } => "shapes",
            ErrorKind::Unequal { .. } => "unequal-shapes",
            ErrorKind::UnequalBesides { .. } => "unequal-besides-axis",
            ErrorKind::Order { .. } => "axes-order",
            ErrorKind::Batch { .. } => "batch-axes",
            ErrorKind::MatMul { .. } => "contracted-extents",
            ErrorKind::InputShape { .. } => "input-shape",
            ErrorKind::ArgumentCount { .. } => "argument-count",
            ErrorKind::NoName { .. } => "no-such-name",
            ErrorKind::NoPath { .. } => "no-gradient",
            ErrorKind::OtherGraph => "other-graph",
            ErrorKind::Unsupported { .. } => "unsupported-operators",
            ErrorKind::File { .. } => "file",
            ErrorKind::At { .. }
            | ErrorKind::Line { .. }
            | ErrorKind::NeededWhole { .. }
            | ErrorKind::Text { .. }
            | ErrorKind::Place { .. }
            | ErrorKind::Value(_) => "value",
        }
    }

    /// Everything that is known of what went wrong, by name: `shapes` are the operands', `axis` is where.
    ///
    /// ```
    /// use ndcast::{Array, shape::Fact};
    /// let (x, y) = (Array::new(&[2], &[1, 2]), Array::new(&[3], &[1, 2, 3]));
    /// let facts = (x + y).eval().unwrap_err().facts();
    /// assert!(facts.contains(&("axis", Fact::Number(0))));
    /// ```
    pub fn facts(&self) -> Vec<(&'static str, Fact)> {
        let number = |n: usize| Fact::Number(as_i64(n));
        let text = |fact: &dyn ToString| Fact::Text(fact.to_string());
        // By the names that most languages know.
        let called = |dtype: &DType| Fact::Text(dtype.called(true).to_owned());
        let shapes = |all: &[&[usize]]| {
            ("shapes", Fact::Shapes(all.iter().map(|shape| Shape::from(*shape)).collect()))
        };
        let with_axis = |shapes: &[Shape], axis: Option<usize>| {
            let mut facts = vec![("shapes", Fact::Shapes(shapes.to_vec()))];
            facts.extend(axis.map(|axis| ("axis", number(axis))));
            facts
        };
        match self.innermost().kind() {
            ErrorKind::Shape(error) => error.facts(),
            ErrorKind::Layout(error) => match error {
                LayoutError::NoAxis { axis, rank } => vec![("axis", number(*axis)), ("rank", number(*rank))],
                LayoutError::NotOne { axis, extent } => {
                    vec![("axis", number(*axis)), ("extent", number(*extent))]
                }
                LayoutError::NoOrder { order, .. } => {
                    let order = order.iter().map(|&axis| as_i64(axis));
                    vec![("axes", Fact::Numbers(order.collect()))]
                }
                LayoutError::OtherCount { from, to } => vec![shapes(&[from, to])],
                LayoutError::TooLarge { shape } => vec![shapes(&[shape])],
                LayoutError::OtherPlan { .. } => vec![],
            },
            ErrorKind::Memory { shape: Some(shape), .. } | ErrorKind::Count { shape, .. } => {
                vec![shapes(&[shape])]
            }
            ErrorKind::Shapes { shapes, axis, .. } => with_axis(shapes, *axis),
            ErrorKind::Unequal { shapes } | ErrorKind::MatMul { shapes } => with_axis(shapes, None),
            ErrorKind::UnequalBesides { shapes, axis } | ErrorKind::Batch { shapes, axis, .. } => {
                with_axis(shapes, Some(*axis))
            }
            ErrorKind::Reshape { from, .. } => with_axis(std::slice::from_ref(from), None),
            ErrorKind::InputShape { declared, given, axis, .. } => {
                with_axis(&[declared.clone(), given.clone()], *axis)
            }
            ErrorKind::OtherType { found, wanted } => {
                vec![("dtype", called(found)), ("wanted", called(wanted))]
            }
            ErrorKind::InputType { name, declared, given } => {
                vec![("input", text(name)), ("dtype", called(given)), ("wanted", called(declared))]
            }
            ErrorKind::NotTaken { dtype, takes } => {
                let takes = takes.iter().map(|dtype| dtype.called(true).to_owned()).collect();
                vec![("dtype", called(dtype)), ("takes", Fact::Texts(takes))]
            }
            ErrorKind::Range { number, dtype, least, greatest } => vec![
                ("number", text(number)),
                ("dtype", called(dtype)),
                ("least", text(least)),
                ("greatest", text(greatest)),
            ],
            ErrorKind::Order { order, rank } => {
                vec![("axes", Fact::Numbers(order.clone())), ("rank", number(*rank))]
            }
            _ => vec![],
        }
    }
}
