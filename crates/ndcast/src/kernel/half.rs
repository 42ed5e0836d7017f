//! Kernels of f16 and bf16: what is computed in f32, each operation rounded, in one pass.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable, cast, cast_slice, cast_slice_mut};
use half::{bf16, f16};

use super::{BLOCK, Floats, Kernel, Map, Map1, Map2, run1, several};
use crate::dtype::DType;
use crate::element::Half;
use crate::math::small_float;
use crate::simd::Isa;

/// The class of f16 and bf16.
pub(crate) struct Halves;

/// A function of f32, and what comes of it rounded.
pub(crate) struct Rounded<O>(PhantomData<O>);

impl<H: Half, O: Map2<Floats, f32, Out = f32>> Map2<Halves, H> for Rounded<O> {
    type Out = H;
    #[inline(always)]
    fn map<I: Isa>(a: H, b: H) -> H {
        H::rounded(O::map::<I>(a.widened::<I>(), b.widened::<I>()))
    }
}

/// Two bf16 in a word of 32 bits. One becomes an f32 by a mask, the other by a shift: vectors keep their width.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Two([bf16; 2]);

impl Two {
    const UPPER: u32 = 0xFFFF_0000;

    #[inline(always)]
    fn widened(self) -> [f32; 2] {
        let both: u32 = cast(self);
        [f32::from_bits(both << 16), f32::from_bits(both & Two::UPPER)]
    }

    #[inline(always)]
    fn rounded([moved, other]: [f32; 2]) -> Two {
        let [moved, other] = [moved, other].map(small_float::rounded_to_bf16);
        cast((moved >> 16) | (other & Two::UPPER))
    }
}

impl<O: Map2<Floats, f32, Out = f32>> Map2<Halves, Two> for Rounded<O> {
    type Out = Two;
    #[inline(always)]
    fn map<I: Isa>(a: Two, b: Two) -> Two {
        let ([a, c], [b, d]) = (a.widened(), b.widened());
        Two::rounded([O::map::<I>(a, b), O::map::<I>(c, d)])
    }
}

/// As many f16 as processors convert at once, several times.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Many([f16; BLOCK]);

impl<O: Map2<Floats, f32, Out = f32>> Map2<Halves, Many> for Rounded<O> {
    type Out = Many;
    #[inline(always)]
    fn map<I: Isa>(a: Many, b: Many) -> Many {
        let (mut wide, mut codes) = ([0.0; BLOCK], [0; BLOCK]);
        for place in 0..BLOCK {
            wide[place] = O::map::<I>(a.0[place].widened::<I>(), b.0[place].widened::<I>());
        }
        small_float::to_f16s::<I>(&wide, &mut codes);
        cast(codes)
    }
}

/// A map of f16 or bf16, of a group at a time.
struct InGroups<O>(PhantomData<O>);

macro_rules! in_groups {
    ($($half:ident $group:ident;)*) => {$(
        impl<O, const N: usize> Map<Halves, $half, N> for InGroups<O>
        where
            O: Map<Halves, $half, N, Out = $half> + Map<Halves, $group, N, Out = $group>,
        {
            type Out = $half;
            const EACH: bool = true;

            #[inline(always)]
            fn map<I: Isa>(arguments: [$half; N]) -> $half {
                <O as Map<Halves, $half, N>>::map::<I>(arguments)
            }

            #[inline(always)]
            fn each<I: Isa, const V: usize>(arguments: [&[$half; V]; N], to: &mut [$half; V]) {
                if !size_of_val(to).is_multiple_of(size_of::<$group>()) {
                    return <O as Map<Halves, $half, N>>::each::<I, V>(arguments, to);
                }
                let arguments = arguments.map(|argument| cast_slice::<$half, $group>(argument));
                for (place, to) in cast_slice_mut::<$half, $group>(to).iter_mut().enumerate() {
                    *to = <O as Map<Halves, $group, N>>::map::<I>(arguments.map(|argument| argument[place]));
                }
            }
        }
    )*};
}

in_groups! { f16 Many; bf16 Two; }

/// The kernel of a map on so many arguments that are all f16 or all bf16; `None` for another type.
pub(crate) fn halves<O, const N: usize>(dtype: DType) -> Option<Kernel>
where
    O: Map<Halves, f16, N, Out = f16> + Map<Halves, Many, N, Out = Many>,
    O: Map<Halves, bf16, N, Out = bf16> + Map<Halves, Two, N, Out = Two>,
{
    match dtype {
        DType::F16 => Some(several::<InGroups<O>, Halves, f16, N>()),
        DType::Bf16 => Some(several::<InGroups<O>, Halves, bf16, N>()),
        _ => None,
    }
}

