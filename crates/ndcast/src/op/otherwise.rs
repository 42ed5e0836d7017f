//! Operations in other words: formulas of operations that most systems have, for those that one of them lacks.
//!
//! They are for writers of files, which ask for what their format has no name for, and again for what that is made of. Where
//! an operation has a kernel, its formula rounds more than once: near 0 `log1p` in other words has few digits.

use std::f64::consts::{LN_2, LN_10, PI};

use super::term::{Term, formula};
use super::{Body, Formula, Op};
use crate::dtype::{Class, DType};

/// The classes of element types for which a row holds.
type Of = &'static [Class];

const ANY: Of = &[Class::Bool, Class::Signed, Class::Unsigned, Class::Float, Class::Complex];
const TRUTHS: Of = &[Class::Bool];
const UNSIGNED: Of = &[Class::Unsigned];
const INTEGERS: Of = &[Class::Signed, Class::Unsigned];
const SIGNED: Of = &[Class::Signed, Class::Float];
const NUMBERS: Of = &[Class::Signed, Class::Unsigned, Class::Float];
const FLOATS: Of = &[Class::Float];
const COMPLEX: Of = &[Class::Complex];

impl Op {
    /// The same on elements of a type, made of other operations.
    pub(crate) fn otherwise(self, dtype: DType) -> Option<Formula> {
        let class = dtype.class();
        let found = OTHERWISE.iter().find(|(op, of, _)| *op == self && of.contains(&class));
        found.map(|(_, _, formula)| *formula).or(match self.record().body {
            Body::Formula(formula) => Some(formula),
            _ => None,
        })
    }
}

/// Whether a remainder has another sign than the divisor, and is not 0.
fn crosses<'a>(rest: Term<'a>, by: Term<'a>) -> Term<'a> {
    let zero = rest.number(0.0);
    rest.less(zero).not_equal(by.less(zero)).logical_and(rest.not_equal(zero))
}

/// Whether it is another number than 0.
fn truth(x: Term<'_>) -> Term<'_> {
    x.not_equal(x.number(0.0))
}

/// Whether it lies on the side of the negative numbers; zeros lie on one too, which their inverses tell.
fn is_negative<'g>(a: Term<'g>) -> Term<'g> {
    let zero = a.number(0.0);
    a.less(zero).logical_or((a.number(1.0) / a).less(zero))
}

/// Whether a float comes before another in the order of all, in which -0 is before 0 and NaN behind all numbers. The sign of a NaN
/// cannot be seen, so that it is.
fn is_before<'a>(a: Term<'a>, b: Term<'a>) -> Term<'a> {
    let between_zeros = a.equal(b).logical_and(is_negative(a)).logical_and(is_negative(b).logical_not());
    a.less(b).logical_or(between_zeros).logical_or(b.not_equal(b).logical_and(a.equal(a)))
}

