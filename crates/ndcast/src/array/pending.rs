//! Small lazy results that keep much memory alive.
//!
//! A sum that nobody looked at holds all that it is of: a list of them, one for each of many large arrays, would hold all of
//! these. So what holds much more than it will be is remembered, and the earlier ones are computed when all of that together holds
//! more than a share of the memory there may be, and much of that memory is in use. Nobody sees a difference but in memory and time.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Array;
use super::evaluate::evaluate;
use super::node::{Node, Waiting};
use crate::buffer::Pool;

/// Nodes that keep fewer bytes than this alive, or fewer than so many times their own, are not tracked.
const LEAST: usize = 1 << 20;
const TIMES: usize = 8;
/// Tracked nodes are computed once they keep a `SHARE`th of the memory limit alive, and an `IN_USE`th of it is in use. Memory that
/// others have too is counted, though it is not freed; so the share must not be too small.
const SHARE: usize = 16;
const IN_USE: usize = 4;

static PENDING: Mutex<Pending> = Mutex::new(Pending { waiting: Vec::new(), held: 0 });

/// What is remembered, the earliest first, with the bytes that each holds, and those of all.
struct Pending {
    waiting: Vec<(Waiting, usize)>,
    held: usize,
}

thread_local! {
    /// Whether this thread computes arrays: what it makes meanwhile is a part of that.
    static COMPUTES: Cell<bool> = const { Cell::new(false) };
    /// What is due, for the next [`compute_overdue`] on this thread.
    static OVERDUE: Cell<Vec<Array>> = const { Cell::new(vec![]) };
}

/// Whether what is to be computed is left to [`compute_overdue`].
static IS_LEFT: AtomicBool = AtomicBool::new(false);

/// From now on nodes that are due are only computed by [`compute_overdue`], on the thread that found them, and not while arrays
/// are made: for callers that hold a lock then.
#[doc(hidden)]
pub fn leave_overdue() {
    IS_LEFT.store(true, Ordering::Relaxed);
}

/// Whether there is something for [`compute_overdue`].
#[doc(hidden)]
pub fn has_overdue() -> bool {
    let overdue = OVERDUE.take();
    let is_some = !overdue.is_empty();
    OVERDUE.set(overdue);
    is_some
}

/// Computes what was left to it. What cannot be computed says so to whoever looks.
#[doc(hidden)]
pub fn compute_overdue() {
    let overdue = OVERDUE.take();
    // Together, as several may be of the same.
    if !overdue.is_empty() && evaluate(&overdue.iter().collect::<Vec<_>>()).is_err() {
        for array in overdue {
            let _ = evaluate(&[&array]);
        }
    }
}

/// A guard: while it lives, what this thread makes is not tracked.
pub(super) struct Computing(bool);

impl Computing {
    pub(super) fn begin() -> Computing {
        Computing(COMPUTES.replace(true))
    }
}

impl Drop for Computing {
    fn drop(&mut self) {
        COMPUTES.set(self.0);
    }
}

/// Whether a node keeps far more bytes alive than it will take.
pub(super) fn is_much(held: usize, bytes: usize) -> bool {
    held >= LEAST && held / TIMES >= bytes
}

/// Remembers a node that holds much more than it will be; computes the earlier ones if all of them hold too much.
pub(super) fn remember(node: &Node) {
    let held = node.held_below();
    if !is_much(held, node.bytes()) || node.is_open() || COMPUTES.get() {
        return;
    }
    let (pool, waiting) = (Pool::global(), node.waiting());
    let limit = pool.limit();
    let most = if pool.usage().in_use > limit / IN_USE { limit / SHARE } else { usize::MAX };
    let earlier = PENDING.lock().unwrap_or_else(PoisonError::into_inner).with(waiting, held, most);
    if !earlier.is_empty() {
        OVERDUE.set([OVERDUE.take(), earlier].concat());
        if !IS_LEFT.load(Ordering::Relaxed) {
            compute_overdue();
        }
    }
}

impl Pending {
    /// Tracks one more node; returns the earlier ones if all keep more than `most` bytes alive.
    fn with(&mut self, waiting: Waiting, held: usize, most: usize) -> Vec<Array> {
        let mut earlier = vec![];
        if self.held.saturating_add(held) > most || self.waiting.len() == self.waiting.capacity() {
            self.waiting.retain(|(waiting, _)| waiting.node().is_some());
            // So that it is not gone through for each one again.
            self.waiting.reserve(self.waiting.len() + 1);
            self.held = self.waiting.iter().fold(0, |sum, (_, held)| sum.saturating_add(*held));
        }
        if self.held.saturating_add(held) > most {
            earlier.extend(self.waiting.drain(..).filter_map(|(waiting, _)| waiting.node()).map(Array));
            self.held = 0;
        }
        self.waiting.push((waiting, held));
        self.held = self.held.saturating_add(held);
        earlier
    }
}
