//! A question in any dialect, as it arrives from a user: a rule and its arguments, checked and answered.

use crate::Alignment;
use crate::error::{About, Error, Kind};
use crate::extent::{Dim, Extent};
use crate::index::{Index, indexed};
use crate::plan::Plan;
use crate::rule::{Need, Rule};
use crate::shape::Shape;
use crate::unify::{Clash, Laid, Mismatch, Party, Stretch};

/// A rule and what it is asked to broadcast. Which of the optional arguments a rule takes is in its record.
///
/// ```
/// use ndcast_shape::{Request, rule::openvino};
/// let shapes = vec!["16".parse()?];
/// let target = Some("1x16x50x50".parse()?);
/// let request = Request { target, axes: Some(vec![1]), ..Request::new(&openvino::BROADCAST_EXPLICIT, shapes) };
/// let answer = request.answer()?;
/// assert_eq!(answer.shape().to_string(), "1x16x50x50");
/// assert_eq!(answer.plan().unwrap().broadcast_axes(0), [0, 2, 3]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The rule.
    pub rule: &'static Rule,
    /// The operands' shapes.
    pub shapes: Vec<Shape>,
    /// The target shape; for `xla.broadcast` the extents put in front.
    pub target: Option<Shape>,
    /// The rule's list of axes: axes_mapping, broadcast_axes, broadcast_dimensions.
    pub axes: Option<Vec<i64>>,
    /// The axis on which PDPD broadcasting begins.
    pub axis: Option<i64>,
    /// The index applied to the left side before an assignment.
    pub index: Option<Vec<Index>>,
}

/// What a rule makes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    shape: Shape,
    plan: Option<Plan<Dim>>,
}

impl Answer {
    /// An answer that knows no more than the result's shape, and perhaps not even that.
    pub(crate) fn of_shape(shape: Shape) -> Answer {
        Answer { shape, plan: None }
    }

    /// The shape of the result.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How the operands are read; `None` if too little is known: a rank, or nGraph's axes.
    pub fn plan(&self) -> Option<&Plan<Dim>> {
        self.plan.as_ref()
    }
}

impl From<Plan<Dim>> for Answer {
    fn from(plan: Plan<Dim>) -> Answer {
        Answer { shape: plan.shape().into(), plan: Some(plan) }
    }
}

impl Request {
    /// A request without optional arguments.
    pub fn new(rule: &'static Rule, shapes: Vec<Shape>) -> Request {
        Request { rule, shapes, target: None, axes: None, axis: None, index: None }
    }

    /// What the rule says.
    ///
    /// # Errors
    /// If the rule does not broadcast these shapes, or does not take such arguments.
    pub fn answer(&self) -> Result<Answer, Error> {
        self.check_arguments().map_err(|kind| self.error(kind))?;
        let operands: Option<Vec<&[Dim]>> = self.shapes.iter().map(Shape::dims).collect();
        let target = self.target.as_ref().map(Shape::dims);
        match (operands, target) {
            (Some(operands), None | Some(Some(_))) => (self.rule.answer)(&Call {
                rule: self.rule,
                operands: &operands,
                target: target.flatten(),
                axes: self.axes.as_deref(),
                axis: self.axis,
                index: self.index.as_deref(),
            }),
            _ => (self.rule.unranked)(self).map(Answer::of_shape),
        }
    }

    /// The shape of one operand as the plan reads it: of an indexed left side, what the index selects.
    pub(crate) fn read(&self, operand: usize) -> Shape {
        let shape = &self.shapes[operand];
        let selected = |index: &Vec<Index>| indexed(shape.dims()?, index).ok().map(Shape::from);
        self.index.as_ref().filter(|_| operand == 0).and_then(selected).unwrap_or_else(|| shape.clone())
    }

