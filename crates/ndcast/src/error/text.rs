//! An error as people read it.

use std::fmt;
use std::ops::Range;

use ndcast_shape::Shape;

use super::{Error, ErrorKind};
use crate::dtype::DType;
use crate::layout::saturating_count;

/// The same as the text: what `unwrap` and a `main` that fails print is for people. What is known is in [`Error::kind`].
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text; with `{:#}` element types are called as NumPy calls them.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(doing) = self.doing {
            write!(f, "{doing}: ")?;
        }
        let text = |shape: &[usize]| Shape::from(shape).brief().to_string();
        let is_numpy = f.alternate();
        let called = |dtype: &DType| dtype.called(is_numpy);
        match &*self.kind {
            ErrorKind::Shape(error) => write!(f, "{error}"),
            ErrorKind::Layout(error) => write!(f, "{error}"),
            ErrorKind::Promotion(error) if is_numpy => write!(f, "{error:#}"),
            ErrorKind::Promotion(error) => write!(f, "{error}"),
            ErrorKind::Memory { error, shape: Some(shape), dtype: Some(dtype) } => {
                // A result of its own size, or room beside it.
                let size = dtype.size().unwrap_or(1);
                let own = saturating_count(shape).saturating_mul(size);
                let what = if own == error.wanted { "for" } else { "to compute" };
                write!(f, "memory {what} {} of {}: {error}", text(shape), called(dtype))
            }
            ErrorKind::Memory { error, .. } => write!(f, "{error}"),
            ErrorKind::Count { shape, given } => {
                let count = saturating_count(shape);
                write!(f, "{} has {count} elements, and {given} were given", text(shape))
            }
            ErrorKind::OtherType { found, wanted } => {
                write!(f, "the elements are {}, not {}", called(found), called(wanted))
            }
            ErrorKind::NotTaken { dtype, takes } => {
                write!(f, "it takes no elements of type {}; convert them to one of ", called(dtype))?;
                for (number, dtype) in takes.iter().enumerate() {
                    write!(f, "{}{}", if number == 0 { "" } else { ", " }, called(dtype))?;
                }
                Ok(())
            }
            ErrorKind::Range { number, dtype, least, greatest } => {
                write!(f, "{number} is not between {least} and {greatest}, which {} holds", called(dtype))
            }
            ErrorKind::Value(text) => f.write_str(text),
            ErrorKind::OtherGraph => f.write_str("the node is of another graph"),
            ErrorKind::ArgumentCount { least, most, found } => {
                let takes = match most {
                    Some(most) if most == least => least.to_string(),
                    Some(most) => format!("{least} to {most}"),
                    None => format!("{least} or more"),
                };
                let arguments = if takes == "1" { "argument" } else { "arguments" };
                write!(f, "it takes {takes} {arguments}, and {found} are given")
            }
            ErrorKind::Shapes { what, shapes, .. } => {
                let are = if shapes.len() == 1 { "shape is" } else { "shapes are" };
                write!(f, "{what}; the {are} {}", Shapes(shapes))
            }
            ErrorKind::Unequal { shapes } => {
                write!(f, "the shapes must be equal, and they are {}", Shapes(shapes))
            }
            ErrorKind::UnequalBesides { shapes, axis } => {
                write!(f, "the shapes must be equal besides on axis {axis}, and they are {}", Shapes(shapes))
            }
            ErrorKind::Reshape { from, to } => {
                let to = to.iter().map(|extent| extent.map_or("-1".to_owned(), |extent| extent.to_string()));
                let to: Vec<String> = to.collect();
                write!(f, "the elements of {} do not fill the shape [{}]", from.brief(), to.join(", "))
            }
            ErrorKind::Order { order, rank } => {
                write!(f, "the order must name each of {rank} axes once, and it is {order:?}")
            }
            ErrorKind::Batch { shapes, batch, axis } => write!(
                f,
                "the first {batch} axes must be equal and before axis {axis}, and the shapes are {}",
                Shapes(shapes)
            ),
            ErrorKind::MatMul { shapes } => {
                let is_vector = shapes.last().is_some_and(|right| right.rank() == Some(1));
                let which = if is_vector { "only one" } else { "second last" };
                write!(
                    f,
                    "the last axis of the left must be as long as the {which} of the right, and the shapes are {}",
                    Shapes(shapes)
                )
            }
            ErrorKind::NoName { what, name, names } => {
                write!(f, "there is no {what} called {name}; ")?;
                match &ndcast_shape::nearest(name, names.iter().map(String::as_str))[..] {
                    [] if names.is_empty() => write!(f, "there is no {what} at all"),
                    [] => write!(f, "there is {}", names.join(", ")),
                    near => write!(f, "did you mean {}?", near.join(" or ")),
                }
            }
            ErrorKind::InputType { name, declared, given } => {
                write!(
                    f,
                    "the input {name} is {}, and {} was given; convert it first",
                    called(declared),
                    called(given)
                )
            }
            ErrorKind::InputShape { name, declared, given, axis, because } => {
                write!(
                    f,
                    "the input {name} has shape {}, and {} was given: ",
                    declared.brief(),
                    given.brief()
                )?;
                match axis {
                    Some(axis) => write!(f, "axis {axis} does not fit")?,
                    None => f.write_str("the ranks differ")?,
                }
                match (axis.and_then(|axis| declared.dims()?.get(axis)), because) {
                    (Some(symbol), Some((extent, input))) => {
                        write!(f, "; {symbol} is {extent}, as the input {input} has it")
                    }
                    _ => Ok(()),
                }
            }
            ErrorKind::NoPath { input, output } => write!(
                f,
                "the output {output} depends on the input {input} only through integers, truth values or what changes \
                 by jumps, so it has no gradient there"
            ),
            ErrorKind::At { name, error } => write!(f, "at {name}: {error}"),
            ErrorKind::Line { line, error } => write!(f, "line {line}: {error}"),
            ErrorKind::NeededWhole { error } => {
                write!(f, "something is needed as a whole and cannot be computed in parts: {error}")
            }
            ErrorKind::Text { text, place, error } => write!(f, "{error}\n{}", Pointed { text, place }),
            ErrorKind::Place { line, column, error } => write!(f, "line {line}, column {column}: {error}"),
            ErrorKind::Unsupported { operators } => {
                write!(f, "the model has operators that are not here: {}", operators.join(", "))
            }
            ErrorKind::File { text, .. } => f.write_str(text),
        }
    }
}

/// Shapes in a sentence: `2x3, 4 and 5`.
struct Shapes<'s>(&'s [Shape]);

impl fmt::Display for Shapes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, shape) in self.0.iter().enumerate() {
            let between = match place {
                0 => "",
                _ if place + 1 == self.0.len() => " and ",
                _ => ", ",
            };
            write!(f, "{between}{}", shape.brief())?;
        }
        Ok(())
    }
}

/// The line of a text that a place is in, with a mark under it.
struct Pointed<'t> {
    text: &'t str,
    place: &'t Range<usize>,
}

impl fmt::Display for Pointed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = *self.place;
        let (before, rest) = self.text.split_at_checked(start).unwrap_or((self.text, ""));
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[line..].lines().next().unwrap_or_default();
        let column = before.chars().rev().take_while(|&c| c != '\n').count();
        let marked = rest.get(..end - start.min(end)).unwrap_or_default();
        let marks = marked.chars().take_while(|&c| c != '\n').count().max(1);
        write!(f, "  {line}\n  {}{}", " ".repeat(column), "^".repeat(marks))
    }
}
