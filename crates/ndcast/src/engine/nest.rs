//! Many short loops, one in another: elements whose places are looked up.

use bytemuck::Pod;

use super::walk::{Counts, Walk};

/// The innermost loops of a walk, if they are so short that to cut it into rectangles would take longer than to look up
/// where each element is.
pub(super) struct Nest {
    /// The positions of the elements of one round of these loops, from its first on.
    offsets: Vec<isize>,
    /// How many loops there are around them.
    outer: usize,
}

/// So many elements are looked up at most.
const LOOKED_UP: usize = 256;
/// Rectangles of so many elements are long enough.
const RECTANGLE: usize = 48;

impl Nest {
    /// Those of a walk.
    #[inline]
    pub(super) fn of(walk: &Walk) -> Option<Nest> {
        let [.., _, before, inner] = &walk.axes[..] else { return None };
        if before.extent * inner.extent >= RECTANGLE {
            return None;
        }
        let (mut outer, mut elements) = (walk.axes.len(), 1);
        while let Some(axis) = outer.checked_sub(1).map(|axis| walk.axes[axis])
            && elements < RECTANGLE
            && elements * axis.extent <= LOOKED_UP
        {
            elements *= axis.extent;
            outer -= 1;
        }
        let mut offsets = vec![0];
        for axis in &walk.axes[outer..] {
            // Each place of the loops around this one, and from there all its steps.
            let around = std::mem::take(&mut offsets);
            for first in around {
                offsets.extend((0..axis.extent).map(|step| first + step.cast_signed() * axis.stride));
            }
        }
        Some(Nest { offsets, outer })
    }

    /// Whether so many elements are enough for it.
    #[inline]
    pub(super) fn is_for(&self, len: usize) -> bool {
        len >= 2 * self.offsets.len()
    }

    /// Fills `run` with the elements from one on.
    pub(super) fn gather<W: Pod>(&self, source: &[W], walk: &Walk, from: usize, run: &mut [W]) {
        let elements = self.offsets.len();
        let outer = &walk.axes[..self.outer];
        let (mut along, mut counts) = (from % elements, Counts::new());
        let mut position = walk.start;
        let mut round = from / elements;
        for axis in outer.iter().rev() {
            counts.insert(0, round % axis.extent);
            position += (round % axis.extent).cast_signed() * axis.stride;
            round /= axis.extent;
        }
        let mut run = run;
        while !run.is_empty() {
            let offsets = &self.offsets[along..];
            let (part, rest) = run.split_at_mut(offsets.len().min(run.len()));
            for (to, offset) in part.iter_mut().zip(offsets) {
                *to = source[(position + offset).cast_unsigned()];
            }
            run = rest;
            along = 0;
            for (count, axis) in counts.iter_mut().zip(outer).rev() {
                *count += 1;
                position += axis.stride;
                if *count < axis.extent {
                    break;
                }
                position -= axis.extent.cast_signed() * axis.stride;
                *count = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::gather::gather;

    #[test]
    fn short_loops_are_looked_up() {
        let source: Vec<u32> = (0..5000).collect();
        let shapes: [&[(usize, isize)]; 5] = [
            &[(6, 700), (2, 0), (8, 40), (2, 0), (4, 1)],
            &[(5, 1), (60, 0), (5, 7)],
            &[(9, 300), (3, -20), (3, -5), (3, -1)],
            &[(20, 0), (7, 1), (2, 100), (2, 50), (2, 7)],
            &[(7, 5), (50, 0), (17, 1)],
        ];
        for axes in shapes {
            let (extents, strides) = (axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1));
            let walk = Walk::new(extents.clone(), strides, 80);
            let elements: usize = extents.product();
            for from in [0, 1, 5, 63, elements / 2] {
                for len in [1, 7, 100, elements - from] {
                    let len = len.min(elements - from);
                    let mut run = vec![0; len];
                    gather(&source, &walk, Nest::of(&walk).as_ref(), from, &mut run);
                    let expected = (from..from + len).map(|at| source[walk.position(at).cast_unsigned()]);
                    assert_eq!(run, expected.collect::<Vec<u32>>(), "{axes:?} from {from} on");
                }
            }
        }
    }
}
