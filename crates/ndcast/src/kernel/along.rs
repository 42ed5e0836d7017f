//! What a kernel of several arguments reads along each row of its result.

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::{BLOCK, PIECE};
use crate::simd::{Blocks, Isa, Stores, Together, fetch};

/// What an argument has along each row of a result: as many elements as that, or one that is the same all along, or a
/// block of [`BLOCK`] that is repeated, or nothing. Or it has those of all rows, one behind the other.
#[derive(Clone, Copy, Debug)]
pub struct Along<'a> {
    /// The memory.
    pub(crate) bytes: &'a [u8],
    /// Where in it the first row's elements begin, in bytes.
    pub(crate) first: usize,
    /// The bytes from there to those of the next row.
    pub(crate) step: isize,
    /// The bytes of a row's elements, or of all rows'.
    pub(crate) width: usize,
}

impl<'a> Along<'a> {
    /// Nothing.
    pub(crate) const NONE: Along<'a> = Along { bytes: &[], first: 0, step: 0, width: 0 };

    /// All of a slice: of all rows, or along each.
    #[inline]
    pub(crate) fn run(bytes: &'a [u8]) -> Along<'a> {
        Along { bytes, first: 0, step: 0, width: bytes.len() }
    }

    /// Whether there are no elements: the argument is what the result holds.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.width == 0
    }

    /// Those of the first row.
    #[inline]
    pub(crate) fn memory(&self) -> &'a [u8] {
        &self.bytes[self.first..][..self.width]
    }

    /// Where the elements along one row of so many bytes begin, and how many bytes they are.
    #[inline(always)]
    fn begin(&self, row: usize, bytes: usize) -> (usize, usize) {
        let (step, width) =
            if self.width > bytes { (bytes.cast_signed(), bytes) } else { (self.step, self.width) };
        (self.first.wrapping_add_signed(row.cast_signed().wrapping_mul(step)), width)
    }

    /// Where the elements along the first row of so many bytes begin, how far it is from there to the next row's, and how many
    /// bytes they are.
    #[inline(always)]
    pub(super) fn in_rows(&self, bytes: usize) -> (usize, isize, usize) {
        let (first, width) = self.begin(0, bytes);
        (first, self.begin(1, bytes).0.wrapping_sub(first).cast_signed(), width)
    }

    /// Asks for a block of one row of so many elements, if it has as many.
    #[inline(always)]
    pub(super) fn fetch<T>(&self, row: usize, columns: usize, block: usize) {
        let bytes = columns * size_of::<T>();
        let (first, width) = self.begin(row, bytes);
        if width == bytes {
            fetch(&self.bytes[first + block * BLOCK * size_of::<T>()..][..BLOCK * size_of::<T>()]);
        }
    }

    /// The block that begins behind the whole ones along one row of so many elements, if it has as many and the memory goes
    /// on so far.
    #[inline(always)]
    fn behind<T: Pod>(&self, row: usize, columns: usize) -> Option<&'a [T; BLOCK]> {
        let bytes = columns * size_of::<T>();
        let (first, width) = self.begin(row, bytes);
        let from = first + columns / BLOCK * BLOCK * size_of::<T>();
        let block = self.bytes.get(from..from + BLOCK * size_of::<T>()).filter(|_| width == bytes)?;
        cast_slice(block).first_chunk()
    }

    /// The elements along one row of so many; `alike` is memory for one that is the same all along.
    #[inline(always)]
    pub(super) fn row<'r, T: Pod>(
        &self,
        row: usize,
        columns: usize,
        alike: &'r mut Option<Aligned<T>>,
    ) -> Source<'r, T>
    where
        'a: 'r,
    {
        let (first, width) = self.begin(row, columns * size_of::<T>());
        let elements = cast_slice::<u8, T>(&self.bytes[first..][..width]);
        if let (&[element], true) = (elements, columns > 1) {
            // In its place, not beside it and then moved.
            let Aligned(alike) = alike.get_or_insert_with(Aligned::zeroed);
            alike.fill(element);
            return Source { blocks: Blocks::again(alike), rest: alike };
        }
        let (blocks, rest) = elements.as_chunks();
        match blocks {
            [one] if rest.is_empty() && columns > BLOCK => Source { blocks: Blocks::again(one), rest: one },
            _ => Source { blocks: Blocks::each(blocks), rest },
        }
    }
}

/// Memory for a block. It begins on a line of the cache, so that no vector lies in two.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>([T; BLOCK]);

impl<T: Pod> Aligned<T> {
    #[inline(always)]
    pub(super) fn zeroed() -> Aligned<T> {
        Aligned([T::zeroed(); BLOCK])
    }
}

/// So many blocks of short elements are written past the cache together.
const TOGETHER: usize = 8;

/// Where the blocks of a result are computed, and from where they are written. What goes past the cache is computed aside.
/// Short elements are not written in whole vectors, which could only be read back when all written before is out of the
/// way: so some blocks of them wait for one another.
pub(super) struct Past<'o, T> {
    stores: Stores,
    one: Aligned<T>,
    some: Option<[Aligned<u16>; TOGETHER]>,
    waiting: [Option<&'o mut [T; BLOCK]>; TOGETHER],
    count: usize,
}

impl<'o, T: Pod> Past<'o, T> {
    const IS_SHORT: bool = size_of::<T>() <= size_of::<u16>();

