//! Loops over blocks of several slices at once.

#![allow(
    unsafe_code,
    reason = "slices that were found long enough are read without asking again for each block"
)]

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
}

/// Does something for each block of `out` with those of all sources. Each source is asked once, and not for each block,
/// whether it has so many: that would take as long as what is done.
///
/// # Panics
/// If a source has fewer blocks than `out`.
#[inline(always)]
pub(crate) fn together<T: Copy, R, const N: usize, const B: usize>(
    sources: [Blocks<'_, T, B>; N],
    out: &mut [[R; B]],
    each: impl Fn([&[T; B]; N], &mut [R; B]),
) {
    if out.is_empty() {
        return;
    }
    for source in &sources {
        let needed = if source.repeated { 1 } else { out.len() };
        assert!(source.blocks.len() >= needed, "a source has too few blocks");
    }
    let steps = sources.map(|source| usize::from(!source.repeated));
    let mut at = sources.map(|source| source.blocks.as_ptr());
    for out in out {
        // SAFETY: a repeated source has a block, and stays at it; each other one has as many as `out`, and was moved on
        // by one for each before this one.
        let blocks = at.map(|at| unsafe { &*at });
        each(blocks, out);
        for (at, step) in at.iter_mut().zip(steps) {
            *at = at.wrapping_add(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(sources: [Blocks<'_, u32, 2>; 2], count: usize) -> Vec<[u32; 2]> {
        let mut out = vec![[0; 2]; count];
        together(sources, &mut out, |[a, b], out| *out = [a[0] + b[0], a[1] + b[1]]);
        out
    }

    #[test]
    fn blocks_follow_one_another_or_stay() {
        let (a, b) = ([[1, 2], [3, 4], [5, 6]], [10, 20]);
        assert_eq!(sums([Blocks::each(&a), Blocks::again(&b)], 3), [[11, 22], [13, 24], [15, 26]]);
        assert_eq!(sums([Blocks::each(&a), Blocks::each(&a)], 2), [[2, 4], [6, 8]]);
        assert_eq!(sums([Blocks::again(&b), Blocks::again(&b)], 2), [[20, 40]; 2]);
        assert_eq!(sums([Blocks::each(&[]), Blocks::each(&a)], 0), [[0; 2]; 0]);
    }

    #[test]
    #[should_panic(expected = "a source has too few blocks")]
    fn too_few_blocks_are_not_read() {
        sums([Blocks::each(&[[1, 2]]), Blocks::again(&[1, 2])], 2);
    }
}
