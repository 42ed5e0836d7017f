//! A job: an expression over operands, as a flat list of kernels over tiles.
//!
//! A tile is a run of the result, small enough that everything about it stays in the nearest cache. [`Tiles`] has
//! what one thread needs to compute tiles: a loader for each operand, and a slot of memory for each value that lives.

use smallvec::SmallVec;

use super::load::{self, Load, Panels, Reading, loader};
use super::repeat::spread;
use super::walk::Walk;
use crate::buffer::{Buffer, MemoryError, Pool};
use crate::kernel::{BLOCK, Kernel};

/// The fewest elements of a tile: the length of the runs that reductions are made of, too.
pub(crate) const RUN: usize = 512;
/// The bytes that a tile of the widest elements should have.
const TILE_BYTES: usize = 8192;

/// Memory that is read along a walk.
pub(crate) struct Operand<'a> {
    pub(crate) bytes: &'a [u8],
    /// The bytes of an element.
    pub(crate) size: usize,
    pub(crate) walk: Walk,
}

/// What an argument of a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Argument {
    /// The tile of an operand.
    Operand(usize),
    /// What the result held before: its tile, in a job that changes it in place.
    Before,
    /// What an earlier step computed.
    Step(usize),
}

/// One kernel of a job.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) kernel: Kernel,
    pub(crate) arguments: SmallVec<[Argument; 3]>,
    /// The bytes of an element of what it computes.
    pub(crate) size: usize,
}

/// An expression over operands, for each of so many elements. Its value is the last step's, or the only operand's if
/// there is no step.
pub(crate) struct Job<'a> {
    pub(crate) elements: usize,
    pub(crate) operands: Vec<Operand<'a>>,
    pub(crate) steps: &'a [Step],
    pub(crate) by: By,
}

/// Who does a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// As many threads as it is worth.
    Threads,
    /// The caller alone: it is one of many jobs that threads share.
    Caller,
}

impl Job<'_> {
    /// How many elements a tile has.
    pub(crate) fn tile(&self) -> usize {
        let sizes = self.operands.iter().map(|o| o.size).chain(self.steps.iter().map(|s| s.size));
        (TILE_BYTES / sizes.max().unwrap_or(1)).max(RUN)
    }

    /// The length of the rows in which operands lie one behind the other or stay the same, if they are long: tiles are
    /// best cut there.
    pub(crate) fn row(&self) -> usize {
        let rows = |operand: &Operand<'_>| load::row(&operand.walk, self.elements);
        self.operands.iter().filter_map(rows).min().unwrap_or(usize::MAX)
    }

    /// How the result is best walked through, if not straight on: the way of the largest operand that lies across.
    pub(crate) fn panels(&self) -> Option<Panels> {
        self.operands.iter().find_map(|operand| Panels::of(&operand.walk))
    }

    /// Whether it reads what the result held before.
    pub(crate) fn reads_before(&self) -> bool {
        self.steps.iter().any(|step| step.arguments.contains(&Argument::Before))
    }

    /// Whether what the result held before is an argument of the last step alone, whose kernel can then find it there.
    pub(crate) fn changes_in_place(&self) -> bool {
        let reads = |step: &Step| step.arguments.contains(&Argument::Before);
        match self.steps.split_last() {
            Some((last, earlier)) => last.arguments.len() > 1 && reads(last) && !earlier.iter().any(reads),
            None => false,
        }
    }

    /// For each step the slot that it writes, so that nothing that is still needed is overwritten, and how many there
    /// are.
    fn slots(&self) -> (SmallVec<[usize; 8]>, usize) {
        let mut last_use: SmallVec<[usize; 8]> = smallvec::smallvec![usize::MAX; self.steps.len()];
        for (number, step) in self.steps.iter().enumerate() {
            for argument in &step.arguments {
                if let Argument::Step(earlier) = *argument {
                    last_use[earlier] = number;
                }
            }
        }
        let mut slots: SmallVec<[usize; 8]> = SmallVec::new();
        let mut free: SmallVec<[usize; 8]> = SmallVec::new();
        let mut count = 0;
        for number in 0..self.steps.len() {
            // The step's own arguments are freed only after it, because a kernel never writes what it reads.
            slots.push(free.pop().unwrap_or_else(|| {
                count += 1;
                count - 1
            }));
            free.extend(
                (0..number).filter(|&earlier| last_use[earlier] == number).map(|earlier| slots[earlier]),
            );
        }
        (slots, count)
    }
}

/// What one thread needs to compute tiles of a job.
pub(crate) struct Tiles<'j> {
    job: &'j Job<'j>,
    loaders: SmallVec<[Box<dyn Load<'j> + 'j>; 4]>,
    /// The length of the rows in which operands are read.
    row: usize,
    slot_of: SmallVec<[usize; 8]>,
    slots: SmallVec<[Buffer; 4]>,
    /// How many elements each step computed last: those of the tile, or a block of the one that all of them are.
    counts: SmallVec<[usize; 8]>,
}

