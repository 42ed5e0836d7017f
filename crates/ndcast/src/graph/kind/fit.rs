//! Broadcasting by a dialect's rule, where the extents are known only when the graph runs; and its adjoint.
//!
//! The arguments are the operands, of which one is laid over the result and the others only have shapes, then what the
//! rule takes besides: a target, axes. As soon as the plan is known it is written down as a [`Broadcast`].

use ndcast_shape::rule::{self, Count, Need, Rule, array_api};
use ndcast_shape::{Dim, Extent, Request, Shape, Source};
use smallvec::{SmallVec, smallvec};

use super::{Broadcast, Carries, Inferred, Kind, Operation, Reduce, Settled};
use crate::array::{Array, Keep};
use crate::error::Error;
use crate::graph::Entry;
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::Node;
use crate::reduction::Reduction;

/// See [`Kind::Fit`]. Its arguments: the operands, then the target and the axes if the rule takes them and they are not
/// given here.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The rule.
    pub rule: &'static Rule,
    /// How many of the arguments are operands.
    pub operands: usize,
    /// Which of them is laid over the result.
    pub operand: usize,
    /// The rule's axes, if they are known.
    pub axes: Option<Vec<i64>>,
    /// The axis on which PDPD broadcasting begins.
    pub axis: Option<i64>,
}

impl Fit {
    /// One operand of a rule that takes nothing else.
    pub fn new(rule: &'static Rule, operands: usize, operand: usize) -> Fit {
        Fit { rule, operands, operand, axes: None, axis: None }
    }

    /// One operand joined with others as the Array API joins them.
    pub fn join(operands: usize, operand: usize) -> Fit {
        Fit::new(&array_api::JOIN, operands, operand)
    }

    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Fit, Error> {
        let rule: String = attributes.get("rule")?;
        Ok(Fit {
            rule: rule::find(&rule)?,
            operands: attributes.get("operands")?,
            operand: attributes.get("operand")?,
            axes: attributes.optional_list("axes")?,
            axis: attributes.optional("axis")?,
        })
    }

    pub(crate) fn has_target(&self) -> bool {
        self.rule.target != Need::Never
    }

    /// What is asked of the rule, by shapes and what is known of the target's and the axes' elements; `None` if the
    /// axes are not known.
    fn request(
        &self,
        shapes: Vec<Shape>,
        mut others: impl Iterator<Item = Option<Vec<Entry>>>,
    ) -> Result<Option<Request>, Error> {
        let mut request = Request { axis: self.axis, ..Request::new(self.rule, shapes) };
        if self.has_target() {
            request.target = Some(target(others.next().flatten())?);
        }
        request.axes.clone_from(&self.axes);
        if let (None, Some(axes)) = (&self.axes, others.next()) {
            let integer = |entry: Entry| if let Entry::Int(n) = entry { Some(n) } else { None };
            let Some(axes) = axes.and_then(|axes| axes.into_iter().map(integer).collect()) else {
                return Ok(None);
            };
            request.axes = Some(axes);
        }
        Ok(Some(request))
    }

    /// What is asked of the rule; none if its axes are not known.
    pub(in crate::graph) fn asked(&self, arguments: &[&Node]) -> Result<Option<Request>, Error> {
        let shapes = arguments[..self.operands].iter().map(|argument| argument.shape.clone()).collect();
        let others = arguments[self.operands..].iter().enumerate();
        self.request(
            shapes,
            others.map(|(place, node)| {
                if place == 0 && self.has_target() {
                    vector(node)
                } else {
                    node.entries().map(<[Entry]>::to_vec)
                }
            }),
        )
    }

    /// The least and the most arguments there are.
    fn takes(&self, first: usize) -> Count {
        // A text may say any number of operands.
        let least = first.saturating_add(self.operands).saturating_add(usize::from(self.has_target()));
        if self.rule.axes != Need::Never && self.axes.is_none() {
            Count::AtLeast(least)
        } else {
            Count::Exactly(least)
        }
    }

