//! Why a request has no answer: one error, which holds the facts.
//!
//! A [`Kind`] holds numbers, never sentences; the sentences are made when the error is displayed. Machines
//! read [`Kind::name`], which is stable, and [`Error::facts`].

use std::fmt;

use crate::extent::Dim;
use crate::index::Index;
use crate::shape::{List, Shape};
use crate::unify::Clash;

mod kind;
mod message;

pub use kind::{Kind, Ranks};

/// What a rule says of operands that it does not broadcast, or what is wrong with the question.
///
/// ```
/// use ndcast_shape::rule::array_api;
/// let error = array_api::join(&[&[15, 3, 5][..], &[15, 3]]).unwrap_err();
/// assert_eq!(error.kind().name(), "extent-mismatch");
/// assert_eq!(
///     error.to_string(),
///     "array-api: 15x3x5 and 15x3 do not broadcast: on axis 2 of the result, axis 2 of operand 0 is 5 and \
///      axis 1 of operand 1 is 3; they must be equal, or one of them 1"
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    about: About,
}

/// What was asked: the rule and its arguments, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) rule: Option<&'static str>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) target: Option<Shape>,
    pub(crate) axes: Option<Vec<i64>>,
    pub(crate) axis: Option<i64>,
    pub(crate) index: Option<Vec<Index>>,
    /// What the index selects, if it does.
    pub(crate) selected: Option<Shape>,
}

/// One fact of an error, for machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A number.
    Number(i64),
    /// Numbers.
    Numbers(Vec<i64>),
    /// An extent.
    Extent(Dim),
    /// A shape.
    Shape(Shape),
    /// Shapes.
    Shapes(Vec<Shape>),
    /// A text.
    Text(String),
    /// Texts.
    Texts(Vec<String>),
    /// What lies on one axis of the result.
    Clash(Clash),
}

impl Error {
    pub(crate) fn new(kind: Kind, about: About) -> Error {
        Error(Box::new(Inner { kind, about }))
    }

    /// An error of which no more is known than its kind.
    pub(crate) fn of(kind: Kind) -> Error {
        Error::new(kind, About::default())
    }

    /// What is wrong.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The name of the rule that was asked, if there is one of the name.
    pub fn rule(&self) -> Option<&'static str> {
        self.0.about.rule
    }

    /// The operands' shapes, as they were given.
    pub fn shapes(&self) -> &[Shape] {
        &self.0.about.shapes
    }

    /// What was asked.
    pub(crate) fn about(&self) -> &About {
        &self.0.about
    }

    /// Everything the error knows, by name: what was asked, then the facts of its kind.
    pub fn facts(&self) -> Vec<(&'static str, Fact)> {
        let About { rule, shapes, target, axes, axis, index, .. } = &self.0.about;
        let mut facts = vec![];
        facts.extend(rule.map(|rule| ("rule", Fact::Text(rule.to_owned()))));
        facts.extend(rule.map(|_| ("shapes", Fact::Shapes(shapes.clone()))));
        facts.extend(target.clone().map(|target| ("target", Fact::Shape(target))));
        facts.extend(axes.clone().map(|axes| ("axes", Fact::Numbers(axes))));
        // Not `axis`: that is the name of the clash's axis.
        facts.extend(axis.map(|axis| ("start_axis", Fact::Number(axis))));
        let parts = |index: &Vec<Index>| index.iter().map(Index::to_string).collect::<Vec<_>>().join(", ");
        facts.extend(index.as_ref().map(|index| ("index", Fact::Text(parts(index)))));
        facts.extend(self.0.kind.facts());
        facts
    }
}

impl std::error::Error for Error {}

/// The same as the text: what `unwrap` and a `main` that fails print is for people. What is known is in [`Error::kind`] and
/// [`Error::facts`].
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An error of which no more is known than its kind.
impl From<Kind> for Error {
    fn from(kind: Kind) -> Error {
        Error::of(kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, about } = &*self.0;
        if let Some(rule) = about.rule {
            write!(f, "{rule}: ")?;
        }
        // An error without a request (from `indexed`, say) has no shapes to show.
        if !kind.is_usage() && !about.shapes.is_empty() {
            write!(f, "{about}: ")?;
        }
        kind.fmt(f)
    }
}

/// `15x3x5 and 15x3 do not broadcast`, `3x1 does not broadcast to 2x3x1 with axes [1]`.
impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, shape) in self.shapes.iter().enumerate() {
            match position {
                0 => {}
                _ if position >= 8 => {
                    write!(f, " and {} more", self.shapes.len() - position)?;
                    break;
                }
                _ if position + 1 == self.shapes.len() => f.write_str(" and ")?,
                _ => f.write_str(", ")?,
            }
            write!(f, "{}", shape.brief())?;
            if let (0, Some(index)) = (position, &self.index) {
                let parts: Vec<String> = index.iter().map(Index::to_string).collect();
                write!(f, "[{}]", parts.join(", "))?;
                if let Some(selected) = &self.selected {
                    write!(f, " (which is {})", selected.brief())?;
                }
            }
        }
        f.write_str(if self.shapes.len() == 1 { " does not broadcast" } else { " do not broadcast" })?;
        if let Some(target) = &self.target {
            write!(f, " to {}", target.brief())?;
        }
        if let Some(axes) = &self.axes {
            write!(f, " with axes {}", List(axes))?;
        }
        if let Some(axis) = self.axis {
            write!(f, " from axis {axis} on")?;
        }
        Ok(())
    }
}