impl<'j> Tiles<'j> {
    pub(crate) fn new(
        job: &'j Job<'j>,
        tile: usize,
        panels: Option<Panels>,
    ) -> Result<Tiles<'j>, MemoryError> {
        let (slot_of, count) = job.slots();
        let widest = job.steps.iter().map(|step| step.size).max().unwrap_or(0);
        let read = |operand: &'j Operand<'j>| {
            let Operand { bytes, size, walk } = operand;
            loader(Reading { bytes, size: *size, walk, tile, panels })
        };
        Ok(Tiles {
            job,
            loaders: job.operands.iter().map(read).collect::<Result<_, _>>()?,
            row: job.row(),
            slot_of,
            slots: (0..count).map(|_| Pool::global().take(tile * widest)).collect::<Result<_, _>>()?,
            counts: smallvec::smallvec![0; job.steps.len()],
        })
    }

    /// The value of `len` elements from one on. `before` is what the result held there, if a step reads it.
    pub(crate) fn value(&mut self, from: usize, len: usize, before: &[u8]) -> &[u8] {
        let Tiles { job, loaders, slot_of, slots, counts, .. } = self;
        let Some(last) = job.steps.len().checked_sub(1) else {
            return loaders.first_mut().map_or(&[], |loader| loader.dense(from, len));
        };
        let loaded = load(loaders, from, len);
        run(job, job.steps.len(), &loaded, slot_of, slots, counts, len, before);
        let size = job.steps[last].size;
        let value = &mut slots[slot_of[last]].bytes_mut()[..len * size];
        spread(value, counts[last] * size);
        value
    }

    /// How many elements from one on lie in one row of every operand that is read by rows.
    pub(crate) fn straight(&self, from: usize) -> usize {
        if self.row == usize::MAX { usize::MAX } else { self.row - from % self.row }
    }

    /// The value of `len` elements from one on, if it is in memory as it is.
    pub(crate) fn memory(&self, from: usize, len: usize) -> Option<&'j [u8]> {
        if self.job.steps.is_empty() { self.loaders.first()?.memory(from, len) } else { None }
    }

    /// Puts the value of `len` elements from one on into `into`. `before` is what that holds, if a step reads it; it
    /// may be empty if only the last one does.
    pub(crate) fn put(&mut self, from: usize, len: usize, before: &[u8], into: &mut [u8]) {
        let Tiles { job, loaders, slot_of, slots, counts, .. } = self;
        let Some((last, earlier)) = job.steps.split_last() else {
            if let Some(loader) = loaders.first_mut() {
                loader.put(from, len, into);
            }
            return;
        };
        let loaded = load(loaders, from, len);
        run(job, earlier.len(), &loaded, slot_of, slots, counts, len, before);
        let values = Values { job, loaded: &loaded, slot_of, slots: [slots, &[]], counts, len, before };
        let bytes = values.count(last) * last.size;
        values.apply(last, &mut into[..bytes]);
        spread(into, bytes);
    }
}

/// The tiles of all operands. So many are on the stack and written one by one: a tile's time is a few hundred cycles.
type Loaded<'t> = SmallVec<[&'t [u8]; 8]>;

/// Has every operand's tile made dense.
#[inline]
fn load<'t>(loaders: &'t mut [Box<dyn Load<'_> + '_>], from: usize, len: usize) -> Loaded<'t> {
    let mut loaded = Loaded::new();
    for loader in loaders {
        loaded.push(loader.load(from, len));
    }
    loaded
}

/// Runs the first steps, each into its slot.
#[allow(clippy::too_many_arguments, reason = "the parts of Tiles, of which some are borrowed meanwhile")]
fn run(
    job: &Job<'_>,
    steps: usize,
    loaded: &[&[u8]],
    slot_of: &[usize],
    slots: &mut [Buffer],
    counts: &mut [usize],
    len: usize,
    before: &[u8],
) {
    for (number, step) in job.steps[..steps].iter().enumerate() {
        // No argument is in the slot that is written.
        let (below, rest) = slots.split_at_mut(slot_of[number]);
        let Some((slot, above)) = rest.split_first_mut() else { continue };
        let values = Values { job, loaded, slot_of, slots: [below, above], counts, len, before };
        let count = values.count(step);
        values.apply(step, &mut slot.bytes_mut()[..count * step.size]);
        counts[number] = count;
    }
}

/// The tiles that steps may read.
struct Values<'t> {
    job: &'t Job<'t>,
    loaded: &'t [&'t [u8]],
    slot_of: &'t [usize],
    /// The slots below the one that is written, and those above it.
    slots: [&'t [Buffer]; 2],
    counts: &'t [usize],
    len: usize,
    before: &'t [u8],
}

impl<'t> Values<'t> {
    #[inline]
    fn get(&self, argument: Argument) -> &'t [u8] {
        match argument {
            Argument::Operand(operand) => self.loaded[operand],
            Argument::Before => self.before,
            Argument::Step(step) => {
                let (slot, [below, above]) = (self.slot_of[step], self.slots);
                let slot = below.get(slot).unwrap_or_else(|| &above[slot - below.len() - 1]);
                &slot.bytes()[..self.counts[step] * self.job.steps[step].size]
            }
        }
    }

    /// How many elements a step computes: all, unless every argument is one element all along.
    #[inline]
    fn count(&self, step: &Step) -> usize {
        let all = |argument: &Argument| match *argument {
            Argument::Operand(operand) => {
                self.loaded[operand].len() == self.len * self.job.operands[operand].size
            }
            Argument::Before => true,
            Argument::Step(step) => self.counts[step] == self.len,
        };
        if step.arguments.iter().any(all) { self.len } else { self.len.min(BLOCK) }
    }

    /// Runs a step's kernel.
    #[inline]
    fn apply(&self, step: &Step, into: &mut [u8]) {
        match step.arguments[..] {
            [a] => (step.kernel)(&[self.get(a)], into),
            [a, b] => (step.kernel)(&[self.get(a), self.get(b)], into),
            [a, b, c] => (step.kernel)(&[self.get(a), self.get(b), self.get(c)], into),
            _ => {
                let many: Vec<&[u8]> = step.arguments.iter().map(|&argument| self.get(argument)).collect();
                (step.kernel)(&many, into);
            }
        }
    }
}
