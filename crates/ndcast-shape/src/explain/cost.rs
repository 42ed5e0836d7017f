//! What a broadcast reads and writes.

use std::fmt;

use super::elsewhere::name;
use super::{Element, Style};
use crate::extent::{Dim, Extent};
use crate::plan::Plan;
use crate::rule::{Request, hlo, ngraph};

/// At most this many operands are listed one by one.
const MOST_SHOWN: usize = 8;

/// How many elements a shape has: a number, times extents that are not known.
struct Count {
    /// `None`: more than 2^128.
    known: Option<u128>,
    unknown: Vec<Dim>,
}

impl Count {
    fn of(dims: &[Dim]) -> Count {
        if dims.iter().any(|dim| dim.known() == Some(0)) {
            return Count { known: Some(0), unknown: vec![] };
        }
        let known = dims.iter().filter_map(Extent::known).try_fold(1u128, |n, e| n.checked_mul(e as u128));
        Count { known, unknown: dims.iter().filter(|dim| dim.known().is_none()).cloned().collect() }
    }

    /// The bytes of so many elements, for people; `None` if that is not a number.
    fn bytes(&self, element: &Element) -> Option<String> {
        let bits = self.known.filter(|_| self.unknown.is_empty())?.checked_mul(u128::from(element.bits?))?;
        Some(human_bytes(bits.div_ceil(8)))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(known) = self.known else { return f.write_str("more than 2^128") };
        if known != 1 || self.unknown.is_empty() {
            write!(f, "{known}")?;
        }
        for (position, dim) in self.unknown.iter().enumerate().take(8) {
            f.write_str(if position > 0 || known != 1 { "·" } else { "" })?;
            match dim {
                Dim::Symbol(_) => write!(f, "{dim}")?,
                dim if *dim == Dim::UNKNOWN => write!(f, "{dim}")?,
                dim => write!(f, "({dim})")?,
            }
        }
        f.write_str(if self.unknown.len() > 8 { "·..." } else { "" })
    }
}

/// A number of bytes for people.
///
/// ```
/// assert_eq!(ndcast_shape::explain::human_bytes(6758), "6.6 KiB");
/// ```
pub fn human_bytes(bytes: u128) -> String {
    const UNITS: [&str; 9] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
    let unit = (0..UNITS.len() - 1).find(|unit| bytes >> (10 * (unit + 1)) == 0).unwrap_or(UNITS.len() - 1);
    let scale = 1u128 << (10 * unit);
    let tenths = (bytes % scale * 10 + scale / 2) / scale;
    // Rounding up may make a whole one of ten tenths.
    let (whole, tenth) = (bytes / scale + tenths / 10, tenths % 10);
    if tenth == 0 { format!("{whole} {}", UNITS[unit]) } else { format!("{whole}.{tenth} {}", UNITS[unit]) }
}

/// `48 elements (192 B)`
fn amount(count: &Count, element: &Element) -> String {
    let elements = if count.known == Some(1) && count.unknown.is_empty() { "element" } else { "elements" };
    match count.bytes(element) {
        Some(bytes) => format!("{count} {elements} ({bytes})"),
        None => format!("{count} {elements}"),
    }
}

/// What is read, what is written, and what copies of the broadcast operands would take.
pub(super) fn of_plan(plan: &Plan<Dim>, request: &Request, style: &Style) -> String {
    let element = &style.element;
    // The predicate of a select is boolean: a byte an element.
    let truth = Element { bits: element.bits.map(|_| 8), ..*element };
    let of = |operand: usize| if request.rule == &hlo::SELECT && operand == 0 { &truth } else { element };
    let mut text = String::new();
    // The shape of `like` is looked at, its elements are not.
    let like = request.rule == &ngraph::BROADCAST_LIKE;
    let read = if like { 1 } else { plan.operand_count() };
    for operand in 0..read.min(MOST_SHOWN) {
        let count = Count::of(request.read(operand).dims().unwrap_or(&[]));
        let first = if operand == 0 { "reads " } else { "      " };
        text.push_str(&format!("{first} {} of {}\n", amount(&count, of(operand)), name(operand)));
    }
    if read > MOST_SHOWN {
        text.push_str(&format!("       and those of {} operands more\n", read - MOST_SHOWN));
    }
    let result = Count::of(plan.shape());
    text.push_str(&format!("writes {} of {}\n", amount(&result, element), element.name));
    let copied: Vec<usize> =
        (0..plan.operand_count()).filter(|&operand| !plan.reads_as_it_is(operand)).collect();
    let each = copied.first().filter(|_| plan.operand_count() > 1 && !like);
    if let Some(bytes) = each.and_then(|&first| result.bytes(of(first))) {
        let copied: Vec<String> = copied.into_iter().map(name).collect();
        let (last, rest) = copied.split_last().map_or(("", &[][..]), |(last, rest)| (last.as_str(), rest));
        match rest {
            [] => text.push_str(&format!("materialised, {last} would take {bytes}\n")),
            rest if rest.len() < MOST_SHOWN => {
                text.push_str(&format!(
                    "materialised, {} and {last} would take {bytes} each\n",
                    rest.join(", ")
                ));
            }
            _ => text.push_str(&format!("materialised, {} of them would take {bytes} each\n", copied.len())),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    #[test]
    fn bytes_for_people() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (6720, "6.6 KiB"),
            (1 << 20, "1 MiB"),
            (1 << 40, "1 TiB"),
            (u128::MAX / 16, "17592186044416 YiB"),
            (1024 * 1024 - 1, "1024 KiB"),
        ] {
            assert_eq!(human_bytes(bytes), text);
        }
    }

    #[test]
    fn counts() {
        for (shape, count) in [
            ("8x7x6x5", "1680"),
            ("scalar", "1"),
            ("Nx3x?", "3·N·?"),
            ("Nx2..5", "N·(2..5)"),
            ("Nx0", "0"),
            ("9223372036854775807x9223372036854775807x9223372036854775807", "more than 2^128"),
        ] {
            let shape: Shape = shape.parse().unwrap();
            assert_eq!(Count::of(shape.dims().unwrap()).to_string(), count);
        }
    }
}
