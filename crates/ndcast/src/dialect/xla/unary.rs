//! Unary operations and conversions.

use super::Builder;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;

macro_rules! unary {
    ($($(#[$doc:meta])* $method:ident $opcode:literal;)*) => {
        impl Builder<'_> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// As [`Builder::unary`].
                pub fn $method(&mut self, operand: Id) -> Result<Id, Error> {
                    self.unary($opcode, operand)
                }
            )*
        }
    };
}

unary! {
    /// `Abs`: without the sign; of complex numbers the length.
    abs "abs";
    /// `Neg`: with the other sign.
    neg "negate";
    /// `Sign`: -1, 0 or 1; a zero or NaN as it is.
    sign "sign";
    /// `Floor`: the greatest whole number that is not greater.
    floor "floor";
    /// `Ceil`: the least whole number that is not less.
    ceil "ceil";
    /// `Round`: the nearest whole number, ties away from 0.
    round "round-nearest-afz";
    /// `RoundNearestEven`: the nearest whole number, ties to the even one.
    round_nearest_even "round-nearest-even";
    /// `Exp`: the exponential.
    exp "exponential";
    /// `Expm1`: the exponential less 1.
    expm1 "exponential-minus-one";
    /// `Log`: the natural logarithm.
    log "log";
    /// `Log1p`: the natural logarithm of 1 more.
    log1p "log-plus-one";
    /// `Logistic`: 1 / (1 + exp(-x)).
    logistic "logistic";
    /// `Sqrt`: the square root.
    sqrt "sqrt";
    /// `Rsqrt`: 1 by the square root.
    rsqrt "rsqrt";
    /// `Cbrt`: the cube root.
    cbrt "cbrt";
    /// `Sin`: the sine.
    sin "sine";
    /// `Cos`: the cosine.
    cos "cosine";
    /// `Tan`: the tangent.
    tan "tan";
    /// `Tanh`: the hyperbolic tangent.
    tanh "tanh";
    /// `Erf`: the error function.
    erf "erf";
    /// `Real`: the real part.
    real "real";
    /// `Imag`: the imaginary part.
    imag "imag";
    /// `Not`: all bits turned round; of a truth value whether it is false.
    not "not";
    /// `PopulationCount`: how many bits are 1.
    population_count "popcnt";
    /// `Clz`: how many bits are 0 before the first that is 1.
    clz "count-leading-zeros";
    /// `IsFinite`: whether it is neither infinite nor NaN.
    is_finite "is-finite";
}

impl Builder<'_> {
    /// A unary operation by its opcode.
    ///
    /// # Errors
    /// If there is none of the opcode, or none for the operand's element type.
    pub fn unary(&mut self, opcode: &str, operand: Id) -> Result<Id, Error> {
        self.hlo().elementwise(opcode, &[operand])
    }

    /// `ConvertElementType`: the elements as another type.
    ///
    /// # Errors
    /// As [`hlo::Builder::convert`](super::hlo::Builder::convert).
    pub fn convert_element_type(&mut self, operand: Id, to: DType) -> Result<Id, Error> {
        self.hlo().convert(operand, to)
    }

    /// `BitcastConvertType`: the same bits as another type.
    ///
    /// # Errors
    /// As [`hlo::Builder::bitcast_convert`](super::hlo::Builder::bitcast_convert).
    pub fn bitcast_convert_type(&mut self, operand: Id, to: DType) -> Result<Id, Error> {
        self.hlo().bitcast_convert(operand, to)
    }

    /// `ReducePrecision`: rounded to so many bits.
    ///
    /// # Errors
    /// As [`hlo::Builder::reduce_precision`](super::hlo::Builder::reduce_precision).
    pub fn reduce_precision(&mut self, operand: Id, exponent: i64, mantissa: i64) -> Result<Id, Error> {
        self.hlo().reduce_precision(operand, exponent, mantissa)
    }
}
