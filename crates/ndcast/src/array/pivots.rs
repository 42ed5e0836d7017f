//! Quicksort of long lines of words, for machines whose vectors have a compress instruction to partition with. Short parts are
//! sorted by networks.

use bytemuck::cast_slice_mut;

use super::lines::each_part;
use crate::buffer::{MemoryError, Pool};
use crate::engine::threads::threads;
use crate::engine::{Word, sort_lines};
use crate::simd::{Body, Isa, is_wide, simd};

/// So many words are sorted by a network.
const FEW: usize = 1024;
/// From so many words on a line is partitioned for all threads.
const MANY: usize = 1 << 16;
/// The pivot is the median of so many samples: of a line, and of one for all threads, whose parts should be of equal
/// length.
const SAMPLES: usize = 15;
const MORE_SAMPLES: usize = 255;

/// Whether there is an instruction for such words.
pub(super) fn has_partition<W>() -> bool {
    is_wide() && matches!(size_of::<W>(), 4 | 8)
}

/// Puts the words of a line in order.
pub(super) fn quicksort<W: Word>(line: &mut [W]) -> Result<(), MemoryError> {
    let parts = if line.len() < MANY { 1 } else { threads() };
    sort_in_parts(line, parts)
}

/// The same in so many parts at least, each of which is one thread's.
fn sort_in_parts<W: Word>(line: &mut [W], shared: usize) -> Result<(), MemoryError> {
    let mut other = Pool::global().take(size_of_val(line))?;
    let other = &mut cast_slice_mut(other.bytes_mut())[..line.len()];
    let mut parts = vec![(line, other)];
    while parts.len() < shared {
        let mut first = vec![0; parts.len()];
        each_part(parts.iter_mut().zip(&mut first), |((line, other), first)| {
            // A part may be short, or empty, if many words are equal.
            if line.len() > MORE_SAMPLES {
                let than = middle::<W, MORE_SAMPLES>(line);
                *first = partition(line, other, than);
                if let (0, Some(next)) = (*first, than.next()) {
                    *first = partition(line, other, next);
                }
            }
        });
        let halves = parts.into_iter().zip(first).flat_map(|((line, other), first)| {
            let ((a, b), (c, d)) = (line.split_at_mut(first), other.split_at_mut(first));
            [(a, c), (b, d)]
        });
        parts = halves.collect();
    }
    each_part(parts.into_iter(), |(line, other)| {
        let most = 2 * line.len().checked_ilog2().unwrap_or(0);
        quicksort_part(line, other, most);
    });
    Ok(())
}

/// Quicksort to a depth of `most`, then the standard sort: samples may be unlucky.
fn quicksort_part<W: Word>(line: &mut [W], other: &mut [W], most: u32) {
    if line.len() <= FEW {
        return sort_lines(line, line.len());
    }
    let Some(most) = most.checked_sub(1) else { return line.sort_unstable() };
    let than = middle::<W, SAMPLES>(line);
    let first = partition(line, other, than);
    if first > 0 {
        let ((a, b), (c, d)) = (line.split_at_mut(first), other.split_at_mut(first));
        quicksort_part(a, c, most);
        quicksort_part(b, d, most);
    } else if let Some(next) = than.next() {
        // It is the least, and those that are equal to it are in order.
        let equal = partition(line, other, next);
        quicksort_part(&mut line[equal..], &mut other[equal..], most);
    }
}

/// Partitions by a pivot: how many words are less, which come first.
fn partition<W: Word>(line: &mut [W], other: &mut [W], than: W) -> usize {
    let mut less = 0;
    simd(Apart { line, than, other, less: &mut less });
    let (_, others) = line.split_at_mut(less);
    others.copy_from_slice(&other[..others.len()]);
    less
}

struct Apart<'l, W> {
    line: &'l mut [W],
    than: W,
    other: &'l mut [W],
    less: &'l mut usize,
}

impl<W: Word> Body for Apart<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        *self.less = I::partition(self.line, self.than, self.other);
    }
}

/// The middle one of so many words of a line, which are as far from each other.
fn middle<W: Word, const SAMPLES: usize>(line: &[W]) -> W {
    let step = line.len() / SAMPLES;
    let mut samples: [W; SAMPLES] = std::array::from_fn(|number| line[number * step + step / 2]);
    samples.sort_unstable();
    samples[SAMPLES / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked<W: Word + std::fmt::Debug>(of: impl Fn(u64) -> W) {
        for count in [FEW as u64 + 1, 5000, 200_000] {
            for turn in [0x9E37_79B9_7F4A_7C15, 1, 1 << 40, u64::MAX] {
                let line: Vec<W> = (0..count).map(|n| of(n.wrapping_mul(turn))).collect();
                let mut expected = line.clone();
                expected.sort_unstable();
                for parts in [1, 2, 7] {
                    let mut line = line.clone();
                    sort_in_parts(&mut line, parts).unwrap();
                    assert!(line == expected, "{count} {turn} {parts}");
                }
            }
        }
    }

    #[test]
    #[allow(clippy::cast_possible_truncation, reason = "any bits will do")]
    fn the_order_of_comparisons() {
        checked(|n| (n >> 32) as u32);
        checked(|n| n as u32);
        checked(|n| n);
        checked(|n| u64::MAX - n % 3);
        checked(|n| (n >> 60) as u32);
        checked(|_| u64::MAX);
        // Nearly all are the least, or the greatest.
        checked(|n| if n % 97 == 5 { n } else { 0 });
        checked(|n| if n % 97 == 5 { n as u32 } else { u32::MAX });
        // The middle of the samples is the least, again and again.
        checked(|n| n.saturating_sub(150_000));
    }

    #[test]
    fn samples_that_are_unlucky() {
        let mut line: Vec<u64> = (0..5000).map(|n| n * 7919 % 5003).collect();
        quicksort_part(&mut line, &mut vec![0; 5000], 2);
        assert!(line.is_sorted());
    }
}
