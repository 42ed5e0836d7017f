//! Functions of many numbers at once, of which most, but not all, are made by instructions for vectors.

use crate::simd::Isa;

/// So many numbers are looked at together.
const BLOCK: usize = 256;

/// A function that is much faster for most numbers.
pub(crate) trait NearAndFar<T: Copy> {
    /// The function of a number that is not far: straight-line code.
    fn near<I: Isa>(x: T) -> T;
    /// The function of a number that is.
    fn far<I: Isa>(x: T) -> T;
    /// A number is far if its distance is less than this.
    const FAR: u32 = 1;
    /// In a few instructions, of a number and what it would be if it were near: the least one of many says whether any is far.
    fn distance(x: T, near: T) -> u32;
    /// Whether a number is.
    #[inline(always)]
    fn is_far(x: T, near: T) -> bool {
        Self::distance(x, near) < Self::FAR
    }
}

/// The distance of what is far, if it is, and of what is not.
#[inline(always)]
pub(super) fn unless(is_far: bool) -> u32 {
    u32::from(!is_far)
}

/// A function of many numbers: vectors of near ones, and then, for a block in which there are any, the far ones. The
/// same bits as from the function of one number.
#[inline(always)]
pub(crate) fn each<I: Isa, T: Copy, F: NearAndFar<T>>(x: &[T], out: &mut [T]) {
    for (x, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let mut least = u32::MAX;
        for (out, &x) in out.iter_mut().zip(x) {
            *out = F::near::<I>(x);
            least = least.min(F::distance(x, *out));
        }
        if least < F::FAR {
            for (out, &x) in out.iter_mut().zip(x).filter(|(near, x)| F::is_far(**x, **near)) {
                *out = F::far::<I>(x);
            }
        }
    }
}

/// Functions that are near and far alike in where they are far: they differ in the functions alone.
macro_rules! near_and_far {
    (|$x:ident, $near_value:ident| $distance:expr, below $far_from:expr; $($function:ident $float:ident: $near:expr, $far:expr;)*) => {$(
        impl NearAndFar<$float> for $function {
            const FAR: u32 = $far_from;
            #[inline(always)]
            fn near<I: Isa>($x: $float) -> $float {
                $near
            }
            #[inline(always)]
            fn far<I: Isa>($x: $float) -> $float {
                $far
            }
            #[inline(always)]
            fn distance($x: $float, $near_value: $float) -> u32 {
                $distance
            }
        }
    )*};
}
pub(super) use near_and_far;
