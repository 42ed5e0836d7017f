//! Loops over several slices at once, block for block.

#![allow(
    unsafe_code,
    reason = "slices that were found long enough are read without asking again for each block"
)]
#![allow(clippy::needless_range_loop, reason = "loops over as many as are known become no loops")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// A block filled with one element (a splat). Aligned to a cache line, so that no vector straddles two, and uninitialised
/// until it is filled: most kernels never need it.
#[repr(align(64))]
pub(crate) struct Splat<T, const B: usize>([MaybeUninit<T>; B]);

impl<T: Copy, const B: usize> Splat<T, B> {
    pub(crate) const NOTHING: Splat<T, B> = Splat([const { MaybeUninit::uninit() }; B]);

    /// Fills it with an element.
    #[inline(always)]
    pub(crate) fn of(&mut self, element: T) -> &[T; B] {
        for place in &mut self.0 {
            place.write(element);
        }
        // SAFETY: every place was written to.
        unsafe { &*self.0.as_ptr().cast() }
    }
}

/// One input of a loop: consecutive elements, or one block that is repeated.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, T, const B: usize> {
    pub(crate) elements: &'a [T],
    pub(crate) is_repeated: bool,
}

impl<T, const B: usize> Source<'_, T, B> {
    /// The first of `count` elements, and the step from block to block.
    #[inline(always)]
    fn walk(&self, count: usize) -> (*const T, usize) {
        let (needed, step) = if self.is_repeated { (B, 0) } else { (count, B) };
        assert!(self.elements.len() >= needed, "a source has too few elements");
        (self.elements.as_ptr(), step)
    }
}

/// The elements of several slices, side by side: block for block, and behind these the [rest](Together::rest). Each slice is
/// asked once, and not for each block, whether it has so many: that would take as long as what is done with a block.
pub(crate) struct Together<'a, T, const N: usize, const B: usize> {
    at: [*const T; N],
    /// By how many elements each is moved on.
    steps: [usize; N],
    /// So many blocks are left.
    left: usize,
    /// So many elements are behind them, fewer than a block.
    rest: usize,
    slices: PhantomData<&'a T>,
}

impl<'a, T: Copy, const N: usize, const B: usize> Together<'a, T, N, B> {
    /// `count` elements of one source, at every place: [`put`](Together::put) sets others.
    ///
    /// # Panics
    /// If it has fewer.
    #[inline(always)]
    pub(crate) fn new(source: Source<'a, T, B>, count: usize) -> Together<'a, T, N, B> {
        let (at, step) = source.walk(count);
        Together { at: [at; N], steps: [step; N], left: count / B, rest: count % B, slices: PhantomData }
    }

    /// Sets the source of one place, before iteration. One by one, because an array of sources would be stored in parts and
    /// loaded as a whole, which stalls store-to-load forwarding.
    ///
    /// # Panics
    /// If it has fewer.
    #[inline(always)]
    pub(crate) fn put(&mut self, place: usize, source: Source<'a, T, B>) {
        (self.at[place], self.steps[place]) = source.walk(self.left * B + self.rest);
    }

    /// Zips the blocks with the items of a slice, to the end of the shorter. No closure runs over them here: a large one is not
    /// inlined, and would be compiled for the baseline.
    #[inline(always)]
    pub(crate) fn beside<O>(self, others: &mut [O]) -> Beside<'a, '_, O, T, N, B> {
        let count = others.len().min(self.left);
        Beside { blocks: self, others: others[..count].iter_mut() }
    }

    /// Splits off the next `count` blocks, or all that are left.
    #[inline(always)]
    pub(crate) fn split(&mut self, count: usize) -> Together<'a, T, N, B> {
        let count = count.min(self.left);
        let first = Together { left: count, rest: 0, ..*self };
        for n in 0..N {
            self.at[n] = self.at[n].wrapping_add(self.steps[n] * count);
        }
        self.left -= count;
        first
    }