    /// The shape of the result.
    fn shape(&self, arguments: &[&Node]) -> Result<Shape, Error> {
        if self.operand >= self.operands {
            return Err(Error::value(format!("there is no operand {} of {}", self.operand, self.operands)));
        }
        for node in &arguments[self.operands..] {
            if node.shape.rank().is_some_and(|rank| rank != 1) {
                return Err(Error::value(format!(
                    "a target and axes are arrays of one axis, and one has shape {}",
                    node.shape.brief()
                )));
            }
        }
        match self.asked(arguments)? {
            Some(request) => Ok(request.answer()?.shape().clone()),
            // Without the axes nothing is known but the target, if there is one.
            None if self.has_target() => target(vector(arguments[self.operands])),
            None => Ok(Shape::UNRANKED),
        }
    }

    /// How the operand lies, if the plan says all of it in numbers.
    fn laid(&self, arguments: &[&Node]) -> Result<Option<Broadcast>, Error> {
        // A target that is not all known may turn out to be one that the operand does not fit.
        if self.operand >= self.operands || !self.target_is_known(arguments) {
            return Ok(None);
        }
        let Some(request) = self.asked(arguments)? else { return Ok(None) };
        let answer = request.answer()?;
        let Some(own) = arguments[self.operand].dims() else { return Ok(None) };
        Ok(answer.plan().and_then(|plan| Broadcast::of_plan(plan, self.operand, own)))
    }

    /// For each operand and each axis of the result the operand's axis that lies there, if the ranks say as much.
    pub(crate) fn places(&self, arguments: &[&Node]) -> Result<Option<Vec<Vec<Option<usize>>>>, Error> {
        let Some(request) = self.asked(arguments)? else { return Ok(None) };
        let answer = request.answer()?;
        let axes = |sources: &[Source]| sources.iter().map(|source| source.axis()).collect();
        Ok(answer.plan().map(|plan| plan.operands().map(axes).collect()))
    }

    fn target_is_known(&self, arguments: &[&Node]) -> bool {
        !self.has_target() || arguments[self.operands].integers().is_some()
    }

    /// How the operand lies over the result, now that all is there.
    fn bound(&self, arguments: &[Array]) -> Result<Broadcast, Error> {
        let mut shapes = Vec::with_capacity(self.operands);
        for operand in &arguments[..self.operands] {
            shapes.push(Shape::from(operand.shape()?));
        }
        let mut others = Vec::new();
        for array in &arguments[self.operands..] {
            others.push(Some(integers(array)?.into_iter().map(Entry::Int).collect()));
        }
        let request = self.request(shapes, others.into_iter())?;
        let request = request.ok_or_else(|| Error::value("the rule's axes are missing".to_owned()))?;
        let answer = request.answer()?;
        let own: Vec<Dim> = arguments[self.operand].shape()?.iter().copied().map(Dim::Known).collect();
        let laid = answer.plan().and_then(|plan| Broadcast::of_plan(plan, self.operand, &own));
        laid.ok_or_else(|| Error::value("the shapes say too little of the result".to_owned()))
    }

    fn written(&self, to: &mut Writer) {
        to.put("rule", self.rule.name);
        to.put("operands", self.operands);
        to.put("operand", self.operand);
        if let Some(axes) = &self.axes {
            to.list("axes", axes);
        }
        if let Some(axis) = self.axis {
            to.put("axis", axis);
        }
    }
}

/// A target of more axes than this is no shape.
const MOST_AXES: usize = 1024;

/// The integers of an array that says a shape, axes or places.
pub(super) fn integers(array: &Array) -> Result<Vec<i64>, Error> {
    array.convert(crate::dtype::DType::I64).to_vec::<i64>()
}

/// What is known of the elements of an array of one axis, at least how many there are.
pub(super) fn vector(node: &Node) -> Option<Vec<Entry>> {
    if let Some(entries) = node.entries() {
        return Some(entries.to_vec());
    }
    let extent = node.dims()?.first()?.known()?;
    (extent <= MOST_AXES).then(|| vec![Entry::Unknown; extent])
}

