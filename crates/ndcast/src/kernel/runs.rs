//! Kernels of folds of what a function makes of several arguments: runs of it are folded as they are computed, and are
//! nowhere in memory.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice_mut};
use num_complex::Complex;

use super::along::{Along, ArgumentRows, Room, exactly, splats};
use super::fold::{each_to_one, folded, folded_first};
use super::interleaved::Interleaved;
use super::lanes::Lanes;
use super::rows::OfRows;
use super::{BLOCK, Complexes, Floats, FoldsComplexes, FoldsFloats, Map, Map2, piecewise, rows};
use crate::dtype::DType;
use crate::simd::{Body, Isa, simd};

/// Computes rows of so many elements in runs of so many, and folds each run to one: as many as the result has elements. The
/// last run of a row may be shorter, but none is shorter than a block of [`BLOCK`], and all others are whole blocks. The
/// arguments are as those of [`super::OfSeveral`].
pub(crate) type OfRuns = fn(arguments: &[&Along<'_>], columns: usize, length: usize, result: &mut [u8]);

/// The kernels of a fold of what a function makes.
#[derive(Clone, Copy)]
pub(crate) struct FoldingOf {
    pub(crate) runs: OfRuns,
    /// The same of rows that are folded one after the other, if there is one.
    pub(crate) rows: Option<OfRows>,
    /// The same of rows of a few columns, in groups of as many rows as the result has.
    pub(crate) interleaved: Option<OfRows>,
    /// The same of as many rows as a run has elements, each column in the form of a run.
    pub(crate) lanes: Option<OfRows>,
}

/// Expands the lists of types for folds of what functions make: those of the values for a type of the class.
macro_rules! foldings {
    ($($class:ident $all:ident $pick:ident [$($dtype:ident $type:ty),*];)*) => {$(
        /// The kernels of a fold of a function's values for a type of this class; `None` for a type of another.
        pub(crate) fn $pick<O: $all, M: $(Map<$class, $type, N, Out = $type> +)*, const N: usize>(
            dtype: DType,
        ) -> Option<FoldingOf> {
            match dtype {
                $(DType::$dtype => Some(FoldingOf {
                    runs: run::<O, M, $class, $type, N>,
                    rows: Some(rows::run::<O, M, $class, $type, N>),
                    interleaved: (N == 2).then_some(piecewise::run::<Interleaved, O, M, $class, $type, N> as OfRows),
                    lanes: Some(piecewise::run::<Lanes, O, M, $class, $type, N>),
                }),)*
                _ => None,
            }
        }
    )*};
}

foldings! {
    Floats FoldsFloats folding_of [F32 f32, F64 f64];
    Complexes FoldsComplexes folding_of_complexes [C64 Complex<f32>, C128 Complex<f64>];
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
        let Some(arguments) = exactly(arguments) else { return };
        let (blocks, rest) = (length / BLOCK, columns % BLOCK);
        let (decoded, mut splats) = (ArgumentRows::all(arguments, columns.max(length)), splats());
        if columns <= length {
            let (mut rows, mut room) = (0..out.len(), Room::new());
            return each_to_one::<I, O, C, T>(out, || {
                let row = rows.next().unwrap_or_default();
                let mut all = ArgumentRows::together(&decoded, row, &mut splats);
                let Some(first) = all.next() else { return [T::zeroed(); BLOCK] };
                let mut lanes = mapped::<I, M, C, T, N>(first);
                for arguments in all.by_ref() {
                    fold_more::<I, O, M, C, T, N>(&mut lanes, arguments);
                }
                if rest > 0 {
                    let more = mapped::<I, M, C, T, N>(room.last(&decoded, row, &all));
                    lanes = folded_first::<I, O, C, T>(&lanes, &more, rest);
                }
                lanes
            });
        }
        let mut room = Room::new();
        for (row, out) in out.chunks_mut(columns.div_ceil(length)).enumerate() {
            let (mut all, mut left) = (ArgumentRows::together(&decoded, row, &mut splats), out.len());
            each_to_one::<I, O, C, T>(out, || {
                let Some(first) = all.next() else { return [T::zeroed(); BLOCK] };
                let mut lanes = mapped::<I, M, C, T, N>(first);
                for arguments in all.by_ref().take(blocks - 1) {
                    fold_more::<I, O, M, C, T, N>(&mut lanes, arguments);
                }
                left -= 1;
                if rest > 0 && left == 0 {
                    let more = mapped::<I, M, C, T, N>(room.last(&decoded, row, &all));
                    lanes = folded_first::<I, O, C, T>(&lanes, &more, rest);
                }
                lanes
            });
        }
    }
}

/// Folds what a function makes of a block into what is there so far.
#[inline(always)]
pub(super) fn fold_more<
    I: Isa,
    O: Map2<C, T, Out = T>,
    M: Map<C, T, N, Out = T>,
    C,
    T: Pod,
    const N: usize,
>(
    sofar: &mut [T; BLOCK],
    block: [&[T; BLOCK]; N],
) {
    // The lanes of complex numbers do not all fit into registers: so some after the others.
    match (size_of::<T>(), align_of::<T>()) {
        (16, 8) => fold_pieces::<I, O, M, C, T, N, 16>(sofar, block),
        (8, 4) => fold_pieces::<I, O, M, C, T, N, 32>(sofar, block),
        _ => *sofar = folded::<I, O, C, T, BLOCK>(sofar, &mapped::<I, M, C, T, N>(block)),
    }
}

#[inline(always)]
fn fold_pieces<
    I: Isa,
    O: Map2<C, T, Out = T>,
    M: Map<C, T, N, Out = T>,
    C,
    T: Pod,
    const N: usize,
    const V: usize,
>(
    sofar: &mut [T; BLOCK],
    block: [&[T; BLOCK]; N],
) {
    for (piece, sofar) in sofar.as_chunks_mut::<V>().0.iter_mut().enumerate() {
        let mut made = [T::zeroed(); V];
        M::each::<I, V>(block.map(|block| &block.as_chunks().0[piece]), &mut made);
        *sofar = folded::<I, O, C, T, V>(sofar, &made);
    }
}

/// What a function makes of a block.
#[inline(always)]
pub(super) fn mapped<I: Isa, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize>(
    arguments: [&[T; BLOCK]; N],
) -> [T; BLOCK] {
    let mut mapped = [T::zeroed(); BLOCK];
    M::each::<I, BLOCK>(arguments, &mut mapped);
    mapped
}
