//! The threads that share a piece of work, and how a piece is shared.
//!
//! Work is cut into parts, numbered; whoever takes part claims one after another until there is none. The caller takes
//! part too, and at the end waits only for those who are inside, never for one that still sleeps: waking a thread can
//! take longer than small work. Each worker has a place of its own where it finds what it is asked to help with, so no two
//! wait for one another; and small work asks the first of them only, which have in their own caches what they wrote the last
//! time. Workers look for work a little while before they sleep. What a part computes does not depend on who computes it, so
//! results do not depend on how many threads there are.

#![allow(
    unsafe_code,
    reason = "workers borrow what the caller owns, and the caller waits until none does any more"
)]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use smallvec::SmallVec;

use super::affinity::{Place, here};

/// How long a worker that finds no work looks for more before it sleeps: to be woken takes longer.
const PATIENCE: Duration = Duration::from_micros(60);
/// The most parts shared at a time: their numbers are halves of a word. Few in tests, so that they exceed it.
const MOST: usize = if cfg!(test) { 300 } else { (u32::MAX - 1) as usize };
/// How often a worker looks between two looks at the clock.
const LOOKS: u32 = 64;
/// How often the caller looks whether all are done before it lets others have the processor.
const WAITS: u32 = 256;
/// The most workers that there are.
const WORKERS: usize = 1023;

/// The numbers of the parts that nobody has yet: a stretch of them for each thread.
struct Parts(SmallVec<[Stretch; 4]>);

/// A range of numbers. Aligned, so that two stretches never share a cache line.
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
    /// The number of the first part.
    first: usize,
    /// The thread's number.
    own: usize,
}

impl Claim<'_> {
    /// Whether it is that of the thread that shares the work.
    pub(crate) fn is_callers(&self) -> bool {
        self.own == 0
    }

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

/// Called by each thread that takes part; claims parts until there is none.
type Work<'a> = dyn Fn(&Claim<'_>) + Sync + 'a;

/// A piece of work that several threads share.
struct Shared {
    parts: Parts,
    /// The number of the first part.
    first: usize,
    /// Lives as long as the caller of [`share`] waits.
    work: *const Work<'static>,
    /// [`INSIDE`] for each worker that takes part, and [`CLOSED`] when nobody may join any more.
    inside: AtomicUsize,
    panicked: AtomicBool,
}

const CLOSED: usize = 1;
const INSIDE: usize = 2;

// SAFETY: the work is `Sync`, and everything else is atomic.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// Work that lives until this is [closed](Shared::close).
    fn new(parts: Parts, first: usize, work: &Work<'_>) -> Arc<Shared> {
        // SAFETY: only the lifetime is changed; nobody looks at it who did not join before it was closed.
        let work =
            unsafe { std::mem::transmute::<*const Work<'_>, *const Work<'static>>(ptr::from_ref(work)) };
        let (inside, panicked) = (AtomicUsize::new(0), AtomicBool::new(false));
        Arc::new(Shared { parts, first, work, inside, panicked })
    }

    /// Lets one more worker in, if it is not closed and there is something left to do.
    fn join(&self) -> bool {
        let more = |inside| (inside & CLOSED == 0).then_some(inside + INSIDE);
        !self.parts.is_empty() && self.inside.fetch_update(Ordering::Acquire, Ordering::Relaxed, more).is_ok()
    }

    /// Takes part as the thread of this number, if it still may.
    fn help(&self, own: usize) {
        if !self.join() {
            return;
        }
        // SAFETY: this worker joined before the work was closed. The caller closes it and then waits until nobody is inside
        // before what it lent ends.
        let work = unsafe { &*self.work };
        let claim = Claim { parts: &self.parts, first: self.first, own };
        if catch_unwind(AssertUnwindSafe(|| work(&claim))).is_err() {
            self.panicked.store(true, Ordering::Relaxed);
        }
        self.inside.fetch_sub(INSIDE, Ordering::Release);
    }

    /// Lets nobody in any more, and waits until nobody is inside: who is has at most one part to finish.
    fn close(&self) {
        self.inside.fetch_or(CLOSED, Ordering::Relaxed);
        let mut looks = 0;
        while self.inside.load(Ordering::Acquire) != CLOSED {
            looks += 1;
            if looks < WAITS { std::hint::spin_loop() } else { thread::yield_now() }
        }
    }
}

