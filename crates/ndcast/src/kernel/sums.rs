//! Kernels of sums of short integers, and of truth values, that are converted to long ones: they are added as they are
//! read, most of them in lanes that are only twice as long.

use std::marker::PhantomData;
use std::ops::Add;

use bytemuck::{Pod, cast_slice_mut};

use super::along::{Along, ArgumentRows, Room, exactly, splats};
use super::fold::{each_to_one, folded_first};
use super::{BLOCK, FoldingOf, Integers, Map2, OfRuns};
use crate::dtype::DType;
use crate::simd::{Body, Isa, simd};

/// A lane twice as long as an integer never overflows with this many.
const ADDED: usize = 256;

/// The kernel of a sum of integers of one type converted to another; `None` for other types. Sums wrap at 64 bits, so their
/// order does not matter.
pub(crate) fn sums<O: Map2<Integers, i64, Out = i64>>(from: DType, to: DType) -> Option<FoldingOf> {
    let runs: OfRuns = match (from, to) {
        (DType::Bool | DType::U8, DType::I64 | DType::U64) => run::<O, u8, u16>,
        (DType::U16, DType::I64 | DType::U64) => run::<O, u16, u32>,
        (DType::U32, DType::I64 | DType::U64) => run::<O, u32, i64>,
        (DType::I8, DType::I64) => run::<O, i8, i16>,
        (DType::I16, DType::I64) => run::<O, i16, i32>,
        (DType::I32, DType::I64) => run::<O, i32, i64>,
        _ => return None,
    };
    Some(FoldingOf { runs, rows: None, interleaved: None, lanes: None })
}

fn run<O, T, W>(arguments: &[&Along<'_>], columns: usize, length: usize, result: &mut [u8])
where
    O: Map2<Integers, i64, Out = i64>,
    T: Pod,
    W: Pod + From<T> + Add<Output = W>,
    i64: From<W>,
{
    let (out, by) = (cast_slice_mut(result), PhantomData);
    simd(Sums::<O, T, W> { arguments, columns, length, out, by });
}

struct Sums<'a, O, T, W> {
    arguments: &'a [&'a Along<'a>],
    columns: usize,
    length: usize,
    out: &'a mut [i64],
    by: PhantomData<(O, T, W)>,
}

impl<O, T, W> Body for Sums<'_, O, T, W>
where
    O: Map2<Integers, i64, Out = i64>,
    T: Pod,
    W: Pod + From<T> + Add<Output = W>,
    i64: From<W>,
{
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Sums { arguments, columns, length, out, .. } = self;
        let Some(&[argument]) = exactly(arguments) else { return };
        let mut splats = splats();
        let (blocks, rest) = (length / BLOCK, length % BLOCK);
        if columns <= length {
            let (decoded, mut rows, mut room) =
                (ArgumentRows::all(&[argument], length), 0..out.len(), Room::new());
            return each_to_one::<I, O, Integers, i64>(out, || {
                let row = rows.next().unwrap_or_default();
                let mut all = ArgumentRows::together(&decoded, row, &mut splats);
                let mut sums = added::<I, O, T, W>(&mut all, blocks);
                if rest > 0 {
                    let [more] = room.last(&decoded, row, &all);
                    let more = std::array::from_fn(|place| i64::from(W::from(more[place])));
                    sums = folded_first::<I, O, Integers, i64>(&sums, &more, rest);
                }
                sums
            });
        }
        let runs = out.len().min(columns / length);
        let decoded = ArgumentRows::all(&[argument], runs * length);
        for (row, out) in out.chunks_mut(runs).enumerate() {
            let mut all = ArgumentRows::together(&decoded, row, &mut splats);
            each_to_one::<I, O, Integers, i64>(out, || added::<I, O, T, W>(&mut all, blocks));
        }
    }
}

/// The sums in each lane of so many blocks.
#[inline(always)]
fn added<'t, I, O, T, W>(blocks: &mut impl Iterator<Item = [&'t [T; BLOCK]; 1]>, count: usize) -> [i64; BLOCK]
where
    I: Isa,
    O: Map2<Integers, i64, Out = i64>,
    T: Pod,
    W: Pod + From<T> + Add<Output = W>,
    i64: From<W>,
{
    let (mut sums, mut left) = ([0; BLOCK], count);
    while left > 0 {
        let now = left.min(ADDED);
        let mut short = [W::zeroed(); BLOCK];
        for [block] in blocks.take(now) {
            for place in 0..BLOCK {
                short[place] = short[place] + W::from(block[place]);
            }
        }
        for place in 0..BLOCK {
            sums[place] = O::map::<I>(sums[place], i64::from(short[place]));
        }
        left -= now;
    }
    sums
}

#[cfg(test)]
mod tests {
    use bytemuck::cast_slice;

    use super::*;

    struct Sum;
    impl Map2<Integers, i64> for Sum {
        type Out = i64;
        fn map<I: Isa>(a: i64, b: i64) -> i64 {
            a.wrapping_add(b)
        }
    }

    fn summed<T: Pod>(from: DType, length: usize, elements: &[T]) -> Vec<i64> {
        let mut out = vec![0; elements.len() / length];
        let all = Along::run(cast_slice(elements));
        let kernels = sums::<Sum>(from, DType::I64).unwrap();
        (kernels.runs)(&[&all], elements.len(), length, cast_slice_mut(&mut out));
        out
    }

    #[test]
    fn no_sum_is_too_great_for_its_lane() {
        // More blocks than are added in one lane at a time.
        let length = (ADDED + 1) * BLOCK;
        let count = i64::try_from(length).unwrap();
        assert_eq!(summed(DType::U8, length, &vec![u8::MAX; 2 * length]), [255 * count; 2]);
        assert_eq!(summed(DType::I8, length, &vec![i8::MIN; 2 * length]), [-128 * count; 2]);
        assert_eq!(summed(DType::U16, length, &vec![u16::MAX; length]), [65535 * count]);
        assert_eq!(summed(DType::I16, length, &vec![i16::MIN; length]), [-32768 * count]);
        assert_eq!(summed(DType::U32, length, &vec![u32::MAX; length]), [i64::from(u32::MAX) * count]);
        assert_eq!(summed(DType::I32, length, &vec![i32::MIN; length]), [i64::from(i32::MIN) * count]);
    }

    #[test]
    fn runs_are_added_each_by_itself() {
        let elements: Vec<u8> = (0..21 * 128).map(|n| u8::try_from(n * 7 % 256).unwrap()).collect();
        let expected = elements.chunks(128).map(|run| run.iter().map(|&x| i64::from(x)).sum());
        assert_eq!(summed(DType::U8, 128, &elements), expected.collect::<Vec<i64>>());
        assert!(sums::<Sum>(DType::I8, DType::U64).is_none());
        assert!(sums::<Sum>(DType::F32, DType::I64).is_none());
    }
}
