//! Every elementwise operation as a method, with what its record, [`Op::record`], says it computes.

use super::{Array, Operand};
use crate::op::Op;

/// Makes methods: of the array alone; of the array and others; and the list of all.
macro_rules! methods {
    ($($op:ident $method:ident $($argument:ident)* $summary:literal;)*) => {
        impl Array {
            $(
                #[doc = $summary]
                ///
                #[doc = concat!("The operation [`", stringify!($op), "`](Op): its types, accuracy and an example are in the table there.")]
                pub fn $method(&self $(, $argument: impl Into<Operand>)*) -> Array {
                    Array::apply(Op::$op, &[self.into() $(, $argument.into())*])
                }
            )*
        }

        /// Each operation's method.
        #[cfg(test)]
        const METHODS: &[(Op, &str, &str)] = &[$((Op::$op, stringify!($method), $summary),)*];
    };
}

methods! {
    Add add other "The sum. Integers wrap.";
    Subtract subtract other "The difference. Integers wrap.";
    Multiply multiply other "The product. Integers wrap.";
    MultiplyHigh multiply_high other "The upper half of the product of integers, which has twice their bits.";
    Negative negative "The negated number. Integers wrap.";
    Positive positive "The number as it is.";
    Square square "The number times itself. Integers wrap.";
    SquaredDifference squared_difference other "The square of the difference. Integers wrap.";
    Divide divide other "The quotient of floats or complex numbers.";
    DivideTowardZero divide_toward_zero other "The quotient of integers rounded towards 0. Divided by 0 they give all ones.";
    FloorDivide floor_divide other "The quotient rounded down. Integers divided by 0 give all ones.";
    Remainder remainder other "The remainder of floor division: it has the sign of the divisor.";
    RemainderTowardZero remainder_toward_zero other "The remainder of truncating division: it has the sign of the dividend.";
    Reciprocal reciprocal "1 divided by the number.";
    Abs abs "The absolute value. The least integer of a type stays what it is.";
    Sign sign "1 above 0 and -1 below; 0 of a zero of either sign, and a NaN itself. Of a complex number z / |z|.";
    SignKeepingZero sign_keeping_zero "The sign, but of a zero the zero itself with its sign.";
    Signbit signbit "Whether the sign is negative, that of a zero or of a NaN too.";
    Copysign copysign other "The magnitude of the first number with the sign of the second.";
    Nextafter nextafter other "The float next to the first one towards the second; the second if they are equal.";
    Equal equal other "Whether they are equal. A NaN equals nothing.";
    NotEqual not_equal other "Whether they differ. A NaN differs from everything.";
    Less less other "Whether the first is less. False is less than true; a NaN is not.";
    LessEqual less_equal other "Whether the first is less or equal. A NaN is not.";
    Greater greater other "Whether the first is greater. Of truth values true is; a NaN is not.";
    GreaterEqual greater_equal other "Whether the first is greater or equal. A NaN is not.";
    TotalEqual total_equal other "Whether they are equal in the total order: the same bits.";
    TotalNotEqual total_not_equal other "Whether they differ in the total order: in any bit.";
    TotalLess total_less other "Whether the first is less in the total order.";
    TotalLessEqual total_less_equal other "Whether the first is less or equal in the total order.";
    TotalGreater total_greater other "Whether the first is greater in the total order.";
    TotalGreaterEqual total_greater_equal other "Whether the first is greater or equal in the total order.";
    LogicalAnd logical_and other "Whether both are true.";
    LogicalOr logical_or other "Whether at least one is true.";
    LogicalXor logical_xor other "Whether exactly one is true.";
    LogicalNot logical_not "Whether it is false.";
    BitwiseAnd bitwise_and other "Bitwise and.";
    BitwiseOr bitwise_or other "Bitwise or.";
    BitwiseXor bitwise_xor other "Bitwise exclusive or.";
    BitwiseInvert bitwise_invert "Bitwise complement.";
    CountOnes count_ones "How many bits are set.";
    CountLeadingZeros count_leading_zeros "How many leading bits are 0.";
    BitwiseLeftShift bitwise_left_shift other "The bits moved to the left; 0 if by as many as there are.";
    BitwiseRightShift bitwise_right_shift other "The bits moved to the right; the sign comes in, and zeros into a number without one.";
    ShiftRightArithmetic shift_right_arithmetic other "The bits moved to the right; the highest one comes in, also where it is no sign.";
    ShiftRightLogical shift_right_logical other "The bits moved to the right; zeros come in, also where there is a sign.";
    Maximum maximum other "The greater one; NaN if one is, and 0 rather than -0.";
    Minimum minimum other "The smaller one; NaN if one is, and -0 rather than 0.";
    Clip clip min max "The number, limited to the range from min to max; a number equal to a bound stays as it is. NaN if one of the three is.";
    Clamp clamp x max "Clip with the arguments in the order least, number, greatest.";
    Where choose x1 x2 "The second argument where the first is true, and the third elsewhere.";
    Floor floor "Rounded down to a whole number.";
    Ceil ceil "Rounded up to a whole number.";
    Trunc trunc "Rounded towards 0 to a whole number.";
    Round round "The nearest whole number, ties to even; each part of a complex number.";
    RoundAway round_away "The nearest whole number, ties away from 0.";
    ReducePrecision reduce_precision exponent_bits mantissa_bits "Rounded to a format with so many bits of exponent and mantissa, and no subnormals.";
    Isfinite isfinite "Whether it is neither infinite nor NaN; both parts of a complex number.";
    Isinf isinf "Whether it is infinite; at least one part of a complex number.";
    Isnan isnan "Whether it is no number; at least one part of a complex number.";
    IsPosInf is_pos_inf "Whether it is infinity.";
    IsNegInf is_neg_inf "Whether it is -infinity.";
    Real real "The real part.";
    Imag imag "The imaginary part, which is 0 for a real number.";
    Conj conj "The complex conjugate: the imaginary part has the other sign.";
    Complex complex im "The complex number with this real and this imaginary part.";
    Pow pow other "The power. Integers wrap; a negative one of 1 or -1 is 1 or -1, and of another integer 0.";
    Sqrt sqrt "The square root.";
    Rsqrt rsqrt "1 divided by the square root.";
    Cbrt cbrt "The cube root.";
    Hypot hypot other "The square root of the sum of squares, without overflow on the way.";
    Exp exp "The exponential, e to the power x.";
    Exp2 exp2 "2 to the power x.";
    Expm1 expm1 "exp(x) - 1, accurate near 0.";
    Log log "The natural logarithm.";
    Log1p log1p "log(1 + x), accurate near 0.";
    Log2 log2 "The logarithm to base 2.";
    Log10 log10 "The logarithm to base 10.";
    Logaddexp logaddexp other "The logarithm of the sum of the exponentials, without overflow on the way.";
    Sigmoid sigmoid "The logistic function, 1 / (1 + exp(-x)).";
    Sin sin "The sine.";
    Cos cos "The cosine.";
    Tan tan "The tangent.";
    Asin asin "The inverse sine, from -pi/2 to pi/2.";
    Acos acos "The inverse cosine, from 0 to pi.";
    Atan atan "The inverse tangent, from -pi/2 to pi/2.";
    Atan2 atan2 other "The angle from -pi to pi of the point (x2, x1) with the positive axis.";
    Sinh sinh "The hyperbolic sine.";
    Cosh cosh "The hyperbolic cosine.";
    Tanh tanh "The hyperbolic tangent.";
    Asinh asinh "The inverse hyperbolic sine.";
    Acosh acosh "The inverse hyperbolic cosine.";
    Atanh atanh "The inverse hyperbolic tangent.";
    Erf erf "The error function: the probability that a normal value of variance 1/2 is nearer to 0.";
    Erfc erfc "The complementary error function, 1 - erf(x), without cancellation.";
    ErfInv erf_inv "The inverse of the error function.";
    Lgamma lgamma "The logarithm of the absolute value of the gamma function.";
    Digamma digamma "The digamma function, the derivative of lgamma.";
    Polygamma polygamma x "The derivative of this order of digamma.";
    Zeta zeta q "The Hurwitz zeta function: the sum of 1 / (q + k)^x over k >= 0.";
    BesselI0e bessel_i0e "The modified Bessel function of order 0 times exp(-|x|).";
    BesselI1e bessel_i1e "The modified Bessel function of order 1 times exp(-|x|).";
    Relu relu "0 for negative numbers, and the number itself otherwise.";
    LeakyRelu leaky_relu alpha "Negative numbers times alpha.";
    Prelu prelu slope "Negative numbers times the slope.";
    ThresholdedRelu thresholded_relu alpha "The number if it is greater than alpha, and 0 otherwise.";
    Elu elu alpha "The number if it is positive, and alpha * (exp(x) - 1) otherwise.";
    Selu selu alpha gamma "gamma times elu, with constants that keep mean and variance of layers.";
    Celu celu alpha "The number if it is positive, and alpha * (exp(x / alpha) - 1) otherwise.";
    Shrink shrink bias lambd "Nearer to 0 by the bias; 0 between -lambd and lambd.";
    HardSigmoid hard_sigmoid alpha beta "A straight line between 0 and 1 in place of the sigmoid.";
    Hsigmoid hsigmoid "A straight line from 0 at -3 to 1 at 3 in place of the sigmoid.";
    Hswish hswish "The number times the straight line from 0 at -3 to 1 at 3.";
    Swish swish beta "x * sigmoid(beta * x).";
    Mish mish "x * tanh(softplus(x)).";
    Softplus softplus "The smooth form of the rectifier, without overflow on the way.";
    Softsign softsign "x / (1 + |x|).";
    Gelu gelu "The number times the probability that a normal value is less.";
    GeluTanh gelu_tanh "Gelu with a hyperbolic tangent that is nearly the normal distribution.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_a_method_of_its_name() {
        for op in Op::ALL {
            let (_, method, summary) = METHODS.iter().find(|(other, ..)| other == op).unwrap();
            // `where` is a word of Rust.
            let name = if *op == Op::Where { "choose" } else { op.record().name };
            assert_eq!((*method, *summary), (name, op.record().summary));
        }
        assert_eq!(METHODS.len(), Op::ALL.len());
    }
}
