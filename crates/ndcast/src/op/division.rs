//! Quotients and what they leave: each way of rounding is an operation of its own.
//!
//! | rounded | quotient | rest has the sign of |
//! |---|---|---|
//! | not | `divide` | |
//! | down | `floor_divide` | the divisor: `remainder` |
//! | towards 0 | `divide_toward_zero` | the dividend: `remainder_toward_zero` |
//!
//! Integers divided by 0 give all ones, and leave the dividend; no value stops the machine.

use super::term::{chain, gradients};
use super::{Body, Define, Law, Names, Record, ResultType, X, X1_X2};
use crate::element::{self, Float, Integer, Number};
use crate::kernel::{
    BLOCK, Complexes, Floats, Integers, Map1, Map2, analytic1, any, complexes2, dividing, integers2, reals2,
    rounded2,
};
use crate::math::FloatMath;
use crate::simd::Isa;

/// `x1 / x2`.
pub(super) struct Divide;

impl<T: Float> Map2<Floats, T> for Divide {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.div(b)
    }
}

impl<Z: element::Complexes> Map2<Complexes, Z> for Divide {
    type Out = Z;
    const NEAR: bool = true;
    #[inline(always)]
    fn map<I: Isa>(a: Z, b: Z) -> Z {
        a.div(b)
    }
    #[inline(always)]
    fn near<I: Isa>(a: Z, b: Z) -> Z {
        a.div_near::<I>(b)
    }
    #[inline(always)]
    fn is_far(a: Z, b: Z) -> bool {
        a.is_far_quotient(b)
    }
}

impl Define for Divide {
    const RECORD: Record = Record {
        name: "divide",
        summary: "The quotient of floats or complex numbers.",
        names: Names {
            array_api: "divide",
            onnx: "Div",
            openvino: "Divide",
            stablehlo: "divide",
            hlo: "divide",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(|d| {
            dividing::<Divide, 2, 3, 0b10>(d)
                .or_else(|| complexes2::<Divide>(d))
                .or_else(|| rounded2::<Divide>(d))
        }),
        laws: &[Law::Neutral(1.0)],
        accuracy: "rounded once; a few ULP for complex numbers",
        gradient: Some(|g, x, y, d| {
            gradients(g, (x, y, d), |[_, b], y, d| {
                let by_dividend = d / b;
                [Some(by_dividend), Some(-(by_dividend * y))]
            })
        }),
        examples: &[
            "f32: 1, 4 -> 0.25",
            "f32: 1, -0 -> -inf",
            "f32: 0, 0 -> nan",
            "c64: 5+5j, 1+2j -> 3-1j",
            "f32: -1, inf -> -0",
        ],
    };
}

/// What is made of integers and their quotient.
trait OfQuotient {
    /// Whether the quotient is rounded down, not towards 0.
    const DOWN: bool;
    /// Whether the result is the remainder, not the quotient.
    const REST: bool;

    #[inline(always)]
    fn rounded<I: Isa, F: Float>(quotient: F) -> F {
        if Self::DOWN { quotient.floor::<I>() } else { quotient.trunc::<I>() }
    }

    #[inline(always)]
    fn made<F: Number>(a: F, b: F, quotient: F) -> F {
        if Self::REST { a.sub(quotient.mul(b)) } else { quotient }
    }

    /// Of any two integers.
    #[inline(always)]
    fn by_integers<T: Integer>(a: T, b: T) -> T {
        let quotient = a.quotient(b);
        let rest = a.sub(quotient.mul(b));
        let is_below = Self::DOWN && b != T::ZERO && rest != T::ZERO && (rest < T::ZERO) != (b < T::ZERO);
        Self::made(a, b, if is_below { quotient.sub(T::ONE) } else { quotient })
    }

    /// Of two that are not far. A quotient that is less than an integer is not rounded to that: it would need as many digits as
    /// both numbers have together.
    #[inline(always)]
    fn by_floats<I: Isa, T: Integer>(a: T, b: T) -> T {
        let (dividend, divisor) = (a.near(), b.near());
        let made = T::of_near(Self::made(dividend, divisor, Self::rounded::<I, _>(dividend.div(divisor))));
        let by_zero = if Self::REST { a } else { !T::ZERO };
        if b == T::ZERO { by_zero } else { made }
    }

