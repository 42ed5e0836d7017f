//! How a lazy array is made of others.

use std::fmt;
use std::sync::Arc;

use ndcast_shape::{Plan, Source};
use smallvec::SmallVec;

use super::{Array, Extents};
use crate::convert::Overflow;
use crate::engine::Blocks;
use crate::error::Error;
use crate::layout::Layout;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// How an array is made of others.
#[derive(Clone)]
pub(crate) struct Expression {
    pub(crate) form: Form,
    pub(crate) arguments: SmallVec<[Array; 3]>,
}

/// What is made of the arguments. Most are small, and all are moved often, so what is large and rare is elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// An operation, element by element; how each argument is read, nothing if as it is. The arguments have the element
    /// type that the operation is computed for, but for the truth values of a selection.
    Apply(Op, Option<Arc<[Axes]>>),
    /// The elements as another type.
    Convert(Overflow),
    /// The argument broadcast, its axes in another order, with more or fewer axes of extent 1.
    Read(Axes),
    /// A view of the argument: a layout over its elements in row-major order.
    View(Box<Layout>),
    /// A fold along these axes, which are in order; they stay with extent 1.
    Reduce(Reduction, SmallVec<[usize; 6]>),
    /// The first argument, with the part that this layout selects replaced by the second, or by this operation on both. The
    /// axes map broadcasts the second to the part.
    Update(Box<Layout>, Option<Op>, Axes),
    /// Anything else.
    Call(Arc<Call>),
}

/// The shape of a result, and the axis map of each argument; `None` if all have that shape.
pub(crate) type Common = (Extents, Option<Arc<[Axes]>>);

/// How an array is read to fill a result: for each axis of the result, the array's axis that is walked along. None where
/// the array stays where it is, because it has no such axis or that has extent 1.
pub(crate) type Axes = SmallVec<[Option<usize>; 6]>;

/// How one operand of a plan is read.
pub(crate) fn axes(plan: &Plan, operand: usize) -> Axes {
    let walked = |source: &Source| if let Source::Axis(axis) = source { Some(*axis) } else { None };
    plan.operand(operand).iter().map(walked).collect()
}

/// A function of tensors.
pub(crate) struct Call {
    /// Which one, for whoever differentiates it.
    pub(crate) called: Called,
    /// For each argument, which of its axes runs parallel to each axis of the result: a slice of the result along it needs only
    /// the same slice of the argument. `None` needs all of the argument. An axis of the result that is parallel to none is
    /// computed as a whole.
    pub(crate) walked: SmallVec<[Axes; 3]>,
    pub(crate) function: Arc<Function>,
}

/// The functions of tensors.
#[derive(Clone, Debug)]
pub(crate) enum Called {
    /// Products of matrices, whose other axes are the same, in these blocks.
    MatMul(Blocks),
    /// A running fold along an axis.
    Accumulate(Reduction, usize),
    /// A recurrence along an axis.
    Recur(usize),
    /// Rows along an axis by their numbers.
    Take(usize),
    /// Elements along an axis by the number at each place.
    TakeAlong(usize),
    /// Elements put where these numbers say, counted one behind the other.
    Put(Arc<[usize]>),
    /// Elements put along an axis where numbers say, or folded into what is there.
    PutAlong(usize, Option<Op>),
    /// Memory that is written before it is read.
    Unwritten,
    /// Another one; nothing more is known of it than its name.
    Other(&'static str),
}

/// Takes the arguments' tensors and the shape of the result.
type Function = dyn Fn(&[Tensor], &[usize]) -> Result<Tensor, Error> + Send + Sync;

impl PartialEq for Call {
    fn eq(&self, other: &Call) -> bool {
        Arc::ptr_eq(&self.function, &other.function)
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call({:?})", self.called)
    }
}
