//! Kernels: loops over contiguous runs of elements, chosen once a node by the element type.
//!
//! A kernel of one argument sees as many contiguous elements as its result has. One of several sees rows of its result, and
//! of each argument what lies along them ([`Along`]): to make arguments dense first would cost one more pass over the nearest
//! cache. What a kernel does with one element is a `Map`, an op's own type; the loops are the same for all of them.
//! Truth values are bytes of 0 or 1.

#![allow(
    clippy::needless_range_loop,
    reason = "of loops over the places of a block, whose number is known, the compiler makes vectors"
)]

mod along;
mod bounds;
mod fold;
mod from;
mod half;
mod interleaved;
mod lanes;
mod piecewise;
mod quotients;
mod rows;
mod runs;
mod select;
mod several;
mod sums;
#[cfg(test)]
mod tests;

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use num_complex::Complex;
use smallvec::SmallVec;

use crate::dtype::DType;
use crate::simd::{Body, Isa, Stores, simd};
pub(crate) use along::Along;
pub(crate) use bounds::{Bounds, of_products, of_quotients, of_sums};
pub(crate) use fold::{
    Folding, FoldsComplexes, FoldsFloats, FoldsIntegers, FoldsWords, SCANNED, fold_complexes, fold_floats,
    fold_integers, fold_truths, fold_until, fold_words, have_lanes,
};
pub(crate) use from::{Conversions, from};
pub(crate) use half::{HalfSign, Halves, Rounded, half_signs, halves, rounded2};
pub(crate) use interleaved::FEWEST as FEWEST_INTERLEAVED;
pub(crate) use quotients::{
    Near, Quotients, dividing, dividing_as, dividing_from, far, near, quotient, value,
};
pub(crate) use rows::OfRows;
pub(crate) use runs::{FoldingOf, OfRuns, folding_of, folding_of_complexes};
pub(crate) use select::select;
pub(crate) use several::any;
use several::{Run, at, with_first};
pub(crate) use sums::sums;

/// The elements of a block, the unit of loops: whole vectors of any type.
pub(crate) const BLOCK: usize = 64;

/// Elements of the remainder behind the last block, computed at a time.
pub(crate) const PIECE: usize = 16;

/// Computes a run of elements from as many of its one argument.
pub(crate) type OfOne = fn(argument: &[u8], result: &mut [u8]);

