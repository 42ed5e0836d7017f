//! What the dialects call the operations: every elementwise one of theirs is there, and no name means two.

use super::super::{Names, Op, entry};

/// A dialect's names in a record.
type Dialect = fn(&Names) -> &'static str;

const DIALECTS: [(&str, Dialect); 5] = [
    ("array_api", |names| names.array_api),
    ("onnx", |names| names.onnx),
    ("openvino", |names| names.openvino),
    ("stablehlo", |names| names.stablehlo),
    ("hlo", |names| names.hlo),
];

const ARRAY_API: &str = "abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift \
    bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor \
    floor_divide greater greater_equal hypot imag isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp \
    logical_and logical_not logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow \
    real reciprocal remainder round sign signbit sin sinh sqrt square subtract tan tanh trunc where";

const ONNX: &str = "Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift[direction=LEFT] BitShift[direction=RIGHT] \
    BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Ceil Celu Clip Cos Cosh Div[float] Div[int] Elu Equal Erf Exp Floor \
    Gelu[approximate=none] Gelu[approximate=tanh] Greater GreaterOrEqual HardSigmoid HardSwish Identity IsInf \
    IsInf[detect_negative=0] IsInf[detect_positive=0] IsNaN LeakyRelu Less LessOrEqual Log Max Min Mish Mod[fmod=0] \
    Mod[fmod=1] Mul Neg Not Or PRelu Pow Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus Softsign \
    Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where Xor";

const OPENVINO: &str = "Abs Acos Acosh Add Asin Asinh Atan Atanh BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr \
    BitwiseRightShift BitwiseXor Ceiling Clamp Cos Cosh Divide[float] Divide[int,m_pythondiv=true] \
    Divide[int,m_pythondiv=false] Elu Equal Erf Exp Floor FloorMod Gelu Gelu[approximation_mode=erf] \
    Gelu[approximation_mode=tanh] Greater GreaterEqual HSigmoid HSwish HardSigmoid IsFinite IsInf \
    IsInf[detect_negative=false] IsInf[detect_positive=false] IsNaN Less LessEqual Log LogicalAnd LogicalNot LogicalOr \
    LogicalXor Maximum Minimum Mish Mod Multiply Negative NotEqual PRelu Power ReLU Round[mode=half_to_even] \
    Round[mode=half_away_from_zero] Select Selu Sigmoid Sign Sin Sinh SoftPlus SoftSign Sqrt SquaredDifference \
    Subtract Swish Tan Tanh";

const STABLEHLO: &str = "abs add[bool] add[float] and atan2 cbrt ceil clamp compare[EQ] compare[NE] compare[LT] \
    compare[LE] compare[GT] compare[GE] compare[EQ,FLOAT] compare[LT,SIGNED] compare[GE,UNSIGNED] \
    compare[EQ,TOTALORDER] compare[NE,TOTALORDER] compare[LT,TOTALORDER] compare[LE,TOTALORDER] compare[GT,TOTALORDER] \
    compare[GE,TOTALORDER] complex cosine count_leading_zeros divide[float] divide[int] exponential \
    exponential_minus_one floor imag is_finite log log_plus_one logistic maximum minimum multiply[bool] multiply[int] \
    negate not or popcnt power real reduce_precision remainder round_nearest_afz round_nearest_even rsqrt select \
    shift_left shift_right_arithmetic shift_right_logical sign sine sqrt subtract tan tanh xor \
    chlo.acos chlo.acosh chlo.asin chlo.asinh chlo.atan chlo.atanh chlo.bessel_i1e chlo.conj chlo.cosh chlo.digamma \
    chlo.erf chlo.erf_inv chlo.erfc chlo.is_inf chlo.is_neg_inf chlo.is_pos_inf chlo.lgamma chlo.mulhi chlo.next_after \
    chlo.polygamma chlo.sinh chlo.square chlo.tan chlo.zeta";

const HLO: &str = "abs acos acosh add and asin asinh atan2 atanh cbrt ceil clamp compare[direction=EQ] compare[direction=NE] \
    compare[direction=LT,type=FLOAT] compare[direction=LE] compare[direction=GT] compare[direction=GE] \
    compare[direction=LT,type=TOTALORDER] complex copy cosh cosine count-leading-zeros divide[float] divide[int] erf \
    exponential exponential-minus-one floor imag is-finite log log-plus-one logistic maximum minimum mulhi multiply negate \
    not or popcnt power real reduce-precision remainder round-nearest-afz round-nearest-even rsqrt select shift-left \
    shift-right-arithmetic shift-right-logical sign sine sinh sqrt subtract tan tanh xor";

#[test]
fn every_operation_of_the_dialects_is_there() {
    for ((name, dialect), required) in DIALECTS.into_iter().zip([ARRAY_API, ONNX, OPENVINO, STABLEHLO, HLO]) {
        for required in required.split_whitespace() {
            let (operation, conditions) = entry(required);
            assert!(Op::called(dialect, operation, &conditions).is_some(), "{name} {required}");
        }
    }
}

#[test]
fn no_name_means_two_operations() {
    for (name, dialect) in DIALECTS {
        let names = Op::ALL.iter().flat_map(|op| dialect(&op.record().names).split_whitespace());
        let mut entries: Vec<(&str, Vec<&str>)> = names.map(entry).collect();
        for (_, conditions) in &mut entries {
            conditions.sort_unstable();
        }
        entries.sort_unstable();
        for pair in entries.windows(2) {
            assert_ne!(pair[0], pair[1], "{name}");
        }
    }
}

#[test]
fn what_an_attribute_selects() {
    let onnx: Dialect = |names| names.onnx;
    let openvino: Dialect = |names| names.openvino;
    let stablehlo: Dialect = |names| names.stablehlo;
    for (dialect, written, op) in [
        (onnx, "Div[int]", Some(Op::DivideTowardZero)),
        (onnx, "Div[float]", Some(Op::Divide)),
        (onnx, "Mod[fmod=0,int]", Some(Op::Remainder)),
        (onnx, "IsInf[detect_negative=1,detect_positive=0]", Some(Op::IsNegInf)),
        (onnx, "IsInf[detect_negative=0,detect_positive=0]", None),
        (onnx, "BitShift", None),
        (openvino, "Round[mode=half_to_even]", Some(Op::Round)),
        (openvino, "Round[mode=half_away_from_zero]", Some(Op::RoundAway)),
        (openvino, "Divide[m_pythondiv=false,int]", Some(Op::DivideTowardZero)),
        (openvino, "Divide[m_pythondiv=false,float]", Some(Op::Divide)),
        (openvino, "Mod", Some(Op::RemainderTowardZero)),
        (stablehlo, "compare[GE,SIGNED]", Some(Op::GreaterEqual)),
        (stablehlo, "compare[GE,TOTALORDER]", Some(Op::TotalGreaterEqual)),
        (stablehlo, "add[bool]", Some(Op::LogicalOr)),
        (stablehlo, "add[complex]", Some(Op::Add)),
        (stablehlo, "tangent", None),
    ] {
        let (name, conditions) = entry(written);
        assert_eq!(Op::called(dialect, name, &conditions), op, "{written}");
    }
}
