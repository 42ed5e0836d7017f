//! Reading what people type: extents, shapes, lists of axes, indices.

use std::num::NonZeroI64;
use std::str::FromStr;

use crate::error::{Error, Kind};
use crate::extent::{Dim, MAX_EXTENT, NO_NAMES};
use crate::index::Index;
use crate::shape::Shape;

impl FromStr for Dim {
    type Err = Error;

    fn from_str(text: &str) -> Result<Dim, Error> {
        let malformed = |reason| Error::of(Kind::MalformedShape { text: text.to_owned(), reason });
        let text = text.trim();
        if text.is_empty() {
            return Err(malformed("an extent is missing"));
        }
        if text == "?" {
            return Ok(Dim::UNKNOWN);
        }
        if let Some(max) = text.strip_prefix("<=") {
            return Dim::between(0, Some(parse_extent(max.trim())?))
                .ok_or_else(|| malformed("no such extent"));
        }
        if let Some((min, max)) = text.split_once("..") {
            if min.is_empty() && max.is_empty() {
                return Err(malformed("an interval needs an end; any extent is written ?"));
            }
            let (min, max) = (min.trim(), max.trim());
            let min = if min.is_empty() { 0 } else { parse_extent(min)? };
            let max = if max.is_empty() { None } else { Some(parse_extent(max)?) };
            return Dim::between(min, max).ok_or_else(|| malformed("the interval is empty"));
        }
        if NO_NAMES.contains(&text) {
            return Err(malformed("an extent that is not known is written ?"));
        }
        if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Dim::symbol(text)
                .ok_or_else(|| malformed("a name has only letters, digits and _, 64 at most"));
        }
        parse_extent(text).map(Dim::Known)
    }
}

fn parse_extent(text: &str) -> Result<usize, Error> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        let reason = "an extent is a number, ?, a name, or an interval such as 2..5";
        return Err(Error::of(Kind::MalformedShape { text: text.to_owned(), reason }));
    }
    if digits.len() < text.len() {
        return Err(Error::of(Kind::NegativeExtent { text: text.to_owned() }));
    }
    match digits.parse() {
        Ok(extent) if extent <= MAX_EXTENT => Ok(extent),
        _ => Err(Error::of(Kind::ExtentTooLarge { text: text.to_owned() })),
    }
}

impl FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shape, Error> {
        let text = text.trim();
        match text {
            "scalar" => return Ok(Shape::from([0usize; 0])),
            "..." => return Ok(Shape::UNRANKED),
            _ => {}
        }
        let brackets = [('(', ')'), ('[', ']')];
        let inside = brackets.iter().find_map(|&(open, close)| text.strip_prefix(open)?.strip_suffix(close));
        let list = inside.unwrap_or(text).trim();
        if list.is_empty() && inside.is_some() {
            return Ok(Shape::from([0usize; 0]));
        }
        // Names may hold an x, so a bracketed or comma-separated list is never split at one.
        let dims: Result<Vec<Dim>, Error> = if inside.is_some() || list.contains(',') {
            list.strip_suffix(',').unwrap_or(list).split(',').map(str::parse).collect()
        } else {
            list.split('x').map(str::parse).collect()
        };
        match dims {
            Ok(dims) => Ok(Shape::from(dims)),
            Err(error) => Err(in_shape(text, &error)),
        }
    }
}

/// The error of one extent, told of the whole shape's text.
fn in_shape(shape: &str, extent: &Error) -> Error {
    let text = shape.to_owned();
    Error::of(match *extent.kind() {
        Kind::MalformedShape { reason, .. } => Kind::MalformedShape { text, reason },
        Kind::NegativeExtent { .. } => Kind::NegativeExtent { text },
        _ => Kind::ExtentTooLarge { text },
    })
}

/// Reads a list of axes: integers with commas between them, with or without brackets.
///
/// ```
/// use ndcast_shape::parse_axes;
/// assert_eq!(parse_axes("0, 2")?, [0, 2]);
/// assert_eq!(parse_axes("[-1]")?, [-1]);
/// assert_eq!(parse_axes("")?, []);
/// assert_eq!(parse_axes("0,,2").unwrap_err().kind().name(), "malformed-axes");
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// If it is none.
pub fn parse_axes(text: &str) -> Result<Vec<i64>, Error> {
    let list = text.trim();
    let brackets = [('[', ']'), ('(', ')'), ('{', '}')];
    let inside = brackets.iter().find_map(|&(open, close)| list.strip_prefix(open)?.strip_suffix(close));
    let list = inside.unwrap_or(list).trim();
    if list.is_empty() {
        return Ok(vec![]);
    }
    let axes: Result<_, _> =
        list.strip_suffix(',').unwrap_or(list).split(',').map(|axis| axis.trim().parse()).collect();
    axes.map_err(|_| Error::of(Kind::MalformedAxes { text: text.to_owned() }))
}

