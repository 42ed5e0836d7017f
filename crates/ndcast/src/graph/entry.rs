//! What is known of the elements of small arrays of integers before anything runs: the shapes, axes and counts that a
//! graph computes on its way.
//!
//! Movement carries entries along, whatever it is: it is run on the places of the entries. Arithmetic on numbers that are
//! all known is run as well. Of the rest, extents that are partly known follow in intervals.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use ndcast_shape::{Dim, Shape};

use super::kind::{Carries, Kind};
use super::node::Node;
use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::op::Op;
use crate::tensor::Tensor;

/// What is known of one integer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// It is this number.
    Int(i64),
    /// An extent, as far as it is known.
    Extent(Dim),
    /// Nothing.
    Unknown,
}

/// Arrays of more elements are no shapes.
const MOST: usize = 256;

impl From<Dim> for Entry {
    fn from(dim: Dim) -> Entry {
        match dim {
            Dim::Known(n) => i64::try_from(n).map_or(Entry::Unknown, Entry::Int),
            dim => Entry::Extent(dim),
        }
    }
}

impl Entry {
    /// The extent that it is, if it is one; `None` for a negative number.
    pub fn dim(&self) -> Option<Dim> {
        match self {
            Entry::Int(n) => usize::try_from(*n).ok().map(Dim::Known),
            Entry::Extent(dim) => Some(dim.clone()),
            Entry::Unknown => Some(Dim::UNKNOWN),
        }
    }

    /// The least and the greatest that it can be, where something is known.
    fn range(&self) -> Option<(i64, Option<i64>)> {
        let signed = |n: usize| i64::try_from(n).ok();
        match self {
            Entry::Int(n) => Some((*n, Some(*n))),
            Entry::Extent(Dim::Interval(interval)) => {
                Some((signed(interval.min())?, interval.max().and_then(signed)))
            }
            Entry::Extent(_) => Some((0, None)),
            Entry::Unknown => None,
        }
    }

    /// Whether it is one of these numbers, whichever it is. An extent of which no end is known is taken to be one that an i32 holds,
    /// in which most models compute shapes.
    fn is_in(&self, range: &RangeInclusive<i128>) -> bool {
        self.range().is_none_or(|(least, most)| {
            range.contains(&least.into()) && range.contains(&most.unwrap_or(i32::MAX.into()).into())
        })
    }

    fn between(least: i64, most: Option<i64>) -> Entry {
        if most == Some(least) {
            return Entry::Int(least);
        }
        let most = most.map(usize::try_from);
        match (usize::try_from(least), most) {
            (Ok(least), Some(Ok(most))) => {
                Dim::between(least, Some(most)).map_or(Entry::Unknown, Entry::from)
            }
            (Ok(least), None) => Dim::between(least, None).map_or(Entry::Unknown, Entry::from),
            _ => Entry::Unknown,
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Int(n) => write!(f, "{n}"),
            Entry::Extent(dim) => write!(f, "{dim}"),
            Entry::Unknown => f.write_str("?"),
        }
    }
}

/// The elements of a tensor, if they are few integers.
pub(super) fn of_tensor(tensor: &Tensor) -> Option<Arc<[Entry]>> {
    if !is_integer(tensor.dtype()) || tensor.elements() > MOST {
        return None;
    }
    let numbers = Array::from(tensor.clone()).convert(DType::I64).to_vec::<i64>().ok()?;
    // What i64 does not hold has wrapped.
    if tensor.dtype() == DType::U64 && numbers.iter().any(|&n| n < 0) {
        return None;
    }
    Some(numbers.into_iter().map(Entry::Int).collect())
}

fn is_integer(dtype: DType) -> bool {
    matches!(dtype.class(), Class::Bool | Class::Signed | Class::Unsigned)
}

/// What is known of the elements of a node of this kind, dtype and shape: nothing of one that the dtype may not hold, because
/// it may be another number there.
pub(super) fn entries(kind: &Kind, arguments: &[&Node], dtype: DType, shape: &Shape) -> Option<Arc<[Entry]>> {
    let entries = found(kind, arguments, dtype, shape)?;
    let range = if dtype == DType::Bool { 0..=1 } else { dtype.integers()? };
    if entries.iter().all(|entry| entry.is_in(&range)) {
        return Some(entries);
    }
    let held = |entry: &Entry| if entry.is_in(&range) { entry.clone() } else { Entry::Unknown };
    Some(entries.iter().map(held).collect())
}

fn found(kind: &Kind, arguments: &[&Node], dtype: DType, shape: &Shape) -> Option<Arc<[Entry]>> {
    if let Kind::Constant(constant) = kind {
        return of_tensor(&constant.0);
    }
    if let (Kind::ShapeOf(_), [argument]) = (kind, arguments) {
        return argument.dims().map(|dims| dims.iter().cloned().map(Entry::from).collect());
    }
    let extents = shape.extents()?;
    let count = extents.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))?;
    if !is_integer(dtype) || count > MOST || arguments.is_empty() {
        return None;
    }
    if let Some(numbers) = arguments.iter().map(|argument| argument.integers()).collect::<Option<Vec<_>>>() {
        return computed(kind, arguments, &numbers);
    }
    match kind.operation().carries() {
        Carries::Elements(from) => moved(kind, arguments, from),
        Carries::Nothing => arithmetic(kind, arguments),
    }
}

