//! One extent: how long an axis is, or what is known of it.
//!
//! The algebra is written once over [`Extent`], and is used with two types: `usize`, for shapes that are
//! known, and [`Dim`], for shapes that are partly known. What differs between the two (when may this be 1,
//! when are two certainly equal) is all here, so no rule has a second version for partial shapes.

use std::fmt;
use std::sync::Arc;

/// The largest extent: every dialect's largest, 2^63 - 1 on 64-bit machines.
pub const MAX_EXTENT: usize = isize::MAX as usize;

/// What others write for an extent that is not known. It is not read as a name, and so no extent is called so: what is
/// printed can be read again.
pub(crate) const NO_NAMES: [&str; 2] = ["None", "null"];

/// What is known of one extent.
///
/// ```
/// use ndcast_shape::Dim;
/// assert_eq!("2..5".parse::<Dim>()?, Dim::between(2, Some(5)).unwrap());
/// assert_eq!("7..7".parse::<Dim>()?, Dim::Known(7));
/// assert_eq!("<=5".parse::<Dim>()?.to_string(), "..5");
/// assert_eq!("?".parse::<Dim>()?, Dim::UNKNOWN);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// Exactly this number.
    Known(usize),
    /// Some number in an interval; [`Dim::UNKNOWN`] is the widest.
    Interval(Interval),
    /// A name: the same number wherever the name stands.
    Symbol(Symbol),
}

/// Two or more neighbouring numbers: `2..5` (both ends belong to it), `2..`, `..5`, `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    min: usize,
    max: Option<usize>,
}

impl Interval {
    /// The smallest extent it allows.
    pub fn min(self) -> usize {
        self.min
    }

    /// The largest extent it allows, if there is one.
    pub fn max(self) -> Option<usize> {
        self.max
    }
}

/// The name of an extent: a letter or `_`, then letters, digits or `_`, 64 at most; but not `None` or `null`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol(Arc<str>);

impl Symbol {
    /// The most letters a name may have.
    pub const LONGEST: usize = 64;

    /// The name as written.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Dim {
    /// Any extent at all.
    pub const UNKNOWN: Dim = Dim::Interval(Interval { min: 0, max: None });

    /// The extents from `min` to `max`, both included; `None` if there are none.
    pub fn between(min: usize, max: Option<usize>) -> Option<Dim> {
        match max {
            Some(max) if max < min => None,
            Some(max) if max == min => Some(Dim::Known(min)),
            _ => Some(Dim::Interval(Interval { min, max })),
        }
    }

    /// The extent called `name`; `None` if that is not a name. `None` and `null` are none: others write
    /// them where an extent is not known.
    pub fn symbol(name: &str) -> Option<Dim> {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = 1..=Symbol::LONGEST;
        let good = length.contains(&name.len())
            && name.starts_with(|c: char| !c.is_ascii_digit())
            && name.chars().all(word)
            && !NO_NAMES.contains(&name);
        good.then(|| Dim::Symbol(Symbol(name.into())))
    }

    /// The smallest and the largest extent that this can be.
    fn range(&self) -> (usize, Option<usize>) {
        match self {
            Dim::Known(n) => (*n, Some(*n)),
            Dim::Interval(i) => (i.min, i.max),
            Dim::Symbol(_) => (0, None),
        }
    }

    /// Whether `extent` is one of the extents that this can be.
    pub fn contains(&self, extent: usize) -> bool {
        let (min, max) = self.range();
        min <= extent && max.is_none_or(|max| extent <= max)
    }
}

impl From<usize> for Dim {
    fn from(extent: usize) -> Dim {
        Dim::Known(extent)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Known(n) => write!(f, "{n}"),
            Dim::Interval(Interval { min: 0, max: None }) => f.write_str("?"),
            Dim::Interval(Interval { min: 0, max: Some(max) }) => write!(f, "..{max}"),
            Dim::Interval(Interval { min, max: None }) => write!(f, "{min}.."),
            Dim::Interval(Interval { min, max: Some(max) }) => write!(f, "{min}..{max}"),
            Dim::Symbol(symbol) => f.write_str(symbol.name()),
        }
    }
}

/// An extent as the algebra sees it: `usize` when it is known, [`Dim`] when it may not be.
pub trait Extent: Clone + PartialEq + Into<Dim> + fmt::Debug + private::Sealed {
    /// The extent 1.
    const ONE: Self;

    /// Whether every extent of this type is a number.
    const ALWAYS_KNOWN: bool;

    /// The number, if there is only one it can be.
    fn known(&self) -> Option<usize>;

    /// Whether it can be 1.
    fn may_be_one(&self) -> bool;

    /// Whether both are certainly the same number.
    fn same(&self, other: &Self) -> bool;

    /// The intersection: what is known if both are equal; `None` if they cannot be.
    fn meet(&self, other: &Self) -> Option<Self>;

    /// The hull: the narrowest extent that contains both.
    fn hull(&self, other: &Self) -> Self;

