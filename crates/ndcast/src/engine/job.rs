//! A job: an expression over operands, as a flat list of kernels over tiles.
//!
//! A tile is a run of the result, small enough that everything about it stays in the nearest cache. [`Tiles`] has
//! what one thread needs to compute tiles: a loader for each operand, and a slot of memory for each value that lives.

use smallvec::SmallVec;

use super::load::{self, Loader, Panels, Reading};
use super::repeat::spread;
use super::walk::Walk;
use crate::buffer::{ALIGNMENT, Buffer, MemoryError, Pool};
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

    /// Where tiles are best cut: at the ends of rows, but for what is only moved, many rows at once.
    pub(crate) fn cut(&self) -> usize {
        match &self.operands[..] {
            [only] if self.steps.is_empty() && !load::is_pattern(&only.walk) => usize::MAX,
            _ => self.row(),
        }
    }

    /// Whether it is one kernel, at most, of what lies one behind the other or stays where it is.
    pub(crate) fn is_direct(&self) -> bool {
        self.steps.len() <= 1 && self.operands.iter().all(|operand| load::is_direct(&operand.walk))
    }

    /// The length of the rows in which operands lie one behind the other or stay the same, if they are long.
    fn row(&self) -> usize {
        let rows = |operand: &Operand<'_>| load::row(&operand.walk, self.elements);
        self.operands.iter().filter_map(rows).min().unwrap_or(usize::MAX)
    }

    /// How the result is best walked through, if not straight on: the way of the largest operand that lies across.
    pub(crate) fn panels(&self) -> Option<Panels> {
        self.operands.iter().find_map(|operand| Panels::of(&operand.walk))
    }

    /// The bytes of its operands that it reads, each counted once.
    pub(crate) fn read(&self) -> usize {
        self.operands.iter().map(|operand| operand.walk.reached() * operand.size).sum()
    }

    /// Whether it reads what the result held before.
    pub(crate) fn reads_before(&self) -> bool {
        self.steps.iter().any(|step| step.arguments.contains(&Argument::Before))
    }

    /// Whether what the result held before is the first of the last step's arguments, and no other one: its kernel can
    /// then find it there.
    pub(crate) fn changes_in_place(&self) -> bool {
        let reads = |arguments: &[Argument]| arguments.contains(&Argument::Before);
        match self.steps.split_last() {
            Some((last, earlier)) => match &last.arguments[..] {
                [Argument::Before, others @ ..] => {
                    !others.is_empty() && !reads(others) && !earlier.iter().any(|step| reads(&step.arguments))
                }
                _ => false,
            },
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
    loaders: SmallVec<[Loader<'j>; 4]>,
    /// The length of the rows in which operands are read.
    row: usize,
    slots: Slots,
}

/// Memory for what steps compute: slots of equal size, one behind the other.
struct Slots {
    memory: Buffer,
    /// The bytes of a slot.
    width: usize,
    /// For each step where its slot begins.
    begins: SmallVec<[usize; 8]>,
    /// For each step how many bytes it computed last: those of the tile, or the block that all of it repeats.
    bytes: SmallVec<[usize; 8]>,
}

impl<'j> Tiles<'j> {
    pub(crate) fn new(
        job: &'j Job<'j>,
        tile: usize,
        panels: Option<Panels>,
    ) -> Result<Tiles<'j>, MemoryError> {
        let (mut begins, count) = job.slots();
        let widest = job.steps.iter().map(|step| step.size).max().unwrap_or(0);
        let width = (tile * widest).next_multiple_of(ALIGNMENT);
        begins.iter_mut().for_each(|begin| *begin *= width);
        let row = job.row();
        let read = |operand: &'j Operand<'j>| {
            let Operand { bytes, size, walk } = operand;
            Loader::new(Reading { bytes, size: *size, walk, tile, row, panels })
        };
        Ok(Tiles {
            job,
            loaders: job.operands.iter().map(read).collect::<Result<_, _>>()?,
            row,
            slots: Slots {
                memory: Pool::global().take(count * width)?,
                width,
                begins,
                bytes: smallvec::smallvec![0; job.steps.len()],
            },
        })
    }

    /// The value of `len` elements from one on. `before` is what the result held there, if a step reads it.
    pub(crate) fn value(&mut self, from: usize, len: usize, before: &[u8]) -> &[u8] {
        let Tiles { job, loaders, slots, .. } = self;
        let Some(last) = job.steps.len().checked_sub(1) else {
            return loaders.first_mut().map_or(&[], |loader| loader.dense(from, len));
        };
        let mut loaded = Loaded::new();
        load(loaders, from, len, &mut loaded);
        let tile = Tile { job, loaded: &loaded, len, before };
        slots.run(&tile, job.steps.len());
        let (begin, computed) = (slots.begins[last], slots.bytes[last]);
        let value = &mut slots.memory.bytes_mut()[begin..][..len * job.steps[last].size];
        spread(value, computed);
        value
    }

    /// Asks for what a tile reads.
    pub(crate) fn fetch(&self, from: usize, len: usize) {
        for loader in &self.loaders {
            loader.fetch(from, len);
        }
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
        let Tiles { job, loaders, slots, .. } = self;
        let Some((last, earlier)) = job.steps.split_last() else {
            if let Some(loader) = loaders.first_mut() {
                loader.put(from, len, into);
            }
            return;
        };
        let mut loaded = Loaded::new();
        load(loaders, from, len, &mut loaded);
        let tile = Tile { job, loaded: &loaded, len, before };
        slots.run(&tile, earlier.len());
        let computed = Others { begin: usize::MAX, below: slots.memory.bytes(), above: &[] };
        let bytes = tile.apply(last, &slots.begins, &slots.bytes, &computed, into);
        spread(into, bytes);
    }
}

/// The tiles of the operands. So many are on the stack and written one by one, and stay where they are: a tile's time is a
/// few hundred cycles.
type Loaded<'t> = SmallVec<[&'t [u8]; 8]>;

