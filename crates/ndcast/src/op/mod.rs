//! The one list of elementwise operations. A record holds all there is to know of one; lists, parsers, printers and
//! tests are loops over [`Op::ALL`].
//!
//! What differs between dialects (how an integer division rounds, whose sign a remainder has) is an operation with a
//! name of its own, and not a flag in a kernel. An op is either a kernel of its own, or a formula of other ops, which
//! the engine fuses into one pass. It knows nothing of shapes: operands are broadcast before it sees them.

/// The maps of operations that are a function of `math`, which the list names behind each, and behind it that of many numbers if
/// there is one.
macro_rules! functions {
    (floats1 $($op:ident $function:ident)*) => {$(
        pub(super) struct $op;
        impl<T: Float> Map1<Floats, T> for $op {
            type Out = T;
            #[inline(always)]
            fn map<I: Isa>(x: T) -> T { x.$function::<I>() }
        }
    )*};
    (each1 $($op:ident $function:ident $each:ident)*) => {$(
        pub(super) struct $op;
        impl<T: Float> Map1<Floats, T> for $op {
            type Out = T;
            #[inline(always)]
            fn map<I: Isa>(x: T) -> T { x.$function::<I>() }
            #[inline(always)]
            fn each<I: Isa>(x: &[T], out: &mut [T]) { T::$each::<I>(x, out); }
        }
    )*};
    (complexes1 $($op:ident $each:ident)*) => {$(
        impl<Z: element::Complexes> Map1<Complexes, Z> for $op {
            type Out = Z;
            #[inline(always)]
            fn map<I: Isa>(x: Z) -> Z { crate::math::of_one(x, Z::$each::<I>) }
            #[inline(always)]
            fn each<I: Isa>(x: &[Z], out: &mut [Z]) { Z::$each::<I>(x, out); }
        }
    )*};
    (floats2 $($op:ident $function:ident)*) => {$(
        pub(super) struct $op;
        impl<T: Float> Map2<Floats, T> for $op {
            type Out = T;
            const IS_LONG: bool = true;
            #[inline(always)]
            fn map<I: Isa>(a: T, b: T) -> T { a.$function::<I>(b) }
        }
    )*};
}

mod activation;
mod arithmetic;
mod bessel;
mod bits;
mod choose;
mod compare;
mod converted;
mod division;
mod exponential;
mod fused;
mod hyperbolic;
mod logic;
mod near;
mod otherwise;
mod parts;
mod power;
mod rectifier;
mod rounding;
mod shift;
mod sign;
mod special;
mod term;
mod test;
mod trigonometry;
#[cfg(test)]
mod verify;

/// What reductions are folds of.
pub(crate) mod folded {
    pub(crate) use super::arithmetic::{Add, Multiply};
    pub(crate) use super::choose::{Maximum, Minimum};
    pub(crate) use super::logic::{LogicalAnd, LogicalOr};
}

use std::fmt;

use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::kernel::Kernel;
pub(crate) use converted::{reading, writing};
pub(crate) use fused::{folding_of, fused};

/// All there is to know of an operation.
#[derive(Debug)]
pub struct Record {
    /// Its name here, which is the Array API's where that has it.
    pub name: &'static str,
    /// What it computes, in a line.
    pub summary: &'static str,
    /// What the dialects call it.
    pub names: Names,
    /// What it takes: arrays first, then numbers with a default.
    pub arguments: &'static [Argument],
    /// The element type of its result.
    pub result: ResultType,
    /// How it is computed.
    pub body: Body,
    /// What is always true of it, but for the rounding of floats.
    pub laws: &'static [Law],
    /// How far the result is from the exact one, for floats: `"exact"`, `"rounded once"`, `"1 ULP in f32, 2 in f64"`.
    pub accuracy: &'static str,
    /// The gradient for real arguments. Without one it is 0 or does not exist; that of a formula follows from its parts.
    pub gradient: Option<Gradient>,
    /// Examples, which are tests: `"i8: 100, 100 -> -56"`.
    pub examples: &'static [&'static str],
}

