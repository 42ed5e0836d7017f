//! Every elementwise operation as a method. What each computes is said in its record, [`Op::record`].

use super::{Array, Operand};
use crate::op::Op;

/// Makes methods: of the array alone; of the array and others; and the list of all.
macro_rules! methods {
    ($($op:ident $method:ident $($argument:ident)*;)*) => {
        impl Array {
            $(
                #[doc = concat!("The operation [`", stringify!($op), "`](Op), of which the table there says what it computes.")]
                pub fn $method(&self $(, $argument: impl Into<Operand>)*) -> Array {
                    Array::apply(Op::$op, &[self.into() $(, $argument.into())*])
                }
            )*
        }

        /// Each operation's method.
        #[cfg(test)]
        const METHODS: &[(Op, &str)] = &[$((Op::$op, stringify!($method)),)*];
    };
}

methods! {
    Add add other;
    Subtract subtract other;
    Multiply multiply other;
    MultiplyHigh multiply_high other;
    Negative negative;
    Positive positive;
    Square square;
    SquaredDifference squared_difference other;
    Divide divide other;
    DivideTowardZero divide_toward_zero other;
    FloorDivide floor_divide other;
    Remainder remainder other;
    RemainderTowardZero remainder_toward_zero other;
    Reciprocal reciprocal;
    Abs abs;
    Sign sign;
    SignKeepingZero sign_keeping_zero;
    Signbit signbit;
    Copysign copysign other;
    Nextafter nextafter other;
    Equal equal other;
    NotEqual not_equal other;
    Less less other;
    LessEqual less_equal other;
    Greater greater other;
    GreaterEqual greater_equal other;
    TotalEqual total_equal other;
    TotalNotEqual total_not_equal other;
    TotalLess total_less other;
    TotalLessEqual total_less_equal other;
    TotalGreater total_greater other;
    TotalGreaterEqual total_greater_equal other;
    LogicalAnd logical_and other;
    LogicalOr logical_or other;
    LogicalXor logical_xor other;
    LogicalNot logical_not;
    BitwiseAnd bitwise_and other;
    BitwiseOr bitwise_or other;
    BitwiseXor bitwise_xor other;
    BitwiseInvert bitwise_invert;
    CountOnes count_ones;
    CountLeadingZeros count_leading_zeros;
    BitwiseLeftShift bitwise_left_shift other;
    BitwiseRightShift bitwise_right_shift other;
    ShiftRightArithmetic shift_right_arithmetic other;
    ShiftRightLogical shift_right_logical other;
    Maximum maximum other;
    Minimum minimum other;
    Clip clip min max;
    Clamp clamp x max;
    Where choose x1 x2;
    Floor floor;
    Ceil ceil;
    Trunc trunc;
    Round round;
    RoundAway round_away;
    ReducePrecision reduce_precision exponent_bits mantissa_bits;
    Isfinite isfinite;
    Isinf isinf;
    Isnan isnan;
    IsPosInf is_pos_inf;
    IsNegInf is_neg_inf;
    Real real;
    Imag imag;
    Conj conj;
    Complex complex im;
    Pow pow other;
    Sqrt sqrt;
    Rsqrt rsqrt;
    Cbrt cbrt;
    Hypot hypot other;
    Exp exp;
    Exp2 exp2;
    Expm1 expm1;
    Log log;
    Log1p log1p;
    Log2 log2;
    Log10 log10;
    Logaddexp logaddexp other;
    Sigmoid sigmoid;
    Sin sin;
    Cos cos;
    Tan tan;
    Asin asin;
    Acos acos;
    Atan atan;
    Atan2 atan2 other;
    Sinh sinh;
    Cosh cosh;
    Tanh tanh;
    Asinh asinh;
    Acosh acosh;
    Atanh atanh;
    Erf erf;
    Erfc erfc;
    ErfInv erf_inv;
    Lgamma lgamma;
    Digamma digamma;
    Polygamma polygamma x;
    Zeta zeta q;
    BesselI0e bessel_i0e;
    BesselI1e bessel_i1e;
    Relu relu;
    LeakyRelu leaky_relu alpha;
    Prelu prelu slope;
    ThresholdedRelu thresholded_relu alpha;
    Elu elu alpha;
    Selu selu alpha gamma;
    Celu celu alpha;
    Shrink shrink bias lambd;
    HardSigmoid hard_sigmoid alpha beta;
    Hsigmoid hsigmoid;
    Hswish hswish;
    Swish swish beta;
    Mish mish;
    Softplus softplus;
    Softsign softsign;
    Gelu gelu;
    GeluTanh gelu_tanh;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_a_method_of_its_name() {
        for op in Op::ALL {
            let (_, method) = METHODS.iter().find(|(other, _)| other == op).unwrap();
            // `where` is a word of Rust.
            let name = if *op == Op::Where { "choose" } else { op.record().name };
            assert_eq!(*method, name);
        }
        assert_eq!(METHODS.len(), Op::ALL.len());
    }
}