/// Reads an index as written in Python, such as `1, ...` or `::2, None, -1`, with or without brackets.
///
/// ```
/// use ndcast_shape::{Index, parse_index};
/// assert_eq!(parse_index("[1, ...]")?, [Index::At(1), Index::Ellipsis]);
/// assert_eq!(parse_index("1, ..., ...").unwrap_err().kind().name(), "malformed-index");
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// If it is none.
pub fn parse_index(text: &str) -> Result<Vec<Index>, Error> {
    let malformed = |reason| Error::of(Kind::MalformedIndex { text: text.to_owned(), reason });
    let list = text.trim();
    let brackets = [('[', ']'), ('(', ')')];
    let inside = brackets.iter().find_map(|&(open, close)| list.strip_prefix(open)?.strip_suffix(close));
    let list = inside.unwrap_or(list).trim();
    if list.is_empty() {
        return Ok(vec![]);
    }
    let index: Vec<Index> = list
        .strip_suffix(',')
        .unwrap_or(list)
        .split(',')
        .map(|part| parse_part(part.trim()).map_err(malformed))
        .collect::<Result<_, _>>()?;
    if index.iter().filter(|part| **part == Index::Ellipsis).count() > 1 {
        return Err(malformed("there may be one ellipsis"));
    }
    Ok(index)
}

fn parse_part(part: &str) -> Result<Index, &'static str> {
    let number =
        |text: &str| text.trim().parse::<i64>().map_err(|_| "its parts are numbers, slices, None and ...");
    let optional = |text: &str| if text.trim().is_empty() { Ok(None) } else { number(text).map(Some) };
    match part {
        "..." => Ok(Index::Ellipsis),
        "None" | "newaxis" => Ok(Index::New),
        _ if part.contains(':') => {
            let mut ends = part.splitn(3, ':');
            let mut next = || optional(ends.next().unwrap_or(""));
            let (start, stop, step) = (next()?, next()?, next()?.unwrap_or(1));
            let step = NonZeroI64::new(step).ok_or("a slice's step cannot be 0")?;
            Ok(Index::Slice { start, stop, step })
        }
        _ => number(part).map(Index::At),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dim(text: &str) -> Dim {
        text.parse().unwrap()
    }

    #[test]
    fn extents_print_what_they_parse() {
        for text in ["0", "1", "9223372036854775807", "?", "N", "_batch2", "2..5", "2..", "..5"] {
            assert_eq!(dim(text).to_string(), text);
        }
        for (text, printed) in [("<=5", "..5"), ("0..", "?"), ("3..3", "3"), (" 4 ", "4"), ("<= 0", "0")] {
            assert_eq!(dim(text).to_string(), printed);
        }
    }

    #[test]
    fn bad_extents() {
        for (text, kind) in [
            ("", "malformed-shape"),
            ("..", "malformed-shape"),
            ("5..2", "malformed-shape"),
            ("2..5..9", "malformed-shape"),
            ("3.5", "malformed-shape"),
            ("N-1", "malformed-shape"),
            ("é", "malformed-shape"),
            ("-", "malformed-shape"),
            ("-1", "negative-extent"),
            ("-1..4", "negative-extent"),
            ("9223372036854775808", "extent-too-large"),
            ("99999999999999999999999999", "extent-too-large"),
        ] {
            assert_eq!(text.parse::<Dim>().unwrap_err().kind().name(), kind, "{text:?}");
        }
    }

    #[test]
    fn shapes_print_what_they_parse() {
        for text in
            ["scalar", "8x1x6x1", "?x3", "Nx3", "2..5x3", "..", "0", "...", "[max,3]", "[scalar]", "[x]"]
        {
            match text {
                ".." => assert!(text.parse::<Shape>().is_err()),
                _ => assert_eq!(text.parse::<Shape>().unwrap().to_string(), text),
            }
        }
    }

    #[test]
    fn every_spelling_of_a_shape() {
        for (text, printed) in [
            ("()", "scalar"),
            ("[]", "scalar"),
            ("( )", "scalar"),
            (" scalar ", "scalar"),
            ("(3,)", "3"),
            ("3,", "3"),
            ("8,1", "8x1"),
            ("<=5x3", "..5x3"),
            ("[2..5, N, ?]", "2..5xNx?"),
            ("15 x 3 x 5", "15x3x5"),
        ] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), printed, "{text:?}");
        }
    }

    #[test]
    fn bad_shapes() {
        for (text, kind) in [
            ("", "malformed-shape"),
            ("x", "malformed-shape"),
            ("3x", "malformed-shape"),
            ("3xx4", "malformed-shape"),
            ("(3", "malformed-shape"),
            ("3)", "malformed-shape"),
            (",", "malformed-shape"),
            ("3,,4", "malformed-shape"),
            ("[3]]", "malformed-shape"),
            ("-1x3", "negative-extent"),
            ("3x9223372036854775808", "extent-too-large"),
        ] {
            let error = text.parse::<Shape>().unwrap_err();
            assert_eq!(error.kind().name(), kind, "{text:?}");
            assert!(error.to_string().contains(text), "{error}");
        }
    }

    #[test]
    fn indices_print_what_they_parse() {
        for text in ["1, ...", "::2, None, -1", "1:, :3, 1:9:-2"] {
            let printed: Vec<_> = parse_index(text).unwrap().iter().map(Index::to_string).collect();
            assert_eq!(printed.join(", "), text);
        }
        for text in ["a", "1,,2", "::0", "1:2:3:4", "..., ...", "1.5", "[1"] {
            assert_eq!(parse_index(text).unwrap_err().kind().name(), "malformed-index", "{text}");
        }
    }
}
