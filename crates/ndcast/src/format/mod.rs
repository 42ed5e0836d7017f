//! Files: models as other systems write them, read into a [`Graph`](crate::graph::Graph) and written from one, and tensors.
//!
//! A format holds no semantics: names become operations through their records, and attributes become calls of the
//! [`dialect`](crate::dialect) whose files these are, which checks them. What a file claims is checked against its size before
//! memory is asked for, nothing here recurses by what a file says, and errors name the layer and the line, or the node.

pub mod data;
pub mod onnx;
pub mod openvino;
