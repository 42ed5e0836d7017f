//! One operation as it is going to be spelled: its name, its operands, and what it says besides them.

use ndcast_shape::Shape;

use super::region::Region;
use crate::dialect::hlo::Comparison;
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::tensor::Tensor;

/// The type of a value.
pub(in crate::format) type Typed = (DType, Shape);

/// A value that is written.
#[derive(Clone, Debug)]
pub(in crate::format) struct Named {
    pub(in crate::format) name: String,
    pub(in crate::format) typed: Typed,
}

/// One operation.
#[derive(Debug)]
pub(in crate::format) struct Step<'s> {
    /// An elementwise operation's is the format's own; others have StableHLO's, without the dialect.
    pub(in crate::format) name: &'s str,
    pub(in crate::format) operands: &'s [&'s Named],
    pub(in crate::format) says: &'s Says,
    /// What it gives is called.
    pub(in crate::format) result: &'s str,
    /// One type, or those of several values that it gives.
    pub(in crate::format) types: &'s [Typed],
}

/// What an operation says besides its operands.
#[derive(Debug)]
pub(in crate::format) enum Says {
    Nothing,
    Constant(Tensor),
    /// `LT`, and as what the elements are compared.
    Compare(&'static str, Comparison),
    /// The bits of an exponent and of a mantissa.
    Precision([f64; 2]),
    /// The axis that it is about.
    Axis(usize),
    /// Where the operand's axes lie, or which they are.
    Axes(Vec<usize>),
    /// For each axis the start, the limit and the stride.
    Ranges(Vec<[i64; 3]>),
    Sizes(Vec<usize>),
    /// For each axis what lies before, behind and between.
    Padding(Vec<[i64; 3]>),
    Dot(Dot),
    /// The sizes are an operand where they are not here.
    Gather(GatherLies, Option<Vec<usize>>),
    Scatter(ScatterLies, Region),
    /// The axis along which it sorts, and what is before what.
    Sort(usize, Region),
    /// The axes that are folded, and how.
    Reduce(Vec<usize>, Region),
    /// For each axis how long the window is, and what lies before and behind; all else is 1.
    Window(Vec<usize>, Vec<[i64; 2]>, Region),
    /// The same of windows that are operands.
    OpenWindow(Region),
}

/// A product along one axis of each side, with as many leading axes in common.
#[derive(Debug)]
pub(in crate::format) struct Dot {
    pub(in crate::format) batch: Vec<usize>,
    pub(in crate::format) contracting: [usize; 2],
}

/// Dimension numbers of a gather of whole rows along one axis.
#[derive(Debug)]
pub(in crate::format) struct GatherLies {
    /// The axes of the result that are of rows.
    pub(in crate::format) offset: Vec<usize>,
    /// The axis of the rows.
    pub(in crate::format) axis: usize,
    /// The axes that rows and their numbers have in common.
    pub(in crate::format) batch: Vec<usize>,
    /// The rank of the numbers.
    pub(in crate::format) vector: usize,
}

/// What lies where in a scatter of single elements along one axis.
#[derive(Debug)]
pub(in crate::format) struct ScatterLies {
    pub(in crate::format) axis: usize,
    /// All other axes.
    pub(in crate::format) batch: Vec<usize>,
    /// The rank of the numbers.
    pub(in crate::format) vector: usize,
}

/// How a format spells operations.
pub(in crate::format) trait Spelling {
    /// What the format is called.
    fn format(&self) -> &'static str;

    /// What an elementwise operation is called for elements of a type, and the conditions of that name.
    fn name_of(&self, op: Op, dtype: DType) -> Option<(&'static str, Vec<&'static str>)>;

    /// Whether a broadcast lays an extent of 1 over others.
    fn stretches(&self) -> bool;

    /// The name of a value; `place` is its number among all values.
    fn value_name(&self, name: &str, place: usize) -> String;

    /// A type, if the format has such values.
    fn type_text(&self, typed: &Typed) -> Result<String, Error>;

    /// An operation, without what stands before it in its line.
    fn step(&mut self, step: &Step<'_>) -> Result<String, Error>;

    /// One of the values that a step gave, which is this one among all: its name, and the operation that takes it if it
    /// needs one.
    fn taken(
        &self,
        step: &str,
        of: usize,
        typed: &Typed,
        place: usize,
    ) -> Result<(String, Option<String>), Error>;

    /// The text of the whole: a main function's operations between its inputs and outputs.
    fn module(&self, inputs: &[&Named], lines: &[String], outputs: &[&Named]) -> Result<String, Error>;
}

/// What stands between commas.
pub(in crate::format) fn commas<T: std::fmt::Display>(all: impl IntoIterator<Item = T>) -> String {
    joined(all, ", ")
}

/// What stands between these.
pub(in crate::format) fn joined<T: std::fmt::Display>(
    all: impl IntoIterator<Item = T>,
    between: &str,
) -> String {
    let all: Vec<String> = all.into_iter().map(|one| one.to_string()).collect();
    all.join(between)
}
