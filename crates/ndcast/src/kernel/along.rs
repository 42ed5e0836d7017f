//! What a kernel of several arguments reads along each row of its result.

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::BLOCK;
use crate::simd::{ASIDE, Aside, Isa, Source, Splat, Stores, Together, prefetch};

/// What an argument has along each row of a result. Its width says which: an element per column, one for the whole row, a
/// repeated block of [`BLOCK`] (rows are longer then), or nothing. If it is wider than a row, it is all rows, contiguous.
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

    /// A whole slice: all rows, or the same along each.
    #[inline]
    pub(crate) fn run(bytes: &'a [u8]) -> Along<'a> {
        Along { bytes, first: 0, step: 0, width: bytes.len() }
    }

    /// Whether there are no elements: the argument is what the result holds.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.width == 0
    }

    /// The bytes along the first row.
    #[inline]
    pub(crate) fn memory(&self) -> &'a [u8] {
        &self.bytes[self.first..][..self.width]
    }

    /// For rows of so many bytes: where the first begins, the step to the next, and the width of each.
    fn in_rows(&self, bytes: usize) -> (usize, isize, usize) {
        if self.width > bytes {
            (self.first, bytes.cast_signed(), bytes)
        } else {
            (self.first, self.step, self.width)
        }
    }
}

/// As many arguments as a map takes: a kernel is run on no others.
#[inline(always)]
pub(super) fn exactly<'s, 'a, const N: usize>(
    arguments: &'s [&'a Along<'a>],
) -> Option<&'s [&'a Along<'a>; N]> {
    debug_assert_eq!(arguments.len(), N, "as many arguments as the map takes");
    arguments.try_into().ok()
}

/// The columns of a result's rows; all its elements, if these are fewer. `None` if it has no elements.
#[inline(always)]
pub(super) fn columns_of(columns: usize, elements: usize) -> Option<usize> {
    let columns = columns.min(elements);
    debug_assert!(columns == 0 || elements.is_multiple_of(columns), "whole rows");
    (columns > 0).then_some(columns)
}

/// An [`Along`] counted in elements instead of bytes, decoded once for all rows.
#[derive(Clone, Copy)]
pub(super) struct ArgumentRows<'a, T> {
    elements: &'a [T],
    /// Where the first row begins, and how far it is to each next.
    first: usize,
    step: isize,
    columns: usize,
    /// So many elements are there along a row: as many as columns, or one, or a block that is repeated.
    width: usize,
    is_one: bool,
    is_repeated: bool,
}

impl<'a, T: Pod> ArgumentRows<'a, T> {
    /// Decodes all arguments, for rows of so many columns. In the place of an empty one stands the last, which is never read there.
    /// Not inlined: it would be most of the code of hundreds of kernels.
    #[inline(never)]
    pub(super) fn all<const N: usize>(
        arguments: &[&Along<'a>; N],
        columns: usize,
    ) -> [ArgumentRows<'a, T>; N] {
        let mut all = [ArgumentRows::of(arguments[N - 1], columns); N];
        for (decoded, argument) in all.iter_mut().zip(arguments).filter(|(_, argument)| !argument.is_empty())
        {
            *decoded = ArgumentRows::of(argument, columns);
        }
        all
    }

    fn of(along: &Along<'a>, columns: usize) -> ArgumentRows<'a, T> {
        let size = size_of::<T>();
        let (first, step, width) = along.in_rows(columns * size);
        let (first, step, width) = (first / size, step / size.cast_signed(), width / size);
        let elements = cast_slice(&along.bytes[..along.bytes.len() / size * size]);
        let (is_one, is_repeated) = (width == 1 && columns > 1, width == BLOCK && columns > BLOCK);
        debug_assert!(is_one || is_repeated || width == columns, "an element for each column");
        ArgumentRows { elements, first, step, columns, width, is_one, is_repeated }
    }

    /// Whether each row is one element that is the same in all columns.
    #[inline(always)]
    pub(super) fn is_one(&self) -> bool {
        self.is_one
    }

    #[inline(always)]
    fn begin(&self, row: usize) -> usize {
        self.first.wrapping_add_signed(row.cast_signed().wrapping_mul(self.step))
    }

    /// `count` elements of a row, from a column on.
    #[inline(always)]
    pub(super) fn elements(&self, row: usize, column: usize, count: usize) -> &'a [T] {
        &self.elements[self.begin(row) + column..][..count]
    }

    /// Prefetches `count` elements of a row, if it has one for each column.
    #[inline(always)]
    pub(super) fn prefetch(&self, row: usize, column: usize, count: usize) {
        if self.width == self.columns {
            prefetch(cast_slice(self.elements(row, column, count)));
        }
    }

    /// The source of one row. If the row is one element, it is repeated in `splat`.
    #[inline(always)]
    fn row<'r>(&self, row: usize, splat: &'r mut Splat<T, BLOCK>) -> Source<'r, T, BLOCK>
    where
        'a: 'r,
    {
        let elements = self.elements(row, 0, self.width);
        match elements {
            [element, ..] if self.is_one => Source { elements: splat.of(*element), is_repeated: true },
            _ => Source { elements, is_repeated: self.is_repeated },
        }
    }

