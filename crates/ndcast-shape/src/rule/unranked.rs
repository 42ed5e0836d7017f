//! What a rule still knows of its result when the rank of an operand or of the target is not known.
//!
//! Only OpenVINO and nGraph have such arrays. The other dialects' rules are sound with them as well, or
//! refuse them.

use super::{Answer, Request};
use crate::error::{Error, Kind};
use crate::extent::Dim;
use crate::shape::Shape;

/// The dialect has no arrays of unknown rank.
pub(super) fn refused(request: &Request) -> Result<Shape, Error> {
    let operand = request.shapes.iter().position(|shape| shape.rank().is_none());
    Err(request.error(Kind::RankUnknown { operand }))
}

/// Nothing is known of the result, but the operands of known rank must go together. A scalar, which fits
/// everywhere, stands in for the others.
pub(super) fn nothing(request: &Request) -> Result<Shape, Error> {
    answer_with(request, &Shape::from([0usize; 0])).map(|_| Shape::UNRANKED)
}

/// What the rule says when another shape stands in for those of unknown rank.
fn answer_with(request: &Request, stand_in: &Shape) -> Result<Answer, Error> {
    let ranked = |shape: &Shape| if shape.rank().is_some() { shape.clone() } else { stand_in.clone() };
    let shapes = request.shapes.iter().map(ranked).collect();
    let ranked = Request { shapes, target: request.target.as_ref().map(ranked), ..request.clone() };
    ranked.answer().map_err(|error| request.error(error.kind().clone()))
}

/// The result is the target.
#[expect(clippy::unnecessary_wraps, reason = "one type for every rule's record")]
pub(super) fn target(request: &Request) -> Result<Shape, Error> {
    Ok(request.target.clone().unwrap_or(Shape::UNRANKED))
}

/// The result has the rank of the target.
#[expect(clippy::unnecessary_wraps, reason = "one type for every rule's record")]
pub(super) fn target_rank(request: &Request) -> Result<Shape, Error> {
    let rank = request.target.as_ref().and_then(Shape::rank);
    Ok(rank.map_or(Shape::UNRANKED, |rank| vec![Dim::UNKNOWN; rank].into()))
}

/// The result is the first operand.
#[expect(clippy::unnecessary_wraps, reason = "one type for every rule's record")]
pub(super) fn first(request: &Request) -> Result<Shape, Error> {
    Ok(request.shapes[0].clone())
}

/// All operands have one shape, so those that are known say what it is.
pub(super) fn others(request: &Request) -> Result<Shape, Error> {
    match request.shapes.iter().find(|shape| shape.rank().is_some()) {
        None => Ok(Shape::UNRANKED),
        Some(ranked) => answer_with(request, ranked).map(|answer| answer.shape().clone()),
    }
}
