//! A job: an expression over operands, as a flat list of kernels over tiles.
//!
//! A tile is a run of the result, small enough that everything about it stays in the nearest cache. [`Tiles`] has
//! what one thread needs to compute tiles: a loader for each operand, and a slot of memory for each value that lives.

use smallvec::SmallVec;

use super::grid::{Grid, Span};
use super::load::{self, Loader, Panels, Reading};
use super::reduce::Fold;
use super::repeat::spread;
use super::walk::Walk;
use crate::buffer::{ALIGNMENT, Buffer, MemoryError, Pool};
use crate::kernel::{Along, BLOCK, Kernel, MOST};

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
        self.tile_of(self.steps)
    }

    /// The same, if the values of only these of its steps are anywhere. What is loaded and computed stays near; of what goes
    /// by in memory there may be more.
    pub(crate) fn tile_of(&self, steps: &[Step]) -> usize {
        let goes_by = |walk: &Walk| walk.is_dense() || walk.is_constant();
        let loaded = self.operands.iter().map(|o| if goes_by(&o.walk) { o.size.div_ceil(2) } else { o.size });
        let widest = loaded.chain(steps.iter().map(|step| step.size)).max().unwrap_or(1);
        (TILE_BYTES / widest).max(RUN)
    }

    /// How its elements are cut into rows.
    pub(crate) fn grid(&self) -> Grid {
        Grid::of(self.operands.iter().map(|operand| &operand.walk), self.elements)
    }

    /// The same, where kernels that take rows read what is repeated: rows are cut so that it is alike in each. They are
    /// so short that these stay in the nearest cache beside what goes by. What is only moved is so straight on.
    pub(crate) fn rows(&self) -> Grid {
        if let ([only], true) = (&self.operands[..], self.steps.is_empty()) {
            return if load::is_pattern(&only.walk) { self.grid() } else { Grid::NONE };
        }
        let by_rows = self.operands.iter().enumerate().filter(|(number, _)| self.is_read_by_rows(*number));
        self.grid().repeating(by_rows.map(|(_, operand)| &operand.walk), self.elements, self.tile() / 2)
    }

    /// Whether only kernels that take rows read an operand.
    fn is_read_by_rows(&self, operand: usize) -> bool {
        let reads = |step: &&Step| step.arguments.contains(&Argument::Operand(operand));
        self.steps.iter().filter(reads).all(|step| matches!(step.kernel, Kernel::Several(_)))
    }

    /// Whether it is one kernel, at most, of what lies one behind the other or stays where it is.
    pub(crate) fn is_direct(&self, grid: Grid) -> bool {
        let is_direct = |operand: &Operand<'_>| load::is_direct(&operand.walk, grid.row);
        self.steps.len() <= 1 && self.operands.iter().all(is_direct)
    }

    /// How the result is best walked through, if not straight on: the way of the largest operand that lies across.
    pub(crate) fn panels(&self) -> Option<Panels> {
        self.operands.iter().find_map(|operand| Panels::of(&operand.walk))
    }

    /// How many of its operands go on from element to element.
    pub(crate) fn moving(&self) -> usize {
        self.operands.iter().filter(|operand| operand.walk.inner().stride != 0).count()
    }

    /// The bytes of its operands that it reads, each counted once.
    pub(crate) fn read(&self) -> usize {
        self.operands.iter().map(|operand| operand.walk.reached() * operand.size).sum()
    }

    /// Whether it reads an operand in pieces that lie apart, each once.
    pub(crate) fn reads_apart(&self) -> bool {
        self.operands.iter().any(|operand| operand.walk.is_once() && !operand.walk.is_dense())
    }

    /// Whether its value is in memory as it is, element after element.
    pub(crate) fn lies_there(&self) -> bool {
        self.steps.is_empty() && self.operands.iter().all(|operand| operand.walk.is_dense())
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
    grid: Grid,
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
        grid: Grid,
        panels: Option<Panels>,
    ) -> Result<Tiles<'j>, MemoryError> {
        let (mut begins, count) = job.slots();
        let widest = job.steps.iter().map(|step| step.size).max().unwrap_or(0);
        let width = (tile * widest).next_multiple_of(ALIGNMENT);
        begins.iter_mut().for_each(|begin| *begin *= width);
        let read = |(number, operand): (usize, &'j Operand<'j>)| {
            let Operand { bytes, size, walk } = operand;
            let by_rows = job.is_read_by_rows(number);
            Loader::new(Reading { bytes, size: *size, walk, tile, row: grid.row, by_rows, panels })
        };
        Ok(Tiles {
            job,
            loaders: job.operands.iter().enumerate().map(read).collect::<Result<_, _>>()?,
            grid,
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
        let Tiles { job, loaders, grid, slots } = self;
        let Some(last) = job.steps.len().checked_sub(1) else {
            return loaders.first_mut().map_or(&[], |loader| loader.dense(from, len));
        };
        let (span, mut loaded) = (grid.span(from, len), Loaded::new());
        load(loaders, from, span, &mut loaded);
        let tile = Tile { job, loaded: &loaded, span, before };
        slots.run(&tile, job.steps.len());
        let (begin, computed) = (slots.begins[last], slots.bytes[last]);
        let value = &mut slots.memory.bytes_mut()[begin..][..len * job.steps[last].size];
        spread(value, computed);
        value
    }

    /// Folds the values of `len` elements from one on: runs of them of this length, as many as the result has elements,
    /// each to one.
    pub(crate) fn fold(&mut self, from: usize, len: usize, length: usize, fold: &Fold, into: &mut [u8]) {
        let Tiles { job, loaders, grid, slots } = self;
        let span = grid.span(from, len);
        let of_runs = fold.of.filter(|_| length.is_multiple_of(BLOCK) && span.columns.is_multiple_of(length));
        let (Some(of_runs), Some((last, earlier))) = (of_runs, job.steps.split_last()) else {
            return (fold.folding.run)(self.value(from, len, &[]), into);
        };
        let mut loaded = Loaded::new();
        load(loaders, from, span, &mut loaded);
        let tile = Tile { job, loaded: &loaded, span, before: &[] };
        slots.run(&tile, earlier.len());
        let computed = Others { begin: usize::MAX, below: slots.memory.bytes(), above: &[] };
        tile.arguments(last, &slots.begins, &slots.bytes, &computed, |arguments, columns, _| {
            of_runs(arguments, columns, length, into);
        });
    }

    /// Asks for what a tile reads.
    pub(crate) fn fetch(&self, from: usize, len: usize) {
        for loader in &self.loaders {
            loader.fetch(from, len);
        }
    }

    /// How many elements from one on lie in one row of every operand that is read by rows, if these are long.
    pub(crate) fn straight(&self, from: usize) -> usize {
        let row = self.grid.row;
        if row == usize::MAX || row < RUN { usize::MAX } else { row - from % row }
    }

    /// How many elements from one on can be read at once, in pieces of this length, without being gathered: as far as
    /// there are whole rows a step apart, or else to the end of the row.
    pub(crate) fn in_rows(&self, from: usize, length: usize) -> usize {
        let Grid { row, cut } = self.grid;
        let end = if length.is_multiple_of(row) { cut } else { row };
        if end == usize::MAX { usize::MAX } else { end - from % end }
    }

    /// The value of `len` elements from one on, if it is in memory as it is.
    pub(crate) fn memory(&self, from: usize, len: usize) -> Option<&'j [u8]> {
        if self.job.steps.is_empty() { self.loaders.first()?.memory(from, len) } else { None }
    }

    /// Puts the value of `len` elements from one on into `into`. `before` is what that holds, if a step reads it; it
    /// may be empty if only the last one does.
    pub(crate) fn put(&mut self, from: usize, len: usize, before: &[u8], into: &mut [u8]) {
        let Tiles { job, loaders, grid, slots } = self;
        let Some((last, earlier)) = job.steps.split_last() else {
            if let Some(loader) = loaders.first_mut() {
                loader.put(from, len, into);
            }
            return;
        };
        let (span, mut loaded) = (grid.span(from, len), Loaded::new());
        load(loaders, from, span, &mut loaded);
        let tile = Tile { job, loaded: &loaded, span, before };
        slots.run(&tile, earlier.len());
        let computed = Others { begin: usize::MAX, below: slots.memory.bytes(), above: &[] };
        let bytes = tile.apply(last, &slots.begins, &slots.bytes, &computed, into);
        spread(into, bytes);
    }
}

