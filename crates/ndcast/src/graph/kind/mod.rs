//! What a node can do: one list. Each kind is a file's type that infers, runs, prints and differentiates itself.
//!
//! The elementwise operations are one kind, whose list is [`Op`](crate::Op); the folds are another, whose list is
//! [`Reduction`](crate::reduction::Reduction). The rest moves elements, puts them in order, lays them over
//! others, or makes them.
//!
//! What a file or a dialect writes down as numbers and what it computes on the way are one thing here: a kind that takes
//! a shape, starts or axes as an argument ([`Fit`], [`ReshapeTo`], [`SliceBy`], [`InsertBy`]) becomes its plain form
//! ([`Broadcast`], [`Reshape`], [`Slice`], [`Insert`]) where the numbers are known when the node is added.

mod broadcast;
mod elementwise;
mod fit;
mod fold;
mod gather;
mod matrix;
mod recur;
mod shape;
mod slice;
mod slice_by;
mod sort;
mod source;

use std::ops::Range as Places;

use ndcast_shape::rule::Count;
use ndcast_shape::{Dim, MAX_EXTENT, Shape};
use smallvec::SmallVec;

use super::attributes::{Attributes, Writer};
use super::gradient::{Backward, Gradients};
use super::node::Node;
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;

pub use broadcast::{Broadcast, Lay};
pub use elementwise::{Apply, Bitcast, Convert};
pub use fit::{Fit, Unfit};
pub(crate) use fold::nothing;
pub use fold::{Accumulate, Direction, Find, Reduce, Start};
pub use gather::{Concatenate, Scatter, Take, TakeAlong};
pub use matrix::MatMul;
pub use recur::Recur;
pub use shape::{Reshape, ReshapeTo, ShapeOf};
pub use slice::{Insert, Slice, Transpose};
pub use slice_by::{InsertBy, SliceBy};
pub use sort::{Argsort, Order};
pub use source::{Constant, Input, Range};

/// What is known of a node's value before anything runs.
#[derive(Clone, Debug)]
pub(crate) struct Inferred {
    pub(crate) dtype: DType,
    pub(crate) shape: Shape,
}

impl Inferred {
    /// Checked against [`MAX_EXTENT`]; an upper bound beyond it is dropped.
    pub(in crate::graph) fn within_reach(self) -> Result<Inferred, Error> {
        let beyond = |extent: usize| extent > MAX_EXTENT;
        let limits = |dim: &Dim| match dim {
            Dim::Known(extent) => (*extent, Some(*extent)),
            Dim::Interval(interval) => (interval.min(), interval.max()),
            Dim::Symbol(_) => (0, None),
        };
        let dims = self.shape.dims().unwrap_or_default();
        if let Some(axis) = dims.iter().position(|dim| beyond(limits(dim).0)) {
            let text =
                format!("its axis {axis} has extent {}, and can have {MAX_EXTENT} at most", dims[axis]);
            return Err(Error::value(text));
        }
        if !dims.iter().any(|dim| limits(dim).1.is_some_and(beyond)) {
            return Ok(self);
        }
        let open = |dim: &Dim| match limits(dim) {
            (min, Some(max)) if beyond(max) => Dim::between(min, None).unwrap_or(Dim::UNKNOWN),
            _ => dim.clone(),
        };
        Ok(Inferred { shape: dims.iter().map(open).collect(), ..self })
    }
}

/// Which arguments' elements an operation only moves.
pub(crate) enum Carries {
    /// Those from this argument to that one; the others say how.
    Elements(Places<usize>),
    /// None: it computes.
    Nothing,
}

/// The plain form of a node: these kinds one after the other, the first of them with these arguments.
pub(crate) struct Settled {
    pub(crate) kinds: SmallVec<[Kind; 2]>,
    /// Which of the arguments the first takes.
    pub(crate) arguments: SmallVec<[usize; 3]>,
}

impl Settled {
    /// One kind with the first arguments, so many.
    pub(crate) fn first(count: usize, kind: impl Into<Kind>) -> Settled {
        Settled { kinds: smallvec::smallvec![kind.into()], arguments: (0..count).collect() }
    }
}

