//! Kernels: loops over contiguous runs of elements, chosen once a node by the element type.
//!
//! A kernel sees as many elements of each argument as of its result, one behind the other; broadcasting has
//! happened before. Only two things are left to kernels of several arguments, because to do them before would take a
//! pass more over the nearest cache: an argument that is one element all along is a [`BLOCK`] of it, and one that is
//! what the result holds is empty. What a kernel does with one element is a `Map`, an op's own type; the loops are
//! here, once an arity.
//! Truth values are bytes of 0 or 1.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use num_complex::Complex;

use crate::dtype::DType;
use crate::simd::{Baseline, Body, Isa, simd};

/// The elements that loops are cut into: whole vectors of every type.
pub(crate) const BLOCK: usize = 64;

/// Computes a run of elements from the same run of each argument. Where there are several arguments, one may be a
/// block of one element if the run is longer, or empty if it is what the result holds.
pub(crate) type Kernel = fn(arguments: &[&[u8]], result: &mut [u8]);

/// The types that a map is for, so that an op may have one for each.
pub(crate) struct Truths;
pub(crate) struct Integers;
pub(crate) struct Floats;
pub(crate) struct Complexes;

/// A function of one element.
pub(crate) trait Map1<Class, T: Copy> {
    type Out: Pod;
    fn map<I: Isa>(x: T) -> Self::Out;

    /// Of each element; another loop than this one only where that is faster.
    #[inline(always)]
    fn each<I: Isa>(x: &[T], out: &mut [Self::Out]) {
        for (out, &x) in out.iter_mut().zip(x) {
            *out = Self::map::<I>(x);
        }
    }
}

/// A function of two elements of one type.
pub(crate) trait Map2<Class, T> {
    type Out: Pod;
    fn map<I: Isa>(a: T, b: T) -> Self::Out;
}

/// A function of three elements of one type.
pub(crate) trait Map3<Class, T> {
    type Out: Pod;
    fn map<I: Isa>(a: T, b: T, c: T) -> Self::Out;
}

struct Run1<'a, O, C, T: Pod, R: Pod>(&'a [T], &'a mut [R], std::marker::PhantomData<(O, C)>);
impl<O: Map1<C, T>, C, T: Pod> Body for Run1<'_, O, C, T, O::Out> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        O::each::<I>(self.0, self.1);
    }
}

/// An argument as blocks, and the rest that is no whole one.
struct Source<'a, T> {
    /// None of what the result holds.
    blocks: &'a [[T; BLOCK]],
    /// All ones; or none for one element all along.
    mask: usize,
    rest: &'a [T],
}

impl<'a, T: Pod> Source<'a, T> {
    /// An argument for a result of so many elements. What is behind the reference is read in pieces: it was written so
    /// just before, and to read it as one would wait for all stores before it.
    #[inline(always)]
    fn new(argument: &&'a [u8], count: usize) -> Source<'a, T> {
        let (blocks, rest) = cast_slice::<u8, T>(argument).as_chunks();
        match blocks {
            [one] if rest.is_empty() && count > BLOCK => Source { blocks, mask: 0, rest: one },
            _ => Source { blocks, mask: usize::MAX, rest },
        }
    }

    /// One block of it, or of what the result holds.
    #[inline(always)]
    fn block<'b>(&'b self, number: usize, held: &'b [T; BLOCK]) -> &'b [T; BLOCK] {
        self.blocks.get(number & self.mask).unwrap_or(held)
    }

    /// What it has for the rest of the result.
    #[inline(always)]
    fn rest<'b>(&'b self, held: &'b [T; BLOCK]) -> &'b [T] {
        if self.rest.is_empty() { held } else { self.rest }
    }
}

/// Whether an argument is what the result holds.
#[inline(always)]
fn in_place(arguments: &[&[u8]]) -> bool {
    arguments.iter().any(|argument| argument.is_empty())
}

/// Puts what the result holds into `held`.
#[inline(always)]
fn hold<T: Pod, R: Pod>(result: &[R], held: &mut [T; BLOCK]) {
    held[..result.len()].copy_from_slice(cast_slice(result));
}

struct Run2<'a, O, C, T: Pod, R: Pod>(&'a [&'a [u8]], &'a mut [R], std::marker::PhantomData<(O, C, T)>);
impl<O: Map2<C, T>, C, T: Pod> Body for Run2<'_, O, C, T, O::Out> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Run2(arguments, out, _) = self;
        let in_place = in_place(arguments);
        let [a, b] = arguments else { return };
        let (a, b) = (Source::<T>::new(a, out.len()), Source::<T>::new(b, out.len()));
        let mut held = [T::zeroed(); BLOCK];
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        for (number, out) in blocks.iter_mut().enumerate() {
            if in_place {
                hold(out, &mut held);
            }
            block2::<I, O, C, T>(a.block(number, &held), b.block(number, &held), out);
        }
        if !rest.is_empty() {
            if in_place {
                hold(rest, &mut held);
            }
            for ((out, &a), &b) in rest.iter_mut().zip(a.rest(&held)).zip(b.rest(&held)) {
                *out = O::map::<I>(a, b);
            }
        }
    }
}

