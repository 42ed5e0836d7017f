//! A job: an expression over operands, as a flat list of kernels over tiles.
//!
//! A tile is a run of the result, small enough that everything about it stays in the nearest cache.

use smallvec::SmallVec;

use super::grid::Grid;
use super::load::{self, Panels};
use super::pattern::PATTERN;
use super::threads::threads;
use super::walk::Walk;
use crate::kernel::Kernel;

/// The fewest elements of a tile, and the length of a run of a reduction.
pub(crate) const RUN: usize = 512;
/// The bytes that a tile of the widest elements should have, at least.
const TILE_BYTES: usize = 8192;
/// The bytes of all its buffers together, if that allows longer tiles.
const NEAR_BYTES: usize = 24 << 10;
/// A tile of a kernel that reads memory itself is at most so many times as long.
const DIRECT: usize = 32;
/// The bytes of the widest elements of such tiles of all threads: each reserves one, even if it is not used.
const DIRECT_BYTES: usize = 1 << 20;

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

    /// The same, if the values of only these of its steps are anywhere.
    pub(crate) fn tile_of(&self, steps: &[Step]) -> usize {
        let (widest, all) = self.near(steps);
        let tile = (TILE_BYTES / widest).max(NEAR_BYTES / all).max(RUN);
        // Whole runs.
        tile - tile % RUN
    }

    /// The same where operands are read in place and need not fit into the cache: longer, so that there is less overhead.
    pub(crate) fn direct_tile(&self) -> usize {
        let (widest, _) = self.near(self.steps);
        let times = (DIRECT_BYTES / TILE_BYTES / threads()).clamp(1, DIRECT);
        times * (TILE_BYTES / widest).max(RUN)
    }

    /// The bytes that an element of a tile takes in the nearest cache: in the widest buffer, and in all. An operand that streams
    /// by counts half, one that repeats within a block not at all, and a pattern that is only copied twice.
    fn near(&self, steps: &[Step]) -> (usize, usize) {
        let is_moved = self.steps.is_empty();
        let loaded = self.operands.iter().map(|operand| match &operand.walk {
            walk if is_moved && load::is_pattern(walk) => 2 * operand.size,
            walk if !is_moved && load::is_in_every_block(walk) => 0,
            walk if walk.is_constant() || walk.is_dense() || load::is_rows(walk) => operand.size.div_ceil(2),
            _ => operand.size,
        });
        let widths = loaded.chain(steps.iter().map(|step| step.size));
        widths.fold((1, 1), |(widest, all), width| (widest.max(width), all + width))
    }

    /// How its elements are cut into rows, where of what is repeated one row is made at a time.
    pub(crate) fn grid(&self) -> Grid {
        Grid::of(self.operands.iter().map(|operand| (&operand.walk, false)), self.elements)
    }

    /// The same, where kernels that take rows read what is repeated: rows are cut so that each begins with the repeated block.
    /// They are so short that it stays in the nearest cache. With a single kernel, to which a remainder costs more than a
    /// farther cache, they may be longer. A mere copy is not cut so.
    pub(crate) fn rows(&self) -> Grid {
        if let ([only], true) = (&self.operands[..], self.steps.is_empty()) {
            return if load::is_pattern(&only.walk) { self.grid() } else { Grid::NONE };
        }
        let most = self.tile() / 2;
        let walks = self
            .operands
            .iter()
            .enumerate()
            .map(|(number, operand)| (&operand.walk, self.is_read_by_rows(number)));
        let grid = Grid::of(walks, self.elements);
        self.repeating(grid, [most, if self.steps.len() == 1 { PATTERN } else { most }])
    }

    /// The same, of rows of `most[0]` elements at most, or of `most[1]` if that leaves kernels no remainder.
    pub(super) fn rows_of(&self, most: [usize; 2]) -> Grid {
        self.repeating(self.grid(), most)
    }

    /// A grid, cut further so that what kernels read by rows is alike in each.
    fn repeating(&self, grid: Grid, most: [usize; 2]) -> Grid {
        let by_rows = self.operands.iter().enumerate().filter(|(number, _)| self.is_read_by_rows(*number));
        grid.repeating(by_rows.map(|(_, operand)| &operand.walk), self.elements, most)
    }

    /// Whether only kernels that take rows read an operand.
    pub(super) fn is_read_by_rows(&self, operand: usize) -> bool {
        let reads = |step: &&Step| step.arguments.contains(&Argument::Operand(operand));
        self.steps.iter().filter(reads).all(|step| matches!(step.kernel, Kernel::Several(_)))
    }

    /// Whether it is one kernel, at most, of what lies one behind the other or stays where it is. What repeats a block and is
    /// only moved is copied from the nearest cache, where it has to fit beside what it is copied to.
    pub(crate) fn is_direct(&self, grid: Grid) -> bool {
        let is_moved = self.steps.is_empty();
        self.steps.len() <= 1
            && self.operands.iter().all(|Operand { walk, .. }| {
                load::is_direct(walk, grid.row) && !(is_moved && load::is_pattern(walk))
            })
    }

    /// How the result is best walked through, if not straight on: the way of the first operand that lies across.
    pub(crate) fn panels(&self) -> Option<Panels> {
        self.operands.iter().find_map(|operand| Panels::of(&operand.walk))
    }

    /// The bytes of its operands that it reads, each counted once.
    pub(crate) fn read(&self) -> usize {
        self.operands.iter().map(|operand| operand.walk.reached() * operand.size).sum()
    }

    /// The bytes of the lines of the cache that these lie in.
    pub(crate) fn touched(&self) -> usize {
        self.operands.iter().map(|operand| operand.walk.touched(operand.size)).sum()
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
    pub(super) fn slots(&self) -> (SmallVec<[usize; 8]>, usize) {
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
