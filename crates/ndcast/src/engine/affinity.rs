//! Those who share a piece of work, each on a processor of its own.
//!
//! A system may put a thread that is woken behind the one that wakes it, on the same processor, while another has nothing to
//! do. They take turns then, and where there are few processors that stays so for many pieces of work. So whoever asks for
//! help looks where the helper was last, and if that is where it asks, sends it elsewhere.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// No processor: the system does not say, or the thread has not looked.
const NONE: usize = usize::MAX;

/// Where a thread is, as others see it. What is out of date does no harm: it is sent where it already is, or not sent.
pub(super) struct Place {
    /// The system's number of the thread; 0 if it has none yet.
    thread: AtomicI32,
    /// The processor on which it was when it looked last.
    processor: AtomicUsize,
    /// The processors that it could be on when it began. Whoever asks may be bound to others, which binds nobody else.
    may: OnceLock<system::Processors>,
}

impl Place {
    pub(super) const fn new() -> Place {
        Place { thread: AtomicI32::new(0), processor: AtomicUsize::new(NONE), may: OnceLock::new() }
    }

    /// Makes it the place of the calling thread.
    pub(super) fn take(&self) {
        self.thread.store(system::thread(), Ordering::Relaxed);
        if let Some(processors) = system::processors() {
            let _ = self.may.set(processors);
        }
    }

    /// Says where the calling thread is, whose place it is.
    pub(super) fn note(&self) {
        self.processor.store(here(), Ordering::Relaxed);
    }

    /// Sends its thread to any other processor that it may be on, if it was last on this one.
    pub(super) fn keep_off(&self, processor: usize) {
        if processor == NONE || self.processor.load(Ordering::Relaxed) != processor {
            return;
        }
        let Some(may) = self.may.get() else { return };
        if system::send(self.thread.load(Ordering::Relaxed), may, processor) {
            self.processor.store(NONE, Ordering::Relaxed);
        }
    }
}

/// The processor on which the calling thread is.
pub(super) fn here() -> usize {
    system::processor().unwrap_or(NONE)
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, Pid, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};

    pub(super) type Processors = CpuSet;

    /// Those that the calling thread may be on.
    pub(super) fn processors() -> Option<Processors> {
        sched_getaffinity(None).ok()
    }

    pub(super) fn thread() -> i32 {
        gettid().as_raw_pid()
    }

    pub(super) fn processor() -> Option<usize> {
        Some(sched_getcpu()).filter(|&processor| processor < CpuSet::MAX_CPU)
    }

    /// Sends another thread off a processor, if it may be on any other; whether it is done.
    pub(super) fn send(thread: i32, may: &Processors, off: usize) -> bool {
        let Some(other) = Pid::from_raw(thread).filter(|&other| other != gettid()) else { return false };
        let mut processors = *may;
        processors.unset(off);
        processors.count() > 0 && sched_setaffinity(Some(other), &processors).is_ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) type Processors = ();

    pub(super) fn processors() -> Option<Processors> {
        None
    }

    pub(super) fn thread() -> i32 {
        0
    }

    pub(super) fn processor() -> Option<usize> {
        None
    }

    pub(super) fn send(_thread: i32, _may: &Processors, _off: usize) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};

    use super::*;

    /// Where the thread of a place may be.
    fn of(place: &Place) -> Option<CpuSet> {
        sched_getaffinity(Pid::from_raw(place.thread.load(Ordering::Relaxed))).ok()
    }

    /// Runs a test beside a thread that has noted its place and waits.
    fn beside(test: impl FnOnce(&Place)) {
        let place = &Place::new();
        let ((noted, wait), (end, ended)) = (channel(), channel::<()>());
        thread::scope(|scope| {
            scope.spawn(move || {
                place.take();
                place.note();
                let _ = noted.send(());
                let _ = ended.recv();
            });
            let _ = wait.recv();
            test(place);
            drop(end);
        });
    }

    #[test]
    fn a_thread_is_sent_off_the_processor_of_who_asks() {
        beside(|place| {
            let (mine, was) = (sched_getaffinity(None).unwrap(), place.processor.load(Ordering::Relaxed));
            place.keep_off(was);
            let several = mine.count() > 1;
            let may = of(place).unwrap();
            assert_eq!(may.is_set(was), !several);
            assert_eq!(may.count(), if several { mine.count() - 1 } else { 1 });
            // Where it is now it has not said.
            assert_eq!(place.processor.load(Ordering::Relaxed), if several { NONE } else { was });
        });
    }

    #[test]
    fn a_bound_thread_binds_nobody_else() {
        beside(|place| {
            let (mine, was) = (sched_getaffinity(None).unwrap(), place.processor.load(Ordering::Relaxed));
            let before = of(place).unwrap();
            let mut one = CpuSet::new();
            one.set(was);
            sched_setaffinity(None, &one).unwrap();
            place.keep_off(was);
            sched_setaffinity(None, &mine).unwrap();
            assert_eq!(of(place).unwrap().count(), if before.count() > 1 { before.count() - 1 } else { 1 });
        });
    }

    #[test]
    fn a_thread_elsewhere_stays() {
        beside(|place| {
            let (before, was) = (of(place), place.processor.load(Ordering::Relaxed));
            place.keep_off(was + 1);
            place.keep_off(NONE);
            assert_eq!(of(place), before);
            assert_eq!(place.processor.load(Ordering::Relaxed), was);
        });
    }

    /// A thread that may be on one processor only has no other to be sent to.
    #[test]
    fn there_is_somewhere_to_go() {
        thread::scope(|scope| {
            scope.spawn(|| {
                let (mut only, here) = (CpuSet::new(), here());
                only.set(here);
                sched_setaffinity(None, &only).unwrap();
                beside(|place| {
                    place.keep_off(here);
                    assert_eq!(of(place), Some(only));
                    assert_eq!(place.processor.load(Ordering::Relaxed), here);
                });
            });
        });
    }

    /// A worker that asks the others for help may find itself among them.
    #[test]
    fn nobody_sends_himself() {
        thread::spawn(|| {
            let place = Place::new();
            place.take();
            let before = of(&place);
            place.note();
            place.keep_off(place.processor.load(Ordering::Relaxed));
            assert_eq!(of(&place), before);
        })
        .join()
        .unwrap();
    }
}
