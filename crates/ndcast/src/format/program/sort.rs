//! `sort` and `topk`: their operands, by what their region compares, and the door's sort by that.

use super::call::Call;
use super::region::{Returned, results, said};
use super::{Attribute, field};
use crate::Direction;
use crate::dialect::hlo::SortKey;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::Order;
use crate::layout::as_i64;
use crate::op::Op;

/// One sort key, as read from a comparator region.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    operand: usize,
    part: Part,
    direction: Direction,
    order: Order,
}

/// What of an element is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Whole,
    Real,
    Imaginary,
}

const PARTS: [(Part, &str); 3] = [(Part::Whole, ""), (Part::Real, "real"), (Part::Imaginary, "imag")];

/// A float as JAX compares it: one zero, and one NaN.
fn as_number(value: &str) -> String {
    let zero = "constant(0.0)";
    let is_zero = both("EQ", value, zero);
    format!("select(NE({value},{value}),constant(NaN),select({is_zero},{zero},{value}))")
}

/// An operation of two values in either order.
fn both(name: &str, a: &str, b: &str) -> String {
    let [first, second] = if a <= b { [a, b] } else { [b, a] };
    format!("{name}({first},{second})")
}

/// The comparison of an operand's two values, if the text of a comparison begins with that, and what is compared next where
/// they are equal.
fn first_key(text: &str, operand: usize) -> Option<(Key, Option<&str>)> {
    for (part, name) in PARTS {
        let [a, b] = [2 * operand, 2 * operand + 1].map(|place| match part {
            Part::Whole => place.to_string(),
            _ => format!("{name}({place})"),
        });
        for (order, total, [a, b]) in [
            (Order::Numbers, "", [a.clone(), b.clone()]),
            (Order::Total, "TOTAL_", [a.clone(), b.clone()]),
            (Order::Numbers, "", [as_number(&a), as_number(&b)]),
            (Order::Numbers, "TOTAL_", [as_number(&a), as_number(&b)]),
        ] {
            // The canonical text is always GT(greater, less).
            let pairs = [(Direction::Ascending, [&b, &a]), (Direction::Descending, [&a, &b])];
            for (direction, [greater, less]) in pairs {
                let key = Key { operand, part, direction, order };
                let before = format!("{total}GT({greater},{less})");
                if text == before {
                    return Some((key, None));
                }
                let equal = both(&format!("{total}EQ"), &a, &b);
                let next = other("or", text, &before).and_then(|rest| other("and", rest, &equal));
                if next.is_some() {
                    return Some((key, next));
                }
            }
        }
    }
    None
}

/// The other of the two operands of an operation.
fn other<'t>(name: &str, text: &'t str, one: &str) -> Option<&'t str> {
    let inside = text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
    let behind = inside.strip_prefix(one).and_then(|rest| rest.strip_prefix(','));
    behind.or_else(|| inside.strip_suffix(one).and_then(|rest| rest.strip_suffix(',')))
}

/// By what a comparison of so many operands sorts.
fn keys(text: &str, operands: usize) -> Option<Vec<Key>> {
    let mut found = Vec::new();
    let mut rest = Some(text);
    while let Some(text) = rest {
        // Most operands are not compared.
        let mut compared = (0..operands).filter(|operand| text.contains(&(2 * operand).to_string()));
        let (key, next) = compared.find_map(|operand| first_key(text, operand))?;
        found.push(key);
        rest = next;
    }
    Some(found)
}

/// By what the region of an operation sorts so many operands, and what it rounds each key to.
fn keys_of(call: &Call<'_>, count: usize) -> Result<Vec<(Key, Option<DType>)>, Error> {
    let region = call.region();
    let region =
        region.ok_or_else(|| Error::value("it has no region that says what is before what".to_owned()))?;
    // A region of its own sees what stands around the operation; a function does not.
    let sees = !call.operation.regions.is_empty();
    let around = |name: &str| if sees { call.constant(name) } else { None };
    let returned = results(region, around).filter(|_| region.arguments.len() == 2 * count);
    let Returned { texts, rounded } = returned.unwrap_or_default();
    let alike = rounded.chunks(2).all(|both| both.first() == both.last());
    let known = if let ([text], true) = (&texts[..], alike) { keys(text, count) } else { None };
    let known = known.ok_or_else(|| {
        Error::value(format!("its region ({}) is none of the comparisons that are known", said(region)))
    })?;
    Ok(known.into_iter().map(|key| (key, rounded[2 * key.operand])).collect())
}

