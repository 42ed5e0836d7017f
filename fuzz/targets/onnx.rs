//! ONNX models, without anything beside them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ndcast::format::onnx::{read, write};
use ndcast_fuzz::{limit, model, value};

fuzz_target!(|bytes: &[u8]| {
    limit();
    let Some(graph) = value(read(bytes, None)) else { return };
    model(&graph, |graph| Some(read(&value(write(graph))?, None)));
});
