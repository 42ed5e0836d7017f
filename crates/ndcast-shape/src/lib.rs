//! The algebra of broadcasting: every dialect's rule as one [`Plan`].
//!
//! Array API and NumPy, ONNX, OpenVINO, nGraph and XLA/StableHLO each say in their own words how a small
//! array is laid over a larger one. Here each of their rules is a function beside the clauses that it
//! implements (module [`rule`]); each says where the operands' axes lie ([`Alignment`]) and which extents of 1
//! may grow ([`Stretch`]), and [`unify`] makes the plan, or says which axes clash.
//!
//! The crate knows no data and no element types, has no dependencies and no unsafe code. Shapes may be known
//! (`usize`) or partly known ([`Dim`]: unknown, an interval, a named extent); the rules are the same.
//!
//! ```
//! use ndcast_shape::{Request, Shape, rule::xla};
//! // With known shapes, call the rule:
//! let plan = xla::binary(&[4], &[1, 2], &[0])?;
//! assert_eq!(plan.shape(), [4, 2]);
//!
//! // With anything a user typed, make a request and explain it:
//! let shapes = vec!["2xN".parse()?, "N".parse::<Shape>()?];
//! let request = Request { axes: Some(vec![1]), ..Request::new(&xla::BINARY, shapes) };
//! assert_eq!(request.answer()?.shape().to_string(), "2xN");
//! println!("{}", ndcast_shape::explain::Explanation::new(&request));
//! # Ok::<(), ndcast_shape::Error>(())
//! ```
#![forbid(unsafe_code)]

mod align;
mod error;
pub mod explain;
mod extent;
mod index;
mod nearest;
pub mod oracle;
mod parse;
mod plan;
pub mod rule;
mod shape;
mod unify;

pub use align::Alignment;
pub use error::{Error, Fact, Kind, Ranks};
pub use extent::{Dim, Extent, Interval, MAX_EXTENT, Symbol};
pub use index::{Index, Span, slice};
pub use nearest::nearest;
pub use parse::{parse_axes, parse_index};
pub use plan::{Adjoint, Plan, Source};
pub use rule::{Answer, Request, indexed};
pub use shape::{Brief, Shape};
pub use unify::{Clash, Found, Laid, MOST_SOURCES, Mismatch, Party, Stretch, Under, unify};