/// A block; a function, because the compiler knows of its parameters that none lies on another.
#[inline(always)]
fn block2<I: Isa, O: Map2<C, T>, C, T: Copy>(a: &[T; BLOCK], b: &[T; BLOCK], out: &mut [O::Out; BLOCK]) {
    for place in 0..BLOCK {
        out[place] = O::map::<I>(a[place], b[place]);
    }
}

struct Run3<'a, O, C, T: Pod, R: Pod>(&'a [&'a [u8]], &'a mut [R], std::marker::PhantomData<(O, C, T)>);
impl<O: Map3<C, T>, C, T: Pod> Body for Run3<'_, O, C, T, O::Out> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Run3(arguments, out, _) = self;
        let in_place = in_place(arguments);
        let [a, b, c] = arguments else { return };
        let (a, b) = (Source::<T>::new(a, out.len()), Source::<T>::new(b, out.len()));
        let c = Source::<T>::new(c, out.len());
        let mut held = [T::zeroed(); BLOCK];
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        for (number, out) in blocks.iter_mut().enumerate() {
            if in_place {
                hold(out, &mut held);
            }
            let (a, b, c) = (a.block(number, &held), b.block(number, &held), c.block(number, &held));
            block3::<I, O, C, T>(a, b, c, out);
        }
        if !rest.is_empty() {
            if in_place {
                hold(rest, &mut held);
            }
            let both = a.rest(&held).iter().zip(b.rest(&held));
            for ((out, (&a, &b)), &c) in rest.iter_mut().zip(both).zip(c.rest(&held)) {
                *out = O::map::<I>(a, b, c);
            }
        }
    }
}

/// As [`block2`].
#[inline(always)]
fn block3<I: Isa, O: Map3<C, T>, C, T: Copy>(
    a: &[T; BLOCK],
    b: &[T; BLOCK],
    c: &[T; BLOCK],
    out: &mut [O::Out; BLOCK],
) {
    for place in 0..BLOCK {
        out[place] = O::map::<I>(a[place], b[place], c[place]);
    }
}

fn run1<O: Map1<C, T>, C, T: Pod>(arguments: &[&[u8]], result: &mut [u8]) {
    let [x] = arguments else { return };
    simd(Run1::<O, C, T, O::Out>(cast_slice(x), cast_slice_mut(result), std::marker::PhantomData));
}

fn run2<O: Map2<C, T>, C, T: Pod>(arguments: &[&[u8]], result: &mut [u8]) {
    simd(Run2::<O, C, T, O::Out>(arguments, cast_slice_mut(result), std::marker::PhantomData));
}

fn run3<O: Map3<C, T>, C, T: Pod>(arguments: &[&[u8]], result: &mut [u8]) {
    simd(Run3::<O, C, T, O::Out>(arguments, cast_slice_mut(result), std::marker::PhantomData));
}

/// How many partial results a run is folded in at once.
const LANES: usize = BLOCK;

