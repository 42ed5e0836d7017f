//! Files of models: read into a [`Graph`](crate::graph::Graph), and written from one.
//!
//! A format holds no semantics: names become operations through their records, and attributes become calls of the
//! [`dialect`](crate::dialect) whose files these are. Errors name the layer and the line.

pub mod openvino;
