//! The carried types that are no ordinary floats: powers of two (f8e8m0), the 4-bit normal float (nf4), and the
//! integers of less than a byte.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "codes are bits, computed in more of them"
)]

use std::marker::PhantomData;

use super::step::Map;
use super::whole_part::WrappedByte;
use crate::simd::Isa;

/// f8e8m0 to f32: the exponent that an f32 would have; 255 is NaN.
pub(super) struct FromPower;
impl Map for FromPower {
    type In = u8;
    type Out = f32;
    #[inline(always)]
    fn map<I: Isa>(x: u8) -> f32 {
        let exponent = u32::from(x) << 23;
        // 2^-127 is a subnormal f32.
        let least = if x == 0 { 0x0040_0000 } else { exponent };
        f32::from_bits(if x == 0xFF { 0x7FC0_0000 } else { least })
    }
}

/// f32 to f8e8m0.
pub(super) struct ToPower<R, E>(PhantomData<(R, E)>);

/// How a number between two powers of two becomes one of them.
pub(super) trait Rounding {
    /// What is added to the bits of a normal number before the mantissa is cut off.
    fn more(bits: u32) -> u32;
    /// The greatest bits of a subnormal number that become 2^-127 rather than 2^-126.
    const LEAST: u32;
}

/// To the next greater one.
pub(super) struct Up;
/// To the next smaller one.
pub(super) struct Down;
/// To the nearer one, ties to the greater one.
///
/// DIFFERENCE: between 2^-127 and 1.5 * 2^-127 `ml_dtypes` 0.6 makes 2^-126 of an f32, which is not the nearer one; and
/// of an f64 of less than half the least power it makes NaN, but of such an f32 the least power, as we do of both.
pub(super) struct Nearest;
/// To the nearer one, ties to the even code.
pub(super) struct Even;

impl Rounding for Up {
    #[inline(always)]
    fn more(_: u32) -> u32 {
        0x007F_FFFF
    }
    const LEAST: u32 = 0x0040_0000;
}
impl Rounding for Down {
    #[inline(always)]
    fn more(_: u32) -> u32 {
        0
    }
    const LEAST: u32 = 0x007F_FFFF;
}
impl Rounding for Nearest {
    #[inline(always)]
    fn more(_: u32) -> u32 {
        0x0040_0000
    }
    const LEAST: u32 = 0x005F_FFFF;
}
impl Rounding for Even {
    #[inline(always)]
    fn more(bits: u32) -> u32 {
        0x003F_FFFF + ((bits >> 23) & 1)
    }
    const LEAST: u32 = 0x0060_0000;
}

/// The codes of what is not a positive number in the range.
pub(super) trait Ends {
    /// For 0 and what is less.
    const LOW: u32;
    /// For what is too great.
    const HIGH: u32;
}

/// NaN, at both ends.
pub(super) struct NoNumber;
/// The least and the greatest power.
pub(super) struct Limits;

impl Ends for NoNumber {
    const LOW: u32 = 0xFF;
    const HIGH: u32 = 0xFF;
}
impl Ends for Limits {
    const LOW: u32 = 0;
    const HIGH: u32 = 0xFE;
}

impl<R: Rounding, E: Ends> Map for ToPower<R, E> {
    type In = f32;
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: f32) -> u8 {
        let bits = x.to_bits() & 0x7FFF_FFFF;
        let normal = (bits + R::more(bits)) >> 23;
        let power = if bits < 0x0080_0000 { u32::from(bits > R::LEAST) } else { normal };
        let within = if power > 0xFE { E::HIGH } else { power };
        let positive = if x > 0.0 { within } else { E::LOW };
        (if bits > 0x7F80_0000 { 0xFF } else { positive }) as u8
    }
}