struct Runs<'a, O, C, T: Pod>(&'a [T], &'a mut [T], std::marker::PhantomData<(O, C)>);
impl<O: Map2<C, T, Out = T>, C, T: Pod> Body for Runs<'_, O, C, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Runs(all, out, _) = self;
        let length = all.len() / out.len().max(1);
        for (out, run) in out.iter_mut().zip(all.chunks_exact(length)) {
            // No lane begins with a neutral element, because for some values there is none.
            let (chunks, rest) = run.as_chunks::<LANES>();
            let Some((first, chunks)) = chunks.split_first() else {
                *out = few::<I, O, C, T>(rest);
                continue;
            };
            // The lanes stay in registers, because no place in them is known only at run time.
            let mut lanes = *first;
            for chunk in chunks {
                lanes = folded::<I, O, C, T, LANES>(&lanes, chunk);
            }
            if !rest.is_empty() {
                let mut with_rest = lanes;
                for (lane, &x) in with_rest.iter_mut().zip(rest) {
                    *lane = O::map::<I>(*lane, x);
                }
                lanes = with_rest;
            }
            let lanes: [T; 32] = halved::<I, O, C, T, LANES, 32>(&lanes);
            let lanes: [T; 16] = halved::<I, O, C, T, 32, 16>(&lanes);
            let lanes: [T; 8] = halved::<I, O, C, T, 16, 8>(&lanes);
            let lanes: [T; 4] = halved::<I, O, C, T, 8, 4>(&lanes);
            let [a, b] = halved::<I, O, C, T, 4, 2>(&lanes);
            *out = O::map::<I>(a, b);
        }
    }
}

