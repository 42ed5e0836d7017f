//! What an index selects of the left side of an assignment: basic indexing, as in NumPy.

use std::num::NonZeroI64;

use crate::error::{Error, Kind};
use crate::extent::{Dim, Extent, MAX_EXTENT};
use crate::index::{Index, slice};

/// The shape of what an index selects.
///
/// ```
/// use ndcast_shape::{Shape, indexed, parse_index};
/// let left: Shape = "2x3x4".parse()?;
/// let selected = indexed(left.dims().unwrap(), &parse_index("1, ...")?).unwrap();
/// assert_eq!(Shape::from(selected).to_string(), "3x4");
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// If it takes more axes than there are, or an element that is not there.
pub fn indexed(left: &[Dim], index: &[Index]) -> Result<Vec<Dim>, Error> {
    select(left, index).map_err(Error::of)
}

pub(super) fn select(left: &[Dim], index: &[Index]) -> Result<Vec<Dim>, Kind> {
    let too_many = |found| Kind::TooManyIndices { found, rank: left.len() };
    let mut shape = vec![];
    for (part, axis) in Index::on_axes(index, left.len()).map_err(too_many)? {
        match part {
            Index::New => shape.push(Dim::ONE),
            Index::At(i) => check_inside(i, axis, &left[axis])?,
            Index::Slice { start, stop, step } => shape.push(sliced(&left[axis], start, stop, step)),
            Index::Ellipsis => {}
        }
    }
    Ok(shape)
}

fn check_inside(index: i64, axis: usize, dim: &Dim) -> Result<(), Kind> {
    // Of an unknown extent only the upper bound can prove an index out of range.
    let largest = dim.known().or_else(|| dim.bound().and_then(|bound| bound.known()));
    let needed = if index < 0 { index.unsigned_abs() } else { index.unsigned_abs() + 1 };
    match largest {
        Some(largest) if needed > largest as u64 => {
            Err(Kind::IndexOutOfRange { index, axis, extent: dim.clone() })
        }
        _ => Ok(()),
    }
}

fn sliced(dim: &Dim, start: Option<i64>, stop: Option<i64>, step: NonZeroI64) -> Dim {
    if start.is_none() && stop.is_none() && matches!(step.get(), 1 | -1) {
        return dim.clone();
    }
    let of = |extent: usize| slice(extent, start, stop, step).count;
    let (min, max) = match dim {
        Dim::Known(extent) => return Dim::Known(of(*extent)),
        Dim::Interval(interval) => (interval.min(), interval.max()),
        Dim::Symbol(_) => (0, None),
    };
    // A longer axis gives a longer slice, unless one end is counted from each side.
    let counts = |end: Option<i64>| end.map(|end| end < 0);
    if step.get() < 0 || counts(start) == Some(true) && counts(stop) == Some(false) {
        return Dim::between(0, max).unwrap_or(Dim::UNKNOWN);
    }
    // On an unbounded axis a slice is still bounded if an end counted from the other side limits it.
    let limited = counts(start) == Some(true) || counts(stop) == Some(false);
    let longest = max.or(limited.then_some(MAX_EXTENT)).map(of);
    Dim::between(of(min), longest).unwrap_or(Dim::UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, parse_index};

    fn selected(left: &str, index: &str) -> String {
        let left: Shape = left.parse().unwrap();
        match indexed(left.dims().unwrap(), &parse_index(index).unwrap()) {
            Ok(dims) => Shape::from(dims).to_string(),
            Err(error) => error.kind().name().to_owned(),
        }
    }

    #[test]
    fn selects() {
        for (left, index, expected) in [
            ("2x3x4", "1, ...", "3x4"),
            ("2x3x4", "...", "2x3x4"),
            ("2x3x4", "", "2x3x4"),
            ("2x3x4", "..., -4", "2x3"),
            ("2x3x4", "..., -5", "index-out-of-range"),
            ("2x3x4", "2", "index-out-of-range"),
            ("2x3x4", "0, 0, 0, 0", "too-many-indices"),
            ("2x3x4", "None, 1, :, None", "1x3x1x4"),
            ("2x3x4", "..., None", "2x3x4x1"),
            ("10", "::2", "5"),
            ("10", "1::3", "3"),
            ("10", "-3:", "3"),
            ("10", "::-1", "10"),
            ("10", "8:2:-2", "3"),
            ("10", "2:8:-1", "0"),
            ("10", "100:", "0"),
            ("0", "::-1", "0"),
            ("?xN", "1:3, ::-1", "..2xN"),
            ("5..", ":2", "2"),
            ("2..9", "1:", "1..8"),
            ("?", "-3:", "..3"),
            ("?", "-3:2", "?"),
            ("?", "2:", "?"),
            ("..9", "::-2", "..9"),
            ("3", "::-9223372036854775808", "1"),
            ("2..5", "1:", "1..4"),
            ("..5", "5", "index-out-of-range"),
            ("9223372036854775807", "::9223372036854775807", "1"),
            ("3", "-9223372036854775808", "index-out-of-range"),
            ("3", "9223372036854775807", "index-out-of-range"),
            ("3", "-9223372036854775808::-9223372036854775808", "0"),
        ] {
            assert_eq!(selected(left, index), expected, "{left}[{index}]");
        }
    }
}
