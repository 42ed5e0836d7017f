//! `.npz` archives.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ndcast::format::data::{Packing, write_npz};

fuzz_target!(|bytes: &[u8]| {
    // Files are known by how they begin.
    if !bytes.starts_with(b"PK") {
        return;
    }
    ndcast_fuzz::tensors(bytes, |tensors| {
        let mut to = Vec::new();
        write_npz(&mut to, tensors, Packing::Stored)?;
        Ok(to)
    });
});
