//! Powers and roots.

use super::term::chain;
use super::{Body, Define, Law, Names, Record, ResultType, X, X1_X2};
use crate::element::{self, Float, Integer};
use crate::kernel::{Complexes, Floats, Integers, Map1, Map2, analytic1, floats1, floats2, numbers2};
use crate::math::of_one;
use crate::simd::Isa;

functions! { floats1 Sqrt sqrt Rsqrt rsqrt Cbrt cbrt }
functions! { complexes1 Sqrt sqrt_each }
functions! { floats2 Hypot hypot }

pub(super) struct Pow;

/// In most blocks all exponents are one, of which a few are as well made of products.
impl<T: Float> Map2<Floats, T> for Pow {
    type Out = T;
    const NEAR: bool = true;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.pow::<I>(b)
    }
    #[inline(always)]
    fn near<I: Isa>(a: T, b: T) -> T {
        a.pow_near::<I>(b)
    }
    #[inline(always)]
    fn is_far(_: T, b: T) -> bool {
        b.is_far_exponent()
    }
}

impl<T: Integer> Map2<Integers, T> for Pow {
    type Out = T;
    const NEAR: bool = true;
    #[inline(always)]
    fn near<I: Isa>(a: T, b: T) -> T {
        let (square, is_odd) = (a.mul(a), b & T::ONE != T::ZERO);
        let product = square.mul(if is_odd { a } else { square });
        if b == T::ONE.add(T::ONE) { square } else { product }
    }
    #[inline(always)]
    fn is_far(_: T, b: T) -> bool {
        let two = T::ONE.add(T::ONE);
        (b < two) | (b > two.add(two))
    }
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        let odd = b & T::ONE != T::ZERO;
        if b < T::ZERO {
            // The whole part of a fraction is 0; 1 and -1 are no fractions.
            let minus_one = T::ZERO.sub(T::ONE);
            let unit = if a == minus_one && !odd { T::ONE } else { a };
            return if a == T::ONE || a == minus_one { unit } else { T::ZERO };
        }
        let (mut power, mut square, mut left) = (T::ONE, a, b);
        while left != T::ZERO {
            if left & T::ONE != T::ZERO {
                power = power.mul(square);
            }
            square = square.mul(square);
            left = left.right_zeros(1);
        }
        power
    }
}

impl<Z: element::Complexes> Map2<Complexes, Z> for Pow {
    type Out = Z;
    const IS_LONG: bool = true;
    #[inline(always)]
    fn map<I: Isa>(a: Z, b: Z) -> Z {
        a.pow(b)
    }
}

impl<Z: element::Complexes> Map1<Complexes, Z> for Rsqrt {
    type Out = Z;
    #[inline(always)]
    fn map<I: Isa>(x: Z) -> Z {
        Z::ONE.div(of_one(x, Z::sqrt_each::<I>))
    }
}

impl Define for Pow {
    const RECORD: Record = Record {
        name: "pow",
        summary: "The power. Integers wrap; a negative one of 1 or -1 is 1 or -1, and of another integer 0.",
        names: Names { array_api: "pow", onnx: "Pow", openvino: "Power", stablehlo: "power", hlo: "power" },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(numbers2::<Pow>),
        laws: &[Law::Neutral(1.0)],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers; exact for integers",
        // Where the base or the exponent is 0, one factor of a derivative may be infinite; the derivative is 0 there. What is
        // not chosen is finite too: it is differentiated as well.
        gradient: Some(|g, x, y, d| {
            chain(g, (x, y, d), |[a, b], y| {
                let (zero, one) = (a.number(0.0), a.number(1.0));
                let counts = a.reciprocal().isfinite().logical_or(b.not_equal(zero));
                let by_base = b * counts.select(a, one).pow(b - 1.0);
                let is_zero = a.equal(zero);
                let by_exponent = is_zero.select(zero, y * is_zero.select(one, a).log());
                [by_base, by_exponent]
            })
        }),
        examples: &[
            "f32: 2, 0.5 -> 1.4142135",
            "f32: nan, 0 -> 1",
            "f32: -8, 0.5 -> nan",
            "f32: -0, -3 -> -inf",
            "i8: 3, 5 -> -13",
            "i32: 2, -1 -> 0",
            "i32: -1, -3 -> -1",
            "c64: 1+2j, 2+1j -> -1.6401011+0.2020504j",
        ],
    };
}

