//! What concerns the sign of a number, and its neighbours.

use super::term::chain;
use super::{Body, Define, Law, Names, Record, ResultType, X, X1_X2};
use crate::element::{self, Float, Integer, Number, Real};
use crate::kernel::{
    Complexes, Floats, HalfSign, Halves, Integers, Map1, Map2, floats1, floats2, half_signs, numbers1,
};
use crate::math::FloatMath;
use crate::simd::Isa;

functions! { floats2 Nextafter next_after }

/// `|x|`.
pub(super) struct Abs;

impl<T: Integer> Map1<Integers, T> for Abs {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        x.abs()
    }
}

impl<T: Float> Map1<Floats, T> for Abs {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        x.copysign::<I>(T::ONE)
    }
}

impl<Z: element::Complexes> Map1<Complexes, Z> for Abs {
    type Out = Z::Part;
    #[inline(always)]
    fn map<I: Isa>(x: Z) -> Z::Part {
        x.re().hypot::<I>(x.im())
    }
}

impl Map1<Halves, HalfSign> for Abs {
    type Out = HalfSign;
    #[inline(always)]
    fn map<I: Isa>(x: HalfSign) -> HalfSign {
        x.without()
    }
}

impl Define for Abs {
    const RECORD: Record = Record {
        name: "abs",
        summary: "The absolute value. The least integer of a type stays what it is.",
        names: Names { array_api: "abs", onnx: "Abs", openvino: "Abs", stablehlo: "abs", hlo: "abs" },
        arguments: X,
        result: ResultType::Part,
        body: Body::Kernel(|d| numbers1::<Abs>(d).or_else(|| half_signs::<Abs>(d))),
        laws: &[Law::Idempotent],
        accuracy: "exact; 1 ULP for complex numbers",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [x.sign()])),
        examples: &["i8: -128 -> -128", "f32: -0 -> 0", "c64: 3-4j -> 5", "c64: nan-infj -> inf"],
    };
}

/// 1, 0 or -1.
pub(super) struct Sign;

impl<T: Integer> Map1<Integers, T> for Sign {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        if x < T::ZERO { T::ZERO.sub(T::ONE) } else { Real::min(x, T::ONE) }
    }
}

impl<T: Float> Map1<Floats, T> for Sign {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        // Adding 0 makes a zero of either sign 0.
        if x == T::ZERO || x.is_nan() { x.add(T::ZERO) } else { T::ONE.copysign::<I>(x) }
    }
}

impl<Z: element::Complexes> Map1<Complexes, Z> for Sign {
    type Out = Z;
    #[inline(always)]
    fn map<I: Isa>(x: Z) -> Z {
        if x == Z::ZERO {
            return Z::ZERO;
        }
        let (mut re, mut im) = (x.re(), x.im());
        let mut length = re.hypot::<I>(im);
        // Of parts that are finite it may be none: that of their halves is.
        if length == length.add(length) {
            let two = Z::Part::ONE.add(Z::Part::ONE);
            (re, im) = (re.div(two), im.div(two));
            length = re.hypot::<I>(im);
        }
        Z::new(re.div(length), im.div(length))
    }
}

impl Define for Sign {
    const RECORD: Record = Record {
        name: "sign",
        summary: "1 above 0 and -1 below; 0 of a zero of either sign, and a NaN itself. Of a complex number z / |z|.",
        names: Names { array_api: "sign", onnx: "Sign", openvino: "Sign", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(numbers1::<Sign>),
        laws: &[Law::Idempotent],
        accuracy: "exact; 2 ULP for complex numbers",
        gradient: None,
        examples: &[
            "i8: -128 -> -1",
            "u8: 7 -> 1",
            "f32: -0 -> 0",
            "f32: nan -> nan",
            "c64: 3-4j -> 0.6-0.8j",
            "c64: 3e38+3e38j -> 0.70710677+0.70710677j",
            "c64: 0 -> 0",
        ],
    };
}

/// The sign, where a zero stays as it is.
pub(super) struct SignKeepingZero;

impl<T: Integer> Map1<Integers, T> for SignKeepingZero {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        <Sign as Map1<Integers, T>>::map::<I>(x)
    }
}

impl<T: Float> Map1<Floats, T> for SignKeepingZero {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        if x == T::ZERO || x.is_nan() { x } else { T::ONE.copysign::<I>(x) }
    }
}

impl<Z: element::Complexes> Map1<Complexes, Z> for SignKeepingZero {
    type Out = Z;
    #[inline(always)]
    fn map<I: Isa>(x: Z) -> Z {
        if x == Z::ZERO { x } else { <Sign as Map1<Complexes, Z>>::map::<I>(x) }
    }
}

impl Define for SignKeepingZero {
    const RECORD: Record = Record {
        name: "sign_keeping_zero",
        summary: "The sign, but of a zero the zero itself with its sign.",
        // The Array API says that it is 0 of either zero; XLA keeps their signs.
        names: Names { stablehlo: "sign", hlo: "sign", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(numbers1::<SignKeepingZero>),
        laws: &[Law::Idempotent],
        accuracy: "exact; 2 ULP for complex numbers",
        gradient: None,
        examples: &[
            "i8: -128 -> -1",
            "f32: -0 -> -0",
            "f32: nan -> nan",
            "c64: 3-4j -> 0.6-0.8j",
            "c64: 3e38+3e38j -> 0.70710677+0.70710677j",
            "c64: 0 -> 0",
        ],
    };
}

/// Whether the sign bit is set.
pub(super) struct Signbit;

impl<T: Float> Map1<Floats, T> for Signbit {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> u8 {
        u8::from(x.bits().leading_zeros() == 0)
    }
}

impl Define for Signbit {
    const RECORD: Record = Record {
        name: "signbit",
        summary: "Whether the sign is negative, that of a zero or of a NaN too.",
        names: Names { array_api: "signbit", ..Names::NONE },
        arguments: X,
        result: ResultType::Truth,
        body: Body::Kernel(floats1::<Signbit>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: -0 -> true", "f32: 0 -> false", "f32: -inf -> true", "f16: -1 -> true"],
    };
}

pub(super) struct Copysign;

impl<T: Float> Map2<Floats, T> for Copysign {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.copysign::<I>(b)
    }
}

impl Define for Copysign {
    const RECORD: Record = Record {
        name: "copysign",
        summary: "The magnitude of the first number with the sign of the second.",
        names: Names { array_api: "copysign", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(floats2::<Copysign>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        // The magnitude changes sign with each of the two signs; the second number itself does not matter.
        gradient: Some(|g, x, y, d| {
            chain(g, (x, y, d), |[a, b], _| {
                let one = a.number(1.0);
                [one.copysign(a) * one.copysign(b), a.number(0.0)]
            })
        }),
        examples: &["f32: 3, -0 -> -3", "f32: -3, 1 -> 3", "f32: 0, -1 -> -0", "f32: -inf, 2 -> inf"],
    };
}

impl Define for Nextafter {
    const RECORD: Record = Record {
        name: "nextafter",
        summary: "The float next to the first one towards the second; the second if they are equal.",
        names: Names { array_api: "nextafter", stablehlo: "chlo.next_after", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Direct(floats2::<Nextafter>),
        laws: &[Law::Idempotent],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "f32: 1, 2 -> 1.0000001",
            "f32: 0, -1 -> -1e-45",
            "f32: 0, -0 -> -0",
            "f64: 1, 0 -> 0.9999999999999999",
            "f32: 1, nan -> nan",
        ],
    };
}