    /// The remainder behind the last block, however far iteration is.
    #[inline(always)]
    pub(crate) fn rest(&self) -> Rest<'a, T, N, B> {
        let mut rest = Rest { at: self.at, repeated: [false; N], count: self.rest, slices: PhantomData };
        for n in 0..N {
            rest.at[n] = self.at[n].wrapping_add(self.steps[n] * self.left);
            rest.repeated[n] = self.steps[n] == 0;
        }
        rest
    }

    /// The next block of each; does not touch `left`.
    ///
    /// # Safety
    /// It was called fewer times than there are blocks.
    #[inline(always)]
    unsafe fn step(&mut self) -> [&'a [T; B]; N] {
        // SAFETY: as `walk` saw, a repeated source has a block, and stays at it; each other one has at least as many as were
        // asked for, and was moved on by one for each before this one.
        let blocks = unsafe { blocks(&self.at, 0) };
        for n in 0..N {
            self.at[n] = self.at[n].wrapping_add(self.steps[n]);
        }
        blocks
    }
}

/// `V` elements of each slice, from an offset on. A loop, as everywhere here: the standard library's functions on arrays are not
/// always inlined, and a call for each block takes as long as what is done with it.
///
/// # Safety
/// Each has as many there.
#[inline(always)]
unsafe fn blocks<'a, T, const N: usize, const V: usize>(at: &[*const T; N], from: usize) -> [&'a [T; V]; N] {
    // SAFETY: the caller says so.
    let mut blocks = [unsafe { &*at[0].add(from).cast() }; N];
    for n in 1..N {
        // SAFETY: the same.
        blocks[n] = unsafe { &*at[n].add(from).cast() };
    }
    blocks
}

/// What lies behind the blocks of several slices: fewer elements than a block has.
pub(crate) struct Rest<'a, T, const N: usize, const B: usize> {
    at: [*const T; N],
    /// Which have a whole block there.
    repeated: [bool; N],
    count: usize,
    slices: PhantomData<&'a T>,
}

impl<'a, T: Copy, const N: usize, const B: usize> Rest<'a, T, N, B> {
    /// `V` of them, from `from` on.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub(crate) fn piece<const V: usize>(&self, from: usize) -> [&'a [T; V]; N] {
        assert!(V <= self.count && from <= self.count - V, "a piece is behind the rest");
        // SAFETY: `walk` saw that each slice has as many behind its blocks, and a repeated block has more.
        unsafe { blocks(&self.at, from) }
    }

    /// What lies at one place.
    ///
    /// # Panics
    /// If it is not one of them.
    #[inline(always)]
    pub(crate) fn at(&self, place: usize) -> [T; N] {
        assert!(place < self.count, "a place is behind the rest");
        // SAFETY: as for a piece.
        let mut all = [unsafe { *self.at[0].add(place) }; N];
        for n in 1..N {
            // SAFETY: the same.
            all[n] = unsafe { *self.at[n].add(place) };
        }
        all
    }

    /// The block of one slice, if it is repeated.
    #[inline(always)]
    pub(crate) fn repeated(&self, n: usize) -> Option<&'a [T; B]> {
        // SAFETY: `walk` saw that there is one.
        self.repeated[n].then(|| unsafe { &*self.at[n].cast() })
    }
}

/// Blocks beside each of a slice.
pub(crate) struct Beside<'a, 'o, O, T, const N: usize, const B: usize> {
    blocks: Together<'a, T, N, B>,
    /// No more than there are blocks.
    others: std::slice::IterMut<'o, O>,
}

