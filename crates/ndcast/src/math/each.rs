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
    /// Whether a number is.
    fn is_far(x: T) -> bool;
}

/// A function of many numbers: vectors of near ones, and then, for a block in which there are any, the far ones. The
/// same bits as from the function of one number.
#[inline(always)]
pub(crate) fn each<I: Isa, T: Copy, F: NearAndFar<T>>(x: &[T], out: &mut [T]) {
    for (x, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let mut any = 0_u32;
        for (out, &x) in out.iter_mut().zip(x) {
            *out = F::near::<I>(x);
            any |= u32::from(F::is_far(x));
        }
        if any != 0 {
            for (out, &x) in out.iter_mut().zip(x).filter(|(_, x)| F::is_far(**x)) {
                *out = F::far::<I>(x);
            }
        }
    }
}

/// Functions that are near and far alike in where they are far: they differ in the functions alone.
macro_rules! near_and_far {
    (|$x:ident| $is_far:expr; $($function:ident $float:ident: $near:expr, $far:expr;)*) => {$(
        impl NearAndFar<$float> for $function {
            #[inline(always)]
            fn near<I: Isa>($x: $float) -> $float {
                $near
            }
            #[inline(always)]
            fn far<I: Isa>($x: $float) -> $float {
                $far
            }
            #[inline(always)]
            #[allow(clippy::useless_conversion, reason = "one of the types is the other")]
            fn is_far($x: $float) -> bool {
                $is_far
            }
        }
    )*};
}
pub(super) use near_and_far;
