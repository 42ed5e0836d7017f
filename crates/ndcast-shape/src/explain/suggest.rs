//! What would work instead of a request that does not: requests like it, each asked before it is offered.

use super::{Role, Style, is_small, wrap};
use crate::Kind;
use crate::extent::{Dim, Extent};
use crate::rule::Request;
use crate::rule::{self, Count, Dialect, Need, Rule, array_api, ngraph, onnx, openvino, xla};
use crate::shape::{List, Shape};

/// A request that works, and how it differs from the one that does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What to do.
    pub what: String,
    /// The request after that.
    pub request: Request,
    /// The shape it gives.
    pub shape: Shape,
}

impl Suggestion {
    pub(super) fn text(suggestions: &[Suggestion], style: &Style) -> String {
        let longest = suggestions.iter().map(|s| s.what.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for Suggestion { what, shape, .. } in suggestions {
            let shape = shape.brief().to_string();
            let gives = style.paint.on(Role::Good, &shape);
            if longest + shape.chars().count() + 11 <= style.width {
                text.push_str(&format!("  {what:<longest$}   gives {gives}\n"));
            } else {
                let what = wrap(what, style.width.saturating_sub(6));
                text.push_str(&format!(
                    "  {}\n      gives {gives}\n",
                    what.trim_end().replace('\n', "\n      ")
                ));
            }
        }
        text
    }
}

/// At most this many are offered.
const MOST: usize = 5;

/// Requests near one that the rule refuses, the nearest first. Empty if there are none, if the request is
/// not small, or if it works.
///
/// ```
/// use ndcast_shape::{Request, explain::suggest, rule::xla};
/// let request = Request::new(&xla::BINARY, vec!["2x3".parse()?, "3".parse()?]);
/// let first = &suggest(&request)[0];
/// assert_eq!(first.what, "list the axes: --axes 1");
/// assert_eq!(first.request.answer()?.shape(), &first.shape);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
pub fn suggest(request: &Request) -> Vec<Suggestion> {
    let mut found = Found { request, suggestions: vec![] };
    let target = request.target.clone().unwrap_or(Shape::from([1usize; 0]));
    let Err(error) = request.answer() else { return vec![] };
    // With another index, or other extents in front, it would be another question.
    let other_question = matches!(error.kind(), Kind::IndexOutOfRange { .. } | Kind::TooManyIndices { .. })
        || request.rule == &xla::BROADCAST;
    if other_question || error.kind().is_usage() || !is_small(&request.shapes) || !is_small(&[target]) {
        return vec![];
    }
    other_axes(&mut found);
    other_axis(&mut found);
    other_target(&mut found);
    new_axes(&mut found);
    fewer_axes(&mut found, error.kind());
    transposed(&mut found);
    exchanged(&mut found);
    other_rules(&mut found);
    found.suggestions
}

struct Found<'a> {
    request: &'a Request,
    suggestions: Vec<Suggestion>,
}

impl Found<'_> {
    /// Takes the suggestion if the request works; says whether it did.
    fn offer(&mut self, what: String, request: Request) -> bool {
        let Ok(answer) = request.answer() else { return false };
        // "Perhaps, if the rest turns out right" is no help.
        if answer.plan().is_none() {
            return false;
        }
        let known = |s: &Suggestion| s.request == request;
        if self.suggestions.len() < MOST && !self.suggestions.iter().any(known) {
            self.suggestions.push(Suggestion { what, request, shape: answer.shape().clone() });
        }
        true
    }

    fn dims(&self, operand: usize) -> &[Dim] {
        self.request.shapes[operand].dims().unwrap_or(&[])
    }
}

