//! Element types as types of Rust: what a tensor can be looked at as, and what kernels compute on.
//!
//! [`Element`] is for everybody: `bool`, the integers, the floats and the complex numbers. The traits behind it are
//! for kernels. There a truth value is a `u8` that is 0 or 1, and f16 and bf16 are only [`Half`]: they are converted to
//! f32, computed, and rounded.

mod extreme;

use bytemuck::{CheckedBitPattern, NoUninit, Pod};
use half::{bf16, f16};
use num_complex::Complex;

use self::extreme::{one_by_one, outermost};
use crate::buffer::Buffer;
use crate::dtype::DType;
use crate::math::{ComplexMath, FloatMath, small_float};
use crate::simd::Isa;

/// A type of Rust that is the element of an array.
///
/// ```
/// use ndcast::{DType, Element};
/// assert_eq!((f32::DTYPE, bool::DTYPE), (DType::F32, DType::Bool));
/// ```
pub trait Element:
    NoUninit + CheckedBitPattern + PartialEq + std::fmt::Debug + Send + Sync + 'static
{
    /// Its element type.
    const DTYPE: DType;

    /// The memory of a vector as it is; or the vector, if it must be copied to be a tensor.
    #[doc(hidden)]
    fn buffer(elements: Vec<Self>) -> Result<Buffer, Vec<Self>> {
        Err(elements)
    }
}

// Bytes that are written are not always truth values, so a vector of them is copied.
impl Element for bool {
    const DTYPE: DType = DType::Bool;
}

macro_rules! elements {
    ($($type:ty, $dtype:ident;)*) => {
        $(impl Element for $type {
            const DTYPE: DType = DType::$dtype;

            fn buffer(elements: Vec<Self>) -> Result<Buffer, Vec<Self>> {
                Buffer::of(elements)
            }
        })*
    };
}

elements! {
    i8, I8; i16, I16; i32, I32; i64, I64;
    u8, U8; u16, U16; u32, U32; u64, U64;
    f16, F16; bf16, Bf16; f32, F32; f64, F64;
    Complex<f32>, C64; Complex<f64>, C128;
}

/// What has the four operations: integers, which wrap, floats, and complex numbers.
pub(crate) trait Number: Pod + PartialEq + Send + Sync {
    const ZERO: Self;
    const ONE: Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn neg(self) -> Self;

    /// Whether [`products`](Number::products) is more than a loop over [`mul`](Number::mul).
    const PRODUCTS: bool = false;

    /// The product of each two; another loop than this one only where that is faster.
    #[inline(always)]
    fn products<I: Isa, const N: usize>(a: &[Self; N], b: &[Self; N], to: &mut [Self; N]) {
        for place in 0..N {
            to[place] = a[place].mul(b[place]);
        }
    }
}

/// Numbers in an order: integers and floats.
pub(crate) trait Real: Number + PartialOrd {
    /// The least value: -infinity for floats.
    const LEAST: Self;
    /// The greatest value: infinity for floats.
    const GREATEST: Self;
    /// Whether it is no number.
    fn is_nan(self) -> bool;
    /// The greater one; NaN if one is, and 0 rather than -0.
    fn max(self, other: Self) -> Self;
    /// The smaller one; NaN if one is, and -0 rather than 0.
    fn min(self, other: Self) -> Self;
    /// The number itself, unless it is less than the first or greater than the second; NaN if one of the three is.
    fn clip(self, least: Self, greatest: Self) -> Self;

    /// Of each lane and what the chunks have at its place the greatest, as [`Real::max`] has it of one after the other.
    #[inline(always)]
    fn greatest<'c, const N: usize>(
        lanes: [Self; N],
        chunks: impl Iterator<Item = &'c [Self; N]> + Clone,
    ) -> [Self; N] {
        one_by_one(lanes, chunks, Self::max)
    }

    /// The least, as [`Real::min`] has it.
    #[inline(always)]
    fn least<'c, const N: usize>(
        lanes: [Self; N],
        chunks: impl Iterator<Item = &'c [Self; N]> + Clone,
    ) -> [Self; N] {
        one_by_one(lanes, chunks, Self::min)
    }
}

