//! Lines of elements that are each made into something, shared by all threads.

use std::sync::Mutex;

use crate::engine::share;

/// The elements of a part that a thread claims, at least.
const PART: usize = 1 << 14;

/// Makes so many elements of each line of so many; the last line may be shorter.
pub(super) fn each_line<T: Sync, R: Send>(
    (from, line): (&[T], usize),
    (to, made): (&mut [R], usize),
    make: impl Fn(&[T], &mut [R]) + Sync,
) {
    let lines = (PART / line).max(1);
    let parts: Vec<_> = from.chunks(lines * line).zip(to.chunks_mut(lines * made)).map(Mutex::new).collect();
    share(parts.len(), &|claim| {
        while let Some(part) = claim.next() {
            // Each part is claimed once.
            let Ok(mut part) = parts[part].lock() else { return };
            let (from, to) = &mut *part;
            from.chunks(line).zip(to.chunks_mut(made)).for_each(|(from, to)| make(from, to));
        }
    });
}
