//! Memory for elements: blocks that are used again.
//!
//! A fresh page costs several times what computing its elements does, so blocks go back to a [`Pool`] when they are
//! dropped, by size, and large ones lie on mappings of their own for which huge pages are asked. The pool keeps a
//! limited number of bytes, and there is a limit to what may be in use: more is an error, never an abort.
//!
//! A few bytes lie in their buffer itself: to take a block and to give it back would be a good part of what a small array
//! costs. Like the rest of the buffer, they count nowhere.
//!
//! A buffer may also be what somebody else allocated: a vector, taken over as it is, or memory that is only lent and
//! stays somebody else's to write. No pool counts these or keeps them.
//!
//! What threads compute in they keep for themselves, up to 4 MiB each: it counts as kept, and beside the limit, which is for
//! what somebody has.
//!
//! Memory is zeroed when it is made and never uninitialised after, so its bytes can always be looked at; what a used
//! block holds is what its last owner left.

mod scratch;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytemuck::{Pod, cast_slice, cast_slice_mut};

pub use crate::block::{ALIGNMENT, Lender};
use crate::block::{Block, HUGE_PAGE, LARGE};
pub(crate) use scratch::Scratch;

/// There is not so much memory to be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryError {
    /// How many bytes were wanted.
    pub wanted: usize,
    /// How many are in use.
    pub in_use: usize,
    /// How many may be.
    pub limit: usize,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MemoryError { wanted, in_use, limit } = self;
        // A block may be a little larger than what is wanted of it.
        let passes = |size: usize| size.saturating_add(*in_use) > *limit;
        if block_size(*wanted).is_none_or(passes) {
            write!(f, "{wanted} bytes are wanted, and {in_use} of the allowed {limit} are in use")
        } else {
            write!(f, "the system has no {wanted} bytes; {in_use} are in use")
        }
    }
}

impl std::error::Error for MemoryError {}

/// What a pool has done and holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The bytes of the blocks that somebody has.
    pub in_use: usize,
    /// The most that `in_use` was, with what threads compute in.
    pub peak: usize,
    /// The bytes of the blocks that are kept for later, with what threads compute in.
    pub kept: usize,
    /// How many blocks were made.
    pub made: u64,
    /// How often a block was used again.
    pub reused: u64,
}

/// Blocks of memory, those in use counted and those that are not kept for later.
///
/// ```
/// use ndcast::buffer::Pool;
/// let pool = Pool::new(1 << 20, 1 << 20);
/// drop(pool.take(1000)?);
/// let again = pool.take(1000)?;
/// assert_eq!((again.len(), pool.usage().made, pool.usage().reused), (1000, 1, 1));
/// let error = pool.take(2 << 20).unwrap_err();
/// assert_eq!(error.to_string(), "2097152 bytes are wanted, and 1024 of the allowed 1048576 are in use");
/// # Ok::<(), ndcast::buffer::MemoryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pool(Home);

/// Where the state of a pool is. To count references to the global one would be a good part of what a small array costs.
#[derive(Clone, Debug)]
enum Home {
    Everybodys(&'static Mutex<State>),
    Own(Arc<Mutex<State>>),
}

#[derive(Debug)]
struct State {
    /// The blocks kept for later, at the [`place`] of their size, in the order in which they came, and when that was.
    free: Vec<VecDeque<(u64, Block)>>,
    /// How many blocks came back.
    came: u64,
    usage: Usage,
    /// The bytes of the blocks that threads have for themselves.
    threads: usize,
    limit: usize,
    cap: usize,
}

impl State {
    fn new(limit: usize, cap: usize) -> Mutex<State> {
        Mutex::new(State { free: vec![], came: 0, usage: Usage::default(), threads: 0, limit, cap })
    }

    fn refused(&self, wanted: usize) -> MemoryError {
        MemoryError { wanted, in_use: self.usage.in_use, limit: self.limit }
    }

    /// Takes out kept blocks until at most `bytes` are kept, first those that nobody wanted for the longest time.
    fn release(&mut self, bytes: usize) -> Vec<Block> {
        let mut released = vec![];
        while self.usage.kept > bytes {
            let came = |blocks: &VecDeque<(u64, Block)>| blocks.front().map_or(u64::MAX, |(came, _)| *came);
            let oldest = self.free.iter_mut().min_by_key(|blocks| came(blocks));
            let Some((_, block)) = oldest.and_then(VecDeque::pop_front) else { break };
            self.usage.kept -= block.size();
            released.push(block);
        }
        released
    }

    /// Keeps a block for later, in place of older ones if there is no room. Returns what goes.
    fn keep(&mut self, block: Block) -> Vec<Block> {
        let Some(others) = self.cap.checked_sub(block.size()) else { return vec![block] };
        let released = self.release(others);
        self.usage.kept += block.size();
        self.came += 1;
        let place = place(block.size());
        if place >= self.free.len() {
            self.free.resize_with(place + 1, VecDeque::new);
        }
        self.free[place].push_back((self.came, block));
        released
    }
}

impl Pool {
    /// A pool of which at most `limit` bytes may be in use, and which keeps at most `cap` for later.
    pub fn new(limit: usize, cap: usize) -> Pool {
        Pool(Home::Own(Arc::new(State::new(limit, cap))))
    }

