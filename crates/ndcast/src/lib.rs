//! ndcast: one broadcasting engine for every tensor dialect.
//!
//! Each dialect's rule becomes one [`shape::Plan`]; see the crate [`ndcast_shape`], which is here as [`mod@shape`].
//! This crate knows data: for now the [`DType`]s, of which an explanation tells the bytes and the names.

pub mod dtype;

pub use dtype::DType;
pub use ndcast_shape as shape;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