/// A worker, as those see it who ask it for help. Aligned: no two share a cache line.
#[repr(align(128))]
struct Worker {
    /// What it is asked to help with, an [`Arc`]; null if nothing. Whoever asks next takes the place of what it did not
    /// come to.
    asked: AtomicPtr<Shared>,
    asleep: AtomicBool,
    place: Place,
    thread: OnceLock<Thread>,
}

/// The workers, those that there are at the front. The caller has the number 0, and the first of these is 1.
static CREW: [Worker; WORKERS] = [const { Worker::new() }; WORKERS];
/// How many there are.
static EMPLOYED: AtomicUsize = AtomicUsize::new(0);

impl Worker {
    const fn new() -> Worker {
        Worker {
            asked: AtomicPtr::new(ptr::null_mut()),
            asleep: AtomicBool::new(false),
            place: Place::new(),
            thread: OnceLock::new(),
        }
    }

    /// Puts something else, or nothing, in the place of what it is asked to help with.
    fn exchange(&self, shared: *const Shared) -> Option<Arc<Shared>> {
        let before = self.asked.swap(shared.cast_mut(), Ordering::SeqCst);
        // SAFETY: only `ask` puts something here, which it has from an `Arc`, and whoever takes it out has it alone.
        (!before.is_null()).then(|| unsafe { Arc::from_raw(before) })
    }

    fn ask(&self, shared: &Arc<Shared>) {
        drop(self.exchange(Arc::into_raw(Arc::clone(shared))));
    }

    fn is_asked(&self) -> bool {
        !self.asked.load(Ordering::SeqCst).is_null()
    }

    /// Wakes it if it sleeps, off the processor of who asks.
    fn wake(&self, off: usize) {
        self.place.keep_off(off);
        if let (true, Some(thread)) = (self.asleep.load(Ordering::SeqCst), self.thread.get()) {
            thread.unpark();
        }
    }

    /// What the worker of this number does all its life.
    fn serve(&self, number: usize) {
        let _ = self.thread.set(thread::current());
        self.place.take();
        loop {
            self.look();
            if let Some(shared) = self.exchange(ptr::null()) {
                shared.help(number);
            }
        }
    }

    /// Waits until it is asked. Who comes too late stays awake for a while: small work is often followed by more.
    fn look(&self) {
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            self.place.note();
            for _ in 0..LOOKS {
                if self.is_asked() {
                    return;
                }
                std::hint::spin_loop();
            }
        }
        // It says that it sleeps before it looks for the last time; so either it finds what it is asked, or it is woken.
        self.asleep.store(true, Ordering::SeqCst);
        while !self.is_asked() {
            thread::park();
        }
        self.asleep.store(false, Ordering::SeqCst);
    }
}

/// The first so many workers, or as many as there are: one that the system refuses is done without.
fn crew(workers: usize) -> &'static [Worker] {
    static HIRING: Mutex<()> = Mutex::new(());
    if EMPLOYED.load(Ordering::Acquire) < workers {
        let _hiring = HIRING.lock().unwrap_or_else(PoisonError::into_inner);
        for number in EMPLOYED.load(Ordering::Acquire) + 1..=workers {
            let named = thread::Builder::new().name(format!("ndcast-{number}"));
            if named.spawn(move || CREW[number - 1].serve(number)).is_err() {
                break;
            }
            EMPLOYED.store(number, Ordering::Release);
        }
    }
    &CREW[..workers.min(EMPLOYED.load(Ordering::Acquire))]
}

/// How many threads work at most, the caller included.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// How many threads share large work, the caller's own included.
pub fn threads() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => {
            let all = thread::available_parallelism().map_or(1, usize::from).clamp(1, WORKERS + 1);
            // Somebody may have set it meanwhile.
            THREADS
                .compare_exchange(0, all, Ordering::Relaxed, Ordering::Relaxed)
                .map_or_else(|set| set, |_| all)
        }
        set => set,
    }
}

