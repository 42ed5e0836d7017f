//! Several operations in one pass over the elements: fewer loads and stores in the nearest cache. The roundings are
//! the same, so the result is, bit for bit.

use std::marker::PhantomData;

use bytemuck::Pod;

use super::Op;
use super::arithmetic::{Add, Multiply, Square, Subtract};
use super::choose::{Clip, Maximum};
use super::division::Divide;
use super::exponential::Exp;
use super::rounding::Round;
use super::sign::Abs;
use crate::dtype::DType;
use crate::kernel::{
    self, Floats, FoldingOf, FoldsComplexes, FoldsFloats, Kernel, Map1, Map2, Map3, Map4, Map5, Rounded,
    dividing, floats2, floats3, floats4, floats5, halves,
};
use crate::simd::Isa;

/// The fused kernel of two chains of operations, of which the outer one takes the inner one's result at `place`. Its arguments
/// are the inner ones, then the outer chain's others. In a chain, each operation's first argument is the result before
/// it.
pub(crate) fn fused(inner: &[Op], outer: &[Op], place: usize, dtype: DType) -> Option<Kernel> {
    match (inner, outer, place) {
        (&[inner], &[outer], _) => pair(outer, inner, place, dtype),
        // What is normalised, scaled and shifted.
        ([Op::Subtract, Op::Multiply], [Op::Multiply, Op::Add], 0 | 1) => {
            of_five::<Subtract, Multiply, Multiply, Add>(dtype)
        }
        ([Op::Subtract, Op::Divide], [Op::Multiply, Op::Add], 0 | 1) => {
            dividing::<All<Subtract, Divide, Multiply, Add>, 5, 6, 0b100>(dtype)
                .or_else(|| of_five::<Subtract, Divide, Multiply, Add>(dtype))
        }
        // A picture that is scaled and normalised.
        ([Op::Divide, Op::Subtract], [Op::Divide], 0) => {
            type Both = Then<Divide, Then<Subtract, Divide>>;
            dividing::<Both, 4, 6, 0b1010>(dtype)
        }
        ([Op::Multiply, Op::Subtract], [Op::Divide], 0) => {
            type Last = Then<Multiply, Then<Subtract, Divide>>;
            dividing::<Last, 4, 5, 0b1000>(dtype)
        }
        // What is quantised.
        ([Op::Multiply, Op::Round], [Op::Clip], 0) => floats4::<Then<Then<Multiply, Round>, Clip>>(dtype),
        ([Op::Divide, Op::Round], [Op::Clip], 0) => {
            type First = Then<Then<Divide, Round>, Clip>;
            dividing::<First, 4, 5, 0b10>(dtype)
        }
        _ => None,
    }
}

fn pair(outer: Op, inner: Op, place: usize, dtype: DType) -> Option<Kernel> {
    match (outer, inner, place) {
        (Op::Square, Op::Subtract, _) => Op::SquaredDifference.kernel(dtype),
        (Op::Abs, Op::Subtract, _) => floats2::<Then<Subtract, Abs>>(dtype),
        (Op::Round, Op::Multiply, _) => floats2::<Then<Multiply, Round>>(dtype),
        (Op::Round, Op::Divide, _) => dividing::<Then<Divide, Round>, 2, 3, 0b10>(dtype),
        (Op::Add, Op::Multiply, _) => of_three::<Multiply, Add>(dtype),
        (Op::Add, Op::Add, _) => of_three::<Add, Add>(dtype),
        (Op::Add, Op::Divide, _) => {
            dividing::<Then<Divide, Add>, 3, 4, 0b10>(dtype).or_else(|| of_three::<Divide, Add>(dtype))
        }
        (Op::Subtract, Op::Multiply, 0) => of_three::<Multiply, Subtract>(dtype),
        (Op::Subtract, Op::Divide, 0) => dividing::<Then<Divide, Subtract>, 3, 4, 0b10>(dtype)
            .or_else(|| of_three::<Divide, Subtract>(dtype)),
        (Op::Multiply, Op::Add, _) => of_three::<Add, Multiply>(dtype),
        (Op::Multiply, Op::Subtract, _) => of_three::<Subtract, Multiply>(dtype),
        (Op::Multiply, Op::Multiply, _) => of_three::<Multiply, Multiply>(dtype),
        (Op::Divide, Op::Add, 0) => of_three::<Add, Divide>(dtype),
        (Op::Divide, Op::Subtract, 0) => of_three::<Subtract, Divide>(dtype),
        (Op::Maximum, Op::Add, 0) => of_three::<Add, Maximum>(dtype),
        // What a softmax and a Gaussian take the exponential of.
        (Op::Exp, Op::Subtract, _) => floats2::<Then<Subtract, Exp>>(dtype),
        (Op::Exp, Op::Multiply, _) => floats2::<Then<Multiply, Exp>>(dtype),
        _ => None,
    }
}

