//! Loops over blocks of several slices at once.

#![allow(
    unsafe_code,
    reason = "slices that were found long enough are read without asking again for each block"
)]

use std::marker::PhantomData;

/// What one slice has for each block of a loop: the next of its blocks, or its only one again and again.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a, T, const B: usize> {
    blocks: &'a [[T; B]],
    repeated: bool,
}

impl<'a, T, const B: usize> Blocks<'a, T, B> {
    /// One after the other.
    #[inline(always)]
    pub(crate) fn each(blocks: &'a [[T; B]]) -> Blocks<'a, T, B> {
        Blocks { blocks, repeated: false }
    }

    /// This one again and again.
    #[inline(always)]
    pub(crate) fn again(block: &'a [T; B]) -> Blocks<'a, T, B> {
        Blocks { blocks: std::slice::from_ref(block), repeated: true }
    }

    /// The one for a block of the loop.
    #[inline(always)]
    pub(crate) fn block(&self, number: usize) -> &'a [T; B] {
        &self.blocks[if self.repeated { 0 } else { number }]
    }

    /// Where so many begin, and by how many blocks one goes on from each.
    #[inline(always)]
    fn walk(&self, count: usize) -> (*const [T; B], usize) {
        let needed = if self.repeated { count.min(1) } else { count };
        assert!(self.blocks.len() >= needed, "a source has too few blocks");
        (self.blocks.as_ptr(), usize::from(!self.repeated))
    }
}

/// The blocks of several slices, side by side. Each is asked once, and not for each block, whether it has so many: that
/// would take as long as what is done with a block.
pub(crate) struct Together<'a, T, const N: usize, const B: usize> {
    at: [*const [T; B]; N],
    /// By how many blocks each is moved on.
    steps: [usize; N],
    left: usize,
    slices: PhantomData<&'a T>,
}

impl<'a, T: Copy, const N: usize, const B: usize> Together<'a, T, N, B> {
    /// So many, all of one slice, from its first on.
    ///
    /// # Panics
    /// If it has fewer.
    #[inline(always)]
    pub(crate) fn new(source: Blocks<'a, T, B>, count: usize) -> Together<'a, T, N, B> {
        let (at, step) = source.walk(count);
        Together { at: [at; N], steps: [step; N], left: count, slices: PhantomData }
    }

    /// Takes those of one place from another slice, before any is looked at. They are put in one by one, because what is put
    /// in as a whole is written to memory by halves and read back as a whole, for which the processor waits.
    ///
    /// # Panics
    /// If it has fewer.
    #[inline(always)]
    pub(crate) fn put(&mut self, place: usize, source: Blocks<'a, T, B>) {
        (self.at[place], self.steps[place]) = source.walk(self.left);
    }

    /// The blocks with each of a slice, as long as there are both. Nothing here takes a closure that does something with them: a
    /// large one is not inlined, and would be compiled for the baseline.
    #[inline(always)]
    pub(crate) fn beside<O>(self, others: &mut [O]) -> Beside<'a, '_, O, T, N, B> {
        let count = others.len().min(self.left);
        Beside { blocks: self, others: others[..count].iter_mut() }
    }

    /// The next block of each, `left` aside.
    ///
    /// # Safety
    /// It was done fewer times than were asked for.
    #[inline(always)]
    unsafe fn step(&mut self) -> [&'a [T; B]; N] {
        // SAFETY: as `walk` saw, a repeated source has a block, and stays at it; each other one has at least as many as were
        // asked for, and was moved on by one for each before this one.
        let blocks = self.at.map(|at| unsafe { &*at });
        for (at, step) in self.at.iter_mut().zip(self.steps) {
            *at = at.wrapping_add(step);
        }
        blocks
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

    fn both<'a>([a, b]: [Blocks<'a, u32, 2>; 2], count: usize) -> Together<'a, u32, 2, 2> {
        let mut both = Together::new(b, count);
        both.put(0, a);
        both
    }

    fn sums(sources: [Blocks<'_, u32, 2>; 2], count: usize) -> Vec<[u32; 2]> {
        let mut out = vec![[0; 2]; count];
        for ([a, b], out) in both(sources, count).beside(&mut out) {
            *out = [a[0] + b[0], a[1] + b[1]];
        }
        out
    }

    #[test]
    fn blocks_follow_one_another_or_stay() {
        let (a, b) = ([[1, 2], [3, 4], [5, 6]], [10, 20]);
        assert_eq!(sums([Blocks::each(&a), Blocks::again(&b)], 3), [[11, 22], [13, 24], [15, 26]]);
        assert_eq!(sums([Blocks::each(&a), Blocks::each(&a)], 2), [[2, 4], [6, 8]]);
        assert_eq!(sums([Blocks::again(&b), Blocks::again(&b)], 2), [[20, 40]; 2]);
        assert_eq!(sums([Blocks::each(&[]), Blocks::each(&a)], 0), [[0; 2]; 0]);
        assert_eq!(Together::new(Blocks::each(&a), 2).collect::<Vec<_>>(), [[&[1, 2]], [&[3, 4]]]);
    }

    #[test]
    #[should_panic(expected = "a source has too few blocks")]
    fn too_few_blocks_are_not_read() {
        sums([Blocks::each(&[[1, 2]]), Blocks::again(&[1, 2])], 2);
    }
}