/// Integers. Every operation is defined for every value.
pub(crate) trait Integer:
    Real
    + Eq
    + Ord
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitOr<Output = Self>
    + std::ops::BitXor<Output = Self>
    + std::ops::Not<Output = Self>
{
    const BITS: u32;
    const SIGNED: bool;
    /// Floats that have three bits more than the integers; but for those that [are far](Integer::is_far).
    type Near: Float;
    /// The same number as a float.
    fn near(self) -> Self::Near;
    /// The integer that a float is; it wraps.
    fn of_near(near: Self::Near) -> Self;
    /// Whether it has too many bits.
    fn is_far(self) -> bool;
    /// The quotient rounded towards 0; all ones for a divisor of 0, and wrapped if it does not fit.
    fn quotient(self, divisor: Self) -> Self;
    fn abs(self) -> Self;
    /// By so many bits, which are less than `BITS`.
    fn left(self, bits: u32) -> Self;
    /// By so many bits, which are less than `BITS`; the sign comes in from the left.
    fn right(self, bits: u32) -> Self;
    /// By so many bits, which are less than `BITS`; zeros come in from the left.
    fn right_zeros(self, bits: u32) -> Self;
    /// As a number of bits to shift by; `None` unless it is from 0 to `BITS - 1`.
    fn shift(self) -> Option<u32>;
    fn ones(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn wrap_u32(n: u32) -> Self;
    /// The upper half of the product.
    fn upper_mul(self, other: Self) -> Self;
}

/// Real numbers with a point that floats: f32 and f64.
pub(crate) trait Float: Real + FloatMath {
    type Bits: Integer;
    /// The bits of the mantissa behind the point.
    const DIGITS: u32;
    /// A number so great that floats near it have nothing behind the point: the bits of `WHOLE + x` are those of `WHOLE` and the
    /// integer `x`.
    const WHOLE: Self;
    fn div(self, other: Self) -> Self;
    fn of(n: f64) -> Self;
    fn bits(self) -> Self::Bits;
    fn from_bits(bits: Self::Bits) -> Self;
    /// The whole number that it is; the nearest there is otherwise.
    fn to_u32(self) -> u32;
}

/// Floats of 16 bits, which are computed in f32.
pub(crate) trait Half: Pod {
    fn widened<I: Isa>(self) -> f32;
    /// The one next to what arithmetic makes of widened ones.
    fn rounded(x: f32) -> Self;
}

impl Half for f16 {
    #[inline(always)]
    fn widened<I: Isa>(self) -> f32 {
        small_float::of_f16::<I>(self.to_bits())
    }

    #[inline(always)]
    fn rounded(x: f32) -> f16 {
        f16::from_bits(small_float::to_f16(x))
    }
}

impl Half for bf16 {
    #[inline(always)]
    fn widened<I: Isa>(self) -> f32 {
        small_float::of_bf16(self.to_bits())
    }

    #[inline(always)]
    fn rounded(x: f32) -> bf16 {
        // Arithmetic hands on a NaN of its arguments, whose lower half is 0, or makes one that has no bits but the first.
        bf16::from_bits(small_float::number_to_bf16(x))
    }
}

/// Complex numbers of a float.
pub(crate) trait Complexes: Number + ComplexMath {
    type Part: Float;
    fn new(re: Self::Part, im: Self::Part) -> Self;
    fn re(self) -> Self::Part;
    fn im(self) -> Self::Part;
}

macro_rules! integers {
    ($($type:ident $unsigned:ident $wide:ident $signed:literal $near:ident;)*) => {$(
        impl Number for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn neg(self) -> Self { self.wrapping_neg() }
        }
        impl Real for $type {
            const LEAST: Self = $type::MIN;
            const GREATEST: Self = $type::MAX;
            #[inline(always)]
            fn is_nan(self) -> bool { false }
            #[inline(always)]
            fn max(self, other: Self) -> Self { Ord::max(self, other) }
            #[inline(always)]
            fn min(self, other: Self) -> Self { Ord::min(self, other) }
            #[inline(always)]
            fn clip(self, least: Self, greatest: Self) -> Self { Ord::min(Ord::max(self, least), greatest) }
        }
        impl Integer for $type {
            const BITS: u32 = $type::BITS;
            const SIGNED: bool = $signed;
            type Near = $near;
            #[inline(always)]
            #[allow(clippy::cast_lossless, clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "it has the bits")]
            fn near(self) -> $near {
                const WHOLE: $near = <$near as Float>::WHOLE;
                match Self::BITS {
                    // There is no conversion of vectors of 64 bits.
                    64 => $near::from_bits(WHOLE.to_bits().wrapping_add(self as _)) - WHOLE,
                    _ => self as $near,
                }
            }
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "the same bits")]
            fn of_near(near: $near) -> Self {
                const WHOLE: $near = <$near as Float>::WHOLE;
                (WHOLE + near).to_bits().wrapping_sub(WHOLE.to_bits()) as $type
            }
            #[inline(always)]
            #[allow(clippy::cast_sign_loss, reason = "the same bits")]
            fn is_far(self) -> bool {
                const BITS: u32 = 50;
                match (Self::BITS, $signed) {
                    (64, true) => (self as u64).wrapping_add(1 << BITS) >> (BITS + 1) != 0,
                    (64, false) => (self as u64) >> BITS != 0,
                    _ => false,
                }
            }
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Self {
                if divisor == 0 { !0 } else { self.wrapping_div(divisor) }
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "one line for both kinds")]
            fn abs(self) -> Self { if self < 0 { self.wrapping_neg() } else { self } }
            #[inline(always)]
            fn left(self, bits: u32) -> Self { self.wrapping_shl(bits) }
            #[inline(always)]
            fn right(self, bits: u32) -> Self { self.wrapping_shr(bits) }
            #[inline(always)]
            #[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "the same bits")]
            fn right_zeros(self, bits: u32) -> Self {
                (self as $unsigned).wrapping_shr(bits) as $type
            }
            #[inline(always)]
            fn shift(self) -> Option<u32> {
                u32::try_from(self).ok().filter(|&bits| bits < $type::BITS)
            }
            #[inline(always)]
            fn ones(self) -> u32 { self.count_ones() }
            #[inline(always)]
            fn leading_zeros(self) -> u32 { $type::leading_zeros(self) }
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "it wraps")]
            fn wrap_u32(n: u32) -> Self { n as $type }
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "the upper half fits")]
            fn upper_mul(self, other: Self) -> Self {
                ((self as $wide * other as $wide) >> $type::BITS) as $type
            }
        }
    )*};
}

