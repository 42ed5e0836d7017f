//! A shape as people write it: the extents of an array, in order, or that not even their number is known.

use std::fmt;

use crate::extent::Dim;

/// The extents of an array.
///
/// ```
/// use ndcast_shape::Shape;
/// let shape: Shape = "8x1x6x1".parse()?;
/// for text in ["8,1,6,1", "(8, 1, 6, 1)", "[8,1,6,1]", "8 x 1 x 6 x 1"] {
///     assert_eq!(text.parse::<Shape>()?, shape);
/// }
/// assert_eq!(shape.to_string(), "8x1x6x1");
/// assert_eq!("()".parse::<Shape>()?.to_string(), "scalar");
/// assert_eq!("(N, 2..5, ?)".parse::<Shape>()?.to_string(), "Nx2..5x?");
/// assert_eq!("...".parse::<Shape>()?.rank(), None);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape(Option<Vec<Dim>>);

impl Shape {
    /// The shape of an array of which not even the rank is known.
    pub const UNRANKED: Shape = Shape(None);

    /// The extents; `None` if the rank is unknown.
    pub fn dims(&self) -> Option<&[Dim]> {
        self.0.as_deref()
    }

    /// How many axes there are; `None` if that is unknown.
    pub fn rank(&self) -> Option<usize> {
        self.0.as_ref().map(Vec::len)
    }

    /// The extents as numbers; `None` if one of them is not known.
    pub fn extents(&self) -> Option<Vec<usize>> {
        let known = |dim: &Dim| if let Dim::Known(n) = dim { Some(*n) } else { None };
        self.dims()?.iter().map(known).collect()
    }

    /// Prints like the shape, but leaves out the middle of a very long one.
    pub fn brief(&self) -> Brief<'_> {
        Brief(self)
    }
}

impl<E: Into<Dim>> FromIterator<E> for Shape {
    fn from_iter<I: IntoIterator<Item = E>>(dims: I) -> Shape {
        Shape(Some(dims.into_iter().map(Into::into).collect()))
    }
}

impl<E: Into<Dim>> From<Vec<E>> for Shape {
    fn from(dims: Vec<E>) -> Shape {
        dims.into_iter().collect()
    }
}

impl<E: Into<Dim> + Clone> From<&[E]> for Shape {
    fn from(dims: &[E]) -> Shape {
        dims.iter().cloned().collect()
    }
}

impl<E: Into<Dim>, const N: usize> From<[E; N]> for Shape {
    fn from(dims: [E; N]) -> Shape {
        dims.into_iter().collect()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dims() {
            None => f.write_str("..."),
            Some([]) => f.write_str("scalar"),
            Some(dims) => write_dims(f, dims),
        }
    }
}

fn write_dims(f: &mut fmt::Formatter<'_>, dims: &[Dim]) -> fmt::Result {
    let name_with_x =
        |dim: &Dim| matches!(dim, Dim::Symbol(s) if s.name().contains('x') || s.name() == "scalar");
    let bracketed = dims.iter().any(name_with_x);
    let separator = if bracketed { "," } else { "x" };
    f.write_str(if bracketed { "[" } else { "" })?;
    for (axis, dim) in dims.iter().enumerate() {
        write!(f, "{}{dim}", if axis == 0 { "" } else { separator })?;
    }
    f.write_str(if bracketed { "]" } else { "" })
}

/// A shape for a message: see [`Shape::brief`].
pub struct Brief<'a>(&'a Shape);

impl Brief<'_> {
    /// Up to this many axes are printed in full.
    const FULL: usize = 32;
}

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.dims() {
            Some(dims) if dims.len() > Brief::FULL => {
                write_dims(f, &dims[..8])?;
                f.write_str("x...x")?;
                write_dims(f, &dims[dims.len() - 4..])?;
                write!(f, " ({} axes)", dims.len())
            }
            _ => self.0.fmt(f),
        }
    }
}

/// A list of axes for a message; the middle of a very long one is left out.
pub(crate) struct List<'a, T>(pub(crate) &'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let List(items) = self;
        f.write_str("[")?;
        for (position, item) in items.iter().take(Brief::FULL).enumerate() {
            write!(f, "{}{item}", if position == 0 { "" } else { ", " })?;
        }
        if items.len() > Brief::FULL {
            write!(f, ", ... {} in all", items.len())?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_axes_print_short() {
        let shape = Shape::from(vec![1usize; 1_000_000]);
        assert_eq!(shape.brief().to_string(), "1x1x1x1x1x1x1x1x...x1x1x1x1 (1000000 axes)");
        assert_eq!(shape.to_string().parse::<Shape>().unwrap(), shape);
    }
}