/// Computes rows of `columns` elements from what each argument has along them. If the first argument is empty, it is what
/// the result holds. Whole cache lines of the result's blocks may bypass the cache.
pub(crate) type OfSeveral = fn(arguments: &[&Along<'_>], columns: usize, stores: Stores, result: &mut [u8]);

/// Computes elements.
#[derive(Clone, Copy, Debug)]
pub enum Kernel {
    One(OfOne),
    Several(OfSeveral),
}

/// The most arguments of a kernel.
pub(crate) const MOST: usize = 5;

impl Kernel {
    /// Runs it on as many elements of each argument as the result has.
    pub(crate) fn run(self, arguments: &[&[u8]], result: &mut [u8]) {
        let runs: SmallVec<[Along<'_>; MOST]> = arguments.iter().map(|run| Along::run(run)).collect();
        self.run_along(&runs, usize::MAX, result);
    }

    /// Runs it on what each argument has along rows of so many elements.
    pub(crate) fn run_along(self, arguments: &[Along<'_>], columns: usize, result: &mut [u8]) {
        match self {
            Kernel::One(kernel) => kernel(arguments.first().map_or(&[], Along::memory), result),
            Kernel::Several(kernel) => {
                let mut all = [&Along::NONE; MOST];
                all.iter_mut().zip(arguments).for_each(|(place, argument)| *place = argument);
                kernel(&all[..arguments.len()], columns, Stores::Cached, result);
            }
        }
    }

    /// Its address. Kernels that share one compute the same.
    pub(crate) fn id(self) -> usize {
        match self {
            Kernel::One(kernel) => kernel as usize,
            Kernel::Several(kernel) => kernel as usize,
        }
    }
}

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

    /// Whether [`near`](Map2::near) is to be used.
    const NEAR: bool = false;

    /// A shorter [`map`](Map2::map), for pairs that [are not far](Map2::is_far).
    #[inline(always)]
    fn near<I: Isa>(a: T, b: T) -> Self::Out {
        Self::map::<I>(a, b)
    }

    /// Whether a pair needs the full [`map`](Map2::map), as few do.
    #[inline(always)]
    fn is_far(_a: T, _b: T) -> bool {
        false
    }

    /// Whether [`each`](Map2::each) is more than a loop over [`map`](Map2::map).
    const EACH: bool = Self::NEAR;

    /// Whether a block's loop is so long that it is called, not inlined at each use.
    const IS_LONG: bool = Self::NEAR;

    /// Maps each pair. Overridden only where another loop is faster.
    #[inline(always)]
    fn each<I: Isa, const V: usize>(a: &[T; V], b: &[T; V], to: &mut [Self::Out; V])
    where
        T: Copy,
    {
        if Self::NEAR && !any(a, b, Self::is_far) {
            for place in 0..V {
                to[place] = Self::near::<I>(a[place], b[place]);
            }
            return;
        }
        for place in 0..V {
            to[place] = Self::map::<I>(a[place], b[place]);
        }
    }

    /// Folds chunk after chunk into the lanes, elementwise. Overridden only where another loop is faster.
    #[inline(always)]
    fn fold<'c, I: Isa>(lanes: [T; BLOCK], chunks: impl Iterator<Item = &'c [T; BLOCK]> + Clone) -> [T; BLOCK]
    where
        Self: Map2<Class, T, Out = T> + Sized,
        T: Copy + 'c,
    {
        let mut lanes = lanes;
        for chunk in chunks {
            lanes = fold::folded::<I, Self, Class, T, BLOCK>(&lanes, chunk);
        }
        lanes
    }
}

/// A function of three elements of one type.
pub(crate) trait Map3<Class, T> {
    type Out: Pod;
    fn map<I: Isa>(a: T, b: T, c: T) -> Self::Out;
}

/// A function of four elements of one type.
pub(crate) trait Map4<Class, T> {
    type Out: Pod;
    fn map<I: Isa>(a: T, b: T, c: T, d: T) -> Self::Out;
}

/// A function of five elements of one type.
pub(crate) trait Map5<Class, T> {
    type Out: Pod;
    fn map<I: Isa>(a: T, b: T, c: T, d: T, e: T) -> Self::Out;
}

struct Run1<'a, O, C, T: Pod, R: Pod>(&'a [T], &'a mut [R], std::marker::PhantomData<(O, C)>);
impl<O: Map1<C, T>, C, T: Pod> Body for Run1<'_, O, C, T, O::Out> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        O::each::<I>(self.0, self.1);
    }
}

/// A function of so many elements of one type: what the loop over several arguments is for.
pub(crate) trait Map<Class, T, const N: usize> {
    type Out: Pod;
    fn map<I: Isa>(arguments: [T; N]) -> Self::Out;

    /// Maps the elements at each place.
    #[inline(always)]
    fn each<I: Isa, const V: usize>(arguments: [&[T; V]; N], to: &mut [Self::Out; V])
    where
        T: Copy,
    {
        for place in 0..V {
            to[place] = Self::map::<I>(at(&arguments, place));
        }
    }

    /// Whether results are as large as arguments, so that they may overwrite the first one.
    const FITS: bool = size_of::<T>() == size_of::<Self::Out>();

    /// As [`Map2::EACH`].
    const EACH: bool = false;

    /// As [`Map2::IS_LONG`].
    const IS_LONG: bool = false;
}

macro_rules! several {
    ($($count:literal $map:ident [$($argument:ident)*];)*) => {$(
        impl<O: $map<C, T>, C, T: Copy> Map<C, T, $count> for O {
            type Out = O::Out;
            #[inline(always)]
            fn map<I: Isa>([$($argument),*]: [T; $count]) -> O::Out {
                <O as $map<C, T>>::map::<I>($($argument),*)
            }
        }
    )*};
}

several! {
    1 Map1 [a];
    3 Map3 [a b c];
    4 Map4 [a b c d];
    5 Map5 [a b c d e];
}