/// Lanes folded with as many more.
#[inline(always)]
fn folded<I: Isa, O: Map2<C, T, Out = T>, C, T: Pod, const N: usize>(
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
fn fold_runs<O: Map2<C, T, Out = T>, C, T: Pod>(arguments: &[&[u8]], result: &mut [u8]) {
    let [all] = arguments else { return };
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
                more4::<I, O, C, T>(sofar, a, b, c, d);
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

/// As [`block2`], into what is there.
#[inline(always)]
fn more1<I: Isa, O: Map2<C, T, Out = T>, C, T: Copy>(sofar: &mut [T; BLOCK], a: &[T; BLOCK]) {
    for place in 0..BLOCK {
        sofar[place] = O::map::<I>(sofar[place], a[place]);
    }
}

/// One after the other, of four rows.
#[inline(always)]
fn more4<I: Isa, O: Map2<C, T, Out = T>, C, T: Copy>(
    sofar: &mut [T; BLOCK],
    a: &[T; BLOCK],
    b: &[T; BLOCK],
    c: &[T; BLOCK],
    d: &[T; BLOCK],
) {
    for place in 0..BLOCK {
        let two = O::map::<I>(O::map::<I>(sofar[place], a[place]), b[place]);
        sofar[place] = O::map::<I>(O::map::<I>(two, c[place]), d[place]);
    }
}

/// Folds each element of the result with that of each run, one after the other.
fn fold_more<O: Map2<C, T, Out = T>, C, T: Pod>(arguments: &[&[u8]], result: &mut [u8]) {
    simd(More::<O, C, T>(arguments, cast_slice_mut(result), std::marker::PhantomData));
}

/// Folds each element of a run with all before it.
fn scan_run<O: Map2<C, T, Out = T>, C, T: Pod>(arguments: &[&[u8]], result: &mut [u8]) {
    let [all] = arguments else { return };
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
    pub(crate) more: Kernel,
    /// Runs of equal length, as many as the result has elements, each to one.
    pub(crate) run: Kernel,
    /// Each element of a run with all before it.
    pub(crate) scan: Kernel,
}

/// Expands the lists of types: for each class, the op's map for every type of it, and the kernel for a type.
macro_rules! classes {
    ($($class:ident: $run:ident $map:ident $all:ident $pick:ident [$($dtype:ident $type:ty),*];)*) => {$(
        /// Has a map for every type of the class.
        pub(crate) trait $all: $($map<$class, $type> +)* {}
        impl<O: $($map<$class, $type> +)*> $all for O {}

        /// The kernel of an op for a type of this class; `None` for a type of another.
        pub(crate) fn $pick<O: $all>(dtype: DType) -> Option<Kernel> {
            match dtype {
                $(DType::$dtype => Some($run::<O, $class, $type>),)*
                _ => None,
            }
        }
    )*};
}

classes! {
    Truths: run1 Map1 OnTruths1 truths1 [Bool u8];
    Truths: run2 Map2 OnTruths2 truths2 [Bool u8];
    Integers: run1 Map1 OnIntegers1 integers1 [I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64];
    Integers: run2 Map2 OnIntegers2 integers2 [I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64];
    Integers: run3 Map3 OnIntegers3 integers3 [I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64];
    Floats: run1 Map1 OnFloats1 floats1 [F32 f32, F64 f64];
    Floats: run2 Map2 OnFloats2 floats2 [F32 f32, F64 f64];
    Floats: run3 Map3 OnFloats3 floats3 [F32 f32, F64 f64];
    Complexes: run1 Map1 OnComplexes1 complexes1 [C64 Complex<f32>, C128 Complex<f64>];
    Complexes: run2 Map2 OnComplexes2 complexes2 [C64 Complex<f32>, C128 Complex<f64>];
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
                    two: run2::<O, $class, $type>,
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
    Floats FoldsFloats fold_floats [F32 f32, F64 f64];
    Complexes FoldsComplexes fold_complexes [C64 Complex<f32>, C128 Complex<f64>];
}

/// Puts the kernels for several classes together, for an op that has a map for each.
macro_rules! unions {
    ($($pick:ident: $($all:ident $one:ident)*;)*) => {$(
        /// The kernel of an op for a type of these classes; `None` for a type of another.
        pub(crate) fn $pick<O: $($all +)*>(dtype: DType) -> Option<Kernel> {
            None$(.or_else(|| $one::<O>(dtype)))*
        }
    )*};
}

unions! {
    bits1: OnTruths1 truths1 OnIntegers1 integers1;
    reals1: OnIntegers1 integers1 OnFloats1 floats1;
    analytic1: OnFloats1 floats1 OnComplexes1 complexes1;
    numbers1: OnIntegers1 integers1 OnFloats1 floats1 OnComplexes1 complexes1;
    bits2: OnTruths2 truths2 OnIntegers2 integers2;
    reals2: OnIntegers2 integers2 OnFloats2 floats2;
    ordered2: OnTruths2 truths2 OnIntegers2 integers2 OnFloats2 floats2;
    analytic2: OnFloats2 floats2 OnComplexes2 complexes2;
    numbers2: OnIntegers2 integers2 OnFloats2 floats2 OnComplexes2 complexes2;
    all2: OnTruths2 truths2 OnIntegers2 integers2 OnFloats2 floats2 OnComplexes2 complexes2;
    reals3: OnIntegers3 integers3 OnFloats3 floats3;
}

/// The kernel that takes from `b` where the first argument is true and from `c` elsewhere, by the size of an element.
pub(crate) fn select(size: usize) -> Option<Kernel> {
    match size {
        1 => Some(run_select::<u8>),
        2 => Some(run_select::<u16>),
        4 => Some(run_select::<u32>),
        8 => Some(run_select::<u64>),
        16 => Some(run_select::<[u64; 2]>),
        _ => None,
    }
}

struct Select<'a, T>(&'a [&'a [u8]], &'a mut [T]);
impl<T: Pod> Body for Select<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Select(arguments, out) = self;
        let [condition, b, c] = arguments else { return };
        let (by_condition, by_choice) = (in_place(&arguments[..1]), in_place(&arguments[1..]));
        let condition = Source::<u8>::new(condition, out.len());
        let (b, c) = (Source::<T>::new(b, out.len()), Source::<T>::new(c, out.len()));
        let (mut truths, mut held) = ([0; BLOCK], [T::zeroed(); BLOCK]);
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        for (number, out) in blocks.iter_mut().enumerate() {
            if by_condition {
                hold(out, &mut truths);
            }
            if by_choice {
                hold(out, &mut held);
            }
            let condition = condition.block(number, &truths);
            select_block(condition, b.block(number, &held), c.block(number, &held), out);
        }
        if !rest.is_empty() {
            if by_condition {
                hold(rest, &mut truths);
            }
            if by_choice {
                hold(rest, &mut held);
            }
            let both = b.rest(&held).iter().zip(c.rest(&held));
            for ((out, (&b, &c)), &a) in rest.iter_mut().zip(both).zip(condition.rest(&truths)) {
                *out = if a != 0 { b } else { c };
            }
        }
    }
}

/// As [`block2`].
#[inline(always)]
fn select_block<T: Copy>(condition: &[u8; BLOCK], b: &[T; BLOCK], c: &[T; BLOCK], out: &mut [T; BLOCK]) {
    for place in 0..BLOCK {
        out[place] = if condition[place] != 0 { b[place] } else { c[place] };
    }
}

fn run_select<T: Pod>(arguments: &[&[u8]], result: &mut [u8]) {
    simd(Select::<T>(arguments, cast_slice_mut(result)));
}