/// Sets how many threads share large work. Results do not depend on it, but for which NaN comes of two different ones that are added
/// or multiplied. There is one at least, and there are 1024 at most.
pub fn set_threads(threads: usize) {
    THREADS.store(threads.clamp(1, WORKERS + 1), Ordering::Relaxed);
}

/// Does work in so many parts. `work` is called by each thread that takes part, once for as many parts as are shared at a
/// time, and claims parts until there is none.
pub(crate) fn share(parts: usize, work: &Work<'_>) {
    for first in (0..parts.max(1)).step_by(MOST) {
        share_some(first, MOST.min(parts - first), work);
    }
}

/// The same of what may fail: then some parts are not done, and one of the errors comes of it.
pub(crate) fn try_share<E: Send>(
    parts: usize,
    work: impl Fn(&Claim<'_>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let failed = Mutex::new(None);
    share(parts, &|claim| {
        if let (Err(error), Ok(mut failed)) = (work(claim), failed.lock()) {
            *failed = Some(error);
        }
    });
    failed.into_inner().ok().flatten().map_or(Ok(()), Err)
}

fn share_some(first: usize, parts: usize, work: &Work<'_>) {
    let helpers = threads().min(parts).saturating_sub(1);
    let parts = Parts::new(parts, helpers + 1);
    if helpers == 0 {
        return work(&Claim { parts: &parts, first, own: 0 });
    }
    let crew = crew(helpers);
    // This function does not return, nor unwind, before it is closed.
    let shared = Shared::new(parts, first, work);
    // Those who are awake begin while others are woken.
    crew.iter().for_each(|worker| worker.ask(&shared));
    let here = here();
    crew.iter().for_each(|worker| worker.wake(here));
    let own = catch_unwind(AssertUnwindSafe(|| work(&Claim { parts: &shared.parts, first, own: 0 })));
    shared.close();
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

    /// Who helps asks for help, also himself, and nobody waits for who never comes.
    #[test]
    fn work_within_work() {
        let sum = AtomicUsize::new(0);
        for _ in 0..50 {
            share(9, &|claim| {
                while let Some(part) = claim.next() {
                    share(7, &|claim| {
                        while let Some(inner) = claim.next() {
                            sum.fetch_add(part * 7 + inner, Ordering::Relaxed);
                        }
                    });
                }
            });
        }
        assert_eq!(sum.into_inner(), 50 * (63 * 62 / 2));
    }

    /// Some rounds find the workers awake, some asleep, and some going to sleep.
    #[test]
    fn after_pauses() {
        for pause in (0..200).map(Duration::from_micros) {
            thread::sleep(pause);
            let done: Vec<AtomicBool> = (0..40).map(|_| AtomicBool::new(false)).collect();
            share(40, &|claim| {
                while let Some(part) = claim.next() {
                    assert!(!done[part].swap(true, Ordering::Relaxed));
                }
            });
            assert!(done.iter().all(|done| done.load(Ordering::Relaxed)));
        }
    }

    /// A worker that is woken for nothing, as by who asked it for what it has long done, comes when it is asked again.
    #[test]
    fn woken_for_nothing() {
        let worker: &'static Worker = Box::leak(Box::new(Worker::new()));
        thread::spawn(|| worker.serve(1));
        let until = Instant::now() + Duration::from_secs(60);
        for pause in (0..200).map(Duration::from_micros) {
            let done = AtomicBool::new(false);
            let work = |claim: &Claim<'_>| {
                while claim.next().is_some() {
                    done.store(true, Ordering::Relaxed);
                }
            };
            let shared = Shared::new(Parts::new(1, 1), 0, &work);
            worker.ask(&shared);
            worker.wake(here());
            while !done.load(Ordering::Relaxed) {
                assert!(Instant::now() < until, "the worker never came");
                thread::yield_now();
            }
            shared.close();
            thread::sleep(pause);
            worker.wake(here());
            thread::sleep(pause);
        }
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
