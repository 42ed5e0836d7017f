//! ndcast: one broadcasting engine for every tensor dialect.
//!
//! Each dialect's rule becomes one [`shape::Plan`]; see the crate [`ndcast_shape`], which is here as [`mod@shape`].
//! This crate knows data: for now the element types and how they are promoted ([`DType`], [`promote`]), and how an
//! array and its views lie in a buffer ([`Layout`]), which comes from a pool ([`mod@buffer`]).

mod array;
mod block;
pub mod buffer;
pub mod convert;
pub mod dtype;
mod element;
mod engine;
pub mod error;
mod kernel;
pub mod layout;
mod math;
pub mod op;
pub mod promote;
pub mod reduction;
mod simd;
mod tensor;

pub use array::{Array, Keep, Number, Operand, Place, eval};
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