    fn check_arguments(&self) -> Result<(), Kind> {
        let rule = self.rule;
        if !rule.operands.allows(self.shapes.len()) {
            return Err(Kind::OperandCount { expected: rule.operands, found: self.shapes.len() });
        }
        match (rule.target, &self.target) {
            (Need::Required, None) => return Err(Kind::TargetMissing),
            (Need::Never, Some(_)) => return Err(Kind::TargetUnexpected),
            _ => {}
        }
        match (rule.axes, &self.axes) {
            (Need::Required, None) => return Err(Kind::AxesMissing),
            (Need::Never, Some(_)) => return Err(Kind::AxesUnexpected),
            _ => {}
        }
        if rule.axis == Need::Never && self.axis.is_some() {
            return Err(Kind::AxisUnexpected);
        }
        if rule.index == Need::Never && self.index.is_some() {
            return Err(Kind::IndexUnexpected);
        }
        Ok(())
    }

    pub(crate) fn error(&self, kind: Kind) -> Error {
        let about = About {
            rule: Some(self.rule),
            shapes: self.shapes.clone(),
            target: self.target.clone(),
            axes: self.axes.clone(),
            axis: self.axis,
            index: self.index.clone(),
        };
        Error::new(kind, about)
    }
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

/// The arguments of a rule, borrowed: what a rule's function works on, and what its errors show.
pub(crate) struct Call<'a, E> {
    pub(crate) rule: &'static Rule,
    pub(crate) operands: &'a [&'a [E]],
    pub(crate) target: Option<&'a [E]>,
    pub(crate) axes: Option<&'a [i64]>,
    pub(crate) axis: Option<i64>,
    pub(crate) index: Option<&'a [Index]>,
}

/// Which of several clashing axes a dialect reports.
#[derive(Clone, Copy)]
pub(crate) enum Report {
    /// The first of the result.
    First,
    /// The last of the result.
    Last,
    /// The one of the first operand's first axis.
    FirstOfOperand,
}

impl<'a, E: Extent> Call<'a, E> {
    pub(crate) fn new(rule: &'static Rule, operands: &'a [&'a [E]]) -> Call<'a, E> {
        Call { rule, operands, target: None, axes: None, axis: None, index: None }
    }

    /// The target; the rule's record requires one.
    pub(crate) fn target(&self) -> &'a [E] {
        self.target.unwrap_or(&[])
    }

    /// The list of axes, empty if it was left out.
    pub(crate) fn axes(&self) -> &'a [i64] {
        self.axes.unwrap_or(&[])
    }

    /// One operand, laid.
    pub(crate) fn lay(&self, operand: usize, alignment: Alignment, stretch: Stretch) -> Laid<'a, E> {
        Laid { party: Party::Operand(operand), extents: self.operands[operand], alignment, stretch }
    }

    /// One operand, laid with its last axis on the result's last.
    pub(crate) fn lay_right(
        &self,
        operand: usize,
        rank: usize,
        stretch: Stretch,
    ) -> Result<Laid<'a, E>, Error> {
        let own = self.operands[operand].len();
        let too_high = || self.error(Kind::RankTooHigh { operand, rank: own, limit: rank });
        Ok(self.lay(operand, Alignment::right(own, rank).ok_or_else(too_high)?, stretch))
    }

    /// The target, laid with its last axis on the result's last, which must have room for it.
    pub(crate) fn lay_target(&self, rank: usize, stretch: Stretch) -> Laid<'a, E> {
        let extents = self.target();
        Laid { party: Party::Target, extents, alignment: Alignment::At(rank - extents.len()), stretch }
    }

    pub(crate) fn error(&self, kind: Kind) -> Error {
        let about = About {
            rule: Some(self.rule),
            shapes: self.operands.iter().map(|&operand| Shape::from(operand)).collect(),
            target: self.target.map(Shape::from),
            axes: self.axes.map(<[i64]>::to_vec),
            axis: self.axis,
            index: self.index.map(<[Index]>::to_vec),
        };
        Error::new(kind, about)
    }

    /// The error of axes that clash.
    pub(crate) fn mismatch(&self, mismatch: Mismatch, report: Report) -> Error {
        let Mismatch { clashes, layout } = mismatch;
        let own_axis =
            |clash: &Clash| clash.found.iter().find(|f| f.party == Party::Operand(0)).map(|f| f.axis);
        let first = match report {
            Report::First => 0,
            Report::Last => clashes.len() - 1,
            Report::FirstOfOperand => (0..clashes.len()).min_by_key(|&c| own_axis(&clashes[c])).unwrap_or(0),
        };
        self.error(Kind::ExtentMismatch { clashes, first, layout })
    }
}
