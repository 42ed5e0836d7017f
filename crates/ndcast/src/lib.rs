//! ndcast: one broadcasting engine for every tensor dialect.
//!
//! Each dialect's rule becomes one [`shape::Plan`]; see the crate [`ndcast_shape`], which is here as [`mod@shape`].
//! This crate knows data: for now the element types and how they are promoted ([`DType`], [`promote`]), and how an
//! array and its views lie in a buffer ([`Layout`]), which comes from a pool ([`mod@buffer`]).

mod block;
pub mod buffer;
pub mod dtype;
pub mod layout;
pub mod promote;

pub use dtype::DType;
pub use layout::Layout;
pub use ndcast_shape as shape;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