/// All numbers are known: the operation is run.
fn computed(kind: &Kind, arguments: &[&Node], numbers: &[Vec<i64>]) -> Option<Arc<[Entry]>> {
    let arrays: Vec<Array> = arguments
        .iter()
        .zip(numbers)
        .map(|(argument, numbers)| {
            let extents = argument.shape.extents()?;
            Some(Array::new(&extents, numbers).convert(argument.dtype))
        })
        .collect::<Option<_>>()?;
    of_tensor(&kind.operation().run(&arrays).eval().ok()?)
}

/// The operation only moves elements: those of the arguments from this one to that one. It is run on their places. If
/// something is known of one of these arguments, the elements of the others are there too, as what they are: not known.
fn moved(kind: &Kind, arguments: &[&Node], from: std::ops::Range<usize>) -> Option<Arc<[Entry]>> {
    let mut all: Vec<&Entry> = Vec::new();
    let mut arrays = Vec::new();
    let mut something = false;
    for (place, argument) in arguments.iter().enumerate() {
        let extents = argument.shape.extents()?;
        arrays.push(if from.contains(&place) {
            let first = all.len();
            match &argument.entries {
                Some(entries) => {
                    something = true;
                    all.extend(entries.iter());
                }
                None => {
                    let count = extents.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent))?;
                    if count > MOST {
                        return None;
                    }
                    all.extend(std::iter::repeat_n(&Entry::Unknown, count));
                }
            }
            let places = (first..all.len()).map(i64::try_from).collect::<Result<Vec<_>, _>>().ok()?;
            Array::new(&extents, &places)
        } else {
            Array::new(&extents, &argument.integers()?).convert(argument.dtype)
        });
    }
    if !something {
        return None;
    }
    let places = kind.operation().run(&arrays).to_vec::<i64>().ok()?;
    places.into_iter().map(|place| Some((*all.get(usize::try_from(place).ok()?)?).clone())).collect()
}

/// Arithmetic on what is partly known.
fn arithmetic(kind: &Kind, arguments: &[&Node]) -> Option<Arc<[Entry]>> {
    let of = |place: usize| -> Option<&[Entry]> { arguments.get(place)?.entries() };
    match kind {
        Kind::Convert(_) => of(0).map(Arc::from),
        Kind::Reduce(reduce) if arguments[0].shape.rank() == Some(1) && reduce.axes[..] == [0] => {
            let op = reduce.reduction.op()?;
            let (first, rest) = of(0)?.split_first()?;
            Some([rest.iter().fold(first.clone(), |folded, entry| two(op, &folded, entry))].into())
        }
        Kind::Apply(apply) => match (apply.0, arguments.len()) {
            (Op::Where, 3) => {
                let (truth, yes, no) = (of(0)?, of(1)?, of(2)?);
                let pick = |((truth, yes), no): ((&Entry, &Entry), &Entry)| match truth {
                    Entry::Int(0) => no.clone(),
                    Entry::Int(_) => yes.clone(),
                    _ if yes == no => yes.clone(),
                    _ => Entry::Unknown,
                };
                Some(truth.iter().zip(yes).zip(no).map(pick).collect())
            }
            (op, 2) => Some(of(0)?.iter().zip(of(1)?).map(|(a, b)| two(op, a, b)).collect()),
            _ => None,
        },
        _ => None,
    }
}

/// An operation on two integers that are partly known.
fn two(op: Op, a: &Entry, b: &Entry) -> Entry {
    // What leaves a number as it is keeps its name.
    match (op, a, b) {
        (Op::Add, x, Entry::Int(0)) | (Op::Add, Entry::Int(0), x) | (Op::Subtract, x, Entry::Int(0)) => {
            return x.clone();
        }
        (Op::Multiply, x, Entry::Int(1)) | (Op::Multiply, Entry::Int(1), x) => return x.clone(),
        (Op::Divide | Op::FloorDivide | Op::DivideTowardZero, x, Entry::Int(1)) => return x.clone(),
        (Op::Maximum | Op::Minimum, x, y) if x == y && *x != Entry::Unknown => return x.clone(),
        _ => {}
    }
    let (Some((a_least, a_most)), Some((b_least, b_most))) = (a.range(), b.range()) else {
        return Entry::Unknown;
    };
    let both = |f: fn(i64, i64) -> Option<i64>| match (a_most, b_most) {
        (Some(a), Some(b)) => f(a, b),
        _ => None,
    };
    let positive = a_least >= 0 && b_least >= 0;
    let (least, most) = match op {
        Op::Add => (a_least.checked_add(b_least), both(i64::checked_add)),
        Op::Subtract => match b_most {
            Some(b_most) => (a_least.checked_sub(b_most), a_most.and_then(|a| a.checked_sub(b_least))),
            None => (None, None),
        },
        Op::Multiply if positive => (a_least.checked_mul(b_least), both(i64::checked_mul)),
        Op::Maximum => (Some(a_least.max(b_least)), both(|a, b| Some(a.max(b)))),
        Op::Minimum => {
            let most = match (a_most, b_most) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            (Some(a_least.min(b_least)), most)
        }
        Op::Divide | Op::FloorDivide | Op::DivideTowardZero if positive && b_least > 0 => {
            (Some(b_most.map_or(0, |b| a_least / b)), a_most.map(|a| a / b_least))
        }
        _ => (None, None),
    };
    least.map_or(Entry::Unknown, |least| Entry::between(least, most))
}