pub(super) fn sort(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let operands = call.operands.clone();
    let known = keys_of(call, operands.len())?;
    let rank = operands.first().map_or(Ok(0), |&first| call.graph.known_rank(first))?;
    let axis = match call.operation.attribute("dimension") {
        Some(_) => call.integer("dimension")?,
        None => -1,
    };
    let from_end = if axis < 0 { as_i64(rank) } else { 0 };
    let mut by = Vec::with_capacity(known.len());
    for (Key { operand, part, direction, order }, rounded) in known {
        let of = match part {
            Part::Whole => call.rounded(operands[operand], rounded)?,
            Part::Real => call.graph.apply(Op::Real, &[operands[operand]])?,
            Part::Imaginary => call.graph.apply(Op::Imag, &[operands[operand]])?,
        };
        by.push(SortKey { of, direction, order });
    }
    call.hlo().sort(&operands, axis.saturating_add(from_end), &by)
}

/// What XLA's compiler makes of `topk`: a call whose result says how many there are, and whose computation compares elements, and
/// knows their places unless nobody reads where these are.
pub(super) fn top_k_as_compiled(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let [x] = call.exactly()?;
    let k = call.result_sizes()?.last().copied();
    let k = k.ok_or_else(|| Error::value("its result has no axis".to_owned()))?;
    let knows_places = call.region().is_none_or(|region| region.arguments.len() != 2);
    match keys_of(call, if knows_places { 2 } else { 1 })?[..] {
        [(Key { operand: 0, part: Part::Whole, direction, order: Order::Total }, rounded)] => {
            let of = call.rounded(x, rounded)?;
            let [values, places] = call.hlo().top_k(of, k, direction)?;
            Ok(vec![call.in_type_of(values, x)?, places])
        }
        _ => Err(Error::value("it compares otherwise than by the total order of the elements".to_owned())),
    }
}

pub(super) fn top_k(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let [x] = call.exactly()?;
    // A call of another dialect's has that dialect's attributes in one of its own.
    let inside = call.operation.attribute("mhlo.attributes").and_then(Attribute::fields);
    let fields = inside.unwrap_or(&call.operation.attributes);
    let k = field(fields, "k").and_then(Attribute::integer).ok_or_else(|| Call::missing("k"))?;
    let greatest = field(fields, "largest").and_then(Attribute::integer) != Some(0);
    let direction = if greatest { Direction::Descending } else { Direction::Ascending };
    call.hlo().top_k(x, k, direction).map(Vec::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_first_and_then() {
        let key = |operand, direction, order| Key { operand, part: Part::Whole, direction, order };
        let (up, down) = (Direction::Ascending, Direction::Descending);
        for (text, expected) in [
            ("GT(1,0)", vec![key(0, up, Order::Numbers)]),
            ("GT(2,3)", vec![key(1, down, Order::Numbers)]),
            ("TOTAL_GT(0,1)", vec![key(0, down, Order::Total)]),
            (
                "or(GT(1,0),and(EQ(0,1),GT(2,3)))",
                vec![key(0, up, Order::Numbers), key(1, down, Order::Numbers)],
            ),
            (
                "or(and(GT(0,1),TOTAL_EQ(2,3)),TOTAL_GT(3,2))",
                vec![key(1, up, Order::Total), key(0, down, Order::Numbers)],
            ),
        ] {
            assert_eq!(keys(text, 2), Some(expected), "{text}");
        }
        for text in ["", "GE(1,0)", "GT(0,2)", "GT(5,4)", "or(GT(1,0),and(EQ(0,1),))", "or(GT(1,0),EQ(0,1))"]
        {
            assert_eq!(keys(text, 2), None, "{text}");
        }
    }
}