/// The values of nf4: quantiles of the normal distribution, scaled to -1 to 1, with an exact 0. From T. Dettmers et
/// al., "QLoRA: Efficient Finetuning of Quantized LLMs", 2023, appendix E, as f32.
const NORMAL: [f32; 16] = [
    -1.0,
    -0.696_192_8,
    -0.525_073_05,
    -0.394_917_5,
    -0.284_441_38,
    -0.184_773_43,
    -0.091_050_036,
    0.0,
    0.079_580_3,
    0.160_930_2,
    0.246_112_3,
    0.337_915_24,
    0.440_709_83,
    0.562_617,
    0.722_956_84,
    1.0,
];

/// Half-way between neighbours of the table. Computed in f32, they are the very constants that OpenVINO and
/// bitsandbytes compare with; a value on the boundary becomes the lower one.
const BETWEEN: [f32; 15] = {
    let mut between = [0.0; 15];
    let mut i = 0;
    while i < 15 {
        between[i] = (NORMAL[i] + NORMAL[i + 1]) / 2.0;
        i += 1;
    }
    between
};

/// nf4 to f32.
pub(super) struct FromNormal;
impl Map for FromNormal {
    type In = u8;
    type Out = f32;
    #[inline(always)]
    fn map<I: Isa>(x: u8) -> f32 {
        NORMAL[usize::from(x & 15)]
    }
}

/// f32 to nf4, the nearest one. What is greater than 1 becomes 1, what is less than -1 becomes -1, and so does NaN,
/// which is greater than nothing; as in OpenVINO.
pub(super) struct ToNormal;
impl Map for ToNormal {
    type In = f32;
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: f32) -> u8 {
        // The number of boundaries below it.
        let below = BETWEEN.iter().fold(0, |count, boundary| count + u32::from(x > *boundary));
        below as u8
    }
}

/// The range of an integer of less than a byte. Signed ones fill their byte with the sign.
pub(super) trait Part {
    const BITS: u32;
    type Byte;
}

macro_rules! parts {
    ($($name:ident $bits:literal $byte:ident;)*) => {$(
        pub(super) struct $name;
        impl Part for $name {
            const BITS: u32 = $bits;
            type Byte = $byte;
        }
    )*};
}

parts! { I4 4 i8; U4 4 u8; I2 2 i8; U2 2 u8; U1 1 u8; U3 3 u8; U6 6 u8; }

/// Bytes in which only the bits of the part are kept.
pub(super) struct Fit<P>(PhantomData<P>);
impl<P: Part> Map for Fit<P>
where
    P::Byte: Sign,
{
    type In = u8;
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: u8) -> u8 {
        let kept = x & (0xFF >> (8 - P::BITS));
        // The sign bit's place is taken from both sides of 0: it comes to weigh what it should.
        let sign = P::Byte::SIGNED << (P::BITS - 1);
        (kept ^ sign).wrapping_sub(sign)
    }
}

/// Bytes, cut to the limits of the part.
pub(super) struct Clamp<P>(PhantomData<P>);
impl<P: Part<Byte: Sign>> Map for Clamp<P> {
    type In = P::Byte;
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: P::Byte) -> u8 {
        x.clamped(P::BITS)
    }
}

/// A byte with or without a sign.
pub(super) trait Sign: bytemuck::Pod {
    /// 1 if it has one.
    const SIGNED: u8;
    fn clamped(self, bits: u32) -> u8;
}

impl Sign for i8 {
    const SIGNED: u8 = 1;
    #[inline(always)]
    fn clamped(self, bits: u32) -> u8 {
        let half = 1 << (bits - 1);
        self.max(-half).min(half - 1) as u8
    }
}

impl Sign for u8 {
    const SIGNED: u8 = 0;
    #[inline(always)]
    fn clamped(self, bits: u32) -> u8 {
        self.min(0xFF >> (8 - bits))
    }
}

/// The low byte of a float's whole part. Floats beyond an i32 become 0, as they do where a processor's conversion to
/// i32 comes first: in NumPy, ONNX Runtime and OpenVINO on x86.
pub(super) struct LowByte<A>(PhantomData<A>);

impl<A: WrappedByte + bytemuck::Pod> Map for LowByte<A> {
    type In = A;
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: A) -> u8 {
        x.low_byte()
    }
}
