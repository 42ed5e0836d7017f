//! Parts of arrays in Python's hands.
//!
//! A part shares its array's memory, and arrays are values: were the array written while there is a part of it, it would
//! have to be copied before, each time, as in `row = x[i]; x[i + 1] = row + 1`. So an array knows its parts, and before some of it is
//! written they become copies, which mostly is far less.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use ndcast::Array;

/// A handle's value.
pub(crate) type Value = Mutex<Array>;

/// Bytes of an array that are sooner copied than its parts are known.
const FEW: usize = 4 << 10;

/// So many are gone through each time.
const MANY: usize = 64;

/// The parts that were made of one array, and of each other.
#[derive(Default)]
pub(crate) struct Parts(Mutex<Vec<Weak<Value>>>);

impl Parts {
    /// One more.
    pub(crate) fn add(&self, part: &Arc<Value>) {
        let mut parts = self.parts();
        if parts.len() == parts.capacity() {
            parts.retain(|part| part.strong_count() > 0);
            // So that it is not gone through for each one again.
            let more = parts.len() + 1;
            parts.reserve(more);
        }
        parts.push(Arc::downgrade(part));
    }

    /// Makes copies of those that lie in an array's memory, but for that of its own handle, if together they are less than all of it.
    /// Where there are many others, these are forgotten: to go through them each time would take longer than to copy once more.
    pub(crate) fn release(&self, array: &Array, own: &Value) {
        let is_own = |part: &Arc<Value>| std::ptr::eq(&**part, own);
        let (mut needed, mut parts) = (0usize, self.parts());
        let are_many = parts.len() > MANY;
        parts.retain(|part| {
            let Some(part) = part.upgrade() else { return false };
            // Who has one now may wait for whoever asks.
            let (false, Ok(part)) = (is_own(&part), part.try_lock()) else { return true };
            let is_part = part.shares_memory(array);
            needed = needed.saturating_add(if is_part { bytes(&part) } else { 0 });
            is_part || !are_many
        });
        if needed < bytes(array) {
            let others = parts.iter().filter_map(Weak::upgrade).filter(|part| !is_own(part));
            others.for_each(|part| {
                if let Ok(mut part) = part.try_lock() {
                    part.part_from(array);
                }
            });
        }
    }

    fn parts(&self) -> MutexGuard<'_, Vec<Weak<Value>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether parts of an array are remembered.
pub(crate) fn are_known(array: &Array) -> bool {
    bytes(array) > FEW
}

fn bytes(array: &Array) -> usize {
    let elements: usize = array.shape().map_or(0, |shape| shape.iter().product());
    array.dtype().ok().and_then(ndcast::DType::size).map_or(0, |size| elements.saturating_mul(size))
}
