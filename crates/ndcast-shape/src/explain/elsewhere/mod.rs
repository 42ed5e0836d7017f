//! The same broadcast in every other dialect: what to write there, or why it cannot be said.
//!
//! Everything is read from the plan. The operands are called a, b, c, ...; `Add` stands for any elementwise
//! operation. Where a dialect's own implicit rule is offered (PDPD, XLA's binary operations), the rule was
//! asked and gave the same plan.

mod frameworks;
mod xla;

use std::fmt::Display;

use super::{Element, Role, Style, is_small, wrap};
use crate::extent::{Dim, Extent};
use crate::plan::{Plan, Source};
use crate::rule::{Dialect, Request, Rule, array_api, hlo, ngraph, stablehlo};
use crate::shape::Shape;

/// One dialect's way to say a broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The dialect.
    pub dialect: Dialect,
    /// What to write, line by line; or why it cannot be written.
    pub lines: Result<Vec<String>, String>,
}

impl Translation {
    pub(super) fn text(&self, style: &Style) -> String {
        let lines = match &self.lines {
            Ok(lines) => lines.clone(),
            Err(reason) => vec![format!("cannot: {reason}")],
        };
        let room = style.width.saturating_sub(LABEL + 4);
        let mut text = String::new();
        for (number, line) in lines.iter().enumerate() {
            // A line may break at any space: none of these languages minds.
            let line = wrap(line, room);
            for (part, line) in line.lines().enumerate() {
                let label = if number + part == 0 { self.dialect.name() } else { "" };
                let indent = if part == 0 { "" } else { "    " };
                let role = if self.lines.is_ok() { Role::Plain } else { Role::Quiet };
                let line = style.paint.on(role, &format!("{indent}{line}"));
                text.push_str(&format!("  {label:<width$}{line}\n", width = LABEL - 2));
            }
        }
        text
    }
}

/// The columns before what is written.
const LABEL: usize = 13;

/// What operand number `operand` is called.
pub(super) fn name(operand: usize) -> String {
    let letter = u8::try_from(operand).ok().filter(|&n| n < 26).map(|n| char::from(b'a' + n));
    letter.map_or_else(|| format!("x{operand}"), String::from)
}

/// One operand, and what the plan does with it.
struct Operand<'a> {
    name: String,
    dims: &'a [Dim],
    sources: &'a [Source],
    /// Its own axes in the order of the result's.
    order: Vec<usize>,
}

impl Operand<'_> {
    fn is_as_it_is(&self) -> bool {
        self.sources.iter().enumerate().all(|(axis, source)| *source == Source::Axis(axis))
    }

    fn is_in_order(&self) -> bool {
        self.order.iter().enumerate().all(|(i, &own)| i == own)
    }

    /// The axes of the result that it does not have.
    fn new_axes(&self) -> Vec<usize> {
        (0..self.sources.len()).filter(|&axis| self.sources[axis] == Source::New).collect()
    }

    /// Whether its last axis lies on the result's last, and so on.
    fn is_right_aligned(&self) -> bool {
        self.sources.iter().skip(self.sources.len() - self.dims.len()).all(|source| *source != Source::New)
    }

    /// For each of its own axes, the result's axis it lies on.
    fn map(&self) -> Vec<usize> {
        let mut map = vec![0; self.dims.len()];
        for (axis, source) in self.sources.iter().enumerate() {
            if let Some(own) = source.axis() {
                map[own] = axis;
            }
        }
        map
    }

    /// Its own axes that walk, which is what is left once those of extent 1 are dropped.
    fn walking(&self) -> Vec<usize> {
        let stretched: Vec<usize> = self
            .sources
            .iter()
            .filter_map(|source| if let Source::Stretched(own) = source { Some(*own) } else { None })
            .collect();
        (0..self.dims.len()).filter(|own| !stretched.contains(own)).collect()
    }

    /// Which axis is only known at run time to walk or to stretch.
    fn undecided(&self) -> Option<String> {
        let axis = self.sources.iter().position(|source| matches!(source, Source::Undecided(_)))?;
        let own = self.sources[axis].axis()?;
        Some(format!("whether axis {own} of {} stretches is known only at run time", self.name))
    }
}

