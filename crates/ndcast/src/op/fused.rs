//! Several operations in one pass over the elements: fewer loads and stores in the nearest cache. The roundings are
//! the same, so the result is, bit for bit.

use std::marker::PhantomData;

use super::Op;
use super::arithmetic::{Add, Multiply, Square, Subtract};
use super::choose::{Clip, Maximum};
use super::division::Divide;
use super::rounding::Round;
use super::sign::Abs;
use crate::dtype::DType;
use crate::element::Float;
use crate::kernel::{
    Floats, FoldsFloats, Kernel, Map1, Map2, Map3, Map4, Map5, OfRuns, floats2, floats3, floats4, floats5,
    of_runs,
};
use crate::simd::Isa;

/// The kernel of operations of which the argument at a place is what others make, on elements of this type: of the
/// others' arguments, and then the operations' own further ones. Of several operations, each has what the one before it
/// makes as its first argument.
pub(crate) fn fused(inner: &[Op], outer: &[Op], place: usize, dtype: DType) -> Option<Kernel> {
    type Shifted = Then<Multiply, Add>;
    match (inner, outer, place) {
        (&[inner], &[outer], _) => pair(outer, inner, place, dtype),
        // What is normalised, scaled and shifted.
        ([Op::Subtract, Op::Multiply], [Op::Multiply, Op::Add], 0 | 1) => {
            floats5::<Then<Then<Subtract, Multiply>, Shifted>>(dtype)
        }
        ([Op::Subtract, Op::Divide], [Op::Multiply, Op::Add], 0 | 1) => {
            floats5::<Then<Then<Subtract, Divide>, Shifted>>(dtype)
        }
        // What is quantised.
        ([Op::Multiply, Op::Round], [Op::Clip], 0) => floats4::<Then<Then<Multiply, Round>, Clip>>(dtype),
        ([Op::Divide, Op::Round], [Op::Clip], 0) => floats4::<Then<Then<Divide, Round>, Clip>>(dtype),
        _ => None,
    }
}

fn pair(outer: Op, inner: Op, place: usize, dtype: DType) -> Option<Kernel> {
    match (outer, inner, place) {
        (Op::Square, Op::Subtract, _) => Op::SquaredDifference.kernel(dtype),
        (Op::Abs, Op::Subtract, _) => floats2::<Then<Subtract, Abs>>(dtype),
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

/// The kernel of a fold of what these operations make, each of what the one before it makes, on elements of this type.
pub(crate) fn runs_of<O: FoldsFloats>(ops: &[Op], dtype: DType) -> Option<OfRuns> {
    match ops {
        [Op::Multiply] => of_runs::<O, Multiply, 2>(dtype),
        [Op::Square] => of_runs::<O, Square, 1>(dtype),
        [Op::Abs] => of_runs::<O, Abs, 1>(dtype),
        [Op::Subtract, Op::Abs] => of_runs::<O, Then<Subtract, Abs>, 2>(dtype),
        [Op::SquaredDifference] | [Op::Subtract, Op::Square] => {
            of_runs::<O, Then<Subtract, Square>, 2>(dtype)
        }
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

impl<T: Float, Inner: Map2<Floats, T, Out = T>, Outer: Map3<Floats, T, Out = T>> Map4<Floats, T>
    for Then<Inner, Outer>
{
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T, d: T) -> T {
        Outer::map::<I>(Inner::map::<I>(a, b), c, d)
    }
}

impl<T: Float, Inner: Map3<Floats, T, Out = T>, Outer: Map3<Floats, T, Out = T>> Map5<Floats, T>
    for Then<Inner, Outer>
{
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T, d: T, e: T) -> T {
        Outer::map::<I>(Inner::map::<I>(a, b, c), d, e)
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

    /// What a kernel makes of numbers.
    fn run(kernel: Kernel, arguments: &[&[f32]]) -> Vec<f32> {
        let mut result = vec![0f32; arguments[0].len()];
        let arguments: Vec<&[u8]> = arguments.iter().map(|numbers| cast_slice(numbers)).collect();
        kernel.run(&arguments, cast_slice_mut(&mut result));
        result
    }

    /// What operations make one by one, each of what the one before it makes, at this place, and of the next arguments.
    fn one_by_one(ops: &[(Op, usize)], arguments: &mut std::slice::Iter<'_, Vec<f32>>) -> Vec<f32> {
        let mut made: Option<Vec<f32>> = None;
        for &(op, place) in ops {
            let others = op.record().arguments.len() - usize::from(made.is_some());
            let mut own: Vec<&[f32]> = arguments.by_ref().take(others).map(Vec::as_slice).collect();
            if let Some(made) = &made {
                own.insert(place, made);
            }
            made = Some(run(op.kernel(DType::F32).unwrap(), &own));
        }
        made.unwrap()
    }

    #[test]
    fn what_is_fused_is_one_after_the_other() {
        let every: Vec<Vec<f32>> = (0..5)
            .map(|step| {
                let step = NUMBERS.len().pow(step);
                (0..NUMBERS.len().pow(5)).map(|at| NUMBERS[at / step % NUMBERS.len()]).collect()
            })
            .collect();
        let singles = || Op::ALL.iter().map(|&op| vec![op]);
        let mut known: Vec<Vec<Op>> = singles().collect();
        for (inner, outer) in singles().flat_map(|inner| singles().map(move |outer| (inner.clone(), outer))) {
            if (0..3).any(|place| fused(&inner, &outer, place, DType::F32).is_some()) {
                known.push([inner, outer].concat());
            }
        }
        let (mut pairs, mut more) = (0, 0);
        for (inner, outer) in known.iter().flat_map(|inner| known.iter().map(move |outer| (inner, outer))) {
            for place in 0..outer[0].record().arguments.len() {
                let Some(both) = fused(inner, outer, place, DType::F32) else { continue };
                let all = inner.iter().map(|&op| (op, 0)).chain([(outer[0], place)]);
                let ops: Vec<(Op, usize)> = all.chain(outer[1..].iter().map(|&op| (op, 0))).collect();
                let mut left = every.iter();
                let expected = one_by_one(&ops, &mut left);
                let taken: Vec<&[f32]> = every[..5 - left.len()].iter().map(Vec::as_slice).collect();
                let at_once = run(both, &taken);
                // Which of two NaN comes of both is the processor's to say.
                let same = |(one, other): (&f32, &f32)| {
                    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
                };
                assert!(at_once.iter().zip(&expected).all(same), "{outer:?} of {inner:?} at {place}");
                if ops.len() == 2 { pairs += 1 } else { more += 1 }
            }
        }
        assert!(pairs > 10 && more >= 4, "{pairs} pairs, {more} of more");
    }
}
