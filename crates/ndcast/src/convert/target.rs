//! How each target type is reached from every source, as types: the steps are chosen when this is compiled.
//!
//! A source is an integer of Rust, f32 or f64, or becomes one of them first. So a target says three things: how it is
//! made of an f32, how of an f64, and how of each integer.

use std::marker::PhantomData;

use super::carried::{Clamp, Fit, FromNormal, FromPower, LowByte, Part, Sign};
use super::plain::{As, Cast, Odd, RealPart, Truth};
use super::small_float::{Bf16, E2M1, E4M3, E5M2, F16, Widen};
use super::step::{COPY, Map, Step, Then};
use crate::dtype::DType;
use crate::kernel::Kernel;

/// How a type is reached: from f32 and from f64, and from the integers.
pub(super) trait Target {
    type From32: Step<In = f32>;
    type From64: Step<In = f64>;
    /// From i8 to u64; `None` from another type.
    fn whole(from: DType) -> Option<Kernel>;
}

/// The kernel from a type to a target.
pub(super) fn target<T: Target>(from: DType) -> Option<Kernel> {
    match from {
        DType::F32 => Some(T::From32::KERNEL),
        DType::F64 => Some(T::From64::KERNEL),
        DType::F16 => Some(Then::<Widen<F16>, T::From32>::KERNEL),
        DType::Bf16 => Some(Then::<Widen<Bf16>, T::From32>::KERNEL),
        DType::F8E4M3 => Some(Then::<Widen<E4M3>, T::From32>::KERNEL),
        DType::F8E5M2 => Some(Then::<Widen<E5M2>, T::From32>::KERNEL),
        DType::F8E8M0 => Some(Then::<FromPower, T::From32>::KERNEL),
        DType::F4E2M1 => Some(Then::<Widen<E2M1>, T::From32>::KERNEL),
        DType::Nf4 => Some(Then::<FromNormal, T::From32>::KERNEL),
        DType::C64 => Some(Then::<RealPart<f32>, T::From32>::KERNEL),
        DType::C128 => Some(Then::<RealPart<f64>, T::From64>::KERNEL),
        DType::I4 | DType::I2 => T::whole(DType::I8),
        DType::Bool | DType::U4 | DType::U2 | DType::U1 | DType::U3 | DType::U6 => T::whole(DType::U8),
        _ => T::whole(from),
    }
}

/// A match over the integers that takes a kernel for each.
macro_rules! integers {
    ($from:ident: $($dtype:ident $kernel:expr,)*) => {
        match $from {
            $(DType::$dtype => Some($kernel),)*
            _ => None,
        }
    };
}

/// Truth values.
pub(super) struct True;
impl Target for True {
    type From32 = Truth<f32>;
    type From64 = Truth<f64>;
    fn whole(from: DType) -> Option<Kernel> {
        integers! { from:
            I8 Truth::<u8>::KERNEL, I16 Truth::<u16>::KERNEL, I32 Truth::<u32>::KERNEL, I64 Truth::<u64>::KERNEL,
            U8 Truth::<u8>::KERNEL, U16 Truth::<u16>::KERNEL, U32 Truth::<u32>::KERNEL, U64 Truth::<u64>::KERNEL,
        }
    }
}

/// Integers of Rust.
pub(super) struct Whole<T>(PhantomData<T>);
impl<T: bytemuck::Pod> Target for Whole<T>
where
    f32: As<T>,
    f64: As<T>,
{
    type From32 = Cast<f32, T>;
    type From64 = Cast<f64, T>;
    /// The bits are the same for signed and unsigned targets, and of a source only its sign counts, if it widens.
    fn whole(from: DType) -> Option<Kernel> {
        match size_of::<T>() {
            1 => integers! { from:
                I8 COPY, I16 Cast::<u16, u8>::KERNEL, I32 Cast::<u32, u8>::KERNEL, I64 Cast::<u64, u8>::KERNEL,
                U8 COPY, U16 Cast::<u16, u8>::KERNEL, U32 Cast::<u32, u8>::KERNEL, U64 Cast::<u64, u8>::KERNEL,
            },
            2 => integers! { from:
                I8 Cast::<i8, u16>::KERNEL, I16 COPY, I32 Cast::<u32, u16>::KERNEL, I64 Cast::<u64, u16>::KERNEL,
                U8 Cast::<u8, u16>::KERNEL, U16 COPY, U32 Cast::<u32, u16>::KERNEL, U64 Cast::<u64, u16>::KERNEL,
            },
            4 => integers! { from:
                I8 Cast::<i8, u32>::KERNEL, I16 Cast::<i16, u32>::KERNEL, I32 COPY, I64 Cast::<u64, u32>::KERNEL,
                U8 Cast::<u8, u32>::KERNEL, U16 Cast::<u16, u32>::KERNEL, U32 COPY, U64 Cast::<u64, u32>::KERNEL,
            },
            _ => integers! { from:
                I8 Cast::<i8, u64>::KERNEL, I16 Cast::<i16, u64>::KERNEL, I32 Cast::<i32, u64>::KERNEL, I64 COPY,
                U8 Cast::<u8, u64>::KERNEL, U16 Cast::<u16, u64>::KERNEL, U32 Cast::<u32, u64>::KERNEL, U64 COPY,
            },
        }
    }
}

