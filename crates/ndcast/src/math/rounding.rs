//! Rounding to integers, the next float, and the sign: all exact.

use super::bits::{product, with_sign};
use crate::simd::Isa;

/// The functions of this file, of one type; they differ in nothing but the bits.
macro_rules! exact {
    ($float:ident $bits:ident $floor:ident $ceil:ident $trunc:ident $even:ident $away:ident $sign:ident $next:ident $rem:ident $near:ident) => {
        /// The greatest integer that is not greater.
        #[inline(always)]
        pub(crate) fn $floor<I: Isa>(x: $float) -> $float {
            x.floor()
        }

        /// The smallest integer that is not smaller.
        #[inline(always)]
        pub(crate) fn $ceil<I: Isa>(x: $float) -> $float {
            x.ceil()
        }

        /// Without what is behind the point.
        #[inline(always)]
        pub(crate) fn $trunc<I: Isa>(x: $float) -> $float {
            x.trunc()
        }

        /// The nearest integer, of two the even one.
        #[inline(always)]
        pub(crate) fn $even<I: Isa>(x: $float) -> $float {
            x.round_ties_even()
        }

        /// The nearest integer, of two the one farther from 0.
        #[inline(always)]
        pub(crate) fn $away<I: Isa>(x: $float) -> $float {
            x.round()
        }

        /// The first with the sign of the second, NaN or not.
        #[inline(always)]
        pub(crate) fn $sign<I: Isa>(x: $float, sign: $float) -> $float {
            x.copysign(sign)
        }

        /// C's `nextafter`: the float next to the first on the way to the second, which itself if they are equal.
        #[inline(always)]
        pub(crate) fn $next<I: Isa>(x: $float, to: $float) -> $float {
            let bits = x.to_bits();
            // Of one sign, the bits of floats are in the order of their magnitudes.
            let away = (to > x) == (x > 0.0);
            let next = if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
            let least = $float::from_bits(1).copysign(to);
            let next = if x == 0.0 { least } else { $float::from_bits(next) };
            let next = if x == to { to } else { next };
            if x.is_nan() | to.is_nan() { $float::NAN } else { next }
        }

        /// C's `fmod`: what the quotient rounded towards 0 leaves, with the sign of the first. Exact.
        #[inline(always)]
        pub(crate) fn $rem<I: Isa>(x: $float, divisor: $float) -> $float {
            x % divisor
        }

        /// The same where the quotient is not [`far`].
        #[inline(always)]
        #[allow(clippy::cast_possible_truncation, reason = "it is exact in either type")]
        pub(crate) fn $near<I: Isa>(x: $float, divisor: $float) -> $float {
            rem_near::<I>(f64::from(x), f64::from(divisor)) as $float
        }
    };
}

exact! { f32 u32 floor_f32 ceil_f32 trunc_f32 round_even_f32 round_away_f32 copysign_f32 next_after_f32 rem_f32 rem_near_f32 }
exact! { f64 u64 floor_f64 ceil_f64 trunc_f64 round_even_f64 round_away_f64 copysign_f64 next_after_f64 rem_f64 rem_near_f64 }

/// Quotients from here on have bits that are lost in front of the point.
const FAR: f64 = 9_007_199_254_740_992.0;
/// Products up to here have halves, too.
const GREAT: f64 = 1e300;

/// Whether [`rem_near`] errs. (For f32 the quotient is that of f64.)
#[inline(always)]
pub(crate) fn is_far(x: f64, divisor: f64) -> bool {
    ((x / divisor).abs() >= FAR) | (x.abs() > GREAT)
}

/// What the quotient rounded towards 0 leaves, where that has no more digits than a float.
#[inline(always)]
fn rem_near<I: Isa>(x: f64, divisor: f64) -> f64 {
    let (a, b) = (x.abs(), divisor.abs());
    // The rounded quotient may be one too many: then what is left is negative, and exact too.
    let (multiple, error) = product::<I, _>((a / b).trunc(), b);
    let rest = (a - multiple) - error;
    let rest = if rest < 0.0 { rest + b } else { rest };
    // An infinite divisor leaves all.
    with_sign(if a < b { a } else { rest }, x)
}

#[cfg(test)]
mod tests {
    use super::super::bits::round32;
    use super::*;
    use crate::simd::Baseline as B;

    fn is_minus_zero(x: f64) -> bool {
        x == 0.0 && x.is_sign_negative()
    }