    /// The pool that everybody uses unless told otherwise. Three quarters of the machine's memory may be in use, and
    /// an eighth is kept, 256 MiB at least.
    pub fn global() -> &'static Pool {
        static GLOBAL: OnceLock<Pool> = OnceLock::new();
        GLOBAL.get_or_init(|| {
            let state = State::new(default_limit(), (machine_memory() / 8).max(256 << 20));
            Pool(Home::Everybodys(Box::leak(Box::new(state))))
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let state = match &self.0 {
            Home::Everybodys(state) => state,
            Home::Own(state) => &**state,
        };
        // Nothing in a locked section can panic half way.
        state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many bytes. What they hold is zero or what another block's owner left. Up to 64 need no block: they begin on a
    /// multiple of 16, where blocks begin on one of [`ALIGNMENT`], and are not counted.
    ///
    /// # Errors
    /// If that passes the limit, or the system has no more.
    pub fn take(&self, bytes: usize) -> Result<Buffer, MemoryError> {
        if bytes <= FEW {
            return Ok(Buffer(Owner::Buffer { memory: Few([0; FEW]), len: bytes }));
        }
        let Some(size) = block_size(bytes) else { return Err(self.state().refused(bytes)) };
        let block = self.take_block(size, |state| &mut state.usage.in_use);
        // What was wanted is what was asked for, not the block that would have held it.
        let block = block.map_err(|error| MemoryError { wanted: bytes, ..error })?;
        Ok(Buffer(Owner::Pool(Pooled { block: Some(block), len: bytes, pool: self.clone() })))
    }

    /// A block of this size that counts as what a thread keeps.
    fn take_for_thread(&self, size: usize) -> Result<Block, MemoryError> {
        self.take_block(size, |state| &mut state.threads)
    }

    /// A block, counted where `count` says.
    fn take_block(&self, size: usize, count: fn(&mut State) -> &mut usize) -> Result<Block, MemoryError> {
        let mut state = self.state();
        let in_use = state.usage.in_use.checked_add(size).filter(|&in_use| in_use <= state.limit);
        let Some(in_use) = in_use else { return Err(state.refused(size)) };
        let kept = state.free.get_mut(place(size)).and_then(VecDeque::pop_back).map(|(_, block)| block);
        if kept.is_some() {
            state.usage.kept -= size;
            state.usage.reused += 1;
        }
        // What is kept counts too, if there is to be a new block.
        let room = state.limit - in_use;
        let released = if kept.is_none() { state.release(room) } else { vec![] };
        *count(&mut state) += size;
        state.usage.peak = state.usage.peak.max(state.usage.in_use + state.threads);
        drop(state);
        drop(released);
        if let Some(block) = kept {
            return Ok(block);
        }
        // The system is asked without holding the others up.
        let made = Block::new(size);
        let mut state = self.state();
        let Some(block) = made else {
            *count(&mut state) -= size;
            return Err(state.refused(size));
        };
        state.usage.made += 1;
        Ok(block)
    }

    /// Takes back what a thread had for itself.
    fn take_back(&self, blocks: impl IntoIterator<Item = Block>) {
        for block in blocks {
            let mut state = self.state();
            state.threads -= block.size();
            let released = state.keep(block);
            drop(state);
            drop(released);
        }
    }

    /// Whether so many bytes could be in use besides, for memory that does not come from here.
    pub(crate) fn allows(&self, bytes: usize) -> Result<(), MemoryError> {
        let state = self.state();
        let passes = state.usage.in_use.checked_add(bytes).is_none_or(|sum| sum > state.limit);
        if passes { Err(state.refused(bytes)) } else { Ok(()) }
    }

    /// Gives the blocks kept for later back to the system, with what this thread computes in; other threads keep theirs.
    pub fn trim(&self) {
        if let Home::Everybodys(_) = self.0 {
            scratch::trim();
        }
        let released = self.state().release(0);
        drop(released);
    }

    /// Sets how many bytes may be in use; blocks that are stay.
    pub fn set_limit(&self, bytes: usize) {
        self.state().limit = bytes;
    }

    /// How many bytes may be in use.
    pub fn limit(&self) -> usize {
        self.state().limit
    }

    /// Sets how many bytes are kept for later.
    pub fn set_cap(&self, bytes: usize) {
        let mut state = self.state();
        state.cap = bytes;
        let released = state.release(bytes);
        drop(state);
        drop(released);
    }

    /// What the pool has done and holds.
    pub fn usage(&self) -> Usage {
        let state = self.state();
        Usage { kept: state.usage.kept + state.threads, ..state.usage }
    }
}

/// The bytes of a block that holds so many: four sizes to each power of two, so that a quarter is lost at most; sixteen
/// for large ones, of which a sixteenth is.
fn block_size(bytes: usize) -> Option<usize> {
    if bytes <= ALIGNMENT {
        return Some(if bytes == 0 { 0 } else { ALIGNMENT });
    }
    let power = 1usize << (usize::BITS - 1 - (bytes - 1).leading_zeros());
    let step = if bytes >= LARGE { (power / 16).max(HUGE_PAGE) } else { (power / 4).max(ALIGNMENT) };
    bytes.checked_next_multiple_of(step).filter(|&size| size <= isize::MAX.unsigned_abs() - HUGE_PAGE)
}

/// The index of a block's size in `free`: no two sizes of blocks share one.
fn place(size: usize) -> usize {
    let size = size.max(ALIGNMENT);
    let (least, power) = (ALIGNMENT.ilog2(), size.ilog2());
    let sixteenth = (size >> (power - 4)) % 16;
    (power - least) as usize * 16 + sixteenth
}

/// What the pool that everybody uses allows at the start: three quarters of the machine's memory.
pub fn default_limit() -> usize {
    machine_memory() / 4 * 3
}

#[cfg(target_os = "linux")]
fn machine_memory() -> usize {
    let info = rustix::system::sysinfo();
    let bytes = u128::from(info.totalram) * u128::from(info.mem_unit.max(1));
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

#[cfg(not(target_os = "linux"))]
fn machine_memory() -> usize {
    // Nothing says it without a crate for each system; this is little enough for any of today's.
    8 << 30
}

/// Bytes from a pool, which gets them back when this is dropped; a few of its own; or those of a vector, which is dropped
/// with it.
#[derive(Debug)]
pub struct Buffer(Owner);

#[derive(Debug)]
enum Owner {
    /// Itself.
    Buffer {
        memory: Few,
        len: usize,
    },
    Pool(Pooled),
    Foreign(Box<dyn Foreign>),
    Lent(Box<dyn Lender>),
}

/// So many bytes lie in the buffer itself.
const FEW: usize = 64;

/// A few bytes, on a multiple of the size of any element.
#[derive(Debug)]
#[repr(align(16))]
struct Few([u8; FEW]);

/// A block with the pool it goes back to.
#[derive(Debug)]
struct Pooled {
    /// `None` only while it is dropped.
    block: Option<Block>,
    len: usize,
    pool: Pool,
}

/// Memory that was allocated elsewhere. It begins on a multiple of the size of what is to lie there.
pub(crate) trait Foreign: fmt::Debug + Send + Sync {
    fn bytes(&self) -> &[u8];
    fn bytes_mut(&mut self) -> &mut [u8];
}

/// A vector of numbers whose every bit may be read and written.
struct Elements<T>(Vec<T>);

impl<T: Pod + Send + Sync> Foreign for Elements<T> {
    fn bytes(&self) -> &[u8] {
        cast_slice(&self.0)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        cast_slice_mut(&mut self.0)
    }
}

impl<T> fmt::Debug for Elements<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements of {} bytes", self.0.len(), size_of::<T>())
    }
}

impl Buffer {
    /// Memory that somebody else manages. No pool counts it.
    pub(crate) fn of_foreign(memory: impl Foreign + 'static) -> Buffer {
        Buffer(Owner::Foreign(Box::new(memory)))
    }

