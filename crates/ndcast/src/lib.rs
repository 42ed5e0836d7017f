//! ndcast: one broadcasting engine for every tensor dialect.
//!
//! Each dialect's rule becomes one [`shape::Plan`]; see the crate [`ndcast_shape`], which is here as [`mod@shape`].
//! This crate knows data. An [`Array`] is a lazy value with operators, computed in one fused pass when somebody looks; a
//! [`Tensor`] is elements in memory. Operations are the records of [`Op`] and [`reduction::Reduction`].
//!
//! ```
//! use ndcast::{Array, Keep};
//! let x = Array::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
//! let e = (&x - &x.max(1, Keep::Axes)).exp();
//! let softmax = &e / &e.sum(1, Keep::Axes);
//! assert_eq!(softmax.sum(1, Keep::Nothing).to_vec::<f32>()?, [1.0, 1.0]);
//! # Ok::<(), ndcast::Error>(())
//! ```
//!
//! | To | see |
//! |---|---|
//! | compute with arrays, look at parts of them, change them | [`Array`], [`eval`], [`shape::Index`], [`Place`] |
//! | have elements in memory, take over vectors, lend memory | [`Tensor`], [`buffer::Lender`] |
//! | differentiate what is computed | [`graph::Tape`] |
//! | build, read, run, differentiate and write a model | [`graph::Graph`], [`graph::gradient`], [`mod@format`], [`dialect`] |
//! | read and write arrays, also larger than memory | [`format::data`], [`Array::in_parts`] |
//! | read an expression as text | [`notation`] |
//! | ask a rule of broadcasting | [`shape::rule`], [`shape::Plan`] |
//! | say how much memory and how many threads there are | [`buffer::Pool::set_limit`] of [`buffer::Pool::global`], [`threads`] |

mod array;
mod block;
pub mod buffer;
pub mod convert;
pub mod dialect;
mod display;
pub mod dtype;
mod element;
mod engine;
pub mod error;
#[cfg(feature = "ndarray")]
mod exchange;
pub mod format;
pub mod graph;
mod kernel;
pub mod layout;
mod math;
pub mod notation;
pub mod op;
pub mod promote;
pub mod reduction;
mod simd;
mod tensor;

pub use array::{Array, Direction, End, Keep, Number, Operand, Over, Padding, Place, Side, Unique, eval};
#[doc(hidden)]
pub use array::{compute_overdue, has_overdue, leave_overdue};
pub use dtype::DType;
pub use element::Element;
pub use engine::threads;
pub use error::Error;
pub use layout::Layout;
pub use ndcast_shape as shape;
pub use op::Op;
pub use tensor::Tensor;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