/// An f16 or a bf16 of which only the sign is looked at.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct HalfSign(u16);

impl HalfSign {
    const SIGN: u16 = 0x8000;

    /// With the other sign.
    #[inline(always)]
    pub(crate) fn negated(self) -> HalfSign {
        HalfSign(self.0 ^ HalfSign::SIGN)
    }

    /// Without a sign.
    #[inline(always)]
    pub(crate) fn without(self) -> HalfSign {
        HalfSign(self.0 & !HalfSign::SIGN)
    }
}

/// The kernel of an op on the signs of f16 or bf16; `None` for another type.
pub(crate) fn half_signs<O: Map1<Halves, HalfSign, Out = HalfSign>>(dtype: DType) -> Option<Kernel> {
    matches!(dtype, DType::F16 | DType::Bf16).then(run1::<O, Halves, HalfSign>)
}

/// The kernel of an op on f16 or bf16; `None` for another type.
pub(crate) fn rounded2<O: Map2<Floats, f32, Out = f32>>(dtype: DType) -> Option<Kernel> {
    halves::<Rounded<O>, 2>(dtype)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Op;

    /// Every code, many times: beside each of so many others.
    fn pairs(others: usize) -> [Vec<u16>; 2] {
        let codes = 0..=u16::MAX;
        let other = |number: usize| u16::try_from(number * 40_503 % 65_521).unwrap();
        let a = codes.clone().flat_map(|code| std::iter::repeat_n(code, others)).collect();
        let b = codes.flat_map(|code| (0..others).map(move |n| other(usize::from(code) + n * 7_919)));
        [a, b.collect()]
    }

    /// That an op gives of all these what a function of f32 does, rounded.
    fn agrees(op: Op, dtype: DType, of: impl Fn(f32, f32) -> f32) {
        let [a, b] = pairs(37);
        let mut made = vec![0u16; a.len()];
        let kernel = op.kernel(dtype).unwrap();
        // A block, pieces behind it, and single elements behind these.
        const MANY: usize = 111;
        for ((a, b), made) in a.chunks(MANY).zip(b.chunks(MANY)).zip(made.chunks_mut(MANY)) {
            kernel.run(&[cast_slice(a), cast_slice(b)], cast_slice_mut(made));
            let mut in_place = a.to_vec();
            kernel.run(&[&[], cast_slice(b)], cast_slice_mut(&mut in_place));
            assert!(in_place == made, "{op} in place, {dtype}");
        }
        for ((a, b), made) in a.into_iter().zip(b).zip(made) {
            let (expected, made, is_nan) = if dtype == DType::F16 {
                let expected = f16::from_f32(of(f16::from_bits(a).to_f32(), f16::from_bits(b).to_f32()));
                (expected.to_bits(), made, expected.is_nan() && f16::from_bits(made).is_nan())
            } else {
                let expected = bf16::from_f32(of(bf16::from_bits(a).to_f32(), bf16::from_bits(b).to_f32()));
                (expected.to_bits(), made, expected.is_nan() && bf16::from_bits(made).is_nan())
            };
            // Which of two NaN comes of both is the processor's to say.
            assert!(
                made == expected || is_nan,
                "{op} of {a:#x} and {b:#x}, {dtype}: {made:#x}, not {expected:#x}"
            );
        }
    }

    #[test]
    fn groups_give_what_each_does() {
        for dtype in [DType::F16, DType::Bf16] {
            agrees(Op::Add, dtype, |a, b| a + b);
            agrees(Op::Multiply, dtype, |a, b| a * b);
            agrees(Op::Divide, dtype, |a, b| a / b);
        }
    }

    #[test]
    fn signs_are_turned_and_left_out() {
        let codes: Vec<u16> = (0..=u16::MAX).collect();
        for dtype in [DType::F16, DType::Bf16] {
            for (op, of) in
                [(Op::Negative, (|code| code ^ 0x8000) as fn(u16) -> u16), (Op::Abs, |code| code & 0x7FFF)]
            {
                let mut made = vec![0u16; codes.len()];
                op.kernel(dtype).unwrap().run(&[cast_slice(&codes)], cast_slice_mut(&mut made));
                assert!(codes.iter().map(|&code| of(code)).eq(made), "{op}, {dtype}");
            }
        }
    }
}
