//! Floats to integers, in arithmetic: cut towards 0, to the limits of the type, and NaN is 0.
//!
//! Rust's `as` means the same, but the compiler does not make vectors of it; of this it does, and an element takes a
//! fourth of the time and less. An integer of at most 32 bits with a sign holds what was cut to the limits before, and
//! every machine has an instruction for that. Else, where an integer has fewer bits than the float's mantissa, an addition
//! that pushes the fraction off the end of the float finds it; and else shifts do, each element by its own distance, for
//! which there are vectors from AVX2 on.

#![allow(unsafe_code, reason = "the instruction does not check what was cut to the limits before")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the same bits, and values that were cut to the limits before"
)]

use super::plain::As;

macro_rules! whole_parts {
    ($($float:ident $bits:ident $signed:ident: $long:ident mantissa $mantissa:literal, bias $bias:literal;
        $to_signed:ident $to_unsigned:ident)*) => {$(
        /// The whole part of a magnitude; all ones if it has more bits, and of NaN.
        #[inline(always)]
        fn $long(x: $float) -> $bits {
            let bits = x.abs().to_bits();
            // The mantissa at the upper end; the exponent says how many of its bits are no longer whole.
            let upper = (bits << ($bits::BITS - 1 - $mantissa)) | (1 << ($bits::BITS - 1));
            let fraction = ($bias + $bits::BITS as $bits - 1).wrapping_sub(bits >> $mantissa);
            let whole = if fraction < $bits::BITS as $bits { upper >> fraction } else { 0 };
            if bits >> $mantissa < $bias + $bits::BITS as $bits { whole } else { $bits::MAX }
        }

        /// The whole part with the float's sign, in a type with this greatest value; the least is further by 1.
        #[inline(always)]
        fn $to_signed(x: $float, whole: $bits, greatest: $bits) -> $signed {
            let sign = (x.to_bits() as $signed) >> ($bits::BITS - 1);
            let whole = whole.min(greatest.wrapping_sub(sign as $bits)) as $signed;
            if x.is_nan() { 0 } else { (whole ^ sign).wrapping_sub(sign) }
        }

        /// The whole part of what is positive, in a type with this greatest value. NaN is not.
        #[inline(always)]
        fn $to_unsigned(x: $float, whole: $bits, greatest: $bits) -> $bits {
            if x > 0.0 { whole.min(greatest) } else { 0 }
        }
    )*};
}

whole_parts! {
    f32 u32 i32: long32 mantissa 23, bias 127; to_i32 to_u32
    f64 u64 i64: long64 mantissa 52, bias 1023; to_i64 to_u64
}

/// The whole part of a magnitude; of one of more than 32 bits the least of these, and of NaN.
#[inline(always)]
fn short64(x: f64) -> u64 {
    const BELOW: f64 = 4_294_967_296.0;
    // At this size the last bit of the mantissa is 1.
    const UNIT: f64 = 4_503_599_627_370_496.0;
    let magnitude = if x.abs() < BELOW { x.abs() } else { BELOW };
    // It was rounded, which may be up.
    let sum = magnitude + UNIT;
    let up = sum - UNIT > magnitude;
    sum.to_bits() - UNIT.to_bits() - u64::from(up)
}

macro_rules! casts {
    ($($float:ident by $wide:ident => $($to:ident $sign:ident $whole:ident $bits:ident)*;)*) => {$($(
        impl As<$to> for $float {
            #[inline(always)]
            fn cast(self) -> $to {
                let x = $wide::from(self);
                $sign(x, $whole(x), $to::MAX as $bits) as $to
            }
        }
    )*)*};
}

casts! {
    f32 by f32 => i32 to_i32 long32 u32 u32 to_u32 long32 u32;
    f32 by f64 => i64 to_i64 long64 u64 u64 to_u64 long64 u64;
    f64 by f64 => i64 to_i64 long64 u64 u32 to_u64 short64 u64 u64 to_u64 long64 u64;
}

/// To integers that lie within an i32, and whose limits are floats.
macro_rules! within_an_i32 {
    ($($float:ident => $($to:ident)*;)*) => {$($(
        impl As<$to> for $float {
            #[inline(always)]
            fn cast(self) -> $to {
                const LIMITS: [$float; 2] = [$to::MIN as $float, $to::MAX as $float];
                let [least, greatest] = LIMITS;
                let x = if self == self { self } else { 0.0 };
                let x = if x > least { x } else { least };
                let x = if x < greatest { x } else { greatest };
                // SAFETY: it is no NaN, and lies within the limits of a type that lies within an i32.
                let whole = unsafe { x.to_int_unchecked::<i32>() };
                whole as $to
            }
        }
    )*)*};
}

within_an_i32! { f32 => i8 i16 u8 u16; f64 => i8 i16 i32 u8 u16; }

/// The low bits of the whole part; 0 of what is beyond an i32.
pub(super) trait WrappedByte {
    fn low_byte(self) -> u8;
}

macro_rules! low_bytes {
    ($($float:ident $whole:ident;)*) => {$(
        impl WrappedByte for $float {
            #[inline(always)]
            fn low_byte(self) -> u8 {
                let low = $whole(self) as u8;
                let signed = if self < 0.0 { low.wrapping_neg() } else { low };
                if self.abs() < 2_147_483_648.0 { signed } else { 0 }
            }
        }
    )*};
}

low_bytes! { f32 long32; f64 short64; }
