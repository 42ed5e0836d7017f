//! HLO's text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ndcast::format::hlo::{read, write};
use ndcast_fuzz::{limit, model, value};

fuzz_target!(|text: &str| {
    limit();
    let Some(graph) = value(read(text)) else { return };
    model(&graph, |graph| Some(read(&value(write(graph))?)));
});
