//! The front doors: graphs programmed as each system's own documents describe it.
//!
//! A door borrows a [`Graph`](crate::graph::Graph) and adds nodes to it: one graph may be programmed through several. Each
//! checks what its system checks, in its order, and ends in [`Graph::add`](crate::graph::Graph::add). Nothing behind a
//! door knows that dialects exist: every implicit broadcast is an explicit node, and what differs between dialects is an
//! operation of another name.

mod around;
pub mod array_api;
mod attention;
mod beside;
mod blocks;
mod einsum;
pub mod hlo;
mod lay;
pub mod ngraph;
mod nonzero;
mod normal;
pub mod onnx;
pub mod openvino;
pub mod stablehlo;
mod tuples;
mod turned;
pub mod xla;
