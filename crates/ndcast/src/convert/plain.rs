//! Conversions among the types that Rust computes with: integers, f32 and f64. Truth values and complex numbers, too.
//!
//! An integer to an integer wraps; to a float, it is rounded to the nearest, ties to even. That is what `as` does,
//! and the compiler makes vectors of it. It does not of a float to an integer: see `whole_part`.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "conversions lose what the target does not hold: that is their meaning"
)]

use std::marker::PhantomData;

use bytemuck::Pod;
use num_complex::Complex;

use super::step::Map;
use crate::simd::Isa;

/// From one of Rust's own numbers to another.
pub(crate) struct Cast<A, B>(PhantomData<(A, B)>);

/// A number that is converted as `as` does it.
pub(super) trait As<B>: Pod {
    fn cast(self) -> B;
}

impl<A: As<B>, B: Pod> Map for Cast<A, B> {
    type In = A;
    type Out = B;
    #[inline(always)]
    fn map<I: Isa>(x: A) -> B {
        x.cast()
    }
}

macro_rules! casts {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        impl As<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to { self as $to }
        }
    )*)*};
}

casts! {
    i8 => u8 u16 u32 u64 f32 f64;
    i16 => u32 u64 f32 f64;
    i32 => u64 f32 f64;
    i64 => f32 f64;
    u8 => u16 u32 u64 f32 f64;
    u16 => u8 u32 u64 f32 f64;
    u32 => u8 u16 u64 f32 f64;
    u64 => u8 u16 u32 f32 f64;
    f32 => f32 f64;
    f64 => f32 f64;
}

/// To a truth value: everything but 0 is true, and so is NaN.
pub(super) struct Truth<A>(PhantomData<A>);

/// What is compared with 0 for a truth value.
pub(super) trait IsTrue: Pod {
    fn is_true(self) -> bool;
}

impl<A: IsTrue> Map for Truth<A> {
    type In = A;
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: A) -> u8 {
        u8::from(x.is_true())
    }
}

macro_rules! truths {
    ($($type:ident $zero:literal;)*) => {$(
        impl IsTrue for $type {
            #[inline(always)]
            fn is_true(self) -> bool { self != $zero }
        }
    )*};
}

truths! { u8 0; u16 0; u32 0; u64 0; f32 0.0; f64 0.0; }

impl<A: IsTrue> IsTrue for Complex<A>
where
    Complex<A>: Pod,
{
    #[inline(always)]
    fn is_true(self) -> bool {
        self.re.is_true() | self.im.is_true()
    }
}

/// The real part of a complex number. Whether it may be taken is the caller's to decide: the Array API forbids it.
pub(super) struct RealPart<A>(PhantomData<A>);
impl<A: Pod> Map for RealPart<A>
where
    Complex<A>: Pod,
{
    type In = Complex<A>;
    type Out = A;
    #[inline(always)]
    fn map<I: Isa>(x: Complex<A>) -> A {
        x.re
    }
}

/// A complex number with no imaginary part.
pub(super) struct WithZero<A>(PhantomData<A>);
impl<A: Pod> Map for WithZero<A>
where
    Complex<A>: Pod,
{
    type In = A;
    type Out = Complex<A>;
    #[inline(always)]
    fn map<I: Isa>(x: A) -> Complex<A> {
        Complex::new(x, A::zeroed())
    }
}

/// From one complex type to the other.
pub(super) struct Parts<A, B>(PhantomData<(A, B)>);
impl<A: As<B>, B: Pod> Map for Parts<A, B>
where
    Complex<A>: Pod,
    Complex<B>: Pod,
{
    type In = Complex<A>;
    type Out = Complex<B>;
    #[inline(always)]
    fn map<I: Isa>(x: Complex<A>) -> Complex<B> {
        Complex::new(x.re.cast(), x.im.cast())
    }
}

/// To an f32 that still tells which way it would have been rounded, for a second rounding to fewer bits.
///
/// Rounding twice to the nearest can end beside the nearest: the first rounding makes a tie of what was just above or
/// below one. Rounding to odd does not: a value that does not fit becomes its neighbour with an odd last bit, which
/// is no tie for a format with at least two bits less, and lies on the same side of it. (S. Boldo and G. Melquiond,
/// "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008.)
pub(super) struct Odd<A>(PhantomData<A>);

/// What is rounded to odd.
pub(super) trait ToOdd: Pod {
    fn odd(self) -> f32;
}

impl<A: ToOdd> Map for Odd<A> {
    type In = A;
    type Out = f32;
    #[inline(always)]
    fn map<I: Isa>(x: A) -> f32 {
        x.odd()
    }
}

impl ToOdd for f64 {
    #[inline(always)]
    fn odd(self) -> f32 {
        let near = self as f32;
        let back = f64::from(near);
        // One less if it was rounded away from 0; the largest finite number comes of an infinity so.
        let cut = near.to_bits() - u32::from(back.abs() > self.abs());
        // NaN differs from itself; one more bit does not harm it.
        f32::from_bits(cut | u32::from(back != self))
    }
}

impl ToOdd for i32 {
    #[inline(always)]
    fn odd(self) -> f32 {
        f64::from(self).odd()
    }
}

impl ToOdd for u32 {
    #[inline(always)]
    fn odd(self) -> f32 {
        f64::from(self).odd()
    }
}

/// The low bits of an integer of more than 53, of which only is left whether there are any: then it fits an f64.
const LOW: u64 = 0xFFF;

impl ToOdd for i64 {
    #[inline(always)]
    fn odd(self) -> f32 {
        let bits = self as u64;
        let short = (bits & !LOW) | ((bits & LOW) + LOW) & (LOW + 1);
        let kept = if self.unsigned_abs() >> 53 == 0 { bits } else { short };
        (kept as i64 as f64).odd()
    }
}

impl ToOdd for u64 {
    #[inline(always)]
    fn odd(self) -> f32 {
        let short = (self & !LOW) | ((self & LOW) + LOW) & (LOW + 1);
        let kept = if self >> 53 == 0 { self } else { short };
        (kept as f64).odd()
    }
}
