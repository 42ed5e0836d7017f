//! Pairs of operations in one pass over the elements: fewer loads and stores in the nearest cache. The roundings are
//! the same two, so the result is, bit for bit.

use std::marker::PhantomData;

use super::Op;
use super::arithmetic::{Add, Multiply, Subtract};
use super::choose::Maximum;
use super::division::Divide;
use super::rounding::Round;
use crate::dtype::DType;
use crate::element::Float;
use crate::kernel::{Floats, Kernel, Map1, Map2, Map3, floats2, floats3};
use crate::simd::Isa;

/// The kernel of an operation of which the argument at a place is another operation, on elements of this type: of the
/// other's arguments, and then the operation's own further one.
pub(crate) fn pair(outer: Op, inner: Op, place: usize, dtype: DType) -> Option<Kernel> {
    match (outer, inner, place) {
        (Op::Square, Op::Subtract, _) => Op::SquaredDifference.kernel(dtype),
        (Op::Round, Op::Multiply, _) => floats2::<Then<Multiply, Round>>(dtype),
        (Op::Round, Op::Divide, _) => floats2::<Then<Divide, Round>>(dtype),
        (Op::Add, Op::Multiply, _) => floats3::<Then<Multiply, Add>>(dtype),
        (Op::Add, Op::Add, _) => floats3::<Then<Add, Add>>(dtype),
        (Op::Add, Op::Divide, _) => floats3::<Then<Divide, Add>>(dtype),
        (Op::Subtract, Op::Multiply, 0) => floats3::<Then<Multiply, Subtract>>(dtype),
        (Op::Subtract, Op::Divide, 0) => floats3::<Then<Divide, Subtract>>(dtype),
        (Op::Multiply, Op::Add, _) => floats3::<Then<Add, Multiply>>(dtype),
        (Op::Multiply, Op::Subtract, _) => floats3::<Then<Subtract, Multiply>>(dtype),
        (Op::Multiply, Op::Multiply, _) => floats3::<Then<Multiply, Multiply>>(dtype),
        (Op::Divide, Op::Add, 0) => floats3::<Then<Add, Divide>>(dtype),
        (Op::Divide, Op::Subtract, 0) => floats3::<Then<Subtract, Divide>>(dtype),
        (Op::Maximum, Op::Add, 0) => floats3::<Then<Add, Maximum>>(dtype),
        _ => None,
    }
}

/// First one function, then another of what comes of it.
struct Then<Inner, Outer>(PhantomData<(Inner, Outer)>);

impl<T: Float, Inner: Map2<Floats, T, Out = T>, Outer: Map1<Floats, T, Out = T>> Map2<Floats, T>
    for Then<Inner, Outer>
{
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        Outer::map::<I>(Inner::map::<I>(a, b))
    }
}

impl<T: Float, Inner: Map2<Floats, T, Out = T>, Outer: Map2<Floats, T, Out = T>> Map3<Floats, T>
    for Then<Inner, Outer>
{
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        Outer::map::<I>(Inner::map::<I>(a, b), c)
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::*;

    const NUMBERS: [f32; 12] = [
        0.0,
        -0.0,
        1.5,
        -2.5,
        3.4e38,
        -1e-45,
        0.1,
        7.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        -f32::NAN,
    ];

    /// What a kernel makes of numbers, bit for bit.
    fn run(kernel: Kernel, arguments: &[&[f32]]) -> Vec<u32> {
        let mut result = vec![0u32; arguments[0].len()];
        let arguments: Vec<&[u8]> = arguments.iter().map(|numbers| cast_slice(numbers)).collect();
        kernel(&arguments, cast_slice_mut(&mut result));
        result
    }

    #[test]
    fn a_pair_is_one_after_the_other() {
        let every = |step: usize| -> Vec<f32> {
            (0..NUMBERS.len().pow(3)).map(|at| NUMBERS[at / step % NUMBERS.len()]).collect()
        };
        let (a, b, c) = (every(1), every(NUMBERS.len()), every(NUMBERS.len().pow(2)));
        let mut pairs = 0;
        for outer in Op::ALL.iter().copied() {
            for inner in Op::ALL.iter().copied() {
                for place in 0..2 {
                    let Some(both) = pair(outer, inner, place, DType::F32) else { continue };
                    let [first, second] = [inner, outer].map(|op| op.kernel(DType::F32).unwrap());
                    let between: Vec<f32> = run(first, &[&a, &b]).into_iter().map(f32::from_bits).collect();
                    let (at_once, expected) = match outer.record().arguments.len() {
                        1 => (run(both, &[&a, &b]), run(second, &[&between])),
                        _ if place == 0 => (run(both, &[&a, &b, &c]), run(second, &[&between, &c])),
                        _ => (run(both, &[&a, &b, &c]), run(second, &[&c, &between])),
                    };
                    // Which of two NaN comes of both is the processor's to say.
                    let same = |(one, other): (&u32, &u32)| {
                        one == other || f32::from_bits(*one).is_nan() && f32::from_bits(*other).is_nan()
                    };
                    assert!(at_once.iter().zip(&expected).all(same), "{outer:?} of {inner:?} at {place}");
                    pairs += 1;
                }
            }
        }
        assert!(pairs > 10);
    }
}
