//! OpenVINO IR: the text of an `.xml`, and behind the first byte 0 what is in its `.bin`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ndcast::format::openvino::{read, write};
use ndcast_fuzz::{limit, model, value};

fuzz_target!(|bytes: &[u8]| {
    limit();
    let (xml, weights) = match bytes.iter().position(|&byte| byte == 0) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    let Ok(xml) = std::str::from_utf8(xml) else { return };
    let Some(graph) = value(read(xml, weights)) else { return };
    model(&graph, |graph| {
        let (xml, weights) = value(write(graph))?;
        Some(read(&xml, &weights))
    });
});
