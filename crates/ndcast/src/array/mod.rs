//! Lazy arrays: values that are computed when somebody looks.
//!
//! An [`Array`] is a ready tensor, or how it is made of others. Nothing is computed before [`Array::eval`] or something
//! that looks at elements; then whole expressions are, fused. Only what is small (operations, folds, conversions and
//! changes in place of up to 64 KiB of ready arrays) is done at once: that is sooner than to remember it. No result
//! depends on it. An operation that cannot be done (shapes that do not go together, element types without a common one)
//! gives an array that holds the error, made at the call; so does whatever is computed from it, and `eval`,
//! [`Array::check`] and everything else that answers with a `Result` return it. So expressions are written without a `?`
//! for each operator, and nothing panics.
//!
//! Arrays are values: to change one in place makes a new value for this handle, and no other handle sees it. The
//! memory is used again if no other handle has it.

mod apply;
mod assign;
mod axes;
mod bitcast;
mod contract;
mod counts;
mod creation;
mod default_argument;
mod diagonal;
mod difference;
mod einsum;
mod evaluate;
mod expression;
mod keys;
mod lent;
mod linear;
mod lines;
mod methods;
mod movement;
mod nan;
mod node;
mod norm;
mod number;
mod operators;
mod order;
mod over;
mod overlap;
mod pad;
mod parts;
mod pending;
mod pivots;
mod place;
mod places;
mod put;
mod put_along;
mod put_where;
mod quick;
mod radix;
mod recur;
mod reduce;
mod repeat;
mod search;
mod sort;
mod take;
mod tape;
mod together;
mod unique;

use std::borrow::Borrow;
use std::fmt;

pub(crate) use apply::equal_shapes;
pub use assign::Place;
pub use creation::End;
pub(crate) use creation::count_integers;
pub(crate) use evaluate::Prepared;
pub(crate) use expression::{Axes, Call, Called, Expression, Form};
#[cfg(test)]
pub(crate) use lent::tests::{lend, lend_elements};
use ndcast_shape::Shape;
use node::Node;
pub use number::{Number, Operand};
pub(crate) use order::check_ordered;
pub use over::Over;
pub use pad::Padding;
pub use pending::{compute_overdue, has_overdue, leave_overdue};
pub use search::Side;
use smallvec::{SmallVec, smallvec};
pub use sort::Direction;
pub(crate) use tape::{Argument, Step, Steps};
pub use unique::Unique;

use crate::dtype::DType;
use crate::element::Element;
use crate::error::Error;
use crate::layout::checked_count;
use crate::tensor::Tensor;

/// A lazy n-dimensional array, cheap to clone.
///
/// ```
/// use ndcast::Array;
/// let x = Array::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// let mean = x.mean(&[1], ndcast::Keep::Axes);
/// let y = (&x - &mean) * 2.0 + 1.0;
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0, 3.0, -1.0, 1.0, 3.0]);
/// // What does not go together is an error when somebody looks.
/// let wrong = &x + &Array::new(&[2], &[1.0f32, 2.0]);
/// assert!(wrong.eval().unwrap_err().to_string().starts_with("add: "));
/// # Ok::<(), ndcast::Error>(())
/// ```
#[derive(Clone)]
pub struct Array(Node);

/// Whether a reduction keeps the axes it goes over, with extent 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// They stay, with extent 1.
    Axes,
    /// They go away.
    Nothing,
}

/// The extents of an array; most have at most six.
pub(crate) type Extents = SmallVec<[usize; 6]>;

impl From<Tensor> for Array {
    fn from(tensor: Tensor) -> Array {
        Array(Node::ready(tensor))
    }
}

impl From<Result<Tensor, Error>> for Array {
    fn from(result: Result<Tensor, Error>) -> Array {
        match result {
            Ok(tensor) => Array(Node::ready(tensor)),
            Err(error) => Array(Node::failed(error)),
        }
    }
}

/// An array of one axis.
impl<T: Element> From<Vec<T>> for Array {
    fn from(elements: Vec<T>) -> Array {
        Tensor::from_vec(&[elements.len()], elements).into()
    }
}

