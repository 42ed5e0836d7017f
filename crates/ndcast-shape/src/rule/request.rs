//! A question in any dialect, as it arrives from a user: a rule and its arguments, checked and answered.

use super::call::Call;
use super::selection::select;
use super::{Need, Rule};
use crate::error::{About, Error, Kind};
use crate::extent::Dim;
use crate::index::Index;
use crate::plan::Plan;
use crate::shape::Shape;

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

    /// The request that has this error instead of an answer, to be explained; none if there is no rule of the name.
    ///
    /// ```
    /// use ndcast_shape::{Request, rule::onnx};
    /// let request = Request::new(&onnx::MULTIDIRECTIONAL, vec!["2x3".parse()?, "4".parse()?]);
    /// assert_eq!(Request::refused(&request.answer().unwrap_err()), Some(request));
    /// # Ok::<(), ndcast_shape::Error>(())
    /// ```
    pub fn refused(error: &Error) -> Option<Request> {
        let About { rule, shapes, target, axes, axis, index, .. } = error.about().clone();
        Some(Request { rule: super::find(rule?).ok()?, shapes, target, axes, axis, index })
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
        let selected = |index: &Vec<Index>| select(shape.dims()?, index).ok().map(Shape::from);
        self.index.as_ref().filter(|_| operand == 0).and_then(selected).unwrap_or_else(|| shape.clone())
    }

    fn check_arguments(&self) -> Result<(), Kind> {
        let rule = self.rule;
        if !rule.operands.allows(self.shapes.len()) {
            let (least, most) = rule.operands.range();
            return Err(Kind::OperandCount { least, most, found: self.shapes.len() });
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
            rule: Some(self.rule.name),
            shapes: self.shapes.clone(),
            target: self.target.clone(),
            axes: self.axes.clone(),
            axis: self.axis,
            index: self.index.clone(),
            selected: self.index.as_ref().and_then(|_| self.shapes.first().map(|_| self.read(0))),
        };
        Error::new(kind, about)
    }
}
