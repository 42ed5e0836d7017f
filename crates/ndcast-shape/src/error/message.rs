//! The sentences that errors become.

use std::fmt;

use super::{Kind, Ranks};
use crate::extent::Dim;
use crate::shape::List;
use crate::unify::{Clash, Found, Stretch};

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at =
            |position: &Option<usize>| position.map_or(String::new(), |p| format!("entry {p} of the axes, "));
        match self {
            Kind::ExtentMismatch { clash, .. } => fmt_clash(clash, f),
            Kind::PlanTooLarge { operands, rank } => {
                write!(f, "a plan of {operands} operands and {rank} axes is more than fits")
            }
            Kind::RankMismatch { ranks, of: Ranks::Operands } => {
                write!(f, "the ranks are {}, and must be equal", List(ranks))
            }
            Kind::RankMismatch { ranks, of: Ranks::OperandAndRest } => write!(
                f,
                "the operand has rank {}, and the target without the broadcast axes has rank {}",
                ranks.first().unwrap_or(&0),
                ranks.last().unwrap_or(&0)
            ),
            Kind::RankMismatch { ranks, of: Ranks::OperandsOrScalars } => {
                write!(f, "the ranks are {}; only what may be a scalar may have another rank", List(ranks))
            }
            Kind::RankTooHigh { operand, rank, limit } => {
                write!(f, "operand {operand} has rank {rank}, and {limit} is the most that fits")
            }
            Kind::AxesCount { expected, found } => {
                write!(
                    f,
                    "{found} axes are listed for an operand of rank {expected}; it takes one for each axis"
                )
            }
            Kind::AxesOrder { position, axis, previous } => {
                write!(f, "the axes must increase, but entry {position} is {axis} and comes after {previous}")
            }
            Kind::AxesRepeated { axis } => write!(f, "axis {axis} is listed twice"),
            Kind::AxesIdentity { rank } => {
                let all: Vec<usize> = (0..*rank).collect();
                write!(f, "the ranks are equal, so the axes must be left out or be {}", List(&all))
            }
            Kind::AxesSuffix { first, rank } => {
                let last: Vec<usize> = (*first..*rank).collect();
                write!(f, "only the last axes are allowed: leave them out or list {}", List(&last))
            }
            Kind::AxisNegative { axis, position: None } => {
                write!(f, "axis {axis} is negative; the lowest is -1")
            }
            Kind::AxisNegative { axis, position } => write!(f, "{}{axis}, is negative", at(position)),
            Kind::AxisOutOfRange { axis, position: None, rank } => {
                write!(f, "axis {axis} is outside rank {rank}")
            }
            Kind::AxisOutOfRange { axis, position, rank } => {
                write!(f, "{}{axis}, is out of range for rank {rank}", at(position))
            }
            Kind::OperandTooShort { axis, rank } => write!(
                f,
                "the operand must reach the last of the target's {rank} axes, and has nothing to lay on axis {axis}"
            ),
            Kind::ScalarAxes { axis, extent } => {
                write!(
                    f,
                    "a scalar is mapped to axis {axis} of the target, which must be 1 then, not {extent}"
                )
            }
            Kind::DynamismMismatch { axis, own, operand, target } => write!(
                f,
                "on axis {axis} of the result, axis {own} of the operand is {operand} and lies on {target}; \
                 both must be bounded, or both static"
            ),
            Kind::ExtentUnknown { party, axis, extent } => {
                write!(f, "axis {axis} of {party} is {extent}, and must be a number")
            }
            Kind::RankUnknown { operand: Some(operand) } => {
                write!(f, "the rank of operand {operand} is unknown, and this dialect needs known ranks")
            }
            Kind::RankUnknown { operand: None } => {
                f.write_str("the rank of the target is unknown, and this dialect needs known ranks")
            }
            Kind::IndexOutOfRange { index, axis, extent } => {
                write!(f, "index {index} is outside axis {axis}, whose extent is {extent}")
            }
            Kind::TooManyIndices { found, rank } => {
                write!(f, "the index takes {found} axes, and there are {rank}")
            }
            Kind::OperandCount { least: 1, most: Some(1), found } => {
                write!(f, "takes one shape, not {found}")
            }
            Kind::OperandCount { least, most: Some(_), found } => {
                write!(f, "takes {least} shapes, not {found}")
            }
            Kind::OperandCount { least: 1, most: None, .. } => {
                f.write_str("takes one shape or more, not none")
            }
            Kind::OperandCount { least, most: None, found } => {
                write!(f, "takes {least} shapes or more, not {found}")
            }
            Kind::TargetMissing => f.write_str("needs a target shape"),
            Kind::TargetUnexpected => f.write_str("takes no target shape"),
            Kind::AxesMissing => f.write_str("needs a list of axes, one for each axis of the operand"),
            Kind::AxesUnexpected => f.write_str("takes no list of axes"),
            Kind::AxisUnexpected => f.write_str("takes no axis"),
            Kind::IndexUnexpected => f.write_str("takes no index"),
            Kind::UnknownRule { name, nearest } => {
                write!(f, "there is no rule {name:?}")?;
                match nearest.split_last() {
                    None => Ok(()),
                    Some((last, [])) => write!(f, "; did you mean {last}?"),
                    Some((last, rest)) => write!(f, "; did you mean {} or {last}?", rest.join(", ")),
                }
            }
            Kind::MalformedShape { text, reason } => write!(f, "{:?} is not a shape: {reason}", Clip(text)),
            Kind::NegativeExtent { text } => {
                write!(
                    f,
                    "{:?}: an extent cannot be negative; one that is not known is written ?",
                    Clip(text)
                )
            }
            Kind::ExtentTooLarge { text } => {
                write!(f, "{:?}: an extent can be {} at most", Clip(text), crate::MAX_EXTENT)
            }
            Kind::MalformedAxes { text } => {
                write!(f, "{:?} is not a list of axes: those are integers, such as 0,2", Clip(text))
            }
            Kind::MalformedIndex { text, reason } => write!(f, "{:?} is not an index: {reason}", Clip(text)),
        }
    }
}

/// `on axis 2 of the result, axis 2 of operand 0 is 5 and axis 1 of operand 1 is 3; they must be equal, or 1`
fn fmt_clash(clash: &Clash, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [one, two] = &clash.found;
    write!(f, "on axis {} of the result, ", clash.axis)?;
    write!(f, "axis {} of {} is {} and ", one.axis, one.party, one.extent)?;
    write!(f, "axis {} of {} is {}", two.axis, two.party, two.extent)?;
    match (one.stretch, two.stretch) {
        (Stretch::Nothing, Stretch::Nothing) => f.write_str("; they must be equal"),
        (Stretch::Ones, Stretch::Ones) => f.write_str("; they must be equal, or one of them 1"),
        (Stretch::Nothing, Stretch::Ones) => only(one, f),
        (Stretch::Ones, Stretch::Nothing) => only(two, f),
    }
}

/// What fits on an extent that does not stretch.
fn only(fixed: &Found, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match fixed.extent {
        Dim::Known(1) => write!(f, "; only 1 fits on {}", fixed.party),
        _ => write!(f, "; only {} or 1 fits on {}", fixed.extent, fixed.party),
    }
}

/// A text of any length for a message.
struct Clip<'a>(&'a str);

impl fmt::Debug for Clip<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(80) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}... ({} bytes)", &self.0[..end], self.0.len()),
        }
    }
}