/// The other side of a right triangle with this side, whose longest is 1.
fn across(x: Term<'_>) -> Term<'_> {
    ((1.0 - x) * (x + 1.0)).sqrt()
}

/// Half of the exponential, too great only where that is.
fn half_exp(x: Term<'_>) -> Term<'_> {
    let root = (x * 0.5).exp();
    root * 0.5 * root
}

/// Both parts of a complex number in other words.
fn of_parts<'a>(z: Term<'a>, parts: impl Fn(Term<'a>, Term<'a>) -> [Term<'a>; 2]) -> Term<'a> {
    let [real, imag] = parts(z.real(), z.imag());
    real.complex(imag)
}

/// A function of `i z`, by `-i`.
fn turned<'a>(z: Term<'a>, function: impl Fn(Term<'a>) -> Term<'a>) -> Term<'a> {
    of_parts(function(of_parts(z, |a, b| [-b, a])), |a, b| [b, -a])
}

/// A complex number and a real one, beside which the sign of an imaginary 0 stays.
fn plus(z: Term<'_>, n: f64) -> Term<'_> {
    of_parts(z, |a, b| [a + n, b])
}

/// What is this near 0, and the logarithm of the double so far away that the square may be too great.
fn doubled<'a>(z: Term<'a>, near: Term<'a>) -> Term<'a> {
    let distance = z.abs();
    distance.less(distance.number(1e9)).select(near, z.log() + LN_2)
}

#[expect(clippy::eq_op, reason = "a term less itself is 0 of its shape, or NaN")]
/// The operations, the elements of which it is the same, and the formulas. The first row that holds counts.
const OTHERWISE: &[(Op, Of, Formula)] = &[
    // What changes nothing.
    (Op::Positive, ANY, |g, x| formula(g, x, |[x]| x)),
    (Op::Real, NUMBERS, |g, x| formula(g, x, |[x]| x)),
    (Op::Conj, NUMBERS, |g, x| formula(g, x, |[x]| x)),
    (Op::Conj, COMPLEX, |g, x| formula(g, x, |[x]| x.real().complex(-x.imag()))),
    (Op::Abs, UNSIGNED, |g, x| formula(g, x, |[x]| x)),
    (Op::Relu, UNSIGNED, |g, x| formula(g, x, |[x]| x)),
    (Op::Floor, INTEGERS, |g, x| formula(g, x, |[x]| x)),
    (Op::Ceil, INTEGERS, |g, x| formula(g, x, |[x]| x)),
    (Op::Trunc, INTEGERS, |g, x| formula(g, x, |[x]| x)),
    (Op::Round, INTEGERS, |g, x| formula(g, x, |[x]| x)),
    (Op::RoundAway, INTEGERS, |g, x| formula(g, x, |[x]| x)),
    // Sums, products and quotients.
    (Op::Negative, UNSIGNED, |g, x| formula(g, x, |[x]| 0.0 - x)),
    (Op::MultiplyHigh, INTEGERS, |g, x| {
        formula(g, x, |[a, b]| {
            // Digits of half the bits: of the product of the low ones what is carried, and so on.
            let none = a - a;
            let half = none.count_leading_zeros().shift_right_logical(none.number(1.0));
            let mask = none.bitwise_invert().shift_right_logical(half);
            let [a0, b0] = [a, b].map(|x| x.bitwise_and(mask));
            let [a1, b1] = [a, b].map(|x| x.bitwise_right_shift(half));
            let middle = a1 * b0 + (a0 * b0).shift_right_logical(half);
            let carried = (a0 * b1 + middle.bitwise_and(mask)).bitwise_right_shift(half);
            a1 * b1 + middle.bitwise_right_shift(half) + carried
        })
    }),
    (Op::Square, ANY, |g, x| formula(g, x, |[x]| x * x)),
    (Op::SquaredDifference, ANY, |g, x| {
        formula(g, x, |[a, b]| {
            let difference = a - b;
            difference * difference
        })
    }),
    (Op::Reciprocal, ANY, |g, x| formula(g, x, |[x]| 1.0 / x)),
    (Op::FloorDivide, FLOATS, |g, x| formula(g, x, |[a, b]| (a / b).floor())),
    (Op::FloorDivide, UNSIGNED, |g, x| formula(g, x, |[a, b]| a.divide_toward_zero(b))),
    (Op::FloorDivide, INTEGERS, |g, x| {
        formula(g, x, |[a, b]| {
            let (quotient, rest) = (a.divide_toward_zero(b), a.remainder_toward_zero(b));
            crosses(rest, b).select(quotient - 1.0, quotient)
        })
    }),
    (Op::DivideTowardZero, FLOATS, |g, x| formula(g, x, |[a, b]| (a / b).trunc())),
    (Op::Remainder, UNSIGNED, |g, x| formula(g, x, |[a, b]| a.remainder_toward_zero(b))),
    (Op::Remainder, SIGNED, |g, x| {
        formula(g, x, |[a, b]| {
            let rest = a.remainder_toward_zero(b);
            crosses(rest, b).select(rest + b, rest)
        })
    }),
    // Signs. -0 and 0 are 0.
    (Op::Sign, INTEGERS, |g, x| formula(g, x, |[x]| x.sign_keeping_zero())),
    (Op::Sign, ANY, |g, x| formula(g, x, |[x]| x.sign_keeping_zero() + 0.0)),
    (Op::SignKeepingZero, UNSIGNED, |g, x| formula(g, x, |[x]| x.minimum(x.number(1.0)))),
    (Op::SignKeepingZero, SIGNED, |g, x| formula(g, x, |[x]| x.equal(x.number(0.0)).select(x, x.sign()))),
    (Op::Signbit, ANY, |g, x| formula(g, x, |[x]| x.total_less(x.number(0.0)))),
    (Op::Copysign, ANY, |g, x| formula(g, x, |[a, b]| b.signbit().select(-a.abs(), a.abs()))),
    // Comparisons and tests.
    (Op::NotEqual, ANY, |g, x| formula(g, x, |[a, b]| a.equal(b).logical_not())),
    (Op::TotalLess, FLOATS, |g, x| formula(g, x, |[a, b]| is_before(a, b))),
    (Op::TotalGreater, FLOATS, |g, x| formula(g, x, |[a, b]| is_before(b, a))),
    (Op::TotalLessEqual, FLOATS, |g, x| formula(g, x, |[a, b]| is_before(b, a).logical_not())),
    (Op::TotalGreaterEqual, FLOATS, |g, x| formula(g, x, |[a, b]| is_before(a, b).logical_not())),
    (Op::TotalNotEqual, FLOATS, |g, x| formula(g, x, |[a, b]| is_before(a, b).logical_or(is_before(b, a)))),
    (Op::TotalEqual, FLOATS, |g, x| {
        formula(g, x, |[a, b]| is_before(a, b).logical_or(is_before(b, a)).logical_not())
    }),
    (Op::Less, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_not().logical_and(b))),
    (Op::LessEqual, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_not().logical_or(b))),
    (Op::Greater, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_and(b.logical_not()))),
    (Op::GreaterEqual, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_or(b.logical_not()))),
    (Op::Isnan, ANY, |g, x| formula(g, x, |[x]| x.not_equal(x))),
    (Op::Isinf, INTEGERS, |g, x| formula(g, x, |[x]| x.not_equal(x))),
    (Op::Isinf, FLOATS, |g, x| formula(g, x, |[x]| x.abs().equal(x.number(f64::INFINITY)))),
    (Op::Isinf, COMPLEX, |g, x| formula(g, x, |[x]| x.real().isinf().logical_or(x.imag().isinf()))),
    (Op::IsPosInf, FLOATS, |g, x| formula(g, x, |[x]| x.equal(x.number(f64::INFINITY)))),
    (Op::IsNegInf, FLOATS, |g, x| formula(g, x, |[x]| x.equal(x.number(f64::NEG_INFINITY)))),
    (Op::Isfinite, INTEGERS, |g, x| formula(g, x, |[x]| x.equal(x))),
    (Op::Isfinite, FLOATS, |g, x| {
        formula(g, x, |[x]| {
            // Of infinities and of NaN the difference is NaN.
            let nothing = x - x;
            nothing.equal(nothing)
        })
    }),
    (Op::Isfinite, COMPLEX, |g, x| formula(g, x, |[x]| x.real().isfinite().logical_and(x.imag().isfinite()))),
    // Logic: of truth values it is that of bits, and of numbers that of whether they are 0.
    (Op::BitwiseAnd, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_and(b))),
    (Op::BitwiseOr, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_or(b))),
    (Op::BitwiseXor, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_xor(b))),
    (Op::BitwiseInvert, TRUTHS, |g, x| formula(g, x, |[x]| x.logical_not())),
    (Op::LogicalAnd, TRUTHS, |g, x| formula(g, x, |[a, b]| a.bitwise_and(b))),
    (Op::LogicalOr, TRUTHS, |g, x| formula(g, x, |[a, b]| a.bitwise_or(b))),
    (Op::LogicalXor, TRUTHS, |g, x| formula(g, x, |[a, b]| a.bitwise_xor(b))),
    (Op::LogicalNot, TRUTHS, |g, x| formula(g, x, |[x]| x.bitwise_invert())),
    (Op::LogicalAnd, ANY, |g, x| formula(g, x, |[a, b]| truth(a).logical_and(truth(b)))),
    (Op::LogicalOr, ANY, |g, x| formula(g, x, |[a, b]| truth(a).logical_or(truth(b)))),
    (Op::LogicalXor, ANY, |g, x| formula(g, x, |[a, b]| truth(a).logical_xor(truth(b)))),
    (Op::LogicalNot, ANY, |g, x| formula(g, x, |[x]| x.equal(x.number(0.0)))),
    (Op::Where, TRUTHS, |g, x| {
        formula(g, x, |[c, a, b]| c.logical_and(a).logical_or(c.logical_not().logical_and(b)))
    }),
    (Op::BitwiseRightShift, UNSIGNED, |g, x| formula(g, x, |[a, b]| a.shift_right_logical(b))),
    (Op::BitwiseRightShift, INTEGERS, |g, x| formula(g, x, |[a, b]| a.shift_right_arithmetic(b))),
    // Bounds. The greater of truth values is true if one is.
    (Op::Maximum, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_or(b))),
    (Op::Minimum, TRUTHS, |g, x| formula(g, x, |[a, b]| a.logical_and(b))),
    (Op::Clip, ANY, |g, x| formula(g, x, |[x, least, most]| x.maximum(least).minimum(most))),
    (Op::Clamp, ANY, |g, x| formula(g, x, |[least, x, most]| x.maximum(least).minimum(most))),
    (Op::Relu, ANY, |g, x| formula(g, x, |[x]| x.maximum(x.number(0.0)))),
    // Rounding.
    (Op::Trunc, FLOATS, |g, x| formula(g, x, |[x]| x.less(x.number(0.0)).select(x.ceil(), x.floor()))),
    // A half is not added before: there is a greatest number below a half, and it would be rounded up.
    (Op::RoundAway, FLOATS, |g, x| {
        formula(g, x, |[x]| {
            let whole = x.abs().floor();
            let below = (x.abs() - whole).less(x.number(0.5));
            below.select(whole, whole + 1.0) * x.sign()
        })
    }),
    (Op::Round, COMPLEX, |g, x| formula(g, x, |[x]| x.real().round().complex(x.imag().round()))),
    (Op::Imag, INTEGERS, |g, x| formula(g, x, |[x]| x - x)),
    // Powers, and what grows like them.
    (Op::Rsqrt, ANY, |g, x| formula(g, x, |[x]| x.sqrt().reciprocal())),
    (Op::Cbrt, FLOATS, |g, x| formula(g, x, |[x]| x.abs().pow(x.number(1.0 / 3.0)) * x.sign())),
    // The square of the less by the greater is never too great. Equal ones may be 0 or infinite.
    (Op::Hypot, ANY, |g, x| {
        formula(g, x, |[a, b]| {
            let (least, most) = (a.abs().minimum(b.abs()), a.abs().maximum(b.abs()));
            let part = least.equal(most).select(most.number(1.0), least / most);
            most * (part * part + 1.0).sqrt()
        })
    }),
    (Op::Exp2, ANY, |g, x| formula(g, x, |[x]| x.number(2.0).pow(x))),
    (Op::Expm1, ANY, |g, x| formula(g, x, |[x]| x.exp() - 1.0)),
    (Op::Log1p, ANY, |g, x| formula(g, x, |[x]| (x + 1.0).log())),
    (Op::Log2, ANY, |g, x| formula(g, x, |[x]| x.log() / LN_2)),
    (Op::Log10, ANY, |g, x| formula(g, x, |[x]| x.log() / LN_10)),
    // Of two equal infinities the difference is NaN, and the sum is what they are.
    (Op::Logaddexp, ANY, |g, x| {
        formula(g, x, |[a, b]| {
            let difference = a - b;
            let found = a.maximum(b) + (-difference.abs()).exp().log1p();
            difference.not_equal(difference).select(a + b, found)
        })
    }),
    (Op::Erfc, ANY, |g, x| formula(g, x, |[x]| 1.0 - x.erf())),
    // Angles and hyperbolic functions.
    (Op::Asin, FLOATS, |g, x| formula(g, x, |[x]| x.atan2(across(x)))),
    (Op::Acos, FLOATS, |g, x| formula(g, x, |[x]| across(x).atan2(x))),
    (Op::Atan, FLOATS, |g, x| formula(g, x, |[x]| x.atan2(x.number(1.0)))),
    (Op::Asin, COMPLEX, |g, x| formula(g, x, |[z]| turned(z, Term::asinh))),
    (Op::Acos, COMPLEX, |g, x| formula(g, x, |[z]| PI / 2.0 - z.asin())),
    (Op::Atan, COMPLEX, |g, x| formula(g, x, |[z]| turned(z, Term::atanh))),
    (Op::Sinh, COMPLEX, |g, x| {
        formula(g, x, |[z]| of_parts(z, |a, b| [a.sinh() * b.cos(), a.cosh() * b.sin()]))
    }),
    (Op::Cosh, COMPLEX, |g, x| {
        formula(g, x, |[z]| of_parts(z, |a, b| [a.cosh() * b.cos(), a.sinh() * b.sin()]))
    }),
    (Op::Asinh, COMPLEX, |g, x| {
        formula(g, x, |[z]| {
            // On one side of its cuts, of which the sign of a 0 tells the sides.
            let left = z.real().signbit();
            let right = left.select(-z, z);
            let square = right * right;
            let found = doubled(right, (right + square / (plus(square, 1.0).sqrt() + 1.0)).log1p());
            left.select(-found, found)
        })
    }),
    (Op::Acosh, COMPLEX, |g, x| {
        formula(g, x, |[z]| {
            let less = plus(z, -1.0);
            doubled(z, (less + less.sqrt() * plus(z, 1.0).sqrt()).log1p())
        })
    }),
    // Near 0 without a difference of two that are nearly equal.
    (Op::Sinh, FLOATS, |g, x| {
        formula(g, x, |[x]| {
            let grown = x.expm1();
            let near = (grown + grown / (grown + 1.0)) * 0.5;
            x.abs().less(x.number(1.0)).select(near, half_exp(x) - half_exp(-x))
        })
    }),
    (Op::Cosh, FLOATS, |g, x| formula(g, x, |[x]| half_exp(x) + half_exp(-x))),
    // Far from 0 without the square of a number, which may be too great.
    (Op::Asinh, FLOATS, |g, x| {
        formula(g, x, |[x]| {
            let (a, part) = (x.abs(), x.abs().reciprocal());
            let near = (a + a * a / ((a * a + 1.0).sqrt() + 1.0)).log1p();
            let far = a.log() + (part * part + 1.0).sqrt().log1p();
            a.less(a.number(1.0)).select(near, far).copysign(x)
        })
    }),
    (Op::Acosh, FLOATS, |g, x| {
        formula(g, x, |[x]| {
            let (over, part) = (x - 1.0, x.reciprocal());
            let near = (over + over.sqrt() * (over + 2.0).sqrt()).log1p();
            x.less(x.number(2.0)).select(near, x.log() + across(part).log1p())
        })
    }),
    (Op::Atanh, FLOATS, |g, x| formula(g, x, |[x]| (x.log1p() - (-x).log1p()) * 0.5)),
    (Op::Atanh, COMPLEX, |g, x| {
        formula(g, x, |[z]| of_parts(z.log1p() - (-z).log1p(), |a, b| [a * 0.5, b * 0.5]))
    }),
    // In the first quarter, where two that are equal may be infinite or 0, then in its own. A -0 is 0.
    (Op::Atan2, FLOATS, |g, x| {
        formula(g, x, |[y, x]| {
            let (up, far) = (y.abs(), x.abs());
            let angle = up.equal(far).select(up.sign(), up / far).atan();
            let half = is_negative(x).select(PI - angle, angle);
            is_negative(y).select(-half, half)
        })
    }),
];