/// The same broadcast in each dialect but the request's own.
///
/// Where a rule only lays one operand on another (an assignment, BroadcastLike), that is what is said. There is no
/// answer if the request does not broadcast, if too little is known, or if there are many operands or axes.
///
/// ```
/// use ndcast_shape::{Request, explain::{Element, elsewhere}, rule::openvino};
/// let target = Some("1x16x50x50".parse()?);
/// let request = Request { target, axes: Some(vec![1]), ..Request::new(&openvino::BROADCAST_EXPLICIT, vec!["16".parse()?]) };
/// let all = elsewhere(&request, &Element::F32);
/// assert_eq!(all[0].lines, Ok(vec!["np.broadcast_to(a[None, :, None, None], (1, 16, 50, 50))".to_owned()]));
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
pub fn elsewhere(request: &Request, element: &Element) -> Vec<Translation> {
    let Ok(answer) = request.answer() else { return vec![] };
    let Some(plan) = answer.plan() else { return vec![] };
    let shapes: Vec<Shape> = (0..plan.operand_count()).map(|operand| request.read(operand)).collect();
    if shapes.is_empty() || !is_small(&shapes) || !is_small(&[answer.shape().clone()]) {
        return vec![];
    }
    let of = |operand: usize| {
        let sources = plan.operand(operand);
        Operand {
            name: name(operand),
            dims: shapes[operand].dims().unwrap_or(&[]),
            sources,
            order: sources.iter().filter_map(|source| source.axis()).collect(),
        }
    };
    let operands: Vec<Operand<'_>> = match broadcast_operand(request) {
        Some(operand) => vec![of(operand)],
        None => (0..shapes.len()).map(of).collect(),
    };
    let wanted = Wanted { rule: request.rule, plan, shape: plan.shape(), operands: &operands, element };
    let own =
        |dialect: Dialect| dialect == request.rule.dialect && request.rule != &stablehlo::CHLO_BROADCAST;
    let others = Dialect::ALL.into_iter().filter(|&dialect| !own(dialect));
    others.map(|dialect| Translation { dialect, lines: wanted.in_dialect(dialect) }).collect()
}

/// The one operand that is broadcast, where the other only gives the shape.
pub(super) fn broadcast_operand(request: &Request) -> Option<usize> {
    match request.rule {
        rule if rule == &array_api::IN_PLACE => Some(1),
        rule if rule == &ngraph::BROADCAST_LIKE => Some(0),
        _ => None,
    }
}

struct Wanted<'a> {
    rule: &'static Rule,
    plan: &'a Plan<Dim>,
    shape: &'a [Dim],
    operands: &'a [Operand<'a>],
    element: &'a Element,
}

type Lines = Result<Vec<String>, String>;

/// What is done with the operands once they are broadcast.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    /// Anything elementwise; Add stands for it.
    Any,
    Select,
    Clamp,
}

impl Wanted<'_> {
    fn in_dialect(&self, dialect: Dialect) -> Lines {
        if self.operands.iter().all(Operand::is_as_it_is) {
            return Ok(vec!["nothing to write".to_owned()]);
        }
        match dialect {
            Dialect::ArrayApi => self.numpy(),
            Dialect::Onnx => Ok(self.onnx()),
            Dialect::OpenVino => Ok(self.openvino()),
            Dialect::NGraph => self.ngraph(),
            Dialect::Xla => self.xla(),
            Dialect::Hlo => self.hlo(),
            Dialect::StableHlo => self.stablehlo(),
        }
    }

    fn operation(&self) -> Operation {
        match self.rule {
            rule if rule == &hlo::SELECT => Operation::Select,
            rule if rule == &hlo::CLAMP => Operation::Clamp,
            _ => Operation::Any,
        }
    }

    /// Whether the operands alone do not give the shape, so it must be named.
    fn needs_target(&self) -> bool {
        let walked = |axis: usize| {
            self.operands.iter().any(|o| matches!(o.sources[axis], Source::Axis(_) | Source::Undecided(_)))
        };
        (0..self.shape.len()).any(|axis| !walked(axis)) || self.operands.len() == 1
    }

    /// Whether every extent is a number.
    fn numbers(&self, what: &str) -> Result<(), String> {
        match self.shape.iter().position(|dim| dim.known().is_none()) {
            None => Ok(()),
            Some(axis) => Err(format!("{what} needs every extent, and axis {axis} is {}", self.shape[axis])),
        }
    }

    /// Whether every extent is a number or has a bound.
    fn sizes(&self, what: &str) -> Result<(), String> {
        match self.shape.iter().position(|dim| dim.known().is_none() && dim.bound().is_none()) {
            None => Ok(()),
            Some(axis) => Err(format!("{what} needs every extent, and axis {axis} is {}", self.shape[axis])),
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "the plan is asked for only to be compared")]
    fn is_same(&self, plan: Plan<Dim>) -> bool {
        plan.operands().eq(self.plan.operands())
    }

    /// A line for each operand that is broadcast, all of whose axes must be decided.
    fn each(&self, line: impl Fn(&Operand<'_>) -> String) -> Lines {
        let broadcast = self.operands.iter().filter(|o| !o.is_as_it_is());
        broadcast.map(|o| o.undecided().map_or_else(|| Ok(line(o)), Err)).collect()
    }
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