/// The kernel of an operation of two arguments, and one of its result and a third.
fn of_three<Inner: OfFloats, Outer: OfFloats>(dtype: DType) -> Option<Kernel> {
    floats3::<Then<Inner, Outer>>(dtype).or_else(|| halves::<Then<Rounded<Inner>, Rounded<Outer>>, 3>(dtype))
}

/// Four operations, each of what the one before it makes and of another argument.
type All<A, B, C, D> = Then<Then<A, B>, Then<C, D>>;

/// The kernel of four such operations.
fn of_five<A: OfFloats, B: OfFloats, C: OfFloats, D: OfFloats>(dtype: DType) -> Option<Kernel> {
    floats5::<All<A, B, C, D>>(dtype)
        .or_else(|| halves::<All<Rounded<A>, Rounded<B>, Rounded<C>, Rounded<D>>, 5>(dtype))
}

/// A function of two floats that makes a third.
trait OfFloats: Map2<Floats, f32, Out = f32> + Map2<Floats, f64, Out = f64> {}
impl<O: Map2<Floats, f32, Out = f32> + Map2<Floats, f64, Out = f64>> OfFloats for O {}

/// The kernels of a fold of what these operations make, each of what the one before it makes, on elements of this type.
pub(crate) fn folding_of<O: FoldsFloats + FoldsComplexes>(ops: &[Op], dtype: DType) -> Option<FoldingOf> {
    match ops {
        [Op::Multiply] => kernel::folding_of::<O, Multiply, 2>(dtype)
            .or_else(|| kernel::folding_of_complexes::<O, Multiply, 2>(dtype)),
        [Op::Square] => kernel::folding_of::<O, Square, 1>(dtype),
        [Op::Abs] => kernel::folding_of::<O, Abs, 1>(dtype),
        [Op::Subtract, Op::Abs] => kernel::folding_of::<O, Then<Subtract, Abs>, 2>(dtype),
        [Op::SquaredDifference] | [Op::Subtract, Op::Square] => {
            kernel::folding_of::<O, Then<Subtract, Square>, 2>(dtype)
        }
        _ => None,
    }
}

/// The composition of two functions.
pub(super) struct Then<Inner, Outer>(PhantomData<(Inner, Outer)>);

impl<C, T: Pod, Inner: Map2<C, T, Out = T>, Outer: Map1<C, T, Out = T>> Map2<C, T> for Then<Inner, Outer> {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        Outer::map::<I>(Inner::map::<I>(a, b))
    }
}

impl<C, T: Pod, Inner: Map2<C, T, Out = T>, Outer: Map2<C, T, Out = T>> Map3<C, T> for Then<Inner, Outer> {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T) -> T {
        Outer::map::<I>(Inner::map::<I>(a, b), c)
    }
}

impl<C, T: Pod, Inner: Map2<C, T, Out = T>, Outer: Map3<C, T, Out = T>> Map4<C, T> for Then<Inner, Outer> {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T, d: T) -> T {
        Outer::map::<I>(Inner::map::<I>(a, b), c, d)
    }
}

