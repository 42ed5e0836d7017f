//! The operators of Rust on arrays: with an array or a number on either side.

use std::ops;

use half::{bf16, f16};
use num_complex::Complex;

use super::{Array, Operand, Place};
use crate::op::Op;

/// Each operator: its trait and method, the trait and method of its compound assignment, and the operation.
macro_rules! binary {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:ident;)*) => {$(
        impl<T: Into<Operand>> ops::$trait<T> for &Array {
            type Output = Array;
            fn $method(self, other: T) -> Array {
                Array::apply(Op::$op, &[self.into(), other.into()])
            }
        }

        impl<T: Into<Operand>> ops::$trait<T> for Array {
            type Output = Array;
            fn $method(self, other: T) -> Array {
                Array::apply(Op::$op, &[self.into(), other.into()])
            }
        }

        impl<T: Into<Operand>> ops::$assign<T> for Array {
            fn $assign_method(&mut self, other: T) {
                self.update(Op::$op, Place::Whole, other);
            }
        }

        numbers_left! { $trait $method $op: bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize f16 bf16 f32 f64 Complex<f32> Complex<f64> }
    )*};
}

macro_rules! numbers_left {
    ($trait:ident $method:ident $op:ident: $($number:ty)*) => {$(
        impl ops::$trait<&Array> for $number {
            type Output = Array;
            fn $method(self, other: &Array) -> Array {
                Array::apply(Op::$op, &[self.into(), other.into()])
            }
        }

        impl ops::$trait<Array> for $number {
            type Output = Array;
            fn $method(self, other: Array) -> Array {
                Array::apply(Op::$op, &[self.into(), other.into()])
            }
        }
    )*};
}

binary! {
    Add add AddAssign add_assign Add;
    Sub sub SubAssign sub_assign Subtract;
    Mul mul MulAssign mul_assign Multiply;
    Div div DivAssign div_assign Divide;
    Rem rem RemAssign rem_assign Remainder;
    BitAnd bitand BitAndAssign bitand_assign BitwiseAnd;
    BitOr bitor BitOrAssign bitor_assign BitwiseOr;
    BitXor bitxor BitXorAssign bitxor_assign BitwiseXor;
    Shl shl ShlAssign shl_assign BitwiseLeftShift;
    Shr shr ShrAssign shr_assign BitwiseRightShift;
}

macro_rules! unary {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl ops::$trait for &Array {
            type Output = Array;
            fn $method(self) -> Array {
                Array::apply(Op::$op, &[self.into()])
            }
        }

        impl ops::$trait for Array {
            type Output = Array;
            fn $method(self) -> Array {
                Array::apply(Op::$op, &[self.into()])
            }
        }
    )*};
}

unary! {
    Neg neg Negative;
    Not not BitwiseInvert;
}
