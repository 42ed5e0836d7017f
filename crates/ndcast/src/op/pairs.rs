//! Pairs of operations in one pass over the elements: fewer loads and stores in the nearest cache. The roundings are
//! the same two, so the result is, bit for bit.

use super::Op;
use crate::dtype::DType;
use crate::element::Float;
use crate::kernel::{Floats, Kernel, Map3, floats3};
use crate::simd::Isa;

/// The kernel of an operation of which the argument at a place is another operation, on elements of this type: of the
/// other's arguments, and then the operation's own further one.
pub(crate) fn pair(outer: Op, inner: Op, place: usize, dtype: DType) -> Option<Kernel> {
    match (outer, inner, place) {
        (Op::Square, Op::Subtract, _) => Op::SquaredDifference.kernel(dtype),
        (Op::Add, Op::Multiply, _) => floats3::<MultiplyAdd>(dtype),
        (Op::Add, Op::Add, _) => floats3::<AddAdd>(dtype),
        (Op::Subtract, Op::Multiply, 0) => floats3::<MultiplySubtract>(dtype),
        (Op::Multiply, Op::Add, _) => floats3::<AddMultiply>(dtype),
        (Op::Multiply, Op::Subtract, _) => floats3::<SubtractMultiply>(dtype),
        (Op::Multiply, Op::Multiply, _) => floats3::<MultiplyMultiply>(dtype),
        (Op::Add, Op::Divide, _) => floats3::<DivideAdd>(dtype),
        (Op::Subtract, Op::Divide, 0) => floats3::<DivideSubtract>(dtype),
        (Op::Divide, Op::Add, 0) => floats3::<AddDivide>(dtype),
        (Op::Divide, Op::Subtract, 0) => floats3::<SubtractDivide>(dtype),
        _ => None,
    }
}

/// `a * b + c`.
struct MultiplyAdd;
impl<T: Float> Map3<Floats, T> for MultiplyAdd {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.mul(b).add(c)
    }
}

/// `a * b - c`.
struct MultiplySubtract;
impl<T: Float> Map3<Floats, T> for MultiplySubtract {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.mul(b).sub(c)
    }
}

/// `(a + b) + c`.
struct AddAdd;
impl<T: Float> Map3<Floats, T> for AddAdd {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.add(b).add(c)
    }
}

/// `(a + b) * c`.
struct AddMultiply;
impl<T: Float> Map3<Floats, T> for AddMultiply {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.add(b).mul(c)
    }
}

/// `(a - b) * c`.
struct SubtractMultiply;
impl<T: Float> Map3<Floats, T> for SubtractMultiply {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.sub(b).mul(c)
    }
}

/// `(a * b) * c`.
struct MultiplyMultiply;
impl<T: Float> Map3<Floats, T> for MultiplyMultiply {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.mul(b).mul(c)
    }
}

/// `a / b + c`.
struct DivideAdd;
impl<T: Float> Map3<Floats, T> for DivideAdd {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.div(b).add(c)
    }
}

/// `a / b - c`.
struct DivideSubtract;
impl<T: Float> Map3<Floats, T> for DivideSubtract {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.div(b).sub(c)
    }
}

/// `(a + b) / c`.
struct AddDivide;
impl<T: Float> Map3<Floats, T> for AddDivide {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.add(b).div(c)
    }
}

/// `(a - b) / c`.
struct SubtractDivide;
impl<T: Float> Map3<Floats, T> for SubtractDivide {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        a.sub(b).div(c)
    }
}