/// Has every operand's tile made dense.
#[inline]
fn load<'t>(loaders: &'t mut [Loader<'_>], from: usize, len: usize, loaded: &mut Loaded<'t>) {
    for loader in loaders {
        loaded.push(loader.load(from, len));
    }
}

impl Slots {
    /// Runs the first steps, each into its slot.
    #[inline]
    fn run(&mut self, tile: &Tile<'_>, steps: usize) {
        let Slots { memory, width, begins, bytes } = self;
        let memory = memory.bytes_mut();
        for (number, step) in tile.job.steps[..steps].iter().enumerate() {
            // No argument is in the slot that is written.
            let begin = begins[number];
            let (below, rest) = memory.split_at_mut(begin);
            let (slot, above) = rest.split_at_mut(*width);
            let others = Others { begin: begin + *width, below, above };
            bytes[number] = tile.apply(step, begins, bytes, &others, slot);
        }
    }
}

/// The slots but for the one that is written: those below it, and those above.
struct Others<'t> {
    below: &'t [u8],
    /// Where the first above begins.
    begin: usize,
    above: &'t [u8],
}

/// What the steps of one tile read that no step computed.
struct Tile<'t> {
    job: &'t Job<'t>,
    loaded: &'t [&'t [u8]],
    len: usize,
    before: &'t [u8],
}

/// Hardly a kernel has more arguments.
const FEW: usize = 5;

impl Tile<'_> {
    /// Runs a step's kernel; how many bytes it computed: a block, if every argument repeats one.
    ///
    /// It is compiled into those who call it: what they hand over would be written to memory by halves and read back as
    /// a whole, for which the processor waits.
    #[inline(always)]
    fn apply(
        &self,
        step: &Step,
        begins: &[usize],
        bytes: &[usize],
        slots: &Others<'_>,
        into: &mut [u8],
    ) -> usize {
        let mut few = [&[][..]; FEW];
        let mut many = vec![];
        let arguments = match few.get_mut(..step.arguments.len()) {
            Some(few) => few,
            None => {
                many.resize(step.arguments.len(), &[][..]);
                &mut many
            }
        };
        let mut whole = false;
        for (&argument, to) in step.arguments.iter().zip(&mut *arguments) {
            let size;
            (*to, size) = match argument {
                Argument::Operand(operand) => (self.loaded[operand], self.job.operands[operand].size),
                Argument::Before => {
                    whole = true;
                    (self.before, 0)
                }
                Argument::Step(step) => {
                    let (begin, count) = (begins[step], bytes[step]);
                    let computed = match begin.checked_sub(slots.begin) {
                        Some(begin) => &slots.above[begin..][..count],
                        None => &slots.below[begin..][..count],
                    };
                    (computed, self.job.steps[step].size)
                }
            };
            whole |= to.len() == self.len * size;
        }
        self.kernel(step, whole, arguments, into)
    }

    /// Runs a kernel for the whole tile, or a block.
    #[inline]
    fn kernel(&self, step: &Step, whole: bool, arguments: &[&[u8]], into: &mut [u8]) -> usize {
        let bytes = if whole { self.len } else { self.len.min(BLOCK) } * step.size;
        (step.kernel)(arguments, &mut into[..bytes]);
        bytes
    }
}
