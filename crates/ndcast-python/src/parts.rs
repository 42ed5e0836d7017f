//! Parts of arrays in Python's hands.
//!
//! A part shares its array's memory, and arrays are values: were the array written while there is a part of it, it would
//! have to be copied before, each time, as in `row = x[i]; x[i + 1] = row + 1`. So it is known which arrays lie in memory that
//! others have too, and before some of it is written these become copies, if that is less.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

use ndcast::Array;

/// A handle's value.
pub(crate) type Value = Mutex<Array>;

/// Memory of at most this many bytes is not tracked: a copy is cheaper.
const FEW: usize = 4 << 10;

/// The arrays in each memory, by where that is. Those that are gone are forgotten now and then.
type Parts = HashMap<usize, Vec<Weak<Value>>>;

static PARTS: LazyLock<Mutex<Parts>> = LazyLock::new(Mutex::default);

/// While it is held: take no other lock, and drop no array.
fn parts() -> MutexGuard<'static, Parts> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the memory is that an array shares with others, if that is known of such memory.
#[inline]
pub(crate) fn place(array: &Array) -> Option<usize> {
    array.shared_memory().filter(|memory| memory.len() > FEW).map(|memory| memory.as_ptr().addr())
}

/// Registers a view of the memory at `place`.
pub(crate) fn add(place: usize, part: &Arc<Value>) {
    let mut parts = parts();
    if parts.len() == parts.capacity() && !parts.contains_key(&place) {
        parts.retain(|_, there| there.iter().any(|part| part.strong_count() > 0));
        // So that it is not gone through for each one again.
        let more = parts.len() + 1;
        parts.reserve(more);
    }
    let there = parts.entry(place).or_default();
    if there.len() == there.capacity() {
        there.retain(|part| part.strong_count() > 0);
        let more = there.len() + 1;
        there.reserve(more);
    }
    there.push(Arc::downgrade(part));
}

/// Makes copies of all that lie in an array's memory, but for that of its own handle, if together they are less than the array.
pub(crate) fn release(array: &Array, own: &Value) {
    let Some(place) = place(array) else { return };
    let Some(there) = parts().remove(&place) else { return };
    let all: Vec<Arc<Value>> = there.iter().filter_map(Weak::upgrade).collect();
    let mut needed = 0usize;
    let mut are_others = Vec::new();
    let mut stay = Vec::new();
    for part in &all {
        // Never block here: the holder may be waiting for this thread.
        match part.try_lock() {
            Ok(held) if !std::ptr::eq(&**part, own) => {
                if held.shares_memory(array) {
                    needed = needed.saturating_add(bytes(&held));
                    are_others.push(part);
                }
            }
            _ => stay.push(Arc::downgrade(part)),
        }
    }
    let is_less = needed < bytes(array);
    for part in are_others {
        match part.try_lock() {
            Ok(mut part) if is_less => part.part_from(array),
            _ => stay.push(Arc::downgrade(part)),
        }
    }
    if !stay.is_empty() {
        parts().entry(place).or_default().append(&mut stay);
    }
}

fn bytes(array: &Array) -> usize {
    let elements: usize = array.shape().map_or(0, |shape| shape.iter().product());
    array.dtype().ok().and_then(ndcast::DType::size).map_or(0, |size| elements.saturating_mul(size))
}
