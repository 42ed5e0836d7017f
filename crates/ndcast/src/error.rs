//! What can go wrong with values: one error, which holds the numbers; its text is made when it is shown.

mod facts;

use std::fmt;
use std::ops::Range;

use ndcast_shape::Shape;

use crate::buffer::MemoryError;
use crate::dtype::DType;
use crate::layout::LayoutError;
use crate::promote::NoCommonDType;

/// Why there is no value.
///
/// ```
/// use ndcast::Tensor;
/// let error = Tensor::new(&[2, 3], &[1, 2, 3]).unwrap_err();
/// assert_eq!(error.to_string(), "2x3 has 6 elements, and 3 were given");
/// ```
#[derive(Clone, PartialEq)]
pub struct Error {
    /// What was being done, if it has a name.
    doing: Option<&'static str>,
    kind: Box<ErrorKind>,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Shapes that do not go together.
    Shape(ndcast_shape::Error),
    /// There is no such view.
    Layout(LayoutError),
    /// Element types that do not go together.
    Promotion(NoCommonDType),
    /// Memory would pass the limit, or the system has no more.
    Memory {
        /// What the pool says.
        error: MemoryError,
        /// The shape for which memory was wanted; none for the engine's own.
        shape: Option<Vec<usize>>,
        /// The type of its elements.
        dtype: Option<DType>,
    },
    /// The number of elements given is not that of the shape.
    Count {
        /// The shape.
        shape: Vec<usize>,
        /// How many were given.
        given: usize,
    },
    /// The elements have another type.
    OtherType {
        /// Their type.
        found: DType,
        /// The type that was asked for.
        wanted: DType,
    },
    /// An operation does not take elements of a type.
    NotTaken {
        /// The type.
        dtype: DType,
        /// The types that it takes.
        takes: Vec<DType>,
    },
    /// An integer that a type does not hold.
    Range {
        /// The integer.
        number: i128,
        /// The type.
        dtype: DType,
        /// The least that it holds.
        least: i128,
        /// The greatest that it holds.
        greatest: i128,
    },
    /// Something about a value that is not as it must be.
    Value(String),
    /// A node was meant for another graph.
    OtherGraph,
    /// A node of a graph, or a graph itself, was given another number of arguments.
    ArgumentCount {
        /// The least there may be.
        least: usize,
        /// The most there may be, if there is a most.
        most: Option<usize>,
        /// How many were given.
        found: usize,
    },
    /// Shapes that an operation does not take together.
    Shapes {
        /// What about them.
        what: String,
        /// The operands' shapes.
        shapes: Vec<Shape>,
        /// Where, if it is about one axis.
        axis: Option<usize>,
    },
    /// Shapes that must be equal are not.
    Unequal {
        /// The shapes.
        shapes: Vec<Shape>,
    },
    /// Shapes that must be equal but for one axis are not.
    UnequalBesides {
        /// The shapes.
        shapes: Vec<Shape>,
        /// The axis.
        axis: usize,
    },
    /// An array cannot have this shape, because it has another number of elements.
    Reshape {
        /// Its own shape.
        from: Shape,
        /// The extents asked for; `None` was to be found.
        to: Vec<Option<usize>>,
    },
    /// A list does not name every axis once.
    Order {
        /// The list.
        order: Vec<i64>,
        /// How many axes there are.
        rank: usize,
    },
    /// Rows and the numbers of rows do not have these leading axes in common.
    Batch {
        /// The shapes of both.
        shapes: Vec<Shape>,
        /// How many axes they should have in common.
        batch: usize,
        /// The axis of the rows.
        axis: usize,
    },
    /// Matrices that cannot be multiplied.
    MatMul {
        /// The shapes of both.
        shapes: Vec<Shape>,
    },
    /// A graph has no input or output of a name.
    NoName {
        /// `input` or `output`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        names: Vec<String>,
    },
    /// A value given to a graph's input has another element type.
    InputType {
        /// The input.
        name: String,
        /// Its element type.
        declared: DType,
        /// The value's.
        given: DType,
    },
    /// A value given to a graph's input has a shape outside of the declared one.
    InputShape {
        /// The input.
        name: String,
        /// Its shape, as far as it is declared.
        declared: Shape,
        /// The value's.
        given: Shape,
        /// The first axis that does not fit; none if the ranks differ.
        axis: Option<usize>,
    },
    /// An input of a graph reaches an output only through integers or truth values, so there is no gradient.
    NoPath {
        /// The input.
        input: String,
        /// The output.
        output: String,
    },
    /// An error at a place that has a name: a node of a graph, a layer of a file.
    At {
        /// The name.
        name: String,
        /// The error.
        error: Box<Error>,
    },
    /// An error in a line of a text.
    Line {
        /// The line, from 1 on.
        line: usize,
        /// The error.
        error: Box<Error>,
    },
    /// Something that cannot be computed in parts could not be computed at once.
    NeededWhole {
        /// Why not.
        error: Box<Error>,
    },
    /// An error at a place in a text of one or more lines.
    Text {
        /// The text.
        text: String,
        /// From which of its bytes to before which.
        place: Range<usize>,
        /// The error.
        error: Box<Error>,
    },
    /// An error in a line and a column of a file.
    Place {
        /// The line, from 1 on.
        line: usize,
        /// The column in characters, from 1 on.
        column: usize,
        /// The error.
        error: Box<Error>,
    },
    /// A model has operators that are not here.
    Unsupported {
        /// All of them, each with where it is.
        operators: Vec<String>,
    },
    /// A file cannot be read or written.
    File {
        /// What kind of failure it is.
        kind: std::io::ErrorKind,
        /// What the system says.
        text: String,
    },
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Error {
        Error { doing: None, kind: Box::new(kind) }
    }

