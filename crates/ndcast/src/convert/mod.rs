//! Conversion between all numeric element types, as kernels over contiguous runs.
//!
//! Most conversions have one meaning everywhere: the nearest value, ties to even, rounded once from the source's own
//! value; integers wrap into integers; floats are cut towards 0, to the limits of an integer of a byte or more, with
//! NaN as 0; all but 0 is true; a complex number gives its real part (whether it may is the caller's business: the
//! Array API forbids it) and is true if either part is. Where the dialects differ is [`Overflow`].
//!
//! DIFFERENCE: NumPy, ONNX Runtime and OpenVINO on x86 make of a float beyond an i8 or i16 what is left of its bits, and of
//! one beyond an i32 or i64 the least value. Their documents leave it undefined, other processors answer differently,
//! and XLA ends at the limits, as we do: a program for XLA that is written for ONNX or OpenVINO clamps before. ONNX Runtime
//! rounds to i4 and i2; ONNX's reference and tests cut, as we do.
//!
//! Types of less than a byte lie unpacked, an element a byte, signed ones with their sign filled up: so i4 and i2
//! are read as i8, and bool, u1 to u6 as u8. A float of 8 bits or less is read as f32, exactly.
//!
//! Text is not converted here.

mod carried;
mod plain;
mod small_float;
mod step;
mod target;
mod whole_part;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use num_complex::Complex;

use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::Kernel;
use carried::{
    Down, Ends, Even, FromNormal, FromPower, I2, I4, Limits, Nearest, NoNumber, Part, Rounding, Sign,
    ToNormal, ToPower, U1, U2, U3, U4, U6, Up,
};
pub(crate) use plain::Cast;
use plain::{As, Parts, RealPart, Truth, WithZero};
pub(crate) use small_float::{Bf16, F16, Widen};
use small_float::{E2M1, E4M3, E5M2, Greatest, HalfTruth, Narrow, Rounded, Special};
use step::{COPY, Step};
use target::{Clamped, Once, Plain, Through32, Through64, True, Whole, Wrapped, target};

/// What becomes of values that the target does not hold, as far as the dialects differ.
///
/// | to | `Numpy` | `Xla` | `OnnxSaturate` | `OpenVino` |
/// |---|---|---|---|---|
/// | i4, u4, i2, u2, u1, u3, u6 from a float | the low bits | the limit | the low bits | the low bits |
/// | f8e4m3 | NaN | NaN | ±448 | NaN |
/// | f8e5m2 | ±infinity | ±infinity | ±57344 | ±infinity |
/// | f8e8m0: 0, negative | NaN | NaN | 2^-127 | 2^-127 |
/// | f8e8m0: too great | NaN | NaN | 2^127 | 2^127 |
/// | f8e8m0: between two powers | nearest, ties up | nearest, ties up | up | nearest, ties to even |
/// | f4e2m1 | ±6 | ±6 | ±6 | ±6 |
/// | f4e2m1: NaN | -0 | -0 | -0 | 6 |
///
/// f16, bf16, f32 and f64 have infinities, which every dialect uses; infinities themselves are beyond the floats that
/// have none. nf4 is OpenVINO's alone: it ends at ±1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// As NumPy with `ml_dtypes`. The Array API leaves all of it open; ONNX's Cast with `saturate = 0` is this, but
    /// for f8e8m0: see [`Overflow::Power`].
    Numpy,
    /// As XLA, and so StableHLO.
    Xla,
    /// As ONNX's Cast with `saturate = 1`, which is its default.
    OnnxSaturate,
    /// As OpenVINO's Convert.
    OpenVino,
    /// As NumPy, but to f8e8m0 so: ONNX's Cast to it with a `round_mode`.
    Power(PowerRounding, PowerEnds),
}

/// How a number between two powers of two becomes f8e8m0: ONNX's `round_mode`, and what others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PowerRounding {
    /// To the greater one.
    Up,
    /// To the smaller one.
    Down,
    /// To the nearer one, ties to the greater one.
    Nearest,
    /// To the nearer one, ties to the one with the even code.
    Even,
}

impl PowerRounding {
    /// What ONNX calls it, but for the last, which it does not have.
    pub(crate) fn name(self) -> &'static str {
        ROUNDINGS.iter().find(|(_, other)| *other == self).map_or("", |(name, _)| name)
    }
}

/// What f8e8m0 becomes of 0, of negative numbers, and of too great ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PowerEnds {
    /// NaN.
    NoNumber,
    /// The least power for what is not positive, the greatest for what is too great.
    Limits,
}