impl Define for Sqrt {
    const RECORD: Record = Record {
        name: "sqrt",
        summary: "The square root.",
        names: Names { array_api: "sqrt", onnx: "Sqrt", openvino: "Sqrt", stablehlo: "sqrt", hlo: "sqrt" },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Sqrt>),
        laws: &[],
        accuracy: "rounded once; a few ULP for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [0.5 / y])),
        examples: &[
            "f32: 2 -> 1.4142135",
            "f32: -0 -> -0",
            "f32: -1 -> nan",
            "c64: 1+2j -> 1.2720196+0.78615135j",
        ],
    };
}

impl Define for Rsqrt {
    const RECORD: Record = Record {
        name: "rsqrt",
        summary: "1 divided by the square root.",
        names: Names { stablehlo: "rsqrt", hlo: "rsqrt", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(analytic1::<Rsqrt>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; a few for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], y| [-0.5 * y / x])),
        examples: &["f32: 4 -> 0.5", "f32: 0 -> inf", "f32: inf -> 0", "f32: -1 -> nan", "c64: -4 -> -0.5j"],
    };
}

impl Define for Cbrt {
    const RECORD: Record = Record {
        name: "cbrt",
        summary: "The cube root.",
        names: Names { stablehlo: "cbrt", hlo: "cbrt", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<Cbrt>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[_], y| [y.square().reciprocal() * (1.0 / 3.0)])),
        examples: &["f32: 2 -> 1.2599211", "f32: -27 -> -3", "f32: -0 -> -0", "f32: inf -> inf"],
    };
}

impl Define for Hypot {
    const RECORD: Record = Record {
        name: "hypot",
        summary: "The square root of the sum of squares, without overflow on the way.",
        names: Names { array_api: "hypot", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(floats2::<Hypot>),
        laws: &[Law::Commutative],
        accuracy: "1 ULP in f32, 2 in f64",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[a, b], y| [a / y, b / y])),
        examples: &[
            "f32: 3, -4 -> 5",
            "f32: inf, nan -> inf",
            "f32: 1e30, 1e30 -> 1.4142135e30",
            "f32: 0, -0 -> 0",
        ],
    };
}

#[cfg(test)]
mod tests {
    use bytemuck::{Pod, cast_slice, cast_slice_mut};

    use crate::dtype::DType;
    use crate::kernel::BLOCK;
    use crate::op::Op;

    fn powers<T: Pod>(dtype: DType, bases: &[T], exponents: &[T]) -> Vec<u8> {
        let mut powers = bases.to_vec();
        let arguments = [cast_slice(bases), cast_slice(exponents)];
        Op::Pow.kernel(dtype).unwrap().run(&arguments, cast_slice_mut(&mut powers));
        cast_slice(&powers).to_vec()
    }

    /// An exponent beside itself alone, and beside others, in a block and behind the last one.
    fn check<T: Pod + From<i8>>(dtype: DType, bases: &[T]) {
        for exponent in [2, 3, 4] {
            let alone = powers(dtype, bases, &vec![T::from(exponent); bases.len()]);
            for other in [0, 1, 2, 3, 4, 5] {
                let exponent_at =
                    |place: usize| T::from(if place.is_multiple_of(3) { exponent } else { other });
                let exponents: Vec<T> = (0..bases.len()).map(exponent_at).collect();
                let beside = powers(dtype, bases, &exponents);
                let mut both = alone.chunks(size_of::<T>()).zip(beside.chunks(size_of::<T>())).step_by(3);
                assert!(both.all(|(alone, beside)| alone == beside), "{dtype}: {exponent} beside {other}");
            }
        }
    }

    #[test]
    fn a_power_does_not_depend_on_what_is_beside_it() {
        let numbers = || (-90..90i8).take(2 * BLOCK + 7);
        check(DType::I8, &numbers().collect::<Vec<i8>>());
        check(DType::I32, &numbers().map(|n| i32::from(n) * 1001).collect::<Vec<i32>>());
        check(DType::F32, &numbers().map(|n| f32::from(n) * 0.37).collect::<Vec<f32>>());
        check(DType::F64, &numbers().map(|n| f64::from(n) * 0.37).collect::<Vec<f64>>());
    }
}
