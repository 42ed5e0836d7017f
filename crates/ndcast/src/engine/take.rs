//! Rows taken by number.

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::target::Target;
use super::threads::share;

/// The bytes of a part that a thread claims.
const PART: usize = 256 << 10;

/// What is taken from: blocks of so many rows of so many elements.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// The rows of a block.
    pub(crate) rows: usize,
    /// The elements of a row.
    pub(crate) inner: usize,
    /// The bytes of an element.
    pub(crate) size: usize,
}

/// For every block the rows of these numbers, each of which is less than `rows`, one behind the other.
pub(crate) fn take(from: &[u8], rows: Rows, numbers: &[usize], out: &mut [u8]) {
    let bytes = rows.inner * rows.size;
    let blocks = out.len().checked_div(bytes * numbers.len()).unwrap_or(0);
    let all = blocks * numbers.len();
    let in_part = (PART / bytes.max(1)).clamp(1, all.max(1));
    let out = Target::new(out);
    share(all.div_ceil(in_part), &|claim| {
        while let Some(part) = claim.next() {
            let (first, last) = (part * in_part, all.min((part + 1) * in_part));
            // SAFETY: each row of the result is in one part, which one thread has.
            #[allow(unsafe_code, reason = "see there")]
            let to = unsafe { out.part(first * bytes..last * bytes) };
            let row = |at: usize| at / numbers.len() * rows.rows + numbers[at % numbers.len()];
            match bytes {
                1 => single::<u8>(from, to, first, row),
                2 => single::<u16>(from, to, first, row),
                4 => single::<u32>(from, to, first, row),
                8 => single::<u64>(from, to, first, row),
                _ => {
                    for (at, to) in (first..).zip(to.chunks_exact_mut(bytes)) {
                        to.copy_from_slice(&from[row(at) * bytes..][..bytes]);
                    }
                }
            }
        }
    });
}

/// Rows that are as large as one word.
fn single<W: Pod>(from: &[u8], to: &mut [u8], first: usize, row: impl Fn(usize) -> usize) {
    let from: &[W] = cast_slice(from);
    for (at, to) in (first..).zip(cast_slice_mut::<u8, W>(to)) {
        *to = from[row(at)];
    }
}
