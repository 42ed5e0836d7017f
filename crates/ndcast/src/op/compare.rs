//! Comparisons, which give truth values: as IEEE 754 orders floats, and in its total order.
//!
//! In the total order every float has a place, as its bits say: -NaN, -infinity, ..., -0, 0, ..., infinity, NaN. Complex
//! numbers are equal or not, and have no order.

use super::{Body, Define, Law, Names, Record, ResultType, X1_X2};
use crate::element::{Float, Integer, Number, Real};
use crate::kernel::{Floats, Map2, equality2, floats2, ordered2};
use crate::simd::Isa;

macro_rules! comparisons {
    ($($op:ident $trait:ident $operator:tt;)*) => {$(
        pub(super) struct $op;
        impl<C, T: $trait> Map2<C, T> for $op {
            type Out = u8;
            #[inline(always)]
            fn map<I: Isa>(a: T, b: T) -> u8 { u8::from(a $operator b) }
        }
    )*};
}

comparisons! {
    Equal Number ==;
    NotEqual Number !=;
    Less Real <;
    LessEqual Real <=;
    Greater Real >;
    GreaterEqual Real >=;
}

macro_rules! total_comparisons {
    ($($op:ident $operator:tt;)*) => {$(
        pub(super) struct $op;
        impl<T: Float> Map2<Floats, T> for $op {
            type Out = u8;
            #[inline(always)]
            fn map<I: Isa>(a: T, b: T) -> u8 { u8::from(place(a) $operator place(b)) }
        }
    )*};
}

total_comparisons! {
    TotalEqual ==;
    TotalNotEqual !=;
    TotalLess <;
    TotalLessEqual <=;
    TotalGreater >;
    TotalGreaterEqual >=;
}

/// Where a float is in the total order: negative ones are from the least bits down, positive ones from the middle up.
#[inline(always)]
fn place<T: Float>(x: T) -> T::Bits {
    let bits = x.bits();
    if bits.leading_zeros() == 0 { !bits } else { bits | T::ZERO.neg().bits() }
}

impl Define for Equal {
    const RECORD: Record = Record {
        name: "equal",
        summary: "Whether they are equal. A NaN equals nothing.",
        names: Names {
            array_api: "equal",
            onnx: "Equal",
            openvino: "Equal",
            stablehlo: "compare[EQ]",
            hlo: "compare[direction=EQ]",
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(equality2::<Equal>),
        laws: &[Law::Commutative],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "f32: 0, -0 -> true",
            "f32: nan, nan -> false",
            "c64: 1+2j, 1+2j -> true",
            "bool: true, false -> false",
        ],
    };
}

impl Define for NotEqual {
    const RECORD: Record = Record {
        name: "not_equal",
        summary: "Whether they differ. A NaN differs from everything.",
        names: Names {
            array_api: "not_equal",
            openvino: "NotEqual",
            stablehlo: "compare[NE]",
            hlo: "compare[direction=NE]",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(equality2::<NotEqual>),
        laws: &[Law::Commutative],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "f32: 0, -0 -> false",
            "f32: nan, nan -> true",
            "c64: 1+2j, 1-2j -> true",
            "u8: 3, 3 -> false",
        ],
    };
}

