//! Memory to compute in: what a thread gives back it gets again, and no other thread does.
//!
//! Threads that begin a piece of work together would wait for one another at the pool, and each would get what another has
//! written and still has in its cache.

use std::cell::RefCell;

use super::{Block, Buffer, MemoryError, Pool, block_size};

/// The largest block that a thread keeps; what is larger comes from the pool as everything else does.
const LARGEST: usize = 512 << 10;
/// The bytes that a thread keeps at most: what all steps of a few stages have room for, of which little is ever touched.
const MOST: usize = 4 << 20;

/// Some bytes for a thread to compute in. What they hold is zero or what was computed there before.
pub(crate) struct Scratch {
    memory: Memory,
    len: usize,
}

enum Memory {
    /// None: none was asked for, or it is being dropped.
    Nothing,
    Own(Block),
    Pool(Buffer),
}

/// What a thread keeps for itself, the last that came at the end.
struct Kept(RefCell<Vec<Block>>);

thread_local!(static KEPT: Kept = const { Kept(RefCell::new(vec![])) });

impl Scratch {
    /// So many bytes.
    ///
    /// # Errors
    /// As [`Pool::take`], of the pool that everybody uses.
    pub(crate) fn take(bytes: usize) -> Result<Scratch, MemoryError> {
        let memory = match block_size(bytes) {
            Some(0) => Memory::Nothing,
            Some(size @ ..=LARGEST) => {
                let kept = KEPT.try_with(|kept| kept.take(size)).ok().flatten();
                Memory::Own(kept.map_or_else(|| Pool::global().take_for_thread(size), Ok)?)
            }
            _ => Memory::Pool(Pool::global().take(bytes)?),
        };
        Ok(Scratch { memory, len: bytes })
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.memory {
            Memory::Nothing => &[],
            Memory::Own(block) => &block.bytes()[..self.len],
            Memory::Pool(buffer) => buffer.bytes(),
        }
    }

    /// The bytes, to be written.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.memory {
            Memory::Nothing => &mut [],
            Memory::Own(block) => &mut block.bytes_mut()[..self.len],
            Memory::Pool(buffer) => buffer.bytes_mut(),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Memory::Own(block) = std::mem::replace(&mut self.memory, Memory::Nothing) {
            let mut given = Some(block);
            // A thread that ends keeps nothing any more.
            let _ = KEPT.try_with(|kept| given.take().map(|block| kept.keep(block)));
            Pool::global().take_back(given);
        }
    }
}

impl Kept {
    fn take(&self, size: usize) -> Option<Block> {
        let mut blocks = self.0.borrow_mut();
        let place = blocks.iter().rposition(|block| block.size() == size)?;
        Some(blocks.remove(place))
    }

    /// Keeps a block, in place of those that nobody wanted for the longest time if it would be too much.
    fn keep(&self, block: Block) {
        let mut blocks = self.0.borrow_mut();
        blocks.push(block);
        let mut bytes: usize = blocks.iter().map(Block::size).sum();
        while bytes > MOST {
            let oldest = blocks.remove(0);
            bytes -= oldest.size();
            Pool::global().take_back([oldest]);
        }
    }

    fn give_back(&self) {
        Pool::global().take_back(self.0.take());
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Gives back what this thread keeps.
pub(super) fn trim() {
    let _ = KEPT.try_with(Kept::give_back);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that this thread keeps.
    fn kept() -> usize {
        KEPT.with(|kept| kept.0.borrow().iter().map(Block::size).sum())
    }

    #[test]
    fn a_thread_gets_again_what_it_gave_back() {
        // On a thread of its own, which keeps nothing yet.
        let other = || {
            let mut scratch = Scratch::take(10_000).unwrap();
            assert_eq!((scratch.bytes().len(), kept()), (10_000, 0));
            scratch.bytes_mut().fill(7);
            let place = scratch.bytes().as_ptr();
            drop(scratch);
            assert_eq!(kept(), 10_240);
            // What fits into no block of another size does not go into this one.
            let small = Scratch::take(100).unwrap();
            let again = Scratch::take(9_000).unwrap();
            assert_eq!((again.bytes().as_ptr(), again.bytes()), (place, &[7u8; 9_000][..]));
            let beside = Scratch::take(9_000).unwrap();
            assert_ne!(beside.bytes().as_ptr(), place);
            drop((small, again, beside));
            assert_eq!(kept(), 2 * 10_240 + 128);
            trim();
            assert_eq!(kept(), 0);
        };
        std::thread::spawn(other).join().unwrap();
    }

    #[test]
    fn a_thread_keeps_a_little() {
        let other = || {
            let none = Scratch::take(0).unwrap();
            assert!(none.bytes().is_empty());
            let large = Scratch::take(LARGEST + 1).unwrap();
            assert_eq!(large.bytes().len(), LARGEST + 1);
            drop((none, large));
            assert_eq!(kept(), 0);
            let many: Vec<Scratch> = (0..25).map(|_| Scratch::take(200 << 10).unwrap()).collect();
            let last = many.last().map(|scratch| scratch.bytes().as_ptr());
            drop(many);
            // Each is in a block of 224 KiB: so many fit.
            assert_eq!(kept(), MOST / (224 << 10) * (224 << 10));
            assert_eq!(Some(Scratch::take(200 << 10).unwrap().bytes().as_ptr()), last);
            assert!(Scratch::take(usize::MAX).is_err());
        };
        std::thread::spawn(other).join().unwrap();
    }
}