/// Every way to lay `rank` axes on `result` axes in order, the last axes first.
fn increasing(rank: usize, result: usize) -> Vec<Vec<usize>> {
    fn extend(map: &mut Vec<usize>, rank: usize, below: usize, all: &mut Vec<Vec<usize>>) {
        // There are at most binomial(12, 6) = 924 ways; a few hundred are enough.
        if all.len() >= 400 {
            return;
        }
        if rank == 0 {
            all.push(map.iter().rev().copied().collect());
            return;
        }
        for axis in (rank - 1..below).rev() {
            map.push(axis);
            extend(map, rank - 1, axis, all);
            map.pop();
        }
    }
    let mut all = vec![];
    if rank <= result {
        extend(&mut vec![], rank, result, &mut all);
    }
    all
}

/// Another list of axes, for the rules that take one.
fn other_axes(found: &mut Found<'_>) {
    let request = found.request;
    let same_rank = matches!(&request.shapes[..], [a, b] if a.rank() == b.rank());
    if same_rank && request.axes.is_some() {
        found.offer("leave out the axes".to_owned(), Request { axes: None, ..request.clone() });
        return;
    }
    for axes in lists_of_axes(request).into_iter().take(3) {
        let what = match &axes {
            None => "leave out the axes".to_owned(),
            Some(axes) => format!("list the axes: {}", option(axes)),
        };
        found.offer(what, Request { axes, ..request.clone() });
    }
}

