//! Integers as rows of bits; truth values are one bit.

use super::{Body, Define, Law, Names, Record, ResultType, X, X1_X2};
use crate::element::Integer;
use crate::kernel::{Integers, Map1, Map2, Truths, bits1, bits2, integers1};
use crate::simd::Isa;

macro_rules! of_bits {
    ($($op:ident $operator:tt;)*) => {$(
        pub(super) struct $op;
        impl Map2<Truths, u8> for $op {
            type Out = u8;
            #[inline(always)]
            fn map<I: Isa>(a: u8, b: u8) -> u8 { a $operator b }
        }
        impl<T: Integer> Map2<Integers, T> for $op {
            type Out = T;
            #[inline(always)]
            fn map<I: Isa>(a: T, b: T) -> T { a $operator b }
        }
    )*};
}

of_bits! {
    BitwiseAnd &;
    BitwiseOr |;
    BitwiseXor ^;
}

impl Define for BitwiseAnd {
    const RECORD: Record = Record {
        name: "bitwise_and",
        summary: "Bitwise and.",
        names: Names {
            array_api: "bitwise_and",
            onnx: "BitwiseAnd",
            openvino: "BitwiseAnd",
            stablehlo: "and",
            hlo: "and",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(bits2::<BitwiseAnd>),
        laws: &[Law::Commutative, Law::Associative, Law::Idempotent],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 12, 10 -> 8", "i8: -1, 5 -> 5", "bool: true, false -> false"],
    };
}

impl Define for BitwiseOr {
    const RECORD: Record = Record {
        name: "bitwise_or",
        summary: "Bitwise or.",
        names: Names {
            array_api: "bitwise_or",
            onnx: "BitwiseOr",
            openvino: "BitwiseOr",
            stablehlo: "or",
            hlo: "or",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(bits2::<BitwiseOr>),
        laws: &[Law::Commutative, Law::Associative, Law::Idempotent, Law::Neutral(0.0)],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 12, 10 -> 14", "i8: -128, 1 -> -127", "bool: true, false -> true"],
    };
}

impl Define for BitwiseXor {
    const RECORD: Record = Record {
        name: "bitwise_xor",
        summary: "Bitwise exclusive or.",
        names: Names {
            array_api: "bitwise_xor",
            onnx: "BitwiseXor",
            openvino: "BitwiseXor",
            stablehlo: "xor",
            hlo: "xor",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(bits2::<BitwiseXor>),
        laws: &[Law::Commutative, Law::Associative, Law::Neutral(0.0)],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 12, 10 -> 6", "i8: -1, 5 -> -6", "bool: true, true -> false"],
    };
}

/// The other bits.
pub(super) struct BitwiseInvert;

impl Map1<Truths, u8> for BitwiseInvert {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: u8) -> u8 {
        x ^ 1
    }
}

impl<T: Integer> Map1<Integers, T> for BitwiseInvert {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        !x
    }
}

impl Define for BitwiseInvert {
    const RECORD: Record = Record {
        name: "bitwise_invert",
        summary: "Bitwise complement.",
        names: Names {
            array_api: "bitwise_invert",
            onnx: "BitwiseNot",
            openvino: "BitwiseNot",
            stablehlo: "not",
            hlo: "not",
        },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(bits1::<BitwiseInvert>),
        laws: &[Law::Involution],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 5 -> 250", "i8: 5 -> -6", "bool: true -> false"],
    };
}

/// How many bits are set.
pub(super) struct CountOnes;

impl<T: Integer> Map1<Integers, T> for CountOnes {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        T::wrap_u32(x.ones())
    }
}

impl Define for CountOnes {
    const RECORD: Record = Record {
        name: "count_ones",
        summary: "How many bits are set.",
        names: Names { stablehlo: "popcnt", hlo: "popcnt", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(integers1::<CountOnes>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 13 -> 3", "i8: -1 -> 8", "i64: -1 -> 64"],
    };
}

/// How many bits above the highest one that is set.
pub(super) struct CountLeadingZeros;

impl<T: Integer> Map1<Integers, T> for CountLeadingZeros {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        T::wrap_u32(x.leading_zeros())
    }
}

impl Define for CountLeadingZeros {
    const RECORD: Record = Record {
        name: "count_leading_zeros",
        summary: "How many leading bits are 0.",
        names: Names { stablehlo: "count_leading_zeros", hlo: "count-leading-zeros", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(integers1::<CountLeadingZeros>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 13 -> 4", "i8: 0 -> 8", "i32: -1 -> 0", "u64: 1 -> 63"],
    };
}