/// The target shape of these extents.
pub(super) fn target(entries: Option<Vec<Entry>>) -> Result<Shape, Error> {
    let Some(entries) = entries else { return Ok(Shape::UNRANKED) };
    let extent = |entry: &Entry| {
        entry
            .dim()
            .ok_or_else(|| Error::value(format!("the target has the extent {entry}, and none is negative")))
    };
    entries.iter().map(extent).collect::<Result<Vec<Dim>, Error>>().map(Shape::from)
}

impl Operation for Fit {
    fn count(&self) -> Count {
        self.takes(0)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let shape = self.shape(arguments)?;
        Ok(Inferred { dtype: arguments[self.operand].dtype, shape })
    }

    fn settled(&self, arguments: &[&Node]) -> Result<Option<Settled>, Error> {
        let settled = |laid: Broadcast| Settled {
            // What lies as it is stays what it was.
            kinds: if laid.is_identity() { smallvec![] } else { smallvec![laid.into()] },
            arguments: smallvec![self.operand],
        };
        Ok(self.laid(arguments)?.map(settled))
    }

    fn run(&self, arguments: &[Array]) -> Array {
        match self.bound(arguments) {
            Ok(laid) => laid.run(&arguments[self.operand..=self.operand]),
            Err(error) => Err(error.of("fit")).into(),
        }
    }

    fn carries(&self) -> Carries {
        Carries::Elements(self.operand..self.operand + 1)
    }

    fn write(&self, to: &mut Writer) {
        self.written(to);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let mut arguments = smallvec![back.d()];
        arguments.extend(back.arguments());
        let d = back.add_all(Unfit(self.clone()), &arguments)?;
        Ok(back.only(self.operand, d))
    }
}

/// See [`Kind::Unfit`]. Its arguments: what lies over the result of the [`Fit`], then that one's own arguments.
#[derive(Clone, Debug)]
pub struct Unfit(pub Fit);

impl Unfit {
    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Unfit, Error> {
        Fit::read(attributes).map(Unfit)
    }
}

/// What sums over the repeated axes of a result, step by step.
fn folds(laid: &Broadcast) -> SmallVec<[Kind; 2]> {
    let mut kinds: SmallVec<[Kind; 2]> = SmallVec::new();
    let repeated = laid.repeated();
    if !repeated.is_empty() {
        kinds.push(Reduce { reduction: Reduction::Sum, axes: repeated, keep: Keep::Nothing }.into());
    }
    let back = laid.folded_back();
    if !back.is_identity() || kinds.is_empty() {
        kinds.push(back.into());
    }
    kinds
}

impl Operation for Unfit {
    fn count(&self) -> Count {
        self.0.takes(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        // That the rule broadcasts is checked; the result is the operand's shape.
        self.0.shape(&arguments[1..])?;
        Ok(Inferred { dtype: arguments[0].dtype, shape: arguments[1 + self.0.operand].shape.clone() })
    }

    fn settled(&self, arguments: &[&Node]) -> Result<Option<Settled>, Error> {
        let settled = |laid: Broadcast| Settled { kinds: folds(&laid), arguments: smallvec![0] };
        Ok(self.0.laid(&arguments[1..])?.map(settled))
    }

    fn run(&self, arguments: &[Array]) -> Array {
        match self.0.bound(&arguments[1..]) {
            Ok(laid) => folds(&laid).iter().fold(arguments[0].clone(), |d, kind| kind.operation().run(&[d])),
            Err(error) => Err(error.of("unfit")).into(),
        }
    }

    fn write(&self, to: &mut Writer) {
        self.0.written(to);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        // d has the operand's shape, and is laid over the result as the operand is.
        let mut arguments = back.arguments();
        arguments.remove(0);
        arguments[self.0.operand] = back.d();
        let d = back.add_all(self.0.clone(), &arguments)?;
        Ok(back.only(0, d))
    }
}
