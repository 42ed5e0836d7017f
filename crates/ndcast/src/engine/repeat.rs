//! Elements and rows that are written again and again.

use bytemuck::{Pod, cast, cast_slice, cast_slice_mut};

use super::sized::{Moved, by_size};
use crate::kernel::BLOCK;
use crate::simd::{Body, Isa, simd};

/// Fills a run with one element, given as bytes.
#[inline]
pub(super) fn splat_bytes(element: &[u8], run: &mut [u8]) {
    by_size(element.len(), Element { element, run });
}

struct Element<'a> {
    element: &'a [u8],
    run: &'a mut [u8],
}

impl Moved for Element<'_> {
    #[inline]
    fn of<W: Pod>(self) {
        let (&[element], run) = (cast_slice::<u8, W>(self.element), cast_slice_mut(self.run)) else { return };
        match run.as_chunks_mut::<BLOCK>() {
            // Not worth a call.
            ([run], []) => *run = [element; BLOCK],
            _ => simd(Splat { element, run }),
        }
    }
}

struct Splat<'a, W> {
    element: W,
    run: &'a mut [W],
}

impl<W: Pod> Body for Splat<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        fill(self.element, self.run);
    }
}

/// `slice::fill`, which need not be compiled into its caller, and then not for its instructions.
#[inline(always)]
pub(super) fn fill<W: Pod>(element: W, run: &mut [W]) {
    let rest = if size_of::<W>() == size_of::<Double>() {
        let (chunks, rest) = run.as_chunks_mut::<4>();
        for to in chunks {
            set(to, element);
        }
        rest
    } else {
        run
    };
    for to in rest {
        *to = element;
    }
}

/// An element of two words.
type Double = [u64; 2];

/// Writes an element of two words as often as it is known to the compiler.
#[inline(always)]
fn set<const K: usize, W: Pod>(to: &mut [W; K], element: W) {
    // Of two words the compiler makes a vector, but an array of them stays one, and is read again for each write.
    let [first, second]: Double = cast(element);
    for to in cast_slice_mut::<W, Double>(to) {
        *to = [first, second];
    }
}

/// Fills the rest of a run with copies of its first `made` elements.
pub(crate) fn spread<W: Copy>(run: &mut [W], mut made: usize) {
    while made < run.len() {
        let more = made.min(run.len() - made);
        run.copy_within(..more, made);
        made += more;
    }
}

/// The elements that are repeated together, and those that are written at once.
const GROUP: usize = 16;
/// As many of the smallest as fill the widest vector.
const WIDE: usize = 64;

/// Each element so many times.
#[inline(always)]
pub(super) fn repeat<W: Pod>(elements: &[W], times: usize, run: &mut [W]) {
    match (size_of::<W>(), times) {
        // A few small ones are one larger number.
        (1, 2) => widened(elements, run, |byte: u8| (u16::from(byte) * 0x0101).to_ne_bytes()),
        (1, 4) => widened(elements, run, |byte: u8| (u32::from(byte) * 0x0101_0101).to_ne_bytes()),
        (1, 8) => {
            widened(elements, run, |byte: u8| (u64::from(byte) * 0x0101_0101_0101_0101).to_ne_bytes());
        }
        (2, 2) => widened(elements, run, |half: u16| (u32::from(half) * 0x0001_0001).to_ne_bytes()),
        (2, 4) => {
            widened(elements, run, |half: u16| (u64::from(half) * 0x0001_0001_0001_0001).to_ne_bytes());
        }
        // These are whole vectors: there is nothing to shuffle.
        (16, 2) => repeat_whole::<2, W>(elements, run),
        (16, 3) => repeat_whole::<3, W>(elements, run),
        (16, 4) => repeat_whole::<4, W>(elements, run),
        (16, 5..) => {
            for (to, &element) in run.chunks_exact_mut(times).zip(elements) {
                fill(element, to);
            }
        }
        (_, 2) => repeat_known::<2, W>(elements, run),
        (_, 3) => repeat_known::<3, W>(elements, run),
        (_, 4) => repeat_known::<4, W>(elements, run),
        (_, 5) => repeat_known::<5, W>(elements, run),
        (_, 6) => repeat_known::<6, W>(elements, run),
        (_, 7) => repeat_known::<7, W>(elements, run),
        (_, 8) => repeat_known::<8, W>(elements, run),
        (1, 16) => repeat_known::<16, W>(elements, run),
        // Whole vectors again. Of four bytes the compiler would scatter the elements, if it knew how often.
        (2 | 8, 16) => repeat_whole::<16, W>(elements, run),
        (_, 32) => repeat_whole::<32, W>(elements, run),
        (_, 64) => repeat_whole::<64, W>(elements, run),
        _ if times < GROUP => repeat_short(elements, times, run),
        _ if times < WIDE => repeat_long::<GROUP, W>(elements, times, run),
        _ => repeat_long::<WIDE, W>(elements, times, run),
    }
}

