//! Small results that are still to be computed of much memory.
//!
//! A sum that nobody looked at holds all that it is of: a list of them, one for each of many large arrays, would hold all of
//! these. So what holds much more than it will be is remembered, and when all of that together holds more than a share of the memory
//! there may be, the earlier ones are computed. Nobody sees a difference but in memory.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use super::Array;
use super::evaluate::evaluate;
use super::node::{Node, Waiting};
use crate::buffer::Pool;

/// What holds less is not remembered, nor what holds less than so many times what it will be.
const LEAST: usize = 1 << 20;
const TIMES: usize = 8;
/// The share of the memory there may be that is held so.
const SHARE: usize = 16;

static PENDING: Mutex<Pending> = Mutex::new(Pending { waiting: Vec::new(), held: 0 });

/// What is remembered, the earliest first, with the bytes that each holds, and those of all.
struct Pending {
    waiting: Vec<(Waiting, usize)>,
    held: usize,
}

thread_local! {
    /// Whether this thread computes arrays: what it makes meanwhile is a part of that.
    static COMPUTES: Cell<bool> = const { Cell::new(false) };
}

/// As long as it lives, what this thread makes is not remembered.
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

/// Whether so many bytes are much more than so many that will come of them.
pub(super) fn is_much(held: usize, bytes: usize) -> bool {
    held >= LEAST && held / TIMES >= bytes
}

/// Remembers a node that holds much more than it will be; computes the earlier ones if all of them hold too much.
pub(super) fn remember(node: &Node) {
    let held = node.held_below();
    if !is_much(held, node.bytes()) || node.is_open() || COMPUTES.get() {
        return;
    }
    let most = Pool::global().limit() / SHARE;
    let earlier = PENDING.lock().unwrap_or_else(PoisonError::into_inner).with(node.waiting(), held, most);
    // Together, as several may be of the same. What cannot be computed says so to whoever looks.
    if !earlier.is_empty() && evaluate(&earlier.iter().collect::<Vec<_>>()).is_err() {
        for array in earlier {
            let _ = evaluate(&[&array]);
        }
    }
}

impl Pending {
    /// Puts one behind the others; the others, if more bytes than so many are held then.
    fn with(&mut self, waiting: Waiting, held: usize, most: usize) -> Vec<Array> {
        let mut earlier = vec![];
        if self.held.saturating_add(held) > most {
            self.waiting.retain(|(waiting, _)| waiting.node().is_some());
            self.held = self.waiting.iter().map(|(_, held)| held).sum();
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
