//! Parts of memory, and lines of elements in it, that are each made into something by all threads.

use std::convert::Infallible;
use std::sync::Mutex;

use super::Extents;
use crate::engine::try_share;

/// The elements of a part that a thread claims, at least.
pub(super) const PART: usize = 1 << 14;

/// An order of axes in which one is the last, and the order that puts it back.
pub(super) fn axis_last(rank: usize, axis: usize) -> [Extents; 2] {
    let order = (0..rank).filter(|&other| other != axis).chain([axis]).collect();
    let mut back: Extents = (0..rank - 1).collect();
    back.insert(axis, rank - 1);
    [order, back]
}

/// Maps each line of `from` to one of `to`, in parallel; the last may be shorter.
pub(super) fn each_line<T: Sync, R: Send>(
    from: (&[T], usize),
    to: (&mut [R], usize),
    make: impl Fn(&[T], &mut [R]) + Sync,
) {
    let made = try_each_line(from, to, |from, to| {
        make(from, to);
        Ok::<(), Infallible>(())
    });
    let Ok(()) = made;
}

/// The same with what may fail: then some lines are not made.
pub(super) fn try_each_line<T: Sync, R: Send, E: Send>(
    (from, line): (&[T], usize),
    (to, made): (&mut [R], usize),
    make: impl Fn(&[T], &mut [R]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let lines = (PART / line).max(1);
    try_each_part(from.chunks(lines * line).zip(to.chunks_mut(lines * made)), |(from, to)| {
        from.chunks(line).zip(to.chunks_mut(made)).try_for_each(|(from, to)| make(from, to))
    })
}

/// Does something with each of some parts, in no order.
pub(super) fn each_part<P: Send>(parts: impl Iterator<Item = P>, work: impl Fn(P) + Sync) {
    let done = try_each_part(parts, |part| {
        work(part);
        Ok::<(), Infallible>(())
    });
    let Ok(()) = done;
}

/// The same with what may fail: then something is not done with some parts.
fn try_each_part<P: Send, E: Send>(
    parts: impl Iterator<Item = P>,
    work: impl Fn(P) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let parts: Vec<_> = parts.map(|part| Mutex::new(Some(part))).collect();
    try_share(parts.len(), |claim| {
        while let Some(part) = claim.next() {
            // Each part is claimed once.
            if let Some(part) = parts[part].lock().ok().and_then(|mut part| part.take()) {
                work(part)?;
            }
        }
        Ok(())
    })
}
