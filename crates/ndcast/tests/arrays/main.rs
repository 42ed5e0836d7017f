//! Arrays against a naive oracle: lists of elements, and every operation an index loop.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    missing_docs,
    unreachable_pub,
    reason = "a test says what must hold"
)]

#[macro_use]
mod bits;
mod both;
mod computed;
mod errors;
mod forms;
mod in_place;
mod large;
mod listed;
mod loaders;
mod nothing_panics;
mod programs;
mod ranks;
