//! Broadcasting, written down: for each axis of the result what of the operand lies there. All rules of all dialects end
//! in this one form, which knows none of them.

use std::fmt;
use std::str::FromStr;

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, Extent, Plan, Shape, Source};

use super::{Carries, Inferred, Operation, Reduce};
use crate::array::{Array, Keep};
use crate::error::Error;
use crate::graph::attributes::{Attributes, Writer};
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::Node;
use crate::reduction::Reduction;

/// Where one axis of the result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lay {
    /// The operand's axis: printed as its number.
    Axis(usize),
    /// The operand's axis of extent 1, stretched to this extent: `1:5`.
    Stretched(usize, usize),
    /// A new axis of this extent, along which it is repeated: `:5`.
    New(usize),
}

impl Lay {
    /// The operand's axis, if there is one.
    pub fn axis(self) -> Option<usize> {
        match self {
            Lay::Axis(axis) | Lay::Stretched(axis, _) => Some(axis),
            Lay::New(_) => None,
        }
    }
}

impl fmt::Display for Lay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lay::Axis(axis) => write!(f, "{axis}"),
            Lay::Stretched(axis, extent) => write!(f, "{axis}:{extent}"),
            Lay::New(extent) => write!(f, ":{extent}"),
        }
    }
}

impl FromStr for Lay {
    type Err = Error;

    fn from_str(text: &str) -> Result<Lay, Error> {
        let number = |text: &str| {
            text.parse::<usize>().map_err(|_| Error::value(format!("`{text}` is no axis and no extent")))
        };
        match text.split_once(':') {
            None => number(text).map(Lay::Axis),
            Some(("", extent)) => number(extent).map(Lay::New),
            Some((axis, extent)) => Ok(Lay::Stretched(number(axis)?, number(extent)?)),
        }
    }
}

/// See [`Kind::Broadcast`](super::Kind::Broadcast). Each axis of the operand lies on exactly one of the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Broadcast {
    /// For each axis of the result.
    pub axes: Vec<Lay>,
}

impl Broadcast {
    /// Laid so.
    pub fn new(axes: impl IntoIterator<Item = Lay>) -> Broadcast {
        Broadcast { axes: axes.into_iter().collect() }
    }

    /// One number over a shape.
    pub fn scalar(extents: &[usize]) -> Broadcast {
        Broadcast::new(extents.iter().map(|&extent| Lay::New(extent)))
    }

    /// How an operand of these extents lies in a plan, if that is known in numbers. Where the plan says more of an extent
    /// than the operand does, that must still turn out to be so.
    pub(crate) fn of_plan(plan: &Plan<Dim>, operand: usize, own: &[Dim]) -> Option<Broadcast> {
        let lay = |(extent, source): (&Dim, &Source)| match *source {
            Source::Axis(axis) => (own.get(axis) == Some(extent)).then_some(Lay::Axis(axis)),
            Source::Stretched(axis) => extent.known().map(|extent| Lay::Stretched(axis, extent)),
            Source::New => extent.known().map(Lay::New),
            Source::Undecided(_) => None,
        };
        let axes = plan.shape().iter().zip(plan.operand(operand)).map(lay).collect::<Option<Vec<_>>>()?;
        Some(Broadcast { axes })
    }

    pub(super) fn read(attributes: &mut Attributes<'_>) -> Result<Broadcast, Error> {
        Ok(Broadcast { axes: attributes.list("axes")? })
    }

    /// Whether the operand stays as it is.
    pub(crate) fn is_identity(&self) -> bool {
        self.axes.iter().enumerate().all(|(place, &lay)| lay == Lay::Axis(place))
    }

    /// This after another: the two as one.
    pub(crate) fn after(&self, first: &Broadcast) -> Broadcast {
        Broadcast::new(self.axes.iter().map(|lay| match *lay {
            Lay::New(extent) => Lay::New(extent),
            Lay::Axis(axis) => first.axes[axis],
            Lay::Stretched(axis, extent) => match first.axes[axis] {
                Lay::Axis(own) | Lay::Stretched(own, _) => Lay::Stretched(own, extent),
                Lay::New(_) => Lay::New(extent),
            },
        }))
    }

