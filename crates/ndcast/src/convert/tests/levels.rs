//! Every loop gives the same bits at every level of instructions, at lengths with and without a rest.

use bytemuck::{cast_slice, cast_slice_mut};

use super::{Aligned, Complex, random};
use crate::convert::carried::*;
use crate::convert::plain::*;
use crate::convert::small_float::*;
use crate::convert::step::{Each, Map};
use crate::simd::{Level, at};

fn agrees<M: Map>() {
    let mut state = 0x2545_F491_4F6C_DD1D;
    for count in [1, 15, 64, 300] {
        let mut words: Vec<u64> =
            (0..count * size_of::<M::In>().div_ceil(8)).map(|_| random(&mut state)).collect();
        // Half of random floats are enormous or tiny: pull the other half's exponents together, as f32 and f64.
        for word in words.iter_mut().step_by(2) {
            *word = (*word & 0x807F_FFFF_807F_FFFF) | 0x4180_0000_4180_0000 | (*word & 0x0300_0000_0300_0000);
        }
        let mut input = Aligned::of(&cast_slice(&words)[..count * size_of::<M::In>()]);
        let run = |level, input: &mut Aligned| {
            let mut output = Aligned::of(&vec![0; count * size_of::<M::Out>()]);
            at(level, Each::<M>(cast_slice(input.bytes()), cast_slice_mut(output.bytes())));
            output.bytes().to_vec()
        };
        let expected = run(Level::Baseline, &mut input);
        for level in Level::all() {
            assert_eq!(run(level, &mut input), expected, "{} at {level:?}", std::any::type_name::<M>());
        }
    }
}

#[test]
fn every_level_computes_the_same() {
    macro_rules! each {
        ($($map:ty),* $(,)?) => { $(agrees::<$map>();)* };
    }
    macro_rules! casts {
        ($($from:ident => $($to:ident)*;)*) => { $($(agrees::<Cast<$from, $to>>();)*)* };
    }
    casts! {
        i8 => u16 u32 u64 f32 f64;
        i16 => u32 u64 f32 f64;
        i32 => u64 f32 f64;
        i64 => f32 f64;
        u8 => u16 u32 u64 f32 f64;
        u16 => u8 u32 u64 f32 f64;
        u32 => u8 u16 u64 f32 f64;
        u64 => u8 u16 u32 f32 f64;
        f32 => i8 i16 i32 i64 u8 u16 u32 u64 f64;
        f64 => i8 i16 i32 i64 u8 u16 u32 u64 f32;
    }
    each! {
        Truth<u8>, Truth<u16>, Truth<u32>, Truth<u64>, Truth<f32>, Truth<f64>,
        Truth<Complex<f32>>, Truth<Complex<f64>>, HalfTruth,
        Odd<i32>, Odd<u32>, Odd<i64>, Odd<u64>, Odd<f64>,
        RealPart<f32>, RealPart<f64>, WithZero<f32>, WithZero<f64>, Parts<f32, f64>, Parts<f64, f32>,
        Widen<F16>, Widen<Bf16>, Widen<E4M3>, Widen<E5M2>, Widen<E2M1>, FromPower, FromNormal,
        Narrow<F16, Special>, Narrow<Bf16, Special>, Narrow<E4M3, Special>, Narrow<E4M3, Greatest>,
        Narrow<E5M2, Special>, Narrow<E5M2, Greatest>, Narrow<E2M1, Special>, Narrow<E2M1, Greatest>,
        ToPower<Up, Limits>, ToPower<Down, Limits>, ToPower<Nearest, Limits>, ToPower<Even, Limits>,
        ToPower<Up, NoNumber>, ToPower<Down, NoNumber>, ToPower<Nearest, NoNumber>, ToPower<Even, NoNumber>,
        ToNormal, LowByte<f32>, LowByte<f64>,
        Fit<I4>, Fit<U4>, Fit<I2>, Fit<U2>, Fit<U1>, Fit<U3>, Fit<U6>,
        Clamp<I4>, Clamp<U4>, Clamp<I2>, Clamp<U2>, Clamp<U1>, Clamp<U3>, Clamp<U6>,
    }
}
