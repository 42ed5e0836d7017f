//! Operations together with the conversion of their first argument or of their result, in one pass over the elements: a
//! picture's bytes that are scaled, floats that are quantised. The roundings are the same.

use std::marker::PhantomData;

use bytemuck::Pod;

use super::Op;
use super::arithmetic::{Add, Multiply, Subtract};
use super::choose::Clip;
use super::division::Divide;
use super::fused::Then;
use super::rounding::Round;
use crate::convert::{Bf16, Cast, F16, Widen};
use crate::dtype::DType;
use crate::element::{Float, Integer};
use crate::kernel::{Conversions, Floats, Kernel, Map1, Map4, dividing_as, dividing_from, from, several};
use crate::simd::Isa;

/// The kernel of a chain of operations that converts the first argument from type `read` as it is loaded; the others have
/// the compute type.
pub(crate) fn reading(read: DType, ops: &[Op], dtype: DType) -> Option<Kernel> {
    match (read, dtype) {
        (DType::U8, DType::F32) => of_bytes::<Cast<u8, f32>, u8>(ops),
        (DType::I8, DType::F32) => of_bytes::<Cast<i8, f32>, i8>(ops),
        (DType::F16, DType::F32) => of::<Widen<F16>, u16, f32>(ops),
        (DType::Bf16, DType::F32) => of::<Widen<Bf16>, u16, f32>(ops),
        (DType::I32, DType::F64) => of::<Cast<i32, f64>, i32, f64>(ops),
        (DType::F32, DType::F64) => of::<Cast<f32, f64>, f32, f64>(ops),
        _ => None,
    }
}

fn of<W: Map1<Conversions, U, Out = T>, U: Pod, T: Float>(ops: &[Op]) -> Option<Kernel> {
    Some(match ops {
        [Op::Add] => from::<W, U, Add, Floats, T, 2>(),
        [Op::Subtract] => from::<W, U, Subtract, Floats, T, 2>(),
        [Op::Multiply] => from::<W, U, Multiply, Floats, T, 2>(),
        [Op::Divide] => from::<W, U, Divide, Floats, T, 2>(),
        [Op::Subtract, Op::Multiply] => from::<W, U, Then<Subtract, Multiply>, Floats, T, 3>(),
        [Op::Multiply, Op::Add] => from::<W, U, Then<Multiply, Add>, Floats, T, 3>(),
        _ => return None,
    })
}

/// Pictures and quantised numbers, of which more is made at once.
fn of_bytes<W: Map1<Conversions, U, Out = f32>, U: Integer>(ops: &[Op]) -> Option<Kernel> {
    Some(match ops {
        [Op::Multiply, Op::Subtract] => from::<W, U, Then<Multiply, Subtract>, Floats, f32, 3>(),
        [Op::Divide] => dividing_from::<W, U, Divide, 2, 3, 0b10>(),
        [Op::Divide, Op::Subtract] => dividing_from::<W, U, Then<Divide, Subtract>, 3, 4, 0b10>(),
        [Op::Multiply, Op::Subtract, Op::Divide] => {
            dividing_from::<W, U, Then<Multiply, Then<Subtract, Divide>>, 4, 5, 0b1000>()
        }
        [Op::Divide, Op::Subtract, Op::Divide] => {
            dividing_from::<W, U, Then<Divide, Then<Subtract, Divide>>, 4, 6, 0b1010>()
        }
        _ => return of::<W, U, f32>(ops),
    })
}

/// The kernel of a chain of operations on elements of a type that converts the result to `written` as it is
/// stored.
pub(crate) fn writing(ops: &[Op], dtype: DType, written: DType) -> Option<Kernel> {
    match (dtype, written) {
        (DType::F32, DType::I8) => quantised::<Cast<f32, i8>>(ops),
        (DType::F32, DType::U8) => quantised::<Cast<f32, u8>>(ops),
        _ => None,
    }
}

fn quantised<W: Map1<Conversions, f32>>(ops: &[Op]) -> Option<Kernel> {
    match ops {
        [Op::Multiply, Op::Round, Op::Clip] => {
            Some(several::<As<Then<Then<Multiply, Round>, Clip>, W>, Floats, f32, 4>())
        }
        [Op::Divide, Op::Round, Op::Clip] => {
            type Made = Then<Then<Divide, Round>, Clip>;
            Some(dividing_as::<As<Made, W>, Made, W, 4, 5, 0b10>())
        }
        _ => None,
    }
}