    /// The memory of a vector, which is not copied. No pool counts it: it is in use already, and its limit is whoever
    /// allocated it.
    ///
    /// ```
    /// use ndcast::buffer::Buffer;
    /// let buffer = Buffer::of(vec![1u16, 2, 3]).unwrap();
    /// assert_eq!(buffer.len(), 6);
    /// ```
    ///
    /// # Errors
    /// The vector itself, if it does not begin on a multiple of its elements' size, as complex numbers need not: every
    /// buffer does.
    pub fn of<T: Pod + Send + Sync>(elements: Vec<T>) -> Result<Buffer, Vec<T>> {
        let aligned = elements.as_ptr().addr().is_multiple_of(size_of::<T>().clamp(1, ALIGNMENT));
        if aligned { Ok(Buffer(Owner::Foreign(Box::new(Elements(elements))))) } else { Err(elements) }
    }

    /// Memory that somebody lends.
    pub fn lent(lender: Box<dyn Lender>) -> Buffer {
        Buffer(Owner::Lent(lender))
    }

    /// Whether somebody else may write it.
    pub fn is_lent(&self) -> bool {
        matches!(self.0, Owner::Lent(_))
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Owner::Buffer { memory, len } => &memory.0[..*len],
            Owner::Pool(Pooled { block, len, .. }) => {
                block.as_ref().map_or(&[], |block| &block.bytes()[..*len])
            }
            Owner::Foreign(foreign) => foreign.bytes(),
            Owner::Lent(lender) => lender.bytes(),
        }
    }

    /// The bytes, to be written; none of what is only lent.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Owner::Buffer { memory, len } => &mut memory.0[..*len],
            Owner::Pool(Pooled { block, len, .. }) => {
                block.as_mut().map_or(&mut [], |block| &mut block.bytes_mut()[..*len])
            }
            Owner::Foreign(foreign) => foreign.bytes_mut(),
            Owner::Lent(_) => &mut [],
        }
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let Some(block) = self.block.take() else { return };
        let mut state = self.pool.state();
        state.usage.in_use -= block.size();
        let released = state.keep(block);
        drop(state);
        drop(released);
    }
}

#[cfg(test)]
mod tests;