/// An array of one axis.
///
/// ```
/// use ndcast::Array;
/// let squares: Array = (0..4).map(|n| n * n).collect();
/// assert_eq!((squares + 1).to_vec::<i32>()?, [1, 2, 5, 10]);
/// # Ok::<(), ndcast::Error>(())
/// ```
impl<T: Element> FromIterator<T> for Array {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Array {
        Vec::from_iter(elements).into()
    }
}

impl Array {
    /// An array of these elements, the last axis fastest.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!((x.shape()?, x.rank()?, x.elements()?), (&[2, 3][..], 2, 6));
    /// // What is wrong is said by whatever looks.
    /// let wrong = Array::new(&[2, 3], &[1, 2, 3]).eval().unwrap_err();
    /// assert_eq!(wrong.to_string(), "2x3 has 6 elements, and 3 were given");
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn new<T: Element>(shape: &[usize], elements: &[T]) -> Array {
        Tensor::new(shape, elements).into()
    }

    /// An array of shape `[]`, of the number's own element type.
    pub fn scalar<T: Element>(element: T) -> Array {
        Tensor::scalar(element).into()
    }

    /// An array that is this number everywhere; only one element is in memory.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// assert_eq!(Array::full(&[2, 2], 7, DType::F32).to_vec::<f32>()?, [7.0; 4]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn full(shape: &[usize], number: impl Into<Number>, dtype: DType) -> Array {
        let number = number.into().tensor(dtype).map_err(|error| error.of("full"));
        Array::from(number).read("full", |_| Ok((shape.into(), smallvec![None; shape.len()])))
    }

    /// Zeros; only one is in memory.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// assert_eq!(Array::zeros(&[2], DType::F32).to_vec::<f32>()?, [0.0, 0.0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn zeros(shape: &[usize], dtype: DType) -> Array {
        let zero = if dtype == DType::Bool { Number::Bool(false) } else { Number::Int(0) };
        Array::full(shape, zero, dtype).called("full", "zeros")
    }

    /// Ones; only one is in memory.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// assert_eq!(Array::ones(&[2], DType::I32).to_vec::<i32>()?, [1, 1]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn ones(shape: &[usize], dtype: DType) -> Array {
        let one = if dtype == DType::Bool { Number::Bool(true) } else { Number::Int(1) };
        Array::full(shape, one, dtype).called("full", "ones")
    }

    /// A placeholder: what is made of it can only be scheduled, not computed; see [`Prepared`].
    pub(crate) fn open(shape: &[usize], dtype: DType) -> Array {
        Array(Node::open(shape.into(), dtype))
    }

    /// Drops its expression, which makes it a placeholder.
    pub(crate) fn unlink(&self) {
        self.0.forget();
    }

    fn of_error(error: Error) -> Array {
        Array(Node::failed(error))
    }

    /// The same array; an error of operation `part` is reported as one of operation `whole`.
    #[doc(hidden)]
    #[must_use]
    pub fn called(self, part: &'static str, whole: &'static str) -> Array {
        match self.check() {
            Err(error) if error.operation() == Some(part) => Array::of_error(error.called(whole)),
            _ => self,
        }
    }

    /// The error, if there is one.
    ///
    /// # Errors
    /// That of the first operation that could not be done.
    pub fn check(&self) -> Result<(), Error> {
        match self.0.value() {
            Some(Err(error)) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// The extents.
    ///
    /// # Errors
    /// That of the first operation that could not be done.
    pub fn shape(&self) -> Result<&[usize], Error> {
        self.check().map(|()| self.0.shape())
    }

    /// How many axes there are.
    ///
    /// # Errors
    /// That of the first operation that could not be done.
    pub fn rank(&self) -> Result<usize, Error> {
        self.check().map(|()| self.0.shape().len())
    }

    /// How many elements there are.
    ///
    /// # Errors
    /// That of the first operation that could not be done.
    #[doc(alias("size", "len"))]
    pub fn elements(&self) -> Result<usize, Error> {
        Ok(checked_count(self.shape()?)?)
    }

    /// The element type.
    ///
    /// # Errors
    /// That of the first operation that could not be done.
    pub fn dtype(&self) -> Result<DType, Error> {
        self.check().map(|()| self.0.dtype())
    }

    /// Whether it is computed already, or an error.
    pub fn is_ready(&self) -> bool {
        self.0.value().is_some()
    }

    /// The tensor, computed if it was not yet. It has the memory order of its operands, if they agree.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]).transpose(&[1, 0]);
    /// let sum = (&x + &x).eval()?;
    /// assert_eq!((sum.shape(), sum.layout().strides()), (&[3, 2][..], &[1, 3][..]));
    /// assert_eq!(sum.to_vec::<i32>()?, [2, 8, 4, 10, 6, 12]);
    /// // A copy lies with its last axis fastest.
    /// assert_eq!((&x + &x).copy().eval()?.layout().strides(), [2, 1]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// That of the first operation that could not be done, or if memory passes the limit.
    pub fn eval(&self) -> Result<Tensor, Error> {
        if let Some(value) = self.0.value() {
            return value.clone();
        }
        evaluate::evaluate(&[self])?;
        match self.0.value() {
            Some(value) => value.clone(),
            None => Err(Error::value("the array was not computed".to_owned())),
        }
    }

    /// The elements in order, the last axis fastest, computed if they were not yet.
    ///
    /// # Errors
    /// As [`Array::eval`]; or if they have another type.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, Error> {
        let tensor = self.eval()?;
        // All threads put the elements of a large view in order sooner than one takes them out of order.
        if tensor.dtype() == T::DTYPE && tensor.as_bytes().is_none() {
            return evaluate::compact(&tensor)?.to_vec();
        }
        tensor.to_vec()
    }

    /// The only element, computed if it was not yet.
    ///
    /// ```
    /// use ndcast::Array;
    /// assert_eq!(Array::new(&[3], &[1, 2, 3]).sum(&[0], ndcast::Keep::Nothing).item::<i64>()?, 6);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Array::to_vec`]; or if there is not exactly one.
    pub fn item<T: Element>(&self) -> Result<T, Error> {
        // Not after they are computed: there may be any number of them.
        let shape = self.shape()?;
        let is_one = shape.iter().all(|&extent| extent == 1);
        let element = if is_one { self.to_vec::<T>()?.first().copied() } else { None };
        element.ok_or_else(|| Error::shapes("an item is one element", &[shape], None).of("item"))
    }

    /// Its memory for writing in place, if it is contiguous from the start and nobody else has it.
    fn own_memory(&mut self) -> Option<&mut [u8]> {
        let tensor = self.0.alone_mut()?;
        if tensor.layout().is_compact() { tensor.memory_mut() } else { None }
    }

    /// Moves its tensor out, if nobody else has the array or the memory; this handle is then without a value.
    fn take_alone(&mut self) -> Option<Tensor> {
        self.0.take_alone()
    }

    pub(crate) fn node(&self) -> &Node {
        &self.0
    }
}

/// Computes several arrays at once, so that what they have in common is computed once.
///
/// ```
/// use ndcast::Array;
/// let x = Array::new(&[3], &[1.0, 2.0, 3.0]);
/// let (y, z) = (x.exp() + 1.0, x.exp() * 2.0);
/// ndcast::eval(&[&y, &z])?;
/// assert!(y.is_ready() && z.is_ready());
/// # Ok::<(), ndcast::Error>(())
/// ```
///
/// # Errors
/// The first error of one of them.
pub fn eval(arrays: &[impl Borrow<Array>]) -> Result<(), Error> {
    evaluate::evaluate(&arrays.iter().map(Borrow::borrow).collect::<SmallVec<[&Array; 4]>>())?;
    arrays.iter().try_for_each(|array| array.borrow().check())
}

/// Computes nothing: what is not computed yet has only a type and a shape.
impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.value() {
            Some(Ok(tensor)) => tensor.written("Array", f),
            Some(Err(error)) => write!(f, "Array(error: {error})"),
            None => write!(f, "Array({} {}, lazy)", self.0.dtype(), Shape::from(self.0.shape()).brief()),
        }
    }
}