fn option(axes: &[i64]) -> String {
    match axes {
        [] => "--axes ''".to_owned(),
        axes => format!("--axes {}", axes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")),
    }
}

/// The lists of axes with which a request works, its own left aside.
fn lists_of_axes(request: &Request) -> Vec<Option<Vec<i64>>> {
    if request.rule.axes == Need::Never {
        return vec![];
    }
    let ranks: Vec<usize> = request.shapes.iter().filter_map(Shape::rank).collect();
    let result = request.target.as_ref().and_then(Shape::rank).or(ranks.iter().max().copied()).unwrap_or(0);
    let rank = match &ranks[..] {
        // The list speaks of the operand of lower rank, but for BroadcastLike.
        [a, b] if request.rule != &ngraph::BROADCAST_LIKE => *a.min(b),
        ranks => ranks[0],
    };
    let listed = |map: Vec<usize>| {
        let axes: Vec<usize> = match request.rule.dialect {
            // nGraph lists the axes that the operand does not have.
            Dialect::NGraph => (0..result).filter(|axis| !map.contains(axis)).collect(),
            _ => map,
        };
        let axes: Vec<i64> = axes.into_iter().filter_map(|axis| i64::try_from(axis).ok()).collect();
        if axes.is_empty() && request.rule.axes == Need::Optional { None } else { Some(axes) }
    };
    let works = |axes: &Option<Vec<i64>>| Request { axes: axes.clone(), ..request.clone() }.answer().is_ok();
    increasing(rank, result).into_iter().map(listed).filter(works).collect()
}

/// Another first axis, for PDPD.
fn other_axis(found: &mut Found<'_>) {
    let request = found.request;
    if request.rule.axis == Need::Never {
        return;
    }
    let rank = request.shapes.iter().chain(&request.target).filter_map(Shape::rank).max().unwrap_or(0);
    for axis in (0..=rank).filter_map(|axis| i64::try_from(axis).ok()) {
        found.offer(
            format!("begin at another axis: --axis {axis}"),
            Request { axis: Some(axis), ..request.clone() },
        );
    }
}

/// A target that has room for the operand.
fn other_target(found: &mut Found<'_>) {
    let request = found.request;
    let Some(target) = &request.target else { return };
    let both =
        Request { target: Some(target.clone()), ..Request::new(&onnx::EXPAND, request.shapes.clone()) };
    if let Ok(answer) = both.answer() {
        let target = answer.shape().clone();
        found.offer(
            format!("a target with room for it: --target {target}"),
            Request { target: Some(target), ..request.clone() },
        );
    }
}

/// Axes of extent 1 put into an operand, where the rule aligns by position.
fn new_axes(found: &mut Found<'_>) {
    let request = found.request;
    if request.rule.axes != Need::Never || request.rule.axis != Need::Never {
        return;
    }
    let target = request.target.as_ref().and_then(Shape::rank);
    let most = request.shapes.iter().filter_map(Shape::rank).chain(target).max().unwrap_or(0);
    let mut offered = 0;
    for operand in (0..request.shapes.len()).rev() {
        let dims = found.dims(operand).to_vec();
        // One axis more than all others have makes an outer product of two shapes that clash.
        let ranks =
            if dims.len() < most { dims.len() + 1..=most } else { most + 1..=most + usize::from(most < 3) };
        for map in ranks.flat_map(|rank| increasing(dims.len(), rank).into_iter().map(move |map| (rank, map)))
        {
            let (rank, map) = map;
            if map.first() == Some(&(rank - dims.len())) || dims.is_empty() {
                continue;
            }
            let mut wider = vec![Dim::ONE; rank];
            for (own, &to) in map.iter().enumerate() {
                wider[to] = dims[own].clone();
            }
            let part = |axis: usize| if map.contains(&axis) { ":" } else { "None" };
            let index = (0..rank).map(part).collect::<Vec<_>>().join(", ");
            let wider = Shape::from(wider);
            let what = format!("insert axes: operand {operand} as [{index}], {wider}");
            let shapes = with(&request.shapes, operand, wider);
            if found.offer(what, Request { shapes, ..request.clone() }) {
                offered += 1;
                break;
            }
        }
        if offered == 2 {
            return;
        }
    }
}

fn with(shapes: &[Shape], operand: usize, shape: Shape) -> Vec<Shape> {
    let mut shapes = shapes.to_vec();
    shapes[operand] = shape;
    shapes
}

/// Axes of extent 1 taken away from the front of an operand that has too many.
fn fewer_axes(found: &mut Found<'_>, kind: &Kind) {
    let &Kind::RankTooHigh { operand, rank, limit } = kind else { return };
    let dims = found.dims(operand).to_vec();
    let surplus = rank - limit;
    if surplus <= dims.len() && dims[..surplus].iter().all(Extent::is_one) {
        let shape = Shape::from(&dims[surplus..]);
        let what = format!("drop axes of extent 1: operand {operand} as {shape}");
        let shapes = with(&found.request.shapes, operand, shape);
        found.offer(what, Request { shapes, ..found.request.clone() });
    }
}

/// The orders of axes in which one has moved and the others have kept theirs, then that of all in reverse.
fn orders(rank: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![];
    for from in (0..rank).rev() {
        for to in 0..rank {
            let mut order: Vec<usize> = (0..rank).filter(|&axis| axis != from).collect();
            order.insert(to, from);
            orders.push(order);
        }
    }
    orders.push((0..rank).rev().collect());
    orders
}

/// One operand with its axes in another order.
fn transposed(found: &mut Found<'_>) {
    let request = found.request;
    // The left side of an assignment is what it is.
    let first = usize::from(request.rule == &array_api::IN_PLACE);
    for operand in (first..request.shapes.len()).rev() {
        let dims = found.dims(operand).to_vec();
        for order in orders(dims.len()) {
            let shape = Shape::from_iter(order.iter().map(|&axis| dims[axis].clone()));
            if shape == request.shapes[operand] {
                continue;
            }
            let what = format!("transpose operand {operand} by {} to {shape}", List(&order));
            let shapes = with(&request.shapes, operand, shape);
            let changed = Request { shapes, ..request.clone() };
            let found_one = match lists_of_axes(&changed).into_iter().next() {
                // The list of axes goes with the operand's axes, so it may change with them.
                Some(axes) if axes != request.axes => {
                    let list = axes.as_deref().map_or_else(|| "no axes".to_owned(), option);
                    found.offer(format!("{what}, {list}"), Request { axes, ..changed })
                }
                _ => found.offer(what, changed),
            };
            if found_one {
                break;
            }
        }
    }
}

/// The two operands exchanged, where one must fit into the other.
fn exchanged(found: &mut Found<'_>) {
    let request = found.request;
    if [&array_api::IN_PLACE, &onnx::UNIDIRECTIONAL, &openvino::ELTWISE_PDPD].contains(&request.rule) {
        let shapes: Vec<Shape> = request.shapes.iter().rev().cloned().collect();
        if shapes.len() == 2 && request.index.is_none() {
            found.offer("exchange the operands".to_owned(), Request { shapes, ..request.clone() });
        }
    }
}

/// The same shapes under another rule, one of each dialect.
fn other_rules(found: &mut Found<'_>) {
    let request = found.request;
    // Not offered: rules for another question (one operand keeps its shape, or the target is only the new extents),
    // and rules that add nothing to another.
    let others = [
        &array_api::IN_PLACE,
        &onnx::UNIDIRECTIONAL,
        &ngraph::BROADCAST_LIKE,
        &ngraph::DYN_BROADCAST,
        &xla::BROADCAST,
    ];
    let mut dialects = vec![];
    // Those of the same dialect first.
    let mut rules: Vec<&'static Rule> = rule::ALL.to_vec();
    rules.sort_by_key(|rule| rule.dialect != request.rule.dialect);
    for rule in rules {
        let count_fits = rule.operands.allows(request.shapes.len()) && rule.operands != Count::Exactly(3);
        let same_target = (rule.target == Need::Never) == request.target.is_none();
        let done = rule == request.rule || dialects.contains(&rule.dialect);
        if done || !count_fits || !same_target || others.contains(&rule) {
            continue;
        }
        // What cannot be done in place can be done out of place, in the same dialect.
        if request.rule == &array_api::IN_PLACE && rule != &array_api::JOIN {
            continue;
        }
        if let Some((what, other)) = under_rule(request, rule)
            && found.offer(what, other)
        {
            dialects.push(rule.dialect);
        }
    }
}

/// The request under another rule: with the axes the user gave, or with others that work.
fn under_rule(request: &Request, rule: &'static Rule) -> Option<(String, Request)> {
    let shapes = (0..request.shapes.len()).map(|operand| request.read(operand)).collect();
    let plain = Request { target: request.target.clone(), ..Request::new(rule, shapes) };
    // nGraph lists the axes that the operand does not have, the others those that it has.
    let same_meaning = (rule.dialect == Dialect::NGraph) == (request.rule.dialect == Dialect::NGraph);
    let given = request.axes.clone().filter(|_| same_meaning);
    // A rule that would have to forget where the user laid the operand answers another question.
    let told = request.axes.is_some() || request.axis.is_some();
    if told && rule.axes == Need::Never && (request.axes.is_some() || rule.axis == Need::Never) {
        return None;
    }
    let lists = given
        .into_iter()
        .map(Some)
        .chain([None].into_iter().filter(|_| !told))
        .filter(|_| rule.axes != Need::Never);
    let lists = lists.chain(lists_of_axes(&plain));
    for axes in lists {
        let other = Request { axes: axes.clone(), ..plain.clone() };
        if other.answer().is_ok() {
            let option = axes.map_or(String::new(), |axes| " ".to_owned() + &option(&axes));
            return Some((format!("the rule {}{option}", rule.name), other));
        }
    }
    if rule.axes != Need::Never {
        return None;
    }
    let rank = plain.shapes.iter().chain(&plain.target).filter_map(Shape::rank).max().unwrap_or(0);
    let firsts =
        (0..=rank).filter_map(|axis| i64::try_from(axis).ok()).map(Some).filter(|_| rule.axis != Need::Never);
    for axis in [request.axis.filter(|_| rule.axis != Need::Never)].into_iter().chain(firsts) {
        let other = Request { axis, ..plain.clone() };
        if other.answer().is_ok() {
            let option = axis.map_or(String::new(), |axis| format!(" --axis {axis}"));
            return Some((format!("the rule {}{option}", rule.name), other));
        }
    }
    None
}
