//! Maps whose keys are places and addresses of this process: a cheap hash is as good as one that withstands an enemy,
//! and small expressions are made of little else.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Cheap>>;

/// With room for so many.
pub(super) fn map<K, V>(room: usize) -> Map<K, V> {
    Map::with_capacity_and_hasher(room, BuildHasherDefault::default())
}

/// Multiplies what comes by a number without a pattern, that of the golden ratio.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cheap(u64);

impl Hasher for Cheap {
    fn finish(&self) -> u64 {
        // The upper bits are the good ones, and tables look at the lower ones.
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}
