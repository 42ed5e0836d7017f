//! Runs expressions over memory. It knows no dialect, no op by name, and no graph: only kernels, and operands with
//! strides.
//!
//! The result is one line of elements, cut into tiles. A loader makes each operand's part of a tile dense, kernels
//! run over the tile in the nearest cache, and the last one writes the result. So there is no special case for any
//! shape, and no expression touches memory more often than once for each operand.

mod affinity;
mod cache;
mod gather;
mod grid;
mod job;
mod load;
mod map;
mod matmul;
mod nest;
mod network;
mod panel;
mod past;
mod pattern;
mod reduce;
mod repeat;
mod scan;
mod sized;
mod take;
mod target;
pub mod threads;
mod tile;
mod transpose;
mod vectors;
mod walk;

pub(crate) use gather::{gather_all, scatter_all};
pub(crate) use job::{Argument, By, Job, Operand, Step};
pub(crate) use map::{Out, map};
pub(crate) use matmul::{Blocks, Matrix, Product, has_vectors, multiply};
pub(crate) use network::{LANES, Word, sort_lines};
pub(crate) use reduce::{Extents, Fold, Form, SHORT, alike, reduce};
pub(crate) use scan::{is_scanned_in_order, scan};
pub(crate) use take::{Lines, Numbers, Places, Rows, put, take, take_along, take_at};
pub(crate) use target::Target;
pub(crate) use threads::try_share;
pub(crate) use walk::Walk;
