//! Folds of a few elements that are in memory, done on the spot: to make tiles ready takes longer.

use super::super::gather::gather_bytes;
use super::super::job::{Job, Operand};
use super::{AT_ONCE, Extents, Fold, Form, ROWS};
use crate::buffer::{MemoryError, Scratch};

/// The most bytes that are folded so.
const MOST: usize = 16 << 10;

/// Folds a job's values, if they are few and nothing is computed for them; whether they were.
pub(super) fn folded(
    job: &Job<'_>,
    extents: Extents,
    fold: &Fold,
    out: &mut [u8],
) -> Result<bool, MemoryError> {
    let Extents { reduced, inner, form, .. } = extents;
    let bytes = job.elements.saturating_mul(fold.size);
    let ([Operand { bytes: memory, walk, .. }], []) = (&job.operands[..], job.steps) else {
        return Ok(false);
    };
    let is_simple = match form {
        Form::Runs => true,
        Form::Panels => reduced <= ROWS,
        Form::Lanes | Form::Interleaved(_) => false,
    };
    if bytes > MOST || !is_simple {
        return Ok(false);
    }
    let mut room = None;
    let values = if walk.is_dense() {
        &memory[walk.start.cast_unsigned() * fold.size..][..bytes]
    } else {
        let room = room.insert(Scratch::take(bytes)?).bytes_mut();
        gather_bytes(fold.size, memory, walk, None, 0, room);
        room
    };
    match form {
        Form::Panels => {
            let length = reduced * inner * fold.size;
            let results = out.chunks_exact_mut(inner * fold.size);
            for (values, to) in values.chunks_exact(length).zip(results) {
                one_after_the_other(values, fold, to);
            }
        }
        _ if reduced <= fold.most() => fold.rows(values, reduced, out),
        _ => {
            // What comes of the runs of a fold is a run.
            let mut results = Scratch::take(out.len() * reduced.div_ceil(fold.most()))?;
            fold.rows(values, reduced, results.bytes_mut());
            fold.run(results.bytes(), out);
        }
    }
    if let Some(one_nan) = fold.one_nan {
        one_nan(out);
    }
    Ok(true)
}

/// Folds rows one after the other, some of them at a time.
fn one_after_the_other(values: &[u8], fold: &Fold, to: &mut [u8]) {
    let (first, others) = values.split_at(to.len());
    to.copy_from_slice(first);
    for some in others.chunks(AT_ONCE * to.len()) {
        let mut rows = [&[][..]; AT_ONCE];
        let count = some.len() / to.len();
        rows.iter_mut().zip(some.chunks_exact(to.len())).for_each(|(to, row)| *to = row);
        (fold.folding.more)(&rows[..count], to);
    }
}