    /// The same error, of this operation.
    pub(crate) fn of(mut self, doing: &'static str) -> Error {
        self.doing.get_or_insert(doing);
        self
    }

    /// The same error, said to be of this operation.
    pub(crate) fn called(mut self, doing: &'static str) -> Error {
        self.doing = Some(doing);
        self
    }

    /// The same error, at a place that has a name.
    pub(crate) fn at(self, name: &str) -> Error {
        Error::new(ErrorKind::At { name: name.to_owned(), error: Box::new(self) })
    }

    pub(crate) fn value(text: String) -> Error {
        Error::new(ErrorKind::Value(text))
    }

    /// What is wrong about the shapes of operands, and where.
    pub(crate) fn shapes(what: impl Into<String>, shapes: &[&[usize]], axis: Option<usize>) -> Error {
        let shapes = shapes.iter().map(|shape| Shape::from(*shape)).collect();
        Error::new(ErrorKind::Shapes { what: what.into(), shapes, axis })
    }

    pub(crate) fn count(shape: &[usize], given: usize) -> Error {
        Error::new(ErrorKind::Count { shape: shape.to_vec(), given })
    }

    pub(crate) fn memory(error: MemoryError, shape: &[usize], dtype: DType) -> Error {
        Error::new(ErrorKind::Memory { error, shape: Some(shape.to_vec()), dtype: Some(dtype) })
    }

    pub(crate) fn other_type(found: DType, wanted: DType) -> Error {
        Error::new(ErrorKind::OtherType { found, wanted })
    }

    pub(crate) fn no_memory_form(dtype: DType) -> Error {
        Error::value(format!("elements of type {dtype} have no fixed size, so there is no tensor of them"))
    }

    pub(crate) fn not_taken(dtype: DType, takes: Vec<DType>) -> Error {
        Error::new(ErrorKind::NotTaken { dtype, takes })
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The name of what was being done.
    pub fn operation(&self) -> Option<&'static str> {
        self.doing
    }
}

impl std::error::Error for Error {}

/// The same as the text: what `unwrap` and a `main` that fails print is for people. What is known is in [`Error::kind`].
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(doing) = self.doing {
            write!(f, "{doing}: ")?;
        }
        let text = |shape: &[usize]| Shape::from(shape).brief().to_string();
        match &*self.kind {
            ErrorKind::Shape(error) => write!(f, "{error}"),
            ErrorKind::Layout(error) => write!(f, "{error}"),
            ErrorKind::Promotion(error) => write!(f, "{error}"),
            ErrorKind::Memory { error, shape: Some(shape), dtype: Some(dtype) } => {
                write!(f, "memory for {} of {dtype}: {error}", text(shape))
            }
            ErrorKind::Memory { error, .. } => write!(f, "{error}"),
            ErrorKind::Count { shape, given } => {
                let count = shape.iter().fold(1usize, |product, &extent| product.saturating_mul(extent));
                let count = if shape.contains(&0) { 0 } else { count };
                write!(f, "{} has {count} elements, and {given} were given", text(shape))
            }
            ErrorKind::OtherType { found, wanted } => write!(f, "the elements are {found}, not {wanted}"),
            ErrorKind::NotTaken { dtype, takes } => {
                write!(f, "there is none for elements of type {dtype}; convert to one of ")?;
                for (number, dtype) in takes.iter().enumerate() {
                    write!(f, "{}{dtype}", if number == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            ErrorKind::Range { number, dtype, least, greatest } => {
                write!(f, "{number} is not between {least} and {greatest}, which {dtype} holds")
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
                match &names[..] {
                    [] => write!(f, "there is no {what} at all"),
                    names => write!(f, "there is {}", names.join(", ")),
                }
            }
            ErrorKind::InputType { name, declared, given } => {
                write!(f, "the input {name} is {declared}, and {given} was given; convert it first")
            }
            ErrorKind::InputShape { name, declared, given, axis } => {
                write!(
                    f,
                    "the input {name} has shape {}, and {} was given: ",
                    declared.brief(),
                    given.brief()
                )?;
                match axis {
                    Some(axis) => write!(f, "axis {axis} does not fit"),
                    None => f.write_str("the ranks differ"),
                }
            }
            ErrorKind::NoPath { input, output } => write!(
                f,
                "the output {output} depends on the input {input} only through integers or truth values, so it has no \
                 gradient there"
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

impl From<ndcast_shape::Error> for Error {
    fn from(error: ndcast_shape::Error) -> Error {
        Error::new(ErrorKind::Shape(error))
    }
}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Error {
        Error::new(ErrorKind::Layout(error))
    }
}

impl From<NoCommonDType> for Error {
    fn from(error: NoCommonDType) -> Error {
        Error::new(ErrorKind::Promotion(error))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::new(ErrorKind::File { kind: error.kind(), text: error.to_string() })
    }
}

impl From<MemoryError> for Error {
    fn from(error: MemoryError) -> Error {
        Error::new(ErrorKind::Memory { error, shape: None, dtype: None })
    }
}