impl<C, T: Pod, Inner: Map3<C, T, Out = T>, Outer: Map3<C, T, Out = T>> Map5<C, T> for Then<Inner, Outer> {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T, c: T, d: T, e: T) -> T {
        Outer::map::<I>(Inner::map::<I>(a, b, c), d, e)
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};
    use half::{bf16, f16};

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

    /// What a kernel makes of elements, each of so many bytes.
    fn run(kernel: Kernel, arguments: &[&[u8]]) -> Vec<u8> {
        let mut result = vec![0u64; arguments[0].len().div_ceil(8)];
        let result: &mut [u8] = &mut cast_slice_mut(&mut result)[..arguments[0].len()];
        kernel.run(arguments, result);
        result.to_vec()
    }

    /// Memory that begins where any element may.
    fn aligned(bytes: &[u8]) -> Vec<u64> {
        let mut words = vec![0u64; bytes.len().div_ceil(8)];
        cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        words
    }

    /// What operations make one by one, each of what the one before it makes, at this place, and of the next arguments.
    fn one_by_one(ops: &[(Op, usize)], arguments: &mut std::slice::Iter<'_, &[u8]>, dtype: DType) -> Vec<u8> {
        let mut made: Option<Vec<u64>> = None;
        let length = arguments.as_slice()[0].len();
        for &(op, place) in ops {
            let others = op.record().arguments.len() - usize::from(made.is_some());
            let mut own: Vec<&[u8]> = arguments.by_ref().take(others).copied().collect();
            if let Some(made) = &made {
                own.insert(place, &cast_slice(made)[..length]);
            }
            made = Some(aligned(&run(op.kernel(dtype).unwrap(), &own)));
        }
        cast_slice(&made.unwrap())[..length].to_vec()
    }

    /// These numbers as elements of a type.
    fn elements(dtype: DType) -> Vec<Vec<u8>> {
        let to = |x: &f32| match dtype {
            DType::F16 => f16::from_f32(*x).to_bits().to_le_bytes().to_vec(),
            DType::Bf16 => bf16::from_f32(*x).to_bits().to_le_bytes().to_vec(),
            _ => x.to_le_bytes().to_vec(),
        };
        NUMBERS.iter().map(to).collect()
    }

    /// Whether two elements are the same; which of two NaN comes of both is the processor's to say.
    fn same(dtype: DType, one: &[u8], other: &[u8]) -> bool {
        let is_nan = |bytes: &[u8]| match dtype {
            DType::F16 => f16::from_le_bytes([bytes[0], bytes[1]]).is_nan(),
            DType::Bf16 => bf16::from_le_bytes([bytes[0], bytes[1]]).is_nan(),
            _ => f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).is_nan(),
        };
        one == other || is_nan(one) && is_nan(other)
    }

    /// How many fusions of two operations there are, and of more; each is computed and compared.
    fn checked(dtype: DType) -> (usize, usize) {
        let numbers = elements(dtype);
        let size = numbers[0].len();
        let every: Vec<Vec<u64>> = (0..5)
            .map(|step| {
                let step = numbers.len().pow(step);
                let all = (0..numbers.len().pow(5)).flat_map(|at| &numbers[at / step % numbers.len()]);
                aligned(&all.copied().collect::<Vec<u8>>())
            })
            .collect();
        let every: Vec<&[u8]> = every.iter().map(|argument| cast_slice(argument)).collect();
        let singles = || Op::ALL.iter().filter(|op| op.kernel(dtype).is_some()).map(|&op| vec![op]);
        let mut known: Vec<Vec<Op>> = singles().collect();
        for (inner, outer) in singles().flat_map(|inner| singles().map(move |outer| (inner.clone(), outer))) {
            if (0..3).any(|place| fused(&inner, &outer, place, dtype).is_some()) {
                known.push([inner, outer].concat());
            }
        }
        let (mut pairs, mut more) = (0, 0);
        for (inner, outer) in known.iter().flat_map(|inner| known.iter().map(move |outer| (inner, outer))) {
            for place in 0..outer[0].record().arguments.len() {
                let Some(both) = fused(inner, outer, place, dtype) else { continue };
                let all = inner.iter().map(|&op| (op, 0)).chain([(outer[0], place)]);
                let ops: Vec<(Op, usize)> = all.chain(outer[1..].iter().map(|&op| (op, 0))).collect();
                let mut left = every.iter();
                let expected = one_by_one(&ops, &mut left, dtype);
                let at_once = run(both, &every[..5 - left.len()]);
                let mut elements = at_once.chunks(size).zip(expected.chunks(size));
                assert!(
                    elements.all(|(one, other)| same(dtype, one, other)),
                    "{outer:?} of {inner:?} at {place}, {dtype}"
                );
                if ops.len() == 2 { pairs += 1 } else { more += 1 }
            }
        }
        (pairs, more)
    }

    #[test]
    fn what_is_fused_is_one_after_the_other() {
        let (pairs, more) = checked(DType::F32);
        assert!(pairs > 10 && more >= 4, "{pairs} pairs, {more} of more");
        for dtype in [DType::F16, DType::Bf16] {
            let (pairs, more) = checked(dtype);
            assert!(pairs > 10 && more >= 2, "{pairs} pairs, {more} of more of {dtype}");
        }
    }
}
