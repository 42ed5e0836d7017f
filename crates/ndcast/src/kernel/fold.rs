//! Kernels of folds: of two runs, of several runs into one, and of a run to one element.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use num_complex::Complex;

use super::{BLOCK, Complexes, Floats, Integers, Kernel, Map2, OfOne, Truths, run2};
use crate::dtype::DType;
use crate::simd::{Baseline, Body, Isa, SQUARE, simd};

/// How many partial results a run is folded in at once.
const LANES: usize = BLOCK;

struct Runs<'a, O, C, T: Pod>(&'a [T], &'a mut [T], std::marker::PhantomData<(O, C)>);
impl<O: Map2<C, T, Out = T>, C, T: Pod> Body for Runs<'_, O, C, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Runs(all, out, _) = self;
        let length = all.len() / out.len().max(1);
        let mut runs = all.chunks_exact(length);
        if length < LANES {
            for (out, run) in out.iter_mut().zip(runs) {
                *out = few::<I, O, C, T>(run);
            }
            return;
        }
        each_to_one::<I, O, C, T>(out, || {
            // No lane begins with a neutral element, because for some values there is none.
            let (chunks, rest) = runs.next().unwrap_or_default().as_chunks::<LANES>();
            let Some((first, chunks)) = chunks.split_first() else { return [T::zeroed(); LANES] };
            // The lanes stay in registers, because no place in them is known only at run time.
            let mut lanes = O::fold::<I>(*first, chunks.iter());
            if !rest.is_empty() {
                let mut with_rest = lanes;
                for (lane, &x) in with_rest.iter_mut().zip(rest) {
                    *lane = O::map::<I>(*lane, x);
                }
                lanes = with_rest;
            }
            lanes
        });
    }
}

/// Folds the lanes of each run to one: one half of them with the other, and so on. At the end that is done for some runs
/// at once, because only a few lanes are left.
#[inline(always)]
pub(super) fn each_to_one<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod>(
    out: &mut [T],
    mut next: impl FnMut() -> [T; LANES],
) {
    for out in out.chunks_mut(SQUARE) {
        let mut runs = [[T::zeroed(); SQUARE]; SQUARE];
        for run in &mut runs[..out.len()] {
            let lanes: [T; 32] = halved::<I, O, C, T, LANES, 32>(&next());
            let lanes: [T; 16] = halved::<I, O, C, T, 32, 16>(&lanes);
            *run = halved::<I, O, C, T, 16, SQUARE>(&lanes);
        }
        if let [out] = out {
            let lanes: [T; 4] = halved::<I, O, C, T, SQUARE, 4>(&runs[0]);
            let [a, b] = halved::<I, O, C, T, 4, 2>(&lanes);
            *out = O::map::<I>(a, b);
            continue;
        }
        let [a, b, c, d, e, f, g, h] = I::columns(runs.each_ref());
        let both = |a, b| folded::<I, O, C, T, SQUARE>(a, b);
        let (a, b, c, d) = (both(&a, &e), both(&b, &f), both(&c, &g), both(&d, &h));
        let all = both(&both(&a, &c), &both(&b, &d));
        out.copy_from_slice(&all[..out.len()]);
    }
}

/// Lanes folded with as many more.
#[inline(always)]
pub(super) fn folded<I: Isa, O: Map2<C, T, Out = T>, C, T: Copy, const N: usize>(
    lanes: &[T; N],
    chunk: &[T; N],
) -> [T; N] {
    let mut folded = *lanes;
    for lane in 0..N {
        folded[lane] = O::map::<I>(lanes[lane], chunk[lane]);
    }
    folded
}

/// The first half of the lanes folded with the second.
#[inline(always)]
fn halved<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod, const N: usize, const H: usize>(
    lanes: &[T; N],
) -> [T; H] {
    let mut halved = [T::zeroed(); H];
    for lane in 0..H {
        halved[lane] = O::map::<I>(lanes[lane], lanes[lane + H]);
    }
    halved
}

/// Folds fewer elements than there are lanes, at least one, in pairs.
#[inline(always)]
fn few<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod>(run: &[T]) -> T {
    if let &[a, b] = run {
        return O::map::<I>(a, b);
    }
    let mut lanes = [T::zeroed(); LANES];
    let mut count = run.len();
    lanes[..count].copy_from_slice(run);
    while count > 1 {
        let half = count.div_ceil(2);
        for lane in 0..count - half {
            lanes[lane] = O::map::<I>(lanes[lane], lanes[lane + half]);
        }
        count = half;
    }
    lanes[0]
}