/// The tiles of the operands. So many are on the stack and written one by one, and stay where they are: a tile's time is a
/// few hundred cycles.
type Loaded<'t> = SmallVec<[Along<'t>; 8]>;

/// Has every operand's tile made such as kernels read it.
#[inline]
fn load<'t>(loaders: &'t mut [Loader<'_>], from: usize, span: Span, loaded: &mut Loaded<'t>) {
    for loader in loaders {
        loaded.push(loader.load(from, span));
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

impl<'t> Others<'t> {
    /// What a step computed.
    #[inline]
    fn computed(&self, step: usize, begins: &[usize], bytes: &[usize]) -> &'t [u8] {
        match begins[step].checked_sub(self.begin) {
            Some(begin) => &self.above[begin..][..bytes[step]],
            None => &self.below[begins[step]..][..bytes[step]],
        }
    }
}

/// What the steps of one tile read that no step computed.
struct Tile<'t> {
    job: &'t Job<'t>,
    loaded: &'t [Along<'t>],
    span: Span,
    before: &'t [u8],
}

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
        let Span { len, .. } = self.span;
        let count = |whole| if whole { len } else { len.min(BLOCK) } * step.size;
        match step.kernel {
            Kernel::One(kernel) => {
                let argument = step.arguments[0];
                let x = match argument {
                    Argument::Operand(operand) => self.loaded[operand].memory(),
                    Argument::Before => self.before,
                    Argument::Step(step) => slots.computed(step, begins, bytes),
                };
                let bytes = count(x.len() == len * self.size(argument));
                kernel(x, &mut into[..bytes]);
                bytes
            }
            Kernel::Several(kernel) => {
                self.arguments(step, begins, bytes, slots, |arguments, columns, whole| {
                    let bytes = count(whole);
                    kernel(arguments, columns, &mut into[..bytes]);
                    bytes
                })
            }
        }
    }

    /// The bytes of an element of an argument.
    #[inline]
    fn size(&self, argument: Argument) -> usize {
        match argument {
            Argument::Operand(operand) => self.job.operands[operand].size,
            Argument::Before => self.before.len() / self.span.len.max(1),
            Argument::Step(step) => self.job.steps[step].size,
        }
    }

    /// Hands over what a step's kernel reads: its arguments, how many columns their rows have, and whether one of them
    /// is more than a block that is repeated.
    #[inline(always)]
    fn arguments<R>(
        &self,
        step: &Step,
        begins: &[usize],
        bytes: &[usize],
        slots: &Others<'_>,
        run: impl FnOnce(&[&Along<'_>], usize, bool) -> R,
    ) -> R {
        let Span { len, columns } = self.span;
        let mut made = [None; MOST];
        for (&argument, made) in step.arguments.iter().zip(&mut made) {
            *made = match argument {
                Argument::Operand(_) => None,
                Argument::Before => Some(Along::run(self.before)),
                Argument::Step(step) => Some(Along::run(slots.computed(step, begins, bytes))),
            };
        }
        let mut arguments = [&Along::NONE; MOST];
        let (mut whole, mut by_rows) = (false, false);
        for ((&argument, made), to) in step.arguments.iter().zip(&made).zip(&mut arguments) {
            *to = match (argument, made) {
                (Argument::Operand(operand), _) => &self.loaded[operand],
                (_, made) => made.as_ref().unwrap_or(&Along::NONE),
            };
            let size = self.size(argument);
            let is_repeated = to.step == 0 && to.width < columns * size;
            whole |= !is_repeated;
            by_rows |= columns < len && !is_repeated && to.width != len * size;
        }
        run(&arguments[..step.arguments.len()], if by_rows { columns } else { usize::MAX }, whole)
    }
}
