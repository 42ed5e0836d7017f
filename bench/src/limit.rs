//! What the machine can do at best with so many bytes: the limit that a workload is compared with.
//!
//! A limit is a loop that reads and writes as many bytes as the workload must, with the stores and the number of threads
//! that are best at that size. Its memory is used again, on large pages.

use ndcast::buffer::{Buffer, Pool};
use rayon::prelude::*;

use crate::stores::{self, Loop, Stores};
use crate::timing::time;

/// The bytes that a workload must move once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Traffic {
    pub(crate) read: usize,
    pub(crate) written: usize,
}

impl Traffic {
    /// How many elements the arrays have that a loop goes over to move as many bytes: the one that it writes, and two that
    /// it reads, each as long as the one written if there is so much to read.
    fn arrays(self) -> [usize; 3] {
        let [read, written] = [self.read, self.written].map(|bytes| bytes / size_of::<f32>());
        let first = read.min(written.max(read.div_ceil(2)));
        [written, first, read - first]
    }
}

/// One way to move the bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    traffic: Traffic,
    stores: Stores,
    threads: usize,
}

/// The memory that limits are measured in.
pub(crate) struct Limits {
    pool: Pool,
    arrays: [Option<Buffer>; 3],
    threads: usize,
}

/// The elements that a thread does at a time.
const PART: usize = 32 << 10;

impl Limits {
    pub(crate) fn new(threads: usize) -> Limits {
        Limits { pool: Pool::new(usize::MAX / 2, 0), arrays: [None, None, None], threads }
    }

    /// The best way to move so many bytes: each is tried.
    pub(crate) fn best(&mut self, traffic: Traffic) -> Way {
        let mut best: Option<(f64, Way)> = None;
        for stores in [Stores::Plain, Stores::Streaming] {
            for threads in if self.threads > 1 { vec![1, self.threads] } else { vec![1] } {
                let way = Way { traffic, stores, threads };
                self.run(way);
                let took = (0..5).map(|_| time(1, || self.run(way))).fold(f64::INFINITY, f64::min);
                if best.is_none_or(|(least, _)| took < least) {
                    best = Some((took, way));
                }
            }
        }
        best.map_or(Way { traffic, stores: Stores::Plain, threads: 1 }, |(_, way)| way)
    }

    /// Moves the bytes once.
    pub(crate) fn run(&mut self, way: Way) {
        let elements = way.traffic.arrays();
        for (array, elements) in self.arrays.iter_mut().zip(elements) {
            let bytes = elements * size_of::<f32>();
            if array.as_ref().is_none_or(|array| array.len() < bytes) {
                // The old one first, so that both are not there at once.
                *array = None;
                *array = self.pool.take(bytes).ok();
                if let Some(array) = array {
                    array.bytes_mut().fill(0);
                }
            }
        }
        let [Some(to), Some(a), Some(b)] = &mut self.arrays else { return };
        let to = &mut numbers_mut(to.bytes_mut())[..elements[0]];
        let (a, b) = (&numbers(a.bytes())[..elements[1]], &numbers(b.bytes())[..elements[2]]);
        if way.threads == 1 {
            return one(way.stores, to, a, b);
        }
        // Small parts, so that nobody waits long for a thread that the system took away.
        let parts = elements.into_iter().max().unwrap_or(0).div_ceil(PART).max(way.threads);
        let part = |elements: usize| elements.div_ceil(parts).next_multiple_of(LINE);
        let all = parted(to, part(elements[0]), a, part(elements[1]), b, part(elements[2]));
        all.into_par_iter().with_max_len(1).for_each(|(to, a, b)| one(way.stores, to, a, b));
    }
}

/// The elements of a line of the cache.
const LINE: usize = 16;

/// What each part writes and reads.
type Parts<'a> = Vec<(&'a mut [f32], &'a [f32], &'a [f32])>;

/// Cuts three arrays into as many parts, of which the last may be short or empty.
fn parted<'a>(
    mut to: &'a mut [f32],
    of_to: usize,
    mut a: &'a [f32],
    of_a: usize,
    mut b: &'a [f32],
    of_b: usize,
) -> Parts<'a> {
    let mut parts = vec![];
    while !(to.is_empty() && a.is_empty() && b.is_empty()) {
        let next = to.split_at_mut(of_to.min(to.len()));
        let next_a = a.split_at(of_a.min(a.len()));
        let next_b = b.split_at(of_b.min(b.len()));
        parts.push((next.0, next_a.0, next_b.0));
        (to, a, b) = (next.1, next_a.1, next_b.1);
    }
    parts
}

/// Goes over three arrays once: all of them as far as each goes on, then those that do.
fn one(stores: Stores, to: &mut [f32], a: &[f32], b: &[f32]) {
    let (both, first) = (b.len().min(to.len()), a.len().min(to.len()));
    let (triad, rest) = to.split_at_mut(both);
    let (copy, fill) = rest.split_at_mut(first - both);
    let run = |what, to: &mut [f32], a, b| {
        std::hint::black_box(stores::run(what, stores, to, a, b));
    };
    run(Loop::Triad, triad, &a[..both], &b[..both]);
    run(Loop::Copy, copy, &a[both..first], &[]);
    run(Loop::Fill, fill, &[], &[]);
    run(Loop::Read, &mut [], &a[first..], &[]);
    run(Loop::Read, &mut [], &b[both..], &[]);
}

fn numbers(bytes: &[u8]) -> &[f32] {
    bytemuck::cast_slice(bytes)
}

fn numbers_mut(bytes: &mut [u8]) -> &mut [f32] {
    bytemuck::cast_slice_mut(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_bytes_are_read_and_written() {
        let arrays = |read: usize, written: usize| Traffic { read: 4 * read, written: 4 * written }.arrays();
        assert_eq!(arrays(0, 100), [100, 0, 0]);
        assert_eq!(arrays(60, 100), [100, 60, 0]);
        assert_eq!(arrays(130, 100), [100, 100, 30]);
        assert_eq!(arrays(501, 100), [100, 251, 250]);
        let (mut to, a, b) = (vec![0.0; 100], vec![0.0; 80], vec![0.0; 30]);
        let parts = parted(&mut to, 16, &a, 16, &b, 16);
        let sums = parts
            .iter()
            .fold([0; 3], |sums, (to, a, b)| [sums[0] + to.len(), sums[1] + a.len(), sums[2] + b.len()]);
        assert_eq!((parts.len(), sums), (7, [100, 80, 30]));
    }

    #[test]
    fn everything_is_written_once() {
        for lengths in [[100, 0, 0], [100, 60, 0], [100, 100, 30], [100, 251, 250]] {
            let [mut to, a, b] = lengths.map(|length| vec![2.0f32; length]);
            one(Stores::Plain, &mut to, &a, &b);
            let expected = (0..100).map(|at| match at {
                _ if at < lengths[2].min(100) => 8.0,
                _ if at < lengths[1].min(100) => 2.0,
                _ => 1.0,
            });
            assert_eq!(to, expected.collect::<Vec<f32>>());
        }
    }
}
