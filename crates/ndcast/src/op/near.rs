//! Operations where divisors are replaced by their inverses: on [`Near`] floats, which carry whether a dividend was out of the safe
//! range, and on [`Bounds`], which rule that out ahead.

use super::arithmetic::{Add, Multiply, Subtract};
use super::choose::Clip;
use super::division::Divide;
use super::rounding::Round;
use crate::kernel::{
    Bounds, Floats, Map1, Map2, Map3, Near, Quotients, far, near, of_products, of_quotients, of_sums,
    quotient, value,
};
use crate::simd::Isa;

impl Map2<Quotients, Near> for Divide {
    type Out = Near;
    #[inline(always)]
    fn map<I: Isa>(a: Near, b: Near) -> Near {
        quotient::<I>(a, b)
    }
}

impl Map2<Quotients, Bounds> for Divide {
    type Out = Bounds;
    #[inline(always)]
    fn map<I: Isa>(a: Bounds, b: Bounds) -> Bounds {
        of_quotients(a, b)
    }
}

impl Map2<Quotients, Bounds> for Subtract {
    type Out = Bounds;
    #[inline(always)]
    fn map<I: Isa>(a: Bounds, b: Bounds) -> Bounds {
        of_sums(a, b)
    }
}

impl Map2<Quotients, Bounds> for Multiply {
    type Out = Bounds;
    #[inline(always)]
    fn map<I: Isa>(a: Bounds, b: Bounds) -> Bounds {
        of_products(a, b)
    }
}

/// Of operations that make the same of numbers that are near and of others.
macro_rules! others {
    ($($op:ident $map:ident [$($argument:ident)*];)*) => {$(
        impl $map<Quotients, Near> for $op {
            type Out = Near;
            #[inline(always)]
            fn map<I: Isa>($($argument: Near),*) -> Near {
                near(<$op as $map<Floats, f32>>::map::<I>($(value($argument)),*), 0 $(| far($argument))*)
            }
        }
    )*};
}

