//! What can go wrong with values: one error, which holds the numbers; its text is made when it is shown.

use std::fmt;

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
#[derive(Clone, Debug, PartialEq)]
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

    pub(crate) fn value(text: String) -> Error {
        Error::new(ErrorKind::Value(text))
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
        }
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

impl From<MemoryError> for Error {
    fn from(error: MemoryError) -> Error {
        Error::new(ErrorKind::Memory { error, shape: None, dtype: None })
    }
}
