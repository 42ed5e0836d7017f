//! What can go wrong with values: one error, which holds the numbers; its text is made when it is shown.

mod facts;
mod text;

use std::ops::Range;

use ndcast_shape::{Dim, Shape};

use crate::buffer::MemoryError;
use crate::dtype::DType;
use crate::layout::LayoutError;
use crate::promote::NoCommonDType;

/// Methods whose names the Array API has otherwise.
const STANDARD: [(&str, &str); 7] = [
    ("concatenate", "concat"),
    ("is_in", "isin"),
    ("transpose", "permute_dims"),
    ("lower_triangle", "tril"),
    ("upper_triangle", "triu"),
    ("range", "arange"),
    ("search_sorted", "searchsorted"),
];

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
        /// The shape for which memory was wanted, or which was being computed in it.
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
        /// What the name of its extent stands for, and the input that says so; none if the value alone does not fit.
        because: Option<(Dim, String)>,
    },
    /// An input of a graph reaches an output only through integers, truth values or what changes by jumps, so there is
    /// no gradient.
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

    pub(crate) fn no_truth_value(byte: u8) -> Error {
        Error::value(format!("a truth value is 0 or 1, and there is {byte}"))
    }

    pub(crate) fn count(shape: &[usize], given: usize) -> Error {
        Error::new(ErrorKind::Count { shape: shape.to_vec(), given })
    }

    pub(crate) fn memory(error: MemoryError, shape: &[usize], dtype: DType) -> Error {
        Error::new(ErrorKind::Memory { error, shape: Some(shape.to_vec()), dtype: Some(dtype) })
    }

    /// The same error; memory that nobody else named was wanted to compute something of this shape.
    pub(crate) fn computing(mut self, computed: &[usize], of: DType) -> Error {
        if let ErrorKind::Memory { shape: shape @ None, dtype, .. } = &mut *self.kind {
            (*shape, *dtype) = (Some(computed.to_vec()), Some(of));
        }
        self
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

    /// The same error with the operation's name in the Array API, where the method here has another: who writes in the
    /// standard's words is answered in them.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// let x = Array::zeros(&[3], DType::F32);
    /// let error = x.lower_triangle(0).check().unwrap_err().by_standard_name();
    /// assert_eq!(error.operation(), Some("tril"));
    /// ```
    #[must_use]
    pub fn by_standard_name(mut self) -> Error {
        let named = |doing| STANDARD.iter().find(|(own, _)| *own == doing).map_or(doing, |(_, name)| *name);
        self.doing = self.doing.map(named);
        self
    }

    /// Whether there was not enough memory, which is so at one time and not at another.
    pub(crate) fn is_lack_of_memory(&self) -> bool {
        matches!(self.innermost().kind(), ErrorKind::Memory { .. })
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