    #[inline(always)]
    pub(super) fn new(stores: Stores) -> Past<'o, T> {
        let waiting = [const { None }; TOGETHER];
        Past { stores, one: Aligned::zeroed(), some: None, waiting, count: 0 }
    }

    /// Where a block is computed.
    #[inline(always)]
    pub(super) fn aside<'p>(&'p mut self, out: &'p mut [T; BLOCK]) -> &'p mut [T; BLOCK] {
        match self.stores {
            Stores::Near => out,
            Stores::Past if Self::IS_SHORT => {
                let some = self.some.get_or_insert_with(|| [Aligned::zeroed(); TOGETHER]);
                as_block(&mut some[self.count % TOGETHER])
            }
            Stores::Past => &mut self.one.0,
        }
    }

    /// Writes a block that was computed, if it was aside.
    #[inline(always)]
    pub(super) fn write<I: Isa>(&mut self, out: &'o mut [T; BLOCK]) {
        match self.stores {
            Stores::Near => {}
            Stores::Past if Self::IS_SHORT => {
                self.waiting[self.count % TOGETHER] = Some(out);
                self.count += 1;
                if self.count == TOGETHER {
                    self.finish::<I>();
                }
            }
            Stores::Past => I::stream(cast_slice(&self.one.0), cast_slice_mut(out)),
        }
    }

    /// Writes all that is still waiting.
    #[inline(always)]
    pub(super) fn finish<I: Isa>(&mut self) {
        if let (true, Some(some)) = (Self::IS_SHORT, &mut self.some) {
            for (aside, out) in some.iter_mut().zip(&mut self.waiting) {
                let Some(out) = out.take() else { break };
                I::stream(cast_slice(as_block::<T>(aside)), cast_slice_mut(out));
            }
            self.count = 0;
        }
    }
}

/// The same memory for a block of elements that are no longer.
#[inline(always)]
fn as_block<T: Pod>(aside: &mut Aligned<u16>) -> &mut [T; BLOCK] {
    &mut cast_slice_mut(&mut aside.0).as_chunks_mut().0[0]
}

/// The elements of an argument along one row, as blocks and the rest that is no whole one.
#[derive(Clone, Copy)]
pub(super) struct Source<'a, T> {
    pub(super) blocks: Blocks<'a, T, BLOCK>,
    pub(super) rest: &'a [T],
}

/// Room for what lies behind the last whole block of each argument.
pub(super) struct Room<T, const N: usize> {
    blocks: [[T; BLOCK]; N],
    /// Where the row begins of which each is: what is the same in all rows is put there once.
    holds: [Option<usize>; N],
}

impl<T: Pod, const N: usize> Room<T, N> {
    #[inline(always)]
    pub(super) fn new() -> Room<T, N> {
        Room { blocks: [[T::zeroed(); BLOCK]; N], holds: [None; N] }
    }
}

/// The elements of several arguments along one row.
pub(super) struct Row<'a, T, const N: usize> {
    pub(super) blocks: Together<'a, T, N, BLOCK>,
    rests: [&'a [T]; N],
}

impl<'a, T: Pod, const N: usize> Row<'a, T, N> {
    /// As [`Along::row`], of each; in the place of one that has nothing stands the last, and is not looked at. In
    /// development it is a function of its own, because it would be most of the code of a kernel, of which there are
    /// hundreds; but short rows beside a column would take a quarter longer.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(
        arguments: &[&Along<'a>; N],
        row: usize,
        columns: usize,
        alike: &'a mut [Option<Aligned<T>>; N],
    ) -> Row<'a, T, N> {
        let mut others = arguments.iter().zip(alike).enumerate();
        let last = others.next_back().map(|(_, (last, alike))| last.row(row, columns, alike));
        let Source { blocks, rest } = last.unwrap_or(Source { blocks: Blocks::each(&[]), rest: &[] });
        let left = columns % BLOCK;
        let mut all = Row { blocks: Together::new(blocks, columns / BLOCK), rests: [&rest[..left]; N] };
        for (n, (argument, alike)) in others {
            if !argument.is_empty() {
                let source = argument.row(row, columns, alike);
                all.blocks.put(n, source.blocks);
                all.rests[n] = &source.rest[..left];
            }
        }
        all
    }

    /// What lies behind the blocks as the beginning of one more; what is behind that is something else. It is read where it
    /// lies, if the memory goes on so far, or put into this room.
    #[inline(always)]
    pub(super) fn last<'r>(
        &self,
        arguments: &[&Along<'r>; N],
        (row, columns): (usize, usize),
        room: &'r mut Room<T, N>,
    ) -> [&'r [T; BLOCK]; N] {
        let mut there = [None; N];
        for n in 0..N {
            there[n] = arguments[n].behind(row, columns);
            let place = Some(arguments[n].begin(row, columns * size_of::<T>()).0);
            if there[n].is_none() && room.holds[n] != place {
                room.blocks[n][..self.rests[n].len()].copy_from_slice(self.rests[n]);
                room.holds[n] = place;
            }
        }
        let mut last = room.blocks.each_ref();
        for n in 0..N {
            if let Some(block) = there[n] {
                last[n] = block;
            }
        }
        last
    }

    /// One of the pieces behind the blocks.
    #[inline(always)]
    pub(super) fn piece(&self, number: usize) -> [&'a [T; PIECE]; N] {
        let mut all = [&self.rests[0].as_chunks().0[number]; N];
        for n in 1..N {
            all[n] = &self.rests[n].as_chunks().0[number];
        }
        all
    }

    /// What lies at one place behind the blocks.
    #[inline(always)]
    pub(super) fn rest(&self, place: usize) -> [T; N] {
        let mut all = [self.rests[0][place]; N];
        for n in 1..N {
            all[n] = self.rests[n][place];
        }
        all
    }
}