/// Folds runs of at least one element, as many as the result has elements, each to one.
fn fold_runs<O: Map2<C, T, Out = T>, C, T: Pod>(all: &[u8], result: &mut [u8]) {
    simd(Runs::<O, C, T>(cast_slice(all), cast_slice_mut(result), std::marker::PhantomData));
}

struct More<'a, O, C, T: Pod>(&'a [&'a [u8]], &'a mut [T], std::marker::PhantomData<(O, C)>);
impl<O: Map2<C, T, Out = T>, C, T: Pod> Body for More<'_, O, C, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let More(rows, sofar, _) = self;
        let (blocks, rest) = sofar.as_chunks_mut::<BLOCK>();
        if let [a, b, c, d] = rows {
            let (a, b) = (cast_slice(a).as_chunks().0, cast_slice(b).as_chunks().0);
            let (c, d) = (cast_slice(c).as_chunks().0, cast_slice(d).as_chunks().0);
            for ((((sofar, a), b), c), d) in blocks.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *sofar = O::fold::<I>(*sofar, [a, b, c, d].into_iter());
            }
        } else {
            for row in rows {
                let (row, _) = cast_slice(row).as_chunks();
                for (sofar, row) in blocks.iter_mut().zip(row) {
                    more1::<I, O, C, T>(sofar, row);
                }
            }
        }
        for row in rows {
            let (_, row) = cast_slice::<u8, T>(row).as_chunks::<BLOCK>();
            for (sofar, &x) in rest.iter_mut().zip(row) {
                *sofar = O::map::<I>(*sofar, x);
            }
        }
    }
}

/// A block of what is there folded with one more; a function, because the compiler knows of its parameters that none lies on
/// another.
#[inline(always)]
fn more1<I: Isa, O: Map2<C, T, Out = T>, C, T: Copy>(sofar: &mut [T; BLOCK], a: &[T; BLOCK]) {
    for place in 0..BLOCK {
        sofar[place] = O::map::<I>(sofar[place], a[place]);
    }
}

/// Folds each element of the result with that of each run, one after the other.
fn fold_more<O: Map2<C, T, Out = T>, C, T: Pod>(runs: &[&[u8]], result: &mut [u8]) {
    simd(More::<O, C, T>(runs, cast_slice_mut(result), std::marker::PhantomData));
}

/// Folds each element of a run with all before it.
fn scan_run<O: Map2<C, T, Out = T>, C, T: Pod>(all: &[u8], result: &mut [u8]) {
    let mut sofar = None;
    for (out, &x) in cast_slice_mut::<u8, T>(result).iter_mut().zip(cast_slice::<u8, T>(all)) {
        let next = sofar.map_or(x, |sofar| O::map::<Baseline>(sofar, x));
        sofar = Some(next);
        *out = next;
    }
}

/// The kernels of a fold.
#[derive(Clone, Copy)]
pub(crate) struct Folding {
    /// Elementwise, of what is there so far and more.
    pub(crate) two: Kernel,
    /// Elementwise, of what the result holds and each of a few runs.
    pub(crate) more: fn(runs: &[&[u8]], result: &mut [u8]),
    /// Runs of equal length, as many as the result has elements, each to one.
    pub(crate) run: OfOne,
    /// Each element of a run with all before it.
    pub(crate) scan: OfOne,
}

/// Expands the lists of types for folds, as above: the kernels for two runs, and for runs that become one each.
macro_rules! folds {
    ($($class:ident $all:ident $pick:ident [$($dtype:ident $type:ty),*];)*) => {$(
        /// Folds every type of the class.
        pub(crate) trait $all: $(Map2<$class, $type, Out = $type> +)* {}
        impl<O: $(Map2<$class, $type, Out = $type> +)*> $all for O {}

        /// The kernels of a fold for a type of this class; `None` for a type of another.
        pub(crate) fn $pick<O: $all>(dtype: DType) -> Option<Folding> {
            match dtype {
                $(DType::$dtype => Some(Folding {
                    two: run2::<O, $class, $type>(),
                    more: fold_more::<O, $class, $type>,
                    run: fold_runs::<O, $class, $type>,
                    scan: scan_run::<O, $class, $type>,
                }),)*
                _ => None,
            }
        }
    )*};
}

folds! {
    Truths FoldsTruths fold_truths [Bool u8];
    Integers FoldsIntegers fold_integers
        [I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64];
    // For what gives the same bits whether there is a sign or not.
    Integers FoldsWords fold_words
        [I8 u8, I16 u16, I32 u32, I64 u64, U8 u8, U16 u16, U32 u32, U64 u64];
    Floats FoldsFloats fold_floats [F32 f32, F64 f64];
    Complexes FoldsComplexes fold_complexes [C64 Complex<f32>, C128 Complex<f64>];
}
