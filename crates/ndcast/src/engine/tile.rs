//! Tiles: a job's kernels run over a run of its elements at a time, which all stays in the nearest cache.
//!
//! [`Tiles`] has what one thread needs for that: a loader for each operand, and a slot of memory for each value that lives.

use smallvec::SmallVec;

use super::grid::{Apart, Grid, Span};
use super::job::{Argument, Job, Operand, RUN, Step};
use super::load::{Loader, Panels, Reading};
use super::reduce::Fold;
use super::repeat::spread;
use crate::buffer::{ALIGNMENT, MemoryError, Scratch};
use crate::kernel::{Along, BLOCK, Kernel, MOST, OfOne, OfRows};
use crate::simd::{OnLine, Stores, stream};

/// Kernels that cannot stream themselves compute so many bytes, which are then streamed: the lines that a processor's
/// write-combining buffers hold.
const PIECE: usize = 512;

/// Rows of so many bytes, at least, are folded in place, one by one; shorter ones are gathered first.
const UNMOVED: usize = 1024;

/// What one thread needs to compute tiles of a job.
pub(crate) struct Tiles<'j> {
    job: &'j Job<'j>,
    loaders: SmallVec<[Loader<'j>; 4]>,
    grid: Grid,
    slots: Slots,
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
                memory: Scratch::take(count * width)?,
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

    /// Folds the values of `len` elements from one on: each run of rows of so many to one.
    pub(crate) fn fold(&mut self, from: usize, len: usize, row: usize, fold: &Fold, into: &mut [u8]) {
        if !self.fold_there(from, len, row, fold, into) && !self.fold_unstored(from, len, row, fold, into) {
            fold.rows(self.value(from, len, &[]), row, into);
        }
    }

    /// The same, each row folded in place, where it lies in memory. Returns whether they were.
    fn fold_there(&self, from: usize, len: usize, row: usize, fold: &Fold, into: &mut [u8]) -> bool {
        if !self.folds_there(from, row, fold) {
            return false;
        }
        let results = into.len() / (len / row);
        into.chunks_exact_mut(results).enumerate().all(|(number, into)| {
            let values = self.memory(from + number * row, row);
            values.map(|values| fold.rows(values, row, into)).is_some()
        })
    }

    /// Whether a row of so many elements is folded where it is: it is in memory as it is, and so long that it is not worth moving.
    pub(crate) fn folds_there(&self, from: usize, row: usize, fold: &Fold) -> bool {
        row * fold.size >= UNMOVED && self.memory(from, row).is_some()
    }

    /// The same by a kernel that never stores the values. Returns whether there is one.
    fn fold_unstored(&mut self, from: usize, len: usize, row: usize, fold: &Fold, into: &mut [u8]) -> bool {
        let Tiles { job, loaders, grid, slots } = self;
        let (span, length) = (grid.span(from, len), fold.most().min(row));
        let of_runs = fold.of_runs(row).filter(|_| span.columns.is_multiple_of(row));
        let (Some(of_runs), Some((last, earlier))) = (of_runs, job.steps.split_last()) else {
            return false;
        };
        let mut loaded = Loaded::new();
        load(loaders, from, span, &mut loaded);
        let tile = Tile { job, loaded: &loaded, span, before: &[] };
        slots.run(&tile, earlier.len());
        let computed = Others { begin: usize::MAX, below: slots.memory.bytes(), above: &[] };
        tile.arguments(last, &slots.begins, &slots.bytes, &computed, |arguments, columns, repeated| {
            // Some runs of whole blocks in a row are seen as one. What is read straight on is so rows of any length, but a block
            // that is repeated need not begin with each of them.
            let is_whole = row.is_multiple_of(length) && length.is_multiple_of(BLOCK);
            let columns = match columns.min(len) {
                columns if is_whole || columns == row => columns,
                columns if columns == len && repeated == 0 => row,
                _ => return false,
            };
            of_runs(arguments, columns, length, into);
            true
        })
    }

    /// Folds rows of values to one by such a kernel, with the values nowhere in memory; whether there is one, and it can read
    /// where its arguments lie.
    pub(crate) fn fold_rows(
        &mut self,
        from: usize,
        apart: Apart,
        kernel: Option<OfRows>,
        into: &mut [u8],
    ) -> bool {
        let Tiles { job, loaders, .. } = self;
        let (Some(kernel), [only]) = (kernel, job.steps) else { return false };
        let mut loaded = Loaded::new();
        for loader in loaders {
            match loader.apart(from, apart) {
                Some(along) => loaded.push(along),
                None => return false,
            }
        }
        let Apart { rows, columns, .. } = apart;
        let tile = Tile { job, loaded: &loaded, span: Span { len: rows * columns, columns }, before: &[] };
        let computed = Others { begin: usize::MAX, below: &[], above: &[] };
        tile.arguments(only, &[], &[], &computed, |arguments, _, _| kernel(arguments, [rows, columns], into));
        true
    }

    /// Asks for what a tile reads.
    pub(crate) fn prefetch(&self, from: usize, len: usize) {
        for loader in &self.loaders {
            loader.prefetch(from, len);
        }
    }

    /// Asks for what a tile does not read straight on, along which the processor looks ahead by itself.
    pub(crate) fn prefetch_turned(&self, from: usize, len: usize) {
        for loader in self.loaders.iter().filter(|loader| loader.is_turned()) {
            loader.prefetch(from, len);
        }
    }

    /// How many elements from one on lie in one row of the grid; all, where rows are shorter than a run.
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
    pub(crate) fn put(&mut self, from: usize, len: usize, before: &[u8], stores: Stores, into: &mut [u8]) {
        let Tiles { job, loaders, grid, slots } = self;
        let Some((last, earlier)) = job.steps.split_last() else {
            if let Some(loader) = loaders.first_mut() {
                match stores {
                    Stores::Cached => loader.put(from, len, into),
                    Stores::Streamed => loader.put_past(from, len, into),
                }
            }
            return;
        };
        let (span, mut loaded) = (grid.span(from, len), Loaded::new());
        load(loaders, from, span, &mut loaded);
        let tile = Tile { job, loaded: &loaded, span, before };
        slots.run(&tile, earlier.len());
        let computed = Others { begin: usize::MAX, below: slots.memory.bytes(), above: &[] };
        let bytes = tile.apply(last, &slots.begins, &slots.bytes, &computed, stores, into);
        spread(into, bytes);
    }
}

