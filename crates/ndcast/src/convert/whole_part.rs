//! Floats to integers, in arithmetic: cut towards 0, to the limits of the type, and NaN is 0.
//!
//! Rust's `as` means the same, but the compiler does not make vectors of it; of this it does, and an element takes a
//! fourth of the time. Where an integer has fewer bits than the float's mantissa, an addition that pushes the fraction
//! off the end of the float finds it, with the instructions of every machine; else shifts do, each element by its own
//! distance, for which there are vectors from AVX2 on.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the same bits, and values that were cut to the limits before"
)]

use super::plain::As;

macro_rules! whole_parts {
    ($($float:ident $bits:ident $signed:ident: $short:ident below $below:literal, with $unit:literal;
        $long:ident mantissa $mantissa:literal, bias $bias:literal; $to_signed:ident $to_unsigned:ident)*) => {$(
        /// The whole part of a magnitude; of a greater one than this bound the bound, and of NaN.
        #[inline(always)]
        fn $short(x: $float) -> $bits {
            let magnitude = if x.abs() < $below { x.abs() } else { $below };
            // At this size the last bit of the mantissa is 1; it was rounded, which may be up.
            let sum = magnitude + $unit;
            let up = sum - $unit > magnitude;
            sum.to_bits() - $unit.to_bits() - $bits::from(up)
        }

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
    f32 u32 i32: short32 below 65536f32, with 8388608f32; long32 mantissa 23, bias 127; to_i32 to_u32
    f64 u64 i64: short64 below 4294967296f64, with 4503599627370496f64; long64 mantissa 52, bias 1023; to_i64 to_u64
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
    f32 by f32 => i8 to_i32 short32 u32 i16 to_i32 short32 u32 i32 to_i32 long32 u32
        u8 to_u32 short32 u32 u16 to_u32 short32 u32 u32 to_u32 long32 u32;
    f32 by f64 => i64 to_i64 long64 u64 u64 to_u64 long64 u64;
    f64 by f64 => i8 to_i64 short64 u64 i16 to_i64 short64 u64 i32 to_i64 short64 u64 i64 to_i64 long64 u64
        u8 to_u64 short64 u64 u16 to_u64 short64 u64 u32 to_u64 short64 u64 u64 to_u64 long64 u64;
}

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
