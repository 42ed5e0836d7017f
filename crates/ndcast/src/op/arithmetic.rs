//! Sums, differences, products, and what is made of them.

use super::term::chain;
use super::{Body, Define, Law, Names, Op, Record, ResultType, X, X1_X2};
use crate::element::{Integer, Number};
use crate::kernel::{
    HalfSign, Halves, Integers, Map1, Map2, half_signs, integers2, numbers1, rounded2, wrapping2,
};
use crate::simd::Isa;

/// `x1 + x2`.
pub(crate) struct Add;

impl<C, T: Number> Map2<C, T> for Add {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.add(b)
    }
}

impl Define for Add {
    const RECORD: Record = Record {
        name: "add",
        summary: "The sum. Integers wrap.",
        names: Names { array_api: "add", onnx: "Add Sum", openvino: "Add", stablehlo: "add", hlo: "add" },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(|d| wrapping2::<Add>(d).or_else(|| rounded2::<Add>(d))),
        laws: &[Law::Commutative, Law::Associative, Law::Neutral(0.0)],
        accuracy: "rounded once",
        gradient: Some(|_, _, _, d| vec![Some(d), Some(d)]),
        examples: &[
            "f32: 2, 3 -> 5",
            "i8: 100, 100 -> -56",
            "c64: 1+2j, 3 -> 4+2j",
            "f16: 2048, 1 -> 2048",
            "f32: inf, -inf -> nan",
        ],
    };
}

/// `x1 - x2`.
pub(super) struct Subtract;

impl<C, T: Number> Map2<C, T> for Subtract {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.sub(b)
    }
}

impl Define for Subtract {
    const RECORD: Record = Record {
        name: "subtract",
        summary: "The difference. Integers wrap.",
        names: Names {
            array_api: "subtract",
            onnx: "Sub",
            openvino: "Subtract",
            stablehlo: "subtract",
            hlo: "subtract",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(|d| wrapping2::<Subtract>(d).or_else(|| rounded2::<Subtract>(d))),
        laws: &[Law::Neutral(0.0)],
        accuracy: "rounded once",
        gradient: Some(|g, _, _, d| vec![Some(d), Some(g.apply(Op::Negative, &[d]))]),
        examples: &["f32: 2, 3 -> -1", "u8: 2, 3 -> 255", "c64: 1+2j, 3 -> -2+2j", "f32: inf, inf -> nan"],
    };
}

/// `x1 * x2`.
pub(crate) struct Multiply;

impl<C, T: Number> Map2<C, T> for Multiply {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.mul(b)
    }
    const EACH: bool = T::PRODUCTS;
    #[inline(always)]
    fn each<I: Isa, const V: usize>(a: &[T; V], b: &[T; V], to: &mut [T; V]) {
        T::products::<I, V>(a, b, to);
    }
}

impl Define for Multiply {
    const RECORD: Record = Record {
        name: "multiply",
        summary: "The product. Integers wrap.",
        names: Names {
            array_api: "multiply",
            onnx: "Mul",
            openvino: "Multiply",
            stablehlo: "multiply",
            hlo: "multiply",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(|d| wrapping2::<Multiply>(d).or_else(|| rounded2::<Multiply>(d))),
        laws: &[Law::Commutative, Law::Associative, Law::Neutral(1.0), Law::Twice(Op::Square)],
        accuracy: "rounded once; each part of a complex number is a sum of two rounded products",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[a, b], _| [b, a])),
        examples: &[
            "f32: 2, 3 -> 6",
            "i8: 64, 3 -> -64",
            "c64: 1+2j, 3-1j -> 5+5j",
            "f32: 0, -2 -> -0",
            "f32: 0, inf -> nan",
        ],
    };
}

/// The upper half of the product.
pub(super) struct MultiplyHigh;

impl<T: Integer> Map2<Integers, T> for MultiplyHigh {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.upper_mul(b)
    }
}

impl Define for MultiplyHigh {
    const RECORD: Record = Record {
        name: "multiply_high",
        summary: "The upper half of the product of integers, which has twice their bits.",
        names: Names { stablehlo: "chlo.mulhi", hlo: "mulhi", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(integers2::<MultiplyHigh>),
        laws: &[Law::Commutative],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 100, 100 -> 39", "i8: -128, 2 -> -1", "i32: 65536, 65536 -> 1", "i8: 3, 3 -> 0"],
    };
}

/// `-x`.
pub(super) struct Negative;

impl<C, T: Number> Map1<C, T> for Negative {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        x.neg()
    }
}

impl Map1<Halves, HalfSign> for Negative {
    type Out = HalfSign;
    #[inline(always)]
    fn map<I: Isa>(x: HalfSign) -> HalfSign {
        x.negated()
    }
}

impl Define for Negative {
    const RECORD: Record = Record {
        name: "negative",
        summary: "The negated number. Integers wrap.",
        names: Names {
            array_api: "negative",
            onnx: "Neg",
            openvino: "Negative",
            stablehlo: "negate",
            hlo: "negate",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(|d| numbers1::<Negative>(d).or_else(|| half_signs::<Negative>(d))),
        laws: &[Law::Involution],
        accuracy: "exact",
        gradient: Some(|g, _, _, d| vec![Some(g.apply(Op::Negative, &[d]))]),
        examples: &["f32: 0 -> -0", "i8: -128 -> -128", "u8: 1 -> 255", "c64: 1-2j -> -1+2j"],
    };
}

/// `x`.
pub(super) struct Positive;

impl<C, T: Number> Map1<C, T> for Positive {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        x
    }
}

impl Define for Positive {
    const RECORD: Record = Record {
        name: "positive",
        summary: "The number as it is.",
        names: Names { array_api: "positive", onnx: "Identity", hlo: "copy", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(|d| crate::kernel::truths1::<Positive>(d).or(numbers1::<Positive>(d))),
        laws: &[Law::Idempotent, Law::Involution],
        accuracy: "exact",
        gradient: Some(|_, _, _, d| vec![Some(d)]),
        examples: &["f32: -0 -> -0", "i8: -3 -> -3", "c64: 1-2j -> 1-2j", "bool: true -> true"],
    };
}

/// `x * x`.
pub(super) struct Square;

impl<C, T: Number> Map1<C, T> for Square {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        x.mul(x)
    }
}

impl Define for Square {
    const RECORD: Record = Record {
        name: "square",
        summary: "The number times itself. Integers wrap.",
        names: Names { array_api: "square", stablehlo: "chlo.square", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(numbers1::<Square>),
        laws: &[],
        accuracy: "rounded once; each part of a complex number is a sum of two rounded products",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [2.0 * x])),
        examples: &["f32: -3 -> 9", "i8: 12 -> -112", "c64: 1+2j -> -3+4j", "f32: -inf -> inf"],
    };
}

/// `(x1 - x2) * (x1 - x2)`.
pub(super) struct SquaredDifference;

impl<C, T: Number> Map2<C, T> for SquaredDifference {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        let difference = a.sub(b);
        difference.mul(difference)
    }
}

impl Define for SquaredDifference {
    const RECORD: Record = Record {
        name: "squared_difference",
        summary: "The square of the difference. Integers wrap.",
        names: Names { openvino: "SquaredDifference", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(wrapping2::<SquaredDifference>),
        laws: &[Law::Commutative],
        accuracy: "2 roundings",
        gradient: Some(|g, x, y, d| {
            chain(g, (x, y, d), |[a, b], _| {
                let twice = 2.0 * (a - b);
                [twice, -twice]
            })
        }),
        examples: &["f32: 1, 4 -> 9", "u8: 1, 4 -> 9", "f32: inf, inf -> nan"],
    };
}