    /// The blocks of one row of every argument.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn together<'r, const N: usize>(
        all: &[ArgumentRows<'a, T>; N],
        row: usize,
        splats: &'r mut [Splat<T, BLOCK>; N],
    ) -> Together<'r, T, N, BLOCK>
    where
        'a: 'r,
    {
        let (mut first, mut others) = splats.split_at_mut(1);
        let mut together = Together::new(all[0].row(row, &mut first[0]), all[0].columns);
        for n in 1..N {
            (first, others) = others.split_at_mut(1);
            together.put(n, all[n].row(row, &mut first[0]));
        }
        together
    }

    /// A block read behind the last whole one, past the row's end, if there is an element per column and memory reaches so far.
    #[inline(always)]
    fn behind(&self, row: usize) -> Option<&'a [T; BLOCK]> {
        let from = self.begin(row) + self.columns / BLOCK * BLOCK;
        self.elements.get(from..)?.first_chunk().filter(|_| self.width == self.columns)
    }
}

/// Splat buffers, one for each argument.
pub(super) fn splats<T: Pod, const N: usize>() -> [Splat<T, BLOCK>; N] {
    [const { Splat::NOTHING }; N]
}

/// Where the blocks of a result are computed: in place, or in a staging buffer from which they are streamed past the cache at
/// once, so that reads go on meanwhile. Several blocks of short elements are staged together: they are not stored as whole
/// vectors, so loading them back at once would stall.
pub(super) struct Staging {
    stores: Stores,
    aside: Aside,
}

impl Staging {
    #[inline(always)]
    pub(super) fn new(stores: Stores) -> Staging {
        Staging { stores, aside: Aside::NOTHING }
    }

    /// How many blocks are staged together.
    #[inline(always)]
    pub(super) fn batch<T>(&self) -> usize {
        const { assert!(size_of::<[T; BLOCK]>() <= ASIDE, "a block fits") };
        match self.stores {
            Stores::Cached => usize::MAX,
            Stores::Streamed if size_of::<T>() <= size_of::<u16>() => ASIDE / size_of::<[u16; BLOCK]>(),
            Stores::Streamed => 1,
        }
    }

    /// Where these blocks are computed.
    #[inline(always)]
    pub(super) fn blocks<'p, T: Pod>(&'p mut self, out: &'p mut [[T; BLOCK]]) -> &'p mut [[T; BLOCK]] {
        match self.stores {
            Stores::Cached => out,
            Stores::Streamed => &mut cast_slice_mut(self.aside.bytes()).as_chunks_mut().0[..out.len()],
        }
    }

    /// Streams them out, if they were staged.
    #[inline(always)]
    pub(super) fn flush<I: Isa, T: Pod>(&mut self, out: &mut [[T; BLOCK]]) {
        if self.stores == Stores::Streamed {
            let out = cast_slice_mut(out.as_flattened_mut());
            I::stream(&self.aside.bytes()[..out.len()], out);
        }
    }
}

/// Each argument's remainder behind its last whole block, as a block.
pub(super) struct Room<T, const N: usize> {
    blocks: [[T; BLOCK]; N],
    /// The start of the row that each was copied from: if all rows are one, it is copied once.
    holds: [Option<usize>; N],
}

impl<T: Pod, const N: usize> Room<T, N> {
    #[inline(always)]
    pub(super) fn new() -> Room<T, N> {
        Room { blocks: [[T::zeroed(); BLOCK]; N], holds: [None; N] }
    }

    /// The remainder of a row as a whole block, whose further elements mean nothing. It is read in place if the memory reaches
    /// so far, else copied here.
    #[inline(always)]
    pub(super) fn last<'r>(
        &'r mut self,
        all: &[ArgumentRows<'r, T>; N],
        row: usize,
        together: &Together<'r, T, N, BLOCK>,
    ) -> [&'r [T; BLOCK]; N] {
        let (rest, mut there) = (together.rest(), [None; N]);
        for n in 0..N {
            there[n] = rest.repeated(n).or_else(|| all[n].behind(row));
            let begin = all[n].begin(row);
            if there[n].is_none() && self.holds[n] != Some(begin) {
                let columns = all[n].columns;
                let from = all[n].elements(row, columns / BLOCK * BLOCK, columns % BLOCK);
                self.blocks[n][..from.len()].copy_from_slice(from);
                self.holds[n] = Some(begin);
            }
        }
        let mut last = self.blocks.each_ref();
        for n in 0..N {
            if let Some(block) = there[n] {
                last[n] = block;
            }
        }
        last
    }
}
