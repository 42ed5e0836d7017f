//! A job: an expression over operands, as a flat list of kernels over tiles.
//!
//! A tile is a run of the result, small enough that everything about it stays in the nearest cache. [`Tiles`] has
//! what one thread needs to compute tiles: a loader for each operand, and a slot of memory for each value that lives.

use smallvec::SmallVec;

use super::load::{Load, Panels, Reading, loader};
use super::walk::Walk;
use crate::buffer::{Buffer, MemoryError, Pool};
use crate::kernel::Kernel;

/// The fewest elements of a tile: the length of the runs that reductions are made of, too.
pub(crate) const RUN: usize = 512;
/// The bytes that a tile of the widest elements should have.
const TILE_BYTES: usize = 4096;

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
        let long = |operand: &Operand<'_>| {
            let inner = operand.walk.inner();
            (inner.stride.unsigned_abs() <= 1 && inner.extent >= RUN / 2).then_some(inner.extent)
        };
        self.operands.iter().filter_map(long).min().unwrap_or(usize::MAX)
    }

    /// How the result is best walked through, if not straight on: the way of the largest operand that lies across.
    pub(crate) fn panels(&self) -> Option<Panels> {
        self.operands.iter().find_map(|operand| Panels::of(&operand.walk))
    }

    /// Whether it reads what the result held before.
    pub(crate) fn reads_before(&self) -> bool {
        self.steps.iter().any(|step| step.arguments.contains(&Argument::Before))
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
    loaders: SmallVec<[Box<dyn Load + 'j>; 4]>,
    slot_of: SmallVec<[usize; 8]>,
    slots: SmallVec<[Option<Buffer>; 4]>,
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
            slot_of,
            slots: (0..count)
                .map(|_| Pool::global().take(tile * widest).map(Some))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The value of `len` elements from one on. `before` is what the result held there, if a step reads it.
    pub(crate) fn value(&mut self, from: usize, len: usize, before: &[u8]) -> &[u8] {
        let Tiles { job, loaders, slot_of, slots } = self;
        let loaded: Loaded<'_> = loaders.iter_mut().map(|loader| loader.load(from, len)).collect();
        let Some(last) = job.steps.len().checked_sub(1) else {
            return loaded.first().copied().unwrap_or_default();
        };
        run(job.steps, &loaded, slot_of, slots, len, before);
        let size = job.steps[last].size;
        slots[slot_of[last]].as_ref().map_or(&[], |slot| &slot.bytes()[..len * size])
    }

    /// Puts the value of `len` elements from one on into `into`.
    pub(crate) fn put(&mut self, from: usize, len: usize, before: &[u8], into: &mut [u8]) {
        let Tiles { job, loaders, slot_of, slots } = self;
        let loaded: Loaded<'_> = loaders.iter_mut().map(|loader| loader.load(from, len)).collect();
        let Some((last, earlier)) = job.steps.split_last() else {
            into.copy_from_slice(loaded.first().copied().unwrap_or_default());
            return;
        };
        run(earlier, &loaded, slot_of, slots, len, before);
        let values = Values { steps: job.steps, loaded: &loaded, slot_of, slots, len, before };
        (last.kernel)(&values.all(last), into);
    }
}

type Loaded<'t> = SmallVec<[&'t [u8]; 8]>;

/// Runs steps, each into its slot.
fn run(
    steps: &[Step],
    loaded: &[&[u8]],
    slot_of: &[usize],
    slots: &mut [Option<Buffer>],
    len: usize,
    before: &[u8],
) {
    for (number, step) in steps.iter().enumerate() {
        // The slot is taken out while it is written; no argument is in it.
        let mut slot = slots[slot_of[number]].take();
        if let Some(slot) = &mut slot {
            let values = Values { steps, loaded, slot_of, slots, len, before };
            (step.kernel)(&values.all(step), &mut slot.bytes_mut()[..len * step.size]);
        }
        slots[slot_of[number]] = slot;
    }
}

/// The tiles that steps may read.
struct Values<'t> {
    steps: &'t [Step],
    loaded: &'t [&'t [u8]],
    slot_of: &'t [usize],
    slots: &'t [Option<Buffer>],
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
                let slot = self.slots[self.slot_of[step]].as_ref();
                slot.map_or(&[], |slot| &slot.bytes()[..self.len * self.steps[step].size])
            }
        }
    }

    fn all(&self, step: &Step) -> SmallVec<[&'t [u8]; 4]> {
        step.arguments.iter().map(|&argument| self.get(argument)).collect()
    }
}