    /// The axes of the result along which the operand is repeated.
    pub(crate) fn repeated(&self) -> Vec<usize> {
        (0..self.axes.len()).filter(|&place| !matches!(self.axes[place], Lay::Axis(_))).collect()
    }

    /// The rank of the operand.
    pub(crate) fn operand_rank(&self) -> usize {
        self.axes.iter().filter(|lay| lay.axis().is_some()).count()
    }

    /// How the sum over what is repeated becomes the operand's shape again: its axes in order, those of extent 1 new.
    pub(crate) fn folded_back(&self) -> Broadcast {
        let walked: Vec<usize> = self
            .axes
            .iter()
            .filter_map(|lay| if let Lay::Axis(axis) = lay { Some(*axis) } else { None })
            .collect();
        Broadcast::new(
            (0..self.operand_rank())
                .map(|own| walked.iter().position(|&axis| axis == own).map_or(Lay::New(1), Lay::Axis)),
        )
    }
}

impl Operation for Broadcast {
    fn count(&self) -> Count {
        Count::Exactly(1)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let rank = self.operand_rank();
        let mut own: Vec<usize> = self.axes.iter().filter_map(|lay| lay.axis()).collect();
        own.sort_unstable();
        let found = arguments[0].shape.rank();
        if own.iter().enumerate().any(|(place, &axis)| place != axis)
            || found.is_some_and(|found| found != rank)
        {
            let text = format!(
                "each axis of an operand of shape {} must lie on one axis of the result, and the axes are [{}]",
                arguments[0].shape.brief(),
                self.axes.iter().map(Lay::to_string).collect::<Vec<_>>().join(", ")
            );
            return Err(Error::value(text));
        }
        let unranked;
        let dims = match arguments[0].dims() {
            Some(dims) => dims,
            None => {
                unranked = vec![Dim::UNKNOWN; rank];
                &unranked
            }
        };
        let extent = |lay: &Lay| match *lay {
            Lay::Axis(axis) => Ok(dims[axis].clone()),
            Lay::New(extent) => Ok(Dim::Known(extent)),
            Lay::Stretched(axis, extent) if dims[axis].may_be_one() => Ok(Dim::Known(extent)),
            Lay::Stretched(axis, extent) => Err(Error::value(format!(
                "axis {axis} of the operand has extent {}, and only 1 is stretched to {extent}",
                dims[axis]
            ))),
        };
        let shape = self.axes.iter().map(extent).collect::<Result<Vec<Dim>, Error>>()?;
        Ok(Inferred { dtype: arguments[0].dtype, shape: shape.into() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        let operand = &arguments[0];
        let Ok(own) = operand.shape() else { return operand.clone() };
        let stays = |lay: &Lay| match *lay {
            Lay::Stretched(axis, _) => own.get(axis) == Some(&1),
            Lay::Axis(axis) => axis < own.len(),
            Lay::New(_) => true,
        };
        if !self.axes.iter().all(stays) || own.len() != self.operand_rank() {
            let shape = Shape::from(own);
            return Err(Error::value(format!("an operand of shape {} does not lie so", shape.brief()))
                .of("broadcast"))
            .into();
        }
        let extent = |lay: &Lay| match *lay {
            Lay::Axis(axis) => own[axis],
            Lay::New(extent) | Lay::Stretched(_, extent) => extent,
        };
        let walked = |lay: &Lay| if let Lay::Axis(axis) = lay { Some(*axis) } else { None };
        operand.laid(self.axes.iter().map(extent).collect(), self.axes.iter().map(walked).collect())
    }

    fn carries(&self) -> Carries {
        Carries::Elements(0..1)
    }

    fn write(&self, to: &mut Writer) {
        to.list("axes", &self.axes);
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let mut d = back.d();
        let repeated = self.repeated();
        if !repeated.is_empty() {
            let sum = Reduce { reduction: Reduction::Sum, axes: repeated, keep: Keep::Nothing };
            d = back.add(sum, &[d])?;
        }
        let laid = self.folded_back();
        if !laid.is_identity() {
            d = back.add(laid, &[d])?;
        }
        Ok(back.only(0, d))
    }
}
