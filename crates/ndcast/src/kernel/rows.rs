//! Kernels of folds of what a function makes of several arguments: rows of it are folded one after the other as they are
//! computed, and are nowhere in memory.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice_mut};

use super::along::{Along, ArgumentRows, exactly, splats};
use super::runs::{fold_more, mapped};
use super::{BLOCK, Map, Map2};
use crate::simd::{Body, Isa, simd};

/// Rows folded at a time: the accumulator is loaded and stored once for all of them.
const TOGETHER: usize = 4;
/// Rows of so many bytes and more are prefetched: the hardware does not look from the end of one to the next. Shorter ones are all
/// near each other.
const LONG: usize = 8 << 10;

/// Computes so many rows of so many columns each, and folds them to the result, one after the other. The arguments are as those
/// of [`super::OfSeveral`].
pub(crate) type OfRows = fn(arguments: &[&Along<'_>], sizes: [usize; 2], result: &mut [u8]);

pub(super) fn run<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize>(
    arguments: &[&Along<'_>],
    [rows, _]: [usize; 2],
    result: &mut [u8],
) {
    let (out, maps) = (cast_slice_mut(result), PhantomData);
    simd(RowsOf::<O, M, C, T, N> { arguments, rows, out, maps });
}

struct RowsOf<'a, O, M, C, T, const N: usize> {
    arguments: &'a [&'a Along<'a>],
    rows: usize,
    out: &'a mut [T],
    maps: PhantomData<(O, M, C)>,
}

impl<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize> Body
    for RowsOf<'_, O, M, C, T, N>
{
    #[inline(always)]
    fn run<I: Isa>(self) {
        let RowsOf { arguments, rows, out, .. } = self;
        let Some(arguments) = exactly(arguments) else { return };
        let columns = out.len();
        let is_long = size_of_val(out) >= LONG;
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        let (decoded, mut splats_one) = (ArgumentRows::all(arguments, columns), splats());
        let first = ArgumentRows::together(&decoded, 0, &mut splats_one);
        let behind = first.rest();
        for (place, sofar) in rest.iter_mut().enumerate() {
            *sofar = M::map::<I>(behind.at(place));
        }
        for (block, sofar) in first.beside(blocks) {
            *sofar = mapped::<I, M, C, T, N>(block);
        }
        let mut splats_some: [_; TOGETHER] = std::array::from_fn(|_| splats());
        let mut row = 1;
        while row + TOGETHER <= rows {
            let [of_one, of_two, of_three, of_four] = &mut splats_some;
            let one = ArgumentRows::together(&decoded, row, of_one);
            let two = ArgumentRows::together(&decoded, row + 1, of_two);
            let three = ArgumentRows::together(&decoded, row + 2, of_three);
            let four = ArgumentRows::together(&decoded, row + 3, of_four);
            let behind = [one.rest(), two.rest(), three.rest(), four.rest()];
            for (place, sofar) in rest.iter_mut().enumerate() {
                for row in &behind {
                    *sofar = O::map::<I>(*sofar, M::map::<I>(row.at(place)));
                }
            }
            let others = two.zip(three.zip(four));
            let all = blocks.iter_mut().zip(one).zip(others).enumerate();
            for (number, ((sofar, one), (two, (three, four)))) in all {
                if is_long && row + 2 * TOGETHER <= rows {
                    for argument in &decoded {
                        for later in TOGETHER..2 * TOGETHER {
                            argument.prefetch(row + later, number * BLOCK, BLOCK);
                        }
                    }
                }
                let mut lanes = *sofar;
                fold_more::<I, O, M, C, T, N>(&mut lanes, one);
                fold_more::<I, O, M, C, T, N>(&mut lanes, two);
                fold_more::<I, O, M, C, T, N>(&mut lanes, three);
                fold_more::<I, O, M, C, T, N>(&mut lanes, four);
                *sofar = lanes;
            }
            row += TOGETHER;
        }
        for row in row..rows {
            let more = ArgumentRows::together(&decoded, row, &mut splats_one);
            let behind = more.rest();
            for (place, sofar) in rest.iter_mut().enumerate() {
                *sofar = O::map::<I>(*sofar, M::map::<I>(behind.at(place)));
            }
            for (block, sofar) in more.beside(blocks) {
                fold_more::<I, O, M, C, T, N>(sofar, block);
            }
        }
    }
}
