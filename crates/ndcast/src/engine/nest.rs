//! Many short loops, one in another: elements whose places are looked up.

use bytemuck::Pod;

use super::walk::{Counts, Walk};
use crate::simd::{Body, Isa, PICKED, simd, window};

/// The innermost loops of a walk, if they are so short that to cut it into rectangles would take longer than to look up
/// where each element is.
pub(super) struct Nest {
    /// The offsets of one round's elements, in their order, from its least position.
    places: Vec<u32>,
    /// That position, less the first element's.
    least: isize,
    /// Whether a round's elements are so near to one another that they are looked up in registers.
    is_near: bool,
    /// How many loops there are around them.
    outer: usize,
}

/// So many elements are looked up at most.
const LOOKED_UP: usize = 512;
/// Rectangles of so many elements are long enough.
const RECTANGLE: usize = 48;

impl Nest {
    /// Those of a walk over elements of so many bytes.
    #[inline]
    pub(super) fn of(walk: &Walk, size: usize) -> Option<Nest> {
        let [.., _, before, inner] = &walk.axes[..] else { return None };
        let rectangle = before.extent * inner.extent;
        if rectangle > LOOKED_UP {
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
        // From the first position to the farthest below it and above.
        let (mut least, mut most) = (0, 0);
        for axis in &walk.axes[outer..] {
            let reach = axis.stride.saturating_mul(axis.extent.cast_signed() - 1);
            least = reach.min(0).saturating_add(least);
            most = reach.max(0).saturating_add(most);
        }
        let reach = most.abs_diff(least);
        let is_near = reach < window(size);
        if rectangle >= RECTANGLE && !is_near || u32::try_from(reach).is_err() {
            return None;
        }
        let mut offsets = vec![0];
        for axis in &walk.axes[outer..] {
            // Each place of the loops around this one, and from there all its steps.
            let around = std::mem::take(&mut offsets);
            for first in around {
                offsets.extend((0..axis.extent).map(|step| first + step.cast_signed() * axis.stride));
            }
        }
        let places =
            offsets.iter().map(|offset| u32::try_from(offset - least)).collect::<Result<_, _>>().ok()?;
        Some(Nest { places, least, is_near, outer })
    }

    /// Whether it pays for so many elements.
    #[inline]
    pub(super) fn is_for(&self, len: usize) -> bool {
        self.is_near || len >= 2 * self.places.len()
    }

    /// Fills `run` with the elements from one on.
    pub(super) fn gather<W: Pod>(&self, source: &[W], walk: &Walk, from: usize, run: &mut [W]) {
        simd(Rounds { nest: self, source, walk, from, run });
    }
}

/// Rounds of the innermost loops, one after the other.
struct Rounds<'a, W> {
    nest: &'a Nest,
    source: &'a [W],
    walk: &'a Walk,
    from: usize,
    run: &'a mut [W],
}