/// Memory for what steps compute: slots of equal size, one behind the other.
struct Slots {
    memory: Scratch,
    /// The bytes of a slot.
    width: usize,
    /// For each step where its slot begins.
    begins: SmallVec<[usize; 8]>,
    /// For each step how many bytes it computed last: those of the tile, or the block that all of it repeats.
    bytes: SmallVec<[usize; 8]>,
}

/// The tiles of the operands, as many of them on the stack and written in place: a tile takes a few hundred cycles.
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
            bytes[number] = tile.apply(step, begins, bytes, &others, Stores::Cached, slot);
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

/// The inputs of one tile's steps.
struct Tile<'t> {
    job: &'t Job<'t>,
    loaded: &'t [Along<'t>],
    span: Span,
    before: &'t [u8],
}

impl Tile<'_> {
    /// Runs a step's kernel; how many bytes it computed: a block, if every argument repeats one.
    ///
    /// Inlined: arguments passed in memory would be stored in parts and loaded as a whole, which stalls store-to-load
    /// forwarding.
    #[inline(always)]
    fn apply(
        &self,
        step: &Step,
        begins: &[usize],
        bytes: &[usize],
        slots: &Others<'_>,
        stores: Stores,
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
                match stores {
                    Stores::Cached => kernel(x, &mut into[..bytes]),
                    Stores::Streamed => past_cache(kernel, x, &mut into[..bytes], step.size),
                }
                bytes
            }
            Kernel::Several(kernel) => {
                self.arguments(step, begins, bytes, slots, |arguments, columns, repeated| {
                    let bytes = count(repeated < arguments.len());
                    kernel(arguments, columns, stores, &mut into[..bytes]);
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

    /// Hands over what a step's kernel reads: its arguments, how many columns their rows have, and how many of them are a
    /// block that is repeated.
    #[inline(always)]
    fn arguments<R>(
        &self,
        step: &Step,
        begins: &[usize],
        bytes: &[usize],
        slots: &Others<'_>,
        run: impl FnOnce(&[&Along<'_>], usize, usize) -> R,
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
        let (mut repeated, mut by_rows) = (0, false);
        for ((&argument, made), to) in step.arguments.iter().zip(&made).zip(&mut arguments) {
            *to = match (argument, made) {
                (Argument::Operand(operand), _) => &self.loaded[operand],
                (_, made) => made.as_ref().unwrap_or(&Along::NONE),
            };
            let size = self.size(argument);
            let is_repeated = to.step == 0 && to.width < columns * size;
            repeated += usize::from(is_repeated);
            by_rows |= columns < len && !is_repeated && to.width != len * size;
        }
        run(&arguments[..step.arguments.len()], if by_rows { columns } else { usize::MAX }, repeated)
    }
}

/// Runs a kernel of one argument a piece at a time, each of which goes past the cache while the next is computed.
fn past_cache(kernel: OfOne, x: &[u8], into: &mut [u8], size: usize) {
    let mut aside = OnLine([0; PIECE]);
    let of_piece = PIECE / size * (x.len() / (into.len() / size).max(1));
    for (x, into) in x.chunks(of_piece.max(1)).zip(into.chunks_mut(PIECE)) {
        let piece = &mut aside.0[..into.len()];
        kernel(x, piece);
        stream(piece, into);
    }
}