/// What the dialects call an operation; empty where they have none, and several names with spaces between them.
///
/// Where a dialect has one name for what are several operations here, brackets behind the name say for which attributes,
/// by the dialect's own names for them, and for which class of element types (`bool`, `int`, `float`, `complex`) the
/// name is this operation: `Mod[fmod=1]`, `compare[GE,TOTALORDER]`, `divide[int]`. The entry with the most conditions
/// that hold is meant, and an entry without any for the rest; see [`Op::called`]. What an entry does not say is left to
/// whoever reads the dialect: how arguments are given (as inputs or as attributes), and which element types are refused.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The function of the Array API.
    pub array_api: &'static str,
    /// The ONNX operator.
    pub onnx: &'static str,
    /// The OpenVINO layer type.
    pub openvino: &'static str,
    /// The StableHLO op, or the CHLO op with `chlo.` before it.
    pub stablehlo: &'static str,
    /// The HLO opcode.
    pub hlo: &'static str,
}

impl Names {
    /// No dialect has it.
    pub(crate) const NONE: Names = Names { array_api: "", onnx: "", openvino: "", stablehlo: "", hlo: "" };
}

/// One argument of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What it is if left out: then it is a number of the others' element type, and for an infinity the least or the
    /// greatest one.
    pub default: Option<f64>,
}

impl Argument {
    /// An array.
    const fn array(name: &'static str) -> Argument {
        Argument { name, default: None }
    }

    /// A number with a default.
    const fn number(name: &'static str, default: f64) -> Argument {
        Argument { name, default: Some(default) }
    }
}

/// One array.
const X: &[Argument] = &[Argument::array("x")];
/// Two arrays.
const X1_X2: &[Argument] = &[Argument::array("x1"), Argument::array("x2")];

/// The element type of a result, from the arguments' common one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// The arguments'.
    Same,
    /// Truth values.
    Truth,
    /// The float of which a complex number has two; the type itself of another.
    Part,
    /// The complex type of two such floats.
    Pair,
}

/// How an operation is computed.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// By a kernel for the arguments' common element type. f16 and bf16 are computed in f32, and rounded.
    Kernel(fn(DType) -> Option<Kernel>),
    /// By a kernel for exactly this element type: f16 and bf16 do not go through f32, which would change the result
    /// (of `nextafter`, for one).
    Direct(fn(DType) -> Option<Kernel>),
    /// By a kernel of which the first argument is a truth value and the others have a common type.
    Select,
    /// From other operations.
    Formula(Formula),
}

/// Something that is always true of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// `f(a, b) = f(b, a)`.
    Commutative,
    /// `f(f(a, b), c) = f(a, f(b, c))`, of integers and truth values.
    Associative,
    /// `f(a, a) = a`, or `f(f(a)) = f(a)`.
    Idempotent,
    /// `f(f(a)) = a`.
    Involution,
    /// `f(a, n) = a`.
    Neutral(f64),
    /// `f(a, a)` is this operation of `a`.
    Twice(Op),
}

/// A value in an [`Algebra`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(pub u32);

/// Where expressions are built from operations: lazy arrays, a graph, or plain numbers in a test.
pub trait Algebra {
    /// The result of an operation.
    fn apply(&mut self, op: Op, arguments: &[Value]) -> Value;
    /// A number that takes the element type of what it is computed with.
    fn number(&mut self, n: f64) -> Value;
}

/// An operation made of others.
pub type Formula = fn(&mut dyn Algebra, &[Value]) -> Value;

/// From the arguments, the result and the gradient of the result: the gradient of each argument, `None` for one that
/// has none. Broadcasting is undone elsewhere.
pub type Gradient = fn(&mut dyn Algebra, &[Value], Value, Value) -> Vec<Option<Value>>;

/// An operation's own type, with its record.
trait Define {
    const RECORD: Record;
}

macro_rules! ops {
    ($($file:ident: $($op:ident)*;)*) => {
        /// An elementwise operation.
        ///
        #[doc = include_str!("operations.md")]
        ///
        /// All that is known of one is in its record:
        /// ```
        /// use ndcast::Op;
        /// let op = Op::named("add").unwrap();
        /// assert_eq!((op, op.record().names.openvino), (Op::Add, "Add"));
        /// assert_eq!(op.record().examples[0], "f32: 2, 3 -> 5");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op { $($(#[doc = concat!("`", stringify!($op), "`, as [the table](Op) has it.")] $op,)*)* }

        impl Op {
            /// Every operation.
            pub const ALL: &'static [Op] = &[$($(Op::$op,)*)*];

            /// All there is to know of it.
            pub fn record(self) -> &'static Record {
                match self {
                    $($(Op::$op => const { &<$file::$op as Define>::RECORD },)*)*
                }
            }
        }
    };
}