/// Each element as so many bytes at once.
#[inline(always)]
fn widened<T: Pod, const B: usize, W: Pod>(elements: &[W], run: &mut [W], wide: impl Fn(T) -> [u8; B]) {
    let (to, _) = cast_slice_mut::<W, u8>(run).as_chunks_mut();
    for (to, &element) in to.iter_mut().zip(cast_slice::<W, T>(elements)) {
        *to = wide(element);
    }
}

/// Which element stands where is known to the compiler, and becomes shuffles.
#[inline(always)]
fn repeat_known<const K: usize, W: Pod>(elements: &[W], run: &mut [W]) {
    let (groups, rest) = elements.as_chunks::<GROUP>();
    let (to_groups, to_rest) = run.split_at_mut(groups.len() * GROUP * K);
    for (group, to) in groups.iter().zip(to_groups.chunks_exact_mut(GROUP * K)) {
        let (to, _) = to.as_chunks_mut::<GROUP>();
        for (number, to) in to.iter_mut().enumerate().take(K) {
            let mut part = *group;
            for (lane, to) in part.iter_mut().enumerate() {
                *to = group[(number * GROUP + lane) / K];
            }
            *to = part;
        }
    }
    for (to, &element) in to_rest.chunks_exact_mut(K).zip(rest) {
        fill(element, to);
    }
}

/// Each element as often as it is known to the compiler.
#[inline(always)]
fn repeat_whole<const K: usize, W: Pod>(elements: &[W], run: &mut [W]) {
    let (repeated, _) = run.as_chunks_mut::<K>();
    for (to, element) in repeated.iter_mut().zip(elements) {
        if size_of::<W>() == size_of::<Double>() {
            // A vector each, because it is read for each: once read, it would be two words, and scattered.
            to.iter_mut().for_each(|to| *to = *element);
        } else {
            *to = [*element; K];
        }
    }
}

/// A group of each element at a time, over which the next one's is written where that is too much.
#[inline(always)]
fn repeat_short<W: Pod>(elements: &[W], times: usize, run: &mut [W]) {
    let mut at = 0;
    for &element in elements {
        match run[at..].first_chunk_mut::<GROUP>() {
            Some(to) => *to = [element; GROUP],
            None => fill(element, &mut run[at..at + times]),
        }
        at += times;
    }
}

/// As many groups of each element as fit, and one that ends where it ends.
#[inline(always)]
fn repeat_long<const N: usize, W: Pod>(elements: &[W], times: usize, run: &mut [W]) {
    for (to, &element) in run.chunks_exact_mut(times).zip(elements) {
        let (groups, rest) = to.as_chunks_mut::<N>();
        for to in groups {
            *to = [element; N];
        }
        if !rest.is_empty()
            && let Some(last) = to.last_chunk_mut::<N>()
        {
            *last = [element; N];
        }
    }
}

/// Fills what follows a row with it, again and again.
#[inline(always)]
pub(super) fn again<W: Pod>(row: &[W], run: &mut [W]) {
    // As many rows as make a group, if one does not.
    let mut rows = [W::zeroed(); 2 * GROUP];
    let row = if row.len() < GROUP {
        let count = row.len() * GROUP.div_ceil(row.len());
        let rows = &mut rows[..count];
        for to in rows.chunks_exact_mut(row.len()) {
            to.iter_mut().zip(row).for_each(|(to, &from)| *to = from);
        }
        rows
    } else {
        row
    };
    let mut whole = run.chunks_exact_mut(row.len());
    let (groups, _) = row.as_chunks::<GROUP>();
    for to in &mut whole {
        let (to_groups, _) = to.as_chunks_mut::<GROUP>();
        for (to, group) in to_groups.iter_mut().zip(groups) {
            *to = *group;
        }
        // One more that ends where the row ends, over a part of the last one.
        if let (Some(to), Some(last)) = (to.last_chunk_mut::<GROUP>(), row.last_chunk::<GROUP>()) {
            *to = *last;
        }
    }
    let rest = whole.into_remainder();
    let left = rest.len();
    rest.copy_from_slice(&row[..left]);
}