impl<'a, 'o, O, T: Copy, const N: usize, const B: usize> Iterator for Beside<'a, 'o, O, T, N, B> {
    type Item = ([&'a [T; B]; N], &'o mut O);

    #[inline(always)]
    fn next(&mut self) -> Option<([&'a [T; B]; N], &'o mut O)> {
        let other = self.others.next()?;
        // SAFETY: it is done once for each of the others.
        Some((unsafe { self.blocks.step() }, other))
    }
}

impl<'a, T: Copy, const N: usize, const B: usize> Iterator for Together<'a, T, N, B> {
    type Item = [&'a [T; B]; N];

    #[inline(always)]
    fn next(&mut self) -> Option<[&'a [T; B]; N]> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: there was one left.
        Some(unsafe { self.step() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(elements: &[u32]) -> Source<'_, u32, 2> {
        Source { elements, is_repeated: false }
    }

    fn again(block: &[u32; 2]) -> Source<'_, u32, 2> {
        Source { elements: block, is_repeated: true }
    }

    fn both<'a>([a, b]: [Source<'a, u32, 2>; 2], count: usize) -> Together<'a, u32, 2, 2> {
        let mut both = Together::new(b, count);
        both.put(0, a);
        both
    }

    /// Of so many elements.
    fn sums(sources: [Source<'_, u32, 2>; 2], count: usize) -> Vec<u32> {
        let mut out = vec![[0; 2]; count / 2];
        let both = both(sources, count);
        let rest = both.rest();
        for ([a, b], out) in both.beside(&mut out) {
            *out = [a[0] + b[0], a[1] + b[1]];
        }
        out.into_iter().flatten().chain((0..count % 2).map(|place| rest.at(place).iter().sum())).collect()
    }

    #[test]
    fn blocks_follow_one_another_or_stay() {
        let (a, b) = ([1, 2, 3, 4, 5, 6], [10, 20]);
        assert_eq!(sums([each(&a), again(&b)], 6), [11, 22, 13, 24, 15, 26]);
        assert_eq!(sums([each(&a), again(&b)], 5), [11, 22, 13, 24, 15]);
        assert_eq!(sums([each(&a), each(&a)], 3), [2, 4, 6]);
        assert_eq!(sums([again(&b), again(&b)], 3), [20, 40, 20]);
        assert_eq!(sums([each(&[]), each(&a)], 0), []);
        assert_eq!(Together::new(each(&a), 4).collect::<Vec<_>>(), [[&[1, 2]], [&[3, 4]]]);
    }

    #[test]
    fn some_blocks_follow_others() {
        let a = [1, 2, 3, 4, 5, 6, 7];
        let mut both = both([each(&a), again(&[10, 20])], 7);
        for (mut out, expected) in [([[0; 2]; 2], [[11, 22], [13, 24]]), ([[0; 2]; 2], [[15, 26], [0, 0]])] {
            for ([a, b], out) in both.split(2).beside(&mut out) {
                *out = [a[0] + b[0], a[1] + b[1]];
            }
            assert_eq!((out, both.rest().at(0)), (expected, [7, 10]));
        }
        assert_eq!(both.next(), None);
    }

    #[test]
    fn the_rest_is_where_the_blocks_end() {
        let (a, b) = ([1, 2, 3, 4, 5], [10, 20]);
        let mut both = both([each(&a), again(&b)], 5);
        for _ in 0..3 {
            let rest = both.rest();
            assert_eq!((rest.at(0), rest.piece::<1>(0)), ([5, 10], [&[5], &[10]]));
            assert_eq!((rest.repeated(0), rest.repeated(1)), (None, Some(&b)));
            both.next();
        }
    }

    #[test]
    fn a_block_is_of_one_element() {
        let mut splat = Splat::<u8, 4>::NOTHING;
        assert_eq!(splat.of(7), &[7; 4]);
        assert_eq!(splat.of(9), &[9; 4]);
    }

    #[test]
    #[should_panic(expected = "a source has too few elements")]
    fn too_few_elements_are_not_read() {
        sums([each(&[1, 2]), again(&[1, 2])], 3);
    }

    #[test]
    #[should_panic(expected = "a place is behind the rest")]
    fn nothing_is_read_behind_the_rest() {
        both([each(&[1, 2, 3]), again(&[1, 2])], 3).rest().at(1);
    }

    #[test]
    #[should_panic(expected = "a piece is behind the rest")]
    fn no_piece_is_read_behind_the_rest() {
        both([each(&[1, 2, 3]), again(&[1, 2])], 3).rest().piece::<2>(0);
    }
}
