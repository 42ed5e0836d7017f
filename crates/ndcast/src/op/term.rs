//! Expressions of operations written as expressions: what formulas and gradients are made of.
//!
//! An [`Algebra`] is borrowed mutably for each operation, so calls of it do not nest. A [`Term`] is a value that knows
//! its algebra, and does.

use std::cell::RefCell;
use std::ops;

use super::{Algebra, Op, Value};

/// A value in an algebra.
#[derive(Clone, Copy)]
pub(super) struct Term<'a> {
    algebra: &'a dyn Shared,
    value: Value,
}

/// An algebra that several terms hold, each of which borrows it for one operation at a time.
trait Shared {
    fn apply(&self, op: Op, arguments: &[Value]) -> Value;
    fn number(&self, n: f64) -> Value;
}

impl Shared for RefCell<&mut dyn Algebra> {
    fn apply(&self, op: Op, arguments: &[Value]) -> Value {
        self.borrow_mut().apply(op, arguments)
    }

    fn number(&self, n: f64) -> Value {
        self.borrow_mut().number(n)
    }
}

impl<'a> Term<'a> {
    /// A number of the same algebra.
    pub(super) fn number(self, n: f64) -> Term<'a> {
        Term { value: self.algebra.number(n), ..self }
    }

    /// `x` where this is true and `y` elsewhere.
    pub(super) fn select(self, x: Term<'a>, y: Term<'a>) -> Term<'a> {
        let value = self.algebra.apply(Op::Where, &[self.value, x.value, y.value]);
        Term { value, ..self }
    }

    fn one(self, op: Op) -> Term<'a> {
        Term { value: self.algebra.apply(op, &[self.value]), ..self }
    }

    fn two(self, op: Op, other: Term<'a>) -> Term<'a> {
        Term { value: self.algebra.apply(op, &[self.value, other.value]), ..self }
    }
}

/// The result of a formula.
pub(super) fn formula<const N: usize>(
    algebra: &mut dyn Algebra,
    arguments: &[Value],
    formula: impl for<'a> Fn([Term<'a>; N]) -> Term<'a>,
) -> Value {
    let algebra = RefCell::new(algebra);
    formula(terms(&algebra, arguments)).value
}

/// The gradients of `N` arguments by the chain rule: the gradient of the result times each partial derivative, which
/// is given from the arguments and the result.
pub(super) fn chain<const N: usize>(
    algebra: &mut dyn Algebra,
    (arguments, result, d): (&[Value], Value, Value),
    partial: impl for<'a> Fn([Term<'a>; N], Term<'a>) -> [Term<'a>; N],
) -> Vec<Option<Value>> {
    gradients(algebra, (arguments, result, d), |x, y, d| partial(x, y).map(|partial| Some(d * partial)))
}

/// The gradients of `N` arguments, given from the arguments, the result, and the gradient of the result.
pub(super) fn gradients<const N: usize>(
    algebra: &mut dyn Algebra,
    (arguments, result, d): (&[Value], Value, Value),
    gradients: impl for<'a> Fn([Term<'a>; N], Term<'a>, Term<'a>) -> [Option<Term<'a>>; N],
) -> Vec<Option<Value>> {
    let algebra = RefCell::new(algebra);
    let [result, d] = terms(&algebra, &[result, d]);
    gradients(terms(&algebra, arguments), result, d).map(|term| term.map(|term| term.value)).to_vec()
}

/// As many terms as are asked for; an argument that a caller left out is its first, since there is no other.
fn terms<'a, const N: usize>(algebra: &'a dyn Shared, values: &[Value]) -> [Term<'a>; N] {
    let first = values.first().copied().unwrap_or(Value(0));
    std::array::from_fn(|k| Term { algebra, value: values.get(k).copied().unwrap_or(first) })
}

macro_rules! operators {
    ($($operator:ident $method:ident $op:ident;)*) => {$(
        impl<'a> ops::$operator for Term<'a> {
            type Output = Term<'a>;
            fn $method(self, other: Term<'a>) -> Term<'a> {
                self.two(Op::$op, other)
            }
        }
        impl<'a> ops::$operator<f64> for Term<'a> {
            type Output = Term<'a>;
            fn $method(self, other: f64) -> Term<'a> {
                self.two(Op::$op, self.number(other))
            }
        }
        impl<'a> ops::$operator<Term<'a>> for f64 {
            type Output = Term<'a>;
            fn $method(self, other: Term<'a>) -> Term<'a> {
                other.number(self).two(Op::$op, other)
            }
        }
    )*};
}

operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div Divide;
}

impl<'a> ops::Neg for Term<'a> {
    type Output = Term<'a>;
    fn neg(self) -> Term<'a> {
        self.one(Op::Negative)
    }
}

macro_rules! methods {
    ($($method1:ident $op1:ident)*; $($method2:ident $op2:ident)*) => {
        impl<'a> Term<'a> {
            $(pub(super) fn $method1(self) -> Term<'a> { self.one(Op::$op1) })*
            $(pub(super) fn $method2(self, other: Term<'a>) -> Term<'a> { self.two(Op::$op2, other) })*
        }
    };
}

methods! {
    abs Abs sign Sign sign_keeping_zero SignKeepingZero signbit Signbit
    square Square reciprocal Reciprocal sqrt Sqrt rsqrt Rsqrt
    floor Floor ceil Ceil trunc Trunc round Round isfinite Isfinite isinf Isinf
    bitwise_invert BitwiseInvert logical_not LogicalNot count_leading_zeros CountLeadingZeros
    exp Exp expm1 Expm1 log Log log1p Log1p sigmoid Sigmoid
    sin Sin cos Cos atan Atan sinh Sinh cosh Cosh tanh Tanh
    asin Asin asinh Asinh atanh Atanh erf Erf erfc Erfc digamma Digamma
    bessel_i0e BesselI0e bessel_i1e BesselI1e
    real Real imag Imag;
    equal Equal not_equal NotEqual less Less greater Greater total_less TotalLess
    bitwise_and BitwiseAnd bitwise_or BitwiseOr bitwise_xor BitwiseXor
    logical_and LogicalAnd logical_or LogicalOr logical_xor LogicalXor
    bitwise_right_shift BitwiseRightShift shift_right_arithmetic ShiftRightArithmetic shift_right_logical ShiftRightLogical
    maximum Maximum minimum Minimum pow Pow copysign Copysign complex Complex
    floor_divide FloorDivide divide_toward_zero DivideTowardZero remainder_toward_zero RemainderTowardZero
    logaddexp Logaddexp hypot Hypot polygamma Polygamma zeta Zeta atan2 Atan2
}
