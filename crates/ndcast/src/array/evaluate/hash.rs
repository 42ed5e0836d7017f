//! Maps whose keys are places and addresses of this process: a cheap hash is as good as one that withstands an enemy,
//! and to look through a few keys is cheaper still. Small expressions are made of little else.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// So many keys are looked through one by one.
const FEW: usize = 8;

/// Values by their keys.
pub(super) struct Map<K, V> {
    few: Vec<(K, V)>,
    many: HashMap<K, V, BuildHasherDefault<Cheap>>,
}

impl<K: Eq + Hash, V> Map<K, V> {
    /// With room for so many.
    pub(super) fn new(room: usize) -> Map<K, V> {
        Map { few: Vec::with_capacity(room), many: HashMap::default() }
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        if self.many.is_empty() {
            return self.few.iter().find(|(known, _)| known == key).map(|(_, value)| value);
        }
        self.many.get(key)
    }

    /// The value of a key; this one, if it has none yet.
    pub(super) fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> &mut V {
        if self.many.is_empty() && self.few.len() == FEW {
            self.many.extend(self.few.drain(..));
        }
        if !self.many.is_empty() {
            return self.many.entry(key).or_insert_with(value);
        }
        let place = self.few.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            self.few.push((key, value()));
            self.few.len() - 1
        });
        &mut self.few[place].1
    }
}

#[cfg(test)]
impl<K, V> Map<K, V> {
    pub(super) fn len(&self) -> usize {
        self.few.len() + self.many.len()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_are_found() {
        let mut map = Map::new(2);
        for count in 0..100usize {
            for key in 0..count {
                assert_eq!(map.get(&key), Some(&(key * key)));
            }
            assert_eq!(map.get(&count), None);
            assert_eq!(*map.get_or_insert_with(count, || count * count), count * count);
            *map.get_or_insert_with(count, || 7) += 1;
            assert_eq!(map.get(&count), Some(&(count * count + 1)));
            *map.get_or_insert_with(count, || 7) -= 1;
        }
    }
}