/// A function, and the conversion of its result.
struct As<O, W>(PhantomData<(O, W)>);

impl<O: Map4<Floats, f32, Out = f32>, W: Map1<Conversions, f32>> Map4<Floats, f32> for As<O, W> {
    type Out = W::Out;
    #[inline(always)]
    fn map<I: Isa>(a: f32, b: f32, c: f32, d: f32) -> W::Out {
        W::map::<I>(O::map::<I>(a, b, c, d))
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::*;
    use crate::convert::{self, Overflow};

    /// Numbers that a conversion or an operation treats differently from others.
    const SPECIAL: [f32; 11] =
        [0.0, -0.0, 1.5, -2.5, 0.1, 127.5, -128.5, 3.4e38, 1e-45, f32::INFINITY, f32::NAN];

    /// Memory for so many elements of a type.
    fn room(elements: usize, dtype: DType) -> Vec<u64> {
        vec![0; (elements * dtype.size().unwrap()).div_ceil(8)]
    }

    /// The elements converted to another type.
    fn converted(x: &[u8], from: DType, to: DType) -> Vec<u64> {
        let elements = x.len() / from.size().unwrap();
        let mut out = room(elements, to);
        let kernel = convert::kernel(from, to, Overflow::Numpy).unwrap();
        kernel.run(&[x], &mut cast_slice_mut(&mut out)[..elements * to.size().unwrap()]);
        out
    }

    /// Every element of a type of up to 16 bits, and some of a wider one.
    fn every(dtype: DType) -> Vec<u64> {
        match dtype.size().unwrap() {
            1 => aligned(&(0..=u8::MAX).collect::<Vec<u8>>()),
            2 => aligned(cast_slice(&(0..=u16::MAX).collect::<Vec<u16>>())),
            _ => {
                let bits: Vec<u32> = (0..5000u32).map(|n| n.wrapping_mul(0x9E37_79B9)).collect();
                aligned(cast_slice(&bits))
            }
        }
    }

    fn aligned(bytes: &[u8]) -> Vec<u64> {
        let mut words = vec![0; bytes.len().div_ceil(8)];
        cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        words
    }

    /// What operations make one by one of arguments of a type.
    fn one_by_one(ops: &[Op], arguments: &[&[u8]], dtype: DType) -> Vec<u64> {
        let mut left = &arguments[1..];
        let mut made = aligned(arguments[0]);
        for op in ops {
            let mut own: Vec<&[u8]> = vec![&cast_slice(&made)[..arguments[0].len()]];
            let (others, later) = left.split_at(op.arity() - 1);
            own.extend(others);
            left = later;
            let mut next = vec![0u64; made.len()];
            op.kernel(dtype).unwrap().run(&own, &mut cast_slice_mut(&mut next)[..arguments[0].len()]);
            made = next;
        }
        made
    }

    /// Whether two runs of floats are the same, but for which NaN is one.
    fn assert_same(one: &[u8], other: &[u8], dtype: DType, what: &str) {
        let same = if dtype == DType::F64 {
            let pairs = cast_slice::<u8, u64>(one).iter().zip(cast_slice::<u8, u64>(other));
            let is_nan = |&bits: &u64| f64::from_bits(bits).is_nan();
            pairs.into_iter().all(|(a, b)| a == b || is_nan(a) && is_nan(b))
        } else {
            let pairs = cast_slice::<u8, u32>(one).iter().zip(cast_slice::<u8, u32>(other));
            let is_nan = |&bits: &u32| f32::from_bits(bits).is_nan();
            pairs.into_iter().all(|(a, b)| a == b || is_nan(a) && is_nan(b))
        };
        assert!(same, "{what}");
    }

    #[test]
    fn what_is_converted_while_it_is_read_is_converted_before() {
        let singles = Op::ALL.iter().map(|&op| vec![op]);
        let pairs = Op::ALL.iter().flat_map(|&one| Op::ALL.iter().map(move |&other| vec![one, other]));
        let three = |one| vec![one, Op::Subtract, Op::Divide];
        let chains: Vec<Vec<Op>> =
            singles.chain(pairs).chain([Op::Divide, Op::Multiply].map(three)).collect();
        let mut found = 0;
        for (ops, read) in chains.iter().flat_map(|ops| DType::all().map(move |read| (ops, read))) {
            for dtype in [DType::F32, DType::F64] {
                let Some(kernel) = reading(read, ops, dtype) else { continue };
                found += 1;
                let words = every(read);
                let elements = words.len() * 8 / read.size().unwrap();
                let first: &[u8] = cast_slice(&words);
                let others: Vec<Vec<u64>> = (0..3)
                    .map(|step: u32| {
                        let number = |at| SPECIAL[(at / SPECIAL.len().pow(step) + at) % SPECIAL.len()];
                        let numbers: Vec<f32> = (0..elements).map(number).collect();
                        converted(cast_slice(&numbers), DType::F32, dtype)
                    })
                    .collect();
                let wide = converted(first, read, dtype);
                let bytes = elements * dtype.size().unwrap();
                let arguments: Vec<&[u8]> =
                    [&wide].into_iter().chain(&others).map(|words| &cast_slice(words)[..bytes]).collect();
                let expected = one_by_one(ops, &arguments, dtype);
                let mut at_once = room(elements, dtype);
                let count = 1 + ops.iter().map(|op| op.arity() - 1).sum::<usize>();
                let of: Vec<&[u8]> = [first].into_iter().chain(arguments[1..count].iter().copied()).collect();
                kernel.run(&of, &mut cast_slice_mut(&mut at_once)[..bytes]);
                let what = format!("{ops:?} of {read} as {dtype}");
                assert_same(&cast_slice(&at_once)[..bytes], &cast_slice(&expected)[..bytes], dtype, &what);
            }
        }
        assert!(found > 40, "{found}");
    }

    #[test]
    fn what_is_converted_while_it_is_written_is_converted_after() {
        let numbers: Vec<f32> =
            SPECIAL.iter().copied().chain((-1400..1400).map(|n| n as f32 / 5.0)).collect();
        let constant = |n: f32| vec![n; numbers.len()];
        let others = [constant(1.25), constant(-128.0), constant(127.0)];
        let mut arguments: Vec<&[u8]> = vec![cast_slice(&numbers)];
        arguments.extend(others.iter().map(|other| cast_slice::<f32, u8>(other)));
        for ops in [[Op::Multiply, Op::Round, Op::Clip], [Op::Divide, Op::Round, Op::Clip]] {
            let exact = one_by_one(&ops, &arguments, DType::F32);
            for written in [DType::I8, DType::U8] {
                let expected = converted(&cast_slice(&exact)[..4 * numbers.len()], DType::F32, written);
                let mut at_once = vec![0; numbers.len()];
                writing(&ops, DType::F32, written).unwrap().run(&arguments, &mut at_once);
                assert_eq!(
                    at_once,
                    cast_slice::<u64, u8>(&expected)[..numbers.len()],
                    "{ops:?} as {written}"
                );
            }
        }
    }

    #[test]
    fn an_operation_on_halves_is_one_of_floats_rounded() {
        let mut found = 0;
        for (&op, dtype) in Op::ALL.iter().flat_map(|op| [(op, DType::F16), (op, DType::Bf16)]) {
            let Some(kernel) = op.kernel(dtype).filter(|_| op.arity() == 2) else { continue };
            found += 1;
            let all = every(dtype);
            for special in SPECIAL {
                let other = converted(cast_slice(&vec![special; 1 << 16]), DType::F32, dtype);
                for arguments in [[&all, &other], [&other, &all]] {
                    let arguments = arguments.map(|words| cast_slice::<u64, u8>(words));
                    let wide = arguments.map(|argument| converted(argument, dtype, DType::F32));
                    let wide = wide.each_ref().map(|words| cast_slice::<u64, u8>(words));
                    let exact = one_by_one(&[op], &wide, DType::F32);
                    let expected = converted(cast_slice(&exact), DType::F32, dtype);
                    let mut at_once = room(1 << 16, dtype);
                    kernel.run(&arguments, cast_slice_mut(&mut at_once));
                    let [one, two] =
                        [at_once, expected].map(|codes| converted(cast_slice(&codes), dtype, DType::F32));
                    assert_same(
                        cast_slice(&one),
                        cast_slice(&two),
                        DType::F32,
                        &format!("{op} {dtype} {special}"),
                    );
                }
            }
        }
        assert!(found >= 12, "{found}");
    }
}