    /// The upper bound, for an interval that has one; `None` for a known or named extent.
    fn bound(&self) -> Option<Self>;

    /// The same, but an interval becomes [`Dim::UNKNOWN`].
    fn without_bounds(&self) -> Self;

    /// Whether it is one number, known or named.
    fn is_definite(&self) -> bool {
        self.same(self)
    }

    /// Whether it is certainly 1.
    fn is_one(&self) -> bool {
        self.known() == Some(1)
    }
}

impl Extent for usize {
    const ONE: usize = 1;
    const ALWAYS_KNOWN: bool = true;

    fn known(&self) -> Option<usize> {
        Some(*self)
    }

    fn may_be_one(&self) -> bool {
        *self == 1
    }

    fn same(&self, other: &usize) -> bool {
        self == other
    }

    fn meet(&self, other: &usize) -> Option<usize> {
        (self == other).then_some(*self)
    }

    fn hull(&self, other: &usize) -> usize {
        // Reached only for two extents that can be 1, that is, for two ones.
        *self.max(other)
    }

    fn bound(&self) -> Option<usize> {
        None
    }

    fn without_bounds(&self) -> usize {
        *self
    }
}

impl Extent for Dim {
    const ONE: Dim = Dim::Known(1);
    const ALWAYS_KNOWN: bool = false;

    fn known(&self) -> Option<usize> {
        match self {
            Dim::Known(n) => Some(*n),
            _ => None,
        }
    }

    fn may_be_one(&self) -> bool {
        self.contains(1)
    }

    fn same(&self, other: &Dim) -> bool {
        !matches!(self, Dim::Interval(_)) && self == other
    }

    fn meet(&self, other: &Dim) -> Option<Dim> {
        match (self, other) {
            // A name alone never clashes, so whatever else is known must not be forgotten for it.
            (Dim::Symbol(_), Dim::Symbol(_)) => Some(self.clone()),
            (Dim::Symbol(_), other) if *other != Dim::UNKNOWN => Some(other.clone()),
            (Dim::Symbol(_), _) => Some(self.clone()),
            (_, Dim::Symbol(_)) => other.meet(self),
            _ => {
                let ((min, max), (other_min, other_max)) = (self.range(), other.range());
                let max = match (max, other_max) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                Dim::between(min.max(other_min), max)
            }
        }
    }

    fn hull(&self, other: &Dim) -> Dim {
        if self.same(other) {
            return self.clone();
        }
        let ((min, max), (other_min, other_max)) = (self.range(), other.range());
        let max = max.zip(other_max).map(|(a, b)| a.max(b));
        Dim::between(min.min(other_min), max).unwrap_or(Dim::UNKNOWN)
    }

    fn bound(&self) -> Option<Dim> {
        match self {
            Dim::Interval(interval) => interval.max.map(Dim::Known),
            _ => None,
        }
    }

    fn without_bounds(&self) -> Dim {
        if self.is_definite() { self.clone() } else { Dim::UNKNOWN }
    }
}

mod private {
    pub trait Sealed {}
    impl Sealed for usize {}
    impl Sealed for super::Dim {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dim(text: &str) -> Dim {
        text.parse().unwrap()
    }

    /// Every name is read again as it is printed, alone and in a shape.
    #[test]
    fn what_is_a_name_is_read_as_one() {
        for name in [
            "N", "_", "None_", "_null", "none", "NULL", "nan", "x", "scalar", "newaxis", "None", "null", "3",
            "",
        ] {
            let is_read = name.parse::<Dim>().is_ok_and(|dim| matches!(dim, Dim::Symbol(_)));
            assert_eq!(Dim::symbol(name).is_some(), is_read, "{name}");
            if let Some(dim) = Dim::symbol(name) {
                let shape = crate::Shape::from(vec![dim, Dim::Known(3)]);
                assert_eq!(shape.to_string().parse::<crate::Shape>().unwrap(), shape);
            }
        }
    }

    #[test]
    fn meets_and_hulls() {
        for (a, b, meet, hull) in [
            ("3", "3", Some("3"), "3"),
            ("3", "4", None, "3..4"),
            ("2..5", "4..9", Some("4..5"), "2..9"),
            ("2..5", "5..", Some("5"), "2.."),
            ("..5", "6..", None, "?"),
            ("N", "3", Some("3"), "?"),
            ("N", "?", Some("N"), "?"),
            ("N", "2..5", Some("2..5"), "?"),
            ("N", "N", Some("N"), "N"),
            ("N", "M", Some("N"), "?"),
        ] {
            assert_eq!(dim(a).meet(&dim(b)).map(|d| d.to_string()).as_deref(), meet, "{a} meet {b}");
            assert_eq!(dim(a).hull(&dim(b)).to_string(), hull, "{a} hull {b}");
            assert_eq!(dim(b).meet(&dim(a)).is_some(), meet.is_some(), "{b} meet {a}");
            assert_eq!(dim(b).hull(&dim(a)).to_string(), hull, "{b} hull {a}");
        }
    }
}
