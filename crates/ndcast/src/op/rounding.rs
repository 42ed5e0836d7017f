//! Floats rounded to whole numbers, or to fewer digits. Integers are whole already.

use super::{Argument, Body, Define, Law, Names, Record, ResultType, X};
use crate::element::{self, Float, Integer, Number};
use crate::kernel::{Complexes, Floats, Integers, Map1, Map3, floats3, numbers1, reals1};
use crate::math::FloatMath;
use crate::simd::Isa;

functions! { floats1 Floor floor Ceil ceil Trunc trunc Round round_even RoundAway round_away }

macro_rules! whole {
    ($($op:ident)*) => {$(
        impl<T: Integer> Map1<Integers, T> for $op {
            type Out = T;
            #[inline(always)]
            fn map<I: Isa>(x: T) -> T { x }
        }
    )*};
}

whole! { Floor Ceil Trunc Round RoundAway }

impl Define for Floor {
    const RECORD: Record = Record {
        name: "floor",
        summary: "Rounded down to a whole number.",
        names: Names {
            array_api: "floor",
            onnx: "Floor",
            openvino: "Floor",
            stablehlo: "floor",
            hlo: "floor",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(reals1::<Floor>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: -1.5 -> -2", "f32: -0 -> -0", "f32: -0.5 -> -1", "i8: -3 -> -3", "f32: inf -> inf"],
    };
}

impl Define for Ceil {
    const RECORD: Record = Record {
        name: "ceil",
        summary: "Rounded up to a whole number.",
        names: Names { array_api: "ceil", onnx: "Ceil", openvino: "Ceiling", stablehlo: "ceil", hlo: "ceil" },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(reals1::<Ceil>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: 1.5 -> 2", "f32: -0.5 -> -0", "f32: nan -> nan", "u8: 3 -> 3"],
    };
}

impl Define for Trunc {
    const RECORD: Record = Record {
        name: "trunc",
        summary: "Rounded towards 0 to a whole number.",
        names: Names { array_api: "trunc", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(reals1::<Trunc>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: -1.5 -> -1", "f32: -0.5 -> -0", "f32: 1e30 -> 1e30", "i8: -3 -> -3"],
    };
}

impl<Z: element::Complexes> Map1<Complexes, Z> for Round {
    type Out = Z;
    #[inline(always)]
    fn map<I: Isa>(x: Z) -> Z {
        Z::new(x.re().round_even::<I>(), x.im().round_even::<I>())
    }
}

impl Define for Round {
    const RECORD: Record = Record {
        name: "round",
        summary: "The nearest whole number, ties to even; each part of a complex number.",
        names: Names {
            array_api: "round",
            onnx: "Round",
            openvino: "Round",
            stablehlo: "round_nearest_even",
            hlo: "round-nearest-even",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(numbers1::<Round>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "f32: 2.5 -> 2",
            "f32: 3.5 -> 4",
            "f32: -0.5 -> -0",
            "c64: 0.5-1.5j -> 0-2j",
            "f32: -inf -> -inf",
        ],
    };
}

impl Define for RoundAway {
    const RECORD: Record = Record {
        name: "round_away",
        summary: "The nearest whole number, ties away from 0.",
        names: Names {
            openvino: "Round[mode=half_away_from_zero]",
            stablehlo: "round_nearest_afz",
            hlo: "round-nearest-afz",
            ..Names::NONE
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(reals1::<RoundAway>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: 2.5 -> 3", "f32: -2.5 -> -3", "f32: -0.25 -> -0", "f32: 0.49999997 -> 0"],
    };
}

/// Fewer bits.
pub(super) struct ReducePrecision;

impl<T: Float> Map3<Floats, T> for ReducePrecision {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T, exponent: T, mantissa: T) -> T {
        let one = T::Bits::ONE;
        let (exponent, mantissa) = (exponent.to_u32().max(1), mantissa.to_u32().min(T::DIGITS));
        let bits = x.bits();

        // Half a unit of the last bit that stays is added, less a bit unless that is odd: a tie goes to the even one.
        // A carry into the exponent is as it should be.
        let dropped = T::DIGITS - mantissa;
        let last = bits.right_zeros(dropped) & one;
        let half = one.left(dropped).right_zeros(1);
        let up = if dropped == 0 { T::Bits::ZERO } else { half.sub(one).add(last) };
        let rounded = bits.add(up) & !one.left(dropped).sub(one);

        let all = T::Bits::BITS - 1 - T::DIGITS;
        let sign = bits & T::ZERO.neg().bits();
        let power = rounded.right_zeros(T::DIGITS) & one.left(all).sub(one);
        let (middle, range) = (one.left(all - 1).sub(one), one.left(exponent.min(all) - 1).sub(one));
        if x.is_nan() {
            x
        } else if exponent >= all {
            T::from_bits(rounded)
        } else if power > middle.add(range) {
            T::from_bits(sign | T::GREATEST.bits())
        } else if power <= middle.sub(range) {
            T::from_bits(sign)
        } else {
            T::from_bits(rounded)
        }
    }
}

impl Define for ReducePrecision {
    const RECORD: Record = Record {
        name: "reduce_precision",
        summary: "Rounded to a format with so many bits of exponent and mantissa, and no subnormals.",
        names: Names { stablehlo: "reduce_precision", hlo: "reduce-precision", ..Names::NONE },
        arguments: &[
            Argument::array("x"),
            Argument::array("exponent_bits"),
            Argument::array("mantissa_bits"),
        ],
        result: ResultType::Same,
        body: Body::Direct(floats3::<ReducePrecision>),
        laws: &[],
        accuracy: "exact",
        // As if it did not round: it stands for a type of less precision, and that of a conversion is this.
        gradient: Some(|_, _, _, d| vec![Some(d), None, None]),
        examples: &[
            "f32: 1.1, 5, 10 -> 1.0996094",
            "f32: 1.1, 8, 7 -> 1.1015625",
            "f32: 70000, 5, 10 -> inf",
            "f32: -1e-20, 5, 10 -> -0",
            "f32: 0.75, 2, 1 -> 0",
            "f64: 65520, 5, 10 -> inf",
            "f32: nan, 4, 3 -> nan",
        ],
    };
}