others! {
    Add Map2 [a b];
    Subtract Map2 [a b];
    Multiply Map2 [a b];
    Round Map1 [a];
    Clip Map3 [a b c];
}

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};

    use crate::dtype::DType;
    use crate::kernel::{Along, BLOCK, Kernel};
    use crate::op::{Op, fused, reading, writing};

    /// Numbers of which every bit is random.
    fn random(count: usize, seed: u32) -> Vec<u32> {
        let mut state = u64::from(seed) + 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(state >> 32).unwrap()
        };
        (0..count).map(|_| next()).collect()
    }

    /// Numbers with so many powers of 2 on each side of 1.
    fn floats(count: usize, seed: u32, powers: u32) -> Vec<f32> {
        let within = |bits: u32| {
            let power = 127 - powers + (bits >> 23 & 0xff) % (2 * powers + 1);
            f32::from_bits(bits & 0x807f_ffff | power << 23)
        };
        random(count, seed).into_iter().map(within).collect()
    }

    /// What a kernel makes of the first argument, so many rows of so many elements, and of what others have along each row,
    /// beside what it makes of as many elements of each.
    fn alike(kernel: Kernel, first: &[u8], others: &[&[f32]], [rows, columns]: [usize; 2], size: usize) {
        let count = rows * columns;
        let all: Vec<Vec<f32>> =
            others.iter().map(|along| along.iter().copied().cycle().take(count).collect()).collect();
        let run = |others: &[&[f32]]| {
            let others = others.iter().map(|along| Along::run(cast_slice(along)));
            let arguments: Vec<Along<'_>> = [Along::run(first)].into_iter().chain(others).collect();
            let mut made = vec![0_u32; count];
            let columns = if rows == 1 { usize::MAX } else { columns };
            kernel.run_along(&arguments, columns, &mut cast_slice_mut(&mut made)[..count * size]);
            made
        };
        let dense: Vec<&[f32]> = all.iter().map(|argument| &argument[..]).collect();
        assert_eq!(run(others), run(&dense), "{others:?}");
    }

    /// Numbers, of which some are at the limits of what is near, or beyond.
    fn with_limits(count: usize, seed: u32, powers: u32) -> Vec<f32> {
        let mut all = floats(count, seed, powers);
        let limits =
            [0.0, -0.0, 2_f32.powi(60), -(2_f32.powi(60)), 2_f32.powi(-60), 2_f32.powi(60).next_down()];
        let beyond = [f32::INFINITY, f32::NAN, 1e-45, -f32::MAX, 2_f32.powi(61), 2_f32.powi(-60).next_down()];
        for (place, number) in limits.into_iter().chain(beyond).enumerate() {
            // Those beyond are far apart, so that between them there are blocks without one.
            let at = if place < limits.len() { place * 7 } else { place * 5 * BLOCK };
            if let Some(to) = all.get_mut(at) {
                *to = number;
            }
        }
        all
    }

    #[test]
    fn quotients_have_all_their_bits() {
        let kernel = Op::Divide.kernel(DType::F32).unwrap();
        for (seed, powers) in (0..20).flat_map(|seed| [3, 59, 60, 61, 126].map(|powers| (seed, powers))) {
            let x = with_limits(40 * 3 * BLOCK, seed, powers);
            for shape in [[1, x.len() - 23], [60, BLOCK], [40, 100], [40, 3 * BLOCK], [3, 1000]] {
                let [rows, columns] = shape;
                let first = cast_slice(&x[..rows * columns]);
                for divisor in floats(3, seed + 1000, powers).into_iter().chain([0.0, f32::NAN]) {
                    alike(kernel, first, &[&[divisor]], shape, 4);
                }
                let along = floats(if rows == 1 { BLOCK } else { columns }, seed + 3000, powers);
                alike(kernel, first, &[&along], shape, 4);
            }
        }
    }

    /// Numbers of 24 bits whose quotients by an odd one lie as near to the middle of two floats as there are.
    fn hard(divisor: u64) -> impl Iterator<Item = u64> {
        let mut inverse = divisor;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(divisor.wrapping_mul(inverse)));
        }
        let numbers = [1_u64, 3, 5].into_iter().flat_map(move |distance| {
            [24, 25].into_iter().flat_map(move |bits| {
                [distance, distance.wrapping_neg()].map(|distance| {
                    let middle = (distance.wrapping_mul(inverse) % (1 << bits)) | (1 << 24);
                    middle.wrapping_mul(divisor).wrapping_sub(distance) >> bits
                })
            })
        });
        numbers.filter(|number| (1 << 23..1 << 24).contains(number))
    }

    #[test]
    fn quotients_in_the_middle_of_two_floats_are_rounded_as_divisions() {
        let kernel = Op::Divide.kernel(DType::F32).unwrap();
        let float = |number: u64| {
            f32::from(u16::try_from(number >> 8).unwrap()) * 256.0
                + f32::from(u8::try_from(number % 256).unwrap())
        };
        let mut tried = 0;
        for bits in random(3000, 7) {
            let divisor = u64::from(bits >> 9 | 1 << 23 | 1);
            let mut x: Vec<f32> = hard(divisor).map(float).collect();
            tried += x.len();
            x.resize(10 * BLOCK, 1.0);
            alike(kernel, cast_slice(&x), &[&[float(divisor)]], [1, x.len()], 4);
        }
        assert!(tried > 10_000, "{tried}");
    }

    /// Divisors that each have another row.
    #[test]
    fn each_row_has_its_inverse() {
        let kernel = Op::Divide.kernel(DType::F32).unwrap();
        for columns in [8, BLOCK, 100] {
            let (x, divisors) = (floats(80 * columns, 1, 50), floats(160, 2, 50));
            let column = Along { step: -8, first: 158 * 4, width: 4, ..Along::run(cast_slice(&divisors)) };
            let mut made = vec![0.0_f32; x.len()];
            kernel.run_along(&[Along::run(cast_slice(&x)), column], columns, cast_slice_mut(&mut made));
            let expected = x.iter().enumerate().map(|(at, x)| x / divisors[158 - 2 * (at / columns)]);
            assert!(made.iter().zip(expected).all(|(made, expected)| made.to_bits() == expected.to_bits()));
        }
    }

    #[test]
    fn operations_in_one_pass_have_all_their_bits() {
        let kernels = [
            (1, fused(&[Op::Divide], &[Op::Round], 0, DType::F32)),
            (2, fused(&[Op::Divide], &[Op::Add], 0, DType::F32)),
            (2, fused(&[Op::Divide], &[Op::Subtract], 0, DType::F32)),
            (3, fused(&[Op::Divide, Op::Subtract], &[Op::Divide], 0, DType::F32)),
            (3, fused(&[Op::Multiply, Op::Subtract], &[Op::Divide], 0, DType::F32)),
            (3, fused(&[Op::Divide, Op::Round], &[Op::Clip], 0, DType::F32)),
            (4, fused(&[Op::Subtract, Op::Divide], &[Op::Multiply, Op::Add], 0, DType::F32)),
            (3, writing(&[Op::Divide, Op::Round, Op::Clip], DType::F32, DType::I8)),
            (3, writing(&[Op::Divide, Op::Round, Op::Clip], DType::F32, DType::U8)),
            (1, reading(DType::U8, &[Op::Divide], DType::F32)),
            (2, reading(DType::U8, &[Op::Divide, Op::Subtract], DType::F32)),
            (3, reading(DType::I8, &[Op::Divide, Op::Subtract, Op::Divide], DType::F32)),
            (3, reading(DType::U8, &[Op::Multiply, Op::Subtract, Op::Divide], DType::F32)),
        ];
        for (number, (others, kernel)) in kernels.into_iter().enumerate() {
            let (size, bytes) = (if (7..9).contains(&number) { 1 } else { 4 }, number >= 9);
            for (seed, powers) in (0..5).flat_map(|seed| [2, 7, 40, 61].map(|powers| (seed, powers))) {
                for shape in [[1, 50 * BLOCK + 23], [60, BLOCK], [30, 100], [30, 3 * BLOCK]] {
                    let [rows, columns] = shape;
                    let x = with_limits(rows * columns, seed, powers);
                    let first = if bytes { &cast_slice(&x)[..rows * columns] } else { cast_slice(&x) };
                    for along in [1, if rows == 1 { BLOCK } else { columns }] {
                        let all: Vec<Vec<f32>> =
                            (0..others).map(|other| floats(along, seed * 10 + other + 1, powers)).collect();
                        let all: Vec<&[f32]> = all.iter().map(|argument| &argument[..]).collect();
                        alike(kernel.unwrap(), first, &all, shape, size);
                    }
                }
            }
        }
    }

    /// What is computed of bytes is known to be near; also where nothing is left, of either sign.
    #[test]
    fn pictures_are_normalised_as_by_divisions() {
        let x: Vec<u8> = (0..=u8::MAX).flat_map(|byte| [byte; BLOCK]).collect();
        let means: Vec<f32> = (0..BLOCK).map(|channel| channel as f32 * 4.0 / 255.0).collect();
        for read in [DType::U8, DType::I8] {
            let divided = reading(read, &[Op::Divide, Op::Subtract, Op::Divide], DType::F32).unwrap();
            let times = reading(read, &[Op::Multiply, Op::Subtract, Op::Divide], DType::F32).unwrap();
            for (kernel, scale) in [(divided, 255.0), (divided, -255.0), (times, 1.0 / 255.0)] {
                for deviation in floats(20, 3, 2) {
                    alike(kernel, &x, &[&[scale], &means, &[deviation]], [1, x.len()], 4);
                }
            }
        }
    }
}
