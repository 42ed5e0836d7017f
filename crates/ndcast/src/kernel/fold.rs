//! Kernels of folds: of two runs, of several runs into one, and of a run to one element.

use std::array::{from_fn, from_mut};

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use num_complex::Complex;

use super::{BLOCK, Complexes, Floats, Integers, Kernel, Map2, Truths, run2};
use crate::dtype::DType;
use crate::simd::{Baseline, Body, Isa, SQUARE, simd};

/// How many partial results a run is folded in at once.
const LANES: usize = BLOCK;

/// Rows of so many elements, and the elements of a run.
struct Runs<'a, O, C, T: Pod>(&'a [T], [usize; 2], &'a mut [T], std::marker::PhantomData<(O, C)>);
impl<O: Map2<C, T, Out = T>, C, T: Pod> Body for Runs<'_, O, C, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Runs(all, [row, length], out, _) = self;
        if length < SQUARE {
            return few::<I, O, C, T>(all.chunks_exact(length), length, out);
        }
        let (mut begin, mut left) = (0, row);
        last_to_one::<I, O, C, T>(out, || {
            let run = &all[begin..][..length.min(left)];
            begin += run.len();
            left = if run.len() < left { left - run.len() } else { row };
            match length {
                LANES.. => last_lanes::<I, O, C, T>(&in_lanes::<I, O, C, T>(run, &all[begin - run.len()..])),
                32.. => {
                    let lanes: [T; 16] = halved::<I, O, C, T, 32, 16>(&with_last::<I, O, C, T, 32>(run));
                    halved::<I, O, C, T, 16, SQUARE>(&lanes)
                }
                16.. => halved::<I, O, C, T, 16, SQUARE>(&with_last::<I, O, C, T, 16>(run)),
                _ => with_last::<I, O, C, T, SQUARE>(run),
            }
        });
    }
}

/// Folds a run of [`LANES`] elements or more into lanes. `from` is the memory from its first on, which may go on.
#[inline(always)]
fn in_lanes<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod>(run: &[T], from: &[T]) -> [T; LANES] {
    // No lane begins with a neutral element, because for some values there is none.
    let (chunks, rest) = run.as_chunks::<LANES>();
    let Some((first, chunks)) = chunks.split_first() else { return [T::zeroed(); LANES] };
    // The lanes stay in registers, because no place in them is known only at run time.
    let lanes = O::fold::<I>(*first, chunks.iter());
    if rest.is_empty() {
        return lanes;
    }
    // The last block may go on into the next run, if there is one.
    let mut room = [T::zeroed(); LANES];
    let more = from[run.len() - rest.len()..].first_chunk().unwrap_or_else(|| {
        room[..rest.len()].copy_from_slice(rest);
        &room
    });
    folded_first::<I, O, C, T>(&lanes, more, rest.len())
}

/// Folds the lanes of each run to one: one half of them with the other, and so on.
#[inline(always)]
pub(super) fn each_to_one<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod>(
    out: &mut [T],
    mut next: impl FnMut() -> [T; LANES],
) {
    last_to_one::<I, O, C, T>(out, || last_lanes::<I, O, C, T>(&next()));
}

/// Halves the lanes until [`SQUARE`] are left.
#[inline(always)]
fn last_lanes<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod>(lanes: &[T; LANES]) -> [T; SQUARE] {
    let lanes: [T; 32] = halved::<I, O, C, T, LANES, 32>(lanes);
    let lanes: [T; 16] = halved::<I, O, C, T, 32, 16>(&lanes);
    halved::<I, O, C, T, 16, SQUARE>(&lanes)
}

/// Folds the last lanes of each run to one, [`SQUARE`] runs at once: transposed, they fill vectors.
#[inline(always)]
fn last_to_one<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod>(
    out: &mut [T],
    mut next: impl FnMut() -> [T; SQUARE],
) {
    // What is left over is written aside first, so that all others are written with a length known beforehand.
    let (groups, rest) = out.as_chunks_mut::<SQUARE>();
    let mut last = [T::zeroed(); SQUARE];
    let few = (!rest.is_empty()).then_some((&mut last, rest.len()));
    for (out, count) in groups.iter_mut().map(|group| (group, SQUARE)).chain(few) {
        let mut runs = [[T::zeroed(); SQUARE]; SQUARE];
        for run in &mut runs[..count] {
            // Called at one place alone, so that it is inlined, and compiled for the instruction set.
            *run = next();
        }
        if count == 1 {
            let lanes: [T; 4] = halved::<I, O, C, T, SQUARE, 4>(&runs[0]);
            let [a, b] = halved::<I, O, C, T, 4, 2>(&lanes);
            out[0] = O::map::<I>(a, b);
            continue;
        }
        let [a, b, c, d, e, f, g, h] = I::transpose(runs.each_ref());
        let both = |a, b| folded::<I, O, C, T, SQUARE>(a, b);
        let (a, b, c, d) = (both(&a, &e), both(&b, &f), both(&c, &g), both(&d, &h));
        *out = both(&both(&a, &c), &both(&b, &d));
    }
    rest.copy_from_slice(&last[..rest.len()]);
}

