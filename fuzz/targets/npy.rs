//! `.npy` files.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ndcast::format::data::write_npy;

fuzz_target!(|bytes: &[u8]| {
    // Files are known by how they begin.
    if !bytes.starts_with(b"\x93NUMPY") {
        return;
    }
    ndcast_fuzz::tensors(bytes, |tensors| {
        let mut to = Vec::new();
        tensors.iter().try_for_each(|(_, tensor)| write_npy(&mut to, tensor))?;
        Ok(to)
    });
});
