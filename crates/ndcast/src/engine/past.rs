//! Elements that are each repeated so many times, written past the cache: lines of it are made in registers, so that
//! memory is read while others go their way. Made in memory first, they would be written twice, and nothing read meanwhile.

#![allow(
    clippy::needless_range_loop,
    reason = "of a loop over places whose number is known, the compiler makes vectors"
)]

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::repeat::fill;
use super::sized::{Moved, by_size, whole};
use super::walk::{Axis, Walk};
use crate::simd::{Body, Isa, LINE, OnLine, Shuffle, WINDOW, shuffles, simd};

/// Elements that lie one behind the other, each repeated.
pub(super) struct Repeated {
    /// The bytes of an element.
    size: usize,
    /// How often each is there.
    times: usize,
    /// How successive lines are made, until they repeat. Empty where an element fills a line or more: then a line has at most
    /// two elements.
    lines: Vec<Line>,
}

/// A line that has several elements, each repeated.
struct Line {
    shuffle: Shuffle,
    /// How many bytes behind its first element that of the next line is.
    step: usize,
}

impl Repeated {
    /// The innermost loops of a walk, if they are that and there are instructions for it.
    pub(super) fn of(walk: &Walk, size: usize) -> Option<Repeated> {
        let [.., around, Axis { extent: times, stride: 0 }] = walk.axes[..] else { return None };
        if !shuffles() || around.stride != 1 || !LINE.is_multiple_of(size) {
            return None;
        }
        let in_line = LINE / size;
        let line = |number: usize| {
            let begin = number * in_line % times;
            let shuffle = Shuffle::of(|at| (begin + at / size) / times * size + at % size);
            Line { shuffle, step: (begin + in_line) / times * size }
        };
        let begins_anew = |number: &usize| (number * in_line).is_multiple_of(times);
        let count = if times < in_line { (1..).find(begins_anew).unwrap_or(0) } else { 0 };
        Some(Repeated { size, times, lines: (0..count).map(line).collect() })
    }

    /// Writes the elements of the walk from one on past the cache, if all of them are of one round of its loop around the
    /// innermost, and begin with whole lines of it; whether they are. What is written begins on a line of the cache.
    pub(super) fn write(&self, source: &[u8], walk: &Walk, from: usize, into: &mut [u8]) -> bool {
        let [.., Axis { extent, .. }, _] = walk.axes[..] else { return false };
        let (round, in_line) = (extent * self.times, LINE / self.size);
        let along = from % round;
        if along + into.len() / self.size > round || !along.is_multiple_of(in_line) {
            return false;
        }
        let first = walk.position(from).cast_unsigned();
        by_size(self.size, Write { repeated: self, source, first, along, into });
        true
    }
}

struct Write<'a> {
    repeated: &'a Repeated,
    source: &'a [u8],
    /// The first element, and how many are written before it in its round.
    first: usize,
    along: usize,
    into: &'a mut [u8],
}

impl Moved for Write<'_> {
    fn of<W: Pod>(self) {
        let Write { repeated: Repeated { times, lines, .. }, source, first, along, into } = self;
        let (source, begin) = (&whole::<W>(source)[first..], along % times);
        if lines.is_empty() {
            simd(Long { times: *times, source, begin, into });
        } else {
            let next = along * size_of::<W>() / LINE % lines.len();
            simd(Short { times: *times, lines, source, begin, next, into });
        }
    }
}

/// Lines of several elements.
struct Short<'a, W> {
    times: usize,
    lines: &'a [Line],
    source: &'a [W],
    /// How many that are the same as the first are before it.
    begin: usize,
    /// The first line.
    next: usize,
    into: &'a mut [u8],
}

impl<W: Pod> Body for Short<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Short { times, lines, source, begin, mut next, into } = self;
        let bytes = cast_slice::<W, u8>(source);
        let (whole, _) = into.as_chunks_mut::<LINE>();
        let (mut at, mut written) = (0, 0);
        for to in whole {
            // Behind the last elements there may be no memory.
            let Some(window) = bytes.get(at..).and_then(|bytes| bytes.first_chunk::<WINDOW>()) else { break };
            let Line { shuffle, step } = &lines[next];
            I::shuffle(window, shuffle, to);
            at += step;
            next = if next + 1 == lines.len() { 0 } else { next + 1 };
            written += LINE;
        }
        let first = written / size_of::<W>() + begin;
        for (number, to) in cast_slice_mut::<u8, W>(&mut into[written..]).iter_mut().enumerate() {
            *to = source[(first + number) / times];
        }
    }
}