    /// Of one that is not far, and the inverse of another. A quotient of a half more is half the divisor's inverse away from the
    /// integers on both sides, which is more than is lost of it.
    #[inline(always)]
    fn by_inverse<I: Isa, T: Integer>(a: T, divisor: T::Near, inverse: T::Near) -> T {
        let (dividend, half) = (a.near(), T::Near::of(0.5));
        let half = half.copysign::<I>(if Self::DOWN { divisor } else { dividend });
        let quotient = Self::rounded::<I, _>(dividend.add(half).mul(inverse));
        T::of_near(Self::made(dividend, divisor, quotient))
    }
}

macro_rules! of_quotients {
    ($($op:ident $down:literal $rest:literal;)*) => {$(
        impl OfQuotient for $op {
            const DOWN: bool = $down;
            const REST: bool = $rest;
        }

        impl<T: Integer> Map2<Integers, T> for $op {
            type Out = T;
            #[inline(always)]
            fn map<I: Isa>(a: T, b: T) -> T {
                if T::BITS == 64 { Self::by_integers(a, b) } else { Self::by_floats::<I, T>(a, b) }
            }

            const EACH: bool = true;
            const IS_LONG: bool = true;
            #[inline(always)]
            fn each<I: Isa, const V: usize>(a: &[T; V], b: &[T; V], to: &mut [T; V]) {
                let first = b[0];
                if any(a, b, |a, b| a.is_far() | b.is_far()) {
                    for place in 0..V {
                        to[place] = Self::map::<I>(a[place], b[place]);
                    }
                } else if first == T::ZERO || any(a, b, |_, b| b != first) {
                    for place in 0..V {
                        to[place] = Self::by_floats::<I, T>(a[place], b[place]);
                    }
                } else {
                    let divisor = first.near();
                    let inverse = T::Near::ONE.div(divisor);
                    for place in 0..V {
                        to[place] = Self::by_inverse::<I, T>(a[place], divisor, inverse);
                    }
                }
            }
        }
    )*};
}

of_quotients! {
    DivideTowardZero false false;
    FloorDivide true false;
    Remainder true true;
    RemainderTowardZero false true;
}

/// `trunc(x1 / x2)`.
pub(super) struct DivideTowardZero;

impl Define for DivideTowardZero {
    const RECORD: Record = Record {
        name: "divide_toward_zero",
        summary: "The quotient of integers rounded towards 0. Divided by 0 they give all ones.",
        names: Names {
            onnx: "Div[int]",
            openvino: "Divide[int,m_pythondiv=false]",
            stablehlo: "divide[int]",
            hlo: "divide[int]",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(integers2::<DivideTowardZero>),
        laws: &[Law::Neutral(1.0)],
        accuracy: "exact",
        gradient: None,
        examples: &["i32: -7, 2 -> -3", "i32: 7, 0 -> -1", "u8: 7, 0 -> 255", "i8: -128, -1 -> -128"],
    };
}

/// `floor(x1 / x2)`.
pub(super) struct FloorDivide;

/// A quotient rounded down, given what the one rounded towards 0 leaves.
#[inline(always)]
fn floored<I: Isa, T: Float>(a: T, b: T, rest: T) -> T {
    // The floor of a rounded quotient can be one too many: 1 / 0.1 is 10, but 0.1 fits 9 times. What the exact
    // remainder leaves is a multiple of the divisor, up to rounding.
    let below = rest != T::ZERO && (rest < T::ZERO) != (b < T::ZERO);
    let near = a.sub(rest).div(b);
    let near = if below { near.sub(T::ONE) } else { near };
    let whole = near.floor::<I>();
    let whole = if near.sub(whole) > T::of(0.5) { whole.add(T::ONE) } else { whole };
    let quotient = a.div(b);
    if b == T::ZERO || a.sub(a) != T::ZERO || b.sub(b) != T::ZERO {
        // The dividend is infinite or the divisor 0: so is the quotient, or it is no number. Or the divisor is
        // infinite: then the quotient is a zero.
        quotient
    } else if whole == T::ZERO {
        whole.copysign::<I>(quotient)
    } else {
        whole
    }
}

/// What a quotient rounded down leaves, given what the one rounded towards 0 does.
#[inline(always)]
fn rest_of_floored<I: Isa, T: Float>(_: T, b: T, rest: T) -> T {
    let rest = if rest == T::ZERO { T::ZERO.copysign::<I>(b) } else { rest };
    if (rest < T::ZERO) != (b < T::ZERO) && rest != T::ZERO { rest.add(b) } else { rest }
}

/// What is made of a quotient's rest, which is found faster where the quotient is not so great that bits are lost.
macro_rules! of_rests {
    ($($op:ident $made:expr;)*) => {$(
        impl<T: Float> Map2<Floats, T> for $op {
            type Out = T;
            const NEAR: bool = true;
            #[inline(always)]
            fn map<I: Isa>(a: T, b: T) -> T { $made(a, b, a.rem::<I>(b)) }
            #[inline(always)]
            fn near<I: Isa>(a: T, b: T) -> T { $made(a, b, a.rem_near::<I>(b)) }
            #[inline(always)]
            fn is_far(a: T, b: T) -> bool { a.is_far_quotient(b) }
        }
    )*};
}

of_rests! {
    FloorDivide floored::<I, T>;
    Remainder rest_of_floored::<I, T>;
    RemainderTowardZero |_, _, rest| rest;
}

impl Define for FloorDivide {
    const RECORD: Record = Record {
        name: "floor_divide",
        summary: "The quotient rounded down. Integers divided by 0 give all ones.",
        // OpenVINO's integer Divide rounds down unless its attribute says otherwise.
        names: Names { array_api: "floor_divide", openvino: "Divide[int]", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(reals2::<FloorDivide>),
        laws: &[],
        accuracy: "exact, and rounded once where the quotient has more digits than the type",
        gradient: None,
        examples: &[
            "i32: -7, 2 -> -4",
            "i32: 7, -2 -> -4",
            "u8: 7, 0 -> 255",
            "f32: -7, 2 -> -4",
            "f64: 1, 0.1 -> 9",
            // DIFFERENCE: -1 in Python and NumPy; the Array API lists -0.
            "f32: 1, -inf -> -0",
        ],
    };
}

/// `x1 - x2 * floor(x1 / x2)`.
pub(super) struct Remainder;

impl Define for Remainder {
    const RECORD: Record = Record {
        name: "remainder",
        summary: "The remainder of floor division: it has the sign of the divisor.",
        // DIFFERENCE: OpenVINO's reference of FloorMod computes x1 - x2 * floor(x1 / x2) of floats step by step, which
        // is no number for an infinite divisor and inexact for large quotients.
        names: Names { array_api: "remainder", onnx: "Mod", openvino: "FloorMod", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(reals2::<Remainder>),
        laws: &[],
        accuracy: "exact, and rounded once where the signs differ",
        gradient: Some(|g, x, y, d| {
            gradients(g, (x, y, d), |[a, b], _, d| [Some(d), Some(-(d * a.floor_divide(b)))])
        }),
        examples: &[
            "i32: -7, 3 -> 2",
            "i32: 7, -3 -> -2",
            "i32: 7, 0 -> 7",
            "f32: -7, 3 -> 2",
            "f32: -0, 3 -> 0",
            "f32: 1, -inf -> -inf",
        ],
    };
}

/// `x1 - x2 * trunc(x1 / x2)`.
pub(super) struct RemainderTowardZero;

impl Define for RemainderTowardZero {
    const RECORD: Record = Record {
        name: "remainder_toward_zero",
        summary: "The remainder of truncating division: it has the sign of the dividend.",
        names: Names {
            onnx: "Mod[fmod=1]",
            openvino: "Mod",
            stablehlo: "remainder",
            hlo: "remainder",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(reals2::<RemainderTowardZero>),
        laws: &[],
        accuracy: "exact",
        gradient: Some(|g, x, y, d| {
            gradients(g, (x, y, d), |[a, b], y, d| [Some(d), Some(-(d * ((a - y) / b)))])
        }),
        examples: &[
            "i32: -7, 3 -> -1",
            "i32: 7, -3 -> 1",
            "i32: 7, 0 -> 7",
            "f32: -7, 3 -> -1",
            "f32: -6, 3 -> -0",
            "f32: 1, 0 -> nan",
        ],
    };
}

/// `1 / x`.
pub(super) struct Reciprocal;

impl<T: Float> Map1<Floats, T> for Reciprocal {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        T::ONE.div(x)
    }
}

impl<Z: element::Complexes> Map1<Complexes, Z> for Reciprocal {
    type Out = Z;
    #[inline(always)]
    fn map<I: Isa>(x: Z) -> Z {
        Z::ONE.div(x)
    }
    #[inline(always)]
    fn each<I: Isa>(x: &[Z], out: &mut [Z]) {
        for (x, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
            let is_far = x.iter().fold(false, |far, &x| far | Z::ONE.is_far_quotient(x));
            for (out, &x) in out.iter_mut().zip(x) {
                *out = if is_far { Z::ONE.div(x) } else { Z::ONE.div_near::<I>(x) };
            }
        }
    }
}

impl Define for Reciprocal {
    const RECORD: Record = Record {
        name: "reciprocal",
        summary: "1 divided by the number.",
        names: Names { array_api: "reciprocal", onnx: "Reciprocal", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Reciprocal>),
        laws: &[],
        accuracy: "rounded once; a few ULP for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [-y.square()])),
        examples: &["f32: 4 -> 0.25", "f32: -0 -> -inf", "f32: -inf -> -0", "c64: 2j -> -0.5j"],
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline;

    /// Alone, beside others, and by one that all are divided by: next to multiples, powers of two and limits.
    #[test]
    fn quotients_of_integers_are_exact() {
        fn check<T: Integer + Into<i128>>(of: impl Fn(i128) -> T) {
            let mut numbers = vec![];
            for bits in 0..T::BITS {
                let power = 1i128 << bits;
                for near in -2..=2 {
                    numbers.extend([power + near, near - power, power / 3 + near, power / 7 * 5 + near]);
                }
            }
            for &b in &numbers {
                let b = of(b);
                for &a in &numbers {
                    for a in [of(a), of(a).mul(b), of(a).mul(b).sub(T::ONE)] {
                        let (dividend, divisor) = (a.into(), b.into());
                        let (cut, left) = match divisor {
                            0 => (-1, dividend),
                            _ => (dividend / divisor, dividend % divisor),
                        };
                        let below = i128::from(left != 0 && divisor != 0 && (left < 0) != (divisor < 0));
                        let is_of = |made: &dyn Fn(T, T, T) -> [T; 3], exact: i128, what: &str| {
                            let exact = of(exact);
                            let made = made(a, b, !b);
                            assert!(
                                made == [exact; 3],
                                "{dividend} {what} {divisor}: {:?}",
                                made.map(Into::into)
                            );
                        };
                        is_of(&ways::<DivideTowardZero, T>, cut, "/");
                        is_of(&ways::<FloorDivide, T>, cut - below, "//");
                        is_of(&ways::<RemainderTowardZero, T>, left, "rem");
                        is_of(&ways::<Remainder, T>, left + below * divisor, "%");
                    }
                }
            }
        }
        /// What is made of two alone, beside another divisor, and beside the same.
        fn ways<O: Map2<Integers, T, Out = T>, T: Integer>(a: T, b: T, other: T) -> [T; 3] {
            let (mut beside, mut alike) = ([T::ZERO; 2], [T::ZERO; 2]);
            O::each::<Baseline, 2>(&[a; 2], &[b, other], &mut beside);
            O::each::<Baseline, 2>(&[a; 2], &[b; 2], &mut alike);
            [O::map::<Baseline>(a, b), beside[0], alike[1]]
        }
        macro_rules! each {
            ($($type:ident)*) => {$(
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any number will do")]
                check::<$type>(|n| n as $type);
            )*};
        }
        each! { i8 i16 i32 i64 u8 u16 u32 u64 }
    }
}
