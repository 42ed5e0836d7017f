//! Kernels of folds of what a function makes of several arguments: runs of it are folded as they are computed, and are
//! nowhere in memory.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice_mut};

use super::along::{Along, Row};
use super::fold::{each_to_one, folded, folded_first};
use super::{BLOCK, Floats, FoldsFloats, Map, Map2, at};
use crate::dtype::DType;
use crate::simd::{Body, Isa, simd};

/// Computes as many runs of so many elements each as the result has elements, at least one block of [`BLOCK`], and folds each
/// to one. The arguments are as those of [`super::OfSeveral`]; a row is one run, or a number of runs of whole blocks.
pub(crate) type OfRuns = fn(arguments: &[&Along<'_>], columns: usize, length: usize, result: &mut [u8]);

/// The kernel of a fold of a function's values for a type of floats; `None` for another type.
pub(crate) fn of_runs<O: FoldsFloats, M, const N: usize>(dtype: DType) -> Option<OfRuns>
where
    M: Map<Floats, f32, N, Out = f32> + Map<Floats, f64, N, Out = f64>,
{
    match dtype {
        DType::F32 => Some(run::<O, M, Floats, f32, N>),
        DType::F64 => Some(run::<O, M, Floats, f64, N>),
        _ => None,
    }
}

fn run<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize>(
    arguments: &[&Along<'_>],
    columns: usize,
    length: usize,
    result: &mut [u8],
) {
    let (out, maps) = (cast_slice_mut(result), PhantomData);
    simd(RunsOf::<O, M, C, T, N> { arguments, columns, length, out, maps });
}

struct RunsOf<'a, O, M, C, T, const N: usize> {
    arguments: &'a [&'a Along<'a>],
    columns: usize,
    length: usize,
    out: &'a mut [T],
    maps: PhantomData<(O, M, C)>,
}

impl<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize> Body
    for RunsOf<'_, O, M, C, T, N>
{
    #[inline(always)]
    fn run<I: Isa>(self) {
        let RunsOf { arguments, columns, length, out, .. } = self;
        let Ok(arguments) = <&[&Along<'_>; N]>::try_from(arguments) else { return };
        let (blocks, rest) = (length / BLOCK, length % BLOCK);
        let mut alike = [None; N];
        if columns <= length {
            let mut rows = 0..out.len();
            return each_to_one::<I, O, C, T>(out, || {
                let row = rows.next().unwrap_or_default();
                let mut all = Row::of(arguments, row, length, &mut alike);
                let Some(first) = all.blocks.next() else { return [T::zeroed(); BLOCK] };
                let mut lanes = mapped::<I, M, C, T, N>(first);
                for arguments in all.blocks.by_ref() {
                    lanes = folded::<I, O, C, T, BLOCK>(&lanes, &mapped::<I, M, C, T, N>(arguments));
                }
                if rest > 0 {
                    let mut room = [[T::zeroed(); BLOCK]; N];
                    let more = mapped::<I, M, C, T, N>(all.last(arguments, (row, length), &mut room));
                    lanes = folded_first::<I, O, C, T>(&lanes, &more, rest);
                }
                lanes
            });
        }
        for (row, out) in out.chunks_mut(columns / length).enumerate() {
            let mut all = Row::of(arguments, row, out.len() * length, &mut alike).blocks;
            each_to_one::<I, O, C, T>(out, || {
                let Some(first) = all.next() else { return [T::zeroed(); BLOCK] };
                let mut lanes = mapped::<I, M, C, T, N>(first);
                for arguments in all.by_ref().take(blocks - 1) {
                    lanes = folded::<I, O, C, T, BLOCK>(&lanes, &mapped::<I, M, C, T, N>(arguments));
                }
                lanes
            });
        }
    }
}

/// What a function makes of a block.
#[inline(always)]
fn mapped<I: Isa, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize>(
    arguments: [&[T; BLOCK]; N],
) -> [T; BLOCK] {
    let mut mapped = [T::zeroed(); BLOCK];
    for place in 0..BLOCK {
        mapped[place] = M::map::<I>(at(&arguments, place));
    }
    mapped
}
