//! What the machine can do at best with so many bytes: the limit that a workload is compared with.
//!
//! A limit is a loop that moves as many bytes as the workload must, in the same proportion of reads and writes, with
//! the stores and the number of threads that are best at that size. Its memory is used again, on large pages.

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
    pub(crate) fn total(self) -> usize {
        self.read + self.written
    }

    /// The loop whose proportion of reads and writes is nearest.
    fn nearest(self) -> Loop {
        match (self.read, self.written) {
            (read, written) if read >= 8 * written => Loop::Read,
            (read, written) if 2 * read >= 3 * written => Loop::Triad,
            (read, written) if 3 * read >= written => Loop::Copy,
            _ => Loop::Fill,
        }
    }
}

/// One way to move the bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    what: Loop,
    /// The elements of each of its arrays.
    elements: usize,
    stores: Stores,
    threads: usize,
}

/// The memory that limits are measured in.
pub(crate) struct Limits {
    pool: Pool,
    arrays: [Option<Buffer>; 3],
    threads: usize,
}

/// A smaller array takes longer to address than to fill.
const LEAST: usize = 1024;

/// The elements that a thread does at a time.
const PART: usize = 32 << 10;

impl Limits {
    pub(crate) fn new(threads: usize) -> Limits {
        Limits { pool: Pool::new(usize::MAX / 2, 0), arrays: [None, None, None], threads }
    }

    /// The best way to move so many bytes: each is tried.
    pub(crate) fn best(&mut self, traffic: Traffic) -> Way {
        let what = traffic.nearest();
        self.best_of(what, traffic.total())
    }

    /// The best way to move so many bytes in this loop.
    pub(crate) fn best_of(&mut self, what: Loop, bytes: usize) -> Way {
        let arrays = match what {
            Loop::Fill | Loop::Read => 1,
            Loop::Copy => 2,
            Loop::Triad => 3,
        };
        // Whole lines of the cache.
        let elements = (bytes / size_of::<f32>() / arrays).max(1).next_multiple_of(LEAST);
        let mut best: Option<(f64, Way)> = None;
        for stores in [Stores::Plain, Stores::Streaming] {
            for threads in if self.threads > 1 { vec![1, self.threads] } else { vec![1] } {
                let way = Way { what, elements, stores, threads };
                self.run(way);
                let took = (0..5).map(|_| time(1, || self.run(way))).fold(f64::INFINITY, f64::min);
                if best.is_none_or(|(least, _)| took < least) {
                    best = Some((took, way));
                }
            }
        }
        best.map_or(Way { what, elements, stores: Stores::Plain, threads: 1 }, |(_, way)| way)
    }

    /// Moves the bytes once.
    pub(crate) fn run(&mut self, way: Way) {
        let bytes = way.elements * size_of::<f32>();
        for array in &mut self.arrays {
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
        let to = &mut numbers_mut(to.bytes_mut())[..way.elements];
        let (a, b) = (&numbers(a.bytes())[..way.elements], &numbers(b.bytes())[..way.elements]);
        if way.threads == 1 {
            std::hint::black_box(stores::run(way.what, way.stores, to, a, b));
            return;
        }
        // Small parts, so that nobody waits long for a thread that the system took away.
        let part = PART.min(way.elements.div_ceil(way.threads).next_multiple_of(LEAST));
        let parts = to.par_chunks_mut(part).zip(a.par_chunks(part)).zip(b.par_chunks(part)).with_max_len(1);
        parts.for_each(|((to, a), b)| {
            std::hint::black_box(stores::run(way.what, way.stores, to, a, b));
        });
    }
}

fn numbers(bytes: &[u8]) -> &[f32] {
    bytemuck::cast_slice(bytes)
}

fn numbers_mut(bytes: &mut [u8]) -> &mut [f32] {
    bytemuck::cast_slice_mut(bytes)
}