    #[test]
    fn halves_and_zeros() {
        assert_eq!(
            (round_even_f64::<B>(2.5), round_even_f64::<B>(-3.5), round_away_f64::<B>(-2.5)),
            (2.0, -4.0, -3.0)
        );
        assert_eq!((round_away_f32::<B>(0.499_999_97), round_even_f32::<B>(1.5)), (0.0, 2.0));
        for x in
            [round_even_f64::<B>(-0.3), round_away_f64::<B>(-0.3), ceil_f64::<B>(-0.3), trunc_f64::<B>(-0.3)]
        {
            assert!(is_minus_zero(x));
        }
        assert_eq!((floor_f64::<B>(-0.3), floor_f32::<B>(f32::NEG_INFINITY)), (-1.0, f32::NEG_INFINITY));
        assert!(ceil_f32::<B>(f32::NAN).is_nan());
    }

    #[test]
    fn signs_of_nan() {
        assert!(copysign_f64::<B>(f64::NAN, -1.0).is_sign_negative());
        assert_eq!(copysign_f64::<B>(2.0, f64::NAN.copysign(-1.0)), -2.0);
        assert!(copysign_f32::<B>(f32::NAN.copysign(-1.0), 1.0).is_sign_positive());
    }

    #[test]
    fn steps() {
        let (inf, least) = (f64::INFINITY, 5e-324);
        assert_eq!((next_after_f64::<B>(0.0, 1.0), next_after_f64::<B>(0.0, -inf)), (least, -least));
        assert!(
            is_minus_zero(next_after_f64::<B>(-least, 1.0)) && is_minus_zero(next_after_f64::<B>(0.0, -0.0))
        );
        assert_eq!((next_after_f64::<B>(f64::MAX, inf), next_after_f64::<B>(inf, 0.0)), (inf, f64::MAX));
        assert_eq!(
            (next_after_f64::<B>(1.0, 2.0), next_after_f64::<B>(-1.0, -2.0)),
            (1.0 + f64::EPSILON, -1.0 - f64::EPSILON)
        );
        assert_eq!(
            (next_after_f32::<B>(1.0, 0.0), next_after_f32::<B>(-1.0, 0.0)),
            (0.999_999_94, -0.999_999_94)
        );
        assert_eq!(next_after_f64::<B>(f64::MIN_POSITIVE, 0.0), 2.225_073_858_507_201e-308);
        assert!(next_after_f64::<B>(f64::NAN, 1.0).is_nan() && next_after_f32::<B>(1.0, f32::NAN).is_nan());
    }

    #[test]
    fn rests() {
        assert_eq!(
            (rem_f64::<B>(5.5, -2.0), rem_f64::<B>(-5.5, 2.0), rem_f64::<B>(2.0, f64::INFINITY)),
            (1.5, -1.5, 2.0)
        );
        assert!(rem_f64::<B>(1.0, 0.0).is_nan() && rem_f64::<B>(f64::INFINITY, 1.0).is_nan());
        assert!(rem_f32::<B>(1.0, f32::NAN).is_nan() && is_minus_zero(rem_f64::<B>(-4.0, 2.0)));
    }

    #[test]
    fn near_rests_are_the_rests() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let mut numbers =
            vec![0.0, 1.0, 0.1, 3.0, 7.5, 1e-300, 5e-324, 2e-308, 1e300, f64::MAX, 1e15, 1.0 / 3.0, inf, nan];
        let mut state = 1_u64;
        for _ in 0..300 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Of a random mantissa and an exponent from -30 to 33; and whole multiples of a third.
            let number = f64::from_bits((state >> 12) | (993 + (state & 63)) << 52);
            numbers.extend([number, (number * 1e3).round() / 3.0]);
        }
        let mut far = 0;
        for &x in &numbers {
            for &divisor in &numbers {
                for (x, divisor) in [(x, divisor), (-x, divisor), (x, -divisor)] {
                    let (exact, short) = (x % divisor, (round32(x), round32(divisor)));
                    if is_far(x, divisor) {
                        far += 1;
                    } else {
                        let near = rem_near_f64::<B>(x, divisor);
                        assert!(same(near, exact), "{x} % {divisor}: {near}, not {exact}");
                    }
                    if !is_far(f64::from(short.0), f64::from(short.1)) {
                        let (near, exact) = (rem_near_f32::<B>(short.0, short.1), short.0 % short.1);
                        assert!(same(f64::from(near), f64::from(exact)), "{short:?}: {near}, not {exact}");
                    }
                }
            }
        }
        assert!(far > 100, "{far}");
    }

    fn same(one: f64, other: f64) -> bool {
        one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
    }
}