integers! {
    i8 u8 i16 true f32; i16 u16 i32 true f32; i32 u32 i64 true f64; i64 u64 i128 true f64;
    u8 u8 u16 false f32; u16 u16 u32 false f32; u32 u32 u64 false f64; u64 u64 u128 false f64;
}

macro_rules! floats {
    ($($type:ident $bits:ident $products:ident;)*) => {$(
        impl Number for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn neg(self) -> Self { -self }
        }
        impl Real for $type {
            const LEAST: Self = $type::NEG_INFINITY;
            const GREATEST: Self = $type::INFINITY;
            #[inline(always)]
            fn is_nan(self) -> bool { self != self }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                let larger = if self > other { self } else { other };
                // Equal values differ only in the sign of a zero.
                let both = self.to_bits() & other.to_bits();
                let larger = if self == other { $type::from_bits(both) } else { larger };
                if self != self { self } else { larger }
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                let smaller = if self < other { self } else { other };
                let either = self.to_bits() | other.to_bits();
                let smaller = if self == other { $type::from_bits(either) } else { smaller };
                if self != self { self } else { smaller }
            }
            #[inline(always)]
            fn clip(self, least: Self, greatest: Self) -> Self {
                // Comparisons with NaN fail, and leave the number.
                let raised = if least > self { least } else { self };
                let lowered = if greatest < raised { greatest } else { raised };
                if least != least || greatest != greatest { least + greatest } else { lowered }
            }
            #[inline(always)]
            fn greatest<'c, const N: usize>(
                lanes: [Self; N],
                chunks: impl Iterator<Item = &'c [Self; N]> + Clone,
            ) -> [Self; N] {
                let larger = |a: Self, b: Self| if a > b { a } else { b };
                // Where a zero is the greatest, what all have in common is a zero, negative if all are.
                let zero = |a: Self, b: Self| $type::from_bits(a.to_bits() & b.to_bits());
                outermost(lanes, chunks.clone(), larger, zero)
                    .unwrap_or_else(|| one_by_one(lanes, chunks, Real::max))
            }
            #[inline(always)]
            fn least<'c, const N: usize>(
                lanes: [Self; N],
                chunks: impl Iterator<Item = &'c [Self; N]> + Clone,
            ) -> [Self; N] {
                let smaller = |a: Self, b: Self| if a < b { a } else { b };
                let sign = (-0.0 as $type).to_bits();
                let zero = |a: Self, b: Self| $type::from_bits((a.to_bits() | b.to_bits()) & sign);
                outermost(lanes, chunks.clone(), smaller, zero)
                    .unwrap_or_else(|| one_by_one(lanes, chunks, Real::min))
            }
        }
        impl Float for $type {
            type Bits = $bits;
            const DIGITS: u32 = $type::MANTISSA_DIGITS - 1;
            const WHOLE: Self = 1.5 / $type::EPSILON;
            #[inline(always)]
            fn div(self, other: Self) -> Self { self / other }
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "rounded to the nearest")]
            fn of(n: f64) -> Self { n as $type }
            #[inline(always)]
            fn bits(self) -> $bits { self.to_bits() }
            #[inline(always)]
            fn from_bits(bits: $bits) -> Self { $type::from_bits(bits) }
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
            fn to_u32(self) -> u32 { self as u32 }
        }
        impl Number for Complex<$type> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            const ONE: Self = Complex::new(1.0, 0.0);
            #[inline(always)]
            fn add(self, other: Self) -> Self { Complex::new(self.re + other.re, self.im + other.im) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { Complex::new(self.re - other.re, self.im - other.im) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
            }
            #[inline(always)]
            fn neg(self) -> Self { Complex::new(-self.re, -self.im) }
            const PRODUCTS: bool = true;
            #[inline(always)]
            fn products<I: Isa, const N: usize>(a: &[Self; N], b: &[Self; N], to: &mut [Self; N]) {
                let ((a, rest_of_a), (b, rest_of_b)) = (a.as_chunks(), b.as_chunks());
                let (to, rest) = to.as_chunks_mut();
                for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
                    *to = I::$products(a, b);
                }
                for ((to, a), b) in rest.iter_mut().zip(rest_of_a).zip(rest_of_b) {
                    *to = a.mul(*b);
                }
            }
        }
        impl Complexes for Complex<$type> {
            type Part = $type;
            #[inline(always)]
            fn new(re: $type, im: $type) -> Self { Complex::new(re, im) }
            #[inline(always)]
            fn re(self) -> $type { self.re }
            #[inline(always)]
            fn im(self) -> $type { self.im }
        }
    )*};
}

floats! { f32 u32 products32; f64 u64 products64; }