/// f32 and f64.
pub(super) struct Plain<T>(PhantomData<T>);

macro_rules! plain {
    ($($type:ident)*) => {$(
        impl Target for Plain<$type> {
            type From32 = Cast<f32, $type>;
            type From64 = Cast<f64, $type>;
            fn whole(from: DType) -> Option<Kernel> {
                integers! { from:
                    I8 Cast::<i8, $type>::KERNEL, I16 Cast::<i16, $type>::KERNEL,
                    I32 Cast::<i32, $type>::KERNEL, I64 Cast::<i64, $type>::KERNEL,
                    U8 Cast::<u8, $type>::KERNEL, U16 Cast::<u16, $type>::KERNEL,
                    U32 Cast::<u32, $type>::KERNEL, U64 Cast::<u64, $type>::KERNEL,
                }
            }
        }
    )*};
}

plain! { f32 f64 }

/// What is rounded from an f32, so that it is rounded once from any source: on the way there to odd.
pub(super) struct Once<M>(PhantomData<M>);
impl<M: Map<In = f32>> Target for Once<M> {
    type From32 = M;
    type From64 = Then<Odd<f64>, M>;
    fn whole(from: DType) -> Option<Kernel> {
        integers! { from:
            I8 Then::<Cast<i8, f32>, M>::KERNEL, I16 Then::<Cast<i16, f32>, M>::KERNEL,
            I32 Then::<Odd<i32>, M>::KERNEL, I64 Then::<Odd<i64>, M>::KERNEL,
            U8 Then::<Cast<u8, f32>, M>::KERNEL, U16 Then::<Cast<u16, f32>, M>::KERNEL,
            U32 Then::<Odd<u32>, M>::KERNEL, U64 Then::<Odd<u64>, M>::KERNEL,
        }
    }
}

/// What is made of the nearest f32 or f64.
macro_rules! by_nearest {
    ($($name:ident $type:ident $from32:ty, $from64:ty, $doc:literal;)*) => {$(
        #[doc = $doc]
        pub(super) struct $name<M>(PhantomData<M>);
        impl<M: Map<In = $type>> Target for $name<M> {
            type From32 = $from32;
            type From64 = $from64;
            fn whole(from: DType) -> Option<Kernel> {
                integers! { from:
                    I8 Then::<Cast<i8, $type>, M>::KERNEL, I16 Then::<Cast<i16, $type>, M>::KERNEL,
                    I32 Then::<Cast<i32, $type>, M>::KERNEL, I64 Then::<Cast<i64, $type>, M>::KERNEL,
                    U8 Then::<Cast<u8, $type>, M>::KERNEL, U16 Then::<Cast<u16, $type>, M>::KERNEL,
                    U32 Then::<Cast<u32, $type>, M>::KERNEL, U64 Then::<Cast<u64, $type>, M>::KERNEL,
                }
            }
        }
    )*};
}

by_nearest! {
    Through32 f32 M, Then<Cast<f64, f32>, M>, "What is made of the nearest f32.";
    Through64 f64 Then<Cast<f32, f64>, M>, M, "What is made of the nearest f64.";
}

/// Integers of less than a byte, of which the low bits are kept.
pub(super) struct Wrapped<P>(PhantomData<P>);
impl<P: Part<Byte: Sign>> Target for Wrapped<P> {
    type From32 = Then<LowByte<f32>, Fit<P>>;
    type From64 = Then<LowByte<f64>, Fit<P>>;
    fn whole(from: DType) -> Option<Kernel> {
        integers! { from:
            I8 Fit::<P>::KERNEL, I16 Then::<Cast<u16, u8>, Fit<P>>::KERNEL,
            I32 Then::<Cast<u32, u8>, Fit<P>>::KERNEL, I64 Then::<Cast<u64, u8>, Fit<P>>::KERNEL,
            U8 Fit::<P>::KERNEL, U16 Then::<Cast<u16, u8>, Fit<P>>::KERNEL,
            U32 Then::<Cast<u32, u8>, Fit<P>>::KERNEL, U64 Then::<Cast<u64, u8>, Fit<P>>::KERNEL,
        }
    }
}

/// Integers of less than a byte, at whose limits floats end; integers wrap as ever.
pub(super) struct Clamped<P>(PhantomData<P>);
impl<P: Part<Byte: Sign>> Target for Clamped<P>
where
    f32: As<P::Byte>,
    f64: As<P::Byte>,
{
    type From32 = Then<Cast<f32, P::Byte>, Clamp<P>>;
    type From64 = Then<Cast<f64, P::Byte>, Clamp<P>>;
    fn whole(from: DType) -> Option<Kernel> {
        Wrapped::<P>::whole(from)
    }
}
