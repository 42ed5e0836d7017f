//! The threads that share a piece of work, and how a piece is shared.
//!
//! Work is cut into parts, numbered; whoever takes part claims one after another until there is none. The caller takes
//! part too, and at the end waits only for those who are inside, never for one that still sleeps: waking a thread can
//! take longer than small work. Workers look for work a little while before they sleep. What a part computes does not
//! depend on who computes it, so results do not depend on how many threads there are.

#![allow(
    unsafe_code,
    reason = "workers borrow what the caller owns, and the caller waits until none does any more"
)]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use smallvec::SmallVec;

/// How long a worker that finds no work looks for more before it sleeps: to be woken takes longer.
const PATIENCE: Duration = Duration::from_micros(60);
/// So many parts are shared at a time: their numbers are halves of a word. Tests come to that, too.
const MOST: usize = if cfg!(test) { 300 } else { (u32::MAX - 1) as usize };
/// How often somebody looks between two looks at the clock.
const LOOKS: u32 = 64;

/// The numbers of the parts that nobody has yet: a stretch of them for each thread.
struct Parts(SmallVec<[Stretch; 4]>);

/// Numbers one behind the other. Two threads that take from two stretches do not wait for one line of the cache.
#[repr(align(128))]
struct Stretch(AtomicU64);

/// Which end of a stretch is taken.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Front,
    Back,
}

impl Stretch {
    /// The first number in the lower half, and the one behind the last in the upper.
    fn of(first: u32, end: u32) -> Stretch {
        Stretch(AtomicU64::new(u64::from(first) | u64::from(end) << 32))
    }

    fn ends(both: u64) -> (u32, u32) {
        #[allow(clippy::cast_possible_truncation, reason = "each half is taken")]
        (both as u32, (both >> 32) as u32)
    }

    fn is_empty(&self) -> bool {
        let (first, end) = Stretch::ends(self.0.load(Ordering::Relaxed));
        first >= end
    }

    fn take(&self, from: End) -> Option<usize> {
        // No part orders another's memory: what the parts write is handed over when a thread leaves.
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |both| {
            let (first, end) = Stretch::ends(both);
            (first < end).then(|| if from == End::Front { both + 1 } else { both - (1 << 32) })
        });
        let (first, end) = Stretch::ends(taken.ok()?);
        usize::try_from(if from == End::Front { first } else { end - 1 }).ok()
    }
}

impl Parts {
    /// As many parts, at most [`MOST`], for so many threads.
    fn new(parts: usize, threads: usize) -> Parts {
        let parts = u32::try_from(parts).unwrap_or(u32::MAX);
        let threads = u32::try_from(threads).unwrap_or(1).max(1);
        let bound = |thread: u32| {
            let bound = u64::from(parts) * u64::from(thread) / u64::from(threads);
            u32::try_from(bound).unwrap_or(parts)
        };
        Parts((0..threads).map(|thread| Stretch::of(bound(thread), bound(thread + 1))).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(Stretch::is_empty)
    }
}

/// What one thread claims parts with: from the front of its own stretch, so that the next time it finds in its own
/// cache what it wrote, and when there is none left, from the backs of the others'.
pub(crate) struct Claim<'a> {
    parts: &'a Parts,
    /// How many parts were shared before.
    first: usize,
    /// The thread's number.
    own: usize,
}

impl Claim<'_> {
    /// The next part that nobody has.
    pub(crate) fn next(&self) -> Option<usize> {
        let stretches = &self.parts.0;
        let own = self.own % stretches.len();
        let taken = stretches[own].take(End::Front);
        let others = || stretches[own + 1..].iter().chain(&stretches[..own]);
        let part = taken.or_else(|| others().find_map(|stretch| stretch.take(End::Back)))?;
        Some(self.first + part)
    }
}

/// What takes part in the work claims parts until there is none.
type Work<'a> = dyn Fn(&Claim<'_>) + Sync + 'a;

/// A piece of work that several threads share.
struct Shared {
    parts: Parts,
    /// The number of the first part.
    first: usize,
    /// Lives as long as the caller of [`share`] waits.
    work: *const Work<'static>,
    /// How many workers may still join.
    room: AtomicUsize,
    /// How many workers are inside.
    inside: AtomicUsize,
    panicked: AtomicBool,
}

// SAFETY: the work is `Sync`, and everything else is atomic.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

#[derive(Default)]
struct Board {
    /// Work that workers may join.
    open: Mutex<Vec<Arc<Shared>>>,
    /// How many pieces of work were ever opened; looked at without the lock.
    opened: AtomicUsize,
    /// How many workers sleep; changed under the lock.
    asleep: AtomicUsize,
    news: Condvar,
    workers: AtomicUsize,
}