impl<O: Map2<C, T>, C, T: Copy> Map<C, T, 2> for O {
    type Out = O::Out;
    const EACH: bool = <O as Map2<C, T>>::EACH;
    const IS_LONG: bool = <O as Map2<C, T>>::IS_LONG;
    #[inline(always)]
    fn map<I: Isa>([a, b]: [T; 2]) -> O::Out {
        <O as Map2<C, T>>::map::<I>(a, b)
    }
    #[inline(always)]
    fn each<I: Isa, const V: usize>([a, b]: [&[T; V]; 2], to: &mut [O::Out; V]) {
        <O as Map2<C, T>>::each::<I, V>(a, b, to);
    }
}

fn of_one<O: Map1<C, T>, C, T: Pod>(argument: &[u8], result: &mut [u8]) {
    simd(Run1::<O, C, T, O::Out>(cast_slice(argument), cast_slice_mut(result), std::marker::PhantomData));
}

fn of_several<O: Map<C, T, N>, C, T: Pod, const N: usize>(
    arguments: &[&Along<'_>],
    columns: usize,
    stores: Stores,
    result: &mut [u8],
) {
    let (out, map) = (cast_slice_mut(result), std::marker::PhantomData);
    simd(Run::<O, C, T, O::Out, N> { arguments, columns, stores, out, map });
}

/// The kernel of a map on so many elements of one type.
pub(crate) fn several<O: Map<C, T, N>, C, T: Pod, const N: usize>() -> Kernel {
    Kernel::Several(of_several::<O, C, T, N>)
}

fn run1<O: Map1<C, T>, C, T: Pod>() -> Kernel {
    Kernel::One(of_one::<O, C, T>)
}

fn run2<O: Map2<C, T>, C, T: Pod>() -> Kernel {
    several::<O, C, T, 2>()
}

fn run3<O: Map3<C, T>, C, T: Pod>() -> Kernel {
    several::<O, C, T, 3>()
}

fn run4<O: Map4<C, T>, C, T: Pod>() -> Kernel {
    several::<O, C, T, 4>()
}

fn run5<O: Map5<C, T>, C, T: Pod>() -> Kernel {
    several::<O, C, T, 5>()
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
                $(DType::$dtype => Some($run::<O, $class, $type>()),)*
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
    // For what gives the same bits whether there is a sign or not.
    Integers: run2 Map2 OnWords2 words2 [I8 u8, I16 u16, I32 u32, I64 u64, U8 u8, U16 u16, U32 u32, U64 u64];
    // For what takes the highest bit for a sign.
    Integers: run2 Map2 OnSigned2 signed2 [I8 i8, I16 i16, I32 i32, I64 i64, U8 i8, U16 i16, U32 i32, U64 i64];
    Integers: run3 Map3 OnIntegers3 integers3 [I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64];
    Floats: run1 Map1 OnFloats1 floats1 [F32 f32, F64 f64];
    Floats: run2 Map2 OnFloats2 floats2 [F32 f32, F64 f64];
    Floats: run3 Map3 OnFloats3 floats3 [F32 f32, F64 f64];
    Floats: run4 Map4 OnFloats4 floats4 [F32 f32, F64 f64];
    Floats: run5 Map5 OnFloats5 floats5 [F32 f32, F64 f64];
    Complexes: run1 Map1 OnComplexes1 complexes1 [C64 Complex<f32>, C128 Complex<f64>];
    Complexes: run2 Map2 OnComplexes2 complexes2 [C64 Complex<f32>, C128 Complex<f64>];
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
    bits2: OnTruths2 truths2 OnWords2 words2;
    reals2: OnIntegers2 integers2 OnFloats2 floats2;
    ordered2: OnTruths2 truths2 OnIntegers2 integers2 OnFloats2 floats2;
    numbers2: OnIntegers2 integers2 OnFloats2 floats2 OnComplexes2 complexes2;
    wrapping2: OnWords2 words2 OnFloats2 floats2 OnComplexes2 complexes2;
    equality2: OnTruths2 truths2 OnWords2 words2 OnFloats2 floats2 OnComplexes2 complexes2;
    reals3: OnIntegers3 integers3 OnFloats3 floats3;
}