ops! {
    arithmetic: Add Subtract Multiply MultiplyHigh Negative Positive Square SquaredDifference;
    division: Divide DivideTowardZero FloorDivide Remainder RemainderTowardZero Reciprocal;
    sign: Abs Sign SignKeepingZero Signbit Copysign Nextafter;
    compare: Equal NotEqual Less LessEqual Greater GreaterEqual
        TotalEqual TotalNotEqual TotalLess TotalLessEqual TotalGreater TotalGreaterEqual;
    logic: LogicalAnd LogicalOr LogicalXor LogicalNot;
    bits: BitwiseAnd BitwiseOr BitwiseXor BitwiseInvert CountOnes CountLeadingZeros;
    shift: BitwiseLeftShift BitwiseRightShift ShiftRightArithmetic ShiftRightLogical;
    choose: Maximum Minimum Clip Clamp Where;
    rounding: Floor Ceil Trunc Round RoundAway ReducePrecision;
    test: Isfinite Isinf Isnan IsPosInf IsNegInf;
    parts: Real Imag Conj Complex;
    power: Pow Sqrt Rsqrt Cbrt Hypot;
    exponential: Exp Exp2 Expm1 Log Log1p Log2 Log10 Logaddexp Sigmoid;
    trigonometry: Sin Cos Tan Asin Acos Atan Atan2;
    hyperbolic: Sinh Cosh Tanh Asinh Acosh Atanh;
    special: Erf Erfc ErfInv Lgamma Digamma Polygamma Zeta;
    bessel: BesselI0e BesselI1e;
    rectifier: Relu LeakyRelu Prelu ThresholdedRelu Elu Selu Celu Shrink;
    activation: HardSigmoid Hsigmoid Hswish Swish Mish Softplus Softsign Gelu GeluTanh;
}

impl Op {
    /// The operation of this name.
    pub fn named(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.record().name == name)
    }

    /// Whether it costs little next to a move of its elements: what it computes is exact, or rounded once.
    pub(crate) fn is_cheap(self) -> bool {
        !self.record().accuracy.contains("ULP") && !matches!(self.record().body, Body::Formula(_))
    }

    /// The operation that it is where both arguments are the same.
    pub(crate) fn twice(self) -> Option<Op> {
        let twice = |law: &Law| if let Law::Twice(op) = *law { Some(op) } else { None };
        self.record().laws.iter().find_map(twice)
    }

    /// The operation that a dialect calls so, where these conditions hold: attributes as `attribute=value` or as the
    /// value alone, and the class of the element types. Conditions that no entry mentions do not matter.
    ///
    /// ```
    /// use ndcast::Op;
    /// assert_eq!(Op::called(|names| names.onnx, "Mod", &["fmod=1", "int"]), Some(Op::RemainderTowardZero));
    /// assert_eq!(Op::called(|names| names.openvino, "Divide", &["float"]), Some(Op::Divide));
    /// assert_eq!(Op::called(|names| names.openvino, "Divide", &["int"]), Some(Op::FloorDivide));
    /// ```
    pub fn called(dialect: fn(&Names) -> &'static str, name: &str, conditions: &[&str]) -> Option<Op> {
        called(Op::ALL.iter().map(|op| (*op, dialect(&op.record().names))), name, conditions)
    }

    /// The entry by which a dialect means this operation on elements of a type: its name there, and the attributes that
    /// say so, as `attribute=value` or as the value alone. The inverse of [`Op::called`].
    pub(crate) fn entry(self, dialect: fn(&Names) -> &'static str, dtype: DType) -> Option<Entry> {
        entries(dialect(&self.record().names)).find_map(|(name, mut conditions)| {
            conditions.retain(|one| !CONDITIONS.iter().any(|(_, class)| class == one));
            let mut holding = conditions.clone();
            holding.push(condition(dtype));
            (Op::called(dialect, name, &holding) == Some(self)).then_some((name, conditions))
        })
    }

    /// How many arguments it takes, those with a default included.
    pub fn arity(self) -> usize {
        self.record().arguments.len()
    }

    /// The element type of the result for arguments of this common type; `None` if it does not take that type.
    ///
    /// ```
    /// use ndcast::{DType, Op};
    /// assert_eq!(Op::Add.result(DType::F16), Some(DType::F16));
    /// assert_eq!(Op::Add.result(DType::Bool), None);
    /// ```
    pub fn result(self, dtype: DType) -> Option<DType> {
        let takes = match self.record().body {
            Body::Kernel(kernel) => kernel(dtype.computed_in()).is_some(),
            Body::Direct(kernel) => kernel(dtype).is_some(),
            Body::Select => dtype.size().is_some(),
            Body::Formula(_) => dtype.class() == Class::Float && dtype.computes(),
        };
        takes.then(|| self.record().result.of(dtype)).flatten()
    }

    /// The same, or the error that says which types it takes.
    pub(crate) fn result_or(self, dtype: DType) -> Result<DType, Error> {
        self.result(dtype).ok_or_else(|| {
            let takes = DType::all().filter(|&other| self.result(other).is_some()).collect();
            Error::not_taken(dtype, takes)
        })
    }

    /// The kernel for arguments of this common type, which is one that is computed in.
    pub(crate) fn kernel(self, dtype: DType) -> Option<Kernel> {
        match self.record().body {
            Body::Kernel(kernel) | Body::Direct(kernel) => kernel(dtype),
            Body::Select => dtype.size().and_then(crate::kernel::select),
            Body::Formula(_) => None,
        }
    }
}

