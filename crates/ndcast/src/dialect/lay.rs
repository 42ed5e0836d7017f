//! What the doors do with a rule: it is asked, and its operands become what [`Fit`] makes of them. Nothing is decided here.

use ndcast_shape::rule::Rule;
use ndcast_shape::{Request, Shape};

use crate::error::Error;
use crate::graph::kind::{Broadcast, Fit};
use crate::graph::{Asked, Graph, Id};

/// Operands, each laid over the result of a rule that takes no target.
pub(super) fn all<const N: usize>(
    graph: &mut Graph,
    rule: &'static Rule,
    axes: Option<&[i64]>,
    operands: [Id; N],
) -> Result<[Id; N], Error> {
    let mut shapes = Vec::with_capacity(N);
    for &id in &operands {
        shapes.push(graph.node(id)?.shape().clone());
    }
    let axes = axes.map(<[i64]>::to_vec);
    // Asked first, so that an error is the rule's alone.
    Request { axes: axes.clone(), ..Request::new(rule, shapes) }.answer()?;
    let mut laid = operands;
    for (operand, id) in laid.iter_mut().enumerate() {
        *id = graph.add(Fit { axes: axes.clone(), ..Fit::new(rule, N, operand) }, &operands)?;
    }
    Ok(laid)
}

/// One operand, laid over a target whose extents are numbers or, where the operand walks, not known.
pub(super) fn over(
    graph: &mut Graph,
    rule: &'static Rule,
    operand: Id,
    target: &Shape,
    axes: Option<&[i64]>,
) -> Result<Id, Error> {
    let shapes = vec![graph.node(operand)?.shape().clone()];
    let axes = axes.map(<[i64]>::to_vec);
    let request = Request { axes: axes.clone(), target: Some(target.clone()), ..Request::new(rule, shapes) };
    let answer = request.answer()?;
    let own = graph.node(operand)?.dims();
    if let Some(broadcast) = own.and_then(|own| Broadcast::of_plan(answer.plan()?, 0, own)) {
        if broadcast.is_identity() {
            return Ok(operand);
        }
        let id = graph.add(broadcast, &[operand])?;
        graph.answers(id, Some(Asked { request, operand: 0 }));
        return Ok(id);
    }
    let numbers = target.extents().and_then(|extents| {
        extents.into_iter().map(|extent| i64::try_from(extent).ok()).collect::<Option<Vec<_>>>()
    });
    let Some(numbers) = numbers else {
        let text = format!("the extents of the target {} must be known", target.brief());
        return Err(Error::value(text));
    };
    let target = graph.integers(&numbers)?;
    graph.add(Fit { axes, ..Fit::new(rule, 1, 0) }, &[operand, target])
}