/// Lines of one element or two.
struct Long<'a, W> {
    times: usize,
    source: &'a [W],
    /// How many that are the same as the first are before it.
    begin: usize,
    into: &'a mut [u8],
}

impl<W: Pod> Body for Long<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Long { times, source, begin, into } = self;
        let mut elements = source.iter();
        let mut line = OnLine([0; LINE]);
        let mut next = |line: &mut OnLine<LINE>| {
            if let Some(&element) = elements.next() {
                fill(element, cast_slice_mut(&mut line.0));
            }
            times
        };
        let mut left = next(&mut line) - begin;
        let in_line = LINE / size_of::<W>();
        for to in into.chunks_mut(LINE) {
            if left == 0 {
                left = next(&mut line);
            }
            if left >= in_line {
                I::stream(&line.0[..to.len()], to);
                left -= in_line;
                continue;
            }
            let (before, behind) = (OnLine(line.0), left * size_of::<W>());
            left += next(&mut line) - in_line;
            I::stream(&mixed(&before, &line, behind).0[..to.len()], to);
        }
    }
}

/// A line of set bytes, then one of zeros: a line within is a mask.
const MASK: [u8; 2 * LINE] = {
    let mut mask = [0; 2 * LINE];
    let mut place = 0;
    while place < LINE {
        mask[place] = u8::MAX;
        place += 1;
    }
    mask
};

/// The first `behind` bytes of one line, then those of another, blended in whole vectors: to read back what was copied in pieces
/// would stall.
#[inline(always)]
fn mixed(one: &OnLine<LINE>, other: &OnLine<LINE>, behind: usize) -> OnLine<LINE> {
    let mut line = OnLine([0; LINE]);
    if let Some(mask) = MASK[LINE - behind..].first_chunk::<LINE>() {
        for place in 0..LINE {
            line.0[place] = (one.0[place] & mask[place]) | (other.0[place] & !mask[place]);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written of a walk from one element on, beside what it should be.
    fn repeated<W: Pod + PartialEq + std::fmt::Debug>(of: impl Fn(usize) -> W) {
        for times in (2..=20).chain([31, 32, 33, 63, 64, 65, 100, 1000]) {
            for count in [2, 3, 5, 17, 70, 300] {
                let source: Vec<W> = (0..2 * count + 1).map(&of).collect();
                let run = count * times;
                let walk =
                    Walk::new([2, count, times].into_iter(), [count.cast_signed() + 1, 1, 0].into_iter(), 0);
                let Some(repeated) = Repeated::of(&walk, size_of::<W>()) else { continue };
                let in_line = LINE / size_of::<W>();
                for from in [0, 1, in_line, 3 * in_line, run / 2, run - 1, run, run + 5 * in_line]
                    .map(|from| from.min(2 * run - 1))
                {
                    for len in [1, times + 1, 200, run].map(|len| len.min(2 * run - from)) {
                        let bytes = len * size_of::<W>();
                        let mut memory = vec![0; bytes + LINE];
                        let first = memory.as_ptr().align_offset(LINE);
                        let into = &mut memory[first..first + bytes];
                        let is_written = repeated.write(cast_slice(&source), &walk, from, into);
                        let is_one_round = from / run == (from + len - 1) / run;
                        let on_line = (from % run).is_multiple_of(LINE / size_of::<W>());
                        assert_eq!(is_written, is_one_round && on_line);
                        let expected = (from..from + len).map(|at| source[walk.position(at).cast_unsigned()]);
                        if is_written {
                            assert_eq!(
                                cast_slice::<u8, W>(into),
                                expected.collect::<Vec<W>>(),
                                "{times} {from} {len}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn elements_are_repeated_past_the_cache() {
        repeated(|at| u8::try_from(at % 251).unwrap_or_default());
        repeated(|at| u16::try_from(at).unwrap_or_default());
        repeated(|at| u32::try_from(at).unwrap_or_default());
        repeated(|at| at as u64);
        repeated(|at| [at as u64, 7]);
    }

    #[test]
    fn other_loops_are_not() {
        let of = |axes: [(usize, isize); 2]| {
            Repeated::of(&Walk::new(axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1), 0), 4)
        };
        assert_eq!(of([(9, 1), (3, 0)]).is_some(), shuffles());
        assert!(of([(9, 1), (3, 20)]).is_none());
        assert!(of([(9, 2), (3, 0)]).is_none());
        assert!(Repeated::of(&Walk::new([9].into_iter(), [1].into_iter(), 0), 4).is_none());
    }
}