/// What becomes of what one type does not hold: an entry of the table of [`Overflow`]. Two dialects with the same entry
/// convert alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// The dialects do not differ.
    Alike,
    /// NaN or an infinity if the float has one. NaN stays NaN, or is 0 if there is none.
    Special,
    /// The limit; and of NaN too, if the float has no NaN.
    Limit,
    /// The low bits of an integer.
    LowBits,
    /// A power of two.
    Power(PowerRounding, PowerEnds),
}

impl Overflow {
    /// What becomes of numbers that a type does not hold.
    pub(crate) fn beyond(self, to: DType) -> Beyond {
        use PowerEnds::{Limits, NoNumber};
        match to {
            DType::F8E4M3 | DType::F8E5M2 if self == Overflow::OnnxSaturate => Beyond::Limit,
            DType::F4E2M1 if self == Overflow::OpenVino => Beyond::Limit,
            DType::F8E4M3 | DType::F8E5M2 | DType::F4E2M1 => Beyond::Special,
            DType::F8E8M0 => match self {
                Overflow::Numpy | Overflow::Xla => Beyond::Power(PowerRounding::Nearest, NoNumber),
                Overflow::OnnxSaturate => Beyond::Power(PowerRounding::Up, Limits),
                Overflow::OpenVino => Beyond::Power(PowerRounding::Even, Limits),
                Overflow::Power(rounding, ends) => Beyond::Power(rounding, ends),
            },
            DType::I4 | DType::U4 | DType::I2 | DType::U2 | DType::U1 | DType::U3 | DType::U6 => {
                if self == Overflow::Xla { Beyond::Limit } else { Beyond::LowBits }
            }
            _ => Beyond::Alike,
        }
    }
}

/// What is printed and read for each, but for what a `round_mode` says.
const NAMES: [(&str, Overflow); 4] = [
    ("numpy", Overflow::Numpy),
    ("xla", Overflow::Xla),
    ("onnx-saturate", Overflow::OnnxSaturate),
    ("openvino", Overflow::OpenVino),
];
const ROUNDINGS: [(&str, PowerRounding); 4] = [
    ("up", PowerRounding::Up),
    ("down", PowerRounding::Down),
    ("nearest", PowerRounding::Nearest),
    ("even", PowerRounding::Even),
];
const ENDS: [(&str, PowerEnds); 2] = [("nan", PowerEnds::NoNumber), ("limits", PowerEnds::Limits)];

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Overflow::Power(rounding, ends) = self {
            let rounding = rounding.name();
            let ends = ENDS.iter().find(|(_, other)| other == ends).map_or("", |(name, _)| name);
            return write!(f, "{rounding}-{ends}");
        }
        f.write_str(NAMES.iter().find(|(_, other)| other == self).map_or("", |(name, _)| name))
    }
}

impl FromStr for Overflow {
    type Err = Error;

    /// Reads what is printed.
    ///
    /// ```
    /// use ndcast::convert::Overflow;
    /// assert_eq!("openvino".parse::<Overflow>()?, Overflow::OpenVino);
    /// assert!("clip".parse::<Overflow>().is_err());
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Overflow, Error> {
        if let Some((_, found)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(*found);
        }
        let power = text.split_once('-').and_then(|(rounding, ends)| {
            let rounding = ROUNDINGS.iter().find(|(name, _)| *name == rounding)?.1;
            Some(Overflow::Power(rounding, ENDS.iter().find(|(name, _)| *name == ends)?.1))
        });
        power.ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            Error::value(format!("there is no overflow {text}; there is {}", names.join(", ")))
        })
    }
}