impl<W: Pod> Body for Rounds<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Rounds { nest: &Nest { ref places, least, is_near, outer }, source, walk, from, mut run } = self;
        let outer = &walk.axes[..outer];
        let (mut along, mut counts) = (from % places.len(), Counts::new());
        let mut position = walk.start + least;
        let mut round = from / places.len();
        for axis in outer.iter().rev() {
            counts.insert(0, round % axis.extent);
            position += (round % axis.extent).cast_signed() * axis.stride;
            round /= axis.extent;
        }
        while !run.is_empty() {
            let places = &places[along..];
            let (part, rest) = run.split_at_mut(places.len().min(run.len()));
            match usize::try_from(position).map(|first| &source[first..]) {
                Ok(memory) => match memory.get(..window(size_of::<W>())) {
                    Some(memory) if is_near => picked::<I, W>(memory, places, part),
                    _ => one_by_one(memory, places, part),
                },
                // The memory begins in the middle of the round: only what is in it is read.
                Err(_) => {
                    let before = position.unsigned_abs();
                    part.iter_mut()
                        .zip(places)
                        .for_each(|(to, &place)| *to = source[place as usize - before]);
                }
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

/// The elements at the first of these places.
#[inline(always)]
fn one_by_one<W: Pod>(memory: &[W], places: &[u32], to: &mut [W]) {
    for (to, &place) in to.iter_mut().zip(places) {
        *to = memory[place as usize];
    }
}

/// The elements at the first of these places, from memory that is one window.
#[inline(always)]
fn picked<I: Isa, W: Pod>(memory: &[W], places: &[u32], to: &mut [W]) {
    let places = &places[..to.len()];
    let (groups, rest) = to.as_chunks_mut::<PICKED>();
    for (to, places) in groups.iter_mut().zip(places.as_chunks().0) {
        I::pick(memory, places, to);
    }
    if rest.is_empty() {
        return;
    }
    match (to.last_chunk_mut(), places.last_chunk()) {
        // A last group, which overlaps the one before.
        (Some(to), Some(places)) => I::pick(memory, places, to),
        _ => one_by_one(memory, places, to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::gather::gather;

    /// The elements of a walk, from several on, in a source that ends with the last of them.
    fn looked_up<W: Pod + PartialEq + std::fmt::Debug>(axes: &[(usize, isize)], of: impl Fn(usize) -> W) {
        let (extents, strides) = (axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1));
        let walk = Walk::new(extents.clone(), strides, 80);
        let elements: usize = extents.product();
        let farthest = (0..elements).map(|at| walk.position(at)).max().unwrap_or_default();
        let source: Vec<W> = (0..=farthest.cast_unsigned()).map(of).collect();
        let nest = Nest::of(&walk, size_of::<W>());
        for from in [0, 1, 5, 63, elements / 2] {
            for len in [1, 7, 100, elements - from] {
                let len = len.min(elements - from);
                let mut run = vec![W::zeroed(); len];
                gather(&source, &walk, nest.as_ref(), from, &mut run);
                let expected: Vec<W> =
                    (from..from + len).map(|at| source[walk.position(at).cast_unsigned()]).collect();
                assert_eq!(run, expected, "{axes:?} from {from} on");
            }
        }
    }

    /// Of memory that begins with the first of the elements and ends with the last.
    #[test]
    fn a_round_may_begin_before_the_memory() {
        let axes = [(31, 60), (2, 40), (20, 1)];
        let walk = Walk::new(axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1), 7);
        let source: Vec<u32> = (0..2000).collect();
        for (from, len) in [(0, 500), (5, 1000), (30, 1210), (63, 400), (1000, 100), (1239, 1)] {
            let (first, last) = (walk.position(from), walk.position(from + len - 1));
            let part = &source[first.cast_unsigned()..=last.cast_unsigned()];
            let shifted = Walk { start: walk.start - first, ..walk.clone() };
            let expected: Vec<u32> =
                (from..from + len).map(|at| source[walk.position(at).cast_unsigned()]).collect();
            let mut run = vec![0; len];
            let nest = Nest::of(&shifted, 4);
            gather(part, &shifted, nest.as_ref(), from, &mut run);
            assert_eq!(run, expected, "{from} {len}");
        }
    }

    #[test]
    fn short_loops_are_looked_up() {
        let walks: [&[(usize, isize)]; 8] = [
            &[(6, 700), (2, 0), (8, 40), (2, 0), (4, 1)],
            &[(5, 1), (60, 0), (5, 7)],
            &[(9, 300), (3, -20), (3, -5), (3, -1)],
            &[(20, 0), (7, 1), (2, 100), (2, 50), (2, 7)],
            &[(7, 5), (50, 0), (17, 1)],
            // So near that they are looked up in registers, if there are such.
            &[(11, 3), (20, 0), (3, 1)],
            &[(30, -2), (9, 0), (5, -3)],
            &[(3, 64), (8, 0), (4, 4), (8, 0), (4, 1), (2, 0)],
        ];
        for axes in walks {
            looked_up(axes, |at| u8::try_from(at % 251).unwrap_or_default());
            looked_up(axes, |at| u16::try_from(at).unwrap_or_default());
            looked_up(axes, |at| u32::try_from(at).unwrap_or_default());
            looked_up(axes, |at| at as u64);
            looked_up(axes, |at| [at as u64, 7]);
        }
    }

    #[test]
    fn only_short_or_near_loops_are() {
        let nest = |axes: &[(usize, isize)], size| {
            Nest::of(&Walk::new(axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1), 0), size)
        };
        assert!(nest(&[(9, 300), (3, 20), (3, 5)], 4).is_some_and(|nest| !nest.is_near));
        assert!(nest(&[(9, 300), (20, 100), (3, 1)], 4).is_none());
        assert!(nest(&[(9, 300), (200, 0), (3, 1)], 4).is_none());
        assert_eq!(nest(&[(9, 300), (20, 0), (3, 1)], 4).is_some(), window(4) > 0);
        assert!(nest(&[(9, 300), (20, 0), (3, 1)], 16).is_none());
        // Farther than places are counted.
        assert!(nest(&[(9, 1), (3, 1 << 40), (3, 5)], 4).is_none());
    }
}
