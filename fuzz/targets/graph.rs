//! The text of graphs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ndcast::graph::Graph;
use ndcast_fuzz::{limit, model, value};

fuzz_target!(|text: &str| {
    limit();
    let Some(graph) = value(text.parse::<Graph>()) else { return };
    model(&graph, |_| None);
});