/// The kernel that converts elements of one type to another, with one argument; `None` if one of them is text.
pub(crate) fn kernel(from: DType, to: DType, how: Overflow) -> Option<Kernel> {
    use DType::{
        Bf16 as ToBf16, Bool, C64, C128, F4E2M1, F8E4M3, F8E5M2, F8E8M0, F16 as ToF16, F32, F64, I8, I16,
        I32, I64, Nf4, String, U8, U16, U32, U64,
    };
    if from == String || to == String {
        return None;
    }
    if from == to {
        return Some(COPY);
    }
    match to {
        Bool => truth(from),
        I8 => target::<Whole<i8>>(from),
        I16 => target::<Whole<i16>>(from),
        I32 => target::<Whole<i32>>(from),
        I64 => target::<Whole<i64>>(from),
        U8 => target::<Whole<u8>>(from),
        U16 => target::<Whole<u16>>(from),
        U32 => target::<Whole<u32>>(from),
        U64 => target::<Whole<u64>>(from),
        ToF16 => target::<Once<Narrow<F16, Special>>>(from),
        ToBf16 => target::<Once<Narrow<Bf16, Special>>>(from),
        F32 => widen(from).or_else(|| target::<Plain<f32>>(from)),
        F64 => target::<Plain<f64>>(from),
        C64 if from == C128 => Some(Parts::<f64, f32>::KERNEL),
        C64 => target::<Through32<WithZero<f32>>>(from),
        C128 if from == C64 => Some(Parts::<f32, f64>::KERNEL),
        C128 => target::<Through64<WithZero<f64>>>(from),
        F8E4M3 if how.beyond(to) == Beyond::Limit => target::<Once<Narrow<E4M3, Greatest>>>(from),
        F8E4M3 => target::<Once<Narrow<E4M3, Special>>>(from),
        F8E5M2 if how.beyond(to) == Beyond::Limit => target::<Once<Narrow<E5M2, Greatest>>>(from),
        F8E5M2 => target::<Once<Narrow<E5M2, Special>>>(from),
        F8E8M0 => match how.beyond(to) {
            Beyond::Power(rounding, ends) => power_kernel(from, rounding, ends),
            _ => None,
        },
        F4E2M1 if how.beyond(to) == Beyond::Limit => target::<Once<Narrow<E2M1, Greatest>>>(from),
        F4E2M1 => target::<Once<Narrow<E2M1, Special>>>(from),
        Nf4 => target::<Through32<ToNormal>>(from),
        DType::I4 => part::<I4>(from, to, how),
        DType::U4 => part::<U4>(from, to, how),
        DType::I2 => part::<I2>(from, to, how),
        DType::U2 => part::<U2>(from, to, how),
        DType::U1 => part::<U1>(from, to, how),
        DType::U3 => part::<U3>(from, to, how),
        DType::U6 => part::<U6>(from, to, how),
        String => None,
    }
}

/// The kernel that rounds elements of f32 to what f16 or bf16 holds, and leaves them f32: between two operations that
/// are computed in f32.
pub(crate) fn rounded(to: DType) -> Option<Kernel> {
    match to {
        DType::F16 => Some(Rounded::<F16>::KERNEL),
        DType::Bf16 => Some(Rounded::<Bf16>::KERNEL),
        _ => None,
    }
}

/// The kernel that converts elements of a type to f8e8m0; `None` from text.
fn power_kernel(from: DType, rounding: PowerRounding, ends: PowerEnds) -> Option<Kernel> {
    fn rounded<E: Ends>(from: DType, rounding: PowerRounding) -> Option<Kernel> {
        match rounding {
            PowerRounding::Up => ended::<Up, E>(from),
            PowerRounding::Down => ended::<Down, E>(from),
            PowerRounding::Nearest => ended::<Nearest, E>(from),
            PowerRounding::Even => ended::<Even, E>(from),
        }
    }
    fn ended<R: Rounding, E: Ends>(from: DType) -> Option<Kernel> {
        target::<Once<ToPower<R, E>>>(from)
    }
    match (from, ends) {
        (DType::F8E8M0, _) => Some(COPY),
        (_, PowerEnds::NoNumber) => rounded::<NoNumber>(from, rounding),
        (_, PowerEnds::Limits) => rounded::<Limits>(from, rounding),
    }
}

/// To an integer of less than a byte.
fn part<P: Part<Byte: Sign>>(from: DType, to: DType, how: Overflow) -> Option<Kernel>
where
    f32: As<P::Byte>,
    f64: As<P::Byte>,
{
    match how.beyond(to) {
        Beyond::Limit => target::<Clamped<P>>(from),
        _ => target::<Wrapped<P>>(from),
    }
}

/// To a truth value.
fn truth(from: DType) -> Option<Kernel> {
    match from {
        DType::F16 | DType::Bf16 => Some(HalfTruth::KERNEL),
        DType::C64 => Some(Truth::<Complex<f32>>::KERNEL),
        DType::C128 => Some(Truth::<Complex<f64>>::KERNEL),
        _ => target::<True>(from),
    }
}

/// From the floats that are read as f32: the first step of their conversions.
fn widen(from: DType) -> Option<Kernel> {
    match from {
        DType::F16 => Some(Widen::<F16>::KERNEL),
        DType::Bf16 => Some(Widen::<Bf16>::KERNEL),
        DType::F8E4M3 => Some(Widen::<E4M3>::KERNEL),
        DType::F8E5M2 => Some(Widen::<E5M2>::KERNEL),
        DType::F8E8M0 => Some(FromPower::KERNEL),
        DType::F4E2M1 => Some(Widen::<E2M1>::KERNEL),
        DType::Nf4 => Some(FromNormal::KERNEL),
        DType::C64 => Some(RealPart::<f32>::KERNEL),
        _ => None,
    }
}
