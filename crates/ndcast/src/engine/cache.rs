//! How much the processor's caches hold, and what is therefore far away.

use std::sync::LazyLock;

/// From so many bytes on, what is read in an order that the hardware does not foresee comes from memory and is better
/// prefetched. Along a piece the hardware does that itself, and to ask would only cost.
const ASKED_FOR: usize = 20 << 20;

/// What a result and its operands may take together and yet be mostly in the last cache when somebody looks again: the
/// least, for one that is not known or small, and the most. A larger cache has other users, and leaves no more to one of them.
const CACHED: [usize; 2] = [20 << 20, 40 << 20];

/// Whether so many bytes that are read have to come from memory.
pub(super) fn is_far(read: usize) -> bool {
    read >= ASKED_FOR
}

/// From so many bytes read and written on, a result bypasses the cache: little of it would be there when somebody looks
/// again, and a store past the cache need not read the line first.
pub(super) fn cached() -> usize {
    static BYTES: LazyLock<usize> = LazyLock::new(|| {
        let text = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index3/size");
        let cache = text.ok().and_then(|text| bytes(&text)).unwrap_or(0);
        // What is read is in it too, but need not stay.
        (cache + cache / 4).clamp(CACHED[0], CACHED[1])
    });
    *BYTES
}

/// `32768K`, as Linux writes it.
fn bytes(text: &str) -> Option<usize> {
    let kib: usize = text.trim().strip_suffix('K')?.parse().ok()?;
    kib.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(bytes("32768K\n"), Some(32 << 20));
        for text in ["", "K", "32M", "18446744073709551615K"] {
            assert_eq!(bytes(text), None, "{text}");
        }
        assert!((CACHED[0]..=CACHED[1]).contains(&cached()));
    }
}