impl Board {
    fn global() -> &'static Board {
        static BOARD: OnceLock<Board> = OnceLock::new();
        BOARD.get_or_init(Board::default)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Shared>>> {
        // Nothing in a locked section can panic half way.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes workers until there are so many. One that the system refuses is done without.
    fn employ(&'static self, workers: usize) {
        while self.workers.load(Ordering::Relaxed) < workers {
            let number = self.workers.fetch_add(1, Ordering::Relaxed) + 1;
            let named = thread::Builder::new().name(format!("ndcast-{number}"));
            if named.spawn(move || self.serve(number)).is_err() {
                self.workers.fetch_sub(1, Ordering::Relaxed);
                return;
            }
        }
    }

    /// What a worker does all its life. Callers have the number 0.
    fn serve(&self, number: usize) {
        let mut seen = 0;
        loop {
            let since = Instant::now();
            while self.opened.load(Ordering::Acquire) == seen && since.elapsed() < PATIENCE {
                for _ in 0..LOOKS {
                    std::hint::spin_loop();
                }
            }
            let mut open = self.lock();
            if self.opened.load(Ordering::Relaxed) == seen {
                self.asleep.fetch_add(1, Ordering::Relaxed);
                open = self.news.wait(open).unwrap_or_else(PoisonError::into_inner);
                self.asleep.fetch_sub(1, Ordering::Relaxed);
            }
            seen = self.opened.load(Ordering::Relaxed);
            let joined = open.iter().find(|shared| !shared.parts.is_empty() && shared.join()).map(Arc::clone);
            drop(open);
            // Who comes too late stays awake for a while: small work is often followed by more.
            let Some(shared) = joined else { continue };
            // SAFETY: this worker joined under the lock, while the work was open; the caller closes it under the lock
            // and then waits until `inside` is 0 before what it lent ends.
            let work = unsafe { &*shared.work };
            let claim = Claim { parts: &shared.parts, first: shared.first, own: number };
            if catch_unwind(AssertUnwindSafe(|| work(&claim))).is_err() {
                shared.panicked.store(true, Ordering::Relaxed);
            }
            shared.inside.fetch_sub(1, Ordering::Release);
        }
    }
}

impl Shared {
    /// Lets one more worker in if there is room; called under the board's lock.
    fn join(&self) -> bool {
        let room = self.room.load(Ordering::Relaxed);
        if room > 0 {
            self.room.store(room - 1, Ordering::Relaxed);
            self.inside.fetch_add(1, Ordering::Relaxed);
        }
        room > 0
    }
}

/// How many threads work at most, the caller included.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// How many threads share large work, the caller's own included.
pub fn threads() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => {
            let found = thread::available_parallelism().map_or(1, usize::from);
            THREADS.store(found, Ordering::Relaxed);
            found
        }
        set => set,
    }
}

/// Sets how many threads share large work; results do not depend on it. There is one at least.
pub fn set_threads(threads: usize) {
    THREADS.store(threads.max(1), Ordering::Relaxed);
}

/// Does work in so many parts. `work` is called by each thread that takes part, once for as many parts as are shared at a
/// time, and claims parts until there is none.
pub(crate) fn share(parts: usize, work: &Work<'_>) {
    for first in (0..parts.max(1)).step_by(MOST) {
        share_some(first, MOST.min(parts - first), work);
    }
}

fn share_some(first: usize, parts: usize, work: &Work<'_>) {
    let helpers = threads().min(parts).saturating_sub(1);
    let parts = Parts::new(parts, helpers + 1);
    if helpers == 0 {
        return work(&Claim { parts: &parts, first, own: 0 });
    }
    let board = Board::global();
    board.employ(helpers);
    // SAFETY: only the lifetime is changed; this function does not return, nor unwind, before nobody uses it.
    let lent =
        unsafe { std::mem::transmute::<*const Work<'_>, *const Work<'static>>(std::ptr::from_ref(work)) };
    let shared = Arc::new(Shared {
        parts,
        first,
        work: lent,
        room: AtomicUsize::new(helpers),
        inside: AtomicUsize::new(0),
        panicked: AtomicBool::new(false),
    });
    let mut open = board.lock();
    open.push(Arc::clone(&shared));
    board.opened.fetch_add(1, Ordering::Release);
    let asleep = board.asleep.load(Ordering::Relaxed);
    drop(open);
    for _ in 0..asleep.min(helpers) {
        board.news.notify_one();
    }
    let own = catch_unwind(AssertUnwindSafe(|| work(&Claim { parts: &shared.parts, first, own: 0 })));
    board.lock().retain(|other| !Arc::ptr_eq(other, &shared));
    // Nobody can join any more; who is inside has at most one part to finish.
    let mut looks = 0u32;
    while shared.inside.load(Ordering::Acquire) > 0 {
        looks += 1;
        if looks < LOOKS { std::hint::spin_loop() } else { thread::yield_now() }
    }
    if let Err(panic) = own {
        resume_unwind(panic);
    }
    // A panic in a part is a fault of this crate; its message went to stderr with the thread's name.
    assert!(!shared.panicked.load(Ordering::Relaxed), "a worker thread panicked");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_done_once() {
        for parts in [0, 1, 2, 7, 1000] {
            let done: Vec<AtomicUsize> = (0..parts).map(|_| AtomicUsize::new(0)).collect();
            share(parts, &|claim| {
                while let Some(part) = claim.next() {
                    done[part].fetch_add(1, Ordering::Relaxed);
                }
            });
            assert!(done.iter().all(|times| times.load(Ordering::Relaxed) == 1), "{parts} parts");
        }
    }

    #[test]
    fn many_callers_at_once() {
        thread::scope(|scope| {
            for caller in 0..8usize {
                scope.spawn(move || {
                    for round in 0..200 {
                        let sum = AtomicUsize::new(0);
                        share(20, &|claim| {
                            while let Some(part) = claim.next() {
                                sum.fetch_add(part * caller + round, Ordering::Relaxed);
                            }
                        });
                        assert_eq!(sum.into_inner(), 190 * caller + 20 * round);
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_comes_out_where_the_work_was_given() {
        let result = catch_unwind(|| {
            share(50, &|claim| {
                while let Some(part) = claim.next() {
                    assert!(part != 17, "part 17");
                }
            });
        });
        assert!(result.is_err());
        share(3, &|claim| while claim.next().is_some() {});
    }
}