impl Define for Less {
    const RECORD: Record = Record {
        name: "less",
        summary: "Whether the first is less. False is less than true; a NaN is not.",
        names: Names {
            array_api: "less",
            onnx: "Less",
            openvino: "Less",
            stablehlo: "compare[LT]",
            hlo: "compare[direction=LT]",
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(ordered2::<Less>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "f32: -0, 0 -> false",
            "i8: -1, 1 -> true",
            "f32: nan, 1 -> false",
            "bool: false, true -> true",
        ],
    };
}

impl Define for LessEqual {
    const RECORD: Record = Record {
        name: "less_equal",
        summary: "Whether the first is less or equal. A NaN is not.",
        names: Names {
            array_api: "less_equal",
            onnx: "LessOrEqual",
            openvino: "LessEqual",
            stablehlo: "compare[LE]",
            hlo: "compare[direction=LE]",
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(ordered2::<LessEqual>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: 0, -0 -> true", "u8: 200, 100 -> false", "f32: nan, nan -> false"],
    };
}

impl Define for Greater {
    const RECORD: Record = Record {
        name: "greater",
        summary: "Whether the first is greater. Of truth values true is; a NaN is not.",
        names: Names {
            array_api: "greater",
            onnx: "Greater",
            openvino: "Greater",
            stablehlo: "compare[GT]",
            hlo: "compare[direction=GT]",
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(ordered2::<Greater>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &[
            "f32: 0, -0 -> false",
            "i8: 1, -1 -> true",
            "f32: nan, 1 -> false",
            "f32: inf, 1 -> true",
        ],
    };
}

impl Define for GreaterEqual {
    const RECORD: Record = Record {
        name: "greater_equal",
        summary: "Whether the first is greater or equal. A NaN is not.",
        names: Names {
            array_api: "greater_equal",
            onnx: "GreaterOrEqual",
            openvino: "GreaterEqual",
            stablehlo: "compare[GE]",
            hlo: "compare[direction=GE]",
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(ordered2::<GreaterEqual>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: -0, 0 -> true", "u8: 200, 100 -> true", "f32: nan, nan -> false"],
    };
}

impl Define for TotalEqual {
    const RECORD: Record = Record {
        name: "total_equal",
        summary: "Whether they are equal in the total order: the same bits.",
        names: Names {
            stablehlo: "compare[EQ,TOTALORDER]",
            hlo: "compare[direction=EQ,type=TOTALORDER]",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(floats2::<TotalEqual>),
        laws: &[Law::Commutative],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: 0, -0 -> false", "f32: nan, nan -> true", "f64: 2, 2 -> true"],
    };
}

impl Define for TotalNotEqual {
    const RECORD: Record = Record {
        name: "total_not_equal",
        summary: "Whether they differ in the total order: in any bit.",
        names: Names {
            stablehlo: "compare[NE,TOTALORDER]",
            hlo: "compare[direction=NE,type=TOTALORDER]",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(floats2::<TotalNotEqual>),
        laws: &[Law::Commutative],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: 0, -0 -> true", "f32: nan, nan -> false"],
    };
}

impl Define for TotalLess {
    const RECORD: Record = Record {
        name: "total_less",
        summary: "Whether the first is less in the total order.",
        names: Names {
            stablehlo: "compare[LT,TOTALORDER]",
            hlo: "compare[direction=LT,type=TOTALORDER]",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(floats2::<TotalLess>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: -0, 0 -> true", "f32: inf, nan -> true", "f32: -2, -1 -> true"],
    };
}

impl Define for TotalLessEqual {
    const RECORD: Record = Record {
        name: "total_less_equal",
        summary: "Whether the first is less or equal in the total order.",
        names: Names {
            stablehlo: "compare[LE,TOTALORDER]",
            hlo: "compare[direction=LE,type=TOTALORDER]",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(floats2::<TotalLessEqual>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: 0, -0 -> false", "f32: nan, nan -> true", "f32: -2, -2 -> true"],
    };
}

impl Define for TotalGreater {
    const RECORD: Record = Record {
        name: "total_greater",
        summary: "Whether the first is greater in the total order.",
        names: Names {
            stablehlo: "compare[GT,TOTALORDER]",
            hlo: "compare[direction=GT,type=TOTALORDER]",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(floats2::<TotalGreater>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: 0, -0 -> true", "f32: nan, inf -> true", "f32: -2, -1 -> false"],
    };
}

impl Define for TotalGreaterEqual {
    const RECORD: Record = Record {
        name: "total_greater_equal",
        summary: "Whether the first is greater or equal in the total order.",
        names: Names {
            stablehlo: "compare[GE,TOTALORDER]",
            hlo: "compare[direction=GE,type=TOTALORDER]",
            ..Names::NONE
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(floats2::<TotalGreaterEqual>),
        laws: &[],
        accuracy: "exact",
        gradient: None,
        examples: &["f32: -0, 0 -> false", "f32: nan, nan -> true", "f32: inf, -inf -> true"],
    };
}
