//! `.safetensors` files.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ndcast::format::data::write_safetensors;

fuzz_target!(|bytes: &[u8]| {
    // Files are known by how they begin.
    if !(bytes.get(8) == Some(&b'{') && !bytes.starts_with(b"PK")) {
        return;
    }
    ndcast_fuzz::tensors(bytes, |tensors| {
        let mut to = Vec::new();
        write_safetensors(&mut to, tensors)?;
        Ok(to)
    });
});