/// What every kind can do.
pub(crate) trait Operation {
    /// How many arguments it takes.
    fn count(&self) -> Count;

    /// The dtype and the shape of the result, or why there is none.
    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error>;

    /// Its plain form, if enough is known of the arguments.
    fn settled(&self, _arguments: &[&Node]) -> Result<Option<Settled>, Error> {
        Ok(None)
    }

    /// The value, from the arguments' values.
    fn run(&self, arguments: &[Array]) -> Array;

    /// Which elements it only moves.
    fn carries(&self) -> Carries {
        Carries::Nothing
    }

    /// What it is besides its name.
    fn write(&self, _to: &mut Writer) {}

    /// The gradients of its arguments.
    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error>;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal;)*) => {
        /// What a node does.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind($kind),)*
        }

        impl Kind {
            /// What it can do.
            pub(crate) fn operation(&self) -> &dyn Operation {
                match self {
                    $(Kind::$kind(kind) => kind,)*
                }
            }

            /// The kind of this name, with what else is written of it; `None` if there is none of the name.
            pub(crate) fn read(name: &str, attributes: &mut Attributes<'_>) -> Result<Option<Kind>, Error> {
                match name {
                    $($name => $kind::read(attributes).map(|kind| Some(Kind::$kind(kind))),)*
                    _ => elementwise::or_fold(name, attributes),
                }
            }

            /// What its family is called; an elementwise operation and a fold have names of their own.
            fn family(&self) -> &'static str {
                match self {
                    $(Kind::$kind(_) => $name,)*
                }
            }
        }

        $(impl From<$kind> for Kind {
            fn from(kind: $kind) -> Kind {
                Kind::$kind(kind)
            }
        })*
    };
}

kinds! {
    /// A value that is given when the graph runs.
    Input "input";
    /// A tensor.
    Constant "constant";
    /// Numbers from a first one on, by a step, to before a last one.
    Range "range";
    /// An elementwise operation on arguments of one shape.
    Apply "apply";
    /// The elements as another type.
    Convert "convert";
    /// The bits as elements of another type.
    Bitcast "bitcast";
    /// Broadcast to a shape, axis by axis.
    Broadcast "broadcast";
    /// Broadcast by a dialect's rule, where shapes are known only when the graph runs.
    Fit "fit";
    /// The adjoint of [`Kind::Fit`]: the sum over what that repeats.
    Unfit "unfit";
    /// The extents, as an array.
    ShapeOf "shape_of";
    /// The same elements in the same order in another shape.
    Reshape "reshape";
    /// The same, the shape being an argument.
    ReshapeTo "reshape_to";
    /// The axes in another order.
    Transpose "transpose";
    /// What an index selects.
    Slice "slice";
    /// What starts, stops and steps select, which are arguments.
    SliceBy "slice_by";
    /// The first argument, with the second in place of what an index selects.
    Insert "insert";
    /// The same, the starts, stops and steps being arguments.
    InsertBy "insert_by";
    /// Arguments one behind the other along an axis.
    Concatenate "concatenate";
    /// Rows along an axis, picked by index.
    Take "take";
    /// For each position the element at its index along an axis.
    TakeAlong "take_along";
    /// The first argument, with the third's elements put or folded in at the second's indices.
    Scatter "scatter";
    /// A fold along axes.
    Reduce "reduce";
    /// A running fold along an axis.
    Accumulate "accumulate";
    /// The recurrence `y[k] = x[k] + factor[k] * y[k - 1]` along an axis.
    Recur "recur";
    /// The index of the greatest or the least along an axis.
    Find "find";
    /// The indices along an axis that would sort it.
    Argsort "argsort";
    /// The product of matrices.
    MatMul "matmul";
}

impl Kind {
    /// What it is called: the operation, the fold, or the movement.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Apply(apply) => apply.0.record().name,
            Kind::Reduce(reduce) => reduce.reduction.record().name,
            _ => self.family(),
        }
    }
}
