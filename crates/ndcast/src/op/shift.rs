//! Shifts of the bits of integers.
//!
//! By a negative number of bits, or by as many as there are or more, everything is shifted out, as in StableHLO; the
//! Array API leaves that open. What comes in from the left is the sign, or zeros; which of them for which types is an
//! operation of its own. A negative number of bits is, without a sign, more than there are: so the kernels are those of the same bits
//! with a sign or without.

use super::{Body, Define, Law, Names, Record, ResultType, X1_X2};
use crate::element::Integer;
use crate::kernel::{Integers, Map2, integers2, signed2, words2};
use crate::simd::Isa;

/// `x1 << x2`.
pub(super) struct BitwiseLeftShift;

impl<T: Integer> Map2<Integers, T> for BitwiseLeftShift {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        b.shift().map_or(T::ZERO, |bits| a.left(bits))
    }
}

impl Define for BitwiseLeftShift {
    const RECORD: Record = Record {
        name: "bitwise_left_shift",
        summary: "The bits moved to the left; 0 if by as many as there are.",
        names: Names {
            array_api: "bitwise_left_shift",
            onnx: "BitShift[direction=LEFT]",
            openvino: "BitwiseLeftShift",
            stablehlo: "shift_left",
            hlo: "shift-left",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(words2::<BitwiseLeftShift>),
        laws: &[Law::Neutral(0.0)],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "u8: 3, 2 -> 12",
            "u8: 255, 1 -> 254",
            "u8: 1, 8 -> 0",
            "i8: -1, 7 -> -128",
            "i8: 1, -1 -> 0",
        ],
    };
}

/// `x1 >> x2`.
pub(super) struct BitwiseRightShift;

impl<T: Integer> Map2<Integers, T> for BitwiseRightShift {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        // All bits out of a signed number leave its sign, as all but one do.
        let all = if T::SIGNED { a.right(T::BITS - 1) } else { T::ZERO };
        b.shift().map_or(all, |bits| a.right(bits))
    }
}

impl Define for BitwiseRightShift {
    const RECORD: Record = Record {
        name: "bitwise_right_shift",
        summary: "The bits moved to the right; the sign comes in, and zeros into a number without one.",
        names: Names {
            array_api: "bitwise_right_shift",
            onnx: "BitShift[direction=RIGHT]",
            openvino: "BitwiseRightShift",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(integers2::<BitwiseRightShift>),
        laws: &[Law::Neutral(0.0)],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 200, 1 -> 100", "i8: -56, 1 -> -28", "i8: -1, 100 -> -1", "u8: 200, 8 -> 0"],
    };
}

/// `x1 >> x2`, with the highest bit from the left.
pub(super) struct ShiftRightArithmetic;

impl Define for ShiftRightArithmetic {
    const RECORD: Record = Record {
        name: "shift_right_arithmetic",
        summary: "The bits moved to the right; the highest one comes in, also where it is no sign.",
        names: Names { stablehlo: "shift_right_arithmetic", hlo: "shift-right-arithmetic", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(signed2::<BitwiseRightShift>),
        laws: &[Law::Neutral(0.0)],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "u8: 200, 1 -> 228",
            "i8: -56, 1 -> -28",
            "i8: -56, -1 -> -1",
            "u8: 200, 9 -> 255",
            "u8: 100, 9 -> 0",
        ],
    };
}

/// `x1 >> x2`, with zeros from the left.
pub(super) struct ShiftRightLogical;

impl Define for ShiftRightLogical {
    const RECORD: Record = Record {
        name: "shift_right_logical",
        summary: "The bits moved to the right; zeros come in, also where there is a sign.",
        names: Names { stablehlo: "shift_right_logical", hlo: "shift-right-logical", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(words2::<BitwiseRightShift>),
        laws: &[Law::Neutral(0.0)],
        accuracy: "exact",
        gradient: None,
        examples: &["u8: 200, 1 -> 100", "i8: -1, 1 -> 127", "i8: -1, 8 -> 0", "i32: -1, 28 -> 15"],
    };
}