/// Folds a chunk into lanes.
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

/// Blocks folded between two checks whether the result is decided.
const UNASKED: usize = 64;

/// Folds chunks into lanes until no further chunk can change the result.
#[inline(always)]
pub(crate) fn fold_until<'c, I: Isa, O: Map2<C, T, Out = T>, C, T: Copy + 'c>(
    mut lanes: [T; LANES],
    mut chunks: impl Iterator<Item = &'c [T; LANES]> + Clone,
    is_decided: impl Fn(&[T; LANES]) -> bool,
) -> [T; LANES] {
    loop {
        for chunk in chunks.by_ref().take(UNASKED) {
            lanes = folded::<I, O, C, T, LANES>(&lanes, chunk);
        }
        if chunks.clone().next().is_none() || is_decided(&lanes) {
            return lanes;
        }
    }
}

/// Folds `more` into the first `count` lanes only. All are computed, and then selected, so that they stay in registers.
#[inline(always)]
pub(super) fn folded_first<I: Isa, O: Map2<C, T, Out = T>, C, T: Copy>(
    lanes: &[T; LANES],
    more: &[T; LANES],
    count: usize,
) -> [T; LANES] {
    let mut folded = *lanes;
    for lane in 0..LANES {
        let both = O::map::<I>(lanes[lane], more[lane]);
        folded[lane] = if lane < count { both } else { lanes[lane] };
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

/// Folds runs of 1 to 7 elements: first to the greatest power of two that is not more, then half with half.
#[inline(always)]
fn few<'r, I: Isa, O: Map2<C, T, Out = T>, C, T: Pod>(
    mut runs: impl Iterator<Item = &'r [T]>,
    length: usize,
    out: &mut [T],
) {
    for out in out {
        let run = runs.next().unwrap_or_default();
        let [a, b] = match length {
            4.. => halved::<I, O, C, T, 4, 2>(&with_last::<I, O, C, T, 4>(run)),
            2.. => with_last::<I, O, C, T, 2>(run),
            _ => {
                *out = run[0];
                continue;
            }
        };
        *out = O::map::<I>(a, b);
    }
}

/// Folds a run of `N` to `2 * N - 1` elements to `N`: what exceeds `N` is folded into the last of them.
#[inline(always)]
fn with_last<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod, const N: usize>(run: &[T]) -> [T; N] {
    let (Some(first), Some(last)) = (run.first_chunk::<N>(), run.last_chunk::<N>()) else {
        return [T::zeroed(); N];
    };
    if run.len() == N {
        return *first;
    }
    let alone = 2 * N - run.len();
    let mut lanes = *first;
    for lane in 0..N {
        let both = O::map::<I>(first[lane], last[lane]);
        lanes[lane] = if lane < alone { first[lane] } else { both };
    }
    lanes
}

/// Folds the runs of rows, as many as the result has elements, each to one.
fn fold_rows<O: Map2<C, T, Out = T>, C, T: Pod>(all: &[u8], lengths: [usize; 2], result: &mut [u8]) {
    simd(Runs::<O, C, T>(cast_slice(all), lengths, cast_slice_mut(result), std::marker::PhantomData));
}

struct More<'a, O, C, T: Pod>(&'a [&'a [u8]], &'a mut [T], std::marker::PhantomData<(O, C)>);
impl<O: Map2<C, T, Out = T>, C, T: Pod> Body for More<'_, O, C, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let More(rows, sofar, _) = self;
        let (blocks, rest) = sofar.as_chunks_mut::<BLOCK>();
        let (eights, others) = rows.as_chunks::<8>();
        let (fours, ones) = others.as_chunks::<4>();
        eights.iter().for_each(|rows| together::<I, O, C, T, 8>(rows, blocks));
        fours.iter().for_each(|rows| together::<I, O, C, T, 4>(rows, blocks));
        for row in ones {
            let (row, _) = cast_slice(row).as_chunks();
            for (sofar, row) in blocks.iter_mut().zip(row) {
                more1::<I, O, C, T>(sofar, row);
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

/// Folds several rows into the accumulator, one after the other: it is loaded and stored once for all.
#[inline(always)]
fn together<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod, const N: usize>(
    rows: &[&[u8]; N],
    blocks: &mut [[T; BLOCK]],
) {
    // In a loop, and not by `map`, behind which the compiler does not know how long they are and asks at every block.
    let mut all: [&[[T; BLOCK]]; N] = [&[]; N];
    for (blocks_of, row) in all.iter_mut().zip(rows) {
        *blocks_of = &cast_slice(row).as_chunks().0[..blocks.len()];
    }
    for (number, sofar) in blocks.iter_mut().enumerate() {
        *sofar = O::fold::<I>(*sofar, all.iter().map(|row| &row[number]));
    }
}

/// Folds a block into the accumulator. A function, because the compiler knows that its parameters do not alias.
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

/// Lines scanned at a time: an element depends on the one before it, not on those of other lines.
pub(crate) const SCANNED: usize = 4;
/// Elements of each that are scanned without a bounds check.
const UNCOUNTED: usize = 16;

/// Running folds of lines of equal length. A result with one element more than its line begins with the fold of all that came
/// before the line.
fn scan_lines<O: Map2<C, T, Out = T>, C, T: Pod>(lines: &[&[u8]], results: &mut [&mut [u8]]) {
    let (some, others) = lines.as_chunks::<SCANNED>();
    let (of_some, of_others) = results.as_chunks_mut::<SCANNED>();
    some.iter().zip(of_some).for_each(|(lines, to)| scan_some::<O, C, T, SCANNED>(lines, to));
    others.iter().zip(of_others).for_each(|(line, to)| scan_some::<O, C, T, 1>(&[*line], from_mut(to)));
}

/// What is read, and where what comes of it goes.
type ReadWritten<'s, T> = (&'s [T], &'s mut [T]);

fn scan_some<O: Map2<C, T, Out = T>, C, T: Pod, const N: usize>(
    lines: &[&[u8]; N],
    results: &mut [&mut [u8]; N],
) {
    let mut sofar = [T::zeroed(); N];
    let mut blocks: [ReadWritten<'_, [T; UNCOUNTED]>; N] = from_fn(|_| Default::default());
    let mut ends: [ReadWritten<'_, T>; N] = from_fn(|_| Default::default());
    for (number, (line, result)) in lines.iter().zip(results).enumerate() {
        let mut line = cast_slice::<u8, T>(line);
        let Some((first, result)) = cast_slice_mut(result).split_first_mut() else { return };
        if let Some((own, rest)) = line.split_first()
            && rest.len() == result.len()
        {
            (*first, line) = (*own, rest);
        }
        sofar[number] = *first;
        let ((from, from_end), (to, to_end)) = (line.as_chunks(), result.as_chunks_mut());
        (blocks[number], ends[number]) = ((from, to), (from_end, to_end));
    }
    for number in 0..blocks[0].0.len() {
        let mut now = blocks.each_mut().map(|(from, to)| (&from[number], &mut to[number]));
        for place in 0..UNCOUNTED {
            for (sofar, (from, to)) in sofar.iter_mut().zip(&mut now) {
                *sofar = O::map::<Baseline>(*sofar, from[place]);
                to[place] = *sofar;
            }
        }
    }
    for (sofar, (from, to)) in sofar.iter_mut().zip(ends) {
        for (&x, to) in from.iter().zip(to) {
            *sofar = O::map::<Baseline>(*sofar, x);
            *to = *sofar;
        }
    }
}

/// The kernels of a fold.
#[derive(Clone, Copy)]
pub(crate) struct Folding {
    /// Elementwise, of what is there so far and more.
    pub(crate) two: Kernel,
    /// Elementwise, of what the result holds and each of a few runs.
    pub(crate) more: fn(runs: &[&[u8]], result: &mut [u8]),
    /// Rows of so many elements in runs of so many, as many as the result has elements, each to one. The last run of a row may be
    /// shorter, if all [have lanes](have_lanes).
    pub(crate) rows: fn(rows: &[u8], lengths: [usize; 2], result: &mut [u8]),
    /// Each element of lines, which are equally long, with all before it in its line. A result that has an element more begins
    /// with what all before the line are folded to.
    pub(crate) scan: fn(lines: &[&[u8]], results: &mut [&mut [u8]]),
}

/// Whether a row's runs are all folded alike: the last is as long as the others, or still fills the lanes.
pub(crate) fn have_lanes([row, length]: [usize; 2]) -> bool {
    row <= length || row.is_multiple_of(length) || row % length >= LANES
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
                    rows: fold_rows::<O, $class, $type>,
                    scan: scan_lines::<O, $class, $type>,
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

#[cfg(test)]
mod tests {
    use super::super::Floats;
    use super::*;

    struct Plus;

    impl Map2<Floats, f32> for Plus {
        type Out = f32;
        fn map<I: Isa>(a: f32, b: f32) -> f32 {
            a + b
        }
    }

    /// However many rows are folded at a time, it is one after the other.
    #[test]
    fn rows_are_folded_in_their_order() {
        for (count, width) in (0..14).flat_map(|count| [1, 63, 64, 200].map(|width| (count, width))) {
            let element = |row: usize, at: usize| ((row * 7 + at * 3) % 11) as f32 * 0.1 + 1e-4 * at as f32;
            let rows: Vec<Vec<f32>> =
                (0..count).map(|row| (0..width).map(|at| element(row, at)).collect()).collect();
            let mut sofar: Vec<f32> = (0..width).map(|at| element(99, at)).collect();
            let expected: Vec<f32> =
                (0..width).map(|at| rows.iter().fold(sofar[at], |sofar, row| sofar + row[at])).collect();
            let bytes: Vec<&[u8]> = rows.iter().map(|row| cast_slice(row)).collect();
            fold_more::<Plus, Floats, f32>(&bytes, cast_slice_mut(&mut sofar));
            assert_eq!(sofar, expected, "{count} rows of {width}");
        }
    }
}