/// A dialect's name for something, and the conditions under which it is that.
pub(crate) type Entry = (&'static str, Vec<&'static str>);

/// What the classes of element types are called in the conditions of [`Names`].
const CONDITIONS: [(Class, &str); 6] = [
    (Class::Bool, "bool"),
    (Class::Signed, "int"),
    (Class::Unsigned, "int"),
    (Class::Float, "float"),
    (Class::Complex, "complex"),
    (Class::Text, "text"),
];

/// What the class of an element type is called in the conditions of [`Names`].
pub(crate) fn condition(dtype: DType) -> &'static str {
    CONDITIONS.iter().find(|(class, _)| *class == dtype.class()).map_or("", |(_, name)| name)
}

/// What a dialect calls so where these conditions hold, of things with their names in it; see [`Op::called`].
pub(crate) fn called<T>(
    all: impl Iterator<Item = (T, &'static str)>,
    name: &str,
    conditions: &[&str],
) -> Option<T> {
    let mut found = None;
    let mut most = 0;
    for (thing, names) in all {
        let of_name = entries(names).filter(|(entry, _)| *entry == name);
        let holding = of_name.filter(|(_, needed)| needed.iter().all(|one| conditions.contains(one)));
        let Some(count) = holding.map(|(_, needed)| needed.len() + 1).max() else { continue };
        if count >= most {
            // Two entries that say as much are neither: an infinity without both of its signs.
            found = (count > most).then_some(thing);
            most = count;
        }
    }
    found
}

/// A dialect's entries of [`Names`], each taken apart.
pub(crate) fn entries(names: &'static str) -> impl Iterator<Item = Entry> {
    names.split_whitespace().map(entry)
}

/// An entry of [`Names`], taken apart: the dialect's name, and the conditions behind it.
fn entry(entry: &'static str) -> Entry {
    match entry.strip_suffix(']').and_then(|entry| entry.split_once('[')) {
        Some((name, conditions)) => (name, conditions.split(',').collect()),
        None => (entry, Vec::new()),
    }
}

impl ResultType {
    fn of(self, dtype: DType) -> Option<DType> {
        match self {
            ResultType::Same => Some(dtype),
            ResultType::Truth => Some(DType::Bool),
            ResultType::Part => Some(dtype.part()),
            ResultType::Pair => dtype.pair(),
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.record().name)
    }
}
